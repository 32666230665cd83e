//! Functions and classes of `numpy.random`, with the numbers of numpy for equal seeds.
//!
//! The generator of the module is seeded at the start of every episode with the seed of the machine, as by `np.random.seed(seed)`; a seed of
//! more than 32 bits counts as a list of its words, the lowest first.

mod choices;
mod pcg64;
mod ziggurat;

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library::{LibraryObject, MersenneTwister};
use crate::machine::library_class::LibraryClass;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::methods::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapRef, Type, Value};
use pcg64::Pcg64;

/// A generator of numpy.
#[derive(Debug, Clone)]
pub(crate) enum NumpyGenerator {
    /// That of `np.random` and `RandomState`, with the second one of the pair of numbers that it generates for a normal distribution.
    Legacy(Box<MersenneTwister>, Option<f64>),
    /// That of `default_rng`.
    Pcg64(Pcg64),
}

/// The generator that a function uses.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// The one of the module.
    Module,
    /// An instance of `RandomState` or `Generator`.
    Object(HeapRef),
}

pub(in crate::machine) static RANDOM_STATE: LibraryClass = LibraryClass {
    name: "RandomState",
    module: "numpy.random.mtrand.",
    methods: &[&RANDOM_STATE_METHODS],
    construct: |m, arguments, named| {
        let [seed] = m.bind_library_arguments("RandomState", ["seed"], 0, arguments, named)?;
        let generator = m.legacy_generator(seed)?;
        Ok(m.new_library_object(LibraryObject::NumpyRandom(Box::new(generator))))
    },
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static GENERATOR: LibraryClass = LibraryClass {
    name: "Generator",
    module: "numpy.random._generator.",
    methods: &[&GENERATOR_METHODS],
    ..LibraryClass::DEFAULT
};

/// The classes of `numpy.random`.
pub(in crate::machine) static RANDOM_VALUES: [(&str, Value); 2] =
    [("Generator", Value::Type(Type::Library(&GENERATOR))), ("RandomState", Value::Type(Type::Library(&RANDOM_STATE)))];

/// Returns parameters of which the first `required` ones have no defaults.
const fn in_c(names: &'static [&'static str], required: usize) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(required)
}

/// The functions of `numpy.random`, in the order of their names.
pub(in crate::machine) static RANDOM_FUNCTIONS: [Function; 14] = [
    Function::named("numpy.random.choice", in_c(&["a", "size", "replace", "p"], 1), |m, b| {
        m.numpy_choose(Source::Module, b)
    }),
    Function::named("numpy.random.default_rng", in_c(&["seed"], 0), |m, b| {
        let words = m.seed_words(b.given(0))?;
        let generator = NumpyGenerator::Pcg64(Pcg64::from_entropy(&words));
        Ok(m.new_library_object(LibraryObject::NumpyRandom(Box::new(generator))))
    }),
    Function::named("numpy.random.exponential", in_c(&["scale", "size"], 0), |m, b| {
        m.numpy_exponential(Source::Module, b)
    }),
    Function::named("numpy.random.normal", in_c(&["loc", "scale", "size"], 0), |m, b| {
        m.numpy_normal(Source::Module, b)
    }),
    Function::named("numpy.random.permutation", in_c(&["x"], 1), |m, b| m.numpy_permutation(Source::Module, b)),
    Function::custom("numpy.random.rand", |m, a, named| m.numpy_array_of(Source::Module, false, a, named)),
    Function::named("numpy.random.randint", in_c(&["low", "high", "size", "dtype"], 1), |m, b| {
        m.numpy_integers_below(Source::Module, b)
    }),
    Function::custom("numpy.random.randn", |m, a, named| m.numpy_array_of(Source::Module, true, a, named)),
    Function::named("numpy.random.random", in_c(&["size"], 0), |m, b| m.numpy_floats(Source::Module, b)),
    Function::named("numpy.random.random_sample", in_c(&["size"], 0), |m, b| m.numpy_floats(Source::Module, b)),
    Function::named("numpy.random.seed", in_c(&["seed"], 0), |m, b| m.numpy_seed_numpy(Source::Module, b)),
    Function::named("numpy.random.shuffle", in_c(&["x"], 1), |m, b| m.numpy_shuffle_array(Source::Module, b)),
    Function::named("numpy.random.standard_normal", in_c(&["size"], 0), |m, b| {
        m.numpy_standard_normal(Source::Module, b)
    }),
    Function::named("numpy.random.uniform", in_c(&["low", "high", "size"], 0), |m, b| {
        m.numpy_uniform(Source::Module, b)
    }),
];

