//! The outcomes of games as JSON.

use goalspec_resource::game::Game;
use goalspec_simulator::episode::{Episode, EpisodeEnd};
use goalspec_simulator::json;
use serde_json::{Map, Value, json};

/// Returns an episode as a JSON object: its index, end, turns, rewards by team, metrics by name, and discounted returns if they
/// were computed.
pub fn episode(game: &Game, episode: &Episode) -> Value {
    let rewards = game.teams.iter().zip(&episode.rewards);
    let rewards: Map<String, Value> =
        rewards.map(|(team, reward)| (team.name.to_string(), reward.map_or(Value::Null, Value::from))).collect();
    let metrics = game.metrics.iter().zip(&episode.metrics);
    let metrics: Map<String, Value> =
        metrics.map(|(metric, value)| (metric.name.to_string(), json::write(value.as_ref()))).collect();
    let mut record = json!({
        "index": episode.index,
        "end": end_name(&episode.end),
        "turns": episode.turns,
        "invalid_turns": episode.invalid_turns,
        "out_of_space": episode.out_of_bounds,
        "overflows": episode.overflows,
        "rewards": rewards,
        "metrics": metrics,
    });
    if !episode.returns.is_empty() {
        let returns = game.teams.iter().zip(&episode.returns);
        let returns = returns.map(|(team, value)| (team.name.to_string(), value.map_or(Value::Null, Value::from)));
        record["returns"] = Value::Object(returns.collect());
    }
    if let (Some(message), Some(record)) = (episode.end.error_message(game), record.as_object_mut()) {
        record.insert("message".to_owned(), message.into());
    }
    record
}

/// Returns the name of an end.
pub fn end_name(end: &EpisodeEnd) -> &'static str {
    match end {
        EpisodeEnd::Completed => "completed",
        EpisodeEnd::Truncated => "truncated",
        EpisodeEnd::Failed(_) => "failed",
        EpisodeEnd::PolicyFailed { .. } => "no-move",
    }
}
