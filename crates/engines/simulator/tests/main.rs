//! The integration tests of the crate, in one binary: they are linked once.

mod batches;
mod cage;
mod conformance;
mod environments;
mod exact;
mod experiments;
mod games;
mod generated;
mod limits;
mod policies;
mod recorded_statistics;
mod reference;
mod totals;
