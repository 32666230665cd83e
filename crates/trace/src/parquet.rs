//! goalspec's own trace format as a Parquet table: one row per state, change, fact or function value. The book's chapter on traces
//! specifies it.
//!
//! | module | contents |
//! |---|---|
//! | `table` | rows and columns |
//! | `read` | the reader |
//! | `write` | [`ParquetWriter`] |

mod read;
mod table;
mod write;

use ::parquet::errors::ParquetError;

use crate::codes;
use crate::error::TraceError;

pub(crate) use read::{ParquetReader, ParquetSource};
pub use write::ParquetWriter;

/// The key of the file's metadata under which the header is stored.
const METADATA_KEY: &str = "goalspec";

/// The values of the `kind` column: the kinds of rows.
mod row_kind {
    pub(super) const STATE: &str = "state";
    pub(super) const LISTED: &str = "listed";
    pub(super) const SET: &str = "set";
    pub(super) const FACT: &str = "fact";
    pub(super) const NOT: &str = "not";
    pub(super) const FLUENT: &str = "fluent";
    pub(super) const REMOVED: &str = "removed";
}

fn damaged(error: &ParquetError) -> TraceError {
    TraceError::new(codes::DAMAGED, format!("the Parquet file is damaged: {error}"))
}
