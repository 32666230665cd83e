//! Activities as planning tasks of the core, with an action model.
//!
//! The household model has one agent with one hand, which moves to objects, and carries, opens, cleans, cooks and cuts them as
//! their abilities permit. The model for LIBERO's tasks has one arm with one gripper. The models are written in PDDL and parsed
//! once.
//!
//! | module | contents |
//! |---|---|
//! | `model` | the action models as parsed from PDDL |
//! | `changes` | changes to the household model |
//! | `objects` | the object properties that the action models use |
//! | `facts` | the rules for static facts, as parsed |
//! | `derive` | evaluation of these rules |
//! | `recipes` | the transition rules that may contribute to the goal, with their objects |
//! | `nesting` | containment and support relations in the initial state |
//! | `placements` | admissible placements of objects, and their static consequences |
//! | `restriction` | restrictions of the action model because of which the absence of a plan is not conclusive |
//! | `build` | translation of a parsed model to actions of the core |

mod build;
mod changes;
pub(crate) mod derive;
mod facts;
pub(crate) mod model;
mod nesting;
pub(crate) mod objects;
mod placements;
pub(crate) mod recipes;
mod restriction;

use std::sync::Arc;

use goalspec_core::ids::{PredicateId, TypeId};
use goalspec_core::planning::task::{Action, AxiomSchema, Task};
use goalspec_core::state::{Delta, FactChange, ObjectArguments};
use goalspec_core::world::World;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Dialect;
use crate::ast::{Domain, Problem};
use crate::ground::GroundGoal;
use crate::knowledge::Knowledge;
use crate::lower::{self, LowerError};
use crate::vocabulary::Vocabulary;
use build::{Builder, ModelError};
use derive::TooManyFacts;
use model::{Model, RuleSelection};
use objects::TaskObjects;
use recipes::Recipes;

pub use model::HouseholdActions;
pub use objects::{ImmovableReason, PlacementScope};
pub use restriction::{MissingProduct, MissingRemover, ModelRestriction};

/// A planning task of an activity, in its own vocabulary: objects, and the predicates that the activity knows, keep their
/// names.
#[derive(Debug, Clone)]
pub struct PlanningTask {
    /// The task. Its goal is that of the activity, with quantifiers.
    pub task: Task,
    /// The ground goal.
    pub goal: GroundGoal,
    /// The names of the model's predicates in the task, by their names in the action model and arities.
    pub predicates: FxHashMap<(String, usize), Arc<str>>,
    /// The names in the task of the predicates that occur only in the action model.
    pub model_predicates: Vec<Arc<str>>,
    /// For each atom of the goal, by [`AtomId`](crate::ground::AtomId), the value that no action changes, with the object that
    /// is the reason; `None` for atoms that may change.
    pub constant_atoms: Vec<Option<ConstantAtom>>,
    /// The predicates that actions or rules of the model make true, whether or not the objects of the activity permit it.
    pub added: FxHashSet<PredicateId>,
    /// The predicates that actions or rules of the model make false, likewise.
    pub deleted: FxHashSet<PredicateId>,
    /// Restrictions of the action model because of which the absence of a plan does not prove that the activity is unsolvable.
    pub restrictions: Vec<ModelRestriction>,
}

/// A constant value of a goal atom, caused by an object that the action model does not move or has no actions for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantAtom {
    /// The constant value of the atom.
    pub value: bool,
    /// The name of the object.
    pub object: Arc<str>,
    /// The reason why the model does not move the object.
    pub reason: ImmovableReason,
}

/// An error that prevents planning for an activity.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanningError {
    /// The activity cannot be lowered to the core.
    Lower(LowerError),
    /// The action model does not match the world, which is a defect of the model; the value is a message.
    Model(String),
    /// The action model has too many static facts for the activity.
    TooManyFacts,
}

impl std::fmt::Display for PlanningError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lower(error) => error.fmt(f),
            Self::Model(message) => f.write_str(message),
            Self::TooManyFacts => {
                write!(f, "the action model exceeds the fixed limit of {} static facts", derive::MAX_FACTS)
            }
        }
    }
}

impl std::error::Error for PlanningError {}

impl From<LowerError> for PlanningError {
    fn from(error: LowerError) -> Self {
        Self::Lower(error)
    }
}

impl From<TooManyFacts> for PlanningError {
    fn from(TooManyFacts: TooManyFacts) -> Self {
        Self::TooManyFacts
    }
}

impl From<ModelError> for PlanningError {
    fn from(ModelError(message): ModelError) -> Self {
        Self::Model(message)
    }
}

