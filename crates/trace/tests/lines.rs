//! goalspec's own trace format, JSON Lines.

use std::fmt::Write;
use std::io::Read;
use std::sync::mpsc;

use crate::common::{read, yard};
use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::state::Delta;
use goalspec_core::value::Value;
use goalspec_core::world::World;
use goalspec_syntax::limits::MAX_QUOTE_BYTES;
use goalspec_syntax::render::human;
use goalspec_syntax::{Code, Severity, Sources};
use goalspec_trace::source::Compression;
use goalspec_trace::{
    Format, Header, LineDecoder, LineKind, LinesWriter, ReadOptions, Source, Trace, TraceReader, TraceWriter, codes,
};

const HEADER: &str = r#"{"format":"goalspec-trace","version":1,"world":"yard"}"#;

/// A trace with every field and every kind of value, and with numbers that need all of their digits.
const EVERYTHING: &str = r#"{"format":"goalspec-trace","version":1,"world":"yard","scene":"Yard_1","time":"s","attributes":{"position":"vec3"},"objects":{"Ball|9":["ball"]}}
{"set":{"Ball|1":{"position":[0.1,-0.0,1e-300],"tilt":[0,359.99999999999994,5e-324],"touches":["shelf_1","Ball|9","Ball|1","Floor|1","Body","Ball|2"],"open":true},"agent":{"holds":"Ball|1","bumps":-9223372036854775808}}}

{"index":7,"clock":9,"t":0.30000000000000004,"action":"throw \"it\"\n","set":{"Ball|9":{},"agent":{"holds":null}},"foreign":2}
{"removed":["Ball|2"],"not":[["on","Ball|1","Ball|2"]],"facts":[["on","Ball|1","Ball|9"]],"fluents":[["fuel","Shelf|1",1.7976931348623157e308]]}
{"set":{"Shelf|1":{"weight":2,"label":"a shelf"}}}
"#;

fn write(trace: &Trace, world: &World) -> String {
    let mut text = Vec::new();
    let mut writer = LinesWriter::new(&mut text, world, trace.header()).unwrap();
    goalspec_trace::convert(&mut trace.cursor(), &mut writer).unwrap();
    String::from_utf8(text).unwrap()
}

/// The world of [`EVERYTHING`]: the yard and the ball that the header declares.
fn world_of_everything() -> World {
    Source::from_reader(EVERYTHING.as_bytes()).unwrap().extend_world(&yard()).unwrap().into_owned()
}

fn object(world: &World, name: &str) -> ObjectId {
    world.object_with_recorded_name(name).unwrap()
}

