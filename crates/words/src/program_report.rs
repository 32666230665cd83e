//! The report over runs that wrote programs: how many candidates were accepted, and how many translations agree with a given truth, by
//! domain, language and model.

use std::collections::BTreeMap;
use std::fmt;

use goalspec_llm::ConstraintStatus;
use goalspec_statistics::interval::{ConfidenceLevel, proportion_interval};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::candidate::Candidate;
use crate::lot::output::Table;
use crate::lot::summary::Proportion;
use crate::reward::report;
use crate::translation::truth::TruthVerdict;

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
    /// The candidates whose truth is given.
    pub truths: TruthCounts,
}

/// The counts of the candidates whose truth is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TruthCounts {
    /// The candidates.
    pub count: u64,
    /// Those that state the facts of the truth.
    pub exact: u64,
    /// Those that are known to mean the same as the truth.
    pub equivalent: u64,
    /// The candidates of languages with plans.
    pub planned: u64,
    /// Those whose plan reaches the goal of the truth.
    pub solved: u64,
    /// Those whose plan reaches the goal of the truth although they are not exact.
    pub lucky: u64,
}

impl TruthCounts {
    fn of(verdict: &TruthVerdict) -> Self {
        let is_solved = verdict.solved == Some(true);
        Self {
            count: 1,
            exact: u64::from(verdict.exact),
            equivalent: u64::from(verdict.equivalent == Some(true)),
            planned: u64::from(verdict.solved.is_some()),
            solved: u64::from(is_solved),
            lucky: u64::from(is_solved && !verdict.exact),
        }
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            exact: self.exact + other.exact,
            equivalent: self.equivalent + other.equivalent,
            planned: self.planned + other.planned,
            solved: self.solved + other.solved,
            lucky: self.lucky + other.lucky,
        }
    }

    /// Returns the proportions of exact, equivalent and solved candidates, with their names.
    const fn proportions(self) -> [(&'static str, Proportion); 3] {
        [
            ("exact", Proportion { hits: self.exact, count: self.count }),
            ("equivalent", Proportion { hits: self.equivalent, count: self.count }),
            ("solved", Proportion { hits: self.solved, count: self.planned }),
        ]
    }
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
    #[serde(default)]
    truth: Option<TruthVerdict>,
    #[serde(flatten)]
    candidate: CandidateDocument,
}

/// The error for a report or document that lacks a part of its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportError {
    reason: String,
}

