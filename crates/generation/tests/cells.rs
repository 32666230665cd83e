//! The cells of the published games equal the recorded ones.

use goalspec_core::world::World;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::characteristics::{Characteristic, Characteristics, preference_groups};
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
    let characteristics = Characteristics::davidson();
    let exemplars = characteristics.list.iter().filter_map(|own| match own {
        Characteristic::Resembles { exemplar, groups } => Some((exemplar.clone(), *groups)),
        _ => None,
    });
    let published = categories["exemplars"].as_array().expect("a list").iter().map(|exemplar| {
        let game = corpus.iter().position(|game| *game.name.text == *exemplar["game"].as_str().expect("a name"));
        let tree = &generator.corpus()[game.expect("a game of the corpus")];
        let all = preference_groups(&characteristics.groups, generator.games(), generator.tokens(), tree);
        all.into_iter().find(|(name, _)| *name == exemplar["preference"]).expect("a preference of the game")
    });
    assert_eq!(exemplars.collect::<Vec<_>>(), published.collect::<Vec<_>>());
    let model = FitnessModel::from_json(&common::text("fitness-model.json").expect("the model")).expect("a model");
    let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus());
    let judge = GameJudge { ngrams, model, characteristics, evidence: None };
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

#[test]
fn an_archive_has_the_characteristics_of_its_specification() {
    let spec = "
        max-preferences = 2
        [groups.round]
        objects = [\"ball\"]
        [groups.resting]
        predicates = [\"on\"]
        at-end = true
        [[characteristics]]
        kind = \"preferences\"
        [[characteristics]]
        kind = \"using\"
        group = \"round\"
        [[characteristics]]
        kind = \"using\"
        group = \"resting\"
        [[characteristics]]
        kind = \"resembles\"
        exemplar = \"thrown\"
        groups = [\"round\"]
        [[characteristics]]
        kind = \"no-terminal\"
        [[characteristics]]
        kind = \"nodes\"
        bins = [10, 30, 200]
    ";
    let characteristics = Characteristics::from_toml(spec).expect("a specification");
    assert_eq!(characteristics.no_mistakes(), None);
    let ends = |name: &str, condition: &str| format!("(preference {name} (at-end {condition}))");
    let thrown = "(preference thrown (exists (?d - dodgeball) (then (once (agent_holds ?d)) (hold (in_motion ?d)) \
                  (once (not (in_motion ?d))))))";
    // A named object of the group counts as well as a variable of a subtype.
    let tidy = ends("tidy", "(exists (?b - bridge_block) (on bed ?b))");
    let game = |preferences: &[&str], terminal: &str| {
        format!(
            "(define (game g) (:domain many-objects-room-v1) (:constraints (and {})) {terminal} (:scoring (count {})))",
            preferences.join(" "),
            if preferences[0] == tidy { "tidy" } else { "thrown" },
        )
    };
    let (mut generator, _) = GameGenerator::new(world(), &[], &GeneratorOptions::default()).expect("a generator");
    let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus());
    let judge = GameJudge { ngrams, model: FitnessModel::plain(), characteristics, evidence: None };
    let mut cell = |text: &str| {
        let parsed = goalspec_game::parse::parse(&goalspec_testing::texts::source("g", text));
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let tree = generator.read(&parsed.games[0]).expect("a tree");
        judge.evaluate(&generator, &tree).cell
    };
    let time = "(:terminal (>= (total-time) 60))";
    assert_eq!(cell(&game(&[thrown], "")), Some(vec![1, 1, 0, 1, 1, 2]));
    assert_eq!(cell(&game(&[&tidy], "")), Some(vec![1, 0, 1, 0, 1, 1]));
    assert_eq!(cell(&game(&[thrown, &tidy], time)), Some(vec![2, 1, 1, 1, 0, 2]));
    assert_eq!(cell(&game(&[thrown, &tidy, &ends("more", "(on bed desk)")], "")), None);
}
