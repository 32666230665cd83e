//! Reading of traces without programs: their contents, and the choice of a trace's world.

use std::path::Path;
use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_rewards::shipped_worlds;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_trace::input::{STATES_PER_PROGRESS_REPORT, TraceInput, with_trace_name};
use goalspec_trace::screens::ScreenStatistics;
use goalspec_trace::{CheckedReader, ReadOptions, Summary, TraceError, TraceReader, detect_world};

use crate::codes;
use crate::files;
use crate::library::{Library, LibraryOptions};
use crate::recordings::recorded_game;

/// A world for reading a trace.
#[derive(Debug)]
pub struct TraceWorld {
    /// The world, with the objects that the trace declares.
    pub world: Arc<World>,
    /// The library that the world was loaded into, with the diagnostics of its file; empty for a built-in world.
    pub library: Library,
}

/// Chooses the world for reading a trace: the one of this name (a built-in world, a world file, or a program that defines its
/// world, such as a planning problem), or else the built-in world that [fits](detect_world).
///
/// # Errors
/// If there is no such world, the trace cannot be read, or its world cannot be determined.
pub fn choose_world(input: &TraceInput, world_name: Option<&str>) -> Result<TraceWorld, Box<Diagnostic>> {
    let source = input.open()?;
    let written_for = source.header().world.as_deref();
    let (world, library) = match world_name {
        Some(name) => load_world(name, written_for)?,
        None => (shipped_worlds::fitting(input, written_for)?, Library::new()),
    };
    let world = match source.extend_world(&world)? {
        std::borrow::Cow::Borrowed(_) => world.clone(),
        std::borrow::Cow::Owned(extended) => Arc::new(extended),
    };
    Ok(TraceWorld { world, library })
}

/// Checks that a trace can be read to its end with the world among `worlds` to which it belongs, and returns the remarks of the
/// reader or the error. With `any_world`, the worlds of activities accept traces of other activities. `progress` is called from
/// time to time with the number of bytes of the trace's text read since the previous call.
pub fn check(input: &TraceInput, worlds: &[Arc<World>], any_world: bool, progress: &dyn Fn(u64)) -> Vec<Diagnostic> {
    let read_through = |world: &World| read_through(input, world, any_world, progress);
    let candidates: Vec<&World> = worlds.iter().map(|world| &**world).collect();
    let found = match candidates[..] {
        [only] => read_through(only),
        _ => detect_world(|| input.open(), &candidates).map_err(Into::into).and_then(|matching| match matching {
            Some(world) => {
                let same_name = candidates.iter().filter(|other| other.name() == world.name());
                first_success(&mut same_name.map(|world| read_through(world)))
            }
            None => Err(wrong_world_error(input, &candidates)),
        }),
    };
    let findings = found.unwrap_or_else(|error| vec![*error]);
    findings.into_iter().map(|finding| with_trace_name(&input.name(), finding)).collect()
}

fn read_through(
    input: &TraceInput,
    world: &World,
    any_world: bool,
    progress: &dyn Fn(u64),
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let source = input.open()?;
    let world = source.extend_world(world)?;
    let options = ReadOptions { any_world, ..ReadOptions::default() };
    let mut reader = source.read(&world, &options)?;
    let mut delta = Delta::default();
    let (mut states, mut reported) = (0, 0);
    while reader.next(&mut delta)? {
        states += 1;
        if states % STATES_PER_PROGRESS_REPORT == 0 {
            let offset = reader.offset();
            progress(offset - reported);
            reported = offset;
        }
    }
    Ok(shipped_worlds::with_probable_world(reader.diagnostics(), reader.header().world.as_deref(), &world))
}

/// Returns the first success, or else the first error.
fn first_success(
    readings: &mut impl Iterator<Item = Result<Vec<Diagnostic>, Box<Diagnostic>>>,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let Some(first) = readings.next() else { return Ok(Vec::new()) };
    first.or_else(|error| readings.find_map(Result::ok).ok_or(error))
}

/// The maximum number of worlds that a message names.
const MAX_NAMED_WORLDS: usize = 6;

/// Returns the error that a trace belongs to none of the worlds.
pub(crate) fn wrong_world_error(input: &TraceInput, worlds: &[&World]) -> Box<Diagnostic> {
    let mut shown: Vec<_> = worlds.iter().take(MAX_NAMED_WORLDS).map(|world| format!("`{}`", world.name())).collect();
    if worlds.len() > MAX_NAMED_WORLDS {
        shown.push(format!("and {} more", worlds.len() - MAX_NAMED_WORLDS));
    }
    let message = format!("`{}` matches none of the worlds {}", input.name(), shown.join(", "));
    let error = Diagnostic::new(goalspec_trace::codes::WRONG_WORLD, Severity::Error, message);
    let Some(written_for) = input.open().ok().and_then(|source| source.header().world.clone()) else {
        return Box::new(error);
    };
    let suggestion = did_you_mean(&written_for, worlds.iter().map(|world| world.name()));
    let error = error.with_help(format!("the trace was written for world `{written_for}`"));
    Box::new(suggestion.into_iter().fold(error, Diagnostic::with_help))
}

