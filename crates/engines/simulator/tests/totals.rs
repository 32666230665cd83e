//! Statistics of simulated games.

use std::sync::Arc;

use goalspec_resource::custom::ResultRegistry;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::{EpisodeRunner, Rollouts, same_policy};
use goalspec_simulator::policy::RandomPolicy;
use goalspec_simulator::statistics::timeline::Timeline;
use goalspec_simulator::statistics::totals::{EpisodeStatistics, Quantity};
use goalspec_statistics::interval::ConfidenceLevel;
use goalspec_syntax::Sources;
use rayon::ThreadPoolBuilder;

/// Each of three turns wins a coin with probability 1/2.
const COINS: &str = "
teams: [red]
board: {nodes: [a]}
resourceSpace: {a: {coins: int(0), turns: int(0), won: false}}
actionSpace: {red: {toss: }}
actions:
  toss:
    cost: {a.turns: 1}
    requires: {}
    consequences:
      - {odds: 0.5, result: {Resources: {add: {a.coins: 1}, put: {a.won: true}}}}
rewards: {red: {Field: a.coins}}
completed: {a.turns: {Gte: 3}}
metrics: [a.coins, a.won]
";

fn simulator(text: &str) -> Simulator {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    let game = read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    Simulator::new(game, ResultRegistry::default()).unwrap()
}

fn totals(simulator: &Simulator, jobs: usize) -> EpisodeStatistics {
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(jobs).build().unwrap());
    let games = Rollouts { seed: 5, first: 0, count: 4000, max_turns: 100, pool: Some(pool) };
    let episodes = games.play(simulator, || same_policy(simulator, &RandomPolicy::default()));
    let mut parts: Vec<EpisodeStatistics> = Vec::new();
    for episodes in episodes.chunks(4000 / jobs) {
        let mut part = EpisodeStatistics::new(simulator.game());
        for episode in episodes {
            part.add(episode);
        }
        parts.push(part);
    }
    let mut all = EpisodeStatistics::new(simulator.game());
    for part in parts.iter().rev() {
        all.merge(part);
    }
    all
}

#[test]
fn totals_agree_with_the_binomial_distribution_on_any_number_of_threads() {
    let simulator = simulator(COINS);
    let all = totals(&simulator, 1);
    assert_eq!((all.games(), all.ends.completed), (4000, 4000));
    let reward = &all.rewards[0];
    // Mean 1.5 and variance 0.75 over 4000 games, within five standard errors.
    let mean = reward.moments().mean().unwrap();
    assert!((mean - 1.5).abs() < 5.0 * (0.75_f64 / 4000.0).sqrt(), "{mean}");
    let counts: Vec<(f64, u64)> = reward.histogram().bins.iter().map(|bin| (bin.low, bin.count)).collect();
    assert_eq!(counts.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    for ((_, count), probability) in counts.iter().zip([0.125, 0.375, 0.375, 0.125]) {
        let error = (4000.0 * probability * (1.0_f64 - probability)).sqrt();
        assert!((*count as f64 - 4000.0 * probability).abs() < 5.0 * error, "{counts:?}");
    }
    let (share, interval) = all.metrics[1].proportion(ConfidenceLevel::DEFAULT).unwrap();
    assert!((share - 0.875).abs() < 5.0 * (0.109_375_f64 / 4000.0).sqrt() && interval.contains(share), "{share}");
    let facts = |totals: &EpisodeStatistics| {
        let rows = totals.rows(simulator.game());
        rows.map(|(subject, summary)| {
            (subject, summary.moments().mean(), summary.moments().standard_deviation(), summary.boolean_counts())
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(facts(&totals(&simulator, 4)), facts(&all));
    let subjects: Vec<Quantity> = all.rows(simulator.game()).map(|(subject, _)| subject).collect();
    assert_eq!(
        subjects[3..],
        [
            Quantity::Overflows,
            Quantity::Reward("red".into()),
            Quantity::Metric("a.coins".into()),
            Quantity::Metric("a.won".into())
        ]
    );
}

#[test]
fn timelines_keep_the_last_values_of_games_that_are_over() {
    // Games end with the first coin, so the value at each turn is whether a coin has been won.
    let simulator = simulator(&COINS.replace("completed: {a.turns: {Gte: 3}}", "completed: {a.coins: {Gte: 1}}"));
    let slots = || [0.into(), 2.into()];
    let mut whole = Timeline::new(slots());
    let mut parts = [Timeline::new(slots()), Timeline::new(slots())];
    let mut runner = EpisodeRunner::new(&simulator, 100);
    for index in 0..200 {
        let mut policies = same_policy(&simulator, &RandomPolicy::default());
        runner.play_observed(1, index, &mut policies, &mut whole);
        runner.play_observed(1, index, &mut policies, &mut parts[usize::from(index % 3 == 0)]);
    }
    let shares = [0.0, 0.5, 0.9, 1.0];
    let moments = whole.quantiles(0, &shares);
    assert_eq!(moments[0].quantiles, [Some(0.0); 4]);
    // After two turns three quarters of the games are over, and after the last turn all.
    assert_eq!((moments[2].turn, moments[2].quantiles[2]), (2, Some(1.0)));
    assert_eq!(moments.last().unwrap().quantiles, [Some(1.0); 4]);
    assert_eq!(whole.quantiles(1, &shares), moments, "truth values count as 0 and 1");
    let [mut merged, other] = parts;
    merged.merge(&other);
    assert_eq!(merged.quantiles(0, &shares), moments);
    assert_eq!(whole.quantiles(2, &shares), []);
}
