//! Audits as plain text.

use std::fmt::Write;

use goalspec_syntax::Severity;

use super::statistics::{Agreement, Correlation};
use super::tables::{self, Condition, Part, mean, percent};
use super::{Audit, Finding, Pocket, Recording, shown};

/// The maximum length of a term's name in a table, in characters.
const NAME: usize = 40;

/// Formats an audit as text: the findings, the rewards of recordings, the sums of terms.
pub fn text(audit: &Audit) -> String {
    let mut out = String::new();
    let frames: u64 = audit.recordings.iter().map(Recording::frames).sum();
    let recordings = audit.recordings.len();
    let plural = if recordings == 1 { "" } else { "s" };
    let (program, world) = (&audit.program, audit.world.name());
    let _ = writeln!(out, "{program}: {frames} frames, {recordings} recording{plural}, world {world}");
    if audit.findings.is_empty() {
        out += "\nno findings\n";
    }
    for (number, finding) in audit.findings.iter().enumerate() {
        let _ = write!(out, "\n{}", written(audit, number + 1, finding));
    }
    out += "\nRecordings\n";
    for recording in &audit.recordings {
        out += &earned(recording);
    }
    correlations(audit, &mut out);
    parts("Components", &tables::components(audit), audit.seen.calls, &mut out);
    parts("Terms", &tables::terms(audit), audit.seen.calls, &mut out);
    conditions(audit, &mut out);
    out
}

/// Returns the name of a severity.
pub(super) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn written(audit: &Audit, number: usize, finding: &Finding) -> String {
    let mut out = format!("{number}. {} [{}]: {}\n", word(finding.severity), finding.kind, finding.message);
    if let Some(span) = finding.span {
        let (line, column) = audit.place(span);
        let _ = writeln!(out, "   {}:{line}:{column}: {}", audit.source.name(), audit.excerpt(span));
    }
    for evidence in &finding.evidence {
        let _ = writeln!(out, "   - {evidence}");
    }
    if !finding.mend.is_empty() {
        let _ = writeln!(out, "   help: {}", finding.mend);
    }
    if !finding.consequences.is_empty() {
        out += "   consequences:\n";
    }
    for follows in &finding.consequences {
        let place = follows.span.map_or(String::new(), |span| format!(" in line {}", audit.place(span).0));
        let (severity, kind, message) = (word(follows.severity), follows.kind, &follows.message);
        let _ = writeln!(out, "   - {severity} [{kind}]{place}: {message}");
    }
    out
}

fn earned(recording: &Recording) -> String {
    let frames = recording.frames();
    let mut out = format!(
        "  {}: reward {}{} in {frames} frames, {} episode{}\n",
        recording.label,
        tables::sum(recording.total()),
        recording.score().map_or_else(String::new, |score| format!(", score {}", shown(score))),
        recording.episodes.len(),
        if recording.episodes.len() == 1 { "" } else { "s" },
    );
    let missing = frames - recording.rewarded();
    if missing > 0 {
        let _ = writeln!(out, "    no reward for {missing} frames");
    }
    for (what, pocket) in tables::stretches(recording) {
        out += &pocket_line(&what, pocket);
    }
    out
}

fn pocket_line(what: &str, pocket: &Pocket) -> String {
    let (frames, inside, outside) = (pocket.inside.frames, mean(&pocket.inside), mean(&pocket.outside));
    format!("    {what:<18} {frames:>6} frames, mean reward {inside:>9}, other frames {outside:>9}\n")
}

fn parts(title: &str, parts: &[Part], frames: u64, out: &mut String) {
    if parts.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for Part { id, name, sum, paid, range } in parts {
        let range = range.map_or(String::new(), |range| format!(", {} per frame", tables::range(Some(range))));
        let share = percent(*paid, frames);
        let (name, sum) = (short(name), shown(*sum));
        let _ = writeln!(out, "  {id:<7} {name:<41} {sum:>10} in {paid} frames ({share}){range}");
    }
}

/// Writes the outcomes of every condition.
fn conditions(audit: &Audit, out: &mut String) {
    let conditions = tables::conditions(audit);
    if conditions.is_empty() {
        return;
    }
    *out += "\nConditions\n";
    for Condition { line, text, held, asked, ranges } in conditions {
        let (id, share) = (format!("L{line}"), percent(held, asked));
        let text = short(&text);
        let line = format!("  {id:<7} {text:<41} {share:>7} of {asked:<8} {ranges}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Writes the correlations of reward and score.
fn correlations(audit: &Audit, out: &mut String) {
    let correlations: Vec<Correlation> = audit.correlations().into_iter().filter(|one| one.pairs > 1).collect();
    if !correlations.is_empty() {
        *out += "\nRank correlation of reward and score\n";
    }
    for Correlation { of, measure, pairs, left_out, agreement, spearman, .. } in correlations {
        let Agreement { concordant, discordant, .. } = agreement;
        let (spearman, by) = (tables::correlation(spearman), measure.words());
        let left_out = if left_out == 0 { String::new() } else { format!("; {left_out} excluded (not finite)") };
        let _ = writeln!(
            out,
            "  {pairs:>6} {of}, {by}: {concordant} pairs concordant, {discordant} discordant; Spearman's rank \
             correlation {spearman}{left_out}"
        );
    }
}

fn short(name: &str) -> String {
    tables::cut(name, NAME)
}
