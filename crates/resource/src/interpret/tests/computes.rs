//! Computations over fields, and the steps of chains.

use crate::compare::ComparisonOperator;
use crate::compute::{
    ArithmeticOperator, ChainStep, Computation, ComputationCase, ConversionKind, MathOperation, MathOperator,
    ResolvedExpression, TemplatePart, ValueTransform,
};
use crate::expression::{ExpressionBuilder, NumericNode};
use crate::field::Field;
use crate::filter::ValueFilter;
use crate::function::BinaryFunction;
use crate::interpret::compute::ChainStepError;
use crate::interpret::lookup::member;
use crate::pattern::{MatchMode, TextPattern};
use crate::random::RandomStream;
use crate::rules::GameRules;
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

fn evaluate(compute: &Computation, rules: &GameRules) -> Result<Option<Value>, ChainStepError> {
    compute.evaluate(&recorded, &mut RandomStream::new(0, 0), rules)
}

fn value(compute: &Computation) -> Option<Value> {
    evaluate(compute, &GameRules::CAGE).expect("no step fails")
}

fn math(operator: MathOperator, fields: &[&str], if_invalid: Option<Value>) -> Computation {
    let fields = fields.iter().map(|name| field(name)).collect();
    Computation::Math(MathOperation { operator, fields, fallback: if_invalid })
}

/// `{x} * 2`, with another name for `x`.
fn doubled(name: &str) -> Computation {
    let mut builder = ExpressionBuilder::default();
    let read = builder.field(name);
    let operands = [builder.node(NumericNode::Field(read)), builder.node(NumericNode::Number(2.0))];
    builder.node(NumericNode::Binary(BinaryFunction::Multiply, operands));
    Computation::Calculate(ResolvedExpression {
        expression: builder.finish().expect("it has nodes"),
        fields: vec![field(name)],
    })
}

fn random() -> Computation {
    let mut builder = ExpressionBuilder::default();
    builder.node(NumericNode::Random);
    Computation::Calculate(ResolvedExpression { expression: builder.finish().expect("it has nodes"), fields: vec![] })
}

#[test]
fn fields_and_constants() {
    assert_eq!(value(&Computation::Field(field("x"))), Some(Int(3)));
    assert_eq!(value(&Computation::Field(field("missing"))), None);
    assert_eq!(value(&Computation::Field(field("seen"))), Some(Value::set(["red", "blue"])));
    assert_eq!(value(&Computation::Constant(Some(Value::text("abc")))), Some(Value::text("abc")));
}

#[test]
fn calculated_numbers_are_real() {
    assert_eq!(value(&doubled("x")), Some(Real(6.0)));
    assert_eq!(value(&doubled("missing")), None);
    assert_eq!(value(&doubled("own")), None);
}

#[test]
fn the_first_case_that_holds_gives_the_value() {
    let case = |name, expected, value| ComputationCase {
        when: vec![(field(name), ValueFilter::Compare(ComparisonOperator::Equal, expected))],
        value,
    };
    let one = Computation::Constant(Some(Int(1)));
    let cases = vec![case("x", Int(4), one.clone()), case("own", Bool(true), Computation::Field(field("x")))];
    assert_eq!(value(&Computation::Cases(cases)), Some(Int(3)));
    assert_eq!(value(&Computation::Cases(vec![case("x", Int(4), one.clone())])), None);
    assert_eq!(value(&Computation::Cases(vec![ComputationCase { when: vec![], value: one }])), Some(Int(1)));
}

#[test]
fn templates_and_first_of() {
    let template = |pieces| value(&Computation::Template(pieces));
    let pieces = vec![
        TemplatePart::Text("x=".into()),
        TemplatePart::Field(field("x")),
        TemplatePart::Text(";".into()),
        TemplatePart::Field(field("s")),
    ];
    assert_eq!(template(pieces), Some(Value::text("x=3;str")));
    assert_eq!(template(vec![TemplatePart::Field(field("missing"))]), Some(Value::text("null")));
    assert_eq!(template(vec![TemplatePart::Field(field("seen"))]), Some(Value::text("[red, blue]")));
    let first = |names: &[&str]| value(&Computation::FirstOf(names.iter().map(|name| field(name)).collect()));
    assert_eq!(first(&["missing", "x", "s"]), Some(Value::text("3")));
    assert_eq!(first(&["missing"]), None);
    let list = Computation::List(vec![field("x"), field("missing")]);
    assert_eq!(value(&list), Some(Value::List([Some(Int(3)), None].into())));
}

