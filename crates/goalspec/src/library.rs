//! Sources, worlds and checked programs of one run.

use std::path::Path;
use std::sync::Arc;

use goalspec_bddl::ast::Domain;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::wildcard::{self, Layout};
use goalspec_bddl::{Dialect, check, domains, lower};
use goalspec_core::condition::Origin;
use goalspec_core::world::World;
use goalspec_game::lint::codes::MANY_BINDINGS;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::sexp::Parse;
use goalspec_syntax::{Diagnostic, SourceFile, SourceId, Sources};

use crate::codes;
use crate::files::{self, Inputs};
use crate::program::{Activity, Content, GameProgram, Program};
use crate::run::Semantics;

/// How programs are read where their language leaves a choice.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// How activities are read.
    pub dialect: Dialect,
    /// What is known of the things in activities.
    pub knowledge: Option<Arc<Knowledge>>,
    /// The scene whose things take the place of wildcards in activities; which things are meant takes `knowledge` to tell.
    pub scene: Option<Layout>,
}

/// The languages of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Game,
    Bddl,
}

/// Everything that was loaded. Loading never fails as a whole: what is wrong is in [`diagnostics`](Self::diagnostics).
#[derive(Debug, Clone, Default)]
pub struct Library {
    reading: Reading,
    sources: Sources,
    /// The vocabularies that activities may name, besides the built-in ones.
    domains: Vec<Domain>,
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
    pub fn load(inputs: &Inputs, reading: Reading) -> Self {
        let mut library = Self { reading, ..Self::default() };
        for path in &inputs.worlds {
            library.load_world(path);
        }
        let mut texts = Vec::new();
        for path in &inputs.programs {
            match files::read_text(path) {
                Ok(text) => texts.push((path.display().to_string(), text)),
                Err(diagnostic) => library.diagnostics.push(*diagnostic),
            }
        }
        // Vocabularies come before what is written in them.
        texts.sort_by_key(|(_, text)| first_definition(text) != Some("domain"));
        for (name, text) in texts {
            library.add_program(&name, text);
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
        let mut beside = |name: &str| {
            let path = folder.join(format!("{name}.world.toml"));
            files::read_text(&path).ok().map(|text| (path.display().to_string(), text))
        };
        let (world, diagnostics) = goalspec_game::worlds::parse(&file, &mut self.sources, &mut beside);
        self.diagnostics.extend(diagnostics);
        let Some(world) = world else { return };
        if self.worlds.iter().any(|other| other.name() == world.name()) {
            let message = format!("there are two worlds named `{}`, the second in `{name}`", world.name());
            self.diagnostics.push(Diagnostic::new(codes::DUPLICATE_WORLD, Severity::Error, message));
        } else {
            if goalspec_game::worlds::names().any(|shipped| shipped == world.name()) {
                let message = format!("the world `{}` in `{name}` takes the place of the built-in one", world.name());
                self.diagnostics.push(Diagnostic::new(codes::SHADOWED_WORLD, Severity::Warning, message));
            }
            self.worlds.push(Arc::new(world));
        }
    }

    /// Adds all programs of a text under a name for messages.
    pub fn add_program(&mut self, name: &str, text: impl Into<Arc<str>>) {
        let source = self.sources.add(name, text);
        let before = self.programs.len();
        let diagnostics = match language(self.sources.get(source)) {
            Language::Game => self.add_games(source),
            Language::Bddl => self.add_activities(source),
        };
        let vocabulary = self.domains.iter().any(|domain| domain.origin.0.is_some_and(|span| span.source == source));
        if self.programs.len() == before && !vocabulary && !diagnostics.iter().any(Diagnostic::is_error) {
            let message = format!("`{name}` holds no program");
            self.diagnostics.push(Diagnostic::new(codes::NO_PROGRAM, Severity::Error, message));
        }
        self.diagnostics.extend(diagnostics);
    }

    fn add_games(&mut self, source: SourceId) -> Vec<Diagnostic> {
        let file = self.sources.get(source);
        let find = |domain: &str| self.worlds.iter().find(|world| world.name() == domain).map(|world| &**world);
        let checked = goalspec_game::check(file, find);
        let several = checked.games.len() > 1;
        let mut programs = Vec::new();
        for game in checked.games {
            programs.push(Program {
                name: program_name(file, &game.ast.name.text, several),
                source,
                world: game.world.map(|world| self.shared(&programs, world)),
                content: Content::Game(Box::new(GameProgram {
                    readable: game.readable,
                    game: game.program.map(Arc::new),
                    ast: game.ast,
                })),
            });
        }
        self.programs.extend(programs);
        checked.diagnostics
    }

    fn add_activities(&mut self, source: SourceId) -> Vec<Diagnostic> {
        let Reading { dialect, knowledge, scene } = &self.reading;
        let file = self.sources.get(source);
        let mut checked = check::check(file, *dialect, knowledge.as_deref(), &self.domains);
        let mut diagnostics = checked.diagnostics;
        diagnostics.extend(checked.domains.iter_mut().filter_map(domains::complete));
        let domains = || self.domains.iter().chain(&checked.domains);
        let several = checked.problems.len() > 1;
        let mut programs = Vec::new();
        for (mut problem, verdicts) in checked.problems.into_iter().zip(checked.verdicts) {
            if let (Some(scene), Some(knowledge)) = (scene, knowledge) {
                match wildcard::expand(&problem, scene, knowledge.taxonomy()) {
                    Ok(expanded) => problem = expanded,
                    Err(error) => diagnostics.push(error.into()),
                }
            }
            let readable =
                !diagnostics.iter().any(|finding| finding.is_error() && (!several || lies_in(finding, problem.origin)));
            let domain = problem.domain.as_ref().and_then(|name| domains::named(&name.text, *dialect, domains()));
            let lowered = if readable { lower::lower(&problem, domain, *dialect).map(Some) } else { Ok(None) };
            let (world, goal) = lowered
                .unwrap_or_else(|error| {
                    diagnostics.push(Diagnostic::new(codes::REFUSED, Severity::Error, error.to_string()));
                    None
                })
                .map(|lowered| (Arc::new(lowered.world), Arc::new(lowered.goal)))
                .unzip();
            programs.push(Program {
                name: program_name(file, &problem.name.text, several),
                source,
                world,
                content: Content::Activity(Activity { dialect: *dialect, problem: Arc::new(problem), verdicts, goal }),
            });
        }
        self.programs.extend(programs);
        self.domains.extend(checked.domains);
        // That nothing is known of the things need be said only once.
        let said = |finding: &Diagnostic| finding.code == check::codes::NO_KNOWLEDGE;
        if self.diagnostics.iter().any(said) {
            diagnostics.retain(|finding| !said(finding));
        }
        diagnostics
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

    /// The vocabulary of this name that activities may be written in: one that was loaded or a built-in one.
    pub fn domain(&self, name: &str) -> Option<&Domain> {
        domains::named(name, self.reading.dialect, &self.domains)
    }

    /// The worlds that were loaded from files.
    pub fn worlds(&self) -> &[Arc<World>] {
        &self.worlds
    }

    /// The worlds that the programs are about, or those that were loaded from files where there is no program.
    pub fn played_worlds(&self) -> Vec<Arc<World>> {
        let mut worlds: Vec<Arc<World>> = Vec::new();
        for world in self.programs.iter().filter_map(|program| program.world.as_ref()) {
            if worlds.iter().all(|other| other.name() != world.name()) {
                worlds.push(world.clone());
            }
        }
        if self.programs.is_empty() { self.worlds.clone() } else { worlds }
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
            // The reward machine has a limit of its own, which it reports when it runs.
            diagnostics.retain(|finding| finding.code != MANY_BINDINGS || !finding.is_error());
            for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
                if self
                    .programs
                    .iter()
                    .filter_map(Program::as_game)
                    .any(|game| game.readable && lies_in(diagnostic, game.ast.origin))
                {
                    diagnostic.severity = Severity::Warning;
                }
            }
        }
        diagnostics
    }
}

