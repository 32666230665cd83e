//! Machine code, and the only place where it is run.

#![allow(unsafe_code, reason = "machine code is run; the head of the crate says why that is sound")]

use std::fmt;

use cranelift_codegen::Context;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError, default_libcall_names};

use crate::emit::{Target64, emit};
use crate::facts::Stretches;
use crate::lists::{Lists, Memory, Words};
use crate::op::{FIELDS, MAX_KEYS, MAX_ROWS, Outcome, Rows, Stop};
use crate::program::Program;

/// What machine code takes: the rows, how many they are, their classes and planes, the lists, and the fuel. Behind the lists, it leaves
/// the values of [`Op::End`](crate::Op::End).
type Entry = extern "C" fn(*const [i32; FIELDS], u64, *const u8, *const [u64; 64], *mut u64, i64) -> u64;

/// A program as machine code of this computer.
pub struct Code {
    module: Option<JITModule>,
    entry: Entry,
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Code").finish_non_exhaustive()
    }
}

// SAFETY: once compiled, nothing of the module is used but its memory, and that is only read and executed until `drop` frees it, which has
// the one reference that is left.
unsafe impl Send for Code {}
// SAFETY: as above; runs share nothing but the machine code, which does not change.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: runs borrow `self`, so none goes on, and `entry` cannot be called after this.
            unsafe { module.free_memory() };
        }
    }
}

impl Code {
    /// Compiles a program, which takes milliseconds.
    ///
    /// # Errors
    /// In words, if there is no compiler for this computer, or it fails.
    pub fn compile(program: &Program) -> Result<Self, String> {
        let mut flags = settings::builder();
        let choices = [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ];
        let checked = ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" });
        for (name, value) in choices.into_iter().chain([checked]) {
            flags.set(name, value).map_err(|error| error.to_string())?;
        }
        let host = cranelift_native::builder()?;
        let isa = host.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
        let target = Target64 { convention: isa.default_call_conv(), config: isa.frontend_config() };
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        emit(program, &Stretches::of(program), target, &mut context.func);
        let id = match finish(&mut module, &mut context) {
            Ok(id) => id,
            Err(error) => {
                // SAFETY: nothing of the module has been run, and no address of it is kept.
                unsafe { module.free_memory() };
                return Err(error);
            }
        };
        let address = module.get_finalized_function(id);
        // SAFETY: the address is that of a function that was compiled with this signature and this computer's calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Self { module: Some(module), entry })
    }

    /// Runs the program. What lists a run before left in memory does not matter.
    #[inline]
    pub fn run(&self, rows: Rows<'_>, memory: &mut Memory, fuel: i64) -> Outcome {
        let count = rows.rows.len();
        if count > MAX_ROWS || rows.classes.len() != count {
            return Outcome::Stopped(Stop::Left);
        }
        if fuel < 0 {
            return Outcome::Stopped(Stop::Fuel);
        }
        memory.words[0] = count as u64;
        let lists = memory.words.as_mut_ptr();
        let over = (self.entry)(rows.rows.as_ptr(), count as u64, rows.classes.as_ptr(), rows.planes, lists, fuel);
        match over & 0xff {
            0 => Outcome::Ended { code: (over >> 8) as u32, values: memory.values() },
            stop => Outcome::Stopped(Stop::ALL.get(stop as usize - 1).copied().unwrap_or(Stop::Left)),
        }
    }
}

/// Compiles a function and has the processor run what comes of it.
fn finish(module: &mut JITModule, context: &mut Context) -> Result<FuncId, String> {
    let words = |error: ModuleError| error.to_string();
    let id = module.declare_function("run", Linkage::Local, &context.func.signature).map_err(words)?;
    module.define_function(id, context).map_err(words)?;
    module.finalize_definitions().map_err(words)?;
    Ok(id)
}

/// What machine code gets of what was done with a list.
fn status(done: Result<(), Stop>) -> u64 {
    done.map_or_else(|stop| stop as u64 + 1, |()| 0)
}

/// The lists at an address that machine code passes on.
///
/// # Safety
/// It has to be that of a run's memory, and nothing else may use that until the result is gone.
unsafe fn lists<'m>(words: *mut u64) -> Lists<'m> {
    // SAFETY: the caller says that there are as many words, and nobody else uses them.
    Lists(unsafe { &mut *words.cast::<Words>() })
}

/// [`Lists::remove`] for machine code.
///
/// # Safety
/// As of [`lists`].
pub(crate) unsafe extern "C" fn remove(words: *mut u64, list: u64, place: u64) -> u64 {
    // SAFETY: passed on.
    status(unsafe { lists(words) }.remove(list, place))
}

/// [`Lists::extend`] for machine code.
///
/// # Safety
/// As of [`lists`].
pub(crate) unsafe extern "C" fn extend(words: *mut u64, list: u64, other: u64) -> u64 {
    // SAFETY: passed on.
    status(unsafe { lists(words) }.extend(list, other))
}

const _: () = assert!(MAX_KEYS == 4, "`sort` takes so many keys");

/// [`Lists::sort`] for machine code: `what` is how many keys there are, and whether they are floats behind eight bits.
///
/// # Safety
/// As of [`lists`].
pub(crate) unsafe extern "C" fn sort(words: *mut u64, list: u64, what: u64, a: u64, b: u64, c: u64, d: u64) -> u64 {
    let keys: [u64; MAX_KEYS] = [a, b, c, d];
    let count = ((what & 0xff) as usize).min(keys.len());
    // SAFETY: passed on.
    status(unsafe { lists(words) }.sort(list, &keys[..count], what >> 8 != 0))
}
