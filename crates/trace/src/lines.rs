//! goalspec's own trace format: JSON Lines, specified in the book's chapter on traces.
//!
//! | module | contents |
//! |---|---|
//! | `header` | the first line |
//! | `decode` | [`LineDecoder`]: one line of text to one state |
//! | `write` | [`LinesWriter`] |
//!
//! The first line is a header. Every other line is one state, given as its difference from the previous state.

mod decode;
mod header;
mod write;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;

use crate::codes;
use crate::error::Result;
use crate::reader::{Decoder, Format, Header};
use crate::source::Buffer;

pub(crate) use decode::is_state_field;
pub use decode::{LineDecoder, LineKind};
pub(crate) use header::extend;
pub(crate) use header::{check as check_header, read as read_header};
pub use write::LinesWriter;

/// Returns the header of a trace as the text of its first line.
pub(crate) fn header_text(world: &World, header: &Header) -> Result<String> {
    let mut line = Vec::new();
    LinesWriter::new(&mut line, world, header)?;
    Ok(String::from_utf8_lossy(line.trim_ascii_end()).into_owned())
}

/// The value of the header's `format` field.
pub const FORMAT_NAME: &str = "goalspec-trace";

/// The version that is written, and the newest version that is read.
pub const FORMAT_VERSION: u64 = 1;

/// The default index and clock of a state: the index increases by one, and the clock by as much as the index.
#[derive(Debug, Clone, Copy, Default)]
struct Numbering {
    last: Option<(u64, u64)>,
}

impl Numbering {
    fn index(self) -> u64 {
        self.last.map_or(0, |(index, _)| index.saturating_add(1))
    }

    fn clock(self, index: u64) -> u64 {
        self.last.map_or(index, |(last, clock)| clock.saturating_add(index.saturating_sub(last)))
    }
}

/// The lines of a stream, with the header already read if there is one.
pub(crate) struct LineSource<'r> {
    buffer: Buffer<'r>,
    header: Header,
    /// The number of lines read.
    lines: u64,
    /// The length of the last returned line including its line end; it is consumed before the next line is read.
    pending: usize,
}

impl<'r> LineSource<'r> {
    /// Creates a source, and reads the header if `has_header`.
    pub(crate) fn new(buffer: Buffer<'r>, has_header: bool) -> Result<Self> {
        let header = Header::new(Format::Lines, buffer.compression());
        let mut source = Self { buffer, header, lines: 0, pending: 0 };
        if has_header {
            let mut header = source.header.clone();
            // Blank lines may precede the header.
            while let Some((line, number)) = source.line()? {
                if !line.trim_ascii().is_empty() {
                    header::read(line, number, &mut header)?;
                    break;
                }
            }
            source.header = header;
        }
        Ok(source)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the next line without its line end, and its number counted from 1; `None` at the end.
    fn line(&mut self) -> Result<Option<(&[u8], u64)>> {
        self.buffer.consume(std::mem::take(&mut self.pending));
        let mut searched = 0;
        let (length, end) = loop {
            let bytes = self.buffer.bytes();
            if let Some(at) = bytes[searched..].iter().position(|&byte| byte == b'\n') {
                break (searched + at, 1);
            }
            searched = bytes.len();
            if !self.buffer.refill()? {
                if let Some(error) = self.buffer.end_error(&format!("in line {}", self.lines + 1)) {
                    return Err(error);
                }
                if searched == 0 {
                    return Ok(None);
                }
                break (searched, 0);
            }
        };
        self.lines += 1;
        self.pending = length + end;
        Ok(Some((&self.buffer.bytes()[..length], self.lines)))
    }
}

/// A reader of states from JSON Lines.
pub(crate) struct LinesReader<'r> {
    source: LineSource<'r>,
    decoder: LineDecoder<&'r World>,
    world: &'r World,
    remarks: Vec<Diagnostic>,
}

impl<'r> LinesReader<'r> {
    pub(crate) fn new(source: LineSource<'r>, world: &'r World, any_world: bool) -> Result<Self> {
        let remarks = header::check(source.header(), world, any_world)?;
        Ok(Self { source, decoder: LineDecoder::new(world), world, remarks })
    }
}

impl Decoder for LinesReader<'_> {
    fn header(&self) -> &Header {
        &self.source.header
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        while let Some((line, number)) = self.source.line()? {
            match self.decoder.decode_numbered(line, number, delta) {
                Ok(LineKind::State) => return Ok(true),
                Ok(_) => {}
                Err(error) if error.code() == codes::UNKNOWN_NAME => {
                    return Err(header::with_other_world(error, &self.source.header, self.world));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        self.remarks.clone()
    }

    fn offset(&self) -> u64 {
        self.source.buffer.offset() + self.source.pending as u64
    }
}
