//! The subset of numpy 1.26 that reward functions use: vectors, small matrices and scalars.
//!
//! | module | contents |
//! |---|---|
//! | `scalar` | scalars: kinds, arithmetic, promotion |
//! | `grid` | arrays, their dense form for computation, broadcasting |
//! | `arithmetic` | operators on arrays and scalars |
//! | `dtype` | `dtype` values |
//! | `functions` | functions (`np.…`) |
//! | `reductions` | sums, extremes and other reductions along an axis |
//! | `methods` | attributes and methods of arrays and scalars |
//! | `index` | indexing: items, slices, masks |
//! | `text` | text of arrays and scalars |

mod arithmetic;
mod dtype;
mod functions;
mod grid;
mod index;
mod methods;
mod reductions;
mod scalar;
mod text;

pub(super) use dtype::class_name as dtype_class;
pub(crate) use dtype::kind_named;
pub(crate) use functions::{Accuracy, FUNCTIONS};
pub(crate) use grid::Array;
pub(super) use methods::{ARRAY_METHODS, SCALAR_METHODS, native};
pub(crate) use scalar::{Kind, Scalar};
pub(super) use text::scalar_text;

use super::value::{Type, Value};

/// Returns the constant or class that `numpy` exports under `name`, if any.
pub(super) fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "pi" => Value::Float(std::f64::consts::PI),
        "e" => Value::Float(std::f64::consts::E),
        "inf" | "Inf" | "infty" => Value::Float(f64::INFINITY),
        "nan" | "NaN" | "NAN" => Value::Float(f64::NAN),
        "newaxis" => Value::None,
        "ndarray" => Value::Type(Type::Array),
        "dtype" => Value::Type(Type::Library("numpy.dtype")),
        "bool_" => Value::Type(Type::Numpy(Kind::Bool)),
        "int64" | "int_" | "intp" => Value::Type(Type::Numpy(Kind::Int)),
        "float32" | "single" => Value::Type(Type::Numpy(Kind::Float32)),
        "float64" | "float_" | "double" => Value::Type(Type::Numpy(Kind::Float)),
        _ => return None,
    })
}

/// The names of `numpy` that denote constants and classes.
pub(crate) const CONSTANTS: [&str; 20] = [
    "pi", "e", "inf", "Inf", "infty", "nan", "NaN", "NAN", "newaxis", "ndarray", "dtype", "bool_", "int64", "int_",
    "intp", "float32", "single", "float64", "float_", "double",
];
