//! `goalspec._core`, the engine of the Python package `goalspec`: a small module that hands values between Python and the facade.
//!
//! The public functions and classes are typed Python, in `python/goalspec`; they call this module, which is private. A function here takes
//! and returns plain values (texts, numbers, dictionaries, numpy arrays) or one of the handles below, and contains no logic of goalspec.
//!
//! | module | contents |
//! |---|---|
//! | `arrow` | Arrow tables: reports and traces |
//! | `atari` | the objects on the screens of Atari games, decoded from memory |
//! | `audits` | audits of reward functions |
//! | `background` | calls that release the GIL, and that Ctrl-C interrupts |
//! | `command` | the command-line tool |
//! | `diagnostics` | diagnostics as Python objects |
//! | `errors` | the exceptions |
//! | `games` | resource graph games: experiments and exact analysis |
//! | `generation` | `Generation`: new games, drawn, varied, judged and evolved; fitted fitness models; `Examples`: new goals of other languages |
//! | `history` | the inputs of a monitor, for copies in other processes |
//! | `json` | JSON values as Python objects, and Python objects as JSON text |
//! | `library` | `Library`: sources and programs; formatting and documentation of codes |
//! | `monitors` | `Monitor` and `MonitorBatch`: programs stepped state by state |
//! | `ground_problems` | planning problems that an agent steps |
//! | `planning` | plans, their validation, and the options of goals |
//! | `playability` | whether programs can be achieved |
//! | `resource_environments` | `ResourceGame` and `ResourceEnvironments`: resource graph games as environments of learning agents |
//! | `rewards` | `Rewards`: reward functions, called in one environment or in many |
//! | `scene_objects` | the objects of a screen, read from Python objects |
//! | `score_table` | `TableScorer`: scores of tables of traces, as tables |
//! | `scoring` | scores of programs over traces |
//! | `screens` | the classes and objects of screens as plain values |
//! | `state_objects` | states of worlds as the objects that reward functions take |
//! | `trace_tables` | the forms of Arrow tables of many traces |
//! | `traces` | `Trace`: states in memory |
//!
//! # Types
//!
//! Handles own what they use: a `Monitor` keeps its world and its program alive. They are `Send` and, except for monitors and reward
//! functions, immutable, so that threads may share them. A monitor or a reward function that two threads use at the same time raises a
//! `RuntimeError` in one of them, by the dynamic borrow checks of `pyo3`. Results are JSON values of the facade, converted to dictionaries, so that
//! Python and the command line agree by construction; what is called once per step is passed in numpy arrays instead.
//!
//! # Errors
//!
//! The exceptions are classes of `goalspec._errors`, which `errors` raises with the diagnostics of the facade. Functions of this crate
//! do not panic: ranges, shapes and names are checked before the facade is called.
//!
//! # The GIL
//!
//! A call that may take more than 10 ms runs on a thread of its own while the calling thread waits without the GIL and looks for signals
//! (see `background`). Steps of monitors release the GIL if there are many environments. Threads are only started within a call and end
//! with it, so that a process that forks has none.

#![allow(clippy::needless_pass_by_value, reason = "PyO3 passes arguments to functions by value")]

mod arrow;
mod atari;
mod audits;
mod background;
mod command;
mod diagnostics;
mod errors;
mod games;
mod generation;
mod ground_problems;
mod history;
mod json;
mod library;
mod monitors;
mod planning;
mod playability;
mod resource_environments;
mod rewards;
mod scene_objects;
mod score_table;
mod scoring;
mod screens;
mod state_objects;
mod trace_tables;
mod traces;

/// The module `goalspec._core`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::arrow::ArrowTable;
    #[pymodule_export]
    use crate::atari::AtariScreen;
    #[pymodule_export]
    use crate::audits::{Audits, audit_rewards};
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::games::{analyse, simulate};
    #[pymodule_export]
    use crate::generation::{Examples, Generation};
    #[pymodule_export]
    use crate::ground_problems::{GroundProblem, ground_problem};
    #[pymodule_export]
    use crate::library::{Library, explain, format, load, load_texts};
    #[pymodule_export]
    use crate::monitors::{Compiled, Monitor, MonitorBatch, compile};
    #[pymodule_export]
    use crate::planning::{Plan, options, plan, validate};
    #[pymodule_export]
    use crate::playability::playability;
    #[pymodule_export]
    use crate::resource_environments::{GamePosition, ResourceEnvironments, ResourceGame, compile_resource_game};
    #[pymodule_export]
    use crate::rewards::{Rewards, compile_reward};
    #[pymodule_export]
    use crate::score_table::TableScorer;
    #[pymodule_export]
    use crate::scoring::{Scores, score};
    #[pymodule_export]
    use crate::screens::{screen_classes, screen_object};
    #[pymodule_export]
    use crate::state_objects::{ObjectFrame, ObjectStates};
    #[pymodule_export]
    use crate::traces::{Trace, TraceFile, World, built_in_world, trace_table, traces_from_arrow};
}
