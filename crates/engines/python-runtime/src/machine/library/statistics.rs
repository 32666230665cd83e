//! Functions of `statistics`: exact sums of rational numbers, rounded once.

pub(in crate::machine) mod exact;

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::machine::Machine;
use crate::machine::compare::compare_numbers;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::numbers::Number;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::Value;
use crate::operators::BinaryOperator;

use exact::Total;

/// The functions of `statistics`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 18] = [
    Function::named("statistics.correlation", two_samples(&["x", "y"], 2), Machine::correlation),
    Function::named("statistics.covariance", two_samples(&["x", "y"], 2), Machine::covariance),
    Function::named("statistics.fmean", sample(&["data", "weights"]), Machine::float_mean),
    Function::named("statistics.geometric_mean", sample(&["data"]), Machine::geometric_mean),
    Function::named("statistics.harmonic_mean", sample(&["data", "weights"]), Machine::harmonic_mean),
    Function::named(
        "statistics.linear_regression",
        two_samples(&["x", "y", "proportional"], 2).with_keyword_only(1),
        Machine::linear_regression,
    ),
    Function::named("statistics.mean", sample(&["data"]), Machine::exact_mean),
    Function::named("statistics.median", sample(&["data"]), |m, b| m.median(b, Middle::Mean)),
    Function::named("statistics.median_grouped", sample(&["data", "interval"]), Machine::median_grouped),
    Function::named("statistics.median_high", sample(&["data"]), |m, b| m.median(b, Middle::High)),
    Function::named("statistics.median_low", sample(&["data"]), |m, b| m.median(b, Middle::Low)),
    Function::named("statistics.mode", sample(&["data"]), |m, b| m.mode(b, false)),
    Function::named("statistics.multimode", sample(&["data"]), |m, b| m.mode(b, true)),
    Function::named("statistics.pstdev", sample(&["data", "mu"]), |m, b| m.spread(b, "pstdev")),
    Function::named("statistics.pvariance", sample(&["data", "mu"]), |m, b| m.spread(b, "pvariance")),
    Function::named("statistics.quantiles", sample(&["data", "n", "method"]).with_keyword_only(2), Machine::quantiles),
    Function::named("statistics.stdev", sample(&["data", "xbar"]), |m, b| m.spread(b, "stdev")),
    Function::named("statistics.variance", sample(&["data", "xbar"]), |m, b| m.spread(b, "variance")),
];

const fn sample(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_required(1)
}

const fn two_samples(names: &'static [&'static str], positional: usize) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_required(positional).with_positional_only(positional)
}

/// The median of an even number of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Middle {
    /// The mean of both values in the middle.
    Mean,
    /// The lower one.
    Low,
    /// The higher one.
    High,
}

impl Machine {
    fn statistics_error(&mut self, message: &str) -> ExecError {
        self.raise(ExceptionKind::StatisticsError, message)
    }

    fn exact_mean(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let sample = self.exact_sample(&values)?;
        if values.is_empty() {
            return Err(self.statistics_error("mean requires at least one data point"));
        }
        match sample.total {
            Total::NotFinite(sum) => Ok(sample.result.of_float(sum / values.len() as f64)),
            Total::Exact(sum) => {
                let denominator = sum.denominator() * BigInt::from(values.len());
                self.convert_ratio(&sum.numerator(), &denominator, sample.result)
            }
        }
    }

    /// Computes a variance, or its root: of a population if the name of the function starts with `p`.
    fn spread(&mut self, bound: &BoundArguments<'_>, function: &str) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let is_of_population = function.starts_with('p');
        let (squares, result) = match bound.given(1) {
            Some(center) => {
                let mut squares = Vec::with_capacity(values.len());
                for &value in &values {
                    let distance = self.binary(BinaryOperator::Sub, value, center)?;
                    squares.push(self.binary(BinaryOperator::Mult, distance, distance)?);
                }
                let sample = self.exact_sample(&squares)?;
                let squares = match sample.total {
                    Total::NotFinite(sum) => Err(sum),
                    Total::Exact(sum) => Ok((sum.numerator(), sum.denominator())),
                };
                (squares, sample.result)
            }
            None => self.squares_around_mean(&values)?,
        };
        let degrees = values.len() as i64 - i64::from(!is_of_population);
        if degrees < 1 {
            let count = if is_of_population { "at least one data point" } else { "at least two data points" };
            return Err(self.statistics_error(&format!("{function} requires {count}")));
        }
        let is_root = function.ends_with("stdev");
        match squares {
            Err(_) if is_root => {
                let message = "'float' object has no attribute 'numerator'";
                Err(self.raise(ExceptionKind::AttributeError, message))
            }
            Err(sum) => Ok(result.of_float(sum / degrees as f64)),
            Ok((numerator, denominator)) => {
                let denominator = denominator * BigInt::from(degrees);
                if is_root {
                    self.charge(numerator.bits() / 16)?;
                    return Ok(Value::Float(exact::square_root(&numerator, &denominator)));
                }
                self.convert_ratio(&numerator, &denominator, result)
            }
        }
    }

