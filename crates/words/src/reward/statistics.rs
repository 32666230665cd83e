//! Statistics of a reward over the sample traces: for the report, and as feedback.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_audit::statistics::spearman;
use goalspec_audit::{Audit, Recording};
use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
use goalspec_rewards::score::{FrameResult, ScoreOptions, score};
use serde_json::{Map, Value, json};

use super::task::RewardInputs;

/// The number of evenly spaced values of a component.
const POINTS: usize = 10;

/// The maximum number of components in a feedback.
const MAX_COMPONENTS: usize = 20;

/// The minimum share of the frames of a recording with an action for its mean to be compared.
const MIN_ACTION_FRAMES: u64 = 20;

/// Returns the statistics of a reward: range, most frequent value, idle play, components.
pub(super) fn json(inputs: &RewardInputs, reward: &RewardProgram, audit: &Audit) -> Value {
    let ranges = audit.recordings.iter().filter_map(|recording| recording.reward_range);
    let range = ranges.map(|range| (range.min, range.max)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let recordings: Vec<Value> = audit
        .recordings
        .iter()
        .map(|recording| {
            let frames = recording.frames() as f64;
            json!({
                "label": recording.label,
                "mean": recording.total().map(|total| total / recording.rewarded_frames() as f64),
                "score": recording.score().map(|score| score / frames),
                "hovering": recording.idle.player_hovering.inside.mean(),
                "still": recording.idle.screen_still.inside.mean(),
            })
        })
        .collect();
    let clamped = audit.all_findings().find(|finding| finding.kind == "clamp").map(|finding| finding.message.clone());
    json!({
        "min": range.map(|range| range.0),
        "max": range.map(|range| range.1),
        "clamp": clamped,
        "most_frequent": most_frequent(&audit.recordings),
        "best_action": best_action(&audit.recordings),
        "recordings": recordings,
        "components": if audit.components().is_empty() { json!({}) } else { components(inputs, reward) },
    })
}

/// Returns the most frequent reward with its share of the frames.
fn most_frequent(recordings: &[Recording]) -> Option<Value> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for (bits, count) in recordings.iter().flat_map(|recording| &recording.value_counts) {
        *counts.entry(*bits).or_default() += count;
    }
    let frames: u64 = recordings.iter().map(Recording::rewarded_frames).sum();
    let (bits, count) = counts.into_iter().max_by_key(|(bits, count)| (*count, std::cmp::Reverse(*bits)))?;
    Some(json!({ "value": f64::from_bits(bits), "share": count as f64 / frames as f64 }))
}

/// Returns the action with the highest mean reward, which a policy that repeats it would earn.
fn best_action(recordings: &[Recording]) -> Option<Value> {
    let mut means: Vec<(String, f64)> = Vec::new();
    for recording in recordings {
        for (action, group) in &recording.idle.actions {
            if group.inside.frames >= MIN_ACTION_FRAMES
                && let Some(mean) = group.inside.mean()
            {
                let name = recording.actions.get(*action as usize).cloned().unwrap_or_else(|| action.to_string());
                means.push((format!("{name} in `{}`", recording.label), mean));
            }
        }
    }
    let (name, mean) = means.into_iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(json!({ "action": name, "mean": mean }))
}

/// Returns the statistics of the components that the program returns, over the frames of all traces in order.
fn components(inputs: &RewardInputs, reward: &RewardProgram) -> Value {
    let name: Arc<str> = Arc::from("reward.py");
    let program = NamedRewardProgram { name: &name, reward };
    let options = ScoreOptions { keep_frames: true, ..ScoreOptions::default() };
    let mut frames: Vec<FrameResult> = Vec::new();
    for trace in &inputs.traces {
        let scores = score(&[program], &inputs.known, trace, &options, &|_| ());
        frames.extend(scores.outcomes.into_iter().flat_map(|outcome| outcome.frame_results));
    }
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in frames.iter().flat_map(|frame| &frame.components) {
        if !names.contains(&&**name) {
            names.push(name);
        }
    }
    let of = |name: &str| -> Vec<(f64, Option<f64>)> {
        let value = |frame: &FrameResult| frame.components.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
        frames.iter().filter_map(|frame| Some((value(frame)?, frame.game_reward))).collect()
    };
    names.into_iter().map(|name| (name.to_owned(), component(&of(name)))).collect::<Map<_, _>>().into()
}

