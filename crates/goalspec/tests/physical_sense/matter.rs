//! Substances in, on and around the objects of a room, and the devices that work on them. What tools remove, what sources supply
//! and what devices require is read from the parameters of the knowledge base.

use std::collections::{BTreeMap, BTreeSet};

use goalspec_bddl::ast::Problem;
use goalspec_bddl::knowledge::Knowledge;
use serde_json::Value as Json;

type Pairs = BTreeSet<(String, String)>;

/// The substances and devices of a room.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matter {
    knowledge: Option<Knowledge>,
    synsets: BTreeMap<String, String>,
    contents: Pairs,
    covers: Pairs,
    saturated: Pairs,
    sources: Pairs,
    running: BTreeSet<String>,
    open: BTreeSet<String>,
}

impl Matter {
    pub(crate) fn new(problem: &Problem, knowledge: Option<&Knowledge>) -> Self {
        let mut matter = Self { knowledge: knowledge.cloned(), ..Self::default() };
        for declaration in problem.declarations() {
            matter.synsets.insert(declaration.name.text.to_string(), declaration.category.to_owned());
        }
        for literal in problem.init.iter().filter(|literal| literal.positive) {
            let words: Vec<String> = literal.atom.arguments.iter().map(|name| name.text.to_string()).collect();
            let pairs = match &*literal.atom.predicate.text {
                "filled" | "contains" => &mut matter.contents,
                "covered" => &mut matter.covers,
                "saturated" => &mut matter.saturated,
                "insource" => &mut matter.sources,
                "toggled_on" => {
                    matter.running.insert(words[0].clone());
                    continue;
                }
                "open" => {
                    matter.open.insert(words[0].clone());
                    continue;
                }
                _ => continue,
            };
            if let [object, substance] = &words[..] {
                pairs.insert((object.clone(), substance.clone()));
            }
        }
        matter
    }

    /// Returns the synset of an object. Objects that the activity does not declare are named after it.
    fn synset<'a>(&'a self, object: &'a str) -> &'a str {
        self.synsets
            .get(object)
            .map_or_else(|| object.rsplit_once('_').map_or(object, |(synset, _)| synset), String::as_str)
    }

    fn able(&self, object: &str, ability: &str) -> bool {
        let Some(taxonomy) = self.knowledge.as_ref().map(Knowledge::taxonomy) else { return false };
        let known = taxonomy.synset(self.synset(object)).zip(taxonomy.ability(ability));
        known.is_some_and(|(synset, ability)| taxonomy.has_ability(synset, ability))
    }

    fn parameter(&self, object: &str, ability: &str, name: &str) -> Option<&Json> {
        let taxonomy = self.knowledge.as_ref()?.taxonomy();
        taxonomy.parameters(taxonomy.synset(self.synset(object))?, taxonomy.ability(ability)?)?.get(name)
    }

    pub(crate) fn is_substance(&self, object: &str) -> bool {
        self.able(object, "substance")
    }

    pub(crate) fn switch(&mut self, device: &str, on: bool) {
        if on {
            self.running.insert(device.to_owned());
        } else {
            self.running.remove(device);
        }
    }

    pub(crate) fn set_open(&mut self, object: &str, open: bool) {
        if open {
            self.open.insert(object.to_owned());
        } else {
            self.open.remove(object);
        }
    }

    /// Whether a device is on, as far as it can be.
    pub(crate) fn runs(&self, device: &str) -> Result<(), String> {
        if !self.able(device, "toggleable") || self.running.contains(device) {
            return Ok(());
        }
        Err(format!("{device} is off"))
    }

    /// Whether a device runs, and is shut if it only works then.
    pub(crate) fn works(&self, device: &str) -> Result<(), String> {
        self.runs(device)?;
        let needs = ["heatSource", "coldSource"].into_iter().any(|ability| {
            self.parameter(device, ability, "requires_closed").and_then(Json::as_f64).is_some_and(|value| value > 0.0)
        });
        if needs && self.able(device, "openable") && self.open.contains(device) {
            return Err(format!("{device} is open"));
        }
        Ok(())
    }

    /// Whether a source supplies a substance. A fixed one must be on; one in the hand is pressed.
    pub(crate) fn flows(&self, source: &str, substance: &str, is_fixed: bool) -> Result<(), String> {
        if !self.sources.contains(&(source.to_owned(), substance.to_owned())) {
            return Err(format!("{source} does not supply {substance}"));
        }
        if is_fixed { self.runs(source) } else { Ok(()) }
    }

