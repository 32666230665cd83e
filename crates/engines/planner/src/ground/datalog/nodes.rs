//! Computation of join states.

use std::cell::Cell;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::super::schema::Slot;
use super::{Evaluation, RuleAtom};

const NO_NODE: u32 = u32::MAX;

/// A join state: the continuation of a rule after a set of its atoms has been joined.
#[derive(Debug)]
pub(super) struct Node {
    /// The atoms joined after the checks succeed.
    pub(super) done: FixedBitSet,
    /// The atoms whose columns are all bound.
    pub(super) checks: Vec<Lookup>,
    /// The remaining atoms.
    pub(super) steps: Vec<JoinStep>,
    /// The variables bound by the joined atoms.
    pub(super) bound: FixedBitSet,
    /// The variables that no atom binds, each with the filters that become evaluable with it. Only computed if no atoms remain.
    pub(super) unbound: Vec<(u32, Vec<u32>)>,
}

/// A lookup of an atom whose columns are all bound.
#[derive(Debug)]
pub(super) struct Lookup {
    pub(super) atom: u32,
    /// Whether the triggering tuple is excluded.
    pub(super) before: bool,
}

/// A join with an atom.
#[derive(Debug)]
pub(super) struct JoinStep {
    pub(super) atom: u32,
    /// The index on its bound columns; `None` if no column is bound.
    pub(super) index: Option<u32>,
    /// The bound columns.
    pub(super) bound: SmallVec<[u8; 4]>,
    /// Whether the triggering tuple is excluded.
    pub(super) before: bool,
    /// The bindings by the other columns.
    pub(super) binds: TupleBinding,
    /// The next node, once computed.
    pub(super) next: Cell<u32>,
}

/// The variable bindings by a tuple.
#[derive(Debug, Default)]
pub(super) struct TupleBinding {
    /// The columns that bind variables.
    pub(super) variables: SmallVec<[(u8, u32); 4]>,
    /// Columns that must be equal.
    pub(super) equal: SmallVec<[(u8, u8); 2]>,
    /// The filters that become evaluable.
    pub(super) filters: SmallVec<[u32; 4]>,
}

/// The bindings by a triggering tuple, and the next node.
pub(super) type Root = Rc<(TupleBinding, u32)>;

impl Evaluation<'_, '_> {
    /// Returns the bindings and the first node of a triggering atom.
    pub(super) fn root(&mut self, rule: u32, atom: usize) -> Root {
        if let Some(root) = &self.roots[rule as usize][atom] {
            return Rc::clone(root);
        }
        let of = &self.rules[rule as usize];
        let nothing = FixedBitSet::with_capacity(of.variables.len());
        let mut binds = self.binds(rule, atom, &nothing);
        binds.filters.extend(self.filters_closed(rule, &nothing, None));
        let mut done = FixedBitSet::with_capacity(of.atoms.len());
        done.insert(atom);
        let root = Rc::new((binds, self.node(rule, Some(atom as u32), done)));
        self.roots[rule as usize][atom] = Some(Rc::clone(&root));
        root
    }

    /// Returns the node after a step.
    pub(super) fn next(&mut self, rule: u32, trigger: Option<u32>, node: &Node, step: &JoinStep) -> u32 {
        if step.next.get() == NO_NODE {
            let mut done = node.done.clone();
            done.insert(step.atom as usize);
            step.next.set(self.node(rule, trigger, done));
        }
        step.next.get()
    }

