//! Tests of grounding.

mod agreement;
mod limits;
mod sizes;

use goalspec_core::planning::task::Task;
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_syntax::Sources;

/// Parses and lowers a domain and a problem.
fn task(domain: &str, problem: &str) -> Task {
    let mut sources = Sources::new();
    let (domain, problem) = (sources.add("domain.pddl", domain), sources.add("problem.pddl", problem));
    let (domains, problems) = (parse(sources.file(domain)).domains, parse(sources.file(problem)).problems);
    let (model, found) = ResolvedDomain::new(&domains[0]);
    let lowered = lower(&problems[0], &model);
    lowered.task.unwrap_or_else(|| panic!("{found:?} {:?}", lowered.diagnostics))
}
