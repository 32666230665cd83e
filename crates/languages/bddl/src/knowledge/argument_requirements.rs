//! The abilities that predicates require of their arguments, resolved when a release is loaded.

use super::Edition;
use super::taxonomy::{AbilityId, SynsetId, Taxonomy};

/// A predicate with the requirements on its arguments.
#[derive(Debug)]
struct Predicate {
    name: &'static str,
    needs: &'static [ArgumentRequirement],
}

/// The requirement on one argument.
#[derive(Debug)]
pub(crate) enum ArgumentRequirement {
    /// An object with all abilities of the first list and, if the second list is not empty, at least one of its abilities.
    Object(&'static [&'static str], &'static [&'static str]),
    /// A room.
    Room,
}

const ANY: ArgumentRequirement = ArgumentRequirement::Object(&[], &[]);
const SUBSTANCE: ArgumentRequirement = ArgumentRequirement::Object(&["substance"], &[]);
const OBJECT: ArgumentRequirement = ArgumentRequirement::Object(&["nonSubstance"], &[]);
const RIGID: ArgumentRequirement = ArgumentRequirement::Object(&["rigidBody"], &[]);
const CLOTH: ArgumentRequirement = ArgumentRequirement::Object(&["drapeable"], &[]);
const CONTAINER: ArgumentRequirement = ArgumentRequirement::Object(&["rigidBody", "fillable"], &[]);
const SUPPORT: ArgumentRequirement = ArgumentRequirement::Object(&[], &["rigidBody", "softBody"]);

const fn unary(name: &'static str, needs: &'static [ArgumentRequirement; 1]) -> Predicate {
    Predicate { name, needs }
}

const fn binary(name: &'static str, needs: &'static [ArgumentRequirement; 2]) -> Predicate {
    Predicate { name, needs }
}

/// The predicates of BEHAVIOR-1K in 3.6.0, sorted. `covered` and `attached` have further requirements, which depend on both
/// arguments.
const BEHAVIOR_1K: [Predicate; 26] = [
    binary("attached", &[RIGID, RIGID]),
    unary("broken", &[ArgumentRequirement::Object(&["rigidBody", "breakable"], &[])]),
    binary("contains", &[CONTAINER, SUBSTANCE]),
    unary("cooked", &[ArgumentRequirement::Object(&["nonSubstance", "cookable"], &[])]),
    binary("covered", &[OBJECT, SUBSTANCE]),
    binary("draped", &[CLOTH, RIGID]),
    binary("filled", &[CONTAINER, ArgumentRequirement::Object(&["physicalSubstance"], &[])]),
    unary("folded", &[CLOTH]),
    unary("frozen", &[ArgumentRequirement::Object(&["nonSubstance", "freezable"], &[])]),
    unary("future", &[ANY]),
    binary("grasped", &[ANY, ANY]),
    unary("hot", &[ArgumentRequirement::Object(&["nonSubstance", "heatable"], &[])]),
    binary("inroom", &[ArgumentRequirement::Object(&["sceneObject"], &[]), ArgumentRequirement::Room]),
    binary("inside", &[OBJECT, ArgumentRequirement::Object(&["fillable"], &["rigidBody", "softBody"])]),
    binary("insource", &[ArgumentRequirement::Object(&[], &["particleSource", "particleApplier"]), SUBSTANCE]),
    binary("nextto", &[OBJECT, OBJECT]),
    unary("on_fire", &[ArgumentRequirement::Object(&["nonSubstance", "flammable"], &[])]),
    binary("ontop", &[OBJECT, SUPPORT]),
    unary("open", &[ArgumentRequirement::Object(&["rigidBody", "openable"], &[])]),
    binary("overlaid", &[CLOTH, RIGID]),
    unary("real", &[ANY]),
    binary("saturated", &[ArgumentRequirement::Object(&["nonSubstance", "particleRemover"], &[]), SUBSTANCE]),
    unary("toggled_on", &[ArgumentRequirement::Object(&["rigidBody", "toggleable"], &[])]),
    binary("touching", &[RIGID, RIGID]),
    binary("under", &[OBJECT, SUPPORT]),
    unary("unfolded", &[CLOTH]),
];

