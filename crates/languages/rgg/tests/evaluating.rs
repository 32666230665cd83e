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
    rows.filter_map(|(written, outcome)| Some((written, outcome, game(&place(written), Dialect::CAGE).game?))).collect()
}

#[test]
fn value_filters() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let place = |filter: &str| acting(&format!("act: {{cost: {{}}, requires: {{a.x: {filter}}}}}"));
    let (mut total, mut wrong) = (0, Vec::new());
    for (written, outcome, game) in readable(&table, "## value filters", place) {
        let Filter::Field(_, filter) = &game.actions[0].requires else { panic!("{written} is a test of a field") };
        let outcome = outcome.strip_prefix(": ").expect("results");
        for result in outcome.split("; ").filter(|result| !result.is_empty()) {
            let (tested, expected) = result.split_once("=>").expect("a result");
            let tested = (tested != "null").then(|| value(tested));
            total += 1;
            let found = filter.holds(tested.as_ref(), GameRules::CAGE.comparison);
            if found.to_string() != expected.trim_end_matches(';') {
                wrong.push(format!("{written}: {result}"));
            }
        }
    }
    report("tests of values", total, &wrong);
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
    let (mut total, mut wrong) = (0, Vec::new());
    for (written, outcome, game) in readable(&table, "## datum filters", place) {
        total += 1;
        let lookup = |it: &Field| field(&game.board, it);
        let found = game.actions[0].requires.holds(&lookup, &mut RandomStream::new(0, 0), &GameRules::CAGE);
        let (_, expected) = outcome.rsplit_once("=> ").expect("a result");
        if found.as_ref().map(ToString::to_string) != Ok(expected.to_owned()) {
            wrong.push(format!("{written}: {found:?}, not {outcome}"));
        }
    }
    report("filters", total, &wrong);
}

/// Returns a computed value in the format of the recordings.
fn computed(board: &Board, compute: &Computation) -> String {
    let lookup = |it: &Field| field(board, it);
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
    let (mut total, mut wrong) = (0, Vec::new());
    for (written, outcome, game) in readable(&table, "## datum computes", place) {
        let expected = outcome.strip_prefix(" -> ").expect("a result");
        // An array is recorded by its address in memory.
        if expected.contains("Object;@") {
            continue;
        }
        total += 1;
        let found = computed(&game.board, game.teams[0].reward.as_ref().expect("a reward"));
        if found != expected {
            wrong.push(format!("{written}: {found}, not {expected}"));
        }
    }
    report("computations", total, &wrong);
}

#[test]
fn assignments() {
    let Some(table) = recorded("engine_filters_and_computes.txt") else { return };
    let (mut total, mut wrong) = (0, Vec::new());
    for (title, key) in [("## Create", "put"), ("-- augment", "compute")] {
        for (written, outcome, game) in readable(&table, title, |entries| assigning(key, entries)) {
            // An empty map computes the whole state; its effect depends on the context, and rows about actions cover it.
            if (title, written) == ("## Create", "{}") {
                continue;
            }
            total += 1;
            let ConsequenceEffect::Resources { compute, replace: put, .. } = &game.actions[0].consequences[0].outcome
            else {
                panic!("{written} is of resources")
            };
            // Only new names show the computed values.
            let new = compute.iter().filter(|it| !["a.x", "n.c"].contains(&&*it.name));
            let of_compute = new.map(|it| (Arc::clone(&it.name), &it.value));
            let of_put = put.iter().map(|(_, value)| ("n.c".into(), value));
            let found: Vec<String> = of_compute
                .chain(of_put)
                .map(|(name, value)| format!("{name}={}", computed(&game.board, value)))
                .collect();
            let expected = outcome.trim_start_matches(" -> ").trim_end_matches(", ").replace("int[]", "ArrayList");
            if found.join(", ") != expected {
                wrong.push(format!("{written}: {found:?}, not {expected}"));
            }
        }
    }
    report("assignments", total, &wrong);
}

#[test]
fn rewards() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let rows = table.lines().skip_while(|line| !line.contains("reward types")).skip(1);
    let (mut total, mut wrong) = (0, Vec::new());
    for row in rows {
        let (written, expected) = row.rsplit_once(" -> ").expect("a result");
        total += 1;
        let read = game(&with("rewards", Some(&format!("{{s: {written}}}"))), Dialect::CAGE);
        let Some(game) = &read.game else {
            wrong.push(format!("{written}: {}", errors(&read)));
            continue;
        };
        let play = goalspec_resource::interpret::play::Play::new(game);
        let found = play.reward(play.team(), &RandomStream::new(0, 0));
        let equal = match expected.split_once(" (Float)") {
            Some((number, _)) => found == Ok(f64::from(number.parse::<f32>().expect("a number"))),
            None => expected.starts_with("ERR ") && found.is_err(),
        };
        if !equal {
            wrong.push(format!("{written}: {found:?}, not {expected}"));
        }
    }
    report("rewards", total, &wrong);
}
