//! Generated games: exact results are compared with simulated games, and both with the inferred sets of possible values.

use std::collections::HashSet;

use goalspec_resource::abstraction::{ReachableValues, ValueSet};
use goalspec_resource::custom::{CustomCall, CustomResultError, ResultRegistry};
use goalspec_resource::game::Game;
use goalspec_resource::kinds::KindSet;
use goalspec_resource::rules::Perspective;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::episode::{Episode, EpisodeEnd, EpisodeObserver, EpisodeRunner, Policies, Rollouts};
use goalspec_simulator::exact::{AnalysisError, Model, ModelLimits, OutcomeDistribution, TeamPolicy};
use goalspec_simulator::policy::{GreedyPolicy, MaskedRandomPolicy, RandomPolicy};
use goalspec_simulator::{Simulator, State};
use goalspec_syntax::Sources;

use crate::games;

/// The number of turns of a game: enough for both teams to react to each other.
const TURNS: u32 = 4;
/// The number of simulated games per comparison.
const GAMES: u64 = 600;
/// The probability that a comparison fails by chance.
const CHANCE: f64 = 1e-10;

/// Returns the maximum deviation of a sample mean from its expectation by Bernstein's inequality, which holds for every
/// distribution with this standard deviation and range, even if a few games dominate.
fn bound(deviation: f64, range: f64) -> f64 {
    let bound = (2.0 / CHANCE).ln() / GAMES as f64;
    deviation * (2.0 * bound).sqrt() + range * bound * 2.0 / 3.0
}

fn close(quantity: &str, [mean, deviation]: [f64; 2], support: &[f64], found: impl Iterator<Item = f64>) {
    let min = support.iter().copied().fold(f64::INFINITY, f64::min);
    let max = support.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let found = found.sum::<f64>() / GAMES as f64;
    let bound = bound(deviation, max - min) + 1e-9 * mean.abs().max(1.0);
    assert!((mean - found).abs() <= bound, "{quantity}: exactly {mean}, played {found}, more than {bound} apart");
}

/// Returns everything observable of a state from outside.
fn state_text(simulator: &Simulator, state: &State) -> String {
    let board = &simulator.game().board;
    let nodes = board.nodes().map(|(node, _)| (simulator.values(state, node), simulator.observers(state, node)));
    format!("{:?} {:?}", simulator.team(state), nodes.collect::<Vec<_>>())
}

/// The states that simulated games visit.
#[derive(Default)]
struct VisitedStates {
    states: HashSet<String>,
}

impl EpisodeObserver for VisitedStates {
    fn on_start(&mut self, simulator: &Simulator, state: &State, _: u64, _: u64) {
        self.states.insert(state_text(simulator, state));
    }

    fn on_move(&mut self, _: &State, _: &State, _: goalspec_resource::game::TeamId, _: &Move) {}

    fn on_turn(&mut self, simulator: &Simulator, state: &State, _: &TurnResult) {
        self.states.insert(state_text(simulator, state));
    }

    fn on_end(&mut self, _: &Simulator, _: &Episode) {}
}

/// Plans and the corresponding policies.
fn players(index: u64) -> ([TeamPolicy; 2], fn() -> Policies) {
    match index {
        0 => ([TeamPolicy::Random, TeamPolicy::Random], || {
            vec![Box::new(RandomPolicy::default()), Box::new(RandomPolicy::default())]
        }),
        1 => ([TeamPolicy::MaskedRandom(Perspective::Observation), TeamPolicy::Random], || {
            vec![Box::new(MaskedRandomPolicy::default()), Box::new(RandomPolicy::default())]
        }),
        2 => ([TeamPolicy::MaskedRandom(Perspective::TrueState), TeamPolicy::Greedy(Perspective::TrueState)], || {
            vec![
                Box::new(MaskedRandomPolicy::new(Perspective::TrueState)),
                Box::new(GreedyPolicy(Perspective::TrueState)),
            ]
        }),
        _ => {
            ([TeamPolicy::Greedy(Perspective::Observation), TeamPolicy::MaskedRandom(Perspective::Observation)], || {
                vec![Box::new(GreedyPolicy::default()), Box::new(MaskedRandomPolicy::default())]
            })
        }
    }
}

