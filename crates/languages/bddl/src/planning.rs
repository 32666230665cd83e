//! Activities as planning tasks: with actions added, in the types of the core.
//!
//! The actions are those of one agent with one hand, which goes to things, carries them, opens, cleans, cooks and cuts them, as far as
//! what they are allows; for LIBERO's tasks, those of one arm with one gripper. The model is written in PDDL, and read once.
//!
//! | module | what lives there |
//! |---|---|
//! | `model` | the action models, as they are written |
//! | `things` | what a model is told of the things of an activity |
//! | `nesting` | what things are in or on at the beginning |
//! | `ways` | where things may go, and what follows from that for good |
//! | `limit` | restrictions of a model because of which having no plan proves nothing |
//! | `build` | from a written model to actions of the core |

mod build;
mod limit;
pub(crate) mod model;
mod nesting;
pub(crate) mod things;
mod ways;

use std::sync::Arc;

use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::Task;
use goalspec_core::state::{Arguments, Delta, FactChange};
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::Dialect;
use crate::ast::{Domain, Problem};
use crate::ground::GroundGoal;
use crate::knowledge::Knowledge;
use crate::lower::{self, LowerError};
use crate::world::Vocabulary;
use build::{Builder, Unbuildable};
use model::{Model, RuleNeeds};
use things::Things;

pub use limit::ModelLimit;
pub use things::{Immovable, Places};

/// An activity with actions, in the activity's own words: the objects have the names of the activity, and so have the predicates that
/// it knows.
#[derive(Debug, Clone)]
pub struct PlanningTask {
    /// The task. Its goal is that of the activity, quantifiers included.
    pub task: Task,
    /// The goal taken apart.
    pub goal: GroundGoal,
    /// The names of predicates in the task, by their names in the action model and numbers of arguments.
    pub predicates: FxHashMap<(String, usize), Arc<str>>,
    /// The names in the task of the predicates that only the action model has.
    pub private: Vec<Arc<str>>,
    /// The value that an atom of the goal keeps, and the thing that is why, by [`AtomId`](crate::ground::AtomId); nothing of those that
    /// may change.
    pub kept: Vec<Option<Kept>>,
    /// Restrictions of the action model because of which that there is no plan proves nothing of the activity.
    pub limits: Vec<ModelLimit>,
}

/// A value that an atom of a goal keeps because of a thing that the action model does not move or has no actions for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The value.
    pub value: bool,
    /// The thing.
    pub thing: Arc<str>,
    /// Why.
    pub why: Immovable,
}

/// Why an activity is no planning task.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanningError {
    /// It has no meaning in terms of the core.
    Lower(LowerError),
    /// The action model does not fit the world, which is a defect of the model.
    Model(String),
}

impl std::fmt::Display for PlanningError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lower(error) => error.fmt(f),
            Self::Model(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for PlanningError {}

impl From<LowerError> for PlanningError {
    fn from(error: LowerError) -> Self {
        Self::Lower(error)
    }
}

impl From<Unbuildable> for PlanningError {
    fn from(Unbuildable(what): Unbuildable) -> Self {
        Self::Model(what)
    }
}

impl PlanningTask {
    /// Adds actions to an activity. What things are able to do is taken from a knowledge base, which LIBERO's tasks need none of.
    ///
    /// # Errors
    /// If the activity has no meaning in terms of the core: an unknown name, too deep a nesting, or names that no world can have.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
    ) -> Result<Self, PlanningError> {
        Self::with_places(problem, domain, dialect, knowledge, Places::Named)
    }

    /// The same with a choice of the things that others are put in and on.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_places(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
        places: Places,
    ) -> Result<Self, PlanningError> {
        let goal = GroundGoal::new(problem).map_err(LowerError::Name)?;
        let things = Things::new(problem, domain, &goal, knowledge.map(Knowledge::taxonomy), places);
        let model = Model::of(problem);
        let needs = things.rule_needs();
        let mut vocabulary = Vocabulary::new(problem, domain);
        let (goal_condition, initial) =
            lower::conditions(problem, dialect, &mut vocabulary).map_err(LowerError::Name)?;
        let predicates = declare(model, needs, &mut vocabulary);
        let named = model_names(&predicates);
        let builder = Builder { predicates: &named, root: vocabulary.root() };
        let actions = model.written.actions.iter().map(|action| builder.action(action));
        let actions = actions.collect::<Result<Vec<_>, _>>()?;
        let needed = model.written.rules.iter().filter(|rule| !model.is_left_out(Some(&rule.predicate.text), needs));
        let rules = needed.map(|rule| builder.rule(rule)).collect::<Result<Vec<_>, _>>()?;
        let placed_in = named.get(&(model::PLACED_IN, 2)).copied();
        let inside = named.get(&(model.inside, 2)).copied();
        let mut facts = beginning(initial, problem, &things, inside.zip(placed_in));
        for (predicate, arguments) in things.facts() {
            let Some(&predicate) = named.get(&(predicate, arguments.len())) else { continue };
            let arguments = arguments.iter().map(|name| vocabulary.object_named(name)).collect::<Option<_>>();
            facts.extend(arguments.map(|arguments| FactChange { predicate, arguments, holds: true }));
        }
        let kept = kept(problem, &goal, &things);
        let world = vocabulary.finish().map_err(LowerError::World)?;
        let shared = named_in(&world, predicates.iter().take(model.shared.len()));
        let predicates = named_in(&world, &predicates);
        let private =
            predicates.values().filter(|name| !shared.values().any(|known| known == *name)).cloned().collect();
        let task = Task {
            name: problem.name.text.clone(),
            world: Arc::new(world),
            initial: Delta { facts, ..Delta::default() },
            actions,
            rules,
            goal: goal_condition,
            constraints: Vec::new(),
            preferences: Vec::new(),
            metric: None,
        };
        let limits = limit::limits(&things, &goal, model.covered);
        Ok(Self { task, goal, predicates, private, kept, limits })
    }
}

