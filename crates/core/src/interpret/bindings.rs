//! The bindings that a preference ranges over.

use crate::ids::{ObjectId, VarId};
use crate::limits::MAX_BINDINGS;
use crate::monitor::Refusal;
use crate::program::Preference;
use crate::world::World;

/// All bindings of the external and inner variables of a preference, numbered in order. Numbers of combinations that bind
/// distinct variables to the same object are not used.
#[derive(Debug, Clone)]
pub(super) struct BindingSpace {
    /// External variables first.
    pub(super) variables: Vec<VarId>,
    pub(super) domains: Vec<Vec<ObjectId>>,
    /// Pairs of indices into `variables`.
    distinct: Vec<(usize, usize)>,
    /// How many numbers there are.
    size: u64,
    /// How many numbers the bindings of the external variables have each.
    group_size: u64,
}

/// How many ways there are to choose an object from each domain.
pub(super) fn product(domains: &[Vec<ObjectId>]) -> u128 {
    domains.iter().fold(1, |size: u128, domain| size.saturating_mul(domain.len() as u128))
}

impl BindingSpace {
    pub(super) fn new(world: &World, preference: &Preference) -> Result<Self, Refusal> {
        let variables = [&preference.external[..], &preference.inner[..]].concat();
        let domains: Vec<_> =
            variables.iter().map(|&variable| world.domain(&preference.scope.get(variable).types)).collect();
        let (external, inner) = domains.split_at(preference.external.len());
        // The external variables alone have to stay within the limit as well: scores range over them.
        let bindings = product(external).max(product(&domains));
        if bindings > u128::from(MAX_BINDINGS) {
            return Err(Refusal::TooManyBindings {
                preference: Some(preference.name.clone()),
                bindings,
                origin: preference.origin,
            });
        }
        let place = |variable| variables.iter().position(|&other| other == variable);
        let distinct = preference.distinct.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?))).collect();
        let (size, group_size) = (product(&domains) as u64, product(inner).min(product(&domains)) as u64);
        Ok(Self { variables, domains, distinct, size, group_size })
    }

    /// The objects of a binding, one per variable; `None` if its number is not used.
    pub(super) fn objects(&self, binding: u64) -> Option<Vec<ObjectId>> {
        let mut rest = binding;
        let mut objects = vec![ObjectId(0); self.domains.len()];
        for (slot, domain) in objects.iter_mut().zip(&self.domains).rev() {
            *slot = domain[(rest % domain.len() as u64) as usize];
            rest /= domain.len() as u64;
        }
        let differ = |&(left, right): &(usize, usize)| objects[left] != objects[right];
        self.distinct.iter().all(differ).then_some(objects)
    }

    /// The bindings, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, Vec<ObjectId>)> {
        (0..self.size).filter_map(|binding| Some((binding, self.objects(binding)?)))
    }

    /// The number of the binding of the external variables that this binding extends.
    pub(super) fn group(&self, binding: u64) -> u64 {
        binding / self.group_size
    }

    /// The bindings that extend a binding of the external variables, in order.
    pub(super) fn members(&self, group: u64) -> impl Iterator<Item = u64> {
        let range = group * self.group_size..(group + 1) * self.group_size;
        range.filter(|&binding| self.objects(binding).is_some())
    }

    /// Bits that a table needs with one entry per number.
    pub(super) fn size(&self) -> usize {
        self.size as usize
    }
}
