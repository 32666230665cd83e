//! Lints of reward functions, from their source text alone and from recordings.

use goalspec_reward::codes;
use goalspec_reward::entry::{self, Entry};
use goalspec_reward::lint::{self, RewardRange};
use goalspec_reward::scene::World;
use goalspec_syntax::{Diagnostic, Severity, Span};

use super::audit::{self, Audit};
use super::frames::is_screen_recording;
use super::program::{ENTRY_NAMES, RewardProgram};
use super::world::{RewardWorld, TraceWorldError};
use crate::library::Library;
use crate::program::Program;
use crate::scoring::{TraceInput, with_trace_name};

/// Returns the lints of all reward functions of a library that can run.
pub fn diagnostics(library: &Library) -> Vec<Diagnostic> {
    diagnostics_with_range(library, None)
}

/// Returns the lints of [`diagnostics`]; `promised` replaces the reward ranges that the functions themselves document.
pub fn diagnostics_with_range(library: &Library, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    library
        .programs()
        .iter()
        .filter_map(Program::as_reward)
        .flat_map(|reward| program_diagnostics(reward, promised))
        .collect()
}

fn program_diagnostics(reward: &RewardProgram, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    let Some(program) = &reward.program else { return Vec::new() };
    let called = reward.world.as_ref().and_then(|world| reward.entry(world)?.ok());
    // Without a world, only a function with a preferred name is known to be called.
    let defined = lint::functions(reward.source());
    let preferred = ENTRY_NAMES.into_iter().find(|name| defined.iter().any(|(function, _)| function == name));
    let called = called.or_else(|| preferred.map(Entry::of_unknown_world));
    let scene = reward.world.as_ref().map(RewardWorld::scene);
    let mut found = lint::lint(reward.source(), called.as_ref(), scene.map(|scene| &**scene), promised);
    // With a world, a missing function is an error, which is reported with the world.
    if defined.is_empty() && reward.world.is_none() {
        let missing = entry::find_entry(program, reward.source(), &World::default(), None).err();
        found.extend(missing.map(|error| Diagnostic { severity: Severity::Warning, ..*error }));
    }
    found
}

/// Returns the lints that recordings reveal about the reward functions of their game: comparisons with a constant outcome, and rewards
/// outside the documented range. Runs each function over all recordings of its world. `progress` is called from time to time with the
/// number of bytes read since its last call.
pub fn recording_diagnostics(
    library: &Library,
    inputs: &[TraceInput],
    promised: Option<RewardRange>,
    progress: &dyn Fn(u64),
) -> Vec<Diagnostic> {
    let known = library.all_worlds();
    let played = !library.program_worlds().is_empty();
    let mut found: Vec<Diagnostic> = Vec::new();
    for program in library.programs() {
        let Some(reward) = program.as_reward().filter(|reward| reward.program.is_some()) else { continue };
        let world = reward.world.as_ref();
        let (mut own, mut unfit) = (Vec::new(), Vec::new());
        for input in inputs {
            match RewardWorld::for_trace(input, world, &known) {
                Ok(_) => own.push(input.clone()),
                Err(error @ TraceWorldError::DifferentWorld { .. }) => {
                    unfit.push(*error.into_diagnostic(input, &program.name, world));
                }
                // Traces of other worlds are checked together with the worlds of games and goals.
                Err(TraceWorldError::InvalidTrace(_)) if played && !is_screen_recording(input) => {}
                Err(TraceWorldError::InvalidTrace(wrong)) => {
                    let wrong = with_trace_name(&input.name(), *wrong);
                    if !found.iter().any(|known| known.message == wrong.message) {
                        found.push(wrong);
                    }
                }
            }
        }
        if own.is_empty() {
            found.extend(unfit.into_iter().next());
            continue;
        }
        let options = audit::Options { recordings_only: true, ..audit::Options::default() };
        let audited = audit::audit(&[program], &known, &own, &options, progress);
        found.extend(audited.diagnostics);
        let static_diagnostics = program_diagnostics(reward, promised);
        let reported_spans: Vec<Span> = static_diagnostics.iter().filter_map(constant_comparison_span).collect();
        // A reward outside the documented range is reported once.
        let leaves = static_diagnostics.iter().any(|finding| finding.code == codes::OUT_OF_RANGE);
        let recorded = audited.audits.iter().flat_map(|audit| audit_diagnostics(audit, promised));
        found.extend(recorded.filter(|finding| {
            let known = finding.span.is_some_and(|span| reported_spans.contains(&span));
            let again = leaves && finding.code == codes::OUT_OF_RANGE;
            !known && !again
        }));
    }
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
            Some(diagnostic.with_help(finding.help.clone()))
        })
        .collect();
    if let Some(promise) = promised.or_else(|| lint::documented_range(&audit.source, &audit.function)) {
        found.extend(out_of_range(audit, promise));
    }
    found.extend(audit.all_findings().filter(|finding| finding.kind == "raises").filter_map(|finding| {
        let diagnostic = Diagnostic::warning(codes::RAISES, finding.span?, finding.message.clone());
        Some(diagnostic.with_label(finding.evidence.join(", ")).with_help(finding.help.clone()))
    }));
    found
}

/// Reports rewards outside the promised range, in one finding for all recordings.
fn out_of_range(audit: &Audit, promise: RewardRange) -> Option<Diagnostic> {
    let ranges = audit.recordings.iter().filter_map(|recording| Some((recording, recording.reward_range?)));
    let outside: Vec<_> = ranges.filter(|(_, range)| range.min < promise.min || range.max > promise.max).collect();
    let min = outside.iter().map(|(_, range)| range.min).reduce(f64::min)?;
    let max = outside.iter().map(|(_, range)| range.max).reduce(f64::max)?;
    let [min, max, low, high] = [min, max, promise.min, promise.max].map(audit::format_number);
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
