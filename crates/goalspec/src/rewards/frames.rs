//! Recordings, moment by moment: screens of Atari games, and states of any other world.

use std::sync::Arc;

use goalspec_atari::recording::Frame;
use goalspec_core::ids::FunctionId;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::operation::FunctionMeaning;
use goalspec_reward::scene::{self, Attribute, Entities, Field, Objects, SceneObject};
use goalspec_syntax::Diagnostic;
use goalspec_trace::screens::Screens;
use goalspec_trace::{ReadOptions, Reader, TraceReader};
use indexmap::IndexSet;

use super::objects::{ObjectWorld, Places};
use super::world::RewardWorld;
use super::worlds::ScreenWorld;
use crate::run::{Input, damaged};

/// A recording, moment by moment.
pub struct Frames<'r> {
    kind: Kind<'r>,
}

enum Kind<'r> {
    Screens(Box<Screens<'r>>, &'static ScreenWorld),
    States(Box<States<'r>>),
}

/// Most actions of a trace of states that are told apart.
const MAX_ACTIONS: usize = 64;

/// A trace of states.
struct States<'r> {
    reader: Reader<'r>,
    playback: Playback<'r>,
    world: &'r ObjectWorld,
    delta: Delta,
    places: Places,
    actions: IndexSet<Arc<str>>,
}

/// What there is to see at one moment.
#[derive(Debug, Clone)]
pub enum Scene {
    /// The objects of a screen.
    Screen(Vec<SceneObject>),
    /// The objects of any other world.
    Objects(Entities),
}

/// A moment of a recording.
#[derive(Debug, Clone, Default)]
pub struct Shot {
    /// Its number.
    pub index: u64,
    /// The number of its episode.
    pub episode: u64,
    /// What the game gave for it; `None` if there is no game that gives anything.
    pub points: Option<f64>,
    /// What the agent did before it: the number of an action, or words.
    pub action: Option<Field>,
    /// The place of that among all actions; of words, among the first ones.
    pub action_place: Option<u32>,
    /// The objects.
    pub scene: Scene,
    /// Whether they are all as they were the moment before; of states alone.
    pub still: bool,
    /// Whether the episode may end with it: of screens if the game or a limit ended it; of states, which do not say, always.
    pub ends: bool,
    /// All that a recording of screens says.
    pub frame: Frame,
}

impl Default for Scene {
    fn default() -> Self {
        Self::Screen(Vec::new())
    }
}

impl Scene {
    /// What a program was given.
    pub(super) fn of(objects: Objects<'_>) -> Self {
        match objects {
            Objects::Screen(objects) => Self::Screen(objects.to_vec()),
            Objects::Entities(entities) => Self::Objects(entities.clone()),
        }
    }

    /// The objects, for a program.
    pub fn objects(&self) -> Objects<'_> {
        match self {
            Self::Screen(objects) => Objects::Screen(objects),
            Self::Objects(entities) => Objects::Entities(entities),
        }
    }
}

impl<'r> Frames<'r> {
    /// Opens a recording with [its world](RewardWorld::of_trace).
    ///
    /// # Errors
    /// The input cannot be read, its header is wrong, or it is of another world.
    pub fn open(input: &'r Input, world: &'r RewardWorld, any_world: bool) -> Result<Self, Box<Diagnostic>> {
        let source = input.open().map_err(damaged)?;
        let kind = match world {
            RewardWorld::Screen(world) => {
                let screens = source.into_screens().ok_or_else(|| super::score::no_recording(input))?;
                Kind::Screens(Box::new(screens), world)
            }
            RewardWorld::Objects(world) => {
                let options = ReadOptions { any_world, ..ReadOptions::default() };
                let reader = source.read(world.core(), &options).map_err(damaged)?;
                Kind::States(Box::new(States {
                    reader,
                    playback: Playback::new(world.core()),
                    world,
                    delta: Delta::default(),
                    places: Places::default(),
                    actions: IndexSet::new(),
                }))
            }
        };
        Ok(Self { kind })
    }

    /// The policy that played, if it says so.
    pub fn policy(&self) -> Option<&str> {
        match &self.kind {
            Kind::Screens(screens, _) => screens.policy(),
            Kind::States(_) => None,
        }
    }

    /// What actions mean, by their places; of states, those that came up so far.
    pub fn actions(&self) -> Vec<String> {
        match &self.kind {
            Kind::Screens(screens, _) => screens.header().actions.clone(),
            Kind::States(states) => states.actions.iter().map(ToString::to_string).collect(),
        }
    }

