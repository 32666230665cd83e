//! Constraints: a grammar and a schema of the same texts.

use std::fmt;

use goalspec_grammar::schema::{SchemaError, Violation};
use goalspec_grammar::{Grammar, GrammarError, JsonSchema, Matcher, Mismatch, SampleOptions, gbnf, lark};
use serde_json::Value;

use crate::tree::TreeForm;

/// The depth to which recursive schemas are unrolled for servers without recursion: five nested connectives and quantifiers, and an atom.
pub const UNROLLED_DEPTH: usize = 6;

/// The layout of the texts of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// S-expressions in lower case.
    LowerCaseForms,
    /// S-expressions.
    Forms,
    /// Lists in lower case, each ended by a line break.
    Lines,
    /// Texts that are left as they are.
    Plain,
}

/// A notation in which a constraint is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckedNotation {
    /// A text of the grammar.
    Grammar,
    /// A value of the schema, as JSON.
    Schema,
}

/// A constraint on the texts of a language over one vocabulary.
#[derive(Debug, Clone)]
pub struct OutputConstraint {
    pub(crate) name: &'static str,
    pub(crate) grammar: Option<Grammar>,
    pub(crate) schema: JsonSchema,
    pub(crate) tree: TreeForm,
    pub(crate) layout: Layout,
}

/// A vocabulary for which there is no export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportError {
    /// The grammar violates a rule of exported grammars, for instance because the vocabulary has no names of a necessary kind.
    Grammar(GrammarError),
    /// The schema is malformed or too large.
    Schema(SchemaError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grammar(error) => write!(f, "no grammar for this vocabulary: {error}"),
            Self::Schema(error) => write!(f, "no JSON schema for this vocabulary: {error}"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<GrammarError> for ExportError {
    fn from(error: GrammarError) -> Self {
        Self::Grammar(error)
    }
}

impl From<SchemaError> for ExportError {
    fn from(error: SchemaError) -> Self {
        Self::Schema(error)
    }
}

impl OutputConstraint {
    /// Returns the name of the language and the part, such as `bddl-goal`: letters and hyphens.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the grammar; `None` for languages whose layout is not context free.
    pub const fn grammar(&self) -> Option<&Grammar> {
        self.grammar.as_ref()
    }

    /// Returns the schema, in which conditions are recursive.
    pub const fn schema(&self) -> &JsonSchema {
        &self.schema
    }

    /// Returns the grammar in GBNF.
    pub fn gbnf(&self) -> Option<String> {
        self.grammar.as_ref().map(gbnf::write)
    }

    /// Returns the grammar in Lark's notation.
    pub fn lark(&self) -> Option<String> {
        self.grammar.as_ref().map(lark::write)
    }

    /// Returns the schema with conditions that are nested at most `depth` deep, for servers without recursion.
    ///
    /// # Errors
    /// If the schema becomes too large, or allows no value.
    pub fn unrolled_schema(&self, depth: usize) -> Result<JsonSchema, ExportError> {
        Ok(self.schema.unrolled(depth)?)
    }

    /// Returns a text in the layout of the grammar.
    pub fn canonical(&self, text: &str) -> String {
        match self.layout {
            Layout::LowerCaseForms => crate::layout::lower_case_forms(text),
            Layout::Forms => crate::layout::forms(text),
            Layout::Lines => {
                let mut lines = crate::layout::lower_case_forms(text);
                lines.push('\n');
                lines
            }
            Layout::Plain => text.to_owned(),
        }
    }

    /// Returns a check of texts, which can be used for many of them.
    pub fn checker(&self) -> ReplyChecker {
        ReplyChecker { matcher: self.grammar.as_ref().map(Grammar::matcher), schema: self.schema.clone() }
    }

    /// Returns the program that a value of the schema contains.
    ///
    /// # Errors
    /// If the value does not match the schema, with the reason.
    pub fn program(&self, value: &Value) -> Result<String, Violation> {
        match self.schema.validate(value).into_iter().next() {
            Some(violation) => Err(violation),
            None => self.tree.text(value).map_err(|message| Violation { path: String::new(), message }),
        }
    }

    /// Returns the value of the schema that stands for a program; `None` if the program has a form that the schema does not describe.
    pub fn value(&self, program: &str) -> Option<Value> {
        self.tree.value(&self.canonical(program))
    }

    /// Returns a random text of the grammar, or the program of a random value of the schema if there is no grammar.
    pub fn sample(&self, options: SampleOptions) -> Option<String> {
        match &self.grammar {
            Some(grammar) => Some(grammar.sample(options)),
            None => self.tree.text(&self.schema.sample(options)?).ok(),
        }
    }
}

/// The reason for which a reply does not match a constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyMismatch {
    /// The grammar does not derive the text.
    Grammar(Mismatch),
    /// The text is not JSON, or its value violates the schema.
    Schema(Violation),
    /// The language has no grammar to check with.
    NoGrammar,
}

impl fmt::Display for ReplyMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grammar(mismatch) => write!(f, "at byte {}: {mismatch}", mismatch.offset),
            Self::Schema(violation) => violation.fmt(f),
            Self::NoGrammar => f.write_str("the language has no grammar"),
        }
    }
}

impl std::error::Error for ReplyMismatch {}

/// A check of replies against a constraint.
#[derive(Debug)]
pub struct ReplyChecker {
    matcher: Option<Matcher>,
    schema: JsonSchema,
}

impl ReplyChecker {
    /// Checks a text: the whole text is derived by the grammar, or is a value of the schema.
    ///
    /// # Errors
    /// If it is not, with the place and the expectation.
    pub fn check(&self, notation: CheckedNotation, text: &str) -> Result<(), ReplyMismatch> {
        match (notation, &self.matcher) {
            (CheckedNotation::Grammar, Some(matcher)) => matcher.check(text).map(drop).map_err(ReplyMismatch::Grammar),
            (CheckedNotation::Grammar, None) => Err(ReplyMismatch::NoGrammar),
            (CheckedNotation::Schema, _) => {
                let violations = self.schema.check(text).err().unwrap_or_default();
                violations.into_iter().next().map_or(Ok(()), |violation| Err(ReplyMismatch::Schema(violation)))
            }
        }
    }
}
