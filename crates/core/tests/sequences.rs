//! Sequences against their definition: every division of every interval into the phases is tried.

use std::sync::Arc;

use goalspec_core::condition::{Atom, Condition, Origin, Scope};
use goalspec_core::ids::PreferenceId;
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::GameMonitor;
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::playback::Playback;
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScoreExpression};
use goalspec_core::state::{Delta, FactChange};
use goalspec_core::world::{World, WorldBuilder};
use proptest::prelude::*;
use smallvec::SmallVec;

/// A phase over letters; a letter is a number below [`LETTERS`].
#[derive(Debug, Clone)]
enum Letters {
    Once(usize),
    Hold(usize),
    /// Like `Hold`, but possibly empty between other phases.
    EmptyHold(usize),
    HoldWhile(usize, Vec<usize>),
}

const LETTERS: usize = 4;

/// The truth of each letter in each state.
type States = Vec<[bool; LETTERS]>;

/// Whether the phases from index `from` on match exactly these states, by trying every length of the first phase.
fn fits(phases: &[Letters], from: usize, states: &[[bool; LETTERS]]) -> bool {
    let Some(phase) = phases.get(from) else { return states.is_empty() };
    let shortest = match phase {
        Letters::EmptyHold(_) => usize::from(from == 0 || from + 1 == phases.len()),
        Letters::Once(_) | Letters::Hold(_) | Letters::HoldWhile(..) => 1,
    };
    let longest = if matches!(phase, Letters::Once(_)) { 1 } else { states.len() };
    (shortest..=longest.min(states.len())).any(|length| {
        let (own, rest) = states.split_at(length);
        covers(phase, own) && fits(phases, from + 1, rest)
    })
}

/// Whether the phase covers exactly these states.
fn covers(phase: &Letters, states: &[[bool; LETTERS]]) -> bool {
    match phase {
        Letters::Once(letter) | Letters::Hold(letter) | Letters::EmptyHold(letter) => {
            states.iter().all(|state| state[*letter])
        }
        Letters::HoldWhile(letter, events) => {
            states.iter().all(|state| state[*letter]) && happen_in_order(events, states)
        }
    }
}

/// Whether the events can be assigned to states in strictly increasing order, by trying every state for the first.
fn happen_in_order(events: &[usize], states: &[[bool; LETTERS]]) -> bool {
    let Some((first, later)) = events.split_first() else { return true };
    (0..states.len()).any(|at| states[at][*first] && happen_in_order(later, &states[at + 1..]))
}

/// Returns the accepted intervals, counted from 1, that contain no other accepted interval, in order of their ends.
fn minimal_intervals(phases: &[Letters], states: &States) -> Vec<(u64, u64)> {
    let mut accepted = Vec::new();
    for end in 0..states.len() {
        for start in 0..=end {
            if fits(phases, 0, &states[start..=end]) {
                accepted.push((start as u64 + 1, end as u64 + 1));
            }
        }
    }
    let inside = |&(a, b): &(u64, u64), &(start, end): &(u64, u64)| start <= a && b <= end && (a, b) != (start, end);
    accepted.iter().filter(|&whole| !accepted.iter().any(|part| inside(part, whole))).copied().collect()
}

fn world() -> World {
    let mut builder = WorldBuilder::new("letters");
    for letter in 0..LETTERS {
        builder.add_fact(format!("letter_{letter}"), &[]);
    }
    builder.finish().expect("the world is well formed")
}

fn game(phases: &[Letters]) -> Game {
    let holds = |letter: &usize| {
        Condition::Atom(Atom { predicate: (*letter).into(), arguments: SmallVec::default(), origin: Origin::default() })
    };
    let phase = |phase: &Letters| match phase {
        Letters::Once(letter) => Phase::Once { condition: holds(letter), measure: None, origin: Origin::default() },
        Letters::Hold(letter) => {
            Phase::Hold { condition: holds(letter), may_be_empty: false, origin: Origin::default() }
        }
        Letters::EmptyHold(letter) => {
            Phase::Hold { condition: holds(letter), may_be_empty: true, origin: Origin::default() }
        }
        Letters::HoldWhile(letter, events) => Phase::HoldWhile {
            condition: holds(letter),
            events: events.iter().map(holds).collect(),
            origin: Origin::default(),
        },
    };
    let preference = Preference {
        name: Arc::from("p"),
        scope: Scope::default(),
        external: Vec::new(),
        inner: Vec::new(),
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern: Pattern::Sequence(phases.iter().map(phase).collect()),
        origin: Origin::default(),
    };
    let score = ScoreExpression::Count {
        kind: CountOperator::Overlapping,
        preference: PreferenceId(0),
        types: Vec::new(),
        origin: Origin::default(),
    };
    Game { name: Arc::from("g"), setup: None, preferences: vec![Arc::new(preference)], terminal: None, score }
}

/// Returns the satisfactions that the interpreter finds.
fn interpreted(phases: &[Letters], states: &States) -> Vec<(u64, u64)> {
    let (world, game) = (world(), game(phases));
    let mut interpreter = GameInterpreter::new(world.clone(), game.clone()).expect("one binding is not too many");
    let mut playback = Playback::new(world.clone());
    for state in states {
        let fact = |(letter, &holds): (usize, &bool)| FactChange {
            predicate: letter.into(),
            arguments: SmallVec::default(),
            holds,
        };
        let delta = Delta { facts: state.iter().enumerate().map(fact).collect(), ..Delta::default() };
        playback.advance(&delta);
        interpreter.step(&playback.update(&delta, false));
    }
    let report = interpreter.finish(playback.state());
    report.preferences[0].satisfactions.iter().map(|satisfaction| (satisfaction.start, satisfaction.end)).collect()
}

fn any_phase() -> impl Strategy<Value = Letters> {
    let letter = 0..LETTERS;
    prop_oneof![
        letter.clone().prop_map(Letters::Once),
        letter.clone().prop_map(Letters::Hold),
        letter.clone().prop_map(Letters::EmptyHold),
        (letter.clone(), prop::collection::vec(letter, 1..3))
            .prop_map(|(hold, events)| Letters::HoldWhile(hold, events)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn satisfactions_are_the_minimal_accepted_intervals(
        phases in prop::collection::vec(any_phase(), 1..5),
        // Letters are true more often than not; otherwise hardly any sequence would be satisfied.
        states in prop::collection::vec(prop::array::uniform4(prop::bool::weighted(0.6)), 1..10),
    ) {
        prop_assert_eq!(interpreted(&phases, &states), minimal_intervals(&phases, &states));
    }
}
