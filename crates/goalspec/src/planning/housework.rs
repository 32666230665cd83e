//! Validation of plans for activities: the reference interpreter executes the plan under the names of the activity, and the
//! evaluator of activities judges the goal.

use goalspec_bddl::ast::Problem;
use goalspec_bddl::settled;
use goalspec_core::condition::Origin;
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::PredicateId;
use goalspec_core::monitor::Blame;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::mend::remedies;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Lack, Unjudged, Validation, validate};
use goalspec_core::program::Goal;
use goalspec_core::state::Arguments;
use rustc_hash::FxHashMap;

use super::household::Household;

/// The maximum number of steps that are suggested for an unmet condition.
const MOST_REMEDIES: usize = 3;

/// Returns the task with the names of the activity and without its goal, which the evaluator of activities judges.
pub(super) fn without_goal(household: &Household) -> Task {
    let own = household.own();
    Task { goal: Goal { conjuncts: Vec::new(), ..own.goal.clone() }, ..own.clone() }
}

/// Executes a plan and validates it. `own` is the task [without its goal](without_goal).
pub(super) fn judge(household: &Household, own: &Task, problem: &Problem, plan: &Plan) -> Result<Validation, Unjudged> {
    let mut validation = validate(own, plan, &CoreNotation)?;
    for lack in &mut validation.lacks {
        lack.blame.origin = Origin::default();
    }
    if validation.fault.is_some() {
        validation.goal = household.conjuncts(plan).into_iter().all(|holds| holds);
        return Ok(validation);
    }
    let mut execution = Execution::new(own).map_err(Unjudged::Cycle)?;
    let mut since: FxHashMap<(PredicateId, Arguments), usize> = FxHashMap::default();
    for (place, step) in plan.steps.iter().enumerate() {
        let Ok(delta) = execution.take(step, &CoreNotation) else { break };
        since.extend(delta.facts.into_iter().map(|fact| ((fact.predicate, fact.arguments), place + 1)));
    }
    let held = household.conjuncts(plan);
    validation.goal = held.iter().all(|holds| *holds);
    let values = household.values(execution.state());
    for (place, _) in held.iter().enumerate().filter(|(_, holds)| !**holds) {
        let node = &household.goal().conjuncts[place];
        let value = |id: goalspec_bddl::ground::AtomId| values.get(id.index()).copied();
        let origin = problem.goal.get(place).map(|conjunct| conjunct.origin).unwrap_or_default();
        for id in settled::obstacles(node, true, household.dialect(), &value) {
            let atom = household.goal().atom(id);
            let words: Vec<&str> =
                std::iter::once(&atom.predicate).chain(&atom.arguments).map(|word| &**word).collect();
            let (fact, value) = (household.fact(atom), values[id.index()]);
            let remedies =
                fact.as_ref().map_or_else(Vec::new, |fact| remedies(&execution, fact, !value, MOST_REMEDIES));
            let last = fact.as_ref().and_then(|fact| since.get(fact).copied());
            let condition = format!("({})", words.join(" "));
            let blame = Blame { condition, value, numbers: Vec::new(), phase: place, origin, fact };
            validation.lacks.push(Lack { blame, since: last, remedies });
        }
    }
    Ok(validation)
}
