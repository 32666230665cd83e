//! The rules of the published program: the replies are pasted into a problem, which is parsed as pyperplan does.
//!
//! pyperplan reads nested lists of lower-case words. A problem is the list of a header, the initial state and the goal; an initial state
//! is a list of predicates with words as arguments, and a goal a tree of formulas. What follows the first formula of a goal is ignored.
//! The only assumption is that each reply is followed by a line end.

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use super::{MAX_SEED_DEPTH, TranslatedPart, Translation};
use crate::codes;
use crate::english::undeclared;
use crate::names::ObjectTable;
use crate::pddl::{DIFFERS, differences};
use crate::relation::Fact;

pub(super) fn read(initial: &SourceFile, goal: &SourceFile, objects: &ObjectTable) -> Translation {
    let mut translation = Translation::default();
    let mut pasted = PastedProblem::new(initial, goal, objects);
    let result = pasted.parse().and_then(|(init, formula)| {
        pasted.initial_state(init, objects, &mut translation)?;
        pasted.goal(formula, objects, &mut translation)
    });
    if let Err(error) = result {
        translation.diagnostics.push(*error);
    }
    translation
}

/// A word or parenthesis.
struct Token {
    text: String,
    /// The place in a reply; `None` for the text around the replies.
    span: Option<Span>,
    /// Of an opening parenthesis, the index of the closing one.
    close: usize,
}

/// A problem with pasted replies.
struct PastedProblem {
    tokens: Vec<Token>,
}

type ParseResult<T> = Result<T, Box<Diagnostic>>;

impl PastedProblem {
    /// Pastes the replies. The header, whose form no reply can change, is left out.
    fn new(initial: &SourceFile, goal: &SourceFile, objects: &ObjectTable) -> Self {
        let names: Vec<String> = objects.pddl_names().map(str::to_owned).collect();
        let mut problem = Self { tokens: Vec::new() };
        problem.add("((:init", None);
        problem.add(initial.text(), Some(initial));
        problem.add(&format!("{}) (:goal (and", differences(&names)), None);
        problem.add(goal.text(), Some(goal));
        problem.add(")))", None);
        problem
    }

    /// Splits a text into tokens: a comment extends to the end of the line, and a question mark begins a word.
    fn add(&mut self, text: &str, file: Option<&SourceFile>) {
        let mut start = None;
        let mut in_comment = false;
        for (at, character) in text.char_indices().chain([(text.len(), '\n')]) {
            in_comment = !matches!(character, '\n' | '\r') && (in_comment || character == ';');
            let is_space = in_comment || character.is_whitespace() || ('\x1c'..='\x1f').contains(&character);
            let ends_word = is_space || matches!(character, '(' | ')' | '?');
            if let Some(start) = start.take_if(|_| ends_word) {
                self.push(text, start, at, file);
            }
            match character {
                _ if is_space => {}
                '(' | ')' => self.push(text, at, at + 1, file),
                _ => start = start.or(Some(at)),
            }
        }
    }

    fn push(&mut self, text: &str, start: usize, end: usize, file: Option<&SourceFile>) {
        let span = file.map(|file| Span::new(file.id(), start as u32, end as u32));
        self.tokens.push(Token { text: text[start..end].to_lowercase(), span, close: usize::MAX });
    }

    /// Returns the error of the published program at a token.
    fn error<T>(&self, token: usize, message: impl Into<String>) -> ParseResult<T> {
        // Text around the replies is at fault only because of the reply before it.
        let error = Diagnostic::new(codes::SEED_RULES, Severity::Error, message);
        Err(Box::new(Diagnostic { span: self.nearest_span(token), ..error }))
    }

