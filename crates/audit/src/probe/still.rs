//! Rewards of screens that stand still.

use goalspec_python_runtime::observe::CallPosition;

use super::Prober;
use super::sample::{Sample, SampledFrame};
use super::screens::at_rest;

/// The maximum number of screens.
const MAX_SCREENS: usize = 120;

/// The minimum number of screens with a reward.
const MIN_SCREENS: usize = 20;

/// The share of the screens that earn at least [`StillReward::reward`], as a divisor.
const SHARE_DIVISOR: usize = 10;

/// The rewards of recorded screens that stand still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StillReward {
    /// The reward per frame that a tenth of the screens earns at least.
    pub reward: f64,
    /// The maximum reward per frame.
    pub max: f64,
    /// The recorded frame with the maximum.
    pub frame: CallPosition,
    /// The number of screens.
    pub screens: usize,
}

/// Measures the rewards of screens of the recorded episodes; `None` if there are too few.
pub(super) fn measure_still_rewards(prober: &mut Prober, samples: &[Sample]) -> Option<StillReward> {
    let frames: Vec<&SampledFrame> = samples.iter().flat_map(Sample::episodes).flatten().collect();
    let step = frames.len().div_ceil(MAX_SCREENS).max(1);
    let mut rewards: Vec<(f64, CallPosition)> = Vec::new();
    for frame in frames.into_iter().step_by(step) {
        if let Some(reward) = prober.settled_reward(&at_rest(frame)) {
            rewards.push((reward.total, frame.moment));
        }
    }
    if rewards.len() < MIN_SCREENS || prober.is_exhausted {
        return None;
    }
    rewards.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (max, frame) = rewards[0];
    Some(StillReward { reward: rewards[rewards.len() / SHARE_DIVISOR].0, max, frame, screens: rewards.len() })
}
