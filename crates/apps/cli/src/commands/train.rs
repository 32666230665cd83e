//! The `goalspec train` command, which is part of the Python package.

use crate::args::TrainArgs;
use crate::output::{CommandError, CommandResult};

pub(crate) fn run(args: &TrainArgs) -> CommandResult {
    let given = if args.arguments.is_empty() { "" } else { " with these arguments" };
    Err(CommandError::Usage(format!(
        "training is part of the Python package, which has a command `goalspec train` of its own: install it with `pip install .` in the \
         folder of the repository, and run its command{given}"
    )))
}
