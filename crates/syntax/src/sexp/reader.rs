//! The reader: balances parentheses, recovers from errors, and enforces the limits.

use super::excess::{self, SurplusParenthesis};
use super::kind::{AtomKind, TokenKind};
use super::lexer::{Lexer, Notation, Token};
use super::repair::{MissingParentheses, Region, line_indent};
use super::tree::{Element, ElementKind, build};
use crate::codes;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity};
use crate::limits::{MAX_DEPTH, MAX_SOURCE_BYTES, MAX_SYNTAX_DIAGNOSTICS, MAX_TOKENS};
use crate::source::{SourceId, Span, too_large};

/// Reads a text into the elements of a tree and reports its syntax errors.
pub(super) fn read(source: SourceId, text: &str) -> (Vec<Element>, Vec<Diagnostic>) {
    if text.len() > MAX_SOURCE_BYTES {
        let report = Diagnostic { span: Some(Span::new(source, 0, 0)), ..too_large("this text", text.len()) };
        return (Vec::new(), vec![report]);
    }
    let mut reader = Reader::new(source, text);
    reader.run();
    if reader.has_strays
        && let extras = excess::locate(text)
        && !extras.is_empty()
    {
        let mut second_reader = Reader { extras, ..Reader::new(source, text) };
        second_reader.run();
        if second_reader.reports.count() <= reader.reports.count() {
            reader = second_reader;
        }
    }
    let loose = Some(ElementKind::Error);
    (build(text, &reader.tokens, &reader.inserted, reader.elements, loose), reader.reports.finish())
}

/// The point at which reading resumes after unclosed lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recovery {
    /// A new program starts.
    Program,
    /// A new section of the program starts.
    Section,
    /// The text ends.
    End,
}

/// A run of tokens outside of all lists that is reported as one diagnostic.
#[derive(Debug, Clone, Copy)]
enum Run {
    /// Closing parentheses.
    Strays { start: u32, end: u32, count: usize },
    /// Atoms.
    Loose { start: u32, end: u32 },
}

struct Reader<'text> {
    source: SourceId,
    text: &'text str,
    lexer: Lexer<'text>,
    tokens: Vec<Token>,
    /// The number of tokens that are elements of the tree.
    elements: usize,
    /// The opening parentheses of the open lists, as token indices.
    open: Vec<u32>,
    /// The indices of tokens before which a list ends without a parenthesis, ascending.
    inserted: Vec<u32>,
    /// Whether the open program is a `(define ..)`, whose sections start with a keyword.
    is_define: bool,
    /// Whether the parentheses of the open program match; `None` until determined.
    balanced: Option<bool>,
    /// The opening parenthesis of the last list directly in the program, as token index.
    section: Option<u32>,
    /// The end of the last examined run of closing parentheses, and whether another section follows it.
    closing_run: (u32, bool),
    run: Option<Run>,
    /// Whether a closing parenthesis had nothing to close.
    has_strays: bool,
    /// The surplus closing parentheses located by the layout.
    extras: Vec<SurplusParenthesis>,
    /// The number of `extras` reached so far.
    extras_met: usize,
    /// The offsets of brackets and braces in place of parentheses, ascending.
    brackets: Vec<u32>,
    /// The first list that exceeds the depth limit, and the number of such lists.
    too_deep: Option<(Span, usize)>,
    reports: DiagnosticSink,
}

impl<'text> Reader<'text> {
    fn new(source: SourceId, text: &'text str) -> Self {
        Self {
            source,
            text,
            lexer: Lexer::new(text, Notation::Program),
            tokens: Vec::with_capacity((text.len() / 2).min(MAX_TOKENS)),
            elements: 0,
            open: Vec::new(),
            inserted: Vec::new(),
            is_define: false,
            balanced: None,
            section: None,
            closing_run: (0, false),
            run: None,
            has_strays: false,
            extras: Vec::new(),
            extras_met: 0,
            brackets: Vec::new(),
            too_deep: None,
            reports: DiagnosticSink::default(),
        }
    }

