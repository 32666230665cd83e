//! Equivalence of goals and problems.

mod brute_force;
mod games;
mod goals;
mod lot;
mod numbers_and_rules;
mod problems;
mod texts;
