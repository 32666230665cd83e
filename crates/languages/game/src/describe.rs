//! Translations of programs to English, temporal logic and automata, and listings of the vocabulary of a world.
//!
//! In English, two dots stand for text that could not be parsed. Preferences with such text are not translated to temporal logic.
//!
//! | module | contents |
//! |---|---|
//! | `sections` | a game, its setup and its preferences in English |
//! | `clause` | conditions in English |
//! | `score` | scores and terminal conditions in English |
//! | `inflection` | English inflection: articles, plurals, negation |
//! | `ltl` | preferences as linear temporal logic over finite traces |
//! | `automaton` | automata in the DOT language |
//! | `vocabulary` | the vocabulary of a world |

mod automaton;
mod clause;
mod inflection;
mod ltl;
mod score;
mod sections;
mod vocabulary;

use goalspec_core::program;
use goalspec_core::world::World;

use crate::ast::Game;
use crate::dialect::Dialect;

pub use ltl::LtlSyntax;

/// Describes a game in English, section by section. Names that the world does not have appear as they are written in the program.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference tidy (exists (?b - dodgeball) (at-end (in top_drawer ?b)))))
///     (:scoring (* 2 (count tidy))))");
/// let parsed = goalspec_game::parse::parse(sources.file(id));
/// let world = goalspec_game::worlds::builtin("few").unwrap();
/// let text = goalspec_game::describe::english(&parsed.games[0], world, goalspec_game::Dialect::FORMAL);
/// assert!(text.contains("At the end of the game, with a dodgeball: the dodgeball is in the top drawer."));
/// ```
pub fn english(game: &Game, world: &World, dialect: Dialect) -> String {
    sections::game(game, world, dialect)
}

/// Translates the preferences to formulas of linear temporal logic over finite traces (`LTLf`), each with a legend of its atomic
/// propositions.
///
/// For one binding of the variables, the formula of a preference holds on a trace exactly if the preference has a satisfaction in
/// that trace, which consists of the states in which the setup holds. [`LtlSyntax::legend`] explains the operators.
///
/// ```
/// use goalspec_game::describe::{LtlSyntax, ltl};
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference thrown (exists (?b - ball) (then
///         (once (agent_holds ?b)) (hold (in_motion ?b)) (once (not (in_motion ?b)))))))
///     (:scoring (count thrown)))");
/// let parsed = goalspec_game::parse::parse(sources.file(id));
/// let text = ltl(&parsed.games[0], goalspec_game::Dialect::FORMAL, LtlSyntax::Spot);
/// assert!(text.contains("F (a & X[!] (b & X[!] (b U (!b))))"));
/// ```
pub fn ltl(game: &Game, dialect: Dialect, syntax: LtlSyntax) -> String {
    ltl::game(game, dialect, syntax)
}

/// Returns the automaton of a preference in DOT, the language of Graphviz. Each position of a satisfaction is a box with the
/// conditions that hold there, doubled if a satisfaction may end there. Returns `None` if the game has no such preference or its
/// pattern is not a sequence or `at-end`.
pub fn automaton_dot(game: &program::Game, preference: &str, world: &World) -> Option<String> {
    let preference = game.preferences.iter().find(|known| *known.name == *preference)?;
    automaton::dot(preference, world)
}

/// Lists the vocabulary of a world: types with their numbers of objects, named objects, predicates and functions.
pub fn vocabulary(world: &World) -> String {
    vocabulary::world(world)
}
