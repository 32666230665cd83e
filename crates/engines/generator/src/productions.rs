//! The interface between languages and the generation of their programs.

use goalspec_resource::random::RandomStream;

use crate::grammar::{Grammar, Symbol, Tokens};
use crate::sampler::Sampler;
use crate::tree::Tree;

/// A language whose programs are generated.
pub trait Productions {
    /// Returns the kinds of nodes.
    fn grammar(&self) -> &Grammar;

    /// Returns the tokens.
    fn tokens(&self) -> &Tokens;

    /// Returns the source of random trees.
    fn sampler(&self) -> &Sampler;

    /// Returns whether operators may replace nodes of a kind.
    fn is_editable(&self, kind: Symbol) -> bool;

    /// Returns the kind of whole programs.
    fn root(&self) -> Symbol;

    /// Returns the program with all names chosen: drawn names that are missing, and names that an edit left without a meaning. Names that
    /// have a meaning are kept. Returns `None` if the tree has no valid names.
    fn bind(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree>;
}
