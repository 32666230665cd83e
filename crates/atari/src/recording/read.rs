//! A reader of recordings.

use std::io::{BufRead, ErrorKind};

use serde_json::{Map, Value};

use super::fields::{Field, FieldResult, UniqueFields, optional, required};
use super::{FORMATS, Frame, Header, MAX_LINE_BYTES, MAX_OBJECTS, RecordedReward, RecordingError, RecordingErrorKind};
use crate::class::{ClassId, OrientationType};
use crate::decoder::{Decoder, Options};
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
        self.last = Some((frame.index, frame.episode));
        Ok(true)
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
            let (Some(decoded), Some(ram)) = (decoded, ram) else {
                return Err(RecordingErrorKind::Field {
                    field: "objs".to_owned(),
                    problem: "is missing, and so is `ram`".to_owned(),
                });
            };
            frame.objects.extend_from_slice(decoded.map_err(|error| ram.error(format!("is invalid: {error}")))?);
            return Ok(());
        };
        let rows = listed.list()?;
        if rows.len() > MAX_OBJECTS {
            return Err(listed.error(format!("has {} objects, which exceeds the limit of {MAX_OBJECTS}", rows.len())));
        }
        for (place, row) in rows.iter().enumerate() {
            frame.objects.push(object(self.header.game, listed.part(place, "", row), place)?);
        }
        // Rows do not contain all details of objects.
        if let Some(Ok(decoded)) = decoded {
            for (object, decoded) in frame.objects.iter_mut().zip(decoded) {
                if object.class == decoded.class {
                    object.class_attributes = decoded.class_attributes;
                }
            }
        }
        Ok(())
    }
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
