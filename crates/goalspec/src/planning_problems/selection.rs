//! The choice of the planning problem of a command among its input files, and messages about unsuitable input.

use std::path::{Path, PathBuf};

use goalspec_syntax::{Diagnostic, SourceId};

use super::is_problem;
use crate::library::Library;
use crate::program::{Program, ProgramContent};

/// The maximum number of problems that a message lists.
const MAX_LISTED: usize = 10;

/// Returns an error message if the file that was chosen as the domain of all problems contains no domain. `problem` is the file
/// in which the problem was expected.
pub fn misplaced_domain(library: &Library, domain: &Path, problem: &Path) -> Option<String> {
    let source = source_of(library, domain)?;
    if has_domain(library, source) {
        return None;
    }
    let contents = describe_contents(library, source)?;
    let (domain, problem) = (domain.display(), problem.display());
    let swapped = source_of(library, Path::new(&problem.to_string()))
        .is_some_and(|other| has_domain(library, other) && held_programs(library, other).next().is_none());
    let help = if swapped {
        format!("pass the domain first: `{problem}` `{domain}`")
    } else {
        format!(
            "pass the domain before `{problem}`, or only the problem if the domain is in the same folder; \
             only one problem per run is supported"
        )
    };
    Some(format!("expected a domain in `{domain}`, found {contents}; {help}"))
}

/// Returns the only planning problem of a library.
///
/// # Errors
/// If there is none, or more than one. The message names `paths` as the places that were searched.
pub fn only_problem<'l>(library: &'l Library, paths: &[PathBuf]) -> Result<&'l Program, Box<Diagnostic>> {
    let problems: Vec<&Program> = library.programs().iter().filter(|program| is_problem(program)).collect();
    match problems[..] {
        [program] => Ok(program),
        [] => Err(Diagnostic::invalid_argument(no_problem_message(library, paths))),
        [first, ..] => {
            let names: Vec<String> =
                problems.iter().take(MAX_LISTED).map(|program| format!("`{}`", program.name)).collect();
            let more = if problems.len() > MAX_LISTED { ", .." } else { "" };
            let hint = if first.name.contains('#') {
                "move the intended one to a separate file"
            } else {
                "select one of them"
            };
            let count = problems.len();
            Err(Diagnostic::invalid_argument(format!(
                "expected one planning problem, found {count}: {}{more}; {hint}",
                names.join(", ")
            )))
        }
    }
}

/// Returns the message that there is no problem, with the contents of the files.
fn no_problem_message(library: &Library, paths: &[PathBuf]) -> String {
    let sources = library.sources().iter().take(MAX_LISTED);
    let known: Vec<String> = sources
        .filter_map(|file| {
            describe_contents(library, file.id()).map(|contents| format!("`{}` contains {contents}", file.name()))
        })
        .collect();
    if known.is_empty() {
        let searched: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return format!("expected one planning problem, found none in {}", searched.join(", "));
    }
    format!("expected one planning problem: {}; pass the file of a problem", known.join(", "))
}

fn source_of(library: &Library, path: &Path) -> Option<SourceId> {
    let name = path.display().to_string();
    library.sources().iter().find(|file| file.name() == name).map(goalspec_syntax::SourceFile::id)
}

fn has_domain(library: &Library, source: SourceId) -> bool {
    library.planning_domains().iter().any(|domain| domain.source == source) || bddl_domain(library, source).is_some()
}

/// Returns the name of the BDDL domain in a text.
fn bddl_domain(library: &Library, source: SourceId) -> Option<&str> {
    let is_in_source = |domain: &&goalspec_bddl::ast::Domain| domain.origin.0.source == source;
    library.bddl_domains().iter().find(is_in_source).map(|domain| &*domain.name.text)
}

fn held_programs(library: &Library, source: SourceId) -> impl Iterator<Item = &Program> {
    library.programs().iter().filter(move |program| program.source == source)
}

/// Describes the contents of a text; `None` if nothing in it could be parsed.
fn describe_contents(library: &Library, source: SourceId) -> Option<String> {
    if let Some(program) = held_programs(library, source).next() {
        return Some(match &program.content {
            ProgramContent::Planning(problem) => format!("the problem `{}`", problem.problem.name.written()),
            ProgramContent::Activity(_) => "an activity".to_owned(),
            _ => "a program of another kind".to_owned(),
        });
    }
    let domain = library.planning_domains().iter().find(|domain| domain.source == source);
    let name = domain.map(|domain| domain.domain.name.written()).or_else(|| bddl_domain(library, source))?;
    Some(format!("the domain `{name}`"))
}
