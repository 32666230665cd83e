//! Results for vectors, and the fields they read.

use super::table::{Table, all_vectors, at_least, between, check, contains, equal, int, missing, named, sum};
use crate::board::VectorId;
use crate::compute::Computation;
use crate::field::{Endpoint, Field};
use crate::filter::{Filter, ValueFilter};
use crate::game::{ConsequenceEffect, IntermediateValue, VectorFilter, VectorSelection};
use crate::rules::{GameRules, SelfLoopRule};
use crate::turn::GameErrorKind;
use crate::value::Value::{Bool, Int};

const PLAYS: u32 = 20_000;

fn cage() -> Table {
    Table::new(GameRules::CAGE)
}

/// Adds 10 to the target of a random vector.
fn random(vectors: VectorFilter) -> Table {
    cage().with_vectors(VectorSelection::Random, vectors, [("_target.x", int(10))])
}

/// Checks the frequencies of the changes that an action causes.
fn expect(table: &Table, expected: &[(&str, f64)]) {
    let mut counts = vec![0; expected.len()];
    for index in 0..PLAYS {
        let (changes, turn) = table.act_with(&[], index.into());
        turn.expect("it does not fail");
        let known = expected.iter().position(|(known, _)| *known == changes);
        counts[known.unwrap_or_else(|| panic!("{changes}"))] += 1;
    }
    for (count, (changes, probability)) in counts.into_iter().zip(expected) {
        check(count, PLAYS, *probability, changes);
    }
}

#[test]
fn every_matching_vector_is_equally_likely() {
    expect(&random(all_vectors()), &[("b.x=12", 1.0 / 3.0), ("c.x=13", 2.0 / 3.0)]);
    let vectors = VectorFilter { source: named("a"), target: Filter::Always };
    expect(&random(vectors), &[("b.x=12", 0.5), ("c.x=13", 0.5)]);
}

#[test]
fn parallel_vectors_count_each() {
    let mut table = random(all_vectors());
    let [a, b] = ["a", "b"].map(|name| table.node(name));
    table.game.board.add_vector(a, b, "");
    table.game.board.add_vector(a, b, "other");
    expect(&table, &[("b.x=12", 0.5), ("c.x=13", 0.5)]);
}

#[test]
fn filters_ask_the_nodes_at_the_ends() {
    let mut table = cage();
    let source = table.own("own", equal(Bool(true)));
    let target = Filter::And(vec![
        table.own("own", equal(Bool(false))),
        Filter::Field(Field::TestedNodeObservers, contains("t")),
    ]);
    let owned = Computation::Constant(Some(Bool(true)));
    let table = table.with_vectors(VectorSelection::Random, VectorFilter { source, target }, [("_target.own", owned)]);
    let (changes, turn) = table.act_with(&[], 0);
    assert_eq!((&*changes, turn.unwrap().occurrences[0].vector), ("b.own=true", Some(VectorId(0))));
}

#[test]
fn no_vector_has_no_effect() {
    let (changes, turn) = random(between("b", "a")).act_with(&[], 0);
    let turn = turn.unwrap();
    assert!(turn.valid && changes.is_empty());
    assert_eq!((turn.occurrences.len(), turn.occurrences[0].vector), (1, None));
}

#[test]
fn ends_are_read_and_written() {
    let mut table = cage();
    let [source, target] = ["_source.x", "_target.x"].map(|name| table.field(name));
    let compute = vec![IntermediateValue { name: "k".into(), value: sum(vec![source, target.clone()], 0) }];
    let add = table.entries([
        ("_target.x", Computation::Field(Field::Computed(0))),
        ("_source.x", int(50)),
        ("c.x", Computation::Field(target)),
        ("_target.observable", Computation::Field(Field::EndpointObservers(Endpoint::Source))),
    ]);
    let vectors = between("a", "b");
    let table = table.always(ConsequenceEffect::WithVectors { pick: VectorSelection::Random, vectors, compute, add });
    assert_eq!(table.act().0, "a.x=55 b.observable=[t, [s]] b.x=9.0 c.x=5");
}

#[test]
fn a_missing_addition_names_the_end() {
    let table = cage().with_vectors(
        VectorSelection::Random,
        between("a", "b"),
        [("_source.x", int(1)), ("_target.x", missing())],
    );
    assert_eq!(table.fail(), ("a.x=6".into(), GameErrorKind::AddMissingValue { place: "_target.x".into() }));
}

