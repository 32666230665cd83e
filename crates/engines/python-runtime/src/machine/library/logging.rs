//! Functions of `logging` and `warnings`: messages are counted and not shown.

use std::fmt::Write as _;

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::{LibraryFunction as Function, ResultType};
use crate::machine::methods::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapObject, Type, Value};

use super::LibraryObject;

/// The levels of messages with their names; those without a name of their own are not constants of the module.
static LEVELS: [(&str, i64); 6] =
    [("NOTSET", 0), ("DEBUG", 10), ("INFO", 20), ("WARNING", 30), ("ERROR", 40), ("CRITICAL", 50)];

/// The level from which on messages are shown if no other one is set.
const DEFAULT_LEVEL: i64 = 30;

/// The name of the root logger.
const ROOT: &str = "root";

/// The constants of `logging`.
pub(super) static LOGGING_VALUES: [(&str, Value); 9] = [
    ("CRITICAL", Value::Int(50)),
    ("DEBUG", Value::Int(10)),
    ("ERROR", Value::Int(40)),
    ("FATAL", Value::Int(50)),
    ("INFO", Value::Int(20)),
    ("Logger", Value::Type(Type::Library(&super::object::LOGGER))),
    ("NOTSET", Value::Int(0)),
    ("WARN", Value::Int(30)),
    ("WARNING", Value::Int(30)),
];

/// Returns a function that takes a message, which is not shown.
macro_rules! message {
    ($name:literal, $level:literal) => {
        Function::custom(concat!("logging.", $name), |m, a, _| m.log_message($name, $level, a))
    };
}

/// The functions of `logging`, in the order of their names.
pub(in crate::machine) static LOGGING_FUNCTIONS: [Function; 12] = [
    Function::custom("logging.basicConfig", |m, _, named| m.configure_logging(named)),
    message!("critical", 50),
    message!("debug", 10),
    Function::named("logging.disable", NamedParameters::new(Origin::Python, &["level"]).with_required(0), |_, _| {
        Ok(Value::None)
    }),
    message!("error", 40),
    message!("exception", 40),
    Function::named(
        "logging.getLevelName",
        NamedParameters::new(Origin::Python, &["level"]),
        Machine::name_of_log_level,
    ),
    Function::named("logging.getLogger", NamedParameters::new(Origin::Python, &["name"]).with_required(0), |m, b| {
        match b.given(0) {
            Some(name) => match m.as_text(name) {
                Some(name) => Ok(m.logger(&name)),
                None => Err(m.type_error("A logger name must be a string")),
            },
            None => Ok(m.logger(ROOT)),
        }
    }),
    message!("info", 20),
    Function::custom("logging.log", |m, a, _| match a {
        [level, message @ ..] => {
            let level = m.as_index(*level)?;
            m.log_message("log", level, message)
        }
        [] => Err(m.type_error("log() missing 2 required positional arguments: 'level' and 'msg'")),
    }),
    message!("warn", 30),
    message!("warning", 30),
];

/// The functions of `traceback`, in the order of their names.
pub(in crate::machine) static TRACEBACK_FUNCTIONS: [Function; 5] = [
    Function::named("traceback.format_exc", optional(&["limit", "chain"]), |m, _| {
        let text = match m.handled_exception() {
            Some(exception) => m.exception_lines(exception)?,
            None => "NoneType: None\n".to_owned(),
        };
        Ok(m.heap.text(&text))
    })
    .with_result(ResultType::Text),
    Function::named("traceback.format_exception_only", EXCEPTION, |m, b| {
        let exception = b.get(1).unwrap_or_else(|| b.required(0));
        let line = m.exception_line(exception)?;
        let line = m.heap.text(&line);
        Ok(m.heap.list(vec![line]))
    }),
    Function::named("traceback.print_exc", optional(&["limit", "file", "chain"]), |m, _| {
        m.count_hidden_message("traceback");
        Ok(Value::None)
    })
    .with_result(ResultType::None),
    Function::custom("traceback.print_exception", |m, _, _| {
        m.count_hidden_message("traceback");
        Ok(Value::None)
    })
    .with_result(ResultType::None),
    Function::named("traceback.print_stack", optional(&["f", "limit", "file"]), |m, _| {
        m.count_hidden_message("traceback");
        Ok(Value::None)
    })
    .with_result(ResultType::None),
];

