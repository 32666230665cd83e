//! Parsing and compiling as the Python releases do, with identical exceptions.
//!
//! ```text
//! text --list--> List --problem--> Problem (lists of words) --compile--> ast::Expr
//!                  +----domain---> Domain
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`sexpr`] | tokenizer: words and nested lists |
//! | [`problem`](mod@problem) | parser of problems, which processes sections from the last to the first |
//! | [`domain`] | parser of domain files |
//! | [`compile`](mod@compile) | compiler from lists of words to conditions |
//!
//! Two behaviours differ from the releases. A text whose lists are nested deeper than [`MAX_DEPTH`] is rejected with Python's
//! `RecursionError` when it is parsed; the releases parse it, and raise that error when they compile conditions a few levels
//! deeper. Initial conditions other than atoms and negated atoms, which the releases compile but no simulator can set up, are
//! rejected with a `NotImplementedError`.
//!
//! [`MAX_DEPTH`]: goalspec_syntax::limits::MAX_DEPTH

pub mod compile;
pub mod domain;
pub mod problem;
pub mod sexpr;

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::Origin;

use crate::ast::{self, Name};
use crate::dialect::Release;

pub use compile::{Scope, compile, goal, init};
pub use domain::{Domain, read_domain};
pub use problem::{Problem, ProblemRequest, read_problem};
pub use sexpr::{SExpr, parse_sexpr};

/// An exception that a release raises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The class of the exception.
    pub kind: ExceptionKind,
    /// The message, as Python's `str` returns it.
    pub message: String,
    /// The lines that were printed before the exception was raised.
    pub printed_lines: Vec<String>,
}

/// The class of an [`Exception`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are Python's")]
pub enum ExceptionKind {
    Exception,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    RecursionError,
    TypeError,
    UncontrolledCategoryError,
    UnsupportedPredicateError,
    ValueError,
}

impl Exception {
    pub(crate) fn new(kind: ExceptionKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), printed_lines: Vec::new() }
    }

    fn general(message: impl Into<String>) -> Self {
        Self::new(ExceptionKind::Exception, message)
    }

    /// Creates the exception for an index out of range.
    fn index() -> Self {
        Self::new(ExceptionKind::IndexError, "list index out of range")
    }

    /// Creates the exception for popping from an empty list.
    fn empty() -> Self {
        Self::new(ExceptionKind::IndexError, "pop from empty list")
    }

    /// Creates the exception for a list as a dictionary key.
    fn unhashable() -> Self {
        Self::new(ExceptionKind::TypeError, "unhashable type: 'list'")
    }

    fn after(self, printed: Vec<String>) -> Self {
        Self { printed_lines: printed, ..self }
    }
}

impl fmt::Display for ExceptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Display for Exception {
    /// Formats the exception as the last line of a traceback: `IndexError: list index out of range`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Exception {}

/// A problem as a release compiles it.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledProblem {
    /// The problem. Its nodes have no source locations.
    pub problem: ast::Problem,
    /// The lines that the release prints.
    pub printed_lines: Vec<String>,
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
    text: &str,
    release: Release,
    request: &ProblemRequest<'_>,
    vocabulary: &ast::Domain,
) -> Result<CompiledProblem, Exception> {
    let parsed = read_problem(text, request)?;
    let printed = |exception: Exception| exception.after(parsed.printed_lines.clone());
    let scope = Scope::new(&parsed, release, vocabulary).map_err(printed)?;
    let init = if parsed.init.is_empty() { Vec::new() } else { init(&parsed, &scope).map_err(printed)? };
    let goal = goal(&parsed, &scope).map_err(printed)?;
    let objects = parsed.objects.keys().map(|category| ast::ObjectGroup {
        instances: scope.instances(category).map(name).collect(),
        category: Some(name(category)),
        origin: Origin::default(),
    });
    let problem = ast::Problem {
        name: name(&parsed.name.to_string()),
        domain: Some(name(request.domain)),
        objects: objects.collect(),
        init,
        goal,
        libero: None,
        origin: Origin::default(),
    };
    Ok(CompiledProblem { problem, printed_lines: parsed.printed_lines })
}

/// Creates a name without a source location.
fn name(text: &str) -> Name {
    Name { text: Arc::from(text), origin: Origin::default() }
}
