//! A goal with its quantifiers taken apart over the objects of the problem.
//!
//! The tree keeps the operators that were written, so that options can be listed as the releases list them; what each
//! operator means is decided by the [`Dialect`](crate::Dialect) that reads it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use goalspec_core::condition::Origin;
use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::ast::{Atom, Expr, ExprKind, Name, Problem, Variable};
use crate::knowledge::tables::Rows;
use crate::names::Declared;

/// Most nodes of one ground goal.
pub const MAX_NODES: usize = 1 << 20;

/// Deepest nesting of a goal that is taken apart: what the reader lets through.
pub const MAX_DEPTH: usize = goalspec_syntax::limits::MAX_DEPTH;

/// A predicate of instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundAtom {
    /// The predicate.
    pub predicate: Arc<str>,
    /// The instances.
    pub arguments: SmallVec<[Arc<str>; 2]>,
}

impl Hash for GroundAtom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_names(&self.predicate, self.arguments.iter().map(|argument| &**argument), state);
    }
}

/// An atom of the text as a key for ground atoms.
struct Written<'a>(&'a Atom);

impl Hash for Written<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_names(&self.0.predicate.text, self.0.arguments.iter().map(|argument| &*argument.text), state);
    }
}

impl Equivalent<GroundAtom> for Written<'_> {
    fn equivalent(&self, key: &GroundAtom) -> bool {
        let (predicate, arguments) = (&self.0.predicate, &self.0.arguments);
        predicate.text == key.predicate && arguments.iter().map(|argument| &argument.text).eq(&key.arguments)
    }
}

fn hash_names<'n, H: Hasher>(predicate: &str, arguments: impl Iterator<Item = &'n str>, state: &mut H) {
    predicate.hash(state);
    arguments.for_each(|argument| argument.hash(state));
}

/// Ground atoms in the order of their ids.
pub type Atoms = IndexSet<GroundAtom, FxBuildHasher>;

/// An atom of a [`GroundGoal`], by its place in [`GroundGoal::atoms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A goal over ground atoms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroundGoal {
    /// Every atom that the goal mentions, in order of first mention.
    pub atoms: Atoms,
    /// The conjuncts, as in [`Problem::goal`].
    pub conjuncts: Vec<Node>,
}

/// A condition over ground atoms.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An atom.
    Atom(AtomId),
    /// Negation.
    Not(Box<Node>),
    /// `and`.
    And(Vec<Node>),
    /// `or`.
    Or(Vec<Node>),
    /// `imply`.
    Imply(Box<[Node; 2]>),
    /// `forall`: one part for each instance of its category, in order of declaration.
    Forall(Vec<Node>),
    /// `exists`, likewise.
    Exists(Vec<Node>),
    /// `forn`, likewise.
    ForN(u32, Vec<Node>),
    /// `forpairs` and `fornpairs`.
    ForPairs(Pairs),
}

/// The matrix of `forpairs` and `fornpairs`: a row for each left instance, in it a cell for each right instance that is
/// another one.
///
/// With one category on both sides a row has one cell fewer than there are instances, and cells below one another may be of
/// different instances: the releases count columns by place, so [`Pairing::Covering`](crate::dialect::Pairing) does too;
/// [`Pairing::Matching`](crate::dialect::Pairing) goes by [`Cell::right`].
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// How many pairs are asked for; none: as many as the smaller side has.
    pub amount: Option<u32>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What is to hold of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Which of the right instances it is about, in order of declaration.
    pub right: u32,
    /// What is to hold.
    pub node: Node,
}

impl Pairs {
    /// How many columns there are, by place.
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// How many pairs are asked for.
    pub fn required(&self) -> usize {
        self.amount.map_or_else(|| self.rows.len().min(self.columns()), |amount| amount as usize)
    }
}

/// Why a goal cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundError {
    /// What is wrong.
    pub kind: GroundErrorKind,
    /// Where.
    pub origin: Origin,
}

/// What keeps a goal from being taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroundErrorKind {
    /// A term names no object and no variable.
    UnknownObject(Arc<str>),
    /// A quantifier ranges over a category without a declaration.
    UnknownCategory(Arc<str>),
    /// The goal nests deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The goal has more than [`MAX_NODES`] nodes.
    TooLarge,
}

impl std::fmt::Display for GroundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            GroundErrorKind::UnknownObject(name) => write!(f, "`{name}` is neither an object nor a variable"),
            GroundErrorKind::UnknownCategory(name) => write!(f, "no object of category `{name}` is declared"),
            GroundErrorKind::TooDeep => write!(
                f,
                "the goal is nested more than {MAX_DEPTH} deep, which no option lifts: nest less deeply, or split the goal"
            ),
            GroundErrorKind::TooLarge => write!(
                f,
                "taken apart, the goal has more than {MAX_NODES} parts, a limit that no option lifts: split the goal, or bind fewer \
                 variables at once"
            ),
        }
    }
}

