//! `np.einsum`: sums of products with named axes.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

/// The axes of the operands and of the result.
struct Subscripts {
    operands: Vec<Vec<char>>,
    output: Vec<char>,
}

impl Machine {
    /// Implements `np.einsum(subscripts, *operands)`.
    pub(super) fn einstein_sum(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        for &(symbol, _) in named {
            let name = self.name(symbol);
            if &*name != "optimize" {
                let message = format!("reward functions support numpy.einsum without `{name}`");
                return Err(self.type_error(&message));
            }
        }
        let [text, operands @ ..] = arguments else {
            let message = "must specify the einstein sum subscripts string and at least one operand, or at least one operand \
                and its corresponding subscripts list";
            return Err(self.raise(ExceptionKind::ValueError, message));
        };
        let Some(text) = self.as_text(*text) else {
            return Err(self.type_error("reward functions support numpy.einsum with a string of subscripts"));
        };
        let mut arrays = Vec::with_capacity(operands.len());
        for &operand in operands {
            arrays.push(self.array_argument("einsum", operand)?);
        }
        let subscripts = match parse(&text, arrays.len()) {
            Ok(subscripts) => subscripts,
            Err(message) => return Err(self.raise(ExceptionKind::ValueError, &message)),
        };
        let lengths = self.axis_lengths(&subscripts, &arrays)?;
        self.sum_products(&subscripts, &lengths, &arrays)
    }

