//! A differential test of the game engines: all verdicts and reports on the same states are compared.

use std::sync::Arc;

use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{GameMonitor, GameReport, Verdict};
use goalspec_core::playback::Playback;
use goalspec_core::program::{Game, Preference, Quantifier};
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_monitor::{CompileLimits, CompiledGame, RunOptions};

/// Compares every verdict and the report of the fast engine with those of the interpreter, on a recording and on a live stream.
///
/// # Errors
/// Returns a description of the first difference.
pub fn compare_engines(world: &World, game: &Game, deltas: &[Delta]) -> Result<(), String> {
    let (world, game) = (&Arc::new(world.clone()), &Arc::new(game.clone()));
    let compiled =
        match (GameInterpreter::new(world.clone(), game.clone()), CompiledGame::new(world.clone(), game.clone())) {
            (Ok(_), Ok(compiled)) => compiled,
            (Err(left), Err(right)) if left == right => return Ok(()),
            (left, right) => return Err(format!("refused differently: {:?} and {:?}", left.err(), right.err())),
        };
    // A second engine has a minimal limit on the memory of quantifiers inside conditions.
    let limits = CompileLimits { quantifier_assignments: 3, ..CompileLimits::default() };
    let frugal = CompiledGame::with_limits(world.clone(), game.clone(), &limits).map_err(|error| error.to_string())?;
    for recorded in [true, false] {
        let mut reference = GameInterpreter::new(world.clone(), game.clone()).map_err(|error| error.to_string())?;
        let expected = play(world, game, &mut reference, deltas, recorded);
        for (compiled, explain) in [(&compiled, true), (&frugal, false)] {
            let mut engine = compiled.start(RunOptions { explain });
            let (verdicts, mut report) = play(world, game, &mut engine, deltas, recorded);
            for (state, (expected, verdict)) in expected.0.iter().zip(&verdicts).enumerate() {
                if !same(expected, verdict) {
                    return Err(difference(&format!("state {}", state + 1), recorded, expected, verdict));
                }
            }
            if !explain {
                for (preference, expected) in report.preferences.iter_mut().zip(&expected.1.preferences) {
                    preference.attempt.clone_from(&expected.attempt);
                }
            }
            if !same(&expected.1, &report) {
                return Err(difference("the report", recorded, &expected.1, &report));
            }
        }
    }
    Ok(())
}

/// Returns whether two values have the same debug representation, in which NaN equals itself.
fn same<T: std::fmt::Debug>(left: &T, right: &T) -> bool {
    format!("{left:?}") == format!("{right:?}")
}

fn difference<T: std::fmt::Debug>(place: &str, recorded: bool, expected: &T, found: &T) -> String {
    let kind = if recorded { "recording" } else { "live stream" };
    let (expected, found) = (format!("{expected:#?}"), format!("{found:#?}"));
    let common_lines = expected.lines().zip(found.lines()).take_while(|(left, right)| left == right).count();
    let context = |text: &str| {
        let lines: Vec<_> = text.lines().skip(common_lines.saturating_sub(12)).take(40).collect();
        lines.join("\n")
    };
    format!(
        "{place} of a {kind}: the interpreter says\n..\n{}\n..\nthe fast engine\n..\n{}\n..",
        context(&expected),
        context(&found)
    )
}

/// A verdict, with the progress of the attempts at each preference that is not satisfied so far.
type ObservedStep = (Verdict, Vec<Option<f64>>);

fn play(
    world: &Arc<World>,
    game: &Game,
    monitor: &mut dyn GameMonitor,
    deltas: &[Delta],
    recorded: bool,
) -> (Vec<ObservedStep>, GameReport) {
    let mut playback = Playback::new(world.clone());
    let mut verdicts = Vec::new();
    let is_single = |preference: &Arc<Preference>| preference.quantifier == Quantifier::Exists;
    let mut unsatisfied: Vec<bool> = game.preferences.iter().map(is_single).collect();
    for (index, delta) in deltas.iter().enumerate() {
        playback.advance(delta);
        let verdict = monitor.step(&playback.update(delta, recorded && index + 1 == deltas.len()));
        for (preference, _) in &verdict.satisfied {
            unsatisfied[*preference] = false;
        }
        // After a satisfaction, engines may track different attempts that can no longer succeed.
        let progress = |(preference, &open): (usize, &bool)| open.then(|| monitor.attempt_progress(preference));
        let progress = unsatisfied.iter().enumerate().map(progress).collect();
        verdicts.push((verdict, progress));
    }
    let report = monitor.finish(playback.state());
    (verdicts, report)
}
