//! Arguments of `goalspec generate`.

mod existing;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use goalspec::game_generation::SizeChange;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::generation::game::training::{FitOptions, Negatives};
use goalspec::generation::game::variation::Operator;
use goalspec::generation::problem::MAX_WALK_STEPS;
use goalspec::generator::sampler::DrawLimits;

use super::ActivityArgs;
pub(crate) use existing::{DedupArgs, EvidenceArgs, GradeArgs, NoveltyArgs, StudyArgs};

/// Make new games: draw, vary, judge and evolve them
///
/// New games use the names of a world and have the proportions of a corpus, which are games that people wrote. They check without an
/// error: arguments have the types that predicates expect, variables are declared and used, and preferences are counted. The same seed
/// gives the same games on any number of threads.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  goalspec generate sample games/ -n 10                      ten games like those of a folder
  goalspec generate vary my.game --simpler -n 5              five variations with fewer parts
  goalspec generate fitness my.game --corpus games/ --explain
                                                             how much a game resembles a corpus, and why
  goalspec generate fit games/ -o model.json                 a fitness model of one's own games
  goalspec generate evolve games/ -o archive                 the fittest game found of each kind
  goalspec generate dedup archive/                           games with the same meaning
  goalspec generate novelty new/ --against games/            how new games differ from known ones")]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) command: GenerateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GenerateCommand {
    Sample(SampleArgs),
    Vary(VaryArgs),
    Fit(FitArgs),
    Fitness(FitnessArgs),
    Evolve(EvolveArgs),
    Evidence(EvidenceArgs),
    Grade(GradeArgs),
    Dedup(DedupArgs),
    Novelty(NoveltyArgs),
    Study(StudyArgs),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  a program, world or model has errors, or fewer games than wanted were found
  2  the command line is invalid, or the output cannot be written";

/// The world and the weights of drawn games.
#[derive(Debug, Clone, Args)]
pub(crate) struct GeneratorArgs {
    /// The world of new games: a name, a world file, or a program that defines it [default: the world of the games]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// The number added to the count of every alternative: larger numbers make games less like the corpus [default: 0.05]
    #[arg(long, value_name = "COUNT")]
    prior: Option<f64>,
    /// The context that weights depend on: 0 for none, 1 for the predicate in the case of its arguments, 2 also for the section and the surrounding
    /// part [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    context: Option<u8>,
    /// The maximum depth of a drawn game, in nested parts [default: 24]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(goalspec::generator::sampler::MAX_DEPTH)))]
    depth: Option<u32>,
    /// The maximum number of nodes of a drawn game, apart from the declarations of its variables [default: 256]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(goalspec::generator::sampler::MAX_NODES)))]
    nodes: Option<u32>,
}

impl GeneratorArgs {
    /// Returns the options of the generator.
    pub(crate) fn options(&self) -> GeneratorOptions {
        let default = GeneratorOptions::default();
        let depth = self.depth.unwrap_or(default.limits.depth);
        let nodes = self.nodes.unwrap_or(default.limits.nodes);
        GeneratorOptions {
            prior: self.prior.unwrap_or(default.prior),
            context: self.context.unwrap_or(default.context),
            limits: DrawLimits { depth, nodes },
        }
    }

    /// Returns the options, and whether each is given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--world", self.world.is_some()),
            ("--prior", self.prior.is_some()),
            ("--context", self.context.is_some()),
            ("--depth", self.depth.is_some()),
            ("--nodes", self.nodes.is_some()),
        ]
    }
}

/// The number of new games and their form.
#[derive(Debug, Clone, Args)]
pub(crate) struct SeriesArgs {
    /// The number of games
    #[arg(short = 'n', long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,
    /// The seed of all random decisions
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
    /// The index of the first game, to continue a series
    #[arg(long, default_value_t = 0, value_name = "INDEX")]
    pub(crate) first: u64,
    /// Judge each game by this fitness model; the fitness is in the JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Write each game to a file of this folder [default: to the standard output]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: SeriesFormat,
    /// The same as --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl SeriesArgs {
    /// Whether goals are written as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == SeriesFormat::Jsonl
    }
}

/// A published program that draws and varies games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PublishedPreset {
    /// Davidson et al. 2024: arguments of any type, and draws that fail are thrown away
    Davidson,
}

/// Output format of new games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum SeriesFormat {
    /// Programs
    #[default]
    Text,
    /// One line with a JSON object for each game
    Jsonl,
}

