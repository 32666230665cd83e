//! Checks every block of the pages according to its language.
//!
//! | language | check |
//! |---|---|
//! | `console` | the commands are run and their output is compared |
//! | `game`, `bddl`, `pddl`, `yaml rgg`, `toml world`, `python reward` | `goalspec check`; with `,error=CODE`, it reports this code |
//! | `json`, `jsonl`, `toml` | the text is well-formed |
//! | `pycon` | the tests of the Python package run the session |
//! | `rust` | the block includes an example of a crate, which the tests compile |
//! | any other | none: the directive `<!-- LANGUAGE: REASON -->` states why |
//!
//! Further directives: `<!-- with: PATH -->` checks the program together with a file, `<!-- part of: NAME -->` checks all parts of a file
//! together, and `<!-- excerpt of: PATH -->` compares the block with a file of the repository, except for layout.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::{Block, Page, name, pages};
use crate::common::{Folder, root};

/// Returns the file extension of the programs of a language.
fn extension(language: &str) -> Option<&'static str> {
    Some(match language {
        "game" => "game",
        "bddl" => "bddl",
        "pddl" => "pddl",
        "yaml rgg" => "yaml",
        "toml world" => "world.toml",
        "python reward" => "py",
        _ => return None,
    })
}

/// Returns the problem with a program, which must have no errors, or an error with this code.
fn check_program(folder: &Folder, file: &str, with: &str, expected: Option<&str>) -> Result<(), String> {
    // Worlds need no other file, and reward functions import their world.
    let needs_world = !["toml", "py"].contains(&file.rsplit('.').next().unwrap_or_default());
    let world = if with.is_empty() && needs_world { "examples/worlds/kitchen.world.toml" } else { with };
    let done = folder.run(&format!("check --format line {file} {world}"));
    let is_expected = match expected {
        Some(code) => done.code == Some(1) && done.all().contains(&format!("error[{code}]")),
        None => done.code == Some(0),
    };
    if is_expected { Ok(()) } else { Err(format!("expected {}:\n{}", expected.unwrap_or("no errors"), done.all())) }
}

/// Returns the text without blanks, which layout changes.
fn without_blanks(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Returns the problem with a block that is data or included code.
fn check_data(language: &str, text: &str, page: &Path) -> Option<Result<(), String>> {
    let json =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).map(|_| ()).map_err(|error| error.to_string());
    Some(match language {
        "json" => json(text),
        "jsonl" => text.lines().try_for_each(json),
        "toml" => text.parse::<toml::Table>().map(|_| ()).map_err(|error| error.to_string()),
        "rust" => {
            let included = text.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
            let is_example = |path: &&str| path.contains("/examples/") && page.with_file_name(path).exists();
            included.filter(is_example).map(|_| ()).ok_or_else(|| "not an included example".to_owned())
        }
        _ => return None,
    })
}

/// Returns the problem with one block.
fn check_block(folder: &Folder, page: &Path, block: &Block) -> Result<(), String> {
    if let Some(path) = block.directive("excerpt of") {
        let whole = std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        let is_excerpt = without_blanks(&whole).contains(&without_blanks(&block.text));
        return if is_excerpt { Ok(()) } else { Err(format!("not an excerpt of {path}")) };
    }
    let (language, expected) = match block.info.split_once(",error=") {
        Some((language, code)) => (language, Some(code)),
        None => (&*block.info, None),
    };
    if let Some(extension) = extension(language) {
        let file = format!("shown.{extension}");
        folder.write(&file, &block.text);
        return check_program(folder, &file, block.directive("with").unwrap_or_default(), expected);
    }
    if let Some(result) = check_data(language, &block.text, page) {
        return result;
    }
    match language {
        "" => Err("a block without a language".to_owned()),
        "console" | "pycon" => Ok(()),
        _ if block.directive(language).is_some_and(|reason| !reason.is_empty()) => Ok(()),
        _ => Err(format!("a block that is not checked, without `<!-- {language}: REASON -->`")),
    }
}

#[test]
fn every_block_is_checked_or_states_why_not() {
    let mut failures = String::new();
    let mut checked = 0;
    for path in pages() {
        let folder = Folder::new();
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        for block in Page::read(&path).blocks().filter(|block| !block.is_generated) {
            if let Some(whole) = block.directive("part of") {
                let _ = writeln!(parts.entry(whole.to_owned()).or_default(), "{}", block.text);
                continue;
            }
            checked += 1;
            if let Err(problem) = check_block(&folder, &path, block) {
                let _ = writeln!(failures, "{}:{}: {problem}", name(&path), block.line);
            }
        }
        for (file, text) in parts {
            folder.write(&file, text);
            if let Err(problem) = check_program(&folder, &file, "", None) {
                let _ = writeln!(failures, "{}: {file}: {problem}", name(&path));
            }
        }
    }
    assert!(checked > 200, "the pages are read");
    assert!(failures.is_empty(), "{failures}");
}
