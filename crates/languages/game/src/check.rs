//! The complete front end: parses a source text, selects the world of each game, resolves names and runs the lints.

use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, SourceFile, sexp, suggest};

use crate::ast::Game;
use crate::dialect::Dialect;
use crate::name_syntax::NameSyntax;
use crate::resolve::Resolution;
use crate::{codes, lint, parse, resolve, worlds};

/// The result of checking a source text.
#[derive(Debug, Clone, Default)]
pub struct CheckResult<'w> {
    /// The games, in source order.
    pub games: Vec<CheckedGame<'w>>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// The syntax tree of a game with the results of all checks.
#[derive(Debug, Clone)]
pub struct CheckedGame<'w> {
    /// The syntax tree of the game.
    pub ast: Game,
    /// The world in which the game is played, if it is known.
    pub world: Option<&'w World>,
    /// The game lowered over that world; absent if any diagnostic about this game is an error.
    pub program: Option<program::Game>,
}

/// Checks all games of a source text. Each game is resolved in the world that `find` returns for the name in its `:domain`, or
/// otherwise in the built-in world of that name.
///
/// An error in one game does not prevent the other games from running. If the text contains a single game, errors outside that game
/// count as its own, because the usual cause is a misplaced parenthesis.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference onBed (exists (?b - ball) (at-end (on bed ?b)))))
///     (:scoring (count onBed)))");
/// let checked = goalspec_game::check(sources.file(id), goalspec_game::Dialect::FORMAL, |_| None);
/// assert!(checked.diagnostics.is_empty());
/// assert!(checked.games[0].program.is_some());
/// ```
pub fn check<'w>(source: &SourceFile, dialect: Dialect, find: impl Fn(&str) -> Option<&'w World>) -> CheckResult<'w> {
    let tree = sexp::parse(source);
    let world = |domain: &str| find(domain).or_else(|| worlds::builtin(domain));
    let spelling = |domain: &str| world(domain).map_or(NameSyntax::UNKNOWN, NameSyntax::of);
    let parse::ParseResult { games, mut diagnostics } = parse::parse_tree_with_names(&tree, spelling);
    let mut checked = Vec::with_capacity(games.len());
    for ast in games {
        let world = world(&ast.domain.text);
        let mut program = None;
        if let Some(world) = world {
            let resolution = check_game(&ast, world, dialect);
            diagnostics.extend(resolution.diagnostics);
            program = resolution.game;
        } else {
            diagnostics.extend(unknown_domain(&ast));
        }
        checked.push(CheckedGame { ast, world, program });
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    CheckResult { games: checked, diagnostics }
}

/// Resolves a game in a world and runs the lints. The result has no lowered game if a lint reports an error.
pub fn check_game(game: &Game, world: &World, dialect: Dialect) -> Resolution {
    let Resolution { game, tree, mut diagnostics } = resolve::resolve(game, world, dialect);
    let findings = lint::lint(&tree, world, game.as_ref(), dialect);
    let game = game.filter(|_| !findings.iter().any(Diagnostic::is_error));
    diagnostics.extend(findings);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    Resolution { game, tree, diagnostics }
}

/// Returns the error for an unknown world, or `None` if the `:domain` section is missing, which the parser has already reported.
fn unknown_domain(game: &Game) -> Option<Diagnostic> {
    if game.domain.is_missing() {
        return None;
    }
    let span = game.domain.span();
    let diagnostic = Diagnostic::error(codes::UNKNOWN_DOMAIN, span, format!("unknown world `{}`", game.domain.text));
    let (diagnostic, found) = suggest::with_nearest(diagnostic, &game.domain.text, span, worlds::names());
    let known: Vec<_> = worlds::names().map(|name| format!("`{name}`")).collect();
    let diagnostic =
        if found { diagnostic } else { diagnostic.with_help(format!("built-in worlds: {}", known.join(", "))) };
    let name = &game.domain.text;
    let file = name.rsplit('/').next().unwrap_or(name);
    let own = format!(
        "add the file of its description after the program on the command line: `{file}.world.toml` with `name = \"{name}\"`, or the \
         file of the planning problem or domain `{name}`"
    );
    Some(diagnostic.with_help(own))
}
