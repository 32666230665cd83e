//! Rules about values: rewards that are not finite or constant; scores that are running totals.

use std::collections::BTreeMap;

use goalspec_python_runtime::observe::Range;
use goalspec_syntax::Severity;

use crate::codes;
use crate::tables::format_percent;
use crate::{Audit, Finding, NonFiniteCounts, Recording, format_number};

/// Reports rewards that are not finite.
pub(super) fn not_finite(audit: &Audit) -> Option<Finding> {
    let mut all = NonFiniteCounts::default();
    for found in audit.recordings.iter().map(|recording| recording.non_finite) {
        all.nan += found.nan;
        all.infinite += found.infinite;
    }
    if all.count() == 0 {
        return None;
    }
    let values = match (all.nan, all.infinite) {
        (_, 0) => "NaN",
        (0, _) => "infinite",
        _ => "NaN or infinite",
    };
    let first = audit.recordings.iter().find_map(|recording| Some((recording, recording.non_finite.first_frame?)));
    let first =
        first.map_or(String::new(), |(recording, frame)| format!(", first in frame {frame} of {}", recording.label));
    let message = format!("the reward is {values} in {} of {} frames{first}", all.count(), audit.statistics.calls);
    let strange = audit.recordings.iter().filter(|recording| recording.non_finite.count() > 0);
    let evidence = strange.map(|recording| {
        let NonFiniteCounts { nan, infinite, .. } = recording.non_finite;
        let share = format_percent(nan + infinite, recording.rewarded_frames());
        format!("{}: NaN in {nan} frames, infinite in {infinite} ({share})", recording.label)
    });
    let help = "check divisors, and arguments outside of a function's domain";
    let finding = Finding::new(codes::NOT_FINITE, Severity::Error, message, help).with_evidence(evidence);
    Some(finding.with_number("nan", all.nan as f64).with_number("infinite", all.infinite as f64).with_weight(21.0))
}

/// Reports a reward that is the same in all frames.
pub(super) fn constant(audit: &Audit) -> Option<Finding> {
    let mut range: Option<Range> = None;
    audit.recordings.iter().for_each(|recording| Range::merge(&mut range, recording.reward_range));
    let range = range.filter(|range| range.is_single() && range.min.is_finite())?;
    let frames: u64 = audit.recordings.iter().map(Recording::rewarded_frames).sum();
    let strange = audit.recordings.iter().any(|recording| recording.non_finite.count() > 0);
    if frames < 2 || strange {
        return None;
    }
    let message = format!("the reward is {} in all {frames} frames", format_number(range.min));
    let help = if range.min == 0.0 {
        "check why no term is ever added, or audit recordings in which the rewarded events happen"
    } else {
        "make it depend on events: as it is, it measures only the length of an episode"
    };
    let finding = Finding::new(codes::CONSTANT, Severity::Warning, message, help);
    Some(finding.with_number("reward", range.min).with_number("frames", frames as f64).with_weight(19.0))
}

/// The share of frames with one reward from which a reward is nearly constant.
const NEARLY_CONSTANT_SHARE: f64 = 0.995;

/// Reports a reward that is the same in almost all frames.
pub(super) fn nearly_constant(audit: &Audit) -> Option<Finding> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for (bits, count) in audit.recordings.iter().flat_map(|recording| &recording.value_counts) {
        *counts.entry(*bits).or_default() += count;
    }
    let frames: u64 = audit.recordings.iter().map(Recording::rewarded_frames).sum();
    let (bits, count) = counts.iter().max_by_key(|(_, count)| **count)?;
    let share = *count as f64 / frames as f64;
    if frames < super::MIN_FRAMES || counts.len() < 2 || share < NEARLY_CONSTANT_SHARE {
        return None;
    }
    let reward = f64::from_bits(*bits);
    let message = format!("the reward is {} in {count} of {frames} frames", format_number(reward));
    let evidence = audit.recordings.iter().map(|recording| {
        let own = recording.value_counts.get(bits).copied().unwrap_or(0);
        format!("{}: {own} of {} frames", recording.label, recording.rewarded_frames())
    });
    let help = "reward the events that score, or progress towards them";
    let finding = Finding::new(codes::NEARLY_CONSTANT, Severity::Note, message, help).with_evidence(evidence);
    Some(finding.with_number("reward", reward).with_number("share", share).with_weight(6.0))
}

/// Reports a score that looks like a running total.
pub(super) fn running_score(audit: &Audit) -> Option<Finding> {
    let name = audit.score.as_deref()?;
    let running: Vec<&Recording> =
        audit.recordings.iter().filter(|recording| recording.score_changes.is_running_total()).collect();
    if running.is_empty() {
        return None;
    }
    let message = format!("the true score `{name}` looks like a running total, but is summed over frames");
    let evidence = running.into_iter().map(|recording| {
        let (steps, label) = (recording.score_changes, &recording.label);
        let (never, changes) = if steps.falls == 0 { ("falls", steps.rises) } else { ("rises", steps.falls) };
        format!(
            "{label}: it never {never} within an episode, and changes in {changes} of {} frames",
            recording.frames()
        )
    });
    let help = "record the score that each frame earned: the difference from the previous frame";
    Some(Finding::new(codes::RUNNING_SCORE, Severity::Warning, message, help).with_evidence(evidence).with_weight(19.5))
}
