//! Arguments of `goalspec fetch`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Download published data sets
///
/// `bddl` is the Python package with the activities and the knowledge base of BEHAVIOR. It is downloaded with pip from the Python package
/// index and unpacked into the user's data folder, where every command finds it: activities by name (`bddl:storing_food`), and the
/// knowledge base without --knowledge. Only archives with a known hash are unpacked; existing releases are not changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec fetch bddl                               release 3.6.0
  goalspec fetch bddl --release 1.0.0 --release 3.1.0
                                                    older releases: 1.0.0, 1.0.1, 3.1.0, 3.5.0, 3.6.0
  goalspec fetch bddl --into data/                  into data/bddl-3.6.0

Folders:
  --into, or $GOALSPEC_DATA, or `goalspec` in the platform's data folder: $XDG_DATA_HOME or ~/.local/share,
  ~/Library/Application Support, %LOCALAPPDATA%

Exit codes:
  0  the release is available
  1  the hash of the archive does not match, or the archive cannot be unpacked or written
  3  the download failed: pip is not installed, or the network is not available")]
pub(crate) struct FetchArgs {
    /// The data to fetch
    #[arg(value_enum)]
    pub(crate) what: Fetchable,
    /// Release to fetch; may be repeated [default: 3.6.0]
    #[arg(long, value_name = "VERSION")]
    pub(crate) release: Vec<String>,
    /// Folder of the releases, each in its own subfolder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: FetchFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fetchable {
    /// Activities and knowledge base of BEHAVIOR
    Bddl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FetchFormat {
    /// Human-readable lines
    #[default]
    Text,
    /// One line with a JSON object per release
    Jsonl,
}
