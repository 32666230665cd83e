//! A problem with its names resolved, shared by all checks.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::findings::{category_of, is_named_after, is_synset};
use crate::ast::{Atom, Expr, ExprKind, Literal, Name, ObjectGroup, Problem, Variable};
use crate::knowledge::Knowledge;
use crate::knowledge::taxonomy::SynsetId;
use crate::resolve::{INROOM, WILDCARD};
use crate::symbols::{Category, SymbolTable};

/// The initial capacity for predicates, which few activities exceed.
const USUAL_PREDICATES: usize = 14;

/// A problem with its names resolved.
#[derive(Debug)]
pub(super) struct ResolvedProblem<'a> {
    pub(super) problem: &'a Problem,
    pub(super) groups: Vec<Group<'a>>,
    pub(super) instances: Vec<Instance<'a>>,
    pub(super) init: Vec<Fact<'a>>,
    pub(super) goal: Vec<GoalAtom<'a>>,
    /// The quantified variables of the goal, each with whether its category is declared.
    pub(super) variables: Vec<(&'a Variable, bool)>,
    /// The distinct predicates of `:init` and `:goal`, in order of first use.
    pub(super) predicates: Predicates<'a>,
    declared: &'a SymbolTable<'a>,
    /// The synsets of the declared categories, by category index.
    synsets: Vec<Option<SynsetId>>,
    knowledge: Option<&'a Knowledge>,
}

pub(super) type Predicates<'a> = IndexSet<&'a str, FxBuildHasher>;

/// A group of `:objects` that has a category.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) declared: &'a ObjectGroup,
    pub(super) category: &'a Name,
    /// Whether the category has the form of a synset.
    pub(super) is_synset: bool,
    pub(super) synset: Option<SynsetId>,
}

/// A declared instance.
#[derive(Debug)]
pub(super) struct Instance<'a> {
    pub(super) name: &'a Name,
    pub(super) synset: Option<SynsetId>,
    /// The category in the name of the instance; `None` if the name is malformed.
    pub(super) category: Option<&'a str>,
}

/// A literal of `:init`.
#[derive(Debug)]
pub(super) struct Fact<'a> {
    pub(super) literal: &'a Literal,
    predicate: usize,
    pub(super) terms: Terms<'a>,
}

/// An atom of `:goal`.
#[derive(Debug)]
pub(super) struct GoalAtom<'a> {
    pub(super) atom: &'a Atom,
    predicate: usize,
    pub(super) terms: Terms<'a>,
    pub(super) depth: Depth,
}

/// An occurrence of an atom in `:init` or `:goal`.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtomOccurrence<'r, 'a> {
    pub(super) atom: &'a Atom,
    /// The index of the predicate in [`ResolvedProblem::predicates`].
    pub(super) predicate: usize,
    pub(super) terms: &'r [Term<'a>],
}

/// The depth of an atom in the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The atom is a conjunct of the goal.
    Conjunct,
    /// The atom is an operand of an `or` that is a conjunct of the goal.
    Alternative,
    /// The atom is nested deeper.
    Inside,
}

pub(super) type Terms<'a> = SmallVec<[Term<'a>; 2]>;

/// A resolved argument of an atom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) name: &'a Name,
    pub(super) referent: Referent,
    /// The synset of the object that the argument refers to, if known.
    pub(super) synset: Option<SynsetId>,
}

/// The referent of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Referent {
    /// A declared instance, by its index.
    Instance(u32),
    /// A variable of an enclosing quantifier.
    Variable,
    /// A room, as the second argument of `inroom`.
    Room,
    /// Unresolved: the name is not declared.
    Unresolved,
}

impl Term<'_> {
    /// Returns the index of the declared instance that the term refers to, if any.
    pub(super) fn instance(&self) -> Option<usize> {
        match self.referent {
            Referent::Instance(index) => Some(index as usize),
            Referent::Variable | Referent::Room | Referent::Unresolved => None,
        }
    }
}

impl Instance<'_> {
    /// Whether the instance is a wildcard, which stands for all other objects of its category in the scene.
    pub(super) fn is_wildcard(&self) -> bool {
        self.name.text.ends_with(WILDCARD)
    }
}

/// A variable in scope, with the index of the enclosing scope.
struct Scope<'a> {
    variable: &'a Variable,
    around: Option<usize>,
}

