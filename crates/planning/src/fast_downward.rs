//! Fast Downward (Helmert 2006, <https://www.fast-downward.org>) as an engine. The program is not part of goalspec. It reads
//! PDDL, and its plans are validated like those of the built-in planner.
//!
//! ```text
//! task as written, or exported to PDDL if it would be refused or something was compiled into it
//!      ──> files ──process──> exit code, plan files
//!      plan files ──our parser──> plan ──reference interpreter──> validation
//! ```

mod metric;
mod pddl_subset;
mod process;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_pddl::write::PddlTask;
use goalspec_pddl::{lower_plan, parse};
use goalspec_planner::ground::CostModel;
use goalspec_planner::{Objective, Proof, SearchStatistics, StopReason};
use goalspec_syntax::Sources;

use crate::anomalies::PlanAnomalies;
use crate::solve::{CompiledProblem, Deadline, GroundTaskSize, PlanError, PlanEvent, PlanRequest, PlanResult};
use pddl_subset::UnsupportedFeature;
use process::{ProcessResult, TemporaryFolder};

/// The names of the program on the `PATH`.
const NAMES: [&str; 3] = ["fast-downward", "fast-downward.py", "downward"];

/// A Python program that prints the folder of the package with Fast Downward, without importing it.
const FIND_PACKAGE: &str = "import importlib.util as u; s = u.find_spec('up_fast_downward'); \
    print(s.submodule_search_locations[0] if s else '')";

/// The maximum number of lines of its output that an error shows.
const SHOWN_LINES: usize = 5;

/// The prefixes of output lines that do not describe an error.
const IGNORED_PREFIXES: [&str; 7] = [
    "[t=",
    "INFO ",
    "Driver aborting",
    "translate exit code",
    "search exit code",
    "Peak memory",
    "Remove intermediate",
];

/// An installed Fast Downward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FastDownward {
    program: PathBuf,
}

/// The reason why Fast Downward returned no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FastDownwardError {
    /// There is no program at this path or, without a path, no installed one.
    NotFound(Option<PathBuf>),
    /// The task cannot be written in the PDDL that Fast Downward accepts.
    UnsupportedTask(String),
    /// The program cannot be run.
    Spawn(PathBuf, String),
    /// The program failed: its path, its exit code, and the end of its output.
    ExitStatus(PathBuf, Option<i32>, String),
    /// The exit code promises a plan, and there is no plan file: the path of the program, its exit code, and the end of its
    /// output.
    MissingPlan(PathBuf, Option<i32>, String),
    /// The plan file cannot be parsed as a plan for the task, for this reason.
    InvalidPlan(String),
}

impl fmt::Display for FastDownwardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(None) => write!(
                f,
                "Fast Downward is not installed: found neither {} on the PATH nor the Python package `up-fast-downward`",
                NAMES.map(|name| format!("`{name}`")).join(", ")
            ),
            Self::NotFound(Some(path)) => write!(f, "program `{}` not found", path.display()),
            Self::UnsupportedTask(reason) => write!(f, "Fast Downward does not support the task: {reason}"),
            Self::Spawn(path, error) => write!(f, "cannot run `{}`: {error}", path.display()),
            Self::ExitStatus(program, code, message) => {
                write!(f, "Fast Downward, `{}`, failed with {}{}", program.display(), exit(*code), as_suffix(message))
            }
            Self::MissingPlan(program, code, message) => {
                let (program, exit) = (program.display(), exit(*code));
                write!(
                    f,
                    "`{program}` ended with {exit}, which indicates a plan, but wrote no plan file{}; \
                     --engine-path must name the driver script of Fast Downward, `fast-downward.py`",
                    as_suffix(message)
                )
            }
            Self::InvalidPlan(reason) => write!(f, "invalid plan file of Fast Downward: {reason}"),
        }
    }
}

impl std::error::Error for FastDownwardError {}

fn exit(code: Option<i32>) -> String {
    code.map_or("a signal".to_owned(), |code| format!("exit code {code}"))
}

