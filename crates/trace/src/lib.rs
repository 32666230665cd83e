//! Recorded states of a world: readers and writers for every trace format, and the in-memory store.
//!
//! | module | what lives there |
//! |---|---|
//! | [`open`](mod@open) | [`open()`], [`Source`], [`fitting_world()`]: which format a file has, which world it belongs to |
//! | [`reader`] | [`TraceReader`], [`Reader`], [`Peeked`], what a trace says of itself |
//! | [`source`] | bytes: plain, gzip, zstd |
//! | [`lines`] | goalspec's own format: JSON Lines, read and written |
//! | `parquet` | the same as a table, with the feature `parquet` |
//! | [`screens`] | recorded screens of Atari games |
//! | [`write`](mod@write) | [`TraceWriter`], [`create()`], [`convert()`], [`head()`] |
//! | [`store`] | [`Trace`]: a whole trace in memory, column by column |
//! | [`summary`] | [`Summary`]: counts over a trace |
//! | `recorded` | recorded plays of people, as JSON |
//! | `json` | the scanner over JSON text |
//! | `vocabulary` | names in a trace to ids of a world |
//! | [`codes`] | the diagnostic codes |
//! | [`error`] | [`TraceError`] |
//!
//! Readers hold one state at a time. They never guess: what is wrong with a file is an error that names the state and the byte, and a reader that was
//! asked to be [partial](ReadOptions::partial) keeps what comes before it.

pub mod codes;
pub mod error;
mod json;
pub mod lines;
mod names;
pub mod open;
#[cfg(feature = "parquet")]
pub mod parquet;
mod pool;
pub mod reader;
mod recorded;
pub mod screens;
pub mod source;
pub mod store;
pub mod summary;
mod vocabulary;
pub mod whole;
pub mod write;

pub use error::{Result, TraceError};
pub use lines::{Line, LineDecoder, LinesWriter};
pub use open::{ReadOptions, Source, fitting_world, from_reader, open};
#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;
pub use reader::{DeclaredAttribute, DeclaredObject, Format, Header, Peeked, Reader, TraceReader};
pub use store::{Cursor, Trace, TraceBuilder};
pub use summary::Summary;
pub use write::{TraceWriter, convert, create, head};
