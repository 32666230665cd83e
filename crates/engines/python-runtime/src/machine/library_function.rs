//! Library functions: each is one row of a table, with its name, parameters, results and implementations.
//!
//! The tables are those of [`library::functions`](super::library::functions), the one of the built-in functions behind
//! [`super::builtins::builtin_function`], and the class methods of [`super::class_methods`]. The names of a library, the binding of
//! arguments, the interpreter and the lints read the rows; so do type inference and the fast engine, for
//! functions of floats and for built-in functions with a [`BuiltinForm`].

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::numpy::NumpyImplementation;
use super::parameters::{BoundArguments, NamedParameters};
use super::value::{Type, Value};
use super::{Machine, cost};

/// A row of a table: a built-in function, or a function of a library.
#[derive(Debug)]
pub struct LibraryFunction {
    /// The name, qualified by its module if it has one, such as `math.hypot` or `sorted`.
    pub name: &'static str,
    short_name: &'static str,
    pub(super) signature: Signature,
    /// The type of the results.
    pub result: ResultType,
    /// The accuracy of the results for 64-bit floats.
    pub accuracy: Accuracy,
    /// The maximum difference from numpy for 32-bit floats, in their units in the last place; `None` if it was not measured separately.
    pub float32_ulps: Option<u8>,
    /// Whether numpy adds numbers in an order that depends on the memory layout of the array.
    pub has_layout_dependent_sum: bool,
    /// Whether the function keeps no references to its arguments and changes none of them.
    pub reads_only: bool,
    /// The form in the fast engine of a function of floats, if there is one.
    pub(crate) fast: Option<FastForm>,
    /// The form in type inference and the fast engine of a built-in function, if there is one.
    pub(crate) form: Option<BuiltinForm>,
}

/// The accuracy of a result relative to numpy, whose vectorized code differs between processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accuracy {
    /// Identical to the last bit.
    Exact,
    /// Within this number of units in the last place (ULP), as measured.
    Ulps(u8),
    /// Within n ULP of the sum of the products' absolute values, for n products: numpy adds them in another order.
    DotProduct,
    /// Within n ULP of the sum of the absolute values, for n values: numpy adds the values of transposed arrays in another order.
    Sum,
}

/// The type of the results of a library function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResultType {
    /// Any value: the type is not modelled.
    Any,
    /// `None`.
    None,
    /// A Boolean.
    Bool,
    /// An integer.
    Int,
    /// An integer that is not negative.
    Count,
    /// A string.
    Text,
    /// A float from `min` to `max`.
    Float {
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
    },
    /// An element of the receiver of a method: of a list or deque, or a value of a dict.
    Element,
    /// An element of the receiver, or else the second argument, which is `None` by default.
    ElementOrDefault,
    /// An iterable of the elements of the receiver.
    Elements,
    /// An iterable of pairs of the keys and the values of the receiver.
    Entries,
    /// A copy of the receiver.
    Copy,
}

