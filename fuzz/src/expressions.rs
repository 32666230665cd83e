//! Short texts in resource graph games: numeric and Boolean expressions, and constraints, in any dialect.
//!
//! The first byte determines the values of the fields; the rest is the text, which is parsed as each of the three.

use goalspec::resource::random::RandomStream;
use goalspec::resource::value::Value;
use goalspec_rgg::fragment::FragmentResult;
use goalspec_rgg::{Dialect, constraint, expression};

/// The number of samples drawn from the space of a constraint.
const SAMPLES: usize = 8;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Some((&seed, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    for (_, dialect) in Dialect::NAMED {
        numeric(text, dialect, u64::from(seed));
        boolean(text, dialect, u64::from(seed));
        constraint(text, dialect, u64::from(seed));
    }
}

fn numeric(text: &str, dialect: Dialect, seed: u64) {
    let result = expression::numeric(text, dialect);
    assert_ranges_in_text(text, &result);
    let Some(expression) = result.value else { return };
    let evaluate = || {
        let mut stream = RandomStream::new(seed, 1);
        let value = expression.evaluate(|name| value(name, seed), || stream.uniform());
        (value.map(f64::to_bits), stream)
    };
    assert_eq!(evaluate(), evaluate(), "equal values give equal results");
    let numbers =
        expression.fields().iter().all(|name| value(name, seed).is_some_and(|value| value.to_number().is_some()));
    assert_eq!(evaluate().0.is_some(), numbers, "there is a value exactly if every field is a number");
}

fn boolean(text: &str, dialect: Dialect, seed: u64) {
    let result = expression::boolean(text, dialect);
    assert_ranges_in_text(text, &result);
    let Some(expression) = result.value else { return };
    let booleans =
        expression.fields().iter().all(|name| value(name, seed).is_some_and(|value| value.to_bool().is_some()));
    let value = expression.evaluate(|name| value(name, seed));
    assert_eq!(value.is_some(), booleans, "there is a value exactly if every field is a truth value");
}

fn constraint(text: &str, dialect: Dialect, seed: u64) {
    let result = constraint::parse(text, dialect);
    assert_ranges_in_text(text, &result);
    assert_eq!(result.value.is_none(), result.has_errors(), "there is a value exactly if there is no error");
    let Some(declaration) = result.value else { return };
    let mut stream = RandomStream::new(seed, 2);
    for _ in 0..SAMPLES {
        if let Ok(value) = declaration.space.sample(&mut stream) {
            assert!(declaration.space.contains(&value), "{value} is no value of {:?}", declaration.space);
        }
    }
}

/// Checks that the ranges of diagnostics lie within the text.
fn assert_ranges_in_text<T>(text: &str, result: &FragmentResult<T>) {
    for diagnostic in &result.diagnostics {
        assert!(text.get(diagnostic.range.clone()).is_some(), "{diagnostic:?}");
    }
}

/// Returns the value of a field, of a kind and value determined by its name.
fn value(name: &str, seed: u64) -> Option<Value> {
    let mut stream = RandomStream::new(seed, name.bytes().fold(7, |sum, byte| sum * 31 % 65_521 + u64::from(byte)));
    let small = stream.below(7) as i32 - 3;
    Some(match stream.below(12) {
        0..4 => Value::Int(small),
        4 | 5 => Value::Real(f64::from(small) / 2.0),
        6 => Value::Int([i32::MIN, i32::MAX][stream.below(2) as usize]),
        7 => Value::Real([f64::NAN, f64::INFINITY, -0.0, 1e300][stream.below(4) as usize]),
        8 | 9 => Value::Bool(small > 0),
        10 => Value::text(["5%", "1,234", "12abc", "-", "true", "no"][stream.below(6) as usize]),
        _ if small > 0 => Value::set(["red"]),
        _ => return None,
    })
}
