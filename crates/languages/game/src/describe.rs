//! Programs in other words: plain English, temporal logic, automata; and the vocabulary of a world.
//!
//! | module | what lives there |
//! |---|---|
//! | `sections` | the game, its setup and its preferences in English |
//! | `clause` | conditions in English |
//! | `score` | scores and terminal conditions in English |
//! | `words` | English itself |
//! | `ltl` | `then` as linear temporal logic |
//! | `automaton` | automata as DOT |
//! | `vocabulary` | what there is to speak of in a world |
//! | `source` | pieces of a program as it writes them |

mod automaton;
mod clause;
mod ltl;
mod score;
mod sections;
mod source;
mod vocabulary;
mod words;

use goalspec_core::program;
use goalspec_core::world::World;

use crate::ast::Game;

/// The game in plain English, section by section. What the world does not know is written as the program has it.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference tidy (exists (?b - dodgeball) (at-end (in top_drawer ?b)))))
///     (:scoring (* 2 (count tidy))))");
/// let parsed = goalspec_game::parse::parse(sources.get(id));
/// let world = goalspec_game::worlds::builtin("few").unwrap();
/// let text = goalspec_game::describe::text(&parsed.games[0], world);
/// assert!(text.contains("At the end of the game, with a dodgeball: the dodgeball is in the top drawer."));
/// ```
pub fn text(game: &Game, world: &World) -> String {
    sections::game(game, world)
}

/// The preferences as formulas of linear temporal logic, as the text that defines the language translates them, with a legend
/// of their letters.
pub fn ltl(game: &Game) -> String {
    ltl::game(game)
}

/// The automaton of a preference in DOT, the language of Graphviz: a box for each state of a satisfaction, with what holds in
/// it, doubled where a satisfaction may end. `None` if the game has no such preference.
pub fn dot(game: &program::Game, preference: &str, world: &World) -> Option<String> {
    let preference = game.preferences.iter().find(|known| *known.name == *preference)?;
    automaton::dot(preference, world)
}

/// The vocabulary of a world: types with the number of their objects, objects that programs can name, predicates, functions.
pub fn world(world: &World) -> String {
    vocabulary::world(world)
}
