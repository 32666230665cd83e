//! Any text is parsed in every dialect of BDDL without panic. A valid activity is described, formatted without a change of meaning,
//! lowered and exported, and its options are counted and listed.

use goalspec::bddl::export::{self, Choices};
use goalspec::bddl::ground::GroundGoal;
use goalspec::bddl::options::{Options, release};
use goalspec::bddl::{Dialect, check, describe, domains, format, lower, parse};
use goalspec::syntax::diagnostic::{Applicability, Diagnostic};
use goalspec::syntax::{Sources, fix};

/// The maximum number of options listed per goal.
const LISTED: usize = 64;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("fuzz", text);
    for (_, dialect) in Dialect::NAMED {
        let checked = check::check(sources.get(id), check::Context { dialect, ..check::Context::default() });
        // The releases accept undeclared names.
        let sound = dialect.release().is_none() && !checked.diagnostics.iter().any(Diagnostic::is_error);
        for problem in &checked.problems {
            describe::text(problem, dialect);
            let domain = problem.domain.as_ref().and_then(|name| domains::builtin(&name.text));
            let lowered = lower::lower(problem, domain, dialect);
            let Ok(goal) = GroundGoal::new(problem) else { continue };
            assert!(!sound || lowered.is_ok(), "{:?}", lowered.err());
            let _ = export::pddl(problem, domain, dialect, Choices::default(), None);
            if let Some(release) = dialect.release() {
                let _ = release::of_goal(&goal, release);
            } else if let Ok(options) = Options::of(&goal, dialect) {
                let listed = options.list().map_or(0, |list| list.take(LISTED).count() as u128);
                assert!(options.count().is_none_or(|count| listed == count.min(LISTED as u128)));
            }
        }
    }
    let before = parse::parse(sources.get(id), Dialect::STRICT);
    let laid_out = format::format(sources.get(id));
    let fixed = fix::apply(sources.get(id), &before.diagnostics, Applicability::Unsafe).text;
    let id = sources.add("laid out", laid_out.clone());
    assert_eq!(format::format(sources.get(id)), laid_out);
    let after = parse::parse(sources.get(id), Dialect::STRICT);
    assert_eq!((before.problems, before.domains), (after.problems, after.domains));
    let id = sources.add("fixed", fixed);
    parse::parse(sources.get(id), Dialect::STRICT);
}
