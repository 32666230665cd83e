//! Actions as seen by invariant synthesis: add and delete effects, and equalities between variables.

use std::rc::Rc;

use goalspec_core::ids::PredicateId;
use smallvec::SmallVec;

use super::reachability::ReachableAtoms;
use super::schema::{Branch, Domains, Filter, Head, LiftedEffect, Pattern, Schema, Slot};
use super::statics::{PredicateKind, TaskAnalysis};

/// Terms from this value on are objects, smaller terms are variables.
const OBJECTS: u32 = 1 << 31;

/// An atom over terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Atom {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// The arguments.
    pub(super) terms: SmallVec<[u32; 4]>,
}

impl Atom {
    fn with(&self, term: &impl Fn(u32) -> u32) -> Self {
        Self { predicate: self.predicate, terms: self.terms.iter().map(|&of| term(of)).collect() }
    }
}

/// An equivalence relation on terms.
#[derive(Debug, Clone, Default)]
pub(super) struct Classes {
    /// Terms with the representative of their class. Representatives have no entry.
    same: SmallVec<[(u32, u32); 8]>,
}

impl Classes {
    fn root(&self, term: u32) -> u32 {
        self.same.iter().find(|(of, _)| *of == term).map_or(term, |(_, root)| *root)
    }

    /// Merges the classes of two terms.
    pub(super) fn merge(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        if left != right {
            // Objects remain representatives, so a class with two objects is detected.
            let (from, to) = if left >= OBJECTS { (right, left) } else { (left, right) };
            self.same.iter_mut().filter(|(_, root)| *root == from).for_each(|(_, root)| *root = to);
            self.same.push((from, to));
        }
    }

    /// Whether two terms are equal.
    pub(super) fn is_same(&self, left: u32, right: u32) -> bool {
        self.root(left) == self.root(right)
    }

    /// Whether two atoms are equal.
    pub(super) fn are_same(&self, left: &Atom, right: &Atom) -> bool {
        left.predicate == right.predicate
            && left.terms.iter().zip(&right.terms).all(|(&left, &right)| self.is_same(left, right))
    }
}

/// An add or delete effect.
#[derive(Debug, Clone)]
pub(super) struct ActEffect {
    /// The atom.
    pub(super) atom: Atom,
    /// The atoms that the effect conditions require.
    pub(super) conditions: Vec<Atom>,
    /// The universally quantified variables of the effect.
    pub(super) own: std::ops::Range<u32>,
    /// Whether the condition is exactly [`conditions`](Self::conditions).
    is_complete: bool,
}

impl ActEffect {
    /// Returns a copy with fresh quantified variables.
    pub(super) fn copy(&self) -> Self {
        let count = self.own.end - self.own.start;
        let other = |term: u32| if self.own.contains(&term) { term + count } else { term };
        let conditions = self.conditions.iter().map(|atom| atom.with(&other)).collect();
        let own = self.own.end..self.own.end + count;
        Self { atom: self.atom.with(&other), conditions, own, is_complete: self.is_complete }
    }
}

/// A branch of an action schema.
#[derive(Debug)]
pub(super) struct ActionBranch {
    schema: usize,
    branch: usize,
    /// The domains of the variables.
    domains: Vec<u32>,
    /// The number of schema variables; all further variables belong to effects.
    variables: usize,
    /// The equalities required by the precondition.
    pub(super) equal: Classes,
    different: Vec<(u32, u32)>,
    /// The atoms that the precondition requires.
    pub(super) precondition: Vec<Atom>,
    /// The add effects.
    pub(super) adds: Vec<ActEffect>,
    /// The delete effects.
    pub(super) deletes: Vec<ActEffect>,
}

/// All branches of action schemas.
pub(super) struct ActionBranches<'a> {
    /// The branches with reachable instances.
    pub(super) all: Vec<Rc<ActionBranch>>,
    /// For each predicate the branches that add it.
    adding: Vec<Vec<u32>>,
    reached: &'a ReachableAtoms,
    domains: &'a Domains,
    /// For each branch and pair of variables, whether they differ in all instances.
    different: rustc_hash::FxHashMap<(u32, u32, u32), bool>,
    /// The work of invariant synthesis so far, in the units of [`goalspec_core::work`].
    pub(super) work: u64,
}

