//! Physical plausibility of plans for activities, checked by a simulation that is independent of the action model. Nothing is
//! reached inside a closed container, an object in the hand has no other place, the hand holds one object, no object is in or on
//! itself at any depth, a carried object takes along the objects in and on it, and the task and the simulation agree on places.
//! Substances come from where they are, tools remove what the knowledge base says they do, machines run while they work, and
//! recipes consume objects that are in their vessel.

mod actions;
mod matter;

use std::collections::{BTreeMap, BTreeSet};

use goalspec_bddl::ast::{DeclarationKind, Problem};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::state::Delta;
use goalspec_planning::activity::ActivityTask;

use matter::Matter;

/// Executes a plan in a room that is independent of the action model, and compares each state of the task with the room.
pub(crate) fn sense(
    household: &ActivityTask,
    problem: &Problem,
    knowledge: Option<&Knowledge>,
    plan: &Plan,
) -> Result<(), String> {
    let task = household.authored_task();
    let mut room = Room::new(problem, knowledge);
    let mut stated: BTreeSet<(String, String, String)> = BTreeSet::new();
    let mut apply = |delta: &Delta| {
        for fact in &delta.facts {
            let predicate = task.world.predicates()[fact.predicate.index()].name.to_string();
            let [left, other] = fact.arguments[..] else { continue };
            if !is_spatial(&predicate) {
                continue;
            }
            let name = |object| task.world.object_decl(object).id.to_string();
            let fact_of = (predicate, name(left), name(other));
            if fact.holds {
                stated.insert(fact_of)
            } else {
                stated.remove(&fact_of)
            };
        }
        stated.clone()
    };
    let mut execution = Execution::new(task).map_err(|id| format!("a circle through {id:?}"))?;
    let different = |room: &Room, stated: &BTreeSet<_>, step: &str| match &room.differences(stated)[..] {
        [] => Ok(()),
        some => Err(format!("after {step}: {some:?}")),
    };
    different(&room, &apply(execution.initial_delta()), "nothing")?;
    for step in &plan.steps {
        let text = step.text(task);
        let delta = execution.apply(step, &CoreNotation).map_err(|error| format!("{text}: {error:?}"))?;
        let mut transition = Transition::default();
        for fact in delta.facts.iter().filter(|fact| &*task.world.predicates()[fact.predicate.index()].name == "real") {
            let name = task.world.object_decl(fact.arguments[0]).id.to_string();
            if fact.holds {
                transition.made.insert(name)
            } else {
                transition.consumed.insert(name)
            };
        }
        room.step(&text, &transition)?;
        different(&room, &apply(&delta), &text)?;
    }
    Ok(())
}

/// A place: the object that another one is in or on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    by: String,
    predicate: &'static str,
}

/// A room with objects, one agent and its hand.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    places: BTreeMap<String, BTreeSet<Place>>,
    /// Pairs of objects that are next to, under or against one another.
    relations: BTreeSet<(&'static str, String, String)>,
    parts: BTreeMap<String, String>,
    fixed: BTreeSet<String>,
    /// Objects that cannot be touched: those that do not exist yet, and substances.
    untouchable: BTreeSet<String>,
    /// Objects with a door, and drawers.
    shuts: BTreeSet<String>,
    open: BTreeSet<String>,
    hand: Option<String>,
    at: Option<String>,
    /// The pieces of an object that the agent has just cut. It is at each of them.
    beside: BTreeSet<String>,
    /// The rooms that objects and the agent are in.
    rooms: BTreeMap<String, BTreeSet<String>>,
    own_rooms: BTreeSet<String>,
    matter: Matter,
}

/// The objects that a step of a plan makes and consumes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transition {
    pub(crate) made: BTreeSet<String>,
    pub(crate) consumed: BTreeSet<String>,
}

/// The fixtures of LIBERO whose regions are drawers or behind doors, except regions with [`OPEN_ENDS`].
const ARTICULATED: [&str; 5] = ["wooden_cabinet", "white_cabinet", "short_cabinet", "short_fridge", "slide_cabinet"];
const OPEN_ENDS: [&str; 2] = ["top_side", "cook_region"];

