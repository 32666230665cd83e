//! Instances of program classes that derive from a screen class: each wraps a screen object.
//!
//! Computed attributes of `GameObject` read the attributes of the instance, so that a property that the program overrides takes effect
//! everywhere.

use crate::operators::BinaryOperator::{Add, Div, Sub};
use indexmap::IndexSet;

use super::super::exceptions::{ExceptionKind, ExecResult};
use super::super::methods::find_row;
use super::super::value::{HeapObject, HeapRef, Value};
use super::super::{Machine, cost};
use super::{ClassId, SCREEN_METHODS, ScreenAttributes};
use crate::code::Symbol;
use crate::scene::World;

/// The attributes that the constructor of `GameObject` sets; the last two are those of `ValueObject`.
const CONSTRUCTOR_ATTRIBUTES: [&str; 9] =
    ["_rgb", "_xy", "wh", "_prev_xy", "_orientation", "hud", "_visible", "_value", "_prev_value"];

/// The attributes that the constructor of an object has not set yet, as a bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::machine) struct UnsetAttributes(u16);

impl UnsetAttributes {
    /// The set for an object whose constructor has not run.
    pub(in crate::machine) const ALL: Self = Self((1 << CONSTRUCTOR_ATTRIBUTES.len()) - 1);

    fn bit(name: &str) -> u16 {
        CONSTRUCTOR_ATTRIBUTES.iter().position(|other| *other == name).map_or(0, |place| 1 << place)
    }

    pub(super) fn has(self, name: &str) -> bool {
        self.0 & Self::bit(name) != 0
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0 &= !Self::bit(name);
    }
}

/// Names that `properties` omits.
const HIDDEN_PROPERTIES: [&str; 6] = ["properties", "xy", "wh", "prev_xy", "h_coords", "xywh"];

/// The properties of `ValueObject`.
const VALUE_OBJECT_PROPERTIES: [&str; 3] = ["value", "prev_value", "value_diff"];

/// The properties of `GameObject`, in the order of their definition.
const GAME_OBJECT_PROPERTIES: [&str; 13] =
    ["category", "x", "y", "w", "h", "prev_x", "prev_y", "dx", "dy", "visible", "rgb", "orientation", "center"];

impl Machine {
    /// Unsets all attributes of a wrapped object, whose constructor the program class may or may not call.
    pub(in crate::machine) fn unset_screen_object(&mut self, object: Value) {
        if let Value::Ref(at) = object
            && let HeapObject::Screen(screen) = self.heap.get_mut(at)
        {
            let screen = screen.attributes_mut(&[]);
            screen.unset = UnsetAttributes::ALL;
            screen.fields.clear();
        }
    }

    /// Executes `super().__init__()` where `super()` is a screen class.
    pub(in crate::machine) fn init_screen_object(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: super::super::call::KeywordArguments<'_>,
    ) -> ExecResult<()> {
        let class = self.screen(at).class;
        let Value::Ref(created) = self.construct_screen(class, arguments, named)? else { return Ok(()) };
        let mut new = self.screen(created).into_owned();
        let mut fields = std::mem::take(&mut self.screen_mut(at).fields);
        fields.extend(std::mem::take(&mut new.fields));
        *self.screen_mut(at) = ScreenAttributes { fields, ..new };
        Ok(())
    }

    /// Creates an object of a screen class, as its constructor does.
    pub(in crate::machine) fn construct_screen(
        &mut self,
        class: ClassId,
        arguments: &[Value],
        named: super::super::call::KeywordArguments<'_>,
    ) -> ExecResult {
        let name = format!("{}.__init__", self.class_of_screen(class).name);
        let takes = if class.0 == World::NO_OBJECT { 2 } else { 1 };
        if arguments.len() >= takes {
            let message =
                super::super::call::too_many_arguments_message(&name, takes, takes - 1, arguments.len() + 1, 0);
            return Err(self.type_error(&message));
        }
        if takes == 1 {
            self.reject_keywords(&name, named)?;
            return Ok(self.new_screen_object(class));
        }
        let [length] = self.bind_library_arguments(&name, ["nslen"], 0, arguments, named)?;
        let object = self.new_screen_object(class);
        if let (Some(length), Value::Ref(at)) = (length, object) {
            let symbol = self.intern("nslen");
            self.screen_mut(at).fields.insert(symbol, length);
        }
        Ok(object)
    }

