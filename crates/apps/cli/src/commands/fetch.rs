//! The `goalspec fetch` command.

use std::io::Write;

use goalspec::releases;
use goalspec::releases::download::{self, FetchError};
use serde_json::json;

use crate::args::{FetchArgs, FetchFormat};
use crate::output::{CommandError, CommandResult, Output};

/// The release to fetch by default.
const DEFAULT_RELEASE: &str = "3.6.0";

/// The exit code of a failed download.
const NOT_DOWNLOADED: u8 = 3;

pub(crate) fn run(args: &FetchArgs, output: &mut Output) -> CommandResult {
    let Some(folder) = args.into.clone().or_else(releases::data_folder) else {
        let message = "no data folder: specify one with --into, or set GOALSPEC_DATA";
        return Err(CommandError::Usage(message.to_owned()));
    };
    let default = [DEFAULT_RELEASE.to_owned()];
    let versions = if args.release.is_empty() { &default[..] } else { &args.release };
    for version in versions {
        let fetched = match download::bddl(version, &folder) {
            Ok(fetched) => fetched,
            Err(error @ FetchError::UnknownVersion(_)) => return Err(CommandError::Usage(error.to_string())),
            Err(error) => {
                anstream::eprintln!("goalspec: bddl {version}: {error}");
                let skipped = matches!(error, FetchError::NoPip | FetchError::Download(_));
                return if skipped { Err(CommandError::ExitCode(NOT_DOWNLOADED)) } else { Ok(false) };
            }
        };
        let folder = fetched.folder.display();
        match args.format {
            FetchFormat::Text if fetched.was_present => writeln!(output, "bddl {version}: already in {folder}")?,
            FetchFormat::Text => writeln!(output, "bddl {version}: fetched into {folder}")?,
            FetchFormat::Jsonl => {
                let record = json!({"release": version, "folder": folder.to_string(), "present": fetched.was_present});
                writeln!(output, "{record}")?;
            }
        }
    }
    Ok(true)
}
