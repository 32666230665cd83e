//! Saturated cost partitioning over abstractions (Seipp, Keller and Helmert 2020).
//!
//! ```text
//! task ──patterns──> projections ─┐
//!      ──refinement─> Cartesian ──┴─> abstractions ──orders──> cost partitionings ──maximum──> estimate
//! ```
//!
//! An abstraction is computed once as an explicit graph. For an order of abstractions, each one takes of the remaining operator costs only what
//! its goal distances need, so the sum of the distances is admissible. Orders are chosen for sampled states, and kept if they improve
//! the estimate of one of them.

mod abstraction;
mod cartesian;
mod cost_partitioning;
mod patterns;
mod plain_task;

pub(super) use cost_partitioning::SaturatedCostPartitioning;
pub(crate) use plain_task::PlainTask;
