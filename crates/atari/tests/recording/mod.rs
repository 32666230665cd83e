//! Recordings round-trip, and every error names its line and field.

use std::io::{BufReader, Cursor};
use std::path::PathBuf;

use goalspec_atari::object::{ClassAttributes, GameObject};
use goalspec_atari::recording::{FORMAT, Frame, Header, MAX_LINE_BYTES, Reader, RecordedReward, Writer};
use goalspec_atari::{Decoder, Game, Options};

fn frames(text: &str) -> Result<Vec<Frame>, String> {
    let mut reader = Reader::new(Cursor::new(text)).map_err(|error| error.to_string())?;
    let (mut frames, mut frame) = (Vec::new(), Frame::default());
    while reader.next(&mut frame).map_err(|error| error.to_string())? {
        frames.push(frame.clone());
    }
    Ok(frames)
}

const HEAD: &str = r#"{"format":"goalspec-screens-1","game":"Pong","hud":false,"action_meanings":["NOOP","FIRE"]}"#;

fn line(fields: &[(&str, &str)]) -> String {
    let mut all = vec![("t", "0"), ("ep", "0"), ("a", "null"), ("r", "0.0"), ("term", "false"), ("trunc", "false")];
    all.push(("objs", r#"[["NoObject"]]"#));
    for (name, value) in fields {
        all.retain(|(other, _)| other != name);
        all.push((name, value));
    }
    let parts: Vec<String> =
        all.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", parts.join(","))
}

fn fault(fields: &[(&str, &str)]) -> String {
    frames(&format!("{HEAD}\n{}\n", line(fields))).expect_err("this is a fault")
}

#[test]
fn faults_are_named() {
    let cases: [(&str, &str, &str); 24] = [
        ("t", "", "line 2: `t` is missing"),
        ("t", "-1", "line 2: `t` is -1, but must be a non-negative integer"),
        ("ep", "0.0", "line 2: `ep` is 0.0, but must be a non-negative integer"),
        ("a", "2", "line 2: `a` is 2, but the header lists 2 actions"),
        ("a", "", "line 2: `a` is missing"),
        ("r", "\"1\"", "line 2: `r` is \"1\", but must be a number"),
        ("r", "NaN", "line 2: invalid JSON in column 77: expected value"),
        ("term", "0", "line 2: `term` is 0, but must be true or false"),
        ("objs", "", "line 2: `objs` is missing, and so is `ram`"),
        ("objs", "{}", "line 2: `objs` is {}, but must be a list"),
        ("objs", "[[]]", "line 2: `objs[0]` is empty"),
        ("objs", r#"[["Bal"]]"#, "line 2: `objs[0].category` is \"Bal\", which is not a class of Pong"),
        ("objs", r#"[["NoObject"],["Ball",1]]"#, "line 2: `objs[1]` has 2 elements, but 11 to 13 are required"),
        (
            "objs",
            r#"[["Ball",1.5,0,2,4,0,0,0,1,[0,0,0],null]]"#,
            "line 2: `objs[0].x` is 1.5, but must be an integer between -8191 and 8191",
        ),
        (
            "objs",
            r#"[["Ball",1,9000,2,4,0,0,0,1,[0,0,0],null]]"#,
            "line 2: `objs[0].y` is 9000, but must be an integer between -8191 and 8191",
        ),
        ("objs", r#"[["Ball",1,0,2,4,0,0,2,1,[0,0,0],null]]"#, "line 2: `objs[0].hud` is 2, but must be 0 or 1"),
        ("objs", r#"[["Ball",1,0,2,4,0,0,0,1,[0,0],null]]"#, "line 2: `objs[0].rgb` must be red, green and blue"),
        (
            "objs",
            r#"[["Ball",1,0,2,4,0,0,0,1,[0,0,256],null]]"#,
            "line 2: `objs[0].rgb` is 256, but must be an integer between 0 and 255",
        ),
        (
            "objs",
            r#"[["Ball",1,0,2,4,0,0,0,1,[0,0,0],"E"]]"#,
            "line 2: `objs[0].orientation` must be null, because a Ball has no orientation",
        ),
        ("ram", "\"00\"", "line 2: `ram` has 2 digits, but 256 are required"),
        ("rew", r#"{"f":"x"}"#, "line 2: `f` must be a number or an object with `err`"),
        ("rew", r#"{"f":{}}"#, "line 2: `err` is missing"),
        (
            "reward",
            "0",
            "line 2: `reward` is not a field of frames, which have t, ep, a, r, term, trunc, ram, objs, rew",
        ),
        ("term", "tru", "line 2: invalid JSON in column 78: expected ident"),
    ];
    for (field, value, message) in cases {
        assert_eq!(fault(&[(field, value)]), message, "{field} {value}");
    }
    let digits = format!("\"{}\"", "0g".repeat(128));
    assert_eq!(fault(&[("ram", &digits)]), "line 2: `ram` contains a character that is not a hexadecimal digit");
}

#[test]
fn order_is_checked() {
    let second =
        |t, ep| frames(&format!("{HEAD}\n{}\n{}", line(&[("t", "4"), ("ep", "1")]), line(&[("t", t), ("ep", ep)])));
    assert_eq!(second("5", "0").unwrap_err(), "line 3: `ep` is 0, but must not be less than the previous one, 1");
    assert_eq!(second("4", "1").unwrap_err(), "line 3: `t` is 4, but must exceed the previous one, 4");
    assert_eq!(second("6", "2").unwrap().len(), 2);
    let twice = line(&[("t", "4")]).replacen('{', "{\"t\":4,", 1);
    let message = frames(&format!("{HEAD}\n{twice}")).unwrap_err();
    assert!(message.starts_with("line 2: in column") && message.ends_with("duplicate key `t`"), "{message}");
    let message = frames(&HEAD.replacen('{', "{\"seed\":0,\"seed\":3,", 1)).unwrap_err();
    assert!(message.starts_with("line 1: in column") && message.ends_with("duplicate key `seed`"), "{message}");
}

#[test]
fn headers_are_checked() {
    let no_header = "line 1: expected a header whose `\"format\"` is one of goalspec-screens-1, ocalm-trace-1";
    for (head, message) in [
        ("", no_header),
        ("[]", no_header),
        (r#"{"format":"goalspec-trace","game":"Pong","hud":false}"#, no_header),
        (r#"{"format":"goalspec-screens-1","hud":false}"#, "line 1: `game` is missing"),
        (r#"{"format":"goalspec-screens-1","game":"Pong"}"#, "line 1: `hud` is missing"),
        (
            r#"{"format":"goalspec-screens-1","game":"Pong","hud":false,"object_fields":["x"]}"#,
            "line 1: `object_fields` must be category, x, y, w, h, prev_x, prev_y, hud, visible, rgb, orientation, value?, prev_value?",
        ),
    ] {
        assert_eq!(frames(head).unwrap_err(), message, "{head}");
    }
    let message = frames(r#"{"format":"goalspec-screens-1","game":"Pacman","hud":false}"#).unwrap_err();
    assert!(message.starts_with("line 1: `game` is invalid: unknown game `Pacman`"), "{message}");
}

#[test]
fn lines_have_a_limit() {
    let long = format!("{HEAD}\n{}", " ".repeat(MAX_LINE_BYTES + 1));
    assert_eq!(frames(&long).unwrap_err(), "line 2: exceeds the maximum line length of 1048576 bytes");
}

/// Returns the RAM of Pong with the ball at a position.
fn pong(x: u8, y: u8) -> [u8; 128] {
    let mut ram = [0; 128];
    (ram[49], ram[54], ram[50], ram[51]) = (x + 49, y + 14, 100, 120);
    ram
}

#[test]
fn frames_with_ram_alone_are_decoded() {
    let hexadecimal =
        |ram: [u8; 128]| format!("\"{}\"", ram.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let one = line(&[("objs", ""), ("ram", &hexadecimal(pong(20, 60)))]);
    let two = line(&[("t", "1"), ("a", "1"), ("objs", ""), ("ram", &hexadecimal(pong(24, 58)))]);
    // The decoder starts anew in a new episode.
    let three = line(&[("t", "2"), ("ep", "1"), ("objs", ""), ("ram", &hexadecimal(pong(30, 50)))]);
    let found = frames(&format!("{HEAD}\n{one}\n{two}\n{three}\n")).unwrap();
    let mut decoder = Decoder::new(Game::Pong, Options::default());
    assert_eq!(found[0].objects, decoder.reset(&pong(20, 60)).unwrap());
    assert_eq!(found[1].objects, decoder.step(&pong(24, 58)).unwrap());
    assert_eq!((found[1].objects[1].dx(), found[1].action), (4, Some(1)));
    assert_eq!(found[2].objects, decoder.reset(&pong(30, 50)).unwrap());
}

#[test]
fn written_recordings_are_read_back() {
    let mut decoder = Decoder::new(Game::Pong, Options { hud: true, quirks: false });
    let mut header = Header::new(Game::Pong, decoder.options());
    header.metadata.insert("policy".to_owned(), "by hand".into());
    let mut writer = Writer::new(Vec::new(), &header);
    let mut written = Vec::new();
    for index in 0..4 {
        let ram = pong(20 + 4 * index as u8, 60);
        let objects = if index == 0 { decoder.reset(&ram) } else { decoder.step(&ram) }.unwrap().to_vec();
        let rewards = vec![
            ("a".to_owned(), RecordedReward::Int(3)),
            ("b".to_owned(), RecordedReward::Float(0.1 + 0.2)),
            ("c".to_owned(), RecordedReward::Error("ValueError: ".to_owned())),
        ];
        let action = (index > 0).then_some(1);
        let frame = Frame {
            index,
            action,
            reward: -0.5,
            terminated: index == 3,
            ram: Some(ram),
            objects,
            rewards,
            ..Frame::default()
        };
        writer.write(&frame).unwrap();
        written.push(frame);
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(text.starts_with(&format!("{{\"format\":\"{FORMAT}\",\"game\":\"Pong\",\"policy\":\"by hand\"")));
    let mut reader = Reader::new(Cursor::new(&text)).unwrap();
    assert_eq!(*reader.header(), header);
    let mut frame = Frame::default();
    for mut expected in written {
        assert!(reader.next(&mut frame).unwrap());
        // A row contains a previous position and value even for an object that has just appeared.
        for object in expected.objects.iter_mut().filter(|object| !object.is_no_object()) {
            object.prev = Some(object.prev_xy());
            object.prev_value = object.prev_value.or(object.value);
        }
        assert_eq!(frame, expected);
    }
    assert!(!reader.next(&mut frame).unwrap());
}

fn conformance() -> Vec<PathBuf> {
    let Some(folder) = goalspec_testing::conformance::folder("reward/traces") else { return Vec::new() };
    Game::ALL.iter().flat_map(|game| crate::common::files(&folder, &format!("{}_", game.slug()))).collect()
}

/// Reads recorded objects, decodes the same objects from the RAM alone, and writes and reads them again.
#[test]
fn traces_of_the_conformance_data() {
    let files = conformance();
    let mut count = 0;
    for path in &files {
        let text: Vec<String> = crate::common::lines(path).map(|line| line.to_string()).collect();
        let mut without = crate::common::lines(path).map(|mut line| {
            line.as_object_mut().expect("lines are objects").remove("objs");
            line.to_string()
        });
        let found = frames(&text.join("\n")).unwrap();
        let decoded = frames(&without.by_ref().collect::<Vec<_>>().join("\n")).unwrap();
        let mut reader = Reader::new(BufReader::new(Cursor::new(text.join("\n")))).unwrap();
        let mut writer = Writer::new(Vec::new(), reader.header());
        let mut frame = Frame::default();
        while reader.next(&mut frame).unwrap() {
            writer.write(&frame).unwrap();
        }
        let written = String::from_utf8(writer.finish().unwrap()).unwrap();
        // Python writes spaces after colons and commas only in the header, and our header has an additional field.
        for (number, (ours, recorded)) in written.lines().zip(&text).enumerate().skip(1) {
            assert_eq!(ours, recorded, "{} line {}", path.display(), number + 1);
        }
        assert_eq!(found.len(), decoded.len());
        for (frame, other) in found.iter().zip(&decoded) {
            // Recorded placeholders do not contain the positions at which `OCAtari` left them.
            let objects = frame.objects.iter().zip(&other.objects);
            for (one, two) in objects.filter(|(one, two)| !one.is_no_object() || !two.is_no_object()) {
                let same = (one.class, one.x, one.y, one.w, one.h, one.dx(), one.dy(), one.value, one.class_attributes);
                assert_eq!(
                    same,
                    (two.class, two.x, two.y, two.w, two.h, two.dx(), two.dy(), two.value, two.class_attributes)
                );
            }
            count += usize::from(frame.objects.len() == other.objects.len());
        }
    }
    println!("{count} frames of {} recordings", files.len());
    assert!(files.is_empty() || count == 16_000, "{count} frames");
}

/// Returns an object as read from a recording, in which a missing previous position or value is replaced by the current one.
fn told(object: &GameObject) -> GameObject {
    let tracked = object.prev_value.or(object.value.filter(|_| object.prev_value.is_some()));
    GameObject { prev: Some(object.prev_xy()), prev_value: tracked, ..*object }
}

/// Every decoded frame round-trips, for all games, with and without the heads-up display and quirks.
#[test]
fn all_that_is_decoded_is_read_back() {
    const SEQUENCES: u64 = 40;
    let mut oriented = 0;
    for game in Game::ALL {
        for (hud, quirks) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = Options { hud, quirks };
            let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(hud) ^ (u64::from(quirks) << 1);
            let mut chance = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state
            };
            for sequence in 0..SEQUENCES {
                let mut decoder = Decoder::new(game, options);
                let mut ram = [0; 128];
                // Small bytes, large bytes, and all bytes.
                let mask = [0xff, 0x0f, 0x3f, 0xe0][sequence as usize % 4];
                for byte in &mut ram {
                    *byte = chance() as u8 & mask;
                }
                for step in 0..6 {
                    for _ in 0..(chance() % 40) {
                        ram[chance() as usize % 128] = chance() as u8;
                    }
                    let shown = if step == 0 { decoder.reset(&ram) } else { decoder.step(&ram) };
                    let Ok(objects) = shown else { break };
                    let objects = objects.to_vec();
                    oriented += objects.iter().filter(|one| one.is_no_object() && one.orientation.is_some()).count();
                    let written = Frame { ram: Some(ram), objects: objects.clone(), ..Frame::default() };
                    let mut writer = Writer::new(Vec::new(), &Header::new(game, options));
                    writer.write(&written).unwrap();
                    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
                    let read = frames(&text).unwrap_or_else(|error| panic!("{game}: {error}\n{text}"));
                    // Details that rows do not contain are decoded from the RAM, which here is that of a first frame.
                    let detail =
                        |object: &GameObject| GameObject { class_attributes: ClassAttributes::None, ..told(object) };
                    let expected: Vec<GameObject> = objects.iter().map(detail).collect();
                    let given: Vec<GameObject> = read[0].objects.iter().map(detail).collect();
                    let value =
                        |object: &GameObject| GameObject { prev_value: object.prev_value.or(object.value), ..*object };
                    assert_eq!(
                        given.iter().map(value).collect::<Vec<_>>(),
                        expected.iter().map(value).collect::<Vec<_>>(),
                        "{game}\n{text}"
                    );
                }
            }
        }
    }
    assert!(oriented > 0, "empty slots that face somewhere are among them");
}
