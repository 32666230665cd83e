//! goalspec's own trace format as a Parquet table: one row per thing that a state says. The chapter on traces in the book defines it.
//!
//! | module | what lives there |
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

/// The metadata under which the header is stored.
const METADATA_KEY: &str = "goalspec";

/// What the `what` column says of a row.
mod what {
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
