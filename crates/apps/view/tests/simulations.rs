//! Resource graph games: experiments and games against those of the command.

use goalspec::files::discover;
use goalspec::library::{Library, LibraryOptions};
use goalspec::resource_games::loaded_game;
use goalspec::simulation::LoadedGame;
use goalspec::simulation::board_json::{self, BoardRecorder};
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulation::report;
use goalspec::simulation::summary::SummaryOptions;
use goalspec::simulator::episode::{EpisodeRunner, MAX_TURNS};
use goalspec::simulator::experiment::{ExperimentObservers, ExperimentOptions};
use goalspec::simulator::trace::GameRecorder;
use goalspec_view::{MAX_GAMES, Session, SimulationRequest};
use serde_json::{Value, json};

use crate::common::{example, session};
use crate::export;
use crate::server;

fn request(games: u64, seed: u64, policies: &[&str]) -> SimulationRequest {
    SimulationRequest { games, seed, policies: policies.iter().map(|&policy| policy.to_owned()).collect() }
}

fn foraging() -> Session {
    session(&[example("rgg/berries.yaml")]).with_simulation(request(40, 3, &["ann=greedy"]))
}

fn game(name: &str) -> LoadedGame {
    let (inputs, _) = discover(&[example(name)], &|| ());
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    loaded_game(&library.programs()[0], library.custom_results()).unwrap().unwrap()
}

fn experiment(wanted: &SimulationRequest, first_index: u64) -> LoadedExperiment {
    let game = game("rgg/berries.yaml");
    let policies = vec![TeamPolicies::new(game.simulator.game(), &wanted.policies).unwrap()];
    let options = ExperimentOptions {
        seed: wanted.seed,
        first_index,
        max_games: wanted.games,
        max_turns: MAX_TURNS,
        ..ExperimentOptions::default()
    };
    LoadedExperiment { game, policies, variation: None, options }
}

/// The output of `goalspec simulate --format json`.
fn command(wanted: &SimulationRequest) -> Value {
    let experiment = experiment(wanted, 0);
    let result = experiment.play(ExperimentObservers::default()).unwrap();
    report::report(&experiment, &result, &SummaryOptions::default())
}

/// The lines of `goalspec simulate --first-game INDEX --games 1 --trace`.
fn lines(seed: u64, index: u64, policies: &[&str]) -> Vec<Value> {
    let mut recorder = GameRecorder::new(Vec::new());
    let observers = ExperimentObservers { turns: Some(&mut recorder), ..ExperimentObservers::default() };
    experiment(&request(1, seed, policies), index).play(observers).unwrap();
    let bytes = recorder.finish().unwrap();
    String::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_experiment_has_the_numbers_of_the_command() {
    let simulation = foraging().run(0, 0, None, None).unwrap().document["simulation"].clone();
    assert_eq!(simulation["report"], command(&request(40, 3, &["ann=greedy"])));
    let records = simulation["records"].as_array().unwrap();
    assert_eq!(records.len(), 40);
    let of_ann = |records: &[Value]| -> f64 {
        records.iter().map(|record| record["rewards"]["ann"].as_f64().unwrap()).sum::<f64>() / records.len() as f64
    };
    let mean = simulation["report"]["rewards"]["ann"]["mean"].as_f64().unwrap();
    assert!((of_ann(records) - mean).abs() < 1e-12);
    let bins = simulation["report"]["metrics"]["grove.berries"]["histogram"]["bins"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin[2].as_u64().unwrap()).sum::<u64>(), 40);
}

#[test]
fn every_game_is_the_one_that_the_command_records_under_its_index() {
    let viewer = server::start(foraging());
    let run = viewer.json("POST /api/runs", "{\"program\": 0}")["run"].as_u64().unwrap();
    let document = viewer.json(&format!("GET /api/runs/{run}"), "");
    let records = document["simulation"]["records"].as_array().unwrap();
    for index in [0, 17, 39] {
        let game = viewer.json(&format!("GET /api/runs/{run}/games/{index}"), "");
        let lines = lines(3, index, &["ann=greedy"]);
        let (turns, end) = (&lines[1..lines.len() - 1], &lines[lines.len() - 1]);
        assert_eq!(game["turns"].as_array().unwrap(), turns);
        assert_eq!(game["turns"][0]["turn"], 1);
        assert_eq!(game["record"], records[usize::try_from(index).unwrap()]);
        for team in ["ann", "ben"] {
            let rewards = game["rewards"][team].as_array().unwrap();
            assert_eq!(rewards.len(), turns.len() + 1);
            assert_eq!(rewards[turns.len()].as_f64(), end["rewards"][team].as_f64());
            for (turn, line) in turns.iter().enumerate() {
                let step = rewards[turn + 1].as_f64().unwrap() - rewards[turn].as_f64().unwrap();
                assert_eq!(line["rewards"][team].as_f64(), Some(step), "turn {turn} of {team}");
            }
        }
        let mut state = game["initial"].as_object().unwrap().clone();
        assert_eq!((&state["grove.berries"], &state["hill.observable"]), (&json!(9), &json!({"set": ["ann"]})));
        for turn in turns {
            state.extend(turn["changes"].as_object().unwrap().clone());
        }
        assert_eq!(state["grove.berries"], end["metrics"]["grove.berries"]);
    }
    assert_eq!(document["simulation"]["game"], viewer.json(&format!("GET /api/runs/{run}/games/0"), ""));
    // Any game of the seed can be looked at, not only those of the experiment.
    assert_eq!(viewer.json(&format!("GET /api/runs/{run}/games/40"), "")["record"]["index"], 40);
    assert_eq!(viewer.ask(&format!("GET /api/runs/{run}/games/{}", u64::MAX), "").status, 404);
    assert_eq!(viewer.ask(&format!("GET /api/runs/{run}/games/-1"), "").status, 400);
}

