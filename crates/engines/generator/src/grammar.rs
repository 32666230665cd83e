//! Grammars: the kinds of nodes of the trees of a language, with their fields.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A kind of node, or a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// The bit that distinguishes tokens from kinds of nodes.
    const TOKEN: u32 = 1 << 31;

    /// Returns the kind of node with this index in its grammar.
    #[inline]
    pub const fn kind(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns the token with this index in its [`Tokens`].
    pub const fn token(index: usize) -> Self {
        Self(index as u32 | Self::TOKEN)
    }

    /// Returns whether the symbol is a token.
    #[inline]
    pub const fn is_token(self) -> bool {
        self.0 & Self::TOKEN != 0
    }

    /// Returns the index of the kind in its grammar or of the token in its [`Tokens`].
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & !Self::TOKEN) as usize
    }
}

/// The tokens of trees: names, numbers and operators, each once.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    texts: Vec<Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
}

impl Tokens {
    /// Returns the token with this text, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol::token(self.texts.len());
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    /// Returns the token with this text.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// Returns the text of a token; an empty text for a kind of node.
    pub fn text(&self, symbol: Symbol) -> &str {
        if symbol.is_token() { self.texts.get(symbol.index()).map_or("", |text| text) } else { "" }
    }

    /// Returns the number of tokens.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// The number of children of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly one.
    One,
    /// At most one.
    Optional,
    /// A list.
    Many {
        /// The minimum length that is drawn.
        min: u32,
        /// Whether a list of one element is written as the element, so that it has no length.
        singleton_is_bare: bool,
    },
}

/// The tokens that a field admits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// No tokens.
    None,
    /// The tokens of a list.
    Closed(Vec<Symbol>),
    /// Names that the program declares, by the number of their name space.
    Names(u8),
}

/// A field of a kind of node.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name; children of a field without one are not counted.
    pub name: Option<&'static str>,
    /// The text before the children.
    pub prefix: &'static str,
    /// The kinds of nodes that the field admits.
    pub kinds: Vec<Symbol>,
    /// The tokens that the field admits.
    pub tokens: TokenSource,
    /// The number of children.
    pub cardinality: Cardinality,
}

impl Field {
    /// Returns whether the field admits a symbol. All tokens are equal in this respect: a program may contain names and numbers that are
    /// not drawn.
    pub fn admits(&self, symbol: Symbol) -> bool {
        if symbol.is_token() { self.tokens != TokenSource::None } else { self.kinds.contains(&symbol) }
    }
}

/// A kind of node.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The name of the grammar rule.
    pub name: Arc<str>,
    /// The text before the fields.
    pub opening: Arc<str>,
    /// The text after the fields.
    pub closing: &'static str,
    /// The fields, in source order.
    pub fields: Vec<Field>,
    /// Whether nodes of this kind count towards sizes and depths; those of the brackets of sections do not.
    pub is_counted: bool,
}

/// The kinds of nodes of a language.
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    kinds: Vec<Kind>,
    by_name: FxHashMap<Arc<str>, Symbol>,
    /// The sum of the numbers of fields of the preceding kinds, for each kind.
    first_fields: Vec<usize>,
    fields: usize,
}

impl Grammar {
    /// Creates a grammar. The index of a kind is its position.
    pub fn new(kinds: Vec<Kind>) -> Self {
        let by_name = kinds.iter().enumerate().map(|(index, kind)| (kind.name.clone(), Symbol::kind(index))).collect();
        let mut fields = 0;
        let mut first_fields = Vec::with_capacity(kinds.len());
        for kind in &kinds {
            first_fields.push(fields);
            fields += kind.fields.len();
        }
        Self { kinds, by_name, first_fields, fields }
    }

    /// Returns the kinds of nodes.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Returns a kind of node; `None` for a token.
    #[inline]
    pub fn kind(&self, symbol: Symbol) -> Option<&Kind> {
        if symbol.is_token() { None } else { self.kinds.get(symbol.index()) }
    }

    /// Returns the fields of a kind of node; none for a token.
    #[inline]
    pub fn fields(&self, symbol: Symbol) -> &[Field] {
        self.kind(symbol).map_or(&[], |kind| &kind.fields)
    }

    /// Returns the kind with this name.
    pub fn named(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// Returns the position of a field among the fields of all kinds.
    #[inline]
    pub fn field_index(&self, kind: Symbol, field: usize) -> usize {
        self.first_fields.get(kind.index()).copied().unwrap_or_default() + field
    }

    /// Returns the number of fields of all kinds.
    pub fn field_count(&self) -> usize {
        self.fields
    }

    /// Returns the field of each child of a node, given the symbols of the children. Returns `None` if they do not fit the fields.
    ///
    /// Children are assigned in order: a list takes all that it admits.
    pub fn assign(&self, kind: Symbol, children: impl Iterator<Item = Symbol>) -> Option<Vec<usize>> {
        let mut assigned = Vec::new();
        self.assign_into(kind, children, &mut assigned).then_some(assigned)
    }

    /// Sets the field of each child of a node, as [`assign`](Self::assign) does, in place of the content of a buffer. Returns whether the
    /// children fit the fields.
    pub fn assign_into(&self, kind: Symbol, children: impl Iterator<Item = Symbol>, assigned: &mut Vec<usize>) -> bool {
        let mut children = children.peekable();
        assigned.clear();
        for (index, field) in self.fields(kind).iter().enumerate() {
            let limit = match field.cardinality {
                Cardinality::One | Cardinality::Optional => 1,
                Cardinality::Many { .. } => usize::MAX,
            };
            let before = assigned.len();
            while assigned.len() - before < limit && children.next_if(|&child| field.admits(child)).is_some() {
                assigned.push(index);
            }
            if field.cardinality == Cardinality::One && assigned.len() == before {
                return false;
            }
        }
        children.next().is_none()
    }
}
