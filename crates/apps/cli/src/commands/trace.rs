//! The `goalspec trace` command.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use goalspec::atari::Options;
use goalspec::atari::recording::Header;
use goalspec::rewards::capture::{self, LiveOptions, RamFormat, RecordingSize};
use goalspec::syntax::{Diagnostic, Severity, Sources};
use goalspec::trace::TraceInput;
use goalspec::trace::screens::ScreenStatistics;
use goalspec::trace::source::Compression;
use goalspec::trace::write::CompressedFile;
use goalspec::trace::{CheckedReader, LinesWriter, Summary, TraceReader, codes, convert, create, head};
use goalspec::traces::{self, TraceContents, TraceWorld};
use serde_json::Value;

use crate::args::{
    TraceArgs, TraceCommand, TraceConvertArgs, TraceHeadArgs, TraceInfoArgs, TraceRecordArgs, VerdictFormat, WorldArg,
};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, ensure_not_input, number, plural, table_width};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

pub(crate) fn run(args: &TraceArgs, output: &mut Output) -> CommandResult {
    match &args.command {
        TraceCommand::Info(args) => info(args, output),
        TraceCommand::Convert(args) => convert_to(args, output),
        TraceCommand::Record(args) => record(args, output),
        TraceCommand::Diff(args) => super::replay::diff(args, output),
        TraceCommand::Head(args) => report(&args.input, head_of(args, output), output),
    }
}

/// Prints the diagnostics of a trace, or its error.
fn report(path: &Path, result: Result<Vec<Diagnostic>>, output: &Output) -> CommandResult {
    output.check_writes()?;
    let diagnostics = result.unwrap_or_else(|error| vec![*error]);
    let diagnostics: Vec<Diagnostic> = diagnostics.into_iter().map(|finding| about(path, finding)).collect();
    output.report(&diagnostics, &Sources::new());
    Ok(!diagnostics.iter().any(Diagnostic::is_error))
}

fn about(path: &Path, finding: Diagnostic) -> Diagnostic {
    let name = if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() };
    goalspec::trace::input::with_trace_name(&name, finding)
}

fn open(path: &Path, world: &WorldArg) -> Result<(TraceInput, TraceWorld)> {
    traces::open(path, world.world.as_deref())
}

fn reader<'r>(input: &'r TraceInput, trace_world: &'r TraceWorld, world: &WorldArg) -> Result<CheckedReader<'r>> {
    traces::read(input, &trace_world.world, world.partial)
}

fn info(args: &TraceInfoArgs, output: &mut Output) -> CommandResult {
    let DiscoveredFiles { inputs, mut diagnostics } = DiscoveredFiles::new(&args.paths);
    let paths = inputs.traces;
    if paths.is_empty() && diagnostics.is_empty() {
        return Err(CommandError::Usage("no trace among the paths".to_owned()));
    }
    let mut values = Vec::new();
    for path in paths {
        match inspect(&path, args) {
            Ok(contents) => {
                match (args.format, &contents.summary) {
                    (VerdictFormat::Text, Some(summary)) => text(&path, summary, &contents, output)?,
                    (VerdictFormat::Json, Some(summary)) => {
                        values.push(goalspec::json::trace_contents(&path.display().to_string(), summary, &contents));
                    }
                    (_, None) => {}
                }
                diagnostics.extend(contents.diagnostics.into_iter().map(|finding| about(&path, finding)));
            }
            Err(error) => diagnostics.push(about(&path, *error)),
        }
    }
    if args.format == VerdictFormat::Json {
        writeln!(output, "{:#}", Value::from(values))?;
    }
    output.report(&diagnostics, &Sources::new());
    Ok(!diagnostics.iter().any(Diagnostic::is_error))
}

fn inspect(path: &Path, args: &TraceInfoArgs) -> Result<TraceContents> {
    let (input, trace_world) = open(path, &args.world)?;
    traces::contents(&input, &trace_world.world, args.world.partial)
}

