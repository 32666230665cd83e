//! Libraries of programs, and the formatting and documentation of programs.

use std::path::PathBuf;
use std::sync::Arc;

use goalspec::bddl;
use goalspec::custom_results::CustomResultSpec;
use goalspec::game;
use goalspec::library::{self, LibraryOptions};
use goalspec::monitor::CompiledGame;
use goalspec::monitor::goal::CompiledGoal;
use goalspec::program::{Program, ProgramContent};
use goalspec::releases::Releases;
use goalspec::rewards::screen_worlds;
use goalspec::rgg;
use goalspec::syntax::code_table::CodeTable;
use goalspec::syntax::suggest::did_you_mean;
use goalspec::syntax::{Diagnostic, Severity, SourceFile, Sources};
use goalspec::{codes, descriptions, files, planning_problems, recordings, reward_lints, traces};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::background;
use crate::diagnostics;
use crate::errors::{check_error, value_error};
use crate::traces::World;

/// The sources, worlds and checked programs of a call of `load` or `loads`.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Library {
    inner: Arc<library::Library>,
    /// The options by which it was loaded.
    options: LibraryOptions,
    /// The diagnostics of paths and options.
    found: Vec<Diagnostic>,
    /// The traces among the paths.
    traces: Vec<PathBuf>,
}

/// The options of the functions that load programs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct LoadOptions {
    world: Option<String>,
    domain: Option<String>,
    dialect: Option<String>,
    knowledge: Option<PathBuf>,
    /// Custom results, each as `NAME` or `NAME=URL`.
    results: Vec<String>,
}

impl LoadOptions {
    /// Returns the options of the facade, without a knowledge base, which [`open_knowledge`] adds.
    fn library_options(self) -> PyResult<LibraryOptions> {
        let mut options =
            LibraryOptions { reward_world: self.world, planning_domain: self.domain, ..LibraryOptions::default() };
        if let Some(name) = &self.dialect {
            set_dialect(&mut options, name)?;
        }
        for result in &self.results {
            let result: CustomResultSpec =
                result.parse().map_err(|error: Box<Diagnostic>| value_error(error.message))?;
            result.register_in(&mut options);
        }
        Ok(options)
    }
}

/// Opens a knowledge base for activities, or finds the installed releases if none is chosen. Returns the diagnostics.
fn open_knowledge(chosen: Option<&PathBuf>, options: &mut LibraryOptions) -> Vec<Diagnostic> {
    let Some(folder) = chosen else {
        let (releases, unusable) = Releases::installed();
        options.releases = releases;
        return unusable.into_iter().map(|error| *error).collect();
    };
    let releases = Releases::from_option(folder);
    match files::open_knowledge(releases.folders().first().unwrap_or(folder)) {
        Ok(knowledge) => {
            let found = knowledge.inconsistencies().to_vec();
            options.knowledge = Some(Arc::new(knowledge));
            found
        }
        Err(error) => vec![*error],
    }
}

/// The dialect of games in which an empty `hold` holds.
const EMPTY_HOLDS: &str = "empty-holds";

/// Sets the dialect of activities, of resource graph games or of games by its name.
fn set_dialect(options: &mut LibraryOptions, name: &str) -> PyResult<()> {
    if let Some(dialect) = bddl::Dialect::from_name(name) {
        options.bddl_dialect = dialect;
        options.dialect_fixed = true;
    } else if let Some(dialect) = rgg::Dialect::from_name(name) {
        options.rgg_dialect = dialect;
    } else if name == EMPTY_HOLDS {
        options.game_dialect = game::Dialect::PROSE;
    } else {
        let names = bddl::Dialect::NAMED.iter().map(|(name, _)| *name);
        let names: Vec<&str> =
            names.chain(rgg::Dialect::NAMED.iter().map(|(name, _)| *name)).chain([EMPTY_HOLDS]).collect();
        let suggestion = did_you_mean(name, names.iter().copied()).map_or(String::new(), |text| format!("; {text}"));
        return Err(value_error(format!("unknown dialect `{name}`: expected one of {}{suggestion}", names.join(", "))));
    }
    Ok(())
}

/// Loads the programs and worlds of paths, as the command line does.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, paths: Vec<PathBuf>, options: LoadOptions) -> PyResult<Library> {
    let knowledge = options.knowledge.clone();
    let mut options = options.library_options()?;
    Ok(background::run(py, move |cancelled| {
        let progress = || background::checkpoint(cancelled);
        let mut found = open_knowledge(knowledge.as_ref(), &mut options);
        let (inputs, unknown) = files::discover(&paths, &progress);
        found.extend(unknown);
        let library = library::Library::load(&inputs, options.clone(), &progress);
        Library { inner: Arc::new(library), options, found, traces: inputs.traces }
    })?)
}

