//! The taxonomy of a release: synsets with their hypernyms and hyponyms, abilities, and categories of object models.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Parameters;
use super::tables::{BitMatrix, JaggedArray};

/// The id of a synset in a [`Taxonomy`]: a class of objects, such as `apple.n.01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SynsetId(pub(super) u32);

impl SynsetId {
    /// Returns the id as an index, below [`Taxonomy::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of an ability in a [`Taxonomy`], such as `cookable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AbilityId(pub(super) u32);

/// The id of a category of object models or of a substance in a [`Taxonomy`]: an index into the list of names.
pub(super) type LabelId = u32;

/// The synsets of a release as a directed acyclic graph, in which a synset may have several parents.
///
/// Ids are valid only for the taxonomy that returned them.
#[derive(Debug, Clone)]
pub struct Taxonomy {
    pub(super) names: Vec<Arc<str>>,
    pub(super) by_name: FxHashMap<Arc<str>, SynsetId>,
    pub(super) parents: JaggedArray<SynsetId>,
    pub(super) children: JaggedArray<SynsetId>,
    /// For each synset, the set of its descendants.
    pub(super) below: BitMatrix,
    /// The synsets in topological order, parents first.
    pub(super) order: Vec<SynsetId>,
    pub(super) abilities: Vec<Arc<str>>,
    pub(super) ability_by_name: FxHashMap<Arc<str>, AbilityId>,
    pub(super) able: BitMatrix,
    /// The parameters of abilities, where there are any.
    pub(super) parameters: FxHashMap<(SynsetId, AbilityId), Parameters>,
    pub(super) categories: Labels,
    pub(super) substances: Labels,
}

/// Names assigned to synsets.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    names: Vec<Arc<str>>,
    of: JaggedArray<LabelId>,
    owners: FxHashMap<Arc<str>, Vec<SynsetId>>,
}

impl Labels {
    /// Creates the labels of `synsets` synsets from pairs of a synset and a name.
    pub(super) fn new(synsets: usize, pairs: &[(SynsetId, &str)]) -> Self {
        let mut names = Vec::new();
        let mut ids: FxHashMap<&str, LabelId> = FxHashMap::default();
        let mut owners: FxHashMap<Arc<str>, Vec<SynsetId>> = FxHashMap::default();
        let mut rows = Vec::with_capacity(pairs.len());
        for &(synset, name) in pairs {
            let id = *ids.entry(name).or_insert_with(|| {
                names.push(Arc::from(name));
                names.len() as LabelId - 1
            });
            rows.push((synset.0, id));
            owners.entry(Arc::clone(&names[id as usize])).or_default().push(synset);
        }
        Self { names, of: JaggedArray::new(synsets, &rows), owners }
    }

    /// Returns the names of a synset.
    fn of(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.of.row(synset.index()).iter().map(|&id| &*self.names[id as usize])
    }