fn text(path: &Path, summary: &Summary, contents: &TraceContents, output: &mut Output) -> std::io::Result<()> {
    let header = &summary.header;
    writeln!(output, "{}", path.display())?;
    let compression = match header.compression {
        Compression::None => String::new(),
        compression => format!(", compressed with {}", compression.name()),
    };
    writeln!(output, "  format      {}{compression}", header.format.name())?;
    writeln!(output, "  world       {}", summary.world)?;
    for (label, value) in
        [("scene", &header.scene), ("id", &header.id), ("participant", &header.participant), ("replay", &header.replay)]
    {
        if let Some(value) = value {
            writeln!(output, "  {label:<11} {value}")?;
        }
    }
    let (first, last) = summary.indices;
    let damage = if contents.is_complete { "" } else { " before the damage" };
    writeln!(output, "  states      {}{damage}, index {first} to {last}", summary.states)?;
    if let Some(screens) = &contents.screens {
        print_screens(screens, output)?;
    }
    if let Some(duration) = summary.duration {
        writeln!(output, "  duration    {duration} s")?;
    }
    writeln!(output, "  objects     {} observed", summary.objects.len())?;
    writeln!(output, "  changes     {:.1} values per state", summary.updates_per_state())?;
    let attributes: Vec<&str> = summary.attributes.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(output, "  attributes  {}", wrapped(&attributes, 14))
}

/// Prints the metadata of a recording of screens.
fn print_screens(screens: &ScreenStatistics, output: &mut Output) -> std::io::Result<()> {
    let ScreenStatistics { policy, actions, episodes, completed_episodes: finished, total_reward: points, rewards } =
        screens;
    if let Some(policy) = policy {
        writeln!(output, "  policy      {policy}")?;
    }
    writeln!(output, "  episodes    {episodes}, {finished} complete")?;
    writeln!(output, "  score       {}", number(*points))?;
    for (label, names) in [("actions", actions.iter().collect()), ("rewards", rewards.iter().collect::<Vec<_>>())] {
        if !names.is_empty() {
            let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
            writeln!(output, "  {label:<11} {}", wrapped(&names, 14))?;
        }
    }
    Ok(())
}

/// Joins words with commas, in wrapped lines that begin at a column.
fn wrapped(words: &[&str], begin: usize) -> String {
    let mut text = String::new();
    let mut column = begin;
    for (place, word) in words.iter().enumerate() {
        let length = word.len() + 2;
        if place > 0 && column + length > usize::from(table_width()) {
            text += ",\n";
            text.extend(std::iter::repeat_n(' ', begin));
            column = begin;
        } else if place > 0 {
            text += ", ";
        }
        text += word;
        column += length;
    }
    text
}

fn record(args: &TraceRecordArgs, output: &mut Output) -> CommandResult {
    let is_parquet =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"));
    if let Some(path) = args.output.as_ref().filter(|path| is_parquet(path)) {
        let reason = "recordings of screens are JSON Lines: use .jsonl, .jsonl.gz or .jsonl.zst";
        return Err(CommandError::Usage(format!("`{}`: {reason}", path.display())));
    }
    if let (Some(input), Some(to)) = (&args.input, &args.output) {
        ensure_not_input(to, std::iter::once(input))?;
    }
    let recorded = match &args.output {
        None => record_to(args, output),
        Some(path) => {
            let mut file = LazyFile { path, file: None, failed: None };
            let recorded = record_to(args, &mut file);
            file.end(recorded.is_ok(), args.env.is_some(), output)
                .map_err(|error| CommandError::File(path.clone(), error))?;
            recorded
        }
    };
    output.check_writes()?;
    match recorded {
        Ok(RecordingSize { frames, episodes }) => {
            let (frames, episodes) = (plural(frames as usize, "frame"), plural(episodes as usize, "episode"));
            output.note(&format!("recorded {frames} in {episodes}"));
            Ok(true)
        }
        Err(error) => {
            let name = args.input.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
            let error = Diagnostic { message: format!("{name}{}", error.message), ..*error };
            output.report(&[error], &Sources::new());
            Ok(false)
        }
    }
}

/// A file that is created at the first write, so that earlier errors leave existing files unchanged.
struct LazyFile<'p> {
    path: &'p Path,
    file: Option<CompressedFile>,
    failed: Option<std::io::Error>,
}

