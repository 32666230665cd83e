//! Byte sources: plain, gzip or zstd, detected by their first bytes, read through one refillable buffer.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{ScanProblem, ScanStop, Scanner, Stop};
use crate::limits::ActiveReadLimits;
use crate::read_ahead::ReadAhead;

/// Maximum size of one state of a trace, in bytes of text.
pub const MAX_STATE_BYTES: usize = 64 << 20;

/// Maximum size, in bytes, of a Parquet table that is compressed or piped and therefore kept in memory as a whole.
#[cfg(feature = "parquet")]
pub const MAX_PIPED_PARQUET_BYTES: usize = 1 << 30;

/// Initial size of a buffer in bytes; it grows for larger states.
const BUFFER_BYTES: usize = 256 << 10;

/// The compression of a trace's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

impl Compression {
    /// Returns the name of the compression as shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// Returns the compression that the last extension of a path stands for.
    pub fn of_path(path: &Path) -> Self {
        let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        match () {
            () if ends("gz") => Self::Gzip,
            () if ends("zst") => Self::Zstd,
            () => Self::None,
        }
    }

    fn of_magic(first: &[u8]) -> Self {
        if first.starts_with(&[0x1f, 0x8b]) {
            Self::Gzip
        } else if first.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Self::Zstd
        } else {
            Self::None
        }
    }
}

pub(crate) fn io_error(action: &str, path: &Path, error: &io::Error) -> TraceError {
    TraceError::new(codes::IO, format!("cannot {action} `{}`: {error}", path.display()))
}

fn read_error(error: &io::Error) -> TraceError {
    TraceError::new(codes::IO, format!("cannot read the trace: {error}"))
}

pub(crate) fn open_file(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| io_error("open", path, &error))
}

/// A stream of bytes that decompresses gzip and zstd, detected by the first bytes.
pub struct Decompressor<'r> {
    input: Box<dyn Read + Send + 'r>,
    compression: Compression,
}

impl<'r> Decompressor<'r> {
    /// Reads the first bytes and decompresses the stream if they identify gzip or zstd. Waits for more than one byte only if the first one
    /// may begin a compressed or Parquet file.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the zstd decoder cannot be created.
    pub fn new(mut input: impl Read + Send + 'r) -> io::Result<Self> {
        let mut first = Vec::with_capacity(4);
        let mut required = 1;
        while first.len() < required {
            let mut byte = [0];
            match input.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => first.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if matches!(first[0], 0x1f | 0x28 | b'P') {
                required = 4;
            }
        }
        let compression = Compression::of_magic(&first);
        let compressed = Cursor::new(first).chain(input);
        let input: Box<dyn Read + Send + 'r> = match compression {
            Compression::None => Box::new(compressed),
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(compressed)),
            Compression::Zstd => Box::new(zstd::Decoder::new(compressed)?),
        };
        Ok(Self { input, compression })
    }

    /// Returns the detected compression.
    pub fn compression(&self) -> Compression {
        self.compression
    }
}

impl Read for Decompressor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

/// A window of uncompressed bytes over a stream.
pub(crate) struct Buffer<'r> {
    input: Box<dyn Read + Send + 'r>,
    compression: Compression,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// The number of bytes before `start` in the whole text.
    before: u64,
    ended: bool,
    failure: Option<io::Error>,
    limits: Option<ActiveReadLimits>,
}

impl<'r> Buffer<'r> {
    /// Reads the first bytes and decompresses the stream if they identify gzip or zstd. Never waits for more than one byte of plain JSON,
    /// so that a live stream can be read line by line.
    pub(crate) fn new(input: impl Read + Send + 'r) -> Result<Self> {
        let Decompressor { input, compression } = Decompressor::new(input).map_err(|error| read_error(&error))?;
        Ok(Self::over(input, compression))
    }

