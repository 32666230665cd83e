//! Tests of every rule of play on hand-built games. The expected results follow the language documentation and the observed
//! behavior of the Cage engine.

mod actions;
mod computes;
mod customs;
mod draws;
mod filters;
mod odds;
mod table;
mod vectors;
mod views;
