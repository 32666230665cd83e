//! The keywords that may start a list, or stand in it, by the words that start the lists around it.

use goalspec::game::keywords as game;
use goalspec::languages::Language;
use goalspec::pddl::ast::TrajectoryOperator;
use goalspec::pddl::requirements::REQUIREMENTS;

/// The kind of expression that a list stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// A definition or a section: only keywords.
    Section,
    /// A condition, an effect, or a literal of an initial state: keywords and predicates.
    Condition,
    /// A number: keywords and functions.
    Number,
    /// A list without a head, such as one of variables.
    Nothing,
}

const COMPARISONS: [&str; 5] = ["=", "<", "<=", ">", ">="];

const QUANTIFIERS: [&str; 5] = ["forall", "exists", "forn", "forpairs", "fornpairs"];

/// Returns the keywords that may start a list in the lists whose heads are `around`, outermost first and in lower case, and the kind of
/// expression that the list stands for. `index` is the number of items before it in the innermost one.
pub(super) fn heads(language: Language, around: &[&str], index: usize) -> (Vec<&'static str>, Expected) {
    match (around, language) {
        ([], _) => (vec!["define"], Expected::Section),
        (["define"], Language::Game) => {
            // A text without the word is taken for a game.
            let first: &[&str] = if index == 1 { &["game", "problem", "domain"] } else { &[] };
            (first.iter().copied().chain(game::SECTIONS).collect(), Expected::Section)
        }
        (["define"], _) => (planning_sections(language, index), Expected::Section),
        (["define", rest @ ..], Language::Game) => game_heads(rest, index),
        (["define", rest @ ..], _) => planning_heads(language, rest, index),
        _ => (Vec::new(), Expected::Nothing),
    }
}

fn game_heads(around: &[&str], index: usize) -> (Vec<&'static str>, Expected) {
    let parent = around.last().copied().unwrap_or_default();
    if is_variable_list(parent, index) {
        return (Vec::new(), Expected::Nothing);
    }
    let condition = || {
        let expected = if COMPARISONS.contains(&parent) { Expected::Number } else { Expected::Condition };
        (if expected == Expected::Number { Vec::new() } else { game::CONDITION.to_vec() }, expected)
    };
    let preference = around.iter().rposition(|word| *word == "preference");
    let pattern = around.iter().any(|word| matches!(*word, "then" | "at-end"));
    match around.first().copied().unwrap_or_default() {
        ":setup" if around.iter().any(|word| matches!(*word, "game-conserved" | "game-optional")) => condition(),
        ":setup" => (game::SETUP.to_vec(), Expected::Section),
        ":constraints" if parent == "then" => (game::SEQUENCE_OPERATORS.to_vec(), Expected::Section),
        ":constraints" if parent == "once-measure" && index == 2 => (Vec::new(), Expected::Number),
        ":constraints" if pattern => condition(),
        ":constraints" if preference.is_some() => (game::PREFERENCE.to_vec(), Expected::Section),
        ":constraints" => (game::CONSTRAINTS.to_vec(), Expected::Section),
        ":terminal" if !COMPARISONS.contains(&parent) => (game::TERMINAL.to_vec(), Expected::Section),
        ":terminal" | ":scoring" => (game::SCORE.to_vec(), Expected::Section),
        _ => (Vec::new(), Expected::Nothing),
    }
}

fn planning_sections(language: Language, index: usize) -> Vec<&'static str> {
    const BOTH: [&str; 5] = [":domain", ":requirements", ":objects", ":init", ":goal"];
    const PDDL: [&str; 9] = [
        ":constraints",
        ":metric",
        ":types",
        ":constants",
        ":predicates",
        ":functions",
        ":action",
        ":durative-action",
        ":derived",
    ];
    const DOMAIN: [&str; 3] = [":types", ":predicates", ":action"];
    let first: &[&str] = if index == 1 { &["problem", "domain"] } else { &[] };
    let rest = if language == Language::Pddl { &PDDL[..] } else { &DOMAIN[..] };
    first.iter().chain(&BOTH).chain(rest).copied().collect()
}

fn planning_heads(language: Language, around: &[&str], index: usize) -> (Vec<&'static str>, Expected) {
    let parent = around.last().copied().unwrap_or_default();
    if is_variable_list(parent, index) || matches!(parent, ":parameters" | "forn" | "fornpairs") && index == 1 {
        return (Vec::new(), Expected::Nothing);
    }
    if COMPARISONS.contains(&parent) || matches!(parent, "+" | "-" | "*" | "/" | "increase" | "decrease" | "assign") {
        return (vec!["+", "-", "*", "/"], Expected::Number);
    }
    let connectives = || {
        let mut words = vec!["and", "or", "not", "imply", "forall", "exists"];
        if language == Language::Bddl {
            words.extend(&QUANTIFIERS[2..]);
        } else {
            words.extend(COMPARISONS.iter().chain(&["preference", "when", "increase", "decrease", "assign"]));
            words.extend(TrajectoryOperator::PDDL.map(TrajectoryOperator::keyword));
            words.extend(["at start", "over all", "at end"]);
        }
        words
    };
    match around.first().copied().unwrap_or_default() {
        ":init" if around.len() == 1 => (vec!["not", "="], Expected::Condition),
        ":init" => (Vec::new(), Expected::Condition),
        ":metric" => (vec!["total-time", "total-cost", "is-violated", "+", "-", "*", "/"], Expected::Number),
        ":goal" | ":action" | ":durative-action" | ":derived" | ":constraints" => (connectives(), Expected::Condition),
        _ => (Vec::new(), Expected::Nothing),
    }
}

/// Whether a quantifier has a list of variables at this index.
fn is_variable_list(head: &str, index: usize) -> bool {
    QUANTIFIERS[..2].contains(&head) && index == 1 || head == "forpairs" && index <= 2
}

/// Returns the keywords that may stand in a list with this head, after the head.
pub(super) fn arguments(language: Language, head: &str) -> &'static [&'static str] {
    match (language, head) {
        (Language::Pddl, ":requirements") => &REQUIREMENTS,
        (Language::Pddl, ":durative-action") => &[":parameters", ":duration", ":condition", ":effect"],
        (Language::Pddl | Language::Bddl, ":action") => &[":parameters", ":precondition", ":effect"],
        (Language::Pddl, ":metric") => &["minimize", "maximize"],
        (Language::Bddl, ":requirements") => &[":strips", ":adl", ":typing", ":negative-preconditions"],
        _ => &[],
    }
}
