//! Monte Carlo experiments: equal results on any number of threads, early stops, and variants of a game.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::EpisodeRunner;
use goalspec_simulator::experiment::{
    EpisodeQuantity, Experiment, ExperimentError, ExperimentObservers, ExperimentOptions, ExperimentResult, GameRecord,
    GameVariants, PolicyFactory, PrecisionTarget, SampledValues, one_policy,
};
use goalspec_simulator::policy::{NothingPolicy, RandomPolicy};
use goalspec_statistics::interval::ConfidenceLevel;
use goalspec_syntax::Sources;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Each of three tosses wins a coin with probability 1/2; `start` coins are there from the beginning.
fn coins(start: u64) -> Simulator {
    let text = format!(
        "
teams: [red]
board: {{nodes: [table]}}
resourceSpace: {{table: {{coins: int({start}), tosses: int(0)}}}}
actionSpace: {{red: {{toss: }}}}
actions:
  toss:
    cost: {{table.tosses: 1}}
    requires: {{}}
    consequences: [{{odds: 0.5, result: {{Resources: {{add: {{table.coins: 1}}}}}}}}]
rewards: {{red: {{Field: table.coins}}}}
completed: {{table.tosses: 3}}
"
    );
    let mut sources = Sources::new();
    let id = sources.add("coins", text);
    let read = goalspec_rgg::load(sources.file(id), Dialect::DOCUMENTED, &[]);
    let game = read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    Simulator::new(game, ResultRegistry::default()).unwrap()
}

fn pool() -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(3).build().unwrap())
}

/// Returns the summary of the reward of the first team in the games of a set of policies.
fn mean(result: &ExperimentResult, policies: usize) -> f64 {
    let policy_summary = &result.statistics.totals.summaries[policies];
    EpisodeQuantity::Reward(0).summary(&policy_summary.totals).moments().mean().unwrap()
}

#[test]
fn experiments_are_the_same_on_any_number_of_threads() {
    let simulator = coins(0);
    let (random, nothing) = (one_policy(&simulator, RandomPolicy::default()), one_policy(&simulator, NothingPolicy));
    let play = |pool| {
        let options =
            ExperimentOptions { seed: 7, first_index: 5, max_games: 5000, max_turns: 10, pool, ..Default::default() };
        let mut records: Vec<GameRecord> = Vec::new();
        let mut keep = |record: &GameRecord| {
            records.push(record.clone());
            Ok(())
        };
        let finished = AtomicU64::new(0);
        let progress = |games| {
            finished.fetch_add(games, Ordering::Relaxed);
        };
        let observers = ExperimentObservers { progress: &progress, games: Some(&mut keep), turns: None };
        let experiment = Experiment::new(&simulator, random.clone()).compare(nothing.clone()).with_options(options);
        let result = experiment.play(observers).unwrap();
        assert_eq!(finished.into_inner(), 10_000);
        (result, records)
    };
    let (result, records) = play(None);
    let (parallel, parallel_records) = play(Some(pool()));
    let episodes =
        |records: &[GameRecord]| records.iter().flat_map(|record| record.episodes.clone()).collect::<Vec<_>>();
    assert_eq!(episodes(&records), episodes(&parallel_records));
    assert!(records.iter().map(|record| record.index).eq(5..5005));
    assert_eq!([0, 1].map(|set| mean(&result, set).to_bits()), [0, 1].map(|set| mean(&parallel, set).to_bits()));
    assert_eq!((mean(&result, 1), result.statistics.games(), result.cancelled), (0.0, 5000, false));
    let mut runner = EpisodeRunner::new(&simulator, 10);
    for record in records.iter().take(20) {
        assert_eq!(runner.play(7, record.index, &mut random.policies()), record.episodes[0]);
    }
    let (number, difference) = &result.statistics.totals.differences[0][1];
    assert_eq!(*number, EpisodeQuantity::Reward(0));
    assert!((difference.differences().mean().unwrap() - mean(&result, 0)).abs() < 1e-12);
}

/// Experiments, runners and plays own what they run, so another thread can take them.
#[test]
fn experiments_move_to_another_thread() {
    let simulator = coins(0);
    let experiment = Experiment::new(&simulator, one_policy(&simulator, RandomPolicy::default()));
    let mut runner = EpisodeRunner::new(&simulator, 10);
    drop(simulator);
    let games = std::thread::spawn(move || experiment.play(ExperimentObservers::default()).unwrap().statistics.games());
    let turns = std::thread::spawn(move || runner.play(1, 0, &mut [Box::new(NothingPolicy)]).turns);
    assert_eq!((games.join().unwrap(), turns.join().unwrap()), (1000, 10));
}

