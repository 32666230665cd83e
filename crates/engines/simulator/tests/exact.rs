//! Exact analysis, compared with games solved by hand and with several thousand simulated games.

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::rules::Perspective;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::{Policies, Rollouts};
use goalspec_simulator::exact::{
    AnalysisError, DecisionRule, DrawLocation, FiniteHorizonPolicy, Model, ModelLimits, Optimization, ParameterDomain,
    TeamPolicy,
};
use goalspec_simulator::policy::simple::NamedMove;
use goalspec_simulator::policy::{
    ConstantPolicy, GreedyPolicy, MaskedRandomPolicy, NothingPolicy, PolicyError, RandomPolicy, TablePolicy,
};
use goalspec_syntax::Sources;

fn simulator(text: &str) -> Simulator {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    let game = read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    Simulator::new(game, ResultRegistry::default()).unwrap()
}

fn explore(simulator: &Simulator, plans: &[TeamPolicy]) -> Model {
    Model::explore(simulator, plans, ModelLimits::default()).unwrap()
}

fn analysis_error(simulator: &Simulator, plans: &[TeamPolicy]) -> AnalysisError {
    Model::explore(simulator, plans, ModelLimits::default()).unwrap_err()
}

fn near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-12, "{one} and {other}");
}

/// A game with one resource `a.n` that ends when it is not 0; `choices` and `actions` are given as YAML.
fn tiny(choices: &[&str], actions: &str) -> Simulator {
    let choices: String = choices.iter().map(|choice| format!("    {choice}\n")).collect();
    simulator(&format!(
        "
metadata: {{id: tiny}}
teams: [red]
board: {{nodes: [a]}}
resourceSpace:
  a: {{observable: set(red), n: 'int.range(0; 0,9)'}}
actionSpace:
  red:
{choices}
actions:
{actions}
rewards:
  red: {{Field: a.n}}
completed: {{a.n: {{NotEqual: 0}}}}
metrics: [a.n]
"
    ))
}

/// Keeps 0 with probability 1/4, puts 1 with 1/4 and 2 with 1/2.
const SPIN: &str = "
  spin:
    cost: {}
    requires: {}
    consequences:
      - {odds: 0.25, result: {Resources: {put: {a.n: 1}}}}
      - {odds: 0.75, result: {Resources: {put: {a.n: 2}}}}
";

/// No change, 1 with certainty, or 8 with probability 1/4 and -1 with 1/2.
const BETS: &str = "
  wait: {cost: {}, requires: {}, consequences: []}
  safe:
    cost: {}
    requires: {}
    consequences:
      - {result: {Resources: {put: {a.n: 1}}}}
  risky:
    cost: {}
    requires: {}
    consequences:
      - {odds: 0.25, result: {Resources: {put: {a.n: 8}}}}
      - {odds: 0.75, result: {Resources: {put: {a.n: -1}}}}
";

fn bets() -> Simulator {
    tiny(&["wait:", "safe:", "risky:"], BETS)
}

#[test]
fn a_chain_by_hand() {
    let simulator = tiny(&["spin:"], SPIN);
    let model = explore(&simulator, &[TeamPolicy::Random]);
    assert_eq!((model.len(), model.transitions()), (3, 3));
    let outcomes = model.outcomes(3).unwrap();
    near(outcomes.truncated, 1.0 / 64.0);
    near(outcomes.completed, 63.0 / 64.0);
    assert_eq!(outcomes.lengths, [(1, 0.75), (2, 0.1875), (3, 0.046_875)]);
    let rows: Vec<_> = outcomes.rewards[0].iter().map(|row| (row.value, row.completed, row.truncated)).collect();
    assert_eq!(rows, [(Some(0.0), 0.0, 1.0 / 64.0), (Some(1.0), 21.0 / 64.0, 0.0), (Some(2.0), 42.0 / 64.0, 0.0)]);
    near(outcomes.reward(0.into()).unwrap()[0], 105.0 / 64.0);
    assert_eq!(outcomes.metrics[0][2].value, Some(Value::Int(2)));
    near(outcomes.turns().unwrap()[0], (48.0 + 24.0 + 9.0 + 3.0) / 64.0);
}

#[test]
fn as_many_turns_as_it_takes_are_no_truncation() {
    let model = explore(&bets(), &[TeamPolicy::Always(NamedMove::new("safe"))]);
    let outcomes = model.outcomes(1).unwrap();
    assert_eq!((outcomes.completed, outcomes.truncated), (1.0, 0.0));
    let outcomes = model.outcomes(0).unwrap();
    assert_eq!((outcomes.completed, outcomes.truncated), (0.0, 1.0));
}

