//! The actions of plans in a room: movements, substances, machines and recipes.

use std::collections::BTreeSet;

use super::{Place, Room, Transition};

impl Room {
    /// Executes a step.
    ///
    /// # Errors
    /// If the step is impossible, with the reason.
    pub(crate) fn step(&mut self, step: &str, transition: &Transition) -> Result<(), String> {
        let words: Vec<&str> = step.trim_matches(|c| c == '(' || c == ')').split_whitespace().collect();
        let (action, arguments) = words.split_first().ok_or("an empty step")?;
        let result = if transition.made.is_empty() && transition.consumed.is_empty() {
            self.act(action, arguments)
        } else {
            self.transform(action, arguments, transition)
        };
        result.map_err(|error| format!("{step}: {error}"))?;
        self.acyclic().map_err(|error| format!("{step}: {error}"))
    }

    fn act(&mut self, action: &str, arguments: &[&str]) -> Result<(), String> {
        match (action, arguments) {
            ("go-to", [from, to]) => {
                if self.at.as_deref().is_some_and(|at| at != *from)
                    || !self.beside.is_empty() && !self.beside.contains(*from)
                {
                    return Err(format!("the agent is at {:?}", self.at));
                }
                let elsewhere = |rooms: &BTreeSet<String>| rooms.is_disjoint(&self.own_rooms);
                if self.at.is_none() && !self.own_rooms.is_empty() && self.rooms.get(*from).is_some_and(elsewhere) {
                    return Err(format!("the agent begins in {:?}, and {from} is elsewhere", self.own_rooms));
                }
                self.reach(to)?;
                self.beside.clear();
                self.at = Some((*to).to_owned());
                Ok(())
            }
            ("grasp", [object]) => self.standing(object).and_then(|()| self.lift(object)),
            ("take-out", [object, container]) => {
                self.standing(container)?;
                if !self.containers(object).contains(*container) {
                    return Err(format!("{object} is not in {container}"));
                }
                self.lift(object)
            }
            ("place-ontop", [object, support]) => self.put(object, support, "ontop"),
            ("place-onfloor", [object, support]) => self.put(object, support, "onfloor"),
            ("place-inside", [object, support]) => self.put(object, support, "inside"),
            ("place-on", [object, support]) => self.put(object, support, "on"),
            ("place-in", [object, support]) => self.put(object, support, "in"),
            ("overlay", [object, support]) => self.put(object, support, "overlaid"),
            ("drape", [object, support]) => self.put(object, support, "draped"),
            ("attach", [object, support]) => self.put(object, support, "attached"),
            ("push-nextto", [object, other]) => self.push(object, other, "nextto"),
            ("push-against", [object, other]) => self.push(object, other, "touching"),
            ("push-under", [object, other]) => self.push(object, other, "under"),
            ("open" | "close", [object]) => {
                self.standing(object)?;
                self.free_hand()?;
                let changes =
                    if action == "open" { self.open.insert((*object).to_owned()) } else { self.open.remove(*object) };
                self.matter.set_open(object, action == "open");
                // In LIBERO, an object may be stated to be neither open nor closed.
                if changes || action == "close" { Ok(()) } else { Err("that it is already".to_owned()) }
            }
            ("toggle-on" | "toggle-off" | "turn-on" | "turn-off", [object]) => {
                self.standing(object)?;
                self.free_hand()?;
                self.matter.switch(object, action.ends_with("on"));
                Ok(())
            }
            ("fold" | "unfold" | "smash", [object]) => self.standing(object).and_then(|()| self.free_hand()),
            ("cool" | "thaw", [object]) => self.standing(object),
            ("light", [object, fire]) => {
                self.held(fire)?;
                self.standing(object)?;
                self.matter.runs(fire)
            }
            ("slice" | "dust" | "wipe", [object, tool]) => {
                self.held(tool)?;
                self.standing(object)?;
                if object == tool { Err("a tool cannot be used on itself".to_owned()) } else { Ok(()) }
            }
            ("soak", [object, water]) => self.held(object).and_then(|()| self.standing(water)),
            ("wring", [object]) => self.held(object),
            (
                "cook-inside" | "cook-ontop" | "heat-inside" | "heat-ontop" | "ignite" | "freeze" | "soak-inside"
                | "wash",
                [object, machine],
            ) => {
                self.within(object, machine)?;
                self.matter.works(machine)
            }
            ("machine-dry", [object, substance, machine]) => {
                self.within(object, machine)?;
                self.matter.works(machine)?;
                self.matter.dry(object, substance);
                Ok(())
            }
            ("machine-wash", [object, substance, machine]) => {
                self.within(object, machine)?;
                self.matter.works(machine)?;
                self.matter.machine_wash(object, substance, None)
            }
            ("machine-wash-with", [object, substance, agent, machine]) => {
                self.within(object, machine)?;
                self.matter.works(machine)?;
                self.matter.has(machine, agent)?;
                self.matter.machine_wash(object, substance, Some(agent))
            }
            _ => self.handle_substance(action, arguments),
        }
    }