    fn median(&mut self, bound: &BoundArguments<'_>, middle: Middle) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let sorted = self.sort_values(values, None, None)?;
        let half = sorted.len() / 2;
        if sorted.is_empty() {
            return Err(self.statistics_error("no median for empty data"));
        }
        if sorted.len() % 2 == 1 || middle == Middle::High {
            return Ok(sorted[half]);
        }
        if middle == Middle::Low {
            return Ok(sorted[half - 1]);
        }
        let sum = self.binary(BinaryOperator::Add, sorted[half - 1], sorted[half])?;
        self.binary(BinaryOperator::Div, sum, Value::Int(2))
    }

    fn median_grouped(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let sorted = self.sort_values(values, None, None)?;
        let count = sorted.len();
        if count == 0 {
            return Err(self.statistics_error("no median for empty data"));
        }
        let middle = sorted[count / 2];
        let mut below = 0;
        while self.is_less(sorted[below], middle)? {
            below += 1;
        }
        let mut end = count;
        while end > below && self.is_less(middle, sorted[end - 1])? {
            end -= 1;
        }
        let interval = bound.get(1).map_or(Ok(1.0), |interval| self.as_float(interval))?;
        let lower = self.as_float(middle)? - interval / 2.0;
        let share = interval * (count as f64 / 2.0 - below as f64) / (end - below) as f64;
        Ok(Value::Float(lower + share))
    }

    /// Returns the most common value, or the list of all of them.
    fn mode(&mut self, bound: &BoundArguments<'_>, is_list: bool) -> ExecResult {
        let counts = self.empty_dict();
        for value in self.collect_values(bound.required(0))? {
            let Some(Value::Int(count)) = self.entry(counts, value)? else {
                self.set_entry(counts, value, Value::Int(1))?;
                continue;
            };
            self.set_entry(counts, value, Value::Int(count + 1))?;
        }
        let count_of = |value: Value| if let Value::Int(count) = value { count } else { 0 };
        let counts: Vec<(Value, i64)> =
            self.dict(counts).iter().map(|(value, count)| (value, count_of(count))).collect();
        let most = counts.iter().map(|&(_, count)| count).max();
        let mut modes = counts.into_iter().filter(|&(_, count)| Some(count) == most).map(|(value, _)| value);
        if is_list {
            let modes = modes.collect();
            return Ok(self.heap.list(modes));
        }
        match modes.next() {
            Some(mode) => Ok(mode),
            None => Err(self.statistics_error("no mode for empty data")),
        }
    }

    fn quantiles(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let parts = bound.get(1).map_or(Ok(4), |parts| self.as_index(parts))?;
        if parts < 1 {
            return Err(self.statistics_error("n must be at least 1"));
        }
        let values = self.collect_values(bound.required(0))?;
        let sorted = self.sort_values(values, None, None)?;
        let count = sorted.len() as i64;
        if count < 2 {
            return Err(self.statistics_error("must have at least two data points"));
        }
        let method = match bound.get(2) {
            Some(method) => self.as_text(method),
            None => Some("exclusive".into()),
        };
        let is_inclusive = match method.as_deref() {
            Some("inclusive") => true,
            Some("exclusive") => false,
            _ => {
                let method = self.repr(bound.required(2))?;
                return Err(self.raise(ExceptionKind::ValueError, &format!("Unknown method: {method}")));
            }
        };
        self.reserve_values(usize::try_from(parts).unwrap_or(usize::MAX))?;
        let mut cuts = Vec::new();
        for part in 1..parts {
            let (first, weight) = if is_inclusive {
                let position = part * (count - 1);
                (position / parts, position % parts)
            } else {
                let first = (part * (count + 1) / parts).clamp(1, count - 1);
                (first - 1, part * (count + 1) - first * parts)
            };
            let (one, other) = (sorted[first as usize], sorted[first as usize + 1]);
            let one = self.binary(BinaryOperator::Mult, one, Value::Int(parts - weight))?;
            let other = self.binary(BinaryOperator::Mult, other, Value::Int(weight))?;
            let sum = self.binary(BinaryOperator::Add, one, other)?;
            cuts.push(self.binary(BinaryOperator::Div, sum, Value::Int(parts))?);
        }
        Ok(self.heap.list(cuts))
    }

