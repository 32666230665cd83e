//! Snapshots of a world and the steps between them.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId};
use crate::value::{Kind, ObjectSet, Value};
use crate::world::World;

/// Arguments of a stored fact.
pub type Arguments = SmallVec<[ObjectId; 3]>;

/// One attribute of one object taking a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The object.
    pub object: ObjectId,
    /// The attribute.
    pub attribute: AttributeId,
    /// The new value, of the attribute's kind.
    pub value: Value,
}

/// One stored predicate becoming true or false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    /// The stored predicate.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Arguments,
    /// Whether it holds from now on.
    pub holds: bool,
}

/// One stored function taking a value.
#[derive(Debug, Clone, PartialEq)]
pub struct FluentChange {
    /// The stored function.
    pub function: FunctionId,
    /// Its arguments.
    pub arguments: Arguments,
    /// The new value.
    pub value: f64,
}

/// What a recording says of one state: everything that differs from the state before, and when.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delta {
    /// The state's number in the recording, where the recording numbers its states; else its position from 0.
    pub index: u64,
    /// The recording's own clock: increases with every state, gaps allowed. Equals `index` where there is none.
    pub clock: u64,
    /// Seconds since the recording began, where the recording has time.
    pub time: Option<f64>,
    /// What the agent did, as the recording words it.
    pub action: Option<Arc<str>>,
    /// Objects that the recording lists in this state, changed or not, in the recording's order.
    pub mentioned: Vec<ObjectId>,
    /// How many objects the recording lists in this state that the world does not know.
    pub foreign: u32,
    /// Attribute values given in this state. Values equal to the former one are allowed and change nothing.
    pub changes: Vec<Change>,
    /// Stored facts that change.
    pub facts: Vec<FactChange>,
    /// Stored functions that change.
    pub fluents: Vec<FluentChange>,
    /// Objects that are gone from this state on, until they are mentioned again.
    pub removed: Vec<ObjectId>,
}

impl Delta {
    /// Empties the delta and keeps its buffers.
    pub fn clear(&mut self) {
        self.index = 0;
        self.clock = 0;
        self.time = None;
        self.action = None;
        self.mentioned.clear();
        self.foreign = 0;
        self.changes.clear();
        self.facts.clear();
        self.fluents.clear();
        self.removed.clear();
    }
}

/// What really changed in a step: the input of incremental evaluation.
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    /// Whether everything must be taken as changed, as in the first state.
    pub all: bool,
    /// Objects with attributes whose value differs now, each object once. A group's mask contains its members' masks.
    pub objects: Vec<(ObjectId, AttributeMask)>,
    /// Objects that appeared or vanished.
    pub presence: Vec<ObjectId>,
    /// Facts that differ now.
    pub facts: Vec<(PredicateId, Arguments)>,
    /// Stored functions that differ now.
    pub fluents: Vec<(FunctionId, Arguments)>,
}

impl ChangeSet {
    /// Adds attributes to what changed of an object.
    pub fn note(&mut self, object: ObjectId, mask: AttributeMask) {
        match self.objects.last_mut() {
            Some((other, seen)) if *other == object => *seen |= mask,
            _ => match self.objects.iter_mut().find(|(other, _)| *other == object) {
                Some((_, seen)) => *seen |= mask,
                None => self.objects.push((object, mask)),
            },
        }
    }

    /// Empties the set and keeps its buffers.
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
    fn new(kind: Kind, objects: usize) -> Self {
        match kind {
            Kind::Bool => Self::Bool(vec![false; objects]),
            Kind::Int => Self::Int(vec![0; objects]),
            Kind::Real => Self::Real(vec![0.0; objects]),
            Kind::Vec3 | Kind::Orientation => Self::Vec3(vec![DVec3::ZERO; objects]),
            Kind::Object => Self::Object(vec![None; objects]),
            Kind::Set => Self::Set(vec![ObjectSet::new(); objects]),
            Kind::Text => Self::Text(vec![Arc::from(""); objects]),
        }
    }