    /// Returns all names.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns the synsets with a name.
    pub(super) fn owners(&self, name: &str) -> &[SynsetId] {
        self.owners.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Taxonomy {
    /// Returns the number of synsets.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no synsets.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the number of parent-child pairs.
    pub fn edge_count(&self) -> usize {
        self.children.items()
    }

    /// Returns all synsets in topological order, parents first.
    pub fn synsets(&self) -> impl Iterator<Item = SynsetId> + '_ {
        self.order.iter().copied()
    }

    /// Returns the synset with the given name.
    pub fn synset(&self, name: &str) -> Option<SynsetId> {
        self.by_name.get(name).copied()
    }

    /// Whether a synset with the given name exists.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns the name of a synset.
    pub fn name(&self, synset: SynsetId) -> &Arc<str> {
        &self.names[synset.index()]
    }

    /// Returns the parents of a synset; the root has none.
    pub fn parents(&self, synset: SynsetId) -> &[SynsetId] {
        self.parents.row(synset.index())
    }

    /// Returns the children of a synset.
    pub fn children(&self, synset: SynsetId) -> &[SynsetId] {
        self.children.row(synset.index())
    }

    /// Returns the ancestors of a synset, without itself, in order of their ids.
    pub fn ancestors(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        (0..self.names.len() as u32).map(SynsetId).filter(move |&ancestor| self.is_ancestor(ancestor, synset))
    }

    /// Returns the descendants of a synset, without itself, in order of their ids.
    pub fn descendants(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.below.ones(synset.index()).map(|index| SynsetId(index as u32))
    }

    /// Returns the descendants of a synset that are leaves. A leaf itself has none.
    pub fn leaves(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.descendants(synset).filter(|&descendant| self.is_leaf(descendant))
    }

    /// Whether a synset has no children.
    pub fn is_leaf(&self, synset: SynsetId) -> bool {
        self.children(synset).is_empty()
    }

    /// Whether `synset` is a proper descendant of `ancestor`.
    pub fn is_descendant(&self, synset: SynsetId, ancestor: SynsetId) -> bool {
        self.below.get(ancestor.index(), synset.index())
    }

    /// Whether `synset` is a proper ancestor of `descendant`.
    pub fn is_ancestor(&self, synset: SynsetId, descendant: SynsetId) -> bool {
        self.below.get(synset.index(), descendant.index())
    }

    /// Returns the ability with the given name, if any synset of the release has it.
    pub fn ability(&self, name: &str) -> Option<AbilityId> {
        self.ability_by_name.get(name).copied()
    }

    /// Returns all abilities with their names, in order of their ids.
    pub fn ability_names(&self) -> impl Iterator<Item = (AbilityId, &str)> {
        self.abilities.iter().enumerate().map(|(index, name)| (AbilityId(index as u32), &**name))
    }

    /// Returns the abilities of a synset, in order of their ids. If the file does not state the abilities of a synset, they are
    /// those that all its children have in common.
    pub fn abilities(&self, synset: SynsetId) -> impl Iterator<Item = AbilityId> + '_ {
        self.able.ones(synset.index()).map(|index| AbilityId(index as u32))
    }

    /// Whether a synset has an ability.
    pub fn has_ability(&self, synset: SynsetId, ability: AbilityId) -> bool {
        self.able.get(synset.index(), ability.0 as usize)
    }

    /// Returns the parameters of an ability of a synset, as in the file; a `heatSource` has a `temperature`, for example. The
    /// result is `None` if the synset lacks the ability, or the ability has no parameters.
    pub fn parameters(&self, synset: SynsetId, ability: AbilityId) -> Option<&Parameters> {
        self.parameters.get(&(synset, ability))
    }

    /// Returns the categories of object models of exactly this synset.
    pub fn categories(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.categories.of(synset)
    }

    /// Returns the categories of object models of a synset and its descendants: its own if it is a leaf, otherwise those of its
    /// leaves.
    pub fn subtree_categories(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.ends(synset).flat_map(|leaf| self.categories(leaf))
    }

    /// Returns all categories of object models, then all substances.
    pub fn category_names(&self) -> impl Iterator<Item = &str> {
        self.categories.names().chain(self.substances.names())
    }

    /// Whether a category of object models or a substance with the given name exists.
    pub fn has_category(&self, name: &str) -> bool {
        !self.categories.owners(name).is_empty() || !self.substances.owners(name).is_empty()
    }

    /// Returns the substances of exactly this synset.
    pub fn substances(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.substances.of(synset)
    }

    /// Returns the substances of a synset and its descendants: its own if it is a leaf, otherwise those of its leaves.
    pub fn subtree_substances(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.ends(synset).flat_map(|leaf| self.substances(leaf))
    }

    /// Returns the synsets of a category of object models: one in most releases; in two of the trees of 1.0.0 some categories
    /// have two.
    pub fn synsets_of_category(&self, category: &str) -> &[SynsetId] {
        self.categories.owners(category)
    }

    /// Returns the synsets of a substance.
    pub fn synsets_of_substance(&self, substance: &str) -> &[SynsetId] {
        self.substances.owners(substance)
    }

    /// Returns the synset itself if it is a leaf, otherwise its leaves.
    fn ends(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.is_leaf(synset).then_some(synset).into_iter().chain(self.leaves(synset))
    }
}