impl<'a> ActionBranches<'a> {
    /// Collects the branches of the schemas of a task.
    pub(super) fn new(
        statics: &TaskAnalysis<'_>,
        schemas: &[Schema<'_>],
        reached: &'a ReachableAtoms,
        domains: &'a Domains,
    ) -> Self {
        let mut all: Vec<Rc<ActionBranch>> = Vec::new();
        let mut adding = vec![Vec::new(); statics.task.world.predicates().len()];
        for (place, schema) in schemas.iter().enumerate() {
            for (at, branch) in schema.branches.iter().enumerate() {
                if matches!(schema.head, Head::Action(_)) && reached.instances(place, at).len() > 0 {
                    let act = ActionBranch::of(statics, schema, branch, (place, at));
                    for added in &act.adds {
                        let list: &mut Vec<u32> = &mut adding[added.atom.predicate.index()];
                        if list.last() != Some(&(all.len() as u32)) {
                            list.push(all.len() as u32);
                        }
                    }
                    all.push(Rc::new(act));
                }
            }
        }
        Self { all, adding, reached, domains, different: rustc_hash::FxHashMap::default(), work: 0 }
    }

    /// Returns the branches that add atoms of a predicate.
    pub(super) fn adding(&self, predicate: PredicateId) -> &[u32] {
        &self.adding[predicate.index()]
    }

    /// Whether an instance of a branch can satisfy the equalities.
    pub(super) fn are_possible(&mut self, place: u32, classes: &Classes) -> bool {
        let act = Rc::clone(&self.all[place as usize]);
        for (at, &(left, root)) in classes.same.iter().enumerate() {
            if !self.may_be_same(place, &act, left, root) {
                return false;
            }
            for &(right, other) in &classes.same[at + 1..] {
                if root == other && !self.may_be_same(place, &act, left, right) {
                    return false;
                }
            }
        }
        true
    }

    fn may_be_same(&mut self, place: u32, act: &ActionBranch, left: u32, right: u32) -> bool {
        let (left, right) = (left.min(right), left.max(right));
        if act.different.contains(&(left, right)) {
            return false;
        }
        if left >= OBJECTS {
            return left == right;
        }
        let domain = self.domains.get(act.domains[left as usize]);
        if right >= OBJECTS {
            return domain.set.contains((right - OBJECTS) as usize);
        }
        if right as usize >= act.variables {
            return !domain.set.is_disjoint(&self.domains.get(act.domains[right as usize]).set);
        }
        let (reached, work) = (self.reached, &mut self.work);
        !*self.different.entry((place, left, right)).or_insert_with(|| {
            let mut tuples = reached.instances(act.schema, act.branch).tuples().inspect(|_| *work += 1);
            tuples.all(|tuple| tuple[left as usize] != tuple[right as usize])
        })
    }
}

impl ActionBranch {
    fn of(statics: &TaskAnalysis<'_>, schema: &Schema<'_>, branch: &Branch<'_>, (place, at): (usize, usize)) -> Self {
        let variables = branch.variables.len();
        let mut act = Self {
            schema: place,
            branch: at,
            domains: branch.variables.clone(),
            variables,
            equal: Classes::default(),
            different: Vec::new(),
            precondition: atoms(statics, &branch.body.atoms, &|variable| variable),
            adds: Vec::new(),
            deletes: Vec::new(),
        };
        for filter in &branch.body.filters {
            if let Filter::Same { equal, sides } = filter {
                let [left, right] = sides.map(|slot| term(slot, &|variable| variable));
                if *equal {
                    act.equal.merge(left, right);
                } else {
                    act.different.push((left.min(right), left.max(right)));
                }
            }
        }
        for effect in &schema.effects {
            let made = act.effect(statics, schema.parameters, effect);
            if effect.adds {
                act.adds.push(made);
            } else {
                act.deletes.push(made);
            }
            // The quantified variables have a second copy, which serves to compare the effect with itself.
            let own = &effect.variables[schema.parameters..];
            act.domains.extend_from_slice(own);
        }
        act
    }

    fn effect(&mut self, statics: &TaskAnalysis<'_>, parameters: usize, effect: &LiftedEffect<'_>) -> ActEffect {
        let start = self.domains.len() as u32;
        self.domains.extend_from_slice(&effect.variables[parameters..]);
        let own = start..self.domains.len() as u32;
        let place = |variable: u32| match (variable as usize).checked_sub(parameters) {
            None => variable,
            Some(at) => start + at as u32,
        };
        let body = &effect.body;
        let conditions = atoms(statics, &body.atoms, &place);
        let is_complete = conditions.len() == body.atoms.len()
            && body.negative.is_empty()
            && body.filters.is_empty()
            && body.unexpanded.is_empty();
        ActEffect { atom: atom(&effect.atom, &place), conditions, own, is_complete }
    }

    /// Returns the atoms that a delete effect deletes with certainty, given atoms that hold before.
    pub(super) fn surely_deleted(&self, deleted: &ActEffect, before: &[&Atom]) -> Vec<Atom> {
        let mut found = Vec::new();
        if !deleted.is_complete {
            return found;
        }
        for holds in before.iter().filter(|holds| holds.predicate == deleted.atom.predicate) {
            let mut own: SmallVec<[Option<u32>; 4]> = SmallVec::from_elem(None, deleted.own.len());
            let fits = deleted.atom.terms.iter().zip(&holds.terms).all(|(&term, &value)| {
                if !deleted.own.contains(&term) {
                    return self.equal.is_same(term, value);
                }
                let slot = &mut own[(term - deleted.own.start) as usize];
                self.equal.is_same(*slot.get_or_insert(value), value)
            });
            let bound = |term: u32| {
                if !deleted.own.contains(&term) {
                    return term;
                }
                own[(term - deleted.own.start) as usize].unwrap_or(term)
            };
            let implied = |condition: &Atom| {
                let condition = condition.with(&bound);
                before.iter().any(|holds| self.equal.are_same(holds, &condition))
            };
            if fits && deleted.conditions.iter().all(implied) {
                found.push(deleted.atom.with(&bound));
            }
        }
        found
    }
}

/// Returns the atoms of fluent predicates.
fn atoms(statics: &TaskAnalysis<'_>, patterns: &[Pattern], place: &impl Fn(u32) -> u32) -> Vec<Atom> {
    let changing = patterns.iter().filter(|pattern| statics.kind(pattern.predicate) == PredicateKind::Fluent);
    changing.map(|pattern| atom(pattern, place)).collect()
}

fn atom(pattern: &Pattern, place: &impl Fn(u32) -> u32) -> Atom {
    Atom { predicate: pattern.predicate, terms: pattern.slots.iter().map(|&slot| term(slot, place)).collect() }
}

fn term(slot: Slot, place: &impl Fn(u32) -> u32) -> u32 {
    match slot {
        Slot::Variable(variable) => place(variable),
        Slot::Object(object) => OBJECTS + object,
    }
}
