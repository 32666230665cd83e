//! Rules about the program's own components, analogous to those about terms.

use goalspec_python_runtime::observe::TermStatistics;
use goalspec_syntax::{Severity, Span};

use super::program::DOMINANT_SHARE;
use crate::tables::one_line;
use crate::{Audit, Finding, codes};

/// Returns findings about components that are always 0, and about a component that makes up the whole reward. Omits those that repeat a
/// finding about a term.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let components = audit.components();
    let mut found: Vec<Finding> = components
        .iter()
        .filter(|(name, statistics)| statistics.nonzero_calls == 0 && !is_dead_term(audit, name))
        .map(|(name, statistics)| dead_component(audit, name, statistics))
        .collect();
    let all: f64 = components.values().map(|statistics| statistics.absolute_sum).sum();
    let largest = components.iter().max_by(|one, other| one.1.absolute_sum.total_cmp(&other.1.absolute_sum));
    if let Some((name, statistics)) = largest
        && components.len() > 1
        && all > 0.0
        && all.is_finite()
        && statistics.absolute_sum >= DOMINANT_SHARE * all
        && super::program::dominant_term(audit).is_none()
    {
        let nothing = components.values().filter(|statistics| statistics.nonzero_calls == 0).count();
        found.push(dominant_component(
            audit,
            name,
            statistics,
            100.0 * statistics.absolute_sum / all,
            [nothing, components.len()],
        ));
    }
    found
}

/// Whether there is a term of the same name that never contributes.
fn is_dead_term(audit: &Audit, component: &str) -> bool {
    let mut terms = audit.terms.terms.iter().zip(&audit.statistics.terms);
    terms.any(|(term, statistics)| statistics.nonzero_calls == 0 && (term.text == component || term.name == component))
}

fn dead_component(audit: &Audit, name: &str, statistics: &TermStatistics) -> Finding {
    let message = format!("the component `{}` is 0 in all {} frames that have it", one_line(name), statistics.calls);
    let help = "check why its value is always 0, or remove it";
    let finding = Finding::new(codes::DEAD_TERM, Severity::Warning, message, help);
    let finding = Finding { span: component_name_span(audit, name), ..finding };
    finding.with_number("frames", statistics.calls as f64).with_weight(10.0)
}

fn dominant_component(
    audit: &Audit,
    name: &str,
    statistics: &TermStatistics,
    share: f64,
    [nothing, all]: [usize; 2],
) -> Finding {
    let message = format!("`{}` dominates the components: {share:.1} % of their sum", one_line(name));
    let finding =
        Finding::new(codes::DOMINANT_TERM, Severity::Warning, message, "check why the other components are 0");
    let others = format!("{nothing} of {all} components are always 0");
    let paid = format!("it is non-zero in {} of {} frames", statistics.nonzero_calls, audit.statistics.calls);
    let finding = Finding { span: component_name_span(audit, name), ..finding };
    finding.with_evidence([others, paid]).with_number("share", share).with_weight(11.0)
}

/// Returns the first position of a component's name in quotes.
pub(super) fn component_name_span(audit: &Audit, name: &str) -> Option<Span> {
    let text = audit.source.text();
    let found = ['"', '\''].into_iter().filter_map(|quote| {
        let quoted = format!("{quote}{name}{quote}");
        text.find(&quoted).map(|start| Span::new(audit.source.id(), start as u32, (start + quoted.len()) as u32))
    });
    found.min_by_key(|span| span.start)
}
