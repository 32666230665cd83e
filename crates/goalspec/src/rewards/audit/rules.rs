//! The rules of an audit: each derives findings, with their evidence, from the statistics.

pub(super) mod causes;
mod components;
mod order;
mod play;
mod probed;
mod program;
mod values;

use std::collections::BTreeMap;

use goalspec_reward::entry::Entry;
use goalspec_reward::observe::Moment;
use goalspec_syntax::diagnostic::Code;
use goalspec_syntax::{Severity, Span};

use super::statistics::Agreement;
use super::{Audit, Finding};

/// The minimum number of frames whose totals are significant.
const LONG: u64 = 100;

/// Whether more than a quarter of the pairs that both orders distinguish are discordant.
fn is_against(agreement: Agreement) -> bool {
    4 * agreement.discordant > agreement.told()
}

/// Returns all findings, before those with a common cause are [grouped](causes::group).
pub(super) fn findings(audit: &Audit, entry: &Entry) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(play::raises(audit));
    found.extend(values::not_finite(audit));
    found.extend(values::constant(audit));
    if audit.score.is_some() {
        found.extend(values::running_score(audit));
        found.extend(order::against_score(audit));
        found.extend(order::terms_against_score(audit));
        found.extend(order::motion_against_score(audit));
        found.extend(order::correlation(audit));
    } else {
        found.push(play::no_score(audit));
    }
    found.extend(play::pockets(audit));
    found.extend(program::only_term(audit));
    found.extend(program::dead_terms(audit));
    found.extend(components::findings(audit));
    found.extend(program::comparisons(audit));
    found.extend(program::clamps(audit));
    found.extend(program::divisors(audit));
    found.extend(program::lints(audit, entry));
    found.extend(probed::findings(audit));
    found.extend(probed::outside_promise(audit));
    found.sort_by(|one, other| other.severity.cmp(&one.severity).then(other.weight.total_cmp(&one.weight)));
    found
}

impl Finding {
    fn new(code: Code, severity: Severity, message: String, mend: &str) -> Self {
        Self {
            kind: code.0.rsplit('/').next().unwrap_or(code.0),
            severity,
            message,
            span: None,
            evidence: Vec::new(),
            numbers: BTreeMap::new(),
            mend: mend.to_owned(),
            consequences: Vec::new(),
            is_of_probe: false,
            weight: 0.0,
        }
    }

    fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    fn evidence(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    fn number(mut self, name: &'static str, number: f64) -> Self {
        self.numbers.insert(name, number);
        self
    }

    fn weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }
}

impl Audit {
    /// Formats a frame as `frame 12 of random`.
    fn moment(&self, moment: Moment) -> String {
        let recording = self.recordings.get(moment.recording as usize).map_or("?", |recording| &*recording.label);
        format!("frame {} of {recording}", moment.frame)
    }

    fn frames(&self) -> u64 {
        self.recordings.iter().map(super::Recording::frames).sum()
    }
}