impl<'a> ResolvedProblem<'a> {
    pub(super) fn new(declared: &'a SymbolTable<'a>, knowledge: Option<&'a Knowledge>) -> Self {
        let problem = declared.problem;
        let synset = |category: &Category<'_>| knowledge?.taxonomy().synset(category.name);
        let mut resolved = Self {
            problem,
            groups: Vec::with_capacity(problem.objects.len()),
            instances: Vec::with_capacity(declared.instances.len()),
            init: Vec::with_capacity(problem.init.len()),
            goal: Vec::new(),
            variables: Vec::new(),
            predicates: Predicates::with_capacity_and_hasher(USUAL_PREDICATES, FxBuildHasher),
            declared,
            synsets: declared.categories.iter().map(synset).collect(),
            knowledge,
        };
        let proper: Vec<bool> = declared.categories.iter().map(|category| is_synset(category.name)).collect();
        for (group, &place) in problem.objects.iter().zip(&declared.groups) {
            if let Some(category) = &group.category {
                let (is_synset, synset) = (proper[place as usize], resolved.synsets[place as usize]);
                resolved.groups.push(Group { declared: group, category, is_synset, synset });
            }
        }
        for instance in &declared.instances {
            let (name, place) = (instance.name, instance.category as usize);
            let category = declared.categories[place].name;
            let regular = proper[place] && is_named_after(&name.text, category);
            let category = if regular { Some(category) } else { category_of(&name.text) };
            resolved.instances.push(Instance { name, synset: resolved.synsets[place], category });
        }
        for (literal, instances) in declared.init() {
            let is_inroom = *literal.atom.predicate.text == *INROOM;
            let places = literal.atom.arguments.iter().zip(instances);
            let mut terms: Terms<'a> = places.map(|(name, &place)| resolved.constant(name, place)).collect();
            if let Some(room) = terms.get_mut(1).filter(|room| is_inroom && room.referent == Referent::Unresolved) {
                room.referent = Referent::Room;
            }
            let previous = resolved.init.last().map(|fact| fact.predicate);
            let predicate = resolved.predicate(&literal.atom.predicate, previous);
            resolved.init.push(Fact { literal, predicate, terms });
        }
        resolved.collect_goal();
        resolved
    }

    /// Collects the atoms and variables of the goal, in source order.
    fn collect_goal(&mut self) {
        let mut scopes: Vec<Scope<'a>> = Vec::new();
        let mut open: Vec<(&'a Expr, Option<usize>, Depth)> =
            self.problem.goal.iter().rev().map(|conjunct| (conjunct, None, Depth::Conjunct)).collect();
        while let Some((expr, scope, depth)) = open.pop() {
            if let ExprKind::Atom(atom) = &expr.kind {
                let terms = atom.arguments.iter().map(|name| self.term(name, &scopes, scope)).collect();
                let previous = self.goal.last().map(|goal| goal.predicate);
                let predicate = self.predicate(&atom.predicate, previous);
                self.goal.push(GoalAtom { atom, predicate, terms, depth });
                continue;
            }
            let mut around = scope;
            for variable in expr.variables() {
                self.variables.push((variable, self.declared.category(&variable.category.text).is_some()));
                scopes.push(Scope { variable, around });
                around = Some(scopes.len() - 1);
            }
            let alternative = matches!(expr.kind, ExprKind::Or(_)) && depth == Depth::Conjunct;
            let depth = if alternative { Depth::Alternative } else { Depth::Inside };
            open.extend(expr.operands().iter().rev().map(|part| (part, around, depth)));
        }
    }

    /// Returns the index of a predicate. Consecutive atoms often have the same one, `previous`, which saves a lookup.
    fn predicate(&mut self, name: &'a Name, previous: Option<usize>) -> usize {
        let repeated = previous.filter(|&previous| self.predicates[previous] == &*name.text);
        repeated.unwrap_or_else(|| self.predicates.insert_full(&name.text).0)
    }

    fn term(&self, name: &'a Name, scopes: &[Scope<'a>], mut scope: Option<usize>) -> Term<'a> {
        while let Some(Scope { variable, around }) = scope.map(|index| &scopes[index]) {
            if variable.name.text == name.text {
                let category = &*variable.category.text;
                let synset = match self.declared.category(category) {
                    Some(place) => self.synsets[place as usize],
                    None => self.knowledge.and_then(|knowledge| knowledge.taxonomy().synset(category)),
                };
                return Term { name, referent: Referent::Variable, synset };
            }
            scope = *around;
        }
        self.constant(name, self.declared.instance(&name.text))
    }

    /// Resolves a name that is not a variable: to the instance at `place`, if any.
    fn constant(&self, name: &'a Name, place: Option<u32>) -> Term<'a> {
        match place {
            Some(index) => {
                let synset = self.instances[index as usize].synset;
                Term { name, referent: Referent::Instance(index), synset }
            }
            None => Term { name, referent: Referent::Unresolved, synset: None },
        }
    }

    /// Whether a category is declared.
    pub(super) fn has_category(&self, category: &str) -> bool {
        self.declared.category(category).is_some()
    }

    /// Returns all atoms with their resolved arguments: those of `:init`, then those of `:goal`.
    pub(super) fn atoms(&self) -> impl Iterator<Item = AtomOccurrence<'_, 'a>> {
        let init = self.init.iter().map(|fact| (&fact.literal.atom, fact.predicate, &fact.terms));
        let goal = self.goal.iter().map(|goal| (goal.atom, goal.predicate, &goal.terms));
        init.chain(goal).map(|(atom, predicate, terms)| AtomOccurrence { atom, predicate, terms })
    }
}
