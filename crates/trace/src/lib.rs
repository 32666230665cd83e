//! Recorded states of a world: readers and writers for every trace format, and the in-memory store.
//!
//! | module | what lives there |
//! |---|---|
//! | [`open`](mod@open) | [`open()`], [`Source`]: which format a file has, which world it belongs to |
//! | [`reader`] | [`TraceReader`], [`Reader`], [`Peeked`], what a trace says of itself |
//! | [`source`] | bytes: plain, gzip, zstd |
//! | `recorded` | recorded plays of people, as JSON |
//! | `json` | the scanner over JSON text |
//! | [`codes`] | the diagnostic codes |
//! | [`error`] | [`TraceError`] |
//!
//! Readers hold one state at a time. They never guess: what is wrong with a file is an error that names the state and the byte, and a reader that was
//! asked to be [partial](ReadOptions::partial) keeps what comes before it.

pub mod codes;
pub mod error;
mod json;
mod names;
pub mod open;
mod pool;
pub mod reader;
mod recorded;
pub mod source;

pub use error::{Result, TraceError};
pub use open::{ReadOptions, Source, from_reader, open};
pub use reader::{DeclaredObject, Format, Header, Peeked, Reader, TraceReader};
