//! New resource graph games: each can be played, and differs from its example.

use std::collections::BTreeSet;
use std::path::Path;

use goalspec::generation::resource_game::{GameEdit, MAX_DRAFTS};
use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::{PlayabilityOptions, Possibility, judge};
use goalspec::resource_game_generation::{NoResourceGame, ResourceGameGeneration};
use goalspec::resource_games::loaded_game;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::episode::EpisodeRunner;

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
fn most_parts_of_a_game_are_new() {
    let generation = generation();
    let originals: Vec<String> = texts().into_iter().map(|(_, text)| text).collect();
    let lines = |text: &str| -> BTreeSet<String> { text.lines().map(str::to_owned).collect() };
    let known: BTreeSet<String> = originals.iter().flat_map(|text| lines(text)).collect();
    let made = (0..20).filter_map(|index| generation.sample(8, index));
    let is_new = |text: &str| lines(text).difference(&known).count() >= 4;
    assert!(made.filter(|made| is_new(&made.text)).count() >= 12);
}

/// The maximum number of drafts of a sample, a tenth of the limit.
const EXPECTED_DRAFTS: u32 = MAX_DRAFTS / 10;

/// The games of the conformance data take part if they are present and their results are built in.
#[test]
fn samples_are_found_within_a_tenth_of_the_drafts() {
    let mut games: Vec<(String, String)> = texts().into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    if let Some(folder) = goalspec_testing::conformance::folder("rgg") {
        for entry in std::fs::read_dir(folder.join("games")).expect("a folder").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "yaml") {
                let name = entry.file_name().to_string_lossy().into_owned();
                games.push((name, std::fs::read_to_string(entry.path()).expect("a game")));
            }
        }
    }
    let mut examples = 0;
    for (name, text) in games {
        let library = Library::from_texts([(name.clone(), text)], LibraryOptions::default());
        let Ok(generation) = ResourceGameGeneration::new(&library, LibraryOptions::default()) else { continue };
        examples += 1;
        for index in 0..20 {
            let made = generation.sample(4, index).unwrap_or_else(|| panic!("{name}: no sample {index}"));
            assert!(made.drafts <= EXPECTED_DRAFTS, "{name}: {} drafts for sample {index}", made.drafts);
        }
    }
    assert!(examples >= texts().len());
}

/// A quotient of a drawn expression may have the divisor 0.
#[test]
fn rewards_of_simulated_games_are_finite() {
    let generation = generation();
    for index in 0..60 {
        let made = generation.sample(0, index).expect("a game");
        let library = Library::from_texts([("made.yaml", made.text.clone())], LibraryOptions::default());
        let program = library.programs().first().expect("a program");
        let loaded = loaded_game(program, library.custom_results()).expect("a game").expect("no errors");
        let policies = TeamPolicies::new(loaded.simulator.game(), &["masked-random".to_owned()]).expect("a policy");
        let mut runner = EpisodeRunner::new(&loaded.simulator, 500);
        for index in 0..50 {
            let episode = runner.play(0, index, &mut policies.policies());
            let is_finite = |reward: &Option<f64>| reward.is_some_and(f64::is_finite);
            assert!(episode.rewards.iter().all(is_finite), "{:?}\n{}", episode.rewards, made.text);
        }
    }
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
fn games_that_new_ones_cannot_resemble_are_named() {
    // The alias refers to a section that is replaced.
    let anchored = "teams: [a]
board: {nodes: [n]}
resourceSpace: {n: {x: int(0)}}
actionSpace: {a: {go: }}
actions:
  go: {cost: {n.x: 1}, requires: &all {}}
rewards: {a: {Field: n.x}}
completed: {n.x: {Gte: 3}}
metrics: [n.x]
metadata: *all
";
    let library =
        Library::from_texts([texts().remove(0), ("anchored.yaml", anchored.to_owned())], LibraryOptions::default());
    let generation = ResourceGameGeneration::new(&library, LibraryOptions::default()).expect("a generator");
    assert_eq!(generation.example_count(), 1);
    let names: Vec<&str> = generation.unsupported().iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["anchored.yaml"]);
}

#[test]
fn libraries_without_games_are_refused() {
    let none = Library::from_texts(Vec::<(&str, &str)>::new(), LibraryOptions::default());
    assert_eq!(ResourceGameGeneration::new(&none, LibraryOptions::default()).map(|_| ()), Err(NoResourceGame));
}
