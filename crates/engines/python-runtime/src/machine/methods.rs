//! Methods of built-in classes and of classes of the standard library: each is one row of the table of its class, with its parameters,
//! results, effect, cost and implementation.
//!
//! An attribute access resolves a name to a row once; a call takes the row. Type inference, the fast engine, the lints and the
//! documentation read the same rows.
//!
//! | module | contents |
//! |---|---|
//! | `row` | the type of the rows |
//! | `classes` | the tables by class, and the names that are refused |
//! | `list`, `dict`, `set`, `text`, `bytes`, `number`, `small` | the tables of built-in classes |

mod bytes;
mod classes;
mod dict;
mod list;
mod number;
mod row;
mod set;
mod small;
mod text;

use std::sync::Arc;

use super::call::KeywordArguments;
use super::exceptions::ExecResult;
use super::value::{HeapRef, Type, Value};
use super::{Machine, cost};

pub(super) use bytes::BYTES;
pub use classes::{RefusedMethod, collection_methods, method, methods, refused_methods};
pub(super) use classes::{find_method, find_row, refused_method_reason};
pub(super) use dict::DICT;
pub(super) use list::LIST;
pub(crate) use row::{FastMethod, PlainTextMethod};
pub(super) use row::{Implementation, MethodParameters, bound_receiver, row_of};
pub use row::{MethodEffect, MethodRow};
pub(super) use set::{FROZEN_SET, SET};
pub(super) use text::STR;

/// A method of a built-in class or of a class of the standard library.
pub(crate) type Method = &'static MethodRow;

impl Machine {
    /// Calls an unbound method: the first argument is the receiver.
    pub(super) fn call_unbound_method(
        &mut self,
        kind: Type,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let (owner, name) = (self.type_name(kind), method.name);
        let [receiver, rest @ ..] = arguments else {
            return Err(self.type_error(&format!("unbound method {owner}.{name}() needs an argument")));
        };
        // Methods of screen classes accept any object and read its attributes.
        if matches!(method.implementation, Implementation::Screen(_)) {
            return self.call_method(*receiver, method, rest, named);
        }
        if !self.is_derived_class(self.class_of(*receiver), Value::Type(kind))? {
            let class_name = self.class_name(*receiver);
            let message = format!("descriptor '{name}' for '{owner}' objects doesn't apply to a '{class_name}' object");
            return Err(self.type_error(&message));
        }
        self.call_method(self.base_value(*receiver), method, rest, named)
    }

    /// Calls a method of a value, which is an instance of the class of the method.
    pub(super) fn call_method(
        &mut self,
        receiver: Value,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.charge(cost::BUILTIN)?;
        match method.implementation {
            Implementation::Custom(call) => call(self, receiver, arguments, named),
            Implementation::Value(call) => {
                self.check_positional(method.qualified_name, method, arguments, named)?;
                call(self, receiver, arguments)
            }
            Implementation::Object(call) => {
                self.check_positional(method.qualified_name, method, arguments, named)?;
                call(self, bound_receiver(receiver), arguments)
            }
            Implementation::Named(call) | Implementation::Screen(call) => {
                let MethodParameters::Named(parameters) = &method.parameters else {
                    unreachable!("{} has named parameters", method.qualified_name)
                };
                let function = if parameters.is_of_python() { method.qualified_name } else { method.name };
                let bound = self.bind_parameters(function, parameters, arguments, named)?;
                call(self, receiver, &bound)
            }
            Implementation::Array(array) => self.call_array_method(receiver, array, method.name, arguments, named),
            Implementation::Text(_)
            | Implementation::TextNamed(_)
            | Implementation::TextMap(_)
            | Implementation::TextPredicate(_) => match self.as_text(receiver) {
                Some(text) => self.call_text_method(&text, method.qualified_name, method, arguments, named),
                None => Ok(Value::None),
            },
            Implementation::BytesAsText(of_text, conversion) => {
                self.bytes_method_by_text(bound_receiver(receiver), method, (of_text, conversion), arguments, named)
            }
        }
    }

    /// Calls a method of `str`, under the name that messages use.
    pub(super) fn call_text_method(
        &mut self,
        text: &Arc<str>,
        qualified_name: &'static str,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.charge_text(text.len())?;
        for &argument in arguments {
            let length = self.as_text(argument).map_or(0, |text| text.len());
            self.charge_text(length)?;
        }
        match method.implementation {
            Implementation::TextNamed(call) => {
                let MethodParameters::Named(parameters) = &method.parameters else {
                    unreachable!("{} has named parameters", method.qualified_name)
                };
                let bound = self.bind_parameters(method.name, parameters, arguments, named)?;
                return call(self, text, &bound);
            }
            _ => self.check_positional(qualified_name, method, arguments, named)?,
        }
        match method.implementation {
            Implementation::Text(call) => call(self, text, arguments),
            Implementation::TextMap(map) => {
                self.charge_case_mapping(text)?;
                Ok(self.heap.text(&map(text)))
            }
            Implementation::TextPredicate(holds) => {
                self.charge_case_mapping(text)?;
                Ok(Value::Bool(holds(text)))
            }
            _ => unreachable!("{} is a method of text", method.qualified_name),
        }
    }

    /// Pays for the table look-ups of the characters outside ASCII.
    fn charge_case_mapping(&mut self, text: &str) -> ExecResult<()> {
        if text.is_ascii() { Ok(()) } else { self.charge(text.len() as u64 / 3) }
    }

    /// Checks the number of positional arguments, and that there are no keywords.
    fn check_positional(
        &mut self,
        qualified_name: &str,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        self.reject_keywords(qualified_name, named)?;
        let count = arguments.len();
        match method.parameters {
            MethodParameters::None if count > 0 => {
                Err(self.type_error(&format!("{qualified_name}() takes no arguments ({count} given)")))
            }
            MethodParameters::One if count != 1 => {
                Err(self.type_error(&format!("{qualified_name}() takes exactly one argument ({count} given)")))
            }
            MethodParameters::Slot(expected) if count != expected => {
                let plural = if expected == 1 { "" } else { "s" };
                Err(self.type_error(&format!("expected {expected} argument{plural}, got {count}")))
            }
            MethodParameters::Unpacked { min, max } => self.check_arity(method.name, count, min, max),
            MethodParameters::Parsed { min, max } => self.check_argument_count(method.name, count, min, max),
            _ => Ok(()),
        }
    }

    /// Checks the number of arguments, with the message of functions that parse them.
    fn check_argument_count(&mut self, name: &str, count: usize, min: usize, max: usize) -> ExecResult<()> {
        if (min..=max).contains(&count) {
            return Ok(());
        }
        let (bound, limit) = match (min == max, count < min) {
            (true, _) => ("exactly", min),
            (false, true) => ("at least", min),
            (false, false) => ("at most", max),
        };
        let plural = if limit == 1 { "" } else { "s" };
        Err(self.type_error(&format!("{name}() takes {bound} {limit} argument{plural} ({count} given)")))
    }

    /// Calls a method of a heap object by its row, with arguments of the right number.
    pub(super) fn call_object_method(&mut self, at: HeapRef, method: Method, arguments: &[Value]) -> ExecResult {
        self.call_method(Value::Ref(at), method, arguments, &[])
    }
}
