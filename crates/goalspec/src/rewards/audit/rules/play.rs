//! What play earns: exceptions, orders of recordings, stretches that earn without playing.

use goalspec_reward::scene::Kind;
use goalspec_syntax::Severity;

use super::super::pockets::Pocket;
use super::super::statistics::{Agreement, Correlation};
use super::super::tables::percent;
use super::super::{Audit, Finding, Recording, WINDOW, WINDOWS_OF, shown};
use crate::rewards::caller::NOT_RUN;

/// So long a run has to be before what it earns says something, in frames.
const LONG: u64 = 100;

/// So many windows say something about a correlation.
const WINDOWS: usize = 10;

/// Frames without a reward, by line.
pub(super) fn raises(audit: &Audit) -> Vec<Finding> {
    let mut kinds: Vec<(&str, &str, Option<u32>)> = Vec::new();
    for failure in audit.recordings.iter().flat_map(|recording| &recording.failures) {
        let kind = (&*failure.kind, &*failure.message, failure.line);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let report = |(kind, message, line): (&str, &str, Option<u32>)| {
        let same = |failure: &&super::super::Failure| {
            failure.kind == kind && failure.message == message && failure.line == line
        };
        let of =
            |recording: &Recording| recording.failures.iter().find(same).map(|failure| (failure.count, failure.first));
        let counts: Vec<_> =
            audit.recordings.iter().filter_map(|recording| Some((recording, of(recording)?))).collect();
        let all: u64 = counts.iter().map(|(_, (count, _))| count).sum();
        let (from, frames) = (line.map_or(String::new(), |line| format!(" in line {line}")), audit.frames());
        let what = if message.is_empty() { kind.to_owned() } else { format!("{kind}: {message}") };
        let message = format!("there is no reward for {all} of {frames} frames: `{what}`{from}");
        let evidence = counts.iter().map(|(recording, (count, first))| {
            let share = percent(*count, recording.frames());
            format!("{}: {count} frames ({share}), first frame {first}", recording.label())
        });
        let mend = match kind {
            "budget" | NOT_RUN => "end loops before they use up what a call may take",
            _ => "look for what is missing before it is used: objects come and go",
        };
        let finding = Finding::new("raises", Severity::Error, message, mend);
        let span = line.map(|line| {
            let range = audit.source.line_range(line as usize);
            let text = &audit.source.text()[range.clone()];
            let indent = text.len() - text.trim_start().len();
            let start = (range.start + indent) as u32;
            goalspec_syntax::Span::new(audit.source.id(), start, start + text.trim().len() as u32)
        });
        let finding = Finding { span, ..finding };
        finding.evidence(evidence).number("frames", all as f64).weight(20.0 + all as f64 / frames.max(1) as f64)
    };
    kinds.into_iter().map(report).collect()
}

/// The true score, of audits that have one.
fn score(recording: &Recording) -> f64 {
    recording.score().unwrap_or_default()
}

fn earned(recording: &Recording) -> String {
    let (total, score) = (shown(recording.total()), shown(score(recording)));
    format!("{}: reward {total}, score {score} in {} frames", recording.label(), recording.frames())
}

/// Recordings, or episodes of them, that the reward orders otherwise than the score.
pub(super) fn against_score(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    let correlations = audit.correlations();
    let several = audit.recordings.iter().any(|recording| recording.episodes.len() > 1);
    for Correlation { of: what, agreement, .. } in correlations {
        let Agreement { concordant, discordant, .. } = agreement;
        if discordant == 0 || what == WINDOWS_OF || (what == "episodes" && !several) {
            continue;
        }
        let severity = if discordant >= concordant { Severity::Error } else { Severity::Warning };
        let message = format!(
            "the reward prefers the {what} with the lower score in {discordant} of {} pairs",
            concordant + discordant
        );
        let mend = "find the term that pays for what the score does not, or against it";
        let kendall = agreement.kendall().unwrap_or(0.0);
        let finding = Finding::new("against-score", severity, message, mend)
            .evidence([format!("Kendall's rank correlation of reward and score: {}", shown(kendall))])
            .evidence(audit.recordings.iter().map(earned))
            .number("discordant", discordant as f64)
            .number("concordant", concordant as f64)
            .number("kendall", kendall);
        found.push(finding.weight(if what == "recordings" { 15.0 } else { 14.0 }));
    }
    found
}

/// Terms that order the recordings otherwise than the score does, where the whole reward does so.
pub(super) fn terms_against_score(audit: &Audit) -> Vec<Finding> {
    let whole: Vec<[f64; 2]> = audit.recordings.iter().map(Recording::rates).collect();
    if Agreement::of(&whole).discordant == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (place, term) in audit.terms.list.iter().enumerate() {
        let rate = |recording: &Recording| {
            let seen = &recording.seen.terms[place];
            [seen.sum / recording.frames().max(1) as f64, recording.rates()[1]]
        };
        let pairs: Vec<[f64; 2]> = audit.recordings.iter().map(rate).collect();
        let agreement = Agreement::of(&pairs);
        if agreement.discordant <= agreement.concordant {
            continue;
        }
        let message = format!("the term `{}` goes against the score: it pays most where the score is least", term.name);
        let evidence = audit.recordings.iter().map(|recording| {
            let seen = &recording.seen.terms[place];
            let (sum, score) = (shown(seen.sum), shown(score(recording)));
            format!("{}: comes to {sum} in {} frames, score {score}", recording.label(), seen.paid)
        });
        let spread = pairs.iter().map(|pair| pair[0]).fold(f64::NEG_INFINITY, f64::max)
            - pairs.iter().map(|pair| pair[0]).fold(f64::INFINITY, f64::min);
        let mend = "turn its sign, or what it measures, around";
        let finding = Finding::new("term-against-score", Severity::Warning, message, mend).at(term.span);
        found.push(finding.evidence(evidence).number("spread", spread).weight(12.0 + spread.min(1.0)));
    }
    found
}

/// Ways of moving that the reward punishes, and the better recordings have more of.
pub(super) fn motion_against_score(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for motion in ["up", "down", "left", "right"] {
        let pocket = |recording: &Recording| recording.pockets.motions.get(motion).copied().unwrap_or_default();
        let share = |recording: &Recording| {
            let Pocket { inside, outside, .. } = pocket(recording);
            inside.frames as f64 / (inside.frames + outside.frames).max(1) as f64
        };
        let (mut inside, mut outside) = (super::super::Tally::default(), super::super::Tally::default());
        for part in audit.recordings.iter().map(pocket) {
            for (sum, part) in [(&mut inside, part.inside), (&mut outside, part.outside)] {
                sum.frames += part.frames;
                sum.reward += part.reward;
                sum.score += part.score;
            }
        }
        let (Some(moving), Some(others)) = (inside.mean(), outside.mean()) else { continue };
        let pairs: Vec<[f64; 2]> = audit.recordings.iter().map(|one| [share(one), one.rates()[1]]).collect();
        let agreement = Agreement::of(&pairs);
        let punished = moving < others && agreement.concordant > agreement.discordant;
        let paid = moving > others && agreement.discordant > agreement.concordant;
        let whole: Vec<[f64; 2]> = audit.recordings.iter().map(Recording::rates).collect();
        let against = Agreement::of(&whole);
        if !(punished || paid) || against.discordant <= against.concordant || inside.frames < LONG {
            continue;
        }
        let (does, more) = if punished { ("penalises", "more") } else { ("pays for", "less") };
        let message = format!(
            "the reward {does} moving {motion}, of which the recordings with the higher score have {more}: {} a frame against {}",
            shown(moving),
            shown(others)
        );
        let shares = audit.recordings.iter().map(|recording| {
            let share = 100.0 * share(recording);
            format!(
                "{}: moves {motion} in {share:.1} % of frames, score {}",
                recording.label(),
                shown(score(recording))
            )
        });
        let mend = "check the direction: y grows downwards, x to the right";
        let finding = Finding::new("motion-against-score", Severity::Warning, message, mend);
        let finding = finding.evidence(shares).number("moving", moving).number("others", others);
        found.push(finding.weight(13.0 + (moving - others).abs().min(1.0)));
    }
    found
}

/// Stretches of play that earn although nobody plays.
pub(super) fn pockets(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for recording in &audit.recordings {
        let pockets = &recording.pockets;
        let still = ("nothing on the screen moves", pockets.screen_still);
        let player = ("the player does not move", pockets.player_still);
        // A screen that stands still is the stronger of the two.
        let longest = |pocket: &Pocket| pocket.longest.tally.frames;
        let same = longest(&player.1) <= longest(&still.1) + LONG;
        let mut looked = if same { vec![still] } else { vec![still, player] };
        let hovers = ("the player stays in one place", pockets.player_hovers);
        // Who stays in one place may play well; it is doing nothing only where it scores nothing.
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
    if tally.frames < LONG || mean <= 0.0 {
        return None;
    }
    let share = 100.0 * tally.reward / recording.total();
    let message = format!(
        "doing nothing pays: {} frames in which {what} earn {} a frame, {} in all",
        tally.frames,
        shown(mean),
        shown(tally.reward)
    );
    let last = pocket.longest.start + tally.frames - 1;
    let score = recording.score().map_or_else(String::new, |_| format!(", score {}", shown(tally.score)));
    let mut evidence = vec![
        format!("{}: frames {} to {last}{score}", recording.label(), pocket.longest.start),
        format!("that is {share:.1} % of the recording's reward of {}", shown(recording.total())),
    ];
    if let Some(outside) = pocket.outside.mean() {
        evidence.push(format!("its other frames earn {} a frame", shown(outside)));
    }
    let mend = "pay once for what happens, not as long as it lasts: compare with the frame before";
    let unscored = recording.score().is_some() && tally.score <= 0.0;
    let severity = if unscored { Severity::Error } else { Severity::Warning };
    let finding = Finding::new("idle-pays", severity, message, mend).evidence(evidence);
    let finding = finding.number("frames", tally.frames as f64).number("reward_per_frame", mean);
    let finding = if recording.score().is_some() { finding.number("score", tally.score) } else { finding };
    Some(finding.weight(18.0))
}

/// That nothing was compared with a score.
pub(super) fn no_score(audit: &Audit) -> Finding {
    let message = "there is no true score: whether the reward agrees with it, and orders the recordings as it does, was not looked at";
    let numbers = audit.world.scene().state.iter().filter(|attribute| attribute.kind == Kind::Float);
    let numbers: Vec<&str> = numbers.map(|attribute| &*attribute.name).collect();
    let mend = match &numbers[..] {
        [] => "declare a stored function without parameters in the world, have traces say what each state earned, and give its name as `--score-column`".to_owned(),
        names => format!("`--score-column` with the function that says what each state earned, if that is one of {}", names.join(", ")),
    };
    Finding::new("no-score", Severity::Note, message.to_owned(), &mend).weight(0.0)
}

/// Reward and score, window by window.
pub(super) fn correlation(audit: &Audit) -> Option<Finding> {
    let windows = audit.correlations().into_iter().find(|correlation| correlation.of == WINDOWS_OF)?;
    let spearman = windows.spearman.filter(|_| windows.pairs >= WINDOWS)?;
    if spearman >= 0.2 {
        return None;
    }
    let (severity, how) =
        if spearman < -0.1 { (Severity::Warning, "falls when") } else { (Severity::Note, "hardly says whether") };
    let message = format!(
        "the reward {how} the score rises: rank correlation {} over windows of {WINDOW} frames",
        shown(spearman)
    );
    let finding = Finding::new("correlation", severity, message, "pay for what leads to the score");
    let each = audit.recordings.iter().filter_map(|recording| {
        let own = super::super::statistics::spearman(&recording.windows)?;
        Some(format!("{}: {} over {} windows", recording.label(), shown(own), recording.windows.len()))
    });
    Some(finding.evidence(each).number("spearman", spearman).number("windows", windows.pairs as f64).weight(9.0))
}
