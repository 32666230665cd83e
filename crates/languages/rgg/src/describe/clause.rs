//! Tests and computations as clauses.

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::{ArithmeticOperator, ConversionKind, MathOperator, ValueTransform};
use goalspec_resource::filter::{TextTest, ValueFilter};
use goalspec_resource::value::Value;

use super::words::{and, number, optional, or, value};
use crate::ast::{
    ChainStep, ChainStepKind, Computation, ComputationCase, ComputationKind, Filter, FilterKind, SpannedText,
    TemplatePart, ValueTest, ValueTestKind,
};

/// Returns the clause that a test holds, or that it does not.
pub(super) fn filter(test: &Filter, holds: bool) -> String {
    match &test.kind {
        FilterKind::Always | FilterKind::Never => {
            let always = matches!(test.kind, FilterKind::Always) == holds;
            if always { "true" } else { "false" }.to_owned()
        }
        FilterKind::Field(name, test) => format!("{} {}", subject(name), predicate(test, holds)),
        FilterKind::Computed(inner) => format!("{} is {holds}", compute(inner)),
        FilterKind::Not(inner) => filter(inner, !holds),
        FilterKind::And(parts) => combined(parts, holds, holds),
        FilterKind::Or(parts) => combined(parts, !holds, holds),
    }
}

/// Returns the conjunction or disjunction of tests.
fn combined(parts: &[Filter], all: bool, holds: bool) -> String {
    let part = |part: &Filter| {
        let text = filter(part, holds);
        let compound = match &part.kind {
            FilterKind::And(parts) | FilterKind::Or(parts) => parts.len() > 1,
            FilterKind::Field(_, own) => is_compound(own),
            FilterKind::Always | FilterKind::Never | FilterKind::Computed(_) | FilterKind::Not(_) => false,
        };
        if compound && parts.len() > 1 { format!("({text})") } else { text }
    };
    let texts: Vec<String> = parts.iter().map(part).collect();
    match (texts.is_empty(), all) {
        (true, true) => "true".to_owned(),
        (true, false) => "false".to_owned(),
        (false, true) => texts.join(" and "),
        (false, false) => texts.join(" or "),
    }
}

fn subject(name: &SpannedText) -> String {
    if &*name.text == "_node" { "the node".to_owned() } else { name.text.to_string() }
}

fn predicate(test: &ValueTest, holds: bool) -> String {
    let combined = |parts: &[ValueTest], all: bool| {
        let part = |part: &ValueTest| {
            let clause = predicate(part, holds);
            if is_compound(part) && parts.len() > 1 { format!("({clause})") } else { clause }
        };
        let texts: Vec<String> = parts.iter().map(part).collect();
        texts.join(if all { " and " } else { " or " })
    };
    match &test.kind {
        ValueTestKind::Value(filter) => value_predicate(filter, holds),
        ValueTestKind::Not(inner) => predicate(inner, !holds),
        ValueTestKind::And(parts) => combined(parts, holds),
        ValueTestKind::Or(parts) => combined(parts, !holds),
    }
}

/// Whether the clause of a test joins parts with "and" or "or".
fn is_compound(test: &ValueTest) -> bool {
    match &test.kind {
        ValueTestKind::And(parts) | ValueTestKind::Or(parts) => parts.len() > 1,
        ValueTestKind::Not(inner) => is_compound(inner),
        ValueTestKind::Value(_) => false,
    }
}

