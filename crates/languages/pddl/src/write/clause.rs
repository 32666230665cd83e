//! Conditions, expressions and effects as PDDL.

use std::ops::Range;

use goalspec_core::condition::{Condition, Expression, Scope, Term};
use goalspec_core::ids::VarId;
use goalspec_core::planning::task::Effect;
use goalspec_core::world::World;

use super::{Names, Text, WriteError};

/// A writer of clauses over one scope. Variables are named by their ids, so none shadows another.
pub(super) struct ClauseWriter<'c> {
    pub(super) world: &'c World,
    pub(super) names: &'c Names,
    pub(super) scope: &'c Scope,
}

impl ClauseWriter<'_> {
    /// Writes variables with their types, each preceded by a blank.
    pub(super) fn variables(&self, ids: Range<usize>) -> String {
        ids.map(|id| self.variable(VarId::from(id))).collect()
    }

    fn variable(&self, id: VarId) -> String {
        let types: Vec<&str> =
            self.scope.get(id).types.iter().map(|&type_id| &*self.world.type_decl(type_id).name).collect();
        let types = match types[..] {
            [one] => one.to_owned(),
            _ => format!("(either {})", types.join(" ")),
        };
        format!(" ?x{} - {types}", id.index())
    }

    fn quantified(&self, word: &str, variables: &[VarId], body: String) -> String {
        let variables: String = variables.iter().map(|&id| self.variable(id)).collect();
        if variables.is_empty() { body } else { format!("({word} ({}) {body})", variables.trim_start()) }
    }

    /// Writes terms, each preceded by a blank.
    pub(super) fn terms(&self, terms: &[Term]) -> Text {
        terms.iter().map(|&term| Ok(format!(" {}", self.term(term)?))).collect()
    }

    fn term(&self, term: Term) -> Text {
        match term {
            Term::Variable(id) => Ok(format!("?x{}", id.index())),
            Term::Object(object) => Ok(self.world.object_decl(object).id.to_string()),
            Term::Type(_) => Err(WriteError("a type as an argument")),
        }
    }

    pub(super) fn condition(&self, condition: &Condition) -> Text {
        let all = |word: &str, parts: &[Condition]| {
            let parts: String =
                parts.iter().map(|part| Ok(format!(" {}", self.condition(part)?))).collect::<Result<_, _>>()?;
            Ok(format!("({word}{parts})"))
        };
        match condition {
            Condition::Constant(value) => Ok(if *value { "(and)" } else { "(or)" }.to_owned()),
            Condition::Atom(atom) => {
                Ok(format!("({}{})", self.names.predicates[atom.predicate.index()], self.terms(&atom.arguments)?))
            }
            Condition::Compare { comparison, sides, .. } => {
                let (left, right) = (self.expression(&sides[0])?, self.expression(&sides[1])?);
                Ok(format!("({} {left} {right})", comparison.symbol()))
            }
            Condition::AllEqual(parts, _) => {
                let parts = parts.iter().map(|part| self.expression(part)).collect::<Result<Vec<_>, _>>()?;
                let [first, rest @ ..] = &parts[..] else { return Ok("(and)".to_owned()) };
                let pairs: String = rest.iter().map(|other| format!(" (= {first} {other})")).collect();
                Ok(format!("(and{pairs})"))
            }
            Condition::Distinct(left, right) => Ok(format!("(not (= {} {}))", self.term(*left)?, self.term(*right)?)),
            Condition::Not(part) => Ok(format!("(not {})", self.condition(part)?)),
            Condition::And(parts) => all("and", parts),
            Condition::Or(parts) => all("or", parts),
            Condition::Imply(parts) => all("imply", &parts[..]),
            Condition::Exists(variables, body) => Ok(self.quantified("exists", variables, self.condition(body)?)),
            Condition::Forall(variables, body) => Ok(self.quantified("forall", variables, self.condition(body)?)),
            Condition::FirstState | Condition::LastState => Err(WriteError("a condition on the position of a state")),
            Condition::InSetup(..) => Err(WriteError("a condition on a setup")),
            Condition::Count(..) => Err(WriteError("a counting quantifier")),
            Condition::Pairing { .. } => Err(WriteError("a quantifier over pairs")),
        }
    }

    fn expression(&self, expression: &Expression) -> Text {
        let all = |word: &str, parts: &[Expression]| {
            let parts = parts.iter().map(|part| self.expression(part)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("({word} {})", parts.join(" ")))
        };
        match expression {
            Expression::Number(number) => Ok(number.to_string()),
            Expression::Call { function, arguments, .. } => {
                Ok(format!("({}{})", self.names.functions[function.index()], self.terms(arguments)?))
            }
            Expression::Add(parts) => all("+", parts),
            Expression::Multiply(parts) => all("*", parts),
            Expression::Subtract(parts) => all("-", &parts[..]),
            Expression::Divide(parts) => all("/", &parts[..]),
            Expression::Absolute(_) => Err(WriteError("an absolute value")),
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> Text {
        match effect {
            Effect::And(parts) => {
                let parts: String =
                    parts.iter().map(|part| Ok(format!(" {}", self.effect(part)?))).collect::<Result<_, _>>()?;
                Ok(format!("(and{parts})"))
            }
            Effect::Forall(variables, body) => Ok(self.quantified("forall", variables, self.effect(body)?)),
            Effect::When(condition, body) => {
                Ok(format!("(when {} {})", self.condition(condition)?, self.effect(body)?))
            }
            Effect::Add(atom) => self.condition(&Condition::Atom(atom.clone())),
            Effect::Delete(atom) => Ok(format!("(not {})", self.condition(&Condition::Atom(atom.clone()))?)),
            Effect::Assign { operator, function, arguments, value, .. } => {
                let name = &self.names.functions[function.index()];
                let (terms, value) = (self.terms(arguments)?, self.expression(value)?);
                Ok(format!("({} ({name}{terms}) {value})", operator.keyword()))
            }
        }
    }
}
