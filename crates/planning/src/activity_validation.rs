//! Validation of plans for activities: the reference interpreter executes the plan under the names of the activity, and the
//! evaluator of activities judges the goal.

use goalspec_bddl::ast::Problem;
use goalspec_bddl::partial;
use goalspec_core::condition::Origin;
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::PredicateId;
use goalspec_core::monitor::Evidence;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::remedy::remedies;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{UnmetCondition, Validation, ValidationError, validate};
use goalspec_core::program::Goal;
use goalspec_core::state::ObjectArguments;
use rustc_hash::FxHashMap;

use crate::activity::ActivityTask;

/// The maximum number of steps that are suggested for an unmet condition.
const MAX_REMEDIES: usize = 3;

/// Returns the task with the names of the activity and without its goal, which the evaluator of activities judges.
pub(crate) fn without_goal(household: &ActivityTask) -> Task {
    let authored_task = household.authored_task();
    Task { goal: Goal { conjuncts: Vec::new(), ..authored_task.goal.clone() }, ..authored_task.clone() }
}

/// Executes a plan and validates it. `task` is the task [without its goal](without_goal).
pub(crate) fn validate_plan(
    household: &ActivityTask,
    task: &Task,
    problem: &Problem,
    plan: &Plan,
) -> Result<Validation, ValidationError> {
    let mut validation = validate(task, plan, &CoreNotation)?;
    for unmet in &mut validation.unmet_conditions {
        unmet.blame.origin = Origin::default();
    }
    if validation.error.is_some() {
        validation.goal_holds = household.conjuncts(plan).into_iter().all(|holds| holds);
        return Ok(validation);
    }
    let mut execution = Execution::new(task).map_err(ValidationError::NegativeCycle)?;
    let mut since: FxHashMap<(PredicateId, ObjectArguments), usize> = FxHashMap::default();
    for (place, step) in plan.steps.iter().enumerate() {
        let Ok(delta) = execution.apply(step, &CoreNotation) else { break };
        since.extend(delta.facts.into_iter().map(|fact| ((fact.predicate, fact.arguments), place + 1)));
    }
    let satisfied = household.conjuncts(plan);
    validation.goal_holds = satisfied.iter().all(|holds| *holds);
    let values = household.values(execution.state());
    for (place, _) in satisfied.iter().enumerate().filter(|(_, holds)| !**holds) {
        let node = &household.goal().conjuncts[place];
        let value = |id: goalspec_bddl::ground::AtomId| values.get(id.index()).copied();
        let origin = problem.goal.get(place).map(|conjunct| conjunct.origin.into()).unwrap_or_default();
        for id in partial::obstacles(node, true, household.dialect(), &value) {
            let atom = household.goal().atom(id);
            let words: Vec<&str> =
                std::iter::once(&atom.predicate).chain(&atom.arguments).map(|word| &**word).collect();
            let (fact, value) = (household.fact(atom), values[id.index()]);
            let remedies = fact.as_ref().map_or_else(Vec::new, |fact| remedies(&execution, fact, !value, MAX_REMEDIES));
            let last = fact.as_ref().and_then(|fact| since.get(fact).copied());
            let condition = format!("({})", words.join(" "));
            let evidence = Evidence { condition, value, numbers: Vec::new(), phase: place, origin, fact };
            validation.unmet_conditions.push(UnmetCondition { blame: evidence, since: last, remedies });
        }
    }
    Ok(validation)
}