/// Returns a predicate such as `is at least 5` or `is not at least 5`.
fn value_predicate(filter: &ValueFilter, holds: bool) -> String {
    let (verb, object) = match filter {
        ValueFilter::Always => ("is", "any value".to_owned()),
        ValueFilter::Never => ("is", "impossible".to_owned()),
        ValueFilter::Compare(ComparisonOperator::Equal, bound) => ("is", value(bound)),
        ValueFilter::Compare(ComparisonOperator::NotEqual, bound) => ("is", format!("other than {}", value(bound))),
        ValueFilter::Compare(comparison, bound) => {
            ("is", format!("{} {}", comparison_words(*comparison), value(bound)))
        }
        ValueFilter::Range(least, greatest) => ("is", format!("from {} to {}", value(least), value(greatest))),
        ValueFilter::OneOf(members) => {
            ("is", or(&members.iter().map(|member| optional(member.as_ref())).collect::<Vec<_>>()))
        }
        ValueFilter::Text(TextTest::Contains, part) => ("contains", format!("\"{part}\"")),
        ValueFilter::Text(TextTest::StartsWith, part) => ("begins with", format!("\"{part}\"")),
        ValueFilter::Text(TextTest::EndsWith, part) => ("ends with", format!("\"{part}\"")),
        ValueFilter::Matches(pattern) => ("matches", format!("the pattern {}", pattern.as_str())),
        ValueFilter::IsNull => ("is", "missing".to_owned()),
        ValueFilter::IsNotNull => ("is", "present".to_owned()),
        ValueFilter::IsEmpty => ("is", "missing or empty".to_owned()),
        ValueFilter::IsNotEmpty => ("is", "present and not empty".to_owned()),
        ValueFilter::HasAny(labels) => {
            ("has", format!("the member {}", or(&labels.iter().map(ToString::to_string).collect::<Vec<_>>())))
        }
        ValueFilter::IsIp => ("is", "an IPv4 address".to_owned()),
        ValueFilter::IsCidr => ("is", "an IPv4 address block".to_owned()),
        ValueFilter::InCidr(block) => ("is", format!("an IPv4 address in {}/{}", block.address, block.prefix)),
        ValueFilter::CidrContains(address) => ("is", format!("an IPv4 address block that contains {address}")),
        ValueFilter::Not(inner) => return value_predicate(inner, !holds),
        ValueFilter::And(parts) => return value_predicates(parts, holds, holds),
        ValueFilter::Or(parts) => return value_predicates(parts, !holds, holds),
    };
    match (holds, verb) {
        (true, _) => format!("{verb} {object}"),
        (false, "is") => format!("is not {object}"),
        (false, "contains") => format!("does not contain {object}"),
        (false, "begins with") => format!("does not begin with {object}"),
        (false, "ends with") => format!("does not end with {object}"),
        (false, "matches") => format!("does not match {object}"),
        (false, _) => format!("does not have {object}"),
    }
}

fn value_predicates(parts: &[ValueFilter], all: bool, holds: bool) -> String {
    let texts: Vec<String> = parts.iter().map(|part| value_predicate(part, holds)).collect();
    texts.join(if all { " and " } else { " or " })
}

fn comparison_words(comparison: ComparisonOperator) -> &'static str {
    match comparison {
        ComparisonOperator::Equal => "equal to",
        ComparisonOperator::NotEqual => "other than",
        ComparisonOperator::Greater => "greater than",
        ComparisonOperator::GreaterOrEqual => "at least",
        ComparisonOperator::Less => "less than",
        ComparisonOperator::LessOrEqual => "at most",
    }
}

/// Describes a computation.
pub(super) fn compute(computed: &Computation) -> String {
    match &computed.kind {
        ComputationKind::Constant(constant) => optional(constant.as_ref()),
        ComputationKind::Field(name) => name.text.to_string(),
        ComputationKind::Calculate(formula) => formula.text.text.to_string(),
        ComputationKind::CalculateBoolean(formula) => formula.text.text.to_string(),
        ComputationKind::Cases(cases) => {
            let cases: Vec<String> = cases.iter().map(case).collect();
            format!("{}; otherwise no value", cases.join("; otherwise "))
        }
        ComputationKind::MathOperation { operator, fields, fallback: if_invalid } => {
            let otherwise = if_invalid.as_ref().map(|fallback| format!(" (or {} if it has no value)", value(fallback)));
            format!("{}{}", math(*operator, fields), otherwise.unwrap_or_default())
        }
        ComputationKind::Template(pieces) => {
            let piece = |piece: &TemplatePart| match piece {
                TemplatePart::Text(text) => text.to_string(),
                TemplatePart::Field(name) => format!("{{{}}}", name.text),
            };
            format!("the string \"{}\"", pieces.iter().map(piece).collect::<String>())
        }
        ComputationKind::FirstPresent(names) => {
            format!("the first of {} that has a value, as a string", and(&texts(names)))
        }
        ComputationKind::List(names) => format!("the list of {}", and(&texts(names))),
        ComputationKind::Chain(first, steps) => {
            steps.iter().fold(compute(first), |text, step| format!("{text}, {}", self::step(step)))
        }
    }
}