impl std::error::Error for GroundError {}

impl GroundGoal {
    /// Takes the goal of a problem apart. A quantifier ranges over the declared instances of exactly its category.
    ///
    /// # Errors
    /// The first one in the order of the text; the goal of a problem that was read without errors has none except for its
    /// size.
    pub fn new(problem: &Problem) -> Result<Self, GroundError> {
        Ok(Outline::of(&Declared::of(problem))?.named())
    }

    /// The atom with this id.
    ///
    /// # Panics
    /// If the id is of another goal.
    pub fn atom(&self, id: AtomId) -> &GroundAtom {
        &self.atoms[id.index()]
    }

    /// Which atoms hold at the start, by [`AtomId`]: those that `(:init ..)` says, no others. Of two literals about one atom
    /// the later one counts.
    pub fn initial_state(&self, problem: &Problem) -> Vec<bool> {
        let mut state = vec![false; self.atoms.len()];
        for literal in &problem.init {
            if let Some(place) = self.atoms.get_index_of(&Written(&literal.atom)) {
                state[place] = literal.positive;
            }
        }
        state
    }
}

/// A goal taken apart whose atoms have no names yet, which takes far less.
pub(crate) struct Outline<'a> {
    /// The conjuncts, as in [`Problem::goal`].
    pub(crate) conjuncts: Vec<Node>,
    objects: Objects<'a>,
    atoms: Keys<'a>,
}

impl<'a> Outline<'a> {
    /// As [`GroundGoal::new`].
    pub(crate) fn of(declared: &'a Declared<'a>) -> Result<Self, GroundError> {
        let objects = Objects::of(declared);
        let (variables, atoms) = (Vec::new(), Keys::default());
        let mut builder = Builder { objects: &objects, variables, atoms, nodes: 0, depth: 0 };
        let mut conjuncts = Vec::with_capacity(declared.problem.goal.len());
        for expr in &declared.problem.goal {
            conjuncts.push(builder.node(expr)?);
        }
        let atoms = builder.atoms;
        Ok(Self { conjuncts, objects, atoms })
    }

    /// As [`GroundGoal::initial_state`].
    pub(crate) fn initial_state(&self) -> Vec<bool> {
        let mut state = vec![false; self.atoms.keys.len()];
        for (literal, instances) in self.objects.declared.init() {
            if let Some(place) = self.place(&literal.atom, instances) {
                state[place] = literal.positive;
            }
        }
        state
    }

    /// Which atom of the goal an atom is whose arguments name these instances.
    fn place(&self, atom: &Atom, instances: &[Option<u32>]) -> Option<usize> {
        let predicate = self.atoms.predicates.get_index_of(&atom.predicate.text)? as u32;
        let arguments = instances.iter().copied().collect::<Option<_>>()?;
        self.atoms.keys.get_index_of(&Key { predicate, arguments })
    }

    /// The goal, with names.
    fn named(self) -> GroundGoal {
        let Self { conjuncts, objects, atoms: Keys { predicates, keys } } = self;
        let named = |Key { predicate, arguments }: Key| GroundAtom {
            predicate: predicates[predicate as usize].clone(),
            arguments: arguments.iter().map(|&place| objects.name(place).clone()).collect(),
        };
        GroundGoal { atoms: keys.into_iter().map(named).collect(), conjuncts }
    }
}

/// Ground atoms without names.
#[derive(Default)]
struct Keys<'a> {
    predicates: IndexSet<&'a Arc<str>, FxBuildHasher>,
    /// In the order of their ids.
    keys: IndexSet<Key, FxBuildHasher>,
}

/// A ground atom: the place of its predicate, and those of its instances, as [`Objects`] has them.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    predicate: u32,
    arguments: SmallVec<[u32; 2]>,
}

/// What terms and quantifiers may name: instances, by their places among the declared ones.
struct Objects<'a> {
    declared: &'a Declared<'a>,
    /// The instances of each category, in order of declaration.
    members: Rows<u32>,
}

impl<'a> Objects<'a> {
    fn of(declared: &'a Declared<'a>) -> Self {
        let first = declared.instances.iter().zip(0..).map(|(instance, place)| (instance.category, place));
        let again = declared.again.iter().map(|again| (again.category, again.instance));
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(declared.instances.len() + declared.again.len());
        members.extend(first);
        if !declared.again.is_empty() {
            members.extend(again);
            members.sort_unstable();
            members.dedup();
        }
        Self { declared, members: Rows::new(declared.categories.len(), &members) }
    }

