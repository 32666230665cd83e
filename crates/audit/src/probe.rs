//! Probes of the rewards for screens that occur in no recording.
//!
//! A probe calls the program on recorded screens that stand still, lack an object or display another score, or plays several episodes
//! without a reset between them. Its findings hold for the program regardless of the recordings.
//!
//! | module | contents |
//! |---|---|
//! | `sample` | recorded frames that probes start from |
//! | `screens` | modified copies of recorded frames |
//! | `static_screens` | rewards that change while the screen does not |
//! | `presence` | rewards for objects that exist |
//! | `levels` | rewards for the value of a displayed score |
//! | `state_leak` | state that outlives its episode |
//! | `absence` | exceptions on screens without an object of a class |
//! | `still` | rewards of screens that stand still |

mod absence;
mod levels;
mod presence;
mod sample;
mod screens;
mod state_leak;
mod static_screens;
mod still;

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::machine::CallError;
use goalspec_python_runtime::observe::{CallPosition, Observer};
use goalspec_reward::terms::Terms;
use goalspec_rewards::caller::{CallInput, Caller};
use goalspec_rewards::program::RewardProgram;
use goalspec_rewards::world::RewardWorld;

pub use absence::AbsenceError;
pub use levels::LevelReward;
pub use presence::PresenceReward;
pub(crate) use sample::Sample;
use sample::SampledFrame;
pub use state_leak::StateLeak;
pub use static_screens::{HistoryDependence, RewardGrowth};
pub use still::StillReward;

/// The number of frames for which a screen is held still before its reward is read, so that rewards for changes have ended.
const SETTLING_FRAMES: usize = 3;

/// The maximum units of work of a program's probes in each of two runs: about five seconds.
pub const MAX_WORK: u64 = 100_000_000;

/// The relative difference up to which two rewards count as equal.
const RELATIVE_TOLERANCE: f64 = 1e-9;

/// Findings of the probes of one program.
#[derive(Debug, Clone, Default)]
pub struct ProbeResults {
    /// Rewards for objects that exist.
    pub presence_rewards: Vec<PresenceReward>,
    /// Rewards for the value of a displayed score.
    pub level_rewards: Vec<LevelReward>,
    /// A reward that keeps growing for thousands of frames while the screen stands still.
    pub growth: Option<RewardGrowth>,
    /// A reward for earlier events that is paid in every frame.
    pub history_dependence: Option<HistoryDependence>,
    /// State that survives the end of its episode.
    pub state_leak: Option<StateLeak>,
    /// Exceptions on screens without an object of a class.
    pub absence_errors: Vec<AbsenceError>,
    /// The rewards of screens that stand still.
    pub still_reward: Option<StillReward>,
    /// Whether a probe ended early because the calls used up [`MAX_WORK`] or a call exceeded its own budget.
    pub is_incomplete: bool,
    /// Whether objects and levels were not probed, as the world has no screens that could be modified.
    pub has_no_screens: bool,
}

/// The part of the reward to which a probe attributes a payment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RewardSource {
    /// A term, by its index in [`Terms::terms`].
    Term(usize),
    /// A component that the program reports under this name.
    Component(String),
    /// The reward as a whole.
    Total,
}

/// Runs all probes of a program. Programs that fail to start have no probes.
pub(crate) fn run(
    name: &str,
    reward: &RewardProgram,
    world: &RewardWorld,
    terms: &Terms,
    samples: &[Sample],
) -> ProbeResults {
    let start = || Prober::start(name, reward, world, terms);
    let (Some(mut prober), Some(mut fresh)) = (start(), start()) else { return ProbeResults::default() };
    let frames: Vec<&SampledFrame> = samples.iter().flat_map(Sample::frames).collect();
    let episodes: Vec<&[SampledFrame]> = samples.iter().flat_map(Sample::beginnings).take(MAX_EPISODES).collect();
    let growth = static_screens::find_growth(&mut prober, &frames);
    let memory = if growth.is_none() {
        static_screens::find_history_dependence(&mut prober, &mut fresh, world, &frames, &episodes)
    } else {
        None
    };
    let leak = state_leak::find_state_leak(&mut prober, &episodes)
        .or_else(|| state_leak::find_late_state_leak(&mut fresh, samples));
    let levels = levels::find_level_rewards(&mut prober, world, &frames);
    let presence = presence::find_presence_rewards(&mut prober, world, &frames);
    let absences = absence::find_absence_errors(&mut prober, world, &frames, samples);
    let still = still::measure_still_rewards(&mut prober, samples);
    let ended_early = prober.is_exhausted || fresh.is_exhausted;
    ProbeResults {
        presence_rewards: presence,
        level_rewards: levels,
        growth,
        history_dependence: memory,
        state_leak: leak,
        absence_errors: absences,
        still_reward: still,
        is_incomplete: ended_early,
        has_no_screens: screens::as_screen_world(world).is_none(),
    }
}

