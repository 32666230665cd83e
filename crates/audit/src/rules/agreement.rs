//! Rules about whether the reward orders recordings and episodes as the score does.

use goalspec_reward::terms::{Term, TermKind};
use goalspec_syntax::Severity;

use super::{MIN_FRAMES, is_discordant};
use crate::codes;
use crate::idle::{FrameGroup, RewardTotals};
use crate::statistics::{Correlation, PairAgreement};
use crate::{
    Audit, Finding, RankComparison, Recording, ReturnMeasure, ReturnSample, WINDOW_FRAMES, WINDOW_UNIT, format_number,
};

/// The minimum number of windows for a correlation.
const MIN_WINDOWS: usize = 10;

/// The minimum numbers of recordings and of episodes whose order is significant.
const MIN_RECORDINGS: usize = 3;
const MIN_EPISODES: usize = 10;

/// The maximum number of episodes that are searched for the worst pair.
const MAX_PAIRED_EPISODES: usize = 2000;

/// Returns the weight of a finding; lower if it rests on few recordings, so that findings about the program itself come first.
fn discount_weight(few: bool, weight: f64) -> f64 {
    if few { 4.0 + weight / 10.0 } else { weight }
}

fn has_few_recordings(audit: &Audit) -> bool {
    audit.recordings.len() < MIN_RECORDINGS
}

/// Returns findings about recordings or episodes that the reward orders differently from the score.
pub(super) fn against_score(audit: &Audit) -> Vec<Finding> {
    let (recordings, episodes) = (audit.compare_recordings(), audit.compare_episodes());
    let mut found = Vec::new();
    found.extend(rank_disagreement(audit, "recordings", &recordings, MIN_RECORDINGS, 15.0));
    // With one episode per recording, the comparison of episodes would repeat that of recordings.
    if episodes.samples.len() > recordings.samples.len() {
        found.extend(rank_disagreement(audit, "episodes", &episodes, MIN_EPISODES, 14.0));
    }
    found
}

fn rank_disagreement(
    audit: &Audit,
    items: &str,
    compared: &RankComparison,
    enough: usize,
    weight: f64,
) -> Option<Finding> {
    let agreement = PairAgreement::from_pairs(&compared.pairs());
    let few = compared.samples.len() < enough;
    // With few pairs, one or two discordant ones may be coincidental.
    if !is_discordant(agreement) || few && agreement.discordant <= agreement.concordant {
        return None;
    }
    let severity =
        if agreement.discordant >= agreement.concordant && !few { Severity::Error } else { Severity::Warning };
    let (by, discordant, untied) = (compared.measure.unit_name(), agreement.discordant, agreement.untied());
    let message = format!("the reward {by} prefers {items} with the lower score in {discordant} of {untied} pairs");
    let help = "find the term that is higher where the score is lower";
    let kendall = agreement.kendall().unwrap_or(0.0);
    let cut = audit.recordings.iter().find(|recording| recording.finished_episodes().next().is_none());
    let cut = cut.filter(|_| compared.measure == ReturnMeasure::Frame);
    let cut =
        cut.map(|recording| format!("{} has no finished episode, so means per frame are compared", recording.label));
    let finding = Finding::new(codes::AGAINST_SCORE, severity, message, help)
        .with_evidence([format!("Kendall's rank correlation (tau-b) of reward and score: {}", format_number(kendall))])
        .with_evidence(cut)
        .with_evidence(audit.recordings.iter().map(|recording| recording.describe_return(compared.measure)))
        .with_evidence(worst_pair(audit, compared))
        .with_number("discordant", discordant as f64)
        .with_number("concordant", agreement.concordant as f64)
        .with_number("kendall", kendall);
    Some(finding.with_weight(discount_weight(few, weight)))
}

