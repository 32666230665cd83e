//! The parser of one state of a recorded play: the changed objects, the agent, the action.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::state::{AttributeChange, Delta};
use goalspec_core::value::{ObjectSet, Value, ValueKind};
use goalspec_core::world::recording::FieldMapping;
use goalspec_core::world::{RecordingFormat, World};
use rustc_hash::FxHashSet;

use super::corrector::Corrector;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{FieldSet, ScanProblem, Scanner, Stop, StringToken};
use crate::names::{NameSet, TextInterner};
use crate::pool::SetPool;

/// The nesting depth of the members of an object or of the agent within the file.
const MEMBER_DEPTH: u32 = 8;

/// The fields of a state that are read.
const STATE_FIELDS: [&str; 6] = ["objects", "agentState", "index", "originalIndex", "agentStateChanged", "action"];

type Scan<T> = std::result::Result<T, Stop>;

/// A parser of states. One parser serves a whole recording, so that its tables and buffers are allocated once.
pub(super) struct StateParser<'w> {
    world: &'w World,
    agent: Option<ObjectId>,
    object_fields: Fields,
    agent_fields: Fields,
    ignored: FxHashSet<&'w str>,
    corrector: Corrector<'w>,
    actions: ActionEncoder,
    pool: SetPool,
    /// The content of the current state that is not in the delta.
    current: PendingState,
    /// A buffer for the changes of one object or of the agent.
    scratch: Vec<AttributeChange>,
    /// The agent's changes; they follow those of the objects.
    agent_changes: Vec<AttributeChange>,
    /// For each object, the number of the state that last mentioned it, counted from 1; 0 if none did.
    mentioned_in: Vec<u64>,
    known: u64,
    foreign: NameSet,
    unknown_references: NameSet,
    failed_field: Option<String>,
}

/// The content of the state being read that is not in the delta.
#[derive(Default)]
struct PendingState {
    index: Option<u64>,
    clock: Option<u64>,
    described: bool,
    agent_changed: Option<bool>,
    agent_described: bool,
    foreign: Vec<String>,
    unknown_references: Vec<String>,
    /// The objects with corrections, each with the start and end of its changes in the delta.
    to_correct: Vec<(ObjectId, usize, usize)>,
}

impl<'w> StateParser<'w> {
    pub(super) fn new(world: &'w World, recording: &'w RecordingFormat) -> Self {
        Self {
            world,
            agent: recording.agent,
            object_fields: Fields::new(world, &recording.object_fields),
            agent_fields: Fields::new(world, &recording.agent_fields),
            ignored: recording.ignored.iter().map(|name| &**name).collect(),
            corrector: Corrector::new(recording),
            actions: ActionEncoder::default(),
            pool: SetPool::default(),
            current: PendingState::default(),
            scratch: Vec::new(),
            agent_changes: Vec::new(),
            mentioned_in: vec![0; world.objects().len()],
            known: 0,
            foreign: NameSet::default(),
            unknown_references: NameSet::default(),
            failed_field: None,
        }
    }

    /// Returns the number of mentions of objects of the world.
    pub(super) fn known_mentions(&self) -> u64 {
        self.known
    }

    /// Returns the mentioned objects that are not in the world.
    pub(super) fn foreign(&self) -> &NameSet {
        &self.foreign
    }

    /// Returns the names in values that refer to no object of the world.
    pub(super) fn unknown_references(&self) -> &NameSet {
        &self.unknown_references
    }

    /// Returns the field whose value was being read when the parser stopped.
    pub(super) fn failed_field(&self) -> Option<&str> {
        self.failed_field.as_deref()
    }

