//! Random walks that avoid states they have seen.

use std::hash::{BuildHasher as _, Hash};

use goalspec_core::planning::plan::PlanStep;
use goalspec_core::state::Delta;
use goalspec_generator::RandomStream;
use goalspec_planner::walk::Walk;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Whether effects change the current state.
pub(super) fn changes_anything(walk: &Walk<'_, '_, '_>, effects: &Delta) -> bool {
    let state = walk.execution().state();
    effects.facts.iter().any(|change| state.fact(change.predicate, &change.arguments) != change.holds)
        || effects.fluents.iter().any(|change| state.fluent(change.function, &change.arguments) != Some(change.value))
}

/// Goes on by at most this number of random steps and returns them. Steps to states that the walk has seen are taken only if there are no
/// others; a walk ends where no step changes anything.
pub(super) fn random_walk(walk: &mut Walk<'_, '_, '_>, count: usize, stream: &mut RandomStream) -> Vec<PlanStep> {
    let mut steps = Vec::new();
    // The hash of a state, relative to the first one.
    let mut here = 0;
    let mut seen: FxHashSet<u64> = [here].into_iter().collect();
    while steps.len() < count {
        let mut candidates = walk.applicable();
        candidates.retain(|(_, effects)| changes_anything(walk, effects));
        let hashes: Vec<u64> = candidates.iter().map(|(_, effects)| here ^ change_hash(walk, effects)).collect();
        let mut places: Vec<usize> = (0..candidates.len()).filter(|&place| !seen.contains(&hashes[place])).collect();
        if places.is_empty() {
            places = (0..candidates.len()).collect();
        }
        if places.is_empty() {
            break;
        }
        let place = choose(&candidates, &places, stream);
        here = hashes[place];
        seen.insert(here);
        let (step, effects) = candidates.swap_remove(place);
        walk.go(&effects);
        steps.push(step);
    }
    steps
}

/// Chooses one of some steps: first the action, so that actions with few steps are not rare, then the step.
fn choose(candidates: &[(PlanStep, Delta)], places: &[usize], stream: &mut RandomStream) -> usize {
    let action = |place: usize| candidates[place].0.action;
    // Steps are listed by action, and an action with several branches may occur again.
    let mut actions: Vec<_> = places.iter().map(|&place| action(place)).collect();
    actions.sort_unstable();
    actions.dedup();
    let chosen = actions[stream.below(actions.len() as u64) as usize];
    let of_action: Vec<usize> = places.iter().copied().filter(|&place| action(place) == chosen).collect();
    of_action[stream.below(of_action.len() as u64) as usize]
}

/// Returns the exclusive disjunction of the hashes of everything that effects change, before and after, so that it is its own inverse.
fn change_hash(walk: &Walk<'_, '_, '_>, effects: &Delta) -> u64 {
    let state = walk.execution().state();
    let facts = effects.facts.iter().filter(|change| state.fact(change.predicate, &change.arguments) != change.holds);
    let facts = facts.map(|change| hash(&(0_u8, change.predicate, &change.arguments)));
    let numbers = effects.fluents.iter().map(|change| {
        let (function, arguments) = (change.function, &change.arguments);
        let before = state.fluent(function, arguments);
        let of = |value: f64| hash(&(1_u8, function, arguments, value.to_bits()));
        before.map_or(0, of) ^ of(change.value)
    });
    facts.chain(numbers).fold(0, |all, own| all ^ own)
}

fn hash(item: &impl Hash) -> u64 {
    // Hashes are combined bit by bit, so every bit has to depend on the whole item.
    let mixed = FxBuildHasher.hash_one(item);
    (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
