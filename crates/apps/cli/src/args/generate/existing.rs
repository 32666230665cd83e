//! Arguments of the commands about goals that exist: what plays show, difficulty, duplicates, novelty and sheets for raters.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use goalspec::playability::PlayabilityOptions;

use super::super::planning::seconds;
use super::{EXIT_CODES, GeneratorArgs, ReportArgs};

/// Make a table of what recorded plays show
///
/// A predicate of one or two objects is shown for the types of which it held in some state of a play. Two features of the fitness ask for it:
/// `generate fitness` and `generate evolve` read the table with --evidence.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate evidence plays/ -o evidence.json
  goalspec generate evidence plays/*.jsonl.zst --world kitchen.world.toml > evidence.json
  goalspec generate fitness my.game --corpus games/ --evidence evidence.json"))]
pub(crate) struct EvidenceArgs {
    /// Recorded plays: files, folders of traces or patterns
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) plays: Vec<PathBuf>,
    /// The world of the plays: a name or a world file [default: the world that each play names]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// The file of the table [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Order goals by difficulty
///
/// The difficulty of a game is that with which people achieved its setup and its preferences in recorded plays: 1 minus the share of the plays about its
/// world that achieve one. Without such plays, and for planning problems and activities, it is the number of steps of plans; for resource graph games, the
/// mean number of turns until they end with random choices. Games are printed with the nearest easier one. Goals of which nothing is shown come after the
/// others, the games first that are nearest to one with a difficulty; goals that are proved impossible come last.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate grade archive/games plays/
  goalspec generate grade domain.pddl problems/ --plan-time 2
  goalspec generate grade archive/games plays/ --format json > curriculum.json"))]
pub(crate) struct GradeArgs {
    /// Goals and recorded plays: files, folders or patterns
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The time for each plan, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) plan_time: Duration,
    /// The number of simulated games of each resource graph game
    #[arg(long, value_name = "N", default_value_t = PlayabilityOptions::default().simulations)]
    pub(crate) simulations: u64,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Find games with the same meaning
///
/// Games are equal if their normal forms are: the names of variables and preferences, the order of operands and preferences, double
/// negations and duplicates do not matter. With --prove, the others are compared as by `goalspec diff`.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate dedup archive/games
  goalspec generate dedup new/ --prove                 also games that no trace tells apart
  goalspec generate dedup games/ new/ --format json    whether new games repeat known ones"))]
pub(crate) struct DedupArgs {
    /// Games, folders or patterns
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,
    /// Compare games with different normal forms by the traces that tell them apart
    #[arg(long)]
    pub(crate) prove: bool,
    /// The world of the games: a world file, or a program that defines it
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Compare games with the most similar ones of a corpus
///
/// A game is equal to a game of the corpus if both have the same normal form. Otherwise the nearest game is the one from which it is made
/// with the fewest edits: parts that are inserted, deleted or replaced. Names of variables and preferences do not matter. A game is not
/// compared with the file that contains it.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate novelty new/ --against games/
  goalspec generate novelty my.game --against games/ --explain   also the difference in words
  goalspec generate novelty games/ --against games/              how much the games of a corpus differ
  goalspec generate novelty new/ --against games/ --prove        also whether a trace tells each game from its nearest"))]
pub(crate) struct NoveltyArgs {
    /// Games, folders or patterns
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,
    /// The corpus; may be repeated
    #[arg(long, required = true, value_name = "PATH")]
    pub(crate) against: Vec<PathBuf>,
    /// Describe the difference to the nearest game
    #[arg(long)]
    pub(crate) explain: bool,
    /// Compare each game with its nearest by the traces that tell them apart
    #[arg(long)]
    pub(crate) prove: bool,
    /// The world of the games: a world file, or a program that defines it
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// A set of games of a study.
#[derive(Debug, Clone)]
pub(crate) struct StudySet {
    /// Its name.
    pub(crate) name: String,
    /// A file, a folder or a pattern.
    pub(crate) path: PathBuf,
}

/// Parses `NAME=PATH`.
fn study_set(text: &str) -> Result<StudySet, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(StudySet { name: name.to_owned(), path: path.into() })
        }
        _ => Err("expected a name and a path, such as `real=games/`".to_owned()),
    }
}

/// Write sheets for people who rate games
///
/// The games of all sets are described in words and numbered in a random order. Raters get `sheet.html` or `sheet.csv`, which tell nothing of
/// names and sets; `key.csv` has them. The table tells whether the sets are alike in size and fitness.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate study real=games/ matched=matched/ -o study
  goalspec generate study real=games/ matched=matched/ unmatched=new/ --model model.json --seed 3 -o study"))]
pub(crate) struct StudyArgs {
    /// The sets: a name and a file, a folder or a pattern
    #[arg(required = true, value_name = "NAME=PATH", value_parser = study_set)]
    pub(crate) sets: Vec<StudySet>,
    /// Folder of the sheets and the key
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// The corpus for the fitness; may be repeated [default: the first set]
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,
    /// The fitness model, a JSON file [default: resemblance to the corpus, minus mistakes]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// The seed of the order
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
    /// The title of the page
    #[arg(long, default_value = "Rating games", value_name = "TEXT")]
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
