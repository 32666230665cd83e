//! Property tests: on fixed inputs in `test`, on fresh inputs in a campaign.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{CommandResult, root, run};

/// The environment variable with the seed of proptest.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The default number of rounds of a campaign.
const DEFAULT_ROUNDS: u64 = 20;

/// Fixes the seed of property tests, unless one is set, so that the result depends only on the code, never on chance.
pub(crate) fn with_fixed_seed(command: &mut Command) -> &mut Command {
    if std::env::var_os(SEED).is_none() { command.env(SEED, "1") } else { command }
}

/// Runs the property tests of the workspace repeatedly on fresh inputs, until one fails.
pub(crate) fn campaign(arguments: &[String]) -> CommandResult {
    let rounds = match arguments.first() {
        Some(text) => text.parse().map_err(|_| format!("invalid number of rounds `{text}`"))?,
        None => DEFAULT_ROUNDS,
    };
    let only = arguments.get(1).map_or("", String::as_str);
    let binaries: Vec<String> = binaries()?.into_iter().filter(|binary| binary.contains(only)).collect();
    if binaries.is_empty() {
        return Err(format!("unknown property tests `{only}`"));
    }
    let filter = binaries.iter().map(|binary| format!("binary_id({binary})")).collect::<Vec<_>>().join(" + ");
    let packages: BTreeSet<&str> =
        binaries.iter().map(|binary| binary.split_once("::").map_or(binary.as_str(), |(package, _)| package)).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?.as_nanos() as u64;
    for round in 0..rounds {
        let seed = now.wrapping_add(round);
        let mut command = Command::new(env!("CARGO"));
        command.args(["nextest", "run", "--status-level", "fail", "-E", &filter]);
        // Only the packages with tests to run are built.
        for package in &packages {
            command.args(["-p", package]);
        }
        run(&format!("{SEED}={seed}, round {} of {rounds}", round + 1), command.env(SEED, seed.to_string()))?;
    }
    Ok(())
}

/// Returns the names of the test binaries with property tests, as the test runner knows them.
fn binaries() -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let crates = root().join("crates");
    for file in sources(&crates)? {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        if !text.lines().any(|line| line.trim() == "proptest! {") {
            continue;
        }
        let owner =
            file.ancestors().find(|folder| folder.join("Cargo.toml").exists()).ok_or("a file outside of crates")?;
        let package = package(owner)?;
        let path = file.strip_prefix(owner).map_err(|error| error.to_string())?;
        let parts: Vec<_> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let binary = match parts.as_slice() {
            [folder, binary, ..] if folder == "tests" => format!("{package}::{binary}"),
            _ => package,
        };
        if !found.contains(&binary) {
            found.push(binary);
        }
    }
    Ok(found)
}

/// Returns all Rust files under a folder, sorted.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn package(folder: &Path) -> Result<String, String> {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).map_err(|error| error.to_string())?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
    name.map(|name| name.trim_matches('"').to_owned()).ok_or(format!("{} has no name", folder.display()))
}
