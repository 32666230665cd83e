//! The layout of the rows of a table of scores, and the results of one trace.

use std::any::Any;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use goalspec_core::budget::BudgetExceeded;
use goalspec_rewards::score::RewardOutcome;
use goalspec_syntax::Diagnostic;
use goalspec_table::{Cell, CellType, Column};

use super::Places;
use crate::codes;
use crate::program::Program;
use crate::report::ProgramReport;
use crate::scoring::ProgramOutcome;

/// Maximum number of columns with the counts of preferences in a table of scores.
pub const MAX_COUNT_COLUMNS: usize = 4096;

/// The number of columns before those with counts.
const LEADING_COLUMNS: usize = 6;

/// The columns of a table of scores, and the programs of its rows.
#[derive(Debug)]
pub(super) struct RowLayout {
    columns: Vec<Column>,
    /// The names of the programs, in the order of the rows.
    programs: Vec<Arc<str>>,
    /// The columns of the counts of preferences, by name.
    counts: Places,
}

impl RowLayout {
    /// Returns the layout for programs, or the reason why there is none.
    pub(super) fn new(programs: &[&Program]) -> Result<Self, String> {
        use CellType::{Count, Float, Text};
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut counts = Places::new();
        let mut preferences: Vec<Arc<str>> = Vec::new();
        for program in programs {
            if names.contains(&program.name) {
                return Err(format!(
                    "two programs have the name `{}`, so their rows could not be told apart",
                    program.name
                ));
            }
            names.push(Arc::clone(&program.name));
            if program.as_game().is_some() && program.game().is_none() {
                return Err(format!("`{}` has errors", program.name));
            }
            for preference in program.game().into_iter().flat_map(|game| &game.preferences) {
                if let Entry::Vacant(entry) = counts.entry(Arc::clone(&preference.name)) {
                    entry.insert(LEADING_COLUMNS + preferences.len());
                    preferences.push(Arc::clone(&preference.name));
                }
            }
        }
        if preferences.len() > MAX_COUNT_COLUMNS {
            let found = preferences.len();
            return Err(format!(
                "the preferences of the programs have {found} names, which exceeds the limit of {MAX_COUNT_COLUMNS} columns of counts"
            ));
        }
        let leading = [
            ("trace", Text),
            ("program", Text),
            ("score", Float),
            ("score_error", Text),
            ("states", Count),
            ("terminal", Count),
        ];
        debug_assert_eq!(leading.len(), LEADING_COLUMNS);
        let leading = leading.map(|(name, cell_type)| Column::new(name, cell_type));
        let counted = preferences.iter().map(|name| Column::new(format!("count_{name}"), Count));
        let columns = leading.into_iter().chain(counted).chain([Column::new("error", Text)]).collect();
        Ok(Self { columns, programs: names, counts })
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the rows of a trace.
    pub(super) fn rows(&self, key: &str, results: &TraceResults) -> Vec<Vec<Cell>> {
        self.programs.iter().map(|program| self.row(key, program, results)).collect()
    }

    fn row(&self, key: &str, program: &Arc<str>, results: &TraceResults) -> Vec<Cell> {
        let mut row = vec![Cell::Empty; self.columns.len()];
        row[0] = Cell::Text(key.to_owned());
        row[1] = Cell::Text(program.to_string());
        let error = match results.programs.get(program) {
            Some(Ok(result)) => {
                match &result.score {
                    Ok(score) => row[2] = Cell::Float(*score),
                    Err(reason) => row[3] = Cell::Text(reason.clone()),
                }
                row[4] = Cell::Count(result.states);
                row[5] = result.terminal.map_or(Cell::Empty, Cell::Count);
                for (name, count) in &result.counts {
                    if let Some(&place) = self.counts.get(name) {
                        row[place] = Cell::Count(*count);
                    }
                }
                return row;
            }
            Some(Err(error)) => error,
            None => results.error.as_ref().map_or(OTHER_WORLD, |error| error),
        };
        row[self.columns.len() - 1] = Cell::Text(error.to_owned());
        row
    }
}

/// The error of a program that no event is about.
const OTHER_WORLD: &str = "the trace is not of the world of the program [trace/wrong-world]";

/// The result of a program on a trace.
#[derive(Debug)]
struct ProgramResult {
    /// The score, or the reason why there is none.
    score: Result<f64, String>,
    states: u64,
    terminal: Option<u64>,
    counts: Vec<(Arc<str>, u64)>,
}

/// The results of all programs on one trace.
#[derive(Debug, Default)]
pub(super) struct TraceResults {
    /// The result or the error of each program, by name.
    programs: BTreeMap<Arc<str>, Result<ProgramResult, String>>,
    /// The first error of the trace, which is that of every program without a result.
    error: Option<String>,
}

impl TraceResults {
    /// Returns the results of a trace that cannot be opened.
    pub(super) fn failed(error: &Diagnostic) -> Self {
        Self { programs: BTreeMap::new(), error: Some(text(error)) }
    }