/// The parameters of a library function, with the implementation that takes them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signature {
    /// Any arguments, which the implementation binds.
    Custom(fn(&mut Machine, &[Value], KeywordArguments<'_>) -> ExecResult),
    /// Positional arguments.
    Positional {
        /// The minimum number of arguments.
        min: usize,
        /// The maximum number of arguments.
        max: usize,
        /// Whether the implementation binds keyword arguments; otherwise there are none.
        has_keywords: bool,
        /// The implementation.
        implementation: Implementation,
    },
    /// Parameters that are passed by position or by keyword.
    Named(NamedParameters<'static>, NamedImplementation),
}

/// The implementation of a library function with positional arguments in the reference interpreter.
///
/// A call costs [`BUILTIN`](cost::BUILTIN); the conversion of arguments and the implementations that take the machine charge for their
/// own work.
#[derive(Debug, Clone, Copy)]
pub(super) enum Implementation {
    /// A function of one float.
    Float(fn(f64) -> f64),
    /// A function of two floats.
    TwoFloats(fn(f64, f64) -> f64),
    /// A function of any number of floats.
    Floats(fn(&[f64]) -> f64),
    /// A test of a float.
    Predicate(fn(f64) -> bool),
    /// A function of the machine, the positional arguments and the keyword arguments.
    Values(fn(&mut Machine, &[Value], KeywordArguments<'_>) -> ExecResult),
}

/// The implementation of a library function with named parameters in the reference interpreter.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamedImplementation {
    /// A function of the machine and the bound arguments.
    Bound(fn(&mut Machine, &BoundArguments<'_>) -> ExecResult),
    /// A function of `numpy`; a call costs [`BUILTIN`](cost::BUILTIN) twice.
    Numpy(NumpyImplementation),
}

/// The form of a library function in the fast engine, which computes floats only.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(feature = "native"),
    allow(dead_code, reason = "only machine code tells the functions of one float apart")
)]
pub(crate) enum FastForm {
    /// The square root.
    Sqrt,
    /// The absolute value.
    Abs,
    /// The product with a constant.
    Factor(f64),
    /// A function that machine code calls with the bits of its argument.
    Call(extern "C" fn(u64, u64) -> u64),
    /// The Euclidean norm of two numbers.
    Hypot,
}

/// The form in analyses of a built-in function or class whose result depends on its arguments; type inference, the fast engine and the
/// lints match on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinForm {
    /// `abs`
    Absolute,
    /// `all` and `any`
    Quantifier {
        /// Whether it is `any`.
        is_any: bool,
    },
    /// `type`
    ClassOf,
    /// `enumerate`
    Enumerate,
    /// `filter`
    Filter,
    /// `min` and `max`
    Extreme {
        /// Whether it is `max`.
        is_max: bool,
    },
    /// `isinstance`
    IsInstance,
    /// `iter`
    Iterator,
    /// `len`
    Length,
    /// `next`
    Next,
    /// `range`
    Range,
    /// `reversed`
    Reversed,
    /// `sorted`
    Sorted,
    /// `sum`
    Sum,
    /// `bool`
    ToBool,
    /// `dict`
    ToDict,
    /// `float`
    ToFloat,
    /// `int`
    ToInt,
    /// `list`
    ToList,
    /// `set` and `frozenset`
    ToSet,
    /// `str`
    ToText,
    /// `tuple`
    ToTuple,
    /// `zip`
    Zip,
}

impl BuiltinForm {
    /// Returns the form of a built-in class that programs call.
    pub(super) fn of_class(class: Type) -> Option<Self> {
        match class {
            Type::Bool => Some(Self::ToBool),
            Type::Dict => Some(Self::ToDict),
            Type::Float => Some(Self::ToFloat),
            Type::Int => Some(Self::ToInt),
            Type::Library(class) if *class == super::library_class::FROZEN_SET => Some(Self::ToSet),
            Type::List => Some(Self::ToList),
            Type::Range => Some(Self::Range),
            Type::Set => Some(Self::ToSet),
            Type::Str => Some(Self::ToText),
            Type::Tuple => Some(Self::ToTuple),
            Type::Type => Some(Self::ClassOf),
            _ => None,
        }
    }

    /// Whether a call with `count` positional arguments raises an exception if one of them is `None`.
    pub fn rejects_none(self, count: usize) -> bool {
        match self {
            Self::Absolute | Self::Length | Self::Sum | Self::ToFloat | Self::ToInt => true,
            Self::Extreme { .. } => count > 1,
            _ => false,
        }
    }
}

/// Returns the [`FastForm::Call`] of a method of `f64`.
macro_rules! float_call {
    ($name:ident) => {{
        extern "C" fn call(a: u64, _: u64) -> u64 {
            f64::from_bits(a).$name().to_bits()
        }
        FastForm::Call(call)
    }};
}
pub(super) use float_call;

// Each row is a static with a name of its own. The hash is that of the name, because addresses differ between runs.
impl PartialEq for LibraryFunction {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for LibraryFunction {}

impl std::hash::Hash for LibraryFunction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl LibraryFunction {
    /// Returns a function with `min` to `max` positional arguments.
    pub(super) const fn new(name: &'static str, min: usize, max: usize, implementation: Implementation) -> Self {
        Self::with_signature(name, Signature::Positional { min, max, has_keywords: false, implementation })
    }

    /// Returns a function that binds its arguments itself.
    pub(super) const fn custom(
        name: &'static str,
        call: fn(&mut Machine, &[Value], KeywordArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::with_signature(name, Signature::Custom(call))
    }

    /// Returns a function of one positional argument.
    pub(super) const fn unary(
        name: &'static str,
        call: fn(&mut Machine, &[Value], KeywordArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::new(name, 1, 1, Implementation::Values(call))
    }

    /// Returns a function with named parameters.
    pub(super) const fn named(
        name: &'static str,
        parameters: NamedParameters<'static>,
        call: fn(&mut Machine, &BoundArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::with_signature(name, Signature::Named(parameters, NamedImplementation::Bound(call)))
    }

    /// Returns a function of `numpy` with named parameters.
    pub(super) const fn numpy(
        name: &'static str,
        parameters: NamedParameters<'static>,
        implementation: NumpyImplementation,
    ) -> Self {
        Self::with_signature(name, Signature::Named(parameters, NamedImplementation::Numpy(implementation)))
    }

    const fn with_signature(name: &'static str, signature: Signature) -> Self {
        Self {
            name,
            short_name: last_segment(name),
            signature,
            result: ResultType::Any,
            accuracy: Accuracy::Exact,
            float32_ulps: None,
            has_layout_dependent_sum: false,
            reads_only: false,
            fast: None,
            form: None,
        }
    }

    /// Returns a function of one float.
    pub(super) const fn of_float(name: &'static str, compute: fn(f64) -> f64) -> Self {
        Self::new(name, 1, 1, Implementation::Float(compute))
    }

    /// Returns a function of two floats.
    pub(super) const fn of_floats(name: &'static str, compute: fn(f64, f64) -> f64) -> Self {
        Self::new(name, 2, 2, Implementation::TwoFloats(compute))
    }

    /// Adds keyword arguments that the implementation binds.
    pub(super) const fn with_keywords(mut self) -> Self {
        match &mut self.signature {
            Signature::Positional { has_keywords, .. } => *has_keywords = true,
            Signature::Custom(_) | Signature::Named(..) => panic!("the function has no positional parameters"),
        }
        self
    }

    pub(super) const fn with_accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }

    pub(super) const fn with_float32_ulps(mut self, units: u8) -> Self {
        self.float32_ulps = Some(units);
        self
    }

    pub(super) const fn with_layout_dependent_sum(mut self) -> Self {
        self.has_layout_dependent_sum = true;
        self
    }

    pub(super) const fn with_result(mut self, result: ResultType) -> Self {
        self.result = result;
        self
    }

    /// Sets the result to a float from `min` to `max`.
    pub(super) const fn with_range(self, min: f64, max: f64) -> Self {
        self.with_result(ResultType::Float { min, max })
    }

    pub(super) const fn with_fast(mut self, form: FastForm) -> Self {
        self.fast = Some(form);
        self
    }

    pub(super) const fn with_form(mut self, form: BuiltinForm) -> Self {
        self.form = Some(form);
        self
    }

    pub(super) const fn reading_only(mut self) -> Self {
        self.reads_only = true;
        self
    }

    /// Returns the name within its module, such as `hypot`.
    pub fn short_name(&self) -> &'static str {
        self.short_name
    }

    /// Returns the name of its module, such as `math`; `None` for built-in functions.
    pub(crate) fn module(&self) -> Option<&'static str> {
        self.name.strip_suffix(self.short_name)?.strip_suffix('.')
    }

    /// Whether the numbers of parameters fit each other.
    #[cfg(test)]
    pub(super) fn has_consistent_parameters(&self) -> bool {
        match &self.signature {
            Signature::Custom(_) => true,
            Signature::Positional { min, max, .. } => min <= max,
            Signature::Named(parameters, _) => parameters.is_consistent(),
        }
    }

    /// Whether the function is a universal function of two arrays of numpy.
    pub(super) fn is_ufunc_of_two(&self) -> bool {
        matches!(
            self.signature,
            Signature::Named(
                _,
                NamedImplementation::Numpy(NumpyImplementation::Binary(_) | NumpyImplementation::Operator(_))
            )
        )
    }

    /// Returns the function of one float that the fast engine computes.
    pub(crate) fn float_function(&self) -> Option<fn(f64) -> f64> {
        match self.signature {
            Signature::Positional { implementation: Implementation::Float(compute), .. } => Some(compute),
            _ => None,
        }
    }
}

/// Returns the row of a table with a name.
pub(super) const fn function_of(table: &'static [LibraryFunction], name: &str) -> &'static LibraryFunction {
    let mut index = 0;
    while index < table.len() {
        if is_same_name(table[index].name, name) {
            return &table[index];
        }
        index += 1;
    }
    panic!("the table has no such function")
}

/// Compares two names; the comparison of strings is not available in constants.
pub(super) const fn is_same_name(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Returns the last segment of a dotted name.
pub(super) const fn last_segment(name: &'static str) -> &'static str {
    let mut start = name.len();
    while start > 0 && name.as_bytes()[start - 1] != b'.' {
        start -= 1;
    }
    name.split_at(start).1
}

impl Machine {
    /// Calls a function of a table.
    pub(super) fn call_builtin(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.charge(cost::BUILTIN)?;
        match function.signature {
            Signature::Custom(call) => call(self, arguments, named),
            Signature::Named(ref parameters, implementation) => {
                self.call_with_names(function, parameters, implementation, arguments, named)
            }
            Signature::Positional { min, max, has_keywords, implementation } => {
                if !has_keywords {
                    self.reject_keywords(function.name, named)?;
                }
                if (min, max) == (1, 1) {
                    self.single_argument(function.name, arguments, &[])?;
                } else {
                    self.check_arity(function.short_name(), arguments.len(), min, max)?;
                }
                self.call_with_positions(implementation, arguments, named)
            }
        }
    }

    /// Calls a function with positional parameters; the number of arguments fits them.
    fn call_with_positions(
        &mut self,
        implementation: Implementation,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        match implementation {
            Implementation::Values(call) => call(self, arguments, named),
            Implementation::Predicate(holds) => Ok(Value::Bool(holds(self.float_argument(arguments[0])?))),
            Implementation::Float(compute) => {
                let number = self.float_argument(arguments[0])?;
                self.float_result(&[number], compute(number))
            }
            Implementation::TwoFloats(compute) => {
                let numbers = [self.float_argument(arguments[0])?, self.float_argument(arguments[1])?];
                self.float_result(&numbers, compute(numbers[0], numbers[1]))
            }
            Implementation::Floats(compute) => {
                let mut numbers = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    numbers.push(self.float_argument(argument)?);
                }
                let value = compute(&numbers);
                self.float_result(&numbers, value)
            }
        }
    }

    fn call_with_names(
        &mut self,
        function: &LibraryFunction,
        parameters: &NamedParameters<'static>,
        implementation: NamedImplementation,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if matches!(implementation, NamedImplementation::Numpy(_)) {
            self.charge(cost::BUILTIN)?;
        }
        if let NamedImplementation::Numpy(implementation) = implementation
            && parameters.is_of_ufunc()
            && (!named.is_empty() || arguments.len() > parameters.count())
        {
            return self.call_ufunc_with_output(function.short_name(), (parameters, implementation), arguments, named);
        }
        let bound = self.bind_parameters(function.short_name(), parameters, arguments, named)?;
        match implementation {
            NamedImplementation::Bound(call) => call(self, &bound),
            NamedImplementation::Numpy(implementation) => self.call_numpy_function(implementation, &bound),
        }
    }

    /// Returns the result of a function of floats; raises `ValueError` for a result that is not a number, and `OverflowError` for an
    /// infinite one, unless an argument is.
    fn float_result(&mut self, numbers: &[f64], value: f64) -> ExecResult {
        if value.is_nan() && numbers.iter().all(|number| !number.is_nan()) {
            return Err(self.domain_error());
        }
        if value.is_infinite() && numbers.iter().all(|number| number.is_finite()) {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        Ok(Value::Float(value))
    }

    pub(super) fn domain_error(&mut self) -> ExecError {
        self.raise(ExceptionKind::ValueError, "math domain error")
    }
}