    /// How many bytes of its text were read.
    pub fn offset(&self) -> u64 {
        match &self.kind {
            Kind::Screens(screens, _) => screens.offset(),
            Kind::States(states) => states.reader.offset(),
        }
    }

    /// What was noticed so far that does not stop the reading.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        match &self.kind {
            Kind::Screens(screens, _) => screens.remarks(),
            Kind::States(states) => {
                let named = states.reader.header().world.as_deref();
                crate::traces::with_probable_world(states.reader.remarks(), named, states.world.core())
            }
        }
    }

    /// Reads the next moment; `false` at the end.
    ///
    /// # Errors
    /// A line of the recording is wrong.
    pub fn next(&mut self, shot: &mut Shot) -> Result<bool, Box<Diagnostic>> {
        match &mut self.kind {
            Kind::Screens(screens, world) => {
                let more = screens.next(&mut shot.frame).map_err(damaged)?;
                if more {
                    shot.take_frame(world);
                }
                Ok(more)
            }
            Kind::States(states) => states.next(shot),
        }
    }

    /// The value of a stored function without parameters in the state that was read last; `None` if it has none.
    ///
    /// # Errors
    /// There is no such function, with those that there are.
    pub fn number(&self, name: &str) -> Result<Option<f64>, Vec<String>> {
        let Kind::States(states) = &self.kind else { return Err(Vec::new()) };
        let core = states.world.core();
        let is_number = |attribute: &&Attribute| attribute.kind == scene::Kind::Float;
        let known = states.world.scene.state.iter().filter(is_number).map(|attribute| attribute.name.to_string());
        let is_stored = |id: &FunctionId| {
            let function = core.function(*id);
            function.meaning == FunctionMeaning::Stored && function.parameters.is_empty()
        };
        let function = core.function_named(name).filter(is_stored);
        function.map(|id| states.playback.state().fluent(id, &[])).ok_or_else(|| known.collect())
    }
}

impl Shot {
    fn take_frame(&mut self, world: &ScreenWorld) {
        let Frame { index, episode, reward, action, terminated, truncated, .. } = self.frame;
        (self.index, self.episode, self.points) = (index, episode, Some(reward));
        self.ends = terminated || truncated;
        (self.action, self.action_place) = (action.map(|action| Field::Int(action.into())), action);
        let mut scene = match std::mem::take(&mut self.scene) {
            Scene::Screen(objects) => objects,
            Scene::Objects(_) => Vec::new(),
        };
        world.scene_of(&self.frame.objects, &mut scene);
        self.scene = Scene::Screen(scene);
    }
}

impl States<'_> {
    fn next(&mut self, shot: &mut Shot) -> Result<bool, Box<Diagnostic>> {
        if !self.reader.next(&mut self.delta).map_err(damaged)? {
            return Ok(false);
        }
        self.playback.advance(&self.delta);
        let changes = self.playback.changes();
        shot.still = changes.objects.is_empty() && changes.presence.is_empty() && changes.facts.is_empty();
        (shot.index, shot.episode, shot.points) = (self.delta.index, 0, None);
        shot.ends = true;
        shot.action = self.delta.action.clone().map(Field::Text);
        shot.action_place = self.delta.action.as_ref().and_then(|action| {
            if self.actions.len() < MAX_ACTIONS {
                self.actions.insert(action.clone());
            }
            self.actions.get_index_of(action).map(|place| place as u32)
        });
        shot.scene = Scene::Objects(self.world.fill(self.playback.state(), &mut self.places));
        Ok(true)
    }
}

/// Whether an input is a recording of screens.
pub fn is_recording(input: &Input) -> bool {
    input.open().is_ok_and(|source| source.header().format == goalspec_trace::Format::Screens)
}

/// Each episode of a recording of screens as a trace of its own, where it has several; `None` if the input is none, or has but one. Reads it once.
///
/// # Errors
/// The recording cannot be read to its end.
pub fn episodes(input: &Input) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let Some(mut screens) = input.open().map_err(damaged)?.into_screens() else { return Ok(None) };
    let mut numbers: Vec<u64> = Vec::new();
    let mut frame = Frame::default();
    while screens.next(&mut frame).map_err(damaged)? {
        if numbers.last() != Some(&frame.episode) {
            numbers.push(frame.episode);
        }
    }
    let of_episode = |number| Input::Episode(Box::new(input.clone()), number);
    Ok((numbers.len() > 1).then(|| numbers.into_iter().map(of_episode).collect()))
}
