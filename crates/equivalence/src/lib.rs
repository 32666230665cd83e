//! Equivalence of goals, of planning problems and of games by meaning.
//!
//! ```text
//! goal, world --ground--> decision diagram over ground atoms --compare--> GoalRelation, a state that tells the goals apart
//! problem -----------------bijections of objects----------------^
//! game ----automata over such diagrams ----product----> GameComparison, a trace that tells the games apart
//! ```
//!
//! Two goals are equivalent if the same states satisfy both. States are all truth assignments to the facts over the objects of a world, with
//! all values of functions; derived predicates are expanded by their rules. Facts have names, so that goals of different worlds can be compared. Two problems are equivalent if a bijection of
//! their objects maps the initial state of one to that of the other, and the goals are equivalent under it.
//!
//! Games are compared here, and not by an engine of their own, because the conditions of their automata are decided by the same diagrams.
//!
//! | module | contents |
//! |---|---|
//! | [`goals`] | comparison of goals |
//! | [`problems`] | comparison of problems, up to a bijection of objects |
//! | [`games`] | comparison of games on all traces |
//! | [`limits`] | the named limits |
//! | `atoms` | facts, and cells of the values of functions, as variables of decision diagrams |
//! | `linear`, `ratio` | linear expressions with exact numbers |
//! | `derived` | derived predicates as decision diagrams |
//! | `diagram` | reduced ordered binary decision diagrams |
//! | `ground` | conditions as decision diagrams |
//! | `bijections` | bijections of objects that map one initial state to another |

mod atoms;
mod bijections;
mod derived;
mod diagram;
pub mod games;
pub mod goals;
mod ground;
pub mod limits;
mod linear;
pub mod problems;
mod ratio;

pub use games::{
    GameComparison, GameComparisonOptions, GameVerdict, compare_games, game_normal_form, proof_of_impossibility,
};
pub use goals::{GoalComparison, GoalRelation, Witness, compare_goals, compare_goals_within};
pub use limits::LimitExceeded;
pub use problems::{InitialState, ObjectMatching, Problem, ProblemComparison, compare_problems};
