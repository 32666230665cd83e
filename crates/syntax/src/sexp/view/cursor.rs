//! Look-up in a tree by offset, also where parentheses are missing.

use super::{Atom, Comment, ElementIter, ElementRef, List, Sexp, Tree};
use crate::sexp::tree::ElementKind;

/// The place of an offset in a tree.
#[derive(Debug, Clone)]
pub struct Cursor<'t> {
    /// The lists around the offset, outermost first. A list without a closing parenthesis also contains the white space behind it.
    pub lists: Vec<List<'t>>,
    /// The atom that contains or touches the offset. Of two atoms that touch it, the second one.
    pub atom: Option<Atom<'t>>,
    /// The comment that contains the offset.
    pub comment: Option<Comment<'t>>,
    /// The number of items of the innermost list, or of the text, that end before the offset, without [`atom`](Self::atom).
    pub index: usize,
}

impl<'t> Cursor<'t> {
    /// Returns the innermost list.
    pub fn list(&self) -> Option<List<'t>> {
        self.lists.last().copied()
    }

    /// Returns the head of the innermost list, unless the offset touches it.
    pub fn head(&self) -> Option<Atom<'t>> {
        self.list()?.head().filter(|_| self.index > 0)
    }
}

/// An atom or a comment of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// An atom in a list.
    Atom(Atom<'t>),
    /// A comment.
    Comment(Comment<'t>),
}

impl Tree {
    /// Returns the place of a byte offset.
    ///
    /// ```
    /// use goalspec_syntax::{Sources, sexp};
    ///
    /// let mut sources = Sources::new();
    /// let id = sources.add("demo", "(and (on ?b bed");
    /// let parse = sexp::parse(sources.file(id));
    /// let cursor = parse.tree.cursor(15);
    /// assert_eq!(cursor.head().unwrap().text(), "on");
    /// assert_eq!((cursor.atom.unwrap().text(), cursor.index), ("bed", 2));
    /// ```
    pub fn cursor(&self, offset: u32) -> Cursor<'_> {
        let mut cursor = Cursor { lists: Vec::new(), atom: None, comment: None, index: 0 };
        let mut children = self.children();
        while let Some(list) = cursor.descend(children, offset) {
            cursor.lists.push(list);
            cursor.index = 0;
            children = list.place.children();
        }
        cursor
    }

    /// Iterates over all atoms and comments, in the order of the text.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        let stored = &*self.stored;
        (0..stored.elements.len() as u32).filter_map(move |index| {
            let place = ElementRef { stored, index };
            match place.kind() {
                ElementKind::Atom(kind) => Some(Token::Atom(Atom { place, kind })),
                ElementKind::Comment => Comment::new(place).map(Token::Comment),
                ElementKind::List { .. } | ElementKind::Error => None,
            }
        })
    }

    /// Iterates over all lists, each before those in it.
    pub fn lists(&self) -> impl Iterator<Item = List<'_>> {
        let stored = &*self.stored;
        let places = (0..stored.elements.len() as u32).map(move |index| ElementRef { stored, index });
        places.filter(|place| matches!(place.kind(), ElementKind::List { .. })).map(|place| List { place })
    }
}

impl<'t> Cursor<'t> {
    /// Examines the elements of one list. Returns the list among them that contains the offset.
    fn descend(&mut self, elements: ElementIter<'t>, offset: u32) -> Option<List<'t>> {
        for place in elements {
            let (start, end) = (place.element().start, place.element().end);
            if start > offset {
                return None;
            }
            match Sexp::new(place) {
                Some(Sexp::List(list)) if start < offset && (offset < end || list.continues_to(offset)) => {
                    self.atom = None;
                    return Some(list);
                }
                Some(Sexp::Atom(atom)) if offset <= end => {
                    // The next atom may touch the offset, too.
                    self.index += usize::from(self.atom.is_some());
                    self.atom = Some(atom);
                }
                Some(_) => self.index += usize::from(end <= offset),
                None => self.comment = self.comment.or(Comment::new(place).filter(|_| offset <= end && start < offset)),
            }
        }
        None
    }
}

impl List<'_> {
    /// Whether the closing parenthesis is missing, and only white space precedes the offset behind the list.
    fn continues_to(self, offset: u32) -> bool {
        let between = self.place.stored.text.get(self.span().end as usize..offset as usize);
        !self.is_closed() && between.is_some_and(|text| text.chars().all(char::is_whitespace))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Sources;
    use crate::sexp::parse;

    /// Describes the place of the `|` in a text: the heads of the lists, the atom, and the index.
    fn place(text: &str) -> (Vec<String>, Option<String>, usize) {
        let offset = text.find('|').expect("a marker");
        let mut sources = Sources::new();
        let id = sources.add("test", text.replace('|', ""));
        let parse = parse(sources.file(id));
        let cursor = parse.tree.cursor(offset as u32);
        let heads = cursor.lists.iter().map(|list| list.head().map_or("", Atom::text).to_owned()).collect();
        (heads, cursor.atom.map(|atom| atom.text().to_owned()), cursor.index)
    }

    #[test]
    fn places_have_lists_an_atom_and_an_index() {
        let expected = |heads: &[&str], atom: Option<&str>, index| {
            (heads.iter().map(ToString::to_string).collect::<Vec<_>>(), atom.map(str::to_owned), index)
        };
        assert_eq!(place("(a (b c| d))"), expected(&["a", "b"], Some("c"), 1));
        assert_eq!(place("(a (b c |d))"), expected(&["a", "b"], Some("d"), 2));
        assert_eq!(place("(a (b c | d))"), expected(&["a", "b"], None, 2));
        assert_eq!(place("(a (b c d)|)"), expected(&["a"], None, 2));
        assert_eq!(place("(a |(b c d))"), expected(&["a"], None, 1));
        assert_eq!(place("(|a)"), expected(&["a"], Some("a"), 0));
        assert_eq!(place("|(a)"), expected(&[], None, 0));
        assert_eq!(place("(a (b |"), expected(&["a", "b"], None, 1));
        assert_eq!(place("(a \"x\"\"y\"|)"), expected(&["a"], Some("\"y\""), 2));
    }

    #[test]
    fn places_in_comments_are_recognised() {
        let mut sources = Sources::new();
        let id = sources.add("test", "(a ; note\n b)");
        let parse = parse(sources.file(id));
        let comment = |offset| parse.tree.cursor(offset).comment.map(Comment::text);
        assert_eq!([3, 4, 9, 10].map(comment), [None, Some("; note"), Some("; note"), None]);
    }

    proptest! {
        #[test]
        fn the_lists_contain_the_offset_and_each_other(text in "[()ab ;\n\"]{0,40}", offset in 0_u32..45) {
            let mut sources = Sources::new();
            let id = sources.add("test", text);
            let parse = parse(sources.file(id));
            let cursor = parse.tree.cursor(offset);
            let spans: Vec<_> = cursor.lists.iter().map(|list| list.span()).collect();
            prop_assert!(spans.iter().all(|span| span.start < offset));
            prop_assert!(spans.is_sorted_by(|outer, inner| outer.start < inner.start && inner.end <= outer.end));
            let around = parse.tree.lists().filter(|list| list.span().start < offset && offset < list.span().end);
            prop_assert!(around.into_iter().all(|list| cursor.lists.contains(&list)));
            prop_assert!(cursor.atom.is_none_or(|atom| atom.span().start <= offset && offset <= atom.span().end));
        }
    }
}
