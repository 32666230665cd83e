//! An action model for household activities: what one agent with one hand can do with things, given what they are able to do.
//!
//! Things are placed only where the goal or the state at the beginning speaks of them, or where they must be to be cooked, frozen,
//! soaked or washed: pairs of things are what makes planning tasks large. What a thing is able to do comes from the
//! taxonomy, by its category.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::{AGENT, Skeleton};
use crate::ast::Problem;
use crate::ground::GroundGoal;
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};
use crate::resolve::INROOM;

/// The actions, written with the names below.
const ACTIONS: &str = include_str!("household-actions.pddl");

/// Predicates of activities that actions speak of.
const OF_ACTIVITIES: [(&str, usize); 14] = [
    ("ontop", 2),
    ("inside", 2),
    ("onfloor", 2),
    ("under", 2),
    ("nextto", 2),
    ("touching", 2),
    ("open", 1),
    ("toggled_on", 1),
    ("sliced", 1),
    ("cooked", 1),
    ("frozen", 1),
    ("soaked", 1),
    ("dusty", 1),
    ("stained", 1),
];

/// Predicates of the model: the agent, where things may go, what they can do.
const OF_MODEL: [(&str, usize); 25] = [
    ("at", 1),
    ("holding", 1),
    ("hand-empty", 0),
    ("movable", 1),
    ("exposed", 1),
    ("accessible", 1),
    ("running", 1),
    ("ground", 1),
    ("goes-ontop", 2),
    ("goes-inside", 2),
    ("goes-nextto", 2),
    ("goes-under", 2),
    ("goes-against", 2),
    ("openable", 1),
    ("toggleable", 1),
    ("sliceable", 1),
    ("slicer", 1),
    ("cookable", 1),
    ("freezable", 1),
    ("soakable", 1),
    ("heat-source", 1),
    ("cold-source", 1),
    ("water-source", 1),
    ("cleaning-tool", 1),
    ("dishwasher", 1),
];

/// Abilities of the taxonomy with the model's predicates for them.
const ABILITIES: [(&str, &str); 11] = [
    ("openable", "openable"),
    ("toggleable", "toggleable"),
    ("sliceable", "sliceable"),
    ("slicer", "slicer"),
    ("cookable", "cookable"),
    ("freezable", "freezable"),
    ("soakable", "soakable"),
    ("heatSource", "heat-source"),
    ("coldSource", "cold-source"),
    ("waterSource", "water-source"),
    ("cleaningTool", "cleaning-tool"),
];

/// Categories of what things are put on with `onfloor`, of what washes the things inside, and of what soaks them: no ability says so.
const FLOOR: &str = "floor.n.01";
const DISHWASHER: &str = "dishwasher.n.01";
const TEAPOT: &str = "teapot.n.01";

/// What an action model adds to the texts.
pub(super) struct Actions {
    /// The actions.
    pub(super) text: String,
    /// Declarations of the model's predicates.
    pub(super) predicates: Vec<String>,
    /// What holds at the beginning beside what the activity says.
    pub(super) facts: Vec<String>,
}

/// Adds the predicates that actions speak of to those of the activity.
pub(super) fn declare(skeleton: &mut Skeleton) {
    for (name, arity) in OF_ACTIVITIES {
        skeleton.predicate(name, arity);
    }
}

/// The action model of a problem whose predicates have been [declared](declare).
pub(super) fn actions(skeleton: &mut Skeleton, problem: &Problem, goal: &GroundGoal, taxonomy: &Taxonomy) -> Actions {
    let mut words: IndexMap<&str, String, FxBuildHasher> = OF_ACTIVITIES
        .iter()
        .map(|&(name, arity)| (name, skeleton.predicates[&(name.to_owned(), arity)].clone()))
        .collect();
    let mut predicates = Vec::new();
    for (name, arity) in OF_MODEL {
        let written = skeleton.names.fresh(name);
        let parameters: String = (1..=arity).map(|place| format!(" ?x{place} - object")).collect();
        predicates.push(format!("({written}{parameters})"));
        words.insert(name, written);
    }
    let things = Things::new(skeleton, problem, goal, taxonomy);
    let fact = |(predicate, things): (&str, Vec<&str>)| {
        let written = things.iter().map(|thing| &*skeleton.instances[*thing]);
        let words: Vec<&str> = std::iter::once(&*words[predicate]).chain(written).collect();
        format!("({})", words.join(" "))
    };
    let facts = things.facts().into_iter().map(fact).collect();
    Actions { text: renamed(ACTIONS, &words), predicates, facts }
}

