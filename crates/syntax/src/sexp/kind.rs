//! The kinds of nodes and tokens.

/// What a node or token of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub(super) enum SyntaxKind {
    /// The whole text.
    Root,
    /// A list with its parentheses; the closing one may be missing.
    List,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// Blanks, line ends, a byte order mark at the start of the text.
    Whitespace,
    /// From `;` to the end of the line, without the line end.
    Comment,
    /// Any atom that is nothing else.
    Symbol,
    /// An atom that starts with `?`.
    Variable,
    /// An atom that starts with `:`.
    Keyword,
    /// Digits with an optional minus sign and decimal point: `-?\d*\.?\d+`.
    Number,
    /// Text in double quotes, on one line.
    String,
    /// What has no meaning and was reported.
    Error,
}

impl SyntaxKind {
    const ALL: [Self; 12] = [
        Self::Root,
        Self::List,
        Self::LeftParenthesis,
        Self::RightParenthesis,
        Self::Whitespace,
        Self::Comment,
        Self::Symbol,
        Self::Variable,
        Self::Keyword,
        Self::Number,
        Self::String,
        Self::Error,
    ];

    /// Whether this is whitespace or a comment.
    pub(super) fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment)
    }

    pub(super) fn atom(self) -> Option<AtomKind> {
        match self {
            Self::Symbol => Some(AtomKind::Symbol),
            Self::Variable => Some(AtomKind::Variable),
            Self::Keyword => Some(AtomKind::Keyword),
            Self::Number => Some(AtomKind::Number),
            Self::String => Some(AtomKind::String),
            _ => None,
        }
    }

    /// Whether later phases see this element: a list or an atom.
    pub(super) fn is_item(self) -> bool {
        self == Self::List || self.atom().is_some()
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
    /// `-?\d*\.?\d+`
    Number,
    /// Text in double quotes.
    String,
}

/// Ties [`SyntaxKind`] to the tree library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sexpressions {}

impl rowan::Language for Sexpressions {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::SyntaxKind;

    #[test]
    fn kinds_are_listed_in_the_order_of_their_numbers() {
        for (number, kind) in SyntaxKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
