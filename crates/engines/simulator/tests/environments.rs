//! Environments of learning agents: observations, actions and masks, and the games that they play.

use std::sync::Arc;

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::Game;
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules::Perspective;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::action_mask::{ActionMasks, MaskBuffer};
use goalspec_simulator::actions::{ActionSpace, ActionSpaceError, Bins, ParameterBins};
use goalspec_simulator::environments::{AgentInterface, EnvironmentGame, Environments, GameStatus, Learner, PolicySet};
use goalspec_simulator::episode::{Episode, EpisodeEnd, EpisodeRunner, Policies, same_policy};
use goalspec_simulator::observation::{ObservationLayout, ObservationOptions};
use goalspec_simulator::policy::simple::NamedMove;
use goalspec_simulator::policy::{MaskedRandomPolicy, Policy, ScriptedPolicy, TeamView};
use goalspec_simulator::{Simulator, State};
use goalspec_syntax::Sources;

use crate::batches::samples;

fn interface(simulator: &Simulator) -> Arc<AgentInterface> {
    let actions = ActionSpace::new(simulator.game(), &Bins::new()).unwrap();
    Arc::new(AgentInterface {
        layout: ObservationLayout::new(simulator, ObservationOptions::default()).unwrap(),
        masks: ActionMasks::new(simulator, &actions, Perspective::Observation),
        actions,
        simulator: simulator.clone(),
    })
}

