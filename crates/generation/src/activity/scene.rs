//! Objects and their places.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_bddl::ast::{Literal, Problem};
use goalspec_generator::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};

use super::roles::{Role, Roles, Section, fixed_categories};

/// The category of the agent.
const AGENT: &str = "agent.n.01";

/// The probability that a category of things is exchanged for another.
const EXCHANGED: f64 = 0.3;
/// The probability that a thing of a category is added, and that one is removed.
const RESIZED: f64 = 0.15;
/// Maximum number of things of a category that are added to.
const MAX_MEMBERS: usize = 12;

/// Objects by category, with the literals of the initial state.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    /// The instances of each category, in the order of the example.
    pub(super) groups: Vec<(Arc<str>, Vec<Arc<str>>)>,
    pub(super) init: Vec<Literal>,
}

impl Scene {
    pub(super) fn of(problem: &Problem) -> Self {
        let mut groups: Vec<(Arc<str>, Vec<Arc<str>>)> = Vec::new();
        for (name, category) in problem.instances() {
            match groups.iter_mut().find(|(own, _)| **own == *category) {
                Some((_, instances)) => instances.push(name.text.clone()),
                None => groups.push((category.into(), vec![name.text.clone()])),
            }
        }
        Self { groups, init: problem.init.clone() }
    }

    /// Returns the instances of a category.
    pub(super) fn instances(&self, category: &str) -> &[Arc<str>] {
        self.groups.iter().find(|(own, _)| **own == *category).map_or(&[], |(_, instances)| instances)
    }

    /// Returns the categories of which something belongs to a room.
    pub(super) fn fixed(&self) -> FxHashSet<&str> {
        let mut of_instance: FxHashMap<&str, &str> = FxHashMap::default();
        for (category, instances) in &self.groups {
            of_instance.extend(instances.iter().map(|name| (&**name, &**category)));
        }
        fixed_categories(&self.init, &of_instance)
    }

    /// Returns the places of the categories of movable things: those that belong to no room, without the agent.
    fn movable(&self) -> Vec<usize> {
        let fixed = self.fixed();
        let is_movable = |category: &str| category != AGENT && !fixed.contains(category);
        (0..self.groups.len()).filter(|&place| is_movable(&self.groups[place].0)).collect()
    }

    /// Returns the roles of a category of movable things in the initial state.
    fn roles(&self, place: usize) -> Vec<Role> {
        let instances = &self.groups[place].1;
        let mut roles = Vec::new();
        for literal in &self.init {
            for (position, argument) in literal.atom.arguments.iter().enumerate() {
                if instances.contains(&argument.text) {
                    let predicate = literal.atom.predicate.text.clone();
                    roles.push(Role { section: Section::Init, predicate, position, is_fixed: false });
                }
            }
        }
        roles.sort_unstable();
        roles.dedup();
        roles
    }

    /// Exchanges some categories of movable things for others with the same roles.
    pub(super) fn exchange_some(&mut self, roles: &Roles, stream: &mut RandomStream) {
        for place in self.movable() {
            if stream.uniform() < EXCHANGED {
                self.exchange(place, roles, stream);
            }
        }
    }

    /// Exchanges a category of movable things; returns the old and the new one.
    pub(super) fn exchange_one(&mut self, roles: &Roles, stream: &mut RandomStream) -> Option<(Arc<str>, Arc<str>)> {
        let movable = self.movable();
        if movable.is_empty() {
            return None;
        }
        let place = movable[stream.below(movable.len() as u64) as usize];
        let old = self.groups[place].0.clone();
        self.exchange(place, roles, stream).map(|new| (old, new))
    }

    fn exchange(&mut self, place: usize, roles: &Roles, stream: &mut RandomStream) -> Option<Arc<str>> {
        let mut candidates = roles.players_of(&self.roles(place));
        candidates.retain(|category| !self.groups.iter().any(|(own, _)| own == category) && **category != *AGENT);
        if candidates.is_empty() {
            return None;
        }
        let new = candidates.swap_remove(stream.below(candidates.len() as u64) as usize);
        let (category, instances) = &mut self.groups[place];
        let renamed: BTreeMap<Arc<str>, Arc<str>> =
            instances.iter().map(|name| (name.clone(), renamed(name, category, &new))).collect();
        for name in instances {
            *name = renamed[name].clone();
        }
        *category = new.clone();
        for argument in self.init.iter_mut().flat_map(|literal| &mut literal.atom.arguments) {
            if let Some(name) = renamed.get(&argument.text) {
                argument.text = name.clone();
            }
        }
        Some(new)
    }

    /// Adds things to some categories, in the same places, and removes things from others.
    pub(super) fn resize_some(&mut self, stream: &mut RandomStream) {
        for place in self.movable() {
            let choice = stream.uniform();
            if choice < RESIZED {
                self.add(place);
            } else if choice < 2.0 * RESIZED {
                self.remove(place);
            }
        }
    }

    /// Adds a thing where the last one of its category is.
    fn add(&mut self, place: usize) {
        let (category, instances) = &self.groups[place];
        let Some(last) = instances.last().filter(|_| instances.len() < MAX_MEMBERS).cloned() else { return };
        let new: Arc<str> = format!("{category}_{}", instances.len() + 1).into();
        // Where others refer to the thing, it is not clear to which of the two they would.
        if instances.contains(&new) || self.is_referred_to(&last) {
            return;
        }
        let is_own = |literal: &&Literal| literal.atom.arguments.iter().any(|own| own.text == last);
        let copies: Vec<Literal> = self.init.iter().filter(is_own).cloned().collect();
        for mut copy in copies {
            copy.atom.arguments.iter_mut().filter(|own| own.text == last).for_each(|own| own.text = new.clone());
            self.init.push(copy);
        }
        self.groups[place].1.push(new);
    }

    /// Removes the last thing of a category that has several.
    fn remove(&mut self, place: usize) {
        let instances = &self.groups[place].1;
        let Some(last) = instances.last().filter(|_| instances.len() > 1).cloned() else { return };
        if self.is_referred_to(&last) {
            return;
        }
        self.init.retain(|literal| literal.atom.arguments.iter().all(|own| own.text != last));
        self.groups[place].1.pop();
    }

    /// Whether the initial state says of another thing that it is in, on or otherwise about this one.
    fn is_referred_to(&self, name: &str) -> bool {
        self.init.iter().any(|literal| literal.atom.arguments.iter().skip(1).any(|own| *own.text == *name))
    }
}

/// Returns the name of an instance of another category.
fn renamed(name: &str, old: &str, new: &str) -> Arc<str> {
    match name.strip_prefix(old) {
        Some(number) => format!("{new}{number}").into(),
        None => format!("{new}_{name}").into(),
    }
}
