//! Policies, whole games, batches and recordings on a small game.

use std::sync::{Arc, Mutex};

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::Game;
use goalspec_resource::rules::{self, SpaceBoundsRule};
use goalspec_resource::turn::{GameErrorKind, Move};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::batch::Batch;
use goalspec_simulator::episode::{Episode, EpisodeEnd, EpisodeRunner, Policies, Rollouts, same_policy};
use goalspec_simulator::policy::simple::NamedMove;
use goalspec_simulator::policy::{
    Console, ConsolePolicy, ConstantPolicy, GreedyPolicy, MaskedRandomPolicy, NothingPolicy, Policy, PolicyError,
    RandomPolicy, ScriptedPolicy, TablePolicy, TeamView,
};
use goalspec_simulator::trace::{GameRecorder, ReplayError, diff, replay};
use goalspec_syntax::Sources;
use goalspec_testing::resource::COIN;
use rayon::ThreadPoolBuilder;

/// A thief steals from houses next to the previous one; the guard sees only what was stolen.
const GAME: &str = "
teams: [thief, guard]
board:
  nodes: [purse, street, mill, inn]
  vectors:
    - {from: street, to: mill}
    - {from: street, to: inn}
    - {from: mill, to: inn}
resourceSpace:
  purse: {observable: 'set(thief; thief, guard)', gold: 'int.range(0; 0,5)', nerve: int(6)}
  street: {observable: 'set(thief, guard)', open: true}
  mill: {observable: set(thief), open: false, worth: int(1)}
  inn: {observable: set(thief), open: false, worth: int(3)}
actionSpace:
  thief:
    wait:
    take: {target: 'string.enum(mill, inn)'}
    gamble:
  guard:
    look:
actions:
  wait: {cost: {purse.nerve: -1}, requires: {}, consequences: []}
  take:
    cost: {purse.nerve: -1}
    requires: {purse.nerve: {Gte: 0}}
    consequences:
      - odds: 0.5
        result:
          WithRandomVector:
            source: {open: true}
            target: {open: false}
            result: {_target.open: true, purse.gold: {Calculate: '{_target.worth}'}}
  gamble:
    cost: {purse.nerve: -1}
    requires: {purse.gold: {Gte: 1}}
    consequences:
      - odds: 0.25
        result: {Resources: {add: {purse.gold: 10}}}
      - odds: 1.0
        result: {Resources: {put: {purse.gold: 0}}}
  look:
    cost: {}
    requires: {}
    consequences:
      - odds: 1.0
        result:
          MakeNodeVisible: {team: guard, target: {open: true}}
rewards:
  thief: {Field: purse.gold}
  guard: {Calculate: '-{purse.gold}'}
completed:
  purse.nerve: {Lte: 0}
metrics: [purse.gold, purse.nerve]
";

