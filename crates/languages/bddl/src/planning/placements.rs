//! Admissible placements of objects, and their static consequences.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::model::RuleSelection;
use super::nesting::Support;
use super::objects::{Fact, PlacementScope, TaskObjects};
use crate::resolve::INROOM;

/// The maximum number of pairs of objects for which [`PlacementScope::All`] adds actions.
const MAX_PAIRS: usize = 20_000;

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
    pub(super) fn new(things: &TaskObjects<'a>, places: PlacementScope) -> Self {
        let mut ways = Self::default();
        ways.placements(things);
        if places == PlacementScope::All {
            ways.has_all_places = ways.all_placements(things).is_some();
        }
        ways.preparations(things);
        ways.carriers(things);
        ways.adjacent_placements(things);
        ways.find_parents(things);
        ways.find_open_air(things);
        ways.find_carried(things);
        ways
    }

    fn add(&mut self, predicate: &'static str, words: Vec<&'a str>) {
        self.facts.insert((predicate, words));
    }

    /// Adds the placements that occur in the goal or the initial state, and floors.
    fn placements(&mut self, things: &TaskObjects<'a>) {
        let model = things.model;
        for (predicate, way) in [(model.on, "goes-ontop"), (model.inside, "goes-inside"), ("under", "goes-under")] {
            for [thing, other] in pairs(things, predicate) {
                if thing != other && things.is_movable(thing) && things.can_be_acted_on(other) {
                    self.add(way, vec![thing, other]);
                }
            }
        }
        for (predicate, way) in [("nextto", "goes-nextto"), ("touching", "goes-against")] {
            for [thing, other] in pairs(things, predicate) {
                for [mover, place] in [[thing, other], [other, thing]] {
                    if thing != other && things.is_movable(mover) && things.can_be_acted_on(place) {
                        self.add(way, vec![mover, place]);
                    }
                }
            }
        }
        if !things.has_onfloor {
            let movable: Vec<&str> = things.names().filter(|thing| things.is_movable(thing)).collect();
            for &thing in &movable {
                things.floors.iter().for_each(|&floor| self.add("goes-ontop", vec![thing, floor]));
            }
        }
    }

    /// Adds the placements of [`PlacementScope::All`]; returns `None` if there are too many pairs.
    fn all_placements(&mut self, things: &TaskObjects<'a>) -> Option<()> {
        let model = things.model;
        let held = |predicate: &'static str| pairs(things, predicate).into_iter().map(|[_, holder]| holder);
        let mut surfaces: IndexSet<&str, FxBuildHasher> = held(model.on).collect();
        let mut containers: IndexSet<&str, FxBuildHasher> = held(model.inside).collect();
        for thing in things.names().filter(|thing| !things.is_movable(thing) && !things.floors.contains(thing)) {
            surfaces.insert(thing);
            if things.door_of(thing).is_some() {
                containers.insert(thing);
            }
        }
        let movable: Vec<&str> = things.names().filter(|thing| things.is_movable(thing)).collect();
        if movable.len().saturating_mul(surfaces.len() + containers.len()) > MAX_PAIRS {
            return None;
        }
        for (holders, way) in [(surfaces, "goes-ontop"), (containers, "goes-inside")] {
            for holder in holders.into_iter().filter(|holder| things.can_be_acted_on(holder)) {
                movable.iter().filter(|thing| **thing != holder).for_each(|thing| self.add(way, vec![thing, holder]));
            }
        }
        Some(())
    }

    /// Adds the placements that are needed to cook, freeze, soak or wash objects.
    fn preparations(&mut self, things: &TaskObjects<'a>) {
        let heat = things.able_things("heatSource");
        let machines = things.dishwashers();
        for (wanted, places, way) in [
            ("cooked", &heat, "goes-inside"),
            ("cooked", &heat, "goes-ontop"),
            ("frozen", &things.able_things("coldSource"), "goes-inside"),
            ("soaked", &things.able_things("waterSource"), "goes-inside"),
            ("stained", &machines, "goes-inside"),
            ("dusty", &machines, "goes-inside"),
        ] {
            let asked = things.goal.iter().filter(|atom| atom.len() == 2 && atom[0] == wanted).map(|atom| atom[1]);
            let asked: Vec<&str> = asked.filter(|thing| things.is_movable(thing)).collect();
            for &place in places.iter().filter(|place| things.can_be_acted_on(place)) {
                asked.iter().filter(|thing| **thing != place).for_each(|&thing| self.add(way, vec![thing, place]));
            }
        }
    }

    /// Adds the placements of a support or container in the container that its contents must be in.
    fn carriers(&mut self, things: &TaskObjects<'a>) {
        let model = things.model;
        let mut containers: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for atom in things.goal.iter().filter(|atom| atom.len() == 3 && atom[0] == model.inside) {
            containers.entry(atom[1]).or_default().push(atom[2]);
        }
        let wanted =
            things.goal.iter().filter(|atom| atom.len() == 3 && (atom[0] == model.on || atom[0] == model.inside));
        for atom in wanted {
            let (thing, carrier) = (atom[1], atom[2]);
            for &container in containers.get(thing).into_iter().flatten() {
                if carrier != container && things.is_movable(carrier) && things.can_be_acted_on(container) {
                    self.add("goes-inside", vec![carrier, container]);
                }
            }
        }
    }

    /// Adds the placements of an object beside another one: wherever that one must be placed, or else is.
    fn adjacent_placements(&mut self, things: &TaskObjects<'a>) {
        let model = things.model;
        let way = |is_inside: bool| if is_inside { "goes-inside" } else { "goes-ontop" };
        let near = |atom: &&Vec<&str>| atom.len() == 3 && ["nextto", "touching", "under"].contains(&atom[0]);
        let mut wanted: FxHashMap<&str, Vec<Support<'_>>> = FxHashMap::default();
        for atom in things.goal.iter().filter(|atom| atom.len() == 3 && [model.on, model.inside].contains(&atom[0])) {
            wanted.entry(atom[1]).or_default().push(Support { by: atom[2], is_inside: atom[0] == model.inside });
        }
        for atom in things.goal.iter().filter(near) {
            for [mover, place] in [[atom[1], atom[2]], [atom[2], atom[1]]] {
                let parents = wanted.get(place).map_or_else(|| things.supports(place), Vec::as_slice);
                let mut parents = parents.to_vec();
                // Placements on floors are always included.
                parents.retain(|parent| ![mover, place].contains(&parent.by) && !things.floors.contains(parent.by));
                if things.is_movable(mover) {
                    let there = parents.into_iter().filter(|parent| things.can_be_acted_on(parent.by));
                    there.for_each(|parent| self.add(way(parent.is_inside), vec![mover, parent.by]));
                }
            }
        }
    }

    fn find_parents(&mut self, things: &TaskObjects<'a>) {
        for name in things.names() {
            let begins = things.supports(name).iter().copied();
            let part = things.part_of(name).map(|by| Support { by, is_inside: false });
            self.parents.entry(name).or_default().extend(begins.chain(part));
        }
        for (way, words) in &self.facts {
            let is_inside = *way == "goes-inside";
            if (is_inside || *way == "goes-ontop")
                && let &[thing, by] = &words[..]
            {
                self.parents.entry(thing).or_default().push(Support { by, is_inside });
            }
        }
    }

    /// Computes the objects that can never be enclosed. All possible supports of such an object are of this kind, immovable,
    /// and never closed; and if it is movable itself, it holds nothing.
    fn find_open_air(&mut self, things: &TaskObjects<'a>) {
        let holds: FxHashSet<&str> = self.parents.values().flatten().map(|parent| parent.by).collect();
        let mut open: FxHashSet<&str> = things.names().filter(|name| things.can_be_acted_on(name)).collect();
        open.retain(|name| !things.is_movable(name) || !holds.contains(name));
        let children = self.children();
        let is_shut_in = |thing: &str, open: &FxHashSet<&str>| {
            self.parents.get(thing).into_iter().flatten().any(|parent| {
                let shuts = parent.is_inside && things.door_of(parent.by).is_some();
                shuts || things.is_movable(parent.by) || !open.contains(parent.by)
            })
        };
        let mut closed: Vec<&str> = open.iter().copied().filter(|thing| is_shut_in(thing, &open)).collect();
        while let Some(thing) = closed.pop() {
            if open.remove(thing) {
                closed.extend(children.get(thing).into_iter().flatten());
            }
        }
        self.never_enclosed = open;
    }

    /// Returns the objects that may be in or on each object.
    fn children(&self) -> FxHashMap<&'a str, Vec<&'a str>> {
        let mut children: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (thing, parents) in &self.parents {
            for parent in parents {
                children.entry(parent.by).or_default().push(thing);
            }
        }
        children
    }

    /// Returns the properties of the task that determine the rules that it needs.
    pub(super) fn needs(&self, things: &TaskObjects<'a>) -> RuleSelection {
        let holders: FxHashSet<&str> = self.parents.values().flatten().map(|parent| parent.by).collect();
        let is_held = |holder: &&str| {
            let mut parents = self.parents.get(*holder).into_iter().flatten();
            parents.any(|parent| !things.floors.contains(parent.by) || parent.is_inside)
        };
        RuleSelection {
            is_stacked: holders.iter().any(is_held),
            has_carriers: holders.iter().any(|holder| things.is_movable(holder)),
            has_arranged: self.facts.iter().any(|(way, _)| ARRANGEMENTS.contains(way)),
        }
    }

    fn find_carried(&mut self, things: &TaskObjects<'a>) {
        let children = self.children();
        let mut open: Vec<&str> = things.names().filter(|thing| things.is_movable(thing)).collect();
        while let Some(by) = open.pop() {
            let aboard = children.get(by).into_iter().flatten();
            open.extend(aboard.filter(|thing| self.carried.insert(thing)));
        }
    }

    /// Whether an object may be in or on a carried object, at any depth.
    pub(super) fn is_carried(&self, thing: &str) -> bool {
        self.carried.contains(thing)
    }

    /// Returns the model's facts about admissible placements.
    pub(super) fn facts(&self, things: &TaskObjects<'a>) -> IndexSet<Fact<'a>, FxBuildHasher> {
        let mut facts = self.facts.clone();
        for parent in things.names().filter_map(|name| self.parents.get(name)).flatten() {
            if parent.is_inside {
                facts.insert(("container", vec![parent.by]));
            }
            if things.is_movable(parent.by) {
                facts.insert(("carrier", vec![parent.by]));
                facts.insert(("same", vec![parent.by, parent.by]));
            }
        }
        self.arrangements(things, &mut facts);
        facts
    }

    /// Adds facts about objects that are arranged beside others, and about the rooms of the objects that they are arranged
    /// beside. The first object in a room represents it.
    fn arrangements(&self, things: &TaskObjects<'a>, facts: &mut IndexSet<Fact<'a>, FxBuildHasher>) {
        let mut arranged: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        let mut beside: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        let is_base = |thing: &str| !things.is_movable(thing) && self.never_enclosed.contains(thing);
        for (way, words) in &self.facts {
            if let (true, &[thing, other]) = (ARRANGEMENTS.contains(way), &words[..]) {
                let mut open = vec![thing, other];
                while let Some(one) = open.pop() {
                    if arranged.insert(one) {
                        open.extend(self.parents.get(one).into_iter().flatten().map(|parent| parent.by));
                    }
                }
                beside.extend(Some(other).filter(|other| is_base(other)));
            }
        }
        facts.extend(arranged.iter().map(|&thing| ("arranged", vec![thing])));
        if beside.is_empty() {
            return;
        }
        facts.extend(beside.iter().map(|&thing| ("has-beside", vec![thing])));
        let (mut rooms, mut placed) = (FxHashMap::<&str, &str>::default(), FxHashSet::default());
        for atom in things.initial.iter().filter(|atom| atom.len() == 3 && atom[0] == INROOM && is_base(atom[1])) {
            let first = rooms.entry(atom[2]).or_insert(atom[1]);
            placed.insert(atom[1]);
            facts.insert(("in-room-of", vec![atom[1], first]));
        }
        let bases = things.names().filter(|base| is_base(base));
        facts.extend(bases.map(|base| (if placed.contains(base) { "base" } else { "base-anywhere" }, vec![base])));
    }
}

/// Returns the pairs of objects in atoms of a predicate, in the goal and the initial state.
fn pairs<'a>(things: &TaskObjects<'a>, predicate: &str) -> Vec<[&'a str; 2]> {
    let atoms = things.goal.iter().chain(&things.initial);
    atoms.filter(|atom| atom.len() == 3 && atom[0] == predicate).map(|atom| [atom[1], atom[2]]).collect()
}
