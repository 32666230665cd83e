//! The decoder of state lines.

use std::ops::Deref;

use glam::DVec3;
use goalspec_atari::recording::FRAME_FIELDS;
use goalspec_core::ids::ObjectId;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::World;
use goalspec_syntax::diagnostic::QuotedLine;
use goalspec_syntax::suggest::did_you_mean;

use super::Numbering;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{FieldSet, ScanProblem, ScanStop, Scanner, Stop};
use crate::names::TextInterner;
use crate::pool::SetPool;
use crate::vocabulary::{self, NameError};

const FIELDS: [&str; 10] = ["index", "clock", "t", "action", "removed", "set", "foreign", "not", "facts", "fluents"];

/// Whether `name` is a field of states.
pub(crate) fn is_state_field(name: &[u8]) -> bool {
    FIELDS.iter().any(|field| field.as_bytes() == name)
}

/// A classification of the lines of a trace, by their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A line of white space only.
    Blank,
    /// A state.
    State,
}

/// A decoder of trace lines into states of a world (a `&World` or an `Arc<World>`), one line at a time: for live streams, and for lines that
/// do not come from a file.
#[derive(Clone)]
pub struct LineDecoder<W> {
    world: W,
    pool: SetPool,
    actions: TextInterner,
    lines: u64,
    states: u64,
    numbering: Numbering,
    /// The facts that begin to hold in the current line; they follow those that cease to hold.
    holding: Vec<FactChange>,
    /// The field, or the object and attribute, being read, as named in messages.
    subject: String,
    /// For each object, the number of the decoded line (as counted by `read`) that last set it.
    set_in: Vec<u64>,
    /// The number of lines decoded, whatever their own numbers.
    read: u64,
}

enum LineDecodeError {
    Scan(Stop),
    /// The text is well-formed but invalid in this world.
    Meaning {
        at: usize,
        misuse: NameError,
    },
}

/// Returns the error for a repeated field.
#[cold]
fn duplicate_field(at: usize, field: &str, parent: &str) -> LineDecodeError {
    let message = format!("duplicate field `{field}` in {parent}");
    misused(at)(NameError::new(codes::DOUBLED_FIELD, message, None))
}

fn misused(at: usize) -> impl FnOnce(NameError) -> LineDecodeError {
    move |error| LineDecodeError::Meaning { at, misuse: error }
}

type Parse<T> = std::result::Result<T, LineDecodeError>;

impl From<Stop> for LineDecodeError {
    fn from(stop: Stop) -> Self {
        Self::Scan(stop)
    }
}

impl<W: Deref<Target = World>> LineDecoder<W> {
    /// Creates a decoder before the first state.
    pub fn new(world: W) -> Self {
        Self {
            pool: SetPool::default(),
            actions: TextInterner::default(),
            lines: 0,
            states: 0,
            numbering: Numbering::default(),
            holding: Vec::new(),
            subject: String::new(),
            set_in: vec![0; world.objects().len()],
            world,
            read: 0,
        }
    }

    /// Decodes one line, with or without its line end, into `delta`, whose buffers are reused.
    ///
    /// # Errors
    /// If the line is not a state of the world. The message gives the number of the line among those passed to this decoder, which can
    /// continue with the next line.
    pub fn decode(&mut self, line: &[u8], delta: &mut Delta) -> Result<LineKind> {
        self.decode_numbered(line, self.lines + 1, delta)
    }

    /// Decodes the line with this number.
    pub(super) fn decode_numbered(&mut self, line: &[u8], number: u64, delta: &mut Delta) -> Result<LineKind> {
        self.lines = number;
        self.pool.clear(delta);
        if line.trim_ascii().is_empty() {
            return Ok(LineKind::Blank);
        }
        self.subject.clear();
        self.read += 1;
        let mut scanner = Scanner::new(line);
        let read = self.state(&mut scanner, delta);
        read.map_err(|fail| self.explain(fail, scanner.fault(), line))?;
        self.numbering.last = Some((delta.index, delta.clock));
        self.states += 1;
        Ok(LineKind::State)
    }

