//! The supported games: names, actions, slots, classes.

use std::fmt;
use std::str::FromStr;

use crate::class::{Class, ClassId};
use crate::games::{self, GameSpec};
use crate::object::GameObject;

/// The world file with the name `screen`, which the world files of all games extend.
pub const SCREEN_WORLD: &str = include_str!("../worlds/screen.world.toml");

/// A game whose RAM can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// `ALE/Asterix-v5`.
    Asterix,
    /// `ALE/Bowling-v5`.
    Bowling,
    /// `ALE/Boxing-v5`.
    Boxing,
    /// `ALE/Breakout-v5`.
    Breakout,
    /// `ALE/Freeway-v5`.
    Freeway,
    /// `ALE/Pong-v5`.
    Pong,
    /// `ALE/Seaquest-v5`.
    Seaquest,
    /// `ALE/Skiing-v5`.
    Skiing,
    /// `ALE/SpaceInvaders-v5`.
    SpaceInvaders,
    /// `ALE/Tennis-v5`.
    Tennis,
}

impl Game {
    /// All games, in the order of their names.
    pub const ALL: [Self; 10] = [
        Self::Asterix,
        Self::Bowling,
        Self::Boxing,
        Self::Breakout,
        Self::Freeway,
        Self::Pong,
        Self::Seaquest,
        Self::Skiing,
        Self::SpaceInvaders,
        Self::Tennis,
    ];

    /// Returns the name of the game, such as `SpaceInvaders`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the name of the game in file names and options, such as `spaceinvaders`.
    pub fn slug(self) -> String {
        self.name().to_lowercase()
    }

    /// Returns the id of the Gymnasium environment, such as `ALE/SpaceInvaders-v5`.
    pub fn environment(self) -> String {
        format!("ALE/{}-v5", self.name())
    }

    /// Returns the text of the world file of the game, which extends [`SCREEN_WORLD`].
    pub fn world_file(self) -> &'static str {
        match self {
            Self::Asterix => include_str!("../worlds/asterix.world.toml"),
            Self::Bowling => include_str!("../worlds/bowling.world.toml"),
            Self::Boxing => include_str!("../worlds/boxing.world.toml"),
            Self::Breakout => include_str!("../worlds/breakout.world.toml"),
            Self::Freeway => include_str!("../worlds/freeway.world.toml"),
            Self::Pong => include_str!("../worlds/pong.world.toml"),
            Self::Seaquest => include_str!("../worlds/seaquest.world.toml"),
            Self::Skiing => include_str!("../worlds/skiing.world.toml"),
            Self::SpaceInvaders => include_str!("../worlds/spaceinvaders.world.toml"),
            Self::Tennis => include_str!("../worlds/tennis.world.toml"),
        }
    }

    /// Returns the meanings of the actions, indexed by action number, in an environment with the minimal action set.
    pub fn actions(self) -> &'static [&'static str] {
        self.spec().actions
    }

    /// Returns the classes of the objects. The first is the class of the placeholder for an empty slot.
    pub fn classes(self) -> &'static [Class] {
        self.spec().classes
    }

    /// Returns a class of the game.
    ///
    /// # Panics
    /// Panics if `class` is out of range, which indicates an object of another game.
    pub fn class(self, class: ClassId) -> &'static Class {
        &self.classes()[usize::from(class.0)]
    }

    /// Returns the class with this name.
    pub fn class_named(self, name: &str) -> Option<ClassId> {
        let place = self.classes().iter().position(|class| class.name == name)?;
        u8::try_from(place).ok().map(ClassId)
    }

    /// Iterates over the classes in slot order, each with its number of slots. `hud` includes the slots of the heads-up display.
    pub fn slots(self, hud: bool) -> impl Iterator<Item = (ClassId, usize)> {
        let sheet = self.spec();
        let display = if hud { sheet.hud_slots } else { &[] };
        sheet.slots.iter().chain(display).copied()
    }

    /// Returns whether two distinct objects are equal in Python: `a == b`. An object is always equal to itself.
    pub fn equal(self, a: &GameObject, b: &GameObject) -> bool {
        let (left, right) = (self.class(a.class), self.class(b.class));
        left.compare(a, b, right).or_else(|| right.compare(b, a, left)).unwrap_or(false)
    }

    pub(crate) fn spec(self) -> &'static GameSpec {
        match self {
            Self::Asterix => &games::asterix::SHEET,
            Self::Bowling => &games::bowling::SHEET,
            Self::Boxing => &games::boxing::SHEET,
            Self::Breakout => &games::breakout::SHEET,
            Self::Freeway => &games::freeway::SHEET,
            Self::Pong => &games::pong::SHEET,
            Self::Seaquest => &games::seaquest::SHEET,
            Self::Skiing => &games::skiing::SHEET,
            Self::SpaceInvaders => &games::space_invaders::SHEET,
            Self::Tennis => &games::tennis::SHEET,
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown name of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownGameError {
    /// The unknown name.
    pub name: String,
}

impl fmt::Display for UnknownGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Game::ALL.map(Game::name).join(", ");
        write!(f, "unknown game `{}`: games with a RAM decoder are {names}", self.name)
    }
}

impl std::error::Error for UnknownGameError {}

impl FromStr for Game {
    type Err = UnknownGameError;

    /// Parses `pong`, `Pong`, `ALE/Pong-v5`, or the older ids `PongNoFrameskip-v4` and `PongDeterministic-v4`.
    fn from_str(name: &str) -> Result<Self, UnknownGameError> {
        let stem = name.strip_prefix("ALE/").unwrap_or(name);
        let stem = stem.split_once('-').map_or(stem, |(stem, _)| stem);
        let stem = ["NoFrameskip", "Deterministic"].iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
        let found = Self::ALL.into_iter().find(|game| game.name().eq_ignore_ascii_case(stem));
        found.ok_or_else(|| UnknownGameError { name: name.to_owned() })
    }
}
