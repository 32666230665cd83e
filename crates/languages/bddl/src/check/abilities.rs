//! Checks of object abilities: predicates must be applicable to their arguments, and containers must be used as such.

use goalspec_syntax::Severity;
use rustc_hash::FxHashSet;

use super::findings::{Findings, atom_text, listed, quoted};
use super::resolved::{AtomOccurrence, Referent, ResolvedProblem, Term};
use super::status::Check;
use super::tables::Attachments;
use crate::ast::{Atom, Domain, Name};
use crate::codes;
use crate::diagnostics::at;
use crate::dialect::Release;
use crate::domains;
use crate::knowledge::argument_requirements::{Abilities, ResolvedPredicate, has};
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};
use crate::knowledge::{AGENT, Edition, Knowledge};

/// The maximum number of synsets that a message suggests.
const MAX_SUGGESTED: usize = 3;

/// Checks that predicates are applied to objects with the required abilities.
pub(super) fn applicable(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    let resolved_predicates: Vec<Option<&ResolvedPredicate>> =
        resolved.predicates.iter().map(|name| knowledge.needs().of(name)).collect();
    let is_other = other_release(resolved, knowledge, findings, &resolved_predicates);
    let mut absent: Vec<bool> = resolved_predicates.iter().map(|known| known.is_none() && !is_other).collect();
    for AtomOccurrence { atom, predicate, terms } in resolved.atoms() {
        let Some(known) = resolved_predicates[predicate] else {
            if std::mem::take(&mut absent[predicate]) {
                old_predicate(knowledge, findings, &atom.predicate);
            }
            continue;
        };
        let stands =
            known.name == "ontop" && *terms.first().map_or("", |term| &term.name.text) == *super::AGENT_INSTANCE;
        if terms.len() != known.needs.len() || stands {
            // The resolver reports a wrong number of arguments. The position of the agent requires no ability.
            continue;
        }
        for (index, (need, term)) in known.needs.iter().zip(terms).enumerate() {
            match need {
                Some(abilities) => check_argument(taxonomy, findings, (atom, index), term, abilities),
                None if term.referent == Referent::Room => {}
                None => findings.fail(&[Check::Applicable]),
            }
        }
        if let [one, other] = terms {
            match known.name {
                "covered" if knowledge.edition() != Edition::V3_1 => covered(taxonomy, findings, atom, one, other),
                "attached" => attached(knowledge, findings, atom, one, other),
                _ => {}
            }
        }
    }
}

/// Reports an activity that is written for another release than that of the knowledge base, with the predicates that are
/// therefore missing. Returns whether it is.
fn other_release(
    resolved: &ResolvedProblem<'_>,
    knowledge: &Knowledge,
    findings: &mut Findings,
    known: &[Option<&ResolvedPredicate>],
) -> bool {
    let Some(domain) = &resolved.problem.domain else { return false };
    let release = match &*domain.text {
        "igibson" => Release::V1_0,
        "omnigibson" | "behavior-1k" => Release::V3_6,
        _ => return false,
    };
    if release == knowledge.edition().release() {
        return false;
    }
    let builtin = domains::builtin(&domain.text);
    let is_own = |name: &str| {
        builtin.is_some_and(|domain| domain.predicates.iter().any(|predicate| *predicate.name.text == *name))
    };
    let missing = resolved.predicates.iter().zip(known).filter(|(name, known)| known.is_none() && is_own(name));
    let missing: Vec<&str> = missing.map(|(name, _)| &**name).collect();
    let version = knowledge.edition().version();
    let message =
        format!("the activity is written for `{}`, but the knowledge base is of release {version}", domain.text);
    let (message, failed) = match &missing[..] {
        [] => (message, &[][..]),
        _ => (
            format!("{message}, which does not have {}", listed(missing.iter().copied())),
            &[Check::KnownPredicates, Check::Compiles, Check::Applicable][..],
        ),
    };
    let diagnostic = at(domain.origin, codes::OTHER_RELEASE, Severity::Warning, message);
    findings.report(failed, diagnostic.with_help("use the knowledge base of the release that the activity is from"));
    true
}

/// Reports a predicate that only other releases of BEHAVIOR-1K have.
fn old_predicate(knowledge: &Knowledge, findings: &mut Findings, predicate: &Name) {
    let declares = |domain: &&Domain| domain.predicates.iter().any(|known| known.name.text == predicate.text);
    if domains::builtin("omnigibson").as_ref().is_some_and(declares) {
        let version = knowledge.edition().version();
        let message =
            format!("the predicate {} is not in release {version}, only in other releases", quoted(predicate));
        let diagnostic = at(predicate.origin, codes::OTHER_RELEASE, Severity::Warning, message);
        let help = "use the knowledge base of the release that the activity is from";
        findings.report(&[Check::KnownPredicates, Check::Compiles, Check::Applicable], diagnostic.with_help(help));
    }
}

