//! Objects of a screen, as `OCAtari` has them: what reward functions for games are called with.

use std::sync::Arc;

use indexmap::IndexMap;

use super::exceptions::Outcome;
use super::value::{Cell, Ref, Type, Value};
use super::{ExceptionKind, Machine};
use crate::code::Symbol;
use crate::scene::{Equality, Orientation, SceneObject};

/// A class by its place among those of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClassId(pub(crate) u16);

/// An object of the scene, or one that the program made.
#[derive(Debug, Clone)]
pub(crate) struct ScreenObject {
    pub(crate) class: ClassId,
    /// `_xy`
    pub(crate) position: [Value; 2],
    /// `wh`
    pub(crate) size: [Value; 2],
    /// `_prev_xy`
    pub(crate) previous: Option<[Value; 2]>,
    pub(crate) color: [u8; 3],
    pub(crate) orientation: Orientation,
    pub(crate) hud: bool,
    pub(crate) visible: bool,
    /// `_value` and `_prev_value` of what has a value.
    pub(crate) value: Option<Value>,
    pub(crate) previous_value: Option<Value>,
    /// What its class has beside what all have, and what the program added.
    pub(crate) fields: IndexMap<Symbol, Value>,
}

impl ScreenObject {
    pub(crate) fn new(object: &SceneObject) -> Self {
        let int = |number: i32| Value::Int(number.into());
        let pair = |(x, y): (i32, i32)| [int(x), int(y)];
        Self {
            class: ClassId(object.class),
            position: pair(object.position),
            size: pair(object.size),
            previous: object.previous.map(pair),
            color: object.color,
            orientation: object.orientation.clone(),
            hud: object.hud,
            visible: object.visible,
            value: object.value.map(int),
            previous_value: object.previous_value.map(int),
            fields: IndexMap::new(),
        }
    }

    /// Tells every value that it holds.
    pub(super) fn parts(&self, tell: &mut dyn FnMut(Value)) {
        self.position.iter().chain(&self.size).for_each(|&value| tell(value));
        self.previous.iter().flatten().for_each(|&value| tell(value));
        self.value.iter().chain(&self.previous_value).chain(self.fields.values()).for_each(|&value| tell(value));
    }
}

/// What the enumeration of the winds is called.
pub(crate) const WINDS: &str = "Orientation";

/// The winds, in the order of their values, from 0 on.
const WIND_NAMES: [&str; 16] =
    ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

/// A method of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ScreenMethod {
    IsOnTop,
    ManathanDistance,
    ClosestObject,
    SavePrevious,
    Iou,
}

impl ScreenMethod {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("is_on_top", Self::IsOnTop),
        ("manathan_distance", Self::ManathanDistance),
        ("closest_object", Self::ClosestObject),
        ("_save_prev", Self::SavePrevious),
        ("iou", Self::Iou),
    ];
}

