//! Lints: valid programs that are probably mistakes.
//!
//! Lints examine the AST, so they also report findings in programs with errors. They skip erroneous nodes and names, and what may
//! depend on unparsed text. Names are resolved only to determine the objects they denote.
//!
//! | module | contents |
//! |---|---|
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

use std::rc::Rc;

use goalspec_core::ids::TypeId;
use goalspec_core::program;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::visit::{self, Visitor};
use crate::ast::{
    Application, Condition, Constraint, Game, Integrity, PatternBody, Preference, SequenceOperator, SetupStatement,
    TypedVariables,
};
use crate::dialect::Dialect;
use crate::resolve::is_extensible;

const COUNTED_FOR_EACH: &str = "satisfactions are counted once for each object that the variable can bind";
const NO_EFFECT: &str = "the condition means the same without it";

/// Runs the lints on a game whose names have been resolved, and returns their findings in no particular order. `program` is the lowered
/// game, if there are no errors.
///
/// If the game is [damaged](Integrity::Damaged), there are no findings: most of them would be consequences of the damage.
pub fn lint(game: &Game, world: &World, program: Option<&program::Game>, dialect: Dialect) -> Vec<Diagnostic> {
    if game.integrity == Integrity::Damaged {
        return Vec::new();
    }
    let mut linter = Linter {
        game,
        world,
        dialect,
        diagnostics: Vec::new(),
        visible: FxHashMap::default(),
        oversized: FxHashSet::default(),
        reasoning_budget: constant_conditions::MAX_REASONING_WORK,
        limit_reported: false,
    };
    if let Some(setup) = &game.setup {
        linter.setup(setup);
    }
    game.constraints.iter().for_each(|constraint| linter.constraint(constraint));
    // All preferences of a game without errors are lowered, in the same order.
    let lowered = program.map_or(&[][..], |program| &program.preferences);
    for (lowered, (_, preference)) in lowered.iter().zip(game.preferences()) {
        linter.check_has_binding(lowered, preference.span());
        linter.assignments(lowered, preference.span());
    }
    linter.scores();
    linter.diagnostics
}

struct Linter<'a> {
    game: &'a Game,
    world: &'a World,
    dialect: Dialect,
    diagnostics: Vec<Diagnostic>,
    /// The names of the preferences with more bindings than the limit, which is an error.
    oversized: FxHashSet<&'a str>,
    /// The remaining steps of propositional reasoning.
    reasoning_budget: usize,
    /// Whether the steps were insufficient for some condition.
    limit_reported: bool,
    /// The types of the variables in scope with each name, innermost last; `None` if a type is unknown.
    visible: FxHashMap<&'a str, Vec<Option<Rc<[TypeId]>>>>,
}

impl<'a> Linter<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns the types of a group of variables, each once, or `None` if one of them is unknown.
    fn types(&self, group: &TypedVariables) -> Option<Vec<TypeId>> {
        let mut distinct = FxHashSet::default();
        let mut types = group.types.iter().map(|name| self.world.type_named(&name.text)).collect::<Option<Vec<_>>>()?;
        types.retain(|&id| distinct.insert(id));
        Some(types)
    }

    /// Returns whether recordings can introduce objects in the range of the variables, or the types are unknown.
    fn is_open(&self, group: &TypedVariables) -> bool {
        self.types(group).is_none_or(|types| types.iter().any(|&id| is_extensible(self.world, id)))
    }

    /// Returns the types of a variable in scope, or `None` if the variable or one of its types is unknown.
    fn types_of(&self, variable: &str) -> Option<&[TypeId]> {
        self.visible.get(variable)?.last()?.as_deref()
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
    fn constraint(&mut self, constraint: &'a Constraint) {
        match constraint {
            Constraint::Preference(preference) => self.check_preference(&[], preference),
            Constraint::Error(_) => {}
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
            SetupStatement::Error(_) => return,
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
            PatternBody::Error(_) => {}
        }
    }

    fn operator(&mut self, operator: &'a SequenceOperator) {
        if let Some(condition) = operator.condition() {
            self.whole_condition(condition);
        }
        match operator {
            SequenceOperator::Once(..) | SequenceOperator::Hold(..) | SequenceOperator::Error(_) => {}
            SequenceOperator::OnceMeasure(_, function, _) => self.function(function),
            SequenceOperator::HoldWhile(_, events, _) => {
                for event in events {
                    self.whole_condition(event);
                }
            }
        }
    }

    fn condition(&mut self, condition: &'a Condition) {
        if let Condition::Error(_) = condition {
            return;
        }
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
            let types: Option<Rc<[TypeId]>> = self.types(group).map(Rc::from);
            for name in &group.names {
                self.visible.entry(&name.text).or_default().push(types.clone());
            }
        }
    }

    fn leave(&mut self, variables: &'a [TypedVariables]) {
        for name in TypedVariables::names_of(variables) {
            self.visible.get_mut(&*name.text).and_then(Vec::pop);
        }
    }
}
