//! A just-in-time compiler for small programs that run very often.
//!
//! A program is a sequence of [`Op`]s: instructions on 64-bit registers, on rows of numbers, each of which has a class, and on lists
//! of 64-bit words. [`Program`] validates it, [`MachineCode`] compiles it for the host with Cranelift, and [`MachineCode::run`] runs
//! it on [`Rows`] and a [`ListMemory`]. Instructions may call functions of a [`Host`], which the caller of the run provides. Only 64-bit
//! x86 and ARM processors are supported; on others, compilation returns an error.
//!
//! # Soundness
//!
//! This is the only crate with `unsafe` code, and all its public functions are safe to call. For every program:
//!
//! - Validation checks before compilation that every register and every jump target exists. Every loop uses fuel, which is at most
//!   `i64::MAX`, so every run terminates.
//! - Machine code reads only rows, their classes, the bit sets of the rows of each class, and the memory of lists, and writes only to
//!   that memory. It reads a row or its class after comparing the index with the number of rows. It reads a bit set by the low six bits
//!   of a class, and there are 64 bit sets. It reads or writes a list after comparing the index with the number of lists created so far,
//!   and an element after comparing the index with the length, or the maximum length, of the list. Removing, extending and sorting are
//!   not machine code. A check is omitted only if the same check was made on every path that leads to the instruction, as determined by
//!   `data_flow`. At its end, and before a call of the host, a run writes some words after the lists, which the memory has, too.
//! - The memory of lists has a fixed size, and [`MachineCode::run`] borrows it exclusively. Rows, classes and bit sets are borrowed for the
//!   whole run. A row index obtained from a bit set is compared with the number of rows before use.
//! - The functions of this crate that machine code calls are safe Rust on that memory, with their own bounds checks. External
//!   functions take and return words. A call of the host borrows the memory exclusively until it returns; machine code keeps no
//!   reference to it. The host itself is borrowed for the whole run.
//! - A run needs a single stack frame, plus those of the functions mentioned above. Its size is a few words for each value that the
//!   compiler keeps, and is limited by the number of instructions. Every page of the frame is probed in order before use, so an
//!   exhausted stack ends the process at its guard page, as everywhere in Rust, without writing to other memory.
//! - The compiler's memory is either writable or executable, never both, and is freed when no run can use it any more.
//!
//! Arithmetic is that of the processor. Floating-point operations follow IEEE 754 and are executed individually.
//!
//! | module | contents |
//! |---|---|
//! | `op` | instructions |
//! | `program` | validated programs |
//! | `data_flow` | data-flow analysis that finds redundant checks |
//! | `emit` | translation to Cranelift IR |
//! | `error` | the error of compilation |
//! | `lists` | the memory of lists, and operations on whole lists |
//! | `machine_code` | machine code, or a stub (`unsupported`) on unsupported processors |

#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "the compiler exists for these processors only")
)]
#![allow(clippy::similar_names, reason = "`place` and `plane` are distinct terms")]
#![allow(clippy::many_single_char_names, reason = "registers and fields of instructions have one-letter names")]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod data_flow;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod emit;
mod error;
mod lists;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod machine_code;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "unsupported.rs"]
mod machine_code;
mod op;
mod program;

pub use error::MachineCodeError;
pub use lists::{ListMemory, Lists};
pub use machine_code::MachineCode;
pub use op::{
    Arguments, BitOp, ExternFunction, FIELDS, FloatOp, Host, HostResult, IntOp, JumpTarget, MAX_ANALYSIS_SIZE,
    MAX_ARGUMENTS, MAX_KEYS, MAX_LENGTH, MAX_LISTS, MAX_OPS, MAX_REGISTERS, MAX_ROWS, NoHost, Op, Register, Rows,
    RunOutcome, SET_ROWS, Test, Trap, UnaryOp,
};
pub use program::{Program, ProgramError};
