//! Lints that use the world knowledge of a release: availability of object models and scenes, and reachability of `future`
//! objects.

use std::fmt::Write as _;

use goalspec_syntax::Severity;

use super::findings::{Findings, listed, quoted};
use super::resolved::ResolvedProblem;
use crate::codes;
use crate::diagnostics::at;
use crate::knowledge::Knowledge;
use crate::knowledge::scenes::{Scene, UnmetRoomRequirement};
use crate::knowledge::taxonomy::SynsetId;

/// The maximum number of synsets that a message suggests.
const MAX_SUGGESTED: usize = 3;

/// Reports categories without an object model or substance.
pub(super) fn models(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let categories = resolved.groups.iter().filter_map(|group| Some((group.category, group.synset?)));
    for (category, _) in categories.filter(|&(category, synset)| knowledge.lacks_model(category, synset)) {
        let message = format!("no object model of {} in the release", quoted(category));
        let diagnostic = at(category.origin, codes::NO_MODELS, Severity::Warning, message);
        findings.report(&[], diagnostic.with_help("use a nearby synset of the taxonomy that has object models"));
    }
}

/// Reports an activity that fits into no scene.
pub(super) fn scenes(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    if knowledge.scenes().is_empty() || knowledge.has_scene(resolved.problem) {
        return;
    }
    let message = "no scene of the release has the rooms that the activity requires";
    let diagnostic = at(resolved.problem.name.origin, codes::NO_SCENE, Severity::Warning, message);
    let scenes = knowledge.unmet_by_scene(resolved.problem);
    let missing = |(_, unmet_requirements): &&(&Scene, Vec<UnmetRoomRequirement<'_>>)| {
        let count = |unmet: &UnmetRoomRequirement<'_>| {
            unmet.nearest.iter().flat_map(|(_, missing)| missing).map(|&(_, count)| u64::from(count)).sum::<u64>()
        };
        (
            unmet_requirements.iter().filter(|unmet| unmet.nearest.is_none()).count(),
            unmet_requirements.iter().map(count).sum::<u64>(),
        )
    };
    let help = scenes
        .iter()
        .min_by_key(missing)
        .map(|(scene, unmet_requirements)| nearest(knowledge, scene, unmet_requirements));
    findings.report(
        &[],
        match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        },
    );
}

/// Describes the missing rooms and objects of a scene.
fn nearest(knowledge: &Knowledge, scene: &Scene, unmet_requirements: &[UnmetRoomRequirement<'_>]) -> String {
    let mut help = format!("the nearest scene is `{}`:", scene.name);
    for (index, unmet) in unmet_requirements.iter().enumerate() {
        let comma = if index == 0 { "" } else { ";" };
        // Writing to a string cannot fail.
        let _ = match &unmet.nearest {
            None => write!(help, "{comma} no room of type `{}`", unmet.kind),
            Some((room, missing)) => {
                let object =
                    |&(synset, count): &(SynsetId, u32)| format!("{count} `{}`", knowledge.taxonomy().name(synset));
                let objects: Vec<String> = missing.iter().map(object).collect();
                write!(help, "{comma} missing in `{room}`: {}", objects.join(", "))
            }
        };
    }
    help
}

/// Reports `future` objects that no transition rules can make.
pub(super) fn futures(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, findings: &mut Findings) {
    let taxonomy = knowledge.taxonomy();
    for unreachable in knowledge.unreachable_objects(resolved.problem) {
        let (instance, name) = (unreachable.instance, taxonomy.name(unreachable.synset));
        let diagnostic = if !taxonomy.is_leaf(unreachable.synset) {
            let message =
                format!("the synset `{name}` of the future object {} is not a leaf of the taxonomy", quoted(instance));
            let leaves = taxonomy
                .leaves(unreachable.synset)
                .filter(|&leaf| knowledge.rules().with_output(leaf).next().is_some());
            let leaves: Vec<&str> = leaves.take(MAX_SUGGESTED).map(|leaf| &**taxonomy.name(leaf)).collect();
            let diagnostic = at(instance.origin, codes::NON_LEAF_FUTURE, Severity::Warning, message);
            if leaves.is_empty() {
                diagnostic
            } else {
                diagnostic.with_help(format!("use a leaf that rules make, such as {}", listed(leaves)))
            }
        } else if let Some(rule) = &unreachable.rule_with_machines {
            let message = format!("no machine is declared for any rule that makes {}", quoted(instance));
            let diagnostic = at(instance.origin, codes::MISSING_MACHINE, Severity::Note, message);
            diagnostic.with_help(missing_machine(resolved, knowledge, rule))
        } else {
            let message = format!("no chain of transition rules makes {}", quoted(instance));
            let diagnostic = at(instance.origin, codes::UNREACHABLE, Severity::Warning, message);
            diagnostic.with_help(recipe(knowledge, unreachable.synset))
        };
        findings.report(&[], diagnostic);
    }
}

/// Describes the machines of a rule that the activity does not declare.
fn missing_machine(resolved: &ResolvedProblem<'_>, knowledge: &Knowledge, rule: &str) -> String {
    let taxonomy = knowledge.taxonomy();
    let machines =
        knowledge.rules().all().iter().find(|known| *known.name == *rule).map_or(&[][..], |rule| &rule.machines);
    let absent = machines.iter().filter(|&&machine| {
        let is_one = |synset| synset == machine || taxonomy.is_descendant(synset, machine);
        !resolved.instances.iter().filter_map(|instance| instance.synset).any(is_one)
    });
    let names: Vec<&str> = absent.map(|&machine| &**taxonomy.name(machine)).collect();
    if names.is_empty() {
        return format!("the rule `{rule}` makes it, but its inputs cannot be made");
    }
    format!("declare {}, which the rule `{rule}` requires", listed(names))
}

/// Describes the inputs of the first rule that makes a synset.
fn recipe(knowledge: &Knowledge, synset: SynsetId) -> String {
    let taxonomy = knowledge.taxonomy();
    match knowledge.rules().with_output(synset).next() {
        Some(rule) => {
            let inputs = listed(rule.inputs.iter().map(|&input| &**taxonomy.name(input)));
            format!("declare the inputs of the rule `{}`, which makes it: {inputs}", rule.name)
        }
        None => "place it in `:init`, or require another object: no rule makes it".to_owned(),
    }
}
