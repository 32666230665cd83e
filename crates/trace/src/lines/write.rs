//! The encoder of states as lines of text.

use std::fmt::Display;
use std::io::Write;

use goalspec_core::ids::ObjectId;
use goalspec_core::state::{AttributeChange, Delta};
use goalspec_core::value::Value;
use goalspec_core::world::World;
use serde::Serialize;

use super::{FORMAT_NAME, FORMAT_VERSION, Numbering};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::reader::Header;
use crate::source::MAX_STATE_BYTES;
use crate::write::{TraceWriter, write_error};

/// A writer of traces as JSON Lines, one state at a time.
pub struct LinesWriter<'w, W> {
    world: &'w World,
    output: W,
    line: Vec<u8>,
    numbering: Numbering,
    states: u64,
    /// The changes of the current state, grouped by object.
    order: Vec<(u32, u32)>,
    /// For each object, one more than its position in the current state; 0 if it is not in it.
    place: Vec<u32>,
    /// The maximum length of a line; no reader accepts longer ones.
    limit: usize,
}

impl<'w, W: Write> LinesWriter<'w, W> {
    /// Creates a writer and writes the header. The recording's metadata and the objects that only the trace declares are copied from
    /// `header`.
    ///
    /// # Errors
    /// If the output cannot be written, or the header is longer than readers accept.
    pub fn new(output: W, world: &'w World, header: &Header) -> Result<Self> {
        let mut writer = Self {
            world,
            output,
            line: Vec::new(),
            numbering: Numbering::default(),
            states: 0,
            order: Vec::new(),
            place: vec![0; world.objects().len()],
            limit: MAX_STATE_BYTES,
        };
        writer.header(header);
        writer.flush_line(&"the header")?;
        Ok(writer)
    }

    /// Returns the output.
    pub(crate) fn output(&mut self) -> &mut W {
        &mut self.output
    }

    /// Returns the output, and drops the writer.
    pub fn into_output(self) -> W {
        self.output
    }

    fn header(&mut self, header: &Header) {
        self.line.extend_from_slice(b"{\"format\":");
        self.json(FORMAT_NAME);
        self.line.extend_from_slice(b",\"version\":");
        self.json(&FORMAT_VERSION);
        self.line.extend_from_slice(b",\"world\":");
        self.json(self.world.name());
        let particulars = [
            ("scene", &header.scene),
            ("id", &header.id),
            ("participant", &header.participant),
            ("replay", &header.replay),
        ];
        for (name, value) in particulars {
            if let Some(value) = value {
                self.field(name, false);
                self.json(value);
            }
        }
        self.line.extend_from_slice(b",\"time\":\"s\",\"attributes\":{");
        let world = self.world;
        for (at, attribute) in world.attributes().iter().enumerate() {
            self.field(&attribute.name, at == 0);
            self.json(attribute.kind.name());
        }
        self.line.push(b'}');
        if !header.objects.is_empty() {
            self.line.extend_from_slice(b",\"objects\":{");
            for (at, object) in header.objects.iter().enumerate() {
                self.field(&object.id, at == 0);
                self.json(&object.types);
            }
            self.line.push(b'}');
        }
        self.line.push(b'}');
    }

    fn state(&mut self, delta: &Delta) -> Result<()> {
        self.line.push(b'{');
        if delta.index != self.numbering.index() {
            self.field("index", self.line.len() == 1);
            self.json(&delta.index);
        }
        if delta.clock != self.numbering.clock(delta.index) {
            self.field("clock", self.line.len() == 1);
            self.json(&delta.clock);
        }
        if let Some(time) = delta.time {
            self.field("t", self.line.len() == 1);
            self.number(time)?;
        }
        if let Some(action) = &delta.action {
            self.field("action", self.line.len() == 1);
            self.json(&**action);
        }
        if !delta.removed.is_empty() {
            self.field("removed", self.line.len() == 1);
            self.objects(&delta.removed);
        }
        if !delta.listed_objects.is_empty() || !delta.changes.is_empty() {
            self.field("set", self.line.len() == 1);
            self.changes(delta)?;
        }
        if delta.unknown_objects > 0 {
            self.field("foreign", self.line.len() == 1);
            self.json(&delta.unknown_objects);
        }
        for (name, holds) in [("not", false), ("facts", true)] {
            self.facts(delta, name, holds);
        }
        self.fluents(delta)?;
        self.line.push(b'}');
        self.numbering.last = Some((delta.index, delta.clock));
        Ok(())
    }