impl ReportError {
    fn new(error: &serde_json::Error) -> Self {
        Self { reason: error.to_string() }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ReportError {}

/// Reads a report of a generation or the document of a translation; `None` if the text has another format.
///
/// # Errors
/// If the text has one of these formats and lacks a part of it, with the reason.
pub fn read(text: &str) -> Result<Option<ProgramRun>, ReportError> {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(None) };
    let format = value.get("format").and_then(Value::as_str).unwrap_or_default().to_owned();
    if format == report::FORMAT {
        let document: GenerationDocument = serde_json::from_value(value).map_err(|error| ReportError::new(&error))?;
        let GenerationDocument { world, variant, model, constrained, usage, candidates } = document;
        let key = ProgramKey { domain: world, method: format!("reward, {variant}"), model, constrained };
        return Ok(Some((key, counts(&candidates, &usage))));
    }
    if format == TRANSLATION_FORMAT {
        let document: TranslationDocument = serde_json::from_value(value).map_err(|error| ReportError::new(&error))?;
        let TranslationDocument { domain, language, model, constrained, usage, truth, candidate } = document;
        let key = ProgramKey { domain, method: language, model, constrained };
        let truths = truth.as_ref().map_or_else(TruthCounts::default, TruthCounts::of);
        return Ok(Some((key, ProgramCounts { truths, ..counts(&[candidate], &usage) })));
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
        truths: TruthCounts::default(),
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
        sum.truths = sum.truths.plus(counts.truths);
    }
    by_key
}

/// Returns the table of runs. Candidates without a verdict count as not accepted. Columns about the truth have `-` where none is given.
pub fn table(runs: &[ProgramRun]) -> Table {
    let header = [
        "domain",
        "program",
        "model",
        "constrained",
        "candidates",
        "accepted",
        "95% CI",
        "exact",
        "95% CI",
        "equivalent",
        "95% CI",
        "solved",
        "95% CI",
        "by luck",
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
        let unknown = || "-".to_owned();
        for (_, proportion) in counts.truths.proportions() {
            let is_known = proportion.count > 0;
            row.push(if is_known { format!("{}/{}", proportion.hits, proportion.count) } else { unknown() });
            row.push(if is_known { proportion.interval_text() } else { unknown() });
        }
        row.push(if counts.truths.planned > 0 { counts.truths.lucky.to_string() } else { unknown() });
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
        let proportion = |proportion: Proportion| {
            let interval = proportion_interval(proportion.hits, proportion.count, ConfidenceLevel::DEFAULT);
            json!({
                "hits": proportion.hits,
                "count": proportion.count,
                "low": interval.map(|interval| interval.low),
                "high": interval.map(|interval| interval.high),
            })
        };
        let mut record = json!({
            "domain": key.domain,
            "program": key.method,
            "model": key.model,
            "constrained": key.constrained,
            "candidates": counts.candidates,
            "accepted": proportion(Proportion { hits: counts.accepted, count: counts.candidates }),
            "accepted_with_warnings": counts.with_warnings,
            "no_verdict": counts.without_verdict,
            "repairs": counts.repairs,
            "input_tokens": counts.input_tokens,
            "output_tokens": counts.output_tokens,
            "cost": counts.cost,
        });
        for (name, of_truth) in counts.truths.proportions() {
            record[name] = if of_truth.count > 0 { proportion(of_truth) } else { Value::Null };
        }
        record["solved_by_luck"] = if counts.truths.planned > 0 { json!(counts.truths.lucky) } else { Value::Null };
        record
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
        assert_eq!(lines[1], "atari/pong,\"reward, full\",m,no,5,2,11.8-76.9,-,-,-,-,-,-,-,1,2,5,20,4,");
        assert_eq!(lines[2], "atari/pong,\"reward, full\",m,yes,1,1,20.7-100,-,-,-,-,-,-,-,0,0,1,10,2,1.0000");
        assert_eq!((json(&runs).len(), lines.len()), (2, 3));
    }

    #[test]
    fn translations_are_counted_by_their_truth_where_it_is_given() {
        let translation = |truth: Option<TruthVerdict>| {
            let usage = json!({ "input_tokens": 1, "output_tokens": 1, "cost": null });
            json!({ "format": TRANSLATION_FORMAT, "domain": "d", "language": "pddl", "model": "m", "constrained": false, "usage": usage,
                    "truth": truth, "status": "accepted", "repairs": 0 })
            .to_string()
        };
        let verdict = |exact, equivalent, solved| Some(TruthVerdict { exact, equivalent, solved });
        let documents = [
            translation(verdict(true, Some(true), Some(true))),
            translation(verdict(false, Some(true), Some(true))),
            translation(verdict(false, None, Some(false))),
            translation(None),
        ];
        let runs: Vec<ProgramRun> = documents.iter().map(|text| read(text).unwrap().unwrap()).collect();
        let csv = table(&runs).to_csv();
        let row = csv.lines().nth(1).unwrap();
        assert!(row.starts_with("d,pddl,m,no,4,4,51-100,1/3,6.1-79.2,2/3,20.8-93.9,2/3,20.8-93.9,1,0,0,0,"), "{row}");
        let record = &json(&runs)[0];
        assert_eq!((&record["exact"]["hits"], &record["equivalent"]["count"]), (&json!(1), &json!(3)));
        assert_eq!(record["solved_by_luck"], 1);
    }

    #[test]
    fn other_documents_are_told_from_damaged_ones() {
        assert_eq!(read("{\"format\": \"goalspec-lot-results-1\"}"), Ok(None));
        assert_eq!(read("not JSON"), Ok(None));
        assert!(read("{\"format\": \"goalspec-translation-1\"}").unwrap_err().to_string().contains("missing field"));
    }
}
