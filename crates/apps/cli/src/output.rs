//! The printing of diagnostics and results.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use goalspec::limits;
use goalspec::syntax::code_table::CodeTable;
use goalspec::syntax::render::{self, OutputFormat, RenderContext};
use goalspec::syntax::{Diagnostic, Severity, Sources};
use goalspec::trace::source::Compression;
use goalspec::trace::write::CompressedFile;

use crate::args::Color;

/// The error of a command that cannot complete, as opposed to one that reports diagnostics.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The standard output cannot be written.
    Output(io::Error),
    /// A file cannot be written.
    File(PathBuf, io::Error),
    /// The command line is invalid.
    Usage(String),
    /// The failure has been reported; the command exits with this code.
    ExitCode(u8),
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::File(path, error) => {
                let error = limits::with_remedy(goalspec::codes::RECORDING, error.to_string());
                write!(f, "cannot write `{}`: {error}", path.display())
            }
            Self::Usage(message) => f.write_str(message),
            Self::ExitCode(code) => write!(f, "exit code {code}"),
        }
    }
}

impl CommandError {
    /// Returns the error that an argument of the command is invalid.
    #[allow(clippy::boxed_local, reason = "an argument of `map_err`, to which errors are given in boxes")]
    pub(crate) fn invalid_argument(error: Box<Diagnostic>) -> Self {
        Self::Usage(error.message)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Replaces a text file once the whole text is written. The new file has the compression of the old one or, if there is none, the
/// compression that its name indicates.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), CommandError> {
    goalspec::files::write_text(path, text).map_err(|error| CommandError::File(path.to_owned(), error))
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// A file of recorded turns. A plain file is written as the game proceeds; a compressed file appears when it is finished; `-` is standard
/// output.
pub(crate) enum TurnRecordingFile {
    /// A plain file.
    Plain(io::BufWriter<File>),
    /// A file compressed with gzip (`.gz`) or zstd (`.zst`).
    Compressed(Box<CompressedFile>),
    /// Standard output.
    Standard(io::BufWriter<io::Stdout>),
}

impl TurnRecordingFile {
    pub(crate) fn create(path: &Path) -> Result<Self, CommandError> {
        if is_standard(path) {
            return Ok(Self::Standard(io::BufWriter::new(io::stdout())));
        }
        let created = match Compression::of_path(path) {
            Compression::None => File::create(path).map(|file| Self::Plain(io::BufWriter::new(file))),
            Compression::Gzip | Compression::Zstd => {
                CompressedFile::create(path).map(|file| Self::Compressed(Box::new(file)))
            }
        };
        created.map_err(|error| CommandError::File(path.to_owned(), error))
    }

    /// Writes the buffered data and completes the file.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Compressed(file) => file.finish(),
            Self::Standard(stream) => stream.flush(),
        }
    }
}

impl Write for TurnRecordingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Compressed(file) => file.write(bytes),
            Self::Standard(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Compressed(file) => file.flush(),
            Self::Standard(stream) => stream.flush(),
        }
    }
}

/// The outcome of a command: whether it succeeded without reporting an error.
pub(crate) type CommandResult = Result<bool, CommandError>;

/// Buffered standard output, and standard error.
pub(crate) struct Output {
    out: io::BufWriter<Box<dyn Write + Send>>,
    color: bool,
    /// The kind of the last write error, for callers that receive errors as text only.
    write_error: Option<io::ErrorKind>,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        let choice = match color {
            Color::Auto => anstream::AutoStream::choice(&io::stdout()),
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        let errors = match color {
            Color::Auto => anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        };
        if color != Color::Auto {
            choice.write_global();
        }
        let out: Box<dyn Write + Send> = Box::new(anstream::AutoStream::new(io::stdout(), choice));
        Self { out: io::BufWriter::new(out), color: errors, write_error: None }
    }

    /// Redirects results to standard error, so that standard output can carry other data.
    pub(crate) fn redirect_to_stderr(&mut self) {
        self.out = io::BufWriter::new(Box::new(anstream::stderr()));
    }