/// Returns the output as a suffix of a message, if there is any.
fn as_suffix(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// The end of a run, according to its exit code (<https://www.fast-downward.org/latest/documentation/exit-codes/>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProcessEnd {
    /// It wrote plans, and a limit may have stopped the search for better ones.
    Plan(Option<StopReason>),
    /// It proved that there is no plan.
    Unsolvable,
    /// Its search gave up without a proof.
    GaveUp,
    /// A limit was reached before a plan was found.
    Stopped(StopReason),
    /// It failed.
    Error,
}

impl ProcessEnd {
    fn of(process: &ProcessResult) -> Self {
        match (process.stopped, process.code) {
            (Some(stop), _) => Self::Stopped(stop),
            (_, Some(0)) => Self::Plan(None),
            (_, Some(1 | 3)) => Self::Plan(Some(StopReason::Memory)),
            (_, Some(2)) => Self::Plan(Some(StopReason::Time)),
            (_, Some(10 | 11)) => Self::Unsolvable,
            (_, Some(12)) => Self::GaveUp,
            (_, Some(20 | 22 | 24)) => Self::Stopped(StopReason::Memory),
            (_, Some(21 | 23)) => Self::Stopped(StopReason::Time),
            _ => Self::Error,
        }
    }
}

impl FastDownward {
    /// Finds the program at a path or, without one, under its usual names on the `PATH` or in the Python package
    /// `up-fast-downward`.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn find(path: Option<&Path>) -> Result<Self, FastDownwardError> {
        if let Some(path) = path {
            let program = path.canonicalize().ok().filter(|path| path.is_file());
            return program
                .map(|program| Self { program })
                .ok_or_else(|| FastDownwardError::NotFound(Some(path.to_owned())));
        }
        let installed = || NAMES.into_iter().find_map(process::on_path);
        let program = installed().or_else(find_packaged).ok_or(FastDownwardError::NotFound(None))?;
        Ok(Self { program })
    }

    /// Returns the guarantee and the reason to stop that the end of a process established, which left a plan or not.
    fn conclusion(
        &self,
        process: &ProcessResult,
        end: ProcessEnd,
        objective: Objective,
        has_plan: bool,
    ) -> Result<(Proof, Option<StopReason>), FastDownwardError> {
        let (program, output) = (|| self.program.clone(), || error_output(process));
        Ok(match end {
            ProcessEnd::Error => return Err(FastDownwardError::ExitStatus(program(), process.code, output())),
            ProcessEnd::Plan(_) if !has_plan => {
                return Err(FastDownwardError::MissingPlan(program(), process.code, output()));
            }
            ProcessEnd::Plan(None) if objective == Objective::Optimal => (Proof::Optimal, None),
            ProcessEnd::Plan(stopped) => (Proof::None, stopped),
            ProcessEnd::Unsolvable => (Proof::Unsolvable, None),
            ProcessEnd::GaveUp => (Proof::None, None),
            ProcessEnd::Stopped(stop) => (Proof::None, Some(stop)),
        })
    }

    /// Solves a task, whose texts are a domain and a problem. Constraints, preferences and additional goals are compiled into the
    /// task that Fast Downward reads. Events are reported to `observer`. The program is killed soon after `cancelled` is set.
    ///
    /// # Errors
    /// If the task cannot be written for Fast Downward, the program fails, or plans for the task cannot be validated.
    pub fn solve(
        &self,
        task: &Task,
        texts: &[String; 2],
        request: &PlanRequest,
        cancelled: &AtomicBool,
        observer: &(dyn Fn(PlanEvent<'_>) + Sync),
    ) -> Result<PlanResult, PlanError> {
        let started_at = request.started_at.unwrap_or_else(Instant::now);
        let supported = metric::with_supported_metric(task).ok_or_else(|| pddl_subset::unsupported_metric(texts))?;
        let prepared = CompiledProblem::new(&supported, request, started_at, cancelled)?.validated_by(task);
        let exported = export_task(&prepared, texts)?;
        let inputs = exported.as_ref().map_or([&texts[0], &texts[1]], |exported| [&exported.domain, &exported.problem]);
        let reader = PlanParser { task, written: exported.as_ref() };
        let unstartable = |error: std::io::Error| FastDownwardError::Spawn(self.program.clone(), error.to_string());
        let folder = input_folder(inputs).map_err(unstartable)?;
        let mut plans = PlanFiles { folder: &folder, reported: 0 };
        let deadline = request.time_limit.and_then(|time| started_at.checked_add(time));
        let mut run_search = |search: &str| {
            process::run(&mut self.command(request, search, started_at), &folder, deadline, cancelled, || {
                let plan = plans.next().and_then(|text| reader.plan(&text).ok());
                if let Some(event) =
                    plan.and_then(|plan| prepared.plan_event(&plan, request.objective, started_at.elapsed()))
                {
                    observer(event);
                }
            })
            .map_err(unstartable)
        };
        let mut search = configuration(request.objective);
        let mut process = run_search(search)?;
        if request.objective == Objective::Optimal && process.stopped.is_none() && process.code == Some(UNSUPPORTED) {
            search = BLIND_SEARCH;
            process = run_search(search)?;
        }
        let end = ProcessEnd::of(&process);
        let is_whole = matches!(end, ProcessEnd::Plan(_));
        let best = plans.last(is_whole).map(|text| reader.plan(&text)).transpose()?;
        let (proof, stopped) = self.conclusion(&process, end, request.objective, best.is_some())?;
        let grounding = translation_time(&process.output).unwrap_or_default();
        let deadline = Deadline::for_validation(request, started_at, cancelled, stopped);
        Ok(PlanResult {
            plan: best.map(|plan| prepared.validated(&plan, &deadline)).transpose()?,
            proof,
            stop_reason: stopped,
            limits_reached: stopped.into_iter().collect(),
            costs: cost_model(prepared.searched()),
            ignored_preferences: prepared.ignored(),
            anomalies: PlanAnomalies::default(),
            partial: None,
            search: format!("Fast Downward, {search}"),
            statistics: statistics(&process.output),
            size: size(&process.output),
            grounding_time: grounding,
            search_time: started_at.elapsed().saturating_sub(grounding),
        })
    }

    fn command(&self, request: &PlanRequest, search: &str, started_at: Instant) -> Command {
        let mut command = process::command_of(&self.program);
        command.args(["--plan-file", "plan"]);
        if let Some(time) = request.time_limit {
            // Its limit is in whole seconds of CPU time; the elapsed time is watched here.
            let left = time.saturating_sub(started_at.elapsed());
            let seconds = (left.as_secs() + u64::from(left.subsec_nanos() > 0)).max(1);
            command.args(["--overall-time-limit", &format!("{seconds}s")]);
        }
        command.args(["--overall-memory-limit", &format!("{}M", (request.memory_limit >> 20).max(1))]);
        // An alias precedes the files, and a search follows them.
        match request.objective {
            Objective::Optimal => command.args(["domain.pddl", "problem.pddl", "--search", search]),
            Objective::Satisficing | Objective::Anytime => {
                command.args(["--alias", search, "domain.pddl", "problem.pddl"])
            }
        };
        command
    }
}

/// The exit code for tasks with a feature that the search does not support.
const UNSUPPORTED: i32 = 34;

/// The optimal search for tasks that LM-cut does not support: those with axioms, into which quantifiers and constraints are
/// translated, or with conditional effects.
const BLIND_SEARCH: &str = "astar(blind())";

/// Returns the alias or the search for an objective.
fn configuration(aim: Objective) -> &'static str {
    match aim {
        Objective::Satisficing => "lama-first",
        Objective::Anytime => "lama",
        Objective::Optimal => "astar(lmcut())",
    }
}

