//! `dtype` values: kinds of numbers.

use std::cmp::Ordering;

use super::integers::IntKind;
use super::scalar::Dtype;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::value::{Type, Value};
use crate::operators::ComparisonOperator;

/// The names that texts may use for each kind.
const DTYPE_NAMES: [(Dtype, &[&str]); 11] = [
    (Dtype::Sized(IntKind::Int8), &["int8", "byte", "i1", "|i1", "b"]),
    (Dtype::Sized(IntKind::UInt8), &["uint8", "ubyte", "u1", "|u1", "B"]),
    (Dtype::Sized(IntKind::Int16), &["int16", "short", "i2", "<i2", "=i2", "h", "<h", "=h"]),
    (Dtype::Sized(IntKind::UInt16), &["uint16", "ushort", "u2", "<u2", "=u2", "H", "<H", "=H"]),
    (Dtype::Sized(IntKind::Int32), &["int32", "intc", "i4", "<i4", "=i4", "i", "<i", "=i"]),
    (Dtype::Sized(IntKind::UInt32), &["uint32", "uintc", "u4", "<u4", "=u4", "I", "<I", "=I"]),
    (Dtype::Sized(IntKind::UInt64), &["uint64", "uint", "uintp", "u8", "<u8", "=u8", "L", "<L", "=L"]),
    (Dtype::Bool, &["bool", "bool_", "bool8", "?", "b1", "|b1"]),
    (Dtype::Int, &["int64", "int", "int_", "intp", "long", "longlong", "i8", "<i8", "=i8", "l", "q", "p", "<l", "<q"]),
    (Dtype::Float32, &["float32", "single", "f4", "<f4", "=f4", "f", "<f", "=f"]),
    (Dtype::Float, &["float64", "float", "float_", "double", "f8", "<f8", "=f8", "d", "<d", "=d"]),
];

/// Returns the kind of numbers that a text names as a `dtype`.
fn dtype_by_name(name: &str) -> Option<Dtype> {
    DTYPE_NAMES.iter().find(|(_, names)| names.contains(&name)).map(|&(kind, _)| kind)
}

/// Whether a name denotes a supported `dtype`.
pub fn is_dtype(name: &str) -> bool {
    dtype_by_name(name).is_some()
}

/// Returns the name of a `dtype`.
pub(super) fn dtype_name(kind: Dtype) -> &'static str {
    if kind == Dtype::Bool { "bool" } else { kind.name() }
}

/// Returns whether the cast from `kind` to `other` is safe by numpy's rules.
fn can_cast(kind: Dtype, other: Dtype) -> bool {
    kind.promote(other) == other || (kind.is_integer() && other == Dtype::Float)
}

impl Machine {
    /// Returns the kind of numbers that a value denotes as a `dtype`; `None` if it denotes no supported kind.
    pub(in crate::machine) fn as_dtype(&self, value: Value) -> Option<Dtype> {
        match value {
            Value::Dtype(kind) | Value::Type(Type::Numpy(kind)) => Some(kind),
            Value::None | Value::Type(Type::Float) => Some(Dtype::Float),
            Value::Type(Type::Int) => Some(Dtype::Int),
            Value::Type(Type::Bool) => Some(Dtype::Bool),
            // A numpy scalar denotes its own kind.
            Value::Numpy(scalar) => Some(scalar.get().dtype()),
            _ => dtype_by_name(&self.as_text(value)?),
        }
    }

    /// Returns the kind of numbers of a `dtype` argument; raises `TypeError` if it denotes no supported kind.
    pub(super) fn dtype_argument(&mut self, value: Value) -> ExecResult<Dtype> {
        let kind = if matches!(value, Value::Numpy(_)) { None } else { self.as_dtype(value) };
        if let Some(kind) = kind {
            return Ok(kind);
        }
        let message = if self.as_text(value).is_some() {
            format!("data type {} not understood", self.repr(value)?)
        } else {
            format!("Cannot interpret '{}' as a data type", self.repr(value)?)
        };
        Err(self.type_error(&message))
    }

    /// Implements `np.dtype(..)`.
    pub(in crate::machine) fn construct_dtype(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let [value] = self.bind_library_arguments("dtype", ["dtype"], 1, arguments, named)?;
        self.dtype_argument(value.unwrap_or(Value::None)).map(Value::Dtype)
    }

    /// Implements `==` with a `dtype` operand.
    pub(in crate::machine) fn dtypes_equal(&self, left: Value, right: Value) -> bool {
        self.as_dtype(left) == self.as_dtype(right)
    }

    /// Implements `<`, `<=`, `>` and `>=` with a `dtype` operand: whether the cast from the lesser to the greater side is safe.
    pub(in crate::machine) fn compare_dtypes(
        &self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> Option<Value> {
        let (Some(left), Some(right)) = (self.as_dtype(left), self.as_dtype(right)) else { return None };
        let (one, two) = if matches!(operator, ComparisonOperator::Lt | ComparisonOperator::LtE) {
            (left, right)
        } else {
            (right, left)
        };
        let strictly = matches!(operator, ComparisonOperator::Lt | ComparisonOperator::Gt);
        Some(Value::Bool(can_cast(one, two) && (!strictly || one.cmp(&two) != Ordering::Equal)))
    }

    /// Returns an attribute of a `dtype`.
    pub(in crate::machine) fn dtype_attribute(&mut self, kind: Dtype, name: &str) -> Option<Value> {
        let (letter, character, size, number) = match kind {
            Dtype::Bool => ("b", "?", 1, 0),
            Dtype::Sized(IntKind::Int8) => ("i", "b", 1, 1),
            Dtype::Sized(IntKind::UInt8) => ("u", "B", 1, 2),
            Dtype::Sized(IntKind::Int16) => ("i", "h", 2, 3),
            Dtype::Sized(IntKind::UInt16) => ("u", "H", 2, 4),
            Dtype::Sized(IntKind::Int32) => ("i", "i", 4, 5),
            Dtype::Sized(IntKind::UInt32) => ("u", "I", 4, 6),
            Dtype::Sized(IntKind::UInt64) => ("u", "L", 8, 8),
            Dtype::Int => ("i", "l", 8, 7),
            Dtype::Float32 => ("f", "f", 4, 11),
            Dtype::Float => ("f", "d", 8, 12),
        };
        let order = if size == 1 { "|" } else { "<" };
        let text = match name {
            "name" => self::dtype_name(kind).to_owned(),
            "kind" => letter.to_owned(),
            "char" => character.to_owned(),
            "str" => format!("{order}{letter}{size}"),
            "byteorder" => order.replace('<', "="),
            "itemsize" | "alignment" => return Some(Value::Int(size)),
            "num" => return Some(Value::Int(number)),
            "type" => return Some(Value::Type(Type::Numpy(kind))),
            "base" => return Some(Value::Dtype(kind)),
            "ndim" | "flags" => return Some(Value::Int(0)),
            "isbuiltin" => return Some(Value::Int(1)),
            "shape" => return Some(self.heap.tuple([])),
            "isnative" => return Some(Value::Bool(true)),
            "hasobject" | "isalignedstruct" => return Some(Value::Bool(false)),
            "names" | "fields" | "subdtype" | "metadata" => return Some(Value::None),
            _ => return None,
        };
        Some(self.heap.text(&text))
    }

    /// Formats a `dtype`.
    pub(in crate::machine) fn dtype_text(kind: Dtype, is_repr: bool) -> String {
        let name = self::dtype_name(kind);
        if is_repr { format!("dtype('{name}')") } else { name.to_owned() }
    }
}
