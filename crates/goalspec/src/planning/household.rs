//! Household activities planned for: written in PDDL with the action model, planned for as such, and the end of the plan looked at by
//! the evaluator of activities.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::ast::{Domain, Problem};
use goalspec_bddl::export::{self, Choices, ExportError, Exported};
use goalspec_bddl::ground::{GroundAtom, GroundGoal};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::{Dialect, evaluate};
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::state::{Arguments, Delta, FactChange, State};
use goalspec_core::world::World;
use goalspec_pddl::{Model, lower, parse};
use goalspec_planner::ground::GroundError;
use goalspec_syntax::Sources;
use goalspec_trace::TraceError;
use rustc_hash::{FxHashMap, FxHashSet};

use super::out_of_reach::{self, Changed, OutOfReach, settled_facts};
use super::reach;
use super::states;

/// An activity as a planning task.
#[derive(Debug, Clone)]
pub struct Household {
    /// The task.
    pub task: Arc<Task>,
    exported: Exported,
    goal: GroundGoal,
    dialect: Dialect,
    unmodelled: Vec<OutOfReach>,
}

impl Household {
    /// Adds actions to an activity: those of one agent with one hand.
    ///
    /// # Errors
    /// If the goal cannot be taken apart.
    ///
    /// # Panics
    /// If the text that is written is not one that is read, which would be a defect.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: &Knowledge,
    ) -> Result<Self, ExportError> {
        let exported = export::pddl(problem, domain, dialect, Choices::default(), Some(knowledge))?;
        let goal = GroundGoal::new(problem).map_err(ExportError::Ground)?;
        let mut sources = Sources::new();
        let source = sources.add("activity", format!("{}\n{}", exported.domain, exported.problem));
        let parsed = parse(sources.get(source));
        let (model, _) = Model::new(parsed.domains.first().expect("a domain was written"));
        let lowered = lower(parsed.problems.first().expect("a problem was written"), &model);
        let task = lowered.task.expect("what is written has a meaning");
        let mut household = Self { task: Arc::new(task), exported, goal, dialect, unmodelled: Vec::new() };
        household.unmodelled = household.beyond_model(problem);
        Ok(household)
    }

    /// What the goal needs of which no action of the model changes anything. With any of that there is no plan, which says nothing of
    /// the activity.
    pub fn unmodelled(&self) -> &[OutOfReach] {
        &self.unmodelled
    }

    fn beyond_model(&self, problem: &Problem) -> Vec<OutOfReach> {
        let changed = Changed::by(&self.task);
        let facts = self.task.initial.facts.iter().filter(|fact| fact.holds);
        let initial: FxHashSet<_> = facts.map(|fact| (fact.predicate, fact.arguments.clone())).collect();
        out_of_reach::find(problem, &self.goal, self.dialect, |atom| {
            let (predicate, arguments) = self.fact(atom)?;
            changed.kept(predicate, initial.contains(&(predicate, arguments)))
        })
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
        let known: Vec<_> = self.goal.atoms.iter().filter_map(|atom| self.fact(atom)).collect();
        let settled = settled_facts(&self.task, &known, &reach::limits(left), cancelled)?;
        let settled: FxHashMap<_, _> = known.into_iter().zip(settled).collect();
        Ok(out_of_reach::find(problem, &self.goal, self.dialect, |atom| *settled.get(&self.fact(atom)?)?))
    }

    /// The goal, taken apart over the things.
    pub(super) fn goal(&self) -> &GroundGoal {
        &self.goal
    }

    /// How the goal is read.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What was written.
    pub(super) fn exported(&self) -> &Exported {
        &self.exported
    }

    /// The values of the goal's atoms in a state of the task.
    pub(super) fn values(&self, state: &State) -> Vec<bool> {
        let holds =
            |atom: &GroundAtom| self.fact(atom).is_some_and(|(predicate, arguments)| state.fact(predicate, &arguments));
        self.goal.atoms.iter().map(holds).collect()
    }

    /// What an atom of the goal is called in the task.
    pub(super) fn fact(&self, atom: &GroundAtom) -> Option<(PredicateId, Arguments)> {
        let world = &self.task.world;
        let predicate = self.exported.predicates.get(&(atom.predicate.to_string(), atom.arguments.len()))?;
        let object = |name: &Arc<str>| world.object_named(self.exported.instances.get(&**name)?);
        Some((world.predicate_named(predicate)?, atom.arguments.iter().map(object).collect::<Option<Arguments>>()?))
    }

    /// Which conjuncts of the activity's goal hold after a plan, or after as much of it as can be done, in their order.
    pub fn conjuncts(&self, plan: &Plan) -> Vec<bool> {
        let Ok(mut execution) = Execution::new(&self.task) else { return vec![false; self.goal.conjuncts.len()] };
        for step in &plan.steps {
            if execution.take(step, &CoreNotation).is_err() {
                break;
            }
        }
        evaluate::conjuncts(&self.goal, self.dialect, &self.values(execution.state()))
    }

    /// What things are called in the activity, and in the task.
    pub fn instances(&self) -> impl Iterator<Item = (&str, &str)> {
        self.exported.instances.iter().map(|(own, written)| (own.as_str(), written.as_str()))
    }

    /// The domain and the problem in PDDL.
    pub fn texts(&self) -> [String; 2] {
        [self.exported.domain.clone(), self.exported.problem.clone()]
    }

    /// Writes the states that a plan goes through as states of the activity's world: of the facts, those that activities speak
    /// of. Up to the first step that cannot be taken.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_states(&self, plan: &Plan, world: &World, output: impl Write) -> Result<(), TraceError> {
        let translation = Translation::new(&self.exported, &self.task.world, world);
        states::write_as(&self.task, plan, world, |delta| translation.delta(delta), output)
    }
}

/// From what a task is about to what an activity is about.
struct Translation {
    /// By predicate of the task.
    predicates: Vec<Option<PredicateId>>,
    /// By object of the task.
    objects: Vec<Option<ObjectId>>,
}

impl Translation {
    fn new(exported: &Exported, from: &World, to: &World) -> Self {
        let mut predicates = vec![None; from.predicates().len()];
        for ((own, _), written) in &exported.predicates {
            if let Some(written) = from.predicate_named(written) {
                predicates[written.index()] = to.predicate_named(own);
            }
        }
        let mut objects = vec![None; from.objects().len()];
        for (own, written) in &exported.instances {
            if let Some(written) = from.object_named(written) {
                objects[written.index()] = to.object_named(own);
            }
        }
        Self { predicates, objects }
    }

    fn delta(&self, delta: &Delta) -> Delta {
        let fact = |fact: &FactChange| {
            let objects = fact.arguments.iter().map(|object| self.objects[object.index()]);
            let predicate = self.predicates[fact.predicate.index()]?;
            Some(FactChange { predicate, arguments: objects.collect::<Option<_>>()?, holds: fact.holds })
        };
        let facts = delta.facts.iter().filter_map(fact).collect();
        Delta { index: delta.index, clock: delta.clock, action: delta.action.clone(), facts, ..Delta::default() }
    }
}
