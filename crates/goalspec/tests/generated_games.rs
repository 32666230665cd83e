//! New games over the rooms and the worlds of other languages.
//!
//! `GOALSPEC_SAMPLES` sets the number of games of each world.

use std::path::Path;

use goalspec::game::{Dialect, check};
use goalspec::game_generation::{GameGeneration, games_of};
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::shipped_worlds;
use goalspec::syntax::{Diagnostic, Severity, Sources};
use rayon::prelude::*;

/// The number of games of each world, unless the environment tells another one.
const GAMES: u64 = 3000;

/// The codes of findings about names, types and numbers of arguments.
const NAMES: [&str; 9] =
    ["invalid", "unknown", "type", "argument", "unused", "uncounted", "shadowed", "unbound", "other-world"];

fn number_of_games() -> u64 {
    std::env::var("GOALSPEC_SAMPLES").map_or(GAMES, |number| number.parse().expect("a number of games"))
}

fn example(name: &str) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    (path.display().to_string(), std::fs::read_to_string(path).expect("an example"))
}

/// Draws games, each of which has to check without an error or a warning about names.
fn assert_games_check(generation: &GameGeneration) {
    let world = generation.world();
    (0..number_of_games()).into_par_iter().for_each(|index| {
        let game = generation.sample(11, index).expect("a game");
        let text = generation.generator().text(&game.tree, "drawn");
        let mut sources = Sources::new();
        let id = sources.add("drawn.game", text.clone());
        let found = check(sources.file(id), Dialect::FORMAL, |_| Some(world)).diagnostics;
        let is_about_names = |code: &str| NAMES.iter().any(|part| code.contains(part));
        let is_defect =
            |own: &Diagnostic| own.is_error() || (own.severity == Severity::Warning && is_about_names(own.code.0));
        let defects: Vec<&Diagnostic> = found.iter().filter(|own| is_defect(own)).collect();
        assert!(defects.is_empty(), "{}, {index}: {defects:#?}\n{text}", world.name());
    });
}

#[test]
fn games_about_the_rooms_check_without_an_error() {
    let names = ["block-stairs", "catch-the-ball", "color-sort", "lights-out", "ramp-roll", "tidy-desk"];
    let corpus = names.map(|name| example(&format!("generation/{name}.game")));
    let library = Library::from_texts(corpus, LibraryOptions::default());
    for room in ["few-objects-room-v1", "medium-objects-room-v1", "many-objects-room-v1"] {
        let world = shipped_worlds::find(room).expect("a room");
        let options = GeneratorOptions::default();
        assert_games_check(&GameGeneration::new(&world, &games_of(&library), &options).expect("a generator"));
    }
}

#[test]
fn games_over_the_worlds_of_other_languages_check_without_an_error() {
    let sources_of_worlds: [&[&str]; 4] = [
        &["bddl/game_night.bddl"],
        &["pddl/delivery/domain.pddl", "pddl/delivery/two_vans.pddl"],
        &["pddl/supper/domain.pddl", "pddl/supper/tonight.pddl"],
        &["worlds/kitchen.world.toml", "worlds/make-tea.game"],
    ];
    for names in sources_of_worlds {
        let library = Library::from_texts(names.iter().map(|name| example(name)), LibraryOptions::default());
        let world = library.program_worlds().into_iter().next().expect("a world");
        assert_games_check(&GameGeneration::new(&world, &[], &GeneratorOptions::default()).expect("a generator"));
    }
}
