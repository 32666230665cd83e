//! Recorded states of a world: readers and writers for every trace format, and an in-memory store.
//!
//! | module | contents |
//! |---|---|
//! | [`open`](mod@open) | [`open()`], [`Source`], [`detect_world()`]: detection of a file's format and of its world |
//! | [`input`] | [`TraceInput`]: a trace to be read, possibly more than once |
//! | [`reader`] | [`TraceReader`], [`CheckedReader`], [`LookaheadReader`], and the metadata of a trace ([`Header`]) |
//! | [`source`] | byte sources: plain, gzip, zstd |
//! | [`lines`] | goalspec's own format: JSON Lines, read and written |
//! | [`rows`] | the same format as rows of a table |
//! | `parquet` | the same format as a table, with the feature `parquet` |
//! | [`screens`] | recorded screens of Atari games |
//! | [`write`](mod@write) | [`TraceWriter`], [`create()`], [`convert()`], [`head()`] |
//! | `columns` | [`StateColumns`]: states as rows of numbers |
//! | [`store`] | [`Trace`]: a whole trace in memory, column by column |
//! | [`seek`] | [`SeekableTrace`]: random access to the states of a trace |
//! | [`summary`] | [`Summary`]: counts over a trace |
//! | `read_ahead` | decompression on a thread of its own |
//! | `recorded` | recorded human play, as JSON |
//! | `json` | the scanner of JSON text |
//! | `vocabulary` | resolution of the names in a trace to ids of a world |
//! | [`limits`] | [`ReadLimits`]: limits on the reading of one trace |
//! | [`atomic_file`] | files that are replaced atomically |
//! | [`codes`] | the diagnostic codes |
//! | [`error`] | [`TraceError`] |
//!
//! Readers hold one state at a time. They never guess: an invalid file is an error that names the state and the byte, and a reader
//! opened as [partial](ReadOptions::partial) returns the states before the error.

pub mod atomic_file;
pub mod codes;
mod columns;
pub mod error;
pub mod input;
mod json;
pub mod limits;
pub mod lines;
mod names;
pub mod open;
#[cfg(feature = "parquet")]
pub mod parquet;
mod pool;
mod read_ahead;
pub mod reader;
mod recorded;
pub mod rows;
pub mod screens;
pub mod seek;
pub mod source;
pub mod store;
pub mod summary;
mod vocabulary;
pub mod write;

pub use columns::StateColumns;
pub use error::{Result, TraceError};
pub use input::TraceInput;
pub use limits::{ActiveReadLimits, ReadLimits};
pub use lines::{LineDecoder, LineKind, LinesWriter};
pub use open::{ReadOptions, Source, detect_world, from_reader, open};
#[cfg(feature = "parquet")]
pub use parquet::{KeyedRows, KeyedTrace, ParquetWriter, TraceTableReader};
pub use reader::{CheckedReader, DeclaredAttribute, DeclaredObject, Format, Header, LookaheadReader, TraceReader};
pub use seek::SeekableTrace;
pub use store::{Cursor, Trace, TraceBuilder};
pub use summary::Summary;
pub use write::{TraceWriter, convert, create, head};
