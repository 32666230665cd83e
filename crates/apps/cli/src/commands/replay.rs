//! `goalspec replay` and `goalspec trace diff`: recorded turns played again, and compared.

use std::io::Write;
use std::path::Path;

use goalspec::files;
use goalspec::simulator::trace::{self, ReplayError};
use goalspec::syntax::Sources;

use super::simulate::load;
use crate::args::{ReplayArgs, TraceDiffArgs};
use crate::output::{Outcome, Output, plural};

pub(crate) fn run(args: &ReplayArgs, output: &mut Output) -> Outcome {
    let Some(ready) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let Some(text) = read(&args.turns, output) else { return Ok(false) };
    let name = args.turns.display();
    let replayed = trace::replay(&ready.simulator, &text);
    match &replayed {
        Ok(turns) => {
            let turns = plural(usize::try_from(*turns).unwrap_or(usize::MAX), "turn");
            writeln!(output, "{name}: {turns}, as recorded")?;
        }
        Err(wrong @ ReplayError::Malformed { .. }) => writeln!(output, "{name}: {wrong}")?,
        Err(wrong @ ReplayError::Differs(_)) => {
            writeln!(output, "{name}: {wrong} (one is the recording, the other the game)")?;
        }
    }
    Ok(replayed.is_ok())
}

pub(crate) fn diff(args: &TraceDiffArgs, output: &mut Output) -> Outcome {
    let [Some(one), Some(other)] = [read(&args.one, output), read(&args.other, output)] else { return Ok(false) };
    let difference = trace::diff(&one, &other);
    match &difference {
        Ok(None) => writeln!(output, "no difference")?,
        Ok(Some(difference)) => writeln!(output, "{difference}")?,
        Err(wrong) => writeln!(output, "{wrong}")?,
    }
    Ok(matches!(difference, Ok(None)))
}

/// The text of a file; `None` if it cannot be read, which has been reported.
fn read(path: &Path, output: &Output) -> Option<String> {
    files::read_text(path).map_err(|diagnostic| output.report(&[*diagnostic], &Sources::new())).ok()
}
