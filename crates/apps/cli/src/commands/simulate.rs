//! The `goalspec simulate` command.

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use goalspec::resource::board::SlotId;
use goalspec::resource::game::Game;
use goalspec::rgg::patch::Refused;
use goalspec::simulate::collected::{Collected, Played};
use goalspec::simulate::heading::Heading;
use goalspec::simulate::number::Number;
use goalspec::simulate::players::Players;
use goalspec::simulate::study::{Hearers, Stop, Study, StudyError, StudyResult};
use goalspec::simulate::variation::Variation;
use goalspec::simulate::{Ready, follow, pictures, report};
use goalspec::simulator::episode::Watch;
use goalspec::simulator::trace::TraceWriter;

use crate::args::{BoundsRule, Often, ProgramArgs, ResourceArgs, SimulateArgs, Simulations, StudyArgs};
use crate::interrupt::{self, INTERRUPTED};
use crate::loading::{Found, Loaded};
use crate::output::{Failure, Outcome, Output, TurnsFile, once, spare, write_file};
use crate::progress::Progress;

mod frequencies;
mod games;
mod text;

use games::GamesWriter;

pub(crate) fn run(args: &SimulateArgs, output: &mut Output) -> Outcome {
    check_usage(args)?;
    let resource = args.resource.with_rule(args.bounds.map(BoundsRule::rule));
    let Some((loaded, ready)) = load_all(&args.game, &resource, output)? else { return Ok(false) };
    let game = ready.simulator.game();
    let players = players(args, game)?;
    let stop = stop(&args.study, game)?;
    let histograms = numbers(game, &args.study.histogram)?;
    let follow = follow(&args.study, game)?;
    let variation = match variation(args, &loaded, &ready) {
        Ok(variation) => variation,
        Err(refused) => return Ok(refuse(&refused, output)),
    };
    for found in variation.iter().flat_map(Variation::findings) {
        output.report(&found.diagnostics, &found.sources);
    }
    let cancel =
        interrupt::flag().map_err(|error| Failure::Usage(format!("cannot install the handler of Ctrl-C: {error}")))?;
    let study = Study {
        ready: &ready,
        players: &players,
        variation: variation.as_ref(),
        seed: args.seed,
        first: args.first,
        games: args.games,
        max_turns: args.max_turns,
        jobs: args.jobs.map_or(0, usize::from),
        stop: stop.as_ref(),
        follow: &follow,
        discount: args.discount,
        cancel: Some(&cancel),
    };
    let mut file = args.output.as_deref().map(create).transpose()?;
    let out: &mut (dyn Write + Send) = match &mut file {
        Some(file) => file,
        None => &mut *output,
    };
    let result = match play(args, &study, out)? {
        Ok(result) => result,
        Err(refused) => return Ok(refuse(&refused, output)),
    };
    match args.format() {
        Simulations::Text => text::write(&study, &result, (&args.study.shape(true), &histograms), out)?,
        Simulations::Json => writeln!(out, "{:#}", report::report(&study, &result, &args.study.shape(false)))?,
        _ => {}
    }
    out.flush()?;
    let collected = &result.collected;
    if result.cancelled {
        let (done, all) = (collected.all.overviews[0].games(), args.games);
        output.note(&format!("interrupted after {done} of {all} games"));
        return Err(Failure::Code(INTERRUPTED));
    }
    draw(&args.study, &study, collected, histograms)?;
    Ok(collected.all.overviews.iter().all(|overview| overview.failed() == 0))
}

