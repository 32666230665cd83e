//! Simulations of resource graph games: Monte Carlo experiments with policies, exact analysis, recordings, and their reports.
//!
//! ```text
//! game ──LoadedGame── policies, varied values ── LoadedExperiment::play ── report, rows, charts
//!                   └ AnalysisRequest::analyse ── distributions, best response
//!                   └ recording ── replay ── traces of the game's world
//! ```
//!
//! The engine is [`goalspec_simulator`], which knows no language. This crate adds the language of the games: policies and values as
//! text, and reports that name the dialect. Nothing here reads a file; texts of scripts and tables come from a function.
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | a game with its world, compiled for simulation |
//! | [`analysis`] | exact analysis of finite games |
//! | [`policies`] | policies as text: `red=random`, `always:scan source=a` |
//! | [`experiment`] | Monte Carlo experiments on loaded games |
//! | [`variation`] | values that vary from game to game |
//! | [`quantity`] | the numbers of a finished game as text |
//! | [`states`] | the states of a game as a trace, over which programs of other languages can be evaluated |
//! | [`replay`] | recorded games as such traces |
//! | [`service`] | a game played by another program, request by request |
//! | [`summary`] | summary statistics of games as JSON |
//! | [`episode_json`] | the outcome of a game as JSON |
//! | `board_json` | boards, and games played on them turn by turn, as JSON (feature `draw`) |
//! | [`report`] | the result of an experiment as JSON |
//! | [`rows`] | games as rows of a table |
//! | `charts` | charts of experiments, and pictures of boards (feature `draw`) |
//! | [`metadata`] | the metadata of every report: version, game, dialect, seed, policies |
//! | [`tracked_resources`] | the resources that are tracked over time, by name |
//! | [`codes`] | the diagnostic codes, with documentation |

pub mod analysis;
#[cfg(feature = "draw")]
pub mod board_json;
#[cfg(feature = "draw")]
pub mod charts;
pub mod codes;
pub mod episode_json;
pub mod experiment;
pub mod game;
pub mod metadata;
pub mod policies;
pub mod quantity;
pub mod replay;
pub mod report;
pub mod rows;
pub mod service;
pub mod states;
pub mod summary;
pub mod tracked_resources;
pub mod variation;

pub use game::{LoadedGame, PlayableGame};
