//! Positions as editors count them: lines and code units, both from 0.

use super::{BLOCK, CharacterCounts, SourceFile};

/// The code units in which the columns of a [`Position`] are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// Units of two bytes; a character beyond the basic multilingual plane has two of them.
    Utf16,
    /// Characters.
    Utf32,
}

/// A place in a text: a line and the number of code units before the place in that line, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The number of code units between the start of the line and the place.
    pub column: u32,
}

impl Position {
    /// Creates a position.
    pub fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }
}

impl SourceFile {
    /// Returns the position of a byte offset. An offset inside a character counts as the start of the character, one past the end as the
    /// end.
    ///
    /// ```
    /// use goalspec_syntax::source::{Position, PositionEncoding, Sources};
    ///
    /// let mut sources = Sources::new();
    /// let id = sources.add("demo", "a\n𝄞b");
    /// assert_eq!(sources.file(id).position(6, PositionEncoding::Utf16), Position::new(1, 2));
    /// ```
    pub fn position(&self, offset: u32, encoding: PositionEncoding) -> Position {
        let offset = self.text.floor_char_boundary((offset as usize).min(self.text.len()));
        let line = self.line_at(offset) - 1;
        let start = self.line_starts[line] as usize;
        Position::new(line as u32, (self.units_before(offset, encoding) - self.units_before(start, encoding)) as u32)
    }

    /// Returns the byte offset of a position. A column past the end of the line, or between the units of one character, counts as the last
    /// place before it; a line past the last one as the end of the text.
    pub fn offset(&self, position: Position, encoding: PositionEncoding) -> u32 {
        let line = position.line as usize;
        let Some(&start) = self.line_starts.get(line) else { return self.text.len() as u32 };
        let start = start as usize;
        let next = self.line_starts.get(line + 1).map_or(self.text.len(), |&next| next as usize);
        let content = self.text[start..next].trim_end_matches(['\n', '\r']);
        let end = start + if line + 1 == self.line_starts.len() { next - start } else { content.len() };
        if encoding == PositionEncoding::Utf8 {
            return self.text.floor_char_boundary((start + position.column as usize).min(end)) as u32;
        }
        let target = self.units_before(start, encoding) + position.column as usize;
        // The last block that starts before the place, if it is in this line.
        let block = self.blocks.partition_point(|&counts| units(counts, encoding) <= target).saturating_sub(1);
        let mut at = self.text.ceil_char_boundary((block * BLOCK).clamp(start, end));
        let mut before = self.units_before(at, encoding);
        for character in self.text[at..end].chars() {
            before += width(character, encoding);
            if before > target {
                break;
            }
            at += character.len_utf8();
        }
        at as u32
    }

    fn units_before(&self, offset: usize, encoding: PositionEncoding) -> usize {
        if encoding == PositionEncoding::Utf8 { offset } else { units(self.counts_before(offset), encoding) }
    }
}

/// Returns the number of units of characters; `encoding` is not UTF-8.
fn units(counts: CharacterCounts, encoding: PositionEncoding) -> usize {
    let surrogates = if encoding == PositionEncoding::Utf16 { counts.supplementary } else { 0 };
    (counts.all + surrogates) as usize
}

fn width(character: char, encoding: PositionEncoding) -> usize {
    match encoding {
        PositionEncoding::Utf8 => character.len_utf8(),
        PositionEncoding::Utf16 => character.len_utf16(),
        PositionEncoding::Utf32 => 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::Sources;

    const ENCODINGS: [PositionEncoding; 3] = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];

    fn file(text: &str) -> SourceFile {
        let mut sources = Sources::new();
        let id = sources.add("test", text);
        sources.file(id).clone()
    }

    #[test]
    fn columns_count_the_units_of_the_encoding() {
        let file = file("a𝄞\tö\r\nb");
        let columns = |offset| ENCODINGS.map(|encoding| file.position(offset, encoding).column);
        assert_eq!(columns(1), [1, 1, 1]);
        assert_eq!(columns(5), [5, 3, 2]);
        assert_eq!(columns(8), [8, 5, 4]);
        assert_eq!(ENCODINGS.map(|encoding| file.position(10, encoding)), [Position::new(1, 0); 3]);
    }

    #[test]
    fn positions_outside_of_the_text_are_clamped() {
        let file = file("a𝄞\r\nb");
        for encoding in ENCODINGS {
            assert_eq!(file.offset(Position::new(0, 99), encoding), 5);
            assert_eq!(file.offset(Position::new(1, 99), encoding), 8);
            assert_eq!(file.offset(Position::new(7, 0), encoding), 8);
            assert_eq!(file.position(u32::MAX, encoding), Position::new(1, 1));
        }
        // Between the two units of the second character, and in the middle of its bytes.
        assert_eq!(file.offset(Position::new(0, 2), PositionEncoding::Utf16), 1);
        assert_eq!(file.position(3, PositionEncoding::Utf16), Position::new(0, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn positions_and_offsets_are_inverse(
            pieces in prop::collection::vec(prop::sample::select(vec!["a", "\n", "\r\n", "\r", "ö", "€", "𝄞", "\t", "(on ?a b)"]), 0..40),
            repeats in 1_usize..30,
        ) {
            let text = pieces.concat().repeat(repeats);
            let file = file(&text);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                // A place between a carriage return and its line feed is no place of its own.
                if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                    continue;
                }
                for encoding in ENCODINGS {
                    let position = file.position(offset as u32, encoding);
                    prop_assert_eq!(file.offset(position, encoding) as usize, offset, "{:?} {:?}", position, encoding);
                }
            }
        }
    }
}
