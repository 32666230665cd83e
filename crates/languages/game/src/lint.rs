//! Lints: valid programs that are probably mistakes.
//!
//! Lints examine the AST, so they also report findings in programs that do not resolve, unless a finding may be a mere consequence of
//! the errors. Names are resolved only to determine the objects they denote.
//!
//! | module | contents |
//! |---|---|
//! | [`codes`] | the codes of the lints, with their documentation |
//! | `logic` | nested, doubled and single-operand logical operators |
//! | `formula` | propositional reasoning |
//! | `constant_conditions` | contradictions, tautologies, and operands without effect |
//! | `sequence` | the operators of a `then` |
//! | `variables` | unused variables and repeated arguments |
//! | `objects` | impossible predicates, and preferences with no bindings or too many |
//! | `duplicates` | equal subexpressions |
//! | `interval` | bounds of scores |
//! | `score` | scores, terminal conditions, and their use of preferences |
//! | `edit` | edits for fixes |

pub mod codes;
mod constant_conditions;
mod duplicates;
mod edit;
mod formula;
mod interval;
mod logic;
mod objects;
mod score;
mod sequence;
mod variables;

use goalspec_core::ids::TypeId;
use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::{Code, Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::ast::visit::{self, Visitor};
use crate::ast::{
    Application, Condition, Constraint, Game, PatternBody, Preference, SequenceOperator, SetupStatement, TypedVariables,
};
use crate::dialect::Dialect;
use crate::resolve::{self, Resolution, is_extensible};

pub use objects::MANY_BINDINGS;

const COUNTED_FOR_EACH: &str = "satisfactions are counted once for each object that the variable can bind";
const NO_EFFECT: &str = "the condition means the same without it";

/// Resolves a game and runs the lints. Diagnostics are in source order.
///
/// Of several diagnostics with the same code and span, only the first is kept. Lints report nothing at a span that has an error. On a
/// game with missing parts, findings may be consequences of the missing parts.
pub fn resolve_and_lint(game: &Game, world: &World, dialect: Dialect) -> Resolution {
    let Resolution { game: program, mut diagnostics } = resolve::resolve(game, world, dialect);
    let mut known: FxHashSet<(Option<Span>, Code)> = FxHashSet::default();
    let mut invalid: FxHashSet<Option<Span>> = FxHashSet::default();
    for finding in &diagnostics {
        known.insert((finding.span, finding.code));
        if finding.is_error() {
            invalid.insert(finding.span);
        }
    }
    for found in lint(game, world, program.as_ref(), dialect) {
        if !invalid.contains(&found.span) && known.insert((found.span, found.code)) {
            if found.is_error() {
                invalid.insert(found.span);
            }
            diagnostics.push(found);
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    let is_valid = !diagnostics.iter().any(Diagnostic::is_error);
    Resolution { game: program.filter(|_| is_valid), diagnostics }
}

/// Runs the lints and returns their findings, in no particular order. `program` is the lowered game, if it resolved.
pub fn lint(game: &Game, world: &World, program: Option<&program::Game>, dialect: Dialect) -> Vec<Diagnostic> {
    let mut linter = Linter {
        game,
        world,
        dialect,
        diagnostics: Vec::new(),
        visible: Vec::new(),
        reasoning_budget: constant_conditions::MAX_REASONING_WORK,
        limit_reported: false,
    };
    if let Some(setup) = &game.setup {
        linter.setup(setup);
    }
    for constraint in &game.constraints {
        linter.constraint(constraint);
    }
    for preference in program.map_or(&[][..], |program| &program.preferences) {
        linter.check_has_binding(preference);
        linter.assignments(preference);
    }
    linter.scores();
    linter.diagnostics
}

struct Linter<'a> {
    game: &'a Game,
    world: &'a World,
    dialect: Dialect,
    diagnostics: Vec<Diagnostic>,
    /// The remaining steps of propositional reasoning.
    reasoning_budget: usize,
    /// Whether the steps were insufficient for some condition.
    limit_reported: bool,
    /// The variables in scope, innermost last, with their types; `None` if a type is unknown.
    visible: Vec<(&'a str, Option<Vec<TypeId>>)>,
}

impl<'a> Linter<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns the types of a group of variables, or `None` if one of them is unknown.
    fn types(&self, group: &TypedVariables) -> Option<Vec<TypeId>> {
        if group.types.is_empty() {
            return None;
        }
        group.types.iter().map(|name| self.world.type_named(&name.text)).collect()
    }

    /// Returns whether recordings can introduce objects in the range of the variables, or the types are unknown.
    fn is_open(&self, group: &TypedVariables) -> bool {
        self.types(group).is_none_or(|types| types.iter().any(|&id| is_extensible(self.world, id)))
    }

    /// Returns the types of a variable in scope, or `None` if the variable or one of its types is unknown.
    fn types_of(&self, variable: &str) -> Option<&[TypeId]> {
        let (_, types) = self.visible.iter().rev().find(|(name, _)| *name == variable)?;
        types.as_deref()
    }

    fn constraint(&mut self, constraint: &'a Constraint) {
        match constraint {
            Constraint::Preference(preference) => self.check_preference(&[], preference),
            Constraint::Forall { variables, preferences, .. } => {
                self.unused(variables, &preferences[..], COUNTED_FOR_EACH);
                self.enter(variables);
                for preference in preferences {
                    self.check_preference(variables, preference);
                }
                self.leave(variables);
            }
        }
    }

    fn check_preference(&mut self, external: &[TypedVariables], preference: &'a Preference) {
        let inner = preference.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
        self.unused(inner, &preference.body, COUNTED_FOR_EACH);
        self.bindings(external, preference);
        self.preference(preference);
    }

    /// Checks a condition that is not part of another one.
    fn whole_condition(&mut self, condition: &'a Condition) {
        self.condition(condition);
        self.check_constant(condition);
    }

    fn check_predicate(&mut self, application: &Application) {
        let before = self.diagnostics.len();
        self.repeated(application);
        // A relation of an object to itself may be impossible for that reason alone.
        if self.diagnostics.len() == before {
            self.check_satisfiable_predicate(application);
        }
    }
}

impl<'a> Visitor<'a> for Linter<'a> {
    fn setup(&mut self, setup: &'a SetupStatement) {
        self.check_connectives(setup);
        match setup {
            SetupStatement::Exists(variables, body, _) | SetupStatement::Forall(variables, body, _) => {
                self.unused(variables, &**body, "the setup means the same without it");
            }
            SetupStatement::Conserved(condition, _) | SetupStatement::Optional(condition, _) => {
                return self.whole_condition(condition);
            }
            SetupStatement::And(..) | SetupStatement::Or(..) | SetupStatement::Not(..) => {}
        }
        visit::walk_setup(self, setup);
    }

    fn body(&mut self, body: &'a PatternBody) {
        match body {
            PatternBody::AtEnd(condition, _) => self.whole_condition(condition),
            PatternBody::Then(operators, _) => {
                visit::walk_body(self, body);
                self.sequence(operators);
            }
        }
    }

    fn operator(&mut self, operator: &'a SequenceOperator) {
        self.whole_condition(operator.condition());
        match operator {
            SequenceOperator::Once(..) | SequenceOperator::Hold(..) => {}
            SequenceOperator::OnceMeasure(_, function, _) => self.function(function),
            SequenceOperator::HoldWhile(_, events, _) => {
                for event in events {
                    self.whole_condition(event);
                }
            }
        }
    }

    fn condition(&mut self, condition: &'a Condition) {
        self.check_connectives(condition);
        if let Condition::Exists(variables, body, _) | Condition::Forall(variables, body, _) = condition {
            self.unused(variables, &**body, NO_EFFECT);
        }
        visit::walk_condition(self, condition);
    }

    fn predicate(&mut self, application: &'a Application) {
        self.check_predicate(application);
    }

    fn function(&mut self, application: &'a Application) {
        self.repeated(application);
    }

    fn enter(&mut self, variables: &'a [TypedVariables]) {
        for group in variables {
            let types = self.types(group);
            self.visible.extend(group.names.iter().map(|name| (&*name.text, types.clone())));
        }
    }

    fn leave(&mut self, variables: &'a [TypedVariables]) {
        self.visible.truncate(self.visible.len() - TypedVariables::names_of(variables).count());
    }
}
