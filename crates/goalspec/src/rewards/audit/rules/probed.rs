//! Rules about the probes: rewards for existing objects and for levels of scores, unbounded rewards, state that survives its episode.

use goalspec_reward::lint;
use goalspec_syntax::{Severity, Span};

use super::super::probe::{Growth, LevelPay, MAX_WORK, Memory, Payer, PresencePay, StateLeak};
use super::super::tables::one_line;
use super::super::{Audit, Finding, codes, shown};
use super::program;

/// Returns the findings of all probes.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let probes = &audit.probes;
    let mut found = presence(audit, &probes.presence);
    found.extend(levels(audit, &probes.levels));
    found.extend(probes.growth.as_ref().map(|growth| unbounded(audit, growth)));
    found.extend(probes.memory.as_ref().map(|memory| remembered(audit, memory)));
    found.extend(probes.leak.as_ref().map(|leak| state_leak(audit, leak)));
    found.extend(probes.ended_early.then(ended_early));
    found.extend(probes.without_screens.then(|| skipped(audit)));
    found.into_iter().map(|finding| Finding { is_of_probe: true, ..finding }).collect()
}

/// Describes a payer; returns its span if it has one.
fn payer(audit: &Audit, payer: &Payer) -> (String, Option<Span>) {
    match payer {
        Payer::Term(place) => {
            let term = &audit.terms.list[*place];
            (format!("the term `{}`", term.name), Some(term.span))
        }
        Payer::Component(name) => {
            (format!("the component `{}`", one_line(name)), super::components::place(audit, name))
        }
        Payer::Total => ("the program".to_owned(), None),
    }
}

