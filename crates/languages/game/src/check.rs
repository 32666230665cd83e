//! From a text to programs that can run: reading, choosing worlds, resolving, looking for what is probably not meant.

use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::sexp::{self, List, Parse, Sexp};
use goalspec_syntax::{Code, Diagnostic, SourceFile, suggest};
use rustc_hash::FxHashSet;

use crate::ast::Game;
use crate::dialect::Dialect;
use crate::spelling::Spelling;
use crate::{codes, lint, parse, resolve, worlds};

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

/// What unreadable parts may cause elsewhere in the same game: a name that seems unknown may be declared in such a part, unless
/// [`Lost`] knows better.
const CONSEQUENCES: [Code; 6] = [
    codes::UNBOUND_VARIABLE,
    codes::UNKNOWN_PREFERENCE,
    codes::NO_MEASURE,
    codes::EXTRA_SCORING_TYPE,
    codes::MIXED_EXTERNALS,
    codes::NO_EXTERNALS,
];

/// Errors with which all of a part is left out, so that no variable is missing in what is left.
const WHOLE_PARTS: [Code; 7] = [
    codes::UNKNOWN_OPERATOR,
    codes::MISPLACED_OPERATOR,
    codes::UNKNOWN_SECTION,
    codes::MISSING_SECTION,
    codes::DUPLICATE_SECTION,
    codes::UNMARKED_SETUP,
    codes::INVALID_NUMBER,
];

/// What a game lacks because it could not be read.
enum Lost {
    Nothing,
    /// Whole parts. In them may stand preferences of these names.
    Parts(FxHashSet<String>),
    /// Whatever: lists of variables, or the place of a parenthesis.
    Unknown,
}

impl Lost {
    /// Whether the finding, about the name `text`, may only follow from what is lost.
    fn explains(&self, finding: &Diagnostic, text: &str, game: &Game) -> bool {
        match self {
            Self::Nothing => false,
            Self::Parts(_) if finding.code == codes::UNBOUND_VARIABLE => false,
            Self::Parts(named) if finding.code == codes::UNKNOWN_PREFERENCE => {
                game.constraints.is_empty() || named.contains(text)
            }
            Self::Parts(_) | Self::Unknown => CONSEQUENCES.contains(&finding.code),
        }
    }
}

/// A text as the parser left it.
struct Text<'d> {
    /// The errors that have a place, in the order of the text, and those that have none.
    errors: [Vec<&'d Diagnostic>; 2],
    /// The lists that stand in no other, in order; none where there are no errors.
    roots: Vec<List<'d>>,
    /// Whether all of it is about one game.
    sole: bool,
}

impl<'d> Text<'d> {
    fn new(tree: &'d Parse, diagnostics: &'d [Diagnostic], sole: bool) -> Self {
        let errors = diagnostics.iter().filter(|finding| finding.is_error());
        let (mut placed, others): (Vec<_>, Vec<_>) = errors.partition(|error| error.span.is_some());
        placed.sort_by_key(|error| error.span);
        let roots = if placed.is_empty() && others.is_empty() { Vec::new() } else { tree.roots().collect() };
        Self { errors: [placed, others], roots, sole }
    }

    /// What the errors about a game, or about the text as a whole, leave out of it.
    fn lost(&self, game: &Game) -> Lost {
        let [placed, others] = &self.errors;
        let whole = game.origin.0;
        let before = |end: u32| placed.partition_point(|error| error.span.is_some_and(|span| span.start < end));
        let own = match whole {
            Some(whole) if !self.sole => &placed[before(whole.start)..before(whole.end)],
            _ => placed,
        };
        let mut errors = own.iter().chain(others).peekable();
        if errors.peek().is_none() {
            return Lost::Nothing;
        }
        if errors.any(|error| !WHOLE_PARTS.contains(&error.code)) {
            return Lost::Unknown;
        }
        let roots = whole.map_or(&self.roots[..], |whole| {
            let first = self.roots.partition_point(|root| root.span().end <= whole.start);
            let end = self.roots.partition_point(|root| root.span().start < whole.end);
            &self.roots[first..end]
        });
        Lost::Parts(named_lists(roots))
    }
}

/// The second words of all lists of a game that go on with a list: those of `(preference NAME (..))`, however it is misspelt.
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
/// let checked = goalspec_game::check(sources.get(id), goalspec_game::Dialect::FORMAL, |_| None);
/// assert!(checked.diagnostics.is_empty());
/// assert!(checked.games[0].program.is_some());
/// ```
pub fn check<'w>(source: &SourceFile, dialect: Dialect, find: impl Fn(&str) -> Option<&'w World>) -> Checked<'w> {
    let tree = sexp::parse(source);
    let world = |domain: &str| find(domain).or_else(|| worlds::builtin(domain));
    let spelling = |domain: &str| world(domain).map_or(Spelling::UNKNOWN, Spelling::of);
    let parse::Parsed { games, mut diagnostics } = parse::parse_tree_spelt(&tree, spelling);
    let text = Text::new(&tree, &diagnostics, games.len() == 1);
    let mut found = Vec::new();
    let games: Vec<_> = games
        .into_iter()
        .map(|ast| {
            let lost = text.lost(&ast);
            let readable = matches!(lost, Lost::Nothing);
            let world = world(&ast.domain.text);
            let Some(known) = world else {
                found.extend(unknown_domain(&ast));
                return CheckedGame { ast, readable, world, program: None };
            };
            // What is missing from a game would make most of the lints wrong.
            let resolved =
                if readable { lint::check(&ast, known, dialect) } else { resolve::resolve(&ast, known, dialect) };
            let name = |finding: &Diagnostic| finding.span.map_or("", |span| source.slice(span));
            let follows = |finding: &Diagnostic| lost.explains(finding, name(finding), &ast);
            found.extend(resolved.diagnostics.into_iter().filter(|finding| !follows(finding)));
            CheckedGame { ast, readable, world, program: resolved.game.filter(|_| readable) }
        })
        .collect();
    diagnostics.extend(found);
    diagnostics.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
    Checked { games, diagnostics }
}

/// The error about the world of a game; none where the game names no world, which has been reported.
fn unknown_domain(game: &Game) -> Option<Diagnostic> {
    let span = game.domain.origin.0?;
    if game.domain.text.is_empty() {
        return None;
    }
    let diagnostic =
        Diagnostic::error(codes::UNKNOWN_DOMAIN, span, format!("there is no world `{}`", game.domain.text));
    let (diagnostic, found) = suggest::with_nearest(diagnostic, &game.domain.text, span, worlds::names());
    let known: Vec<_> = worlds::names().map(|name| format!("`{name}`")).collect();
    let diagnostic =
        if found { diagnostic } else { diagnostic.with_help(format!("built in are {}", known.join(", "))) };
    let name = &game.domain.text;
    let file = name.rsplit('/').next().unwrap_or(name);
    let own = format!(
        "name the file that describes it on the command line as well, after the program: `{file}.world.toml`, with `name = \"{name}\"` in it, \
         or the file of the planning problem or domain `{name}`"
    );
    Some(diagnostic.with_help(own))
}
