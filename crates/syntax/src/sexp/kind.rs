//! The kinds of tokens and atoms.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// Blanks, line ends, and a byte order mark at the start of the text.
    Whitespace,
    /// From `;` to the end of the line, without the line end.
    Comment,
    /// A name, an operator, a number or a string.
    Atom(AtomKind),
    /// Invalid text; it is reported.
    Error,
}

impl TokenKind {
    /// Whether this is whitespace or a comment.
    pub(super) fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment)
    }

    /// Whether an element of the tree starts with this token: whitespace and closing parentheses are not stored.
    pub(super) fn is_element(self) -> bool {
        !matches!(self, Self::Whitespace | Self::RightParenthesis)
    }
}

/// The kind of an atom, determined by its characters alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomKind {
    /// A name or an operator: any atom of no other kind.
    Symbol,
    /// A name that starts with `?`.
    Variable,
    /// A name that starts with `:`.
    Keyword,
    /// Digits with an optional minus sign and decimal point: `-?\d*\.?\d+`.
    Number,
    /// Text in double quotes, on one line.
    String,
}
