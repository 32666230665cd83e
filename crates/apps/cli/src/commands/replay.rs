//! `goalspec replay` and `goalspec trace diff`: recorded turns played again, and compared.

use std::io::Write;
use std::path::Path;

use goalspec::files;
use goalspec::simulator::trace;

use super::simulate::load;
use crate::args::{ReplayArgs, TraceDiffArgs};
use crate::output::{Failure, Outcome, Output, plural};

pub(crate) fn run(args: &ReplayArgs, output: &mut Output) -> Outcome {
    let Some(ready) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let text = read(&args.turns)?;
    match trace::replay(&ready.simulator, &text) {
        Ok(turns) => {
            let turns = plural(usize::try_from(turns).unwrap_or(usize::MAX), "turn");
            writeln!(output, "{}: {turns}, as recorded", args.turns.display())?;
            Ok(true)
        }
        Err(wrong) => {
            writeln!(output, "{}: {wrong} (one is the recording, the other the game)", args.turns.display())?;
            Ok(false)
        }
    }
}

pub(crate) fn diff(args: &TraceDiffArgs, output: &mut Output) -> Outcome {
    let [one, other] = [read(&args.one)?, read(&args.other)?];
    match trace::diff(&one, &other) {
        Ok(None) => {
            writeln!(output, "no difference")?;
            Ok(true)
        }
        Ok(Some(difference)) => {
            writeln!(output, "{difference}")?;
            Ok(false)
        }
        Err(wrong) => Err(Failure::Usage(wrong.to_string())),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    files::read_text(path).map_err(|diagnostic| Failure::Usage(diagnostic.message))
}
