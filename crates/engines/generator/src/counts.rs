//! Counts of productions over a corpus: for each field of each kind, the kinds and tokens that fill it and the lengths of its lists.

use std::collections::BTreeMap;

use crate::grammar::{Cardinality, Grammar, Symbol};
use crate::tree::Tree;

/// The counts of one field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldCounts {
    /// The number of children of each kind.
    pub kinds: BTreeMap<Symbol, u32>,
    /// The number of children that are this token.
    pub tokens: BTreeMap<Symbol, u32>,
    /// The number of lists of each length.
    pub lengths: BTreeMap<u32, u32>,
    /// The number of lists of one element that are written as the element.
    pub bare: u32,
    /// The number of nodes in which the field has no children.
    pub absent: u32,
}

/// The counts of all fields over a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    fields: Vec<FieldCounts>,
    trees: u32,
}

impl Counts {
    /// Creates counts of an empty corpus.
    pub fn new(grammar: &Grammar) -> Self {
        Self { fields: vec![FieldCounts::default(); grammar.field_count()], trees: 0 }
    }

    /// Returns the counts of a corpus.
    pub fn of<'a>(grammar: &Grammar, trees: impl IntoIterator<Item = &'a Tree>) -> Self {
        let mut counts = Self::new(grammar);
        for tree in trees {
            counts.add(grammar, tree);
        }
        counts
    }

    /// Adds the productions of a tree.
    pub fn add(&mut self, grammar: &Grammar, tree: &Tree) {
        self.trees += 1;
        for entry in 0..tree.len() {
            count_node(grammar, tree, entry, |field, add| add(&mut self.fields[field]));
        }
    }

    /// Returns the counts of a field.
    pub fn field(&self, grammar: &Grammar, kind: Symbol, field: usize) -> &FieldCounts {
        &self.fields[grammar.field_index(kind, field)]
    }

    /// Returns the number of counted trees.
    pub fn trees(&self) -> u32 {
        self.trees
    }
}

/// Counts the productions of a node. `visit` calls the function that it is given with the counts of the field at a position among the
/// fields of all kinds.
pub(crate) fn count_node(
    grammar: &Grammar,
    tree: &Tree,
    entry: usize,
    mut visit: impl FnMut(usize, &dyn Fn(&mut FieldCounts)),
) {
    let symbol = tree.symbol(entry);
    if symbol.is_token() {
        return;
    }
    let children: Vec<Symbol> = tree.children(entry).map(|child| tree.symbol(child)).collect();
    let Some(assigned) = grammar.assign(symbol, children.iter().copied()) else { return };
    for (index, field) in grammar.fields(symbol).iter().enumerate() {
        visit(grammar.field_index(symbol, index), &|counts| {
            let mut length = 0;
            for (&child, _) in children.iter().zip(&assigned).filter(|&(_, &own)| own == index) {
                let table = if child.is_token() { &mut counts.tokens } else { &mut counts.kinds };
                *table.entry(child).or_default() += 1;
                length += 1;
            }
            match field.cardinality {
                Cardinality::Many { singleton_is_bare: true, .. } if length == 1 => counts.bare += 1,
                Cardinality::Many { .. } if length > 0 || field.kinds.is_empty() => {
                    *counts.lengths.entry(length).or_default() += 1;
                }
                _ if length == 0 => counts.absent += 1,
                _ => {}
            }
        });
    }
}
