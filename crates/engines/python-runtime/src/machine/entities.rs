//! Entities (objects with declared attributes), and the environments and states that contain them.

use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::Machine;
use super::exceptions::{ExceptionKind, ExecResult};
use super::methods::{Method, find_row};
use super::screen::{ClassId, SCREEN_METHODS};
use super::value::{AttributeMap, HeapObject, HeapRef, StaticName, Type, Value};
use crate::code::Symbol;
use crate::entry::{ArgumentSource, ClassReference, class_reference};
use crate::scene::{AttributeKind, AttributeValue, Entities, Input, Number, ObjectOrText, Objects, World};

/// An entity: an object with attributes of its own.
#[derive(Debug, Clone)]
pub(crate) struct EntityInstance {
    pub(crate) class: ClassId,
    /// The attributes that its class declares, and those that the program added.
    pub(crate) fields: AttributeMap,
}

/// An environment or a state: the objects at one moment.
#[derive(Debug, Clone)]
pub(crate) struct StateObject {
    /// The name of its class.
    pub(crate) name: StaticName,
    /// The list of its objects.
    pub(crate) objects: HeapRef,
    /// Its other attributes.
    pub(crate) fields: Fields,
}

/// Attributes and their values.
pub(crate) type Fields = Vec<(Symbol, Value)>;

/// The objects at one moment, and the other attributes of the state.
#[derive(Debug, Clone)]
struct StateContents {
    objects: HeapRef,
    fields: Fields,
}

/// The names and kinds of the attributes of every entity class.
#[derive(Debug, Clone)]
pub(super) struct EntityLayouts(Vec<Vec<(Symbol, AttributeKind)>>);

impl EntityLayouts {
    /// Returns the layouts of the classes of a world.
    pub(super) fn new(world: &World, symbol: &mut dyn FnMut(&str) -> Symbol) -> Self {
        let attributes = (0..world.entity_classes.len()).map(|class| world.attributes_of(class as u16));
        let layout = |attributes: Vec<&crate::scene::Attribute>| {
            attributes.into_iter().map(|attribute| (symbol(&attribute.name), attribute.value_type)).collect()
        };
        Self(attributes.map(layout).collect())
    }
}

impl Machine {
    /// Returns the objects of a scene as a list.
    pub(super) fn scene_objects(&mut self, objects: Objects<'_>) -> ExecResult<HeapRef> {
        self.state_contents(objects).map(|held| held.objects)
    }

    fn state_contents(&mut self, objects: Objects<'_>) -> ExecResult<StateContents> {
        let (values, fields) = match objects {
            Objects::Screen(objects) => {
                let mut values = Vec::with_capacity(objects.len());
                values.extend(objects.iter().map(|object| self.scene_object(object)));
                (values, Vec::new())
            }
            Objects::Entities(entities) => self.create_entities(entities)?,
        };
        Ok(StateContents { objects: self.heap.add_in_place(HeapObject::List(values)), fields })
    }

    fn create_entities(&mut self, entities: &Entities) -> ExecResult<(Vec<Value>, Fields)> {
        // References may point to later objects.
        let created: Vec<HeapRef> = entities
            .entities
            .iter()
            .map(|entity| {
                let object = EntityInstance { class: ClassId(entity.class), fields: AttributeMap::default() };
                self.heap.add(HeapObject::Entity(Box::new(object)))
            })
            .collect();
        let layouts = self.layouts();
        for (&at, entity) in created.iter().zip(&entities.entities) {
            let layout = &layouts.0[entity.class as usize];
            let mut fields = AttributeMap::with_capacity_and_hasher(layout.len(), FxBuildHasher);
            for (&(symbol, kind), field) in layout.iter().zip(&entity.values) {
                if *field != AttributeValue::Absent {
                    fields.insert(symbol, self.field_value(field, kind, &created)?);
                }
            }
            if let HeapObject::Entity(object) = self.heap.get_mut(at) {
                object.fields = fields;
            }
        }
        let world = Arc::clone(&self.world);
        let mut fields = Vec::new();
        for (attribute, field) in world.state_attributes.iter().zip(&entities.state) {
            if *field != AttributeValue::Absent {
                fields.push((self.intern(&attribute.name), self.field_value(field, attribute.value_type, &created)?));
            }
        }
        Ok((created.into_iter().map(Value::Ref).collect(), fields))
    }

