//! One line of text to one state.

use glam::DVec3;
use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use goalspec_core::state::{Arguments, Change, Delta, FactChange, FluentChange};
use goalspec_core::value::{Kind, Value};
use goalspec_core::world::operation::{FunctionMeaning, PredicateMeaning};
use goalspec_core::world::{Parameter, World};
use goalspec_syntax::Code;
use goalspec_syntax::suggest::did_you_mean;

use super::Numbering;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{Fault, Problem, Scanner, Stop};
use crate::names::Texts;
use crate::pool::Pool;

const FIELDS: [&str; 10] = ["index", "clock", "t", "action", "removed", "set", "foreign", "not", "facts", "fluents"];

/// Whether states have a field of this name.
pub(crate) fn is_state_field(name: &[u8]) -> bool {
    FIELDS.iter().any(|field| field.as_bytes() == name)
}

/// What a line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// White space.
    Blank,
    /// A state.
    State,
}

/// Turns lines of a trace into states, one at a time: for live streams, and wherever lines come from elsewhere than a file.
pub struct LineDecoder<'w> {
    world: &'w World,
    pool: Pool,
    actions: Texts,
    lines: u64,
    states: u64,
    numbering: Numbering,
    /// Facts that begin to hold in the current line; those that cease go first.
    holding: Vec<FactChange>,
    /// The object and attribute, or the field, being read.
    subject: String,
}

enum Fail {
    Scan(Stop),
    /// The text is well formed and means nothing in this world.
    Meaning {
        at: usize,
        code: Code,
        message: String,
        help: Option<String>,
    },
}

type Parse<T> = std::result::Result<T, Fail>;

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Self {
        Self::Scan(stop)
    }
}

impl<'w> LineDecoder<'w> {
    /// A decoder before the first state.
    pub fn new(world: &'w World) -> Self {
        Self {
            world,
            pool: Pool::default(),
            actions: Texts::default(),
            lines: 0,
            states: 0,
            numbering: Numbering::default(),
            holding: Vec::new(),
            subject: String::new(),
        }
    }

    /// Reads one line, without or with its end, into `delta`, whose buffers are used again.
    ///
    /// # Errors
    /// The line is not a state of the world. The message names the line by its number among those given to this decoder. The decoder can go on with the
    /// next line.
    pub fn decode(&mut self, line: &[u8], delta: &mut Delta) -> Result<Line> {
        self.decode_numbered(line, self.lines + 1, delta)
    }

    /// Reads the line of this number.
    pub(super) fn decode_numbered(&mut self, line: &[u8], number: u64, delta: &mut Delta) -> Result<Line> {
        self.lines = number;
        self.pool.clear(delta);
        if line.trim_ascii().is_empty() {
            return Ok(Line::Blank);
        }
        self.subject.clear();
        let mut scanner = Scanner::new(line);
        let read = self.state(&mut scanner, delta);
        read.map_err(|fail| self.explain(fail, scanner.fault(), line.len()))?;
        self.numbering.last = Some((delta.index, delta.clock));
        self.states += 1;
        Ok(Line::State)
    }

    #[cold]
    fn explain(&self, fail: Fail, fault: Fault, length: usize) -> TraceError {
        let place = |at: usize| {
            format!("in state {} (counted from 0), line {}, at byte {at} of the line", self.states, self.lines)
        };
        match (fail, fault) {
            (Fail::Meaning { at, code, message, help }, _) => {
                let error = TraceError::new(code, format!("{message} {}", place(at)));
                match help {
                    Some(help) => error.with_help(help),
                    None => error,
                }
            }
            (Fail::Scan(Stop), Fault::Incomplete) => {
                TraceError::new(codes::CUT, format!("the line ends too early {}", place(length)))
            }
            (Fail::Scan(Stop), Fault::At(at, Problem::WrongType(expected))) if !self.subject.is_empty() => {
                TraceError::new(codes::WRONG_TYPE, format!("{} must be {expected} {}", self.subject, place(at)))
            }
            (Fail::Scan(Stop), Fault::At(at, problem)) => problem.explain(&place(at)),
        }
    }