/// Returns the first position of a class name outside the imports.
fn named(audit: &Audit, class: &str) -> Option<Span> {
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

/// Returns one finding for each payer, about all classes that it pays for.
fn presence(audit: &Audit, all: &[PresencePay]) -> Vec<Finding> {
    let mut payers: Vec<&Payer> = Vec::new();
    for found in all {
        if !payers.contains(&&found.payer) {
            payers.push(&found.payer);
        }
    }
    only_terms(audit, &mut payers);
    payers.into_iter().map(|paying| presence_of(audit, paying, all)).collect()
}

/// Keeps only payers that are additive terms, if there are any: the payments of clamps, factors and components follow from them.
fn only_terms(audit: &Audit, payers: &mut Vec<&Payer>) {
    let adds = |payer: &&Payer| matches!(payer, Payer::Term(place) if program::adds(&audit.terms.list[*place]));
    if payers.iter().any(adds) {
        payers.retain(adds);
    }
}

fn presence_of(audit: &Audit, paying: &Payer, all: &[PresencePay]) -> Finding {
    let own: Vec<&PresencePay> = all.iter().filter(|found| found.payer == *paying).collect();
    let (what, span) = payer(audit, paying);
    let classes: Vec<String> = own.iter().map(|found| format!("`{}`", found.class)).collect();
    let each = own.iter().any(|found| found.each);
    let article = if each { "for each object of class" } else { "with an object of class" };
    let reward = own[0].reward;
    let message = format!(
        "{what} adds {} in every frame {article} {}, independent of positions and motion",
        shown(reward),
        classes.join(", ")
    );
    let evidence = own.iter().map(|found| {
        let (count, paid) = (found.screens, shown(found.reward));
        let without = if found.each { "one of its objects" } else { "its objects" };
        format!("`{}`: {count} screens, each with and without {without}: the difference is {paid}", found.class)
    });
    let mend = "reward what the player does with the objects: a change of their number, or touching one";
    let span = span.or_else(|| named(audit, &own[0].class));
    let finding = Finding::new(codes::PRESENCE_REWARD, Severity::Warning, message, mend);
    let finding = Finding { span, ..finding }.evidence(evidence);
    finding.number("reward_per_frame", reward).number("screens", own[0].screens as f64).weight(17.0)
}

fn levels(audit: &Audit, all: &[LevelPay]) -> Vec<Finding> {
    let mut payers: Vec<&Payer> = Vec::new();
    for found in all {
        if !payers.contains(&&found.payer) {
            payers.push(&found.payer);
        }
    }
    only_terms(audit, &mut payers);
    let finding = |paying: &Payer| {
        let own: Vec<&LevelPay> = all.iter().filter(|found| found.payer == *paying).collect();
        let (what, span) = payer(audit, paying);
        let classes: Vec<String> = own.iter().map(|found| format!("`{}`", found.class)).collect();
        let message =
            format!("{what} adds the value of {} in every frame instead of its changes", classes.join(" and "));
        let evidence = own.iter().map(|found| {
            let [low, high] = found.values;
            let (first, last) = (shown(found.first), shown(found.last));
            format!("unchanging screen: {first} per frame if `{}` shows {low}, {last} if it shows {high}", found.class)
        });
        let mend = "add the difference from the previous frame: `value - prev_value`";
        let span = span.or_else(|| named(audit, &own[0].class));
        let finding = Finding::new(codes::LEVEL_REWARD, Severity::Warning, message, mend);
        let finding = Finding { span, ..finding }.evidence(evidence);
        finding.number("first", own[0].first).number("last", own[0].last).weight(17.5)
    };
    payers.into_iter().map(finding).collect()
}

/// Returns the position of state that the program keeps between calls.
fn kept(audit: &Audit) -> Option<(Span, Vec<String>)> {
    let kept = lint::kept_state(&audit.source);
    let (_, span) = *kept.first()?;
    let mut names: Vec<String> = kept.iter().map(|(name, _)| format!("`{name}`")).collect();
    names.dedup();
    Some((span, names))
}

fn keeps(audit: &Audit) -> Option<String> {
    kept(audit).map(|(_, names)| format!("the program keeps {} between calls", names.join(", ")))
}

fn unbounded(audit: &Audit, growth: &Growth) -> Finding {
    let Growth { moment, first, last, frames } = *growth;
    let how = if last > first { "growing" } else { "falling" };
    let (first_shown, last_shown) = (shown(first), shown(last));
    let message = format!(
        "the reward keeps {how} for all {frames} frames of an unchanging screen: from {first_shown} to {last_shown}"
    );
    let screen = format!("the screen is that of {}", audit.moment(moment));
    let mend = "return the reward of this frame alone, and keep counters within bounds";
    let finding = Finding::new(codes::UNBOUNDED, Severity::Warning, message, mend).evidence([screen]);
    let finding = finding.evidence(beyond_promise(audit, last)).evidence(keeps(audit));
    let finding = Finding { span: kept(audit).map(|(span, _)| span), ..finding };
    finding.number("first", first).number("last", last).number("frames", frames as f64).weight(18.5)
}

/// Describes how a reward violates the range that the program documents; `None` if it does not.
fn beyond_promise(audit: &Audit, reward: f64) -> Option<String> {
    let promise = lint::promise(&audit.source, &audit.function)?;
    let outside = reward < promise.low || reward > promise.high;
    outside.then(|| format!("the documented range is [{}, {}]", shown(promise.low), shown(promise.high)))
}

fn remembered(audit: &Audit, memory: &Memory) -> Finding {
    let Memory { moment, fresh, remembered, changes, recorded } = *memory;
    let (fresh_shown, remembered_shown) = (shown(fresh), shown(remembered));
    let message = format!(
        "an event is rewarded again in every later frame: the reward of an unchanging screen is {remembered_shown} \
         per frame, and {fresh_shown} without earlier events"
    );
    let play = if recorded { "recorded" } else { "made-up" };
    let screen = format!(
        "the screen of {}, after {play} play in which that difference increased {changes} times",
        audit.moment(moment)
    );
    let mend = "return the change of the total instead of the total";
    let finding = Finding::new(codes::LEVEL_REWARD, Severity::Warning, message, mend).evidence([screen]);
    let finding = finding.evidence(keeps(audit));
    let finding = Finding { span: kept(audit).map(|(span, _)| span), ..finding };
    finding.number("fresh", fresh).number("remembered", remembered).weight(17.2)
}

fn state_leak(audit: &Audit, leak: &StateLeak) -> Finding {
    let StateLeak { after, first, alone, in_order, differing, frames, totals } = *leak;
    let reward = |reward: Option<f64>| reward.map_or_else(|| "no reward".to_owned(), shown);
    let message = format!(
        "state outlives its episode: the rewards of {differing} of {frames} frames change if another episode runs \
         before"
    );
    let frame = format!(
        "{}: {} alone, {} after the episode that ends with {}",
        audit.moment(first),
        reward(alone),
        reward(in_order),
        audit.moment(after)
    );
    let sums = format!("total of the episode: {} alone, {} after the other one", shown(totals[0]), shown(totals[1]));
    let mend = "reset it at the start of an episode, or use the objects' attributes of the previous frame";
    let finding = Finding::new(codes::STATE_LEAK, Severity::Warning, message, mend).evidence([frame, sums]);
    let finding = finding.evidence(keeps(audit));
    let finding = Finding { span: kept(audit).map(|(span, _)| span), ..finding };
    finding.number("frames", differing as f64).weight(9.5)
}

/// Returns the finding that the probes are incomplete.
fn ended_early() -> Finding {
    let message = format!(
        "the probes are incomplete, because a call exceeded its budget or all calls exceeded {MAX_WORK} units of \
         work: rewards of existing objects, of score levels and of earlier episodes may be missed"
    );
    Finding::new(codes::PROBES_INCOMPLETE, Severity::Note, message, "reduce the work of one call")
}

/// Returns the finding that objects and levels were not probed.
fn skipped(audit: &Audit) -> Finding {
    let message = format!(
        "rewards of existing objects and of score levels are not checked in the world `{}`: synthetic screens are \
         available for Atari games only",
        audit.world.name()
    );
    let mend = "check the terms for rewards of states instead of changes";
    Finding::new(codes::PROBES_SKIPPED, Severity::Note, message, mend)
}

/// Reports rewards of the recordings outside the range that the program documents.
pub(super) fn outside_promise(audit: &Audit) -> Option<Finding> {
    let promise = lint::promise(&audit.source, &audit.function)?;
    let mut evidence = Vec::new();
    let mut ends: Option<(f64, f64)> = None;
    for recording in &audit.recordings {
        let Some(range) = recording.range.filter(|range| range.least < promise.low || range.greatest > promise.high)
        else {
            continue;
        };
        let (low, high) = ends.unwrap_or((range.least, range.greatest));
        ends = Some((low.min(range.least), high.max(range.greatest)));
        evidence.push(format!("{}: {} to {}", recording.label, shown(range.least), shown(range.greatest)));
    }
    let (low, high) = ends?;
    let promised = format!("[{}, {}]", shown(promise.low), shown(promise.high));
    let message = format!(
        "the reward per frame ranges from {} to {}, outside of the documented range {promised}",
        shown(low),
        shown(high)
    );
    let mend = "clamp the result, or correct the documented range";
    let code = goalspec_reward::codes::OUT_OF_RANGE;
    let finding = Finding::new(code, Severity::Warning, message, mend).evidence(evidence);
    let finding = Finding { span: promise.span, ..finding };
    Some(finding.number("min", low).number("max", high).weight(16.0))
}
