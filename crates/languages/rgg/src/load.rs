//! Parsing and lowering in one call.

use goalspec_resource::game::Game;
use goalspec_syntax::{Diagnostic, SourceFile};

use crate::ast;
use crate::dialect::Dialect;
use crate::{lower, parse};

/// The result of reading a text: the AST, the game and the diagnostics.
#[derive(Debug, Clone, Default)]
pub struct ParsedGame {
    /// The AST, without the parts that have errors; `None` if the text is not a YAML map.
    pub ast: Option<ast::Game>,
    /// The lowered game; `None` if there is an error.
    pub game: Option<Game>,
    /// The diagnostics of all phases, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text, resolves its names and lowers it. `custom` lists the names of the custom results that are registered.
///
/// ```
/// let text = "
/// teams: [red]
/// board: {nodes: [a]}
/// resourceSpace: {a: {capital: int(3)}}
/// actionSpace: {red: {spend: }}
/// actions:
///   spend:
///     cost: {a.capital: -1}
///     requires: {a.capital: {Gte: 0}}
/// rewards: {red: {Field: a.captial}}
/// completed: {a.capital: {Lte: 0}}
/// ";
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", text);
/// let loaded = goalspec_rgg::load(sources.file(id), goalspec_rgg::Dialect::DOCUMENTED, &[]);
/// assert!(loaded.game.is_none());
/// assert_eq!(loaded.diagnostics[0].message, "unknown field `a.captial`");
/// assert_eq!(loaded.diagnostics[0].help, ["did you mean `a.capital`?"]);
/// ```
pub fn load(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> ParsedGame {
    let parse::ParseResult { game: ast, mut diagnostics } = parse::parse(source, dialect, custom);
    let Some(ast) = ast else { return ParsedGame { diagnostics, ..ParsedGame::default() } };
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    if has_errors && (ast.nodes.is_empty() || ast.teams.is_empty()) {
        // Every name would be unresolved.
        return ParsedGame { ast: Some(ast), game: None, diagnostics };
    }
    let lower::LoweredGame { game, diagnostics: found } = lower::lower(&ast, dialect);
    diagnostics.extend(found);
    diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
    ParsedGame { ast: Some(ast), game: game.filter(|_| !has_errors), diagnostics }
}