    #[cold]
    fn explain(&self, fail: LineDecodeError, fault: ScanStop, line: &[u8]) -> TraceError {
        let at = match (&fail, &fault) {
            (LineDecodeError::Meaning { at, .. }, _) | (LineDecodeError::Scan(Stop), ScanStop::At(at, _)) => *at,
            (LineDecodeError::Scan(Stop), ScanStop::Incomplete) => line.trim_ascii_end().len(),
        };
        self.describe(fail, fault, line.len()).with_quote(quote(line, self.lines, at))
    }

    fn describe(&self, fail: LineDecodeError, fault: ScanStop, length: usize) -> TraceError {
        let place = |at: usize| format!("in state {}, line {}, at byte {at} of the line", self.states + 1, self.lines);
        match (fail, fault) {
            (LineDecodeError::Meaning { at, misuse: error }, _) => error.into_error(&place(at)),
            (LineDecodeError::Scan(Stop), ScanStop::Incomplete) => {
                TraceError::new(codes::CUT, format!("unexpected end of the line {}", place(length)))
            }
            (LineDecodeError::Scan(Stop), ScanStop::At(at, ScanProblem::WrongType(expected)))
                if !self.subject.is_empty() =>
            {
                TraceError::new(codes::WRONG_TYPE, format!("{} must be {expected} {}", self.subject, place(at)))
            }
            (LineDecodeError::Scan(Stop), ScanStop::At(at, problem)) => problem.into_error(&place(at)),
        }
    }