/// Exports the task to PDDL if something was compiled into it, or if Fast Downward would refuse the original text.
fn export_task(prepared: &CompiledProblem<'_>, texts: &[String; 2]) -> Result<Option<PddlTask>, FastDownwardError> {
    if !prepared.is_compiled() && pddl_subset::unsupported_feature(texts).is_none() {
        return Ok(None);
    }
    let exported = goalspec_pddl::write(prepared.searched())
        .map_err(|error| FastDownwardError::UnsupportedTask(error.to_string()))?;
    match pddl_subset::unsupported_feature(&[&exported.domain, &exported.problem]) {
        Some(UnsupportedFeature::Metric(_)) => Err(pddl_subset::unsupported_metric(texts)),
        Some(UnsupportedFeature::NumericFluents(place)) => Err(FastDownwardError::UnsupportedTask(
            UnsupportedFeature::NumericFluents(exported.restore_names(&place)).to_string(),
        )),
        Some(reason) => Err(FastDownwardError::UnsupportedTask(reason.to_string())),
        None => Ok(Some(exported)),
    }
}

/// Returns the program in the Python package, if it is installed.
fn find_packaged() -> Option<PathBuf> {
    let folder = process::first_output_line(Command::new(process::python()?).args(["-c", FIND_PACKAGE]))?;
    let program = Path::new(&folder).join("downward").join("fast-downward.py");
    Some(program).filter(|program| program.is_file())
}