#[test]
fn the_best_by_hand() {
    let simulator = bets();
    let model = explore(&simulator, &[TeamPolicy::Unspecified]);
    assert_eq!((model.len(), model.decisions(0).count()), (4, 3));
    // A bet is worth 8/4 - 1/2; with probability 1/4 the game continues with another bet, while turns remain.
    for (turns, value) in [(0, 0.0), (1, 1.5), (2, 1.875)] {
        let FiniteHorizonPolicy { value: best, decisions } =
            model.best_response(0.into(), Optimization::Maximize, turns).unwrap();
        near(best, value);
        assert!(decisions.iter().all(|decisions| decisions[0] == 2));
    }
    near(model.best_response(0.into(), Optimization::Minimize, 5).unwrap().value, 0.0);
    let stationary = model.value_iteration(0.into(), Optimization::Maximize, 1e-13, 1000).unwrap();
    near(stationary.values[0], 2.0);
    assert_eq!(stationary.decisions[0], 2, "waiting for ever is worth as much to who only compares values");
    let few = model.value_iteration(0.into(), Optimization::Maximize, 1e-13, 3).unwrap_err();
    assert_eq!(few, AnalysisError::NotConverged { rounds: 3, change: 1.5 / 16.0 });
    assert_eq!(model.outcomes(3).unwrap_err(), AnalysisError::MissingPolicy { team: "red".into() });
    let table = model.policy_table(0.into(), &stationary.decisions).unwrap();
    let table = TablePolicy::read(&table, &simulator.game().board).unwrap();
    assert_eq!(model.policy_table(0.into(), &[]), Err(AnalysisError::MissingDecision { state: 0 }));
    let planned = explore(&simulator, &[TeamPolicy::Table(table)]);
    assert_eq!(planned.policy_table(0.into(), &[0; 4]), Err(AnalysisError::FixedPolicy { team: "red".into() }));
    let played = planned.outcomes(2).unwrap();
    near(played.reward(0.into()).unwrap()[0], 1.875);
}

/// Two alternating teams, parameters that restrict vectors, visibility, and discounted odds.
const THIEF: &str = "
teams: [thief, guard]
board:
  nodes: [purse, street, mill, inn]
  vectors:
    - {from: street, to: mill}
    - {from: street, to: inn}
    - {from: mill, to: inn}
resourceSpace:
  purse: {observable: 'set(thief; thief, guard)', gold: int(0), nerve: int(5)}
  street: {observable: 'set(thief, guard)', open: true}
  mill: {observable: set(thief), open: false, worth: int(1)}
  inn: {observable: set(thief), open: false, worth: int(3)}
actionSpace:
  thief:
    take: {target: 'string.enum(mill, inn)'}
    gamble:
  guard:
    look:
    rest:
actions:
  take:
    cost: {purse.nerve: -1}
    requires: {purse.nerve: {Gte: 0}}
    consequences:
      - odds: 0.8
        odds.discount: 0.75
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
      - odds: 0.5
        result:
          MakeNodeVisible: {team: guard, target: {open: true}}
  rest: {cost: {}, requires: {}, consequences: []}
rewards:
  thief: {Field: purse.gold}
  guard: {Calculate: '-{purse.gold}'}
completed:
  purse.nerve: {Lte: 0}
metrics: [purse.gold, purse.nerve]
";

const GAMES: u64 = 4000;