#[test]
fn the_first_operand_gives_the_class() {
    use MathOperator::{Add, Average, Divide, Max, Min, Multiply, Negate, StdDev, Subtract};
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
    use MathOperator::{Add, Divide, Max, Multiply, Subtract};
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
        let found = evaluate(&math(operator, fields, None), &GameRules::DOCUMENTED);
        assert_eq!(found, Ok(expected), "{operator:?} {fields:?}");
    }
}

#[test]
fn whole_numbers_wrap_around() {
    let operands = [i32::MAX, 1].map(|number| Some(Int(number)));
    let sum = MathOperation { operator: MathOperator::Add, fields: vec![], fallback: None };
    assert_eq!(sum.value(&operands, &GameRules::CAGE, &mut 0), Some(Int(i32::MIN)));
    assert_eq!(sum.value(&operands, &GameRules::DOCUMENTED, &mut 0), Some(Int(i32::MIN)));
    let quotient = MathOperation { operator: MathOperator::Divide, ..sum };
    let operands = [i32::MIN, -1].map(|number| Some(Int(number)));
    assert_eq!(quotient.value(&operands, &GameRules::CAGE, &mut 0), Some(Int(i32::MIN)));
}

#[test]
fn comparisons_of_fields() {
    use MathOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
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
        let found =
            [GameRules::DOCUMENTED, GameRules::CAGE].map(|rules| evaluate(&math(operator, fields, None), &rules));
        assert_eq!(found, expected.map(|truth| Ok(truth.map(Bool))), "{operator:?} {fields:?}");
    }
}

fn arithmetic(operator: ArithmeticOperator, number: Value) -> ChainStep {
    ChainStep::Value(ValueTransform::Arithmetic(operator, number))
}

fn chain(from: &str, steps: Vec<ChainStep>) -> Computation {
    Computation::Chain(Box::new(Computation::Field(field(from))), steps)
}

#[test]
fn chains_go_step_by_step() {
    use ArithmeticOperator::{Add, Divide, Multiply, Subtract};
    let at_least_two = || ChainStep::Filter(ValueFilter::Compare(ComparisonOperator::GreaterOrEqual, Int(2)));
    let steps = vec![arithmetic(Add, Int(2)), arithmetic(Multiply, Int(3))];
    assert_eq!(value(&chain("x", steps)), Some(Int(15)));
    assert_eq!(value(&chain("x", vec![at_least_two()])), Some(Bool(true)));
    assert_eq!(value(&chain("missing", vec![at_least_two()])), Some(Bool(false)));
    assert_eq!(value(&chain("x", vec![arithmetic(Divide, Int(2))])), Some(Int(1)));
    assert_eq!(value(&chain("x", vec![arithmetic(Divide, Int(0))])), None);
    assert_eq!(value(&chain("y", vec![arithmetic(Divide, Int(2))])), Some(Real(0.0)));
    assert_eq!(value(&chain("x", vec![arithmetic(Subtract, Real(0.5))])), Some(Int(3)));
    let found = evaluate(&chain("x", vec![arithmetic(Subtract, Real(0.5))]), &GameRules::DOCUMENTED);
    assert_eq!(found, Ok(Some(Real(2.5))));
    assert_eq!(value(&chain("missing", vec![arithmetic(Add, Int(2))])), None);
    assert_eq!(evaluate(&chain("s", vec![arithmetic(Add, Int(2))]), &GameRules::CAGE), Err(ChainStepError));
}

/// Applies a step to a value.
fn step(step: &ValueTransform, of: Value) -> Result<Option<Value>, ChainStepError> {
    step.apply(Some(of), &GameRules::CAGE, &mut 0)
}

#[test]
fn tables_and_lines() {
    let table = vec![("3".into(), Some(Value::text("low"))), ("4".into(), None)];
    let lookup = |of| step(&ValueTransform::Lookup { table: table.clone(), default: Some(Int(7)) }, of);
    assert_eq!(lookup(Int(3)), Ok(Some(Value::text("low"))));
    assert_eq!(lookup(Int(4)), Ok(None));
    assert_eq!(lookup(Int(5)), Ok(Some(Int(7))));
    let line = ValueTransform::Linear { domain: [0.0, 10.0], range: [0.0, 1.0] };
    assert_eq!(step(&line, Int(3)), Ok(Some(Real(0.300_000_000_000_000_04))));
    assert_eq!(step(&line, Bool(true)), Err(ChainStepError));
}

