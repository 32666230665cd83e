//! The dialects of the Python releases: parsing and compiling as they do, with identical exceptions.
//!
//! ```text
//! text --sexpr--> SExpr --problem--> Problem (lists of words) --condition--> ast::Expr
//!                   +-----domain---> Domain
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`sexpr`] | words and nested lists, from a tree of [plain lists](goalspec_syntax::sexp::plain) |
//! | [`problem`](mod@problem) | parser of problems, which processes sections from the last to the first |
//! | [`domain`] | parser of domain files |
//! | [`condition`] | compiler from lists of words to conditions |
//!
//! Two behaviours differ from the releases. A text whose lists are nested deeper than [`MAX_DEPTH`] is rejected with Python's
//! `RecursionError` when it is parsed; the releases parse it, and raise that error when they compile conditions a few levels
//! deeper. Initial conditions other than atoms and negated atoms, which the releases compile but no simulator can set up, are
//! rejected with a `NotImplementedError`.
//!
//! [`MAX_DEPTH`]: goalspec_syntax::limits::MAX_DEPTH

pub mod condition;
pub mod domain;
pub mod problem;
pub mod sexpr;

use std::sync::Arc;

use goalspec_core::condition::Origin;
use goalspec_syntax::{SourceFile, Span, sexp};

use super::ParseOutput;
use super::strict;
use crate::ast::{self, Name};
use crate::dialect::{Dialect, Release};
use crate::domains;
use crate::exception::{Exception, PrintedLine};

pub use condition::{Scope, compile, goal, init};
pub use domain::{Domain, read_domain};
pub use problem::{Problem, ProblemRequest, read_problem};
pub use sexpr::{SExpr, parse_sexpr};

/// A problem as a release compiles it.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledProblem {
    /// The problem.
    pub problem: ast::Problem,
    /// The lines that the release prints.
    pub printed_lines: Vec<PrintedLine>,
}

/// Parses and compiles a whole problem as a release does; `vocabulary` is the set of predicates that the simulator backend
/// supports.
///
/// Instances are in the order in which the release iterates over them, each once in its category. A release fails on a problem
/// without initial conditions only when these are requested; here such a problem has none.
///
/// # Errors
/// The exception that the release raises on parsing, on compiling the initial conditions, or on compiling the goal, in this
/// order.
pub fn compile_problem(
    source: &SourceFile,
    release: Release,
    request: &ProblemRequest<'_>,
    vocabulary: &ast::Domain,
) -> Result<CompiledProblem, Exception> {
    let parsed = read_problem(source, request)?;
    let printed = |exception: Exception| exception.after(parsed.printed_lines.clone());
    let scope = Scope::new(&parsed, release, vocabulary).map_err(printed)?;
    let init = if parsed.init.is_empty() { Vec::new() } else { init(&parsed, &scope).map_err(printed)? };
    let goal = goal(&parsed, &scope).map_err(printed)?;
    let objects = parsed.objects.iter().map(|(category, declared)| ast::ObjectGroup {
        instances: scope.instances(category).map(|(instance, span)| name(instance, span)).collect(),
        category: Some(name(category, declared.category)),
        origin: declared.span().into(),
    });
    let problem = ast::Problem {
        name: name(&parsed.name.to_string(), parsed.name.span()),
        domain: Some(name(request.domain, parsed.domain.as_ref().map_or(parsed.head, SExpr::span))),
        objects: objects.collect(),
        init,
        goal,
        libero: None,
        origin: parsed.span.into(),
    };
    Ok(CompiledProblem { problem, printed_lines: parsed.printed_lines })
}

fn name(text: &str, span: Span) -> Name {
    Name { text: Arc::from(text), origin: Origin::from(span) }
}

/// Parses a text as a release does: a domain, or a problem together with the domain that it names. `domains` are the known
/// domains besides the built-in ones.
pub(super) fn read(source: &SourceFile, release: Release, dialect: Dialect, domains: &[ast::Domain]) -> ParseOutput {
    let mut parsed = ParseOutput::default();
    let tree = sexp::parse(source);
    let printed_lines = if tree.roots().next().is_some_and(strict::defines_domain) {
        // The releases hardly use the domains that they parse, so these have no AST of their own.
        parsed.domains = strict::read(&tree, false).domains;
        read_domain(source, release, source.name()).map(|domain| domain.printed_lines)
    } else {
        problem_with_domain(source, release, dialect, domains).map(|compiled| {
            parsed.problems.push(compiled.problem);
            compiled.printed_lines
        })
    };
    let printed_lines = printed_lines.unwrap_or_else(|exception| {
        parsed.diagnostics.push(exception.diagnostic(source));
        parsed.domains.clear();
        exception.printed_lines
    });
    parsed.diagnostics.extend(printed_lines.iter().map(PrintedLine::diagnostic));
    parsed.diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
    parsed
}

/// Parses a problem together with the domain that it names, or else that of the release.
fn problem_with_domain(
    source: &SourceFile,
    release: Release,
    dialect: Dialect,
    domains: &[ast::Domain],
) -> Result<CompiledProblem, Exception> {
    let named = problem::named_domain(source);
    let own = named.as_deref().and_then(|name| domains::find(name, dialect, domains));
    let vocabulary = own.unwrap_or_else(|| domains::of_release(release));
    let request = ProblemRequest::new(source.name(), &vocabulary.name.text);
    compile_problem(source, release, &request, vocabulary)
}
