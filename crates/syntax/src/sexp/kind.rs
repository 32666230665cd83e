//! The kinds of tokens and atoms.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// Blanks, line ends, a byte order mark at the start of the text.
    Whitespace,
    /// From `;` to the end of the line, without the line end.
    Comment,
    /// A name, an operator, a number or a string.
    Atom(AtomKind),
    /// What has no meaning and was reported.
    Error,
}

impl TokenKind {
    /// Whether this is whitespace or a comment.
    pub(super) fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment)
    }

    /// Whether an element of the tree starts with this: whitespace and closing parentheses are not stored.
    pub(super) fn is_element(self) -> bool {
        !matches!(self, Self::Whitespace | Self::RightParenthesis)
    }
}

/// What an atom is, judged by its letters alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomKind {
    /// A name or an operator: anything that is none of the others.
    Symbol,
    /// Starts with `?`.
    Variable,
    /// Starts with `:`.
    Keyword,
    /// Digits with an optional minus sign and decimal point: `-?\d*\.?\d+`.
    Number,
    /// Text in double quotes, on one line.
    String,
}
