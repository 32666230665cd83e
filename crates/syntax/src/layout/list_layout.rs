//! A list with the properties that determine its layout: comments, widths, and whether it fits on one line.

use super::Style;
use crate::sexp::{self, Comment, List, Sexp};
use crate::source::Span;

/// A list prepared for layout, as a [`Style`] sees it.
#[derive(Debug)]
pub struct ListLayout {
    pub(super) items: Vec<Item>,
    /// Comments after the last item.
    pub(super) dangling: Vec<CommentText>,
    pub(super) span: Span,
    /// The width on one line, in characters.
    pub(super) width: usize,
    /// Whether the list must not stand on one line.
    pub(super) broken: bool,
}

/// An item of a list with the comments around it.
#[derive(Debug)]
pub(super) struct Item {
    /// The comments on separate lines before the item.
    pub(super) leading: Vec<CommentText>,
    pub(super) node: Node,
    /// The comment after the item on the same line.
    pub(super) trailing: Option<CommentText>,
}

#[derive(Debug)]
pub(super) enum Node {
    List(ListLayout),
    Atom { text: String, span: Span, width: usize },
}

/// A comment.
#[derive(Debug)]
pub(super) struct CommentText {
    pub(super) text: String,
    pub(super) span: Span,
}

impl ListLayout {
    pub(super) fn of(list: List<'_>, style: &Style) -> Self {
        let items: Vec<Item> = list
            .items()
            .map(|sexp| Item {
                leading: sexp::leading_comments(sexp).into_iter().map(CommentText::of).collect(),
                trailing: sexp::trailing_comment(sexp).map(CommentText::of),
                node: match sexp {
                    Sexp::List(list) => Node::List(Self::of(list, style)),
                    Sexp::Atom(atom) => Node::Atom {
                        text: atom.text().to_owned(),
                        span: atom.span(),
                        width: atom.text().chars().count(),
                    },
                },
            })
            .collect();
        let dangling: Vec<_> = sexp::dangling_comments(list).into_iter().map(CommentText::of).collect();
        let width = 2 + items.iter().map(|item| item.node.width() + 1).sum::<usize>().saturating_sub(1);
        let broken = !dangling.is_empty()
            || items.iter().any(|item| item.has_comment() || matches!(&item.node, Node::List(list) if list.broken))
            || items.first().and_then(Item::atom).is_some_and(|head| style.multiline.contains(&head));
        Self { items, dangling, span: list.span(), width, broken }
    }

    /// Returns the first item, if it is an atom.
    pub fn head(&self) -> Option<&str> {
        self.items.first()?.atom()
    }

    /// Returns the number of atoms at the start of the list.
    pub fn leading_atom_count(&self) -> usize {
        self.items.iter().take_while(|item| item.atom().is_some()).count()
    }

    /// Whether the item at this index is a list.
    pub fn is_list(&self, index: usize) -> bool {
        self.list(index).is_some()
    }

    /// Whether the item at this index is a list with this head.
    pub fn is_list_with_head(&self, index: usize, word: &str) -> bool {
        self.list(index).and_then(Self::head) == Some(word)
    }

    fn list(&self, index: usize) -> Option<&Self> {
        match &self.items.get(index)?.node {
            Node::List(list) => Some(list),
            Node::Atom { .. } => None,
        }
    }
}

impl Item {
    pub(super) fn has_comment(&self) -> bool {
        !self.leading.is_empty() || self.trailing.is_some()
    }

    /// Returns the text of an atom; `None` for a list.
    pub(super) fn atom(&self) -> Option<&str> {
        match &self.node {
            Node::Atom { text, .. } => Some(text),
            Node::List(_) => None,
        }
    }
}

impl Node {
    pub(super) fn width(&self) -> usize {
        match self {
            Self::List(list) => list.width,
            Self::Atom { width, .. } => *width,
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::List(list) => list.span,
            Self::Atom { span, .. } => *span,
        }
    }
}

impl CommentText {
    fn of(comment: Comment<'_>) -> Self {
        Self { text: comment.text().trim_end().to_owned(), span: comment.span() }
    }
}
