//! Rules about play: exceptions, and stretches that earn without playing.

use goalspec_python_runtime::scene::AttributeKind;
use goalspec_rewards::caller::SKIPPED;
use goalspec_rewards::score::NO_REWARD;
use goalspec_syntax::Severity;

use super::MIN_FRAMES;
use crate::codes;
use crate::idle::FrameGroup;
use crate::tables::{format_failure, format_percent};
use crate::{Audit, ErrorGroup, Finding, Recording, format_number};

/// The fix for calls that exceed their budget, and for frames that are not run after too many of them.
pub(super) const BUDGET_HELP: &str = "limit the loops of the function so that a call stays within its budget";

/// Reports frames without a reward, by kind and line.
pub(super) fn exceptions(audit: &Audit) -> Vec<Finding> {
    let mut kinds: Vec<&ErrorGroup> = Vec::new();
    for raised in audit.recordings.iter().flat_map(|recording| &recording.failures) {
        if !kinds.iter().any(|known| is_same_error(known, raised)) {
            kinds.push(raised);
        }
    }
    let mut found: Vec<Finding> = kinds.into_iter().map(|raised| exception_finding(audit, raised)).collect();
    let others: u64 = audit.recordings.iter().map(|recording| recording.other_failures).sum();
    if others > 0 {
        let message = format!("no reward for {others} of {} frames, for other reasons", audit.frames());
        let finding = Finding::new(
            goalspec_reward::codes::RAISES,
            Severity::Error,
            message,
            "fix the findings above \
            first",
        );
        found.push(finding.with_number("frames", others as f64).with_weight(20.0));
    }
    found
}

fn is_same_error(one: &ErrorGroup, other: &ErrorGroup) -> bool {
    one.kind == other.kind && one.line == other.line
}

fn exception_finding(audit: &Audit, raised: &ErrorGroup) -> Finding {
    let of = |recording: &Recording| recording.failures.iter().find(|other| is_same_error(raised, other)).cloned();
    let each: Vec<(&Recording, ErrorGroup)> =
        audit.recordings.iter().filter_map(|recording| Some((recording, of(recording)?))).collect();
    let all: u64 = each.iter().map(|(_, raised)| raised.frames).sum();
    let first = raised.messages.first().map_or("", String::as_str);
    let others = each.iter().flat_map(|(_, raised)| &raised.messages).find(|message| *message != first);
    let (failure, line) = (format_failure(&raised.kind, first), raised.line);
    let place = line.map_or(String::new(), |line| format!(" in line {line}"));
    let frames = audit.frames();
    let message = format!("no reward for {all} of {frames} frames: `{failure}`{place}");
    let evidence = each.iter().map(|(recording, raised)| {
        let (count, share) = (raised.frames, format_percent(raised.frames, recording.frames()));
        format!("{}: {count} frames ({share}), first frame {}", recording.label, raised.first_frame)
    });
    let also = others.map(|message| {
        format!("other frames have other messages, such as `{}`", format_failure(&raised.kind, message))
    });
    let help = match &*raised.kind {
        "budget" | SKIPPED => BUDGET_HELP,
        NO_REWARD => "return a number on every path through the function",
        _ => "check whether a value exists before its use: objects appear and disappear",
    };
    let finding = Finding::new(goalspec_reward::codes::RAISES, Severity::Error, message, help);
    let span = line.map(|line| {
        let range = audit.source.line_range(line as usize);
        let text = &audit.source.text()[range.clone()];
        let indent = text.len() - text.trim_start().len();
        let start = (range.start + indent) as u32;
        goalspec_syntax::Span::new(audit.source.id(), start, start + text.trim().len() as u32)
    });
    let finding = Finding { span, ..finding };
    let weight = 20.0 + all as f64 / frames.max(1) as f64;
    finding.with_evidence(evidence).with_evidence(also).with_number("frames", all as f64).with_weight(weight)
}

/// Reports stretches of play that earn although nobody plays.
pub(super) fn idle_rewards(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for recording in &audit.recordings {
        let idle = &recording.idle;
        let still = ("no object on the screen moves", idle.screen_still);
        let player = ("the player does not move", idle.player_still);
        // A still screen is the stronger finding of the two.
        let longest = |group: &FrameGroup| group.longest_run.totals.frames;
        let same = longest(&player.1) <= longest(&still.1) + MIN_FRAMES;
        let mut looked = if same { vec![still] } else { vec![still, player] };
        let hovers = ("the player stays in one place", idle.player_hovering);
        // A player that stays in one place may play well; it idles only if it scores nothing.
        if longest(&hovers.1) > longest(&player.1) + MIN_FRAMES && hovers.1.longest_run.totals.score <= 0.0 {
            looked.push(hovers);
        }
        for (description, group) in looked {
            found.extend(idle_reward(recording, description, &group));
        }
    }
    found
}

fn idle_reward(recording: &Recording, description: &str, group: &FrameGroup) -> Option<Finding> {
    let totals = group.longest_run.totals;
    let mean = totals.mean()?;
    if totals.rewarded_frames < MIN_FRAMES || mean <= 0.0 {
        return None;
    }
    let total = recording.total()?;
    let message = format!(
        "idling is rewarded: {} frames in which {description} have mean reward {}, sum {}",
        totals.frames,
        format_number(mean),
        format_number(totals.reward)
    );
    let last = group.longest_run.start + totals.frames - 1;
    let score = recording.score().map_or_else(String::new, |_| format!(", score {}", format_number(totals.score)));
    let mut evidence = vec![
        format!("{}: frames {} to {last}{score}", recording.label, group.longest_run.start),
        if total >= totals.reward {
            format!(
                "{:.1} % of the total reward of the recording, {}",
                100.0 * totals.reward / total,
                format_number(total)
            )
        } else {
            format!("total reward of the recording: {}", format_number(total))
        },
    ];
    if let Some(outside) = group.outside.mean() {
        evidence.push(format!("mean reward of its other frames: {}", format_number(outside)));
    }
    let help = "reward events instead of states: compare with the previous frame";
    let unscored = recording.score().is_some() && totals.score <= 0.0;
    let severity = if unscored { Severity::Error } else { Severity::Warning };
    let finding = Finding::new(codes::IDLE_REWARD, severity, message, help).with_evidence(evidence);
    let finding = finding.with_number("frames", totals.frames as f64).with_number("reward_per_frame", mean);
    let finding = if recording.score().is_some() { finding.with_number("score", totals.score) } else { finding };
    Some(finding.with_weight(18.0))
}

/// Returns the finding that there is no score to compare with.
pub(super) fn no_score(audit: &Audit) -> Finding {
    let message = "no true score: the agreement of reward and score was not checked";
    let numbers =
        audit.world.scene().state_attributes.iter().filter(|attribute| attribute.value_type == AttributeKind::Float);
    let numbers: Vec<&str> = numbers.map(|attribute| &*attribute.name).collect();
    let help = match &numbers[..] {
        [] => "declare a stored function without parameters in the world, record the score of each state in the \
            traces, and give the function's name with `--score-column`"
            .to_owned(),
        names => format!(
            "give the function that is the score of each state with `--score-column`, if it is one of {}",
            names.join(", ")
        ),
    };
    Finding::new(codes::NO_SCORE, Severity::Note, message.to_owned(), &help).with_weight(0.0)
}
