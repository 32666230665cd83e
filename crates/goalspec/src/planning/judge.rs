//! Validations as diagnostics and as JSON.

use std::fmt::Write as _;

use goalspec_core::condition::Origin;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::Blame;
use goalspec_core::planning::execute::Fault;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::{Action, Requirement, Task};
use goalspec_core::planning::validate::{Lack, Unjudged, Validation, Violation};
use goalspec_core::program::Preference;
use goalspec_core::world::World;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources, Span};
use serde_json::{Map, Value as Json, json};

use super::posed::Verdict;
use crate::codes;
use crate::record;

/// Returns the errors of a plan whose steps were written at `places`: the first inapplicable step, or else an unmet goal and the
/// violated constraints. The goal and the constraints are not judged if a step is inapplicable.
pub fn diagnostics(task: &Task, plan: &Plan, places: &[Span], validation: &Validation) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(fault) = &validation.fault {
        return vec![step(task, plan, places, validation, fault)];
    }
    if !validation.goal {
        let mut diagnostic = Diagnostic {
            span: validation.lacks.iter().find_map(|lack| lack.blame.origin.0),
            ..Diagnostic::new(codes::PLAN_GOAL, Severity::Error, "goal not satisfied in the last state".to_owned())
        };
        diagnostic.help.extend(validation.lacks.iter().map(|lack| lacking(task, lack)));
        found.push(diagnostic);
    }
    found.extend(validation.constraints.iter().map(|violation| {
        let constraint = &task.constraints[violation.place];
        let message = format!("constraint violated{}", bound(task, violation));
        Diagnostic { span: constraint.origin.0, ..Diagnostic::new(codes::PLAN_CONSTRAINT, Severity::Error, message) }
    }));
    found
}

/// Returns the diagnostic of an inapplicable step.
fn step(task: &Task, plan: &Plan, places: &[Span], validation: &Validation, fault: &Fault) -> Diagnostic {
    let number = validation.taken;
    let text = plan.steps.get(number).map_or_else(String::new, |step| step.text(task));
    let object = |object: ObjectId| &*task.world.object_decl(object).id;
    let (why, origin) = match fault {
        Fault::Arity { given, wanted } => (format!("expected {wanted} objects, found {given}"), None),
        Fault::Type { parameter, object: of } => {
            (format!("`{}` does not have the type of parameter {}", object(*of), parameter + 1), None)
        }
        Fault::Precondition(_) => ("its precondition is false".to_owned(), None),
        Fault::Undefined { what, origin } => (format!("`{what}` is undefined"), origin.0),
        Fault::Zero { what, origin } => (format!("division by `{what}`, which is 0"), origin.0),
        Fault::Conflict { what, origin } => (format!("conflicting effects on `{what}`"), origin.0),
    };
    let message = format!("step {} `{text}` is not applicable: {why}", number + 1);
    let diagnostic =
        Diagnostic { span: places.get(number).copied(), ..Diagnostic::new(codes::PLAN_STEP, Severity::Error, message) };
    let mut diagnostic = match origin {
        Some(origin) => diagnostic.with_related(origin, "this effect"),
        None => diagnostic,
    };
    for lack in &validation.lacks {
        diagnostic.help.push(lacking(task, lack));
        if let Some(since) = lack.since.and_then(|since| places.get(since - 1)) {
            diagnostic = diagnostic.with_related(*since, format!("`{}` since this step", valued(lack)));
        }
    }
    diagnostic
}

/// Returns the diagnostic of an unsatisfied preference of a game, with the best attempt at it.
pub(super) fn unsatisfied(world: &World, preference: &Preference, verdict: &Verdict) -> Diagnostic {
    let mut found = Diagnostic {
        span: preference.origin.0,
        ..Diagnostic::new(codes::PLAN_GOAL, Severity::Error, verdict.text.clone())
    };
    let Some(best) = &verdict.attempt else { return found };
    let binding: Vec<String> =
        best.binding.iter().map(|(name, object)| format!("{name} = {}", world.label(*object))).collect();
    let with = |how: &str| if binding.is_empty() { String::new() } else { format!(", {how} {}", binding.join(", ")) };
    let lacking: Vec<String> = best.blame.iter().map(|blame| valued_at(blame, "")).collect();
    let (lacking, end) = (lacking.join(" and "), moment(best.failed_at));
    match best.start {
        // The conditions of temporal formulas are not blamed individually.
        0 if lacking.is_empty() => {}
        0 => found.help.push(format!("{end}{}: {lacking}", with("for example with"))),
        start => {
            // If no condition failed, there was no state left for the next operator.
            let lacking = if lacking.is_empty() { "the plan ends" } else { &lacking };
            found.help.push(format!(
                "best attempt: started {}{}; failed {end} in operator {}: {lacking}",
                moment(start),
                with("with"),
                best.phase + 1,
            ));
        }
    }
    found
}

/// Describes the time of a state, counted from 1.
fn moment(state: u64) -> String {
    match state.saturating_sub(1) {
        0 => "in the initial state".to_owned(),
        step => format!("after step {step}"),
    }
}

/// Describes the value of a condition, the step since which it has it, and the compared numbers.
fn valued_at(blame: &Blame, since: &str) -> String {
    let numbers = match &blame.numbers[..] {
        [left, right] => format!(" (left {left}, right {right})"),
        _ => String::new(),
    };
    format!("`{}` is {}{since}{numbers}", blame.condition, blame.value)
}