const PLACES: [&str; 8] = ["ontop", "inside", "onfloor", "on", "in", "overlaid", "draped", "attached"];
const RELATIONS: [&str; 3] = ["nextto", "touching", "under"];

fn is_in(predicate: &str) -> bool {
    matches!(predicate, "inside" | "in")
}

impl Room {
    /// Returns the room in the initial state of an activity.
    pub(crate) fn new(problem: &Problem, knowledge: Option<&Knowledge>) -> Self {
        let able = |category: &str, ability: &str| {
            knowledge.map(Knowledge::taxonomy).is_some_and(|taxonomy| {
                let known = taxonomy.synset(category).zip(taxonomy.ability(ability));
                known.is_some_and(|(synset, ability)| taxonomy.has_ability(synset, ability))
            })
        };
        let mut room = Self {
            places: BTreeMap::new(),
            relations: BTreeSet::new(),
            parts: BTreeMap::new(),
            fixed: BTreeSet::new(),
            untouchable: BTreeSet::new(),
            shuts: BTreeSet::new(),
            open: BTreeSet::new(),
            hand: None,
            at: None,
            beside: BTreeSet::new(),
            rooms: BTreeMap::new(),
            own_rooms: BTreeSet::new(),
            matter: Matter::new(problem, knowledge),
        };
        let mut agents = BTreeSet::new();
        let articulated: BTreeSet<&str> = problem
            .declarations()
            .filter(|declaration| ARTICULATED.contains(&declaration.category))
            .map(|declaration| &*declaration.name.text)
            .collect();
        for declaration in problem.declarations() {
            let (name, category) = (declaration.name.text.to_string(), declaration.category);
            if category == "agent.n.01" {
                agents.insert(name);
                continue;
            }
            room.places.entry(name.clone()).or_default();
            if able(category, "openable") {
                room.shuts.insert(name.clone());
            }
            if able(category, "substance") {
                room.untouchable.insert(name.clone());
            }
            match declaration.kind {
                DeclarationKind::Instance => {}
                DeclarationKind::Fixture => drop(room.fixed.insert(name)),
                DeclarationKind::Region { target } => {
                    room.fixed.insert(name.clone());
                    let is_part = target.is_some_and(|target| articulated.contains(&*target.text));
                    if is_part && !OPEN_ENDS.iter().any(|end| name.ends_with(end)) {
                        room.shuts.insert(name.clone());
                    }
                    room.parts.extend(target.map(|target| (name, target.text.to_string())));
                }
            }
        }
        for literal in problem.init.iter().filter(|literal| literal.positive) {
            let words: Vec<&str> = literal.atom.arguments.iter().map(|name| &*name.text).collect();
            room.begin(&literal.atom.predicate.text, &words, &agents);
        }
        // The goals name the objects that LIBERO's simulator opens and closes.
        for condition in &problem.goal {
            room.goal_doors(condition);
        }
        room
    }

    fn begin(&mut self, predicate: &str, words: &[&str], agents: &BTreeSet<String>) {
        match (predicate, words) {
            ("inroom", [agent, room]) if agents.contains(*agent) => drop(self.own_rooms.insert((*room).to_owned())),
            ("inroom", [object, room]) => {
                self.fixed.insert((*object).to_owned());
                self.rooms.entry((*object).to_owned()).or_default().insert((*room).to_owned());
            }
            ("future", [object]) => drop(self.untouchable.insert((*object).to_owned())),
            ("open" | "close", [object]) => {
                self.shuts.insert((*object).to_owned());
                if predicate == "open" {
                    self.open.insert((*object).to_owned());
                }
            }
            (_, [object, support]) if agents.contains(*object) && PLACES.contains(&predicate) => {
                self.at = Some((*support).to_owned());
            }
            (_, [object, _]) if agents.contains(*object) => {}
            (_, [object, support]) => {
                if let Some(predicate) = PLACES.into_iter().find(|known| *known == predicate) {
                    let place = Place { by: (*support).to_owned(), predicate };
                    self.places.entry((*object).to_owned()).or_default().insert(place);
                } else if let Some(relation) = RELATIONS.into_iter().find(|known| *known == predicate) {
                    self.relations.insert((relation, (*object).to_owned(), (*support).to_owned()));
                }
                if predicate == "onfloor" {
                    self.fixed.insert((*support).to_owned());
                }
            }
            _ => {}
        }
    }

