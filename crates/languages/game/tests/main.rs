//! The integration tests of the crate, in one binary: they are linked once.

mod check;
mod codes;
mod common;
mod corpora;
mod describe;
mod format;
mod large_inputs;
mod lint;
mod mutants;
mod origins;
mod own_world;
mod parse;
mod reference;
mod reference_conformance;
mod resolve;
mod robust;
mod rooms;
