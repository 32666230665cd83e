//! The type of the rows of the tables of methods.

use std::sync::Arc;

use crate::machine::Machine;
use crate::machine::bytes::BytesArguments;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::{ResultType, is_same_name, last_segment};
use crate::machine::numpy::ArrayMethod;
use crate::machine::parameters::{BoundArguments, NamedParameters};
use crate::machine::value::{HeapRef, Value};

/// A row of a table: a method of a built-in class or of a class of the standard library.
#[derive(Debug)]
pub struct MethodRow {
    /// The name, qualified by its class, such as `list.append`.
    pub qualified_name: &'static str,
    /// The name, such as `append`.
    pub name: &'static str,
    /// The type of the results.
    pub result: ResultType,
    /// The effect on the receiver.
    pub effect: MethodEffect,
    /// Whether an argument that is `None` raises an exception.
    pub rejects_none: bool,
    pub(in crate::machine) parameters: MethodParameters,
    pub(in crate::machine) implementation: Implementation,
    /// The form in type inference and the fast engine, if there is one.
    pub(crate) fast: Option<FastMethod>,
}

/// The effect of a method on its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodEffect {
    /// None: the receiver is only read.
    Reads,
    /// The arguments, or their elements, become elements.
    Adds,
    /// One or several elements are removed.
    Removes,
    /// All elements are removed.
    Clears,
    /// The elements change their order.
    Reorders,
    /// The receiver changes in another way.
    Changes,
}

/// The parameters of a method besides its receiver.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum MethodParameters {
    /// No parameters.
    None,
    /// One parameter, by position.
    One,
    /// A number of positional parameters, with the messages of special methods.
    Slot(usize),
    /// `min` to `max` positional arguments, with the messages of functions of CPython that unpack a tuple of arguments.
    Unpacked { min: usize, max: usize },
    /// `min` to `max` positional arguments, with the messages of functions of CPython that parse their arguments.
    Parsed { min: usize, max: usize },
    /// Any number of positional arguments.
    Many,
    /// Parameters that are passed by position or by keyword.
    Named(NamedParameters<'static>),
    /// Any arguments, which the implementation binds.
    Custom,
}

