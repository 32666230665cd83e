//! The loading of the problem of `goalspec plan` and `goalspec validate`, with the requested goal.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use goalspec::bddl::planning::HouseholdActions;
use goalspec::core::planning::plan::Plan;
use goalspec::files;
use goalspec::library::{Library, LibraryOptions};
use goalspec::pddl;
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning_problems;
use goalspec::program::Program;
use goalspec::syntax::{Diagnostic, Severity, Sources};

use crate::args::{ActivityArgs, GoalArgs, GoalSource};
use crate::library::{resolve_activities, settings};
use crate::output::{CommandError, Output, ensure_not_input, is_standard, plural};

/// A planning problem, with the texts from which it was loaded.
pub(super) struct LoadedProblem {
    pub(super) problem: PlanningProblem,
    pub(super) sources: Sources,
    /// The findings about the texts, none of them an error.
    findings: Vec<Diagnostic>,
}

impl LoadedProblem {
    /// Reports findings that are not among those about the texts.
    pub(super) fn report_new(&self, found: &[Diagnostic], output: &Output) {
        let is_new = |finding: &&Diagnostic| {
            self.findings.iter().all(|known| (known.span, known.code) != (finding.span, finding.code))
        };
        let new: Vec<Diagnostic> = found.iter().filter(is_new).cloned().collect();
        output.report(&new, &self.sources);
    }

    /// Reports the findings about the texts. After a success, lints are only counted.
    pub(super) fn report_findings(&self, has_failed: bool, output: &Output) {
        let is_lint = |finding: &&Diagnostic| {
            finding.code != pddl::lint::codes::NO_VALUE
                && pddl::lint::codes::ALL.iter().any(|documented| documented.code == finding.code)
        };
        let (lints, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            self.findings.iter().partition(|finding| !has_failed && is_lint(finding));
        output.report(&others.into_iter().cloned().collect::<Vec<_>>(), &self.sources);
        let warnings = lints.iter().filter(|finding| finding.severity == Severity::Warning).count();
        if warnings > 0 {
            output
                .note(&format!("{} about the problem; use `goalspec check` to show all", plural(warnings, "warning")));
        }
    }
}

/// Loads the only problem among the files, with the requested goal; returns `None` if there are errors, which are reported. Of two files,
/// the first is the domain.
pub(super) fn load_problem(
    paths: &[PathBuf],
    goal: &GoalArgs,
    activities: &ActivityArgs,
    actions: Option<&Path>,
    output: &Output,
) -> Result<Option<LoadedProblem>, CommandError> {
    let goal_source = goal.goal_source();
    let settings = settings()?;
    let (mut reading, diagnostics) = activities.reading(&settings)?;
    if let Some(path) = actions {
        let Some(actions) = read_actions(path, output) else { return Ok(None) };
        reading.actions = Some(actions);
    }
    let planning_domain = domain(paths).or_else(|| settings.planning_domain());
    let game_dialect = goal.games.or(&settings.games).dialect();
    let reading = LibraryOptions { planning_domain, game_dialect, ..reading };
    let file = goal_source.as_ref().and_then(GoalSource::file);
    if let (None, Some(option)) = (file, goal.games.first_set_option()) {
        return Err(CommandError::Usage(format!("{option} applies to games, but --goal does not name a game")));
    }
    match load(paths, file, activities, reading, diagnostics, output)? {
        Some((library, problem, findings)) => {
            let loaded = LoadedProblem { problem, sources: library.sources().clone(), findings };
            with_goal(loaded, &library, goal_source.as_ref(), goal.keep_goal, output)
        }
        None => Ok(None),
    }
}

/// Reads changes to the actions for activities; `None` after errors, which are reported.
pub(super) fn read_actions(path: &Path, output: &Output) -> Option<HouseholdActions> {
    let mut sources = Sources::new();
    let text = match files::read_text(path) {
        Ok(text) => text,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &sources);
            return None;
        }
    };
    let source = sources.add(path.display().to_string(), text);
    HouseholdActions::read(sources.file(source)).map_err(|found| output.report(&found, &sources)).ok()
}

/// Returns the name of the file of the domain, if given.
fn domain(paths: &[PathBuf]) -> Option<String> {
    let (_, others) = paths.split_last()?;
    others.first().map(|path| path.display().to_string())
}

/// Loads the only problem among the files, with a game for the goal, and returns it with the findings about the texts; returns `None` if there are errors,
/// which are reported.
fn load(
    paths: &[PathBuf],
    goal: Option<&PathBuf>,
    activities: &ActivityArgs,
    reading: LibraryOptions,
    mut found: Vec<Diagnostic>,
    output: &Output,
) -> Result<Option<(Library, PlanningProblem, Vec<Diagnostic>)>, CommandError> {
    let files: Vec<PathBuf> = paths.last().into_iter().chain(goal).cloned().collect();
    let (files, diagnostics) = resolve_activities(&files, || activities.releases());
    found.extend(diagnostics);
    // For planning, standard input holds a program.
    let (stdin, files): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(|path| is_standard(path));
    let (mut inputs, diagnostics) = files::discover(&files, &|| {});
    inputs.programs.extend(stdin);
    found.extend(diagnostics);
    let library = Library::load(&inputs, reading, &|| {});
    let searched: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let selection = planning_problems::select_problem(&library, &searched).map_err(CommandError::invalid_argument)?;
    found.extend(selection.findings);
    let has_errors = found.iter().any(Diagnostic::is_error);
    if selection.program.is_err() || has_errors {
        output.report(&found, library.sources());
    }
    if has_errors {
        return Ok(None);
    }
    let program = selection.program.map_err(CommandError::invalid_argument)?;
    if let Some(file) = selection.found_domain {
        output.note(&format!("the domain is read from {file}"));
    }
    let problem = planning_problems::planning_problem(&library, program).map_err(CommandError::invalid_argument)?;
    Ok(problem.map(|problem| (library, problem, found)))
}

/// Replaces or extends the goal of the problem with the requested one; returns `None` if there are errors, which are reported.
fn with_goal(
    loaded: LoadedProblem,
    library: &Library,
    goal: Option<&GoalSource<'_>>,
    keep_goal: bool,
    output: &Output,
) -> Result<Option<LoadedProblem>, CommandError> {
    let LoadedProblem { problem, mut sources, findings } = loaded;
    let problem = match goal {
        None => Some(problem),
        Some(GoalSource::Preference(file, preference)) => Some(
            planning_problems::with_preference(problem, game(library, file)?, *preference, keep_goal)
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
    Ok(problem.map(|problem| LoadedProblem { problem, sources, findings }))
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