/// Draw new games, planning problems or household activities like those of a corpus
///
/// Without a corpus, all alternatives of the grammar have the same weight. Alternatives that cannot be completed are not offered, so no
/// draw is discarded for its depth or size. New planning problems have the objects of an example; their initial states and goals are reached by
/// random walks, so each has a plan.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate sample games/ -n 10
  goalspec generate sample games/ --seed 7 --first 100 -n 50 -o new
                                                       games 100 to 149 of the series 7, one file each
  goalspec generate sample @tower @throw-to-bin -n 1000 --format jsonl > new.jsonl
  goalspec generate sample games/ --like my.game -n 3   three games of the shape of my.game, for a matched set
  goalspec generate sample --world kitchen.world.toml   a game about a world without examples
  goalspec generate sample logistics/ -n 100 -o new     planning problems like those of a folder, each with a plan"))]
pub(crate) struct SampleArgs {
    /// The corpus: games, folders or patterns
    #[arg(required_unless_present_any = ["world", "like"], value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Draw games with the sections, the sizes and the archive cell of each game of this file, and other contents
    #[arg(long, value_name = "FILE")]
    pub(crate) like: Option<PathBuf>,
    /// Draw as a published program does, for comparison; most of these games have errors
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["like", "prior", "context", "depth", "nodes"])]
    pub(crate) preset: Option<PublishedPreset>,
    /// The maximum number of steps from the initial state of a new planning problem to its goal; doubled when eight walks reach no goal [default: 20]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_WALK_STEPS)))]
    pub(crate) steps: Option<u32>,
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
}

/// Vary games, planning problems or household activities
///
/// Each variation is made by one operator: a part is drawn anew, inserted, deleted or taken from another game. Names that an edit leaves
/// without a meaning are chosen again, so variations check without an error.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Operators:
{}

Examples:
  goalspec generate vary my.game -n 10
  goalspec generate vary my.game --simpler -n 5 -o variations
  goalspec generate vary my.game --operator scoring --operator terminal -n 5
  goalspec generate vary my.game --corpus games/ --operator crossover -n 5
  goalspec generate vary my.game --corpus games/ --preset davidson -n 100
                                                       regrowths of the published program, for comparison", operators()))]
pub(crate) struct VaryArgs {
    /// The games, each of which is varied
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,
    /// Games that weigh new parts, and from which operators take parts; may be repeated [default: the games that are varied]
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,
    /// The operator; may be repeated, and each is then as probable as in evolution [default: all]
    #[arg(long, value_name = "NAME", value_parser = operator, hide_possible_values = true)]
    pub(crate) operator: Vec<Operator>,
    /// Only variations with fewer parts
    #[arg(long, conflicts_with = "harder")]
    pub(crate) simpler: bool,
    /// Only variations with more parts
    #[arg(long)]
    pub(crate) harder: bool,
    /// Draw a part anew as a published program does, for comparison; most of these games have errors. A result that equals the game or an
    /// earlier result is left out
    #[arg(long, value_enum, value_name = "NAME",
          conflicts_with_all = ["operator", "simpler", "harder", "prior", "context", "depth", "nodes"])]
    pub(crate) preset: Option<PublishedPreset>,
    /// The maximum number of steps from the initial state of a planning problem to its new goal; doubled when eight walks reach no goal [default: 20]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_WALK_STEPS)))]
    pub(crate) steps: Option<u32>,
    #[command(flatten)]
    pub(crate) series: SeriesArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
    #[command(flatten)]
    pub(crate) activities: ActivityArgs,
}

impl VaryArgs {
    /// Returns the wanted difference in size.
    pub(crate) fn size(&self) -> SizeChange {
        match (self.simpler, self.harder) {
            (true, _) => SizeChange::Smaller,
            (false, true) => SizeChange::Larger,
            (false, false) => SizeChange::Any,
        }
    }
}

/// Returns the operator with this name.
fn operator(name: &str) -> Result<Operator, String> {
    Operator::named(name).ok_or_else(|| {
        let known: Vec<&str> = Operator::WEIGHTED.iter().map(|(operator, _)| operator.name()).collect();
        format!("the operators are {}", known.join(", "))
    })
}

