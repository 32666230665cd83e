//! Detection of rewards that change while the screen does not.

use goalspec_python_runtime::observe::CallPosition;
use goalspec_rewards::world::RewardWorld;

use super::sample::SampledFrame;
use super::screens::{
    Layout, SplitMix64, arrange, as_screen_world, at_rest, empty_slot, is_score, screen_objects, with_objects,
    with_score_objects,
};
use super::{MAX_WORK, Prober, is_close};

/// The number of frames after which a reward that still changes is observed for longer.
const SCREENING_FRAMES: usize = 64;

/// The maximum number of frames for which a screen is held still: longer than any episode of a game, which ends after 27,000.
const MAX_FRAMES: usize = 32_768;

/// The minimum number of frames for which a screen is held still before its reward is reported as growing.
const MIN_FRAMES: usize = 4096;

/// The maximum units of work of all still screens together beyond [`MIN_FRAMES`] frames.
const MAX_GROWTH_WORK: u64 = MAX_WORK / 4;

/// The maximum number of screens that are held still.
const MAX_SCREENS: usize = 6;

/// The number of times that an episode is interrupted by a still screen.
const MAX_PAUSES: usize = 24;

/// The number of frames before a still screen is read again: rewards that depend only on time have changed by then.
const DRIFT_FRAMES: usize = 6;

/// The number of generated screens between two interruptions.
const ROUND_FRAMES: usize = 6;

/// A reward that keeps growing, or falling, while a screen stands still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RewardGrowth {
    /// The recorded frame whose screen was shown.
    pub moment: CallPosition,
    /// The reward of the first frame.
    pub first: f64,
    /// The reward of the last frame.
    pub last: f64,
    /// The number of frames.
    pub frames: usize,
}

/// A reward of a still screen that rises, or falls, with earlier events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryDependence {
    /// The recorded frame whose screen was held still last.
    pub moment: CallPosition,
    /// Its reward without earlier play.
    pub reward_alone: f64,
    /// Its reward after the earlier play.
    pub reward_after: f64,
    /// The number of times that the difference between the two had changed, always in one direction.
    pub changes: usize,
    /// Whether the earlier play was recorded, rather than generated.
    pub is_recorded: bool,
}

/// Searches for a screen whose reward grows for longer than an episode lasts, or for as long as the budget allows.
pub(super) fn find_growth(prober: &mut Prober, frames: &[&SampledFrame]) -> Option<RewardGrowth> {
    evenly_spaced(frames, MAX_SCREENS).find_map(|frame| measure_growth(prober, frame))
}

/// Returns up to `count` of the frames, spread evenly.
fn evenly_spaced<'f>(frames: &[&'f SampledFrame], count: usize) -> impl Iterator<Item = &'f SampledFrame> {
    let step = frames.len().div_ceil(count).max(1);
    frames.iter().step_by(step).copied()
}

fn measure_growth(prober: &mut Prober, frame: &SampledFrame) -> Option<RewardGrowth> {
    let still = at_rest(frame);
    prober.reset().then_some(())?;
    let mut rewards = Vec::with_capacity(SCREENING_FRAMES);
    for _ in 0..SCREENING_FRAMES {
        rewards.push(prober.call(&still)?.total);
    }
    // Rewards for changes end within the first frames.
    let later = &rewards[SCREENING_FRAMES / 4..];
    let rises = later.windows(2).any(|two| two[1] > two[0]);
    let falls = later.windows(2).any(|two| two[1] < two[0]);
    if rises == falls || is_close(rewards[SCREENING_FRAMES / 2], rewards[SCREENING_FRAMES - 1]) {
        return None;
    }
    while rewards.len() < MIN_FRAMES || rewards.len() < MAX_FRAMES && prober.work_spent < MAX_GROWTH_WORK {
        rewards.push(prober.call(&still)?.total);
    }
    let frames = rewards.len();
    is_sustained(&rewards).then_some(RewardGrowth {
        moment: frame.moment,
        first: rewards[0],
        last: rewards[frames - 1],
        frames,
    })
}

/// Whether rewards change in their last quarter as in their second one, up to the end: a reward that stopped changing within the last
/// sixteenth does not go on.
fn is_sustained(rewards: &[f64]) -> bool {
    let sixteenths = |count: usize| rewards[rewards.len() * count / 16 - 1];
    let early = sixteenths(8) - sixteenths(4);
    let late = sixteenths(16) - sixteenths(12);
    let at_last = sixteenths(16) - sixteenths(15);
    let is_like = |change: f64, expected: f64| change * expected > 0.0 && change.abs() >= 0.9 * expected.abs();
    is_like(late, early) && is_like(at_last, early / 4.0)
}

