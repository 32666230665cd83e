//! Machine code, and the only place where it is called.

#![allow(unsafe_code, reason = "machine code is run; the head of the crate says why that is sound")]

use std::fmt;

use cranelift_codegen::Context;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use crate::data_flow::BasicBlocks;
use crate::emit::{HostTarget, emit};
use crate::error::MachineCodeError;
use crate::lists::{ListMemory, Lists, MemoryWords};
use crate::op::{FIELDS, Host, MAX_KEYS, MAX_LISTS, MAX_ROWS, Rows, RunOutcome, Trap};
use crate::program::Program;

/// The host of a run, behind a pointer to the reference.
type HostPointer<'h> = *const &'h dyn Host;

/// The signature of compiled programs. The parameters are the rows, their number, their classes, the bit sets of the rows of each class,
/// the memory of lists, the fuel, the number of lists, and the host. At the end, the values of [`Op::End`](crate::Op::End) are in the
/// words after the lists.
type Entry =
    extern "C" fn(*const [i32; FIELDS], u64, *const u8, *const [u64; 64], *mut u64, i64, u64, *const ()) -> u64;

/// A program compiled to machine code of the host.
pub struct MachineCode {
    module: Option<JITModule>,
    entry: Entry,
    /// The number of lists that exist before a run, without list 0.
    initial_lists: usize,
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Code").finish_non_exhaustive()
    }
}

// SAFETY: after compilation, only the memory of the module is used. It is only read and executed until `drop`, which holds the last
// reference, frees it.
unsafe impl Send for MachineCode {}
// SAFETY: as above. Concurrent runs share only the machine code, which does not change.
unsafe impl Sync for MachineCode {}

impl Drop for MachineCode {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: runs borrow `self`, so none is active, and `entry` cannot be called after this.
            unsafe { module.free_memory() };
        }
    }
}

impl MachineCode {
    /// Compiles a program, which takes milliseconds.
    ///
    /// # Errors
    /// If the host is not supported or the compiler fails.
    pub fn compile(program: &Program) -> Result<Self, MachineCodeError> {
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
            flags.set(name, value).map_err(MachineCodeError::new)?;
        }
        let host = cranelift_native::builder().map_err(MachineCodeError::new)?;
        let isa = host.finish(settings::Flags::new(flags)).map_err(MachineCodeError::new)?;
        let target = HostTarget { convention: isa.default_call_conv(), config: isa.frontend_config() };
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        emit(program, &BasicBlocks::of(program), target, &mut context.func);
        let id = match finish(&mut module, &mut context) {
            Ok(id) => id,
            Err(error) => {
                // SAFETY: no function of the module has been called, and no address in it is kept.
                unsafe { module.free_memory() };
                return Err(error);
            }
        };
        let address = module.get_finalized_function(id);
        // SAFETY: the address is that of a function compiled with this signature and the calling convention of the host.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Self { module: Some(module), entry, initial_lists: program.initial_lists() })
    }

    /// Runs the program on the lists that were [set](ListMemory::set_lists); other lists that an earlier run left in `memory` have no
    /// effect. The run stops with [`Trap::Bailout`] if fewer lists were set than the program requires.
    #[inline]
    pub fn run(&self, rows: Rows<'_>, memory: &mut ListMemory, fuel: i64, host: &dyn Host) -> RunOutcome {
        let count = rows.fields.len();
        if count > MAX_ROWS || rows.classes.len() != count || memory.initial_lists < self.initial_lists {
            return RunOutcome::Trapped(Trap::Bailout);
        }
        if fuel < 0 {
            return RunOutcome::Trapped(Trap::OutOfFuel);
        }
        memory.words[0] = count as u64;
        let list_count = memory.initial_lists as u64 + 1;
        let (fields, classes) = (rows.fields.as_ptr(), rows.classes.as_ptr());
        let lists = memory.words.as_mut_ptr();
        let host: HostPointer<'_> = &raw const host;
        let outcome =
            (self.entry)(fields, count as u64, classes, rows.class_rows, lists, fuel, list_count, host.cast());
        match outcome & 0xff {
            0 => RunOutcome::Finished { code: (outcome >> 8) as u32, values: memory.values() },
            stop => RunOutcome::Trapped(Trap::ALL.get(stop as usize - 1).copied().unwrap_or(Trap::Bailout)),
        }
    }
}

/// Compiles a function and makes it executable.
fn finish(module: &mut JITModule, context: &mut Context) -> Result<FuncId, MachineCodeError> {
    let id = module.declare_function("run", Linkage::Local, &context.func.signature).map_err(MachineCodeError::new)?;
    module.define_function(id, context).map_err(MachineCodeError::new)?;
    module.finalize_definitions().map_err(MachineCodeError::new)?;
    Ok(id)
}

/// Encodes the result of a list operation for machine code: 0 for success, otherwise 1 plus the number of the [`Trap`].
fn status(done: Result<(), Trap>) -> u64 {
    done.map_or_else(|stop| stop as u64 + 1, |()| 0)
}

/// Returns the lists at an address that machine code passes.
///
/// # Safety
/// The address must be that of a run's memory, which nothing else may access during the lifetime of the result.
unsafe fn lists<'m>(words: *mut u64) -> Lists<'m> {
    // SAFETY: the caller guarantees that the memory has this many words and that nothing else accesses it.
    Lists::new(unsafe { &mut *words.cast::<MemoryWords>() }, MAX_LISTS as u64)
}

/// Runs [`Host::call`] for machine code. The arguments are in the memory, and the results are stored there.
///
/// # Safety
/// The requirements of [`lists`] apply; `host` must be the pointer that was passed to the running machine code.
pub(crate) unsafe extern "C" fn call_host(words: *mut u64, host: *const (), function: u64, list_count: u64) -> u64 {
    // SAFETY: guaranteed by the caller. The reference outlives the run.
    let (host, words) = unsafe { (*host.cast::<&dyn Host>(), &mut *words.cast::<MemoryWords>()) };
    let mut lists = Lists::new(words, list_count);
    let arguments = lists.arguments();
    status(host.call(function as u32, &arguments, &mut lists).map(|result| {
        let [value, other] = result.values;
        lists.set_results([value, other, result.cost & 0xffff_ffff]);
    }))
}

/// Runs [`Lists::remove`] for machine code.
///
/// # Safety
/// The requirements of [`lists`] apply.
pub(crate) unsafe extern "C" fn remove(words: *mut u64, list: u64, place: u64) -> u64 {
    // SAFETY: guaranteed by the caller.
    status(unsafe { lists(words) }.remove(list, place))
}

/// Runs [`Lists::extend`] for machine code.
///
/// # Safety
/// The requirements of [`lists`] apply.
pub(crate) unsafe extern "C" fn extend(words: *mut u64, list: u64, other: u64) -> u64 {
    // SAFETY: guaranteed by the caller.
    status(unsafe { lists(words) }.extend(list, other))
}

const _: () = assert!(MAX_KEYS == 4, "`sort` takes so many keys");

/// Runs [`Lists::sort`] for machine code. The low eight bits of `flags` are the number of keys; the other bits are nonzero if the keys
/// are floats.
///
/// # Safety
/// The requirements of [`lists`] apply.
pub(crate) unsafe extern "C" fn sort(words: *mut u64, list: u64, flags: u64, a: u64, b: u64, c: u64, d: u64) -> u64 {
    let keys: [u64; MAX_KEYS] = [a, b, c, d];
    let count = ((flags & 0xff) as usize).min(keys.len());
    // SAFETY: guaranteed by the caller.
    status(unsafe { lists(words) }.sort(list, &keys[..count], flags >> 8 != 0))
}
