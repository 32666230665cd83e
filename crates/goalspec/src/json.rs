//! Outcomes as JSON, in one format for every interface.
//!
//! New versions only add fields. Numbers round-trip exactly as 64-bit floats. States are counted from 1.

mod lanes;

use goalspec_bddl::check::requirements::{PredicateRequirement, PropertyRequirement, Requirements};
use goalspec_bddl::check::{CheckStatus, CheckStatuses};
use goalspec_core::budget::BudgetExceeded;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::{Attempt, Evidence, PreferenceReport, Satisfaction};
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, Sources, render};
use goalspec_trace::Summary;
use goalspec_trace::screens::ScreenStatistics;
use serde_json::{Map, Value, json};

use crate::lanes::ProgramLanes;
use crate::library::Library;
use crate::playability::{self, Playability};
use crate::program::Program;
use crate::report::{GoalScoreReport, ProgramReport, ProgramVerdict};
use crate::scoring::ProgramOutcome;
use crate::stream::{LiveStep, StreamEnd};
use crate::traces::TraceContents;

/// Returns an outcome as a JSON object. It includes the rewards if they were kept. `sources` resolves the places of conditions.
pub fn outcome(outcome: &ProgramOutcome, sources: &Sources) -> Value {
    let report = &outcome.report;
    let writer = Writer { world: &outcome.world, sources };
    let mut object = Map::new();
    object.insert("program".into(), json!(&*outcome.program));
    object.insert("trace".into(), json!(&*outcome.trace));
    object.insert("world".into(), json!(outcome.world.name()));
    match report.score() {
        Ok(score) => object.insert("score".into(), json!(score)),
        Err(error) => {
            object.insert("score".into(), Value::Null);
            object.insert("score_error".into(), json!(error.to_string()))
        }
    };
    if let Some(BudgetExceeded { state, limit }) = outcome.budget_exceeded {
        object.insert("stopped".into(), json!({"state": state, "budget": limit}));
    }
    object.insert("states".into(), json!(report.states()));
    match report {
        ProgramReport::Game(report) => {
            object.insert("setup_met".into(), json!(report.setup_met));
            object.insert("terminal".into(), json!(report.terminal));
            object.insert("preferences".into(), report.preferences.iter().map(|p| writer.preference(p)).collect());
        }
        ProgramReport::Goal(goal) => writer.goal(goal, &mut object),
    }
    object.insert("remarks".into(), json!(report.remarks()));
    match outcome.lanes.as_deref() {
        Some(ProgramLanes::Game(game)) => {
            let lanes = lanes::game(game, &outcome.world, sources, report.states());
            object.insert("lanes".into(), lanes);
        }
        Some(ProgramLanes::Goal(goal)) => {
            object.insert("conjuncts".into(), lanes::goal(goal, &outcome.world, sources));
        }
        None => {}
    }
    if !outcome.rewards.is_empty() {
        object.insert("rewards".into(), json!(outcome.rewards));
    }
    Value::Object(object)
}

/// Returns the verdict on a state of a live stream as a JSON object.
pub fn live_state(step: &LiveStep<'_>) -> Value {
    match step.verdict {
        ProgramVerdict::Game(verdict) => json!({
            "state": step.state,
            "reward": verdict.reward,
            "score": verdict.score,
            "setup_met": verdict.setup_holds,
            "done": verdict.done,
            "satisfied": named_satisfactions(&verdict.satisfied, step.program, step.world),
        }),
        ProgramVerdict::Goal { verdict, progress, reward } => {
            let (satisfied, unsatisfied) = verdict.split();
            json!({
                "state": step.state,
                "reward": reward,
                "score": progress,
                "goal_satisfied": verdict.satisfied,
                "satisfied": satisfied,
                "unsatisfied": unsatisfied,
            })
        }
    }
}

