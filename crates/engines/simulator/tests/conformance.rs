//! Agreement with the recordings of the sample games by the Cage engine, if these are present.

use goalspec_resource::board::SlotId;
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_simulator::Simulator;
use goalspec_simulator::exact::{Model, ModelLimits, TeamPolicy};
use serde_json::Value as Json;

use crate::cage::{game, recorded};

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
    let simulator = Simulator::new(game.clone(), ResultRegistry::default()).unwrap();
    let mut state = simulator.initial_state(0, 0);
    let mut turn = TurnResult::default();
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

/// The exact means of random teams in the two small games agree with the recorded ones within four standard errors.
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
        let simulator = Simulator::new(game(name).unwrap(), ResultRegistry::default()).unwrap();
        let teams = &simulator.game().teams;
        let model = Model::explore(&simulator, &vec![TeamPolicy::Random; teams.len()], ModelLimits::default()).unwrap();
        // Almost no game lasts this long.
        let outcomes = model.outcomes(1000).unwrap();
        let count = row["games"].as_f64().unwrap();
        let mut close = |quantity: &str, [mean, sd]: [f64; 2], expected: &Json| {
            let (found, bound) = (expected["mean"].as_f64().unwrap(), 4.0 * sd / count.sqrt() + 1e-4);
            println!("{name}, {quantity}: exactly {mean}, recorded {found}, bound {bound:.4}");
            assert!(
                (mean - found).abs() <= bound,
                "{name}, {quantity}: exactly {mean}, recorded {found}, bound {bound}"
            );
            checked += 1;
        };
        close("turns", outcomes.turns().unwrap(), &row["steps"]);
        for (place, team) in teams.iter().enumerate() {
            close(&team.name, outcomes.reward(place.into()).unwrap(), &row["rewards"][&*team.name]);
        }
    }
    assert_eq!(checked, 5, "turns of both, two teams and one");
}
