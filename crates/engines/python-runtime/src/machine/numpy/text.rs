//! Text of arrays and scalars.

use super::array::DenseArray;
use super::integers::IntKind;
use super::scalar::{Dtype, Scalar};
use crate::machine::exceptions::ExecResult;
use crate::machine::shortest_float;
use crate::machine::text::float_repr;
use crate::machine::value::Value;
use crate::machine::{Machine, cost};

/// Maximum number of digits after the decimal point.
const PRECISION: usize = 8;
/// Maximum number of characters in a line.
const LINE_WIDTH: usize = 75;

impl Machine {
    /// Returns the `repr` or the `str` of an array.
    pub(in crate::machine) fn array_text(&mut self, value: Value, is_repr: bool) -> ExecResult<String> {
        let Some(grid) = self.as_dense(value)? else { return Ok(String::new()) };
        self.reserve_values(grid.values.len())?;
        self.charge(cost::FORMAT * grid.values.len() as u64)?;
        if !is_repr {
            return Ok(format_array(&grid, " ", 1));
        }
        let default = matches!(grid.dtype, Dtype::Bool | Dtype::Int | Dtype::Float);
        let dtype = if default && !grid.values.is_empty() {
            String::new()
        } else {
            format!(", dtype={}", super::dtype::dtype_name(grid.dtype))
        };
        let body =
            if grid.values.is_empty() && grid.shape.len() == 1 { "[]".into() } else { format_array(&grid, ", ", 7) };
        let last = body.lines().next_back().map_or(0, str::len) + if body.contains('\n') { 0 } else { 6 };
        let gap = if !dtype.is_empty() && last + dtype.len() + 1 > LINE_WIDTH { ",\n      " } else { "" };
        let dtype = if gap.is_empty() { dtype } else { dtype.replacen(", ", " ", 1).trim_start().to_owned() };
        Ok(format!("array({body}{gap}{dtype})"))
    }
}

/// Formats a numpy scalar.
pub(in crate::machine) fn scalar_text(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool(truth) => if truth { "True" } else { "False" }.to_owned(),
        Scalar::Sized(IntKind::UInt64, bits) => (bits as u64).to_string(),
        Scalar::Sized(_, number) | Scalar::Int(number) => number.to_string(),
        Scalar::Float(number) => float_repr(number),
        Scalar::Float32(number) => float32_repr(number),
    }
}

