//! Fast Downward (Helmert 2006, <https://www.fast-downward.org>) as an engine. The program is not part of goalspec. It reads
//! PDDL, and its plans are validated like those of the built-in planner.
//!
//! ```text
//! task as written, or exported to PDDL if it would be refused or something was compiled into it
//!      ──> files ──process──> exit code, plan files
//!      plan files ──our parser──> plan ──reference interpreter──> validation
//! ```

mod accepted;
mod metric;
mod process;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_pddl::write::Written;
use goalspec_pddl::{lower_plan, parse};
use goalspec_planner::ground::Costs;
use goalspec_planner::{Aim, Proof, Statistics, Stop};
use goalspec_syntax::Sources;

use super::solve::{Deadline, News, Prepared, Refused, Size, Solved, Wish};
use accepted::Why;
use process::{Folder, Ran};

/// The names of the program on the `PATH`.
const NAMES: [&str; 3] = ["fast-downward", "fast-downward.py", "downward"];

/// A Python program that prints the folder of the package with Fast Downward, without importing it.
const FIND_PACKAGE: &str = "import importlib.util as u; s = u.find_spec('up_fast_downward'); \
    print(s.submodule_search_locations[0] if s else '')";

/// The maximum number of lines of its output that an error shows.
const SHOWN_LINES: usize = 5;

/// The prefixes of output lines that do not describe an error.
const CHATTER: [&str; 7] = [
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
pub enum Failed {
    /// There is no program at this path or, without a path, no installed one.
    Missing(Option<PathBuf>),
    /// The task cannot be written in the PDDL that Fast Downward accepts.
    Unwritable(String),
    /// The program cannot be run.
    Unstartable(PathBuf, String),
    /// The program failed: its path, its exit code, and the end of its output.
    Error(PathBuf, Option<i32>, String),
    /// The exit code promises a plan, and there is no plan file: the path of the program, its exit code, and the end of its
    /// output.
    Nothing(PathBuf, Option<i32>, String),
    /// The plan file cannot be parsed as a plan for the task, for this reason.
    Plan(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(None) => write!(
                f,
                "Fast Downward is not installed: found neither {} on the PATH nor the Python package `up-fast-downward`",
                NAMES.map(|name| format!("`{name}`")).join(", ")
            ),
            Self::Missing(Some(path)) => write!(f, "program `{}` not found", path.display()),
            Self::Unwritable(why) => write!(f, "Fast Downward does not support the task: {why}"),
            Self::Unstartable(path, error) => write!(f, "cannot run `{}`: {error}", path.display()),
            Self::Error(program, code, said) => {
                write!(f, "Fast Downward, `{}`, failed with {}{}", program.display(), exit(*code), behind(said))
            }
            Self::Nothing(program, code, said) => {
                let (program, exit) = (program.display(), exit(*code));
                write!(
                    f,
                    "`{program}` ended with {exit}, which indicates a plan, but wrote no plan file{}; \
                     --engine-path must name the driver script of Fast Downward, `fast-downward.py`",
                    behind(said)
                )
            }
            Self::Plan(why) => write!(f, "invalid plan file of Fast Downward: {why}"),
        }
    }
}

impl std::error::Error for Failed {}

fn exit(code: Option<i32>) -> String {
    code.map_or("a signal".to_owned(), |code| format!("exit code {code}"))
}

/// Returns the output as a suffix of a message, if there is any.
fn behind(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// The end of a run, according to its exit code (<https://www.fast-downward.org/latest/documentation/exit-codes/>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It wrote plans, and a limit may have stopped the search for better ones.
    Plan(Option<Stop>),
    /// It proved that there is no plan.
    Unsolvable,
    /// Its search gave up without a proof.
    GaveUp,
    /// A limit was reached before a plan was found.
    Stopped(Stop),
    /// It failed.
    Error,
}

