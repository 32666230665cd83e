//! Built-in functions.

mod table;

#[cfg(test)]
pub(super) use table::FUNCTIONS as BUILTIN_FUNCTIONS;
pub use table::builtin_function;

use std::sync::Arc;

use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult, LimitedResource};
use super::iterators::IteratorState;
use super::library_class::{FROZEN_SET, SUPER};
use super::library_function::BuiltinForm;
use super::parameters::BoundArguments;
use super::quick_operators::{quick_binary, quick_compare};
use super::special_methods::READABLE_SPECIAL_NAMES;
use super::value::{HeapObject, Type, Value};
use super::{Machine, cost};
use crate::code::Symbol;
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The maximum number of elements for which space is reserved before they are known to exist.
const MAX_INITIAL_CAPACITY: usize = 64;

/// Returns the form of a built-in function or class with a name.
pub fn builtin_form(name: &str) -> Option<BuiltinForm> {
    match Machine::builtin(name)? {
        Value::Type(class) => BuiltinForm::of_class(class),
        Value::Builtin(function) => function.form,
        _ => None,
    }
}

/// The built-in classes other than exceptions.
const CLASSES: [(&str, Type); 18] = [
    ("object", Type::Object),
    ("type", Type::Type),
    ("bool", Type::Bool),
    ("int", Type::Int),
    ("float", Type::Float),
    ("str", Type::Str),
    ("bytes", Type::Bytes),
    ("list", Type::List),
    ("tuple", Type::Tuple),
    ("dict", Type::Dict),
    ("set", Type::Set),
    ("range", Type::Range),
    ("frozenset", Type::Library(&FROZEN_SET)),
    ("super", Type::Library(&SUPER)),
    ("slice", Type::Slice),
    ("property", Type::Property),
    ("staticmethod", Type::StaticMethod),
    ("classmethod", Type::ClassMethod),
];

/// Returns the built-in exceptions.
fn exceptions() -> impl Iterator<Item = ExceptionKind> {
    ExceptionKind::ALL.iter().copied().filter(|kind| !kind.is_library_exception())
}

/// Returns the names that every program can use: functions, classes and exceptions.
pub fn builtin_names() -> Vec<&'static str> {
    let functions = table::FUNCTIONS.iter().map(|function| function.name);
    let classes = CLASSES.iter().map(|&(name, _)| name).chain(["NotImplemented", "Ellipsis"]);
    functions.chain(classes).chain(exceptions().map(ExceptionKind::name)).collect()
}

impl Machine {
    /// Returns the value of a built-in name.
    pub(super) fn builtin(name: &str) -> Option<Value> {
        match name {
            "NotImplemented" => return Some(Value::NotImplemented),
            "Ellipsis" => return Some(Value::Ellipsis),
            _ => {}
        }
        if let Some((_, class)) = CLASSES.iter().find(|(known, _)| *known == name) {
            return Some(Value::Type(*class));
        }
        if let Some(exception) = exceptions().find(|kind| kind.name() == name) {
            return Some(Value::Type(Type::Exception(exception)));
        }
        builtin_function(name).map(Value::Builtin)
    }

    fn filter(&mut self, function: Value, values: Value) -> ExecResult {
        let inner = self.iterator(values)?;
        Ok(self.new_iterator(IteratorState::Filter(function, inner)))
    }

    fn map(&mut self, arguments: &[Value]) -> ExecResult {
        let [function, inner @ ..] = arguments else { return Err(self.too_few_for_map()) };
        if inner.is_empty() {
            return Err(self.too_few_for_map());
        }
        let inner = self.iterators(inner)?;
        Ok(self.new_iterator(IteratorState::Map(*function, inner)))
    }

    pub(super) fn identity(&mut self, value: Value) -> ExecResult {
        Ok(match value {
            Value::Ref(at) => Value::Int(i64::from(at.0) * 16 + (1 << 32)),
            _ => Value::Int(self.hash_bits(value)? as i64 >> 3),
        })
    }

    fn next(&mut self, arguments: &[Value]) -> ExecResult {
        match *arguments {
            [iterator, default] => Ok(self.advance(iterator)?.unwrap_or(default)),
            _ => self.next_or_raise(arguments[0]),
        }
    }

