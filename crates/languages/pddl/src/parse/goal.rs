//! Parser of standalone goals.

use goalspec_syntax::sexp::{self, List, Sexp};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};

use super::parser::Parser;
use crate::ast::Formula;
use crate::codes;

/// Parses a standalone goal: a condition on states, on sequences of states, or on both. It may use the operators of `LTLf` in
/// addition to those of PDDL. Names are not resolved.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("<goal>", "(and (on a b) (until (clear c) (holding a)))");
/// let (formula, diagnostics) = goalspec_pddl::parse::goal(sources.file(id));
/// assert!(formula.is_some() && diagnostics.is_empty());
/// ```
pub fn goal(source: &SourceFile) -> (Option<Formula>, Vec<Diagnostic>) {
    let tree = sexp::parse(source);
    let mut reader = Parser::default();
    reader.accepts_ltlf = true;
    reader.diagnostics.extend(tree.diagnostics.iter().cloned());
    let roots: Vec<List<'_>> = tree.roots().collect();
    if let [_, next, ..] = roots[..] {
        let end = roots.last().map_or(next.span(), |last| last.span());
        let message = "expected one condition, found another one";
        let found = Diagnostic::error(codes::EXTRA_PART, next.span().to(end), message);
        reader.report(found.with_help("combine them with `(and .. ..)`"));
    }
    let formula = roots.first().and_then(|first| reader.formula(&Sexp::List(*first)));
    if roots.is_empty() && reader.diagnostics.is_empty() {
        let message = "expected a condition such as `(on a b)`";
        let span = Some(Span::new(source.id(), 0, 0));
        reader.report(Diagnostic { span, ..Diagnostic::new(codes::UNEXPECTED, Severity::Error, message) });
    }
    let whole = !reader.diagnostics.iter().any(Diagnostic::is_error);
    (formula.filter(|_| whole), reader.diagnostics)
}
