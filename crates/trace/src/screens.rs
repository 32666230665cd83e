//! Recorded screens of Atari games as traces of the worlds `atari/..`. Every slot is an object of its class, absent while the slot is
//! empty.
//!
//! The object of a class with one slot has the name of the class in snake case, `player_score`; the objects of a class with several slots
//! are numbered from 0, `car_3`. An object has those of the following attributes that the world declares: `x`, `y`, `w`, `h`, `dx`, `dy`,
//! `value`, `visible`, `facing` (1 for right, -1 for left), `orientation` (as stored by the game), `right_arm` and `left_arm`. The stored
//! functions are `points`, the game's reward for the step, and `score`, the sum of these rewards.

mod columns;
mod recording;

use std::sync::Arc;

use goalspec_atari::object::ClassAttributes;
use goalspec_atari::recording::{FORMATS, Frame, RecordingError, RecordingErrorKind};
use goalspec_atari::{Game, GameObject, Orientation};
use goalspec_core::ids::{AttributeId, FunctionId, ObjectId};
use goalspec_core::state::{AttributeChange, Delta, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{Scanner, Stop};
use crate::limits::ActiveReadLimits;
use crate::reader::{Decoder, Format, Header};
use crate::source::Buffer;

pub use columns::ScreenColumns;
pub use recording::{ScreenRecording, ScreenStatistics};

/// The prefix of the worlds' names.
const WORLDS: &str = "atari/";

/// Whether a text begins like a recording of screens.
pub(crate) fn is_screen_recording(scanner: &mut Scanner<'_>) -> std::result::Result<bool, Stop> {
    if scanner.peek()? != b'{' || !scanner.object()? || scanner.key()?.raw != b"format" || scanner.peek()? != b'"' {
        return Ok(false);
    }
    let format = scanner.text()?;
    Ok(FORMATS.iter().any(|known| format == *known))
}

/// A recording whose header has been read.
pub(crate) struct ScreensSource<'r> {
    screens: ScreenRecording<'r>,
    header: Header,
    /// The only episode to read, if restricted.
    pub(crate) episode: Option<u64>,
}

impl<'r> ScreensSource<'r> {
    pub(crate) fn new(buffer: Buffer<'r>, limits: Option<ActiveReadLimits>) -> Result<Self> {
        let mut header = Header::new(Format::Screens, buffer.compression());
        let screens = ScreenRecording::new(buffer, limits)?;
        header.world = Some(format!("{WORLDS}{}", screens.header().game.slug()));
        Ok(Self { screens, header, episode: None })
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn into_screens(self) -> ScreenRecording<'r> {
        self.screens
    }
}

/// Converts the error of a recording.
fn recording_error(error: RecordingError) -> TraceError {
    match error.kind {
        RecordingErrorKind::Io(error) => match error.downcast::<TraceError>() {
            Ok(error) => error,
            Err(error) => TraceError::new(codes::IO, format!("cannot read the recording: {error}")),
        },
        _ => TraceError::new(codes::SCREENS, error.to_string()),
    }
}

/// An accessor of a numeric attribute of an object; `None` if the object does not have it.
type NumberAccessor = fn(&GameObject) -> Option<i64>;

/// The ids of a world's attributes that a screen provides.
struct Attributes {
    numbers: Vec<(AttributeId, ValueKind, NumberAccessor)>,
    visible: Option<AttributeId>,
}

/// The numeric attributes.
const NUMBERS: [(&str, NumberAccessor); 11] = [
    ("x", |object| Some(object.x.into())),
    ("y", |object| Some(object.y.into())),
    ("w", |object| Some(object.w.into())),
    ("h", |object| Some(object.h.into())),
    ("dx", |object| Some(object.dx().into())),
    ("dy", |object| Some(object.dy().into())),
    ("value", |object| object.value.map(i64::from)),
    ("facing", |object| match object.orientation {
        Some(Orientation::East) => Some(1),
        Some(Orientation::West) => Some(-1),
        Some(Orientation::Raw(_)) | None => None,
    }),
    ("orientation", |object| match object.orientation {
        Some(Orientation::Raw(byte)) => Some(byte.into()),
        _ => None,
    }),
    ("right_arm", |object| match object.class_attributes {
        ClassAttributes::Arms { right, .. } => Some(right.into()),
        _ => None,
    }),
    ("left_arm", |object| match object.class_attributes {
        ClassAttributes::Arms { left, .. } => Some(left.into()),
        _ => None,
    }),
];

impl Attributes {
    fn of(world: &World) -> Self {
        let named = |name: &str, kinds: &[ValueKind]| {
            let id = world.attribute_named(name)?;
            let kind = world.attributes()[id.index()].kind;
            kinds.contains(&kind).then_some((id, kind))
        };
        let number = |(name, read)| named(name, &[ValueKind::Int, ValueKind::Real]).map(|(id, kind)| (id, kind, read));
        Self {
            numbers: NUMBERS.into_iter().filter_map(number).collect(),
            visible: named("visible", &[ValueKind::Bool]).map(|(id, _)| id),
        }
    }
}

/// Returns the world's object for each slot of a game; `None` for an object that the world does not have.
fn objects(game: Game, world: &World) -> Vec<Option<ObjectId>> {
    let mut objects = Vec::new();
    for (class, count) in game.slots(true) {
        let name = snake_case(game.class(class).name);
        for number in 0..count {
            let id = if count == 1 { name.clone() } else { format!("{name}_{number}") };
            objects.push(world.object_with_recorded_name(&id));
        }
    }
    objects
}

