//! Source text, spans, lossless s-expression trees and diagnostics: what every goalspec language stands on.
//!
//! | module | what lives there |
//! |---|---|
//! | [`source`] | [`SourceFile`], [`Span`], line and column look-up |
//! | [`diagnostic`] | the one [`Diagnostic`] type, codes and their documentation, fixes |
//! | [`mod@codes`] | the diagnostic codes of the syntax itself |
//! | [`explain`] | the documentation of all codes, found by code |
//! | [`fix`] | applying the fixes that diagnostics offer |
//! | [`render`] | the same diagnostics for people, for a terminal line, as JSON, for GitHub and as SARIF |
//! | [`sexp`] | lossless s-expression trees with comments and error recovery |
//! | [`layout`] | canonical layout, comments kept |
//! | [`suggest`] | "did you mean": the nearest known name |
//! | [`limits`] | how large and how deep a program may be |
//!
//! Parsing never fails as a whole: it returns a tree and diagnostics, and the tree's text is always the input's text.

pub mod codes;
pub mod diagnostic;
pub mod explain;
pub mod fix;
pub mod layout;
pub mod limits;
pub mod render;
pub mod sexp;
pub mod source;
pub mod suggest;

pub use diagnostic::{Code, CodeDoc, Diagnostic, Fix, Severity};
pub use source::{SourceFile, SourceId, Sources, Span};
