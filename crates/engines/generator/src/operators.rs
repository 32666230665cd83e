//! Structural operators on trees: regrowth, insertion, deletion and crossover.
//!
//! They respect the grammar and the limits, and nothing else: a language binds the names of the result.

use goalspec_resource::random::RandomStream;

use crate::context::Context;
use crate::grammar::{Cardinality, Grammar, Symbol};
use crate::sampler::{DrawLimits, Sampler, choose};
use crate::tree::{Entry, Tree};

/// A node of a tree with its place.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The entry.
    pub entry: usize,
    /// The entry of the parent.
    pub parent: usize,
    /// The field of the parent that contains it.
    pub field: usize,
    /// The position within the field.
    pub position: usize,
}

/// A list of a tree.
#[derive(Debug, Clone)]
pub struct ListPlace {
    /// The entry of the node with the list.
    pub parent: usize,
    /// The field that is a list.
    pub field: usize,
    /// The entries of the elements.
    pub elements: Vec<usize>,
    /// The entry before which an element after the last one is inserted.
    pub end: usize,
}

/// Returns the nodes of a tree that operators may replace, in pre-order. Nothing below a node that is not editable is.
pub fn places(grammar: &Grammar, tree: &Tree, is_editable: &dyn Fn(Symbol) -> bool) -> Vec<Place> {
    let mut places = Vec::new();
    each_node(grammar, tree, is_editable, |parent, children| {
        let mut previous = (usize::MAX, 0);
        for &(entry, field) in children {
            let position = if previous.0 == field { previous.1 + 1 } else { 0 };
            previous = (field, position);
            if !tree.symbol(entry).is_token() && is_editable(tree.symbol(entry)) {
                places.push(Place { entry, parent, field, position });
            }
        }
    });
    places.sort_by_key(|place| place.entry);
    places
}

/// Returns the nodes of a tree that operators may replace, in pre-order. Nothing below a node that is not editable is.
fn nodes(grammar: &Grammar, tree: &Tree, is_editable: &dyn Fn(Symbol) -> bool) -> Vec<u32> {
    let mut nodes = Vec::with_capacity(tree.len());
    let mut entry = 0;
    while entry < tree.len() {
        let symbol = tree.symbol(entry);
        if symbol.is_token() {
            entry += 1;
            continue;
        }
        let can_edit = is_editable(symbol);
        if !is_entered(grammar, entry, symbol, can_edit) {
            entry = tree.end(entry);
            continue;
        }
        if can_edit && entry > 0 {
            nodes.push(entry as u32);
        }
        entry += 1;
    }
    nodes
}

/// Returns whether an entry is a node below which nodes may be replaced: the brackets around sections have such nodes.
fn is_entered(grammar: &Grammar, entry: usize, symbol: Symbol, can_edit: bool) -> bool {
    match grammar.kind(symbol) {
        Some(kind) => entry == 0 || can_edit || !kind.is_counted,
        None => false,
    }
}

/// Returns the lists of a tree whose elements are nodes that operators may replace.
pub fn lists(grammar: &Grammar, tree: &Tree, is_editable: &dyn Fn(Symbol) -> bool) -> Vec<ListPlace> {
    let mut lists = Vec::new();
    each_node(grammar, tree, is_editable, |parent, children| {
        for (field, own) in grammar.fields(tree.symbol(parent)).iter().enumerate() {
            let is_list = matches!(own.cardinality, Cardinality::Many { .. });
            if !is_list || !own.kinds.iter().any(|&kind| is_editable(kind)) {
                continue;
            }
            let elements: Vec<usize> =
                children.iter().filter(|&&(_, of)| of == field).map(|&(entry, _)| entry).collect();
            let before = children.iter().filter(|&&(_, of)| of < field).map(|&(entry, _)| tree.end(entry)).max();
            let end = elements.last().map_or(before.unwrap_or(parent + 1), |&last| tree.end(last));
            lists.push(ListPlace { parent, field, elements, end });
        }
    });
    lists
}

/// Calls a function with each node outside of parts that are not editable, and its children with their fields.
fn each_node(
    grammar: &Grammar,
    tree: &Tree,
    is_editable: &dyn Fn(Symbol) -> bool,
    mut visit: impl FnMut(usize, &[(usize, usize)]),
) {
    let (mut children, mut fields): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut entry = 0;
    while entry < tree.len() {
        let symbol = tree.symbol(entry);
        if !is_entered(grammar, entry, symbol, is_editable(symbol)) {
            entry = tree.end(entry);
            continue;
        }
        if grammar.assign_into(symbol, tree.children(entry).map(|child| tree.symbol(child)), &mut fields) {
            children.clear();
            children.extend(tree.children(entry).zip(fields.iter().copied()));
            visit(entry, &children);
        }
        entry += 1;
    }
}

fn pick<'t, T>(items: &'t [T], stream: &mut RandomStream) -> Option<&'t T> {
    items.get(stream.below(items.len() as u64) as usize)
}

/// The grammar and the sampler with which operators work.
#[derive(Clone, Copy)]
pub struct Operators<'a> {
    /// The grammar.
    pub grammar: &'a Grammar,
    /// The source of new subtrees.
    pub sampler: &'a Sampler,
    /// The limits of a new subtree.
    pub limits: DrawLimits,
    /// Whether operators may replace nodes of a kind.
    pub is_editable: &'a dyn Fn(Symbol) -> bool,
}

