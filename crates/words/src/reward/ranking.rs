//! The order of candidates, and the traces on which they disagree.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::candidate::{Attempt, Candidate};
use crate::finding::{Finding, Weight};

/// The codes of rewards that a policy earns without playing.
const HACKABLE: [&str; 5] =
    ["audit/idle-reward", "audit/still-reward", "audit/presence-reward", "audit/level-reward", "audit/unbounded"];

/// The codes of rewards that prefer the trace with the lower score.
const AGAINST_REFERENCE: [&str; 1] = ["audit/against-score"];

/// The codes of parts of a program that never contribute.
const DEAD: [&str; 4] = ["audit/dead-term", "audit/dead-comparison", "reward/dead-threshold", "reward/unused-function"];

/// The properties by which candidates are ranked, the most important first.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own, compared in this order")]
pub struct Rank {
    /// Whether the program is accepted.
    pub is_accepted: bool,
    /// The score of a policy that was trained with the reward.
    pub training_score: Option<f64>,
    /// Whether no finding says that the reward is earned without playing.
    pub resists_hacking: bool,
    /// Whether the reward orders the reference traces like the score.
    pub agrees_with_reference: bool,
    /// Whether all parts of the program contribute.
    pub has_no_dead_part: bool,
    /// The number of errors and warnings.
    pub findings: usize,
    /// The size of the program, in bytes.
    pub bytes: usize,
}

impl Rank {
    /// Determines the rank of a candidate.
    pub fn of(candidate: &Candidate, training_score: Option<f64>) -> Self {
        let findings: &[Finding] = candidate.result().map_or(&[], |attempt| &attempt.findings);
        let has = |codes: &[&str]| findings.iter().any(|finding| codes.contains(&finding.code.as_str()));
        Self {
            is_accepted: candidate.status.is_accepted(),
            training_score,
            resists_hacking: !has(&HACKABLE),
            agrees_with_reference: !has(&AGAINST_REFERENCE),
            has_no_dead_part: !has(&DEAD),
            findings: findings.iter().filter(|finding| finding.weight > Weight::Note).count(),
            bytes: candidate.program().map_or(usize::MAX, str::len),
        }
    }

    /// Compares two ranks; the better one is less.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let score = |rank: &Self| rank.training_score.unwrap_or(f64::NEG_INFINITY);
        let key = |rank: &Self| {
            let good = [rank.resists_hacking, rank.agrees_with_reference, rank.has_no_dead_part];
            (good.map(Reverse), rank.findings, rank.bytes)
        };
        Reverse(self.is_accepted)
            .cmp(&Reverse(other.is_accepted))
            .then_with(|| score(other).total_cmp(&score(self)))
            .then_with(|| key(self).cmp(&key(other)))
    }

    /// Converts the rank to JSON.
    pub fn json(&self) -> Value {
        json!({
            "accepted": self.is_accepted,
            "training_score": self.training_score,
            "resists_hacking": self.resists_hacking,
            "agrees_with_reference": self.agrees_with_reference,
            "no_dead_part": self.has_no_dead_part,
            "findings": self.findings,
            "bytes": self.bytes,
        })
    }
}

/// Returns the indices of candidates with their ranks, the best first. Candidates of equal rank keep their order.
pub fn rank(candidates: &[Candidate], training_scores: &BTreeMap<String, f64>) -> Vec<(usize, Rank)> {
    let of = |candidate: &Candidate| Rank::of(candidate, training_scores.get(&candidate.id).copied());
    let mut ranks: Vec<(usize, Rank)> = candidates.iter().map(of).enumerate().collect();
    ranks.sort_by(|one, other| one.1.compare(&other.1));
    ranks
}

/// Two traces that candidates order differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The labels of the traces.
    pub traces: [String; 2],
    /// The candidates whose mean reward is higher on the first trace.
    pub first_above: Vec<String>,
    /// The candidates whose mean reward is higher on the second trace.
    pub second_above: Vec<String>,
}

impl Disagreement {
    /// Returns a description in English.
    pub fn description(&self) -> String {
        let [first, second] = &self.traces;
        format!(
            "`{first}` earns more than `{second}` by {}, and less by {}",
            self.first_above.join(", "),
            self.second_above.join(", ")
        )
    }
}

