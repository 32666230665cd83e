//! Rewards for the value of a displayed score, and not for its changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::sample::SampledFrame;
use super::screens::{Layout, Numbers, is_score, lay_out, objects, screen, with, with_display};
use super::{Payer, Payment, Prober, same};
use crate::rewards::world::RewardWorld;

/// Values that a score is given.
const VALUES: [i32; 7] = [0, 1, 2, 3, 5, 8, 13];

/// Of the steps between them, so many have to change the reward.
const STEPS: usize = 4;

/// Most recorded screens that are changed.
const SCREENS: usize = 3;

/// A reward that every frame pays for the value of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelPay {
    /// The class that displays the score.
    pub class: Arc<str>,
    /// What pays.
    pub payer: Payer,
    /// Reward of a still screen at the first of the values.
    pub first: f64,
    /// Reward of the same screen at the last one.
    pub last: f64,
    /// The first and the last value.
    pub values: [i32; 2],
}

/// Looks for scores whose value is paid in every frame.
pub(super) fn levels(prober: &mut Prober<'_>, world: &RewardWorld, frames: &[&SampledFrame]) -> Vec<LevelPay> {
    let Some(world) = screen(world) else { return Vec::new() };
    let mut numbers = Numbers::new(11);
    let mut found: Vec<LevelPay> = Vec::new();
    for frame in frames.iter().step_by(frames.len().div_ceil(SCREENS).max(1)) {
        let Some(objects) = objects(frame) else { continue };
        let shown = with_display(world, &lay_out(objects, Layout::Recorded, &mut numbers));
        let scores: Vec<usize> = (0..shown.len()).filter(|&place| is_score(&world.scene, shown[place].class)).collect();
        for place in scores {
            let name = &world.scene.classes[usize::from(shown[place].class)].name;
            let paid: Vec<Payment> = VALUES
                .iter()
                .filter_map(|&value| {
                    let mut objects = shown.clone();
                    (objects[place].value, objects[place].previous_value) = (Some(value), Some(value));
                    prober.settled(&with(frame, objects))
                })
                .collect();
            for (payer, first, last) in rising(&paid) {
                if !found.iter().any(|known| known.class == *name && known.payer == payer) {
                    let values = [VALUES[0], VALUES[VALUES.len() - 1]];
                    found.push(LevelPay { class: name.clone(), payer, first, last, values });
                }
            }
        }
    }
    found
}

/// Who pays more with every value, or less, with what the first and the last one pay. What a part pays is not attributed to the total as well.
fn rising(paid: &[Payment]) -> Vec<(Payer, f64, f64)> {
    if paid.len() < VALUES.len() {
        return Vec::new();
    }
    // Parts that make up for each other, such as the two sides of a difference, pay for nothing.
    if paid.windows(2).all(|two| same(two[0].total, two[1].total)) {
        return Vec::new();
    }
    let payers: BTreeSet<Payer> = paid.iter().flat_map(Payment::parts).map(|(payer, _)| payer).collect();
    let mut found = Vec::new();
    for payer in payers {
        let rewards: Vec<f64> = paid.iter().map(|payment| payment.of(&payer)).collect();
        let steps = rewards.windows(2).filter(|two| !same(two[0], two[1]));
        let (rises, falls): (Vec<&[f64]>, Vec<&[f64]>) = steps.partition(|two| two[1] > two[0]);
        let one_way = rises.is_empty() != falls.is_empty();
        let again = payer == Payer::Total && !found.is_empty();
        if one_way && rises.len() + falls.len() >= STEPS && !again {
            found.push((payer, rewards[0], rewards[rewards.len() - 1]));
        }
    }
    found
}
