//! Which texts the Cage engine loads, row by row of its recordings, and what the sample games are in both dialects.

mod common;

use common::base::{BASE, acting, assigning, board, first, indented, resources, rows, section, text, with};
use common::{errors, game, recorded, report};
use goalspec_rgg::Dialect;

/// The text that a row about loading was recorded with, by the row's title.
fn variant(title: &str) -> Option<String> {
    Some(match title {
        "base" => text(BASE),
        "unknown top key" => text(BASE.into_iter().chain([("foo", "1")])),
        "no actions" => with("actions", None),
        "no metadata" => with("metadata", None),
        "metadata extra key" => with("metadata", Some("{id: x, author: me}")),
        "empty metadata" => with("metadata", Some("")),
        "no teams" => with("teams", None),
        "dup teams" => with("teams", Some("[s, t, s]")),
        "unknown team in actionSpace" => with("actionSpace", Some("{s: {act: }, zz: {act: }}")),
        "team w/o actionSpace" => with("actionSpace", Some("{s: {act: }}")),
        "unknown team in rewards" => with("rewards", Some("{zz: {Field: a.x}}")),
        "team w/o reward" => with("rewards", Some("{s: {Field: a.x}}")),
        "reward constant literal" => with("rewards", Some("{s: 5}")),
        "unknown node in resourceSpace" => with("resourceSpace", Some("{zz: {x: int(1)}}")),
        "unknown node in vector" => board("[{from: a, to: zz}]"),
        "vector missing to" => board("[{from: a}]"),
        "vector with id" => board("[{from: a, to: b, id: v}]"),
        "vector extra key" => board("[{from: a, to: b, weight: 1}]"),
        "dup vector" => board("[{from: a, to: b}, {from: a, to: b}]"),
        "dup vector with id" => board("[{from: a, to: b, id: v}, {from: a, to: b, id: w}]"),
        "no vectors" => with("board", Some("{nodes: [a, b, c]}")),
        "dup nodes" => with("board", Some("{nodes: [a, b, c, a]}")),
        "int node ids" => with("board", Some("{nodes: [1, 2]}")),
        "resourceSpace before board" => first("resourceSpace"),
        "int scalar resource" => resources("{x: 3}"),
        "float scalar resource" => resources("{x: 3.5}"),
        "string scalar resource" => resources("{x: hello}"),
        "null resource" => resources("{x: }"),
        "list resource" => resources("{x: [1]}"),
        "empty node resources" => resources("{}"),
        "null node resources" => resources(""),
        "observable not set" => with("resourceSpace", Some("{a: {x: int(1)}, b: {observable: int(1), x: int(2)}}")),
        "resource name with dot" => resources("{x.y: int(3), x: int(3), own: false}"),
        "undefined action in space" => with("actionSpace", Some("{s: {act: , bogus: }, t: {wait: }}")),
        "action not in space" => with("actionSpace", Some("{s: {wait: }, t: {wait: }}")),
        "param bad" => with("actionSpace", Some("{s: {act: {p: foo}}, t: {wait: }}")),
        "actionSpace list form" => with("actionSpace", Some("{s: [act], t: {wait: }}")),
        "action param list form" => with("actionSpace", Some("{s: {act: [p]}, t: {wait: }}")),
        "no completed" => with("completed", None),
        "completed bool" => with("completed", Some("true")),
        "completed CalculateBoolean" => with("completed", Some("{CalculateBoolean: '{a.own}'}")),
        "metrics unknown" => with("metrics", Some("[zz.q, a.q]")),
        "metrics nodot" => with("metrics", Some("[foo]")),
        _ => return None,
    })
}

/// Titles that do not say what the text was: a board, a team or a parameter may have been in it in more than one way.
const UNTOLD: [&str; 4] = ["metadata name", "no board", "actionSpace before teams", "param list"];

#[test]
fn rows_about_loading() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let (mut total, mut wrong, mut untold) = (0, Vec::new(), Vec::new());
    for row in table.lines().filter_map(|line| line.strip_prefix("LOAD ")) {
        let (title, outcome) = row.split_once(": ").expect("a title");
        let Some(text) = variant(title) else {
            untold.push(title);
            continue;
        };
        total += 1;
        let read = game(&text, Dialect::CAGE);
        if read.game.is_some() != outcome.starts_with("OK") {
            wrong.push(format!("{title}: {outcome}: {}", errors(&read)));
        }
    }
    assert_eq!(untold, UNTOLD);
    report("loading", total, &wrong);
}

/// Rows in which a game runs into an error that its text does not show; they load.
const AT_PLAY: [&str; 1] = ["Attempt to add null resources"];

