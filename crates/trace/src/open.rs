//! Opening of traces: detection of a file's format and of the world it belongs to.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_core::world::World;

use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{Scanner, Stop};
use crate::limits::ActiveReadLimits;
use crate::lines::{self, LineSource, LinesReader};
#[cfg(feature = "parquet")]
use crate::parquet::ParquetSource;
use crate::reader::{CheckedReader, Header, TraceReader};
use crate::recorded::{Document, RecordedReader};
use crate::screens::{self, ScreenRecording, ScreensReader, ScreensSource};
#[cfg(feature = "parquet")]
use crate::source::io_error;
use crate::source::{Buffer, open_file};
use crate::store::{Cursor, Trace};

/// Options for reading a trace.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions<'r> {
    /// Whether a damaged or truncated trace ends before the damage with a remark, instead of an error.
    pub partial: bool,
    /// Whether a trace that names another world is read even if the world is [exclusive](World::requires_own_traces).
    pub any_world: bool,
    /// Further worlds that messages may suggest if the trace does not fit.
    pub candidates: Vec<&'r World>,
}

/// Options for opening a trace.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OpenOptions {
    /// Whether a compressed file is decompressed on a thread of its own.
    pub(crate) ahead: bool,
    /// The limits on the reading.
    pub(crate) limits: Option<ActiveReadLimits>,
}

/// A trace whose format is known and whose states have not been read.
pub struct Source<'r> {
    form: FormatSource<'r>,
    limits: Option<ActiveReadLimits>,
}