    /// The places of the instances of a category.
    fn members(&self, category: &Name) -> Result<&[u32], GroundError> {
        let place = self.declared.category(&category.text).ok_or_else(|| GroundError {
            kind: GroundErrorKind::UnknownCategory(category.text.clone()),
            origin: category.origin,
        })?;
        Ok(self.members.row(place as usize))
    }

    /// The name of the instance in a place.
    fn name(&self, place: u32) -> &Arc<str> {
        &self.declared.instances[place as usize].name.text
    }
}

/// A goal that is being taken apart.
struct Builder<'o, 'a> {
    objects: &'o Objects<'a>,
    /// The variables around, innermost last, with the instance that each stands for.
    variables: Vec<(&'a Arc<str>, u32)>,
    atoms: Keys<'a>,
    nodes: usize,
    depth: usize,
}

impl<'o, 'a> Builder<'o, 'a> {
    fn node(&mut self, expr: &'a Expr) -> Result<Node, GroundError> {
        let refuse = |kind| Err(GroundError { kind, origin: expr.origin });
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return refuse(GroundErrorKind::TooLarge);
        }
        if self.depth >= MAX_DEPTH {
            return refuse(GroundErrorKind::TooDeep);
        }
        self.depth += 1;
        let node = match &expr.kind {
            ExprKind::Atom(atom) => Node::Atom(self.atom(atom)?),
            ExprKind::Not(part) => Node::Not(Box::new(self.node(part)?)),
            ExprKind::And(parts) => Node::And(self.all(parts)?),
            ExprKind::Or(parts) => Node::Or(self.all(parts)?),
            ExprKind::Imply(parts) => Node::Imply(Box::new([self.node(&parts[0])?, self.node(&parts[1])?])),
            ExprKind::Forall(variable, body) => Node::Forall(self.each(variable, body)?),
            ExprKind::Exists(variable, body) => Node::Exists(self.each(variable, body)?),
            ExprKind::ForN { amount, variable, body } => Node::ForN(*amount, self.each(variable, body)?),
            ExprKind::ForPairs { amount, left, right, body } => {
                Node::ForPairs(Pairs { amount: *amount, rows: self.pairs(left, right, body)? })
            }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn all(&mut self, parts: &'a [Expr]) -> Result<Vec<Node>, GroundError> {
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            nodes.push(self.node(part)?);
        }
        Ok(nodes)
    }

    fn atom(&mut self, atom: &'a Atom) -> Result<AtomId, GroundError> {
        let arguments = atom.arguments.iter().map(|term| self.term(term)).collect::<Result<_, _>>()?;
        let predicate = self.atoms.predicates.insert_full(&atom.predicate.text).0 as u32;
        Ok(AtomId(self.atoms.keys.insert_full(Key { predicate, arguments }).0 as u32))
    }

    fn term(&self, term: &Name) -> Result<u32, GroundError> {
        let bound = self.variables.iter().rev().find(|(variable, _)| **variable == term.text);
        bound
            .map(|&(_, instance)| instance)
            .or_else(|| self.objects.declared.instance(&term.text))
            .ok_or_else(|| GroundError { kind: GroundErrorKind::UnknownObject(term.text.clone()), origin: term.origin })
    }

    /// One part for each instance of the variable's category.
    fn each(&mut self, variable: &'a Variable, body: &'a Expr) -> Result<Vec<Node>, GroundError> {
        let members = self.objects.members(&variable.category)?;
        let mut parts = Vec::with_capacity(members.len());
        for &instance in members {
            parts.push(self.bound(variable, instance, |builder| builder.node(body))?);
        }
        Ok(parts)
    }

    fn pairs(
        &mut self,
        left: &'a Variable,
        right: &'a Variable,
        body: &'a Expr,
    ) -> Result<Vec<Vec<Cell>>, GroundError> {
        let objects: &'o Objects<'a> = self.objects;
        let (lefts, rights) = (objects.members(&left.category)?, objects.members(&right.category)?);
        let mut rows = Vec::with_capacity(lefts.len());
        for &instance in lefts {
            rows.push(self.bound(left, instance, |builder| {
                let others = rights.iter().enumerate().filter(|(_, other)| **other != instance);
                let cell = |(place, &other): (usize, &u32)| {
                    let node = builder.bound(right, other, |builder| builder.node(body))?;
                    Ok(Cell { right: place as u32, node })
                };
                others.map(cell).collect::<Result<Vec<_>, _>>()
            })?);
        }
        Ok(rows)
    }

    fn bound<T>(&mut self, variable: &'a Variable, instance: u32, then: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push((&variable.name.text, instance));
        let result = then(self);
        self.variables.pop();
        result
    }
}
