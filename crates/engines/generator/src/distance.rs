//! The edit distance of trees (Zhang and Shasha: Simple fast algorithms for the editing distance between trees and related problems;
//! 1989).

use rustc_hash::FxHashMap;

use crate::grammar::Symbol;
use crate::tree::Tree;

/// Maximum number of entries of trees whose distance is computed.
pub const MAX_COMPARED_ENTRIES: usize = 1 << 10;

/// Returns the minimum number of entries to insert, delete or rename in order to make one tree from another. `None` if a tree has more than
/// [`MAX_COMPARED_ENTRIES`] entries.
pub fn edit_distance(one: &Tree, other: &Tree) -> Option<u32> {
    if one.len().max(other.len()) > MAX_COMPARED_ENTRIES {
        return None;
    }
    if one.is_empty() || other.is_empty() {
        return Some(one.len().max(other.len()) as u32);
    }
    let (one, other) = (PostOrder::of(one), PostOrder::of(other));
    let mut table = DistanceTable {
        width: other.symbols.len(),
        trees: vec![0; one.symbols.len() * other.symbols.len()],
        forests: vec![0; (one.symbols.len() + 1) * (other.symbols.len() + 1)],
    };
    for &root in &one.key_roots {
        for &other_root in &other.key_roots {
            table.fill((&one, root), (&other, other_root));
        }
    }
    table.trees.last().copied()
}

/// Returns a number that the edit distance of two trees is not below: the entries of the larger one that have no counterpart of the same
/// symbol.
pub fn distance_lower_bound(one: &Tree, other: &Tree) -> u32 {
    let mut counts: FxHashMap<Symbol, i32> = FxHashMap::default();
    one.entries().iter().for_each(|entry| *counts.entry(entry.symbol).or_default() += 1);
    other.entries().iter().for_each(|entry| *counts.entry(entry.symbol).or_default() -= 1);
    let surplus: i32 = counts.values().filter(|&&count| count > 0).sum();
    let deficit: i32 = counts.values().filter(|&&count| count < 0).sum();
    surplus.max(-deficit).unsigned_abs()
}

/// A tree in post-order.
struct PostOrder {
    symbols: Vec<Symbol>,
    /// The leftmost leaf below each entry.
    leftmost: Vec<usize>,
    /// The last entry with each leftmost leaf, in ascending order.
    key_roots: Vec<usize>,
}

impl PostOrder {
    fn of(tree: &Tree) -> Self {
        let len = tree.len();
        let mut depth = vec![0; len];
        for entry in 0..len {
            tree.children(entry).for_each(|child| depth[child] = depth[entry] + 1);
        }
        // An entry follows its descendants, and precedes the ancestors that a pre-order has before it.
        let position = |entry: usize| tree.end(entry) - 1 - depth[entry];
        let mut symbols = vec![tree.symbol(0); len];
        let mut leftmost = vec![0; len];
        for entry in (0..len).rev() {
            symbols[position(entry)] = tree.symbol(entry);
            let is_leaf = tree.end(entry) == entry + 1;
            leftmost[position(entry)] = if is_leaf { position(entry) } else { leftmost[position(entry + 1)] };
        }
        let mut last = vec![None; len];
        leftmost.iter().enumerate().for_each(|(entry, &leaf)| last[leaf] = Some(entry));
        let mut key_roots: Vec<usize> = last.into_iter().flatten().collect();
        key_roots.sort_unstable();
        Self { symbols, leftmost, key_roots }
    }
}

/// The distances of the subtrees of two trees.
struct DistanceTable {
    /// The number of entries of the second tree.
    width: usize,
    trees: Vec<u32>,
    /// The distances of the forests below two roots: those before an entry of the first and before an entry of the second.
    forests: Vec<u32>,
}

impl DistanceTable {
    /// Computes the distances of the subtrees below two key roots.
    fn fill(&mut self, (one, root): (&PostOrder, usize), (other, other_root): (&PostOrder, usize)) {
        let (first, other_first) = (one.leftmost[root], other.leftmost[other_root]);
        let (rows, columns) = (root - first + 2, other_root - other_first + 2);
        for row in 0..rows {
            self.forests[row * columns] = row as u32;
        }
        for column in 0..columns {
            self.forests[column] = column as u32;
        }
        for row in 1..rows {
            let entry = first + row - 1;
            for column in 1..columns {
                let other_entry = other_first + column - 1;
                let at = row * columns + column;
                let edited = (self.forests[at - columns] + 1).min(self.forests[at - 1] + 1);
                let tree = entry * self.width + other_entry;
                let is_whole = one.leftmost[entry] == first && other.leftmost[other_entry] == other_first;
                self.forests[at] = if is_whole {
                    let rename = u32::from(one.symbols[entry] != other.symbols[other_entry]);
                    let distance = edited.min(self.forests[at - columns - 1] + rename);
                    self.trees[tree] = distance;
                    distance
                } else {
                    let before = (one.leftmost[entry] - first) * columns + other.leftmost[other_entry] - other_first;
                    edited.min(self.forests[before] + self.trees[tree])
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_COMPARED_ENTRIES, distance_lower_bound, edit_distance};
    use crate::grammar::Symbol;
    use crate::tree::{Tree, TreeBuilder};

    /// Returns the tree of a text of letters, each of which may be followed by its children in brackets.
    fn tree(text: &str) -> Tree {
        let mut builder = TreeBuilder::default();
        let mut letters = text.bytes().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                b')' => builder.close(),
                _ if letters.next_if_eq(&b'(').is_some() => builder.open(Symbol::kind(letter.into())),
                _ => builder.token(Symbol::kind(letter.into())),
            }
        }
        builder.finish()
    }

    #[test]
    fn the_distance_is_the_minimum_number_of_edits() {
        for (one, other, distance) in [
            ("a(bc)", "a(bc)", 0),
            ("a(bc)", "a(bd)", 1),
            ("a(bc)", "a(b)", 1),
            ("a(bc)", "a(cb)", 2),
            ("a(bcd)", "a(e(bcd))", 1),
            // The example of Zhang and Shasha.
            ("f(d(ac(b))e)", "f(c(d(ab))e)", 2),
            ("a(b(c(d)))", "x", 4),
            ("a(b(c)d(e))", "a(d(e)b(c))", 4),
        ] {
            let (one_tree, other_tree) = (tree(one), tree(other));
            assert_eq!(edit_distance(&one_tree, &other_tree), Some(distance), "{one} {other}");
            assert_eq!(edit_distance(&other_tree, &one_tree), Some(distance), "{other} {one}");
            assert!(distance_lower_bound(&one_tree, &other_tree) <= distance, "{one} {other}");
        }
        assert_eq!(distance_lower_bound(&tree("a(bcd)"), &tree("a(bx)")), 2);
        assert_eq!(edit_distance(&Tree::default(), &tree("a(b)")), Some(2));
    }

    #[test]
    fn large_trees_have_no_distance() {
        let large = |entries: usize| tree(&format!("a({})", "b".repeat(entries - 1)));
        assert_eq!(edit_distance(&large(MAX_COMPARED_ENTRIES + 1), &large(2)), None);
        assert_eq!(edit_distance(&large(MAX_COMPARED_ENTRIES), &large(2)), Some(MAX_COMPARED_ENTRIES as u32 - 2));
    }
}
