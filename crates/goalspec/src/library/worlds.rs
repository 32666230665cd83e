//! The worlds of a library: loading, lookup by name, and the choice of a world for reward functions.

use std::path::Path;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_rewards::world::RewardWorld;
use goalspec_rewards::{screen_worlds, shipped_worlds};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use rustc_hash::FxHashMap;

use super::Library;
use crate::codes;
use crate::files::{self, TextFiles};
use crate::program::Program;

/// The chosen worlds for reward functions.
#[derive(Debug, Clone, Default)]
pub(super) struct RewardWorldChoice {
    /// The world that the options name.
    pub(super) requested: Option<RewardWorld>,
    /// The only world loaded from a file, for programs that import none.
    pub(super) default_world: Option<RewardWorld>,
    /// The number of loaded worlds at the time of the choice; `None` before the first one.
    worlds: Option<usize>,
}

/// The worlds that games may be about, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct NamedWorlds {
    /// The world of each name. The world of a file precedes that of a resource graph game, which precedes that of a planning
    /// problem; of two worlds of one kind, the first one is kept.
    by_name: FxHashMap<String, (WorldOrigin, Arc<World>)>,
    /// The worlds of the planning problems of each domain. The names of domains are in lower case.
    problems: FxHashMap<String, Vec<Arc<World>>>,
    /// The built-in worlds in use, which games share.
    shipped: FxHashMap<String, Arc<World>>,
}

/// The origin of a world, in the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WorldOrigin {
    File,
    Resource,
    Planning,
}

impl NamedWorlds {
    fn add(&mut self, kind: WorldOrigin, world: &Arc<World>) {
        let known = self.by_name.entry(world.name().to_owned()).or_insert_with(|| (kind, world.clone()));
        if kind < known.0 {
            *known = (kind, world.clone());
        }
    }

    /// Adds the world that a program defines, if any.
    pub(super) fn add_program(&mut self, program: &Program) {
        let Some(world) = &program.world else { return };
        if program.as_resource().is_some() {
            self.add(WorldOrigin::Resource, world);
        } else if let Some(problem) = program.as_planning() {
            self.add(WorldOrigin::Planning, world);
            if let Some(domain) = &problem.domain {
                let name = domain.domain.name.text().to_ascii_lowercase();
                self.problems.entry(name).or_default().push(world.clone());
            }
        }
    }

    /// Finds the world of this name. The name of a planning domain refers to the first of its problems.
    pub(super) fn find(&self, name: &str) -> Option<&Arc<World>> {
        let named = self.by_name.get(name).map(|(_, world)| world);
        named.or_else(|| self.problems_of(name).first())
    }

    /// Returns the worlds of the planning problems of a domain.
    pub(super) fn problems_of(&self, domain: &str) -> &[Arc<World>] {
        self.problems.get(&domain.to_ascii_lowercase()).map_or(&[], |worlds| worlds)
    }

    /// Returns the world of the games of a domain, which they share.
    pub(super) fn of_games(&mut self, domain: &str) -> Option<Arc<World>> {
        if let Some(world) = self.find(domain) {
            return Some(world.clone());
        }
        let world = shipped_worlds::find(domain)?;
        Some(self.shipped.entry(world.name().to_owned()).or_insert(world).clone())
    }
}

