//! Shortcuts of attribute access.

use super::super::dict::DictKind;
use super::super::exceptions::ExecResult;
use super::super::methods::find_method;
use super::super::operators::quick_binary;
use super::super::screen::{ScreenObject, ScreenSlot};
use super::super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::super::{Machine, cost};
use crate::code::Symbol;
use crate::operators::BinaryOperator;

impl Machine {
    /// Returns an attribute of an object of the screen, of an instance of a class of the program, or of a module.
    #[inline]
    pub(super) fn quick_attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = object else { return Ok(None) };
        match self.heap.get(at) {
            HeapObject::Screen(object) => match self.quick_screen_attribute(object, symbol) {
                None => self.computed_screen_attribute(at, symbol),
                value => Ok(value),
            },
            HeapObject::Instance { class, attributes, base_value: None } => {
                let own = attributes.get(&symbol).copied();
                let found = self.class_field(*class, symbol);
                Ok(self.quick_instance_attribute(object, own, found))
            }
            HeapObject::Class(_) => Ok(self.quick_class_attribute(at, symbol)),
            HeapObject::Module(..) => Ok(self.modules.member(at, symbol)),
            HeapObject::List(_) => Ok(self.quick_method(object, Type::List, symbol)),
            HeapObject::Text(_) => Ok(self.quick_method(object, Type::Str, symbol)),
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Plain) => {
                Ok(self.quick_method(object, Type::Dict, symbol))
            }
            _ => Ok(None),
        }
    }

    /// Replaces the value of an attribute of an instance whose classes do not take part in it; returns whether it did.
    #[inline]
    pub(super) fn quick_attribute_store(&mut self, object: Value, symbol: Symbol, value: Value) -> bool {
        let Value::Ref(at) = object else { return false };
        let setter = self.intern("__setattr__");
        let HeapObject::Instance { class, attributes, base_value: None } = self.heap.get(at) else { return false };
        let takes_no_part = |base: Value| match base {
            Value::Ref(class) => {
                let class = self.class_cell(class);
                matches!(class.kind, ClassKind::Plain)
                    && !class.attributes.contains_key(&setter)
                    && !matches!(class.attributes.get(&symbol), Some(Value::Ref(_)))
            }
            base => matches!(base, Value::Type(Type::Object)),
        };
        if !attributes.contains_key(&symbol) || !self.class_cell(*class).mro.iter().all(|&base| takes_no_part(base)) {
            return false;
        }
        if let HeapObject::Instance { attributes, .. } = self.heap.get_mut(at) {
            attributes.insert(symbol, value);
        }
        true
    }

    /// Returns an attribute that a class of the program defines itself, other than special and private ones.
    #[inline]
    fn quick_class_attribute(&self, at: HeapRef, symbol: Symbol) -> Option<Value> {
        let class = self.class_cell(at);
        let value = *class.attributes.get(&symbol)?;
        if self.names.text(symbol).starts_with('_') {
            return None;
        }
        match value {
            Value::Ref(field) => match self.heap.get(field) {
                HeapObject::Text(_) | HeapObject::Tuple(_) | HeapObject::List(_) | HeapObject::Dict(_) => Some(value),
                // A member of an enumeration, which is no descriptor.
                HeapObject::Instance { class: owner, .. }
                    if *owner == at && self.class_field_named(at, "__get__").is_none() =>
                {
                    Some(value)
                }
                _ => None,
            },
            value => Some(value),
        }
    }

    /// Returns a method of an object of a built-in class.
    #[inline]
    fn quick_method(&mut self, object: Value, class: Type, symbol: Symbol) -> Option<Value> {
        let method = if let Some(&method) = self.methods.get(&(class, symbol)) {
            method
        } else {
            let method = find_method(class, self.names.text(symbol))?;
            self.methods.insert((class, symbol), method);
            method
        };
        Some(self.bound_method(object, method))
    }

    /// Returns an attribute of an instance, given the values of this name in the instance and in its class.
    #[inline]
    fn quick_instance_attribute(
        &mut self,
        object: Value,
        own: Option<Value>,
        of_class: Option<Value>,
    ) -> Option<Value> {
        let field = match of_class {
            Some(Value::Ref(field)) => field,
            // A method that the class inherits from an abstract base class.
            Some(Value::Builtin(_)) => return None,
            _ => return own.or(of_class),
        };
        match (self.heap.get(field), own) {
            (HeapObject::Function(_), Some(own)) => Some(own),
            (HeapObject::Function(_), None) => {
                let function = Value::Ref(field);
                Some(Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver: object, function })))
            }
            (HeapObject::Text(_) | HeapObject::Tuple(_) | HeapObject::List(_) | HeapObject::Dict(_), own) => {
                own.or(of_class)
            }
            _ => None,
        }
    }

    /// Returns an attribute of a screen object that needs no cell of its own.
    #[inline]
    fn quick_screen_attribute(&self, object: &ScreenObject, symbol: Symbol) -> Option<Value> {
        let slot = (*self.screen_slots.get(symbol.0 as usize)?)?;
        if !object.is_plain() {
            return None;
        }
        let previous = object.previous.as_ref().unwrap_or(&object.position);
        Some(match slot {
            ScreenSlot::X => object.position[0],
            ScreenSlot::Y => object.position[1],
            ScreenSlot::W => object.size[0],
            ScreenSlot::H => object.size[1],
            ScreenSlot::PreviousX => previous[0],
            ScreenSlot::PreviousY => previous[1],
            ScreenSlot::Visible => object.visible,
            _ => return None,
        })
    }

    /// Returns an attribute of a screen object that is computed or needs a cell.
    fn computed_screen_attribute(&mut self, at: HeapRef, symbol: Symbol) -> ExecResult<Option<Value>> {
        let slot = self.screen_slots.get(symbol.0 as usize).copied().flatten();
        let (Some(slot), HeapObject::Screen(object)) = (slot, self.heap.get(at)) else { return Ok(None) };
        if !object.is_plain() {
            return Ok(None);
        }
        let (position, size, class) = (object.position, object.size, object.class);
        let previous = object.previous.unwrap_or(position);
        let subtract = |place: usize| quick_binary(BinaryOperator::Sub, position[place], previous[place]);
        let middle = |place: usize| {
            let half = quick_binary(BinaryOperator::Div, size[place], Value::Int(2))?;
            quick_binary(BinaryOperator::Add, position[place], half)
        };
        match slot {
            ScreenSlot::Dx | ScreenSlot::Dy => {
                let Some(difference) = subtract(usize::from(slot == ScreenSlot::Dy)) else { return Ok(None) };
                self.spend(cost::OPERATION).map(|()| Some(difference))
            }
            ScreenSlot::Center => {
                let (Some(x), Some(y)) = (middle(0), middle(1)) else { return Ok(None) };
                self.spend(4 * cost::OPERATION)?;
                Ok(Some(self.heap.tuple([x, y])))
            }
            ScreenSlot::Xy => Ok(Some(self.heap.tuple(position))),
            ScreenSlot::Category => Ok(Some(self.screen_class_text(class))),
            _ => Ok(None),
        }
    }
}