    fn run(&mut self) {
        while let Some(token) = self.lexer.next() {
            if self.tokens.len() >= MAX_TOKENS {
                self.stop(token);
                break;
            }
            match token.kind {
                TokenKind::LeftParenthesis => self.open_list(token),
                TokenKind::RightParenthesis => self.close_list(token),
                _ => self.leaf(token),
            }
            if matches!(token.kind, TokenKind::LeftParenthesis | TokenKind::RightParenthesis)
                && !matches!(self.text.as_bytes()[token.start as usize], b'(' | b')')
            {
                self.brackets.push(token.start);
            }
        }
        self.finish_run();
        self.report_brackets();
        self.recover(Recovery::End, self.text.len() as u32);
        if let Some((span, count)) = self.too_deep {
            self.reports.add(too_deep(span, count));
        }
    }

    /// Reports that the text from `token` on is not read.
    fn stop(&mut self, token: Token) {
        let message = format!("the text exceeds the limit of {MAX_TOKENS} tokens; the rest is not read");
        self.reports.add(Diagnostic::error(codes::TOO_LARGE, self.span(token.start, token.start), message));
        // The lists still open at this point are not an error of the text.
        self.inserted.extend(std::iter::repeat_n(self.tokens.len() as u32, self.open.len()));
        self.open.clear();
        self.push(TokenKind::Error, token.start);
    }

    fn open_list(&mut self, token: Token) {
        self.finish_run();
        if let Some(recovery) = self.recovery(token, self.open.len()) {
            self.recover(recovery, token.start);
        }
        if self.open.len() == MAX_DEPTH {
            return self.skip_list(token);
        }
        let index = self.tokens.len() as u32;
        match self.open.len() {
            0 => {
                self.is_define = self.define_follows();
                self.balanced = None;
                self.section = None;
            }
            1 => self.section = Some(index),
            _ => {}
        }
        self.open.push(index);
        self.push(token.kind, token.start);
    }

    /// Determines whether the list that starts here, with `depth` lists around it, shows that open lists should have ended.
    fn recovery(&mut self, token: Token, depth: usize) -> Option<Recovery> {
        if self.open.is_empty() {
            return None;
        }
        let indent = line_indent(self.text, token.start)?;
        let is_section = self.is_define && self.open.len() > 1 && self.lexer.keyword_follows();
        if is_section && !self.is_inside_section(indent) && !self.is_balanced(depth) {
            return Some(Recovery::Section);
        }
        (indent == 0 && self.define_follows()).then_some(Recovery::Program)
    }

    /// Whether the open program ends where its parentheses match: before another program or at the end of the text. Then nothing is
    /// missing, whatever the layout. `depth` is the number of lists around the opening parenthesis that has just been read.
    fn is_balanced(&mut self, depth: usize) -> bool {
        if let Some(known) = self.balanced {
            return known;
        }
        // Includes the opening parenthesis that has just been read.
        let mut depth = depth + 1;
        let mut lookahead = self.lexer.clone();
        while depth > 0 {
            let Some(token) = lookahead.next() else { break };
            match token.kind {
                TokenKind::LeftParenthesis
                    if line_indent(self.text, token.start) == Some(0) && definition_follows(&lookahead) =>
                {
                    break;
                }
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => depth -= 1,
                _ => {}
            }
        }
        let next = lookahead.find(|token| !token.kind.is_trivia()).map(|token| token.kind);
        let is_valid_end = next.is_none_or(|next| next == TokenKind::LeftParenthesis && !lookahead.keyword_follows());
        let balanced = depth == 0 && is_valid_end;
        self.balanced = Some(balanced);
        balanced
    }

    fn define_follows(&self) -> bool {
        definition_follows(&self.lexer)
    }

    /// Whether a line of this indentation lies inside the open section: the parts of a section may start with a keyword, too.
    fn is_inside_section(&self, indent: usize) -> bool {
        let start = self.section.map(|section| self.tokens[section as usize].start);
        start.and_then(|start| line_indent(self.text, start)).is_some_and(|own| indent > own)
    }

