//! From a text to programs that can run: reading, choosing worlds, resolving, looking for what is probably not meant.

use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::{Code, Diagnostic, SourceFile};

use crate::ast::Game;
use crate::{codes, lint, nearest, parse, resolve, worlds};

/// What there is to say about a text, and the games in it.
#[derive(Debug, Clone, Default)]
pub struct Checked<'w> {
    /// The games, in order.
    pub games: Vec<CheckedGame<'w>>,
    /// Everything that was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// A game of a text.
#[derive(Debug, Clone)]
pub struct CheckedGame<'w> {
    /// The game as written, as far as it could be read.
    pub ast: Game,
    /// Whether all of it could be read: nothing is missing from `ast`.
    pub readable: bool,
    /// The world it is played in; absent where that is unknown.
    pub world: Option<&'w World>,
    /// The game over that world; absent if anything about this game is an error.
    pub program: Option<program::Game>,
}

/// What unreadable parts may cause elsewhere in the same game: a name that seems unknown may be declared in such a part.
const CONSEQUENCES: [Code; 6] = [
    codes::UNBOUND_VARIABLE,
    codes::UNKNOWN_PREFERENCE,
    codes::NO_MEASURE,
    codes::EXTRA_SCORING_TYPE,
    codes::MIXED_EXTERNALS,
    codes::NO_EXTERNALS,
];

/// Reads all games of a text and resolves each in the world that `find` has under the name of its `:domain`, or else in the
/// built-in world of that name.
///
/// An error in one of several games does not keep the others from running. Errors outside of a sole game are taken for its own: the
/// usual cause is a parenthesis.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference onBed (exists (?b - ball) (at-end (on bed ?b)))))
///     (:scoring (count onBed)))");
/// let checked = goalspec_game::check(sources.get(id), |_| None);
/// assert!(checked.diagnostics.is_empty());
/// assert!(checked.games[0].program.is_some());
/// ```
pub fn check<'w>(source: &SourceFile, find: impl Fn(&str) -> Option<&'w World>) -> Checked<'w> {
    let parsed = parse::parse(source);
    let mut diagnostics = parsed.diagnostics;
    let sole = parsed.games.len() == 1;
    let games: Vec<_> = parsed
        .games
        .into_iter()
        .map(|ast| {
            let readable = !diagnostics.iter().any(|finding| finding.is_error() && (sole || concerns(finding, &ast)));
            let world = find(&ast.domain.text).or_else(|| worlds::builtin(&ast.domain.text));
            let Some(known) = world else {
                diagnostics.extend(unknown_domain(&ast));
                return CheckedGame { ast, readable, world, program: None };
            };
            // What is missing from a game would make most of the lints wrong.
            let resolved = if readable { lint::check(&ast, known) } else { resolve::resolve(&ast, known) };
            let consequence = |finding: &Diagnostic| !readable && CONSEQUENCES.contains(&finding.code);
            diagnostics.extend(resolved.diagnostics.into_iter().filter(|finding| !consequence(finding)));
            CheckedGame { ast, readable, world, program: resolved.game.filter(|_| readable) }
        })
        .collect();
    diagnostics.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
    Checked { games, diagnostics }
}

/// Whether a finding is about this game, or about the text as a whole.
fn concerns(finding: &Diagnostic, game: &Game) -> bool {
    match (finding.span, game.origin.0) {
        (Some(finding), Some(game)) => game.start <= finding.start && finding.start < game.end,
        _ => true,
    }
}

/// The error about the world of a game; none where the game names no world, which has been reported.
fn unknown_domain(game: &Game) -> Option<Diagnostic> {
    let span = game.domain.origin.0?;
    if game.domain.text.is_empty() {
        return None;
    }
    let diagnostic =
        Diagnostic::error(codes::UNKNOWN_DOMAIN, span, format!("there is no world `{}`", game.domain.text));
    let (diagnostic, found) = nearest::suggest(diagnostic, &game.domain.text, span, worlds::names());
    let known: Vec<_> = worlds::names().map(|name| format!("`{name}`")).collect();
    let diagnostic =
        if found { diagnostic } else { diagnostic.with_help(format!("built in are {}", known.join(", "))) };
    Some(diagnostic.with_help("for a world of your own, give its description"))
}