#[test]
fn every_field_is_read() {
    let header = Source::from_reader(EVERYTHING.as_bytes()).unwrap().header().clone();
    assert_eq!((header.format, header.scene.as_deref()), (Format::Lines, Some("Yard_1")));
    let world = world_of_everything();
    let (states, remarks) = read(EVERYTHING.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let remarks: Vec<_> = remarks.iter().map(|remark| &*remark.message).collect();
    assert_eq!(remarks, ["state 2 has index 7, but the previous state has 0: 6 states are missing"]);
    let numbers: Vec<_> = states.iter().map(|state| (state.index, state.clock)).collect();
    assert_eq!(numbers, [(0, 0), (7, 9), (8, 10), (9, 11)]);

    let [ball_1, ball_2, ball_9, agent] = ["Ball|1", "Ball|2", "Ball|9", "Body"].map(|name| object(&world, name));
    assert_eq!(states[0].listed_objects, [ball_1, agent]);
    let values: Vec<_> = states[0].changes.iter().map(|change| change.value.clone()).collect();
    let mut touched: Vec<_> = world.object_ids().collect();
    touched.sort();
    assert_eq!(
        values,
        [
            Value::Vec3(DVec3::new(0.1, -0.0, 1e-300)),
            Value::Vec3(DVec3::new(0.0, 359.999_999_999_999_94, 5e-324)),
            Value::Set(touched.into()),
            Value::Bool(true),
            Value::Object(Some(ball_1)),
            Value::Int(i64::MIN),
        ]
    );
    assert_eq!(states[1].listed_objects, [ball_9, agent]);
    assert_eq!((states[1].time, states[1].unknown_objects), (Some(0.1 + 0.2), 2));
    assert_eq!(states[1].action.as_deref(), Some("throw \"it\"\n"));
    assert_eq!(states[1].changes[0].value, Value::Object(None));
    assert_eq!(states[2].removed, [ball_2]);
    let facts: Vec<_> = states[2].facts.iter().map(|fact| (fact.arguments.to_vec(), fact.holds)).collect();
    assert_eq!(facts, [(vec![ball_1, ball_2], false), (vec![ball_1, ball_9], true)]);
    assert_eq!(states[2].fluents[0].value.to_bits(), f64::MAX.to_bits());
}

#[test]
fn written_lines_are_read_back_bit_by_bit() {
    let world = world_of_everything();
    let mut reader = goalspec_trace::from_reader(EVERYTHING.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let trace = Trace::read(&mut reader, &world).unwrap();
    let text = write(&trace, &world);
    let (expected, _) = read(EVERYTHING.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let (states, _) = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap();
    assert_eq!(states, expected);
    let Value::Vec3(position) = &states[0].changes[0].value else { panic!("a position comes first") };
    assert!(position.y.is_sign_negative(), "the sign of zero is kept");
    let reread = Trace::read(
        &mut goalspec_trace::from_reader(text.as_bytes(), &world, &ReadOptions::default()).unwrap(),
        &world,
    );
    assert_eq!(write(&reread.unwrap(), &world), text);
}

#[test]
fn gaps_are_counted_once_per_recording() {
    let cases = [
        (vec![0, 1, 2], None),
        (vec![944, 945], None),
        (vec![1, 2, 5], Some("state 3 has index 5, but the previous state has 2: 2 states are missing")),
        (vec![1, 3, 4], Some("state 2 has index 3, but the previous state has 1: 1 state is missing")),
        (
            vec![1, 2, 5, 6, 8, 100],
            Some("state 3 has index 5, but the previous state has 2; in 3 such gaps, 94 states are missing"),
        ),
        (
            vec![0, u64::MAX >> 11],
            Some(
                "state 2 has index 9007199254740991, but the previous state has 0: 9007199254740990 states are missing",
            ),
        ),
    ];
    let world = yard();
    for (indices, expected) in cases {
        let states: String = indices.iter().map(|index| format!("{{\"index\":{index}}}\n")).collect();
        let (_, remarks) = read(format!("{HEADER}\n{states}").as_bytes(), &world, &ReadOptions::default()).unwrap();
        let found: Vec<_> = remarks.iter().map(|remark| (remark.code, remark.severity, &*remark.message)).collect();
        let expected: Vec<_> = expected.map(|message| (codes::GAP, Severity::Warning, message)).into_iter().collect();
        assert_eq!(found, expected, "{indices:?}");
    }
}

#[test]
fn random_numbers_survive() {
    let world = yard();
    let mut text = String::from(HEADER);
    let mut expected = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    while expected.len() < 3000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = f64::from_bits(random.rotate_left(23));
        if number.is_finite() {
            expected.push(number);
            write!(text, "\n{{\"set\":{{\"Ball|1\":{{\"weight\":{number:?}}}}}}}").unwrap();
        }
    }
    let mut reader = goalspec_trace::from_reader(text.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let trace = Trace::read(&mut reader, &world).unwrap();
    let (states, _) = read(write(&trace, &world).as_bytes(), &world, &ReadOptions::default()).unwrap();
    for (state, number) in states.iter().zip(expected) {
        assert_eq!(state.changes[0].value, Value::Real(number));
    }
}

#[test]
fn compression_follows_the_file_name() {
    let world = world_of_everything();
    let mut reader = goalspec_trace::from_reader(EVERYTHING.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let trace = Trace::read(&mut reader, &world).unwrap();
    let folder = std::env::temp_dir().join(format!("goalspec-trace-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, compression) in
        [("a.jsonl", Compression::None), ("a.jsonl.gz", Compression::Gzip), ("a.jsonl.zst", Compression::Zstd)]
    {
        let path = folder.join(name);
        let mut writer = goalspec_trace::create(&path, &world, trace.header()).unwrap();
        assert_eq!(goalspec_trace::convert(&mut trace.cursor(), &mut *writer).unwrap(), 4);
        let mut reader = goalspec_trace::open(&path, &world, &ReadOptions::default()).unwrap();
        assert_eq!(reader.header().compression, compression);
        assert_eq!(write(&Trace::read(&mut reader, &world).unwrap(), &world), write(&trace, &world));
    }
    let error = goalspec_trace::create(&folder.join("a.csv"), &world, trace.header()).err().unwrap();
    assert_eq!(error.code(), codes::UNKNOWN_FORMAT);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_header_is_optional_and_lines_may_be_blank() {
    let text = "\n  \r\n{\"set\":{\"shelf_1\":{\"weight\":1}}}\r\n\n{\"t\":1}";
    let (states, _) = read(text.as_bytes(), &yard(), &ReadOptions::default()).unwrap();
    assert_eq!(states.len(), 2);
    assert_eq!(states[1].time, Some(1.0));
    // An action may have the name of the format in headers.
    let text = "{\"action\":\"goalspec-trace\"}\n{\"t\":1}";
    assert_eq!(read(text.as_bytes(), &yard(), &ReadOptions::default()).unwrap().0.len(), 2);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let states = "{\"set\":{\"shelf_1\":{\"weight\":1}}}\n{\"t\":1}\n";
    for text in [format!("\u{feff}{states}"), format!("\u{feff}{HEADER}\n{states}")] {
        let (states, _) = read(text.as_bytes(), &yard(), &ReadOptions::default()).unwrap();
        assert_eq!(states.len(), 2, "{text}");
    }
    // Half a byte order mark, or two of them, is not a byte order mark.
    for text in ["\u{feff}\u{feff}{}".as_bytes(), b"\xef\xbb{}", b"\xef\xbb", b"\xef"] {
        assert_eq!(read(text, &yard(), &ReadOptions::default()).unwrap_err().code(), codes::UNKNOWN_FORMAT);
    }
}

/// A stream that yields one piece at a time and waits for the next in between.
struct Live(mpsc::Receiver<&'static str>, &'static [u8]);

impl Read for Live {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.1.is_empty() {
            let Ok(chunk) = self.0.recv() else { return Ok(0) };
            self.1 = chunk.as_bytes();
        }
        self.1.read(buffer)
    }
}

#[test]
fn a_live_stream_is_read_line_by_line() {
    let world = yard();
    let (send, receive) = mpsc::channel();
    send.send("{\"format\":\"goalspec-trace\",").unwrap();
    send.send("\"version\":1}\n").unwrap();
    // If more than the header were read here, this would block forever.
    let source = Source::from_reader(Live(receive, b"")).unwrap();
    let mut reader = source.read(&world, &ReadOptions::default()).unwrap();
    let mut delta = Delta::default();
    for at in 0..3 {
        send.send("{\"facts\":[]").unwrap();
        send.send("}\n").unwrap();
        assert!(reader.next(&mut delta).unwrap());
        assert_eq!(delta.index, at);
    }
    drop(send);
    assert!(!reader.next(&mut delta).unwrap());
}

#[test]
fn a_decoder_goes_on_behind_a_bad_line() {
    let world = yard();
    let mut decoder = LineDecoder::new(&world);
    let mut delta = Delta::default();
    assert_eq!(decoder.decode(b"{\"t\":0}", &mut delta), Ok(LineKind::State));
    assert!(decoder.decode(b"{\"t\":", &mut delta).is_err());
    assert_eq!(decoder.decode(b" \n", &mut delta), Ok(LineKind::Blank));
    assert_eq!(decoder.decode(b"{\"t\":2}\n", &mut delta), Ok(LineKind::State));
    assert_eq!((delta.index, delta.time), (1, Some(2.0)));
}

/// An invalid line, the code of its error, and a part of the message or of the help.
const BAD_LINES: [(&str, Code, &str); 30] = [
    (r#"{"set":{"Bal|1":{}}}"#, codes::UNKNOWN_NAME, "world `yard` has no object `Bal|1`"),
    (r#"{"set":{"Bal|1":{}}}"#, codes::UNKNOWN_NAME, "did you mean `Ball|1`?"),
    (r#"{"set":{"Ball|1":{"positon":[0,0,0]}}}"#, codes::UNKNOWN_NAME, "did you mean `position`?"),
    (r#"{"set":{"Ball|1":{"holds":null}}}"#, codes::WRONG_OBJECT, "object `Ball|1` has no attribute `holds`"),
    (
        r#"{"set":{"Ball|1":{"position":[0,0]}}}"#,
        codes::WRONG_TYPE,
        "attribute `position` of object `Ball|1` must be a list of three numbers",
    ),
    (r#"{"set":{"Ball|1":{"position":{"x":0}}}}"#, codes::WRONG_TYPE, "a list of three numbers"),
    (r#"{"set":{"Ball|1":{"open":1}}}"#, codes::WRONG_TYPE, "`true` or `false`"),
    (r#"{"set":{"Ball|1":{"weight":NaN}}}"#, codes::NOT_FINITE, "at byte 27 of the line"),
    (r#"{"set":{"Ball|1":{"weight":-Infinity}}}"#, codes::NOT_FINITE, "not finite"),
    (r#"{"set":{"Ball|1":{"weight":1e999}}}"#, codes::NOT_FINITE, "not finite"),
    (r#"{"set":{"Ball|1":{"touches":"Ball|2"}}}"#, codes::WRONG_TYPE, "must be a list"),
    (r#"{"set":{"agent":{"bumps":1.5}}}"#, codes::WRONG_TYPE, "an integer"),
    (r#"{"set":{"agent":{"holds":"Ball|7"}}}"#, codes::UNKNOWN_NAME, "no object `Ball|7`"),
    (r#"{"set":[]}"#, codes::WRONG_TYPE, "`set` must be an object"),
    (r#"{"facts":[["onn","Ball|1","Ball|2"]]}"#, codes::UNKNOWN_NAME, "did you mean `on`?"),
    (r#"{"facts":[["on","Ball|1"]]}"#, codes::ARITY, "`on` takes 2 objects, found 1"),
    (
        r#"{"not":[["on","Ball|1","agent"]]}"#,
        codes::WRONG_OBJECT,
        "`on` takes an argument of type thing, which object `agent` is not",
    ),
    (r#"{"facts":[["opened","Ball|1"]]}"#, codes::NOT_STORED, "is computed by world `yard`"),
    (r#"{"facts":[[]]}"#, codes::WRONG_TYPE, "a list that begins with a name"),
    (r#"{"fluents":[["fuel","Ball|1"]]}"#, codes::WRONG_TYPE, "a number at the end"),
    (r#"{"fluents":[["fuel",3,"Ball|1"]]}"#, codes::WRONG_TYPE, "a number at the end"),
    (r#"{"fluents":[["fule","Ball|1",3]]}"#, codes::UNKNOWN_NAME, "did you mean `fuel`?"),
    (r#"{"index":-1}"#, codes::WRONG_TYPE, "`index` must be a non-negative integer"),
    (r#"{"sett":{}}"#, codes::UNKNOWN_FIELD, "did you mean `set`?"),
    (r#"{"t":1,"t":2}"#, codes::DOUBLED_FIELD, "duplicate field `t` in the state"),
    (r#"{"set":{"agent":{},"agent":{}}}"#, codes::DOUBLED_FIELD, "duplicate field `agent` in `set`"),
    (
        r#"{"set":{"Ball|1":{"position":[0,0,0],"position":[1,0,0]}}}"#,
        codes::DOUBLED_FIELD,
        "duplicate field `position` in `set` of object `Ball|1`",
    ),
    (r#"{"t":1} {"t":2}"#, codes::SYNTAX, "expected the end of the line"),
    (r#"{"t":1,}"#, codes::SYNTAX, "expected another element after the comma"),
    (r#"{"t":1"#, codes::CUT, "unexpected end of the line"),
];

#[test]
fn bad_lines_are_explained() {
    let world = yard();
    for (line, code, part) in BAD_LINES {
        let text = format!("{HEADER}\n{{\"t\":0}}\n{line}\n");
        let error = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap_err();
        let message = format!("{} {}", error.diagnostic().message, error.diagnostic().help.join(" "));
        assert_eq!(error.code(), code, "{line}: {message}");
        assert!(message.contains(part), "{line}: {message}");
        assert!(message.contains("in state 2, line 3"), "{line}: {message}");
        let options = ReadOptions { partial: true, ..ReadOptions::default() };
        let (states, remarks) = read(text.as_bytes(), &world, &options).unwrap();
        assert_eq!((states.len(), remarks.len(), remarks[0].code), (1, 1, code), "{line}");
    }
}

#[test]
fn bad_headers_are_explained() {
    let cases = [
        (r#"{"format":"goalspec-trace"}"#, codes::MISSING_FIELD, "`version`"),
        (r#"{"format":"goalspec-trace","version":2}"#, codes::VERSION, "version 2"),
        (r#"{"formt":"goalspec-trace","version":1}"#, codes::UNKNOWN_FIELD, "did you mean `format`?"),
        (r#"{"format":"goalspec-trac","version":1}"#, codes::UNKNOWN_FORMAT, "did you mean `goalspec-trace`?"),
        (r#"{"format":"goalspec-game","version":1}"#, codes::UNKNOWN_FORMAT, "`goalspec-game`"),
        (r#"{"format":"goalspec-trace","version":1,"time":"ms"}"#, codes::SYNTAX, "seconds"),
        (r#"{"format":"goalspec-trace","version":1,"wrld":"yard"}"#, codes::UNKNOWN_FIELD, "did you mean `world`?"),
        (
            r#"{"format":"goalspec-trace","version":1,"attributes":{"positio":"vec3"}}"#,
            codes::UNKNOWN_NAME,
            "did you mean `position`?",
        ),
        (
            r#"{"format":"goalspec-trace","version":1,"attributes":{"position":"real"}}"#,
            codes::WRONG_TYPE,
            "declares it as vec3",
        ),
        (r#"{"format":"goalspec-trace","version":1"#, codes::SYNTAX, "unclosed header"),
        (
            r#"{"format":"goalspec-trace","version":1,"version":1}"#,
            codes::DOUBLED_FIELD,
            "duplicate field `version` in the header, line 1, at byte 39 of the line",
        ),
        (
            r#"{"format":"goalspec-trace","version":1,"objects":{"a":[],"a":[]}}"#,
            codes::DOUBLED_FIELD,
            "duplicate field `a` in the header, line 1, at byte 57 of the line",
        ),
        (
            r#"{"format":"goalspec-trace","version":1,"attributes":{"a":"real","a":"real"}}"#,
            codes::DOUBLED_FIELD,
            "duplicate field `a` in the header, line 1",
        ),
    ];
    let world = yard();
    for (line, code, part) in cases {
        let error = read(format!("{line}\n{{\"t\":0}}").as_bytes(), &world, &ReadOptions::default()).unwrap_err();
        let message = format!("{} {}", error.diagnostic().message, error.diagnostic().help.join(" "));
        assert_eq!(error.code(), code, "{line}: {message}");
        assert!(message.contains(part), "{line}: {message}");
    }
    let text = format!("{}\n{{\"t\":0}}", HEADER.replace("yard", "garden"));
    let (_, remarks) = read(text.as_bytes(), &world, &ReadOptions::default()).unwrap();
    assert_eq!(remarks[0].code, codes::OTHER_WORLD);
}

#[test]
fn bad_declarations_of_objects_are_explained() {
    let cases = [
        (r#""Ball|9":["bal"]"#, codes::UNKNOWN_NAME, "did you mean `ball`?"),
        (r#""Shelf|9":["shelf"]"#, codes::WRONG_OBJECT, "recordings cannot add objects of type `shelf`"),
        (r#""Ball|1":["shelf"]"#, codes::WRONG_OBJECT, "types of object `Ball|1` that it does not have"),
        (r#""Ball|9":[]"#, codes::WRONG_OBJECT, "at least one type is required"),
    ];
    for (objects, code, part) in cases {
        let text = format!(r#"{{"format":"goalspec-trace","version":1,"objects":{{{objects}}}}}"#);
        let error = Source::from_reader(text.as_bytes()).unwrap().extend_world(&yard()).unwrap_err();
        let message = format!("{} {}", error.diagnostic().message, error.diagnostic().help.join(" "));
        assert_eq!(error.code(), code, "{message}");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn values_without_a_json_form_are_errors_of_the_writer() {
    let world = yard();
    let mut writer = LinesWriter::new(Vec::new(), &world, &Header::new(Format::Memory, Compression::None)).unwrap();
    let error = writer.write(&Delta { time: Some(f64::NAN), ..Delta::default() }).unwrap_err();
    assert_eq!(error.code(), codes::NOT_FINITE);
}

/// An error quotes its line and marks the faulty token.
#[test]
fn errors_quote_their_line() {
    let world = yard();
    let marked = |line: &str, second: &str| {
        let text = format!("{HEADER}\n{{}}\n{line}{second}");
        let error = read(text.as_bytes(), &world, &ReadOptions::default()).expect_err(line).into_diagnostic();
        let rendered = human::render(&[error], &Sources::new(), false);
        let mut lines = rendered.lines().skip_while(|line| !line.starts_with("3 |"));
        let quoted = lines.next().and_then(|line| line.strip_prefix("3 | ")).map(str::to_owned);
        let mark = lines.next().map(|line| line[4..].to_owned());
        quoted.zip(mark)
    };
    let cases = [
        (r#"{"set":{"Ball|7":{}}}"#, "        ^^^^^^^^"),
        (r#"{"set":{"Ball|1":{"open":17}}}"#, "                         ^^"),
        (r#"{"index":-1}"#, "         ^^"),
        (r#"{"sett":{}}"#, " ^^^^^^"),
    ];
    for (line, mark) in cases {
        assert_eq!(marked(line, "\n{}\n"), Some((line.to_owned(), mark.to_owned())), "{line}");
    }
    let truncated = r#"{"set":{"#;
    assert_eq!(marked(truncated, "\n"), Some((truncated.to_owned(), "        ^".to_owned())));
    // Lines that are too long or are not text are not quoted.
    let long = format!(r#"{{"set":{{"Ball|7":{{"label":"{}"}}}}}}"#, "x".repeat(MAX_QUOTE_BYTES));
    assert_eq!(marked(&long, ""), None);
    let mut decoder = LineDecoder::new(&world);
    let error = decoder.decode(b"{\"a\xff\":1}", &mut Delta::default()).expect_err("it is no text");
    assert_eq!(error.diagnostic().quote, None);
}
