//! Writing of traces: the choice of format and compression by path, conversion, and truncation.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;

use crate::atomic_file::AtomicFile;
use crate::codes;
use crate::error::{Result, TraceError};
use crate::lines::LinesWriter;
use crate::reader::{Header, TraceReader};
use crate::source::{Compression, io_error};

/// A sink for the states of a trace, in order.
pub trait TraceWriter {
    /// Writes the next state.
    ///
    /// # Errors
    /// If the output cannot be written, or a number is not finite.
    fn write(&mut self, delta: &Delta) -> Result<()>;

    /// Ends the trace. A file made by [`create`] does not exist until it is finished.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self) -> Result<()>;
}

/// Creates a file for a trace of a world. The extension of its name selects the format: `.jsonl`, `.jsonl.gz`, `.jsonl.zst` or, with the
/// feature `parquet`, `.parquet`. A previous file of that name remains until the trace is finished.
///
/// The recording's metadata and the objects that only the trace declares are copied from `header`.
///
/// # Errors
/// If the extension is another one, or the file cannot be written.
pub fn create<'w>(path: &Path, world: &'w World, header: &Header) -> Result<Box<dyn TraceWriter + 'w>> {
    let compression = Compression::of_path(path);
    let stem = match compression {
        Compression::None => path.as_os_str(),
        _ => path.file_stem().unwrap_or_default(),
    };
    let format = Path::new(stem).extension().and_then(|extension| extension.to_str());
    let file = || AtomicFile::create(path).map_err(|error| io_error("create", path, &error));
    match (format, compression) {
        (Some("jsonl"), _) => {
            let output = CompressedFile::new(file()?, compression).map_err(|error| write_error(&error))?;
            Ok(Box::new(LinesFile(LinesWriter::new(output, world, header)?)))
        }
        #[cfg(feature = "parquet")]
        (Some("parquet"), Compression::None) => {
            Ok(Box::new(ParquetFile(crate::parquet::ParquetWriter::new(file()?, world, header)?)))
        }
        #[cfg(not(feature = "parquet"))]
        (Some("parquet"), Compression::None) => {
            Err(TraceError::new(codes::NOT_BUILT_IN, "this build does not support Parquet files"))
        }
        _ => {
            let message = format!("the name `{}` does not determine the output format", path.display());
            Err(TraceError::new(codes::UNKNOWN_FORMAT, message)
                .with_help("name the file `.jsonl`, `.jsonl.gz`, `.jsonl.zst` or `.parquet`"))
        }
    }
}

pub(crate) fn write_error(error: &io::Error) -> TraceError {
    TraceError::new(codes::IO, format!("cannot write the trace: {error}"))
}

/// A JSON Lines file; finishing it also finishes its compression.
struct LinesFile<'w>(LinesWriter<'w, CompressedFile>);

impl TraceWriter for LinesFile<'_> {
    fn write(&mut self, delta: &Delta) -> Result<()> {
        self.0.write(delta)
    }

    fn finish(&mut self) -> Result<()> {
        self.0.output().finish().map_err(|error| write_error(&error))
    }
}

/// A Parquet table in a file.
#[cfg(feature = "parquet")]
struct ParquetFile<'w>(crate::parquet::ParquetWriter<'w, AtomicFile>);

#[cfg(feature = "parquet")]
impl TraceWriter for ParquetFile<'_> {
    fn write(&mut self, delta: &Delta) -> Result<()> {
        self.0.write(delta)
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish()?;
        self.0.output().finish().map_err(|error| write_error(&error))
    }
}

/// A file that compresses the bytes written to it, and is put in place once it is [finished](CompressedFile::finish).
pub struct CompressedFile(CompressionEncoder);

enum CompressionEncoder {
    None(BufWriter<AtomicFile>),
    Gzip(GzEncoder<BufWriter<AtomicFile>>),
    Zstd(zstd::Encoder<'static, BufWriter<AtomicFile>>),
}

impl CompressedFile {
    /// Creates a file, compressed according to the last extension of its name: `.gz`, `.zst`, or none.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_with(path, Compression::of_path(path))
    }

    /// Creates a file with the given compression, whatever its name.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create_with(path: &Path, compression: Compression) -> io::Result<Self> {
        Self::new(AtomicFile::create(path)?, compression)
    }

    fn new(file: AtomicFile, compression: Compression) -> io::Result<Self> {
        let file = BufWriter::new(file);
        Ok(Self(match compression {
            Compression::None => CompressionEncoder::None(file),
            Compression::Gzip => CompressionEncoder::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Zstd => CompressionEncoder::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
        }))
    }

    /// Flushes the compressor, and puts the file in place.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.end()?.finish()
    }

    /// Flushes the compressor, leaves the file [at its temporary path](AtomicFile::keep_temporary), and returns that path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep_temporary(&mut self) -> io::Result<&Path> {
        Ok(self.end()?.keep_temporary())
    }

    fn end(&mut self) -> io::Result<&mut AtomicFile> {
        let file = match &mut self.0 {
            CompressionEncoder::None(file) => file,
            CompressionEncoder::Gzip(encoder) => {
                encoder.try_finish()?;
                encoder.get_mut()
            }
            CompressionEncoder::Zstd(encoder) => {
                encoder.do_finish()?;
                encoder.get_mut()
            }
        };
        file.flush()?;
        Ok(file.get_mut())
    }
}

impl Write for CompressedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            CompressionEncoder::None(file) => file.write(bytes),
            CompressionEncoder::Gzip(encoder) => encoder.write(bytes),
            CompressionEncoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            CompressionEncoder::None(file) => file.flush(),
            CompressionEncoder::Gzip(encoder) => encoder.flush(),
            CompressionEncoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

/// Copies a trace state by state, and returns the number of states.
///
/// # Errors
/// As [`TraceReader::next`] and [`TraceWriter::write`]. The output then holds the states copied before the error, without an end.
pub fn convert(reader: &mut (impl TraceReader + ?Sized), writer: &mut (impl TraceWriter + ?Sized)) -> Result<u64> {
    let mut delta = Delta::default();
    let mut states = 0;
    while reader.next(&mut delta)? {
        writer.write(&delta)?;
        states += 1;
    }
    writer.finish()?;
    Ok(states)
}

/// A reader of the first states of another reader's trace, made by [`head`].
pub struct Head<R> {
    reader: R,
    left: u64,
}

/// Returns a reader of the first `count` states of a trace; no more are read.
pub fn head<R: TraceReader>(reader: R, count: u64) -> Head<R> {
    Head { reader, left: count }
}

impl<R: TraceReader> TraceReader for Head<R> {
    fn header(&self) -> &Header {
        self.reader.header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.reader.next(delta)
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.reader.diagnostics()
    }
}
