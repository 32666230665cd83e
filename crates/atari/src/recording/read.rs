//! A reader of recordings.

use std::io::{BufRead, ErrorKind};

use serde_json::{Map, Value};

use super::fast_line::{FastLine, Ram, Rewards};
use super::fields::{Field, FieldResult, UniqueFields, optional, required};
use super::{FORMATS, Frame, Header, MAX_LINE_BYTES, MAX_OBJECTS, RecordedReward, RecordingError, RecordingErrorKind};
use crate::class::{ClassId, OrientationType};
use crate::decoder::{DecodeError, Decoder, Options};
use crate::game::Game;
use crate::object::{ClassAttributes, GameObject, Orientation};

/// Names of the members of a frame record, in the order in which they are written. Any other field is an error, because it would be lost silently.
pub const FRAME_FIELDS: [&str; 9] = ["t", "ep", "a", "r", "term", "trunc", "ram", "objs", "rew"];

/// The elements of an object's row, in order. Those marked with `?` are optional.
pub(super) const OBJECT_FIELDS: [&str; 13] = [
    "category",
    "x",
    "y",
    "w",
    "h",
    "prev_x",
    "prev_y",
    "hud",
    "visible",
    "rgb",
    "orientation",
    "value?",
    "prev_value?",
];

/// The number of required elements of a row.
const NEEDED: usize = 11;

