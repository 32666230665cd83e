//! Scores of traces and their explanations.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec::core::ids::ObjectId;
use goalspec::core::monitor::{Attempt, Evidence, PreferenceReport};
use goalspec::core::world::World;
use goalspec::explanation::conjunct_text;
use goalspec::program::Program;
use goalspec::report::{GoalScoreReport, ProgramReport};
use goalspec::rewards::score::{RewardOutcome, ScoreOptions};
use goalspec::scoring::{LibraryScorer, LibraryScores, ProgramOutcome, ScoringOptions};

use super::markdown::{code, plain};
use super::{CommandError, CommandInput, Report, counted, list_diagnostics, number, short};
use crate::analysis::Analysis;

/// Maximum number of satisfactions of a preference in a report.
const MAX_SATISFACTIONS: usize = 20;

/// Scores the trace.
pub(super) fn score(analysis: &Analysis, program: &Program, input: &CommandInput<'_>) -> Result<Report, CommandError> {
    let scores = scores(analysis, program, input, false)?;
    let mut text = String::new();
    for outcome in &scores.outcomes {
        let score = outcome.report.score().map_or_else(|error| plain(&format!("no score: {error}")), number);
        heading(&mut text, outcome);
        let _ = writeln!(text, "score **{score}** after {}\n", counted(outcome.report.states(), "state"));
        match &outcome.report {
            ProgramReport::Game(report) => {
                for own in &report.preferences {
                    let _ = writeln!(text, "- {}: {}", code(&own.name), counted(satisfactions(own), "satisfaction"));
                }
            }
            ProgramReport::Goal(goal) => text.push_str(&progress(goal)),
        }
        for remark in outcome.report.remarks() {
            let _ = writeln!(text, "- {}", plain(&remark.clone()));
        }
    }
    scores.rewards.iter().for_each(|outcome| rewards(&mut text, outcome));
    text.push_str(&list_diagnostics(&scores.diagnostics));
    Ok(Report { markdown: text, locations: Vec::new() })
}

/// Scores the trace and explains the result.
pub(super) fn why(analysis: &Analysis, program: &Program, input: &CommandInput<'_>) -> Result<Report, CommandError> {
    let scores = scores(analysis, program, input, true)?;
    let mut writer = Explanation { analysis, report: Report::default() };
    for outcome in &scores.outcomes {
        heading(&mut writer.report.markdown, outcome);
        match &outcome.report {
            ProgramReport::Game(report) => {
                let score = outcome.report.score().map_or_else(|error| plain(&format!("no score: {error}")), number);
                let _ = writeln!(writer.report.markdown, "score **{score}**\n");
                report.preferences.iter().for_each(|own| writer.preference(&outcome.world, own));
            }
            ProgramReport::Goal(goal) => writer.goal(program, outcome, goal),
        }
        for remark in outcome.report.remarks() {
            let _ = writeln!(writer.report.markdown, "- {}", plain(&remark.clone()));
        }
    }
    writer.report.markdown.push_str(&list_diagnostics(&scores.diagnostics));
    writer.report.locations.sort();
    writer.report.locations.dedup();
    Ok(writer.report)
}

fn scores(
    analysis: &Analysis,
    program: &Program,
    input: &CommandInput<'_>,
    explain: bool,
) -> Result<LibraryScores, CommandError> {
    let trace = input.trace.ok_or(CommandError::NoTrace)?;
    let options = ScoringOptions { explain, cancelled: Some(input.cancelled.clone()), ..ScoringOptions::default() };
    let scorer = LibraryScorer::of_programs(analysis.library(), [program], &options, ScoreOptions::default());
    let bytes = std::cell::Cell::new(0_u64);
    let progress = |read: u64| {
        bytes.set(bytes.get().saturating_add(read));
        (input.progress)(format!("{} kB of the trace read", bytes.get() >> 10));
    };
    Ok(scorer.score(trace, &progress))
}

fn heading(text: &mut String, outcome: &ProgramOutcome) {
    let _ = writeln!(text, "## {} over {}\n", code(short(&outcome.program)), code(short(&outcome.trace)));
}

