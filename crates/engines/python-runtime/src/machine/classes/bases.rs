//! `super()`, and the methods of built-in base classes.

use super::super::Machine;
use super::super::call::KeywordArguments;
use super::super::exceptions::{ExceptionKind, ExecResult};
use super::super::methods::Method;
use super::super::value::{HeapObject, HeapRef, Type, Value};
use crate::code::{Symbol, Variable};

/// The methods of all built-in classes that `super()` provides.
const BASE_METHODS: [&str; 9] = [
    "__init__",
    "__repr__",
    "__str__",
    "__eq__",
    "__hash__",
    "__setattr__",
    "__delattr__",
    "__init_subclass__",
    "__format__",
];

/// The methods of built-in classes with elements that `super()` provides.
const ELEMENT_METHODS: [&str; 6] = ["__contains__", "__delitem__", "__getitem__", "__iter__", "__len__", "__setitem__"];

impl Machine {
    /// Evaluates `super()`: with its two arguments, or with the class of the calling method and its first argument.
    pub(in crate::machine) fn new_super(&mut self, arguments: &[Value]) -> ExecResult {
        if let &[Value::Ref(class), object] = arguments {
            return Ok(Value::Ref(self.heap.add(HeapObject::Super { class, object })));
        }
        let found = self.frames.last().and_then(|frame| {
            let HeapObject::Function(function) = self.heap.get(frame.function?) else { return None };
            let parameter = self.program.code(function.code).signature.positional.first()?;
            let object = match parameter.variable {
                Variable::Local(place) => self.locals[frame.first_local + place as usize]?,
                Variable::Cell(place) => match *self.heap.get(frame.cells[place as usize]) {
                    HeapObject::ClosureCell(value) => value?,
                    _ => return None,
                },
            };
            Some((function.defining_class?, object))
        });
        match found {
            Some((class, object)) => Ok(Value::Ref(self.heap.add(HeapObject::Super { class, object }))),
            None => Err(self.raise(ExceptionKind::RuntimeError, "super(): no arguments")),
        }
    }