    /// Opens a buffer over a file that, if compressed, is decompressed ahead on a thread of its own.
    pub(crate) fn ahead(file: File) -> Result<Self> {
        let Decompressor { input, compression } = Decompressor::new(file).map_err(|error| read_error(&error))?;
        let input = if compression == Compression::None { input } else { ReadAhead::start(input) };
        Ok(Self::over(input, compression))
    }

    /// Creates a buffer over the bytes of a file in memory. A short text is the window itself: the window of a stream would be larger than most
    /// traces that are scored in large numbers.
    pub(crate) fn of_bytes(bytes: &'r [u8]) -> Result<Self> {
        if bytes.len() <= BUFFER_BYTES && Compression::of_magic(bytes) == Compression::None {
            return Ok(Self::from_text(0, bytes.to_vec()));
        }
        Self::new(bytes)
    }

    fn over(input: Box<dyn Read + Send + 'r>, compression: Compression) -> Self {
        Self {
            input,
            compression,
            bytes: Vec::new(),
            start: 0,
            end: 0,
            before: 0,
            ended: false,
            failure: None,
            limits: None,
        }
    }

    /// Sets the limits on the reading.
    ///
    /// # Errors
    /// If the bytes in memory exceed one of them.
    pub(crate) fn limit(&mut self, limits: Option<ActiveReadLimits>) -> Result<()> {
        self.limits = limits;
        self.check_limits()
    }

    fn check_limits(&self) -> Result<()> {
        let Some(limits) = &self.limits else { return Ok(()) };
        limits.check_bytes(self.before + (self.end - self.start) as u64)?;
        limits.check_time()
    }

    /// Creates a buffer over a text in memory that begins at byte `offset` of a larger text.
    pub(crate) fn from_text(offset: u64, text: Vec<u8>) -> Self {
        Self {
            input: Box::new(io::empty()),
            compression: Compression::None,
            start: 0,
            end: text.len(),
            bytes: text,
            before: offset,
            ended: true,
            failure: None,
            limits: None,
        }
    }

    /// Skips a UTF-8 byte order mark. Waits for no more bytes than are needed to recognise it.
    pub(crate) fn skip_byte_order_mark(&mut self) -> Result<()> {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        while self.bytes().len() < MARK.len() && MARK.starts_with(self.bytes()) && self.refill()? {}
        if self.bytes().starts_with(MARK) {
            self.consume(MARK.len());
        }
        Ok(())
    }

    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns the unconsumed bytes in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Returns the offset of the unconsumed bytes in the uncompressed text.
    pub(crate) fn offset(&self) -> u64 {
        self.before
    }

    /// Reads everything to the end, because Parquet tables are not read sequentially.
    #[cfg(feature = "parquet")]
    pub(crate) fn drain(mut self) -> Result<Vec<u8>> {
        let mut all = self.bytes().to_vec();
        self.consume(all.len());
        while self.refill()? {
            all.extend_from_slice(self.bytes());
            self.consume(self.bytes().len());
            if all.len() > MAX_PIPED_PARQUET_BYTES {
                let limit = MAX_PIPED_PARQUET_BYTES >> 20;
                let message = format!("a compressed or piped Parquet table exceeds the limit of {limit} MiB");
                return Err(TraceError::new(codes::STATE_TOO_LARGE, message));
            }
        }
        match self.end_error("in the Parquet data") {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }

    /// Drops the first `count` unconsumed bytes.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
        self.before += count as u64;
    }

    /// Reads further bytes after those in memory, once. Returns whether there were any.
    ///
    /// Damaged or truncated compressed data counts as an end; [`Self::end_error`] tells the difference.
    pub(crate) fn refill(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.end == self.bytes.len() {
            self.make_room()?;
        }
        loop {
            match self.input.read(&mut self.bytes[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    self.failure = Some(error);
                }
            }
            self.check_limits()?;
            return Ok(!self.ended);
        }
    }

