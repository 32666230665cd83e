//! Named parameters of library functions, and the binding of arguments to them.

use smallvec::SmallVec;

use super::Machine;
use super::call::{KeywordArguments, missing_arguments_message, too_many_arguments_message};
use super::exceptions::{ExecError, ExecResult};
use super::value::Value;

/// Parameters that are passed by position or by keyword.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedParameters<'n> {
    names: &'n [&'n str],
    /// The number of parameters without defaults, which are the first ones.
    required: usize,
    /// The number of parameters that are passed by position only, which are the first ones.
    positional_only: usize,
    /// The number of parameters that are passed by keyword only, which are the last ones.
    keyword_only: usize,
    /// Whether messages count the receiver of a method as an argument.
    has_receiver: bool,
    origin: Origin,
}

/// The origin of a function in CPython or numpy, which determines the messages for arguments that do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A function that is written in Python.
    Python,
    /// A function that is written in C.
    C,
    /// A class or function that is written in C, whose parameters are passed by position.
    PositionalC,
    /// A function of numpy that is written in C.
    NumpyC,
    /// A universal function of numpy, whose parameters are passed by position.
    Ufunc,
}

impl<'n> NamedParameters<'n> {
    /// Returns parameters that are all required.
    pub(super) const fn new(origin: Origin, names: &'n [&'n str]) -> Self {
        let positional_only = if matches!(origin, Origin::Ufunc | Origin::PositionalC) { names.len() } else { 0 };
        Self { names, required: names.len(), positional_only, keyword_only: 0, has_receiver: false, origin }
    }

    /// Sets the number of parameters without defaults.
    pub(super) const fn with_required(mut self, count: usize) -> Self {
        assert!(count <= self.names.len(), "there are not that many parameters");
        self.required = count;
        self
    }

    /// Sets the number of first parameters that are passed by position only.
    pub(super) const fn with_positional_only(mut self, count: usize) -> Self {
        assert!(count <= self.names.len(), "there are not that many parameters");
        self.positional_only = count;
        self
    }

    /// Sets the number of last parameters that are passed by keyword only.
    pub(super) const fn with_keyword_only(mut self, count: usize) -> Self {
        assert!(count <= self.names.len(), "there are not that many parameters");
        self.keyword_only = count;
        self
    }

    /// Makes the function a method, whose receiver messages count as an argument.
    pub(super) const fn with_receiver(mut self) -> Self {
        self.has_receiver = true;
        self
    }

    /// Whether the function is a universal function of numpy.
    pub(super) const fn is_of_ufunc(&self) -> bool {
        matches!(self.origin, Origin::Ufunc)
    }

    /// Returns the number of parameters.
    pub(super) const fn count(&self) -> usize {
        self.names.len()
    }

    /// Whether the function is written in Python, so that messages qualify its name.
    pub(super) const fn is_of_python(&self) -> bool {
        matches!(self.origin, Origin::Python)
    }

    /// Whether the names differ and the numbers of parameters fit each other.
    #[cfg(test)]
    pub(super) fn is_consistent(&self) -> bool {
        let is_unique = self.names.iter().enumerate().all(|(index, name)| !self.names[..index].contains(name));
        is_unique && self.required <= self.positional_count() && self.positional_only <= self.positional_count()
    }

    fn positional_count(&self) -> usize {
        self.names.len() - self.keyword_only
    }

    /// Returns the index of the parameter that a keyword denotes.
    fn find(&self, keyword: &str) -> Option<usize> {
        let index = self.names.iter().position(|&name| name == keyword);
        index.filter(|&index| index >= self.positional_only)
    }
}

/// The arguments of a call, bound to the parameters of a library function.
#[derive(Debug)]
pub(super) struct BoundArguments<'f> {
    /// The name of the function within its module.
    pub(super) function: &'f str,
    values: SmallVec<[Option<Value>; 4]>,
    /// The number of arguments that were passed by position.
    pub(super) positional_count: usize,
}

impl BoundArguments<'_> {
    /// Returns the argument of a required parameter.
    pub(super) fn required(&self, index: usize) -> Value {
        self.values[index].unwrap_or_else(|| unreachable!("parameter {index} of {} is not required", self.function))
    }

    /// Returns the argument of a parameter; `None` if it was omitted.
    pub(super) fn get(&self, index: usize) -> Option<Value> {
        self.values[index]
    }

    /// Returns the argument of a parameter; `None` if it was omitted or is Python's `None`.
    pub(super) fn given(&self, index: usize) -> Option<Value> {
        self.values[index].filter(|value| !matches!(value, Value::None))
    }
}