fn texts(names: &[SpannedText]) -> Vec<String> {
    names.iter().map(|name| name.text.to_string()).collect()
}

fn case(case: &ComputationCase) -> String {
    let tests: Vec<String> =
        case.when.iter().map(|(name, test)| format!("{} {}", name.text, predicate(test, true))).collect();
    let conditions = if tests.is_empty() { "always".to_owned() } else { format!("if {}", tests.join(" and ")) };
    format!("{} {conditions}", compute(&case.value))
}

fn math(operator: MathOperator, fields: &[SpannedText]) -> String {
    let names = texts(fields);
    let first = names.first().cloned().unwrap_or_default();
    let others = and(names.get(1..).unwrap_or_default());
    match operator {
        MathOperator::Add => format!("the sum of {}", and(&names)),
        MathOperator::Subtract => format!("{first} minus {others}"),
        MathOperator::Multiply => format!("the product of {}", and(&names)),
        MathOperator::Divide => format!("{first} divided by {others}"),
        MathOperator::Negate => format!("the negative of {first}"),
        MathOperator::Min => format!("the minimum of {}", and(&names)),
        MathOperator::Max => format!("the maximum of {}", and(&names)),
        MathOperator::Average => format!("the mean of {}", and(&names)),
        MathOperator::StdDev => format!("the standard deviation of {}", and(&names)),
        MathOperator::Equal => format!("whether {first} equals {others}"),
        MathOperator::NotEqual => format!("whether {first} differs from {others}"),
        MathOperator::Greater => format!("whether {first} is greater than {others}"),
        MathOperator::GreaterOrEqual => format!("whether {first} is at least {others}"),
        MathOperator::Less => format!("whether {first} is less than {others}"),
        MathOperator::LessOrEqual => format!("whether {first} is at most {others}"),
    }
}

/// Describes a step as a continuation of the clause of the value before it.
fn step(step: &ChainStep) -> String {
    let computed = match &step.kind {
        ChainStepKind::Test(test) => return format!("then whether the result {}", predicate(test, true)),
        ChainStepKind::Transform(computed) => computed,
    };
    match computed {
        ValueTransform::Constant(constant) => format!("replaced by {}", optional(constant.as_ref())),
        ValueTransform::Identity | ValueTransform::Required => "unchanged".to_owned(),
        ValueTransform::Lookup { table, default: if_null } => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{key}: {}", optional(value.as_ref()))).collect();
            format!("looked up in a table ({}; otherwise {})", entries.join(", "), optional(if_null.as_ref()))
        }
        ValueTransform::Arithmetic(operator, operand) => arithmetic(*operator, operand),
        ValueTransform::Linear { domain, range } => {
            let pair = |[one, other]: &[f64; 2]| format!("{} and {}", number(*one), number(*other));
            format!("mapped linearly from {} to {}", pair(domain), pair(range))
        }
        ValueTransform::Convert(ConversionKind::Int) => "as an integer".to_owned(),
        ValueTransform::Convert(ConversionKind::Real) => "as a real number".to_owned(),
        ValueTransform::Convert(ConversionKind::Bool) => "as a boolean".to_owned(),
        ValueTransform::Convert(ConversionKind::Text) => "as a string".to_owned(),
        ValueTransform::RegexCapture(pattern, names) => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            format!("matched with the pattern {}, as {}", pattern.as_str(), and(&names))
        }
        ValueTransform::OneHot(members) => {
            let members: Vec<String> = members.iter().map(|member| optional(member.as_ref())).collect();
            format!("one-hot encoded by {}", and(&members))
        }
        ValueTransform::Flatten => "flattened to one list".to_owned(),
        ValueTransform::IpToInt => "as the integer of the IPv4 address".to_owned(),
        ValueTransform::IpFromInt => "as the IPv4 address of the integer".to_owned(),
    }
}

fn arithmetic(operator: ArithmeticOperator, operand: &Value) -> String {
    let word = match operator {
        ArithmeticOperator::Add => "plus",
        ArithmeticOperator::Subtract => "minus",
        ArithmeticOperator::Multiply => "times",
        ArithmeticOperator::Divide => "divided by",
    };
    format!("{word} {}", value(operand))
}
