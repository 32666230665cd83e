//! A program over a stream that is still being written: one verdict per state, as the states come.

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

/// What a state of a live stream brought.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The state's number, counted from 1.
    pub state: u64,
    /// What the monitor says.
    pub verdict: &'a Verdict,
    /// The program, with the objects that the stream declares.
    pub program: &'a Program,
    /// The world, likewise.
    pub world: &'a World,
}

/// The change that the end of a stream brings: only then is the latest state known to be the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// How many states there were.
    pub states: u64,
    /// The final score less the score after the latest state, so that all rewards add up to the final score. A score that has no value
    /// counts as 0, as it does in each state.
    pub reward: f64,
    /// The final score, likewise.
    pub score: f64,
    /// Satisfactions of a game that end in the latest state and were not found before, each with the number of its preference.
    pub satisfied: Vec<(usize, Satisfaction)>,
}

/// What became of a stream.
#[derive(Debug)]
pub struct Watched {
    /// What came with the end; `None` if the game was over before, or nothing was read.
    pub ending: Option<Ending>,
    /// The report over all states that were read; `None` if the program or the stream could not be used at all.
    pub outcome: Option<Outcome>,
    /// What was noticed, and why the stream was left before its end.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a program over a stream and hands out a verdict for each state, until the stream or the game ends or `seen` says
/// `false`. No state is known to be the last one before the stream has ended, so what waits for the last state comes with
/// the report.
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
                // What was seen so far is still worth a report.
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

/// What the judgement has beyond the verdict on the latest state.
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
            // Satisfactions are in the order of their ends.
            let ended = preference.satisfactions.iter().rev().take_while(|found| found.end == states);
            let mut new: Vec<_> =
                ended.map(|found| (index, found.clone())).filter(|new| !known.contains(new)).collect();
            new.reverse();
            satisfied.extend(new);
        }
    }
    Ending { states, reward: score - before, score, satisfied }
}
