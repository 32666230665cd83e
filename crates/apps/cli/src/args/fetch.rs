//! Arguments of `goalspec fetch`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Fetch data that others publish
///
/// `bddl` is the Python package with the activities of BEHAVIOR and what is known of their things. It is downloaded with pip from the
/// Python package index and put into the user's folder for data, where every command finds it: activities by name (`bddl:storing_food`),
/// and knowledge without --knowledge. Only archives whose hash is known are unpacked; what is there already is left alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec fetch bddl                               release 3.6.0
  goalspec fetch bddl --release 1.0.0 --release 3.1.0
                                                    older ones: 1.0.0, 1.0.1, 3.1.0, 3.5.0, 3.6.0
  goalspec fetch bddl --into data/                  into data/bddl-3.6.0

Folders:
  --into, or $GOALSPEC_DATA, or `goalspec` in the platform's folder for data: $XDG_DATA_HOME or ~/.local/share,
  ~/Library/Application Support, %LOCALAPPDATA%

Exit codes:
  0  it is there now
  1  the archive is not the one that is known, or cannot be written
  3  it cannot be downloaded: there is no pip, or no network")]
pub(crate) struct FetchArgs {
    /// What to fetch
    #[arg(value_enum)]
    pub(crate) what: Fetchable,
    /// Which releases [default: 3.6.0]
    #[arg(long, value_name = "VERSION")]
    pub(crate) release: Vec<String>,
    /// Folder for the releases, each in a folder of its own
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// How it is said what was done
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: FetchFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fetchable {
    /// Activities and knowledge of BEHAVIOR
    Bddl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FetchFormat {
    /// A line for people
    #[default]
    Text,
    /// One JSON object per release and line
    Jsonl,
}