impl From<FastDownwardError> for PlanError {
    fn from(failed: FastDownwardError) -> Self {
        Self::FastDownward(failed)
    }
}

/// A parser of the plans that Fast Downward writes.
struct PlanParser<'r> {
    task: &'r Task,
    written: Option<&'r PddlTask>,
}

impl PlanParser<'_> {
    fn plan(&self, text: &str) -> Result<Plan, FastDownwardError> {
        let mut sources = Sources::new();
        let source = sources.add("plan", text);
        let (read, mut found) = parse::plan(sources.file(source));
        let (plan, diagnostics) =
            self.written.map_or_else(|| lower_plan(&read, self.task), |exported| exported.resolve_plan(&read));
        found.extend(diagnostics);
        match (plan, found.into_iter().find(goalspec_syntax::Diagnostic::is_error)) {
            (Some(plan), None) => Ok(plan),
            (_, error) => Err(FastDownwardError::InvalidPlan(error.map_or_else(String::new, |error| error.message))),
        }
    }
}

/// The plan files: `plan`, or `plan.1`, `plan.2` and so on, each with a better plan than the one before.
struct PlanFiles<'p> {
    folder: &'p TemporaryFolder,
    reported: u32,
}

impl PlanFiles<'_> {
    /// Returns the next plan, once its file is complete.
    fn next(&mut self) -> Option<String> {
        let text = fs::read_to_string(self.folder.path(&format!("plan.{}", self.reported + 1))).ok()?;
        stated_cost(&text)?;
        self.reported += 1;
        Some(text)
    }

    /// Returns the last plan. The last file of an interrupted run may be incomplete: it is ignored unless it states its cost,
    /// which is its last line.
    fn last(&self, is_whole: bool) -> Option<String> {
        let read = |name: &str| fs::read_to_string(self.folder.path(name)).ok();
        let is_usable = |text: &String| is_whole || stated_cost(text).is_some();
        let mut best = read("plan").filter(is_usable);
        for number in 1.. {
            let Some(text) = read(&format!("plan.{number}")) else { break };
            if is_usable(&text) {
                best = Some(text);
            }
        }
        best
    }
}

/// Returns the plan cost that a plan file states: `; cost = 14 (general cost)`.
fn stated_cost(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("; cost = "))?;
    line.split(' ').next()?.parse().ok()
}

/// Creates the folder of a run, with the texts of the domain and the problem.
fn input_folder(texts: [&String; 2]) -> std::io::Result<TemporaryFolder> {
    let folder = TemporaryFolder::new()?;
    for (name, text) in ["domain.pddl", "problem.pddl"].into_iter().zip(texts) {
        fs::write(folder.path(name), text)?;
    }
    Ok(folder)
}

