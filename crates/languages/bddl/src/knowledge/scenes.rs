//! Scenes: rooms with object models, and the matching of activities to rooms.

use std::collections::VecDeque;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::taxonomy::{SynsetId, Taxonomy};

/// A scene of a release.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The name of the scene.
    pub name: Arc<str>,
    /// The rooms of the scene.
    pub rooms: Vec<Room>,
}

/// A room of a scene.
#[derive(Debug, Clone)]
pub struct Room {
    /// The name: type and number, such as `kitchen_0`.
    pub name: Arc<str>,
    /// The type, such as `kitchen`.
    pub room_type: Arc<str>,
    /// The number of objects of each synset in the room; synsets are distinct.
    pub objects: Vec<(SynsetId, u32)>,
}

/// The objects that an activity requires in one room of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomRequirement<'a> {
    /// The type of the room.
    pub kind: &'a str,
    /// The required number of objects of each synset; synsets are distinct.
    pub objects: Vec<(SynsetId, u32)>,
}

/// An unmet room requirement of a scene: no room of the type has all required objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmetRoomRequirement<'a> {
    /// The type of the room.
    pub kind: &'a str,
    /// The room of the type that lacks the fewest objects, and the missing objects; `None` if the scene has no such room.
    pub nearest: Option<(&'a str, Vec<(SynsetId, u32)>)>,
}

impl Scene {
    /// Returns the unmet ones of the `requirements`; empty if every requirement is met by some room.
    ///
    /// An object can satisfy only one requirement, so the objects of a room are assigned to the required ones by a maximum
    /// flow. Room requirements are assigned independently of each other; an activity has one for each type of room.
    pub fn unmet_requirements<'a>(
        &'a self,
        taxonomy: &Taxonomy,
        requirements: &[RoomRequirement<'a>],
    ) -> Vec<UnmetRoomRequirement<'a>> {
        requirements.iter().filter_map(|need| self.lack(taxonomy, need)).collect()
    }

    /// Whether the scene meets all `requirements`.
    pub fn meets(&self, taxonomy: &Taxonomy, requirements: &[RoomRequirement<'_>]) -> bool {
        requirements.iter().all(|need| {
            let mut rooms = self.rooms.iter().filter(|room| *room.room_type == *need.kind);
            rooms.any(|room| room.satisfies(taxonomy, &need.objects))
        })
    }

    fn lack<'a>(&'a self, taxonomy: &Taxonomy, need: &RoomRequirement<'a>) -> Option<UnmetRoomRequirement<'a>> {
        let mut nearest: Option<(&str, Vec<(SynsetId, u32)>)> = None;
        for room in self.rooms.iter().filter(|room| *room.room_type == *need.kind) {
            let missing = room.missing(taxonomy, &need.objects);
            if missing.is_empty() {
                return None;
            }
            let total = |missing: &[(SynsetId, u32)]| missing.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
            if nearest.as_ref().is_none_or(|(_, fewest)| total(&missing) < total(fewest)) {
                nearest = Some((&room.name, missing));
            }
        }
        Some(UnmetRoomRequirement { kind: need.kind, nearest })
    }
}

impl Room {
    /// Whether the room has all required objects.
    pub fn satisfies(&self, taxonomy: &Taxonomy, needed: &[(SynsetId, u32)]) -> bool {
        let mut counts: SmallVec<[u64; 8]> = smallvec![0; needed.len()];
        let mut has_overlap = false;
        for &(object, count) in &self.objects {
            let requirements = (0..needed.len()).filter(|&need| fits(taxonomy, needed[need].0, object));
            for (others, need) in requirements.enumerate() {
                counts[need] += u64::from(count);
                has_overlap |= others > 0;
            }
        }
        // Only objects that satisfy several requirements need an assignment.
        let enough = needed.iter().zip(&counts).all(|(&(_, count), &available)| available >= u64::from(count));
        enough && (!has_overlap || self.missing(taxonomy, needed).is_empty())
    }

    /// Returns the smallest multiset of required objects that the room lacks.
    pub fn missing(&self, taxonomy: &Taxonomy, needed: &[(SynsetId, u32)]) -> Vec<(SynsetId, u32)> {
        let fitting = |&(synset, _): &(SynsetId, u32)| {
            (0..self.objects.len()).filter(|&object| fits(taxonomy, synset, self.objects[object].0)).collect()
        };
        let edges: Vec<Vec<usize>> = needed.iter().map(fitting).collect();
        let demand: Vec<u32> = needed.iter().map(|&(_, count)| count).collect();
        let supply: Vec<u32> = self.objects.iter().map(|&(_, count)| count).collect();
        let unmet = max_flow(&edges, demand, supply);
        needed.iter().zip(unmet).filter(|&(_, unmet)| unmet > 0).map(|(&(synset, _), unmet)| (synset, unmet)).collect()
    }
}

