//! Generation of goals: the grammars of the languages, features and fitness of programs.
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | games: grammar, conversion between programs and trees, features |
//! | [`fitness`] | linear models of fitness over features |
//! | `minimise` | minimisation of smooth functions |

pub mod fitness;
pub mod game;
mod minimise;
