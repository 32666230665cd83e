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
