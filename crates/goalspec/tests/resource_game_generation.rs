//! New resource graph games: each can be played, and differs from its example.

use std::collections::BTreeSet;
use std::path::Path;

use goalspec::generation::resource_game::GameEdit;
use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::{PlayabilityOptions, Possibility, judge};
use goalspec::resource_game_generation::{NoResourceGame, ResourceGameGeneration};

fn texts() -> Vec<(&'static str, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rgg");
    let read = |name: &'static str| (name, std::fs::read_to_string(folder.join(name)).expect("an example"));
    ["berries.yaml", "climb.yaml"].map(read).to_vec()
}

fn generation() -> ResourceGameGeneration {
    let library = Library::from_texts(texts(), LibraryOptions::default());
    ResourceGameGeneration::new(&library, LibraryOptions::default()).expect("a generator")
}

fn assert_playable(text: &str) {
    let library = Library::from_texts([("made.yaml", text)], LibraryOptions::default());
    assert!(library.diagnostics().iter().all(|found| !found.is_error()), "{:?}\n{text}", library.diagnostics());
    let judged = judge(&library, &[], &PlayabilityOptions::default(), &|_| {});
    assert_eq!(judged[0].possibility(), Possibility::Possible, "{text}");
}

#[test]
fn games_can_be_played() {
    let generation = generation();
    let originals: Vec<String> = texts().into_iter().map(|(_, text)| text).collect();
    let mut all = BTreeSet::new();
    for index in 0..30 {
        let made = generation.sample(3, index).expect("a game");
        assert_playable(&made.text);
        assert_eq!(generation.sample(3, index).as_ref(), Some(&made), "the seed and the index determine a game");
        assert!(!originals.contains(&made.text));
        all.insert(made.text);
    }
    assert!(all.len() >= 25, "{}", all.len());
}

#[test]
fn variations_have_one_edit() {
    let generation = generation();
    for edit in GameEdit::ALL {
        for example in 0..generation.example_count() {
            let made = generation.vary(example, &[edit], (1, 0));
            let made = made.unwrap_or_else(|| panic!("{} of example {example}", edit.name()));
            assert_playable(&made.text);
            assert_eq!(made.edit, Some(edit));
        }
    }
}

#[test]
fn libraries_without_games_are_refused() {
    let none = Library::from_texts(Vec::<(&str, &str)>::new(), LibraryOptions::default());
    assert_eq!(ResourceGameGeneration::new(&none, LibraryOptions::default()).map(|_| ()), Err(NoResourceGame));
}