    /// Returns the lengths of the axes by name, those of the result first.
    fn axis_lengths(&mut self, subscripts: &Subscripts, arrays: &[DenseArray]) -> ExecResult<Vec<(char, usize)>> {
        let mut lengths: Vec<(char, usize)> = Vec::new();
        for (operand, (names, array)) in subscripts.operands.iter().zip(arrays).enumerate() {
            if names.len() != array.shape.len() {
                let message = if names.len() > array.shape.len() {
                    format!("einstein sum subscripts string contains too many subscripts for operand {operand}")
                } else {
                    "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the \
                    extra dimensions."
                        .to_owned()
                };
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            for (&name, &length) in names.iter().zip(&array.shape) {
                match lengths.iter_mut().find(|(other, _)| *other == name) {
                    None => lengths.push((name, length)),
                    Some((_, known)) if *known == length || length == 1 => {}
                    Some((_, known)) if *known == 1 => *known = length,
                    Some((_, known)) => {
                        let message = format!(
                            "operands could not be broadcast together: the axis '{name}' has the lengths {known} and {length}"
                        );
                        return Err(self.raise(ExceptionKind::ValueError, &message));
                    }
                }
            }
        }
        lengths.sort_by_key(|(name, _)| {
            subscripts.output.iter().position(|other| other == name).unwrap_or(subscripts.output.len())
        });
        Ok(lengths)
    }

    fn sum_products(
        &mut self,
        subscripts: &Subscripts,
        lengths: &[(char, usize)],
        arrays: &[DenseArray],
    ) -> ExecResult {
        let kind = arrays.iter().map(|array| array.dtype).reduce(Dtype::promote).unwrap_or(Dtype::Float);
        let shape: Vec<usize> = lengths[..subscripts.output.len()].iter().map(|&(_, length)| length).collect();
        let whole =
            lengths.iter().try_fold(1usize, |size, &(_, length)| size.checked_mul(length)).unwrap_or(usize::MAX);
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        self.charge((whole as u64).saturating_mul(1 + arrays.len() as u64))?;
        // The step of each operand along each axis.
        let steps: Vec<Vec<usize>> = subscripts
            .operands
            .iter()
            .zip(arrays)
            .map(|(names, array)| {
                let mut by_axis = vec![0; lengths.len()];
                let mut step = 1;
                for (&name, &length) in names.iter().zip(&array.shape).rev() {
                    let axis = lengths.iter().position(|&(other, _)| other == name).unwrap_or_default();
                    if length > 1 {
                        by_axis[axis] += step;
                    }
                    step *= length;
                }
                by_axis
            })
            .collect();
        let inner = whole.checked_div(size).unwrap_or(0);
        let zero = Scalar::Int(0).cast(kind);
        let mut values = vec![zero; size];
        let mut index = vec![0usize; lengths.len()];
        for value in &mut values {
            for _ in 0..inner {
                let mut product: Option<Scalar> = None;
                for (array, steps) in arrays.iter().zip(&steps) {
                    let place: usize = index.iter().zip(steps).map(|(&at, &step)| at * step).sum();
                    let factor = array.values[place].cast(kind);
                    product = Some(match product {
                        None => factor,
                        Some(product) => combine(BinaryOperator::Mult, product, factor, kind),
                    });
                }
                *value = combine(BinaryOperator::Add, *value, product.unwrap_or(zero), kind);
                advance(&mut index, lengths);
            }
        }
        self.new_array_or_scalar(DenseArray::new(shape, values, kind))
    }
}

/// Moves to the next place in the order of the axes, the last one fastest.
fn advance(index: &mut [usize], lengths: &[(char, usize)]) {
    for (at, &(_, length)) in index.iter_mut().zip(lengths).rev() {
        *at += 1;
        if *at < length {
            return;
        }
        *at = 0;
    }
}

/// Adds or multiplies two numbers of the same kind.
fn combine(operator: BinaryOperator, one: Scalar, other: Scalar, kind: Dtype) -> Scalar {
    let is_sum = operator == BinaryOperator::Add;
    match kind {
        Dtype::Bool => {
            Scalar::Bool(if is_sum { one.to_bool() || other.to_bool() } else { one.to_bool() && other.to_bool() })
        }
        Dtype::Int | Dtype::Sized(_) => {
            let (a, b) = (one.to_i64(), other.to_i64());
            Scalar::Int(if is_sum { a.wrapping_add(b) } else { a.wrapping_mul(b) }).cast(kind)
        }
        Dtype::Float | Dtype::Float32 => {
            let (a, b) = (one.to_f64(), other.to_f64());
            Scalar::from_f64(if is_sum { a + b } else { a * b }, kind)
        }
    }
}

/// Parses subscripts such as `ij,jk->ik`; without an arrow, the result has the axes that occur once, in alphabetical order.
fn parse(text: &str, operands: usize) -> Result<Subscripts, String> {
    let text: String = text.chars().filter(|character| *character != ' ').collect();
    if text.contains("...") {
        return Err("reward functions support numpy.einsum without an ellipsis".to_owned());
    }
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs.to_owned(), Some(output.to_owned())),
        None => (text, None),
    };
    let names: Vec<Vec<char>> = inputs.split(',').map(|part| part.chars().collect()).collect();
    let all: Vec<char> = names.concat();
    let is_letter = |name: &char| name.is_ascii_alphabetic();
    let wrong =
        all.iter().copied().chain(output.iter().flat_map(|output| output.chars())).find(|name| !is_letter(name));
    if let Some(wrong) = wrong {
        return Err(format!(
            "invalid subscript '{wrong}' in einstein sum subscripts string, subscripts must be letters"
        ));
    }
    if names.len() != operands {
        let count = if names.len() > operands { "more" } else { "fewer" };
        return Err(format!(
            "{count} operands provided to einstein sum function than specified in the subscripts string"
        ));
    }
    let output: Vec<char> = if let Some(output) = output {
        output.chars().collect()
    } else {
        let mut once: Vec<char> =
            all.iter().copied().filter(|name| all.iter().filter(|other| *other == name).count() == 1).collect();
        once.sort_unstable();
        once
    };
    for (place, name) in output.iter().enumerate() {
        if output[..place].contains(name) {
            return Err(format!("einstein sum subscripts string includes output subscript '{name}' multiple times"));
        }
        if !all.contains(name) {
            return Err(format!(
                "einstein sum subscripts string included output subscript '{name}' which never appeared in an input"
            ));
        }
    }
    Ok(Subscripts { operands: names, output })
}
