//! Attributes and methods of arrays and numpy scalars.

use super::array::DenseArray;
use super::scalar::{Dtype, Scalar};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::{HeapObject, Value};

/// The names of the methods of arrays.
pub(in crate::machine) const ARRAY_METHODS: [&str; 20] = [
    "all", "any", "argmax", "argmin", "astype", "clip", "copy", "dot", "fill", "flatten", "item", "max", "mean", "min",
    "prod", "reshape", "std", "sum", "tolist", "var",
];

/// The names of the methods of numpy scalars.
pub(in crate::machine) const SCALAR_METHODS: [&str; 11] =
    ["all", "any", "astype", "clip", "copy", "item", "max", "mean", "min", "sum", "tolist"];

impl Machine {
    /// Returns an attribute of an array or a numpy scalar; methods are not included.
    pub(in crate::machine) fn numpy_attribute(&mut self, object: Value, name: &str) -> ExecResult<Option<Value>> {
        let shape = match self.array(object) {
            Some(array) => array.shape(),
            None => Vec::new(),
        };
        let kind = match object {
            Value::Numpy(scalar) => Some(scalar.dtype()),
            _ => self.array(object).map(|array| array.dtype),
        };
        let Some(kind) = kind else { return Ok(None) };
        Ok(Some(match name {
            "shape" => {
                let lengths: Vec<Value> = shape.iter().map(|&length| Value::Int(length as i64)).collect();
                self.heap.tuple(lengths)
            }
            "ndim" => Value::Int(shape.len() as i64),
            "size" => Value::Int(shape.iter().product::<usize>() as i64),
            "dtype" => Value::Dtype(kind),
            "real" => object,
            "T" => self.transpose(object),
            _ => return Ok(None),
        }))
    }

    fn transpose(&mut self, object: Value) -> Value {
        let Some(mut array) = self.array(object).cloned() else { return object };
        array.axes.reverse();
        Value::Ref(self.heap.add(HeapObject::Array(Box::new(array))))
    }

    pub(in crate::machine) fn call_array_method(
        &mut self,
        object: Value,
        name: &'static str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some(grid) = self.as_dense(object)? else { return Ok(Value::None) };
        match name {
            "all" | "any" | "argmax" | "argmin" | "max" | "mean" | "min" | "prod" | "std" | "sum" | "var" | "clip"
            | "dot" => {
                let mut all = vec![object];
                all.extend(arguments);
                // The method names its bounds `min` and `max`, the function `a_min` and `a_max`.
                let renamed: Vec<_> = named
                    .iter()
                    .map(|&(symbol, value)| {
                        let keyword = self.name(symbol);
                        let symbol = match (name, &*keyword) {
                            ("clip", "min") => self.intern("a_min"),
                            ("clip", "max") => self.intern("a_max"),
                            _ => symbol,
                        };
                        (symbol, value)
                    })
                    .collect();
                self.call_numpy(name, &all, &renamed)
            }
            "astype" => {
                let dtype = self.single_argument("astype", arguments, named)?;
                let kind = self.dtype_argument(dtype)?;
                self.warn_invalid_cast(&grid, kind);
                let grid = grid.cast(kind);
                if grid.shape.is_empty() { self.new_array_or_scalar(grid) } else { self.new_array(grid) }
            }
            "copy" | "flatten" => {
                self.check_arity(name, arguments.len(), 0, 0)?;
                if grid.is_scalar {
                    return Ok(object);
                }
                let shape = if name == "flatten" { vec![grid.values.len()] } else { grid.shape };
                self.new_array(DenseArray::new(shape, grid.values, grid.dtype))
            }
            "fill" => {
                let value = self.single_argument("fill", arguments, named)?;
                let Some(array) = self.array(object).cloned() else { return Ok(Value::None) };
                let fill = self.array_argument("fill", value)?;
                let values = vec![fill.values[0]; grid.values.len()];
                self.write_array(&array, &values);
                Ok(Value::None)
            }
            "item" => {
                if let &[index] = arguments {
                    let flat = self.new_array(DenseArray::new(vec![grid.values.len()], grid.values, grid.dtype))?;
                    let value = self.array_item(flat, index)?;
                    return Ok(if let Value::Numpy(scalar) = value { to_python_number(scalar) } else { value });
                }
                if let [one] = grid.values.as_slice() {
                    return Ok(to_python_number(*one));
                }
                let message = "can only convert an array of size 1 to a Python scalar";
                Err(self.raise(ExceptionKind::ValueError, message))
            }
            "tolist" => {
                let mut at = 0;
                Ok(self.tolist(&grid, 0, &mut at))
            }
            _ => self.reshape(&grid, arguments),
        }
    }

