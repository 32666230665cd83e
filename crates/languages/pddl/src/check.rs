//! Everything that is checked of a domain, and of a problem together with its domain.

use goalspec_syntax::Diagnostic;

use crate::ast::{Domain, Problem, Requirements};
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
    CheckedDomain { model, requirements: domain.requirements.clone(), diagnostics }
}

/// Checks and lowers a problem of a domain.
pub fn problem(problem: &Problem, domain: &CheckedDomain) -> Lowered {
    let mut lowered = lower(problem, &domain.model);
    lowered.diagnostics.extend(requirements::check_problem(problem, &domain.requirements));
    if let Some(task) = &lowered.task {
        lowered.diagnostics.extend(lint::task(problem, task));
    }
    sort(&mut lowered.diagnostics);
    lowered
}

fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or((0, 0), |span| (span.source.0, span.start)));
}
