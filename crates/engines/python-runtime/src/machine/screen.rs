//! Screen objects as `OCAtari` defines them: the objects that reward functions for games take.

mod derived;

use std::borrow::Cow;
use std::sync::Arc;

use super::exceptions::ExecResult;
use super::library_function::ResultType;
use super::methods::{FastMethod, MethodEffect, MethodRow as Row};
use super::parameters::{NamedParameters, Origin};
use super::value::{AttributeMap, HeapObject, HeapRef, Type, Value};
use super::{Machine, cost};
use crate::code::Symbol;
use crate::operators::ComparisonOperator;
use crate::scene::{Orientation, SceneObject, ScreenEquality, World};
use derived::UnsetAttributes;

/// A class of the world, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClassId(pub(crate) u16);

/// A screen object, from the scene or created by the program.
#[derive(Debug, Clone)]
pub(crate) enum ScreenObject {
    /// An object as the scene has it.
    Plain(PlainObject),
    /// An object that the program has changed or extended, or that has more attributes specific to its class.
    Full(Box<ScreenAttributes>),
}

// A scene has many objects, and every attribute access reads one.
const _: () = assert!(size_of::<ScreenObject>() <= 56);

/// The attributes of an object that the program has not changed.
#[allow(clippy::struct_excessive_bools, reason = "flags in bytes of their own keep the object within its size")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainObject {
    position: (i32, i32),
    size: (i32, i32),
    /// The position itself if there is no previous one.
    previous: (i32, i32),
    /// 0 if there is no value.
    value: i32,
    /// The value itself if there is no previous one.
    previous_value: i32,
    /// The values of the attributes specific to the class, of which there may be fewer.
    extra_values: [i32; MAX_PLAIN_EXTRAS],
    pub(super) class: ClassId,
    orientation: PlainOrientation,
    color: [u8; 3],
    hud: bool,
    pub(super) visible: bool,
    has_previous: bool,
    has_value: bool,
    has_previous_value: bool,
}

/// The maximum number of attributes specific to its class that a plain object has.
const MAX_PLAIN_EXTRAS: usize = 2;

/// An orientation in a few bytes.
#[derive(Debug, Clone, Copy)]
enum PlainOrientation {
    None,
    Raw(i16),
    /// An index into [`DIRECTION_NAMES`].
    Direction(u8),
}

impl PlainOrientation {
    /// Returns an orientation in this form; `None` if it does not fit.
    fn of(orientation: &Orientation) -> Option<Self> {
        match orientation {
            Orientation::None => Some(Self::None),
            Orientation::Raw(number) => i16::try_from(*number).ok().map(Self::Raw),
            Orientation::Name(name) => {
                let place = DIRECTION_NAMES.iter().position(|other| *other == &**name)?;
                Some(Self::Direction(place as u8))
            }
        }
    }

    /// Returns an orientation that is no member of the enumeration as a value.
    #[inline]
    fn immediate(self) -> Option<Value> {
        match self {
            Self::None => Some(Value::None),
            Self::Raw(number) => Some(Value::Int(number.into())),
            Self::Direction(_) => None,
        }
    }

    fn widen(self) -> Orientation {
        match self {
            Self::None => Orientation::None,
            Self::Raw(number) => Orientation::Raw(number.into()),
            Self::Direction(place) => Orientation::Name(DIRECTION_NAMES[place as usize].into()),
        }
    }
}

/// The attributes of a screen object as values.
#[derive(Debug, Clone)]
pub(crate) struct ScreenAttributes {
    pub(crate) class: ClassId,
    /// `_xy`
    pub(crate) position: [Value; 2],
    /// `wh`
    pub(crate) size: [Value; 2],
    /// `_prev_xy`
    pub(crate) previous: Option<[Value; 2]>,
    pub(crate) color: [u8; 3],
    pub(crate) orientation: Orientation,
    pub(crate) hud: Value,
    /// `_visible`; it does not affect the truth value of a `NoObject`.
    pub(crate) visible: Value,
    /// `_value` and `_prev_value` of objects with a value.
    pub(crate) value: Option<Value>,
    pub(crate) previous_value: Option<Value>,
    /// The attributes specific to the class, and those that the program added.
    pub(crate) fields: AttributeMap,
    unset: UnsetAttributes,
}

