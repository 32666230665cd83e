//! Strict parser: s-expression tree to AST.
//!
//! The parser recovers from errors: a malformed part is skipped and reported, and parsing continues with the next one. A single
//! run thus reports every defect, including those that the Python releases silently accept.
//!
//! | module | contents |
//! |---|---|
//! | `parser` | the `Parser`: list forms, names, and the common diagnostics |
//! | `problem` | the sections of a problem |
//! | `condition` | goals, literals and variables |
//! | `libero` | the sections that only LIBERO's problems have |
//! | `domain` | domains: types, predicates and actions |

mod condition;
mod domain;
mod libero;
mod parser;
mod problem;

use goalspec_syntax::sexp::{self, Atom, List, Parse};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span, suggest};

use crate::ast::{ActionModel, Domain, Problem};
use crate::compat::{self, ProblemRequest};
use crate::dialect::{Dialect, ParserKind as Kind, Release};
use crate::symbols::SymbolTable;
use crate::{codes, domains, resolve};
use parser::{Parser, excerpt};
use problem::LIBERO_SECTIONS;

pub(crate) use condition::OPERATORS;

/// The result of parsing a text: problems, domains and diagnostics.
#[derive(Debug, Clone, Default)]
pub struct ParseOutput {
    /// The problems, in source order, without their malformed parts. A missing name is empty.
    pub problems: Vec<Problem>,
    /// The domains, in source order, without their malformed parts.
    pub domains: Vec<Domain>,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text and resolves the names of each problem against its domain, which is one of this text or a built-in one.
///
/// ```
/// use goalspec_bddl::{Dialect, parse};
///
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (problem demo_0) (:domain igibson)
///     (:objects box.n.01_1 - box.n.01)
///     (:init (open box.n.01_1))
///     (:goal (not (opne ?box.n.01_1))))");
/// let parsed = parse::parse(sources.file(id), Dialect::STRICT);
/// assert_eq!(parsed.problems[0].goal.len(), 1);
/// assert_eq!(parsed.diagnostics[0].help, ["did you mean `open`?"]);
/// ```
pub fn parse(source: &SourceFile, dialect: Dialect) -> ParseOutput {
    let ParseOutput { problems, domains, mut diagnostics } = unresolved(source, dialect, &[]);
    let declared: Vec<SymbolTable<'_>> = problems.iter().map(SymbolTable::of).collect();
    resolve(&declared, &domains, dialect, &[], &mut diagnostics);
    ParseOutput { problems, domains, diagnostics }
}

/// Parses a text without resolving names; only the dialects of the releases resolve them while parsing. `domains` are the known
/// domains besides the built-in ones.
pub(crate) fn unresolved(source: &SourceFile, dialect: Dialect, domains: &[Domain]) -> ParseOutput {
    let libero = match dialect.parser {
        Kind::Strict => false,
        Kind::Libero => true,
        Kind::Release(release) => return as_release(source, release, dialect, domains),
    };
    let mut parsed = read(&sexp::parse(source), libero);
    for diagnostic in &mut parsed.diagnostics {
        // A missing part of the text is reported at its beginning.
        diagnostic.span.get_or_insert(Span::new(source.id(), 0, 0));
    }
    parsed
}

/// Resolves the names in the problems and the `own` domains of a text, unless the dialect of a release has already done so.
/// `given` are the known domains besides those and the built-in ones.
pub(crate) fn resolve(
    problems: &[SymbolTable<'_>],
    own: &[Domain],
    dialect: Dialect,
    given: &[Domain],
    diagnostics: &mut Vec<Diagnostic>,
) {
    if dialect.release().is_some() {
        return;
    }
    for declared in problems {
        let known = domains::of_problem(declared.problem, dialect, given.iter().chain(own));
        diagnostics.extend(unknown_domain(declared.problem, known, own));
        diagnostics.append(&mut resolve::declared(declared, known));
    }
    diagnostics.extend(own.iter().flat_map(resolve::domain));
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
}

/// Returns the name of the domain that the problem of a text is written for, or `None` if there is none or the parentheses are
/// unbalanced.
pub fn named_domain(text: &str) -> Option<String> {
    compat::problem::named_domain(text)
}

/// Returns the span of the first section name that only LIBERO's problems have.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (problem demo) (:language close the drawer) (:goal (And (Close drawer_1))))");
/// let section = goalspec_bddl::parse::libero_section(sources.file(id)).unwrap();
/// assert_eq!(sources.file(id).slice(section), ":language");
/// ```
pub fn libero_section(source: &SourceFile) -> Option<Span> {
    let tree = sexp::parse(source);
    let sections = tree.roots().flat_map(|root| root.items().skip(1).filter_map(|part| part.as_list()?.head()));
    let libero = |section: &Atom<'_>| LIBERO_SECTIONS.iter().any(|known| section.text().eq_ignore_ascii_case(known));
    sections.into_iter().find(libero).map(Atom::span)
}

/// Parses a tree without resolving names.
pub(crate) fn read(tree: &Parse, libero: bool) -> ParseOutput {
    let mut reader = Parser::new(libero, tree.tree.text().len());
    let mut parsed = ParseOutput::default();
    for diagnostic in &tree.diagnostics {
        let mut diagnostic = diagnostic.clone();
        let outside = diagnostic.span.is_some_and(|span| {
            tree.roots().all(|root| span.end <= root.span().start || root.span().end <= span.start)
        });
        if diagnostic.code == goalspec_syntax::codes::STRAY_PARENTHESIS && outside {
            // A stray parenthesis after all definitions is harmless.
            diagnostic.severity = Severity::Warning;
        }
        reader.report(diagnostic);
    }
    for root in tree.roots() {
        reader.definition(root, &mut parsed);
    }
    if parsed.problems.is_empty() && parsed.domains.is_empty() && reader.diagnostics.is_empty() {
        let message = "expected a problem or a domain";
        reader.report(Diagnostic::new(codes::NOT_A_DEFINITION, Severity::Error, message));
    }
    ParseOutput { diagnostics: reader.diagnostics, ..parsed }
}

/// Parses an action model: a sequence of actions and rules.
pub(crate) fn action_model(source: &SourceFile) -> (ActionModel, Vec<Diagnostic>) {
    let tree = sexp::parse(source);
    let mut reader = Parser::new(false, source.text().len());
    let mut model = ActionModel::default();
    tree.roots().for_each(|root| reader.model(root, &mut model));
    (model, tree.diagnostics.into_iter().chain(reader.diagnostics).collect())
}

impl Parser {
    fn definition(&mut self, list: List<'_>, parsed: &mut ParseOutput) {
        const EXPECTED: &str = "`(define (problem NAME) ..)`";
        let head = list.head();
        if head.as_ref().is_some_and(|head| head.text().eq_ignore_ascii_case("define")) {
            if defines_domain(list) {
                parsed.domains.push(self.domain(list));
            } else {
                parsed.problems.push(self.problem(list));
            }
            return;
        }
        let Some(head) = head else {
            let message = format!("expected {EXPECTED}");
            return self.report(Diagnostic::error(codes::NOT_A_DEFINITION, list.open_span(), message));
        };
        let message = format!("expected {EXPECTED}, found `({} ..)`", excerpt(head.text()));
        let found = Diagnostic::error(codes::NOT_A_DEFINITION, head.span(), message);
        let (mut found, _) = suggest::with_nearest(found, head.text(), head.span(), ["define"]);
        if problem::SECTIONS.contains(&head.text()) {
            let help = "check for an extra `)` before this section: its problem has already ended";
            found.help.push(help.to_owned());
        }
        self.report(found);
    }
}

/// Whether a `(define ..)` form defines a domain.
fn defines_domain(list: List<'_>) -> bool {
    let heads = || list.items().skip(1).filter_map(|item| item.as_list()?.head());
    let has_head = |word: &str| heads().any(|head| head.text().eq_ignore_ascii_case(word));
    has_head("domain") && !has_head("problem")
}

/// Returns the diagnostic for an unknown domain of a problem.
fn unknown_domain(problem: &Problem, known: Option<&Domain>, own: &[Domain]) -> Option<Diagnostic> {
    let name = problem.domain.as_ref().filter(|_| known.is_none())?;
    let span = name.origin.0?;
    let mut names: Vec<&str> = domains::names().collect();
    names.extend(own.iter().map(|domain| &*domain.name.text));
    let message = format!("unknown domain `{}`, predicates are not checked", excerpt(&name.text));
    let diagnostic = Diagnostic::error(codes::UNKNOWN_DOMAIN, span, message);
    let (diagnostic, has_suggestion) = suggest::with_nearest(diagnostic, &name.text, span, names.iter().copied());
    let diagnostic = if has_suggestion {
        diagnostic
    } else {
        diagnostic.with_help(format!("use a known domain: {}", names.join(", ")))
    };
    let file =
        format!("specify its file, with `(define (domain {}) ..)`, together with the activity", excerpt(&name.text));
    Some(diagnostic.with_help(file))
}

/// Parses a text as a release does: a domain, or a problem together with the domain that it names. Diagnostics have the
/// beginning of the text as their location.
fn as_release(source: &SourceFile, release: Release, dialect: Dialect, domains: &[Domain]) -> ParseOutput {
    let mut parsed = ParseOutput::default();
    let tree = sexp::parse(source);
    let read = if tree.roots().next().is_some_and(defines_domain) {
        parsed.domains = self::read(&tree, false).domains;
        compat::read_domain(source.text(), release, source.name()).map(|domain| domain.printed_lines)
    } else {
        problem_as_release(source, release, dialect, domains).map(
            |compat::CompiledProblem { problem, printed_lines }| {
                parsed.problems.push(problem);
                printed_lines
            },
        )
    };
    let start = Span::new(source.id(), 0, 0);
    let printed_lines = read.unwrap_or_else(|exception| {
        let message = format!("the release raises {exception}");
        parsed.diagnostics.push(Diagnostic::error(codes::RELEASE_EXCEPTION, start, message));
        parsed.domains.clear();
        exception.printed_lines
    });
    let note = |line| {
        let message = format!("the release prints `{line}`");
        Diagnostic { span: Some(start), ..Diagnostic::new(codes::RELEASE_OUTPUT, Severity::Note, message) }
    };
    parsed.diagnostics.extend(printed_lines.into_iter().map(note));
    parsed
}

/// Parses a problem as a release does.
fn problem_as_release(
    source: &SourceFile,
    release: Release,
    dialect: Dialect,
    domains: &[Domain],
) -> Result<compat::CompiledProblem, compat::Exception> {
    let named = compat::problem::named_domain(source.text());
    let own = named.as_deref().and_then(|name| domains::find(name, dialect, domains));
    let vocabulary = own.unwrap_or_else(|| domains::of_release(release));
    let request = ProblemRequest::new(source.name(), &vocabulary.name.text);
    compat::compile_problem(source.text(), release, &request, vocabulary)
}