impl Machine<'_> {
    fn screen(&self, at: Ref) -> &ScreenObject {
        match self.heap.get(at) {
            Cell::Screen(object) => object,
            _ => unreachable!("called with objects of the screen"),
        }
    }

    fn screen_mut(&mut self, at: Ref) -> &mut ScreenObject {
        match self.heap.get_mut(at) {
            Cell::Screen(object) => object,
            _ => unreachable!("called with objects of the screen"),
        }
    }

    pub(super) fn class_of_screen(&self, class: ClassId) -> &crate::scene::Class {
        &self.world.classes[class.0 as usize]
    }

    pub(super) fn screen_class_is(&self, class: ClassId, other: ClassId) -> bool {
        let parent = |class: &u16| self.world.classes[*class as usize].parent;
        std::iter::successors(Some(class.0), parent).any(|class| class == other.0)
    }

    /// A class of the screen with what it is derived from.
    pub(super) fn line_of_screen(&self, class: ClassId) -> Vec<Value> {
        let parent = |class: &u16| self.world.classes[*class as usize].parent;
        let line = std::iter::successors(Some(class.0), parent).map(|class| Value::Type(Type::Screen(ClassId(class))));
        line.chain([Value::Type(Type::Object)]).collect()
    }

    /// The names of the attributes of an object that are none of its parts, as the world's objects list them.
    fn property_names(&mut self, at: Ref) -> Value {
        let object = self.screen(at);
        let own: Vec<Arc<str>> = object.fields.keys().map(|&symbol| self.name(symbol)).collect();
        let value_object = ClassId(1);
        let has_value: &[&str] = match object.value {
            Some(_) if self.screen_class_is(object.class, value_object) => &["value", "prev_value", "value_diff"],
            Some(_) => &["value"],
            None => &[],
        };
        let mut names: Vec<&str> = vec!["hud"];
        names.extend(own.iter().map(|name| &**name).filter(|name| !name.starts_with('_')));
        names.extend(has_value);
        names.extend(["category", "x", "y", "w", "h", "prev_x", "prev_y", "dx", "dy", "visible", "rgb", "orientation"]);
        names.push("center");
        let names = names.into_iter().map(|name| self.heap.text(name)).collect();
        self.heap.list(names)
    }

    /// A new object of a class, as a constructor of the world makes it.
    pub(super) fn new_screen_object(&mut self, class: ClassId) -> Value {
        let object = self.world.object(class.0);
        self.shown_object(&object)
    }

    /// An object of the scene.
    pub(super) fn shown_object(&mut self, object: &SceneObject) -> Value {
        let mut shown = ScreenObject::new(object);
        let world = self.world;
        for (name, number) in world.classes[object.class as usize].own.iter().zip(&object.own) {
            shown.fields.insert(self.symbol(name), Value::Int(*number));
        }
        Value::Ref(self.heap.add(Cell::Screen(Box::new(shown))))
    }

    /// An attribute of an object; `None` if there is no such.
    pub(super) fn screen_attribute(&mut self, at: Ref, symbol: Symbol, name: &str) -> Outcome<Option<Value>> {
        let object = self.screen(at);
        if let Some(&value) = object.fields.get(&symbol) {
            return Ok(Some(value));
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
            "dx" => self.binary(ruff_python_ast::Operator::Sub, x, previous[0])?,
            "dy" => self.binary(ruff_python_ast::Operator::Sub, y, previous[1])?,
            "center" => {
                let center = self.center(at)?;
                self.heap.tuple(center)
            }
            "h_coords" => {
                let (now, before) = (self.heap.tuple([x, y]), self.heap.tuple(previous));
                self.heap.list(vec![now, before])
            }
            "category" => {
                let name = Arc::clone(&self.class_of_screen(object.class).name);
                self.heap.text(&name)
            }
            "rgb" => {
                let color = object.color.map(|part| Value::Int(part.into()));
                self.heap.tuple(color)
            }
            "properties" => self.property_names(at),
            "hud" => Value::Bool(object.hud),
            "visible" => Value::Bool(object.visible),
            "orientation" | "_orientation" => match object.orientation.clone() {
                Orientation::None => Value::None,
                Orientation::Raw(number) => Value::Int(number),
                Orientation::Named(name) => self.wind(&name)?,
            },
            "value" | "_value" if object.value.is_some() => object.value.unwrap_or(Value::None),
            "_prev_value" if object.value.is_some() => object.previous_value.unwrap_or(Value::None),
            "prev_value" if object.value.is_some() => object.previous_value.or(object.value).unwrap_or(Value::None),
            "value_diff" if object.value.is_some() => {
                let (now, before) = (object.value, object.previous_value.or(object.value));
                let (now, before) = (now.unwrap_or(Value::None), before.unwrap_or(Value::None));
                self.binary(ruff_python_ast::Operator::Sub, now, before)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Sets an attribute as the world's objects take it: positions become whole numbers.
    pub(super) fn set_screen_attribute(&mut self, at: Ref, symbol: Symbol, name: &str, value: Value) -> Outcome<()> {
        match name {
            "x" | "y" | "w" | "h" => {
                let whole = self.as_int(value)?;
                let object = self.screen_mut(at);
                let pair = if matches!(name, "x" | "y") { &mut object.position } else { &mut object.size };
                pair[usize::from(matches!(name, "y" | "h"))] = whole;
            }
            "xy" => {
                let [x, y] = self.whole_pair(value)?;
                self.screen_mut(at).position = [x, y];
            }
            "wh" => {
                let pair = self.pair(value)?;
                self.screen_mut(at).size = pair;
            }
            "xywh" => {
                let parts = self.unpacked(value, 4)?;
                let whole =
                    [self.as_int(parts[0])?, self.as_int(parts[1])?, self.as_int(parts[2])?, self.as_int(parts[3])?];
                let object = self.screen_mut(at);
                (object.position, object.size) = ([whole[0], whole[1]], [whole[2], whole[3]]);
            }
            "_xy" => {
                let pair = self.pair(value)?;
                self.screen_mut(at).position = pair;
            }
            "value" if self.screen(at).value.is_some() => {
                let value = if matches!(value, Value::None) { value } else { self.as_int(value)? };
                self.screen_mut(at).value = Some(value);
            }
            "hud" => {
                let hud = self.truth(value)?;
                self.screen_mut(at).hud = hud;
            }
            "visible" => {
                let visible = self.truth(value)?;
                self.screen_mut(at).visible = visible;
            }
            "prev_xy" | "prev_x" | "prev_y" | "dx" | "dy" | "center" | "category" | "h_coords" | "value_diff" => {
                let class = self.class_of_screen(self.screen(at).class).name.clone();
                let message = format!("property '{name}' of '{class}' object has no setter");
                return Err(self.raise(ExceptionKind::AttributeError, &message));
            }
            "orientation" | "_orientation" => {
                for name in ["orientation", "_orientation"] {
                    let symbol = self.symbol(name);
                    self.screen_mut(at).fields.insert(symbol, value);
                }
            }
            _ => {
                self.screen_mut(at).fields.insert(symbol, value);
            }
        }
        Ok(())
    }

    fn pair(&mut self, value: Value) -> Outcome<[Value; 2]> {
        let parts = self.unpacked(value, 2)?;
        Ok([parts[0], parts[1]])
    }

    fn whole_pair(&mut self, value: Value) -> Outcome<[Value; 2]> {
        let [x, y] = self.pair(value)?;
        Ok([self.as_int(x)?, self.as_int(y)?])
    }

    /// The middle of an object, as floats.
    fn center(&mut self, at: Ref) -> Outcome<[Value; 2]> {
        use ruff_python_ast::Operator::{Add, Div};
        let object = self.screen(at);
        let (position, size) = (object.position, object.size);
        let mut center = [Value::None; 2];
        for place in 0..2 {
            let half = self.binary(Div, size[place], Value::Int(2))?;
            center[place] = self.binary(Add, position[place], half)?;
        }
        Ok(center)
    }

    pub(super) fn call_screen_method(&mut self, at: Ref, method: ScreenMethod, arguments: &[Value]) -> Outcome {
        match (method, arguments) {
            (ScreenMethod::IsOnTop, &[other]) => self.is_on_top(Value::Ref(at), other),
            (ScreenMethod::ManathanDistance, &[other]) => self.manathan_distance(Value::Ref(at), other),
            (ScreenMethod::ClosestObject, &[others]) => self.closest_object(at, others),
            (ScreenMethod::Iou, &[other]) => self.iou(Value::Ref(at), other),
            (ScreenMethod::SavePrevious, &[]) => {
                let object = self.screen_mut(at);
                object.previous = Some(object.position);
                if object.value.is_some() {
                    object.previous_value = object.value;
                }
                Ok(Value::None)
            }
            _ => {
                let name = ScreenMethod::ALL.iter().find(|(_, other)| *other == method).map_or("", |(name, _)| name);
                let takes = if method == ScreenMethod::SavePrevious { 1 } else { 2 };
                let plural = if takes == 1 { "" } else { "s" };
                let given = arguments.len() + 1;
                let message = if given < takes {
                    let missing = if method == ScreenMethod::ClosestObject { "others" } else { "other" };
                    format!("GameObject.{name}() missing 1 required positional argument: '{missing}'")
                } else {
                    format!("GameObject.{name}() takes {takes} positional argument{plural} but {given} were given")
                };
                Err(self.raise(ExceptionKind::TypeError, &message))
            }
        }
    }

    fn attribute_named(&mut self, object: Value, name: &str) -> Outcome {
        let symbol = self.symbol(name);
        self.attribute(object, symbol)
    }

    /// Whether the upper left corner lies in the other's box.
    fn is_on_top(&mut self, object: Value, other: Value) -> Outcome {
        use ruff_python_ast::{CmpOp, Operator};
        let mut within = Value::Bool(true);
        for (start, size) in [("x", "w"), ("y", "h")] {
            let own = self.attribute_named(object, start)?;
            let low = self.attribute_named(other, start)?;
            within = self.compare(CmpOp::LtE, low, own)?;
            if self.truth(within)? {
                let length = self.attribute_named(other, size)?;
                let high = self.binary(Operator::Add, low, length)?;
                within = self.compare(CmpOp::LtE, own, high)?;
            }
            if !self.truth(within)? {
                break;
            }
        }
        Ok(within)
    }

    /// How far the middles lie apart, across and down together.
    fn manathan_distance(&mut self, object: Value, other: Value) -> Outcome {
        use ruff_python_ast::Operator::{Add, Sub};
        let one = self.attribute_named(object, "center")?;
        let two = self.attribute_named(other, "center")?;
        let (one, two) = (self.pair(one)?, self.pair(two)?);
        let across = self.binary(Sub, one[0], two[0])?;
        let across = self.absolute(across)?;
        let down = self.binary(Sub, one[1], two[1])?;
        let down = self.absolute(down)?;
        self.binary(Add, across, down)
    }

    fn closest_object(&mut self, at: Ref, others: Value) -> Outcome {
        let others = self.collected(others)?;
        let mut best: Option<(usize, Value, Value)> = None;
        for (place, &other) in others.iter().enumerate() {
            let distance = self.manathan_distance(Value::Ref(at), other)?;
            let closer = match best {
                None => true,
                Some((_, _, least)) => {
                    let less = self.compare(ruff_python_ast::CmpOp::Lt, distance, least)?;
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

    /// The share of what both boxes cover in what either covers.
    fn iou(&mut self, object: Value, other: Value) -> Outcome {
        let mut boxes = [[0.0f64; 4]; 2];
        // Of each, four attributes are asked for by their names.
        self.spend(8)?;
        for (numbers, object) in boxes.iter_mut().zip([object, other]) {
            for (number, name) in numbers.iter_mut().zip(["x", "y", "w", "h"]) {
                let value = self.attribute_named(object, name)?;
                *number = self.as_float(value)?;
            }
        }
        let [[x, y, w, h], [ox, oy, ow, oh]] = boxes;
        let across = (x + w).min(ox + ow) - x.max(ox);
        let down = (y + h).min(oy + oh) - y.max(oy);
        if across <= 0.0 || down <= 0.0 {
            return Ok(Value::Int(0));
        }
        let both = across * down;
        Ok(Value::Float(both / (w * h + ow * oh - both)))
    }

    /// Whether two objects are equal as the world has it: of some classes those that lie close together are.
    pub(super) fn screen_objects_equal(&self, one: Ref, other: Ref) -> bool {
        if one == other {
            return true;
        }
        let (Cell::Screen(one), Cell::Screen(other)) = (self.heap.get(one), self.heap.get(other)) else { return false };
        self.says_equal(one, other).or_else(|| self.says_equal(other, one)).unwrap_or(false)
    }

    /// What an object's class says about a comparison with another object; `None` if it leaves that to the other.
    fn says_equal(&self, own: &ScreenObject, other: &ScreenObject) -> Option<bool> {
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
            Equality::Identity => None,
            Equality::Always => Some(self.class_of_screen(other.class).equality == Equality::Always),
            Equality::Close { rows, same_color } => {
                Some(own.class == other.class && close(rows) && (!same_color || own.color == other.color))
            }
            Equality::Place { class } => {
                let place = whole(own.position);
                Some(other.class.0 == class && place.is_some() && place == whole(other.position))
            }
        }
    }

    pub(super) fn is_hashable_screen(&self, class: ClassId) -> bool {
        self.class_of_screen(class).equality == Equality::Identity
    }

    /// The module of the world's classes has this name.
    pub(super) fn world_name(&mut self, name: &str) -> Option<Value> {
        if let Some(place) = self.world.class_names().position(|class| &**class == name) {
            return Some(self.type_at(place));
        }
        // Not every game brings them, but the module of all games' objects does.
        (!self.world.classes.is_empty() && name == WINDS).then(|| Value::Ref(self.winds()))
    }

    /// Everything that `from .. import *` brings of the world.
    pub(super) fn world_names(&mut self) -> Vec<(Arc<str>, Value)> {
        let world = self.world;
        let mut seen = rustc_hash::FxHashSet::default();
        // Of several classes of one name, the first one has it.
        let classes = world.class_names().enumerate().filter(|(_, class)| seen.insert(Arc::clone(class)));
        let mut names: Vec<(Arc<str>, Value)> =
            classes.map(|(place, class)| (Arc::clone(class), self.type_at(place))).collect();
        if world.winds {
            names.push((WINDS.into(), Value::Ref(self.winds())));
        }
        names
    }

    /// The enumeration of the winds, the same each time until the next reset.
    fn winds(&mut self) -> Ref {
        if let Some(class) = self.winds {
            return class;
        }
        let members = WIND_NAMES.iter().zip(0..).map(|(name, number)| (*name, Value::Int(number)));
        let class = self.new_enumeration(WINDS, members.collect());
        self.winds = Some(class);
        class
    }

    /// A wind by its name.
    fn wind(&mut self, name: &str) -> Outcome {
        let class = Value::Ref(self.winds());
        self.attribute_named(class, name)
    }
}
