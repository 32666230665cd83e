//! Parser of conditions: goals, preconditions, literals and variables.

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span, suggest};
use smallvec::{SmallVec, smallvec};

use super::parser::{Form, Parser, Parts, describe, excerpt, is_dash, wrap};
use crate::ast::{Atom, Expr, ExprKind, Literal, Name, Variable};
use crate::codes;
use crate::parse::keywords::Operator;
use crate::resolve::INROOM;

const CONDITION: &str = "a condition";
const VARIABLE: &str = "a variable such as `(?apple.n.01 - apple.n.01)`";
const LITERAL: &str = "a literal such as `(open a)` or `(not (open a))`";

impl Parser {
    /// Parses a condition.
    pub(super) fn condition(&mut self, part: &Sexp<'_>) -> Option<Expr> {
        let Some(list) = part.as_list() else {
            self.bare(part, CONDITION);
            return None;
        };
        let form = self.form(list, CONDITION)?;
        let kind = match Operator::from_word(&form.word.text) {
            Some(operator) => self.operation(operator, &form)?,
            None => ExprKind::Atom(self.predicate(&form)?),
        };
        Some(Expr { kind, origin: form.span.into() })
    }

    fn operation(&mut self, operator: Operator, form: &Form<'_>) -> Option<ExprKind> {
        Some(match operator {
            Operator::And | Operator::Or => {
                let parts = self.connected(operator, form);
                if operator == Operator::And { ExprKind::And(parts) } else { ExprKind::Or(parts) }
            }
            Operator::Not => ExprKind::Not(Box::new(self.sole(form)?)),
            Operator::Imply => ExprKind::Imply(self.implication(form)?),
            Operator::Forall | Operator::Exists => {
                let [variable] = self.variables(form, 0)?;
                let body = self.body(form, 1)?;
                if operator == Operator::Forall {
                    ExprKind::Forall(variable, body)
                } else {
                    ExprKind::Exists(variable, body)
                }
            }
            Operator::ForN => {
                let amount = self.amount(form);
                let [variable] = self.variables(form, 1)?;
                let body = self.body(form, 2)?;
                ExprKind::ForN { amount: amount?, variable, body }
            }
            Operator::ForPairs => {
                let [left, right] = self.variables(form, 0)?;
                let body = self.body(form, 2)?;
                ExprKind::ForPairs { amount: None, left, right, body }
            }
            Operator::ForNPairs => {
                let amount = self.amount(form);
                let [left, right] = self.variables(form, 1)?;
                let body = self.body(form, 3)?;
                ExprKind::ForPairs { amount: Some(amount?), left, right, body }
            }
        })
    }

    /// Reports a word in place of a list.
    fn bare(&mut self, part: &Sexp<'_>, expected: &str) {
        self.unexpected(part, expected);
        if let (Some(atom), Some(diagnostic)) = (part.as_atom(), self.diagnostics.last_mut())
            && atom.text().starts_with(|first: char| first.is_alphabetic())
        {
            diagnostic.help.push("write the predicate in parentheses, with its arguments".to_owned());
        }
    }

    /// Parses the operands of `and` and `or`.
    fn connected(&mut self, operator: Operator, form: &Form<'_>) -> Vec<Expr> {
        let word = &form.word.text;
        match &form.parts[..] {
            [] => {
                let truth = if operator == Operator::And { "is always true" } else { "is always false" };
                let message = format!("`({word})` has no operands and {truth}");
                self.report(Diagnostic::warning(codes::EMPTY_CONNECTIVE, form.span, message));
            }
            [part] => self.single(form, part),
            _ => {}
        }
        let mut parts = Vec::with_capacity(form.parts.len());
        parts.extend(form.parts.iter().filter_map(|part| self.condition(part)));
        parts
    }

    /// Reports an `and` or `or` with a single operand.
    fn single(&mut self, form: &Form<'_>, part: &Sexp<'_>) {
        let (outer, inner) = (form.span, part.span());
        let before = Span { end: inner.start, ..outer };
        let after = Span { start: inner.end, ..outer };
        let message = format!("`{}` has only one operand", form.word.text);
        self.report(Diagnostic::note(codes::SINGLE_PART, form.word_span(), message).with_fix(Fix {
            title: "replace with the operand".to_owned(),
            // The removed text may contain a comment.
            applicability: Applicability::Unsafe,
            edits: [before, after].map(|span| Edit { span, replacement: String::new() }).into(),
        }));
    }

    /// Parses the single operand of `not`.
    fn sole(&mut self, form: &Form<'_>) -> Option<Expr> {
        self.no_more(form, 1);
        let Some(part) = form.parts.first() else {
            self.missing(form, CONDITION);
            return None;
        };
        self.condition(part)
    }

