//! Damaged input: for any bytes, readers return a result and no more states than the intact input has.

use crate::common::{read, yard};
use goalspec_trace::{ReadOptions, codes};

const RECORDED: &str = r#"{"scene":"Yard_1","replay":[{"index":3,"originalIndex":10,"objects":[{"objectId":"Ball|1","position":{"x":1,"y":-2.5e-3,"z":3},"isOpen":true,"touching":["Ball|2","\u0046loor|1"]}],"agentState":{"held":"Ball|1","bumps":4},"agentStateChanged":true,"action":{"action":"Pick"}},{"index":4,"originalIndex":12,"objects":[]}]}"#;

const EXPORT: &str =
    r#"{"a":{"b":{"batch-1":{"events":[{"index":2,"objects":[]}]},"batch-0":{"events":[{"index":1,"objects":[]}]}}}}"#;

const LINES: &str = r#"{"format":"goalspec-trace","version":1,"attributes":{"open":"bool"}}
{"t":0.5,"action":"go","set":{"Ball|1":{"position":[0,1,2],"touches":["Ball|2"],"open":true}},"facts":[["on","Ball|1","Ball|2"]],"fluents":[["fuel","Ball|1",1]]}
{"removed":["Ball|1"],"not":[["on","Ball|1","Ball|2"]]}
"#;

/// Bytes with a meaning in JSON, and bytes that are never valid in it.
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
                        // A new line feed may split a line into at most two states.
                        assert!(states.len() <= whole + 3, "{}", String::from_utf8_lossy(&damaged));
                    }
                }
            }
        }
    }
}

/// Returns the start and end of each object member in a JSON text, at any nesting depth.
fn members(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // The start of the current member of each open object; `None` for a list.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut quoted = false;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => drop(bytes.next()),
            _ if quoted => {}
            b'{' => open.push(Some(at + 1)),
            b'[' => open.push(None),
            b',' => {
                if let Some(Some(start)) = open.last_mut() {
                    found.push((std::mem::replace(start, at + 1), at));
                }
            }
            b'}' | b']' => {
                let start = open.pop().expect("brackets match");
                found.extend(start.filter(|start| *start < at).map(|start| (start, at)));
            }
            _ => {}
        }
    }
    found
}

/// A field that occurs twice in one object is reported, however its name is escaped.
#[test]
fn no_field_stands_twice() {
    let world = yard();
    for text in [RECORDED, LINES] {
        let members = members(text);
        assert!(members.len() > 8, "{text}");
        for (start, end) in members {
            let member = &text[start..end];
            let escaped = format!("\"\\u{:04x}{}", u32::from(member.as_bytes()[1]), &member[2..]);
            for duplicate in [member, &escaped] {
                // In recorded plays, the names of the fields that are read are compared as written.
                if text == RECORDED && duplicate != member {
                    continue;
                }
                let text_with_duplicate = format!("{}{member},{duplicate}{}", &text[..start], &text[end..]);
                let error = read(text_with_duplicate.as_bytes(), &world, &ReadOptions::default())
                    .map(|(states, _)| states.len());
                let code = error.as_ref().map_err(goalspec_trace::TraceError::code);
                assert_eq!(code, Err(codes::DOUBLED_FIELD), "{text_with_duplicate}: {error:?}");
            }
        }
    }
}