fn int(number: i32) -> Value {
    Value::Int(number.into())
}

impl ScreenObject {
    /// Creates an object as the scene has it; `extras` are the names of the attributes specific to its class.
    pub(crate) fn new(object: &SceneObject, extras: &[Symbol]) -> Self {
        let SceneObject { position, size, previous, value, previous_value, color, hud, .. } = *object;
        let orientation = PlainOrientation::of(&object.orientation);
        let mut plain = PlainObject {
            position,
            size,
            previous: previous.unwrap_or(position),
            value: value.unwrap_or_default(),
            previous_value: previous_value.or(value).unwrap_or_default(),
            extra_values: [0; MAX_PLAIN_EXTRAS],
            class: ClassId(object.class),
            orientation: orientation.unwrap_or(PlainOrientation::None),
            color,
            hud,
            visible: object.visible || object.class == World::NO_OBJECT,
            has_previous: previous.is_some(),
            has_value: value.is_some(),
            has_previous_value: previous_value.is_some(),
        };
        if orientation.is_some() && plain.set_extra_values(&object.extra_values, extras) {
            return Self::Plain(plain);
        }
        let mut attributes = ScreenAttributes { orientation: object.orientation.clone(), ..plain.attributes(&[]) };
        attributes
            .fields
            .extend(extras.iter().zip(&object.extra_values).map(|(&name, &value)| (name, Value::Int(value))));
        Self::Full(Box::new(attributes))
    }

    #[inline]
    pub(crate) fn class(&self) -> ClassId {
        match self {
            Self::Plain(object) => object.class,
            Self::Full(object) => object.class,
        }
    }

    /// Returns the attributes as values; `extras` are the names of those specific to the class.
    pub(crate) fn attributes(&self, extras: &[Symbol]) -> Cow<'_, ScreenAttributes> {
        match self {
            Self::Plain(object) => Cow::Owned(object.attributes(extras)),
            Self::Full(object) => Cow::Borrowed(object),
        }
    }

    /// Returns the attributes for a change; `extras` are the names of those specific to the class.
    pub(crate) fn attributes_mut(&mut self, extras: &[Symbol]) -> &mut ScreenAttributes {
        if let Self::Plain(object) = self {
            *self = Self::Full(Box::new(object.attributes(extras)));
        }
        match self {
            Self::Full(object) => object,
            Self::Plain(_) => unreachable!("the object was replaced"),
        }
    }

    /// Passes every value that it holds to `visit`.
    pub(super) fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        let Self::Full(object) = self else { return };
        object.position.iter().chain(&object.size).for_each(|&value| visit(value));
        object.previous.iter().flatten().for_each(|&value| visit(value));
        [object.hud, object.visible].into_iter().for_each(&mut *visit);
        object.value.iter().chain(&object.previous_value).chain(object.fields.values()).for_each(|&value| visit(value));
    }
}

impl PlainObject {
    /// Sets the attributes specific to the class; returns `false` if they do not fit.
    fn set_extra_values(&mut self, values: &[i64], extras: &[Symbol]) -> bool {
        values.len() == extras.len()
            && values.len() <= MAX_PLAIN_EXTRAS
            && self.extra_values.iter_mut().zip(values).all(|(slot, &value)| match i32::try_from(value) {
                Ok(value) => {
                    *slot = value;
                    true
                }
                Err(_) => false,
            })
    }

    fn attributes(&self, extras: &[Symbol]) -> ScreenAttributes {
        let pair = |(x, y): (i32, i32)| [int(x), int(y)];
        ScreenAttributes {
            class: self.class,
            position: pair(self.position),
            size: pair(self.size),
            previous: self.has_previous.then(|| pair(self.previous)),
            color: self.color,
            orientation: self.orientation.widen(),
            hud: Value::Bool(self.hud),
            visible: Value::Bool(self.visible),
            value: self.has_value.then(|| int(self.value)),
            previous_value: self.has_previous_value.then(|| int(self.previous_value)),
            fields: extras.iter().zip(&self.extra_values).map(|(&name, &value)| (name, int(value))).collect(),
            unset: UnsetAttributes::default(),
        }
    }
}