    fn implication(&mut self, form: &Form<'_>) -> Option<Box<[Expr; 2]>> {
        self.no_more(form, 2);
        if form.parts.len() < 2 {
            self.missing(form, "two conditions: a premise and a conclusion");
        }
        // Both operands are parsed even if the first one is malformed.
        let [before, after] = [0, 1].map(|index| self.condition(form.parts.get(index)?));
        Some(Box::new([before?, after?]))
    }

    /// Parses the body of a quantifier: the part at `index`, which must be the last.
    fn body(&mut self, form: &Form<'_>, index: usize) -> Option<Box<Expr>> {
        self.no_more(form, index + 1);
        let Some(part) = form.parts.get(index) else {
            self.missing(form, "a condition after its variables");
            return None;
        };
        self.condition(part).map(Box::new)
    }

    /// Parses the number `(N)`, the first part.
    fn amount(&mut self, form: &Form<'_>) -> Option<u32> {
        let Some(part) = form.parts.first() else {
            self.missing(form, "a number such as `(2)`");
            return None;
        };
        let items: Parts<'_> = part.as_list().map_or(smallvec![*part], |list| list.items().collect());
        let [Sexp::Atom(number)] = &items[..] else {
            self.unexpected(part, "a number such as `(2)`");
            return None;
        };
        let Ok(amount) = number.text().parse() else {
            let message = format!("expected a number such as `(2)`, found {}", describe(part));
            self.report(Diagnostic::error(codes::INVALID_NUMBER, part.span(), message));
            return None;
        };
        if part.as_atom().is_some() {
            let message = format!("the number of `{}` must be in parentheses", form.word.text);
            let fix = wrap("wrap it in parentheses", part.span(), "(", ")", Applicability::Safe);
            let found = Diagnostic::error(codes::UNEXPECTED, part.span(), message).with_fix(fix);
            self.report(found.with_help("the Python releases read only its first digit"));
        }
        Some(amount)
    }

    /// Parses `N` consecutive variables `(?V - C)` from index `from`. All are parsed even if the first one is malformed.
    pub(super) fn variables<const N: usize>(&mut self, form: &Form<'_>, from: usize) -> Option<[Variable; N]> {
        let found: [Option<Variable>; N] = std::array::from_fn(|index| self.variable(form, from + index));
        found.into_iter().collect::<Option<SmallVec<[Variable; N]>>>()?.into_inner().ok()
    }

    fn variable(&mut self, form: &Form<'_>, index: usize) -> Option<Variable> {
        let Some(part) = form.parts.get(index) else {
            self.missing(form, VARIABLE);
            return None;
        };
        let Some(list) = part.as_list() else {
            self.unexpected(part, VARIABLE);
            return None;
        };
        let items: Parts<'_> = list.items().collect();
        match &items[..] {
            [name, dash, category] if is_dash(dash) => {
                self.decoration(name, true);
                let name = self.name_of(name, "the name of a variable");
                let category = self.name_of(category, "a category");
                Some(Variable { name: name?, category: category? })
            }
            [Sexp::Atom(_)] | [Sexp::Atom(_), _] => {
                let message = "missing category of the variable".to_owned();
                self.report(
                    Diagnostic::error(codes::MISSING_PART, part.span(), message).with_help(format!("write {VARIABLE}")),
                );
                None
            }
            [Sexp::Atom(_), .., Sexp::Atom(_)] if items.iter().any(is_dash) => {
                let message = format!("`{}` takes one variable", form.word.text);
                self.report(
                    Diagnostic::error(codes::EXTRA_PART, part.span(), message)
                        .with_help("nest another quantifier for each further variable"),
                );
                None
            }
            _ => {
                self.unexpected(part, VARIABLE);
                None
            }
        }
    }

    /// Parses an atom in a condition.
    fn predicate(&mut self, form: &Form<'_>) -> Option<Atom> {
        let nested = form.parts.iter().any(|part| part.as_list().is_some());
        if nested {
            let message = format!("unknown operator `{}`", excerpt(&form.word.text));
            let span = form.word_span();
            let diagnostic = Diagnostic::error(codes::UNKNOWN_OPERATOR, span, message);
            let (diagnostic, has_suggestion) =
                suggest::with_nearest(diagnostic, &form.word.text, span, Operator::WORDS.iter().copied());
            let help = "use only instances and variables as arguments of a predicate";
            self.report(if has_suggestion { diagnostic } else { diagnostic.with_help(help) });
            // Errors inside the nested lists are reported too.
            for part in form.parts.iter().filter(|part| part.as_list().is_some()) {
                self.condition(part);
            }
            return None;
        }
        // The room argument of `inroom` needs no `?`; a goal cannot contain `inroom` in any case.
        let object_count = if &*form.word.text == INROOM { 1 } else { form.parts.len() };
        for part in form.parts.iter().take(object_count) {
            self.decoration(part, true);
        }
        self.atom(form)
    }

