//! Parsing of conditions, their operands, and variable lists.

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span};

use super::parser::{Form, FormItem, Parser, excerpt, keyword_help, sole_list, wrap};
use crate::ast::{Application, Condition, ErrorNode, Name, NodeSpan, NodeStatus, Operand, TypedVariables};
use crate::name_syntax::NameSyntax;
use crate::{codes, keywords};

const CONDITION: &str = "a condition such as `(on desk ?b)`";
const OPERAND: &str = "a number or a function such as `(distance ?a ?b)`";

/// A token of a variable list. Dashes that are glued to names are separate tokens.
struct Token<'a> {
    text: &'a str,
    span: Span,
}

impl Parser {
    pub(super) fn condition(&mut self, part: &FormItem<'_>) -> Condition {
        if part.as_list().is_none() {
            self.bare_condition(part);
            return Condition::Error(self.item_error(part));
        }
        let Some(mut form) = self.part_form(part, CONDITION) else { return Condition::Error(self.item_error(part)) };
        let condition = self.condition_form(&mut form);
        self.complete(&form, condition)
    }

    /// Parses a condition whose list has been destructured.
    pub(super) fn condition_form(&mut self, form: &mut Form<'_>) -> Condition {
        let span = NodeSpan::from(form.span());
        match form.word {
            "and" => Condition::And(self.conditions(form), span),
            "or" => Condition::Or(self.conditions(form), span),
            "not" => Condition::Not(Box::new(self.single_condition(form)), span),
            "exists" | "forall" => {
                let Some((variables, body)) = self.quantifier(form, "a condition") else {
                    return Condition::Error(self.error(form, Vec::new()));
                };
                let body = Box::new(self.condition(&body));
                if form.word == "exists" {
                    Condition::Exists(variables, body, span)
                } else {
                    Condition::Forall(variables, body, span)
                }
            }
            word if keywords::comparison(word).is_some() => self.comparison(form),
            _ => self.predicate(form),
        }
    }

    /// Parses the only part of a form as a condition.
    pub(super) fn single_condition(&mut self, form: &mut Form<'_>) -> Condition {
        match self.single(form, "a condition") {
            Some(part) => self.condition(&part),
            None => Condition::Error(ErrorNode::new(form.span())),
        }
    }

    /// Parses all parts as conditions. Reports an error if there are none.
    fn conditions(&mut self, form: &mut Form<'_>) -> Vec<Condition> {
        if form.parts.is_empty() {
            self.missing(form, "at least one condition");
        }
        form.parts.iter().map(|part| self.condition(part)).collect()
    }

    fn bare_condition(&mut self, part: &FormItem<'_>) {
        self.unexpected(part, CONDITION);
        if let Some(text) = part.atom_text()
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && let Some(diagnostic) = self.diagnostics.last_mut()
        {
            diagnostic.help.push("write predicates in parentheses, even without arguments".to_owned());
            diagnostic.fixes.push(Fix::replace(
                format!("replace with `({text})`"),
                Applicability::Unsafe,
                part.span(),
                format!("({text})"),
            ));
        }
    }

    fn comparison(&mut self, form: &mut Form<'_>) -> Condition {
        let equality = form.word == "=";
        if equality && form.parts.is_empty() || !equality && form.parts.len() < 2 {
            self.missing(form, "two sides to compare");
        }
        if !equality {
            self.reject_extra_parts(form, 2);
        }
        let max = if equality { form.parts.len() } else { 2 };
        let operands: Vec<_> = form.parts_and_extra_lists(max).filter_map(|part| self.operand(part)).collect();
        if form.is_malformed || operands.len() != form.parts.len() {
            return Condition::Error(self.error(form, Vec::new()));
        }
        let span = NodeSpan::from(form.span());
        match (keywords::comparison(form.word), <[Operand; 2]>::try_from(operands)) {
            (Some(comparison), Ok(sides)) => Condition::Compare(comparison, Box::new(sides), span),
            (_, Err(operands)) => Condition::AllEqual(operands, span),
            (None, Ok(_)) => Condition::Error(self.error(form, Vec::new())),
        }
    }