/// Loads programs and worlds from texts, each with its name. No file is read but the knowledge base.
#[pyfunction]
pub(crate) fn load_texts(py: Python<'_>, texts: Vec<(String, String)>, options: LoadOptions) -> PyResult<Library> {
    let knowledge = options.knowledge.clone();
    let mut options = options.library_options()?;
    Ok(background::run(py, move |_| {
        let found = open_knowledge(knowledge.as_ref(), &mut options);
        let library = library::Library::from_texts(texts, options.clone());
        Library { inner: Arc::new(library), options, found, traces: Vec::new() }
    })?)
}

#[pymethods]
impl Library {
    /// Returns the library with the programs of one more text.
    fn with_program(&self, py: Python<'_>, name: String, text: String) -> PyResult<Self> {
        self.changed(py, move |library| library.add_program(&name, text))
    }

    /// Returns the library with one more world. A world that it extends is built in or one of `files`, by name.
    fn with_world(&self, py: Python<'_>, name: String, text: String, files: Vec<(String, String)>) -> PyResult<Self> {
        self.changed(py, move |library| {
            library.add_world(&name, text, &mut |extended| {
                let is_named =
                    |(file, _): &&(String, String)| file.strip_suffix(".world.toml").unwrap_or(file) == extended;
                files.iter().find(is_named).cloned()
            });
        })
    }

    /// Returns all diagnostics found while loading.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics::to_python(py, &self.all_diagnostics(), self.inner.sources())
    }

    /// Raises a `CheckError` if there are errors.
    fn raise_errors(&self, py: Python<'_>) -> PyResult<()> {
        let found = self.all_diagnostics();
        if found.iter().any(Diagnostic::is_error) {
            return Err(check_error(py, &found, self.inner.sources()));
        }
        Ok(())
    }

    /// Returns the name, language, text, world and preferences of each program.
    fn programs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for program in self.inner.programs() {
            let record = PyDict::new(py);
            record.set_item("name", &*program.name)?;
            record.set_item("language", language(program))?;
            record.set_item("text", self.inner.sources().file(program.source).text())?;
            record.set_item("world", program.world.as_ref().map(|world| world.name()))?;
            record.set_item("preferences", preferences(program))?;
            list.append(record)?;
        }
        Ok(list)
    }

    /// Returns the diagnostics in the text of a program.
    fn program_diagnostics<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyList>> {
        let source = self.program(index)?.source;
        let is_own = |found: &&Diagnostic| found.span.is_some_and(|span| span.source == source);
        let own: Vec<Diagnostic> = self.inner.diagnostics().iter().filter(is_own).cloned().collect();
        diagnostics::to_python(py, &own, self.inner.sources())
    }

    /// Returns the texts by name, without those of built-in worlds: another library made of them has the same programs.
    fn texts(&self) -> Vec<(String, String)> {
        let is_built_in = |file: &&SourceFile| {
            let world = file.name().strip_suffix(".world.toml");
            world.and_then(screen_worlds::world_source).is_some_and(|text| text == file.text())
        };
        let files = self.inner.sources().iter().filter(|file| !is_built_in(file));
        files.map(|file| (file.name().to_owned(), file.text().to_owned())).collect()
    }

    /// Returns the names of the worlds that were loaded.
    fn worlds(&self) -> Vec<String> {
        self.inner.worlds().iter().map(|world| world.name().to_owned()).collect()
    }

    /// Returns the world of a program; `None` if it is unknown.
    fn program_world(&self, index: usize) -> PyResult<Option<World>> {
        Ok(self.program(index)?.world.clone().map(World))
    }

    /// Returns the worlds of the programs, or those that were loaded if there are no programs.
    fn program_worlds(&self) -> Vec<World> {
        let worlds = self.inner.program_worlds();
        let worlds = if worlds.is_empty() { self.inner.worlds().to_vec() } else { worlds };
        worlds.into_iter().map(World).collect()
    }

    /// Returns the paths of the traces among the paths of the library.
    fn trace_paths(&self) -> Vec<PathBuf> {
        self.traces.clone()
    }

    /// Returns the description of a program in words; `None` if errors prevent one.
    fn describe(&self, py: Python<'_>, index: usize) -> PyResult<Option<String>> {
        let program = self.program(index)?;
        let text = py.detach(|| descriptions::program(&self.inner, program, None));
        text.map_err(|error| check_error(py, &[*error], self.inner.sources()))
    }

    /// Returns the memory that monitoring a program requires, as text; `None` if it is not monitored.
    fn cost(&self, py: Python<'_>, index: usize) -> PyResult<Option<String>> {
        let program = self.program(index)?.clone();
        Ok(background::run(py, move |_| cost(&program))?)
    }

    /// Returns the diagnostics of programs and traces, as `goalspec check` does: those of loading, the unreachable parts of planning
    /// problems, the lints of reward functions, and the diagnostics of the traces among the paths of the library and of `paths`. Those of
    /// at least the severity `deny` are errors.
    fn check<'py>(&self, py: Python<'py>, paths: Vec<PathBuf>, deny: &str) -> PyResult<Bound<'py, PyList>> {
        let limit = severity(deny)?;
        let (library, mut found) = (Arc::clone(&self.inner), self.all_diagnostics());
        let paths: Vec<PathBuf> = self.traces.iter().cloned().chain(paths).collect();
        let found = background::run(py, move |cancelled| {
            check(&library, &paths, &mut found, &|_| background::checkpoint(cancelled));
            for denied in found.iter_mut().filter(|diagnostic| diagnostic.severity >= limit) {
                denied.severity = Severity::Error;
            }
            found
        })?;
        diagnostics::to_python(py, &found, self.inner.sources())
    }
}

