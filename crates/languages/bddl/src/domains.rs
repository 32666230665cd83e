//! The built-in domains.
//!
//! | domain | activities |
//! |---|---|
//! | `igibson` | BEHAVIOR-100: release 1.0 and what the igibson domain of the later releases adds |
//! | `omnigibson` | BEHAVIOR-1K: releases 3.1 to 3.6 |
//! | `behavior-1k` | BEHAVIOR-1K after release 3.6 |
//! | `robosuite` | LIBERO |

use std::sync::LazyLock;

use goalspec_syntax::{Diagnostic, Severity, Sources, sexp};

use crate::ast::{Domain, PredicateDecl, Problem};
use crate::codes;
use crate::dialect::{Dialect, Release};
use crate::parse;

const TEXTS: [(&str, &str); 4] = [
    ("igibson", include_str!("../domains/igibson.bddl")),
    ("omnigibson", include_str!("../domains/omnigibson.bddl")),
    ("behavior-1k", include_str!("../domains/behavior-1k.bddl")),
    ("robosuite", include_str!("../domains/robosuite.bddl")),
];

static DOMAINS: LazyLock<Vec<Domain>> = LazyLock::new(|| {
    let mut sources = Sources::new();
    let read = |(name, text): (&'static str, &'static str)| {
        let id = sources.add(name, text);
        parse::read(&sexp::parse(sources.file(id)), false).domains
    };
    TEXTS.into_iter().flat_map(read).collect()
});

/// Returns the names of the built-in domains.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().map(|(name, _)| name)
}

/// Returns the built-in domain with the given name.
pub fn builtin(name: &str) -> Option<&'static Domain> {
    DOMAINS.iter().find(|domain| &*domain.name.text == name)
}

/// Returns the domain with the given name, from `given` and the built-in ones. A given domain takes precedence over a built-in
/// one, except in the dialects of the releases: there the simulator determines the predicates, and its domain files are
/// incomplete.
pub fn find<'d>(name: &str, dialect: Dialect, domains: impl IntoIterator<Item = &'d Domain>) -> Option<&'d Domain> {
    let domains = || domains.into_iter().find(|domain| &*domain.name.text == name);
    if dialect.release().is_some() { builtin(name).or_else(domains) } else { domains().or_else(|| builtin(name)) }
}

/// Returns the domain that a problem names, [by its name](find).
pub fn of_problem<'d>(
    problem: &Problem,
    dialect: Dialect,
    domains: impl IntoIterator<Item = &'d Domain>,
) -> Option<&'d Domain> {
    find(&problem.domain.as_ref()?.text, dialect, domains)
}

/// Adds the missing predicates to a domain that has the name of a built-in one, and returns a note that lists them.
///
/// The domain files of the releases need this: they lack predicates that their own activities use.
pub fn add_missing_predicates(domain: &mut Domain) -> Option<Diagnostic> {
    let builtin = builtin(&domain.name.text)?;
    let is_missing =
        |builtin: &&PredicateDecl| domain.predicates.iter().all(|declared| declared.name.text != builtin.name.text);
    let missing: Vec<PredicateDecl> = builtin.predicates.iter().filter(is_missing).cloned().collect();
    if missing.is_empty() {
        return None;
    }
    let names: Vec<String> = missing.iter().map(|predicate| format!("`{}`", predicate.name.text)).collect();
    let message = format!("the built-in domain of the same name also has {}, which are added", names.join(", "));
    let note = Diagnostic::new(codes::PARTIAL_DOMAIN, Severity::Note, message);
    domain.predicates.extend(missing.into_iter().map(|predicate| PredicateDecl { origin: domain.origin, ..predicate }));
    Some(
        Diagnostic { span: Some(domain.name.origin.0), ..note }
            .with_help("rename the domain if it is not an extension of the built-in one"),
    )
}

/// Returns a diagnostic if the name of a domain is that of an earlier one.
pub fn check_duplicate(domain: &Domain, domains: &[Domain]) -> Option<Diagnostic> {
    let first = domains.iter().find(|other| other.name.text == domain.name.text)?;
    let message = format!("domain `{}` is defined twice; the first definition is used", domain.name.text);
    let warning = Diagnostic::new(codes::DUPLICATE_DECLARATION, Severity::Warning, message);
    let warning = Diagnostic { span: Some(domain.name.origin.0), ..warning };
    Some(warning.with_related(first.name.origin.0, "first definition"))
}

/// Returns the domain that the activities of a release are written for.
pub fn of_release(release: Release) -> &'static Domain {
    // The indices follow the order of `TEXTS`.
    &DOMAINS[match release {
        Release::V1_0 => 0,
        Release::V3_6 => 1,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_have_their_domains() {
        assert_eq!(&*of_release(Release::V1_0).name.text, "igibson");
        assert_eq!(&*of_release(Release::V3_6).name.text, "omnigibson");
    }
}
