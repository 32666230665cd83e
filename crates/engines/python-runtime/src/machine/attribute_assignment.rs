//! Assignment and deletion of attributes: `a.b = c` and `del a.b`.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::value::{ClassKind, HeapObject, HeapRef, Value};
use crate::code::Symbol;

impl Machine {
    /// Sets an attribute, by `__setattr__` if the program defines it.
    pub(super) fn set_attribute(&mut self, object: Value, symbol: Symbol, value: Value) -> ExecResult<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special_method(object, "__setattr__")
        {
            let name = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
            return self.call_value(method, &[name, value], &[]).map(|_| ());
        }
        self.set_attribute_default(object, symbol, value)
    }

    /// Sets an attribute of an object as `object.__setattr__` does.
    pub(super) fn set_attribute_default(&mut self, object: Value, symbol: Symbol, value: Value) -> ExecResult<()> {
        let name = self.name(symbol);
        let Value::Ref(at) = object else { return Err(self.attribute_error(object, symbol)) };
        if &*name == "__class__" {
            return Err(self.type_error("the class of an object cannot be changed in a reward function"));
        }
        if let Some(field) = self.data_descriptor(object, symbol) {
            return self.call_descriptor(field, "__set__", &[object, value]);
        }
        if self.set_library_object_attribute(at, symbol, value) {
            return Ok(());
        }
        match self.heap.get_mut(at) {
            HeapObject::Screen(_) => return self.set_screen_attribute(object, at, symbol, &name, value),
            HeapObject::Function(function) => {
                function.attributes.insert(symbol, value);
            }
            HeapObject::Wrapper(wrapper) => {
                wrapper.attributes.insert(symbol, value);
            }
            HeapObject::Entity(object) => {
                object.fields.insert(symbol, value);
            }
            HeapObject::Exception(_) => return self.set_on_exception(at, symbol, value),
            HeapObject::Class(_) if matches!(&*name, "__name__" | "__qualname__") => {
                return self.rename_class(at, &name, value);
            }
            HeapObject::Class(_) => {
                self.check_not_enum_member(at, &name, "cannot reassign member")?;
                if let HeapObject::Class(class) = self.heap.get_mut(at) {
                    class.attributes.insert(symbol, value);
                }
            }
            HeapObject::Instance { .. } => return self.set_on_instance(at, symbol, value),
            _ => return Err(self.attribute_error(object, symbol)),
        }
        Ok(())
    }

    fn set_on_instance(&mut self, at: HeapRef, symbol: Symbol, value: Value) -> ExecResult<()> {
        let HeapObject::Instance { class, .. } = *self.heap.get(at) else { return Ok(()) };
        let object = Value::Ref(at);
        if self.set_property(object, class, symbol, value)? {
            return Ok(());
        }
        self.check_not_frozen(object, &self.name(symbol), "assign to")?;
        self.store_on_instance(at, symbol, value)
    }

    /// Sets an attribute as `object.__setattr__` does, also of a frozen dataclass.
    pub(super) fn set_attribute_of_object(&mut self, object: Value, symbol: Symbol, value: Value) -> ExecResult<()> {
        let frozen = match object {
            Value::Ref(at) if self.dataclass_of(object).is_some_and(|dataclass| dataclass.frozen) => at,
            _ => return self.set_attribute_default(object, symbol, value),
        };
        match self.class_of_program(object) {
            Some(class) if self.set_property(object, class, symbol, value)? => Ok(()),
            _ => self.store_on_instance(frozen, symbol, value),
        }
    }

    /// Stores an attribute in an instance.
    fn store_on_instance(&mut self, at: HeapRef, symbol: Symbol, value: Value) -> ExecResult<()> {
        let HeapObject::Instance { class, base_value: base, .. } = *self.heap.get(at) else { return Ok(()) };
        let object = Value::Ref(at);
        if let Some(screen) = self.backing_screen_object(base) {
            return self.set_derived_attribute(object, screen, symbol, value);
        }
        self.check_slot(object, class, symbol)?;
        if let HeapObject::Instance { attributes: fields, .. } = self.heap.get_mut(at)
            && fields.insert(symbol, value).is_none()
        {
            self.heap.record_growth(4);
        }
        Ok(())
    }

    /// Sets an attribute by a property of the class, and rejects attributes that the class makes read-only; returns whether there is a
    /// property.
    fn set_property(&mut self, object: Value, class: HeapRef, symbol: Symbol, value: Value) -> ExecResult<bool> {
        let name = self.name(symbol);
        self.check_writable(object, class, symbol, "set")?;
        if let Some(Value::Ref(property)) = self.class_field(class, symbol)
            && let HeapObject::Property { set, .. } = *self.heap.get(property)
        {
            let Some(set) = set else {
                let owner = self.qualified_class(object);
                let message = format!("property '{name}' of '{owner}' object has no setter");
                return Err(self.raise(ExceptionKind::AttributeError, &message));
            };
            return self.call_value(set, &[object, value], &[]).map(|_| true);
        }
        Ok(false)
    }

    fn set_on_exception(&mut self, at: HeapRef, symbol: Symbol, value: Value) -> ExecResult<()> {
        let class = self.class_of_program(Value::Ref(at));
        if let Some(class) = class
            && self.set_property(Value::Ref(at), class, symbol, value)?
        {
            return Ok(());
        }
        let is_of_class = class.is_some_and(|class| self.class_field(class, symbol).is_some());
        let arguments =
            if &*self.name(symbol) == "args" && !is_of_class { Some(self.collect_values(value)?) } else { None };
        if let HeapObject::Exception(exception) = self.heap.get_mut(at) {
            let before = exception.arguments.len() + exception.fields.len();
            match arguments {
                Some(arguments) => exception.arguments = arguments,
                None => {
                    exception.fields.insert(symbol, value);
                }
            }
            let after = exception.arguments.len() + exception.fields.len();
            self.heap.record_growth(4 * after.saturating_sub(before));
        }
        Ok(())
    }

    /// Returns the data descriptor of the class that handles setting and deleting an attribute.
    fn data_descriptor(&mut self, object: Value, symbol: Symbol) -> Option<HeapRef> {
        let class = self.class_of_program(object)?;
        let Some(Value::Ref(field)) = self.class_field(class, symbol) else { return None };
        self.is_data_descriptor(field).then_some(field)
    }

    fn call_descriptor(&mut self, field: HeapRef, name: &str, arguments: &[Value]) -> ExecResult<()> {
        let Some(method) = self.special_method(Value::Ref(field), name) else {
            return Err(self.raise(ExceptionKind::AttributeError, name));
        };
        self.call_value(method, arguments, &[]).map(|_| ())
    }

    /// Deletes an attribute, by `__delattr__` if the program defines it.
    pub(super) fn delete_attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special_method(object, "__delattr__")
        {
            let name = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
            return self.call_value(method, &[name], &[]).map(|_| ());
        }
        self.delete_attribute_default(object, symbol)
    }

    /// Deletes an attribute of an object as `object.__delattr__` does.
    pub(super) fn delete_attribute_default(&mut self, object: Value, symbol: Symbol) -> ExecResult<()> {
        if let Some(field) = self.data_descriptor(object, symbol) {
            return self.call_descriptor(field, "__delete__", &[object]);
        }
        if let Some(class) = self.class_of_program(object)
            && let Some(Value::Ref(field)) = self.class_field(class, symbol)
            && let HeapObject::Property { delete: Some(delete), .. } = *self.heap.get(field)
        {
            return self.call_value(delete, &[object], &[]).map(|_| ());
        }
        if let Value::Ref(at) = object {
            let name = self.name(symbol);
            match self.heap.get(at) {
                HeapObject::Class(class) => {
                    let doing = format!("'{}' cannot delete member", class.name);
                    self.check_not_enum_member(at, &name, &doing)?;
                }
                HeapObject::Exception(_) if &*name == "args" => return Err(self.type_error("args may not be deleted")),
                _ if let Some(class) = self.class_of_program(object) => {
                    self.check_writable(object, class, symbol, "delete")?;
                    self.check_not_frozen(object, &name, "delete")?;
                }
                _ => {}
            }
        }
        if self.remove_attribute(object, symbol) {
            return Ok(());
        }
        // For an unset slot, the message of the error is only its name.
        let is_slot = self.class_of_program(object).is_some_and(|class| {
            self.class_cell(class).mro.iter().any(|&base| match base {
                Value::Ref(at) => self.class_cell(at).slots.as_ref().is_some_and(|slots| slots.contains(&symbol)),
                _ => false,
            })
        });
        if is_slot {
            let name = self.name(symbol);
            return Err(self.raise(ExceptionKind::AttributeError, &name));
        }
        Err(self.attribute_error(object, symbol))
    }

    /// Removes an attribute from the object itself; returns whether it was present.
    fn remove_attribute(&mut self, object: Value, symbol: Symbol) -> bool {
        // The attributes of an instance of a class derived from a screen class are stored in its screen object.
        let holder = match self.base_value(object) {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Screen(_)) => Value::Ref(at),
            _ => object,
        };
        let removed = match holder {
            Value::Ref(at) => match self.heap.get_mut(at) {
                HeapObject::Screen(object) => {
                    let class = object.class().0 as usize;
                    object.attributes_mut(&self.extra_attributes[class]).fields.shift_remove(&symbol)
                }
                HeapObject::Function(function) => function.attributes.shift_remove(&symbol),
                HeapObject::Wrapper(wrapper) => wrapper.attributes.shift_remove(&symbol),
                HeapObject::Library(object) => object.remove_attribute(symbol),
                HeapObject::Class(class) => class.attributes.shift_remove(&symbol),
                HeapObject::Exception(exception) => exception.fields.shift_remove(&symbol),
                HeapObject::Instance { attributes: fields, .. } => fields.shift_remove(&symbol),
                _ => None,
            },
            _ => None,
        };
        removed.is_some()
    }

    /// Rejects changes of read-only attributes: of properties without a deleter, named tuples and enumeration members.
    fn check_writable(&mut self, object: Value, class: HeapRef, symbol: Symbol, doing: &str) -> ExecResult<()> {
        let name = self.name(symbol);
        let found = self.class_field(class, symbol);
        let property =
            matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), HeapObject::Property { .. }));
        let message = if property && doing == "delete" {
            format!("property '{name}' of '{}' object has no deleter", self.qualified_class(object))
        } else if matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), HeapObject::NamedTupleField(_))) {
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
