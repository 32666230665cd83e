//! A reader of the lines of a recording of any length.

use std::io::{self, BufRead, Read as _};

use super::MAX_LINE_BYTES;

/// An error of reading a line.
#[derive(Debug)]
pub(super) struct LineError {
    /// The line number, from 1.
    pub(super) line: usize,
    /// The cause.
    pub(super) message: String,
}

/// A reader that holds one line of a recording in memory at a time.
pub(super) struct LineReader<'r> {
    input: &'r mut dyn BufRead,
    text: Vec<u8>,
    count: usize,
    limit: usize,
}

impl<'r> LineReader<'r> {
    /// Creates a reader before the first line.
    pub(super) fn new(input: &'r mut dyn BufRead) -> Self {
        Self { input, text: Vec::new(), count: 0, limit: MAX_LINE_BYTES }
    }

    /// Reads the next line; returns its number, from 1, and its text without the line ending, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(usize, &str)>, LineError> {
        self.text.clear();
        let line = self.count + 1;
        let line_error = |message| LineError { line, message };
        // A line of the maximum length may end with two bytes.
        let mut input = self.input.take(self.limit as u64 + 2);
        let length = input.read_until(b'\n', &mut self.text).map_err(|error| line_error(cannot_read(&error)))?;
        if length == 0 {
            return Ok(None);
        }
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() > self.limit {
            return Err(line_error(too_long(self.limit)));
        }
        self.count = line;
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Some((line, text))),
            Err(error) => Err(line_error(format!("invalid UTF-8: {error}"))),
        }
    }

    /// Returns the number of lines read.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

/// Returns the message that a line exceeds the limit.
pub(super) fn too_long(limit: usize) -> String {
    format!("the line exceeds the limit of {} MiB", limit >> 20)
}

fn cannot_read(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the compressed data is truncated".to_owned(),
        _ => format!("cannot read the line: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::LineReader;

    fn lines(mut text: &[u8], limit: usize) -> Vec<Result<String, String>> {
        let mut reader = LineReader { limit, ..LineReader::new(&mut text) };
        let mut found = Vec::new();
        loop {
            match reader.next() {
                Ok(None) => return found,
                Ok(Some((number, text))) => found.push(Ok(format!("{number} {text}"))),
                Err(error) => {
                    found.push(Err(format!("{} {}", error.line, error.message)));
                    return found;
                }
            }
        }
    }

    #[test]
    fn lines_come_without_their_ends() {
        let found = lines(b"a\r\n\nb", 4);
        assert_eq!(found, [Ok("1 a".to_owned()), Ok("2 ".to_owned()), Ok("3 b".to_owned())]);
        assert!(lines(b"", 4).is_empty());
    }

    #[test]
    fn long_and_damaged_lines_are_named() {
        assert_eq!(lines(b"abcd\nabcd", 4).len(), 2);
        let long = lines(b"a\nabcde\n", 4);
        assert!(long[1].as_ref().is_err_and(|error| error.starts_with("2 the line exceeds")), "{long:?}");
        let damaged = lines(b"\xff\n", 4);
        assert!(damaged[0].as_ref().is_err_and(|error| error.starts_with("1 invalid UTF-8")), "{damaged:?}");
    }
}
