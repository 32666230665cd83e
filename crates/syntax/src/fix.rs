//! Application of the fixes that diagnostics offer.

use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::source::SourceFile;

/// The result of [`apply`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixResult {
    /// The new text.
    pub text: String,
    /// The number of fixes applied.
    pub applied: usize,
    /// The number of fixes left out because they overlap an applied fix or do not fit this text.
    pub skipped: usize,
}

/// Applies fixes to one text: of each diagnostic, the first fix that is safe or, with [`Applicability::Unsafe`] as `limit`, the first
/// fix of any kind.
///
/// Fixes are applied in the order of the diagnostics. A fix that overlaps an applied fix, or inserts at the same place, is left out;
/// checking the new text usually offers it again. Fixes of other files are not counted.
pub fn apply(source: &SourceFile, diagnostics: &[Diagnostic], limit: Applicability) -> FixResult {
    let allowed = |fix: &&Fix| limit == Applicability::Unsafe || fix.applicability == Applicability::Safe;
    let mut accepted = BTreeMap::new();
    let (mut applied, mut skipped) = (0, 0);
    for fix in diagnostics.iter().filter_map(|diagnostic| diagnostic.fixes.iter().find(allowed)) {
        if !fix.edits.iter().any(|edit| edit.span.source == source.id()) {
            continue;
        }
        if accept(&mut accepted, source, fix) {
            applied += 1;
        } else {
            skipped += 1;
        }
    }
    let mut text = String::with_capacity(source.text().len());
    let mut at = 0;
    for (&(start, end), replacement) in &accepted {
        text.push_str(&source.text()[at..start]);
        text.push_str(replacement);
        at = end;
    }
    text.push_str(&source.text()[at..]);
    FixResult { text, applied, skipped }
}

/// The accepted edits, keyed by start and end; no two of them overlap.
type AcceptedEdits<'a> = BTreeMap<(usize, usize), &'a str>;

/// Accepts all edits of a fix, or none of them if one does not fit. Returns whether the fix was accepted.
fn accept<'a>(accepted: &mut AcceptedEdits<'a>, source: &SourceFile, fix: &'a Fix) -> bool {
    for (index, edit) in fix.edits.iter().enumerate() {
        let range = (edit.span.start as usize, edit.span.end as usize);
        if edit.span.source != source.id() || !fits(accepted, source, range) {
            for edit in &fix.edits[..index] {
                accepted.remove(&key(edit));
            }
            return false;
        }
        accepted.insert(range, &edit.replacement);
    }
    true
}

fn key(edit: &Edit) -> (usize, usize) {
    (edit.span.start as usize, edit.span.end as usize)
}

fn fits(accepted: &AcceptedEdits<'_>, source: &SourceFile, (start, end): (usize, usize)) -> bool {
    let overlaps = |&(other_start, other_end): &(usize, usize)| {
        (start, end) == (other_start, other_end) || (start < other_end && other_start < end)
    };
    let before = accepted.range(..=(start, end)).next_back();
    let after = accepted.range((start, end)..).next();
    source.text().get(start..end).is_some() && !before.into_iter().chain(after).any(|(range, _)| overlaps(range))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;
    use crate::diagnostic::Severity;
    use crate::source::{SourceId, Sources, Span};

    const FILE: SourceId = SourceId(0);

    /// A text, the edits of each fix, and the expected text with the numbers of fixes applied and left out.
    type Case = (&'static str, &'static [&'static [(u32, u32, &'static str)]], (&'static str, usize, usize));

    fn diagnostic(edits: &[(u32, u32, &str)]) -> Diagnostic {
        let edit = |&(start, end, replacement): &(u32, u32, &str)| Edit {
            span: Span::new(FILE, start, end),
            replacement: replacement.to_owned(),
        };
        let edits = edits.iter().map(edit).collect();
        let fix = Fix { title: "mend".to_owned(), applicability: Applicability::Safe, edits };
        Diagnostic::new(codes::LOOSE_TEXT, Severity::Error, "broken").with_fix(fix)
    }

    #[test]
    fn fixes_that_do_not_overlap_are_applied() {
        let cases: [Case; 9] = [
            ("abcdef", &[], ("abcdef", 0, 0)),
            ("abcdef", &[&[(4, 5, "E")], &[(1, 2, "B")]], ("aBcdEf", 2, 0)),
            ("abcdef", &[&[(1, 3, "")], &[(3, 3, "!")], &[(1, 1, "?")]], ("a?!def", 3, 0)),
            ("abcdef", &[&[(1, 3, "X")], &[(2, 4, "Y")]], ("aXdef", 1, 1)),
            ("abcdef", &[&[(2, 2, "X")], &[(1, 4, "Y")]], ("abXcdef", 1, 1)),
            ("abcdef", &[&[(2, 2, ")")], &[(2, 2, ")")]], ("ab)cdef", 1, 1)),
            ("abcdef", &[&[(0, 1, "A"), (5, 6, "F")], &[(2, 3, "C"), (5, 5, "!")]], ("AbCde!F", 2, 0)),
            ("abcdef", &[&[(5, 6, "F")], &[(2, 3, "C"), (4, 6, "!")]], ("abcdeF", 1, 1)),
            ("aö", &[&[(2, 3, "x")], &[(3, 9, "")], &[(2, 1, "")], &[(3, 3, "!")]], ("aö!", 1, 3)),
        ];
        for (text, fixes, (expected, applied, skipped)) in cases {
            let mut sources = Sources::new();
            let id = sources.add("test", text);
            let diagnostics: Vec<_> = fixes.iter().map(|edits| diagnostic(edits)).collect();
            let expected = FixResult { text: expected.to_owned(), applied, skipped };
            assert_eq!(apply(sources.file(id), &diagnostics, Applicability::Safe), expected, "{fixes:?}");
        }
    }

    #[test]
    fn unsafe_fixes_are_applied_only_on_request() {
        let mut sources = Sources::new();
        let id = sources.add("test", "ab");
        let fix = |applicability, text| Fix::replace("mend", applicability, Span::new(id, 0, 1), text);
        let diagnostic = Diagnostic::new(codes::LOOSE_TEXT, Severity::Error, "broken")
            .with_fix(fix(Applicability::Unsafe, "X"))
            .with_fix(fix(Applicability::Safe, "Y"));
        let fixed = |limit| apply(sources.file(id), std::slice::from_ref(&diagnostic), limit).text;
        assert_eq!(fixed(Applicability::Safe), "Yb");
        assert_eq!(fixed(Applicability::Unsafe), "Xb");
    }

    #[test]
    fn fixes_of_other_files_do_not_count() {
        let mut sources = Sources::new();
        let (one, other) = (sources.add("one", "ab"), sources.add("other", "ab"));
        let fix = Fix::replace("mend", Applicability::Safe, Span::new(other, 0, 1), "X");
        let diagnostic = Diagnostic::new(codes::LOOSE_TEXT, Severity::Error, "broken").with_fix(fix);
        let fixed = apply(sources.file(one), &[diagnostic], Applicability::Safe);
        assert_eq!(fixed, FixResult { text: "ab".to_owned(), applied: 0, skipped: 0 });
    }
}