    pub(super) fn is_callable(&mut self, value: Value) -> bool {
        match value {
            Value::Type(_) | Value::Builtin(_) => true,
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Function(_)
                | HeapObject::BoundMethod { .. }
                | HeapObject::BuiltinMethod(..)
                | HeapObject::UnboundMethod(..)
                | HeapObject::Class(_)
                | HeapObject::Partial { .. }
                | HeapObject::GenericAlias { .. }
                | HeapObject::TypingMarker(_)
                | HeapObject::LruCache { .. }
                | HeapObject::Wrapper(_)
                | HeapObject::ComparisonKey { value: None, .. }
                | HeapObject::GeneratedMethod(..) => true,
                HeapObject::ContextManager(manager) => manager.class().is_callable,
                HeapObject::Library(object) => object.class().is_callable,
                HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                    self.special_method(value, "__call__").is_some()
                        || self.class_of_program(value).is_some_and(|class| self.is_context_decorator(class))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn too_few_for_map(&mut self) -> ExecError {
        self.type_error("map() must have at least two arguments.")
    }

    fn iterators(&mut self, values: &[Value]) -> ExecResult<Vec<Value>> {
        values.iter().map(|&value| self.iterator(value)).collect()
    }

    fn all_or_any(&mut self, value: Value, all: bool) -> ExecResult {
        let iterator = self.iterator(value)?;
        self.all_or_any_of_items(iterator, all)
    }

    /// Returns whether all or any of the remaining items of an iterator are true.
    pub(super) fn all_or_any_of_items(&mut self, iterator: Value, all: bool) -> ExecResult {
        let mut found = false;
        loop {
            let mut test = |machine: &mut Self, item| {
                let truth = machine.quick_truth(item);
                found |= truth == Some(!all);
                Ok(truth.map(|truth| truth == all))
            };
            let Some(item) = self.for_each_item(iterator, &mut test)? else { return Ok(Value::Bool(all != found)) };
            if self.truth(item)? != all {
                return Ok(Value::Bool(!all));
            }
        }
    }

    fn attribute_name(&mut self, value: Value) -> ExecResult<Symbol> {
        let Some(name) = self.as_text(value) else {
            let message = format!("attribute name must be string, not '{}'", self.class_name(value));
            return Err(self.type_error(&message));
        };
        self.attribute_symbol(&name)
    }

    fn set_attribute_by_name(&mut self, arguments: &[Value]) -> ExecResult {
        let symbol = self.attribute_name(arguments[1])?;
        self.set_attribute(arguments[0], symbol, arguments[2]).map(|()| Value::None)
    }

    fn delete_attribute_by_name(&mut self, arguments: &[Value]) -> ExecResult {
        let symbol = self.attribute_name(arguments[1])?;
        self.delete_attribute(arguments[0], symbol).map(|()| Value::None)
    }

    fn has_attribute(&mut self, arguments: &[Value]) -> ExecResult {
        let symbol = self.attribute_name(arguments[1])?;
        Ok(Value::Bool(self.try_attribute(arguments[0], symbol)?.is_some()))
    }

    fn get_attribute(&mut self, arguments: &[Value]) -> ExecResult {
        let symbol = self.attribute_name(arguments[1])?;
        let Some(&default) = arguments.get(2) else { return self.attribute(arguments[0], symbol) };
        Ok(self.try_attribute(arguments[0], symbol)?.unwrap_or(default))
    }

    /// Returns the symbol of an attribute accessed by name, as in `getattr`.
    ///
    /// # Errors
    /// An `AttributeError` for special attributes that programs may not read.
    fn attribute_symbol(&mut self, name: &str) -> ExecResult<Symbol> {
        if name.starts_with("__") && name.ends_with("__") && !READABLE_SPECIAL_NAMES.contains(&name) {
            let message = format!("'{name}' is not available to reward functions");
            return Err(self.raise(ExceptionKind::AttributeError, &message));
        }
        Ok(self.intern(name))
    }

    /// Returns an attribute accessed by name, as in `getattr`.
    pub(super) fn attribute_by_text(&mut self, object: Value, name: &str) -> ExecResult {
        let symbol = self.attribute_symbol(name)?;
        self.attribute(object, symbol)
    }

    pub(super) fn reversed(&mut self, value: Value) -> ExecResult {
        if let Some(method) = self.special_method(value, "__reversed__") {
            return self.call_value(method, &[], &[]);
        }
        if self.special_method(value, "__getitem__").is_some() {
            let length = self.length(value)?;
            let mut values = Vec::with_capacity(length.min(MAX_INITIAL_CAPACITY));
            for place in 0..length {
                self.reserve_values(1)?;
                values.push(self.get_item(value, Value::Int(place as i64))?);
            }
            let list = self.heap.list(values);
            return Ok(self.new_iterator(IteratorState::Reversed(list, length)));
        }
        let value = self.base_value(value);
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                HeapObject::List(values) => {
                    let length = values.len();
                    return Ok(self.new_iterator(IteratorState::Reversed(value, length)));
                }
                HeapObject::Range { .. } => return Ok(self.reversed_range(at)),
                HeapObject::Tuple(_)
                | HeapObject::Text(_)
                | HeapObject::Bytes(_)
                | HeapObject::Dict(_)
                | HeapObject::DictView(..)
                | HeapObject::Deque(_)
                | HeapObject::Array(_) => {
                    let values = self.collect_values(value)?;
                    let length = values.len();
                    let list = self.heap.list(values);
                    return Ok(self.new_iterator(IteratorState::Reversed(list, length)));
                }
                _ => {}
            }
        }
        let message = format!("'{}' object is not reversible", self.class_name(value));
        Err(self.type_error(&message))
    }

