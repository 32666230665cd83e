//! Comparison of planning problems and activities by meaning.

use goalspec_bddl::lower;
use goalspec_core::state::Delta;
use goalspec_equivalence::goals::GoalInWorld;
use goalspec_equivalence::{
    GoalComparison, GoalRelation, InitialState, LimitExceeded, ObjectMatching, Problem, ProblemComparison,
    compare_goals, compare_problems,
};
use serde_json::{Value, json};

use crate::library::Library;
use crate::program::{Program, ProgramContent};

/// A problem or activity that can be compared.
pub struct ComparedProgram<'p>(Problem<'p>);

/// Whether two programs mean the same, with the difference if they do not.
#[derive(Debug, Clone)]
pub enum ComparisonResult {
    /// Of the goals only.
    Goals(GoalComparison),
    /// Of whole problems.
    Problems(ProblemComparison),
    /// A limit was exceeded.
    Unknown(LimitExceeded),
}

/// Returns a program of a library for comparison; `None` if it is not a problem or activity, or has errors.
pub fn compared_program<'p>(library: &'p Library, program: &'p Program) -> Option<ComparedProgram<'p>> {
    match &program.content {
        ProgramContent::Planning(planning) => {
            let task = planning.task.as_deref()?;
            Some(ComparedProgram(Problem::of_task(task)))
        }
        ProgramContent::Activity(activity) => {
            let (world, goal) = (program.world.as_deref()?, activity.goal.as_deref()?);
            let lowered = lower::lower(&activity.problem, library.bddl_domain(activity), activity.dialect).ok()?;
            let delta = Delta { facts: lowered.initial, ..Delta::default() };
            let initial = InitialState::new(&lowered.world, &delta);
            Some(ComparedProgram(Problem { goal: GoalInWorld::new(world, goal), initial }))
        }
        _ => None,
    }
}

/// Compares two problems, or only their goals.
pub fn compare(one: &ComparedProgram<'_>, other: &ComparedProgram<'_>, goals_only: bool) -> ComparisonResult {
    let (ComparedProgram(one), ComparedProgram(other)) = (one, other);
    if goals_only {
        return compare_goals(one.goal, other.goal).map_or_else(ComparisonResult::Unknown, ComparisonResult::Goals);
    }
    compare_problems(one, other, ObjectMatching::Any).map_or_else(ComparisonResult::Unknown, ComparisonResult::Problems)
}

impl ComparisonResult {
    /// Whether the programs are equivalent; `None` if this is unknown.
    pub fn is_same(&self) -> Option<bool> {
        match self {
            Self::Unknown(_) => None,
            Self::Problems(problems) if problems.objects.is_none() => Some(false),
            _ => match self.goal()?.relation {
                GoalRelation::Same => Some(true),
                GoalRelation::Unknown => None,
                _ => Some(false),
            },
        }
    }

    /// Returns the comparison of the goals.
    pub fn goal(&self) -> Option<&GoalComparison> {
        match self {
            Self::Goals(goal) => Some(goal),
            Self::Problems(problems) => Some(&problems.goal),
            Self::Unknown(_) => None,
        }
    }

    /// Returns the result as JSON.
    pub fn json(&self) -> Value {
        let result = match self.is_same() {
            Some(true) => "same",
            Some(false) => "different",
            None => "unknown",
        };
        let mut value = json!({ "format": "goalspec-equivalence-1", "result": result });
        if let Some(goal) = self.goal() {
            let witness = goal.witness.as_ref().map(|state| {
                json!({ "facts": state.facts, "satisfies": if state.satisfies_first { "first" } else { "second" } })
            });
            value["goals"] =
                json!({ "relation": goal.relation.name(), "unsatisfiable": goal.unsatisfiable, "state": witness });
        }
        match self {
            Self::Problems(problems) => {
                let pairs = problems.objects.iter().flatten();
                let pairs: Vec<Value> = pairs.map(|(one, other)| json!([one, other])).collect();
                value["initial_states"] = json!({
                    "same": problems.objects.is_some(),
                    "objects": problems.objects.is_some().then_some(pairs),
                    "difference": problems.difference,
                });
            }
            Self::Unknown(limit) => value["reason"] = json!(limit.to_string()),
            Self::Goals(_) => {}
        }
        value
    }
}
