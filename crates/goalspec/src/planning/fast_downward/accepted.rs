//! What Fast Downward's translator accepts, as far as that can be told from the texts.

use goalspec_pddl::ast::Name;
use goalspec_pddl::{parse, requirements};
use goalspec_syntax::Sources;

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

/// What of a domain and a problem would be refused, in words.
pub(super) fn refused(texts: &[impl AsRef<str>; 2]) -> Option<String> {
    let mut sources = Sources::new();
    let [domain, problem] = texts.each_ref().map(|text| sources.add("task", text.as_ref()));
    let (domain, problem) = (parse(sources.get(domain)), parse(sources.get(problem)));
    let (domain, problem) = (domain.domains.first()?, problem.problems.first()?);
    let needs = [requirements::needed(domain), requirements::needed_beside(problem)].concat();
    if let Some((_, span)) = needs.iter().find(|(need, _)| *need == ":numeric-fluents") {
        let text = sources.get(span.source).slice(*span).split_whitespace().collect::<Vec<_>>().join(" ");
        return Some(format!("it knows no numbers but what steps cost, and there is `{text}`"));
    }
    let stated = domain.requirements.names.iter().chain(&problem.requirements.names);
    let needed = needs.iter().map(|(need, _)| *need);
    if let Some(unknown) = stated.map(Name::text).chain(needed).find(|name| !KNOWN.contains(name)) {
        return Some(format!("it does not know `{unknown}`"));
    }
    // It leaves out actions that say that they do nothing, and refuses those that say nothing.
    let silent = domain.actions.iter().find(|action| action.effect.is_none())?;
    Some(format!("the action `{}` has no effect", silent.name.written()))
}
