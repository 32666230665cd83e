//! Which findings have one cause: the finding that names it stands for the others.
//!
//! Of names that nothing has, the program is tried with names that exist: what is no longer found then came of the wrong name. Other findings are
//! put under what they rest on: a dead term under the comparison that keeps it dead, the only term under the cause of the dead ones.

use goalspec_reward::codes as reward_codes;
use goalspec_reward::entry::Entry;
use goalspec_reward::lint;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Severity, Span, fix};

use super::super::{Audit, Finding};
use super::program;

/// Most wrong names that are tried with other ones, and most names that each is tried with.
const MAX_NAMES: usize = 4;
const MAX_CANDIDATES: usize = 8;

/// Kinds of findings about what never happens.
const DEAD: [&str; 8] = [
    "dead-term",
    "dead-threshold",
    "dead-comparison",
    "constant",
    "constant-comparison",
    "only-term",
    "unreachable",
    "component-unused",
];

/// Kind of finding and the line it is about.
type Key = (&'static str, Option<usize>);

/// A wrong name, with the texts of the program that have others in its place.
pub(in super::super) struct WrongName {
    message: String,
    spans: Vec<Span>,
    /// Texts of the program to be tried.
    pub(in super::super) texts: Vec<String>,
}

/// The wrong names of a program.
pub(in super::super) fn wrong_names(audit: &Audit, entry: &Entry) -> Vec<WrongName> {
    let mut names: Vec<(String, Vec<Diagnostic>)> = Vec::new();
    for finding in lint::lint(&audit.source, Some(entry), Some(audit.world.scene()), None) {
        let is_name = [reward_codes::UNKNOWN_CLASS, reward_codes::UNKNOWN_ATTRIBUTE].contains(&finding.code);
        if !is_name || finding.span.is_none() || finding.severity == Severity::Note {
            continue;
        }
        match names.iter_mut().find(|(message, _)| *message == finding.message) {
            Some((_, same)) => same.push(finding),
            None => names.push((finding.message.clone(), vec![finding])),
        }
    }
    names.truncate(MAX_NAMES);
    let wrong = names.into_iter().map(|(message, found)| {
        let spans = found.iter().filter_map(|finding| finding.span).collect();
        WrongName { texts: texts(audit, &found), message, spans }
    });
    wrong.filter(|wrong| !wrong.texts.is_empty()).collect()
}

/// The program with the nearest name in all places of a wrong one, or, if nothing is near, once with each class of the world.
fn texts(audit: &Audit, found: &[Diagnostic]) -> Vec<String> {
    if found.iter().all(|finding| !finding.fixes.is_empty()) {
        return vec![fix::apply(&audit.source, found, Applicability::Unsafe).text];
    }
    if found.iter().any(|finding| finding.code != reward_codes::UNKNOWN_CLASS) {
        return Vec::new();
    }
    let classes = audit.world.scene().classes.iter().skip(goalspec_reward::scene::World::SHARED_CLASSES);
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

fn key(audit: &Audit, finding: &Finding) -> Key {
    (finding.kind, finding.span.map(|span| audit.place(span).0))
}

/// What was found with each of a wrong name's texts.
pub(in super::super) struct Tried {
    pub(in super::super) name: WrongName,
    pub(in super::super) audits: Vec<Audit>,
}

/// Puts findings of one cause under the one that names it.
pub(in super::super) fn group(audit: &Audit, mut findings: Vec<Finding>, tried: &[Tried]) -> Vec<Finding> {
    for tried in tried {
        under_wrong_name(audit, &mut findings, tried);
    }
    repeated(audit, &mut findings);
    raised(audit, &mut findings);
    dead_terms(audit, &mut findings);
    summaries(audit, &mut findings);
    against_score(&mut findings);
    idle(audit, &mut findings);
    findings.sort_by(|one, other| other.severity.cmp(&one.severity).then(other.weight.total_cmp(&one.weight)));
    findings
}

/// Moves findings under one of them, which is as bad as the worst of them from now on.
fn put_under(findings: &mut Vec<Finding>, cause: usize, follows: &[usize]) {
    let mut follows: Vec<usize> = follows.iter().copied().filter(|place| *place != cause).collect();
    follows.sort_unstable();
    follows.dedup();
    let mut cause = cause;
    let mut moved = Vec::new();
    for place in follows.into_iter().rev() {
        let mut finding = findings.remove(place);
        cause -= usize::from(place < cause);
        let consequences = std::mem::take(&mut finding.consequences);
        moved.push((finding, consequences));
    }
    let Some(own) = findings.get_mut(cause) else { return };
    for (finding, consequences) in moved.into_iter().rev() {
        if (finding.severity, finding.weight) > (own.severity, own.weight) {
            (own.severity, own.weight) = (own.severity.max(finding.severity), own.weight.max(finding.weight));
        }
        own.consequences.push(finding);
        own.consequences.extend(consequences);
    }
}

fn places(findings: &[Finding], is: impl Fn(&Finding) -> bool) -> Vec<usize> {
    (0..findings.len()).filter(|&place| is(&findings[place])).collect()
}

fn under_wrong_name(audit: &Audit, findings: &mut Vec<Finding>, Tried { name, audits }: &Tried) {
    let is_cause = |finding: &Finding| {
        finding.message == name.message && finding.span.is_some_and(|span| name.spans.contains(&span))
    };
    let Some(&cause) = places(findings, is_cause).first() else { return };
    let remaining: Vec<Vec<Key>> =
        audits.iter().map(|other| other.findings.iter().map(|finding| key(other, finding)).collect()).collect();
    // Of several names, nobody knows which one is meant: what the reward comes to then is not told.
    let told = |finding: &Finding| audits.len() == 1 || DEAD.contains(&finding.kind);
    let gone = |finding: &Finding| {
        let own = key(audit, finding);
        is_cause(finding) || told(finding) && remaining.iter().any(|keys| !keys.contains(&own))
    };
    let follows = places(findings, gone);
    put_under(findings, cause, &follows);
}

/// What the text alone tells, and recordings tell again, of one place.
fn repeated(audit: &Audit, findings: &mut Vec<Finding>) {
    let pairs = [
        ("constant-comparison", &["dead-threshold", "dead-comparison"][..]),
        ("unknown-class", &["dead-comparison", "constant-comparison"][..]),
        ("unreachable", &["dead-threshold", "dead-comparison"][..]),
        ("division", &["unguarded-division"][..]),
        ("outside-promise", &["outside-promise"][..]),
    ];
    for (kind, others) in pairs {
        let mut place = 0;
        while let Some(cause) = findings.get(place) {
            if let Some(span) = cause.span.filter(|_| cause.kind == kind) {
                let line = audit.place(span).0;
                let overlaps = |other: &Finding| {
                    let near = other.span.is_some_and(|other| other.start < span.end && span.start < other.end);
                    // A promise is one promise, wherever it is broken.
                    others.contains(&other.kind) && (near || kind == "outside-promise" && line > 0)
                };
                let follows: Vec<usize> =
                    places(findings, overlaps).into_iter().filter(|other| *other != place).collect();
                let before = follows.iter().filter(|other| **other < place).count();
                put_under(findings, place, &follows);
                place -= before;
            }
            place += 1;
        }
    }
}

/// Exceptions, with what the text tells of their lines.
fn raised(audit: &Audit, findings: &mut Vec<Finding>) {
    const KINDS: [&str; 5] =
        ["possibly-none", "possibly-unbound", "wrong-operands", "unknown-attribute", "unguarded-division"];
    let line = |finding: &Finding| finding.span.map(|span| audit.place(span).0);
    let mut place = 0;
    while place < findings.len() {
        let at = line(&findings[place]);
        if findings[place].kind == "raises" && at.is_some() {
            let told = |other: &Finding| KINDS.contains(&other.kind) && line(other) == at;
            let follows = places(findings, told);
            let before = follows.iter().filter(|other| **other < place).count();
            put_under(findings, place, &follows);
            place -= before;
        }
        place += 1;
    }
}

/// Dead terms, under the comparisons on which their conditions rest.
fn dead_terms(audit: &Audit, findings: &mut Vec<Finding>) {
    const KINDS: [&str; 5] =
        ["dead-threshold", "dead-comparison", "constant-comparison", "unknown-class", "unreachable"];
    for term in &audit.terms.list {
        let is_dead = |finding: &Finding| finding.kind == "dead-term" && finding.span == Some(term.span);
        let Some(&dead) = places(findings, is_dead).first() else { continue };
        let causes: Vec<Span> = program::causes(audit, term).into_iter().map(|seen| seen.span).collect();
        let keeps = |finding: &Finding| {
            let spans = std::iter::once(finding).chain(&finding.consequences).filter_map(|finding| finding.span);
            KINDS.contains(&finding.kind)
                && spans
                    .into_iter()
                    .any(|span| causes.iter().any(|cause| span.start < cause.end && cause.start < span.end))
        };
        if let Some(&cause) = places(findings, keeps).first() {
            put_under(findings, cause, &[dead]);
        }
    }
}

/// That one term is left, or nothing, of which dead terms are the reason.
fn summaries(audit: &Audit, findings: &mut Vec<Finding>) {
    let has_dead = |finding: &Finding| {
        std::iter::once(finding).chain(&finding.consequences).any(|finding| finding.kind == "dead-term")
    };
    let mut terms = audit.terms.list.iter().zip(&audit.seen.terms);
    let all_dead = terms.all(|(_, seen)| seen.paid == 0) && !audit.terms.list.is_empty();
    // Of several causes, the first one has it: together they make up for it.
    let Some(&cause) = places(findings, has_dead).first() else { return };
    let summary = |finding: &Finding| finding.kind == "only-term" || all_dead && finding.kind == "constant";
    let follows = places(findings, summary);
    put_under(findings, cause, &follows);
}

/// What is said of terms, motions and episodes where the reward goes against the score.
fn against_score(findings: &mut Vec<Finding>) {
    const KINDS: [&str; 4] = ["against-score", "term-against-score", "motion-against-score", "correlation"];
    let Some(&cause) = places(findings, |finding| finding.kind == "against-score").first() else { return };
    let follows = places(findings, |finding| KINDS.contains(&finding.kind));
    put_under(findings, cause, &follows);
}

/// That doing nothing pays, of all recordings together, and where almost all is paid for existing objects or for a level, under that.
fn idle(audit: &Audit, findings: &mut Vec<Finding>) {
    let is_idle = |finding: &Finding| finding.kind == "idle-pays";
    if let Some(&first) = places(findings, is_idle).first() {
        let follows = places(findings, is_idle);
        put_under(findings, first, &follows);
    }
    let is_level =
        |finding: &Finding| ["presence-pays", "level-pays"].contains(&finding.kind) && finding.span.is_some();
    let all: f64 = audit.seen.terms.iter().map(|seen| seen.size).sum();
    let paid = |finding: &Finding| {
        let own = audit.terms.list.iter().zip(&audit.seen.terms).filter(|(term, _)| finding.span == Some(term.span));
        own.map(|(_, seen)| seen.sum).sum::<f64>()
    };
    let most = |finding: &Finding| is_level(finding) && all > 0.0 && paid(finding) >= 0.9 * all;
    let (Some(&cause), follows) = (places(findings, most).first(), places(findings, is_idle)) else { return };
    put_under(findings, cause, &follows);
}
