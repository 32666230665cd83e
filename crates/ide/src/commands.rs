//! Commands that run an engine on a program and report in Markdown, and the lenses that offer them.
//!
//! A command reads no file but programs: the caller passes the trace. It runs until its flag of cancellation is set, or a limit of its engine is
//! reached.

mod markdown;
mod plans;
mod reports;
mod scores;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec::languages::Language;
use goalspec::program::{Program, ProgramContent};
use goalspec::syntax::Diagnostic;
use goalspec::syntax::symbols::{OccurrenceRole, SymbolKind};
use goalspec::trace::TraceInput;

use crate::TextRange;
use crate::analysis::Analysis;
use crate::navigation::Location;
use crate::workspace::Snapshot;

/// Maximum size of a report, in bytes; a longer one is cut.
pub const MAX_REPORT_BYTES: usize = 256 << 10;

/// Maximum number of lenses of a document.
const MAX_LENSES: usize = 1000;

/// An operation on a program that has a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Scores the attached trace.
    Score,
    /// Explains the score of the attached trace.
    Why,
    /// Searches for a plan.
    Plan,
    /// Validates a plan.
    Validate,
    /// Plays games with random policies.
    Simulate,
    /// Audits a reward function on the attached trace.
    Audit,
    /// Lists the options of a goal.
    Options,
    /// Describes a program in English.
    Describe,
    /// Compares a program with its saved version.
    Diff,
    /// Exports an activity as PDDL.
    Export,
}

impl Command {
    /// All commands.
    pub const ALL: [Self; 10] = [
        Self::Score,
        Self::Why,
        Self::Plan,
        Self::Validate,
        Self::Simulate,
        Self::Audit,
        Self::Options,
        Self::Describe,
        Self::Diff,
        Self::Export,
    ];

    /// Returns the name of the command in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "goalspec.score",
            Self::Why => "goalspec.why",
            Self::Plan => "goalspec.plan",
            Self::Validate => "goalspec.validate",
            Self::Simulate => "goalspec.simulate",
            Self::Audit => "goalspec.audit",
            Self::Options => "goalspec.options",
            Self::Describe => "goalspec.describe",
            Self::Diff => "goalspec.diff",
            Self::Export => "goalspec.export",
        }
    }

    /// Returns the title of the command in menus and lenses.
    pub fn title(self) -> &'static str {
        match self {
            Self::Score => "Score trace",
            Self::Why => "Explain score",
            Self::Plan => "Plan",
            Self::Validate => "Validate plan",
            Self::Simulate => "Simulate 1000 games",
            Self::Audit => "Audit on trace",
            Self::Options => "List options",
            Self::Describe => "Describe",
            Self::Diff => "Compare with saved version",
            Self::Export => "Export PDDL",
        }
    }

    /// Returns the command of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.name() == name)
    }

    /// Whether the command needs a trace.
    pub fn needs_trace(self) -> bool {
        matches!(self, Self::Score | Self::Why | Self::Audit)
    }

    /// Returns the commands that apply to a program.
    fn of_program(program: &Program) -> &'static [Self] {
        match &program.content {
            ProgramContent::Game(_) => &[Self::Score, Self::Why, Self::Describe, Self::Diff],
            ProgramContent::Activity(_) => {
                &[Self::Score, Self::Why, Self::Plan, Self::Options, Self::Describe, Self::Export]
            }
            ProgramContent::Planning(_) => &[Self::Plan, Self::Validate, Self::Describe, Self::Diff],
            ProgramContent::Resource(_) => &[Self::Simulate, Self::Describe],
            ProgramContent::Reward(_) => &[Self::Audit, Self::Score, Self::Describe],
        }
    }
}

/// A command offered above a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// The range of the name of the program.
    pub range: TextRange,
    /// The command.
    pub command: Command,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The text, as Markdown.
    pub markdown: String,
    /// The places that the text refers to.
    pub locations: Vec<Location>,
}

/// The inputs of a command other than the program.
pub struct CommandInput<'i> {
    /// The trace.
    pub trace: Option<&'i TraceInput>,
    /// The text of the saved version of the document.
    pub saved: Option<&'i str>,
    /// The flag of cancellation.
    pub cancelled: Arc<AtomicBool>,
    /// Receives messages on the progress.
    pub progress: &'i (dyn Fn(String) + Sync),
}

