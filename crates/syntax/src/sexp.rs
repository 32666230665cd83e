//! Lossless s-expression trees.
//!
//! [`parse`] turns any text into a [`Tree`] whose text equals the input, together with diagnostics. Later phases walk
//! the tree with [`List`] and [`Atom`], views that carry their spans and are cheap to copy. A formatter uses [`leading_comments`],
//! [`trailing_comment`] and [`dangling_comments`], which together yield every comment exactly once.
//!
//! | module | contents |
//! |---|---|
//! | `excess` | location of surplus closing parentheses, judged by layout |
//! | `kind` | the kinds of tokens and atoms |
//! | `lexer` | text to tokens |
//! | [`plain`] | lists of words without strings, brackets and recovery, as simple parsers in Python read them |
//! | `reader` | tokens to balanced tokens: recovery, limits, diagnostics |
//! | `repair` | location of missing closing parentheses, judged by indentation |
//! | `tree` | balanced tokens to a stored tree |
//! | `view` | the public views of a tree: lists, atoms, comments |
//!
//! ```
//! use goalspec_syntax::{Sources, sexp};
//!
//! let mut sources = Sources::new();
//! let id = sources.add("demo", "(count throws) ; once each");
//! let parse = sexp::parse(sources.file(id));
//! assert!(parse.diagnostics.is_empty());
//! let list = parse.roots().next().unwrap();
//! assert_eq!(list.head().unwrap().text(), "count");
//! ```

mod excess;
mod kind;
mod lexer;
pub mod plain;
mod reader;
mod repair;
mod tree;
mod view;

pub use kind::AtomKind;
pub use view::{Atom, Comment, Cursor, List, Sexp, Token, Tree, dangling_comments, leading_comments, trailing_comment};

use crate::codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{SourceFile, Span};

/// The result of [`parse`]: the tree of a text and its syntax diagnostics.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The tree; its text is the input's text.
    pub tree: Tree,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// Iterates over the top-level lists in order.
    pub fn roots(&self) -> impl Iterator<Item = List<'_>> + use<'_> {
        self.tree.roots()
    }

    /// Iterates over the diagnostics, with those for stray parentheses outside of all lists as warnings: where every list is a complete
    /// definition, these are harmless.
    pub fn diagnostics_with_stray_warnings(&self) -> impl Iterator<Item = Diagnostic> {
        let roots: Vec<Span> = self.roots().map(List::span).collect();
        self.diagnostics.iter().map(move |diagnostic| {
            let is_outside = diagnostic.span.is_some_and(|span| {
                let next = roots.partition_point(|root| root.end <= span.start);
                roots.get(next).is_none_or(|root| span.end <= root.start)
            });
            let is_harmless = diagnostic.code == codes::STRAY_PARENTHESIS && is_outside;
            let severity = if is_harmless { Severity::Warning } else { diagnostic.severity };
            Diagnostic { severity, ..diagnostic.clone() }
        })
    }
}

/// Parses a text as s-expressions.
///
/// Every text gives a tree. Invalid parts are reported and left out by the views. Missing closing parentheses are supplied
/// where the layout suggests them, unless the parentheses of the program match. A text larger than
/// [`MAX_SOURCE_BYTES`](crate::limits::MAX_SOURCE_BYTES) is not read at all.
pub fn parse(source: &SourceFile) -> Parse {
    let (elements, diagnostics) = reader::read(source.id(), source.text());
    Parse { tree: Tree::new(source.id(), source.shared_text(), elements), diagnostics }
}
