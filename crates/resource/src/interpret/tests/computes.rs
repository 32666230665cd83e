//! Computations over fields, and the steps of chains.

use crate::compare::Comparison;
use crate::compute::{Case, Compute, Formula, Kind, Math, Operator, Piece, Step, StepOperator, ValueCompute};
use crate::expression::{Builder, Numeric};
use crate::field::Field;
use crate::filter::ValueFilter;
use crate::function::Binary;
use crate::interpret::compute::StepFailed;
use crate::interpret::lookup::member;
use crate::pattern::{Extent, Pattern};
use crate::random::Stream;
use crate::rules::Rules;
use crate::value::Value::{self, Bool, Int, Real};

/// The values of the recorded table: `x` is 3, `own` is true, `y` is 0.0, `s` is `str`, `c` is 2, and `seen` a set.
fn recorded(field: &Field) -> Option<Value> {
    let Field::Parameter(name) = field else { return None };
    Some(match &**name {
        "x" => Int(3),
        "own" => Bool(true),
        "y" => Real(0.0),
        "s" => Value::text("str"),
        "c" => Int(2),
        "seen" => Value::set(["red", "blue"]),
        _ => return None,
    })
}

fn field(name: &str) -> Field {
    Field::Parameter(name.into())
}

fn evaluate(compute: &Compute, rules: &Rules) -> Result<Option<Value>, StepFailed> {
    compute.evaluate(&recorded, &mut Stream::new(0, 0), rules)
}

fn value(compute: &Compute) -> Option<Value> {
    evaluate(compute, &Rules::CAGE).expect("no step fails")
}

fn math(operator: Operator, fields: &[&str], if_invalid: Option<Value>) -> Compute {
    let fields = fields.iter().map(|name| field(name)).collect();
    Compute::Math(Math { operator, fields, if_invalid })
}

/// `{x} * 2`, with another name for `x`.
fn doubled(name: &str) -> Compute {
    let mut builder = Builder::default();
    let read = builder.field(name);
    let operands = [builder.node(Numeric::Field(read)), builder.node(Numeric::Number(2.0))];
    builder.node(Numeric::Binary(Binary::Multiply, operands));
    Compute::Calculate(Formula { expression: builder.finish().expect("it has nodes"), fields: vec![field(name)] })
}

fn random() -> Compute {
    let mut builder = Builder::default();
    builder.node(Numeric::Random);
    Compute::Calculate(Formula { expression: builder.finish().expect("it has nodes"), fields: vec![] })
}

#[test]
fn fields_and_constants() {
    assert_eq!(value(&Compute::Field(field("x"))), Some(Int(3)));
    assert_eq!(value(&Compute::Field(field("missing"))), None);
    assert_eq!(value(&Compute::Field(field("seen"))), Some(Value::set(["red", "blue"])));
    assert_eq!(value(&Compute::Constant(Some(Value::text("abc")))), Some(Value::text("abc")));
}

#[test]
fn calculated_numbers_are_real() {
    assert_eq!(value(&doubled("x")), Some(Real(6.0)));
    assert_eq!(value(&doubled("missing")), None);
    assert_eq!(value(&doubled("own")), None);
}

#[test]
fn the_first_case_that_holds_gives_the_value() {
    let case = |name, expected, value| Case {
        when: vec![(field(name), ValueFilter::Compare(Comparison::Equal, expected))],
        value,
    };
    let one = Compute::Constant(Some(Int(1)));
    let cases = vec![case("x", Int(4), one.clone()), case("own", Bool(true), Compute::Field(field("x")))];
    assert_eq!(value(&Compute::Condition(cases)), Some(Int(3)));
    assert_eq!(value(&Compute::Condition(vec![case("x", Int(4), one.clone())])), None);
    assert_eq!(value(&Compute::Condition(vec![Case { when: vec![], value: one }])), Some(Int(1)));
}

