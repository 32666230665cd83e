//! A module for each game, with its specification and its decoder.

use crate::class::{Class, ClassId};
use crate::object::GameObject;

pub(crate) mod asterix;
pub(crate) mod bowling;
pub(crate) mod boxing;
pub(crate) mod breakout;
pub(crate) mod freeway;
pub(crate) mod pong;
pub(crate) mod seaquest;
pub(crate) mod skiing;
pub(crate) mod space_invaders;
pub(crate) mod tennis;

/// The specification of a game.
#[derive(Debug)]
pub(crate) struct GameSpec {
    /// The name in the Arcade Learning Environment.
    pub(crate) name: &'static str,
    /// The meanings of the actions, indexed by action number.
    pub(crate) actions: &'static [&'static str],
    /// The classes of the objects. The class of empty slots is the first.
    pub(crate) classes: &'static [Class],
    /// The classes in slot order, each with its number of slots.
    pub(crate) slots: &'static [(ClassId, usize)],
    /// The slots of the heads-up display, which follow the other slots.
    pub(crate) hud_slots: &'static [(ClassId, usize)],
    /// Adds the initial objects, before the first frame.
    pub(crate) start: fn(&mut Vec<GameObject>, hud: bool),
    /// The decoding function of a frame.
    pub(crate) decode: DecodeFn,
}

/// A decoding function.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DecodeFn {
    /// A function that decodes any RAM.
    Infallible(fn(&mut FrameDecoder<'_>)),
    /// A function that fails on RAM for which `OCAtari` raises an exception.
    Fallible(fn(&mut FrameDecoder<'_>) -> DecodeResult),
}

/// The result of decoding: success, or the exception that `OCAtari` raises with its cause.
pub(crate) type DecodeResult = Result<(), (&'static str, &'static str)>;

/// The actions of games with the full action set.
const ALL_ACTIONS: &[&str] = &[
    "NOOP",
    "FIRE",
    "UP",
    "RIGHT",
    "LEFT",
    "DOWN",
    "UPRIGHT",
    "UPLEFT",
    "DOWNRIGHT",
    "DOWNLEFT",
    "UPFIRE",
    "RIGHTFIRE",
    "LEFTFIRE",
    "DOWNFIRE",
    "UPRIGHTFIRE",
    "UPLEFTFIRE",
    "DOWNRIGHTFIRE",
    "DOWNLEFTFIRE",
];

impl GameSpec {
    /// Creates an object in its initial state.
    pub(crate) fn object(&self, class: ClassId) -> GameObject {
        self.classes[usize::from(class.0)].object(class)
    }
}

/// The state of a decoder besides the objects.
#[derive(Debug, Clone)]
pub(crate) struct DecoderState {
    /// Pong: whether the scores of the player and of the enemy are drawn with two digits.
    pub(crate) two_digits: [bool; 2],
    /// Skiing: the RAM index of the object in each slot after the player's.
    pub(crate) places: [i16; skiing::SLOTS],
    /// Skiing: byte 90 of the previous frame.
    pub(crate) byte_90: i16,
}

impl Default for DecoderState {
    fn default() -> Self {
        Self { two_digits: [false; 2], places: [0; skiing::SLOTS], byte_90: 255 }
    }
}

/// A frame during decoding.
pub(crate) struct FrameDecoder<'d> {
    pub(crate) sheet: &'static GameSpec,
    /// The objects of the previous frame, with their previous positions updated.
    pub(crate) objects: &'d mut [GameObject],
    pub(crate) memory: &'d mut DecoderState,
    pub(crate) bytes: &'d [u8; 128],
    /// The same bytes as signed integers, for arithmetic.
    pub(crate) ram: [i16; 128],
    pub(crate) hud: bool,
    pub(crate) quirks: bool,
}

impl FrameDecoder<'_> {
    /// Returns the object in a slot. If it has another class, it is replaced by a new object of the class.
    pub(crate) fn get_or_replace(&mut self, slot: usize, class: ClassId) -> &mut GameObject {
        if self.objects[slot].class != class {
            self.objects[slot] = self.sheet.object(class);
        }
        &mut self.objects[slot]
    }

    /// Replaces the object in a slot by a new object of the class.
    pub(crate) fn replace(&mut self, slot: usize, class: ClassId) -> &mut GameObject {
        self.objects[slot] = self.sheet.object(class);
        &mut self.objects[slot]
    }

    /// Empties a slot.
    pub(crate) fn clear(&mut self, slot: usize) {
        self.objects[slot] = GameObject::NO_OBJECT;
    }

    /// Sets the visibility of an object, and its colour accordingly.
    pub(crate) fn set_visible(&mut self, slot: usize, visible: bool) {
        let object = &mut self.objects[slot];
        object.visible = visible;
        object.rgb = if visible { self.sheet.classes[usize::from(object.class.0)].rgb } else { [0; 3] };
    }
}

/// Decodes two decimal digits of four bits each. An invalid digit counts as nine.
pub(crate) fn digits(byte: i16) -> i16 {
    (byte >> 4).min(9) * 10 + (byte & 15).min(9)
}

/// Decodes six decimal digits.
pub(crate) fn six_digits(high: i16, middle: i16, low: i16) -> i32 {
    [high, middle, low].into_iter().fold(0, |sum, byte| sum * 100 + i32::from(digits(byte)))
}

/// Converts a number of objects, rows or columns for arithmetic.
pub(crate) fn int(count: usize) -> i16 {
    i16::try_from(count).unwrap_or(i16::MAX)
}
