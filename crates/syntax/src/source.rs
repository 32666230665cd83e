//! Source files, spans, and line and column look-up.

mod position;

pub use position::{Position, PositionEncoding};

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::MAX_SOURCE_BYTES;

/// Decodes the bytes of a file as UTF-8 text; `name` is the file's name in messages.
///
/// # Errors
/// A diagnostic without a place if `bytes` is longer than [`MAX_SOURCE_BYTES`] (`syntax/too-large`) or is not
/// UTF-8 (`syntax/not-utf8`; the message names line and byte).
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(Box::new(too_large(name, bytes.len())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = line_ends(&bytes[..at]).count() + 1;
        let message = format!("{name} is not UTF-8 text: byte {at} (line {line}) is 0x{:02X}", bytes[at]);
        let diagnostic = Diagnostic::new(codes::NOT_UTF8, Severity::Error, message);
        Box::new(match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                diagnostic.with_help("the file seems to be UTF-16: save it as UTF-8")
            }
            [0x1f, 0x8b, ..] => diagnostic.with_help("the file seems to be compressed with gzip: decompress it"),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                diagnostic.with_help("the file seems to be compressed with zstd: decompress it")
            }
            _ => diagnostic.with_help("save the file as UTF-8"),
        })
    })
}

/// Iterates over the offsets behind the line ends of a text, in order. A line feed, a carriage return with a line feed, and a carriage
/// return alone each end a line.
pub(crate) fn line_ends(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_end = |at: usize| match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..text.len()).filter(move |&at| is_end(at)).map(|at| at + 1)
}

/// Iterates over the lines of a text without their line ends (line feed, carriage return, or both together). A line end at the end of the
/// text starts no further line.
///
/// ```
/// let lines: Vec<&str> = goalspec_syntax::source::lines("a\r\nb\rc\n").collect();
/// assert_eq!(lines, ["a", "b", "c"]);
/// ```
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let last = Some(text.len()).filter(|_| !text.is_empty() && !text.ends_with(['\n', '\r']));
    line_ends(text.as_bytes()).chain(last).map(move |end| {
        let line = &text[start..end];
        start = end;
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    })
}

/// Returns a text without the byte order mark that some editors write at its beginning.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the diagnostic for a text of `bytes` bytes, which exceeds [`MAX_SOURCE_BYTES`].
pub(crate) fn too_large(name: &str, bytes: usize) -> Diagnostic {
    let message = format!("{name} has {bytes} bytes, which exceeds the limit of {MAX_SOURCE_BYTES} bytes of a text");
    Diagnostic::new(codes::TOO_LARGE, Severity::Error, message).with_help("split the programs into several files")
}

/// The identifier of one file in a [`Sources`] table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A half-open range of bytes, `start..end`, of one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a span of `source` from byte `start` up to, not including, byte `end`.
    pub fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end }
    }

    /// Returns the smallest span that covers both; `other` must lie in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.source, other.source);
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The source span of a node. All of them compare equal and hash alike, so that nodes are equal whenever they have the same content.
#[derive(Debug, Clone, Copy)]
pub struct NodeSpan(pub Span);

impl PartialEq for NodeSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for NodeSpan {}

impl Hash for NodeSpan {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl From<Span> for NodeSpan {
    fn from(span: Span) -> Self {
        Self(span)
    }
}

/// One source text with its name and an index of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    id: SourceId,
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Arc<[u32]>,
    /// The number of its first line; greater than 1 if the text is an excerpt.
    first_line: usize,
    /// The characters that start before each block of [`BLOCK`] bytes, for fast column look-up in very long lines.
    blocks: Arc<[CharacterCounts]>,
}

/// The number of characters in a part of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct CharacterCounts {
    /// All characters.
    all: u32,
    /// Those beyond the basic multilingual plane, which are two units of UTF-16.
    supplementary: u32,
}

impl CharacterCounts {
    /// Counts the characters that start in `bytes`.
    fn of(bytes: &[u8]) -> Self {
        let supplementary = bytes.iter().filter(|&&byte| byte >= 0xf0).count() as u32;
        Self { all: characters(bytes) as u32, supplementary }
    }

    fn plus(self, other: Self) -> Self {
        Self { all: self.all + other.all, supplementary: self.supplementary + other.supplementary }
    }
}

/// Bytes per entry of [`SourceFile`]'s index of characters.
const BLOCK: usize = 1024;

impl SourceFile {
    fn new(id: SourceId, name: Arc<str>, text: Arc<str>, first_line: usize) -> Self {
        let starts = line_ends(text.as_bytes()).map(|end| end as u32);
        let line_starts: Vec<u32> = std::iter::once(0).chain(starts).collect();
        let mut before = CharacterCounts::default();
        let mut blocks = vec![before];
        blocks.extend(text.as_bytes().chunks(BLOCK).map(|block| {
            before = before.plus(CharacterCounts::of(block));
            before
        }));
        let (line_starts, blocks) = (line_starts.into(), blocks.into());
        Self { id, name, text, line_starts, first_line, blocks }
    }

    /// Creates a file that is in no table from lines of a larger text; `first_line` is the number of its first line in that text.
    pub(crate) fn excerpt(name: Arc<str>, text: Arc<str>, first_line: usize) -> Self {
        Self::new(SourceId(u32::MAX), name, text, first_line)
    }

    pub(crate) fn rename(&mut self, name: Arc<str>) {
        self.name = name;
    }

