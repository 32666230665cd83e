//! Restrictions of the action model because of which the absence of a plan does not prove that an activity is unsolvable.

use std::fmt;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::objects::{ImmovableReason, TaskObjects};
use crate::ground::{AtomId, GroundGoal, Node};

/// Predicates that objects outside the activity may change, with the ability that the affected object needs, if any.
const CHANGED_BY_OTHERS: [(&str, Option<&str>); 6] = [
    ("cooked", Some("cookable")),
    ("frozen", Some("freezable")),
    ("soaked", Some("soakable")),
    ("sliced", Some("sliceable")),
    ("stained", None),
    ("dusty", None),
];

/// A restriction of the action model that may prevent it from reaching a goal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ModelLimit {
    /// The model does not have all actions that change this predicate.
    Predicate(Arc<str>),
    /// Objects of the scene that the activity does not declare may change this predicate.
    ChangedByOthers(Arc<str>),
    /// The model does not act on this object, for the given reason.
    Object(Arc<str>, ImmovableReason),
    /// The goal may require this object to be on several others, and the model places it on only one.
    SeveralSupports(Arc<str>),
    /// Objects may be placed on objects of the scene that the activity does not declare.
    UndeclaredSupports,
    /// The task has no actions for some placements of objects in and on others of the activity.
    OmittedPlacements,
}

impl fmt::Display for ModelLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Predicate(predicate) => {
                write!(f, "`{predicate}` may change by actions that the action model does not include")
            }
            Self::ChangedByOthers(predicate) => {
                write!(f, "`{predicate}` may be changed with objects of the scene that the activity does not declare")
            }
            Self::Object(thing, why) => write!(f, "`{thing}` {}", why.reason()),
            Self::SeveralSupports(thing) => {
                write!(f, "`{thing}` may be on several objects at once, but the action model places it on only one")
            }
            Self::UndeclaredSupports => {
                f.write_str("objects may be placed on objects of the scene that the activity does not declare")
            }
            Self::OmittedPlacements => f.write_str("not all placements in and on the declared objects were tried"),
        }
    }
}

/// Returns the restrictions that are relevant to a goal.
pub(super) fn limits(things: &TaskObjects<'_>, goal: &GroundGoal, covered: &[&str]) -> Vec<ModelLimit> {
    let mut limits: IndexSet<ModelLimit, FxBuildHasher> = IndexSet::default();
    let mut on: IndexMap<&str, FxHashSet<&str>, FxBuildHasher> = IndexMap::default();
    let mut named: Vec<&str> = Vec::new();
    for words in things.goal_atoms() {
        let (predicate, rest) = (words[0], &words[1..]);
        if !covered.contains(&predicate) {
            limits.insert(ModelLimit::Predicate(predicate.into()));
        }
        let by_others = CHANGED_BY_OTHERS.iter().find(|(known, _)| *known == predicate);
        if let (Some((_, ability)), [thing]) = (by_others, rest)
            && ability.is_none_or(|ability| things.able(thing, ability))
        {
            limits.insert(ModelLimit::ChangedByOthers(predicate.into()));
        }
        if let &[thing, support] = rest {
            if predicate == things.model.on || predicate == "onfloor" {
                on.entry(thing).or_default().insert(support);
            }
            let is_fixed = things.immovable(thing) == Some(ImmovableReason::Fixed);
            limits.extend(is_fixed.then(|| ModelLimit::Object(thing.into(), ImmovableReason::Fixed)));
        }
        named.extend(rest);
    }
    let several = on.into_iter().filter(|(_, supports)| supports.len() > 1);
    limits.extend(several.map(|(thing, _)| ModelLimit::SeveralSupports(thing.into())));
    for thing in things.with_supports(named) {
        let why = things.immovable(thing).filter(|why| *why != ImmovableReason::Fixed);
        limits.extend(why.map(|why| ModelLimit::Object(thing.into(), why)));
    }
    if things.has_no_place() || ends_places(things, goal) {
        limits.insert(ModelLimit::UndeclaredSupports);
    }
    if things.leaves_out_places() {
        limits.insert(ModelLimit::OmittedPlacements);
    }
    limits.into_iter().collect()
}

/// Whether the goal may require that an object is not in or on another one.
fn ends_places(things: &TaskObjects<'_>, goal: &GroundGoal) -> bool {
    let mut ended = FxHashSet::default();
    goal.conjuncts.iter().for_each(|node| negative(node, true, &mut ended));
    let is_place = |id: &AtomId| {
        let predicate = things.goal_atoms()[id.index()][0];
        [things.model.on, things.model.inside, "onfloor"].contains(&predicate)
    };
    ended.iter().any(is_place)
}

/// Collects the atoms that a condition may require to be false.
fn negative(node: &Node, wanted: bool, found: &mut FxHashSet<AtomId>) {
    match node {
        Node::Atom(atom) => {
            if !wanted {
                found.insert(*atom);
            }
        }
        Node::Not(part) => negative(part, !wanted, found),
        Node::And(parts) | Node::Or(parts) | Node::Forall(parts) | Node::Exists(parts) => {
            for part in parts {
                negative(part, wanted, found);
            }
        }
        Node::Imply(parts) => {
            negative(&parts[0], !wanted, found);
            negative(&parts[1], wanted, found);
        }
        // The number of true operands may be too large.
        Node::ForN(_, parts) => parts.iter().for_each(|part| atoms(part, found)),
        Node::ForPairs(pairs) => {
            pairs.rows.iter().flatten().for_each(|cell| negative(&cell.node, wanted, found));
        }
    }
}

/// Collects the atoms of a condition.
fn atoms(node: &Node, found: &mut FxHashSet<AtomId>) {
    match node {
        Node::Atom(atom) => drop(found.insert(*atom)),
        Node::Not(part) => atoms(part, found),
        Node::And(parts) | Node::Or(parts) | Node::Forall(parts) | Node::Exists(parts) | Node::ForN(_, parts) => {
            for part in parts {
                atoms(part, found);
            }
        }
        Node::Imply(parts) => parts.iter().for_each(|part| atoms(part, found)),
        Node::ForPairs(pairs) => pairs.rows.iter().flatten().for_each(|cell| atoms(&cell.node, found)),
    }
}