/// Checks that exact results agree with simulated games within four standard errors.
fn agree(simulator: &Simulator, plans: &[TeamPolicy], policies: impl Fn() -> Policies + Sync, max_turns: u32) {
    let exact = explore(simulator, plans).outcomes(max_turns).unwrap();
    let games = Rollouts { seed: 11, first: 0, count: GAMES, max_turns, pool: None };
    let episodes = games.play(simulator, policies);
    let count = GAMES as f64;
    let close = |quantity: &str, exact: f64, found: f64, sd: f64| {
        let bound = 4.0 * sd / count.sqrt() + 1e-9;
        assert!((exact - found).abs() <= bound, "{quantity}: exactly {exact}, played {found}, within {bound}");
    };
    let [turns, sd] = exact.turns().unwrap();
    close("turns", turns, episodes.iter().map(|episode| f64::from(episode.turns)).sum::<f64>() / count, sd);
    for team in 0..simulator.game().teams.len() {
        let [mean, sd] = exact.reward(team.into()).unwrap();
        let rewards: Vec<f64> = episodes.iter().map(|episode| episode.rewards[team].unwrap()).collect();
        close("reward", mean, rewards.iter().sum::<f64>() / count, sd);
        assert!(rewards.iter().all(|&reward| exact.rewards[team].iter().any(|row| row.value == Some(reward))));
    }
    for (place, rows) in exact.metrics.iter().enumerate() {
        let total: f64 = rows.iter().map(|row| row.completed + row.truncated).sum();
        near(total, 1.0);
        for row in rows {
            let share = row.completed + row.truncated;
            let found = episodes.iter().filter(|episode| episode.metrics[place] == row.value).count() as f64 / count;
            close("metric", share, found, (share * (1.0 - share)).max(0.0).sqrt());
        }
    }
}

#[test]
fn the_simulator_agrees_under_random_policies() {
    let simulator = simulator(THIEF);
    let random = || vec![Box::new(RandomPolicy::default()) as _, Box::new(RandomPolicy::default()) as _];
    agree(&simulator, &[TeamPolicy::Random, TeamPolicy::Random], random, 100);
    agree(&simulator, &[TeamPolicy::Random, TeamPolicy::Random], random, 5);
}

#[test]
fn the_simulator_agrees_under_other_policies() {
    let simulator = simulator(THIEF);
    let masked = || vec![Box::new(MaskedRandomPolicy::default()) as _, Box::new(NothingPolicy) as _];
    agree(&simulator, &[TeamPolicy::MaskedRandom(Perspective::Observation), TeamPolicy::Nothing], masked, 100);
    let others = || vec![Box::new(GreedyPolicy::default()) as _, Box::new(ConstantPolicy(NamedMove::new("look"))) as _];
    agree(
        &simulator,
        &[TeamPolicy::Greedy(Perspective::Observation), TeamPolicy::Always(NamedMove::new("look"))],
        others,
        100,
    );
}

fn climb() -> Simulator {
    simulator(include_str!("../../../../examples/rgg/climb.yaml"))
}

/// Computes the optimal expected height by recursion over the rules of the game.
fn climbed(height: i32, strength: i32, hour: i32) -> f64 {
    if hour >= 10 || height >= 6 {
        return f64::from(height);
    }
    let after_rest = climbed(height, strength + i32::from(strength < 4), hour + 1);
    let left = strength - 1;
    let climb = if left < 0 {
        climbed(height, left, hour + 1)
    } else {
        0.7 * climbed(height + 1, left, hour + 1)
            + 0.1 * climbed((height - 2).max(0), left, hour + 1)
            + 0.2 * climbed(height, left, hour + 1)
    };
    after_rest.max(climb)
}

#[test]
fn the_climber_has_an_optimal_policy() {
    let simulator = climb();
    let model = explore(&simulator, &[TeamPolicy::Unspecified]);
    let best = climbed(0, 3, 0);
    near(model.best_response(0.into(), Optimization::Maximize, 10).unwrap().value, best);
    let stationary = model.value_iteration(0.into(), Optimization::Maximize, 0.0, 100).unwrap();
    near(stationary.values[0], best);
    let text = model.policy_table(0.into(), &stationary.decisions).unwrap();
    let table = TablePolicy::read(&text, &simulator.game().board).unwrap();
    let plans = [TeamPolicy::Table(table.clone())];
    near(explore(&simulator, &plans).outcomes(10).unwrap().reward(0.into()).unwrap()[0], best);
    agree(&simulator, &plans, || vec![Box::new(table.clone()) as _], 10);
    agree(&simulator, &[TeamPolicy::Random], || vec![Box::new(RandomPolicy::default()) as _], 10);
    agree(
        &simulator,
        &[TeamPolicy::Greedy(Perspective::Observation)],
        || vec![Box::new(GreedyPolicy::default()) as _],
        10,
    );
}

#[test]
fn unobserved_values_are_in_no_table() {
    let text = THIEF.replace("'set(thief; thief, guard)', gold", "'set(guard; thief, guard)', gold");
    let model = explore(&simulator(&text), &[TeamPolicy::Unspecified, TeamPolicy::Nothing]);
    let best = model.best_response(0.into(), Optimization::Maximize, 20).unwrap();
    let stationary = model.value_iteration(0.into(), Optimization::Maximize, 1e-12, 100).unwrap();
    near(best.value, stationary.values[0]);
    assert!(matches!(model.policy_table(0.into(), &stationary.decisions), Err(AnalysisError::NotObservable { .. })));
}

