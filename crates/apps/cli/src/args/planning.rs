//! Options about planning problems, shared by the commands that read them.

use std::path::PathBuf;

use clap::Args;

// No documentation: clap would take it for that of the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Planning problems (PDDL)")]
pub(crate) struct PlanningArgs {
    /// The domain of all problems [default: by the name that a problem gives, among the files and beside the problem]
    #[arg(long, value_name = "FILE")]
    pub(crate) domain: Option<PathBuf>,
}
