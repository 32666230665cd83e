//! A differential test of the recorded progress of bindings: lanes of the fast engine against a simulation of every binding by itself, and
//! the division of every satisfaction into phases.

use std::collections::BTreeSet;
use std::sync::Arc;

use goalspec_core::automaton::{Automaton, PhaseInterval};
use goalspec_core::monitor::{GameMonitor, GameReport, Satisfaction};
use goalspec_core::pattern::Pattern;
use goalspec_core::playback::Playback;
use goalspec_core::program::{Game, Quantifier};
use goalspec_core::state::Delta;
use goalspec_core::truth::{BindingTruth, RecordedBinding, StateRuns, TruthRecorder, pattern_conditions};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use goalspec_monitor::{CompiledGame, Lane, LaneRecorder, RunOptions};

/// Compares the lanes of a game on these states with a simulation, on a recording and on a live stream.
///
/// # Errors
/// Returns a description of the first difference.
pub fn compare_lanes(world: &World, game: &Game, deltas: &[Delta]) -> Result<(), String> {
    let (world, game) = (Arc::new(world.clone()), Arc::new(game.clone()));
    let Ok(compiled) = CompiledGame::new(world.clone(), game.clone()) else { return Ok(()) };
    for recorded in [true, false] {
        let mut run = compiled.start(RunOptions::default());
        run.log_matches();
        let mut recorder = LaneRecorder::new(&compiled);
        let mut playback = Playback::new(world.clone());
        for (index, delta) in deltas.iter().enumerate() {
            playback.advance(delta);
            if run.step(&playback.update(delta, recorded && index + 1 == deltas.len())).done {
                recorder.record(&run);
                break;
            }
            recorder.record(&run);
        }
        let report = run.finish(playback.state());
        recorder.record(&run);
        let bindings: Vec<RecordedBinding> = (0..game.preferences.len())
            .flat_map(|preference| {
                recorder.lanes(preference).into_iter().map(move |(binding, _)| (preference, binding))
            })
            .map(|(preference, binding)| RecordedBinding {
                preference,
                objects: compiled.binding_objects(preference, binding),
            })
            .collect();
        let (setup, truth) = truth_columns(&world, &game, &report, deltas, bindings);
        let mut truth = truth.iter();
        for preference in 0..game.preferences.len() {
            let lanes = recorder.lanes(preference);
            compare_with_report(&game, &compiled, preference, &lanes, &report)?;
            for (binding, lane) in lanes {
                let truth = truth.next().ok_or("a lane without columns")?;
                let pattern = &game.preferences[preference].pattern;
                compare_lane(pattern, &setup, truth, report.states, lane)
                    .map_err(|difference| format!("preference {preference}, binding {binding}: {difference}"))?;
            }
        }
    }
    Ok(())
}

fn truth_columns(
    world: &World,
    game: &Game,
    report: &GameReport,
    deltas: &[Delta],
    bindings: Vec<RecordedBinding>,
) -> (StateRuns, Vec<BindingTruth>) {
    let mut recorder = TruthRecorder::new(world, game, report.states, bindings);
    let mut playback = Playback::new(Arc::new(world.clone()));
    for delta in deltas {
        if recorder.done() {
            break;
        }
        playback.advance(delta);
        recorder.step(&playback.update(delta, false));
    }
    recorder.finish()
}

/// Under `Exists`, the satisfactions of all lanes are those of the report.
fn compare_with_report(
    game: &Game,
    compiled: &CompiledGame,
    preference: usize,
    lanes: &[(usize, &Lane)],
    report: &GameReport,
) -> Result<(), String> {
    if game.preferences[preference].quantifier == Quantifier::Forall {
        return Ok(());
    }
    let of_lane = |&(binding, lane): &(usize, &Lane)| {
        let objects = compiled.binding_objects(preference, binding);
        let all = lane.satisfied.iter().map(|&(start, end)| (objects.clone(), u64::from(start), u64::from(end)));
        all.collect::<Vec<_>>()
    };
    let in_report = |found: &Satisfaction| {
        (found.binding.iter().map(|&(_, object)| object).collect::<Vec<_>>(), found.start, found.end)
    };
    let mut in_lanes: Vec<_> = lanes.iter().flat_map(of_lane).collect();
    let mut reported: Vec<_> = report.preferences[preference].satisfactions.iter().map(in_report).collect();
    in_lanes.sort();
    reported.sort();
    if in_lanes == reported { Ok(()) } else { Err(format!("lanes {in_lanes:?}, report {reported:?}")) }
}