impl Operators<'_> {
    /// Returns the nodes of a tree that operators may replace, in pre-order.
    pub fn nodes(&self, tree: &Tree) -> Vec<u32> {
        nodes(self.grammar, tree, self.is_editable)
    }

    /// Returns the tree in which one of its [nodes](Self::nodes), drawn uniformly, is replaced by a new one of its kind.
    pub fn regrow(&self, tree: &Tree, nodes: &[u32], stream: &mut RandomStream) -> Option<Tree> {
        let entry = *pick(nodes, stream)? as usize;
        self.regrow_at(tree, (entry, tree.parent(entry)), stream)
    }

    /// Returns the tree in which a node, which is given with its parent, is replaced by a new one of its kind.
    pub fn regrow_at(&self, tree: &Tree, (entry, parent): (usize, usize), stream: &mut RandomStream) -> Option<Tree> {
        let context = Context::of(self.grammar, tree, entry);
        let new = self.sampler.draw(self.grammar, (tree.symbol(entry), context), self.limits, stream)?;
        tree.replace(parent, entry, new.entries())
    }

    /// Returns the tree with a new element in one of its lists; short lists are preferred.
    pub fn insert(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        let lists = lists(self.grammar, tree, self.is_editable);
        let lengths = || lists.iter().map(|list| list.elements.len());
        let sum = lengths().max()? + lengths().min()?;
        let weights: Vec<(usize, f64)> =
            lists.iter().enumerate().map(|(index, list)| (index, (sum - list.elements.len()).max(1) as f64)).collect();
        let list = &lists[choose(&weights, stream, |_| true)?];
        let parent = (tree.symbol(list.parent), Context::of(self.grammar, tree, list.parent));
        let element = self.sampler.draw_element(self.grammar, parent, list.field, self.limits, stream)?;
        insert_into(tree, list, element.entries(), stream)
    }

    /// Returns the tree without an element of one of its lists; long lists are preferred.
    pub fn delete(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        let lists = lists(self.grammar, tree, self.is_editable);
        let is_long = |list: &ListPlace| {
            let field = self.grammar.fields(tree.symbol(list.parent)).get(list.field);
            match field.map(|field| field.cardinality) {
                Some(Cardinality::Many { min, .. }) => list.elements.len() > min as usize,
                _ => false,
            }
        };
        let weights: Vec<(usize, f64)> = lists
            .iter()
            .enumerate()
            .filter(|(_, list)| is_long(list))
            .map(|(index, list)| (index, list.elements.len() as f64))
            .collect();
        let list = &lists[choose(&weights, stream, |_| true)?];
        tree.replace(list.parent, *pick(&list.elements, stream)?, &[])
    }

    /// Returns both trees with a pair of subtrees of the same class exchanged. The class is drawn from six: the kind, the place in the
    /// parent's fields, or both.
    pub fn crossover(&self, one: &Tree, other: &Tree, stream: &mut RandomStream) -> Option<[Tree; 2]> {
        let own = places(self.grammar, one, self.is_editable);
        let others = places(self.grammar, other, self.is_editable);
        let class = stream.below(6);
        let key = |tree: &Tree, place: &Place| {
            let kind = tree.symbol(place.entry);
            let parent = tree.symbol(place.parent);
            let (field, position) = (place.field, place.position);
            match class {
                0 => (Some(kind), None, 0, 0),
                1 => (None, Some(parent), field, 0),
                2 => (None, Some(parent), field, position),
                3 => (Some(kind), Some(parent), 0, 0),
                4 => (Some(kind), Some(parent), field, 0),
                _ => (Some(kind), Some(parent), field, position),
            }
        };
        let mut common: Vec<_> = own.iter().map(|place| key(one, place)).collect();
        let available: Vec<_> = others.iter().map(|place| key(other, place)).collect();
        common.sort_unstable();
        common.dedup();
        common.retain(|class| available.contains(class));
        let chosen = *pick(&common, stream)?;
        let members = |tree: &Tree, places: &[Place]| -> Vec<Place> {
            places.iter().filter(|place| key(tree, place) == chosen).copied().collect()
        };
        let first = *pick(&members(one, &own), stream)?;
        let second = *pick(&members(other, &others), stream)?;
        Some([
            one.replace(first.parent, first.entry, other.subtree(second.entry))?,
            other.replace(second.parent, second.entry, one.subtree(first.entry))?,
        ])
    }

    /// Returns both trees with an element of a list of the other one inserted into a list of the same field.
    pub fn crossover_by_insertion(&self, one: &Tree, other: &Tree, stream: &mut RandomStream) -> Option<[Tree; 2]> {
        let own = lists(self.grammar, one, self.is_editable);
        let others = lists(self.grammar, other, self.is_editable);
        let key = |tree: &Tree, list: &ListPlace| (tree.symbol(list.parent), list.field);
        let has_elements = |list: &&ListPlace| !list.elements.is_empty();
        let pairs: Vec<(&ListPlace, &ListPlace)> = own
            .iter()
            .filter(has_elements)
            .flat_map(|first| others.iter().filter(has_elements).map(move |second| (first, second)))
            .filter(|(first, second)| key(one, first) == key(other, second))
            .collect();
        let &(first, second) = pick(&pairs, stream)?;
        let given = one.subtree(*pick(&first.elements, stream)?);
        let taken = other.subtree(*pick(&second.elements, stream)?);
        Some([insert_into(one, first, taken, stream)?, insert_into(other, second, given, stream)?])
    }
}

fn insert_into(tree: &Tree, list: &ListPlace, element: &[Entry], stream: &mut RandomStream) -> Option<Tree> {
    let index = stream.below(list.elements.len() as u64 + 1) as usize;
    let at = list.elements.get(index).copied().unwrap_or(list.end);
    tree.splice(list.parent, at..at, element)
}
