//! Exceptions: their classes, what they say, and where they came from.

use std::sync::Arc;

use indexmap::IndexMap;

use super::Machine;
use super::value::{Cell, Ref, Type, Value};
use crate::code::Symbol;

/// Declares the exceptions that are built in, each with its base.
macro_rules! kinds {
    ($($name:ident: $base:ident;)*) => {
        /// An exception that is built in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum ExceptionKind {
            BaseException,
            $($name,)*
        }

        impl ExceptionKind {
            /// All of them.
            pub(crate) const ALL: &'static [Self] = &[Self::BaseException, $(Self::$name,)*];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    Self::BaseException => "BaseException",
                    $(Self::$name => stringify!($name),)*
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

kinds! {
    Exception: BaseException;
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
}

impl ExceptionKind {
    /// Whether it belongs to a library, and is no name that every program has.
    pub(crate) fn is_of_library(self) -> bool {
        matches!(self, Self::AxisError | Self::FrozenInstanceError)
    }

    pub(crate) fn is_a(self, other: Self) -> bool {
        std::iter::successors(Some(self), |kind| kind.base()).any(|kind| kind == other)
    }
}

/// Whether an exception of this name is built in.
pub(crate) fn is_built_in(name: &str) -> bool {
    ExceptionKind::ALL.iter().any(|kind| kind.name() == name)
}

/// An exception that was made.
#[derive(Debug, Clone)]
pub(crate) struct Exception {
    pub(crate) kind: ExceptionKind,
    /// Its class, if the program defines it.
    pub(crate) class: Option<Ref>,
    pub(crate) arguments: Vec<Value>,
    /// What the program set on it.
    pub(crate) fields: IndexMap<Symbol, Value>,
    /// Where it passed, innermost first.
    pub(crate) traceback: Vec<Place>,
    pub(crate) cause: Option<Value>,
    /// The one that was being handled when it was raised.
    pub(crate) context: Option<Ref>,
}

impl Exception {
    /// Tells every value that it holds.
    pub(super) fn parts(&self, tell: &mut dyn FnMut(Value)) {
        self.arguments.iter().chain(&self.cause).chain(self.fields.values()).for_each(|&value| tell(value));
        self.class.iter().chain(&self.context).for_each(|&at| tell(Value::Ref(at)));
    }
}

/// A line of a traceback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1 on.
    pub line: u32,
    /// The function.
    pub function: Arc<str>,
    /// The byte of the text at which what was being computed begins.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
}

/// An exception that led to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// The name of its class.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// Where it passed, outermost first.
    pub traceback: Vec<Place>,
    /// Whether the next one was raised from it, not only while it was being handled.
    pub is_cause: bool,
}

/// What ends a run before it returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An exception.
    Raised(Ref),
    /// The budget is used up, of this.
    Exhausted(Resource),
}

/// What a budget is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Work.
    Work,
    /// Memory.
    Memory,
    /// Calls that are open at once.
    Calls,
    /// What is printed.
    Printed,
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Work => "too much work",
            Self::Memory => "too much memory",
            Self::Calls => "too many open calls",
            Self::Printed => "too much printed",
        })
    }
}

/// What comes of anything that may fault.
pub(crate) type Outcome<T = Value> = Result<T, Fault>;

impl Machine<'_> {
    pub(super) fn exception_matches(&mut self, exception: Value, class: Value) -> Outcome<bool> {
        let classes = match class {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Tuple(classes) => classes.to_vec(),
                _ => vec![class],
            },
            _ => vec![class],
        };
        let base = Value::Type(Type::Exception(ExceptionKind::BaseException));
        let own = self.class_of(exception);
        // All are looked at before any of them counts.
        for &class in &classes {
            if !self.is_class(class) || !self.derives(class, base)? {
                let message = "catching classes that do not inherit from BaseException is not allowed";
                return Err(self.type_error(message));
            }
        }
        for class in classes {
            if self.derives(own, class)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What `raise` raises.
    pub(super) fn raise_statement(&mut self, parts: &[Value]) -> Fault {
        let Some(&first) = parts.first() else {
            let handled = self.frames.iter().rev().find_map(|frame| frame.handling.last().copied());
            return match handled {
                Some(at) => Fault::Raised(at),
                None => self.raise(ExceptionKind::RuntimeError, "No active exception to reraise"),
            };
        };
        let mut raised = first;
        let is_class = matches!(first, Value::Type(Type::Exception(_)))
            || matches!(first, Value::Ref(at) if matches!(self.heap.get(at), Cell::Class(_)));
        if is_class {
            match self.call_value(first, &[], &[]) {
                Ok(value) => raised = value,
                Err(fault) => return fault,
            }
        }
        let cause = match parts.get(1).map(|&cause| self.cause(cause)) {
            Some(Err(fault)) => return fault,
            Some(Ok(cause)) => Some(cause),
            None => None,
        };
        let Value::Ref(at) = raised else { return self.type_error("exceptions must derive from BaseException") };
        let context = self.frames.iter().rev().find_map(|frame| frame.handling.last().copied());
        match self.heap.get_mut(at) {
            Cell::Exception(exception) => {
                exception.context = context.filter(|&context| context != at);
                exception.cause = cause;
                Fault::Raised(at)
            }
            _ => self.type_error("exceptions must derive from BaseException"),
        }
    }

    /// What an exception is raised from: another one, which is made of a class, or nothing.
    fn cause(&mut self, cause: Value) -> Outcome {
        let base = Value::Type(Type::Exception(ExceptionKind::BaseException));
        let made =
            if self.is_class(cause) && self.derives(cause, base)? { self.call_value(cause, &[], &[])? } else { cause };
        match made {
            Value::None => Ok(made),
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Exception(_)) => Ok(made),
            _ => Err(self.type_error("exception causes must derive from BaseException")),
        }
    }

    /// A new exception that is built in.
    pub(super) fn new_exception(&mut self, kind: ExceptionKind, arguments: &[Value]) -> Value {
        let exception = Exception {
            kind,
            class: None,
            arguments: arguments.to_vec(),
            fields: indexmap::IndexMap::new(),
            traceback: Vec::new(),
            cause: None,
            context: None,
        };
        Value::Ref(self.heap.add(Cell::Exception(Box::new(exception))))
    }
}