impl End {
    fn of(ran: &Ran) -> Self {
        match (ran.stopped, ran.code) {
            (Some(stop), _) => Self::Stopped(stop),
            (_, Some(0)) => Self::Plan(None),
            (_, Some(1 | 3)) => Self::Plan(Some(Stop::Memory)),
            (_, Some(2)) => Self::Plan(Some(Stop::Time)),
            (_, Some(10 | 11)) => Self::Unsolvable,
            (_, Some(12)) => Self::GaveUp,
            (_, Some(20 | 22 | 24)) => Self::Stopped(Stop::Memory),
            (_, Some(21 | 23)) => Self::Stopped(Stop::Time),
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
    pub fn find(path: Option<&Path>) -> Result<Self, Failed> {
        if let Some(path) = path {
            let program = path.canonicalize().ok().filter(|path| path.is_file());
            return program.map(|program| Self { program }).ok_or_else(|| Failed::Missing(Some(path.to_owned())));
        }
        let installed = || NAMES.into_iter().find_map(process::on_path);
        let program = installed().or_else(packaged).ok_or(Failed::Missing(None))?;
        Ok(Self { program })
    }

    /// Solves a task, whose texts are a domain and a problem. Constraints, preferences and additional goals are compiled into the
    /// task that Fast Downward reads. Events are reported to `tell`. The program is killed soon after `cancelled` is set.
    ///
    /// # Errors
    /// If the task cannot be written for Fast Downward, the program fails, or plans for the task cannot be validated.
    pub fn solve(
        &self,
        task: &Task,
        texts: &[String; 2],
        wish: &Wish<'_>,
        cancelled: &AtomicBool,
        tell: &(dyn Fn(News<'_>) + Sync),
    ) -> Result<Solved, Refused> {
        let begun = wish.begun.unwrap_or_else(Instant::now);
        let posed = metric::posed(task).ok_or_else(|| accepted::of_metric(texts))?;
        let prepared = Prepared::new(&posed, wish, begun, cancelled)?.judged_by(task);
        let written = written(&prepared, texts)?;
        let given = written.as_ref().map_or([&texts[0], &texts[1]], |written| [&written.domain, &written.problem]);
        let reader = Reader { task, written: written.as_ref() };
        let unstartable = |error: std::io::Error| Failed::Unstartable(self.program.clone(), error.to_string());
        let folder = Folder::new().map_err(unstartable)?;
        for (name, text) in ["domain.pddl", "problem.pddl"].into_iter().zip(given) {
            fs::write(folder.path(name), text).map_err(unstartable)?;
        }
        let mut plans = Plans { folder: &folder, told: 0 };
        let deadline = wish.time.and_then(|time| begun.checked_add(time));
        let mut ask = |search: &str| {
            process::run(&mut self.command(wish, search, begun), &folder, deadline, cancelled, || {
                let plan = plans.next().and_then(|text| reader.plan(&text).ok());
                if let Some(news) = plan.and_then(|plan| prepared.news(&plan, wish.aim, begun.elapsed())) {
                    tell(news);
                }
            })
            .map_err(unstartable)
        };
        let mut search = configuration(wish.aim);
        let mut ran = ask(search)?;
        if wish.aim == Aim::Optimal && ran.stopped.is_none() && ran.code == Some(UNSUPPORTED) {
            search = BLIND;
            ran = ask(search)?;
        }
        let end = End::of(&ran);
        let is_whole = matches!(end, End::Plan(_));
        let best = plans.last(is_whole).map(|text| reader.plan(&text)).transpose()?;
        let (proof, stopped) = match end {
            End::Error => return Err(Failed::Error(self.program.clone(), ran.code, said(&ran)).into()),
            End::Plan(_) if best.is_none() => {
                return Err(Failed::Nothing(self.program.clone(), ran.code, said(&ran)).into());
            }
            End::Plan(None) if wish.aim == Aim::Optimal => (Proof::Optimal, None),
            End::Plan(stopped) => (Proof::None, stopped),
            End::Unsolvable => (Proof::Unsolvable, None),
            End::GaveUp => (Proof::None, None),
            End::Stopped(stop) => (Proof::None, Some(stop)),
        };
        let grounding = translated(&ran.output).unwrap_or_default();
        let judging = Deadline::of_judging(wish, begun, cancelled, stopped);
        Ok(Solved {
            plan: best.map(|plan| prepared.judged(&plan, &judging)).transpose()?,
            proof,
            stopped,
            costs: if prepared.searched().metric.is_some() { Costs::Metric { exact: true } } else { Costs::Steps },
            ignored: prepared.ignored(),
            search: format!("Fast Downward, {search}"),
            statistics: statistics(&ran.output),
            size: size(&ran.output),
            grounding,
            searching: begun.elapsed().saturating_sub(grounding),
        })
    }

    fn command(&self, wish: &Wish<'_>, search: &str, begun: Instant) -> Command {
        let mut command = process::command_of(&self.program);
        command.args(["--plan-file", "plan"]);
        if let Some(time) = wish.time {
            // Its limit is in whole seconds of CPU time; the elapsed time is watched here.
            let left = time.saturating_sub(begun.elapsed());
            let seconds = (left.as_secs() + u64::from(left.subsec_nanos() > 0)).max(1);
            command.args(["--overall-time-limit", &format!("{seconds}s")]);
        }
        command.args(["--overall-memory-limit", &format!("{}M", (wish.memory >> 20).max(1))]);
        // An alias precedes the files, and a search follows them.
        match wish.aim {
            Aim::Optimal => command.args(["domain.pddl", "problem.pddl", "--search", search]),
            Aim::Any | Aim::Good => command.args(["--alias", search, "domain.pddl", "problem.pddl"]),
        };
        command
    }
}

/// The exit code for tasks with a feature that the search does not support.
const UNSUPPORTED: i32 = 34;

/// The optimal search for tasks that LM-cut does not support: those with axioms, into which quantifiers and constraints are
/// translated, or with conditional effects.
const BLIND: &str = "astar(blind())";

/// Returns the alias or the search for an objective.
fn configuration(aim: Aim) -> &'static str {
    match aim {
        Aim::Any => "lama-first",
        Aim::Good => "lama",
        Aim::Optimal => "astar(lmcut())",
    }
}

/// Exports the task to PDDL if something was compiled into it, or if Fast Downward would refuse the original text.
fn written(prepared: &Prepared<'_>, texts: &[String; 2]) -> Result<Option<Written>, Failed> {
    if !prepared.is_compiled() && accepted::refused(texts).is_none() {
        return Ok(None);
    }
    let written = goalspec_pddl::write(prepared.searched()).map_err(|why| Failed::Unwritable(why.to_string()))?;
    match accepted::refused(&[&written.domain, &written.problem]) {
        Some(Why::Metric(_)) => Err(accepted::of_metric(texts)),
        Some(Why::Numbers(place)) => Err(Failed::Unwritable(Why::Numbers(written.in_own_words(&place)).to_string())),
        Some(why) => Err(Failed::Unwritable(why.to_string())),
        None => Ok(Some(written)),
    }
}

/// Returns the program in the Python package, if it is installed.
fn packaged() -> Option<PathBuf> {
    let folder = process::answer(Command::new(process::python()?).args(["-c", FIND_PACKAGE]))?;
    let program = Path::new(&folder).join("downward").join("fast-downward.py");
    Some(program).filter(|program| program.is_file())
}

impl From<Failed> for Refused {
    fn from(failed: Failed) -> Self {
        Self::FastDownward(failed)
    }
}

/// A parser of the plans that Fast Downward writes.
struct Reader<'r> {
    task: &'r Task,
    written: Option<&'r Written>,
}

impl Reader<'_> {
    fn plan(&self, text: &str) -> Result<Plan, Failed> {
        let mut sources = Sources::new();
        let source = sources.add("plan", text);
        let (read, mut found) = parse::plan(sources.get(source));
        let (plan, wrong) = self.written.map_or_else(|| lower_plan(&read, self.task), |written| written.plan(&read));
        found.extend(wrong);
        match (plan, found.into_iter().find(goalspec_syntax::Diagnostic::is_error)) {
            (Some(plan), None) => Ok(plan),
            (_, error) => Err(Failed::Plan(error.map_or_else(String::new, |error| error.message))),
        }
    }
}

/// The plan files: `plan`, or `plan.1`, `plan.2` and so on, each with a better plan than the one before.
struct Plans<'p> {
    folder: &'p Folder,
    told: u32,
}

