//! Conversion of states to the objects that reward functions receive.

use std::sync::Arc;

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::state::State;
use goalspec_core::value::Value;
use goalspec_reward::scene::{Entities, Entity, Field, Number, Thing};
use rustc_hash::FxHashMap;

use super::{AXES, BoxPart, ObjectWorld, Source};

/// The positions of the objects in a state, from which the next state computes their motion.
#[derive(Debug, Clone, Default)]
pub struct Places(Vec<[Option<Number>; 3]>);

/// The conversion of one state.
struct Look<'l> {
    world: &'l ObjectWorld,
    state: &'l State,
    before: &'l Places,
    now: &'l Places,
    /// The index of each object in the list.
    listed: Vec<Option<u32>>,
    /// The other arguments of each predicate, by its first argument, sorted.
    others: FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>>,
}

impl ObjectWorld {
    /// Returns the objects of a state. `places` holds the positions in the previous state and is replaced by those in this one.
    pub fn fill(&self, state: &State, places: &mut Places) -> Entities {
        let now = Places(self.core.object_ids().map(|object| self.place_of(state, object)).collect());
        let present = |object: &ObjectId| self.classes[object.index()].is_some() && state.is_present(*object);
        let objects: Vec<ObjectId> = self.core.object_ids().filter(present).collect();
        let mut listed = vec![None; self.classes.len()];
        objects.iter().zip(0..).for_each(|(object, place)| listed[object.index()] = Some(place));
        let look = Look { world: self, state, before: places, now: &now, listed, others: self.others(state) };
        let list = objects.into_iter().map(|object| look.object(object)).collect();
        let state = self.of_state.iter().map(|&source| look.of_state(source)).collect();
        *places = now;
        Entities { list, state }
    }

    fn others(&self, state: &State) -> FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>> {
        let mut others: FxHashMap<(PredicateId, ObjectId), Vec<Vec<ObjectId>>> = FxHashMap::default();
        if self.related.is_empty() {
            return others;
        }
        for (predicate, arguments) in state.facts() {
            if let [first, rest @ ..] = arguments
                && self.related.contains(&predicate)
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
    fn place_of(&self, state: &State, object: ObjectId) -> [Option<Number>; 3] {
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

impl Look<'_> {
    fn object(&self, object: ObjectId) -> Entity {
        let class = self.world.classes[object.index()].unwrap_or_default();
        let fields = self.world.sources[class as usize].iter().map(|&source| self.field(source, object)).collect();
        Entity { class, fields }
    }

    fn field(&self, source: Source, object: ObjectId) -> Field {
        let (now, before) = (&self.now.0[object.index()], self.before.0.get(object.index()).unwrap_or(&[None; 3]));
        // New objects have not moved.
        let was = |axis: usize| before[axis].or(now[axis]);
        let given = |number: Option<Number>| number.map_or(Field::Absent, Field::from);
        match source {
            Source::Value(attribute) => {
                self.state.value(attribute, object).map_or(Field::Absent, |value| self.value(&value))
            }
            Source::Holds(predicate) => Field::Bool(self.state.fact(predicate, &[object])),
            Source::Others(predicate) => self.others(predicate, object),
            Source::Number(function) => self.state.fluent(function, &[object]).map_or(Field::Absent, Field::Float),
            Source::Id => Field::Text(self.world.core.object_decl(object).id.clone()),
            Source::Label => Field::Text(self.world.labels[object.index()].clone()),
            Source::Place(axis) => given(now[axis]),
            Source::Before(axis) => given(now[axis].and(was(axis))),
            Source::Moved(axis) => given(now[axis].zip(was(axis)).map(|(now, before)| minus(now, before))),
            Source::Box(part) => self.box_part(part, object, [now[0], now[1]], [was(0), was(1)]),
        }
    }

    fn box_part(
        &self,
        part: BoxPart,
        object: ObjectId,
        corner: [Option<Number>; 2],
        before: [Option<Number>; 2],
    ) -> Field {
        let length = |name: &str| {
            let own = self.world.core.attribute_named(name)?;
            let whole = self.state.int(own, object).map(Number::Int);
            whole.or_else(|| self.state.real(own, object).map(Number::Float))
        };
        let size = [length("w"), length("h")];
        let middle = |place: usize| Some(Number::Float(float(corner[place]?) + float(size[place]?) / 2.0));
        let numbers = match part {
            BoxPart::Corner => corner.to_vec(),
            BoxPart::Size => size.to_vec(),
            BoxPart::All => [corner, size].concat(),
            BoxPart::CornerBefore => before.to_vec(),
            BoxPart::Middle => vec![middle(0), middle(1)],
        };
        let numbers: Option<Vec<Number>> = numbers.into_iter().collect();
        numbers.map_or(Field::Absent, |numbers| Field::Numbers(numbers.into()))
    }

    fn of_state(&self, source: Source) -> Field {
        match source {
            Source::Holds(predicate) => Field::Bool(self.state.fact(predicate, &[])),
            Source::Number(function) => self.state.fluent(function, &[]).map_or(Field::Absent, Field::Float),
            _ => Field::Absent,
        }
    }

    fn value(&self, value: &Value) -> Field {
        match value {
            Value::Bool(truth) => Field::Bool(*truth),
            Value::Int(number) => Field::Int(*number),
            Value::Real(number) => Field::Float(*number),
            Value::Vec3(vector) => Field::Vector(vector.to_array().into()),
            Value::Object(object) => match object.and_then(|object| self.thing(object)) {
                None => Field::None,
                Some(Thing::Object(place)) => Field::Object(place),
                Some(Thing::Text(text)) => Field::Text(text),
            },
            Value::Set(objects) => Field::Things(objects.iter().filter_map(|&object| self.thing(object)).collect()),
            Value::Text(text) => Field::Text(Arc::clone(text)),
        }
    }

    /// Returns a present object, or the text of a symbol.
    fn thing(&self, object: ObjectId) -> Option<Thing> {
        if self.world.classes[object.index()].is_none() {
            return Some(Thing::Text(self.world.core.object_decl(object).id.clone()));
        }
        self.listed[object.index()].map(Thing::Object)
    }

    fn others(&self, predicate: PredicateId, object: ObjectId) -> Field {
        let rows = self.others.get(&(predicate, object)).map_or(&[][..], Vec::as_slice);
        // Rows with an absent object are omitted.
        let row = |row: &Vec<ObjectId>| row.iter().map(|&object| self.thing(object)).collect::<Option<Vec<Thing>>>();
        let rows = rows.iter().filter_map(row);
        if self.world.core.predicate(predicate).parameters.len() == 2 {
            return Field::Things(rows.flatten().collect());
        }
        Field::Rows(rows.collect())
    }
}

fn float(number: Number) -> f64 {
    match number {
        Number::Int(number) => number as f64,
        Number::Float(number) => number,
    }
}

fn minus(now: Number, before: Number) -> Number {
    let whole = match (now, before) {
        (Number::Int(now), Number::Int(before)) => now.checked_sub(before),
        _ => None,
    };
    whole.map_or_else(|| Number::Float(float(now) - float(before)), Number::Int)
}
