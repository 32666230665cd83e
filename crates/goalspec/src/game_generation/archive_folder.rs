//! The evolution of an archive of games, saved in a folder.
//!
//! The folder has one file, `archive.jsonl`, that holds the whole state of the evolution. It is replaced only once its successor is
//! written, so neither an interruption nor a full disk loses more than the generations since it was saved.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use goalspec_game::describe;
use goalspec_generation::game::archive_file::{self, ArchiveError, MAX_ARCHIVE_BYTES, SavedEvolution};
use goalspec_generation::game::characteristics::Characteristics;
use goalspec_generation::game::evolution::{Evolution, EvolutionOptions, GameJudge};
use goalspec_generation::game::generator::GeneratorOptions;
use goalspec_generator::archive::{Archive, Cell, Elite};
use serde_json::{Map, Value, json};

use super::{GameGeneration, formatted};
use crate::files;

/// The name of the file of an archive.
pub const ARCHIVE_FILE: &str = "archive.jsonl";

/// The name of the folder of the games of an archive.
const GAMES_FOLDER: &str = "games";

/// The reason why an evolution cannot continue from a folder.
#[derive(Debug)]
pub enum ArchiveFolderError {
    /// The archive cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A line of the archive is invalid.
    Invalid(PathBuf, ArchiveError),
    /// The archive belongs to another evolution.
    OtherEvolution {
        /// The file.
        path: PathBuf,
        /// The setting that differs, by name.
        setting: String,
        /// Its value in the archive.
        found: String,
        /// Its value in this evolution.
        expected: String,
    },
}

impl fmt::Display for ArchiveFolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Self::Invalid(path, error) => write!(f, "`{}` is not an archive: {error}", path.display()),
            Self::OtherEvolution { path, setting, found, expected } => write!(
                f,
                "`{}` belongs to another evolution: its {setting} is {found}, not {expected}; choose another folder",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ArchiveFolderError {}

/// Returns a digest of bytes (FNV-1a), the same on all machines.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns what an evolution depends on besides its seed and sizes: digests of the world, the corpus, the model and the characteristics,
/// and the weights.
pub fn setting(generation: &GameGeneration, judge: &GameJudge, options: &GeneratorOptions) -> Map<String, Value> {
    let generator = generation.generator();
    let mut corpus = String::new();
    for tree in generator.corpus() {
        corpus.push_str(&generator.text(tree, "game"));
    }
    let text = |text: &str| json!(format!("{:016x}", digest(text.as_bytes())));
    let members = [
        ("world", json!(generation.world().name())),
        ("vocabulary", text(&describe::vocabulary(generation.world()))),
        ("corpus", text(&corpus)),
        ("model", text(&judge.model.json().to_string())),
        ("characteristics", text(&format!("{:?}", judge.characteristics))),
        ("prior", json!(options.prior)),
        ("context", json!(options.context)),
        ("depth", json!(options.limits.depth)),
        ("nodes", json!(options.limits.nodes)),
    ];
    let evidence = judge.evidence.as_ref().map(|evidence| ("evidence", json!(format!("{:016x}", evidence.digest()))));
    members.into_iter().chain(evidence).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A folder with an archive.
#[derive(Debug, Clone)]
pub struct ArchiveFolder {
    path: PathBuf,
}

impl ArchiveFolder {
    /// Names a folder, which need not exist.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Returns the path of the archive.
    pub fn archive_path(&self) -> PathBuf {
        self.path.join(ARCHIVE_FILE)
    }

    /// Returns the saved evolution; `None` if the folder has no archive.
    ///
    /// # Errors
    /// If the archive is invalid or belongs to an evolution with another setting.
    pub fn load(
        &self,
        generation: &mut GameGeneration,
        judge: &GameJudge,
        (options, setting): (&EvolutionOptions, &Map<String, Value>),
    ) -> Result<Option<SavedEvolution>, ArchiveFolderError> {
        let path = self.archive_path();
        let text = match read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ArchiveFolderError::Unreadable(path, error)),
        };
        let invalid = |error| ArchiveFolderError::Invalid(path.clone(), error);
        // The games of another evolution may have no cell in this one.
        let saved = archive_file::read_setting(&text).map_err(invalid)?;
        let sizes = |options: &EvolutionOptions| {
            [("seed", options.seed), ("first generation", options.initial.into()), ("pairs", options.pairs.into())]
        };
        let numbers = sizes(&saved.options).into_iter().zip(sizes(options));
        let numbers = numbers.map(|((name, found), (_, expected))| (name.to_owned(), json!(found), json!(expected)));
        let members =
            setting.iter().map(|(name, expected)| (name.clone(), saved.setting.get(name).cloned(), expected.clone()));
        let members = members.map(|(name, found, expected)| (name, found.unwrap_or_default(), expected));
        match numbers.chain(members).find(|(_, found, expected)| found != expected) {
            Some((setting, found, expected)) => {
                let (found, expected) = (found.to_string(), expected.to_string());
                Err(ArchiveFolderError::OtherEvolution { path: path.clone(), setting, found, expected })
            }
            None => archive_file::read(&text, generation.generator_mut(), judge).map(Some).map_err(invalid),
        }
    }

    /// Saves an evolution.
    ///
    /// # Errors
    /// If the archive cannot be written. The old one then remains.
    pub fn save(&self, evolution: &Evolution<'_>, setting: &Map<String, Value>) -> io::Result<()> {
        std::fs::create_dir_all(&self.path)?;
        let mut text = String::new();
        for line in archive_file::lines(evolution, setting) {
            text.push_str(&line);
            text.push('\n');
        }
        files::write_text(&self.archive_path(), &text)
    }

    /// Writes each game of an archive as a file that is named by its cell. Returns the folder of these files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_games(&self, evolution: &Evolution<'_>) -> io::Result<PathBuf> {
        let folder = self.path.join(GAMES_FOLDER);
        std::fs::create_dir_all(&folder)?;
        for (cell, elite) in evolution.archive().iter() {
            let (name, text) = game_of_cell(evolution, cell, elite);
            files::write_text(&folder.join(format!("{name}.game")), &text)?;
        }
        Ok(folder)
    }
}

