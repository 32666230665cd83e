//! The landmark graph: landmarks with their orders.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The kind of an order between two landmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    /// Achieving the first landmark later would undo the second one.
    Reasonable,
    /// The first landmark holds at some time before the second one.
    Natural,
    /// The first landmark holds immediately before the second one holds for the first time.
    GreedyNecessary,
}

/// A landmark.
#[derive(Debug, Clone)]
pub(crate) struct Landmark {
    /// The propositions of the disjunction; sorted.
    pub(super) facts: Vec<u32>,
    /// Whether the landmark is a goal fact.
    pub(super) goal: bool,
    /// The landmarks ordered after it.
    pub(super) after: BTreeMap<u32, Order>,
    /// The landmarks ordered before it.
    pub(super) before: BTreeMap<u32, Order>,
    /// Whether a simple landmark replaced it.
    removed: bool,
}

impl Landmark {
    /// Whether the landmark is a single fact.
    pub(super) fn is_simple(&self) -> bool {
        self.facts.len() == 1
    }
}

/// A landmark graph.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    /// The landmarks.
    pub(super) landmarks: Vec<Landmark>,
    simple: FxHashMap<u32, u32>,
    disjunctive: FxHashMap<u32, u32>,
}

impl Graph {
    /// Adds a simple landmark and removes a disjunctive one that contains the fact. Returns its index and whether it is new.
    pub(super) fn add_simple(&mut self, fact: u32) -> (u32, bool) {
        if let Some(&place) = self.simple.get(&fact) {
            return (place, false);
        }
        if let Some(&place) = self.disjunctive.get(&fact) {
            self.remove(place);
        }
        let place = self.add(vec![fact]);
        self.simple.insert(fact, place);
        (place, true)
    }

    /// Adds a disjunctive landmark. Returns its index and whether it is new, or `None` if a fact of it occurs in another
    /// landmark.
    pub(super) fn add_disjunctive(&mut self, facts: Vec<u32>) -> Option<(u32, bool)> {
        if facts.iter().any(|fact| self.simple.contains_key(fact)) {
            return None;
        }
        let known = facts.iter().find_map(|fact| self.disjunctive.get(fact).copied());
        if let Some(place) = known {
            return (self.landmarks[place as usize].facts == facts).then_some((place, false));
        }
        let place = self.landmarks.len() as u32;
        for &fact in &facts {
            self.disjunctive.insert(fact, place);
        }
        self.add(facts);
        Some((place, true))
    }

    /// Returns the simple landmark of a fact.
    pub(super) fn simple(&self, fact: u32) -> Option<u32> {
        self.simple.get(&fact).copied()
    }

    fn add(&mut self, facts: Vec<u32>) -> u32 {
        self.landmarks.push(Landmark {
            facts,
            goal: false,
            after: BTreeMap::new(),
            before: BTreeMap::new(),
            removed: false,
        });
        self.landmarks.len() as u32 - 1
    }

    fn remove(&mut self, place: u32) {
        let landmark = &mut self.landmarks[place as usize];
        landmark.removed = true;
        let (facts, after, before) =
            (landmark.facts.clone(), std::mem::take(&mut landmark.after), std::mem::take(&mut landmark.before));
        for fact in facts {
            self.disjunctive.remove(&fact);
        }
        for other in after.into_keys() {
            self.landmarks[other as usize].before.remove(&place);
        }
        for other in before.into_keys() {
            self.landmarks[other as usize].after.remove(&place);
        }
    }

    /// Whether a landmark has been removed.
    pub(super) fn is_removed(&self, place: u32) -> bool {
        self.landmarks[place as usize].removed
    }

    /// Adds an order between two landmarks, unless a stricter one is known.
    pub(super) fn order(&mut self, before: u32, after: u32, order: Order) {
        if before == after {
            return;
        }
        let known = self.landmarks[before as usize].after.entry(after).or_insert(order);
        *known = (*known).max(order);
        let order = *known;
        self.landmarks[after as usize].before.insert(before, order);
    }

    /// Drops removed landmarks and renumbers the others.
    pub(super) fn compact(&mut self) {
        let mut places = Vec::with_capacity(self.landmarks.len());
        let mut kept = 0u32;
        for landmark in &self.landmarks {
            places.push(kept);
            kept += u32::from(!landmark.removed);
        }
        self.landmarks.retain(|landmark| !landmark.removed);
        let moved = |orders: &BTreeMap<u32, Order>| -> BTreeMap<u32, Order> {
            orders.iter().map(|(&place, &order)| (places[place as usize], order)).collect()
        };
        for landmark in &mut self.landmarks {
            landmark.after = moved(&landmark.after);
            landmark.before = moved(&landmark.before);
        }
        for place in self.simple.values_mut() {
            *place = places[*place as usize];
        }
        self.disjunctive.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    #[test]
    fn a_simple_landmark_takes_the_place_of_a_disjunctive_one() {
        let mut graph = Graph::default();
        assert_eq!(graph.add_disjunctive(vec![1, 2]), Some((0, true)));
        assert_eq!(graph.add_disjunctive(vec![2, 3]), None);
        assert_eq!(graph.add_disjunctive(vec![1, 2]), Some((0, false)));
        assert_eq!(graph.add_simple(2), (1, true));
        assert!(graph.is_removed(0));
        graph.compact();
        assert_eq!(graph.simple(2), Some(0));
        assert_eq!(graph.landmarks.len(), 1);
    }
}
