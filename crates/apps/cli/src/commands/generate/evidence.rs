//! The `goalspec generate evidence` command.

use std::io::Write;
use std::sync::Arc;

use goalspec::core::world::World;
use goalspec::game_generation::recorded_evidence::record;
use goalspec::syntax::Sources;
use goalspec::trace::TraceInput;
use goalspec::trace::input::with_trace_name;

use super::fail;
use crate::args::EvidenceArgs;
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, plural, write_file};
use crate::progress::Progress;
use crate::threads::thread_pool;

pub(crate) fn run(args: &EvidenceArgs, output: &mut Output) -> CommandResult {
    let found = DiscoveredFiles::new(&args.plays);
    let mut diagnostics = found.diagnostics;
    if found.inputs.traces.is_empty() && diagnostics.is_empty() {
        return Err(CommandError::Usage("no trace among the paths".to_owned()));
    }
    let others = found.inputs.programs.iter().chain(&found.inputs.worlds);
    if let Some(path) = others.into_iter().next() {
        return Err(CommandError::Usage(format!("`{}` is not a trace", path.display())));
    }
    let mut plays: Vec<(TraceInput, Arc<World>)> = Vec::new();
    for path in &found.inputs.traces {
        match goalspec::traces::open(path, args.world.as_deref()) {
            Ok((play, world)) => plays.push((play, world.world)),
            Err(error) => diagnostics.push(with_trace_name(&path.display().to_string(), *error)),
        }
    }
    let progress = Progress::traces(plays.len());
    let recorded = thread_pool(args.threads)?.install(|| record(&plays, &|bytes| progress.add_bytes(bytes)));
    progress.finish();
    diagnostics.extend(recorded.diagnostics);
    if !diagnostics.is_empty() {
        return Err(fail(&diagnostics, &Sources::new(), output));
    }
    recorded.notes.iter().for_each(|note| output.note(&format!("goalspec: {note}")));
    let text = recorded.evidence.text();
    let Some(path) = &args.output else {
        write!(output, "{text}")?;
        return Ok(true);
    };
    write_file(path, &text)?;
    let (rows, plays) = (plural(recorded.evidence.len(), "row"), plural(recorded.plays, "play"));
    writeln!(output, "{rows} from {plays} in `{}`", path.display())?;
    Ok(true)
}
