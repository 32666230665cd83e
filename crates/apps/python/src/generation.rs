//! New games: drawn, varied, judged and evolved, and the fit of fitness models.

mod evolution;
mod examples;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec::core::world;
use goalspec::game::codes::UNAVAILABLE;
use goalspec::game_generation::fitting::fit;
use goalspec::game_generation::judgement::{CorpusJudge, document};
use goalspec::game_generation::{
    GameGeneration, GeneratedGame, NamedGame, SizeChange, WantedChange, only_world, regrow_as_published,
    sample_as_published,
};
use goalspec::generation::fitness::FitnessModel;
use goalspec::generation::game::evolution::GameJudge;
use goalspec::generation::game::generator::GeneratorOptions;
use goalspec::generation::game::likeness::Example;
use goalspec::generation::game::training::{FitOptions, Negatives};
use goalspec::generation::game::untyped::MAX_ATTEMPTS;
use goalspec::generation::game::variation::Operator;
use goalspec::generator::sampler::{DrawLimits, MAX_DEPTH, MAX_NODES};
use goalspec::generator::tree::Tree;
use goalspec::library;
use goalspec::syntax::Diagnostic;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Value;

use crate::background;
use crate::errors::{check_error, value_error};
use crate::json;
use crate::library::Library;
use crate::traces::World;
use evolution::EvolutionArguments;
pub(crate) use examples::Examples;

/// The contexts that weights can depend on.
const CONTEXTS: RangeInclusive<u8> = 0..=2;

/// The message about a place that none of the games has.
const NO_GAME: &str = "there is no game at this place";

/// Programs of a library, by their indices.
type Selected = (Py<Library>, Vec<usize>);

/// A game as text and as the record of its origin; nothing in place of a game that was not found.
type Record = Option<(String, Value)>;

/// The options of a generator.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GeneratorArguments {
    prior: Option<f64>,
    context: Option<u8>,
    depth: Option<u32>,
    nodes: Option<u32>,
}

impl GeneratorArguments {
    fn options(&self) -> PyResult<GeneratorOptions> {
        let default = GeneratorOptions::default();
        let context = self.context.unwrap_or(default.context);
        if !CONTEXTS.contains(&context) {
            return Err(value_error(format!("context={context}: expected 0, 1 or 2")));
        }
        let limit = |name: &str, given: Option<u32>, default: u32, max: u32| match given {
            Some(number) if !(1..=max).contains(&number) => {
                Err(value_error(format!("{name}={number}: expected a number from 1 to {max}")))
            }
            given => Ok(given.unwrap_or(default)),
        };
        let limits = DrawLimits {
            depth: limit("depth", self.depth, default.limits.depth, MAX_DEPTH)?,
            nodes: limit("nodes", self.nodes, default.limits.nodes, MAX_NODES)?,
        };
        Ok(GeneratorOptions { prior: self.prior.unwrap_or(default.prior), context, limits })
    }
}

/// The options of a fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FitArguments {
    seed: u64,
    negatives: Option<String>,
    regrowths: Option<u32>,
    folds: Option<u32>,
    penalty: Option<f64>,
    jobs: Option<usize>,
}

/// A generator of games over a world, and the games that it varies, judges or imitates.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Generation {
    state: Arc<State>,
}

struct State {
    library: Arc<library::Library>,
    /// The indices of the games among the programs of the library.
    games: Vec<usize>,
    trees: Vec<Tree>,
    generation: GameGeneration,
    options: GeneratorOptions,
    judge: GameJudge,
    /// Whether a fitness model was given, by which new games are judged.
    is_judging: bool,
}

