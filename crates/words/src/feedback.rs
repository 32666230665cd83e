//! Feedback: the findings of an attempt as a turn of the conversation.
//!
//! The form is fixed: a sentence, a list in the order of the stages, and the request. Its length is bounded, so that a conversation with
//! repairs has a known maximum size.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::candidate::{Attempt, Stage};
use crate::finding::{Finding, Weight, truncated};

/// The maximum number of findings of one stage.
pub const MAX_FINDINGS: usize = 10;

/// The maximum number of bytes of the findings.
pub const MAX_BYTES: usize = 6000;

/// The maximum number of bytes of one sentence.
const MAX_SENTENCE_BYTES: usize = 600;

/// Returns the feedback on an attempt. `request` says what to return. Notes are shown only together with findings that need a repair.
pub fn render(attempt: &Attempt, request: &str) -> String {
    let list = list(&attempt.findings);
    let noun = if attempt.program.is_some() { "program" } else { "reply" };
    format!("An automatic check of your {noun} found the following.\n\n{list}\n{}", request.trim_end())
}

/// Returns the list of findings. Of the findings of a static check with one code, the first is shown with the number of the others.
pub fn list(findings: &[Finding]) -> String {
    let mut text = String::new();
    let mut number = 0;
    let mut by_stage: BTreeMap<Stage, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        by_stage.entry(finding.stage).or_default().push(finding);
    }
    let mut omitted = 0;
    for (stage, mut findings) in by_stage {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
        let (shown, others) =
            if stage <= Stage::Checked { first_of_each_code(&findings) } else { (findings, BTreeMap::new()) };
        omitted += shown.len().saturating_sub(MAX_FINDINGS);
        for finding in shown.into_iter().take(MAX_FINDINGS) {
            let item = item(number + 1, finding, others.get(finding.code.as_str()).copied().unwrap_or(0));
            if text.len() + item.len() > MAX_BYTES {
                omitted += 1;
                continue;
            }
            number += 1;
            text.push_str(&item);
        }
    }
    if omitted > 0 {
        let plural = if omitted == 1 { "" } else { "s" };
        let _ = writeln!(text, "{omitted} more finding{plural} not shown.");
    }
    text
}

/// Returns the first finding of each code, and the number of the others by code.
fn first_of_each_code<'f>(findings: &[&'f Finding]) -> (Vec<&'f Finding>, BTreeMap<&'f str, usize>) {
    let mut shown: Vec<&Finding> = Vec::new();
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        if shown.iter().any(|shown| shown.code == finding.code) {
            *others.entry(&finding.code).or_default() += 1;
        } else {
            shown.push(finding);
        }
    }
    (shown, others)
}

fn item(number: usize, finding: &Finding, others: usize) -> String {
    let mut text = String::new();
    let place = finding.place.as_ref();
    let at = place.map_or(String::new(), |place| format!("{}:{} ", place.line, place.column));
    let weight = if finding.weight == Weight::Note { "note, " } else { "" };
    let message = truncated(&finding.message, MAX_SENTENCE_BYTES);
    let _ = writeln!(text, "{number}. {at}{weight}{}: {message}", finding.code);
    if let Some(place) = place.filter(|place| !place.text.is_empty()) {
        let _ = writeln!(text, "       {}", place.text);
    }
    for evidence in &finding.evidence {
        let _ = writeln!(text, "   - {}", truncated(evidence, MAX_SENTENCE_BYTES));
    }
    for help in &finding.help {
        let _ = writeln!(text, "   help: {}", truncated(help, MAX_SENTENCE_BYTES));
    }
    if others > 0 {
        let _ = writeln!(text, "   ({others} more of this kind)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(stage: Stage, code: &str, message: &str) -> Finding {
        Finding::new(stage, code, Weight::Warning, message)
    }

    #[test]
    fn static_findings_of_one_code_are_shown_once() {
        let findings = ["a", "b", "c"].map(|name| finding(Stage::Checked, "x/unknown", name));
        assert_eq!(list(&findings), "1. x/unknown: a\n   (2 more of this kind)\n");
    }

    #[test]
    fn findings_come_in_the_order_of_the_stages_and_are_bounded() {
        let mut findings: Vec<Finding> =
            (0..30).map(|number| finding(Stage::Audited, "audit/x", &format!("finding {number}"))).collect();
        findings.push(finding(Stage::Parsed, "x/syntax", "expected an expression"));
        let text = list(&findings);
        assert!(text.starts_with("1. x/syntax: expected an expression\n2. audit/x: finding 0\n"), "{text}");
        assert!(text.ends_with("11. audit/x: finding 9\n20 more findings not shown.\n"), "{text}");
        let long = [finding(Stage::Run, "x", &"ü".repeat(100_000))];
        assert!(list(&long).len() < 1000);
    }
}