/// Returns the last lines of output that may describe an error.
fn error_output(process: &ProcessResult) -> String {
    let lines = |text: &str| {
        let is_ignored = |line: &&str| line.is_empty() || IGNORED_PREFIXES.iter().any(|start| line.starts_with(start));
        let lines: Vec<String> =
            text.lines().map(str::trim).filter(|line| !is_ignored(line)).map(str::to_owned).collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join("; ")
    };
    let errors = lines(&process.errors);
    if errors.is_empty() { lines(&process.output) } else { errors }
}

/// Returns the number between two strings, from the last line that contains them; 0 if there is none.
fn number_between(output: &str, before: &str, after: &str) -> u64 {
    let number = |line: &str| line.split_once(before)?.1.strip_suffix(after)?.parse().ok();
    output.lines().rev().find_map(number).unwrap_or(0)
}

fn statistics(output: &str) -> SearchStatistics {
    let states = |label: &str| number_between(output, &format!(" {label} "), " state(s).");
    SearchStatistics {
        expanded: states("Expanded"),
        evaluated: states("Evaluated"),
        generated: states("Generated"),
        registered: number_between(output, "Number of registered states: ", ""),
        reopened: states("Reopened"),
        dead_ends: states("Dead ends:"),
        work: 0,
        peak_memory: usize::try_from(number_between(output, "Peak memory: ", " KB") << 10).unwrap_or(usize::MAX),
    }
}

fn size(output: &str) -> GroundTaskSize {
    let translated = |label: &str| number_between(output, &format!("Translator {label}: "), "") as usize;
    GroundTaskSize {
        variables: translated("variables"),
        facts: translated("facts"),
        operators: translated("operators"),
        axioms: translated("axioms"),
    }
}

/// Returns the costs that the plans of a task minimize.
const fn cost_model(task: &Task) -> CostModel {
    if task.metric.is_some() { CostModel::Metric { exact: true } } else { CostModel::PlanLength }
}

/// Returns the duration of the translation, from the last line like `Done! [0.010s CPU, 0.011s wall-clock]`.
fn translation_time(output: &str) -> Option<Duration> {
    let line = output.lines().rev().find_map(|line| line.strip_prefix("Done! ["))?;
    let seconds = line.split_once(" CPU, ")?.1.strip_suffix("s wall-clock]")?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_have_the_meaning_that_is_documented() {
        let end = |code| {
            ProcessEnd::of(&ProcessResult {
                code: Some(code),
                stopped: None,
                output: String::new(),
                errors: String::new(),
            })
        };
        let cases = [
            (0, ProcessEnd::Plan(None)),
            (1, ProcessEnd::Plan(Some(StopReason::Memory))),
            (2, ProcessEnd::Plan(Some(StopReason::Time))),
            (3, ProcessEnd::Plan(Some(StopReason::Memory))),
            (10, ProcessEnd::Unsolvable),
            (11, ProcessEnd::Unsolvable),
            (12, ProcessEnd::GaveUp),
            (20, ProcessEnd::Stopped(StopReason::Memory)),
            (21, ProcessEnd::Stopped(StopReason::Time)),
            (22, ProcessEnd::Stopped(StopReason::Memory)),
            (23, ProcessEnd::Stopped(StopReason::Time)),
            (24, ProcessEnd::Stopped(StopReason::Memory)),
        ];
        for (code, meaning) in cases {
            assert_eq!(end(code), meaning, "{code}");
        }
        assert!((30..=37).all(|code| end(code) == ProcessEnd::Error));
    }

    #[test]
    fn printed_statistics_are_parsed() {
        let output = "Translator variables: 3\nTranslator facts: 11\nDone! [0.010s CPU, 0.250s wall-clock]\n\
            [t=0.004829s, 10544 KB] Expanded 12 state(s).\n[t=0.004829s, 10544 KB] Dead ends: 4 state(s).\nPeak memory: 10544 KB\n";
        let done = statistics(output);
        assert_eq!((done.expanded, done.dead_ends, done.peak_memory), (12, 4, 10544 << 10));
        assert_eq!((size(output).variables, size(output).facts), (3, 11));
        assert_eq!(translation_time(output), Some(Duration::from_millis(250)));
    }
}
