//! Tasks of the planning competitions, from the conformance data.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::ground::{GroundLimits, ground};
use goalspec_planner::ground_task::GroundTask;
use goalspec_syntax::Sources;

/// Returns the ground tasks with these names; none if the conformance data are absent.
pub(crate) fn tasks(names: &[&str]) -> Vec<(String, GroundTask)> {
    let Some(folder) = goalspec_testing::conformance::folder("planning") else { return Vec::new() };
    let task = |&name: &&str| {
        let path = |end: &str| PathBuf::from(format!("{}/ipc/{name}{end}", folder.display()));
        (name.to_owned(), read(&path("-domain.pddl"), &path(".pddl")))
    };
    names.iter().map(task).collect()
}

/// Reads and grounds a task.
pub(crate) fn read(domain: &Path, problem: &Path) -> GroundTask {
    let mut sources = Sources::new();
    let mut parsed = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let source = sources.add(path.display().to_string(), text);
        parse(sources.file(source))
    };
    let (domain, problem) = (parsed(domain), parsed(problem));
    let (model, _) = ResolvedDomain::new(&domain.domains[0]);
    let task = lower(&problem.problems[0], &model).task.expect("the problem has no errors");
    ground(&task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(())).expect("it can be grounded").task
}