    /// Ends the lists that should have ended before `at`, and reports them.
    fn recover(&mut self, recovery: Recovery, at: u32) {
        let section_count = usize::from(recovery == Recovery::Section);
        if self.open.len() <= section_count {
            return;
        }
        let section = self.section.filter(|_| self.is_define).map(|section| section as usize);
        let program = self.open[0] as usize;
        let region = Region {
            text: self.text,
            tokens: &self.tokens,
            outer: (section_count == 0 && section.is_some()).then_some(program),
            start: section.unwrap_or(program),
            unclosed: &self.open[section_count..],
        };
        for missing in region.missing() {
            self.inserted.extend(std::iter::repeat_n(missing.before as u32, missing.count));
            self.reports.add(self.unclosed(&missing, recovery, at));
        }
        self.open.truncate(section_count);
    }

    fn unclosed(&self, missing: &MissingParentheses, recovery: Recovery, at: u32) -> Diagnostic {
        let start = self.tokens[missing.open].start;
        let end = self.tokens.get(missing.before).map_or(self.text.len() as u32, |token| token.start);
        let head = self.head(missing.open);
        let message = match missing.count {
            1 => format!("the list `{head}` is never closed"),
            count => format!("{count} missing closing parentheses in the list `{head}`"),
        };
        let diagnostic = Diagnostic::error(codes::UNCLOSED_LIST, self.span(start, start + 1), message)
            .with_label("opened here")
            .with_related(self.span(end, end), "the list probably ends here");
        let diagnostic = match recovery {
            Recovery::Program => diagnostic.with_related(self.span(at, at + 1), "a new program starts here"),
            Recovery::Section => diagnostic.with_related(self.span(at, at + 1), "a new section starts here"),
            Recovery::End => diagnostic,
        };
        let insertion = ")".repeat(missing.count);
        let title = format!("insert `{insertion}`");
        diagnostic.with_fix(Fix::replace(title, Applicability::Unsafe, self.span(end, end), insertion))
    }

    /// Returns the start of a list as messages show it: its parenthesis and, if an atom follows, that atom, truncated.
    fn head(&self, open: usize) -> String {
        const LONGEST: usize = 40;
        let end = |index: usize| self.tokens.get(index + 1).map_or(self.text.len(), |next| next.start as usize);
        match self.tokens.get(open + 1) {
            Some(&Token { kind: TokenKind::Atom(_), start }) => {
                let atom = &self.text[start as usize..end(open + 1)];
                let prefix: String = atom.chars().take(LONGEST).collect();
                let ellipsis = if prefix.len() < atom.len() { "…" } else { "" };
                format!("({prefix}{ellipsis}")
            }
            _ => "(".to_owned(),
        }
    }

    /// Skips a list that exceeds the depth limit, as one error token, up to its end or to the start of a new section or program.
    fn skip_list(&mut self, token: Token) {
        let mut depth = 1_usize;
        while depth > 0 {
            let before = self.lexer.clone();
            let Some(next) = self.lexer.next() else { break };
            match next.kind {
                TokenKind::LeftParenthesis if self.recovery(next, self.open.len() + depth).is_some() => {
                    self.lexer = before;
                    break;
                }
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => depth -= 1,
                _ => {}
            }
        }
        self.push(TokenKind::Error, token.start);
        let span = self.span(token.start, token.start + 1);
        let (first, count) = self.too_deep.unwrap_or((span, 0));
        self.too_deep = Some((first, count + 1));
    }

    fn close_list(&mut self, token: Token) {
        if let Some(&extra) = self.extras.get(self.extras_met).filter(|extra| extra.at == token.start) {
            return self.skip_extra(extra);
        }
        let is_extra = self.open.is_empty() || (self.open.len() == 1 && self.is_define && self.section_follows(token));
        if !is_extra {
            self.open.pop();
            return self.push(token.kind, token.start);
        }
        self.balanced = Some(false);
        self.has_strays = true;
        let end = token.start + 1;
        let run = if let Some(Run::Strays { start, count, .. }) = self.run {
            Run::Strays { start, end, count: count + 1 }
        } else {
            self.finish_run();
            Run::Strays { start: token.start, end, count: 1 }
        };
        self.run = Some(run);
        self.push(TokenKind::Error, token.start);
    }

