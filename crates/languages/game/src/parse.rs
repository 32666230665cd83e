//! The parser: builds an AST from an s-expression tree.
//!
//! The grammar is the union of the grammar in the defining text and the grammar of the authors' programs. A part that cannot be
//! parsed is reported and becomes an [`ErrorNode`] of the tree, and parsing continues with the next part, so that one run reports
//! every error.
//!
//! | module | contents |
//! |---|---|
//! | `parser` | list destructuring, names, numbers, common diagnostics |
//! | `condition` | conditions, operands, variables |
//! | `setup` | the setup |
//! | `constraints` | preferences and the operators of `then` |
//! | `score` | terminal conditions and scoring expressions |
//! | `recovery` | error nodes, and the names that the text of one may declare |

mod condition;
mod constraints;
mod parser;
mod recovery;
mod score;
mod setup;

use goalspec_syntax::sexp::{self, List, Parse, Sexp};
use goalspec_syntax::{Diagnostic, SourceFile, Span, suggest};

use crate::ast::{Constraint, ErrorNode, Game, Integrity, Name, Score, SetupStatement, Terminal};
use crate::name_syntax::NameSyntax;
use crate::{codes, keywords, worlds};
use parser::{Form, FormItem, Parser, excerpt};
use recovery::Recoverable;

/// The result of parsing a source text.
#[derive(Debug, Clone, Default)]
pub struct ParseResult {
    /// The games, in source order.
    pub games: Vec<Game>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses the games of a source text.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (game demo) (:domain few-objects-room-v1)
///     (:constraints (preference onBed (exists (?b - ball) (at-end (on bed ?b)))))
///     (:scoring (count onBed)))");
/// let parsed = goalspec_game::parse::parse(sources.file(id));
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(&*parsed.games[0].name.text, "demo");
/// ```
pub fn parse(source: &SourceFile) -> ParseResult {
    parse_tree(&sexp::parse(source))
}

/// Parses the games of an s-expression tree. The result includes the diagnostics of the tree.
pub fn parse_tree(tree: &Parse) -> ParseResult {
    parse_tree_with_names(tree, |_| NameSyntax::Plain)
}

/// Parses the games of an s-expression tree. `spelling` returns the lexical rule of the world with the name given in `:domain`.
pub fn parse_tree_with_names(tree: &Parse, spelling: impl Fn(&str) -> NameSyntax) -> ParseResult {
    let mut parser = Parser::default();
    let mut damage = Damage::default();
    // A stray parenthesis after a complete game is harmless and occurs in published programs.
    for diagnostic in tree.diagnostics_with_stray_warnings() {
        if diagnostic.is_error() {
            damage.add(diagnostic.span);
        }
        parser.report(diagnostic);
    }
    let mut games = Vec::new();
    for list in tree.roots() {
        if !parser.game(list, &spelling, &mut games) {
            damage.add(Some(list.span()));
        }
    }
    damage.mark(&mut games);
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    ParseResult { games, diagnostics }
}

/// The errors of a text that concern its lists as a whole: those of the s-expression layer, and lists that are not games.
#[derive(Default)]
struct Damage {
    /// The spans of the errors.
    spans: Vec<Span>,
    /// Whether an error concerns the whole text.
    is_everywhere: bool,
}

impl Damage {
    fn add(&mut self, span: Option<Span>) {
        match span {
            Some(span) => self.spans.push(span),
            None => self.is_everywhere = true,
        }
    }

