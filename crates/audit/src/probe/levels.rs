//! Detection of rewards for the value of a displayed score instead of its changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use goalspec_rewards::world::RewardWorld;

use super::sample::SampledFrame;
use super::screens::{
    Layout, SplitMix64, arrange, as_screen_world, is_score, screen_objects, with_objects, with_score_objects,
};
use super::{CallReward, Prober, RewardSource, is_close};

/// The values assigned to a score.
const SCORE_VALUES: [i32; 7] = [0, 1, 2, 3, 5, 8, 13];

/// The minimum number of steps between them that must change the reward.
const MIN_REWARD_CHANGES: usize = 4;

/// The maximum number of recorded screens that are modified.
const MAX_SCREENS: usize = 3;

/// A reward paid in every frame for the value of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelReward {
    /// The class that displays the score.
    pub class: Arc<str>,
    /// The part of the reward that pays.
    pub source: RewardSource,
    /// The reward of a still screen at the first value.
    pub first: f64,
    /// The reward of the same screen at the last value.
    pub last: f64,
    /// The first and the last value.
    pub values: [i32; 2],
}

/// Searches for scores whose value is paid in every frame.
pub(super) fn find_level_rewards(
    prober: &mut Prober,
    world: &RewardWorld,
    frames: &[&SampledFrame],
) -> Vec<LevelReward> {
    let Some(world) = as_screen_world(world) else { return Vec::new() };
    let mut numbers = SplitMix64::new(11);
    let mut found: Vec<LevelReward> = Vec::new();
    for frame in frames.iter().step_by(frames.len().div_ceil(MAX_SCREENS).max(1)) {
        let Some(objects) = screen_objects(frame) else { continue };
        let displayed = with_score_objects(world, &arrange(objects, Layout::Recorded, &mut numbers));
        let scores: Vec<usize> =
            (0..displayed.len()).filter(|&place| is_score(&world.scene, displayed[place].class)).collect();
        for place in scores {
            let name = &world.scene.screen_classes[usize::from(displayed[place].class)].name;
            let paid: Vec<CallReward> = SCORE_VALUES
                .iter()
                .filter_map(|&value| {
                    let mut objects = displayed.clone();
                    (objects[place].value, objects[place].previous_value) = (Some(value), Some(value));
                    prober.settled_reward(&with_objects(frame, objects))
                })
                .collect();
            for (source, first, last) in monotonic_sources(&paid) {
                if !found.iter().any(|known| known.class == *name && known.source == source) {
                    let values = [SCORE_VALUES[0], SCORE_VALUES[SCORE_VALUES.len() - 1]];
                    found.push(LevelReward { class: name.clone(), source, first, last, values });
                }
            }
        }
    }
    found
}

/// Returns the sources that are monotonic in the value, with their payments at the first and the last value. The total is omitted if a part
/// pays.
fn monotonic_sources(paid: &[CallReward]) -> Vec<(RewardSource, f64, f64)> {
    if paid.len() < SCORE_VALUES.len() {
        return Vec::new();
    }
    // Parts that cancel out, such as the two sides of a difference, pay nothing.
    if paid.windows(2).all(|two| is_close(two[0].total, two[1].total)) {
        return Vec::new();
    }
    let sources: BTreeSet<RewardSource> =
        paid.iter().flat_map(CallReward::contributions).map(|(source, _)| source).collect();
    let mut found = Vec::new();
    for source in sources {
        let rewards: Vec<f64> = paid.iter().map(|payment| payment.contribution(&source)).collect();
        let steps = rewards.windows(2).filter(|two| !is_close(two[0], two[1]));
        let (rises, falls): (Vec<&[f64]>, Vec<&[f64]>) = steps.partition(|two| two[1] > two[0]);
        let one_way = rises.is_empty() != falls.is_empty();
        let again = source == RewardSource::Total && !found.is_empty();
        if one_way && rises.len() + falls.len() >= MIN_REWARD_CHANGES && !again {
            found.push((source, rewards[0], rewards[rewards.len() - 1]));
        }
    }
    found
}