#[test]
fn experiments_end_when_intervals_are_narrow_or_when_they_are_cancelled() {
    let simulator = coins(0);
    let random = one_policy(&simulator, RandomPolicy::default());
    let play = |options| {
        Experiment::new(&simulator, random.clone()).with_options(options).play(ExperimentObservers::default()).unwrap()
    };
    let numbers = EpisodeQuantity::rewards(simulator.game());
    let target = PrecisionTarget { numbers, half_width: 0.04, level: ConfidenceLevel::DEFAULT };
    let options =
        ExperimentOptions { max_games: 100_000, precision_target: Some(target), ..ExperimentOptions::default() };
    let result = play(options.clone());
    let precision = result.precision.unwrap();
    assert!(precision.reached && precision.half_width.unwrap() <= 0.04);
    assert!((1000..10_000).contains(&result.statistics.games()), "{}", result.statistics.games());
    let cancelled = Some(Arc::new(AtomicBool::new(true)));
    let result = play(ExperimentOptions { cancelled, ..options });
    assert_eq!((result.statistics.games(), result.cancelled), (0, true));
}

#[test]
fn intervals_of_compared_returns_are_those_of_their_differences() {
    let simulator = coins(0);
    let (random, nothing) = (one_policy(&simulator, RandomPolicy::default()), one_policy(&simulator, NothingPolicy));
    let play = |numbers, discount| {
        let target = PrecisionTarget { numbers, half_width: 0.04, level: ConfidenceLevel::DEFAULT };
        let options = ExperimentOptions {
            max_games: 4000,
            discount,
            precision_target: Some(target),
            ..ExperimentOptions::default()
        };
        let result = Experiment::new(&simulator, random.clone())
            .compare(nothing.clone())
            .with_options(options)
            .play(ExperimentObservers::default())
            .unwrap();
        (result.precision.unwrap(), result.statistics)
    };
    let (precision, statistics) = play(vec![EpisodeQuantity::Return(0)], Some(0.9));
    let (_, difference) =
        statistics.totals.differences[0].iter().find(|(number, _)| *number == EpisodeQuantity::Return(0)).unwrap();
    let half_width = difference.interval(ConfidenceLevel::DEFAULT).unwrap().half_width();
    assert_eq!((precision.reached, precision.half_width), (true, Some(half_width)));
    assert!(half_width > 0.0 && half_width <= 0.04, "{half_width}");
    for (numbers, discount) in [(vec![EpisodeQuantity::Return(0)], None), (Vec::new(), Some(0.9))] {
        let (precision, statistics) = play(numbers, discount);
        assert_eq!((precision.reached, precision.half_width, statistics.games()), (false, None, 4000));
    }
}

/// Games with 0 to 2 coins at the beginning; games with an index that is a multiple of `fails_at` fail.
struct Coins {
    fails_at: Option<u64>,
}

/// The error of a variant.
#[derive(Debug, PartialEq)]
struct Unplayable(u64);

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} is unplayable", self.0)
    }
}

impl GameVariants for Coins {
    type Error = Unplayable;

    fn variables(&self) -> usize {
        1
    }

    fn sample(&self, _: u64, index: u64) -> Result<SampledValues, Unplayable> {
        if index > 0 && self.fails_at.is_some_and(|step| index.is_multiple_of(step)) {
            return Err(Unplayable(index));
        }
        let coins = (index % 3) as i32;
        Ok(SampledValues { key: coins.to_string().into(), values: Arc::from([Value::Int(coins)]) })
    }

    fn simulator(&self, sampled: &SampledValues) -> Result<Simulator, Unplayable> {
        Ok(coins(sampled.key.parse().unwrap()))
    }
}

#[test]
fn variants_have_statistics_of_their_own_and_the_first_failure_is_reported() {
    let simulator = coins(0);
    let random = one_policy(&simulator, RandomPolicy::default());
    for pool in [None, Some(pool())] {
        let options = ExperimentOptions { max_games: 3000, pool, ..ExperimentOptions::default() };
        let play = |variants: Coins| {
            Experiment::new(&simulator, random.clone())
                .with_options(options.clone())
                .with_variants(Some(Arc::new(variants) as _))
                .play(ExperimentObservers::default())
        };
        let result = play(Coins { fails_at: None }).unwrap();
        let groups = result.statistics.sorted_groups();
        assert_eq!(groups.len(), 3);
        for (start, group) in (0..).zip(groups) {
            let policy_summary = &group.results.summaries[0];
            assert_eq!((policy_summary.games(), &*group.values), (1000, &[Value::Int(start)][..]));
            let reward = EpisodeQuantity::Reward(0).summary(&policy_summary.totals).moments().mean().unwrap();
            assert!((reward - 1.5 - f64::from(start)).abs() < 0.15, "{start}: {reward}");
        }
        let error = play(Coins { fails_at: Some(700) }).map(drop).unwrap_err();
        assert!(matches!(error, ExperimentError::Variant(Unplayable(700))), "{error}");
        assert_eq!(error.to_string(), "cannot play a variant of the game: game 700 is unplayable");
    }
}
