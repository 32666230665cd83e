//! Views of a tree for later phases: lists, atoms and comments with their spans.

mod cursor;

use std::sync::Arc;
use std::{fmt, hash, ptr};

use super::kind::AtomKind;
use super::tree::{Element, ElementKind, TreeData};
use crate::source::{SourceId, Span};

pub use cursor::{Cursor, Token};

/// The tree of a whole text. Cheap to clone, and safe to move between threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    stored: Arc<TreeData>,
}

impl Tree {
    pub(super) fn new(source: SourceId, text: Arc<str>, elements: Vec<Element>) -> Self {
        Self { stored: Arc::new(TreeData { source, text, elements }) }
    }

    /// Returns the text of the tree, which equals the input byte for byte.
    pub fn text(&self) -> &str {
        &self.stored.text
    }

    /// Iterates over the top-level lists in order.
    pub fn roots(&self) -> impl Iterator<Item = List<'_>> + use<'_> {
        self.items().filter_map(Sexp::as_list)
    }

    /// Iterates over the top-level items in order. Only [plain lists](super::plain) have atoms among them.
    pub fn items(&self) -> impl Iterator<Item = Sexp<'_>> + use<'_> {
        self.children().filter_map(Sexp::new)
    }

    /// Returns the comments after the last top-level list, except a comment on its last line.
    pub fn dangling_comments(&self) -> Vec<Comment<'_>> {
        gather(self.children().last())
    }

    /// Whether two trees are equal up to layout: the same lists with the same items, closed or unclosed alike, the same comments, and the
    /// same invalid text between them.
    pub fn eq_ignoring_layout(&self, other: &Self) -> bool {
        let (left, right) = (&*self.stored, &*other.stored);
        left.elements.len() == right.elements.len()
            && left.elements.iter().zip(&right.elements).all(|(one, another)| {
                let shape = |element: &Element| (element.kind, element.previous_distance, element.size);
                shape(one) == shape(another)
                    && match one.kind {
                        ElementKind::List { .. } => true,
                        ElementKind::Comment => left.text_of(one).trim_end() == right.text_of(another).trim_end(),
                        ElementKind::Atom(_) | ElementKind::Error => left.text_of(one) == right.text_of(another),
                    }
            })
    }

    fn children(&self) -> ElementIter<'_> {
        ElementIter { stored: &self.stored, next: 0, end: self.stored.elements.len() as u32 }
    }
}

/// A reference to one element of a tree. Two are equal if they refer to the same element of the same tree.
#[derive(Clone, Copy)]
struct ElementRef<'t> {
    stored: &'t TreeData,
    index: u32,
}

impl<'t> ElementRef<'t> {
    fn element(self) -> &'t Element {
        &self.stored.elements[self.index as usize]
    }

    fn kind(self) -> ElementKind {
        self.element().kind
    }

    fn text(self) -> &'t str {
        self.stored.text_of(self.element())
    }

    fn span(self) -> Span {
        let element = self.element();
        Span::new(self.stored.source, element.start, element.end)
    }

    fn children(self) -> ElementIter<'t> {
        ElementIter { stored: self.stored, next: self.index + 1, end: self.index + self.element().size }
    }

    /// Returns the previous element of the same list.
    fn previous(self) -> Option<Self> {
        let back = self.element().previous_distance;
        (back > 0).then(|| Self { index: self.index - back, ..self })
    }

    /// Returns the next element of the same list.
    fn next(self) -> Option<Self> {
        let index = self.index + self.element().size;
        let next = self.stored.elements.get(index as usize)?;
        (next.previous_distance == self.element().size).then_some(Self { index, ..self })
    }
}

impl PartialEq for ElementRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.stored, other.stored) && self.index == other.index
    }
}

impl Eq for ElementRef<'_> {}

impl hash::Hash for ElementRef<'_> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        ptr::from_ref(self.stored).hash(state);
        self.index.hash(state);
    }
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}", self.text(), self.element().start)
    }
}

/// An iterator over the elements directly in a list or tree.
#[derive(Clone)]
struct ElementIter<'t> {
    stored: &'t TreeData,
    next: u32,
    end: u32,
}

impl<'t> Iterator for ElementIter<'t> {
    type Item = ElementRef<'t>;

    fn next(&mut self) -> Option<ElementRef<'t>> {
        if self.next >= self.end {
            return None;
        }
        let place = ElementRef { stored: self.stored, index: self.next };
        self.next += place.element().size;
        Some(place)
    }
}

