//! Arguments of `goalspec new`.

use std::path::PathBuf;

use clap::Args;

/// Begin with files of your own: copies of a bundled example in a new folder
///
/// Bundled examples can also be named in the place of paths by every command that reads: `goalspec score @throw-to-bin`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec new my-goal                   a game, and a play to score it over
  goalspec new --from delivery vans      a planning problem
  goalspec new --list                    the bundled examples, and a command that shows each")]
pub(crate) struct NewArgs {
    /// The folder for the files [default: the name of the example]
    pub(crate) folder: Option<PathBuf>,
    /// The example that is copied
    #[arg(long, value_name = "EXAMPLE", default_value = "throw-to-bin")]
    pub(crate) from: String,
    /// List the bundled examples
    #[arg(long, conflicts_with_all = ["folder", "from"])]
    pub(crate) list: bool,
}
