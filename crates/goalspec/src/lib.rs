//! Facade of goalspec for Rust programs: loads files, checks them, and scores, plans for, simulates, audits and varies the programs in
//! them.
//!
//! ```text
//! paths --files--> programs, traces, worlds
//! programs --library--> checked programs with their diagnostics
//! programs + a trace --scoring--> outcomes, one pass over the trace for all programs
//! outcomes --json, table--> JSON, CSV, Parquet
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`examples`] | bundled example programs and traces, by name |
//! | [`files`] | input discovery: paths, folders and patterns to program, trace and world files |
//! | [`languages`] | detection of the language of a text |
//! | [`library`] | [`Library`](library::Library): sources, worlds and checked programs |
//! | [`descriptions`] | descriptions of programs and domains in words or formulas |
//! | [`domains`] | lookup of the domain of a planning problem |
//! | [`program`] | [`Program`](program::Program): syntax tree and lowered form of a program, by language |
//! | [`scoring`] | [`CompiledPrograms`](scoring::CompiledPrograms) and [`LibraryScorer`](scoring::LibraryScorer): scoring of programs over traces, by either engine, under either semantics |
//! | [`monitoring`] | [`CompiledProgram`](monitoring::CompiledProgram) and [`Monitor`](monitoring::Monitor): programs stepped state by state, in one environment or in many |
//! | [`report`] | the results of a program: [`ProgramVerdict`](report::ProgramVerdict) and [`ProgramReport`](report::ProgramReport) |
//! | [`limits`] | the named limits on input, and how to lift or avoid each |
//! | [`goal_options`] | the ground options of an activity's goal |
//! | [`progress`] | progress towards a goal |
//! | [`settings`] | the settings of a project, `goalspec.toml` |
//! | [`stream`] | [`watch`](stream::watch): monitoring of a stream that is still being written |
//! | [`resource_games`] | the resource graph games of a library, compiled for simulation |
//! | [`recordings`] | recorded games, replayed as traces |
//! | [`planning_problems`] | the planning problems of a library |
//! | [`playability`] | whether programs can be achieved, with witnesses and proofs |
//! | [`reward_lints`] | the lints of the reward functions of a library |
//! | [`traces`] | reading of traces without programs, and the choice of a trace's world |
//! | `language_models` | the stand-ins of language models (feature `llm`) |
//! | [`custom_results`] | custom results of resource graph games, by name |
//! | `http_results` | custom results that an HTTP service computes (feature `rest`) |
//! | [`program_comparison`] | comparison of planning problems and activities by meaning |
//! | [`program_differences`] | differences of games over traces, and of planning problems and activities |
//! | [`explanation`] | explanations of unsatisfied preferences |
//! | [`lanes`] | the progress of bindings over the states, and the states in which conditions hold |
//! | [`game_generation`] | new games from the games of a library: drawn, varied, judged and evolved |
//! | [`resource_game_generation`] | new resource graph games |
//! | [`activity_generation`] | new household activities |
//! | [`example_generation`] | new problems, activities and resource graph games by one interface |
//! | [`problem_generation`] | new planning problems, each with a plan |
//! | [`grading`] | goals in the order of their difficulty |
//! | [`json`] | outcomes as JSON |
//! | [`schema`] | the JSON Schema of the JSON output |
//! | [`table`] | outcomes as tables |
//! | [`code_examples`] | example programs of diagnostic codes |
//! | [`codes`] | the documentation of every diagnostic code |
//!
//! The underlying crates are re-exported, with the work that needs no files: [`planning`], [`simulation`], [`rewards`] and [`audit`].

pub mod activity_generation;
pub mod code_examples;
pub mod codes;
pub mod custom_results;
pub mod descriptions;
pub mod domains;
pub mod example_generation;
pub mod examples;
pub mod explanation;
pub mod files;
pub mod game_generation;
pub mod goal_options;
pub mod grading;
#[cfg(feature = "rest")]
pub mod http_results;
pub mod json;
pub mod lanes;
#[cfg(feature = "llm")]
pub mod language_models;
pub mod languages;
pub mod library;
pub mod limits;
pub mod monitoring;
pub mod planning_problems;
pub mod playability;
pub mod problem_generation;
pub mod program;
pub mod program_comparison;
pub mod program_differences;
pub mod progress;
pub mod recordings;
pub mod report;
pub mod resource_game_generation;
pub mod resource_games;
pub mod reward_lints;
pub mod schema;
pub mod scoring;
pub mod settings;
pub mod stream;
pub mod table;
pub mod traces;

pub use goalspec_atari as atari;
pub use goalspec_audit as audit;
pub use goalspec_bddl as bddl;
pub use goalspec_constraints as constraints;
pub use goalspec_core as core;
pub use goalspec_equivalence as equivalence;
pub use goalspec_game as game;
pub use goalspec_generation as generation;
pub use goalspec_generator as generator;
#[cfg(feature = "llm")]
pub use goalspec_llm as llm;
pub use goalspec_lot as lot;
pub use goalspec_monitor as monitor;
pub use goalspec_pddl as pddl;
pub use goalspec_planner as planner;
pub use goalspec_planning as planning;
pub use goalspec_python_runtime as python_runtime;
pub use goalspec_releases as releases;
pub use goalspec_resource as resource;
pub use goalspec_reward as reward;
pub use goalspec_rewards as rewards;
pub use goalspec_rgg as rgg;
pub use goalspec_simulation as simulation;
pub use goalspec_simulator as simulator;
pub use goalspec_statistics as statistics;
pub use goalspec_syntax as syntax;
pub use goalspec_trace as trace;
#[cfg(feature = "llm")]
pub use goalspec_words as words;
