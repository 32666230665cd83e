//! Helpers shared by the tests: lowering of texts, and the conformance data.

#![allow(dead_code, reason = "every test binary uses a part of it")]
#![allow(unreachable_pub, reason = "shared by several test binaries")]

use std::path::{Path, PathBuf};

use goalspec_core::planning::task::Task;
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_syntax::{Diagnostic, SourceId, Sources};

/// A domain with a problem.
pub struct Pair {
    /// The name used in messages.
    pub name: String,
    /// The text of the domain.
    pub domain: String,
    /// The text of the problem.
    pub problem: String,
}

/// Returns the tasks of the planning competitions; prints a note and returns `None` if they are missing.
pub fn competition() -> Option<Vec<Pair>> {
    let folder = goalspec_testing::conformance::folder("planning")?.join("ipc");
    let mut pairs = Vec::new();
    for path in files(&folder) {
        let name = path.to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix("-domain.pddl") else { continue };
        let read = |path: &str| std::fs::read_to_string(path).expect("the file can be read");
        let problem = read(&format!("{stem}.pddl"));
        pairs.push(Pair { name: stem.to_owned(), domain: read(&name), problem });
    }
    assert!(pairs.len() > 40, "{}", pairs.len());
    Some(pairs)
}

/// Returns all files in a folder and its subfolders, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("it can be read").map(|entry| entry.expect("an entry").path()));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The result of parsing, checking and lowering texts with one domain and one problem.
pub struct Read {
    /// The task, if there is one.
    pub task: Option<Task>,
    /// The diagnostics, in the order of the phases.
    pub diagnostics: Vec<Diagnostic>,
    /// The uses of features that planning does not support.
    pub unplanned: Vec<Diagnostic>,
    /// The source texts.
    pub sources: Sources,
}

/// Parses, checks and lowers texts.
pub fn read(texts: &[&str]) -> Read {
    let mut sources = Sources::new();
    let ids: Vec<SourceId> = texts.iter().map(|text| sources.add("text.pddl", *text)).collect();
    let (mut domains, mut problems, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        let parsed = parse(sources.file(id));
        domains.extend(parsed.domains);
        problems.extend(parsed.problems);
        diagnostics.extend(parsed.diagnostics);
    }
    let mut read = Read { task: None, diagnostics, unplanned: Vec::new(), sources };
    let Some(domain) = domains.first() else { return read };
    let (model, found) = ResolvedDomain::new(domain);
    read.diagnostics.extend(found);
    let Some(problem) = problems.first() else { return read };
    let lowered = lower(problem, &model);
    read.diagnostics.extend(lowered.diagnostics);
    read.task = lowered.task;
    read.unplanned = lowered.unsupported;
    read
}