fn float32_repr(number: f32) -> String {
    if !number.is_finite() {
        return float_repr(number.into());
    }
    let scientific = shortest_float::scientific_f32(number);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let plain = shortest_float::positional_f32(number);
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn format_array(grid: &DenseArray, separator: &str, indent: usize) -> String {
    let items = format_elements(grid);
    if grid.shape.is_empty() {
        return items.concat();
    }
    let mut at = 0;
    let width = LINE_WIDTH - usize::from(indent > 1);
    format_axis(grid, &items, &mut at, 0, separator, indent, width)
}

/// Formats the innermost dimension as wrapped lines, and the outer ones separated by line breaks.
fn format_axis(
    grid: &DenseArray,
    items: &[String],
    at: &mut usize,
    axis: usize,
    separator: &str,
    indent: usize,
    width: usize,
) -> String {
    let length = grid.shape[axis];
    let inner = indent + axis;
    if axis + 1 == grid.shape.len() {
        let mut text = String::new();
        let mut line = inner;
        for place in 0..length {
            let item = &items[*at];
            *at += 1;
            let more = place + 1 < length;
            if place > 0 && line + item.len() + usize::from(more && separator.len() > 1) + 1 > width + 1 {
                text.truncate(text.trim_end().len());
                text.push('\n');
                text.push_str(&" ".repeat(inner));
                line = inner;
            }
            text.push_str(item);
            line += item.len();
            if more {
                text.push_str(separator);
                line += separator.len();
            }
        }
        return format!("[{text}]");
    }
    let parts: Vec<String> =
        (0..length).map(|_| format_axis(grid, items, at, axis + 1, separator, indent, width)).collect();
    let breaks = "\n".repeat(grid.shape.len() - axis - 1);
    let comma = separator.trim_end();
    format!("[{}]", parts.join(&format!("{comma}{breaks}{}", " ".repeat(inner))))
}

fn format_elements(grid: &DenseArray) -> Vec<String> {
    let texts: Vec<String> = match grid.dtype {
        Dtype::Float | Dtype::Float32 => return format_floats(grid),
        Dtype::Bool if !grid.shape.is_empty() => {
            return grid.values.iter().map(|&value| format!("{:>5}", scalar_text(value))).collect();
        }
        _ => grid.values.iter().map(|&value| scalar_text(value)).collect(),
    };
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    texts.into_iter().map(|text| format!("{text:>width$}")).collect()
}

/// Formats floats with aligned decimal points.
fn format_floats(grid: &DenseArray) -> Vec<String> {
    let finite: Vec<f64> = grid.values.iter().map(|value| value.to_f64()).filter(|number| number.is_finite()).collect();
    let sizes = finite.iter().map(|number| number.abs()).filter(|&number| number != 0.0);
    let (max, min) = sizes.fold((0.0f64, f64::INFINITY), |(max, min), size| (max.max(size), min.min(size)));
    let scientific = max > 0.0 && (max >= 1e8 || min < 1e-4 || max / min > 1000.0);
    let mut parts: Vec<Option<(String, String, String)>> =
        grid.values.iter().map(|&value| value.to_f64().is_finite().then(|| split_float(value, scientific))).collect();
    let long_exponent = parts.iter().flatten().any(|part| part.2.len() > 4);
    if long_exponent {
        parts.iter_mut().flatten().filter(|part| part.2.len() == 4).for_each(|part| part.2.insert(2, '0'));
    }
    let longest = |of: &dyn Fn(&(String, String, String)) -> usize| parts.iter().flatten().map(of).max().unwrap_or(0);
    let before = longest(&|part| part.0.len());
    let behind = longest(&|part| part.1.len());
    let special = grid.values.iter().map(|value| value.to_f64()).filter(|number| !number.is_finite());
    let special = special.map(|number| float_repr(number).len()).max().unwrap_or(0);
    let tail = behind + 1 + longest(&|part| part.2.len());
    let before = if parts.iter().any(Option::is_some) { before.max(special.saturating_sub(tail)) } else { 0 };
    let width = if parts.iter().any(Option::is_some) { before + tail } else { special };
    grid.values
        .iter()
        .zip(&parts)
        .map(|(value, part)| match part {
            None => format!("{:>width$}", float_repr(value.to_f64())),
            Some((whole, fraction, exponent)) if scientific => {
                format!("{whole:>before$}.{fraction:0<behind$}{exponent}")
            }
            Some((whole, fraction, _)) => format!("{whole:>before$}.{fraction:<behind$}"),
        })
        .collect()
}

/// Splits a float into the digits before the point, the digits after it, and the exponent.
fn split_float(value: Scalar, scientific: bool) -> (String, String, String) {
    let number = value.to_f64();
    let text = match (value, scientific) {
        (Scalar::Float32(single), true) => shortest_float::scientific_f32(single),
        (Scalar::Float32(single), false) => shortest_float::positional_f32(single),
        (_, true) => shortest_float::scientific(number),
        (_, false) => shortest_float::positional(number),
    };
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, ""));
    let behind = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // Digits beyond the precision are rounded from the exact value.
    let rounded = match (behind > PRECISION, scientific) {
        (false, _) => digits.to_owned(),
        (true, false) => format!("{number:.PRECISION$}"),
        (true, true) => {
            let text = format!("{number:.PRECISION$e}");
            return split_float_text(&text);
        }
    };
    let exponent = if scientific { exponent_text(exponent) } else { String::new() };
    let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
    (whole.to_owned(), fraction.trim_end_matches('0').to_owned(), exponent)
}

fn split_float_text(text: &str) -> (String, String, String) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    (whole.to_owned(), fraction.trim_end_matches('0').to_owned(), exponent_text(exponent))
}

fn exponent_text(exponent: &str) -> String {
    let number: i32 = exponent.parse().unwrap_or_default();
    let sign = if number < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", number.abs())
}