#[test]
fn values_of_other_kinds() {
    let to = |kind, of| step(&ValueTransform::Convert(kind), of);
    assert_eq!(to(ConversionKind::Text, Int(3)), Ok(Some(Value::text("3"))));
    assert_eq!(to(ConversionKind::Int, Real(-3.7)), Ok(Some(Int(-3))));
    assert_eq!(to(ConversionKind::Int, Value::text("12abc")), Ok(Some(Int(12))));
    assert_eq!(to(ConversionKind::Int, Real(1e10)), Err(ChainStepError));
    assert_eq!(to(ConversionKind::Int, Bool(true)), Err(ChainStepError));
    assert_eq!(to(ConversionKind::Real, Int(3)), Ok(Some(Real(3.0))));
    assert_eq!(to(ConversionKind::Bool, Value::text("true")), Ok(Some(Bool(true))));
    assert_eq!(to(ConversionKind::Bool, Value::text("yes")), Err(ChainStepError));
}

#[test]
fn patterns_lists_and_addresses() {
    let names = vec!["f".into(), "r".into(), "beyond".into()];
    let capture = ValueTransform::RegexCapture(TextPattern::new("(.)(.*)", MatchMode::Full).unwrap(), names);
    let found = step(&capture, Value::text("str")).unwrap().unwrap();
    assert_eq!(found.to_string(), "{f=s, r=tr, beyond=null}");
    assert_eq!(member(found.clone(), &["r".into()]), Some(Value::text("tr")));
    assert_eq!(member(found, &["r".into(), "t".into()]), None);
    assert_eq!(step(&capture, Value::text("")), Ok(None));
    let one_hot = step(&ValueTransform::OneHot([1, 2, 3].map(Int).map(Some).to_vec()), Int(3)).unwrap().unwrap();
    assert_eq!(one_hot.to_string(), "[0, 0, 1]");
    let nested = Value::List([Some(one_hot), None, Some(Int(4))].into());
    assert_eq!(step(&ValueTransform::Flatten, nested).unwrap().unwrap().to_string(), "[0, 0, 1, null, 4]");
    assert_eq!(step(&ValueTransform::IpToInt, Value::text("10.0.0.1")), Ok(Some(Int(167_772_161))));
    assert_eq!(step(&ValueTransform::IpToInt, Value::text("255.255.255.255")), Ok(Some(Real(4_294_967_295.0))));
    assert_eq!(step(&ValueTransform::IpFromInt, Real(4_294_967_295.0)), Ok(Some(Value::text("255.255.255.255"))));
    for number in [Real(0.5), Int(-1), Real(f64::NAN), Real(4_294_967_296.0)] {
        assert_eq!(step(&ValueTransform::IpFromInt, number), Err(ChainStepError));
    }
}

#[test]
fn constants_take_the_place_of_missing_values() {
    assert_eq!(ValueTransform::Constant(Some(Int(9))).apply(None, &GameRules::CAGE, &mut 0), Ok(Some(Int(9))));
    assert_eq!(ValueTransform::Identity.apply(None, &GameRules::CAGE, &mut 0), Ok(None));
    assert_eq!(ValueTransform::Required.apply(None, &GameRules::CAGE, &mut 0), Err(ChainStepError));
    assert_eq!(ValueTransform::Required.apply(Some(Value::Int(1)), &GameRules::CAGE, &mut 0), Ok(Some(Value::Int(1))));
    assert_eq!(ValueTransform::Flatten.apply(None, &GameRules::CAGE, &mut 0), Ok(None));
}

/// Returns the number of random numbers that a computation draws.
fn drawn(compute: &Computation) -> usize {
    let mut stream = RandomStream::new(1, 1);
    compute.evaluate(&recorded, &mut stream, &GameRules::CAGE).expect("no step fails");
    let mut counted = RandomStream::new(1, 1);
    let mut count = 0;
    while counted != stream {
        counted.next_u64();
        count += 1;
    }
    count
}

#[test]
fn only_evaluated_parts_draw_numbers() {
    assert_eq!(drawn(&random()), 1);
    let case = |name| ComputationCase { when: vec![(field(name), ValueFilter::IsNotNull)], value: random() };
    assert_eq!(drawn(&Computation::Cases(vec![case("missing"), case("x"), case("x")])), 1);
    assert_eq!(drawn(&Computation::Cases(vec![case("missing")])), 0);
    let mut builder = ExpressionBuilder::default();
    let read = builder.field("missing");
    let operands = [builder.node(NumericNode::Field(read)), builder.node(NumericNode::Random)];
    builder.node(NumericNode::Binary(BinaryFunction::Add, operands));
    let expression = builder.finish().expect("it has nodes");
    assert_eq!(drawn(&Computation::Calculate(ResolvedExpression { expression, fields: vec![field("missing")] })), 0);
}
