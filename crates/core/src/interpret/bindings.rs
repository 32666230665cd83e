//! The bindings of the variables of a preference.

use crate::ids::{ObjectId, VarId};
use crate::monitor::MonitorError;
use crate::program::Preference;
use crate::world::World;

/// The bindings of the external and inner variables of a preference, numbered in order. Combinations that bind two distinct variables to
/// the same object have a number, but are not bindings.
#[derive(Debug, Clone)]
pub(super) struct BindingSpace {
    /// The external variables, then the inner ones.
    pub(super) variables: Vec<VarId>,
    pub(super) domains: Vec<Vec<ObjectId>>,
    /// The pairs of indices into `variables` that never bind the same object.
    distinct: Vec<(usize, usize)>,
    /// The number of combinations.
    size: u64,
    /// The number of combinations for each binding of the external variables.
    group_size: u64,
}

/// Returns the size of the Cartesian product of the domains.
pub(super) fn product(domains: &[Vec<ObjectId>]) -> u128 {
    domains.iter().fold(1, |size: u128, domain| size.saturating_mul(domain.len() as u128))
}

impl BindingSpace {
    pub(super) fn new(world: &World, preference: &Preference, limit: u64) -> Result<Self, MonitorError> {
        let variables = [&preference.external[..], &preference.inner[..]].concat();
        let domains: Vec<_> =
            variables.iter().map(|&variable| world.domain(&preference.scope.get(variable).types)).collect();
        let (external, inner) = domains.split_at(preference.external.len());
        // The external variables alone must stay within the limit as well, because scores range over them.
        let bindings = product(external).max(product(&domains));
        if bindings > u128::from(limit) {
            return Err(MonitorError::TooManyBindings {
                preference: Some(preference.name.clone()),
                bindings,
                limit,
                origin: preference.origin,
            });
        }
        let place = |variable| variables.iter().position(|&other| other == variable);
        let distinct = preference.distinct.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?))).collect();
        let (size, group_size) = (product(&domains) as u64, product(inner).min(product(&domains)) as u64);
        Ok(Self { variables, domains, distinct, size, group_size })
    }

    /// Returns the objects of a binding, one per variable; `None` if the number is not that of a binding.
    pub(super) fn objects(&self, binding: u64) -> Option<Vec<ObjectId>> {
        let mut remainder = binding;
        let mut objects = vec![ObjectId(0); self.domains.len()];
        for (slot, domain) in objects.iter_mut().zip(&self.domains).rev() {
            *slot = domain[(remainder % domain.len() as u64) as usize];
            remainder /= domain.len() as u64;
        }
        let differ = |&(left, right): &(usize, usize)| objects[left] != objects[right];
        self.distinct.iter().all(differ).then_some(objects)
    }

    /// Returns the bindings, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, Vec<ObjectId>)> {
        (0..self.size).filter_map(|binding| Some((binding, self.objects(binding)?)))
    }

    /// Returns the number of the binding of the external variables that this binding extends.
    pub(super) fn group(&self, binding: u64) -> u64 {
        binding / self.group_size
    }

    /// Returns the bindings that extend a binding of the external variables, in order.
    pub(super) fn members(&self, group: u64) -> impl Iterator<Item = u64> {
        let range = group * self.group_size..(group + 1) * self.group_size;
        range.filter(|&binding| self.objects(binding).is_some())
    }

    /// Returns the number of combinations, which bounds the numbers of bindings.
    pub(super) fn size(&self) -> usize {
        self.size as usize
    }
}
