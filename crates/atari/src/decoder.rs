//! From RAM to objects, frame by frame.

use std::fmt;

use crate::game::Game;
use crate::games::{Decode, Memory, Scene};
use crate::object::GameObject;

/// The number of bytes of RAM.
pub const RAM_BYTES: usize = 128;

/// What a decoder is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether there are slots for scores, lives and the like.
    pub hud: bool,
    /// Whether the quirks of `OCAtari` 2.2.1 are kept. Without them:
    ///
    /// * after a reset, nothing has a previous position (it is where objects are before the RAM says anything);
    /// * Asterix: enemies and consumables have previous positions, an empty lane has no objects, lives come back;
    /// * Boxing: scores are wider from ten on (from eleven);
    /// * Pong: a score below ten is as wide as at first, should it ever fall (4 pixels for the player's);
    /// * Seaquest: where submarines follow sharks, or missiles divers, those of before are gone; a new player and collected divers are at
    ///   their places at once; lives have a previous value;
    /// * Skiing: what has lost its place in RAM is gone, and flags are never put where trees or moguls belong, instead of an error or
    ///   an object that stays;
    /// * `SpaceInvaders`: new aliens are at their places at once, bullets come and go with the frame and leave nothing in their slots,
    ///   a shield without RAM is empty (it has the size of the one before).
    pub quirks: bool,
}

impl Default for Options {
    /// As `OCAtari` by default: no display, all quirks.
    fn default() -> Self {
        Self { hud: false, quirks: true }
    }
}

/// Why a frame cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// RAM has 128 bytes.
    Length {
        /// How many there are.
        found: usize,
    },
    /// `OCAtari` raises an exception here, since no game has such RAM. Start again with [`Decoder::reset`].
    Unreadable {
        /// The game.
        game: Game,
        /// The class of the exception.
        exception: &'static str,
        /// What is wrong.
        why: &'static str,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(f, "{found} bytes of RAM where {RAM_BYTES} are expected"),
            Self::Unreadable { game, exception, why } => {
                write!(f, "this is no RAM of {game}: {why} (OCAtari raises {exception})")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// Decodes the RAM of a game, one frame after the other.
#[derive(Debug, Clone)]
pub struct Decoder {
    game: Game,
    options: Options,
    objects: Vec<GameObject>,
    memory: Memory,
}

impl Decoder {
    /// A decoder at the beginning of an episode.
    pub fn new(game: Game, options: Options) -> Self {
        let mut decoder = Self { game, options, objects: Vec::new(), memory: Memory::default() };
        decoder.restart();
        decoder
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// What the decoder does.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The objects of the frame before, or those of before any frame; every slot has one, if only the mark of an empty slot.
    pub fn objects(&self) -> &[GameObject] {
        &self.objects
    }

    /// The objects that are there and visible.
    pub fn present(&self) -> impl Iterator<Item = &GameObject> {
        self.objects.iter().filter(|object| object.is_present())
    }

    /// The first frame of an episode.
    ///
    /// # Errors
    /// As [`Decoder::step`].
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

    /// The next frame.
    ///
    /// # Errors
    /// If RAM does not have 128 bytes, or `OCAtari` raises an exception; then the objects are in part those of this frame.
    pub fn step(&mut self, ram: &[u8]) -> Result<&[GameObject], DecodeError> {
        self.decode(ram)?;
        Ok(&self.objects)
    }

    fn restart(&mut self) {
        self.memory = Memory::default();
        self.objects.clear();
        let sheet = self.game.sheet();
        (sheet.start)(&mut self.objects, self.options.hud);
    }

    fn decode(&mut self, ram: &[u8]) -> Result<(), DecodeError> {
        let bytes: &[u8; RAM_BYTES] = ram.try_into().map_err(|_| DecodeError::Length { found: ram.len() })?;
        for object in self.objects.iter_mut().filter(|object| object.is_present()) {
            object.prev = Some((object.x, object.y));
            object.prev_value = object.value;
        }
        let sheet = self.game.sheet();
        let mut scene = Scene {
            sheet,
            objects: &mut self.objects,
            memory: &mut self.memory,
            bytes,
            ram: bytes.map(i16::from),
            hud: self.options.hud,
            quirks: self.options.quirks,
        };
        let decoded = match sheet.decode {
            Decode::Always(decode) => {
                decode(&mut scene);
                Ok(())
            }
            Decode::Perhaps(decode) => decode(&mut scene),
        };
        let game = self.game;
        decoded.map_err(|(exception, why)| DecodeError::Unreadable { game, exception, why })
    }
}
