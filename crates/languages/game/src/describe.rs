//! Programs in other words: plain English, temporal logic, automata; and the vocabulary of a world.
//!
//! | module | what lives there |
//! |---|---|
//! | `sections` | the game, its setup and its preferences in English |
//! | `clause` | conditions in English |
//! | `score` | scores and terminal conditions in English |
//! | `words` | English itself |
//! | `ltl` | preferences as linear temporal logic over finite traces |
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
use crate::dialect::Dialect;

pub use ltl::LtlSyntax;

/// The game in plain English, section by section. What the world does not know is written as the program has it.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference tidy (exists (?b - dodgeball) (at-end (in top_drawer ?b)))))
///     (:scoring (* 2 (count tidy))))");
/// let parsed = goalspec_game::parse::parse(sources.get(id));
/// let world = goalspec_game::worlds::builtin("few").unwrap();
/// let text = goalspec_game::describe::text(&parsed.games[0], world, goalspec_game::Dialect::FORMAL);
/// assert!(text.contains("At the end of the game, with a dodgeball: the dodgeball is in the top drawer."));
/// ```
pub fn text(game: &Game, world: &World, dialect: Dialect) -> String {
    sections::game(game, world, dialect)
}

/// The preferences as formulas of linear temporal logic over finite traces (`LTLf`), each with a legend of its letters.
///
/// The formula of a preference holds of a trace exactly if the preference, for one binding of its variables, has a satisfaction in
/// that trace (its states in which the setup holds). What the operators mean is said by [`LtlSyntax::legend`].
///
/// ```
/// use goalspec_game::describe::{LtlSyntax, ltl};
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference thrown (exists (?b - ball) (then
///         (once (agent_holds ?b)) (hold (in_motion ?b)) (once (not (in_motion ?b)))))))
///     (:scoring (count thrown)))");
/// let parsed = goalspec_game::parse::parse(sources.get(id));
/// let text = ltl(&parsed.games[0], goalspec_game::Dialect::FORMAL, LtlSyntax::Spot);
/// assert!(text.contains("F (a & X[!] (b & X[!] (b U (!b))))"));
/// ```
pub fn ltl(game: &Game, dialect: Dialect, syntax: LtlSyntax) -> String {
    ltl::game(game, dialect, syntax)
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