impl Library {
    /// Loads a world file. A world that it extends is looked up among the built-in worlds, then in the folder of the file, plain
    /// or compressed.
    pub fn load_world(&mut self, path: &Path) {
        let access = self.options.files.clone();
        let text = match access.read_text(path) {
            Ok(text) => text,
            Err(diagnostic) => return self.diagnostics.push(*diagnostic),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut unreadable = Vec::new();
        let mut find_in_folder = |name: &str| {
            let paths = ["", ".gz", ".zst"].map(|suffix| folder.join(format!("{name}.world.toml{suffix}")));
            let path = paths.into_iter().find(|path| access.is_file(path))?;
            match access.read_text(&path) {
                Ok(text) => Some((path.display().to_string(), text)),
                Err(diagnostic) => {
                    unreadable.push(*diagnostic);
                    None
                }
            }
        };
        let before = self.worlds.len();
        let diagnostics = self.parse_world(&path.display().to_string(), text.into(), &mut find_in_folder);
        self.diagnostics.extend(unreadable.into_iter().chain(diagnostics));
        if let Some(world) = self.worlds.get(before) {
            self.world_files.push((path.to_owned(), world.clone()));
        }
    }

    /// Adds the text of a world. A world that it extends is looked up among the built-in worlds, then by `find`, which returns the
    /// name and the text of the world with a given name, or `None`.
    pub fn add_world(
        &mut self,
        name: &str,
        text: impl Into<Arc<str>>,
        find: &mut dyn FnMut(&str) -> Option<(String, String)>,
    ) {
        let before = self.worlds.len();
        let diagnostics = self.parse_world(name, text.into(), find);
        self.diagnostics.extend(diagnostics);
        if let Some(world) = self.worlds.get(before) {
            self.world_files.push((name.into(), world.clone()));
        }
    }

    /// Adds the text of a world and returns its diagnostics. `find` returns the name and the text of a world that is not built in.
    fn parse_world(
        &mut self,
        name: &str,
        text: Arc<str>,
        find: &mut dyn FnMut(&str) -> Option<(String, String)>,
    ) -> Vec<Diagnostic> {
        let id = self.sources.add(name, text);
        let file = self.sources.file(id).clone();
        let mut find = |name: &str| match screen_worlds::world_source(name) {
            Some(text) => Some((format!("{name}{}", files::WORLD_EXTENSION), text.to_owned())),
            None => find(name),
        };
        let (world, mut diagnostics) = goalspec_game::worlds::parse(&file, &mut self.sources, &mut find);
        let Some(world) = world else { return diagnostics };
        if self.worlds.iter().any(|other| other.name() == world.name()) {
            let message = format!("duplicate world `{}`, the second in `{name}`", world.name());
            diagnostics.push(Diagnostic::new(codes::DUPLICATE_WORLD, Severity::Error, message));
        } else {
            if shipped_worlds::names().any(|shipped| shipped == world.name()) {
                let message = format!("the world `{}` in `{name}` replaces the built-in world", world.name());
                diagnostics.push(Diagnostic::new(codes::SHADOWED_WORLD, Severity::Warning, message));
            }
            let world = Arc::new(world);
            self.named_worlds.add(WorldOrigin::File, &world);
            self.worlds.push(world);
        }
        diagnostics
    }

    /// Chooses the worlds for reward functions, again if worlds were loaded since the last choice.
    pub(super) fn choose_worlds(&mut self) {
        if self.choice.worlds == Some(self.worlds.len()) {
            return;
        }
        let requested = match (self.choice.requested.take(), self.options.reward_world.clone()) {
            (None, Some(name)) if self.choice.worlds.is_none() => self.find_world(&name),
            (requested, _) => Ok(requested),
        };
        let default_world = match &self.worlds[..] {
            [world] => RewardWorld::from_world(world.clone()).map(Some),
            _ => Ok(None),
        };
        self.choice.worlds = Some(self.worlds.len());
        self.choice.requested = requested.unwrap_or_else(|error| {
            self.diagnostics.push(*error);
            None
        });
        self.choice.default_world = default_world.unwrap_or_else(|error| {
            self.diagnostics.push(*error);
            None
        });
    }

    /// Finds a world for reward functions by name or file. A file that is not yet loaded is loaded.
    fn find_world(&mut self, name: &str) -> Result<Option<RewardWorld>, Box<Diagnostic>> {
        if let Some(screen) = screen_worlds::builtin(name) {
            return Ok(Some(RewardWorld::Screen(screen)));
        }
        let path = Path::new(name);
        let loaded = |library: &Self| {
            let of_file = library.world_files.iter().find(|(file, _)| same_file(file, path)).map(|(_, world)| world);
            of_file.or_else(|| library.worlds.iter().find(|world| world.name() == name)).cloned()
        };
        if let Some(world) = loaded(self).or_else(|| shipped_worlds::find(name)) {
            return RewardWorld::from_world(world).map(Some);
        }
        if self.options.files.is_file(path) {
            self.load_world(path);
            // Errors of the file have been reported.
            return loaded(self).map(RewardWorld::from_world).transpose();
        }
        Err(shipped_worlds::unknown_world(name, &self.worlds))
    }

    /// Returns the world for reward functions that the options name.
    pub fn reward_world(&self) -> Option<Arc<World>> {
        self.choice.requested.as_ref().map(|world| world.core().clone())
    }

    /// Iterates over the worlds that were read from files, with the paths of the files.
    pub fn world_files(&self) -> impl Iterator<Item = (&Path, &Arc<World>)> {
        self.world_files.iter().map(|(path, world)| (path.as_path(), world))
    }

    /// Returns the worlds loaded from files, followed by the world of each program other than a reward function.
    pub fn all_worlds(&self) -> Vec<Arc<World>> {
        let of_programs = self.programs.iter().filter(|program| program.as_reward().is_none());
        let of_programs = of_programs.filter_map(|program| program.world.clone());
        self.worlds.iter().cloned().chain(of_programs).collect()
    }
}

/// Whether two paths lead to the same file.
fn same_file(left: &Path, right: &Path) -> bool {
    left == right || left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}
