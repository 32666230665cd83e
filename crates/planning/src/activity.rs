//! Household activities as planning tasks of the core, whose goals are judged by the evaluator of activities.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::ast::{Domain, Problem};
use goalspec_bddl::export::{self, ExportError, ExportOptions, PddlExport};
use goalspec_bddl::ground::{AtomId, GroundAtom, GroundGoal};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::{ModelRestriction, PlacementScope, PlanningError, PlanningTask};
use goalspec_bddl::{Dialect, evaluate};
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::state::{Delta, FactChange, ObjectArguments, State};
use goalspec_core::world::{PredicateDecl, World, WorldBuilder};
use goalspec_planner::ground::GroundError;
use goalspec_trace::TraceError;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::reachability;
use crate::states;
use crate::unreachable::{self, ChangedPredicates, UnreachableLiterals, invariant_values};

/// An activity as a planning task.
#[derive(Debug, Clone)]
pub struct ActivityTask {
    /// The task with names valid in PDDL, which is the one that is searched.
    pub task: Arc<Task>,
    planning: PlanningTask,
    /// The activity as PDDL text, or the reason why it has none.
    exported: Result<PddlExport, ExportError>,
    dialect: Dialect,
    unsupported: Vec<UnreachableLiterals>,
}

/// The reason why an activity cannot be planned for.
#[derive(Debug, Clone, PartialEq)]
pub enum ActivityTaskError {
    /// It cannot be expressed as a planning task.
    Planning(PlanningError),
    /// Two of its names are equal in PDDL.
    Names,
}

impl std::fmt::Display for ActivityTaskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Planning(error) => error.fmt(f),
            Self::Names => f.write_str("two of its objects or predicates have the same name in PDDL"),
        }
    }
}

impl std::error::Error for ActivityTaskError {}

impl From<PlanningError> for ActivityTaskError {
    fn from(error: PlanningError) -> Self {
        Self::Planning(error)
    }
}

