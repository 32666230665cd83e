//! The documents of an editor and the folders around them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use goalspec::files::{FileAccess, Inputs};
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::program::RewardProgram;
use goalspec::settings::Settings;
use goalspec::syntax::Diagnostic;
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::files::{Dependencies, Document, Overlay, Recorder};

/// Maximum number of files of a workspace that are searched for symbols and references.
pub const MAX_WORKSPACE_FILES: usize = 20_000;

/// Maximum number of analyses that are kept.
const MAX_ANALYSES: usize = 256;

/// The number of sections by which a YAML file is recognised as a resource graph game.
const MIN_RGG_SECTIONS: usize = 3;

/// The endings of the names of files with programs and worlds.
const EXTENSIONS: [&str; 5] = [".game", ".goal", ".bddl", ".pddl", ".world.toml"];

/// An analysis with the accesses from which it was made.
#[derive(Debug)]
struct CachedAnalysis {
    dependencies: Dependencies,
    analysis: Arc<Analysis>,
    /// The number of the last use.
    used: u64,
}

#[derive(Debug, Default)]
struct Cache {
    analyses: FxHashMap<PathBuf, CachedAnalysis>,
    uses: u64,
}

/// The open documents and folders of an editor, with the options for reading programs.
#[derive(Debug, Default)]
pub struct Workspace {
    folders: Arc<[PathBuf]>,
    overlay: Arc<Overlay>,
    settings: Arc<Settings>,
    options: LibraryOptions,
    worlds: Arc<[PathBuf]>,
    revision: u64,
    cache: Arc<Mutex<Cache>>,
}

impl Workspace {
    /// Returns a workspace of these folders without open documents.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), ..Self::default() }
    }

    /// Sets the settings with which programs are read. Returns the diagnostics of the knowledge base that they name.
    pub fn configure(&mut self, settings: Settings) -> Vec<Diagnostic> {
        let (options, diagnostics) = settings.library_options();
        (self.options, self.worlds) = (options, settings.world_files().into());
        self.settings = Arc::new(settings);
        self.cache = Arc::default();
        diagnostics
    }

    /// Opens a document, or replaces its text.
    pub fn set_text(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) {
        self.revision += 1;
        let document = Document { text: text.into(), revision: self.revision };
        Arc::make_mut(&mut self.overlay).documents.insert(path.into(), document);
    }

    /// Closes a document: from now on, its text is that of the file.
    pub fn close(&mut self, path: &Path) {
        Arc::make_mut(&mut self.overlay).documents.remove(path);
    }

    /// Returns the text of an open document.
    pub fn text(&self, path: &Path) -> Option<&Arc<str>> {
        self.overlay.documents.get(path).map(|document| &document.text)
    }

    /// Iterates over the paths of the open documents, in no particular order.
    pub fn open_documents(&self) -> impl Iterator<Item = &Path> {
        self.overlay.documents.keys().map(PathBuf::as_path)
    }

    /// Returns the present state, which later changes of the workspace do not affect.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            folders: self.folders.clone(),
            settings: self.settings.clone(),
            overlay: self.overlay.clone(),
            options: self.options.clone(),
            worlds: self.worlds.clone(),
            cache: self.cache.clone(),
        }
    }
}

/// A state of a [`Workspace`]. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Snapshot {
    folders: Arc<[PathBuf]>,
    settings: Arc<Settings>,
    overlay: Arc<Overlay>,
    options: LibraryOptions,
    worlds: Arc<[PathBuf]>,
    cache: Arc<Mutex<Cache>>,
}