/// The text with the predicates of the table replaced.
fn renamed(text: &str, words: &IndexMap<&str, String, FxBuildHasher>) -> String {
    let mut pieces = text.split('(');
    let mut written = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(piece.len());
        let (word, rest) = piece.split_at(end);
        written.push('(');
        written.push_str(words.get(word).map_or(word, |name| name));
        written.push_str(rest);
    }
    written
}

/// A fact: a predicate with things.
type Fact<'a> = (&'static str, Vec<&'a str>);

/// What is known of the things of an activity.
struct Things<'a> {
    /// All of them with their categories, in the order of the text, without the agent.
    all: Vec<(&'a str, Option<SynsetId>)>,
    taxonomy: &'a Taxonomy,
    /// What holds at the beginning.
    initial: IndexSet<Vec<&'a str>, FxBuildHasher>,
    /// The atoms of the goal.
    goal: Vec<Vec<&'a str>>,
    /// Where the agent is.
    start: Option<&'a str>,
}

impl<'a> Things<'a> {
    fn new(skeleton: &Skeleton, problem: &'a Problem, goal: &'a GroundGoal, taxonomy: &'a Taxonomy) -> Self {
        let written = |name: &str| skeleton.instances.contains_key(name);
        let mut known: IndexMap<&str, Option<SynsetId>, FxBuildHasher> = IndexMap::default();
        for (instance, category) in problem.instances() {
            if category != AGENT && written(&instance.text) {
                known.entry(&*instance.text).or_insert_with(|| taxonomy.synset(category));
            }
        }
        let mut initial: IndexSet<Vec<&str>, FxBuildHasher> = IndexSet::default();
        for literal in &problem.init {
            let arguments = literal.atom.arguments.iter().map(|name| &*name.text);
            let atom: Vec<&str> = std::iter::once(&*literal.atom.predicate.text).chain(arguments).collect();
            if literal.positive {
                initial.insert(atom);
            } else {
                initial.shift_remove(&atom);
            }
        }
        let agents: Vec<&str> =
            problem.instances().filter(|(_, category)| *category == AGENT).map(|(name, _)| &*name.text).collect();
        let stands = |atom: &&Vec<&'a str>| matches!(atom[..], ["onfloor", who, _] if agents.contains(&who));
        let start = initial.iter().find(stands).map(|atom| atom[2]).filter(|floor| known.contains_key(floor));
        let start = start.or_else(|| known.keys().next().copied());
        let goal = goal.atoms.iter().map(|atom| {
            let arguments = atom.arguments.iter().map(|name| &**name);
            std::iter::once(&*atom.predicate).chain(arguments).collect()
        });
        Self { all: known.into_iter().collect(), taxonomy, initial, goal: goal.collect(), start }
    }

    fn able(&self, thing: &str, ability: &str) -> bool {
        let synset = self.all.iter().find(|(name, _)| *name == thing).and_then(|(_, synset)| *synset);
        let ability = self.taxonomy.ability(ability);
        synset.zip(ability).is_some_and(|(synset, ability)| self.taxonomy.has_ability(synset, ability))
    }

