//! Scores of reward functions as JSON. Numbers are exact; those that JSON has no words for are text: `"NaN"`, `"inf"`, `"-inf"`.

use serde_json::{Map, Value, json};

use super::score::RewardOutcome;

/// An outcome as a JSON object. Rewards are included if they were kept: `null` for frames without.
pub fn outcome(outcome: &RewardOutcome) -> Value {
    let mut object = Map::new();
    object.insert("program".into(), json!(&*outcome.program));
    object.insert("trace".into(), json!(&*outcome.trace));
    object.insert("world".into(), json!(outcome.world.name));
    object.insert("total".into(), number(outcome.total()));
    object.insert("points".into(), number(outcome.points()));
    object.insert("frames".into(), json!(outcome.frames()));
    object.insert("rewarded".into(), json!(outcome.rewarded()));
    let episodes = outcome.episodes.iter().map(|episode| {
        json!({
            "episode": episode.number,
            "total": number(episode.total),
            "points": number(episode.points),
            "frames": episode.frames,
            "rewarded": episode.rewarded,
        })
    });
    object.insert("episodes".into(), episodes.collect());
    let failures = outcome.failures.iter().map(|failure| {
        json!({
            "kind": failure.kind,
            "message": failure.message,
            "line": failure.line,
            "first_frame": failure.first,
            "frames": failure.count,
        })
    });
    object.insert("failures".into(), failures.collect());
    if outcome.other_failures > 0 {
        object.insert("other_failures".into(), json!(outcome.other_failures));
    }
    if !outcome.steps.is_empty() {
        let rewards = outcome.steps.iter().map(|step| step.reward.map_or(Value::Null, number));
        object.insert("rewards".into(), rewards.collect());
    }
    Value::Object(object)
}

fn number(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}
