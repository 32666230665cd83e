//! Whether programs can be achieved: `goalspec check --playable`.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec::library::Library;
use goalspec::playability::{self, PartVerdict, Playability, PlayabilityOptions, PlayablePart};
use goalspec::scoring::ScoringOptions;
use goalspec::trace::TraceInput;

use crate::args::PlayableArgs;
use crate::interrupt;
use crate::output::{CommandError, Output};
use crate::progress::Progress;
use crate::threads::thread_pool;

/// The judgements of the programs of a library.
pub(super) struct Judgements {
    pub(super) programs: Vec<Playability>,
    /// Whether Ctrl-C ended the work early.
    pub(super) is_interrupted: bool,
}

/// Judges the programs of a library, with recorded plays.
pub(super) fn judge(args: &PlayableArgs, library: &Library, plays: &[TraceInput]) -> Result<Judgements, CommandError> {
    let cancelled: Arc<AtomicBool> =
        interrupt::flag().map_err(|error| CommandError::Usage(format!("cannot handle Ctrl-C: {error}")))?;
    let options = PlayabilityOptions {
        scoring: ScoringOptions {
            pool: Some(thread_pool(args.threads)?),
            cancelled: Some(cancelled.clone()),
            ..ScoringOptions::default()
        },
        plan_time: args.plan_time,
        simulations: args.simulations,
        cancelled: cancelled.clone(),
        ..PlayabilityOptions::default()
    };
    let progress = Progress::games(library.programs().len() as u64);
    let programs = playability::judge(library, plays, &options, &|count| progress.add(count));
    progress.finish();
    Ok(Judgements { programs, is_interrupted: cancelled.load(Ordering::Relaxed) })
}

/// Prints the judgement of a program, with a line for each part.
pub(super) fn print(judged: &Playability, output: &mut Output) -> std::io::Result<()> {
    writeln!(output, "{}: {}", judged.program, judged.possibility().name())?;
    if judged.parts.is_empty() {
        writeln!(output, "  it has errors, or no parts to judge")?;
    }
    judged.parts.iter().try_for_each(|part| print_part(part, output))?;
    match &judged.complete_play {
        Some(trace) => writeln!(output, "  all of it in {trace}"),
        None => Ok(()),
    }
}

fn print_part(judged: &PlayablePart, output: &mut Output) -> std::io::Result<()> {
    let part = &judged.part;
    let others = match judged.plays {
        0 | 1 => String::new(),
        2 => ", and another recorded play".to_owned(),
        plays => format!(", and {} other recorded plays", plays - 1),
    };
    match &judged.verdict {
        PartVerdict::Possible(witness) => writeln!(output, "  {part}: possible: {witness}{others}"),
        PartVerdict::Impossible(proof) => writeln!(output, "  {part}: impossible: {proof}"),
        PartVerdict::NotShown(reasons) => writeln!(output, "  {part}: not shown: {}", reasons.join("; ")),
    }
}