/// Checks for contradictory options that clap cannot detect.
fn check_usage(args: &SimulateArgs) -> Result<(), Failure> {
    for (place, path) in args.outputs().enumerate() {
        spare(path, std::iter::once(&args.game))?;
        once(path, args.outputs().take(place))?;
    }
    if args.first.checked_add(args.games).is_none() {
        let message =
            format!("{} games from index {} on exceed the largest index {}", args.games, args.first, u64::MAX);
        return Err(Failure::Usage(message));
    }
    check_study(args)?;
    if args.discount.is_none()
        && let Some(name) = args.study.of.iter().chain(&args.study.histogram).find(|name| name.starts_with("return."))
    {
        return Err(Failure::Usage(format!("`{name}` requires --discount")));
    }
    #[cfg(feature = "parquet")]
    if args.format() == Simulations::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        let message = "cannot write a Parquet file to a terminal; specify a file with --output";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

/// Checks for options of the experiment that have no effect.
fn check_study(args: &SimulateArgs) -> Result<(), Failure> {
    let (study, format) = (&args.study, args.format());
    let message = if !study.histogram.is_empty() && format != Simulations::Text && study.plot.is_none() {
        "--histogram requires --format text or --plot; --format json contains the histograms of all numbers"
    } else if study.has_quantiles() && !matches!(format, Simulations::Text | Simulations::Json) {
        "--quantiles requires --format text or json: rows of single games have no quantiles"
    } else if study.vary.is_empty() && study.vary_per == Often::Batch {
        "--vary-per requires --vary PATH=CONSTRAINT"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(message.to_owned()))
}

/// Loads a game for simulation; returns `None` if it has errors, which are reported.
pub(crate) fn load(path: &Path, resource: &ResourceArgs, output: &Output) -> Result<Option<Ready>, Failure> {
    Ok(load_all(path, resource, output)?.map(|(_, ready)| ready))
}

/// Loads a game for simulation, together with its file.
fn load_all(path: &Path, resource: &ResourceArgs, output: &Output) -> Result<Option<(Loaded, Ready)>, Failure> {
    let loaded = Found::new(&[path.to_owned()]).load(&ProgramArgs::for_games(resource))?;
    if !loaded.report(output) {
        return Ok(None);
    }
    let library = &loaded.library;
    let ready = library.programs().iter().find_map(|program| Ready::new(program, library.custom()).transpose());
    match ready {
        Some(Ok(ready)) => Ok(Some((loaded, ready))),
        Some(Err(diagnostic)) => {
            output.report(&[*diagnostic], loaded.library.sources());
            Ok(None)
        }
        None => Err(Failure::Usage(format!("`{}` is not a resource graph game", path.display()))),
    }
}

/// Returns the policies, and the variants of them given by `--compare`.
fn players(args: &SimulateArgs, game: &Game) -> Result<Vec<Players>, Failure> {
    let first = Players::new(game, &args.policies).map_err(Failure::Usage)?.with_view(args.policy_view.into());
    let others = args.study.compare.iter().map(|other| first.clone().with(game, other));
    std::iter::once(Ok(first.clone())).chain(others).collect::<Result<_, _>>().map_err(Failure::Usage)
}

fn stop(args: &StudyArgs, game: &Game) -> Result<Option<Stop>, Failure> {
    let Some(half_width) = args.half_width else { return Ok(None) };
    let of = if args.of.is_empty() { Number::rewards(game) } else { numbers(game, &args.of)? };
    Ok(Some(Stop { of, half_width, level: args.shape(false).level }))
}

fn numbers(game: &Game, names: &[String]) -> Result<Vec<Number>, Failure> {
    names.iter().map(|name| Number::read(game, name)).collect::<Result<_, _>>().map_err(Failure::Usage)
}

fn variation(args: &SimulateArgs, loaded: &Loaded, ready: &Ready) -> Result<Option<Variation>, Box<Refused>> {
    let texts = &args.study.vary;
    if texts.is_empty() {
        return Ok(None);
    }
    let library = &loaded.library;
    let Some(program) = library.programs().iter().find(|program| program.name == ready.name) else { return Ok(None) };
    Variation::new(library, program, texts, args.study.vary_per.into()).map(Some)
}

/// Returns the resources that are tracked over time.
fn follow(args: &StudyArgs, game: &Game) -> Result<Vec<SlotId>, Failure> {
    if args.timeline.is_none() {
        return Ok(Vec::new());
    }
    if !args.follow.is_empty() {
        return follow::named(game, &args.follow).map_err(Failure::Usage);
    }
    match follow::usual(game) {
        none if none.is_empty() => Err(Failure::Usage(
            "select the resources of the timeline with --resource NODE.RESOURCE, about six at most".to_owned(),
        )),
        usual => Ok(usual),
    }
}

/// Writes the requested plots.
fn draw(args: &StudyArgs, study: &Study<'_>, collected: &Collected, numbers: Vec<Number>) -> Result<(), Failure> {
    let write = |path: &PathBuf, drawn: Result<String, String>| {
        drawn.map_err(Failure::Usage).and_then(|picture| write_file(path, &picture))
    };
    if let Some(path) = &args.plot {
        let rewards = Number::rewards(study.ready.simulator.game());
        let numbers = if numbers.is_empty() { rewards } else { numbers };
        write(path, pictures::distributions(study, collected, &numbers, &args.shape(true)))?;
    }
    match &args.timeline {
        Some(path) => write(path, pictures::timelines(study, collected)),
        None => Ok(()),
    }
}

/// Reports the reason why a game cannot be played; returns `false`.
fn refuse(refused: &Refused, output: &Output) -> bool {
    output.report(&refused.diagnostics, &refused.sources);
    false
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| Failure::File(path.to_owned(), error))
}

/// The result of the games, or the reason why they cannot be played.
type Done = Result<StudyResult, Box<Refused>>;

/// Plays the games, and writes the requested ones individually.
fn play(args: &SimulateArgs, study: &Study<'_>, out: &mut (dyn Write + Send)) -> Result<Done, Failure> {
    let progress = Progress::games(args.games.saturating_mul(study.players.len() as u64));
    let heading = Heading::new(study.ready, &study.players[0], Some(study.seed));
    let trace = args.trace.as_deref().map(TurnsFile::create).transpose()?;
    let mut trace = trace.map(|file| TraceWriter::new(file).with_heading(heading.json()));
    let mut writer = GamesWriter::new(args.format(), study, out)?;
    let mut write = |played: &Played| writer.write(study, played);
    let wanted = !matches!(args.format(), Simulations::Text | Simulations::Json);
    let done = study.play(Hearers {
        progress: &|count| progress.add(count),
        games: wanted.then_some(&mut write),
        turns: trace.as_mut().map(|trace| trace as &mut (dyn Watch + Send)),
    });
    progress.finish();
    let done = match done {
        Ok(done) => Ok(done),
        Err(StudyError::Refused(refused)) => Err(refused),
        Err(StudyError::Threads(error)) => {
            return Err(Failure::Usage(format!("cannot start the threads: {error}")));
        }
        Err(StudyError::Output(error)) => return Err(failed(args.output.as_ref(), error)),
    };
    writer.finish().map_err(|error| failed(args.output.as_ref(), error))?;
    if let (Some(trace), Some(path)) = (trace, &args.trace) {
        let written = trace.finish().and_then(|mut file| file.finish());
        written.map_err(|error| Failure::File(path.clone(), error))?;
    }
    Ok(done)
}

fn failed(output: Option<&PathBuf>, error: std::io::Error) -> Failure {
    match output {
        Some(path) => Failure::File(path.clone(), error),
        None => Failure::Output(error),
    }
}

/// Returns a number with four decimals, or one if large; integral numbers are written without decimals.
pub(crate) fn shown(number: f64) -> String {
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