/// Compares whether texts are refused with whether the engine failed.
fn compare(what: &str, rows: impl Iterator<Item = (String, String, String)>) {
    let (mut total, mut wrong) = (0, Vec::new());
    for (title, text, outcome) in rows {
        total += 1;
        let read = game(&text, Dialect::CAGE);
        let literal_null = outcome.contains("a.x = null") && title.contains("{a.x: null}");
        let fails_at_play = AT_PLAY.iter().any(|message| outcome.contains(message)) && !literal_null;
        if read.game.is_none() != (outcome.starts_with("ERR ") && !fails_at_play) {
            wrong.push(format!("{title}: {outcome:.120}: {}", errors(&read)));
        }
    }
    report(what, total, &wrong);
}

#[test]
fn forms_of_actions() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let owned = |(act, outcome): (&str, &str)| (act.to_owned(), acting(act), outcome.to_owned());
    compare("forms of actions", rows(&table, "ACT variant ").map(owned));
}

#[test]
fn costs() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let owned = |(cost, outcome): (&str, &str)| {
        let act = format!("act: {{cost: {cost}, requires: {{}}}}");
        (cost.to_owned(), acting(&act), outcome.to_owned())
    };
    compare("costs", rows(&table, "ACT cost ").map(owned));
}

/// Rows about results. One is about a state that the engine makes by adding everything to itself for a vector: it is refused.
fn results(name: &str) {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let prefix = format!("ACT {name} {{");
    let owned = |(inner, outcome): (&str, &str)| {
        let act = format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{name}: {{{inner}}}}}]}}");
        (format!("{{{inner}"), acting(&act), outcome.to_owned())
    };
    let reproduced = |(inner, _, _): &(String, String, String)| !inner.ends_with("result: {}}");
    compare(name, rows(&table, &prefix).map(owned).filter(reproduced));
}

#[test]
fn resources_results() {
    results("Resources");
}

#[test]
fn vector_results() {
    results("WithRandomVector");
}

#[test]
fn filters_in_actions() {
    let Some(table) = recorded("engine_filter_parsing.txt") else { return };
    let table: String =
        table.lines().filter_map(|line| line.split_once(" => ")).map(|(_, row)| format!("{row}\n")).collect();
    let owned = |(filter, outcome): (&str, &str)| {
        let act = format!("act:\n    cost: {{}}\n    requires:{}", filter.replace("\\n", "\n"));
        (filter.to_owned(), acting(&act), outcome.to_owned())
    };
    compare("filters in actions", rows(&table, "ACT requires").map(owned));
}

#[test]
fn sample_games() {
    let names = [
        "Covid19",
        "MultiplayerTestRgg",
        "MyCustomGame",
        "SimulationServiceExample",
        "SoftwarePatching",
        "TerrainDiscovery",
    ];
    for name in names {
        let Some(text) = recorded(&format!("games/{name}.yaml")) else { return };
        for (dialect_name, dialect) in Dialect::NAMED {
            let read = game(&text, dialect);
            assert!(read.game.is_some(), "{name}, {dialect_name}: {}", errors(&read));
        }
    }
}

/// A table of filters or computations: what is written, and the text of a game in which it stands.
fn table(title: &str, excepted: &[&str], place: impl Fn(&str) -> String, is_error: impl Fn(&str) -> bool) {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let (mut total, mut wrong) = (0, Vec::new());
    for (written, outcome) in section(&table, title) {
        total += 1;
        let read = game(&place(written), Dialect::CAGE);
        let equal = read.game.is_none() == is_error(outcome);
        if equal == excepted.contains(&written) {
            wrong.push(format!("{written}: {outcome:.100}: {}", errors(&read)));
        }
    }
    report(title, total, &wrong);
}

#[test]
fn value_filters() {
    let place = |filter: &str| acting(&format!("act: {{cost: {{}}, requires: {{a.x: {filter}}}}}"));
    table("## value filters", &[], place, |outcome| outcome.contains("=>ERR"));
}

#[test]
fn datum_filters() {
    // In a list, where the engine reads filters as it does alone.
    let place = |filter: &str| {
        acting(&format!("act:\n    cost: {{}}\n    requires:\n      Or:\n        - {}", indented(filter, 10)))
    };
    let is_error = |outcome: &str| outcome.contains("ERR") || outcome.contains("null filter");
    table("## datum filters", &[], place, is_error);
}

#[test]
fn datum_computes() {
    let place = |compute: &str| with("rewards", Some(&format!("{{s: {compute}}}")));
    // There is no clock.
    table("## datum computes", &["{Now: {}}"], place, |outcome| outcome.contains("ERR"));
}

#[test]
fn assignments() {
    // A place within a value is none to write to.
    table("## Create", &["/n/c: 1"], |entries| assigning("put", entries), |outcome| outcome.contains("ERR"));
    table("-- augment", &[], |entries| assigning("compute", entries), |outcome| outcome.contains("ERR"));
}