impl Plans<'_> {
    /// Returns the next plan, once its file is complete.
    fn next(&mut self) -> Option<String> {
        let text = fs::read_to_string(self.folder.path(&format!("plan.{}", self.told + 1))).ok()?;
        stated_cost(&text)?;
        self.told += 1;
        Some(text)
    }

    /// Returns the last plan. The last file of an interrupted run may be incomplete: it is ignored unless it states its cost,
    /// which is its last line.
    fn last(&self, is_whole: bool) -> Option<String> {
        let read = |name: &str| fs::read_to_string(self.folder.path(name)).ok();
        let good = |text: &String| is_whole || stated_cost(text).is_some();
        let mut best = read("plan").filter(good);
        for number in 1.. {
            let Some(text) = read(&format!("plan.{number}")) else { break };
            if good(&text) {
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

/// Returns the last lines of output that may describe an error.
fn said(ran: &Ran) -> String {
    let lines = |text: &str| {
        let chatter = |line: &&str| line.is_empty() || CHATTER.iter().any(|start| line.starts_with(start));
        let lines: Vec<String> = text.lines().map(str::trim).filter(|line| !chatter(line)).map(str::to_owned).collect();
        lines[lines.len().saturating_sub(SHOWN_LINES)..].join("; ")
    };
    let errors = lines(&ran.errors);
    if errors.is_empty() { lines(&ran.output) } else { errors }
}

/// Returns the number between two strings, from the last line that contains them; 0 if there is none.
fn counted(output: &str, before: &str, behind: &str) -> u64 {
    let number = |line: &str| line.split_once(before)?.1.strip_suffix(behind)?.parse().ok();
    output.lines().rev().find_map(number).unwrap_or(0)
}

fn statistics(output: &str) -> Statistics {
    let states = |what: &str| counted(output, &format!(" {what} "), " state(s).");
    Statistics {
        expanded: states("Expanded"),
        evaluated: states("Evaluated"),
        generated: states("Generated"),
        registered: counted(output, "Number of registered states: ", ""),
        reopened: states("Reopened"),
        dead_ends: states("Dead ends:"),
        peak_memory: usize::try_from(counted(output, "Peak memory: ", " KB") << 10).unwrap_or(usize::MAX),
    }
}

fn size(output: &str) -> Size {
    let translated = |what: &str| counted(output, &format!("Translator {what}: "), "") as usize;
    Size {
        variables: translated("variables"),
        facts: translated("facts"),
        operators: translated("operators"),
        axioms: translated("axioms"),
    }
}

/// Returns the duration of the translation, from the last line like `Done! [0.010s CPU, 0.011s wall-clock]`.
fn translated(output: &str) -> Option<Duration> {
    let line = output.lines().rev().find_map(|line| line.strip_prefix("Done! ["))?;
    let seconds = line.split_once(" CPU, ")?.1.strip_suffix("s wall-clock]")?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_have_the_meaning_that_is_documented() {
        let end =
            |code| End::of(&Ran { code: Some(code), stopped: None, output: String::new(), errors: String::new() });
        let cases = [
            (0, End::Plan(None)),
            (1, End::Plan(Some(Stop::Memory))),
            (2, End::Plan(Some(Stop::Time))),
            (3, End::Plan(Some(Stop::Memory))),
            (10, End::Unsolvable),
            (11, End::Unsolvable),
            (12, End::GaveUp),
            (20, End::Stopped(Stop::Memory)),
            (21, End::Stopped(Stop::Time)),
            (22, End::Stopped(Stop::Memory)),
            (23, End::Stopped(Stop::Time)),
            (24, End::Stopped(Stop::Memory)),
        ];
        for (code, meaning) in cases {
            assert_eq!(end(code), meaning, "{code}");
        }
        assert!((30..=37).all(|code| end(code) == End::Error));
    }

    #[test]
    fn what_it_prints_is_counted() {
        let output = "Translator variables: 3\nTranslator facts: 11\nDone! [0.010s CPU, 0.250s wall-clock]\n\
            [t=0.004829s, 10544 KB] Expanded 12 state(s).\n[t=0.004829s, 10544 KB] Dead ends: 4 state(s).\nPeak memory: 10544 KB\n";
        let done = statistics(output);
        assert_eq!((done.expanded, done.dead_ends, done.peak_memory), (12, 4, 10544 << 10));
        assert_eq!((size(output).variables, size(output).facts), (3, 11));
        assert_eq!(translated(output), Some(Duration::from_millis(250)));
    }
}
