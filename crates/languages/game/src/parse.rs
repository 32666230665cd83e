//! The parser: builds an AST from an s-expression tree.
//!
//! The grammar is the union of the grammar in the defining text and the grammar of the authors' programs. A part that cannot be
//! parsed is dropped and reported, and parsing continues with the next part, so that one run reports every error.
//!
//! | module | contents |
//! |---|---|
//! | `parser` | list destructuring, names, numbers, common diagnostics |
//! | `condition` | conditions, operands, variables |
//! | `setup` | the setup |
//! | `constraints` | preferences and the operators of `then` |
//! | `score` | terminal conditions and scoring expressions |

mod condition;
mod constraints;
mod parser;
mod score;
mod setup;

use goalspec_syntax::sexp::{self, List, Parse, Sexp};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span, suggest};

use crate::ast::{Game, Name, SetupStatement};
use crate::name_syntax::NameSyntax;
use crate::{codes, keywords, worlds};
use parser::{Form, FormItem, Parser, excerpt};

/// The result of parsing a source text.
#[derive(Debug, Clone, Default)]
pub struct ParseResult {
    /// The games, in source order. Parts that could not be parsed are absent; a missing name is empty.
    pub games: Vec<Game>,
    /// All diagnostics, in source order. A game with an error inside its span must not be run.
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
    let mut reader = Parser::default();
    let roots: Vec<Span> =
        if tree.diagnostics.is_empty() { Vec::new() } else { tree.roots().map(List::span).collect() };
    for diagnostic in &tree.diagnostics {
        let mut diagnostic = diagnostic.clone();
        let outside = diagnostic.span.is_some_and(|span| {
            let next = roots.partition_point(|root| root.end <= span.start);
            roots.get(next).is_none_or(|root| span.end <= root.start)
        });
        if diagnostic.code == goalspec_syntax::codes::STRAY_PARENTHESIS && outside {
            // A stray parenthesis after a complete game is harmless and occurs in published programs.
            diagnostic.severity = Severity::Warning;
        }
        reader.report(diagnostic);
    }
    let mut games = Vec::new();
    for list in tree.roots() {
        reader.spelling = named_domain(list).map_or(NameSyntax::UNKNOWN, &spelling);
        reader.game(list, &mut games);
    }
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    ParseResult { games, diagnostics }
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
    /// The highest index found so far.
    last: usize,
    disordered: bool,
}

impl Parser {
    fn game(&mut self, list: List<'_>, games: &mut Vec<Game>) {
        const GAME: &str = "`(define (game NAME) ..)`";
        let define = list.head().filter(|head| head.text() == "define");
        let Some(define) = define else {
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
            return;
        };
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
        let game = self.assemble(name, sections, list, define.span());
        games.push(game);
        for list in inner {
            self.game(list, games);
        }
    }

    fn game_name(&mut self, header: &FormItem<'_>) -> Option<Name> {
        let form = self.part_form(header, "`(game NAME)`")?;
        if form.word != "game" {
            self.unknown_operator(&form, &["game"], "`(game NAME)`");
        }
        let part = self.single(&form, "a name")?;
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
            self.report_errors_in_section(index, &form);
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

    /// Parses an unused section in order to report its errors.
    fn report_errors_in_section(&mut self, index: usize, form: &Form<'_>) {
        for part in &form.parts {
            match index {
                0 => drop(self.name_of_world(part)),
                1 => drop(self.setup(part)),
                2 => self.constraints(part, &mut Vec::new()),
                3 => drop(self.terminal(part)),
                _ => drop(self.score(part)),
            }
        }
    }

    fn assemble(&mut self, name: Option<Name>, sections: Sections<'_>, list: List<'_>, define: Span) -> Game {
        let [domain, setup, constraints, terminal, scoring] = sections.found;
        for (form, section) in [(&domain, ":domain"), (&constraints, ":constraints"), (&scoring, ":scoring")] {
            if form.is_none() {
                let game =
                    name.as_ref().map_or_else(|| "this game".to_owned(), |name| format!("the game `{}`", name.text));
                let message = format!("missing section `({section} ..)` in {game}");
                self.report(Diagnostic::error(codes::MISSING_SECTION, define, message).with_help(example(section)));
            }
        }
        let domain = domain.and_then(|form| {
            let part = self.single(&form, "the name of a world")?;
            self.name_of_world(&part)
        });
        let setup = setup.and_then(|form| {
            self.reject_extra_parts(&form, 1);
            if form.parts.is_empty() {
                self.missing(&form, "a statement; remove the section if it is empty");
            }
            let mut statements: Vec<_> = form.parts.iter().filter_map(|part| self.setup(part)).collect();
            match statements.len() {
                0 | 1 => statements.pop(),
                _ => Some(SetupStatement::And(statements, form.span().into())),
            }
        });
        let constraints = constraints.map_or_else(Vec::new, |form| {
            self.check_constraint_count(&form);
            let mut entries = Vec::new();
            for part in &form.parts {
                self.constraints(part, &mut entries);
            }
            entries
        });
        let terminal = terminal.and_then(|form| {
            let part = self.single(&form, "a condition; remove the section if it is empty")?;
            for extra in form.parts.iter().skip(1) {
                self.terminal(extra);
            }
            self.terminal(&part)
        });
        let scoring = scoring.and_then(|form| self.scoring(form));
        let missing = |reader: &mut Self| reader.name("", list.open_span());
        let name = name.unwrap_or_else(|| missing(self));
        let domain = domain.unwrap_or_else(|| missing(self));
        Game { name, domain, setup, constraints, terminal, scoring, origin: list.span().into() }
    }

    fn check_constraint_count(&mut self, form: &Form<'_>) {
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

    fn scoring(&mut self, mut form: Form<'_>) -> Option<crate::ast::Score> {
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
        }
        let part = self.single(&form, "a score")?;
        for extra in form.parts.iter().skip(1) {
            self.score(extra);
        }
        self.score(&part)
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
