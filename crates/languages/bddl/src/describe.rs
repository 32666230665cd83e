//! Descriptions of activities and domains in English.
//!
//! | module | contents |
//! |---|---|
//! | [`release`] | the descriptions of the releases, including their bugs |
//! | `clause` | sentences for conditions |
//! | `domain` | descriptions of domains |
//! | `words` | English morphology: nouns, plurals, phrases for predicates |

mod clause;
mod domain;
pub mod release;
mod words;

use goalspec_syntax::{Diagnostic, SourceFile};

use crate::ast::{Expr, Problem};
use crate::dialect::Dialect;
use crate::parse::release::ProblemRequest;
use clause::SentenceWriter;

pub use domain::domain;

/// Describes a problem of a text: exactly as the release that the dialect reproduces, or, in the other dialects, with [`text`]. The
/// lines that the release prints in the process are not part of the description; [`release::description`] returns them.
///
/// # Errors
/// A diagnostic if the release fails on the text.
pub fn in_dialect(source: &SourceFile, problem: &Problem, dialect: Dialect) -> Result<String, Box<Diagnostic>> {
    let Some(release) = dialect.release() else { return Ok(text(problem, dialect)) };
    let domain = problem.domain.as_ref().map_or("", |domain| &*domain.text);
    let description = release::description(source, release, &ProblemRequest::new(source.name(), domain));
    description.map(|description| description.to_string()).map_err(|exception| Box::new(exception.diagnostic(source)))
}

/// Describes an activity: its objects, its initial state and its goal.
///
/// ```
/// use goalspec_bddl::{Dialect, describe, parse};
///
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(define (problem put_socks_away-0) (:domain omnigibson)
///     (:objects sock.n.01_1 sock.n.01_2 - sock.n.01 hamper.n.02_1 - hamper.n.02)
///     (:init (inroom hamper.n.02_1 bedroom) (ontop sock.n.01_1 hamper.n.02_1))
///     (:goal (forall (?sock.n.01 - sock.n.01) (inside ?sock.n.01 ?hamper.n.02_1))))");
/// let parsed = parse::parse(sources.file(id), Dialect::STRICT);
/// let text = describe::text(&parsed.problems[0], Dialect::STRICT);
/// assert_eq!(text, "put socks away
///
/// Objects: 2 socks and a hamper
///
/// Initial state:
/// - the hamper is in the bedroom
/// - sock 1 is on top of the hamper
///
/// Goal:
/// - every sock is inside the hamper
/// ");
/// ```
pub fn text(problem: &Problem, dialect: Dialect) -> String {
    let mut writer = SentenceWriter::new(problem, dialect);
    let mut lines = vec![words::title(&problem.name.text)];
    if let Some(language) = problem.libero.as_ref().and_then(|libero| libero.language.as_ref()) {
        lines.push(format!("\nInstruction: {}", language.text));
    }
    lines.extend(writer.object_list().map(|objects| format!("\nObjects: {objects}")));
    if !problem.init.is_empty() {
        lines.push("\nInitial state:".to_owned());
        lines.extend(problem.init.iter().map(|literal| format!("- {}", writer.literal(literal))));
    }
    lines.push("\nGoal:\n".to_owned());
    problem.goal.iter().for_each(|condition| writer.lines(condition, 0));
    lines.join("\n") + &writer.finish()
}

/// Describes one condition of a problem as a list: a line that starts with `- `, followed by indented lines for its parts.
pub fn condition(condition: &Expr, problem: &Problem, dialect: Dialect) -> String {
    let mut writer = SentenceWriter::new(problem, dialect);
    writer.lines(condition, 0);
    writer.finish()
}