    fn state(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Parse<()> {
        let (mut index, mut clock) = (None, None);
        self.holding.clear();
        let mut more = scanner.object()?;
        while more {
            scanner.peek()?;
            let at = scanner.position();
            let token = scanner.key()?;
            let key = scanner.decode_key(token)?;
            self.subject.clear();
            self.subject.extend(["`", &key, "`"]);
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
                    delta.foreign = match u32::try_from(count(scanner)?) {
                        Ok(count) => count,
                        Err(_) => scanner.stop(at, Problem::WrongType("a number below 2^32"))?,
                    };
                }
                "removed" => {
                    let mut another = scanner.list()?;
                    while another {
                        delta.removed.push(self.object(scanner)?);
                        another = scanner.more(b']')?;
                    }
                }
                unknown => {
                    return Err(Fail::Meaning {
                        at,
                        code: codes::UNKNOWN_FIELD,
                        message: format!("a state has no field `{unknown}`"),
                        help: did_you_mean(unknown, FIELDS)
                            .or_else(|| Some(format!("its fields are {}", FIELDS.join(", ")))),
                    });
                }
            }
            more = scanner.more(b'}')?;
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
        let mut more = scanner.object()?;
        while more {
            scanner.peek()?;
            let at = scanner.position();
            let token = scanner.key()?;
            let name = scanner.decode_key(token)?;
            let object = self.resolve(&name, at)?;
            delta.mentioned.push(object);
            self.subject.clear();
            self.subject.extend(["what is set of object `", &name, "`"]);
            let mut another = scanner.object()?;
            while another {
                scanner.peek()?;
                let at = scanner.position();
                let token = scanner.key()?;
                let key = scanner.decode_key(token)?;
                let (attribute, kind) = self.attribute(&key, object, at)?;
                self.subject.clear();
                self.subject.extend(["attribute `", &key, "` of object `", &name, "`"]);
                let value = self.value(scanner, kind)?;
                delta.changes.push(Change { object, attribute, value });
                another = scanner.more(b'}')?;
            }
            more = scanner.more(b'}')?;
        }
        Ok(())
    }

    fn attribute(&self, name: &str, object: ObjectId, at: usize) -> Parse<(AttributeId, Kind)> {
        let Some(id) = self.world.attribute_named(name) else {
            let names = self.world.attributes().iter().map(|attribute| &*attribute.name);
            return Err(self.unknown("attribute", name, names, at));
        };
        let decl = &self.world.attributes()[id.index()];
        if decl.of.iter().any(|&of| self.world.is_a(object, of)) {
            return Ok((id, decl.kind));
        }
        Err(Fail::Meaning {
            at,
            code: codes::WRONG_OBJECT,
            message: format!("object `{}` has no attribute `{name}`", self.world.object_decl(object).id),
            help: None,
        })
    }

    fn value(&mut self, scanner: &mut Scanner<'_>, kind: Kind) -> Parse<Value> {
        Ok(match kind {
            Kind::Bool => Value::Bool(scanner.bool()?),
            Kind::Int => {
                scanner.peek()?;
                let at = scanner.position();
                match scanner.number()?.whole() {
                    Some(number) => Value::Int(number),
                    None => return Ok(scanner.stop(at, Problem::WrongType("a whole number"))?),
                }
            }
            Kind::Real => Value::Real(scanner.number()?.value),
            Kind::Vec3 | Kind::Orientation => Value::Vec3(vector(scanner)?),
            Kind::Object if scanner.null()? => Value::Object(None),
            Kind::Object => Value::Object(Some(self.object(scanner)?)),
            Kind::Set => {
                let mut set = self.pool.set();
                let mut more = scanner.list()?;
                while more {
                    set.push(self.object(scanner)?);
                    more = scanner.more(b']')?;
                }
                set.sort_unstable();
                set.dedup();
                Value::Set(set)
            }
            Kind::Text => Value::Text(scanner.text()?.as_ref().into()),
        })
    }

    /// Reads `[["predicate","object",..],..]`.
    fn facts(&mut self, scanner: &mut Scanner<'_>, holds: bool, ceasing: &mut Vec<FactChange>) -> Parse<()> {
        let mut more = scanner.list()?;
        while more {
            scanner.peek()?;
            let at = scanner.position();
            let (name, mut another) = callee(scanner)?;
            let predicate = self.predicate(&name, at)?;
            let mut arguments = Arguments::new();
            while another {
                arguments.push(self.object(scanner)?);
                another = scanner.more(b']')?;
            }
            self.check(&name, &self.world.predicate(predicate).parameters, &arguments, at)?;
            let fact = FactChange { predicate, arguments, holds };
            let facts = if holds { &mut self.holding } else { &mut *ceasing };
            facts.push(fact);
            more = scanner.more(b']')?;
        }
        Ok(())
    }

    /// Reads `[["function","object",..,value],..]`.
    fn fluents(&mut self, scanner: &mut Scanner<'_>, delta: &mut Delta) -> Parse<()> {
        let mut more = scanner.list()?;
        while more {
            scanner.peek()?;
            let at = scanner.position();
            let (name, mut another) = callee(scanner)?;
            let function = self.function(&name, at)?;
            let mut arguments = Arguments::new();
            let mut value = None;
            while another && value.is_none() {
                if scanner.peek()? == b'"' {
                    arguments.push(self.object(scanner)?);
                } else {
                    value = Some(scanner.number()?.value);
                }
                another = scanner.more(b']')?;
            }
            let Some(value) = value.filter(|_| !another) else {
                let problem = Problem::WrongType("a list of a function, its objects, and a number at the end");
                return Ok(scanner.stop(at, problem)?);
            };
            self.check(&name, &self.world.function(function).parameters, &arguments, at)?;
            delta.fluents.push(FluentChange { function, arguments, value });
            more = scanner.more(b']')?;
        }
        Ok(())
    }

