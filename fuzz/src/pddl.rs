//! Any text is parsed as PDDL without panic. A valid text is checked, described, formatted without a change of meaning, and lowered; a
//! plan is resolved in the task.

use goalspec::pddl::{check, describe, format, lower_plan, parse};
use goalspec::syntax::diagnostic::{Applicability, Diagnostic};
use goalspec::syntax::{Sources, fix, sexp};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz.pddl", text);
    let parsed = parse(sources.file(id));
    let (plan, _) = parse::plan(sources.file(id));
    let mut found = parsed.diagnostics;
    for domain in &parsed.domains {
        describe::domain(domain);
        let checked = check::domain(domain);
        for problem in &parsed.problems {
            describe::problem(problem);
            let lowered = check::problem(problem, &checked);
            let is_valid = !checked.model.has_errors && !lowered.diagnostics.iter().any(Diagnostic::is_error);
            assert_eq!(lowered.task.is_some(), is_valid && lowered.unsupported.is_empty());
            if let Some(task) = lowered.task {
                let (plan, found) = lower_plan(&plan, &task);
                assert_eq!(plan.is_some(), !found.iter().any(Diagnostic::is_error));
                plan.iter().for_each(|plan| drop(describe::plan(plan, &task)));
            }
            found.extend(lowered.diagnostics);
        }
        found.extend(checked.diagnostics);
    }
    let before = sexp::parse(sources.file(id));
    let formatted = format::format(sources.file(id));
    let fixed = fix::apply(sources.file(id), &found, Applicability::Unsafe).text;
    let id = sources.add("formatted", formatted.clone());
    assert_eq!(format::format(sources.file(id)), formatted);
    assert!(before.tree.eq_ignoring_layout(&sexp::parse(sources.file(id)).tree));
    let id = sources.add("fixed", fixed);
    parse(sources.file(id));
}
