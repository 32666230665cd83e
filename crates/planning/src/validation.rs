//! Validations as diagnostics and as JSON.

use std::fmt::Write as _;

use goalspec_core::condition::Origin;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::Evidence;
use goalspec_core::planning::execute::StepError;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::{Action, Task, TrajectoryConstraint};
use goalspec_core::planning::validate::{SkippedStep, UnmetCondition, Validation, ValidationError, Violation};
use goalspec_core::program::Preference;
use goalspec_core::world::World;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources, Span, render};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json, json};

use crate::codes;
use crate::problem::PlanVerdict;

/// Returns the errors of a plan whose steps were written at `spans`: the first inapplicable step, or else an unmet goal and the
/// violated constraints. The goal and the constraints are not judged if a step is inapplicable.
pub fn diagnostics(task: &Task, plan: &Plan, spans: &[Span], validation: &Validation) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(error) = &validation.error {
        let index = validation.applied_steps;
        let text = plan.steps.get(index).map_or_else(String::new, |step| step.text(task));
        let message = format!("step {} `{text}` is not applicable: {}", index + 1, reason_text(task, error));
        let diagnostic = Diagnostic::new(codes::PLAN_STEP, Severity::Error, message);
        return vec![at_step(diagnostic, task, index, spans, error, &validation.unmet_conditions)];
    }
    if !validation.goal_holds {
        let mut diagnostic = Diagnostic {
            span: validation.unmet_conditions.iter().find_map(|unmet| unmet.blame.origin.0),
            ..Diagnostic::new(codes::PLAN_GOAL, Severity::Error, "goal not satisfied in the last state".to_owned())
        };
        diagnostic.help.extend(validation.unmet_conditions.iter().map(|unmet| unmet_condition_text(task, unmet)));
        found.push(diagnostic);
    }
    found.extend(validation.constraints.iter().map(|violation| {
        let constraint = &task.constraints[violation.index];
        let message = format!("constraint violated{}", binding_text(task, violation));
        Diagnostic { span: constraint.origin.0, ..Diagnostic::new(codes::PLAN_CONSTRAINT, Severity::Error, message) }
    }));
    found
}

/// Returns warnings about steps that were skipped because they are not applicable. `steps` is the sequence with these steps, which were written
/// at `spans`.
pub fn skipped_step_warnings(
    task: &Task,
    steps: &[Option<PlanStep>],
    spans: &[Span],
    skipped: &[SkippedStep],
) -> Vec<Diagnostic> {
    let warning = |step: &SkippedStep| {
        let text = steps.get(step.index).and_then(Option::as_ref).map_or_else(String::new, |step| step.text(task));
        let reason = reason_text(task, &step.error);
        let message = format!("step {} `{text}` is skipped, since it is not applicable: {reason}", step.index + 1);
        let diagnostic = Diagnostic::new(codes::PLAN_STEP, Severity::Warning, message);
        at_step(diagnostic, task, step.index, spans, &step.error, &step.unmet_conditions)
    };
    skipped.iter().map(warning).collect()
}

/// Describes why a step is not applicable.
fn reason_text(task: &Task, error: &StepError) -> String {
    match error {
        StepError::WrongType { parameter, object } => {
            let name = &task.world.object_decl(*object).id;
            format!("`{name}` does not have the type of parameter {}", parameter + 1)
        }
        other => other.to_string(),
    }
}

/// Adds the location of an inapplicable step to its diagnostic, with the effect or the unmet conditions that are the reason.
fn at_step(
    diagnostic: Diagnostic,
    task: &Task,
    index: usize,
    spans: &[Span],
    error: &StepError,
    unmet_conditions: &[UnmetCondition],
) -> Diagnostic {
    let mut diagnostic = Diagnostic { span: spans.get(index).copied(), ..diagnostic };
    if let StepError::Undefined { origin, .. }
    | StepError::DivisionByZero { origin, .. }
    | StepError::Conflict { origin, .. } = error
        && let Some(origin) = origin.0
    {
        diagnostic = diagnostic.with_related(origin, "this effect");
    }
    for unmet in unmet_conditions {
        diagnostic.help.push(unmet_condition_text(task, unmet));
        if let Some(since) = unmet.since.and_then(|since| spans.get(since - 1)) {
            diagnostic = diagnostic.with_related(*since, format!("`{}` since this step", literal_text(unmet)));
        }
    }
    diagnostic
}

