//! The subset of numpy 1.26 that reward functions use: vectors, small matrices and scalars.
//!
//! | module | contents |
//! |---|---|
//! | `scalar` | scalars: kinds, arithmetic, promotion |
//! | `array` | arrays, their dense form for computation, broadcasting |
//! | `arithmetic` | operators on arrays and scalars |
//! | `dtype` | `dtype` values |
//! | `table` | the table of functions (`np.…`) |
//! | `functions` | implementations of functions |
//! | `reductions` | sums, extremes and other reductions along an axis |
//! | `methods` | attributes and methods of arrays and scalars |
//! | `index` | indexing: items, slices, masks |
//! | `text` | text of arrays and scalars |

mod arithmetic;
mod array;
mod dtype;
mod functions;
mod index;
mod methods;
mod reductions;
mod scalar;
mod table;
mod text;

pub(crate) use array::Array;
pub use dtype::is_dtype;
pub(super) use functions::NumpyImplementation;
pub(crate) use methods::ArrayMethod;
pub(super) use methods::to_python_number;
pub(crate) use scalar::{Dtype, Scalar};
pub(super) use table::{FUNCTIONS, LINALG_FUNCTIONS};
pub(super) use text::scalar_text;

use super::Machine;
use super::exceptions::ExecResult;
use super::library_class::DTYPE;
use super::value::{Type, Value};

/// The constants and classes of `numpy`.
pub(super) static VALUES: [(&str, Value); 20] = [
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
