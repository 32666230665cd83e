//! Rules about whether the reward orders recordings and episodes as the score does.

use goalspec_reward::terms::{Term, TermKind};
use goalspec_syntax::Severity;

use super::super::codes;
use super::super::pockets::{Pocket, Tally};
use super::super::statistics::{Agreement, Correlation};
use super::super::{Audit, Comparison, Earned, Finding, Measure, Recording, WINDOW, WINDOWS_OF, shown};
use super::{LONG, is_against};

/// The minimum number of windows for a correlation.
const WINDOWS: usize = 10;

/// The minimum numbers of recordings and of episodes whose order is significant.
const RECORDINGS: usize = 3;
const EPISODES: usize = 10;

/// The maximum number of episodes that are searched for the worst pair.
const MAX_PAIRED: usize = 2000;

/// Returns the weight of a finding; lower if it rests on few recordings, so that findings about the program itself come first.
fn of_few(few: bool, weight: f64) -> f64 {
    if few { 4.0 + weight / 10.0 } else { weight }
}

fn are_few(audit: &Audit) -> bool {
    audit.recordings.len() < RECORDINGS
}

/// Returns findings about recordings or episodes that the reward orders differently from the score.
pub(super) fn against_score(audit: &Audit) -> Vec<Finding> {
    let (recordings, episodes) = (audit.by_recording(), audit.by_episode());
    let mut found = Vec::new();
    found.extend(orders(audit, "recordings", &recordings, RECORDINGS, 15.0));
    // With one episode per recording, the comparison of episodes would repeat that of recordings.
    if episodes.earned.len() > recordings.earned.len() {
        found.extend(orders(audit, "episodes", &episodes, EPISODES, 14.0));
    }
    found
}

fn orders(audit: &Audit, what: &str, compared: &Comparison, enough: usize, weight: f64) -> Option<Finding> {
    let agreement = Agreement::of(&compared.pairs());
    let few = compared.earned.len() < enough;
    // With few pairs, one or two discordant ones may be coincidental.
    if !is_against(agreement) || few && agreement.discordant <= agreement.concordant {
        return None;
    }
    let severity =
        if agreement.discordant >= agreement.concordant && !few { Severity::Error } else { Severity::Warning };
    let (by, discordant, told) = (compared.measure.words(), agreement.discordant, agreement.told());
    let message = format!("the reward {by} prefers {what} with the lower score in {discordant} of {told} pairs");
    let mend = "find the term that is higher where the score is lower";
    let kendall = agreement.kendall().unwrap_or(0.0);
    let cut = audit.recordings.iter().find(|recording| recording.finished().next().is_none());
    let cut = cut.filter(|_| compared.measure == Measure::Frame);
    let cut =
        cut.map(|recording| format!("{} has no finished episode, so means per frame are compared", recording.label));
    let finding = Finding::new(codes::AGAINST_SCORE, severity, message, mend)
        .evidence([format!("Kendall's rank correlation (tau-b) of reward and score: {}", shown(kendall))])
        .evidence(cut)
        .evidence(audit.recordings.iter().map(|recording| recording.in_words(compared.measure)))
        .evidence(worst_pair(audit, compared))
        .number("discordant", discordant as f64)
        .number("concordant", agreement.concordant as f64)
        .number("kendall", kendall);
    Some(finding.weight(of_few(few, weight)))
}

/// Describes the discordant pair of episodes with the largest differences; `None` for recordings.
fn worst_pair(audit: &Audit, compared: &Comparison) -> Option<String> {
    let earned = &compared.earned[..compared.earned.len().min(MAX_PAIRED)];
    let mut worst: Option<(f64, Earned, Earned)> = None;
    for (place, &one) in earned.iter().enumerate() {
        for &other in &earned[place + 1..] {
            let apart = (one.reward - other.reward) * (other.score - one.score);
            if apart > worst.map_or(0.0, |(most, ..)| most) {
                worst = Some(if one.reward > other.reward { (apart, one, other) } else { (apart, other, one) });
            }
        }
    }
    let (_, one, other) = worst?;
    let by = compared.measure.words();
    let words = |earned: Earned| {
        let label = &audit.recordings[earned.recording].label;
        let (reward, score) = (shown(earned.reward), shown(earned.score));
        Some(format!("episode {} of {label} (reward {reward} {by}, score {score} {by})", earned.episode?))
    };
    Some(format!("worst pair: {} and {}", words(one)?, words(other)?))
}

/// Returns findings about terms that order the recordings differently from the score, if the whole reward does.
pub(super) fn terms_against_score(audit: &Audit) -> Vec<Finding> {
    let compared = audit.by_recording();
    if !is_against(Agreement::of(&compared.pairs())) {
        return Vec::new();
    }
    // The effects of clamps and factors follow from the terms before them.
    let added = |term: &Term| !matches!(term.kind, TermKind::Clamp | TermKind::Changed);
    let terms = audit.terms.list.iter().enumerate().filter(|(_, term)| added(term));
    terms.filter_map(|(place, term)| term_against_score(audit, &compared, place, term)).collect()
}

