//! YAML: text to a tree in which every key and every value knows its bytes.
//!
//! ```
//! let mut sources = goalspec_syntax::Sources::new();
//! let id = sources.add("demo", "teams: [red, blue] # in this order");
//! let parsed = goalspec_rgg::yaml::parse(sources.get(id));
//! let entry = parsed.tree.root().unwrap().entries().unwrap().next().unwrap();
//! assert_eq!((&*entry.key.text, entry.value.items().unwrap().count()), ("teams", 2));
//! assert_eq!(sources.get(id).slice(entry.value.span()), "[red, blue]");
//! ```
//!
//! Mappings are ordered and keep keys that stand twice. An alias is the very node that it stands for, so a text cannot grow by them;
//! all the same the tree counts as large as it would be with every alias written out, because that is what is read from it.
//! A text with a syntax error has no tree.

mod build;
mod scalar;

use std::sync::Arc;

use goalspec_syntax::{Diagnostic, SourceFile, Span};

pub use scalar::{Literal, Scalar, Style};

/// Largest text, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Deepest nesting, aliases written out.
pub const MAX_DEPTH: usize = 96;

/// Most keys and values, aliases written out. Of a text longer than [`SHORT_BYTES`], every [`BYTES_PER_NODE`] bytes more count as another:
/// an expression in it becomes about as large as so many values.
pub const MAX_NODES: usize = 1 << 23;

/// Bytes of a text that counts as one value.
pub const SHORT_BYTES: usize = 64;

/// Bytes of a longer text that count as one value more.
pub const BYTES_PER_NODE: usize = 8;

/// The tree of a text, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// What is wrong with the text as YAML.
    pub diagnostics: Vec<Diagnostic>,
}

/// The tree of a text.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: Vec<Data>,
    root: Option<Index>,
    comments: Vec<Span>,
}

/// The place of a node in the table of its tree.
type Index = u32;

#[derive(Debug, Clone)]
struct Data {
    span: Span,
    content: Content,
    /// How many keys and values there are in it, itself included.
    size: usize,
    /// How many levels there are below it.
    depth: usize,
}

#[derive(Debug, Clone)]
enum Content {
    Scalar(Scalar),
    Sequence(Box<[Index]>),
    Mapping(Box<[(Key, Index)]>),
    Unreadable,
}

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The text.
    pub text: Arc<str>,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// A key with its value.
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
    index: Index,
}

/// Reads a text as one YAML document.
pub fn parse(source: &SourceFile) -> Parsed {
    build::parse(source)
}

impl Tree {
    /// The whole document; `None` where it is empty or not YAML.
    pub fn root(&self) -> Option<Node<'_>> {
        self.root.map(|index| Node { tree: self, index })
    }

    /// Where the comments stand, each from its `#` to the end of its line.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.tree.nodes[self.index as usize]
    }

    /// Where it stands: from its first byte to its last.
    pub fn span(self) -> Span {
        self.data().span
    }

    /// The scalar, if it is one.
    pub fn scalar(self) -> Option<&'t Scalar> {
        match &self.data().content {
            Content::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The items, if it is a sequence.
    pub fn items(self) -> Option<impl ExactSizeIterator<Item = Self> + Clone> {
        match &self.data().content {
            Content::Sequence(items) => Some(items.iter().map(move |&index| Self { index, ..self })),
            _ => None,
        }
    }

    /// The entries, if it is a mapping. A key may come twice.
    pub fn entries(self) -> Option<impl ExactSizeIterator<Item = Entry<'t>> + Clone> {
        match &self.data().content {
            Content::Mapping(entries) => {
                Some(entries.iter().map(move |(key, index)| Entry { key, value: Self { index: *index, ..self } }))
            }
            _ => None,
        }
    }

    /// Whether something stands here that has been reported and stands for nothing.
    pub fn is_unreadable(self) -> bool {
        matches!(self.data().content, Content::Unreadable)
    }

    /// Whether it is `null`, `~`, or nothing at all.
    pub fn is_null(self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.literal() == Literal::Null)
    }

    /// What it is, with its article: "a list".
    pub fn kind(self) -> &'static str {
        match &self.data().content {
            Content::Scalar(scalar) => scalar.literal().kind(),
            Content::Sequence(_) => "a list",
            Content::Mapping(_) => "a map",
            Content::Unreadable => "something unreadable",
        }
    }
}