    /// Executes a step that moves, applies or removes a substance.
    fn handle_substance(&mut self, action: &str, arguments: &[&str]) -> Result<(), String> {
        match (action, arguments) {
            ("wipe-off" | "wipe-off-running", [object, substance, tool]) => {
                self.held(tool)?;
                self.standing(object)?;
                self.matter.wipe(object, substance, tool, None)
            }
            ("wipe-off-with", [object, substance, tool, agent]) => {
                self.held(tool)?;
                self.standing(object)?;
                self.matter.wipe(object, substance, tool, Some(agent))
            }
            ("wring-out", [object, substance]) => {
                self.held(object)?;
                self.matter.wring(object, substance);
                Ok(())
            }
            ("run-in", [source, substance]) => {
                self.standing(source)?;
                self.matter.flows(source, substance, true)?;
                self.matter.fill(source, substance)
            }
            ("fill" | "wet" | "rinse", [object, source, substance]) => {
                self.held(object)?;
                self.standing(source)?;
                self.matter.flows(source, substance, true)?;
                self.deliver(action, object, substance)
            }
            ("spray" | "spray-into" | "spray-cloth", [source, object, substance]) => {
                self.held(source)?;
                self.standing(object)?;
                self.matter.flows(source, substance, false)?;
                self.deliver(action, object, substance)
            }
            ("scoop" | "dip" | "coat", [object, vessel, substance]) => {
                self.held(object)?;
                self.standing(vessel)?;
                self.opened(vessel)?;
                self.matter.has(vessel, substance)?;
                self.deliver(action, object, substance)
            }
            ("pour" | "pour-over" | "pour-onto-cloth", [vessel, object, substance]) => {
                self.held(vessel)?;
                self.standing(object)?;
                self.opened(vessel)?;
                self.matter.has(vessel, substance)?;
                self.deliver(action, object, substance)
            }
            ("pour-away" | "empty", [vessel, substance, place]) => {
                self.held(vessel)?;
                self.standing(place)?;
                self.opened(vessel)?;
                self.matter.has(vessel, substance)?;
                self.matter.remove(vessel, substance);
                if action == "empty" { self.deliver("pour", place, substance) } else { Ok(()) }
            }
            _ => Err("no action that is known here".to_owned()),
        }
    }

    /// Brings a substance into a vessel, into a cloth, or over an object.
    fn deliver(&mut self, action: &str, object: &str, substance: &str) -> Result<(), String> {
        match action {
            "fill" | "scoop" | "pour" | "spray-into" => {
                self.opened(object)?;
                self.matter.fill(object, substance)
            }
            "wet" | "dip" | "pour-onto-cloth" | "spray-cloth" => self.matter.saturate(object, substance),
            _ => {
                self.matter.cover(object, substance);
                Ok(())
            }
        }
    }

    /// Executes a step that makes objects or substances of others.
    fn transform(&mut self, action: &str, arguments: &[&str], transition: &Transition) -> Result<(), String> {
        match (action, arguments) {
            ("cook-recipe", [_, vessel, heat]) => {
                if !self.around(vessel).any(|(support, _)| support == *heat) {
                    return Err(format!("{vessel} is not in or on {heat}"));
                }
                self.matter.works(heat)?;
                self.brew(vessel, transition)
            }
            ("boil-recipe" | "run-recipe", [_, machine]) => {
                self.matter.works(machine)?;
                self.brew(machine, transition)
            }
            ("mix-recipe", [_, vessel, stick]) => {
                self.held(stick)?;
                self.standing(vessel)?;
                self.opened(vessel)?;
                self.brew(vessel, transition)
            }
            ("slice-into", [_, object, knife]) => {
                self.held(knife)?;
                self.standing(object)?;
                let places = self.places.get(*object).cloned().unwrap_or_default();
                self.consume(object, transition)?;
                for made in &transition.made {
                    self.untouchable.remove(made);
                    self.places.insert(made.clone(), places.clone());
                }
                self.at = None;
                self.beside.clone_from(&transition.made);
                Ok(())
            }
            ("dice-inside", [_, object, pieces, vessel, knife]) => {
                self.held(knife)?;
                self.standing(vessel)?;
                self.opened(vessel)?;
                if !self.containers(object).contains(*vessel) {
                    return Err(format!("{object} is not in {vessel}"));
                }
                self.consume(object, transition)?;
                self.matter.fill(vessel, pieces)
            }
            ("dice-ontop", [_, object, pieces, surface, knife]) => {
                self.held(knife)?;
                self.standing(object)?;
                if !self.bases(object).contains(*surface) {
                    return Err(format!("{object} is not on {surface}"));
                }
                self.consume(object, transition)?;
                self.matter.cover(surface, pieces);
                self.beside.clear();
                self.at = Some((*surface).to_owned());
                Ok(())
            }
            _ => Err("no action that makes or consumes something".to_owned()),
        }
    }

    /// Makes the products of a recipe from what is in a vessel.
    fn brew(&mut self, vessel: &str, transition: &Transition) -> Result<(), String> {
        for object in &transition.consumed {
            if !self.aboard(vessel).contains(object) {
                return Err(format!("{object} is not in {vessel}"));
            }
        }
        for object in &transition.consumed {
            self.consume(object, transition)?;
            if self.at.as_ref() == Some(object) {
                self.at = Some(vessel.to_owned());
            }
        }
        for made in &transition.made {
            if self.matter.is_substance(made) {
                self.matter.fill(vessel, made)?;
            } else {
                self.untouchable.remove(made);
                let place = Place { by: vessel.to_owned(), predicate: "inside" };
                self.places.insert(made.clone(), BTreeSet::from([place]));
            }
        }
        Ok(())
    }

    /// Removes an object, which must not hold others that remain.
    fn consume(&mut self, object: &str, transition: &Transition) -> Result<(), String> {
        if self.untouchable.contains(object) || !transition.consumed.contains(object) {
            return Err(format!("{object} does not exist, or remains"));
        }
        if let Some(left) = self.aboard(object).iter().find(|held| !transition.consumed.contains(*held)) {
            return Err(format!("{left} is in or on {object}, which is consumed"));
        }
        self.places.insert(object.to_owned(), BTreeSet::new());
        self.relations.retain(|(_, one, other)| one != object && other != object);
        self.untouchable.insert(object.to_owned());
        Ok(())
    }
}