fn component(values: &[(f64, Option<f64>)]) -> Value {
    let count = values.len();
    let numbers = || values.iter().map(|(value, _)| *value);
    let points: Vec<f64> = (0..POINTS.min(count)).map(|point| values[point * count / POINTS.min(count)].0).collect();
    let pairs: Vec<[f64; 2]> = values.iter().filter_map(|(value, score)| Some([*value, (*score)?])).collect();
    json!({
        "points": points,
        "max": numbers().reduce(f64::max),
        "mean": numbers().sum::<f64>() / count.max(1) as f64,
        "min": numbers().reduce(f64::min),
        "zeros": numbers().filter(|value| *value == 0.0).count() as f64 / count.max(1) as f64,
        "correlation": spearman(&pairs),
    })
}

/// Formats a number with four significant digits.
fn number(value: &Value) -> String {
    let Some(value) = value.as_f64() else { return "none".to_owned() };
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = usize::try_from(3 - value.abs().log10().floor() as i32).unwrap_or(0).min(12);
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn percent(value: &Value) -> String {
    format!("{:.1} %", 100.0 * value.as_f64().unwrap_or(0.0))
}

/// Returns the statistics as a part of a feedback.
pub(super) fn feedback(statistics: &Value) -> String {
    let mut text = String::from("\nThe reward over the sample traces:\n");
    let _ = writeln!(text, "- per step from {} to {}", number(&statistics["min"]), number(&statistics["max"]));
    if let Some(clamp) = statistics["clamp"].as_str() {
        let _ = writeln!(text, "- {clamp}");
    }
    if let Some(frequent) = statistics.get("most_frequent").filter(|frequent| frequent.is_object()) {
        let _ = writeln!(text, "- {} in {} of the steps", number(&frequent["value"]), percent(&frequent["share"]));
    }
    for recording in statistics["recordings"].as_array().into_iter().flatten() {
        let label = recording["label"].as_str().unwrap_or_default();
        let _ = write!(text, "- `{label}`: mean reward {} per step", number(&recording["mean"]));
        if recording["score"].is_number() {
            let _ = write!(text, ", score of the game {} per step", number(&recording["score"]));
        }
        if recording["hovering"].is_number() {
            let _ = write!(text, ", while the player stays in one place {}", number(&recording["hovering"]));
        }
        text.push('\n');
    }
    if let Some(action) = statistics["best_action"]["action"].as_str() {
        let _ = writeln!(
            text,
            "- best single action: {action}, mean reward {}",
            number(&statistics["best_action"]["mean"])
        );
    }
    let components = statistics["components"].as_object().filter(|components| !components.is_empty());
    if let Some(components) = components {
        let _ = writeln!(text, "\nComponents, {POINTS} values spread over the traces:");
        for (name, component) in components.iter().take(MAX_COMPONENTS) {
            let points: Vec<String> = component["points"].as_array().into_iter().flatten().map(number).collect();
            let (max, mean, min) = (number(&component["max"]), number(&component["mean"]), number(&component["min"]));
            let _ = write!(
                text,
                "{name}: [{}], Max: {max}, Mean: {mean}, Min: {min}, zero in {}",
                points.join(", "),
                percent(&component["zeros"])
            );
            let correlation = &component["correlation"];
            let correlated = if correlation.is_number() {
                format!(", correlation with the score {}", number(correlation))
            } else {
                String::new()
            };
            let _ = writeln!(text, "{correlated}");
        }
        if components.len() > MAX_COMPONENTS {
            let _ = writeln!(text, "{} more components not shown.", components.len() - MAX_COMPONENTS);
        }
    }
    text
}
