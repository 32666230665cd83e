//! "Did you mean" on diagnostics.

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, Span, suggest};

/// Adds the nearest of the known words as help and as a fix, and tells whether there is one.
///
/// The fix is safe only where nothing but capitals and dashes differ; otherwise it is a guess.
pub(crate) fn suggest<'a>(
    diagnostic: Diagnostic,
    word: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> (Diagnostic, bool) {
    let Some(near) = suggest::nearest(word, known) else { return (diagnostic, false) };
    let same_letters = word.to_lowercase().replace('-', "_") == near.to_lowercase().replace('-', "_");
    let applicability = if same_letters { Applicability::Safe } else { Applicability::Unsafe };
    let diagnostic = diagnostic.with_help(format!("did you mean `{near}`?")).with_fix(Fix::replace(
        format!("write `{near}`"),
        applicability,
        span,
        near,
    ));
    (diagnostic, true)
}
