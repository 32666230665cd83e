//! Trees: programs as flat lists of nodes in pre-order.

use crate::grammar::{Grammar, Symbol, Tokens};

/// Maximum number of entries of a tree, nodes and tokens together. Operators whose result would be larger fail.
pub const MAX_TREE_ENTRIES: usize = 1 << 16;

/// A node or token of a tree, followed by its descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The kind of node, or the token.
    pub symbol: Symbol,
    /// The number of entries of the subtree, this one included.
    pub extent: u32,
}

/// A program as a tree in pre-order: each entry is followed by its children, and knows the size of its subtree.
///
/// A copy is one allocation, and a subtree is a slice. Entries are addressed by their position.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tree {
    entries: Vec<Entry>,
}

impl Tree {
    /// Returns the entries in pre-order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the tree has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the symbol of an entry.
    #[inline]
    pub fn symbol(&self, entry: usize) -> Symbol {
        self.entries[entry].symbol
    }

    /// Replaces the symbol of an entry by another of the same number of children.
    pub fn set_symbol(&mut self, entry: usize, symbol: Symbol) {
        self.entries[entry].symbol = symbol;
    }

    /// Returns the position after the subtree of an entry.
    #[inline]
    pub fn end(&self, entry: usize) -> usize {
        entry + self.entries[entry].extent as usize
    }

    /// Returns the entries of a subtree.
    pub fn subtree(&self, entry: usize) -> &[Entry] {
        &self.entries[entry..self.end(entry)]
    }

    /// Iterates over the children of an entry.
    #[inline]
    pub fn children(&self, entry: usize) -> Children<'_> {
        Children { entries: &self.entries, next: entry + 1, end: self.end(entry) }
    }

    /// Returns the child at a position among its siblings.
    pub fn child(&self, entry: usize, index: usize) -> Option<usize> {
        self.children(entry).nth(index)
    }

    /// Returns the parent of an entry; that of the root is the root.
    pub fn parent(&self, entry: usize) -> usize {
        let mut parent = 0;
        while let Some(child) = self.children(parent).find(|&child| self.end(child) > entry)
            && child < entry
        {
            parent = child;
        }
        parent
    }

    /// Returns the parent of each entry; that of the root is the root.
    pub fn parents(&self) -> Vec<u32> {
        let mut parents = vec![0; self.len()];
        for entry in 0..self.len() {
            for child in self.children(entry) {
                parents[child] = entry as u32;
            }
        }
        parents
    }

    /// Returns the tree in which a range of siblings below `parent` is replaced by other subtrees. `None` if the result exceeds
    /// [`MAX_TREE_ENTRIES`].
    pub fn splice(&self, parent: usize, range: std::ops::Range<usize>, replacement: &[Entry]) -> Option<Self> {
        let len = self.len() - range.len() + replacement.len();
        if len > MAX_TREE_ENTRIES {
            return None;
        }
        let mut entries = Vec::with_capacity(len);
        entries.extend_from_slice(&self.entries[..range.start]);
        entries.extend_from_slice(replacement);
        entries.extend_from_slice(&self.entries[range.end..]);
        // The parent and its ancestors begin before its children and end after them.
        for (entry, new) in entries[..=parent].iter_mut().enumerate() {
            if self.end(entry) >= self.end(parent) {
                new.extent = new.extent + replacement.len() as u32 - range.len() as u32;
            }
        }
        Some(Self { entries })
    }

    /// Returns the tree in which the subtree of an entry is replaced by other subtrees.
    pub fn replace(&self, parent: usize, entry: usize, replacement: &[Entry]) -> Option<Self> {
        self.splice(parent, entry..self.end(entry), replacement)
    }
}

/// The children of an entry.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    entries: &'a [Entry],
    next: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        self.next = child + self.entries[child].extent as usize;
        Some(child)
    }
}