#[test]
fn templates_and_first_of() {
    let template = |pieces| value(&Compute::Template(pieces));
    let pieces =
        vec![Piece::Text("x=".into()), Piece::Field(field("x")), Piece::Text(";".into()), Piece::Field(field("s"))];
    assert_eq!(template(pieces), Some(Value::text("x=3;str")));
    assert_eq!(template(vec![Piece::Field(field("missing"))]), Some(Value::text("null")));
    assert_eq!(template(vec![Piece::Field(field("seen"))]), Some(Value::text("[red, blue]")));
    let first = |names: &[&str]| value(&Compute::FirstOf(names.iter().map(|name| field(name)).collect()));
    assert_eq!(first(&["missing", "x", "s"]), Some(Value::text("3")));
    assert_eq!(first(&["missing"]), None);
    let list = Compute::List(vec![field("x"), field("missing")]);
    assert_eq!(value(&list), Some(Value::List([Some(Int(3)), None].into())));
}

#[test]
fn the_first_operand_gives_the_class() {
    use Operator::{Add, Average, Divide, Max, Min, Multiply, Negate, StdDev, Subtract};
    let cases = [
        (Add, &["x", "c"][..], Some(Int(5))),
        (Add, &["x", "y"], Some(Int(3))),
        (Add, &["y", "x"], Some(Real(3.0))),
        (Subtract, &["x", "c", "c"], Some(Int(-1))),
        (Multiply, &["x", "c", "c"], Some(Int(6))),
        (Divide, &["x", "c"], Some(Int(1))),
        (Divide, &["x", "y"], Some(Int(9))),
        (Negate, &["x"], Some(Int(-3))),
        (Min, &["x", "c"], Some(Int(2))),
        (Max, &["x", "c"], Some(Int(3))),
        (Average, &["x", "c"], Some(Real(2.5))),
        (StdDev, &["x", "c"], Some(Real(0.5))),
        (Add, &["x", "missing"], Some(Int(9))),
        (Add, &["x", "s"], Some(Int(9))),
        (Multiply, &["x"], Some(Int(9))),
        (Add, &[], Some(Int(9))),
    ];
    for (operator, fields, expected) in cases {
        assert_eq!(value(&math(operator, fields, Some(Int(9)))), expected, "{operator:?} {fields:?}");
    }
    assert_eq!(value(&math(Add, &[], None)), None);
}

#[test]
fn under_promotion_every_operand_counts() {
    use Operator::{Add, Divide, Max, Multiply, Subtract};
    let cases = [
        (Add, &["x", "c"][..], Some(Int(5))),
        (Add, &["x", "y"], Some(Real(3.0))),
        (Subtract, &["x", "c", "c"], Some(Int(-1))),
        (Multiply, &["x", "c", "c"], Some(Int(12))),
        (Divide, &["x", "c"], Some(Real(1.5))),
        (Divide, &["x", "y"], None),
        (Divide, &["y", "x"], Some(Real(0.0))),
        (Max, &["x", "y"], Some(Real(3.0))),
    ];
    for (operator, fields, expected) in cases {
        let found = evaluate(&math(operator, fields, None), &Rules::DOCUMENTED);
        assert_eq!(found, Ok(expected), "{operator:?} {fields:?}");
    }
}

#[test]
fn whole_numbers_wrap_around() {
    let operands = [i32::MAX, 1].map(|number| Some(Int(number)));
    let sum = Math { operator: Operator::Add, fields: vec![], if_invalid: None };
    assert_eq!(sum.value(&operands, &Rules::CAGE, &mut 0), Some(Int(i32::MIN)));
    assert_eq!(sum.value(&operands, &Rules::DOCUMENTED, &mut 0), Some(Int(i32::MIN)));
    let quotient = Math { operator: Operator::Divide, ..sum };
    let operands = [i32::MIN, -1].map(|number| Some(Int(number)));
    assert_eq!(quotient.value(&operands, &Rules::CAGE, &mut 0), Some(Int(i32::MIN)));
}