/// Whether an object of a synset satisfies a requirement for one of `needed`.
fn fits(taxonomy: &Taxonomy, needed: SynsetId, object: SynsetId) -> bool {
    object == needed || taxonomy.is_descendant(object, needed)
}

/// Assigns as much `supply` to `demand` as possible and returns the unmet demands. `edges` lists, for each demand, the supplies
/// that satisfy it. This is a maximum flow by shortest augmenting paths.
pub(super) fn max_flow(edges: &[Vec<usize>], mut demand: Vec<u32>, mut supply: Vec<u32>) -> Vec<u32> {
    // `flow[d][i]`: the amount that demand `d` takes along its `i`-th edge.
    let mut flow: Vec<Vec<u32>> = edges.iter().map(|candidates| vec![0; candidates.len()]).collect();
    for start in 0..demand.len() {
        while demand[start] > 0 && augment(edges, &mut flow, &mut supply, start, &mut demand) {}
    }
    demand
}

/// Serves more of one demand along an augmenting path, and returns whether there is one.
fn augment(edges: &[Vec<usize>], flow: &mut [Vec<u32>], supply: &mut [u32], start: usize, demand: &mut [u32]) -> bool {
    // The predecessor of each demand on the path: a demand, its edge to a supply, and the edge of this demand to the same
    // supply, whose flow is redirected.
    let mut predecessors: Vec<Option<(usize, usize, usize)>> = vec![None; edges.len()];
    let mut seen = vec![false; supply.len()];
    let mut open = VecDeque::from([start]);
    while let Some(vertex) = open.pop_front() {
        for (edge, &object) in edges[vertex].iter().enumerate() {
            if std::mem::replace(&mut seen[object], true) {
                continue;
            }
            if supply[object] > 0 {
                push(&predecessors, flow, (vertex, edge), &mut supply[object], &mut demand[start]);
                return true;
            }
            for other in (0..edges.len()).filter(|&other| other != start) {
                if predecessors[other].is_some() {
                    continue;
                }
                let assigned = edges[other].iter().position(|&taken| taken == object).filter(|&i| flow[other][i] > 0);
                if let Some(assigned) = assigned {
                    predecessors[other] = Some((vertex, edge, assigned));
                    open.push_back(other);
                }
            }
        }
    }
    false
}

/// Augments the flow along the path that ends with `edge` of demand `end`, by the largest possible amount.
fn push(
    predecessors: &[Option<(usize, usize, usize)>],
    flow: &mut [Vec<u32>],
    (end, edge): (usize, usize),
    supply: &mut u32,
    demand: &mut u32,
) {
    let mut amount = (*supply).min(*demand);
    let mut current = end;
    while let Some((previous, _, assigned)) = predecessors[current] {
        amount = amount.min(flow[current][assigned]);
        current = previous;
    }
    *supply -= amount;
    *demand -= amount;
    flow[end][edge] += amount;
    let mut at = end;
    while let Some((previous, edge, assigned)) = predecessors[at] {
        flow[at][assigned] -= amount;
        flow[previous][edge] += amount;
        at = previous;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes the maximum total by exhaustive search: the first open demand takes from each supply, or from none.
    fn most(edges: &[Vec<usize>], demand: &[u32], supply: &[u32]) -> u32 {
        let Some(open) = demand.iter().position(|&count| count > 0) else { return 0 };
        let mut less = demand.to_vec();
        less[open] -= 1;
        let reachable = edges[open].iter().filter(|&&object| supply[object] > 0).map(|&object| {
            let mut left = supply.to_vec();
            left[object] -= 1;
            1 + most(edges, &less, &left)
        });
        reachable.max().unwrap_or(0).max(most(edges, &less, supply))
    }

    proptest! {
        /// The assignment serves the maximum total.
        #[test]
        fn assignments_are_the_largest(
            wanted in prop::collection::vec((1u32..3, prop::collection::btree_set(0usize..4, 0..4)), 0..4),
            supply in prop::collection::vec(0u32..3, 4),
        ) {
            let edges: Vec<Vec<usize>> = wanted.iter().map(|(_, fits)| fits.iter().copied().collect()).collect();
            let demand: Vec<u32> = wanted.iter().map(|&(count, _)| count).collect();
            let unmet = max_flow(&edges, demand.clone(), supply.clone());
            prop_assert!(unmet.iter().zip(&demand).all(|(unmet, demand)| unmet <= demand));
            let served = demand.iter().sum::<u32>() - unmet.iter().sum::<u32>();
            prop_assert_eq!(served, most(&edges, &demand, &supply));
        }
    }
}
