//! What the paths of a command hold: found, read, and reported in one way by every command.

use std::path::PathBuf;

use goalspec::files::{self, Inputs};
use goalspec::library::Library;
use goalspec::releases::{self, Releases};
use goalspec::syntax::Diagnostic;

use crate::args::{PlanningArgs, ProgramArgs};
use crate::output::{Failure, Output};
use crate::progress::Progress;

/// The files that paths mean.
pub(crate) struct Found {
    /// The files.
    pub(crate) inputs: Inputs,
    /// Which paths mean nothing.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The programs and worlds of files, read and checked.
pub(crate) struct Loaded {
    /// The programs and worlds, with what was found in them.
    pub(crate) library: Library,
    /// What was found outside of them.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The paths with the files of activities in the place of their names, and what is wrong with the names.
pub(crate) fn named(
    paths: &[PathBuf],
    releases: impl Fn() -> (Releases, Option<Box<Diagnostic>>),
) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    for path in paths {
        let name = path.to_str().and_then(|path| path.strip_prefix(releases::PREFIX)).filter(|_| !path.exists());
        let Some(name) = name else {
            files.push(path.clone());
            continue;
        };
        // What is wrong with the configuration is said when it is read for the knowledge.
        match releases().0.activity(name) {
            Ok(found) => files.extend(found),
            Err(missing) => wrong.push(*missing),
        }
    }
    (files, wrong)
}

impl Found {
    /// Looks for the files.
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        let progress = Progress::searching();
        let (inputs, diagnostics) = files::discover(paths, &|| progress.advance());
        progress.finish();
        Self { inputs, diagnostics }
    }

    /// Looks for the files; activities may be named as `bddl:NAME`.
    pub(crate) fn among(paths: &[PathBuf], activities: &ProgramArgs) -> Self {
        let (paths, wrong) = named(paths, || activities.releases());
        let mut found = Self::new(&paths);
        found.diagnostics.extend(wrong);
        found
    }

    /// Reads the programs and worlds among them.
    pub(crate) fn load(&self, activities: &ProgramArgs) -> Result<Loaded, Failure> {
        self.load_with(activities, &PlanningArgs::default())
    }

    /// Reads the programs and worlds among them, planning problems too.
    pub(crate) fn load_with(&self, activities: &ProgramArgs, planning: &PlanningArgs) -> Result<Loaded, Failure> {
        self.load_in(None, activities, planning)
    }

    /// Reads the programs and worlds among them; reward functions with a world.
    pub(crate) fn load_in(
        &self,
        world: Option<&str>,
        activities: &ProgramArgs,
        planning: &PlanningArgs,
    ) -> Result<Loaded, Failure> {
        let (mut reading, wrong) = activities.reading()?;
        reading.rewards = world.map(str::to_owned);
        reading.domain.clone_from(&planning.domain);
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.extend(wrong);
        let progress = Progress::programs(self.inputs.worlds.len() + self.inputs.programs.len());
        let library = Library::load(&self.inputs, reading, &|| progress.advance());
        progress.finish();
        activities.refuse_idle(&library)?;
        Ok(Loaded { library, diagnostics })
    }
}

impl Loaded {
    /// Prints everything that was found, and says whether none of it is an error.
    pub(crate) fn report(&self, output: &Output) -> bool {
        let found = [&self.diagnostics, self.library.diagnostics()].concat();
        output.report(&found, self.library.sources());
        !found.iter().any(Diagnostic::is_error)
    }

    /// Refuses activities where an option has nothing to say about them.
    pub(crate) fn refuse_activities(&self, why: &str) -> Result<(), Failure> {
        match self.library.programs().iter().find(|program| program.as_activity().is_some()) {
            Some(activity) => Err(Failure::Usage(format!("`{}` is an activity, and {why}", activity.name))),
            None => Ok(()),
        }
    }
}
