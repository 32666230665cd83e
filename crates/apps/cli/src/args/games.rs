//! Options for games of the game language, shared by several commands.

use clap::Args;
use goalspec::game::Dialect;
use goalspec::settings::GameSettings;

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GameArgs {
    /// Allow a `hold` between two other operators to cover no state [default: at least one state]
    #[arg(long)]
    empty_holds: bool,
}

impl GameArgs {
    /// Returns the name of an option that is set, if any.
    pub(crate) fn first_set_option(&self) -> Option<&'static str> {
        self.empty_holds.then_some("--empty-holds")
    }

    /// Returns the options with those of the settings where none is given.
    pub(crate) fn or(&self, settings: &GameSettings) -> Self {
        Self { empty_holds: self.empty_holds || settings.empty_holds }
    }

    /// Returns the dialect of games.
    pub(crate) fn dialect(&self) -> Dialect {
        if self.empty_holds { Dialect::PROSE } else { Dialect::FORMAL }
    }
}
