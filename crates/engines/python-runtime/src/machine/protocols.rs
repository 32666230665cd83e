//! Class protocols: `__new__`, descriptors, `__slots__`, `__set_name__`, `__init_subclass__` and `__class_getitem__`.

use rustc_hash::FxHashSet;

use super::Machine;
use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::value::{AttributeMap, HeapObject, HeapRef, Type, Value};
use crate::code::Symbol;

impl Machine {
    /// Returns the class of an object if the program defines it.
    pub(super) fn class_of_program(&self, object: Value) -> Option<HeapRef> {
        let Value::Ref(at) = object else { return None };
        match self.heap.get(at) {
            HeapObject::Instance { class, .. } => Some(*class),
            HeapObject::Exception(exception) => exception.class,
            _ => None,
        }
    }

    /// Returns the name of a class, or the name of the class of any other value.
    pub(super) fn owner_name(&self, value: Value) -> std::sync::Arc<str> {
        match value {
            Value::Ref(at) if let HeapObject::Class(class) = self.heap.get(at) => class.name.clone(),
            Value::Type(kind) => self.type_name(kind),
            _ => self.class_name(value),
        }
    }

    /// Turns methods that are implicitly static or class methods into such: `__new__`, `__init_subclass__` and `__class_getitem__`.
    pub(super) fn wrap_implicit_class_methods(&mut self, fields: &mut AttributeMap) {
        for (name, is_static) in [("__new__", true), ("__init_subclass__", false), ("__class_getitem__", false)] {
            let symbol = self.intern(name);
            let Some(value) = fields.get_mut(&symbol) else { continue };
            if matches!(value, Value::Ref(at) if matches!(self.heap.get(*at), HeapObject::Function(_))) {
                let method = if is_static { HeapObject::StaticMethod(*value) } else { HeapObject::ClassMethod(*value) };
                *value = Value::Ref(self.heap.add(method));
            }
        }
    }