/// Returns the end of a live stream as a JSON object, whose reward completes the sum of rewards to the score.
pub fn stream_end(end: &StreamEnd, program: &Program, world: &World) -> Value {
    json!({
        "state": end.states,
        "finish": true,
        "reward": end.reward,
        "score": end.score,
        "satisfied": named_satisfactions(&end.satisfied, program, world),
    })
}

/// Returns satisfactions with the names of their preferences.
fn named_satisfactions(found: &[(usize, Satisfaction)], program: &Program, world: &World) -> Vec<Value> {
    let named = |(preference, found): &(usize, Satisfaction)| {
        let mut value = satisfaction(world, found);
        value["preference"] = json!(program.preference_name(*preference));
        value
    };
    found.iter().map(named).collect()
}

/// Returns the verdicts of an activity's checks as a JSON object: `"passed"`, `"failed"` or `"skipped"`, by the name of the check
/// in the Python package.
pub fn check_statuses(program: &str, verdicts: &CheckStatuses) -> Value {
    let outcome = |verdict| match verdict {
        CheckStatus::Passed => "passed",
        CheckStatus::Failed => "failed",
        CheckStatus::Skipped => "skipped",
    };
    let checks: Map<String, Value> =
        verdicts.iter().map(|(check, verdict)| (check.name().to_owned(), json!(outcome(verdict)))).collect();
    json!({"program": program, "checks": checks})
}

/// Returns a satisfaction as a JSON object.
pub fn satisfaction(world: &World, satisfaction: &Satisfaction) -> Value {
    let mut object = Map::new();
    object.insert("binding".into(), binding(world, &satisfaction.binding));
    object.insert("start".into(), json!(satisfaction.start));
    object.insert("end".into(), json!(satisfaction.end));
    if !satisfaction.measures.is_empty() {
        let measures = satisfaction.measures.iter().map(|(name, value)| json!({"name": &**name, "value": value}));
        object.insert("measures".into(), measures.collect());
    }
    Value::Object(object)
}

/// Returns the best attempt at an unsatisfied preference as a JSON object. `sources` resolves the places of conditions.
pub(crate) fn attempt(world: &World, attempt: &Attempt, sources: &Sources) -> Value {
    Writer { world, sources }.attempt(attempt)
}

fn binding(world: &World, binding: &[(std::sync::Arc<str>, ObjectId)]) -> Value {
    binding.iter().map(|(name, object)| (name.to_string(), json!(&*world.object_decl(*object).id))).collect()
}

struct Writer<'a> {
    world: &'a World,
    sources: &'a Sources,
}

impl Writer<'_> {
    fn goal(&self, goal: &GoalScoreReport, object: &mut Map<String, Value>) {
        let report = &goal.report;
        let (satisfied, unsatisfied) = report.last.split();
        object.insert("goal_satisfied".into(), json!(report.last.satisfied));
        object.insert("first_satisfied".into(), json!(report.goal.first));
        object.insert("unsatisfied_literals".into(), json!(goal.progress.unsatisfied_literals));
        object.insert("challenge_score".into(), json!(goal.challenge_score));
        object.insert("satisfied".into(), json!(satisfied));
        object.insert("unsatisfied".into(), json!(unsatisfied));
        if !goal.evidence.is_empty() {
            let reasons =
                goal.evidence.iter().map(|reasons| reasons.iter().map(|reason| self.blame(reason, None)).collect());
            object.insert("failed_conditions".into(), reasons.collect::<Vec<Value>>().into());
        }
    }

    fn preference(&self, report: &PreferenceReport) -> Value {
        let mut object = Map::new();
        object.insert("name".into(), json!(&*report.name));
        object.insert("count".into(), json!(report.count));
        let satisfactions = report.satisfactions.iter().map(|s| satisfaction(self.world, s)).collect();
        object.insert("satisfactions".into(), satisfactions);
        if report.unlisted > 0 {
            object.insert("dropped_satisfactions".into(), json!(report.unlisted));
        }
        if let Some(attempt) = &report.attempt {
            object.insert("best_attempt".into(), self.attempt(attempt));
        }
        Value::Object(object)
    }

    fn attempt(&self, attempt: &Attempt) -> Value {
        json!({
            "binding": binding(self.world, &attempt.binding),
            "operator": attempt.phase + 1,
            "events": attempt.events,
            "start": attempt.start,
            "failed_at": attempt.failed_at,
            "failed_conditions": attempt.evidence.iter().map(|blame| self.blame(blame, Some(blame.phase + 1))).collect::<Vec<_>>(),
        })
    }

    /// Returns a condition that is to blame as JSON, with the operator to which it belongs if it is part of an attempt.
    fn blame(&self, evidence: &Evidence, operator: Option<usize>) -> Value {
        let span = evidence.origin.0.and_then(|span| render::json::span(span, self.sources));
        let mut object = Map::new();
        object.insert("condition".into(), json!(evidence.condition));
        object.insert("value".into(), json!(evidence.value));
        object.insert("numbers".into(), json!(evidence.numbers));
        if let Some(operator) = operator {
            object.insert("operator".into(), json!(operator));
        }
        object.insert("span".into(), json!(span));
        Value::Object(object)
    }
}

