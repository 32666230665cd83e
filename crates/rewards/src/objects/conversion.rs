//! Conversion of states to the objects that reward functions receive.

use std::sync::Arc;

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::state::State;
use goalspec_core::value::Value;
use goalspec_python_runtime::scene::{AttributeValue, Entities, Entity, Number, ObjectOrText};
use rustc_hash::FxHashMap;

use super::{AXES, AttributeSource, BoxPart, ObjectWorld};

/// The positions of the objects in a state, from which the next state computes their motion.
#[derive(Debug, Clone, Default)]
pub struct ObjectPositions(Vec<[Option<Number>; 3]>);

/// The conversion of one state.
struct StateConversion<'l> {
    world: &'l ObjectWorld,
    state: &'l State,
    previous: &'l ObjectPositions,
    current: &'l ObjectPositions,
    /// The index of each object in the list.
    list_indices: Vec<Option<u32>>,
    /// The other arguments of each predicate, by its first argument, sorted.
    related_arguments: FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>>,
}

impl ObjectWorld {
    /// Returns the objects of a state. `places` holds the positions in the previous state and is replaced by those in this one.
    pub fn entities(&self, state: &State, places: &mut ObjectPositions) -> Entities {
        let now = ObjectPositions(self.core.object_ids().map(|object| self.position(state, object)).collect());
        let present = |object: &ObjectId| self.classes[object.index()].is_some() && state.is_present(*object);
        let objects: Vec<ObjectId> = self.core.object_ids().filter(present).collect();
        let mut listed = vec![None; self.classes.len()];
        objects.iter().zip(0..).for_each(|(object, place)| listed[object.index()] = Some(place));
        let look = StateConversion {
            world: self,
            state,
            previous: places,
            current: &now,
            list_indices: listed,
            related_arguments: self.related_arguments(state),
        };
        let list = objects.into_iter().map(|object| look.convert_object(object)).collect();
        let state = self.state_sources.iter().map(|&source| look.convert_state_attribute(source)).collect();
        *places = now;
        Entities { entities: list, state }
    }

    fn related_arguments(&self, state: &State) -> FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>> {
        let mut others: FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>> = FxHashMap::default();
        if self.relations.is_empty() {
            return others;
        }
        for (predicate, arguments) in state.facts() {
            if let [first, rest @ ..] = arguments
                && self.relations.contains(&predicate)
            {
                others.entry((predicate, *first)).or_default().push(rest.to_vec());
            }
        }
        // Facts have no defined order.
        for rows in others.values_mut() {
            rows.sort_unstable();
        }
        others
    }

    /// Returns the position of an object: from its own coordinates, or else from its first known location.
    fn position(&self, state: &State, object: ObjectId) -> [Option<Number>; 3] {
        if self.classes[object.index()].is_none() {
            return [None; 3];
        }
        let location = self.core.locations().iter().find_map(|&attribute| state.vec3(attribute, object));
        let location = location.map(|location| location.to_array());
        std::array::from_fn(|axis| {
            let own = self.core.attribute_named(AXES[axis]);
            let own = own.and_then(|own| {
                let whole = state.int(own, object).map(Number::Int);
                whole.or_else(|| state.real(own, object).map(Number::Float))
            });
            own.or_else(|| location.map(|location| Number::Float(location[axis])))
        })
    }
}

