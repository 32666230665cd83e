//! Recordings, read frame by frame: screens of Atari games, and states of any other world.

use std::sync::Arc;

use goalspec_atari::recording::Frame;
use goalspec_core::ids::FunctionId;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::operation::FunctionDefinition;
use goalspec_python_runtime::scene::{self, Attribute, AttributeValue, Entities, Objects, SceneObject};
use goalspec_syntax::Diagnostic;
use goalspec_trace::screens::ScreenRecording;
use goalspec_trace::{CheckedReader, ReadOptions, TraceInput, TraceReader};
use indexmap::IndexSet;

use crate::objects::{ObjectPositions, ObjectWorld};
use crate::screen_worlds::ScreenWorld;
use crate::shipped_worlds;
use crate::world::RewardWorld;

/// A reader of the frames of a recording.
pub struct FrameReader<'r> {
    source: FrameSource<'r>,
}

enum FrameSource<'r> {
    Screens(Box<ScreenRecording<'r>>, &'static ScreenWorld),
    States(Box<StateReader<'r>>),
}

/// The maximum number of distinct actions recorded for a trace of states.
const MAX_ACTIONS: usize = 64;

/// The reader of a trace of states.
struct StateReader<'r> {
    reader: CheckedReader<'r>,
    playback: Playback,
    world: &'r ObjectWorld,
    delta: Delta,
    positions: ObjectPositions,
    actions: IndexSet<Arc<str>>,
}

/// The objects of one frame.
#[derive(Debug, Clone)]
pub enum Scene {
    /// The objects of an Atari screen.
    Screen(Vec<SceneObject>),
    /// The objects of any other world.
    Objects(Entities),
}

/// A frame of a recording.
#[derive(Debug, Clone, Default)]
pub struct RecordedFrame {
    /// The number of the frame.
    pub index: u64,
    /// The number of its episode.
    pub episode: u64,
    /// The game's own reward for the frame; `None` if the recording has none.
    pub game_reward: Option<f64>,
    /// The action that led to the frame: the number of an action, or text.
    pub action: Option<AttributeValue>,
    /// The index of the action among all actions; for text, `None` beyond the first 64 distinct ones.
    pub action_index: Option<u32>,
    /// The objects.
    pub scene: Scene,
    /// Whether all objects are as in the frame before; always `false` for screens.
    pub is_still: bool,
    /// Whether the episode may end with this frame: for screens, whether the game or a limit ended it; always `true` for states, which do
    /// not record it.
    pub is_episode_end: bool,
    /// The complete record of the frame, for screens.
    pub screen_frame: Frame,
}

impl Default for Scene {
    fn default() -> Self {
        Self::Screen(Vec::new())
    }
}

impl Scene {
    /// Copies the objects that a program received.
    pub(crate) fn from_objects(objects: Objects<'_>) -> Self {
        match objects {
            Objects::Screen(objects) => Self::Screen(objects.to_vec()),
            Objects::Entities(entities) => Self::Objects(entities.clone()),
        }
    }

    /// Borrows the objects for a program.
    pub fn objects(&self) -> Objects<'_> {
        match self {
            Self::Screen(objects) => Objects::Screen(objects),
            Self::Objects(entities) => Objects::Entities(entities),
        }
    }
}

impl<'r> FrameReader<'r> {
    /// Opens a recording with [its world](RewardWorld::for_trace).
    ///
    /// # Errors
    /// Returns a diagnostic if the input cannot be read, its header is invalid, or it belongs to another world.
    pub fn open(input: &'r TraceInput, world: &'r RewardWorld, any_world: bool) -> Result<Self, Box<Diagnostic>> {
        let source = input.open()?;
        let kind = match world {
            RewardWorld::Screen(world) => {
                let screens =
                    source.into_screen_recording().ok_or_else(|| crate::score::not_a_screen_recording(input))?;
                FrameSource::Screens(Box::new(screens), world)
            }
            RewardWorld::Objects(world) => {
                let options = ReadOptions { any_world, ..ReadOptions::default() };
                let reader = source.read(world.core(), &options)?;
                FrameSource::States(Box::new(StateReader {
                    reader,
                    playback: Playback::new(Arc::clone(world.core())),
                    world,
                    delta: Delta::default(),
                    positions: ObjectPositions::default(),
                    actions: IndexSet::new(),
                }))
            }
        };
        Ok(Self { source: kind })
    }

    /// Returns the policy that generated the recording, if it is recorded.
    pub fn policy(&self) -> Option<&str> {
        match &self.source {
            FrameSource::Screens(screens, _) => screens.policy(),
            FrameSource::States(_) => None,
        }
    }

