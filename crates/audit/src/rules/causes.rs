//! Grouping of findings by cause: the finding that names the cause stands for the others.
//!
//! A program with unknown names is run again with existing names in their place: findings that disappear were caused by the unknown name.
//! Other findings are grouped under the finding that they depend on: a dead term under the comparison that never holds, the only term under
//! the cause of the dead ones.

use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::entry::Entry;
use goalspec_reward::codes as reward_codes;
use goalspec_reward::lint;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Severity, Span, fix};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{program, recordings};
use crate::collector::MAX_REPAIR_WORK;
use crate::{Audit, Finding, codes};

/// The maximum number of unknown names that are replaced, and of replacements for each.
const MAX_WRONG_NAMES: usize = 4;
const MAX_CANDIDATES: usize = 8;

/// The kinds of findings about code that has no effect.
const DEAD_CODE_KINDS: [&str; 8] = [
    "dead-term",
    "dead-threshold",
    "dead-comparison",
    "constant",
    "constant-comparison",
    "dominant-term",
    "unreachable",
    "component-unused",
];

/// The kind of a finding, and its line.
type FindingKey = (&'static str, Option<usize>);

/// An unknown name, with the texts of the program that have other names in its place.
pub(crate) struct WrongName {
    message: String,
    spans: Vec<Span>,
    /// The source texts to run.
    pub(crate) texts: Vec<String>,
}

/// Returns the unknown names of a program.
pub(crate) fn wrong_names(audit: &Audit, entry: &Entry) -> Vec<WrongName> {
    let mut names: Vec<(String, Vec<Diagnostic>)> = Vec::new();
    for finding in lint::lint(&audit.source, Some(entry), Some(audit.world.scene()), None) {
        let is_name = [reward_codes::UNKNOWN_CLASS, reward_codes::UNKNOWN_ATTRIBUTE].contains(&finding.code);
        if !is_name || finding.span.is_none() || finding.severity == Severity::Note {
            continue;
        }
        match names.iter().position(|(message, _)| *message == finding.message) {
            Some(known) => names[known].1.push(finding),
            None if names.len() < MAX_WRONG_NAMES => names.push((finding.message.clone(), vec![finding])),
            None => {}
        }
    }
    let wrong = names.into_iter().map(|(message, found)| {
        let spans = found.iter().filter_map(|finding| finding.span).collect();
        WrongName { texts: repaired_texts(audit, &found), message, spans }
    });
    wrong.filter(|wrong| !wrong.texts.is_empty()).collect()
}

/// Returns the program with the nearest known name in all places of an unknown one, or, if none is near, one text for each class of the
/// world.
fn repaired_texts(audit: &Audit, found: &[Diagnostic]) -> Vec<String> {
    if found.iter().all(|finding| !finding.fixes.is_empty()) {
        return vec![fix::apply(&audit.source, found, Applicability::Unsafe).text];
    }
    if found.iter().any(|finding| finding.code != reward_codes::UNKNOWN_CLASS) {
        return Vec::new();
    }
    let classes = audit.world.scene().screen_classes.iter().skip(goalspec_python_runtime::scene::World::SHARED_CLASSES);
    let replaced = |name: &str| {
        let mut text = audit.source.text().to_owned();
        let mut spans: Vec<Span> = found.iter().filter_map(|finding| finding.span).collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        spans.dedup();
        for span in spans {
            text.replace_range(span.start as usize..span.end as usize, &format!("'{name}'"));
        }
        text
    };
    classes.take(MAX_CANDIDATES).map(|class| replaced(&class.name)).collect()
}

/// Returns the finding that a program was not run with all replacements of unknown names.
pub(crate) fn incomplete_repairs(count: usize) -> Finding {
    let programs = if count == 1 { "1 program".to_owned() } else { format!("{count} programs") };
    let message = format!(
        "{programs} with known names in place of unknown ones were not run, because their total exceeds the limit of \
         {MAX_REPAIR_WORK} units of work: consequences of unknown names may be listed separately"
    );
    Finding::new(
        codes::REPAIRS_INCOMPLETE,
        Severity::Note,
        message,
        "correct the unknown names, or reduce the work of one call",
    )
}

fn finding_key(audit: &Audit, finding: &Finding) -> FindingKey {
    (finding.kind, finding.span.map(|span| audit.line_column(span).0))
}

/// The audits of a program with other names in place of an unknown one.
pub(crate) struct RepairAudits {
    pub(crate) name: WrongName,
    pub(crate) audits: Vec<Audit>,
}

/// Groups findings with a common cause under the one that names the cause.
pub(crate) fn group(audit: &Audit, mut findings: Vec<Finding>, tried: &[RepairAudits]) -> Vec<Finding> {
    for tried in tried {
        group_wrong_name(audit, &mut findings, tried);
    }
    group_duplicates(&mut findings);
    group_exceptions(audit, &mut findings);
    group_exhausted(&mut findings);
    group_state_leaks(audit, &mut findings);
    group_dead_terms(audit, &mut findings);
    group_summaries(audit, &mut findings);
    group_against_score(&mut findings);
    group_idle_rewards(audit, &mut findings);
    findings.sort_by(|one, other| other.severity.cmp(&one.severity).then(other.weight.total_cmp(&one.weight)));
    findings
}

/// Moves findings under another one, which takes the highest of their severities.
fn group_under(findings: &mut Vec<Finding>, cause: usize, follows: &[usize]) {
    let mut follows: Vec<usize> = follows.iter().copied().filter(|place| *place != cause).collect();
    follows.sort_unstable();
    follows.dedup();
    group_all_under(findings, &follows.into_iter().map(|place| (place, cause)).collect::<Vec<_>>());
}

/// Moves findings under others; each move is the index of a finding and that of its cause.
fn group_all_under(findings: &mut Vec<Finding>, moves: &[(usize, usize)]) {
    let mut all: Vec<Option<Finding>> = std::mem::take(findings).into_iter().map(Some).collect();
    for &(place, cause) in moves {
        let Some(mut finding) = all[place].take() else { continue };
        let Some(own) = &mut all[cause] else { unreachable!("a cause stands for itself") };
        let consequences = std::mem::take(&mut finding.consequences);
        if (finding.severity, finding.weight) > (own.severity, own.weight) {
            (own.severity, own.weight) = (own.severity.max(finding.severity), own.weight.max(finding.weight));
        }
        own.consequences.push(finding);
        own.consequences.extend(consequences);
    }
    findings.extend(all.into_iter().flatten());
}

/// An index of spans and the findings they belong to, for queries of overlapping spans.
struct SpanIndex {
    /// The start, end and finding index of each span, sorted by start.
    spans: Vec<(u32, u32, usize)>,
    /// The maximum end of the spans up to each one.
    max_ends: Vec<u32>,
}

impl SpanIndex {
    fn new(mut spans: Vec<(u32, u32, usize)>) -> Self {
        spans.sort_unstable();
        let mut last = 0;
        let ends = spans.iter().map(|&(_, end, _)| {
            last = end.max(last);
            last
        });
        let ends = ends.collect();
        Self { spans, max_ends: ends }
    }

    /// Iterates over the indices of the findings whose spans overlap `span`.
    fn overlapping(&self, span: SourceRange) -> impl Iterator<Item = usize> + '_ {
        let count = self.spans.partition_point(|&(start, ..)| start < span.end);
        let near = (0..count).rev().take_while(move |&at| self.max_ends[at] > span.start);
        near.map(|at| self.spans[at]).filter(move |&(_, end, _)| end > span.start).map(|(.., place)| place)
    }
}

