//! Construction of a [`Taxonomy`] from the nested nodes of a data file.

use std::sync::Arc;

use goalspec_syntax::diagnostic::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use super::data_files::Node;
use super::tables::{BitMatrix, JaggedArray};
use super::taxonomy::{AbilityId, Labels, SynsetId, Taxonomy};
use super::{MAX_SYNSETS, Parameters, list};
use crate::codes;

/// The synsets of a tree and their edges, in the order of the file.
struct CollectedSynsets<'a> {
    nodes: Vec<&'a Node<'a>>,
    by_name: FxHashMap<&'a str, SynsetId>,
    edges: Vec<(SynsetId, SynsetId)>,
    /// The names of synsets with conflicting descriptions.
    different: Vec<&'a str>,
}

/// Builds the taxonomy of a tree, and adds inconsistencies of its content to `remarks`.
///
/// # Errors
/// A diagnostic if a synset is its own descendant, or if there are more than [`MAX_SYNSETS`].
pub(super) fn taxonomy(
    file: &str,
    root: &Node<'_>,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Taxonomy, Box<Diagnostic>> {
    let collected = collect(file, root)?;
    if !collected.different.is_empty() {
        let message = format!("{file} has several descriptions of {}; the first is used", list(&collected.different));
        remarks.push(Diagnostic::new(codes::KNOWLEDGE_MISMATCH, Severity::Note, message));
    }
    let count = collected.nodes.len();
    let down: Vec<(u32, SynsetId)> = collected.edges.iter().map(|&(parent, child)| (parent.0, child)).collect();
    let up: Vec<(u32, SynsetId)> = collected.edges.iter().map(|&(parent, child)| (child.0, parent)).collect();
    let (children, parents) = (JaggedArray::new(count, &down), JaggedArray::new(count, &up));
    let order = sort(file, &collected, &children, &parents)?;
    let mut below = BitMatrix::new(count, count);
    for &synset in order.iter().rev() {
        for &child in children.row(synset.index()) {
            below.set(synset.index(), child.index());
            below.union_row(synset.index(), child.index());
        }
    }
    let names: Vec<Arc<str>> = collected.nodes.iter().map(|node| Arc::from(&*node.name.0)).collect();
    let by_name = names.iter().enumerate().map(|(index, name)| (Arc::clone(name), SynsetId(index as u32))).collect();
    let abilities = Abilities::new(&collected.nodes, &order, &children);
    Ok(Taxonomy {
        names,
        by_name,
        parents,
        children,
        below,
        order,
        abilities: abilities.names,
        ability_by_name: abilities.by_name,
        able: abilities.able,
        parameters: abilities.parameters,
        categories: labels(&collected.nodes, |node| &node.categories),
        substances: labels(&collected.nodes, |node| &node.substances),
    })
}

/// Collects the synsets and edges of a tree.
fn collect<'a>(file: &str, root: &'a Node<'a>) -> Result<CollectedSynsets<'a>, Box<Diagnostic>> {
    let mut collected =
        CollectedSynsets { nodes: Vec::new(), by_name: FxHashMap::default(), edges: Vec::new(), different: Vec::new() };
    let mut names = FxHashSet::default();
    let mut open = vec![(root, None)];
    while let Some((node, parent)) = open.pop() {
        let next = SynsetId(collected.nodes.len() as u32);
        let id = *collected.by_name.entry(&node.name.0).or_insert(next);
        if id == next {
            collected.nodes.push(node);
        } else if !same(collected.nodes[id.index()], node) {
            collected.different.push(&node.name.0);
        }
        if collected.nodes.len() > MAX_SYNSETS {
            let message = format!("{file} exceeds the limit of {MAX_SYNSETS} synsets in a taxonomy");
            return Err(Box::new(Diagnostic::new(codes::KNOWLEDGE_TOO_LARGE, Severity::Error, message)));
        }
        if let Some(parent) = parent
            && names.insert((parent, id))
        {
            collected.edges.push((parent, id));
        }
        open.extend(node.children.iter().rev().map(|child| (child, Some(id))));
    }
    Ok(collected)
}