/// Returns the name and the text of the game in a cell of an archive.
fn game_of_cell(evolution: &Evolution<'_>, cell: &Cell, elite: &Elite) -> (String, String) {
    let cell: Vec<String> = cell.iter().map(i32::to_string).collect();
    let name = format!("cell-{}", cell.join("-"));
    let text = formatted(&evolution.generator().text(&elite.tree, &name));
    (name, text)
}

/// Returns the games of an archive as JSON, in the order of their cells.
pub fn games_json(evolution: &Evolution<'_>) -> Vec<Value> {
    let game = |(cell, elite): (&Cell, &Elite)| {
        let (name, text) = game_of_cell(evolution, cell, elite);
        json!({
            "name": name,
            "cell": cell,
            "fitness": elite.fitness,
            "nodes": evolution.generator().nodes(&elite.tree),
            "generation": elite.generation,
            "operator": elite.operator,
            "text": text,
        })
    };
    evolution.archive().iter().map(game).collect()
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_ARCHIVE_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// The state of an archive in numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArchiveSummary {
    /// The number of filled cells.
    pub cells: usize,
    /// The number of those whose games have no mistake; all of them if the archive does not tell.
    pub clean: usize,
    /// The mean fitness of the games without a mistake; `None` if there are none.
    pub mean_fitness: Option<f64>,
    /// The maximum fitness of the games without a mistake; `None` if there are none.
    pub best_fitness: Option<f64>,
}

impl ArchiveSummary {
    /// Summarises an archive.
    pub fn of(archive: &Archive, characteristics: &Characteristics) -> Self {
        let position = characteristics.no_mistakes();
        let is_clean = |cell: &Cell| position.is_none_or(|index| cell.get(index) == Some(&1));
        let clean: Vec<f64> =
            archive.iter().filter(|(cell, _)| is_clean(cell)).map(|(_, elite)| elite.fitness).collect();
        let mean = clean.iter().sum::<f64>() / clean.len() as f64;
        Self {
            cells: archive.len(),
            clean: clean.len(),
            mean_fitness: (!clean.is_empty()).then_some(mean),
            best_fitness: clean.iter().copied().reduce(f64::max),
        }
    }
}
