//! Household activities planned for: posed as planning tasks of the core, and the end of a plan looked at by the evaluator of activities.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::ast::{Domain, Problem};
use goalspec_bddl::export::{self, Choices, ExportError, Exported};
use goalspec_bddl::ground::{AtomId, GroundAtom, GroundGoal};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::{ModelLimit, Places, PlanningError, PlanningTask};
use goalspec_bddl::{Dialect, evaluate};
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::state::{Arguments, Delta, FactChange, State};
use goalspec_core::world::{PredicateDecl, World, WorldBuilder};
use goalspec_planner::ground::GroundError;
use goalspec_trace::TraceError;
use rustc_hash::{FxHashMap, FxHashSet};

use super::out_of_reach::{self, Changed, OutOfReach, settled_facts};
use super::reach;
use super::states;

/// An activity as a planning task.
#[derive(Debug, Clone)]
pub struct Household {
    /// The task, with the names of PDDL, in which plans are searched for.
    pub task: Arc<Task>,
    planning: PlanningTask,
    /// The activity in PDDL, or why it has no PDDL text.
    exported: Result<Exported, ExportError>,
    dialect: Dialect,
    unmodelled: Vec<OutOfReach>,
}

/// Why an activity cannot be planned for.
#[derive(Debug, Clone, PartialEq)]
pub enum HouseholdError {
    /// It is no planning task.
    Planning(PlanningError),
    /// Two of its names are the same in PDDL.
    Names,
}

impl std::fmt::Display for HouseholdError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Planning(error) => error.fmt(f),
            Self::Names => f.write_str("two of its things or predicates have the same name in PDDL"),
        }
    }
}

impl std::error::Error for HouseholdError {}

impl From<PlanningError> for HouseholdError {
    fn from(error: PlanningError) -> Self {
        Self::Planning(error)
    }
}

