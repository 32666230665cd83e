//! Synthesis of mutex groups from invariants of the form "at most one of these atoms holds".
//!
//! A candidate is a set of predicates with parameters. For all values of the parameters, at most one atom of these predicates
//! with these arguments holds; one argument of each predicate may be *counted*, that is, differ between the atoms. Each add
//! effect of an action must be balanced by a delete effect on an atom with the same parameters, and no action may add two such
//! atoms. An unbalanced candidate is refined by adding a predicate that the action deletes (Helmert 2009).

use std::collections::VecDeque;

use goalspec_core::ids::PredicateId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::actions::{ActEffect, ActionBranch, ActionBranches, Atom, Classes};
use super::reachability::ReachableAtoms;
use super::statics::{PredicateKind, TaskAnalysis};

/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 4096;

/// Maximum arity of a predicate in a candidate.
const MAX_ARITY: usize = 8;

/// The work of comparing two effects of an action, apart from its preconditions.
const PAIR_WORK: u64 = 16;

/// A predicate of an invariant, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Part {
    predicate: PredicateId,
    /// For each parameter of the invariant the column of the predicate.
    columns: SmallVec<[u8; 8]>,
}

impl Part {
    /// Returns the parameters of the invariant for a tuple of the predicate.
    fn parameters(&self, tuple: &[u32]) -> SmallVec<[u32; 4]> {
        self.columns.iter().map(|&column| tuple[column as usize]).collect()
    }
}

/// An invariant, or a candidate for one: its parts, one per predicate, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Invariant {
    parts: Vec<Part>,
}

/// The result of checking a candidate.
enum InvariantCheck {
    Holds,
    Fails,
    /// The candidate is unbalanced; these refinements may be balanced.
    Refined(Vec<Invariant>),
}

impl Invariant {
    fn part(&self, predicate: PredicateId) -> Option<&Part> {
        self.parts.iter().find(|part| part.predicate == predicate)
    }

    fn key(&self, atom: &Atom) -> Option<SmallVec<[u32; 4]>> {
        self.part(atom.predicate).map(|part| part.parameters(&atom.terms))
    }

    fn with(&self, part: Part) -> Self {
        let mut parts = self.parts.clone();
        parts.push(part);
        parts.sort_unstable();
        Self { parts }
    }

    fn check(&self, acts: &mut ActionBranches<'_>) -> InvariantCheck {
        let mut threats: Vec<u32> = self.parts.iter().flat_map(|part| acts.adding(part.predicate)).copied().collect();
        threats.sort_unstable();
        threats.dedup();
        for &place in &threats {
            if self.is_too_heavy(acts, place) {
                return InvariantCheck::Fails;
            }
        }
        for place in threats {
            let act = std::rc::Rc::clone(&acts.all[place as usize]);
            for added in act.adds.iter().filter(|added| self.part(added.atom.predicate).is_some()) {
                if !self.is_balanced(acts, place, &act, added) {
                    return InvariantCheck::Refined(self.refinements(&act, added));
                }
            }
        }
        InvariantCheck::Holds
    }

    /// Whether an action can add two atoms with the same parameters at once.
    fn is_too_heavy(&self, acts: &mut ActionBranches<'_>, place: u32) -> bool {
        let act = std::rc::Rc::clone(&acts.all[place as usize]);
        let covered: Vec<&ActEffect> =
            act.adds.iter().filter(|added| self.part(added.atom.predicate).is_some()).collect();
        for (at, first) in covered.iter().enumerate() {
            if !first.own.is_empty() && self.may_add_both(acts, place, &act, first, &first.copy()) {
                return true;
            }
            for second in &covered[at + 1..] {
                if self.may_add_both(acts, place, &act, first, second) {
                    return true;
                }
            }
        }
        false
    }

