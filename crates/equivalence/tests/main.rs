//! Equivalence of goals and problems.

mod brute_force;
mod goals;
mod lot;
mod problems;
mod texts;
