//! Equivalence of goals and problems.

mod brute_force;
mod goals;
mod lot;
mod numbers_and_rules;
mod problems;
mod texts;
