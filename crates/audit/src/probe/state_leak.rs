//! Detection of state that survives the end of its episode: compares an episode played alone with the same episode played after another
//! one.

use goalspec_python_runtime::observe::CallPosition;

use super::sample::{Sample, SampledFrame};
use super::{MAX_WORK, Prober, is_close};

/// Rewards of an episode that depend on the one before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateLeak {
    /// The frame before which the first episode ended.
    pub previous_end: CallPosition,
    /// The first frame whose reward differs.
    pub first_difference: CallPosition,
    /// Its reward if the episode is played alone; `None` if it has none.
    pub reward_alone: Option<f64>,
    /// Its reward after the other episode; `None` if it has none.
    pub reward_after: Option<f64>,
    /// The number of frames with different rewards.
    pub differing_frames: usize,
    /// The number of frames of the episode that were played.
    pub frames: usize,
    /// The sums of the episode's rewards, alone and after the other episode.
    pub totals: [f64; 2],
}

/// The maximum number of frames of the second episode of a pair.
const MAX_FRAMES: usize = 300;

/// Plays pairs of episodes, alone and in sequence. A single episode is paired with itself.
pub(super) fn find_state_leak<'e>(prober: &mut Prober, episodes: &[&'e [SampledFrame]]) -> Option<StateLeak> {
    let mut pairs: Vec<[&'e [SampledFrame]; 2]> = episodes.windows(2).map(|two| [two[0], two[1]]).collect();
    pairs.extend(episodes.first().zip(episodes.last()).map(|(first, last)| [*last, *first]));
    // An episode may end with any frame.
    let cut = |[before, episode]: [&'e [SampledFrame]; 2]| {
        let ends = [before.len(), before.len() / 2, before.len() / 3];
        ends.into_iter().filter(|end| *end > 0).map(move |end| [&before[..end], episode])
    };
    let found = pairs.into_iter().flat_map(cut).filter_map(|pair| compare_pair(prober, pair));
    found.max_by_key(|leak| leak.differing_frames)
}

/// The maximum units of work of the recordings whose episodes are played in order: about two seconds.
const MAX_LATE_WORK: u64 = MAX_WORK / 2;

/// Plays all episodes of each recording without a reset between them, and each of them alone, for state whose effects need many frames or
/// several episodes, such as a counter.
pub(super) fn find_late_state_leak(prober: &mut Prober, samples: &[Sample]) -> Option<StateLeak> {
    let end = prober.work_spent.saturating_add(MAX_LATE_WORK);
    samples.iter().find_map(|sample| {
        let episodes: Vec<&[SampledFrame]> = sample.episodes().collect();
        compare_in_order(prober, &episodes, end)
    })
}

/// Compares episodes played alone with the same episodes played in order, until the prober has spent `end` units of work.
fn compare_in_order(prober: &mut Prober, episodes: &[&[SampledFrame]], end: u64) -> Option<StateLeak> {
    if episodes.len() < 2 {
        return None;
    }
    prober.reset().then_some(())?;
    // Half of the work is left for the episodes that are played alone.
    let half = prober.work_spent + end.saturating_sub(prober.work_spent) / 2;
    let mut in_order = Vec::with_capacity(episodes.len());
    for episode in episodes {
        prober.begin_episode();
        in_order.push(play_until(prober, episode, half));
    }
    for (place, episode) in episodes.iter().enumerate().skip(1) {
        prober.reset().then_some(())?;
        let alone = play_until(prober, episode, end);
        let found = difference(episodes[place - 1], episode, &alone, &in_order[place]);
        if prober.is_exhausted || found.is_some() {
            return found.filter(|_| !prober.is_exhausted);
        }
    }
    None
}

/// Plays an episode until the prober has spent `end` units of work.
fn play_until(prober: &mut Prober, episode: &[SampledFrame], end: u64) -> Vec<Option<f64>> {
    let mut rewards = Vec::with_capacity(episode.len());
    for frame in episode {
        if prober.work_spent >= end {
            break;
        }
        rewards.push(prober.call(frame).map(|payment| payment.total));
    }
    rewards
}

fn compare_pair(prober: &mut Prober, [before, episode]: [&[SampledFrame]; 2]) -> Option<StateLeak> {
    let episode = &episode[..episode.len().min(MAX_FRAMES)];
    prober.reset().then_some(())?;
    let alone = play_episode(prober, episode);
    prober.reset().then_some(())?;
    play_episode(prober, before);
    prober.begin_episode();
    let in_order = play_episode(prober, episode);
    if prober.is_exhausted {
        return None;
    }
    difference(before, episode, &alone, &in_order)
}

/// Compares the rewards of an episode played alone with those after another episode; `None` if they are equal. Either may end early.
fn difference(
    before: &[SampledFrame],
    episode: &[SampledFrame],
    alone: &[Option<f64>],
    in_order: &[Option<f64>],
) -> Option<StateLeak> {
    let frames = alone.len().min(in_order.len());
    let (alone, in_order) = (&alone[..frames], &in_order[..frames]);
    let apart = |(one, other): (&Option<f64>, &Option<f64>)| match (one, other) {
        (Some(one), Some(other)) => !is_close(*one, *other),
        (one, other) => one.is_some() != other.is_some(),
    };
    let differing = alone.iter().zip(in_order).filter(|pair| apart(*pair)).count();
    let first = alone.iter().zip(in_order).position(apart)?;
    let total = |rewards: &[Option<f64>]| rewards.iter().flatten().sum();
    Some(StateLeak {
        previous_end: before.last()?.moment,
        first_difference: episode[first].moment,
        reward_alone: alone[first],
        reward_after: in_order[first],
        differing_frames: differing,
        frames,
        totals: [total(alone), total(in_order)],
    })
}

fn play_episode(prober: &mut Prober, episode: &[SampledFrame]) -> Vec<Option<f64>> {
    episode.iter().map(|frame| prober.call(frame).map(|payment| payment.total)).collect()
}
