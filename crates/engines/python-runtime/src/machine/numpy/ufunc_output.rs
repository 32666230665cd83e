//! The arguments `out`, `where` and `dtype` of universal functions, and the handling of floating point errors.

use super::array::DenseArray;
use super::dtype::dtype_name;
use super::functions::NumpyImplementation;
use super::scalar::Scalar;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::NamedParameters;
use crate::machine::value::{HeapObject, Value};

impl Machine {
    /// Calls a universal function with an output array, a mask or a kind of numbers.
    pub(in crate::machine) fn call_ufunc_with_output(
        &mut self,
        function: &str,
        (parameters, implementation): (&NamedParameters<'static>, NumpyImplementation),
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let inputs = parameters.count();
        if arguments.len() > inputs + 1 {
            return self.bind_parameters(function, parameters, arguments, &[]).map(|_| Value::None);
        }
        let mut output = arguments.get(inputs).copied();
        let (mut mask, mut dtype, mut others) = (None, None, Vec::new());
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "out" if output.is_some_and(|output| !matches!(output, Value::None)) => {
                    let message = "cannot specify 'out' as both a positional and keyword argument";
                    return Err(self.type_error(message));
                }
                "out" => output = Some(value),
                "where" if matches!(value, Value::Bool(true)) => {}
                "where" => mask = Some(self.array_argument(function, value)?),
                "dtype" if matches!(value, Value::None) => {}
                "dtype" => dtype = Some(self.dtype_argument(value)?),
                // They determine neither the numbers nor the shape of the result.
                "order" | "subok" => {}
                _ => others.push((symbol, value)),
            }
        }
        let output = self.output_array(output)?;
        if mask.is_some() && output.is_none() {
            let message = format!(
                "numpy.{function} with `where` requires `out`: without it, numpy leaves the other elements undefined"
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let mut values = arguments.to_vec();
        if mask.is_some() || dtype.is_some() {
            let given = inputs.min(arguments.len());
            for value in &mut values[..given] {
                let mut input = self.array_argument(function, *value)?;
                if let Some(dtype) = dtype {
                    input = input.cast(dtype);
                }
                if let Some(mask) = mask.as_ref().filter(|_| !input.is_scalar) {
                    input = self.masked_input(&input, mask)?;
                }
                *value = self.new_array_or_scalar(input)?;
            }
        }
        let bound = self.bind_parameters(function, parameters, &values, &others)?;
        let result = self.call_numpy_function(implementation, &bound)?;
        let Some(output) = output else { return Ok(result) };
        let result = self.array_argument(function, result)?;
        self.store_ufunc_output(function, &result, output, mask.as_ref())
    }

    /// Returns the array of the argument `out`, which may be a tuple of one array.
    fn output_array(&mut self, output: Option<Value>) -> ExecResult<Option<Value>> {
        let output = match output {
            None | Some(Value::None) => return Ok(None),
            Some(Value::Ref(at)) if let HeapObject::Tuple(parts) = self.heap.get(at) => match **parts {
                [Value::None] => return Ok(None),
                [output] => output,
                _ => {
                    let message = "The 'out' tuple must have exactly one entry per ufunc output";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
            },
            Some(output) => output,
        };
        if self.array(output).is_none() {
            return Err(self.type_error("return arrays must be of ArrayType"));
        }
        Ok(Some(output))
    }

    /// Replaces the elements that a mask excludes by 1, for which no function warns.
    fn masked_input(&mut self, input: &DenseArray, mask: &DenseArray) -> ExecResult<DenseArray> {
        let shape = self.common_shape(input, mask)?;
        let size: usize = shape.iter().product();
        self.reserve_values(size)?;
        let one = Scalar::Int(1).cast(input.dtype);
        let element = |place: usize| {
            let is_selected = mask.broadcast_element(&shape, place).to_bool();
            if is_selected { input.broadcast_element(&shape, place) } else { one }
        };
        let values = (0..size).map(element).collect();
        Ok(DenseArray::new(shape, values, input.dtype))
    }

    /// Stores the selected elements of a result in an output array, and returns that array.
    pub(super) fn store_ufunc_output(
        &mut self,
        function: &str,
        result: &DenseArray,
        output: Value,
        mask: Option<&DenseArray>,
    ) -> ExecResult {
        let Some(array) = self.array(output).cloned() else {
            return Err(self.type_error("return arrays must be of ArrayType"));
        };
        if result.dtype.category_rank() > array.dtype.category_rank() {
            let message = format!(
                "Cannot cast ufunc '{function}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                dtype_name(result.dtype),
                dtype_name(array.dtype)
            );
            return Err(self.type_error(&message));
        }
        let current = self.to_dense(&array);
        for other in [Some(result), mask].into_iter().flatten() {
            if self.common_shape(&current, other)? != current.shape {
                let (own, broadcast) = (shape_of(&current), shape_of(other));
                let message = format!(
                    "non-broadcastable output operand with shape {own} doesn't match the broadcast shape {broadcast}"
                );
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
        }
        let element = |place: usize| {
            let is_selected = mask.is_none_or(|mask| mask.broadcast_element(&current.shape, place).to_bool());
            if is_selected { result.broadcast_element(&current.shape, place) } else { current.values[place] }
        };
        let values: Vec<Scalar> = (0..current.values.len()).map(element).collect();
        self.write_array(&array, &values);
        Ok(output)
    }

    /// Checks the arguments of `np.errstate` and `np.seterr`: floating point errors are warnings, which are counted and not shown.
    pub(super) fn check_error_handling(
        &mut self,
        function: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        let bound = self.bind_keywords(function, named, ["all", "divide", "over", "under", "invalid", "call"])?;
        for &action in arguments.iter().chain(bound[..5].iter().flatten()) {
            let text = self.as_text(action);
            match text.as_deref() {
                None if matches!(action, Value::None) => {}
                Some("ignore" | "warn" | "print" | "log") => {}
                Some(action @ ("raise" | "call")) => {
                    let message = format!(
                        "reward functions do not support numpy.{function} with '{action}': test the numbers with np.isfinite"
                    );
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
                _ => return Err(self.raise_with(ExceptionKind::KeyError, vec![action])),
            }
        }
        Ok(())
    }
}

/// Returns the text of a shape.
fn shape_of(array: &DenseArray) -> String {
    let lengths: Vec<String> = array.shape.iter().map(ToString::to_string).collect();
    match lengths.as_slice() {
        [one] => format!("({one},)"),
        lengths => format!("({})", lengths.join(",")),
    }
}
