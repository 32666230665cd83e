//! What came of a study, as JSON.

use goalspec_core::resource::game::Game;
use goalspec_core::resource::rules::View;
use goalspec_core::resource::value::Value;
use goalspec_simulator::json;
use goalspec_simulator::statistics::sweep::Each;
use serde_json::{Map, Value as Json, json};

use super::Ready;
use super::collected::{Collected, Played, Results};
use super::players::Players;
use super::record;
use super::study::{Study, StudyResult};
use super::summary::{Shape, differences, frequencies, summary};
use super::variation::Variation;

/// Everything that is known of the games of a study. Beside what is known of the first policies' games:
///
/// | key | when | what |
/// |---|---|---|
/// | `version` | always | the version of goalspec |
/// | `game` | always | the name of the game |
/// | `dialect` | always | its `name`, and the `rules` that were changed |
/// | `seed`, `first`, `max_turns` | always | which games were played |
/// | `policies` | always | the first policies by team, as they were asked for |
/// | `policy_view` | always | what policies that look ahead go by: `observation` or `truth` |
/// | `discount` | always | what step rewards are discounted by; `null` where returns were not wanted |
/// | `cancelled` | always | whether the study was ended before it had all its games |
/// | `choices`, `consequences` | always | how often each was chosen, was valid, occurred |
/// | `outside_by_resource`, `overflows_by_resource` | always | how many values of which resources left their spaces, or 32 bits |
/// | `compared` | others are compared | for each other: `policies`, `overview`, and `differences` by number: the first less it |
/// | `stopped` | there is a rule to stop | `of`, `target`, `reached`, `half_width` |
/// | `varied` | values vary | how often they are drawn (`each`), `variables` with what was drawn, `groups` by value if these are few |
/// | `timelines` | resources are followed | by resource, the quantiles after each turn |
pub fn report(study: &Study<'_>, result: &StudyResult, shape: &Shape) -> Json {
    let game = study.ready.simulator.game();
    let collected = &result.collected;
    let mut report = heading(study.ready, &study.players[0]);
    report.extend([
        ("seed".to_owned(), study.seed.into()),
        ("first".to_owned(), study.first.into()),
        ("max_turns".to_owned(), study.max_turns.into()),
        ("discount".to_owned(), study.discount.into()),
        ("cancelled".to_owned(), result.cancelled.into()),
    ]);
    report.extend(results(game, &collected.all, study.players, shape));
    report.extend(frequencies(game, &collected.frequencies[0]));
    if let (Some(stop), Some(stopped)) = (study.stop, result.stopped) {
        let of: Vec<String> = stop.of.iter().map(|number| number.name(game)).collect();
        report.insert(
            "stopped".to_owned(),
            json!({
                "of": of,
                "target": stop.half_width,
                "reached": stopped.reached,
                "half_width": stopped.half_width,
            }),
        );
    }
    if let Some(variation) = study.variation {
        report.insert("varied".to_owned(), varied(game, variation, collected, study.players, shape));
    }
    if !study.follow.is_empty() {
        report.insert("timelines".to_owned(), timelines(study, collected, shape));
    }
    Json::Object(report)
}

/// What every report begins with: the version, the game, its dialect, and who plays.
pub fn heading(ready: &Ready, players: &Players) -> Map<String, Json> {
    let (name, changed) = ready.dialect.described();
    let rules: Map<String, Json> = changed.into_iter().map(|(rule, word)| (rule.to_owned(), word.into())).collect();
    let policies = players.by_team().map(|(team, policy)| (team.to_owned(), Json::from(policy)));
    let view = match players.view() {
        View::Observation => "observation",
        View::Truth => "truth",
    };
    Map::from_iter([
        ("version".to_owned(), env!("CARGO_PKG_VERSION").into()),
        ("game".to_owned(), (&*ready.simulator.game().name).into()),
        ("dialect".to_owned(), json!({ "name": name, "rules": rules })),
        ("policies".to_owned(), Json::Object(policies.collect())),
        ("policy_view".to_owned(), view.into()),
    ])
}

fn results(game: &Game, results: &Results, players: &[Players], shape: &Shape) -> Map<String, Json> {
    let mut report = match results.overviews[0].json(game, shape) {
        Json::Object(report) => report,
        other => Map::from_iter([("overview".to_owned(), other)]),
    };
    let [_, others @ ..] = players else { return report };
    if others.is_empty() {
        return report;
    }
    let compared = others.iter().zip(&results.overviews[1..]).zip(&results.differences);
    let compared = compared.map(|((players, overview), by_number)| {
        let by_number = by_number.iter().filter(|(_, paired)| paired.differences().count() > 0);
        let by_number = by_number.map(|(number, paired)| (number.name(game), differences(paired, shape.level)));
        json!({
            "policies": players.text(),
            "overview": overview.json(game, shape),
            "differences": by_number.collect::<Map<_, _>>(),
        })
    });
    let compared: Vec<Json> = compared.collect();
    report.insert("compared".to_owned(), compared.into());
    report
}

fn varied(game: &Game, variation: &Variation, collected: &Collected, players: &[Players], shape: &Shape) -> Json {
    let variables = variation.variables().iter().zip(variation.texts()).zip(&collected.drawn);
    let variables: Vec<Json> = variables
        .map(|((variable, text), drawn)| {
            json!({ "path": &*variable.path, "variable": text, "drawn": summary(drawn, shape) })
        })
        .collect();
    let groups = collected.groups.as_ref().map(|_| {
        let group = |group: &super::collected::Group| {
            let mut report = results(game, &group.results, players, shape);
            report.insert("values".to_owned(), values(variation, &group.values));
            Json::Object(report)
        };
        collected.sorted_groups().into_iter().map(group).collect::<Vec<Json>>()
    });
    let each = match variation.each() {
        Each::Game => "game",
        Each::Batch => "batch",
    };
    json!({ "each": each, "variables": variables, "groups": groups })
}

/// Values by the paths of what varies.
fn values(variation: &Variation, values: &[Value]) -> Json {
    let pairs = variation.variables().iter().zip(values);
    Json::Object(pairs.map(|(variable, value)| (variable.path.to_string(), json::write(Some(value)))).collect())
}

fn timelines(study: &Study<'_>, collected: &Collected, shape: &Shape) -> Json {
    let board = &study.ready.simulator.game().board;
    let timeline = |(place, slot): (usize, &goalspec_core::resource::board::SlotId)| {
        let moments = collected.timeline.quantiles(place, &shape.quantiles);
        let moments = moments.into_iter().map(|moment| {
            let quantiles = shape.quantiles.iter().zip(moment.quantiles);
            let quantiles: Map<String, Json> =
                quantiles.map(|(share, value)| (share.to_string(), value.into())).collect();
            json!({ "turn": moment.turn, "quantiles": quantiles })
        });
        (board.slot_name(*slot), Json::Array(moments.collect()))
    };
    Json::Object(study.follow.iter().enumerate().map(timeline).collect())
}

/// What became of a game, a record for each policy.
pub fn records(study: &Study<'_>, played: &Played) -> Vec<Json> {
    let game = study.ready.simulator.game();
    let several = study.players.len() > 1;
    let record = |(episode, players): (&goalspec_simulator::episode::Episode, &Players)| {
        let mut record = record::episode(game, episode);
        if let Some(record) = record.as_object_mut() {
            if several {
                record.insert("policies".to_owned(), players.text().into());
            }
            if let Some(variation) = study.variation {
                record.insert("varied".to_owned(), values(variation, &played.drawn.values));
            }
        }
        record
    };
    played.episodes.iter().zip(study.players).map(record).collect()
}