/// A reader of a recording, frame by frame.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    decoder: Decoder,
    line: u64,
    text: Vec<u8>,
    /// The frame number and episode number of the previous frame.
    last: Option<(u64, u64)>,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader and reads the header.
    ///
    /// # Errors
    /// Returns an error if the first line cannot be read or is not a valid header.
    pub fn new(mut input: R) -> Result<Self, RecordingError> {
        let mut text = Vec::new();
        let header = read_line(&mut input, &mut text)
            .and_then(|_| {
                // A JSON error in the data, such as a duplicate field, is reported; any other text is not a recording.
                serde_json::from_slice(&text).map_err(|error| {
                    if error.is_data() { RecordingErrorKind::Json(error) } else { RecordingErrorKind::InvalidHeader }
                })
            })
            .and_then(|UniqueFields(value)| header(&value))
            .map_err(|problem| RecordingError { line: 1, kind: problem })?;
        let decoder = Decoder::new(header.game, header.options);
        Ok(Self { input, header, decoder, line: 1, text, last: None })
    }

    /// Returns the header of the recording.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of the last line read, starting at 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the underlying input.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// Reads the next frame into `frame`, whose buffers are reused. Returns `false` at the end of the input.
    ///
    /// # Errors
    /// Returns an error if the line cannot be read or a field is invalid.
    pub fn next(&mut self, frame: &mut Frame) -> Result<bool, RecordingError> {
        self.line += 1;
        let line = self.line;
        self.frame(frame).map_err(|problem| RecordingError { line, kind: problem })
    }

    fn frame(&mut self, frame: &mut Frame) -> FieldResult<bool> {
        if !read_line(&mut self.input, &mut self.text)? {
            return Ok(false);
        }
        if !self.read_written(frame)? {
            self.read_values(frame)?;
        }
        self.last = Some((frame.index, frame.episode));
        Ok(true)
    }

    /// Reads the line if it has the form in which [`Writer`](super::Writer) writes; returns `false` if it has to be read from values.
    fn read_written(&mut self, frame: &mut Frame) -> FieldResult<bool> {
        let Self { header, decoder, text, last, .. } = self;
        let Ok(FastLine { t, ep, a, r, term, trunc, ram, objs, rew }) = serde_json::from_slice(text) else {
            return Ok(false);
        };
        let is_next = last.is_none_or(|(before, of)| t > before && ep >= of);
        let known = header.actions.len() as u64;
        if !is_next || a.is_some_and(|action| known > 0 && u64::from(action) >= known) {
            return Ok(false);
        }
        frame.objects.clear();
        let is_listed = objs.is_some();
        if objs.is_some_and(|rows| !rows.read(header.game, &mut frame.objects)) || !is_listed && ram.is_none() {
            return Ok(false);
        }
        frame.ram = ram.map(|Ram(bytes)| bytes);
        if let Some(ram) = &frame.ram {
            let begins = last.is_none_or(|(_, episode)| episode != ep);
            let decoded = if begins { decoder.reset(ram) } else { decoder.step(ram) };
            complete(&mut frame.objects, decoded, is_listed)?;
        }
        (frame.index, frame.episode, frame.action, frame.reward) = (t, ep, a, r);
        (frame.terminated, frame.truncated) = (term, trunc);
        frame.rewards.clear();
        frame.rewards.extend(rew.into_iter().flat_map(|Rewards(rewards)| rewards));
        Ok(true)
    }

    /// Reads the line from JSON values.
    fn read_values(&mut self, frame: &mut Frame) -> FieldResult<()> {
        let UniqueFields(value) = serde_json::from_slice(&self.text).map_err(RecordingErrorKind::Json)?;
        let fields = Field::new("line", &value).object()?;
        if let Some((name, value)) = fields.iter().find(|(name, _)| !FRAME_FIELDS.contains(&name.as_str())) {
            let problem = format!("is not a field of frames, which have {}", FRAME_FIELDS.join(", "));
            return Err(Field::new(name, value).error(problem));
        }
        self.read_transition(fields, frame)?;
        self.read_objects(fields, frame)?;
        frame.rewards.clear();
        if let Some(field) = optional(fields, "rew") {
            for (name, value) in field.object()? {
                frame.rewards.push((name.clone(), recorded(name, value)?));
            }
        }
        Ok(())
    }

    /// Reads the transition that led to the frame.
    fn read_transition(&self, fields: &Map<String, Value>, frame: &mut Frame) -> FieldResult<()> {
        let (index, episode) = (required(fields, "t")?, required(fields, "ep")?);
        (frame.index, frame.episode) = (index.count()?, episode.count()?);
        if let Some((before, of)) = self.last {
            if frame.index <= before {
                return Err(index.error(format!("is {}, but must exceed the previous one, {before}", frame.index)));
            }
            if frame.episode < of {
                return Err(
                    episode.error(format!("is {}, but must not be less than the previous one, {of}", frame.episode))
                );
            }
        }
        let action = required(fields, "a")?;
        frame.action = if action.value.is_null() {
            None
        } else {
            let number = action.count()?;
            let known = self.header.actions.len() as u64;
            if known > 0 && number >= known {
                return Err(action.error(format!("is {number}, but the header lists {known} actions")));
            }
            Some(u32::try_from(number).map_err(|_| action.error("exceeds the limit of 32 bits"))?)
        };
        frame.reward = required(fields, "r")?.number()?;
        frame.terminated = required(fields, "term")?.truth()?;
        frame.truncated = required(fields, "trunc")?.truth()?;
        Ok(())
    }

    /// Reads the RAM and the objects of the frame.
    fn read_objects(&mut self, fields: &Map<String, Value>, frame: &mut Frame) -> FieldResult<()> {
        let ram = optional(fields, "ram");
        frame.ram = ram.map(Field::bytes).transpose()?;
        let begins = self.last.is_none_or(|(_, episode)| episode != frame.episode);
        let decoded = frame.ram.map(|ram| if begins { self.decoder.reset(&ram) } else { self.decoder.step(&ram) });
        frame.objects.clear();
        let Some(listed) = optional(fields, "objs") else {
            let Some(decoded) = decoded else {
                return Err(RecordingErrorKind::Field {
                    field: "objs".to_owned(),
                    problem: "is missing, and so is `ram`".to_owned(),
                });
            };
            return complete(&mut frame.objects, decoded, false);
        };
        let rows = listed.list()?;
        if rows.len() > MAX_OBJECTS {
            return Err(listed.error(format!("has {} objects, which exceeds the limit of {MAX_OBJECTS}", rows.len())));
        }
        for (place, row) in rows.iter().enumerate() {
            frame.objects.push(object(self.header.game, listed.part(place, "", row), place)?);
        }
        decoded.map_or(Ok(()), |decoded| complete(&mut frame.objects, decoded, true))
    }
}

/// Adds what the decoder found in the RAM: all objects if none are listed, or else the details of objects that rows do not contain.
fn complete(
    objects: &mut Vec<GameObject>,
    decoded: Result<&[GameObject], DecodeError>,
    is_listed: bool,
) -> FieldResult<()> {
    match decoded {
        Ok(decoded) if is_listed => {
            for (object, decoded) in objects.iter_mut().zip(decoded) {
                if object.class == decoded.class {
                    object.class_attributes = decoded.class_attributes;
                }
            }
        }
        Ok(decoded) => objects.extend_from_slice(decoded),
        Err(_) if is_listed => {}
        Err(error) => {
            let problem = format!("is invalid: {error}");
            return Err(RecordingErrorKind::Field { field: "ram".to_owned(), problem });
        }
    }
    Ok(())
}

