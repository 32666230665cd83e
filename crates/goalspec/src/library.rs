//! Sources, worlds and checked programs of one run.

use std::path::Path;
use std::sync::Arc;

use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_game::ast;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceId, Sources};

use crate::codes;
use crate::files::{self, Inputs};
use crate::run::Semantics;

/// One program of a library.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file, and its own name where the file has several: `games.pddl#throwing`.
    pub name: Arc<str>,
    /// The text it stands in.
    pub source: SourceId,
    /// As written, as far as it could be read.
    pub ast: ast::Game,
    /// Whether all of it could be read.
    pub readable: bool,
    /// What it speaks of; `None` if there is no such world.
    pub world: Option<Arc<World>>,
    /// What it means; `None` if it has errors.
    pub game: Option<Arc<Game>>,
}

/// Everything that was loaded. Loading never fails as a whole: what is wrong is in [`diagnostics`](Self::diagnostics).
#[derive(Debug, Clone, Default)]
pub struct Library {
    sources: Sources,
    worlds: Vec<Arc<World>>,
    programs: Vec<Program>,
    diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// An empty library; only the worlds that goalspec ships are known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads the worlds and then the programs among the inputs.
    pub fn load(inputs: &Inputs) -> Self {
        let mut library = Self::new();
        for path in &inputs.worlds {
            library.load_world(path);
        }
        for path in &inputs.programs {
            library.load_program(path);
        }
        library
    }

    /// Loads a world file; world files that it extends are looked for beside it and among those that goalspec ships.
    pub fn load_world(&mut self, path: &Path) {
        match files::read_text(path) {
            Ok(text) => {
                let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
                self.add_world(&path.display().to_string(), text, &folder);
            }
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// Adds a world file's text; files that it extends are looked for in `folder` and among those that goalspec ships.
    pub fn add_world(&mut self, name: &str, text: impl Into<Arc<str>>, folder: &Path) {
        let id = self.sources.add(name, text);
        let file = self.sources.get(id).clone();
        let mut beside = |name: &str| files::read_text(&folder.join(format!("{name}.world.toml"))).ok();
        let (world, diagnostics) = goalspec_game::worlds::parse(&file, &mut self.sources, &mut beside);
        self.diagnostics.extend(diagnostics);
        let Some(world) = world else { return };
        if self.worlds.iter().any(|other| other.name() == world.name()) {
            let message = format!("there are two worlds named `{}`", world.name());
            self.diagnostics.push(Diagnostic::new(codes::DUPLICATE_WORLD, Severity::Error, message));
        } else {
            self.worlds.push(Arc::new(world));
        }
    }

    /// Loads all programs of a file.
    pub fn load_program(&mut self, path: &Path) {
        match files::read_text(path) {
            Ok(text) => self.add_program(&path.display().to_string(), text),
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// Adds all programs of a text under a name for messages.
    pub fn add_program(&mut self, name: &str, text: impl Into<Arc<str>>) {
        let source = self.sources.add(name, text);
        let find = |domain: &str| self.worlds.iter().find(|world| world.name() == domain).map(|world| &**world);
        let checked = goalspec_game::check(self.sources.get(source), find);
        let several = checked.games.len() > 1;
        if checked.games.is_empty() && !checked.diagnostics.iter().any(Diagnostic::is_error) {
            let message = format!("`{name}` holds no program");
            self.diagnostics.push(Diagnostic::new(codes::NO_PROGRAM, Severity::Error, message));
        }
        let mut programs = Vec::new();
        for game in checked.games {
            let name = if several { format!("{name}#{}", game.ast.name.text) } else { name.to_owned() };
            programs.push(Program {
                name: name.into(),
                source,
                readable: game.readable,
                world: game.world.map(|world| self.shared(&programs, world)),
                game: game.program.map(Arc::new),
                ast: game.ast,
            });
        }
        self.diagnostics.extend(checked.diagnostics);
        self.programs.extend(programs);
    }

    /// The world, shared with those that were loaded and with the programs so far.
    fn shared(&self, new: &[Program], world: &World) -> Arc<World> {
        let programs = self.programs.iter().chain(new).filter_map(|program| program.world.as_ref());
        let known = self.worlds.iter().chain(programs).find(|other| other.name() == world.name());
        known.cloned().unwrap_or_else(|| Arc::new(world.clone()))
    }

    /// All texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The programs, in order.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// The worlds that were loaded from files.
    pub fn worlds(&self) -> &[Arc<World>] {
        &self.worlds
    }

    /// Everything that was found.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Everything that was found, as far as it matters under some semantics. The authors' reward machine runs every program
    /// that can be read, so for [`Semantics::Reference`] names it does not know are only worth a warning.
    pub fn diagnostics_under(&self, semantics: Semantics) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics.clone();
        if semantics == Semantics::Reference {
            for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
                if self.programs.iter().any(|program| program.readable && covers(program, diagnostic)) {
                    diagnostic.severity = Severity::Warning;
                }
            }
        }
        diagnostics
    }
}

/// Whether a diagnostic lies in the text of a program.
fn covers(program: &Program, diagnostic: &Diagnostic) -> bool {
    match (program.ast.origin.0, diagnostic.span) {
        (Some(game), Some(place)) => game.source == place.source && game.start <= place.start && place.start < game.end,
        _ => false,
    }
}
