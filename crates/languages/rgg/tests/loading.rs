//! The texts that the Cage engine accepts, row by row of its recordings, and the sample games in both dialects.

use crate::common::base::{
    BASE, acting, assigning, board, first, indented, resources, rows, section, text, varied, with,
};
use crate::common::{errors, game, recorded, report};
use goalspec_resource::board::Node;
use goalspec_resource::game::Game;
use goalspec_resource::interpret::play::Play;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;

/// Returns the text of a row about loading, by the title of the row.
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
        "observable not set" => text(BASE).replace("{observable: set(t)", "{observable: int(1)"),
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

/// Returns the candidate texts of a row whose title does not determine the text: all that should be accepted according to other rows
/// about metadata, nodes, teams and parameters. Each must be accepted.
fn variants(title: &str) -> Vec<String> {
    let of = |section, values: &[&str]| values.iter().map(|&value| with(section, Some(value))).collect();
    match title {
        // The Cage engine refuses any other key.
        "metadata name" => of("metadata", &["{id: name}", "{description: name}", "{id: name, description: name}"]),
        // A board without nodes requires an empty or missing `resourceSpace`.
        "no board" => [None, Some("{}")].map(|none| varied(&[("board", None), ("resourceSpace", none)])).into(),
        // The keys of `actionSpace` are undefined before `teams`.
        "actionSpace before teams" => {
            let others = [("metadata", "{id: x}"), ("actionSpace", "{}"), ("teams", "[s]")];
            let actions = BASE.into_iter().filter(|(key, _)| ["actions", "completed", "metrics"].contains(key));
            vec![text(others), text(others.into_iter().chain(actions))]
        }
        // A parameter whose constraint contains a list, in each form.
        "param list" => {
            let constraints = ["string.enum(u; u,v)", "string.enum(u; [u,v])", "int.enum([1,2])", "set([u]; [u,v])"];
            let space = constraints.map(|constraint| format!("{{s: {{act: {{p: '{constraint}'}}}}, t: {{wait: }}}}"));
            of("actionSpace", &space.each_ref().map(String::as_str))
        }
        _ => Vec::from_iter(variant(title)),
    }
}

/// Returns the initial state in the format of the recordings.
fn beginning(game: &Game) -> String {
    let play = Play::new(game.clone());
    let of = |(id, node): (_, &Node)| {
        let node_state = play.state().node(id)?;
        let values: String = node_state.values.iter().map(|(name, value)| format!(", {name}: {value}")).collect();
        Some(format!("{}={{observable: {}{values}}}", node.name, Value::Set(node_state.observers.clone().into())))
    };
    format!("{{{}}}", game.board.nodes().filter_map(of).collect::<Vec<_>>().join(", "))
}

#[test]
fn rows_about_loading() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let (mut total, mut mismatches) = (0, Vec::new());
    for row in table.lines().filter_map(|line| line.strip_prefix("LOAD ")) {
        let (title, outcome) = row.split_once(": ").expect("a title");
        let texts = variants(title);
        assert!(!texts.is_empty(), "{title}");
        total += 1;
        for text in texts {
            let read = game(&text, Dialect::CAGE);
            let found = read.game.as_ref().map_or_else(|| "ERR".to_owned(), |game| format!("OK {}", beginning(game)));
            if found != outcome && !(found == "ERR" && outcome.starts_with("ERR")) {
                mismatches.push(format!("{title}: {outcome}: {found} {}", errors(&read)));
            }
        }
    }
    report("loading", total, &mismatches);
}

/// Rows whose texts are accepted although the game ends with an error.
const AT_PLAY: [&str; 1] = ["Attempt to add null resources"];

/// Compares refused texts with failures of the Cage engine.
fn compare(table: &str, rows: impl Iterator<Item = (String, String, String)>) {
    let (mut total, mut mismatches) = (0, Vec::new());
    for (title, text, outcome) in rows {
        total += 1;
        let read = game(&text, Dialect::CAGE);
        let literal_null = outcome.contains("a.x = null") && title.contains("{a.x: null}");
        let fails_at_play = AT_PLAY.iter().any(|message| outcome.contains(message)) && !literal_null;
        if read.game.is_none() != (outcome.starts_with("ERR ") && !fails_at_play) {
            mismatches.push(format!("{title}: {outcome:.120}: {}", errors(&read)));
        }
    }
    report(table, total, &mismatches);
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

/// Compares rows about results.
fn results(name: &str) {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let prefix = format!("ACT {name} {{");
    let owned = |(inner, outcome): (&str, &str)| {
        let act = format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{name}: {{{inner}}}}}]}}");
        (format!("{{{inner}"), acting(&act), outcome.to_owned())
    };
    compare(name, rows(&table, &prefix).map(owned));
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

/// Compares the rows of a table of filters or computations, each in the text of a game.
fn table(title: &str, exceptions: &[&str], place: impl Fn(&str) -> String, is_error: impl Fn(&str) -> bool) {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let (mut total, mut mismatches) = (0, Vec::new());
    for (input, outcome) in section(&table, title) {
        total += 1;
        let read = game(&place(input), Dialect::CAGE);
        let equal = read.game.is_none() == is_error(outcome);
        if equal == exceptions.contains(&input) {
            mismatches.push(format!("{input}: {outcome:.100}: {}", errors(&read)));
        }
    }
    report(title, total, &mismatches);
}

#[test]
fn value_filters() {
    let place = |filter: &str| acting(&format!("act: {{cost: {{}}, requires: {{a.x: {filter}}}}}"));
    table("## value filters", &[], place, |outcome| outcome.contains("=>ERR"));
}

#[test]
fn datum_filters() {
    // In a list, where the Cage engine parses a filter as it does on its own.
    let place = |filter: &str| {
        acting(&format!("act:\n    cost: {{}}\n    requires:\n      Or:\n        - {}", indented(filter, 10)))
    };
    let is_error = |outcome: &str| outcome.contains("ERR") || outcome.contains("null filter");
    table("## datum filters", &[], place, is_error);
}

#[test]
fn datum_computes() {
    let place = |compute: &str| with("rewards", Some(&format!("{{s: {compute}}}")));
    // Games have no clock: a play with `Now` would not be reproducible.
    table("## datum computes", &["{Now: {}}"], place, |outcome| outcome.contains("ERR"));
}

#[test]
fn assignments() {
    // The table is about a single value. In a game, `n` lacks a resource to write to, so the game would end with an error.
    table("## Create", &["/n/c: 1"], |entries| assigning("put", entries), |outcome| outcome.contains("ERR"));
    table("-- augment", &[], |entries| assigning("compute", entries), |outcome| outcome.contains("ERR"));
}
