//! Rules about the probes: rewards for existing objects, for levels of scores and for still screens, unbounded rewards, exceptions without
//! objects of a class, state that survives its episode.

use goalspec_reward::lint;
use goalspec_syntax::{Severity, Span};

use super::program;
use crate::probe::{
    AbsenceError, HistoryDependence, LevelReward, MAX_WORK, PresenceReward, RewardGrowth, RewardSource, StateLeak,
    StillReward,
};
use crate::tables::one_line;
use crate::{Audit, Finding, codes, format_number};

/// Returns the findings of all probes.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let probes = &audit.probes;
    let mut found = presence_rewards(audit, &probes.presence_rewards);
    found.extend(level_rewards(audit, &probes.level_rewards));
    found.extend(probes.growth.as_ref().map(|growth| unbounded_growth(audit, growth)));
    found.extend(probes.history_dependence.as_ref().map(|memory| history_dependence(audit, memory)));
    found.extend(probes.state_leak.as_ref().map(|leak| state_leak(audit, leak)));
    found.extend(probes.absence_errors.iter().map(|absence| absence_error(audit, absence)));
    found.extend(probes.still_reward.as_ref().and_then(|still| still_reward(audit, still)));
    found.extend(probes.is_incomplete.then(incomplete_probes));
    found.extend(probes.has_no_screens.then(|| skipped_probes(audit)));
    found.into_iter().map(|finding| Finding { is_from_probe: true, ..finding }).collect()
}

/// Describes a source; returns its span if it has one.
fn describe_source(audit: &Audit, source: &RewardSource) -> (String, Option<Span>) {
    match source {
        RewardSource::Term(place) => {
            let term = &audit.terms.terms[*place];
            (format!("the term `{}`", term.name), Some(term.span))
        }
        RewardSource::Component(name) => {
            (format!("the component `{}`", one_line(name)), super::components::component_name_span(audit, name))
        }
        RewardSource::Total => ("the program".to_owned(), None),
    }
}

/// Returns the first position of a class name outside the imports.
fn class_name_span(audit: &Audit, class: &str) -> Option<Span> {
    let text = audit.source.text();
    let is_word = |start: usize| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (&text[..start], &text[start + class.len()..]);
        !before.ends_with(word) && !after.starts_with(word)
    };
    let imported = |start: usize| {
        let line = text[..start].rsplit('\n').next().unwrap_or_default().trim_start();
        line.starts_with("from ") || line.starts_with("import ") || line.contains('#')
    };
    let mut places = text.match_indices(class).map(|(start, _)| start);
    let start = places.find(|&start| is_word(start) && !imported(start))?;
    Some(Span::new(audit.source.id(), start as u32, (start + class.len()) as u32))
}

/// Returns one finding for each source, about all classes that it pays for.
fn presence_rewards(audit: &Audit, all: &[PresenceReward]) -> Vec<Finding> {
    let mut sources: Vec<&RewardSource> = Vec::new();
    for found in all {
        if !sources.contains(&&found.source) {
            sources.push(&found.source);
        }
    }
    retain_additive_terms(audit, &mut sources);
    sources.into_iter().map(|paying| presence_finding(audit, paying, all)).collect()
}

/// Keeps only sources that are additive terms, if there are any: the payments of clamps, factors and components follow from them.
fn retain_additive_terms(audit: &Audit, sources: &mut Vec<&RewardSource>) {
    let adds = |source: &&RewardSource| matches!(source, RewardSource::Term(place) if program::is_additive(&audit.terms.terms[*place]));
    if sources.iter().any(adds) {
        sources.retain(adds);
    }
}