/// The name of the enumeration of compass directions.
pub const ORIENTATION_CLASS: &str = "Orientation";

/// The compass directions, in the order of their values, from 0.
const DIRECTION_NAMES: [&str; 16] =
    ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

/// The methods of `GameObject`.
pub(in crate::machine) static SCREEN_METHODS: [Row; 5] = [
    Row::of_screen_object("GameObject._save_prev", method(&[]), |m, object, _| {
        m.save_previous(object).map(|()| Value::None)
    })
    .with_effect(MethodEffect::Changes)
    .with_result(ResultType::None),
    Row::of_screen_object("GameObject.closest_object", method(&["others"]), |m, object, b| {
        m.closest_object(object, b.required(0))
    }),
    Row::of_screen_object("GameObject.iou", method(&["other"]), |m, object, b| m.iou(object, b.required(0)))
        .with_result(DISTANCE)
        .rejecting_none(),
    Row::of_screen_object("GameObject.is_on_top", method(&["other"]), |m, object, b| {
        m.is_on_top(object, b.required(0))
    })
    .with_result(ResultType::Bool)
    .with_fast(FastMethod::IsOnTop)
    .rejecting_none(),
    Row::of_screen_object("GameObject.manathan_distance", method(&["other"]), |m, object, b| {
        m.manathan_distance(object, b.required(0))
    })
    .with_result(DISTANCE)
    .with_fast(FastMethod::Distance)
    .rejecting_none(),
];

const DISTANCE: ResultType = ResultType::Float { min: 0.0, max: f64::INFINITY };

const fn method(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_receiver()
}

/// An attribute of screen objects that is read without a lookup by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScreenSlot {
    X,
    Y,
    W,
    H,
    Xy,
    Wh,
    PreviousXy,
    PreviousX,
    PreviousY,
    Dx,
    Dy,
    Center,
    Category,
    Visible,
    Hud,
    Value,
    PreviousValue,
    ValueChange,
    Color,
    Orientation,
}

impl ScreenSlot {
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "x" => Self::X,
            "y" => Self::Y,
            "w" => Self::W,
            "h" => Self::H,
            "xy" => Self::Xy,
            "wh" => Self::Wh,
            "prev_xy" => Self::PreviousXy,
            "prev_x" => Self::PreviousX,
            "prev_y" => Self::PreviousY,
            "dx" => Self::Dx,
            "dy" => Self::Dy,
            "center" => Self::Center,
            "category" => Self::Category,
            "visible" => Self::Visible,
            "hud" => Self::Hud,
            "value" => Self::Value,
            "prev_value" => Self::PreviousValue,
            "value_diff" => Self::ValueChange,
            "rgb" => Self::Color,
            "orientation" => Self::Orientation,
            _ => return None,
        })
    }

    /// Returns whether the value needs no cell.
    pub(super) fn is_immediate(self) -> bool {
        !matches!(self, Self::Category | Self::Color) && !self.is_pair()
    }

    /// Returns whether the value is a pair of numbers.
    pub(super) fn is_pair(self) -> bool {
        matches!(self, Self::Xy | Self::Wh | Self::PreviousXy | Self::Center)
    }

    /// Returns the units of work of reading the attribute, without those for a cell of the value.
    #[inline]
    pub(super) fn work(self) -> u64 {
        match self {
            Self::Dx | Self::Dy | Self::ValueChange => cost::OPERATION,
            Self::Center => 4 * cost::OPERATION,
            _ => 0,
        }
    }
}

