//! The complete front end: parses a source text, selects the world of each game, resolves names and runs the lints.

use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::sexp::{self, List, Parse, Sexp};
use goalspec_syntax::{Code, Diagnostic, SourceFile, suggest};
use rustc_hash::FxHashSet;

use crate::ast::Game;
use crate::dialect::Dialect;
use crate::name_syntax::NameSyntax;
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
    /// The syntax tree of the game. Parts that could not be parsed are absent.
    pub ast: Game,
    /// Whether the game was parsed completely, so that `ast` lacks nothing.
    pub complete: bool,
    /// The world in which the game is played, if it is known.
    pub world: Option<&'w World>,
    /// The game lowered over that world; absent if any diagnostic about this game is an error.
    pub program: Option<program::Game>,
}

/// The codes of errors that an unparsed part of the same game may cause: the part may declare the name that seems unknown. [`MissingParts`]
/// excludes some of these cases.
const CONSEQUENTIAL_CODES: [Code; 6] = [
    codes::UNBOUND_VARIABLE,
    codes::UNKNOWN_PREFERENCE,
    codes::NO_MEASURE,
    codes::EXTRA_SCORING_TYPE,
    codes::MIXED_EXTERNALS,
    codes::NO_EXTERNALS,
];

/// The codes of errors for which the parser drops a whole part, so that the remaining parts still declare all their variables.
const WHOLE_PART_CODES: [Code; 7] = [
    codes::UNKNOWN_OPERATOR,
    codes::MISPLACED_OPERATOR,
    codes::UNKNOWN_SECTION,
    codes::MISSING_SECTION,
    codes::DUPLICATE_SECTION,
    codes::UNMARKED_SETUP,
    codes::INVALID_NUMBER,
];

/// The parts of a game that are missing because of parse errors.
enum MissingParts {
    Nothing,
    /// Whole parts, which may contain preferences with these names.
    Parts(FxHashSet<String>),
    /// Unknown parts: a variable list is damaged or a parenthesis is misplaced.
    Unknown,
}

impl MissingParts {
    /// Returns whether the missing parts may be the only cause of `finding`, a diagnostic about the name `text`.
    fn explains(&self, finding: &Diagnostic, text: &str, game: &Game) -> bool {
        match self {
            Self::Nothing => false,
            Self::Parts(_) if finding.code == codes::UNBOUND_VARIABLE => false,
            Self::Parts(named) if finding.code == codes::UNKNOWN_PREFERENCE => {
                game.constraints.is_empty() || named.contains(text)
            }
            Self::Parts(_) | Self::Unknown => CONSEQUENTIAL_CODES.contains(&finding.code),
        }
    }
}

/// The parser's output for a source text.
struct ParseErrors<'d> {
    /// The errors with a span, in source order, and the errors without one.
    errors: [Vec<&'d Diagnostic>; 2],
    /// The top-level lists, in order; empty if there are no errors.
    roots: Vec<List<'d>>,
    /// Whether the text contains exactly one game.
    sole: bool,
}

impl<'d> ParseErrors<'d> {
    fn new(tree: &'d Parse, diagnostics: &'d [Diagnostic], is_only: bool) -> Self {
        let errors = diagnostics.iter().filter(|finding| finding.is_error());
        let (mut placed, others): (Vec<_>, Vec<_>) = errors.partition(|error| error.span.is_some());
        placed.sort_by_key(|error| error.span);
        let roots = if placed.is_empty() && others.is_empty() { Vec::new() } else { tree.roots().collect() };
        Self { errors: [placed, others], roots, sole: is_only }
    }

    /// Returns the parts of a game that are missing because of errors inside it or in the text as a whole.
    fn lost(&self, game: &Game) -> MissingParts {
        let [placed, others] = &self.errors;
        let whole = game.origin.0;
        let before = |end: u32| placed.partition_point(|error| error.span.is_some_and(|span| span.start < end));
        let own = match whole {
            Some(whole) if !self.sole => &placed[before(whole.start)..before(whole.end)],
            _ => placed,
        };
        let mut errors = own.iter().chain(others).peekable();
        if errors.peek().is_none() {
            return MissingParts::Nothing;
        }
        if errors.any(|error| !WHOLE_PART_CODES.contains(&error.code)) {
            return MissingParts::Unknown;
        }
        let roots = whole.map_or(&self.roots[..], |whole| {
            let first = self.roots.partition_point(|root| root.span().end <= whole.start);
            let end = self.roots.partition_point(|root| root.span().start < whole.end);
            &self.roots[first..end]
        });
        MissingParts::Parts(named_lists(roots))
    }
}

/// Collects the second word of every list whose third item is a list, as in `(preference NAME (..))`, even if the first word is
/// misspelt.
fn named_lists(roots: &[List<'_>]) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    let mut open = roots.to_vec();
    while let Some(list) = open.pop() {
        let items: Vec<Sexp> = list.items().collect();
        if let [Sexp::Atom(_), Sexp::Atom(name), Sexp::List(_), ..] = &items[..] {
            names.insert(name.text().to_owned());
        }
        open.extend(items.into_iter().filter_map(Sexp::as_list));
    }
    names
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
    let text = ParseErrors::new(&tree, &diagnostics, games.len() == 1);
    let mut found = Vec::new();
    let games: Vec<_> = games
        .into_iter()
        .map(|ast| {
            let discarded = text.lost(&ast);
            let readable = matches!(discarded, MissingParts::Nothing);
            let world = world(&ast.domain.text);
            let Some(known) = world else {
                found.extend(unknown_domain(&ast));
                return CheckedGame { ast, complete: readable, world, program: None };
            };
            // Most lints would give false results on an incomplete game.
            let resolved = if readable {
                lint::resolve_and_lint(&ast, known, dialect)
            } else {
                resolve::resolve(&ast, known, dialect)
            };
            let name = |finding: &Diagnostic| finding.span.map_or("", |span| source.slice(span));
            let follows = |finding: &Diagnostic| discarded.explains(finding, name(finding), &ast);
            found.extend(resolved.diagnostics.into_iter().filter(|finding| !follows(finding)));
            CheckedGame { ast, complete: readable, world, program: resolved.game.filter(|_| readable) }
        })
        .collect();
    diagnostics.extend(found);
    diagnostics.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
    CheckResult { games, diagnostics }
}

/// Returns the error for an unknown world, or `None` if the `:domain` section is missing, which the parser has already reported.
fn unknown_domain(game: &Game) -> Option<Diagnostic> {
    let span = game.domain.origin.0?;
    if game.domain.text.is_empty() {
        return None;
    }
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
