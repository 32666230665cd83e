//! Recorded screens: episodes of a game, frame by frame, as JSON Lines.
//!
//! The first line is the [`Header`], an object that says `"format"`, `"game"` and `"hud"`. Every other line is a [`Frame`]:
//!
//! | field | what it is |
//! |---|---|
//! | `t`, `ep` | the number of the frame, growing; that of its episode |
//! | `a` | the action before it; `null` after a reset |
//! | `r`, `term`, `trunc` | what the game gave for the action, and whether it is over |
//! | `ram` | 128 bytes in hexadecimal |
//! | `objs` | the objects in their slots: `["NoObject"]`, or class, `x`, `y`, `w`, `h`, previous `x` and `y`, `hud`, `visible`, colour, orientation, value, previous value; of a boxer, the lengths of its right and left arm instead of values |
//! | `rew` | what reward functions gave, by their names: a number, or `{"err": ..}` |
//!
//! A frame has `ram` or `objs` or both. Without `objs`, what RAM shows is decoded; with both, `objs` says what there is.
//!
//! | module | what lives there |
//! |---|---|
//! | `fields` | JSON values as what a line needs |
//! | `read` | [`Reader`] |
//! | `write` | [`Writer`] |

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

/// The format that goalspec writes.
pub const FORMAT: &str = "goalspec-screens-1";

/// The formats that are read; their lines are laid out alike.
pub const FORMATS: [&str; 2] = [FORMAT, "ocalm-trace-1"];

/// Most bytes of a line.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Most objects of a frame.
pub const MAX_OBJECTS: usize = 1024;

/// Farthest that a recorded position or size may be from 0, and twice a difference of two.
pub const MAX_PIXELS: i16 = 8191;

/// What a recording says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The game.
    pub game: Game,
    /// How its RAM was decoded, or is to be.
    pub options: Options,
    /// What the actions mean, by their numbers; empty if it does not say.
    pub actions: Vec<String>,
    /// Everything else, as it is: the environment, the policy, the seed ..
    pub particulars: Map<String, Value>,
}

impl Header {
    /// The header of a recording that says nothing else.
    pub fn new(game: Game, options: Options) -> Self {
        let actions = game.actions().iter().map(|&action| action.to_owned()).collect();
        Self { game, options, actions, particulars: Map::new() }
    }
}

/// A screen, and how the game came to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its number.
    pub index: u64,
    /// The number of its episode.
    pub episode: u64,
    /// The action before it; `None` after a reset.
    pub action: Option<u32>,
    /// What the game gave for that.
    pub reward: f64,
    /// Whether the game is over.
    pub terminated: bool,
    /// Whether the episode was ended from outside.
    pub truncated: bool,
    /// The RAM.
    pub ram: Option<[u8; RAM_BYTES]>,
    /// The objects, slot by slot.
    pub objects: Vec<GameObject>,
    /// What reward functions gave for the objects.
    pub rewards: Vec<(String, Recorded)>,
}

impl Default for Frame {
    /// An empty frame, for a reader to fill.
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

/// What a reward function gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Recorded {
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
    /// An exception: its class, a colon, and what it says.
    Error(String),
}

/// Why a recording cannot be read further.
#[derive(Debug)]
pub struct RecordingError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a line of a recording.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is longer than [`MAX_LINE_BYTES`].
    Long,
    /// It is not JSON.
    Json(serde_json::Error),
    /// A field is not what it has to be.
    Field {
        /// The field, as in `objs[3].x`.
        field: String,
        /// What is wrong with it.
        what: String,
    },
    /// The first line is no header of a format that is read.
    NoHeader,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "it cannot be read: {error}"),
            Self::Long => write!(f, "it is longer than {MAX_LINE_BYTES} bytes"),
            Self::Json(error) => {
                let text = error.to_string();
                // A line by itself is line 1 to its parser.
                let what = text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what);
                let kind = if error.is_data() { "" } else { "it is not JSON " };
                write!(f, "{kind}in column {}: {what}", error.column())
            }
            Self::Field { field, what } => write!(f, "`{field}` {what}"),
            Self::NoHeader => write!(f, "it has no `\"format\"` that is one of {}", FORMATS.join(", ")),
        }
    }
}

impl std::error::Error for RecordingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            Problem::Json(error) => Some(error),
            Problem::Long | Problem::Field { .. } | Problem::NoHeader => None,
        }
    }
}
