//! What the checks know of the languages of the releases: what places what, which rooms there are, what can be attached to
//! what.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::knowledge::Edition;

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

/// The pairs of synsets that activities of an edition may attach to each other, the smaller thing first.
#[derive(Debug, Default)]
pub(super) struct Attachments(FxHashSet<(&'static str, &'static str)>);

impl Attachments {
    /// Those of an edition; 1.0.0 attaches nothing to anything.
    pub(super) fn of(edition: Edition) -> &'static Self {
        static TABLES: LazyLock<[Attachments; 3]> = LazyLock::new(|| {
            [
                include_str!("../../data/attachments-3.1.txt"),
                include_str!("../../data/attachments-3.5.txt"),
                include_str!("../../data/attachments-3.6.txt"),
            ]
            .map(Attachments::read)
        });
        static NONE: LazyLock<Attachments> = LazyLock::new(Attachments::default);
        match edition {
            Edition::V1_0 => &NONE,
            Edition::V3_1 => &TABLES[0],
            Edition::V3_5 => &TABLES[1],
            Edition::V3_6 => &TABLES[2],
        }
    }

    fn read(table: &'static str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        Self(lines.filter_map(|line| line.split_once(' ')).collect())
    }

    /// Whether a thing of one synset may be attached to one of another.
    pub(super) fn contains(&self, small: &str, large: &str) -> bool {
        self.0.contains(&(small, large))
    }

    /// The synsets that a thing of a synset may be attached to.
    pub(super) fn targets(&self, small: &str) -> Vec<&'static str> {
        let mut found: Vec<&str> = self.0.iter().filter(|pair| pair.0 == small).map(|pair| pair.1).collect();
        found.sort_unstable();
        found
    }
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
        let editions = [Edition::V1_0, Edition::V3_1, Edition::V3_5, Edition::V3_6];
        assert_eq!(editions.map(|edition| Attachments::of(edition).0.len()), [0, 43, 45, 47]);
    }
}
