//! Tests of one value, and of fields.

use std::net::Ipv4Addr;

use crate::compare::{ComparisonOperator, ComparisonRules as CompareRules};
use crate::compute::Computation;
use crate::field::Field;
use crate::filter::{Cidr, Filter, TextTest, ValueFilter};
use crate::pattern::{MatchMode, TextPattern};
use crate::random::RandomStream;
use crate::rules::GameRules;
use crate::turn::GameErrorKind;
use crate::value::Value::{self, Bool, Int, Real};

/// Checks the set of values for which a test holds.
fn check(filter: &ValueFilter, accepted: &[Option<Value>], rejected: &[Option<Value>]) {
    let holds = |value: &&Option<Value>| filter.holds(value.as_ref(), GameRules::CAGE.comparison);
    let mismatches: Vec<_> =
        accepted.iter().filter(|value| !holds(value)).chain(rejected.iter().filter(holds)).collect();
    assert!(mismatches.is_empty(), "{filter:?}: {mismatches:?}");
}

fn text(text: &str) -> Option<Value> {
    Value::text(text).into()
}

fn red_and_blue() -> Option<Value> {
    Value::set(["red", "blue"]).into()
}

fn test(test: TextTest, part: &str) -> ValueFilter {
    ValueFilter::Text(test, part.into())
}

fn greater(bound: i32) -> ValueFilter {
    ValueFilter::Compare(ComparisonOperator::Greater, Int(bound))
}

#[test]
fn equality_takes_numbers_of_every_class() {
    let filter = ValueFilter::Compare(ComparisonOperator::Equal, Int(5));
    check(&filter, &[Some(Int(5)), Some(Real(5.0)), text("5")], &[Some(Int(6)), Some(Bool(true)), None]);
    let filter = ValueFilter::Compare(ComparisonOperator::Equal, Value::text("red"));
    check(&filter, &[text("red")], &[text("Red"), red_and_blue(), Some(Int(5)), None]);
    let filter = ValueFilter::Compare(ComparisonOperator::NotEqual, Int(5));
    check(&filter, &[Some(Int(6)), None], &[Some(Int(5)), text("abc")]);
}

#[test]
fn ranges_have_both_ends() {
    let filter = ValueFilter::Range(Int(1), Int(3));
    let accepted = [Some(Int(1)), Some(Int(2)), Some(Int(3)), Some(Real(2.5)), text("2")];
    check(&filter, &accepted, &[Some(Int(0)), Some(Int(4)), None, text("x")]);
    check(&ValueFilter::Range(Int(3), Int(1)), &[], &[Some(Int(2))]);
}

#[test]
fn one_of_several() {
    let filter = ValueFilter::OneOf(vec![Some(Int(1)), Some(Int(2)), text("a")]);
    check(&filter, &[Some(Int(1)), Some(Real(1.0)), text("a"), text("1")], &[Some(Int(3)), None]);
    check(&ValueFilter::OneOf(vec![None, Some(Int(1))]), &[None, Some(Int(1))], &[Some(Int(2))]);
    check(&ValueFilter::OneOf(vec![text("red")]), &[text("red")], &[red_and_blue()]);
}

#[test]
fn texts_are_those_of_the_text_form() {
    let empty = Some(Value::set([]));
    check(&test(TextTest::Contains, "red"), &[red_and_blue(), text("predator")], &[empty, text("Red"), None]);
    check(&test(TextTest::Contains, "ull"), &[None], &[]);
    check(&test(TextTest::StartsWith, "["), &[red_and_blue()], &[text("x")]);
    check(&test(TextTest::EndsWith, "d"), &[text("red")], &[red_and_blue()]);
    let whole = ValueFilter::Matches(TextPattern::new("r.d", MatchMode::Full).unwrap());
    check(&whole, &[text("red")], &[text("xred"), text("reds")]);
    let part = ValueFilter::Matches(TextPattern::new("r.d", MatchMode::Search).unwrap());
    check(&part, &[text("xredx"), red_and_blue()], &[text("blue")]);
}

#[test]
fn missing_and_empty() {
    let empty_set = Some(Value::set([]));
    check(&ValueFilter::IsNull, &[None], &[Some(Int(1))]);
    check(&ValueFilter::IsNotNull, &[Some(Int(1))], &[None]);
    check(&ValueFilter::IsEmpty, &[None, text("")], &[Some(Int(1)), empty_set.clone()]);
    check(&ValueFilter::IsNotEmpty, &[text("x"), empty_set], &[text(""), None]);
}