    /// Converts values to floats.
    fn floats(&mut self, values: &[Value]) -> ExecResult<Vec<f64>> {
        values.iter().map(|&value| self.float_argument(value)).collect()
    }

    fn float_sum(&mut self, numbers: &[f64]) -> ExecResult<f64> {
        let sum = self.fsum(numbers)?;
        self.as_float(sum)
    }

    fn float_mean(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let Some(weights) = bound.given(1) else {
            let numbers = self.floats(&values)?;
            let total = self.float_sum(&numbers)?;
            if values.is_empty() {
                return Err(self.statistics_error("fmean requires at least one data point"));
            }
            return Ok(Value::Float(total / values.len() as f64));
        };
        let weights = self.collect_values(weights)?;
        let mut products = Vec::with_capacity(values.len());
        for (&value, &weight) in values.iter().zip(&weights) {
            products.push(self.binary(BinaryOperator::Mult, value, weight)?);
        }
        let products = self.floats(&products)?;
        let total = self.float_sum(&products)?;
        if values.len() != weights.len() {
            return Err(self.statistics_error("data and weights must be the same length"));
        }
        let weights = self.floats(&weights)?;
        let weight = self.float_sum(&weights)?;
        if weight == 0.0 {
            return Err(self.statistics_error("sum of weights must be non-zero"));
        }
        Ok(Value::Float(total / weight))
    }

    fn geometric_mean(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let values = self.collect_values(bound.required(0))?;
        let numbers = self.floats(&values)?;
        if numbers.is_empty() || numbers.iter().any(|&number| number <= 0.0) {
            let message = "geometric mean requires a non-empty dataset containing positive numbers";
            return Err(self.statistics_error(message));
        }
        let logarithms: Vec<f64> = numbers.iter().map(|number| number.ln()).collect();
        let total = self.float_sum(&logarithms)?;
        Ok(Value::Float((total / numbers.len() as f64).exp()))
    }

    fn is_negative(&self, value: Value) -> bool {
        let number = self.as_number(value);
        number.is_some_and(|number| compare_numbers(&number, &Number::Int(0)) == Some(Ordering::Less))
    }

    fn harmonic_mean(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        const NEGATIVE: &str = "harmonic mean does not support negative values";
        let values = self.collect_values(bound.required(0))?;
        match *values {
            [] => return Err(self.statistics_error("harmonic_mean requires at least one data point")),
            [value] if bound.given(1).is_none() => {
                if self.as_number(value).is_none() {
                    return Err(self.type_error("unsupported type"));
                }
                return if self.is_negative(value) { Err(self.statistics_error(NEGATIVE)) } else { Ok(value) };
            }
            _ => {}
        }
        let weights = match bound.given(1) {
            Some(weights) => self.collect_values(weights)?,
            None => vec![Value::Int(1); values.len()],
        };
        if weights.len() != values.len() {
            return Err(self.statistics_error("Number of weights does not match data size"));
        }
        if weights.iter().any(|&weight| self.is_negative(weight)) {
            return Err(self.statistics_error(NEGATIVE));
        }
        let weight = self.exact_sample(&weights)?;
        let mut shares = Vec::with_capacity(values.len());
        for (&value, &weight) in values.iter().zip(&weights) {
            if self.is_negative(value) {
                return Err(self.statistics_error(NEGATIVE));
            }
            if !self.truth(weight)? {
                shares.push(Value::Int(0));
            } else if self.truth(value)? {
                shares.push(self.binary(BinaryOperator::Div, weight, value)?);
            } else {
                return Ok(Value::Int(0));
            }
        }
        let sample = self.exact_sample(&shares)?;
        match (weight.total, sample.total) {
            (Total::Exact(weight), Total::Exact(total)) if total.numerator() > BigInt::ZERO => {
                let numerator = weight.numerator() * total.denominator();
                let denominator = weight.denominator() * total.numerator();
                self.convert_ratio(&numerator, &denominator, sample.result)
            }
            (Total::NotFinite(weight), Total::Exact(total)) if total.numerator() > BigInt::ZERO => {
                let total = self.rounded_ratio(&total.numerator(), &total.denominator())?;
                Ok(sample.result.of_float(weight / total))
            }
            (Total::Exact(weight), Total::NotFinite(total)) => {
                let weight = self.rounded_ratio(&weight.numerator(), &weight.denominator())?;
                Ok(sample.result.of_float(weight / total))
            }
            (Total::NotFinite(weight), Total::NotFinite(total)) => Ok(sample.result.of_float(weight / total)),
            _ => Err(self.statistics_error("Weighted sum must be positive")),
        }
    }

