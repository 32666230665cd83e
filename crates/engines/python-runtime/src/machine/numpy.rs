//! The subset of numpy 1.26 that reward functions use: vectors, small matrices and scalars.
//!
//! | module | contents |
//! |---|---|
//! | `integers` | integers other than the signed ones of 64 bits |
//! | `scalar` | scalars: kinds, arithmetic, promotion |
//! | `array` | arrays, their dense form for computation, broadcasting |
//! | `arithmetic` | operators on arrays and scalars |
//! | `dtype` | `dtype` values |
//! | `table` | the table of functions (`np.…`) |
//! | `functions` | calls of functions |
//! | `creation`, `joining` | functions that create and join arrays |
//! | `ufuncs`, `ufunc_output` | functions of each element, or of each pair of elements; their output arrays and masks |
//! | `reductions` | sums, extremes and other reductions along an axis |
//! | `linear` | linear algebra |
//! | `einsum`, `polynomials` | sums of products with named axes, and the fit of polynomials |
//! | `random` | random numbers (`np.random`) |
//! | `series`, `shapes`, `sorting` | functions on sequences of numbers, on shapes and axes, and on sorted numbers |
//! | `methods` | attributes and methods of arrays and scalars |
//! | `index`, `mixed_index` | indexing: items, slices, masks, and several of them |
//! | `universal` | methods of universal functions |
//! | `text` | text of arrays and scalars |

mod arithmetic;
mod array;
mod creation;
mod diagonals;
mod dtype;
mod edits;
mod einsum;
mod functions;
mod index;
mod integers;
mod joining;
mod linear;
mod methods;
mod mixed_index;
mod polynomials;
mod random;
mod reductions;
mod scalar;
mod series;
mod shapes;
mod sorting;
mod table;
mod text;
mod ufunc_output;
mod ufuncs;
mod universal;

pub(crate) use array::Array;
pub use dtype::is_dtype;
pub(super) use functions::NumpyImplementation;
pub(crate) use integers::IntKind;
pub(crate) use methods::ArrayMethod;
pub(super) use methods::to_python_number;
pub(super) use methods::{ARRAY_METHODS, NUMPY_SCALAR_METHODS};
pub(crate) use random::NumpyGenerator;
pub(super) use random::{GENERATOR, RANDOM_FUNCTIONS, RANDOM_STATE, RANDOM_VALUES};
pub(crate) use scalar::{Dtype, PackedScalar, Scalar};
pub(super) use table::{FUNCTIONS, LINALG_FUNCTIONS};
pub(super) use text::scalar_text;

use super::Machine;
use super::exceptions::ExecResult;
use super::library::{FLOAT_LIMITS, INTEGER_LIMITS};
use super::library_class::{DTYPE, LibraryClass};
use super::value::{Type, Value};

/// Returns an abstract class of numpy's scalars.
const fn abstract_scalar(name: &'static str, bases: &'static [Type]) -> LibraryClass {
    LibraryClass { name, bases, ..LibraryClass::DEFAULT }
}

static GENERIC: LibraryClass = abstract_scalar("numpy.generic", &[]);
static NUMBER: LibraryClass = abstract_scalar("numpy.number", &[Type::Library(&GENERIC)]);
static INTEGER: LibraryClass = abstract_scalar("numpy.integer", &[Type::Library(&NUMBER), Type::Library(&GENERIC)]);
static SIGNED_INTEGER: LibraryClass =
    abstract_scalar("numpy.signedinteger", &[Type::Library(&INTEGER), Type::Library(&NUMBER), Type::Library(&GENERIC)]);
static UNSIGNED_INTEGER: LibraryClass = abstract_scalar(
    "numpy.unsignedinteger",
    &[Type::Library(&INTEGER), Type::Library(&NUMBER), Type::Library(&GENERIC)],
);
static INEXACT: LibraryClass = abstract_scalar("numpy.inexact", &[Type::Library(&NUMBER), Type::Library(&GENERIC)]);
static FLOATING: LibraryClass =
    abstract_scalar("numpy.floating", &[Type::Library(&INEXACT), Type::Library(&NUMBER), Type::Library(&GENERIC)]);