/// Converts the name of a Python class to that of an object: `PlayerScore` to `player_score`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

pub(crate) struct ScreensReader<'r> {
    source: ScreensSource<'r>,
    world: &'r World,
    game: Game,
    /// The meanings of the actions, by number.
    actions: Vec<Arc<str>>,
    attributes: Attributes,
    slots: Vec<Option<ObjectId>>,
    points: Option<FunctionId>,
    score: Option<FunctionId>,
    sum: f64,
    frame: Frame,
    /// The episode of the first state, and the index of the first frame of another episode.
    episodes: Option<(u64, Option<u64>)>,
}

impl<'r> ScreensReader<'r> {
    pub(crate) fn new(source: ScreensSource<'r>, world: &'r World) -> Result<Self> {
        let header = source.screens.header();
        let game = header.game;
        let slots = objects(game, world);
        if slots.iter().all(Option::is_none) {
            let message =
                format!("the recording is of {game}, but the world `{}` has none of its objects", world.name());
            return Err(TraceError::new(codes::WRONG_WORLD, message));
        }
        let actions = header.actions.iter().map(|action| action.as_str().into()).collect();
        Ok(Self {
            world,
            game,
            actions,
            attributes: Attributes::of(world),
            slots,
            points: world.function_named("points"),
            score: world.function_named("score"),
            sum: 0.0,
            frame: Frame::default(),
            episodes: None,
            source,
        })
    }

    fn state(&mut self, delta: &mut Delta) {
        let frame = &self.frame;
        (delta.index, delta.clock) = (frame.index, frame.index);
        delta.action = frame
            .action
            .map(|action| self.actions.get(action as usize).cloned().unwrap_or_else(|| action.to_string().into()));
        for (place, object) in frame.objects.iter().enumerate() {
            let fits = place < self.slots.len() && !object.is_no_object();
            let known = self.slots.get(place).copied().flatten().filter(|id| self.fits(*id, object));
            match known {
                Some(id) if fits => {
                    delta.listed_objects.push(id);
                    self.values(id, object, delta);
                }
                _ => {
                    delta.unknown_objects += u32::from(!object.is_no_object());
                    self.remove_object(place, delta);
                }
            }
        }
        for place in frame.objects.len()..self.slots.len() {
            self.remove_object(place, delta);
        }
        self.sum += self.frame.reward;
        for (function, value) in [(self.points, self.frame.reward), (self.score, self.sum)] {
            let fluent = |function| FluentChange { function, arguments: ObjectArguments::new(), value };
            delta.fluents.extend(function.map(fluent));
        }
    }

    /// Whether an object is of the class of its slot.
    fn fits(&self, id: ObjectId, object: &GameObject) -> bool {
        let name = snake_case(self.game.class(object.class).name);
        self.world.type_named(&name).is_none_or(|class| self.world.is_a(id, class))
    }

    fn values(&self, id: ObjectId, object: &GameObject, delta: &mut Delta) {
        for (attribute, kind, read) in &self.attributes.numbers {
            if let Some(number) = read(object).filter(|_| self.world.has_attribute(id, *attribute)) {
                let value = if *kind == ValueKind::Int { Value::Int(number) } else { Value::Real(number as f64) };
                delta.changes.push(AttributeChange { object: id, attribute: *attribute, value });
            }
        }
        if let Some(attribute) = self.attributes.visible.filter(|attribute| self.world.has_attribute(id, *attribute)) {
            delta.changes.push(AttributeChange { object: id, attribute, value: Value::Bool(object.visible) });
        }
    }

    /// Removes the object of an empty slot.
    fn remove_object(&self, place: usize, delta: &mut Delta) {
        if let Some(id) = self.slots.get(place).copied().flatten() {
            delta.removed.push(id);
        }
    }
}

impl Decoder for ScreensReader<'_> {
    fn header(&self) -> &Header {
        &self.source.header
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        delta.clear();
        loop {
            if !self.source.screens.next(&mut self.frame)? {
                return Ok(false);
            }
            match self.source.episode {
                Some(episode) if self.frame.episode < episode => {}
                Some(episode) if self.frame.episode > episode => return Ok(false),
                _ => break,
            }
        }
        let (first, other) = self.episodes.get_or_insert((self.frame.episode, None));
        if self.frame.episode != *first {
            other.get_or_insert(self.frame.index);
        }
        self.state(delta);
        Ok(true)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        // Gaps in the indices are reported by the checked reader.
        let mut remarks = self.source.screens.other_remarks();
        if let Some((_, Some(index))) = self.episodes {
            let message =
                format!("another episode begins at frame {index}; the states of all episodes are concatenated");
            remarks.push(Diagnostic::new(codes::EPISODES, Severity::Warning, message));
        }
        let own = self.source.header.world.as_deref().unwrap_or_default();
        if own != self.world.name() {
            let message = format!("the recording is of the world `{own}`, but is read with `{}`", self.world.name());
            remarks.push(Diagnostic::new(codes::OTHER_WORLD, Severity::Warning, message));
        }
        remarks
    }

    fn offset(&self) -> u64 {
        self.source.screens.offset()
    }
}
