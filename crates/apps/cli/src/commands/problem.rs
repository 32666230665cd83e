//! The loading of the problem of `goalspec plan` and `goalspec validate`, with the requested goal.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use goalspec::core::planning::plan::Plan;
use goalspec::files;
use goalspec::library::{Library, LibraryOptions};
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning_problems;
use goalspec::program::Program;
use goalspec::syntax::{Diagnostic, Sources};

use crate::args::{ActivityArgs, GoalArgs, GoalSource};
use crate::library::resolve_activities;
use crate::output::{CommandError, Output, ensure_not_input};

/// The loaded files, and the problem in them.
struct LoadedProblem {
    library: Library,
    problem: PlanningProblem,
}

/// Loads the only problem among the files, with the requested goal, and its source texts; returns `None` if there are errors, which are
/// reported. Of two files, the first is the domain.
pub(super) fn load_problem(
    paths: &[PathBuf],
    goal: &GoalArgs,
    activities: &ActivityArgs,
    output: &Output,
) -> Result<Option<(PlanningProblem, Sources)>, CommandError> {
    let goal_source = goal.goal_source();
    let (reading, diagnostics) = activities.reading()?;
    let reading = LibraryOptions { planning_domain: domain(paths), game_dialect: goal.games.dialect(), ..reading };
    let file = goal_source.as_ref().and_then(GoalSource::file);
    if let (None, Some(option)) = (file, goal.games.first_set_option()) {
        return Err(CommandError::Usage(format!("{option} applies to games, but --goal does not name a game")));
    }
    match load(paths, file, activities, reading, diagnostics, output)? {
        Some(loaded) => with_goal(loaded, goal_source.as_ref(), goal.keep_goal, output),
        None => Ok(None),
    }
}

/// Returns the file of the domain, if given.
fn domain(paths: &[PathBuf]) -> Option<PathBuf> {
    let (_, others) = paths.split_last()?;
    others.first().cloned()
}

/// Loads the only problem among the files, with a game for the goal; returns `None` if there are errors, which are reported.
fn load(
    paths: &[PathBuf],
    goal: Option<&PathBuf>,
    activities: &ActivityArgs,
    reading: LibraryOptions,
    mut found: Vec<Diagnostic>,
    output: &Output,
) -> Result<Option<LoadedProblem>, CommandError> {
    let files: Vec<PathBuf> = paths.last().into_iter().chain(goal).cloned().collect();
    let (files, diagnostics) = resolve_activities(&files, || activities.releases());
    found.extend(diagnostics);
    // For planning, standard input holds a program.
    let (stdin, files): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(|path| is_standard(path));
    let (mut inputs, diagnostics) = files::discover(&files, &|| {});
    inputs.programs.extend(stdin);
    found.extend(diagnostics);
    let planning_domain = reading.planning_domain.clone();
    let library = Library::load(&inputs, reading, &|| {});
    if let (Some(domain), Some(problem)) = (&planning_domain, paths.last())
        && let Some(message) = planning_problems::misplaced_domain(&library, domain, problem)
    {
        return Err(CommandError::Usage(message));
    }
    let selection = planning_problems::only_problem(&library, paths);
    let problems = library.programs().iter().filter(|program| planning_problems::is_problem(program));
    if problems.clone().count() < 2 {
        found.extend(library.diagnostics().iter().cloned());
        let unplanned = problems.filter_map(Program::as_planning).flat_map(|problem| &problem.unsupported);
        found.extend(unplanned.cloned());
    }
    output.report(&found, library.sources());
    if found.iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    let program = selection.map_err(CommandError::invalid_argument)?;
    let problem = planning_problems::planning_problem(&library, program).map_err(CommandError::invalid_argument)?;
    Ok(problem.map(|problem| LoadedProblem { library, problem }))
}

/// Replaces or extends the goal of the problem with the requested one; returns `None` if there are errors, which are reported.
fn with_goal(
    loaded: LoadedProblem,
    goal: Option<&GoalSource<'_>>,
    keep_goal: bool,
    output: &Output,
) -> Result<Option<(PlanningProblem, Sources)>, CommandError> {
    let LoadedProblem { library, problem } = loaded;
    let mut sources = library.sources().clone();
    let problem = match goal {
        None => Some(problem),
        Some(GoalSource::Preference(file, preference)) => Some(
            planning_problems::with_preference(problem, game(&library, file)?, *preference, keep_goal)
                .map_err(CommandError::invalid_argument)?,
        ),
        Some(GoalSource::Condition(text)) => {
            let source = sources.add("<goal>", *text);
            let (problem, found) =
                problem.with_condition(sources.file(source), keep_goal).map_err(CommandError::invalid_argument)?;
            output.report(&found, &sources);
            problem
        }
    };
    Ok(problem.map(|problem| (problem, sources)))
}

/// Returns the only game in a file.
fn game<'l>(library: &'l Library, file: &Path) -> Result<&'l Program, CommandError> {
    let file = file.display().to_string();
    let is_in_source = |program: &&Program| library.sources().file(program.source).name() == file;
    let games: Vec<&Program> =
        library.programs().iter().filter(is_in_source).filter(|program| program.as_game().is_some()).collect();
    match games[..] {
        [game] => Ok(game),
        _ => Err(CommandError::Usage(format!("expected one game in `{file}`, found {}", games.len()))),
    }
}

/// Checks that input and output files are distinct. If states go to standard output, redirects all other output to standard error.
pub(super) fn check_files(
    paths: &[PathBuf],
    trace: Option<&Path>,
    goal: &GoalArgs,
    output: &mut Output,
) -> Result<(), CommandError> {
    let goal_source = goal.goal_source();
    let goal = goal_source.as_ref().and_then(GoalSource::file);
    if paths.iter().chain(goal).filter(|path| is_standard(path)).count() > 1 {
        return Err(CommandError::Usage("`-` is given twice: standard input provides only one file".to_owned()));
    }
    match trace {
        Some(trace) if is_standard(trace) => output.redirect_to_stderr(),
        Some(trace) => ensure_not_input(trace, paths.iter().chain(goal))?,
        None => {}
    }
    Ok(())
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes the states that a plan visits.
pub(super) fn write_states(problem: &PlanningProblem, plan: &Plan, path: &Path) -> Result<(), CommandError> {
    if is_standard(path) {
        let mut states = Vec::new();
        problem.write_states(plan, &mut states).map_err(std::io::Error::other)?;
        return Ok(std::io::stdout().lock().write_all(&states)?);
    }
    let file_error = |error| CommandError::File(path.to_owned(), error);
    let file = File::create(path).map_err(file_error)?;
    problem.write_states(plan, BufWriter::new(file)).map_err(|error| file_error(std::io::Error::other(error)))
}
