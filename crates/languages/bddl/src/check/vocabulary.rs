//! What the checks know of the languages of the releases: what predicates need, what places what, which rooms there are,
//! what can be attached to what.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::dialect::Release;

/// What a predicate needs of its arguments.
#[derive(Debug)]
pub(super) struct Predicate {
    pub(super) name: &'static str,
    pub(super) needs: &'static [Need],
}

/// What an argument must be.
#[derive(Debug)]
pub(super) enum Need {
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

/// The predicates of BEHAVIOR-1K, sorted. `covered` and `attached` need more, which depends on both arguments.
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

/// What a release needs of the arguments of a predicate.
pub(super) fn predicate(release: Release, name: &str) -> Option<&'static Predicate> {
    let table: &'static [Predicate] = match release {
        Release::V1_0 => &BEHAVIOR_100,
        Release::V3_6 => &BEHAVIOR_1K,
    };
    let at = table.binary_search_by(|predicate| predicate.name.cmp(name)).ok()?;
    Some(&table[at])
}

/// The predicates that say where a thing is: the first argument, by the second.
pub(super) fn places(predicate: &str) -> bool {
    matches!(predicate, "ontop" | "inside" | "under" | "overlaid" | "attached" | "draped" | "onfloor")
}

/// The predicates that say where a substance is: the second argument, by the first.
pub(super) fn places_substance(predicate: &str) -> bool {
    matches!(predicate, "saturated" | "filled" | "covered" | "insource" | "contains")
}

/// The predicates of position, which cannot be negated in `:init`.
pub(super) fn is_kinematic(predicate: &str) -> bool {
    matches!(predicate, "nextto" | "touching") || places(predicate)
}

/// The types of rooms that the checks of 3.6.0 know, sorted. Its data files have some more.
pub(super) const ROOMS: [&str; 28] = [
    "bar",
    "bathroom",
    "bedroom",
    "break_room",
    "childs_room",
    "classroom",
    "closet",
    "computer_lab",
    "corridor",
    "dining_room",
    "empty_room",
    "entryway",
    "garage",
    "garden",
    "grocery_store",
    "kitchen",
    "living_room",
    "lobby",
    "meeting_room",
    "playroom",
    "private_office",
    "sauna",
    "shared_office",
    "spa",
    "staircase",
    "storage_room",
    "television_room",
    "utility_room",
];

/// The pairs of synsets that activities may attach to each other, the smaller thing first.
static ATTACHMENTS: LazyLock<FxHashSet<(&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/attachments.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')).collect()
});

/// Whether activities may attach a thing of one synset to one of another.
pub(super) fn attachable(small: &str, large: &str) -> bool {
    ATTACHMENTS.contains(&(small, large))
}

/// The synsets that activities may attach a thing of a synset to.
pub(super) fn attachable_to(small: &str) -> Vec<&'static str> {
    let mut found: Vec<&str> = ATTACHMENTS.iter().filter(|pair| pair.0 == small).map(|pair| pair.1).collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_is_sorted() {
        assert!(ROOMS.is_sorted());
        for table in [&BEHAVIOR_1K[..], &BEHAVIOR_100] {
            assert!(table.is_sorted_by(|one, other| one.name < other.name));
        }
    }

    #[test]
    fn all_pairs_are_read() {
        assert_eq!(ATTACHMENTS.len(), 47);
    }
}