fn term_against_score(audit: &Audit, compared: &Comparison, place: usize, term: &Term) -> Option<Finding> {
    let measure = compared.measure;
    let came_to = |earned: &Earned| audit.recordings[earned.recording].term(place, measure);
    let pairs: Vec<[f64; 2]> = compared.earned.iter().map(|earned| [came_to(earned), earned.score]).collect();
    let agreement = Agreement::of(&pairs);
    if agreement.discordant <= agreement.concordant {
        return None;
    }
    let (how, mend) = if audit.seen.terms[place].sum < 0.0 {
        (
            "is lowest where the score is highest",
            "check whether it penalises only what it is meant to penalise, or also what accompanies good play",
        )
    } else {
        ("is highest where the score is lowest", "check whether it rewards what it is meant to reward")
    };
    let message = format!("the term `{}` opposes the score: it {how}", term.name);
    let by = measure.words();
    let evidence = compared.earned.iter().map(|earned| {
        let (sum, score) = (shown(came_to(earned)), shown(earned.score));
        format!("{}: sum {sum} {by}, score {score} {by}", audit.recordings[earned.recording].label)
    });
    let sums = pairs.iter().map(|pair| pair[0]);
    let spread = sums.clone().fold(f64::NEG_INFINITY, f64::max) - sums.fold(f64::INFINITY, f64::min);
    let finding = Finding::new(codes::TERM_AGAINST_SCORE, Severity::Warning, message, mend).at(term.span);
    let weight = of_few(are_few(audit), 12.0 + spread.min(1.0));
    Some(finding.evidence(evidence).number("spread", spread).weight(weight))
}

/// The effect of a motion on the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stance {
    Pays,
    Penalises,
}

/// A direction of motion that is more frequent, or less frequent, in better recordings.
struct Motion {
    stance: Stance,
    /// The share of frames with the motion, for each recording.
    shares: Vec<f64>,
    inside: Tally,
    moving: f64,
    others: f64,
}

/// Returns findings about motions that the reward punishes although better recordings have more of them, or rewards although they have
/// fewer.
pub(super) fn motion_against_score(audit: &Audit) -> Vec<Finding> {
    let compared = audit.by_recording();
    if !is_against(Agreement::of(&compared.pairs())) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (name, opposite) in [("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")] {
        let Some(motion) = motion(audit, &compared, name) else { continue };
        // If the opposite motion has the same effect, the reward depends on motion and not on its direction.
        let same = self::motion(audit, &compared, opposite).is_some_and(|other| other.stance == motion.stance);
        let does_so = match motion.stance {
            Stance::Pays => motion.moving > 0.0,
            Stance::Penalises => motion.moving < 0.0,
        };
        if !same && does_so && motion.inside.rewarded >= LONG {
            found.push(motion.report(audit, &compared, name));
        }
    }
    found
}

fn motion(audit: &Audit, compared: &Comparison, name: &str) -> Option<Motion> {
    let pocket = |recording: &Recording| recording.pockets.motions.get(name).copied().unwrap_or_default();
    let share = |recording: &Recording| {
        let Pocket { inside, outside, .. } = pocket(recording);
        inside.frames as f64 / (inside.frames + outside.frames).max(1) as f64
    };
    let (mut inside, mut outside) = (Tally::default(), Tally::default());
    for part in audit.recordings.iter().map(pocket) {
        inside.merge(&part.inside);
        outside.merge(&part.outside);
    }
    let (moving, others) = (inside.mean()?, outside.mean()?);
    let shares: Vec<f64> = audit.recordings.iter().map(share).collect();
    let pairs: Vec<[f64; 2]> = compared.earned.iter().map(|earned| [shares[earned.recording], earned.score]).collect();
    let Agreement { concordant, discordant, .. } = Agreement::of(&pairs);
    let stance = match (moving < others, moving > others) {
        (true, _) if concordant > discordant => Stance::Penalises,
        (_, true) if discordant > concordant => Stance::Pays,
        _ => return None,
    };
    Some(Motion { stance, shares, inside, moving, others })
}

impl Motion {
    fn report(&self, audit: &Audit, compared: &Comparison, name: &str) -> Finding {
        let (does, more) = match self.stance {
            Stance::Penalises => ("penalises", "more frequent"),
            Stance::Pays => ("favours", "less frequent"),
        };
        let (moving, others) = (shown(self.moving), shown(self.others));
        let message = format!(
            "the reward {does} moving {name}, which is {more} in recordings with a higher score: mean reward {moving} \
             per frame, {others} in other frames"
        );
        let by = compared.measure.words();
        let evidence = compared.earned.iter().map(|earned| {
            let (label, share) = (&audit.recordings[earned.recording].label, 100.0 * self.shares[earned.recording]);
            format!("{label}: moves {name} in {share:.1} % of frames, score {} {by}", shown(earned.score))
        });
        let mend = "check the direction: y grows downwards, x to the right";
        let finding = Finding::new(codes::MOTION_AGAINST_SCORE, Severity::Warning, message, mend);
        let finding = finding.evidence(evidence).number("moving", self.moving).number("others", self.others);
        finding.weight(of_few(are_few(audit), 13.0 + (self.moving - self.others).abs().min(1.0)))
    }
}

/// Reports a weak correlation of reward and score over windows.
pub(super) fn correlation(audit: &Audit) -> Option<Finding> {
    let windows: Correlation = audit.correlations().into_iter().find(|correlation| correlation.of == WINDOWS_OF)?;
    let spearman = windows.spearman.filter(|_| windows.pairs >= WINDOWS)?;
    if spearman >= 0.2 {
        return None;
    }
    let (severity, how) = if spearman < -0.1 {
        (Severity::Warning, "decreases when")
    } else {
        (
            Severity::Note,
            "is hardly correlated with \
            whether",
        )
    };
    let message = format!(
        "the reward {how} the score rises: Spearman's rank correlation {} over {} windows of {WINDOW} frames",
        shown(spearman),
        windows.pairs
    );
    let finding = Finding::new(codes::CORRELATION, severity, message, "reward progress towards the events that score");
    let each = audit.recordings.iter().filter_map(|recording| {
        let own = super::super::statistics::spearman(&recording.windows)?;
        Some(format!("{}: {} over {} windows", recording.label, shown(own), recording.windows.len()))
    });
    let weight = of_few(are_few(audit), 9.0);
    Some(finding.evidence(each).number("spearman", spearman).number("windows", windows.pairs as f64).weight(weight))
}
