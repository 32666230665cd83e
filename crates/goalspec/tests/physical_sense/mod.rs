//! Physical plausibility of plans for activities, checked by a simulation that is independent of the action model. Nothing is
//! reached inside a closed container, an object in the hand has no other place, the hand holds one object, no object is in or on
//! itself at any depth, a carried object takes along the objects in and on it, and the task and the simulation agree on places.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_bddl::ast::{DeclarationKind, Problem};
use goalspec_bddl::knowledge::Knowledge;

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
    /// The rooms that objects and the agent are in.
    rooms: BTreeMap<String, BTreeSet<String>>,
    own_rooms: BTreeSet<String>,
}

/// The fixtures of LIBERO whose regions are drawers or behind doors, except regions with [`OPEN_ENDS`].
const ARTICULATED: [&str; 5] = ["wooden_cabinet", "white_cabinet", "short_cabinet", "short_fridge", "slide_cabinet"];
const OPEN_ENDS: [&str; 2] = ["top_side", "cook_region"];

const PLACES: [&str; 5] = ["ontop", "inside", "onfloor", "on", "in"];
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
            rooms: BTreeMap::new(),
            own_rooms: BTreeSet::new(),
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
            ("inroom", [thing, room]) => {
                self.fixed.insert((*thing).to_owned());
                self.rooms.entry((*thing).to_owned()).or_default().insert((*room).to_owned());
            }
            ("future", [thing]) => drop(self.untouchable.insert((*thing).to_owned())),
            ("open" | "close", [thing]) => {
                self.shuts.insert((*thing).to_owned());
                if predicate == "open" {
                    self.open.insert((*thing).to_owned());
                }
            }
            (_, [thing, by]) if agents.contains(*thing) && PLACES.contains(&predicate) => {
                self.at = Some((*by).to_owned());
            }
            (_, [thing, _]) if agents.contains(*thing) => {}
            (_, [thing, by]) => {
                if let Some(predicate) = PLACES.into_iter().find(|known| *known == predicate) {
                    let place = Place { by: (*by).to_owned(), predicate };
                    self.places.entry((*thing).to_owned()).or_default().insert(place);
                } else if let Some(relation) = RELATIONS.into_iter().find(|known| *known == predicate) {
                    self.relations.insert((relation, (*thing).to_owned(), (*by).to_owned()));
                }
                if predicate == "onfloor" {
                    self.fixed.insert((*by).to_owned());
                }
            }
            _ => {}
        }
    }

    fn goal_doors(&mut self, condition: &goalspec_bddl::ast::Expr) {
        if let goalspec_bddl::ast::ExprKind::Atom(atom) = &condition.kind
            && matches!(&*atom.predicate.text, "open" | "close")
            && let [thing] = &atom.arguments[..]
        {
            self.shuts.insert(thing.text.to_string());
        }
        condition.operands().iter().for_each(|part| self.goal_doors(part));
    }

    /// Returns the objects that an object is directly in or on, or a part of.
    fn around(&self, thing: &str) -> impl Iterator<Item = (&str, bool)> {
        let places = self.places.get(thing).into_iter().flatten();
        let places = places.map(|place| (&*place.by, is_in(place.predicate)));
        places.chain(self.parts.get(thing).map(|target| (&**target, false)))
    }

    /// Returns the reason why an object is out of reach, if it is.
    fn out_of_reach(&self, thing: &str) -> Option<String> {
        if self.untouchable.contains(thing) {
            return Some(format!("{thing} is nothing that can be touched"));
        }
        let (mut open, mut seen) = (vec![thing.to_owned()], BTreeSet::new());
        while let Some(thing) = open.pop() {
            if self.hand.as_ref() == Some(&thing) && !seen.is_empty() {
                return Some(format!("it is in or on {thing}, which is in the hand"));
            }
            if !seen.insert(thing.clone()) {
                continue;
            }
            for (by, inside) in self.around(&thing) {
                if inside && self.is_shut(by) {
                    return Some(format!("{thing} is in {by}, which is shut"));
                }
                open.push(by.to_owned());
            }
        }
        None
    }

    /// Whether a container is closed, so that objects can neither be put in nor taken out.
    fn is_shut(&self, container: &str) -> bool {
        let door = |thing: &str| self.shuts.contains(thing) && !self.open.contains(thing);
        if door(container) {
            return true;
        }
        let behind_door = |target: &String| door(target) && !container.ends_with("top_side");
        self.parts.get(container).is_some_and(behind_door)
    }

    /// Returns an object with all objects in and on it, at any depth.
    fn aboard(&self, thing: &str) -> BTreeSet<String> {
        let mut aboard = BTreeSet::from([thing.to_owned()]);
        loop {
            let more: Vec<String> = (self.places.keys().chain(self.parts.keys()))
                .filter(|name| !aboard.contains(*name) && self.around(name).any(|(by, _)| aboard.contains(by)))
                .cloned()
                .collect();
            if more.is_empty() {
                return aboard;
            }
            aboard.extend(more);
        }
    }

    /// Returns the objects on which an object stands, directly or through others.
    fn bases(&self, thing: &str) -> BTreeSet<String> {
        let (mut bases, mut open) = (BTreeSet::new(), vec![thing.to_owned()]);
        while let Some(thing) = open.pop() {
            let on = self.around(&thing).filter(|(_, inside)| !inside).map(|(by, _)| by.to_owned());
            open.extend(on.filter(|by| bases.insert(by.clone())));
        }
        bases
    }

    fn containers(&self, thing: &str) -> BTreeSet<String> {
        self.around(thing).filter(|(_, inside)| *inside).map(|(by, _)| by.to_owned()).collect()
    }

    /// Executes a step.
    ///
    /// # Errors
    /// If the step is impossible, with the reason.
    pub(crate) fn step(&mut self, step: &str) -> Result<(), String> {
        let words: Vec<&str> = step.trim_matches(|c| c == '(' || c == ')').split_whitespace().collect();
        let (action, things) = words.split_first().ok_or("an empty step")?;
        self.act(action, things).map_err(|why| format!("{step}: {why}"))?;
        self.acyclic().map_err(|why| format!("{step}: {why}"))
    }

    fn act(&mut self, action: &str, things: &[&str]) -> Result<(), String> {
        match (action, things) {
            ("go-to", [from, to]) => {
                if self.at.as_deref().is_some_and(|at| at != *from) {
                    return Err(format!("the agent is at {:?}", self.at));
                }
                let elsewhere = |rooms: &BTreeSet<String>| rooms.is_disjoint(&self.own_rooms);
                if self.at.is_none() && !self.own_rooms.is_empty() && self.rooms.get(*from).is_some_and(elsewhere) {
                    return Err(format!("the agent begins in {:?}, and {from} is elsewhere", self.own_rooms));
                }
                self.reach(to)?;
                self.at = Some((*to).to_owned());
                Ok(())
            }
            ("grasp", [thing]) => self.standing(thing).and_then(|()| self.lift(thing)),
            ("take-out", [thing, container]) => {
                self.standing(container)?;
                if !self.containers(thing).contains(*container) {
                    return Err(format!("{thing} is not in {container}"));
                }
                self.lift(thing)
            }
            ("place-ontop", [thing, by]) => self.put(thing, by, "ontop"),
            ("place-onfloor", [thing, by]) => self.put(thing, by, "onfloor"),
            ("place-inside", [thing, by]) => self.put(thing, by, "inside"),
            ("place-on", [thing, by]) => self.put(thing, by, "on"),
            ("place-in", [thing, by]) => self.put(thing, by, "in"),
            ("push-nextto", [thing, other]) => self.push(thing, other, "nextto"),
            ("push-against", [thing, other]) => self.push(thing, other, "touching"),
            ("push-under", [thing, other]) => self.push(thing, other, "under"),
            ("open" | "close", [thing]) => {
                self.standing(thing)?;
                self.free_hand()?;
                let changes =
                    if action == "open" { self.open.insert((*thing).to_owned()) } else { self.open.remove(*thing) };
                // In LIBERO, an object may be stated to be neither open nor closed.
                if changes || action == "close" { Ok(()) } else { Err("that it is already".to_owned()) }
            }
            ("toggle-on" | "toggle-off" | "turn-on" | "turn-off", [thing]) => {
                self.standing(thing)?;
                self.free_hand()
            }
            ("slice" | "dust" | "wipe", [thing, tool]) => {
                self.held(tool)?;
                self.standing(thing)?;
                if thing == tool { Err("a tool cannot be used on itself".to_owned()) } else { Ok(()) }
            }
            ("soak", [thing, water]) => self.held(thing).and_then(|()| self.standing(water)),
            ("wring", [thing]) => self.held(thing),
            ("thaw", [thing]) => self.standing(thing),
            ("cook-inside" | "cook-ontop" | "freeze" | "soak-inside" | "wash", [thing, machine]) => {
                if self.aboard(machine).contains(*thing) {
                    Ok(())
                } else {
                    Err(format!("{thing} is not in or on {machine}"))
                }
            }
            _ => Err("no action that is known here".to_owned()),
        }
    }

    fn reach(&self, thing: &str) -> Result<(), String> {
        self.out_of_reach(thing).map_or(Ok(()), Err)
    }

    fn standing(&self, thing: &str) -> Result<(), String> {
        if self.at.as_deref() != Some(thing) {
            return Err(format!("the agent is at {:?}", self.at));
        }
        self.reach(thing)
    }

    fn free_hand(&self) -> Result<(), String> {
        self.hand.as_ref().map_or(Ok(()), |held| Err(format!("the hand holds {held}")))
    }

    fn held(&self, thing: &str) -> Result<(), String> {
        if self.hand.as_deref() == Some(thing) { Ok(()) } else { Err(format!("{thing} is not in the hand")) }
    }

    fn lift(&mut self, thing: &str) -> Result<(), String> {
        self.free_hand()?;
        self.reach(thing)?;
        if self.fixed.contains(thing) {
            return Err(format!("{thing} is fixed"));
        }
        let aboard = self.aboard(thing);
        for name in &aboard {
            if let Some(places) = self.places.get_mut(name) {
                places.retain(|place| aboard.contains(&place.by));
            }
        }
        self.relations.retain(|(_, one, other)| aboard.contains(one) == aboard.contains(other));
        self.hand = Some(thing.to_owned());
        Ok(())
    }

    fn put(&mut self, thing: &str, by: &str, predicate: &'static str) -> Result<(), String> {
        self.held(thing)?;
        self.standing(by)?;
        if is_in(predicate) && self.is_shut(by) {
            return Err(format!("{by} is shut"));
        }
        if self.aboard(thing).contains(by) {
            return Err(format!("{by} is in or on {thing}"));
        }
        self.hand = None;
        self.places.entry(thing.to_owned()).or_default().insert(Place { by: by.to_owned(), predicate });
        Ok(())
    }

    fn push(&mut self, thing: &str, other: &str, relation: &'static str) -> Result<(), String> {
        self.free_hand()?;
        self.standing(thing)?;
        self.reach(other)?;
        if self.fixed.contains(thing) || thing == other {
            return Err(format!("{thing} is fixed"));
        }
        if self.aboard(thing).contains(other) || self.aboard(other).contains(thing) {
            return Err("one is in or on the other".to_owned());
        }
        let shares = |of: fn(&Self, &str) -> BTreeSet<String>| !of(self, thing).is_disjoint(&of(self, other));
        // An object that is fixed in the room has no place of its own; the room itself is beside it.
        let in_the_room = self.fixed.contains(other) && self.around(other).next().is_none();
        let in_the_open =
            self.containers(thing).is_empty() && self.bases(thing).iter().all(|base| self.containers(base).is_empty());
        if !(shares(Self::bases) || shares(Self::containers) || (in_the_room && in_the_open)) {
            return Err(format!("{thing} and {other} are not in one place"));
        }
        self.relations.insert((relation, thing.to_owned(), other.to_owned()));
        if relation != "under" {
            self.relations.insert((relation, other.to_owned(), thing.to_owned()));
        }
        Ok(())
    }

    fn acyclic(&self) -> Result<(), String> {
        for thing in self.places.keys() {
            let inner: BTreeSet<String> = self.aboard(thing);
            if self.around(thing).any(|(by, _)| inner.contains(by)) {
                return Err(format!("{thing} is in or on itself"));
            }
        }
        Ok(())
    }

    /// Returns the places and relations in the room. An object is in all containers around it, at any depth.
    pub(crate) fn facts(&self) -> BTreeSet<(String, String, String)> {
        let mut facts = BTreeSet::new();
        for (thing, places) in &self.places {
            for place in places {
                facts.insert((place.predicate.to_owned(), thing.clone(), place.by.clone()));
                if is_in(place.predicate) {
                    for name in self.aboard(thing) {
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
        let own = self.facts();
        let known =
            |fact: &&(String, String, String)| self.places.contains_key(&fact.1) && self.places.contains_key(&fact.2);
        let missing = own.difference(stated).map(|fact| format!("not stated: {fact:?}"));
        let wrong = stated.difference(&own).filter(known).map(|fact| format!("stated: {fact:?}"));
        missing.chain(wrong).collect()
    }
}

/// Whether a predicate is a place or a relation.
pub(crate) fn is_spatial(predicate: &str) -> bool {
    PLACES.contains(&predicate) || RELATIONS.contains(&predicate)
}

#[cfg(test)]
mod tests {
    use goalspec_bddl::{Dialect, parse};
    use goalspec_syntax::Sources;

    use super::Room;

    /// Every step of these plans except the last one makes sense.
    #[test]
    fn steps_without_sense_are_told() {
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
        for (steps, why) in [
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
                assert_eq!(room.step(&text(step)), Ok(()), "{steps:?}");
            }
            let found = room.step(&text(last));
            assert!(found.as_ref().is_err_and(|found| found.contains(why)), "{steps:?}: {found:?}");
        }
    }
}