    /// Returns the values of the keyword arguments, in the order of `known`; rejects any other keyword.
    pub(super) fn bind_keywords<const N: usize>(
        &mut self,
        function: &str,
        named: KeywordArguments<'_>,
        known: [&str; N],
    ) -> ExecResult<[Option<Value>; N]> {
        let mut found = [None; N];
        for &(symbol, value) in named {
            let name = self.name(symbol);
            if let Some(place) = known.iter().position(|&known| known == &*name) {
                found[place] = Some(value);
            } else {
                let message = format!("'{name}' is an invalid keyword argument for {function}()");
                return Err(self.type_error(&message));
            }
        }
        Ok(found)
    }

    fn extreme(&mut self, is_max: bool, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let name = if is_max { "max" } else { "min" };
        let [key, default] = self.bind_keywords(name, named, ["key", "default"])?;
        if arguments.is_empty() {
            let message = format!("{name} expected at least 1 argument, got 0");
            return Err(self.type_error(&message));
        }
        if arguments.len() > 1 && default.is_some() {
            let message = format!("Cannot specify a default for {name}() with multiple positional arguments");
            return Err(self.type_error(&message));
        }
        let operator = if is_max { ComparisonOperator::Gt } else { ComparisonOperator::Lt };
        let mut best = None;
        if let [values] = *arguments {
            let iterator = self.iterator(values)?;
            self.extreme_of_items(operator, key, iterator, &mut best)?;
        } else {
            for &item in arguments {
                self.charge(cost::NEXT)?;
                self.keep_extreme(operator, key, item, &mut best)?;
            }
        }
        match (best, default) {
            (Some((item, _)), _) | (None, Some(item)) => Ok(item),
            (None, None) => Err(self.empty_extreme(is_max)),
        }
    }

    /// Creates the `ValueError` for the extreme of no items.
    pub(super) fn empty_extreme(&mut self, is_max: bool) -> ExecError {
        let name = if is_max { "max" } else { "min" };
        self.raise(ExceptionKind::ValueError, &format!("{name}() arg is an empty sequence"))
    }

    /// Replaces the best item so far by the best one of the remaining items of an iterator, if that is better.
    pub(super) fn extreme_of_items(
        &mut self,
        operator: ComparisonOperator,
        key: Option<Value>,
        iterator: Value,
        best: &mut Option<(Value, Value)>,
    ) -> ExecResult<()> {
        loop {
            let mut compare = |machine: &mut Self, item| {
                let is_better = match *best {
                    Some((_, so_far)) if key.is_none() => quick_compare(operator, item, so_far),
                    _ => None,
                };
                let Some(is_better) = is_better else { return Ok(None) };
                machine.charge(cost::OPERATION)?;
                if is_better {
                    *best = Some((item, item));
                }
                Ok(Some(true))
            };
            let Some(item) = self.for_each_item(iterator, &mut compare)? else { return Ok(()) };
            self.keep_extreme(operator, key, item, best)?;
        }
    }

