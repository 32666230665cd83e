//! Goals that exist: their fitness, novelty, duplicates, difficulty, what recorded plays show of them, and sheets for raters.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::Folder;
use crate::generate::{MODEL, text};

#[test]
fn the_nearest_game_needs_the_fewest_edits() {
    let folder = Folder::new();
    let game = |name: &str, object: &str, points: u32| {
        format!(
            "(define (game {name}) (:domain few-objects-room-v1) (:constraints (preference {name} (exists (?{} - {object}) \
             (at-end (on bed ?{0}))))) (:scoring (* {points} (count {name}))))",
            &name[..1]
        )
    };
    for (name, object, points) in [("first", "dodgeball", 2), ("second", "block", 3)] {
        folder.write(&format!("known/{name}.game"), game(name, object, points));
    }
    folder.write("new/copy.game", game("copy", "dodgeball", 2));
    folder.write("new/near.game", game("near", "dodgeball", 3));
    folder.assert_each(&[
        ("generate novelty new --against known", 0, "new/copy.game: equal to known/first.game"),
        ("generate novelty new --against known", 0, "new/near.game: nearest to known/first.game, 1 edit between"),
        ("generate novelty new --against known", 0, "1 of 2 games have the meaning of a game of the corpus"),
        ("generate novelty new --against known --prove", 0, "parts, another meaning"),
        ("generate novelty new/near.game --against known --explain", 0, "  - 2 points for each time"),
        ("generate novelty new/near.game --against known --explain", 0, "  + 3 points for each time"),
        // A game is not compared with itself.
        ("generate novelty known --against known", 0, "known/first.game: nearest to known/second.game, 2 edits"),
    ]);
}

#[test]
fn a_game_of_the_corpus_is_also_judged_without_itself() {
    let folder = Folder::new();
    let judged = |arguments: &str| -> Value {
        let done = folder.run(&format!("generate fitness --json --explain {arguments}"));
        assert_eq!(done.code, Some(0), "{}", done.all());
        serde_json::from_str::<Value>(&done.out).expect("JSON")[0].take()
    };
    let inside = judged("examples/generation");
    let games = inside["games"].as_array().expect("a list");
    assert_eq!(games.len(), 6);
    for game in games {
        let [fitness, held_out] =
            ["fitness", "held_out_fitness"].map(|member| game[member].as_f64().expect("a number"));
        assert!(held_out < fitness, "{game:#}");
    }
    let outside = judged("examples/game/tower.game --corpus examples/generation --world few-objects-room-v1");
    let game = &outside["games"][0];
    assert_eq!(game["held_out_fitness"], Value::Null);
    // The parts explain the difference to the mean of the corpus.
    let features = game["features"].as_array().expect("a list");
    let moved: f64 = features.iter().map(|part| part["moved"].as_f64().expect("a number")).sum();
    let difference = game["fitness"].as_f64().unwrap() - outside["corpus"]["mean"].as_f64().unwrap();
    assert!((moved - difference).abs() < 1e-9, "{moved} {difference}");
    folder.write("model.json", MODEL);
    let weighted = judged("examples/generation --model model.json");
    assert_eq!(weighted["games"][0]["features"].as_array().map(Vec::len), Some(2));
}

#[test]
fn games_that_differ_only_in_form_are_duplicates() {
    let folder = Folder::new();
    let game = |name: &str, condition: &str, score: &str| {
        format!(
            "(define (game {name}) (:domain few-objects-room-v1) (:constraints (preference p (exists (?d - dodgeball) \
             (at-end {condition})))) (:scoring {score}))"
        )
    };
    let written = [
        ("one", "(and (on bed ?d) (not (agent_holds ?d)))", "(* 2 (count p))"),
        ("two", "(and (not (agent_holds ?d)) (not (not (on bed ?d))))", "(* (count p) 2)"),
        ("three", "(and (on bed ?d) (agent_holds ?d))", "(* 2 (count p))"),
        ("four", "(and (on bed ?d) (not (agent_holds ?d)))", "(+ (count p) (count p))"),
    ];
    for (name, condition, score) in written {
        folder.write(&format!("games/{name}.game"), game(name, condition, score));
    }
    let both = "equal: games/four.game, games/one.game, games/two.game\n4 games, 2 different";
    folder.assert_each(&[
        ("generate dedup games", 0, "equal: games/one.game, games/two.game\n4 games, 3 different"),
        ("generate dedup games --prove", 0, both),
        ("generate dedup examples/generation", 0, "6 games, 6 different"),
        ("generate sample examples/generation -n 70 --prior 1 -o many", 0, "70 games"),
        ("generate dedup many --prove", 1, "exceeds the limit of 64"),
        ("generate dedup examples/game/faulty.game", 1, "error["),
    ]);
}

