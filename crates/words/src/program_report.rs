//! The report over runs that wrote programs: how many candidates were accepted, by domain, language and model.

use std::collections::BTreeMap;

use goalspec_llm::ConstraintStatus;
use goalspec_statistics::interval::{ConfidenceLevel, proportion_interval};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::candidate::Candidate;
use crate::lot::output::Table;
use crate::lot::summary::Proportion;
use crate::reward::report;

/// The format of documents of single translations.
pub const TRANSLATION_FORMAT: &str = "goalspec-translation-1";

/// The candidates that are counted together. Constrained and free replies are apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramKey {
    /// The domain: the world of a reward function or of a game, or the domain of a translation.
    pub domain: String,
    /// The language of a translation, or `reward` with the variant of the conversation.
    pub method: String,
    /// The model.
    pub model: String,
    /// Whether the replies were constrained by a grammar.
    pub constrained: bool,
}

/// The counts of the candidates of one key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProgramCounts {
    /// The candidates.
    pub candidates: u64,
    /// The accepted ones, those with warnings included.
    pub accepted: u64,
    /// The accepted ones with warnings.
    pub with_warnings: u64,
    /// The candidates without a verdict, because a call failed or the run ended early.
    pub without_verdict: u64,
    /// The repair turns.
    pub repairs: u64,
    /// The tokens of all prompts that were paid for.
    pub input_tokens: u64,
    /// The tokens of all replies that were paid for.
    pub output_tokens: u64,
    /// The cost; `None` if the price of a document is not known.
    pub cost: Option<f64>,
}

/// Candidates of one document, counted under one key.
pub type ProgramRun = (ProgramKey, ProgramCounts);

/// Whether the replies of candidates were constrained by a grammar.
pub fn is_constrained(candidates: &[Candidate]) -> bool {
    let is_free =
        |status: &ConstraintStatus| matches!(status, ConstraintStatus::Unconstrained | ConstraintStatus::NotSent);
    candidates.iter().flat_map(|candidate| &candidate.replies).any(|reply| !is_free(&reply.constraint))
}

#[derive(Deserialize)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    cost: Option<f64>,
}

#[derive(Deserialize)]
struct CandidateDocument {
    status: String,
    repairs: u64,
}

#[derive(Deserialize)]
struct GenerationDocument {
    world: String,
    variant: String,
    model: String,
    constrained: bool,
    usage: Usage,
    candidates: Vec<CandidateDocument>,
}

#[derive(Deserialize)]
struct TranslationDocument {
    domain: String,
    language: String,
    model: String,
    constrained: bool,
    usage: Usage,
    #[serde(flatten)]
    candidate: CandidateDocument,
}

/// Reads a report of a generation or the document of a translation; `None` if the text has another format.
///
/// # Errors
/// If the text has one of these formats and lacks a part of it, with the reason.
pub fn read(text: &str) -> Result<Option<ProgramRun>, String> {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(None) };
    let format = value.get("format").and_then(Value::as_str).unwrap_or_default().to_owned();
    if format == report::FORMAT {
        let document: GenerationDocument = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let GenerationDocument { world, variant, model, constrained, usage, candidates } = document;
        let key = ProgramKey { domain: world, method: format!("reward, {variant}"), model, constrained };
        return Ok(Some((key, counts(&candidates, &usage))));
    }
    if format == TRANSLATION_FORMAT {
        let document: TranslationDocument = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let TranslationDocument { domain, language, model, constrained, usage, candidate } = document;
        let key = ProgramKey { domain, method: language, model, constrained };
        return Ok(Some((key, counts(&[candidate], &usage))));
    }
    Ok(None)
}

fn counts(candidates: &[CandidateDocument], usage: &Usage) -> ProgramCounts {
    let count = |names: &[&str]| candidates.iter().filter(|one| names.contains(&one.status.as_str())).count() as u64;
    ProgramCounts {
        candidates: candidates.len() as u64,
        accepted: count(&["accepted", "accepted with warnings"]),
        with_warnings: count(&["accepted with warnings"]),
        without_verdict: count(&["failed", "unfinished"]),
        repairs: candidates.iter().map(|one| one.repairs).sum(),
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cost: usage.cost,
    }
}