/// Describes the discordant pair of episodes with the largest differences; `None` for recordings.
fn worst_pair(audit: &Audit, compared: &RankComparison) -> Option<String> {
    let earned = &compared.samples[..compared.samples.len().min(MAX_PAIRED_EPISODES)];
    let mut worst: Option<(f64, ReturnSample, ReturnSample)> = None;
    for (place, &one) in earned.iter().enumerate() {
        for &other in &earned[place + 1..] {
            let apart = (one.reward - other.reward) * (other.score - one.score);
            if apart > worst.map_or(0.0, |(max, ..)| max) {
                worst = Some(if one.reward > other.reward { (apart, one, other) } else { (apart, other, one) });
            }
        }
    }
    let (_, one, other) = worst?;
    let by = compared.measure.unit_name();
    let words = |earned: ReturnSample| {
        let label = &audit.recordings[earned.recording].label;
        let (reward, score) = (format_number(earned.reward), format_number(earned.score));
        Some(format!("episode {} of {label} (reward {reward} {by}, score {score} {by})", earned.episode?))
    };
    Some(format!("worst pair: {} and {}", words(one)?, words(other)?))
}

/// Returns findings about terms that order the recordings differently from the score, if the whole reward does.
pub(super) fn terms_against_score(audit: &Audit) -> Vec<Finding> {
    let compared = audit.compare_recordings();
    if !is_discordant(PairAgreement::from_pairs(&compared.pairs())) {
        return Vec::new();
    }
    // The effects of clamps and factors follow from the terms before them.
    let added = |term: &Term| !matches!(term.kind, TermKind::Clamp | TermKind::Update);
    let terms = audit.terms.terms.iter().enumerate().filter(|(_, term)| added(term));
    terms.filter_map(|(place, term)| term_against_score(audit, &compared, place, term)).collect()
}

fn term_against_score(audit: &Audit, compared: &RankComparison, place: usize, term: &Term) -> Option<Finding> {
    let measure = compared.measure;
    let came_to = |earned: &ReturnSample| audit.recordings[earned.recording].term_contribution(place, measure);
    let pairs: Vec<[f64; 2]> = compared.samples.iter().map(|earned| [came_to(earned), earned.score]).collect();
    let agreement = PairAgreement::from_pairs(&pairs);
    if agreement.discordant <= agreement.concordant {
        return None;
    }
    let (how, help) = if audit.statistics.terms[place].sum < 0.0 {
        (
            "is lowest where the score is highest",
            "check whether it penalises only what it is meant to penalise, or also what accompanies good play",
        )
    } else {
        ("is highest where the score is lowest", "check whether it rewards what it is meant to reward")
    };
    let message = format!("the term `{}` opposes the score: it {how}", term.name);
    let by = measure.unit_name();
    let evidence = compared.samples.iter().map(|earned| {
        let (sum, score) = (format_number(came_to(earned)), format_number(earned.score));
        format!("{}: sum {sum} {by}, score {score} {by}", audit.recordings[earned.recording].label)
    });
    let sums = pairs.iter().map(|pair| pair[0]);
    let spread = sums.clone().fold(f64::NEG_INFINITY, f64::max) - sums.fold(f64::INFINITY, f64::min);
    let finding = Finding::new(codes::TERM_AGAINST_SCORE, Severity::Warning, message, help).with_span(term.span);
    let weight = discount_weight(has_few_recordings(audit), 12.0 + spread.min(1.0));
    Some(finding.with_evidence(evidence).with_number("spread", spread).with_weight(weight))
}

/// The effect of a motion on the reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MotionEffect {
    Reward,
    Penalty,
}

/// A direction of motion that is more frequent, or less frequent, in better recordings.
struct Motion {
    effect: MotionEffect,
    /// The share of frames with the motion, for each recording.
    shares: Vec<f64>,
    totals: RewardTotals,
    mean_reward: f64,
    mean_other_reward: f64,
}

/// Returns findings about motions that the reward punishes although better recordings have more of them, or rewards although they have
/// fewer.
pub(super) fn motion_against_score(audit: &Audit) -> Vec<Finding> {
    let compared = audit.compare_recordings();
    if !is_discordant(PairAgreement::from_pairs(&compared.pairs())) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (name, opposite) in [("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")] {
        let Some(motion) = misaligned_motion(audit, &compared, name) else { continue };
        // If the opposite motion has the same effect, the reward depends on motion and not on its direction.
        let same =
            self::misaligned_motion(audit, &compared, opposite).is_some_and(|other| other.effect == motion.effect);
        let does_so = match motion.effect {
            MotionEffect::Reward => motion.mean_reward > 0.0,
            MotionEffect::Penalty => motion.mean_reward < 0.0,
        };
        if !same && does_so && motion.totals.rewarded_frames >= MIN_FRAMES {
            found.push(motion.finding(audit, &compared, name));
        }
    }
    found
}

