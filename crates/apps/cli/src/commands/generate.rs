//! The `goalspec generate` command.

mod dedup;
mod evidence;
mod evolve;
mod examples;
mod fit;
mod fitness;
mod grade;
mod novelty;
mod series;
mod study;

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use goalspec::core::world::World;
use goalspec::example_generation::ExampleLanguage;
use goalspec::game::codes::UNAVAILABLE;
use goalspec::game_generation::{
    GameGeneration, GeneratedGame, GenerationError, NamedGame, WantedChange, games_of, only_world, regrow_as_published,
    sample_as_published,
};
use goalspec::generation::fitness::FitnessModel;
use goalspec::generation::game::evidence::PlayEvidence;
use goalspec::generation::game::evolution::GameJudge;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::generation::game::likeness::FailedWalk;
use goalspec::generation::game::untyped::MAX_ATTEMPTS;
use goalspec::generation::game::variation::Operator;
use goalspec::generator::tree::Tree;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::shipped_worlds;
use goalspec::syntax::{Code, Diagnostic, Sources};

use self::examples::Examples;
use self::series::{GoalKind, Record, Series};
use crate::args::{GenerateArgs, GenerateCommand, PublishedPreset, SampleArgs, SeriesArgs, VaryArgs};
use crate::library::{DiscoveredFiles, load, settings};
use crate::output::{CommandError, CommandResult, Output};
use crate::progress::Progress;

/// The exit code of inputs with errors.
const INVALID_INPUT: u8 = 1;

pub(crate) fn run(args: &GenerateArgs, output: &mut Output) -> CommandResult {
    match &args.command {
        GenerateCommand::Sample(args) => sample(args, output),
        GenerateCommand::Vary(args) => vary(args, output),
        GenerateCommand::Fit(args) => fit::run(args, output),
        GenerateCommand::Fitness(args) => fitness::run(args, output),
        GenerateCommand::Evolve(args) => evolve::run(args, output),
        GenerateCommand::Evidence(args) => evidence::run(args, output),
        GenerateCommand::Grade(args) => grade::run(args, output),
        GenerateCommand::Dedup(args) => dedup::run(args, output),
        GenerateCommand::Novelty(args) => novelty::run(args, output),
        GenerateCommand::Study(args) => study::run(args, output),
    }
}

/// Reports diagnostics, and returns the error that ends the command.
fn fail(diagnostics: &[Diagnostic], sources: &Sources, output: &Output) -> CommandError {
    output.report(diagnostics, sources);
    CommandError::ExitCode(INVALID_INPUT)
}

/// Prints an error about the input, and returns the error that ends the command.
fn refuse(message: &impl std::fmt::Display) -> CommandError {
    anstream::eprintln!("goalspec: {message}");
    CommandError::ExitCode(INVALID_INPUT)
}

/// Returns the error that ends the command. How to choose a world is a matter of the command line.
fn refuse_generation(error: &GenerationError) -> CommandError {
    match error {
        GenerationError::Worlds(_) | GenerationError::NoWorld => CommandError::Usage(format!("{error} with --world")),
        GenerationError::Generator(_)
        | GenerationError::NoGame
        | GenerationError::Unsupported { .. }
        | GenerationError::Example { .. } => refuse(error),
    }
}

/// The path of a world file or of a program that defines a world; `None` for the name of a world.
fn world_file(world: Option<&String>) -> Option<PathBuf> {
    world.map(PathBuf::from).filter(|path| path.is_file())
}

/// Loads examples with the file of a world. Only errors are reported: the warnings about examples are no concern of new games. An example
/// may use what its world cannot evaluate, since new games do not.
fn load_examples(paths: &[PathBuf], world: Option<&String>, output: &Output) -> Result<Library, CommandError> {
    load_without(&[UNAVAILABLE], paths, world, output)
}

/// Loads games with the file of a world.
fn load_games(paths: &[PathBuf], world: Option<&String>, output: &Output) -> Result<Library, CommandError> {
    load_without(&[], paths, world, output)
}

