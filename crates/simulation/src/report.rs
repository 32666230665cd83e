//! The result of an experiment as JSON.

use goalspec_resource::game::Game;
use goalspec_resource::value::Value;
use goalspec_simulator::experiment::{ExperimentResult, GameRecord, PolicyResults, SampleAccumulator, SampleGroup};
use goalspec_simulator::json;
use goalspec_simulator::statistics::sweep::SamplingFrequency;
use serde_json::{Map, Value as Json, json};

use crate::episode_json;
use crate::experiment::LoadedExperiment;
use crate::metadata::ReportMetadata;
use crate::policies::TeamPolicies;
use crate::summary::{SummaryOptions, differences, frequencies, policy_summary, summary};
use crate::variation::Variation;

/// Returns the result of an experiment as JSON. In addition to the [heading](ReportMetadata) and the summary of the games of the first
/// set of policies, it contains:
///
/// | key | condition | value |
/// |---|---|---|
/// | `first_index`, `max_turns` | always | the index of the first game, and the maximum number of turns |
/// | `discount` | always | the discount factor of step rewards; `null` if no returns were computed |
/// | `cancelled` | always | whether the experiment was cancelled before all its games were played |
/// | `choices`, `consequences` | always | how often each was chosen, was valid, occurred |
/// | `out_of_space_by_resource`, `overflows_by_resource` | always | the number of values outside their spaces or 32 bits, by resource |
/// | `compared` | policies are compared | for each other set: `policies`, `summary`, `differences` by number (first minus other) |
/// | `precision` | there is a stopping rule | `numbers`, `target`, `reached`, `half_width` |
/// | `varied` | values vary | how often they are drawn (`each`), `variables` with summaries, `groups` by value if there are few |
/// | `timelines` | resources are tracked | the quantiles after each turn, by resource |
pub fn report(experiment: &LoadedExperiment, result: &ExperimentResult, shape: &SummaryOptions) -> Json {
    let game = experiment.game.simulator.game();
    let collected = &result.statistics;
    let mut report =
        ReportMetadata::new(&experiment.game, &experiment.policies[0], Some(experiment.options.seed)).json();
    report.extend([
        ("first_index".to_owned(), experiment.options.first_index.into()),
        ("max_turns".to_owned(), experiment.options.max_turns.into()),
        ("discount".to_owned(), experiment.options.discount.into()),
        ("cancelled".to_owned(), result.cancelled.into()),
    ]);
    report.extend(results(game, &collected.totals, &experiment.policies, shape));
    report.extend(frequencies(game, &collected.frequencies[0]));
    if let (Some(stop), Some(stopped)) = (&experiment.options.precision_target, result.precision) {
        let names: Vec<String> = stop.numbers.iter().map(|number| number.name(game)).collect();
        report.insert(
            "precision".to_owned(),
            json!({
               "numbers": names,
                "target": stop.half_width,
                "reached": stopped.reached,
                "half_width": stopped.half_width,
            }),
        );
    }
    if let Some(variation) = &experiment.variation {
        report.insert("varied".to_owned(), varied(game, variation, collected, &experiment.policies, shape));
    }
    if !experiment.options.tracked_resources.is_empty() {
        report.insert("timelines".to_owned(), timelines(experiment, collected, shape));
    }
    Json::Object(report)
}

fn results(
    game: &Game,
    results: &PolicyResults,
    players: &[TeamPolicies],
    shape: &SummaryOptions,
) -> Map<String, Json> {
    let mut report = match policy_summary(&results.summaries[0], game, shape) {
        Json::Object(report) => report,
        other => Map::from_iter([("summary".to_owned(), other)]),
    };
    let [_, others @ ..] = players else { return report };
    if others.is_empty() {
        return report;
    }
    let compared = others.iter().zip(&results.summaries[1..]).zip(&results.differences);
    let compared = compared.map(|((players, statistics), by_number)| {
        let by_number = by_number.iter().filter(|(_, comparison)| comparison.differences().count() > 0);
        let by_number = by_number.map(|(number, comparison)| (number.name(game), differences(comparison, shape.level)));
        json!({
            "policies": players.text(),
            "summary": policy_summary(statistics, game, shape),
            "differences": by_number.collect::<Map<_, _>>(),
        })
    });
    let compared: Vec<Json> = compared.collect();
    report.insert("compared".to_owned(), compared.into());
    report
}

fn varied(
    game: &Game,
    variation: &Variation,
    collected: &SampleAccumulator,
    players: &[TeamPolicies],
    shape: &SummaryOptions,
) -> Json {
    let variables = variation.variables().iter().zip(variation.texts()).zip(&collected.sampled);
    let variables: Vec<Json> = variables
        .map(|((variable, text), summary_of_values)| {
            json!({ "path": &*variable.path, "variable": text, "drawn": summary(summary_of_values, shape) })
        })
        .collect();
    let groups = collected.groups.as_ref().map(|_| {
        let group = |group: &SampleGroup| {
            let mut report = results(game, &group.results, players, shape);
            report.insert("values".to_owned(), values(variation, &group.values));
            Json::Object(report)
        };
        collected.sorted_groups().into_iter().map(group).collect::<Vec<Json>>()
    });
    let each = match variation.each() {
        SamplingFrequency::Game => "game",
        SamplingFrequency::Seed => "batch",
    };
    json!({ "each": each, "variables": variables, "groups": groups })
}

/// Returns values as JSON, by the paths of their variables.
fn values(variation: &Variation, values: &[Value]) -> Json {
    let pairs = variation.variables().iter().zip(values);
    Json::Object(pairs.map(|(variable, value)| (variable.path.to_string(), json::write(Some(value)))).collect())
}

fn timelines(experiment: &LoadedExperiment, collected: &SampleAccumulator, shape: &SummaryOptions) -> Json {
    let board = &experiment.game.simulator.game().board;
    let timeline = |(place, slot): (usize, &goalspec_resource::board::SlotId)| {
        let points = collected.timeline.quantiles(place, &shape.quantiles);
        let points = points.into_iter().map(|point| {
            let quantiles = shape.quantiles.iter().zip(point.quantiles);
            let quantiles: Map<String, Json> =
                quantiles.map(|(proportion, value)| (proportion.to_string(), value.into())).collect();
            json!({ "turn": point.turn, "quantiles": quantiles })
        });
        (board.slot_name(*slot), Json::Array(points.collect()))
    };
    Json::Object(experiment.options.tracked_resources.iter().enumerate().map(timeline).collect())
}

/// Returns a game as JSON, one record for each set of policies, each with its [heading](ReportMetadata).
pub fn records(experiment: &LoadedExperiment, played: &GameRecord) -> Vec<Json> {
    let game = experiment.game.simulator.game();
    let record = |(episode, players): (&goalspec_simulator::episode::Episode, &TeamPolicies)| {
        let mut record = ReportMetadata::new(&experiment.game, players, Some(experiment.options.seed)).json();
        if let Json::Object(episode) = episode_json::episode(game, episode) {
            record.extend(episode);
        }
        if let Some(variation) = &experiment.variation {
            record.insert("varied".to_owned(), values(variation, &played.sampled.values));
        }
        Json::Object(record)
    };
    played.episodes.iter().zip(&experiment.policies).map(record).collect()
}
