//! The one problem that a command is about, among the files that it was given, or what these are instead.

use std::path::{Path, PathBuf};

use goalspec_syntax::SourceId;

use crate::library::Library;
use crate::program::{Content, Program};

/// Most problems that a message lists.
const LISTED: usize = 10;

/// What is wrong with the file that was chosen as the domain of all problems: that it holds something else. `problem` is the file that the
/// problem was looked for in.
pub fn misplaced(library: &Library, domain: &Path, problem: &Path) -> Option<String> {
    let source = source_of(library, domain)?;
    if has_domain(library, source) {
        return None;
    }
    let what = held(library, source)?;
    let (domain, problem) = (domain.display(), problem.display());
    let swapped = source_of(library, Path::new(&problem.to_string()))
        .is_some_and(|other| has_domain(library, other) && held_programs(library, other).next().is_none());
    let help = if swapped {
        format!("the domain comes first: `{problem}` `{domain}`")
    } else {
        format!(
            "a domain is missing: in front of `{problem}` comes the file of its domain, or nothing if that lies beside it; \
             plans are made for one problem at a time"
        )
    };
    Some(format!("`{domain}` was given as the domain, and holds {what}; {help}"))
}

/// The one problem among the programs of which `is_posed` says that they are problems.
///
/// # Errors
/// If there is none, or more than one; `paths` are where they were looked for.
pub fn only<'l>(
    library: &'l Library,
    is_posed: impl Fn(&Program) -> bool,
    paths: &[PathBuf],
) -> Result<&'l Program, String> {
    let problems: Vec<&Program> = library.programs().iter().filter(|program| is_posed(program)).collect();
    match problems[..] {
        [program] => Ok(program),
        [] => Err(none(library, paths)),
        [first, ..] => {
            let names: Vec<String> =
                problems.iter().take(LISTED).map(|program| format!("`{}`", program.name)).collect();
            let more = if problems.len() > LISTED { ", .." } else { "" };
            let how = if first.name.contains('#') {
                "give the one that is meant a file of its own"
            } else {
                "name the one that is meant"
            };
            let count = problems.len();
            Err(format!("one planning problem is expected, and there are {count}: {}{more}; {how}", names.join(", ")))
        }
    }
}

/// That there is no problem, and what there is.
fn none(library: &Library, paths: &[PathBuf]) -> String {
    let sources = library.sources().iter().take(LISTED);
    let known: Vec<String> = sources
        .filter_map(|file| held(library, file.id()).map(|held| format!("`{}` holds {held}", file.name())))
        .collect();
    if known.is_empty() {
        let looked: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return format!("one planning problem is expected, and {} holds none", looked.join(", "));
    }
    format!("one planning problem is expected: {}; name the file of a problem", known.join(", "))
}

fn source_of(library: &Library, path: &Path) -> Option<SourceId> {
    let name = path.display().to_string();
    library.sources().iter().find(|file| file.name() == name).map(goalspec_syntax::SourceFile::id)
}

fn has_domain(library: &Library, source: SourceId) -> bool {
    library.planning_domains().iter().any(|domain| domain.source == source) || other_domain(library, source).is_some()
}

/// A domain of activities.
fn other_domain(library: &Library, source: SourceId) -> Option<&str> {
    let lies_there = |domain: &&goalspec_bddl::ast::Domain| domain.origin.0.is_some_and(|span| span.source == source);
    library.domains().iter().find(lies_there).map(|domain| &*domain.name.text)
}

fn held_programs(library: &Library, source: SourceId) -> impl Iterator<Item = &Program> {
    library.programs().iter().filter(move |program| program.source == source)
}

/// What a text holds, in words; nothing if nothing of it could be read.
fn held(library: &Library, source: SourceId) -> Option<String> {
    if let Some(program) = held_programs(library, source).next() {
        return Some(match &program.content {
            Content::Planning(problem) => format!("the problem `{}`", problem.problem.name.written()),
            Content::Activity(_) => "an activity".to_owned(),
            _ => "a program of another kind".to_owned(),
        });
    }
    let domain = library.planning_domains().iter().find(|domain| domain.source == source);
    let name = domain.map(|domain| domain.domain.name.written()).or_else(|| other_domain(library, source))?;
    Some(format!("the domain `{name}`"))
}