/// Loads games. Errors with one of the codes are ignored.
fn load_without(
    ignored: &[Code],
    paths: &[PathBuf],
    world: Option<&String>,
    output: &Output,
) -> Result<Library, CommandError> {
    load_with(LibraryOptions::default(), ignored, paths, world, output)
}

/// Loads programs with these options. Errors with one of the codes are ignored.
fn load_with(
    options: LibraryOptions,
    ignored: &[Code],
    paths: &[PathBuf],
    world: Option<&String>,
    output: &Output,
) -> Result<Library, CommandError> {
    let paths: Vec<PathBuf> = paths.iter().cloned().chain(world_file(world)).collect();
    let found = DiscoveredFiles::new(&paths);
    let inputs = found.inputs_with(&settings()?);
    let progress = Progress::programs(inputs.worlds.len() + inputs.programs.len());
    let library = load(&inputs, options, &progress)?;
    progress.finish();
    let all = found.diagnostics.iter().chain(library.diagnostics());
    let errors: Vec<Diagnostic> =
        all.filter(|diagnostic| diagnostic.is_error() && !ignored.contains(&diagnostic.code)).cloned().collect();
    if errors.is_empty() { Ok(library) } else { Err(fail(&errors, library.sources(), output)) }
}

/// Returns the games of a library whose files are among some paths; an error if there are none although there are paths.
fn corpus<'l>(library: &'l Library, paths: &[PathBuf]) -> Result<Vec<NamedGame<'l>>, CommandError> {
    let games = games_of(library);
    if games.is_empty() && !paths.is_empty() {
        return Err(refuse_generation(&GenerationError::NoGame));
    }
    Ok(games)
}

/// Returns the world with a name or of a file.
fn named_world(name: &str, library: &Library, output: &Output) -> Result<Arc<World>, CommandError> {
    let found = match world_file(Some(&name.to_owned())) {
        Some(path) => {
            // The file alone tells which of the loaded worlds is its own.
            let alone = load_games(&[path], None, output)?;
            let worlds = if alone.worlds().is_empty() { alone.all_worlds() } else { alone.worlds().to_vec() };
            worlds.into_iter().next()
        }
        None => {
            library.worlds().iter().find(|world| world.name() == name).cloned().or_else(|| shipped_worlds::find(name))
        }
    };
    found.ok_or_else(|| {
        let error = shipped_worlds::unknown_world(name, library.worlds());
        fail(&[*error], library.sources(), output)
    })
}

