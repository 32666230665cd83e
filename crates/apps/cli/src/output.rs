//! Diagnostics and results on their way out.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use goalspec::limits;
use goalspec::syntax::explain::CodeTable;
use goalspec::syntax::render::{self, Context, OutputFormat};
use goalspec::syntax::{Diagnostic, Severity, Sources};
use goalspec::trace::source::Compression;
use goalspec::trace::write::Packed;

use crate::args::Color;

/// Why a command could not do its work at all.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// A file cannot be written.
    File(PathBuf, io::Error),
    /// The request makes no sense.
    Usage(String),
    /// Everything has been said but the exit code.
    Code(u8),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
            Self::File(path, error) => {
                let error = limits::with_remedy(goalspec::codes::RECORDING, error.to_string());
                write!(f, "`{}` cannot be written: {error}", path.display())
            }
            Self::Usage(message) => f.write_str(message),
            Self::Code(code) => write!(f, "exit code {code}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Replaces a text file, once all of it is written; packed, if the file that it replaces is.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    goalspec::files::write_text(path, text).map_err(|error| Failure::File(path.to_owned(), error))
}

/// A file for turns as they are played. What is plain is there as soon as it is written; what its name says to pack is there at the end.
pub(crate) enum TurnsFile {
    /// Written at once.
    Plain(io::BufWriter<File>),
    /// Packed with gzip or zstd, by an ending `.gz` or `.zst`.
    Packed(Box<Packed>),
}

impl TurnsFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let created = match Compression::of_path(path) {
            Compression::None => File::create(path).map(|file| Self::Plain(io::BufWriter::new(file))),
            Compression::Gzip | Compression::Zstd => Packed::create(path).map(|file| Self::Packed(Box::new(file))),
        };
        created.map_err(|error| Failure::File(path.to_owned(), error))
    }

    /// Writes what has not been written yet.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Packed(file) => file.finish(),
        }
    }
}

impl Write for TurnsFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Packed(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Packed(file) => file.flush(),
        }
    }
}

/// `true`: nothing was wrong.
pub(crate) type Outcome = Result<bool, Failure>;

/// Standard output, buffered, and standard error.
pub(crate) struct Output {
    out: io::BufWriter<Box<dyn Write + Send>>,
    color: bool,
    /// How writing failed, for those who hear of it only in words.
    failed: Option<io::ErrorKind>,
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
        Self { out: io::BufWriter::new(out), color: errors, failed: None }
    }

    /// From now on, results go to standard error: the standard output is for something else.
    pub(crate) fn divert(&mut self) {
        self.out = io::BufWriter::new(Box::new(anstream::stderr()));
    }

    /// Prints findings for people to standard error, with a summary. Commands whose output is something else use this; notes
    /// on programs are left to `check`.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let on_program = |diagnostic: &Diagnostic| diagnostic.span.is_some() || diagnostic.code.0.starts_with("bddl/");
        let matters = |diagnostic: &&Diagnostic| diagnostic.severity > Severity::Note || !on_program(diagnostic);
        let advised = diagnostics.iter().filter(matters).cloned().map(limits::advise);
        let diagnostics: &[Diagnostic] = &advised.collect::<Vec<_>>();
        if !diagnostics.is_empty() {
            let codes = codes();
            let context = Context { sources, codes: &codes, color: self.color };
            anstream::eprint!("{}", render::render(OutputFormat::Human, diagnostics, context));
            anstream::eprintln!("{}", render::summary(diagnostics));
        }
    }

    /// Prints findings as the output of the command; for people, one note of a kind, unless they ask for all of them.
    pub(crate) fn findings(
        &mut self,
        format: OutputFormat,
        all_notes: bool,
        diagnostics: &[Diagnostic],
        sources: &Sources,
    ) -> io::Result<()> {
        let codes = codes();
        let context = Context { sources, codes: &codes, color: self.color };
        let advised: Vec<Diagnostic> = diagnostics.iter().cloned().map(limits::advise).collect();
        let condensed = format == OutputFormat::Human && !all_notes;
        let diagnostics = if condensed { render::condense(&advised) } else { advised };
        self.out.write_all(render::render(format, &diagnostics, context).as_bytes())
    }

    /// Says to standard error what was done.
    #[expect(clippy::unused_self, reason = "everything that is printed goes through the output")]
    pub(crate) fn note(&self, message: &str) {
        anstream::eprintln!("{message}");
    }

    /// Whether everything that was written so far could be.
    pub(crate) fn intact(&self) -> Result<(), Failure> {
        self.failed.map_or(Ok(()), |kind| Err(Failure::Output(kind.into())))
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.failed = Some(error.kind()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|error| self.failed = Some(error.kind()))
    }
}

/// Columns for tables where the output is no terminal and `COLUMNS` says nothing.
const DEFAULT_WIDTH: u16 = 100;

/// How many columns a table may take.
pub(crate) fn width() -> u16 {
    let terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
    let wished = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(wished).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH)
}

/// So many of something.
pub(crate) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A number for people: without what binary fractions leave behind the sixth decimal. The machine-readable formats are exact.
pub(crate) fn number(value: f64) -> String {
    // From here on, 64 bits have no more than six decimals anyway.
    const LARGE: f64 = 1e9;
    let rounded = (value * 1e6).round() / 1e6;
    // A number that is only small is not 0, and there is no negative 0 for people.
    let kept =
        if value.abs() >= LARGE || !value.is_finite() || (rounded == 0.0 && value != 0.0) { value } else { rounded };
    (kept + 0.0).to_string()
}

fn codes() -> CodeTable {
    let docs = goalspec::codes::all();
    CodeTable::new([&docs[..]])
}

/// Refuses to write results over what they are computed from.
pub(crate) fn spare<'p>(output: &Path, mut inputs: impl Iterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    let Ok(output) = output.canonicalize() else { return Ok(()) };
    match inputs.find(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        Some(input) => Err(Failure::Usage(format!("results would be written over `{}`, an input", input.display()))),
        None => Ok(()),
    }
}

/// Refuses to write a file that is written already, whether it is there yet or not.
pub(crate) fn once<'p>(output: &Path, mut others: impl Iterator<Item = &'p PathBuf>) -> Result<(), Failure> {
    let same = |other: &PathBuf| match (std::path::absolute(output), std::path::absolute(other)) {
        (Ok(output), Ok(other)) => output == other,
        _ => output == other,
    };
    if others.any(same) {
        return Err(Failure::Usage(format!("`{}` would be written twice", output.display())));
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
