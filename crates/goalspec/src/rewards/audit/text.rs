//! Audits for people.

use std::fmt::Write;

use goalspec_reward::observe::TermSeen;
use goalspec_syntax::Severity;

use super::{Audit, Finding, Pocket, Recording, shown};

/// Longest name of a term in a table, in characters.
const NAME: usize = 40;

/// An audit as text: the findings, what recordings earn, what terms come to.
pub fn text(audit: &Audit) -> String {
    let mut out = String::new();
    let frames: u64 = audit.recordings.iter().map(Recording::frames).sum();
    let recordings = audit.recordings.len();
    let plural = if recordings == 1 { "" } else { "s" };
    let _ =
        writeln!(out, "{}: {frames} frames of {recordings} recording{plural} of {}", audit.program, audit.world.name);
    if audit.findings.is_empty() {
        out += "\nnothing was found\n";
    }
    for (number, finding) in audit.findings.iter().enumerate() {
        let _ = write!(out, "\n{}", written(audit, number + 1, finding));
    }
    out += "\nRecordings\n";
    for recording in &audit.recordings {
        out += &earned(recording);
    }
    terms(audit, &mut out);
    out
}

/// How bad something is, in a word.
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
        let _ = writeln!(out, "   {}:{line}:{column}: {}", audit.source.name(), audit.line_of(span));
    }
    for evidence in &finding.evidence {
        let _ = writeln!(out, "   - {evidence}");
    }
    if !finding.mend.is_empty() {
        let _ = writeln!(out, "   do: {}", finding.mend);
    }
    out
}

fn earned(recording: &Recording) -> String {
    let frames = recording.frames();
    let (total, score) = (recording.total(), recording.score());
    let mut out = format!(
        "  {}: reward {}, score {} in {frames} frames, {} episode{}\n",
        recording.label(),
        shown(total),
        shown(score),
        recording.episodes.len(),
        if recording.episodes.len() == 1 { "" } else { "s" },
    );
    let missing = frames - recording.rewarded();
    if missing > 0 {
        let _ = writeln!(out, "    no reward for {missing} frames");
    }
    let pockets = &recording.pockets;
    let mut lines =
        vec![("nothing moves".to_owned(), &pockets.screen_still), ("player still".to_owned(), &pockets.player_still)];
    lines.extend(pockets.motions.iter().map(|(motion, pocket)| (format!("player {motion}"), pocket)));
    lines.extend(
        pockets.actions.iter().map(|(action, pocket)| (format!("action {}", action_name(recording, *action)), pocket)),
    );
    for (what, pocket) in lines {
        out += &pocket_line(&what, pocket);
    }
    out
}

/// What an action means, if the recording says so.
pub(super) fn action_name(recording: &Recording, action: u32) -> String {
    recording.actions.get(action as usize).cloned().unwrap_or_else(|| action.to_string())
}

fn pocket_line(what: &str, pocket: &Pocket) -> String {
    let mean = |mean: Option<f64>| mean.map_or_else(|| "-".to_owned(), shown);
    let (frames, inside, outside) = (pocket.inside.frames, mean(pocket.inside.mean()), mean(pocket.outside.mean()));
    if frames == 0 {
        return String::new();
    }
    format!("    {what:<18} {frames:>6} frames, reward a frame {inside:>9}, otherwise {outside:>9}\n")
}

fn terms(audit: &Audit, out: &mut String) {
    let components = audit.recordings.iter().flat_map(|recording| recording.components.keys());
    let mut names: Vec<&String> = Vec::new();
    for name in components {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        *out += "\nComponents\n";
        for name in names {
            let parts: Vec<&TermSeen> =
                audit.recordings.iter().filter_map(|recording| recording.components.get(name)).collect();
            let (sum, paid) =
                (parts.iter().map(|seen| seen.sum).sum::<f64>(), parts.iter().map(|seen| seen.paid).sum::<u64>());
            *out += &line(name, "", sum, paid);
        }
    }
    if audit.terms.list.is_empty() {
        return;
    }
    *out += "\nTerms\n";
    for (term, seen) in audit.terms.list.iter().zip(&audit.seen.terms) {
        *out += &line(&term.name, &term.id, seen.sum, seen.paid);
    }
}

fn line(name: &str, id: &str, sum: f64, paid: u64) -> String {
    let mut short: String = name.chars().take(NAME).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    format!("  {id:<7} {short:<41} {:>10} in {paid} frames\n", shown(sum))
}
