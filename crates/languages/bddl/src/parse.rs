//! The parser: text to AST, in each dialect.
//!
//! Every text becomes a tree of `goalspec-syntax`, and every node of the AST has its source location. The dialects share the
//! keywords, the typed lists and the AST; they differ in these decisions:
//!
//! | decision | strict, LIBERO | releases | module |
//! |---|---|---|---|
//! | words of a text | [programs](sexp::parse) | [plain lists](goalspec_syntax::sexp::plain), in lower case | [`release::sexpr`] |
//! | defects | all, as diagnostics | the first, as an [exception](crate::exception) | |
//! | order of sections | of the text | from the last to the first | [`release::problem`] |
//! | names | resolved [after parsing](crate::resolve) | resolved while conditions are compiled | [`release::condition`] |
//! | repeated categories | all instances | those of one declaration | [`release::problem`] |
//! | bodies of quantifiers | always parsed | only if there are instances | [`release::condition`] |
//!
//! The two readers are separate implementations, since the decisions leave no traversal to share:
//!
//! - *Control flow.* A release ends with its first exception, and the order of its evaluation decides which one that is: sections from
//!   the last to the first, initial conditions before the goal, the number of operands before the operands. The strict reader visits
//!   every part once, in the order of the text, and continues after an error.
//! - *Values.* In a release, a word is a sequence of letters wherever a list is expected: `(forn 12 ..)` has the number 1. It therefore
//!   reads values of Python ([`release::SExpr`]), which lack the case of words, quotes and unclosed lists, from which the strict reader
//!   makes its messages and fixes.
//! - *Scope.* In a release, the declared instances decide whether the body of a quantifier is compiled at all, so conditions cannot be
//!   read without the objects. The strict reader resolves no names.
//!
//! With one dialect value at these points, every function would consist of two unrelated branches. Domains, where a release only
//! skips what it does not know, have one reader: a release reads them a second time as the strict dialect does.
//!
//! | module | contents |
//! |---|---|
//! | `keywords` | the names of sections, operators and requirements |
//! | `typed_list` | typed lists of names |
//! | `strict` | the strict dialect and LIBERO's |
//! | [`release`] | the dialects of the releases |

mod keywords;
pub mod release;
mod strict;
mod typed_list;

use goalspec_syntax::sexp::{self, Atom};
use goalspec_syntax::{Diagnostic, SourceFile, Span, suggest};
use indexmap::IndexSet;

use crate::ast::{Domain, Problem};
use crate::dialect::{Dialect, ParserKind};
use crate::symbols::SymbolTable;
use crate::{codes, domains, resolve};
use keywords::LiberoSection;
use strict::excerpt;

pub(crate) use keywords::Operator;
pub use keywords::{KeywordTable, TABLES};
pub(crate) use strict::{action_model, read};

/// The result of parsing a text: problems, domains and diagnostics.
#[derive(Debug, Clone, Default)]
pub struct ParseOutput {
    /// The problems, in source order, without their malformed parts. A missing name is empty.
    pub problems: Vec<Problem>,
    /// The domains, in source order, without their malformed parts.
    pub domains: Vec<Domain>,
    /// The diagnostics, in source order. Before names are resolved, those of the s-expression layer come first.
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
        ParserKind::Strict => false,
        ParserKind::Libero => true,
        ParserKind::Release(release) => return release::read(source, release, dialect, domains),
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

/// Returns the names of the domains that the problems of a text are written for, in source order, each once. In the dialect of a
/// release, a text that is not a single list has none.
///
/// ```
/// use goalspec_bddl::{Dialect, parse};
///
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (problem a) (:domain igibson)) (define (problem b) (:domain omnigibson)");
/// assert_eq!(parse::named_domains(sources.file(id), Dialect::STRICT), ["igibson", "omnigibson"]);
/// assert!(parse::named_domains(sources.file(id), Dialect::COMPAT_1_0).is_empty());
/// ```
pub fn named_domains(source: &SourceFile, dialect: Dialect) -> Vec<String> {
    if dialect.release().is_some() {
        let form = release::parse_sexpr(source).ok();
        return form.as_ref().and_then(release::problem::named_domain).map(str::to_owned).into_iter().collect();
    }
    let names: IndexSet<String> = sexp::parse(source).roots().filter_map(strict::named_domain).collect();
    names.into_iter().collect()
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
    let libero = |section: &Atom<'_>| LiberoSection::from_word(&section.text().to_ascii_lowercase()).is_some();
    sections.into_iter().find(libero).map(Atom::span)
}

/// Returns the diagnostic for an unknown domain of a problem.
fn unknown_domain(problem: &Problem, known: Option<&Domain>, own: &[Domain]) -> Option<Diagnostic> {
    let name = problem.domain.as_ref().filter(|_| known.is_none())?;
    let span = name.origin.0;
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
