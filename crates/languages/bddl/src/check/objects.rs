//! Checks of `:objects` and of the name of the problem.

use std::path::is_separator;

use goalspec_syntax::diagnostic::{Applicability, Fix};
use goalspec_syntax::{Severity, SourceFile, Span, suggest};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::findings::{Findings, is_named_after, listed, quoted};
use super::resolved::{Group, Referent, ResolvedProblem};
use super::status::Check;
use crate::codes;
use crate::diagnostics::at;
use crate::knowledge::{AGENT, Knowledge};
use crate::resolve::WILDCARD;

/// The maximum number of synsets that are compared with an unknown one; each comparison takes some microseconds.
const MAX_SUGGESTIONS_FROM: usize = 4096;

/// Checks the form of categories and instances, and that no category is repeated.
pub(super) fn form(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let mut wildcard = false;
    let mut seen = FxHashSet::with_capacity_and_hasher(resolved.groups.len(), FxBuildHasher);
    if resolved.groups.len() < resolved.problem.objects.len() {
        findings.fail(&[Check::ObjectForm]);
    }
    for &Group { declared, category, is_synset, .. } in &resolved.groups {
        if !is_synset {
            let message = format!("{} does not have the form of a synset", quoted(category));
            let diagnostic = at(category.origin, codes::CATEGORY_FORM, Severity::Warning, message);
            let help = "use the form `apple.n.01`: a word, `.n.` and a number";
            findings.report(&[Check::ObjectForm], diagnostic.with_help(help));
        }
        if !seen.insert(&*category.text) {
            findings.fail(&[Check::NoRepeatedCategory]);
        }
        for instance in &declared.instances {
            if !is_synset || !is_named_after(&instance.text, &category.text) {
                findings.fail(&[Check::ObjectForm]);
            }
            if instance.text.ends_with(WILDCARD) && !std::mem::replace(&mut wildcard, true) {
                let message = format!("{} represents all further objects of the scene", quoted(instance));
                let note = at(instance.origin, codes::WILDCARD, Severity::Note, message);
                let help = "use `--scene` to expand it; release 3.6.0 does not expand it, and its own checks reject it";
                findings.report(&[Check::ObjectForm], note.with_help(help));
            }
        }
    }
    if wildcard {
        findings.fail(&[Check::ObjectForm]);
    }
}

/// Checks that no name in `:init` is written with `?`, for which the source text is needed.
pub(super) fn marks(resolved: &ResolvedProblem<'_>, source: Option<&SourceFile>, findings: &mut Findings) {
    let names = || {
        let atoms = resolved.problem.init.iter().map(|literal| &literal.atom);
        atoms.flat_map(|atom| std::iter::once(&atom.predicate).chain(&atom.arguments))
    };
    let Some(source) = source else {
        return findings.skip(Check::NoMarksInInit);
    };
    let spans = || names().map(|name| name.origin.0);
    let is_marked = |span: Span| source.slice(span).contains('?');
    // Searching the whole range of `:init` is usually sufficient; only a mark in a comment requires searching each name.
    if spans().reduce(Span::to).is_some_and(is_marked) && spans().any(is_marked) {
        findings.fail(&[Check::NoMarksInInit]);
    }
}

/// The maximum number of unknown synsets in one problem for which a similar name is suggested.
const MAX_SUGGESTIONS: usize = 64;

/// Checks that every category is a synset of the release.
pub(super) fn synsets(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    const SYNSET_CHECKS: [Check; 4] =
        [Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances];
    let taxonomy = knowledge.taxonomy();
    let groups = resolved.groups.iter().filter(|group| group.synset.is_none() && *group.category.text != *AGENT);
    for (index, &Group { category, .. }) in groups.enumerate() {
        let message = format!("unknown synset {}", quoted(category));
        let diagnostic = at(category.origin, codes::UNKNOWN_SYNSET, Severity::Error, message);
        let known = || taxonomy.synsets().take(MAX_SUGGESTIONS_FROM).map(|synset| &**taxonomy.name(synset));
        // Object-model categories are often mistaken for synsets.
        let word = category.text.split(".n.").next().unwrap_or_default();
        let help = if let [synset, ..] = taxonomy.synsets_of_category(word) {
            format!("the object models of the category `{word}` belong to `{}`", taxonomy.name(*synset))
        } else {
            let suggestion =
                (index < MAX_SUGGESTIONS).then(|| suggest::did_you_mean(&category.text, known())).flatten();
            suggestion.unwrap_or_else(|| "use a synset of the release, or a more general one".to_owned())
        };
        let diagnostic = diagnostic.with_help(help);
        findings.report(&SYNSET_CHECKS, diagnostic);
    }
    if resolved.goal.iter().any(|goal| goal.terms.iter().any(|term| term.referent == Referent::Unresolved)) {
        findings.fail(&[Check::KnownSynsets]);
    }
}

/// Checks that a substance has a single instance and a specific synset.
pub(super) fn substances(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    let Some(substance) = taxonomy.ability("substance") else { return };
    for group in &resolved.groups {
        let category = group.category;
        let Some(synset) = group.synset.filter(|&synset| taxonomy.has_ability(synset, substance)) else { continue };
        if group.declared.instances.len() != 1 {
            let message =
                format!("the substance {} has {} instances", quoted(category), group.declared.instances.len());
            let diagnostic = at(group.declared.origin, codes::SUBSTANCE_INSTANCES, Severity::Warning, message);
            let help = format!("keep only `{}_1`, which may be in several places", category.text);
            findings.report(&[Check::SingleSubstances], diagnostic.with_help(help));
        }
        if !taxonomy.is_leaf(synset) {
            let message = format!("the substance {} is not a leaf of the taxonomy", quoted(category));
            let diagnostic = at(category.origin, codes::NON_LEAF_SUBSTANCE, Severity::Note, message);
            let leaves = taxonomy.leaves(synset).take(3).map(|leaf| &**taxonomy.name(leaf));
            findings.report(&[], diagnostic.with_help(format!("use a leaf, such as {}", listed(leaves))));
        }
    }
}

/// Checks that the name of the problem matches its activity: the folder of its file, with the number of the file.
pub(super) fn name(resolved: &ResolvedProblem<'_>, source: Option<&SourceFile>, findings: &mut Findings) {
    let Some((activity, number)) = source.and_then(|source| activity(source.name())) else {
        return findings.skip(Check::ProblemName);
    };
    let is_old = resolved.problem.domain.as_ref().is_some_and(|domain| *domain.text == *"igibson");
    let expected = format!("{}{}{number}", activity.to_lowercase(), if is_old { '_' } else { '-' });
    let name = &resolved.problem.name;
    if *name.text != *expected {
        let message = format!("the problem name {} does not match its activity `{activity}`", quoted(name));
        let diagnostic = at(name.origin, codes::PROBLEM_NAME, Severity::Warning, message);
        let diagnostic = diagnostic.with_help(format!("rename it to `{expected}`"));
        let fix = Fix::replace(format!("rename to `{expected}`"), Applicability::Safe, name.origin.0, expected);
        findings.report(&[Check::ProblemName], diagnostic.with_fix(fix));
    }
}

/// Returns the activity and the number of a file `ACTIVITY/problemN.bddl`.
fn activity(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.rsplit(is_separator).filter(|part| !matches!(*part, "" | "."));
    let number = parts.next()?.strip_prefix("problem")?.strip_suffix(".bddl")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let activity = parts.next().filter(|part| *part != "..")?;
    is_number.then_some((activity, number))
}