    /// Marks the damaged games. If the text contains a single game, errors outside that game count as its own, because the usual
    /// cause is a misplaced parenthesis.
    fn mark(mut self, games: &mut [Game]) {
        self.spans.sort_unstable();
        let is_sole = games.len() == 1;
        for game in games {
            let span = game.span();
            let next = self.spans.partition_point(|error| error.start < span.start);
            let is_inside = self.spans.get(next).is_some_and(|error| error.start < span.end);
            if self.is_everywhere || is_inside || is_sole && !self.spans.is_empty() {
                game.integrity = Integrity::Damaged;
            }
        }
    }
}

/// Returns the name in the `:domain` section of a game.
fn named_domain(list: List<'_>) -> Option<&str> {
    let mut sections = list.items().filter_map(Sexp::as_list);
    let section = sections.find(|section| section.head().is_some_and(|head| head.text() == ":domain"))?;
    Some(section.items().nth(1)?.as_atom()?.text())
}

/// The sections of a game.
#[derive(Default)]
struct Sections<'t> {
    /// The sections, indexed as in [`keywords::SECTIONS`].
    found: [Option<Form<'t>>; 5],
    /// The further sections with these indices, which have been reported.
    duplicates: [Vec<Form<'t>>; 5],
    /// A section with an unknown keyword, which may be the terminal condition.
    unknown: Option<Span>,
    /// The highest index found so far.
    last: usize,
    disordered: bool,
}

impl Parser {
    /// Parses a game and the games inside it, which have been reported. Returns whether the list is a game.
    /// `spelling` returns the lexical rule of a world.
    fn game(&mut self, list: List<'_>, spelling: &dyn Fn(&str) -> NameSyntax, games: &mut Vec<Game>) -> bool {
        let Some(define) = list.head().filter(|head| head.text() == "define") else {
            self.report_other_list(list);
            return false;
        };
        self.spelling = named_domain(list).map_or(NameSyntax::UNKNOWN, spelling);
        let errors_before = self.error_count;
        let mut parts: Vec<FormItem> = list.items().skip(1).map(FormItem::Sexp).collect();
        let is_header =
            |part: &FormItem<'_>| part.as_list().and_then(List::head).is_some_and(|head| !head.text().starts_with(':'));
        let name = if parts.first().is_some_and(is_header) {
            let header = parts.remove(0);
            self.game_name(&header)
        } else {
            self.report(Diagnostic::error(codes::MISSING_PART, define.span(), "`define` requires `(game NAME)`"));
            None
        };
        let mut sections = Sections::default();
        let mut inner = Vec::new();
        for part in &parts {
            if let Some(list) = part.as_list()
                && list.head().is_some_and(|head| head.text() == "define")
            {
                self.report(
                    Diagnostic::error(codes::NOT_A_GAME, list.open_span(), "unexpected game inside a game")
                        .with_related(define.span(), "this game is not closed; a `)` may be missing"),
                );
                inner.push(list);
                continue;
            }
            self.section(part, &mut sections);
        }
        let mut game = self.assemble(name, sections, list, define.span());
        game.integrity = match (inner.is_empty(), self.error_count == errors_before) {
            (false, _) => Integrity::Damaged,
            (true, false) => Integrity::Partial,
            (true, true) => Integrity::Complete,
        };
        games.push(game);
        for list in inner {
            self.game(list, spelling, games);
        }
        true
    }

    /// Reports a top-level list that is not a game.
    fn report_other_list(&mut self, list: List<'_>) {
        const GAME: &str = "`(define (game NAME) ..)`";
        if list.head().is_none() && !list.is_closed() {
            // The missing parenthesis has been reported.
            return;
        }
        let mut diagnostic = Diagnostic::error(codes::NOT_A_GAME, list.open_span(), format!("expected {GAME}"));
        if let Some(head) = list.head() {
            diagnostic = Diagnostic::error(
                codes::NOT_A_GAME,
                head.span(),
                format!("expected {GAME}, found `({} ..)`", excerpt(head.text())),
            );
            diagnostic = suggest::with_nearest(diagnostic, head.text(), head.span(), ["define"]).0;
            if keywords::SECTIONS.contains(&head.text()) {
                diagnostic = diagnostic.with_help(
                    "check for an unmatched `)` before this section: the game that it belongs to has already ended",
                );
            }
        }
        self.report(diagnostic);
    }

    fn game_name(&mut self, header: &FormItem<'_>) -> Option<Name> {
        let mut form = self.part_form(header, "`(game NAME)`")?;
        if form.word != "game" {
            self.unknown_operator(&mut form, &["game"], "`(game NAME)`");
        }
        let part = self.single(&mut form, "a name")?;
        self.identifier(&part, "a game")
    }

    fn section<'t>(&mut self, part: &FormItem<'t>, sections: &mut Sections<'t>) {
        let Some(form) = self.part_form(part, "a section such as `(:scoring ..)`") else { return };
        let Some(index) = keywords::SECTIONS.iter().position(|&section| section == form.word) else {
            let diagnostic = Diagnostic::error(
                codes::UNKNOWN_SECTION,
                form.word_span,
                format!("unknown section `{}`", excerpt(form.word)),
            );
            let (diagnostic, found) = suggest::with_nearest(diagnostic, form.word, form.word_span, keywords::SECTIONS);
            let known = format!("expected one of: {}", keywords::SECTIONS.join(", "));
            sections.unknown = Some(form.span());
            self.report(if found { diagnostic } else { diagnostic.with_help(known) });
            return;
        };
        if let Some(first) = &sections.found[index] {
            let diagnostic = Diagnostic::error(
                codes::DUPLICATE_SECTION,
                form.word_span,
                format!("the section `{}` is defined twice", form.word),
            )
            .with_related(first.word_span, "first defined here");
            self.report(diagnostic);
            sections.duplicates[index].push(form);
            return;
        }
        if index < sections.last && !sections.disordered {
            sections.disordered = true;
            self.report(Diagnostic::note(
                codes::SECTION_ORDER,
                form.word_span,
                format!("`{}` usually precedes `{}`", form.word, keywords::SECTIONS[sections.last]),
            ));
        }
        sections.last = sections.last.max(index);
        sections.found[index] = Some(form);
    }

    fn assemble(&mut self, name: Option<Name>, sections: Sections<'_>, list: List<'_>, define: Span) -> Game {
        let Sections { found: [domain, setup, constraints, terminal, scoring], duplicates, unknown, .. } = sections;
        for (form, section) in [(&domain, ":domain"), (&constraints, ":constraints"), (&scoring, ":scoring")] {
            if form.is_none() {
                let game =
                    name.as_ref().map_or_else(|| "this game".to_owned(), |name| format!("the game `{}`", name.text));
                let message = format!("missing section `({section} ..)` in {game}");
                self.report(Diagnostic::error(codes::MISSING_SECTION, define, message).with_help(example(section)));
            }
        }
        let [domains, setups, more_constraints, terminals, scores] = duplicates;
        let domain = domain.and_then(|form| self.domain(form));
        for form in domains {
            self.domain(form);
        }
        let constraints = match constraints {
            Some(form) => self.constraints_section(form, more_constraints),
            None => vec![Constraint::Error(self.unknown_preferences(define))],
        };
        Game {
            name: name.unwrap_or_else(|| Name::missing(list.open_span())),
            domain: domain.unwrap_or_else(|| Name::missing(list.open_span())),
            setup: setup.map(|form| self.with_duplicates(form, setups, Self::setup_section)),
            constraints,
            terminal: match terminal {
                Some(form) => Some(self.with_duplicates(form, terminals, Self::terminal_section)),
                None => unknown.map(|span| Terminal::Error(ErrorNode::new(span))),
            },
            scoring: match scoring {
                Some(form) => self.with_duplicates(form, scores, Self::scoring_section),
                None => Score::Error(ErrorNode::new(define)),
            },
            integrity: Integrity::Complete,
            unparsed_names: std::mem::take(&mut self.unparsed_names),
            span: list.span().into(),
        }
    }

    /// Parses a section and its duplicates. If there are any, which one is meant is unknown.
    fn with_duplicates<'t, T: Recoverable>(
        &mut self,
        form: Form<'t>,
        duplicates: Vec<Form<'t>>,
        parse: impl Fn(&mut Self, Form<'t>) -> T,
    ) -> T {
        let span = form.span();
        let section = parse(self, form);
        if duplicates.is_empty() {
            return section;
        }
        let others = duplicates.into_iter().map(|form| parse(self, form));
        let parts = std::iter::once(section).chain(others).collect();
        T::error(ErrorNode { parts, ..ErrorNode::new(span) })
    }

    fn domain(&mut self, mut form: Form<'_>) -> Option<Name> {
        let part = self.single(&mut form, "the name of a world")?;
        self.name_of_world(&part)
    }

    fn setup_section(&mut self, mut form: Form<'_>) -> SetupStatement {
        self.reject_extra_parts(&mut form, 1);
        if form.parts.is_empty() {
            self.missing(&mut form, "a statement; remove the section if it is empty");
        }
        let mut statements: Vec<_> = form.parts_and_extra_lists(1).map(|part| self.setup(part)).collect();
        match statements.pop() {
            Some(only) if !form.is_malformed => only,
            last => SetupStatement::Error(self.error(&form, statements.into_iter().chain(last).collect())),
        }
    }

    fn constraints_section(&mut self, mut form: Form<'_>, duplicates: Vec<Form<'_>>) -> Vec<Constraint> {
        self.check_constraint_count(&mut form);
        let mut entries = Vec::new();
        for part in &form.parts {
            self.constraints(part, &mut entries);
        }
        if form.parts.is_empty() {
            entries.push(Constraint::Error(self.unknown_preferences(form.span())));
        }
        for form in duplicates {
            entries.push(self.constraint_error(&form));
            // The preferences of a duplicate are probably copies.
            for part in &form.parts {
                self.constraints(part, &mut Vec::new());
            }
        }
        entries
    }

    fn terminal_section(&mut self, mut form: Form<'_>) -> Terminal {
        if self.single(&mut form, "a condition; remove the section if it is empty").is_none() {
            return Terminal::Error(self.error(&form, Vec::new()));
        }
        let mut conditions: Vec<_> = form.parts_and_extra_lists(1).map(|part| self.terminal(part)).collect();
        match conditions.pop() {
            Some(only) if !form.is_malformed => only,
            last => Terminal::Error(self.error(&form, conditions.into_iter().chain(last).collect())),
        }
    }

    fn check_constraint_count(&mut self, form: &mut Form<'_>) {
        match (form.parts.front(), form.parts.back()) {
            (Some(first), Some(last)) if form.parts.len() > 1 => {
                let span = first.span().to(last.span());
                self.report(
                    Diagnostic::error(codes::EXTRA_PART, span, "expected `(and ..)` around several preferences")
                        .with_fix(parser::wrap("enclose them in `(and ..)`", span, "(and ", ")", true)),
                );
            }
            (None, _) => self.missing(form, "at least one preference"),
            _ => {}
        }
    }

    fn scoring_section(&mut self, mut form: Form<'_>) -> Score {
        if let Some(direction @ ("maximize" | "minimize")) = form.parts.front().and_then(FormItem::atom_text)
            && form.parts.len() > 1
        {
            let span = form.parts[0].span();
            let diagnostic = Diagnostic::error(
                codes::UNEXPECTED,
                span,
                format!("`{direction}` belongs to an older version of the language; scores are always maximized"),
            );
            self.report(if direction == "maximize" {
                diagnostic.with_fix(parser::remove(span))
            } else {
                diagnostic.with_help("negate the score: `(- SCORE)`")
            });
            form.parts.pop_front();
            form.is_malformed = true;
        }
        if self.single(&mut form, "a score").is_none() {
            return Score::Error(self.error(&form, Vec::new()));
        }
        let mut scores: Vec<_> = form.parts_and_extra_lists(1).map(|part| self.score(part)).collect();
        match scores.pop() {
            Some(only) if !form.is_malformed => only,
            last => Score::Error(self.error(&form, scores.into_iter().chain(last).collect())),
        }
    }
}

/// Returns help with an example of a required section.
fn example(section: &str) -> String {
    match section {
        ":domain" => {
            let known: Vec<&str> = worlds::names().collect();
            format!("add `(:domain WORLD)` with the name of a world; built-in worlds: {}", known.join(", "))
        }
        ":constraints" => {
            "add the preferences, such as `(:constraints (preference onBed (exists (?b - ball) (at-end (on bed ?b)))))`"
                .to_owned()
        }
        _ => "add the score, such as `(:scoring (count onBed))`".to_owned(),
    }
}
