//! Lints: constructs that are allowed but probably unintended.
//!
//! Many lints use the possible values of the resources, computed by [`Reach`]: a test is reported as never true only if this is proved.
//!
//! | module | contents |
//! |---|---|
//! | `odds` | odds of consequences |
//! | `action` | costs, requirements, results |
//! | `ending` | the end of the game, rewards, metrics |
//! | `tests` | tests in any position |
//! | `parameters` | parameters of actions |
//! | `unused` | unused resources |
//! | `values` | arithmetic, and values outside their spaces |

mod action;
mod ending;
mod odds;
mod parameters;
mod tests;
mod unused;
mod values;

use goalspec_resource::compute::Compute;
use goalspec_resource::field::Field;
use goalspec_resource::game::{Game, Outcome};
use goalspec_resource::possible::{Reach, Scope};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::ast::{self, ComputeKind, Name, Piece};
use crate::codes;
use crate::dialect::Dialect;
use crate::read::{Read, read};

/// Parses a text as [`read`] does and, unless there are errors, runs the lints.
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

/// Runs the lints on a game, from its AST and its lowered form.
pub fn lint(ast: &ast::Game, game: &Game) -> Vec<Diagnostic> {
    lint_within(ast, game, MAX_WORK).0
}

/// Runs the lints within a limit of work; returns the diagnostics and the work done.
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

/// Returns the work that the lints of a game do, as counted by [`Reach::work`]. Lints stop at named limits, and report that.
pub fn work(ast: &ast::Game, game: &Game) -> u64 {
    lint_within(ast, game, MAX_WORK).1
}

/// The limit of the work of the lints, including the computation of possible values; beyond it, lints about vectors are skipped.
pub const MAX_WORK: u64 = 2 * goalspec_resource::possible::MAX_WORK;

struct Linter<'a> {
    ast: &'a ast::Game,
    game: &'a Game,
    reach: &'a Reach,
    /// The limit of work.
    most: u64,
    found: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Whether the limit of work is exceeded.
    fn is_spent(&self) -> bool {
        self.reach.work() > self.most
    }

    /// Reports that some lints were skipped.
    fn stopped(&mut self) {
        let start = Span { end: self.ast.span.start, ..self.ast.span };
        let message = "the game exceeds the limit of the lints: some findings may be missing";
        let found = Diagnostic { span: Some(start), ..Diagnostic::new(codes::LINT_LIMIT, Severity::Note, message) };
        self.found.push(found.with_help("errors are reported, and the game can be played"));
    }

    /// Returns the scope of the state alone.
    fn state(&self) -> Scope<'a> {
        Scope::state(self.game, self.reach)
    }

    /// Whether an action has a custom result.
    fn has_custom_results(&self) -> bool {
        let mut consequences = self.game.actions.iter().flat_map(|action| &action.consequences);
        consequences.any(|consequence| matches!(consequence.outcome, Outcome::Custom { .. }))
    }
}

/// Returns the fields that a computation reads, each with its name in the AST.
fn reads<'a>(ast: &'a ast::Compute, compute: &'a Compute) -> Vec<(&'a Name, &'a Field)> {
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    self::names(ast, &mut names);
    compute.reads(&mut |field| fields.push(field));
    names.into_iter().zip(fields).collect()
}

/// Collects the names in a computation, in the order of [`Compute::reads`].
fn names<'a>(compute: &'a ast::Compute, names: &mut Vec<&'a Name>) {
    match &compute.kind {
        ComputeKind::Field(name) => names.push(name),
        // A formula without an expression is lowered to a missing value, which reads nothing.
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

    /// A game with diagnostics of the lints about vectors and values.
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
            (found.iter().any(|found| found.code == codes::LINT_LIMIT), found.len(), done)
        };
        let (stopped, all, done) = stops(enough);
        assert_eq!((stopped, done), (false, enough));
        assert!(all >= 2, "there is something to find");
        let (stopped, _, done) = stops(enough - 1);
        assert!(stopped && done <= enough);
        // If anything is skipped, that is reported.
        for most in 0..enough {
            let (stopped, found, done) = stops(most);
            assert!(stopped && found <= all + 1 && done <= enough, "{most}");
        }
    }
}
