//! The reference machine: values, exceptions and messages as `CPython` 3.11 has them.
//!
//! | module | what lives there |
//! |---|---|
//! | `value`, `heap`, `trace`, `dict`, `table` | values and what they refer to |
//! | `frame`, `run`, `variables` | functions that are running, instruction by instruction |
//! | `call` | arguments and parameters |
//! | `operators`, `sequences`, `in_place`, `compare`, `hashes`, `numbers` | arithmetic and comparisons |
//! | `attributes`, `assign`, `items`, `entries`, `iterators` | `a.b`, `a[b]`, `for a in b` |
//! | `imports` | modules |
//! | `builtins`, `convert`, `math`, `methods`, `construct` | functions, methods and classes that are built in |
//! | `text`, `format`, `template`, `shortest` | values as text |
//! | `strings`, `sets`, `ranges` | methods of texts and sets, and ranges |
//! | `types`, `classes`, `protocols`, `kinds` | classes of the program and objects of theirs; which class a value is of |
//! | `typing`, `forms` | what annotations are made of; classes checked against that |
//! | `library` | `collections`, `itertools` and other libraries of Python's own |
//! | `exceptions` | exceptions, and what ends a run |
//! | `screen`, `entities` | the objects that reward functions look at |
//! | `numpy` | vectors |
//! | `watch` | what an observer is told |

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "lengths and places fit both, as memory is limited"
)]
#![allow(clippy::float_cmp, reason = "floats are compared as programs do")]

mod assign;
mod attributes;
mod builtins;
mod bytes;
mod call;
mod classes;
mod compare;
mod construct;
mod convert;
mod dict;
mod entities;
mod entries;
mod exceptions;
mod format;
mod forms;
mod frame;
mod hashes;
mod heap;
mod imports;
mod in_place;
mod items;
mod iterators;
mod kinds;
mod known;
mod library;
mod math;
mod methods;
mod numbers;
mod numpy;
mod operators;
mod protocols;
mod ranges;
mod reward;
mod run;
mod screen;
mod sequences;
mod sets;
mod shortest;
mod strings;
mod table;
mod template;
mod text;
mod trace;
mod types;
mod typing;
mod value;
mod variables;
mod watch;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;

use crate::code::{CodeId, Constant, Program, Symbol};
use crate::limits::Budget;
use crate::observe::Observer;
use crate::scene::{Objects, SceneObject, World};
use call::Named;
use dict::Flavor;
use exceptions::{Exception, ExceptionKind, Fault, Outcome};
use frame::{Frame, Purpose};
use heap::Heap;
use value::{Cell, Ref, Value};

pub(crate) use classes::is_base;
pub(crate) use exceptions::is_built_in;
pub(crate) use known::Known;
pub(crate) use operators::float_floor_division;

pub use exceptions::{Earlier, Place, Resource};
pub use reward::{Reward, Warning};

pub(crate) use entities::BOX;
pub(crate) use math::{MATH_NAMES, length};
pub(crate) use numpy::{Accuracy, CONSTANTS as NUMPY_CONSTANTS, FUNCTIONS as NUMPY_FUNCTIONS, kind_named};
pub(crate) use screen::WINDS;
pub(crate) use typing::{OF_COLLECTIONS as ABSTRACT_COLLECTIONS, names as typing_names};

/// So many elements or bytes that are only moved or compared count as a unit of work.
const BULK: u64 = 32;

/// Units of work beside those of an instruction, by what the reference machine takes for them; `benches/work.rs` measures what a unit takes.
mod cost {
    /// To begin a call of a function of the program.
    pub(super) const CALL: u64 = 3;
    /// To call a function, a method or a class that is built in.
    pub(super) const BUILTIN: u64 = 2;
    /// To ask an iterator for its next value.
    pub(super) const NEXT: u64 = 3;
    /// To compare two values, to compute with two, or to find an entry by its key.
    pub(super) const OPERATION: u64 = 1;
    /// To write a value as text.
    pub(super) const TEXT: u64 = 4;
    /// To lay out a value by a format.
    pub(super) const FORMAT: u64 = 6;
    /// To leave a function by an exception.
    pub(super) const UNWIND: u64 = 3;
    /// So many bytes of a text that are looked at or copied count as a unit of work.
    pub(super) const BYTES: u64 = 8;
    /// To make a class, and for each of its names.
    pub(super) const CLASS: u64 = 16;
}

