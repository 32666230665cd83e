//! Name resolution and type checks: conditions, expressions and effects from the AST to the core.
//!
//! Resolution and lowering are a single pass. A node with errors is reported and yields `None`; the pass continues with its
//! siblings, so that all errors are reported.
//!
//! | module | contents |
//! |---|---|
//! | `terms` | variables, objects, arguments and their types |
//! | `effects` | effects |
//! | `condition_parts` | extraction of preferences and constraints from conditions |

mod condition_parts;
mod effects;
mod terms;

use std::sync::Arc;

use goalspec_core::condition::{self, ComparisonOperator, Condition, Expression, Scope, Term, Variable};
use goalspec_core::ids::{TypeId, VarId};
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Arguments, Expr, ExprKind, Formula, FormulaKind, Name, TypedNames};
use crate::codes;
use crate::lint::codes::UNUSED_PARAMETER;
use crate::parse::excerpt;
use crate::vocabulary::{ObjectTable, Vocabulary};

pub(crate) use condition_parts::{ConditionPart, Strength, condition_parts, is_temporal};

/// Maximum number of diagnostics for which suggestions are computed. Suggestions take time and add little where there are many
/// errors.
pub(crate) const MAX_SUGGESTIONS: usize = 200;

/// A variable in scope.
#[derive(Debug, Clone)]
struct ScopedVariable {
    name: Name,
    types: Vec<TypeId>,
    /// The term that the variable stands for: itself, or an object while its quantifier is expanded.
    term: Term,
    used: bool,
}

/// The context of conditions and effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResolveContext {
    /// An instantaneous action, a rule or a goal.
    Plain,
    /// A durative action.
    Durative,
}

/// A resolver of names.
pub(crate) struct Resolver<'v> {
    pub(crate) vocabulary: &'v Vocabulary,
    pub(crate) objects: &'v ObjectTable,
    pub(crate) place: ResolveContext,
    /// The variables declared so far.
    pub(crate) scope: Scope,
    visible: Vec<ScopedVariable>,
    /// For each name the indices of its visible variables, the innermost last.
    places: FxHashMap<Arc<str>, Vec<usize>>,
    pub(crate) diagnostics: &'v mut Vec<Diagnostic>,
}

impl<'v> Resolver<'v> {
    pub(crate) fn new(
        vocabulary: &'v Vocabulary,
        objects: &'v ObjectTable,
        diagnostics: &'v mut Vec<Diagnostic>,
    ) -> Self {
        let (scope, visible, places) = (Scope::default(), Vec::new(), FxHashMap::default());
        Self { vocabulary, objects, place: ResolveContext::Plain, scope, visible, places, diagnostics }
    }

    /// Declares the variables of a quantifier, which are visible until [`Resolver::leave`].
    pub(crate) fn enter(&mut self, groups: &[TypedNames]) -> Vec<VarId> {
        let mut ids = Vec::new();
        for group in groups {
            let types = self.vocabulary.types.resolve(group.type_ref.as_ref(), self.diagnostics);
            for name in &group.names {
                ids.push(self.declare(name, types.clone()));
            }
        }
        ids
    }

    /// Declares a variable. Reports it if it shadows another one.
    pub(crate) fn declare(&mut self, name: &Name, types: Vec<TypeId>) -> VarId {
        if let Some(shadowed) = self.place_of(name.text()).map(|place| &self.visible[place]) {
            let message = format!("variable `{}` shadows another variable", excerpt(name.written()));
            let hidden = Diagnostic::warning(codes::SHADOWED_VARIABLE, name.span, message);
            self.diagnostics.push(hidden.with_related(shadowed.name.span, "the shadowed variable"));
        }
        let variable = Variable { name: name.shared(), types: types.clone(), origin: name.span.into() };
        let id = self.scope.declare(variable);
        self.places.entry(name.shared()).or_default().push(self.visible.len());
        self.visible.push(ScopedVariable { name: name.clone(), types, term: Term::Variable(id), used: false });
        id
    }

    /// Returns the number of visible variables.
    pub(crate) fn depth(&self) -> usize {
        self.visible.len()
    }

