//! Parsing of constraints: preferences, their quantifiers, and the operators of `then`.

use goalspec_core::condition::Origin;
use goalspec_core::program::Quantifier;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix};

use super::parser::{Form, FormItem, Parser};
use crate::ast::{Condition, Constraint, PatternBody, Preference, PreferenceQuantifier, SequenceOperator};
use crate::{codes, keywords};

const CONSTRAINT: &str = "`(preference NAME ..)` or `(forall (..) (preference NAME ..))`";
const BODY: &str = "`(then ..)` or `(at-end ..)`";
const SEQUENCE: &str = "an operator of `then` such as `(once ..)` or `(hold ..)`";

impl Parser {
    /// Parses the content of `(:constraints ..)`: one entry, or an `and` of several.
    pub(super) fn constraints(&mut self, part: &FormItem<'_>, into: &mut Vec<Constraint>) {
        let Some(form) = self.part_form(part, CONSTRAINT) else { return };
        if form.word == "and" {
            if form.parts.is_empty() {
                self.missing(&form, "at least one preference");
            }
            for part in &form.parts {
                if let Some(form) = self.part_form(part, CONSTRAINT) {
                    into.extend(self.constraint(&form));
                }
            }
        } else {
            into.extend(self.constraint(&form));
        }
    }

    fn constraint(&mut self, form: &Form<'_>) -> Option<Constraint> {
        match form.word {
            "preference" => self.preference(form).map(Constraint::Preference),
            "forall" => self.preference_forall(form),
            "and" => {
                self.report(
                    Diagnostic::error(codes::MISPLACED_OPERATOR, form.word_span, "unexpected `and` inside `and`")
                        .with_help("list all preferences in the outer `and`"),
                );
                // The entries are parsed only to report their errors.
                self.constraints(&FormItem::Sexp(form.list.into()), &mut Vec::new());
                None
            }
            _ => {
                self.unknown_operator(form, &keywords::CONSTRAINTS, "a preference");
                None
            }
        }
    }

    /// Parses `(forall (..) preference ..)` or `(forall (..) (and preference ..))`.
    fn preference_forall(&mut self, form: &Form<'_>) -> Option<Constraint> {
        let (variables, used) = self.quantified(form)?;
        let mut preferences = Vec::new();
        let mut count = 0;
        for part in form.parts.iter().skip(used) {
            let Some(inner) = self.part_form(part, "`(preference NAME ..)`") else {
                count += 1;
                continue;
            };
            if inner.word == "and" {
                if inner.parts.is_empty() {
                    self.missing(&inner, "at least one preference");
                }
                for part in &inner.parts {
                    count += 1;
                    let inner = self.part_form(part, "`(preference NAME ..)`");
                    preferences.extend(inner.and_then(|inner| self.inner_preference(&inner)));
                }
            } else {
                count += 1;
                preferences.extend(self.inner_preference(&inner));
            }
        }
        match count {
            0 if form.parts.len() == used => self.missing(form, "a preference after its variables"),
            0 | 1 => {}
            _ => self.extension(form.word_span, "this `forall` contains several preferences"),
        }
        Some(Constraint::Forall { variables, preferences, origin: form.span().into() })
    }

    fn inner_preference(&mut self, form: &Form<'_>) -> Option<Preference> {
        if form.word == "preference" {
            return self.preference(form);
        }
        self.unknown_operator(form, &["preference"], "a preference");
        None
    }

    fn preference(&mut self, form: &Form<'_>) -> Option<Preference> {
        let mut parts = form.parts.iter().peekable();
        let name = if let Some(part) = parts.next_if(|part| part.as_list().is_none()) {
            self.preference_name(part.atom_text().unwrap_or_default(), part.span())
        } else {
            self.missing(form, "a name: `(preference NAME ..)`");
            None
        };
        let Some(inside) = parts.next() else {
            self.missing(form, BODY);
            return None;
        };
        if let Some(extra) = parts.next() {
            self.report(Diagnostic::error(
                codes::EXTRA_PART,
                extra.span(),
                "unexpected argument after the body of a preference",
            ));
        }
        let (quantifier, body) = self.preference_body(inside)?;
        Some(Preference { name: name?, quantifier, body, origin: form.span().into() })
    }