impl PlainObject {
    /// Returns the value of an immediate attribute; `None` if the object lacks it.
    #[inline]
    pub(super) fn immediate(&self, slot: ScreenSlot) -> Option<Value> {
        Some(Value::Int(i64::from(match slot {
            ScreenSlot::X => self.position.0,
            ScreenSlot::Y => self.position.1,
            ScreenSlot::W => self.size.0,
            ScreenSlot::H => self.size.1,
            ScreenSlot::PreviousX => self.previous.0,
            ScreenSlot::PreviousY => self.previous.1,
            ScreenSlot::Value if self.has_value => self.value,
            ScreenSlot::PreviousValue if self.has_value => self.previous_value,
            ScreenSlot::Dx => return Some(difference(self.position.0, self.previous.0)),
            ScreenSlot::Dy => return Some(difference(self.position.1, self.previous.1)),
            ScreenSlot::ValueChange if self.has_value => return Some(difference(self.value, self.previous_value)),
            ScreenSlot::Orientation => return self.orientation.immediate(),
            ScreenSlot::Visible => return Some(Value::Bool(self.visible)),
            ScreenSlot::Hud => return Some(Value::Bool(self.hud)),
            _ => return None,
        })))
    }

    /// Returns the value of an attribute that is a pair of numbers.
    #[inline]
    pub(super) fn pair(&self, slot: ScreenSlot) -> Option<[Value; 2]> {
        let (x, y) = match slot {
            ScreenSlot::Xy => self.position,
            ScreenSlot::Wh => self.size,
            ScreenSlot::PreviousXy => self.previous,
            ScreenSlot::Center => {
                let middle = |start: i32, length: i32| Value::Float(f64::from(start) + f64::from(length) / 2.0);
                return Some([middle(self.position.0, self.size.0), middle(self.position.1, self.size.1)]);
            }
            _ => return None,
        };
        Some([int(x), int(y)])
    }
}

impl PlainObject {
    /// Returns the color of the object, which is black if the object is invisible.
    pub(super) fn shown_color(&self) -> [Value; 3] {
        if self.visible { self.color.map(|part| Value::Int(part.into())) } else { [Value::Int(0); 3] }
    }

    /// Returns the value of an attribute specific to the class, by its index among those.
    #[inline]
    pub(super) fn extra_value(&self, place: usize) -> Option<Value> {
        self.extra_values.get(place).copied().map(int)
    }
}

