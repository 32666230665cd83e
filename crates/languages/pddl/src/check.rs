//! All checks of a domain, and of a problem with its domain.

use goalspec_syntax::{Diagnostic, Span};

use crate::ast::{Domain, Problem, Requirements};
use crate::codes::UNKNOWN_PREFERENCE;
use crate::domain::ResolvedDomain;
use crate::lower::{LoweredProblem, lower};
use crate::{lint, requirements};

/// A domain with the results of its checks.
#[derive(Debug, Clone)]
pub struct CheckedDomain {
    /// The resolved domain.
    pub model: ResolvedDomain,
    /// The declared requirements.
    pub requirements: Requirements,
    /// The requirements that the domain needs.
    pub needed_requirements: Vec<&'static str>,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a domain: name resolution, requirements and lints.
pub fn domain(domain: &Domain) -> CheckedDomain {
    let (model, mut diagnostics) = ResolvedDomain::new(domain);
    diagnostics.extend(requirements::check_domain(domain));
    if !model.has_errors {
        diagnostics.extend(lint::domain(domain));
    }
    sort(&mut diagnostics);
    let required = requirements::domain_requirements(domain).into_iter().map(|(need, _)| need).collect();
    CheckedDomain { model, requirements: domain.requirements.clone(), needed_requirements: required, diagnostics }
}

/// The extent to which a domain was parsed without errors, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParseCompleteness {
    /// Declarations have errors.
    Partial,
    /// The declarations were parsed, so names in problems can be resolved; actions, rules or constraints have errors.
    Declarations,
    /// The domain was parsed without errors.
    Complete,
}

/// Determines the extent to which a domain was parsed without errors, given the diagnostics of its source text.
pub fn parse_completeness(domain: &Domain, found: &[Diagnostic]) -> ParseCompleteness {
    let lies_in = |span: Span, within: Span| {
        span.source == within.source && within.start <= span.start && span.start < within.end
    };
    let errors = found.iter().filter(|finding| finding.is_error());
    let mut completeness = ParseCompleteness::Complete;
    for (finding, span) in errors.filter_map(|finding| Some((finding, finding.span?))) {
        if !lies_in(span, domain.span) {
            continue;
        }
        // Unbalanced parentheses may have moved the sections that follow.
        let is_reported = !finding.code.0.starts_with("syntax/");
        let local = is_reported && domain.behavior_spans.iter().any(|part| lies_in(span, *part));
        completeness =
            completeness.min(if local { ParseCompleteness::Declarations } else { ParseCompleteness::Partial });
    }
    completeness
}

/// Returns the errors of a problem whose domain was only parsed up to its [declarations](ParseCompleteness::Declarations).
pub fn problem_names(problem: &Problem, domain: &CheckedDomain) -> Vec<Diagnostic> {
    let mut found = lower(problem, &domain.model).diagnostics;
    // A preference may be declared in an action that was not parsed.
    found.retain(|finding| finding.is_error() && finding.code != UNKNOWN_PREFERENCE);
    sort(&mut found);
    found
}

/// Checks a problem with its domain and lowers it.
pub fn problem(problem: &Problem, domain: &CheckedDomain) -> LoweredProblem {
    let mut lowered = lower(problem, &domain.model);
    lowered.diagnostics.extend(requirements::check_problem(problem, domain));
    if let Some(task) = &lowered.task {
        lowered.diagnostics.extend(lint::task(problem, task));
    }
    sort(&mut lowered.diagnostics);
    lowered
}

fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or((0, 0), |span| (span.source.0, span.start)));
}