    /// Parses a predicate with its arguments.
    fn atom(&mut self, form: &Form<'_>) -> Option<Atom> {
        let mut arguments: Vec<Name> = Vec::with_capacity(form.parts.len());
        arguments.extend(form.parts.iter().filter_map(|part| self.name_of(part, "an instance or a variable")));
        let complete = arguments.len() == form.parts.len();
        complete.then(|| Atom { predicate: form.word.clone(), arguments, origin: form.span.into() })
    }

    /// Records a name whose question mark is missing or superfluous.
    fn decoration(&mut self, part: &Sexp<'_>, wanted: bool) {
        let Some(atom) = part.as_atom().filter(|_| !self.libero) else { return };
        match (atom.text().starts_with('?'), wanted) {
            (false, true) => self.undecorated_names.push(atom.span()),
            (true, false) => self.decorated.push(atom.span()),
            _ => {}
        }
    }

    /// Parses a literal of `:init`.
    pub(super) fn literal(&mut self, part: &Sexp<'_>) -> Option<Literal> {
        let Some(list) = part.as_list() else {
            self.bare(part, LITERAL);
            return None;
        };
        let form = self.form(list, LITERAL)?;
        if Operator::from_word(&form.word.text) != Some(Operator::Not) {
            return self.initial(&form).map(|atom| Literal { positive: true, atom });
        }
        self.no_more(&form, 1);
        match form.parts.first() {
            None => self.missing(&form, "an atom such as `(open a)`"),
            Some(Sexp::Atom(_)) => self.bare(&form.parts[0], "an atom such as `(open a)`"),
            Some(Sexp::List(inner)) => {
                let inner = self.form(*inner, "an atom such as `(open a)`")?;
                return self.initial(&inner).map(|atom| Literal { positive: false, atom });
            }
        }
        None
    }

    fn initial(&mut self, form: &Form<'_>) -> Option<Atom> {
        if Operator::from_word(&form.word.text).is_some() {
            let message = format!("expected {LITERAL}, found `({} ..)`", form.word.text);
            self.report(Diagnostic::error(codes::UNEXPECTED, form.word_span(), message));
            return None;
        }
        for part in &form.parts {
            self.decoration(part, false);
        }
        self.atom(form)
    }

    /// Parses `(:goal E)` into its conjuncts.
    pub(super) fn goal(&mut self, form: &Form<'_>) -> Vec<Expr> {
        let Some(first) = form.parts.first() else {
            let message = "empty goal";
            self.report(Diagnostic::error(codes::EMPTY_GOAL, form.span, message).with_help("add a condition"));
            return Vec::new();
        };
        if form.parts.len() > 1 {
            self.second_goal(first, &form.parts[1..]);
        }
        let Some(expr) = self.condition(first) else { return Vec::new() };
        match expr.kind {
            ExprKind::And(parts) => {
                let is_empty = |list: List<'_>| list.items().nth(1).is_none();
                if first.as_list().is_some_and(is_empty) {
                    // This diagnostic replaces the more general one about an empty `and`.
                    self.diagnostics
                        .pop_if(|known| known.code == codes::EMPTY_CONNECTIVE && known.span == Some(first.span()));
                    let message = "empty goal";
                    self.report(Diagnostic::error(codes::EMPTY_GOAL, first.span(), message));
                }
                parts
            }
            kind => vec![Expr { kind, ..expr }],
        }
    }

    fn second_goal(&mut self, first: &Sexp<'_>, others: &[Sexp<'_>]) {
        let Some((second, end)) = others.first().zip(others.last()) else { return };
        let span = second.span().to(end.span());
        let message = "the goal has more than one condition; only the first is used";
        let mut found = Diagnostic::warning(codes::SECOND_GOAL, span, message)
            .with_related(first.span(), "condition used")
            .with_help("merge the conditions: these are ignored, as in the Python releases");
        let joined = first
            .as_list()
            .filter(|list| list.is_closed() && list.head().is_some_and(|head| head.text().eq_ignore_ascii_case("and")));
        let fix = match joined {
            Some(list) => Fix {
                title: "move them into the `and`".to_owned(),
                applicability: Applicability::Unsafe,
                edits: vec![
                    Edit { span: Span { start: list.span().end - 1, ..list.span() }, replacement: String::new() },
                    super::parser::insertion(span.end, span, ")"),
                ],
            },
            None => wrap("join them with `and`", first.span().to(span), "(and ", ")", Applicability::Unsafe),
        };
        found.fixes.push(fix);
        self.report(found);
    }
}