    /// Returns the names in `__slots__`; `None` if the class declares none, or if they include `__dict__`.
    pub(super) fn declared_slots(&mut self, fields: &AttributeMap) -> ExecResult<Option<FxHashSet<Symbol>>> {
        let symbol = self.intern("__slots__");
        let Some(&declared) = fields.get(&symbol) else { return Ok(None) };
        let values = if self.as_text(declared).is_some() { vec![declared] } else { self.collect_values(declared)? };
        let mut slots = FxHashSet::default();
        for value in values {
            let Some(name) = self.as_text(value) else {
                let message = format!("__slots__ items must be strings, not '{}'", self.class_name(value));
                return Err(self.type_error(&message));
            };
            let is_identifier = name.chars().all(|one| one == '_' || one.is_alphanumeric())
                && name.starts_with(|one: char| one == '_' || one.is_alphabetic());
            if !is_identifier {
                return Err(self.type_error("__slots__ must be identifiers"));
            }
            if &*name == "__dict__" {
                return Ok(None);
            }
            let slot = self.intern(&name);
            if fields.contains_key(&slot) {
                let message = format!("'{name}' in __slots__ conflicts with class variable");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            slots.insert(slot);
        }
        Ok(Some(slots))
    }

    /// Checks that a class with slots does not derive from `int` or `tuple`, whose size varies.
    ///
    /// # Errors
    /// `TypeError` if it does.
    pub(super) fn check_slots(&mut self, class: HeapRef) -> ExecResult<()> {
        let has_slots = self.class_cell(class).slots.as_ref().is_some_and(|slots| !slots.is_empty());
        let base = match self.built_in_base(class) {
            Some(Type::Int) => "int",
            Some(Type::Tuple) => "tuple",
            _ => return Ok(()),
        };
        if has_slots {
            let message = format!("nonempty __slots__ not supported for subtype of '{base}'");
            return Err(self.type_error(&message));
        }
        Ok(())
    }

    /// Returns whether the instances of a class have attributes that `__slots__` does not list.
    pub(super) fn has_open_instances(&self, class: HeapRef) -> bool {
        self.class_cell(class).mro.iter().any(|&base| match base {
            Value::Ref(at) => self.class_cell(at).slots.is_none(),
            _ => false,
        })
    }

    /// Checks that the slots of a class allow an attribute.
    ///
    /// # Errors
    /// `AttributeError` if they do not.
    pub(super) fn check_slot(&mut self, object: Value, class: HeapRef, symbol: Symbol) -> ExecResult<()> {
        let order = &self.class_cell(class).mro;
        let is_open = order.iter().any(|&base| match base {
            Value::Ref(at) => self.class_cell(at).slots.as_ref().is_none_or(|slots| slots.contains(&symbol)),
            Value::Type(kind) => {
                matches!(kind, Type::Exception(_)) || matches!(kind, Type::Library(class) if class.has_open_attributes)
            }
            _ => false,
        });
        if is_open {
            return Ok(());
        }
        if let Some(_field) = self.class_field(class, symbol) {
            let (owner, name) = (self.class_name(object), self.name(symbol));
            let message = format!("'{owner}' object attribute '{name}' is read-only");
            return Err(self.raise(ExceptionKind::AttributeError, &message));
        }
        Err(self.attribute_error(object, symbol))
    }

    /// Calls `__set_name__` of the values in a class body, and then `__init_subclass__` of the nearest base that defines it, with the keyword
    /// arguments of the class.
    pub(super) fn call_class_hooks(
        &mut self,
        class: HeapRef,
        names: &[(Symbol, Value)],
        keywords: KeywordArguments<'_>,
    ) -> ExecResult<()> {
        for &(symbol, value) in names {
            self.name_cached_property(value, symbol);
            if self.class_of_program(value).is_none() {
                continue;
            }
            let Some(method) = self.special_method(value, "__set_name__") else { continue };
            let name = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
            match self.call_value(method, &[Value::Ref(class), name], &[]) {
                Ok(_) => {}
                Err(ExecError::Raised(raised)) => {
                    let (kind, name) = (self.class_name(value), self.name(symbol));
                    let owner = self.class_cell(class).name.clone();
                    let message = format!("Error calling __set_name__ on '{kind}' instance '{name}' in '{owner}'");
                    let fault = self.raise(ExceptionKind::RuntimeError, &message);
                    if let ExecError::Raised(at) = fault
                        && let HeapObject::Exception(exception) = self.heap.get_mut(at)
                    {
                        exception.cause = Some(Value::Ref(raised));
                    }
                    return Err(fault);
                }
                Err(fault) => return Err(fault),
            }
        }
        let symbol = self.intern("__init_subclass__");
        let inherited = self.class_cell(class).mro.iter().skip(1).find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).attributes.get(&symbol).copied(),
            _ => None,
        });
        if let Some(method) = inherited {
            let method = self.bind_to_instance(Value::Ref(class), Value::Ref(class), method);
            self.call_value(method, &[], keywords)?;
        } else {
            self.init_subclass_of_base(Value::Ref(class), &[], keywords)?;
        }
        Ok(())
    }

    /// Whether a class field is a data descriptor, which takes precedence over the attributes of objects.
    pub(super) fn is_data_descriptor(&mut self, field: HeapRef) -> bool {
        ["__set__", "__delete__"].into_iter().any(|name| self.special_method(Value::Ref(field), name).is_some())
    }

    /// Returns the result of a descriptor's `__get__` for an object; `None` if it has no such method.
    pub(super) fn call_descriptor_get(&mut self, object: Value, field: HeapRef) -> ExecResult<Option<Value>> {
        let Some(get) = self.special_method(Value::Ref(field), "__get__") else { return Ok(None) };
        let class = self.class_of(object);
        self.call_value(get, &[object, class], &[]).map(Some)
    }

    /// Returns the value of a class field as an attribute of an object: binds functions and class methods, and calls descriptors.
    pub(super) fn bind_class_field(&mut self, object: Value, class: HeapRef, value: Value) -> ExecResult {
        let Value::Ref(field) = value else { return Ok(self.bind_to_instance(object, Value::Ref(class), value)) };
        match *self.heap.get(field) {
            HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                if let Some(value) = self.call_descriptor_get(object, field)? {
                    return Ok(value);
                }
            }
            HeapObject::ClassMethod(function) => return self.bind_class_method(Value::Ref(class), function),
            HeapObject::CachedProperty { function, name } => return self.cached_property_value(object, function, name),
            HeapObject::PartialMethod(partial) => return self.bind_partial_method(object, class, partial),
            _ => {}
        }
        Ok(self.bind_to_instance(object, Value::Ref(class), value))
    }

    /// Binds the function that a class method wraps to the class. A wrapped property or descriptor is evaluated with the class.
    pub(super) fn bind_class_method(&mut self, class: Value, function: Value) -> ExecResult {
        if let Value::Ref(at) = function {
            match *self.heap.get(at) {
                HeapObject::Property { get: Value::None, .. } => {
                    let message = format!("property of '{}' object has no getter", self.class_name(class));
                    return Err(self.raise(ExceptionKind::AttributeError, &message));
                }
                HeapObject::Property { get, .. } => return self.call_value(get, &[class], &[]),
                HeapObject::StaticMethod(function) => return Ok(function),
                HeapObject::ClassMethod(inner) => {
                    return self.nested(|machine| machine.bind_class_method(class, inner));
                }
                HeapObject::Instance { .. } | HeapObject::Exception(_) => {
                    if let Some(get) = self.special_method(function, "__get__") {
                        return self.call_value(get, &[class, class], &[]);
                    }
                }
                _ => {}
            }
        }
        Ok(Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver: class, function })))
    }

    /// Evaluates `C[key]`.
    pub(super) fn class_item(&mut self, class: HeapRef, index: Value) -> ExecResult {
        let symbol = self.intern("__class_getitem__");
        if let Some(method) = self.class_field(class, symbol) {
            let method = self.bind_to_instance(Value::Ref(class), Value::Ref(class), method);
            return self.call_value(method, &[index], &[]);
        }
        let generic = self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Type(kind) if super::typing::is_generic(kind) => Some(kind),
            _ => None,
        });
        if generic.is_some() {
            return Ok(self.new_alias(Value::Ref(class), index));
        }
        let message = format!("type '{}' is not subscriptable", self.class_cell(class).name);
        Err(self.type_error(&message))
    }

    /// Executes `C.__name__ = ..` and `C.__qualname__ = ..`.
    pub(super) fn rename_class(&mut self, class: HeapRef, attribute: &str, name: Value) -> ExecResult<()> {
        let Some(text) = self.as_text(name) else {
            let (owner, kind) = (self.class_cell(class).name.clone(), self.class_name(name));
            return Err(self.type_error(&format!("can only assign string to {owner}.{attribute}, not '{kind}'")));
        };
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            if attribute == "__name__" {
                cell.name = text;
            } else {
                cell.qualified_name = text;
            }
        }
        Ok(())
    }

    /// Creates an object with the `__new__` of its class, and calls its `__init__` if the result is an instance of the class.
    pub(super) fn construct_with_new(
        &mut self,
        class: HeapRef,
        new: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let new = self.bind_to_instance(Value::Ref(class), Value::Ref(class), new);
        let with_class = [&[Value::Ref(class)], arguments].concat();
        let object = self.call_value(new, &with_class, named)?;
        if !self.is_derived_class(self.class_of(object), Value::Ref(class))? {
            return Ok(object);
        }
        if let Some(init) = self.special_method(object, "__init__") {
            let value = self.call_value(init, arguments, named)?;
            self.check_init_result(value)?;
        } else if let Value::Ref(at) = object
            && matches!(self.built_in_base(class), Some(Type::List | Type::Dict | Type::Set))
        {
            self.init_base(Value::Ref(at), arguments, named)?;
        }
        Ok(object)
    }

    /// Calls the `__new__` of a built-in class, as in `object.__new__(C)` or `float.__new__(C, 1)`.
    pub(super) fn call_builtin_new(
        &mut self,
        receiver: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Value::Type(kind) = receiver else { return Err(self.type_error("a class is required")) };
        let owner = self.type_name(kind);
        let Some((&requested, rest)) = arguments.split_first() else {
            return Err(self.type_error(&format!("{owner}.__new__(): not enough arguments")));
        };
        if !self.is_class(requested) {
            let given = self.class_name(requested);
            let message = format!("{owner}.__new__(X): X is not a type object ({given})");
            return Err(self.type_error(&message));
        }
        if !self.is_derived_class(requested, receiver)? {
            let name = self.owner_name(requested);
            let message = format!("{owner}.__new__({name}): {name} is not a subtype of {owner}");
            return Err(self.type_error(&message));
        }
        let Value::Ref(class) = requested else {
            if kind == Type::Object && !matches!(requested, Value::Type(Type::Object)) {
                let name = self.owner_name(requested);
                let message = format!("object.__new__({name}) is not safe, use {name}.__new__()");
                return Err(self.type_error(&message));
            }
            let Value::Type(kind) = requested else { return Err(self.type_error("a class is required")) };
            return self.construct(kind, rest, named);
        };
        if let Some(of) = self.named_tuple_base(class) {
            return self.new_named_tuple(class, of, rest, named);
        }
        let base = self.built_in_base(class);
        if let (Type::Object, Some(other)) = (kind, base) {
            let (name, other) = (self.owner_name(requested), self.type_name(other));
            let message = format!("object.__new__({name}) is not safe, use {other}.__new__()");
            return Err(self.type_error(&message));
        }
        if base.is_none() && (!rest.is_empty() || !named.is_empty()) {
            self.refuse_extra_arguments(class)?;
        }
        self.check_not_abstract(class)?;
        self.allocate_instance(class, rest, named, false)
    }

    /// Rejects extra arguments of `object.__new__`, unless the class defines `__init__` and does not define `__new__`.
    fn refuse_extra_arguments(&mut self, class: HeapRef) -> ExecResult<()> {
        let (new, init) = (self.intern("__new__"), self.intern("__init__"));
        if self.class_field(class, new).is_some() {
            return Err(self.type_error("object.__new__() takes exactly one argument (the type to instantiate)"));
        }
        if self.class_field(class, init).is_none() {
            let message = format!("{}() takes no arguments", self.class_cell(class).name);
            return Err(self.type_error(&message));
        }
        Ok(())
    }

    /// Whether a value is a collection that supports the given special method.
    pub(super) fn supports_collection_method(&self, value: Value, method: &str) -> bool {
        let Value::Ref(at) = value else { return false };
        match self.heap.get(at) {
            HeapObject::List(_) | HeapObject::Dict(_) | HeapObject::Deque(_) => true,
            HeapObject::Tuple(_) | HeapObject::Text(_) | HeapObject::Bytes(_) => {
                !matches!(method, "__setitem__" | "__delitem__")
            }
            HeapObject::Set(_) => matches!(method, "__contains__" | "__iter__" | "__len__"),
            _ => false,
        }
    }
}
