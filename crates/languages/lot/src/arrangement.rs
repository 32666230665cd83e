//! Arrangements of objects in stacks.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::relation::Relation;

/// A list of stacks, each from bottom to top. The order of the stacks has no meaning, but determines the order of sentences.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arrangement {
    /// The stacks.
    pub stacks: Vec<Vec<String>>,
}

impl Arrangement {
    /// Iterates over the objects, stack by stack.
    pub fn objects(&self) -> impl Iterator<Item = &str> {
        self.stacks.iter().flatten().map(String::as_str)
    }

    /// Returns the relations that hold, stack by stack: the bottom, the objects on others upwards, the clear top.
    pub fn relations(&self) -> Vec<Relation> {
        let mut relations = Vec::new();
        for stack in &self.stacks {
            let (Some(bottom), Some(top)) = (stack.first(), stack.last()) else { continue };
            relations.push(Relation::OnTable(bottom.clone()));
            relations.extend(stack.windows(2).map(|pair| Relation::On(pair[1].clone(), pair[0].clone())));
            relations.push(Relation::Clear(top.clone()));
        }
        relations
    }

    /// Returns the arrangement in which exactly these relations hold, in any order; `None` if there is none. Stacks are in the order in
    /// which their bottoms are mentioned.
    pub fn from_relations(relations: &[Relation]) -> Option<Self> {
        let mut covers: FxHashMap<&str, &String> = FxHashMap::default();
        for relation in relations {
            if let Relation::On(object, support) = relation
                && covers.insert(support, object).is_some_and(|other| other != object)
            {
                return None;
            }
        }
        let mut placed: FxHashSet<&str> = FxHashSet::default();
        let bottoms = relations.iter().filter_map(|relation| match relation {
            Relation::OnTable(object) => Some(object),
            _ => None,
        });
        let mut stacks = Vec::new();
        for bottom in bottoms {
            if !placed.insert(bottom) {
                continue;
            }
            let mut stack = vec![bottom.clone()];
            let mut top = bottom;
            while let Some(&upper) = covers.get(&**top) {
                if !placed.insert(upper) {
                    return None;
                }
                stack.push(upper.clone());
                top = upper;
            }
            stacks.push(stack);
        }
        let found = Self { stacks };
        let (holding, stated): (FxHashSet<_>, FxHashSet<_>) =
            (found.relations().into_iter().collect(), relations.iter().cloned().collect());
        (holding == stated).then_some(found)
    }

    /// Whether all relations hold.
    pub fn satisfies(&self, relations: &[Relation]) -> bool {
        let holding: FxHashSet<Relation> = self.relations().into_iter().collect();
        relations.iter().all(|relation| holding.contains(relation))
    }

    /// Returns the arrangement with renamed objects.
    #[must_use]
    pub fn map(&self, rename: impl Fn(&str) -> String) -> Self {
        let stacks = self.stacks.iter().map(|stack| stack.iter().map(|object| rename(object)).collect());
        Self { stacks: stacks.collect() }
    }

    /// Whether both consist of the same stacks, in any order.
    pub fn is_same(&self, other: &Self) -> bool {
        let sorted = |arrangement: &Self| {
            let mut stacks = arrangement.stacks.clone();
            stacks.sort();
            stacks
        };
        sorted(self) == sorted(other)
    }

    /// Returns the stacks in the order in which relations mention their bottoms; `None` if the relations are not those of this
    /// arrangement.
    pub fn ordered_as(&self, relations: &[Relation]) -> Option<Self> {
        let stacks: FxHashMap<&str, &Vec<String>> =
            self.stacks.iter().filter_map(|stack| Some((&**stack.first()?, stack))).collect();
        let bottoms = relations.iter().filter_map(|relation| match relation {
            Relation::OnTable(bottom) => Some(bottom),
            _ => None,
        });
        let stacks = bottoms.map(|bottom| stacks.get(&**bottom).map(|&stack| stack.clone()));
        let ordered = Self { stacks: stacks.collect::<Option<_>>()? };
        (ordered.relations() == relations).then_some(ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrangement(stacks: &[&[&str]]) -> Arrangement {
        let stacks = stacks.iter().map(|stack| stack.iter().map(|&name| name.to_owned()).collect());
        Arrangement { stacks: stacks.collect() }
    }

    #[test]
    fn relations_in_any_order_give_their_arrangement() {
        let found = arrangement(&[&["a", "b", "c"], &["d"]]);
        let mut relations = found.relations();
        for _ in 0..relations.len() {
            relations.rotate_left(1);
            assert!(Arrangement::from_relations(&relations).unwrap().is_same(&found));
        }
        relations.push(relations[0].clone());
        assert!(Arrangement::from_relations(&relations).unwrap().is_same(&found));
        assert_eq!(Arrangement::from_relations(&relations[..3]), None);
        let cycle = [Relation::On("a".into(), "b".into()), Relation::On("b".into(), "a".into())];
        assert_eq!(Arrangement::from_relations(&cycle), None);
    }
}