/// A builder of trees in pre-order.
///
/// Complete subtrees at the end can still be looked at, enclosed, moved and removed.
#[derive(Debug, Clone, Default)]
pub struct TreeBuilder {
    entries: Vec<Entry>,
    open: Vec<u32>,
}

/// A state of a [`TreeBuilder`] to which it can return.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    entries: usize,
    open: usize,
}

impl TreeBuilder {
    /// Creates a builder with room for this number of entries.
    pub fn with_capacity(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries), open: Vec::with_capacity(32) }
    }

    /// Begins a node. The following entries belong to it until [`close`](Self::close).
    #[inline]
    pub fn open(&mut self, kind: Symbol) {
        self.open.push(self.entries.len() as u32);
        self.entries.push(Entry { symbol: kind, extent: 1 });
    }

    /// Ends the innermost open node.
    #[inline]
    pub fn close(&mut self) {
        if let Some(entry) = self.open.pop() {
            let extent = self.entries.len() as u32 - entry;
            self.entries[entry as usize].extent = extent;
        }
    }

    /// Adds a token.
    #[inline]
    pub fn token(&mut self, token: Symbol) {
        self.entries.push(Entry { symbol: token, extent: 1 });
    }

    /// Replaces a token.
    #[inline]
    pub fn set_token(&mut self, entry: usize, token: Symbol) {
        self.entries[entry].symbol = token;
    }

    /// Adds complete subtrees.
    pub fn subtrees(&mut self, entries: &[Entry]) {
        self.entries.extend_from_slice(entries);
    }

    /// Returns the number of entries so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the symbol of an entry; `None` behind the last one.
    #[inline]
    pub fn symbol(&self, entry: usize) -> Option<Symbol> {
        self.entries.get(entry).map(|entry| entry.symbol)
    }

    /// Returns the entries from a position on.
    pub fn since(&self, start: usize) -> &[Entry] {
        &self.entries[start..]
    }

    /// Returns the entries of a complete subtree.
    #[inline]
    pub fn subtree(&self, entry: usize) -> &[Entry] {
        &self.entries[entry..entry + self.entries[entry].extent as usize]
    }

    /// Iterates over the children of a complete node.
    pub fn children(&self, entry: usize) -> Children<'_> {
        let end = entry + self.entries[entry].extent as usize;
        Children { entries: &self.entries, next: entry + 1, end }
    }

    /// Returns the current state.
    pub fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), open: self.open.len() }
    }

    /// Returns to an earlier state, in which no node was open that has been closed since.
    pub fn reset(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.open.truncate(mark.open);
    }

    /// Removes complete subtrees or the outer nodes of one. Nodes that were opened behind the range have to be closed.
    pub fn remove(&mut self, range: std::ops::Range<usize>) {
        self.entries.drain(range);
    }

    /// Encloses complete subtrees in nodes, the outermost first.
    pub fn enclose(&mut self, range: std::ops::Range<usize>, kinds: &[Symbol]) {
        let len = range.len();
        let node = |(depth, &symbol): (usize, &Symbol)| Entry { symbol, extent: (kinds.len() - depth + len) as u32 };
        self.entries.splice(range.start..range.start, kinds.iter().enumerate().map(node));
    }

    /// Moves the entries from `from` on before those from `to` on. All of them are complete subtrees.
    pub fn move_before(&mut self, to: usize, from: usize) {
        let moved = self.entries.len() - from;
        self.entries[to..].rotate_right(moved);
    }

    /// Removes the entries from a position on, which are a complete tree, and returns it.
    #[must_use]
    pub fn split_off(&mut self, start: usize) -> Tree {
        Tree { entries: self.entries.split_off(start) }
    }

    /// Returns the tree. Open nodes are closed.
    pub fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        Tree { entries: self.entries }
    }
}

