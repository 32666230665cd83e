//! The recorded rows of the Cage engine about constraints, expressions and comparisons, in the dialect of that engine.

use crate::common::base::section;
use crate::common::{class, recorded, report, value};
use goalspec_resource::compare::{ComparisonOperator, compare};
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::Value;
use goalspec_rgg::{Dialect, constraint, expression};

use crate::common;

fn space(declaration: &Declaration) -> String {
    let initial = &declaration.initial;
    let real = |number: &f64| Value::Real(*number).to_string();
    let (class, name, parameters) = match &declaration.space {
        Space::Bool => ("Boolean", "boolean", String::new()),
        Space::FreeText => ("Free", "string.free", String::new()),
        Space::FreeInt => ("Free", "integer.free", String::new()),
        Space::FreeReal => ("Free", "float.free", String::new()),
        Space::IntRange { min, max } => ("FiniteIntRange", "int.range", format!("{min},{max}")),
        Space::RealRange { min, max } => ("FiniteDoubleRange", "float.range", format!("{},{}", real(min), real(max))),
        Space::Normal { mean, standard_deviation: deviation } => {
            ("NormalRange", "float.normal", format!("{},{}", real(mean), real(deviation)))
        }
        Space::IntEnum(members) => ("Enum", "integer.enum", format!("{members:?}")),
        Space::RealEnum(members) => {
            ("Enum", "float.enum", format!("[{}]", members.iter().map(real).collect::<Vec<_>>().join(", ")))
        }
        Space::TextEnum(members) => ("Enum", "string.enum", format!("[{}]", members.join(", "))),
        Space::Set(labels) => ("AllowedElementSet", "set", Value::Set(labels.clone().into()).to_string()),
    };
    format!("{class}Constraint | {} | {name}({initial}; {parameters}) | ", common::class(initial))
}

#[test]
fn constraints() {
    let Some(text) = recorded("engine_constraints_and_expressions.txt") else { return };
    let rows = section(&text, "## constraints");
    let mut mismatches = Vec::new();
    for (input, expected) in &rows {
        let parsed = constraint::parse(input, Dialect::CAGE);
        let found = parsed.value.as_ref().map_or_else(|| "ERR ".to_owned(), space);
        if !expected.trim_start_matches(" | ").starts_with(&found) || parsed.has_errors() == parsed.value.is_some() {
            mismatches.push(format!("`{input}`: {found}, not {expected}"));
        }
    }
    report("constraints", rows.len(), &mismatches);
}

fn number_field(name: &str) -> Option<Value> {
    Some(match name {
        "x" => Value::Int(3),
        "y" => Value::Real(2.5),
        "n.z" => Value::Int(4),
        "s" => Value::text("7"),
        "b" => Value::Bool(true),
        "str" => Value::text("abc"),
        "pct" => Value::text("5%"),
        "comma" => Value::text("1,234"),
        "dash" => Value::text("-"),
        "big" => Value::Real(3e9),
        "with space" => Value::Int(6),
        "set" => Value::set(["red"]),
        _ => return None,
    })
}

#[test]
fn numeric_expressions() {
    let Some(text) = recorded("engine_constraints_and_expressions.txt") else { return };
    let rows = section(&text, "## Calculate");
    let mut mismatches = Vec::new();
    for (input, expected) in &rows {
        let parsed = expression::numeric(input, Dialect::CAGE);
        let value = parsed.value.as_ref().and_then(|expression| expression.evaluate(number_field, || 0.5));
        let found = match value {
            _ if parsed.has_errors() => "ERR".to_owned(),
            Some(number) => class(&Value::Real(number)),
            None => "null".to_owned(),
        };
        let expected = expected.trim_start_matches(" -> ");
        let equal = match *input {
            "random()" | "rand()" => value == Some(0.5),
            _ if found == "ERR" => expected.starts_with("ERR "),
            _ => found == expected,
        };
        if !equal {
            mismatches.push(format!("`{input}`: {found}, not {expected}"));
        }
    }
    report("numeric expressions", rows.len(), &mismatches);
}

fn truth_field(name: &str) -> Option<Value> {
    Some(match name {
        "t" => Value::Bool(true),
        "f" => Value::Bool(false),
        "i1" => Value::Int(1),
        "i0" => Value::Int(0),
        "i5" => Value::Int(5),
        "d" => Value::Real(1.0),
        "st" => Value::text("true"),
        "sx" => Value::text("x"),
        _ => return None,
    })
}

#[test]
fn boolean_expressions() {
    let Some(text) = recorded("engine_constraints_and_expressions.txt") else { return };
    let rows = section(&text, "## CalculateBoolean");
    let mut mismatches = Vec::new();
    for (input, expected) in &rows {
        let parsed = expression::boolean(input, Dialect::CAGE);
        let value = parsed.value.as_ref().and_then(|expression| expression.evaluate(truth_field));
        let found = match value {
            _ if parsed.has_errors() => "ERR".to_owned(),
            Some(truth) => class(&Value::Bool(truth)),
            None => "null".to_owned(),
        };
        let expected = expected.trim_start_matches(" -> ");
        if !(if found == "ERR" { expected.starts_with("ERR ") } else { found == expected }) {
            mismatches.push(format!("`{input}`: {found}, not {expected}"));
        }
    }
    report("boolean expressions", rows.len(), &mismatches);
}

#[test]
fn comparisons() {
    let Some(text) = recorded("engine_comparisons.txt") else { return };
    let (mut total, mut mismatches) = (0, Vec::new());
    for row in text.lines() {
        if let Some((filter, results)) = row.strip_prefix("`{NotEqual: ").and_then(|row| row.split_once("}`: ")) {
            let bound = match filter {
                "5" => Value::Int(5),
                "true" => Value::Bool(true),
                text => Value::text(text),
            };
            for result in results.split("; ").filter(|result| !result.is_empty()) {
                let (one, expected) = result.split_once("=>").expect("a result");
                total += 1;
                let found =
                    ComparisonOperator::NotEqual.holds(Some(&value(one)), &bound, Dialect::CAGE.rules.comparison);
                if found.to_string() != expected.trim_end_matches(';') {
                    mismatches.push(format!("{filter}: {result}"));
                }
            }
            continue;
        }
        let (one, rest) = row.split_once(" ? ").expect("two values");
        let (other, expected) = rest.split_once(") ").expect("an outcome");
        total += 1;
        let found = compare(&value(one), &value(other), Dialect::CAGE.rules.comparison).map(|order| order as i32);
        let expected = expected.strip_prefix("= ").map(|number| number.parse::<i32>().expect("a number").signum());
        if found != expected {
            mismatches.push(format!("{row}: {found:?}"));
        }
    }
    report("comparisons", total, &mismatches);
}
