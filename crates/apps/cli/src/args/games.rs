//! Options about games of the game language, shared by the commands that read them.

use clap::Args;
use goalspec::game::Dialect;

// No documentation: clap would take it for that of the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArgs {
    /// Let a `hold` between two other operators cover no state at all [default: one state or more]
    #[arg(long)]
    empty_holds: bool,
}

impl GameArgs {
    /// The option that was given, if one was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        self.empty_holds.then_some("--empty-holds")
    }

    /// The reading that was asked for.
    pub(crate) fn dialect(&self) -> Dialect {
        if self.empty_holds { Dialect::PROSE } else { Dialect::FORMAL }
    }
}