/// Checks that an argument has the abilities that its predicate requires.
fn check_argument(
    taxonomy: &Taxonomy,
    findings: &mut Findings,
    (atom, index): (&Atom, usize),
    term: &Term<'_>,
    abilities: &Abilities,
) {
    let Some(synset) = term.synset else {
        if term.referent == Referent::Unresolved || !abilities.is_empty() {
            // Unresolved names and unknown synsets are reported where they are declared.
            findings.fail(&[Check::Applicable]);
        }
        return;
    };
    if abilities.satisfied_by(taxonomy, synset) {
        return;
    }
    let (name, missing) = (taxonomy.name(synset), lacking(abilities, taxonomy, synset));
    let message = format!("`{}` does not apply: `{name}` {missing}", atom_text(atom));
    let mut diagnostic = at(atom.origin, codes::INAPPLICABLE, Severity::Warning, message);
    let suggested = suggestions(taxonomy, synset, |suggested| abilities.satisfied_by(taxonomy, suggested));
    let help = if suggested.is_empty() {
        "use an object of another category, or another predicate".to_owned()
    } else {
        let names = listed(suggested.iter().map(|&synset| &**taxonomy.name(synset)));
        format!("use a category that it applies to, such as {names}")
    };
    diagnostic = diagnostic.with_help(help);
    let supports = ["rigidBody", "softBody"].iter().any(|ability| has(taxonomy, synset, taxonomy.ability(ability)));
    if *atom.predicate.text == *"inside" && index == 1 && supports {
        diagnostic = diagnostic.with_help("or replace `inside` with `ontop`");
    }
    findings.report(&[Check::Applicable], diagnostic);
}

/// Describes the ability that a synset lacks.
fn lacking(abilities: &Abilities, taxonomy: &Taxonomy, synset: SynsetId) -> String {
    match abilities.missing(taxonomy, synset) {
        Some(ability) => format!("is not `{ability}`"),
        None => format!("is not any of {}", listed(abilities.alternatives())),
    }
}

/// Returns synsets near the given one that satisfy a predicate: leaves below it, or else leaves below one of its parents.
fn suggestions(taxonomy: &Taxonomy, synset: SynsetId, fits: impl Fn(SynsetId) -> bool) -> Vec<SynsetId> {
    let parents = taxonomy.parents(synset).iter().copied();
    for start in std::iter::once(synset).chain(parents) {
        let found: Vec<SynsetId> = taxonomy.leaves(start).filter(|&leaf| fits(leaf)).take(MAX_SUGGESTED).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Checks that cloth is covered only by visual substances.
fn covered(taxonomy: &Taxonomy, findings: &mut Findings, atom: &Atom, cloth: &Term<'_>, substance: &Term<'_>) {
    let (Some(cloth), Some(substance)) = (cloth.synset, substance.synset) else { return };
    let has_ability = |synset, ability| has(taxonomy, synset, taxonomy.ability(ability));
    if has_ability(cloth, "drapeable")
        && has_ability(substance, "substance")
        && !has_ability(substance, "visualSubstance")
    {
        let (cloth, name) = (taxonomy.name(cloth), taxonomy.name(substance));
        let message =
            format!("`{}` does not apply: `{cloth}` is cloth, but `{name}` is not `visualSubstance`", atom_text(atom));
        let diagnostic = at(atom.origin, codes::INAPPLICABLE, Severity::Warning, message);
        findings
            .report(&[Check::Applicable], diagnostic.with_help("use `saturated` if the cloth is to be soaked with it"));
    }
}

/// Checks that the release allows attaching the first synset to the second.
fn attached(knowledge: &Knowledge, findings: &mut Findings, atom: &Atom, one: &Term<'_>, other: &Term<'_>) {
    let (Some(one), Some(other)) = (one.synset, other.synset) else { return };
    let (small, large) = (knowledge.taxonomy().name(one), knowledge.taxonomy().name(other));
    let attachments = Attachments::of(knowledge.edition());
    if attachments.contains(small, large) {
        return;
    }
    let message = format!("`{small}` cannot be attached to `{large}`");
    let diagnostic = at(atom.origin, codes::NOT_ATTACHABLE, Severity::Warning, message);
    let targets = attachments.targets(small);
    let help = if attachments.contains(large, small) {
        format!("swap the arguments: the smaller object comes first, a `{large}` is attached to a `{small}`")
    } else if targets.is_empty() {
        format!("use `ontop` or `touching`: the release attaches `{small}` to no other synset")
    } else {
        format!("use a target that a `{small}` can be attached to: {}", listed(targets))
    };
    findings.report(&[Check::Applicable], diagnostic.with_help(help));
}

/// Checks that every container for a specific substance occurs as a container in `filled`, `contains`, `insource` or `inside`.
pub(super) fn containers(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    let Some(fillable) = taxonomy.ability("fillable") else { return };
    let specific: Vec<(SynsetId, &crate::ast::Name)> = resolved
        .groups
        .iter()
        .filter_map(|group| Some((group.synset?, group.category)))
        .filter(|&(synset, _)| taxonomy.has_ability(synset, fillable))
        .filter(|(_, category)| &*category.text != AGENT && is_specific(&category.text))
        .collect();
    if specific.is_empty() {
        return;
    }
    let used: FxHashSet<SynsetId> = resolved
        .atoms()
        .filter_map(|AtomOccurrence { atom, terms, .. }| match &*atom.predicate.text {
            "filled" | "contains" | "insource" => terms.first()?.synset,
            "inside" => terms.get(1)?.synset,
            _ => None,
        })
        .collect();
    for (_, category) in specific.iter().filter(|(synset, _)| !used.contains(synset)) {
        let message = format!("{} is a container for a specific substance, but is never filled", quoted(category));
        let diagnostic = at(category.origin, codes::SPECIFIC_CONTAINER, Severity::Warning, message);
        let help = "state its contents, or use the closed form, such as `bottle__of__water.n.01`";
        findings.report(&[Check::ContainersUsed], diagnostic.with_help(help));
    }
}

/// Whether a synset is a container for a specific substance, such as `water__bottle.n.01`.
fn is_specific(synset: &str) -> bool {
    let is_derived =
        |synset: &str| ["__of__", "diced__", "cooked__", "half__"].iter().any(|part| synset.contains(part));
    synset.as_bytes().windows(2).any(|pair| pair == b"__") && !is_derived(synset)
}
