//! Summary statistics of games as JSON.

use goalspec_resource::game::Game;
use goalspec_simulator::experiment::{EpisodeQuantity, PolicySummary};
use goalspec_simulator::frequencies::Frequencies;
use goalspec_simulator::statistics::summary::MetricSummary;
use goalspec_statistics::histogram::{BinKind, Histogram};
use goalspec_statistics::interval::{ConfidenceInterval, ConfidenceLevel};
use goalspec_statistics::paired::PairedComparison;
use serde_json::{Map, Value as Json, json};

/// The format of summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryOptions {
    /// The reported quantiles, as probabilities from 0 to 1.
    pub quantiles: Vec<f64>,
    /// The confidence level of intervals.
    pub level: ConfidenceLevel,
}

impl Default for SummaryOptions {
    fn default() -> Self {
        Self { quantiles: vec![0.25, 0.5, 0.75], level: ConfidenceLevel::default() }
    }
}

/// Returns the summary of the games of one set of policies as JSON: counts, and the [`summary`] of every number.
pub fn policy_summary(policy_summary: &PolicySummary, game: &Game, shape: &SummaryOptions) -> Json {
    let by_name = |numbers: &mut dyn Iterator<Item = (String, EpisodeQuantity)>| -> Map<String, Json> {
        numbers.map(|(name, number)| (name, summary(number.summary(&policy_summary.totals), shape))).collect()
    };
    let rewards =
        &mut game.teams.iter().enumerate().map(|(index, team)| (team.name.to_string(), EpisodeQuantity::Reward(index)));
    let metrics = &mut game
        .metrics
        .iter()
        .enumerate()
        .map(|(index, metric)| (metric.name.to_string(), EpisodeQuantity::Metric(index)));
    let returns =
        (0..game.teams.len()).map(|index| (game.teams[index].name.to_string(), EpisodeQuantity::Return(index)));
    let returns = &mut returns.filter(|(_, number)| number.summary(&policy_summary.totals).games() > 0);
    json!({
        "games": policy_summary.games(),
        "truncated": policy_summary.truncated(),
        "failed": policy_summary.failed(),
        "first_error": policy_summary.first_error.as_ref().map(|(_, trouble)| trouble),
        "out_of_space": policy_summary.out_of_space(),
        "overflows": policy_summary.overflows(),
        "turns": summary(&policy_summary.totals.turns, shape),
        "invalid_turns": summary(&policy_summary.totals.invalid_turns, shape),
        "rewards": by_name(rewards),
        "metrics": by_name(metrics),
        "returns": by_name(returns),
    })
}

/// Returns frequencies as JSON: how often each choice was made and was valid, by team; how often each consequence occurred, and
/// in how many valid executions; and the resources with values outside their spaces or with overflows.
pub fn frequencies(game: &Game, frequencies: &Frequencies) -> Map<String, Json> {
    let choices = frequencies.choices(game).into_iter().map(|row| {
        let choice = row.choice.as_deref();
        json!({ "team": &*row.team, "choice": choice, "chosen": row.count.chosen, "valid": row.count.valid })
    });
    let consequences = frequencies.consequences(game).into_iter().map(|row| {
        json!({
            "action": &*row.action,
            "consequence": row.consequence,
            "valid": row.valid,
            "occurred": row.occurred,
        })
    });
    let to_object = |rows: Vec<(String, u64)>| -> Json {
        Json::Object(rows.into_iter().map(|(name, count)| (name, count.into())).collect())
    };
    Map::from_iter([
        ("choices".to_owned(), choices.collect::<Vec<_>>().into()),
        ("consequences".to_owned(), consequences.collect::<Vec<_>>().into()),
        ("out_of_space_by_resource".to_owned(), to_object(frequencies.out_of_bounds(game))),
        ("overflows_by_resource".to_owned(), to_object(frequencies.overflows(game))),
    ])
}

/// Returns the summary of a number as JSON: mean, standard deviation, range, quantiles, histogram, and the confidence interval of
/// the mean; for truth values and texts, the count of each value.
pub fn summary(metric: &MetricSummary, shape: &SummaryOptions) -> Json {
    let moments = metric.moments();
    let mut record = Map::new();
    let mut insert = |name: &str, value: Json| drop(record.insert(name.to_owned(), value));
    insert("count", moments.count().into());
    if moments.count() > 0 {
        insert("mean", moments.mean().into());
        insert("sd", moments.standard_deviation().into());
        insert("se", moments.standard_error().into());
        insert("mean_interval", interval(metric.mean_interval(shape.level)));
        insert("min", moments.min().into());
        insert("max", moments.max().into());
        let quantiles = shape.quantiles.iter().zip(metric.counts().quantiles(&shape.quantiles));
        insert(
            "quantiles",
            quantiles.map(|(proportion, value)| (proportion.to_string(), value.into())).collect::<Map<_, _>>().into(),
        );
        insert("histogram", histogram(&metric.histogram()));
    }
    let [false_count, true_count] = metric.boolean_counts();
    if let Some((proportion, bounds)) = metric.proportion(shape.level) {
        insert("false", false_count.into());
        insert("true", true_count.into());
        insert("proportion", proportion.into());
        insert("proportion_interval", interval(Some(bounds)));
    }
    if metric.text_count() > 0 {
        insert(
            "strings",
            metric.texts().map_or(Json::Null, |texts| {
                texts.map(|(text, count)| (text.to_owned(), count.into())).collect::<Map<_, _>>().into()
            }),
        );
    }
    insert("missing", metric.missing_count().into());
    insert("unusable", metric.excluded_count().into());
    Json::Object(record)
}

/// Returns the statistics of the paired differences between two sets of policies as JSON.
pub fn differences(comparison: &PairedComparison, level: ConfidenceLevel) -> Json {
    let moments = comparison.differences();
    json!({
        "count": moments.count(),
        "mean": moments.mean(),
        "sd": moments.standard_deviation(),
        "se": moments.standard_error(),
        "mean_interval": interval(comparison.interval(level)),
        "min": moments.min(),
        "max": moments.max(),
        "greater": comparison.greater(),
        "equal": comparison.equal(),
        "less": comparison.less(),
        "incomplete": comparison.incomplete(),
    })
}

fn interval(interval: Option<ConfidenceInterval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

/// Returns the lower end, upper end and count of each bin. For a bin of a single value, both ends are the value.
fn histogram(histogram: &Histogram) -> Json {
    let bins: Vec<Json> = histogram.bins.iter().map(|bin| json!([bin.low, bin.high, bin.count])).collect();
    let kind = match histogram.kind {
        BinKind::Values => "values",
        BinKind::Intervals => "intervals",
    };
    json!({ "kind": kind, "bins": bins })
}
