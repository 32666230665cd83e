//! Arguments of `goalspec completions` and `goalspec man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec completions bash > ~/.local/share/bash-completion/completions/goalspec
  goalspec completions zsh > ~/.zfunc/_goalspec      for a folder in `fpath`
  goalspec completions fish > ~/.config/fish/completions/goalspec.fish
  goalspec completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Write the manual pages of all commands
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec man ~/.local/share/man/man1      then `man goalspec-check`")]
pub(crate) struct ManArgs {
    /// Output folder, created if it does not exist; existing pages are replaced
    pub(crate) folder: PathBuf,
}
