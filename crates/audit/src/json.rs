//! Audits as JSON.
//!
//! Numbers are exact; non-finite numbers are strings: `"NaN"`, `"inf"`, `"-inf"`. The book documents the fields.

use goalspec_python_runtime::observe::{BranchKind, ComparisonStatistics, Range, TermStatistics};
use goalspec_syntax::render::json::span_in;
use serde_json::{Value, json};

use crate::statistics::{Correlation, PairAgreement};
use crate::tables::action_name;
use crate::text::severity_name;
use crate::{Audit, ErrorGroup, Finding, FrameGroup, Recording, ReturnMeasure, RewardTotals};

/// Converts an audit to a JSON object.
pub fn json(audit: &Audit) -> Value {
    json!({
        "format": "goalspec-audit-1",
        "program": &*audit.program,
        "world": audit.world.name(),
        "score": audit.score,
        "findings": audit.findings.iter().map(|found| finding(audit, found)).collect::<Value>(),
        "recordings": audit.recordings.iter().map(|one| recording(audit, one)).collect::<Value>(),
        "correlations": audit.correlations().iter().map(|one| (one.unit.to_owned(), correlation(one))).collect::<Value>(),
        "line_hits": audit.line_hits(),
        "terms": terms(audit, &audit.statistics.terms),
        "branches": audit.statistics.branches.iter().map(|branch| {
            json!({
                "span": span_in(&audit.source, audit.span(branch.range)),
                "condition": audit.source_excerpt(audit.span(branch.range)),
                "kind": branch_kind(branch.kind),
                "held": branch.held,
                "failed": branch.failed,
                "frames": branch.calls_held,
                "first": branch.first_held.map(|position| position.frame),
            })
        }).collect::<Value>(),
        "comparisons": audit.statistics.comparisons.iter().map(|statistics| comparison(audit, statistics)).collect::<Value>(),
    })
}

fn number(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}

fn finding(audit: &Audit, finding: &Finding) -> Value {
    let numbers = finding.numbers.iter().map(|(name, value)| ((*name).to_owned(), number(*value)));
    json!({
        "kind": finding.kind,
        "severity": severity_name(finding.severity),
        "message": finding.message,
        "span": finding.span.map(|span| span_in(&audit.source, span)),
        "text": finding.span.map(|span| audit.excerpt(span)),
        "evidence": finding.evidence,
        "numbers": numbers.collect::<serde_json::Map<_, _>>(),
        "help": finding.help,
        "consequences": finding.consequences.iter().map(|follows| self::finding(audit, follows)).collect::<Value>(),
    })
}

fn range(range: Option<Range>) -> Value {
    range.map_or(Value::Null, |range| json!([number(range.min), number(range.max)]))
}

fn comparison(audit: &Audit, statistics: &ComparisonStatistics) -> Value {
    let near = statistics.near_miss().map(|near| {
        json!({
            "left": number(near.left),
            "right": number(near.right),
            "recording": near.position.recording,
            "frame": near.position.frame,
        })
    });
    json!({
        "span": span_in(&audit.source, audit.span(statistics.range)),
        "comparison": audit.source_excerpt(audit.span(statistics.range)),
        "held": statistics.held,
        "failed": statistics.failed,
        "left": range(statistics.left),
        "right": range(statistics.right),
        "left_texts": statistics.left_texts.iter().map(|text| &**text).collect::<Vec<_>>(),
        "right_texts": statistics.right_texts.iter().map(|text| &**text).collect::<Vec<_>>(),
        "nearest": near,
    })
}

fn correlation(correlation: &Correlation) -> Value {
    let PairAgreement { concordant, discordant, tied, .. } = correlation.agreement;
    json!({
        "unit": match correlation.measure {
            ReturnMeasure::Episode => "episode",
            ReturnMeasure::Frame => "frame",
        },
        "count": correlation.pairs,
        "excluded": correlation.excluded,
        "concordant": concordant,
        "discordant": discordant,
        "tied": tied,
        "kendall": correlation.agreement.kendall(),
        "pearson": correlation.pearson.map(number),
        "spearman": correlation.spearman.map(number),
    })
}

