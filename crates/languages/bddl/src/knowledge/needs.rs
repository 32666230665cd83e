//! What predicates need of their arguments, with the abilities looked up when a release is loaded.

use super::Edition;
use super::taxonomy::{AbilityId, SynsetId, Taxonomy};

/// What a predicate needs of its arguments.
#[derive(Debug)]
struct Predicate {
    name: &'static str,
    needs: &'static [Need],
}

/// What an argument must be.
#[derive(Debug)]
pub(crate) enum Need {
    /// A thing with all of some abilities and, if the second list is not empty, one of its abilities.
    Thing(&'static [&'static str], &'static [&'static str]),
    /// A room.
    Room,
}

const ANY: Need = Need::Thing(&[], &[]);
const SUBSTANCE: Need = Need::Thing(&["substance"], &[]);
const OBJECT: Need = Need::Thing(&["nonSubstance"], &[]);
const RIGID: Need = Need::Thing(&["rigidBody"], &[]);
const CLOTH: Need = Need::Thing(&["drapeable"], &[]);
const CONTAINER: Need = Need::Thing(&["rigidBody", "fillable"], &[]);
const SUPPORT: Need = Need::Thing(&[], &["rigidBody", "softBody"]);

const fn unary(name: &'static str, needs: &'static [Need; 1]) -> Predicate {
    Predicate { name, needs }
}

const fn binary(name: &'static str, needs: &'static [Need; 2]) -> Predicate {
    Predicate { name, needs }
}

/// The predicates of BEHAVIOR-1K in 3.6.0, sorted. `covered` and `attached` need more, which depends on both arguments.
const BEHAVIOR_1K: [Predicate; 26] = [
    binary("attached", &[RIGID, RIGID]),
    unary("broken", &[Need::Thing(&["rigidBody", "breakable"], &[])]),
    binary("contains", &[CONTAINER, SUBSTANCE]),
    unary("cooked", &[Need::Thing(&["nonSubstance", "cookable"], &[])]),
    binary("covered", &[OBJECT, SUBSTANCE]),
    binary("draped", &[CLOTH, RIGID]),
    binary("filled", &[CONTAINER, Need::Thing(&["physicalSubstance"], &[])]),
    unary("folded", &[CLOTH]),
    unary("frozen", &[Need::Thing(&["nonSubstance", "freezable"], &[])]),
    unary("future", &[ANY]),
    binary("grasped", &[ANY, ANY]),
    unary("hot", &[Need::Thing(&["nonSubstance", "heatable"], &[])]),
    binary("inroom", &[Need::Thing(&["sceneObject"], &[]), Need::Room]),
    binary("inside", &[OBJECT, Need::Thing(&["fillable"], &["rigidBody", "softBody"])]),
    binary("insource", &[Need::Thing(&[], &["particleSource", "particleApplier"]), SUBSTANCE]),
    binary("nextto", &[OBJECT, OBJECT]),
    unary("on_fire", &[Need::Thing(&["nonSubstance", "flammable"], &[])]),
    binary("ontop", &[OBJECT, SUPPORT]),
    unary("open", &[Need::Thing(&["rigidBody", "openable"], &[])]),
    binary("overlaid", &[CLOTH, RIGID]),
    unary("real", &[ANY]),
    binary("saturated", &[Need::Thing(&["nonSubstance", "particleRemover"], &[]), SUBSTANCE]),
    unary("toggled_on", &[Need::Thing(&["rigidBody", "toggleable"], &[])]),
    binary("touching", &[RIGID, RIGID]),
    binary("under", &[OBJECT, SUPPORT]),
    unary("unfolded", &[CLOTH]),
];

/// What predicates need in 3.5.0, where that is not what they need in 3.6.0; sorted.
const CHANGED_IN_3_6: [Predicate; 1] = [binary("inside", &[OBJECT, SUPPORT])];

/// What predicates need in 3.1.0, where that is not what they need in 3.6.0; sorted. `attached` depends on both arguments.
const CHANGED_SINCE_3_1: [Predicate; 17] = [
    unary("assembled", &[Need::Thing(&["assembleable"], &[])]),
    binary("attached", &[ANY, ANY]),
    unary("broken", &[Need::Thing(&["breakable"], &[])]),
    binary("contains", &[Need::Thing(&["fillable"], &[]), SUBSTANCE]),
    unary("cooked", &[Need::Thing(&["cookable"], &[])]),
    binary("filled", &[Need::Thing(&["fillable"], &[]), Need::Thing(&["physicalSubstance"], &[])]),
    unary("frozen", &[Need::Thing(&["freezable"], &[])]),
    unary("hot", &[Need::Thing(&["heatable"], &[])]),
    binary("inroom", &[ANY, Need::Room]),
    binary("inside", &[OBJECT, OBJECT]),
    unary("on_fire", &[Need::Thing(&["flammable"], &[])]),
    binary("ontop", &[OBJECT, OBJECT]),
    unary("open", &[Need::Thing(&["openable"], &[])]),
    binary("saturated", &[Need::Thing(&["particleRemover"], &[]), SUBSTANCE]),
    unary("toggled_on", &[Need::Thing(&["toggleable"], &[])]),
    binary("touching", &[RIGID, RIGID]),
    binary("under", &[OBJECT, RIGID]),
];

