//! Rules about play: exceptions, and stretches that earn without playing.

use goalspec_reward::scene::Kind;
use goalspec_syntax::Severity;

use super::super::codes;
use super::super::pockets::Pocket;
use super::super::tables::{percent, reason};
use super::super::{Audit, Finding, Raised, Recording, shown};
use super::LONG;
use crate::rewards::caller::NOT_RUN;
use crate::rewards::score::NO_REWARD;

/// The fix for calls that exceed their budget, and for frames that are not run after too many of them.
pub(super) const END_LOOPS: &str = "limit the loops of the function so that a call stays within its budget";

/// Reports frames without a reward, by kind and line.
pub(super) fn raises(audit: &Audit) -> Vec<Finding> {
    let mut kinds: Vec<&Raised> = Vec::new();
    for raised in audit.recordings.iter().flat_map(|recording| &recording.failures) {
        if !kinds.iter().any(|known| is_same(known, raised)) {
            kinds.push(raised);
        }
    }
    let mut found: Vec<Finding> = kinds.into_iter().map(|raised| raised_by(audit, raised)).collect();
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
        found.push(finding.number("frames", others as f64).weight(20.0));
    }
    found
}

fn is_same(one: &Raised, other: &Raised) -> bool {
    one.kind == other.kind && one.line == other.line
}

fn raised_by(audit: &Audit, raised: &Raised) -> Finding {
    let of = |recording: &Recording| recording.failures.iter().find(|other| is_same(raised, other)).cloned();
    let each: Vec<(&Recording, Raised)> =
        audit.recordings.iter().filter_map(|recording| Some((recording, of(recording)?))).collect();
    let all: u64 = each.iter().map(|(_, raised)| raised.count).sum();
    let first = raised.messages.first().map_or("", String::as_str);
    let others = each.iter().flat_map(|(_, raised)| &raised.messages).find(|message| *message != first);
    let (what, line) = (reason(&raised.kind, first), raised.line);
    let place = line.map_or(String::new(), |line| format!(" in line {line}"));
    let frames = audit.frames();
    let message = format!("no reward for {all} of {frames} frames: `{what}`{place}");
    let evidence = each.iter().map(|(recording, raised)| {
        let (count, share) = (raised.count, percent(raised.count, recording.frames()));
        format!("{}: {count} frames ({share}), first frame {}", recording.label, raised.first)
    });
    let also =
        others.map(|message| format!("other frames have other messages, such as `{}`", reason(&raised.kind, message)));
    let mend = match &*raised.kind {
        "budget" | NOT_RUN => END_LOOPS,
        NO_REWARD => "return a number on every path through the function",
        _ => "check whether a value exists before its use: objects appear and disappear",
    };
    let finding = Finding::new(goalspec_reward::codes::RAISES, Severity::Error, message, mend);
    let span = line.map(|line| {
        let range = audit.source.line_range(line as usize);
        let text = &audit.source.text()[range.clone()];
        let indent = text.len() - text.trim_start().len();
        let start = (range.start + indent) as u32;
        goalspec_syntax::Span::new(audit.source.id(), start, start + text.trim().len() as u32)
    });
    let finding = Finding { span, ..finding };
    let weight = 20.0 + all as f64 / frames.max(1) as f64;
    finding.evidence(evidence).evidence(also).number("frames", all as f64).weight(weight)
}

/// Reports stretches of play that earn although nobody plays.
pub(super) fn pockets(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for recording in &audit.recordings {
        let pockets = &recording.pockets;
        let still = ("no object on the screen moves", pockets.screen_still);
        let player = ("the player does not move", pockets.player_still);
        // A still screen is the stronger finding of the two.
        let longest = |pocket: &Pocket| pocket.longest.tally.frames;
        let same = longest(&player.1) <= longest(&still.1) + LONG;
        let mut looked = if same { vec![still] } else { vec![still, player] };
        let hovers = ("the player stays in one place", pockets.player_hovers);
        // A player that stays in one place may play well; it idles only if it scores nothing.
        if longest(&hovers.1) > longest(&player.1) + LONG && hovers.1.longest.tally.score <= 0.0 {
            looked.push(hovers);
        }
        for (what, pocket) in looked {
            found.extend(pocket_pays(recording, what, &pocket));
        }
    }
    found
}

fn pocket_pays(recording: &Recording, what: &str, pocket: &Pocket) -> Option<Finding> {
    let tally = pocket.longest.tally;
    let mean = tally.mean()?;
    if tally.rewarded < LONG || mean <= 0.0 {
        return None;
    }
    let total = recording.total()?;
    let message = format!(
        "idling is rewarded: {} frames in which {what} have mean reward {}, sum {}",
        tally.frames,
        shown(mean),
        shown(tally.reward)
    );
    let last = pocket.longest.start + tally.frames - 1;
    let score = recording.score().map_or_else(String::new, |_| format!(", score {}", shown(tally.score)));
    let mut evidence = vec![
        format!("{}: frames {} to {last}{score}", recording.label, pocket.longest.start),
        if total >= tally.reward {
            format!("{:.1} % of the total reward of the recording, {}", 100.0 * tally.reward / total, shown(total))
        } else {
            format!("total reward of the recording: {}", shown(total))
        },
    ];
    if let Some(outside) = pocket.outside.mean() {
        evidence.push(format!("mean reward of its other frames: {}", shown(outside)));
    }
    let mend = "reward events instead of states: compare with the previous frame";
    let unscored = recording.score().is_some() && tally.score <= 0.0;
    let severity = if unscored { Severity::Error } else { Severity::Warning };
    let finding = Finding::new(codes::IDLE_REWARD, severity, message, mend).evidence(evidence);
    let finding = finding.number("frames", tally.frames as f64).number("reward_per_frame", mean);
    let finding = if recording.score().is_some() { finding.number("score", tally.score) } else { finding };
    Some(finding.weight(18.0))
}

/// Returns the finding that there is no score to compare with.
pub(super) fn no_score(audit: &Audit) -> Finding {
    let message = "no true score: the agreement of reward and score was not checked";
    let numbers = audit.world.scene().state.iter().filter(|attribute| attribute.kind == Kind::Float);
    let numbers: Vec<&str> = numbers.map(|attribute| &*attribute.name).collect();
    let mend = match &numbers[..] {
        [] => "declare a stored function without parameters in the world, record the score of each state in the \
            traces, and give the function's name with `--score-column`"
            .to_owned(),
        names => format!(
            "give the function that is the score of each state with `--score-column`, if it is one of {}",
            names.join(", ")
        ),
    };
    Finding::new(codes::NO_SCORE, Severity::Note, message.to_owned(), &mend).weight(0.0)
}
