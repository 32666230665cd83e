//! Decoding of RAM to objects, frame by frame.

use std::fmt;

use crate::game::Game;
use crate::games::{DecodeFn, DecoderState, FrameDecoder};
use crate::object::GameObject;

/// The number of bytes of RAM.
pub const RAM_BYTES: usize = 128;

/// Options for a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether to decode the heads-up display: scores, lives and the like.
    pub hud: bool,
    /// Whether to reproduce the quirks of `OCAtari` 2.2.1. Without them:
    ///
    /// * After a reset, no object has a previous position. (With quirks, it is the initial position of the object.)
    /// * Asterix: enemies and consumables have previous positions, an empty lane has no objects, and a lives display that disappeared
    ///   reappears.
    /// * Boxing: scores are wider from 10 on (with quirks, from 11 on).
    /// * Pong: a score that falls below 10 regains its initial width. (With quirks, the player's score is then 4 pixels wide.)
    /// * Seaquest: submarines that replace sharks, and missiles that replace divers, leave no stale objects; a new player and
    ///   collected divers are at their positions immediately; lives have a previous value.
    /// * Skiing: an object that is no longer in RAM disappears, and flags never occupy the slots of trees or moguls. (With quirks,
    ///   these cases are errors or leave stale objects.)
    /// * `SpaceInvaders`: new aliens are at their positions immediately; bullets appear and disappear in the correct frame and leave
    ///   their slots empty; a shield without RAM is empty. (With quirks, it has the size of the previous shield.)
    pub quirks: bool,
}

impl Default for Options {
    /// Returns the defaults of `OCAtari`: no heads-up display, all quirks.
    fn default() -> Self {
        Self { hud: false, quirks: true }
    }
}

/// An error that prevents the decoding of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// The RAM does not have 128 bytes.
    InvalidLength {
        /// The number of bytes found.
        found: usize,
    },
    /// `OCAtari` raises an exception for this RAM, which no game produces. Call [`Decoder::reset`] before decoding further frames.
    InvalidRam {
        /// The game.
        game: Game,
        /// The class of the Python exception.
        exception: &'static str,
        /// The cause of the exception.
        reason: &'static str,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidLength { found } => write!(f, "expected {RAM_BYTES} bytes of RAM, found {found}"),
            Self::InvalidRam { game, exception, reason: why } => {
                write!(f, "invalid RAM for {game}: {why} (OCAtari raises {exception})")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// A decoder of the RAM of one game. Frames must be decoded in order.
#[derive(Debug, Clone)]
pub struct Decoder {
    game: Game,
    options: Options,
    objects: Vec<GameObject>,
    memory: DecoderState,
}

impl Decoder {
    /// Creates a decoder at the start of an episode.
    pub fn new(game: Game, options: Options) -> Self {
        let mut decoder = Self { game, options, objects: Vec::new(), memory: DecoderState::default() };
        decoder.restart();
        decoder
    }

    /// Returns the game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the options of the decoder.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Returns the objects of the last decoded frame, or the initial objects. Every slot has an entry; empty slots contain
    /// placeholders.
    pub fn objects(&self) -> &[GameObject] {
        &self.objects
    }

    /// Iterates over the visible objects.
    pub fn visible_objects(&self) -> impl Iterator<Item = &GameObject> {
        self.objects.iter().filter(|object| object.is_present())
    }

    /// Decodes the first frame of an episode.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Decoder::step`].
    pub fn reset(&mut self, ram: &[u8]) -> Result<&[GameObject], DecodeError> {
        self.restart();
        self.decode(ram)?;
        if !self.options.quirks {
            for object in &mut self.objects {
                (object.prev, object.prev_value) = (None, None);
            }
        }
        Ok(&self.objects)
    }

    /// Decodes the next frame.
    ///
    /// # Errors
    /// Returns an error if the RAM does not have 128 bytes or `OCAtari` raises an exception. In the second case, some of the objects
    /// have already been updated.
    pub fn step(&mut self, ram: &[u8]) -> Result<&[GameObject], DecodeError> {
        self.decode(ram)?;
        Ok(&self.objects)
    }

    fn restart(&mut self) {
        self.memory = DecoderState::default();
        self.objects.clear();
        let sheet = self.game.spec();
        (sheet.start)(&mut self.objects, self.options.hud);
    }

    fn decode(&mut self, ram: &[u8]) -> Result<(), DecodeError> {
        let bytes: &[u8; RAM_BYTES] = ram.try_into().map_err(|_| DecodeError::InvalidLength { found: ram.len() })?;
        for object in self.objects.iter_mut().filter(|object| object.is_present()) {
            object.prev = Some((object.x, object.y));
            object.prev_value = object.value;
        }
        let sheet = self.game.spec();
        let mut scene = FrameDecoder {
            sheet,
            objects: &mut self.objects,
            memory: &mut self.memory,
            bytes,
            ram: bytes.map(i16::from),
            hud: self.options.hud,
            quirks: self.options.quirks,
        };
        let decoded = match sheet.decode {
            DecodeFn::Infallible(decode) => {
                decode(&mut scene);
                Ok(())
            }
            DecodeFn::Fallible(decode) => decode(&mut scene),
        };
        let game = self.game;
        decoded.map_err(|(exception, why)| DecodeError::InvalidRam { game, exception, reason: why })
    }
}