    /// Returns the index of the innermost visible variable of a name.
    fn place_of(&self, name: &str) -> Option<usize> {
        self.places.get(name)?.last().copied()
    }

    /// Removes the variables declared since `depth` from the scope. Reports unused ones.
    pub(crate) fn leave(&mut self, depth: usize, subject: &str) {
        for variable in self.visible.drain(depth..) {
            self.places.entry(variable.name.shared()).and_modify(|places| {
                places.pop();
            });
            if variable.used {
                continue;
            }
            let message = format!("unused {subject} `{}`", excerpt(variable.name.written()));
            self.diagnostics.push(Diagnostic::warning(UNUSED_PARAMETER, variable.name.span, message));
        }
    }

    /// Resolves a condition on a state.
    pub(crate) fn condition(&mut self, formula: &Formula) -> Option<Condition> {
        match &formula.kind {
            FormulaKind::Atom(atom) => Some(Condition::Atom(self.atom(atom)?)),
            FormulaKind::Compare(comparison, sides) => self.compare(*comparison, sides, formula.span),
            FormulaKind::Not(body) => Some(Condition::Not(Box::new(self.condition(body)?))),
            FormulaKind::And(parts) => Some(Condition::And(self.conditions(parts)?)),
            FormulaKind::Or(parts) => Some(Condition::Or(self.conditions(parts)?)),
            FormulaKind::Imply(parts) => {
                let (left, right) = (self.condition(&parts[0]), self.condition(&parts[1]));
                Some(Condition::Imply(Box::new([left?, right?])))
            }
            FormulaKind::Forall(variables, body) => {
                let (ids, body) = self.quantified(variables, body)?;
                Some(Condition::Forall(ids, body))
            }
            FormulaKind::Exists(variables, body) => {
                let (ids, body) = self.quantified(variables, body)?;
                Some(Condition::Exists(ids, body))
            }
            FormulaKind::Timed(_, body) if self.place == ResolveContext::Durative => self.condition(body),
            FormulaKind::Preference(..) | FormulaKind::Timed(..) | FormulaKind::Trajectory(..) => {
                self.misplaced(formula);
                None
            }
        }
    }

    fn conditions(&mut self, parts: &[Formula]) -> Option<Vec<Condition>> {
        let parts: Vec<_> = parts.iter().map(|part| self.condition(part)).collect();
        parts.into_iter().collect()
    }

    fn quantified(&mut self, variables: &[TypedNames], body: &Formula) -> Option<(Vec<VarId>, Box<Condition>)> {
        let depth = self.depth();
        let ids = self.enter(variables);
        let body = self.condition(body);
        self.leave(depth, "variable");
        Some((ids, Box::new(body?)))
    }

    /// Reports a condition in a position where it is not allowed.
    pub(crate) fn misplaced(&mut self, formula: &Formula) {
        let (subject, help) = match &formula.kind {
            FormulaKind::Preference(..) => (
                "a preference",
                "preferences are allowed in goals, preconditions and constraints, nested only in `and` and `forall`",
            ),
            FormulaKind::Trajectory(..) => {
                ("a trajectory operator", "move it to `(:constraints ..)`; it can be nested only in `and` and `forall`")
            }
            _ => (
                "a timed condition",
                "`at start`, `over all` and `at end` are allowed in durative actions, `at end` also in `(:constraints ..)`",
            ),
        };
        let message = format!("{subject} is not allowed here");
        self.diagnostics.push(Diagnostic::error(codes::MISPLACED, formula.span, message).with_help(help));
    }

    /// Resolves a numeric comparison or an equality of objects.
    fn compare(&mut self, comparison: ComparisonOperator, sides: &[Expr; 2], span: Span) -> Option<Condition> {
        if let (ComparisonOperator::Equal, [ExprKind::Name(left), ExprKind::Name(right)]) =
            (comparison, [&sides[0].kind, &sides[1].kind])
            && !(self.is_number(left) || self.is_number(right))
        {
            return self.equal(left, right);
        }
        let (left, right) = (self.expression(&sides[0]), self.expression(&sides[1]));
        Some(Condition::Compare { comparison, sides: Box::new([left?, right?]), origin: span.into() })
    }