fn rewards(text: &mut String, outcome: &RewardOutcome) {
    let _ = writeln!(text, "## {} over {}\n", code(short(&outcome.program)), code(short(&outcome.trace)));
    text.push_str("| episode | frames | reward | score of the game |\n|--:|--:|--:|--:|\n");
    for episode in &outcome.episodes {
        let score = episode.score.map_or_else(|| "-".to_owned(), number);
        let _ = writeln!(text, "| {} | {} | {} | {score} |", episode.number, episode.frames, number(episode.total));
    }
    for failure in &outcome.failures {
        let _ = writeln!(text, "\n- {}: {}", failure.kind, plain(&failure.message));
    }
}

fn satisfactions(report: &PreferenceReport) -> u64 {
    report.satisfactions.len() as u64 + report.unlisted
}

fn progress(goal: &GoalScoreReport) -> String {
    let last = &goal.report.last;
    let (satisfied, unsatisfied) = last.split();
    let all = (satisfied.len() + unsatisfied.len()) as u64;
    if last.satisfied {
        "- the goal is satisfied\n".to_owned()
    } else {
        format!("- {} of {} of the goal satisfied\n", satisfied.len(), counted(all, "conjunct"))
    }
}

/// A writer of an explanation.
struct Explanation<'a> {
    analysis: &'a Analysis,
    report: Report,
}

impl Explanation<'_> {
    fn line(&mut self, line: &str) {
        self.report.markdown.push_str(line);
        self.report.markdown.push('\n');
    }

    fn preference(&mut self, world: &World, report: &PreferenceReport) {
        let found = satisfactions(report);
        self.line(&format!("- {}: {}", code(&report.name), counted(found, "satisfaction")));
        for own in report.satisfactions.iter().take(MAX_SATISFACTIONS) {
            self.line(&format!("  - {}{}", states(own.start, own.end), binding(world, &own.binding)));
        }
        if found > MAX_SATISFACTIONS as u64 {
            self.line(&format!("  - {} more", found - MAX_SATISFACTIONS as u64));
        }
        if let Some(best) = &report.attempt {
            self.attempt(world, best);
        }
    }

    fn attempt(&mut self, world: &World, best: &Attempt) {
        let objects = binding(world, &best.binding);
        self.line(&if best.start == 0 {
            format!("  - best attempt{objects}: not started by state {}", best.failed_at)
        } else {
            let span = states(best.start, best.failed_at);
            format!("  - best attempt: {span}{objects}; failed in operator {}", best.phase + 1)
        });
        best.evidence.iter().for_each(|evidence| self.evidence(evidence));
    }

    fn goal(&mut self, program: &Program, outcome: &ProgramOutcome, report: &GoalScoreReport) {
        self.report.markdown.push_str(&progress(report));
        let Some(goal) = program.goal() else { return };
        for (place, conjunct) in goal.conjuncts.iter().enumerate() {
            let status = if report.report.last.conjuncts.contains(place) { "satisfied" } else { "unsatisfied" };
            self.line(&format!("- {status}: {}", code(&conjunct_text(&outcome.world, goal, conjunct))));
            report.evidence.get(place).into_iter().flatten().for_each(|evidence| self.evidence(evidence));
        }
    }

    fn evidence(&mut self, evidence: &Evidence) {
        let numbers: Vec<String> = evidence.numbers.iter().copied().map(number).collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!(" ({})", numbers.join(" against ")) };
        let place = evidence.origin.0.and_then(|span| {
            let file = self.analysis.library().sources().find(span.source)?;
            Some((file.line_column(span.start), self.analysis.location(span)?))
        });
        let line = place.as_ref().map_or_else(String::new, |((line, column), _)| format!(", line {line}:{column}"));
        self.line(&format!("    - {} was {}{numbers}{line}", code(&evidence.condition.clone()), evidence.value));
        self.report.locations.extend(place.map(|(_, location)| location));
    }
}

fn states(start: u64, end: u64) -> String {
    if start == end { format!("state {start}") } else { format!("states {start} to {end}") }
}

fn binding(world: &World, binding: &[(Arc<str>, ObjectId)]) -> String {
    let pairs: Vec<String> =
        binding.iter().map(|(name, object)| format!("{} = {}", code(name), code(world.label(*object)))).collect();
    if pairs.is_empty() { String::new() } else { format!(" with {}", pairs.join(", ")) }
}
