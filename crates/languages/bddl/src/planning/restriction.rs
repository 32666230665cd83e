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
pub enum ModelRestriction {
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
    /// Nothing makes this product, which the goal needs.
    MissingProduct(MissingProduct),
    /// Nothing removes this substance, which the goal requires to be removed.
    MissingRemover(MissingRemover),
    /// The task does not have all recipes of a rule.
    OmittedRecipes,
    /// The task has no actions for some placements of objects in and on others of the activity.
    OmittedPlacements,
}

/// A product that the goal needs and that no feasible recipe makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissingProduct {
    /// The synset of the product.
    pub product: Arc<str>,
    /// The first recipe for it, with the synsets of the inputs and machines that the activity does not provide; `None` if there
    /// is no recipe.
    pub recipe: Option<(Arc<str>, Vec<Arc<str>>)>,
}

/// A substance that is to be removed and that no tool of the activity removes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissingRemover {
    /// The synset of the substance.
    pub substance: Arc<str>,
    /// A tool of the activity that removes the substance if it is saturated with one of these substances, of which the activity
    /// has none; `None` if there is no such tool.
    pub tool: Option<(Arc<str>, Vec<Arc<str>>)>,
}

impl fmt::Display for MissingRemover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((tool, agents)) = &self.tool else {
            return write!(f, "no tool of the activity removes `{}`", self.substance);
        };
        let agents: Vec<String> = agents.iter().map(|agent| format!("`{agent}`")).collect();
        write!(
            f,
            "`{tool}` removes `{}` only if it is saturated with one of {}, of which the activity has none",
            self.substance,
            agents.join(", ")
        )
    }
}

impl ModelRestriction {
    /// Whether the activity lacks an object or substance that would make its goal reachable.
    pub fn is_missing_object(&self) -> bool {
        matches!(self, Self::MissingProduct(_) | Self::MissingRemover(_))
    }
}

impl fmt::Display for MissingProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((recipe, missing)) = &self.recipe else {
            return write!(f, "no object of the activity and no recipe provides `{}`", self.product);
        };
        let missing: Vec<String> = missing.iter().map(|synset| format!("`{synset}`")).collect();
        write!(f, "the recipe `{recipe}` for `{}` lacks {}", self.product, missing.join(", "))
    }
}

impl fmt::Display for ModelRestriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Predicate(predicate) => {
                write!(f, "`{predicate}` may change by actions that the action model does not include")
            }
            Self::ChangedByOthers(predicate) => {
                write!(f, "`{predicate}` may be changed with objects of the scene that the activity does not declare")
            }
            Self::Object(object, reason) => write!(f, "`{object}` {}", reason.reason()),
            Self::SeveralSupports(object) => {
                write!(f, "`{object}` may be on several objects at once, but the action model places it on only one")
            }
            Self::UndeclaredSupports => {
                f.write_str("objects may be placed on objects of the scene that the activity does not declare")
            }
            Self::MissingProduct(missing) => missing.fmt(f),
            Self::MissingRemover(missing) => missing.fmt(f),
            Self::OmittedRecipes => f.write_str("not all choices of objects for the recipes were tried"),
            Self::OmittedPlacements => f.write_str("not all placements in and on the declared objects were tried"),
        }
    }
}