    /// Parses the problem; returns the indices of the list of the initial state and of the formula of the goal.
    fn parse(&mut self) -> ParseResult<(usize, usize)> {
        self.match_parentheses()?;
        let mut sections = self.children(0);
        let (Some(initial), Some(goal)) = (sections.next(), sections.next()) else {
            return self.error(0, "the goal is part of the initial state");
        };
        let rest = sections.next();
        self.predicates(initial)?;
        let mut items = self.list(goal)?;
        let keyword = items.next();
        if keyword.is_none_or(|keyword| self.tokens[keyword].text != ":goal") {
            return self.error(goal, "expected the goal after the initial state");
        }
        let Some(formula) = items.next() else { return self.error(goal, "the goal has no formula") };
        self.formula(formula)?;
        match rest {
            Some(rest) => self.error(rest, "unexpected text after the goal"),
            None => Ok((initial, formula)),
        }
    }

    fn match_parentheses(&mut self) -> ParseResult<()> {
        let mut open = Vec::new();
        for index in 0..self.tokens.len() {
            match &*self.tokens[index].text {
                "(" if open.len() > MAX_SEED_DEPTH => {
                    return self.error(index, format!("lists are nested more than {MAX_SEED_DEPTH} deep"));
                }
                "(" => open.push(index),
                ")" => {
                    let start = open.pop().unwrap_or_default();
                    self.tokens[start].close = index;
                    if open.is_empty() && index + 1 < self.tokens.len() {
                        return self.error(index, "a closing parenthesis too many");
                    }
                }
                _ => {}
            }
        }
        let unclosed = open.iter().rev().find(|&&index| self.tokens[index].span.is_some());
        match unclosed.or(open.last()) {
            Some(&index) => self.error(index, "missing closing parenthesis"),
            None => Ok(()),
        }
    }

    fn is_word(&self, index: usize) -> bool {
        self.tokens[index].text != "("
    }

    /// Iterates over the items of a list: the indices of words and of opening parentheses.
    fn children(&self, list: usize) -> impl Iterator<Item = usize> {
        let end = self.tokens[list].close;
        std::iter::successors(Some(list + 1), |&index| {
            Some(if self.is_word(index) { index + 1 } else { self.tokens[index].close + 1 })
        })
        .take_while(move |&index| index < end)
    }

    /// Iterates over the items of what must be a list.
    fn list(&self, index: usize) -> ParseResult<impl Iterator<Item = usize>> {
        if self.is_word(index) {
            return self.error(index, format!("expected a list, found `{}`", self.tokens[index].text));
        }
        Ok(self.children(index))
    }

    /// Checks the form of the facts of an initial state.
    fn predicates(&self, initial: usize) -> ParseResult<()> {
        for fact in self.list(initial)?.skip(1) {
            let mut items = self.list(fact)?;
            if items.next().is_none_or(|name| !self.is_word(name)) {
                return self.error(fact, "a fact begins with its predicate");
            }
            if let Some(argument) = items.find(|&argument| !self.is_word(argument)) {
                return self.error(argument, "expected the name of an object, found a list");
            }
        }
        Ok(())
    }

