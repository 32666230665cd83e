//! Any text is parsed in every dialect of BDDL without panic. A valid activity is described, formatted without a change of meaning,
//! lowered and exported, and its options are counted and listed.

use goalspec::bddl::export::{self, ExportOptions};
use goalspec::bddl::ground::GroundGoal;
use goalspec::bddl::options::{ExactOptions, OptionSolver, release};
use goalspec::bddl::{Dialect, check, describe, domains, format, lower, parse};
use goalspec::syntax::diagnostic::{Applicability, Diagnostic};
use goalspec::syntax::{Sources, fix};

/// The maximum number of options listed per goal.
const MAX_LISTED_OPTIONS: usize = 64;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    for (_, dialect) in Dialect::NAMED {
        let checked = check::check(sources.file(id), check::CheckContext { dialect, ..check::CheckContext::default() });
        // The releases accept undeclared names.
        let is_valid = dialect.release().is_none() && !checked.diagnostics.iter().any(Diagnostic::is_error);
        for problem in &checked.problems {
            describe::text(problem, dialect);
            let domain = problem.domain.as_ref().and_then(|name| domains::builtin(&name.text));
            let lowered = lower::lower(problem, domain, dialect);
            let Ok(goal) = GroundGoal::new(problem) else { continue };
            assert!(!is_valid || lowered.is_ok(), "{:?}", lowered.err());
            let _ = export::pddl(problem, domain, dialect, ExportOptions::default(), None);
            if let Some(release) = dialect.release() {
                let _ = release::of_goal(&goal, release);
            } else if let Ok(options) = ExactOptions::of(&goal, dialect) {
                let listed = options.try_iter().map_or(0, |options| options.take(MAX_LISTED_OPTIONS).count() as u128);
                assert!(options.count().exact().is_none_or(|count| listed == count.min(MAX_LISTED_OPTIONS as u128)));
            }
        }
    }
    let before = parse::parse(sources.file(id), Dialect::STRICT);
    let formatted = format::format(sources.file(id));
    let fixed = fix::apply(sources.file(id), &before.diagnostics, Applicability::Unsafe).text;
    let id = sources.add("formatted", formatted.clone());
    assert_eq!(format::format(sources.file(id)), formatted);
    let after = parse::parse(sources.file(id), Dialect::STRICT);
    assert_eq!((before.problems, before.domains), (after.problems, after.domains));
    let id = sources.add("fixed", fixed);
    parse::parse(sources.file(id), Dialect::STRICT);
}