    fn operand(&mut self, part: &FormItem<'_>) -> Option<Operand> {
        match part {
            FormItem::SplitNumber(text, span) => Some(Operand::Number(self.number(text, *span)?, (*span).into())),
            FormItem::Sexp(Sexp::Atom(atom)) => {
                if atom.text().starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.')) {
                    return Some(Operand::Number(self.number(atom.text(), atom.span())?, atom.span().into()));
                }
                self.unexpected(part, OPERAND);
                None
            }
            FormItem::Sexp(Sexp::List(_)) => self.function(part).map(Operand::Function),
        }
    }

    /// Parses a function application.
    pub(super) fn function(&mut self, part: &FormItem<'_>) -> Option<Application> {
        let form = self.part_form(part, "a function such as `(distance ?a ?b)`")?;
        if form.is_malformed {
            return None;
        }
        if keywords::is_keyword(form.word) {
            let message = format!("expected a function of the world, found the keyword `{}`", form.word);
            let found = Diagnostic::error(codes::MISPLACED_OPERATOR, form.word_span, message);
            self.report(found.with_help(keyword_help(form.word)));
            return None;
        }
        self.application(&form, "a function")
    }

    fn predicate(&mut self, form: &mut Form<'_>) -> Condition {
        let nested = !form.parts.is_empty() && form.parts.iter().all(|part| part.as_list().is_some());
        if keywords::is_keyword(form.word) || nested {
            return self.unknown_condition(form);
        }
        match self.application(form, "a predicate") {
            Some(application) => Condition::Predicate(application),
            None => Condition::Error(self.error(form, Vec::new())),
        }
    }

    /// Parses a condition with an operator that is unknown or belongs elsewhere.
    fn unknown_condition(&mut self, form: &mut Form<'_>) -> Condition {
        self.unknown_operator(form, &keywords::CONDITION, "a condition");
        let parts = if let Some((variables, body)) = self.misspelt_quantifier(form) {
            let body = Box::new(self.condition(&body));
            vec![Condition::Exists(variables, body, form.span().into())]
        } else if keywords::is_keyword(form.word) {
            Vec::new()
        } else {
            // The word is probably a misspelt `and`, `or` or `not`, but it may also be a comparison of functions.
            let parts = form.parts.iter().map(|part| self.condition(part));
            parts.filter(|part| !matches!(part, Condition::Predicate(_))).collect()
        };
        Condition::Error(self.error(form, parts))
    }

    /// Parses the variables of a form that has the shape of a quantifier but another head. Also returns the body.
    pub(super) fn misspelt_quantifier<'t>(&mut self, form: &Form<'t>) -> Option<(Vec<TypedVariables>, FormItem<'t>)> {
        let list = form.parts.front().and_then(FormItem::as_list)?;
        let is_quantifier = !keywords::is_keyword(form.word)
            && form.parts.len() >= 2
            && list.head().is_some_and(|head| head.text().starts_with('?'));
        is_quantifier.then(|| (self.variables(list), form.parts[1]))
    }

    fn application(&mut self, form: &Form<'_>, expected: &str) -> Option<Application> {
        let name = self.world_name(form.word, form.word_span, expected);
        let mut arguments = Vec::with_capacity(form.parts.len());
        for part in &form.parts {
            match part.atom_text() {
                Some(text) => arguments.extend(self.term(text, part.span())),
                None => self.unexpected(part, "a variable or the name of an object"),
            }
        }
        (arguments.len() == form.parts.len()).then_some(Application {
            name: name?,
            arguments,
            status: NodeStatus::Valid,
            span: form.span().into(),
        })
    }

    /// Parses the variables and the single body of `(exists (..) body)` or `(forall (..) body)`.
    pub(super) fn quantifier<'t>(
        &mut self,
        form: &mut Form<'t>,
        body: &str,
    ) -> Option<(Vec<TypedVariables>, FormItem<'t>)> {
        let (variables, used) = self.quantified(form)?;
        let Some(part) = form.parts.get(used).copied() else {
            self.missing(form, &format!("{body} after its variables"));
            return None;
        };
        self.reject_extra_parts(form, used + 1);
        Some((variables, part))
    }

    /// Parses the variables of a quantifier. Also returns the number of parts that they occupy.
    pub(super) fn quantified(&mut self, form: &mut Form<'_>) -> Option<(Vec<TypedVariables>, usize)> {
        let Some(first) = form.parts.front() else {
            self.missing(form, "a list of variables such as `(?b - ball)`");
            return None;
        };
        if let Some(list) = first.as_list() {
            let is_body = list.head().is_some_and(|head| {
                !head.text().starts_with('?') && (keywords::is_keyword(head.text()) || form.parts.len() == 1)
            });
            if is_body {
                self.missing(form, "a list of variables such as `(?b - ball)` before its body");
                return Some((vec![unknown_variables(form.word_span)], 0));
            }
            return Some((self.variables(list), 1));
        }
        // The parentheses are missing. All parts before the first list that is not an `either` belong to the variable list.
        let is_either =
            |part: &FormItem<'_>| part.as_list().and_then(List::head).is_some_and(|head| head.text() == "either");
        let count = form.parts.iter().take_while(|part| part.as_list().is_none() || is_either(part)).count();
        let items: Vec<Sexp> = form
            .parts
            .iter()
            .take(count)
            .filter_map(|part| if let FormItem::Sexp(sexp) = part { Some(*sexp) } else { None })
            .collect();
        let span = form.parts[0].span().to(form.parts[count - 1].span());
        form.is_malformed = true;
        self.report(
            Diagnostic::error(
                codes::UNEXPECTED,
                span,
                format!("expected the variables of `{}` in parentheses", form.word),
            )
            .with_fix(wrap("enclose the variables in parentheses", span, "(", ")", true)),
        );
        let variables = match items[..] {
            // An error about a single item would have the same span.
            [Sexp::Atom(atom)] if atom.text().starts_with('?') => {
                let name = self.name(atom.text(), span);
                vec![TypedVariables { names: vec![name], types: vec![Name::missing(span)], span: span.into() }]
            }
            [_] => vec![unknown_variables(span)],
            _ => self.typed_variables(&items, span),
        };
        Some((variables, count))
    }

    /// Parses a variable list: `(?a ?b - TYPE ..)`.
    fn variables(&mut self, list: List<'_>) -> Vec<TypedVariables> {
        if list.head().is_none()
            && let Some(inner) = sole_list(list)
        {
            self.extension(list.open_span(), "double parentheses around the list of variables");
            return self.variables(inner);
        }
        let items: Vec<_> = list.items().collect();
        if items.is_empty() {
            self.report(Diagnostic::error(
                codes::UNEXPECTED,
                list.span(),
                "expected variables such as `?b - ball`, found an empty list",
            ));
            return vec![unknown_variables(list.span())];
        }
        self.typed_variables(&items, list.span())
    }

    fn typed_variables(&mut self, items: &[Sexp<'_>], whole: Span) -> Vec<TypedVariables> {
        let mut list = VariableList::default();
        for item in items {
            match item {
                Sexp::List(inner) if list.dash.take().is_some() => {
                    let types = self.either(*inner);
                    self.close_group(&mut list, types, inner.span());
                }
                Sexp::List(inner) => {
                    self.unexpected(&FormItem::Sexp(*item), "a variable such as `?b`");
                    list.names.push(Name::missing(inner.span()));
                }
                Sexp::Atom(atom) => {
                    for word in words(atom.text(), atom.span(), self.spelling) {
                        self.token(&mut list, &word);
                    }
                }
            }
        }
        self.report_missing_type(&mut list);
        self.close_group(&mut list, vec![Name::missing(whole)], whole);
        if list.groups.is_empty() { vec![unknown_variables(whole)] } else { list.groups }
    }

    /// Reports that a list of variables ends without a type.
    fn report_missing_type(&mut self, list: &mut VariableList) {
        if let Some(dash) = list.dash {
            return self.missing_type(dash, "expected a type after `-`");
        }
        let names: Vec<&Name> = list.names.iter().filter(|name| !name.is_missing()).collect();
        if let (Some(first), Some(last)) = (names.first(), names.last()) {
            let texts: Vec<_> = names.iter().map(|name| format!("`{}`", name.text)).collect();
            let message = format!("expected a type after {}", texts.join(", "));
            self.missing_type(first.span().to(last.span()), &message);
            list.names.iter_mut().for_each(Name::mark_erroneous);
        }
    }

    /// Parses a token of a variable list.
    fn token(&mut self, list: &mut VariableList, word: &Token<'_>) {
        if word.text == "-" {
            if let Some(before) = list.dash.replace(word.span) {
                self.missing_type(before, "expected a type after `-`");
            }
        } else if let Some(before) = list.dash.take() {
            if word.text.starts_with('?') {
                self.missing_type(before, "expected a type after `-`");
                self.close_group(list, vec![Name::missing(before)], before);
                let mut name = self.declaration(word);
                name.mark_erroneous();
                list.names.push(name);
            } else {
                let name = self.world_name(word.text, word.span, "a type");
                self.close_group(list, vec![name.unwrap_or_else(|| Name::missing(word.span))], word.span);
            }
        } else {
            list.names.push(self.declaration(word));
        }
    }

    /// Completes a group of variables with its types, which end at `end`.
    fn close_group(&mut self, list: &mut VariableList, mut types: Vec<Name>, end: Span) {
        if list.names.is_empty() {
            if types.iter().all(Name::is_missing) {
                return;
            }
            let message = "expected a variable before `-` and this type";
            self.report(Diagnostic::error(codes::UNEXPECTED, end, message));
            list.names.push(Name::missing(end));
            types = vec![Name::missing(end)];
        }
        let mut names = std::mem::take(&mut list.names);
        let span = NodeSpan::from(names[0].span().to(end));
        if let Some(last) = names.iter().rposition(Name::is_missing) {
            // The item in the place of the missing variable may be the type of the variables before it.
            let rest = names.split_off(last + 1);
            list.groups.push(TypedVariables { names, types: vec![Name::missing(end)], span });
            names = rest;
        }
        if !names.is_empty() {
            list.groups.push(TypedVariables { names, types, span });
        }
    }

    fn missing_type(&mut self, span: Span, message: &str) {
        self.report(
            Diagnostic::error(codes::MISSING_TYPE, span, message)
                .with_help("declare variables as `?b - ball` or `?b - (either ball block)`"),
        );
    }

    /// Parses the declaration of a variable. A missing question mark is reported.
    fn declaration(&mut self, word: &Token<'_>) -> Name {
        if word.text.starts_with('?') {
            return self.variable(word.text, word.span).unwrap_or_else(|| Name::missing(word.span));
        }
        let mut diagnostic = Diagnostic::error(
            codes::INVALID_NAME,
            word.span,
            format!("expected a variable such as `?b`, found `{}`", excerpt(word.text)),
        );
        if word.text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            let with_mark = format!("?{}", word.text);
            diagnostic = diagnostic.with_fix(Fix::replace(
                format!("replace with `{with_mark}`"),
                Applicability::Unsafe,
                word.span,
                with_mark,
            ));
        }
        self.report(diagnostic);
        Name::missing(word.span)
    }

    /// Parses a union of types: `(either TYPE TYPE)`.
    fn either(&mut self, list: List<'_>) -> Vec<Name> {
        const TYPE: &str = "a type or `(either TYPE ..)`";
        let missing = || vec![Name::missing(list.span())];
        let Some(mut form) = self.form(list, TYPE) else { return missing() };
        if form.word != "either" {
            self.unknown_operator(&mut form, &["either"], TYPE);
            return missing();
        }
        if form.parts.is_empty() {
            self.missing(&mut form, "at least one type");
            return missing();
        }
        let mut types = Vec::with_capacity(form.parts.len());
        for part in &form.parts {
            let name = if let Some(text) = part.atom_text() {
                self.world_name(text, part.span(), "a type")
            } else {
                self.unexpected(part, "the name of a type");
                None
            };
            types.push(name.unwrap_or_else(|| Name::missing(part.span())));
        }
        types
    }
}

