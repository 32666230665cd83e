//! The states of a trace as documents: the values of the objects, the facts, and the changes.

use std::collections::HashMap;
use std::sync::Arc;

use goalspec::core::ids::{AttributeId, AttributeMask, ObjectId};
use goalspec::core::playback::Playback;
use goalspec::core::state::{Delta, State};
use goalspec::core::value::Value as AttributeValue;
use goalspec::core::world::World;
use goalspec::syntax::Diagnostic;
use goalspec::trace::{ReadOptions, SeekableTrace, Trace, TraceInput};
use serde_json::{Map, Value, json};

/// A trace whose states can be shown in any order.
#[derive(Debug)]
pub struct States {
    world: Arc<World>,
    states: SeekableTrace,
}

impl States {
    /// Reads a trace with a world that has its objects. A damaged trace is read up to the damage.
    ///
    /// # Errors
    /// If the trace cannot be read.
    pub fn read(input: &TraceInput, world: &Arc<World>) -> Result<Self, Box<Diagnostic>> {
        let source = input.open()?;
        let options = ReadOptions { partial: true, any_world: true, candidates: vec![world] };
        let mut reader = source.read(world, &options)?;
        let states = SeekableTrace::new(Trace::read(&mut reader, world)?, world)?;
        Ok(Self { world: Arc::clone(world), states })
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.trace().len()
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a state, counted from 0; `None` if the trace has no such state. With `only_changes`, it has only the objects and facts that
    /// differ from those of the state before.
    ///
    /// # Errors
    /// If the trace cannot be played.
    pub fn document(&self, at: usize, only_changes: bool) -> Result<Option<Value>, Box<Diagnostic>> {
        let found = self.states.state(at)?;
        Ok(found.map(|(playback, delta)| self.state(at, &playback, &delta, only_changes)))
    }

    fn state(&self, at: usize, playback: &Playback, delta: &Delta, only_changes: bool) -> Value {
        let (world, state) = (&*self.world, playback.state());
        let changes = playback.changes();
        let mut masks: HashMap<ObjectId, AttributeMask> = HashMap::new();
        for &(object, mask) in &changes.objects {
            *masks.entry(object).or_default() |= mask;
        }
        let new_values = |object: ObjectId| -> Vec<AttributeId> {
            let mask = masks.get(&object).copied().unwrap_or_default();
            let ids = (0..world.attributes().len() as u32).map(AttributeId);
            ids.filter(|&id| !changes.all && mask.intersects(AttributeMask::one(id))).collect()
        };
        let is_listed = |object: &ObjectId| {
            !only_changes || changes.all || changes.presence.contains(object) || !new_values(*object).is_empty()
        };
        let objects: Vec<Value> = world
            .object_ids()
            .filter(|&object| state.is_present(object) && !world.is_symbol(object))
            .filter(is_listed)
            .map(|object| self.object(state, object, &new_values(object)))
            .collect();
        let fact = |predicate, arguments: &[ObjectId]| {
            let names: Vec<&str> = arguments.iter().map(|&object| world.label(object)).collect();
            json!([&*world.predicate(predicate).name, names])
        };
        let mut document = json!({
            "at": at,
            "index": delta.index,
            "t": delta.time,
            "action": delta.action.as_deref(),
            "objects": objects,
            "gone": changes.presence.iter().filter(|&&object| !state.is_present(object))
                .map(|&object| world.object_decl(object).id.to_string()).collect::<Vec<_>>(),
        });
        let facts = |holds: bool| -> Vec<Value> {
            let listed =
                changes.facts.iter().filter(|(predicate, arguments)| state.fact(*predicate, arguments) == holds);
            listed.map(|(predicate, arguments)| fact(*predicate, arguments)).collect()
        };
        if !changes.all {
            document["facts_added"] = json!(facts(true));
            document["facts_removed"] = json!(facts(false));
        }
        if !only_changes || changes.all {
            let all: Vec<Value> = state.facts().map(|(predicate, arguments)| fact(predicate, arguments)).collect();
            document["facts"] = json!(all);
        }
        document
    }

    fn object(&self, state: &State, object: ObjectId, changed: &[AttributeId]) -> Value {
        let world = &*self.world;
        let decl = world.object_decl(object);
        let values: Map<String, Value> = world
            .attributes()
            .iter()
            .enumerate()
            .filter_map(|(index, attribute)| {
                let value = state.value(AttributeId(index as u32), object)?;
                Some((attribute.name.to_string(), self.value(&value)))
            })
            .collect();
        let attribute = |id: &AttributeId| world.attributes()[id.index()].name.to_string();
        json!({
            "id": &*decl.id,
            "name": world.label(object),
            "type": decl.types.first().map(|&first| world.type_decl(first).name.to_string()),
            "values": values,
            "changed": changed.iter().map(attribute).collect::<Vec<_>>(),
        })
    }

    fn value(&self, value: &AttributeValue) -> Value {
        let name = |object: &ObjectId| self.world.label(*object);
        match value {
            AttributeValue::Bool(value) => json!(value),
            AttributeValue::Int(value) => json!(value),
            AttributeValue::Real(value) => json!(value),
            AttributeValue::Vec3(vector) => json!([vector.x, vector.y, vector.z]),
            AttributeValue::Object(object) => json!(object.as_ref().map(name)),
            AttributeValue::Set(objects) => json!(objects.iter().map(name).collect::<Vec<_>>()),
            AttributeValue::Text(text) => json!(&**text),
        }
    }
}