    /// Checks the form of a formula and of those in it.
    fn formula(&self, formula: usize) -> ParseResult<()> {
        let end = if self.is_word(formula) { formula } else { self.tokens[formula].close };
        for index in formula..=end {
            if self.is_word(index) {
                continue;
            }
            match self.tokens.get(index + 1).map(|key| &*key.text) {
                Some("(" | ")") | None => return self.error(index, "a formula begins with a word"),
                Some(key) if key.starts_with(':') => return self.error(index + 1, "a formula begins with a keyword"),
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Reads the facts of the initial state.
    fn initial_state(&self, initial: usize, objects: &ObjectTable, translation: &mut Translation) -> ParseResult<()> {
        let known: Vec<String> = objects.pddl_names().map(str::to_owned).collect();
        for fact in self.children(initial).skip(1) {
            let mut items = self.children(fact);
            let Some(name) = items.next() else { continue };
            let arguments: Vec<usize> = items.collect();
            if let Some(&argument) = arguments.iter().find(|&&at| objects.index_of(&self.tokens[at].text).is_none()) {
                let (name, span) =
                    (&self.tokens[argument].text, self.tokens[argument].span.or(self.nearest_span(fact)));
                let Some(span) = span else { return self.error(argument, format!("`{name}` is no object")) };
                return Err(Box::new(undeclared(name, span, &known)));
            }
            // Facts of the surrounding text are stated by every problem.
            let Some(span) = self.tokens[fact].span else { continue };
            let span = self.tokens[self.tokens[fact].close].span.map_or(span, |end| span.to(end));
            if !self.add_fact(name, &arguments, span, &mut translation.initial) {
                let message = format!(
                    "`{}` with these arguments is no fact of the domain, and is ignored",
                    self.tokens[name].text
                );
                translation.diagnostics.push(Diagnostic::note(codes::IGNORED_FACT, span, message));
            }
        }
        Ok(())
    }

    /// Reads the facts of the goal.
    fn goal(&self, formula: usize, objects: &ObjectTable, translation: &mut Translation) -> ParseResult<()> {
        let key = self.key(formula);
        let facts: Vec<usize> = if key == "and" { self.children(formula).skip(1).collect() } else { vec![formula] };
        if let Some(&variable) = facts.iter().find(|&&fact| self.is_word(fact) && self.key(fact).starts_with('?')) {
            return self.error(variable, "a variable is not allowed in a goal");
        }
        for fact in facts {
            self.goal_fact(fact, translation)?;
        }
        let known: Vec<String> = objects.pddl_names().map(str::to_owned).collect();
        for fact in &translation.goal.facts {
            let unknown = fact.relation.objects().find(|name| objects.index_of(name).is_none());
            translation.diagnostics.extend(unknown.map(|name| undeclared(name, fact.span, &known)));
        }
        for pair in &translation.goal.differences {
            if let Some(name) = pair.iter().find(|name| objects.index_of(name).is_none()) {
                let message = format!("`{name}` is not an object of the problem");
                translation.diagnostics.push(Diagnostic::new(codes::UNDECLARED_OBJECT, Severity::Error, message));
            }
        }
        Ok(())
    }

    fn goal_fact(&self, fact: usize, translation: &mut Translation) -> ParseResult<()> {
        let arguments: Vec<usize> = if self.is_word(fact) { Vec::new() } else { self.children(fact).skip(1).collect() };
        if let Some(&variable) = arguments.iter().find(|&&at| self.is_word(at) && self.key(at).starts_with('?')) {
            return self.error(variable, "a variable is not allowed in a goal");
        }
        let place = self.tokens[fact].span.or(self.nearest_span(fact));
        let Some(span) = place else { return self.error(fact, "the goal is not the reply's") };
        let end = if self.is_word(fact) { fact } else { self.tokens[fact].close };
        let span = self.tokens[end].span.filter(|end| end.source == span.source).map_or(span, |end| span.to(end));
        let name = if self.is_word(fact) { fact } else { fact + 1 };
        if self.add_fact(name, &arguments, span, &mut translation.goal) {
            return Ok(());
        }
        let predicate = &*self.tokens[name].text;
        let error = if matches!(predicate, "on" | "ontable" | "clear" | DIFFERS) {
            Diagnostic::error(codes::ARGUMENT_COUNT, span, "wrong number of arguments in the goal")
        } else {
            let message = format!("`{predicate}` is not a predicate of the domain");
            Diagnostic::error(codes::UNKNOWN_PREDICATE, span, message)
        };
        Err(Box::new(error))
    }

    /// Adds a fact; returns whether it is one of the domain.
    fn add_fact(&self, name: usize, arguments: &[usize], span: Span, part: &mut TranslatedPart) -> bool {
        let names = arguments.iter().map(|&argument| self.key(argument).to_owned()).collect();
        match super::relation(&self.tokens[name].text, names) {
            Some(Ok(relation)) => part.facts.push(Fact { relation, span }),
            Some(Err(pair)) => part.differences.push(pair),
            None => return false,
        }
        true
    }

    /// Returns the word, or the first word of the list.
    fn key(&self, index: usize) -> &str {
        &self.tokens[if self.is_word(index) { index } else { index + 1 }].text
    }

    /// Returns the place of the last token of a reply up to this one.
    fn nearest_span(&self, token: usize) -> Option<Span> {
        self.tokens[..=token].iter().rev().find_map(|token| token.span)
    }
}