    /// Returns the meanings of actions by index; for states, of the actions read so far.
    pub fn actions(&self) -> Vec<String> {
        match &self.source {
            FrameSource::Screens(screens, _) => screens.header().actions.clone(),
            FrameSource::States(states) => states.actions.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns the number of bytes read.
    pub fn offset(&self) -> u64 {
        match &self.source {
            FrameSource::Screens(screens, _) => screens.offset(),
            FrameSource::States(states) => states.reader.offset(),
        }
    }

    /// Returns the diagnostics so far that do not stop the reading.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match &self.source {
            FrameSource::Screens(screens, _) => screens.remarks(),
            FrameSource::States(states) => {
                let named = states.reader.header().world.as_deref();
                shipped_worlds::with_probable_world(states.reader.diagnostics(), named, states.world.core())
            }
        }
    }

    /// Reads the next frame into `frame`; returns `false` at the end.
    ///
    /// # Errors
    /// Returns a diagnostic if a line of the recording is invalid.
    pub fn next(&mut self, frame: &mut RecordedFrame) -> Result<bool, Box<Diagnostic>> {
        match &mut self.source {
            FrameSource::Screens(screens, world) => {
                let more = screens.next(&mut frame.screen_frame)?;
                if more {
                    frame.read_screen(world);
                }
                Ok(more)
            }
            FrameSource::States(states) => states.next(frame),
        }
    }

    /// Returns the value of a stored function without parameters in the last state read; `None` if it is undefined.
    ///
    /// # Errors
    /// Returns the names of the available functions if there is no such function.
    pub fn function_value(&self, name: &str) -> Result<Option<f64>, Vec<String>> {
        let FrameSource::States(states) = &self.source else { return Err(Vec::new()) };
        let core = states.world.core();
        let is_number = |attribute: &&Attribute| attribute.value_type == scene::AttributeKind::Float;
        let known =
            states.world.scene.state_attributes.iter().filter(is_number).map(|attribute| attribute.name.to_string());
        let is_stored = |id: &FunctionId| {
            let function = core.function(*id);
            function.definition == FunctionDefinition::Stored && function.parameters.is_empty()
        };
        let function = core.function_named(name).filter(is_stored);
        function.map(|id| states.playback.state().fluent(id, &[])).ok_or_else(|| known.collect())
    }
}

impl RecordedFrame {
    fn read_screen(&mut self, world: &ScreenWorld) {
        let Frame { index, episode, reward, action, terminated, truncated, .. } = self.screen_frame;
        (self.index, self.episode, self.game_reward) = (index, episode, Some(reward));
        self.is_episode_end = terminated || truncated;
        (self.action, self.action_index) = (action.map(|action| AttributeValue::Int(action.into())), action);
        let mut scene = match std::mem::take(&mut self.scene) {
            Scene::Screen(objects) => objects,
            Scene::Objects(_) => Vec::new(),
        };
        world.fill_scene(&self.screen_frame.objects, &mut scene);
        self.scene = Scene::Screen(scene);
    }
}

impl StateReader<'_> {
    fn next(&mut self, frame: &mut RecordedFrame) -> Result<bool, Box<Diagnostic>> {
        if !self.reader.next(&mut self.delta)? {
            return Ok(false);
        }
        self.playback.advance(&self.delta);
        let changes = self.playback.changes();
        frame.is_still = changes.objects.is_empty() && changes.presence.is_empty() && changes.facts.is_empty();
        (frame.index, frame.episode, frame.game_reward) = (self.delta.index, 0, None);
        frame.is_episode_end = true;
        frame.action = self.delta.action.clone().map(AttributeValue::Text);
        frame.action_index = self.delta.action.as_ref().and_then(|action| {
            if self.actions.len() < MAX_ACTIONS {
                self.actions.insert(action.clone());
            }
            self.actions.get_index_of(action).map(|place| place as u32)
        });
        frame.scene = Scene::Objects(self.world.entities(self.playback.state(), &mut self.positions));
        Ok(true)
    }
}

/// Whether an input is a recording of Atari screens.
pub fn is_screen_recording(input: &TraceInput) -> bool {
    input.open().is_ok_and(|source| source.header().format == goalspec_trace::Format::Screens)
}

/// Splits a recording of screens into one trace per episode; `None` if the input is not such a recording or has only one episode. Reads the
/// input once.
///
/// # Errors
/// Returns a diagnostic if the recording cannot be read to its end.
pub fn split_episodes(input: &TraceInput) -> Result<Option<Vec<TraceInput>>, Box<Diagnostic>> {
    let Some(mut screens) = input.open()?.into_screen_recording() else { return Ok(None) };
    let mut numbers: Vec<u64> = Vec::new();
    let mut frame = Frame::default();
    while screens.next(&mut frame)? {
        if numbers.last() != Some(&frame.episode) {
            numbers.push(frame.episode);
        }
    }
    let of_episode = |number| TraceInput::Episode(Box::new(input.clone()), number);
    Ok((numbers.len() > 1).then(|| numbers.into_iter().map(of_episode).collect()))
}