    fn goal_doors(&mut self, condition: &goalspec_bddl::ast::Expr) {
        if let goalspec_bddl::ast::ExprKind::Atom(atom) = &condition.kind
            && matches!(&*atom.predicate.text, "open" | "close")
            && let [object] = &atom.arguments[..]
        {
            self.shuts.insert(object.text.to_string());
        }
        condition.operands().iter().for_each(|part| self.goal_doors(part));
    }

    /// Returns the objects that an object is directly in or on, or a part of.
    fn around(&self, object: &str) -> impl Iterator<Item = (&str, bool)> {
        let places = self.places.get(object).into_iter().flatten();
        let places = places.map(|place| (&*place.by, is_in(place.predicate)));
        places.chain(self.parts.get(object).map(|target| (&**target, false)))
    }

    /// Returns the reason why an object is out of reach, if it is.
    fn out_of_reach(&self, object: &str) -> Option<String> {
        if self.untouchable.contains(object) {
            return Some(format!("{object} is nothing that can be touched"));
        }
        let (mut open, mut seen) = (vec![object.to_owned()], BTreeSet::new());
        while let Some(object) = open.pop() {
            if self.hand.as_ref() == Some(&object) && !seen.is_empty() {
                return Some(format!("it is in or on {object}, which is in the hand"));
            }
            if !seen.insert(object.clone()) {
                continue;
            }
            for (support, inside) in self.around(&object) {
                if inside && self.is_shut(support) {
                    return Some(format!("{object} is in {support}, which is shut"));
                }
                open.push(support.to_owned());
            }
        }
        None
    }

    /// Whether a container is closed, so that objects can neither be put in nor taken out.
    fn is_shut(&self, container: &str) -> bool {
        let door = |object: &str| self.shuts.contains(object) && !self.open.contains(object);
        if door(container) {
            return true;
        }
        let behind_door = |target: &String| door(target) && !container.ends_with("top_side");
        self.parts.get(container).is_some_and(behind_door)
    }

    /// Returns an object with all objects in and on it, at any depth.
    fn aboard(&self, object: &str) -> BTreeSet<String> {
        let mut carried = BTreeSet::from([object.to_owned()]);
        loop {
            let more: Vec<String> = (self.places.keys().chain(self.parts.keys()))
                .filter(|name| {
                    !carried.contains(*name) && self.around(name).any(|(support, _)| carried.contains(support))
                })
                .cloned()
                .collect();
            if more.is_empty() {
                return carried;
            }
            carried.extend(more);
        }
    }

    /// Returns the objects on which an object stands, directly or through others.
    fn bases(&self, object: &str) -> BTreeSet<String> {
        let (mut bases, mut open) = (BTreeSet::new(), vec![object.to_owned()]);
        while let Some(object) = open.pop() {
            let on = self.around(&object).filter(|(_, inside)| !inside).map(|(support, _)| support.to_owned());
            open.extend(on.filter(|support| bases.insert(support.clone())));
        }
        bases
    }

    fn containers(&self, object: &str) -> BTreeSet<String> {
        self.around(object).filter(|(_, inside)| *inside).map(|(support, _)| support.to_owned()).collect()
    }

    /// Whether an object is in or on another one, at any depth.
    fn within(&self, object: &str, machine: &str) -> Result<(), String> {
        if self.untouchable.contains(object) {
            return Err(format!("{object} does not exist"));
        }
        if self.aboard(machine).contains(object) { Ok(()) } else { Err(format!("{object} is not in or on {machine}")) }
    }

    fn opened(&self, vessel: &str) -> Result<(), String> {
        if self.is_shut(vessel) { Err(format!("{vessel} is shut")) } else { Ok(()) }
    }

    fn reach(&self, object: &str) -> Result<(), String> {
        self.out_of_reach(object).map_or(Ok(()), Err)
    }

