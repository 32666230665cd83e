//! Objects with attributes of their own, and what holds the objects of a moment: environments and states.

use std::sync::Arc;

use indexmap::IndexMap;

use super::Machine;
use super::exceptions::{ExceptionKind, Outcome};
use super::screen::{ClassId, ScreenObject};
use super::value::{Cell, Ref, Type, Value};
use crate::code::Symbol;
use crate::entry::{Name, Supply, named};
use crate::scene::{Entity, Field, Input, Kind, Objects};

/// An object with attributes of its own.
#[derive(Debug, Clone)]
pub(crate) struct EntityObject {
    pub(crate) class: ClassId,
    /// Those that its class declares, and what the program added.
    pub(crate) fields: IndexMap<Symbol, Value>,
}

/// What holds the objects of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// What its class is called.
    pub(crate) name: &'static str,
    /// A list.
    pub(crate) objects: Ref,
}

impl Machine<'_> {
    /// The objects of a scene as a list.
    pub(super) fn scene(&mut self, objects: Objects<'_>) -> Outcome<Ref> {
        let values: Vec<Value> = match objects {
            Objects::Screen(objects) => {
                let cells = objects.iter().map(|object| Cell::Screen(Box::new(ScreenObject::new(object))));
                cells.map(|cell| Value::Ref(self.heap.add(cell))).collect()
            }
            Objects::Entities(entities) => self.entities(entities)?,
        };
        Ok(self.heap.add(Cell::List(values)))
    }

    fn entities(&mut self, entities: &[Entity]) -> Outcome<Vec<Value>> {
        // References may go to objects that come later.
        let made: Vec<Ref> = entities
            .iter()
            .map(|entity| {
                let object = EntityObject { class: ClassId(entity.class), fields: IndexMap::new() };
                self.heap.add(Cell::Entity(Box::new(object)))
            })
            .collect();
        let world = self.world;
        for (&at, entity) in made.iter().zip(entities) {
            let mut fields = IndexMap::new();
            for (attribute, field) in world.attributes_of(entity.class).into_iter().zip(&entity.fields) {
                let value = self.field_value(field, attribute.kind, &made)?;
                fields.insert(self.symbol(&attribute.name), value);
            }
            if let Cell::Entity(object) = self.heap.get_mut(at) {
                object.fields = fields;
            }
        }
        Ok(made.into_iter().map(Value::Ref).collect())
    }

    fn field_value(&mut self, field: &Field, kind: Kind, objects: &[Ref]) -> Outcome {
        Ok(match field {
            Field::None => Value::None,
            Field::Bool(truth) => Value::Bool(*truth),
            Field::Int(number) => Value::Int(*number),
            Field::Float(number) => Value::Float(*number),
            Field::Text(text) => Value::Ref(self.heap.add(Cell::Text(Arc::clone(text)))),
            Field::Vector(numbers) => self.vector(numbers)?,
            Field::Texts(texts) => {
                let values = texts.iter().map(|text| Value::Ref(self.heap.add(Cell::Text(Arc::clone(text))))).collect();
                if kind == Kind::TextSet { self.new_set(values)? } else { self.heap.list(values) }
            }
            Field::Object(place) => objects.get(*place as usize).map_or(Value::None, |&at| Value::Ref(at)),
        })
    }

    /// The arguments that a function asks for.
    pub(super) fn supplied(&mut self, wanted: &[Supply], input: &Input<'_>) -> Outcome<Vec<Value>> {
        let now = self.scene(input.objects)?;
        let before = match input.previous {
            Some(previous) if wanted.contains(&Supply::Previous) => self.scene(previous)?,
            _ => now,
        };
        let mut values = Vec::with_capacity(wanted.len());
        for supply in wanted {
            let state = |name, objects| Cell::State(State { name, objects });
            values.push(match *supply {
                Supply::Objects => Value::Ref(now),
                Supply::Env => Value::Ref(self.heap.add(state("Environment", now))),
                Supply::State => Value::Ref(self.heap.add(state("State", now))),
                Supply::Previous => Value::Ref(self.heap.add(state("State", before))),
                Supply::Action => match input.action {
                    Some(action) => self.field_value(action, Kind::Int, &[])?,
                    None => Value::None,
                },
                Supply::Class(name) => self.of_class(now, name)?,
            });
        }
        Ok(values)
    }

    /// The objects of a class: all in a list, or the only one, `None` without.
    fn of_class(&mut self, objects: Ref, name: Name) -> Outcome {
        let Cell::List(values) = self.heap.get(objects) else { return Ok(Value::None) };
        let class = self.type_at(name.class);
        let found: Vec<Value> =
            values.iter().copied().filter(|&value| self.is_subclass(self.class_of(value), class)).collect();
        if name.plural {
            return Ok(self.heap.list(found));
        }
        match *found.as_slice() {
            [] => Ok(Value::None),
            [one] => Ok(one),
            _ => {
                let class = self.type_name(self.type_of(found[0]));
                let message = format!("there are {} objects of class {class}: ask for all of them", found.len());
                Err(self.raise(ExceptionKind::ValueError, &message))
            }
        }
    }

    /// A class by its place among all of the world's, those of a screen first.
    pub(super) fn type_at(&self, place: usize) -> Value {
        Value::Type(match place.checked_sub(self.world.classes.len()) {
            None => Type::Screen(ClassId(place as u16)),
            Some(place) => Type::Entity(ClassId(place as u16)),
        })
    }

    /// An attribute of an environment or a state.
    pub(super) fn state_attribute(&mut self, state: State, name: &str) -> Outcome<Option<Value>> {
        if name == "objects" {
            return Ok(Some(Value::Ref(state.objects)));
        }
        match named(self.world, name) {
            Some(name) => self.of_class(state.objects, name).map(Some),
            None => Ok(None),
        }
    }

    /// An attribute of an object with attributes of its own.
    pub(super) fn entity_attribute(&mut self, object: &EntityObject, symbol: Symbol, name: &str) -> Option<Value> {
        let found = object.fields.get(&symbol).copied();
        found.or_else(|| {
            (name == "category").then(|| {
                let class = Arc::clone(&self.world.objects[object.class.0 as usize].name);
                Value::Ref(self.heap.add(Cell::Text(class)))
            })
        })
    }

    pub(super) fn entity_class_is(&self, class: ClassId, other: ClassId) -> bool {
        let parent = |class: &u16| self.world.objects[*class as usize].parent;
        std::iter::successors(Some(class.0), parent).any(|class| class == other.0)
    }
}