    /// Reports a surplus closing parenthesis and leaves it out.
    fn skip_extra(&mut self, extra: SurplusParenthesis) {
        self.extras_met += 1;
        self.finish_run();
        let span = self.span(extra.at, extra.at + 1);
        let fix = Fix::replace("delete it", Applicability::Unsafe, span, "");
        let diagnostic = match extra.opened.filter(|_| !self.open.is_empty()) {
            Some(open) => {
                let index = self.tokens.partition_point(|token| token.start < open);
                let message = format!("unexpected `)`: it would close the list `{}`", self.head(index));
                Diagnostic::error(codes::STRAY_PARENTHESIS, span, message)
                    .with_related(self.span(open, open + 1), "by its indentation, this list continues below")
            }
            None => Diagnostic::error(codes::STRAY_PARENTHESIS, span, "unmatched `)`"),
        };
        self.reports.add(diagnostic.with_fix(fix));
        self.push(TokenKind::Error, extra.at);
    }

    /// Whether a section follows the run of closing parentheses that `token` belongs to.
    fn section_follows(&mut self, token: Token) -> bool {
        if token.start >= self.closing_run.0 {
            let mut lookahead = self.lexer.clone();
            let next = lookahead.find(|token| !token.kind.is_trivia() && token.kind != TokenKind::RightParenthesis);
            let follows =
                next.is_some_and(|next| next.kind == TokenKind::LeftParenthesis) && lookahead.keyword_follows();
            self.closing_run = (next.map_or(self.text.len() as u32, |next| next.start), follows);
        }
        self.closing_run.1
    }

    /// Processes an atom, whitespace, a comment or an error token.
    fn leaf(&mut self, token: Token) {
        let end = self.lexer.offset();
        match token.kind {
            TokenKind::Whitespace => {}
            TokenKind::Comment => self.finish_run(),
            TokenKind::Error => self.stray(token.start, end),
            _ if self.open.is_empty() => {
                let run = if let Some(Run::Loose { start, .. }) = self.run {
                    Run::Loose { start, end }
                } else {
                    self.finish_run();
                    Run::Loose { start: token.start, end }
                };
                self.run = Some(run);
            }
            _ => self.finish_run(),
        }
        self.push(token.kind, token.start);
    }

    /// Reports invalid characters, or a string without an end.
    fn stray(&mut self, start: u32, end: u32) {
        self.finish_run();
        let span = self.span(start, end);
        let text = &self.text[start as usize..end as usize];
        let Some(first) = text.chars().next().filter(|&first| first != '"') else {
            let message = "unclosed string: missing `\"` at the end of the line";
            let fix = Fix::replace("insert `\"`", Applicability::Unsafe, self.span(end, end), "\"");
            return self.reports.add(Diagnostic::error(codes::UNCLOSED_STRING, span, message).with_fix(fix));
        };
        let message = format!("unexpected character U+{:04X}", first as u32);
        let fix = Fix::replace("delete it", Applicability::Unsafe, span, "");
        self.reports.add(Diagnostic::error(codes::STRAY_CHARACTER, span, message).with_fix(fix));
    }

    /// Reports all brackets and braces in one diagnostic, with a fix that replaces them by parentheses.
    fn report_brackets(&mut self) {
        let Some(&first) = self.brackets.first() else { return };
        let round = |at: u32| if matches!(self.text.as_bytes()[at as usize], b'[' | b'{') { "(" } else { ")" };
        let edits: Vec<Edit> = self
            .brackets
            .iter()
            .map(|&at| Edit { span: self.span(at, at + 1), replacement: round(at).to_owned() })
            .collect();
        let bracket = &self.text[first as usize..=first as usize];
        let message = format!("expected `{}`, found `{bracket}`", round(first));
        let mut report = Diagnostic::error(codes::WRONG_BRACKET, self.span(first, first + 1), message);
        if edits.len() > 1 {
            report = report
                .with_help(format!("lists are written in parentheses; {} brackets are not parentheses", edits.len()));
        }
        let title = "replace with parentheses".to_owned();
        self.reports.add(report.with_fix(Fix { title, applicability: Applicability::Safe, edits }));
    }

