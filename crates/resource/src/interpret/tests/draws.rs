//! The number and order of random draws.

use super::table::{Table, all_vectors, between, int, missing, named, sum};
use crate::compute::Computation;
use crate::field::Field;
use crate::filter::Filter;
use crate::game::{ChoiceId, ConsequenceEffect, IntermediateValue, VectorFilter, VectorSelection};
use crate::random::RandomStream;
use crate::rules::GameRules;
use crate::turn::Move;
use crate::value::Value;

fn cage() -> Table {
    Table::new(GameRules::CAGE)
}

/// Returns the number of random numbers that `act` draws.
fn drawn(table: &Table) -> usize {
    let mut stream = RandomStream::new(6, 6);
    let _ = table.play().act(&Move::Choose(ChoiceId(0), vec![]), &mut stream, &table.registry);
    let mut counted = RandomStream::new(6, 6);
    let mut count = 0;
    while counted != stream {
        counted.next_u64();
        count += 1;
    }
    count
}

/// Returns the uniform numbers of the stream that `act` is played with.
fn numbers() -> Vec<Value> {
    let mut stream = RandomStream::new(1, 0);
    (0..8).map(|_| Value::Real(stream.uniform())).collect()
}

#[test]
fn a_group_draws_one_number_whatever_its_odds() {
    let no_effect = || ConsequenceEffect::Resources { compute: vec![], add: vec![], replace: vec![] };
    let groups = |independent: &[bool]| {
        let mut table = independent.iter().fold(cage(), |table, _| table.always(no_effect()));
        for (consequence, independent) in table.game.actions[0].consequences.iter_mut().zip(independent) {
            consequence.independent = *independent;
        }
        drawn(&table)
    };
    assert_eq!(groups(&[]), 0);
    assert_eq!(groups(&[false]), 1);
    assert_eq!(groups(&[true]), 1);
    assert_eq!(groups(&[false, false, false]), 1);
    assert_eq!(groups(&[false, true, false, true]), 3);
}

#[test]
fn an_invalid_action_and_a_pass_draw_nothing() {
    let mut table = cage().add([("a.x", int(1))]);
    table.game.actions[0].requires = Filter::Never;
    assert_eq!(drawn(&table), 0);
}

#[test]
fn intermediate_values_then_additions_then_replacements_draw() {
    let mut table = cage();
    let value = |name: &str| IntermediateValue { name: name.into(), value: sum(vec![], 1) };
    // The first is never read, but is drawn all the same.
    let compute = vec![value("unread"), value("read")];
    let put = table.entries([("a.name", sum(vec![], 1))]);
    let add = table.entries([("a.new", Computation::Field(Field::Computed(1))), ("b.new", sum(vec![], 1))]);
    let table = table.always(ConsequenceEffect::Resources { compute, add, replace: put });
    let numbers = numbers();
    assert_eq!(table.act().0, format!("a.name={} a.new={} b.new={}", numbers[4], numbers[2], numbers[3]));
    assert_eq!(drawn(&table), 5);
}

#[test]
fn an_expression_whose_field_is_missing_draws_nothing() {
    assert_eq!(drawn(&cage().put([("a.x", sum(vec![Field::Unresolved("zz".into())], 1))])), 1);
    assert_eq!(drawn(&cage().put([("a.x", sum(vec![], 2))])), 3);
}

#[test]
fn everything_is_computed_before_anything_fails() {
    assert_eq!(drawn(&cage().add([("a.x", missing()), ("b.x", sum(vec![], 1))])), 2);
}

#[test]
fn a_vector_is_picked_by_one_number_if_one_is_left() {
    let picking =
        |vectors| drawn(&cage().with_vectors(VectorSelection::Random, vectors, [("_target.x", sum(vec![], 1))]));
    assert_eq!(picking(all_vectors()), 3);
    assert_eq!(picking(between("a", "b")), 3);
    assert_eq!(picking(between("b", "a")), 1);
    let visible = |vectors| drawn(&cage().always(ConsequenceEffect::MakeNodeVisible { label: "s".into(), vectors }));
    assert_eq!(visible(all_vectors()), 2);
    assert_eq!(visible(between("b", "a")), 1);
}

#[test]
fn the_vector_is_picked_before_anything_is_computed() {
    let table = cage().with_vectors(VectorSelection::Random, between("a", "b"), [("_target.new", sum(vec![], 1))]);
    assert_eq!(table.act().0, format!("b.new={}", numbers()[2]));
}

#[test]
fn each_of_all_vectors_computes_in_its_turn_and_none_is_picked() {
    let vectors = VectorFilter { source: named("a"), target: Filter::Always };
    let table = cage().with_vectors(VectorSelection::All, vectors, [("_target.new", sum(vec![], 1))]);
    let numbers = numbers();
    assert_eq!(table.act().0, format!("b.new={} c.new={}", numbers[1], numbers[2]));
    assert_eq!(drawn(&table), 3);
}