impl StateConversion<'_> {
    fn convert_object(&self, object: ObjectId) -> Entity {
        let class = self.world.classes[object.index()].unwrap_or_default();
        let fields =
            self.world.sources[class as usize].iter().map(|&source| self.convert_attribute(source, object)).collect();
        Entity { class, values: fields }
    }

    fn convert_attribute(&self, source: AttributeSource, object: ObjectId) -> AttributeValue {
        let (now, before) =
            (&self.current.0[object.index()], self.previous.0.get(object.index()).unwrap_or(&[None; 3]));
        // New objects have not moved.
        let was = |axis: usize| before[axis].or(now[axis]);
        let to_value = |number: Option<Number>| number.map_or(AttributeValue::Absent, AttributeValue::from);
        match source {
            AttributeSource::Value(attribute) => {
                self.state.value(attribute, object).map_or(AttributeValue::Absent, |value| self.convert_value(&value))
            }
            AttributeSource::Predicate(predicate) => AttributeValue::Bool(self.state.fact(predicate, &[object])),
            AttributeSource::RelatedObjects(predicate) => self.convert_relation(predicate, object),
            AttributeSource::Function(function) => {
                self.state.fluent(function, &[object]).map_or(AttributeValue::Absent, AttributeValue::Float)
            }
            AttributeSource::Id => AttributeValue::Text(self.world.core.object_decl(object).id.clone()),
            AttributeSource::Label => AttributeValue::Text(self.world.labels[object.index()].clone()),
            AttributeSource::Coordinate(axis) => to_value(now[axis]),
            AttributeSource::PreviousCoordinate(axis) => to_value(now[axis].and(was(axis))),
            AttributeSource::Displacement(axis) => {
                to_value(now[axis].zip(was(axis)).map(|(now, before)| subtract(now, before)))
            }
            AttributeSource::Box(part) => self.box_part(part, object, [now[0], now[1]], [was(0), was(1)]),
        }
    }

    fn box_part(
        &self,
        part: BoxPart,
        object: ObjectId,
        corner: [Option<Number>; 2],
        before: [Option<Number>; 2],
    ) -> AttributeValue {
        let length = |name: &str| {
            let own = self.world.core.attribute_named(name)?;
            let whole = self.state.int(own, object).map(Number::Int);
            whole.or_else(|| self.state.real(own, object).map(Number::Float))
        };
        let size = [length("w"), length("h")];
        let middle = |place: usize| Some(Number::Float(to_f64(corner[place]?) + to_f64(size[place]?) / 2.0));
        let numbers = match part {
            BoxPart::Corner => corner.to_vec(),
            BoxPart::Size => size.to_vec(),
            BoxPart::CornerAndSize => [corner, size].concat(),
            BoxPart::PreviousCorner => before.to_vec(),
            BoxPart::Center => vec![middle(0), middle(1)],
        };
        let numbers: Option<Vec<Number>> = numbers.into_iter().collect();
        numbers.map_or(AttributeValue::Absent, |numbers| AttributeValue::NumberTuple(numbers.into()))
    }

    fn convert_state_attribute(&self, source: AttributeSource) -> AttributeValue {
        match source {
            AttributeSource::Predicate(predicate) => AttributeValue::Bool(self.state.fact(predicate, &[])),
            AttributeSource::Function(function) => {
                self.state.fluent(function, &[]).map_or(AttributeValue::Absent, AttributeValue::Float)
            }
            _ => AttributeValue::Absent,
        }
    }

    fn convert_value(&self, value: &Value) -> AttributeValue {
        match value {
            Value::Bool(truth) => AttributeValue::Bool(*truth),
            Value::Int(number) => AttributeValue::Int(*number),
            Value::Real(number) => AttributeValue::Float(*number),
            Value::Vec3(vector) => AttributeValue::Vector(vector.to_array().into()),
            Value::Object(object) => match object.and_then(|object| self.convert_reference(object)) {
                None => AttributeValue::None,
                Some(ObjectOrText::Object(place)) => AttributeValue::Object(place),
                Some(ObjectOrText::Text(text)) => AttributeValue::Text(text),
            },
            Value::Set(objects) => AttributeValue::ObjectOrTextList(
                objects.iter().filter_map(|&object| self.convert_reference(object)).collect(),
            ),
            Value::Text(text) => AttributeValue::Text(Arc::clone(text)),
        }
    }

    /// Returns a present object, or the text of a symbol.
    fn convert_reference(&self, object: ObjectId) -> Option<ObjectOrText> {
        if self.world.classes[object.index()].is_none() {
            return Some(ObjectOrText::Text(self.world.core.object_decl(object).id.clone()));
        }
        self.list_indices[object.index()].map(ObjectOrText::Object)
    }

    fn convert_relation(&self, predicate: PredicateId, object: ObjectId) -> AttributeValue {
        let rows = self.related_arguments.get(&(predicate, object)).map_or(&[][..], Vec::as_slice);
        // Rows with an absent object are omitted.
        let row = |row: &Vec<ObjectId>| {
            row.iter().map(|&object| self.convert_reference(object)).collect::<Option<Vec<ObjectOrText>>>()
        };
        let rows = rows.iter().filter_map(row);
        if self.world.core.predicate(predicate).parameters.len() == 2 {
            return AttributeValue::ObjectOrTextList(rows.flatten().collect());
        }
        AttributeValue::TupleList(rows.collect())
    }
}

fn to_f64(number: Number) -> f64 {
    match number {
        Number::Int(number) => number as f64,
        Number::Float(number) => number,
    }
}

fn subtract(now: Number, before: Number) -> Number {
    let whole = match (now, before) {
        (Number::Int(now), Number::Int(before)) => now.checked_sub(before),
        _ => None,
    };
    whole.map_or_else(|| Number::Float(to_f64(now) - to_f64(before)), Number::Int)
}
