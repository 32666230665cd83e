//! Checks of what things can do: predicates apply to their arguments, containers are used as such.

use goalspec_syntax::Severity;
use rustc_hash::FxHashSet;

use super::codes;
use super::findings::{Findings, at, listed, quoted, written};
use super::resolved::{Meaning, Resolved, Term};
use super::verdicts::Check;
use super::vocabulary::{self, Need};
use crate::ast::Atom;
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};
use crate::knowledge::{AGENT, Knowledge};

/// Most synsets that a message suggests.
const MAX_SUGGESTED: usize = 3;

/// Predicates are about things that can have them.
pub(super) fn applicable(resolved: &Resolved<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    // Neighbours mostly have the same predicate.
    let mut last = ("", None);
    for (atom, terms) in resolved.atoms() {
        if last.0 != &*atom.predicate.text {
            last = (&*atom.predicate.text, vocabulary::predicate(knowledge.release(), &atom.predicate.text));
        }
        let Some(predicate) = last.1 else { continue };
        let stands = predicate.name == "ontop"
            && *terms[..].first().map_or("", |term| &term.name.text) == *super::AGENT_INSTANCE;
        if terms.len() != predicate.needs.len() || stands {
            // The reader speaks of the number of arguments. That the agent stands somewhere needs nothing.
            continue;
        }
        for (index, (need, term)) in predicate.needs.iter().zip(terms).enumerate() {
            match need {
                Need::Thing(all, any) => thing(taxonomy, findings, (atom, index), term, all, any),
                Need::Room if term.means == Meaning::Room => {}
                Need::Room => findings.fail(&[Check::Applicable]),
            }
        }
        if let [one, other] = &terms[..] {
            match predicate.name {
                "covered" => covered(taxonomy, findings, atom, one, other),
                "attached" => attached(taxonomy, findings, atom, one, other),
                _ => {}
            }
        }
    }
}

/// An argument has the abilities that its predicate needs.
fn thing(
    taxonomy: &Taxonomy,
    findings: &mut Findings,
    (atom, index): (&Atom, usize),
    term: &Term<'_>,
    all: &'static [&'static str],
    any: &'static [&'static str],
) {
    let Some(synset) = term.synset else {
        if term.means == Meaning::Nothing || !all.is_empty() || !any.is_empty() {
            // Names that stand for nothing and unknown synsets are reported where they are declared.
            findings.fail(&[Check::Applicable]);
        }
        return;
    };
    let has = |synset: SynsetId, ability: &str| {
        taxonomy.ability(ability).is_some_and(|ability| taxonomy.has_ability(synset, ability))
    };
    let fits = |synset: SynsetId| {
        all.iter().all(|ability| has(synset, ability))
            && (any.is_empty() || any.iter().any(|ability| has(synset, ability)))
    };
    if fits(synset) {
        return;
    }
    let name = taxonomy.name(synset);
    let lacking = match all.iter().find(|ability| !has(synset, ability)) {
        Some(ability) => format!("is not `{ability}`"),
        None => format!("is none of {}", listed(any.iter().copied())),
    };
    let message = format!("`{}` does not apply: `{name}` {lacking}", written(atom));
    let mut diagnostic = at(atom.origin, codes::INAPPLICABLE, Severity::Warning, message);
    let near = suggestions(taxonomy, synset, fits);
    let help = if near.is_empty() {
        "name a thing of another kind, or use another predicate".to_owned()
    } else {
        let names = listed(near.iter().map(|&synset| &**taxonomy.name(synset)));
        format!("it applies to {names}, for instance")
    };
    diagnostic = diagnostic.with_help(help);
    let supports = has(synset, "rigidBody") || has(synset, "softBody");
    if *atom.predicate.text == *"inside" && index == 1 && supports {
        diagnostic = diagnostic.with_help("or say `ontop` instead of `inside`");
    }
    findings.report(&[Check::Applicable], diagnostic);
}

