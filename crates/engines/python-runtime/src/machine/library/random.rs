//! Functions and classes of `random`: the generator and the algorithms of CPython, so that equal seeds give equal numbers.
//!
//! The generator of the module is seeded at the start of every episode with the seed of the machine, as by `random.seed(seed)`.

mod mersenne_twister;
mod sha512;

use std::f64::consts::{E, LN_2, PI};

use num_bigint::{BigInt, BigUint};

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::methods::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::numbers::Number;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::operators::BinaryOperator;

use super::LibraryObject;
pub(crate) use mersenne_twister::MersenneTwister;

/// A random number generator of Python.
#[derive(Debug, Clone)]
pub(crate) struct Generator {
    twister: MersenneTwister,
    /// The second one of the pair of numbers that `gauss` generates.
    next_gauss: Option<f64>,
}

/// The generator that a function uses.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// The one of the module.
    Module,
    /// An instance of `random.Random`.
    Object(HeapRef),
}

/// Declares the functions of the module, which instances of `Random` have as methods.
macro_rules! functions {
    ($count:literal: $($name:literal, [$($parameter:literal),*], $required:literal, $keyword_only:literal, $call:ident;)*) => {
        /// The functions of `random`, in the order of their names.
        pub(in crate::machine) static FUNCTIONS: [Function; $count] = [$(
            Function::named(
                concat!("random.", $name),
                NamedParameters::new(Origin::Python, &[$($parameter),*])
                    .with_required($required)
                    .with_keyword_only($keyword_only),
                |m, b| m.$call(Source::Module, b),
            ),
        )*];

        /// The methods of `Random`.
        pub(super) static METHODS: [Row; $count] = [$(
            Row::named(
                concat!("Random.", $name),
                NamedParameters::new(Origin::Python, &[$($parameter),*])
                    .with_required($required)
                    .with_keyword_only($keyword_only)
                    .with_receiver(),
                |m, receiver, b| m.$call(Source::Object(bound_receiver(receiver)), b),
            )
            .with_effect(MethodEffect::Changes),
        )*];
    };
}

functions! {
    21:
    "betavariate", ["alpha", "beta"], 2, 0, random_beta;
    "choice", ["seq"], 1, 0, random_choice;
    "choices", ["population", "weights", "cum_weights", "k"], 1, 2, random_choices;
    "expovariate", ["lambd"], 1, 0, random_exponential;
    "gammavariate", ["alpha", "beta"], 2, 0, random_gamma;
    "gauss", ["mu", "sigma"], 0, 0, random_gauss;
    "getrandbits", ["k"], 1, 0, random_bits;
    "lognormvariate", ["mu", "sigma"], 2, 0, random_log_normal;
    "normalvariate", ["mu", "sigma"], 0, 0, random_normal;
    "paretovariate", ["alpha"], 1, 0, random_pareto;
    "randbytes", ["n"], 1, 0, random_bytes;
    "randint", ["a", "b"], 2, 0, random_integer;
    "random", [], 0, 0, random_float;
    "randrange", ["start", "stop", "step"], 1, 0, random_of_range;
    "sample", ["population", "k", "counts"], 2, 1, random_sample;
    "seed", ["a", "version"], 0, 0, seed_generator;
    "shuffle", ["x"], 1, 0, shuffle;
    "triangular", ["low", "high", "mode"], 0, 0, random_triangular;
    "uniform", ["a", "b"], 2, 0, random_uniform;
    "vonmisesvariate", ["mu", "kappa"], 2, 0, random_von_mises;
    "weibullvariate", ["alpha", "beta"], 2, 0, random_weibull;
}

impl Generator {
    /// Creates a generator as `random.seed` does for an integer.
    pub(in crate::machine) fn from_integer(seed: &BigUint) -> Self {
        let mut key = seed.to_u32_digits();
        if key.is_empty() {
            key.push(0);
        }
        Self { twister: MersenneTwister::from_key(&key), next_gauss: None }
    }
}

impl Machine {
    fn generator(&mut self, source: Source) -> &mut Generator {
        match source {
            Source::Object(at) => match self.library_object_mut(at) {
                Some(LibraryObject::Random(generator)) => generator,
                _ => unreachable!("the methods of generators are called with them"),
            },
            Source::Module => {
                let seed = self.random_seed;
                self.random.get_or_insert_with(|| Box::new(Generator::from_integer(&seed.into())))
            }
        }
    }

    /// Returns the next random float in `[0, 1)`.
    fn next_random(&mut self, source: Source) -> ExecResult<f64> {
        self.charge(1)?;
        Ok(self.generator(source).twister.next_float())
    }

