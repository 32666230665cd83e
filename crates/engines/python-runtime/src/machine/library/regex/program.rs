//! Programs of regular expressions.

use crate::machine::text::is_space;

/// A compiled regular expression.
#[derive(Debug)]
pub(crate) struct Regex {
    pub(super) program: Vec<Instruction>,
    pub(super) flags: i64,
    /// The number of groups, without the whole match.
    pub(super) group_count: usize,
    /// The names of groups with their indices.
    pub(super) names: Vec<(String, usize)>,
}

/// An instruction of a program.
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    Character(char),
    Any,
    Set(Box<CharacterSet>),
    Position(Position),
    /// Stores the position in a slot.
    Save(usize),
    Jump(usize),
    /// Continues at two places, of which the first one is preferred.
    Split(usize, usize),
    Match,
}

/// A condition on a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Position {
    Start,
    LineStart,
    End,
    LineEnd,
    EndOrLastNewline,
    /// The flag says whether only ASCII characters are parts of words.
    WordBoundary(bool),
    NotWordBoundary(bool),
}

/// A set of characters.
#[derive(Debug, Clone)]
pub(super) struct CharacterSet {
    items: Vec<SetItem>,
    is_negated: bool,
    ignores_case: bool,
    is_ascii: bool,
    /// The ASCII characters of the set, a bit for each.
    ascii: u128,
}

/// A range or a class of characters; the flag of classes is false for their complements.
#[derive(Debug, Clone, Copy)]
pub(super) enum SetItem {
    Range(char, char),
    Digit(bool),
    Word(bool),
    Space(bool),
}

impl CharacterSet {
    /// Returns the set of all characters but the newline.
    pub(super) fn not_newline() -> Self {
        Self::new(vec![SetItem::Range('\n', '\n')], true, false, false)
    }

    /// Returns the set of the characters of items, or of all others. `is_ascii`: classes have only ASCII characters.
    pub(super) fn new(items: Vec<SetItem>, is_negated: bool, ignores_case: bool, is_ascii: bool) -> Self {
        let mut set = Self { items, is_negated, ignores_case, is_ascii, ascii: 0 };
        for code in 0..128u8 {
            set.ascii |= u128::from(set.computed(code.into())) << code;
        }
        set
    }

    fn has_form(&self, character: char) -> bool {
        let is_ascii = !self.is_ascii || character.is_ascii();
        self.items.iter().any(|item| match *item {
            SetItem::Range(low, high) => (low..=high).contains(&character),
            SetItem::Digit(holds) => holds == (is_ascii && character.is_numeric() && is_decimal(character)),
            SetItem::Word(holds) => holds == is_word(character, self.is_ascii),
            SetItem::Space(holds) => holds == (is_ascii && is_space(character)),
        })
    }

    #[inline]
    pub(super) fn contains(&self, character: char) -> bool {
        if character.is_ascii() { self.ascii >> (character as u32) & 1 != 0 } else { self.computed(character) }
    }

    /// Returns whether the set contains a character, from its items.
    fn computed(&self, character: char) -> bool {
        let mut is_there = self.has_form(character);
        if !is_there && self.ignores_case {
            is_there = character.to_lowercase().chain(character.to_uppercase()).any(|form| self.has_form(form));
        }
        is_there != self.is_negated
    }
}

/// Returns whether a character is a decimal digit; of those beyond ASCII, the ones of the most common scripts.
fn is_decimal(character: char) -> bool {
    character.is_ascii_digit()
        || matches!(character, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}' | '\u{966}'..='\u{96f}' | '\u{ff10}'..='\u{ff19}')
}

pub(super) fn is_word(character: char, is_ascii: bool) -> bool {
    character == '_' || if is_ascii { character.is_ascii_alphanumeric() } else { character.is_alphanumeric() }
}
