//! What a release of the Python package knows about the world: its synsets and what they can do, object models, scenes and
//! transition rules, read from the data files of the release itself.
//!
//! ```no_run
//! use goalspec_bddl::knowledge::Knowledge;
//!
//! let knowledge = Knowledge::open("bddl-3.6.0/bddl".as_ref()).expect("the release is here");
//! let taxonomy = knowledge.taxonomy();
//! let stove = taxonomy.synset("stove.n.01").expect("there are stoves");
//! assert!(taxonomy.has_ability(stove, taxonomy.ability("heatSource").expect("something gives heat")));
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | [`taxonomy`] | the graph of synsets, their abilities, categories and substances |
//! | `edition` | the releases whose files differ |
//! | `needs` | what predicates need of their arguments |
//! | [`rules`] | transition rules: what can be made from what |
//! | [`scenes`] | scenes, and whether they have the rooms that are needed |
//! | [`activity`] | the questions about a whole activity |

pub mod activity;
pub mod codes;
mod edition;
mod files;
mod folder;
mod grow;
pub(crate) mod needs;
pub mod rules;
pub mod scenes;
pub(crate) mod tables;
pub mod taxonomy;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_syntax::diagnostic::Diagnostic;

pub use edition::Edition;
pub use folder::Tree;

use files::Files;
pub use files::ReadBytes;
use needs::Needs;
use rules::Rules;
use scenes::Scene;
use taxonomy::{SynsetId, Taxonomy};

use crate::dialect::Release;

/// The parameters of an ability, as in the file.
pub type Parameters = serde_json::Map<String, serde_json::Value>;

/// Most synsets that a taxonomy may have. Which is below which takes a bit for each pair: 32 MiB for so many.
pub const MAX_SYNSETS: usize = 1 << 14;

/// The synset of the one who acts.
pub(crate) const AGENT: &str = "agent.n.01";

/// Most names that a message lists.
const MAX_LISTED: usize = 5;

/// The knowledge base of a release.
#[derive(Debug, Clone)]
pub struct Knowledge {
    edition: Edition,
    taxonomy: Taxonomy,
    needs: Needs,
    rules: Rules,
    scenes: Vec<Scene>,
    room_types: Vec<Arc<str>>,
    /// How many object models are of a synset or one below it; none if the release does not say.
    models: Option<Vec<u32>>,
    remarks: Vec<Diagnostic>,
}

impl Knowledge {
    /// Reads the knowledge base in a folder of a release: `generated_data` and `hierarchy_owned.json` are looked for in it
    /// and in `bddl` below it. Of the three trees of 1.0.0 it takes [`Tree::Owned`], as the release does.
    ///
    /// # Errors
    /// A diagnostic without a place if there is none (`bddl/knowledge-unreadable`), or if a file is damaged; its message
    /// names file, line and column.
    pub fn open(folder: &Path) -> Result<Self, Box<Diagnostic>> {
        Self::open_tree(folder, Tree::Owned)
    }

    /// The release whose activities the files in a folder are about, judged by their layout alone; none if there are none.
    pub fn layout(folder: &Path) -> Option<Release> {
        folder::layout(Files::Disk(&|path| std::fs::read(path)), folder, Tree::Owned).map(|(release, _)| release)
    }

    /// As [`Knowledge::open`], with another tree of 1.0.0. Later releases have one tree, which is taken.
    ///
    /// # Errors
    /// As [`Knowledge::open`].
    pub fn open_tree(folder: &Path, tree: Tree) -> Result<Self, Box<Diagnostic>> {
        folder::open(Files::Disk(&|path| std::fs::read(path)), folder, tree)
    }

    /// As [`Knowledge::open`], with the bytes of files as `read` gives them. A file may have `.gz` or `.zst` behind its name; `read` is to
    /// unpack it then.
    ///
    /// # Errors
    /// As [`Knowledge::open`].
    pub fn open_with(folder: &Path, read: ReadBytes<'_>) -> Result<Self, Box<Diagnostic>> {
        folder::open(Files::Disk(read), folder, Tree::Owned)
    }

    /// As [`Knowledge::open`], of files that have been read, by their paths in the folder.
    ///
    /// # Errors
    /// As [`Knowledge::open`].
    pub fn of_texts(texts: &BTreeMap<PathBuf, String>) -> Result<Self, Box<Diagnostic>> {
        folder::open(Files::Given(texts), Path::new(""), Tree::Owned)
    }

    /// The edition of the files, by their layout.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// The release that reads activities as the one does whose files these are.
    pub fn release(&self) -> Release {
        self.edition.release()
    }

    /// The synsets.
    pub fn taxonomy(&self) -> &Taxonomy {
        &self.taxonomy
    }

    /// What the predicates of the release need of their arguments.
    pub(crate) fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The transition rules; 1.0.0 has none.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The scenes; 1.0.0 and 3.1.0 have none.
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The types that rooms can have; 1.0.0 has no list of them.
    pub fn room_types(&self) -> impl Iterator<Item = &str> {
        self.room_types.iter().map(|kind| &**kind)
    }

    /// How many object models there are of a synset and those below it; none if the release does not say.
    pub fn models(&self, synset: SynsetId) -> Option<u32> {
        self.models.as_ref().map(|models| models[synset.index()])
    }

    /// What in the files does not fit together, as notes without a place.
    pub fn remarks(&self) -> &[Diagnostic] {
        &self.remarks
    }
}

/// Names for a message: the first few, and how many more there are.
fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
