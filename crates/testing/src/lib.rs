//! Test support: generators of games, goals, tasks and states, differential tests of engines on them, and utilities shared by the
//! tests of several crates. For tests and fuzz targets only.
//!
//! | module | contents |
//! |---|---|
//! | [`choices`] | decisions drawn from a byte string |
//! | [`arena`] | the small world of all generated games |
//! | [`games`] | a generator of games and goals with every construct of the core |
//! | [`states`] | a generator of states |
//! | [`engines`] | a differential test of the game engines |
//! | [`lanes`] | a differential test of the recorded progress of bindings |
//! | [`goals`] | a differential test of the goal engines |
//! | [`resource`] | a differential test of the engines of resource graph games |
//! | [`random`] | pseudo-random numbers |
//! | [`service`] | a local HTTP service |
//! | [`model_server`] | a local server of language models |
//! | [`planning`] | a generator of planning tasks, and an executor of their actions |
//! | [`texts`] | properties of parsers and formatters on any source text |
//! | [`diagnostics`] | checks of the diagnostics of a language |
//! | [`json_schema`] | a validator of JSON Schema |
//! | [`val`] | the plan validator VAL of the planning competitions |
//! | [`conformance`] | the location of published programs and recorded outputs |

pub mod arena;
pub mod choices;
pub mod conformance;
pub mod diagnostics;
pub mod engines;
pub mod games;
pub mod goals;
pub mod json_schema;
pub mod lanes;
pub mod model_server;
pub mod planning;
pub mod random;
pub mod resource;
pub mod service;
pub mod states;
pub mod texts;
pub mod val;

use choices::Choices;

/// Compares the fast engine with the interpreter on a game and states generated from `bytes`.
///
/// # Errors
/// Returns a description of the first difference, with the game and the states.
pub fn engines_agree(bytes: &[u8]) -> Result<(), String> {
    let world = arena::world();
    let mut choices = Choices::new(bytes);
    let game = games::game(&mut choices, world);
    let deltas = states::deltas(&mut choices, world);
    engines::compare_engines(world, &game, &deltas).map_err(|difference| format!("{difference}\n{game:?}\n{deltas:?}"))
}

/// Compares the recorded progress of bindings with a simulation, on a game and states generated from `bytes`.
///
/// # Errors
/// Returns a description of the first difference, with the game and the states.
pub fn lanes_agree(bytes: &[u8]) -> Result<(), String> {
    let world = arena::world();
    let mut choices = Choices::new(bytes);
    let game = games::game(&mut choices, world);
    let deltas = states::deltas(&mut choices, world);
    lanes::compare_lanes(world, &game, &deltas).map_err(|difference| format!("{difference}\n{game:?}\n{deltas:?}"))
}

/// Compares all evaluators of goals on a goal and states generated from `bytes`.
///
/// # Errors
/// Returns a description of the first difference, with the goal and the states.
pub fn goals_agree(bytes: &[u8]) -> Result<(), String> {
    let world = arena::world();
    let mut choices = Choices::new(bytes);
    let goal = games::goal(&mut choices, world);
    let deltas = states::deltas(&mut choices, world);
    goals::compare_engines(world, &goal, &deltas).map_err(|difference| format!("{difference}\n{goal:?}\n{deltas:?}"))
}

/// Grounds a planning task generated from `bytes`, and compares the behaviour of both forms on its states.
///
/// # Errors
/// Returns a description of the first difference, with the task.
pub fn grounding_agrees(bytes: &[u8]) -> Result<(), String> {
    let task = planning::task(&mut Choices::new(bytes), planning::Features::ALL);
    planning::grounding::check_equivalence(&task)
        .map_err(|difference| format!("{difference}\n{}", planning::grounding::text(&task)))
}

/// Solves a planning task generated from `bytes` with every search.
///
/// # Errors
/// Returns a description of the first incorrect search result, with the task.
pub fn searches_agree(bytes: &[u8]) -> Result<(), String> {
    let task = planning::any_task(&mut Choices::new(bytes));
    let agree = planning::searches::searches_agree(&task);
    agree.map(drop).map_err(|difference| format!("{difference}\n{}", planning::grounding::text(&task)))
}
