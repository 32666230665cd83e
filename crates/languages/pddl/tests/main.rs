//! The integration tests of the crate, in one binary: they are linked once.

mod common;
mod conformance;
mod diagnostics;
mod format;
mod lower;
mod requirements;
mod robust;
mod trajectory;
mod validate;
