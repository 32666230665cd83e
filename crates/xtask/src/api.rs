//! Snapshots of the public API of all published crates, with all features, so that a review sees every change of it.

use std::fs;
use std::process::Command;

use crate::{CommandResult, root, run};

/// The name of a snapshot in the folder of its package.
const SNAPSHOT: &str = "public-api.txt";

/// Compares the public API of the packages with their snapshots, or writes the snapshots with `--update`.
pub(crate) fn api(arguments: &[String]) -> CommandResult {
    let update = match arguments {
        [] => false,
        [only] if only == "--update" => true,
        _ => return Err("usage: cargo xtask api [--update]".to_owned()),
    };
    let mut differs = false;
    for (package, folder) in published_libraries()? {
        let current = public_items(&package)?;
        let snapshot = format!("{folder}/{SNAPSHOT}");
        let path = root().join(&snapshot);
        if update {
            fs::write(&path, current).map_err(|error| format!("{snapshot}: {error}"))?;
            continue;
        }
        let recorded = fs::read_to_string(&path).map_err(|error| format!("{snapshot}: {error}"))?;
        for line in difference(&recorded, &current) {
            eprintln!("{snapshot}: {line}");
            differs = true;
        }
    }
    if !differs {
        return Ok(());
    }
    Err("the public API differs from its snapshots; `cargo xtask api --update` records it".to_owned())
}

/// Returns the names of the published packages with a library, each with its folder. The libraries of commands are not meant for others.
fn published_libraries() -> Result<Vec<(String, String)>, String> {
    let read = |path: &str| fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let workspace = read("Cargo.toml")?;
    let members =
        workspace.lines().filter_map(|line| Some(line.trim().strip_prefix('"')?.trim_end_matches([',', '"'])));
    let mut libraries = Vec::new();
    let is_library = |member: &&str| member.starts_with("crates/") && !member.starts_with("crates/apps/");
    for folder in members.filter(is_library) {
        let manifest = read(&format!("{folder}/Cargo.toml"))?;
        if manifest.contains("publish = false") || !root().join(folder).join("src/lib.rs").exists() {
            continue;
        }
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
        let name = name.ok_or_else(|| format!("{folder}/Cargo.toml has no name"))?;
        libraries.push((name.trim_matches('"').to_owned(), folder.to_owned()));
    }
    Ok(libraries)
}

/// Returns the public items of a package, one per line.
fn public_items(package: &str) -> Result<String, String> {
    let target = root().join("target");
    let mut rustdoc = Command::new(env!("CARGO"));
    rustdoc.args([
        "rustdoc",
        "--quiet",
        "-p",
        package,
        "--lib",
        "--all-features",
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
    ]);
    // The format of rustdoc's JSON is unstable, so the stable compiler writes it only if it is told to.
    let task = format!("documentation of {package} as JSON");
    run(&task, rustdoc.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &target))?;
    let json = target.join("doc").join(package.replace('-', "_")).with_extension("json");
    let mut list = Command::new(env!("CARGO"));
    list.args(["public-api", "-sss", "--rustdoc-json"]).arg(json).current_dir(root());
    let output = list.output().map_err(|error| format!("cargo public-api: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo public-api: {reason}`cargo xtask install` installs it"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the lines that only one of two lists has: `-` for the first, `+` for the second.
fn difference(before: &str, after: &str) -> Vec<String> {
    let only = |lines: &str, others: &str, sign: char| -> Vec<String> {
        let others: std::collections::HashSet<&str> = others.lines().collect();
        lines.lines().filter(|line| !others.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    [only(before, after, '-'), only(after, before, '+')].concat()
}

#[cfg(test)]
mod tests {
    use super::{difference, published_libraries};

    #[test]
    fn added_and_removed_items_are_listed() {
        assert_eq!(difference("a\nb\n", "b\nc\n"), ["- a", "+ c"]);
        assert!(difference("a\n", "a\n").is_empty());
    }

    #[test]
    fn development_crates_and_commands_have_no_snapshot() {
        let libraries = published_libraries().unwrap();
        let has = |name: &str| libraries.iter().any(|(package, _)| package == name);
        assert!(has("goalspec") && has("goalspec-core"));
        assert!(!has("goalspec-testing") && !has("goalspec-cli") && !has("xtask"));
    }
}