fn game() -> Game {
    let mut sources = Sources::new();
    let id = sources.add("game", GAME);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

fn simulator() -> Simulator {
    Simulator::new(game(), ResultRegistry::default()).unwrap()
}

fn boxed(policy: impl Policy + Send + 'static) -> Box<dyn Policy + Send> {
    Box::new(policy)
}

fn named(choice: &str, values: &[(&str, &str)]) -> NamedMove {
    let values = values.iter().map(|(name, value)| (Arc::from(*name), Value::text(value))).collect();
    NamedMove { choice: choice.into(), values }
}

#[test]
fn a_script_runs_and_then_passes() {
    let simulator = simulator();
    let script = vec![named("take", &[("target", "mill")]), NamedMove::new("wait")];
    let mut policies = vec![boxed(ScriptedPolicy::new(script)), boxed(NothingPolicy)];
    let episode = EpisodeRunner::new(&simulator, 10).play(1, 0, &mut policies);
    assert_eq!((episode.turns, episode.end, episode.invalid_turns), (10, EpisodeEnd::Truncated, 0));
    assert_eq!(episode.metrics[1], Some(Value::Int(4)));
}

#[test]
fn the_completed_game_ends_before_the_next_turn() {
    let simulator = simulator();
    let mut policies =
        vec![boxed(ConstantPolicy(NamedMove::new("wait"))), boxed(ConstantPolicy(NamedMove::new("look")))];
    let episode = simulator.play(1, 0, &mut policies);
    // The nerve suffices for six turns of the thief, between which the guard has five.
    assert_eq!((episode.turns, &episode.end), (11, &EpisodeEnd::Completed));
    assert_eq!(episode.rewards, [Some(0.0), Some(-0.0)]);
    // A limit equal to the number of turns does not truncate the game; a limit one lower does.
    assert_eq!(EpisodeRunner::new(&simulator, 11).play(1, 0, &mut policies).end, EpisodeEnd::Completed);
    assert_eq!(EpisodeRunner::new(&simulator, 10).play(1, 0, &mut policies).end, EpisodeEnd::Truncated);
}

#[test]
fn choices_of_other_teams_are_no_moves() {
    let simulator = simulator();
    let play = |name: &str, values: &[(&str, &str)]| {
        simulator.play(1, 0, &mut [boxed(ConstantPolicy(named(name, values))), boxed(NothingPolicy)]).end
    };
    let end = |error| EpisodeEnd::PolicyFailed { team: simulator.game().turns[0], error };
    assert_eq!(play("fly", &[]), end(PolicyError::UnknownChoice("fly".into())));
    let missing = PolicyError::MissingParameter { choice: "take".into(), parameter: "target".into() };
    assert_eq!(play("take", &[]), end(missing));
}

#[test]
fn random_games_are_the_same_whatever_the_number_of_threads() {
    let simulator = simulator();
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(2).build().unwrap());
    let play = |first, count, pool| {
        let games = Rollouts { seed: 9, first, count, max_turns: 100, pool };
        games.play(&simulator, || same_policy(&simulator, &RandomPolicy::default()))
    };
    let episodes = play(0, 200, None);
    assert_eq!(episodes, play(0, 200, Some(pool)));
    assert_eq!(episodes[150..], play(150, 50, None));
    assert!(episodes.iter().any(|episode| episode.rewards[0] > Some(3.0)), "somebody wins a gamble");
    assert!(episodes.iter().any(|episode| episode.out_of_bounds > 0), "more than five of gold are outside");
}

#[test]
fn a_batch_plays_the_games_that_are_played_one_by_one() {
    let simulator = simulator();
    let mut batch = Batch::new(&simulator, 9, 16, 100);
    let mut policies = same_policy(&simulator, &RandomPolicy::default());
    let mut episodes: Vec<Episode> = Vec::new();
    let mut chosen = Move::Pass;
    while episodes.len() < 64 {
        batch.advance(&mut policies, &mut chosen, |episode, _| episodes.push(episode));
    }
    for episode in &episodes {
        assert_eq!(*episode, EpisodeRunner::new(&simulator, 100).play(9, episode.index, &mut policies));
    }
    assert!(batch.games().iter().all(|game| game.bytes() < 4096));
    assert!(batch.games().iter().all(|game| game.index() < batch.games().len() as u64 + episodes.len() as u64));
    // Moves chosen by the caller.
    let turns = batch.games()[0].state().turns();
    batch.step(&vec![Move::Pass; 16], |_, _| {});
    assert!([0, turns + 1].contains(&batch.games()[0].state().turns()));
}

#[test]
fn masked_random_moves_are_valid_and_lead_somewhere() {
    let simulator = simulator();
    for index in 0..50 {
        let mut policies = same_policy(&simulator, &MaskedRandomPolicy::default());
        let episode = simulator.play(5, index, &mut policies);
        assert_eq!((episode.invalid_turns, episode.end), (0, EpisodeEnd::Completed));
    }
    let mut state = simulator.initial_state(1, 0);
    assert_eq!(TeamView::new(&simulator, &mut state).mask(), [true, true, false]);
}