#[pymethods]
impl Generation {
    /// Creates a generator over a world, or else over the only world of the games. Without a corpus, the games are the corpus.
    #[new]
    fn new(
        py: Python<'_>,
        corpus: Selected,
        games: Selected,
        world: Option<PyRef<'_, World>>,
        options: GeneratorArguments,
        model: Option<&str>,
    ) -> PyResult<Self> {
        let (corpus_library, games_library) = (Arc::clone(corpus.0.get().shared()), Arc::clone(games.0.get().shared()));
        for library in [&corpus_library, &games_library] {
            refuse_errors(py, library)?;
        }
        let given = named_games(&games_library, &games.1)?;
        let examples = if corpus.1.is_empty() { given.clone() } else { named_games(&corpus_library, &corpus.1)? };
        let world: Arc<world::World> = match world {
            Some(world) => Arc::clone(&world.0),
            None => only_world(if given.is_empty() { &examples } else { &given })
                .map_err(|error| value_error(format!("{error} with world=")))?,
        };
        let model = model.map(FitnessModel::from_json).transpose();
        let model = model.map_err(|error| value_error(format!("the fitness model is invalid: {error}")))?;
        let options = options.options()?;
        let created = py.detach(|| {
            let mut generation = GameGeneration::new(&world, &examples, &options)?;
            let trees = given.iter().map(|game| generation.read(game)).collect::<Result<_, _>>()?;
            Ok((generation, trees))
        });
        let (generation, trees) =
            created.map_err(|error: goalspec::game_generation::GenerationError| value_error(error.to_string()))?;
        let is_judging = model.is_some();
        let judge = generation.judge(model.unwrap_or_else(FitnessModel::plain));
        let state = State { library: games_library, games: games.1, trees, generation, options, judge, is_judging };
        Ok(Self { state: Arc::new(state) })
    }

    /// Returns the name of the world.
    fn world(&self) -> &str {
        self.state.generation.world().name()
    }

    /// Returns the names of the games of the corpus that the generator does not represent, each with the reason.
    fn left_out(&self) -> Vec<(String, String)> {
        let left_out = self.state.generation.left_out();
        left_out.iter().map(|game| (game.name.to_string(), game.reason.clone())).collect()
    }