fn presence_finding(audit: &Audit, paying: &RewardSource, all: &[PresenceReward]) -> Finding {
    let own: Vec<&PresenceReward> = all.iter().filter(|found| found.source == *paying).collect();
    let (description, span) = describe_source(audit, paying);
    let classes: Vec<String> = own.iter().map(|found| format!("`{}`", found.class)).collect();
    let each = own.iter().any(|found| found.is_per_object);
    let article = if each { "for each object of class" } else { "with an object of class" };
    let reward = own[0].reward;
    let message = format!(
        "{description} adds {} in every frame {article} {}, independent of positions and motion",
        format_number(reward),
        classes.join(", ")
    );
    let evidence = own.iter().map(|found| {
        let (count, paid) = (found.screens, format_number(found.reward));
        let without = if found.is_per_object { "one of its objects" } else { "its objects" };
        format!("`{}`: {count} screens, each with and without {without}: the difference is {paid}", found.class)
    });
    let help = "reward what the player does with the objects: a change of their number, or touching one";
    let span = span.or_else(|| class_name_span(audit, &own[0].class));
    let finding = Finding::new(codes::PRESENCE_REWARD, Severity::Warning, message, help);
    let finding = Finding { span, ..finding }.with_evidence(evidence);
    finding.with_number("reward_per_frame", reward).with_number("screens", own[0].screens as f64).with_weight(17.0)
}

fn level_rewards(audit: &Audit, all: &[LevelReward]) -> Vec<Finding> {
    let mut sources: Vec<&RewardSource> = Vec::new();
    for found in all {
        if !sources.contains(&&found.source) {
            sources.push(&found.source);
        }
    }
    retain_additive_terms(audit, &mut sources);
    let finding = |paying: &RewardSource| {
        let own: Vec<&LevelReward> = all.iter().filter(|found| found.source == *paying).collect();
        let (description, span) = describe_source(audit, paying);
        let classes: Vec<String> = own.iter().map(|found| format!("`{}`", found.class)).collect();
        let message =
            format!("{description} adds the value of {} in every frame instead of its changes", classes.join(" and "));
        let evidence = own.iter().map(|found| {
            let [low, high] = found.values;
            let (first, last) = (format_number(found.first), format_number(found.last));
            format!("unchanging screen: {first} per frame if `{}` shows {low}, {last} if it shows {high}", found.class)
        });
        let help = "add the difference from the previous frame: `value - prev_value`";
        let span = span.or_else(|| class_name_span(audit, &own[0].class));
        let finding = Finding::new(codes::LEVEL_REWARD, Severity::Warning, message, help);
        let finding = Finding { span, ..finding }.with_evidence(evidence);
        finding.with_number("first", own[0].first).with_number("last", own[0].last).with_weight(17.5)
    };
    sources.into_iter().map(finding).collect()
}

/// Returns the position of state that the program keeps between calls.
fn kept_state(audit: &Audit) -> Option<(Span, Vec<String>)> {
    let state = lint::persistent_state(&audit.source);
    let (_, span) = *state.first()?;
    let mut names: Vec<String> = state.iter().map(|(name, _)| format!("`{name}`")).collect();
    names.dedup();
    Some((span, names))
}

fn describe_kept_state(audit: &Audit) -> Option<String> {
    kept_state(audit).map(|(_, names)| format!("the program keeps {} between calls", names.join(", ")))
}

fn unbounded_growth(audit: &Audit, growth: &RewardGrowth) -> Finding {
    let RewardGrowth { moment: position, first, last, frames } = *growth;
    let how = if last > first { "growing" } else { "falling" };
    let (first_shown, last_shown) = (format_number(first), format_number(last));
    let message = format!(
        "the reward keeps {how} for all {frames} frames of an unchanging screen: from {first_shown} to {last_shown}"
    );
    let screen = format!("the screen is that of {}", audit.frame_label(position));
    let help = "return the reward of this frame alone, and keep counters within bounds";
    let finding = Finding::new(codes::UNBOUNDED, Severity::Warning, message, help).with_evidence([screen]);
    let finding =
        finding.with_evidence(describe_range_violation(audit, last)).with_evidence(describe_kept_state(audit));
    let finding = Finding { span: kept_state(audit).map(|(span, _)| span), ..finding };
    finding.with_number("first", first).with_number("last", last).with_number("frames", frames as f64).with_weight(18.5)
}