const EXCEPTION: NamedParameters<'static> =
    NamedParameters::new(Origin::Python, &["exc", "value"]).with_required(1).with_positional_only(1);

/// Returns parameters that all have defaults.
const fn optional(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_required(0)
}

/// Returns the parameters of a method that is written in Python.
const fn method(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_receiver()
}

/// The methods of loggers.
pub(super) static LOGGER_METHODS: [Row; 16] = [
    Row::named("Logger.addFilter", method(&["filter"]), |_, _, _| Ok(Value::None)).with_result(ResultType::None),
    Row::named("Logger.addHandler", method(&["hdlr"]), |_, _, _| Ok(Value::None)).with_result(ResultType::None),
    Row::custom("Logger.critical", |m, receiver, arguments, named| {
        m.log_to(receiver, "critical", 50, (arguments, named))
    })
    .with_result(ResultType::None),
    Row::custom("Logger.debug", |m, receiver, arguments, named| m.log_to(receiver, "debug", 10, (arguments, named)))
        .with_result(ResultType::None),
    Row::custom("Logger.error", |m, receiver, arguments, named| m.log_to(receiver, "error", 40, (arguments, named)))
        .with_result(ResultType::None),
    Row::custom("Logger.exception", |m, receiver, arguments, named| {
        m.log_to(receiver, "exception", 40, (arguments, named))
    })
    .with_result(ResultType::None),
    Row::named("Logger.getChild", method(&["suffix"]), |m, receiver, b| m.child_logger(receiver, b.required(0))),
    Row::named("Logger.getEffectiveLevel", method(&[]), |m, receiver, _| Ok(Value::Int(m.effective_level(receiver))))
        .with_result(ResultType::Count),
    Row::named("Logger.hasHandlers", method(&[]), |_, _, _| Ok(Value::Bool(false))).with_result(ResultType::Bool),
    Row::custom("Logger.info", |m, receiver, arguments, named| m.log_to(receiver, "info", 20, (arguments, named)))
        .with_result(ResultType::None),
    Row::named("Logger.isEnabledFor", method(&["level"]), |m, receiver, b| {
        let effective = m.effective_level(receiver);
        Ok(Value::Bool(m.as_index(b.required(0))? >= effective))
    })
    .with_result(ResultType::Bool),
    Row::custom("Logger.log", |m, receiver, arguments, _| {
        let [level, _, ..] = arguments else {
            return Err(m.type_error("Logger.log() missing 1 required positional argument: 'msg'"));
        };
        if m.as_index(*level)? >= m.effective_level(receiver) {
            m.count_hidden_message("logging");
        }
        Ok(Value::None)
    })
    .with_result(ResultType::None),
    Row::named("Logger.removeHandler", method(&["hdlr"]), |_, _, _| Ok(Value::None)).with_result(ResultType::None),
    Row::named("Logger.setLevel", method(&["level"]), |m, receiver, b| {
        let level = m.log_level(b.required(0))?;
        m.set_log_level(receiver, level);
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Changes)
    .with_result(ResultType::None),
    Row::custom("Logger.warn", |m, receiver, arguments, named| m.log_to(receiver, "warn", 30, (arguments, named)))
        .with_result(ResultType::None),
    Row::custom("Logger.warning", |m, receiver, arguments, named| {
        m.log_to(receiver, "warning", 30, (arguments, named))
    })
    .with_result(ResultType::None),
];

/// The functions of `warnings`, in the order of their names.
pub(in crate::machine) static WARNINGS_FUNCTIONS: [Function; 4] = [
    Function::named(
        "warnings.filterwarnings",
        NamedParameters::new(Origin::Python, &["action", "message", "category", "module", "lineno", "append"])
            .with_required(1),
        Machine::filter_warnings,
    ),
    Function::named("warnings.resetwarnings", NamedParameters::new(Origin::Python, &[]), |_, _| Ok(Value::None)),
    Function::named(
        "warnings.simplefilter",
        NamedParameters::new(Origin::Python, &["action", "category", "lineno", "append"]).with_required(1),
        Machine::filter_warnings,
    ),
    Function::named(
        "warnings.warn",
        NamedParameters::new(Origin::C, &["message", "category", "stacklevel", "source"]).with_required(1),
        Machine::warn_by_program,
    ),
];

/// Returns the name of a level of messages.
pub(super) fn level_name(level: i64) -> String {
    let named = LEVELS.iter().find(|&&(_, other)| other == level);
    named.map_or_else(|| format!("Level {level}"), |&(name, _)| name.to_owned())
}

impl Machine {
    /// Returns the logger with a name, the same one until the next reset.
    fn logger(&mut self, name: &str) -> Value {
        let symbol = self.intern(name);
        if let Some(logger) = self.modules.logger(symbol) {
            return logger;
        }
        let level = if name == ROOT { DEFAULT_LEVEL } else { 0 };
        let logger = self.new_library_object(LibraryObject::Logger(symbol, level));
        self.heap.keep(logger);
        self.modules.add_logger(symbol, logger);
        logger
    }

    fn level_of_root(&mut self) -> i64 {
        match self.logger(ROOT) {
            Value::Ref(at) if let Some(&LibraryObject::Logger(_, level)) = self.library_object(at) => level,
            _ => DEFAULT_LEVEL,
        }
    }

    /// Counts a message.
    fn log_message(&mut self, function: &str, level: i64, message: &[Value]) -> ExecResult {
        if message.is_empty() {
            let message = format!("{function}() missing 1 required positional argument: 'msg'");
            return Err(self.type_error(&message));
        }
        if level >= self.level_of_root() {
            self.count_hidden_message("logging");
        }
        Ok(Value::None)
    }

    /// Returns the level that a number or a name denotes.
    fn log_level(&mut self, value: Value) -> ExecResult<i64> {
        let Some(name) = self.as_text(value) else {
            if self.as_integer(value)?.is_none() {
                let message = format!("Level not an integer or a valid string: {}", self.repr(value)?);
                return Err(self.type_error(&message));
            }
            return self.as_index(value);
        };
        if let Some(&(_, level)) = LEVELS.iter().find(|&&(other, _)| other == &*name) {
            return Ok(level);
        }
        let message = format!("Unknown level: {}", self.repr(value)?);
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    fn set_log_level(&mut self, logger: Value, level: i64) {
        if let Value::Ref(at) = logger
            && let Some(LibraryObject::Logger(_, own)) = self.library_object_mut(at)
        {
            *own = level;
        }
    }

    fn configure_logging(&mut self, named: KeywordArguments<'_>) -> ExecResult {
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "level" if !matches!(value, Value::None) => {
                    let level = self.log_level(value)?;
                    let root = self.logger(ROOT);
                    self.set_log_level(root, level);
                }
                "level" | "format" | "datefmt" | "style" | "force" | "encoding" | "errors" => {}
                name => {
                    let message = format!("reward functions have no files: logging.basicConfig without `{name}`");
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
            }
        }
        Ok(Value::None)
    }

    fn name_of_log_level(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let level = bound.required(0);
        if self.as_text(level).is_some() {
            return Ok(self.log_level(level).map_or(level, Value::Int));
        }
        let level = self.as_index(level)?;
        Ok(self.heap.text(&level_name(level)))
    }

    /// Returns an attribute of a logger.
    pub(super) fn logger_attribute(&mut self, name: Symbol, level: i64, attribute: Symbol) -> Option<Value> {
        Some(match &*self.name(attribute) {
            "name" => {
                let name = self.name(name);
                self.heap.text(&name)
            }
            "level" => Value::Int(level),
            "handlers" | "filters" => self.heap.list(Vec::new()),
            "disabled" => Value::Bool(false),
            "propagate" => Value::Bool(true),
            _ => return None,
        })
    }

    /// Returns the exception that the innermost handler handles.
    fn handled_exception(&self) -> Option<crate::machine::value::HeapRef> {
        self.frames.iter().rev().find_map(|frame| frame.handled_exceptions.last().copied())
    }

    /// Returns the last line of a traceback: the class of an exception and its text.
    fn exception_line(&mut self, exception: Value) -> ExecResult<String> {
        let (class, text) = (self.class_name(exception), self.str(exception)?);
        Ok(if text.is_empty() { format!("{class}\n") } else { format!("{class}: {text}\n") })
    }

    /// Returns a traceback without the lines of the source, as CPython writes it if the source is not available.
    fn exception_lines(&mut self, exception: crate::machine::value::HeapRef) -> ExecResult<String> {
        let mut text = "Traceback (most recent call last):\n".to_owned();
        if let HeapObject::Exception(exception) = self.heap.get(exception) {
            for entry in exception.traceback.iter().rev() {
                let _ =
                    writeln!(text, "  File \"{}.py\", line {}, in {}", self.program.module, entry.line, entry.function);
            }
        }
        text += &self.exception_line(Value::Ref(exception))?;
        Ok(text)
    }

    /// Returns the level from which on a logger passes messages on.
    fn effective_level(&mut self, logger: Value) -> i64 {
        match self.library_object(bound_receiver(logger)) {
            Some(&LibraryObject::Logger(_, level)) if level != 0 => level,
            _ => self.level_of_root(),
        }
    }

    /// Implements the methods of loggers that log a message with a fixed level.
    fn log_to(
        &mut self,
        logger: Value,
        method: &str,
        level: i64,
        (arguments, named): (&[Value], KeywordArguments<'_>),
    ) -> ExecResult {
        if arguments.is_empty() && named.is_empty() {
            let message = format!("Logger.{method}() missing 1 required positional argument: 'msg'");
            return Err(self.type_error(&message));
        }
        if level >= self.effective_level(logger) {
            self.count_hidden_message("logging");
        }
        Ok(Value::None)
    }

    /// Implements `Logger.getChild(suffix)`.
    fn child_logger(&mut self, logger: Value, suffix: Value) -> ExecResult {
        let Some(&LibraryObject::Logger(name, _)) = self.library_object(bound_receiver(logger)) else {
            return Ok(Value::None);
        };
        let suffix = self.str(suffix)?;
        let own = self.name(name);
        let full = if &*own == ROOT { suffix } else { format!("{own}.{suffix}") };
        Ok(self.logger(&full))
    }

    /// Implements `warnings.simplefilter` and `warnings.filterwarnings`.
    fn filter_warnings(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let action = self.as_text(bound.required(0));
        match action.as_deref() {
            Some("default" | "always" | "ignore" | "module" | "once") => Ok(Value::None),
            Some("error") => {
                let message = "warnings are not exceptions in a reward function: raise the exception instead";
                Err(self.raise(ExceptionKind::ValueError, message))
            }
            _ => {
                let message = format!("invalid action: {}", self.repr(bound.required(0))?);
                Err(self.raise(ExceptionKind::AssertionError, &message))
            }
        }
    }

    /// Implements `warnings.warn`.
    fn warn_by_program(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        if let Some(category) = bound.given(1) {
            let warning = Value::Type(Type::Exception(ExceptionKind::Warning));
            if !self.is_class(category) || !self.is_derived_class(category, warning)? {
                let message = format!("category must be a Warning subclass, not '{}'", self.class_name(category));
                return Err(self.type_error(&message));
            }
        }
        self.count_hidden_message("warnings");
        Ok(Value::None)
    }
}