    /// Returns the results of a trace at which the scoring panicked.
    pub(super) fn panicked(panic: &(dyn Any + Send)) -> Self {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Self { programs: BTreeMap::new(), error: Some(format!("internal error: {message}")) }
    }

    pub(super) fn add_program(&mut self, outcome: &ProgramOutcome) {
        let result = match outcome.budget_exceeded {
            Some(stopped) => Err(over_budget(stopped)),
            None => Ok(program_result(&outcome.report)),
        };
        self.add(&outcome.program, result);
    }

    pub(super) fn add_reward(&mut self, outcome: &RewardOutcome) {
        let result = match (outcome.exceeded_budget, reward_error(outcome)) {
            (Some(stopped), _) => Err(over_budget(stopped)),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(ProgramResult {
                score: Ok(outcome.total()),
                states: outcome.frames(),
                terminal: None,
                counts: Vec::new(),
            }),
        };
        self.add(&outcome.program, result);
    }

    pub(super) fn add_diagnostic(&mut self, finding: &Diagnostic) {
        // The outcome of the program says so, too.
        if finding.is_error() && finding.code != codes::OVER_BUDGET {
            self.error.get_or_insert_with(|| text(finding));
        }
    }

    pub(super) fn add_program_error(&mut self, program: &Arc<str>, error: &Diagnostic) {
        self.add(program, Err(text(error)));
    }

    fn add(&mut self, program: &Arc<str>, result: Result<ProgramResult, String>) {
        match self.programs.entry(Arc::clone(program)) {
            Entry::Vacant(entry) => {
                entry.insert(result);
            }
            Entry::Occupied(mut entry) => {
                let message = "the trace has several episodes or games: give each a trace of its own";
                *entry.get_mut() = Err(message.to_owned());
            }
        }
    }
}

/// Returns a diagnostic as the text of an error.
fn text(diagnostic: &Diagnostic) -> String {
    format!("{} [{}]", diagnostic.message, diagnostic.code)
}

fn over_budget(stopped: BudgetExceeded) -> String {
    format!("{stopped} [{}]", codes::OVER_BUDGET)
}

fn program_result(report: &ProgramReport) -> ProgramResult {
    let (terminal, counts) = match report {
        ProgramReport::Game(game) => {
            let counts = game.preferences.iter().map(|preference| (Arc::clone(&preference.name), preference.count));
            (game.terminal, counts.collect())
        }
        ProgramReport::Goal(_) => (None, Vec::new()),
    };
    let score = report.score().map_err(ToString::to_string);
    ProgramResult { score, states: report.states(), terminal, counts }
}

/// Returns the error of a reward function that gave no reward for some frames.
fn reward_error(outcome: &RewardOutcome) -> Option<String> {
    let failure = outcome.failures.first()?;
    let line = failure.line.map_or(String::new(), |line| format!(", in line {line}"));
    let (failed, frames) = (outcome.frames() - outcome.rewarded_frames(), outcome.frames());
    let place = format!("in {failed} of {frames} frames, first in frame {}", failure.first_frame);
    Some(format!("{}: {}{line} ({place})", failure.kind, failure.message))
}