/// Statistics of the states of a trace, with the diagnostics of reading them.
#[derive(Debug)]
pub struct TraceContents {
    /// Statistics of the valid states; `None` if there are none.
    pub summary: Option<Summary>,
    /// Whether all states were read without damage.
    pub is_complete: bool,
    /// The data that a recording of screens has besides its states; `None` for other traces.
    pub screens: Option<ScreenStatistics>,
    /// The remarks of the reader, and the error that stopped it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Opens a list of states and [chooses its world](choose_world).
///
/// # Errors
/// If the trace is a recording of a resource graph game, or as [`choose_world`].
pub fn open(path: &Path, world_name: Option<&str>) -> Result<(TraceInput, TraceWorld), Box<Diagnostic>> {
    let input = files::trace_input(path)?;
    if let Some(game) = recorded_game(&input) {
        let message = format!("this file is a recording of the resource graph game `{game}`, not a list of states");
        let help = "use `goalspec replay` to replay it, `goalspec trace diff` to compare two recordings, `goalspec score` to score it";
        let code = goalspec_trace::codes::UNKNOWN_FORMAT;
        return Err(Box::new(Diagnostic::new(code, Severity::Error, message).with_help(help)));
    }
    let trace_world = choose_world(&input, world_name)?;
    Ok((input, trace_world))
}

/// Returns the contents of a trace. Damage after the first state is reported in the contents.
///
/// # Errors
/// If the trace cannot be opened or does not belong to the world.
pub fn contents(input: &TraceInput, world: &World, partial: bool) -> Result<TraceContents, Box<Diagnostic>> {
    let mut reader = read(input, world, partial)?;
    let (summary, end) = Summary::read_partial(&mut reader, world);
    let is_complete = end.is_ok() && reader.stopped_at().is_none();
    let mut diagnostics = reader.diagnostics();
    // A trace of another world does not count as partly readable.
    let is_of_world = end.as_ref().err().is_none_or(|error| error.code() != goalspec_trace::codes::WRONG_WORLD);
    diagnostics.extend(end.err().map(TraceError::into_diagnostic));
    let screens = input.open()?.into_screen_recording().map(ScreenStatistics::of);
    // The contents state the number of episodes anyway.
    diagnostics.retain(|finding| screens.is_none() || finding.code != goalspec_trace::codes::EPISODES);
    let summary = Some(summary).filter(|summary| summary.states > 0 && is_of_world);
    Ok(TraceContents { summary, is_complete, screens, diagnostics })
}

/// Opens a trace for reading with a world. With `partial`, a damaged trace is read up to the damage.
///
/// # Errors
/// If the trace cannot be read or does not belong to the world.
pub fn read<'r>(input: &'r TraceInput, world: &'r World, partial: bool) -> Result<CheckedReader<'r>, Box<Diagnostic>> {
    let source = input.open()?;
    Ok(source.read(world, &ReadOptions { partial, ..ReadOptions::default() })?)
}

/// Returns the world of this name or file. If a file has several worlds, the one that the trace was written for is preferred.
fn load_world(name: &str, written_for: Option<&str>) -> Result<(Arc<World>, Library), Box<Diagnostic>> {
    if let Some(world) = shipped_worlds::find(name) {
        return Ok((world, Library::new()));
    }
    let path = Path::new(name);
    if path.is_file() {
        let (files, mut diagnostics) = files::discover(&[path.to_owned()], &|| ());
        let library = Library::load(&files, LibraryOptions::default(), &|| ());
        let worlds = library.all_worlds();
        let meant = worlds.iter().find(|world| Some(world.name()) == written_for).or(worlds.first());
        if let Some(world) = meant {
            return Ok((world.clone(), library));
        }
        diagnostics.extend(library.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).cloned());
        let message = format!("`{name}` is not a world file or a program that defines its world");
        let none = || Diagnostic::new(codes::UNKNOWN_DOMAIN, Severity::Error, message);
        return Err(Box::new(diagnostics.into_iter().next().unwrap_or_else(none)));
    }
    Err(shipped_worlds::unknown_world(name, &[]))
}
