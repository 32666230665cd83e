//! Exceptions: their classes, arguments and tracebacks.

use std::sync::Arc;

use super::Machine;
use super::value::{AttributeMap, HeapObject, HeapRef, Type, Value};

/// Declares the built-in exceptions, each with its base.
macro_rules! exception_kinds {
    ($($name:ident: $base:ident;)*) => {
        /// A built-in exception class.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum ExceptionKind {
            BaseException,
            $($name,)*
        }

        impl ExceptionKind {
            /// All built-in exception classes.
            pub(crate) const ALL: &'static [Self] = &[Self::BaseException, $(Self::$name,)*];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    Self::BaseException => "BaseException",
                    $(Self::$name => match stringify!($name) {
                        "RegexError" => "error",
                        name => name,
                    },)*
                }
            }

            pub(crate) fn base(self) -> Option<Self> {
                match self {
                    Self::BaseException => None,
                    $(Self::$name => Some(Self::$base),)*
                }
            }
        }
    };
}

exception_kinds! {
    Exception: BaseException;
    GeneratorExit: BaseException;
    ArithmeticError: Exception;
    FloatingPointError: ArithmeticError;
    OverflowError: ArithmeticError;
    ZeroDivisionError: ArithmeticError;
    AssertionError: Exception;
    AttributeError: Exception;
    ImportError: Exception;
    ModuleNotFoundError: ImportError;
    LookupError: Exception;
    IndexError: LookupError;
    KeyError: LookupError;
    NameError: Exception;
    UnboundLocalError: NameError;
    RuntimeError: Exception;
    NotImplementedError: RuntimeError;
    RecursionError: RuntimeError;
    StopIteration: Exception;
    TypeError: Exception;
    ValueError: Exception;
    UnicodeError: ValueError;
    UnicodeDecodeError: UnicodeError;
    UnicodeEncodeError: UnicodeError;
    AxisError: ValueError;
    FrozenInstanceError: AttributeError;
    JSONDecodeError: ValueError;
    LinAlgError: ValueError;
    RegexError: Exception;
    StatisticsError: ValueError;
    Warning: Exception;
    BytesWarning: Warning;
    DeprecationWarning: Warning;
    FutureWarning: Warning;
    ImportWarning: Warning;
    PendingDeprecationWarning: Warning;
    ResourceWarning: Warning;
    RuntimeWarning: Warning;
    SyntaxWarning: Warning;
    UnicodeWarning: Warning;
    UserWarning: Warning;
}

impl ExceptionKind {
    /// Returns whether the class belongs to a library and is therefore not a global name of every program.
    pub(crate) fn is_library_exception(self) -> bool {
        matches!(
            self,
            Self::AxisError
                | Self::FrozenInstanceError
                | Self::JSONDecodeError
                | Self::LinAlgError
                | Self::RegexError
                | Self::StatisticsError
        )
    }

    /// Returns whether the class is another one or is derived from it.
    pub(crate) fn is_subclass_of(self, other: Self) -> bool {
        std::iter::successors(Some(self), |kind| kind.base()).any(|kind| kind == other)
    }
}

/// Returns whether a built-in exception has this name.
pub fn is_built_in(name: &str) -> bool {
    ExceptionKind::ALL.iter().any(|kind| kind.name() == name)
}

/// An exception object.
#[derive(Debug, Clone)]
pub(crate) struct Exception {
    pub(crate) kind: ExceptionKind,
    /// Its class, if the program defines it.
    pub(crate) class: Option<HeapRef>,
    pub(crate) arguments: Vec<Value>,
    /// The attributes that the program set.
    pub(crate) fields: AttributeMap,
    /// Its traceback, innermost call first.
    pub(crate) traceback: Vec<TracebackEntry>,
    pub(crate) cause: Option<Value>,
    /// The exception that was being handled when it was raised (`__context__`).
    pub(crate) context: Option<HeapRef>,
}

impl Exception {
    /// Calls `visit` with every value that the exception refers to.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        self.arguments.iter().chain(&self.cause).chain(self.fields.values()).for_each(|&value| visit(value));
        self.class.iter().chain(&self.context).for_each(|&at| visit(Value::Ref(at)));
    }
}

/// A call on the stack when an exception was raised, with its source position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracebackEntry {
    /// The line number, starting at 1.
    pub line: u32,
    /// The name of the function.
    pub function: Arc<str>,
    /// The byte offset of the source at which the evaluated expression begins.
    pub start: u32,
    /// The byte offset at which it ends, exclusive.
    pub end: u32,
}