    /// Replaces the best item so far, with its key, if another one is better.
    pub(super) fn keep_extreme(
        &mut self,
        operator: ComparisonOperator,
        key: Option<Value>,
        item: Value,
        best: &mut Option<(Value, Value)>,
    ) -> ExecResult<()> {
        let item_key = self.key_of(key, item)?;
        let is_better = match *best {
            None => true,
            Some((_, best_key)) => {
                let is_better = self.compare(operator, item_key, best_key)?;
                self.truth(is_better)?
            }
        };
        if is_better {
            *best = Some((item, item_key));
        }
        Ok(())
    }

    pub(super) fn key_of(&mut self, key: Option<Value>, item: Value) -> ExecResult {
        match key {
            None | Some(Value::None) => Ok(item),
            Some(key) => self.call_value(key, &[item], &[]),
        }
    }

    pub(super) fn sorted(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [key, reverse] = self.bind_keywords("sort", named, ["key", "reverse"])?;
        self.check_arity("sorted", arguments.len(), 1, 1)?;
        let values = self.collect_values(arguments[0])?;
        let sorted = self.sort_values(values, key, reverse)?;
        Ok(self.heap.list(sorted))
    }

    fn print(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [separator, end, _, _] = self.bind_keywords("print", named, ["sep", "end", "flush", "file"])?;
        let separator = self.optional_text("sep", separator, " ")?;
        let end = self.optional_text("end", end, "\n")?;
        for (place, &argument) in arguments.iter().enumerate() {
            if place > 0 {
                self.print_text(&separator)?;
            }
            let text = self.str(argument)?;
            self.print_text(&text)?;
        }
        self.print_text(&end)?;
        self.count_hidden_message("print");
        Ok(Value::None)
    }

    fn print_text(&mut self, text: &str) -> ExecResult<()> {
        if self.printed.len() + text.len() > self.budget.output_characters {
            return Err(ExecError::Exhausted(LimitedResource::Output));
        }
        self.printed.push_str(text);
        Ok(())
    }

    /// Returns an optional text argument, or its default.
    fn optional_text(&mut self, name: &str, argument: Option<Value>, default: &str) -> ExecResult<Arc<str>> {
        let Some(argument) = argument.filter(|argument| !matches!(argument, Value::None)) else {
            return Ok(default.into());
        };
        if let Some(text) = self.as_text(argument) {
            return Ok(text);
        }
        let message = format!("{name} must be None or a string, not {}", self.class_name(argument));
        Err(self.type_error(&message))
    }

    fn sum(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let total = bound.get(1).unwrap_or(Value::Int(0));
        if self.as_text(total).is_some() {
            return Err(self.type_error("sum() can't sum strings [use ''.join(seq) instead]"));
        }
        let iterator = self.iterator(bound.required(0))?;
        self.sum_of_items(total, iterator)
    }

    /// Adds the remaining items of an iterator to a value.
    pub(super) fn sum_of_items(&mut self, mut total: Value, iterator: Value) -> ExecResult {
        loop {
            let mut add = |machine: &mut Self, item| {
                let number = if let Value::Bool(truth) = item { Value::Int(truth.into()) } else { item };
                let Some(sum) = quick_binary(BinaryOperator::Add, total, number) else { return Ok(None) };
                machine.charge(cost::OPERATION)?;
                total = sum;
                Ok(Some(true))
            };
            let Some(item) = self.for_each_item(iterator, &mut add)? else { return Ok(total) };
            total = self.binary(BinaryOperator::Add, total, item)?;
        }
    }

    fn enumerate(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let start = bound.get(1).map_or(Ok(0), |start| self.as_index(start))?;
        let inner = self.iterator(bound.required(0))?;
        Ok(self.new_iterator(IteratorState::Enumerate(inner, start.into())))
    }

    fn zip(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [strict] = self.bind_keywords("zip", named, ["strict"])?;
        let strict = strict.map_or(Ok(false), |strict| self.truth(strict))?;
        let inner = self.iterators(arguments)?;
        Ok(self.new_iterator(IteratorState::Zip(inner, strict)))
    }
}