    fn standing(&self, object: &str) -> Result<(), String> {
        if self.at.as_deref() != Some(object) && !self.beside.contains(object) {
            return Err(format!("the agent is at {:?}", self.at));
        }
        self.reach(object)
    }

    fn free_hand(&self) -> Result<(), String> {
        self.hand.as_ref().map_or(Ok(()), |held| Err(format!("the hand holds {held}")))
    }

    fn held(&self, object: &str) -> Result<(), String> {
        if self.hand.as_deref() == Some(object) { Ok(()) } else { Err(format!("{object} is not in the hand")) }
    }

    fn lift(&mut self, object: &str) -> Result<(), String> {
        self.free_hand()?;
        self.reach(object)?;
        if self.fixed.contains(object) {
            return Err(format!("{object} is fixed"));
        }
        let carried = self.aboard(object);
        for name in &carried {
            if let Some(places) = self.places.get_mut(name) {
                places.retain(|place| carried.contains(&place.by));
            }
        }
        self.relations.retain(|(_, one, other)| carried.contains(one) == carried.contains(other));
        self.hand = Some(object.to_owned());
        Ok(())
    }

    fn put(&mut self, object: &str, support: &str, predicate: &'static str) -> Result<(), String> {
        self.held(object)?;
        self.standing(support)?;
        if is_in(predicate) && self.is_shut(support) {
            return Err(format!("{support} is shut"));
        }
        if self.aboard(object).contains(support) {
            return Err(format!("{support} is in or on {object}"));
        }
        self.hand = None;
        self.places.entry(object.to_owned()).or_default().insert(Place { by: support.to_owned(), predicate });
        Ok(())
    }

    fn push(&mut self, object: &str, other: &str, relation: &'static str) -> Result<(), String> {
        self.free_hand()?;
        self.standing(object)?;
        self.reach(other)?;
        if self.fixed.contains(object) || object == other {
            return Err(format!("{object} is fixed"));
        }
        if self.aboard(object).contains(other) || self.aboard(other).contains(object) {
            return Err("one is in or on the other".to_owned());
        }
        let shares = |of: fn(&Self, &str) -> BTreeSet<String>| !of(self, object).is_disjoint(&of(self, other));
        // An object that is fixed in the room has no position of its own; the room itself counts as adjacent.
        let in_the_room = self.fixed.contains(other) && self.around(other).next().is_none();
        let in_the_open = self.containers(object).is_empty()
            && self.bases(object).iter().all(|base| self.containers(base).is_empty());
        if !(shares(Self::bases) || shares(Self::containers) || (in_the_room && in_the_open)) {
            return Err(format!("{object} and {other} are not in one place"));
        }
        self.relations.insert((relation, object.to_owned(), other.to_owned()));
        if relation != "under" {
            self.relations.insert((relation, other.to_owned(), object.to_owned()));
        }
        Ok(())
    }

    fn acyclic(&self) -> Result<(), String> {
        for object in self.places.keys() {
            let inner: BTreeSet<String> = self.aboard(object);
            if self.around(object).any(|(support, _)| inner.contains(support)) {
                return Err(format!("{object} is in or on itself"));
            }
        }
        Ok(())
    }

    /// Returns the places and relations in the room. An object is in all containers around it, at any depth.
    pub(crate) fn facts(&self) -> BTreeSet<(String, String, String)> {
        let mut facts = BTreeSet::new();
        for (object, places) in &self.places {
            for place in places {
                facts.insert((place.predicate.to_owned(), object.clone(), place.by.clone()));
                if is_in(place.predicate) {
                    for name in self.aboard(object) {
                        facts.insert((place.predicate.to_owned(), name, place.by.clone()));
                    }
                }
            }
        }
        for (relation, one, other) in &self.relations {
            facts.insert(((*relation).to_owned(), one.clone(), other.clone()));
        }
        facts
    }