/// The methods of `RandomState`.
static RANDOM_STATE_METHODS: [Row; 13] = [
    Row::named("RandomState.choice", in_c(&["a", "size", "replace", "p"], 1), |m, o, b| {
        m.numpy_choose(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.exponential", in_c(&["scale", "size"], 0), |m, o, b| {
        m.numpy_exponential(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.normal", in_c(&["loc", "scale", "size"], 0), |m, o, b| {
        m.numpy_normal(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.permutation", in_c(&["x"], 1), |m, o, b| {
        m.numpy_permutation(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::custom("RandomState.rand", |m, o, a, named| {
        m.numpy_array_of(Source::Object(bound_receiver(o)), false, a, named)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.randint", in_c(&["low", "high", "size", "dtype"], 1), |m, o, b| {
        m.numpy_integers_below(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::custom("RandomState.randn", |m, o, a, named| {
        m.numpy_array_of(Source::Object(bound_receiver(o)), true, a, named)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.random", in_c(&["size"], 0), |m, o, b| {
        m.numpy_floats(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.random_sample", in_c(&["size"], 0), |m, o, b| {
        m.numpy_floats(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.seed", in_c(&["seed"], 0), |m, o, b| {
        m.numpy_seed_numpy(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.shuffle", in_c(&["x"], 1), |m, o, b| {
        m.numpy_shuffle_array(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.standard_normal", in_c(&["size"], 0), |m, o, b| {
        m.numpy_standard_normal(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("RandomState.uniform", in_c(&["low", "high", "size"], 0), |m, o, b| {
        m.numpy_uniform(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
];

/// The methods of `Generator`.
static GENERATOR_METHODS: [Row; 10] = [
    Row::named("Generator.choice", in_c(&["a", "size", "replace", "p"], 1), |m, o, b| {
        m.numpy_choose(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.exponential", in_c(&["scale", "size"], 0), |m, o, b| {
        m.numpy_exponential(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.integers", in_c(&["low", "high", "size", "dtype", "endpoint"], 1), |m, o, b| {
        m.numpy_integers_below(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.normal", in_c(&["loc", "scale", "size"], 0), |m, o, b| {
        m.numpy_normal(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.permutation", in_c(&["x"], 1), |m, o, b| {
        m.numpy_permutation(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.random", in_c(&["size"], 0), |m, o, b| m.numpy_floats(Source::Object(bound_receiver(o)), b))
        .with_effect(MethodEffect::Changes),
    Row::named("Generator.shuffle", in_c(&["x"], 1), |m, o, b| {
        m.numpy_shuffle_array(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.standard_exponential", in_c(&["size"], 0), |m, o, b| {
        m.numpy_standard_exponential(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.standard_normal", in_c(&["size"], 0), |m, o, b| {
        m.numpy_standard_normal(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
    Row::named("Generator.uniform", in_c(&["low", "high", "size"], 0), |m, o, b| {
        m.numpy_uniform(Source::Object(bound_receiver(o)), b)
    })
    .with_effect(MethodEffect::Changes),
];

impl NumpyGenerator {
    fn next_float(&mut self) -> f64 {
        match self {
            Self::Legacy(twister, _) => twister.next_float(),
            Self::Pcg64(generator) => generator.next_float(),
        }
    }

    /// Returns a random integer from 0 to `limit`, inclusive.
    fn next_up_to(&mut self, limit: u64) -> u64 {
        match self {
            _ if limit == 0 => 0,
            Self::Legacy(..) => self.next_masked(limit),
            Self::Pcg64(generator) => generator.next_up_to(limit),
        }
    }

    /// Returns a random integer from 0 to `limit`, inclusive, by rejection of the larger ones of the same number of bits.
    fn next_masked(&mut self, limit: u64) -> u64 {
        let mask = u64::MAX >> limit.leading_zeros();
        loop {
            let word = match self {
                Self::Legacy(twister, _) if limit > u64::from(u32::MAX) => {
                    u64::from(twister.next_word()) << 32 | u64::from(twister.next_word())
                }
                Self::Legacy(twister, _) => u64::from(twister.next_word()),
                Self::Pcg64(generator) if limit > u64::from(u32::MAX) => generator.next_bits(),
                Self::Pcg64(generator) => u64::from(generator.next_word()),
            };
            if word & mask <= limit {
                return word & mask;
            }
        }
    }

    /// Returns a number with the standard normal distribution, by the polar method or the ziggurat method.
    fn next_normal(&mut self) -> f64 {
        let (twister, next) = match self {
            Self::Legacy(twister, next) => (twister, next),
            Self::Pcg64(generator) => return ziggurat::next_normal(generator),
        };
        if let Some(number) = next.take() {
            return number;
        }
        loop {
            let (x, y) = (2.0 * twister.next_float() - 1.0, 2.0 * twister.next_float() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                *next = Some(factor * x);
                return factor * y;
            }
        }
    }

    /// Returns a number with the standard exponential distribution, by inversion or the ziggurat method.
    fn next_exponential(&mut self) -> f64 {
        match self {
            Self::Legacy(twister, _) => -(-twister.next_float()).ln_1p(),
            Self::Pcg64(generator) => ziggurat::next_exponential(generator),
        }
    }
}

impl Machine {
    fn numpy_generator(&mut self, source: Source) -> &mut NumpyGenerator {
        match source {
            Source::Object(at) => match self.library_object_mut(at) {
                Some(LibraryObject::NumpyRandom(generator)) => generator,
                _ => unreachable!("the methods of generators are called with them"),
            },
            Source::Module => {
                let seed = self.random_seed;
                self.numpy_random.get_or_insert_with(|| Box::new(generator_of_words(&words_of(seed.into()))))
            }
        }
    }

    /// Returns the 32-bit words of a seed: an integer, or a sequence of integers.
    fn seed_words(&mut self, seed: Option<Value>) -> ExecResult<Vec<u32>> {
        let Some(seed) = seed.filter(|seed| !matches!(seed, Value::None)) else {
            return Ok(words_of(self.random_seed.into()));
        };
        let parts = if self.as_integer(seed)?.is_some() { vec![seed] } else { self.collect_values(seed)? };
        let mut words = Vec::new();
        for part in parts {
            let Ok(number) = u64::try_from(self.as_index(part)?) else {
                return Err(self.raise(ExceptionKind::ValueError, "expected non-negative integer"));
            };
            words.extend(words_of(number.into()));
        }
        Ok(words)
    }

    fn legacy_generator(&mut self, seed: Option<Value>) -> ExecResult<NumpyGenerator> {
        let is_number = match seed {
            Some(seed) if !matches!(seed, Value::None) => self.as_integer(seed)?.is_some(),
            _ => false,
        };
        if is_number && let Some(seed) = seed {
            let Ok(word) = u32::try_from(self.as_index(seed)?) else {
                return Err(self.raise(ExceptionKind::ValueError, "Seed must be between 0 and 2**32 - 1"));
            };
            return Ok(NumpyGenerator::Legacy(Box::new(MersenneTwister::from_word(word)), None));
        }
        let is_list = seed.is_some_and(|seed| !matches!(seed, Value::None));
        let words = self.seed_words(seed)?;
        if is_list {
            if words.is_empty() {
                return Err(self.raise(ExceptionKind::ValueError, "Seed must be non-empty"));
            }
            return Ok(NumpyGenerator::Legacy(Box::new(MersenneTwister::from_key(&words)), None));
        }
        Ok(generator_of_words(&words))
    }

    fn numpy_seed_numpy(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        *self.numpy_generator(source) = self.legacy_generator(bound.get(0))?;
        Ok(Value::None)
    }

    /// Returns a number, or an array of numbers of a shape, each from a call of `next`.
    fn random_numbers(
        &mut self,
        size: Option<Value>,
        dtype: Dtype,
        mut next: impl FnMut(&mut Self, usize) -> ExecResult<Scalar>,
    ) -> ExecResult {
        let Some(size) = size.filter(|size| !matches!(size, Value::None)) else {
            self.charge(4)?;
            let number = next(self, 0)?;
            return Ok(super::to_python_number(number));
        };
        let shape = self.shape_argument(size)?;
        let count: usize = shape.iter().product();
        self.reserve_values(count)?;
        let mut values = Vec::with_capacity(count);
        for place in 0..count {
            self.charge(4)?;
            values.push(next(self, place)?);
        }
        self.new_array(DenseArray::new(shape, values, dtype))
    }

    fn numpy_floats(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        self.random_numbers(bound.get(0), Dtype::Float, |m, _| {
            Ok(Scalar::Float(m.numpy_generator(source).next_float()))
        })
    }

    /// Implements `rand` and `randn`, whose arguments are the lengths of the dimensions.
    fn numpy_array_of(
        &mut self,
        source: Source,
        is_normal: bool,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.reject_keywords(if is_normal { "randn" } else { "rand" }, named)?;
        let size = if arguments.is_empty() { None } else { Some(self.heap.tuple(arguments)) };
        self.random_numbers(size, Dtype::Float, |m, _| {
            let generator = m.numpy_generator(source);
            Ok(Scalar::Float(if is_normal { generator.next_normal() } else { generator.next_float() }))
        })
    }

    /// Returns a parameter of a distribution: a number, or an array with the shape of the result.
    fn distribution_parameter(&mut self, value: Option<Value>, default: f64) -> ExecResult<DenseArray> {
        match value {
            Some(value) => self.array_argument("random", value),
            None => Ok(DenseArray::from_scalar(Scalar::Float(default))),
        }
    }

    /// Returns numbers of a distribution with two parameters.
    fn distributed(
        &mut self,
        bound: &BoundArguments<'_>,
        defaults: [f64; 2],
        next: impl Fn(&mut Self, f64, f64) -> ExecResult<f64>,
    ) -> ExecResult {
        let one = self.distribution_parameter(bound.get(0), defaults[0])?;
        let two = self.distribution_parameter(bound.get(1), defaults[1])?;
        let shape = self.common_shape(&one, &two)?;
        let size = match bound.given(2) {
            Some(size) => Some(size),
            None if shape.is_empty() => None,
            None => {
                let lengths: Vec<Value> = shape.iter().map(|&length| Value::Int(length as i64)).collect();
                Some(self.heap.tuple(lengths))
            }
        };
        let shape = match size {
            Some(size) => self.shape_argument(size)?,
            None => Vec::new(),
        };
        for parameter in [&one, &two] {
            let whole = DenseArray::new(shape.clone(), vec![Scalar::Int(0); shape.iter().product()], Dtype::Int);
            if self.common_shape(&whole, parameter)? != shape {
                return Err(self.broadcast_error(&shape, &parameter.shape));
            }
        }
        self.random_numbers(size, Dtype::Float, |m, place| {
            let (a, b) = (one.broadcast_element(&shape, place), two.broadcast_element(&shape, place));
            next(m, a.to_f64(), b.to_f64()).map(Scalar::Float)
        })
    }

    fn numpy_uniform(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        self.distributed(bound, [0.0, 1.0], |m, low, high| {
            if !(high - low).is_finite() {
                return Err(m.raise(ExceptionKind::OverflowError, "Range exceeds valid bounds"));
            }
            Ok(low + (high - low) * m.numpy_generator(source).next_float())
        })
    }

    fn numpy_normal(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        self.distributed(bound, [0.0, 1.0], |m, mean, deviation| {
            if deviation < 0.0 || deviation.is_nan() {
                return Err(m.raise(ExceptionKind::ValueError, "scale < 0"));
            }
            Ok(mean + deviation * m.numpy_generator(source).next_normal())
        })
    }

    fn numpy_standard_normal(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        self.random_numbers(bound.get(0), Dtype::Float, |m, _| {
            Ok(Scalar::Float(m.numpy_generator(source).next_normal()))
        })
    }

    fn numpy_exponential(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let scale = bound.get(0).map_or(Ok(1.0), |scale| self.as_float(scale))?;
        if scale < 0.0 || scale.is_nan() {
            return Err(self.raise(ExceptionKind::ValueError, "scale < 0"));
        }
        self.random_numbers(bound.get(1), Dtype::Float, |m, _| {
            Ok(Scalar::Float(scale * m.numpy_generator(source).next_exponential()))
        })
    }

    fn numpy_standard_exponential(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        self.random_numbers(bound.get(0), Dtype::Float, |m, _| {
            Ok(Scalar::Float(m.numpy_generator(source).next_exponential()))
        })
    }

    /// Implements `randint` and `integers`.
    fn numpy_integers_below(&mut self, source: Source, bound: &BoundArguments<'_>) -> ExecResult {
        let first = self.as_index(bound.required(0))?;
        let (low, high) = match bound.given(1) {
            Some(high) => (first, self.as_index(high)?),
            None => (0, first),
        };
        let is_inclusive = match bound.function {
            "integers" => bound.get(4).map_or(Ok(false), |endpoint| self.truth(endpoint))?,
            _ => false,
        };
        let Some(limit) = high.checked_sub(i64::from(!is_inclusive)).filter(|&limit| limit >= low) else {
            return Err(self.raise(ExceptionKind::ValueError, if high <= low { "low >= high" } else { "low > high" }));
        };
        let span = limit.wrapping_sub(low) as u64;
        let result = self.random_numbers(bound.given(2), Dtype::Int, |m, _| {
            Ok(Scalar::Int(low.wrapping_add(m.numpy_generator(source).next_up_to(span) as i64)))
        })?;
        match result {
            // The integers of a `Generator` are scalars of numpy.
            Value::Int(number) if bound.function == "integers" => Ok(Value::from(Scalar::Int(number))),
            result => Ok(result),
        }
    }
}

/// Returns the 32-bit words of a number, the lowest first.
fn words_of(number: u128) -> Vec<u32> {
    let mut words = vec![number as u32];
    let mut rest = number >> 32;
    while rest > 0 {
        words.push(rest as u32);
        rest >>= 32;
    }
    words
}

/// Returns the generator of the module for a seed.
fn generator_of_words(words: &[u32]) -> NumpyGenerator {
    let twister = match *words {
        [word] => MersenneTwister::from_word(word),
        _ => MersenneTwister::from_key(words),
    };
    NumpyGenerator::Legacy(Box::new(twister), None)
}