    /// Writes every mentioned or changed object with its changes.
    fn changes(&mut self, delta: &Delta) -> Result<()> {
        let mut listed: Vec<ObjectId> = Vec::with_capacity(delta.listed_objects.len());
        for &object in delta.listed_objects.iter().chain(delta.changes.iter().map(|change| &change.object)) {
            let place = &mut self.place[object.index()];
            if *place == 0 {
                listed.push(object);
                *place = listed.len() as u32;
            }
        }
        let place = &self.place;
        self.order.clear();
        self.order.extend(delta.changes.iter().zip(0..).map(|(change, at)| (place[change.object.index()] - 1, at)));
        self.order.sort_unstable();
        self.line.push(b'{');
        let order = std::mem::take(&mut self.order);
        let mut rest = &order[..];
        for (at, &object) in listed.iter().enumerate() {
            let own = rest.partition_point(|&(place, _)| place as usize == at);
            let (changes, others) = rest.split_at(own);
            rest = others;
            self.field(&self.world.object_decl(object).id, at == 0);
            self.line.push(b'{');
            for (nth, &(_, change)) in changes.iter().enumerate() {
                let AttributeChange { attribute, value, .. } = &delta.changes[change as usize];
                self.field(&self.world.attributes()[attribute.index()].name, nth == 0);
                self.value(value)?;
            }
            self.line.push(b'}');
            self.place[object.index()] = 0;
        }
        self.order = order;
        self.line.push(b'}');
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::Bool(value) => self.json(value),
            Value::Int(value) => self.json(value),
            Value::Real(value) => self.number(*value)?,
            Value::Vec3(vector) => {
                for (at, number) in vector.to_array().into_iter().enumerate() {
                    self.line.push(if at == 0 { b'[' } else { b',' });
                    self.number(number)?;
                }
                self.line.push(b']');
            }
            Value::Object(None) => self.line.extend_from_slice(b"null"),
            Value::Object(Some(object)) => self.json(&*self.world.object_decl(*object).id),
            Value::Set(objects) => self.objects(objects),
            Value::Text(text) => self.json(&**text),
        }
        Ok(())
    }

    fn facts(&mut self, delta: &Delta, name: &str, holds: bool) {
        let mut first = true;
        for fact in delta.facts.iter().filter(|fact| fact.holds == holds) {
            if first {
                self.field(name, self.line.len() == 1);
                self.line.push(b'[');
            } else {
                self.line.push(b',');
            }
            first = false;
            self.call(&self.world.predicate(fact.predicate).name, &fact.arguments);
            self.line.push(b']');
        }
        if !first {
            self.line.push(b']');
        }
    }

    fn fluents(&mut self, delta: &Delta) -> Result<()> {
        for (at, fluent) in delta.fluents.iter().enumerate() {
            if at == 0 {
                self.field("fluents", self.line.len() == 1);
                self.line.push(b'[');
            } else {
                self.line.push(b',');
            }
            self.call(&self.world.function(fluent.function).name, &fluent.arguments);
            self.line.push(b',');
            self.number(fluent.value)?;
            self.line.push(b']');
        }
        if !delta.fluents.is_empty() {
            self.line.push(b']');
        }
        Ok(())
    }

    /// Writes `["name","object",..`, without the closing bracket.
    fn call(&mut self, name: &str, arguments: &[ObjectId]) {
        self.line.push(b'[');
        self.json(name);
        for argument in arguments {
            self.line.push(b',');
            self.json(&*self.world.object_decl(*argument).id);
        }
    }

    fn objects(&mut self, objects: &[ObjectId]) {
        self.line.push(b'[');
        for (at, object) in objects.iter().enumerate() {
            if at > 0 {
                self.line.push(b',');
            }
            self.json(&*self.world.object_decl(*object).id);
        }
        self.line.push(b']');
    }

    /// Writes a member's name, with a comma before it unless it is the first.
    fn field(&mut self, name: &str, first: bool) {
        if !first {
            self.line.push(b',');
        }
        self.json(name);
        self.line.push(b':');
    }

    fn number(&mut self, number: f64) -> Result<()> {
        if !number.is_finite() {
            let message =
                format!("state {} contains the number {number}, which JSON cannot represent", self.states + 1);
            return Err(TraceError::new(codes::NOT_FINITE, message));
        }
        self.json(&number);
        Ok(())
    }

    /// Appends a text, number or list of texts as JSON, for which serialization into memory cannot fail.
    fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        let result = serde_json::to_writer(&mut self.line, value);
        debug_assert!(result.is_ok());
    }

    /// Writes the line to the output; `subject` describes its content in messages.
    fn flush_line(&mut self, subject: &dyn Display) -> Result<()> {
        self.line.push(b'\n');
        if self.line.len() >= self.limit {
            let message = format!("{subject} exceeds the limit of {} MiB as text", self.limit >> 20);
            return Err(TraceError::new(codes::STATE_TOO_LARGE, message));
        }
        self.output.write_all(&self.line).map_err(|error| write_error(&error))?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> TraceWriter for LinesWriter<'_, W> {
    fn write(&mut self, delta: &Delta) -> Result<()> {
        self.line.clear();
        self.state(delta)?;
        let state = self.states + 1;
        self.flush_line(&format_args!("state {state}"))?;
        self.states += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.output.flush().map_err(|error| write_error(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, source::Compression};
    use goalspec_core::world::WorldBuilder;

    #[test]
    fn unreadable_values_are_not_written() {
        let world = WorldBuilder::new("empty").finish().expect("nothing is wrong with nothing");
        let header = Header::new(Format::Lines, Compression::None);
        let mut writer = LinesWriter::new(Vec::new(), &world, &header).expect("the header is short");
        let before = writer.output().len();
        let delta = Delta { action: Some("x".repeat(100).into()), ..Delta::default() };
        writer.limit = 100;
        let error = writer.write(&delta).expect_err("the line is longer");
        assert_eq!((error.code(), writer.output().len()), (codes::STATE_TOO_LARGE, before));
        writer.limit = 200;
        writer.write(&delta).expect("the line is shorter");
    }
}