/// The requirements in 3.5.0 that differ from those in 3.6.0, sorted.
const CHANGED_IN_3_6: [Predicate; 1] = [binary("inside", &[OBJECT, SUPPORT])];

/// The requirements in 3.1.0 that differ from those in 3.6.0, sorted. Those of `attached` depend on both arguments.
const CHANGED_SINCE_3_1: [Predicate; 17] = [
    unary("assembled", &[ArgumentRequirement::Object(&["assembleable"], &[])]),
    binary("attached", &[ANY, ANY]),
    unary("broken", &[ArgumentRequirement::Object(&["breakable"], &[])]),
    binary("contains", &[ArgumentRequirement::Object(&["fillable"], &[]), SUBSTANCE]),
    unary("cooked", &[ArgumentRequirement::Object(&["cookable"], &[])]),
    binary(
        "filled",
        &[ArgumentRequirement::Object(&["fillable"], &[]), ArgumentRequirement::Object(&["physicalSubstance"], &[])],
    ),
    unary("frozen", &[ArgumentRequirement::Object(&["freezable"], &[])]),
    unary("hot", &[ArgumentRequirement::Object(&["heatable"], &[])]),
    binary("inroom", &[ANY, ArgumentRequirement::Room]),
    binary("inside", &[OBJECT, OBJECT]),
    unary("on_fire", &[ArgumentRequirement::Object(&["flammable"], &[])]),
    binary("ontop", &[OBJECT, OBJECT]),
    unary("open", &[ArgumentRequirement::Object(&["openable"], &[])]),
    binary("saturated", &[ArgumentRequirement::Object(&["particleRemover"], &[]), SUBSTANCE]),
    unary("toggled_on", &[ArgumentRequirement::Object(&["toggleable"], &[])]),
    binary("touching", &[RIGID, RIGID]),
    binary("under", &[OBJECT, RIGID]),
];

/// The predicates of BEHAVIOR-100, sorted. Each unary predicate requires the corresponding ability, such as `cookable` for
/// `cooked`.
const BEHAVIOR_100: [Predicate; 20] = [
    unary("broken", &[ArgumentRequirement::Object(&["breakable"], &[])]),
    unary("burnt", &[ArgumentRequirement::Object(&["burnable"], &[])]),
    unary("cooked", &[ArgumentRequirement::Object(&["cookable"], &[])]),
    unary("dusty", &[ArgumentRequirement::Object(&["dustyable"], &[])]),
    unary("frozen", &[ArgumentRequirement::Object(&["freezable"], &[])]),
    binary("inroom", &[ANY, ArgumentRequirement::Room]),
    binary("inside", &[ANY, ANY]),
    binary("nextto", &[ANY, ANY]),
    binary("onfloor", &[ANY, ANY]),
    binary("ontop", &[ANY, ANY]),
    unary("open", &[ArgumentRequirement::Object(&["openable"], &[])]),
    unary("perished", &[ArgumentRequirement::Object(&["perishable"], &[])]),
    unary("screwed", &[ArgumentRequirement::Object(&["screwable"], &[])]),
    unary("sliced", &[ArgumentRequirement::Object(&["sliceable"], &[])]),
    unary("soaked", &[ArgumentRequirement::Object(&["soakable"], &[])]),
    unary("stained", &[ArgumentRequirement::Object(&["stainable"], &[])]),
    unary("timeset", &[ArgumentRequirement::Object(&["timeSetable"], &[])]),
    unary("toggled_on", &[ArgumentRequirement::Object(&["toggleable"], &[])]),
    binary("touching", &[ANY, ANY]),
    binary("under", &[ANY, ANY]),
];

/// Returns the predicates of an edition: a base table, and the entries that replace or extend it.
fn tables(edition: Edition) -> (&'static [Predicate], &'static [Predicate]) {
    match edition {
        Edition::V1_0 => (&BEHAVIOR_100, &[]),
        Edition::V3_1 => (&BEHAVIOR_1K, &CHANGED_SINCE_3_1),
        Edition::V3_5 => (&BEHAVIOR_1K, &CHANGED_IN_3_6),
        Edition::V3_6 => (&BEHAVIOR_1K, &[]),
    }
}

