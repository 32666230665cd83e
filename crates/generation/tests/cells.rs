//! The cells of the published games equal the recorded ones.

use goalspec_core::world::World;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::characteristics::{Characteristics, preference_groups};
use goalspec_generation::game::evolution::GameJudge;
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generator::productions::Productions as _;
use serde_json::Value;

use crate::common;

fn world() -> &'static World {
    worlds::builtin("many-objects-room-v1").expect("a room")
}

#[test]
fn cells_of_the_published_games_equal_the_recorded_ones() {
    let (Some(categories), Some(human), Some(study)) = (
        common::json("categories.json"),
        common::json_lines("human-cells.jsonl"),
        common::json_lines("study-fitness.jsonl"),
    ) else {
        return;
    };
    let corpus = common::games(&["interactive-beta.pddl"]).expect("the corpus");
    let games: Vec<_> = corpus.iter().collect();
    let (mut generator, unsupported) =
        GameGenerator::new(world(), &games, &GeneratorOptions::default()).expect("games");
    assert!(unsupported.is_empty());
    let exemplars = categories["exemplars"].as_array().expect("a list").iter().map(|exemplar| {
        let game = corpus.iter().position(|game| *game.name.text == *exemplar["game"].as_str().expect("a name"));
        let tree = &generator.corpus()[game.expect("a game of the corpus")];
        let groups = preference_groups(generator.games(), generator.tokens(), tree);
        let (_, groups) =
            groups.iter().find(|(name, _)| *name == exemplar["preference"]).expect("a preference of the game");
        *groups
    });
    let characteristics = Characteristics { max_preferences: 4, exemplars: exemplars.collect() };
    assert_eq!(characteristics, Characteristics::davidson());
    let model = FitnessModel::from_json(&common::text("fitness-model.json").expect("the model")).expect("a model");
    let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus());
    let judge = GameJudge { ngrams, model, characteristics };
    let files = ["human_games.pddl", "human_cell_archive_games.pddl", "novel_archive_cell_games.pddl"];
    let studied = common::games(&files).expect("the games of the study");
    let mut differences = Vec::new();
    let all = corpus.iter().zip(&human).chain(studied.iter().zip(&study));
    for (game, line) in all {
        let tree = generator.read(game).expect("a tree");
        let evaluation = judge.evaluate(&generator, &tree);
        let expected: Option<Vec<i64>> =
            line["cell"].as_array().map(|cell| cell.iter().filter_map(Value::as_i64).collect());
        let found = evaluation.cell.map(|cell| cell.into_iter().map(i64::from).collect());
        if found != expected {
            differences.push(format!("{} {found:?} {expected:?}", game.name.text));
        }
    }
    assert!(differences.is_empty(), "{} {differences:#?}", differences.len());
}
