//! The parser: s-expression tree to AST.
//!
//! Parsing recovers from errors: a form that cannot be parsed is reported and omitted, and parsing continues with the next one.
//!
//! | module | contents |
//! |---|---|
//! | `parser` | parser state, names, numbers, common diagnostics |
//! | `typed` | typed lists, atoms |
//! | `condition` | conditions, constraints, expressions |
//! | `effect` | effects |
//! | `domain` | sections of a domain |
//! | `problem` | sections of a problem |
//! | `goal` | standalone goals |
//! | `plan` | plan files |

mod condition;
mod domain;
mod effect;
mod goal;
mod parser;
mod plan;
mod problem;
mod typed;

use goalspec_syntax::sexp::{self, List, Parse};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span, suggest};

use crate::ast::{Domain, Problem};
use crate::codes;
use parser::Parser;

pub use domain::SECTIONS as DOMAIN_SECTIONS;
pub use goal::goal;
pub(crate) use parser::excerpt;
pub use plan::plan;
pub use problem::SECTIONS as PROBLEM_SECTIONS;

/// The result of parsing a source text.
#[derive(Debug, Clone, Default)]
pub struct ParsedFile {
    /// The domains, in source order, without parts that have errors.
    pub domains: Vec<Domain>,
    /// The problems, in source order, without parts that have errors.
    pub problems: Vec<Problem>,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a source text. Names are not resolved.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo.pddl", "(define (domain lamps)
///     (:predicates (lit ?l))
///     (:action light :parameters (?l) :effect (lit ?l)))");
/// let parsed = goalspec_pddl::parse(sources.file(id));
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.domains[0].actions[0].name.text(), "light");
/// ```
pub fn parse(source: &SourceFile) -> ParsedFile {
    parse_tree(source, &sexp::parse(source))
}

/// Parses a source text with a given tree.
pub fn parse_tree(source: &SourceFile, tree: &Parse) -> ParsedFile {
    let mut reader = Parser::default();
    reader.diagnostics.extend(tree.diagnostics.iter().cloned());
    let mut parsed = ParsedFile::default();
    for root in tree.roots() {
        reader.definition(root, &mut parsed);
    }
    if parsed.problems.is_empty() && parsed.domains.is_empty() && reader.diagnostics.is_empty() {
        let message = "expected a domain or a problem";
        let start = Span::new(source.id(), 0, 0);
        reader.report(Diagnostic {
            span: Some(start),
            ..Diagnostic::new(codes::NOT_A_DEFINITION, Severity::Error, message)
        });
    }
    parsed.diagnostics = reader.diagnostics;
    parsed.diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    parsed
}

impl Parser {
    fn definition(&mut self, list: List<'_>, parsed: &mut ParsedFile) {
        const EXPECTED: &str = "`(define (domain NAME) ..)` or `(define (problem NAME) ..)`";
        let Some(head) = list.head() else {
            let message = format!("expected {EXPECTED}");
            return self.report(Diagnostic::error(codes::NOT_A_DEFINITION, list.open_span(), message));
        };
        if !head.text().eq_ignore_ascii_case("define") {
            let message = format!("expected {EXPECTED}, found `({} ..)`", excerpt(head.text()));
            let mut found = Diagnostic::error(codes::NOT_A_DEFINITION, head.span(), message);
            if head.text().starts_with(':') {
                let help = "the definition of this section is already closed: check for an extra `)` before it";
                found = found.with_help(help);
            }
            return self.report(suggest::with_nearest(found, head.text(), head.span(), ["define"]).0);
        }
        if defines(list, "domain") && !defines(list, "problem") {
            parsed.domains.push(self.domain(list));
        } else {
            parsed.problems.push(self.problem(list));
        }
    }
}

/// Whether a `(define ..)` form contains a list that starts with a word.
fn defines(list: List<'_>, word: &str) -> bool {
    let mut heads = list.items().skip(1).take(3).filter_map(|item| item.as_list()?.head());
    heads.any(|head| head.text().eq_ignore_ascii_case(word))
}