#[test]
fn greedy_compares_expected_outcomes_of_moves() {
    let simulator = simulator();
    let mut state = simulator.initial_state(1, 0);
    let mut view = TeamView::new(&simulator, &mut state);
    let choices = view.choices();
    let take = |target: &str| Move::Choose(1.into(), vec![Value::text(target)]);
    assert_eq!(&*choices[1].name, "take");
    for (chosen, expected) in [(take("mill"), 0.5), (take("inn"), 1.5), (Move::Pass, 0.0)] {
        assert!(
            (view.expected_reward(&chosen, rules::Perspective::Observation).unwrap() - expected).abs() < 1e-12,
            "{chosen:?}"
        );
    }
    let mut chosen = Move::Pass;
    GreedyPolicy::default().choose(&mut view, &mut chosen).unwrap();
    assert_eq!(chosen, take("inn"));
    // First the inn and then the mill; a quarter of 13 or of 14 is less than their reward.
    let mut runner = EpisodeRunner::new(&simulator, 100);
    let rewards = (0..40)
        .map(|index| runner.play(2, index, &mut [boxed(GreedyPolicy::default()), boxed(NothingPolicy)]).rewards[0]);
    let rewards: Vec<f64> = rewards.flatten().collect();
    assert!(rewards.iter().all(|reward| [0, 3, 4].map(f64::from).contains(reward)), "{rewards:?}");
    assert!(rewards.contains(&4.0));
}

#[test]
fn a_table_decides_on_observations_of_the_team() {
    let simulator = simulator();
    let board = &simulator.game().board;
    let text = r#"{
        "fields": ["mill.observable", "mill.open"],
        "rows": [{"when": [true, false], "choose": "take", "with": {"target": "mill"}}],
        "otherwise": {"choose": "wait"}
    }"#;
    let mut policies = vec![boxed(TablePolicy::read(text, board).unwrap()), boxed(NothingPolicy)];
    let episode = simulator.play(3, 0, &mut policies);
    assert_eq!((episode.end, episode.rewards[0]), (EpisodeEnd::Completed, Some(1.0)));
    let without = text.replace(r#""otherwise": {"choose": "wait"}"#, r#""rows": []"#);
    assert!(TablePolicy::read(&without, board).is_ok());
    for (invalid, message) in [
        (text.replace("mill.open", "mill.opne"), "unknown resource \"mill.opne\" in `fields`"),
        (text.replace("[true, false]", "[true]"), "row 1: expected 2 values, found 1"),
        (
            text.replace("\"with\"", "\"wiht\""),
            "row 1: unknown key `wiht` in the row; expected one of when, choose, with",
        ),
    ] {
        assert_eq!(TablePolicy::read(&invalid, board).unwrap_err().to_string(), message);
    }
}

/// A terminal with scripted answers, which records the output.
struct Answers {
    answers: Vec<&'static str>,
    shown: Arc<Mutex<String>>,
}

impl Console for Answers {
    fn show(&mut self, text: &str) {
        self.shown.lock().unwrap().push_str(text);
    }

    fn ask(&mut self, prompt: &str) -> Option<String> {
        self.shown.lock().unwrap().push_str(prompt);
        (!self.answers.is_empty()).then(|| self.answers.remove(0).to_owned())
    }
}

#[test]
fn a_person_is_asked_until_the_answer_is_one() {
    let simulator = simulator();
    let output = Arc::new(Mutex::new(String::new()));
    let answers = vec!["7", "fly", "2", "moon", "inn", "wait"];
    let console = ConsolePolicy::new(Answers { answers, shown: output.clone() });
    let episode = simulator.play(1, 0, &mut [boxed(console), boxed(NothingPolicy)]);
    assert_eq!(episode.turns, 4);
    assert!(matches!(episode.end, EpisodeEnd::PolicyFailed { error: PolicyError::EndOfInput, .. }));
    let output = output.lock().unwrap();
    for expected in [
        "turn 1, team thief",
        "purse: gold=0 nerve=6",
        "3. gamble (invalid in your observation)",
        "`moon` is not one of mill, inn",
    ] {
        assert!(output.contains(expected), "{expected} in\n{output}");
    }
}

