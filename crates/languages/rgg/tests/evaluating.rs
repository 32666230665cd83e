//! The recorded tables of filters and computations, parsed in the dialect of the Cage engine and evaluated.

use std::sync::Arc;

use crate::common::base::{acting, assigning, indented, section, with};
use crate::common::{class, errors, game, recorded, report, value};
use goalspec_resource::board::Board;
use goalspec_resource::compute::Computation;
use goalspec_resource::field::Field;
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules::GameRules;
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;

/// Returns the rows that parse without errors; other tests check which rows these are.
fn readable<'a>(table: &'a str, title: &str, place: impl Fn(&str) -> String) -> Vec<(&'a str, &'a str, Game)> {
    let rows = section(table, title).into_iter();
    rows.filter_map(|(input, outcome)| Some((input, outcome, game(&place(input), Dialect::CAGE).game?))).collect()
}

#[test]
fn value_filters() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let place = |filter: &str| acting(&format!("act: {{cost: {{}}, requires: {{a.x: {filter}}}}}"));
    let (mut total, mut mismatches) = (0, Vec::new());
    for (input, outcome, game) in readable(&table, "## value filters", place) {
        let Filter::Field(_, filter) = &game.actions[0].requires else { panic!("{input} is a test of a field") };
        let outcome = outcome.strip_prefix(": ").expect("results");
        for result in outcome.split("; ").filter(|result| !result.is_empty()) {
            let (tested, expected) = result.split_once("=>").expect("a result");
            let tested = (tested != "null").then(|| value(tested));
            total += 1;
            let found = filter.holds(tested.as_ref(), GameRules::CAGE.comparison);
            if found.to_string() != expected.trim_end_matches(';') {
                mismatches.push(format!("{input}: {result}"));
            }
        }
    }
    report("tests of values", total, &mismatches);
}

/// Returns the value of a field of the tables.
fn field(board: &Board, field: &Field) -> Option<Value> {
    let name = match field {
        Field::Resource(slot) => board.slot_name(*slot),
        Field::Observers(node) => format!("{}.observable", board.node(*node).name),
        Field::Unresolved(name) => name.to_string(),
        other => panic!("{other:?} is no field of a state"),
    };
    Some(match &*name {
        "a.x" => Value::Int(3),
        "a.own" => Value::Bool(true),
        "b.y" => Value::Real(0.0),
        "a.observable" => Value::set(["red", "blue"]),
        "s" => Value::text("str"),
        "n.c" => Value::Int(2),
        _ => return None,
    })
}

#[test]
fn datum_filters() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let place = |filter: &str| {
        acting(&format!("act:\n    cost: {{}}\n    requires:\n      Or:\n        - {}", indented(filter, 10)))
    };
    let (mut total, mut mismatches) = (0, Vec::new());
    for (input, outcome, game) in readable(&table, "## datum filters", place) {
        total += 1;
        let lookup = |name: &Field| field(&game.board, name);
        let found = game.actions[0].requires.holds(&lookup, &mut RandomStream::new(0, 0), &GameRules::CAGE);
        let (_, expected) = outcome.rsplit_once("=> ").expect("a result");
        if found.as_ref().map(ToString::to_string) != Ok(expected.to_owned()) {
            mismatches.push(format!("{input}: {found:?}, not {outcome}"));
        }
    }
    report("filters", total, &mismatches);
}

/// Returns a computed value in the format of the recordings.
fn computed(board: &Board, compute: &Computation) -> String {
    let lookup = |name: &Field| field(board, name);
    match compute.evaluate(&lookup, &mut RandomStream::new(0, 0), &GameRules::CAGE) {
        Ok(Some(value)) => class(&value),
        Ok(None) => "null".to_owned(),
        Err(_) => "failed".to_owned(),
    }
}

#[test]
fn datum_computes() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let place = |compute: &str| with("rewards", Some(&format!("{{s: {compute}}}")));
    let (mut total, mut mismatches) = (0, Vec::new());
    for (input, outcome, game) in readable(&table, "## datum computes", place) {
        let expected = outcome.strip_prefix(" -> ").expect("a result");
        // An array is recorded by its address in memory.
        if expected.contains("Object;@") {
            continue;
        }
        total += 1;
        let found = computed(&game.board, game.teams[0].reward.as_ref().expect("a reward"));
        if found != expected {
            mismatches.push(format!("{input}: {found}, not {expected}"));
        }
    }
    report("computations", total, &mismatches);
}

#[test]
fn assignments() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let (mut total, mut mismatches) = (0, Vec::new());
    for (title, key) in [("## Create", "put"), ("-- augment", "compute")] {
        for (input, outcome, game) in readable(&table, title, |entries| assigning(key, entries)) {
            // An empty map computes the whole state; its effect depends on the context, and rows about actions cover it.
            if (title, input) == ("## Create", "{}") {
                continue;
            }
            total += 1;
            let ConsequenceEffect::Resources { compute, replace: put, .. } = &game.actions[0].consequences[0].outcome
            else {
                panic!("{input} is of resources")
            };
            // Only new names show the computed values.
            let new = compute.iter().filter(|computation| !["a.x", "n.c"].contains(&&*computation.name));
            let of_compute = new.map(|computation| (Arc::clone(&computation.name), &computation.value));
            let of_put = put.iter().map(|(_, value)| ("n.c".into(), value));
            let found: Vec<String> = of_compute
                .chain(of_put)
                .map(|(name, value)| format!("{name}={}", computed(&game.board, value)))
                .collect();
            let expected = outcome.trim_start_matches(" -> ").trim_end_matches(", ").replace("int[]", "ArrayList");
            if found.join(", ") != expected {
                mismatches.push(format!("{input}: {found:?}, not {expected}"));
            }
        }
    }
    report("assignments", total, &mismatches);
}

#[test]
fn rewards() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let rows = table.lines().skip_while(|line| !line.contains("reward types")).skip(1);
    let (mut total, mut mismatches) = (0, Vec::new());
    for row in rows {
        let (input, expected) = row.rsplit_once(" -> ").expect("a result");
        total += 1;
        let read = game(&with("rewards", Some(&format!("{{s: {input}}}"))), Dialect::CAGE);
        let Some(game) = &read.game else {
            mismatches.push(format!("{input}: {}", errors(&read)));
            continue;
        };
        let play = goalspec_resource::interpret::play::Play::new(game.clone());
        let found = play.reward(play.team(), &RandomStream::new(0, 0));
        let equal = match expected.split_once(" (Float)") {
            Some((number, _)) => found == Ok(f64::from(number.parse::<f32>().expect("a number"))),
            None => expected.starts_with("ERR ") && found.is_err(),
        };
        if !equal {
            mismatches.push(format!("{input}: {found:?}, not {expected}"));
        }
    }
    report("rewards", total, &mismatches);
}