impl PlanningTask {
    /// Creates the planning task of an activity. The abilities of objects are taken from the knowledge base, which LIBERO's
    /// tasks do not need.
    ///
    /// # Errors
    /// If the activity cannot be lowered to the core: an unresolved name, too deep a nesting, or invalid names.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
    ) -> Result<Self, PlanningError> {
        Self::with_placements(problem, domain, dialect, knowledge, PlacementScope::Named)
    }

    /// Creates the planning task like [`new`](Self::new), with a choice of the placements that actions allow.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    pub fn with_placements(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
        places: PlacementScope,
    ) -> Result<Self, PlanningError> {
        let goal = GroundGoal::new(problem).map_err(LowerError::Ground)?;
        let recipes = Recipes::new(problem, &goal, knowledge);
        let model = Model::of(problem, knowledge);
        let objects = TaskObjects::new(problem, domain, &goal, knowledge, &recipes, places)?;
        let selection = objects.rule_needs();
        let mut vocabulary = Vocabulary::new(problem, domain);
        let (goal_condition, initial) =
            lower::conditions(problem, dialect, &mut vocabulary).map_err(LowerError::Ground)?;
        recipes.names().for_each(|name| vocabulary.add_object(name));
        let predicates = declare(model, selection, &mut vocabulary);
        let named = model_names(&predicates);
        let (actions, rules) = actions_and_rules(&objects, &named, vocabulary.root())?;
        let placed_in = named.get(&(model::PLACED_IN, 2)).copied();
        let inside = named.get(&(model.inside, 2)).copied();
        let mut facts = initial_facts(initial, problem, &objects, inside.zip(placed_in));
        for (predicate, arguments) in objects.facts() {
            let Some(&predicate) = named.get(&(predicate, arguments.len())) else { continue };
            let arguments = arguments.iter().map(|name| vocabulary.object_named(name)).collect::<Option<_>>();
            facts.extend(arguments.map(|arguments| FactChange { predicate, arguments, holds: true }));
        }
        let [added, deleted] = model.changed_predicates().map(|names| {
            names.into_iter().filter_map(|(name, arity)| named.get(&(name, arity)).copied()).collect::<FxHashSet<_>>()
        });
        let constants = kept(problem, &goal, &objects);
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
            axioms: rules,
            goal: goal_condition,
            constraints: Vec::new(),
            preferences: Vec::new(),
            metric: None,
        };
        let restrictions = restriction::restrictions(&objects, &goal, model.covered);
        Ok(Self {
            task,
            goal,
            predicates,
            model_predicates: private,
            constant_atoms: constants,
            added,
            deleted,
            restrictions,
        })
    }
}

/// Declares the predicates of a model in a world.
fn declare(
    model: &Model,
    selection: RuleSelection,
    vocabulary: &mut Vocabulary,
) -> Vec<((String, usize), PredicateId)> {
    let mut predicates: Vec<((String, usize), PredicateId)> = Vec::new();
    for (name, arity) in &model.shared {
        predicates.push(((name.clone(), *arity), vocabulary.intern(&Arc::from(name.as_str()), *arity)));
    }
    for (name, arity) in &model.private {
        let plain = model.plain(name, selection);
        let id = if plain == name.as_str() {
            vocabulary.declare_fresh(name, *arity)
        } else {
            vocabulary.intern(&Arc::from(plain), *arity)
        };
        predicates.push(((name.clone(), *arity), id));
    }
    predicates
}

/// Returns the names of predicates in a world.
fn named_in<'p>(
    world: &World,
    predicates: impl IntoIterator<Item = &'p ((String, usize), PredicateId)>,
) -> FxHashMap<(String, usize), Arc<str>> {
    let named =
        |(known, id): &((String, usize), PredicateId)| (known.clone(), world.predicates()[id.index()].name.clone());
    predicates.into_iter().map(named).collect()
}

/// Translates the actions of the model that the task can use, and the rules that it needs.
fn actions_and_rules(
    objects: &TaskObjects<'_>,
    names: &FxHashMap<(&str, usize), PredicateId>,
    root: TypeId,
) -> Result<(Vec<Action>, Vec<AxiomSchema>), ModelError> {
    let (model, selection, usable) = (objects.model, objects.rule_needs(), objects.usable_parts());
    let builder = Builder { predicates: names, root, possible: &usable.predicates };
    let actions = model.written.actions.iter().filter(|action| usable.actions.contains(&*action.name.text));
    let actions = actions.map(|action| builder.action(action)).collect::<Result<Vec<_>, _>>()?;
    let needed = model.written.rules.iter().filter(|rule| !model.is_left_out(&rule.predicate.text, selection));
    let rules = needed.map(|rule| builder.rule(rule)).collect::<Result<Vec<_>, _>>()?.concat();
    Ok((actions, rules))
}

fn model_names(predicates: &[((String, usize), PredicateId)]) -> FxHashMap<(&str, usize), PredicateId> {
    predicates.iter().map(|((name, arity), id)| ((name.as_str(), *arity), *id)).collect()
}

/// Returns the facts of the initial state. With `containers`, containment is derived from direct placement.
fn initial_facts(
    initial: Vec<FactChange>,
    problem: &Problem,
    objects: &TaskObjects<'_>,
    containers: Option<(PredicateId, PredicateId)>,
) -> Vec<FactChange> {
    let mut last: FxHashMap<(PredicateId, ObjectArguments), usize> = FxHashMap::default();
    let mut facts: Vec<FactChange> = Vec::new();
    for (mut fact, literal) in initial.into_iter().zip(&problem.init) {
        let words: Vec<&str> = literal.atom.arguments.iter().map(|name| &*name.text).collect();
        if !objects.is_initial_fact(&literal.atom.predicate.text, &words) {
            continue;
        }
        if let Some((_, placed_in)) = containers.filter(|(inside, _)| *inside == fact.predicate) {
            fact.predicate = placed_in;
        }
        // The last of several literals with the same atom applies.
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

/// Computes the goal atoms whose values no action changes because of their objects.
fn kept(problem: &Problem, goal: &GroundGoal, objects: &TaskObjects<'_>) -> Vec<Option<ConstantAtom>> {
    let initial = goal.initial_state(problem);
    let atoms = objects.goal_atoms().iter().zip(initial);
    let constants = atoms.map(|(words, value)| {
        let (object, reason) = objects.constant_reason(words, value)?;
        Some(ConstantAtom { value, object: object.into(), reason })
    });
    constants.collect()
}