    /// Sets an attribute of an instance of a program class. Where the class has a field of that name, the value shadows the computed
    /// attribute of `GameObject`, except for attributes that the constructor sets.
    pub(in crate::machine) fn set_derived_attribute(
        &mut self,
        object: Value,
        screen: HeapRef,
        symbol: Symbol,
        value: Value,
    ) -> ExecResult<()> {
        let name = self.name(symbol);
        let is_field = self.class_of_program(object).is_some_and(|class| self.class_field(class, symbol).is_some());
        if is_field && !CONSTRUCTOR_ATTRIBUTES.contains(&&*name) {
            self.screen_mut(screen).fields.insert(symbol, value);
            return Ok(());
        }
        self.set_screen_attribute(object, screen, symbol, &name, value)
    }

    /// Returns an attribute that was set on the object itself; `None` if there is none of this name.
    pub(in crate::machine) fn own_derived_attribute(
        &mut self,
        screen: HeapRef,
        symbol: Symbol,
        name: &str,
    ) -> ExecResult<Option<Value>> {
        let was_set = CONSTRUCTOR_ATTRIBUTES.contains(&name) || self.screen(screen).fields.contains_key(&symbol);
        if was_set { self.screen_attribute(screen, symbol, name) } else { Ok(None) }
    }

    /// Returns an attribute that an instance of a program class inherits from its screen class; `None` if there is none of this name.
    pub(in crate::machine) fn derived_attribute(
        &mut self,
        object: Value,
        screen: HeapRef,
        symbol: Symbol,
        name: &str,
    ) -> ExecResult<Option<Value>> {
        if let Some(method) = find_row(&SCREEN_METHODS, name) {
            return Ok(Some(self.bound_method(object, method)));
        }
        match self.nested(|machine| machine.computed_property(object, screen, name))? {
            Some(value) => Ok(Some(value)),
            None => self.screen_attribute(screen, symbol, name),
        }
    }

    /// Returns the value of a property of `GameObject` or `ValueObject`; `None` for other names.
    fn computed_property(&mut self, object: Value, screen: HeapRef, name: &str) -> ExecResult<Option<Value>> {
        let has_value = self.is_value_object(self.screen(screen).class);
        Ok(Some(match name {
            "x" => self.pair_item(object, "_xy", 0)?,
            "y" => self.pair_item(object, "_xy", 1)?,
            "w" => self.pair_item(object, "wh", 0)?,
            "h" => self.pair_item(object, "wh", 1)?,
            "xy" => self.attribute_named(object, "_xy")?,
            "xywh" => {
                let mut parts = Vec::with_capacity(4);
                for (pair, place) in [("_xy", 0), ("_xy", 1), ("wh", 0), ("wh", 1)] {
                    parts.push(self.pair_item(object, pair, place)?);
                }
                self.heap.tuple(parts)
            }
            "prev_xy" => match self.attribute_named(object, "_prev_xy")? {
                Value::None => self.attribute_named(object, "_xy")?,
                previous => previous,
            },
            "prev_x" => self.pair_item(object, "prev_xy", 0)?,
            "prev_y" => self.pair_item(object, "prev_xy", 1)?,
            "h_coords" => {
                let now = self.attribute_named(object, "_xy")?;
                let before = self.attribute_named(object, "prev_xy")?;
                self.heap.list(vec![now, before])
            }
            "dx" => self.displacement(object, 0)?,
            "dy" => self.displacement(object, 1)?,
            "center" => {
                let center = [self.center_coordinate(object, 0)?, self.center_coordinate(object, 1)?];
                self.heap.tuple(center)
            }
            "category" => {
                let name = self.class_name(object);
                self.heap.text(&name)
            }
            "visible" => self.attribute_named(object, "_visible")?,
            "orientation" => self.attribute_named(object, "_orientation")?,
            "rgb" => {
                let visible = self.attribute_named(object, "visible")?;
                if self.truth(visible)? {
                    self.attribute_named(object, "_rgb")?
                } else {
                    self.heap.tuple([Value::Int(0); 3])
                }
            }
            "value" if has_value => self.attribute_named(object, "_value")?,
            "prev_value" if has_value => match self.attribute_named(object, "_prev_value")? {
                Value::None => self.attribute_named(object, "_value")?,
                previous => previous,
            },
            "value_diff" if has_value => {
                let now = self.attribute_named(object, "value")?;
                let before = self.attribute_named(object, "prev_value")?;
                self.binary(Sub, now, before)?
            }
            "properties" => self.property_names(object, screen)?,
            _ => return Ok(None),
        }))
    }

