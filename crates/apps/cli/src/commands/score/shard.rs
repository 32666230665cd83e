//! `goalspec score --shard`: one part of a collection, as a Parquet file.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use goalspec::rewards::compiled::CallBudget;
use goalspec::scoring::shard::{
    Shard, ShardError, ShardManifest, ShardObserver, ShardState, ShardSummary, TraceCollection, shard_path,
    shard_state, write_shard,
};
use goalspec::scoring::table::{TableOptions, TableScorer, TraceLimits};
use goalspec::syntax::Diagnostic;

use crate::args::ScoreArgs;
use crate::library::LoadedLibrary;
use crate::output::{CommandError, CommandResult, Output, ensure_not_input, is_standard};
use crate::progress::Progress;
use crate::threads::thread_pool;

/// Scores a shard of the traces and writes its file, unless it is finished.
pub(super) fn run(
    args: &ScoreArgs,
    shard: Shard,
    loaded: LoadedLibrary,
    traces: &[PathBuf],
    output: &mut Output,
) -> CommandResult {
    let LoadedLibrary { library, mut diagnostics } = loaded;
    let Some(path) = args.output.as_deref().map(|path| shard_path(path, shard)) else {
        return Err(CommandError::Usage("--shard requires --output".to_owned()));
    };
    ensure_not_input(&path, traces.iter())?;
    if traces.iter().any(|path| is_standard(path)) {
        let message = "--shard cannot read a trace from the standard input: a shard may be run again";
        return Err(CommandError::Usage(message.to_owned()));
    }
    diagnostics.extend(library.diagnostics_under(args.semantics.into()));
    output.report(&diagnostics, library.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(false);
    }
    let library = Arc::new(library);
    let indices: Vec<usize> = (0..library.programs().len()).collect();
    let scorer = TableScorer::new(Arc::clone(&library), &indices, options(args));
    let scorer = scorer.map_err(CommandError::invalid_argument)?;
    let progress = Progress::discovery();
    let collection = TraceCollection::open(traces, &|| progress.advance());
    progress.finish();
    let collection = match collection {
        Ok(collection) => collection,
        Err(error) => {
            output.report(&[*error], library.sources());
            return Ok(false);
        }
    };
    let manifest = ShardManifest::new(shard, &library, &collection, options_text(args));
    match shard_state(&path, &manifest).map_err(|error| CommandError::File(path.clone(), error))? {
        ShardState::Finished => {
            anstream::eprintln!("shard {shard} is finished: `{}` is kept", path.display());
            return Ok(true);
        }
        ShardState::Other(reason) => {
            let message = format!(
                "`{}` exists, and is not this shard: {reason}; remove it or specify another file",
                path.display()
            );
            return Err(CommandError::Usage(message));
        }
        ShardState::Missing => {}
    }
    let pool = thread_pool(args.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())))?;
    let range = shard.range(collection.total());
    let progress = Progress::traces(usize::try_from(range.end - range.start).unwrap_or(usize::MAX));
    let written = write_shard(&path, &scorer, &collection, &manifest, &pool, &Reported(&progress));
    progress.finish();
    match written {
        Ok(ShardSummary { traces, rows, errors }) => {
            let (traces, rows) = (counted(traces, "trace"), counted(rows, "row"));
            anstream::eprintln!(
                "shard {shard}: {traces}, {rows}, {} with an error",
                if errors == 0 { "none".to_owned() } else { errors.to_string() }
            );
            Ok(true)
        }
        Err(ShardError::Collection(error)) => {
            output.report(&[*error], library.sources());
            Ok(false)
        }
        Err(ShardError::Output(error)) => Err(CommandError::File(path, error)),
    }
}

/// Returns a number of things as text.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A progress bar that observes a shard.
struct Reported<'p>(&'p Progress);

impl ShardObserver for Reported<'_> {
    fn read(&self, bytes: u64) {
        self.0.add_bytes(bytes);
    }

    fn scored(&self) {
        self.0.advance();
    }
}

fn options(args: &ScoreArgs) -> TableOptions {
    TableOptions {
        semantics: args.semantics.into(),
        engine: args.engine.unwrap_or_default().into(),
        any_world: args.any_world,
        limits: TraceLimits {
            budget: args.budget,
            call_budget: args.call_budget.map_or_else(CallBudget::default, CallBudget::with_work),
            ..args.shards.limits()
        },
    }
}

/// Returns the options on which the rows depend.
fn options_text(args: &ScoreArgs) -> String {
    format!("{:?}, world {:?}, {:?}", options(args), args.world, args.activities)
}