    /// Returns an attribute of an object from the classes after a given one in the method resolution order.
    pub(in crate::machine) fn super_attribute(
        &mut self,
        class: HeapRef,
        object: Value,
        symbol: Symbol,
        name: &str,
    ) -> ExecResult<Option<Value>> {
        let own = match object {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Class(_)) => at,
            _ => match self.class_of(object) {
                Value::Ref(at) => at,
                _ => return Ok(None),
            },
        };
        let order = self.class_cell(own).mro.clone();
        let place = order.iter().position(|&base| crate::machine::compare::is_identical(base, Value::Ref(class)));
        for &base in order.iter().skip(place.map_or(0, |place| place + 1)) {
            let Value::Ref(at) = base else { continue };
            let Some(&value) = self.class_cell(at).attributes.get(&symbol) else { continue };
            if let Value::Ref(field) = value
                && let Some(value) = self.data_descriptor_value(object, field)?
            {
                return Ok(Some(value));
            }
            return self.bind_class_field(object, own, value).map(Some);
        }
        if name == "__new__" {
            let kind = self.built_in_base(own).unwrap_or(Type::Object);
            return Ok(Some(self.bound_method(Value::Type(kind), Method::Base("__new__"))));
        }
        if let Some(method) = BASE_METHODS.iter().find(|other| **other == name) {
            return Ok(Some(self.bound_method(object, Method::Base(method))));
        }
        let base = self.base_value(object);
        if crate::machine::compare::is_identical(base, object) {
            return Ok(None);
        }
        if let Some(screen) = self.backing_screen_object(Some(base)) {
            return self.derived_attribute(object, screen, symbol, name);
        }
        if let Some(method) = ELEMENT_METHODS.iter().find(|other| **other == name) {
            return Ok(self
                .supports_collection_method(base, method)
                .then(|| self.bound_method(object, Method::Base(method))));
        }
        self.find_attribute(base, symbol)
    }

    /// Calls a method of a built-in base class, such as `super().__init__(..)`.
    pub(in crate::machine) fn base_method(
        &mut self,
        object: Value,
        name: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Value::Ref(at) = object else { return Ok(Value::None) };
        match (name, arguments) {
            ("__init__", _) => self.base_init(at, arguments, named),
            ("__repr__", _) => {
                let base = self.base_value(object);
                let text = if crate::machine::compare::is_identical(base, object) {
                    format!("<{}.{} object>", self.program.module, self.qualified_class(object))
                } else {
                    self.repr(base)?
                };
                Ok(self.heap.text(&text))
            }
            ("__str__", _) => {
                let base = self.base_value(object);
                let text = match self.heap.get(at) {
                    HeapObject::Exception(_) => self.plain_exception_text(at)?,
                    _ if crate::machine::compare::is_identical(base, object) => self.repr(object)?,
                    _ => self.str(base)?,
                };
                Ok(self.heap.text(&text))
            }
            ("__eq__", &[other]) => {
                let (one, two) = (self.base_value(object), self.base_value(other));
                if crate::machine::compare::is_identical(one, object) {
                    return Ok(if crate::machine::compare::is_identical(one, two) {
                        Value::Bool(true)
                    } else {
                        Value::NotImplemented
                    });
                }
                if !self.compares_natively(crate::operators::ComparisonOperator::Eq, one, two) {
                    return Ok(Value::NotImplemented);
                }
                self.values_equal(one, two).map(Value::Bool)
            }
            ("__hash__", _) => Ok(Value::Int(i64::from(at.0))),
            ("__setattr__", &[name, value]) => {
                let name = self.str(name)?;
                let symbol = self.intern(&name);
                self.set_attribute_default(object, symbol, value).map(|()| Value::None)
            }
            ("__delattr__", &[name]) => {
                let name = self.str(name)?;
                let symbol = self.intern(&name);
                self.delete_attribute_default(object, symbol).map(|()| Value::None)
            }
            ("__format__", &[spec]) => {
                let (spec, base) = (self.str(spec)?, self.base_value(object));
                let text = if !crate::machine::compare::is_identical(base, object) {
                    self.format(base, &spec)?
                } else if spec.is_empty() {
                    self.str(object)?
                } else {
                    let class = self.class_name(object);
                    let message = format!("unsupported format string passed to {class}.__format__");
                    return Err(self.type_error(&message));
                };
                Ok(self.heap.text(&text))
            }
            ("__init_subclass__", _) if !arguments.is_empty() || !named.is_empty() => {
                let owner = match object {
                    Value::Ref(at) if let HeapObject::Class(class) = self.heap.get(at) => class.qualified_name.clone(),
                    _ => self.owner_name(object),
                };
                let message = format!("{owner}.__init_subclass__() takes no keyword arguments");
                Err(self.type_error(&message))
            }
            ("__init_subclass__", _) => Ok(Value::None),
            _ => self.base_element_method(object, name, arguments),
        }
    }

    /// Calls a method of a built-in base class with elements.
    fn base_element_method(&mut self, object: Value, name: &str, arguments: &[Value]) -> ExecResult {
        let base = self.base_value(object);
        match (name, arguments) {
            ("__contains__", &[value]) => self.contains(base, value).map(Value::Bool),
            ("__len__", &[]) => self.length(base).map(|length| Value::Int(length as i64)),
            ("__iter__", &[]) => self.iterator(base),
            ("__getitem__", &[index]) => match base {
                Value::Ref(dict) if matches!(self.heap.get(dict), HeapObject::Dict(_)) => {
                    match self.entry(dict, index)? {
                        Some(value) => Ok(value),
                        None => self.missing_key_value(object, dict, index),
                    }
                }
                _ => self.get_item(base, index),
            },
            ("__setitem__", &[index, value]) => self.set_item(base, index, value).map(|()| Value::None),
            ("__delitem__", &[index]) => self.delete_item(base, index).map(|()| Value::None),
            _ => Err(self.type_error(&format!("wrong number of arguments for {name}()"))),
        }
    }

    fn base_init(&mut self, at: HeapRef, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if let HeapObject::Exception(exception) = self.heap.get_mut(at) {
            exception.arguments = arguments.to_vec();
            return Ok(Value::None);
        }
        let base = self.base_value(Value::Ref(at));
        match base {
            Value::Ref(inner) if inner != at => match self.heap.get(inner) {
                HeapObject::Dict(_) => self.fill_dict(inner, arguments, named)?,
                HeapObject::Screen(_) => self.init_screen_object(inner, arguments, named)?,
                HeapObject::List(_) => {
                    if let &[values] = arguments {
                        self.extend(inner, values)?;
                    }
                }
                HeapObject::Set(_) => {
                    if let &[values] = arguments {
                        for value in self.collect_values(values)? {
                            self.add_to_set(inner, value)?;
                        }
                    }
                }
                _ => {}
            },
            _ if matches!(base, Value::Ref(_)) && (!arguments.is_empty() || !named.is_empty()) => {
                let message = "object.__init__() takes exactly one argument (the instance to initialize)";
                return Err(self.type_error(message));
            }
            _ => {}
        }
        Ok(Value::None)
    }
}
