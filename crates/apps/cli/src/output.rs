//! Diagnostics and results on their way out.

use std::io::{self, Write};

use goalspec::syntax::explain::CodeTable;
use goalspec::syntax::render::{self, Context, OutputFormat};
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
    out: io::BufWriter<anstream::AutoStream<io::Stdout>>,
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
        Self { out: io::BufWriter::new(anstream::AutoStream::new(io::stdout(), choice)), color: errors }
    }

    /// Prints findings for people to standard error, with a summary. Commands whose output is something else use this.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        if !diagnostics.is_empty() {
            let codes = codes();
            let context = Context { sources, codes: &codes, color: self.color };
            anstream::eprint!("{}", render::render(OutputFormat::Human, diagnostics, context));
            anstream::eprintln!("{}", render::summary(diagnostics));
        }
    }

    /// Prints findings as the output of the command.
    pub(crate) fn findings(
        &mut self,
        format: OutputFormat,
        diagnostics: &[Diagnostic],
        sources: &Sources,
    ) -> io::Result<()> {
        let codes = codes();
        let context = Context { sources, codes: &codes, color: self.color };
        self.out.write_all(render::render(format, diagnostics, context).as_bytes())
    }

    /// Says to standard error what was done.
    #[expect(clippy::unused_self, reason = "everything that is printed goes through the output")]
    pub(crate) fn note(&self, message: &str) {
        anstream::eprintln!("{message}");
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

fn codes() -> CodeTable {
    let docs = goalspec::codes::all();
    CodeTable::new([&docs[..]])
}
