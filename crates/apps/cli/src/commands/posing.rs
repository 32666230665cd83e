//! The loading of the problem of `goalspec plan` and `goalspec validate`, with the requested goal.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use goalspec::core::planning::plan::Plan;
use goalspec::files;
use goalspec::library::{Library, Reading};
use goalspec::planning::pick;
use goalspec::planning::posed::Posed;
use goalspec::program::{Content, Program};
use goalspec::syntax::{Diagnostic, Sources};

use crate::args::{ActivityArgs, GoalArgs, Wanted};
use crate::loading::named;
use crate::output::{Failure, Output, spare};

/// The loaded files, and the problem in them.
struct Loaded {
    library: Library,
    posed: Posed,
}

/// Loads the only problem among the files, with the requested goal, and its source texts; returns `None` if there are errors, which are
/// reported. Of two files, the first is the domain.
pub(super) fn pose(
    paths: &[PathBuf],
    goal: &GoalArgs,
    activities: &ActivityArgs,
    output: &Output,
) -> Result<Option<(Posed, Sources)>, Failure> {
    let wanted = goal.wanted();
    let (reading, wrong) = activities.reading()?;
    let reading = Reading { domain: domain(paths), games: goal.games.dialect(), ..reading };
    let file = wanted.as_ref().and_then(Wanted::file);
    if let (None, Some(option)) = (file, goal.games.given()) {
        return Err(Failure::Usage(format!("{option} applies to games, but --goal does not name a game")));
    }
    match load(paths, file, activities, reading, wrong, output)? {
        Some(loaded) => aimed(loaded, wanted.as_ref(), goal.keep_goal, output),
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
    reading: Reading,
    mut found: Vec<Diagnostic>,
    output: &Output,
) -> Result<Option<Loaded>, Failure> {
    let files: Vec<PathBuf> = paths.last().into_iter().chain(goal).cloned().collect();
    let (files, unnamed) = named(&files, || activities.releases());
    found.extend(unnamed);
    // For planning, standard input holds a program.
    let (stdin, files): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(|path| is_standard(path));
    let (mut inputs, strange) = files::discover(&files, &|| {});
    inputs.programs.extend(stdin);
    found.extend(strange);
    let is_posed = |program: &Program| program.as_planning().is_some() || program.as_activity().is_some();
    let chosen = reading.domain.clone();
    let library = Library::load(&inputs, reading, &|| {});
    if let (Some(domain), Some(problem)) = (&chosen, paths.last())
        && let Some(message) = pick::misplaced(&library, domain, problem)
    {
        return Err(Failure::Usage(message));
    }
    let picked = pick::only(&library, is_posed, paths);
    let problems = library.programs().iter().filter(|program| is_posed(program));
    if problems.clone().count() < 2 {
        found.extend(library.diagnostics().iter().cloned());
        let unplanned = problems.filter_map(Program::as_planning).flat_map(|problem| &problem.unplanned);
        found.extend(unplanned.cloned());
    }
    output.report(&found, library.sources());
    if found.iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    let program = picked.map_err(Failure::Usage)?;
    let posed = match &program.content {
        Content::Planning(problem) => Posed::problem(problem, library.sources()),
        Content::Activity(activity) => Some(Posed::activity(program, activity, &library).map_err(Failure::Usage)?),
        _ => None,
    };
    Ok(posed.map(|posed| Loaded { library, posed }))
}

/// Replaces or extends the goal of the problem with the requested one; returns `None` if there are errors, which are reported.
fn aimed(
    loaded: Loaded,
    goal: Option<&Wanted<'_>>,
    keeps: bool,
    output: &Output,
) -> Result<Option<(Posed, Sources)>, Failure> {
    let Loaded { library, posed } = loaded;
    let mut sources = library.sources().clone();
    let posed = match goal {
        None => Some(posed),
        Some(Wanted::Preference(file, preference)) => {
            Some(posed.wanting(game(&library, file)?, *preference, keeps).map_err(Failure::Usage)?)
        }
        Some(Wanted::Condition(text)) => {
            let Some(program) = library.programs().iter().find_map(Program::as_planning) else {
                let message = "--goal does not support PDDL conditions for activities: edit the goal of the activity";
                return Err(Failure::Usage(message.to_owned()));
            };
            let source = sources.add("<goal>", *text);
            let (posed, found) = posed.reaching(program, sources.get(source), keeps);
            output.report(&found, &sources);
            posed
        }
    };
    Ok(posed.map(|posed| (posed, sources)))
}

/// Returns the only game in a file.
fn game<'l>(library: &'l Library, file: &Path) -> Result<&'l Program, Failure> {
    let file = file.display().to_string();
    let lies_there = |program: &&Program| library.sources().get(program.source).name() == file;
    let games: Vec<&Program> =
        library.programs().iter().filter(lies_there).filter(|program| program.as_game().is_some()).collect();
    match games[..] {
        [game] => Ok(game),
        _ => Err(Failure::Usage(format!("expected one game in `{file}`, found {}", games.len()))),
    }
}

/// Checks that input and output files are distinct. If states go to standard output, redirects all other output to standard error.
pub(super) fn prepare(
    paths: &[PathBuf],
    trace: Option<&Path>,
    goal: &GoalArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let wanted = goal.wanted();
    let goal = wanted.as_ref().and_then(Wanted::file);
    if paths.iter().chain(goal).filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::Usage("`-` is given twice: standard input provides only one file".to_owned()));
    }
    match trace {
        Some(trace) if is_standard(trace) => output.divert(),
        Some(trace) => spare(trace, paths.iter().chain(goal))?,
        None => {}
    }
    Ok(())
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes the states that a plan visits.
pub(super) fn write_states(posed: &Posed, plan: &Plan, path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        let mut states = Vec::new();
        posed.write_states(plan, &mut states).map_err(std::io::Error::other)?;
        return Ok(std::io::stdout().lock().write_all(&states)?);
    }
    let wrong = |error| Failure::File(path.to_owned(), error);
    let file = File::create(path).map_err(wrong)?;
    posed.write_states(plan, BufWriter::new(file)).map_err(|error| wrong(std::io::Error::other(error)))
}