/// Describes how a reward violates the range that the program documents; `None` if it does not.
fn describe_range_violation(audit: &Audit, reward: f64) -> Option<String> {
    let promise = lint::documented_range(&audit.source, &audit.function)?;
    let outside = reward < promise.min || reward > promise.max;
    outside.then(|| format!("the documented range is [{}, {}]", format_number(promise.min), format_number(promise.max)))
}

fn history_dependence(audit: &Audit, memory: &HistoryDependence) -> Finding {
    let HistoryDependence {
        moment: position,
        reward_alone: fresh,
        reward_after: remembered,
        changes,
        is_recorded: recorded,
    } = *memory;
    let (fresh_shown, remembered_shown) = (format_number(fresh), format_number(remembered));
    let message = format!(
        "an event is rewarded again in every later frame: the reward of an unchanging screen is {remembered_shown} \
         per frame, and {fresh_shown} without earlier events"
    );
    let play = if recorded { "recorded" } else { "made-up" };
    let screen = format!(
        "the screen of {}, after {play} play in which that difference increased {changes} times",
        audit.frame_label(position)
    );
    let help = "return the change of the total instead of the total";
    let finding = Finding::new(codes::LEVEL_REWARD, Severity::Warning, message, help).with_evidence([screen]);
    let finding = finding.with_evidence(describe_kept_state(audit));
    let finding = Finding { span: kept_state(audit).map(|(span, _)| span), ..finding };
    finding.with_number("fresh", fresh).with_number("remembered", remembered).with_weight(17.2)
}

fn state_leak(audit: &Audit, leak: &StateLeak) -> Finding {
    let StateLeak {
        previous_end: after,
        first_difference: first,
        reward_alone: alone,
        reward_after: in_order,
        differing_frames: differing,
        frames,
        totals,
    } = *leak;
    let reward = |reward: Option<f64>| reward.map_or_else(|| "no reward".to_owned(), format_number);
    let message = format!(
        "state outlives its episode: the rewards of {differing} of {frames} frames change if another episode runs \
         before"
    );
    let frame = format!(
        "{}: {} alone, {} after the episode that ends with {}",
        audit.frame_label(first),
        reward(alone),
        reward(in_order),
        audit.frame_label(after)
    );
    let sums = format!(
        "total of the episode: {} alone, {} after the other one",
        format_number(totals[0]),
        format_number(totals[1])
    );
    let help = "reset it at the start of an episode, or use the objects' attributes of the previous frame";
    let finding = Finding::new(codes::STATE_LEAK, Severity::Warning, message, help).with_evidence([frame, sums]);
    let finding = finding.with_evidence(describe_kept_state(audit));
    let finding = Finding { span: kept_state(audit).map(|(span, _)| span), ..finding };
    finding.with_number("frames", differing as f64).with_weight(9.5)
}

fn absence_error(audit: &Audit, absence: &AbsenceError) -> Finding {
    let AbsenceError { class, kind, message, line, frame, is_recorded } = absence;
    let text = if message.is_empty() { kind.clone() } else { format!("{kind}: {}", one_line(message)) };
    let place = line.map_or(String::new(), |line| format!(" in line {line}"));
    let message = format!("without an object of the class `{class}`, the function raises `{text}`{place}");
    let screen = format!("the screen of {} without its objects of this class", audit.frame_label(*frame));
    let recorded = is_recorded.then(|| format!("the recordings have frames without an object of the class `{class}`"));
    let severity = if *is_recorded { Severity::Warning } else { Severity::Note };
    let help = "check whether an object exists before its use: objects appear and disappear";
    let finding = Finding::new(codes::ABSENCE_ERROR, severity, message, help).with_evidence([screen]);
    let span = line.map(|line| audit.source.line_range((line as usize).min(audit.source.line_count())));
    let span = span.map(|range| Span::new(audit.source.id(), range.start as u32, range.end as u32));
    Finding { span, ..finding.with_evidence(recorded) }.with_weight(8.0)
}