#[test]
fn a_chain_for_prism() {
    let model = explore(&tiny(&["spin:"], SPIN), &[TeamPolicy::Random]);
    let explicit = model.explicit();
    assert_eq!(explicit.states, "(s)\n0:(0)\n1:(1)\n2:(2)\n");
    assert_eq!(explicit.transitions, "3 5\n0 0 0.25\n0 1 0.25\n0 2 0.5\n1 1 1\n2 2 1\n");
    assert_eq!(explicit.labels, "0=\"init\" 1=\"deadlock\" 2=\"completed\"\n0: 0\n1: 2\n2: 2\n");
    let rewards = [("turns", "3 1\n0 1\n"), ("red", "3 2\n1 1\n2 2\n")];
    assert_eq!(explicit.rewards, rewards.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let expected = r#"// tiny
dtmc

module game
  s : [0..2] init 0;

  [] s=0 -> 0.25:(s'=0) + 0.25:(s'=1) + 0.5:(s'=2);
  [] s=1 -> 1:(s'=1);
  [] s=2 -> 1:(s'=2);
endmodule

label "completed" = (s>=1&s<=2);

rewards "turns"
  s=0 : 1;
endrewards

rewards "red"
  s=1 : 1;
  s=2 : 2;
endrewards
"#;
    assert_eq!(model.prism(), expected);
}

#[test]
fn a_decision_process_for_prism() {
    let model = explore(
        &tiny(&["spin:", "wait:"], &format!("{SPIN}\n  wait: {{cost: {{}}, requires: {{}}, consequences: []}}\n")),
        &[TeamPolicy::Unspecified],
    );
    let expected =
        "3 4 6\n0 0 0 0.25 red_spin\n0 0 1 0.25 red_spin\n0 0 2 0.5 red_spin\n0 1 0 1 red_wait\n1 0 1 1\n2 0 2 1\n";
    assert_eq!(model.explicit().transitions, expected);
    let text = model.prism();
    assert!(text.starts_with("// tiny\nmdp\n"), "{text}");
    assert!(
        text.contains("\n  [red_spin] s=0 -> 0.25:(s'=0) + 0.25:(s'=1) + 0.5:(s'=2);\n  [red_wait] s=0 -> 1:(s'=0);\n"),
        "{text}"
    );
}

#[test]
fn errors_name_the_exceeded_limit() {
    let simulator = climb();
    let limits = ModelLimits::default();
    let explore = |limits| Model::explore(&simulator, &[TeamPolicy::Unspecified], limits).map(|model| model.len());
    let states = explore(limits).unwrap();
    assert_eq!(explore(ModelLimits { states, ..limits }), Ok(states));
    let limit = states - 1;
    // Integers from 0 to 6, and real numbers from 0 to 5 after a slip: ten hours are too short to reach 6 then.
    let widest = Some(("wall.height".to_owned(), 13));
    assert_eq!(explore(ModelLimits { states: limit, ..limits }), Err(AnalysisError::TooManyStates { limit, widest }));
    assert_eq!(
        explore(ModelLimits { transitions: 100, ..limits }),
        Err(AnalysisError::TooManyTransitions { limit: 100 })
    );
    assert_eq!(explore(ModelLimits { bytes: 5000, ..limits }), Err(AnalysisError::TooManyBytes { limit: 5000 }));
    let plans = Model::explore(&simulator, &[], limits).map(|model| model.len());
    assert_eq!(plans, Err(AnalysisError::PlanCount { expected: 1, found: 0 }));
}

#[test]
fn rewards_that_are_no_numbers_are_refused() {
    let text = "
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {observable: set(red), n: int(0), t: string(x)}}
actionSpace: {red: {add: }}
actions: {add: {cost: {a.n: 1}, requires: {}, consequences: []}}
rewards: {red: REWARD}
completed: {a.n: {Gte: 2}}
";
    // Strings end the game with an error after the first turn; an endless game has no optimum.
    let fails = simulator(&text.replace("REWARD", "{Field: a.t}"));
    assert!(matches!(analysis_error(&fails, &[TeamPolicy::Random]), AnalysisError::GameFailed(_)));
    let model = explore(&simulator(&text.replace("REWARD", "{Calculate: '1 / 0'}")), &[TeamPolicy::Unspecified]);
    let expected = AnalysisError::NonFiniteReward { team: "red".into() };
    assert_eq!(model.best_response(0.into(), Optimization::Maximize, 2).unwrap_err(), expected);
    assert_eq!(model.value_iteration(0.into(), Optimization::Maximize, 0.0, 9).unwrap_err(), expected);
    assert!(model.teams_with_rewards().is_empty());
}

#[test]
fn unbounded_spaces_are_refused() {
    let calculated = "  spin: {cost: {}, requires: {}, consequences: [{result: {Resources: {put: {a.n: {Calculate: 'random()'}}}}}]}";
    let error = analysis_error(&tiny(&["spin:"], calculated), &[TeamPolicy::Unspecified]);
    assert_eq!(error, AnalysisError::UnsupportedDraw(DrawLocation::Consequence("spin".into(), 0)));
    // A draw in an action that is never chosen is accepted.
    assert_eq!(explore(&tiny(&["spin:"], calculated), &[TeamPolicy::Nothing]).len(), 1);
    let real = analysis_error(&tiny(&["spin: {x: 'float.range(0,1)'}"], SPIN), &[TeamPolicy::Random]);
    let parameter = AnalysisError::NonEnumerableParameter {
        team: "red".into(),
        choice: "spin".into(),
        parameter: "x".into(),
        values: ParameterDomain::Continuous,
    };
    assert_eq!(real, parameter);
    let unknown = analysis_error(&bets(), &[TeamPolicy::Always(NamedMove::new("fly"))]);
    assert_eq!(
        unknown,
        AnalysisError::PolicyFailed { team: "red".into(), error: PolicyError::UnknownChoice("fly".into()) }
    );
}

#[test]
fn the_first_turns_of_a_game_without_end() {
    let grow = "  grow: {cost: {a.n: 1}, requires: {}, consequences: []}\n  stay: {cost: {}, requires: {}, consequences: []}\n";
    let text = "
metadata: {id: grow}
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {observable: set(red), n: int(0)}}
actionSpace: {red: {grow: , stay: }}
actions:
ACTIONS
rewards: {red: {Field: a.n}}
completed: {a.n: {Lt: 0}}
metrics: [a.n]
"
    .replace("ACTIONS", grow);
    let simulator = simulator(&text);
    let limits = ModelLimits { states: 100, turns: Some(4), ..ModelLimits::default() };
    let model = Model::explore(&simulator, &[TeamPolicy::Random], limits).unwrap();
    // States 0 to 4, of which 4 has no successors.
    assert_eq!((model.len(), model.transitions()), (5, 8));
    assert!(model.is_frontier(4) && !model.is_frontier(3));
    let outcomes = model.outcomes(4).unwrap();
    let binomial: Vec<f64> = outcomes.metrics[0].iter().map(|row| row.truncated).collect();
    assert_eq!(binomial, [1.0, 4.0, 6.0, 4.0, 1.0].map(|coefficient| coefficient / 16.0));
    assert_eq!(model.outcomes(5).unwrap_err(), AnalysisError::HorizonTooLong { limit: 4 });
    let free = Model::explore(&simulator, &[TeamPolicy::Unspecified], limits).unwrap();
    let best = free.best_response(0.into(), Optimization::Maximize, 4).unwrap();
    near(best.value, 4.0);
    assert_eq!(
        free.best_response(0.into(), Optimization::Maximize, 5).unwrap_err(),
        AnalysisError::HorizonTooLong { limit: 4 }
    );
    assert_eq!(
        free.value_iteration(0.into(), Optimization::Maximize, 0.0, 9).unwrap_err(),
        AnalysisError::HorizonTooLong { limit: 4 }
    );
    let decided = free.time_independent_decisions(0.into(), &best.decisions).unwrap();
    assert_eq!(decided, [0, 0, 0, 0, u32::MAX]);
    let by = DecisionRule::PerTurn(&best.decisions);
    near(free.outcomes_until(by, 4, 0.0, &mut |_, _| {}).unwrap().reward(0.into()).unwrap()[0], 4.0);
    assert!(model.prism().contains("[] s=4 -> 1:(s'=4);"));
}

#[test]
fn best_responses_may_depend_on_the_remaining_turns() {
    // A bet: 1 now, or 3 in the next turn with probability 1/2; with one turn left the second comes too late.
    let actions = "
  now: {cost: {}, requires: {}, consequences: [{result: {Resources: {put: {a.n: 1}}}}]}
  later: {cost: {}, requires: {}, consequences: [{odds: 0.5, result: {Resources: {put: {a.n: 3}}}}]}
";
    let model = explore(&tiny(&["now:", "later:"], actions), &[TeamPolicy::Unspecified]);
    let best = model.best_response(0.into(), Optimization::Maximize, 2).unwrap();
    // 3 with probability 1/2, and then one more attempt.
    near(best.value, 1.5 + 0.5 * 1.5);
    assert_eq!(model.time_independent_decisions(0.into(), &best.decisions).unwrap()[0], 1);
    let cheap = actions.replace("a.n: 3", "a.n: 1.5");
    let model = explore(&tiny(&["now:", "later:"], &cheap), &[TeamPolicy::Unspecified]);
    // 1.5 with probability 1/2, and 1 if that failed: better than 1 now, except with one turn left.
    let best = model.best_response(0.into(), Optimization::Maximize, 2).unwrap();
    near(best.value, 0.75 + 0.5);
    assert_eq!((best.decisions[0][0], best.decisions[1][0]), (1, 0));
    assert_eq!(
        model.time_independent_decisions(0.into(), &best.decisions),
        Err(AnalysisError::TimeDependent { state: 0 })
    );
}

#[test]
fn bounds_of_the_probability_that_a_game_ever_ends() {
    let actions = "
  trap: {cost: {}, requires: {a.t: {Equal: 0}}, consequences: [{odds: 0.25, result: {Resources: {put: {a.n: 1}}}}, {odds: 0.5, result: {Resources: {put: {a.t: 1}}}}]}
";
    let text = "
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {observable: set(red), n: int(0), t: int(0)}}
actionSpace: {red: {trap: }}
actions:
ACTIONS
rewards: {red: {Field: a.n}}
completed: {a.n: {NotEqual: 0}}
"
    .replace("ACTIONS", actions);
    let model = explore(&simulator(&text), &[TeamPolicy::Random]);
    // Both ends are equally likely; after one turn half of the games are undecided.
    assert_eq!(model.outcomes(1).unwrap().termination_bounds.map(f64::to_bits), [0.25, 0.75].map(f64::to_bits));
    let ends = model.outcomes(100).unwrap().termination_bounds;
    near(ends[0], 0.5);
    near(ends[1], 0.5);
    assert_eq!(
        explore(&tiny(&["spin:"], SPIN), &[TeamPolicy::Random])
            .outcomes(1)
            .unwrap()
            .termination_bounds
            .map(f64::to_bits),
        [1.0, 1.0].map(f64::to_bits)
    );
}

/// Sets as parameter values that no result reads.
#[test]
fn parameters_that_are_sets() {
    let text = "
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {observable: set(red), n: int(0)}}
actionSpace: {red: {mark: {which: 'set(x,y,z)'}}}
actions: {mark: {cost: {a.n: 1}, requires: {}, consequences: []}}
rewards: {red: {Field: a.n}}
completed: {a.n: {Gte: 2}}
";
    let simulator = simulator(text);
    agree(&simulator, &[TeamPolicy::Random], || vec![Box::new(RandomPolicy::default()) as _], 5);
    agree(
        &simulator,
        &[TeamPolicy::MaskedRandom(Perspective::Observation)],
        || vec![Box::new(MaskedRandomPolicy::default()) as _],
        5,
    );
    agree(
        &simulator,
        &[TeamPolicy::Greedy(Perspective::Observation)],
        || vec![Box::new(GreedyPolicy::default()) as _],
        5,
    );
    // A team without a plan may choose the full set, and the order does not matter.
    assert_eq!(explore(&simulator, &[TeamPolicy::Unspecified]).decisions(0).count(), 8);
    let many = text.replace("set(x,y,z)", "set(a,b,c,d,e,f,g,h,i,j,k,l,m)");
    let many = |plan| analysis_error(&self::simulator(&many), &[plan]);
    let (team, choice, parameter) = ("red".into(), "mark".into(), "which".into());
    let expected = AnalysisError::NonEnumerableParameter {
        team,
        choice,
        parameter,
        values: ParameterDomain::Many { limit: 4096 },
    };
    assert_eq!(many(TeamPolicy::Random), expected);
    assert_eq!(many(TeamPolicy::Unspecified), expected);
}