    fn pair_item(&mut self, object: Value, pair: &str, place: i64) -> ExecResult {
        let pair = self.attribute_named(object, pair)?;
        self.get_item(pair, Value::Int(place))
    }

    fn displacement(&mut self, object: Value, place: i64) -> ExecResult {
        let (now, before) = (self.pair_item(object, "_xy", place)?, self.pair_item(object, "prev_xy", place)?);
        self.binary(Sub, now, before)
    }

    fn center_coordinate(&mut self, object: Value, place: i64) -> ExecResult {
        let (start, size) = (self.pair_item(object, "_xy", place)?, self.pair_item(object, "wh", place)?);
        let half = self.binary(Div, size, Value::Int(2))?;
        self.binary(Add, start, half)
    }

    pub(super) fn is_value_object(&self, class: ClassId) -> bool {
        self.screen_class_is(class, ClassId(World::VALUE_OBJECT))
    }

    /// Returns the value of `properties`: the names of public attributes that are not methods, first the object's own, then those of its
    /// classes in resolution order.
    pub(super) fn property_names(&mut self, object: Value, at: HeapRef) -> ExecResult {
        let screen = self.screen(at);
        let (class, has_value, has_hud) = (screen.class, screen.value.is_some(), !screen.unset.has("hud"));
        let own: Vec<Symbol> = screen.fields.keys().copied().collect();
        let mut names: IndexSet<Symbol> = IndexSet::new();
        if has_hud {
            names.insert(self.intern("hud"));
        }
        if class.0 == World::NO_OBJECT {
            names.insert(self.intern("nslen"));
        }
        names.extend(own);
        if let Value::Ref(class) = self.class_of(object) {
            for base in self.class_cell(class).mro.clone() {
                if let Value::Ref(at) = base {
                    names.extend(self.class_cell(at).attributes.keys());
                }
            }
        }
        let values: &[&str] = match has_value {
            true if self.is_value_object(class) => &VALUE_OBJECT_PROPERTIES,
            true => &VALUE_OBJECT_PROPERTIES[..1],
            false => &[],
        };
        for name in values.iter().chain(&GAME_OBJECT_PROPERTIES) {
            names.insert(self.intern(name));
        }
        self.charge(cost::OPERATION * names.len() as u64)?;
        let mut listed = Vec::with_capacity(names.len());
        for symbol in names {
            let name = self.name(symbol);
            // Names that begin with a space belong to the machine.
            if name.starts_with(['_', ' ']) || HIDDEN_PROPERTIES.contains(&&*name) {
                continue;
            }
            let value = self.attribute(object, symbol)?;
            if !self.is_callable(value) {
                listed.push(self.heap.text(&name));
            }
        }
        Ok(self.heap.list(listed))
    }

    /// Raises the `AttributeError` for setting a property without a setter.
    pub(super) fn raise_no_setter(&mut self, owner: Value, name: &str) -> ExecResult<()> {
        let message = format!("property '{name}' of '{}' object has no setter", self.qualified_class(owner));
        Err(self.raise(ExceptionKind::AttributeError, &message))
    }

    /// Returns the truth value of an object: true if it is visible and no `NoObject`.
    pub(in crate::machine) fn screen_truth(&mut self, object: Value, at: HeapRef) -> ExecResult<bool> {
        if self.screen_class_is(self.screen(at).class, ClassId(World::NO_OBJECT)) {
            return Ok(false);
        }
        match self.attribute_named(object, "_visible")? {
            Value::Bool(visible) => Ok(visible),
            other => {
                let message = format!("__bool__ should return bool, returned {}", self.class_name(other));
                Err(self.type_error(&message))
            }
        }
    }

    /// Returns `str(object)`; objects that are not visible are written as `NaO`.
    pub(in crate::machine) fn screen_text(&mut self, object: Value, at: HeapRef) -> ExecResult<String> {
        let is_nothing = self.screen_class_is(self.screen(at).class, ClassId(World::NO_OBJECT));
        let visible = self.attribute_named(object, "_visible")?;
        if is_nothing || !self.truth(visible)? {
            return Ok("\u{1b}[34mNaO\u{1b}[39m".to_owned());
        }
        let (x, y) = (self.pair_item(object, "_xy", 0)?, self.pair_item(object, "_xy", 1)?);
        let size = self.attribute_named(object, "wh")?;
        let (x, y, size) = (self.str(x)?, self.str(y)?, self.str(size)?);
        Ok(format!("{} at ({x}, {y}), {size}", self.class_name(object)))
    }
}