    fn next_below(&mut self, source: Source, limit: u64) -> ExecResult<u64> {
        self.charge(1)?;
        Ok(self.generator(source).twister.next_below(limit))
    }

    /// Implements `random.Random(..)`.
    pub(super) fn new_random(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [seed] = self.bind_library_arguments("Random", ["x"], 0, arguments, named)?;
        let generator = self.seeded_generator(seed)?;
        Ok(self.new_library_object(LibraryObject::Random(Box::new(generator))))
    }

    fn seed_generator(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let generator = self.seeded_generator(bound.get(0))?;
        *self.generator(source) = generator;
        Ok(Value::None)
    }

    /// Creates a generator from a seed; without one, from the seed of the machine.
    fn seeded_generator(&mut self, seed: Option<Value>) -> ExecResult<Generator> {
        let Some(seed) = seed.filter(|seed| !matches!(seed, Value::None)) else {
            return Ok(Generator::from_integer(&self.random_seed.into()));
        };
        if let Some(text) = self.as_text(seed) {
            return Ok(Generator::from_integer(&number_of_bytes(text.as_bytes())));
        }
        if let Value::Ref(at) = seed
            && let HeapObject::Bytes(bytes) = self.heap.get(at)
        {
            return Ok(Generator::from_integer(&number_of_bytes(bytes)));
        }
        let number = match self.as_number(seed) {
            Some(Number::Int(number)) => BigInt::from(number),
            Some(Number::Big(number)) => number,
            Some(Number::Float(_)) => BigInt::from(self.hash_bits(seed)?),
            None => {
                let message = "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.";
                return Err(self.type_error(message));
            }
        };
        Ok(Generator::from_integer(number.magnitude()))
    }

    fn random_float(&mut self, source: Source, _: &BoundArguments<'_>) -> ExecResult {
        self.next_random(source).map(Value::Float)
    }

    fn random_bits(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let Ok(count) = u64::try_from(self.as_index(bound.required(0))?) else {
            return Err(self.raise(ExceptionKind::ValueError, "number of bits must be non-negative"));
        };
        let number = self.random_big_number(source, count)?;
        Ok(self.new_int(number.into()))
    }

    fn random_big_number(&mut self, source: Source, bits: u64) -> ExecResult<BigUint> {
        self.charge(bits / 32)?;
        let twister = &mut self.generator(source).twister;
        let mut words = Vec::new();
        let mut left = bits;
        while left > 0 {
            let taken = left.min(32);
            words.push(twister.next_bits(taken as u32) as u32);
            left -= taken;
        }
        Ok(BigUint::new(words))
    }

    fn random_bytes(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let Ok(count) = usize::try_from(self.as_index(bound.required(0))?) else {
            return Err(self.raise(ExceptionKind::ValueError, "number of bits must be non-negative"));
        };
        self.reserve_values(count)?;
        let mut bytes = self.random_big_number(source, count as u64 * 8)?.to_bytes_le();
        bytes.resize(count, 0);
        Ok(self.new_bytes(bytes))
    }

    fn random_integer(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let start = self.range_bound(bound.required(0), "arg 1")?;
        let stop = self.range_bound(bound.required(1), "stop")?.saturating_add(1);
        self.random_in_range(source, start, stop, 1)
    }

    fn random_of_range(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let start = self.range_bound(bound.required(0), "arg 1")?;
        let Some(stop) = bound.given(1) else {
            if bound.get(2).is_some() {
                return Err(self.type_error("Missing a non-None stop argument"));
            }
            if start <= 0 {
                return Err(self.raise(ExceptionKind::ValueError, "empty range for randrange()"));
            }
            return self.random_in_range(source, 0, start, 1);
        };
        let stop = self.range_bound(stop, "stop")?;
        let stride = bound.get(2).map_or(Ok(1), |stride| self.range_bound(stride, "step"))?;
        self.random_in_range(source, start, stop, stride)
    }