    fn make_room(&mut self) -> Result<()> {
        let remaining = self.end - self.start;
        if remaining >= MAX_STATE_BYTES {
            return Err(TraceError::new(
                codes::STATE_TOO_LARGE,
                format!("the value at byte {} exceeds the limit of {} MiB", self.before, MAX_STATE_BYTES >> 20),
            ));
        }
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, remaining);
        if remaining * 2 > self.bytes.len() || self.bytes.is_empty() {
            self.bytes.resize((self.bytes.len() * 2).max(BUFFER_BYTES), 0);
        }
        Ok(())
    }

    /// Returns the reason for the end of the bytes, unless it is the end of the file.
    pub(crate) fn end_error(&self, place: &str) -> Option<TraceError> {
        let error = self.failure.as_ref()?;
        let compression = self.compression.name();
        Some(match (self.compression, error.kind()) {
            (Compression::None, _) => TraceError::new(codes::IO, format!("cannot read the trace {place}: {error}")),
            (_, io::ErrorKind::UnexpectedEof) => {
                TraceError::new(codes::CUT, format!("the {compression} data ends early {place}"))
            }
            _ => TraceError::new(codes::DAMAGED, format!("the {compression} data is damaged {place}: {error}")),
        })
    }

    /// Runs a scan over the first bytes without consuming them. Reads no more than the scan needs. Returns `None` if the scan fails, or is
    /// not done within `limit` bytes or before the end.
    pub(crate) fn peek_scan<T>(
        &mut self,
        limit: usize,
        mut scan: impl FnMut(&mut Scanner<'_>) -> std::result::Result<T, Stop>,
    ) -> Result<Option<T>> {
        loop {
            let mut scanner = Scanner::new(self.bytes());
            match (scan(&mut scanner), scanner.fault()) {
                (Ok(value), _) => return Ok(Some(value)),
                (Err(Stop), ScanStop::Incomplete) if self.bytes().len() < limit && self.refill()? => {}
                (Err(Stop), _) => return Ok(None),
            }
        }
    }

    /// Runs a scan over the bytes in memory. If they end too early, reads further bytes and runs the scan again from its start.
    ///
    /// The number of bytes in memory doubles before each new run, so that the time is linear in the length of the scanned text.
    pub(crate) fn scan<T>(
        &mut self,
        mut scan: impl FnMut(&mut Scanner<'_>) -> std::result::Result<T, Stop>,
    ) -> std::result::Result<T, ScanError> {
        loop {
            let mut scanner = Scanner::new(self.bytes());
            match (scan(&mut scanner), scanner.fault()) {
                (Ok(value), _) => {
                    let read = scanner.position();
                    self.consume(read);
                    return Ok(value);
                }
                (Err(Stop), ScanStop::At(at, problem)) => {
                    return Err(ScanError::Problem { offset: self.before + at as u64, problem });
                }
                (Err(Stop), ScanStop::Incomplete) => {
                    let required = (self.bytes().len() * 2).clamp(BUFFER_BYTES, MAX_STATE_BYTES);
                    let before = self.bytes().len();
                    while self.bytes().len() < required && self.refill().map_err(ScanError::Error)? {}
                    if self.bytes().len() == before {
                        self.refill().map_err(ScanError::Error)?;
                    }
                    if self.bytes().len() == before {
                        return Err(ScanError::Ended);
                    }
                }
            }
        }
    }
}

/// The failure of a scan over a buffer.
#[derive(Debug)]
pub(crate) enum ScanError {
    /// The text is invalid at this byte.
    Problem {
        /// The offset of the byte in the uncompressed text.
        offset: u64,
        /// The problem.
        problem: ScanProblem,
    },
    /// The text ends within the scanned value.
    Ended,
    /// Reading failed.
    Error(TraceError),
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use std::io::{Read as _, repeat};

    use super::{Buffer, MAX_STATE_BYTES};

    /// The size limit of a state does not apply to a table.
    #[test]
    fn tables_may_be_longer_than_a_state() {
        let length = 2 * MAX_STATE_BYTES;
        let bytes = Buffer::new(repeat(b'x').take(length as u64)).unwrap().drain();
        assert_eq!(bytes.unwrap().len(), length);
    }
}
