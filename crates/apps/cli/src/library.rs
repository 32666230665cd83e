//! The discovery and loading of the files among the paths of a command, with uniform diagnostics.

use std::collections::HashSet;
use std::path::PathBuf;

use goalspec::files::{self, Inputs};
use goalspec::library::{Library, LibraryOptions};
use goalspec::releases::{self, Releases};
use goalspec::settings::Settings;
use goalspec::syntax::{Code, Diagnostic, Sources};

use crate::args::{PlanningArgs, ProgramArgs};
use crate::output::{CommandError, Output};
use crate::progress::Progress;
use crate::threads::thread_pool;

/// Returns the settings of the project in the current folder.
pub(crate) fn settings() -> Result<Settings, CommandError> {
    let folder = std::env::current_dir().unwrap_or_default();
    Settings::find(&folder).map_err(|error| CommandError::Usage(error.to_string()))
}

/// The files discovered under the paths of a command.
pub(crate) struct DiscoveredFiles {
    /// The files by kind.
    pub(crate) inputs: Inputs,
    /// The diagnostics of paths without files.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The loaded programs and worlds.
pub(crate) struct LoadedLibrary {
    /// The programs and worlds, with their diagnostics.
    pub(crate) library: Library,
    /// Further diagnostics, of paths and options.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Resolves activities given as `bddl:NAME` to their files; returns all paths, with the diagnostics of the names.
pub(crate) fn resolve_activities(
    paths: &[PathBuf],
    releases: impl Fn() -> (Releases, Option<Box<Diagnostic>>),
) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let (mut files, mut diagnostics) = (Vec::new(), Vec::new());
    for path in paths {
        let name =
            path.to_str().and_then(|path| path.strip_prefix(releases::ACTIVITY_PREFIX)).filter(|_| !path.exists());
        let Some(name) = name else {
            files.push(path.clone());
            continue;
        };
        // Errors in the configuration are reported when the knowledge base is loaded.
        match releases().0.activity_files(name) {
            Ok(found) => files.extend(found),
            Err(missing) => diagnostics.push(*missing),
        }
    }
    (files, diagnostics)
}

impl DiscoveredFiles {
    /// Discovers the files under the paths.
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        let progress = Progress::discovery();
        let (inputs, diagnostics) = files::discover(paths, &|| progress.advance());
        progress.finish();
        Self { inputs, diagnostics }
    }

    /// Discovers the files under the paths, some of which may be activities given as `bddl:NAME`.
    pub(crate) fn with_activities(paths: &[PathBuf], activities: &ProgramArgs) -> Self {
        let (paths, diagnostics) = resolve_activities(paths, || activities.releases());
        let mut found = Self::new(&paths);
        found.diagnostics.extend(diagnostics);
        found
    }

    /// Loads the programs and worlds.
    pub(crate) fn load(&self, activities: &ProgramArgs) -> Result<LoadedLibrary, CommandError> {
        self.load_with(activities, &PlanningArgs::default())
    }

    /// Loads the programs and worlds, with options for planning problems.
    pub(crate) fn load_with(
        &self,
        activities: &ProgramArgs,
        planning: &PlanningArgs,
    ) -> Result<LoadedLibrary, CommandError> {
        self.load_with_world(None, activities, planning)
    }

    /// Returns the files with the worlds that the settings name.
    pub(crate) fn inputs_with(&self, settings: &Settings) -> Inputs {
        let mut inputs = self.inputs.clone();
        let is_given = |file: &PathBuf| {
            let file = file.canonicalize();
            file.is_ok_and(|file| self.inputs.worlds.iter().any(|own| own.canonicalize().is_ok_and(|own| own == file)))
        };
        inputs.worlds.splice(..0, settings.world_files().into_iter().filter(|file| !is_given(file)));
        inputs
    }

    /// Loads the programs and worlds, with a world for reward functions.
    pub(crate) fn load_with_world(
        &self,
        world: Option<&str>,
        activities: &ProgramArgs,
        planning: &PlanningArgs,
    ) -> Result<LoadedLibrary, CommandError> {
        let (mut reading, configuration_diagnostics) = activities.library_options()?;
        if let Some(world) = world {
            reading.reward_world = Some(world.to_owned());
        }
        if let Some(domain) = &planning.domain {
            reading.planning_domain = Some(domain.display().to_string());
        }
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.extend(configuration_diagnostics);
        let inputs = self.inputs_with(&settings()?);
        let progress = Progress::programs(inputs.worlds.len() + inputs.programs.len());
        let library = load(&inputs, reading, &progress)?;
        progress.finish();
        activities.reject_unused(&library)?;
        Ok(LoadedLibrary { library, diagnostics })
    }
}

/// The identity of a diagnostic beyond its library.
#[derive(PartialEq, Eq, Hash)]
struct Finding<'l> {
    /// The file with the range of bytes.
    place: Option<(&'l str, u32, u32)>,
    code: Code,
    message: &'l str,
}

impl<'l> Finding<'l> {
    fn of(diagnostic: &'l Diagnostic, sources: &'l Sources) -> Self {
        let place = diagnostic.span.and_then(|span| Some((sources.find(span.source)?.name(), span.start, span.end)));
        Self { place, code: diagnostic.code, message: &diagnostic.message }
    }
}

impl LoadedLibrary {
    /// Prints all diagnostics; returns whether none is an error.
    pub(crate) fn report(&self, output: &Output) -> bool {
        self.report_beside(None, output)
    }

    /// Prints the diagnostics that another library, whose diagnostics are already printed, does not have: both may share files. Returns
    /// whether no diagnostic is an error.
    pub(crate) fn report_beside(&self, printed: Option<&Self>, output: &Output) -> bool {
        let known: HashSet<Finding<'_>> = printed.into_iter().flat_map(Self::findings).collect();
        let own = [&self.diagnostics, self.library.diagnostics()].concat();
        let new: Vec<Diagnostic> =
            own.iter().filter(|found| !known.contains(&Finding::of(found, self.library.sources()))).cloned().collect();
        output.report(&new, self.library.sources());
        !own.iter().any(Diagnostic::is_error)
    }

    fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        let diagnostics = self.diagnostics.iter().chain(self.library.diagnostics());
        diagnostics.map(|found| Finding::of(found, self.library.sources()))
    }

    /// Returns an error if there is an activity among the programs, for options that do not apply to activities.
    pub(crate) fn refuse_activities(&self, reason: &str) -> Result<(), CommandError> {
        match self.library.programs().iter().find(|program| program.as_activity().is_some()) {
            Some(activity) => Err(CommandError::Usage(format!("`{}` is an activity: {reason}", activity.name))),
            None => Ok(()),
        }
    }
}

/// Loads programs and worlds on all cores.
pub(crate) fn load(inputs: &Inputs, mut options: LibraryOptions, progress: &Progress) -> Result<Library, CommandError> {
    if inputs.programs.len() > 1 {
        options.pool = Some(thread_pool(None)?);
    }
    Ok(Library::load(inputs, options, &|| progress.advance()))
}
