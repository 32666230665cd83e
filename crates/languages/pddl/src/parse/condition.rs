//! Parser of conditions, constraints and expressions.

use goalspec_core::condition::ComparisonOperator;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::sexp::{AtomKind, List, Sexp};

use super::parser::{Form, Parser, number};
use crate::ast::{Expr, ExprKind, Formula, FormulaKind, TimeSpecifier, TrajectoryOperator, TypedNames};
use crate::codes;

const CONDITION: &str = "a condition such as `(on ?x ?y)`";
const EXPRESSION: &str = "a number or a function such as `(total-cost)`";

/// Returns the comparison of a keyword.
fn comparison(word: &str) -> Option<ComparisonOperator> {
    Some(match word {
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessEqual,
        "=" => ComparisonOperator::Equal,
        ">=" => ComparisonOperator::GreaterEqual,
        ">" => ComparisonOperator::Greater,
        _ => return None,
    })
}

/// Parses `(at start X)`, `(over all X)` and `(at end X)` into the time and X. Other forms, such as atoms of a predicate `at`,
/// yield `None`.
pub(super) fn timed<'f, 't>(form: &'f Form<'t>) -> Option<(TimeSpecifier, &'f Sexp<'t>)> {
    let [Sexp::Atom(when), part @ Sexp::List(_)] = &form.parts[..] else { return None };
    let is_word = |head: &str, word: &str| form.word.text() == head && when.text().eq_ignore_ascii_case(word);
    let time = if is_word("at", "start") {
        TimeSpecifier::Start
    } else if is_word("at", "end") {
        TimeSpecifier::End
    } else if is_word("over", "all") {
        TimeSpecifier::OverAll
    } else {
        return None;
    };
    Some((time, part))
}

/// Whether a form cannot be an argument of a predicate.
fn is_no_term(part: &Sexp<'_>) -> bool {
    part.as_atom().is_none_or(|atom| atom.kind() == AtomKind::Number)
}

impl Parser {
    pub(super) fn formula(&mut self, part: &Sexp<'_>) -> Option<Formula> {
        let Sexp::List(list) = part else {
            self.report_unexpected(part, CONDITION);
            return None;
        };
        let span = list.span();
        if list.items().next().is_none() {
            return Some(Formula { kind: FormulaKind::And(Vec::new()), span });
        }
        let form = self.form(*list, CONDITION)?;
        Some(Formula { kind: self.formula_kind(&form, *list)?, span })
    }

    fn formula_kind(&mut self, form: &Form<'_>, list: List<'_>) -> Option<FormulaKind> {
        let word = form.word.text();
        if let Some(comparison) = comparison(word) {
            let [left, right] = self.two(form)?;
            let (left, right) = (self.expr(left), self.expr(right));
            return Some(FormulaKind::Compare(comparison, Box::new([left?, right?])));
        }
        match word {
            "and" => Some(FormulaKind::And(self.formulas(form)?)),
            "or" => Some(FormulaKind::Or(self.formulas(form)?)),
            "not" => Some(FormulaKind::Not(Box::new(self.one(form)?))),
            "imply" => {
                let [left, right] = self.two(form)?;
                let (left, right) = (self.formula(left), self.formula(right));
                Some(FormulaKind::Imply(Box::new([left?, right?])))
            }
            "forall" => self.quantified(form).map(|(variables, body)| FormulaKind::Forall(variables, body)),
            "exists" => self.quantified(form).map(|(variables, body)| FormulaKind::Exists(variables, body)),
            _ if form.parts.iter().any(is_no_term) => self.modal(form, list),
            _ => self.atom_of(list, CONDITION).map(FormulaKind::Atom),
        }
    }

    /// Parses the forms that are distinguished from atoms by their operands.
    fn modal(&mut self, form: &Form<'_>, list: List<'_>) -> Option<FormulaKind> {
        if let Some((time, part)) = timed(form) {
            return Some(FormulaKind::Timed(time, Box::new(self.formula(part)?)));
        }
        let word = form.word.text();
        if word == "preference" {
            return self.preference(form);
        }
        let trajectory_operators: &[TrajectoryOperator] =
            if self.accepts_ltlf { &TrajectoryOperator::LTLF } else { &[] };
        if let Some(&operator) =
            TrajectoryOperator::PDDL.iter().chain(trajectory_operators).find(|operator| operator.keyword() == word)
        {
            return self.trajectory(operator, form);
        }
        if !form.parts.is_empty() && form.parts.iter().all(|part| part.as_list().is_some()) {
            let message = format!("unknown operator `{}`", super::excerpt(form.word.written()));
            let unknown = Diagnostic::error(codes::UNKNOWN_OPERATOR, form.word.span, message);
            let operators = ["and", "or", "not", "imply", "forall", "exists", "always", "sometime", "preference"];
            let operators = operators.into_iter().chain(trajectory_operators.iter().map(|operator| operator.keyword()));
            self.report(goalspec_syntax::suggest::with_nearest(unknown, word, form.word.span, operators).0);
            return None;
        }
        self.atom_of(list, CONDITION).map(FormulaKind::Atom)
    }

