//! Compilation of frequently called functions to machine code.
//!
//! A function starts in the register machine. Once its calls have used much fuel there, a thread compiles it to machine code with the
//! same results: the same values, the same exceptions, and the same reasons for handing a call over. Calls go on in the register machine
//! until the code is there. The register machine also runs calls again that exceed the capacity of machine code.

mod host;
mod lower;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use goalspec_native::{ListMemory, MachineCode as Machine, Program, Rows, RunOutcome, Trap};

use super::frame::PreparedFrame;
use super::run::{Exit, FallbackReason, RegisterCode};
use host::RareOps;

/// The fuel that a function has used when it is hot. A call uses some hundreds of units; compilation takes two to ten milliseconds of a
/// thread beside the run, and saves a nanosecond or two of each unit.
const HOT_WORK: u64 = 1_000_000;

/// The number of consecutive abandoned calls after which an environment stops using machine code until it is reset.
const MAX_CONSECUTIVE_BAILOUTS: u32 = 16;

const _: () = assert!(super::op::MAX_KEYS <= goalspec_native::MAX_KEYS);

/// Kinds of exits, in the lowest four bits of an exit code; the bits above are the index of the exception or reason.
mod exit_kind {
    pub(super) const INT: u32 = 0;
    pub(super) const FLOAT: u32 = 1;
    pub(super) const BOOL: u32 = 2;
    pub(super) const NONE: u32 = 3;
    pub(super) const RAISE: u32 = 4;
    pub(super) const HAND_OVER: u32 = 5;
    pub(super) const COMPONENTS: u32 = 6;
}

/// A function's machine code, once it is compiled.
#[derive(Debug, Default)]
pub(super) struct NativeFunction {
    /// The fuel that calls in the register machine have used.
    work: AtomicU64,
    compiled: OnceLock<Result<(Machine, Duration), String>>,
}

/// The memory of calls of machine code; `None` before the first one.
pub(super) type NativeMemory = Option<Box<ListMemory>>;

/// The calls of machine code in an environment.
#[derive(Debug, Default)]
pub(super) struct NativeCalls {
    /// The number of calls that ran to the end.
    pub(super) completed: u64,
    consecutive_bailouts: u32,
}

impl NativeCalls {
    /// Allows calls to use machine code again.
    pub(super) fn reset(&mut self) {
        self.consecutive_bailouts = 0;
    }
}

impl NativeFunction {
    /// Compiles a function unless it is compiled already, and returns the time that the compilation took.
    pub(super) fn compile(&self, code: &RegisterCode) -> Result<Duration, &str> {
        let compiled = self.compiled.get_or_init(|| {
            let started = Instant::now();
            let machine = compile(code)?;
            Ok((machine, started.elapsed()))
        });
        compiled.as_ref().map(|(_, took)| *took).map_err(String::as_str)
    }

    /// Counts the work of a call in the register machine; starts the compilation of the function when it becomes hot.
    pub(super) fn count_work(self: &Arc<Self>, code: &Arc<RegisterCode>, work: u64) {
        if self.compiled.get().is_some() {
            return;
        }
        let before = self.work.fetch_add(work, Ordering::Relaxed);
        if before < HOT_WORK && before.saturating_add(work) >= HOT_WORK {
            let (function, code) = (Arc::clone(self), Arc::clone(code));
            let compile = move || {
                let _ = function.compile(&code);
            };
            // Without a thread, calls stay in the register machine.
            let _ = std::thread::Builder::new().name("machine code".to_owned()).spawn(compile);
        }
    }

    /// Prevents compilation, unless the function is compiled already.
    pub(super) fn disable(&self) {
        let _ = self.compiled.set(Err("machine code was not requested".to_owned()));
    }

    /// Runs a call on a frame and the state of the module. `None` if there is no machine code or the call was abandoned.
    pub(super) fn run(
        &self,
        calls: &mut NativeCalls,
        memory: &mut NativeMemory,
        code: &RegisterCode,
        (frame, state): (&PreparedFrame, &[Vec<u64>]),
        fuel: i64,
    ) -> Option<Exit> {
        let (machine, _) = self.compiled.get()?.as_ref().ok()?;
        if calls.consecutive_bailouts >= MAX_CONSECUTIVE_BAILOUTS {
            return None;
        }
        let memory = memory.get_or_insert_default();
        let rows = Rows { fields: &frame.rows, classes: &frame.classes, class_rows: &frame.class_rows };
        let exit = if memory.set_lists(state) {
            exit(machine.run(rows, memory, fuel, &RareOps { code, frame }))
        } else {
            None
        };
        if exit.is_some() {
            calls.consecutive_bailouts = 0;
            calls.completed += 1;
        } else {
            calls.consecutive_bailouts += 1;
        }
        exit
    }
}

/// Returns a list of the last run of machine code; an empty one if there is none.
pub(super) fn list(memory: &NativeMemory, list: usize) -> &[u64] {
    memory.as_ref().map_or(&[], |memory| memory.list(list))
}

/// Returns the values of the last run of machine code.
pub(super) fn values(memory: &NativeMemory) -> [u64; 3] {
    memory.as_ref().map_or([0; 3], |memory| memory.values())
}

fn compile(code: &RegisterCode) -> Result<Machine, String> {
    if code.mutates_objects || code.mutates_scene {
        return Err("objects change".to_owned());
    }
    let initial_lists = if code.state.is_empty() { 0 } else { 1 + code.state.objects.len() };
    let program = Program::new(lower::lower(code), initial_lists).map_err(|reason| reason.to_string())?;
    Machine::compile(&program).map_err(|error| error.to_string())
}

/// Converts the outcome of machine code to an exit; `None` if the call was abandoned.
fn exit(outcome: RunOutcome) -> Option<Exit> {
    let (code, [value, ..]) = match outcome {
        RunOutcome::Finished { code, values } => (code, values),
        RunOutcome::Trapped(stop) => return trap_reason(stop).map(Exit::from),
    };
    let which = (code >> 4) as u16;
    Some(match code & 15 {
        exit_kind::INT => Exit::Int(value.cast_signed()),
        exit_kind::FLOAT => Exit::Float(f64::from_bits(value)),
        exit_kind::BOOL => Exit::Bool(value != 0),
        exit_kind::NONE => Exit::None,
        exit_kind::RAISE => Exit::Raised(which),
        exit_kind::COMPONENTS => Exit::Components(which),
        _ => Exit::Fallback(which),
    })
}

/// Returns the reason for handing a stopped call over; `None` if the register machine runs it again.
#[cold]
fn trap_reason(stop: Trap) -> Option<FallbackReason> {
    match stop {
        Trap::Overflow => Some(FallbackReason::Overflow),
        Trap::DivisionByZero => Some(FallbackReason::DivisionByZero),
        Trap::OutOfFuel => Some(FallbackReason::OutOfFuel),
        Trap::UnorderedKeys => Some(FallbackReason::Unordered),
        Trap::OutOfBounds | Trap::Bailout => None,
    }
}
