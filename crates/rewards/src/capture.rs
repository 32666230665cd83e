//! Recordings made from a game's RAM and from live games.

mod live;

use std::io::{self, BufRead, ErrorKind, Read, Write};

use goalspec_atari::Decoder;
use goalspec_atari::decoder::RAM_BYTES;
use goalspec_atari::recording::{Frame, Header, MAX_LINE_BYTES, Reader, Writer};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use crate::codes;

pub use live::{LiveOptions, Policy, play};

/// An input format of RAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RamFormat {
    /// One line per frame: 256 hexadecimal digits, optionally preceded by the transition to the frame: `reset`, or the number of an action
    /// and the points that it earned. Without a transition, a frame continues the episode. Empty lines and lines that begin with `#` are
    /// skipped.
    #[default]
    Hex,
    /// 128 bytes per frame, of a single episode.
    Raw,
}

/// The numbers of frames and episodes of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordingSize {
    /// The number of frames.
    pub frames: u64,
    /// The number of episodes.
    pub episodes: u64,
}

/// The transition that led to a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
enum FrameTransition {
    /// An unknown action after the previous frame.
    Unknown,
    /// A reset.
    Reset,
    /// An action, and the points that it earned.
    Action(u32, f64),
}

/// Reads RAM and writes a recording of the decoded screens; of the RAM alone if it is packed.
///
/// # Errors
/// Returns a diagnostic if the input cannot be read or does not follow its format, the RAM cannot be decoded, or the output cannot be
/// written.
pub fn record(
    input: &mut dyn BufRead,
    form: RamFormat,
    header: &Header,
    is_packed: bool,
    out: &mut dyn Write,
) -> Result<RecordingSize, Box<Diagnostic>> {
    let mut recorder = Recorder::new(header, writer(header, is_packed, out));
    let mut place = 0;
    match form {
        RamFormat::Raw => {
            let mut ram = [0; RAM_BYTES];
            while read_ram(input, &mut ram).map_err(|message| ram_error(format!("frame {place}: {message}")))? {
                recorder
                    .record_frame(FrameTransition::Unknown, ram)
                    .map_err(|trouble| trouble.into_diagnostic(&format!("frame {place}")))?;
                place += 1;
            }
        }
        RamFormat::Hex => {
            let mut line = String::new();
            while read_line(input, &mut line).map_err(|message| ram_error(format!("line {}: {message}", place + 1)))? {
                place += 1;
                if line.trim().is_empty() || line.starts_with('#') {
                    continue;
                }
                let read = parse_line(&line, header.actions.len()).map_err(FrameError::InvalidFrame);
                read.and_then(|(course, ram)| recorder.record_frame(course, ram))
                    .map_err(|trouble| trouble.into_diagnostic(&format!("line {place}")))?;
            }
        }
    }
    recorder.finish()
}

/// Creates the writer of a recording.
fn writer<'r>(header: &Header, is_packed: bool, out: &'r mut dyn Write) -> Writer<&'r mut dyn Write> {
    if is_packed { Writer::packed(out, header) } else { Writer::new(out, header) }
}

/// Copies a recording of RAM; unless it is packed, with the decoded objects.
pub(crate) fn copy_decoded(
    input: &mut dyn BufRead,
    is_packed: bool,
    out: &mut dyn Write,
) -> Result<RecordingSize, Box<Diagnostic>> {
    let mut reader = Reader::new(input).map_err(|error| ram_error(error.to_string()))?;
    let mut writer = writer(reader.header(), is_packed, out);
    let (mut frame, mut recorded, mut last) = (Frame::default(), RecordingSize::default(), None);
    while reader.next(&mut frame).map_err(|error| ram_error(error.to_string()))? {
        writer.write(&frame).map_err(|error| write_error(&error))?;
        recorded.frames += 1;
        recorded.episodes += u64::from(last.replace(frame.episode) != Some(frame.episode));
    }
    writer.finish().map_err(|error| write_error(&error))?;
    Ok(recorded)
}

/// The error for a frame that was not recorded.
enum FrameError {
    /// The frame cannot be read or decoded.
    InvalidFrame(String),
    /// The recording cannot be written.
    WriteFailed(io::Error),
}

impl FrameError {
    fn into_diagnostic(self, place: &str) -> Box<Diagnostic> {
        match self {
            Self::InvalidFrame(message) => ram_error(format!("{place}: {message}")),
            Self::WriteFailed(error) => write_error(&error),
        }
    }
}

