//! Lints of reward programs that recordings reveal.

use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_reward::codes;
use goalspec_reward::lint::{RewardRange, documented_range};
use goalspec_rewards::frames::is_screen_recording;
use goalspec_rewards::lint;
use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
use goalspec_rewards::world::{RewardWorld, TraceWorldError};
use goalspec_syntax::{Diagnostic, Severity, Span};
use goalspec_trace::input::{TraceInput, with_trace_name};
use rustc_hash::FxHashSet;

use crate::audit::{Audit, AuditOptions, format_number};
use crate::collector::audit;

/// Returns the lints that recordings reveal about the reward functions of their game: comparisons with a constant outcome, and rewards
/// outside the documented range, which `promised` replaces. Runs each function over all recordings of its world; `known` are the loaded
/// worlds beside those that goalspec ships. `skips_unknown_worlds` is whether traces of states that do not determine their world are
/// skipped instead of reported. `progress` is called from time to time with the number of bytes read since its last call.
pub fn recording_diagnostics(
    programs: &[NamedRewardProgram<'_>],
    known: &[Arc<World>],
    inputs: &[TraceInput],
    promised: Option<RewardRange>,
    skips_unknown_worlds: bool,
    progress: &dyn Fn(u64),
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut reported_messages = FxHashSet::default();
    for program in programs.iter().filter(|program| program.reward.program.is_some()) {
        let NamedRewardProgram { name, reward } = *program;
        let world = reward.world.as_ref();
        let (mut own, mut unfit) = (Vec::new(), Vec::new());
        for input in inputs {
            match RewardWorld::for_trace(input, world, known) {
                Ok(_) => own.push(input.clone()),
                Err(error @ TraceWorldError::DifferentWorld { .. }) => {
                    unfit.push(*error.into_diagnostic(input, name, world));
                }
                Err(TraceWorldError::InvalidTrace(_)) if skips_unknown_worlds && !is_screen_recording(input) => {}
                Err(TraceWorldError::InvalidTrace(wrong)) => {
                    let wrong = with_trace_name(&input.name(), *wrong);
                    if reported_messages.insert(wrong.message.clone()) {
                        found.push(wrong);
                    }
                }
            }
        }
        if own.is_empty() {
            found.extend(unfit.into_iter().next());
            continue;
        }
        let options = AuditOptions { recordings_only: true, ..AuditOptions::default() };
        let audited = audit(&[*program], known, &own, &options, progress);
        found.extend(audited.diagnostics);
        found.extend(audited.audits.iter().flat_map(|audit| new_diagnostics(reward, audit, promised)));
    }
    found
}

/// Returns the findings of an audit of a program that its source text alone does not determine.
fn new_diagnostics(reward: &RewardProgram, audit: &Audit, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    let static_diagnostics = lint::diagnostics(reward, promised);
    let reported_spans: Vec<Span> = static_diagnostics.iter().filter_map(constant_comparison_span).collect();
    // A reward outside the documented range is reported once.
    let leaves = static_diagnostics.iter().any(|finding| finding.code == codes::OUT_OF_RANGE);
    let mut found = audit_diagnostics(audit, promised);
    found.retain(|finding| {
        let known = finding.span.is_some_and(|span| reported_spans.contains(&span));
        let again = leaves && finding.code == codes::OUT_OF_RANGE;
        !known && !again
    });
    found
}

/// Returns the span of a finding that the source text alone determines to be a constant comparison.
fn constant_comparison_span(finding: &Diagnostic) -> Option<Span> {
    finding.span.filter(|_| [codes::CONSTANT_COMPARISON, codes::UNREACHABLE].contains(&finding.code))
}

/// Returns the findings of an audit that concern the program and not the policy.
fn audit_diagnostics(audit: &Audit, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    let dead = audit.all_findings().filter(|finding| matches!(finding.kind, "dead-threshold" | "dead-comparison"));
    let mut found: Vec<Diagnostic> = dead
        .filter_map(|finding| {
            let diagnostic = Diagnostic::new(codes::DEAD_THRESHOLD, finding.severity, finding.message.clone());
            let diagnostic =
                Diagnostic { span: Some(finding.span?), ..diagnostic }.with_label(finding.evidence.join(", "));
            Some(finding.help.iter().fold(diagnostic, |diagnostic, help| diagnostic.with_help(help.clone())))
        })
        .collect();
    if let Some(promise) = promised.or_else(|| documented_range(&audit.source, &audit.function)) {
        found.extend(out_of_range(audit, promise));
    }
    found.extend(audit.all_findings().filter(|finding| finding.kind == "raises").filter_map(|finding| {
        let diagnostic = Diagnostic::warning(codes::RAISES, finding.span?, finding.message.clone());
        let diagnostic = diagnostic.with_label(finding.evidence.join(", "));
        Some(finding.help.iter().fold(diagnostic, |diagnostic, help| diagnostic.with_help(help.clone())))
    }));
    found
}

/// Reports rewards outside the promised range, in one finding for all recordings.
fn out_of_range(audit: &Audit, promise: RewardRange) -> Option<Diagnostic> {
    let ranges = audit.recordings.iter().filter_map(|recording| Some((recording, recording.reward_range?)));
    let outside: Vec<_> = ranges.filter(|(_, range)| range.min < promise.min || range.max > promise.max).collect();
    let min = outside.iter().map(|(_, range)| range.min).reduce(f64::min)?;
    let max = outside.iter().map(|(_, range)| range.max).reduce(f64::max)?;
    let [min, max, low, high] = [min, max, promise.min, promise.max].map(format_number);
    let place = match &outside[..] {
        [(recording, _)] => recording.label.clone(),
        several => format!("{} recordings", several.len()),
    };
    let message = format!(
        "the reward ranges from {min} to {max} in {place}, outside of the documented range \
        [{low}, {high}]"
    );
    let diagnostic = Diagnostic::new(codes::OUT_OF_RANGE, Severity::Warning, message);
    let diagnostic = Diagnostic { span: promise.span, ..diagnostic };
    Some(diagnostic.with_help("correct the documented range, or clamp the result"))
}
