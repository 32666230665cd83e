//! Generation of goals: the grammars of the languages, features and fitness of programs.
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | games: grammar, conversion between programs and trees, features |
//! | [`activity`] | household activities: scenes and goals recombined from examples |
//! | [`fitness`] | linear models of fitness over features |
//! | [`problem`] | planning problems: random walks from examples |
//! | [`resource_game`] | resource graph games: trees of a grammar over the frame of an example |
//! | `minimise` | minimisation of smooth functions |

pub mod activity;
pub mod fitness;
pub mod game;
mod minimise;
pub mod problem;
pub mod resource_game;
