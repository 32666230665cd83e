//! The stored form of a tree, and its construction from balanced tokens.
//!
//! Lists, atoms, comments and errors are stored in one array in preorder: each list precedes its contents.
//! Whitespace and parentheses are not stored, because nothing else can stand between two elements.

use std::sync::Arc;

use super::kind::{AtomKind, TokenKind};
use super::lexer::Token;
use crate::source::SourceId;

/// A text with its elements in preorder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TreeData {
    pub(super) source: SourceId,
    pub(super) text: Arc<str>,
    pub(super) elements: Vec<Element>,
}

impl TreeData {
    /// Returns the text of an element.
    pub(super) fn text_of(&self, element: &Element) -> &str {
        &self.text[element.start as usize..element.end as usize]
    }
}

/// A node of the tree: a list, an atom, a comment or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    /// The offset of its first byte.
    pub(super) start: u32,
    /// The offset one past its last byte.
    pub(super) end: u32,
    /// The distance back to the previous element of the same list, in elements; 0 for the first of a list.
    pub(super) previous_distance: u32,
    /// The number of elements in its subtree, itself included.
    pub(super) size: u32,
}

/// The kind of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// A list; `closed` is whether its closing parenthesis was written.
    List { closed: bool },
    /// An atom: in programs, only in a list; in plain lists, anywhere.
    Atom(AtomKind),
    /// A comment.
    Comment,
    /// Invalid text that was reported, including atoms outside of all lists in programs.
    Error,
}

impl ElementKind {
    /// Whether later phases see this element: it is a list or an atom.
    pub(super) fn is_item(self) -> bool {
        matches!(self, Self::List { .. } | Self::Atom(_))
    }
}

/// Builds the elements of a tree from balanced tokens. `inserted` holds the indices of the tokens before which a list ends without a
/// parenthesis, ascending; `count` is the expected number of elements. Atoms outside of all lists become elements of the kind
/// `loose`, or stay atoms if it is `None`.
pub(super) fn build(
    text: &str,
    tokens: &[Token],
    inserted: &[u32],
    count: usize,
    loose: Option<ElementKind>,
) -> Vec<Element> {
    let mut builder = Builder { elements: Vec::with_capacity(count), open: Vec::new(), previous: None, loose };
    let end_of = |index: usize| tokens.get(index + 1).map_or(text.len() as u32, |next| next.start);
    let mut done = 0;
    for before in inserted.iter().map(|&before| before as usize) {
        (done..before).for_each(|index| builder.token(tokens[index], end_of(index)));
        builder.end_list(tokens.get(before).map_or(text.len() as u32, |token| token.start), false);
        done = before;
    }
    (done..tokens.len()).for_each(|index| builder.token(tokens[index], end_of(index)));
    builder.elements
}

struct Builder {
    elements: Vec<Element>,
    /// The open lists, outermost first.
    open: Vec<usize>,
    /// The last element of the innermost open list.
    previous: Option<usize>,
    /// The kind of atoms outside of all lists, if it is not that of other atoms.
    loose: Option<ElementKind>,
}

impl Builder {
    fn token(&mut self, token: Token, end: u32) {
        let kind = match token.kind {
            TokenKind::LeftParenthesis => {
                // The kind and the end of a list are set when the list ends.
                let list = self.push(ElementKind::List { closed: false }, token.start, end);
                self.open.push(list);
                self.previous = None;
                return;
            }
            TokenKind::RightParenthesis => return self.end_list(end, true),
            TokenKind::Whitespace => return,
            TokenKind::Comment => ElementKind::Comment,
            TokenKind::Atom(kind) => self.loose.filter(|_| self.open.is_empty()).unwrap_or(ElementKind::Atom(kind)),
            TokenKind::Error => ElementKind::Error,
        };
        self.previous = Some(self.push(kind, token.start, end));
    }

    fn push(&mut self, kind: ElementKind, start: u32, end: u32) -> usize {
        let index = self.elements.len();
        let back = self.previous.map_or(0, |previous| index - previous) as u32;
        self.elements.push(Element { kind, start, end, previous_distance: back, size: 1 });
        index
    }

    fn end_list(&mut self, end: u32, closed: bool) {
        self.previous = self.open.pop();
        if let Some(list) = self.previous {
            let size = (self.elements.len() - list) as u32;
            let element = &mut self.elements[list];
            *element = Element { kind: ElementKind::List { closed }, end, size, ..*element };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sexp::reader;

    /// Returns the text outside of all elements other than lists.
    fn rest(text: &str, elements: &[Element]) -> String {
        let mut end = 0;
        let mut rest = String::new();
        for element in elements.iter().filter(|element| !matches!(element.kind, ElementKind::List { .. })) {
            rest.push_str(&text[end..element.start as usize]);
            end = element.end as usize;
        }
        rest + &text[end..]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn all_but_blanks_and_parentheses_is_stored(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
            let text = pieces.concat();
            let (elements, _) = reader::read(SourceId(0), &text);
            let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}' || c == '(' || c == ')';
            prop_assert!(rest(&text, &elements).chars().all(is_blank), "{:?} in {:?}", elements, text);
        }

        #[test]
        fn elements_know_their_neighbours_and_lie_in_their_lists(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60),
        ) {
            let (elements, _) = reader::read(SourceId(0), &pieces.concat());
            let mut open: Vec<(usize, u32, Option<usize>)> = vec![(elements.len(), u32::MAX, None)];
            for (index, element) in elements.iter().enumerate() {
                while open.last().is_some_and(|list| list.0 == index) {
                    open.pop();
                }
                let (last, end, previous) = open.last_mut().expect("the whole text is open");
                prop_assert_eq!(element.previous_distance as usize, previous.map_or(0, |previous| index - previous));
                prop_assert!(element.start < element.end && element.end <= *end);
                prop_assert!(previous.is_none_or(|previous| elements[previous].end <= element.start));
                *previous = Some(index);
                let behind = index + element.size as usize;
                prop_assert!(behind <= *last);
                if matches!(element.kind, ElementKind::List { .. }) {
                    open.push((behind, element.end, None));
                } else {
                    prop_assert_eq!(element.size, 1);
                }
            }
        }
    }

    const PIECES: &[&str] = &[
        "(", "(", ")", ")", " ", "\n", "\n  ", "(define", "\n(:a", "b", "?c", "-1.5", "; d\n", "\"e\"", "\"", "\0",
        "\u{feff}",
    ];
}