/// Returns the contents of a trace as a JSON object. `summary` is the summary of the contents, `path` the path of the trace.
pub fn trace_contents(path: &str, summary: &Summary, contents: &TraceContents) -> Value {
    let header = &summary.header;
    let counts =
        |pairs: &[(String, u64)]| -> Value { pairs.iter().map(|(name, count)| (name.clone(), json!(count))).collect() };
    let mut value = json!({
        "path": path,
        "format": header.format.name(),
        "compression": header.compression.name(),
        "world": summary.world,
        "scene": header.scene,
        "id": header.id,
        "participant": header.participant,
        "replay": header.replay,
        "states": summary.states,
        "complete": contents.is_complete,
        "first_index": summary.indices.0,
        "last_index": summary.indices.1,
        "duration": summary.duration,
        "updates": summary.attribute_values,
        "facts": summary.facts,
        "fluents": summary.fluents,
        "actions": summary.actions,
        "foreign": summary.foreign_mentions,
        "objects": counts(&summary.objects),
        "attributes": counts(&summary.attributes),
    });
    if let Some(screens) = &contents.screens {
        let ScreenStatistics { policy, actions, episodes, completed_episodes, total_reward, rewards } = screens;
        value["screens"] = json!({
            "policy": policy,
            "actions": actions,
            "episodes": episodes,
            "finished": completed_episodes,
            "score": total_reward,
            "rewards": rewards.iter().collect::<Vec<_>>(),
        });
    }
    value
}

/// Returns diagnostics as a JSON object, with the verdicts of the checks of a library's activities and, if they were judged, whether the
/// programs can be achieved.
pub fn check_report(diagnostics: &[Diagnostic], library: &Library, playability: Option<&[Playability]>) -> Value {
    let findings: Vec<Value> =
        diagnostics.iter().map(|diagnostic| render::json::value(diagnostic, library.sources())).collect();
    let activities = library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    let verdicts: Vec<Value> =
        activities.map(|(program, activity)| check_statuses(&program.name, &activity.check_statuses)).collect();
    let mut report = json!({"findings": findings, "verdicts": verdicts});
    if let Some(judged) = playability {
        report["playability"] = playability::report(judged);
    }
    report
}

/// Returns the requirements of an activity as a JSON object.
pub fn requirements(name: &str, requirements: &Requirements) -> Value {
    let predicate = |need: &PredicateRequirement| json!({"name": need.name, "arguments": need.arity, "initial": need.init_count, "goal": need.goal_count});
    let property = |need: &PropertyRequirement| {
        json!({
            "category": need.category,
            "any_of": need.properties,
            "predicates": need.predicates,
            "given": need.is_satisfied,
        })
    };
    json!({
        "activity": name,
        "predicates": requirements.predicates.iter().map(predicate).collect::<Vec<_>>(),
        "properties": requirements.properties.iter().map(property).collect::<Vec<_>>(),
    })
}