#[test]
fn hidden_nodes_help_only_policies_with_the_true_state() {
    let mut sources = Sources::new();
    let id = sources.add("coin", COIN);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    let simulator = Simulator::new(read.game.unwrap(), ResultRegistry::default()).unwrap();
    let games = Rollouts { seed: 1, first: 0, count: 400, max_turns: 100, pool: None };
    let mean = |own: &dyn Fn() -> Box<dyn Policy + Send>| {
        let mut runner = EpisodeRunner::new(&simulator, games.max_turns);
        let mut policies = vec![boxed(RandomPolicy::default()), own()];
        let rewards = (0..games.count).map(|index| runner.play(games.seed, index, &mut policies).rewards[1].unwrap());
        rewards.sum::<f64>() / games.count as f64
    };
    for own in [&(|| boxed(MaskedRandomPolicy::default())) as &dyn Fn() -> Box<dyn Policy + Send>, &|| {
        boxed(GreedyPolicy::default())
    }] {
        assert!((mean(own) - 5.0).abs() < 0.5, "{}", mean(own));
    }
    for own in [
        &(|| boxed(MaskedRandomPolicy::new(rules::Perspective::TrueState))) as &dyn Fn() -> Box<dyn Policy + Send>,
        &|| boxed(GreedyPolicy(rules::Perspective::TrueState)),
    ] {
        assert!((mean(own) - 10.0).abs() < 1e-12, "{}", mean(own));
    }
}

#[test]
fn bounds_that_are_errors_end_the_game() {
    let mut game = game();
    game.rules.bounds = SpaceBoundsRule::Error;
    let simulator = Simulator::new(game, ResultRegistry::default()).unwrap();
    let games = Rollouts { seed: 9, first: 0, count: 200, max_turns: 100, pool: None };
    let episodes = games.play(&simulator, || same_policy(&simulator, &RandomPolicy::default()));
    let outside = |episode: &Episode| matches!(&episode.end, EpisodeEnd::Failed(failure) if matches!(failure.kind, GameErrorKind::OutOfBounds { .. }));
    assert!(episodes.iter().any(outside));
}

fn trace(simulator: &Simulator, seed: u64, policies: &mut Policies) -> String {
    let mut writer = GameRecorder::new(Vec::new());
    let mut runner = EpisodeRunner::new(simulator, 100);
    for index in 0..3 {
        let episode = runner.play_observed(seed, index, policies, &mut writer);
        assert_eq!(episode, runner.play(seed, index, policies), "watching changes nothing");
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn traces_are_replayed_and_compared() {
    let simulator = simulator();
    let text = trace(&simulator, 4, &mut same_policy(&simulator, &RandomPolicy::default()));
    let turns = replay(&simulator, &mut text.as_bytes()).unwrap();
    assert_eq!(turns, text.lines().filter(|line| line.starts_with("{\"turn\":")).count() as u64);
    assert!(turns > 15);
    assert_eq!(diff(&mut text.as_bytes(), &mut text.as_bytes()), Ok(Vec::new()));

    let other = trace(&simulator, 5, &mut same_policy(&simulator, &RandomPolicy::default()));
    let differences = diff(&mut text.as_bytes(), &mut other.as_bytes()).unwrap();
    let [seed, turn] = &differences[..] else { panic!("{differences:?}") };
    assert_eq!((seed.line, seed.turn, &*seed.key, &*seed.left, &*seed.right), (1, None, "seed", "4", "5"));
    assert_eq!(turn.turn, Some(turn.line as u64 - 1));
    let before = |text: &str| text.lines().skip(1).take(turn.line - 2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(before(&text), before(&other));

    // A forged initial state, and a forged line.
    let altered = text.replacen("\"purse.nerve\":5", "\"purse.nerve\":4", 1);
    assert_ne!(altered, text);
    match replay(&simulator, &mut altered.as_bytes()) {
        Err(ReplayError::Mismatch(difference)) => assert_eq!((difference.line, &*difference.key), (2, "changes")),
        other => panic!("{other:?}"),
    }
    let truncated = text.lines().skip(1).collect::<Vec<_>>().join("\n");
    assert!(matches!(replay(&simulator, &mut truncated.as_bytes()), Err(ReplayError::Malformed { line: 1, .. })));
}

#[test]
fn greedy_games_are_replayed_without_calling_the_policy() {
    let simulator = simulator();
    let mut policies = vec![boxed(MaskedRandomPolicy::default()), boxed(RandomPolicy::default())];
    let text = trace(&simulator, 8, &mut policies);
    assert!(replay(&simulator, &mut text.as_bytes()).unwrap() > 15);
}