/// Parts that can be achieved have a witness, also as JSON, and one that cannot is an error.
#[test]
fn playability_is_told_with_witnesses() {
    let folder = Folder::new();
    let command = "check --playable examples/game/throw-to-bin.game examples/game/play.jsonl --format json";
    let done = folder.run(command);
    assert_eq!(done.code, Some(0), "{}", done.all());
    let report: Value = serde_json::from_str(&done.out).expect("JSON");
    let game = &report["playability"][0];
    assert_eq!(text(game, "possibility"), "not shown");
    let parts = game["parts"].as_array().expect("parts");
    let thrown = parts.iter().find(|part| part["name"] == "throwToBin").expect("a preference");
    assert_eq!(thrown["witness"]["start"], 48);
    // A second run, which is a replay, finds the same.
    assert_eq!(folder.run(command).out, done.out);
    folder.write(
        "never.game",
        "(define (game never) (:domain few-objects-room-v1) (:constraints (preference p (exists (?b - ball)
           (at-end (and (in_motion ?b) (not (in_motion ?b))))))) (:scoring (count p)))",
    );
    let never = folder.run("check --playable never.game");
    assert_eq!(never.code, Some(1), "{}", never.all());
    assert!(never.out.contains("p: impossible: no trace"), "{}", never.all());
}

