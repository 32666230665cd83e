//! The parser of one state of a recorded play: the changed objects, the agent, the action.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::state::{AttributeChange, Delta};
use goalspec_core::value::{ObjectSet, Value, ValueKind};
use goalspec_core::world::{RecordingFormat, World};
use rustc_hash::FxHashSet;

use super::corrector::Corrector;
use super::members::{Field, Members, Name, Role};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{FieldSet, ScanProblem, Scanner, Stop, StringToken, number};
use crate::names::{NameSet, TextInterner};
use crate::pool::SetPool;

/// The nesting depth of the members of an object or of the agent within the file.
const MEMBER_DEPTH: u32 = 8;

/// A field of a state that is read.
#[derive(Clone, Copy)]
enum StateField {
    Objects,
    Agent,
    Index,
    Clock,
    AgentChanged,
    Action,
}

impl StateField {
    fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"objects" => Self::Objects,
            b"agentState" => Self::Agent,
            b"index" => Self::Index,
            b"originalIndex" => Self::Clock,
            b"agentStateChanged" => Self::AgentChanged,
            b"action" => Self::Action,
            _ => return None,
        })
    }
}

type Scan<T> = std::result::Result<T, Stop>;

/// A parser of states. One parser serves a whole recording, so that its tables and buffers are allocated once.
pub(super) struct StateParser<'w> {
    world: &'w World,
    agent: Option<ObjectId>,
    object_members: Members,
    agent_members: Members,
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

/// The name of a listed object: an object of the world, or a text.
enum Mention<'t> {
    Known(ObjectId),
    Text(StringToken<'t>),
}

/// A listed part of a state: an object, by its place in the list, or the agent.
#[derive(Clone, Copy)]
enum Listing {
    Object(usize),
    Agent,
}

