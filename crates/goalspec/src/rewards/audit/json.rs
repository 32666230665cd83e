//! Audits as JSON.
//!
//! Numbers are exact; non-finite numbers are strings: `"NaN"`, `"inf"`, `"-inf"`. The book documents the fields.

use goalspec_reward::observe::{BranchKind, ComparisonSeen, Range, TermSeen};
use goalspec_syntax::Span;
use serde_json::{Value, json};

use super::statistics::{Agreement, Correlation};
use super::tables::action_name;
use super::text::word;
use super::{Audit, Finding, Measure, Pocket, Raised, Recording, Tally};

/// Converts an audit to a JSON object.
pub fn json(audit: &Audit) -> Value {
    json!({
        "format": "goalspec-audit-1",
        "program": &*audit.program,
        "world": audit.world.name(),
        "score": audit.score,
        "findings": audit.findings.iter().map(|found| finding(audit, found)).collect::<Value>(),
        "recordings": audit.recordings.iter().map(|one| recording(audit, one)).collect::<Value>(),
        "correlations": audit.correlations().iter().map(|one| (one.of.to_owned(), correlation(one))).collect::<Value>(),
        "line_hits": audit.line_hits(),
        "terms": terms(audit, &audit.seen.terms),
        "branches": audit.seen.branches.iter().map(|seen| {
            json!({
                "place": place(audit, seen.span),
                "condition": audit.written(seen.span),
                "kind": kind(seen.kind),
                "held": seen.held,
                "failed": seen.failed,
                "frames": seen.calls_held,
                "first": seen.first_held.map(|moment| moment.frame),
            })
        }).collect::<Value>(),
        "comparisons": audit.seen.comparisons.iter().map(|seen| comparison(audit, seen)).collect::<Value>(),
    })
}

fn number(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}

fn place(audit: &Audit, span: Span) -> Value {
    let (line, column) = audit.place(span);
    json!({ "line": line, "column": column, "text": audit.excerpt(span) })
}

fn finding(audit: &Audit, finding: &Finding) -> Value {
    let numbers = finding.numbers.iter().map(|(name, value)| ((*name).to_owned(), number(*value)));
    json!({
        "kind": finding.kind,
        "severity": word(finding.severity),
        "message": finding.message,
        "place": finding.span.map(|span| place(audit, span)),
        "evidence": finding.evidence,
        "numbers": numbers.collect::<serde_json::Map<_, _>>(),
        "help": finding.mend,
        "consequences": finding.consequences.iter().map(|follows| self::finding(audit, follows)).collect::<Value>(),
    })
}

fn range(range: Option<Range>) -> Value {
    range.map_or(Value::Null, |range| json!([number(range.least), number(range.greatest)]))
}

fn comparison(audit: &Audit, seen: &ComparisonSeen) -> Value {
    let near = seen.near_miss().map(|near| {
        json!({
            "left": number(near.left),
            "right": number(near.right),
            "recording": near.moment.recording,
            "frame": near.moment.frame,
        })
    });
    json!({
        "place": place(audit, seen.span),
        "comparison": audit.written(seen.span),
        "held": seen.held,
        "failed": seen.failed,
        "left": range(seen.left),
        "right": range(seen.right),
        "left_texts": seen.left_texts.iter().map(|text| &**text).collect::<Vec<_>>(),
        "right_texts": seen.right_texts.iter().map(|text| &**text).collect::<Vec<_>>(),
        "nearest": near,
    })
}

fn correlation(correlation: &Correlation) -> Value {
    let Agreement { concordant, discordant, tied, .. } = correlation.agreement;
    json!({
        "unit": match correlation.measure {
            Measure::Episode => "episode",
            Measure::Frame => "frame",
        },
        "count": correlation.pairs,
        "excluded": correlation.left_out,
        "concordant": concordant,
        "discordant": discordant,
        "tied": tied,
        "kendall": correlation.agreement.kendall(),
        "pearson": correlation.pearson.map(number),
        "spearman": correlation.spearman.map(number),
    })
}