    fn tolist(&mut self, grid: &DenseArray, axis: usize, at: &mut usize) -> Value {
        let Some(&length) = grid.shape.get(axis) else {
            *at += 1;
            return to_python_number(grid.values[*at - 1]);
        };
        let values = (0..length).map(|_| self.tolist(grid, axis + 1, at)).collect();
        self.heap.list(values)
    }

    fn reshape(&mut self, grid: &DenseArray, arguments: &[Value]) -> ExecResult {
        let lengths = match *arguments {
            [shape] if self.try_iterator(shape)?.is_some() => self.collect_values(shape)?,
            _ => arguments.to_vec(),
        };
        let mut shape = Vec::with_capacity(lengths.len());
        for length in lengths {
            shape.push(self.as_index(length)?);
        }
        let size = grid.values.len() as i64;
        let known: i64 = shape.iter().filter(|&&length| length >= 0).product();
        let resolved: Vec<usize> =
            shape.iter().map(|&length| if length < 0 { size / known.max(1) } else { length } as usize).collect();
        if resolved.iter().product::<usize>() != grid.values.len() || shape.iter().filter(|&&one| one < 0).count() > 1 {
            let text = super::array::shape_text(
                &shape.iter().map(|&length| length.unsigned_abs() as usize).collect::<Vec<_>>(),
            );
            let message = format!("cannot reshape array of size {size} into shape {text}");
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        self.new_array(DenseArray::new(resolved, grid.values.clone(), grid.dtype))
    }

    /// Implements `np.float64(x)` and the other scalar classes.
    pub(in crate::machine) fn construct_numpy_scalar(&mut self, kind: Dtype, arguments: &[Value]) -> ExecResult {
        let value = match *arguments {
            [] => Value::Int(0),
            [value] => value,
            _ => {
                return Err(
                    self.type_error(&format!("{}() takes at most 1 argument in a reward function", kind.name()))
                );
            }
        };
        let value = match self.as_text(value) {
            Some(_) if kind.is_float() => Value::Float(self.as_float(value)?),
            Some(_) if kind == Dtype::Int => self.as_int(value)?,
            _ => value,
        };
        if matches!(value, Value::None) {
            return match kind {
                Dtype::Float | Dtype::Float32 => Ok(Value::Numpy(Scalar::from_f64(f64::NAN, kind))),
                Dtype::Bool => Ok(Value::Numpy(Scalar::Bool(false))),
                Dtype::Int => {
                    let message =
                        "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'";
                    Err(self.type_error(message))
                }
            };
        }
        let grid = self.array_argument(kind.name(), value)?;
        if kind == Dtype::Int
            && let [one] = grid.values.as_slice()
            && !one.to_f64().is_finite()
        {
            return self.truncate_float(one.to_f64());
        }
        self.new_array_or_scalar(grid.cast(kind))
    }
}

/// Converts a numpy scalar to a number of Python.
pub(in crate::machine) fn to_python_number(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Bool(truth) => Value::Bool(truth),
        Scalar::Int(number) => Value::Int(number),
        Scalar::Float(_) | Scalar::Float32(_) => Value::Float(scalar.to_f64()),
    }
}