/// Returns whether the scalars of a kind are instances of an abstract class.
pub(super) fn is_scalar_of(kind: Dtype, class: Type) -> bool {
    let own: &'static LibraryClass = match kind {
        Dtype::Bool => &GENERIC,
        Dtype::Int => &SIGNED_INTEGER,
        Dtype::Sized(kind) if kind.is_signed() => &SIGNED_INTEGER,
        Dtype::Sized(_) => &UNSIGNED_INTEGER,
        Dtype::Float32 | Dtype::Float => &FLOATING,
    };
    class == Type::Library(own) || own.bases.contains(&class)
}

/// The constants and classes of `numpy`.
pub(super) static VALUES: [(&str, Value); 48] = [
    ("finfo", Value::Type(Type::Library(&FLOAT_LIMITS))),
    ("iinfo", Value::Type(Type::Library(&INTEGER_LIMITS))),
    ("pi", Value::Float(std::f64::consts::PI)),
    ("e", Value::Float(std::f64::consts::E)),
    ("inf", Value::Float(f64::INFINITY)),
    ("Inf", Value::Float(f64::INFINITY)),
    ("infty", Value::Float(f64::INFINITY)),
    ("nan", Value::Float(f64::NAN)),
    ("NaN", Value::Float(f64::NAN)),
    ("NAN", Value::Float(f64::NAN)),
    ("newaxis", Value::None),
    ("ndarray", Value::Type(Type::Array)),
    ("dtype", Value::Type(Type::Library(&DTYPE))),
    ("bool_", Value::Type(Type::Numpy(Dtype::Bool))),
    ("int64", Value::Type(Type::Numpy(Dtype::Int))),
    ("int_", Value::Type(Type::Numpy(Dtype::Int))),
    ("intp", Value::Type(Type::Numpy(Dtype::Int))),
    ("float32", Value::Type(Type::Numpy(Dtype::Float32))),
    ("single", Value::Type(Type::Numpy(Dtype::Float32))),
    ("float64", Value::Type(Type::Numpy(Dtype::Float))),
    ("float_", Value::Type(Type::Numpy(Dtype::Float))),
    ("double", Value::Type(Type::Numpy(Dtype::Float))),
    ("int8", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int8)))),
    ("byte", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int8)))),
    ("uint8", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt8)))),
    ("ubyte", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt8)))),
    ("int16", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int16)))),
    ("short", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int16)))),
    ("uint16", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt16)))),
    ("ushort", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt16)))),
    ("int32", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int32)))),
    ("intc", Value::Type(Type::Numpy(Dtype::Sized(IntKind::Int32)))),
    ("uint32", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt32)))),
    ("uintc", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt32)))),
    ("uint64", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt64)))),
    ("uint", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt64)))),
    ("uintp", Value::Type(Type::Numpy(Dtype::Sized(IntKind::UInt64)))),
    ("longlong", Value::Type(Type::Numpy(Dtype::Int))),
    ("PINF", Value::Float(f64::INFINITY)),
    ("NINF", Value::Float(f64::NEG_INFINITY)),
    ("euler_gamma", Value::Float(0.577_215_664_901_532_9)),
    ("generic", Value::Type(Type::Library(&GENERIC))),
    ("number", Value::Type(Type::Library(&NUMBER))),
    ("integer", Value::Type(Type::Library(&INTEGER))),
    ("signedinteger", Value::Type(Type::Library(&SIGNED_INTEGER))),
    ("unsignedinteger", Value::Type(Type::Library(&UNSIGNED_INTEGER))),
    ("inexact", Value::Type(Type::Library(&INEXACT))),
    ("floating", Value::Type(Type::Library(&FLOATING))),
];

impl Machine {
    /// Returns the absolute values of an array or a numpy scalar.
    pub(super) fn numpy_absolute(&mut self, value: Value) -> ExecResult {
        let array = self.array_argument("abs", value)?;
        self.unary_ufunc("abs", table::ABSOLUTE, &array)
    }

    /// Whether any element of an array or a numpy scalar is true.
    pub(super) fn has_true_element(&mut self, value: Value) -> ExecResult<bool> {
        let array = self.array_argument("any", value)?;
        Ok(array.values.iter().any(|element| element.to_bool()))
    }
}
