//! Calls of a program in one environment, frame by frame.

use std::sync::Arc;

use goalspec_python_runtime::entry::{ArgumentSource, Entry};
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, Reward, episode_seed};
use goalspec_python_runtime::scene::{self, AttributeValue, Objects};
use goalspec_python_runtime::{Machine, fast};
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;

use crate::frames::{RecordedFrame, Scene};
use crate::program::RewardProgram;
use crate::score::failure_reason;
use crate::world::RewardWorld;

/// The input of one call.
#[derive(Debug, Clone, Copy)]
pub struct CallInput<'s> {
    /// The objects.
    pub objects: Objects<'s>,
    /// The same objects prepared for the fast engine, if they are.
    pub fast_frame: Option<&'s fast::PreparedFrame>,
    /// The action of the agent.
    pub action: Option<&'s AttributeValue>,
}

/// An engine instance that runs a program in one environment.
pub trait RewardEngine {
    /// Discards all state left by earlier calls.
    ///
    /// # Errors
    /// Returns the error of the program's top level, if it runs immediately.
    fn reset(&mut self, random_seed: u64) -> Result<(), CallError>;

    /// Returns the units of work of the last call; 0 if it was certainly not slow.
    fn work_spent(&self) -> u64;

    /// Returns the units of work of a reset: those of the top level, if it runs immediately.
    fn top_level_work(&self) -> u64;

    /// Computes the reward.
    ///
    /// # Errors
    /// Returns the error of the call.
    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        fast_frame: Option<&fast::PreparedFrame>,
    ) -> Result<Reward, Arc<CallError>>;
}

impl RewardEngine for Machine {
    fn reset(&mut self, random_seed: u64) -> Result<(), CallError> {
        self.set_random_seed(random_seed);
        Self::reset(self)
    }

    fn work_spent(&self) -> u64 {
        Self::work_spent(self)
    }

    fn top_level_work(&self) -> u64 {
        self.setup_work()
    }

    fn reward(
        &mut self,
        entry: &Entry,
        input: &scene::Input<'_>,
        _: Option<&fast::PreparedFrame>,
    ) -> Result<Reward, Arc<CallError>> {
        Self::reward(self, entry, input).map_err(Arc::new)
    }
}

/// The failure kind of frames on which the program is no longer called.
pub const SKIPPED: &str = "skipped";

/// The command-line option that sets the budget of calls, for messages.
pub const CALL_BUDGET_OPTION: &str = "--call-budget";

/// The reason why a frame of a recording has no reward.
#[derive(Debug)]
pub enum MissingReward {
    /// The call failed.
    CallFailed(Arc<CallError>),
    /// The program was not called: the calls of earlier frames exceeded this limit in units of work, [`CallBudget::recording_work`].
    Skipped(u64),
}

impl MissingReward {
    /// Returns the failure kind, the message and the line.
    pub fn reason(&self) -> (String, String, Option<u32>) {
        match self {
            Self::CallFailed(error) => failure_reason(error),
            Self::Skipped(limit) => {
                let message = format!(
                    "the calls of earlier frames exceeded the limit of {limit} units of work, which `{CALL_BUDGET_OPTION}` raises"
                );
                (SKIPPED.to_owned(), message, None)
            }
        }
    }
}

/// A running program, with the state of the current episode.
#[derive(Debug)]
pub struct Caller<M> {
    /// The engine instance.
    pub machine: M,
    entry: Arc<Entry>,
    /// The episode of the previous frame.
    episode: Option<u64>,
    /// The number of the environment, which determines the random numbers together with the number of the episode.
    environment: u64,
    /// The number of episodes that have begun by [`Self::reset`].
    episodes: u64,
    /// The previous scene of the same episode.
    previous_scene: Option<Scene>,
    /// Whether the program takes the previous scene.
    needs_previous_scene: bool,
    /// The budget of calls.
    budget: CallBudget,
    /// Units of work of the reset before the last call.
    episode_start_work: u64,
    /// Units of work of all calls of the recording, and of the top levels at the start of episodes.
    recording_work: u64,
    /// The number of frames for which the program was called.
    called_frames: u64,
    /// The limit that the calls have exceeded, in units of work.
    exceeded_limit: Option<u64>,
}

impl Caller<Machine> {
    /// Starts a program on the reference machine.
    ///
    /// # Errors
    /// Returns a diagnostic if the program has no function that gives the reward, or its top level raises an exception.
    ///
    /// # Panics
    /// Panics if the program has errors that prevent it from running.
    pub fn start(name: &str, reward: &RewardProgram, world: &RewardWorld) -> Result<Self, Box<Diagnostic>> {
        let (program, entry) = program_and_entry(reward, world)?;
        let budget = CallBudget::default();
        let machine =
            Machine::new(program, Arc::clone(world.scene()), budget).map_err(|error| top_level_error(name, &error))?;
        Ok(Self::new(entry, machine, budget))
    }
}

impl<M: RewardEngine> Caller<M> {
    /// Creates a caller before its first frame.
    pub(crate) fn new(entry: Arc<Entry>, machine: M, budget: CallBudget) -> Self {
        let mut supplies = entry.arguments.iter().chain(entry.keywords.iter().map(|(_, supply)| supply));
        let looks_back = supplies.any(|supply| *supply == ArgumentSource::PreviousState);
        Self {
            machine,
            entry,
            episode: None,
            environment: 0,
            episodes: 0,
            previous_scene: None,
            needs_previous_scene: looks_back,
            budget,
            episode_start_work: 0,
            recording_work: 0,
            called_frames: 0,
            exceeded_limit: None,
        }
    }