/// The class of enumerations.
const ENUM_TYPE: &str = "EnumType";

/// What a name takes beside its letters.
const NAME: usize = 64;

/// Whether every program has a name.
pub(crate) fn has_builtin(name: &str) -> bool {
    Machine::builtin(name).is_some()
}

/// What a call gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A whole number that fits.
    Int(i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Something else, as `repr` writes it.
    Other(String),
}

/// Why a call gives nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// An exception that nothing handled.
    Exception {
        /// The name of its class.
        kind: String,
        /// What it says.
        message: String,
        /// Where it passed, outermost first.
        traceback: Vec<Place>,
        /// What was being handled when it was raised, or what it was raised from: the first one first.
        earlier: Vec<Earlier>,
    },
    /// The budget is used up.
    Exhausted {
        /// What of it.
        resource: Resource,
        /// Where: the lines of all open calls, outermost first.
        traceback: Vec<Place>,
    },
    /// A call gave something that is no reward.
    NoReward {
        /// What it gave.
        what: String,
        /// Where it returned.
        place: Option<Place>,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = |traceback: &[Place]| traceback.last().map_or(0, |place| place.line);
        match self {
            Self::Exception { kind, message, .. } if message.is_empty() => f.write_str(kind),
            Self::Exception { kind, message, .. } => write!(f, "{kind}: {message}"),
            Self::NoReward { what, place } => {
                write!(f, "a reward is a number, or a number and a dict of its parts; this is {what}")?;
                match place {
                    Some(place) => write!(f, ", returned in line {}", place.line),
                    None => Ok(()),
                }
            }
            Self::Exhausted { resource, traceback } => {
                write!(f, "{resource} in line {}", line(traceback))
            }
        }
    }
}

impl std::error::Error for Error {}

/// A program that runs: its variables live from call to call until it is [reset](Self::reset).
#[derive(Debug)]
pub struct Machine<'m> {
    program: &'m Program,
    world: &'m World,
    budget: Budget,
    heap: Heap,
    /// Names of the program, then those that came up while it ran.
    names: IndexSet<Arc<str>>,
    /// Bytes of the names that came up, by estimate.
    named: usize,
    globals: IndexMap<Symbol, Value>,
    frames: Vec<Frame>,
    /// Units of work left of this call.
    left: u64,
    /// Units of work that the top level took.
    set_up: u64,
    /// How deeply values are being compared, hashed or written.
    nesting: usize,
    /// The collections that are being written: within themselves they are not written again.
    writing: Vec<Ref>,
    /// The enumerations whose bodies are running, innermost last.
    enum_bodies: Vec<library::EnumBody>,
    /// Whether cells may be freed while frames run: nothing but globals and frames refers to them then.
    frees: bool,
    printed: String,
    warnings: Vec<Warning>,
    /// Where the last call returned.
    returned: Option<Place>,
    /// Who looks on.
    observer: Option<Box<Observer>>,
    /// What the attributes of objects are called; `None` until there are any.
    layouts: Option<Arc<entities::Layouts>>,
    /// The enumeration of the winds, once it was asked for.
    winds: Option<Ref>,
}

impl<'m> Machine<'m> {
    /// A machine whose program has been run down to its end, so that its functions are there.
    ///
    /// # Errors
    /// If the program's top level faults.
    pub fn new(program: &'m Program, world: &'m World, budget: Budget) -> Result<Self, Error> {
        let mut machine = Self {
            program,
            world,
            budget,
            heap: Heap::default(),
            names: program.names.iter().cloned().collect(),
            named: 0,
            globals: IndexMap::new(),
            frames: Vec::new(),
            left: 0,
            set_up: 0,
            nesting: 0,
            writing: Vec::new(),
            enum_bodies: Vec::new(),
            frees: false,
            printed: String::new(),
            warnings: Vec::new(),
            returned: None,
            observer: None,
            layouts: None,
            winds: None,
        };
        machine.reset()?;
        Ok(machine)
    }

