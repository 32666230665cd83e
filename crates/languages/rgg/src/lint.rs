//! What is allowed but probably not meant.
//!
//! Much of it follows from what the resources of a game can ever be, as [`Reach`] has it: a test is said never to hold only if
//! that is proved.
//!
//! | module | what lives there |
//! |---|---|
//! | `odds` | odds of consequences |
//! | `action` | costs, requirements, results |
//! | `ending` | the end of the game, rewards, metrics |
//! | `tests` | what is said of tests, wherever they stand |
//! | `parameters` | parameters of actions |
//! | `unused` | resources that have no part in the game |
//! | `values` | arithmetic, and values outside of their spaces |

mod action;
mod ending;
mod odds;
mod parameters;
mod tests;
mod unused;
mod values;

use goalspec_core::resource::compute::Compute;
use goalspec_core::resource::field::Field;
use goalspec_core::resource::game::{Game, Outcome};
use goalspec_core::resource::possible::{Reach, Scope};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::ast::{self, ComputeKind, Name, Piece};
use crate::codes;
use crate::dialect::Dialect;
use crate::read::{Read, read};

/// Reads a text as [`read`] does, and looks for what is probably not meant, unless there are errors.
///
/// ```
/// let text = "
/// teams: [red]
/// board: {nodes: [a]}
/// resourceSpace: {a: {capital: int(3)}}
/// actionSpace: {red: {earn: }}
/// actions: {earn: {cost: {a.capital: 1}, requires: {}}}
/// rewards: {red: {Field: a.capital}}
/// completed: {a.capital: {Lte: 0}}
/// ";
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", text);
/// let checked = goalspec_rgg::check(sources.get(id), goalspec_rgg::Dialect::DOCUMENTED, &[]);
/// assert_eq!(checked.diagnostics[0].message, "the game never ends: `a.capital` is always at least `3`");
/// ```
pub fn check(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> Read {
    let mut checked = read(source, dialect, custom);
    if let (Some(ast), Some(game)) = (&checked.ast, &checked.game) {
        checked.diagnostics.extend(lint(ast, game));
        checked.diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
    }
    checked
}

/// Everything the lints find in a game, given as written and as it was lowered from that.
pub fn lint(ast: &ast::Game, game: &Game) -> Vec<Diagnostic> {
    lint_within(ast, game, MAX_WORK).0
}

/// What the lints find within so much work, and how much they did.
fn lint_within(ast: &ast::Game, game: &Game, most: u64) -> (Vec<Diagnostic>, u64) {
    let reach = Reach::of(game);
    let mut linter = Linter { ast, game, reach: &reach, most, found: Vec::new() };
    linter.actions();
    linter.ending();
    linter.parameters();
    linter.unused();
    linter.initial_values();
    if !reach.is_complete() || linter.is_spent() {
        linter.stopped();
    }
    (linter.found, reach.work())
}

/// How much work the lints of a game do: see [`Reach::work`]. They stop at named limits, and say so.
pub fn work(ast: &ast::Game, game: &Game) -> u64 {
    lint_within(ast, game, MAX_WORK).1
}

/// How much work lints do, that of finding out what resources can be included, before those about vectors are left out.
pub const MAX_WORK: u64 = 2 * goalspec_core::resource::possible::MAX_WORK;

struct Linter<'a> {
    ast: &'a ast::Game,
    game: &'a Game,
    reach: &'a Reach,
    /// How much work it may do.
    most: u64,
    found: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Whether the lints have done as much as they may.
    fn is_spent(&self) -> bool {
        self.reach.work() > self.most
    }

    /// Says that not everything was looked at.
    fn stopped(&mut self) {
        let start = Span { end: self.ast.span.start, ..self.ast.span };
        let message = "the game is so large that not everything was looked for that is probably not meant";
        let found = Diagnostic { span: Some(start), ..Diagnostic::new(codes::LINTS_STOPPED, Severity::Note, message) };
        self.found.push(found.with_help("errors are found all the same, and games are played as they are written"));
    }

    /// The state alone.
    fn state(&self) -> Scope<'a> {
        Scope::state(self.game, self.reach)
    }

    /// Whether some action has a result that is not part of the language.
    fn has_custom_results(&self) -> bool {
        let mut consequences = self.game.actions.iter().flat_map(|action| &action.consequences);
        consequences.any(|consequence| matches!(consequence.outcome, Outcome::Custom { .. }))
    }
}