/// Returns the text of a subtree in the notation of its language, on one line.
pub fn text(grammar: &Grammar, tokens: &Tokens, tree: &Tree, root: usize) -> String {
    let mut out = String::new();
    // Pending closing texts, each with the position at which it is due.
    let mut closings: Vec<(usize, &str)> = Vec::new();
    // Texts before the first child of a field, by the position of the child.
    let mut prefixes: Vec<(usize, &str)> = Vec::new();
    for entry in root..tree.end(root) {
        while let Some(&(end, closing)) = closings.last()
            && end <= entry
        {
            atom(&mut out, closing);
            closings.pop();
        }
        if let Some(position) = prefixes.iter().position(|&(at, _)| at == entry) {
            atom(&mut out, prefixes.swap_remove(position).1);
        }
        let symbol = tree.symbol(entry);
        let Some(kind) = grammar.kind(symbol) else {
            atom(&mut out, tokens.text(symbol));
            continue;
        };
        atom(&mut out, &kind.opening);
        closings.push((tree.end(entry), kind.closing));
        if kind.fields.iter().any(|field| !field.prefix.is_empty()) {
            let children: Vec<usize> = tree.children(entry).collect();
            let fields = grammar.assign(symbol, children.iter().map(|&child| tree.symbol(child))).unwrap_or_default();
            for (index, (&child, &field)) in children.iter().zip(&fields).enumerate() {
                if (index == 0 || fields[index - 1] != field) && !kind.fields[field].prefix.is_empty() {
                    prefixes.push((child, kind.fields[field].prefix));
                }
            }
        }
    }
    while let Some((_, closing)) = closings.pop() {
        atom(&mut out, closing);
    }
    out
}

/// Appends a piece of text, after a space where one is needed.
fn atom(out: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    let glued = text.starts_with([')', ':']) && !text.starts_with(":domain");
    if !out.is_empty() && !glued && !out.ends_with(['(', ':']) {
        out.push(' ');
    }
    out.push_str(text);
}

/// Returns the first entry whose children do not fit its kind, or `None` if the tree is a tree of the grammar.
pub fn misfit(grammar: &Grammar, tree: &Tree) -> Option<usize> {
    (0..tree.len()).find(|&entry| {
        let symbol = tree.symbol(entry);
        !symbol.is_token() && grammar.assign(symbol, tree.children(entry).map(|child| tree.symbol(child))).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::{Tree, TreeBuilder};
    use crate::grammar::Symbol;

    fn tree(build: impl FnOnce(&mut TreeBuilder)) -> Tree {
        let mut builder = TreeBuilder::default();
        build(&mut builder);
        builder.finish()
    }

    fn pair(kind: Symbol, token: Symbol) -> Tree {
        tree(|builder| {
            builder.open(kind);
            builder.token(token);
        })
    }

    #[test]
    fn subtrees_are_enclosed_moved_and_removed() {
        let [outer, inner, other] = [0, 1, 2].map(Symbol::kind);
        let [one, two] = [0, 1].map(Symbol::token);
        let edited = tree(|builder| {
            builder.open(outer);
            builder.token(one);
            builder.token(one);
            builder.enclose(1..3, &[inner, other]);
            let end = builder.len();
            builder.token(two);
            builder.move_before(1, end);
            builder.close();
        });
        let expected = tree(|builder| {
            builder.open(outer);
            builder.token(two);
            builder.open(inner);
            builder.open(other);
            builder.token(one);
            builder.token(one);
        });
        assert_eq!(edited, expected);
        let reset = tree(|builder| {
            builder.open(outer);
            let mark = builder.mark();
            builder.open(inner);
            builder.token(one);
            builder.reset(mark);
            builder.open(inner);
            builder.open(other);
            builder.token(two);
            builder.close();
            builder.close();
            // The children of the removed nodes take their place.
            builder.remove(1..3);
        });
        assert_eq!(reset, pair(outer, two));
        let parts = tree(|builder| {
            builder.open(outer);
            builder.token(one);
            builder.open(inner);
            builder.token(two);
            builder.close();
            assert_eq!(builder.split_off(2), pair(inner, two));
        });
        assert_eq!(parts, pair(outer, one));
    }
}
