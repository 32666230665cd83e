//! Server-sent events.

use std::fmt;
use std::str::Utf8Error;

/// An event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The name of the event; empty if it has none.
    pub name: String,
    /// The data; several `data` lines are joined by newlines.
    pub data: String,
}

/// The error for a line of a stream that is not valid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidLineError(Utf8Error);

impl fmt::Display for InvalidLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a line of the stream is not UTF-8: {}", self.0)
    }
}

impl std::error::Error for InvalidLineError {}

/// A parser of server-sent events that receives the stream in pieces, wherever it is split.
#[derive(Debug, Default)]
pub struct SseParser {
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    after_carriage_return: bool,
    at_start: bool,
}

impl SseParser {
    /// Creates a parser at the beginning of a stream.
    pub fn new() -> Self {
        Self { at_start: true, ..Self::default() }
    }

    /// Takes the next bytes of the stream and passes each event that they complete to `on_event`.
    ///
    /// # Errors
    /// If a line is not valid UTF-8.
    pub fn push(&mut self, bytes: &[u8], on_event: &mut dyn FnMut(Event)) -> Result<(), InvalidLineError> {
        for &byte in bytes {
            let is_second_half = byte == b'\n' && self.after_carriage_return;
            self.after_carriage_return = byte == b'\r';
            match byte {
                b'\n' if is_second_half => {}
                b'\n' | b'\r' => self.end_line(on_event)?,
                byte => self.line.push(byte),
            }
        }
        Ok(())
    }

    /// Ends the stream: an event without the empty line after it is passed on too.
    ///
    /// # Errors
    /// If the last line is not valid UTF-8.
    pub fn finish(mut self, on_event: &mut dyn FnMut(Event)) -> Result<(), InvalidLineError> {
        if !self.line.is_empty() {
            self.end_line(on_event)?;
        }
        self.dispatch(on_event);
        Ok(())
    }

    fn end_line(&mut self, on_event: &mut dyn FnMut(Event)) -> Result<(), InvalidLineError> {
        let bytes = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&bytes).map_err(InvalidLineError)?;
        let line = if std::mem::take(&mut self.at_start) { line.trim_start_matches('\u{feff}') } else { line };
        if line.is_empty() {
            self.dispatch(on_event);
            return Ok(());
        }
        // A line that begins with a colon is a comment, which keeps the connection alive.
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, on_event: &mut dyn FnMut(Event)) {
        let name = std::mem::take(&mut self.name);
        if let Some(data) = self.data.take() {
            on_event(Event { name, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&[u8]]) -> Vec<(String, String)> {
        let mut events = Vec::new();
        let mut on_event = |event: Event| events.push((event.name, event.data));
        let mut parser = SseParser::new();
        for piece in pieces {
            parser.push(piece, &mut on_event).unwrap();
        }
        parser.finish(&mut on_event).unwrap();
        events
    }

    fn data(text: &str) -> (String, String) {
        (String::new(), text.to_owned())
    }

    #[test]
    fn comments_line_ends_and_missing_spaces_are_tolerated() {
        let stream = b"\xef\xbb\xbf: ping\r\ndata:{\"a\":1}\r\n\r\nevent: x\rdata: 1\rdata: 2\r\rid: 7\n\ndata: end";
        assert_eq!(events(&[stream]), [data("{\"a\":1}"), ("x".to_owned(), "1\n2".to_owned()), data("end")]);
    }

    #[test]
    fn events_do_not_depend_on_where_the_stream_is_split() {
        let stream = "data: größer 🦀\r\n\r\n: x\ndata: ü\n\n".as_bytes();
        let expected = [data("größer 🦀"), data("ü")];
        for at in 0..=stream.len() {
            assert_eq!(events(&[&stream[..at], &stream[at..]]), expected);
        }
        let single: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(events(&single), expected);
    }

    #[test]
    fn a_line_that_is_not_text_is_an_error() {
        assert!(SseParser::new().push(b"data: \xff\n", &mut |_| ()).is_err());
    }
}
