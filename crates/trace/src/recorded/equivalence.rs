//! Comparison of parsing that remembers members and values with parsing in full, over damaged recordings.

use std::io::Read;
use std::path::Path;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_game::worlds;

use super::RecordedReader;
use crate::reader::Decoder;
use crate::recorded::Document;
use crate::source::Buffer;

/// States that repeat most members, with each kind of value, in changing order, with unknown names and with white space.
const PLAY: &str = r#"[{"index":1,"objects":[{"objectId":"Dodgeball|+00.19|+01.13|-02.80","position":{"x":0.24862179160118103,"y":-2.5e-3,"z":12},"velocity":{"x":0,"y":0,"z":0},"isOpen":true,"name":"a","mass":1,"touchingObjects":["Golfball|+00.96|+01.04|-02.70"]},{"objectId":"Chair|7","extra":[{"a":1}]}],"agentState":{"lastMovementResult":1,"input":{"x":0,"y":0},"heldObject":"","angle":10},"action":{}},
{"index":2,"objects":[{"objectId":"Dodgeball|+00.19|+01.13|-02.80","position":{"x":0.24862179160118103,"y":-2.5e-3,"z":12},"velocity":{"x":0,"y":0,"z":0},"isOpen":true,"name":"a","mass":1,"touchingObjects":["Golfball|+00.96|+01.04|-02.70"]},{"objectId":"Chair|7","extra":[{"a":1}]}],"agentState":{"lastMovementResult":1,"input":{"x":0,"y":0},"heldObject":"","angle":10},"action":{}},
{"objects":[{"mass":12,"touchingObjects":["Nobody"],"position":{"z":12,"y":-2.5e-3,"x":1e1},"isOpen":false,"objectId":"Golfball|+00.96|+01.04|-02.70"},{"touchingObjects":["Nobody"],"objectId":"Chair|7","extra": [{"a":1}]}],"agentState":{"heldObject":"Dodgeball|+00.19|+01.13|-02.80","lastMovementResult":12},"index":3},
{"objects":[{"mass":12,"touchingObjects":["Nobody"],"position":{"z":12,"y":-2.5e-3,"x":1e1},"isOpen":false,"objectId":"Golfball|+00.96|+01.04|-02.70"},{"touchingObjects":["Nobody"],"objectId":"Chair|7","extra": [{"a":1}]}],"agentState":{"heldObject":"Dodgeball|+00.19|+01.13|-02.80","lastMovementResult":12},"index":4}]"#;

/// Bytes with a meaning in JSON, and bytes that are never valid in it.
const BYTES: &[u8] = b"{}[]\",:\\-.e10tnN \n\x00\xff";

/// Returns the states, the error and the remarks of a play.
fn read(text: &[u8], world: &World, remembers: bool) -> (Vec<Delta>, String) {
    let reader = Buffer::new(text).and_then(|buffer| {
        let mut document = Document::new(buffer);
        document.start()?;
        RecordedReader::new(document, world, Vec::new())
    });
    let mut reader = match reader {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), format!("{error:?}")),
    };
    let mut states = Vec::new();
    let mut delta = Delta::default();
    loop {
        if !remembers {
            reader.parser.forget();
        }
        match reader.next(&mut delta) {
            Ok(true) => states.push(delta.clone()),
            Ok(false) => return (states, format!("{:?} {}", reader.remarks(), reader.offset())),
            Err(error) => return (states, format!("{error:?} {:?}", reader.remarks())),
        }
    }
}

fn assert_same(text: &[u8], world: &World) -> usize {
    let (expected, actual) = (read(text, world, false), read(text, world, true));
    assert!(expected == actual, "{}\n{expected:?}\n{actual:?}", String::from_utf8_lossy(text));
    actual.0.len()
}

#[test]
fn damage_is_found_where_values_repeat() {
    let world = worlds::builtin("many-objects-room-v1").unwrap();
    assert_eq!(assert_same(PLAY.as_bytes(), world), 4);
    let mut counts = [0; 5];
    for at in 0..PLAY.len() {
        assert_same(&PLAY.as_bytes()[..at], world);
        for &byte in BYTES {
            for (removed, inserted) in [(1, &[byte][..]), (0, &[byte]), (1, &[])] {
                let mut damaged = PLAY.as_bytes().to_vec();
                damaged.splice(at..at + removed, inserted.iter().copied());
                counts[assert_same(&damaged, world)] += 1;
            }
        }
    }
    // The damage is before, within and after repeated states, and does not always count.
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Real plays, with pseudo-random damage in their first states.
#[test]
fn damage_is_found_in_recordings() {
    let root = std::env::var_os("GOALSPEC_CONFORMANCE").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("../shared/conformance"),
        Into::into,
    );
    let Ok(folder) = root.join("game/traces").read_dir() else {
        eprintln!("skipped: there is no conformance data on this machine");
        return;
    };
    let world = worlds::builtin("many-objects-room-v1").unwrap();
    let mut random = 1_usize;
    let mut states = 0;
    for entry in folder {
        let mut text = Vec::new();
        let file = std::fs::File::open(entry.unwrap().path()).unwrap();
        flate2::read::GzDecoder::new(file).read_to_end(&mut text).unwrap();
        states += assert_same(&text, world);
        text.truncate(200_000);
        for _ in 0..100 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut damaged = text.clone();
            damaged[(random >> 20) % text.len()] = BYTES[(random >> 50) % BYTES.len()];
            assert_same(&damaged, world);
        }
    }
    assert!(states > 1000, "{states}");
}