impl Snapshot {
    /// Whether a document is a program or a world, as opposed to ordinary Python or YAML, which other servers serve. A Python file is one if
    /// the settings name it, or if it defines a reward function; a YAML file if its name ends with `.rgg.yaml`, or if three of its
    /// top-level keys are sections of a resource graph game.
    pub fn serves(&self, path: &Path) -> bool {
        let name = path.to_string_lossy();
        let text = || self.text(path).unwrap_or_default();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("py") => self.settings.names_reward(path) || RewardProgram::is_reward_source(&text()),
            Some("yaml" | "yml") => name.ends_with(".rgg.yaml") || rgg_sections(&text()) >= MIN_RGG_SECTIONS,
            Some("toml") => name.ends_with(".world.toml"),
            _ => true,
        }
    }

    /// Returns the analysis of a document or file.
    pub fn analysis(&self, path: &Path) -> Arc<Analysis> {
        if let Some(analysis) = self.cached(path) {
            return analysis;
        }
        let recorder = Recorder::new(self.overlay.clone());
        let mut inputs = Inputs { worlds: self.worlds.to_vec(), ..Inputs::default() };
        let is_world = path.to_string_lossy().ends_with(".world.toml");
        if is_world {
            inputs.worlds.retain(|world| world != path);
            inputs.worlds.push(path.to_owned());
        } else {
            inputs.programs.push(path.to_owned());
        }
        let options = LibraryOptions { files: FileAccess::new(recorder.clone()), ..self.options.clone() };
        let library = Library::load(&inputs, options, &|| ());
        let analysis = Arc::new(Analysis::new(path, library));
        self.keep(path, recorder.take(), &analysis);
        analysis
    }

    fn cached(&self, path: &Path) -> Option<Arc<Analysis>> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.uses += 1;
        let uses = cache.uses;
        let cached = cache.analyses.get_mut(path).filter(|cached| cached.dependencies.are_current(&self.overlay))?;
        cached.used = uses;
        Some(cached.analysis.clone())
    }

    fn keep(&self, path: &Path, dependencies: Dependencies, analysis: &Arc<Analysis>) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let used = cache.uses;
        cache.analyses.insert(path.to_owned(), CachedAnalysis { dependencies, analysis: analysis.clone(), used });
        if cache.analyses.len() > MAX_ANALYSES {
            let oldest = cache.analyses.iter().min_by_key(|(_, cached)| cached.used).map(|(path, _)| path.clone());
            oldest.and_then(|oldest| cache.analyses.remove(&oldest));
        }
    }

    /// Returns the open documents whose analysis, as far as it is known, depends on a file other than themselves, including outdated ones.
    pub fn dependents(&self, path: &Path) -> Vec<PathBuf> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let depends =
            |other: &&PathBuf| cache.analyses.get(*other).is_some_and(|cached| cached.dependencies.contain(path));
        self.overlay.documents.keys().filter(|other| *other != path).filter(depends).cloned().collect()
    }

    /// Returns the text of a document or file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&self, path: &Path) -> Result<Arc<str>, Box<Diagnostic>> {
        self.overlay.read_text(path)
    }

    /// Whether a path names an open document or a regular file, which can be read without blocking.
    pub fn has_text(&self, path: &Path) -> bool {
        self.overlay.documents.contains_key(path) || path.is_file()
    }

    /// Returns a state in which a document has another text.
    #[must_use]
    pub fn with_text(&self, path: &Path, text: impl Into<Arc<str>>) -> Self {
        let mut overlay = (*self.overlay).clone();
        // The state has a cache of its own, so this revision meets no other.
        overlay.documents.insert(path.to_owned(), Document { text: text.into(), revision: u64::MAX });
        Self { overlay: Arc::new(overlay), cache: Arc::default(), ..self.clone() }
    }

    /// Returns the open documents and the files of programs and worlds in the folders of the workspace, sorted, up to
    /// [`MAX_WORKSPACE_FILES`]. Hidden folders and those of build results are left out.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.overlay.documents.keys().cloned().collect();
        let mut folders = self.folders.to_vec();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && !name.starts_with('.') && !matches!(&*name, "node_modules" | "target") {
                    folders.push(path);
                } else if kind.is_file() && EXTENSIONS.iter().any(|extension| name.ends_with(extension)) {
                    files.push(path);
                }
            }
            if files.len() >= MAX_WORKSPACE_FILES {
                break;
            }
        }
        files.sort();
        files.dedup();
        files.truncate(MAX_WORKSPACE_FILES);
        files
    }
}

/// Returns the number of top-level keys of a YAML text that are sections of a resource graph game.
fn rgg_sections(text: &str) -> usize {
    let keys = goalspec::syntax::source::lines(text).filter_map(|line| line.split_once(':'));
    keys.filter(|(key, _)| goalspec::rgg::is_section(key)).count()
}
