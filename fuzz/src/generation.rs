//! New games: any corpus, archive specification, fitness model, archive or table of recorded plays is read without panic, and what is drawn
//! from games that check has no error either.
//!
//! The first byte chooses what the rest is: a game (`g`), a specification (`s`), a model (`m`), an archive (`a`), a table (`e`) or a game whose
//! shape others are to have (`l`).

use std::sync::Arc;

use goalspec::core::world::World;
use goalspec::game_generation::{
    GameGeneration, GeneratedGame, GenerationError, SizeChange, WantedChange, games_of, only_world,
};
use goalspec::generation::fitness::FitnessModel;
use goalspec::generation::game::archive_file;
use goalspec::generation::game::characteristics::Characteristics;
use goalspec::generation::game::evidence::PlayEvidence;
use goalspec::generation::game::features::names::Feature;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::generation::game::variation::Operator;
use goalspec::generator::sampler::DrawLimits;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::Diagnostic;

/// A game that models and archives are read beside.
const GAME: &str = include_str!("../../examples/game/tower.game");

/// The limits of drawn games, so that an input takes milliseconds.
const LIMITS: DrawLimits = DrawLimits { depth: 14, nodes: 80 };

/// The number of games that are drawn.
const DRAWN: u64 = 3;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match kind {
        b's' => specification(text),
        b'm' => model(text),
        b'a' => archive(text),
        b'e' => evidence(text),
        b'l' => like(text),
        _ => corpus(text),
    }
}

fn library(text: &str) -> Library {
    Library::from_texts([("fuzz.game".to_owned(), text.to_owned())], LibraryOptions::default())
}

/// Returns a generator over the world of the games of a library.
fn generation(library: &Library) -> Result<GameGeneration, GenerationError> {
    let games = games_of(library);
    let world: Arc<World> = only_world(&games)?;
    let options = GeneratorOptions { limits: LIMITS, ..GeneratorOptions::default() };
    GameGeneration::new(&world, &games, &options)
}

fn corpus(text: &str) {
    let library = library(text);
    if library.diagnostics().iter().any(Diagnostic::is_error) {
        return;
    }
    let Ok(mut generation) = generation(&library) else { return };
    for index in 0..DRAWN {
        if let Some(game) = generation.sample(1, index) {
            assert_checks(&generation, &game);
        }
    }
    let change = WantedChange { operators: Operator::WEIGHTED.to_vec(), size: SizeChange::Any };
    for game in games_of(&library) {
        let Ok(tree) = generation.read(&game) else { continue };
        for index in 0..DRAWN {
            if let Some(varied) = generation.vary(&game, &tree, &change, (1, index)) {
                assert_checks(&generation, &varied);
            }
        }
        let judge = generation.judge(FitnessModel::plain());
        assert!(judge.evaluate(generation.generator(), &tree).fitness.is_finite(), "every game has a fitness");
    }
}

/// Checks that a new game has no error, and that it is read as the tree that it was made of.
fn assert_checks(generation: &GameGeneration, game: &GeneratedGame) {
    let text = generation.text(game);
    let library = library(&text);
    let errors: Vec<&Diagnostic> = library.diagnostics().iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "a new game has errors: {errors:?}\n{text}");
    let games = games_of(&library);
    assert_eq!(games.len(), 1, "a new game is one game:\n{text}");
    let tree = generation.clone().read(&games[0]).expect("the generator represents what it draws");
    assert_eq!(generation.generator().nodes(&tree), generation.generator().nodes(&game.tree), "{text}");
}

fn evidence(text: &str) {
    let Ok(evidence) = PlayEvidence::from_json(text) else { return };
    let again = PlayEvidence::from_json(&evidence.json().to_string()).expect("a written table is read");
    assert_eq!(evidence, again, "a table is written as it was read");
    let generation = generation(&library(GAME)).expect("the game of the target is one");
    let mut judge = generation.judge(FitnessModel::plain());
    judge.evidence = Some(generation.evidence(&evidence));
    let game = generation.sample(4, 0).expect("a game is drawn");
    let features = judge.evaluate(generation.generator(), &game.tree).features;
    let share = features.get(Feature::PredicatesPlayed);
    assert!((0.0..=1.0).contains(&share), "a share is between 0 and 1: {share}");
}

fn like(text: &str) {
    let library = library(text);
    if library.diagnostics().iter().any(Diagnostic::is_error) {
        return;
    }
    let Ok(mut generation) = generation(&library) else { return };
    let judge = generation.judge(FitnessModel::plain());
    // The walk to one game takes long enough.
    let Some(game) = games_of(&library).into_iter().next() else { return };
    let Ok(example) = generation.example(&game, &judge) else { return };
    if let Ok(made) = generation.sample_like((&game, &example), &judge, (1, 0)) {
        assert_checks(&generation, &made);
        let cells = [generation.read(&game).expect("it was read before"), made.tree]
            .map(|tree| judge.evaluate(generation.generator(), &tree).cell);
        assert_eq!(cells[0], cells[1], "a game like another one is in its cell:\n{text}");
    }
}

fn specification(text: &str) {
    let Ok(characteristics) = Characteristics::from_toml(text) else { return };
    let generation = generation(&library(GAME)).expect("the game of the target is one");
    let mut judge = generation.judge(FitnessModel::plain());
    judge.characteristics = characteristics;
    for index in 0..DRAWN {
        if let Some(game) = generation.sample(2, index) {
            judge.evaluate(generation.generator(), &game.tree);
        }
    }
}

fn model(text: &str) {
    let Ok(model) = FitnessModel::from_json(text) else { return };
    let generation = generation(&library(GAME)).expect("the game of the target is one");
    let again = FitnessModel::from_json(&model.json().to_string()).expect("a written model is read");
    let game = generation.sample(3, 0).expect("a game is drawn");
    let fitness = [model, again].map(|model| generation.judge(model).evaluate(generation.generator(), &game.tree).fitness);
    assert_eq!(fitness[0].to_bits(), fitness[1].to_bits(), "a model is written as it was read");
}

fn archive(text: &str) {
    let generation = generation(&library(GAME)).expect("the game of the target is one");
    let judge = generation.judge(FitnessModel::plain());
    let setting = archive_file::read_setting(text);
    let read = archive_file::read(text, &mut generation.generator().clone(), &judge);
    assert!(setting.is_ok() || read.is_err(), "an archive without a setting is invalid");
}