    fn may_add_both(
        &self,
        acts: &mut ActionBranches<'_>,
        place: u32,
        act: &ActionBranch,
        first: &ActEffect,
        second: &ActEffect,
    ) -> bool {
        acts.work += PAIR_WORK;
        let (Some(left), Some(right)) = (self.key(&first.atom), self.key(&second.atom)) else { return false };
        let mut classes = act.equal.clone();
        for (&left, &right) in left.iter().zip(&right) {
            classes.merge(left, right);
        }
        if !acts.are_possible(place, &classes) || classes.are_same(&first.atom, &second.atom) {
            return false;
        }
        // An atom that already holds is not added.
        let before: Vec<&Atom> = act.precondition.iter().chain(&first.conditions).chain(&second.conditions).collect();
        acts.work += (before.len() * before.len()) as u64;
        let holds = |added: &Atom| before.iter().any(|atom| classes.are_same(atom, added));
        !holds(&first.atom) && !holds(&second.atom) && !self.rules_out(&classes, &before)
    }

    /// Whether the invariant itself implies that the atoms never hold together.
    fn rules_out(&self, classes: &Classes, atoms: &[&Atom]) -> bool {
        atoms.iter().enumerate().any(|(at, left)| {
            atoms[at + 1..].iter().filter(|right| right.predicate != left.predicate).any(|right| {
                let keys = self.key(left).zip(self.key(right));
                keys.is_some_and(|(left, right)| left.iter().zip(&right).all(|(&a, &b)| classes.is_same(a, b)))
            })
        })
    }

    /// Whether an atom with the same parameters is deleted whenever the effect adds its atom.
    fn is_balanced(&self, acts: &mut ActionBranches<'_>, place: u32, act: &ActionBranch, added: &ActEffect) -> bool {
        let before: Vec<&Atom> = act.precondition.iter().chain(&added.conditions).collect();
        if before.iter().any(|atom| act.equal.are_same(atom, &added.atom)) {
            return true;
        }
        acts.work += PAIR_WORK * (1 + act.deletes.len() as u64);
        let Some(wanted) = self.key(&added.atom) else { return true };
        act.deletes.iter().filter(|deleted| self.part(deleted.atom.predicate).is_some()).any(|deleted| {
            act.surely_deleted(deleted, &before).iter().any(|atom| {
                let same = |key: SmallVec<[u32; 4]>| key.iter().zip(&wanted).all(|(&a, &b)| act.equal.is_same(a, b));
                self.key(atom).is_some_and(same) && !self.may_come_back(acts, place, act, added, atom, &before)
            })
        })
    }

    /// Whether another effect can add the deleted atom again.
    fn may_come_back(
        &self,
        acts: &mut ActionBranches<'_>,
        place: u32,
        act: &ActionBranch,
        added: &ActEffect,
        deleted: &Atom,
        before: &[&Atom],
    ) -> bool {
        let others = act.adds.iter().filter(|other| !std::ptr::eq(*other, added));
        others.filter(|other| other.atom.predicate == deleted.predicate).any(|other| {
            let mut classes = act.equal.clone();
            for (&left, &right) in other.atom.terms.iter().zip(&deleted.terms) {
                classes.merge(left, right);
            }
            let holds = before.iter().any(|atom| classes.are_same(atom, &added.atom));
            acts.work += PAIR_WORK + (before.len() * before.len()) as u64;
            !holds && !self.rules_out(&classes, before) && acts.are_possible(place, &classes)
        })
    }

    /// Returns candidates that include an atom deleted by the action.
    fn refinements(&self, act: &ActionBranch, added: &ActEffect) -> Vec<Self> {
        let before: Vec<&Atom> = act.precondition.iter().chain(&added.conditions).collect();
        let Some(key) = self.key(&added.atom) else { return Vec::new() };
        let mut refined = Vec::new();
        for deleted in act.deletes.iter().filter(|deleted| self.part(deleted.atom.predicate).is_none()) {
            for atom in act.surely_deleted(deleted, &before) {
                if atom.terms.len() == key.len() || atom.terms.len() == key.len() + 1 {
                    let mut columns = SmallVec::new();
                    self.match_columns(&act.equal, &key, &atom, &mut columns, &mut refined);
                }
            }
        }
        refined
    }