    /// Returns the file's id.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// Returns the name shown in messages: a path, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared_text(&self) -> Arc<str> {
        self.text.clone()
    }

    /// Returns the text that a span of this file covers; empty if the span's ends are not character boundaries of the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns line and column of a byte offset, both counted from 1; columns count characters. An offset past the end counts as the end.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_at(offset);
        let column = self.characters_before(offset) - self.characters_before(self.line_starts[line - 1] as usize) + 1;
        (line + self.first_line - 1, column)
    }

    /// Returns the number of lines: one more than the number of line ends.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Returns the byte range of a line, counted from 1, including its line end; empty for a line that does not exist.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let start_of = |index: usize| self.line_starts.get(index).map_or(self.text.len(), |&start| start as usize);
        let line = (line + 1).saturating_sub(self.first_line);
        start_of(line.saturating_sub(1))..start_of(line)
    }

    /// Returns the nearest range of bytes that lies in the text and on character boundaries.
    pub(crate) fn clamp(&self, span: Span) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start as usize);
        start..self.text.ceil_char_boundary(span.end as usize).max(start)
    }

    fn line_at(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start as usize <= offset)
    }

    fn characters_before(&self, offset: usize) -> usize {
        self.counts_before(offset).all as usize
    }

    /// Counts the characters that start before `offset`, which lies in the text.
    fn counts_before(&self, offset: usize) -> CharacterCounts {
        let block = offset / BLOCK;
        self.blocks[block].plus(CharacterCounts::of(&self.text.as_bytes()[block * BLOCK..offset]))
    }
}

/// Returns the number of characters that start in `bytes`.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// The table of all source texts of one run. Spans refer to them by [`SourceId`].
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name and returns its id.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(self.files.len() as u32);
        self.files.push(SourceFile::new(id, name.into(), text.into(), 1));
        id
    }

    /// Returns the file with this id.
    ///
    /// # Panics
    /// If the table has no file with this id, because the id comes from another table.
    pub fn file(&self, id: SourceId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Returns the file with this id, or `None` if the table has none.
    pub fn find(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Iterates over all files in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Returns the file that was added last under a name.
    pub fn named(&self, name: &str) -> Option<&SourceFile> {
        self.files.iter().rev().find(|file| file.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        let mut sources = Sources::new();
        let id = sources.add("test", text);
        sources.file(id).clone()
    }

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let file = file("ab\nöß\r\n\n");
        let cases = [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (5, (2, 2)), (7, (2, 3)), (9, (3, 1)), (10, (4, 1))];
        for (offset, expected) in cases {
            assert_eq!(file.line_column(offset), expected, "offset {offset}");
        }
        assert_eq!(file.line_column(u32::MAX), (4, 1));
        assert_eq!(file.line_count(), 4);
        let lines: Vec<_> = (0..=5).map(|line| &file.text()[file.line_range(line)]).collect();
        assert_eq!(lines[1..], ["ab\n", "öß\r\n", "\n", "", ""]);
    }

    #[test]
    fn columns_in_long_lines_agree_with_counting() {
        let file = file(&format!("x\n{}", "aöß€".repeat(2000)));
        for offset in [2, 1023, 1024, 1025, 5002, 16_001] {
            let boundary = file.text().floor_char_boundary(offset);
            let counted = file.text()[2..boundary].chars().count() + 1;
            assert_eq!(file.line_column(boundary as u32), (2, counted), "offset {offset}");
        }
    }

    #[test]
    fn spans_are_clamped_to_characters_of_the_text() {
        let file = file("aöb");
        let clamped = |start, end| file.clamp(Span::new(file.id(), start, end));
        assert_eq!([clamped(2, 2), clamped(1, 2), clamped(3, 1), clamped(9, 10)], [1..3, 1..3, 3..3, 4..4]);
    }

    #[test]
    fn bytes_that_are_not_text_are_reported_with_their_position_and_format() {
        assert_eq!(decode("a.game", "öß\0".into()).as_deref(), Ok("öß\0"));
        let cases: [(&[u8], &str, &str); 4] = [
            (b"(a\n\xe4)", "a.game is not UTF-8 text: byte 3 (line 2) is 0xE4", "save the file as UTF-8"),
            (b"\xff\xfe(\0", "a.game is not UTF-8 text: byte 0 (line 1) is 0xFF", "UTF-16"),
            (b"\x1f\x8b\x08", "a.game is not UTF-8 text: byte 1 (line 1) is 0x8B", "gzip"),
            (b"\x28\xb5\x2f\xfd", "a.game is not UTF-8 text: byte 1 (line 1) is 0xB5", "zstd"),
        ];
        for (bytes, message, help) in cases {
            let diagnostic = decode("a.game", bytes.to_vec()).unwrap_err();
            assert_eq!((diagnostic.code, diagnostic.message.as_str()), (codes::NOT_UTF8, message));
            assert!(diagnostic.help[0].contains(help), "{:?}", diagnostic.help);
        }
    }

    #[test]
    fn oversized_bytes_are_refused() {
        let diagnostic = decode("a.game", vec![b'('; MAX_SOURCE_BYTES + 1]).unwrap_err();
        assert_eq!(diagnostic.code, codes::TOO_LARGE);
        assert_eq!(
            diagnostic.message,
            "a.game has 67108865 bytes, which exceeds the limit of 67108864 bytes of a text"
        );
    }
}
