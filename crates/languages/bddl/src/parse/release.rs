//! The dialects of the Python releases: parsing and compiling as they do, with identical exceptions.
//!
//! ```text
//! text --sexpr--> SExpr --problem--> ReleaseProblem (lists of words) --condition--> ast::Expr
//!                   +-----domain---> ReleaseDomain
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
//! rejected with a `NotImplementedError`, as are lists as arguments of `inroom`.
//!
//! [`MAX_DEPTH`]: goalspec_syntax::limits::MAX_DEPTH

pub mod condition;
pub mod domain;
pub mod problem;
pub mod sexpr;

use std::sync::Arc;

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span, sexp};

use super::ParseOutput;
use super::strict;
use crate::ast::{self, Name};
use crate::dialect::{Dialect, Release};
use crate::exception::{Exception, PrintedLine};
use crate::{codes, domains};

pub use condition::{ReleaseScope, compile, goal, init};
pub use domain::{ReleaseDomain, read_domain};
pub use problem::{ProblemRequest, ReleaseProblem, read_problem};
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
    compile_form(parse_sexpr(source)?, release, request, vocabulary)
}

/// Compiles the form of a problem.
fn compile_form(
    form: SExpr,
    release: Release,
    request: &ProblemRequest<'_>,
    vocabulary: &ast::Domain,
) -> Result<CompiledProblem, Exception> {
    let parsed = problem::problem_of(form, request)?;
    let printed = |exception: Exception| exception.with_printed_lines(parsed.printed_lines.clone());
    let scope = ReleaseScope::new(&parsed, release, vocabulary).map_err(printed)?;
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
    Name { text: Arc::from(text), origin: span.into() }
}

/// Parses a text as a release does: a domain, or a problem together with the domain that it names. `domains` are the known
/// domains besides the built-in ones.
pub(super) fn read(source: &SourceFile, release: Release, dialect: Dialect, domains: &[ast::Domain]) -> ParseOutput {
    let mut parsed = ParseOutput::default();
    let printed_lines = parse_sexpr(source).and_then(|form| {
        if domain::defines_domain(&form) {
            let domain = domain::domain_of(form, release, source.name())?;
            domain_ast(source, &mut parsed);
            return Ok(domain.printed_lines);
        }
        let compiled = problem_with_domain(source, form, release, dialect, domains)?;
        parsed.problems.push(compiled.problem);
        Ok(compiled.printed_lines)
    });
    let printed_lines = printed_lines.unwrap_or_else(|exception| {
        parsed.diagnostics.push(exception.diagnostic(source));
        exception.printed_lines
    });
    parsed.diagnostics.extend(printed_lines.iter().map(PrintedLine::diagnostic));
    parsed.diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
    parsed
}

/// Adds the AST of a domain, as the strict dialect reads it: the releases hardly use the domains that they parse. What the strict
/// dialect rejects is noted, except unknown sections, which the release prints.
fn domain_ast(source: &SourceFile, parsed: &mut ParseOutput) {
    let read = strict::read(&sexp::parse(source), false);
    parsed.domains = read.domains;
    let rejected =
        read.diagnostics.into_iter().filter(|found| found.is_error() && found.code != codes::UNKNOWN_SECTION);
    parsed.diagnostics.extend(rejected.map(|found| {
        let help = "the release accepts this; the predicates and actions are used as the strict dialect reads them";
        Diagnostic { severity: Severity::Note, ..found }.with_help(help)
    }));
}

/// Compiles the form of a problem with the domain that it names, or else that of the release.
fn problem_with_domain(
    source: &SourceFile,
    form: SExpr,
    release: Release,
    dialect: Dialect,
    domains: &[ast::Domain],
) -> Result<CompiledProblem, Exception> {
    let own = problem::named_domain(&form).and_then(|name| domains::find(name, dialect, domains));
    let vocabulary = own.unwrap_or_else(|| domains::of_release(release));
    let request = ProblemRequest::new(source.name(), &vocabulary.name.text);
    compile_form(form, release, &request, vocabulary)
}