/// Most episodes that are replayed.
const MAX_EPISODES: usize = 4;

/// The reward of one call, with its terms and components.
#[derive(Debug, Clone, PartialEq)]
struct CallReward {
    total: f64,
    /// The contributions in the order of [`Terms::terms`]; 0 for terms that were not added.
    terms: Vec<f64>,
    components: Vec<(String, f64)>,
    /// The start of the `return` statement that ended the function, as an offset in the source text.
    return_start: Option<u32>,
}

impl CallReward {
    /// Iterates over the terms, the components and the total, each with its source.
    fn contributions(&self) -> impl Iterator<Item = (RewardSource, f64)> + '_ {
        let terms = self.terms.iter().enumerate().map(|(place, paid)| (RewardSource::Term(place), *paid));
        let components = self.components.iter().map(|(name, paid)| (RewardSource::Component(name.clone()), *paid));
        terms.chain(components).chain([(RewardSource::Total, self.total)])
    }

    fn contribution(&self, source: &RewardSource) -> f64 {
        match source {
            RewardSource::Term(place) => self.terms[*place],
            RewardSource::Component(name) => {
                self.components.iter().find(|(own, _)| own == name).map_or(0.0, |(_, paid)| *paid)
            }
            RewardSource::Total => self.total,
        }
    }
}

/// A program that probes call with arbitrary frames.
struct Prober {
    caller: Caller<Machine>,
    /// The units of work so far.
    work_spent: u64,
    /// Whether a call exceeded its budget, or all calls theirs; no further calls are made.
    is_exhausted: bool,
}

impl Prober {
    fn start(name: &str, reward: &RewardProgram, world: &RewardWorld, terms: &Terms) -> Option<Self> {
        let mut caller = Caller::start(name, reward, world).ok()?;
        let program = reward.program.as_ref()?;
        caller.machine.set_observer(Observer::new(program, &terms.probes()));
        Some(Self { caller, work_spent: 0, is_exhausted: false })
    }

    /// Resets the program for a new episode; returns `false` if its top level fails.
    fn reset(&mut self) -> bool {
        self.work_spent += self.caller.machine.setup_work();
        self.is_exhausted |= self.work_spent > MAX_WORK;
        !self.is_exhausted && self.caller.reset().is_ok()
    }

    /// Begins an episode without a reset of the program.
    fn begin_episode(&mut self) {
        self.caller.discard_scene();
    }

    /// Returns the reward of a frame; `None` if the call fails or the reward is not finite.
    fn call(&mut self, frame: &SampledFrame) -> Option<CallReward> {
        if self.is_exhausted {
            return None;
        }
        if let Some(observer) = self.caller.machine.observer() {
            observer.begin(CallPosition::default());
        }
        let input = CallInput { objects: frame.scene.objects(), fast_frame: None, action: frame.action.as_ref() };
        let reward = self.caller.step(input);
        self.work_spent += self.caller.machine.work_spent();
        self.is_exhausted = self.work_spent > MAX_WORK
            || reward.as_ref().is_err_and(|error| matches!(**error, CallError::Exhausted { .. }));
        let reward = reward.ok()?;
        let total = reward.value();
        let machine = &mut self.caller.machine;
        let returned = machine.last_return_place().map(|place| place.start);
        let terms = machine.observer().map(|observer| observer.end().map(|paid| paid.unwrap_or(0.0)).collect());
        let payment = CallReward {
            total,
            terms: terms.unwrap_or_default(),
            components: reward.components,
            return_start: returned,
        };
        total.is_finite().then_some(payment)
    }

    /// Starts an episode with a frame, holds it still until rewards for changes have ended, and returns its reward.
    fn settled_reward(&mut self, frame: &SampledFrame) -> Option<CallReward> {
        self.reset().then_some(())?;
        self.held_reward(frame)
    }

    /// Holds a frame still in the middle of an episode, and returns its reward.
    fn held_reward(&mut self, frame: &SampledFrame) -> Option<CallReward> {
        let mut last = None;
        for _ in 0..SETTLING_FRAMES {
            last = Some(self.call(frame)?);
        }
        last
    }
}

/// Whether two rewards are equal up to rounding.
fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= RELATIVE_TOLERANCE * one.abs().max(other.abs()).max(1.0)
}
