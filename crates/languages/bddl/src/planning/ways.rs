//! Where things may go, and what follows from that for good.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::things::{Fact, Support, Things};
use crate::resolve::INROOM;

/// Where things may go.
#[derive(Debug, Default)]
pub(super) struct Ways<'a> {
    /// The model's facts about that.
    facts: IndexSet<Fact<'a>, FxBuildHasher>,
    /// What each thing may ever be in or on, parts of it included.
    parents: FxHashMap<&'a str, Vec<Support<'a>>>,
    /// Things that nothing can shut in, carry or hold.
    pub(super) open_air: FxHashSet<&'a str>,
    /// Whether something that may hold other things may itself be in or on a thing.
    pub(super) is_stacked: bool,
}

impl<'a> Ways<'a> {
    pub(super) fn new(things: &Things<'a>) -> Self {
        let mut ways = Self::default();
        ways.placements(things);
        ways.preparations(things);
        ways.carriers(things);
        ways.neighbourhoods(things);
        ways.find_parents(things);
        ways.find_open_air(things);
        let holds: FxHashSet<&str> = ways.parents.values().flatten().map(|parent| parent.by).collect();
        let is_stacked = |holder: &&str| {
            let mut parents = ways.parents.get(*holder).into_iter().flatten();
            parents.any(|parent| !things.floors.contains(parent.by) || parent.is_inside)
        };
        ways.is_stacked = holds.iter().any(is_stacked);
        ways
    }

    fn add(&mut self, predicate: &'static str, words: Vec<&'a str>) {
        self.facts.insert((predicate, words));
    }

