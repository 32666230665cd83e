//! Monitoring of a stream that is still being written, with a verdict on each state as it arrives.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use goalspec_core::monitor::Satisfaction;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_rewards::shipped_worlds;
use goalspec_syntax::Diagnostic;
use goalspec_trace::input::with_trace_name;
use goalspec_trace::{Source, TraceError, TraceReader};

use crate::monitoring::ProgramRun;
use crate::program::Program;
use crate::report::{ProgramReport, ProgramVerdict};
use crate::scoring::{self, ProgramOutcome};

/// A state of a live stream, with its verdict.
#[derive(Debug)]
pub struct LiveStep<'a> {
    /// The number of the state, from 1.
    pub state: u64,
    /// The verdict of the monitor.
    pub verdict: &'a ProgramVerdict,
    /// The program, resolved with the objects that the stream declares.
    pub program: &'a Program,
    /// The world, with the objects that the stream declares.
    pub world: &'a World,
}

/// The change in the result at the end of a stream. Only then is the latest state known to be the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamEnd {
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
pub struct StreamResult {
    /// The change at the end of the stream; `None` if the game was over before, or if no state was read.
    pub ending: Option<StreamEnd>,
    /// The outcome over all states that were read; `None` if the program or the stream could not be used at all.
    pub outcome: Option<ProgramOutcome>,
    /// The diagnostics of the stream, including the reason for stopping before its end.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a program over a stream and calls `observer` with the verdict on each state, until the stream or the game ends or `observer`
/// returns `false`. No state is known to be the last one before the stream has ended, so conditions on the last state take effect
/// only in the outcome.
pub fn watch(
    program: &Program,
    name: &str,
    input: impl Read + Send,
    options: &scoring::ScoringOptions,
    observer: &mut dyn FnMut(&LiveStep<'_>) -> bool,
) -> StreamResult {
    let mut diagnostics = Vec::new();
    let followed = run_stream(program, name, input, options, observer, &mut diagnostics).unwrap_or_else(|error| {
        diagnostics.push(*error);
        None
    });
    let (outcome, end) = followed.unzip();
    let diagnostics = diagnostics.into_iter().map(|finding| with_trace_name(name, finding)).collect();
    StreamResult { ending: end.flatten(), outcome, diagnostics }
}

fn run_stream(
    program: &Program,
    name: &str,
    input: impl Read + Send,
    options: &scoring::ScoringOptions,
    observer: &mut dyn FnMut(&LiveStep<'_>) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<(ProgramOutcome, Option<StreamEnd>)>, Box<Diagnostic>> {
    let Some(own) = program.world.clone() else { return Ok(None) };
    let source = Source::from_reader(input)?;
    let world = match source.extend_world(&own)? {
        Cow::Borrowed(_) => own.clone(),
        Cow::Owned(extended) => Arc::new(extended),
    };
    let program = scoring::resolve_in_world(program, &world);
    let not_supported = |error| scoring::not_supported_diagnostic(&program, &error);
    let Some(mut run) = ProgramRun::prepare(&program, &world, options, u64::MAX).map_err(not_supported)? else {
        return Ok(None);
    };
    let read = options.reading(Vec::new());
    let mut reader = source.read(&world, &read)?;
    let mut playback = Playback::new(world.clone());
    let (mut rewards, mut latest) = (Vec::new(), None);
    let mut on_verdict = |state: u64, verdict: ProgramVerdict| {
        if options.per_step {
            rewards.push(verdict.reward());
        }
        let continues =
            observer(&LiveStep { state, verdict: &verdict, program: &program, world: &world }) && !verdict.done();
        latest = Some(verdict);
        continues
    };
    if let Err(error) = step_all(&mut reader, &mut playback, &mut run, &mut on_verdict) {
        // The states before the error still get a report.
        diagnostics.push(error.into_diagnostic());
    }
    let world_name = reader.header().world.as_deref();
    diagnostics.extend(shipped_worlds::with_probable_world(reader.diagnostics(), world_name, &world));
    drop(reader);
    let report = run.finish(playback.state());
    let end = latest.filter(|verdict| !verdict.done()).map(|verdict| ending(&verdict, &report));
    if let (Some(reward), Some(end)) = (rewards.last_mut(), &end) {
        *reward += end.reward;
    }
    let outcome = ProgramOutcome {
        program: program.name.clone(),
        trace: name.into(),
        world: world.clone(),
        report,
        rewards,
        lanes: None,
        budget_exceeded: None,
    };
    Ok(Some((outcome, end)))
}

/// Returns the difference between the judgement and the verdict on the latest state.
fn ending(latest: &ProgramVerdict, report: &ProgramReport) -> StreamEnd {
    let (before, satisfied_so_far) = match latest {
        ProgramVerdict::Game(verdict) => (verdict.score, &verdict.satisfied[..]),
        ProgramVerdict::Goal { progress, .. } => (*progress, &[][..]),
    };
    let score = report.score().unwrap_or(0.0);
    let states = report.states();
    let mut satisfied = Vec::new();
    if let ProgramReport::Game(report) = report {
        for (index, preference) in report.preferences.iter().enumerate() {
            // Satisfactions are ordered by their ends.
            let ended = preference.satisfactions.iter().rev().take_while(|found| found.end == states);
            let mut new: Vec<_> =
                ended.map(|found| (index, found.clone())).filter(|new| !satisfied_so_far.contains(new)).collect();
            new.reverse();
            satisfied.extend(new);
        }
    }
    StreamEnd { states, reward: score - before, score, satisfied }
}

/// Evaluates the states of a trace until it ends or `on_verdict`, which receives the number and verdict of each, returns `false`.
fn step_all(
    reader: &mut dyn TraceReader,
    playback: &mut Playback,
    run: &mut ProgramRun,
    on_verdict: &mut dyn FnMut(u64, ProgramVerdict) -> bool,
) -> Result<(), TraceError> {
    let mut delta = Delta::default();
    while reader.next(&mut delta)? {
        playback.advance(&delta);
        let verdict = run.step(&playback.update(&delta, false));
        if !on_verdict(playback.steps(), verdict) {
            break;
        }
    }
    Ok(())
}
