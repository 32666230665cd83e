//! Tests and computations as clauses.

use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::{Kind, Operator, StepOperator, ValueCompute};
use goalspec_resource::filter::{TextTest, ValueFilter};
use goalspec_resource::value::Value;

use super::words::{and, number, optional, or, value};
use crate::ast::{Case, Compute, ComputeKind, Filter, FilterKind, Name, Piece, Step, StepKind, Test, TestKind};

/// Returns the clause that a test holds, or that it does not.
pub(super) fn filter(test: &Filter, holds: bool) -> String {
    match &test.kind {
        FilterKind::All | FilterKind::None => {
            let always = matches!(test.kind, FilterKind::All) == holds;
            if always { "true" } else { "false" }.to_owned()
        }
        FilterKind::Field(name, test) => format!("{} {}", subject(name), predicate(test, holds)),
        FilterKind::Truth(inner) => format!("{} is {holds}", compute(inner)),
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
            FilterKind::All | FilterKind::None | FilterKind::Truth(_) | FilterKind::Not(_) => false,
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

fn subject(name: &Name) -> String {
    if &*name.text == "_node" { "the node".to_owned() } else { name.text.to_string() }
}

fn predicate(test: &Test, holds: bool) -> String {
    let combined = |parts: &[Test], all: bool| {
        let part = |part: &Test| {
            let said = predicate(part, holds);
            if is_compound(part) && parts.len() > 1 { format!("({said})") } else { said }
        };
        let texts: Vec<String> = parts.iter().map(part).collect();
        texts.join(if all { " and " } else { " or " })
    };
    match &test.kind {
        TestKind::Value(filter) => value_predicate(filter, holds),
        TestKind::Not(inner) => predicate(inner, !holds),
        TestKind::And(parts) => combined(parts, holds),
        TestKind::Or(parts) => combined(parts, !holds),
    }
}

/// Whether the clause of a test joins parts with "and" or "or".
fn is_compound(test: &Test) -> bool {
    match &test.kind {
        TestKind::And(parts) | TestKind::Or(parts) => parts.len() > 1,
        TestKind::Not(inner) => is_compound(inner),
        TestKind::Value(_) => false,
    }
}

/// Returns a predicate such as `is at least 5` or `is not at least 5`.
fn value_predicate(filter: &ValueFilter, holds: bool) -> String {
    let (verb, rest) = match filter {
        ValueFilter::All => ("is", "any value".to_owned()),
        ValueFilter::None => ("is", "impossible".to_owned()),
        ValueFilter::Compare(Comparison::Equal, bound) => ("is", value(bound)),
        ValueFilter::Compare(Comparison::NotEqual, bound) => ("is", format!("other than {}", value(bound))),
        ValueFilter::Compare(comparison, bound) => ("is", format!("{} {}", more(*comparison), value(bound))),
        ValueFilter::Range(least, greatest) => ("is", format!("from {} to {}", value(least), value(greatest))),
        ValueFilter::OneOf(members) => {
            ("is", or(&members.iter().map(|member| optional(member.as_ref())).collect::<Vec<_>>()))
        }
        ValueFilter::Text(TextTest::Contains, part) => ("contains", format!("\"{part}\"")),
        ValueFilter::Text(TextTest::StartsWith, part) => ("begins with", format!("\"{part}\"")),
        ValueFilter::Text(TextTest::EndsWith, part) => ("ends with", format!("\"{part}\"")),
        ValueFilter::Matches(pattern) => ("matches", format!("the pattern {}", pattern.text())),
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
        (true, _) => format!("{verb} {rest}"),
        (false, "is") => format!("is not {rest}"),
        (false, "contains") => format!("does not contain {rest}"),
        (false, "begins with") => format!("does not begin with {rest}"),
        (false, "ends with") => format!("does not end with {rest}"),
        (false, "matches") => format!("does not match {rest}"),
        (false, _) => format!("does not have {rest}"),
    }
}

fn value_predicates(parts: &[ValueFilter], all: bool, holds: bool) -> String {
    let texts: Vec<String> = parts.iter().map(|part| value_predicate(part, holds)).collect();
    texts.join(if all { " and " } else { " or " })
}

fn more(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "equal to",
        Comparison::NotEqual => "other than",
        Comparison::Greater => "greater than",
        Comparison::GreaterOrEqual => "at least",
        Comparison::Less => "less than",
        Comparison::LessOrEqual => "at most",
    }
}

/// Describes a computation.
pub(super) fn compute(computed: &Compute) -> String {
    match &computed.kind {
        ComputeKind::Constant(constant) => optional(constant.as_ref()),
        ComputeKind::Field(name) => name.text.to_string(),
        ComputeKind::Calculate(formula) => formula.text.text.to_string(),
        ComputeKind::CalculateBoolean(formula) => formula.text.text.to_string(),
        ComputeKind::Condition(cases) => {
            let cases: Vec<String> = cases.iter().map(case).collect();
            format!("{}; otherwise no value", cases.join("; otherwise "))
        }
        ComputeKind::Math { operator, fields, if_invalid } => {
            let otherwise = if_invalid.as_ref().map(|it| format!(" (or {} if it has no value)", value(it)));
            format!("{}{}", math(*operator, fields), otherwise.unwrap_or_default())
        }
        ComputeKind::Template(pieces) => {
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => text.to_string(),
                Piece::Field(name) => format!("{{{}}}", name.text),
            };
            format!("the string \"{}\"", pieces.iter().map(piece).collect::<String>())
        }
        ComputeKind::FirstOf(names) => format!("the first of {} that has a value, as a string", and(&texts(names))),
        ComputeKind::List(names) => format!("the list of {}", and(&texts(names))),
        ComputeKind::Chain(first, steps) => {
            steps.iter().fold(compute(first), |text, step| format!("{text}, {}", self::step(step)))
        }
    }
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.to_string()).collect()
}

