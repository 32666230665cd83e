//! The variables that a condition may use.

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::VarId;

use super::{GraphBuilder, Variables};
use crate::graph::Graph;
use crate::space::{Dims, DomainId, Space};

/// The variables that a condition may use, with their domains.
#[derive(Debug)]
pub(crate) struct VariableFrame<'a> {
    pub(crate) scope: &'a Scope,
    /// For each variable, its domain.
    pub(super) domains: Vec<DomainId>,
    /// For each variable, its rank; the dimensions of a space are in ascending order of rank.
    pub(super) ranks: Vec<usize>,
    /// For each variable, whether it is bound at this point.
    pub(super) bound: Vec<bool>,
}

impl<'a> VariableFrame<'a> {
    /// Creates a frame in which the variables of `binding` are bound from outside, in this order.
    pub(crate) fn new(builder: &mut GraphBuilder<'_>, scope: &'a Scope, binding: &[VarId]) -> Self {
        let count = scope.variables.len();
        let world = builder.world;
        let domains =
            scope.variables.iter().map(|variable| builder.graph.domains.intern(&world.domain(&variable.types)));
        let mut frame = Self {
            scope,
            domains: domains.collect(),
            ranks: (binding.len()..binding.len() + count).collect(),
            bound: vec![false; count],
        };
        for (rank, variable) in binding.iter().enumerate() {
            frame.ranks[variable.index()] = rank;
            frame.bound[variable.index()] = true;
        }
        frame
    }

    /// Restricts the domain of a variable.
    pub(crate) fn restrict(&mut self, variable: VarId, domain: DomainId) {
        self.domains[variable.index()] = domain;
    }

    pub(crate) fn domain(&self, variable: VarId) -> DomainId {
        self.domains[variable.index()]
    }

    /// Binds further variables. Returns for each of them whether it was bound before.
    pub(crate) fn bind(&mut self, variables: &[VarId]) -> Vec<bool> {
        variables.iter().map(|variable| std::mem::replace(&mut self.bound[variable.index()], true)).collect()
    }

    /// Undoes a [`bind`](Self::bind).
    pub(crate) fn unbind(&mut self, variables: &[VarId], before: Vec<bool>) {
        for (variable, bound) in variables.iter().zip(before).rev() {
            self.bound[variable.index()] = bound;
        }
    }

    pub(crate) fn space(&self, graph: &Graph, variables: &[VarId]) -> Space {
        let dims: Dims = variables.iter().map(|&variable| self.domain(variable)).collect();
        Space::new(&graph.domains, dims)
    }

    pub(super) fn sort(&self, variables: &mut Variables) {
        variables.sort_unstable_by_key(|variable| self.ranks[variable.index()]);
        variables.dedup();
    }

    /// Returns the bound variables that occur free in the condition, in order of rank if `sorted`, else in order of occurrence.
    pub(crate) fn free_in(&self, condition: &Condition, sorted: bool) -> Variables {
        let mut free = Variables::new();
        condition.visit_free_variables(&mut |variable| {
            if self.bound[variable.index()] && !free.contains(&variable) {
                free.push(variable);
            }
        });
        if sorted {
            self.sort(&mut free);
        }
        free
    }

    pub(super) fn mentions_unbound(&self, condition: &Condition) -> bool {
        let mut unbound = false;
        condition.visit_free_variables(&mut |variable| unbound |= !self.bound[variable.index()]);
        unbound
    }
}
