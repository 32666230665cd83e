//! Results of planning as JSON.

use goalspec_bddl::planning::ModelRestriction;
use goalspec_core::planning::validate::Validation;
use goalspec_planner::ground::CostModel;
use goalspec_planner::{Proof, StopReason};
use serde_json::{Value, json};

use crate::problem::{PlanVerdict, PlanningProblem};
use crate::solve::{PlanError, PlanResult};
use crate::unreachable::UnreachableLiterals;

/// Returns the result of a search for a plan, with the verdict on the plan and, for an activity without a plan, the unreachable
/// literals of its goal.
pub fn result(
    problem: &PlanningProblem,
    solved: &PlanResult,
    verdict: Option<&PlanVerdict>,
    unreachable: Option<&[UnreachableLiterals]>,
) -> Value {
    let (size, statistics) = (&solved.size, &solved.statistics);
    let (plan, validation) = solved.plan.as_ref().map(|(plan, validation)| (plan, validation)).unzip();
    json!({
        "problem": &*problem.task.name,
        "plan": plan.map(|plan| plan.steps.iter().map(|step| problem.step_text(step)).collect::<Vec<_>>()),
        "metric": validation.and_then(|validation| validation.metric),
        "valid": validation.map(Validation::is_valid),
        "verdict": verdict.map(|verdict| json!({ "satisfied": verdict.is_satisfied, "text": verdict.text })),
        "proof": match (solved.proof, solved.costs) {
            (Proof::None, _) | (Proof::Optimal, CostModel::Metric { exact: false }) => None,
            (Proof::Optimal, CostModel::PlanLength | CostModel::Metric { exact: true }) => Some("optimal"),
            (Proof::Optimal, CostModel::UnrelatedToMetric) => Some("fewest-steps"),
            (Proof::Unsolvable, _) if !problem.model_restrictions().is_empty() => None,
            (Proof::Unsolvable, _) => Some("unsolvable"),
        },
        "model_restrictions": (solved.proof == Proof::Unsolvable)
            .then(|| problem.model_restrictions().iter().map(ModelRestriction::to_string).collect::<Vec<_>>()),
        "unreachable": unreachable.map(|found| found.iter().map(UnreachableLiterals::json).collect::<Vec<_>>()),
        "stop_reason": solved.stop_reason.map(stop_name),
        "limits_reached": solved.limits_reached.iter().map(|&limit| stop_name(limit)).collect::<Vec<_>>(),
        "objective": match solved.costs {
            CostModel::Metric { exact: true } => "metric",
            CostModel::Metric { exact: false } => "rounded-metric",
            CostModel::PlanLength | CostModel::UnrelatedToMetric => "steps",
        },
        "ignored": solved.ignored_preferences,
        "undefined_fluents": solved.anomalies.undefined_fluents,
        "search": solved.search,
        "partial_grounding": solved.partial.as_ref().map(ToString::to_string),
        "task": {
            "variables": size.variables,
            "values": size.facts,
            "operators": size.operators,
            "axioms": size.axioms,
        },
        "statistics": {
            "grounding_seconds": solved.grounding_time.as_secs_f64(),
            "search_seconds": solved.search_time.as_secs_f64(),
            "expanded": statistics.expanded,
            "evaluated": statistics.evaluated,
            "generated": statistics.generated,
            "registered": statistics.registered,
            "reopened": statistics.reopened,
            "dead_ends": statistics.dead_ends,
            "work": statistics.work,
            "peak_bytes": statistics.peak_memory,
        },
    })
}

/// Returns the result of planning that was stopped before the search; `None` if another error than a limit or a cancellation ended it.
pub fn stopped(problem: &PlanningProblem, error: &PlanError) -> Option<Value> {
    Some(json!({
        "problem": &*problem.task.name,
        "plan": null,
        "proof": null,
        "stop_reason": stop_name(error.stop_reason()?),
        "stage": error.stage(),
    }))
}

/// Returns the result for an activity whose goal needs literals that no action changes, so that nothing is searched.
pub fn unsupported(problem: &PlanningProblem) -> Value {
    let literals: Vec<_> = problem.unsupported_literals().iter().map(UnreachableLiterals::json).collect();
    let missing = problem
        .model_restrictions()
        .iter()
        .filter(|restriction| restriction.is_missing_object())
        .map(ToString::to_string);
    json!({
        "problem": &*problem.task.name,
        "plan": null,
        "proof": null,
        "unsupported_literals": literals,
        "missing_objects": missing.collect::<Vec<_>>(),
    })
}

fn stop_name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Time => "time",
        StopReason::Memory => "memory",
        StopReason::States => "states",
        StopReason::Cancelled => "cancelled",
    }
}
