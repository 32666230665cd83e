//! The PDDL text of an action model.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{ExportError, PddlVocabulary};
use crate::ast::{Atom, Domain, Literal, Problem};
use crate::ground::GroundGoal;
use crate::knowledge::Knowledge;
use crate::planning::PlacementScope;
use crate::planning::derive::TooManyFacts;
use crate::planning::model::{Model, PLACED_IN};
use crate::planning::objects::TaskObjects;
use crate::planning::recipes::Recipes;

/// The type of intermediate products and recipes.
const MADE: &str = "made";

/// The parts of the exported text that an action model contributes.
pub(super) struct Actions {
    /// The text of the rules and actions.
    pub(super) text: String,
    /// The declarations of the private predicates of the model.
    pub(super) declarations: Vec<String>,
    /// The PDDL names of the private predicates, by their names in the model and arities.
    pub(super) predicates: IndexMap<(String, usize), String>,
    /// The initial facts beyond those of the activity, as PDDL atoms.
    pub(super) facts: IndexSet<String, FxBuildHasher>,
    /// The indices of the literals of `(:init ..)` that are omitted: an object in nested containers is placed only in the
    /// innermost one.
    pub(super) omitted_literals: Vec<usize>,
    /// The PDDL names of the predicates for containment and for direct placement; `None` if they are the same.
    pub(super) containers: Option<[String; 2]>,
}

/// Declares the predicates that actions share with activities.
pub(super) fn declare(skeleton: &mut PddlVocabulary, problem: &Problem, knowledge: Option<&Knowledge>) {
    for (name, arity) in &Model::of(problem, knowledge).shared {
        skeleton.predicate(name, *arity);
    }
}

/// Builds the action model of a problem, after [`declare`] has declared the shared predicates.
pub(super) fn actions(
    skeleton: &mut PddlVocabulary,
    problem: &Problem,
    domain: Option<&Domain>,
    goal: &GroundGoal,
    knowledge: Option<&Knowledge>,
    places: PlacementScope,
) -> Result<Actions, ExportError> {
    let recipes = Recipes::new(problem, goal, knowledge);
    let objects = TaskObjects::new(problem, domain, goal, knowledge, &recipes, places);
    let objects = objects.map_err(|TooManyFacts| ExportError::TooLarge)?;
    recipes.names().for_each(|name| skeleton.constant(name, MADE));
    let (model, selection) = (Model::of(problem, knowledge), objects.rule_needs());
    let mut words: IndexMap<&str, String, FxBuildHasher> = IndexMap::default();
    for (name, arity) in &model.shared {
        words.insert(name, skeleton.predicates[&(name.clone(), *arity)].clone());
    }
    let mut actions = Actions {
        text: String::new(),
        declarations: Vec::new(),
        predicates: IndexMap::new(),
        facts: IndexSet::default(),
        omitted_literals: Vec::new(),
        containers: None,
    };
    for (name, arity) in &model.private {
        let plain = model.plain(name, selection);
        let exported =
            if plain == name.as_str() { actions.declare(skeleton, name, *arity) } else { words[plain].clone() };
        words.insert(name, exported);
    }
    actions.containers = selection.is_stacked.then(|| [words[model.inside].clone(), words[PLACED_IN].clone()]);
    let is_initial = |literal: &Literal| {
        let Atom { predicate, arguments, .. } = &literal.atom;
        let arguments: Vec<&str> = arguments.iter().map(|name| &*name.text).collect();
        objects.is_initial_fact(&predicate.text, &arguments)
    };
    let omitted = problem.init.iter().enumerate().filter(|(_, literal)| !is_initial(literal));
    actions.omitted_literals = omitted.map(|(place, _)| place).collect();
    actions.facts = objects
        .facts()
        .into_iter()
        .filter_map(|(predicate, objects)| {
            let exported: Option<Vec<&str>> =
                objects.iter().map(|object| skeleton.instances.get(*object).map(String::as_str)).collect();
            let parts: Vec<&str> = std::iter::once(&*words[predicate]).chain(exported?).collect();
            Some(format!("({})", parts.join(" ")))
        })
        .collect();
    actions.text = model.text(selection, &objects.usable_parts().actions, &|word| {
        words.get(word).map_or(word, String::as_str).to_owned()
    });
    actions.remove_unused_declarations();
    Ok(actions)
}

impl Actions {
    /// Declares a predicate that only the model has. Returns its exported name.
    fn declare(&mut self, skeleton: &mut PddlVocabulary, name: &str, arity: usize) -> String {
        let exported = skeleton.names.fresh(name);
        let parameters: String = (1..=arity).map(|place| format!(" ?x{place} - object")).collect();
        self.declarations.push(format!("({exported}{parameters})"));
        self.predicates.insert((name.to_owned(), arity), exported.clone());
        exported
    }

    /// Removes the declarations of predicates that neither an action nor a fact mentions.
    fn remove_unused_declarations(&mut self) {
        let forms = self.text.split('(').chain(self.facts.iter().filter_map(|fact| fact.strip_prefix('(')));
        let used: FxHashSet<&str> = forms.filter_map(|form| form.split([' ', ')', '\n']).next()).collect();
        self.declarations.retain(|declaration| {
            let name = declaration.trim_start_matches('(').split([' ', ')']).next();
            name.is_some_and(|name| used.contains(name))
        });
    }
}
