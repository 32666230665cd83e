//! Parser of effects.

use goalspec_core::planning::task::AssignmentOperator;
use goalspec_syntax::sexp::{List, Sexp};

use super::condition::timed;
use super::parser::{Form, Parser};
use crate::ast::{Arguments, Atom, Effect, EffectKind};

const EFFECT: &str = "an effect such as `(on ?x ?y)` or `(not (on ?x ?y))`";
const FUNCTION: &str = "a function such as `(total-cost)`";

/// Returns the kind of assignment of a keyword.
fn assignment(word: &str) -> Option<AssignmentOperator> {
    let operators = [
        AssignmentOperator::Set,
        AssignmentOperator::Increase,
        AssignmentOperator::Decrease,
        AssignmentOperator::ScaleUp,
        AssignmentOperator::ScaleDown,
    ];
    operators.into_iter().find(|operator| operator.keyword() == word)
}

impl Parser {
    pub(super) fn effect(&mut self, part: &Sexp<'_>) -> Option<Effect> {
        let Sexp::List(list) = part else {
            self.report_unexpected(part, EFFECT);
            return None;
        };
        let span = list.span();
        if list.items().next().is_none() {
            return Some(Effect { kind: EffectKind::And(Vec::new()), span });
        }
        let form = self.form(*list, EFFECT)?;
        Some(Effect { kind: self.effect_kind(&form, *list)?, span })
    }

    fn effect_kind(&mut self, form: &Form<'_>, list: List<'_>) -> Option<EffectKind> {
        if let Some((time, part)) = timed(form) {
            return Some(EffectKind::Timed(time, Box::new(self.effect(part)?)));
        }
        let word = form.word.text();
        let is_numeric = form.parts.first().is_some_and(|part| part.as_list().is_some()) || word != "assign";
        if let Some(operator) = assignment(word).filter(|_| is_numeric) {
            let [function, value] = self.two(form)?;
            let (function, value) = (self.function(function), self.expr(value));
            return Some(EffectKind::Assign(operator, function?, value?));
        }
        match word {
            "and" => {
                let parts: Vec<_> = form.parts.iter().map(|part| self.effect(part)).collect();
                Some(EffectKind::And(parts.into_iter().collect::<Option<_>>()?))
            }
            "forall" => {
                let [variables, body] = self.two(form)?;
                let (variables, body) = (self.variables(variables), self.effect(body));
                Some(EffectKind::Forall(variables?, Box::new(body?)))
            }
            "when" => {
                let [condition, body] = self.two(form)?;
                let (condition, body) = (self.formula(condition), self.effect(body));
                Some(EffectKind::When(Box::new(condition?), Box::new(body?)))
            }
            "not" => {
                self.expect_at_most(form, 1);
                match form.parts.first() {
                    Some(Sexp::List(inner)) => self.atom_of(*inner, "a predicate").map(EffectKind::Delete),
                    Some(other) => {
                        self.report_unexpected(other, "a predicate such as `(on ?x ?y)`");
                        None
                    }
                    None => {
                        self.report_missing(form, "a predicate");
                        None
                    }
                }
            }
            _ => self.atom_of(list, EFFECT).map(EffectKind::Add),
        }
    }

    /// Parses a function with its arguments. The parentheses can be omitted if there are no arguments.
    pub(super) fn function(&mut self, part: &Sexp<'_>) -> Option<Atom> {
        match part {
            Sexp::List(list) => self.atom_of(*list, FUNCTION),
            Sexp::Atom(_) => {
                let name = self.plain_name(part, FUNCTION)?;
                Some(Atom { span: name.span, name, arguments: Arguments::new() })
            }
        }
    }
}