    /// Draws the games with the indices from `first` on, or as the published program does. Returns them, and why one was not found.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        indices: (u64, u64),
        published: bool,
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let state = Arc::clone(&self.state);
        let records = background::run(py, move |cancelled| {
            if published {
                let samplers = state.generation.published_samplers();
                return state.records(indices, cancelled, |index| sample_as_published(&samplers, seed, index));
            }
            state.records(indices, cancelled, |index| state.generation.sample(seed, index))
        })?;
        let reason = if published {
            format!("all of {MAX_ATTEMPTS} draws failed")
        } else {
            "the limits of depth and nodes leave no game".to_owned()
        };
        Ok((games(py, records)?, reason))
    }

    /// Draws games of the shape of one of the games. Returns them, and why the first that was not found was not.
    fn sample_like<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        seed: u64,
        indices: (u64, u64),
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let state = Arc::clone(&self.state);
        let made = background::run(py, move |cancelled| {
            let (game, tree) = state.game(place).ok_or(NO_GAME)?;
            let example = Example::new(state.generation.generator(), &state.judge, tree);
            let example = example.map_err(|reason| format!("`{}`: {reason}", game.name))?;
            let mut reason = None;
            let records = state.records(indices, cancelled, |index| {
                match state.generation.sample_like((&game, &example), &state.judge, (seed, index)) {
                    Ok(game) => Some(game),
                    Err(walk) => {
                        reason.get_or_insert_with(|| walk.to_string());
                        None
                    }
                }
            });
            Ok((records, reason.unwrap_or_default()))
        })?;
        let (records, reason) = made.map_err(|error: String| value_error(error))?;
        Ok((games(py, records)?, reason))
    }

    /// Varies one of the games by operators, all of them if none is named. Returns the variations, and why one was not found.
    fn vary<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        operators: Vec<String>,
        size: Option<&str>,
        seed: u64,
        indices: (u64, u64),
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let change = WantedChange { operators: operators_named(&operators)?, size: size_change(size)? };
        let state = Arc::clone(&self.state);
        let records = background::run(py, move |cancelled| {
            let (game, tree) = state.game(place)?;
            let make = |index| state.generation.vary(&game, tree, &change, (seed, index));
            Some(state.records(indices, cancelled, make))
        })?;
        let records = records.ok_or_else(|| value_error(NO_GAME))?;
        Ok((games(py, records)?, "no operator found a variation of the wanted size".to_owned()))
    }

    /// Draws a part of one of the games anew, as the published program does. Returns the results, and why one was not found.
    fn regrow<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        seed: u64,
        indices: (u64, u64),
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let state = Arc::clone(&self.state);
        let records = background::run(py, move |cancelled| {
            let (game, tree) = state.game(place)?;
            let regrowth = state.generation.published_regrowth();
            let make = |index| regrow_as_published(&regrowth, &game, tree, (seed, index));
            Some(state.records(indices, cancelled, make))
        })?;
        let records = records.ok_or_else(|| value_error(NO_GAME))?;
        let reason = format!("a regrowth equals an earlier one, or {MAX_ATTEMPTS} tries failed");
        Ok((games(py, records)?, reason))
    }

    /// Judges the games. Returns the document that `goalspec generate fitness --format json` prints about a world.
    fn fitness<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = Arc::clone(&self.state);
        let judged = background::run(py, move |cancelled| {
            let judge = CorpusJudge::new(&state.generation, state.judge.clone());
            let one = |(game, tree): (NamedGame<'_>, &Tree)| {
                background::checkpoint(cancelled);
                judge.judge(&game.name, tree)
            };
            let judged: Vec<_> = (0..state.games.len()).filter_map(|place| state.game(place)).map(one).collect();
            document(state.generation.world().name(), judge.corpus_fitness(), &judged, true)
        })?;
        json::to_python(py, &judged)
    }

    /// Fits a fitness model to the corpus. Returns the model and its evaluation.
    fn fit<'py>(&self, py: Python<'py>, options: FitArguments) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let default = FitOptions::default();
        let regrowths = options.regrowths.unwrap_or(default.regrowths);
        let folds = options.folds.unwrap_or(default.folds);
        if regrowths == 0 || folds < 2 {
            let message = format!("regrowths={regrowths}, folds={folds}: expected at least 1 regrowth and 2 folds");
            return Err(value_error(message));
        }
        let penalty = options.penalty.unwrap_or(default.penalty);
        let negatives = negatives(options.negatives.as_deref())?;
        let fit_options = FitOptions { seed: options.seed, negatives, regrowths, folds, penalty, ..default };
        let (state, pool) = (Arc::clone(&self.state), thread_pool(options.jobs)?);
        let fitted = background::run(py, move |_| pool.install(|| fit(&state.generation, &fit_options)))?;
        let fitted = fitted.map_err(|error| value_error(error.to_string()))?;
        Ok((json::to_python(py, &fitted.json())?, json::to_python(py, &fitted.report_json())?))
    }

    /// Returns the names in the specification of an archive that the world does not have, each with its group: no game uses them.
    fn unknown_names(&self, archive: &str) -> PyResult<Vec<(String, String)>> {
        let characteristics = evolution::characteristics(archive)?;
        let vocabulary = self.state.generation.generator().games().vocabulary();
        let unknown = characteristics.unknown_names(vocabulary).into_iter();
        Ok(unknown.map(|(group, name)| (group.to_string(), name.to_string())).collect())
    }

    /// Evolves an archive of games. `progress` is called with the numbers of finished and of all generations. Returns the summary of the
    /// archive and its games.
    fn evolve<'py>(
        &self,
        py: Python<'py>,
        arguments: EvolutionArguments,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        evolution::evolve(&self.state, py, arguments, progress)
    }
}

