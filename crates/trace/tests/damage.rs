//! Readers take anything: whatever bytes come, there is an answer, and no more states than there were.

mod common;

use common::{read, yard};
use goalspec_trace::ReadOptions;

const RECORDED: &str = r#"{"scene":"Yard_1","replay":[{"index":3,"originalIndex":10,"objects":[{"objectId":"Ball|1","position":{"x":1,"y":-2.5e-3,"z":3},"isOpen":true,"touching":["Ball|2","\u0046loor|1"]}],"agentState":{"held":"Ball|1","bumps":4},"agentStateChanged":true,"action":{"action":"Pick"}},{"index":4,"originalIndex":12,"objects":[]}]}"#;

const EXPORT: &str =
    r#"{"a":{"b":{"batch-1":{"events":[{"index":2,"objects":[]}]},"batch-0":{"events":[{"index":1,"objects":[]}]}}}}"#;

const LINES: &str = r#"{"format":"goalspec-trace","version":1,"attributes":{"open":"bool"}}
{"t":0.5,"action":"go","set":{"Ball|1":{"position":[0,1,2],"touches":["Ball|2"],"open":true}},"facts":[["on","Ball|1","Ball|2"]],"fluents":[["fuel","Ball|1",1]]}
{"removed":["Ball|1"],"not":[["on","Ball|1","Ball|2"]]}
"#;

/// Bytes that mean something in JSON, and some that never do.
const BYTES: &[u8] = b"{}[]\",:\\-+.eE019tfnNI \n\x00\x1f\x7f\x80\xc3\xff";

#[test]
fn no_single_change_makes_a_reader_panic() {
    let world = yard();
    let options = ReadOptions { partial: true, ..ReadOptions::default() };
    for text in [RECORDED, EXPORT, LINES] {
        let whole = read(text.as_bytes(), &world, &options).unwrap().0.len();
        assert_eq!(whole, 2);
        for at in 0..text.len() {
            for &byte in BYTES {
                for (removed, inserted) in [(1, &[byte][..]), (0, &[byte]), (1, &[]), (0, &[byte, byte, byte])] {
                    let mut damaged = text.as_bytes().to_vec();
                    damaged.splice(at..at + removed, inserted.iter().copied());
                    if let Ok((states, _)) = read(&damaged, &world, &options) {
                        // A new line feed may split a line into two states at most.
                        assert!(states.len() <= whole + 3, "{}", String::from_utf8_lossy(&damaged));
                    }
                }
            }
        }
    }
}
