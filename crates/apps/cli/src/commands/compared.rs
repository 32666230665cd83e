//! The programs that `goalspec diff` and `goalspec equiv` compare: `FILE`, or `FILE#NAME` for one of several programs of a file.

use std::path::{Path, PathBuf};

use goalspec::program::Program;

use crate::args::{PlanningArgs, ProgramArgs};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, Output};

/// The exit code of inputs with errors.
const INVALID_INPUT: u8 = 2;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 4;

/// A program to compare.
pub(crate) struct ComparedPath<'p> {
    given: &'p Path,
    /// The path of its file or folder, or the name of an activity.
    path: PathBuf,
    /// The name of the program, if there may be several.
    name: Option<&'p str>,
}

impl<'p> ComparedPath<'p> {
    /// Takes the name of the program off a path, unless the path exists as it is.
    pub(crate) fn new(given: &'p Path) -> Self {
        let split = given.to_str().filter(|_| !given.exists()).and_then(|text| text.rsplit_once('#'));
        let (path, name) = split.map_or((given.to_owned(), None), |(path, name)| (path.into(), Some(name)));
        Self { given, path, name }
    }

    /// Returns the path of its file or folder.
    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Loads its file, and that of the world of games. Diagnostics that `printed` has are not printed again.
    ///
    /// # Errors
    /// If there are errors, which are printed.
    pub(crate) fn load(
        &self,
        world: Option<&Path>,
        options: (&ProgramArgs, &PlanningArgs),
        printed: Option<&LoadedLibrary>,
        output: &Output,
    ) -> Result<LoadedLibrary, CommandError> {
        let world = world.filter(|world| **world != self.path).map(Path::to_owned);
        let paths: Vec<_> = std::iter::once(self.path.clone()).chain(world).collect();
        let files = DiscoveredFiles::with_activities(&paths, options.0);
        let loaded = files.load_with(options.0, options.1)?;
        if loaded.report_beside(printed, output) { Ok(loaded) } else { Err(CommandError::ExitCode(INVALID_INPUT)) }
    }

    /// Returns the program, of those for which `compared` returns a value. Programs of the file of the world are none of its.
    ///
    /// # Errors
    /// If there is no program, or there are several; `kinds` are the kinds of programs that can be compared.
    pub(crate) fn only_program<'l, T>(
        &self,
        loaded: &'l LoadedLibrary,
        world: Option<&Path>,
        kinds: &str,
        compared: impl Fn(&'l Program) -> Option<T>,
    ) -> Result<T, CommandError> {
        let world = world.filter(|world| **world != self.path).map(|world| world.display().to_string());
        let is_own = |program: &Program| {
            let file = loaded.library.sources().find(program.source);
            file.is_none_or(|file| Some(file.name()) != world.as_deref())
        };
        let programs = loaded.library.programs().iter().filter(|program| is_own(program));
        let mut found: Vec<(&str, T)> =
            programs.filter_map(|program| Some((&*program.name, compared(program)?))).collect();
        let all: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        let mut listed = all.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if all.len() > MAX_LISTED {
            listed.push_str(", ..");
        }
        let (path, count) = (self.given.display(), all.len());
        if let Some(name) = self.name {
            let is_it = |full: &str| full.rsplit_once('#').is_some_and(|(_, own)| own == name);
            found.retain(|(full, _)| is_it(full));
            if found.is_empty() {
                return Err(CommandError::Usage(match count {
                    0 => format!("`{}` contains no {kinds} that can be compared", self.path.display()),
                    1 => format!("`{path}`: the file contains one program only; specify it without `#{name}`"),
                    _ => format!("there is no program `{path}`; the file contains {count}: {listed}"),
                }));
            }
        }
        match (found.pop(), found.len()) {
            (Some((_, only)), 0) => Ok(only),
            (None, _) => Err(CommandError::Usage(format!("`{path}` contains no {kinds} that can be compared"))),
            (Some(_), _) if self.name.is_some() => {
                Err(CommandError::Usage(format!("several programs have the name `{path}`; give them different names")))
            }
            (Some(_), _) => Err(CommandError::Usage(format!(
                "`{path}` contains {count} programs that can be compared: {listed}; specify one, such as `{}`",
                all[0]
            ))),
        }
    }
}