    /// Returns the attribute layouts of the entity classes, computed on first use.
    fn layouts(&mut self) -> Arc<EntityLayouts> {
        if let Some(layouts) = &self.layouts {
            return Arc::clone(layouts);
        }
        let world = Arc::clone(&self.world);
        let layouts = Arc::new(EntityLayouts::new(&world, &mut |name| self.intern(name)));
        self.layouts.insert(layouts).clone()
    }

    fn reference_value(&mut self, thing: &ObjectOrText, objects: &[HeapRef]) -> Value {
        match thing {
            ObjectOrText::Object(place) => objects.get(*place as usize).map_or(Value::None, |&at| Value::Ref(at)),
            ObjectOrText::Text(text) => Value::Ref(self.heap.add(HeapObject::Text(Arc::clone(text)))),
        }
    }

    fn field_value(&mut self, field: &AttributeValue, kind: AttributeKind, objects: &[HeapRef]) -> ExecResult {
        Ok(match field {
            AttributeValue::Absent | AttributeValue::None => Value::None,
            AttributeValue::Bool(truth) => Value::Bool(*truth),
            AttributeValue::Int(number) => Value::Int(*number),
            AttributeValue::Float(number) => Value::Float(*number),
            AttributeValue::Text(text) => Value::Ref(self.heap.add(HeapObject::Text(Arc::clone(text)))),
            AttributeValue::Vector(numbers) => self.new_float_vector(numbers)?,
            AttributeValue::TextList(texts) => {
                let values =
                    texts.iter().map(|text| Value::Ref(self.heap.add(HeapObject::Text(Arc::clone(text))))).collect();
                if kind == AttributeKind::TextSet { self.new_set(values)? } else { self.heap.list(values) }
            }
            AttributeValue::Object(place) => self.reference_value(&ObjectOrText::Object(*place), objects),
            AttributeValue::ObjectOrTextList(things) => {
                let values = things.iter().map(|thing| self.reference_value(thing, objects)).collect();
                self.heap.list(values)
            }
            AttributeValue::TupleList(rows) => {
                let mut values = Vec::with_capacity(rows.len());
                for row in rows.iter() {
                    let row: Vec<Value> = row.iter().map(|thing| self.reference_value(thing, objects)).collect();
                    values.push(self.heap.tuple(row));
                }
                self.heap.list(values)
            }
            AttributeValue::NumberTuple(numbers) => {
                let values: Vec<Value> = numbers.iter().map(|&number| number.into()).collect();
                self.heap.tuple(values)
            }
        })
    }

    /// Returns the arguments that a function requests.
    pub(super) fn build_arguments(&mut self, sources: &[ArgumentSource], input: &Input<'_>) -> ExecResult<Vec<Value>> {
        let now = self.state_contents(input.objects)?;
        let before = match input.previous {
            Some(previous) if sources.contains(&ArgumentSource::PreviousState) => self.state_contents(previous)?,
            _ => now.clone(),
        };
        let mut values = Vec::with_capacity(sources.len());
        for supply in sources {
            let state = |name: StaticName, held: &StateContents| {
                let StateContents { objects, fields } = held.clone();
                HeapObject::State(StateObject { name, objects, fields })
            };
            values.push(match *supply {
                ArgumentSource::Objects => Value::Ref(now.objects),
                ArgumentSource::Env => Value::Ref(self.heap.add(state(&"Environment", &now))),
                ArgumentSource::State => Value::Ref(self.heap.add(state(&"State", &now))),
                ArgumentSource::PreviousState => Value::Ref(self.heap.add(state(&"State", &before))),
                ArgumentSource::Action => match input.action {
                    Some(action) => self.field_value(action, AttributeKind::Int, &[])?,
                    None => Value::None,
                },
                ArgumentSource::Class(name) => self.objects_of_class(now.objects, name)?,
            });
        }
        Ok(values)
    }

