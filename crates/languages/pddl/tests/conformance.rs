//! Conformance: all tasks of the planning competitions and of LOT can be parsed and lowered. Skipped if the data is missing.

use goalspec_syntax::Diagnostic;

use crate::common;

#[test]
fn competition_tasks_are_read_and_lowered() {
    for pair in common::competition().unwrap_or_default() {
        let read = common::read(&[&pair.domain, &pair.problem]);
        for diagnostic in &read.diagnostics {
            println!("{}: {} {} {}", pair.name, diagnostic.severity, diagnostic.code, diagnostic.message);
        }
        assert!(!read.diagnostics.iter().any(Diagnostic::is_error), "{}", pair.name);
        let task = read.task.expect("a task");
        assert!(!task.actions.is_empty() && !task.goal.conjuncts.is_empty(), "{}", pair.name);
    }
}
