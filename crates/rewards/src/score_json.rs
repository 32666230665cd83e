//! Scores and engine shares of reward functions as JSON. Numbers are exact; non-finite numbers are strings: `"NaN"`, `"inf"`, `"-inf"`.

use goalspec_core::budget::BudgetExceeded;
use goalspec_core::engine::Engine;
use goalspec_python_runtime::observe::TermStatistics;
use goalspec_reward::terms::Term;
use serde_json::{Map, Value, json};

use crate::compiled::EngineCalls;
use crate::engine_shares::{EngineShares, Execution};
use crate::explanation::{Condition, Explanation};
use crate::score::{Failure, FrameResult, RewardOutcome};

/// Converts an outcome to a JSON object. Rewards are included if they were recorded; `null` stands for a frame without a reward.
pub fn outcome(outcome: &RewardOutcome) -> Value {
    let mut object = Map::new();
    object.insert("program".into(), json!(&*outcome.program));
    object.insert("trace".into(), json!(&*outcome.trace));
    object.insert("world".into(), json!(outcome.world.name()));
    object.insert("total".into(), total(outcome.total(), outcome.rewarded_frames()));
    object.insert("score".into(), outcome.score().map_or(Value::Null, number));
    if let Some(BudgetExceeded { state, limit }) = outcome.exceeded_budget {
        object.insert("stopped".into(), json!({"frame": state, "budget": limit}));
    }
    object.insert("frames".into(), json!(outcome.frames()));
    object.insert("rewarded".into(), json!(outcome.rewarded_frames()));
    let episodes = outcome.episodes.iter().map(|episode| {
        json!({
            "episode": episode.number,
            "total": total(episode.total, episode.rewarded_frames),
            "score": episode.score.map_or(Value::Null, number),
            "frames": episode.frames,
            "rewarded": episode.rewarded_frames,
        })
    });
    object.insert("episodes".into(), episodes.collect());
    let failure_json = |failure: &Failure| {
        json!({
            "kind": failure.kind,
            "message": failure.message,
            "line": failure.line,
            "first_frame": failure.first_frame,
            "frames": failure.frames,
        })
    };
    object.insert("failures".into(), outcome.failures.iter().map(failure_json).collect());
    if outcome.other_failures > 0 {
        object.insert("other_failures".into(), json!(outcome.other_failures));
    }
    if !outcome.warnings.is_empty() {
        object.insert("warnings".into(), outcome.warnings.iter().map(failure_json).collect());
    }
    if !outcome.components.is_empty() {
        let component = |(name, seen): (&String, &TermStatistics)| (name.clone(), Value::Object(statistics(seen)));
        object.insert("components".into(), outcome.components.iter().map(component).collect());
    }
    if !outcome.terms.is_empty() {
        object.insert("terms".into(), outcome.terms.iter().map(|(term, seen)| term_statistics(term, seen)).collect());
    }
    object.insert("engine".into(), engine_calls(&outcome.engine_calls));
    if !outcome.frame_results.is_empty() {
        insert_frame_results(outcome, &mut object);
    }
    Value::Object(object)
}

/// Converts the sum of `rewarded` rewards; `null` if there are none.
fn total(total: f64, rewarded: u64) -> Value {
    if rewarded == 0 { Value::Null } else { number(total) }
}

/// Converts the statistics of a term or component.
fn statistics(statistics: &TermStatistics) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("sum".into(), number(statistics.sum));
    object.insert("frames".into(), json!(statistics.calls));
    object.insert("nonzero_frames".into(), json!(statistics.nonzero_calls));
    let range = statistics.range.map_or(Value::Null, |range| json!([number(range.min), number(range.max)]));
    object.insert("range".into(), range);
    object
}

fn term_statistics(term: &Term, recorded: &TermStatistics) -> Value {
    let mut object = statistics(recorded);
    object.insert("id".into(), json!(term.id));
    object.insert("line".into(), json!(term.line));
    object.insert("name".into(), json!(term.name));
    Value::Object(object)
}

