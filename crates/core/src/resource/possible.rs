//! Which values each resource of a game can ever have, and so which tests can ever hold.
//!
//! The answer errs on the side of too much: what is said to be impossible never happens, in whatever way the game is played, as
//! long as no whole number wraps around and no real one overflows by steps of ordinary size.
//!
//! It is a fixed point of what the actions of a game do to sets of values, beginning with the initial ones: an action whose
//! requirement cannot hold does nothing but cost, and a vector that cannot match has no effect. A resource that takes on more
//! than a few numbers is known by their bounds, and a bound that goes on moving is given up.
//!
//! | module | what lives there |
//! |---|---|
//! | `values` | [`Possible`]: a set of values |
//! | `interval` | ranges of numbers, and arithmetic on them |
//! | `scope` | what tests and computations can come to |
//! | `reach` | [`Reach`]: the fixed point over a game |

mod interval;
mod reach;
mod scope;
mod values;

pub use interval::Interval;
pub use reach::{MAX_ROUNDS, MAX_WORK, Paid, Reach};
pub use scope::{Scope, Verdict};
pub use values::Possible;