    fn preference_body(&mut self, part: &FormItem<'_>) -> Option<(Option<PreferenceQuantifier>, PatternBody)> {
        let form = self.part_form(part, BODY)?;
        let kind = match form.word {
            "exists" => Quantifier::Exists,
            "forall" => Quantifier::Forall,
            _ => return Some((None, self.body(&form)?)),
        };
        let origin = Origin::from(form.span());
        let (variables, body) = self.quantifier(&form, BODY)?;
        let body = self.part_form(&body, BODY)?;
        if matches!(body.word, "exists" | "forall") {
            self.report(
                Diagnostic::error(
                    codes::MISPLACED_OPERATOR,
                    body.word_span,
                    format!("a preference takes one quantifier, found a second one, `{}`", body.word),
                )
                .with_related(form.word_span, "the first quantifier")
                .with_help("declare all variables in one list"),
            );
            self.preference_body(&FormItem::Sexp(body.list.into()));
            return None;
        }
        let body = self.body(&body)?;
        Some((Some(PreferenceQuantifier { kind, variables, origin }), body))
    }

    fn body(&mut self, form: &Form<'_>) -> Option<PatternBody> {
        let origin = Origin::from(form.span());
        match form.word {
            "then" => {
                match form.parts.len() {
                    0 => self.missing(form, SEQUENCE),
                    1 => self.extension(form.word_span, "this `then` has a single operator"),
                    _ => {}
                }
                let operators = form.parts.iter().filter_map(|part| self.sequence_function(part)).collect();
                Some(PatternBody::Then(operators, origin))
            }
            "at-end" => {
                let part = self.single(form, "a condition")?;
                Some(PatternBody::AtEnd(self.condition(&part)?, origin))
            }
            _ => {
                self.unknown_operator(form, &keywords::PREFERENCE, BODY);
                None
            }
        }
    }

    fn sequence_function(&mut self, part: &FormItem<'_>) -> Option<SequenceOperator> {
        let form = self.part_form(part, SEQUENCE)?;
        let origin = Origin::from(form.span());
        match form.word {
            "once" if form.parts.len() >= 2 => self.once_measure(&form),
            "once" => {
                let part = self.single(&form, "a condition")?;
                Some(SequenceOperator::Once(self.condition(&part)?, origin))
            }
            "once-measure" => {
                self.extension(form.word_span, "`once-measure` is spelled `once` in the definition of the language");
                self.once_measure(&form)
            }
            "hold" if form.parts.len() >= 2 => {
                self.reject_extra_parts(&form, 1);
                self.suggest_operator(&form, "hold-while");
                self.conditions_for_errors(&form);
                None
            }
            "hold" => {
                let part = self.single(&form, "a condition")?;
                Some(SequenceOperator::Hold(self.condition(&part)?, origin))
            }
            "hold-while" => self.hold_while(&form),
            _ => {
                self.unknown_operator(&form, &keywords::SEQUENCE_OPERATORS, SEQUENCE);
                None
            }
        }
    }

    fn once_measure(&mut self, form: &Form<'_>) -> Option<SequenceOperator> {
        self.reject_extra_parts(form, 2);
        let condition = form.parts.front().map(|part| self.condition(part));
        let function = form.parts.get(1).map(|part| self.function(part));
        let (Some(condition), Some(function)) = (condition, function) else {
            self.missing(form, "a condition and a function to measure");
            return None;
        };
        Some(SequenceOperator::OnceMeasure(condition?, function?, form.span().into()))
    }

    fn hold_while(&mut self, form: &Form<'_>) -> Option<SequenceOperator> {
        let conditions: Vec<Option<Condition>> = form.parts.iter().map(|part| self.condition(part)).collect();
        if conditions.len() < 2 {
            self.missing(form, "a condition and at least one event");
            if conditions.len() == 1 {
                self.suggest_operator(form, "hold");
            }
            return None;
        }
        let mut conditions = conditions.into_iter();
        let held = conditions.next()??;
        let events = conditions.collect::<Option<Vec<_>>>()?;
        Some(SequenceOperator::HoldWhile(held, events, form.span().into()))
    }

    /// Adds a suggestion of another operator to the last diagnostic.
    fn suggest_operator(&mut self, form: &Form<'_>, operator: &str) {
        if let Some(diagnostic) = self.diagnostics.last_mut() {
            diagnostic.help.push(format!("did you mean `{operator}`?"));
            diagnostic.fixes.push(Fix::replace(
                format!("replace with `{operator}`"),
                Applicability::Unsafe,
                form.word_span,
                operator,
            ));
        }
    }

    fn conditions_for_errors(&mut self, form: &Form<'_>) {
        for part in &form.parts {
            self.condition(part);
        }
    }
}