/// Returns the exact difference of two integers.
fn difference(one: i32, other: i32) -> Value {
    Value::Int(i64::from(one) - i64::from(other))
}

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
        let screen_object = ScreenObject::new(object, &self.extra_attributes[object.class as usize]);
        Value::Ref(self.heap.add(HeapObject::Screen(screen_object)))
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

    /// Executes `_save_prev()`, which has no effect on a `NoObject`.
    fn save_previous(&mut self, object: Value) -> ExecResult<()> {
        let Some(at) = self.backing_screen_object(Some(self.base_value(object))) else {
            let (now, symbol) = (self.attribute_named(object, "_xy")?, self.intern("_prev_xy"));
            return self.set_attribute(object, symbol, now);
        };
        if self.screen_class_is(self.screen(at).class, ClassId(World::NO_OBJECT)) {
            return Ok(());
        }
        let object = self.screen_mut(at);
        object.previous = Some(object.position);
        object.unset.remove("_prev_xy");
        if object.value.is_some() {
            object.previous_value = object.value;
            object.unset.remove("_prev_value");
        }
        Ok(())
    }

    pub(super) fn attribute_named(&mut self, object: Value, name: &str) -> ExecResult {
        let symbol = self.intern(name);
        self.attribute(object, symbol)
    }

    /// Whether the upper left corner of an object lies in the other's bounding box.
    fn is_on_top(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator;
        let mut within = Value::Bool(true);
        for (start, size) in [("x", "w"), ("y", "h")] {
            let own = self.attribute_named(object, start)?;
            let low = self.attribute_named(other, start)?;
            within = self.compare(ComparisonOperator::LtE, low, own)?;
            if self.truth(within)? {
                let length = self.attribute_named(other, size)?;
                let high = self.binary(BinaryOperator::Add, low, length)?;
                within = self.compare(ComparisonOperator::LtE, own, high)?;
            }
            if !self.truth(within)? {
                break;
            }
        }
        Ok(within)
    }

    /// Returns the Manhattan distance between the centers.
    fn manathan_distance(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator::{Add, Sub};
        let one = self.attribute_named(object, "center")?;
        let two = self.attribute_named(other, "center")?;
        let (one, two) = (self.pair(one)?, self.pair(two)?);
        let across = self.binary(Sub, one[0], two[0])?;
        let across = self.absolute(across)?;
        let down = self.binary(Sub, one[1], two[1])?;
        let down = self.absolute(down)?;
        self.binary(Add, across, down)
    }

    fn closest_object(&mut self, object: Value, others: Value) -> ExecResult {
        let others = self.collect_values(others)?;
        let mut best: Option<(usize, Value, Value)> = None;
        for (place, &other) in others.iter().enumerate() {
            let distance = self.manathan_distance(object, other)?;
            let closer = match best {
                None => true,
                Some((_, _, least)) => {
                    let less = self.compare(ComparisonOperator::Lt, distance, least)?;
                    self.truth(less)?
                }
            };
            if closer {
                best = Some((place, other, distance));
            }
        }
        Ok(match best {
            None => Value::None,
            Some((place, other, _)) => self.heap.tuple([Value::Int(place as i64), other]),
        })
    }

    /// Returns the intersection over union of the bounding boxes: 1 if both are `NoObject`, 0 if the union is empty.
    fn iou(&mut self, object: Value, other: Value) -> ExecResult {
        use crate::operators::BinaryOperator::{Add, Div, Mult, Sub};
        // Pays for the lookup of four attributes of each object by name.
        self.charge(8)?;
        if self.has_category(object, "NoObject")? && self.has_category(other, "NoObject")? {
            return Ok(Value::Int(1));
        }
        let mut overlap = Value::Int(1);
        for (start, size) in [("x", "w"), ("y", "h")] {
            let (one, two) = (self.attribute_named(object, start)?, self.attribute_named(other, start)?);
            let first = self.select_by_order(ComparisonOperator::Gt, one, two)?;
            let (wide, other_wide) = (self.attribute_named(object, size)?, self.attribute_named(other, size)?);
            let (end, other_end) = (self.binary(Add, one, wide)?, self.binary(Add, two, other_wide)?);
            let last = self.select_by_order(ComparisonOperator::Lt, end, other_end)?;
            let length = self.binary(Sub, last, first)?;
            let length = self.select_by_order(ComparisonOperator::Gt, Value::Int(0), length)?;
            overlap = self.binary(Mult, overlap, length)?;
        }
        let mut either = Value::Int(0);
        for object in [object, other] {
            let (w, h) = (self.attribute_named(object, "w")?, self.attribute_named(object, "h")?);
            let area = self.binary(Mult, w, h)?;
            either = self.binary(Add, either, area)?;
        }
        let either = self.binary(Sub, either, overlap)?;
        if self.equal(either, Value::Int(0))? {
            return Ok(Value::Int(0));
        }
        self.binary(Div, overlap, either)
    }

    fn has_category(&mut self, object: Value, name: &str) -> ExecResult<bool> {
        let category = self.attribute_named(object, "category")?;
        Ok(self.as_text(category).is_some_and(|text| *text == *name))
    }

    /// Returns `second` if `second <order> first` holds and `first` otherwise, as Python's `max` and `min` compare.
    fn select_by_order(&mut self, order: ComparisonOperator, first: Value, second: Value) -> ExecResult {
        let is_second = self.compare(order, second, first)?;
        Ok(if self.truth(is_second)? { second } else { first })
    }

    /// Whether two objects are equal by the rules of their classes, some of which compare positions.
    pub(super) fn screen_objects_equal(&self, one: HeapRef, other: HeapRef) -> bool {
        if one == other {
            return true;
        }
        let (HeapObject::Screen(one), HeapObject::Screen(other)) = (self.heap.get(one), self.heap.get(other)) else {
            return false;
        };
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
