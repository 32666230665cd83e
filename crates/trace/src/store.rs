//! A whole trace in memory, stored in columns.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange};
use goalspec_core::value::{ObjectSet, Value, ValueKind};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHasher};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::pool::SetPool;
use crate::reader::{Decoder, Format, Header, TraceReader};
use crate::source::Compression;

/// The states of a trace in memory, each stored as its difference from the previous one.
///
/// A value that was recorded again unchanged is not stored again. The list of objects that the recording mentions in each state is kept.
#[derive(Debug, Clone)]
pub struct Trace {
    header: Header,
    /// The [fingerprint](world_fingerprint) of the world.
    world: u64,
    remarks: Vec<Diagnostic>,
    kinds: Box<[ValueKind]>,
    rows: Vec<Row>,
    mentioned: Vec<ObjectId>,
    /// The object and attribute of each change. Its value is the next one in the column of the attribute's kind.
    changed: Vec<(ObjectId, AttributeId)>,
    columns: Columns,
    sets: Vec<ObjectSet>,
    texts: Vec<Arc<str>>,
    facts: Vec<FactChange>,
    fluents: Vec<FluentChange>,
    removed: Vec<ObjectId>,
}

/// One state: its index, clock, time and action, and the ends of its parts of the lists.
#[derive(Debug, Clone)]
struct Row {
    index: u64,
    clock: u64,
    time: Option<f64>,
    action: Option<u32>,
    foreign: u32,
    ends: Ends,
}

#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    mentioned: usize,
    changed: usize,
    facts: usize,
    fluents: usize,
    removed: usize,
}

/// The changed values by kind, in the order of the changes.
#[derive(Debug, Clone, Default)]
struct Columns {
    bools: Vec<bool>,
    ints: Vec<i64>,
    reals: Vec<f64>,
    vectors: Vec<DVec3>,
    objects: Vec<Option<ObjectId>>,
    sets: Vec<u32>,
    texts: Vec<u32>,
}

impl Trace {
    /// Reads a trace to its end into memory.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    pub fn read(reader: &mut (impl TraceReader + ?Sized), world: &World) -> Result<Self> {
        let mut builder = ColumnBuilder::new(world);
        let mut delta = Delta::default();
        while reader.next(&mut delta)? {
            builder.push(&delta);
        }
        let mut trace = builder.finish();
        trace.header = reader.header().clone();
        trace.remarks = reader.diagnostics();
        Ok(trace)
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the metadata of the trace.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns a reader of the states from the first one.
    pub fn cursor(&self) -> Cursor<&Self> {
        Cursor::new(self)
    }

    /// Whether the trace is of this world: whether the world has the same name, objects, attributes, predicates and functions as the one
    /// that the trace was built for.
    pub fn is_of(&self, world: &World) -> bool {
        self.world == world_fingerprint(world)
    }

    /// Returns the memory used by the states, in bytes.
    pub fn memory_bytes(&self) -> usize {
        fn of<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        let columns = &self.columns;
        let heap_bytes: usize = self.sets.iter().filter(|set| set.spilled()).map(|set| set.capacity() * 4).sum();
        let texts: usize = self.texts.iter().map(|text| text.len()).sum();
        of(&self.rows)
            + of(&self.mentioned)
            + of(&self.changed)
            + of(&self.facts)
            + of(&self.fluents)
            + of(&self.removed)
            + of(&columns.bools)
            + of(&columns.ints)
            + of(&columns.reals)
            + of(&columns.vectors)
            + of(&columns.objects)
            + of(&columns.sets)
            + of(&columns.texts)
            + of(&self.sets)
            + of(&self.texts)
            + heap_bytes
            + texts
    }
}

/// A builder that collects states into a [`Trace`], and checks that they are of its world and in order.
#[derive(Debug)]
pub struct TraceBuilder {
    world: Arc<World>,
    columns: ColumnBuilder,
}

impl TraceBuilder {
    /// Creates a builder for a trace of a world, without states.
    pub fn new(world: Arc<World>) -> Self {
        Self { columns: ColumnBuilder::new(&world), world }
    }

    /// Appends a state of the world, given as its differences from the previous one. Its index and its clock must be greater than those of
    /// the previous state.
    ///
    /// # Errors
    /// If the state is not of the world, or not after the previous one. The trace is then unchanged.
    pub fn push(&mut self, delta: &Delta) -> Result<()> {
        delta.check(&self.world).map_err(|error| TraceError::new(codes::NOT_OF_WORLD, error.to_string()))?;
        if let Some(Row { index, clock, .. }) = self.columns.trace.rows.last()
            && (delta.index <= *index || delta.clock <= *clock)
        {
            let message = format!(
                "the state with index {} and clock {} is not after the state with index {index} and clock {clock}",
                delta.index, delta.clock
            );
            return Err(TraceError::new(codes::ORDER, message));
        }
        self.columns.push(delta);
        Ok(())
    }

