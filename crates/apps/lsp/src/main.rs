//! The language server as a program of its own; `goalspec lsp` is the same server.

use std::process::ExitCode;

fn main() -> ExitCode {
    match goalspec_lsp::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("goalspec-lsp: {error}");
            ExitCode::from(2)
        }
    }
}
