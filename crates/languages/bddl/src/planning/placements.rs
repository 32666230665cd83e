//! Admissible placements of objects, and their static consequences.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::model::RuleSelection;
use super::nesting::Support;
use super::objects::{Fact, GOES, PlacementScope, TaskObjects};
use crate::resolve::INROOM;

/// The maximum number of pairs of objects for which [`PlacementScope::All`] adds actions.
const MAX_PAIRS: usize = 20_000;

/// The maximum number of recipes in a row whose products may be where the first input was.
const MAX_GENERATIONS: usize = 4;

/// The model's predicates for placements next to, under or against other objects.
const ARRANGEMENTS: [&str; 3] = ["goes-nextto", "goes-against", "goes-under"];

/// The admissible placements of objects.
#[derive(Debug, Default)]
pub(super) struct Placements<'a> {
    /// The model's facts about admissible placements.
    facts: IndexSet<Fact<'a>, FxBuildHasher>,
    /// The possible supports and containers of each object, including the object that it is part of.
    parents: FxHashMap<&'a str, Vec<Support<'a>>>,
    /// Objects that can never be enclosed, carried along or held.
    pub(super) never_enclosed: FxHashSet<&'a str>,
    /// Objects that may be in or on a carried object, at any depth.
    carried: FxHashSet<&'a str>,
    /// Whether every movable object may be placed in and on everything that holds objects.
    pub(super) has_all_places: bool,
}

impl<'a> Placements<'a> {
    pub(super) fn new(objects: &TaskObjects<'a>, places: PlacementScope) -> Self {
        let mut placements = Self::default();
        placements.placements(objects);
        if places == PlacementScope::All {
            placements.has_all_places = placements.all_placements(objects).is_some();
        }
        placements.derived_placements(objects);
        placements.carriers(objects);
        placements.adjacent_placements(objects);
        placements.find_parents(objects);
        placements.find_open_air(objects);
        placements.find_carried(objects);
        placements
    }

    fn add(&mut self, predicate: &'a str, words: Vec<&'a str>) {
        self.facts.insert((predicate, words));
    }

    /// Adds the placements that occur in the goal or the initial state, and floors.
    fn placements(&mut self, objects: &TaskObjects<'a>) {
        let model = objects.model;
        for (predicate, placement) in [(model.on, "goes-ontop"), (model.inside, "goes-inside"), ("under", "goes-under")]
        {
            for [object, other] in pairs(objects, predicate) {
                if object != other && objects.is_movable(object) && objects.can_be_acted_on(other) {
                    self.add(placement, vec![object, other]);
                }
            }
        }
        for (predicate, placement) in [("nextto", "goes-nextto"), ("touching", "goes-against")] {
            for [object, other] in pairs(objects, predicate) {
                for [mover, place] in [[object, other], [other, object]] {
                    if object != other && objects.is_movable(mover) && objects.can_be_acted_on(place) {
                        self.add(placement, vec![mover, place]);
                    }
                }
            }
        }
        if !objects.has_onfloor {
            let movable: Vec<&str> = objects.names().filter(|object| objects.is_movable(object)).collect();
            for &object in &movable {
                objects.floors.iter().for_each(|&floor| self.add("goes-ontop", vec![object, floor]));
            }
        }
    }

    /// Adds the placements of [`PlacementScope::All`]; returns `None` if there are too many pairs.
    fn all_placements(&mut self, objects: &TaskObjects<'a>) -> Option<()> {
        let model = objects.model;
        let held = |predicate: &'static str| pairs(objects, predicate).into_iter().map(|[_, holder]| holder);
        let mut surfaces: IndexSet<&str, FxBuildHasher> = held(model.on).collect();
        let mut containers: IndexSet<&str, FxBuildHasher> = held(model.inside).collect();
        for object in objects.names().filter(|object| !objects.is_movable(object) && !objects.floors.contains(object)) {
            surfaces.insert(object);
            if objects.door_of(object).is_some() {
                containers.insert(object);
            }
        }
        let movable: Vec<&str> = objects.names().filter(|object| objects.is_movable(object)).collect();
        if movable.len().saturating_mul(surfaces.len() + containers.len()) > MAX_PAIRS {
            return None;
        }
        for (holders, placement) in [(surfaces, "goes-ontop"), (containers, "goes-inside")] {
            for holder in holders.into_iter().filter(|holder| objects.can_be_acted_on(holder)) {
                movable
                    .iter()
                    .filter(|object| **object != holder)
                    .for_each(|object| self.add(placement, vec![object, holder]));
            }
        }
        Some(())
    }