#[test]
fn labels_of_sets() {
    let filter = ValueFilter::HasAny(["red", "green"].into_iter().map(Into::into).collect());
    check(&filter, &[red_and_blue()], &[Some(Value::set(["infrared"])), text("red"), None]);
}

#[test]
fn addresses_and_blocks() {
    check(&ValueFilter::IsIp, &[text("10.0.0.1")], &[text("300.1.1.1"), Some(Int(5)), None]);
    check(&ValueFilter::IsCidr, &[text("10.0.0.0/8")], &[text("10.0.0.1"), text("10.0.0.0/33"), text("10.0.0.0/+8")]);
    let block = Cidr::parse("10.0.0.0/8").unwrap();
    check(&ValueFilter::InCidr(block), &[text("10.1.2.3")], &[text("11.0.0.1")]);
    let filter = ValueFilter::CidrContains(Ipv4Addr::new(10, 1, 2, 3));
    check(&filter, &[text("10.0.0.0/8"), text("0.0.0.0/0"), text("10.1.2.3/32")], &[text("11.0.0.0/8")]);
}

#[test]
fn combinations_of_tests() {
    let both = ValueFilter::And(vec![greater(0), ValueFilter::Compare(ComparisonOperator::Less, Int(3))]);
    check(&both, &[Some(Int(1))], &[Some(Int(0)), Some(Int(3))]);
    let either = ValueFilter::Or(vec![ValueFilter::Compare(ComparisonOperator::Equal, Int(1)), greater(5)]);
    check(&either, &[Some(Int(1)), Some(Int(6))], &[Some(Int(3))]);
    check(&ValueFilter::Not(Box::new(greater(1))), &[Some(Int(1)), None, text("abc")], &[Some(Int(2))]);
    check(&ValueFilter::And(vec![]), &[None], &[]);
    check(&ValueFilter::Or(vec![]), &[], &[None]);
}

#[test]
fn zeros_and_texts_are_compared_by_the_rules() {
    let equal = |bound| ValueFilter::Compare(ComparisonOperator::Equal, bound);
    let cases = [(equal(Real(0.0)), Some(Real(-0.0)), [true, false]), (equal(Int(5)), text("5.5"), [false, true])];
    for (filter, value, expected) in cases {
        let results =
            [CompareRules::DEFAULT, GameRules::CAGE.comparison].map(|rules| filter.holds(value.as_ref(), rules));
        assert_eq!(results, expected, "{filter:?}");
    }
}

/// Whether a filter holds where the resource `open` is true and `nothing` has no value.
fn holds(filter: &Filter) -> Result<bool, GameErrorKind> {
    let lookup = |field: &Field| (*field == named("open")).then_some(Bool(true));
    filter.holds(&lookup, &mut RandomStream::new(0, 0), &GameRules::DOCUMENTED)
}

fn named(name: &str) -> Field {
    Field::Parameter(name.into())
}

fn is_true(name: &str) -> Filter {
    Filter::Field(named(name), ValueFilter::Compare(ComparisonOperator::Equal, Bool(true)))
}

#[test]
fn filters_of_fields() {
    assert_eq!(holds(&is_true("open")), Ok(true));
    assert_eq!(holds(&is_true("nothing")), Ok(false));
    assert_eq!(holds(&Filter::And(vec![is_true("open"), is_true("nothing")])), Ok(false));
    assert_eq!(holds(&Filter::Or(vec![is_true("nothing"), is_true("open")])), Ok(true));
    assert_eq!(holds(&Filter::Not(Box::new(is_true("nothing")))), Ok(true));
    assert_eq!(holds(&Filter::And(vec![])), Ok(true));
    assert_eq!(holds(&Filter::Or(vec![])), Ok(false));
    assert_eq!([holds(&Filter::Always), holds(&Filter::Never)], [Ok(true), Ok(false)]);
}

#[test]
fn a_computed_test_without_a_truth_value_is_an_error_where_it_is_asked() {
    let truth = |value| Filter::Computed(Box::new(Computation::Constant(value)));
    assert_eq!(holds(&truth(Some(Bool(true)))), Ok(true));
    assert_eq!(holds(&truth(Some(Bool(false)))), Ok(false));
    assert_eq!(holds(&truth(Some(Int(1)))), Err(GameErrorKind::NonBooleanTest { value: Some(Int(1)) }));
    assert_eq!(holds(&truth(None)), Err(GameErrorKind::NonBooleanTest { value: None }));
    assert_eq!(holds(&Filter::Or(vec![is_true("open"), truth(None)])), Ok(true));
    assert_eq!(holds(&Filter::And(vec![is_true("nothing"), truth(None)])), Ok(false));
}