    /// Stores a value; says whether it differs from the one before.
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

/// One snapshot of a world: attribute values, stored facts and functions, and which objects are there.
///
/// An object is *present* once every required attribute of its types has a value. Conditions see present objects only.
#[derive(Debug, Clone)]
pub struct State {
    columns: Vec<Column>,
    known: Vec<FixedBitSet>,
    missing: Vec<u32>,
    present: FixedBitSet,
    facts: FxHashSet<(PredicateId, Arguments)>,
    fluents: FxHashMap<(FunctionId, Arguments), f64>,
}

impl State {
    /// The state before a recording begins: the world's fixed values, nothing else known.
    pub fn new(world: &World) -> Self {
        let objects = world.objects().len();
        let attributes = world.attributes();
        let mut state = Self {
            columns: attributes.iter().map(|a| Column::new(a.kind, objects)).collect(),
            known: vec![FixedBitSet::with_capacity(objects); attributes.len()],
            missing: world.object_ids().map(|o| world.required_attributes(o).0.count_ones()).collect(),
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

    /// Takes over one change; says whether the value differs from the one before.
    pub fn set(&mut self, world: &World, change: &Change) -> bool {
        let (attribute, object) = (change.attribute.index(), change.object.index());
        let first = !self.known[attribute].put(object);
        if first && world.required_attributes(change.object).intersects(AttributeMask::one(change.attribute)) {
            self.missing[object] -= 1;
            if self.missing[object] == 0 {
                self.present.insert(object);
            }
        }
        self.columns[attribute].set(object, &change.value) || first
    }

    /// Takes a delta over and collects what really changed.
    pub fn apply(&mut self, world: &World, delta: &Delta, changes: &mut ChangeSet) {
        for &object in &delta.removed {
            self.forget(world, object, changes);
        }
        for change in &delta.changes {
            let before = self.present.contains(change.object.index());
            if self.set(world, change) {
                changes.note(change.object, AttributeMask::one(change.attribute));
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

    fn forget(&mut self, world: &World, object: ObjectId, changes: &mut ChangeSet) {
        for attribute in (0..self.known.len()).map(AttributeId::from) {
            self.unset(world, object, attribute, changes);
        }
    }

    /// Takes the value of an attribute away.
    pub(crate) fn unset(&mut self, world: &World, object: ObjectId, attribute: AttributeId, changes: &mut ChangeSet) {
        let mask = AttributeMask::one(attribute);
        if !self.known(attribute, object) {
            return;
        }
        self.known[attribute.index()].set(object.index(), false);
        changes.note(object, mask);
        if world.required_attributes(object).intersects(mask) {
            self.missing[object.index()] += 1;
            if self.present.contains(object.index()) {
                self.present.set(object.index(), false);
                changes.presence.push(object);
            }
        }
    }

    /// Whether the object is there.
    pub fn present(&self, object: ObjectId) -> bool {
        self.present.contains(object.index())
    }

    /// Whether the attribute of the object has a value.
    pub fn known(&self, attribute: AttributeId, object: ObjectId) -> bool {
        self.known[attribute.index()].contains(object.index())
    }

    /// The value of an attribute; `None` while it has none.
    pub fn value(&self, attribute: AttributeId, object: ObjectId) -> Option<Value> {
        if !self.known(attribute, object) {
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

    /// Whether a stored fact holds.
    pub fn fact(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        self.facts.contains(&(predicate, Arguments::from_slice(arguments)))
    }

    /// All stored facts that hold, in no particular order.
    pub fn facts(&self) -> impl Iterator<Item = (PredicateId, &[ObjectId])> {
        self.facts.iter().map(|(predicate, arguments)| (*predicate, arguments.as_slice()))
    }

    /// The value of a stored function; `None` while it has none.
    pub fn fluent(&self, function: FunctionId, arguments: &[ObjectId]) -> Option<f64> {
        self.fluents.get(&(function, Arguments::from_slice(arguments))).copied()
    }
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $variant:ident -> $type:ty, |$slot:ident| $read:expr;)*) => {
        impl State {$(
            $(#[$doc])*
            ///
            /// `None` while the attribute has no value or is of another kind.
            pub fn $name(&self, attribute: AttributeId, object: ObjectId) -> Option<$type> {
                match &self.columns[attribute.index()] {
                    Column::$variant(column) if self.known(attribute, object) => {
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
    /// A truth value.
    bool: Bool -> bool, |slot| *slot;
    /// A whole number.
    int: Int -> i64, |slot| *slot;
    /// A real number.
    real: Real -> f64, |slot| *slot;
    /// A vector or orientation.
    vec3: Vec3 -> DVec3, |slot| *slot;
    /// A reference to an object; the inner `None` is "no object".
    object: Object -> Option<ObjectId>, |slot| *slot;
    /// A set of objects.
    set_of: Set -> &ObjectSet, |slot| slot;
    /// A text.
    text: Text -> &str, |slot| slot;
}