    /// Returns the objects of a class: a list for a plural name, otherwise the only one, or `None` if there is none.
    ///
    /// # Errors
    /// A `ValueError` if the name is singular and the class has several objects.
    fn objects_of_class(&mut self, objects: HeapRef, name: ClassReference) -> ExecResult {
        let HeapObject::List(values) = self.heap.get(objects) else { return Ok(Value::None) };
        let class = self.world_class(name.class);
        let found = if let Some((found, work)) = self.screen_instances(values, class) {
            self.charge(work)?;
            found
        } else {
            let (values, mut found) = (values.clone(), Vec::new());
            for value in values {
                let is_of_class = match self.is_screen_instance(value, class) {
                    Some((truth, work)) => self.charge(work).map(|()| truth)?,
                    None => self.is_subclass(self.class_of(value), class)?,
                };
                if is_of_class {
                    found.push(value);
                }
            }
            found
        };
        if name.is_plural {
            return Ok(self.heap.list(found));
        }
        match *found.as_slice() {
            [] => Ok(Value::None),
            [one] => Ok(one),
            _ => {
                let class = self.type_name(self.type_of(found[0]));
                let message = format!("{} objects of class {class}: use the parameter for all of them", found.len());
                Err(self.raise(ExceptionKind::ValueError, &message))
            }
        }
    }

    /// Returns the instances of a screen class among screen objects, and the work of finding them; `None` for other values.
    fn screen_instances(&self, values: &[Value], class: Value) -> Option<(Vec<Value>, u64)> {
        let (mut found, mut work) = (Vec::new(), 0);
        for &value in values {
            let (is_of_class, work_of_one) = self.is_screen_instance(value, class)?;
            work += work_of_one;
            if is_of_class {
                found.push(value);
            }
        }
        Some((found, work))
    }

    /// Returns a class by its index among all classes of the world; screen classes come first.
    pub(super) fn world_class(&self, place: usize) -> Value {
        Value::Type(match place.checked_sub(self.world.screen_classes.len()) {
            None => Type::Screen(ClassId(place as u16)),
            Some(place) => Type::Entity(ClassId(place as u16)),
        })
    }

    /// Returns an attribute of an environment or a state.
    pub(super) fn state_attribute(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> ExecResult<Option<Value>> {
        let HeapObject::State(StateObject { objects, fields, .. }) = self.heap.get(at) else { return Ok(None) };
        let objects = *objects;
        if name == "objects" {
            return Ok(Some(Value::Ref(objects)));
        }
        if let Some(&(_, value)) = fields.iter().find(|(field, _)| *field == symbol) {
            return Ok(Some(value));
        }
        let world = &self.world;
        let known = self.state_classes.entry(symbol).or_insert_with(|| class_reference(world, name));
        let Some(class) = *known else { return Ok(None) };
        let value = self.objects_of_class(objects, class)?;
        // The attributes of a state are the same objects whenever they are read.
        if let HeapObject::State(state) = self.heap.get_mut(at) {
            state.fields.push((symbol, value));
        }
        Ok(Some(value))
    }

    /// Returns an attribute of an entity.
    pub(super) fn entity_attribute(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> Option<Value> {
        let HeapObject::Entity(object) = self.heap.get(at) else { return None };
        let (class, found) = (object.class, object.fields.get(&symbol).copied());
        if found.is_some() {
            return found;
        }
        if name == "category" {
            let class = Arc::clone(&self.world.entity_classes[class.0 as usize].name);
            return Some(Value::Ref(self.heap.add(HeapObject::Text(class))));
        }
        // Entities with a bounding box have the methods of screen objects.
        let method = box_method(name)?;
        let is_box = BOX_ATTRIBUTES.iter().all(|side| {
            let symbol = self.intern(side);
            matches!(self.heap.get(at), HeapObject::Entity(object) if object.fields.contains_key(&symbol))
        });
        is_box.then(|| self.bound_method(Value::Ref(at), method))
    }

    /// Returns whether an entity class is another one or is derived from it.
    pub(super) fn is_entity_subclass(&self, class: ClassId, other: ClassId) -> bool {
        class == other || self.world.ancestry(class.0).contains(&other.0)
    }
}

/// Returns the method of entities with a bounding box that has this name.
pub(crate) fn box_method(name: &str) -> Option<Method> {
    find_row(&SCREEN_METHODS, name).filter(|method| !method.mutates_receiver())
}

/// The attributes of a bounding box: its position, width and height.
pub const BOX_ATTRIBUTES: [&str; 4] = ["x", "y", "w", "h"];

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match number {
            Number::Int(number) => Self::Int(number),
            Number::Float(number) => Self::Float(number),
        }
    }
}
