//! Snapshots of a world, and the changes between them.

mod delta_check;

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId};
use crate::value::{ObjectSet, Value, ValueKind};
use crate::world::World;

pub use delta_check::DeltaError;

/// The objects to which a stored predicate or function is applied.
pub type ObjectArguments = SmallVec<[ObjectId; 3]>;

/// An assignment of a value to one attribute of one object.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeChange {
    /// The object.
    pub object: ObjectId,
    /// The attribute.
    pub attribute: AttributeId,
    /// The new value, of the attribute's kind.
    pub value: Value,
}

/// A change of the truth of one stored fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: ObjectArguments,
    /// Whether the fact holds from this state on.
    pub holds: bool,
}

/// A change of the value of one stored function.
#[derive(Debug, Clone, PartialEq)]
pub struct FluentChange {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: ObjectArguments,
    /// The new value.
    pub value: f64,
}

/// One state of a recording, as its differences from the previous state. Readers return deltas that are of their world;
/// [`check`](Self::check) tests others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delta {
    /// The number of the state in the recording if the recording numbers its states, else its index from 0.
    pub index: u64,
    /// The recording's clock, which increases with every state and may have gaps. Equals `index` if the recording has
    /// no clock.
    pub clock: u64,
    /// Seconds since the beginning of the recording, if it records time.
    pub time: Option<f64>,
    /// The action of the agent, in the words of the recording.
    pub action: Option<Arc<str>>,
    /// The objects that the recording lists in this state, whether changed or not, in its order.
    pub listed_objects: Vec<ObjectId>,
    /// The number of objects listed in this state that the world does not know.
    pub unknown_objects: u32,
    /// The attribute values recorded in this state. Values equal to the current ones are allowed and change nothing.
    pub changes: Vec<AttributeChange>,
    /// The stored facts that change.
    pub facts: Vec<FactChange>,
    /// The stored functions that change.
    pub fluents: Vec<FluentChange>,
    /// The objects that are removed in this state: all their attributes lose their values.
    pub removed: Vec<ObjectId>,
}

impl Delta {
    /// Clears the delta and keeps its buffers.
    pub fn clear(&mut self) {
        self.index = 0;
        self.clock = 0;
        self.time = None;
        self.action = None;
        self.listed_objects.clear();
        self.unknown_objects = 0;
        self.changes.clear();
        self.facts.clear();
        self.fluents.clear();
        self.removed.clear();
    }
}

/// The effective changes of one step: the input of incremental evaluation.
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    /// Whether everything must be treated as changed, as in the first state.
    pub all: bool,
    /// The objects with changed attribute values, each once, with a mask of these attributes. The mask of a group
    /// includes the masks of its members.
    pub objects: Vec<(ObjectId, AttributeMask)>,
    /// The objects that appeared or disappeared.
    pub presence: Vec<ObjectId>,
    /// The stored facts whose truth changed.
    pub facts: Vec<(PredicateId, ObjectArguments)>,
    /// The stored functions whose value changed.
    pub fluents: Vec<(FunctionId, ObjectArguments)>,
}

impl ChangeSet {
    /// Adds attributes to the changed attributes of an object.
    pub fn add_attributes(&mut self, object: ObjectId, mask: AttributeMask) {
        match self.objects.last_mut() {
            Some((other, known)) if *other == object => *known |= mask,
            _ => match self.objects.iter_mut().find(|(other, _)| *other == object) {
                Some((_, known)) => *known |= mask,
                None => self.objects.push((object, mask)),
            },
        }
    }

    /// Clears the set and keeps its buffers.
    pub fn clear(&mut self) {
        self.all = false;
        self.objects.clear();
        self.presence.clear();
        self.facts.clear();
        self.fluents.clear();
    }
}

#[derive(Debug, Clone)]
enum Column {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Real(Vec<f64>),
    Vec3(Vec<DVec3>),
    Object(Vec<Option<ObjectId>>),
    Set(Vec<ObjectSet>),
    Text(Vec<Arc<str>>),
}