    /// Prints diagnostics to standard error in the human-readable format, with a summary. For commands whose output is not the
    /// diagnostics; notes on programs are omitted, since `check` prints them.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let on_program = |diagnostic: &Diagnostic| diagnostic.span.is_some() || diagnostic.code.0.starts_with("bddl/");
        let is_shown = |diagnostic: &&Diagnostic| diagnostic.severity > Severity::Note || !on_program(diagnostic);
        let advised = diagnostics.iter().filter(is_shown).cloned().map(limits::add_remedy);
        let diagnostics: &[Diagnostic] = &advised.collect::<Vec<_>>();
        if !diagnostics.is_empty() {
            let codes = codes();
            let context = RenderContext { sources, codes: &codes, color: self.color };
            anstream::eprint!("{}", render::render(OutputFormat::Human, diagnostics, context));
            anstream::eprintln!("{}", render::summary(diagnostics));
        }
    }

    /// Prints diagnostics as the output of the command. The human-readable format condenses repeated notes unless `all_notes` is set.
    pub(crate) fn print_diagnostics(
        &mut self,
        format: OutputFormat,
        all_notes: bool,
        diagnostics: &[Diagnostic],
        sources: &Sources,
    ) -> io::Result<()> {
        let codes = codes();
        let context = RenderContext { sources, codes: &codes, color: self.color };
        let advised: Vec<Diagnostic> = diagnostics.iter().cloned().map(limits::add_remedy).collect();
        let is_condensed = format == OutputFormat::Human && !all_notes;
        let diagnostics = if is_condensed { render::condense(&advised) } else { advised };
        self.out.write_all(render::render(format, &diagnostics, context).as_bytes())
    }

    /// Prints a message to standard error.
    #[expect(clippy::unused_self, reason = "everything that is printed goes through the output")]
    pub(crate) fn note(&self, message: &str) {
        anstream::eprintln!("{message}");
    }

    /// Returns an error if a write to the output has failed.
    pub(crate) fn check_writes(&self) -> Result<(), CommandError> {
        self.write_error.map_or(Ok(()), |kind| Err(CommandError::Output(kind.into())))
    }

    pub(crate) fn flush(&mut self) -> Result<(), CommandError> {
        Ok(self.out.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.write_error = Some(error.kind()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|error| self.write_error = Some(error.kind()))
    }
}

/// The table width, in columns, if the output is not a terminal and `COLUMNS` is not set.
const DEFAULT_WIDTH: u16 = 100;

/// Returns the maximum table width, in columns.
pub(crate) fn table_width() -> u16 {
    let terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
    let columns_variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(columns_variable).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH)
}

/// Returns a count with its noun.
pub(crate) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns a number for human-readable output, rounded to six decimals; the machine-readable formats are exact.
pub(crate) fn number(value: f64) -> String {
    // Rounding a number of this size would gain nothing: an `f64` has at most six decimals there.
    const LARGE: f64 = 1e9;
    let rounded = (value * 1e6).round() / 1e6;
    // A small nonzero number is not printed as 0, and -0 is printed as 0.
    let kept =
        if value.abs() >= LARGE || !value.is_finite() || (rounded == 0.0 && value != 0.0) { value } else { rounded };
    (kept + 0.0).to_string()
}

fn codes() -> CodeTable {
    let docs = goalspec::codes::all();
    CodeTable::new([&docs[..]])
}

/// Returns an error if the output is one of the inputs.
pub(crate) fn ensure_not_input<'p>(
    output: &Path,
    mut inputs: impl Iterator<Item = &'p PathBuf>,
) -> Result<(), CommandError> {
    let Ok(output) = output.canonicalize() else { return Ok(()) };
    match inputs.find(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        Some(input) => Err(CommandError::Usage(format!("the output `{}` is also an input", input.display()))),
        None => Ok(()),
    }
}

/// Returns an error if the output is one of the other outputs, existing or not.
pub(crate) fn ensure_distinct<'p>(
    output: &Path,
    mut others: impl Iterator<Item = &'p PathBuf>,
) -> Result<(), CommandError> {
    let same = |other: &PathBuf| match (std::path::absolute(output), std::path::absolute(other)) {
        (Ok(output), Ok(other)) => output == other,
        _ => output == other,
    };
    if others.any(same) {
        return Err(CommandError::Usage(format!("`{}` is the path of two outputs", output.display())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_only_where_nothing_is_lost() {
        let cases = [
            (0.1 + 0.2, "0.3"),
            (10.0, "10"),
            (-0.0, "0"),
            (1.0 / 3.0, "0.333333"),
            (1e-9, "0.000000001"),
            (-2.5, "-2.5"),
            (123_456_789_012.0, "123456789012"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }
}
