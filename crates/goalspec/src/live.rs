//! Monitoring of a stream that is still being written, with a verdict on each state as it arrives.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use goalspec_core::monitor::Satisfaction;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_trace::{Source, TraceReader};

use crate::program::Program;
use crate::run::{self, Outcome, damaged};
use crate::runner::{Judgement, Prepared, Verdict};
use crate::traces;

/// A state of a live stream, with its verdict.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The number of the state, from 1.
    pub state: u64,
    /// The verdict of the monitor.
    pub verdict: &'a Verdict,
    /// The program, resolved with the objects that the stream declares.
    pub program: &'a Program,
    /// The world, with the objects that the stream declares.
    pub world: &'a World,
}

/// The change in the result at the end of a stream. Only then is the latest state known to be the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The number of states.
    pub states: u64,
    /// The final score minus the score after the latest state, so that all rewards sum to the final score. An undefined score
    /// counts as 0, as it does in each state.
    pub reward: f64,
    /// The final score; 0 if it is undefined.
    pub score: f64,
    /// The satisfactions of a game that end in the latest state and were not reported before, each with the index of its
    /// preference.
    pub satisfied: Vec<(usize, Satisfaction)>,
}

/// The result of watching a stream.
#[derive(Debug)]
pub struct Watched {
    /// The change at the end of the stream; `None` if the game was over before, or if no state was read.
    pub ending: Option<Ending>,
    /// The outcome over all states that were read; `None` if the program or the stream could not be used at all.
    pub outcome: Option<Outcome>,
    /// The diagnostics of the stream, including the reason for stopping before its end.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a program over a stream and calls `seen` with the verdict on each state, until the stream or the game ends or `seen`
/// returns `false`. No state is known to be the last one before the stream has ended, so conditions on the last state take effect
/// only in the outcome.
pub fn watch(
    program: &Program,
    name: &str,
    input: impl Read + Send,
    options: &run::Options,
    seen: &mut dyn FnMut(&Seen<'_>) -> bool,
) -> Watched {
    let mut diagnostics = Vec::new();
    let followed = follow(program, name, input, options, seen, &mut diagnostics).unwrap_or_else(|error| {
        diagnostics.push(*error);
        None
    });
    let (outcome, ending) = followed.unzip();
    let diagnostics = diagnostics.into_iter().map(|finding| run::about(name, finding)).collect();
    Watched { ending: ending.flatten(), outcome, diagnostics }
}

fn follow(
    program: &Program,
    name: &str,
    input: impl Read + Send,
    options: &run::Options,
    seen: &mut dyn FnMut(&Seen<'_>) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<(Outcome, Option<Ending>)>, Box<Diagnostic>> {
    let Some(own) = program.world.clone() else { return Ok(None) };
    let source = Source::from_reader(input).map_err(damaged)?;
    let world = match source.extend(&own).map_err(damaged)? {
        Cow::Borrowed(_) => own.clone(),
        Cow::Owned(extended) => Arc::new(extended),
    };
    let program = run::adapted(program, &world);
    let refusal = |refused| run::refusal(&program, &refused);
    let Some(prepared) = Prepared::new(&program, &world, options).map_err(refusal)? else { return Ok(None) };
    let mut runner = prepared.start(options).map_err(refusal)?;
    let read = options.reading(Vec::new());
    let mut reader = source.read(&world, &read).map_err(damaged)?;
    let mut playback = Playback::new(&world);
    let mut delta = Delta::default();
    let mut rewards = Vec::new();
    let mut latest: Option<Verdict> = None;
    loop {
        match reader.next(&mut delta) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                // The states before the error still get a report.
                diagnostics.push(*damaged(error));
                break;
            }
        }
        playback.advance(&delta);
        let verdict = runner.step(&playback.step(&delta, false));
        if options.per_step {
            rewards.push(verdict.reward());
        }
        let state = playback.steps();
        let goes_on = seen(&Seen { state, verdict: &verdict, program: &program, world: &world }) && !verdict.done();
        latest = Some(verdict);
        if !goes_on {
            break;
        }
    }
    let named = reader.header().world.as_deref();
    diagnostics.extend(traces::with_probable_world(reader.remarks(), named, &world));
    drop(reader);
    let judgement = runner.finish(playback.state());
    let ending = latest.filter(|verdict| !verdict.done()).map(|verdict| ending(&verdict, &judgement));
    if let (Some(reward), Some(ending)) = (rewards.last_mut(), &ending) {
        *reward += ending.reward;
    }
    let outcome = Outcome {
        program: program.name.clone(),
        trace: name.into(),
        world: world.clone(),
        judgement,
        rewards,
        stopped: None,
    };
    Ok(Some((outcome, ending)))
}

/// Returns the difference between the judgement and the verdict on the latest state.
fn ending(latest: &Verdict, judgement: &Judgement) -> Ending {
    let (before, known) = match latest {
        Verdict::Game(verdict) => (verdict.score, &verdict.satisfied[..]),
        Verdict::Goal { progress, .. } => (*progress, &[][..]),
    };
    let score = judgement.score().unwrap_or(0.0);
    let states = judgement.states();
    let mut satisfied = Vec::new();
    if let Judgement::Game(report) = judgement {
        for (index, preference) in report.preferences.iter().enumerate() {
            // Satisfactions are ordered by their ends.
            let ended = preference.satisfactions.iter().rev().take_while(|found| found.end == states);
            let mut new: Vec<_> =
                ended.map(|found| (index, found.clone())).filter(|new| !known.contains(new)).collect();
            new.reverse();
            satisfied.extend(new);
        }
    }
    Ending { states, reward: score - before, score, satisfied }
}
