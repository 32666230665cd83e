//! Detection of rewards for the existence of objects, regardless of position and motion.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use goalspec_python_runtime::scene::SceneObject;
use goalspec_rewards::world::RewardWorld;

use super::sample::SampledFrame;
use super::screens::{Layout, SplitMix64, arrange, as_screen_world, empty_slot, screen_objects, with_objects};
use super::{CallReward, Prober, RewardSource, is_close};

/// The maximum number of recorded screens that are modified for each class.
const MAX_SCREENS: usize = 4;

/// The layouts of each screen.
const LAYOUTS: [Layout; 10] = [
    Layout::Recorded,
    Layout::Moving,
    Layout::Overlapping,
    Layout::Overlapping,
    Layout::Near,
    Layout::Near,
    Layout::Random,
    Layout::Random,
    Layout::Random,
    Layout::Random,
];

/// The minimum number of modified screens for a finding.
const MIN_PAIRS: usize = 8;

/// A reward paid in every frame for the existence of objects of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct PresenceReward {
    /// The class.
    pub class: Arc<str>,
    /// The part of the reward that pays.
    pub source: RewardSource,
    /// The reward per frame, for each object or for all of them together.
    pub reward: f64,
    /// Whether each object pays, rather than the presence of any number of them.
    pub is_per_object: bool,
    /// The number of screens compared with and without the object.
    pub screens: usize,
}

/// Searches for classes whose objects pay by existing. Omits the class of the first object: without it, nobody plays.
pub(super) fn find_presence_rewards(
    prober: &mut Prober,
    world: &RewardWorld,
    frames: &[&SampledFrame],
) -> Vec<PresenceReward> {
    let Some(world) = as_screen_world(world) else { return Vec::new() };
    let empty = empty_slot(world);
    let player = frames.iter().find_map(|frame| screen_objects(frame)?.first().filter(|first| first.visible));
    let player = player.map(|player| player.class);
    let present = frames.iter().filter_map(|frame| screen_objects(frame)).flatten().filter(|object| object.visible);
    let classes: BTreeSet<u16> = present.map(|object| object.class).filter(|class| Some(*class) != player).collect();
    let mut found: Vec<PresenceReward> = Vec::new();
    for class in classes {
        // Without the first object, most programs pay nothing.
        let plays = |frame: &SampledFrame| {
            screen_objects(frame).and_then(|all| all.first()).is_some_and(|player| player.visible)
        };
        let has = |frame: &&&SampledFrame| plays(frame) && count_visible(screen_objects(frame), class) > 0;
        let mut with_class: Vec<&SampledFrame> = frames.iter().filter(has).copied().collect();
        with_class.sort_by_key(|frame| std::cmp::Reverse(count_visible(screen_objects(frame), class)));
        with_class.truncate(MAX_SCREENS);
        for each in [true, false] {
            let pairs = reward_pairs(prober, &with_class, class, each, &empty);
            let name = &world.scene.screen_classes[usize::from(class)].name;
            let paid = constant_sources(&pairs)
                .into_iter()
                .filter(|(source, _)| !found.iter().any(|known| known.class == *name && known.source == *source));
            let paid = paid.map(|(source, reward)| PresenceReward {
                class: name.clone(),
                source,
                reward,
                is_per_object: each,
                screens: pairs.len(),
            });
            let paid: Vec<PresenceReward> = paid.collect();
            found.extend(paid);
        }
    }
    found
}

fn count_visible(objects: Option<&[SceneObject]>, class: u16) -> usize {
    objects.into_iter().flatten().filter(|object| object.visible && object.class == class).count()
}

/// Returns the rewards of screens with all objects, and without one or all objects of a class.
fn reward_pairs(
    prober: &mut Prober,
    frames: &[&SampledFrame],
    class: u16,
    each: bool,
    empty: &SceneObject,
) -> Vec<[CallReward; 2]> {
    let mut numbers = SplitMix64::new(u64::from(class));
    let mut pairs = Vec::new();
    for frame in frames {
        for layout in LAYOUTS {
            let Some(objects) = screen_objects(frame) else { continue };
            let whole = arrange(objects, layout, &mut numbers);
            let mut less = whole.clone();
            let of_class = less.iter_mut().filter(|object| object.visible && object.class == class);
            of_class.take(if each { 1 } else { usize::MAX }).for_each(|object| *object = empty.clone());
            let paid = [whole, less].map(|objects| prober.settled_reward(&with_objects(frame, objects)));
            if let [Some(whole), Some(less)] = paid
                // If the program returns early without the object, other parts are not paid either.
                && whole.return_start == less.return_start
            {
                pairs.push([whole, less]);
            }
        }
    }
    pairs
}

/// Returns the sources of the same positive amount in all comparisons. The total is omitted if a term or a component pays.
fn constant_sources(pairs: &[[CallReward; 2]]) -> Vec<(RewardSource, f64)> {
    // Parts that cancel out, such as the two sides of a difference, pay nothing.
    let more =
        pairs.iter().filter(|[whole, less]| whole.total > less.total && !is_close(whole.total, less.total)).count();
    if pairs.len() < MIN_PAIRS || 2 * more < pairs.len() {
        return Vec::new();
    }
    let sources: BTreeSet<RewardSource> =
        pairs.iter().flatten().flat_map(CallReward::contributions).map(|(source, _)| source).collect();
    let mut found = Vec::new();
    for source in sources {
        let apart: Vec<f64> =
            pairs.iter().map(|[whole, less]| whole.contribution(&source) - less.contribution(&source)).collect();
        let amount = match source {
            RewardSource::Total if !found.is_empty() => None,
            RewardSource::Total | RewardSource::Component(_) => majority_amount(&apart),
            RewardSource::Term(_) => apart.iter().all(|paid| is_close(*paid, apart[0])).then_some(apart[0]),
        };
        found.extend(amount.filter(|amount| *amount > 0.0 && !is_close(*amount, 0.0)).map(|amount| (source, amount)));
    }
    found
}

/// Returns the amount on which most comparisons agree, provided that none is zero: other parts of the reward change some of them.
fn majority_amount(apart: &[f64]) -> Option<f64> {
    if apart.iter().any(|paid| is_close(*paid, 0.0)) {
        return None;
    }
    let mut counts: BTreeMap<i64, (usize, f64)> = BTreeMap::new();
    for &paid in apart {
        let (count, _) = counts.entry((paid * 1e9).round() as i64).or_insert((0, paid));
        *count += 1;
    }
    let (count, paid) = counts.into_values().max_by_key(|(count, _)| *count)?;
    (10 * count >= 7 * apart.len()).then_some(paid)
}