fn term(statistics: &TermStatistics) -> serde_json::Map<String, Value> {
    let fields = [
        ("sum", number(statistics.sum)),
        ("size", number(statistics.absolute_sum)),
        ("added", json!(statistics.additions)),
        ("frames", json!(statistics.calls)),
        ("nonzero_frames", json!(statistics.nonzero_calls)),
        ("range", range(statistics.range)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn terms(audit: &Audit, statistics: &[TermStatistics]) -> Value {
    let one = |(named, statistics): (&goalspec_reward::terms::Term, &TermStatistics)| {
        let mut object = term(statistics);
        let sign = if named.is_subtracted() { "-" } else { "+" };
        for (name, value) in [("id", &*named.id), ("name", &*named.name), ("text", &*named.text), ("sign", sign)] {
            object.insert(name.to_owned(), json!(value));
        }
        object.insert("line".to_owned(), json!(named.line));
        Value::Object(object)
    };
    audit.terms.terms.iter().zip(statistics).map(one).collect()
}

fn recording(audit: &Audit, recording: &Recording) -> Value {
    let named = |(name, statistics): (&String, &TermStatistics)| (name.clone(), Value::Object(term(statistics)));
    let actions = recording.idle.actions.iter();
    let actions = actions.map(|(action, of)| (action_name(recording, *action), frame_group(of)));
    let motions = recording.idle.motions.iter().map(|(motion, of)| ((*motion).to_owned(), frame_group(of)));
    json!({
        "name": &*recording.name,
        "label": recording.label,
        "policy": recording.policy,
        "frames": recording.frames(),
        "rewarded": recording.rewarded_frames(),
        "not_finite": recording.non_finite.count(),
        "total": recording.total().map_or(Value::Null, number),
        "score": recording.score().map_or(Value::Null, number),
        "range": range(recording.reward_range),
        "max_work": recording.max_work,
        "work": recording.work,
        "episodes": recording.episodes.iter().map(|episode| {
            json!({
                "episode": episode.number,
                "frames": episode.frames,
                "rewarded": episode.rewarded_frames,
                "finished": episode.finished,
                "total": if episode.rewarded_frames > 0 { number(episode.total) } else { Value::Null },
                "score": episode.score.map_or(Value::Null, number),
            })
        }).collect::<Value>(),
        "failures": recording.failures.iter().map(failure).collect::<Value>(),
        "other_failures": recording.other_failures,
        "terms": terms(audit, &recording.statistics.terms),
        "components": recording.components.iter().map(named).collect::<serde_json::Map<_, _>>(),
        "screen_still": frame_group(&recording.idle.screen_still),
        "player_still": frame_group(&recording.idle.player_still),
        "player_hovers": frame_group(&recording.idle.player_hovering),
        "motions": motions.collect::<serde_json::Map<_, _>>(),
        "actions": actions.collect::<serde_json::Map<_, _>>(),
    })
}

fn failure(failure: &ErrorGroup) -> Value {
    json!({
        "kind": failure.kind,
        "line": failure.line,
        "messages": failure.messages,
        "other_messages": failure.unlisted_frames,
        "first_frame": failure.first_frame,
        "frames": failure.frames,
    })
}

fn frame_group(group: &FrameGroup) -> Value {
    let totals = |totals: &RewardTotals| {
        json!({
            "frames": totals.frames,
            "rewarded": totals.rewarded_frames,
            "reward": totals.total().map_or(Value::Null, number),
            "score": number(totals.score),
        })
    };
    json!({
        "inside": totals(&group.inside),
        "outside": totals(&group.outside),
        "longest": { "start": group.longest_run.start, "totals": totals(&group.longest_run.totals) },
    })
}

fn branch_kind(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::If => "if",
        BranchKind::While => "while",
        BranchKind::Conditional => "choice",
        BranchKind::And => "and",
        BranchKind::Or => "or",
        BranchKind::Filter => "filter",
        BranchKind::Assert => "assert",
        BranchKind::Case => "case",
        BranchKind::Guard => "guard",
    }
}