/// The predicates of BEHAVIOR-100, sorted: a state is that of things with the ability of its name.
const BEHAVIOR_100: [Predicate; 20] = [
    unary("broken", &[Need::Thing(&["breakable"], &[])]),
    unary("burnt", &[Need::Thing(&["burnable"], &[])]),
    unary("cooked", &[Need::Thing(&["cookable"], &[])]),
    unary("dusty", &[Need::Thing(&["dustyable"], &[])]),
    unary("frozen", &[Need::Thing(&["freezable"], &[])]),
    binary("inroom", &[ANY, Need::Room]),
    binary("inside", &[ANY, ANY]),
    binary("nextto", &[ANY, ANY]),
    binary("onfloor", &[ANY, ANY]),
    binary("ontop", &[ANY, ANY]),
    unary("open", &[Need::Thing(&["openable"], &[])]),
    unary("perished", &[Need::Thing(&["perishable"], &[])]),
    unary("screwed", &[Need::Thing(&["screwable"], &[])]),
    unary("sliced", &[Need::Thing(&["sliceable"], &[])]),
    unary("soaked", &[Need::Thing(&["soakable"], &[])]),
    unary("stained", &[Need::Thing(&["stainable"], &[])]),
    unary("timeset", &[Need::Thing(&["timeSetable"], &[])]),
    unary("toggled_on", &[Need::Thing(&["toggleable"], &[])]),
    binary("touching", &[ANY, ANY]),
    binary("under", &[ANY, ANY]),
];

/// The predicates of an edition: those of a table, but for changes.
fn tables(edition: Edition) -> (&'static [Predicate], &'static [Predicate]) {
    match edition {
        Edition::V1_0 => (&BEHAVIOR_100, &[]),
        Edition::V3_1 => (&BEHAVIOR_1K, &CHANGED_SINCE_3_1),
        Edition::V3_5 => (&BEHAVIOR_1K, &CHANGED_IN_3_6),
        Edition::V3_6 => (&BEHAVIOR_1K, &[]),
    }
}

/// What a predicate of an edition needs of its arguments, if the edition has it.
pub(crate) fn of_edition(edition: Edition, name: &str) -> Option<&'static [Need]> {
    let (table, changes) = tables(edition);
    let find = |table: &'static [Predicate]| table.iter().find(|known| known.name == name).map(|known| known.needs);
    find(changes).or_else(|| find(table))
}

/// What the predicates of an edition need, sorted by name.
#[derive(Debug, Clone)]
pub(crate) struct Needs(Vec<Known>);

impl Needs {
    pub(super) fn new(edition: Edition, taxonomy: &Taxonomy) -> Self {
        let (table, changes) = tables(edition);
        let kept = table.iter().filter(|known| changes.iter().all(|changed| changed.name != known.name));
        let mut needs: Vec<Known> = kept.chain(changes).map(|predicate| Known::new(predicate, taxonomy)).collect();
        needs.sort_unstable_by_key(|known| known.name);
        Self(needs)
    }

    /// What a predicate needs, if the edition has it.
    pub(crate) fn of(&self, predicate: &str) -> Option<&Known> {
        let at = self.0.binary_search_by(|known| known.name.cmp(predicate)).ok()?;
        Some(&self.0[at])
    }
}

/// A predicate with what it needs of its arguments, looked up in a taxonomy.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// For each argument what a thing must be; none for a room.
    pub(crate) needs: Box<[Option<Abilities>]>,
}

impl Known {
    fn new(predicate: &Predicate, taxonomy: &Taxonomy) -> Self {
        let needs = predicate.needs.iter().map(|need| match need {
            Need::Thing(all, any) => Some(Abilities { all: look_up(all, taxonomy), any: look_up(any, taxonomy) }),
            Need::Room => None,
        });
        Self { name: predicate.name, needs: needs.collect() }
    }
}

/// What a thing must be.
#[derive(Debug, Clone)]
pub(crate) struct Abilities {
    all: LookedUp,
    /// One of these, if there are any.
    any: LookedUp,
}

/// Abilities with their ids; no synset has those without one.
type LookedUp = Box<[(&'static str, Option<AbilityId>)]>;

fn look_up(names: &[&'static str], taxonomy: &Taxonomy) -> LookedUp {
    names.iter().map(|&name| (name, taxonomy.ability(name))).collect()
}

impl Abilities {
    /// Whether everything will do.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.any.is_empty()
    }

    /// Whether a synset has all that is needed.
    pub(crate) fn fit(&self, taxonomy: &Taxonomy, synset: SynsetId) -> bool {
        let has = |&(_, ability): &(_, Option<AbilityId>)| has(taxonomy, synset, ability);
        self.all.iter().all(has) && (self.any.is_empty() || self.any.iter().any(has))
    }

    /// The first of the abilities that are all needed which a synset has not.
    pub(crate) fn missing(&self, taxonomy: &Taxonomy, synset: SynsetId) -> Option<&'static str> {
        let lacks = |&&(_, ability): &&(_, Option<AbilityId>)| !has(taxonomy, synset, ability);
        self.all.iter().find(lacks).map(|&(name, _)| name)
    }

    /// The abilities one of which is needed.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.any.iter().map(|&(name, _)| name)
    }
}

/// Whether a synset has an ability, if there is such an ability.
pub(crate) fn has(taxonomy: &Taxonomy, synset: SynsetId, ability: Option<AbilityId>) -> bool {
    ability.is_some_and(|ability| taxonomy.has_ability(synset, ability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_is_sorted() {
        for table in [&BEHAVIOR_1K[..], &BEHAVIOR_100, &CHANGED_IN_3_6, &CHANGED_SINCE_3_1] {
            assert!(table.is_sorted_by(|one, other| one.name < other.name));
        }
    }
}