    /// Returns the node of a set of joined atoms.
    pub(super) fn node(&mut self, rule: u32, trigger: Option<u32>, mut done: FixedBitSet) -> u32 {
        let key = (rule, trigger.unwrap_or(u32::MAX), done.clone());
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let of = &self.rules[rule as usize];
        let mut bound = FixedBitSet::with_capacity(of.variables.len());
        for atom in done.ones() {
            bound.extend(variables(&of.atoms[atom]));
        }
        // A tuple that matches several atoms is joined with itself only when it triggers the first of them.
        let before = |atom: usize| {
            trigger.is_some_and(|trigger| {
                atom < trigger as usize && of.atoms[atom].relation == of.atoms[trigger as usize].relation
            })
        };
        let is_bound = |atom: usize| variables(&of.atoms[atom]).all(|variable| bound.contains(variable));
        let (checked, left): (Vec<usize>, Vec<usize>) =
            (0..of.atoms.len()).filter(|&atom| !done.contains(atom)).partition(|&atom| is_bound(atom));
        let checks = checked.iter().map(|&atom| Lookup { atom: atom as u32, before: before(atom) }).collect();
        let steps: Vec<JoinStep> = left.iter().map(|&atom| self.step(rule, atom, &bound, before(atom))).collect();
        let unbound = if steps.is_empty() { self.unbound(rule, bound.clone()) } else { Vec::new() };
        done.extend(checked);
        let place = self.nodes.len() as u32;
        self.nodes.push(Rc::new(Node { done, checks, steps, bound, unbound }));
        self.places.insert(key, place);
        place
    }

    fn step(&mut self, rule: u32, atom: usize, bound: &FixedBitSet, before: bool) -> JoinStep {
        let of = &self.rules[rule as usize].atoms[atom];
        let is_bound = |slot: &Slot| match slot {
            Slot::Variable(variable) => bound.contains(*variable as usize),
            Slot::Object(_) => true,
        };
        let columns = of.slots.iter().enumerate().filter(|(_, slot)| is_bound(slot));
        let columns: SmallVec<[u8; 4]> = columns.map(|(column, _)| column as u8).collect();
        let keys = self.database.keys;
        let relation = &mut self.database.relations[of.relation as usize];
        let index = (!columns.is_empty()).then(|| relation.index_by(keys, &columns));
        let binds = self.binds(rule, atom, bound);
        JoinStep { atom: atom as u32, index, bound: columns, before, binds, next: Cell::new(NO_NODE) }
    }

    /// Returns the bindings by the unbound variables of an atom.
    fn binds(&self, rule: u32, atom: usize, bound: &FixedBitSet) -> TupleBinding {
        let of = &self.rules[rule as usize].atoms[atom];
        let mut binds = TupleBinding::default();
        let mut now = bound.clone();
        for (column, slot) in of.slots.iter().enumerate() {
            let Slot::Variable(variable) = *slot else { continue };
            if bound.contains(variable as usize) {
                continue;
            }
            if now.put(variable as usize) {
                let first = of.slots.iter().position(|other| other == slot).unwrap_or(column);
                binds.equal.push((first as u8, column as u8));
            } else {
                binds.variables.push((column as u8, variable));
            }
        }
        binds.filters = self.filters_closed(rule, &now, Some(bound));
        binds
    }

    /// Returns the filters whose variables are all bound, except those evaluable before.
    pub(super) fn filters_closed(
        &self,
        rule: u32,
        bound: &FixedBitSet,
        before: Option<&FixedBitSet>,
    ) -> SmallVec<[u32; 4]> {
        let mut closed = SmallVec::new();
        for (place, filter) in self.rules[rule as usize].filters.iter().enumerate() {
            let variables = filter.variables();
            let all = |set: &FixedBitSet| variables.iter().all(|&variable| set.contains(variable as usize));
            if all(bound) && !before.is_some_and(all) {
                closed.push(place as u32);
            }
        }
        closed
    }

    /// Returns the unbound variables, each with the filters that become evaluable with it.
    fn unbound(&self, rule: u32, mut bound: FixedBitSet) -> Vec<(u32, Vec<u32>)> {
        let mut unbound = Vec::new();
        for variable in 0..self.rules[rule as usize].variables.len() {
            if !bound.contains(variable) {
                let before = bound.clone();
                bound.insert(variable);
                let filters = self.filters_closed(rule, &bound, Some(&before));
                unbound.push((variable as u32, filters.into_vec()));
            }
        }
        unbound
    }
}

fn variables(atom: &RuleAtom) -> impl Iterator<Item = usize> {
    atom.slots.iter().filter_map(|slot| match slot {
        Slot::Variable(variable) => Some(*variable as usize),
        Slot::Object(_) => None,
    })
}
