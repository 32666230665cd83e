//! Sources, worlds and checked programs of one run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_game::ast;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceId, Sources, suggest};

use crate::codes;
use crate::files::{self, Inputs};

/// One program of a library.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file, and its own name where the file has several: `games.pddl#throwing`.
    pub name: Arc<str>,
    /// The text it stands in.
    pub source: SourceId,
    /// As written.
    pub ast: ast::Game,
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
        let parsed = goalspec_game::parse::parse(self.sources.get(source));
        let broken = |game: &ast::Game| {
            parsed.diagnostics.iter().any(|d| d.is_error() && (parsed.games.len() == 1 || covers(game, d)))
        };
        let several = parsed.games.len() > 1;
        for ast in &parsed.games {
            let name = if several { format!("{name}#{}", ast.name.text) } else { name.to_owned() };
            let broken = broken(ast);
            let world = self.world(ast);
            let game = world.as_ref().and_then(|world| {
                let checked = goalspec_game::resolve::resolve(ast, world);
                self.diagnostics.extend(checked.diagnostics);
                checked.game.filter(|_| !broken).map(Arc::new)
            });
            self.programs.push(Program { name: name.into(), source, ast: ast.clone(), world, game });
        }
        self.diagnostics.extend(parsed.diagnostics);
    }

    /// The world of a program's domain: one of those loaded, or one that goalspec ships.
    fn world(&mut self, ast: &ast::Game) -> Option<Arc<World>> {
        let domain = &*ast.domain.text;
        if let Some(world) = self.worlds.iter().find(|world| world.name() == domain) {
            return Some(world.clone());
        }
        if let Some(world) = goalspec_game::worlds::builtin(domain) {
            // Domains of several names can mean one room; programs of one room share it.
            let mut worlds = self.programs.iter().filter_map(|program| program.world.as_ref());
            let shared = worlds.rfind(|other| other.name() == world.name());
            return Some(shared.cloned().unwrap_or_else(|| Arc::new(world.clone())));
        }
        if domain.is_empty() {
            // The parser has said that the domain is missing.
            return None;
        }
        let mut known: Vec<String> = self.worlds.iter().map(|world| world.name().to_owned()).collect();
        known.extend(goalspec_game::worlds::names().map(str::to_owned));
        let mut diagnostic =
            Diagnostic::new(codes::UNKNOWN_DOMAIN, Severity::Error, format!("there is no world `{domain}`"));
        diagnostic.span = ast.domain.origin.0;
        if let Some(near) = suggest::nearest(domain, known.iter().map(String::as_str)) {
            diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(diagnostic.with_help(format!("known worlds: {}", known.join(", "))));
        None
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

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Whether a diagnostic lies in the text of a game.
fn covers(game: &ast::Game, diagnostic: &Diagnostic) -> bool {
    match (game.origin.0, diagnostic.span) {
        (Some(game), Some(place)) => place.start < game.end && game.start < place.end.max(place.start + 1),
        _ => true,
    }
}

/// The paths of a command that are programs.
pub fn program_paths(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let (inputs, diagnostics) = files::discover(paths);
    (inputs.programs, diagnostics)
}