impl ActivityTask {
    /// Adds the actions of one agent with one hand to an activity. Tasks of LIBERO need no knowledge base.
    ///
    /// # Errors
    /// If the activity cannot be expressed as a planning task: an unknown name, too deep a nesting, or names that a world cannot
    /// have.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
    ) -> Result<Self, ActivityTaskError> {
        Self::with_places(problem, domain, dialect, knowledge, PlacementScope::Named)
    }

    /// As [`new`](Self::new), with a choice of the objects that others are put in and on.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_places(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
        places: PlacementScope,
    ) -> Result<Self, ActivityTaskError> {
        let planning = PlanningTask::with_placements(problem, domain, dialect, knowledge, places)?;
        let exported = export::pddl_with_actions(problem, domain, dialect, ExportOptions::default(), knowledge, places);
        let task = with_pddl_names(&planning, exported.as_ref().ok()).ok_or(ActivityTaskError::Names)?;
        let mut household = Self { task: Arc::new(task), planning, exported, dialect, unsupported: Vec::new() };
        household.unsupported = household.find_unsupported(problem);
        Ok(household)
    }

    /// Returns the literals that the goal needs and that no action of the model changes, at all or for the objects in question.
    /// If there are any, there is no plan, which proves nothing about the activity.
    pub fn unsupported_literals(&self) -> &[UnreachableLiterals] {
        &self.unsupported
    }

    fn find_unsupported(&self, problem: &Problem) -> Vec<UnreachableLiterals> {
        let changed = ChangedPredicates { added: &self.planning.added, deleted: &self.planning.deleted };
        let initial = self.planning.goal.initial_state(problem);
        let constant = |id: AtomId, atom: &GroundAtom| {
            if let Some(constant) = &self.planning.constant_atoms[id.index()] {
                return Some(constant.value);
            }
            let (predicate, _) = self.fact(atom)?;
            changed.invariant_value(predicate, initial[id.index()])
        };
        let mut found = unreachable::find(problem, &self.planning.goal, self.dialect, constant);
        for literal in &mut found {
            literal.unsupported_objects = self.restrictions_of(literal);
        }
        found
    }

    /// Returns the objects due to which literals are out of reach, with the reasons.
    fn restrictions_of(&self, found: &UnreachableLiterals) -> Vec<(Arc<str>, &'static str)> {
        let goal = &self.planning.goal;
        let mut restrictions: Vec<(Arc<str>, &'static str)> = Vec::new();
        for (atom, constant) in goal.atoms.iter().zip(&self.planning.constant_atoms) {
            let Some(constant) = constant.as_ref().filter(|constant| constant.value != found.polarity) else {
                continue;
            };
            let is_one = found.literals.contains(&unreachable::literal(atom, found.polarity));
            if is_one
                && atom.predicate == found.predicate
                && restrictions.iter().all(|(object, _)| *object != constant.object)
            {
                restrictions.push((constant.object.clone(), constant.reason.reason()));
            }
        }
        restrictions
    }

    /// Returns the restrictions of the action model due to which the absence of a plan proves nothing about the activity.
    pub fn model_restrictions(&self) -> &[ModelRestriction] {
        &self.planning.restrictions
    }

    /// Returns the literals that the goal needs and that are unreachable with the objects of the activity, each by itself, even
    /// in the relaxation in which nothing ever stops holding. `left` is the remaining time, if it is limited.
    ///
    /// # Errors
    /// If the task is too large for this analysis, no time is left, or the flag is set.
    pub fn unreachable_literals(
        &self,
        problem: &Problem,
        left: Option<Duration>,
        cancelled: &AtomicBool,
    ) -> Result<Vec<UnreachableLiterals>, GroundError> {
        let known: Vec<_> = self.goal().atoms.iter().filter_map(|atom| self.fact(atom)).collect();
        let settled =
            invariant_values(self.authored_task(), &known, &reachability::exploration_limits(left), cancelled)?;
        let settled: FxHashMap<_, _> = known.into_iter().zip(settled).collect();
        let constant = |_, atom: &GroundAtom| *settled.get(&self.fact(atom)?)?;
        Ok(unreachable::find(problem, self.goal(), self.dialect, constant))
    }

    /// Returns the task with the names of the activity.
    pub fn authored_task(&self) -> &Task {
        &self.planning.task
    }

    /// Returns the ground goal.
    pub(crate) fn goal(&self) -> &GroundGoal {
        &self.planning.goal
    }

    /// Returns the dialect in which the goal is read.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the truth values of the goal's atoms in a state of the task.
    pub(crate) fn values(&self, state: &State) -> Vec<bool> {
        let holds =
            |atom: &GroundAtom| self.fact(atom).is_some_and(|(predicate, arguments)| state.fact(predicate, &arguments));
        self.goal().atoms.iter().map(holds).collect()
    }

    /// Returns the fact of the task that corresponds to an atom of the goal.
    pub(crate) fn fact(&self, atom: &GroundAtom) -> Option<(PredicateId, ObjectArguments)> {
        let world = &self.authored_task().world;
        let arity = atom.arguments.len();
        let overload = || world.predicate_named(&format!("{}/{arity}", atom.predicate));
        let named = world.predicate_named(&atom.predicate);
        let has_arity = |id: &PredicateId| world.predicates()[id.index()].parameters.len() == arity;
        let predicate = named.filter(has_arity).or_else(|| overload().filter(has_arity))?;
        let object = |name: &Arc<str>| world.object_named(name);
        Some((predicate, atom.arguments.iter().map(object).collect::<Option<ObjectArguments>>()?))
    }

    /// Returns the truth value of each conjunct of the activity's goal after a plan, or after its longest applicable prefix.
    pub fn conjuncts(&self, plan: &Plan) -> Vec<bool> {
        let Ok(mut execution) = Execution::new(self.authored_task()) else {
            return vec![false; self.goal().conjuncts.len()];
        };
        for step in &plan.steps {
            if execution.apply(step, &CoreNotation).is_err() {
                break;
            }
        }
        evaluate::conjuncts(self.goal(), self.dialect, &self.values(execution.state()))
    }

    /// Returns the name of each object in the activity, with its name in the task.
    pub fn object_names(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.authored_task().world.objects().iter().zip(self.task.world.objects());
        pairs.map(|(own, written)| (&*own.id, &*written.id))
    }

    /// Returns the domain and the problem as PDDL text.
    ///
    /// # Errors
    /// If the goal has no PDDL text.
    pub fn pddl(&self) -> Result<[String; 2], ExportError> {
        let exported = self.exported.as_ref().map_err(Clone::clone)?;
        Ok([exported.domain.clone(), exported.problem.clone()])
    }

    /// Writes the states of a plan as states of the activity's world, without the facts that only the action model has. The trace
    /// ends before the first inapplicable step.
    ///
    /// # Errors
    /// If the states cannot be written.
    pub fn write_states(&self, plan: &Plan, world: &World, output: impl Write) -> Result<(), TraceError> {
        let authored_world = &self.authored_task().world;
        let private: FxHashSet<&str> = self.model_names().collect();
        let is_known = |predicate: &PredicateDecl| {
            if private.contains(&*predicate.name) { None } else { world.predicate_named(&predicate.name) }
        };
        let predicates: Vec<_> = authored_world.predicates().iter().map(is_known).collect();
        let objects: Vec<_> = authored_world.objects().iter().map(|object| world.object_named(&object.id)).collect();
        let translated = |delta: &Delta| {
            let fact = |fact: &FactChange| {
                let arguments = fact.arguments.iter().map(|object| objects[object.index()]);
                let predicate = predicates[fact.predicate.index()]?;
                Some(FactChange { predicate, arguments: arguments.collect::<Option<_>>()?, holds: fact.holds })
            };
            let facts = delta.facts.iter().filter_map(fact).collect();
            Delta { index: delta.index, clock: delta.clock, action: delta.action.clone(), facts, ..Delta::default() }
        };
        states::write_as(self.authored_task(), plan, world, translated, output)
    }

    /// Returns the names in the task of the predicates that only the action model has.
    fn model_names(&self) -> impl Iterator<Item = &str> {
        self.planning.model_predicates.iter().map(|name| &**name)
    }
}

