//! The `goalspec simulate` command.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::resource::board::SlotId;
use goalspec::resource::game::Game;
use goalspec::resource_games::{self, read_policy_file};
use goalspec::rgg::template::PatchError;
use goalspec::simulation::experiment::LoadedExperiment;
use goalspec::simulation::metadata::ReportMetadata;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulation::variation::Variation;
use goalspec::simulation::{LoadedGame, charts, quantity, report, tracked_resources};
use goalspec::simulator::episode::EpisodeObserver;
use goalspec::simulator::experiment::{
    EpisodeQuantity, ExperimentError, ExperimentObservers, ExperimentOptions, ExperimentResult, GameRecord,
    PrecisionTarget, SampleAccumulator,
};
use goalspec::simulator::trace::GameRecorder;
use goalspec::syntax::Diagnostic;

use crate::args::{
    BoundsRule, DrawFrequency, ExperimentArgs, ProgramArgs, ResourceArgs, SimulateArgs, SimulationFormat,
};
use crate::interrupt::{self, INTERRUPTED};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{
    CommandError, CommandResult, Output, TurnRecordingFile, ensure_distinct, ensure_not_input, is_standard, write_file,
};
use crate::progress::Progress;
use crate::threads::thread_pool;

mod frequencies;
mod games;
mod text;

use games::GamesWriter;

pub(crate) fn run(args: &SimulateArgs, output: &mut Output) -> CommandResult {
    check_usage(args)?;
    if args.trace.as_deref().is_some_and(is_standard) {
        output.redirect_to_stderr();
    }
    let resource = args.resource.with_rule(args.bounds.map(BoundsRule::rule));
    let Some((loaded, loaded_game)) = load_all(&args.game, &resource, output)? else { return Ok(false) };
    let game = loaded_game.simulator.game();
    let policies = policies(args, game)?;
    let precision_target = stop(&args.study, game)?;
    let histograms = numbers(game, &args.study.histogram)?;
    let tracked_resources = tracked_resources(&args.study, game)?;
    let variation = match variation(args, &loaded, &loaded_game) {
        Ok(variation) => variation,
        Err(error) => return Ok(refuse(&error, output)),
    };
    for found in variation.iter().flat_map(Variation::findings) {
        output.report(&found.diagnostics, &found.sources);
    }
    let cancel = interrupt::flag()
        .map_err(|error| CommandError::Usage(format!("cannot install the handler of Ctrl-C: {error}")))?;
    let options = ExperimentOptions {
        seed: args.seed,
        first_index: args.first_game,
        max_games: args.games,
        max_turns: args.max_turns,
        pool: Some(thread_pool(args.jobs)?),
        precision_target,
        tracked_resources,
        discount: args.discount,
        cancelled: Some(cancel),
    };
    let experiment = LoadedExperiment { game: loaded_game, policies, variation: variation.map(Arc::new), options };
    let mut file = args.output.as_deref().filter(|path| !is_standard(path)).map(create).transpose()?;
    let out: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => &mut *output,
    };
    let result = match play(args, &experiment, out)? {
        Ok(result) => result,
        Err(error) => return Ok(refuse(&error, output)),
    };
    match args.format() {
        SimulationFormat::Text => text::write(&experiment, &result, (&args.study.shape(true), &histograms), out)?,
        SimulationFormat::Json => {
            writeln!(out, "{:#}", report::report(&experiment, &result, &args.study.shape(false)))?;
        }
        _ => {}
    }
    out.flush()?;
    let statistics = &result.statistics;
    if result.cancelled {
        let (completed, total) = (statistics.games(), args.games);
        output.note(&format!("interrupted after {completed} of {total} games"));
        return Err(CommandError::ExitCode(INTERRUPTED));
    }
    draw(&args.study, &experiment, statistics, histograms)?;
    Ok(statistics.totals.summaries.iter().all(|policy_summary| policy_summary.failed() == 0))
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &SimulateArgs) -> Result<(), CommandError> {
    for (place, path) in args.outputs().enumerate() {
        ensure_not_input(path, std::iter::once(&args.game))?;
        ensure_distinct(path, args.outputs().take(place))?;
    }
    if args.first_game.checked_add(args.games).is_none() {
        let message =
            format!("{} games from index {} on exceed the largest index {}", args.games, args.first_game, u64::MAX);
        return Err(CommandError::Usage(message));
    }
    check_experiment(args)?;
    if args.discount.is_none()
        && let Some(name) =
            args.study.precision_of.iter().chain(&args.study.histogram).find(|name| name.starts_with("return."))
    {
        return Err(CommandError::Usage(format!("`{name}` requires --discount")));
    }
    #[cfg(feature = "parquet")]
    if args.format() == SimulationFormat::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        let message = "cannot write a Parquet file to a terminal; specify a file with --output";
        return Err(CommandError::Usage(message.to_owned()));
    }
    Ok(())
}