    /// Adds the placements that the rules of the model derive.
    fn derived_placements(&mut self, objects: &TaskObjects<'a>) {
        for (placement, words) in objects.derived().filter(|(placement, _)| placement.starts_with(GOES)) {
            if let &[object, other] = &words[..]
                && object != other
                && objects.is_movable(object)
                && objects.can_be_acted_on(other)
            {
                self.add(placement, vec![object, other]);
            }
        }
    }

    /// Adds the placements of a support or container in the container that its contents must be in.
    fn carriers(&mut self, objects: &TaskObjects<'a>) {
        let model = objects.model;
        let mut containers: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for atom in objects.goal.iter().filter(|atom| atom.len() == 3 && atom[0] == model.inside) {
            containers.entry(atom[1]).or_default().push(atom[2]);
        }
        let predicate =
            objects.goal.iter().filter(|atom| atom.len() == 3 && (atom[0] == model.on || atom[0] == model.inside));
        for atom in predicate {
            let (object, carrier) = (atom[1], atom[2]);
            for &container in containers.get(object).into_iter().flatten() {
                if carrier != container && objects.is_movable(carrier) && objects.can_be_acted_on(container) {
                    self.add("goes-inside", vec![carrier, container]);
                }
            }
        }
    }

    /// Adds the placements of an object beside another one: wherever that one must be placed, or else is.
    fn adjacent_placements(&mut self, objects: &TaskObjects<'a>) {
        let model = objects.model;
        let placement = |is_inside: bool| if is_inside { "goes-inside" } else { "goes-ontop" };
        let is_proximity = |atom: &&Vec<&str>| atom.len() == 3 && ["nextto", "touching", "under"].contains(&atom[0]);
        let mut predicate: FxHashMap<&str, Vec<Support<'_>>> = FxHashMap::default();
        for atom in objects.goal.iter().filter(|atom| atom.len() == 3 && [model.on, model.inside].contains(&atom[0])) {
            predicate.entry(atom[1]).or_default().push(Support { by: atom[2], is_inside: atom[0] == model.inside });
        }
        for atom in objects.goal.iter().filter(is_proximity) {
            for [mover, place] in [[atom[1], atom[2]], [atom[2], atom[1]]] {
                let parents = predicate.get(place).map_or_else(|| objects.supports(place), Vec::as_slice);
                let mut parents = parents.to_vec();
                // Placements on floors are always included.
                parents.retain(|parent| ![mover, place].contains(&parent.by) && !objects.floors.contains(parent.by));
                if objects.is_movable(mover) {
                    let supports = parents.into_iter().filter(|parent| objects.can_be_acted_on(parent.by));
                    supports.for_each(|parent| self.add(placement(parent.is_inside), vec![mover, parent.by]));
                }
            }
        }
    }

    fn find_parents(&mut self, objects: &TaskObjects<'a>) {
        for name in objects.names() {
            let initial = objects.supports(name).iter().copied();
            let part = objects.part_of(name).map(|support| Support { by: support, is_inside: false });
            self.parents.entry(name).or_default().extend(initial.chain(part));
        }
        for (placement, words) in &self.facts {
            let is_inside = *placement == "goes-inside";
            if placement.starts_with(GOES)
                && !ARRANGEMENTS.contains(placement)
                && let &[object, support] = &words[..]
            {
                self.parents.entry(object).or_default().push(Support { by: support, is_inside });
            }
        }
        // What is made of an object may be where that object was.
        for _ in 0..objects.recipes.all.len().min(MAX_GENERATIONS) {
            for recipe in &objects.recipes.all {
                let places = recipe.inputs.iter().filter_map(|input| self.parents.get(&**input)).flatten();
                let places: Vec<Support<'_>> = places.copied().collect();
                for output in recipe.outputs.iter().filter(|output| objects.is_movable(output)) {
                    let known = self.parents.entry(output).or_default();
                    for place in &places {
                        if !known.contains(place) {
                            known.push(*place);
                        }
                    }
                }
            }
        }
    }

    /// Computes the objects that can never be enclosed. All possible supports of such an object are of this kind, immovable,
    /// and never closed; and if it is movable itself, it holds nothing.
    fn find_open_air(&mut self, objects: &TaskObjects<'a>) {
        let holds: FxHashSet<&str> = self.parents.values().flatten().map(|parent| parent.by).collect();
        let mut open: FxHashSet<&str> =
            objects.names().filter(|name| objects.can_be_acted_on(name) && !objects.is_absent(name)).collect();
        open.retain(|name| !objects.is_movable(name) || !holds.contains(name));
        let children = self.children();
        let is_shut_in = |object: &str, open: &FxHashSet<&str>| {
            self.parents.get(object).into_iter().flatten().any(|parent| {
                let is_enclosed = parent.is_inside && objects.door_of(parent.by).is_some();
                is_enclosed || objects.is_movable(parent.by) || !open.contains(parent.by)
            })
        };
        let mut closed: Vec<&str> = open.iter().copied().filter(|object| is_shut_in(object, &open)).collect();
        while let Some(object) = closed.pop() {
            if open.remove(object) {
                closed.extend(children.get(object).into_iter().flatten());
            }
        }
        self.never_enclosed = open;
    }