fn finding_indices(findings: &[Finding], is: impl Fn(&Finding) -> bool) -> Vec<usize> {
    (0..findings.len()).filter(|&place| is(&findings[place])).collect()
}

fn group_wrong_name(audit: &Audit, findings: &mut Vec<Finding>, RepairAudits { name, audits }: &RepairAudits) {
    let is_cause = |finding: &Finding| {
        finding.message == name.message && finding.span.is_some_and(|span| name.spans.contains(&span))
    };
    let Some(&cause) = finding_indices(findings, is_cause).first() else { return };
    let remaining: Vec<FxHashSet<FindingKey>> =
        audits.iter().map(|other| other.findings.iter().map(|finding| finding_key(other, finding)).collect()).collect();
    // With several candidate names, the intended one is unknown, so the resulting reward is not reported.
    let is_reported = |finding: &Finding| name.texts.len() == 1 || DEAD_CODE_KINDS.contains(&finding.kind);
    let gone = |finding: &Finding| {
        let own = finding_key(audit, finding);
        is_cause(finding)
            || !finding.is_from_probe && is_reported(finding) && remaining.iter().any(|keys| !keys.contains(&own))
    };
    let follows = finding_indices(findings, gone);
    group_under(findings, cause, &follows);
}

/// Groups findings of the recordings under the finding of the source text at the same position.
fn group_duplicates(findings: &mut Vec<Finding>) {
    let pairs = [
        ("constant-comparison", &["dead-threshold", "dead-comparison"][..]),
        ("unknown-class", &["dead-comparison", "constant-comparison"][..]),
        ("unreachable", &["dead-threshold", "dead-comparison"][..]),
        ("division", &["unguarded-division"][..]),
        ("out-of-range", &["out-of-range"][..]),
    ];
    for (kind, others) in pairs {
        let spans = findings.iter().enumerate().filter(|(_, finding)| others.contains(&finding.kind));
        let spans = spans.filter_map(|(place, finding)| finding.span.map(|span| (span.start, span.end, place)));
        let overlaps = SpanIndex::new(spans.collect());
        let mut is_under = vec![false; findings.len()];
        let mut moves = Vec::new();
        for cause in finding_indices(findings, |finding| finding.kind == kind) {
            let Some(span) = findings[cause].span.filter(|_| !is_under[cause]) else { continue };
            let mut follows: Vec<usize> = if kind == "out-of-range" {
                // All violations of a promise belong together, wherever they occur.
                finding_indices(findings, |other| others.contains(&other.kind))
            } else {
                overlaps.overlapping(SourceRange { start: span.start, end: span.end }).collect()
            };
            follows.retain(|&other| other != cause && !is_under[other]);
            follows.sort_unstable();
            for other in follows {
                is_under[other] = true;
                moves.push((other, cause));
            }
        }
        group_all_under(findings, &moves);
    }
}