/// Writes the rewards of all frames, their terms and components, and the errors of frames without a reward.
fn insert_frame_results(outcome: &RewardOutcome, object: &mut Map<String, Value>) {
    let optional = |value: Option<f64>| value.map_or(Value::Null, number);
    let rewards = outcome.frame_results.iter().map(|step| optional(step.reward.ok()));
    object.insert("rewards".into(), rewards.collect());
    let errors = outcome.frame_results.iter().map(|step| outcome.frame_error(step));
    let (errors, lines): (Vec<_>, Vec<_>) = errors.map(Option::unzip).unzip();
    object.insert("errors".into(), json!(errors));
    object.insert("error_lines".into(), json!(lines.into_iter().map(Option::flatten).collect::<Vec<_>>()));
    if !outcome.components.is_empty() {
        let of = |name: &String| {
            let contribution =
                |step: &FrameResult| step.components.iter().find(|(own, _)| own == name).map(|(_, part)| *part);
            (name.clone(), outcome.frame_results.iter().map(|step| optional(contribution(step))).collect::<Value>())
        };
        object.insert("component_rewards".into(), outcome.components.keys().map(of).collect());
    }
    if !outcome.terms.is_empty() {
        let of = |(place, (term, _)): (usize, &(Term, TermStatistics))| {
            let added = |step: &FrameResult| optional(step.terms.get(place).copied().flatten());
            (term.id.clone(), outcome.frame_results.iter().map(added).collect::<Value>())
        };
        object.insert("term_rewards".into(), outcome.terms.iter().enumerate().map(of).collect());
    }
}

/// Converts the number of frames by how they were run.
fn engine_calls(calls: &EngineCalls) -> Value {
    if calls.engine == Engine::Interpreter {
        return json!({"name": "interpreter"});
    }
    let reasons = calls.fallback_reasons.iter().map(|(reason, frames)| json!({"reason": reason, "frames": frames}));
    let gaps = calls.coverage.gaps.iter().map(|gap| json!({"line": gap.line, "construct": gap.construct}));
    json!({
        "name": "fast",
        "fast": calls.fast_frames,
        "interpreted": calls.interpreted_frames,
        "reasons": reasons.collect::<Value>(),
        "unsupported_program": calls.coverage.unsupported,
        "unsupported_lines": gaps.collect::<Value>(),
    })
}

/// Converts the shares of the executions of a program over a recording to a JSON object.
pub fn engine_shares(shares: &EngineShares) -> Value {
    let of = |execution: Execution| {
        let share = shares.of(execution);
        json!({"name": execution.name(), "calls": share.calls, "seconds": share.time.as_secs_f64()})
    };
    json!({
        "program": &*shares.program,
        "trace": &*shares.trace,
        "calls": shares.calls(),
        "seconds": shares.time().as_secs_f64(),
        "skipped_frames": shares.skipped_frames,
        "executions": Execution::ALL.map(of),
        "engine": engine_calls(&shares.engine_calls),
    })
}

/// Converts an explanation of one frame to a JSON object.
pub fn explanation(explanation: &Explanation) -> Value {
    let range = |range: Option<goalspec_python_runtime::observe::Range>| {
        range.map_or(Value::Null, |range| json!([number(range.min), number(range.max)]))
    };
    let terms = explanation.terms.iter().map(|(term, value)| {
        json!({"id": term.id, "name": term.name, "line": term.line, "text": term.text, "value": number(*value)})
    });
    let comparisons = explanation.comparisons.iter().map(|comparison| {
        let mut object = condition(&comparison.condition);
        object.insert("left".into(), range(comparison.left));
        object.insert("right".into(), range(comparison.right));
        Value::Object(object)
    });
    let components = explanation.components.iter().map(|(name, value)| (name.clone(), number(*value)));
    let traceback = explanation.traceback.iter().map(|place| json!({"line": place.line, "function": &*place.function}));
    json!({
        "program": &*explanation.program,
        "trace": &*explanation.trace,
        "frame": explanation.frame,
        "episode": explanation.episode,
        "reward": explanation.reward.as_ref().map_or(Value::Null, |reward| number(*reward)),
        "error": explanation.reward.as_ref().err(),
        "traceback": traceback.collect::<Value>(),
        "terms": terms.collect::<Value>(),
        "components": Value::Object(components.collect()),
        "branches": explanation.branches.iter().map(|one| Value::Object(condition(one))).collect::<Value>(),
        "comparisons": comparisons.collect::<Value>(),
        "printed": explanation.printed,
    })
}

fn condition(condition: &Condition) -> Map<String, Value> {
    let Condition { line, text, held, failed } = condition;
    let fields = [("line", json!(line)), ("text", json!(text)), ("held", json!(held)), ("failed", json!(failed))];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn number(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}
