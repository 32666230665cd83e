//! The YAML parser: text to a tree with the byte span of every key and value.
//!
//! ```
//! let mut sources = goalspec_syntax::Sources::new();
//! let id = sources.add("demo", "teams: [red, blue] # in this order");
//! let parsed = goalspec_rgg::yaml::parse(sources.file(id));
//! let entry = parsed.tree.root().unwrap().entries().unwrap().next().unwrap();
//! assert_eq!((&*entry.key.text, entry.value.items().unwrap().count()), ("teams", 2));
//! assert_eq!(sources.file(id).slice(entry.value.span()), "[red, blue]");
//! ```
//!
//! Mappings keep the order of their entries, and duplicate keys. An alias shares the node of its anchor, so aliases do not enlarge the
//! tree; the limits on its size nevertheless count every alias as expanded, because readers visit the expanded tree.
//! A text with a syntax error has no tree.

mod build;
mod scalar;

use std::sync::Arc;

use goalspec_syntax::{Diagnostic, SourceFile, Span};

pub use scalar::{QuotingStyle, Scalar, ScalarValue};

/// The maximum size of a text, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The maximum nesting depth, with aliases expanded.
pub const MAX_DEPTH: usize = 96;

/// The maximum number of keys and values, with aliases expanded. A scalar longer than [`BYTES_OF_FIRST_UNIT`] counts as one more for every
/// [`BYTES_PER_NODE`] further bytes, since an expression in it becomes about as large as that many values.
pub const MAX_NODES: usize = 1 << 23;

/// The maximum length of a scalar that counts as one value, in bytes.
pub const BYTES_OF_FIRST_UNIT: usize = 64;

/// The number of further bytes of a longer scalar that count as one more value.
pub const BYTES_PER_NODE: usize = 8;

/// The tree of a text, with diagnostics.
#[derive(Debug, Clone, Default)]
pub struct ParsedDocument {
    /// The tree; it has no root if the text is empty or parsing stopped at an error.
    pub tree: Tree,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tree of a YAML document.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: Vec<NodeData>,
    root: Option<NodeIndex>,
    comments: Vec<Span>,
}

/// The index of a node in the table of its tree.
type NodeIndex = u32;

#[derive(Debug, Clone)]
struct NodeData {
    span: Span,
    content: Content,
    /// The number of keys and values in the node, including itself, with aliases expanded.
    size: usize,
    /// The number of levels below the node.
    depth: usize,
}

#[derive(Debug, Clone)]
enum Content {
    Scalar(Scalar),
    Sequence(Box<[NodeIndex]>),
    Mapping(Box<[(Key, NodeIndex)]>),
    Error,
}

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The text of the key.
    pub text: Arc<str>,
    /// The span, including quotes.
    pub span: Span,
}

/// An entry of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'t> {
    /// The key.
    pub key: &'t Key,
    /// The value.
    pub value: Node<'t>,
}

/// A node of a tree.
#[derive(Debug, Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: NodeIndex,
}

/// Parses a text as one YAML document.
pub fn parse(source: &SourceFile) -> ParsedDocument {
    build::parse(source)
}

/// Whether a plain scalar with this text is a string, as opposed to a number, a Boolean or null.
pub(crate) fn is_plain_text(text: &str) -> bool {
    scalar::resolve_plain(text) == ScalarValue::Str
}

impl Tree {
    /// Returns the root of the document; `None` if the document is empty or not valid YAML.
    pub fn root(&self) -> Option<Node<'_>> {
        self.root.map(|index| Node { tree: self, index })
    }

    /// Returns the spans of the comments, each from its `#` to the end of the line.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.index as usize]
    }

    /// Returns the span of the node.
    pub fn span(self) -> Span {
        self.data().span
    }

    /// Returns the scalar, if the node is one.
    pub fn scalar(self) -> Option<&'t Scalar> {
        match &self.data().content {
            Content::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the items, if the node is a sequence.
    pub fn items(self) -> Option<impl ExactSizeIterator<Item = Self> + Clone> {
        match &self.data().content {
            Content::Sequence(items) => Some(items.iter().map(move |&index| Self { index, ..self })),
            _ => None,
        }
    }

    /// Returns the entries, if the node is a mapping. Keys may be duplicated.
    pub fn entries(self) -> Option<impl ExactSizeIterator<Item = Entry<'t>> + Clone> {
        match &self.data().content {
            Content::Mapping(entries) => {
                Some(entries.iter().map(move |(key, index)| Entry { key, value: Self { index: *index, ..self } }))
            }
            _ => None,
        }
    }

    /// Whether the node replaces an erroneous value that has been reported.
    pub fn is_error(self) -> bool {
        matches!(self.data().content, Content::Error)
    }

    /// Whether the node is `null`, `~` or empty.
    pub fn is_null(self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.value() == ScalarValue::Null)
    }

    /// Returns the kind of the node, with an article: "a list".
    pub fn kind(self) -> &'static str {
        match &self.data().content {
            Content::Scalar(scalar) => scalar.value().kind(),
            Content::Sequence(_) => "a list",
            Content::Mapping(_) => "a map",
            Content::Error => "an invalid value",
        }
    }
}
