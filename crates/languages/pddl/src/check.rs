//! Everything that is checked of a domain, and of a problem together with its domain.

use goalspec_syntax::{Diagnostic, Span};

use crate::ast::{Domain, Problem, Requirements};
use crate::codes::UNKNOWN_PREFERENCE;
use crate::domain::Model;
use crate::lower::{Lowered, lower};
use crate::{lint, requirements};

/// A domain that has been checked.
#[derive(Debug, Clone)]
pub struct CheckedDomain {
    /// What it means.
    pub model: Model,
    /// The parts of the language that it says it uses.
    pub requirements: Requirements,
    /// The parts of the language that it uses.
    pub needs: Vec<&'static str>,
    /// What was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a domain.
pub fn domain(domain: &Domain) -> CheckedDomain {
    let (model, mut diagnostics) = Model::new(domain);
    diagnostics.extend(requirements::check_domain(domain));
    if !model.broken {
        diagnostics.extend(lint::domain(domain));
    }
    sort(&mut diagnostics);
    let needs = requirements::needed(domain).into_iter().map(|(need, _)| need).collect();
    CheckedDomain { model, requirements: domain.requirements.clone(), needs, diagnostics }
}

/// How much of a domain could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readable {
    /// Not even all that it declares.
    Parts,
    /// What it declares, so that names in problems can be looked up.
    Names,
    /// All of it.
    Whole,
}

/// How much of a domain could be read, by what was found in its text when it was read.
pub fn readable(domain: &Domain, found: &[Diagnostic]) -> Readable {
    let lies_in = |span: Span, within: Span| {
        span.source == within.source && within.start <= span.start && span.start < within.end
    };
    let errors = found.iter().filter(|finding| finding.is_error());
    let mut readable = Readable::Whole;
    for (finding, span) in errors.filter_map(|finding| Some((finding, finding.span?))) {
        if !lies_in(span, domain.span) {
            continue;
        }
        // Parentheses that do not match may have moved what follows.
        let stays = !finding.code.0.starts_with("syntax/");
        let local = stays && domain.doings.iter().any(|part| lies_in(span, *part));
        readable = readable.min(if local { Readable::Names } else { Readable::Parts });
    }
    readable
}

/// What is wrong with a problem of a domain of which only the [names](Readable::Names) could be read.
pub fn names(problem: &Problem, domain: &CheckedDomain) -> Vec<Diagnostic> {
    let mut found = lower(problem, &domain.model).diagnostics;
    // They may be those of an action that could not be read.
    found.retain(|finding| finding.is_error() && finding.code != UNKNOWN_PREFERENCE);
    sort(&mut found);
    found
}

/// Checks and lowers a problem of a domain.
pub fn problem(problem: &Problem, domain: &CheckedDomain) -> Lowered {
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
