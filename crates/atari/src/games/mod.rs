//! A module for each game: its sheet of facts, how its RAM is read.

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

/// The facts of a game.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Its name in the Arcade Learning Environment.
    pub(crate) name: &'static str,
    /// What its actions mean.
    pub(crate) actions: &'static [&'static str],
    /// The classes of its objects, that of empty slots first.
    pub(crate) classes: &'static [Class],
    /// For which class there are how many slots.
    pub(crate) slots: &'static [(ClassId, usize)],
    /// And of the display, after those.
    pub(crate) hud_slots: &'static [(ClassId, usize)],
    /// Adds the objects before any frame.
    pub(crate) start: fn(&mut Vec<GameObject>, hud: bool),
    /// Decodes a frame.
    pub(crate) decode: Decode,
}

/// How a frame is decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Decode {
    /// Whatever is in RAM.
    Always(fn(&mut Scene<'_>)),
    /// Some RAM makes `OCAtari` raise an exception.
    Perhaps(fn(&mut Scene<'_>) -> Decoded),
}

/// What a decoder gives: nothing, or the exception that `OCAtari` raises and why.
pub(crate) type Decoded = Result<(), (&'static str, &'static str)>;

/// The actions of games that know all.
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

impl Sheet {
    /// A new object, before the RAM says anything.
    pub(crate) fn object(&self, class: ClassId) -> GameObject {
        self.classes[usize::from(class.0)].object(class)
    }
}

/// What a decoder remembers besides the objects.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    /// Pong: whether the score of the player and of the enemy is drawn with two digits.
    pub(crate) two_digits: [bool; 2],
    /// Skiing: the place in RAM of the object in each slot after the player's.
    pub(crate) places: [i16; skiing::SLOTS],
    /// Skiing: byte 90 of the frame before.
    pub(crate) byte_90: i16,
}

impl Default for Memory {
    fn default() -> Self {
        Self { two_digits: [false; 2], places: [0; skiing::SLOTS], byte_90: 255 }
    }
}

/// A frame that is being decoded.
pub(crate) struct Scene<'d> {
    pub(crate) sheet: &'static Sheet,
    /// The objects of the frame before, with their previous positions set.
    pub(crate) objects: &'d mut [GameObject],
    pub(crate) memory: &'d mut Memory,
    pub(crate) bytes: &'d [u8; 128],
    /// The same bytes, to compute with.
    pub(crate) ram: [i16; 128],
    pub(crate) hud: bool,
    pub(crate) quirks: bool,
}

impl Scene<'_> {
    /// The object of that class in a slot: the one that is there, or else a new one.
    pub(crate) fn want(&mut self, slot: usize, class: ClassId) -> &mut GameObject {
        if self.objects[slot].class != class {
            self.objects[slot] = self.sheet.object(class);
        }
        &mut self.objects[slot]
    }

    /// A new object of that class in a slot.
    pub(crate) fn renew(&mut self, slot: usize, class: ClassId) -> &mut GameObject {
        self.objects[slot] = self.sheet.object(class);
        &mut self.objects[slot]
    }

    /// Leaves a slot empty.
    pub(crate) fn clear(&mut self, slot: usize) {
        self.objects[slot] = GameObject::NO_OBJECT;
    }

    /// Shows an object or hides it.
    pub(crate) fn show(&mut self, slot: usize, visible: bool) {
        let object = &mut self.objects[slot];
        object.visible = visible;
        object.rgb = if visible { self.sheet.classes[usize::from(object.class.0)].rgb } else { [0; 3] };
    }
}

/// Two decimal digits, four bits each. What is no digit counts as nine.
pub(crate) fn digits(byte: i16) -> i16 {
    (byte >> 4).min(9) * 10 + (byte & 15).min(9)
}

/// Six decimal digits.
pub(crate) fn six_digits(high: i16, middle: i16, low: i16) -> i32 {
    [high, middle, low].into_iter().fold(0, |sum, byte| sum * 100 + i32::from(digits(byte)))
}

/// How many objects, rows or columns, as a number to compute with.
pub(crate) fn int(count: usize) -> i16 {
    i16::try_from(count).unwrap_or(i16::MAX)
}