fn agree(name: &str, exact: &OutcomeDistribution, episodes: &[Episode]) {
    assert!(
        episodes.iter().all(|episode| matches!(episode.end, EpisodeEnd::Completed | EpisodeEnd::Truncated)),
        "{name}: {episodes:?}"
    );
    let completed = episodes.iter().map(|episode| f64::from(u8::from(episode.end == EpisodeEnd::Completed)));
    let sd = (exact.completed * exact.truncated).max(0.0).sqrt();
    close(&format!("{name}: over"), [exact.completed, sd], &[0.0, 1.0], completed);
    let lengths = [0.0, f64::from(TURNS)];
    let turns = episodes.iter().map(|episode| f64::from(episode.turns));
    close(&format!("{name}: turns"), exact.turns().unwrap(), &lengths, turns);
    for (team, rows) in exact.rewards.iter().enumerate() {
        let bits = |value: Option<f64>| value.map(f64::to_bits);
        let known: HashSet<_> = rows.iter().map(|row| bits(row.value)).collect();
        for episode in episodes {
            assert!(known.contains(&bits(episode.rewards[team])), "{name}: {:?} of {rows:?}", episode.rewards[team]);
        }
        let support: Option<Vec<f64>> = rows.iter().map(|row| row.value.filter(|value| value.is_finite())).collect();
        if let (Some(support), Some(moments)) = (support, exact.reward(team.into())) {
            let found = episodes.iter().filter_map(|episode| episode.rewards[team]);
            close(&format!("{name}: reward {team}"), moments, &support, found);
        }
    }
    for (place, rows) in exact.metrics.iter().enumerate() {
        for row in rows {
            let share = row.completed + row.truncated;
            let text = |value: &Option<Value>| format!("{value:?}") == format!("{:?}", row.value);
            let found = episodes.iter().map(|episode| f64::from(u8::from(text(&episode.metrics[place]))));
            let sd = (share * (1.0 - share)).max(0.0).sqrt();
            close(&format!("{name}: metric {place}, {:?}", row.value), [share, sd], &[0.0, 1.0], found);
        }
    }
}

#[test]
fn exact_answers_and_the_simulator_agree_on_random_games() {
    let limits = ModelLimits { states: 20_000, transitions: 200_000, turns: Some(TURNS), ..ModelLimits::default() };
    let (mut compared, mut widest) = (0, 0);
    for seed in 0..1500 {
        let game = games::game(seed);
        let simulator = Simulator::new(game, ResultRegistry::default()).unwrap();
        let (plans, policies) = players(seed % 4);
        let model = match Model::explore(&simulator, &plans, limits) {
            Ok(model) => model,
            // Generated games often draw random numbers or fail.
            Err(
                AnalysisError::UnsupportedDraw(_)
                | AnalysisError::GameFailed(_)
                | AnalysisError::PolicyFailed { .. }
                | AnalysisError::TooManyStates { .. }
                | AnalysisError::TooManyTransitions { .. },
            ) => continue,
            Err(other) => panic!("game {seed}: {other}"),
        };
        let name = format!("game {seed}");
        let exact = model.outcomes(TURNS).unwrap();
        let games = Rollouts { seed, first: 0, count: GAMES, max_turns: TURNS, pool: None };
        agree(&name, &exact, &games.play(&simulator, policies));
        let reachable: HashSet<String> =
            (0..model.len()).map(|place| state_text(&simulator, model.state(place))).collect();
        let mut visited = VisitedStates::default();
        let mut runner = EpisodeRunner::new(&simulator, TURNS);
        for index in 0..40 {
            runner.play_observed(seed, index, &mut policies(), &mut visited);
        }
        assert!(visited.states.is_subset(&reachable), "{name}: {:?}", visited.states.difference(&reachable).next());
        compared += 1;
        widest = widest.max(model.len());
    }
    assert!(compared > 100 && widest > 100, "{compared} games could be compared, the largest of {widest} states");
}

