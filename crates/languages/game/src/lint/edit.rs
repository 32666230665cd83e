//! Edits for fixes.
//!
//! Lints see spans but not the source text between them, which may contain comments. A fix is safe only if the removed text has no
//! room for a comment.

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::{Fix, Span};

/// Returns a fix that replaces `outer`, whose head has `head` bytes, by its part `inner`.
pub(super) fn unwrap(title: impl Into<String>, outer: Span, inner: Span, head: usize) -> Fix {
    let before = Span { end: inner.start, ..outer };
    let after = Span { start: inner.end, ..outer };
    // One blank per word and one closing parenthesis per head leave no room for a comment.
    let fits_line = (before.end - before.start) as usize <= head + 1 && after.end - after.start <= 2;
    let applicability = if fits_line { Applicability::Safe } else { Applicability::Unsafe };
    let remove = |span| Edit { span, replacement: String::new() };
    Fix { title: title.into(), applicability, edits: vec![remove(before), remove(after)] }
}

/// Returns a fix that removes `span` and the text between `before` and `span`.
pub(super) fn remove_after(title: impl Into<String>, before: Span, span: Span) -> Fix {
    Fix::replace(title, Applicability::Unsafe, Span { start: before.end, ..span }, "")
}

/// Returns a fix that removes `span` and the text between `span` and `after`.
pub(super) fn remove_before(title: impl Into<String>, span: Span, after: Span) -> Fix {
    Fix::replace(title, Applicability::Unsafe, Span { end: after.start, ..span }, "")
}
