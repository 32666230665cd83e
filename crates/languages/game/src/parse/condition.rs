//! Parsing of conditions, their operands, and variable lists.

use goalspec_core::condition::Origin;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::{List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span};

use super::parser::{Form, FormItem, Parser, excerpt, keyword_help, sole_list, wrap};
use crate::ast::{Application, Condition, Name, Operand, TypedVariables};
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
    pub(super) fn condition(&mut self, part: &FormItem<'_>) -> Option<Condition> {
        if part.as_list().is_none() {
            self.bare_condition(part);
            return None;
        }
        let form = self.part_form(part, CONDITION)?;
        let origin = Origin::from(form.span());
        match form.word {
            "and" => Some(Condition::And(self.conditions(&form)?, origin)),
            "or" => Some(Condition::Or(self.conditions(&form)?, origin)),
            "not" => {
                let part = self.single(&form, "a condition")?;
                Some(Condition::Not(Box::new(self.condition(&part)?), origin))
            }
            "exists" | "forall" => {
                let (variables, body) = self.quantifier(&form, "a condition")?;
                let body = Box::new(self.condition(&body)?);
                Some(if form.word == "exists" {
                    Condition::Exists(variables, body, origin)
                } else {
                    Condition::Forall(variables, body, origin)
                })
            }
            word => match keywords::comparison(word) {
                Some(_) => self.comparison(&form),
                None => self.predicate(&form).map(Condition::Predicate),
            },
        }
    }

    /// Parses all parts as conditions. Reports an error and returns `None` if there are no parts.
    fn conditions(&mut self, form: &Form<'_>) -> Option<Vec<Condition>> {
        if form.parts.is_empty() {
            self.missing(form, "at least one condition");
            return None;
        }
        Some(form.parts.iter().filter_map(|part| self.condition(part)).collect())
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

    fn comparison(&mut self, form: &Form<'_>) -> Option<Condition> {
        let comparison = keywords::comparison(form.word)?;
        let equality = form.word == "=";
        let origin = Origin::from(form.span());
        if equality && form.parts.is_empty() || !equality && form.parts.len() < 2 {
            self.missing(form, "two sides to compare");
        }
        if !equality {
            self.reject_extra_parts(form, 2);
        }
        let operands: Vec<_> = form.parts.iter().filter_map(|part| self.operand(part)).collect();
        if operands.len() != form.parts.len() || operands.is_empty() {
            return None;
        }
        match <[Operand; 2]>::try_from(operands) {
            Ok(sides) => Some(Condition::Compare(comparison, Box::new(sides), origin)),
            Err(operands) if equality => Some(Condition::AllEqual(operands, origin)),
            Err(_) => None,
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
        if keywords::is_keyword(form.word) {
            let message = format!("expected a function of the world, found the keyword `{}`", form.word);
            let found = Diagnostic::error(codes::MISPLACED_OPERATOR, form.word_span, message);
            self.report(found.with_help(keyword_help(form.word)));
            return None;
        }
        self.application(&form, "a function")
    }

    fn predicate(&mut self, form: &Form<'_>) -> Option<Application> {
        let nested = !form.parts.is_empty() && form.parts.iter().all(|part| part.as_list().is_some());
        if keywords::is_keyword(form.word) || nested {
            self.unknown_operator(form, &keywords::CONDITION, "a condition");
            if !keywords::is_keyword(form.word) {
                // The word is probably a misspelt `and` or `or`, so the parts are parsed in order to report their errors.
                self.conditions(form);
            }
            return None;
        }
        self.application(form, "a predicate")
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
            origin: form.span().into(),
        })
    }

    /// Parses the variables and the single body of `(exists (..) body)` or `(forall (..) body)`.
    pub(super) fn quantifier<'t>(
        &mut self,
        form: &Form<'t>,
        body: &str,
    ) -> Option<(Vec<TypedVariables>, FormItem<'t>)> {
        let variables = self.quantified(form)?;
        let parts = &form.parts;
        let first = variables.1;
        let Some(part) = parts.get(first) else {
            self.missing(form, &format!("{body} after its variables"));
            return None;
        };
        self.reject_extra_parts(form, first + 1);
        Some((variables.0, *part))
    }

    /// Parses the variables of a quantifier. Also returns the number of parts that they occupy.
    pub(super) fn quantified(&mut self, form: &Form<'_>) -> Option<(Vec<TypedVariables>, usize)> {
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
                return Some((Vec::new(), 0));
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
        self.report(
            Diagnostic::error(
                codes::UNEXPECTED,
                span,
                format!("expected the variables of `{}` in parentheses", form.word),
            )
            .with_fix(wrap("enclose the variables in parentheses", span, "(", ")", true)),
        );
        Some((self.typed_variables(&items, span), count))
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
        }
        self.typed_variables(&items, list.span())
    }

    fn typed_variables(&mut self, items: &[Sexp<'_>], whole: Span) -> Vec<TypedVariables> {
        let mut groups = Vec::new();
        let mut names: Vec<Name> = Vec::new();
        let mut dash: Option<Span> = None;
        for item in items {
            match item {
                Sexp::List(list) if dash.is_some() => {
                    dash = None;
                    let types = self.either(*list);
                    if names.is_empty() {
                        self.missing_variable(list.span());
                    }
                    close_group(&mut groups, &mut names, types, list.span());
                }
                Sexp::List(_) => self.unexpected(&FormItem::Sexp(*item), "a variable such as `?b`"),
                Sexp::Atom(atom) => {
                    for word in words(atom.text(), atom.span(), self.spelling) {
                        if word.text == "-" {
                            if let Some(before) = dash.replace(word.span) {
                                self.missing_type(before, "expected a type after `-`");
                            }
                        } else if let Some(before) = dash.take() {
                            if word.text.starts_with('?') {
                                self.missing_type(before, "expected a type after `-`");
                                close_group(&mut groups, &mut names, Vec::new(), before);
                                names.extend(self.declaration(&word));
                                continue;
                            }
                            let types = self.world_name(word.text, word.span, "a type").into_iter().collect();
                            if names.is_empty() {
                                self.missing_variable(word.span);
                            }
                            close_group(&mut groups, &mut names, types, word.span);
                        } else {
                            names.extend(self.declaration(&word));
                        }
                    }
                }
            }
        }
        if let Some(span) = dash {
            self.missing_type(span, "expected a type after `-`");
        } else if let (Some(first), Some(last)) = (names.first(), names.last()) {
            let span = first.origin.0.zip(last.origin.0).map_or(whole, |(first, last)| first.to(last));
            let texts: Vec<_> = names.iter().map(|name| format!("`{}`", name.text)).collect();
            self.missing_type(span, &format!("expected a type after {}", texts.join(", ")));
        }
        close_group(&mut groups, &mut names, Vec::new(), whole);
        groups
    }

    fn missing_type(&mut self, span: Span, message: &str) {
        self.report(
            Diagnostic::error(codes::MISSING_TYPE, span, message)
                .with_help("declare variables as `?b - ball` or `?b - (either ball block)`"),
        );
    }

    fn missing_variable(&mut self, span: Span) {
        self.report(Diagnostic::error(codes::UNEXPECTED, span, "expected a variable before `-` and this type"));
    }

    /// Parses the declaration of a variable. A missing question mark is reported.
    fn declaration(&mut self, word: &Token<'_>) -> Option<Name> {
        if word.text.starts_with('?') {
            return self.variable(word.text, word.span);
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
        None
    }

    /// Parses a union of types: `(either TYPE TYPE)`.
    fn either(&mut self, list: List<'_>) -> Vec<Name> {
        let Some(form) = self.form(list, "a type or `(either TYPE ..)`") else { return Vec::new() };
        if form.word != "either" {
            self.unknown_operator(&form, &["either"], "a type or `(either TYPE ..)`");
            return Vec::new();
        }
        if form.parts.is_empty() {
            self.missing(&form, "at least one type");
        }
        let mut types = Vec::with_capacity(form.parts.len());
        for part in &form.parts {
            match part.atom_text() {
                Some(text) => types.extend(self.world_name(text, part.span(), "a type")),
                None => self.unexpected(part, "the name of a type"),
            }
        }
        types
    }
}

/// Completes a group of variables with its types.
fn close_group(groups: &mut Vec<TypedVariables>, names: &mut Vec<Name>, types: Vec<Name>, end: Span) {
    if let Some(first) = names.first() {
        let span = first.origin.0.map_or(end, |start| start.to(end));
        groups.push(TypedVariables { names: std::mem::take(names), types, origin: span.into() });
    }
}

/// Splits an atom of a variable list into tokens. Plain names contain no dashes, so `?b-ball` is three tokens. If the names of the
/// world may contain dashes, only the first dash after a variable is a token.
fn words(text: &str, span: Span, spelling: NameSyntax) -> impl Iterator<Item = Token<'_>> {
    let mut start = 0;
    let freed = match spelling {
        NameSyntax::Plain => text.len(),
        NameSyntax::Dashed if text.starts_with(['?', '-']) => text.find('-').map_or(text.len(), |dash| dash + 1),
        NameSyntax::Dashed => 0,
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
