//! The `goalspec view` command.

#[cfg(feature = "view")]
mod viewer;

use crate::args::ViewArgs;
use crate::output::{CommandResult, Output};

#[cfg(feature = "view")]
pub(crate) fn run(args: &ViewArgs, output: &mut Output) -> CommandResult {
    viewer::run(args, output)
}

#[cfg(not(feature = "view"))]
pub(crate) fn run(_: &ViewArgs, _: &mut Output) -> CommandResult {
    let message = "this build has no viewer: build `goalspec-cli` with the feature `view`";
    Err(crate::output::CommandError::Usage(message.to_owned()))
}