/// Reads a line. Returns `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> FieldResult<bool> {
    line.clear();
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(RecordingErrorKind::Io(error)),
        };
        if bytes.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(bytes.len());
        if line.len() + taken > MAX_LINE_BYTES {
            return Err(RecordingErrorKind::LineTooLong);
        }
        line.extend_from_slice(&bytes[..taken]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

fn header(value: &Value) -> FieldResult<Header> {
    let fields = value.as_object().ok_or(RecordingErrorKind::InvalidHeader)?;
    if !fields.get("format").and_then(Value::as_str).is_some_and(|format| FORMATS.contains(&format)) {
        return Err(RecordingErrorKind::InvalidHeader);
    }
    let name = required(fields, "game")?;
    let game: Game = name
        .text()?
        .parse()
        .map_err(|error: crate::game::UnknownGameError| name.error(format!("is invalid: {error}")))?;
    let hud = required(fields, "hud")?.truth()?;
    let quirks = optional(fields, "quirks").map_or(Ok(true), Field::truth)?;
    let mut actions = Vec::new();
    if let Some(field) = optional(fields, "action_meanings") {
        for (place, value) in field.list()?.iter().enumerate() {
            actions.push(field.part(place, "", value).text()?.to_owned());
        }
    }
    if let Some(field) = optional(fields, "object_fields") {
        let names = field.list()?;
        if !names.iter().map(Value::as_str).eq(OBJECT_FIELDS.map(Some)) {
            return Err(field.error(format!("must be {}", OBJECT_FIELDS.join(", "))));
        }
    }
    let own = ["format", "game", "hud", "quirks", "action_meanings", "object_fields"];
    let rest = fields.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    let particulars = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
    Ok(Header { game, options: Options { hud, quirks }, actions, metadata: particulars })
}

fn object(game: Game, row: Field<'_>, place: usize) -> FieldResult<GameObject> {
    let parts = row.list()?;
    let part = |at: usize| row.part(place, OBJECT_FIELDS[at].trim_end_matches('?'), &parts[at]);
    let Some(category) = parts.first().map(|_| part(0)) else { return Err(row.error("is empty")) };
    let name = category.text()?;
    let class = game
        .class_named(name)
        .ok_or_else(|| category.error(format!("is \"{name}\", which is not a class of {game}")))?;
    if class == ClassId::NO_OBJECT && parts.len() == 1 {
        return Ok(GameObject::NO_OBJECT);
    }
    if !(NEEDED..=OBJECT_FIELDS.len()).contains(&parts.len()) {
        let most = OBJECT_FIELDS.len();
        return Err(row.error(format!("has {} elements, but {NEEDED} to {most} are required", parts.len())));
    }
    let [x, y, w, h, prev_x, prev_y] = [1, 2, 3, 4, 5, 6].map(|at| part(at).pixels());
    let colors = part(9).list()?;
    let [red, green, blue] = colors else { return Err(part(9).error("must be red, green and blue")) };
    let rgb = [red, green, blue].map(|color| row.part(place, "rgb", color).byte());
    let shown = |at: usize| if parts.len() > at { part(at).shown().map(Some) } else { Ok(None) };
    let orientation = part(10);
    // Objects with arms have no value.
    let has_arms = game.class(class).has_arms() && parts.len() == OBJECT_FIELDS.len();
    let arm = |at: usize, name| row.part(place, name, &parts[at]).byte();
    Ok(GameObject {
        class,
        x: x?,
        y: y?,
        w: w?,
        h: h?,
        prev: Some((prev_x?, prev_y?)),
        hud: part(7).bit()?,
        visible: part(8).bit()?,
        rgb: {
            let [red, green, blue] = rgb;
            [red?, green?, blue?]
        },
        orientation: facing(game, class, orientation)?,
        class_attributes: if has_arms {
            ClassAttributes::Arms { right: arm(11, "right_arm_length")?, left: arm(12, "left_arm_length")? }
        } else {
            ClassAttributes::None
        },
        value: if has_arms { None } else { shown(11)? },
        prev_value: if has_arms { None } else { shown(12)? },
    })
}

/// Parses the orientation of an object. A placeholder for an empty slot may have any orientation that the game's classes allow.
fn facing(game: Game, class: ClassId, field: Field<'_>) -> FieldResult<Option<Orientation>> {
    let of = game.class(class);
    let is_empty = class == ClassId::NO_OBJECT;
    let faces = |facing: OrientationType| {
        of.orientation == facing || is_empty && game.classes().iter().any(|other| other.orientation == facing)
    };
    match field.value {
        Value::Null => Ok(None),
        Value::String(name) if faces(OrientationType::EastWest) && name == "E" => Ok(Some(Orientation::East)),
        Value::String(name) if faces(OrientationType::EastWest) && name == "W" => Ok(Some(Orientation::West)),
        _ if faces(OrientationType::Raw) => field.byte().map(|byte| Some(Orientation::Raw(byte))),
        _ if faces(OrientationType::EastWest) => Err(field.error("must be \"E\", \"W\" or null")),
        _ => Err(field.error(format!("must be null, because a {} has no orientation", of.name))),
    }
}

fn recorded(name: &str, value: &Value) -> FieldResult<RecordedReward> {
    let field = Field::new(name, value);
    match value {
        Value::Number(number) => Ok(match number.as_i64() {
            Some(number) => RecordedReward::Int(number),
            None => RecordedReward::Float(field.number()?),
        }),
        Value::Object(fields) => Ok(RecordedReward::Error(required(fields, "err")?.text()?.to_owned())),
        _ => Err(field.error("must be a number or an object with `err`")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decoder::RAM_BYTES;
    use crate::recording::Writer;

    /// Returns the lines of a recording: of RAM alone, of objects alone, and of both, with rewards.
    fn lines(game: Game) -> Vec<String> {
        let header = Header::new(game, Options::default());
        let mut decoder = Decoder::new(game, header.options);
        let mut writer = Writer::new(Vec::new(), &header);
        for index in 0..3_u8 {
            let ram: [u8; RAM_BYTES] = std::array::from_fn(|at| (at as u8).wrapping_mul(37 + index) % 160);
            let objects = decoder.reset(&ram).map(<[GameObject]>::to_vec).unwrap_or_default();
            let rewards = [("a".to_owned(), RecordedReward::Int(-3)), ("b".to_owned(), RecordedReward::Float(0.1))];
            let frame = Frame {
                index: u64::from(index),
                action: (index > 0).then_some(1),
                reward: f64::from(index) / 3.0,
                ram: (index != 1).then_some(ram),
                objects,
                rewards: rewards[..usize::from(index)].to_vec(),
                ..Frame::default()
            };
            writer.write(&frame).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (objects, end) = (lines[1].find(",\"objs\"").unwrap(), lines[1].rfind('}').unwrap());
        lines.push(format!("{}{}", &lines[1][..objects], &lines[1][end..]).replacen("\"t\":0", "\"t\":7", 1));
        lines
    }

    /// Reads a line after the header in both ways.
    fn both(header: &str, line: &str) -> [Result<Frame, String>; 2] {
        let text = format!("{header}\n{line}\n");
        [false, true].map(|from_values| {
            let mut reader = Reader::new(text.as_bytes()).unwrap();
            let mut frame = Frame::default();
            let read = if from_values {
                read_line(&mut reader.input, &mut reader.text).and_then(|_| reader.read_values(&mut frame))
            } else {
                reader.frame(&mut frame).map(drop)
            };
            read.map(|()| frame).map_err(|error| error.to_string())
        })
    }

    #[test]
    fn written_lines_are_read_without_values() {
        for game in Game::ALL {
            let lines = lines(game);
            for line in &lines[1..] {
                let [written, values] = both(&lines[0], line);
                assert_eq!(written, values, "{game}: {line}");
                let text = format!("{}\n", lines[0]);
                let mut reader = Reader::new(text.as_bytes()).unwrap();
                reader.text = line.clone().into_bytes();
                let has_arms = line.contains("Player") && game.classes().iter().any(crate::class::Class::has_arms);
                // The error of RAM that cannot be decoded is final, too.
                let is_read = reader.read_written(&mut Frame::default()).unwrap_or(true);
                assert!(is_read || has_arms || line.contains("\"NoObject\","), "{game}: {line}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        /// A line with changes has the same frame, or the same error, in both ways.
        #[test]
        fn changed_lines_are_read_alike(
            game in prop::sample::select(Game::ALL.to_vec()),
            number in 0..4_usize,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
        ) {
            const PARTS: [&str; 24] = [
                "null", "-1", "2.0", "1e2", "300", "9000", "70000", "99999999999", "18446744073709551616", "true", "\"E\"", "\"W\"", "\"x\"",
                "[]", "[1]", "{}", "\"t\":5,", "\"rew\":{\"a\":1,\"a\":2},", "", ",", "0", "1", "{\"err\":\"E: x\"}", "\"\\u0045\"",
            ];
            let lines = lines(game);
            let mut line = lines[1 + number].clone();
            for (place, part) in changes {
                // A token: a number, a text or a name, or the blank before the next one.
                let tokens: Vec<(usize, usize)> = {
                    let starts = line.char_indices().filter(|(at, character)| {
                        let before = line[..*at].chars().next_back();
                        character.is_ascii_alphanumeric() && !before.is_some_and(|before| before.is_ascii_alphanumeric())
                    });
                    starts.map(|(at, _)| {
                        let rest = &line[at..];
                        (at, at + rest.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(rest.len()))
                    }).collect()
                };
                if tokens.is_empty() {
                    break;
                }
                let (from, to) = tokens[place.index(tokens.len())];
                line.replace_range(from..to, PARTS[part.index(PARTS.len())]);
            }
            let [written, values] = both(&lines[0], &line);
            prop_assert_eq!(written, values, "{}", line);
        }
    }
}