    pub(crate) fn has(&self, vessel: &str, substance: &str) -> Result<(), String> {
        if self.contents.contains(&(vessel.to_owned(), substance.to_owned())) {
            return Ok(());
        }
        Err(format!("{vessel} does not contain {substance}"))
    }

    pub(crate) fn fill(&mut self, vessel: &str, substance: &str) -> Result<(), String> {
        if !self.able(vessel, "fillable") {
            return Err(format!("{vessel} is no vessel"));
        }
        self.contents.insert((vessel.to_owned(), substance.to_owned()));
        Ok(())
    }

    pub(crate) fn remove(&mut self, vessel: &str, substance: &str) {
        self.contents.remove(&(vessel.to_owned(), substance.to_owned()));
    }

    pub(crate) fn saturate(&mut self, cloth: &str, substance: &str) -> Result<(), String> {
        if !self.able(cloth, "particleRemover") {
            return Err(format!("{cloth} absorbs nothing"));
        }
        self.saturated.insert((cloth.to_owned(), substance.to_owned()));
        Ok(())
    }

    pub(crate) fn cover(&mut self, object: &str, substance: &str) {
        self.covers.insert((object.to_owned(), substance.to_owned()));
    }

    pub(crate) fn dry(&mut self, object: &str, substance: &str) {
        let pair = (object.to_owned(), substance.to_owned());
        self.covers.remove(&pair);
        self.saturated.remove(&pair);
    }

    pub(crate) fn wring(&mut self, object: &str, substance: &str) {
        self.saturated.remove(&(object.to_owned(), substance.to_owned()));
    }

    /// Wipes a substance off with a tool, which is saturated with the agent if there is one.
    pub(crate) fn wipe(
        &mut self,
        object: &str,
        substance: &str,
        tool: &str,
        agent: Option<&str>,
    ) -> Result<(), String> {
        let pair = (object.to_owned(), substance.to_owned());
        if !self.covers.contains(&pair) {
            return Err(format!("{object} is not covered with {substance}"));
        }
        let listed =
            self.parameter(tool, "particleRemover", "conditions").and_then(|all| all.get(self.synset(substance)));
        let default = match substance {
            _ if self.able(substance, "visualSubstance") => "default_visual_conditions",
            _ if self.able(substance, "liquid") => "default_fluid_conditions",
            _ => "default_non_fluid_conditions",
        };
        let conditions = listed.or_else(|| self.parameter(tool, "particleRemover", default)).cloned();
        let Some(Json::Array(conditions)) = conditions else { return Err(format!("{tool} never removes {substance}")) };
        let is_met = |condition: &Json| match (condition[0].as_str(), agent) {
            (Some("toggled_on"), None) => self.runs(tool).is_ok(),
            (Some("saturated"), Some(agent)) => {
                condition[1].as_str() == Some(self.synset(agent))
                    && self.saturated.contains(&(tool.to_owned(), agent.to_owned()))
            }
            _ => false,
        };
        if !conditions.is_empty() && !conditions.iter().any(is_met) {
            return Err(format!("{tool} does not remove {substance} like this"));
        }
        self.covers.remove(&pair);
        Ok(())
    }

    /// Washes a substance off in a machine, with an agent if the substance needs one.
    pub(crate) fn machine_wash(&mut self, object: &str, substance: &str, agent: Option<&str>) -> Result<(), String> {
        let Some(knowledge) = &self.knowledge else { return Err("no machine is known".to_owned()) };
        let taxonomy = knowledge.taxonomy();
        let synset = |object: &str| taxonomy.synset(self.synset(object));
        let washed = knowledge.rules().washed_substances().iter();
        let washed = washed.filter(|washed| Some(washed.substance) == synset(substance)).any(|washed| match agent {
            None => washed.agents.is_empty(),
            Some(agent) => synset(agent).is_some_and(|agent| washed.agents.contains(&agent)),
        });
        if !washed {
            return Err(format!("no machine removes {substance} like this"));
        }
        self.covers.remove(&(object.to_owned(), substance.to_owned()));
        let water: Vec<String> =
            self.synsets.iter().filter(|(_, synset)| *synset == "water.n.06").map(|(name, _)| name.clone()).collect();
        for water in water {
            self.covers.insert((object.to_owned(), water.clone()));
            if self.able(object, "particleRemover") {
                self.saturated.insert((object.to_owned(), water));
            }
        }
        Ok(())
    }
}
