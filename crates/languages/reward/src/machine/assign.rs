//! Assignment and deletion of attributes: `a.b = c` and `del a.b`.

use super::Machine;
use super::exceptions::{ExceptionKind, Outcome};
use super::value::{Cell, ClassKind, Ref, Value};
use crate::code::Symbol;

impl Machine<'_> {
    /// Sets an attribute, by `__setattr__` if the program defines it.
    pub(super) fn set_attribute(&mut self, object: Value, symbol: Symbol, value: Value) -> Outcome<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special(object, "__setattr__")
        {
            let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
            return self.call_value(method, &[name, value], &[]).map(|_| ());
        }
        self.set_own_attribute(object, symbol, value)
    }

    /// Sets an attribute of an object as `object.__setattr__` does.
    pub(super) fn set_own_attribute(&mut self, object: Value, symbol: Symbol, value: Value) -> Outcome<()> {
        let name = self.name(symbol);
        let Value::Ref(at) = object else { return Err(self.no_attribute(object, symbol)) };
        if &*name == "__class__" {
            return Err(self.type_error("the class of an object cannot be changed in a reward function"));
        }
        if let Some(field) = self.data_descriptor(object, symbol) {
            return self.call_descriptor(field, "__set__", &[object, value]);
        }
        match self.heap.get_mut(at) {
            Cell::Screen(_) => return self.set_screen_attribute(object, at, symbol, &name, value),
            Cell::Function(function) => {
                function.fields.insert(symbol, value);
            }
            Cell::Entity(object) => {
                object.fields.insert(symbol, value);
            }
            Cell::Exception(_) => return self.set_on_exception(at, symbol, value),
            Cell::Class(_) if matches!(&*name, "__name__" | "__qualname__") => {
                return self.rename_class(at, &name, value);
            }
            Cell::Class(_) => {
                self.refuse_member(at, &name, "cannot reassign member")?;
                if let Cell::Class(class) = self.heap.get_mut(at) {
                    class.fields.insert(symbol, value);
                }
            }
            Cell::Instance { .. } => return self.set_on_instance(at, symbol, value),
            _ => return Err(self.no_attribute(object, symbol)),
        }
        Ok(())
    }

    fn set_on_instance(&mut self, at: Ref, symbol: Symbol, value: Value) -> Outcome<()> {
        let Cell::Instance { class, base, .. } = *self.heap.get(at) else { return Ok(()) };
        let object = Value::Ref(at);
        if self.set_by_class(object, class, symbol, value)? {
            return Ok(());
        }
        if let Some(screen) = self.screen_beside(base) {
            return self.set_beside(object, screen, symbol, value);
        }
        self.has_slot(object, class, symbol)?;
        if let Cell::Instance { fields, .. } = self.heap.get_mut(at)
            && fields.insert(symbol, value).is_none()
        {
            self.heap.grew(4);
        }
        Ok(())
    }

    /// Sets an attribute by a property of the class, and rejects attributes that the class makes read-only; returns whether there is a
    /// property.
    fn set_by_class(&mut self, object: Value, class: Ref, symbol: Symbol, value: Value) -> Outcome<bool> {
        let name = self.name(symbol);
        self.refuse_fixed(object, class, symbol, "set")?;
        if let Some(Value::Ref(property)) = self.class_field(class, symbol)
            && let Cell::Property { set, .. } = *self.heap.get(property)
        {
            let Some(set) = set else {
                let owner = self.qualified_class(object);
                let message = format!("property '{name}' of '{owner}' object has no setter");
                return Err(self.raise(ExceptionKind::AttributeError, &message));
            };
            return self.call_value(set, &[object, value], &[]).map(|_| true);
        }
        self.may_be_set(object, &name, "assign to")?;
        Ok(false)
    }

    fn set_on_exception(&mut self, at: Ref, symbol: Symbol, value: Value) -> Outcome<()> {
        let class = self.class_of_program(Value::Ref(at));
        if let Some(class) = class
            && self.set_by_class(Value::Ref(at), class, symbol, value)?
        {
            return Ok(());
        }
        let is_of_class = class.is_some_and(|class| self.class_field(class, symbol).is_some());
        let arguments = if &*self.name(symbol) == "args" && !is_of_class { Some(self.collected(value)?) } else { None };
        if let Cell::Exception(exception) = self.heap.get_mut(at) {
            let before = exception.arguments.len() + exception.fields.len();
            match arguments {
                Some(arguments) => exception.arguments = arguments,
                None => {
                    exception.fields.insert(symbol, value);
                }
            }
            let after = exception.arguments.len() + exception.fields.len();
            self.heap.grew(4 * after.saturating_sub(before));
        }
        Ok(())
    }

    /// Returns the data descriptor of the class that handles setting and deleting an attribute.
    fn data_descriptor(&mut self, object: Value, symbol: Symbol) -> Option<Ref> {
        let class = self.class_of_program(object)?;
        let Some(Value::Ref(field)) = self.class_field(class, symbol) else { return None };
        self.is_data_descriptor(field).then_some(field)
    }

    fn call_descriptor(&mut self, field: Ref, name: &str, arguments: &[Value]) -> Outcome<()> {
        let Some(method) = self.special(Value::Ref(field), name) else {
            return Err(self.raise(ExceptionKind::AttributeError, name));
        };
        self.call_value(method, arguments, &[]).map(|_| ())
    }

    /// Deletes an attribute, by `__delattr__` if the program defines it.
    pub(super) fn delete_attribute(&mut self, object: Value, symbol: Symbol) -> Outcome<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special(object, "__delattr__")
        {
            let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
            return self.call_value(method, &[name], &[]).map(|_| ());
        }
        self.delete_own_attribute(object, symbol)
    }

    /// Deletes an attribute of an object as `object.__delattr__` does.
    pub(super) fn delete_own_attribute(&mut self, object: Value, symbol: Symbol) -> Outcome<()> {
        if let Some(field) = self.data_descriptor(object, symbol) {
            return self.call_descriptor(field, "__delete__", &[object]);
        }
        if let Some(class) = self.class_of_program(object)
            && let Some(Value::Ref(field)) = self.class_field(class, symbol)
            && let Cell::Property { delete: Some(delete), .. } = *self.heap.get(field)
        {
            return self.call_value(delete, &[object], &[]).map(|_| ());
        }
        if let Value::Ref(at) = object {
            let name = self.name(symbol);
            match self.heap.get(at) {
                Cell::Class(class) => {
                    let doing = format!("'{}' cannot delete member", class.name);
                    self.refuse_member(at, &name, &doing)?;
                }
                Cell::Exception(_) if &*name == "args" => return Err(self.type_error("args may not be deleted")),
                _ if let Some(class) = self.class_of_program(object) => {
                    self.refuse_fixed(object, class, symbol, "delete")?;
                    self.may_be_set(object, &name, "delete")?;
                }
                _ => {}
            }
        }
        if self.remove_attribute(object, symbol) {
            return Ok(());
        }
        // For an unset slot, the message of the error is only its name.
        let is_slot = self.class_of_program(object).is_some_and(|class| {
            self.class_cell(class).order.iter().any(|&base| match base {
                Value::Ref(at) => self.class_cell(at).slots.as_ref().is_some_and(|slots| slots.contains(&symbol)),
                _ => false,
            })
        });
        if is_slot {
            let name = self.name(symbol);
            return Err(self.raise(ExceptionKind::AttributeError, &name));
        }
        Err(self.no_attribute(object, symbol))
    }

    /// Removes an attribute from the object itself; returns whether it was present.
    fn remove_attribute(&mut self, object: Value, symbol: Symbol) -> bool {
        // The attributes of an instance of a class derived from a screen class are stored in its screen object.
        let holder = match self.plain(object) {
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Screen(_)) => Value::Ref(at),
            _ => object,
        };
        let removed = match holder {
            Value::Ref(at) => match self.heap.get_mut(at) {
                Cell::Screen(object) => object.fields.shift_remove(&symbol),
                Cell::Function(function) => function.fields.shift_remove(&symbol),
                Cell::Class(class) => class.fields.shift_remove(&symbol),
                Cell::Exception(exception) => exception.fields.shift_remove(&symbol),
                Cell::Instance { fields, .. } => fields.shift_remove(&symbol),
                _ => None,
            },
            _ => None,
        };
        removed.is_some()
    }

    /// Rejects changes of read-only attributes: of properties without a deleter, named tuples and enumeration members.
    fn refuse_fixed(&mut self, object: Value, class: Ref, symbol: Symbol, doing: &str) -> Outcome<()> {
        let name = self.name(symbol);
        let found = self.class_field(class, symbol);
        let property = matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), Cell::Property { .. }));
        let message = if property && doing == "delete" {
            format!("property '{name}' of '{}' object has no deleter", self.qualified_class(object))
        } else if matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), Cell::TupleField(_))) {
            format!("can't {doing} attribute")
        } else if matches!(self.class_cell(class).kind, ClassKind::NamedTuple(_)) {
            let owner = self.class_name(object);
            match found {
                Some(_) => format!("'{owner}' object attribute '{name}' is read-only"),
                None => format!("'{owner}' object has no attribute '{name}'"),
            }
        } else if matches!(&*name, "name" | "value") && self.is_enum(class) {
            format!("<enum 'Enum'> cannot {doing} attribute '{name}'")
        } else {
            return Ok(());
        };
        Err(self.raise(ExceptionKind::AttributeError, &message))
    }
}