/// Groups exceptions under the findings of the source text in their lines.
fn group_exceptions(audit: &Audit, findings: &mut Vec<Finding>) {
    const KINDS: [&str; 5] =
        ["possibly-none", "possibly-unbound", "wrong-operands", "unknown-attribute", "unguarded-division"];
    let line = |finding: &Finding| finding.span.map(|span| audit.line_column(span).0);
    let mut place = 0;
    while place < findings.len() {
        let at = line(&findings[place]);
        if findings[place].kind == "raises" && at.is_some() {
            let is_same_line = |other: &Finding| KINDS.contains(&other.kind) && line(other) == at;
            let follows = finding_indices(findings, is_same_line);
            let before = follows.iter().filter(|other| **other < place).count();
            group_under(findings, place, &follows);
            place -= before;
        }
        place += 1;
    }
}

/// Groups frames that were not run under the line that used up the budget before.
fn group_exhausted(findings: &mut Vec<Finding>) {
    let of_budget = |finding: &Finding| finding.kind == "raises" && finding.help == [recordings::BUDGET_HELP];
    let Some(&cause) = finding_indices(findings, |finding| of_budget(finding) && finding.span.is_some()).first() else {
        return;
    };
    let follows = finding_indices(findings, |finding| of_budget(finding) && finding.span.is_none());
    group_under(findings, cause, &follows);
}

/// Groups state that survives its episode under the reward that grows with the same state, and under it the comparisons of that state that
/// no single episode satisfies.
fn group_state_leaks(audit: &Audit, findings: &mut Vec<Finding>) {
    if let Some(&leak) = finding_indices(findings, |finding| finding.kind == "state-leak").first() {
        let names: Vec<String> = lint::persistent_state(&audit.source).into_iter().map(|(name, _)| name).collect();
        let reads_state = |finding: &Finding| {
            ["dead-threshold", "dead-comparison"].contains(&finding.kind)
                && finding.span.is_some_and(|span| {
                    let text = &audit.source.text()[span.start as usize..span.end as usize];
                    names.iter().any(|name| mentions(text, name))
                })
        };
        let follows = finding_indices(findings, reads_state);
        group_under(findings, leak, &follows);
    }
    let Some(&cause) = finding_indices(findings, |finding| finding.kind == "unbounded").first() else { return };
    let span = findings[cause].span;
    let follows = finding_indices(findings, |finding| finding.kind == "state-leak" && finding.span == span);
    group_under(findings, cause, &follows);
}

