//! Machine code for functions that are called often.
//!
//! A function begins in the register machine. Once it was called so often that compiling it pays, it becomes machine code, which does the
//! same: its value is the value, its exceptions are the same, and so are the reasons for handing a call over. Beyond what it has
//! room for, a call is run again by the register machine.

mod lower;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use goalspec_native::{Code as Machine, Memory, Outcome, Program, Rows, Stop};

use super::frame::Frame;
use super::run::{Code, Exit, Why};

/// So many calls make a function hot. Compiling takes two to ten milliseconds, and a call of machine code saves 50 to 500 nanoseconds, so that it
/// pays after about as many. Programs that are tried over a recording of some thousand frames are better off without.
const HOT: u32 = 20_000;

/// After so many calls in a row that machine code gave up, an environment does without, until it is reset.
const GIVEN_UP: u32 = 16;

const _: () = assert!(super::op::MAX_KEYS <= goalspec_native::MAX_KEYS);

/// How calls end, in the last four bits of an end's number; what is before them says which exception or reason it is.
mod end {
    pub(super) const INT: u32 = 0;
    pub(super) const FLOAT: u32 = 1;
    pub(super) const BOOL: u32 = 2;
    pub(super) const NONE: u32 = 3;
    pub(super) const RAISE: u32 = 4;
    pub(super) const HAND_OVER: u32 = 5;
}

/// A function's machine code, once there is any.
#[derive(Debug, Default)]
pub(super) struct Native {
    calls: AtomicU32,
    compiled: OnceLock<Result<(Machine, Duration), String>>,
}

/// What an environment keeps for machine code.
#[derive(Debug, Default)]
pub(super) struct Room {
    memory: Option<Box<Memory>>,
    /// How many calls ran to an end.
    pub(super) ran: u64,
    given_up: u32,
}

impl Room {
    /// Has calls be tried as machine code again.
    pub(super) fn reset(&mut self) {
        self.given_up = 0;
    }
}

impl Native {
    /// Compiles a function, if that has not been done. How long it took.
    pub(super) fn compile(&self, code: &Code) -> Result<Duration, &str> {
        let compiled = self.compiled.get_or_init(|| {
            let started = Instant::now();
            let machine = compile(code)?;
            Ok((machine, started.elapsed()))
        });
        compiled.as_ref().map(|(_, took)| *took).map_err(String::as_str)
    }

    /// Counts a call, and compiles the function at the one that makes it hot.
    fn count(&self, code: &Code) {
        if self.calls.fetch_add(1, Ordering::Relaxed) == HOT {
            let _ = self.compile(code);
        }
    }

    /// Has there be no machine code, unless there is already.
    pub(super) fn refuse(&self) {
        let _ = self.compiled.set(Err("machine code is not wanted".to_owned()));
    }

    /// Runs a call, if there is machine code and it gets to the end.
    pub(super) fn run(&self, code: &Code, room: &mut Room, frame: &Frame, fuel: i64) -> Option<Exit> {
        let Some(compiled) = self.compiled.get() else {
            self.count(code);
            return None;
        };
        let (machine, _) = compiled.as_ref().ok()?;
        if room.given_up >= GIVEN_UP {
            return None;
        }
        let memory = room.memory.get_or_insert_default();
        let rows = Rows { rows: &frame.rows, classes: &frame.classes, planes: &frame.planes };
        let exit = exit(machine.run(rows, memory, fuel));
        if exit.is_some() {
            room.given_up = 0;
            room.ran += 1;
        } else {
            room.given_up += 1;
        }
        exit
    }
}

fn compile(code: &Code) -> Result<Machine, String> {
    if code.changes_objects || code.changes_scene {
        return Err("objects change".to_owned());
    }
    let program = Program::new(lower::lower(code)).map_err(|why| why.to_string())?;
    Machine::compile(&program)
}

/// What a run comes to, if it is not given up.
fn exit(outcome: Outcome) -> Option<Exit> {
    let (code, [value, _]) = match outcome {
        Outcome::Ended { code, values } => (code, values),
        Outcome::Stopped(stop) => return stopped(stop).map(Exit::from),
    };
    let which = (code >> 4) as u16;
    Some(match code & 15 {
        end::INT => Exit::Int(value.cast_signed()),
        end::FLOAT => Exit::Float(f64::from_bits(value)),
        end::BOOL => Exit::Bool(value != 0),
        end::NONE => Exit::None,
        end::RAISE => Exit::Raised(which),
        _ => Exit::HandedOver(which),
    })
}

/// Why a call is handed over that stopped, if it is not only given up.
#[cold]
fn stopped(stop: Stop) -> Option<Why> {
    match stop {
        Stop::Overflow => Some(Why::Number),
        Stop::Division => Some(Why::Division),
        Stop::Fuel => Some(Why::Budget),
        Stop::Unordered => Some(Why::Order),
        Stop::Bounds | Stop::Left => None,
    }
}
