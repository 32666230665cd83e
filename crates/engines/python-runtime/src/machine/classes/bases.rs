//! `super()`, and the methods of built-in base classes.

use super::super::Machine;
use super::super::call::KeywordArguments;
use super::super::compare::is_identical;
use super::super::exceptions::{ExceptionKind, ExecResult};
use super::super::methods::MethodParameters::{One, Slot};
use super::super::methods::{MethodEffect, MethodRow as Row, find_row};
use super::super::value::{HeapObject, HeapRef, Type, Value};
use crate::code::{Symbol, Variable};
use crate::operators::ComparisonOperator;

/// The methods of all built-in classes that `super()` provides.
static BASE_METHODS: [Row; 9] = [
    Row::custom("object.__delattr__", |m, object, a, named| m.change_base_attribute(object, "__delattr__", a, named))
        .with_effect(MethodEffect::Removes),
    Row::of_value("object.__eq__", Slot(1), |m, object, a| m.equals_as_base(object, a[0])),
    Row::of_value("object.__format__", One, |m, object, a| m.format_as_base(object, a[0])),
    Row::of_object("object.__hash__", Slot(0), |_, at, _| Ok(Value::Int(i64::from(at.0)))),
    Row::custom("object.__init__", Machine::init_base).with_effect(MethodEffect::Changes),
    Row::custom("object.__init_subclass__", Machine::init_subclass_of_base),
    Row::of_object("object.__repr__", Slot(0), |m, at, _| m.repr_as_base(Value::Ref(at))),
    Row::custom("object.__setattr__", |m, object, a, named| m.change_base_attribute(object, "__setattr__", a, named))
        .with_effect(MethodEffect::Changes),
    Row::of_object("object.__str__", Slot(0), |m, at, _| m.str_as_base(at)),
];

/// The methods of built-in classes with elements that `super()` provides.
static ELEMENT_METHODS: [Row; 6] = [
    Row::of_value("object.__contains__", Slot(1), |m, object, a| {
        m.contains(m.base_value(object), a[0]).map(Value::Bool)
    }),
    Row::of_value("object.__delitem__", Slot(1), |m, object, a| {
        m.delete_item(m.base_value(object), a[0]).map(|()| Value::None)
    })
    .with_effect(MethodEffect::Removes),
    Row::of_value("object.__getitem__", Slot(1), |m, object, a| m.item_of_base(object, a[0])),
    Row::of_value("object.__iter__", Slot(0), |m, object, _| m.iterator(m.base_value(object))),
    Row::of_value("object.__len__", Slot(0), |m, object, _| {
        m.length(m.base_value(object)).map(|length| Value::Int(length as i64))
    }),
    Row::of_value("object.__setitem__", Slot(2), |m, object, a| {
        m.set_item(m.base_value(object), a[0], a[1]).map(|()| Value::None)
    })
    .with_effect(MethodEffect::Adds),
];

/// The method `__new__` of built-in classes.
static NEW: [Row; 1] = [Row::custom("object.__new__", Machine::call_builtin_new)];

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
        let place = order.iter().position(|&base| is_identical(base, Value::Ref(class)));
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
            return Ok(Some(self.bound_new(Value::Type(kind))));
        }
        if let Some(method) = find_row(&BASE_METHODS, name) {
            return Ok(Some(self.bound_method(object, method)));
        }
        let base = self.base_value(object);
        if is_identical(base, object) {
            return Ok(None);
        }
        if let Some(screen) = self.backing_screen_object(Some(base)) {
            return self.derived_attribute(object, screen, symbol, name);
        }
        if let Some(method) = find_row(&ELEMENT_METHODS, name) {
            return Ok(self.supports_collection_method(base, name).then(|| self.bound_method(object, method)));
        }
        self.find_attribute(base, symbol)
    }

    /// Returns the method `__new__` of a built-in class.
    pub(in crate::machine) fn bound_new(&mut self, class: Value) -> Value {
        self.bound_method(class, &NEW[0])
    }

    fn repr_as_base(&mut self, object: Value) -> ExecResult {
        let base = self.base_value(object);
        let text = if is_identical(base, object) {
            format!("<{}.{} object>", self.program.module, self.qualified_class(object))
        } else {
            self.repr(base)?
        };
        Ok(self.heap.text(&text))
    }

    fn str_as_base(&mut self, at: HeapRef) -> ExecResult {
        let object = Value::Ref(at);
        let base = self.base_value(object);
        let text = match self.heap.get(at) {
            HeapObject::Exception(_) => self.plain_exception_text(at)?,
            _ if is_identical(base, object) => self.repr(object)?,
            _ => self.str(base)?,
        };
        Ok(self.heap.text(&text))
    }

    fn equals_as_base(&mut self, object: Value, other: Value) -> ExecResult {
        let (one, two) = (self.base_value(object), self.base_value(other));
        if is_identical(one, object) {
            return Ok(if is_identical(one, two) { Value::Bool(true) } else { Value::NotImplemented });
        }
        if !self.compares_natively(ComparisonOperator::Eq, one, two) {
            return Ok(Value::NotImplemented);
        }
        self.values_equal(one, two).map(Value::Bool)
    }

    fn format_as_base(&mut self, object: Value, spec: Value) -> ExecResult {
        let (spec, base) = (self.str(spec)?, self.base_value(object));
        let text = if !is_identical(base, object) {
            self.format(base, &spec)?
        } else if spec.is_empty() {
            self.str(object)?
        } else {
            let class = self.class_name(object);
            return Err(self.type_error(&format!("unsupported format string passed to {class}.__format__")));
        };
        Ok(self.heap.text(&text))
    }

    /// Implements `super().__setattr__(name, value)` and `super().__delattr__(name)`.
    fn change_base_attribute(
        &mut self,
        object: Value,
        method: &str,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.reject_keywords(method, named)?;
        match (arguments, method) {
            (&[name, value], "__setattr__") => {
                let name = self.str(name)?;
                let symbol = self.intern(&name);
                self.set_attribute_default(object, symbol, value).map(|()| Value::None)
            }
            (&[name], "__delattr__") => {
                let name = self.str(name)?;
                let symbol = self.intern(&name);
                self.delete_attribute_default(object, symbol).map(|()| Value::None)
            }
            _ => {
                let expected = if method == "__setattr__" { "2 arguments" } else { "1 argument" };
                Err(self.type_error(&format!("expected {expected}, got {}", arguments.len())))
            }
        }
    }

    /// Implements `super().__init_subclass__()`.
    pub(in crate::machine) fn init_subclass_of_base(
        &mut self,
        object: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if arguments.is_empty() && named.is_empty() {
            return Ok(Value::None);
        }
        let owner = match object {
            Value::Ref(at) if let HeapObject::Class(class) = self.heap.get(at) => class.qualified_name.clone(),
            _ => self.owner_name(object),
        };
        Err(self.type_error(&format!("{owner}.__init_subclass__() takes no keyword arguments")))
    }

    fn item_of_base(&mut self, object: Value, index: Value) -> ExecResult {
        match self.base_value(object) {
            Value::Ref(dict) if matches!(self.heap.get(dict), HeapObject::Dict(_)) => match self.entry(dict, index)? {
                Some(value) => Ok(value),
                None => self.missing_key_value(object, dict, index),
            },
            base => self.get_item(base, index),
        }
    }

    /// Implements `super().__init__(..)`.
    pub(in crate::machine) fn init_base(
        &mut self,
        object: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        match object {
            Value::Ref(at) => self.base_init(at, arguments, named),
            _ => Ok(Value::None),
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