/// The implementation of a method in the reference interpreter.
///
/// A call costs [`BUILTIN`](crate::machine::cost::BUILTIN), and for methods of text also the lengths of the text and of the arguments;
/// the implementations charge for their own work.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum Implementation {
    /// A function of the receiver and the arguments, which it binds itself.
    Custom(fn(&mut Machine, Value, &[Value], KeywordArguments<'_>) -> ExecResult),
    /// A function of the receiver and positional arguments.
    Value(fn(&mut Machine, Value, &[Value]) -> ExecResult),
    /// A function of the receiver, an object on the heap, and positional arguments.
    Object(fn(&mut Machine, HeapRef, &[Value]) -> ExecResult),
    /// A function of the receiver and bound arguments.
    Named(fn(&mut Machine, Value, &BoundArguments<'_>) -> ExecResult),
    /// A method of screen objects, which accepts any receiver.
    Screen(fn(&mut Machine, Value, &BoundArguments<'_>) -> ExecResult),
    /// A function of a text and positional arguments.
    Text(fn(&mut Machine, &Arc<str>, &[Value]) -> ExecResult),
    /// A function of a text and bound arguments.
    TextNamed(fn(&mut Machine, &Arc<str>, &BoundArguments<'_>) -> ExecResult),
    /// A mapping of a text.
    TextMap(fn(&str) -> String),
    /// A test of a text.
    TextPredicate(fn(&str) -> bool),
    /// A method of `bytes` that the method of `str` computes on characters, and the conversion of its arguments.
    BytesAsText(&'static MethodRow, BytesArguments),
    /// A method of numpy arrays and scalars.
    Array(ArrayMethod),
}

/// The form of a method in type inference and the fast engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FastMethod {
    /// `list.append`
    Append,
    /// `list.remove`
    Remove,
    /// `GameObject.is_on_top`
    IsOnTop,
    /// `GameObject.manathan_distance`
    Distance,
    /// `GameObject.iou`
    Overlap,
}

/// Returns the object on the heap that a method is called on.
pub(in crate::machine) fn bound_receiver(receiver: Value) -> HeapRef {
    let Value::Ref(at) = receiver else { unreachable!("instances of the class are objects on the heap") };
    at
}

// Each row is an element of a static. The hash is that of the name, because addresses differ between runs.
impl PartialEq for MethodRow {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for MethodRow {}

impl std::hash::Hash for MethodRow {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.qualified_name.hash(state);
    }
}

/// A method of a text without arguments that only looks at the text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PlainTextMethod {
    Map(fn(&str) -> String),
    Predicate(fn(&str) -> bool),
}

impl MethodRow {
    /// Returns the function that the method is, if it has no arguments and only looks at a text.
    pub(crate) fn plain_text_method(&self) -> Option<PlainTextMethod> {
        match self.implementation {
            Implementation::TextMap(map) => Some(PlainTextMethod::Map(map)),
            Implementation::TextPredicate(holds) => Some(PlainTextMethod::Predicate(holds)),
            _ => None,
        }
    }

    const fn new(qualified_name: &'static str, parameters: MethodParameters, implementation: Implementation) -> Self {
        Self {
            qualified_name,
            name: last_segment(qualified_name),
            result: ResultType::Any,
            effect: MethodEffect::Reads,
            rejects_none: false,
            parameters,
            implementation,
            fast: None,
        }
    }

    /// Returns a method that binds its arguments itself.
    pub(in crate::machine) const fn custom(
        name: &'static str,
        call: fn(&mut Machine, Value, &[Value], KeywordArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::new(name, MethodParameters::Custom, Implementation::Custom(call))
    }

    /// Returns a method of any value with positional parameters.
    pub(in crate::machine) const fn of_value(
        name: &'static str,
        parameters: MethodParameters,
        call: fn(&mut Machine, Value, &[Value]) -> ExecResult,
    ) -> Self {
        Self::new(name, parameters, Implementation::Value(call))
    }

    /// Returns a method of an object on the heap with positional parameters.
    pub(in crate::machine) const fn of_object(
        name: &'static str,
        parameters: MethodParameters,
        call: fn(&mut Machine, HeapRef, &[Value]) -> ExecResult,
    ) -> Self {
        Self::new(name, parameters, Implementation::Object(call))
    }

    /// Returns a method with named parameters.
    pub(in crate::machine) const fn named(
        name: &'static str,
        parameters: NamedParameters<'static>,
        call: fn(&mut Machine, Value, &BoundArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::new(name, MethodParameters::Named(parameters), Implementation::Named(call))
    }

    /// Returns a method of screen objects.
    pub(in crate::machine) const fn of_screen_object(
        name: &'static str,
        parameters: NamedParameters<'static>,
        call: fn(&mut Machine, Value, &BoundArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::new(name, MethodParameters::Named(parameters), Implementation::Screen(call))
    }

    /// Returns a method of text with positional parameters.
    pub(in crate::machine) const fn of_text(
        name: &'static str,
        parameters: MethodParameters,
        call: fn(&mut Machine, &Arc<str>, &[Value]) -> ExecResult,
    ) -> Self {
        Self::new(name, parameters, Implementation::Text(call))
    }

    /// Returns a method of text with named parameters.
    pub(in crate::machine) const fn of_text_named(
        name: &'static str,
        parameters: NamedParameters<'static>,
        call: fn(&mut Machine, &Arc<str>, &BoundArguments<'_>) -> ExecResult,
    ) -> Self {
        Self::new(name, MethodParameters::Named(parameters), Implementation::TextNamed(call))
    }

    /// Returns a mapping of text.
    pub(in crate::machine) const fn text_map(name: &'static str, map: fn(&str) -> String) -> Self {
        Self::new(name, MethodParameters::None, Implementation::TextMap(map)).with_result(ResultType::Text)
    }

    /// Returns a test of text.
    pub(in crate::machine) const fn text_predicate(name: &'static str, holds: fn(&str) -> bool) -> Self {
        Self::new(name, MethodParameters::None, Implementation::TextPredicate(holds)).with_result(ResultType::Bool)
    }

    /// Returns a method of `bytes` that the method of the same name of `str` computes.
    pub(in crate::machine) const fn of_bytes_as_text(
        name: &'static str,
        of_text: &'static Self,
        arguments: BytesArguments,
    ) -> Self {
        Self::new(name, of_text.parameters, Implementation::BytesAsText(of_text, arguments))
    }

    /// Returns a method of numpy arrays or scalars.
    pub(in crate::machine) const fn of_array(name: &'static str, method: ArrayMethod) -> Self {
        Self::new(name, MethodParameters::Custom, Implementation::Array(method))
    }

    pub(in crate::machine) const fn with_result(mut self, result: ResultType) -> Self {
        self.result = result;
        self
    }

    pub(in crate::machine) const fn with_effect(mut self, effect: MethodEffect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets that arguments that are `None` raise an exception.
    pub(in crate::machine) const fn rejecting_none(mut self) -> Self {
        self.rejects_none = true;
        self
    }

    pub(in crate::machine) const fn with_fast(mut self, form: FastMethod) -> Self {
        self.fast = Some(form);
        self
    }

    /// Returns the name of the class, such as `list`.
    pub fn class(&self) -> &'static str {
        self.qualified_name.strip_suffix(self.name).and_then(|class| class.strip_suffix('.')).unwrap_or_default()
    }

    /// Whether the method changes its receiver.
    pub fn mutates_receiver(&self) -> bool {
        self.effect != MethodEffect::Reads
    }

    /// Whether the numbers of parameters fit each other and the implementation.
    #[cfg(test)]
    pub(in crate::machine) fn has_consistent_parameters(&self) -> bool {
        use Implementation::{Array, BytesAsText, Custom, Named, Object, Screen, Text, TextNamed, Value};
        match (&self.parameters, self.implementation) {
            (MethodParameters::Named(parameters), Named(_) | Screen(_) | TextNamed(_) | BytesAsText(..)) => {
                parameters.is_consistent()
            }
            (MethodParameters::Custom, implementation) => matches!(implementation, Custom(_) | Array(_)),
            (MethodParameters::Unpacked { min, max } | MethodParameters::Parsed { min, max }, _) => min <= max,
            (MethodParameters::Many | MethodParameters::One | MethodParameters::Slot(_), implementation) => {
                matches!(implementation, Value(_) | Object(_) | Text(_) | BytesAsText(..))
            }
            (MethodParameters::None, implementation) => !matches!(implementation, Custom(_) | Array(_)),
            (MethodParameters::Named(_), _) => false,
        }
    }
}

/// Returns the row of a table with a name.
pub(in crate::machine) const fn row_of(table: &'static [MethodRow], name: &str) -> &'static MethodRow {
    let mut index = 0;
    while index < table.len() {
        if is_same_name(table[index].name, name) {
            return &table[index];
        }
        index += 1;
    }
    panic!("the table has no such method")
}
