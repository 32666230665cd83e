//! Screen objects as `OCAtari` defines them: the objects that reward functions for games take.

mod cells;
mod derived;
mod methods;

use std::borrow::Cow;
use std::sync::Arc;

use super::Machine;
use super::exceptions::ExecResult;
use super::value::{HeapObject, HeapRef, Type, Value};
use crate::code::Symbol;
use crate::scene::{Orientation, SceneObject, ScreenEquality, World};
use cells::PlainObject;

pub(super) use cells::ScreenSlot;
pub(crate) use cells::{ScreenAttributes, ScreenObject};
pub(super) use methods::SCREEN_METHODS;

/// A class of the world, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClassId(pub(crate) u16);

/// The name of the enumeration of compass directions.
pub const ORIENTATION_CLASS: &str = "Orientation";

/// The compass directions, in the order of their values, from 0.
const DIRECTION_NAMES: [&str; 16] =
    ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

impl Machine {
    fn screen(&self, at: HeapRef) -> Cow<'_, ScreenAttributes> {
        match self.heap.get(at) {
            HeapObject::Screen(object) => object.attributes(&self.extra_attributes[object.class().0 as usize]),
            _ => unreachable!("called with objects of the screen"),
        }
    }

    /// Returns the names of the attributes specific to each class of the screen.
    pub(super) fn intern_extra_attributes(&mut self) -> Vec<Vec<Symbol>> {
        let world = Arc::clone(&self.world);
        let names = world.screen_classes.iter().map(|class| &class.extra_attributes);
        names.map(|names| names.iter().map(|name| self.intern(name)).collect()).collect()
    }

    /// Returns the value of an attribute of a plain object without a lookup by name, and the work; `None` if it has no such form.
    #[inline]
    pub(super) fn plain_attribute(&self, object: Value, symbol: Symbol) -> Option<(Value, u64)> {
        let Value::Ref(at) = object else { return None };
        let HeapObject::Screen(ScreenObject::Plain(object)) = self.heap.get(at) else { return None };
        match *self.screen_slots.get(symbol.0 as usize)? {
            Some(slot) => Some((object.immediate(slot)?, slot.work())),
            None => Some((self.extra_attribute(object, symbol)?, 0)),
        }
    }

    /// Returns an attribute specific to the class of a plain object.
    #[inline]
    pub(super) fn extra_attribute(&self, object: &PlainObject, symbol: Symbol) -> Option<Value> {
        let place = self.extra_attributes[object.class.0 as usize].iter().position(|name| *name == symbol)?;
        object.extra_value(place)
    }

    fn screen_mut(&mut self, at: HeapRef) -> &mut ScreenAttributes {
        match self.heap.get_mut(at) {
            HeapObject::Screen(object) => {
                let class = object.class().0 as usize;
                object.attributes_mut(&self.extra_attributes[class])
            }
            _ => unreachable!("called with objects of the screen"),
        }
    }

    pub(super) fn class_of_screen(&self, class: ClassId) -> &crate::scene::ScreenClass {
        &self.world.screen_classes[class.0 as usize]
    }

    /// Returns the name of a screen class as a text.
    #[inline]
    pub(super) fn screen_class_text(&mut self, class: ClassId) -> Value {
        if let Some(symbol) = self.class_symbols[class.0 as usize] {
            return self.name_text(symbol);
        }
        let world = Arc::clone(&self.world);
        let symbol = self.intern(&world.screen_classes[class.0 as usize].name);
        self.name_text(symbol)
    }

    #[inline]
    pub(super) fn screen_class_is(&self, class: ClassId, other: ClassId) -> bool {
        if class == other {
            return true;
        }
        let parent = |class: &u16| self.world.screen_classes[*class as usize].parent;
        std::iter::successors(Some(class.0), parent).any(|class| class == other.0)
    }

    /// Returns the method resolution order of a screen class.
    pub(super) fn screen_class_mro(&self, class: ClassId) -> Vec<Value> {
        let parent = |class: &u16| self.world.screen_classes[*class as usize].parent;
        let line = std::iter::successors(Some(class.0), parent).map(|class| Value::Type(Type::Screen(ClassId(class))));
        line.chain([Value::Type(Type::Object)]).collect()
    }

    /// Creates an object of a class with the attributes that its constructor sets.
    pub(super) fn new_screen_object(&mut self, class: ClassId) -> Value {
        let object = self.world.new_object(class.0);
        self.scene_object(&object)
    }

    /// Creates the object of the machine for an object of the scene.
    pub(super) fn scene_object(&mut self, object: &SceneObject) -> Value {
        let extras = &self.extra_attributes[object.class as usize];
        let (at, cell) = self.heap.screen_cell();
        cell.set(object, extras);
        Value::Ref(at)
    }

    /// Returns an attribute of an object, computed from its own data; `None` if the object has no such attribute.
    pub(super) fn screen_attribute(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> ExecResult<Option<Value>> {
        let object = self.screen(at);
        if let Some(&value) = object.fields.get(&symbol) {
            return Ok(Some(value));
        }
        if object.unset.has(name) {
            return Ok(None);
        }
        let ([x, y], [w, h]) = (object.position, object.size);
        let previous = object.previous.unwrap_or(object.position);
        let value = match name {
            "x" => x,
            "y" => y,
            "w" => w,
            "h" => h,
            "xy" | "_xy" => self.heap.tuple([x, y]),
            "wh" => self.heap.tuple([w, h]),
            "xywh" => self.heap.tuple([x, y, w, h]),
            "_prev_xy" if object.previous.is_none() => Value::None,
            "prev_xy" | "_prev_xy" => self.heap.tuple(previous),
            "prev_x" => previous[0],
            "prev_y" => previous[1],
            "dx" => self.binary(crate::operators::BinaryOperator::Sub, x, previous[0])?,
            "dy" => self.binary(crate::operators::BinaryOperator::Sub, y, previous[1])?,
            "center" => {
                let center = self.center(at)?;
                self.heap.tuple(center)
            }
            "h_coords" => {
                let (now, before) = (self.heap.tuple([x, y]), self.heap.tuple(previous));
                self.heap.list(vec![now, before])
            }
            "category" => {
                let class = object.class;
                self.screen_class_text(class)
            }
            "rgb" | "_rgb" => {
                let (color, visible) = (object.color.map(|part| Value::Int(part.into())), object.visible);
                if name == "rgb" && !self.truth(visible)? {
                    return Ok(Some(self.heap.tuple([Value::Int(0); 3])));
                }
                let symbol = self.intern("_rgb");
                match self.screen(at).fields.get(&symbol) {
                    Some(&set) => set,
                    None => self.heap.tuple(color),
                }
            }
            "properties" => self.property_names(Value::Ref(at), at)?,
            "nslen" if object.class.0 == World::NO_OBJECT => Value::Int(2),
            "hud" => object.hud,
            "visible" | "_visible" => object.visible,
            "orientation" | "_orientation" => match object.orientation.clone() {
                Orientation::None => Value::None,
                Orientation::Raw(number) => Value::Int(number),
                Orientation::Name(name) => self.orientation_member(&name)?,
            },
            "value" | "_value" if object.value.is_some() => object.value.unwrap_or(Value::None),
            "_prev_value" if object.value.is_some() => object.previous_value.unwrap_or(Value::None),
            "prev_value" if object.value.is_some() => object.previous_value.or(object.value).unwrap_or(Value::None),
            "value_diff" if object.value.is_some() => {
                let (now, before) = (object.value, object.previous_value.or(object.value));
                let (now, before) = (now.unwrap_or(Value::None), before.unwrap_or(Value::None));
                self.binary(crate::operators::BinaryOperator::Sub, now, before)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Sets an attribute with the conversions of `GameObject`: coordinates become integers. The owner is the object itself, or the instance
    /// of a program class that wraps it.
    pub(super) fn set_screen_attribute(
        &mut self,
        owner: Value,
        at: HeapRef,
        symbol: Symbol,
        name: &str,
        value: Value,
    ) -> ExecResult<()> {
        let has_value = self.screen(at).value.is_some();
        let set = match name {
            "x" | "y" | "w" | "h" => return self.set_coordinate(owner, at, name, value),
            "xy" => {
                self.screen_mut(at).position = self.int_pair(value)?;
                "_xy"
            }
            "_xy" => {
                self.screen_mut(at).position = self.pair(value)?;
                "_xy"
            }
            "wh" => {
                self.screen_mut(at).size = self.pair(value)?;
                "wh"
            }
            "xywh" => {
                let parts = self.unpack_exact(value, 4)?;
                let object = self.screen_mut(at);
                (object.position, object.size) = ([parts[0], parts[1]], [parts[2], parts[3]]);
                object.unset.remove("wh");
                "_xy"
            }
            "prev_xy" | "_prev_xy" => {
                let previous = if matches!(value, Value::None) { None } else { Some(self.pair(value)?) };
                self.screen_mut(at).previous = previous;
                "_prev_xy"
            }
            "value" if has_value => {
                let value = if matches!(value, Value::None) { value } else { self.as_int(value)? };
                self.screen_mut(at).value = Some(value);
                "_value"
            }
            "_value" if has_value => {
                self.screen_mut(at).value = Some(value);
                "_value"
            }
            "_prev_value" if has_value => {
                self.screen_mut(at).previous_value = Some(value).filter(|value| !matches!(value, Value::None));
                "_prev_value"
            }
            "hud" => {
                self.screen_mut(at).hud = value;
                "hud"
            }
            "visible" | "_visible" => {
                self.screen_mut(at).visible = value;
                "_visible"
            }
            "prev_x" | "prev_y" | "dx" | "dy" | "center" | "category" | "h_coords" | "properties" => {
                return self.raise_no_setter(owner, name);
            }
            "prev_value" | "value_diff" if has_value => return self.raise_no_setter(owner, name),
            "rgb" | "_rgb" => {
                let symbol = self.intern("_rgb");
                self.screen_mut(at).fields.insert(symbol, value);
                "_rgb"
            }
            "orientation" | "_orientation" => {
                for name in ["orientation", "_orientation"] {
                    let symbol = self.intern(name);
                    self.screen_mut(at).fields.insert(symbol, value);
                }
                "_orientation"
            }
            _ => {
                self.screen_mut(at).fields.insert(symbol, value);
                return Ok(());
            }
        };
        self.screen_mut(at).unset.remove(set);
        Ok(())
    }

    /// Sets a coordinate or a side; the other one of the pair comes from the owner's attribute.
    fn set_coordinate(&mut self, owner: Value, at: HeapRef, name: &str, value: Value) -> ExecResult<()> {
        let whole = self.as_int(value)?;
        let (other, is_first) = match name {
            "x" => ("y", true),
            "y" => ("x", false),
            "w" => ("h", true),
            _ => ("w", false),
        };
        let other = self.attribute_named(owner, other)?;
        let pair = if is_first { [whole, other] } else { [other, whole] };
        let object = self.screen_mut(at);
        if matches!(name, "x" | "y") {
            object.position = pair;
            object.unset.remove("_xy");
        } else {
            object.size = pair;
            object.unset.remove("wh");
        }
        Ok(())
    }

    fn pair(&mut self, value: Value) -> ExecResult<[Value; 2]> {
        let parts = self.unpack_exact(value, 2)?;
        Ok([parts[0], parts[1]])
    }

    fn int_pair(&mut self, value: Value) -> ExecResult<[Value; 2]> {
        let [x, y] = self.pair(value)?;
        Ok([self.as_int(x)?, self.as_int(y)?])
    }

    /// Returns the center of an object, as floats.
    fn center(&mut self, at: HeapRef) -> ExecResult<[Value; 2]> {
        use crate::operators::BinaryOperator::{Add, Div};
        let object = self.screen(at);
        let (position, size) = (object.position, object.size);
        let mut center = [Value::None; 2];
        for place in 0..2 {
            let half = self.binary(Div, size[place], Value::Int(2))?;
            center[place] = self.binary(Add, position[place], half)?;
        }
        Ok(center)
    }

    pub(super) fn attribute_named(&mut self, object: Value, name: &str) -> ExecResult {
        let symbol = self.intern(name);
        self.attribute(object, symbol)
    }

    /// Whether two objects are equal by the rules of their classes, some of which compare positions.
    pub(super) fn screen_objects_equal(&self, one: HeapRef, other: HeapRef) -> bool {
        if one == other {
            return true;
        }
        let (HeapObject::Screen(one), HeapObject::Screen(other)) = (self.heap.get(one), self.heap.get(other)) else {
            return false;
        };
        let is_by_identity =
            |object: &ScreenObject| matches!(self.class_of_screen(object.class()).equality, ScreenEquality::Identity);
        if is_by_identity(one) && is_by_identity(other) {
            return false;
        }
        let extras = |object: &ScreenObject| self.extra_attributes[object.class().0 as usize].as_slice();
        let (one, other) = (one.attributes(extras(one)), other.attributes(extras(other)));
        self.class_equality(&one, &other).or_else(|| self.class_equality(&other, &one)).unwrap_or(false)
    }

    /// Returns the result of `own.__eq__(other)`; `None` if the class of `own` does not define it.
    fn class_equality(&self, own: &ScreenAttributes, other: &ScreenAttributes) -> Option<bool> {
        let close = |rows: i64| match (own.position[1], other.position[1]) {
            (Value::Int(y), Value::Int(other)) => {
                y.checked_sub(other).and_then(i64::checked_abs).is_some_and(|apart| apart < rows)
            }
            _ => false,
        };
        let whole = |[x, y]: [Value; 2]| match (x, y) {
            (Value::Int(x), Value::Int(y)) => Some((x, y)),
            _ => None,
        };
        match self.class_of_screen(own.class).equality {
            ScreenEquality::Identity => None,
            ScreenEquality::Always => Some(self.class_of_screen(other.class).equality == ScreenEquality::Always),
            ScreenEquality::SimilarRow { row_tolerance: rows, same_color } => {
                Some(own.class == other.class && close(rows) && (!same_color || own.color == other.color))
            }
            ScreenEquality::SamePosition { class } => {
                let place = whole(own.position);
                Some(other.class.0 == class && place.is_some() && place == whole(other.position))
            }
        }
    }

    pub(super) fn is_hashable_screen(&self, class: ClassId) -> bool {
        self.class_of_screen(class).equality == ScreenEquality::Identity
    }

    /// Returns the class or enumeration of this name from the module of the world's classes.
    pub(super) fn world_member(&mut self, name: &str) -> Option<Value> {
        if let Some(place) = self.world.class_names().position(|class| &**class == name) {
            return Some(self.world_class(place));
        }
        // The module of all games' objects has the enumeration even if the module of this game does not export it.
        (!self.world.screen_classes.is_empty() && name == ORIENTATION_CLASS)
            .then(|| Value::Ref(self.orientation_class()))
    }

    /// Returns all names that `from .. import *` imports from the world, with their values.
    pub(super) fn world_members(&mut self) -> Vec<(Arc<str>, Value)> {
        let world = Arc::clone(&self.world);
        let mut exported = rustc_hash::FxHashSet::default();
        // The first of several classes with the same name takes the name.
        let classes = world.class_names().enumerate().filter(|(_, class)| exported.insert(Arc::clone(class)));
        let mut names: Vec<(Arc<str>, Value)> =
            classes.map(|(place, class)| (Arc::clone(class), self.world_class(place))).collect();
        if world.exports_orientation {
            names.push((ORIENTATION_CLASS.into(), Value::Ref(self.orientation_class())));
        }
        names
    }

    /// Returns the enumeration of the compass directions; it is created once until the next reset.
    fn orientation_class(&mut self) -> HeapRef {
        if let Some(class) = self.orientation_enum {
            return class;
        }
        let members = DIRECTION_NAMES.iter().zip(0..).map(|(name, number)| (*name, Value::Int(number)));
        let class = self.new_enum(ORIENTATION_CLASS, members.collect());
        self.heap.keep_young();
        self.orientation_enum = Some(class);
        class
    }

    /// Returns a compass direction by its name.
    fn orientation_member(&mut self, name: &str) -> ExecResult {
        let class = Value::Ref(self.orientation_class());
        self.attribute_named(class, name)
    }
}
