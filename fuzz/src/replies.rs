//! Responses of servers of language models: one JSON object, a stream of events, or an error, in every wire format.
//!
//! The first byte determines where the stream is split; the rest is the body.

use goalspec_llm::profile::Format;
use goalspec_llm::wire::{Event, ReadError, SseParser, read_fault, read_reply};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Some((&split, body)) = bytes.split_first() else { return };
    for format in Format::ALL {
        let first = read_reply(format, body);
        assert_eq!(first, read_reply(format, body), "equal bodies give equal replies");
        if let Ok(reply) = &first {
            assert!(std::str::from_utf8(body).is_ok(), "a body with a reply can be recorded as text");
            assert!(reply.text.len() <= body.len(), "a reply is not longer than its body");
        }
        if let Err(ReadError::Fault(fault)) = &first {
            assert!(fault.status.is_none_or(|status| (400..600).contains(&status)), "{fault:?}");
        }
    }
    let fault = read_fault(u16::from(split) + 400, body);
    assert!(fault.message.len() <= body.len() * 6 + 200, "a message is not much longer than its body");
    let at = body.len() * usize::from(split) / 256;
    assert_eq!(
        events(&[body]),
        events(&[&body[..at], &body[at..]]),
        "events do not depend on where the stream is split"
    );
}

/// Returns the events of a stream that arrives in pieces, and whether it is text.
fn events(pieces: &[&[u8]]) -> (Vec<Event>, bool) {
    let mut events = Vec::new();
    let mut on_event = |event| events.push(event);
    let mut parser = SseParser::new();
    let is_text = pieces.iter().all(|piece| parser.push(piece, &mut on_event).is_ok());
    let is_text = is_text && parser.finish(&mut on_event).is_ok();
    (events, is_text)
}