/// Returns a generator over the named world, or else over the only world of the games.
fn generation(
    games: &[NamedGame<'_>],
    world: Option<&String>,
    (library, options): (&Library, &GeneratorOptions),
    output: &Output,
) -> Result<GameGeneration, CommandError> {
    let world = match world {
        Some(name) => named_world(name, library, output)?,
        None => only_world(games).map_err(|error| refuse_generation(&error))?,
    };
    let generation = GameGeneration::new(&world, games, options).map_err(|error| refuse_generation(&error))?;
    for left_out in generation.left_out() {
        output.note(&format!("goalspec: `{}` is left out of the corpus: {}", left_out.name, left_out.reason));
    }
    Ok(generation)
}

/// Reads a fitness model.
fn model(path: Option<&Path>, output: &Output) -> Result<FitnessModel, CommandError> {
    let Some(path) = path else { return Ok(FitnessModel::plain()) };
    let text = goalspec::files::read_text(path).map_err(|error| fail(&[*error], &Sources::new(), output))?;
    FitnessModel::from_json(&text)
        .map_err(|error| refuse(&format!("`{}` is not a fitness model: {error}", path.display())))
}

/// Reads what recorded plays show.
fn read_evidence(path: Option<&Path>, output: &Output) -> Result<Option<PlayEvidence>, CommandError> {
    let Some(path) = path else { return Ok(None) };
    let text = goalspec::files::read_text(path).map_err(|error| fail(&[*error], &Sources::new(), output))?;
    let evidence = PlayEvidence::from_json(&text)
        .map_err(|error| refuse(&format!("`{}` is not a table of recorded plays: {error}", path.display())))?;
    Ok(Some(evidence))
}

fn sample(args: &SampleArgs, output: &mut Output) -> CommandResult {
    if let Some(path) = &args.like {
        examples::reject_foreign(ExampleLanguage::Game, args.steps, &args.activities)?;
        return sample_like(args, path, output);
    }
    let reading = examples::reading(&args.activities, output)?;
    let library = load_with(reading.clone(), &[UNAVAILABLE], &args.corpus, args.generator.world.as_ref(), output)?;
    // A program that defines the world is no example.
    let is_of_world = args.corpus.is_empty();
    let language = if is_of_world { ExampleLanguage::Game } else { example_language(&library, output) };
    examples::reject_foreign(language, args.steps, &args.activities)?;
    if language != ExampleLanguage::Game {
        return examples::sample(args, Examples { library: &library, language, reading }, output);
    }
    let games = corpus(&library, &args.corpus)?;
    let options = args.generator.options();
    let generation = generation(&games, args.generator.world.as_ref(), (&library, &options), output)?;
    let writer = GameWriter::new(&args.series, &generation, output)?;
    let mut series = Series::new(&args.series, GAME, 1)?;
    let seed = args.series.seed;
    if let Some(PublishedPreset::Davidson) = args.preset {
        let samplers = generation.published_samplers();
        series.write(&|index| writer.record(sample_as_published(&samplers, seed, index)), output)?;
        return Ok(series.is_complete(&format!("all of {MAX_ATTEMPTS} draws failed"), output));
    }
    series.write(&|index| writer.record(generation.sample(seed, index)), output)?;
    Ok(series.is_complete("the limits of depth and nodes leave no game", output))
}

/// Returns the first language in which a library has examples: games if there are none. Notes the languages that are left out.
fn example_language(library: &Library, output: &Output) -> ExampleLanguage {
    let present = ExampleLanguage::of(library);
    let Some((&language, others)) = present.split_first() else { return ExampleLanguage::Game };
    if !others.is_empty() {
        let others: Vec<&str> = others.iter().map(|other| other.plural()).collect();
        let (used, others) = (language.plural(), others.join(" and the "));
        output.note(&format!("goalspec: the examples are the {used}; the {others} are left out"));
    }
    language
}

/// Draws games of the shape of each game of a file. Without a corpus, these games are the corpus.
fn sample_like(args: &SampleArgs, path: &Path, output: &mut Output) -> CommandResult {
    let world = args.generator.world.as_ref();
    let paths = [path.to_owned()];
    let library = load_examples(&paths, world, output)?;
    let likes = corpus(&library, &paths)?;
    let others = load_examples(&args.corpus, world, output)?;
    let others = corpus(&others, &args.corpus)?;
    let examples = if others.is_empty() { &likes } else { &others };
    let own_world = match world {
        Some(name) => named_world(name, &library, output)?,
        None => only_world(&likes).map_err(|error| refuse_generation(&error))?,
    };
    let options = args.generator.options();
    let mut generation =
        GameGeneration::new(&own_world, examples, &options).map_err(|error| refuse_generation(&error))?;
    let judge = generation.judge(model(args.series.model.as_deref(), output)?);
    let shapes = likes.iter().map(|like| generation.example(like, &judge)).collect::<Result<Vec<_>, _>>();
    let shapes = shapes.map_err(|error| refuse_generation(&error))?;
    let writer = GameWriter::new(&args.series, &generation, output)?;
    let mut series = Series::new(&args.series, GAME, 1)?;
    let failure = Mutex::new(None);
    for example in likes.iter().zip(&shapes) {
        let make = |index| match generation.sample_like(example, &judge, (args.series.seed, index)) {
            Ok(game) => Some(game),
            Err(walk) => {
                // The message is about the walk of the first game that was not found, on any number of threads.
                let mut first = failure.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|&(known, _)| index < known) {
                    *first = Some((index, walk));
                }
                None
            }
        };
        series.write(&|index| writer.record(make(index)), output)?;
    }
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    let reason = failure.map_or_else(String::new, |(_, walk): (u64, FailedWalk)| walk.to_string());
    Ok(series.is_complete(&reason, output))
}