/// Returns the diagnostic of an unsatisfied preference of a game, with the best attempt at it.
pub(crate) fn preference_diagnostic(world: &World, preference: &Preference, verdict: &PlanVerdict) -> Diagnostic {
    let mut found = Diagnostic {
        span: preference.origin.0,
        ..Diagnostic::new(codes::PLAN_GOAL, Severity::Error, verdict.text.clone())
    };
    let Some(best) = &verdict.attempt else { return found };
    let binding: Vec<String> =
        best.binding.iter().map(|(name, object)| format!("{name} = {}", world.label(*object))).collect();
    let for_binding = |preposition: &str| {
        if binding.is_empty() { String::new() } else { format!(", {preposition} {}", binding.join(", ")) }
    };
    let lacking: Vec<String> = best.evidence.iter().map(|evidence| condition_value_text(evidence, "")).collect();
    let (lacking, end) = (lacking.join(" and "), state_position(best.failed_at));
    match best.start {
        // The conditions of temporal formulas are not blamed individually.
        0 if lacking.is_empty() => {}
        0 => found.help.push(format!("{end}{}: {lacking}", for_binding("for example with"))),
        start => {
            // If no condition failed, there was no state left for the next operator.
            let lacking = if lacking.is_empty() { "the plan ends" } else { &lacking };
            found.help.push(format!(
                "best attempt: started {}{}; failed {end} in operator {}: {lacking}",
                state_position(start),
                for_binding("with"),
                best.phase + 1,
            ));
        }
    }
    found
}

/// Describes the time of a state, counted from 1.
fn state_position(state: u64) -> String {
    match state.saturating_sub(1) {
        0 => "in the initial state".to_owned(),
        step => format!("after step {step}"),
    }
}

/// Describes the value of a condition, the step since which it has it, and the compared numbers.
fn condition_value_text(evidence: &Evidence, since: &str) -> String {
    let numbers = match &evidence.numbers[..] {
        [left, right] => format!(" (left {left}, right {right})"),
        _ => String::new(),
    };
    format!("`{}` is {}{since}{numbers}", evidence.condition, evidence.value)
}

/// Returns the condition as the literal that holds.
fn literal_text(unmet: &UnmetCondition) -> String {
    if unmet.blame.value { unmet.blame.condition.clone() } else { format!("(not {})", unmet.blame.condition) }
}

/// Describes an unmet condition, the step since which it is unmet, and the steps that would change it.
fn unmet_condition_text(task: &Task, unmet: &UnmetCondition) -> String {
    let since = unmet.since.map_or_else(String::new, |step| format!(" since step {step}"));
    let mut text = condition_value_text(&unmet.blame, &since);
    let remedies: Vec<String> = unmet.remedies.iter().map(|step| format!("`{}`", step.text(task))).collect();
    if !remedies.is_empty() {
        let _ = write!(text, "; {} would fix it", remedies.join(" or "));
    }
    text
}

/// Describes the binding of the outer variables of a violated requirement.
fn binding_text(task: &Task, violation: &Violation) -> String {
    let bound =
        |(name, object): &(std::sync::Arc<str>, ObjectId)| format!("{name} = {}", task.world.object_decl(*object).id);
    let bindings: Vec<String> = violation.binding.iter().map(bound).collect();
    if bindings.is_empty() { String::new() } else { format!(" with {}", bindings.join(", ")) }
}

/// Returns the number of violations of each preference, by name or, for unnamed preferences, by text and position.
pub fn preference_violations(task: &Task, validation: &Validation, sources: &Sources) -> Vec<(String, u64)> {
    let named = validation.violations.iter().filter(|(name, _)| !name.is_empty());
    let mut counts: Vec<(String, u64)> = named.map(|(name, count)| (name.to_string(), *count)).collect();
    let mut of_actions = validation.violations.get("").copied();
    for (place, preference) in task.preferences.iter().enumerate().filter(|(_, preference)| preference.name.is_empty())
    {
        let count = validation.preferences.iter().filter(|violation| violation.index == place).count() as u64;
        of_actions = of_actions.map(|total| total.saturating_sub(count));
        counts.push((excerpt_with_position(preference.origin, sources).unwrap_or_else(|| "unnamed".to_owned()), count));
    }
    let has_such = |action: &Action| action.preferences.iter().any(|preference| preference.name.is_empty());
    if let Some(count) = of_actions.filter(|_| task.actions.iter().any(has_such)) {
        counts.push(("unnamed, of actions".to_owned(), count));
    }
    counts
}

/// The maximum number of characters that identify an unnamed preference.
const MAX_EXCERPT_CHARS: usize = 60;

