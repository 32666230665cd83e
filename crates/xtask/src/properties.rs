//! Property tests: on fixed inputs in `test`, on fresh inputs in a campaign.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{CommandResult, root, run};

/// The environment variable with the seed of proptest.
const SEED: &str = "PROPTEST_RNG_SEED";

/// The beginnings of lines that define property tests.
const MACROS: [&str; 2] = ["proptest! {", "goalspec_testing::robustness_tests! {"];

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
    let suites: Vec<Suite> = suites()?.into_iter().filter(|suite| suite.name().contains(only)).collect();
    if suites.is_empty() {
        return Err(format!("unknown property tests `{only}`"));
    }
    let filter = suites.iter().map(Suite::filter).collect::<Vec<_>>().join(" + ");
    let packages: BTreeSet<&str> = suites.iter().map(|suite| &*suite.package).collect();
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

/// Property tests that run together: those in the sources of a package, or in one file of its integration tests.
#[derive(Debug, PartialEq, Eq)]
struct Suite {
    package: String,
    /// The module of the integration tests.
    module: Option<String>,
}

impl Suite {
    fn name(&self) -> String {
        match &self.module {
            Some(module) => format!("{}::{module}", self.package),
            None => self.package.clone(),
        }
    }

    /// Returns the expression that selects the tests for nextest.
    fn filter(&self) -> String {
        match &self.module {
            Some(module) => format!("(package({}) & kind(test) & test(/^{module}::/))", self.package),
            None => format!("(package({}) & kind(lib))", self.package),
        }
    }
}

/// Returns the property tests of the workspace.
fn suites() -> Result<Vec<Suite>, String> {
    let mut found = Vec::new();
    let crates = root().join("crates");
    for file in sources(&crates)? {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        if !text.lines().any(|line| MACROS.iter().any(|name| line.trim().starts_with(name))) {
            continue;
        }
        let owner =
            file.ancestors().find(|folder| folder.join("Cargo.toml").exists()).ok_or("a file outside of crates")?;
        let package = package(owner)?;
        let path = file.strip_prefix(owner).map_err(|error| error.to_string())?;
        let parts: Vec<_> = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module = match parts.as_slice() {
            [folder, module, ..] if folder == "tests" => Some(module.clone()),
            _ => None,
        };
        let suite = Suite { package, module };
        if !found.contains(&suite) {
            found.push(suite);
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