/// Raters see every game once, in an order that the seed determines, without anything that tells its set.
#[test]
fn sheets_for_raters_are_blind() {
    let folder = Folder::new();
    let made = folder.run("generate sample examples/generation -n 4 --seed 1 -o new");
    assert_eq!(made.code, Some(0), "{}", made.all());
    let command = "generate study real=examples/generation new=new --seed 5 -o study";
    let done = folder.run(&format!("{command} --json"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    let balance: Value = serde_json::from_str(&done.out).expect("JSON");
    let sets: Vec<(&str, u64)> = balance["sets"]
        .as_array()
        .expect("sets")
        .iter()
        .map(|set| (text(set, "set"), set["games"].as_u64().expect("a number")))
        .collect();
    assert_eq!(sets, [("new", 4), ("real", 6)]);
    let [sheet, page, key] = ["sheet.csv", "sheet.html", "key.csv"].map(|name| folder.read(&format!("study/{name}")));
    let names: Vec<&str> = key.lines().skip(1).map(|line| line.split('"').nth(3).expect("a name")).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 10, "{key}");
    let sorted: Vec<&str> = names.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    assert_ne!(names, sorted, "the order is random");
    for shown in [&sheet, &page] {
        // The preferences of the examples have telling names.
        assert!(!shown.contains("blockCarried") && !shown.contains("sample-") && !shown.contains("lights"), "{shown}");
        assert!(shown.contains("preference0"), "{shown}");
    }
    assert_eq!(page.matches("<section>").count(), 10);
    assert!(!page.contains("<script") && !page.contains("http"), "the page loads nothing");
    assert_eq!(folder.run(&format!("{command} --json")).out, done.out);
    assert_eq!(folder.read("study/key.csv"), key);
    folder.run("generate study real=examples/generation new=new --seed 6 -o study");
    assert_ne!(folder.read("study/key.csv"), key);
}

/// A predicate of which nobody did anything lowers the fitness, and one without a row in the table does not.
#[test]
fn recorded_plays_move_the_fitness() {
    let folder = Folder::new();
    let fitness = |evidence: &str| {
        folder.write("table.json", evidence);
        folder.write("model.json", MODEL.replace("variables_used_all", "predicate_found_in_data_prop"));
        let command =
            "generate fitness examples/generation/tidy-desk.game --model model.json --json --evidence table.json";
        let done = folder.run(command);
        assert_eq!(done.code, Some(0), "{}", done.all());
        let document: Value = serde_json::from_str(&done.out).expect("JSON");
        document[0]["games"][0]["fitness"].as_f64().expect("a number")
    };
    let silent = fitness(r#"{"triples": []}"#);
    let all = fitness(
        r#"{"triples": [["in", "drawer", "game_object"], ["on", "shelf", "game_object"], ["in", "drawer", "pencil"], ["on", "shelf", "book"]]}"#,
    );
    let none = fitness(r#"{"triples": [["in", "bed", "ball"], ["on", "bed", "ball"]]}"#);
    assert!((silent - all).abs() < 1e-12, "{silent} {all}");
    assert!(none < silent, "{none} {silent}");
}

/// The order of goals is the same as text and as JSON, on any number of threads.
#[test]
fn goals_are_ordered_by_difficulty() {
    let folder = Folder::new();
    let command = "generate grade examples/game/throw-to-bin.game examples/game/tower.game examples/game/play.jsonl";
    let done = folder.run(command);
    assert_eq!(done.code, Some(0), "{}", done.all());
    let document: Value =
        serde_json::from_str(&folder.run(&format!("{command} --json --threads 1")).out).expect("JSON");
    let goals = document["goals"].as_array().expect("goals");
    assert_eq!(goals.len(), 2);
    for (goal, line) in goals.iter().zip(done.out.lines()) {
        assert!(line.contains(text(goal, "program")), "{line}");
    }
    assert_eq!(text(&goals[0], "program"), "examples/game/throw-to-bin.game");
    assert_eq!(text(&goals[0], "basis"), "plays");
    folder.assert_each(&[
        ("generate grade examples/reward/follow.py", 1, "there is no goal among the programs"),
        ("generate grade examples/game/play.jsonl", 1, "there is no goal among the programs"),
        ("generate grade examples/game/tower.game --plan-time x", 2, "--plan-time"),
        ("generate grade missing.game", 1, "missing.game"),
    ]);
}

/// A table of recorded plays is written as it is read, and tells what nobody did.
#[test]
fn tables_of_recorded_plays_are_made_from_them() {
    let folder = Folder::new();
    let printed = folder.run("generate evidence examples/game/play.jsonl");
    assert_eq!(printed.code, Some(0), "{}", printed.all());
    let table: Value = serde_json::from_str(&printed.out).expect("JSON");
    assert!(table["triples"].as_array().expect("rows").len() > 20);
    let plays = "examples/game/play.jsonl examples/game/build.jsonl";
    let made = folder.run(&format!("generate evidence {plays} -o table.json --threads 1"));
    assert_eq!(made.code, Some(0), "{}", made.all());
    assert!(made.out.ends_with("from 2 plays in `table.json`\n"), "{}", made.out);
    folder.write("model.json", MODEL.replace("variables_used_all", "predicate_found_in_data_prop"));
    let fitness = |game: &str, table: &str| {
        let corpus = "--corpus examples/generation --world few-objects-room-v1 --model model.json --json";
        let done = folder.run(&format!("generate fitness {game} {corpus} {table}"));
        assert_eq!(done.code, Some(0), "{}", done.all());
        let document: Value = serde_json::from_str(&done.out).expect("JSON");
        document[0]["games"][0]["fitness"].as_f64().expect("a number")
    };
    // Somebody threw a ball into the bin, but nobody put the bed on a shelf.
    let thrown = "examples/game/throw-to-bin.game";
    assert!((fitness(thrown, "") - fitness(thrown, "--evidence table.json")).abs() < 1e-9);
    folder.write(
        "moved.game",
        "(define (game moved) (:domain few-objects-room-v1) (:constraints (preference p (exists (?s - shelf)
           (at-end (on ?s bed))))) (:scoring (count p)))",
    );
    assert!(fitness("moved.game", "--evidence table.json") < fitness("moved.game", "") - 0.5);
}