/// Whether a value is in a set of possible values.
fn has(possible: &ValueSet, value: Option<&Value>) -> bool {
    let number = value.and_then(Value::as_f64);
    if let Some(values) = possible.listed_values() {
        // Sets are unordered, and NaN equals itself, also within a list.
        let equal =
            |known: &Option<Value>| known.as_ref() == value || format!("{known:?}") == format!("{:?}", value.cloned());
        return values.iter().any(equal);
    }
    let within = number
        .filter(|number| !number.is_nan())
        .is_none_or(|number| possible.bounds().is_some_and(|bounds| bounds.contains(number)));
    within && KindSet::of(value).is_subset(possible.kinds())
}

/// Plays random games and checks every value; returns the number of values.
fn sound(name: &str, game: &Game, registry: &ResultRegistry, games: u64, turns: u32) -> usize {
    let reachable = ReachableValues::analyze(game);
    let simulator = Simulator::new(game.clone(), registry.clone()).unwrap();
    let mut checked = 0;
    let mut turn = TurnResult::default();
    let mut moves = RandomPolicy::default();
    for index in 0..games {
        let mut state = simulator.initial_state(17, index);
        for at in 0..turns {
            for (slot, _) in game.board.slots() {
                let value = simulator.value(&state, slot);
                let possible = reachable.slot(slot);
                assert!(has(possible, value.as_ref()), "{name}, turn {at}, {slot:?}: {value:?} is not in {possible:?}");
                checked += 1;
            }
            for (node, info) in game.board.nodes() {
                for label in simulator.observers(&state, node).iter() {
                    assert!(reachable.may_see(label, node), "{name}, turn {at}: {label} sees {}", info.name);
                }
            }
            let mut chosen = Move::Pass;
            let mut view = goalspec_simulator::policy::TeamView::new(&simulator, &mut state);
            let choice = goalspec_simulator::policy::Policy::choose(&mut moves, &mut view, &mut chosen);
            if choice.is_err() || simulator.step(&mut state, &chosen, &mut turn).is_err() {
                break;
            }
        }
    }
    checked
}

#[test]
fn values_of_random_games_are_among_the_possible_ones() {
    let checked: usize = (0..1500)
        .map(|seed| sound(&format!("game {seed}"), &games::game(seed), &ResultRegistry::default(), 4, 25))
        .sum();
    assert!(checked > 100_000, "{checked}");
}

/// Puts gold on a node that has none.
fn shift(call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
    call.state.put("a", "gold", Some(Value::Real(-1e6)))
}

#[test]
fn values_that_code_puts_are_among_the_possible_ones() {
    let registry = ResultRegistry::default().with("shift", shift);
    let checked: usize =
        (0..200).map(|seed| sound(&format!("game {seed}"), &games::with_custom(seed), &registry, 4, 25)).sum();
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn values_of_sample_games_are_among_the_possible_ones() {
    let own = ["climb.yaml", "berries.yaml"].map(|name| format!("../../../examples/rgg/{name}"));
    let mut texts: Vec<_> = own.into_iter().map(|path| (path.into(), Dialect::DOCUMENTED)).collect();
    if let Some(folder) = goalspec_testing::conformance::folder("rgg/games") {
        let names = ["Covid19.yaml", "MultiplayerTestRgg.yaml", "SoftwarePatching.yaml", "TerrainDiscovery.yaml"];
        texts.extend(names.map(|name| (folder.join(name), Dialect::CAGE)));
    }
    for (path, dialect) in texts {
        let name = path.display().to_string();
        let mut sources = Sources::new();
        let id = sources.add("game", std::fs::read_to_string(&path).unwrap());
        let read = goalspec_rgg::load(sources.file(id), dialect, &[]);
        let game = read.game.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics));
        let checked = sound(&name, &game, &ResultRegistry::default(), 20, 200);
        assert!(checked > 1000, "{name}: {checked}");
    }
}
