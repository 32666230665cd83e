//! `goalspec replay` and `goalspec trace diff`: recorded turns played again, and compared.

use std::io::{BufRead, Write};
use std::path::Path;

use goalspec::files;
use goalspec::simulator::trace::{self, ReplayError};
use goalspec::syntax::Sources;

use super::simulate::load;
use crate::args::{ReplayArgs, TraceDiffArgs};
use crate::output::{Outcome, Output, plural};

pub(crate) fn run(args: &ReplayArgs, output: &mut Output) -> Outcome {
    let Some(ready) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let Some(mut turns) = open(&args.turns, output) else { return Ok(false) };
    let name = args.turns.display();
    let replayed = trace::replay(&ready.simulator, &mut turns);
    match &replayed {
        Ok(turns) => {
            let turns = plural(usize::try_from(*turns).unwrap_or(usize::MAX), "turn");
            writeln!(output, "{name}: {turns}, as recorded")?;
        }
        Err(wrong @ (ReplayError::Malformed { .. } | ReplayError::Unreadable { .. })) => {
            writeln!(output, "{name}: {wrong}")?;
        }
        Err(wrong @ ReplayError::Differs(_)) => {
            writeln!(output, "{name}: {wrong} (one is the recording, the other the game)")?;
        }
    }
    Ok(replayed.is_ok())
}

pub(crate) fn diff(args: &TraceDiffArgs, output: &mut Output) -> Outcome {
    let [Some(mut one), Some(mut other)] = [&args.one, &args.other].map(|path| open(path, output)) else {
        return Ok(false);
    };
    let found = trace::diff(&mut one, &mut other);
    match &found {
        Ok(found) if found.is_empty() => writeln!(output, "no difference")?,
        Ok(found) => found.iter().try_for_each(|difference| writeln!(output, "{difference}"))?,
        Err(wrong) => writeln!(output, "{wrong}")?,
    }
    Ok(found.is_ok_and(|found| found.is_empty()))
}

/// Opens a file; `None` if it cannot be read, which has been reported.
fn open(path: &Path, output: &Output) -> Option<impl BufRead + use<>> {
    files::open(path).map_err(|diagnostic| output.report(&[*diagnostic], &Sources::new())).ok()
}