    fn equal(&mut self, left: &Name, right: &Name) -> Option<Condition> {
        let (one, other) = (self.term(left), self.term(right));
        let ((one, one_types), (other, other_types)) = (one?, other?);
        let types = &self.vocabulary.types;
        let overlap = |one: &TypeId| other_types.iter().any(|other| types.overlap(*one, *other));
        let known = !one_types.is_empty() && !other_types.is_empty();
        if known && !one_types.iter().any(overlap) {
            let message = format!(
                "`{}` has type {} and `{}` has type {}, so they are never equal",
                excerpt(left.written()),
                types.describe(&one_types),
                excerpt(right.written()),
                types.describe(&other_types)
            );
            self.diagnostics.push(Diagnostic::warning(codes::WIDER_TYPE, left.span.to(right.span), message));
        }
        Some(Condition::Not(Box::new(Condition::Distinct(one, other))))
    }

    /// Whether a name without parentheses denotes a number.
    fn is_number(&self, name: &Name) -> bool {
        let special = ["?duration", "#t"].contains(&name.text()) && self.place == ResolveContext::Durative;
        special || (self.vocabulary.functions.find(name.text()).is_some() && self.objects.find(name.text()).is_none())
    }

    /// Resolves a numeric expression.
    pub(crate) fn expression(&mut self, expr: &Expr) -> Option<Expression> {
        match &expr.kind {
            ExprKind::Number(number) => Some(Expression::Number(*number)),
            ExprKind::Name(name) => self.number_named(name),
            ExprKind::Call(call) => {
                let (function, arguments) = self.call(call)?;
                Some(Expression::Call { function, arguments, origin: call.span.into() })
            }
            ExprKind::Add(parts) => Some(Expression::Add(self.expressions(parts)?)),
            ExprKind::Multiply(parts) => Some(Expression::Multiply(self.expressions(parts)?)),
            ExprKind::Subtract(parts) => Some(Expression::Subtract(self.two(parts)?)),
            ExprKind::Divide(parts) => Some(Expression::Divide(self.two(parts)?)),
            ExprKind::Negate(part) => {
                let part = self.expression(part)?;
                Some(Expression::Subtract(Box::new([Expression::Number(0.0), part])))
            }
            ExprKind::IsViolated(_) => {
                let message = "`is-violated` is allowed only in `(:metric ..)`";
                self.diagnostics.push(Diagnostic::error(codes::MISPLACED, expr.span, message));
                None
            }
        }
    }

    fn number_named(&mut self, name: &Name) -> Option<Expression> {
        if ["?duration", "#t"].contains(&name.text()) && self.place == ResolveContext::Durative {
            return Some(Expression::Number(0.0));
        }
        if self.is_number(name) {
            let call = crate::ast::Atom { name: name.clone(), arguments: Arguments::new(), span: name.span };
            let (function, arguments) = self.call(&call)?;
            return Some(Expression::Call { function, arguments, origin: name.span.into() });
        }
        let message = format!("expected a number, found `{}`", excerpt(name.written()));
        let found = Diagnostic::error(codes::TYPE_MISMATCH, name.span, message);
        let help = match name.text() {
            "?duration" | "#t" => "it is defined only in durative actions",
            "total-time" => "`total-time` is allowed only in `(:metric ..)`",
            _ => "write a function without arguments as `(total-cost)`",
        };
        self.diagnostics.push(found.with_help(help));
        None
    }

    fn expressions(&mut self, parts: &[Expr]) -> Option<Vec<Expression>> {
        let parts: Vec<_> = parts.iter().map(|part| self.expression(part)).collect();
        parts.into_iter().collect()
    }

    fn two(&mut self, parts: &[Expr; 2]) -> Option<Box<[Expression; 2]>> {
        let (left, right) = (self.expression(&parts[0]), self.expression(&parts[1]));
        Some(Box::new([left?, right?]))
    }

    /// Resolves an atom.
    pub(crate) fn atom(&mut self, atom: &crate::ast::Atom) -> Option<condition::Atom> {
        let (predicate, arguments) = self.predicate_call(atom)?;
        Some(condition::Atom { predicate, arguments, origin: atom.span.into() })
    }
}