    /// Forgets everything that calls left behind, as before an episode.
    ///
    /// # Errors
    /// If the program's top level faults.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.globals.clear();
        self.names.truncate(self.program.names.len());
        self.named = 0;
        self.heap = Heap::default();
        self.winds = None;
        self.printed.clear();
        // As of a module that is imported: what stands under `if __name__ == "__main__":` is not run.
        let module = Arc::clone(&self.program.module);
        let name = self.heap.text(&module);
        let symbol = self.symbol("__name__");
        self.globals.insert(symbol, name);
        self.begin();
        let frame = self.frame(CodeId(0), Vec::new(), Purpose::Callback, None);
        self.frees = true;
        let outcome = self.run_frame(frame);
        self.frees = false;
        self.set_up = self.spent();
        self.end(outcome).map(|_| ())
    }

    /// Calls a function of the program with the objects of a scene.
    ///
    /// # Errors
    /// If it raises an exception or uses up the budget.
    pub fn call(&mut self, function: &str, scene: &[SceneObject]) -> Result<Given, Error> {
        self.begin();
        let outcome = self.call_with_scene(function, scene);
        self.end(outcome)
    }

    /// What the last call printed.
    pub fn printed(&self) -> &str {
        &self.printed
    }

    fn call_with_scene(&mut self, function: &str, scene: &[SceneObject]) -> Outcome {
        let symbol = self.symbol(function);
        let Some(&called) = self.globals.get(&symbol) else {
            return Err(self.raise(ExceptionKind::NameError, &format!("name '{function}' is not defined")));
        };
        let objects = self.scene(Objects::Screen(scene))?;
        self.call_from_outside(called, &[Value::Ref(objects)], &[])
    }

    /// Calls what was asked for from outside.
    fn call_from_outside(&mut self, called: Value, arguments: &[Value], named: Named<'_>) -> Outcome {
        self.frees = matches!(called, Value::Ref(at) if matches!(self.heap.get(at), Cell::Function(_)));
        let outcome = self.call_value(called, arguments, named);
        self.frees = false;
        outcome
    }

    fn begin(&mut self) {
        self.left = self.budget.work;
        self.heap.take_work();
        self.frames.clear();
        self.nesting = 0;
        self.writing.clear();
        self.printed.clear();
        self.warnings.clear();
        self.returned = None;
    }

    /// What a caller outside sees of an outcome. Frees what is no longer needed.
    fn end(&mut self, outcome: Outcome) -> Result<Given, Error> {
        let given = match outcome {
            Ok(Value::Int(number)) => Ok(Given::Int(number)),
            Ok(Value::Float(number)) => Ok(Given::Float(number)),
            Ok(Value::Bool(truth)) => Ok(Given::Bool(truth)),
            Ok(Value::Numpy(scalar)) => Ok(match numpy::native(scalar) {
                Value::Int(number) => Given::Int(number),
                Value::Bool(truth) => Given::Bool(truth),
                _ => Given::Float(scalar.float()),
            }),
            Ok(value) => match self.repr(value) {
                Ok(text) => Ok(Given::Other(text)),
                Err(fault) => Err(self.error(&fault)),
            },
            Err(fault) => Err(self.error(&fault)),
        };
        self.settle();
        given
    }

    fn free(&mut self) {
        let mut roots: Vec<Value> = self.globals.values().copied().chain(self.winds.map(Value::Ref)).collect();
        for frame in &self.frames {
            frame.parts(&mut |value| roots.push(value));
        }
        self.heap.free_all_but(roots);
    }

    fn error(&mut self, fault: &Fault) -> Error {
        match *fault {
            Fault::Raised(at) => {
                let earlier = self.earlier(at);
                let (kind, message, traceback) = self.told(at);
                Error::Exception { kind, message, traceback, earlier }
            }
            Fault::Exhausted(resource) => {
                let traceback = self.frames.iter().map(|frame| self.place(frame)).collect();
                Error::Exhausted { resource, traceback }
            }
        }
    }

    /// What an exception is called, what it says, and where it passed, outermost first.
    fn told(&mut self, at: Ref) -> (String, String, Vec<Place>) {
        let Cell::Exception(exception) = self.heap.get(at) else { unreachable!("only exceptions are raised") };
        let mut traceback = exception.traceback.clone();
        traceback.reverse();
        let kind = self.class_name(Value::Ref(at)).to_string();
        (kind, self.exception_text(at).unwrap_or_default(), traceback)
    }

    /// The exceptions that an exception goes back to, the first one first.
    fn earlier(&mut self, at: Ref) -> Vec<Earlier> {
        let mut found = Vec::new();
        let mut seen = vec![at];
        let mut at = at;
        while let Cell::Exception(exception) = self.heap.get(at) {
            let (next, is_cause) = match exception.cause {
                Some(Value::Ref(cause)) if matches!(self.heap.get(cause), Cell::Exception(_)) => (Some(cause), true),
                Some(_) => (None, true),
                None => (exception.context, false),
            };
            let Some(next) = next.filter(|next| !seen.contains(next)) else { break };
            let (kind, message, traceback) = self.told(next);
            found.push(Earlier { kind, message, traceback, is_cause });
            seen.push(next);
            at = next;
        }
        found.reverse();
        found
    }

    /// Where a frame is.
    fn place(&self, frame: &Frame) -> Place {
        let code = self.program.code(frame.code);
        self.program.place(code, frame.next.saturating_sub(1))
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        let place = self.names.get_index_of(name).unwrap_or_else(|| {
            self.named += NAME + name.len();
            self.names.insert_full(name.into()).0
        });
        Symbol(place as u32)
    }

    fn name(&self, symbol: Symbol) -> Arc<str> {
        Arc::clone(&self.names[symbol.0 as usize])
    }

    /// An exception that is built in, with a message.
    fn raise(&mut self, kind: ExceptionKind, message: &str) -> Fault {
        let argument = self.heap.text(message);
        self.raise_with(kind, vec![argument])
    }

    fn raise_with(&mut self, kind: ExceptionKind, arguments: Vec<Value>) -> Fault {
        let context = self.frames.iter().rev().find_map(|frame| frame.handling.last().copied());
        let exception = Exception {
            kind,
            class: None,
            arguments,
            fields: IndexMap::new(),
            traceback: Vec::new(),
            cause: None,
            context,
        };
        Fault::Raised(self.heap.add(Cell::Exception(Box::new(exception))))
    }

    fn type_error(&mut self, message: &str) -> Fault {
        self.raise(ExceptionKind::TypeError, message)
    }

    /// Takes so many units of work from the budget, and those for what was made meanwhile.
    fn spend(&mut self, work: u64) -> Outcome<()> {
        let work = work.saturating_add(self.heap.take_work());
        if self.left < work {
            self.left = 0;
            return Err(Fault::Exhausted(Resource::Work));
        }
        self.left -= work;
        if self.heap.bytes() + self.named > self.budget.memory {
            Err(Fault::Exhausted(Resource::Memory))
        } else {
            Ok(())
        }
    }

    /// Runs something that may come back to itself on nested values.
    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.nesting >= self.budget.calls {
            return Err(Fault::Exhausted(Resource::Calls));
        }
        self.nesting += 1;
        let outcome = run(self);
        self.nesting -= 1;
        outcome
    }

    fn constant(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::None | Constant::Names(_) => Value::None,
            Constant::Ellipsis => Value::Ellipsis,
            Constant::Bool(truth) => Value::Bool(*truth),
            Constant::Int(number) => Value::Int(*number),
            Constant::Float(number) => Value::Float(*number),
            Constant::Text(symbol) => Value::Ref(self.heap.add(Cell::Text(self.name(*symbol)))),
            Constant::Bytes(bytes) => self.new_bytes(Arc::clone(bytes)),
            Constant::BigInt(digits) => {
                let digits = digits.replace('_', "").to_ascii_lowercase();
                let (base, digits) = match digits.get(..2) {
                    Some("0x") => (16, &digits[2..]),
                    Some("0o") => (8, &digits[2..]),
                    Some("0b") => (2, &digits[2..]),
                    _ => (10, &*digits),
                };
                self.big(BigInt::parse_bytes(digits.as_bytes(), base).unwrap_or_default())
            }
        }
    }
}