    /// The things of a category and those below it.
    fn of(&self, category: &str) -> Vec<&'a str> {
        let Some(above) = self.taxonomy.synset(category) else { return Vec::new() };
        let below = |synset: SynsetId| synset == above || self.taxonomy.is_descendant(synset, above);
        self.all.iter().filter(|(_, synset)| synset.is_some_and(below)).map(|(name, _)| *name).collect()
    }

    fn able_things(&self, ability: &str) -> Vec<&'a str> {
        self.all.iter().map(|(name, _)| *name).filter(|thing| self.able(thing, ability)).collect()
    }

    /// What things are put on with `onfloor`.
    fn floors(&self) -> IndexSet<&'a str, FxBuildHasher> {
        let named = self.initial.iter().chain(&self.goal).filter(|atom| atom.len() == 3 && atom[0] == "onfloor");
        named.map(|atom| atom[2]).chain(self.of(FLOOR)).collect()
    }

    /// What can be carried: all but floors and what belongs to a room.
    fn movable(&self) -> IndexSet<&'a str, FxBuildHasher> {
        let floors = self.floors();
        let fixed = |thing: &&str| {
            floors.contains(*thing) || self.initial.iter().any(|atom| atom[0] == INROOM && atom.get(1) == Some(thing))
        };
        self.all.iter().map(|(name, _)| *name).filter(|thing| !fixed(thing)).collect()
    }

    /// The pairs for which the goal or the beginning has this predicate.
    fn pairs(&self, predicate: &str) -> Vec<[&'a str; 2]> {
        let atoms = self.goal.iter().chain(&self.initial);
        atoms.filter(|atom| atom.len() == 3 && atom[0] == predicate).map(|atom| [atom[1], atom[2]]).collect()
    }

    /// The things of which the goal has this predicate.
    fn asked(&self, predicate: &str) -> Vec<&'a str> {
        self.goal.iter().filter(|atom| atom.len() == 2 && atom[0] == predicate).map(|atom| atom[1]).collect()
    }

    /// Every fact that the model adds, each once.
    fn facts(&self) -> IndexSet<Fact<'a>, FxBuildHasher> {
        let mut facts: IndexSet<Fact<'a>, FxBuildHasher> = IndexSet::default();
        facts.insert(("hand-empty", Vec::new()));
        facts.extend(self.start.map(|start| ("at", vec![start])));
        facts.extend(self.floors().into_iter().map(|floor| ("ground", vec![floor])));
        for (ability, predicate) in ABILITIES {
            facts.extend(self.able_things(ability).into_iter().map(|thing| (predicate, vec![thing])));
        }
        facts.extend(self.of(DISHWASHER).into_iter().map(|machine| ("dishwasher", vec![machine])));
        facts.extend(self.of(TEAPOT).into_iter().map(|pot| ("water-source", vec![pot])));
        let movable = self.movable();
        for &thing in &movable {
            facts.insert(("movable", vec![thing]));
            let shut = self.initial.iter().any(|atom| atom.len() == 3 && atom[0] == "inside" && atom[1] == thing);
            if !shut {
                facts.insert(("exposed", vec![thing]));
            }
        }
        for &(thing, _) in &self.all {
            if !self.able(thing, "openable") || self.initial.contains(&vec!["open", thing]) {
                facts.insert(("accessible", vec![thing]));
            }
            if !self.able(thing, "toggleable") || self.initial.contains(&vec!["toggled_on", thing]) {
                facts.insert(("running", vec![thing]));
            }
        }
        facts.extend(self.ways(&movable));
        facts
    }

    /// Where things may go.
    fn ways(&self, movable: &IndexSet<&'a str, FxBuildHasher>) -> Vec<Fact<'a>> {
        let mut ways = Vec::new();
        for (predicate, way) in [("ontop", "goes-ontop"), ("inside", "goes-inside"), ("under", "goes-under")] {
            let pairs =
                self.pairs(predicate).into_iter().filter(|[thing, other]| thing != other && movable.contains(thing));
            ways.extend(pairs.map(|pair| (way, pair.to_vec())));
        }
        for (predicate, way) in [("nextto", "goes-nextto"), ("touching", "goes-against")] {
            let can = |pair: &[&str; 2]| pair[0] != pair[1] && pair.iter().any(|thing| movable.contains(thing));
            ways.extend(self.pairs(predicate).into_iter().filter(can).map(|pair| (way, pair.to_vec())));
        }
        let mut into = |things: &[&'a str], places: &[&'a str], way: &'static str| {
            for &thing in things.iter().filter(|thing| movable.contains(**thing)) {
                ways.extend(places.iter().filter(|place| **place != thing).map(|&place| (way, vec![thing, place])));
            }
        };
        let heat = self.able_things("heatSource");
        into(&self.asked("cooked"), &heat, "goes-inside");
        into(&self.asked("cooked"), &heat, "goes-ontop");
        into(&self.asked("frozen"), &self.able_things("coldSource"), "goes-inside");
        into(&self.asked("soaked"), &self.able_things("waterSource"), "goes-inside");
        let machines = self.of(DISHWASHER);
        into(&self.asked("stained"), &machines, "goes-inside");
        into(&self.asked("dusty"), &machines, "goes-inside");
        ways
    }
}