    /// Returns the trace, with unused capacity released.
    pub fn finish(self) -> Trace {
        self.columns.finish()
    }
}

/// A builder of the columns of a trace from states that are known to be of its world and in order.
#[derive(Debug)]
pub(crate) struct ColumnBuilder {
    trace: Trace,
    /// The last value of each attribute of each object, at index `object * attributes + attribute`.
    last: Vec<Option<Value>>,
    set_ids: FxHashMap<ObjectSet, u32>,
    text_ids: FxHashMap<Arc<str>, u32>,
}

impl ColumnBuilder {
    /// Creates a builder without states.
    pub(crate) fn new(world: &World) -> Self {
        let header = Header { world: Some(world.name().to_owned()), ..Header::new(Format::Memory, Compression::None) };
        let kinds: Box<[ValueKind]> = world.attributes().iter().map(|attribute| attribute.kind).collect();
        Self {
            last: vec![None; world.objects().len() * kinds.len()],
            trace: Trace {
                header,
                world: world_fingerprint(world),
                remarks: Vec::new(),
                kinds,
                rows: Vec::new(),
                mentioned: Vec::new(),
                changed: Vec::new(),
                columns: Columns::default(),
                sets: Vec::new(),
                texts: Vec::new(),
                facts: Vec::new(),
                fluents: Vec::new(),
                removed: Vec::new(),
            },
            set_ids: FxHashMap::default(),
            text_ids: FxHashMap::default(),
        }
    }

    /// Appends a state.
    pub(crate) fn push(&mut self, delta: &Delta) {
        let width = self.trace.kinds.len();
        for object in &delta.removed {
            self.last[object.index() * width..][..width].fill(None);
        }
        for change in &delta.changes {
            let last = &mut self.last[change.object.index() * width + change.attribute.index()];
            if last.as_ref().is_some_and(|last| same(last, &change.value)) {
                continue;
            }
            *last = Some(change.value.clone());
            self.trace.changed.push((change.object, change.attribute));
            self.value(&change.value);
        }
        let action = delta.action.as_ref().map(|action| self.text(action));
        let trace = &mut self.trace;
        trace.mentioned.extend_from_slice(&delta.listed_objects);
        trace.facts.extend_from_slice(&delta.facts);
        trace.fluents.extend_from_slice(&delta.fluents);
        trace.removed.extend_from_slice(&delta.removed);
        trace.rows.push(Row {
            index: delta.index,
            clock: delta.clock,
            time: delta.time,
            action,
            foreign: delta.unknown_objects,
            ends: Ends {
                mentioned: trace.mentioned.len(),
                changed: trace.changed.len(),
                facts: trace.facts.len(),
                fluents: trace.fluents.len(),
                removed: trace.removed.len(),
            },
        });
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bool(value) => self.trace.columns.bools.push(*value),
            Value::Int(value) => self.trace.columns.ints.push(*value),
            Value::Real(value) => self.trace.columns.reals.push(*value),
            Value::Vec3(value) => self.trace.columns.vectors.push(*value),
            Value::Object(value) => self.trace.columns.objects.push(*value),
            Value::Set(value) => {
                let sets = &mut self.trace.sets;
                let known = self.set_ids.get(value).copied();
                let id = known.unwrap_or(sets.len() as u32);
                if known.is_none() {
                    sets.push(value.clone());
                    self.set_ids.insert(value.clone(), id);
                }
                self.trace.columns.sets.push(id);
            }
            Value::Text(value) => {
                let id = self.text(value);
                self.trace.columns.texts.push(id);
            }
        }
    }

    fn text(&mut self, text: &Arc<str>) -> u32 {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = self.trace.texts.len() as u32;
        self.trace.texts.push(text.clone());
        self.text_ids.insert(text.clone(), id);
        id
    }

    /// Returns the trace, with unused capacity released.
    pub(crate) fn finish(self) -> Trace {
        let mut trace = self.trace;
        trace.rows.shrink_to_fit();
        trace.mentioned.shrink_to_fit();
        trace.changed.shrink_to_fit();
        trace.facts.shrink_to_fit();
        trace.fluents.shrink_to_fit();
        trace.removed.shrink_to_fit();
        let columns = &mut trace.columns;
        columns.bools.shrink_to_fit();
        columns.ints.shrink_to_fit();
        columns.reals.shrink_to_fit();
        columns.vectors.shrink_to_fit();
        columns.objects.shrink_to_fit();
        columns.sets.shrink_to_fit();
        columns.texts.shrink_to_fit();
        trace
    }
}