/// An exception that led to another one (its `__cause__` or `__context__`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainedException {
    /// The name of its class.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// Its traceback, outermost call first.
    pub traceback: Vec<TracebackEntry>,
    /// Whether it is the `__cause__` of the next exception, rather than only its `__context__`.
    pub is_cause: bool,
}

/// The reason why execution stops before it returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExecError {
    /// A raised exception.
    Raised(HeapRef),
    /// An exhausted resource of the budget.
    Exhausted(LimitedResource),
}

/// A resource that a budget limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitedResource {
    /// Units of work.
    Work,
    /// Bytes of memory.
    Memory,
    /// Nested calls.
    Calls,
    /// Bytes of printed text.
    Output,
}

impl std::fmt::Display for LimitedResource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Work => "work limit exceeded",
            Self::Memory => "memory limit exceeded",
            Self::Calls => "call depth limit exceeded",
            Self::Output => "output limit exceeded",
        })
    }
}

/// The result of an operation that may fault.
pub(crate) type ExecResult<T = Value> = Result<T, ExecError>;

impl Machine {
    /// Returns whether an `except` clause with a class or a tuple of classes handles an exception.
    pub(super) fn exception_matches(&mut self, exception: Value, class: Value) -> ExecResult<bool> {
        let classes = match class {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(classes) => classes.to_vec(),
                _ => vec![class],
            },
            _ => vec![class],
        };
        let base = Value::Type(Type::Exception(ExceptionKind::BaseException));
        let own = self.class_of(exception);
        // All classes are validated before any of them is matched.
        for &class in &classes {
            if !self.is_class(class) || !self.is_derived_class(class, base)? {
                let message = "catching classes that do not inherit from BaseException is not allowed";
                return Err(self.type_error(message));
            }
        }
        for class in classes {
            if self.is_derived_class(own, class)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the fault of a `raise` statement.
    pub(super) fn raise_statement(&mut self, parts: &[Value]) -> ExecError {
        let Some(&first) = parts.first() else {
            let handled = self.frames.iter().rev().find_map(|frame| frame.handled_exceptions.last().copied());
            return match handled {
                Some(at) => ExecError::Raised(at),
                None => self.raise(ExceptionKind::RuntimeError, "No active exception to reraise"),
            };
        };
        let mut raised = first;
        let is_class = matches!(first, Value::Type(Type::Exception(_)))
            || matches!(first, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Class(_)));
        if is_class {
            match self.call_value(first, &[], &[]) {
                Ok(value) => raised = value,
                Err(fault) => return fault,
            }
        }
        let cause = match parts.get(1).map(|&cause| self.resolve_cause(cause)) {
            Some(Err(fault)) => return fault,
            Some(Ok(cause)) => Some(cause),
            None => None,
        };
        let Value::Ref(at) = raised else { return self.type_error("exceptions must derive from BaseException") };
        let context = self.frames.iter().rev().find_map(|frame| frame.handled_exceptions.last().copied());
        match self.heap.get_mut(at) {
            HeapObject::Exception(exception) => {
                exception.context = context.filter(|&context| context != at);
                exception.cause = cause;
                ExecError::Raised(at)
            }
            _ => self.type_error("exceptions must derive from BaseException"),
        }
    }

    /// Returns the cause of an exception in `raise .. from`: an exception, instantiated if a class is given, or `None`.
    fn resolve_cause(&mut self, cause: Value) -> ExecResult {
        let base = Value::Type(Type::Exception(ExceptionKind::BaseException));
        let instance = if self.is_class(cause) && self.is_derived_class(cause, base)? {
            self.call_value(cause, &[], &[])?
        } else {
            cause
        };
        match instance {
            Value::None => Ok(instance),
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Exception(_)) => Ok(instance),
            _ => Err(self.type_error("exception causes must derive from BaseException")),
        }
    }

    /// Creates a built-in exception.
    pub(super) fn new_exception(&mut self, kind: ExceptionKind, arguments: &[Value]) -> Value {
        let exception = Exception {
            kind,
            class: None,
            arguments: arguments.to_vec(),
            fields: AttributeMap::default(),
            traceback: Vec::new(),
            cause: None,
            context: None,
        };
        Value::Ref(self.heap.add(HeapObject::Exception(Box::new(exception))))
    }
}
