//! Recorded plays: file layouts, values, corrections, and errors.

use std::io::Write;

use crate::common::{read, yard};
use glam::DVec3;
use goalspec_core::state::Delta;
use goalspec_core::value::Value;
use goalspec_syntax::{Code, Severity};
use goalspec_trace::source::MAX_STATE_BYTES;
use goalspec_trace::{LookaheadReader, ReadOptions, Source, TraceReader, codes, from_reader};

/// Returns a list of states with the given texts between their braces.
fn list(states: &[&str]) -> String {
    format!("[{}]", states.iter().map(|state| format!("{{{state}}}")).collect::<Vec<_>>().join(","))
}

const STATES: [&str; 3] = [
    r#""index":3,"originalIndex":10,"objects":[{"objectId":"Ball|1","position":{"x":1,"y":2,"z":3},"isOpen":true}],"agentState":{},"agentStateChanged":false,"action":{}"#,
    r#""objects":[],"agentStateChanged":true,"agentState":{"held":"Ball|1","bumps":4,"other":[{}]},"originalIndex":12,"action":{"action":"Pick","objectId":"Ball|1"},"index":4"#,
    r#""index":5,"originalIndex":15,"objects":[{"touching":["Floor|1","TheHand","Nobody","Ball|2","Floor|1"],"objectId":"Ball|2"},{"objectId":"Chair|7"}],"agentState":{"held":"","position":{"z":-1.5e1,"x":0,"y":-0.0}},"agentStateChanged":true"#,
];