struct Recorder<'r> {
    decoder: Decoder,
    writer: Writer<&'r mut dyn Write>,
    frame: Frame,
    size: RecordingSize,
}

impl<'r> Recorder<'r> {
    fn new(header: &Header, writer: Writer<&'r mut dyn Write>) -> Self {
        let decoder = Decoder::new(header.game, header.options);
        Self { decoder, writer, frame: Frame::default(), size: RecordingSize::default() }
    }

    fn record_frame(&mut self, course: FrameTransition, ram: [u8; RAM_BYTES]) -> Result<(), FrameError> {
        let begins = course == FrameTransition::Reset || self.size.frames == 0;
        let decoded = if begins { self.decoder.reset(&ram) } else { self.decoder.step(&ram) };
        let objects = decoded.map_err(|error| FrameError::InvalidFrame(error.to_string()))?;
        self.size.episodes += u64::from(begins);
        let (action, reward) = match course {
            FrameTransition::Action(action, reward) => (Some(action), reward),
            FrameTransition::Reset | FrameTransition::Unknown => (None, 0.0),
        };
        let frame = &mut self.frame;
        (frame.index, frame.episode) = (self.size.frames, self.size.episodes - 1);
        (frame.action, frame.reward, frame.ram) = (action, reward, Some(ram));
        frame.objects.clear();
        frame.objects.extend_from_slice(objects);
        self.size.frames += 1;
        self.writer.write(frame).map_err(FrameError::WriteFailed)
    }

    fn finish(self) -> Result<RecordingSize, Box<Diagnostic>> {
        if self.size.frames == 0 {
            return Err(ram_error("no frames".to_owned()));
        }
        self.writer.finish().map_err(|error| write_error(&error))?;
        Ok(self.size)
    }
}

/// Reads the bytes of a frame; returns `false` at the end.
fn read_ram(input: &mut dyn BufRead, ram: &mut [u8; RAM_BYTES]) -> Result<bool, String> {
    let mut filled = 0;
    while filled < RAM_BYTES {
        match input.read(&mut ram[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(format!("incomplete frame: expected {RAM_BYTES} bytes, found {filled}")),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("failed to read: {error}")),
        }
    }
    Ok(true)
}

/// Reads a line; returns `false` at the end.
fn read_line(input: &mut dyn BufRead, line: &mut String) -> Result<bool, String> {
    line.clear();
    let read = input.take(MAX_LINE_BYTES as u64).read_line(line);
    let count = read.map_err(|error| format!("failed to read: {error}"))?;
    if count == MAX_LINE_BYTES {
        return Err(format!(
            "exceeds the maximum line length of {MAX_LINE_BYTES} bytes: record RAM instead of objects"
        ));
    }
    Ok(count > 0)
}

fn parse_line(line: &str, actions: usize) -> Result<(FrameTransition, [u8; RAM_BYTES]), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (course, digits) = match words[..] {
        [digits] => (FrameTransition::Unknown, digits),
        ["reset", digits] => (FrameTransition::Reset, digits),
        [action, reward, digits] => {
            let number = action.parse().ok().filter(|number| (*number as usize) < actions);
            let number = number.ok_or_else(|| format!("unknown action `{action}`: expected 0 to {}", actions - 1))?;
            let points: Option<f64> = reward.parse().ok().filter(|points: &f64| points.is_finite());
            (
                FrameTransition::Action(number, points.ok_or_else(|| format!("`{reward}` is not a finite number"))?),
                digits,
            )
        }
        _ => return Err("expected RAM, or `reset` and RAM, or an action, its points and RAM".to_owned()),
    };
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    let bytes =
        pairs.map(|pair| pair.filter(|pair| pair.len() == 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()));
    let bytes: Option<Vec<u8>> = bytes.collect();
    let ram = bytes.and_then(|bytes| bytes.try_into().ok());
    Ok((course, ram.ok_or_else(|| format!("RAM must have {} hexadecimal digits", 2 * RAM_BYTES))?))
}

fn ram_error(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::RAM, Severity::Error, message))
}

fn write_error(error: &io::Error) -> Box<Diagnostic> {
    let message = format!("failed to write the recording: {error}");
    Box::new(Diagnostic::new(goalspec_trace::codes::IO, Severity::Error, message))
}