    /// Returns the values of two samples of the same length, at least two.
    fn paired_samples(&mut self, bound: &BoundArguments<'_>, name: &str) -> ExecResult<(Vec<f64>, Vec<f64>)> {
        let (one, other) = (self.collect_values(bound.required(0))?, self.collect_values(bound.required(1))?);
        if one.len() != other.len() {
            let message = format!("{name} requires that both inputs have same number of data points");
            return Err(self.statistics_error(&message));
        }
        if one.len() < 2 {
            return Err(self.statistics_error(&format!("{name} requires at least two data points")));
        }
        Ok((self.floats(&one)?, self.floats(&other)?))
    }

    /// Returns the distances of numbers from their mean, and the mean.
    fn distances(&mut self, numbers: &[f64]) -> ExecResult<(Vec<f64>, f64)> {
        let mean = self.float_sum(numbers)? / numbers.len() as f64;
        Ok((numbers.iter().map(|number| number - mean).collect(), mean))
    }

    fn sum_of_products(&mut self, one: &[f64], other: &[f64]) -> ExecResult<f64> {
        let products: Vec<f64> = one.iter().zip(other).map(|(a, b)| a * b).collect();
        self.float_sum(&products)
    }

    fn covariance(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (one, other) = self.paired_samples(bound, "covariance")?;
        let ((from_x, _), (from_y, _)) = (self.distances(&one)?, self.distances(&other)?);
        Ok(Value::Float(self.sum_of_products(&from_x, &from_y)? / (one.len() - 1) as f64))
    }

    fn correlation(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (one, other) = self.paired_samples(bound, "correlation")?;
        let ((from_x, _), (from_y, _)) = (self.distances(&one)?, self.distances(&other)?);
        let products = self.sum_of_products(&from_x, &from_y)?;
        let squares = self.sum_of_products(&from_x, &from_x)? * self.sum_of_products(&from_y, &from_y)?;
        if squares == 0.0 {
            return Err(self.statistics_error("at least one of the inputs is constant"));
        }
        Ok(Value::Float(products / squares.sqrt()))
    }

    fn linear_regression(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let (one, other) = self.paired_samples(bound, "linear regression")?;
        let is_proportional = bound.get(2).map_or(Ok(false), |value| self.truth(value))?;
        let ((from_x, mean_x), (from_y, mean_y)) =
            if is_proportional { ((one, 0.0), (other, 0.0)) } else { (self.distances(&one)?, self.distances(&other)?) };
        let products = self.sum_of_products(&from_x, &from_y)?;
        let squares = self.sum_of_products(&from_x, &from_x)?;
        if squares == 0.0 {
            return Err(self.statistics_error("x is constant"));
        }
        let slope = products / squares;
        let intercept = if is_proportional { 0.0 } else { mean_y - slope * mean_x };
        let names = ["slope", "intercept"].map(|name| (self.intern(name), None));
        let class = self.new_named_tuple_class("LinearRegression", names.to_vec(), indexmap::IndexMap::default());
        self.new_named_tuple(class, class, &[Value::Float(slope), Value::Float(intercept)], &[])
    }
}