fn term(seen: &TermSeen) -> serde_json::Map<String, Value> {
    let fields = [
        ("sum", number(seen.sum)),
        ("size", number(seen.size)),
        ("added", json!(seen.added)),
        ("frames", json!(seen.calls)),
        ("nonzero_frames", json!(seen.paid)),
        ("range", range(seen.range)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn terms(audit: &Audit, seen: &[TermSeen]) -> Value {
    let one = |(named, seen): (&goalspec_reward::terms::Term, &TermSeen)| {
        let mut object = term(seen);
        let sign = if named.negative { "-" } else { "+" };
        for (name, value) in [("id", &*named.id), ("name", &*named.name), ("text", &*named.text), ("sign", sign)] {
            object.insert(name.to_owned(), json!(value));
        }
        object.insert("line".to_owned(), json!(named.line));
        Value::Object(object)
    };
    audit.terms.list.iter().zip(seen).map(one).collect()
}

fn recording(audit: &Audit, recording: &Recording) -> Value {
    let named = |(name, seen): (&String, &TermSeen)| (name.clone(), Value::Object(term(seen)));
    let actions = recording.pockets.actions.iter();
    let actions = actions.map(|(action, of)| (action_name(recording, *action), pocket(of)));
    let motions = recording.pockets.motions.iter().map(|(motion, of)| ((*motion).to_owned(), pocket(of)));
    json!({
        "name": &*recording.name,
        "label": recording.label,
        "policy": recording.policy,
        "frames": recording.frames(),
        "rewarded": recording.rewarded(),
        "not_finite": recording.not_finite.count(),
        "total": recording.total().map_or(Value::Null, number),
        "score": recording.score().map_or(Value::Null, number),
        "range": range(recording.range),
        "max_work": recording.most_work,
        "work": recording.work,
        "episodes": recording.episodes.iter().map(|episode| {
            json!({
                "episode": episode.number,
                "frames": episode.frames,
                "rewarded": episode.rewarded,
                "finished": episode.finished,
                "total": if episode.rewarded > 0 { number(episode.total) } else { Value::Null },
                "score": episode.points.map_or(Value::Null, number),
            })
        }).collect::<Value>(),
        "failures": recording.failures.iter().map(failure).collect::<Value>(),
        "other_failures": recording.other_failures,
        "terms": terms(audit, &recording.seen.terms),
        "components": recording.components.iter().map(named).collect::<serde_json::Map<_, _>>(),
        "screen_still": pocket(&recording.pockets.screen_still),
        "player_still": pocket(&recording.pockets.player_still),
        "player_hovers": pocket(&recording.pockets.player_hovers),
        "motions": motions.collect::<serde_json::Map<_, _>>(),
        "actions": actions.collect::<serde_json::Map<_, _>>(),
    })
}

fn failure(failure: &Raised) -> Value {
    json!({
        "kind": failure.kind,
        "line": failure.line,
        "messages": failure.messages,
        "other_messages": failure.others,
        "first_frame": failure.first,
        "frames": failure.count,
    })
}

fn pocket(pocket: &Pocket) -> Value {
    let tally = |tally: &Tally| {
        json!({
            "frames": tally.frames,
            "rewarded": tally.rewarded,
            "reward": tally.total().map_or(Value::Null, number),
            "score": number(tally.score),
        })
    };
    json!({
        "inside": tally(&pocket.inside),
        "outside": tally(&pocket.outside),
        "longest": { "start": pocket.longest.start, "tally": tally(&pocket.longest.tally) },
    })
}

fn kind(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::If => "if",
        BranchKind::While => "while",
        BranchKind::Choice => "choice",
        BranchKind::And => "and",
        BranchKind::Or => "or",
        BranchKind::Filter => "filter",
        BranchKind::Assert => "assert",
    }
}
