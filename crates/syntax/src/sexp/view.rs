//! What later phases see of a tree: lists, atoms and comments with their spans.

use rowan::{GreenNode, NodeOrToken, TextRange};

use super::kind::{AtomKind, Sexpressions, SyntaxKind};
use crate::source::{SourceId, Span};

type SyntaxNode = rowan::SyntaxNode<Sexpressions>;
type SyntaxToken = rowan::SyntaxToken<Sexpressions>;
type SyntaxElement = rowan::SyntaxElement<Sexpressions>;

/// A whole text as a tree. Cheap to clone, and free to move between threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    green: GreenNode,
    source: SourceId,
}

impl Tree {
    pub(super) fn new(green: GreenNode, source: SourceId) -> Self {
        Self { green, source }
    }

    /// The text of the tree: the input's, to the byte.
    pub fn text(&self) -> String {
        self.root().text().to_string()
    }

    /// All lists that stand in no other list, in order.
    pub fn roots(&self) -> impl Iterator<Item = List> + use<> {
        let source = self.source;
        self.root().children().map(move |node| List { node, source })
    }

    /// The comments after the last list, except one on its line.
    pub fn dangling_comments(&self) -> Vec<Comment> {
        dangling(self.root().last_child_or_token(), self.source)
    }

    fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// A list or an atom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Sexp {
    /// A list.
    List(List),
    /// An atom.
    Atom(Atom),
}

impl Sexp {
    /// Where it stands, parentheses included.
    pub fn span(&self) -> Span {
        match self {
            Self::List(list) => list.span(),
            Self::Atom(atom) => atom.span(),
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&List> {
        match self {
            Self::List(list) => Some(list),
            Self::Atom(_) => None,
        }
    }

    /// The atom, if it is one.
    pub fn as_atom(&self) -> Option<&Atom> {
        match self {
            Self::List(_) => None,
            Self::Atom(atom) => Some(atom),
        }
    }

    fn new(element: SyntaxElement, source: SourceId) -> Option<Self> {
        match element {
            NodeOrToken::Node(node) => Some(Self::List(List { node, source })),
            NodeOrToken::Token(token) => Atom::new(token, source).map(Self::Atom),
        }
    }

    fn element(&self) -> SyntaxElement {
        match self {
            Self::List(list) => list.node.clone().into(),
            Self::Atom(atom) => atom.token.clone().into(),
        }
    }

    fn source(&self) -> SourceId {
        match self {
            Self::List(list) => list.source,
            Self::Atom(atom) => atom.source,
        }
    }
}

impl From<List> for Sexp {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl From<Atom> for Sexp {
    fn from(atom: Atom) -> Self {
        Self::Atom(atom)
    }
}

/// A list: `(`, items, `)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct List {
    node: SyntaxNode,
    source: SourceId,
}

impl List {
    /// The lists and atoms in it, in order.
    pub fn items(&self) -> impl Iterator<Item = Sexp> + use<> {
        let source = self.source;
        self.node
            .children_with_tokens()
            .by_kind(SyntaxKind::is_item)
            .filter_map(move |element| Sexp::new(element, source))
    }

    /// The first item, if it is an atom.
    pub fn head(&self) -> Option<Atom> {
        let first = self.node.first_child_or_token_by_kind(&SyntaxKind::is_item)?;
        Atom::new(first.into_token()?, self.source)
    }

    /// Where it stands, parentheses included.
    pub fn span(&self) -> Span {
        span(self.source, self.node.text_range())
    }

    /// Where its opening parenthesis stands.
    pub fn open_span(&self) -> Span {
        let start = self.span().start;
        Span::new(self.source, start, start + 1)
    }

    /// Whether its closing parenthesis was written. If not, that has been reported.
    pub fn is_closed(&self) -> bool {
        self.node.last_child_or_token().is_some_and(|last| last.kind() == SyntaxKind::RightParenthesis)
    }

    /// The text of the list, comments included.
    pub fn text(&self) -> String {
        self.node.text().to_string()
    }
}

/// An atom: a name, a variable, a keyword, a number or a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    token: SyntaxToken,
    kind: AtomKind,
    source: SourceId,
}

impl Atom {
    fn new(token: SyntaxToken, source: SourceId) -> Option<Self> {
        Some(Self { kind: token.kind().atom()?, token, source })
    }

    /// The text as written, a string's quotes included.
    pub fn text(&self) -> &str {
        self.token.text()
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        span(self.source, self.token.text_range())
    }

    /// What it is.
    pub fn kind(&self) -> AtomKind {
        self.kind
    }
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Comment {
    token: SyntaxToken,
    source: SourceId,
}

impl Comment {
    fn new(element: SyntaxElement, source: SourceId) -> Option<Self> {
        let token = element.into_token()?;
        (token.kind() == SyntaxKind::Comment).then_some(Self { token, source })
    }

    /// The text with its `;`, without the line end.
    pub fn text(&self) -> &str {
        self.token.text()
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        span(self.source, self.token.text_range())
    }
}

/// The comments between the item before (or the opening parenthesis) and this one, except one that stands on the line of the
/// item before.
pub fn leading_comments(item: &Sexp) -> Vec<Comment> {
    gather(item.element().prev_sibling_or_token(), item.source())
}

/// The comment that follows an item on the line where the item ends.
pub fn trailing_comment(item: &Sexp) -> Option<Comment> {
    let mut next = item.element().next_sibling_or_token()?;
    if next.kind() == SyntaxKind::Whitespace && !has_line_end(&next) {
        next = next.next_sibling_or_token()?;
    }
    Comment::new(next, item.source())
}

/// The comments between the last item (or the opening parenthesis) and the closing parenthesis, except one that stands on the
/// line of the last item.
pub fn dangling_comments(list: &List) -> Vec<Comment> {
    dangling(list.node.last_child_or_token(), list.source)
}

fn dangling(last: Option<SyntaxElement>, source: SourceId) -> Vec<Comment> {
    match last {
        Some(last) if is_seen(&last) => Vec::new(),
        last => gather(last, source),
    }
}

/// Whether later phases see an element: lists everywhere, atoms only in lists.
fn is_seen(element: &SyntaxElement) -> bool {
    let is_loose = || element.parent().is_none_or(|parent| parent.kind() == SyntaxKind::Root);
    element.kind() == SyntaxKind::List || (element.kind().is_item() && !is_loose())
}

/// Comments from `last` backwards to the item before, in the order of the text.
fn gather(last: Option<SyntaxElement>, source: SourceId) -> Vec<Comment> {
    let mut comments = Vec::new();
    for element in std::iter::successors(last, SyntaxElement::prev_sibling_or_token) {
        if is_seen(&element) {
            if trailing_comment_of(element, source).is_some() {
                comments.pop();
            }
            break;
        }
        comments.extend(Comment::new(element, source));
    }
    comments.reverse();
    comments
}

fn trailing_comment_of(element: SyntaxElement, source: SourceId) -> Option<Comment> {
    trailing_comment(&Sexp::new(element, source)?)
}

fn has_line_end(element: &SyntaxElement) -> bool {
    element.as_token().is_some_and(|token| token.text().contains('\n'))
}

fn span(source: SourceId, range: TextRange) -> Span {
    Span::new(source, range.start().into(), range.end().into())
}
