//! `functools.cached_property`, `partialmethod` and `cmp_to_key`.

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::operators::ComparisonOperator;

impl Machine {
    pub(in crate::machine) fn new_cached_property(&mut self, function: Value) -> Value {
        Value::Ref(self.heap.add(HeapObject::CachedProperty { function, name: None }))
    }

    /// Records the name under which a class defines a `cached_property`.
    pub(in crate::machine) fn name_cached_property(&mut self, property: Value, symbol: Symbol) {
        if let Value::Ref(at) = property
            && let HeapObject::CachedProperty { name, .. } = self.heap.get_mut(at)
        {
            name.get_or_insert(symbol);
        }
    }

    /// Computes a `cached_property` and stores its value in the object.
    pub(in crate::machine) fn cached_property_value(
        &mut self,
        object: Value,
        function: Value,
        name: Option<Symbol>,
    ) -> ExecResult {
        let Some(name) = name else {
            let message = "Cannot use cached_property instance without calling __set_name__ on it.";
            return Err(self.type_error(message));
        };
        let value = self.call_value(function, &[object], &[])?;
        let Value::Ref(at) = object else { return Ok(value) };
        let is_open = self.class_of_program(object).is_none_or(|class| self.has_open_instances(class));
        if !is_open {
            let (class, name) = (self.class_name(object), self.name(name));
            let message = format!("No '__dict__' attribute on '{class}' instance to cache '{name}' property.");
            return Err(self.type_error(&message));
        }
        if let Some(screen) = self.backing_screen_object(Some(self.base_value(object))) {
            self.set_derived_attribute(object, screen, name, value)?;
        } else if let HeapObject::Instance { attributes, .. } = self.heap.get_mut(at) {
            attributes.insert(name, value);
            self.heap.record_growth(4);
        }
        Ok(value)
    }

    /// Creates `partialmethod(function, ..)`.
    pub(in crate::machine) fn partial_method(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let [function, rest @ ..] = arguments else {
            return Err(self.type_error("partialmethod() missing 1 required positional argument: 'func'"));
        };
        let partial = self.new_partial(*function, rest.to_vec(), named.to_vec());
        Ok(Value::Ref(self.heap.add(HeapObject::PartialMethod(partial))))
    }

    /// Returns a `partialmethod` as an attribute of an object.
    pub(in crate::machine) fn bind_partial_method(
        &mut self,
        object: Value,
        class: HeapRef,
        partial: Value,
    ) -> ExecResult {
        let Value::Ref(at) = partial else { return Ok(partial) };
        let HeapObject::Partial { function, arguments, named } = self.heap.get(at) else { return Ok(partial) };
        let (function, arguments, named) = (*function, arguments.to_vec(), named.to_vec());
        let bound = self.bind_class_field(object, class, function)?;
        Ok(self.new_partial(bound, arguments, named))
    }

    /// Calls the result of `cmp_to_key(function)`: it makes keys.
    pub(in crate::machine) fn call_key_factory(
        &mut self,
        function: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let [value] = self.bind_library_arguments("K", ["obj"], 1, arguments, named)?;
        Ok(Value::Ref(self.heap.add(HeapObject::ComparisonKey { function, value })))
    }

    /// Compares a key of `cmp_to_key` with another one by their function.
    pub(in crate::machine) fn compare_keys(
        &mut self,
        operator: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> ExecResult {
        let [Some((function, one)), Some((_, two))] = [left, right].map(|side| self.comparison_key(side)) else {
            return Err(self.type_error("other argument must be K instance"));
        };
        let result = self.nested(|machine| machine.call_value(function, &[one, two], &[]))?;
        self.compare(operator, result, Value::Int(0))
    }

    /// Returns the function and the value of a key.
    pub(in crate::machine) fn comparison_key(&self, key: Value) -> Option<(Value, Value)> {
        match key {
            Value::Ref(at) => match *self.heap.get(at) {
                HeapObject::ComparisonKey { function, value: Some(value) } => Some((function, value)),
                _ => None,
            },
            _ => None,
        }
    }
}