/// Declares the predicates of a model in a world.
fn declare(model: &Model, needs: RuleNeeds, vocabulary: &mut Vocabulary) -> Vec<((String, usize), PredicateId)> {
    let mut predicates: Vec<((String, usize), PredicateId)> = Vec::new();
    for &(name, arity) in model.shared {
        predicates.push(((name.to_owned(), arity), vocabulary.intern(&Arc::from(name), arity)));
    }
    for (name, arity) in &model.private {
        let plain = model.plain(name, needs);
        let id = if plain == name.as_str() {
            vocabulary.declare_fresh(name, *arity)
        } else {
            vocabulary.intern(&Arc::from(plain), *arity)
        };
        predicates.push(((name.clone(), *arity), id));
    }
    predicates
}

/// The names of predicates in a world.
fn named_in<'p>(
    world: &World,
    predicates: impl IntoIterator<Item = &'p ((String, usize), PredicateId)>,
) -> FxHashMap<(String, usize), Arc<str>> {
    let named =
        |(known, id): &((String, usize), PredicateId)| (known.clone(), world.predicates()[id.index()].name.clone());
    predicates.into_iter().map(named).collect()
}

fn model_names(predicates: &[((String, usize), PredicateId)]) -> FxHashMap<(&str, usize), PredicateId> {
    predicates.iter().map(|((name, arity), id)| ((name.as_str(), *arity), *id)).collect()
}

/// The facts that hold at the beginning. With `containers`, what is inside a thing is derived from what was put into it.
fn beginning(
    initial: Vec<FactChange>,
    problem: &Problem,
    things: &Things<'_>,
    containers: Option<(PredicateId, PredicateId)>,
) -> Vec<FactChange> {
    let mut last: FxHashMap<(PredicateId, Arguments), usize> = FxHashMap::default();
    let mut facts: Vec<FactChange> = Vec::new();
    for (mut fact, literal) in initial.into_iter().zip(&problem.init) {
        let words: Vec<&str> = literal.atom.arguments.iter().map(|name| &*name.text).collect();
        if !things.begins(&literal.atom.predicate.text, &words) {
            continue;
        }
        if let Some((_, placed_in)) = containers.filter(|(inside, _)| *inside == fact.predicate) {
            fact.predicate = placed_in;
        }
        // Of two literals about one atom the later one counts.
        let next = facts.len();
        let place = *last.entry((fact.predicate, fact.arguments.clone())).or_insert(next);
        if place == next {
            facts.push(fact);
        } else {
            facts[place].holds = fact.holds;
        }
    }
    facts.retain(|fact| fact.holds);
    facts
}

/// The values that atoms of the goal keep because of things in them.
fn kept(problem: &Problem, goal: &GroundGoal, things: &Things<'_>) -> Vec<Option<Kept>> {
    let initial = goal.initial_state(problem);
    let atoms = things.goal_atoms().iter().zip(initial);
    let kept = atoms.map(|(words, value)| {
        let (thing, why) = things.kept(words, value)?;
        Some(Kept { value, thing: thing.into(), why })
    });
    kept.collect()
}