/// Returns the list of operators for the help.
fn operators() -> String {
    let line = |(operator, weight): &(Operator, f64)| {
        format!("  {:25} {:>3.0} %  {}", operator.name(), weight * 100.0, operator.description())
    };
    Operator::WEIGHTED.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The kind of regrowths from which a model tells games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum NegativesKind {
    /// Regrowths that check without an error, as `vary --operator regrow` makes them
    #[default]
    Typed,
    /// Regrowths of the published program, as `vary --preset davidson` makes them
    Davidson,
}

impl From<NegativesKind> for Negatives {
    fn from(kind: NegativesKind) -> Self {
        match kind {
            NegativesKind::Typed => Self::Typed,
            NegativesKind::Davidson => Self::Davidson,
        }
    }
}

/// Fit a fitness model to games
///
/// The model tells the games of a corpus from regrowths, which are the same games with a part drawn anew. The evaluation is about games that
/// were held out of the fit, with n-grams that do not count them. The format of the model is that of --model.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate fit games/ -o model.json
  goalspec generate fit games/ -o model.json --regrowths 128 --folds 10
  goalspec generate fit games/ -o model.json --negatives davidson
                                                       tell games from regrowths of the published program
  goalspec generate evolve games/ -o archive --model model.json   an archive by this model"))]
pub(crate) struct FitArgs {
    /// The corpus: games, folders or patterns
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// The file of the model
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The kind of regrowths
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    pub(crate) negatives: NegativesKind,
    /// The number of regrowths of each game
    #[arg(long, default_value_t = FitOptions::default().regrowths, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) regrowths: u32,
    /// The number of folds of the evaluation
    #[arg(long, default_value_t = FitOptions::default().folds, value_name = "N",
          value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) folds: u32,
    /// The factor of half the sum of the squared weights in the loss
    #[arg(long, default_value_t = FitOptions::default().penalty, value_name = "FACTOR")]
    pub(crate) penalty: f64,
    /// The seed of the regrowths
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
    /// The world of the games: a name, a world file, or a program that defines it [default: the world of the games]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Judge how much games resemble those of a corpus
///
/// The fitness is a weighted sum of features: resemblance to the corpus, use of variables and preferences, mistakes, sizes. A game of the
/// corpus is also judged with n-grams that do not count it, since it resembles itself.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}

Examples:
  goalspec generate fitness my.game --corpus games/
  goalspec generate fitness my.game --corpus games/ --explain      which features moved it away from the corpus
  goalspec generate fitness games/ --model model.json --format json > fitness.json"))]
pub(crate) struct FitnessArgs {
    /// Games, folders or patterns
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<PathBuf>,
    /// The games to compare with; may be repeated [default: the judged games]
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,
    /// The fitness model, a JSON file [default: resemblance to the corpus, minus mistakes]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Table of what recorded plays show: a JSON file with rows of a predicate and two types in the list `triples` [default: everything is shown]
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,
    /// The world whose names are known: a name, a world file, or a program that defines it [default: the world of each game]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// List the features that moved the fitness, with the range of the corpus
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// The format of a report on games.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ReportFormat,
    /// The same as --format json
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Whether the report is a JSON document.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == ReportFormat::Json
    }
}

/// Output format of reports on games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ReportFormat {
    /// Text
    #[default]
    Text,
    /// JSON
    Json,
}

/// Evolve an archive: the fittest game found of each kind
///
/// The first generation is drawn. In each further one, pairs of games of the archive are varied, and a child replaces the game of its
/// kind if it is fitter. The kind of a game is its cell: whether it has mistakes, whether it has a setup, its number of preferences, and how
/// many of these resemble each of nine exemplars (MAP-Elites; Davidson et al. 2024), or the characteristics of --archive. If the folder has
/// an archive, the evolution continues; an interruption loses nothing that was saved.
#[derive(Debug, Args)]
#[command(after_help = format!("\
{EXIT_CODES}
  130  interrupted; the archive is saved, and the same command continues

Examples:
  goalspec generate evolve games/ -o archive
  goalspec generate evolve games/ -o archive --generations 2000 --model model.json
                                                       continue up to generation 2000
  goalspec generate evolve games/ -o by-size --archive size.toml
                                                       cells of one's own choice
  goalspec generate evolve games/ -o archive --files   also write each game to a file of archive/games"))]
pub(crate) struct EvolveArgs {
    /// The corpus: games, folders or patterns
    #[arg(required = true, value_name = "CORPUS")]
    pub(crate) corpus: Vec<PathBuf>,
    /// Folder of the archive
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// The number of generations, with those of an archive that is continued
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub(crate) generations: u64,
    /// The number of games drawn in the first generation
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) initial: u32,
    /// The number of pairs in each further generation
    #[arg(long, default_value_t = 375, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) pairs: u32,
    /// The seed of all random decisions
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub(crate) seed: u64,
    /// The fitness model, a JSON file [default: resemblance to the corpus, minus mistakes]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Table of what recorded plays show: a JSON file with rows of a predicate and two types in the list `triples` [default: everything is shown]
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,
    /// The characteristics of the archive, a TOML file [default: those of Davidson et al. 2024]
    #[arg(long, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
    /// Also write each game to a file
    #[arg(long)]
    pub(crate) files: bool,
    /// The number of threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) generator: GeneratorArgs,
}