impl Column {
    fn new(kind: ValueKind, objects: usize) -> Self {
        match kind {
            ValueKind::Bool => Self::Bool(vec![false; objects]),
            ValueKind::Int => Self::Int(vec![0; objects]),
            ValueKind::Real => Self::Real(vec![0.0; objects]),
            ValueKind::Vec3 | ValueKind::Orientation => Self::Vec3(vec![DVec3::ZERO; objects]),
            ValueKind::Object => Self::Object(vec![None; objects]),
            ValueKind::Set => Self::Set(vec![ObjectSet::new(); objects]),
            ValueKind::Text => Self::Text(vec![Arc::from(""); objects]),
        }
    }

    /// Stores a value and returns whether it differs from the previous one.
    fn set(&mut self, index: usize, value: &Value) -> bool {
        fn put<T: PartialEq + Clone>(slot: &mut T, value: &T) -> bool {
            let differs = *slot != *value;
            if differs {
                slot.clone_from(value);
            }
            differs
        }
        match (self, value) {
            (Self::Bool(column), Value::Bool(value)) => put(&mut column[index], value),
            (Self::Int(column), Value::Int(value)) => put(&mut column[index], value),
            (Self::Real(column), Value::Real(value)) => put(&mut column[index], value),
            (Self::Vec3(column), Value::Vec3(value)) => put(&mut column[index], value),
            (Self::Object(column), Value::Object(value)) => put(&mut column[index], value),
            (Self::Set(column), Value::Set(value)) => put(&mut column[index], value),
            (Self::Text(column), Value::Text(value)) => put(&mut column[index], value),
            _ => unreachable!("deltas are checked against the world's attribute kinds when they are read"),
        }
    }
}

/// One snapshot of a world: attribute values, stored facts and functions, and the presence of objects.
///
/// An object is *present* once all required attributes of its types have values. Conditions range over present objects
/// only.
#[derive(Debug, Clone)]
pub struct State {
    columns: Vec<Column>,
    has_value: Vec<FixedBitSet>,
    missing_required: Vec<u32>,
    present: FixedBitSet,
    facts: FxHashSet<(PredicateId, ObjectArguments)>,
    fluents: FxHashMap<(FunctionId, ObjectArguments), f64>,
}

impl State {
    /// Creates the state before a recording begins, in which only the world's initial values are known.
    pub fn new(world: &World) -> Self {
        let objects = world.objects().len();
        let attributes = world.attributes();
        let mut state = Self {
            columns: attributes.iter().map(|a| Column::new(a.kind, objects)).collect(),
            has_value: vec![FixedBitSet::with_capacity(objects); attributes.len()],
            missing_required: world.object_ids().map(|o| world.required_attributes(o).0.count_ones()).collect(),
            present: FixedBitSet::with_capacity(objects),
            facts: FxHashSet::default(),
            fluents: FxHashMap::default(),
        };
        for object in world.object_ids().filter(|&o| world.required_attributes(o).is_empty()) {
            state.present.insert(object.index());
        }
        for change in world.initial_values() {
            state.set(world, change);
        }
        state
    }

    /// Assigns a value and returns whether it differs from the previous one. The value must be of the kind of the attribute.
    pub(crate) fn set(&mut self, world: &World, change: &AttributeChange) -> bool {
        let (attribute, object) = (change.attribute.index(), change.object.index());
        let first = !self.has_value[attribute].put(object);
        if first && world.required_attributes(change.object).intersects(AttributeMask::one(change.attribute)) {
            self.missing_required[object] -= 1;
            if self.missing_required[object] == 0 {
                self.present.insert(object);
            }
        }
        self.columns[attribute].set(object, &change.value) || first
    }

    /// Applies a delta and adds its effective changes to `changes`.
    ///
    /// # Panics
    /// If the delta is not [of the world](Delta::check).
    pub fn apply(&mut self, world: &World, delta: &Delta, changes: &mut ChangeSet) {
        for &object in &delta.removed {
            self.remove_object(world, object, changes);
        }
        for change in &delta.changes {
            let before = self.present.contains(change.object.index());
            if self.set(world, change) {
                changes.add_attributes(change.object, AttributeMask::one(change.attribute));
            }
            if before != self.present.contains(change.object.index()) {
                changes.presence.push(change.object);
            }
        }
        for fact in &delta.facts {
            let key = (fact.predicate, fact.arguments.clone());
            let differs = if fact.holds { self.facts.insert(key.clone()) } else { self.facts.remove(&key) };
            if differs {
                changes.facts.push(key);
            }
        }
        for fluent in &delta.fluents {
            let key = (fluent.function, fluent.arguments.clone());
            if self.fluents.insert(key.clone(), fluent.value) != Some(fluent.value) {
                changes.fluents.push(key);
            }
        }
    }