impl Machine {
    /// Binds arguments to parameters.
    ///
    /// # Errors
    /// `TypeError` if they do not fit.
    pub(super) fn bind_parameters<'f>(
        &mut self,
        function: &'f str,
        parameters: &NamedParameters<'_>,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<BoundArguments<'f>> {
        let mut values: SmallVec<[Option<Value>; 4]> = arguments.iter().copied().map(Some).collect();
        match parameters.origin {
            Origin::Ufunc => self.check_ufunc_arguments(function, parameters, arguments, named)?,
            Origin::PositionalC => {
                self.reject_keywords(function, named)?;
                self.check_arity(function, arguments.len(), parameters.required, parameters.names.len())?;
            }
            Origin::C => self.check_c_argument_count(function, parameters, arguments.len(), named.len())?,
            Origin::NumpyC if arguments.len() > parameters.positional_count() => {
                return Err(self.too_many_arguments(function, parameters, arguments.len(), 0));
            }
            Origin::NumpyC | Origin::Python => {}
        }
        values.truncate(parameters.positional_count());
        values.resize(parameters.names.len(), None);
        let mut conflict = None;
        for &(symbol, value) in named {
            let keyword = self.name(symbol);
            match parameters.find(&keyword) {
                Some(index) if values[index].is_none() => values[index] = Some(value),
                index if conflict.is_none() => conflict = Some((keyword, index)),
                _ => {}
            }
        }
        // Functions in C look for their required arguments first.
        if parameters.origin == Origin::C {
            self.check_required(function, parameters, &values)?;
        }
        if let Some((keyword, index)) = conflict {
            return Err(self.keyword_conflict(function, parameters.origin, &keyword, index));
        }
        if arguments.len() > parameters.positional_count() && parameters.origin == Origin::Python {
            let keyword_only = values[parameters.positional_count()..].iter().flatten().count();
            return Err(self.too_many_arguments(function, parameters, arguments.len(), keyword_only));
        }
        self.check_required(function, parameters, &values)?;
        Ok(BoundArguments { function, values, positional_count: arguments.len() })
    }

    /// Binds arguments to the parameters of a function that is written in C; the first `required` parameters have no defaults.
    pub(super) fn bind_library_arguments<const N: usize>(
        &mut self,
        function: &str,
        parameter_names: [&str; N],
        required: usize,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<[Option<Value>; N]> {
        let parameters = NamedParameters::new(Origin::C, &parameter_names).with_required(required);
        let bound = self.bind_parameters(function, &parameters, arguments, named)?;
        Ok(std::array::from_fn(|index| bound.get(index)))
    }

    fn check_ufunc_arguments(
        &mut self,
        function: &str,
        parameters: &NamedParameters<'_>,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        let (count, inputs) = (arguments.len(), parameters.names.len());
        if !(inputs..=inputs + 1).contains(&count) {
            let message = format!(
                "{function}() takes from {inputs} to {} positional arguments but {count} were given",
                inputs + 1
            );
            return Err(self.type_error(&message));
        }
        if let Some(&(symbol, _)) = named.first() {
            let keyword = self.name(symbol);
            return Err(self.keyword_conflict(function, Origin::Ufunc, &keyword, None));
        }
        Ok(())
    }

    /// Checks the number of the arguments of a function that is written in C.
    fn check_c_argument_count(
        &mut self,
        function: &str,
        parameters: &NamedParameters<'_>,
        positional: usize,
        named: usize,
    ) -> ExecResult<()> {
        let (required, limit) = (parameters.required.min(parameters.positional_only), parameters.positional_count());
        let (bound, limit, kind, count) = if positional + named > parameters.names.len() {
            ("at most", parameters.names.len(), "", positional + named)
        } else if positional > limit {
            ("at most", limit, "positional ", positional)
        } else if positional < required {
            (if required < limit { "at least" } else { "exactly" }, required, "positional ", positional)
        } else {
            return Ok(());
        };
        let plural = if limit == 1 { "" } else { "s" };
        let message = format!("{function}() takes {bound} {limit} {kind}argument{plural} ({count} given)");
        Err(self.type_error(&message))
    }

    fn check_required(
        &mut self,
        function: &str,
        parameters: &NamedParameters<'_>,
        values: &[Option<Value>],
    ) -> ExecResult<()> {
        let missing = parameters.names[..parameters.required].iter().zip(values).enumerate();
        let missing = missing.filter(|(_, (_, value))| value.is_none()).map(|(index, (&name, _))| (index, name));
        let missing: SmallVec<[(usize, &str); 4]> = missing.collect();
        let Some(&(index, name)) = missing.first() else { return Ok(()) };
        let message = match parameters.origin {
            Origin::C => format!("{function}() missing required argument '{name}' (pos {})", index + 1),
            Origin::NumpyC => format!("{function}() missing required argument '{name}' (pos {index})"),
            Origin::Python | Origin::PositionalC | Origin::Ufunc => {
                let names: Vec<&str> = missing.iter().map(|&(_, name)| name).collect();
                missing_arguments_message(function, "positional", &names)
            }
        };
        Err(self.type_error(&message))
    }

    fn too_many_arguments(
        &mut self,
        function: &str,
        parameters: &NamedParameters<'_>,
        count: usize,
        keyword_only: usize,
    ) -> ExecError {
        let receiver = usize::from(parameters.has_receiver);
        let limit = parameters.positional_count() + receiver;
        let optional = parameters.positional_count() - parameters.required;
        self.type_error(&too_many_arguments_message(function, limit, optional, count + receiver, keyword_only))
    }

    /// Creates the error for a keyword of no parameter, or of the parameter at `index`, which has an argument already.
    fn keyword_conflict(&mut self, function: &str, origin: Origin, keyword: &str, index: Option<usize>) -> ExecError {
        let message = match (index, origin) {
            (None, Origin::C) => format!("'{keyword}' is an invalid keyword argument for {function}()"),
            (None, _) => format!("{function}() got an unexpected keyword argument '{keyword}'"),
            (Some(index), Origin::C) => {
                format!("argument for {function}() given by name ('{keyword}') and position ({})", index + 1)
            }
            (Some(index), Origin::NumpyC) => {
                format!("argument for {function}() given by name ('{keyword}') and position (position {index})")
            }
            (Some(_), _) => format!("{function}() got multiple values for argument '{keyword}'"),
        };
        self.type_error(&message)
    }
}
