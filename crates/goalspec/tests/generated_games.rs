//! New games over the worlds of other languages.

use std::path::Path;

use goalspec::game::{Dialect, check};
use goalspec::game_generation::GameGeneration;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::{Severity, Sources};

/// The number of games of each world.
const GAMES: u64 = 3000;

/// The codes of findings about names, types and numbers of arguments.
const NAMES: [&str; 6] = ["invalid", "unknown", "type", "arity", "unused", "uncounted"];

#[test]
fn games_over_the_worlds_of_other_languages_check_without_an_error() {
    let sources_of_worlds: [&[&str]; 4] = [
        &["bddl/game_night.bddl"],
        &["pddl/delivery/domain.pddl", "pddl/delivery/two_vans.pddl"],
        &["pddl/supper/domain.pddl", "pddl/supper/tonight.pddl"],
        &["worlds/kitchen.world.toml", "worlds/make-tea.game"],
    ];
    for names in sources_of_worlds {
        let read = |name: &&str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
            (path.display().to_string(), std::fs::read_to_string(path).expect("an example"))
        };
        let library = Library::from_texts(names.iter().map(read), LibraryOptions::default());
        let world = library.program_worlds().into_iter().next().expect("a world");
        let generation = GameGeneration::new(&world, &[], &GeneratorOptions::default()).expect("a generator");
        for index in 0..GAMES {
            let game = generation.sample(11, index).expect("a game");
            let text = generation.generator().text(&game.tree, "drawn");
            let mut sources = Sources::new();
            let id = sources.add("drawn.game", text.clone());
            let found = check(sources.file(id), Dialect::FORMAL, |_| Some(&world)).diagnostics;
            let is_about_names = |code: &str| NAMES.iter().any(|part| code.contains(part));
            let defects: Vec<_> = found
                .iter()
                .filter(|own| own.is_error() || (own.severity == Severity::Warning && is_about_names(own.code.0)))
                .collect();
            assert!(defects.is_empty(), "{names:?}: {defects:#?}\n{text}");
        }
    }
}