/// Checks for options of the experiment that have no effect.
fn check_experiment(args: &SimulateArgs) -> Result<(), CommandError> {
    let (experiment, format) = (&args.study, args.format());
    let message = if !experiment.histogram.is_empty() && format != SimulationFormat::Text && experiment.plot.is_none() {
        "--histogram requires --format text or --plot; --format json contains the histograms of all numbers"
    } else if experiment.has_quantiles() && !matches!(format, SimulationFormat::Text | SimulationFormat::Json) {
        "--quantiles requires --format text or json: rows of single games have no quantiles"
    } else if experiment.vary.is_empty() && experiment.vary_per == DrawFrequency::Batch {
        "--vary-per requires --vary PATH=CONSTRAINT"
    } else {
        return Ok(());
    };
    Err(CommandError::Usage(message.to_owned()))
}

/// Loads a game for simulation; returns `None` if it has errors, which are reported.
pub(crate) fn load(path: &Path, resource: &ResourceArgs, output: &Output) -> Result<Option<LoadedGame>, CommandError> {
    Ok(load_all(path, resource, output)?.map(|(_, loaded_game)| loaded_game))
}

/// Loads a game for simulation, together with its file.
fn load_all(
    path: &Path,
    resource: &ResourceArgs,
    output: &Output,
) -> Result<Option<(LoadedLibrary, LoadedGame)>, CommandError> {
    let loaded = DiscoveredFiles::new(&[path.to_owned()]).load(&ProgramArgs::for_games(resource))?;
    if !loaded.report(output) {
        return Ok(None);
    }
    let library = &loaded.library;
    let loaded_game = library
        .programs()
        .iter()
        .find_map(|program| resource_games::loaded_game(program, library.custom_results()).transpose());
    match loaded_game {
        Some(Ok(loaded_game)) => Ok(Some((loaded, loaded_game))),
        Some(Err(diagnostic)) => {
            output.report(&[*diagnostic], loaded.library.sources());
            Ok(None)
        }
        None => Err(CommandError::Usage(format!("`{}` is not a resource graph game", path.display()))),
    }
}

/// Returns the policies, and the variants of them given by `--compare`.
fn policies(args: &SimulateArgs, game: &Game) -> Result<Vec<TeamPolicies>, CommandError> {
    let first = TeamPolicies::with_files(game, &args.policies, &read_policy_file)
        .map_err(CommandError::invalid_argument)?
        .with_view(args.policy_view.into());
    let others = args.study.compare.iter().map(|other| first.clone().with(game, other, &read_policy_file));
    std::iter::once(Ok(first.clone())).chain(others).collect::<Result<_, _>>().map_err(CommandError::invalid_argument)
}

fn stop(args: &ExperimentArgs, game: &Game) -> Result<Option<PrecisionTarget>, CommandError> {
    let Some(half_width) = args.half_width else { return Ok(None) };
    let of =
        if args.precision_of.is_empty() { EpisodeQuantity::rewards(game) } else { numbers(game, &args.precision_of)? };
    Ok(Some(PrecisionTarget { numbers: of, half_width, level: args.shape(false).level }))
}

fn numbers(game: &Game, names: &[String]) -> Result<Vec<EpisodeQuantity>, CommandError> {
    names
        .iter()
        .map(|name| quantity::parse(game, name))
        .collect::<Result<_, _>>()
        .map_err(CommandError::invalid_argument)
}

fn variation(
    args: &SimulateArgs,
    loaded: &LoadedLibrary,
    loaded_game: &LoadedGame,
) -> Result<Option<Variation>, Box<PatchError>> {
    let texts = &args.study.vary;
    if texts.is_empty() {
        return Ok(None);
    }
    let library = &loaded.library;
    let Some(program) = library.programs().iter().find(|program| program.name == loaded_game.name) else {
        return Ok(None);
    };
    resource_games::variation(library, program, texts, args.study.vary_per.into())
}