fn misaligned_motion(audit: &Audit, compared: &RankComparison, name: &str) -> Option<Motion> {
    let group = |recording: &Recording| recording.idle.motions.get(name).copied().unwrap_or_default();
    let share = |recording: &Recording| {
        let FrameGroup { inside, outside, .. } = group(recording);
        inside.frames as f64 / (inside.frames + outside.frames).max(1) as f64
    };
    let (mut inside, mut outside) = (RewardTotals::default(), RewardTotals::default());
    for part in audit.recordings.iter().map(group) {
        inside.merge(&part.inside);
        outside.merge(&part.outside);
    }
    let (moving, others) = (inside.mean()?, outside.mean()?);
    let shares: Vec<f64> = audit.recordings.iter().map(share).collect();
    let pairs: Vec<[f64; 2]> = compared.samples.iter().map(|earned| [shares[earned.recording], earned.score]).collect();
    let PairAgreement { concordant, discordant, .. } = PairAgreement::from_pairs(&pairs);
    let stance = match (moving < others, moving > others) {
        (true, _) if concordant > discordant => MotionEffect::Penalty,
        (_, true) if discordant > concordant => MotionEffect::Reward,
        _ => return None,
    };
    Some(Motion { effect: stance, shares, totals: inside, mean_reward: moving, mean_other_reward: others })
}

impl Motion {
    fn finding(&self, audit: &Audit, compared: &RankComparison, name: &str) -> Finding {
        let (does, more) = match self.effect {
            MotionEffect::Penalty => ("penalises", "more frequent"),
            MotionEffect::Reward => ("favours", "less frequent"),
        };
        let (moving, others) = (format_number(self.mean_reward), format_number(self.mean_other_reward));
        let message = format!(
            "the reward {does} moving {name}, which is {more} in recordings with a higher score: mean reward {moving} \
             per frame, {others} in other frames"
        );
        let by = compared.measure.unit_name();
        let evidence = compared.samples.iter().map(|earned| {
            let (label, share) = (&audit.recordings[earned.recording].label, 100.0 * self.shares[earned.recording]);
            format!("{label}: moves {name} in {share:.1} % of frames, score {} {by}", format_number(earned.score))
        });
        let help = "check the direction: y grows downwards, x to the right";
        let finding = Finding::new(codes::MOTION_AGAINST_SCORE, Severity::Warning, message, help);
        let finding = finding
            .with_evidence(evidence)
            .with_number("moving", self.mean_reward)
            .with_number("others", self.mean_other_reward);
        finding.with_weight(discount_weight(
            has_few_recordings(audit),
            13.0 + (self.mean_reward - self.mean_other_reward).abs().min(1.0),
        ))
    }
}

/// Reports a weak correlation of reward and score over windows.
pub(super) fn correlation(audit: &Audit) -> Option<Finding> {
    let windows: Correlation = audit.correlations().into_iter().find(|correlation| correlation.unit == WINDOW_UNIT)?;
    let spearman = windows.spearman.filter(|_| windows.pairs >= MIN_WINDOWS)?;
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
        "the reward {how} the score rises: Spearman's rank correlation {} over {} windows of {WINDOW_FRAMES} frames",
        format_number(spearman),
        windows.pairs
    );
    let finding = Finding::new(codes::CORRELATION, severity, message, "reward progress towards the events that score");
    let each = audit.recordings.iter().filter_map(|recording| {
        let own = crate::statistics::spearman(&recording.window_means)?;
        Some(format!("{}: {} over {} windows", recording.label, format_number(own), recording.window_means.len()))
    });
    let weight = discount_weight(has_few_recordings(audit), 9.0);
    Some(
        finding
            .with_evidence(each)
            .with_number("spearman", spearman)
            .with_number("windows", windows.pairs as f64)
            .with_weight(weight),
    )
}
