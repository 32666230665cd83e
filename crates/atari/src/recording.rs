//! Recordings of games as JSON Lines: one line per frame.
//!
//! The first line is the [`Header`], an object with the fields `"format"`, `"game"` and `"hud"`. Every other line is a [`Frame`]:
//!
//! | field | contents |
//! |---|---|
//! | `t`, `ep` | the frame number, strictly increasing, and the episode number |
//! | `a` | the action before the frame; `null` after a reset |
//! | `r`, `term`, `trunc` | the environment's reward for the action, and whether the episode was terminated or truncated |
//! | `ram` | the 128 bytes of RAM, in hexadecimal |
//! | `objs` | the objects in their slots: `["NoObject"]`, or class, `x`, `y`, `w`, `h`, previous `x` and `y`, `hud`, `visible`, colour, orientation, value, previous value; of a boxer, the lengths of its right and left arm instead of values |
//! | `rew` | the values of reward functions, by name: a number, or `{"err": ..}` |
//!
//! A frame has `ram`, `objs`, or both. Without `objs`, the objects are decoded from the RAM; if both are present, `objs` takes
//! precedence.
//!
//! | module | contents |
//! |---|---|
//! | `fast_line` | lines in the form in which they are written, read without intermediate values |
//! | `fields` | typed access to the JSON fields of a line |
//! | `read` | [`Reader`] |
//! | `write` | [`Writer`] |

mod fast_line;
mod fields;
mod read;
mod write;

use std::fmt;

use serde_json::{Map, Value};

use crate::decoder::{Options, RAM_BYTES};
use crate::game::Game;
use crate::object::GameObject;

pub use read::{FRAME_FIELDS, Reader};
pub use write::Writer;

/// The name of the format that [`Writer`] writes.
pub const FORMAT: &str = "goalspec-screens-1";

/// The names of the formats that [`Reader`] reads. Their lines have the same layout.
pub const FORMATS: [&str; 2] = [FORMAT, "ocalm-trace-1"];

/// Maximum length of a line, in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Maximum number of objects in a frame.
pub const MAX_OBJECTS: usize = 1024;

/// Maximum absolute value of a recorded position or size, in pixels. Twice the difference of two such values fits in an `i16`.
pub const MAX_PIXELS: i16 = 8191;

/// The header of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The game.
    pub game: Game,
    /// The options with which the RAM was decoded or must be decoded.
    pub options: Options,
    /// The meanings of the actions, indexed by action number; empty if the recording does not name them.
    pub actions: Vec<String>,
    /// All other fields of the header, unmodified: the environment, the policy, the seed ..
    pub metadata: Map<String, Value>,
}

impl Header {
    /// Creates a header without further fields.
    pub fn new(game: Game, options: Options) -> Self {
        let actions = game.actions().iter().map(|&action| action.to_owned()).collect();
        Self { game, options, actions, metadata: Map::new() }
    }
}

/// A recorded frame: the objects on the screen, and the transition that led to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The frame number.
    pub index: u64,
    /// The episode number.
    pub episode: u64,
    /// The action before the frame; `None` after a reset.
    pub action: Option<u32>,
    /// The environment's reward for the action.
    pub reward: f64,
    /// Whether the episode was terminated.
    pub terminated: bool,
    /// Whether the episode was truncated.
    pub truncated: bool,
    /// The RAM.
    pub ram: Option<[u8; RAM_BYTES]>,
    /// The objects, in slot order.
    pub objects: Vec<GameObject>,
    /// The values of reward functions on the objects, by name.
    pub rewards: Vec<(String, RecordedReward)>,
}

impl Default for Frame {
    /// Returns an empty frame, as a buffer for [`Reader::next`].
    fn default() -> Self {
        Self {
            index: 0,
            episode: 0,
            action: None,
            reward: 0.0,
            terminated: false,
            truncated: false,
            ram: None,
            objects: Vec::new(),
            rewards: Vec::new(),
        }
    }
}

/// The recorded value of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedReward {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// An exception: its class, a colon, and its message.
    Error(String),
}

/// An error in a recording.
#[derive(Debug)]
pub struct RecordingError {
    /// The number of the line, starting at 1.
    pub line: u64,
    /// The problem with the line.
    pub kind: RecordingErrorKind,
}

/// The problem with a line of a recording.
#[derive(Debug)]
pub enum RecordingErrorKind {
    /// The line cannot be read.
    Io(std::io::Error),
    /// The line is longer than [`MAX_LINE_BYTES`].
    LineTooLong,
    /// The line is not JSON.
    Json(serde_json::Error),
    /// A field has an invalid value.
    Field {
        /// The path of the field, such as `objs[3].x`.
        field: String,
        /// The problem with the field.
        problem: String,
    },
    /// The first line is not a header of a known format.
    InvalidHeader,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for RecordingErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "failed to read: {error}"),
            Self::LineTooLong => write!(f, "exceeds the maximum line length of {MAX_LINE_BYTES} bytes"),
            Self::Json(error) => {
                let text = error.to_string();
                // The parser sees a single line, so its line number is always 1.
                let message = text.rsplit_once(" at line ").map_or(&*text, |(message, _)| message);
                let kind = if error.is_data() { "" } else { "invalid JSON " };
                write!(f, "{kind}in column {}: {message}", error.column())
            }
            Self::Field { field, problem } => write!(f, "`{field}` {problem}"),
            Self::InvalidHeader => write!(f, "expected a header whose `\"format\"` is one of {}", FORMATS.join(", ")),
        }
    }
}

impl std::error::Error for RecordingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            RecordingErrorKind::Io(error) => Some(error),
            RecordingErrorKind::Json(error) => Some(error),
            RecordingErrorKind::LineTooLong | RecordingErrorKind::Field { .. } | RecordingErrorKind::InvalidHeader => {
                None
            }
        }
    }
}