enum FormatSource<'r> {
    Recorded(Box<Document<'r>>),
    Lines(Box<LineSource<'r>>),
    Screens(Box<ScreensSource<'r>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetSource>),
    Memory(Arc<Trace>),
}

/// Maximum number of bytes searched for the first field name, which identifies the format.
const MAX_DETECTION_BYTES: usize = 64 << 10;

/// The start of a JSON text.
enum TextStart {
    List,
    Object { header: bool, state: bool },
    Other(u8),
}

impl<'r> Source<'r> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read, is of no known format, or is damaged before its first state.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &OpenOptions::default())
    }

    /// Opens a file. If it is compressed, it is decompressed on a thread of its own, by a bounded number of bytes ahead of the reading.
    /// The states and the errors are those of [`Self::open`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_ahead(path: &Path) -> Result<Self> {
        Self::open_with(path, &OpenOptions { ahead: true, ..OpenOptions::default() })
    }

    pub(crate) fn open_with(path: &Path, options: &OpenOptions) -> Result<Self> {
        #[cfg(feature = "parquet")]
        if let Some(file) = open_parquet(path)? {
            return Self::from_parquet(ParquetSource::open(file)?, options.limits);
        }
        let file = open_file(path)?;
        let buffer = if options.ahead { Buffer::ahead(file)? } else { Buffer::new(file)? };
        Self::from_buffer(buffer, options.limits)
    }

    #[cfg(feature = "parquet")]
    fn from_parquet(source: ParquetSource, limits: Option<ActiveReadLimits>) -> Result<Self> {
        limits.map_or(Ok(()), |limits| limits.check_bytes(source.uncompressed_bytes()))?;
        Ok(Self { form: FormatSource::Parquet(Box::new(source)), limits })
    }

    /// Creates a source from any stream of bytes, such as the standard input. Of a live stream of JSON Lines, only the first line is
    /// awaited.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_reader(input: impl Read + Send + 'r) -> Result<Self> {
        Self::from_buffer(Buffer::new(input)?, None)
    }

    /// Creates a source from the contents of a file in memory.
    pub(crate) fn from_bytes_with(bytes: &'r [u8], options: &OpenOptions) -> Result<Self> {
        Self::from_buffer(Buffer::of_bytes(bytes)?, options.limits)
    }

    fn from_buffer(mut buffer: Buffer<'r>, limits: Option<ActiveReadLimits>) -> Result<Self> {
        buffer.limit(limits)?;
        buffer.skip_byte_order_mark()?;
        if buffer.peek_scan(MAX_DETECTION_BYTES, screens::is_screen_recording)? == Some(true) {
            return Ok(Self { form: FormatSource::Screens(Box::new(ScreensSource::new(buffer, limits)?)), limits });
        }
        let form = match buffer.peek_scan(MAX_DETECTION_BYTES, beginning)? {
            Some(TextStart::Object { header, state }) if header || state => {
                FormatSource::Lines(Box::new(LineSource::new(buffer, header)?))
            }
            Some(TextStart::List | TextStart::Object { .. }) => {
                let mut document = Document::new(buffer);
                document.start()?;
                FormatSource::Recorded(Box::new(document))
            }
            #[cfg(feature = "parquet")]
            Some(TextStart::Other(b'P')) if buffer.bytes().starts_with(PARQUET_MAGIC) => {
                return Self::from_parquet(ParquetSource::from_bytes(buffer.drain()?)?, limits);
            }
            other => return Err(unknown_format(&buffer, other.as_ref())),
        };
        Ok(Self { form, limits })
    }

    /// Creates a source from a trace in memory.
    pub fn from_trace(trace: Arc<Trace>) -> Self {
        Self { form: FormatSource::Memory(trace), limits: None }
    }

    pub(crate) fn from_trace_with(trace: Arc<Trace>, options: &OpenOptions) -> Result<Self> {
        options.limits.map_or(Ok(()), |limits| limits.check_bytes(trace.memory_bytes() as u64))?;
        Ok(Self { limits: options.limits, ..Self::from_trace(trace) })
    }

    /// Returns the metadata of the trace.
    pub fn header(&self) -> &Header {
        match &self.form {
            FormatSource::Recorded(document) => document.header(),
            FormatSource::Lines(lines) => lines.header(),
            FormatSource::Screens(screens) => screens.header(),
            #[cfg(feature = "parquet")]
            FormatSource::Parquet(source) => source.header(),
            FormatSource::Memory(trace) => trace.header(),
        }
    }

    /// Converts the source into a recording of screens, read frame by frame; `None` if the trace is of another format.
    pub fn into_screen_recording(self) -> Option<ScreenRecording<'r>> {
        match self.form {
            FormatSource::Screens(source) => Some(source.into_screens()),
            _ => None,
        }
    }

    /// Restricts a recording of screens to the states of one episode; other formats have no episodes and are unchanged.
    #[must_use]
    pub fn with_episode(mut self, episode: u64) -> Self {
        if let FormatSource::Screens(source) = &mut self.form {
            source.episode = Some(episode);
        }
        self
    }

    /// Returns the world for reading the trace: `world`, extended by the objects that the trace's header declares.
    ///
    /// # Errors
    /// If the header declares an object of a type that the world does not have or does not open to recordings.
    pub fn extend_world<'w>(&self, world: &'w World) -> Result<Cow<'w, World>> {
        Ok(lines::extend(self.header(), world)?.map_or(Cow::Borrowed(world), Cow::Owned))
    }

    /// Starts reading states of a world, which must be [extended](Self::extend_world) if the header declares objects.
    ///
    /// # Errors
    /// If the trace names a scene of another world, the world defines no recording of plays, or the header does not agree with the world.
    pub fn read(self, world: &'r World, options: &ReadOptions<'r>) -> Result<CheckedReader<'r>> {
        let reader = match self.form {
            FormatSource::Recorded(document) => {
                CheckedReader::new(RecordedReader::new(*document, world, options.candidates.clone())?, options.partial)
            }
            FormatSource::Lines(source) => {
                CheckedReader::new(LinesReader::new(*source, world, options.any_world)?, options.partial)
            }
            FormatSource::Screens(source) => CheckedReader::new(ScreensReader::new(*source, world)?, options.partial),
            #[cfg(feature = "parquet")]
            FormatSource::Parquet(source) => {
                CheckedReader::new(source.read(world, options.any_world)?, options.partial)
            }
            FormatSource::Memory(trace) if trace.is_of(world) => {
                CheckedReader::new(Cursor::new(trace), options.partial)
            }
            FormatSource::Memory(trace) => {
                let built_for = trace.header().world.as_deref().unwrap_or_default();
                let message = if built_for == world.name() {
                    format!("the trace in memory is of another version of the world `{built_for}`")
                } else {
                    format!("the trace in memory is of the world `{built_for}`, not of `{}`", world.name())
                };
                return Err(TraceError::new(codes::WRONG_WORLD, message));
            }
        };
        Ok(reader.within(self.limits))
    }
}

/// The magic number of Parquet files.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Returns the opened file if it is a Parquet file.
#[cfg(feature = "parquet")]
fn open_parquet(path: &Path) -> Result<Option<std::fs::File>> {
    let mut file = open_file(path)?;
    let mut magic = Vec::new();
    let read = file.by_ref().take(PARQUET_MAGIC.len() as u64).read_to_end(&mut magic);
    read.map_err(|error| io_error("read", path, &error))?;
    Ok((magic == PARQUET_MAGIC).then_some(file))
}

fn beginning(scanner: &mut Scanner<'_>) -> std::result::Result<TextStart, Stop> {
    Ok(match scanner.peek()? {
        b'[' => TextStart::List,
        b'{' => {
            let name = if scanner.object()? { Some(scanner.key()?) } else { None };
            let name = name.map_or(&b""[..], |name| name.raw);
            let state = lines::is_state_field(name);
            // The header's reader reports a misspelt first name.
            let header = name == b"format"
                || !state && !name.is_empty() && scanner.peek()? == b'"' && scanner.text()? == lines::FORMAT_NAME;
            TextStart::Object { header, state }
        }
        other => TextStart::Other(other),
    })
}

