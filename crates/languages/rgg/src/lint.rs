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
use goalspec_syntax::{Diagnostic, SourceFile};

use crate::ast::{self, ComputeKind, Name, Piece};
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
    let reach = Reach::of(game);
    let mut linter = Linter { ast, game, reach: &reach, found: Vec::new() };
    linter.actions();
    linter.ending();
    linter.parameters();
    linter.unused();
    linter.initial_values();
    linter.found
}

struct Linter<'a> {
    ast: &'a ast::Game,
    game: &'a Game,
    reach: &'a Reach,
    found: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
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
