//! The classification of words, for highlighting by meaning.

use goalspec::syntax::sexp::{AtomKind, Token as Word};
use goalspec::syntax::symbols::{Declaration, Occurrence, OccurrenceRole, SymbolKind};

use crate::TextRange;
use crate::analysis::Analysis;

/// The class of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A comment.
    Comment,
    /// A keyword of the language.
    Keyword,
    /// A number.
    Number,
    /// A text in quotes.
    String,
    /// A name.
    Name(SymbolKind),
}

/// A word with its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The range of the word.
    pub range: TextRange,
    /// The class.
    pub kind: TokenKind,
    /// Whether the word is the name in a declaration.
    pub is_definition: bool,
    /// Whether the name belongs to a built-in domain or world.
    pub is_built_in: bool,
}

impl Analysis {
    /// Returns the words of the document, or of a part of it, in the order of the text. Punctuation is left out.
    pub fn tokens(&self, range: Option<&TextRange>) -> Vec<Token> {
        let Some(tree) = self.tree() else { return self.name_tokens(range) };
        let mut occurrences = self.occurrences().iter().peekable();
        let mut tokens = Vec::new();
        for word in tree.tree.tokens() {
            let (span, kind) = match word {
                Word::Comment(comment) => (comment.span(), TokenKind::Comment),
                Word::Atom(atom) => (atom.span(), kind_of(atom.kind())),
            };
            if range.is_some_and(|range| span.end < range.start || range.end < span.start) {
                continue;
            }
            while occurrences.next_if(|occurrence| occurrence.span.end <= span.start).is_some() {}
            let mut is_name = false;
            // One word may hold several names, as in `tidy:ball:bin`.
            while let Some(occurrence) = occurrences.next_if(|occurrence| occurrence.span.start < span.end) {
                is_name = true;
                tokens.push(name_token(occurrence));
            }
            if !is_name {
                let range = span.start..span.end;
                tokens.push(Token { range, kind, is_definition: false, is_built_in: false });
            }
        }
        tokens
    }

    /// Returns the names of a document in another notation than lists: editors know its keywords, numbers and comments.
    fn name_tokens(&self, range: Option<&TextRange>) -> Vec<Token> {
        let is_wanted =
            |token: &Token| range.is_none_or(|range| range.start <= token.range.end && token.range.start <= range.end);
        self.occurrences().iter().map(name_token).filter(is_wanted).collect()
    }
}

fn name_token(occurrence: &Occurrence) -> Token {
    Token {
        range: occurrence.span.start..occurrence.span.end,
        kind: TokenKind::Name(occurrence.kind),
        is_definition: occurrence.role != OccurrenceRole::Reference,
        is_built_in: matches!(occurrence.declaration, Declaration::BuiltIn(_)),
    }
}

fn kind_of(atom: AtomKind) -> TokenKind {
    match atom {
        AtomKind::Number => TokenKind::Number,
        AtomKind::String => TokenKind::String,
        AtomKind::Variable => TokenKind::Name(SymbolKind::Variable),
        AtomKind::Symbol | AtomKind::Keyword => TokenKind::Keyword,
    }
}
