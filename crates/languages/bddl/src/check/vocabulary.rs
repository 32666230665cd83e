//! What the checks know of the languages of the releases: what places what, which rooms there are, what can be attached to
//! what.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

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
    }

    #[test]
    fn all_pairs_are_read() {
        assert_eq!(ATTACHMENTS.len(), 47);
    }
}
