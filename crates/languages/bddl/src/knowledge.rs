//! The knowledge base of a release of the Python package: synsets with their abilities, object models, scenes and transition
//! rules, read from the data files of the release.
//!
//! ```no_run
//! use goalspec_bddl::knowledge::Knowledge;
//!
//! let knowledge = Knowledge::open("bddl-3.6.0/bddl".as_ref()).expect("the release exists");
//! let taxonomy = knowledge.taxonomy();
//! let stove = taxonomy.synset("stove.n.01").expect("there are stoves");
//! assert!(taxonomy.has_ability(stove, taxonomy.ability("heatSource").expect("an object gives heat")));
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`taxonomy`] | the graph of synsets, with their abilities, categories and substances |
//! | `edition` | the releases with different data files |
//! | `argument_requirements` | the abilities that predicates require of their arguments |
//! | [`rules`] | transition rules, and the synsets that they can produce |
//! | [`scenes`] | scenes, and whether they have the rooms that an activity needs |
//! | [`activity`] | queries about a whole activity |

pub mod activity;
pub(crate) mod argument_requirements;
mod build;
mod data_files;
mod edition;
mod files;
mod folder;
pub mod rules;
pub mod scenes;
pub(crate) mod tables;
pub mod taxonomy;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_syntax::diagnostic::Diagnostic;

pub use edition::Edition;
pub use folder::SynsetTree;

use argument_requirements::ArgumentRequirements;
use files::Files;
pub use files::ReadBytes;
use rules::TransitionRules;
use scenes::Scene;
use taxonomy::{SynsetId, Taxonomy};

use crate::dialect::Release;
use crate::planning::HouseholdActions;

/// The parameters of an ability, as in the data file.
pub type Parameters = serde_json::Map<String, serde_json::Value>;

/// The maximum number of synsets of a taxonomy. The table of descendants takes one bit for each pair of synsets: 32 MiB at this
/// maximum.
pub const MAX_SYNSETS: usize = 1 << 14;

/// The synset of the agent.
pub(crate) const AGENT: &str = "agent.n.01";

/// The maximum number of names that a message lists.
const MAX_LISTED: usize = 5;

/// The knowledge base of a release.
#[derive(Debug, Clone)]
pub struct Knowledge {
    edition: Edition,
    taxonomy: Taxonomy,
    needs: ArgumentRequirements,
    rules: TransitionRules,
    scenes: Vec<Scene>,
    room_types: Vec<Arc<str>>,
    /// The number of object models of each synset including its descendants; `None` if the release has no inventory.
    models: Option<Vec<u32>>,
    remarks: Vec<Diagnostic>,
    actions: Option<HouseholdActions>,
}

impl Knowledge {
    /// Reads the knowledge base in the folder of a release: the folder `generated_data` or the file `hierarchy_owned.json` in
    /// it, or in its subfolder `bddl`. Of the three trees of 1.0.0 it reads [`SynsetTree::Owned`], as the release does.
    ///
    /// # Errors
    /// A diagnostic without a source location if there is no knowledge base (`bddl/knowledge-unreadable`) or a file is damaged;
    /// the message contains file, line and column.
    pub fn open(folder: &Path) -> Result<Self, Box<Diagnostic>> {
        Self::open_tree(folder, SynsetTree::Owned)
    }

    /// Returns the release whose activities the files in a folder belong to, judged by their layout; `None` if there are no
    /// such files.
    pub fn detect_release(folder: &Path) -> Option<Release> {
        folder::layout(Files::Disk(&|path| std::fs::read(path)), folder, SynsetTree::Owned).map(|(release, _)| release)
    }

    /// Reads a knowledge base like [`Knowledge::open`], but another tree of 1.0.0. Later releases have a single tree, which is
    /// used.
    ///
    /// # Errors
    /// The same as [`Knowledge::open`].
    pub fn open_tree(folder: &Path, tree: SynsetTree) -> Result<Self, Box<Diagnostic>> {
        folder::open(Files::Disk(&|path| std::fs::read(path)), folder, tree)
    }

    /// Reads a knowledge base like [`Knowledge::open`], but the bytes of each file with `read`. A file name may have the suffix
    /// `.gz` or `.zst`, in which case `read` must decompress the file.
    ///
    /// # Errors
    /// The same as [`Knowledge::open`].
    pub fn open_with(folder: &Path, read: ReadBytes<'_>) -> Result<Self, Box<Diagnostic>> {
        folder::open(Files::Disk(read), folder, SynsetTree::Owned)
    }

    /// Reads a knowledge base like [`Knowledge::open`], but from texts in memory, by their names: paths relative to the folder, with `/` between
    /// folders.
    ///
    /// # Errors
    /// The same as [`Knowledge::open`].
    pub fn from_texts(texts: &BTreeMap<String, String>) -> Result<Self, Box<Diagnostic>> {
        let texts = texts.iter().map(|(name, text)| (PathBuf::from(name), &**text)).collect();
        folder::open(Files::Memory(&texts), Path::new(""), SynsetTree::Owned)
    }

    /// Returns the edition of the files, judged by their layout.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the dialect release that corresponds to the edition.
    pub fn release(&self) -> Release {
        self.edition.release()
    }

    /// Returns the taxonomy of synsets.
    pub fn taxonomy(&self) -> &Taxonomy {
        &self.taxonomy
    }

    /// Returns the abilities that the predicates of the release require of their arguments.
    pub(crate) fn needs(&self) -> &ArgumentRequirements {
        &self.needs
    }

    /// Returns the transition rules; 1.0.0 has none.
    pub fn rules(&self) -> &TransitionRules {
        &self.rules
    }

    /// Returns the scenes; 1.0.0 and 3.1.0 have none.
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// Returns the types of rooms; 1.0.0 does not list them.
    pub fn room_types(&self) -> impl Iterator<Item = &str> {
        self.room_types.iter().map(|kind| &**kind)
    }

    /// Returns the number of object models of a synset including its descendants; `None` if the release has no inventory.
    pub fn model_count(&self, synset: SynsetId) -> Option<u32> {
        self.models.as_ref().map(|models| models[synset.index()])
    }

    /// Sets the actions with which plans for activities are searched, in place of the built-in ones.
    pub fn set_actions(&mut self, actions: HouseholdActions) {
        self.actions = Some(actions);
    }

    /// Returns the actions that are set; `None` for the built-in ones.
    pub(crate) fn actions(&self) -> Option<&HouseholdActions> {
        self.actions.as_ref()
    }

    /// Returns the inconsistencies of the files, as notes without a source location.
    pub fn inconsistencies(&self) -> &[Diagnostic] {
        &self.remarks
    }
}

/// Formats names for a message: the first few, and the number of the others.
fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
