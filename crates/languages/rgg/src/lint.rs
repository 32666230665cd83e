//! Lints: constructs that are allowed but probably unintended.
//!
//! Many lints use the possible values of the resources, computed by [`ReachableValues`]: a test is reported as never true only if this is proved.
//!
//! | module | contents |
//! |---|---|
//! | `odds` | odds of consequences |
//! | `action` | costs, requirements, results |
//! | `ending` | the end of the game, rewards, metrics |
//! | `filters` | tests in any position |
//! | `parameters` | parameters of actions |
//! | `unused` | unused resources |
//! | `arithmetic` | arithmetic, and values outside their spaces |

mod action;
mod arithmetic;
mod ending;
mod filters;
mod odds;
mod parameters;
mod unused;

use goalspec_resource::abstraction::{AbstractContext, ReachableValues};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::Field;
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::ast::{self, ComputationKind, SpannedText, TemplatePart};
use crate::codes;
use crate::dialect::Dialect;
use crate::load::{ParsedGame, load};

/// Parses a text as [`load`] does and, unless there are errors, runs the lints.
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
/// let checked = goalspec_rgg::check(sources.file(id), goalspec_rgg::Dialect::DOCUMENTED, &[]);
/// assert_eq!(checked.diagnostics[0].message, "the game never ends: `a.capital` is always at least `3`");
/// ```
pub fn check(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> ParsedGame {
    let mut checked = load(source, dialect, custom);
    if let (Some(ast), Some(game)) = (&checked.ast, &checked.game) {
        checked.diagnostics.extend(lint(ast, game));
        checked.diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
    }
    checked
}

/// Runs the lints on a game, from its AST and its lowered form.
pub fn lint(ast: &ast::Game, game: &Game) -> Vec<Diagnostic> {
    lint_with_limit(ast, game, MAX_WORK).0
}

/// Runs the lints within a limit of work; returns the diagnostics and the work done.
fn lint_with_limit(ast: &ast::Game, game: &Game, limit: u64) -> (Vec<Diagnostic>, u64) {
    let reachable = ReachableValues::analyze(game);
    let mut linter = Linter { ast, game, reach: &reachable, max_work: limit, found: Vec::new() };
    linter.actions();
    linter.ending();
    linter.parameters();
    linter.unused();
    linter.initial_values();
    if !reachable.is_complete() || linter.is_exhausted() {
        linter.report_stopped();
    }
    (linter.found, reachable.work())
}

/// Returns the work that the lints of a game do, as counted by [`ReachableValues::work`](goalspec_resource::abstraction::ReachableValues::work). Lints stop at named limits, and report that.
pub fn work(ast: &ast::Game, game: &Game) -> u64 {
    lint_with_limit(ast, game, MAX_WORK).1
}

/// The limit of the work of the lints, including the computation of possible values; beyond it, lints about vectors are skipped.
pub const MAX_WORK: u64 = 2 * goalspec_resource::abstraction::MAX_WORK;

struct Linter<'a> {
    ast: &'a ast::Game,
    game: &'a Game,
    reach: &'a ReachableValues,
    /// The limit of work.
    max_work: u64,
    found: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Whether the limit of work is exceeded.
    fn is_exhausted(&self) -> bool {
        self.reach.work() > self.max_work
    }

    /// Reports that some lints were skipped.
    fn report_stopped(&mut self) {
        let start = Span { end: self.ast.span.start, ..self.ast.span };
        let message = "the game exceeds the limit of the lints: some findings may be missing";
        let found = Diagnostic { span: Some(start), ..Diagnostic::new(codes::LINT_LIMIT, Severity::Note, message) };
        self.found.push(found.with_help("errors are reported, and the game can be played"));
    }

    /// Returns the scope of the state alone.
    fn state(&self) -> AbstractContext<'a> {
        AbstractContext::state(self.game, self.reach)
    }

    /// Whether an action has a custom result.
    fn has_custom_results(&self) -> bool {
        let mut consequences = self.game.actions.iter().flat_map(|action| &action.consequences);
        consequences.any(|consequence| matches!(consequence.outcome, ConsequenceEffect::Custom { .. }))
    }
}

/// Returns the fields that a computation reads, each with its name in the AST.
fn fields_read<'a>(ast: &'a ast::Computation, compute: &'a Computation) -> Vec<(&'a SpannedText, &'a Field)> {
    let (mut names, mut fields) = (Vec::new(), Vec::new());
    self::names(ast, &mut names);
    compute.for_each_field(&mut |field| fields.push(field));
    names.into_iter().zip(fields).collect()
}

/// Collects the names in a computation, in the order of [`Computation::for_each_field`].
fn names<'a>(compute: &'a ast::Computation, names: &mut Vec<&'a SpannedText>) {
    match &compute.kind {
        ComputationKind::Field(name) => names.push(name),
        // A formula without an expression is lowered to a missing value, which reads nothing.
        ComputationKind::Calculate(formula) if formula.expression.is_some() => names.extend(&formula.fields),
        ComputationKind::CalculateBoolean(formula) if formula.expression.is_some() => names.extend(&formula.fields),
        ComputationKind::Constant(_) | ComputationKind::Calculate(_) | ComputationKind::CalculateBoolean(_) => {}
        ComputationKind::Cases(cases) => {
            for case in cases {
                names.extend(case.when.iter().map(|(name, _)| name));
                self::names(&case.value, names);
            }
        }
        ComputationKind::MathOperation { fields, .. }
        | ComputationKind::FirstPresent(fields)
        | ComputationKind::List(fields) => {
            names.extend(fields);
        }
        ComputationKind::Template(pieces) => names.extend(pieces.iter().filter_map(|piece| match piece {
            TemplatePart::Field(name) => Some(name),
            TemplatePart::Text(_) => None,
        })),
        ComputationKind::Chain(first, _) => self::names(first, names),
    }
}

#[cfg(test)]
mod limit {
    use goalspec_syntax::Sources;

    use super::{lint_with_limit, work};
    use crate::{Dialect, codes, load};

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
        let loaded = load(sources.file(id), Dialect::DOCUMENTED, &[]);
        let (ast, game) = (loaded.ast.expect("a tree"), loaded.game.expect("a game"));
        let needed = work(&ast, &game);
        let stops = |limit| {
            let (found, done) = lint_with_limit(&ast, &game, limit);
            (found.iter().any(|found| found.code == codes::LINT_LIMIT), found.len(), done)
        };
        let (stopped, all, done) = stops(needed);
        assert_eq!((stopped, done), (false, needed));
        assert!(all >= 2, "there is something to find");
        let (stopped, _, done) = stops(needed - 1);
        assert!(stopped && done <= needed);
        // If anything is skipped, that is reported.
        for limit in 0..needed {
            let (stopped, found, done) = stops(limit);
            assert!(stopped && found <= all + 1 && done <= needed, "{limit}");
        }
    }
}
