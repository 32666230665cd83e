//! The attributes of screen objects in the heap: in a compact cell as the scene has them, or as values after a change.

use std::borrow::Cow;

use super::super::cost;
use super::super::value::{AttributeMap, Value};
use super::derived::UnsetAttributes;
use super::{ClassId, DIRECTION_NAMES};
use crate::code::Symbol;
use crate::scene::{Orientation, SceneObject, World};

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
    pub(in crate::machine) class: ClassId,
    orientation: PlainOrientation,
    color: [u8; 3],
    hud: bool,
    pub(in crate::machine) visible: bool,
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
    /// The attributes that the constructor has not set yet.
    pub(super) unset: UnsetAttributes,
}

fn int(number: i32) -> Value {
    Value::Int(number.into())
}

impl ScreenObject {
    /// An object without attributes.
    pub(crate) const UNSET: Self = Self::Plain(PlainObject::UNSET);

    /// Replaces an unset plain object by one as the scene has it; `extras` are the names of the attributes specific to its class.
    pub(crate) fn set(&mut self, object: &SceneObject, extras: &[Symbol]) {
        let Self::Plain(plain) = self else { unreachable!("unset objects are plain") };
        let orientation = PlainOrientation::of(&object.orientation);
        // The fields are written in place: an object that is moved is read in wider parts than it was written in, which takes longer.
        plain.position = object.position;
        plain.size = object.size;
        plain.previous = object.previous.unwrap_or(object.position);
        plain.value = object.value.unwrap_or_default();
        plain.previous_value = object.previous_value.or(object.value).unwrap_or_default();
        plain.class = ClassId(object.class);
        plain.orientation = orientation.unwrap_or(PlainOrientation::None);
        plain.color = object.color;
        plain.hud = object.hud;
        plain.visible = object.visible || object.class == World::NO_OBJECT;
        plain.has_previous = object.previous.is_some();
        plain.has_value = object.value.is_some();
        plain.has_previous_value = object.previous_value.is_some();
        if orientation.is_some() && plain.set_extra_values(&object.extra_values, extras) {
            return;
        }
        let mut attributes = ScreenAttributes { orientation: object.orientation.clone(), ..plain.attributes(&[]) };
        attributes
            .fields
            .extend(extras.iter().zip(&object.extra_values).map(|(&name, &value)| (name, Value::Int(value))));
        *self = Self::Full(Box::new(attributes));
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
    pub(in crate::machine) fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        let Self::Full(object) = self else { return };
        object.position.iter().chain(&object.size).for_each(|&value| visit(value));
        object.previous.iter().flatten().for_each(|&value| visit(value));
        [object.hud, object.visible].into_iter().for_each(&mut *visit);
        object.value.iter().chain(&object.previous_value).chain(object.fields.values()).for_each(|&value| visit(value));
    }
}

impl PlainObject {
    /// An object without attributes.
    const UNSET: Self = Self {
        position: (0, 0),
        size: (0, 0),
        previous: (0, 0),
        value: 0,
        previous_value: 0,
        extra_values: [0; MAX_PLAIN_EXTRAS],
        class: ClassId(World::NO_OBJECT),
        orientation: PlainOrientation::None,
        color: [0; 3],
        hud: false,
        visible: false,
        has_previous: false,
        has_value: false,
        has_previous_value: false,
    };

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

/// An attribute of screen objects that is read without a lookup by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum ScreenSlot {
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
    pub(in crate::machine) fn of_name(name: &str) -> Option<Self> {
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
    pub(in crate::machine) fn is_immediate(self) -> bool {
        !matches!(self, Self::Category | Self::Color) && !self.is_pair()
    }

    /// Returns whether the value is a pair of numbers.
    pub(in crate::machine) fn is_pair(self) -> bool {
        matches!(self, Self::Xy | Self::Wh | Self::PreviousXy | Self::Center)
    }

    /// Returns the units of work of reading the attribute, without those for a cell of the value.
    #[inline]
    pub(in crate::machine) fn work(self) -> u64 {
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
    pub(in crate::machine) fn immediate(&self, slot: ScreenSlot) -> Option<Value> {
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
    pub(in crate::machine) fn pair(&self, slot: ScreenSlot) -> Option<[Value; 2]> {
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

    /// Returns the color of the object, which is black if the object is invisible.
    pub(in crate::machine) fn shown_color(&self) -> [Value; 3] {
        if self.visible { self.color.map(|part| Value::Int(part.into())) } else { [Value::Int(0); 3] }
    }

    /// Returns the value of an attribute specific to the class, by its index among those.
    #[inline]
    pub(in crate::machine) fn extra_value(&self, place: usize) -> Option<Value> {
        self.extra_values.get(place).copied().map(int)
    }
}

/// Returns the exact difference of two integers.
fn difference(one: i32, other: i32) -> Value {
    Value::Int(i64::from(one) - i64::from(other))
}