impl Household {
    /// Adds actions to an activity: those of one agent with one hand. LIBERO's tasks need no knowledge base.
    ///
    /// # Errors
    /// If the activity has no meaning as a planning task: an unknown name, too deep a nesting, or names that no world can have.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: Option<&Knowledge>,
    ) -> Result<Self, HouseholdError> {
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
    ) -> Result<Self, HouseholdError> {
        let planning = PlanningTask::with_places(problem, domain, dialect, knowledge, places)?;
        let exported = export::pddl_with_actions(problem, domain, dialect, Choices::default(), knowledge, places);
        let task = in_pddl_words(&planning, exported.as_ref().ok()).ok_or(HouseholdError::Names)?;
        let mut household = Self { task: Arc::new(task), planning, exported, dialect, unmodelled: Vec::new() };
        household.unmodelled = household.beyond_model(problem);
        Ok(household)
    }

    /// What the goal needs of which no action of the model changes anything, or not of the things that it is about. With any of that
    /// there is no plan, which says nothing of the activity.
    pub fn unmodelled(&self) -> &[OutOfReach] {
        &self.unmodelled
    }

    fn beyond_model(&self, problem: &Problem) -> Vec<OutOfReach> {
        let changed = Changed::by(self.own());
        // What is derived changes with what it is derived from.
        let derived: FxHashSet<PredicateId> = self.own().rules.iter().map(|rule| rule.predicate).collect();
        let initial = self.planning.goal.initial_state(problem);
        let kept = |id: AtomId, atom: &GroundAtom| {
            if let Some(kept) = &self.planning.kept[id.index()] {
                return Some(kept.value);
            }
            let (predicate, _) = self.fact(atom)?;
            if derived.contains(&predicate) { None } else { changed.kept(predicate, initial[id.index()]) }
        };
        let mut found = out_of_reach::find(problem, &self.planning.goal, self.dialect, kept);
        for one in &mut found {
            one.limits = self.limits_of(one);
        }
        found
    }

    /// The things that are why literals are out of reach, with the reasons.
    fn limits_of(&self, found: &OutOfReach) -> Vec<(Arc<str>, &'static str)> {
        let goal = &self.planning.goal;
        let mut limits: Vec<(Arc<str>, &'static str)> = Vec::new();
        for (atom, kept) in goal.atoms.iter().zip(&self.planning.kept) {
            let Some(kept) = kept.as_ref().filter(|kept| kept.value != found.wanted) else { continue };
            let is_one = found.literals.contains(&out_of_reach::literal(atom, found.wanted));
            if is_one && atom.predicate == found.predicate && limits.iter().all(|(thing, _)| *thing != kept.thing) {
                limits.push((kept.thing.clone(), kept.why.reason()));
            }
        }
        limits
    }

    /// Restrictions of the action model because of which that there is no plan proves nothing of the activity.
    pub fn limits(&self) -> &[ModelLimit] {
        &self.planning.limits
    }

    /// What the goal needs to which nothing leads with the things that there are, each by itself: nothing, where it needs only what
    /// could be reached if nothing ever stopped holding. `left` is what is left of the time, if there is a limit.
    ///
    /// # Errors
    /// If the task is too large for the limits of such questions, there is no time left, or the flag is set.
    pub fn unreachable(
        &self,
        problem: &Problem,
        left: Option<Duration>,
        cancelled: &AtomicBool,
    ) -> Result<Vec<OutOfReach>, GroundError> {
        let known: Vec<_> = self.goal().atoms.iter().filter_map(|atom| self.fact(atom)).collect();
        let settled = settled_facts(self.own(), &known, &reach::limits(left), cancelled)?;
        let settled: FxHashMap<_, _> = known.into_iter().zip(settled).collect();
        let kept = |_, atom: &GroundAtom| *settled.get(&self.fact(atom)?)?;
        Ok(out_of_reach::find(problem, self.goal(), self.dialect, kept))
    }

    /// The task with the names of the activity.
    pub fn own(&self) -> &Task {
        &self.planning.task
    }

    /// The goal, taken apart over the things.
    pub(super) fn goal(&self) -> &GroundGoal {
        &self.planning.goal
    }

    /// How the goal is read.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The values of the goal's atoms in a state of the task.
    pub(super) fn values(&self, state: &State) -> Vec<bool> {
        let holds =
            |atom: &GroundAtom| self.fact(atom).is_some_and(|(predicate, arguments)| state.fact(predicate, &arguments));
        self.goal().atoms.iter().map(holds).collect()
    }

    /// What an atom of the goal is called in the task.
    pub(super) fn fact(&self, atom: &GroundAtom) -> Option<(PredicateId, Arguments)> {
        let world = &self.own().world;
        let arity = atom.arguments.len();
        let numbered = || world.predicate_named(&format!("{}/{arity}", atom.predicate));
        let named = world.predicate_named(&atom.predicate);
        let fits = |id: &PredicateId| world.predicates()[id.index()].parameters.len() == arity;
        let predicate = named.filter(fits).or_else(|| numbered().filter(fits))?;
        let object = |name: &Arc<str>| world.object_named(name);
        Some((predicate, atom.arguments.iter().map(object).collect::<Option<Arguments>>()?))
    }

    /// Which conjuncts of the activity's goal hold after a plan, or after as much of it as can be done, in their order.
    pub fn conjuncts(&self, plan: &Plan) -> Vec<bool> {
        let Ok(mut execution) = Execution::new(self.own()) else { return vec![false; self.goal().conjuncts.len()] };
        for step in &plan.steps {
            if execution.take(step, &CoreNotation).is_err() {
                break;
            }
        }
        evaluate::conjuncts(self.goal(), self.dialect, &self.values(execution.state()))
    }

    /// What things are called in the activity, and in the task.
    pub fn instances(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.own().world.objects().iter().zip(self.task.world.objects());
        pairs.map(|(own, written)| (&*own.id, &*written.id))
    }

    /// The domain and the problem in PDDL.
    ///
    /// # Errors
    /// If the goal has no PDDL text.
    pub fn texts(&self) -> Result<[String; 2], ExportError> {
        let exported = self.exported.as_ref().map_err(Clone::clone)?;
        Ok([exported.domain.clone(), exported.problem.clone()])
    }

    /// Writes the states that a plan goes through as states of the activity's world: of the facts, those that activities speak
    /// of. Up to the first step that cannot be taken.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_states(&self, plan: &Plan, world: &World, output: impl Write) -> Result<(), TraceError> {
        let own = &self.own().world;
        let private: FxHashSet<&str> = self.model_names().collect();
        let known = |predicate: &PredicateDecl| {
            if private.contains(&*predicate.name) { None } else { world.predicate_named(&predicate.name) }
        };
        let predicates: Vec<_> = own.predicates().iter().map(known).collect();
        let objects: Vec<_> = own.objects().iter().map(|object| world.object_named(&object.id)).collect();
        let translated = |delta: &Delta| {
            let fact = |fact: &FactChange| {
                let arguments = fact.arguments.iter().map(|object| objects[object.index()]);
                let predicate = predicates[fact.predicate.index()]?;
                Some(FactChange { predicate, arguments: arguments.collect::<Option<_>>()?, holds: fact.holds })
            };
            let facts = delta.facts.iter().filter_map(fact).collect();
            Delta { index: delta.index, clock: delta.clock, action: delta.action.clone(), facts, ..Delta::default() }
        };
        states::write_as(self.own(), plan, world, translated, output)
    }

    /// The names in the task of the predicates that only the action model has.
    fn model_names(&self) -> impl Iterator<Item = &str> {
        self.planning.private.iter().map(|name| &**name)
    }
}

/// The task with names that PDDL can have, the same as in its PDDL text where there is one. Ids are those of the original.
fn in_pddl_words(planning: &PlanningTask, exported: Option<&Exported>) -> Option<Task> {
    let task = &planning.task;
    let mut taken: FxHashSet<String> = FxHashSet::default();
    if let Some(exported) = exported {
        taken.extend(exported.instances.values().chain(exported.predicates.values()).cloned());
        taken.extend(exported.model_predicates.values().cloned());
    }
    let mut fresh = |wish: &str| {
        let plain = export::plain(wish);
        let mut name = plain.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{plain}_{number}");
        }
        name
    };
    let mut builder = WorldBuilder::new(task.world.name());
    builder.set_exclusive();
    for of in task.world.types() {
        let name = if &*of.name == "object" { of.name.to_string() } else { fresh(&of.name) };
        builder.declare_type(goalspec_core::world::TypeDecl { name: name.into(), ..of.clone() });
    }
    for object in task.world.objects() {
        let known = exported.and_then(|exported| exported.instances.get(&*object.id));
        let name = known.cloned().unwrap_or_else(|| fresh(&object.id));
        let id = builder.add_object(&*name, &object.types);
        builder.add_term(&*name, id);
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