impl<'w> StateParser<'w> {
    pub(super) fn new(world: &'w World, recording: &'w RecordingFormat) -> Self {
        Self {
            world,
            agent: recording.agent,
            object_members: Members::new(world, Some("objectId"), &recording.object_fields),
            agent_members: Members::new(world, None, &recording.agent_fields),
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
            let mut field = StateField::of_name(token.raw);
            if field.is_none() {
                let key = scanner.decode_key(token)?;
                field = StateField::of_name(key.as_bytes());
            }
            if field.is_some_and(|field| !seen.insert(field as usize)) {
                return scanner.duplicate_field(token);
            }
            match field {
                Some(StateField::Objects) => self.objects(scanner, delta)?,
                Some(StateField::Agent) => self.agent(scanner)?,
                Some(StateField::Index) => self.current.index = Some(self.count(scanner, "index")?),
                Some(StateField::Clock) => self.current.clock = Some(self.count(scanner, "originalIndex")?),
                Some(StateField::AgentChanged) => {
                    let changed = scanner.bool();
                    self.current.agent_changed = Some(self.named(changed, "agentStateChanged")?);
                }
                Some(StateField::Action) => {
                    let action = self.actions.read(scanner);
                    delta.action = self.named(action, "action")?;
                }
                None => scanner.skip(MEMBER_DEPTH)?,
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
        let mut place = 0;
        while has_more {
            self.object(scanner, place, delta)?;
            has_more = scanner.has_next_element(b']')?;
            place += 1;
        }
        Ok(())
    }

    /// Reads the object at a place in the list of objects.
    fn object(&mut self, scanner: &mut Scanner<'_>, place: usize, delta: &mut Delta) -> Scan<()> {
        let start = scanner.position();
        let mut id: Option<Mention<'_>> = None;
        self.scratch.clear();
        let mut seen = FieldSet::default();
        let mut has_more = scanner.object()?;
        while has_more {
            let name = self.object_members.read_name(scanner)?;
            match name.role {
                Role::Id if id.is_some() => return scanner.duplicate_field(name.token),
                Role::Id => id = Some(self.id(scanner, place, name)?),
                Role::Read(field) => self.field(scanner, Listing::Object(place), name, field, &mut seen)?,
                Role::Skipped => self.skipped(scanner, Listing::Object(place), name)?,
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        let object = match id {
            None => return scanner.stop(start, ScanProblem::Missing("objectId")),
            Some(Mention::Known(object)) => object,
            Some(Mention::Text(token)) => {
                let text = scanner.decode(token)?;
                self.current.foreign.push(text.into_owned());
                return Ok(());
            }
        };
        let from = delta.changes.len();
        delta.listed_objects.push(object);
        delta.changes.extend(self.scratch.drain(..).map(|change| AttributeChange { object, ..change }));
        if self.corrector.concerns(object) {
            self.current.to_correct.push((object, from, delta.changes.len()));
        }
        Ok(())
    }

    /// Reads the name of a listed object. A name that is not valid is reported after the other members.
    fn id<'t>(&mut self, scanner: &mut Scanner<'t>, place: usize, name: Name<'_>) -> Scan<Mention<'t>> {
        let first = scanner.peek();
        self.named(first, "objectId")?;
        if let Some(Some(&Value::Object(Some(object)))) = self.object_members.reread(scanner, place, name) {
            return Ok(Mention::Known(object));
        }
        let start = scanner.position();
        let token = scanner.string();
        let token = self.named(token, "objectId")?;
        let Some(object) = token.resolve().and_then(|id| self.world.object_with_recorded_name(&id)) else {
            return Ok(Mention::Text(token));
        };
        self.object_members.remember(scanner, start, place, name, Some(&Value::Object(Some(object))));
        Ok(Mention::Known(object))
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
            let name = self.agent_members.read_name(scanner)?;
            match name.role {
                Role::Read(field) => self.field(scanner, Listing::Agent, name, field, &mut seen)?,
                Role::Id | Role::Skipped => self.skipped(scanner, Listing::Agent, name)?,
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        let agent = self.agent.unwrap_or(ObjectId(0));
        self.agent_changes.clear();
        self.agent_changes.extend(self.scratch.drain(..).map(|change| AttributeChange { object: agent, ..change }));
        Ok(())
    }

    /// Returns the members of a listing, and the place under which their values are remembered.
    fn members(&mut self, listing: Listing) -> (&mut Members, usize) {
        match listing {
            Listing::Object(place) => (&mut self.object_members, place),
            Listing::Agent => (&mut self.agent_members, 0),
        }
    }

    /// Skips the value of a member.
    fn skipped(&mut self, scanner: &mut Scanner<'_>, listing: Listing, name: Name<'_>) -> Scan<()> {
        let (members, place) = self.members(listing);
        scanner.peek()?;
        if members.reread(scanner, place, name).is_none() {
            let start = scanner.position();
            scanner.skip(MEMBER_DEPTH)?;
            members.remember(scanner, start, place, name, None);
        }
        Ok(())
    }

    /// Reads the value of a field into the scratch buffer.
    fn field<'t>(
        &mut self,
        scanner: &mut Scanner<'t>,
        listing: Listing,
        name: Name<'t>,
        field: Field,
        seen: &mut FieldSet,
    ) -> Scan<()> {
        if !seen.insert(field.place) {
            return scanner.duplicate_field(name.token);
        }
        let value = self
            .remembered_or_read(scanner, listing, name, field.kind)
            .inspect_err(|_| self.failed_field = Some(String::from_utf8_lossy(name.token.raw).into_owned()))?;
        let attribute = field.attribute;
        if field.is_shared
            && let Some(change) = self.scratch.iter_mut().find(|change| change.attribute == attribute)
        {
            change.value = value;
        } else {
            self.scratch.push(AttributeChange { object: ObjectId(0), attribute, value });
        }
        Ok(())
    }

    fn remembered_or_read(
        &mut self,
        scanner: &mut Scanner<'_>,
        listing: Listing,
        name: Name<'_>,
        kind: ValueKind,
    ) -> Scan<Value> {
        scanner.peek()?;
        let (members, place) = match listing {
            Listing::Object(place) => (&self.object_members, place),
            Listing::Agent => (&self.agent_members, 0),
        };
        match members.reread(scanner, place, name) {
            Some(Some(Value::Set(known))) => {
                let mut set = self.pool.set();
                set.extend_from_slice(known);
                return Ok(Value::Set(set));
            }
            Some(Some(value)) => return Ok(value.clone()),
            _ => {}
        }
        let start = scanner.position();
        let unknown = self.current.unknown_references.len();
        let value = self.value(scanner, kind)?;
        // Unknown references are reported for every state.
        if self.current.unknown_references.len() == unknown {
            let (members, place) = self.members(listing);
            members.remember(scanner, start, place, name, Some(&value));
        }
        Ok(value)
    }

    fn value(&mut self, scanner: &mut Scanner<'_>, kind: ValueKind) -> Scan<Value> {
        Ok(match kind {
            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3(match compact_vec3(scanner.rest()) {
                Some((vector, length)) => {
                    scanner.advance(length);
                    vector
                }
                None => vec3(scanner)?,
            }),
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

    /// Forgets the members and values read before, so that the next state is parsed in full.
    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        self.object_members.forget();
        self.agent_members.forget();
    }

    /// Records the name of the field for the error message if reading it failed.
    fn named<T>(&mut self, result: Scan<T>, field: &str) -> Scan<T> {
        if result.is_err() {
            self.failed_field = Some(field.to_owned());
        }
        result
    }
}

/// Returns the vector at the start of a text and its length, if it has no white space and nothing but its axes. `None` for any other text,
/// valid or not.
fn compact_vec3(text: &[u8]) -> Option<(DVec3, usize)> {
    let mut rest = text.strip_prefix(b"{")?;
    let mut vector = [None; 3];
    for end in [b',', b',', b'}'] {
        let &[b'"', axis @ b'x'..=b'z', b'"', b':', ..] = rest else { return None };
        let number = number::parse(&rest[4..]).filter(|number| number.value.is_finite())?;
        let length = 4 + number.length;
        if rest.get(length) != Some(&end) || vector[usize::from(axis - b'x')].replace(number.value).is_some() {
            return None;
        }
        rest = &rest[length + 1..];
    }
    let [x, y, z] = vector;
    Some((DVec3::new(x?, y?, z?), text.len() - rest.len()))
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