/// A list or an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sexp<'t> {
    /// A list.
    List(List<'t>),
    /// An atom.
    Atom(Atom<'t>),
}

impl<'t> Sexp<'t> {
    /// Returns the span of the expression, parentheses included.
    pub fn span(self) -> Span {
        self.place().span()
    }

    /// Returns the list; `None` for an atom.
    pub fn as_list(self) -> Option<List<'t>> {
        match self {
            Self::List(list) => Some(list),
            Self::Atom(_) => None,
        }
    }

    /// Returns the atom; `None` for a list.
    pub fn as_atom(self) -> Option<Atom<'t>> {
        match self {
            Self::List(_) => None,
            Self::Atom(atom) => Some(atom),
        }
    }

    fn new(place: ElementRef<'t>) -> Option<Self> {
        match place.kind() {
            ElementKind::List { .. } => Some(Self::List(List { place })),
            ElementKind::Atom(kind) => Some(Self::Atom(Atom { place, kind })),
            ElementKind::Comment | ElementKind::Error => None,
        }
    }

    fn place(self) -> ElementRef<'t> {
        match self {
            Self::List(list) => list.place,
            Self::Atom(atom) => atom.place,
        }
    }
}

impl<'t> From<List<'t>> for Sexp<'t> {
    fn from(list: List<'t>) -> Self {
        Self::List(list)
    }
}

impl<'t> From<Atom<'t>> for Sexp<'t> {
    fn from(atom: Atom<'t>) -> Self {
        Self::Atom(atom)
    }
}

/// A list: `(`, items, `)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct List<'t> {
    place: ElementRef<'t>,
}

impl<'t> List<'t> {
    /// Iterates over the lists and atoms directly in the list, in order.
    pub fn items(self) -> impl Iterator<Item = Sexp<'t>> + Clone + use<'t> {
        self.place.children().filter_map(Sexp::new)
    }

    /// Returns the first item, if it is an atom.
    pub fn head(self) -> Option<Atom<'t>> {
        self.items().next()?.as_atom()
    }

    /// Returns the span of the list, parentheses included.
    pub fn span(self) -> Span {
        self.place.span()
    }

    /// Returns the span of the opening parenthesis.
    pub fn open_span(self) -> Span {
        let span = self.span();
        Span { end: span.start + 1, ..span }
    }

    /// Whether the closing parenthesis was written. A missing one has been reported.
    pub fn is_closed(self) -> bool {
        self.place.kind() == ElementKind::List { closed: true }
    }

    /// Returns the text of the list, parentheses and comments included.
    pub fn text(self) -> &'t str {
        self.place.text()
    }
}

/// An atom: a name, a variable, a keyword, a number or a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom<'t> {
    place: ElementRef<'t>,
    kind: AtomKind,
}

impl<'t> Atom<'t> {
    /// Returns the text as written, including the quotes of a string.
    pub fn text(self) -> &'t str {
        self.place.text()
    }

    /// Returns the span of the atom.
    pub fn span(self) -> Span {
        self.place.span()
    }

    /// Returns the kind of the atom.
    pub fn kind(self) -> AtomKind {
        self.kind
    }
}

/// A comment, from `;` to the end of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Comment<'t> {
    place: ElementRef<'t>,
}

impl<'t> Comment<'t> {
    fn new(place: ElementRef<'t>) -> Option<Self> {
        (place.kind() == ElementKind::Comment).then_some(Self { place })
    }

    /// Returns the text with its `;`, without the line end.
    pub fn text(self) -> &'t str {
        self.place.text()
    }

    /// Returns the span of the comment.
    pub fn span(self) -> Span {
        self.place.span()
    }
}

/// Returns the comments between the previous item (or the opening parenthesis) and this one, except a comment on the line of the
/// previous item.
pub fn leading_comments(item: Sexp<'_>) -> Vec<Comment<'_>> {
    gather(item.place().previous())
}

/// Returns the comment that follows an item on the line on which the item ends.
pub fn trailing_comment(item: Sexp<'_>) -> Option<Comment<'_>> {
    trailing(item.place())
}

/// Returns the comments between the last item (or the opening parenthesis) and the closing parenthesis, except a comment on the
/// line of the last item.
pub fn dangling_comments(list: List<'_>) -> Vec<Comment<'_>> {
    gather(list.place.children().last())
}

fn trailing(place: ElementRef<'_>) -> Option<Comment<'_>> {
    let comment = Comment::new(place.next()?)?;
    let between = place.element().end as usize..comment.place.element().start as usize;
    (!place.stored.text[between].contains(['\n', '\r'])).then_some(comment)
}

/// Collects the comments from `last` backwards to the previous item, and returns them in the order of the text.
fn gather(last: Option<ElementRef<'_>>) -> Vec<Comment<'_>> {
    let mut comments = Vec::new();
    for place in std::iter::successors(last, |place| place.previous()) {
        if place.kind().is_item() {
            if trailing(place).is_some() {
                comments.pop();
            }
            break;
        }
        comments.extend(Comment::new(place));
    }
    comments.reverse();
    comments
}
