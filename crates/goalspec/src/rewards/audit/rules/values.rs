//! Rules about values: rewards that are not finite or constant; scores that are running totals.

use goalspec_reward::observe::Range;
use goalspec_syntax::Severity;

use super::super::codes;
use super::super::tables::percent;
use super::super::{Audit, Finding, NotFinite, Recording, shown};

/// Reports rewards that are not finite.
pub(super) fn not_finite(audit: &Audit) -> Option<Finding> {
    let mut all = NotFinite::default();
    for found in audit.recordings.iter().map(|recording| recording.not_finite) {
        all.nan += found.nan;
        all.infinite += found.infinite;
    }
    if all.count() == 0 {
        return None;
    }
    let what = match (all.nan, all.infinite) {
        (_, 0) => "NaN",
        (0, _) => "infinite",
        _ => "NaN or infinite",
    };
    let first = audit.recordings.iter().find_map(|recording| Some((recording, recording.not_finite.first?)));
    let first =
        first.map_or(String::new(), |(recording, frame)| format!(", first in frame {frame} of {}", recording.label));
    let message = format!("the reward is {what} in {} of {} frames{first}", all.count(), audit.seen.calls);
    let strange = audit.recordings.iter().filter(|recording| recording.not_finite.count() > 0);
    let evidence = strange.map(|recording| {
        let NotFinite { nan, infinite, .. } = recording.not_finite;
        let share = percent(nan + infinite, recording.rewarded());
        format!("{}: NaN in {nan} frames, infinite in {infinite} ({share})", recording.label)
    });
    let mend = "check divisors, and arguments outside of a function's domain";
    let finding = Finding::new(codes::NOT_FINITE, Severity::Error, message, mend).evidence(evidence);
    Some(finding.number("nan", all.nan as f64).number("infinite", all.infinite as f64).weight(21.0))
}

/// Reports a reward that is the same in all frames.
pub(super) fn constant(audit: &Audit) -> Option<Finding> {
    let mut range: Option<Range> = None;
    audit.recordings.iter().for_each(|recording| Range::merge(&mut range, recording.range));
    let range = range.filter(|range| range.is_one() && range.least.is_finite())?;
    let frames: u64 = audit.recordings.iter().map(Recording::rewarded).sum();
    let strange = audit.recordings.iter().any(|recording| recording.not_finite.count() > 0);
    if frames < 2 || strange {
        return None;
    }
    let message = format!("the reward is {} in all {frames} frames", shown(range.least));
    let mend = if range.least == 0.0 {
        "check why no term is ever added, or audit recordings in which the rewarded events happen"
    } else {
        "make it depend on events: as it is, it measures only the length of an episode"
    };
    let finding = Finding::new(codes::CONSTANT, Severity::Warning, message, mend);
    Some(finding.number("reward", range.least).number("frames", frames as f64).weight(19.0))
}

/// Reports a score that looks like a running total.
pub(super) fn running_score(audit: &Audit) -> Option<Finding> {
    let name = audit.score.as_deref()?;
    let running: Vec<&Recording> = audit.recordings.iter().filter(|recording| recording.steps.look_running()).collect();
    if running.is_empty() {
        return None;
    }
    let message = format!("the true score `{name}` looks like a running total, but is summed over frames");
    let evidence = running.into_iter().map(|recording| {
        let (steps, label) = (recording.steps, &recording.label);
        let (never, changes) = if steps.falls == 0 { ("falls", steps.rises) } else { ("rises", steps.falls) };
        format!(
            "{label}: it never {never} within an episode, and changes in {changes} of {} frames",
            recording.frames()
        )
    });
    let mend = "record the score that each frame earned: the difference from the previous frame";
    Some(Finding::new(codes::RUNNING_SCORE, Severity::Warning, message, mend).evidence(evidence).weight(19.5))
}
