//! The report of a generation, for people and as JSON.

use std::fmt::Write as _;

use goalspec_statistics::interval::{ConfidenceLevel, proportion_interval};
use serde_json::{Value, json};

use super::generation::Generation;
use crate::candidate::Candidate;
use crate::finding::{Finding, Weight};
use crate::program_report::is_constrained;

/// The format of reports.
pub const FORMAT: &str = "goalspec-generation-1";

/// The part of a report that the run of the candidates does not determine.
#[derive(Debug, Clone)]
pub struct ReportHeader {
    /// The world.
    pub world: String,
    /// The variant of the conversation.
    pub variant: String,
    /// The model.
    pub model: String,
    /// The settings of the run.
    pub settings: Value,
}

/// Converts a generation to JSON.
pub fn json(header: &ReportHeader, generation: &Generation) -> Value {
    let position = |index: usize| generation.ranking.iter().position(|(own, _)| *own == index).unwrap_or(0);
    let candidates = generation.candidates.iter().enumerate().map(|(index, candidate)| {
        let place = position(index);
        let mut value = candidate_json(candidate);
        value["rank"] = json!(place + 1);
        value["ranked_by"] = generation.ranking[place].1.json();
        value
    });
    json!({
        "format": FORMAT,
        "world": header.world,
        "variant": header.variant,
        "model": header.model,
        "constrained": is_constrained(&generation.candidates),
        "settings": header.settings,
        "best": generation.best().map(|best| &best.id),
        "accepted": acceptance(generation),
        "usage": usage(&generation.candidates),
        "candidates": candidates.collect::<Value>(),
        "disagreements": generation.disagreements.iter().map(|one| {
            json!({ "traces": one.traces, "first_above": one.first_above, "second_above": one.second_above })
        }).collect::<Value>(),
        "interruption": generation.interruption.as_ref().map(ToString::to_string),
    })
}

/// Returns the number of candidates by status, with the 95 % interval of the share of the accepted ones. Failed and unfinished candidates
/// are counted.
fn acceptance(generation: &Generation) -> Value {
    let count = |name: &str| generation.candidates.iter().filter(|one| one.status.name() == name).count();
    let accepted = generation.candidates.iter().filter(|one| one.status.is_accepted()).count();
    let total = generation.candidates.len();
    let interval = proportion_interval(accepted as u64, total as u64, ConfidenceLevel::default());
    json!({
        "candidates": total,
        "accepted": count("accepted"),
        "accepted_with_warnings": count("accepted with warnings"),
        "rejected": count("rejected"),
        "failed": count("failed"),
        "unfinished": count("unfinished"),
        "share": if total > 0 { json!(accepted as f64 / total as f64) } else { Value::Null },
        "interval": interval.map(|interval| json!([interval.low, interval.high])),
    })
}

/// Returns the calls and tokens of candidates. Replies from the cache cost nothing.
pub fn usage(candidates: &[Candidate]) -> Value {
    let replies = || candidates.iter().flat_map(|candidate| &candidate.replies);
    let paid = || replies().filter(|reply| !reply.from_cache);
    json!({
        "replies": replies().count(),
        "from_cache": replies().filter(|reply| reply.from_cache).count(),
        "input_tokens": paid().map(|reply| reply.usage.input_tokens).sum::<u64>(),
        "output_tokens": paid().map(|reply| reply.usage.output_tokens).sum::<u64>(),
        "cost": paid().filter_map(|reply| reply.cost).reduce(|sum, cost| sum + cost),
    })
}

/// Converts a candidate to JSON.
pub fn candidate_json(candidate: &Candidate) -> Value {
    let result = candidate.result();
    json!({
        "id": candidate.id,
        "status": candidate.status.name(),
        "reasons": match &candidate.status {
            crate::Status::Rejected(reasons) => json!(reasons),
            crate::Status::Failed(error) | crate::Status::Unfinished(error) => json!([error.to_string()]),
            _ => json!([]),
        },
        "repairs": candidate.repairs,
        "repair_end": candidate.repair_end.description(),
        "replies": candidate.replies.len(),
        "stage": result.map(|attempt| attempt.stage.name()),
        "findings": result.map_or(json!([]), |attempt| json!(attempt.findings)),
        "notes": result.map_or(json!([]), |attempt| json!(attempt.notes)),
        "program": candidate.program(),
        "results": result.map_or(&Value::Null, |attempt| &attempt.results),
        "attempts": candidate.attempts.iter().map(|attempt| {
            json!({ "stage": attempt.stage.name(), "status": attempt.status().name(), "findings": attempt.open_findings() })
        }).collect::<Value>(),
    })
}

/// Formats a generation for people.
pub fn text(header: &ReportHeader, generation: &Generation) -> String {
    let acceptance = acceptance(generation);
    let mut text = format!(
        "{}, {}, {}: {} of {} candidates accepted",
        header.world,
        header.variant,
        header.model,
        acceptance["accepted"].as_u64().unwrap_or(0) + acceptance["accepted_with_warnings"].as_u64().unwrap_or(0),
        acceptance["candidates"],
    );
    if let Some([low, high]) = acceptance["interval"].as_array().map(Vec::as_slice) {
        let percent = |value: &Value| 100.0 * value.as_f64().unwrap_or(0.0);
        let _ = write!(text, " (95 % interval {:.0} to {:.0} %)", percent(low), percent(high));
    }
    text.push('\n');
    for (place, (index, _)) in generation.ranking.iter().enumerate() {
        let _ = write!(text, "\n{}. {}", place + 1, candidate_text(&generation.candidates[*index]));
    }
    if !generation.disagreements.is_empty() {
        text.push_str("\nTraces on which the candidates disagree:\n");
        for one in &generation.disagreements {
            let _ = writeln!(text, "  {}", one.description());
        }
    }
    if let Some(error) = &generation.interruption {
        let _ = writeln!(text, "\nThe run ended early: {error}");
    }
    text
}

/// Formats a candidate for people: its status, its repairs and its findings.
pub fn candidate_text(candidate: &Candidate) -> String {
    let repairs = if candidate.repairs == 1 { "1 repair".to_owned() } else { format!("{} repairs", candidate.repairs) };
    let mut text = format!("candidate {}: {}, {repairs}", candidate.id, candidate.status.name());
    if candidate.repairs > 0 || !candidate.status.is_accepted() {
        let _ = write!(text, " ({})", candidate.repair_end.description());
    }
    text.push('\n');
    match &candidate.status {
        crate::Status::Failed(error) | crate::Status::Unfinished(error) => {
            let _ = writeln!(text, "   {error}");
        }
        _ => {}
    }
    for finding in candidate.result().into_iter().flat_map(|attempt| &attempt.findings) {
        text.push_str(&finding_text(finding));
    }
    text
}

fn finding_text(finding: &Finding) -> String {
    let line = finding.place.as_ref().map_or(String::new(), |place| format!(" in line {}", place.line));
    let mut text = format!("   {} [{}]{line}: {}\n", finding.weight.name(), finding.code, finding.message);
    if finding.weight > Weight::Note {
        for evidence in &finding.evidence {
            let _ = writeln!(text, "     - {evidence}");
        }
        for help in &finding.help {
            let _ = writeln!(text, "     help: {help}");
        }
    }
    text
}
