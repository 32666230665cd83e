//! Simulations, audits, options, descriptions and comparisons.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec::audit::{self, AuditOptions};
use goalspec::descriptions;
use goalspec::equivalence::games::GameComparisonOptions;
use goalspec::goal_options::{self, OptionCount};
use goalspec::program::Program;
use goalspec::program_differences::compare_programs;
use goalspec::resource::custom::ResultRegistry;
use goalspec::resource_games::loaded_game;
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::experiment::{ExperimentObservers, ExperimentOptions};
use goalspec::statistics::interval::{ConfidenceInterval, ConfidenceLevel};

use super::markdown::{block, code, plain};
use super::{Command, CommandError, CommandInput, Report, number, short};
use crate::analysis::Analysis;
use crate::workspace::Snapshot;

/// Maximum number of options in a report.
const MAX_OPTIONS: usize = 100;

/// Plays 1000 games with random policies.
pub(super) fn simulate(program: &Program, input: &CommandInput<'_>) -> Result<Report, CommandError> {
    let invalid = || CommandError::InvalidProgram(short(&program.name).to_owned());
    let game = loaded_game(program, &ResultRegistry::default())?.ok_or_else(invalid)?;
    let policies = TeamPolicies::new(game.simulator.game(), &[])?;
    let options = ExperimentOptions { cancelled: Some(input.cancelled.clone()), ..ExperimentOptions::default() };
    let experiment = LoadedExperiment { game, policies: vec![policies], variation: None, options };
    (input.progress)("playing games".to_owned());
    let result = experiment.play(ExperimentObservers::default());
    let result = result.map_err(|error| CommandError::Failed(error.to_string()))?;
    let game = experiment.game.simulator.game();
    let summary = &result.statistics.totals.summaries[0];
    let mut text = format!("## {}: {} games with random policies, seed 1\n\n", code(&game.name), summary.games());
    text.push_str("| | mean | ±95% CI | sd | min | max |\n|---|--:|--:|--:|--:|--:|\n");
    for (name, own) in summary.rows(game) {
        let cell = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), number);
        let moments = own.moments();
        let interval = own.mean_interval(ConfidenceLevel::DEFAULT).map(ConfidenceInterval::half_width);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            plain(&name.clone()),
            cell(moments.mean()),
            cell(interval),
            cell(moments.standard_deviation()),
            cell(moments.min()),
            cell(moments.max()),
        );
    }
    if result.cancelled {
        text.push_str("\nThe simulation was cancelled.\n");
    }
    Ok(Report { markdown: text, locations: Vec::new() })
}

/// Audits a reward function on the trace.
pub(super) fn audit(analysis: &Analysis, program: &Program, input: &CommandInput<'_>) -> Result<Report, CommandError> {
    let trace = input.trace.ok_or(CommandError::NoTrace)?;
    let invalid = || CommandError::InvalidProgram(short(&program.name).to_owned());
    let reward = program.as_named_reward().ok_or_else(invalid)?;
    let worlds = analysis.library().all_worlds();
    let progress = |_: u64| (input.progress)("reading the recording".to_owned());
    let audited = audit::audit(&[reward], &worlds, std::slice::from_ref(trace), &AuditOptions::default(), &progress);
    let texts: Vec<String> = audited.audits.iter().map(audit::text).collect();
    let text = if texts.is_empty() { String::new() } else { block("text", &texts.join("\n")) };
    let markdown = format!("{text}{}", super::list_diagnostics(&audited.diagnostics));
    Ok(Report { markdown, locations: Vec::new() })
}

/// Lists the options of the goal of an activity.
pub(super) fn options(program: &Program) -> Result<Report, CommandError> {
    let invalid = || CommandError::InvalidProgram(short(&program.name).to_owned());
    let activity = program.as_activity().filter(|activity| activity.goal.is_some()).ok_or_else(invalid)?;
    let listing = goal_options::list(activity, MAX_OPTIONS).map_err(|error| CommandError::Failed(error.to_string()))?;
    let count = match listing.count {
        OptionCount::Exactly(count) => count.to_string(),
        OptionCount::Overflow => format!("more than {}", u128::MAX),
        OptionCount::Unknown => "an unknown number of".to_owned(),
    };
    let mut text = format!("## Options of {}: {count}\n\n", code(short(&program.name)));
    let options = listing.options().map_err(|error| CommandError::Failed(error.to_string()))?;
    for option in options {
        let literals: Vec<String> = option.iter().map(|literal| listing.bddl(*literal)).collect();
        let _ = writeln!(text, "1. {}", code(&literals.join(" ")));
    }
    let is_complete = matches!(listing.count, OptionCount::Exactly(count) if count <= MAX_OPTIONS as u128);
    if !is_complete {
        text.push_str("\nand more\n");
    }
    Ok(Report { markdown: text, locations: Vec::new() })
}

/// Describes a program in English.
pub(super) fn describe(analysis: &Analysis, program: &Program) -> Result<Report, CommandError> {
    let described = descriptions::program(analysis.library(), program, None)?;
    let text = described.ok_or_else(|| CommandError::InvalidProgram(short(&program.name).to_owned()))?;
    let markdown = format!("## {}\n\n{}", code(short(&program.name)), block("text", text.trim_end()));
    Ok(Report { markdown, locations: Vec::new() })
}

impl Snapshot {
    /// Compares a program with the one of the same name in the saved version of the document.
    pub(super) fn diff(
        &self,
        analysis: &Arc<Analysis>,
        offset: u32,
        input: &CommandInput<'_>,
    ) -> Result<Report, CommandError> {
        let program = analysis.program_at(offset, Command::Diff)?;
        let saved = input.saved.ok_or(CommandError::NoSavedVersion)?;
        let before = self.with_text(analysis.path(), saved).analysis(analysis.path());
        let same = before.programs().find(|other| other.name == program.name);
        let same = same.or_else(|| before.programs().next()).ok_or(CommandError::NoSavedVersion)?;
        (input.progress)("comparing".to_owned());
        let options = GameComparisonOptions::default();
        let found = compare_programs((before.library(), same), (analysis.library(), program), &options)
            .map_err(|error| CommandError::Failed(error.to_string()))?;
        let verdict = match found.is_equal() {
            Some(true) => "means the same as the saved version",
            Some(false) => "differs from the saved version",
            None => "may differ from the saved version: the comparison is undecided",
        };
        let mut text = format!("{} {verdict}.\n", code(short(&program.name)));
        if let Ok(Some(trace)) = found.trace_text() {
            let _ = write!(text, "\nA trace about which they disagree:\n\n{}", block("json", &trace));
        }
        Ok(Report { markdown: text, locations: Vec::new() })
    }
}
