//! Audits as plain text.

use std::fmt::Write;

use goalspec_syntax::Severity;

use crate::statistics::{Correlation, PairAgreement};
use crate::tables::{self, ConditionRow, ContributionRow, format_mean, format_percent};
use crate::{Audit, Finding, FrameGroup, Recording, format_number};

/// The maximum length of a term's name in a table, in characters.
const MAX_NAME_CHARS: usize = 40;

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
        let _ = write!(out, "\n{}", format_finding(audit, number + 1, finding));
    }
    out += "\nRecordings\n";
    for recording in &audit.recordings {
        out += &format_recording(recording);
    }
    write_correlations(audit, &mut out);
    write_contributions("Components", &tables::component_rows(audit), audit.statistics.calls, &mut out);
    write_contributions("Terms", &tables::term_rows(audit), audit.statistics.calls, &mut out);
    write_conditions(audit, &mut out);
    out
}

/// Returns the name of a severity.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn format_finding(audit: &Audit, number: usize, finding: &Finding) -> String {
    let mut out = format!("{number}. {} [{}]: {}\n", severity_name(finding.severity), finding.kind, finding.message);
    if let Some(span) = finding.span {
        let (line, column) = audit.line_column(span);
        let _ = writeln!(out, "   {}:{line}:{column}: {}", audit.source.name(), audit.excerpt(span));
    }
    for evidence in &finding.evidence {
        let _ = writeln!(out, "   - {evidence}");
    }
    if !finding.help.is_empty() {
        let _ = writeln!(out, "   help: {}", finding.help.join("; "));
    }
    if !finding.consequences.is_empty() {
        out += "   consequences:\n";
    }
    for follows in &finding.consequences {
        let place = follows.span.map_or(String::new(), |span| format!(" in line {}", audit.line_column(span).0));
        let (severity, kind, message) = (severity_name(follows.severity), follows.kind, &follows.message);
        let _ = writeln!(out, "   - {severity} [{kind}]{place}: {message}");
    }
    out
}

fn format_recording(recording: &Recording) -> String {
    let frames = recording.frames();
    let mut out = format!(
        "  {}: reward {}{} in {frames} frames, {} episode{}\n",
        recording.label,
        tables::format_sum(recording.total()),
        recording.score().map_or_else(String::new, |score| format!(", score {}", format_number(score))),
        recording.episodes.len(),
        if recording.episodes.len() == 1 { "" } else { "s" },
    );
    let missing = frames - recording.rewarded_frames();
    if missing > 0 {
        let _ = writeln!(out, "    no reward for {missing} frames");
    }
    for (description, group) in tables::frame_groups(recording) {
        out += &frame_group_line(&description, group);
    }
    out
}

fn frame_group_line(description: &str, group: &FrameGroup) -> String {
    let (frames, inside, outside) = (group.inside.frames, format_mean(&group.inside), format_mean(&group.outside));
    format!("    {description:<18} {frames:>6} frames, mean reward {inside:>9}, other frames {outside:>9}\n")
}

fn write_contributions(title: &str, parts: &[ContributionRow], frames: u64, out: &mut String) {
    if parts.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for ContributionRow { id, name, sum, nonzero_frames: paid, range } in parts {
        let range = range.map_or(String::new(), |range| format!(", {} per frame", tables::format_range(Some(range))));
        let share = format_percent(*paid, frames);
        let (name, sum) = (truncate_name(name), format_number(*sum));
        let _ = writeln!(out, "  {id:<7} {name:<41} {sum:>10} in {paid} frames ({share}){range}");
    }
}

/// Writes the outcomes of every condition.
fn write_conditions(audit: &Audit, out: &mut String) {
    let conditions = tables::condition_rows(audit);
    if conditions.is_empty() {
        return;
    }
    *out += "\nConditions\n";
    for ConditionRow { line, text, held, evaluations, ranges } in conditions {
        let (id, share) = (format!("L{line}"), format_percent(held, evaluations));
        let text = truncate_name(&text);
        let line = format!("  {id:<7} {text:<41} {share:>7} of {evaluations:<8} {ranges}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Writes the correlations of reward and score.
fn write_correlations(audit: &Audit, out: &mut String) {
    let correlations: Vec<Correlation> = audit.correlations().into_iter().filter(|one| one.pairs > 1).collect();
    if !correlations.is_empty() {
        *out += "\nRank correlation of reward and score\n";
    }
    for Correlation { unit: of, measure, pairs, excluded: left_out, agreement, spearman, .. } in correlations {
        let PairAgreement { concordant, discordant, .. } = agreement;
        let (spearman, by) = (tables::format_correlation(spearman), measure.unit_name());
        let left_out = if left_out == 0 { String::new() } else { format!("; {left_out} excluded (not finite)") };
        let _ = writeln!(
            out,
            "  {pairs:>6} {of}, {by}: {concordant} pairs concordant, {discordant} discordant; Spearman's rank \
             correlation {spearman}{left_out}"
        );
    }
}

fn truncate_name(name: &str) -> String {
    tables::truncate(name, MAX_NAME_CHARS)
}
