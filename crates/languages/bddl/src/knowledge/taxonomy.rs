//! The synsets of a release: which is a special case of which, what each can do, and which objects are of it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Parameters;
use super::tables::{BitTable, Rows};

/// A synset of a [`Taxonomy`]: a kind of thing, such as `apple.n.01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SynsetId(pub(super) u32);

impl SynsetId {
    /// The id as an index, below [`Taxonomy::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An ability of a [`Taxonomy`], such as `cookable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AbilityId(pub(super) u32);

/// A category of object models, or a substance, of a [`Taxonomy`]: a position in its list of names.
pub(super) type LabelId = u32;

/// The synsets of a release. They form a directed graph without cycles, in which a synset may have several parents.
///
/// Ids are those of this taxonomy; what they say in another one is undefined.
#[derive(Debug, Clone)]
pub struct Taxonomy {
    pub(super) names: Vec<Arc<str>>,
    pub(super) by_name: FxHashMap<Arc<str>, SynsetId>,
    pub(super) parents: Rows<SynsetId>,
    pub(super) children: Rows<SynsetId>,
    /// A row for each synset, with the bits of all below it.
    pub(super) below: BitTable,
    /// Every synset after all its parents.
    pub(super) order: Vec<SynsetId>,
    pub(super) abilities: Vec<Arc<str>>,
    pub(super) ability_by_name: FxHashMap<Arc<str>, AbilityId>,
    pub(super) able: BitTable,
    /// The parameters of abilities that have some.
    pub(super) parameters: FxHashMap<(SynsetId, AbilityId), Parameters>,
    pub(super) categories: Labels,
    pub(super) substances: Labels,
}

/// Names that belong to synsets.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    names: Vec<Arc<str>>,
    of: Rows<LabelId>,
    owners: FxHashMap<Arc<str>, Vec<SynsetId>>,
}

impl Labels {
    /// The labels of so many synsets from pairs of a synset and a name.
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
        Self { names, of: Rows::new(synsets, &rows), owners }
    }

    /// The names of a synset.
    fn of(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.of.row(synset.index()).iter().map(|&id| &*self.names[id as usize])
    }

    /// All names.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The synsets that have a name.
    pub(super) fn owners(&self, name: &str) -> &[SynsetId] {
        self.owners.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Taxonomy {
    /// How many synsets there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many pairs of a parent and a child there are.
    pub fn edges(&self) -> usize {
        self.children.items()
    }

    /// All synsets, each after its parents.
    pub fn synsets(&self) -> impl Iterator<Item = SynsetId> + '_ {
        self.order.iter().copied()
    }

    /// The synset of this name.
    pub fn synset(&self, name: &str) -> Option<SynsetId> {
        self.by_name.get(name).copied()
    }

    /// Whether there is a synset of this name.
    pub fn is_valid(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The name of a synset.
    pub fn name(&self, synset: SynsetId) -> &Arc<str> {
        &self.names[synset.index()]
    }

    /// The synsets directly above one; the root has none.
    pub fn parents(&self, synset: SynsetId) -> &[SynsetId] {
        self.parents.row(synset.index())
    }

    /// The synsets directly below one.
    pub fn children(&self, synset: SynsetId) -> &[SynsetId] {
        self.children.row(synset.index())
    }

    /// All synsets above one, without itself, in order of their ids.
    pub fn ancestors(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        (0..self.names.len() as u32).map(SynsetId).filter(move |&above| self.is_ancestor(above, synset))
    }

    /// All synsets below one, without itself, in order of their ids.
    pub fn descendants(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.below.ones(synset.index()).map(|index| SynsetId(index as u32))
    }

    /// The synsets below one that have none below them. A leaf has no such descendants.
    pub fn leaves(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.descendants(synset).filter(|&below| self.is_leaf(below))
    }

    /// Whether nothing is below a synset.
    pub fn is_leaf(&self, synset: SynsetId) -> bool {
        self.children(synset).is_empty()
    }

    /// Whether `synset` is below `above`; no synset is below itself.
    pub fn is_descendant(&self, synset: SynsetId, above: SynsetId) -> bool {
        self.below.get(above.index(), synset.index())
    }

    /// Whether `synset` is above `below`; no synset is above itself.
    pub fn is_ancestor(&self, synset: SynsetId, below: SynsetId) -> bool {
        self.below.get(synset.index(), below.index())
    }

    /// The ability of this name, if any synset of the release has it.
    pub fn ability(&self, name: &str) -> Option<AbilityId> {
        self.ability_by_name.get(name).copied()
    }

    /// The names of all abilities, by their ids.
    pub fn ability_names(&self) -> impl Iterator<Item = (AbilityId, &str)> {
        self.abilities.iter().enumerate().map(|(index, name)| (AbilityId(index as u32), &**name))
    }

    /// What things of a synset can do, in order of the abilities' ids. The releases say it of every synset; where a file
    /// says nothing, it is what all leaves below can do.
    pub fn abilities(&self, synset: SynsetId) -> impl Iterator<Item = AbilityId> + '_ {
        self.able.ones(synset.index()).map(|index| AbilityId(index as u32))
    }

    /// Whether things of a synset have an ability.
    pub fn has_ability(&self, synset: SynsetId, ability: AbilityId) -> bool {
        self.able.get(synset.index(), ability.0 as usize)
    }

    /// The parameters of an ability of a synset, as in the file: a `heatSource` has a `temperature`, for instance. None if
    /// the synset has not the ability, or the ability no parameters.
    pub fn parameters(&self, synset: SynsetId, ability: AbilityId) -> Option<&Parameters> {
        self.parameters.get(&(synset, ability))
    }

    /// The categories of object models of exactly this synset.
    pub fn categories(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.categories.of(synset)
    }

    /// The categories of object models that are of a synset: its own if it is a leaf, else those of the leaves below.
    pub fn subtree_categories(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.ends(synset).flat_map(|leaf| self.categories(leaf))
    }

    /// The categories of object models, and the substances.
    pub fn category_names(&self) -> impl Iterator<Item = &str> {
        self.categories.names().chain(self.substances.names())
    }

    /// Whether there are object models or a substance of this name.
    pub fn has_category(&self, name: &str) -> bool {
        !self.categories.owners(name).is_empty() || !self.substances.owners(name).is_empty()
    }

    /// The substances of exactly this synset.
    pub fn substances(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.substances.of(synset)
    }

    /// The substances that are of a synset: its own if it is a leaf, else those of the leaves below.
    pub fn subtree_substances(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        self.ends(synset).flat_map(|leaf| self.substances(leaf))
    }

    /// The synsets that list a category of object models: one in most releases; two of the trees of 1.0.0 list some twice.
    pub fn synsets_of_category(&self, category: &str) -> &[SynsetId] {
        self.categories.owners(category)
    }

    /// The synsets that list a substance.
    pub fn synsets_of_substance(&self, substance: &str) -> &[SynsetId] {
        self.substances.owners(substance)
    }

    /// The synset itself if it is a leaf, else the leaves below.
    fn ends(&self, synset: SynsetId) -> impl Iterator<Item = SynsetId> + '_ {
        self.is_leaf(synset).then_some(synset).into_iter().chain(self.leaves(synset))
    }
}
