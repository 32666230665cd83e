//! Questions about a whole activity: in which scenes it can be, whether there are object models for it, and whether what it
//! wants to be made can be made.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::rules::Machines;
use super::scenes::{Lack, RoomNeed, Scene};
use super::taxonomy::SynsetId;
use super::{Edition, Knowledge};
use crate::ast::{Name, Problem};
use crate::resolve::INROOM;

/// A future thing that no rules lead to.
#[derive(Debug, Clone)]
pub struct Unreachable<'a> {
    /// The synset of the thing.
    pub synset: SynsetId,
    /// The thing, in its `future` literal.
    pub instance: &'a Name,
    /// The name of a rule that would make it if a machine were there; none if even with all machines nothing makes it.
    pub with_machines: Option<Arc<str>>,
}

impl Knowledge {
    /// What the rooms of a scene must have for an activity: for each type of room that its `inroom` literals name, the things
    /// that are to be in one room of this type. An instance `_*` stands for at least one thing.
    ///
    /// Things of unknown synsets are left out.
    pub fn room_needs<'a>(&self, problem: &'a Problem) -> Vec<RoomNeed<'a>> {
        let mut needs: IndexMap<&str, IndexMap<SynsetId, u32, FxBuildHasher>, FxBuildHasher> = IndexMap::default();
        for literal in problem.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *INROOM)
        {
            let [instance, room] = &*literal.atom.arguments else { continue };
            let Some(synset) = self.synset_of_instance(&instance.text) else { continue };
            *needs.entry(&room.text).or_default().entry(synset).or_default() += 1;
        }
        needs.into_iter().map(|(kind, objects)| RoomNeed { kind, objects: objects.into_iter().collect() }).collect()
    }

    /// All scenes of the release with what each lacks for an activity; nothing for those in which it can be.
    pub fn scenes_for<'a>(&'a self, problem: &'a Problem) -> Vec<(&'a Scene, Vec<Lack<'a>>)> {
        let needs = self.room_needs(problem);
        self.scenes.iter().map(|scene| (scene, scene.lacks(&self.taxonomy, &needs))).collect()
    }

    /// Whether there is a scene for an activity: one that lacks nothing.
    pub fn has_scene(&self, problem: &Problem) -> bool {
        let needs = self.room_needs(problem);
        self.scenes.iter().any(|scene| scene.fits(&self.taxonomy, &needs))
    }

    /// The categories of an activity that nothing stands for: neither an object model nor a substance of the release is of
    /// their synset or one below it. The agent needs none. Nothing is said of unknown synsets, nor by releases without object
    /// models.
    pub fn unbacked<'a>(&self, problem: &'a Problem) -> Vec<&'a Name> {
        let categories = problem.objects.iter().filter_map(|group| group.category.as_ref());
        let unbacked = |category: &&Name| {
            self.taxonomy.synset(&category.text).is_some_and(|synset| self.is_unbacked(category, synset))
        };
        categories.filter(unbacked).collect()
    }

    /// Whether nothing stands for a category of this synset.
    pub(crate) fn is_unbacked(&self, category: &Name, synset: SynsetId) -> bool {
        self.models(synset) == Some(0)
            && &*category.text != super::AGENT
            && self.taxonomy.subtree_substances(synset).next().is_none()
    }

    /// The `future` things of an activity that no chain of transition rules makes from what there is at the beginning.
    ///
    /// There is, at the beginning, a thing of every category of the activity without `future` things. A thing of a more special
    /// synset will do for one of a more general one. Nothing is said of
    /// unknown synsets, nor by releases without rules, nor by 3.1.0, in which the simulator knows by itself what cutting, cooking and
    /// melting make.
    pub fn unreachable<'a>(&self, problem: &'a Problem) -> Vec<Unreachable<'a>> {
        let future: Vec<(SynsetId, &Name)> =
            future_instances(problem).filter_map(|name| Some((self.synset_of_instance(&name.text)?, name))).collect();
        if future.is_empty() || self.rules.all().is_empty() || self.edition == Edition::V3_1 {
            return Vec::new();
        }
        let to_be_made: FxHashSet<SynsetId> = future.iter().map(|&(synset, _)| synset).collect();
        let start = || {
            let categories =
                problem.objects.iter().filter_map(|group| self.taxonomy.synset(&group.category.as_ref()?.text));
            categories.filter(|synset| !to_be_made.contains(synset))
        };
        let wanted: Vec<SynsetId> = future.iter().map(|&(synset, _)| synset).collect();
        if self.rules.make_all(&self.taxonomy, start(), Machines::Needed, &wanted) {
            return Vec::new();
        }
        let reached = self.rules.reachable(&self.taxonomy, start(), Machines::Needed);
        let assumed = self.rules.reachable(&self.taxonomy, start(), Machines::Assumed);
        let missing = future.iter().filter(|&&(synset, _)| !reached.makes(synset));
        missing
            .map(|&(synset, instance)| {
                let inputs_reached =
                    |rule: &&super::rules::Rule| rule.inputs.iter().all(|&input| assumed.contains(input));
                let with_machines = self.rules.making(synset).find(inputs_reached).map(|rule| Arc::clone(&rule.name));
                Unreachable { synset, instance, with_machines }
            })
            .collect()
    }

    /// The synset of an instance, by its name: `apple.n.01` of `apple.n.01_2` and `apple.n.01_*`.
    pub fn synset_of_instance(&self, instance: &str) -> Option<SynsetId> {
        self.taxonomy.synset(instance.rsplit_once('_')?.0)
    }
}

/// The instances that `(future ..)` literals say do not exist yet.
fn future_instances(problem: &Problem) -> impl Iterator<Item = &Name> {
    let future = problem.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *"future");
    future.filter_map(|literal| literal.atom.arguments.first())
}