    /// Reads one state into `delta`. May be called again on the same state if the text in memory did not suffice.
    pub(super) fn parse(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Scan<()> {
        self.pool.clear(delta);
        self.current = PendingState::default();
        self.agent_changes.clear();
        self.failed_field = None;
        let start = scanner.position();
        let mut seen = FieldSet::default();
        let mut has_more = scanner.object()?;
        while has_more {
            let token = scanner.key()?;
            let key = scanner.decode_key(token)?;
            if STATE_FIELDS.iter().position(|field| *field == key).is_some_and(|field| !seen.insert(field)) {
                return scanner.duplicate_field(token);
            }
            match &*key {
                "objects" => self.objects(scanner, delta)?,
                "agentState" => self.agent(scanner)?,
                "index" => self.current.index = Some(self.count(scanner, &key)?),
                "originalIndex" => self.current.clock = Some(self.count(scanner, &key)?),
                "agentStateChanged" => {
                    let changed = scanner.bool();
                    self.current.agent_changed = Some(self.named(changed, &key)?);
                }
                "action" => {
                    let action = self.actions.read(scanner);
                    delta.action = self.named(action, &key)?;
                }
                _ => scanner.skip(MEMBER_DEPTH)?,
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        if !self.current.described {
            return scanner.stop(start, ScanProblem::Missing("objects"));
        }
        Ok(())
    }

    /// Commits the state that was parsed last: the effects that must happen only once.
    pub(super) fn commit(&mut self, delta: &mut Delta, position: u64) -> Result<()> {
        delta.index = self.current.index.unwrap_or(position);
        delta.clock = self.current.clock.unwrap_or(delta.index);
        delta.unknown_objects = self.current.foreign.len() as u32;
        self.known += delta.listed_objects.len() as u64;
        self.foreign.extend(self.current.foreign.drain(..));
        self.unknown_references.extend(self.current.unknown_references.drain(..));
        self.correct(delta, position)?;
        // An object that is listed twice in one state is mentioned once.
        let mentioned_in = &mut self.mentioned_in;
        delta
            .listed_objects
            .retain(|object| std::mem::replace(&mut mentioned_in[object.index()], position + 1) <= position);
        if let Some(agent) = self.agent
            && self.current.agent_changed.unwrap_or(self.current.agent_described)
        {
            delta.listed_objects.push(agent);
            delta.changes.append(&mut self.agent_changes);
        }
        Ok(())
    }

    fn correct(&mut self, delta: &mut Delta, position: u64) -> Result<()> {
        for (object, start, end) in std::mem::take(&mut self.current.to_correct) {
            self.scratch.clear();
            self.scratch.extend_from_slice(&delta.changes[start..end]);
            self.corrector.correct(object, &mut self.scratch).map_err(|attribute| {
                let (object, attribute) = (self.world.object_decl(object), &self.world.attributes()[attribute.index()]);
                let message = format!(
                    "object `{}` has no `{}` up to state {}, but a correction of world `{}` requires it",
                    object.id,
                    attribute.name,
                    position + 1,
                    self.world.name()
                );
                TraceError::new(codes::MISSING_FIELD, message)
            })?;
            let added = self.scratch.split_off(end - start);
            delta.changes[start..end].clone_from_slice(&self.scratch);
            delta.changes.extend(added);
        }
        Ok(())
    }

    fn objects(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Scan<()> {
        self.current.described = true;
        let list = scanner.list();
        let mut has_more = self.named(list, "objects")?;
        while has_more {
            self.object(scanner, delta)?;
            has_more = scanner.has_next_element(b']')?;
        }
        Ok(())
    }

    fn object(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Scan<()> {
        let start = scanner.position();
        let mut id: Option<StringToken<'_>> = None;
        self.scratch.clear();
        let mut seen = FieldSet::default();
        let mut has_more = scanner.object()?;
        while has_more {
            let token = scanner.key()?;
            if token.raw == b"objectId" {
                if id.is_some() {
                    return scanner.duplicate_field(token);
                }
                let text = scanner.string();
                id = Some(self.named(text, "objectId")?);
            } else {
                let field = self.object_fields.find(token);
                self.member(scanner, token, field, &mut seen)?;
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        let Some(id) = id else { return scanner.stop(start, ScanProblem::Missing("objectId")) };
        let id = scanner.decode(id)?;
        let Some(object) = self.world.object_with_recorded_name(&id) else {
            self.current.foreign.push(id.into_owned());
            return Ok(());
        };
        let from = delta.changes.len();
        delta.listed_objects.push(object);
        delta.changes.extend(self.scratch.drain(..).map(|change| AttributeChange { object, ..change }));
        if self.corrector.concerns(object) {
            self.current.to_correct.push((object, from, delta.changes.len()));
        }
        Ok(())
    }

    fn agent(&mut self, scanner: &mut Scanner<'_>) -> Scan<()> {
        self.current.described = true;
        self.scratch.clear();
        if scanner.null()? {
            return Ok(());
        }
        let object = scanner.object();
        let mut has_more = self.named(object, "agentState")?;
        self.current.agent_described = has_more;
        let mut seen = FieldSet::default();
        while has_more {
            let token = scanner.key()?;
            let field = self.agent_fields.find(token);
            self.member(scanner, token, field, &mut seen)?;
            has_more = scanner.has_next_element(b'}')?;
        }
        let agent = self.agent.unwrap_or(ObjectId(0));
        self.agent_changes.clear();
        self.agent_changes.extend(self.scratch.drain(..).map(|change| AttributeChange { object: agent, ..change }));
        Ok(())
    }

    /// Reads the value of a member into the scratch buffer, or skips it.
    fn member<'t>(
        &mut self,
        scanner: &mut Scanner<'t>,
        name: StringToken<'t>,
        field: Option<(usize, AttributeId, ValueKind)>,
        seen: &mut FieldSet,
    ) -> Scan<()> {
        let Some((place, attribute, kind)) = field else { return scanner.skip(MEMBER_DEPTH) };
        if !seen.insert(place) {
            return scanner.duplicate_field(name);
        }
        let value = self
            .value(scanner, kind)
            .inspect_err(|_| self.failed_field = Some(String::from_utf8_lossy(name.raw).into_owned()))?;
        match self.scratch.iter_mut().find(|change| change.attribute == attribute) {
            Some(change) => change.value = value,
            None => self.scratch.push(AttributeChange { object: ObjectId(0), attribute, value }),
        }
        Ok(())
    }

    fn value(&mut self, scanner: &mut Scanner<'_>, kind: ValueKind) -> Scan<Value> {
        Ok(match kind {
            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3(vec3(scanner)?),
            ValueKind::Bool => Value::Bool(scanner.bool()?),
            ValueKind::Real => Value::Real(scanner.number()?.value),
            ValueKind::Int => Value::Int(whole_number(scanner)?),
            ValueKind::Text => Value::Text(Arc::from(&*scanner.text()?)),
            ValueKind::Object => Value::Object(self.reference(scanner)?),
            ValueKind::Set => Value::Set(self.references(scanner)?),
        })
    }

    /// Reads the name of an object; the empty name means no object.
    fn reference(&mut self, scanner: &mut Scanner<'_>) -> Scan<Option<ObjectId>> {
        let name = scanner.text()?;
        if name.is_empty() {
            return Ok(None);
        }
        let object = self.world.object_with_recorded_name(&name);
        if object.is_none() && !self.ignored.contains(&*name) {
            self.current.unknown_references.push(name.into_owned());
        }
        Ok(object)
    }

    fn references(&mut self, scanner: &mut Scanner<'_>) -> Scan<ObjectSet> {
        let mut set = self.pool.set();
        let mut has_more = scanner.list()?;
        while has_more {
            set.extend(self.reference(scanner)?);
            has_more = scanner.has_next_element(b']')?;
        }
        set.sort_unstable();
        set.dedup();
        Ok(set)
    }

    fn count(&mut self, scanner: &mut Scanner<'_>, field: &str) -> Scan<u64> {
        let position = scanner.position();
        let number = whole_number(scanner);
        let count = match number.map(u64::try_from) {
            Ok(Ok(count)) => Ok(count),
            Ok(Err(_)) => scanner.stop(position, ScanProblem::WrongType("a non-negative integer")),
            Err(Stop) => Err(Stop),
        };
        self.named(count, field)
    }

    /// Records the name of the field for the error message if reading it failed.
    fn named<T>(&mut self, result: Scan<T>, field: &str) -> Scan<T> {
        if result.is_err() {
            self.failed_field = Some(field.to_owned());
        }
        result
    }
}

fn vec3(scanner: &mut Scanner<'_>) -> Scan<DVec3> {
    const EXPECTED: &str = "an object with the numbers `x`, `y` and `z`";
    if scanner.peek()? != b'{' {
        return scanner.stop(scanner.position(), ScanProblem::WrongType(EXPECTED));
    }
    let start = scanner.position();
    let mut vector = [None; 3];
    let mut has_more = scanner.object()?;
    while has_more {
        let axis = match scanner.key()?.raw {
            b"x" => 0,
            b"y" => 1,
            b"z" => 2,
            _ => {
                scanner.skip(MEMBER_DEPTH)?;
                has_more = scanner.has_next_element(b'}')?;
                continue;
            }
        };
        if vector[axis].replace(scanner.number()?.value).is_some() {
            return scanner.stop(start, ScanProblem::DuplicateField);
        }
        has_more = scanner.has_next_element(b'}')?;
    }
    match vector {
        [Some(x), Some(y), Some(z)] => Ok(DVec3::new(x, y, z)),
        _ => scanner.stop(start, ScanProblem::WrongType(EXPECTED)),
    }
}

fn whole_number(scanner: &mut Scanner<'_>) -> Scan<i64> {
    scanner.peek()?;
    let position = scanner.position();
    match scanner.number()?.whole() {
        Some(number) => Ok(number),
        None => scanner.stop(position, ScanProblem::WrongType("an integer")),
    }
}

/// The fields that are read, indexed by length and then by name.
struct Fields {
    by_length: Vec<Vec<KnownField>>,
}

/// The name of a field, its position among the fields, and the attribute and kind of its value.
type KnownField = (Box<[u8]>, usize, AttributeId, ValueKind);

impl Fields {
    fn new(world: &World, fields: &[FieldMapping]) -> Self {
        let longest = fields.iter().map(|field| field.member.len()).max().unwrap_or(0);
        let mut by_length = vec![Vec::new(); longest + 1];
        for (place, field) in fields.iter().enumerate() {
            let kind = world.attributes()[field.attribute.index()].kind;
            by_length[field.member.len()].push((field.member.as_bytes().into(), place, field.attribute, kind));
        }
        Self { by_length }
    }

    fn find(&self, token: StringToken<'_>) -> Option<(usize, AttributeId, ValueKind)> {
        if token.escaped {
            let name = token.resolve()?;
            return self.find(StringToken { raw: name.as_bytes(), escaped: false });
        }
        let same_length = self.by_length.get(token.raw.len())?;
        let found = same_length.iter().find(|(name, ..)| **name == *token.raw);
        found.map(|&(_, place, attribute, kind)| (place, attribute, kind))
    }
}

/// An encoder of actions as short texts: the action's name and the object it was applied to.
#[derive(Default)]
struct ActionEncoder {
    known: TextInterner,
    text: String,
}

impl ActionEncoder {
    fn read(&mut self, scanner: &mut Scanner<'_>) -> Scan<Option<Arc<str>>> {
        if scanner.null()? {
            return Ok(None);
        }
        let (mut action, mut object) = (None, None);
        let mut has_more = scanner.object()?;
        while has_more {
            match scanner.key()?.raw {
                b"action" if action.is_some() => return scanner.stop(scanner.position(), ScanProblem::DuplicateField),
                b"objectId" if object.is_some() => {
                    return scanner.stop(scanner.position(), ScanProblem::DuplicateField);
                }
                b"action" => action = Some(scanner.text()?),
                b"objectId" => object = Some(scanner.text()?),
                _ => scanner.skip(MEMBER_DEPTH)?,
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        let Some(action) = action.filter(|action| !action.is_empty()) else { return Ok(None) };
        self.text.clear();
        self.text.push_str(&action);
        if let Some(object) = object.filter(|object| !object.is_empty()) {
            self.text.push(' ');
            self.text.push_str(&object);
        }
        Ok(Some(self.known.share(&self.text)))
    }
}
