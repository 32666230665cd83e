//! The strict dialect and LIBERO's: s-expression tree to AST, with a diagnostic for every defect.
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

use goalspec_syntax::sexp::{self, List, Parse, Sexp};
use goalspec_syntax::{Diagnostic, Severity, SourceFile, suggest};

use super::ParseOutput;
use super::keywords::ProblemSection;
use crate::ast::ActionModel;
use crate::codes;
use parser::Parser;

pub(super) use parser::excerpt;

/// Parses a tree without resolving names.
pub(crate) fn read(tree: &Parse, libero: bool) -> ParseOutput {
    let mut parser = Parser::new(libero, tree.tree.text().len());
    let mut parsed = ParseOutput::default();
    // A stray parenthesis between or after definitions is harmless.
    tree.diagnostics_with_stray_warnings().for_each(|diagnostic| parser.report(diagnostic));
    for root in tree.roots() {
        parser.definition(root, &mut parsed);
    }
    if parsed.problems.is_empty() && parsed.domains.is_empty() && parser.diagnostics.is_empty() {
        let message = "expected a problem or a domain";
        parser.report(Diagnostic::new(codes::NOT_A_DEFINITION, Severity::Error, message));
    }
    ParseOutput { diagnostics: parser.diagnostics, ..parsed }
}

/// Parses an action model: a sequence of actions and rules.
pub(crate) fn action_model(source: &SourceFile) -> (ActionModel, Vec<Diagnostic>) {
    let tree = sexp::parse(source);
    let mut parser = Parser::new(false, source.text().len());
    let mut model = ActionModel::default();
    tree.roots().for_each(|root| parser.model(root, &mut model));
    (model, tree.diagnostics.into_iter().chain(parser.diagnostics).collect())
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
        if ProblemSection::from_word(head.text()).is_some() {
            let help = "check for an extra `)` before this section: its problem has already ended";
            found.help.push(help.to_owned());
        }
        self.report(found);
    }
}

/// Returns the name of the domain that a `(define ..)` form is written for.
pub(super) fn named_domain(list: List<'_>) -> Option<String> {
    list.head().filter(|head| head.text().eq_ignore_ascii_case("define"))?;
    let is_domain = |section: &List<'_>| {
        let word = section.head().map(|head| head.text().to_ascii_lowercase());
        word.as_deref().and_then(ProblemSection::from_word) == Some(ProblemSection::Domain)
    };
    let section = list.items().skip(1).filter_map(Sexp::as_list).find(is_domain)?;
    let name = section.items().skip(1).last()?.as_atom()?;
    Some(parser::undecorated(name.text()).to_lowercase())
}

/// Whether a `(define ..)` form defines a domain.
fn defines_domain(list: List<'_>) -> bool {
    let heads = || list.items().skip(1).filter_map(|item| item.as_list()?.head());
    let has_head = |word: &str| heads().any(|head| head.text().eq_ignore_ascii_case(word));
    has_head("domain") && !has_head("problem")
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::Sources;

    use super::*;

    #[test]
    fn action_models_consist_of_actions_and_rules() {
        let mut sources = Sources::new();
        let id = sources.add("demo", "(:derived (near ?a ?b) (ontop ?a ?b)) (:rule (near ?a ?b) (inside ?a ?b))");
        let (model, found) = action_model(sources.file(id));
        assert_eq!((model.actions.len(), model.rules.len()), (0, 1));
        assert_eq!(
            found[0].message,
            "expected `(:action ..)`, `(:derived ..)`, `(:fact ..)` or `(:without ..)`, found `(:rule ..)`"
        );
    }
}
