//! The `goalspec lsp` command: the language server.

use crate::args::LspArgs;
use crate::output::{CommandError, CommandResult};

pub(crate) fn run(LspArgs { stdio: _ }: &LspArgs) -> CommandResult {
    goalspec_lsp::run().map(|()| true).map_err(|error| CommandError::Usage(error.to_string()))
}
