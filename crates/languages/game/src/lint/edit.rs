//! Edits that fixes are made of.
//!
//! The lints see spans and not the text between them, which may hold comments. A fix is safe only where there is no room for one.

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::{Fix, Span};

/// Keeps only `inner` of `outer`, whose head has this many bytes, and closing parentheses.
pub(super) fn unwrap(title: impl Into<String>, outer: Span, inner: Span, head: usize) -> Fix {
    let before = Span { end: inner.start, ..outer };
    let after = Span { start: inner.end, ..outer };
    // A blank behind each word, and a parenthesis for each one of the head; a comment needs more.
    let tight = (before.end - before.start) as usize <= head + 1 && after.end - after.start <= 2;
    let applicability = if tight { Applicability::Safe } else { Applicability::Unsafe };
    let remove = |span| Edit { span, replacement: String::new() };
    Fix { title: title.into(), applicability, edits: vec![remove(before), remove(after)] }
}

/// Removes what stands behind `before`, up to and with `span`.
pub(super) fn remove_after(title: impl Into<String>, before: Span, span: Span) -> Fix {
    Fix::replace(title, Applicability::Unsafe, Span { start: before.end, ..span }, "")
}

/// Removes `span` and what stands between it and `after`.
pub(super) fn remove_before(title: impl Into<String>, span: Span, after: Span) -> Fix {
    Fix::replace(title, Applicability::Unsafe, Span { end: after.start, ..span }, "")
}