/// The canonical layout of a text whose tree is at hand, by the rules of its language; comments are kept.
pub fn format(file: &SourceFile, tree: &Parse) -> String {
    match language(file) {
        Language::Game => goalspec_game::format::format_tree(file, tree),
        Language::Bddl => goalspec_bddl::format::format_tree(file, tree),
    }
}

/// The name of a program: its file's, and its own where the file has several.
fn program_name(file: &SourceFile, own: &str, several: bool) -> Arc<str> {
    if several { format!("{}#{own}", file.name()).into() } else { file.name().into() }
}

/// What a text is written in: BDDL if its name says so or its first definition is a problem or a domain, else the game language.
fn language(file: &SourceFile) -> Language {
    let ending = Path::new(file.name()).extension();
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("bddl")) {
        return Language::Bddl;
    }
    match first_definition(file.text()) {
        Some("problem" | "domain") => Language::Bddl,
        _ => Language::Game,
    }
}

/// What the first definition of a text defines: the word behind `(define (`.
fn first_definition(text: &str) -> Option<&str> {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or_default());
    let mut words =
        lines.flat_map(str::split_whitespace).flat_map(|word| word.split('(')).filter(|word| !word.is_empty());
    words.next().filter(|define| define.eq_ignore_ascii_case("define"))?;
    words.next()
}

/// Whether a diagnostic is about this piece of a text.
fn lies_in(diagnostic: &Diagnostic, piece: Origin) -> bool {
    match (piece.0, diagnostic.span) {
        (Some(piece), Some(place)) => {
            piece.source == place.source && piece.start <= place.start && place.start < piece.end
        }
        _ => false,
    }
}