    /// Returns the differences between the room and a state of the task. `stated` are all places and relations in the state.
    pub(crate) fn differences(&self, stated: &BTreeSet<(String, String, String)>) -> Vec<String> {
        let actual = self.facts();
        let known =
            |fact: &&(String, String, String)| self.places.contains_key(&fact.1) && self.places.contains_key(&fact.2);
        let missing = actual.difference(stated).map(|fact| format!("not stated: {fact:?}"));
        let differences = stated.difference(&actual).filter(known).map(|fact| format!("stated: {fact:?}"));
        missing.chain(differences).collect()
    }
}

/// Whether a predicate is a place or a relation.
fn is_spatial(predicate: &str) -> bool {
    PLACES.contains(&predicate) || RELATIONS.contains(&predicate)
}

#[cfg(test)]
mod tests {
    use goalspec_bddl::{Dialect, parse};
    use goalspec_syntax::Sources;

    use super::{Room, Transition};

    /// Every step of these plans except the last one makes sense.
    #[test]
    fn malformed_steps_are_reported() {
        let text = "(define (problem p) (:domain igibson)
            (:objects apple.n.01_1 - apple.n.01 box.n.01_1 box.n.01_2 - box.n.01 fridge.n.01_1 - fridge.n.01
                rag.n.01_1 - rag.n.01 floor.n.01_1 - floor.n.01 table.n.02_1 - table.n.02 agent.n.01_1 - agent.n.01)
            (:init (onfloor agent.n.01_1 floor.n.01_1) (inroom fridge.n.01_1 kitchen) (inroom table.n.02_1 kitchen)
                (inside apple.n.01_1 fridge.n.01_1) (onfloor box.n.01_1 floor.n.01_1) (ontop box.n.01_2 table.n.02_1)
                (ontop rag.n.01_1 table.n.02_1))
            (:goal (open ?fridge.n.01_1)))";
        let mut sources = Sources::new();
        let source = sources.add("p", text);
        let problem = parse::parse(sources.file(source), Dialect::STRICT).problems.remove(0);
        for (steps, reason) in [
            (&["go-to floor apple"][..], "which is shut"),
            (&["go-to table rag"], "the agent is at"),
            (
                &["go-to floor fridge", "open fridge", "go-to fridge box1", "grasp box1", "open fridge"],
                "the agent is at",
            ),
            (&["go-to floor fridge", "open fridge", "open fridge"], "already"),
            (&["go-to floor fridge", "grasp fridge"], "is fixed"),
            (&["go-to floor fridge", "place-inside rag fridge"], "not in the hand"),
            (&["go-to floor rag", "grasp rag", "go-to rag box1", "grasp box1"], "the hand holds"),
            (&["go-to floor rag", "grasp rag", "go-to rag fridge", "place-inside rag fridge"], "is shut"),
            (&["go-to floor rag", "grasp rag", "go-to rag fridge", "open fridge"], "the hand holds"),
            (&["go-to floor rag", "push-nextto rag box1"], "not in one place"),
            (&["go-to floor rag", "wipe rag rag"], "not in the hand"),
            (
                &[
                    "go-to floor box1",
                    "grasp box1",
                    "go-to box1 box2",
                    "place-inside box1 box2",
                    "go-to box2 box1",
                    "go-to box1 box2",
                    "grasp box2",
                    "go-to box2 box1",
                ],
                "which is in the hand",
            ),
            (&["go-to floor rag", "cook-inside rag fridge"], "not in or on"),
        ] {
            let mut room = Room::new(&problem, None);
            room.shuts.insert("fridge.n.01_1".to_owned());
            let whole = |word: &str| match word {
                "apple" | "rag" | "floor" | "fridge" => format!("{word}.n.01_1"),
                "table" => "table.n.02_1".to_owned(),
                "box1" | "box2" => word.replace("box", "box.n.01_"),
                action => action.to_owned(),
            };
            let (last, before) = steps.split_last().expect("there are steps");
            let text = |step: &str| step.split(' ').map(whole).collect::<Vec<_>>().join(" ");
            for step in before {
                assert_eq!(room.step(&text(step), &Transition::default()), Ok(()), "{steps:?}");
            }
            let found = room.step(&text(last), &Transition::default());
            assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{steps:?}: {found:?}");
        }
    }
}