    /// Reports the pending run, if there is one.
    #[inline]
    fn finish_run(&mut self) {
        if let Some(run) = self.run.take() {
            self.report_run(run);
        }
    }

    #[cold]
    fn report_run(&mut self, run: Run) {
        self.reports.add(match run {
            Run::Strays { start, end, count } => self.strays(self.span(start, end), count),
            Run::Loose { start, end } => self.loose(self.span(start, end)),
        });
    }

    fn strays(&self, span: Span, count: usize) -> Diagnostic {
        let title = if count == 1 { "delete it" } else { "delete them" };
        let fix = Fix::replace(title, Applicability::Unsafe, span, "");
        if self.open.is_empty() {
            let message = match count {
                1 => "unmatched `)`".to_owned(),
                _ => format!("{count} unmatched closing parentheses"),
            };
            Diagnostic::error(codes::STRAY_PARENTHESIS, span, message).with_fix(fix)
        } else {
            let message = match count {
                1 => "unexpected `)`: it closes the program, but another section follows",
                _ => "unexpected closing parentheses: they close the program, but another section follows",
            };
            Diagnostic::error(codes::STRAY_PARENTHESIS, span, message)
                .with_help("check for a list above that is closed too early; otherwise, delete the excess parentheses")
                .with_fix(fix)
        }
    }

    fn loose(&self, span: Span) -> Diagnostic {
        let text = &self.text[span.start as usize..span.end as usize];
        let diagnostic = Diagnostic::error(codes::LOOSE_TEXT, span, "unexpected text outside of lists; it is ignored");
        let is_fence = text.starts_with("```") && !text.contains(char::is_whitespace);
        if is_fence {
            diagnostic.with_help("Markdown fences are not part of a program").with_fix(Fix::replace(
                "delete the fence",
                Applicability::Safe,
                span,
                "",
            ))
        } else {
            diagnostic.with_help("begin each line with `;` to make it a comment")
        }
    }

    /// Adds a token; consecutive errors become one token.
    fn push(&mut self, kind: TokenKind, start: u32) {
        let continues = kind == TokenKind::Error && self.tokens.last().is_some_and(|last| last.kind == kind);
        if !continues {
            self.tokens.push(Token { kind, start });
            self.elements += usize::from(kind.is_element());
        }
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.source, start, end)
    }
}

/// Whether the next significant token of a lexer is `define`.
pub(super) fn definition_follows(lexer: &Lexer<'_>) -> bool {
    lexer.peek_significant() == Some((TokenKind::Atom(AtomKind::Symbol), "define"))
}

fn too_deep(span: Span, count: usize) -> Diagnostic {
    let message = format!("lists are nested more than {MAX_DEPTH} levels deep; this one is ignored");
    let diagnostic = Diagnostic::error(codes::TOO_DEEP, span, message);
    match count {
        1 => diagnostic,
        _ => diagnostic.with_help(format!("{} more lists are ignored for the same reason", count - 1)),
    }
}

/// A collector of diagnostics with a maximum number.
#[derive(Default)]
struct DiagnosticSink {
    kept: Vec<Diagnostic>,
    /// The place of the first diagnostic past the limit, and the number of those past it.
    dropped: Option<(Option<Span>, usize)>,
}

impl DiagnosticSink {
    /// Returns the number of diagnostics, those past the limit included.
    fn count(&self) -> usize {
        self.kept.len() + self.dropped.map_or(0, |(_, count)| count)
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() < MAX_SYNTAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
        } else {
            let (first, count) = self.dropped.unwrap_or((diagnostic.span, 0));
            self.dropped = Some((first, count + 1));
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
        if let Some((span, count)) = self.dropped {
            let message = format!("{count} further syntax errors are not shown");
            self.kept.push(Diagnostic { span, ..Diagnostic::new(codes::TOO_MANY_ERRORS, Severity::Error, message) });
        }
        self.kept
    }
}
