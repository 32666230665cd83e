//! A plan as written, and its judgement.

use fixedbitset::FixedBitSet;
use goalspec_core::evaluate::{self, Bindings};
use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::validate::{ApplicableSteps, SkippedStep, Validation};
use goalspec_core::truth::StateRuns;
use goalspec_pddl::{lower_plan, lower_plan_steps, parse};
use goalspec_planning::problem::{PlanVerdict, PlanningProblem};
use goalspec_planning::validation;
use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};
use serde_json::{Value, json};

use super::{validation_error, verdict_json};

/// A plan as written, the part of it that is executed, and its validation.
#[derive(Debug, Clone)]
pub struct JudgedPlan {
    /// The steps as written, in their order in time; `None` for a step with unknown names.
    pub steps: Vec<Option<PlanStep>>,
    /// The source locations of the steps.
    pub spans: Vec<Span>,
    /// The steps that are executed: all of them, or the applicable ones.
    pub plan: Plan,
    /// The steps that were skipped because they are not applicable.
    pub skipped: Vec<SkippedStep>,
    /// The validation of the executed steps.
    pub validation: Validation,
    /// The diagnostics of reading the plan, none of them an error.
    pub findings: Vec<Diagnostic>,
}

impl JudgedPlan {
    /// Reads a plan and validates it. With `skips_inapplicable`, steps that are not applicable or have unknown names are skipped.
    ///
    /// # Errors
    /// The diagnostics of the text if there are errors among them, or the reason why plans for the problem cannot be validated.
    pub fn new(
        problem: &PlanningProblem,
        text: &SourceFile,
        skips_inapplicable: bool,
    ) -> Result<Self, Vec<Diagnostic>> {
        let task = problem.authored_task();
        let (parsed, mut findings) = parse::plan(text);
        let (steps, diagnostics) = if skips_inapplicable {
            lower_plan_steps(&parsed, task)
        } else {
            let (plan, diagnostics) = lower_plan(&parsed, task);
            (plan.map(|plan| plan.steps.into_iter().map(Some).collect()), diagnostics)
        };
        findings.extend(diagnostics);
        let Some(steps) = steps.filter(|_| !findings.iter().any(Diagnostic::is_error)) else { return Err(findings) };
        let mut spans: Vec<(f64, Span)> =
            parsed.steps.iter().map(|step| (step.time.unwrap_or(0.0), step.span)).collect();
        spans.sort_by(|left, right| left.0.total_cmp(&right.0));
        let spans = spans.into_iter().map(|(_, span)| span).collect();
        let judged = if skips_inapplicable {
            problem.validate_applicable(&steps)
        } else {
            let plan = Plan { steps: steps.iter().flatten().cloned().collect() };
            let validation = problem.validate(&plan);
            validation.map(|validation| (ApplicableSteps { plan, ..ApplicableSteps::default() }, validation))
        };
        match judged {
            Ok((ApplicableSteps { plan, skipped, .. }, validation)) => {
                Ok(Self { steps, spans, plan, skipped, validation, findings })
            }
            Err(error) => {
                findings.push(validation_error(task, &error));
                Err(findings)
            }
        }
    }

    /// Returns the number of steps that were skipped, those with unknown names included.
    pub fn skipped_count(&self) -> usize {
        self.skipped.len() + self.steps.iter().filter(|step| step.is_none()).count()
    }

    /// Whether the executed steps solve the problem, with the verdict of a preference on them if that is the goal.
    pub fn is_valid(&self, verdict: Option<&PlanVerdict>) -> bool {
        self.validation.is_valid() && verdict.is_none_or(|verdict| verdict.is_satisfied)
    }

    /// Returns the judgement as JSON.
    pub fn record(&self, problem: &PlanningProblem, verdict: Option<&PlanVerdict>, sources: &Sources) -> Value {
        let task = problem.authored_task();
        let mut record = validation::validation_json(task, &self.plan, &self.validation, sources);
        record["steps"] = json!(self.steps.len());
        record["skipped_steps"] =
            validation::skipped_steps_json(task, &self.steps, &self.spans, &self.skipped, sources);
        if let Some(verdict) = verdict {
            record["valid"] = json!(self.is_valid(Some(verdict)));
            record["verdict"] = verdict_json(&task.world, verdict, sources);
        }
        record
    }

    /// Returns the states in which each conjunct of the problem's own goal holds, in the order of the goal. State 1 is the initial state, and each
    /// applicable step leads to the next one.
    pub fn goal_states(&self, problem: &PlanningProblem) -> Vec<StateRuns> {
        let task = problem.authored_task();
        let mut held = vec![StateRuns::default(); task.goal.conjuncts.len()];
        let Ok(mut execution) = Execution::new(task) else { return held };
        let no_objects = FixedBitSet::new();
        for state in 1..=self.validation.applied_steps as u64 + 1 {
            let context = execution.context(&no_objects);
            let mut bindings = Bindings::new(&task.goal.scope);
            for (conjunct, held) in task.goal.conjuncts.iter().zip(&mut held) {
                if evaluate::condition(&context, &conjunct.condition, &mut bindings) {
                    held.push(state);
                }
            }
            let Some(step) = self.plan.steps.get(state as usize - 1) else { break };
            if execution.apply(step, &CoreNotation).is_err() {
                break;
            }
        }
        held
    }

    /// Returns the judgement as diagnostics at the steps of the plan.
    pub fn diagnostics(&self, problem: &PlanningProblem, verdict: Option<&PlanVerdict>) -> Vec<Diagnostic> {
        let task = problem.authored_task();
        let mut diagnostics = validation::skipped_step_warnings(task, &self.steps, &self.spans, &self.skipped);
        diagnostics.extend(validation::diagnostics(task, &self.plan, &self.spans, &self.validation));
        if self.validation.error.is_none() {
            diagnostics.extend(verdict.and_then(|verdict| problem.preference_diagnostic(verdict)));
        }
        diagnostics
    }
}
