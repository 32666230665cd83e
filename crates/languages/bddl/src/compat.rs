//! Texts as the Python releases read them, to the letter of their exceptions.
//!
//! ```text
//! text --list--> List --problem--> Problem (lists of words) --compile--> ast::Expr
//!                  +----domain---> Domain
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`list`] | words and nested lists |
//! | [`problem`](mod@problem) | the sections of a problem, taken from the last to the first |
//! | [`domain`] | domain files |
//! | [`compile`](mod@compile) | lists of words to conditions |
//!
//! Two things differ from the releases. A text whose lists are nested deeper than [`MAX_DEPTH`] is refused with Python's
//! `RecursionError` when it is read; the releases read it, and raise that error when they compile conditions some levels deeper.
//! And initial conditions other than atoms and negated atoms, which the releases compile but no simulator can set up, are
//! refused with a `NotImplementedError`.
//!
//! [`MAX_DEPTH`]: goalspec_syntax::limits::MAX_DEPTH

pub mod compile;
pub mod domain;
pub mod list;
pub mod problem;

use std::fmt;
use std::sync::Arc;

use goalspec_core::condition::Origin;

use crate::ast::{self, Name};
use crate::dialect::Release;

pub use compile::{Scope, compile, goal, init};
pub use domain::{Domain, read_domain};
pub use list::{List, scan};
pub use problem::{Problem, Request, read};

/// What a release raises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// Its class.
    pub kind: ExceptionKind,
    /// Its words: what Python's `str` gives.
    pub message: String,
    /// What had been printed by then, line by line.
    pub printed: Vec<String>,
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
        Self { kind, message: message.into(), printed: Vec::new() }
    }

    fn general(message: impl Into<String>) -> Self {
        Self::new(ExceptionKind::Exception, message)
    }

    /// An index behind the end of a list.
    fn index() -> Self {
        Self::new(ExceptionKind::IndexError, "list index out of range")
    }

    /// Taking from an empty list.
    fn empty() -> Self {
        Self::new(ExceptionKind::IndexError, "pop from empty list")
    }

    /// A list as the key of a dictionary.
    fn unhashable() -> Self {
        Self::new(ExceptionKind::TypeError, "unhashable type: 'list'")
    }

    fn after(self, printed: Vec<String>) -> Self {
        Self { printed, ..self }
    }
}

impl fmt::Display for ExceptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Display for Exception {
    /// As the last line of a traceback: `IndexError: list index out of range`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Exception {}

/// A problem as a release understands it.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The problem; nothing in it has a place.
    pub problem: ast::Problem,
    /// What the release prints, line by line.
    pub printed: Vec<String>,
}

/// Reads and compiles a whole problem as a release does; `vocabulary` is what the simulator's backend offers.
///
/// Instances come in the order in which the release goes through them, each once in its category. A release fails on a
/// problem without initial conditions only if it is asked for them; here such a problem has none.
///
/// # Errors
/// What the release raises: on reading, on compiling the initial conditions, or on compiling the goal, in this order.
pub fn problem(
    text: &str,
    release: Release,
    request: &Request<'_>,
    vocabulary: &ast::Domain,
) -> Result<Compiled, Exception> {
    let read = read(text, request)?;
    let printed = |exception: Exception| exception.after(read.printed.clone());
    let scope = Scope::new(&read, release, vocabulary).map_err(printed)?;
    let init = if read.init.is_empty() { Vec::new() } else { init(&read, &scope).map_err(printed)? };
    let goal = goal(&read, &scope).map_err(printed)?;
    let objects = read.objects.keys().map(|category| ast::ObjectGroup {
        instances: scope.instances(category).map(name).collect(),
        category: Some(name(category)),
        origin: Origin::default(),
    });
    let problem = ast::Problem {
        name: name(&read.name.to_string()),
        domain: Some(name(request.domain)),
        objects: objects.collect(),
        init,
        goal,
        libero: None,
        origin: Origin::default(),
    };
    Ok(Compiled { problem, printed: read.printed })
}

/// A name without a place.
fn name(text: &str) -> Name {
    Name { text: Arc::from(text), origin: Origin::default() }
}
