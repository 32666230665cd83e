//! The common parts of syntax nodes: spans, names, and nodes for text that could not be parsed.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use goalspec_syntax::{NodeSpan, Span};

/// An identifier with its source span.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text, including the leading `?` of a variable; empty if the program lacks a valid name here.
    pub text: Arc<str>,
    /// Whether an error was reported about the name.
    pub status: NodeStatus,
    /// The span of the identifier.
    pub span: NodeSpan,
}

/// Whether an error was reported about a node. All states compare equal and hash alike.
#[derive(Debug, Clone, Copy)]
pub enum NodeStatus {
    /// No error was reported.
    Valid,
    /// An error was reported, so later phases report nothing more about the node.
    Erroneous,
}

impl PartialEq for NodeStatus {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for NodeStatus {}

impl Hash for NodeStatus {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Name {
    /// Returns the name that stands where a valid one is missing.
    pub fn missing(span: Span) -> Self {
        Self { text: Arc::from(""), status: NodeStatus::Erroneous, span: span.into() }
    }

    /// Returns whether a valid name is missing.
    pub fn is_missing(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether an error was reported about the name.
    pub fn is_erroneous(&self) -> bool {
        matches!(self.status, NodeStatus::Erroneous)
    }

    /// Records that an error was reported about the name.
    pub(crate) fn mark_erroneous(&mut self) {
        self.status = NodeStatus::Erroneous;
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        self.span.0
    }
}

/// A piece of a program that the parser could not turn into a node of its kind. The error has been reported.
///
/// An erroneous node equals no node, not even itself, because its meaning is unknown.
#[derive(Debug, Clone)]
pub struct ErrorNode<T> {
    /// The parts of the piece that could be parsed.
    pub parts: Vec<T>,
    /// The span of the piece.
    pub span: Span,
}

impl<T> ErrorNode<T> {
    /// Creates a node without parts.
    pub fn new(span: Span) -> Self {
        Self { parts: Vec::new(), span }
    }
}

/// The names that the pieces of a game that could not be parsed may declare for the rest of the game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct UnparsedNames {
    /// The names of variables, with their question marks, and of preferences.
    pub names: BTreeSet<Arc<str>>,
    /// Whether the pieces may declare preferences with other names.
    pub has_unknown_preferences: bool,
    /// Whether a piece between the preferences may declare external variables of the preferences.
    pub has_externals: bool,
}

impl<T> PartialEq for ErrorNode<T> {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl<T> Hash for ErrorNode<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.span.hash(state);
    }
}