#[test]
fn comparisons_of_fields() {
    use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let cases = [
        (Equal, &["x", "c"][..], [Some(false); 2]),
        (NotEqual, &["x", "c"], [Some(true); 2]),
        (Greater, &["x", "c"], [Some(true); 2]),
        (GreaterOrEqual, &["x", "c"], [Some(true); 2]),
        (Less, &["x", "c"], [Some(false); 2]),
        (LessOrEqual, &["c", "x"], [Some(true); 2]),
        (Greater, &["x", "c", "x"], [Some(false); 2]),
        // The Cage engine compares with the second operand only.
        (Equal, &["x", "x", "c"], [Some(false), Some(true)]),
        (Equal, &["x"], [Some(true), None]),
        (Equal, &["x", "missing"], [None; 2]),
    ];
    for (operator, fields, expected) in cases {
        let found = [Rules::DOCUMENTED, Rules::CAGE].map(|rules| evaluate(&math(operator, fields, None), &rules));
        assert_eq!(found, expected.map(|truth| Ok(truth.map(Bool))), "{operator:?} {fields:?}");
    }
}

fn arithmetic(operator: StepOperator, number: Value) -> Step {
    Step::Value(ValueCompute::Arithmetic(operator, number))
}

fn chain(from: &str, steps: Vec<Step>) -> Compute {
    Compute::Chain(Box::new(Compute::Field(field(from))), steps)
}

#[test]
fn chains_go_step_by_step() {
    use StepOperator::{Add, Divide, Multiply, Subtract};
    let at_least_two = || Step::Filter(ValueFilter::Compare(Comparison::GreaterOrEqual, Int(2)));
    let steps = vec![arithmetic(Add, Int(2)), arithmetic(Multiply, Int(3))];
    assert_eq!(value(&chain("x", steps)), Some(Int(15)));
    assert_eq!(value(&chain("x", vec![at_least_two()])), Some(Bool(true)));
    assert_eq!(value(&chain("missing", vec![at_least_two()])), Some(Bool(false)));
    assert_eq!(value(&chain("x", vec![arithmetic(Divide, Int(2))])), Some(Int(1)));
    assert_eq!(value(&chain("x", vec![arithmetic(Divide, Int(0))])), None);
    assert_eq!(value(&chain("y", vec![arithmetic(Divide, Int(2))])), Some(Real(0.0)));
    assert_eq!(value(&chain("x", vec![arithmetic(Subtract, Real(0.5))])), Some(Int(3)));
    let found = evaluate(&chain("x", vec![arithmetic(Subtract, Real(0.5))]), &Rules::DOCUMENTED);
    assert_eq!(found, Ok(Some(Real(2.5))));
    assert_eq!(value(&chain("missing", vec![arithmetic(Add, Int(2))])), None);
    assert_eq!(evaluate(&chain("s", vec![arithmetic(Add, Int(2))]), &Rules::CAGE), Err(StepFailed));
}

/// Applies a step to a value.
fn step(step: &ValueCompute, of: Value) -> Result<Option<Value>, StepFailed> {
    step.apply(Some(of), &Rules::CAGE, &mut 0)
}

#[test]
fn tables_and_lines() {
    let table = vec![("3".into(), Some(Value::text("low"))), ("4".into(), None)];
    let lookup = |of| step(&ValueCompute::Lookup { table: table.clone(), if_null: Some(Int(7)) }, of);
    assert_eq!(lookup(Int(3)), Ok(Some(Value::text("low"))));
    assert_eq!(lookup(Int(4)), Ok(None));
    assert_eq!(lookup(Int(5)), Ok(Some(Int(7))));
    let line = ValueCompute::Linear { domain: [0.0, 10.0], range: [0.0, 1.0] };
    assert_eq!(step(&line, Int(3)), Ok(Some(Real(0.300_000_000_000_000_04))));
    assert_eq!(step(&line, Bool(true)), Err(StepFailed));
}

#[test]
fn values_of_other_kinds() {
    let to = |kind, of| step(&ValueCompute::As(kind), of);
    assert_eq!(to(Kind::Text, Int(3)), Ok(Some(Value::text("3"))));
    assert_eq!(to(Kind::Int, Real(-3.7)), Ok(Some(Int(-3))));
    assert_eq!(to(Kind::Int, Value::text("12abc")), Ok(Some(Int(12))));
    assert_eq!(to(Kind::Int, Real(1e10)), Err(StepFailed));
    assert_eq!(to(Kind::Int, Bool(true)), Err(StepFailed));
    assert_eq!(to(Kind::Real, Int(3)), Ok(Some(Real(3.0))));
    assert_eq!(to(Kind::Bool, Value::text("true")), Ok(Some(Bool(true))));
    assert_eq!(to(Kind::Bool, Value::text("yes")), Err(StepFailed));
}