/// The reason for which a command has no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandError {
    /// There is no program at the place to which the command applies.
    NoProgram(Command),
    /// The program has errors.
    InvalidProgram(String),
    /// No trace is attached.
    NoTrace,
    /// No plan or no problem is attached.
    NoPlan,
    /// There is no saved version of the document.
    NoSavedVersion,
    /// The engine failed.
    Failed(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram(command) => write!(f, "`{}` does not apply to a program at this place", command.name()),
            Self::InvalidProgram(name) => write!(f, "`{name}` has errors"),
            Self::NoTrace => {
                f.write_str("no trace is attached: add the comment `goalspec: trace=FILE` in the first line")
            }
            Self::NoPlan => f.write_str(
                "no plan or problem is attached: add the comment `goalspec: plan=FILE` to the problem, or `goalspec: problem=FILE` to the plan",
            ),
            Self::NoSavedVersion => f.write_str("the document has not been saved"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<Box<Diagnostic>> for CommandError {
    fn from(error: Box<Diagnostic>) -> Self {
        Self::Failed(error.message)
    }
}

impl Analysis {
    /// Returns the file that the first line attaches to the document: `; goalspec: trace=play.jsonl`, after `#` in YAML and Python. The
    /// path is relative to the folder of the document.
    pub fn attached(&self, key: &str) -> Option<PathBuf> {
        let first = goalspec::syntax::source::lines(self.file()?.text()).next()?;
        let comment = first.trim_start_matches('\u{feff}').trim_start().strip_prefix([';', '#'])?;
        let settings = comment.trim_start_matches([';', '#']).trim().strip_prefix("goalspec:")?;
        let value = settings.split_whitespace().find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))?;
        Some(self.path().parent().unwrap_or(Path::new("")).join(value))
    }

    /// Returns the commands that apply to each program of the document. Those that need a trace are offered if one is attached.
    pub fn lenses(&self, has_trace: bool) -> Vec<Lens> {
        let has_trace = has_trace || self.attached("trace").is_some();
        let mut lenses = Vec::new();
        for program in self.programs() {
            let Some(range) = self.name_range(program) else { continue };
            let offered = Command::of_program(program).iter().filter(|command| has_trace || !command.needs_trace());
            lenses.extend(offered.map(|&command| Lens { range: range.clone(), command }));
        }
        if self.language() == Some(Language::Plan) {
            lenses.push(Lens { range: 0..0, command: Command::Validate });
        }
        lenses.truncate(MAX_LENSES);
        lenses
    }

    /// Returns the range of a program; of one that covers the document, that of its first character.
    fn program_range(&self, program: &Program) -> TextRange {
        let span = match &program.content {
            ProgramContent::Game(game) => Some(game.ast.span()),
            ProgramContent::Activity(activity) => Some(activity.problem.origin.0),
            ProgramContent::Planning(problem) => Some(problem.problem.span),
            ProgramContent::Resource(_) | ProgramContent::Reward(_) => None,
        };
        let whole = || 0..self.file().map_or(0, |file| file.text().len() as u32);
        span.and_then(|span| self.range(span)).unwrap_or_else(whole)
    }

    /// Returns the range of the name of a program.
    fn name_range(&self, program: &Program) -> Option<TextRange> {
        let whole = self.program_range(program);
        if let ProgramContent::Resource(_) | ProgramContent::Reward(_) = program.content {
            return Some(0..0);
        }
        let is_name = |kind: SymbolKind| matches!(kind, SymbolKind::Game | SymbolKind::Problem);
        let occurrences = self.occurrences();
        let inside = &occurrences[occurrences.partition_point(|own| own.span.start < whole.start)..];
        let mut inside = inside.iter().take_while(|own| own.span.end <= whole.end);
        let name = inside.find(|own| is_name(own.kind) && own.role != OccurrenceRole::Reference)?;
        Some(name.span.start..name.span.end)
    }

    /// Returns the program at an offset, or the only one, if the command applies to it.
    fn program_at(&self, offset: u32, command: Command) -> Result<&Program, CommandError> {
        let applies = |program: &&Program| Command::of_program(program).contains(&command);
        let contains = |program: &&Program| {
            let range = self.program_range(program);
            range.start <= offset && offset <= range.end
        };
        let found = self.programs().find(contains).or_else(|| {
            let mut all = self.programs();
            all.next().filter(|_| all.next().is_none())
        });
        found.filter(applies).ok_or(CommandError::NoProgram(command))
    }
}

impl Snapshot {
    /// Runs a command on the program at an offset of a document.
    ///
    /// # Errors
    /// If the command does not apply, lacks an input, or fails.
    pub fn run_command(
        &self,
        command: Command,
        path: &Path,
        offset: u32,
        input: &CommandInput<'_>,
    ) -> Result<Report, CommandError> {
        let analysis = self.analysis(path);
        let report = match command {
            Command::Validate => self.validate(&analysis, offset, input),
            Command::Diff => self.diff(&analysis, offset, input),
            Command::Score => scores::score(&analysis, analysis.program_at(offset, command)?, input),
            Command::Why => scores::why(&analysis, analysis.program_at(offset, command)?, input),
            Command::Plan => plans::plan(&analysis, analysis.program_at(offset, command)?, input),
            Command::Export => plans::export(&analysis, analysis.program_at(offset, command)?),
            Command::Simulate => reports::simulate(analysis.program_at(offset, command)?, input),
            Command::Audit => reports::audit(&analysis, analysis.program_at(offset, command)?, input),
            Command::Options => reports::options(analysis.program_at(offset, command)?),
            Command::Describe => reports::describe(&analysis, analysis.program_at(offset, command)?),
        };
        report.map(|mut report| {
            markdown::cut(&mut report.markdown, MAX_REPORT_BYTES);
            report
        })
    }
}

/// Returns a number without superfluous digits.
fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        let text = format!("{number:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Returns a count with its noun.
fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns the last part of a path or of the name of a program.
fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns diagnostics as items of a list.
fn list_diagnostics(found: &[Diagnostic]) -> String {
    found.iter().map(|found| format!("- {}: {}\n", found.severity, markdown::plain(&found.message))).collect()
}
