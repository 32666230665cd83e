//! Abstract interpretation of games: the values that each resource can have, and hence the tests that can hold.
//!
//! The analysis over-approximates: what it reports as impossible never happens in any play, provided that no integer wraps around
//! and no real number overflows by increments of at most 65,536.
//!
//! It computes a fixed point of the effects of actions on sets of values, starting from the initial values. An action whose
//! requirement cannot hold only has its cost, and a vector that cannot match has no effect. A resource with more than a few
//! numbers is represented by an interval, and a bound that keeps moving is widened to infinity. [`ReachableValues::kinds`] runs the same
//! analysis with sets that only distinguish kinds of values, and decides no tests; its result holds without the proviso.
//!
//! | module | contents |
//! |---|---|
//! | `value_set` | [`ValueSet`]: a set of values |
//! | `interval` | intervals of numbers, and their arithmetic |
//! | `evaluate` | evaluation of tests and computations over sets of values |
//! | `fixed_point` | [`ReachableValues`]: the fixed point over a game |

mod evaluate;
mod fixed_point;
mod interval;
mod value_set;

pub use evaluate::{AbstractContext, TruthSet};
pub use fixed_point::{MAX_ROUNDS, MAX_WORK, ReachableValues, ValuesAfterCost};
pub use interval::Interval;
pub use value_set::ValueSet;
