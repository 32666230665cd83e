//! The diagnostics of a document, in two tiers.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec::syntax::Diagnostic;
use goalspec::{planning_problems, reward_lints};

use crate::analysis::Analysis;
use crate::workspace::Snapshot;

/// Returns the diagnostics of reading a document: those in the document, and those without a place.
pub fn fast(analysis: &Analysis) -> Vec<Diagnostic> {
    own(analysis, analysis.library().diagnostics().iter().cloned())
}

impl Snapshot {
    /// Returns the diagnostics of the analyses of a document that may take long: reachability in planning problems and the lints of reward
    /// functions. Setting the flag `cancelled` ends them early; the result is `None` then.
    pub fn slow_diagnostics(&self, path: &Path, cancelled: &AtomicBool) -> Option<Vec<Diagnostic>> {
        let analysis = self.analysis(path);
        let mut found = planning_problems::unreachable_parts_unless(analysis.library(), cancelled);
        if !cancelled.load(Ordering::Relaxed) {
            found.extend(reward_lints::diagnostics(analysis.library()));
        }
        (!cancelled.load(Ordering::Relaxed)).then(|| own(&analysis, found))
    }
}

fn own(analysis: &Analysis, found: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let is_own = |found: &Diagnostic| found.span.is_none_or(|span| analysis.range(span).is_some());
    found.into_iter().filter(is_own).collect()
}