#[test]
fn patterns_lists_and_addresses() {
    let names = vec!["f".into(), "r".into(), "beyond".into()];
    let capture = ValueCompute::RegexCapture(Pattern::new("(.)(.*)", Extent::Whole).unwrap(), names);
    let found = step(&capture, Value::text("str")).unwrap().unwrap();
    assert_eq!(found.to_string(), "{f=s, r=tr, beyond=null}");
    assert_eq!(member(found.clone(), &["r".into()]), Some(Value::text("tr")));
    assert_eq!(member(found, &["r".into(), "t".into()]), None);
    assert_eq!(step(&capture, Value::text("")), Ok(None));
    let one_hot = step(&ValueCompute::OneHot([1, 2, 3].map(Int).map(Some).to_vec()), Int(3)).unwrap().unwrap();
    assert_eq!(one_hot.to_string(), "[0, 0, 1]");
    let nested = Value::List([Some(one_hot), None, Some(Int(4))].into());
    assert_eq!(step(&ValueCompute::Flatten, nested).unwrap().unwrap().to_string(), "[0, 0, 1, null, 4]");
    assert_eq!(step(&ValueCompute::IpToInt, Value::text("10.0.0.1")), Ok(Some(Int(167_772_161))));
    assert_eq!(step(&ValueCompute::IpToInt, Value::text("255.255.255.255")), Ok(Some(Real(4_294_967_295.0))));
    assert_eq!(step(&ValueCompute::IpFromInt, Real(4_294_967_295.0)), Ok(Some(Value::text("255.255.255.255"))));
    for number in [Real(0.5), Int(-1), Real(f64::NAN), Real(4_294_967_296.0)] {
        assert_eq!(step(&ValueCompute::IpFromInt, number), Err(StepFailed));
    }
}

#[test]
fn constants_take_the_place_of_what_is_missing() {
    assert_eq!(ValueCompute::Constant(Some(Int(9))).apply(None, &Rules::CAGE, &mut 0), Ok(Some(Int(9))));
    assert_eq!(ValueCompute::Identity.apply(None, &Rules::CAGE, &mut 0), Ok(None));
    assert_eq!(ValueCompute::Present.apply(None, &Rules::CAGE, &mut 0), Err(StepFailed));
    assert_eq!(ValueCompute::Present.apply(Some(Value::Int(1)), &Rules::CAGE, &mut 0), Ok(Some(Value::Int(1))));
    assert_eq!(ValueCompute::Flatten.apply(None, &Rules::CAGE, &mut 0), Ok(None));
}

/// Returns the number of random numbers that a computation draws.
fn drawn(compute: &Compute) -> usize {
    let mut stream = Stream::new(1, 1);
    compute.evaluate(&recorded, &mut stream, &Rules::CAGE).expect("no step fails");
    let mut counted = Stream::new(1, 1);
    let mut count = 0;
    while counted != stream {
        counted.bits();
        count += 1;
    }
    count
}

#[test]
fn only_what_is_reached_draws_numbers() {
    assert_eq!(drawn(&random()), 1);
    let case = |name| Case { when: vec![(field(name), ValueFilter::IsNotNull)], value: random() };
    assert_eq!(drawn(&Compute::Condition(vec![case("missing"), case("x"), case("x")])), 1);
    assert_eq!(drawn(&Compute::Condition(vec![case("missing")])), 0);
    let mut builder = Builder::default();
    let read = builder.field("missing");
    let operands = [builder.node(Numeric::Field(read)), builder.node(Numeric::Random)];
    builder.node(Numeric::Binary(Binary::Add, operands));
    let expression = builder.finish().expect("it has nodes");
    assert_eq!(drawn(&Compute::Calculate(Formula { expression, fields: vec![field("missing")] })), 0);
}
