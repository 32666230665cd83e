//! The world of a reward function: that of an Atari game, or any other.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_reward::scene;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::Format;

use super::objects::ObjectWorld;
use super::worlds::{self, ScreenWorld};
use crate::run::{Input, damaged};
use crate::traces;

/// The world of a reward function.
#[derive(Debug, Clone)]
pub enum RewardWorld {
    /// An Atari game: objects are those of a screen, as `OCAtari` has them.
    Screen(&'static ScreenWorld),
    /// Any other world: objects have the attributes that it declares.
    Objects(Arc<ObjectWorld>),
}

impl RewardWorld {
    /// Any world by its objects' attributes.
    ///
    /// # Errors
    /// As [`ObjectWorld::new`].
    pub fn of(core: Arc<World>) -> Result<Self, Box<Diagnostic>> {
        ObjectWorld::new(core).map(|world| Self::Objects(Arc::new(world)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Screen(world) => &world.name,
            Self::Objects(world) => world.core().name(),
        }
    }

    /// The classes that programs know.
    pub fn scene(&self) -> &scene::World {
        match self {
            Self::Screen(world) => &world.scene,
            Self::Objects(world) => &world.scene,
        }
    }

    /// What programs of the game language speak of.
    pub fn core(&self) -> &Arc<World> {
        match self {
            Self::Screen(world) => world.core(),
            Self::Objects(world) => world.core(),
        }
    }

    /// Whether two are one.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Screen(one), Self::Screen(other)) => one.game == other.game,
            (Self::Objects(one), Self::Objects(other)) => Arc::ptr_eq(one.core(), other.core()),
            _ => false,
        }
    }

    /// The world to read a trace with, for a program of a world `own`, or of none by itself. `known` are the worlds that there are beside
    /// those that goalspec ships.
    ///
    /// # Errors
    /// The trace cannot be read, is of another world, or nothing tells which one it is of.
    pub fn of_trace(input: &Input, own: Option<&Self>, known: &[Arc<World>]) -> Result<Self, Unfit> {
        let source = input.open().map_err(damaged)?;
        let named = source.header().world.as_deref();
        let screen = named.and_then(worlds::builtin);
        let of_screens = source.header().format == Format::Screens;
        let other = |name: &str| Unfit::Other { trace: name.to_owned() };
        match (own, screen) {
            (None, Some(screen)) if of_screens => Ok(Self::Screen(screen)),
            (Some(Self::Screen(own)), Some(screen)) if of_screens && own.game == screen.game => Ok(Self::Screen(own)),
            (Some(Self::Screen(_)), Some(screen)) if of_screens => Err(other(&screen.name)),
            (Some(Self::Screen(own)), _) => match named {
                Some(named) if named != own.name => Err(other(named)),
                _ => Ok(Self::of(own.world())?.extended(input)?),
            },
            (Some(own @ Self::Objects(_)), _) => Ok(own.clone().extended(input)?),
            (None, _) => Ok(Self::of(traces::world_of(input, named, known)?)?.extended(input)?),
        }
    }

    /// The world with the objects that a trace declares.
    fn extended(self, input: &Input) -> Result<Self, Box<Diagnostic>> {
        let source = input.open().map_err(damaged)?;
        match source.extend(self.core()).map_err(damaged)? {
            Cow::Borrowed(_) => Ok(self),
            Cow::Owned(extended) => Self::of(Arc::new(extended)),
        }
    }
}

/// Why there is no world to read a trace with.
#[derive(Debug, Clone)]
pub enum Unfit {
    /// It is of another world than the program.
    Other {
        /// Its world.
        trace: String,
    },
    /// It cannot be told.
    Wrong(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Unfit {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Wrong(diagnostic)
    }
}

impl Unfit {
    /// The same about a trace and a program.
    pub(super) fn about(self, input: &Input, name: &str, own: Option<&RewardWorld>) -> Box<Diagnostic> {
        let trace = match self {
            Self::Wrong(diagnostic) => return diagnostic,
            Self::Other { trace } => trace,
        };
        let own = own.map_or("another world", RewardWorld::name);
        let message = format!("`{}` is of the world `{trace}`, and `{name}` of `{own}`", input.name());
        let error = Diagnostic::new(goalspec_trace::codes::WRONG_WORLD, Severity::Error, message);
        if worlds::builtin(&trace).is_some() {
            return Box::new(error);
        }
        Box::new(error.with_help(format!("`--world {trace}` reads the program with the trace's world")))
    }
}