    fn predicate(&self, name: &str, at: usize) -> Parse<PredicateId> {
        let Some(id) = self.world.predicate_named(name) else {
            let names = self.world.predicates().iter().map(|predicate| &*predicate.name);
            return Err(self.unknown("predicate", name, names, at));
        };
        if self.world.predicate(id).meaning == PredicateMeaning::Stored {
            return Ok(id);
        }
        Err(self.not_stored("predicate", name, at))
    }

    fn function(&self, name: &str, at: usize) -> Parse<FunctionId> {
        let Some(id) = self.world.function_named(name) else {
            let names = self.world.functions().iter().map(|function| &*function.name);
            return Err(self.unknown("function", name, names, at));
        };
        if self.world.function(id).meaning == FunctionMeaning::Stored {
            return Ok(id);
        }
        Err(self.not_stored("function", name, at))
    }

    fn check(&self, name: &str, parameters: &[Parameter], arguments: &[ObjectId], at: usize) -> Parse<()> {
        let (least, most) = Parameter::arity(parameters);
        if !(least..=most).contains(&arguments.len()) {
            let wanted = match (least, most) {
                (1, 1) => "1 object".to_owned(),
                (least, most) if least == most => format!("{most} objects"),
                (least, most) => format!("{least} to {most} objects"),
            };
            let message = format!("`{name}` takes {wanted}, not {},", arguments.len());
            return Err(Fail::Meaning { at, code: codes::ARITY, message, help: None });
        }
        for (parameter, &object) in parameters.iter().zip(arguments) {
            if !parameter.types.iter().any(|&id| self.world.is_a(object, id)) {
                let types: Vec<_> = parameter.types.iter().map(|&id| &*self.world.type_decl(id).name).collect();
                let object = &self.world.object_decl(object).id;
                let message = format!("`{name}` takes {} here, which object `{object}` is not,", types.join(" or "));
                return Err(Fail::Meaning { at, code: codes::WRONG_OBJECT, message, help: None });
            }
        }
        Ok(())
    }

    fn object(&self, scanner: &mut Scanner<'_>) -> Parse<ObjectId> {
        scanner.peek()?;
        let at = scanner.position();
        let name = scanner.text()?;
        self.resolve(&name, at)
    }

    /// The object of this id or alias, or of this name in programs.
    fn resolve(&self, name: &str, at: usize) -> Parse<ObjectId> {
        let found = self.world.object_recorded(name).or_else(|| self.world.object_named(name));
        found.ok_or_else(|| {
            let ids = self.world.objects().iter().map(|object| &*object.id);
            self.unknown("object", name, ids.chain(self.world.term_names().map(|(name, _)| name)), at)
        })
    }

    #[cold]
    fn unknown<'a>(&self, what: &str, name: &str, names: impl IntoIterator<Item = &'a str>, at: usize) -> Fail {
        Fail::Meaning {
            at,
            code: codes::UNKNOWN_NAME,
            message: format!("world `{}` has no {what} `{name}`,", self.world.name()),
            help: did_you_mean(name, names),
        }
    }

    #[cold]
    fn not_stored(&self, what: &str, name: &str, at: usize) -> Fail {
        Fail::Meaning {
            at,
            code: codes::NOT_STORED,
            message: format!("{what} `{name}` is computed by world `{}` and cannot be given", self.world.name()),
            help: Some("give the attributes that it is computed from".to_owned()),
        }
    }
}

/// Reads `["name"` and the comma; says whether arguments follow.
fn callee(scanner: &mut Scanner<'_>) -> Parse<(String, bool)> {
    if !scanner.list()? {
        let problem = Problem::WrongType("a list that begins with a name");
        return Ok(scanner.stop(scanner.position(), problem)?);
    }
    let name = scanner.text()?.into_owned();
    Ok((name, scanner.more(b']')?))
}

fn vector(scanner: &mut Scanner<'_>) -> Parse<DVec3> {
    const EXPECTED: &str = "a list of three numbers";
    if scanner.peek()? != b'[' {
        return Ok(scanner.stop(scanner.position(), Problem::WrongType(EXPECTED))?);
    }
    let start = scanner.position();
    let mut vector = [0.0; 3];
    let mut count = 0;
    let mut more = scanner.list()?;
    while more {
        let number = scanner.number()?.value;
        if let Some(slot) = vector.get_mut(count) {
            *slot = number;
        }
        count += 1;
        more = scanner.more(b']')?;
    }
    if count != 3 {
        return Ok(scanner.stop(start, Problem::WrongType(EXPECTED))?);
    }
    Ok(DVec3::from_array(vector))
}

fn count(scanner: &mut Scanner<'_>) -> Parse<u64> {
    scanner.peek()?;
    let at = scanner.position();
    let number = scanner.number()?.whole();
    match number.map(u64::try_from) {
        Some(Ok(count)) => Ok(count),
        _ => Ok(scanner.stop(at, Problem::WrongType("a whole number from 0 on"))?),
    }
}
