//! Generated games and plays, the comparison of engines on them, and what tests of several crates share. For tests and fuzz
//! targets only.
//!
//! | module | what lives there |
//! |---|---|
//! | [`choices`] | decisions from a string of bytes |
//! | [`arena`] | the small world that everything happens in |
//! | [`games`] | games and goals of every construct |
//! | [`plays`] | states |
//! | [`compare`] | running every engine of games and comparing what they say |
//! | [`goals`] | the same for goals |
//! | [`resource`] | the same for resource graph games |
//! | [`service`] | a small service on this machine |
//! | [`planning`] | planning tasks, and carrying out their actions |
//! | [`texts`] | what must hold of any text that a language reads |
//! | [`findings`] | what a language reports of texts |
//! | [`val`] | the validator of plans that the planning competitions use |
//! | [`conformance`] | where published programs and recorded outputs lie |

pub mod arena;
pub mod choices;
pub mod compare;
pub mod conformance;
pub mod findings;
pub mod games;
pub mod goals;
pub mod planning;
pub mod plays;
pub mod resource;
pub mod service;
pub mod texts;
pub mod val;

use choices::Choices;

/// Plays the game that the bytes stand for over the states that they stand for, on the fast engine and the interpreter.
///
/// # Errors
/// Says in words where they differ, after the game and the states.
pub fn engines_agree(bytes: &[u8]) -> Result<(), String> {
    let world = arena::world();
    let mut choices = Choices::new(bytes);
    let game = games::game(&mut choices, world);
    let deltas = plays::deltas(&mut choices, world);
    compare::engines(world, &game, &deltas).map_err(|difference| format!("{difference}\n{game:?}\n{deltas:?}"))
}

/// Looks at the goal that the bytes stand for in the states that they stand for, in every way there is.
///
/// # Errors
/// Says in words where they differ, after the goal and the states.
pub fn goals_agree(bytes: &[u8]) -> Result<(), String> {
    let world = arena::world();
    let mut choices = Choices::new(bytes);
    let goal = games::goal(&mut choices, world);
    let deltas = plays::deltas(&mut choices, world);
    goals::agree(world, &goal, &deltas).map_err(|difference| format!("{difference}\n{goal:?}\n{deltas:?}"))
}

/// Grounds the planning task that the bytes stand for and goes through its states in both forms.
///
/// # Errors
/// Says in words where they differ, after the task.
pub fn grounding_agrees(bytes: &[u8]) -> Result<(), String> {
    let task = planning::task(&mut Choices::new(bytes), planning::Features::ALL);
    planning::agree::same_behaviour(&task)
        .map_err(|difference| format!("{difference}\n{}", planning::agree::text(&task)))
}

/// Solves the planning task that the bytes stand for in every way there is.
///
/// # Errors
/// Says in words which search is wrong, after the task.
pub fn searches_agree(bytes: &[u8]) -> Result<(), String> {
    let task = planning::any_task(&mut Choices::new(bytes));
    let agree = planning::solve::searches_agree(&task);
    agree.map(drop).map_err(|difference| format!("{difference}\n{}", planning::agree::text(&task)))
}
