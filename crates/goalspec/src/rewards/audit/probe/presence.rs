//! Detection of rewards for the existence of objects, regardless of position and motion.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use goalspec_reward::scene::SceneObject;

use super::sample::SampledFrame;
use super::screens::{Layout, Numbers, lay_out, nothing, objects, screen, with};
use super::{Payer, Payment, Prober, same};
use crate::rewards::world::RewardWorld;

/// The maximum number of recorded screens that are modified for each class.
const SCREENS: usize = 4;

/// The layouts of each screen.
const LAYOUTS: [Layout; 10] = [
    Layout::Recorded,
    Layout::Moving,
    Layout::Together,
    Layout::Together,
    Layout::Near,
    Layout::Near,
    Layout::Anywhere,
    Layout::Anywhere,
    Layout::Anywhere,
    Layout::Anywhere,
];

/// The minimum number of modified screens for a finding.
const ENOUGH: usize = 8;

/// A reward paid in every frame for the existence of objects of a class.
#[derive(Debug, Clone, PartialEq)]
pub struct PresencePay {
    /// The class.
    pub class: Arc<str>,
    /// The part of the reward that pays.
    pub payer: Payer,
    /// The reward per frame, for each object or for all of them together.
    pub reward: f64,
    /// Whether each object pays, rather than the presence of any number of them.
    pub each: bool,
    /// The number of screens compared with and without the object.
    pub screens: usize,
}

/// Searches for classes whose objects pay by existing. Omits the class of the first object: without it, nobody plays.
pub(super) fn presence(prober: &mut Prober<'_>, world: &RewardWorld, frames: &[&SampledFrame]) -> Vec<PresencePay> {
    let Some(world) = screen(world) else { return Vec::new() };
    let empty = nothing(world);
    let player = frames.iter().find_map(|frame| objects(frame)?.first().filter(|first| first.visible));
    let player = player.map(|player| player.class);
    let present = frames.iter().filter_map(|frame| objects(frame)).flatten().filter(|object| object.visible);
    let classes: BTreeSet<u16> = present.map(|object| object.class).filter(|class| Some(*class) != player).collect();
    let mut found: Vec<PresencePay> = Vec::new();
    for class in classes {
        // Without the first object, most programs pay nothing.
        let plays =
            |frame: &SampledFrame| objects(frame).and_then(|all| all.first()).is_some_and(|player| player.visible);
        let has = |frame: &&&SampledFrame| plays(frame) && count(objects(frame), class) > 0;
        let mut with_class: Vec<&SampledFrame> = frames.iter().filter(has).copied().collect();
        with_class.sort_by_key(|frame| std::cmp::Reverse(count(objects(frame), class)));
        with_class.truncate(SCREENS);
        for each in [true, false] {
            let pairs = compared(prober, &with_class, class, each, &empty);
            let name = &world.scene.classes[usize::from(class)].name;
            let paid = pays(&pairs)
                .into_iter()
                .filter(|(payer, _)| !found.iter().any(|known| known.class == *name && known.payer == *payer));
            let paid = paid.map(|(payer, reward)| PresencePay {
                class: name.clone(),
                payer,
                reward,
                each,
                screens: pairs.len(),
            });
            let paid: Vec<PresencePay> = paid.collect();
            found.extend(paid);
        }
    }
    found
}

fn count(objects: Option<&[SceneObject]>, class: u16) -> usize {
    objects.into_iter().flatten().filter(|object| object.visible && object.class == class).count()
}

/// Returns the rewards of screens with all objects, and without one or all objects of a class.
fn compared(
    prober: &mut Prober<'_>,
    frames: &[&SampledFrame],
    class: u16,
    each: bool,
    empty: &SceneObject,
) -> Vec<[Payment; 2]> {
    let mut numbers = Numbers::new(u64::from(class));
    let mut pairs = Vec::new();
    for frame in frames {
        for layout in LAYOUTS {
            let Some(objects) = objects(frame) else { continue };
            let whole = lay_out(objects, layout, &mut numbers);
            let mut less = whole.clone();
            let of_class = less.iter_mut().filter(|object| object.visible && object.class == class);
            of_class.take(if each { 1 } else { usize::MAX }).for_each(|object| *object = empty.clone());
            let paid = [whole, less].map(|objects| prober.settled(&with(frame, objects)));
            if let [Some(whole), Some(less)] = paid
                // If the program returns early without the object, other parts are not paid either.
                && whole.returned == less.returned
            {
                pairs.push([whole, less]);
            }
        }
    }
    pairs
}

/// Returns the payers of the same positive amount in all comparisons. The total is omitted if a term or a component pays.
fn pays(pairs: &[[Payment; 2]]) -> Vec<(Payer, f64)> {
    // Parts that cancel out, such as the two sides of a difference, pay nothing.
    let more = pairs.iter().filter(|[whole, less]| whole.total > less.total && !same(whole.total, less.total)).count();
    if pairs.len() < ENOUGH || 2 * more < pairs.len() {
        return Vec::new();
    }
    let payers: BTreeSet<Payer> = pairs.iter().flatten().flat_map(Payment::parts).map(|(payer, _)| payer).collect();
    let mut found = Vec::new();
    for payer in payers {
        let apart: Vec<f64> = pairs.iter().map(|[whole, less]| whole.of(&payer) - less.of(&payer)).collect();
        let amount = match payer {
            Payer::Total if !found.is_empty() => None,
            Payer::Total | Payer::Component(_) => usual(&apart),
            Payer::Term(_) => apart.iter().all(|paid| same(*paid, apart[0])).then_some(apart[0]),
        };
        found.extend(amount.filter(|amount| *amount > 0.0 && !same(*amount, 0.0)).map(|amount| (payer, amount)));
    }
    found
}

/// Returns the amount on which most comparisons agree, provided that none is zero: other parts of the reward change some of them.
fn usual(apart: &[f64]) -> Option<f64> {
    if apart.iter().any(|paid| same(*paid, 0.0)) {
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