/// Compares a lane with the simulation of its binding, and checks the divisions of its satisfactions.
fn compare_lane(
    pattern: &Pattern,
    setup: &StateRuns,
    truth: &BindingTruth,
    states: u64,
    lane: &Lane,
) -> Result<(), String> {
    let Pattern::Sequence(phases) = pattern else {
        return if lane.levels.is_empty() { Ok(()) } else { Err("attempts without a sequence".to_owned()) };
    };
    let work = WorkBudget::new();
    for &(start, end) in &lane.satisfied {
        let interval = (u64::from(start), u64::from(end));
        let division = truth.division(pattern, setup, interval, &work);
        let division = division.ok_or_else(|| format!("the satisfaction {interval:?} has no division"))?;
        check_division(&division, setup, interval)?;
    }
    // Measures without a value are not among the conditions, so that the simulation cannot know them.
    if Automaton::new(phases).positions().iter().any(|position| position.measure(phases).is_some()) {
        return Ok(());
    }
    let expected = simulate(pattern, setup, truth, states);
    if expected == *lane { Ok(()) } else { Err(format!("expected {expected:?}, found {lane:?}")) }
}

/// Checks that the phases of a division are in order and cover the states in which the setup holds, without gap or overlap.
fn check_division(division: &[PhaseInterval], setup: &StateRuns, (start, end): (u64, u64)) -> Result<(), String> {
    let covered: Vec<u64> =
        division.iter().flat_map(|part| (part.start..=part.end).filter(|&state| setup.contains(state))).collect();
    let expected: Vec<u64> = (start..=end).filter(|&state| setup.contains(state)).collect();
    let in_order = division.windows(2).all(|pair| pair[0].phase < pair[1].phase);
    if covered == expected && in_order { Ok(()) } else { Err(format!("{start}..{end} is divided into {division:?}")) }
}

/// Simulates all attempts of one binding, none of which is dropped in favour of a better one.
fn simulate(pattern: &Pattern, setup: &StateRuns, truth: &BindingTruth, states: u64) -> Lane {
    let mut lane = Lane::default();
    let Pattern::Sequence(phases) = pattern else { return lane };
    let automaton = Automaton::new(phases);
    let parts = pattern_conditions(pattern);
    let mut attempts: BTreeSet<(u64, usize)> = BTreeSet::new();
    let mut level = 0;
    for state in (1..=states).filter(|&state| setup.contains(state)) {
        let holds = |&place: &usize| {
            let position = automaton.positions()[place];
            let mut columns = parts.iter().zip(&truth.conditions).filter(|(part, _)| {
                part.phase == position.phase && (part.event.is_none() || part.event == position.event)
            });
            columns.all(|(_, column)| column.contains(state))
        };
        let mut next = BTreeSet::new();
        for &(start, place) in &attempts {
            next.extend(automaton.successors(place).filter(holds).map(|to| (start, to)));
        }
        let places = 0..automaton.positions().len();
        next.extend(places.filter(|&place| automaton.is_initial(place)).filter(holds).map(|to| (state, to)));
        let satisfied = next.iter().filter(|&&(_, place)| automaton.is_accepting(place)).map(|&(start, _)| start).max();
        next.retain(|&(start, _)| satisfied.is_none_or(|latest| start > latest));
        attempts = next;
        let furthest = attempts.iter().map(|&(_, place)| place as u16 + 1).max().unwrap_or(0);
        if let Some(start) = satisfied {
            lane.satisfied.push((start as u32, state as u32));
        } else if furthest < level {
            lane.broken.push(state as u32);
        }
        if furthest != level {
            lane.levels.push((state as u32, furthest));
        }
        level = furthest;
    }
    lane
}

#[cfg(test)]
mod tests {
    use goalspec_core::monitor::GameMonitor as _;
    use goalspec_core::playback::Playback;
    use goalspec_monitor::{CompiledGame, LaneRecorder, RunOptions};

    use crate::choices::Choices;
    use crate::random::Random;
    use crate::{arena, games, states};

    #[test]
    fn a_recorder_that_is_full_stops_and_says_when() {
        let (world, mut random) = (arena::world(), Random::new(4));
        let mut stopped = 0;
        for _ in 0..50 {
            let bytes: Vec<u8> = (0..900).map(|_| random.below(256) as u8).collect();
            let mut choices = Choices::new(&bytes);
            let game = games::game(&mut choices, world);
            let deltas = states::deltas(&mut choices, world);
            let Ok(compiled) = CompiledGame::new(world.clone(), game) else { continue };
            let mut run = compiled.start(RunOptions::default());
            run.log_matches();
            let mut recorder = LaneRecorder::with_max_events(&compiled, 0);
            let mut playback = Playback::new(world.clone());
            for delta in &deltas {
                playback.advance(delta);
                run.step(&playback.update(delta, false));
                recorder.record(&run);
            }
            let count = compiled.game().preferences.len();
            let events = || (0..count).flat_map(|preference| recorder.lanes(preference));
            if let Some(state) = recorder.stopped() {
                stopped += 1;
                // The first state with an event is kept whole, and no later one.
                let last = events().flat_map(|(_, lane)| lane.levels.iter().map(|&(at, _)| at)).max();
                assert!(last.is_none_or(|last| last < state), "{last:?} {state}");
                assert!(events().next().is_some());
            }
        }
        assert!(stopped > 5, "{stopped}");
    }
}
