//! The attributes of an object as a dict: `object.__dict__` and `vars(object)`.

use super::LibraryObject;
use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::ResultType;
use crate::machine::methods::MethodParameters::{None as NoParameters, Unpacked};
use crate::machine::methods::{DICT, Method, MethodEffect, MethodRow as Row, bound_receiver, row_of};
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The methods of the dict of attributes.
pub(in crate::machine) static METHODS: [Row; 10] = [
    Row::of_object("attributes.clear", NoParameters, |m, at, _| {
        for (name, _) in m.attributes_of(at) {
            m.change_attribute_dict(at, name, None);
        }
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Clears)
    .with_result(ResultType::None),
    Row::of_object("attributes.copy", NoParameters, |m, at, a| m.read_attribute_dict(at, const { row("copy") }, a)),
    Row::of_object("attributes.get", Unpacked { min: 1, max: 2 }, |m, at, a| {
        m.read_attribute_dict(at, const { row("get") }, a)
    })
    .with_result(ResultType::ElementOrDefault),
    Row::of_object("attributes.items", NoParameters, |m, at, a| m.read_attribute_dict(at, const { row("items") }, a)),
    Row::of_object("attributes.keys", NoParameters, |m, at, a| m.read_attribute_dict(at, const { row("keys") }, a)),
    Row::of_object("attributes.pop", Unpacked { min: 1, max: 2 }, |m, at, a| {
        let value = m.read_attribute_dict(at, const { row("pop") }, a)?;
        if let Some(name) = m.attribute_key(a[0]) {
            m.change_attribute_dict(at, name, None);
        }
        Ok(value)
    })
    .with_effect(MethodEffect::Removes),
    Row::of_object("attributes.popitem", NoParameters, |m, at, a| {
        let item = m.read_attribute_dict(at, const { row("popitem") }, a)?;
        if let [name, _] = *m.collect_values(item)?.as_slice()
            && let Some(name) = m.attribute_key(name)
        {
            m.change_attribute_dict(at, name, None);
        }
        Ok(item)
    })
    .with_effect(MethodEffect::Removes),
    Row::of_object("attributes.setdefault", Unpacked { min: 1, max: 2 }, |m, at, a| {
        let value = m.read_attribute_dict(at, const { row("setdefault") }, a)?;
        m.set_attribute_entry(at, a[0], value)?;
        Ok(value)
    })
    .with_effect(MethodEffect::Adds),
    Row::custom("attributes.update", |m, receiver, arguments, named| {
        m.check_arity("update", arguments.len(), 0, 1)?;
        let entries = m.empty_dict();
        m.fill_dict(entries, arguments, named)?;
        for (name, value) in m.dict(entries).iter().collect::<Vec<_>>() {
            m.set_attribute_entry(bound_receiver(receiver), name, value)?;
        }
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Adds)
    .with_result(ResultType::None),
    Row::of_object("attributes.values", NoParameters, |m, at, a| m.read_attribute_dict(at, const { row("values") }, a)),
];

const fn row(name: &str) -> Method {
    row_of(&DICT, name)
}

impl Machine {
    /// Implements `vars(object)` and `object.__dict__`.
    pub(in crate::machine) fn attribute_dict(&mut self, object: Value) -> ExecResult {
        let has_attributes = match object {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Instance { .. } => self.backing_screen_object(Some(self.base_value(object))).is_none(),
                HeapObject::Exception(_) => true,
                HeapObject::Library(object) => object.attributes().is_some(),
                _ => false,
            },
            _ => false,
        };
        let is_open = match self.class_of_program(object) {
            Some(class) => self.has_open_instances(class),
            None => has_attributes,
        };
        if !has_attributes || !is_open {
            return Err(self.type_error("vars() argument must have __dict__ attribute"));
        }
        Ok(self.new_library_object(LibraryObject::AttributeDict(object)))
    }

    /// Returns the attributes of the object of a dict of attributes.
    fn attributes_of(&self, at: HeapRef) -> Vec<(Symbol, Value)> {
        let Some(&LibraryObject::AttributeDict(Value::Ref(object))) = self.library_object(at) else {
            return Vec::new();
        };
        match self.heap.get(object) {
            HeapObject::Instance { attributes, .. } => attributes.iter().map(|(&name, &value)| (name, value)).collect(),
            HeapObject::Exception(exception) => exception.fields.iter().map(|(&name, &value)| (name, value)).collect(),
            HeapObject::Library(object) => {
                object.attributes().into_iter().flatten().map(|(&name, &value)| (name, value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns a dict with the attributes; `None` for an object that is no dict of attributes.
    pub(super) fn copied_attributes(&mut self, at: HeapRef) -> ExecResult<Option<HeapRef>> {
        if !matches!(self.library_object(at), Some(LibraryObject::AttributeDict(_))) {
            return Ok(None);
        }
        let attributes = self.attributes_of(at);
        let dict = self.empty_dict();
        self.fill_dict(dict, &[], &attributes)?;
        Ok(Some(dict))
    }

    /// Calls a method on a copy of the attributes.
    fn read_attribute_dict(&mut self, at: HeapRef, method: Method, arguments: &[Value]) -> ExecResult {
        match self.copied_attributes(at)? {
            Some(copy) => self.call_object_method(copy, method, arguments),
            None => Ok(Value::None),
        }
    }

    /// Returns the attribute that a key denotes.
    fn attribute_key(&mut self, key: Value) -> Option<Symbol> {
        let name = self.as_text(key)?;
        Some(self.intern(&name))
    }

    /// Sets an attribute through the dict of attributes, without descriptors.
    pub(super) fn set_attribute_entry(&mut self, at: HeapRef, key: Value, value: Value) -> ExecResult<()> {
        let Some(name) = self.attribute_key(key) else {
            return Err(self.type_error("reward functions support only strings as keys of `__dict__`"));
        };
        self.change_attribute_dict(at, name, Some(value));
        Ok(())
    }

    /// Deletes an attribute through the dict of attributes.
    pub(super) fn delete_attribute_entry(&mut self, at: HeapRef, key: Value) -> ExecResult<()> {
        match self.attribute_key(key) {
            Some(name) if self.change_attribute_dict(at, name, None) => Ok(()),
            _ => Err(self.raise_with(ExceptionKind::KeyError, vec![key])),
        }
    }

    /// Sets or removes an attribute; returns whether it existed.
    fn change_attribute_dict(&mut self, at: HeapRef, name: Symbol, value: Option<Value>) -> bool {
        let Some(&LibraryObject::AttributeDict(Value::Ref(object))) = self.library_object(at) else { return false };
        self.heap.record_growth(4);
        let attributes = match self.heap.get_mut(object) {
            HeapObject::Instance { attributes, .. } => attributes,
            HeapObject::Exception(exception) => &mut exception.fields,
            HeapObject::Library(object) => match object.attributes_mut() {
                Some(attributes) => {
                    return match value {
                        Some(value) => attributes.insert(name, value).is_some(),
                        None => attributes.shift_remove(&name).is_some(),
                    };
                }
                None => return false,
            },
            _ => return false,
        };
        match value {
            Some(value) => attributes.insert(name, value).is_some(),
            None => attributes.shift_remove(&name).is_some(),
        }
    }
}