/// Some synsets near one that fit: leaves below it, else below what is above it.
fn suggestions(taxonomy: &Taxonomy, synset: SynsetId, fits: impl Fn(SynsetId) -> bool) -> Vec<SynsetId> {
    let above = taxonomy.parents(synset).iter().copied();
    for start in std::iter::once(synset).chain(above) {
        let found: Vec<SynsetId> = taxonomy.leaves(start).filter(|&leaf| fits(leaf)).take(MAX_SUGGESTED).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Cloth is covered by what has no volume.
fn covered(taxonomy: &Taxonomy, findings: &mut Findings, atom: &Atom, cloth: &Term<'_>, substance: &Term<'_>) {
    let (Some(cloth), Some(substance)) = (cloth.synset, substance.synset) else { return };
    let has = |synset, ability| taxonomy.ability(ability).is_some_and(|ability| taxonomy.has_ability(synset, ability));
    if has(cloth, "drapeable") && has(substance, "substance") && !has(substance, "visualSubstance") {
        let (cloth, name) = (taxonomy.name(cloth), taxonomy.name(substance));
        let message =
            format!("`{}` does not apply: `{cloth}` is cloth, and `{name}` is not `visualSubstance`", written(atom));
        let diagnostic = at(atom.origin, codes::INAPPLICABLE, Severity::Warning, message);
        findings
            .report(&[Check::Applicable], diagnostic.with_help("say `saturated` if the cloth is to be soaked with it"));
    }
}

/// Things that are attached to each other are made for it.
fn attached(taxonomy: &Taxonomy, findings: &mut Findings, atom: &Atom, one: &Term<'_>, other: &Term<'_>) {
    let (Some(one), Some(other)) = (one.synset, other.synset) else { return };
    let (small, large) = (taxonomy.name(one), taxonomy.name(other));
    if vocabulary::attachable(small, large) {
        return;
    }
    let message = format!("`{small}` cannot be attached to `{large}`");
    let diagnostic = at(atom.origin, codes::NOT_ATTACHABLE, Severity::Warning, message);
    let targets = vocabulary::attachable_to(small);
    let help = if vocabulary::attachable(large, small) {
        format!("the smaller thing comes first: a `{large}` is attached to a `{small}`")
    } else if targets.is_empty() {
        format!("nothing is known that a `{small}` is attached to; say `ontop` or `touching`")
    } else {
        format!("a `{small}` is attached to {}", listed(targets))
    };
    findings.report(&[Check::Applicable], diagnostic.with_help(help));
}

/// A container made for a substance is filled, looked into, or put something in.
pub(super) fn containers(resolved: &Resolved<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    let Some(fillable) = taxonomy.ability("fillable") else { return };
    let specific: Vec<(SynsetId, &crate::ast::Name)> = resolved
        .problem
        .objects
        .iter()
        .filter_map(|group| group.category.as_ref())
        .filter(|category| &*category.text != AGENT && is_specific(&category.text))
        .filter_map(|category| Some((taxonomy.synset(&category.text)?, category)))
        .filter(|&(synset, _)| taxonomy.has_ability(synset, fillable))
        .collect();
    if specific.is_empty() {
        return;
    }
    let used: FxHashSet<SynsetId> = resolved
        .atoms()
        .filter_map(|(atom, terms)| match &*atom.predicate.text {
            "filled" | "contains" | "insource" => terms.first()?.synset,
            "inside" => terms.get(1)?.synset,
            _ => None,
        })
        .collect();
    for (_, category) in specific.iter().filter(|(synset, _)| !used.contains(synset)) {
        let message = format!("{} is made to be filled, and nothing is ever in it", quoted(category));
        let diagnostic = at(category.origin, codes::SPECIFIC_CONTAINER, Severity::Warning, message);
        let help = "say what it is filled with, or use the closed form, such as `bottle__of__water.n.01`";
        findings.report(&[Check::ContainersUsed], diagnostic.with_help(help));
    }
}

/// Whether a synset is a container of a certain substance: `water__bottle.n.01`.
fn is_specific(synset: &str) -> bool {
    let made_of = |synset: &str| ["__of__", "diced__", "cooked__", "half__"].iter().any(|part| synset.contains(part));
    synset.as_bytes().windows(2).any(|pair| pair == b"__") && !made_of(synset)
}
