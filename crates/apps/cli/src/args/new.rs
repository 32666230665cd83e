//! Arguments of `goalspec new`.

use std::path::PathBuf;

use clap::Args;

/// Copy a bundled example to a new folder
///
/// Commands that read files also accept the name of an example instead of a path: `goalspec score @throw-to-bin`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec new my-goal                   a game and a trace
  goalspec new --from delivery vans      a planning problem
  goalspec new --list                    list the bundled examples, each with a command")]
pub(crate) struct NewArgs {
    /// Output folder [default: the name of the example]
    pub(crate) folder: Option<PathBuf>,
    /// The example to copy
    #[arg(long, value_name = "EXAMPLE", default_value = "throw-to-bin")]
    pub(crate) from: String,
    /// List the bundled examples
    #[arg(long, conflicts_with_all = ["folder", "from"])]
    pub(crate) list: bool,
}