#[test]
fn the_page_asks_for_other_games_seeds_and_policies_within_the_limits() {
    let viewer = server::start(foraging());
    let run = |games: u64, policy: &str| {
        let body = json!({"program": 0, "simulation": {"games": games, "seed": 8, "policies": [policy]}});
        let run = viewer.json("POST /api/runs", &body.to_string())["run"].as_u64().unwrap();
        viewer.ask(&format!("GET /api/runs/{run}"), "")
    };
    let other: Value = serde_json::from_slice(&run(5, "masked-random").body).unwrap();
    assert_eq!(other["simulation"]["report"], command(&request(5, 8, &["masked-random"])));
    for (games, policy, reason) in [
        (MAX_GAMES + 1, "random", "1 to 10000 games"),
        (0, "random", "1 to 10000 games"),
        (5, "zoe=random", "unknown team `zoe`"),
        (5, "script:/etc/passwd", "no files are available"),
        (5, "table:/etc/passwd", "no files are available"),
    ] {
        let answer = run(games, policy);
        assert_eq!(answer.status, 422, "{games} {policy}");
        assert!(String::from_utf8_lossy(&answer.body).contains(reason), "{games} {policy}");
    }
    for wrong in
        ["3", "{}", "{\"games\": 5, \"seed\": -1, \"policies\": []}", "{\"games\": 5, \"seed\": 1, \"policies\": [2]}"]
    {
        assert_eq!(viewer.ask("POST /api/runs", &format!("{{\"simulation\": {wrong}}}")).status, 400, "{wrong}");
    }
}

#[test]
fn the_board_has_positions_ranges_and_vectors() {
    let board = foraging().run(0, 0, None, None).unwrap().document["simulation"]["board"].clone();
    assert_eq!(board["teams"], json!(["ann", "ben"]));
    let hill = &board["nodes"][1];
    assert_eq!((&hill["name"], &hill["observable"]), (&json!("hill"), &json!("hill.observable")));
    assert_eq!(hill["resources"], json!([{"name": "berries", "key": "hill.berries", "range": [0.0, 4.0]}]));
    for node in board["nodes"].as_array().unwrap() {
        let position = node["position"].as_array().unwrap();
        assert!(position.iter().all(|place| (0.0..=1.0).contains(&place.as_f64().unwrap())), "{node}");
    }
    assert_eq!(board["vectors"].as_array().unwrap().len(), 4);
    assert_eq!((&board["vectors"][2][0], &board["vectors"][2][1]), (&json!(1), &json!(3)));
}

#[test]
fn turns_beyond_the_limit_are_counted() {
    let game = game("rgg/climb.yaml");
    let mut policies = TeamPolicies::new(game.simulator.game(), &[]).unwrap().policies();
    let mut play = |max_bytes| {
        let mut recorder = BoardRecorder::with_limit(max_bytes);
        EpisodeRunner::new(&game.simulator, MAX_TURNS).play_observed(1, 0, &mut policies, &mut recorder);
        recorder.finish(game.simulator.game())
    };
    let whole = play(board_json::MAX_RECORDED_BYTES);
    let turns = whole["turns"].as_array().unwrap();
    assert_eq!((turns.len() as u64, &whole["omitted_turns"]), (whole["record"]["turns"].as_u64().unwrap(), &json!(0)));
    let part = play(1000);
    let kept = part["turns"].as_array().unwrap();
    assert!(!kept.is_empty() && kept.len() < turns.len());
    assert_eq!(kept[..], turns[..kept.len()]);
    assert_eq!(part["omitted_turns"], turns.len() - kept.len());
    assert_eq!(part["rewards"]["climber"].as_array().unwrap().len(), kept.len() + 1);
    assert_eq!(part["record"], whole["record"]);
}

#[test]
fn a_game_with_errors_has_diagnostics_and_no_experiment() {
    let run =
        foraging().run(0, 0, Some("teams: [ann]\nboard: {nodes: [camp]}\nrewards: {zoe: {Field: camp.x}}\n"), None);
    let document = run.unwrap().document;
    assert!(document["simulation"].is_null());
    assert!(document["diagnostics"].as_array().unwrap().iter().any(|found| found["severity"] == "error"));
}

#[test]
fn exports_have_the_games_that_fit_and_their_numbers() {
    let page = export::page(&foraging());
    assert!(page.is_ascii() && page.contains("<p>40 games, seed 3</p>"));
    assert_eq!(page, export::page(&foraging()));
    let mean = &command(&request(40, 3, &["ann=greedy"]))["rewards"]["ann"]["mean"];
    assert!(page.contains(&format!("<tr><td>reward ann</td><td>{mean}</td>")));
    let (viewer, run) = (foraging(), foraging().run(0, 0, None, None).unwrap());
    let games = viewer.games(&run, 1 << 24).unwrap();
    assert_eq!(games.len(), 40);
    assert_eq!(Some(&games[17]), viewer.game(&run, 17).unwrap().as_ref());
    assert_eq!(viewer.games(&run, games[0].to_string().len()).unwrap().len(), 1);
}