    fn remove_object(&mut self, world: &World, object: ObjectId, changes: &mut ChangeSet) {
        for attribute in (0..self.has_value.len()).map(AttributeId::from) {
            self.unset(world, object, attribute, changes);
        }
    }

    /// Removes the value of an attribute.
    pub(crate) fn unset(&mut self, world: &World, object: ObjectId, attribute: AttributeId, changes: &mut ChangeSet) {
        let mask = AttributeMask::one(attribute);
        if !self.has_value(attribute, object) {
            return;
        }
        self.has_value[attribute.index()].set(object.index(), false);
        changes.add_attributes(object, mask);
        if world.required_attributes(object).intersects(mask) {
            self.missing_required[object.index()] += 1;
            if self.present.contains(object.index()) {
                self.present.set(object.index(), false);
                changes.presence.push(object);
            }
        }
    }

    /// Whether the object is present.
    pub fn is_present(&self, object: ObjectId) -> bool {
        self.present.contains(object.index())
    }

    /// Whether the attribute of the object has a value.
    pub fn has_value(&self, attribute: AttributeId, object: ObjectId) -> bool {
        self.has_value[attribute.index()].contains(object.index())
    }

    /// Returns the value of an attribute; `None` if it has none.
    pub fn value(&self, attribute: AttributeId, object: ObjectId) -> Option<Value> {
        if !self.has_value(attribute, object) {
            return None;
        }
        let at = object.index();
        Some(match &self.columns[attribute.index()] {
            Column::Bool(column) => Value::Bool(column[at]),
            Column::Int(column) => Value::Int(column[at]),
            Column::Real(column) => Value::Real(column[at]),
            Column::Vec3(column) => Value::Vec3(column[at]),
            Column::Object(column) => Value::Object(column[at]),
            Column::Set(column) => Value::Set(column[at].clone()),
            Column::Text(column) => Value::Text(column[at].clone()),
        })
    }

    /// Whether the stored fact holds.
    pub fn fact(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        self.facts.contains(&(predicate, ObjectArguments::from_slice(arguments)))
    }

    /// Returns all stored facts that hold, in unspecified order.
    pub fn facts(&self) -> impl Iterator<Item = (PredicateId, &[ObjectId])> {
        self.facts.iter().map(|(predicate, arguments)| (*predicate, arguments.as_slice()))
    }

    /// Returns the value of a stored function; `None` if it has none.
    pub fn fluent(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<f64> {
        self.fluents.get(&(function, ObjectArguments::from_slice(arguments))).copied()
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $variant:ident -> $type:ty, |$slot:ident| $read:expr;)*) => {
        impl State {$(
            $(#[$doc])*
            ///
            /// Returns `None` if the attribute has no value or is of another kind.
            pub fn $name(&self, attribute: AttributeId, object: ObjectId) -> Option<$type> {
                match &self.columns[attribute.index()] {
                    Column::$variant(column) if self.has_value(attribute, object) => {
                        let $slot = &column[object.index()];
                        Some($read)
                    }
                    _ => None,
                }
            }
        )*}
    };
}

getters! {
    /// Returns the value of a `bool` attribute.
    bool: Bool -> bool, |slot| *slot;
    /// Returns the value of an `int` attribute.
    int: Int -> i64, |slot| *slot;
    /// Returns the value of a `real` attribute.
    real: Real -> f64, |slot| *slot;
    /// Returns the value of a `vec3` or `orientation` attribute.
    vec3: Vec3 -> DVec3, |slot| *slot;
    /// Returns the value of an `object` attribute; the inner `None` means "no object".
    object: Object -> Option<ObjectId>, |slot| *slot;
    /// Returns the value of a `set` attribute.
    object_set: Set -> &ObjectSet, |slot| slot;
    /// Returns the value of a `text` attribute.
    text: Text -> &str, |slot| slot;
}