/// What a computation reads: each field with the name that stands for it.
fn reads<'a>(ast: &'a ast::Compute, compute: &'a Compute) -> Vec<(&'a Name, &'a Field)> {
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    self::names(ast, &mut names);
    compute.reads(&mut |field| fields.push(field));
    names.into_iter().zip(fields).collect()
}

/// The names in a computation, in the order of [`Compute::reads`].
fn names<'a>(compute: &'a ast::Compute, names: &mut Vec<&'a Name>) {
    match &compute.kind {
        ComputeKind::Field(name) => names.push(name),
        // Without an expression nothing is left of it.
        ComputeKind::Calculate(formula) if formula.expression.is_some() => names.extend(&formula.fields),
        ComputeKind::CalculateBoolean(formula) if formula.expression.is_some() => names.extend(&formula.fields),
        ComputeKind::Constant(_) | ComputeKind::Calculate(_) | ComputeKind::CalculateBoolean(_) => {}
        ComputeKind::Condition(cases) => {
            for case in cases {
                names.extend(case.when.iter().map(|(name, _)| name));
                self::names(&case.value, names);
            }
        }
        ComputeKind::Math { fields, .. } | ComputeKind::FirstOf(fields) | ComputeKind::List(fields) => {
            names.extend(fields);
        }
        ComputeKind::Template(pieces) => names.extend(pieces.iter().filter_map(|piece| match piece {
            Piece::Field(name) => Some(name),
            Piece::Text(_) => None,
        })),
        ComputeKind::Chain(first, _) => self::names(first, names),
    }
}

#[cfg(test)]
mod limit {
    use goalspec_syntax::Sources;

    use super::{lint_within, work};
    use crate::{Dialect, codes, read};

    /// A game of which the lints about vectors and values have something to say.
    const GAME: &str = "
teams: [red]
board: {nodes: [a, b], vectors: [{from: a, to: b}, {from: b, to: a}]}
resourceSpace: {a: {x: 'int.range(0; 0,3)'}, b: {x: 'int.range(0; 0,3)'}}
actionSpace: {red: {act: }}
actions:
  act: {cost: {a.x: 1}, requires: {a.x: {Gte: 9}}, consequences: [{result: {WithAllVectors: {sourceFilter: {x: {Gte: 7}}, result: {_target.x: 5}}}}]}
rewards: {red: {Field: a.x}}
completed: {a.x: {Gte: 3}}
";

    #[test]
    fn lints_stop_at_their_limit_and_not_before() {
        let mut sources = Sources::new();
        let id = sources.add("game", GAME);
        let read = read(sources.get(id), Dialect::DOCUMENTED, &[]);
        let (ast, game) = (read.ast.expect("a tree"), read.game.expect("a game"));
        let enough = work(&ast, &game);
        let stops = |most| {
            let (found, done) = lint_within(&ast, &game, most);
            (found.iter().any(|found| found.code == codes::LINTS_STOPPED), found.len(), done)
        };
        let (stopped, all, done) = stops(enough);
        assert_eq!((stopped, done), (false, enough));
        assert!(all >= 2, "there is something to find");
        let (stopped, _, done) = stops(enough - 1);
        assert!(stopped && done <= enough);
        // Whatever is left out, what is said is that something is.
        for most in 0..enough {
            let (stopped, found, done) = stops(most);
            assert!(stopped && found <= all + 1 && done <= enough, "{most}");
        }
    }
}
