//! Scenes: rooms with object models in them, and which rooms an activity fits into.

use std::collections::VecDeque;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::taxonomy::{SynsetId, Taxonomy};

/// A scene of a release.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Its name.
    pub name: Arc<str>,
    /// Its rooms.
    pub rooms: Vec<Room>,
}

/// A room of a scene.
#[derive(Debug, Clone)]
pub struct Room {
    /// Its name: its type and a number, such as `kitchen_0`.
    pub name: Arc<str>,
    /// Its type, such as `kitchen`.
    pub kind: Arc<str>,
    /// How many objects of which synset are in it; no synset twice.
    pub objects: Vec<(SynsetId, u32)>,
}

/// What one room has to have: so many objects of each synset, all different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomNeed<'a> {
    /// The type of the room.
    pub kind: &'a str,
    /// How many objects of which synset; no synset twice.
    pub objects: Vec<(SynsetId, u32)>,
}

/// What a scene lacks: a room of a type in which everything is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack<'a> {
    /// The type of the room.
    pub kind: &'a str,
    /// The room that comes nearest, and what is missing in it; none if the scene has no room of this type.
    pub nearest: Option<(&'a str, Vec<(SynsetId, u32)>)>,
}

impl Scene {
    /// What the scene lacks of `needs`; nothing if for each need there is a room that has everything.
    ///
    /// An object serves one need only, so the objects of a room are matched with what is needed, one to one. Different needs
    /// are looked for separately; an activity has one for each type of room.
    pub fn lacks<'a>(&'a self, taxonomy: &Taxonomy, needs: &[RoomNeed<'a>]) -> Vec<Lack<'a>> {
        needs.iter().filter_map(|need| self.lack(taxonomy, need)).collect()
    }

    /// Whether the scene lacks nothing of `needs`.
    pub fn fits(&self, taxonomy: &Taxonomy, needs: &[RoomNeed<'_>]) -> bool {
        needs.iter().all(|need| {
            let mut rooms = self.rooms.iter().filter(|room| *room.kind == *need.kind);
            rooms.any(|room| room.has(taxonomy, &need.objects))
        })
    }

    fn lack<'a>(&'a self, taxonomy: &Taxonomy, need: &RoomNeed<'a>) -> Option<Lack<'a>> {
        let mut nearest: Option<(&str, Vec<(SynsetId, u32)>)> = None;
        for room in self.rooms.iter().filter(|room| *room.kind == *need.kind) {
            let missing = room.missing(taxonomy, &need.objects);
            if missing.is_empty() {
                return None;
            }
            let total = |missing: &[(SynsetId, u32)]| missing.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
            if nearest.as_ref().is_none_or(|(_, least)| total(&missing) < total(least)) {
                nearest = Some((&room.name, missing));
            }
        }
        Some(Lack { kind: need.kind, nearest })
    }
}

impl Room {
    /// Whether all of the needed objects can be had from this room.
    pub fn has(&self, taxonomy: &Taxonomy, needed: &[(SynsetId, u32)]) -> bool {
        let mut fitting: SmallVec<[u64; 8]> = smallvec![0; needed.len()];
        let mut contested = false;
        for &(object, count) in &self.objects {
            let needs = (0..needed.len()).filter(|&need| fits(taxonomy, needed[need].0, object));
            for (others, need) in needs.enumerate() {
                fitting[need] += u64::from(count);
                contested |= others > 0;
            }
        }
        // Only objects that would do for several needs have to be shared out.
        let enough = needed.iter().zip(&fitting).all(|(&(_, count), &fitting)| fitting >= u64::from(count));
        enough && (!contested || self.missing(taxonomy, needed).is_empty())
    }

    /// What of the needed objects cannot be had from this room; as few as possible.
    pub fn missing(&self, taxonomy: &Taxonomy, needed: &[(SynsetId, u32)]) -> Vec<(SynsetId, u32)> {
        let fitting = |&(synset, _): &(SynsetId, u32)| {
            (0..self.objects.len()).filter(|&object| fits(taxonomy, synset, self.objects[object].0)).collect()
        };
        let edges: Vec<Vec<usize>> = needed.iter().map(fitting).collect();
        let demand: Vec<u32> = needed.iter().map(|&(_, count)| count).collect();
        let supply: Vec<u32> = self.objects.iter().map(|&(_, count)| count).collect();
        let unmet = assign(&edges, demand, supply);
        needed.iter().zip(unmet).filter(|&(_, unmet)| unmet > 0).map(|(&(synset, _), unmet)| (synset, unmet)).collect()
    }
}

/// Whether an object of one synset will do where one of `needed` is needed.
fn fits(taxonomy: &Taxonomy, needed: SynsetId, object: SynsetId) -> bool {
    object == needed || taxonomy.is_descendant(object, needed)
}

/// Serves as much of `demand` from `supply` as possible, along `edges` (for each demand the supplies that fit), and returns
/// what is left of the demands: a maximum flow, by shortest augmenting paths.
pub(super) fn assign(edges: &[Vec<usize>], mut demand: Vec<u32>, mut supply: Vec<u32>) -> Vec<u32> {
    // flow[d][i]: what demand d takes along its i-th edge.
    let mut flow: Vec<Vec<u32>> = edges.iter().map(|fits| vec![0; fits.len()]).collect();
    for start in 0..demand.len() {
        while demand[start] > 0 && augment(edges, &mut flow, &mut supply, start, &mut demand) {}
    }
    demand
}

/// Serves more of one demand, moving others to other supplies where that helps; false if nothing does.
fn augment(edges: &[Vec<usize>], flow: &mut [Vec<u32>], supply: &mut [u32], start: usize, demand: &mut [u32]) -> bool {
    // How a demand was reached: from which one, which takes (by its edge) from the supply that this one gives up (by its edge).
    let mut came: Vec<Option<(usize, usize, usize)>> = vec![None; edges.len()];
    let mut seen = vec![false; supply.len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for (edge, &object) in edges[at].iter().enumerate() {
            if std::mem::replace(&mut seen[object], true) {
                continue;
            }
            if supply[object] > 0 {
                push(&came, flow, (at, edge), &mut supply[object], &mut demand[start]);
                return true;
            }
            for other in (0..edges.len()).filter(|&other| other != start) {
                if came[other].is_some() {
                    continue;
                }
                let taking = edges[other].iter().position(|&taken| taken == object).filter(|&i| flow[other][i] > 0);
                if let Some(taking) = taking {
                    came[other] = Some((at, edge, taking));
                    open.push_back(other);
                }
            }
        }
    }
    false
}

/// Moves as much as fits along the path that ends where demand `at` takes along `edge` from a supply with some left.
fn push(
    came: &[Option<(usize, usize, usize)>],
    flow: &mut [Vec<u32>],
    (end, edge): (usize, usize),
    supply: &mut u32,
    demand: &mut u32,
) {
    let mut amount = (*supply).min(*demand);
    let mut at = end;
    while let Some((before, _, taking)) = came[at] {
        amount = amount.min(flow[at][taking]);
        at = before;
    }
    *supply -= amount;
    *demand -= amount;
    flow[end][edge] += amount;
    let mut at = end;
    while let Some((before, edge, taking)) = came[at] {
        flow[at][taking] -= amount;
        flow[before][edge] += amount;
        at = before;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How much can be served at most, trying everything: the first open demand is served from each supply, or not at all.
    fn most(edges: &[Vec<usize>], demand: &[u32], supply: &[u32]) -> u32 {
        let Some(open) = demand.iter().position(|&count| count > 0) else { return 0 };
        let mut less = demand.to_vec();
        less[open] -= 1;
        let served = edges[open].iter().filter(|&&object| supply[object] > 0).map(|&object| {
            let mut left = supply.to_vec();
            left[object] -= 1;
            1 + most(edges, &less, &left)
        });
        served.max().unwrap_or(0).max(most(edges, &less, supply))
    }

    proptest! {
        /// No assignment serves more.
        #[test]
        fn assignments_are_the_largest(
            wanted in prop::collection::vec((1u32..3, prop::collection::btree_set(0usize..4, 0..4)), 0..4),
            supply in prop::collection::vec(0u32..3, 4),
        ) {
            let edges: Vec<Vec<usize>> = wanted.iter().map(|(_, fits)| fits.iter().copied().collect()).collect();
            let demand: Vec<u32> = wanted.iter().map(|&(count, _)| count).collect();
            let unmet = assign(&edges, demand.clone(), supply.clone());
            prop_assert!(unmet.iter().zip(&demand).all(|(unmet, demand)| unmet <= demand));
            let served = demand.iter().sum::<u32>() - unmet.iter().sum::<u32>();
            prop_assert_eq!(served, most(&edges, &demand, &supply));
        }
    }
}
