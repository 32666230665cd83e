//! Parsing of constraints: preferences, their quantifiers, and the operators of `then`.

use goalspec_core::program::Quantifier;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix};

use super::parser::{Form, FormItem, Parser};
use crate::ast::{
    Condition, Constraint, ErrorNode, Name, NodeSpan, PatternBody, Preference, PreferenceQuantifier, SequenceOperator,
};
use crate::{codes, keywords};

const CONSTRAINT: &str = "`(preference NAME ..)` or `(forall (..) (preference NAME ..))`";
const PREFERENCE: &str = "`(preference NAME ..)`";
const BODY: &str = "`(then ..)` or `(at-end ..)`";
const SEQUENCE: &str = "an operator of `then` such as `(once ..)` or `(hold ..)`";

impl Parser {
    /// Parses the content of `(:constraints ..)`: one entry, or an `and` of several.
    pub(super) fn constraints(&mut self, part: &FormItem<'_>, into: &mut Vec<Constraint>) {
        let Some(mut form) = self.part_form(part, CONSTRAINT) else {
            return into.push(self.constraint_item_error(part));
        };
        if form.word != "and" {
            return self.constraint(&mut form, into);
        }
        if form.parts.is_empty() {
            self.missing(&mut form, "at least one preference");
            into.push(Constraint::Error(self.unknown_preferences(form.span())));
        }
        for part in &form.parts {
            match self.part_form(part, CONSTRAINT) {
                Some(mut form) => self.constraint(&mut form, into),
                None => into.push(self.constraint_item_error(part)),
            }
        }
    }

    fn constraint(&mut self, form: &mut Form<'_>, into: &mut Vec<Constraint>) {
        match form.word {
            "preference" => into.push(Constraint::Preference(self.preference(form))),
            "forall" => into.push(self.preference_forall(form)),
            "and" => {
                self.report(
                    Diagnostic::error(codes::MISPLACED_OPERATOR, form.word_span, "unexpected `and` inside `and`")
                        .with_help("list all preferences in the outer `and`"),
                );
                into.push(Constraint::Error(ErrorNode::new(form.word_span)));
                self.constraints(&FormItem::Sexp(form.list.into()), into);
            }
            _ => {
                self.unknown_operator(form, &keywords::CONSTRAINTS, "a preference");
                into.push(self.constraint_error(form));
            }
        }
    }

    /// Parses `(forall (..) preference ..)` or `(forall (..) (and preference ..))`.
    fn preference_forall(&mut self, form: &mut Form<'_>) -> Constraint {
        let Some((variables, used)) = self.quantified(form) else {
            return self.constraint_error(form);
        };
        let mut preferences = Vec::new();
        for part in form.parts.iter().skip(used) {
            match self.part_form(part, PREFERENCE) {
                Some(mut inner) if inner.word == "and" => {
                    if inner.parts.is_empty() {
                        self.missing(&mut inner, "at least one preference");
                        preferences.push(unknown_preference(self.unknown_preferences(part.span())));
                    }
                    for part in &inner.parts {
                        let inner = self.part_form(part, PREFERENCE);
                        preferences.push(self.inner_preference(part, inner));
                    }
                }
                inner => preferences.push(self.inner_preference(part, inner)),
            }
        }
        match preferences.len() {
            0 => {
                self.missing(form, "a preference after its variables");
                self.unparsed_names.has_unknown_preferences = true;
                return self.constraint_error(form);
            }
            1 => {}
            _ => self.extension(form.word_span, "this `forall` contains several preferences"),
        }
        Constraint::Forall { variables, preferences, span: form.span().into() }
    }

    fn inner_preference(&mut self, part: &FormItem<'_>, form: Option<Form<'_>>) -> Preference {
        match form {
            Some(mut form) if form.word == "preference" => self.preference(&mut form),
            Some(mut form) => {
                self.unknown_operator(&mut form, &["preference"], "a preference");
                unknown_preference(self.error(&form, Vec::new()))
            }
            None => unknown_preference(self.error_in_constraints(part)),
        }
    }

    fn preference(&mut self, form: &mut Form<'_>) -> Preference {
        let named = form.parts.front().is_some_and(|part| part.as_list().is_none());
        let name = if named {
            let part = form.parts[0];
            self.preference_name(part.atom_text().unwrap_or_default(), part.span())
        } else {
            self.missing(form, "a name: `(preference NAME ..)`");
            None
        };
        form.is_malformed |= name.is_none();
        let body_index = usize::from(named);
        if let Some(extra) = form.parts.get(body_index + 1) {
            form.is_malformed = true;
            let message = "unexpected argument after the body of a preference";
            self.report(Diagnostic::error(codes::EXTRA_PART, extra.span(), message));
        }
        let (quantifier, body) = if let Some(part) = form.parts.get(body_index).copied() {
            self.preference_body(&part)
        } else {
            if named {
                self.missing(form, BODY);
            }
            (None, PatternBody::Error(self.error(form, Vec::new())))
        };
        Preference {
            name: name.unwrap_or_else(|| Name::missing(form.word_span)),
            quantifier,
            body: if form.is_malformed { PatternBody::Error(self.error(form, vec![body])) } else { body },
            span: form.span().into(),
        }
    }

