//! goalspec's own trace format as a Parquet table: one row per state, change, fact or function value. The book's chapter on traces
//! specifies it.
//!
//! | module | contents |
//! |---|---|
//! | `table` | columns |
//! | `read` | the reader of one trace, and [`TraceTableReader`] |
//! | `write` | [`ParquetWriter`] |

mod read;
mod table;
mod write;

use ::parquet::errors::ParquetError;

use crate::codes;
use crate::error::TraceError;

pub(crate) use read::ParquetSource;
pub use read::{KeyedRows, KeyedTrace, TraceTableReader};
pub use write::ParquetWriter;

fn damaged(error: &ParquetError) -> TraceError {
    TraceError::new(codes::DAMAGED, format!("the Parquet file is damaged: {error}"))
}
