//! The integration tests of the crate, in one binary: they are linked once.

mod check;
mod common;
mod compat;
mod corpora;
mod describe;
mod diagnostics;
mod editions;
mod exact;
mod export;
mod format;
mod knowledge;
mod lists;
mod lower;
mod naive;
mod quirks;
mod releases;
mod robust;
mod simulator;
mod solvability;
mod structure;
