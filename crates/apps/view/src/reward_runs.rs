//! Reward functions over recordings: their documents, and the reasons for the reward of each frame.

use std::ops::ControlFlow;
use std::sync::Arc;

use goalspec::audit::{self, AuditOptions};
use goalspec::library::Library;
use goalspec::rewards::explanation::{explain, explain_from};
use goalspec::rewards::program::NamedRewardProgram;
use goalspec::rewards::score::RewardOutcome;
use goalspec::rewards::score_json;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;
use serde_json::{Value, json};

/// Reward functions over a recording, for the reasons of their rewards.
#[derive(Debug, Default)]
pub(crate) struct RewardRun {
    /// The programs and the recording; `None` without outcomes.
    inputs: Option<(Library, TraceInput)>,
    /// For each outcome the name of the program and the numbers of its frames.
    frames: Vec<(Arc<str>, Vec<u64>)>,
}

impl RewardRun {
    pub(crate) fn new(library: Library, input: TraceInput, outcomes: &[RewardOutcome]) -> Self {
        let numbers = |outcome: &RewardOutcome| outcome.frame_results.iter().map(|frame| frame.frame).collect();
        let frames = outcomes.iter().map(|outcome| (Arc::clone(&outcome.program), numbers(outcome))).collect();
        Self { inputs: Some((library, input)), frames }
    }

    /// Returns the program of an outcome, with the numbers of its frames.
    fn outcome<'r>(&'r self, library: &'r Library, outcome: usize) -> Option<(NamedRewardProgram<'r>, &'r [u64])> {
        let (name, numbers) = self.frames.get(outcome)?;
        let program = library.reward_programs().into_iter().find(|program| program.name == name)?;
        Some((program, numbers))
    }

    /// Returns the explanation of a frame, counted from 0, as `goalspec score --why` prints it; `None` if there is no such frame.
    pub(crate) fn why(&self, outcome: usize, at: usize) -> Result<Option<Value>, Box<Diagnostic>> {
        let Some((library, input)) = &self.inputs else { return Ok(None) };
        let Some((program, numbers)) = self.outcome(library, outcome) else { return Ok(None) };
        let Some(&number) = numbers.get(at) else { return Ok(None) };
        let explanation = explain(program, &library.all_worlds(), input, number)?;
        Ok(Some(score_json::explanation(&explanation)))
    }

    /// Returns the audit of each outcome on its recording, as `goalspec audit --format json` prints it; `null` for those that have none.
    pub(crate) fn audits(&self) -> Vec<Value> {
        let Some((library, input)) = &self.inputs else { return Vec::new() };
        let recordings = std::slice::from_ref(input);
        let of_outcome = |outcome: usize| {
            let (program, _) = self.outcome(library, outcome)?;
            let audited =
                audit::audit(&[program], &library.all_worlds(), recordings, &AuditOptions::default(), &|_| ());
            audited.audits.first().map(audit::json)
        };
        (0..self.frames.len()).map(|outcome| of_outcome(outcome).unwrap_or_default()).collect()
    }

    /// Returns the explanations of all frames of all outcomes; `None` if they take more than `max_bytes` of JSON.
    pub(crate) fn all_reasons(&self, max_bytes: usize) -> Result<Option<Vec<Vec<Value>>>, Box<Diagnostic>> {
        let (mut all, mut bytes) = (Vec::new(), 0);
        let Some((library, input)) = &self.inputs else { return Ok(Some(all)) };
        for outcome in 0..self.frames.len() {
            let Some((program, numbers)) = self.outcome(library, outcome) else { continue };
            let mut reasons = Vec::with_capacity(numbers.len());
            explain_from(program, &library.all_worlds(), input, 0, &mut |explanation| {
                let reason = score_json::explanation(&explanation);
                bytes += reason.to_string().len();
                reasons.push(reason);
                let is_complete = reasons.len() == numbers.len() || bytes > max_bytes;
                if is_complete { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if bytes > max_bytes {
                return Ok(None);
            }
            all.push(reasons);
        }
        Ok(Some(all))
    }
}

/// Returns an outcome as `goalspec score --format json --per-step --terms` prints it, with the sum of the rewards up to each frame.
pub(crate) fn document(outcome: &RewardOutcome) -> Value {
    let mut document = score_json::outcome(outcome);
    let sums = outcome.running_totals();
    document["sums"] = sums.into_iter().map(number).collect();
    document["frame_numbers"] = outcome.frame_results.iter().map(|frame| frame.frame).collect();
    document
}

/// Returns a number as the other documents have it: those that JSON lacks are texts.
fn number(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}