#[test]
fn parameters_restrict_random_vectors() {
    let played = |names: &[&str], values: &[&str], selection| {
        let table = cage().with_vectors(selection, all_vectors(), [("_target.x", int(10))]).parameters(names);
        table.act_with(values, 0).0
    };
    assert_eq!(played(&["source"], &["b"], VectorSelection::Random), "c.x=13");
    assert_eq!(played(&["target"], &["b"], VectorSelection::Random), "b.x=12");
    assert_eq!(played(&["target"], &["zz"], VectorSelection::Random), "");
    assert_eq!(played(&["source", "target"], &["a", "c"], VectorSelection::Random), "c.x=13");
    assert_eq!(played(&["source"], &["b"], VectorSelection::All), "b.x=12 c.x=23");
}

#[test]
fn all_vectors_match_at_the_beginning_and_see_each_other() {
    let mut table = cage();
    let source = table.read("_source.x");
    // a to b: 2 + 5; a to c: 3 + 5; b to c: 8 + 7.
    let table = table.with_vectors(VectorSelection::All, all_vectors(), [("_target.x", source)]);
    assert_eq!(table.act().0, "b.x=7 c.x=15");
    let mut table = cage();
    let target = table.own("x", ValueFilter::Not(Box::new(at_least(10))));
    let vectors = VectorFilter { source: Filter::Always, target };
    let table = table.with_vectors(VectorSelection::All, vectors, [("_target.x", int(10))]);
    assert_eq!(table.act().0, "b.x=12 c.x=23");
}

#[test]
fn of_a_self_loop_the_source_can_be_read() {
    let looping = |self_loops, end: &str| {
        let mut table = Table::new(GameRules { self_loops, ..GameRules::CAGE });
        let a = table.node("a");
        table.game.board.add_vector(a, a, "");
        let read = table.read(end);
        table.with_vectors(VectorSelection::Random, between("a", "a"), [("a.f", int(5)), ("_target.t", read)])
    };
    assert_eq!(looping(SelfLoopRule::SourceOnly, "_source.x").act().0, "a.f=6.5 a.t=5");
    let expected = GameErrorKind::AddMissingValue { place: "_target.t".into() };
    assert_eq!(looping(SelfLoopRule::SourceOnly, "_target.x").fail(), ("a.f=6.5".into(), expected.clone()));
    assert_eq!(looping(SelfLoopRule::SourceOnly, "_target.observable").fail().1, expected);
    assert_eq!(looping(SelfLoopRule::BothEnds, "_target.x").act().0, "a.f=6.5 a.t=5");
}

#[test]
fn filters_that_meet_a_bare_node_fail_in_one_reading() {
    let played = |rules, filtered: bool| {
        let mut table = Table::new(rules);
        let [a, bare] = [table.node("a"), table.game.board.add_node("bare")];
        table.game.board.add_vector(a, bare, "");
        let target = if filtered { table.own("own", ValueFilter::IsNull) } else { Filter::Always };
        let vectors = VectorFilter { source: named("a"), target };
        let table = table.with_vectors(VectorSelection::All, vectors, [("_target.x", int(10))]);
        let (changes, turn) = table.act_with(&[], 0);
        (changes, turn.map(|turn| turn.valid).map_err(|failure| failure.kind), bare)
    };
    let (changes, turn, bare) = played(GameRules::CAGE, true);
    assert_eq!((&*changes, turn), ("", Err(GameErrorKind::BareNode { node: bare })));
    let (changes, turn, _) = played(GameRules::CAGE, false);
    assert_eq!((&*changes, turn), ("b.x=12 c.x=13 bare.observable=[] bare.x=10", Ok(true)));
    let (changes, turn, _) = played(GameRules::DOCUMENTED, true);
    assert_eq!((&*changes, turn), ("bare.x=10", Ok(true)));
}

#[test]
fn a_target_is_made_visible() {
    let visible = |label: &str, vectors| {
        let outcome = ConsequenceEffect::MakeNodeVisible { label: label.into(), vectors };
        cage().always(outcome).parameters(&["source", "target"]).act_with(&["a", "c"], 0).0
    };
    assert_eq!(visible("s", all_vectors()), "c.observable=[s]");
    assert_eq!(visible("zz", all_vectors()), "c.observable=[zz]");
    assert_eq!(visible("s", between("b", "c")), "");
}

#[test]
fn visible_nodes_are_chosen_by_vectors() {
    let outcome = ConsequenceEffect::MakeNodeVisible { label: "zz".into(), vectors: all_vectors() };
    let expected = [("b.observable=[t, zz]", 1.0 / 3.0), ("c.observable=[zz]", 2.0 / 3.0)];
    expect(&cage().always(outcome), &expected);
}

#[test]
fn filters_of_vectors_read_the_state_as_well() {
    let mut table = cage();
    let source = Filter::Field(table.field("a.x"), equal(Int(5)));
    let vectors = VectorFilter { source, target: named("b") };
    assert_eq!(table.with_vectors(VectorSelection::Random, vectors, [("_target.x", int(1))]).act().0, "b.x=3");
}