/// A list of variables while it is parsed.
#[derive(Default)]
struct VariableList {
    /// The complete groups.
    groups: Vec<TypedVariables>,
    /// The variables after the last complete group.
    names: Vec<Name>,
    /// The dash after these variables, if no type has followed yet.
    dash: Option<Span>,
}

/// Returns variables that stand for a list of unknown variables.
fn unknown_variables(span: Span) -> TypedVariables {
    TypedVariables { names: vec![Name::missing(span)], types: vec![Name::missing(span)], span: span.into() }
}

/// Splits an atom of a variable list into tokens. Plain names contain no dashes, so `?b-ball` is three tokens. If the names of the
/// world may contain dashes, only the first dash after a variable is a token.
fn words(text: &str, span: Span, spelling: NameSyntax) -> impl Iterator<Item = Token<'_>> {
    let mut start = 0;
    let freed = match spelling {
        NameSyntax::Plain => text.len(),
        NameSyntax::Dashed | NameSyntax::Dotted if text.starts_with(['?', '-']) => {
            text.find('-').map_or(text.len(), |dash| dash + 1)
        }
        NameSyntax::Dashed | NameSyntax::Dotted => 0,
    };
    let (freed, kept) = text.split_at(freed);
    freed
        .split_inclusive('-')
        .flat_map(|piece| match piece.strip_suffix('-') {
            Some(before) => [before, "-"],
            None => [piece, ""],
        })
        .chain([kept])
        .filter_map(move |piece| {
            let from = span.start + start;
            start += piece.len() as u32;
            (!piece.is_empty())
                .then_some(Token { text: piece, span: Span { start: from, end: from + piece.len() as u32, ..span } })
        })
}
