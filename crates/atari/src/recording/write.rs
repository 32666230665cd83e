//! A writer of recordings.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::read::OBJECT_FIELDS;
use super::{FORMAT, Frame, Header, RecordedReward};
use crate::class;
use crate::game::Game;
use crate::object::{ClassAttributes, GameObject, Orientation};

/// A writer of a recording, frame by frame.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    game: Game,
    /// The header, until it has been written.
    header: Option<Value>,
    /// Whether frames with RAM are written without objects.
    is_packed: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a writer. The header is written together with the first frame, so that an earlier failure leaves the output empty.
    pub fn new(out: W, header: &Header) -> Self {
        let mut fields = Map::new();
        fields.insert("format".to_owned(), json!(FORMAT));
        fields.insert("game".to_owned(), json!(header.game.name()));
        fields.extend(header.metadata.clone());
        fields.insert("hud".to_owned(), json!(header.options.hud));
        fields.insert("quirks".to_owned(), json!(header.options.quirks));
        fields.insert("action_meanings".to_owned(), json!(header.actions));
        fields.insert("object_fields".to_owned(), json!(OBJECT_FIELDS));
        Self { out, game: header.game, header: Some(Value::Object(fields)), is_packed: false }
    }

    /// Creates a writer that leaves out the objects of frames with RAM, as readers decode them from it. The objects must be those that the
    /// decoder returns with the options of the header.
    pub fn packed(out: W, header: &Header) -> Self {
        Self { is_packed: true, ..Self::new(out, header) }
    }

    fn begin(&mut self) -> io::Result<()> {
        match self.header.take() {
            Some(header) => writeln!(self.out, "{header}"),
            None => Ok(()),
        }
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// Returns an error if writing to the output fails.
    pub fn write(&mut self, frame: &Frame) -> io::Result<()> {
        self.begin()?;
        let mut fields = Map::new();
        fields.insert("t".to_owned(), json!(frame.index));
        fields.insert("ep".to_owned(), json!(frame.episode));
        fields.insert("a".to_owned(), json!(frame.action));
        fields.insert("r".to_owned(), json!(frame.reward));
        fields.insert("term".to_owned(), json!(frame.terminated));
        fields.insert("trunc".to_owned(), json!(frame.truncated));
        if let Some(ram) = &frame.ram {
            fields.insert("ram".to_owned(), json!(ram.iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
        }
        if !self.is_packed || frame.ram.is_none() {
            let objects = frame.objects.iter().map(|object| row(self.game, object));
            fields.insert("objs".to_owned(), objects.collect());
        }
        if !frame.rewards.is_empty() {
            let rewards = frame.rewards.iter().map(|(name, reward)| (name.clone(), recorded(reward)));
            fields.insert("rew".to_owned(), Value::Object(rewards.collect()));
        }
        writeln!(self.out, "{}", Value::Object(fields))
    }

    /// Flushes the output and returns it.
    ///
    /// # Errors
    /// Returns an error if writing to the output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.begin()?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn row(game: Game, object: &GameObject) -> Value {
    let class = game.class(object.class);
    let (prev_x, prev_y) = object.prev_xy();
    let place = [object.x, object.y, object.w, object.h, prev_x, prev_y];
    if *object == (GameObject { prev: object.prev, ..GameObject::NO_OBJECT }) && place == [0; 6] {
        return json!([class.name]);
    }
    let mut parts = vec![json!(class.name)];
    parts.extend(place.map(Value::from));
    parts.extend([object.hud, object.visible].map(|is| json!(i32::from(is))));
    parts.push(json!(object.rgb));
    parts.push(match object.orientation {
        None => Value::Null,
        Some(Orientation::East) => json!("E"),
        Some(Orientation::West) => json!("W"),
        Some(Orientation::Raw(byte)) => json!(byte),
    });
    if let ClassAttributes::Arms { right, left } = object.class_attributes {
        parts.extend([right, left].map(Value::from));
    }
    parts.extend(object.value.map(Value::from));
    if matches!(class.value, class::ValueAttributes::Tracked(_)) {
        parts.extend(object.prev_value.or(object.value).map(Value::from));
    }
    Value::Array(parts)
}

fn recorded(reward: &RecordedReward) -> Value {
    match reward {
        RecordedReward::Int(number) => json!(number),
        RecordedReward::Float(number) => json!(number),
        RecordedReward::Error(error) => json!({ "err": error }),
    }
}
