//! Games under simple policies compared with as many games recorded by the Cage engine: means, and histograms by chi-square
//! tests.
//!
//! The table of all z and p values is printed by
//! `cargo nextest run -p goalspec-simulator recorded_statistics --no-capture`.

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::Game;
use goalspec_resource::value::Value;
use goalspec_simulator::Simulator;
use goalspec_simulator::episode::{Episode, MAX_TURNS, Rollouts};
use goalspec_simulator::policy::simple::NamedMove;
use goalspec_simulator::policy::{ConstantPolicy, Policy, RandomPolicy};
use serde_json::Value as Json;

use crate::cage;

#[path = "chi_square/mod.rs"]
mod chi_square;

use chi_square::{Counts, Verdict, beyond};

/// The maximum distance between two means in standard errors.
const MOST_ERRORS: f64 = 4.0;

/// The familywise significance level of the tests of the histograms, divided equally among them.
const LEVEL: f64 = 0.01;

/// Returns the mean of numbers and its standard error.
fn mean(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    [mean, (variance / count).sqrt()]
}

/// The comparison of one quantity of a row.
struct Compared {
    what: String,
    /// Both means and their distance in standard errors; `None` for Booleans.
    means: Option<[f64; 3]>,
    /// The test of the histograms, if one was recorded.
    histogram: Option<Verdict>,
}

/// Compares simulated numbers with recorded statistics.
fn compare(quantity: String, numbers: &[f64], expected: &Json) -> Compared {
    let means = expected["mean"].as_f64().map(|recorded| {
        let [found, error] = mean(numbers);
        let error = error.hypot(expected["se"].as_f64().unwrap());
        // The recorded means are rounded to six digits.
        let difference = ((found - recorded).abs() - 5e-6 * recorded.abs()).max(0.0);
        [recorded, found, if difference == 0.0 { 0.0 } else { difference / error }]
    });
    Compared { what: quantity, means, histogram: histogram(numbers, expected) }
}

fn histogram(numbers: &[f64], expected: &Json) -> Option<Verdict> {
    let mut counts = Counts::default();
    for (value, count) in expected.get("hist").or_else(|| expected.get("counts"))?.as_object()? {
        let value = match &**value {
            "false" => 0.0,
            "true" => 1.0,
            number => number.parse().unwrap(),
        };
        counts.add(0, value, count.as_f64().unwrap());
    }
    for &number in numbers {
        counts.add(1, number, 1.0);
    }
    Some(counts.test())
}

fn policy(game: &mut Game, team: usize, name: &str) -> Box<dyn Policy + Send> {
    let choices = &mut game.teams[team].choices;
    let always = name.strip_prefix("always:");
    match choices.iter_mut().find(|choice| Some(&*choice.name) == always) {
        Some(choice) => {
            // The recording has no values for the parameters.
            choice.parameters.clear();
            Box::new(ConstantPolicy(NamedMove::new(&choice.name)))
        }
        None => Box::new(RandomPolicy::default()),
    }
}

/// Plays as many games as a row records, and compares all its quantities.
fn row(row: &Json) -> Vec<Compared> {
    let [name, chosen] = ["game", "policy"].map(|key| row[key].as_str().unwrap());
    let mut game = cage::game(name).unwrap();
    for team in 0..game.teams.len() {
        policy(&mut game, team, chosen);
    }
    let simulator = Simulator::new(game.clone(), ResultRegistry::default()).unwrap();
    let games =
        Rollouts { seed: 20, first: 0, count: row["games"].as_u64().unwrap(), max_turns: MAX_TURNS, pool: None };
    let policies = || (0..game.teams.len()).map(|team| policy(&mut game.clone(), team, chosen)).collect();
    let episodes = games.play(&simulator, policies);
    let of = |number: &dyn Fn(&Episode) -> f64| -> Vec<f64> { episodes.iter().map(number).collect() };
    let label = |quantity: &str| format!("{name}, {chosen}: {quantity}");
    let mut compared = vec![compare(label("turns"), &of(&|it| f64::from(it.turns)), &row["steps"])];
    for (place, team) in game.teams.iter().enumerate() {
        let rewards = of(&|episode| episode.rewards[place].unwrap());
        compared.push(compare(label(&team.name), &rewards, &row["rewards"][&*team.name]));
    }
    for (place, metric) in game.metrics.iter().enumerate() {
        let number = |episode: &Episode| match &episode.metrics[place] {
            Some(Value::Bool(truth)) => f64::from(u8::from(*truth)),
            value => value.as_ref().and_then(Value::as_f64).unwrap(),
        };
        compared.push(compare(label(&metric.name), &of(&number), &row["metrics"][&*metric.name]));
    }
    compared
}

