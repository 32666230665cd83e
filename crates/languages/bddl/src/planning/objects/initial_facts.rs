//! The facts of the initial state that the action model adds to those of the activity.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Fact, GOES, ImmovableReason, TaskObjects};
use crate::planning::model::Model;
use crate::resolve::INROOM;

impl<'a> TaskObjects<'a> {
    /// Whether an atom of `:init` is a fact of the task. Implied containment is not.
    pub(crate) fn is_initial_fact(&self, predicate: &str, arguments: &[&str]) -> bool {
        match arguments {
            [object, container] if predicate == self.model.inside => !self.nesting.is_implied(object, container),
            _ => true,
        }
    }

    /// Returns the facts that the model adds, each once.
    pub(crate) fn facts(&self) -> IndexSet<Fact<'a>, FxBuildHasher> {
        let mut facts: IndexSet<Fact<'a>, FxBuildHasher> = IndexSet::default();
        facts.insert(("hand-empty", Vec::new()));
        facts.extend(self.start().map(|start| ("at", vec![start])));
        if self.has_onfloor {
            facts.extend(self.floors.iter().map(|&floor| ("ground", vec![floor])));
        }
        if !self.model.has_abilities {
            for ability in ["openable", "toggleable"] {
                let able = self.names().filter(|object| self.able(object, ability));
                facts.extend(able.map(|object| (ability, vec![object])));
            }
        }
        facts.extend(self.derived.iter().filter(|(predicate, _)| !predicate.starts_with(GOES)).cloned());
        for object in self.names() {
            self.add_initial_facts(object, &mut facts);
        }
        facts.extend(self.all.keys().filter(|object| self.is_agent(object)).map(|agent| ("confined", vec![*agent])));
        facts.extend(self.nesting.outer().map(|[object, support]| ("outer", vec![object, support])));
        facts.extend(self.nesting.spread().map(|object| ("spread", vec![object])));
        let containers = self.nesting.all().filter(|(_, support)| support.is_inside);
        facts.extend(containers.map(|(_, support)| ("container", vec![support.by])));
        facts.extend(self.placements.facts(self));
        let Model { private, shared, .. } = self.model;
        facts.retain(|(predicate, objects)| {
            private.contains(&((*predicate).to_owned(), objects.len()))
                || shared.contains(&((*predicate).to_owned(), objects.len()))
        });
        facts
    }

    /// Whether an object is out of reach: it cannot be acted on, or its position is contradictory.
    fn is_confined(&self, object: &str) -> bool {
        !self.can_be_acted_on(object) || self.immovable(object) == Some(ImmovableReason::Contradictory)
    }

    /// Adds the facts about the initial state of an object.
    fn add_initial_facts(&self, object: &'a str, facts: &mut IndexSet<Fact<'a>, FxBuildHasher>) {
        let mut add = |predicate, words: Vec<&'a str>| {
            facts.insert((predicate, words));
        };
        if self.is_movable(object) {
            add("movable", vec![object]);
            if !self.nesting.is_in_container(object) && !self.is_absent(object) {
                add("exposed", vec![object]);
            }
        }
        match object {
            _ if self.is_confined(object) => add("confined", vec![object]),
            _ if self.placements.never_enclosed.contains(object) => add("open-air", vec![object]),
            _ if self.is_absent(object) => {}
            _ if self.supports(object).is_empty() && self.part_of(object).is_none() => {
                add("lies-free", vec![object]);
            }
            _ => {}
        }
        if let Some(target) = self.part_of(object) {
            add("part-of", vec![object, target]);
        }
        let is_open = |container: &str| self.initial.contains(&vec!["open", container]);
        match self.door_of(object) {
            None => add("accessible", vec![object]),
            Some(door) => {
                add("shut-by", vec![object, door]);
                if is_open(door) {
                    add("accessible", vec![object]);
                }
            }
        }
        if !self.able(object, "toggleable") || self.initial.contains(&vec!["toggled_on", object]) {
            add("running", vec![object]);
        }
    }

    /// Returns the initial position of the agent: the object that it stands on, or else an object in its room, floors first, or
    /// else any object that cannot be enclosed, immovable ones first.
    fn start(&self) -> Option<&'a str> {
        let of_agent = |predicates: &[&str]| {
            let mut atoms = self.initial.iter().filter(|atom| atom.len() == 3 && predicates.contains(&atom[0]));
            atoms.find(|atom| self.is_agent(atom[1])).map(|atom| atom[2])
        };
        let agent_supports =
            of_agent(&["onfloor", "ontop"]).filter(|place| self.placements.never_enclosed.contains(place));
        let in_room = || {
            let room = of_agent(&[INROOM])?;
            let is_agent_support = |place: &&str| {
                self.initial.contains(&vec![INROOM, *place, room]) && self.placements.never_enclosed.contains(*place)
            };
            self.floors.iter().copied().chain(self.names()).find(is_agent_support)
        };
        let mut open = self.names().filter(|object| self.placements.never_enclosed.contains(object));
        agent_supports.or_else(in_room).or_else(|| {
            let fixed = self
                .floors
                .iter()
                .copied()
                .chain(self.names())
                .find(|object| self.placements.never_enclosed.contains(object) && !self.is_movable(object));
            fixed.or_else(|| open.next())
        })
    }
}