/// Returns the memory that monitoring a program requires, as text; `None` if it is not monitored.
fn cost(program: &Program) -> Option<String> {
    let world = program.world.as_ref()?;
    let cost = if let Some(game) = program.game() {
        CompiledGame::new(Arc::clone(world), Arc::clone(game)).map(|game| game.memory_requirements().to_string())
    } else {
        CompiledGoal::new(Arc::clone(world), program.goal()?).map(|goal| {
            let (gates, _) = goal.gate_and_connection_counts();
            format!("{} atoms, {gates} gates", goal.atoms().len())
        })
    };
    Some(cost.unwrap_or_else(|error| error.to_string()))
}

/// Returns the severity of this name.
fn severity(name: &str) -> PyResult<Severity> {
    let severities = [Severity::Note, Severity::Warning, Severity::Error];
    severities
        .into_iter()
        .find(|severity| severity.to_string() == name)
        .ok_or_else(|| value_error(format!("unknown severity `{name}`: expected `note`, `warning` or `error`")))
}

/// Adds the diagnostics of checking beyond those of loading. `progress` is called at least once for each path.
fn check(library: &library::Library, paths: &[PathBuf], found: &mut Vec<Diagnostic>, progress: &dyn Fn(u64)) {
    found.extend(planning_problems::unreachable_parts(library));
    found.extend(reward_lints::diagnostics(library));
    let mut inputs = Vec::new();
    for path in paths {
        progress(0);
        match files::trace_input(path) {
            Ok(input) => inputs.push(input),
            Err(error) => found.push(*error),
        }
    }
    found.extend(reward_lints::recording_diagnostics(library, &inputs, None, progress));
    let worlds = library.program_worlds();
    for input in inputs.iter().filter(|_| !worlds.is_empty()) {
        progress(0);
        match recordings::for_each_game(input, library, &mut |_| {}) {
            Some(result) => found.extend(result.err().map(|error| *error)),
            None => found.extend(traces::check(input, &worlds, false, progress)),
        }
    }
}

impl Library {
    /// Returns the library of the facade.
    pub(crate) fn shared(&self) -> &Arc<library::Library> {
        &self.inner
    }

    /// Returns the options by which the library was loaded.
    pub(crate) fn options(&self) -> &LibraryOptions {
        &self.options
    }

    /// Returns the traces among the paths of the library.
    pub(crate) fn traces(&self) -> &[PathBuf] {
        &self.traces
    }

    /// Returns a program by its index.
    pub(crate) fn program(&self, index: usize) -> PyResult<&Program> {
        self.inner.programs().get(index).ok_or_else(|| PyIndexError::new_err("the library has no such program"))
    }

    fn all_diagnostics(&self) -> Vec<Diagnostic> {
        self.found.iter().chain(self.inner.diagnostics()).cloned().collect()
    }

    /// Returns a changed copy.
    fn changed(&self, py: Python<'_>, change: impl FnOnce(&mut library::Library) + Send + 'static) -> PyResult<Self> {
        let (mut library, options) = (library::Library::clone(&self.inner), self.options.clone());
        let (found, traces) = (self.found.clone(), self.traces.clone());
        Ok(background::run(py, move |_| {
            change(&mut library);
            Self { inner: Arc::new(library), options, found, traces }
        })?)
    }
}

/// Returns the name of the language of a program.
fn language(program: &Program) -> &'static str {
    match program.content {
        ProgramContent::Game(_) => "game",
        ProgramContent::Activity(_) => "bddl",
        ProgramContent::Resource(_) => "rgg",
        ProgramContent::Planning(_) => "pddl",
        ProgramContent::Reward(_) => "reward",
    }
}

/// Returns the names of the preferences of a game or a planning problem.
fn preferences(program: &Program) -> Vec<String> {
    if let Some(game) = program.game() {
        return game.preferences.iter().map(|preference| preference.name.to_string()).collect();
    }
    Vec::new()
}

/// Returns the canonical layout of a text.
#[pyfunction]
pub(crate) fn format(py: Python<'_>, text: String, name: String) -> PyResult<String> {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    library::format(sources.file(id)).map_err(|errors| check_error(py, &errors, &sources))
}

/// Returns the documentation of a diagnostic code.
#[pyfunction]
pub(crate) fn explain(code: &str) -> PyResult<String> {
    let docs = codes::all();
    let table = CodeTable::new([&docs[..]]);
    table.explain(code).map_err(|error| PyKeyError::new_err(error.to_string()))
}