/// Reports still screens that earn more than any recording.
fn still_reward(audit: &Audit, still: &StillReward) -> Option<Finding> {
    let mean = |recording: &crate::Recording| {
        let frames = recording.rewarded_frames();
        (frames > 0).then(|| recording.total().unwrap_or(0.0) / frames as f64)
    };
    let means: Vec<(&str, f64)> =
        audit.recordings.iter().filter_map(|recording| Some((&*recording.label, mean(recording)?))).collect();
    let best = means.iter().map(|(_, mean)| *mean).fold(f64::NEG_INFINITY, f64::max);
    // Rounding makes means differ from the reward of each frame.
    if still.reward <= 0.0 || still.reward <= best + 1e-9 * best.abs().max(1.0) {
        return None;
    }
    let message = format!(
        "a tenth of {} recorded screens earns at least {} per frame without motion, which is more than any recording \
         earns",
        still.screens,
        format_number(still.reward)
    );
    let of_means = means.iter().map(|(label, mean)| format!("{label}: {} per frame", format_number(*mean)));
    let screen = format!("the screen of {} earns {}", audit.frame_label(still.frame), format_number(still.max));
    let help = "reward events and changes instead of states: compare with the previous frame";
    let finding = Finding::new(codes::STILL_REWARD, Severity::Note, message, help).with_evidence([screen]);
    let finding = finding.with_evidence(of_means).with_number("reward", still.reward).with_number("max", still.max);
    Some(finding.with_weight(7.0))
}

/// Returns the finding that the probes are incomplete.
fn incomplete_probes() -> Finding {
    let message = format!(
        "the probes are incomplete, because a call exceeded its budget or all calls exceeded {MAX_WORK} units of \
         work: rewards of existing objects, of score levels and of earlier episodes may be missed"
    );
    Finding::new(codes::PROBES_INCOMPLETE, Severity::Note, message, "reduce the work of one call")
}

/// Returns the finding that objects and levels were not probed.
fn skipped_probes(audit: &Audit) -> Finding {
    let message = format!(
        "rewards of existing objects and of score levels are not checked in the world `{}`: synthetic screens are \
         available for Atari games only",
        audit.world.name()
    );
    let help = "check the terms for rewards of states instead of changes";
    Finding::new(codes::PROBES_SKIPPED, Severity::Note, message, help)
}

/// Reports rewards of the recordings outside the range that the program documents.
pub(super) fn out_of_range(audit: &Audit) -> Option<Finding> {
    let promise = lint::documented_range(&audit.source, &audit.function)?;
    let mut evidence = Vec::new();
    let mut ends: Option<(f64, f64)> = None;
    for recording in &audit.recordings {
        let Some(range) = recording.reward_range.filter(|range| range.min < promise.min || range.max > promise.max)
        else {
            continue;
        };
        let (low, high) = ends.unwrap_or((range.min, range.max));
        ends = Some((low.min(range.min), high.max(range.max)));
        evidence.push(format!("{}: {} to {}", recording.label, format_number(range.min), format_number(range.max)));
    }
    let (low, high) = ends?;
    let promised = format!("[{}, {}]", format_number(promise.min), format_number(promise.max));
    let message = format!(
        "the reward per frame ranges from {} to {}, outside of the documented range {promised}",
        format_number(low),
        format_number(high)
    );
    let help = "clamp the result, or correct the documented range";
    let code = goalspec_reward::codes::OUT_OF_RANGE;
    let finding = Finding::new(code, Severity::Warning, message, help).with_evidence(evidence);
    let finding = Finding { span: promise.span, ..finding };
    Some(finding.with_number("min", low).with_number("max", high).with_weight(16.0))
}
