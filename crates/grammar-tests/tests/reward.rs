//! Reward functions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use goalspec_constraints::OutputConstraint;
use goalspec_constraints::reward::{RewardVocabulary, constraint};
use goalspec_reward::codes;
use goalspec_rewards::program::RewardProgram;
use goalspec_rewards::screen_worlds;
use goalspec_rewards::world::RewardWorld;
use goalspec_syntax::Diagnostic;

use crate::canonical_python::canonical;
use crate::common::{Engines, on_threads, samples, source, sum_counts};
use crate::python_mutations::mutations;

/// The number of accepted published programs, without their comments and docstrings.
pub(crate) const ACCEPTED: usize = 10;

/// Returns the files of the published programs.
fn published() -> Option<Vec<PathBuf>> {
    let folder = goalspec_testing::conformance::folder("reward/programs")?;
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "py"));
    paths.sort();
    Some(paths)
}

/// Returns the world of a game and the constraint on its reward functions.
fn of_game(game: &str) -> (RewardWorld, OutputConstraint) {
    let world = RewardWorld::Screen(screen_worlds::builtin(&format!("atari/{game}")).expect("a game"));
    let attributes = world.attribute_names().into_iter().collect();
    let constraint = constraint(&RewardVocabulary { game: Some(game.to_owned()), attributes }).unwrap();
    (world, constraint)
}

/// Returns the game of a published program, which is part of the name of its file.
fn game_of(path: &std::path::Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()?.split('_').nth(1)).expect("a game")
}

#[test]
fn published_programs_are_accepted() {
    let Some(paths) = published() else { return };
    let open = Engines::of(&constraint(&RewardVocabulary::default()).unwrap());
    for path in &paths {
        let name = path.display().to_string();
        let text = canonical(&source(&name, &std::fs::read_to_string(path).unwrap()));
        open.assert_accepts(&name, &text);
        // Two readings of a program ask objects for `lives`, which no object of the world has.
        let of_world = Engines::of(&of_game(game_of(path)).1);
        assert_eq!(of_world.accepts(&text), !name.contains("l15_seaquest"), "{name}");
        // The layout is final, and keeps all statements.
        assert_eq!(canonical(&source(&name, &text)), text);
        let functions = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("def ")).count();
        assert_eq!(functions(&text), functions(&std::fs::read_to_string(path).unwrap()), "{name}");
    }
    assert_eq!(paths.len(), ACCEPTED);
}

#[test]
fn a_function_is_accepted_and_its_mutations_are_not() {
    let text = "from ocatari.ram.pong import *\ndef reward_function(objects) -> float:\n    reward = 0.5\n    for obj in objects:\n        if \
                isinstance(obj, Ball) and not obj.dx > -1:\n            reward += (obj.x - 3) ** 2\n        elif obj.y is not None:\n            \
                break\n    return max([o.w for o in objects if o], key=lambda o: o.h, default=0) if objects else reward\n";
    let engines = Engines::of(&of_game("pong").1);
    engines.assert_accepts("pong", text);
    for (from, to) in [
        ("from ocatari.ram.pong import *", "import os"),
        ("    for obj in objects:", "    while True:"),
        ("    for obj in objects:", "    with open(objects):"),
        ("        if", "      if"),
        ("reward\n", "reward"),
        ("reward += ", "reward +== "),
        ("            break", "            import"),
        ("pong", "tennis"),
        ("obj.dx", "obj.speed"),
        ("(objects) -> float", "(objects, if) -> float"),
        ("    return", "return"),
    ] {
        let mutation = text.replacen(from, to, 1);
        assert_ne!(mutation, text);
        assert!(!engines.accepts(&mutation), "{mutation}");
    }
    assert!(!engines.accepts(text.trim_end()));
}

/// Mutations that Python's syntax or the names of the world exclude are rejected by the grammar. The others are of names that the program
/// itself defines, of numbers of arguments, and of the order of statements.
#[test]
fn mutations_that_the_checker_rejects_are_rejected() {
    let Some(paths) = published() else { return };
    let counts = on_threads(&paths, |path| {
        let (world, constraint) = of_game(game_of(path));
        let matcher = constraint.grammar().unwrap().matcher();
        let name = path.display().to_string();
        let text = canonical(&source(&name, &std::fs::read_to_string(path).unwrap()));
        if matcher.check(&text).is_err() {
            return BTreeMap::new();
        }
        let mut counts: BTreeMap<(&'static str, &'static str), [usize; 2]> = BTreeMap::new();
        for mutation in mutations(&text) {
            let found = errors(&world, &mutation.text);
            let Some(first) = found.first() else { continue };
            let is_rejected = matcher.check(&mutation.text).is_err();
            assert!(
                is_rejected || first.code != codes::SYNTAX,
                "{name}: {}: {first:?}\n{}",
                mutation.kind,
                mutation.text
            );
            let count = counts.entry((mutation.kind, first.code.0)).or_default();
            count[0] += 1;
            count[1] += usize::from(is_rejected);
        }
        counts
    });
    let mut sums: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    for (key, [all, rejected]) in counts.into_iter().flatten() {
        let sum = sums.entry(key).or_default();
        *sum = [sum[0] + all, sum[1] + rejected];
    }
    println!("{sums:#?}");
    let [all, rejected] = sum_counts(sums.into_values());
    assert!(all > 4_000 && rejected * 4 > all * 3, "{rejected} of {all}");
}

/// Returns the errors of a program in a world, syntax errors first.
fn errors(world: &RewardWorld, text: &str) -> Vec<Diagnostic> {
    let (program, mut found) = RewardProgram::read(&source("reward.py", text), Some(world.clone()), None);
    found.extend(goalspec_rewards::lint::diagnostics(&program, None));
    found.retain(Diagnostic::is_error);
    found.sort_by_key(|found| found.code != codes::SYNTAX);
    found
}

#[test]
fn random_functions_are_valid_python() {
    let constraint = constraint(&RewardVocabulary::default()).unwrap();
    for text in samples(&constraint, 400) {
        let read = goalspec_reward::read(&source("reward.py", &text));
        let errors: Vec<_> =
            read.diagnostics.iter().filter(|found| found.code == goalspec_reward::codes::SYNTAX).collect();
        assert!(errors.is_empty(), "{errors:?}: {text}");
    }
}
