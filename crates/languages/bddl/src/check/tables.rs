//! Tables of the releases that the checks use: placement predicates, types of rooms, pairs of synsets that can be attached.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::knowledge::Edition;

/// Whether a predicate places its first argument relative to its second.
pub(super) fn places(predicate: &str) -> bool {
    matches!(predicate, "ontop" | "inside" | "under" | "overlaid" | "attached" | "draped" | "onfloor")
}

/// Whether a predicate places its second argument, a substance, relative to its first.
pub(super) fn places_substance(predicate: &str) -> bool {
    matches!(predicate, "saturated" | "filled" | "covered" | "insource" | "contains")
}

/// Whether a predicate is kinematic: its negation is not allowed in `:init`.
pub(super) fn is_kinematic(predicate: &str) -> bool {
    matches!(predicate, "nextto" | "touching") || places(predicate)
}

/// The types of rooms that the checks of 3.6.0 accept, sorted. Its data files contain further ones.
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

/// The pairs of synsets that activities of an edition may attach, the smaller object first.
#[derive(Debug, Default)]
pub(crate) struct Attachments(FxHashSet<(&'static str, &'static str)>);

impl Attachments {
    /// Returns the pairs of an edition; 1.0.0 has none.
    pub(crate) fn of(edition: Edition) -> &'static Self {
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

    /// Whether an object of the synset `small` may be attached to one of `large`.
    pub(crate) fn contains(&self, small: &str, large: &str) -> bool {
        self.0.contains(&(small, large))
    }

    /// Returns the synsets that an object of the synset `small` may be attached to, sorted.
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
    fn searched_tables_are_sorted() {
        assert!(ROOMS.is_sorted());
    }

    #[test]
    fn all_pairs_are_read() {
        let editions = [Edition::V1_0, Edition::V3_1, Edition::V3_5, Edition::V3_6];
        assert_eq!(editions.map(|edition| Attachments::of(edition).0.len()), [0, 43, 45, 47]);
    }
}
