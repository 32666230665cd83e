//! The choice of the planning problem of a command among its input files, and messages about unsuitable input.

use std::path::Path;

use goalspec_syntax::{Diagnostic, SourceId};

use super::is_problem;
use crate::library::Library;
use crate::program::{Program, ProgramContent};

/// The maximum number of problems that a message lists.
const MAX_LISTED: usize = 10;

/// The choice of the planning problem of a library.
#[derive(Debug)]
pub struct ProblemSelection<'l> {
    /// The problem, or the error that there is none, or more than one.
    pub program: Result<&'l Program, Box<Diagnostic>>,
    /// The findings about the texts, and the features of the problem that planning does not support. None if there are several
    /// problems, since they would be about all of them.
    pub findings: Vec<Diagnostic>,
    /// The name of the text with the domain, if no domain was chosen and the domain is neither in the text of the problem nor in one
    /// with the usual name.
    pub found_domain: Option<&'l str>,
}

/// Selects the only planning problem of a library. `searched` are the names of the texts or folders that were loaded, which messages
/// name; the last one is that of the problem.
///
/// # Errors
/// If the text that [`LibraryOptions::planning_domain`](crate::library::LibraryOptions::planning_domain) names contains no domain.
pub fn select_problem<'l>(library: &'l Library, searched: &[String]) -> Result<ProblemSelection<'l>, Box<Diagnostic>> {
    let domain = library.chosen_planning_domain();
    if let (Some(domain), Some(problem)) = (domain, searched.last())
        && let Some(message) = misplaced_domain(library, domain, problem)
    {
        return Err(Diagnostic::invalid_argument(message));
    }
    let problems: Vec<&Program> = library.programs().iter().filter(|program| is_problem(program)).collect();
    let mut findings = Vec::new();
    if problems.len() < 2 {
        let unsupported = problems.iter().filter_map(|program| program.as_planning());
        let unsupported = unsupported.flat_map(|problem| &problem.unsupported);
        findings = library.diagnostics().iter().chain(unsupported).cloned().collect();
    }
    let program = only_problem(library, &problems, searched);
    let found_domain = program.as_ref().ok().filter(|_| domain.is_none()).and_then(|program| unusual_domain(program));
    Ok(ProblemSelection { program, findings, found_domain })
}

/// Returns the name of the text with the domain of a problem, unless it is that of the problem or has the usual name.
fn unusual_domain(program: &Program) -> Option<&str> {
    let domain = program.as_planning()?.domain.as_ref()?;
    let has_usual_name = Path::new(&*domain.file).file_name().is_some_and(|name| name == "domain.pddl");
    (domain.source != program.source && !has_usual_name).then_some(&*domain.file)
}

/// Returns an error message if the text that was chosen as the domain of all problems contains no domain. `problem` is the name of the
/// text in which the problem was expected.
fn misplaced_domain(library: &Library, domain: &str, problem: &str) -> Option<String> {
    let source = source_of(library, domain)?;
    if has_domain(library, source) {
        return None;
    }
    let contents = describe_contents(library, source)?;
    let swapped = source_of(library, problem)
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

/// Returns the only one of the planning problems of a library.
fn only_problem<'l>(
    library: &Library,
    problems: &[&'l Program],
    searched: &[String],
) -> Result<&'l Program, Box<Diagnostic>> {
    match problems {
        [program] => Ok(program),
        [] => Err(Diagnostic::invalid_argument(no_problem_message(library, searched))),
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
fn no_problem_message(library: &Library, searched: &[String]) -> String {
    let sources = library.sources().iter().take(MAX_LISTED);
    let known: Vec<String> = sources
        .filter_map(|file| {
            describe_contents(library, file.id()).map(|contents| format!("`{}` contains {contents}", file.name()))
        })
        .collect();
    if known.is_empty() {
        let searched: Vec<String> = searched.iter().map(|name| format!("`{name}`")).collect();
        return format!("expected one planning problem, found none in {}", searched.join(", "));
    }
    format!("expected one planning problem: {}; pass the file of a problem", known.join(", "))
}

fn source_of(library: &Library, name: &str) -> Option<SourceId> {
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