/// Returns the beginning of the text at a span.
fn excerpt(span: Span, sources: &Sources) -> Option<String> {
    let words = sources.find(span.source)?.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(MAX_EXCERPT_CHARS).collect();
    let more = if short.len() < words.len() { " .." } else { "" };
    Some(format!("{short}{more}"))
}

/// Returns the beginning of the text at an origin, and its position.
fn excerpt_with_position(origin: Origin, sources: &Sources) -> Option<String> {
    let span = origin.0?;
    let file = sources.find(span.source)?;
    let (line, column) = file.line_column(span.start);
    Some(format!("`{}` at {}:{line}:{column}", excerpt(span, sources)?, file.name()))
}

/// Returns a validation as JSON.
pub fn validation_json(task: &Task, plan: &Plan, validation: &Validation, sources: &Sources) -> Json {
    let violation = |requirements: &[TrajectoryConstraint], violation: &Violation| {
        let binding: Map<String, Json> = violation
            .binding
            .iter()
            .map(|(name, object)| (name.to_string(), Json::from(&*task.world.object_decl(*object).id)))
            .collect();
        let requirement = &requirements[violation.index];
        json!({
            "name": &*requirement.name,
            "binding": binding,
            "span": requirement.origin.0.and_then(|span| render::json::span(span, sources)),
            "text": requirement.origin.0.and_then(|span| excerpt(span, sources)),
        })
    };
    let failed = validation.error.as_ref().and_then(|_| plan.steps.get(validation.applied_steps));
    json!({
        "valid": validation.is_valid(),
        "steps": plan.steps.len(),
        "applied_steps": validation.applied_steps,
        "failed_step": failed.map(|step| step.text(task)),
        "goal_satisfied": validation.goal_holds,
        "skipped_steps": [],
        "unmet_conditions": unmet_json(task, &validation.unmet_conditions, sources),
        "constraints": validation.constraints.iter().map(|one| violation(&task.constraints, one)).collect::<Vec<_>>(),
        "preferences": validation.preferences.iter().map(|one| violation(&task.preferences, one)).collect::<Vec<_>>(),
        "violations": validation.violations.iter().map(|(name, count)| (name.to_string(), Json::from(*count))).collect::<Map<_, _>>(),
        "metric": validation.metric,
    })
}

/// Returns the steps that were skipped, as JSON: those that are not applicable and those whose names are unknown. `steps` is the sequence with these
/// steps, which were written at `spans`.
pub fn skipped_steps_json(
    task: &Task,
    steps: &[Option<PlanStep>],
    spans: &[Span],
    skipped: &[SkippedStep],
    sources: &Sources,
) -> Json {
    let inapplicable: FxHashMap<usize, &SkippedStep> = skipped.iter().map(|step| (step.index, step)).collect();
    let record = |(index, step): (usize, &Option<PlanStep>)| {
        let skipped = inapplicable.get(&index);
        (step.is_none() || skipped.is_some()).then(|| {
            let span = spans.get(index).copied();
            json!({
                "number": index + 1,
                "step": span.and_then(|span| excerpt(span, sources)),
                "reason": skipped.map_or_else(|| "its names are unknown".to_owned(), |step| reason_text(task, &step.error)),
                "unmet_conditions": unmet_json(task, skipped.map_or(&[], |step| &step.unmet_conditions), sources),
                "span": span.and_then(|span| render::json::span(span, sources)),
            })
        })
    };
    steps.iter().enumerate().filter_map(record).collect()
}

/// Returns unmet conditions as JSON.
fn unmet_json(task: &Task, unmet_conditions: &[UnmetCondition], sources: &Sources) -> Json {
    let record = |unmet: &UnmetCondition| {
        json!({
            "condition": unmet.blame.condition,
            "value": unmet.blame.value,
            "numbers": unmet.blame.numbers,
            "since": unmet.since,
            "remedies": unmet.remedies.iter().map(|step| step.text(task)).collect::<Vec<_>>(),
            "span": unmet.blame.origin.0.and_then(|span| render::json::span(span, sources)),
        })
    };
    unmet_conditions.iter().map(record).collect()
}

/// Describes why plans for a task cannot be validated.
pub fn validation_error_text(task: &Task, why: &ValidationError) -> String {
    match why {
        ValidationError::NegativeCycle(predicate) => {
            format!("`{}` depends on its own negation", task.world.predicate(*predicate).name)
        }
        other => other.to_string(),
    }
}
