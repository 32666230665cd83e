//! Edits of a text: the difference between a text and its canonical layout.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

/// The replacement of a range of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The range to replace; empty for an insertion.
    pub range: Range<usize>,
    /// The new text; empty for a deletion.
    pub replacement: String,
}

impl TextEdit {
    /// Creates an edit.
    pub fn new(range: Range<usize>, replacement: impl Into<String>) -> Self {
        Self { range, replacement: replacement.into() }
    }
}

/// Returns edits that turn one text into another, in order. If the texts differ only in white space, each edit replaces one run of white
/// space, so that places in the words between keep their meaning; otherwise one edit replaces what lies between the common beginning and
/// the common end.
///
/// ```
/// use goalspec_syntax::text_edit::{TextEdit, edits_between};
///
/// assert_eq!(edits_between("(a  b)\n", "(a b)\n"), [TextEdit::new(2..4, " ")]);
/// ```
pub fn edits_between(before: &str, after: &str) -> Vec<TextEdit> {
    white_space_edits(before, after).unwrap_or_else(|| vec![replacement(before, after)])
}

/// Applies edits that are in order and do not overlap; `None` if they are not, or do not fit the text.
pub fn apply(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut output = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        output.push_str(text.get(at..edit.range.start)?);
        text.get(edit.range.clone())?;
        output.push_str(&edit.replacement);
        at = edit.range.end;
    }
    output.push_str(text.get(at..)?);
    Some(output)
}

/// Returns the edits of white space; `None` if the texts differ in anything else.
fn white_space_edits(before: &str, after: &str) -> Option<Vec<TextEdit>> {
    let (mut old, mut new) = (before.char_indices().peekable(), after.char_indices().peekable());
    let mut edits = Vec::new();
    loop {
        let (removed, added) = (white_space(&mut old, before), white_space(&mut new, after));
        if before[removed.clone()] != after[added.clone()] {
            edits.push(TextEdit::new(removed, &after[added]));
        }
        match (old.next(), new.next()) {
            (None, None) => return Some(edits),
            (Some((_, one)), Some((_, other))) if one == other => {}
            _ => return None,
        }
    }
}

/// Consumes white space and returns its range.
fn white_space(characters: &mut Peekable<CharIndices<'_>>, text: &str) -> Range<usize> {
    let start = characters.peek().map_or(text.len(), |&(at, _)| at);
    while characters.next_if(|(_, character)| character.is_whitespace()).is_some() {}
    start..characters.peek().map_or(text.len(), |&(at, _)| at)
}

/// Returns the replacement of everything between the common beginning and the common end.
fn replacement(before: &str, after: &str) -> TextEdit {
    let same = |(one, other): &(char, char)| one == other;
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (old, new) = (&before[start..], &after[start..]);
    let common = old.chars().rev().zip(new.chars().rev()).take_while(same);
    let end: usize = common.map(|(one, _)| one.len_utf8()).sum();
    TextEdit::new(start..before.len() - end, &new[..new.len() - end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_white_space_is_replaced_where_that_suffices() {
        let edits = edits_between("(a\tb ;c\r\n d)", "(a b ;c\n  d)\n");
        let expected = [(2..3, " "), (7..10, "\n  "), (12..12, "\n")];
        assert_eq!(edits, expected.map(|(range, text)| TextEdit::new(range, text)));
    }

    #[test]
    fn other_differences_are_one_edit() {
        assert_eq!(edits_between("a: 'x'\nb: 1\n", "a: \"x\"\nb: 1\n"), [TextEdit::new(3..6, "\"x\"")]);
        assert_eq!(edits_between("aa", "aaa"), [TextEdit::new(2..2, "a")]);
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        assert_eq!(apply("ö", &[TextEdit::new(1..2, "")]), None);
        assert_eq!(apply("abc", &[TextEdit::new(2..3, ""), TextEdit::new(0..1, "")]), None);
        assert_eq!(apply("abc", &[TextEdit::new(1..9, "")]), None);
    }

    proptest! {
        #[test]
        fn edits_lead_to_the_other_text(before in "[ab \n\tö𝄞]{0,20}", after in "[ab \n\tö𝄞]{0,20}") {
            let edits = edits_between(&before, &after);
            prop_assert_eq!(apply(&before, &edits), Some(after.clone()));
            prop_assert!(before != after || edits.is_empty());
        }
    }
}