/// Returns the resources that are tracked over time.
fn tracked_resources(args: &ExperimentArgs, game: &Game) -> Result<Vec<SlotId>, CommandError> {
    if args.timeline.is_none() {
        return Ok(Vec::new());
    }
    if !args.timeline_resources.is_empty() {
        return tracked_resources::find_resources(game, &args.timeline_resources)
            .map_err(CommandError::invalid_argument);
    }
    match tracked_resources::default_resources(game) {
        none if none.is_empty() => Err(CommandError::Usage(
            "select the resources of the timeline with --resource NODE.RESOURCE, about six at most".to_owned(),
        )),
        usual => Ok(usual),
    }
}

/// Writes the requested plots.
fn draw(
    args: &ExperimentArgs,
    experiment: &LoadedExperiment,
    statistics: &SampleAccumulator,
    numbers: Vec<EpisodeQuantity>,
) -> Result<(), CommandError> {
    let write = |path: &PathBuf, chart: Result<String, Box<Diagnostic>>| {
        chart.map_err(CommandError::invalid_argument).and_then(|picture| write_file(path, &picture))
    };
    if let Some(path) = &args.plot {
        let rewards = EpisodeQuantity::rewards(experiment.game.simulator.game());
        let numbers = if numbers.is_empty() { rewards } else { numbers };
        write(path, charts::distributions(experiment, statistics, &numbers, &args.shape(true)))?;
    }
    match &args.timeline {
        Some(path) => write(path, charts::timelines(experiment, statistics)),
        None => Ok(()),
    }
}

/// Reports the reason why a game cannot be played; returns `false`.
fn refuse(error: &PatchError, output: &Output) -> bool {
    output.report(&error.diagnostics, &error.sources);
    false
}

fn create(path: &Path) -> Result<BufWriter<File>, CommandError> {
    File::create(path).map(BufWriter::new).map_err(|error| CommandError::File(path.to_owned(), error))
}

/// The result of the games, or the reason why they cannot be played.
type PlayResult = Result<ExperimentResult, Box<PatchError>>;

/// Plays the games, and writes the requested ones individually.
fn play(
    args: &SimulateArgs,
    experiment: &LoadedExperiment,
    out: &mut (dyn Write + Send),
) -> Result<PlayResult, CommandError> {
    let progress = Progress::games(args.games.saturating_mul(experiment.policies.len() as u64));
    let heading = ReportMetadata::new(&experiment.game, &experiment.policies[0], Some(experiment.options.seed));
    let trace = args.trace.as_deref().map(TurnRecordingFile::create).transpose()?;
    let mut trace = trace.map(|file| GameRecorder::new(file).with_heading(heading.json()));
    let mut writer = GamesWriter::new(args.format(), experiment, out)?;
    let mut write = |record: &GameRecord| writer.write(experiment, record);
    let writes_games = !matches!(args.format(), SimulationFormat::Text | SimulationFormat::Json);
    let result = experiment.play(ExperimentObservers {
        progress: &|count| progress.add(count),
        games: writes_games.then_some(&mut write),
        turns: trace.as_mut().map(|trace| trace as &mut (dyn EpisodeObserver + Send)),
    });
    progress.finish();
    let result = match result {
        Ok(result) => Ok(result),
        Err(ExperimentError::Variant(error)) => Err(error),
        Err(ExperimentError::Output(error)) => return Err(failed(args.output.as_ref(), error)),
    };
    writer.finish().map_err(|error| failed(args.output.as_ref(), error))?;
    if let (Some(trace), Some(path)) = (trace, &args.trace) {
        let written = trace.finish().and_then(|mut file| file.finish());
        written.map_err(|error| CommandError::File(path.clone(), error))?;
    }
    Ok(result)
}

fn failed(output: Option<&PathBuf>, error: std::io::Error) -> CommandError {
    match output {
        Some(path) => CommandError::File(path.clone(), error),
        None => CommandError::Output(error),
    }
}

/// Returns a number with four decimals, or one if large; integral numbers are written without decimals.
pub(crate) fn format_number(number: f64) -> String {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    if whole {
        // -0 is printed as 0.
        format!("{:.0}", number + 0.0)
    } else if number.abs() >= 1000.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.4}")
    }
}
