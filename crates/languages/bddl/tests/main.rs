//! The integration tests of the crate, in one binary: they are linked once.

mod check;
mod common;
mod corpora;
mod describe;
mod diagnostics;
mod editions;
mod exact;
mod export;
mod format;
mod knowledge;
mod large_inputs;
mod lists;
mod lower;
mod naive;
mod parse_release;
mod quirks;
mod release_spans;
mod releases;
mod robust;
mod simulator;
mod solvability;
mod structure;