/// Returns the task with names valid in PDDL, the same as in its PDDL text if there is one. Ids do not change.
fn with_pddl_names(planning: &PlanningTask, exported: Option<&PddlExport>) -> Option<Task> {
    let task = &planning.task;
    let mut used_names: FxHashSet<String> = FxHashSet::default();
    if let Some(exported) = exported {
        used_names.extend(exported.instances.values().chain(exported.predicates.values()).cloned());
        used_names.extend(exported.model_predicates.values().cloned());
    }
    let mut fresh = |preferred: &str| {
        let plain = export::pddl_name(preferred);
        let mut name = plain.clone();
        let mut number = 1;
        while !used_names.insert(name.clone()) {
            number += 1;
            name = format!("{plain}_{number}");
        }
        name
    };
    let mut builder = WorldBuilder::new(task.world.name());
    builder.require_own_traces();
    for type_decl in task.world.types() {
        let name = if &*type_decl.name == "object" { type_decl.name.to_string() } else { fresh(&type_decl.name) };
        builder.declare_type(goalspec_core::world::TypeDecl { name: name.into(), ..type_decl.clone() });
    }
    for object in task.world.objects() {
        let known = exported.and_then(|exported| exported.instances.get(&*object.id));
        let name = known.cloned().unwrap_or_else(|| fresh(&object.id));
        let id = builder.add_object(&*name, &object.types);
        builder.add_program_name(&*name, id);
    }
    let models: FxHashMap<&str, &(String, usize)> =
        planning.predicates.iter().map(|(model, name)| (&**name, model)).collect();
    for predicate in task.world.predicates() {
        let own = predicate.name.split('/').next().unwrap_or_default().to_owned();
        let known = exported.and_then(|exported| {
            let of_model = models.get(&*predicate.name).and_then(|model| exported.model_predicates.get(*model));
            of_model.or_else(|| exported.predicates.get(&(own, predicate.parameters.len())))
        });
        let name = known.cloned().unwrap_or_else(|| fresh(&predicate.name));
        builder.add_predicate(PredicateDecl { name: name.into(), ..predicate.clone() });
    }
    let world = builder.finish().ok()?;
    Some(Task { world: Arc::new(world), ..task.clone() })
}
