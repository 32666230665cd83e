//! Grammars: named rules and terminals, checked.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::expression::Expression;
use crate::pattern::Pattern;
use crate::{lexemes, rules};

/// The name of the start rule.
pub const ROOT: &str = "root";

/// The maximum number of repetitions. llama.cpp treats a larger maximum as none.
pub const MAX_REPETITIONS: u32 = 2_000;

/// The maximum number of expressions in a grammar.
pub const MAX_EXPRESSIONS: usize = 1_000_000;

/// The maximum nesting depth of an expression.
pub const MAX_EXPRESSION_DEPTH: usize = 100;

/// A definition of a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// A rule.
    Rule(Expression),
    /// A regular terminal.
    Pattern(Pattern),
}

/// A context-free grammar, whose texts are the derivations of the rule `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    /// The lines of the comment at the head of the grammar: language, dialect, vocabulary, and properties that it does not guarantee.
    comment: Vec<String>,
    /// The definitions, beginning with the root.
    definitions: IndexMap<Arc<str>, Definition>,
}

/// A defect of a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError {
    /// The name of the definition.
    pub definition: Arc<str>,
    /// The description of the defect.
    pub message: String,
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: {}", self.definition, self.message)
    }
}

impl std::error::Error for GrammarError {}

impl Grammar {
    /// Creates a grammar for export. Alternatives without a finite derivation and unused definitions are omitted: they arise
    /// from vocabularies without names of a kind.
    ///
    /// ```
    /// use goalspec_grammar::expression::{form, literal, one_of, spaced};
    /// use goalspec_grammar::{Definition, Grammar, gbnf};
    ///
    /// let fact = form([literal("on"), one_of(["b", "a"]), one_of(["b", "a"])]);
    /// let grammar = Grammar::new(["facts of two blocks"], [("root", Definition::Rule(fact))])?;
    /// assert!(grammar.matcher().check("(on a b)").is_ok());
    /// assert!(gbnf::write(&grammar).contains(r#"root ::= "(" "on" " " ("a" | "b") " " ("a" | "b") ")""#));
    /// # Ok::<(), goalspec_grammar::GrammarError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first violation of the rules of grammars: a name that is malformed or not defined, a literal of several words, left
    /// recursion, a repetition of an empty part or beyond [`MAX_REPETITIONS`], terminals that longest-first matching confuses, a
    /// size beyond [`MAX_EXPRESSIONS`] or [`MAX_EXPRESSION_DEPTH`], or no derivation at all.
    pub fn new<'a>(
        comment: impl IntoIterator<Item = impl Into<String>>,
        definitions: impl IntoIterator<Item = (&'a str, Definition)>,
    ) -> Result<Self, GrammarError> {
        let grammar = Self::read(comment, definitions.into_iter().map(|(name, body)| (name.into(), body)))?;
        rules::check(&grammar)?;
        lexemes::check(&grammar)?;
        Ok(grammar)
    }

    /// Creates a grammar of another author, which need not follow the rules of exported ones. See [`Grammar::new`].
    ///
    /// # Errors
    /// Returns the first name that is not defined or defined twice, repetition or size beyond the limits; or that there is no derivation.
    pub fn read(
        comment: impl IntoIterator<Item = impl Into<String>>,
        definitions: impl IntoIterator<Item = (Arc<str>, Definition)>,
    ) -> Result<Self, GrammarError> {
        let mut all = IndexMap::new();
        for (name, definition) in definitions {
            if all.insert(name.clone(), definition).is_some() {
                return Err(GrammarError { definition: name, message: "is defined twice".to_owned() });
            }
        }
        let definitions = rules::usable(&all)?;
        Ok(Self { comment: comment.into_iter().map(Into::into).collect(), definitions })
    }

    /// Returns the lines of the comment at the head.
    pub fn comment(&self) -> &[String] {
        &self.comment
    }

    /// Iterates over the definitions, beginning with the root.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.definitions.iter().map(|(name, definition)| (&**name, definition))
    }

    /// Returns the definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions.get(name)
    }

    /// Returns the index of a definition.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.definitions.get_index_of(name)
    }
}
