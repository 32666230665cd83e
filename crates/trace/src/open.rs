//! Opening a trace: what kind of file it is, and which world it belongs to.

use std::io::Read;
use std::path::Path;

use goalspec_core::world::World;

use crate::error::Result;
use crate::reader::{Header, Reader};
use crate::recorded::{Document, RecordedReader};
use crate::source::{Buffer, open_file};

/// How a trace is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions<'r> {
    /// Whether a damaged or cut trace simply ends before the damage, with a remark, instead of giving an error.
    pub partial: bool,
    /// Further worlds that messages may point to when the trace does not fit.
    pub candidates: Vec<&'r World>,
}

/// A trace whose format is known and whose states were not read yet.
pub struct Source<'r> {
    form: Form<'r>,
}

enum Form<'r> {
    Recorded(Box<Document<'r>>),
}

impl<'r> Source<'r> {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read, is of no known format, or is damaged before its first state.
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_reader(open_file(path)?)
    }

    /// Takes any stream of bytes, such as the standard input. Of a live stream of JSON Lines, nothing but the first line is waited for.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_reader(input: impl Read + Send + 'r) -> Result<Self> {
        let buffer = Buffer::new(input)?;
        let mut document = Document::new(buffer);
        document.start()?;
        Ok(Self { form: Form::Recorded(Box::new(document)) })
    }

    /// What the trace says of itself.
    pub fn header(&self) -> &Header {
        match &self.form {
            Form::Recorded(document) => document.header(),
        }
    }

    /// Starts reading states of a world.
    ///
    /// # Errors
    /// The trace names a scene of another world, or the world does not say how recorded plays are read.
    pub fn read(self, world: &'r World, options: &ReadOptions<'r>) -> Result<Reader<'r>> {
        match self.form {
            Form::Recorded(document) => {
                let reader = RecordedReader::new(*document, world, options.candidates.clone())?;
                Ok(Reader::new(reader, options.partial))
            }
        }
    }
}

/// Opens a trace of a world.
///
/// # Errors
/// As [`Source::open`] and [`Source::read`].
pub fn open<'r>(path: &Path, world: &'r World, options: &ReadOptions<'r>) -> Result<Reader<'r>> {
    Source::open(path)?.read(world, options)
}

/// Reads a trace of a world from any stream of bytes.
///
/// # Errors
/// As [`Source::from_reader`] and [`Source::read`].
pub fn from_reader<'r>(
    input: impl Read + Send + 'r,
    world: &'r World,
    options: &ReadOptions<'r>,
) -> Result<Reader<'r>> {
    Source::from_reader(input)?.read(world, options)
}
