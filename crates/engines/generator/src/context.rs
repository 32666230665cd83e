//! The places of nodes, by which productions are counted apart from each other.

use rustc_hash::FxHashMap;

use crate::counts::{FieldCounts, count_node};
use crate::grammar::{Cardinality, Grammar, Kind, Symbol, TokenSource};
use crate::tree::Tree;

/// The place of a node: its section, and the nearest node around it that is not a mere wrapper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// The kind of the innermost uncounted node around it.
    section: Option<Symbol>,
    /// The kind of the nearest node around it that has more than one child or text of its own.
    ancestor: Option<Symbol>,
}

/// Returns whether nodes of a kind stand for their only child.
fn is_wrapper(kind: &Kind) -> bool {
    let is_single = |field: &crate::grammar::Field| {
        field.cardinality == Cardinality::One && field.tokens == TokenSource::None && field.prefix.is_empty()
    };
    kind.opening.is_empty() && kind.closing.is_empty() && matches!(&kind.fields[..], [field] if is_single(field))
}

impl Context {
    /// Returns the context of the children of a node of a kind in this context.
    #[must_use]
    pub fn below(self, grammar: &Grammar, kind: Symbol) -> Self {
        match grammar.kind(kind) {
            Some(own) if !own.is_counted => Self { section: Some(kind), ancestor: Some(kind) },
            Some(own) if !is_wrapper(own) => Self { ancestor: Some(kind), ..self },
            _ => self,
        }
    }

    /// Returns the context of an entry of a tree.
    pub fn of(grammar: &Grammar, tree: &Tree, entry: usize) -> Self {
        let mut context = Self::default();
        let mut node = 0;
        while node != entry {
            context = context.below(grammar, tree.symbol(node));
            match tree.children(node).find(|&child| tree.end(child) > entry) {
                Some(child) => node = child,
                None => break,
            }
        }
        context
    }
}

/// The counts of all fields over a corpus, apart for each context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextCounts {
    counts: FxHashMap<(Context, usize), FieldCounts>,
}

impl ContextCounts {
    /// Returns the counts of a corpus.
    pub fn of<'a>(grammar: &Grammar, trees: impl IntoIterator<Item = &'a Tree>) -> Self {
        let mut all = Self::default();
        for tree in trees {
            let mut contexts = vec![Context::default(); tree.len()];
            for entry in 0..tree.len() {
                let context = contexts[entry];
                let below = context.below(grammar, tree.symbol(entry));
                tree.children(entry).for_each(|child| contexts[child] = below);
                count_node(grammar, tree, entry, |field, add| add(all.counts.entry((context, field)).or_default()));
            }
        }
        all
    }

    /// Iterates over the counts of the fields, by their positions among the fields of all kinds.
    pub fn iter(&self) -> impl Iterator<Item = (Context, usize, &FieldCounts)> {
        self.counts.iter().map(|(&(context, field), counts)| (context, field, counts))
    }
}
