//! The rules of an audit: each derives findings, with their evidence, from the statistics.

mod agreement;
pub(crate) mod causes;
mod components;
mod probes;
mod program;
mod recordings;
mod values;

use std::collections::BTreeMap;

use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::observe::CallPosition;
use goalspec_syntax::diagnostic::Code;
use goalspec_syntax::{Severity, Span};

use crate::statistics::PairAgreement;
use crate::{Audit, Finding};

/// The minimum number of frames whose totals are significant.
const MIN_FRAMES: u64 = 100;

/// Whether more than a quarter of the pairs that both orders distinguish are discordant.
fn is_discordant(agreement: PairAgreement) -> bool {
    4 * agreement.discordant > agreement.untied()
}

/// Returns all findings, before those with a common cause are [grouped](causes::group).
pub(crate) fn findings(audit: &Audit, entry: &Entry) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(recordings::exceptions(audit));
    found.extend(values::not_finite(audit));
    found.extend(values::constant(audit));
    found.extend(values::nearly_constant(audit));
    if audit.score.is_some() {
        found.extend(values::running_score(audit));
        found.extend(agreement::against_score(audit));
        found.extend(agreement::terms_against_score(audit));
        found.extend(agreement::motion_against_score(audit));
        found.extend(agreement::correlation(audit));
    } else {
        found.push(recordings::no_score(audit));
    }
    found.extend(recordings::idle_rewards(audit));
    found.extend(program::dominant_term(audit));
    found.extend(program::dead_terms(audit));
    found.extend(components::findings(audit));
    found.extend(program::comparisons(audit));
    found.extend(program::clamps(audit));
    found.extend(program::divisors(audit));
    found.extend(program::lints(audit, entry));
    found.extend(probes::findings(audit));
    found.extend(probes::out_of_range(audit));
    found.sort_by(|one, other| other.severity.cmp(&one.severity).then(other.weight.total_cmp(&one.weight)));
    found
}

impl Finding {
    fn new(code: Code, severity: Severity, message: String, help: &str) -> Self {
        Self {
            kind: code.0.rsplit('/').next().unwrap_or(code.0),
            severity,
            message,
            span: None,
            evidence: Vec::new(),
            numbers: BTreeMap::new(),
            help: vec![help.to_owned()],
            consequences: Vec::new(),
            is_from_probe: false,
            weight: 0.0,
        }
    }

    fn with_span(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    fn with_evidence(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    fn with_number(mut self, name: &'static str, number: f64) -> Self {
        self.numbers.insert(name, number);
        self
    }

    fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }
}

impl Audit {
    /// Formats a frame as `frame 12 of random`.
    fn frame_label(&self, position: CallPosition) -> String {
        let recording = self.recordings.get(position.recording as usize).map_or("?", |recording| &*recording.label);
        format!("frame {} of {recording}", position.frame)
    }

    fn frames(&self) -> u64 {
        self.recordings.iter().map(crate::Recording::frames).sum()
    }
}