/// Whether a text contains a name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    text.match_indices(name)
        .any(|(start, _)| !text[..start].ends_with(is_part) && !text[start + name.len()..].starts_with(is_part))
}

/// Groups dead terms under the comparisons on which their conditions depend, or under the causes of those.
fn group_dead_terms(audit: &Audit, findings: &mut Vec<Finding>) {
    const KINDS: [&str; 5] =
        ["dead-threshold", "dead-comparison", "constant-comparison", "unknown-class", "unreachable"];
    let mut dead: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    let mut spans = Vec::new();
    for (place, finding) in findings.iter().enumerate() {
        if finding.kind == "dead-term"
            && let Some(span) = finding.span
        {
            dead.entry((span.start, span.end)).or_insert(place);
        }
        let is_leak = finding.kind == "state-leak";
        if KINDS.contains(&finding.kind) || is_leak {
            let all = std::iter::once(finding).filter(|_| !is_leak).chain(&finding.consequences);
            spans.extend(all.filter_map(|finding| finding.span).map(|span| (span.start, span.end, place)));
        }
    }
    let (keeping, mut failed) = (SpanIndex::new(spans), program::FailedComparisons::new(audit));
    let mut moves = Vec::new();
    for term in &audit.terms.terms {
        let Some(dead) = dead.remove(&(term.span.start, term.span.end)) else { continue };
        let causes =
            failed.for_condition(term).into_iter().flat_map(|statistics| keeping.overlapping(statistics.range));
        moves.extend(causes.min().map(|cause| (dead, cause)));
    }
    group_all_under(findings, &moves);
}

/// Groups the finding that one term or no term is left under the cause of the dead terms.
fn group_summaries(audit: &Audit, findings: &mut Vec<Finding>) {
    let has_dead = |finding: &Finding| {
        std::iter::once(finding).chain(&finding.consequences).any(|finding| finding.kind == "dead-term")
    };
    let mut terms = audit.terms.terms.iter().zip(&audit.statistics.terms);
    let all_dead = terms.all(|(_, statistics)| statistics.nonzero_calls == 0) && !audit.terms.terms.is_empty();
    // With several causes, the finding goes to the first one: all of them contribute.
    let Some(&cause) = finding_indices(findings, has_dead).first() else { return };
    let summary = |finding: &Finding| finding.kind == "dominant-term" || all_dead && finding.kind == "constant";
    let follows = finding_indices(findings, summary);
    group_under(findings, cause, &follows);
}

/// Groups the findings about terms, motions and episodes under a reward that disagrees with the score.
fn group_against_score(findings: &mut Vec<Finding>) {
    const KINDS: [&str; 4] = ["against-score", "term-against-score", "motion-against-score", "correlation"];
    let Some(&cause) = finding_indices(findings, |finding| finding.kind == "against-score").first() else { return };
    let follows = finding_indices(findings, |finding| KINDS.contains(&finding.kind));
    group_under(findings, cause, &follows);
}

/// Merges the idle findings of all recordings; groups them under payments for existing objects or levels if those make up almost all of the
/// reward.
fn group_idle_rewards(audit: &Audit, findings: &mut Vec<Finding>) {
    let is_idle = |finding: &Finding| finding.kind == "idle-reward";
    if let Some(&first) = finding_indices(findings, is_idle).first() {
        let follows = finding_indices(findings, is_idle);
        group_under(findings, first, &follows);
    }
    let is_level =
        |finding: &Finding| ["presence-reward", "level-reward"].contains(&finding.kind) && finding.span.is_some();
    let all: f64 = audit.statistics.terms.iter().map(|statistics| statistics.absolute_sum).sum();
    let paid = |finding: &Finding| {
        let own =
            audit.terms.terms.iter().zip(&audit.statistics.terms).filter(|(term, _)| finding.span == Some(term.span));
        own.map(|(_, statistics)| statistics.sum).sum::<f64>()
    };
    let is_dominant = |finding: &Finding| is_level(finding) && all > 0.0 && paid(finding) >= 0.9 * all;
    let (Some(&cause), follows) = (finding_indices(findings, is_dominant).first(), finding_indices(findings, is_idle))
    else {
        return;
    };
    group_under(findings, cause, &follows);
}