/// Adds the counts of runs with equal keys.
pub fn sums(runs: &[ProgramRun]) -> BTreeMap<ProgramKey, ProgramCounts> {
    let mut by_key: BTreeMap<ProgramKey, ProgramCounts> = BTreeMap::new();
    for (key, counts) in runs {
        let Some(sum) = by_key.get_mut(key) else {
            by_key.insert(key.clone(), counts.clone());
            continue;
        };
        sum.candidates += counts.candidates;
        sum.accepted += counts.accepted;
        sum.with_warnings += counts.with_warnings;
        sum.without_verdict += counts.without_verdict;
        sum.repairs += counts.repairs;
        sum.input_tokens += counts.input_tokens;
        sum.output_tokens += counts.output_tokens;
        sum.cost = sum.cost.zip(counts.cost).map(|(one, other)| one + other);
    }
    by_key
}

/// Returns the table of runs. Candidates without a verdict count as not accepted.
pub fn table(runs: &[ProgramRun]) -> Table {
    let header = [
        "domain",
        "program",
        "model",
        "constrained",
        "candidates",
        "accepted",
        "95% CI",
        "with warnings",
        "no verdict",
        "repairs",
        "input tokens",
        "output tokens",
        "cost",
    ];
    let mut table = Table::new("Programs", &header);
    for (key, counts) in sums(runs) {
        let accepted = Proportion { hits: counts.accepted, count: counts.candidates };
        let constrained = if key.constrained { "yes" } else { "no" };
        let mut row = vec![key.domain, key.method, key.model, constrained.to_owned()];
        row.extend([counts.candidates, counts.accepted].map(|count| count.to_string()));
        row.push(accepted.interval_text());
        let numbers =
            [counts.with_warnings, counts.without_verdict, counts.repairs, counts.input_tokens, counts.output_tokens];
        row.extend(numbers.map(|count| count.to_string()));
        row.push(counts.cost.map_or_else(String::new, |cost| format!("{cost:.4}")));
        table.push(row);
    }
    table
}

/// Returns the table of runs as JSON: one record for each row.
pub fn json(runs: &[ProgramRun]) -> Vec<Value> {
    let record = |(key, counts): (ProgramKey, ProgramCounts)| {
        let interval = proportion_interval(counts.accepted, counts.candidates, ConfidenceLevel::DEFAULT);
        json!({
            "domain": key.domain,
            "program": key.method,
            "model": key.model,
            "constrained": key.constrained,
            "candidates": counts.candidates,
            "accepted": {
                "hits": counts.accepted,
                "count": counts.candidates,
                "low": interval.map(|interval| interval.low),
                "high": interval.map(|interval| interval.high),
            },
            "accepted_with_warnings": counts.with_warnings,
            "no_verdict": counts.without_verdict,
            "repairs": counts.repairs,
            "input_tokens": counts.input_tokens,
            "output_tokens": counts.output_tokens,
            "cost": counts.cost,
        })
    };
    sums(runs).into_iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(model: &str, constrained: bool, statuses: &[&str], cost: Option<f64>) -> String {
        let candidates: Vec<Value> = statuses.iter().map(|status| json!({ "status": status, "repairs": 1 })).collect();
        let usage = json!({ "input_tokens": 10, "output_tokens": 2, "cost": cost });
        json!({ "format": report::FORMAT, "world": "atari/pong", "variant": "full", "model": model, "constrained": constrained, "usage": usage, "candidates": candidates })
            .to_string()
    }

    #[test]
    fn runs_of_one_key_are_added_and_constrained_ones_stay_apart() {
        let documents = [
            document("m", false, &["accepted", "rejected"], Some(0.5)),
            document("m", false, &["accepted with warnings", "failed", "unfinished"], None),
            document("m", true, &["accepted"], Some(1.0)),
        ];
        let runs: Vec<ProgramRun> = documents.iter().map(|text| read(text).unwrap().unwrap()).collect();
        let csv = table(&runs).to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[1], "atari/pong,\"reward, full\",m,no,5,2,11.8-76.9,1,2,5,20,4,");
        assert_eq!(lines[2], "atari/pong,\"reward, full\",m,yes,1,1,20.7-100,0,0,1,10,2,1.0000");
        assert_eq!((json(&runs).len(), lines.len()), (2, 3));
    }

    #[test]
    fn other_documents_are_told_from_damaged_ones() {
        assert_eq!(read("{\"format\": \"goalspec-lot-results-1\"}"), Ok(None));
        assert_eq!(read("not JSON"), Ok(None));
        assert!(read("{\"format\": \"goalspec-translation-1\"}").unwrap_err().contains("missing field"));
    }
}