    fn preference(&mut self, form: &Form<'_>) -> Option<FormulaKind> {
        self.expect_at_most(form, 2);
        let (name, body) = match &form.parts[..] {
            [body @ Sexp::List(_)] => (None, body),
            [name, body, ..] => (Some(self.plain_name(name, "the name of a preference")?), body),
            _ => {
                self.report_missing(form, "a condition");
                return None;
            }
        };
        Some(FormulaKind::Preference(name, Box::new(self.formula(body)?)))
    }

    fn trajectory(&mut self, operator: TrajectoryOperator, form: &Form<'_>) -> Option<FormulaKind> {
        let (times, conditions) = operator.arity();
        self.expect_at_most(form, times + conditions);
        if form.parts.len() < times + conditions {
            let expected = match operator.arity() {
                (0, 1) => "a condition",
                (0, _) => "two conditions",
                (1, 1) => "a time and a condition",
                (1, _) => "a time and two conditions",
                _ => "two times and a condition",
            };
            self.report_missing(form, expected);
            return None;
        }
        let times: Vec<_> = form.parts[..times].iter().map(|part| self.time(part)).collect();
        let conditions: Vec<_> =
            form.parts[times.len()..times.len() + conditions].iter().map(|part| self.formula(part)).collect();
        let times = times.into_iter().collect::<Option<_>>()?;
        Some(FormulaKind::Trajectory(operator, times, conditions.into_iter().collect::<Option<_>>()?))
    }

    /// Parses a non-negative number.
    pub(super) fn time(&mut self, part: &Sexp<'_>) -> Option<f64> {
        const TIME: &str = "a time, a non-negative number";
        let time = self.number_of(part, TIME)?;
        if time < 0.0 {
            self.report_unexpected(part, TIME);
            return None;
        }
        Some(time)
    }

    fn formulas(&mut self, form: &Form<'_>) -> Option<Vec<Formula>> {
        let parts: Vec<_> = form.parts.iter().map(|part| self.formula(part)).collect();
        parts.into_iter().collect()
    }

    /// Parses the single condition of a form.
    pub(super) fn one(&mut self, form: &Form<'_>) -> Option<Formula> {
        self.expect_at_most(form, 1);
        let Some(part) = form.parts.first() else {
            self.report_missing(form, "a condition");
            return None;
        };
        self.formula(part)
    }

    /// Returns the two operands of a form.
    pub(super) fn two<'f, 't>(&mut self, form: &'f Form<'t>) -> Option<[&'f Sexp<'t>; 2]> {
        self.expect_at_most(form, 2);
        let [first, second, ..] = &form.parts[..] else {
            self.report_missing(form, "two parts");
            return None;
        };
        Some([first, second])
    }

    /// Parses the variables and the body of `(forall (?x - T ..) F)`.
    fn quantified(&mut self, form: &Form<'_>) -> Option<(Vec<TypedNames>, Box<Formula>)> {
        let [variables, body] = self.two(form)?;
        let (variables, body) = (self.variables(variables), self.formula(body));
        Some((variables?, Box::new(body?)))
    }

    pub(super) fn expr(&mut self, part: &Sexp<'_>) -> Option<Expr> {
        let span = part.span();
        let kind = match part {
            Sexp::Atom(atom) => match number(*atom) {
                Some(number) => ExprKind::Number(number),
                None => ExprKind::Name(self.name(*atom)?),
            },
            Sexp::List(list) => {
                let form = self.form(*list, EXPRESSION)?;
                self.operation(&form, *list)?
            }
        };
        Some(Expr { kind, span })
    }

    fn operation(&mut self, form: &Form<'_>, list: List<'_>) -> Option<ExprKind> {
        match form.word.text() {
            "+" => Some(ExprKind::Add(self.operands(form)?)),
            "*" => Some(ExprKind::Multiply(self.operands(form)?)),
            "-" if form.parts.len() == 1 => Some(ExprKind::Negate(Box::new(self.expr(&form.parts[0])?))),
            "-" => Some(ExprKind::Subtract(self.two_exprs(form)?)),
            "/" => Some(ExprKind::Divide(self.two_exprs(form)?)),
            "is-violated" => {
                self.expect_at_most(form, 1);
                let Some(name) = form.parts.first() else {
                    self.report_missing(form, "the name of a preference");
                    return None;
                };
                Some(ExprKind::IsViolated(self.plain_name(name, "the name of a preference")?))
            }
            _ => self.atom_of(list, EXPRESSION).map(ExprKind::Call),
        }
    }

    fn operands(&mut self, form: &Form<'_>) -> Option<Vec<Expr>> {
        if form.parts.is_empty() {
            self.report_missing(form, "numbers");
            return None;
        }
        let parts: Vec<_> = form.parts.iter().map(|part| self.expr(part)).collect();
        parts.into_iter().collect()
    }

    fn two_exprs(&mut self, form: &Form<'_>) -> Option<Box<[Expr; 2]>> {
        let [left, right] = self.two(form)?;
        let (left, right) = (self.expr(left), self.expr(right));
        Some(Box::new([left?, right?]))
    }
}
