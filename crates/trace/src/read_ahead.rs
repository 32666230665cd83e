//! Reading ahead on a thread of its own, which decompresses while the states are parsed.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The size of a chunk in bytes.
const CHUNK_BYTES: usize = 128 << 10;

/// The number of chunks that are read and wait for their turn.
const CHUNKS_AHEAD: usize = 2;

/// A stream that a thread reads ahead by a bounded number of bytes. It has the bytes and the errors of the original stream, in the same
/// order.
pub(crate) struct ReadAhead {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// The way back of emptied chunks, for reuse.
    emptied: SyncSender<Vec<u8>>,
    current: Vec<u8>,
    /// The number of bytes of the current chunk that were read.
    consumed: usize,
}

impl ReadAhead {
    /// Starts reading a stream ahead, or returns the stream if no thread can be started.
    pub(crate) fn start(input: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let (hand_over, input_of_thread) = sync_channel::<Box<dyn Read + Send>>(1);
        let (filled, chunks) = sync_channel(CHUNKS_AHEAD);
        let (emptied, reusable) = sync_channel(CHUNKS_AHEAD);
        let run = move || {
            if let Ok(input) = input_of_thread.recv() {
                read_all(input, &filled, &reusable);
            }
        };
        let Ok(_) = thread::Builder::new().name("read ahead".to_owned()).spawn(run) else { return input };
        match hand_over.send(input) {
            Ok(()) => Box::new(Self { chunks, emptied, current: Vec::new(), consumed: 0 }),
            Err(unsent) => unsent.0,
        }
    }
}

/// Reads a stream to its end or to an error, chunk by chunk, while somebody receives the chunks.
fn read_all(mut input: Box<dyn Read + Send>, filled: &SyncSender<io::Result<Vec<u8>>>, reusable: &Receiver<Vec<u8>>) {
    let mut failure = None;
    while failure.is_none() {
        let mut chunk = reusable.try_recv().unwrap_or_default();
        chunk.resize(CHUNK_BYTES, 0);
        let length = fill(&mut *input, &mut chunk, &mut failure);
        chunk.truncate(length);
        if length == 0 || filled.send(Ok(chunk)).is_err() {
            break;
        }
    }
    if let Some(error) = failure {
        // Nobody may be left to hear of it.
        let _ = filled.send(Err(error));
    }
}

/// Fills a chunk as far as the stream goes. Returns the number of bytes, before the failure if there is one.
fn fill(input: &mut dyn Read, chunk: &mut [u8], failure: &mut Option<io::Error>) -> usize {
    let mut length = 0;
    while length < chunk.len() {
        match input.read(&mut chunk[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                *failure = Some(error);
                break;
            }
        }
    }
    length
}

impl Read for ReadAhead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.consumed == self.current.len() {
            let emptied = std::mem::take(&mut self.current);
            self.consumed = 0;
            // A chunk that is not needed back is freed.
            let _ = self.emptied.try_send(emptied);
            match self.chunks.recv() {
                Ok(chunk) => self.current = chunk?,
                // The thread ends after the end of the stream or an error.
                Err(_) => return Ok(0),
            }
        }
        let rest = &self.current[self.consumed..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.consumed += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{CHUNK_BYTES, ReadAhead};

    /// A stream of some bytes that fails after them, or ends.
    struct Stream {
        left: usize,
        fails: bool,
    }

    impl Read for Stream {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.left == 0 && self.fails {
                return Err(io::Error::other("broken"));
            }
            let count = self.left.min(buffer.len()).min(10_007);
            for (at, byte) in buffer[..count].iter_mut().enumerate() {
                *byte = ((self.left - at) % 251) as u8;
            }
            self.left -= count;
            Ok(count)
        }
    }

    #[test]
    fn streams_are_the_same_ahead() {
        for length in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, 7 * CHUNK_BYTES + 13] {
            for fails in [false, true] {
                let stream = || Box::new(Stream { left: length, fails });
                let read = |mut stream: Box<dyn Read + Send>| {
                    let mut bytes = Vec::new();
                    (stream.read_to_end(&mut bytes).map_err(|error| error.to_string()), bytes)
                };
                assert!(read(ReadAhead::start(stream())) == read(stream()), "{length}, {fails}");
            }
        }
    }

    /// An endless stream that counts its bytes.
    struct Endless(Arc<AtomicUsize>);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.fetch_add(buffer.len(), Ordering::Relaxed);
            Ok(buffer.len())
        }
    }

    /// A reader that is dropped early ends its thread, which drops the stream.
    #[test]
    fn reading_ahead_is_bounded() {
        let counted = Arc::new(AtomicUsize::new(0));
        let mut ahead = ReadAhead::start(Box::new(Endless(Arc::clone(&counted))));
        ahead.read_exact(&mut [0; 10]).unwrap();
        drop(ahead);
        while Arc::strong_count(&counted) > 1 {
            std::thread::yield_now();
        }
        assert!(counted.load(Ordering::Relaxed) <= 5 * CHUNK_BYTES);
    }
}