    fn preference_body(&mut self, part: &FormItem<'_>) -> (Option<PreferenceQuantifier>, PatternBody) {
        let Some(mut form) = self.part_form(part, BODY) else {
            return (None, PatternBody::Error(self.item_error(part)));
        };
        let kind = match form.word {
            "exists" => Quantifier::Exists,
            "forall" => Quantifier::Forall,
            _ => {
                let body = self.body(&mut form);
                return (None, self.complete(&form, body));
            }
        };
        let Some((variables, part)) = self.quantifier(&mut form, BODY) else {
            return (None, PatternBody::Error(self.error(&form, Vec::new())));
        };
        let body = match self.part_form(&part, BODY) {
            Some(inner) if matches!(inner.word, "exists" | "forall") => self.second_quantifier(&form, &inner),
            Some(mut inner) => {
                let body = self.body(&mut inner);
                self.complete(&inner, body)
            }
            None => PatternBody::Error(self.item_error(&part)),
        };
        (Some(PreferenceQuantifier { kind, variables, span: form.span().into() }), self.complete(&form, body))
    }

    /// Parses a quantifier directly inside the quantifier of a preference, in order to report its errors.
    fn second_quantifier(&mut self, outer: &Form<'_>, inner: &Form<'_>) -> PatternBody {
        self.report(
            Diagnostic::error(
                codes::MISPLACED_OPERATOR,
                inner.word_span,
                format!("a preference takes one quantifier, found a second one, `{}`", inner.word),
            )
            .with_related(outer.word_span, "the first quantifier")
            .with_help("declare all variables in one list"),
        );
        self.preference_body(&FormItem::Sexp(inner.list.into()));
        PatternBody::Error(self.error(inner, Vec::new()))
    }

    fn body(&mut self, form: &mut Form<'_>) -> PatternBody {
        let span = NodeSpan::from(form.span());
        match form.word {
            "then" => {
                match form.parts.len() {
                    0 => self.missing(form, SEQUENCE),
                    1 => self.extension(form.word_span, "this `then` has a single operator"),
                    _ => {}
                }
                PatternBody::Then(form.parts.iter().map(|part| self.sequence_operator(part)).collect(), span)
            }
            "at-end" => PatternBody::AtEnd(self.single_condition(form), span),
            _ => {
                self.unknown_operator(form, &keywords::PREFERENCE, BODY);
                PatternBody::Error(self.error(form, Vec::new()))
            }
        }
    }

    fn sequence_operator(&mut self, part: &FormItem<'_>) -> SequenceOperator {
        let Some(mut form) = self.part_form(part, SEQUENCE) else {
            return SequenceOperator::Error(self.item_error(part));
        };
        let form = &mut form;
        let operator = self.operator_of(form);
        match operator {
            SequenceOperator::Error(node) => SequenceOperator::Error(node),
            operator if form.is_malformed => SequenceOperator::Error(self.error(form, operator.into_conditions())),
            operator => operator,
        }
    }

    fn operator_of(&mut self, form: &mut Form<'_>) -> SequenceOperator {
        let span = NodeSpan::from(form.span());
        match form.word {
            "once" if form.parts.len() >= 2 => self.once_measure(form),
            "once" => SequenceOperator::Once(self.single_condition(form), span),
            "once-measure" => {
                self.extension(form.word_span, "`once-measure` is spelled `once` in the definition of the language");
                self.once_measure(form)
            }
            "hold" if form.parts.len() >= 2 => {
                self.reject_extra_parts(form, 1);
                self.suggest_operator(form, "hold-while");
                let conditions = form.parts_and_extra_lists(1).map(|part| self.condition(part)).collect();
                SequenceOperator::Error(self.error(form, conditions))
            }
            "hold" => SequenceOperator::Hold(self.single_condition(form), span),
            "hold-while" => self.hold_while(form),
            _ => {
                self.unknown_operator(form, &keywords::SEQUENCE_OPERATORS, SEQUENCE);
                SequenceOperator::Error(self.error(form, Vec::new()))
            }
        }
    }

    fn once_measure(&mut self, form: &mut Form<'_>) -> SequenceOperator {
        self.reject_extra_parts(form, 2);
        let condition = form.parts.front().map(|part| self.condition(part));
        let function = form.parts.get(1).map(|part| self.function(part));
        if function.is_none() {
            self.missing(form, "a condition and a function to measure");
        }
        match (condition, function.flatten()) {
            (Some(condition), Some(function)) if !condition.is_erroneous() => {
                SequenceOperator::OnceMeasure(condition, function, form.span().into())
            }
            // If a part is missing, the other one may be a function.
            (condition, _) => {
                let condition = condition.filter(|_| form.parts.len() > 1);
                SequenceOperator::Error(self.error(form, condition.into_iter().collect()))
            }
        }
    }

    fn hold_while(&mut self, form: &mut Form<'_>) -> SequenceOperator {
        let mut conditions: Vec<Condition> = form.parts.iter().map(|part| self.condition(part)).collect();
        if conditions.len() < 2 {
            self.missing(form, "a condition and at least one event");
            if conditions.len() == 1 {
                self.suggest_operator(form, "hold");
            }
            return SequenceOperator::Error(self.error(form, conditions));
        }
        let held = conditions.remove(0);
        SequenceOperator::HoldWhile(held, conditions, form.span().into())
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
}

/// Returns a preference of which only the error node is known.
fn unknown_preference(node: ErrorNode<PatternBody>) -> Preference {
    let span = node.span;
    Preference { name: Name::missing(span), quantifier: None, body: PatternBody::Error(node), span: span.into() }
}
