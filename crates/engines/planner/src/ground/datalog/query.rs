//! Queries: the bindings of a rule by the tuples of a database.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Evaluation, Node};
use crate::ground::relation::NO_ROW;

/// The answer of a visitor to a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ground) enum QueryAnswer {
    /// The binding counts. Other bindings with the same essential variables are not visited.
    Accepted,
    /// The binding does not count.
    Rejected,
}

/// A query of the bindings of a rule that differ in essential variables; the others only have to exist.
pub(in crate::ground) struct Query<'q> {
    /// The rule, by index.
    pub(in crate::ground) rule: u32,
    /// The essential variables.
    pub(in crate::ground) essential: &'q FixedBitSet,
    /// The visitor of bindings.
    pub(in crate::ground) visit: &'q mut dyn FnMut(&[u32]) -> QueryAnswer,
    /// The objects of the essential variables in bindings accepted so far.
    pub(in crate::ground) accepted: FxHashSet<SmallVec<[u32; 8]>>,
    /// The number of joins so far.
    pub(in crate::ground) joins: u64,
    /// The maximum number of joins; the query stops when it is reached.
    pub(in crate::ground) max_joins: u64,
}

/// The result of a part of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    Binding,
    Stop,
}

impl Query<'_> {
    fn projection(&self, binding: &[u32]) -> SmallVec<[u32; 8]> {
        self.essential.ones().map(|variable| binding[variable]).collect()
    }
}

impl Evaluation<'_, '_> {
    /// Replaces the tuples of a relation and marks them as seen.
    pub(in crate::ground) fn load<'t>(&mut self, relation: u32, tuples: impl Iterator<Item = &'t [u32]>) {
        let keys = self.database.keys;
        let relation = &mut self.database.relations[relation as usize];
        relation.clear();
        for tuple in tuples {
            relation.add(keys, tuple);
        }
        relation.see_all(keys);
    }

    /// Visits bindings of a rule. Returns whether the query was not stopped.
    pub(in crate::ground) fn query(&mut self, query: &mut Query<'_>) -> bool {
        let rule = &self.rules[query.rule as usize];
        self.trigger = (u32::MAX, NO_ROW);
        self.binding.clear();
        self.binding.resize(rule.variables.len(), 0);
        let nothing = FixedBitSet::with_capacity(rule.variables.len());
        let closed = self.filters_closed(query.rule, &nothing, None);
        if !closed.iter().all(|&filter| self.passes(&rule.filters[filter as usize])) {
            return true;
        }
        let node = self.node(query.rule, None, FixedBitSet::with_capacity(rule.atoms.len()));
        self.join(query, node, false) != Found::Stop
    }

    /// Continues from a node. If only a `witness` is needed, the first accepted binding ends the join.
    fn join(&mut self, query: &mut Query<'_>, node: u32, witness: bool) -> Found {
        query.joins += 1;
        if query.joins > query.max_joins {
            return Found::Stop;
        }
        let node = Rc::clone(&self.nodes[node as usize]);
        if !node.checks.iter().all(|check| self.check(query.rule, check)) {
            return Found::Nothing;
        }
        let begins = !witness && query.essential.is_subset(&node.bound);
        if begins && query.accepted.contains(&query.projection(&self.binding)) {
            return Found::Binding;
        }
        if node.steps.is_empty() {
            return self.choose_objects(query, &node.unbound, witness || begins);
        }
        self.join_rows(query, &node, witness || begins)
    }

    fn join_rows(&mut self, query: &mut Query<'_>, node: &Node, witness: bool) -> Found {
        let rule = query.rule;
        let Some((step, list)) = self.choose(rule, node) else { return Found::Nothing };
        let atom = &self.rules[rule as usize].atoms[step.atom as usize];
        let (relation, mut row, mut result) = (atom.relation as usize, list, Found::Nothing);
        while row != NO_ROW {
            if self.agrees(atom, step, row) && self.bind(rule, step.atom, row, &step.binds) {
                let next = self.next(rule, None, node, step);
                match self.join(query, next, witness) {
                    Found::Stop => return Found::Stop,
                    Found::Binding if witness => return Found::Binding,
                    Found::Binding => result = Found::Binding,
                    Found::Nothing => {}
                }
            }
            row = match step.index {
                Some(index) => self.database.relations[relation].index(index).before(row),
                None => row.wrapping_sub(1),
            };
        }
        result
    }

    /// Enumerates the objects of variables that no atom binds.
    fn choose_objects(&mut self, query: &mut Query<'_>, unbound: &[(u32, Vec<u32>)], witness: bool) -> Found {
        query.joins += 1;
        if query.joins > query.max_joins {
            return Found::Stop;
        }
        let Some(((variable, filters), rest)) = unbound.split_first() else { return self.visit(query) };
        let witness = witness || !unbound.iter().any(|(variable, _)| query.essential.contains(*variable as usize));
        let (of, domains, mut result) = (&self.rules[query.rule as usize], self.domains, Found::Nothing);
        for &object in &domains.get(of.variables[*variable as usize]).objects {
            self.binding[*variable as usize] = object;
            if !filters.iter().all(|&filter| self.passes(&of.filters[filter as usize])) {
                continue;
            }
            match self.choose_objects(query, rest, witness) {
                Found::Stop => return Found::Stop,
                Found::Binding if witness => return Found::Binding,
                Found::Binding => result = Found::Binding,
                Found::Nothing => {}
            }
        }
        result
    }

    fn visit(&mut self, query: &mut Query<'_>) -> Found {
        let projection = query.projection(&self.binding);
        if query.accepted.contains(&projection) {
            return Found::Binding;
        }
        match (query.visit)(&self.binding) {
            QueryAnswer::Accepted => {
                query.accepted.insert(projection);
                Found::Binding
            }
            QueryAnswer::Rejected => Found::Nothing,
        }
    }
}