    /// Enumerates the mappings of parameters to arguments of an atom that leave at most one argument over.
    fn match_columns(
        &self,
        classes: &Classes,
        key: &[u32],
        atom: &Atom,
        columns: &mut SmallVec<[u8; 8]>,
        found: &mut Vec<Self>,
    ) {
        let Some(&term) = key.get(columns.len()) else {
            found.push(self.with(Part { predicate: atom.predicate, columns: columns.clone() }));
            return;
        };
        for (column, &other) in atom.terms.iter().enumerate() {
            if classes.is_same(term, other) && !columns.contains(&(column as u8)) {
                columns.push(column as u8);
                self.match_columns(classes, key, atom, columns, found);
                columns.pop();
            }
        }
    }

    /// Whether the invariant consists of a single fully parameterised atom.
    fn is_trivial(&self, statics: &TaskAnalysis<'_>) -> bool {
        let [only] = &self.parts[..] else { return false };
        only.columns.len() == statics.task.world.predicate(only.predicate).parameters.len()
    }

    /// Appends the mutex groups: for each parameter value with exactly one initial atom, all reachable atoms with these
    /// parameters.
    fn groups(&self, reached: &ReachableAtoms, groups: &mut Vec<Vec<u32>>) {
        let mut weights: FxHashMap<SmallVec<[u32; 4]>, (u32, u32)> = FxHashMap::default();
        let mut order = Vec::new();
        for part in &self.parts {
            for atom in reached.initial_atoms(part.predicate) {
                let key = part.parameters(reached.tuple(part.predicate, atom));
                let place = order.len() as u32;
                let entry = weights.entry(key.clone()).or_insert((0, place));
                entry.0 += 1;
                if entry.1 == place {
                    order.push(key);
                }
            }
        }
        let first = groups.len();
        groups.resize(first + order.len(), Vec::new());
        for part in &self.parts {
            for atom in reached.atoms_of(part.predicate) {
                let key = part.parameters(reached.tuple(part.predicate, atom));
                if let Some(&(1, place)) = weights.get(&key) {
                    groups[first + place as usize].push(atom);
                }
            }
        }
    }
}

/// Returns the mutex groups with at least two atoms, sorted and without duplicates.
pub(super) fn groups(
    statics: &TaskAnalysis<'_>,
    reached: &ReachableAtoms,
    acts: &mut ActionBranches<'_>,
    max_work: u64,
) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    for invariant in find(statics, acts, max_work) {
        invariant.groups(reached, &mut groups);
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_unstable();
    groups.dedup();
    groups
}

fn find(statics: &TaskAnalysis<'_>, acts: &mut ActionBranches<'_>, max_work: u64) -> Vec<Invariant> {
    let mut candidates = VecDeque::new();
    for (place, decl) in statics.task.world.predicates().iter().enumerate() {
        let (predicate, arity) = (PredicateId::from(place), decl.parameters.len() as u8);
        if statics.kind(predicate) != PredicateKind::Fluent || decl.parameters.len() > MAX_ARITY {
            continue;
        }
        candidates.push_back(Invariant { parts: vec![Part { predicate, columns: (0..arity).collect() }] });
        for counted in 0..arity {
            let columns = (0..arity).filter(|&column| column != counted).collect();
            candidates.push_back(Invariant { parts: vec![Part { predicate, columns }] });
        }
    }
    let mut seen: FxHashSet<Invariant> = candidates.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(candidate) = candidates.pop_front() {
        if acts.work >= max_work {
            break;
        }
        match candidate.check(acts) {
            InvariantCheck::Holds => {
                if !candidate.is_trivial(statics) {
                    found.push(candidate);
                }
            }
            InvariantCheck::Fails => {}
            InvariantCheck::Refined(refined) => {
                for refined in refined {
                    if seen.len() < MAX_CANDIDATES && seen.insert(refined.clone()) {
                        candidates.push_back(refined);
                    }
                }
            }
        }
    }
    found
}
