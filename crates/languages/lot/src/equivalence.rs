//! Goals that the same arrangements satisfy.
//!
//! The relations of a goal join objects to chains, each directly on the next. A chain can stand on the table, unless its bottom has a
//! support, or on another chain, unless the goal keeps its bottom on the table or the top of the other clear. All chains on the table
//! satisfy the goal, so it implies a further relation only if a bottom must rest on the table because no other chain can carry it, or a top
//! must be clear because no other chain can be on it.
//!
//! This takes time linear in the goal for any number of objects. The general comparison of goals by decision diagrams can be restricted to
//! arrangements too, but its diagrams grow exponentially, and exceed their limit from seven objects on; for fewer objects, a test compares
//! the results of both.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::ObjectTable;
use crate::relation::Relation;

/// The objects of a goal in chains.
struct Chains<'g> {
    /// The object under each object.
    supports: FxHashMap<&'g str, &'g str>,
    /// The object on each object.
    covers: FxHashMap<&'g str, &'g str>,
}

/// Returns all relations that hold in every arrangement of the objects that satisfies a goal, with names in PDDL; `None` if there is no such
/// arrangement.
pub fn closure(goal: &[Relation], objects: &ObjectTable) -> Option<BTreeSet<Relation>> {
    let mut closure: BTreeSet<Relation> = goal.iter().map(Relation::in_pddl).collect();
    let stated = closure.clone();
    let chains = Chains::new(&stated, objects)?;
    let bottoms: Vec<&str> = objects.pddl_names().filter(|object| !chains.supports.contains_key(object)).collect();
    // The bottom of each chain with its top.
    let ends: Vec<(&str, &str)> = bottoms.iter().map(|&bottom| (bottom, chains.top(bottom))).collect();
    let on_table = |bottom: &str| stated.contains(&Relation::OnTable(bottom.to_owned()));
    let clear = |top: &str| stated.contains(&Relation::Clear(top.to_owned()));
    let carriers: Vec<bool> = ends.iter().map(|(_, top)| !clear(top)).collect();
    let movable: Vec<bool> = ends.iter().map(|(bottom, _)| !on_table(bottom)).collect();
    let count = |of: &[bool]| of.iter().filter(|&&is| is).count();
    let (all_carriers, all_movable) = (count(&carriers), count(&movable));
    for (index, &(bottom, top)) in ends.iter().enumerate() {
        if all_carriers == usize::from(carriers[index]) {
            closure.insert(Relation::OnTable(bottom.to_owned()));
        }
        if all_movable == usize::from(movable[index]) {
            closure.insert(Relation::Clear(top.to_owned()));
        }
    }
    Some(closure)
}

/// Whether the same arrangements of the objects satisfy both goals.
///
/// ```
/// use goalspec_lot::{Relation, equivalence};
///
/// let objects = ["cup", "tray"].into_iter().collect();
/// let short = [Relation::On("cup".into(), "tray".into())];
/// let long = [short[0].clone(), Relation::Clear("cup".into()), Relation::OnTable("tray".into())];
/// assert!(equivalence::are_equivalent(&short, &long, &objects));
/// assert!(!equivalence::are_equivalent(&short, &long[2..], &objects));
/// ```
pub fn are_equivalent(one: &[Relation], other: &[Relation], objects: &ObjectTable) -> bool {
    closure(one, objects) == closure(other, objects)
}

impl<'g> Chains<'g> {
    /// Joins the objects; returns `None` if the relations contradict each other or mention other objects.
    fn new(goal: &'g BTreeSet<Relation>, objects: &ObjectTable) -> Option<Self> {
        let mut chains = Self { supports: FxHashMap::default(), covers: FxHashMap::default() };
        let is_known = |relation: &Relation| relation.objects().all(|name| objects.index_of(name).is_some());
        for relation in goal {
            let Relation::On(object, support) = relation else { continue };
            let is_second = chains.supports.insert(object, support).is_some();
            if is_second || chains.covers.insert(support, object).is_some() {
                return None;
            }
        }
        let contradicts = |relation: &Relation| match relation {
            Relation::OnTable(object) => chains.supports.contains_key(&**object),
            Relation::Clear(object) => chains.covers.contains_key(&**object),
            Relation::On(..) => false,
        };
        let is_consistent = goal.iter().all(|relation| is_known(relation) && !contradicts(relation));
        (is_consistent && !chains.has_cycle()).then_some(chains)
    }

    fn has_cycle(&self) -> bool {
        let mut safe: FxHashSet<&str> = FxHashSet::default();
        self.supports.keys().any(|&start| {
            let (mut object, mut path) = (start, FxHashSet::default());
            while !safe.contains(object) {
                if !path.insert(object) {
                    return true;
                }
                let Some(&support) = self.supports.get(object) else { break };
                object = support;
            }
            safe.extend(path);
            false
        })
    }

    fn top<'o>(&'o self, bottom: &'o str) -> &'o str {
        let mut top = bottom;
        while let Some(upper) = self.covers.get(top) {
            top = upper;
        }
        top
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Arrangement;

    /// Returns all arrangements of objects.
    fn arrangements(objects: &[&str]) -> Vec<Arrangement> {
        let Some((last, rest)) = objects.split_last() else { return vec![Arrangement::default()] };
        let mut all = Vec::new();
        for smaller in arrangements(rest) {
            let mut alone = smaller.clone();
            alone.stacks.push(vec![(*last).to_owned()]);
            all.push(alone);
            for (stack, place) in smaller
                .stacks
                .iter()
                .enumerate()
                .flat_map(|(stack, of)| (0..=of.len()).map(move |place| (stack, place)))
            {
                let mut inserted = smaller.clone();
                inserted.stacks[stack].insert(place, (*last).to_owned());
                all.push(inserted);
            }
        }
        all
    }

    /// The closure of every goal of up to three relations between three objects agrees with the list of all arrangements.
    #[test]
    fn implied_relations_hold_in_all_arrangements_and_no_others_do() {
        let names = ["a", "b", "c"];
        let objects: ObjectTable = names.into_iter().collect();
        let arrangements = arrangements(&names);
        assert_eq!(arrangements.len(), 13);
        let unary = names.iter().flat_map(|&x| [Relation::OnTable(x.into()), Relation::Clear(x.into())]);
        let binary = names.iter().flat_map(|&x| names.iter().map(move |&y| Relation::On(x.into(), y.into())));
        let relations: Vec<Relation> = unary.chain(binary).collect();
        let mut goals: Vec<Vec<Relation>> = vec![Vec::new()];
        for size in 0..3 {
            let longer = goals.iter().filter(|goal| goal.len() == size);
            let longer: Vec<_> = longer
                .flat_map(|goal| relations.iter().map(|next| [goal.clone(), vec![next.clone()]].concat()))
                .collect();
            goals.extend(longer);
        }
        for goal in goals {
            let satisfying: Vec<_> = arrangements.iter().filter(|arrangement| arrangement.satisfies(&goal)).collect();
            let implied = relations
                .iter()
                .filter(|relation| satisfying.iter().all(|found| found.satisfies(&[(*relation).clone()])));
            let expected: Option<BTreeSet<Relation>> = (!satisfying.is_empty()).then(|| implied.cloned().collect());
            assert_eq!(closure(&goal, &objects), expected, "{goal:?}");
        }
    }
}
