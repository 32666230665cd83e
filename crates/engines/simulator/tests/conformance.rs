//! What the Cage engine recorded of the sample games, where its recordings are present.

use goalspec_core::resource::board::SlotId;
use goalspec_core::resource::custom::Registry;
use goalspec_core::resource::game::Game;
use goalspec_core::resource::turn::{Move, Turn};
use goalspec_core::resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::{Episode, Games, MAX_TURNS};
use goalspec_simulator::exact::{Limits, Model, Plan};
use goalspec_simulator::policy::simple::Named;
use goalspec_simulator::policy::{Always, Policy, Random};
use goalspec_syntax::Sources;
use goalspec_testing::conformance;
use serde_json::Value as Json;

/// The text of a recording, where these are present.
fn recorded(path: &str) -> Option<String> {
    let path = conformance::folder("rgg")?.join(path);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn game(name: &str) -> Option<Game> {
    let text = recorded(&format!("games/{name}"))?;
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let read = goalspec_rgg::read(sources.get(id), Dialect::CAGE, &[]);
    Some(read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics)))
}

#[test]
fn an_epidemic_turn_by_turn() {
    let (Some(text), Some(game)) = (recorded("engine_covid_and_vectors.txt"), game("Covid19.yaml")) else { return };
    let slot = |node: &str, resource: &str| -> SlotId {
        let board = &game.board;
        board.slot_of(board.node_named(node).unwrap(), board.resource_named(resource).unwrap()).unwrap()
    };
    let columns = [
        ("r0", slot("disease", "r0")),
        ("S", slot("population", "susceptible")),
        ("I", slot("population", "infected")),
        ("R", slot("population", "recovered")),
        ("D", slot("population", "dead")),
        ("djia", slot("game", "djia")),
        ("moves", slot("game", "moves")),
    ];
    let simulator = Simulator::new(game.clone(), Registry::default()).unwrap();
    let mut state = simulator.start(0, 0);
    let mut turn = Turn::default();
    let mut checked = 0;
    for line in text.lines().filter(|line| line.starts_with("turn ")) {
        let choices = &game.teams[simulator.team(&state).index()].choices;
        let distancing = choices.iter().position(|choice| &*choice.name == "social distancing").unwrap_or(0);
        simulator.step(&mut state, &Move::Choose(distancing.into(), vec![]), &mut turn).unwrap();
        for (name, slot) in columns {
            let value = simulator.value(&state, slot).map(|value| value.to_string()).unwrap_or_default();
            assert!(line.contains(&format!(" {name}={value}")), "{name} is {value}: {line}");
            checked += 1;
        }
    }
    assert_eq!(checked, 56);
}

/// Some numbers, or one again and again.
struct Sample {
    mean: f64,
    error: f64,
}

fn sample(numbers: &[f64]) -> Sample {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    Sample { mean, error: (variance / count).sqrt() }
}

/// Checks numbers against what was recorded of as many: within four standard errors of the difference of both means.
fn check(what: &str, numbers: &[f64], expected: &Json) {
    let number = |key: &str| expected[key].as_f64().unwrap();
    let found = sample(numbers);
    let error = found.error.hypot(number("se"));
    let difference = (found.mean - number("mean")).abs();
    // The recorded means are rounded.
    let rounding = 1e-5 * number("mean").abs().max(1.0);
    println!("{what}: {} and {}, z {:.2}", found.mean, number("mean"), difference / error);
    assert!(difference <= 4.0 * error + rounding, "{what}: {} and {}, {error}", found.mean, number("mean"));
}

fn policy(game: &mut Game, team: usize, name: &str) -> Box<dyn Policy + Send> {
    let choices = &mut game.teams[team].choices;
    let always = name.strip_prefix("always:");
    match choices.iter_mut().find(|choice| Some(&*choice.name) == always) {
        Some(choice) => {
            // It was recorded without values for the parameters.
            choice.parameters.clear();
            Box::new(Always(Named::new(&choice.name)))
        }
        None => Box::new(Random::default()),
    }
}

#[test]
fn means_of_many_games() {
    let Some(text) = recorded("engine_statistics.jsonl") else { return };
    for line in text.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let [name, chosen] = ["game", "policy"].map(|key| row[key].as_str().unwrap().to_owned());
        let Some(mut game) = game(&name) else { continue };
        for team in 0..game.teams.len() {
            policy(&mut game, team, &chosen);
        }
        let simulator = Simulator::new(game.clone(), Registry::default()).unwrap();
        let count = row["games"].as_u64().unwrap();
        let games = Games { seed: 20, first: 0, count, max_turns: MAX_TURNS, jobs: 1 };
        let policies = || (0..game.teams.len()).map(|team| policy(&mut game.clone(), team, &chosen)).collect();
        let episodes = games.play(&simulator, policies).unwrap();
        let what = format!("{name}, {chosen}");
        let of = |number: &dyn Fn(&Episode) -> f64| -> Vec<f64> { episodes.iter().map(number).collect() };
        check(&format!("{what}: turns"), &of(&|episode| f64::from(episode.turns)), &row["steps"]);
        for (place, team) in game.teams.iter().enumerate() {
            let rewards = of(&|episode| episode.rewards[place].unwrap());
            check(&format!("{what}: {}", team.name), &rewards, &row["rewards"][&*team.name]);
        }
        for (place, metric) in game.metrics.iter().enumerate() {
            let expected = &row["metrics"][&*metric.name];
            if expected.get("mean").is_some_and(Json::is_number) {
                let values = of(&|episode| episode.metrics[place].as_ref().and_then(Value::real).unwrap());
                check(&format!("{what}: {}", metric.name), &values, expected);
            }
        }
    }
}

/// The means that random teams come to exactly in the two small games are those recorded, within four standard errors of these.
#[test]
fn exact_means() {
    let Some(text) = recorded("engine_statistics.jsonl") else { return };
    let mut checked = 0;
    for line in text.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let name = row["game"].as_str().unwrap();
        let small = ["MultiplayerTestRgg.yaml", "TerrainDiscovery.yaml"].contains(&name);
        if !small || row["policy"] != "random" {
            continue;
        }
        let simulator = Simulator::new(game(name).unwrap(), Registry::default()).unwrap();
        let teams = &simulator.game().teams;
        let model = Model::explore(&simulator, &vec![Plan::Random; teams.len()], Limits::default()).unwrap();
        // Hardly any game lasts as long.
        let outcomes = model.outcomes(1000).unwrap();
        let count = row["games"].as_f64().unwrap();
        let mut close = |what: &str, [mean, sd]: [f64; 2], expected: &Json| {
            let (found, bound) = (expected["mean"].as_f64().unwrap(), 4.0 * sd / count.sqrt() + 1e-4);
            println!("{name}, {what}: exactly {mean}, recorded {found}, bound {bound:.4}");
            assert!((mean - found).abs() <= bound, "{name}, {what}: exactly {mean}, recorded {found}, bound {bound}");
            checked += 1;
        };
        close("turns", outcomes.turns().unwrap(), &row["steps"]);
        for (place, team) in teams.iter().enumerate() {
            close(&team.name, outcomes.reward(place.into()).unwrap(), &row["rewards"][&*team.name]);
        }
    }
    assert_eq!(checked, 5, "turns of both, two teams and one");
}
