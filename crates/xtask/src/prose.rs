//! A check of doc comments, whose first sentences define an item, and of the names of functions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{CommandResult, root};

/// Openings of sentences that paraphrase an item instead of defining it.
const OPENINGS: [&str; 5] = ["What ", "Who ", "Where ", "When ", "How "];

/// Beginnings of names of functions that state no fact.
const NAME_OPENINGS: [&str; 3] = ["what_", "who_", "whatever_"];

/// A word in the middle of names of functions that stands for an unnamed noun.
const NAME_FILLER: &str = "_what_";

/// Words without a meaning of their own, which do not make a sentence say more than the name of an item.
const FILLERS: [&str; 8] = ["a", "an", "the", "of", "this", "its", "and", "to"];

/// The keywords of items, each followed by the name of the item.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "union"];

/// The keywords that may precede `fn`.
const MODIFIERS: [&str; 3] = ["const", "unsafe", "async"];

/// A doc comment that does not define its item, or a name that states no fact.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    line: usize,
    sentence: String,
    problem: String,
}

/// Checks the doc comments and the names of functions of all crates.
pub(crate) fn check() -> CommandResult {
    let mut files = Vec::new();
    for folder in ["crates", "fuzz"] {
        rust_files(&root().join(folder), &mut files).map_err(|error| format!("{folder}: {error}"))?;
    }
    files.sort();
    let mut found = 0;
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
        for Finding { line, sentence, problem } in findings(&text) {
            eprintln!("{name}:{line}: {problem}: {sentence}");
            found += 1;
        }
    }
    if found == 0 { Ok(()) } else { Err(format!("{found} doc comments or names do not define an item")) }
}

pub(crate) fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the findings in a source file.
fn findings(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim).enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        if let Some(name) = function(line).filter(|name| states_no_fact(name)) {
            let problem = "the name states no fact".to_owned();
            found.push(Finding { line: index + 1, sentence: name.to_owned(), problem });
        }
        let Some(marker) = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker)) else { continue };
        let mut comment = vec![&line[marker.len()..]];
        while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with(marker)) {
            comment.push(&line[marker.len()..]);
        }
        let sentence = first_sentence(&comment);
        if let Some(opening) = OPENINGS.iter().find(|opening| sentence.starts_with(**opening)) {
            let problem = format!("begins with `{}`", opening.trim_end());
            found.push(Finding { line: index + 1, sentence, problem });
            continue;
        }
        while lines.next_if(|(_, line)| line.starts_with("#[")).is_some() {}
        let item = lines.peek().and_then(|(_, line)| public_item(line));
        if let Some(name) = item.filter(|name| marker == "///" && only_names(&sentence, name)) {
            found.push(Finding { line: index + 1, sentence, problem: format!("only repeats the name `{name}`") });
        }
    }
    found
}

/// Whether the name of a function paraphrases a fact instead of stating it.
fn states_no_fact(name: &str) -> bool {
    NAME_OPENINGS.iter().any(|opening| name.starts_with(opening)) || name.contains(NAME_FILLER)
}

/// Returns the name of the function that a line declares.
fn function(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_declaration = before.split_whitespace().all(|word| word.starts_with("pub") || MODIFIERS.contains(&word));
    is_declaration.then(|| rest.split(['(', '<']).next()).flatten()
}

/// Returns the first sentence of a comment, on one line.
fn first_sentence(comment: &[&str]) -> String {
    let paragraph = comment.iter().map(|line| line.trim()).take_while(|line| !line.is_empty());
    let paragraph = paragraph.collect::<Vec<_>>().join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

/// Returns the name of the public item that a line declares.
fn public_item(line: &str) -> Option<&str> {
    let declaration = line.strip_prefix("pub ")?;
    let mut words = declaration.split([' ', '(', '<', '{', ':', ';', '=']).filter(|word| !word.is_empty());
    let mut keyword = words.next()?;
    // A function can be `const`, `unsafe` or `async`; a constant begins with `const`, too.
    while ["const", "unsafe", "async"].contains(&keyword) {
        match words.next()? {
            next if ITEMS.contains(&next) || next == "unsafe" => keyword = next,
            name => return (keyword == "const").then_some(name),
        }
    }
    if ITEMS.contains(&keyword) { words.next() } else { None }
}

/// Whether a sentence consists of the words of a name.
fn only_names(sentence: &str, name: &str) -> bool {
    let normal = |word: String| word.trim_end_matches('s').to_owned();
    let mut sentence_words: Vec<String> = sentence
        .split(|character: char| !character.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !FILLERS.contains(&&**word))
        .map(normal)
        .collect();
    let mut named: Vec<String> =
        words(name).into_iter().filter(|word| !FILLERS.contains(&&**word)).map(normal).collect();
    sentence_words.sort();
    sentence_words.dedup();
    named.sort();
    named.dedup();
    sentence_words == named
}

/// Splits a name in camel case, snake case or upper case into words in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && lower) {
            words.push(String::new());
        }
        lower = character.is_lowercase();
        if character != '_' {
            words.last_mut().expect("there is a first word").extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{findings, public_item, words};

    fn problems(text: &str) -> Vec<String> {
        findings(text).into_iter().map(|finding| format!("{}: {}", finding.line, finding.problem)).collect()
    }

    #[test]
    fn openings_that_define_nothing_are_found() {
        assert_eq!(problems("/// What is wanted.\npub struct Wish;"), ["1: begins with `What`"]);
        assert_eq!(problems("//! How far\n//! a plan is.\n"), ["1: begins with `How`"]);
        assert_eq!(problems("/// When a plan ends.\npub struct End;"), ["1: begins with `When`"]);
        assert_eq!(problems("/// Whether a plan exists. What follows is free.\npub fn exists() {}"), [""; 0]);
    }

    #[test]
    fn names_of_functions_that_state_no_fact_are_found() {
        assert_eq!(problems("    fn what_is_large_is_an_error() {}"), ["1: the name states no fact"]);
        assert_eq!(problems("pub fn who_plays() {}"), ["1: the name states no fact"]);
        assert_eq!(problems("fn pages_show_what_commands_print() {}"), ["1: the name states no fact"]);
        assert_eq!(problems("fn large_inputs_are_errors() { fn_what_(); }\nwhat_is(fn what_)"), [""; 0]);
    }

    #[test]
    fn sentences_that_repeat_the_name_are_found() {
        assert_eq!(
            problems("/// The plan options.\n#[derive(Debug)]\npub struct PlanOptions;"),
            ["1: only repeats the name `PlanOptions`"]
        );
        assert_eq!(
            problems("/// The options of plans.\npub const PLAN_OPTION: u32 = 1;"),
            ["1: only repeats the name `PLAN_OPTION`"]
        );
        assert_eq!(problems("/// Options for one planning run.\npub struct PlanOptions;"), [""; 0]);
        // Private items and fields are read beside their types.
        assert_eq!(problems("/// The name.\npub name: String,\n/// The name.\nfn name() {}"), [""; 0]);
    }

    #[test]
    fn names_of_items_and_their_words() {
        assert_eq!(public_item("pub const unsafe fn run(x: u32)"), Some("run"));
        assert_eq!(public_item("pub const MAX: u32 = 1;"), Some("MAX"));
        assert_eq!(public_item("pub trait Monitor: Send {"), Some("Monitor"));
        assert_eq!(public_item("pub(crate) fn hidden()"), None);
        assert_eq!(words("MAX_RunBytes"), ["max", "run", "bytes"]);
    }
}
