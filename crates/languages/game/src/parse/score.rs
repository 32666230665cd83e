//! Parsing of terminal conditions and scoring expressions.

use goalspec_core::condition::Origin;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::Sexp;
use goalspec_syntax::{Diagnostic, Fix, Span};

use super::parser::{Form, FormItem, Parser, excerpt};
use crate::ast::{PreferenceReference, Score, Terminal};
use crate::{codes, keywords};

const TERMINAL: &str = "a terminal condition such as `(>= (total-score) 10)`";
const SCORE: &str = "a score such as `(count NAME)` or a number";

impl Parser {
    pub(super) fn terminal(&mut self, part: &FormItem<'_>) -> Option<Terminal> {
        let form = self.part_form(part, TERMINAL)?;
        let origin = Origin::from(form.span());
        match form.word {
            "and" => Some(Terminal::And(self.terminals(&form)?, origin)),
            "or" => Some(Terminal::Or(self.terminals(&form)?, origin)),
            "not" => {
                let part = self.single(&form, "a terminal condition")?;
                Some(Terminal::Not(Box::new(self.terminal(&part)?), origin))
            }
            word => {
                let Some(comparison) = keywords::comparison(word) else {
                    self.unknown_operator(&form, &keywords::TERMINAL, "a terminal condition");
                    return None;
                };
                Some(Terminal::Compare(comparison, self.two_scores(&form)?, origin))
            }
        }
    }

    fn terminals(&mut self, form: &Form<'_>) -> Option<Vec<Terminal>> {
        if form.parts.is_empty() {
            self.missing(form, "at least one terminal condition");
            return None;
        }
        Some(form.parts.iter().filter_map(|part| self.terminal(part)).collect())
    }

    pub(super) fn score(&mut self, part: &FormItem<'_>) -> Option<Score> {
        match part {
            FormItem::SplitNumber(text, span) => Some(Score::Number(self.number(text, *span)?, (*span).into())),
            FormItem::Sexp(Sexp::Atom(atom)) => {
                let text = atom.text();
                if text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.')) {
                    return Some(Score::Number(self.number(text, atom.span())?, atom.span().into()));
                }
                self.bare_score(part, text);
                None
            }
            FormItem::Sexp(Sexp::List(_)) => {
                let form = self.part_form(part, SCORE)?;
                self.score_form(&form)
            }
        }
    }

    fn bare_score(&mut self, part: &FormItem<'_>, text: &str) {
        self.unexpected(part, SCORE);
        let replacement = match text {
            "total-time" | "total-score" => format!("({text})"),
            _ => format!("(count {text})"),
        };
        if text.starts_with(|first: char| first.is_ascii_alphabetic())
            && let Some(diagnostic) = self.diagnostics.last_mut()
        {
            diagnostic.fixes.push(Fix::replace(
                format!("replace with `{}`", excerpt(&replacement)),
                Applicability::Unsafe,
                part.span(),
                replacement,
            ));
        }
    }

    fn score_form(&mut self, form: &Form<'_>) -> Option<Score> {
        let origin = Origin::from(form.span());
        if let Some(kind) = keywords::count_kind(form.word) {
            return Some(Score::Count(kind, self.preference_reference(form)?, origin));
        }
        match form.word {
            "+" => Some(Score::Add(self.scores(form)?, origin)),
            "*" => Some(Score::Multiply(self.scores(form)?, origin)),
            "/" => Some(Score::Divide(self.two_scores(form)?, origin)),
            "-" if form.parts.len() == 1 => {
                let part = self.single(form, "a score")?;
                Some(Score::Negate(Box::new(self.score(&part)?), origin))
            }
            "-" => Some(Score::Subtract(self.two_scores(form)?, origin)),
            "=" if form.parts.len() != 2 => Some(Score::AllEqual(self.scores(form)?, origin)),
            "external-forall-maximize" => {
                let part = self.single(form, "a score")?;
                Some(Score::ExternalMaximum(Box::new(self.score(&part)?), origin))
            }
            "external-forall-minimize" => {
                let part = self.single(form, "a score")?;
                Some(Score::ExternalMinimum(Box::new(self.score(&part)?), origin))
            }
            "total-time" => {
                self.reject_extra_parts(form, 0);
                Some(Score::TotalTime(origin))
            }
            "total-score" => {
                self.reject_extra_parts(form, 0);
                Some(Score::TotalScore(origin))
            }
            word => {
                let Some(comparison) = keywords::comparison(word) else {
                    self.unknown_score(form);
                    return None;
                };
                Some(Score::Compare(comparison, self.two_scores(form)?, origin))
            }
        }
    }

    fn unknown_score(&mut self, form: &Form<'_>) {
        self.unknown_operator(form, &keywords::SCORE, "a score");
        for part in form.parts.iter().filter(|part| part.as_list().is_some()) {
            self.score(part);
        }
    }

    /// Parses all parts as scores. Reports an error and returns `None` if there are none.
    fn scores(&mut self, form: &Form<'_>) -> Option<Vec<Score>> {
        if form.parts.is_empty() {
            self.missing(form, "at least one score");
            return None;
        }
        let scores: Vec<_> = form.parts.iter().filter_map(|part| self.score(part)).collect();
        (!scores.is_empty()).then_some(scores)
    }

    fn two_scores(&mut self, form: &Form<'_>) -> Option<Box<[Score; 2]>> {
        let scores: Vec<_> = form.parts.iter().map(|part| self.score(part)).collect();
        if scores.len() < 2 {
            self.missing(form, "two scores");
        }
        self.reject_extra_parts(form, 2);
        let scores = scores.into_iter().collect::<Option<Vec<_>>>()?;
        <[Score; 2]>::try_from(scores).ok().map(Box::new)
    }

    /// Parses `NAME:TYPE:TYPE`, with optional spaces around the colons.
    fn preference_reference(&mut self, form: &Form<'_>) -> Option<PreferenceReference> {
        let Some(first) = form.parts.front() else {
            self.missing(form, "the name of a preference");
            return None;
        };
        let mut pieces: Vec<(&str, Span)> = Vec::new();
        let mut incomplete = true;
        for part in &form.parts {
            let Some(text) = part.atom_text() else {
                self.unexpected(part, "the name of a preference");
                return None;
            };
            let mut start = part.span().start;
            for (index, piece) in text.split(':').enumerate() {
                let span = Span { start, end: start + piece.len() as u32, ..part.span() };
                start = span.end + 1;
                if index > 0 && std::mem::replace(&mut incomplete, true) {
                    self.incomplete_reference(Span { start: span.start - 1, end: span.start, ..span });
                    return None;
                }
                if !piece.is_empty() {
                    if !std::mem::replace(&mut incomplete, false) {
                        self.reject_extra_parts(form, 1);
                        return None;
                    }
                    pieces.push((piece, span));
                }
            }
        }
        if incomplete {
            self.incomplete_reference(form.parts.back().unwrap_or(first).span());
            return None;
        }
        let mut names = Vec::with_capacity(pieces.len());
        for (index, (text, span)) in pieces.into_iter().enumerate() {
            names.push(match index {
                0 => self.preference_name(text, span),
                _ => self.world_name(text, span, "a type"),
            });
        }
        let mut names = names.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        Some(PreferenceReference { name: names.next()?, types: names.collect() })
    }

    fn incomplete_reference(&mut self, span: Span) {
        self.report(Diagnostic::error(
            codes::INVALID_NAME,
            span,
            "expected the name of a preference and types, separated by colons: `NAME:TYPE:TYPE`",
        ));
    }
}