/// Returns the restrictions that are relevant to a goal.
pub(super) fn restrictions(objects: &TaskObjects<'_>, goal: &GroundGoal, covered: &[&str]) -> Vec<ModelRestriction> {
    let mut restrictions: IndexSet<ModelRestriction, FxBuildHasher> = IndexSet::default();
    let mut supports_by_object: IndexMap<&str, FxHashSet<&str>, FxBuildHasher> = IndexMap::default();
    let mut named: Vec<&str> = Vec::new();
    restrictions.extend(objects.recipes.missing.iter().cloned().map(ModelRestriction::MissingProduct));
    restrictions.extend(missing_removers(objects, goal).map(ModelRestriction::MissingRemover));
    for words in objects.goal_atoms() {
        let (predicate, rest) = (words[0], &words[1..]);
        if !covered.contains(&predicate) {
            restrictions.insert(ModelRestriction::Predicate(predicate.into()));
        }
        let by_others = CHANGED_BY_OTHERS.iter().find(|(known, _)| *known == predicate);
        if let (Some((_, ability)), [object]) = (by_others, rest)
            && ability.is_none_or(|ability| objects.able(object, ability))
        {
            restrictions.insert(ModelRestriction::ChangedByOthers(predicate.into()));
        }
        if let &[object, support] = rest {
            if predicate == objects.model.on || predicate == "onfloor" {
                supports_by_object.entry(object).or_default().insert(support);
            }
            let is_fixed = objects.immovable(object) == Some(ImmovableReason::Fixed);
            restrictions.extend(is_fixed.then(|| ModelRestriction::Object(object.into(), ImmovableReason::Fixed)));
        }
        named.extend(rest);
    }
    let several = supports_by_object.into_iter().filter(|(_, supports)| supports.len() > 1);
    restrictions.extend(several.map(|(object, _)| ModelRestriction::SeveralSupports(object.into())));
    for object in objects.with_supports(named) {
        let reason = objects.immovable(object).filter(|reason| *reason != ImmovableReason::Fixed);
        restrictions.extend(reason.map(|reason| ModelRestriction::Object(object.into(), reason)));
    }
    if objects.has_no_place() || ends_places(objects, goal) {
        restrictions.insert(ModelRestriction::UndeclaredSupports);
    }
    if objects.recipes.is_truncated {
        restrictions.insert(ModelRestriction::OmittedRecipes);
    }
    if objects.leaves_out_places() {
        restrictions.insert(ModelRestriction::OmittedPlacements);
    }
    restrictions.into_iter().collect()
}

/// Returns the substances that the goal requires to be removed and that no tool of the activity removes.
fn missing_removers(objects: &TaskObjects<'_>, goal: &GroundGoal) -> impl Iterator<Item = MissingRemover> {
    let mut ended = FxHashSet::default();
    goal.conjuncts.iter().for_each(|node| negative(node, true, &mut ended));
    let covered = objects
        .goal_atoms()
        .iter()
        .zip(0..)
        .filter(|(words, id)| words[0] == "covered" && ended.contains(&AtomId(*id)));
    let substances: IndexSet<&str, FxBuildHasher> =
        covered.filter_map(|(words, _)| objects.synset_name(words.get(2)?)).collect();
    substances.into_iter().filter_map(|substance| {
        let mut tool = None;
        for (name, conditions) in objects.removers(substance) {
            let agents: Option<Vec<Arc<str>>> =
                conditions.iter().map(|condition| condition.as_array()?.get(1)?.as_str().map(Arc::from)).collect();
            match agents {
                Some(agents) if !agents.is_empty() => {
                    if agents.iter().any(|agent| !objects.of(agent).is_empty()) {
                        return None;
                    }
                    tool.get_or_insert((name, agents));
                }
                // The tool removes the substance dry, or while it runs.
                _ => return None,
            }
        }
        Some(MissingRemover { substance: substance.into(), tool })
    })
}

/// Whether the goal may require that an object is not in or on another one.
fn ends_places(objects: &TaskObjects<'_>, goal: &GroundGoal) -> bool {
    let mut ended = FxHashSet::default();
    goal.conjuncts.iter().for_each(|node| negative(node, true, &mut ended));
    let is_place = |id: &AtomId| {
        let predicate = objects.goal_atoms()[id.index()][0];
        [objects.model.on, objects.model.inside, "onfloor"].contains(&predicate)
    };
    ended.iter().any(is_place)
}

/// Collects the atoms that a condition may require to be false, or its negation if the condition is not wanted.
pub(super) fn negative(node: &Node, wanted: bool, found: &mut FxHashSet<AtomId>) {
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