/// Returns the requirements of a predicate on its arguments, if the edition has the predicate.
pub(crate) fn of_edition(edition: Edition, name: &str) -> Option<&'static [ArgumentRequirement]> {
    let (table, changes) = tables(edition);
    let lookup = |table: &'static [Predicate]| {
        table.iter().find(|predicate| predicate.name == name).map(|predicate| predicate.needs)
    };
    lookup(changes).or_else(|| lookup(table))
}

/// The requirements of the predicates of an edition, sorted by name.
#[derive(Debug, Clone)]
pub(crate) struct ArgumentRequirements(Vec<ResolvedPredicate>);

impl ArgumentRequirements {
    pub(super) fn new(edition: Edition, taxonomy: &Taxonomy) -> Self {
        let (table, changes) = tables(edition);
        let unchanged = table.iter().filter(|predicate| changes.iter().all(|changed| changed.name != predicate.name));
        let mut needs: Vec<ResolvedPredicate> =
            unchanged.chain(changes).map(|predicate| ResolvedPredicate::new(predicate, taxonomy)).collect();
        needs.sort_unstable_by_key(|predicate| predicate.name);
        Self(needs)
    }

    /// Returns the requirements of a predicate, if the edition has it.
    pub(crate) fn of(&self, predicate: &str) -> Option<&ResolvedPredicate> {
        let index = self.0.binary_search_by(|entry| entry.name.cmp(predicate)).ok()?;
        Some(&self.0[index])
    }
}

/// A predicate with the requirements on its arguments, resolved against a taxonomy.
#[derive(Debug, Clone)]
pub(crate) struct ResolvedPredicate {
    pub(crate) name: &'static str,
    /// The required abilities of each argument; `None` for a room.
    pub(crate) needs: Box<[Option<Abilities>]>,
}

impl ResolvedPredicate {
    fn new(predicate: &Predicate, taxonomy: &Taxonomy) -> Self {
        let needs = predicate.needs.iter().map(|need| match need {
            ArgumentRequirement::Object(all, any) => {
                Some(Abilities { all: look_up(all, taxonomy), any: look_up(any, taxonomy) })
            }
            ArgumentRequirement::Room => None,
        });
        Self { name: predicate.name, needs: needs.collect() }
    }
}

/// The required abilities of an object.
#[derive(Debug, Clone)]
pub(crate) struct Abilities {
    all: ResolvedAbilities,
    /// Alternative abilities, at least one of which is required if there are any.
    any: ResolvedAbilities,
}

/// Abilities with their ids; `None` if no synset has the ability.
type ResolvedAbilities = Box<[(&'static str, Option<AbilityId>)]>;

fn look_up(names: &[&'static str], taxonomy: &Taxonomy) -> ResolvedAbilities {
    names.iter().map(|&name| (name, taxonomy.ability(name))).collect()
}

impl Abilities {
    /// Whether there is no requirement.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.any.is_empty()
    }

    /// Whether a synset has the required abilities.
    pub(crate) fn satisfied_by(&self, taxonomy: &Taxonomy, synset: SynsetId) -> bool {
        let has_required = |&(_, ability): &(_, Option<AbilityId>)| has(taxonomy, synset, ability);
        self.all.iter().all(has_required) && (self.any.is_empty() || self.any.iter().any(has_required))
    }

    /// Returns the first required ability that a synset lacks, apart from the alternatives.
    pub(crate) fn missing(&self, taxonomy: &Taxonomy, synset: SynsetId) -> Option<&'static str> {
        let is_missing = |&&(_, ability): &&(_, Option<AbilityId>)| !has(taxonomy, synset, ability);
        self.all.iter().find(is_missing).map(|&(name, _)| name)
    }

    /// Returns the alternative abilities, at least one of which is required.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.any.iter().map(|&(name, _)| name)
    }
}

/// Whether a synset has an ability; false if the ability does not exist.
pub(crate) fn has(taxonomy: &Taxonomy, synset: SynsetId, ability: Option<AbilityId>) -> bool {
    ability.is_some_and(|ability| taxonomy.has_ability(synset, ability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searched_tables_are_sorted() {
        for table in [&BEHAVIOR_1K[..], &BEHAVIOR_100, &CHANGED_IN_3_6, &CHANGED_SINCE_3_1] {
            assert!(table.is_sorted_by(|one, other| one.name < other.name));
        }
    }
}