fn game(text: &str) -> Game {
    let mut sources = Sources::new();
    let id = sources.add("game.yaml", text);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

/// A game with a resource and a parameter of every kind.
const KINDS: &str = "
teams: [red, blue]
board: {nodes: [a, b, bare], vectors: [{from: a, to: b}]}
resourceSpace:
  a:
    observable: set(red)
    count: int.range(2; 0,4)
    share: float.range(0.5; 0,1)
    free: int(-7)
    on: true
    colour: 'string.enum(green; red,green)'
    size: 'int.enum(3; 1,3,9)'
    owners: 'set(x; x,y)'
  b: {observable: 'set(; red,blue)', count: 'int.range(8; 0,4)'}
actionSpace:
  red:
    spend: {much: 'int.range(1,3)', on: boolean(true), who: 'set(x,y)'}
    nothing:
    reveal:
  blue: {wait: }
actions:
  spend: {cost: {a.count: -1}, requires: {a.count: {Gte: 0}}, consequences: []}
  nothing: {cost: {a.count: 1}, requires: {}, consequences: []}
  reveal:
    cost: {}
    requires: {}
    consequences: [{result: {Resources: {add: {b.observable: red, a.free: {Calculate: '{a.on} + 1'}}, put: {a.colour: red}}}}]
  wait: {cost: {}, requires: {}, consequences: []}
rewards: {red: {Field: a.count}}
";

#[test]
fn observations_have_a_value_and_whether_it_is_known_for_each_resource() {
    let text = KINDS
        .replace(", a.free: {Calculate: '{a.on} + 1'}}", "}")
        .replace("{a.colour: red}", "{a.colour: red, a.size: 2}");
    let simulator = Simulator::new(game(&text), ResultRegistry::default()).unwrap();
    let layout = ObservationLayout::new(&simulator, ObservationOptions::default()).unwrap();
    let names = [
        "a.count",
        "a.count?",
        "a.share",
        "a.share?",
        "a.free",
        "a.free?",
        "a.on",
        "a.on?",
        "a.colour=red",
        "a.colour=green",
        "a.colour?",
        "a.size=1",
        "a.size=3",
        "a.size=9",
        "a.size?",
        "a.owners=x",
        "a.owners=y",
        "a.owners?",
        "b.count",
        "b.count?",
        "bare?",
    ];
    assert_eq!(layout.names(), names);
    let [low, high] = layout.bounds();
    assert_eq!((low[0], high[0], low[2], high[2], low[18], high[18]), (0.0, 4.0, 0.0, 1.0, 0.0, 4.0));
    assert_eq!((low[4], high[4]), (f32::NEG_INFINITY, f32::INFINITY));
    let mut state = simulator.initial_state(0, 0);
    let observe = |state: &State, team: usize| simulator.observation(&layout, state, team.into());
    // The initial value 8 of b.count is beyond its range, whose end is shown.
    let values = |known: f32| {
        [2.0, known, 0.5, known, -7.0, known, 1.0, known, 0.0, 1.0, known, 0.0, 1.0, 0.0, known, 1.0, 0.0, known]
    };
    assert_eq!(observe(&state, 0), [&values(1.0)[..], &[4.0, 0.0, 0.0]].concat());
    assert_eq!(observe(&state, 1), [&values(0.0)[..], &[4.0, 0.0, 0.0]].concat());
    let mut turn = TurnResult::default();
    simulator.step(&mut state, &Move::Choose(2.into(), Vec::new()), &mut turn).unwrap();
    let seen = observe(&state, 0);
    assert_eq!(seen[8..11], [1.0, 0.0, 1.0], "another string");
    assert_eq!(seen[11..15], [0.0, 0.0, 0.0, 1.0], "a number that is no member");
    assert_eq!(seen[18..20], [4.0, 1.0], "a node that was revealed");
    assert_eq!(observe(&state, 1), [&values(0.0)[..], &[4.0, 0.0, 0.0]].concat(), "what blue does not see");

    let exact = ObservationLayout::new(&simulator, ObservationOptions { clip: false, ..Default::default() }).unwrap();
    assert_eq!(simulator.observation(&exact, &state, 0.into())[18..20], [8.0, 1.0]);
    assert!(exact.bounds()[1][18].is_infinite());
    let scaled = ObservationLayout::new(&simulator, ObservationOptions { scale: true, ..Default::default() }).unwrap();
    assert_eq!(simulator.observation(&scaled, &state, 0.into())[..6], [0.5, 1.0, 0.5, 1.0, -7.0, 1.0]);
    assert_eq!((scaled.bounds()[0][0], scaled.bounds()[1][0]), (0.0, 1.0));
}

#[test]
fn free_strings_are_refused_by_name() {
    let text = KINDS.replace("free: int(-7)", "note: string(x)\n    free: string()");
    let simulator = Simulator::new(game(&text), ResultRegistry::default()).unwrap();
    let error = ObservationLayout::new(&simulator, ObservationOptions::default()).unwrap_err();
    assert_eq!(error.resources, ["a.note", "a.free"]);
}

#[test]
fn actions_are_the_pass_and_the_choices_in_order_with_their_values() {
    let actions = ActionSpace::new(&game(KINDS), &Bins::new()).unwrap();
    let red = actions.of_team(0.into());
    assert_eq!(red.len(), 1 + 3 * 2 * 4 + 1);
    // The pass is the action of this name, which has a cost in this game.
    assert_eq!((&*red.texts()[0], &red.moves()[0]), ("nothing", &Move::Choose(1.into(), Vec::new())));
    assert_eq!(red.texts()[1], "spend much=1 on=false who=");
    assert_eq!(red.texts()[4], "spend much=1 on=false who=x,y");
    assert_eq!(red.texts()[5], "spend much=1 on=true who=");
    assert_eq!(red.texts()[24], "spend much=3 on=true who=x,y");
    assert_eq!(red.moves()[24], Move::Choose(0.into(), vec![Value::Int(3), Value::Bool(true), Value::set(["x", "y"])]));
    assert_eq!(red.texts()[25], "reveal");
    let blue = actions.of_team(1.into());
    assert_eq!((blue.texts(), &blue.moves()[0]), (&["nothing".to_owned(), "wait".to_owned()][..], &Move::Pass));
}

#[test]
fn infinite_parameters_need_bins_and_large_games_are_refused_with_sizes() {
    let bins = |name: &str, bins| Bins::from([(name.to_owned(), bins)]);
    let real = game(&KINDS.replace("int.range(1,3)", "float.range(0,1)"));
    let error = ActionSpace::new(&real, &Bins::new()).unwrap_err();
    assert!(
        matches!(&error, ActionSpaceError::InfiniteParameter { parameter, .. } if &**parameter == "much"),
        "{error}"
    );
    let actions = ActionSpace::new(&real, &bins("much", ParameterBins::Count(3))).unwrap();
    assert_eq!(actions.of_team(0.into()).texts()[9], "spend much=0.5 on=false who=");
    let free = game(&KINDS.replace("int.range(1,3)", "int(1)"));
    let error = ActionSpace::new(&free, &bins("much", ParameterBins::Count(3))).unwrap_err();
    assert!(matches!(error, ActionSpaceError::UnboundedBins { .. }), "{error}");
    assert!(ActionSpace::new(&free, &bins("much", ParameterBins::Values(vec![1.0, 5.0]))).is_ok());
    let error = ActionSpace::new(&free, &bins("match", ParameterBins::Count(3))).unwrap_err();
    assert_eq!(error.to_string(), "bins for `match`, which is no numeric parameter; expected one of much");
    let large = game(&KINDS.replace("int.range(1,3)", "int.range(1,8192)"));
    let error = ActionSpace::new(&large, &Bins::new()).unwrap_err();
    assert!(
        error.to_string().starts_with("red has more than 65536 actions (spend: 8192 x 2 x 4, nothing: 1, reveal: 1)"),
        "{error}"
    );
    let fits = game(&KINDS.replace("int.range(1,3)", "int.range(1,8191)"));
    assert_eq!(ActionSpace::new(&fits, &Bins::new()).unwrap().max_len(), 65_530);
}

/// Plays a random game of an environment, valid actions only; calls `visit` in every state.
fn play_randomly(
    environments: &mut Environments,
    seed: u64,
    mut visit: impl FnMut(&mut Environments),
) -> EnvironmentGame {
    let mut draws = RandomStream::new(seed, 7);
    while environments.games()[0].status() == GameStatus::Running {
        visit(environments);
        let team = environments.team(0);
        let mut mask = vec![0; environments.interface().actions.of_team(team).len()];
        environments.write_mask(0, team, &mut mask);
        let valid: Vec<usize> = (0..mask.len()).filter(|&action| mask[action] != 0).collect();
        let action = if valid.is_empty() { 0 } else { valid[draws.below(valid.len() as u64) as usize] };
        assert_eq!(environments.is_masked_in(0, action), mask[action] != 0);
        environments.step(0, action).unwrap();
    }
    visit(environments);
    environments.games()[0].clone()
}

#[test]
fn masks_of_choices_without_parameters_are_those_of_the_view() {
    for (name, simulator) in samples() {
        let mut environments = Environments::new(interface(&simulator), 1, 60, None);
        environments.reset(0, [3, 0], 1).unwrap();
        let mut compared = 0;
        play_randomly(&mut environments, 3, |environments| {
            let mut state = environments.games()[0].state().clone();
            let view = TeamView::new(&simulator, &mut state);
            let (team, choices, expected) = (view.team(), view.choices(), view.mask());
            let interface = Arc::clone(environments.interface());
            let actions = interface.actions.of_team(team);
            let mut mask = vec![0; actions.len()];
            let mut buffer = MaskBuffer::new(&simulator);
            let observed = environments.games()[0].state();
            simulator.write_mask(&interface.masks, &interface.actions, observed, team, &mut buffer, &mut mask);
            for (place, (choice, expected)) in choices.iter().zip(expected).enumerate() {
                let own =
                    |action: &usize| matches!(&actions.moves()[*action], Move::Choose(id, _) if id.index() == place);
                let any = (0..mask.len()).filter(own).any(|action| mask[action] != 0);
                // An action is also masked out if no vector is left for it.
                assert!(!any || expected, "{name}: {}", choice.name);
                compared += usize::from(any);
            }
        });
        assert!(compared > 0, "{name}");
    }
}

/// Returns the script of the moves of a team that were recorded.
fn script(simulator: &Simulator, team: usize, moves: &[Move]) -> ScriptedPolicy {
    let choices = &simulator.game().teams[team].choices;
    let named = moves.iter().map(|chosen| match chosen {
        Move::Pass => NamedMove::new("nothing"),
        Move::Choose(id, values) => {
            let choice = &choices[id.index()];
            let names = choice.parameters.iter().map(|parameter| parameter.name.clone());
            NamedMove { choice: choice.name.clone(), values: names.zip(values.iter().cloned()).collect() }
        }
    });
    ScriptedPolicy::new(named.collect())
}

fn assert_is_episode(name: &str, simulator: &Simulator, game: &EnvironmentGame, episode: &Episode) {
    let mut state = game.state().clone();
    assert_eq!(state.turns(), episode.turns, "{name}");
    assert_eq!(game.status() == GameStatus::Completed, episode.end == EpisodeEnd::Completed, "{name}");
    for (team, reward) in episode.rewards.iter().enumerate() {
        assert_eq!(simulator.reward(&mut state, team.into()).ok(), *reward, "{name}");
    }
    for (metric, expected) in simulator.game().metrics.iter().zip(&episode.metrics) {
        assert_eq!(simulator.field(&state, &metric.field), *expected, "{name}");
    }
}

#[test]
fn games_of_all_teams_are_those_that_scripts_of_their_moves_play() {
    for (name, simulator) in samples() {
        let mut environments = Environments::new(interface(&simulator), 1, 50, None);
        for index in [0, 4] {
            environments.reset(0, [9, index], 1).unwrap();
            let mut totals = vec![0.0; simulator.game().teams.len()];
            let mut moves = vec![Vec::new(); totals.len()];
            let mut draws = RandomStream::new(9, index);
            while environments.games()[0].status() == GameStatus::Running {
                let team = environments.team(0);
                let interface = Arc::clone(environments.interface());
                let own = interface.actions.of_team(team);
                let action = draws.below(own.len() as u64) as usize;
                moves[team.index()].push(own.moves()[action].clone());
                environments.step(0, action).unwrap();
                totals.iter_mut().zip(environments.games()[0].rewards()).for_each(|(total, step)| *total += step);
            }
            let policies = moves
                .iter()
                .enumerate()
                .map(|(team, moves)| Box::new(script(&simulator, team, moves)) as Box<dyn Policy + Send>);
            let mut policies: Policies = policies.collect();
            let episode = EpisodeRunner::new(&simulator, 50).play(9, index, &mut policies);
            let game = &environments.games()[0];
            assert_is_episode(&name, &simulator, game, &episode);
            let mut initial = simulator.initial_state(9, index);
            for (team, total) in totals.iter().enumerate() {
                let before = simulator.reward(&mut initial, team.into()).unwrap();
                let expected = episode.rewards[team].unwrap() - before;
                assert!((total - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name}: {total} and {expected}");
            }
        }
    }
}

#[test]
fn a_learner_plays_the_games_that_its_script_plays_against_the_same_policies() {
    for (name, simulator) in samples() {
        let teams = simulator.game().teams.len();
        for learner in 0..teams {
            let policies = PolicySet(same_policy(&simulator, &MaskedRandomPolicy::default()));
            let learner_policies = Learner { team: learner.into(), policies };
            let mut environments = Environments::new(interface(&simulator), 1, 50, Some(learner_policies));
            environments.reset(0, [5, 2], 3).unwrap();
            for index in [2, 5] {
                assert_eq!(environments.games()[0].id(), (5, index));
                let mut moves = Vec::new();
                let mut draws = RandomStream::new(5, index);
                while environments.games()[0].status() == GameStatus::Running {
                    let interface = Arc::clone(environments.interface());
                    let own = interface.actions.of_team(learner.into());
                    let action = draws.below(own.len() as u64) as usize;
                    moves.push(own.moves()[action].clone());
                    environments.step(0, action).unwrap();
                }
                let mut policies = same_policy(&simulator, &MaskedRandomPolicy::default());
                policies[learner] = Box::new(script(&simulator, learner, &moves));
                let episode = EpisodeRunner::new(&simulator, 50).play(5, index, &mut policies);
                assert_is_episode(&name, &simulator, &environments.games()[0], &episode);
                environments.next_game(0).unwrap();
            }
        }
    }
}

#[test]
fn a_team_that_is_not_to_move_can_only_pass() {
    let simulator = Simulator::new(game(KINDS), ResultRegistry::default()).unwrap();
    let mut environments = Environments::new(interface(&simulator), 1, 1, None);
    let mut mask = [9; 26];
    environments.write_mask(0, 0.into(), &mut mask);
    assert_eq!(mask[..2], [1, 0], "before the game begins");
    environments.reset(0, [0, 0], 1).unwrap();
    environments.write_mask(0, 0.into(), &mut mask);
    assert_eq!(mask, [1; 26]);
    environments.write_mask(0, 1.into(), &mut mask);
    assert_eq!((mask[0], mask[1..].iter().any(|valid| *valid != 0)), (1, false));
    environments.step(0, 25).unwrap_err();
    assert_eq!(environments.games()[0].status(), GameStatus::NotStarted, "the game failed");
    environments.next_game(0).unwrap();
    environments.step(0, 1).unwrap();
    assert_eq!(
        (environments.games()[0].status(), environments.games()[0].rewards()),
        (GameStatus::Truncated, &[-1.0, 0.0][..])
    );
    environments.step(0, 1).unwrap();
    assert_eq!(environments.games()[0].state().turns(), 1, "an ended game is not played on");
}

#[test]
fn one_script_plays_many_games_side_by_side() {
    let (_, simulator) = samples().into_iter().find(|(name, _)| name.contains("climb")).unwrap();
    let script = ["climb", "rest"].map(NamedMove::new).to_vec();
    let mut policy = ScriptedPolicy::new(script);
    let mut states = [simulator.initial_state(0, 0), simulator.initial_state(0, 1)];
    let (mut chosen, mut turn) = (Move::Pass, TurnResult::default());
    for expected in ["climb", "rest"] {
        for state in &mut states {
            let mut view = TeamView::new(&simulator, state);
            policy.choose(&mut view, &mut chosen).unwrap();
            let expected = NamedMove::new(expected).resolve(&view).unwrap();
            assert_eq!(chosen, expected);
            simulator.step(state, &chosen, &mut turn).unwrap();
        }
    }
}

#[test]
fn masks_of_boards_with_many_vectors_are_those_of_trials() {
    const LEAVES: usize = 70;
    let names: Vec<String> = (0..LEAVES).map(|leaf| format!("n{leaf}")).collect();
    let vectors: String = names.iter().map(|name| format!("    - {{from: hub, to: {name}}}\n")).collect();
    let leaves = names.iter().enumerate().map(|(leaf, name)| {
        let observers = if leaf % 3 == 0 { "red" } else { "; red" };
        format!("  {name}: {{observable: 'set({observers})', left: 'int({})'}}\n", leaf % 4)
    });
    let text = format!(
        "teams: [red]\nboard:\n  nodes: [hub, {names}]\n  vectors:\n{vectors}resourceSpace:\n  hub: {{observable: set(red), gold: int(0)}}\n{leaves}\
         actionSpace: {{red: {{take: {{target: 'string.enum({names})'}}, find: }}}}\nactions:\n  take:\n    cost: {{}}\n    requires: {{}}\n    \
         consequences: [{{result: {{WithRandomVector: {{target: {{left: {{Gte: 1}}, observable: {{Contains: red}}}}, result: {{_target.left: -1, hub.gold: 1}}}}}}}}]\n  \
         find:\n    cost: {{}}\n    requires: {{}}\n    \
         consequences: [{{result: {{MakeNodeVisible: {{team: red, target: {{observable: {{Not: {{Contains: red}}}}}}}}}}}}]\nrewards: {{red: {{Field: hub.gold}}}}\n",
        names = names.join(", "),
        leaves = leaves.collect::<String>(),
    );
    let simulator = Simulator::new(game(&text), ResultRegistry::default()).unwrap();
    let trials = ActionMasks::new(
        &simulator,
        &ActionSpace::new(simulator.game(), &Bins::new()).unwrap(),
        Perspective::TrueState,
    );
    let mut environments = Environments::new(interface(&simulator), 1, 60, None);
    environments.reset(0, [2, 0], 1).unwrap();
    let mut counts = Vec::new();
    play_randomly(&mut environments, 2, |environments| {
        let interface = Arc::clone(environments.interface());
        let (state, mut buffer) = (environments.games()[0].state(), MaskBuffer::new(&simulator));
        let mut mask = |masks, state| {
            let mut mask = vec![-1; LEAVES + 2];
            simulator.write_mask(masks, &interface.actions, state, 0.into(), &mut buffer, &mut mask);
            mask
        };
        let compiled = mask(&interface.masks, state);
        assert_eq!(compiled, mask(&trials, &simulator.observed(state, 0.into())));
        counts.push(compiled.iter().filter(|valid| **valid != 0).count());
    });
    // At first, 18 of the 24 visible leaves have something left; besides, there are the pass and the search.
    assert_eq!(counts[0], 18 + 2);
    assert!(counts.iter().any(|count| *count != counts[0]));
}