    /// Returns the objects that may be in or on each object.
    fn children(&self) -> FxHashMap<&'a str, Vec<&'a str>> {
        let mut children: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (object, parents) in &self.parents {
            for parent in parents {
                children.entry(parent.by).or_default().push(object);
            }
        }
        children
    }

    /// Returns the properties of the task that determine the rules that it needs.
    pub(super) fn needs(&self, objects: &TaskObjects<'a>) -> RuleSelection {
        let holders: FxHashSet<&str> = self.parents.values().flatten().map(|parent| parent.by).collect();
        let is_held = |holder: &&str| {
            let mut parents = self.parents.get(*holder).into_iter().flatten();
            parents.any(|parent| !objects.floors.contains(parent.by) || parent.is_inside)
        };
        RuleSelection {
            is_stacked: holders.iter().any(is_held),
            has_carriers: holders.iter().any(|holder| objects.is_movable(holder)),
            has_arranged: self.facts.iter().any(|(placement, _)| ARRANGEMENTS.contains(placement)),
        }
    }

    fn find_carried(&mut self, objects: &TaskObjects<'a>) {
        let children = self.children();
        let mut open: Vec<&str> = objects.names().filter(|object| objects.is_movable(object)).collect();
        while let Some(support) = open.pop() {
            let carried = children.get(support).into_iter().flatten();
            open.extend(carried.filter(|object| self.carried.insert(object)));
        }
    }

    /// Whether an object may be in or on a carried object, at any depth.
    pub(super) fn is_carried(&self, object: &str) -> bool {
        self.carried.contains(object)
    }

    /// Returns the model's facts about admissible placements.
    pub(super) fn facts(&self, objects: &TaskObjects<'a>) -> IndexSet<Fact<'a>, FxBuildHasher> {
        let mut facts = self.facts.clone();
        for parent in objects.names().filter_map(|name| self.parents.get(name)).flatten() {
            if parent.is_inside {
                facts.insert(("container", vec![parent.by]));
            }
            if objects.is_movable(parent.by) {
                facts.insert(("carrier", vec![parent.by]));
                facts.insert(("same", vec![parent.by, parent.by]));
            }
        }
        self.arrangements(objects, &mut facts);
        facts
    }

    /// Adds facts about objects that are arranged beside others, and about the rooms of the objects that they are arranged
    /// beside. The first object in a room represents it.
    fn arrangements(&self, objects: &TaskObjects<'a>, facts: &mut IndexSet<Fact<'a>, FxBuildHasher>) {
        let mut arranged: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        let mut neighbors: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        let is_base = |object: &str| !objects.is_movable(object) && self.never_enclosed.contains(object);
        for (placement, words) in &self.facts {
            if let (true, &[object, other]) = (ARRANGEMENTS.contains(placement), &words[..]) {
                let mut open = vec![object, other];
                while let Some(one) = open.pop() {
                    if arranged.insert(one) {
                        open.extend(self.parents.get(one).into_iter().flatten().map(|parent| parent.by));
                    }
                }
                neighbors.extend(Some(other).filter(|other| is_base(other)));
            }
        }
        facts.extend(arranged.iter().map(|&object| ("arranged", vec![object])));
        if neighbors.is_empty() {
            return;
        }
        facts.extend(neighbors.iter().map(|&object| ("has-beside", vec![object])));
        let (mut rooms, mut placed) = (FxHashMap::<&str, &str>::default(), FxHashSet::default());
        for atom in objects.initial.iter().filter(|atom| atom.len() == 3 && atom[0] == INROOM && is_base(atom[1])) {
            let first = rooms.entry(atom[2]).or_insert(atom[1]);
            placed.insert(atom[1]);
            facts.insert(("in-room-of", vec![atom[1], first]));
        }
        let bases = objects.names().filter(|base| is_base(base));
        facts.extend(bases.map(|base| (if placed.contains(base) { "base" } else { "base-anywhere" }, vec![base])));
    }
}

/// Returns the pairs of objects in atoms of a predicate, in the goal and the initial state.
fn pairs<'a>(objects: &TaskObjects<'a>, predicate: &str) -> Vec<[&'a str; 2]> {
    let atoms = objects.goal.iter().chain(&objects.initial);
    atoms.filter(|atom| atom.len() == 3 && atom[0] == predicate).map(|atom| [atom[1], atom[2]]).collect()
}