#[test]
fn all_forms_say_the_same() {
    let [first, second, third] = STATES.map(|state| format!("{{{state}}}"));
    let batch = |states: &[&String]| {
        let states: Vec<_> = states.iter().map(|state| state.as_str()).collect();
        format!(r#"{{"other":1,"events":[{}],"count":2}}"#, states.join(","))
    };
    let export = |batches: &str| format!(r#"{{"a":{{"b":{{"n":1,"c":{{"d":{{{batches}}}}},"more":{{}}}}}}}}"#);
    let zero = batch(&[&first]);
    let (one, two) = (batch(&[&second]), batch(&[&third]));
    let forms = [
        list(&STATES),
        format!(r#"{{"scene":"Yard_1","id":"q","replayKey":"k","replay":{},"more":[1]}}"#, list(&STATES)),
        export(&format!(r#""batch-0":{zero},"batch-1":{one},"batch-2":{two}"#)),
        export(&format!(r#""batch-0":{zero},"batch-2":{two},"batch-1":{one}"#)),
        export(&format!(r#""batch-2":{two},"batch-1":{one},"batch-0":{zero}"#)),
        export(&format!(r#""batch-1":{},"batch-0":{zero},"batch-2":{{"events":[]}}"#, batch(&[&second, &third]))),
    ];
    let world = yard();
    let (expected, _) = read(forms[0].as_bytes(), &world, &ReadOptions::default()).unwrap();
    assert_eq!(expected.len(), 3);
    for form in &forms {
        let (states, _) = read(form.as_bytes(), &world, &ReadOptions::default()).unwrap();
        assert_eq!(states, expected, "{form}");
    }
    let header = Source::from_reader(forms[1].as_bytes()).unwrap().header().clone();
    assert_eq!([header.scene, header.id, header.replay].map(Option::unwrap), ["Yard_1", "q", "k"]);
}

#[test]
fn states_become_deltas() {
    let world = yard();
    let (states, remarks) = read(list(&STATES).as_bytes(), &world, &ReadOptions::default()).unwrap();
    let [ball_1, ball_2, floor, agent] =
        ["Ball|1", "Ball|2", "Floor|1", "agent"].map(|id| world.object_with_recorded_name(id).unwrap());
    let numbers: Vec<_> = states.iter().map(|state| (state.index, state.clock, state.unknown_objects)).collect();
    assert_eq!(numbers, [(3, 10, 0), (4, 12, 0), (5, 15, 1)]);
    assert_eq!(states[0].listed_objects, [ball_1]);
    assert_eq!(states[0].action, None);
    assert_eq!(states[0].changes[0].value, Value::Vec3(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(states[0].changes[1].value, Value::Bool(true));
    assert_eq!(states[1].listed_objects, [agent]);
    assert_eq!(states[1].action.as_deref(), Some("Pick Ball|1"));
    assert_eq!(states[1].changes[0].value, Value::Object(Some(ball_1)));
    assert_eq!(states[1].changes[1].value, Value::Int(4));
    assert_eq!(states[2].listed_objects, [ball_2, agent]);
    assert_eq!(states[2].changes[0].value, Value::Set([ball_2, floor].into_iter().collect()));
    assert_eq!(states[2].changes[1].value, Value::Object(None));
    assert_eq!(states[2].changes[2].value, Value::Vec3(DVec3::new(0.0, -0.0, -15.0)));
    let messages: Vec<_> = remarks.iter().map(|remark| (remark.severity, remark.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            (Severity::Warning, "1 object of the recording is not in world `yard`: `Chair|7`"),
            (Severity::Note, "objects of the recording refer to 1 name unknown in world `yard`: `Nobody`"),
        ]
    );
}

#[test]
fn numbers_are_optional_and_an_unchanged_agent_is_not_listed() {
    let states = [
        r#""objects":[{"objectId":"Ball|1"}],"agentState":{"bumps":1},"agentStateChanged":false"#,
        r#""objects":[],"agentState":null,"action":null"#,
        r#""objects":[],"agentState":{"bumps":1}"#,
    ];
    let (states, _) = read(list(&states).as_bytes(), &yard(), &ReadOptions::default()).unwrap();
    let deltas: Vec<_> = states
        .iter()
        .map(|state| (state.index, state.clock, state.listed_objects.len(), state.changes.len()))
        .collect();
    assert_eq!(deltas, [(0, 0, 1, 0), (1, 1, 0, 0), (2, 2, 1, 1)]);
}

#[test]
fn values_are_corrected_whenever_they_are_given() {
    let shelf = |fields: &str| format!(r#""objects":[{{"objectId":"Shelf|1",{fields}}}]"#);
    let states = [
        shelf(r#""position":{"x":1,"y":2,"z":3},"extents":{"x":1,"y":0.4,"z":1}"#),
        shelf(r#""position":{"x":1,"y":3,"z":3}"#),
        shelf(r#""extents":{"x":1,"y":0.8,"z":1}"#),
        shelf(r#""isOpen":true"#),
        r#""objects":[{"objectId":"Floor|1","position":{"x":9,"y":9,"z":9}}]"#.to_owned(),
    ];
    let text = list(&states.each_ref().map(String::as_str));
    let (states, _) = read(text.as_bytes(), &yard(), &ReadOptions::default()).unwrap();
    let vectors = |at: usize| -> Vec<DVec3> {
        states[at]
            .changes
            .iter()
            .filter_map(|change| match change.value {
                Value::Vec3(vector) => Some(vector),
                _ => None,
            })
            .collect()
    };
    // The shelf is moved down by 0.5, then shrunk to a quarter of its height with its bottom in place.
    assert_eq!(vectors(0), [DVec3::new(1.0, 1.5 - (0.4 - 0.1), 3.0), DVec3::new(1.0, 0.1, 1.0)]);
    // If a state gives only one of the two attributes, the other is the one recorded last.
    assert_eq!(vectors(1), [DVec3::new(1.0, 2.5 - (0.4 - 0.1), 3.0), DVec3::new(1.0, 0.1, 1.0)]);
    assert_eq!(vectors(2), [DVec3::new(1.0, 0.2, 1.0), DVec3::new(1.0, 2.5 - (0.8 - 0.2), 3.0)]);
    assert_eq!(vectors(3), []);
    assert_eq!(vectors(4), [DVec3::ZERO]);

    let error = read(list(&[&shelf(r#""extents":{"x":1,"y":1,"z":1}"#)]).as_bytes(), &yard(), &ReadOptions::default());
    assert_eq!(error.unwrap_err().code(), codes::MISSING_FIELD);
}

/// The content of the second state, the code of its error, and a part of the message.
const BAD_STATES: [(&str, Code, &str); 24] = [
    (r#""index":"1""#, codes::WRONG_TYPE, "`index` must be a number"),
    (r#""index":1.5"#, codes::WRONG_TYPE, "`index` must be an integer"),
    (r#""originalIndex":-1"#, codes::WRONG_TYPE, "`originalIndex` must be a non-negative integer"),
    (r#""index":0"#, codes::ORDER, "state 2 has index 0, which is not after 0"),
    (r#""originalIndex":0"#, codes::ORDER, "has clock 0, which is not after 0"),
    (r#""objects":{}"#, codes::WRONG_TYPE, "`objects` must be a list"),
    (r#""objects":[7]"#, codes::WRONG_TYPE, "expected an object"),
    (r#""objects":[{"name":"x"}]"#, codes::MISSING_FIELD, "`objectId` is missing"),
    (r#""objects":[{"objectId":7}]"#, codes::WRONG_TYPE, "`objectId` must be a string"),
    (
        r#""objects":[{"objectId":"Ball|1","position":[1,2,3]}]"#,
        codes::WRONG_TYPE,
        "`position` must be an object with the numbers `x`, `y` and `z`",
    ),
    (
        r#""objects":[{"objectId":"Ball|1","position":{"x":1,"y":2}}]"#,
        codes::WRONG_TYPE,
        "`position` must be an object with the numbers",
    ),
    (
        r#""objects":[{"objectId":"Ball|1","position":{"x":1,"y":2,"z":"3"}}]"#,
        codes::WRONG_TYPE,
        "`position` must be a number",
    ),
    (
        r#""objects":[{"objectId":"Ball|1","position":{"x":1,"y":2,"z":NaN}}]"#,
        codes::NOT_FINITE,
        "`position` is not finite",
    ),
    (r#""objects":[{"objectId":"Ball|1","weight":-Infinity}]"#, codes::NOT_FINITE, "`weight`"),
    (r#""objects":[{"objectId":"Ball|1","weight":1e400}]"#, codes::NOT_FINITE, "`weight`"),
    (r#""objects":[{"objectId":"Ball|1","weight":01}]"#, codes::SYNTAX, "expected a number"),
    (r#""objects":[{"objectId":"Ball|1","isOpen":null}]"#, codes::WRONG_TYPE, "`isOpen` must be `true` or `false`"),
    (r#""objects":[{"objectId":"Ball|1","touching":[1]}]"#, codes::WRONG_TYPE, "`touching` must be a string"),
    (r#""objects":[{"objectId":"Ball|1","name":"\ud800"}]"#, codes::SYNTAX, "expected a string in UTF-8"),
    (r#""agentState":{"bumps":true}"#, codes::WRONG_TYPE, "`bumps` must be a number"),
    (r#""agentState":[]"#, codes::WRONG_TYPE, "`agentState` must be an object"),
    (r#""agentStateChanged":0"#, codes::WRONG_TYPE, "`agentStateChanged` must be `true` or `false`"),
    (r#""action":"jump""#, codes::WRONG_TYPE, "`action` must be an object"),
    (r#""more" 1"#, codes::SYNTAX, "expected `:`"),
];

#[test]
fn bad_states_are_explained() {
    let world = yard();
    let first = r#""index":0,"objects":[{"objectId":"Ball|1"}]"#;
    for (state, code, part) in BAD_STATES {
        let state = if state.contains("objects") { state.to_owned() } else { format!(r#"{state},"objects":[]"#) };
        let text = list(&[first, &state, first]);
        let error = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap_err();
        let message = &error.diagnostic().message;
        assert_eq!(error.code(), code, "{state}: {message}");
        assert!(message.contains(part), "{state}: {message}");
        assert!(message.contains("state 2"), "{state}: {message}");
        assert!(code == codes::ORDER || message.contains(", at byte "), "{state}: {message}");
        let options = ReadOptions { partial: true, ..ReadOptions::default() };
        let (states, remarks) = read(text.as_bytes(), &world, &options).unwrap();
        assert_eq!((states.len(), remarks[0].code, remarks[0].severity), (1, code, Severity::Warning), "{state}");
    }
}

/// A whole file, the code of its error, and a part of the message.
const BAD_FILES: &[(&str, Code, &str)] = &[
    ("", codes::EMPTY, "the trace is empty"),
    (" \n", codes::EMPTY, "the trace is empty"),
    ("[]", codes::EMPTY, "the trace has no states"),
    (r#"{"replay":[]}"#, codes::EMPTY, "the trace has no states"),
    ("{}", codes::UNKNOWN_FORMAT, "contains no list of states"),
    (r#"{"states":[{"objects":[]}]}"#, codes::UNKNOWN_FORMAT, "contains no list of states"),
    ("hello", codes::UNKNOWN_FORMAT, "it begins with `h`"),
    ("\u{0}\u{1}", codes::UNKNOWN_FORMAT, "it begins with the byte 0x00"),
    #[cfg(not(feature = "parquet"))]
    ("PAR1", codes::NOT_BUILT_IN, "Parquet"),
    ("[1]", codes::WRONG_TYPE, "expected an object in state 1"),
    ("[{}]", codes::MISSING_FIELD, "`objects` is missing"),
    ("[", codes::CUT, "the file ends in state 1, at byte 1"),
    (r#"[{"objects":[]}"#, codes::CUT, "the file ends in state 2, at byte 15"),
    (r#"[{"objects":[]}]]"#, codes::SYNTAX, "expected the end of the file"),
    (r#"[{"objects":[]},]"#, codes::SYNTAX, "expected another element after the comma"),
    (r#"{"scene":"Yard_2","replay":[{"objects":[]}]}"#, codes::WRONG_WORLD, "scene `Yard_2`"),
    (r#"{"replay":[{"objects":[]}],"scene":"Yard_2"}"#, codes::WRONG_WORLD, "scene `Yard_2`"),
    (
        r#"[{"objects":[{"objectId":"Chair|7"}]}]"#,
        codes::WRONG_WORLD,
        "no object of the recording is in world `yard`: `Chair|7`",
    ),
];

#[test]
fn bad_files_are_explained() {
    let world = yard();
    for &(text, code, part) in BAD_FILES {
        let error = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.code(), code, "{text}: {error}");
        assert!(error.diagnostic().message.contains(part), "{text}: {error}");
    }
}

#[test]
fn batches_must_be_complete_and_of_one_recording() {
    let cases = [
        (r#"{"a":{"batch-1":{"events":[]}}}"#, "`batch-1` but no `batch-0`"),
        (r#"{"a":{"batch-0":{"events":[]},"batch-0":{"events":[]}}}"#, "duplicate `batch-0`"),
    ];
    for (text, part) in cases {
        let error = read(text.as_bytes(), &yard(), &ReadOptions::default()).unwrap_err();
        assert_eq!(error.code(), codes::BATCHES, "{error}");
        assert!(error.diagnostic().message.contains(part), "{error}");
    }
    let two = r#"{"a":{"one":{"batch-0":{"events":[{"objects":[]}]}},"two":{"batch-0":{"events":[{"objects":[]}]}}}}"#;
    let (states, remarks) = read(two.as_bytes(), &yard(), &ReadOptions::default()).unwrap();
    assert_eq!(states.len(), 1);
    assert!(remarks[0].message.contains("a second recording, `two`"), "{remarks:?}");
}

#[test]
fn messages_name_the_matching_world() {
    let (world, other) = (yard(), goalspec_core::world::WorldBuilder::new("other").finish().unwrap());
    let error = read(b"[{\"objects\":[]}]", &other, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), codes::NO_RECORDING);

    let mut builder = goalspec_core::world::WorldBuilder::new("empty yard");
    builder.add_type("thing", &[]);
    builder.set_recording(goalspec_core::world::RecordingFormat {
        scenes: vec!["Yard_0".into()],
        ..goalspec_core::world::RecordingFormat::default()
    });
    let empty = builder.finish().unwrap();
    let options = ReadOptions { candidates: vec![&world, &empty], partial: true, ..ReadOptions::default() };
    for text in [list(&STATES), format!(r#"{{"scene":"Yard_1","replay":{}}}"#, list(&STATES))] {
        let error = read(text.as_bytes(), &empty, &options).unwrap_err();
        assert_eq!(error.code(), codes::WRONG_WORLD, "{error}");
        assert!(error.diagnostic().help[0].contains("world `yard`"), "{error:?}");
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_cut_of_a_file_is_reported_and_keeps_whole_states() {
    let world = yard();
    let text = list(&STATES);
    let options = ReadOptions { partial: true, ..ReadOptions::default() };
    let (whole, _) = read(text.as_bytes(), &world, &options).unwrap();
    for length in 1..text.len() {
        let error = read(&text.as_bytes()[..length], &world, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.code(), codes::CUT, "cut at byte {length}: {error}");
        let complete = STATES
            .iter()
            .scan(1, |at, state| {
                *at += state.len() + 3;
                Some(*at - 1)
            })
            .filter(|&end| end <= length)
            .count();
        if complete > 0 {
            let (states, _) = read(&text.as_bytes()[..length], &world, &options).unwrap();
            assert_eq!(states[..], whole[..complete], "cut at byte {length}");
        }
    }
}

#[test]
fn truncated_and_damaged_compressed_files_are_reported() {
    let world = yard();
    let states: Vec<String> =
        (0..9000).map(|at| format!(r#""index":{at},"objects":[{{"objectId":"Ball|1","weight":0.{at}}}]"#)).collect();
    let text = list(&states.iter().map(String::as_str).collect::<Vec<_>>());
    let options = ReadOptions { partial: true, ..ReadOptions::default() };
    for (compressed, name) in [(gzip(text.as_bytes()), "gzip"), (zstd::encode_all(text.as_bytes(), 3).unwrap(), "zstd")]
    {
        assert_eq!(read(&compressed, &world, &ReadOptions::default()).unwrap().0.len(), 9000);
        for length in [5, compressed.len() / 2, compressed.len() - 1] {
            let error = read(&compressed[..length], &world, &ReadOptions::default()).unwrap_err();
            assert_eq!(error.code(), codes::CUT, "{name} cut at {length}: {error}");
            assert!(error.diagnostic().message.contains(&format!("the {name} data ends early")), "{error}");
        }
        let (read_states, remarks) = read(&compressed[..compressed.len() - 1], &world, &options).unwrap();
        assert_eq!(remarks[0].code, codes::CUT);
        assert!(read_states.len() > 1000, "only {} states of {name} data were kept", read_states.len());
    }
    let mut damaged = gzip(text.as_bytes());
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0xff);
    let error = read(&damaged, &world, &ReadOptions::default()).unwrap_err();
    assert!([codes::DAMAGED, codes::SYNTAX, codes::CUT].contains(&error.code()), "{error}");
    let mut damaged = gzip(text.as_bytes());
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 1;
    let error = read(&damaged, &world, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), codes::DAMAGED, "{error}");
    assert_eq!(read(&damaged, &world, &options).unwrap().0.len(), 9000);
}

#[test]
fn nesting_and_size_are_bounded() {
    let world = yard();
    let deep = format!(r#"[{{"objects":[],"more":{}"#, "[".repeat(1_000_000));
    let error = read(deep.as_bytes(), &world, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), codes::DEPTH, "{error}");
    let deep = r#"{"a":"#.repeat(1_000_000);
    let error = read(deep.as_bytes(), &world, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), codes::DEPTH, "{error}");

    let long = std::io::Read::chain(&b"[{\"objects\":[],\"more\":\""[..], std::io::repeat(b'x'));
    let mut reader = from_reader(long, &world, &ReadOptions::default()).unwrap();
    let error = reader.next(&mut Delta::default()).unwrap_err();
    assert_eq!(error.code(), codes::STATE_TOO_LARGE, "{error}");
    assert!(error.diagnostic().message.contains(&format!("{} MiB", MAX_STATE_BYTES >> 20)));

    let line = std::io::Read::chain(&b"{\"t\":"[..], std::io::repeat(b' '));
    let mut reader = from_reader(line, &world, &ReadOptions::default()).unwrap();
    assert_eq!(reader.next(&mut Delta::default()).unwrap_err().code(), codes::STATE_TOO_LARGE);
    let blank = from_reader(std::io::repeat(b' '), &world, &ReadOptions::default()).err().unwrap();
    assert_eq!(blank.code(), codes::UNKNOWN_FORMAT);
}

/// A stream that yields its bytes in small pieces.
struct Pieces<'a>(&'a [u8], usize);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        let (chunk, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(chunk);
        self.0 = rest;
        Ok(count)
    }
}

#[test]
fn positions_of_breaks_in_a_stream_have_no_effect() {
    let world = yard();
    let text = list(&STATES);
    let (expected, _) = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap();
    for size in 1..40 {
        let mut reader = from_reader(Pieces(text.as_bytes(), size), &world, &ReadOptions::default()).unwrap();
        let mut delta = Delta::default();
        for state in &expected {
            assert!(reader.next(&mut delta).unwrap());
            assert_eq!(delta, *state, "in pieces of {size} bytes");
        }
        assert!(!reader.next(&mut delta).unwrap());
    }
}

#[test]
fn the_last_state_is_known_when_it_comes() {
    let world = yard();
    let text = list(&STATES);
    let mut delta = Delta::default();
    let mut lookahead = LookaheadReader::new(from_reader(text.as_bytes(), &world, &ReadOptions::default()).unwrap());
    let mut states = Vec::new();
    while let Some(last) = lookahead.next(&mut delta).unwrap() {
        states.push((delta.index, last));
    }
    assert_eq!(states, [(3, false), (4, false), (5, true)]);
    assert_eq!(lookahead.next(&mut delta), Ok(None));

    // The state before the damage is returned, but it is not known to be the last one.
    let truncated = &text.as_bytes()[..text.len() - 20];
    let mut lookahead = LookaheadReader::new(from_reader(truncated, &world, &ReadOptions::default()).unwrap());
    assert_eq!(lookahead.next(&mut delta), Ok(Some(false)));
    assert_eq!(lookahead.next(&mut delta), Ok(Some(false)));
    assert_eq!(lookahead.next(&mut delta).unwrap_err().code(), codes::CUT);
    assert_eq!(lookahead.next(&mut delta).unwrap_err().code(), codes::CUT);
}