    fn state(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Parse<()> {
        let (mut index, mut clock) = (None, None);
        self.holding.clear();
        let mut seen = FieldSet::default();
        let mut has_more = scanner.object()?;
        while has_more {
            scanner.peek()?;
            let at = scanner.position();
            let token = scanner.key()?;
            let key = scanner.decode_key(token)?;
            self.subject.clear();
            self.subject.extend(["`", &key, "`"]);
            if FIELDS.iter().position(|field| *field == key).is_some_and(|field| !seen.insert(field)) {
                return Err(duplicate_field(at, &key, "the state"));
            }
            match &*key {
                "index" => index = Some(count(scanner)?),
                "clock" => clock = Some(count(scanner)?),
                "t" => delta.time = Some(scanner.number()?.value),
                "action" => {
                    delta.action = if scanner.null()? { None } else { Some(self.actions.share(&scanner.text()?)) }
                }
                "set" => self.objects(scanner, delta)?,
                "facts" => self.facts(scanner, true, &mut delta.facts)?,
                "not" => self.facts(scanner, false, &mut delta.facts)?,
                "fluents" => self.fluents(scanner, delta)?,
                "foreign" => {
                    scanner.peek()?;
                    let at = scanner.position();
                    delta.unknown_objects = match u32::try_from(count(scanner)?) {
                        Ok(count) => count,
                        Err(_) => scanner.stop(at, ScanProblem::WrongType("a number below 2^32"))?,
                    };
                }
                "removed" => {
                    let mut another = scanner.list()?;
                    while another {
                        delta.removed.push(self.object(scanner)?);
                        another = scanner.has_next_element(b']')?;
                    }
                }
                unknown => return Err(misused(at)(unknown_field(unknown))),
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        self.subject.clear();
        scanner.end()?;
        delta.index = index.unwrap_or(self.numbering.index());
        delta.clock = clock.unwrap_or(self.numbering.clock(delta.index));
        delta.facts.append(&mut self.holding);
        Ok(())
    }

    /// Reads `{"object":{"attribute":value,..},..}`.
    fn objects(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Parse<()> {
        let mut has_more = scanner.object()?;
        while has_more {
            scanner.peek()?;
            let at = scanner.position();
            let token = scanner.key()?;
            let name = scanner.decode_key(token)?;
            let object = vocabulary::object(&self.world, &name).map_err(misused(at))?;
            if std::mem::replace(&mut self.set_in[object.index()], self.read) == self.read {
                return Err(duplicate_field(at, &name, "`set`"));
            }
            delta.listed_objects.push(object);
            let mut seen = FieldSet::default();
            self.subject.clear();
            self.subject.extend(["`set` of object `", &name, "`"]);
            let mut another = scanner.object()?;
            while another {
                scanner.peek()?;
                let at = scanner.position();
                let token = scanner.key()?;
                let key = scanner.decode_key(token)?;
                let (attribute, kind) = vocabulary::attribute(&self.world, &key, object).map_err(misused(at))?;
                if !seen.insert(attribute.index()) {
                    return Err(duplicate_field(at, &key, &format!("`set` of object `{name}`")));
                }
                self.subject.clear();
                self.subject.extend(["attribute `", &key, "` of object `", &name, "`"]);
                let value = self.value(scanner, kind)?;
                delta.changes.push(AttributeChange { object, attribute, value });
                another = scanner.has_next_element(b'}')?;
            }
            has_more = scanner.has_next_element(b'}')?;
        }
        Ok(())
    }

    fn value(&mut self, scanner: &mut Scanner<'_>, kind: ValueKind) -> Parse<Value> {
        Ok(match kind {
            ValueKind::Bool => Value::Bool(scanner.bool()?),
            ValueKind::Int => {
                scanner.peek()?;
                let at = scanner.position();
                match scanner.number()?.whole() {
                    Some(number) => Value::Int(number),
                    None => return Ok(scanner.stop(at, ScanProblem::WrongType("an integer"))?),
                }
            }
            ValueKind::Real => Value::Real(scanner.number()?.value),
            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3(vector(scanner)?),
            ValueKind::Object if scanner.null()? => Value::Object(None),
            ValueKind::Object => Value::Object(Some(self.object(scanner)?)),
            ValueKind::Set => {
                let mut set = self.pool.set();
                let mut has_more = scanner.list()?;
                while has_more {
                    set.push(self.object(scanner)?);
                    has_more = scanner.has_next_element(b']')?;
                }
                set.sort_unstable();
                set.dedup();
                Value::Set(set)
            }
            ValueKind::Text => Value::Text(scanner.text()?.as_ref().into()),
        })
    }

    /// Reads `[["predicate","object",..],..]`.
    fn facts(&mut self, scanner: &mut Scanner<'_>, holds: bool, ceasing: &mut Vec<FactChange>) -> Parse<()> {
        let mut has_more = scanner.list()?;
        while has_more {
            scanner.peek()?;
            let at = scanner.position();
            let (name, mut another) = callee(scanner)?;
            let predicate = vocabulary::predicate(&self.world, &name).map_err(misused(at))?;
            let mut arguments = ObjectArguments::new();
            while another {
                arguments.push(self.object(scanner)?);
                another = scanner.has_next_element(b']')?;
            }
            let parameters = &self.world.predicate(predicate).parameters;
            vocabulary::check_arguments(&self.world, &name, parameters, &arguments).map_err(misused(at))?;
            let fact = FactChange { predicate, arguments, holds };
            let facts = if holds { &mut self.holding } else { &mut *ceasing };
            facts.push(fact);
            has_more = scanner.has_next_element(b']')?;
        }
        Ok(())
    }

    /// Reads `[["function","object",..,value],..]`.
    fn fluents(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Parse<()> {
        let mut has_more = scanner.list()?;
        while has_more {
            scanner.peek()?;
            let at = scanner.position();
            let (name, mut another) = callee(scanner)?;
            let function = vocabulary::function(&self.world, &name).map_err(misused(at))?;
            let mut arguments = ObjectArguments::new();
            let mut value = None;
            while another && value.is_none() {
                if scanner.peek()? == b'"' {
                    arguments.push(self.object(scanner)?);
                } else {
                    value = Some(scanner.number()?.value);
                }
                another = scanner.has_next_element(b']')?;
            }
            let Some(value) = value.filter(|_| !another) else {
                let problem = ScanProblem::WrongType("a list of a function, its objects, and a number at the end");
                return Ok(scanner.stop(at, problem)?);
            };
            let parameters = &self.world.function(function).parameters;
            vocabulary::check_arguments(&self.world, &name, parameters, &arguments).map_err(misused(at))?;
            delta.fluents.push(FluentChange { function, arguments, value });
            has_more = scanner.has_next_element(b']')?;
        }
        Ok(())
    }

    fn object(&self, scanner: &mut Scanner<'_>) -> Parse<ObjectId> {
        scanner.peek()?;
        let at = scanner.position();
        let name = scanner.text()?;
        vocabulary::object(&self.world, &name).map_err(misused(at))
    }
}

/// Quotes the line of a fault, and marks the token that begins at byte `at`: a text with its quotes, a number, a word, or one character.
pub(super) fn quote(line: &[u8], number: u64, at: usize) -> Option<QuotedLine> {
    let text = std::str::from_utf8(line.trim_ascii_end()).ok()?;
    let rest = text.get(at..)?;
    let length = if let Some(inner) = rest.strip_prefix('"') {
        inner.find('"').map_or(rest.len(), |end| end + 2)
    } else {
        let word = rest.find(|c: char| c.is_ascii_whitespace() || ",:[]{}\"".contains(c)).unwrap_or(rest.len());
        word.max(rest.chars().next().map_or(0, char::len_utf8))
    };
    QuotedLine::new("<trace>", text, usize::try_from(number).ok()?, at..at + length)
}

/// Reads `["name"` and the comma. Returns the name and whether arguments follow.
fn callee(scanner: &mut Scanner<'_>) -> Parse<(String, bool)> {
    if !scanner.list()? {
        let problem = ScanProblem::WrongType("a list that begins with a name");
        return Ok(scanner.stop(scanner.position(), problem)?);
    }
    let name = scanner.text()?.into_owned();
    Ok((name, scanner.has_next_element(b']')?))
}

fn vector(scanner: &mut Scanner<'_>) -> Parse<DVec3> {
    const EXPECTED: &str = "a list of three numbers";
    if scanner.peek()? != b'[' {
        return Ok(scanner.stop(scanner.position(), ScanProblem::WrongType(EXPECTED))?);
    }
    let start = scanner.position();
    let mut vector = [0.0; 3];
    let mut count = 0;
    let mut has_more = scanner.list()?;
    while has_more {
        let number = scanner.number()?.value;
        if let Some(slot) = vector.get_mut(count) {
            *slot = number;
        }
        count += 1;
        has_more = scanner.has_next_element(b']')?;
    }
    if count != 3 {
        return Ok(scanner.stop(start, ScanProblem::WrongType(EXPECTED))?);
    }
    Ok(DVec3::from_array(vector))
}

fn count(scanner: &mut Scanner<'_>) -> Parse<u64> {
    scanner.peek()?;
    let at = scanner.position();
    let number = scanner.number()?.whole();
    match number.map(u64::try_from) {
        Some(Ok(count)) => Ok(count),
        _ => Ok(scanner.stop(at, ScanProblem::WrongType("a non-negative integer"))?),
    }
}

/// Returns the error of an unknown field of a state.
fn unknown_field(field: &str) -> NameError {
    let fields = || format!("the fields are {}", FIELDS.join(", "));
    let help = if FRAME_FIELDS.contains(&field) {
        "it is a field of recordings of screens: check for a missing header, which begins with `\"format\"`".to_owned()
    } else {
        did_you_mean(field, FIELDS).unwrap_or_else(fields)
    };
    NameError::new(codes::UNKNOWN_FIELD, format!("unknown field `{field}` of a state"), Some(help))
}
