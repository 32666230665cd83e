//! Containment and support relations in the initial state, without those that follow from others.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// A support or container of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Support<'a> {
    pub(super) by: &'a str,
    pub(super) is_inside: bool,
}

/// The supports and containers of each object.
pub(super) type Supports<'a> = IndexMap<&'a str, Vec<Support<'a>>, FxBuildHasher>;

/// The containment and support relations in the initial state.
#[derive(Debug, Default)]
pub(super) struct Nesting<'a> {
    supports: Supports<'a>,
    /// Pairs of an object and a container whose containment follows from the other supports of the object.
    implied: FxHashSet<[&'a str; 2]>,
    /// Pairs of an object and a support that contains another support of the object. The inner one determines whether the
    /// object is reachable.
    outer: IndexSet<[&'a str; 2], FxBuildHasher>,
    /// Objects that are in two places at once, or in or on themselves.
    contradictory: FxHashSet<&'a str>,
}

impl<'a> Nesting<'a> {
    /// Computes the relations from the supports of each object, and from `parts`: pairs of a region and the object that it
    /// belongs to.
    pub(super) fn new(supports: Supports<'a>, parts: &[(&'a str, &'a str)]) -> Self {
        let links = Links::new(&supports, parts);
        let depths = links.depths();
        let mut nesting = Self { supports, ..Self::default() };
        let cyclic = nesting.supports.keys().filter(|object| !depths.contains_key(*object)).copied();
        nesting.contradictory.extend(cyclic);
        for (object, supports) in nesting.supports.iter_mut().filter(|(_, supports)| supports.len() > 1) {
            let depth = |support: &Support<'_>| depths.get(support.by).map(|depth| (*depth, support.is_inside));
            let Some(deepest) = supports.iter().copied().max_by_key(depth).filter(|_| depths.contains_key(object))
            else {
                continue;
            };
            let [around, within] = links.around(deepest.by, supports);
            let is_elsewhere = |support: &&Support<'a>| support.by != deepest.by && !around.contains(support.by);
            let is_spanned = |support: &Support<'a>| {
                !support.is_inside && !deepest.is_inside && links.within(support.by) == links.within(deepest.by)
            };
            if supports.iter().filter(is_elsewhere).any(|support| !is_spanned(support)) {
                nesting.contradictory.insert(*object);
                continue;
            }
            let follows = |support: &Support<'a>| support.is_inside && within.contains(support.by);
            nesting
                .implied
                .extend(supports.iter().filter(|support| follows(support)).map(|support| [*object, support.by]));
            supports.retain(|support| !follows(support));
            let outer = supports.iter().filter(|support| around.contains(support.by));
            nesting.outer.extend(outer.map(|support| [*object, support.by]));
        }
        nesting
    }

    /// Returns the supports and containers of an object, without implied containers.
    pub(super) fn supports(&self, object: &str) -> &[Support<'a>] {
        self.supports.get(object).map_or(&[], Vec::as_slice)
    }

    /// Returns every object with each of its supports and containers.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, Support<'a>)> {
        self.supports.iter().flat_map(|(object, supports)| supports.iter().map(|support| (*object, *support)))
    }

    /// Returns the pairs of an object and a support that contains another of its supports.
    pub(super) fn outer(&self) -> impl Iterator<Item = [&'a str; 2]> {
        self.outer.iter().copied()
    }

    /// Returns the objects with several supports or containers.
    pub(super) fn spread(&self) -> impl Iterator<Item = &'a str> {
        self.supports.iter().filter(|(_, supports)| supports.len() > 1).map(|(object, _)| *object)
    }

    /// Whether an object is reachable only through a container.
    pub(super) fn is_in_container(&self, object: &'a str) -> bool {
        self.supports(object).iter().any(|support| support.is_inside && !self.outer.contains(&[object, support.by]))
    }

    /// Whether the containment of an object follows from its other supports.
    pub(super) fn is_implied(&self, object: &str, container: &str) -> bool {
        self.implied.contains(&[object, container])
    }

    /// Whether an object is in two places at once, or in or on itself.
    pub(super) fn is_contradictory(&self, object: &str) -> bool {
        self.contradictory.contains(object)
    }
}

/// The outward relation of objects: in, on, or part of another object.
struct Links<'a> {
    outward: FxHashMap<&'a str, Vec<Support<'a>>>,
}

impl<'a> Links<'a> {
    fn new(supports: &Supports<'a>, parts: &[(&'a str, &'a str)]) -> Self {
        let mut outward: FxHashMap<&str, Vec<Support<'_>>> = FxHashMap::default();
        for (object, supports) in supports {
            outward.entry(object).or_default().extend(supports);
        }
        for &(object, support) in parts {
            outward.entry(object).or_default().push(Support { by: support, is_inside: false });
        }
        Self { outward }
    }

    fn of(&self, object: &str) -> &[Support<'a>] {
        self.outward.get(object).map_or(&[], Vec::as_slice)
    }

    /// Returns the length of the longest outward path of each object. Objects with a path into a cycle have none.
    fn depths(&self) -> FxHashMap<&'a str, usize> {
        let mut inward: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut pending: FxHashMap<&str, usize> = FxHashMap::default();
        for (object, supports) in &self.outward {
            *pending.entry(object).or_default() += supports.len();
            for support in supports {
                pending.entry(support.by).or_default();
                inward.entry(support.by).or_default().push(object);
            }
        }
        let mut open: Vec<(&str, usize)> =
            pending.iter().filter(|(_, count)| **count == 0).map(|(object, _)| (*object, 0)).collect();
        let (mut depths, mut min_depths) = (FxHashMap::default(), FxHashMap::<&str, usize>::default());
        while let Some((support, depth)) = open.pop() {
            depths.insert(support, depth);
            for &object in inward.get(support).into_iter().flatten() {
                let deep = min_depths.entry(object).or_default();
                *deep = (*deep).max(depth + 1);
                let Some(count) = pending.get_mut(object) else { continue };
                *count -= 1;
                if *count == 0 {
                    open.push((object, *deep));
                }
            }
        }
        depths
    }

    /// Returns the objects around an object at any depth, and those of them that contain it. The search stops when all of
    /// `wanted` are found.
    fn around(&self, object: &'a str, supports: &[Support<'a>]) -> [FxHashSet<&'a str>; 2] {
        let mut missing: FxHashSet<Support<'_>> =
            supports.iter().copied().filter(|support| support.by != object).collect();
        let (mut around, mut within) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![object];
        while let Some(object) = open.pop() {
            for support in self.of(object) {
                missing.remove(&Support { is_inside: false, ..*support });
                if support.is_inside {
                    within.insert(support.by);
                    missing.remove(support);
                }
                if around.insert(support.by) {
                    open.push(support.by);
                }
            }
            if missing.is_empty() {
                break;
            }
        }
        [around, within]
    }

    /// Returns the containers of an object, at any depth.
    fn within(&self, object: &'a str) -> FxHashSet<&'a str> {
        let sentinel = Support { by: "", is_inside: true };
        let [_, within] = self.around(object, &[sentinel]);
        within
    }
}