/// Returns the condition as the literal that holds.
fn valued(lack: &Lack) -> String {
    if lack.blame.value { lack.blame.condition.clone() } else { format!("(not {})", lack.blame.condition) }
}

/// Describes an unmet condition, the step since which it is unmet, and the steps that would change it.
fn lacking(task: &Task, lack: &Lack) -> String {
    let since = lack.since.map_or_else(String::new, |step| format!(" since step {step}"));
    let mut text = valued_at(&lack.blame, &since);
    let remedies: Vec<String> = lack.remedies.iter().map(|step| format!("`{}`", step.text(task))).collect();
    if !remedies.is_empty() {
        let _ = write!(text, "; {} would fix it", remedies.join(" or "));
    }
    text
}

/// Describes the binding of the outer variables of a violated requirement.
fn bound(task: &Task, violation: &Violation) -> String {
    let bound =
        |(name, object): &(std::sync::Arc<str>, ObjectId)| format!("{name} = {}", task.world.object_decl(*object).id);
    let bindings: Vec<String> = violation.binding.iter().map(bound).collect();
    if bindings.is_empty() { String::new() } else { format!(" with {}", bindings.join(", ")) }
}

/// Returns the number of violations of each preference, by name or, for unnamed preferences, by text and position.
pub fn preferences(task: &Task, validation: &Validation, sources: &Sources) -> Vec<(String, u64)> {
    let named = validation.violations.iter().filter(|(name, _)| !name.is_empty());
    let mut counts: Vec<(String, u64)> = named.map(|(name, count)| (name.to_string(), *count)).collect();
    let mut of_actions = validation.violations.get("").copied();
    for (place, preference) in task.preferences.iter().enumerate().filter(|(_, one)| one.name.is_empty()) {
        let count = validation.preferences.iter().filter(|violation| violation.place == place).count() as u64;
        of_actions = of_actions.map(|all| all.saturating_sub(count));
        counts.push((written(preference.origin, sources).unwrap_or_else(|| "unnamed".to_owned()), count));
    }
    let has_such = |action: &Action| action.preferences.iter().any(|preference| preference.name.is_empty());
    if let Some(count) = of_actions.filter(|_| task.actions.iter().any(has_such)) {
        counts.push(("unnamed, of actions".to_owned(), count));
    }
    counts
}

/// The maximum number of characters that identify an unnamed preference.
const SHOWN: usize = 60;

/// Returns the beginning of the text at an origin, and its position.
fn written(origin: Origin, sources: &Sources) -> Option<String> {
    let span = origin.0?;
    let file = sources.find(span.source)?;
    let words = file.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(SHOWN).collect();
    let more = if short.len() < words.len() { " .." } else { "" };
    let (line, column) = file.line_column(span.start);
    Some(format!("`{short}{more}` at {}:{line}:{column}", file.name()))
}

/// Returns a validation as JSON.
pub fn json(task: &Task, plan: &Plan, validation: &Validation, sources: &Sources) -> Json {
    let lack = |lack: &Lack| {
        json!({
            "condition": lack.blame.condition,
            "value": lack.blame.value,
            "numbers": lack.blame.numbers,
            "since": lack.since,
            "remedies": lack.remedies.iter().map(|step| step.text(task)).collect::<Vec<_>>(),
        })
    };
    let violation = |requirements: &[Requirement], violation: &Violation| {
        let binding: Map<String, Json> = violation
            .binding
            .iter()
            .map(|(name, object)| (name.to_string(), Json::from(&*task.world.object_decl(*object).id)))
            .collect();
        let requirement = &requirements[violation.place];
        json!({ "name": &*requirement.name, "binding": binding, "source": written(requirement.origin, sources) })
    };
    let failed = validation.fault.as_ref().and_then(|_| plan.steps.get(validation.taken));
    json!({
        "valid": validation.valid(),
        "steps": plan.steps.len(),
        "applied_steps": validation.taken,
        "failed_step": failed.map(|step| step.text(task)),
        "goal_satisfied": validation.goal,
        "unmet_conditions": validation.lacks.iter().map(lack).collect::<Vec<_>>(),
        "constraints": validation.constraints.iter().map(|one| violation(&task.constraints, one)).collect::<Vec<_>>(),
        "preferences": validation.preferences.iter().map(|one| violation(&task.preferences, one)).collect::<Vec<_>>(),
        "violations": validation.violations.iter().map(|(name, count)| (name.to_string(), Json::from(*count))).collect::<Map<_, _>>(),
        "metric": validation.metric,
    })
}

/// Returns a verdict as JSON.
pub fn verdict_json(world: &World, verdict: &Verdict, sources: &Sources) -> Json {
    let mut record = json!({ "satisfied": verdict.met, "text": verdict.text });
    if let Some(attempt) = &verdict.attempt {
        record["best_attempt"] = record::attempt(world, attempt, sources);
    }
    record
}

/// Returns the diagnostic of a task whose plans cannot be validated.
pub fn unjudged(task: &Task, why: &Unjudged) -> Diagnostic {
    let why = why_unjudged(task, why);
    Diagnostic::new(codes::REFUSED, Severity::Error, format!("cannot validate plans for `{}`: {why}", task.name))
}

/// Describes why plans for a task cannot be validated.
pub(super) fn why_unjudged(task: &Task, why: &Unjudged) -> String {
    match why {
        Unjudged::Cycle(predicate) => {
            format!("`{}` depends on its own negation", task.world.predicate(*predicate).name)
        }
        Unjudged::Refused(reason) => reason.to_string(),
        Unjudged::Halted => "validation was stopped".to_owned(),
    }
}
