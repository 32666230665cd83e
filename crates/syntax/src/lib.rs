//! Source text, spans, lossless s-expression trees and diagnostics: the foundation of every goalspec language.
//!
//! | module | contents |
//! |---|---|
//! | [`source`] | [`SourceFile`], [`Span`], line and column look-up, positions of editors |
//! | [`diagnostic`] | the [`Diagnostic`] type of all crates, codes and their documentation, fixes |
//! | [`mod@codes`] | the diagnostic codes of the syntax layer |
//! | [`code_table`] | the table of documented codes, searchable by code |
//! | [`fix`] | applying the fixes that diagnostics offer |
//! | [`render`] | renderers of diagnostics: human-readable, one line each, JSON, GitHub workflow commands, SARIF |
//! | [`sexp`] | lossless s-expression trees with comments and error recovery |
//! | [`layout`] | canonical formatting that preserves comments |
//! | [`text_edit`] | edits between a text and its canonical layout |
//! | [`symbols`] | occurrences of names with their declarations |
//! | [`suggest`] | "did you mean": the nearest known name |
//! | [`limits`] | maximum size and nesting depth of a program |
//!
//! Parsing never fails as a whole: it returns a tree and diagnostics, and the tree's text always equals the input text.

pub mod code_table;
pub mod codes;
pub mod diagnostic;
pub mod fix;
pub mod layout;
pub mod limits;
pub mod render;
pub mod sexp;
pub mod source;
pub mod suggest;
pub mod symbols;
pub mod text_edit;

pub use diagnostic::{Code, CodeDoc, Diagnostic, Diagnostics, Fix, Severity};
pub use source::{NodeSpan, SourceFile, SourceId, Sources, Span};
