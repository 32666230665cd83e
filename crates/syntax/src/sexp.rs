//! Lossless s-expression trees.
//!
//! [`parse`] turns any text into a [`Tree`] whose text is exactly the input, and says what is wrong with it. Later phases walk
//! the tree with [`List`] and [`Atom`], views of it that know their spans and cost nothing to copy; a formatter asks [`leading_comments`],
//! [`trailing_comment`] and [`dangling_comments`], which together give every comment exactly once.
//!
//! | module | what lives there |
//! |---|---|
//! | `excess` | where a closing parenthesis is one too many, judged by layout |
//! | `kind` | the kinds of tokens and atoms |
//! | `lexer` | text to tokens |
//! | `reader` | tokens to balanced tokens: recovery, limits, diagnostics |
//! | `repair` | where a closing parenthesis is missing, judged by indentation |
//! | `tree` | balanced tokens to a stored tree |
//! | `view` | what later phases see |
//!
//! ```
//! use goalspec_syntax::{Sources, sexp};
//!
//! let mut sources = Sources::new();
//! let id = sources.add("demo", "(count throws) ; once each");
//! let parse = sexp::parse(sources.get(id));
//! assert!(parse.diagnostics.is_empty());
//! let list = parse.roots().next().unwrap();
//! assert_eq!(list.head().unwrap().text(), "count");
//! ```

mod excess;
mod kind;
mod lexer;
mod reader;
mod repair;
mod tree;
mod view;

pub use kind::AtomKind;
pub use view::{Atom, Comment, List, Sexp, Tree, dangling_comments, leading_comments, trailing_comment};

use crate::diagnostic::Diagnostic;
use crate::source::SourceFile;

/// What a text means as s-expressions, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The tree; its text is the input's text.
    pub tree: Tree,
    /// What was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// All lists that stand in no other list, in order.
    pub fn roots(&self) -> impl Iterator<Item = List<'_>> + use<'_> {
        self.tree.roots()
    }
}

/// Reads a text as s-expressions.
///
/// Any text gives a tree. What cannot be read is left out by the views and reported; missing closing parentheses are supplied
/// where the layout suggests them, unless the parentheses of the program match. Of a text larger than [`MAX_SOURCE_BYTES`](crate::limits::MAX_SOURCE_BYTES) nothing is read.
pub fn parse(source: &SourceFile) -> Parse {
    let (elements, diagnostics) = reader::read(source.id(), source.text());
    Parse { tree: Tree::new(source.id(), source.shared_text(), elements), diagnostics }
}