fn vary(args: &VaryArgs, output: &mut Output) -> CommandResult {
    let world = args.generator.world.as_ref();
    let reading = examples::reading(&args.activities, output)?;
    let library = load_with(reading.clone(), &[], &args.games, world, output)?;
    let language = example_language(&library, output);
    examples::reject_foreign(language, args.steps, &args.activities)?;
    if language != ExampleLanguage::Game {
        return examples::vary(args, Examples { library: &library, language, reading }, output);
    }
    let parents = corpus(&library, &args.games)?;
    let others = load_examples(&args.corpus, world, output)?;
    let others = corpus(&others, &args.corpus)?;
    let examples = if others.is_empty() { &parents } else { &others };
    let options = args.generator.options();
    let own_world = match world {
        Some(name) => named_world(name, &library, output)?,
        None => only_world(&parents).map_err(|error| refuse_generation(&error))?,
    };
    let mut generation =
        GameGeneration::new(&own_world, examples, &options).map_err(|error| refuse_generation(&error))?;
    let trees = parents.iter().map(|parent| generation.read(parent)).collect::<Result<Vec<_>, _>>();
    let trees = trees.map_err(|error| refuse_generation(&error))?;
    if let Some(PublishedPreset::Davidson) = args.preset {
        return vary_as_published(&args.series, &generation, (&parents, &trees), output);
    }
    let is_wanted = |operator: &Operator| args.operator.is_empty() || args.operator.contains(operator);
    let operators = Operator::WEIGHTED.into_iter().filter(|(operator, _)| is_wanted(operator)).collect();
    let change = WantedChange { operators, size: args.size() };
    let writer = GameWriter::new(&args.series, &generation, output)?;
    let mut series = Series::new(&args.series, GAME, 1)?;
    for (parent, tree) in parents.iter().zip(&trees) {
        let vary = |index| generation.vary(parent, tree, &change, (args.series.seed, index));
        series.write(&|index| writer.record(vary(index)), output)?;
    }
    Ok(series.is_complete("no operator found a variation of the wanted size", output))
}

/// Writes regrowths of games as the published program makes them, each of a game once.
fn vary_as_published(
    args: &SeriesArgs,
    generation: &GameGeneration,
    (parents, trees): (&[NamedGame<'_>], &[Tree]),
    output: &mut Output,
) -> CommandResult {
    let regrowth = generation.published_regrowth();
    let writer = GameWriter::new(args, generation, output)?;
    let mut series = Series::new(args, GAME, 1)?;
    for (parent, tree) in parents.iter().zip(trees) {
        let make = |index| {
            let game = regrow_as_published(&regrowth, parent, tree, (args.seed, index))?;
            let digest = BuildHasherDefault::<DefaultHasher>::default().hash_one(&game.tree);
            Some((digest, writer.record(Some(game))?))
        };
        series.write_different(&make, output)?;
    }
    let reason = format!("a regrowth equals an earlier one, or {MAX_ATTEMPTS} tries failed");
    Ok(series.is_complete(&reason, output))
}

/// Games, as a series.
const GAME: GoalKind = GoalKind { nouns: ["game", "games"], ending: "game" };

/// New games as they are written, with their fitness if there is a model.
struct GameWriter<'a> {
    args: &'a SeriesArgs,
    generation: &'a GameGeneration,
    judge: Option<GameJudge>,
}

impl<'a> GameWriter<'a> {
    fn new(args: &'a SeriesArgs, generation: &'a GameGeneration, output: &Output) -> Result<Self, CommandError> {
        let path = args.model.as_deref();
        let judge = path.map(|path| model(Some(path), output)).transpose()?.map(|model| generation.judge(model));
        Ok(Self { args, generation, judge })
    }

    fn record(&self, game: Option<GeneratedGame>) -> Option<Record> {
        let game = game?;
        let text = if self.args.is_json() {
            let evaluation = self.judge.as_ref().map(|judge| judge.evaluate(self.generation.generator(), &game.tree));
            format!("{}\n", self.generation.json(&game, evaluation.as_ref()))
        } else {
            self.generation.text(&game)
        };
        Some(Record { name: game.name, text, plan: None })
    }
}
