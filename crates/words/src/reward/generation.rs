//! Rounds of candidates: each round continues from the best program so far.

use std::fmt::Write as _;

use goalspec_llm::{Model, ModelError, Request};

use super::curves::TrainingCurves;
use super::prompts::{Prompts, Variant};
use super::ranking::{Disagreement, Rank, disagreements, rank};
use super::statistics;
use super::task::{RewardInputs, RewardTask};
use crate::candidate::Candidate;
use crate::feedback;
use crate::pipeline::{Job, RunObserver, RunOptions, Task as _, run};
use crate::record::{Record, RecordError};

/// The default number of candidates of a round.
pub const DEFAULT_CANDIDATES: usize = 4;

/// The maximum number of candidates of a round.
pub const MAX_CANDIDATES: usize = 256;

/// The maximum number of rounds.
pub const MAX_ROUNDS: usize = 100;

/// The conversation, the numbers of candidates, rounds and repairs, and the feedback of rounds.
#[derive(Debug, Clone)]
pub struct GenerationOptions {
    /// The conversation.
    pub variant: Variant,
    /// The number of candidates of a round.
    pub candidates: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// Whether the programs return the components of the reward.
    pub components: bool,
    /// The options of each round.
    pub run: RunOptions,
    /// The training curves of candidates of this run, by name.
    pub curves: TrainingCurves,
}

impl Default for GenerationOptions {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            candidates: DEFAULT_CANDIDATES,
            rounds: 1,
            components: false,
            run: RunOptions::default(),
            curves: TrainingCurves::default(),
        }
    }
}

/// The results of a generation.
#[derive(Debug)]
pub struct Generation {
    /// The candidates of all rounds, in order.
    pub candidates: Vec<Candidate>,
    /// The indices of the candidates with their ranks, the best first.
    pub ranking: Vec<(usize, Rank)>,
    /// The traces on which the candidates disagree.
    pub disagreements: Vec<Disagreement>,
    /// The error that ended the generation early.
    pub interruption: Option<ModelError>,
}

impl Generation {
    /// Returns the best candidate, if it is accepted.
    pub fn best(&self) -> Option<&Candidate> {
        self.ranking.first().filter(|(_, rank)| rank.is_accepted).map(|(index, _)| &self.candidates[*index])
    }
}

/// Generates reward functions. `settings` has the parameters of all requests; its prompt is not used.
///
/// # Errors
/// If the record cannot be written, or contradicts the run.
pub fn generate(
    inputs: &RewardInputs,
    prompts: &Prompts,
    settings: &Request,
    model: &dyn Model,
    options: &GenerationOptions,
    record: &Record,
    observer: RunObserver<'_>,
) -> Result<Generation, RecordError> {
    let scores = options.curves.final_scores();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut interruption = None;
    for round in 1..=options.rounds.min(MAX_ROUNDS) {
        let best = rank(&candidates, &scores).first().map(|(index, _)| *index);
        let task = match best.and_then(|best| next_task(inputs, prompts, settings, options, &candidates, best)) {
            Some(task) => task,
            None => RewardTask::new(inputs, prompts, options.components, settings),
        };
        let jobs: Vec<Job<'_, RewardTask<'_>>> = (0..options.candidates.min(MAX_CANDIDATES))
            .map(|number| Job { id: format!("{round}-{}", number + 1), attempt: number as u32, task: &task })
            .collect();
        let results = run(&jobs, model, options.run, record, observer)?;
        candidates.extend(results.candidates);
        interruption = results.interruption;
        if interruption.is_some() {
            break;
        }
    }
    let ranking = rank(&candidates, &scores);
    let disagreements = disagreements(&candidates);
    Ok(Generation { candidates, ranking, disagreements, interruption })
}

/// Returns the task of the next round; `None` if the best candidate has no program.
fn next_task<'i>(
    inputs: &'i RewardInputs,
    prompts: &Prompts,
    settings: &Request,
    options: &GenerationOptions,
    candidates: &[Candidate],
    best: usize,
) -> Option<RewardTask<'i>> {
    let best = &candidates[best];
    let attempt = best.result()?;
    let program = attempt.program.as_deref()?;
    let first = RewardTask::new(inputs, prompts, options.components, settings);
    let mut text = match attempt.findings.as_slice() {
        [] => "An automatic check of your program found no mistake.\n".to_owned(),
        findings => format!("An automatic check of your program found the following.\n\n{}", feedback::list(findings)),
    };
    if let Some(found) = attempt.results.get("statistics") {
        text.push_str(&statistics::feedback(found));
    }
    let differing = disagreements(candidates);
    if !differing.is_empty() {
        text.push_str("\nOther programs for this task order the traces differently; yours is ");
        let _ = writeln!(text, "{}:", best.id);
        for one in differing.iter().take(feedback::MAX_FINDINGS) {
            let _ = writeln!(text, "- {}", one.description());
        }
    }
    text.push_str(&options.curves.feedback(&best.id));
    let text = format!("{}\n\nImprove the program. {}", text.trim_end(), first.repair_request());
    Some(RewardTask::improving(inputs, (prompts, options.variant), (program, &text), options.components, settings))
}
