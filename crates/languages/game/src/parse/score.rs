//! Parsing of terminal conditions and scoring expressions.

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::Sexp;
use goalspec_syntax::{Diagnostic, Fix, Span};

use super::parser::{Form, FormItem, Parser, excerpt};
use crate::ast::{ErrorNode, NodeSpan, PreferenceReference, Score, Terminal};
use crate::{codes, keywords};

const TERMINAL: &str = "a terminal condition such as `(>= (total-score) 10)`";
const SCORE: &str = "a score such as `(count NAME)` or a number";

impl Parser {
    pub(super) fn terminal(&mut self, part: &FormItem<'_>) -> Terminal {
        let Some(mut form) = self.part_form(part, TERMINAL) else { return Terminal::Error(self.item_error(part)) };
        let terminal = self.terminal_form(&mut form);
        self.complete(&form, terminal)
    }

    fn terminal_form(&mut self, form: &mut Form<'_>) -> Terminal {
        let span = NodeSpan::from(form.span());
        match form.word {
            "and" => Terminal::And(self.terminals(form), span),
            "or" => Terminal::Or(self.terminals(form), span),
            "not" => match self.single(form, "a terminal condition") {
                Some(part) => Terminal::Not(Box::new(self.terminal(&part)), span),
                None => Terminal::Error(self.error(form, Vec::new())),
            },
            word => {
                if let Some(comparison) = keywords::comparison(word) {
                    return Terminal::Compare(comparison, self.two_scores(form), span);
                }
                self.unknown_operator(form, &keywords::TERMINAL, "a terminal condition");
                Terminal::Error(self.error(form, Vec::new()))
            }
        }
    }

    fn terminals(&mut self, form: &mut Form<'_>) -> Vec<Terminal> {
        if form.parts.is_empty() {
            self.missing(form, "at least one terminal condition");
        }
        form.parts.iter().map(|part| self.terminal(part)).collect()
    }

    pub(super) fn score(&mut self, part: &FormItem<'_>) -> Score {
        match part {
            FormItem::SplitNumber(text, span) => match self.number(text, *span) {
                Some(number) => Score::Number(number, (*span).into()),
                None => Score::Error(self.item_error(part)),
            },
            FormItem::Sexp(Sexp::Atom(atom)) => {
                let text = atom.text();
                if text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.')) {
                    return match self.number(text, atom.span()) {
                        Some(number) => Score::Number(number, atom.span().into()),
                        None => Score::Error(self.item_error(part)),
                    };
                }
                self.bare_score(part, text);
                Score::Error(self.item_error(part))
            }
            FormItem::Sexp(Sexp::List(_)) => {
                let Some(mut form) = self.part_form(part, SCORE) else { return Score::Error(self.item_error(part)) };
                let score = self.score_form(&mut form);
                self.complete(&form, score)
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

    fn score_form(&mut self, form: &mut Form<'_>) -> Score {
        let span = NodeSpan::from(form.span());
        if let Some(kind) = keywords::count_kind(form.word) {
            return match self.preference_reference(form) {
                Some(reference) => Score::Count(kind, reference, span),
                None => Score::Error(self.error(form, Vec::new())),
            };
        }
        match form.word {
            "+" => Score::Add(self.scores(form), span),
            "*" => Score::Multiply(self.scores(form), span),
            "/" => Score::Divide(self.two_scores(form), span),
            "-" if form.parts.len() == 1 => Score::Negate(Box::new(self.single_score(form)), span),
            "-" => Score::Subtract(self.two_scores(form), span),
            "=" if form.parts.len() != 2 => Score::AllEqual(self.scores(form), span),
            "external-forall-maximize" => Score::ExternalMaximum(Box::new(self.single_score(form)), span),
            "external-forall-minimize" => Score::ExternalMinimum(Box::new(self.single_score(form)), span),
            "total-time" => {
                self.reject_extra_parts(form, 0);
                Score::TotalTime(span)
            }
            "total-score" => {
                self.reject_extra_parts(form, 0);
                Score::TotalScore(span)
            }
            word => match keywords::comparison(word) {
                Some(comparison) => Score::Compare(comparison, self.two_scores(form), span),
                None => self.unknown_score(form),
            },
        }
    }

    fn unknown_score(&mut self, form: &mut Form<'_>) -> Score {
        self.unknown_operator(form, &keywords::SCORE, "a score");
        let lists = form.parts.iter().filter(|part| part.as_list().is_some());
        let parts = lists.map(|part| self.score(part)).collect();
        Score::Error(self.error(form, parts))
    }

    /// Parses the only part of a form as a score.
    fn single_score(&mut self, form: &mut Form<'_>) -> Score {
        match self.single(form, "a score") {
            Some(part) => self.score(&part),
            None => Score::Error(ErrorNode::new(form.span())),
        }
    }

    /// Parses all parts as scores. Reports an error if there are none.
    fn scores(&mut self, form: &mut Form<'_>) -> Vec<Score> {
        if form.parts.is_empty() {
            self.missing(form, "at least one score");
        }
        form.parts.iter().map(|part| self.score(part)).collect()
    }

    /// Parses the two parts of a form as scores. Further lists are parsed in order to report their errors.
    fn two_scores(&mut self, form: &mut Form<'_>) -> Box<[Score; 2]> {
        let mut scores = form.parts_and_extra_lists(2).map(|part| self.score(part)).collect::<Vec<_>>().into_iter();
        if form.parts.len() < 2 {
            self.missing(form, "two scores");
        }
        self.reject_extra_parts(form, 2);
        let absent = || Score::Error(ErrorNode::new(form.span()));
        Box::new([scores.next().unwrap_or_else(absent), scores.next().unwrap_or_else(absent)])
    }

    /// Parses `NAME:TYPE:TYPE`, with optional spaces around the colons.
    fn preference_reference(&mut self, form: &mut Form<'_>) -> Option<PreferenceReference> {
        let Some(first) = form.parts.front().copied() else {
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
            self.incomplete_reference(form.parts.back().unwrap_or(&first).span());
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