#[test]
fn means_and_histograms_of_many_games() {
    let Some(text) = cage::recorded("engine_statistics.jsonl") else { return };
    let compared: Vec<Compared> = text.lines().flat_map(|line| row(&serde_json::from_str(line).unwrap())).collect();
    let histograms = compared.iter().filter_map(|comparison| comparison.histogram);
    // A histogram with a single cell adds nothing to the comparison of means.
    let tests = histograms.filter(|verdict| verdict.freedom > 0).count();
    let level = LEVEL / tests as f64;
    println!("{:64} {:>12} {:>12} {:>6} {:>8} {:>4} {:>8}", "", "recorded", "found", "z", "chi2", "df", "p");
    let mut mismatches = Vec::new();
    for Compared { what, means, histogram } in &compared {
        let means_shown =
            means.map_or(format!("{:32}", ""), |[one, other, z]| format!("{one:12.5} {other:12.5} {z:6.2}"));
        let details = histogram
            .map_or(String::new(), |Verdict { statistic, freedom, p }| format!("{statistic:8.2} {freedom:4} {p:8.5}"));
        println!("{what:64} {means_shown} {details}");
        if means.is_some_and(|[.., z]| z.is_nan() || z > MOST_ERRORS)
            || histogram.is_some_and(|comparison| comparison.p < level)
        {
            mismatches.push(what);
        }
    }
    let max_errors = compared.iter().filter_map(|comparison| comparison.means).map(|[.., z]| z).fold(0.0, f64::max);
    let smallest = compared
        .iter()
        .filter_map(|comparison| comparison.histogram)
        .map(|comparison| comparison.p)
        .fold(1.0, f64::min);
    let means = compared.iter().filter(|comparison| comparison.means.is_some()).count();
    println!("{means} means, greatest z {max_errors:.2}; {tests} histograms, least p {smallest:.5} (bound {level:.5})");
    assert!(means > 50 && tests > 25 && mismatches.is_empty(), "{mismatches:?}");
}

/// A histogram shifted up by one value is rejected, and the histogram itself is not.
#[test]
fn another_distribution_is_refused() {
    let Some(text) = cage::recorded("engine_statistics.jsonl") else { return };
    let rows = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let mut rejected = 0;
    for histogram in rows.filter_map(|row| row["steps"]["hist"].as_object().cloned()) {
        let verdict = |shift: f64| {
            let mut counts = Counts::default();
            for (value, count) in &histogram {
                let (value, count): (f64, f64) = (value.parse().unwrap(), count.as_f64().unwrap());
                counts.add(0, value, count);
                counts.add(1, value + shift, count);
            }
            counts.test()
        };
        assert_eq!((verdict(0.0).statistic, verdict(0.0).p), (0.0, 1.0));
        assert!(verdict(1.0).p < 1e-6, "{histogram:?}");
        rejected += 1;
    }
    assert!(rejected > 5);
}

/// Critical values from published tables.
#[test]
fn probabilities_of_chi_square() {
    for (statistic, freedom, expected) in [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (18.307, 10, 0.05),
        (30.144, 19, 0.05),
        (24.725, 11, 0.01),
        (36.191, 19, 0.01),
    ] {
        let found = beyond(statistic, freedom);
        assert!((found - expected).abs() < 5e-5, "{freedom}: {found}");
    }
}