    /// Converts an argument of `randrange`; floats must be whole.
    fn range_bound(&mut self, value: Value, which: &str) -> ExecResult<i64> {
        if let Some(Number::Float(number)) = self.as_number(value) {
            if number.fract() != 0.0 {
                let message = format!("non-integer {which} for randrange()");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            let whole = self.as_int(value)?;
            return self.as_index(whole);
        }
        self.as_index(value)
    }

    fn random_in_range(&mut self, source: Source, start: i64, stop: i64, stride: i64) -> ExecResult {
        let width = i128::from(stop) - i128::from(start);
        let stride = i128::from(stride);
        if stride == 0 {
            return Err(self.raise(ExceptionKind::ValueError, "zero step for randrange()"));
        }
        let count = (width + stride - stride.signum()) / stride;
        let count = if width.signum() == stride.signum() { u64::try_from(count).unwrap_or(0) } else { 0 };
        if count == 0 {
            let message = if stride == 1 {
                format!("empty range for randrange() ({start}, {stop}, {width})")
            } else {
                "empty range for randrange()".to_owned()
            };
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let number = self.next_below(source, count)?;
        Ok(self.new_int(BigInt::from(i128::from(start) + stride * i128::from(number))))
    }

    fn random_choice(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let values = bound.required(0);
        let length = self.length(values)?;
        if length == 0 {
            return Err(self.raise(ExceptionKind::IndexError, "Cannot choose from an empty sequence"));
        }
        let place = self.next_below(source, length as u64)?;
        self.get_item(values, Value::Int(place as i64))
    }

    fn random_choices(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let population = bound.required(0);
        let size = self.length(population)?;
        let count = bound.get(3).map_or(Ok(1), |count| self.as_index(count))?;
        let count = usize::try_from(count).unwrap_or(0);
        self.reserve_values(count)?;
        let mut chosen = Vec::with_capacity(count);
        let Some((sums, total)) = self.cumulative_weights(bound, size)? else {
            for _ in 0..count {
                let place = (self.next_random(source)? * size as f64).floor() as i64;
                chosen.push(self.get_item(population, Value::Int(place))?);
            }
            return Ok(self.heap.list(chosen));
        };
        for _ in 0..count {
            let searched = Value::Float(self.next_random(source)? * total);
            let (mut low, mut high) = (0, size.saturating_sub(1));
            while low < high {
                let middle = usize::midpoint(low, high);
                if self.is_less(searched, sums[middle])? { high = middle } else { low = middle + 1 }
            }
            chosen.push(self.get_item(population, Value::Int(low as i64))?);
        }
        Ok(self.heap.list(chosen))
    }

    /// Returns the cumulative weights of `random.choices` with their total; `None` if there are no weights.
    fn cumulative_weights(&mut self, bound: &BoundArguments<'_>, size: usize) -> ExecResult<Option<(Vec<Value>, f64)>> {
        let sums = match (bound.given(1), bound.given(2)) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {
                return Err(self.type_error("Cannot specify both weights and cumulative weights"));
            }
            (None, Some(sums)) => self.collect_values(sums)?,
            (Some(weights), None) => {
                if matches!(weights, Value::Int(_)) {
                    let message =
                        format!("The number of choices must be a keyword argument: k={}", self.repr(weights)?);
                    return Err(self.type_error(&message));
                }
                let mut sums: Vec<Value> = self.collect_values(weights)?;
                for place in 1..sums.len() {
                    sums[place] = self.binary(BinaryOperator::Add, sums[place - 1], sums[place])?;
                }
                sums
            }
        };
        if sums.len() != size {
            let message = "The number of weights does not match the population";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let Some(&total) = sums.last() else {
            return Err(self.raise(ExceptionKind::IndexError, "list index out of range"));
        };
        let total = self.as_float(total)?;
        if total <= 0.0 || !total.is_finite() {
            let what = if total <= 0.0 { "greater than zero" } else { "finite" };
            return Err(self.raise(ExceptionKind::ValueError, &format!("Total of weights must be {what}")));
        }
        Ok(Some((sums, total)))
    }

    fn shuffle(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let values = bound.required(0);
        for place in (1..self.length(values)?).rev() {
            let other = Value::Int(self.next_below(source, place as u64 + 1)? as i64);
            let place = Value::Int(place as i64);
            let (one, two) = (self.get_item(values, place)?, self.get_item(values, other)?);
            self.set_item(values, place, two)?;
            self.set_item(values, other, one)?;
        }
        Ok(Value::None)
    }

    fn random_sample(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let population = bound.required(0);
        let is_sequence = match self.base_value(population) {
            Value::Ref(at) => matches!(
                self.heap.get(at),
                HeapObject::List(_)
                    | HeapObject::Tuple(_)
                    | HeapObject::Text(_)
                    | HeapObject::Bytes(_)
                    | HeapObject::Range { .. }
                    | HeapObject::Deque(_)
            ),
            _ => false,
        };
        if !is_sequence {
            let message = "Population must be a sequence.  For dicts or sets, use sorted(d).";
            return Err(self.type_error(message));
        }
        let mut pool = self.collect_values(population)?;
        if let Some(counts) = bound.given(2) {
            pool = self.repeated_by_counts(&pool, counts)?;
        }
        let count = self.as_index(bound.required(1))?;
        let Some(count) = usize::try_from(count).ok().filter(|&count| count <= pool.len()) else {
            return Err(self.raise(ExceptionKind::ValueError, "Sample larger than population or is negative"));
        };
        let mut chosen = Vec::with_capacity(count);
        let mut set_size = 21.0;
        if count > 5 {
            set_size += 4f64.powf(((count as f64 * 3.0).ln() / 4f64.ln()).ceil());
        }
        if pool.len() as f64 <= set_size {
            for taken in 0..count {
                let left = pool.len() - taken;
                let place = self.next_below(source, left as u64)? as usize;
                chosen.push(pool[place]);
                pool[place] = pool[left - 1];
            }
        } else {
            let mut selected = rustc_hash::FxHashSet::default();
            for _ in 0..count {
                let mut place = self.next_below(source, pool.len() as u64)?;
                while !selected.insert(place) {
                    place = self.next_below(source, pool.len() as u64)?;
                }
                chosen.push(pool[place as usize]);
            }
        }
        Ok(self.heap.list(chosen))
    }

    /// Returns values, each repeated as often as its count says.
    fn repeated_by_counts(&mut self, values: &[Value], counts: Value) -> ExecResult<Vec<Value>> {
        let counts = self.collect_values(counts)?;
        if counts.len() != values.len() {
            let message = "The number of counts does not match the population";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let mut repeated = Vec::new();
        for (&value, &count) in values.iter().zip(&counts) {
            let count = usize::try_from(self.as_index(count)?).unwrap_or(0);
            self.reserve_values(count)?;
            repeated.extend(std::iter::repeat_n(value, count));
        }
        if repeated.is_empty() {
            return Err(self.raise(ExceptionKind::ValueError, "Total of counts must be greater than zero"));
        }
        Ok(repeated)
    }

    fn random_uniform(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (low, high) = (bound.required(0), bound.required(1));
        let width = self.binary(BinaryOperator::Sub, high, low)?;
        let share = Value::Float(self.next_random(source)?);
        let offset = self.binary(BinaryOperator::Mult, width, share)?;
        self.binary(BinaryOperator::Add, low, offset)
    }

    /// Returns an argument as a float, or its default.
    fn float_or(&mut self, bound: &BoundArguments<'_>, index: usize, default: f64) -> ExecResult<f64> {
        bound.get(index).map_or(Ok(default), |value| self.float_argument(value))
    }

    fn random_triangular(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (mut low, mut high) = (self.float_or(bound, 0, 0.0)?, self.float_or(bound, 1, 1.0)?);
        let mut share = self.next_random(source)?;
        let mut mode = match bound.given(2) {
            None => 0.5,
            Some(_) if high == low => return Ok(bound.get(0).unwrap_or(Value::Float(low))),
            Some(mode) => (self.float_argument(mode)? - low) / (high - low),
        };
        if share > mode {
            (share, mode) = (1.0 - share, 1.0 - mode);
            (low, high) = (high, low);
        }
        Ok(Value::Float(low + (high - low) * (share * mode).sqrt()))
    }

    fn normal(&mut self, source: Source, mean: f64, deviation: f64) -> ExecResult<f64> {
        // Kinderman and Monahan's method of the ratio of uniform variables.
        let scale = 4.0 * (-0.5f64).exp() / 2f64.sqrt();
        loop {
            let (one, two) = (self.next_random(source)?, 1.0 - self.next_random(source)?);
            let number = scale * (one - 0.5) / two;
            if number * number / 4.0 <= -two.ln() {
                return Ok(mean + number * deviation);
            }
        }
    }

    fn random_normal(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (mean, deviation) = (self.float_or(bound, 0, 0.0)?, self.float_or(bound, 1, 1.0)?);
        self.normal(source, mean, deviation).map(Value::Float)
    }

    fn random_log_normal(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (mean, deviation) = (self.float_or(bound, 0, 0.0)?, self.float_or(bound, 1, 1.0)?);
        Ok(Value::Float(self.normal(source, mean, deviation)?.exp()))
    }

    fn random_gauss(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (mean, deviation) = (self.float_or(bound, 0, 0.0)?, self.float_or(bound, 1, 1.0)?);
        let number = if let Some(number) = self.generator(source).next_gauss.take() {
            number
        } else {
            let angle = self.next_random(source)? * 2.0 * PI;
            let radius = (-2.0 * (1.0 - self.next_random(source)?).ln()).sqrt();
            self.generator(source).next_gauss = Some(angle.sin() * radius);
            angle.cos() * radius
        };
        Ok(Value::Float(mean + number * deviation))
    }

    fn random_exponential(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let rate = self.float_or(bound, 0, 1.0)?;
        let number = -(1.0 - self.next_random(source)?).ln();
        self.binary(BinaryOperator::Div, Value::Float(number), Value::Float(rate))
    }

    fn random_pareto(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let shape = self.float_or(bound, 0, 1.0)?;
        let number = 1.0 - self.next_random(source)?;
        let exponent = self.binary(BinaryOperator::Div, Value::Float(-1.0), Value::Float(shape))?;
        self.binary(BinaryOperator::Pow, Value::Float(number), exponent)
    }

    fn random_weibull(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (scale, shape) = (self.float_or(bound, 0, 1.0)?, self.float_or(bound, 1, 1.0)?);
        let number = -(1.0 - self.next_random(source)?).ln();
        let exponent = self.binary(BinaryOperator::Div, Value::Float(1.0), Value::Float(shape))?;
        let power = self.binary(BinaryOperator::Pow, Value::Float(number), exponent)?;
        self.binary(BinaryOperator::Mult, Value::Float(scale), power)
    }

    fn random_gamma(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (shape, scale) = (self.float_or(bound, 0, 1.0)?, self.float_or(bound, 1, 1.0)?);
        self.gamma_variate(source, shape, scale).map(Value::Float)
    }

    fn gamma_variate(&mut self, source: Source, shape: f64, scale: f64) -> ExecResult<f64> {
        if shape <= 0.0 || scale <= 0.0 {
            let message = "gammavariate: alpha and beta must be > 0.0";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        if shape > 1.0 {
            // Cheng's method for shapes above 1.
            let spread = (2.0 * shape - 1.0).sqrt();
            let (offset, slope) = (shape - 2.0 * LN_2, shape + spread);
            loop {
                let one = self.next_random(source)?;
                if !(1e-7 < one && one < 0.999_999_9) {
                    continue;
                }
                let two = 1.0 - self.next_random(source)?;
                let part = (one / (1.0 - one)).ln() / spread;
                let number = shape * part.exp();
                let product = one * one * two;
                let rest = offset + slope * part - number;
                let magic = 1.0 + 4.5f64.ln();
                if rest + magic - 4.5 * product >= 0.0 || rest >= product.ln() {
                    return Ok(number * scale);
                }
            }
        }
        if shape == 1.0 {
            return Ok(-(1.0 - self.next_random(source)?).ln() * scale);
        }
        loop {
            let border = (E + shape) / E;
            let part = border * self.next_random(source)?;
            let number = if part <= 1.0 { part.powf(1.0 / shape) } else { -((border - part) / shape).ln() };
            let test = self.next_random(source)?;
            let is_taken = if part > 1.0 { test <= number.powf(shape - 1.0) } else { test <= (-number).exp() };
            if is_taken {
                return Ok(number * scale);
            }
        }
    }

    fn random_beta(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (alpha, beta) = (self.float_or(bound, 0, 1.0)?, self.float_or(bound, 1, 1.0)?);
        let one = self.gamma_variate(source, alpha, 1.0)?;
        if one == 0.0 {
            return Ok(Value::Float(0.0));
        }
        let two = self.gamma_variate(source, beta, 1.0)?;
        Ok(Value::Float(one / (one + two)))
    }

    fn random_von_mises(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let (mean, concentration) = (self.float_or(bound, 0, 0.0)?, self.float_or(bound, 1, 0.0)?);
        if concentration <= 1e-6 {
            return Ok(Value::Float(2.0 * PI * self.next_random(source)?));
        }
        let half = 0.5 / concentration;
        let radius = half + (1.0 + half * half).sqrt();
        let cosine = loop {
            let cosine = (PI * self.next_random(source)?).cos();
            let distance = cosine / (radius + cosine);
            let test = self.next_random(source)?;
            if test < 1.0 - distance * distance || test <= (1.0 - distance) * distance.exp() {
                break cosine;
            }
        };
        let inverse = 1.0 / radius;
        let angle = ((inverse + cosine) / (1.0 + inverse * cosine)).acos();
        let angle = if self.next_random(source)? > 0.5 { mean + angle } else { mean - angle };
        self.binary(BinaryOperator::Mod, Value::Float(angle), Value::Float(2.0 * PI))
    }
}

/// Returns the number that `random.seed` makes of bytes: these followed by their hash.
fn number_of_bytes(bytes: &[u8]) -> BigUint {
    let mut all = bytes.to_vec();
    all.extend(sha512::sha512(bytes));
    BigUint::from_bytes_be(&all)
}
