//! Machine code for small programs that run very often.
//!
//! A program is made of [`Op`]s, instructions on 64-bit registers, rows of numbers that have classes, and lists of 64-bit words. [`Program`] looks
//! through it, [`Code`] compiles it with Cranelift for the computer at hand, and [`Code::run`] runs it on [`Rows`] and a [`Memory`].
//! Other processors than x86-64 and those of ARM with 64 bits have no [`Code`]: there, compiling fails.
//!
//! # Why it is sound
//!
//! This is the only crate with `unsafe`, and nothing that it offers is unsafe to call. Whatever the program is:
//!
//! - Every register, and every place that a jump goes to, is known to exist before anything is compiled. Every way round uses fuel of a run,
//!   which is at most `i64::MAX`, so that runs end.
//! - Only rows, their classes and planes, and the memory of lists are read, and only that memory is written. A row or its class is read where
//!   its number was compared with how many there are, and a plane by the last six bits of a class, of which there are as many. A list is
//!   read or written where its number was compared with how many were made, an element where its place was compared with how long
//!   the list is, or with how long lists may be; what is done with whole lists (removing, extending, sorting) is not machine code. A check is
//!   left out only where it was made before on every way that leads there, as `facts` finds out. A run ends with two words behind the lists.
//! - The memory of lists is of one size, which does not change, and [`Code::run`] has it for itself while it runs. Rows, classes and planes stay
//!   borrowed. Planes say which rows are of a class; what they say is never taken for a row without being compared with how many there are.
//! - What machine code calls of this crate is written in safe Rust on that memory, with bounds of its own. Functions from outside take
//!   and give words.
//! - A run takes the stack of one function, which calls no other ones but those, with a few words for each value that the compiler
//!   keeps: the number of instructions limits how many. Every page of it is touched in order before it is used, so that a stack without
//!   room ends the process at its guard page, as everywhere in Rust, and nothing else is written to.
//! - The compiler's memory is writable or executable, not both, and is freed when nobody can run it any more.
//!
//! Arithmetic is that of the processor: floats as IEEE 754 has them, one operation at a time.
//!
//! | module | what lives there |
//! |---|---|
//! | `op` | instructions |
//! | `program` | programs that have been looked through |
//! | `facts` | what need not be checked again |
//! | `emit` | instructions to Cranelift's |
//! | `lists` | memory, and what is done with whole lists |
//! | `code` | machine code; `elsewhere`, where there is none |

#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "what is compiled for these processors is not used elsewhere")
)]
#![allow(clippy::similar_names, reason = "places and planes are what they are called")]
#![allow(clippy::many_single_char_names, reason = "registers and fields of instructions are called so")]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod code;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "elsewhere.rs"]
mod code;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod emit;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod facts;
mod lists;
mod op;
mod program;

pub use code::Code;
pub use lists::Memory;
pub use op::{
    BitOp, FIELDS, FloatOp, Function, IntOp, MAX_FACTS, MAX_KEYS, MAX_LENGTH, MAX_LISTS, MAX_OPS, MAX_REGISTERS,
    MAX_ROWS, Op, Outcome, Register, Rows, Stop, Target, Test, UnaryOp,
};
pub use program::{Program, Refused};
