//! A pull scanner over JSON text in memory.
//!
//! | module | contents |
//! |---|---|
//! | [`scan`] | tokens, skipping, nesting |
//! | [`number`] | decimal text to the nearest `f64` |

pub(crate) mod number;
pub(crate) mod scan;

pub(crate) use scan::{FieldSet, MAX_ENCLOSING_OBJECTS, ScanProblem, ScanStop, Scanner, Stop, StringToken};