/// Returns the pairs of traces that the results of candidates order differently.
pub fn disagreements(candidates: &[Candidate]) -> Vec<Disagreement> {
    let means: Vec<(&str, Vec<(String, f64)>)> = candidates
        .iter()
        .filter_map(|candidate| Some((candidate.id.as_str(), trace_means(candidate.result()?))))
        .collect();
    let labels: Vec<String> = means
        .iter()
        .map(|(_, means)| means)
        .max_by_key(|means| means.len())
        .map_or_else(Vec::new, |means| means.iter().map(|(label, _)| label.clone()).collect());
    let mut found = Vec::new();
    for (index, first) in labels.iter().enumerate() {
        for second in &labels[index + 1..] {
            let mut one = Disagreement {
                traces: [first.clone(), second.clone()],
                first_above: Vec::new(),
                second_above: Vec::new(),
            };
            for (id, means) in &means {
                let mean = |label: &str| means.iter().find(|(own, _)| own == label).map(|(_, mean)| *mean);
                let (Some(above), Some(below)) = (mean(first), mean(second)) else { continue };
                match above.total_cmp(&below) {
                    std::cmp::Ordering::Greater => one.first_above.push((*id).to_owned()),
                    std::cmp::Ordering::Less => one.second_above.push((*id).to_owned()),
                    std::cmp::Ordering::Equal => {}
                }
            }
            if !one.first_above.is_empty() && !one.second_above.is_empty() {
                found.push(one);
            }
        }
    }
    found
}

/// Returns the mean rewards of the traces by label.
fn trace_means(attempt: &Attempt) -> Vec<(String, f64)> {
    let recordings = attempt.results["recordings"].as_array().into_iter().flatten();
    let mean = |recording: &Value| Some((recording["label"].as_str()?.to_owned(), recording["mean"].as_f64()?));
    recordings.filter_map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::{RepairEnd, Stage, Status};

    /// A candidate with a program of this length and findings with these codes, all warnings; one code `error` is an error.
    fn candidate(id: &str, length: usize, codes: &[&str]) -> Candidate {
        let weight = |code: &str| if code == "error" { Weight::Error } else { Weight::Warning };
        let findings = codes.iter().map(|code| Finding::new(Stage::Audited, code, weight(code), "found")).collect();
        let attempt = Attempt {
            replies: 1,
            stage: Stage::Audited,
            program: Some("x".repeat(length)),
            notes: Vec::new(),
            findings,
            results: Value::Null,
        };
        let status = attempt.status();
        Candidate {
            id: id.to_owned(),
            turns: Vec::new(),
            replies: Vec::new(),
            attempts: vec![attempt],
            best: Some(0),
            repairs: 0,
            repair_end: RepairEnd::NothingToRepair,
            status,
        }
    }

    fn order(candidates: &[Candidate], scores: &[(&str, f64)]) -> String {
        let scores = scores.iter().map(|(id, score)| ((*id).to_owned(), *score)).collect();
        let ranked = rank(candidates, &scores).into_iter().map(|(index, _)| candidates[index].id.clone());
        ranked.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_property_counts_more_than_all_after_it() {
        // From the worst to the best: each is better than the one before in one property, and worse in all less important ones.
        let candidates = [
            candidate("rejected", 1, &["error"]),
            candidate("hackable", 2, &["audit/idle-reward"]),
            candidate("against", 3, &["audit/against-score", "x", "x"]),
            candidate("dead", 4, &["reward/dead-threshold", "x", "x", "x"]),
            candidate("many", 5, &["x", "x", "x", "x", "x"]),
            candidate("long", 7, &["x"]),
            candidate("short", 6, &["x"]),
        ];
        assert_eq!(order(&candidates, &[]), "short long many dead against hackable rejected");
        assert!(matches!(candidates[0].status, Status::Rejected(_)));
    }

    #[test]
    fn a_training_score_counts_more_than_all_but_acceptance() {
        let candidates = [
            candidate("good", 1, &[]),
            candidate("trained", 9, &["audit/idle-reward"]),
            candidate("rejected", 1, &["error"]),
        ];
        assert_eq!(order(&candidates, &[("trained", -5.0), ("rejected", 100.0)]), "trained good rejected");
        assert_eq!(order(&candidates, &[("trained", 1.0), ("good", 2.0)]), "good trained rejected");
    }

    #[test]
    fn equal_candidates_keep_their_order() {
        let candidates = ["1-1", "1-2", "1-3"].map(|id| candidate(id, 4, &["x"]));
        assert_eq!(order(&candidates, &[]), "1-1 1-2 1-3");
    }
}