impl LazyFile<'_> {
    /// Closes the file; it replaces the old one if it is complete. Frames `played` before an error cannot be recorded again, and are kept.
    fn end(self, whole: bool, played: bool, output: &mut Output) -> std::io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let Some(mut file) = self.file else { return Ok(()) };
        if whole {
            return file.finish();
        }
        if played {
            let temporary = file.keep_temporary()?;
            output.note(&format!("the frames recorded before the error are in {}", temporary.display()));
        }
        Ok(())
    }

    /// Returns the file; creates it if necessary.
    fn file(&mut self) -> std::io::Result<&mut CompressedFile> {
        if self.file.is_none() {
            self.file = Some(CompressedFile::create(self.path)?);
        }
        self.file.as_mut().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    /// Stores a write error, and returns its kind.
    fn record_error<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.failed = Some(error);
            kind.into()
        })
    }
}

impl Write for LazyFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let result = self.file().and_then(|file| file.write(bytes));
        self.record_error(result)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.file.as_mut().map_or(Ok(()), Write::flush);
        self.record_error(flushed)
    }
}

fn record_to(args: &TraceRecordArgs, out: &mut dyn Write) -> Result<RecordingSize> {
    let options = Options { hud: args.hud, quirks: !args.no_quirks };
    if let Some(game) = args.env {
        let live = LiveOptions {
            environment: game.environment(),
            game,
            options,
            policy: args.policy,
            frames: args.steps,
            seed: args.seed,
            python: args.python.clone(),
            is_packed: args.packed,
        };
        return capture::play(&live, out);
    }
    // Clap requires both unless a game is played.
    let (Some(game), Some(path)) = (args.game, &args.input) else { return Ok(RecordingSize::default()) };
    let form = if args.raw { RamFormat::Raw } else { RamFormat::Hex };
    let mut input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let unreadable = |error: std::io::Error| {
            Box::new(Diagnostic::new(codes::IO, Severity::Error, format!("cannot open the file: {error}")))
        };
        Box::new(BufReader::new(std::fs::File::open(path).map_err(unreadable)?))
    };
    capture::record(&mut input, form, &Header::new(game, options), args.packed, out)
}

fn convert_to(args: &TraceConvertArgs, output: &mut Output) -> CommandResult {
    // Writing to a file that is being read would destroy it.
    let is_same_file = |(a, b): (PathBuf, PathBuf)| a == b;
    if args.input.canonicalize().ok().zip(args.output().canonicalize().ok()).is_some_and(is_same_file) {
        let message = format!("cannot convert `{}` onto itself", args.input.display());
        return Err(CommandError::Usage(message));
    }
    report(&args.input, convert_one(args, output), output)
}

fn convert_one(args: &TraceConvertArgs, output: &mut Output) -> Result<Vec<Diagnostic>> {
    let failed = |error: goalspec::trace::TraceError| Box::new(error.into_diagnostic());
    let (input, trace_world) = open(&args.input, &args.world)?;
    let mut reader = reader(&input, &trace_world, &args.world)?;
    let header = reader.header().clone();
    if args.output() == Path::new("-") {
        let mut writer = LinesWriter::new(&mut *output, &trace_world.world, &header).map_err(failed)?;
        convert(&mut reader, &mut writer).map_err(failed)?;
    } else {
        let mut writer = create(args.output(), &trace_world.world, &header).map_err(failed)?;
        let states = convert(&mut reader, &mut *writer).map_err(failed)?;
        output.note(&format!("{} written to {}", plural(states as usize, "state"), args.output().display()));
    }
    Ok(reader.diagnostics())
}

fn head_of(args: &TraceHeadArgs, output: &mut Output) -> Result<Vec<Diagnostic>> {
    let failed = |error: goalspec::trace::TraceError| Box::new(error.into_diagnostic());
    let (input, trace_world) = open(&args.input, &args.world)?;
    let reader = reader(&input, &trace_world, &args.world)?;
    let header = reader.header().clone();
    let mut writer = LinesWriter::new(&mut *output, &trace_world.world, &header).map_err(failed)?;
    let mut reader = head(reader, args.number);
    convert(&mut reader, &mut writer).map_err(failed)?;
    Ok(reader.diagnostics())
}