/// Returns a hash of the names and kinds by which the ids of a world are interpreted.
pub(crate) fn world_fingerprint(world: &World) -> u64 {
    let mut hasher = FxHasher::default();
    world.name().hash(&mut hasher);
    world.objects().iter().for_each(|object| object.id.hash(&mut hasher));
    world.attributes().iter().for_each(|attribute| (&attribute.name, attribute.kind.name()).hash(&mut hasher));
    for predicate in world.predicates() {
        (&predicate.name, predicate.parameters.len()).hash(&mut hasher);
    }
    for function in world.functions() {
        (&function.name, function.parameters.len()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether two values are bitwise equal, so that omitting the second one changes nothing.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Real(one), Value::Real(other)) => one.to_bits() == other.to_bits(),
        (Value::Vec3(one), Value::Vec3(other)) => {
            one.to_array().map(f64::to_bits) == other.to_array().map(f64::to_bits)
        }
        _ => one == other,
    }
}

/// A reader of the states of a [`Trace`]. It refills one [`Delta`] and does not allocate once the buffers have grown.
#[derive(Debug, Clone)]
pub struct Cursor<T> {
    trace: T,
    row: usize,
    /// The ends of the previous state's parts of the lists.
    ends: Ends,
    at: Positions,
    pool: SetPool,
}

/// The index of the next value of each column.
#[derive(Debug, Clone, Copy, Default)]
struct Positions {
    bools: usize,
    ints: usize,
    reals: usize,
    vectors: usize,
    objects: usize,
    sets: usize,
    texts: usize,
}

impl<T: Deref<Target = Trace>> Cursor<T> {
    /// Creates a reader of a trace before its first state.
    pub fn new(trace: T) -> Self {
        Self { trace, row: 0, ends: Ends::default(), at: Positions::default(), pool: SetPool::default() }
    }

    /// Returns another reader of the same trace at the same place.
    #[must_use]
    pub fn fork(&self) -> Self
    where
        T: Clone,
    {
        Self { trace: self.trace.clone(), row: self.row, ends: self.ends, at: self.at, pool: SetPool::default() }
    }

    fn value(&mut self, kind: ValueKind) -> Value {
        fn next(position: &mut usize) -> usize {
            *position += 1;
            *position - 1
        }
        let (trace, at) = (&*self.trace, &mut self.at);
        let columns = &trace.columns;
        match kind {
            ValueKind::Bool => Value::Bool(columns.bools[next(&mut at.bools)]),
            ValueKind::Int => Value::Int(columns.ints[next(&mut at.ints)]),
            ValueKind::Real => Value::Real(columns.reals[next(&mut at.reals)]),
            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3(columns.vectors[next(&mut at.vectors)]),
            ValueKind::Object => Value::Object(columns.objects[next(&mut at.objects)]),
            ValueKind::Set => {
                let stored = &trace.sets[columns.sets[next(&mut at.sets)] as usize];
                if !stored.spilled() {
                    return Value::Set(stored.clone());
                }
                let mut set = self.pool.set();
                set.extend_from_slice(stored);
                Value::Set(set)
            }
            ValueKind::Text => Value::Text(trace.texts[columns.texts[next(&mut at.texts)] as usize].clone()),
        }
    }
}

impl<T: Deref<Target = Trace>> TraceReader for Cursor<T> {
    fn header(&self) -> &Header {
        &self.trace.header
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        self.pool.clear(delta);
        let Some(row) = self.trace.rows.get(self.row).cloned() else { return Ok(false) };
        let (from, to) = (std::mem::replace(&mut self.ends, row.ends), row.ends);
        for place in from.changed..to.changed {
            let (object, attribute) = self.trace.changed[place];
            let value = self.value(self.trace.kinds[attribute.index()]);
            delta.changes.push(AttributeChange { object, attribute, value });
        }
        let trace = &*self.trace;
        delta.index = row.index;
        delta.clock = row.clock;
        delta.time = row.time;
        delta.action = row.action.map(|action| trace.texts[action as usize].clone());
        delta.unknown_objects = row.foreign;
        delta.listed_objects.extend_from_slice(&trace.mentioned[from.mentioned..to.mentioned]);
        delta.facts.extend_from_slice(&trace.facts[from.facts..to.facts]);
        delta.fluents.extend_from_slice(&trace.fluents[from.fluents..to.fluents]);
        delta.removed.extend_from_slice(&trace.removed[from.removed..to.removed]);
        self.row += 1;
        Ok(true)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.trace.remarks.clone()
    }
}

impl Decoder for Cursor<Arc<Trace>> {
    fn header(&self) -> &Header {
        TraceReader::header(self)
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        TraceReader::next(self, delta)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        TraceReader::diagnostics(self)
    }

    /// Returns the number of states read: a trace in memory has no bytes of text.
    fn offset(&self) -> u64 {
        self.row as u64
    }
}
