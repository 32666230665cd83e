//! Queries about a whole activity: the scenes that it fits into, the object models that it lacks, and the `future` objects that
//! cannot be made.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::rules::MachineAvailability;
use super::scenes::{RoomRequirement, Scene, UnmetRoomRequirement};
use super::taxonomy::SynsetId;
use super::{Edition, Knowledge};
use crate::ast::{Name, Problem};
use crate::resolve::INROOM;

/// A `future` object that no transition rules can make.
#[derive(Debug, Clone)]
pub struct UnreachableObject<'a> {
    /// The synset of the object.
    pub synset: SynsetId,
    /// The object, as named in its `future` literal.
    pub instance: &'a Name,
    /// The name of a rule that would make the object if its machines were present; `None` if no rule makes it even then.
    pub rule_with_machines: Option<Arc<str>>,
}

impl Knowledge {
    /// Returns the requirements of an activity on rooms: for each type of room in its `inroom` literals, the objects that must
    /// be in one room of this type. A wildcard counts as one object.
    ///
    /// Objects of unknown synsets are left out.
    pub fn room_requirements<'a>(&self, problem: &'a Problem) -> Vec<RoomRequirement<'a>> {
        let mut requirements: IndexMap<&str, IndexMap<SynsetId, u32, FxBuildHasher>, FxBuildHasher> =
            IndexMap::default();
        for literal in problem.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *INROOM)
        {
            let [instance, room] = &*literal.atom.arguments else { continue };
            let Some(synset) = self.synset_of_instance(&instance.text) else { continue };
            *requirements.entry(&room.text).or_default().entry(synset).or_default() += 1;
        }
        requirements
            .into_iter()
            .map(|(kind, objects)| RoomRequirement { kind, objects: objects.into_iter().collect() })
            .collect()
    }

    /// Returns all scenes of the release with the missing rooms of each; the list is empty for scenes that the activity fits
    /// into.
    pub fn unmet_by_scene<'a>(&'a self, problem: &'a Problem) -> Vec<(&'a Scene, Vec<UnmetRoomRequirement<'a>>)> {
        let requirements = self.room_requirements(problem);
        self.scenes.iter().map(|scene| (scene, scene.unmet_requirements(&self.taxonomy, &requirements))).collect()
    }

    /// Whether the activity fits into some scene.
    pub fn has_scene(&self, problem: &Problem) -> bool {
        let requirements = self.room_requirements(problem);
        self.scenes.iter().any(|scene| scene.meets(&self.taxonomy, &requirements))
    }

    /// Returns the categories of an activity without a counterpart in the release: neither an object model nor a substance is
    /// of their synset or one below it. The agent, unknown synsets, and releases without an inventory of object models are
    /// excluded.
    pub fn categories_without_models<'a>(&self, problem: &'a Problem) -> Vec<&'a Name> {
        let categories = problem.objects.iter().filter_map(|group| group.category.as_ref());
        let unbacked = |category: &&Name| {
            self.taxonomy.synset(&category.text).is_some_and(|synset| self.lacks_model(category, synset))
        };
        categories.filter(unbacked).collect()
    }

    /// Whether the release has no object model or substance for a category of this synset.
    pub(crate) fn lacks_model(&self, category: &Name, synset: SynsetId) -> bool {
        self.model_count(synset) == Some(0)
            && &*category.text != super::AGENT
            && self.taxonomy.subtree_substances(synset).next().is_none()
    }

    /// Returns the `future` objects of an activity that no sequence of transition rules makes from the initial objects.
    ///
    /// Initially there is one object of every category of the activity that has no `future` instances. An object of a synset
    /// also counts as one of each synset above it. Objects of unknown synsets are excluded. The result is empty for releases
    /// without rules, and for 3.1.0, whose simulator has built-in rules for cutting, cooking and melting.
    pub fn unreachable_objects<'a>(&self, problem: &'a Problem) -> Vec<UnreachableObject<'a>> {
        let future: Vec<(SynsetId, &Name)> =
            future_instances(problem).filter_map(|name| Some((self.synset_of_instance(&name.text)?, name))).collect();
        if future.is_empty() || self.rules.all().is_empty() || self.edition == Edition::V3_1 {
            return Vec::new();
        }
        let future_synsets: FxHashSet<SynsetId> = future.iter().map(|&(synset, _)| synset).collect();
        let start = || {
            let categories =
                problem.objects.iter().filter_map(|group| self.taxonomy.synset(&group.category.as_ref()?.text));
            categories.filter(|synset| !future_synsets.contains(synset))
        };
        let targets: Vec<SynsetId> = future.iter().map(|&(synset, _)| synset).collect();
        if self.rules.can_make_all(&self.taxonomy, start(), MachineAvailability::Required, &targets) {
            return Vec::new();
        }
        let reachable = self.rules.reachable(&self.taxonomy, start(), MachineAvailability::Required);
        let assumed = self.rules.reachable(&self.taxonomy, start(), MachineAvailability::Assumed);
        let missing = future.iter().filter(|&&(synset, _)| !reachable.can_make(synset));
        missing
            .map(|&(synset, instance)| {
                let inputs_reached =
                    |rule: &&super::rules::TransitionRule| rule.inputs.iter().all(|&input| assumed.contains(input));
                let with_machines =
                    self.rules.with_output(synset).find(inputs_reached).map(|rule| Arc::clone(&rule.name));
                UnreachableObject { synset, instance, rule_with_machines: with_machines }
            })
            .collect()
    }

    /// Returns the synset of an instance, judged by its name: `apple.n.01` for `apple.n.01_2` and `apple.n.01_*`.
    pub fn synset_of_instance(&self, instance: &str) -> Option<SynsetId> {
        self.taxonomy.synset(instance.rsplit_once('_')?.0)
    }
}

/// Returns the instances in `(future ..)` literals.
fn future_instances(problem: &Problem) -> impl Iterator<Item = &Name> {
    let future = problem.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *"future");
    future.filter_map(|literal| literal.atom.arguments.first())
}
