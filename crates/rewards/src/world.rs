//! The world of a reward function: an Atari game or any other world.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_python_runtime::scene;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{Format, TraceInput};

use crate::objects::ObjectWorld;
use crate::screen_worlds::{self, ScreenWorld};
use crate::shipped_worlds;

/// The world of a reward function.
#[derive(Debug, Clone)]
pub enum RewardWorld {
    /// The screens of an Atari game, with objects as in `OCAtari`.
    Screen(&'static ScreenWorld),
    /// Any other world, with objects that have the attributes it declares.
    Objects(Arc<ObjectWorld>),
}

impl RewardWorld {
    /// Creates the world of the objects of `core`.
    ///
    /// # Errors
    /// Returns the errors of [`ObjectWorld::new`].
    pub fn from_world(core: Arc<World>) -> Result<Self, Box<Diagnostic>> {
        ObjectWorld::new(core).map(|world| Self::Objects(Arc::new(world)))
    }

    /// Returns the name of the world.
    pub fn name(&self) -> &str {
        match self {
            Self::Screen(world) => &world.name,
            Self::Objects(world) => world.core().name(),
        }
    }

    /// Returns the Python classes of the world.
    pub fn scene(&self) -> &Arc<scene::World> {
        match self {
            Self::Screen(world) => &world.scene,
            Self::Objects(world) => &world.scene,
        }
    }

    /// Returns the attributes that programs without imports of libraries read: those of the objects, and the methods of built-in classes.
    pub fn attribute_names(&self) -> BTreeSet<String> {
        goalspec_reward::lint::attribute_names(self.scene())
    }

    /// Returns the typed world that programs of the game language use.
    pub fn core(&self) -> &Arc<World> {
        match self {
            Self::Screen(world) => world.core(),
            Self::Objects(world) => world.core(),
        }
    }

    /// Whether both are the same world.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Screen(one), Self::Screen(other)) => one.game == other.game,
            (Self::Objects(one), Self::Objects(other)) => Arc::ptr_eq(one.core(), other.core()),
            _ => false,
        }
    }

    /// Returns the world to read a trace with, for a program whose world is `own`, if it has one. `known` are the loaded worlds beside
    /// those that goalspec ships.
    ///
    /// # Errors
    /// Returns an error if the trace cannot be read, belongs to another world, or does not determine its world.
    pub fn for_trace(input: &TraceInput, own: Option<&Self>, known: &[Arc<World>]) -> Result<Self, TraceWorldError> {
        let source = input.open().map_err(Box::<Diagnostic>::from)?;
        let named = source.header().world.as_deref();
        let screen = named.and_then(screen_worlds::builtin);
        let of_screens = source.header().format == Format::Screens;
        let other = |name: &str| TraceWorldError::DifferentWorld { trace: name.to_owned() };
        match (own, screen) {
            (None, Some(screen)) if of_screens => Ok(Self::Screen(screen)),
            (Some(Self::Screen(own)), Some(screen)) if of_screens && own.game == screen.game => Ok(Self::Screen(own)),
            (Some(Self::Screen(_)), Some(screen)) if of_screens => Err(other(&screen.name)),
            (Some(Self::Screen(own)), _) => match named {
                Some(named) if named != own.name => Err(other(named)),
                _ => Ok(Self::from_world(own.world())?.with_trace_objects(input)?),
            },
            (Some(own @ Self::Objects(_)), _) => Ok(own.clone().with_trace_objects(input)?),
            (None, _) => {
                Ok(Self::from_world(shipped_worlds::world_of(input, named, known)?)?.with_trace_objects(input)?)
            }
        }
    }

    /// Extends the world by the objects that a trace declares.
    fn with_trace_objects(self, input: &TraceInput) -> Result<Self, Box<Diagnostic>> {
        let source = input.open()?;
        match source.extend_world(self.core())? {
            Cow::Borrowed(_) => Ok(self),
            Cow::Owned(extended) => Self::from_world(Arc::new(extended)),
        }
    }
}

/// The error for a trace that cannot be read with a program's world.
#[derive(Debug, Clone)]
pub enum TraceWorldError {
    /// The trace belongs to another world than the program.
    DifferentWorld {
        /// The name of the trace's world.
        trace: String,
    },
    /// The trace cannot be read, or its world cannot be determined.
    InvalidTrace(Box<Diagnostic>),
}

impl fmt::Display for TraceWorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DifferentWorld { trace } => {
                write!(f, "the world of the trace, `{trace}`, is not that of the program")
            }
            Self::InvalidTrace(diagnostic) => diagnostic.fmt(f),
        }
    }
}

impl std::error::Error for TraceWorldError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::DifferentWorld { .. } => None,
            Self::InvalidTrace(diagnostic) => Some(diagnostic),
        }
    }
}

impl From<Box<Diagnostic>> for TraceWorldError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::InvalidTrace(diagnostic)
    }
}

impl TraceWorldError {
    /// Converts the error to a diagnostic that names the trace `input`, the program `name` and the program's world `own`, if it has one.
    pub fn into_diagnostic(self, input: &TraceInput, name: &str, own: Option<&RewardWorld>) -> Box<Diagnostic> {
        let trace = match self {
            Self::InvalidTrace(diagnostic) => return diagnostic,
            Self::DifferentWorld { trace } => trace,
        };
        let own = own.map_or("another world", RewardWorld::name);
        let message = format!("the world of `{}` is `{trace}`, but that of `{name}` is `{own}`", input.name());
        let error = Diagnostic::new(goalspec_trace::codes::WRONG_WORLD, Severity::Error, message);
        if screen_worlds::builtin(&trace).is_some() {
            return Box::new(error);
        }
        Box::new(error.with_help(format!("use `--world {trace}` to read the program with the world of the trace")))
    }
}