    /// Where the goal or the beginning has things, and floors.
    fn placements(&mut self, things: &Things<'a>) {
        let model = things.model;
        for (predicate, way) in [(model.on, "goes-ontop"), (model.inside, "goes-inside"), ("under", "goes-under")] {
            for [thing, other] in pairs(things, predicate) {
                if thing != other && things.is_movable(thing) && things.is_there(other) {
                    self.add(way, vec![thing, other]);
                }
            }
        }
        for (predicate, way) in [("nextto", "goes-nextto"), ("touching", "goes-against")] {
            for [thing, other] in pairs(things, predicate) {
                for [mover, place] in [[thing, other], [other, thing]] {
                    if thing != other && things.is_movable(mover) && things.is_there(place) {
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

    /// Where things must be to be cooked, frozen, soaked or washed.
    fn preparations(&mut self, things: &Things<'a>) {
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
            for &place in places.iter().filter(|place| things.is_there(place)) {
                asked.iter().filter(|thing| **thing != place).for_each(|&thing| self.add(way, vec![thing, place]));
            }
        }
    }

    /// What a thing is to be in or on goes with it into what that is to be inside of.
    fn carriers(&mut self, things: &Things<'a>) {
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
                if carrier != container && things.is_movable(carrier) && things.is_there(container) {
                    self.add("goes-inside", vec![carrier, container]);
                }
            }
        }
    }

    /// What is to be beside another thing goes where that one is to be, or else is.
    fn neighbourhoods(&mut self, things: &Things<'a>) {
        let model = things.model;
        let way = |is_inside: bool| if is_inside { "goes-inside" } else { "goes-ontop" };
        let near = |atom: &&Vec<&str>| atom.len() == 3 && ["nextto", "touching", "under"].contains(&atom[0]);
        for atom in things.goal.iter().filter(near) {
            for [mover, place] in [[atom[1], atom[2]], [atom[2], atom[1]]] {
                let wanted = things.goal.iter().filter(|other| other.len() == 3 && other[1] == place);
                let wanted = wanted.filter(|other| other[0] == model.on || other[0] == model.inside);
                let mut parents: Vec<Support<'_>> =
                    wanted.map(|other| Support { by: other[2], is_inside: other[0] == model.inside }).collect();
                if parents.is_empty() {
                    parents = things.supports(place).to_vec();
                }
                // Floors have ways of their own.
                parents.retain(|parent| ![mover, place].contains(&parent.by) && !things.floors.contains(parent.by));
                if things.is_movable(mover) {
                    let there = parents.into_iter().filter(|parent| things.is_there(parent.by));
                    there.for_each(|parent| self.add(way(parent.is_inside), vec![mover, parent.by]));
                }
            }
        }
    }

    fn find_parents(&mut self, things: &Things<'a>) {
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

    /// A thing is in the open for good if all that it may ever be in or on is, cannot be moved, and cannot be shut; and if it is moved
    /// itself, nothing goes with it.
    fn find_open_air(&mut self, things: &Things<'a>) {
        let holds: FxHashSet<&str> = self.parents.values().flatten().map(|parent| parent.by).collect();
        let mut open: FxHashSet<&str> = things.names().filter(|name| things.is_there(name)).collect();
        open.retain(|name| !things.is_movable(name) || !holds.contains(name));
        let children = self.children();
        let is_shut_in = |thing: &str, open: &FxHashSet<&str>| {
            self.parents.get(thing).into_iter().flatten().any(|parent| {
                let shuts = parent.is_inside && things.shut_by(parent.by).is_some();
                shuts || things.is_movable(parent.by) || !open.contains(parent.by)
            })
        };
        let mut closed: Vec<&str> = open.iter().copied().filter(|thing| is_shut_in(thing, &open)).collect();
        while let Some(thing) = closed.pop() {
            if open.remove(thing) {
                closed.extend(children.get(thing).into_iter().flatten());
            }
        }
        self.open_air = open;
    }

    /// What may be in or on each thing.
    fn children(&self) -> FxHashMap<&'a str, Vec<&'a str>> {
        let mut children: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (thing, parents) in &self.parents {
            for parent in parents {
                children.entry(parent.by).or_default().push(thing);
            }
        }
        children
    }

    /// What a thing may be in or on, at any depth.
    pub(super) fn around(&self, thing: &'a str) -> FxHashSet<&'a str> {
        let (mut around, mut open) = (FxHashSet::default(), vec![thing]);
        while let Some(thing) = open.pop() {
            let parents = self.parents.get(thing).into_iter().flatten();
            open.extend(parents.map(|parent| parent.by).filter(|by| around.insert(*by)));
        }
        around
    }

    /// The model's facts about where things may go.
    pub(super) fn facts(&self, things: &Things<'a>) -> IndexSet<Fact<'a>, FxBuildHasher> {
        let mut facts = self.facts.clone();
        for parents in things.names().filter_map(|name| self.parents.get(name)) {
            for parent in parents {
                if parent.is_inside {
                    facts.insert(("container", vec![parent.by]));
                }
                // Regions move with the thing that they are parts of.
                let carriers = std::iter::once(parent.by).chain(self.around(parent.by));
                for carrier in carriers.filter(|by| things.is_movable(by)) {
                    facts.insert(("carrier", vec![carrier]));
                    facts.insert(("same", vec![carrier, carrier]));
                }
            }
        }
        self.arrangements(things, &mut facts);
        facts
    }

    /// What is arranged beside other things, and beside what it can stand.
    fn arrangements(&self, things: &Things<'a>, facts: &mut IndexSet<Fact<'a>, FxBuildHasher>) {
        let mut beside: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        let mut arranged: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        for (way, words) in &self.facts {
            if let ("goes-nextto" | "goes-against" | "goes-under", &[thing, other]) = (*way, &words[..]) {
                for one in [thing, other] {
                    arranged.insert(one);
                    arranged.extend(self.around(one));
                }
                if !things.is_movable(other) && self.open_air.contains(other) {
                    beside.insert(other);
                }
            }
        }
        facts.extend(arranged.iter().map(|&thing| ("arranged", vec![thing])));
        let bases = things.names().filter(|base| !things.is_movable(base) && self.open_air.contains(base));
        for base in bases {
            let rooms = rooms(things, base);
            for &other in beside.iter().filter(|other| **other != base) {
                let others = self::rooms(things, other);
                if rooms.is_empty() || others.is_empty() || rooms.iter().any(|room| others.contains(room)) {
                    facts.insert(("beside", vec![base, other]));
                }
            }
        }
    }
}

/// The rooms that a thing is said to be in.
fn rooms<'a>(things: &Things<'a>, thing: &str) -> Vec<&'a str> {
    let inroom = things.initial.iter().filter(|atom| atom.len() == 3 && atom[0] == INROOM && atom[1] == thing);
    inroom.map(|atom| atom[2]).collect()
}

/// The pairs for which the goal or the beginning has a predicate.
fn pairs<'a>(things: &Things<'a>, predicate: &str) -> Vec<[&'a str; 2]> {
    let atoms = things.goal.iter().chain(&things.initial);
    atoms.filter(|atom| atom.len() == 3 && atom[0] == predicate).map(|atom| [atom[1], atom[2]]).collect()
}
