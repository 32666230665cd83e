//! Any bytes are parsed as a trace without panic or hang, and the states can be played back and written.

use goalspec::core::playback::Playback;
use goalspec::core::state::Delta;
use goalspec::game::worlds;
use goalspec::trace::{LinesWriter, ReadOptions, Source, TraceReader, TraceWriter};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let world = worlds::builtin("few-objects-room-v1").expect("the room is built in");
    let Ok(source) = Source::from_reader(bytes) else { return };
    let header = source.header().clone();
    let Ok(extended) = source.extend_world(world) else { return };
    let options = ReadOptions { partial: bytes.len().is_multiple_of(2), ..ReadOptions::default() };
    let Ok(mut reader) = source.read(&extended, &options) else { return };
    let Ok(mut writer) = LinesWriter::new(Vec::new(), &extended, &header) else { return };
    let mut playback = Playback::new(extended.clone().into_owned());
    let mut delta = Delta::default();
    while let Ok(true) = reader.next(&mut delta) {
        playback.advance(&delta);
        // The writer refuses numbers that JSON cannot express, without panic.
        let _ = writer.write(&delta);
    }
    reader.diagnostics();
}
