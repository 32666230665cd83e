//! The document around the states of a recorded play.
//!
//! A document has one of three layouts: a list of states; an object with the list under `replay`, beside `scene` and other metadata; or a
//! database export, in which objects nest until their members are named `batch-0`, `batch-1` and so on, each an object with states under
//! `events`.

use std::collections::BTreeMap;

use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{FieldSet, MAX_ENCLOSING_OBJECTS, ScanProblem, Scanner, Stop};
use crate::reader::{Format, Header};
use crate::source::{Buffer, ScanError};

/// Maximum total size of the batches held until their turn, in bytes.
const MAX_HELD_BYTES: usize = 256 << 20;

/// Maximum length of a metadata value, such as the scene's name, in bytes; longer values are truncated.
const MAX_METADATA_BYTES: usize = 1 << 10;

type Scan<T> = std::result::Result<T, ScanError>;

/// The position of the reading in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DocumentPosition {
    /// Before the first byte.
    Start,
    /// Inside an object, before the name of a member.
    Member,
    /// After a member, before a comma or the object's end.
    AfterMember,
    /// Before a state.
    State,
    /// After a state, before a comma or the list's end.
    AfterState,
    /// After the whole document.
    End,
}

/// A file of recorded states, read sequentially.
pub(crate) struct Document<'r> {
    buffer: Buffer<'r>,
    header: Header,
    place: DocumentPosition,
    /// The names of the members whose objects are open; the outermost object's name is empty.
    path: Vec<String>,
    /// The fields that each open object has had.
    seen: Vec<FieldSet>,
    /// Whether a list of states was found.
    found: bool,
    batches: Batches<'r>,
    remarks: Vec<Diagnostic>,
}

/// The batches of an export, which may be stored in any order.
#[derive(Default)]
struct Batches<'r> {
    /// The path of the object that holds them, once found.
    collection: Option<Vec<String>>,
    /// The number of the next batch to read.
    next: u64,
    /// The batches that came too early, each with its byte offset.
    waiting: BTreeMap<u64, (u64, Vec<u8>)>,
    waiting_bytes: usize,
    /// A waiting batch that is now being read.
    current: Option<Buffer<'r>>,
}

/// The name in `READ_FIELDS` of the list of states, `replay` or `events`: an object has at most one of them.
const STATES: &str = "states";

/// The fields read from the objects around the states.
const READ_FIELDS: [&str; 5] = [STATES, "scene", "id", "participantID", "replayKey"];

/// The classification of a member of an object around the states.
enum Member {
    /// A list of states.
    States,
    /// An object that may contain states, with its name.
    Object(String),
    /// A batch that came too early: its number, byte offset and text.
    Early(u64, u64, Vec<u8>),
    /// A batch of another recording.
    OtherRecording,
    /// A metadata field of the recording: its name and value.
    Metadata(String, String),
    /// Any other member; it is skipped.
    Other,
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the methods' own paths stand for one lifetime of the scanner, not for all"
)]
impl<'r> Document<'r> {
    pub(crate) fn new(buffer: Buffer<'r>) -> Self {
        let header = Header::new(Format::RecordedPlay, buffer.compression());
        Self {
            buffer,
            header,
            place: DocumentPosition::Start,
            path: Vec::new(),
            seen: Vec::new(),
            found: false,
            batches: Batches::default(),
            remarks: Vec::new(),
        }
    }

    /// Advances to the first state.
    pub(crate) fn start(&mut self) -> Result<()> {
        self.advance().map_err(|error| self.explain(error, 0))
    }

    /// Returns the metadata read so far.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the remarks so far.
    pub(super) fn remarks(&self) -> &[Diagnostic] {
        &self.remarks
    }

    /// Returns the number of bytes of the file consumed.
    pub(super) fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// Whether the next token is a state.
    pub(super) fn at_state(&self) -> bool {
        self.place == DocumentPosition::State
    }

