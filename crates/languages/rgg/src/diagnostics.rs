//! The collection of diagnostics during a phase: without duplicates, and limited in number.

use std::hash::{BuildHasher, Hash};

use goalspec_syntax::{Code, Diagnostic, Severity, Span};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::codes;

/// The maximum number of diagnostics reported by one phase; a final one counts the rest.
pub(crate) const MAX_DIAGNOSTICS: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct DiagnosticCollector {
    diagnostics: Vec<Diagnostic>,
    /// Hashes of the reported diagnostics. A node that is visited repeatedly, through aliases, is reported once.
    reported_hashes: FxHashSet<u64>,
    /// The maximum severity of the diagnostics that are not kept, and their number.
    dropped: Option<(Severity, usize)>,
}

impl DiagnosticCollector {
    pub(crate) fn report(&mut self, found: Diagnostic) {
        if !self.reported_hashes.insert(FxBuildHasher.hash_one(DiagnosticKey(found.code, found.span, &found.message))) {
            return;
        }
        if self.is_full() {
            let (severity, count) = self.dropped.unwrap_or((found.severity, 0));
            self.dropped = Some((severity.max(found.severity), count + 1));
        } else {
            self.diagnostics.push(found);
        }
    }

    /// Whether further diagnostics are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Returns the diagnostics in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|found| found.span.map_or(0, |span| span.start));
        if let Some((severity, count)) = self.dropped {
            let message = format!("{count} more diagnostics are not shown");
            let span = self.diagnostics.last().and_then(|last| last.span);
            self.diagnostics
                .push(Diagnostic { span, ..Diagnostic::new(codes::TOO_MANY_DIAGNOSTICS, severity, message) });
        }
        self.diagnostics
    }
}

/// The identity of a diagnostic, for the removal of duplicates.
#[derive(Hash)]
struct DiagnosticKey<'a>(Code, Option<Span>, &'a str);

#[cfg(test)]
mod tests {
    use goalspec_syntax::source::SourceId;

    use super::*;

    #[test]
    fn an_error_that_is_not_shown_is_still_one() {
        let mut findings = DiagnosticCollector::default();
        for at in 0..700 {
            let span = Span::new(SourceId(0), at, at);
            findings.report(Diagnostic::warning(codes::NO_EFFECT, span, "one"));
            findings.report(Diagnostic::warning(codes::NO_EFFECT, span, "one"));
        }
        findings.report(Diagnostic::error(codes::WRONG_KIND, Span::new(SourceId(0), 0, 0), "another"));
        let all = findings.finish();
        let last = all.last().expect("findings");
        assert_eq!((all.len(), last.severity), (MAX_DIAGNOSTICS + 1, Severity::Error));
        assert_eq!(last.message, "201 more diagnostics are not shown");
    }
}