/// Whether two nodes describe their synset in the same way, apart from its children.
fn same(left: &Node<'_>, right: &Node<'_>) -> bool {
    left.categories == right.categories && left.substances == right.substances && left.abilities == right.abilities
}

/// Sorts the synsets topologically, parents first.
fn sort(
    file: &str,
    collected: &CollectedSynsets<'_>,
    children: &JaggedArray<SynsetId>,
    parents: &JaggedArray<SynsetId>,
) -> Result<Vec<SynsetId>, Box<Diagnostic>> {
    let count = collected.nodes.len();
    let mut pending: Vec<usize> = (0..count).map(|index| parents.row(index).len()).collect();
    let mut order: Vec<SynsetId> =
        (0..count as u32).map(SynsetId).filter(|synset| pending[synset.index()] == 0).collect();
    let mut next = 0;
    while let Some(&synset) = order.get(next) {
        next += 1;
        for &child in children.row(synset.index()) {
            pending[child.index()] -= 1;
            if pending[child.index()] == 0 {
                order.push(child);
            }
        }
    }
    if order.len() == count {
        return Ok(order);
    }
    let cyclic: Vec<&str> = (0..count).filter(|&i| pending[i] > 0).map(|i| &*collected.nodes[i].name.0).collect();
    let message = format!("{file} has a cycle of synsets, among {}", list(&cyclic));
    Err(Box::new(Diagnostic::new(codes::KNOWLEDGE_CYCLE, Severity::Error, message)))
}

/// Collects the names in one field of all nodes.
fn labels<'a>(nodes: &[&'a Node<'a>], field: impl Fn(&'a Node<'a>) -> &'a [super::data_files::Text<'a>]) -> Labels {
    let rank =
        |(index, node): (usize, &&'a Node<'a>)| field(node).iter().map(move |text| (SynsetId(index as u32), &*text.0));
    let pairs: Vec<(SynsetId, &str)> = nodes.iter().enumerate().flat_map(rank).collect();
    Labels::new(nodes.len(), &pairs)
}

/// The abilities of all synsets.
struct Abilities {
    names: Vec<Arc<str>>,
    by_name: FxHashMap<Arc<str>, AbilityId>,
    able: BitMatrix,
    parameters: FxHashMap<(SynsetId, AbilityId), Parameters>,
}

impl Abilities {
    fn new(nodes: &[&Node<'_>], order: &[SynsetId], children: &JaggedArray<SynsetId>) -> Self {
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut by_name: FxHashMap<Arc<str>, AbilityId> = FxHashMap::default();
        let mut abilities = Vec::new();
        let mut parameters = FxHashMap::default();
        for (index, node) in nodes.iter().enumerate() {
            for (name, values) in node.abilities.iter().flat_map(|abilities| &abilities.0) {
                let ability = by_name.get(&*name.0).copied().unwrap_or_else(|| {
                    let name: Arc<str> = Arc::from(&*name.0);
                    names.push(Arc::clone(&name));
                    let ability = AbilityId(names.len() as u32 - 1);
                    by_name.insert(name, ability);
                    ability
                });
                abilities.push((index, ability));
                if !values.is_empty() {
                    parameters.insert((SynsetId(index as u32), ability), values.clone());
                }
            }
        }
        let mut able = BitMatrix::new(nodes.len(), names.len());
        for &(synset, ability) in &abilities {
            able.set(synset, ability.0 as usize);
        }
        for &synset in order.iter().rev().filter(|synset| nodes[synset.index()].abilities.is_none()) {
            if let [first, rest @ ..] = children.row(synset.index()) {
                able.union_row(synset.index(), first.index());
                for child in rest {
                    able.intersect_row(synset.index(), child.index());
                }
            }
        }
        Self { names, by_name, able, parameters }
    }
}
