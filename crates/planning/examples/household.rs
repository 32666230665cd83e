//! Plans for the activities of a release, with the counts of each outcome.
//!
//! `household FOLDER [STRIDE [OFFSET [SECONDS]]]` plans for every `STRIDE`-th activity of the release in `FOLDER`, for at most
//! `SECONDS` each, and prints a line for each activity that has no plan. `ACTIVITY` selects the activities whose names contain a
//! text, and prints their plans. `DUMP` is a folder for the domains, problems and plans in PDDL, for other validators.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use goalspec_bddl::Dialect;
use goalspec_bddl::ast::Problem;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::parse::parse;
use goalspec_core::planning::plan::Plan;
use goalspec_planner::Proof;
use goalspec_planning::activity::ActivityTask;
use goalspec_planning::solve::{PlanRequest, solve};
use goalspec_planning::unreachable::UnreachableLiterals;
use goalspec_syntax::Sources;

#[path = "../../goalspec/tests/physical_sense/mod.rs"]
mod physical_sense;

/// The choices of a run.
struct Options {
    /// The text that the names of selected activities contain.
    selection: Option<String>,
    /// The folder for domains, problems and plans.
    dump: Option<String>,
    time_limit: Duration,
}

/// The outcome of an activity in a word, and a remark on it.
type Outcome = (&'static str, String);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().ok_or("the folder of a release is missing")?);
    let number = |place: usize, default: usize| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let (stride, offset, seconds) = (number(1, 1)?, number(2, 0)?, number(3, 10)?);
    let time_limit = Duration::from_secs(seconds as u64);
    let options = Options { selection: std::env::var("ACTIVITY").ok(), dump: std::env::var("DUMP").ok(), time_limit };
    let knowledge = Knowledge::open(folder).map_err(|error| error.message.clone())?;
    let definitions = std::fs::read_dir(folder.join("activity_definitions"))?;
    let mut paths: Vec<_> =
        definitions.map(|entry| Ok(entry?.path().join("problem0.bddl"))).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    let dialect = if folder.join("generated_data").is_dir() { Dialect::COMPAT_3_6 } else { Dialect::COMPAT_1_0 };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let selected = |path: &Path| options.selection.as_ref().is_none_or(|text| path.to_string_lossy().contains(text));
    for path in paths.iter().skip(offset).step_by(stride).filter(|path| selected(path)) {
        let mut sources = Sources::new();
        let source = sources.add("activity", std::fs::read_to_string(path)?);
        let parsed = parse(sources.file(source), dialect);
        let Some(problem) = parsed.problems.first() else { continue };
        let start = Instant::now();
        let household =
            ActivityTask::new(problem, None, dialect, Some(&knowledge)).map_err(|error| error.to_string())?;
        let built = start.elapsed();
        let (outcome, note) = outcome(&household, problem, &knowledge, &options)?;
        *counts.entry(outcome).or_default() += 1;
        let seconds = start.elapsed().as_secs_f32();
        if outcome != "planned" || options.selection.is_some() || seconds > 3.0 {
            println!("{outcome:10} {seconds:6.2} s ({:.2} s) {}: {note}", built.as_secs_f32(), problem.name.text);
        }
    }
    println!("{counts:?}");
    Ok(())
}

/// Plans for an activity, and checks the plan.
fn outcome(
    household: &ActivityTask,
    problem: &Problem,
    knowledge: &Knowledge,
    options: &Options,
) -> Result<Outcome, Box<dyn Error>> {
    if !household.unsupported_literals().is_empty() {
        return Ok(("beyond", names(household.unsupported_literals())));
    }
    let request = PlanRequest { time_limit: Some(options.time_limit), ..PlanRequest::default() };
    let solved = match solve(&household.task, &request, &AtomicBool::new(false), &|_| {}) {
        Ok(solved) => solved,
        Err(error) => return Ok(("refused", error.to_string())),
    };
    Ok(match (&solved.plan, solved.proof) {
        (Some((plan, validation)), _) => {
            if options.selection.is_some() {
                plan.steps.iter().for_each(|step| println!("{}", step.text(household.authored_task())));
            }
            if let Some(folder) = &options.dump {
                dump(household, problem, plan, Path::new(folder))?;
            }
            let holds = validation.is_valid() && household.conjuncts(plan).into_iter().all(|holds| holds);
            match physical_sense::sense(household, problem, Some(knowledge), plan) {
                _ if !holds => ("wrong", String::new()),
                Ok(()) => ("planned", format!("{} steps", plan.steps.len())),
                Err(error) => ("senseless", error),
            }
        }
        (None, Proof::Unsolvable) => {
            let found = household.unreachable_literals(problem, None, &AtomicBool::new(false));
            let restrictions: Vec<String> = household.model_restrictions().iter().map(ToString::to_string).collect();
            let found = found.map_or_else(|error| error.to_string(), |found| names(&found));
            ("unsolvable", format!("{found} | {}", restrictions.join("; ")))
        }
        (None, _) => ("limit", String::new()),
    })
}

/// Writes the domain, the problem and the plan of an activity.
fn dump(household: &ActivityTask, problem: &Problem, plan: &Plan, folder: &Path) -> Result<(), Box<dyn Error>> {
    let [domain, text] = household.pddl()?;
    let steps: String = plan.steps.iter().map(|step| format!("{}\n", step.text(&household.task))).collect();
    for (end, text) in [("domain.pddl", domain), ("problem.pddl", text), ("plan", steps)] {
        std::fs::write(folder.join(format!("{}.{end}", problem.name.text)), text)?;
    }
    Ok(())
}

/// Returns the first literals of each predicate.
fn names(found: &[UnreachableLiterals]) -> String {
    let texts = found.iter().map(|found| found.literals.iter().take(3).cloned().collect::<Vec<_>>().join(" "));
    texts.collect::<Vec<_>>().join(" ")
}
