//! Diagnostics and results on their way out.

use std::io::{self, Write};

use goalspec::syntax::render::{self, Format};
use goalspec::syntax::{Diagnostic, Sources};

use crate::args::Color;

/// Why a command could not do its work at all.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// The request makes no sense.
    Usage(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
            Self::Usage(message) => f.write_str(message),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// `true`: nothing was wrong.
pub(crate) type Outcome = Result<bool, Failure>;

/// Standard output, buffered, and standard error.
pub(crate) struct Output {
    out: anstream::AutoStream<io::BufWriter<io::Stdout>>,
    color: bool,
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
        Self { out: anstream::AutoStream::new(io::BufWriter::new(io::stdout()), choice), color: errors }
    }

    /// Prints findings for people to standard error, with a summary. Commands whose output is something else use this.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        if !diagnostics.is_empty() {
            anstream::eprint!("{}", render::human(diagnostics, sources, self.color));
            anstream::eprintln!("{}", render::summary(diagnostics));
        }
    }

    /// Prints findings as the output of the command.
    pub(crate) fn findings(&mut self, format: Format, diagnostics: &[Diagnostic], sources: &Sources) -> io::Result<()> {
        let text = render::render(format, diagnostics, sources, self.color);
        self.out.write_all(text.as_bytes())
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