fn unknown_format(buffer: &Buffer<'_>, start: Option<&TextStart>) -> TraceError {
    let bytes = buffer.bytes();
    if let Some(error) = buffer.end_error("before the first state") {
        return error;
    }
    let is_blank = bytes.trim_ascii().is_empty();
    if is_blank && bytes.len() < MAX_DETECTION_BYTES {
        return TraceError::new(codes::EMPTY, "the trace is empty");
    }
    if bytes.starts_with(PARQUET_MAGIC) {
        return TraceError::new(codes::NOT_BUILT_IN, "this build does not support Parquet files");
    }
    let found = match start {
        Some(TextStart::Other(byte)) if byte.is_ascii_graphic() => format!("it begins with `{}`", char::from(*byte)),
        Some(TextStart::Other(byte)) => format!("it begins with the byte {byte:#04x}"),
        _ if is_blank => "it begins with white space only".to_owned(),
        _ => "its first JSON object is damaged or truncated".to_owned(),
    };
    let error = TraceError::new(codes::UNKNOWN_FORMAT, format!("unknown trace format: {found}"));
    // No UTF-8 text begins with either byte.
    if let Some(TextStart::Other(0xfe | 0xff)) = start {
        return error.with_help("the file seems to be UTF-16: save it as UTF-8");
    }
    error.with_help("traces are JSON that begins with `[` or `{`, plain or compressed with gzip or zstd")
}

/// Opens a trace file and starts reading states of a world.
///
/// # Errors
/// As [`Source::open`] and [`Source::read`].
pub fn open<'r>(path: &Path, world: &'r World, options: &ReadOptions<'r>) -> Result<CheckedReader<'r>> {
    Source::open(path)?.read(world, options)
}

/// Starts reading states of a world from any stream of bytes.
///
/// # Errors
/// As [`Source::from_reader`] and [`Source::read`].
pub fn from_reader<'r>(
    input: impl Read + Send + 'r,
    world: &'r World,
    options: &ReadOptions<'r>,
) -> Result<CheckedReader<'r>> {
    Source::from_reader(input)?.read(world, options)
}

/// Selects the world that a trace belongs to: the one that its header names, or the one that has its scene, or, for recorded plays that
/// name neither, the one whose objects agree best with the objects that the play lists. Returns `None` if no candidate fits or the trace
/// does not say.
///
/// `open` opens the trace anew on each call, because a play without names is read once with each candidate.
///
/// # Errors
/// As [`Source::open`]. A recording that is damaged further on is judged by the states before the damage.
pub fn detect_world<'w, 'r>(
    open: impl Fn() -> Result<Source<'r>>,
    candidates: &[&'w World],
) -> Result<Option<&'w World>>
where
    'w: 'r,
{
    let source = open()?;
    let header = source.header();
    let scenes = |world: &'w World| world.recording().map_or(&[][..], |recording| &recording.scenes);
    if let Some(name) = &header.world {
        return Ok(candidates.iter().copied().find(|world| world.name() == name));
    }
    let scene = header.scene.as_deref();
    if let Some(scene) = scene
        && let Some(world) = candidates.iter().find(|world| scenes(world).iter().any(|known| **known == *scene))
    {
        return Ok(Some(world));
    }
    if !matches!(source.form, FormatSource::Recorded(_)) {
        return Ok(None);
    }
    let mut best = None;
    // A world that lists its scenes, but not this one, is excluded.
    let possible = |world: &&&'w World| world.recording().is_some() && (scene.is_none() || scenes(world).is_empty());
    for &world in candidates.iter().filter(possible) {
        let options = ReadOptions { partial: true, ..ReadOptions::default() };
        let mut reader = open()?.read(world, &options)?;
        if let Some(fit) = Misfit::of(&mut reader, world)
            && best.as_ref().is_none_or(|(better, _)| fit < *better)
        {
            best = Some((fit, world));
        }
    }
    Ok(best.map(|(_, world)| world))
}

/// The misfit of a recorded play and a world, smaller is better: the number of listings of objects that the world does not have, then the
/// number of objects of the world that the play never lists.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Misfit {
    foreign: u64,
    never_listed: usize,
}

impl Misfit {
    /// Returns `None` if the recording cannot be read with the world.
    fn of(reader: &mut CheckedReader<'_>, world: &World) -> Option<Self> {
        let mut listed = vec![false; world.objects().len()];
        let mut foreign = 0;
        let mut delta = Delta::default();
        while reader.next(&mut delta).ok()? {
            foreign += u64::from(delta.unknown_objects);
            delta.listed_objects.iter().for_each(|object| listed[object.index()] = true);
        }
        Some(Self { foreign, never_listed: listed.iter().filter(|&&listed| !listed).count() })
    }
}