/// Searches for play after which still screens pay more, or less, than without it: first in the recorded episodes, then in generated ones.
pub(super) fn find_history_dependence(
    prober: &mut Prober,
    fresh: &mut Prober,
    world: &RewardWorld,
    frames: &[&SampledFrame],
    episodes: &[&[SampledFrame]],
) -> Option<HistoryDependence> {
    for episode in episodes {
        let every = episode.len().div_ceil(MAX_PAUSES).max(5);
        let rounds = episode.chunks(every);
        if let Some(found) = measure_history_dependence(prober, fresh, rounds.map(<[SampledFrame]>::to_vec), 2) {
            return Some(HistoryDependence { is_recorded: true, ..found });
        }
    }
    let made_up = generate_rounds(world, frames)?;
    measure_history_dependence(prober, fresh, made_up.into_iter(), 3)
        .map(|found| HistoryDependence { is_recorded: false, ..found })
}

/// Plays the rounds, and holds the last screen of each still.
fn measure_history_dependence(
    prober: &mut Prober,
    fresh: &mut Prober,
    rounds: impl Iterator<Item = Vec<SampledFrame>>,
    enough: usize,
) -> Option<HistoryDependence> {
    prober.reset().then_some(())?;
    prober.begin_episode();
    let mut found: Vec<(CallPosition, f64, f64)> = Vec::new();
    let mut stays = true;
    for round in rounds {
        for frame in &round {
            // A frame that raises an exception rarely changes the program's state.
            let _ = prober.call(frame);
        }
        let Some(last) = round.last() else { continue };
        let still = at_rest(last);
        let (Some(after), Some(alone)) = (prober.held_reward(&still), fresh.settled_reward(&still)) else { continue };
        found.push((last.moment, alone.total, after.total));
        let later = (0..DRIFT_FRAMES).filter_map(|_| prober.call(&still)).last();
        stays &= later.is_some_and(|later| is_close(later.total, after.total));
    }
    if prober.is_exhausted || fresh.is_exhausted {
        return None;
    }
    let apart: Vec<f64> = [0.0].into_iter().chain(found.iter().map(|(_, alone, after)| after - alone)).collect();
    let differ = |two: &[f64]| !is_close(two[0], two[1]);
    let changes = apart.windows(2).filter(|two| differ(two)).count();
    let rises = apart.windows(2).any(|two| differ(two) && two[1] > two[0]);
    let falls = apart.windows(2).any(|two| differ(two) && two[1] < two[0]);
    let (last, middle) = (apart[apart.len() - 1], apart[apart.len() / 2]);
    // Rewards that change with time alone, such as a decaying weight, converge.
    let goes_on = stays || (last - middle).abs() >= 0.2 * last.abs();
    let &(position, alone, after) = found.last()?;
    let grows = rises != falls && changes >= enough && goes_on;
    grows.then_some(HistoryDependence {
        moment: position,
        reward_alone: alone,
        reward_after: after,
        changes,
        is_recorded: false,
    })
}

/// Generates rounds of eventful play: objects at random positions, absent at times, and rising scores.
fn generate_rounds(world: &RewardWorld, frames: &[&SampledFrame]) -> Option<Vec<Vec<SampledFrame>>> {
    let world = as_screen_world(world)?;
    let empty = empty_slot(world);
    let mut numbers = SplitMix64::new(7);
    // Without the first object, the player, most programs pay nothing.
    let played =
        |frame: &&&SampledFrame| screen_objects(frame).and_then(<[_]>::first).is_some_and(|first| first.visible);
    let frames: Vec<&SampledFrame> = frames.iter().filter(played).copied().collect();
    let layouts = [Layout::Random, Layout::Near, Layout::Overlapping];
    let mut rounds = Vec::with_capacity(MAX_PAUSES);
    for score in (0..).take(MAX_PAUSES) {
        let mut round = Vec::with_capacity(ROUND_FRAMES);
        for step in 0..ROUND_FRAMES {
            let frame = frames.get(numbers.below(frames.len().max(1) as u64) as usize)?;
            let mut objects = arrange(screen_objects(frame)?, layouts[numbers.below(3) as usize], &mut numbers);
            // The last screen, which is held still, has all objects; the first object is always present.
            for object in objects.iter_mut().skip(1) {
                if step + 1 < ROUND_FRAMES && numbers.below(4) == 0 {
                    *object = empty.clone();
                }
            }
            let mut objects = with_score_objects(world, &objects);
            for object in objects.iter_mut().filter(|object| is_score(&world.scene, object.class)) {
                object.value = Some(score);
                object.previous_value = Some((score - i32::from(step == 0)).max(0));
            }
            round.push(with_objects(frame, objects));
        }
        rounds.push(round);
    }
    Some(rounds)
}