fn case(case: &Case) -> String {
    let tests: Vec<String> =
        case.when.iter().map(|(name, test)| format!("{} {}", name.text, predicate(test, true))).collect();
    let when = if tests.is_empty() { "always".to_owned() } else { format!("if {}", tests.join(" and ")) };
    format!("{} {when}", compute(&case.value))
}

fn math(operator: Operator, fields: &[Name]) -> String {
    let names = texts(fields);
    let first = names.first().cloned().unwrap_or_default();
    let others = and(names.get(1..).unwrap_or_default());
    match operator {
        Operator::Add => format!("the sum of {}", and(&names)),
        Operator::Subtract => format!("{first} minus {others}"),
        Operator::Multiply => format!("the product of {}", and(&names)),
        Operator::Divide => format!("{first} divided by {others}"),
        Operator::Negate => format!("the negative of {first}"),
        Operator::Min => format!("the minimum of {}", and(&names)),
        Operator::Max => format!("the maximum of {}", and(&names)),
        Operator::Average => format!("the mean of {}", and(&names)),
        Operator::StdDev => format!("the standard deviation of {}", and(&names)),
        Operator::Equal => format!("whether {first} equals {others}"),
        Operator::NotEqual => format!("whether {first} differs from {others}"),
        Operator::Greater => format!("whether {first} is greater than {others}"),
        Operator::GreaterOrEqual => format!("whether {first} is at least {others}"),
        Operator::Less => format!("whether {first} is less than {others}"),
        Operator::LessOrEqual => format!("whether {first} is at most {others}"),
    }
}

/// Describes a step as a continuation of the clause of the value before it.
fn step(step: &Step) -> String {
    let computed = match &step.kind {
        StepKind::Test(test) => return format!("then whether the result {}", predicate(test, true)),
        StepKind::Value(computed) => computed,
    };
    match computed {
        ValueCompute::Constant(constant) => format!("replaced by {}", optional(constant.as_ref())),
        ValueCompute::Identity | ValueCompute::Present => "unchanged".to_owned(),
        ValueCompute::Lookup { table, if_null } => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{key}: {}", optional(value.as_ref()))).collect();
            format!("looked up in a table ({}; otherwise {})", entries.join(", "), optional(if_null.as_ref()))
        }
        ValueCompute::Arithmetic(operator, operand) => arithmetic(*operator, operand),
        ValueCompute::Linear { domain, range } => {
            let pair = |[one, other]: &[f64; 2]| format!("{} and {}", number(*one), number(*other));
            format!("mapped linearly from {} to {}", pair(domain), pair(range))
        }
        ValueCompute::As(Kind::Int) => "as an integer".to_owned(),
        ValueCompute::As(Kind::Real) => "as a real number".to_owned(),
        ValueCompute::As(Kind::Bool) => "as a boolean".to_owned(),
        ValueCompute::As(Kind::Text) => "as a string".to_owned(),
        ValueCompute::RegexCapture(pattern, names) => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            format!("matched with the pattern {}, as {}", pattern.text(), and(&names))
        }
        ValueCompute::OneHot(members) => {
            let members: Vec<String> = members.iter().map(|member| optional(member.as_ref())).collect();
            format!("one-hot encoded by {}", and(&members))
        }
        ValueCompute::Flatten => "flattened to one list".to_owned(),
        ValueCompute::IpToInt => "as the integer of the IPv4 address".to_owned(),
        ValueCompute::IpFromInt => "as the IPv4 address of the integer".to_owned(),
    }
}

fn arithmetic(operator: StepOperator, operand: &Value) -> String {
    let word = match operator {
        StepOperator::Add => "plus",
        StepOperator::Subtract => "minus",
        StepOperator::Multiply => "times",
        StepOperator::Divide => "divided by",
    };
    format!("{word} {}", value(operand))
}
