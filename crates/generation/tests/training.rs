//! Models that are fitted to games tell games from their regrowths.

use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::training::{FitError, FitOptions, FitReport, Negatives, TrainingSet};

use crate::common;

const OPTIONS: FitOptions =
    FitOptions { seed: 3, negatives: Negatives::Typed, regrowths: 24, folds: 3, penalty: 0.003, steps: 60 };

fn generator(games: &[Game]) -> GameGenerator {
    let games: Vec<&Game> = games.iter().collect();
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator").0
}

fn fit(generator: &GameGenerator, threads: usize) -> (FitnessModel, FitReport) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| TrainingSet::new(generator, &OPTIONS).expect("a training set").fit(&OPTIONS))
}

#[test]
fn a_fitted_model_tells_games_from_their_regrowths() {
    let Some(games) = common::games(&["interactive-beta.pddl"]) else { return };
    let generator = generator(&games);
    let (model, report) = fit(&generator, 1);
    assert_eq!(fit(&generator, 2), (model.clone(), report.clone()));
    assert_eq!((report.games, report.regrowths), (98, 98 * 24));
    for separation in [report.held_out, report.counted, report.training] {
        assert!(separation.auc > 0.5 && separation.above_own > 0.7, "{report:#?}");
    }
    // A game that the n-grams count is recognised.
    assert!(report.counted.auc > report.held_out.auc + 0.05, "{report:#?}");
    let read = FitnessModel::from_json(&model.json().to_string()).expect("the model is read as it is written");
    assert_eq!(read, model);
    let published = FitnessModel::from_json(&common::text("fitness-model.json").expect("the model")).expect("a model");
    let mut groups: Vec<(&str, &str)> = model.weights.iter().map(|own| (&*own.name, &*own.category)).collect();
    let mut expected: Vec<(&str, &str)> = published.weights.iter().map(|own| (&*own.name, &*own.category)).collect();
    groups.sort_unstable();
    expected.sort_unstable();
    assert_eq!(groups, expected);
}

#[test]
fn impossible_fits_are_refused() {
    let Some(games) = common::games(&["interactive-beta.pddl"]) else { return };
    let error = |games: &[Game], options: &FitOptions| {
        TrainingSet::new(&generator(games), options).expect_err("no training set")
    };
    assert_eq!(error(&games[..1], &OPTIONS), FitError::FewGames(1));
    let many = FitOptions { regrowths: 1 << 21, ..OPTIONS };
    assert_eq!(error(&games[..3], &many), FitError::ManyRows(3 * ((1 << 21) + 1)));
    let negative = FitOptions { penalty: -1.0, ..OPTIONS };
    assert_eq!(error(&games[..3], &negative), FitError::Penalty(-1.0));
}
