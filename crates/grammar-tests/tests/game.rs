//! The game language: the published games.

use std::collections::BTreeMap;

use goalspec_constraints::OutputConstraint;
use goalspec_constraints::game::constraint;
use goalspec_game::{Dialect, codes, worlds};

use crate::common::{Engines, count_errors, count_rejected, mutations, on_threads, samples, source, sum_counts};

/// The codes of properties that the grammar leaves to the checker: variables, types of arguments, limits, references to
/// preferences, and functions that the world cannot evaluate.
const LEFT_TO_CHECKER: [&str; 13] = [
    "game/many-assignments",
    codes::NO_EXTERNALS.0,
    "game/many-bindings",
    codes::UNAVAILABLE.0,
    codes::UNBOUND_VARIABLE.0,
    codes::DUPLICATE_VARIABLE.0,
    codes::TOO_MANY_VARIABLES.0,
    codes::ARGUMENT_KIND.0,
    codes::DUPLICATE_PREFERENCE.0,
    codes::UNKNOWN_PREFERENCE.0,
    codes::EXTRA_SCORING_TYPE.0,
    codes::NO_MEASURE.0,
    codes::MIXED_EXTERNALS.0,
];

/// The number of published games of each corpus.
const CORPORA: [(&str, usize); 4] =
    [("interactive-beta", 98), ("human_games", 30), ("human_cell_archive_games", 30), ("novel_archive_cell_games", 40)];

fn games(corpus: &str) -> Option<Vec<String>> {
    let path = goalspec_testing::conformance::folder("game/corpora")?.join(format!("{corpus}.pddl"));
    let text = goalspec_constraints::layout::forms(&std::fs::read_to_string(path).unwrap());
    Some(text.lines().filter(|line| line.starts_with("(define")).map(str::to_owned).collect())
}

fn exports() -> BTreeMap<&'static str, (OutputConstraint, Engines)> {
    let export = |name| {
        let constraint = constraint(worlds::builtin(name).unwrap()).unwrap();
        let engines = Engines::of(&constraint);
        (name, (constraint, engines))
    };
    worlds::names().map(export).collect()
}

fn world_of(game: &str) -> &'static str {
    let (_, rest) = game.split_once("(:domain ").expect("a domain");
    worlds::builtin(rest.split(')').next().unwrap()).expect("a built-in world").name()
}

fn errors(text: &str, left_to_checker: &[&str]) -> BTreeMap<&'static str, usize> {
    let checked = goalspec_game::check(&source("game", text), Dialect::FORMAL, |_| None);
    let mut counts = BTreeMap::new();
    count_errors(&mut counts, &checked.diagnostics, left_to_checker);
    counts
}

/// The number of published games.
pub(crate) const ACCEPTED: usize = 198;

/// The number of mutations that the checker rejects, and of those that the grammar rejects.
pub(crate) const REJECTED: [usize; 2] = [1561, 1507];

#[test]
fn published_games_are_accepted() {
    let exports = exports();
    let mut accepted = 0;
    for (corpus, count) in CORPORA {
        let Some(games) = games(corpus) else { return };
        assert_eq!(games.len(), count, "{corpus}");
        for game in &games {
            let (_, engines) = &exports[world_of(game)];
            engines.assert_accepts(corpus, game);
            accepted += 1;
        }
    }
    assert_eq!(accepted, ACCEPTED);
}

#[test]
fn mutations_that_the_parser_rejects_are_rejected() {
    let Some(games) = games("interactive-beta") else { return };
    let exports = exports();
    let games: Vec<&String> = games.iter().step_by(4).collect();
    let counts = on_threads(&games, |game| {
        let matcher = exports[world_of(game)].0.grammar().unwrap().matcher();
        let mutations = mutations(game);
        count_rejected(
            mutations.iter().step_by(5),
            |text| errors(text, &[]),
            &LEFT_TO_CHECKER,
            |text| matcher.check(text).is_err(),
        )
    });
    assert_eq!(sum_counts(counts), REJECTED);
}

#[test]
fn random_games_are_parsed_without_errors() {
    let constraint = constraint(worlds::builtin("few-objects-room-v1").unwrap()).unwrap();
    for text in samples(&constraint, 300) {
        let found: Vec<&str> = errors(&text, &LEFT_TO_CHECKER).into_keys().collect();
        assert!(found.is_empty(), "{found:?}: {text}");
    }
}