    /// Returns the name of the reward function.
    pub fn function_name(&self) -> &str {
        &self.entry.function
    }

    /// Discards all state, as at the start of an episode.
    ///
    /// # Errors
    /// Returns the error of the program's top level.
    pub fn reset(&mut self) -> Result<(), CallError> {
        self.episodes += 1;
        self.begin_episode(self.episodes)
    }

    /// Moves the program to an environment with random numbers of its own, before its first episode.
    ///
    /// # Errors
    /// Returns the error of the program's top level.
    pub(crate) fn enter_environment(&mut self, environment: u64) -> Result<(), CallError> {
        self.environment = environment;
        if environment == 0 { Ok(()) } else { self.begin_episode(0) }
    }

    /// Returns the seed of the random numbers of the current episode.
    pub fn random_seed(&self) -> u64 {
        episode_seed(self.environment, self.episode.unwrap_or(self.episodes))
    }

    /// Discards all state for the episode with a number.
    fn begin_episode(&mut self, episode: u64) -> Result<(), CallError> {
        self.previous_scene = None;
        self.machine.reset(episode_seed(self.environment, episode))
    }

    /// Discards only the previous scene, as at the start of an episode.
    pub fn discard_scene(&mut self) {
        self.previous_scene = None;
    }

    /// Calls the program on a frame of a recording with this input, unless the calls of earlier frames exceeded
    /// [`CallBudget::recording_work`]. Resets the program at the start of an episode.
    ///
    /// # Errors
    /// Returns the reason if the frame has no reward.
    pub fn call(&mut self, frame: &RecordedFrame, input: CallInput<'_>) -> Result<Reward, MissingReward> {
        if let Some(limit) = self.exceeded_limit {
            return Err(MissingReward::Skipped(limit));
        }
        self.called_frames += 1;
        self.episode_start_work = 0;
        if self.episode.replace(frame.episode) != Some(frame.episode) {
            self.episode_start_work = self.machine.top_level_work();
            self.add_work(self.episode_start_work);
            self.begin_episode(frame.episode).map_err(|error| MissingReward::CallFailed(Arc::new(error)))?;
        }
        let reward = self.step(input);
        // A call that exhausted another limit than work took about as long as one that exhausted its work.
        let exhausted = reward.as_ref().is_err_and(|error| matches!(**error, CallError::Exhausted { .. }));
        self.add_work(if exhausted { self.budget.work } else { self.machine.work_spent() });
        reward.map_err(MissingReward::CallFailed)
    }

    /// Returns the units of work of the last call, including those of the top level at the start of an episode.
    pub fn work_spent(&self) -> u64 {
        self.episode_start_work + self.machine.work_spent()
    }

    /// Adds units of work of a frame to those of the recording.
    fn add_work(&mut self, work: u64) {
        self.recording_work = self.recording_work.saturating_add(work);
        let limit = self.budget.recording_work(self.called_frames);
        if self.recording_work > limit {
            self.exceeded_limit.get_or_insert(limit);
        }
    }

    /// Calls the program on the next frame of the episode.
    ///
    /// # Errors
    /// Returns the error of the call.
    pub fn step(&mut self, call_input: CallInput<'_>) -> Result<Reward, Arc<CallError>> {
        let CallInput { objects, fast_frame, action } = call_input;
        let input = scene::Input { objects, previous: self.previous_scene.as_ref().map(Scene::objects), action };
        let reward = self.machine.reward(&self.entry, &input, fast_frame);
        if self.needs_previous_scene {
            self.previous_scene = Some(Scene::from_objects(objects));
        }
        reward
    }
}

impl<'s> CallInput<'s> {
    /// Returns the input of a frame of a recording.
    pub fn from_frame(frame: &'s RecordedFrame) -> Self {
        Self { objects: frame.scene.objects(), fast_frame: None, action: frame.action.as_ref() }
    }
}

/// Returns the executable program and its reward function.
///
/// # Errors
/// If the program has errors that prevent it from running, or no function that computes the reward.
pub fn program_and_entry(
    reward: &RewardProgram,
    world: &RewardWorld,
) -> Result<(Arc<goalspec_python_runtime::Program>, Arc<Entry>), Box<Diagnostic>> {
    let (Some(program), Some(entry)) = (&reward.program, reward.entry(world)) else {
        return Err(not_executable(reward.source().name()));
    };
    Ok((Arc::clone(program), Arc::new(entry?)))
}

/// Returns the diagnostic for a program whose errors prevent it from running.
pub(crate) fn not_executable(name: &str) -> Box<Diagnostic> {
    let message = format!("cannot run `{name}`: it has errors");
    Box::new(Diagnostic::new(goalspec_core::codes::NOT_SUPPORTED, Severity::Error, message))
}

/// Returns the diagnostic for a program whose top level fails.
pub(crate) fn top_level_error(name: &str, error: &CallError) -> Box<Diagnostic> {
    let (_, _, line) = failure_reason(error);
    let line = line.map_or_else(String::new, |line| format!(", in line {line}"));
    let message = format!("cannot run `{name}`: its top level ends with {error}{line}");
    Box::new(Diagnostic::new(goalspec_core::codes::NOT_SUPPORTED, Severity::Error, message))
}