    /// Reads the next state.
    pub(super) fn read_state(
        &mut self,
        read: impl FnMut(&mut Scanner<'_>) -> std::result::Result<(), Stop>,
    ) -> Scan<()> {
        match &mut self.batches.current {
            Some(held) => held.scan(read)?,
            None => self.buffer.scan(read)?,
        }
        self.place = DocumentPosition::AfterState;
        Ok(())
    }

    /// Advances to the next state, or to the end of the document.
    pub(super) fn advance(&mut self) -> Scan<()> {
        loop {
            match self.place {
                DocumentPosition::State | DocumentPosition::End => return Ok(()),
                DocumentPosition::Start => self.begin()?,
                DocumentPosition::Member => self.member()?,
                DocumentPosition::AfterMember => {
                    if self.buffer.scan(|scanner| scanner.has_next_element(b'}'))? {
                        self.place = DocumentPosition::Member;
                    } else {
                        self.close_object()?;
                    }
                }
                DocumentPosition::AfterState => {
                    let buffer = self.batches.current.as_mut().unwrap_or(&mut self.buffer);
                    if buffer.scan(|scanner| scanner.has_next_element(b']'))? {
                        self.place = DocumentPosition::State;
                    } else {
                        self.close_list()?;
                    }
                }
            }
        }
    }

    /// Reads the first byte, which distinguishes a list of states from an enclosing object.
    fn begin(&mut self) -> Scan<()> {
        if self.buffer.scan(|scanner| scanner.peek())? == b'[' {
            self.open_list()
        } else {
            self.open_object(String::new())
        }
    }

    fn open_list(&mut self) -> Scan<()> {
        self.found = true;
        if self.buffer.scan(|scanner| scanner.list())? {
            self.place = DocumentPosition::State;
            return Ok(());
        }
        self.close_list()
    }

    fn close_list(&mut self) -> Scan<()> {
        if self.batches.current.take().is_some() {
            self.batches.next += 1;
            return self.next_waiting();
        }
        self.place = DocumentPosition::AfterMember;
        if self.path.is_empty() { self.end() } else { Ok(()) }
    }

    fn open_object(&mut self, name: String) -> Scan<()> {
        let inhabited = self.buffer.scan(|scanner| scanner.object())?;
        self.path.push(name);
        self.seen.push(FieldSet::default());
        if inhabited {
            self.place = DocumentPosition::Member;
            return Ok(());
        }
        self.close_object()
    }

    fn close_object(&mut self) -> Scan<()> {
        let name = self.path.pop().unwrap_or_default();
        self.seen.pop();
        self.place = DocumentPosition::AfterMember;
        if self.batches.collection.as_ref() == Some(&self.path) && batch_number(&name) == Some(self.batches.next) {
            self.batches.next += 1;
            return self.next_waiting();
        }
        if let (Some(collection), Some(early)) = (&self.batches.collection, self.batches.waiting.keys().next())
            && collection.len() > self.path.len()
        {
            let message = format!("the export has `batch-{early}` but no `batch-{}`", self.batches.next);
            return Err(ScanError::Error(TraceError::new(codes::BATCHES, message)));
        }
        if self.path.is_empty() { self.end() } else { Ok(()) }
    }

    /// Continues with a waiting batch, if its turn has come.
    fn next_waiting(&mut self) -> Scan<()> {
        self.place = DocumentPosition::AfterMember;
        while let Some((offset, text)) = self.batches.waiting.remove(&self.batches.next) {
            self.batches.waiting_bytes -= text.len();
            let mut buffer = Buffer::from_text(offset, text);
            if buffer.scan(open_events)? {
                self.found = true;
                self.batches.current = Some(buffer);
                self.place = DocumentPosition::State;
                return Ok(());
            }
            self.batches.next += 1;
        }
        Ok(())
    }

    fn member(&mut self) -> Scan<()> {
        let (path, batches) = (&self.path, &self.batches);
        let offset = self.buffer.offset();
        let member = self.buffer.scan(|scanner| read_member(scanner, offset, path, batches))?;
        self.place = DocumentPosition::AfterMember;
        match member {
            Member::States => {
                self.note(STATES)?;
                return self.open_list();
            }
            Member::Object(name) => {
                if batch_number(&name).is_some() {
                    self.batches.collection.get_or_insert_with(|| self.path.clone());
                }
                return self.open_object(name);
            }
            Member::Early(number, offset, text) => {
                self.batches.collection.get_or_insert_with(|| self.path.clone());
                self.hold_batch(number, offset, text)?;
            }
            Member::OtherRecording => self.remark_other_recording(),
            Member::Metadata(name, value) => {
                self.note(&name)?;
                let slot = match &*name {
                    "scene" => &mut self.header.scene,
                    "id" => &mut self.header.id,
                    "participantID" => &mut self.header.participant,
                    _ => &mut self.header.replay,
                };
                *slot = Some(value);
            }
            Member::Other => {}
        }
        Ok(())
    }

    /// Marks a field of the innermost object as read; a repeated field is an error.
    fn note(&mut self, field: &str) -> Scan<()> {
        let place = READ_FIELDS.iter().position(|known| *known == field);
        if let (Some(batch), Some(place)) = (self.seen.last_mut(), place)
            && !batch.insert(place)
        {
            return Err(ScanError::Problem { offset: self.buffer.offset(), problem: ScanProblem::DuplicateField });
        }
        Ok(())
    }

    fn hold_batch(&mut self, number: u64, offset: u64, text: Vec<u8>) -> Scan<()> {
        self.batches.waiting_bytes += text.len();
        if self.batches.waiting_bytes > MAX_HELD_BYTES {
            let message = format!(
                "the batches before `batch-{}` exceed the limit of {} MiB",
                self.batches.next,
                MAX_HELD_BYTES >> 20
            );
            return Err(ScanError::Error(TraceError::new(codes::BATCHES, message)));
        }
        if number < self.batches.next || self.batches.waiting.insert(number, (offset, text)).is_some() {
            let message = format!("duplicate `batch-{number}` in the export");
            return Err(ScanError::Error(TraceError::new(codes::BATCHES, message)));
        }
        Ok(())
    }

    fn remark_other_recording(&mut self) {
        let name = self.path.last().map_or("", String::as_str);
        let message = format!("the export contains a second recording, `{name}`, which is ignored");
        if self.remarks.iter().all(|remark| remark.message != message) {
            self.remarks.push(Diagnostic::new(codes::BATCHES, Severity::Warning, message));
        }
    }

    /// Checks that only white space follows.
    fn end(&mut self) -> Scan<()> {
        self.place = DocumentPosition::End;
        if !self.found {
            let message = "the file contains no list of states".to_owned();
            return Err(ScanError::Error(TraceError::new(codes::UNKNOWN_FORMAT, message)));
        }
        match self.buffer.scan(|scanner| scanner.peek()) {
            Ok(_) => {
                let problem = ScanProblem::Expected("the end of the file");
                Err(ScanError::Problem { offset: self.buffer.offset(), problem })
            }
            Err(ScanError::Ended) => match self.buffer.end_error("after the last state") {
                Some(error) => Err(ScanError::Error(error)),
                None => Ok(()),
            },
            Err(error) => Err(error),
        }
    }

    /// Converts a failed scan into an error, given the number of states read before.
    pub(super) fn explain(&self, error: ScanError, states: u64) -> TraceError {
        let place = format!("in state {}", states + 1);
        match error {
            ScanError::Error(error) => error,
            ScanError::Problem { offset, problem } => problem.into_error(&format!("{place}, at byte {offset}")),
            ScanError::Ended => self.buffer.end_error(&place).unwrap_or_else(|| {
                let offset = self.buffer.offset() + self.buffer.bytes().len() as u64;
                TraceError::new(codes::CUT, format!("the file ends {place}, at byte {offset}"))
            }),
        }
    }
}

fn batch_number(name: &str) -> Option<u64> {
    name.strip_prefix("batch-")?.parse().ok()
}

/// Reads a member's name, and its value unless that is a list of states or an object that may contain states.
fn read_member(
    scanner: &mut Scanner<'_>,
    offset: u64,
    path: &[String],
    batches: &Batches<'_>,
) -> std::result::Result<Member, Stop> {
    let token = scanner.key()?;
    let name = scanner.decode_key(token)?;
    let in_batch = path.last().is_some_and(|name| batch_number(name).is_some());
    match (scanner.peek()?, &*name) {
        (b'[', "replay") if path.len() == 1 => return Ok(Member::States),
        (b'[', "events") if in_batch => return Ok(Member::States),
        (b'"', "scene" | "id" | "participantID" | "replayKey") if path.len() == 1 => {
            let mut value = scanner.text()?.into_owned();
            value.truncate(value.floor_char_boundary(MAX_METADATA_BYTES));
            return Ok(Member::Metadata(name.into_owned(), value));
        }
        (b'{', _) => {
            let number = batch_number(&name);
            let is_selected = batches.collection.as_deref().is_none_or(|collection| collection == path);
            if number.is_none() || (number == Some(batches.next) && is_selected) {
                if path.len() < MAX_ENCLOSING_OBJECTS {
                    return Ok(Member::Object(name.into_owned()));
                }
                return scanner.stop(scanner.position(), ScanProblem::TooManyObjects);
            }
            let start = scanner.position();
            scanner.skip(path.len() as u32)?;
            return Ok(match number {
                Some(number) if is_selected => {
                    Member::Early(number, offset + start as u64, scanner.since(start).to_vec())
                }
                _ => Member::OtherRecording,
            });
        }
        _ => scanner.skip(path.len() as u32)?,
    }
    Ok(Member::Other)
}

/// Reads up to the first state of a batch. Returns whether there is one.
fn open_events(scanner: &mut Scanner<'_>) -> std::result::Result<bool, Stop> {
    let mut has_more = scanner.object()?;
    while has_more {
        let key = scanner.key()?;
        if key.raw == b"events" && scanner.peek()? == b'[' {
            return scanner.list();
        }
        scanner.skip(0)?;
        has_more = scanner.has_next_element(b'}')?;
    }
    Ok(false)
}