/// Returns the kind of regrowths with a name, the default one without.
fn negatives(name: Option<&str>) -> PyResult<Negatives> {
    let Some(name) = name else { return Ok(Negatives::default()) };
    Negatives::named(name)
        .ok_or_else(|| value_error(format!("unknown negatives `{name}`: expected `typed` or `davidson`")))
}

/// A game as text and as a dictionary.
type Game<'py> = (String, Bound<'py, PyAny>);

fn games(py: Python<'_>, records: Vec<Record>) -> PyResult<Vec<Option<Game<'_>>>> {
    let game = |record: Record| record.map(|(text, value)| Ok((text, json::to_python(py, &value)?))).transpose();
    records.into_iter().map(game).collect()
}

impl State {
    /// Returns one of the games, by its place among them, with its tree.
    fn game(&self, place: usize) -> Option<(NamedGame<'_>, &Tree)> {
        let index = *self.games.get(place)?;
        Some((NamedGame::of(&self.library.programs()[index])?, &self.trees[place]))
    }

    /// Makes the games with the indices from the first one on.
    fn records(
        &self,
        (first, count): (u64, u64),
        cancelled: &AtomicBool,
        mut make: impl FnMut(u64) -> Option<GeneratedGame>,
    ) -> Vec<Record> {
        let record = |game: GeneratedGame| {
            let evaluation = || self.judge.evaluate(self.generation.generator(), &game.tree);
            let evaluation = self.is_judging.then(evaluation);
            (self.generation.text(&game), self.generation.json(&game, evaluation.as_ref()))
        };
        // There is no game beyond the largest index.
        let one = |offset: u64| {
            background::checkpoint(cancelled);
            first.checked_add(offset).and_then(&mut make).map(record)
        };
        (0..count).map(one).collect()
    }
}

/// Raises a `CheckError` if a library has errors other than predicates that its worlds cannot evaluate, which new games do not use.
fn refuse_errors(py: Python<'_>, library: &library::Library) -> PyResult<()> {
    let is_error = |found: &&Diagnostic| found.is_error() && found.code != UNAVAILABLE;
    let errors: Vec<Diagnostic> = library.diagnostics().iter().filter(is_error).cloned().collect();
    if errors.is_empty() { Ok(()) } else { Err(check_error(py, &errors, library.sources())) }
}

fn named_games<'l>(library: &'l library::Library, indices: &[usize]) -> PyResult<Vec<NamedGame<'l>>> {
    let game = |&index: &usize| {
        let program = library.programs().get(index);
        let program = program.ok_or_else(|| value_error("the library has no such program"))?;
        NamedGame::of(program).ok_or_else(|| value_error(format!("`{}` is not a game", program.name)))
    };
    indices.iter().map(game).collect()
}

/// Returns the operators with these names, or all of them without names, each with its weight.
fn operators_named(names: &[String]) -> PyResult<Vec<(Operator, f64)>> {
    for name in names {
        if Operator::named(name).is_none() {
            let known: Vec<&str> = Operator::WEIGHTED.iter().map(|(operator, _)| operator.name()).collect();
            return Err(value_error(format!("unknown operator `{name}`; the operators are {}", known.join(", "))));
        }
    }
    let is_named = |operator: Operator| names.is_empty() || names.iter().any(|name| name == operator.name());
    Ok(Operator::WEIGHTED.into_iter().filter(|&(operator, _)| is_named(operator)).collect())
}

fn size_change(name: Option<&str>) -> PyResult<SizeChange> {
    match name {
        None => Ok(SizeChange::Any),
        Some("smaller") => Ok(SizeChange::Smaller),
        Some("larger") => Ok(SizeChange::Larger),
        Some(other) => Err(value_error(format!("unknown size `{other}`: expected `smaller`, `larger` or None"))),
    }
}

/// Returns a pool of threads, one for each processor if no number is given.
fn thread_pool(jobs: Option<usize>) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start the threads: {error}")))
}
