//! Rules about the program's own components, analogous to those about terms.

use goalspec_reward::observe::TermSeen;
use goalspec_syntax::{Severity, Span};

use super::super::tables::one_line;
use super::super::{Audit, Finding, codes};
use super::program::ALL_BUT_ALONE;

/// Returns findings about components that are always 0, and about a component that makes up the whole reward. Omits those that repeat a
/// finding about a term.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let components = audit.components();
    let mut found: Vec<Finding> = components
        .iter()
        .filter(|(name, seen)| seen.paid == 0 && !is_dead_term(audit, name))
        .map(|(name, seen)| dead(audit, name, seen))
        .collect();
    let all: f64 = components.values().map(|seen| seen.size).sum();
    let greatest = components.iter().max_by(|one, other| one.1.size.total_cmp(&other.1.size));
    if let Some((name, seen)) = greatest
        && components.len() > 1
        && all > 0.0
        && all.is_finite()
        && seen.size >= ALL_BUT_ALONE * all
        && super::program::only_term(audit).is_none()
    {
        let nothing = components.values().filter(|seen| seen.paid == 0).count();
        found.push(only(audit, name, seen, 100.0 * seen.size / all, [nothing, components.len()]));
    }
    found
}

/// Whether there is a term of the same name that never contributes.
fn is_dead_term(audit: &Audit, component: &str) -> bool {
    let mut terms = audit.terms.list.iter().zip(&audit.seen.terms);
    terms.any(|(term, seen)| seen.paid == 0 && (term.text == component || term.name == component))
}

fn dead(audit: &Audit, name: &str, seen: &TermSeen) -> Finding {
    let message = format!("the component `{}` is 0 in all {} frames that have it", one_line(name), seen.calls);
    let mend = "check why its value is always 0, or remove it";
    let finding = Finding::new(codes::DEAD_TERM, Severity::Warning, message, mend);
    let finding = Finding { span: place(audit, name), ..finding };
    finding.number("frames", seen.calls as f64).weight(10.0)
}

fn only(audit: &Audit, name: &str, seen: &TermSeen, share: f64, [nothing, all]: [usize; 2]) -> Finding {
    let message = format!("`{}` dominates the components: {share:.1} % of their sum", one_line(name));
    let finding =
        Finding::new(codes::DOMINANT_TERM, Severity::Warning, message, "check why the other components are 0");
    let others = format!("{nothing} of {all} components are always 0");
    let paid = format!("it is non-zero in {} of {} frames", seen.paid, audit.seen.calls);
    let finding = Finding { span: place(audit, name), ..finding };
    finding.evidence([others, paid]).number("share", share).weight(11.0)
}

/// Returns the first position of a component's name in quotes.
pub(super) fn place(audit: &Audit, name: &str) -> Option<Span> {
    let text = audit.source.text();
    let found = ['"', '\''].into_iter().filter_map(|quote| {
        let quoted = format!("{quote}{name}{quote}");
        text.find(&quoted).map(|start| Span::new(audit.source.id(), start as u32, (start + quoted.len()) as u32))
    });
    found.min_by_key(|span| span.start)
}
