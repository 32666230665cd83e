//! The subset of PDDL that Fast Downward's translator accepts, as far as the texts determine it.

use std::fmt;

use goalspec_core::planning::task::OptimizationDirection;
use goalspec_pddl::ast::{ExprKind, Metric, Name};
use goalspec_pddl::{parse, requirements};
use goalspec_syntax::{Sources, Span};

use super::FastDownwardError;

/// The requirements that it knows (`translate/pddl/tasks.py`).
const KNOWN: [&str; 13] = [
    ":strips",
    ":adl",
    ":typing",
    ":negation",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
];

/// The reason why Fast Downward would refuse a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnsupportedFeature {
    /// The task has numeric fluents other than action costs, first in this place.
    NumericFluents(String),
    /// The metric is not to minimise `(total-cost)`.
    Metric(String),
    /// The translator does not know this requirement.
    Requirement(String),
    /// This action has no effect declaration.
    MissingEffect(String),
}

impl fmt::Display for UnsupportedFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NumericFluents(place) => {
                write!(f, "numeric fluents other than action costs are not supported, found `{place}`")
            }
            Self::Metric(metric) => write!(
                f,
                "the only supported metrics are the total action cost and the number of steps, minimized; found `{metric}`"
            ),
            Self::Requirement(name) => write!(f, "requirement `{name}` is not supported"),
            Self::MissingEffect(action) => write!(f, "action `{action}` has no effect"),
        }
    }
}

/// Returns the first reason why a domain and a problem would be refused, if any.
pub(super) fn unsupported_feature(texts: &[impl AsRef<str>; 2]) -> Option<UnsupportedFeature> {
    let mut sources = Sources::new();
    let [domain, problem] = texts.each_ref().map(|text| sources.add("task", text.as_ref()));
    let (domain, problem) = (parse(sources.file(domain)), parse(sources.file(problem)));
    let (domain, problem) = (domain.domains.first()?, problem.problems.first()?);
    let words = |span: Span| sources.file(span.source).slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(metric) = problem.metric.as_ref().filter(|metric| !is_total_cost(metric)) {
        return Some(UnsupportedFeature::Metric(words(metric.span)));
    }
    let requirements =
        [requirements::domain_requirements(domain), requirements::problem_requirements(problem)].concat();
    if let Some((_, span)) = requirements.iter().find(|(need, _)| *need == ":numeric-fluents") {
        return Some(UnsupportedFeature::NumericFluents(words(*span)));
    }
    let declared = domain.requirements.names.iter().chain(&problem.requirements.names);
    let needed = requirements.iter().map(|(need, _)| *need);
    if let Some(unsupported) = declared.map(Name::text).chain(needed).find(|name| !KNOWN.contains(name)) {
        return Some(UnsupportedFeature::Requirement(unsupported.to_owned()));
    }
    // The translator drops actions with an empty effect, and refuses actions without one.
    let without_effect = domain.actions.iter().find(|action| action.effect.is_none())?;
    Some(UnsupportedFeature::MissingEffect(without_effect.name.written().to_owned()))
}

fn is_total_cost(metric: &Metric) -> bool {
    let is_cost = matches!(&metric.value.kind, ExprKind::Call(call) if call.name.text() == "total-cost" && call.arguments.is_empty());
    metric.direction == OptimizationDirection::Minimize && is_cost
}

/// Returns the error that the metric of a problem, quoted from its text, is not supported.
pub(super) fn unsupported_metric(texts: &[String; 2]) -> FastDownwardError {
    let mut sources = Sources::new();
    let source = sources.add("task", &*texts[1]);
    let read = parse(sources.file(source));
    let span = read.problems.first().and_then(|problem| problem.metric.as_ref()).map(|metric| metric.span);
    let words = span.map_or("", |span| sources.file(source).slice(span)).split_whitespace().collect::<Vec<_>>();
    FastDownwardError::UnsupportedTask(UnsupportedFeature::Metric(words.join(" ")).to_string())
}
