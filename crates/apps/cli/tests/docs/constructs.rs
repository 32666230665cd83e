//! Every construct of the parsers' tables has an entry in the reference: a row of a table that names it in its first cell.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use goalspec::game::keywords::{self, BuiltInPredicate};
use goalspec::pddl::ast::TrajectoryOperator;
use goalspec::pddl::requirements::REQUIREMENTS;
use goalspec::python_runtime::library::{Library, builtin_names};
use goalspec::{bddl, pddl, rgg};

use super::generated;
use crate::common::root;

/// Returns the words that are entries of a page: those of the code in the first cells of its tables. In a table of the names of modules,
/// which a test of the language writes, all cells are entries.
fn entries(page: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("docs/src").join(page)).unwrap();
    let names = text.split_once("<!-- names -->").and_then(|(_, rest)| rest.split_once("<!-- end of names -->"));
    let names = names.map_or("", |(names, _)| names);
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next()).chain(names.lines());
    let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let words = codes.flat_map(|code| code.split([' ', '(', ')', '[', ']', '\'', '"']));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the words that have no entry, with the places in which they may stand.
fn missing<'w>(page: &str, tables: impl IntoIterator<Item = (&'w str, Vec<&'w str>)>) -> String {
    let entries = entries(page);
    let mut missing = String::new();
    for (place, words) in tables {
        let absent: Vec<&str> = words.into_iter().filter(|word| !entries.contains(*word)).collect();
        if !absent.is_empty() {
            let _ = writeln!(missing, "{page}: {place}: {}", absent.join(" "));
        }
    }
    missing
}

#[test]
fn every_keyword_has_an_entry_in_the_reference() {
    let game = [
        ("sections", keywords::SECTIONS.to_vec()),
        ("conditions", keywords::CONDITION.to_vec()),
        ("the setup", keywords::SETUP.to_vec()),
        ("constraints", keywords::CONSTRAINTS.to_vec()),
        ("preferences", keywords::PREFERENCE.to_vec()),
        ("sequences", keywords::SEQUENCE_OPERATORS.to_vec()),
        ("terminal conditions", keywords::TERMINAL.to_vec()),
        ("scores", keywords::SCORE.to_vec()),
        ("predicates of the language", BuiltInPredicate::ALL.map(BuiltInPredicate::name).to_vec()),
    ];
    let planning = [
        ("requirements", REQUIREMENTS.to_vec()),
        ("sections of a domain", pddl::parse::DOMAIN_SECTIONS.to_vec()),
        ("sections of a problem", pddl::parse::PROBLEM_SECTIONS.to_vec()),
        ("constraints", TrajectoryOperator::PDDL.map(TrajectoryOperator::keyword).to_vec()),
    ];
    let activities = bddl::parse::TABLES.map(|table| (table.title, table.words.to_vec()));
    let tables = rgg::reference::tables();
    let games = tables
        .iter()
        .map(|table| (table.title, table.keywords.iter().flat_map(|keyword| keyword.names.iter().copied()).collect()));
    let modules = Library::ALL.into_iter().filter(|library| *library != Library::World);
    let rewards = [("modules", modules.map(Library::name).collect()), ("built-in functions", builtin_names())];
    let missing = [
        missing("game-language.md", game),
        missing("planning.md", planning),
        missing("activities.md", activities),
        missing("game-keys.md", games),
        missing("reward-functions.md", rewards),
    ];
    assert!(missing.iter().all(String::is_empty), "words without an entry:\n{}", missing.concat());
}

/// The keywords of resource graph games, with their documentation.
#[test]
fn the_keywords_of_resource_games_are_current() {
    let mut content = String::new();
    for table in rgg::reference::tables() {
        let _ = writeln!(content, "## {}\n\n| keyword | required | meaning |\n|---|---|---|", table.title);
        for keyword in table.keywords {
            let names: Vec<String> = keyword.names.iter().map(|name| format!("`{name}`")).collect();
            let required = if keyword.is_required { "yes" } else { "" };
            let _ = writeln!(content, "| {} | {required} | {} |", names.join(", "), keyword.description);
        }
        content.push('\n');
    }
    generated("game-keys.md", &content);
}
