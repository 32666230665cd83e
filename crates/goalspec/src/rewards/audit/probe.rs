//! Probes: what a program pays for screens that no recording shows.
//!
//! A recording shows what happened. A probe shows the program recorded screens that stand still, lack an object or display another score, or
//! plays one episode after another without the reset between them. What a probe reports holds of the program, whatever was recorded.
//!
//! | module | what lives there |
//! |---|---|
//! | `sample` | recorded frames that probes start from |
//! | `screens` | changed copies of them |
//! | `still` | rewards that change while the screen does not |
//! | `presence` | rewards for objects that exist |
//! | `levels` | rewards for the value of a displayed score |
//! | `episodes` | state that outlives its episode |

mod episodes;
mod levels;
mod presence;
mod sample;
mod screens;
mod still;

use goalspec_reward::Machine;
use goalspec_reward::machine::Error;
use goalspec_reward::observe::{Moment, Observer};
use goalspec_reward::terms::Terms;

use crate::rewards::caller::{Caller, Shown};
use crate::rewards::program::RewardProgram;
use crate::rewards::world::RewardWorld;

pub use episodes::StateLeak;
pub use levels::LevelPay;
pub use presence::PresencePay;
pub(super) use sample::Sample;
use sample::SampledFrame;
pub use still::{Growth, Memory};

/// Frames for which a screen is held still before its reward is read: what a program pays for changes is over by then.
const SETTLE: usize = 3;

/// Most units of work that the probes of a program take in each of two runs: at most some five seconds.
pub const MAX_WORK: u64 = 100_000_000;

/// Differences of rewards up to this share of them are rounding errors.
const ROUNDING: f64 = 1e-9;

/// Findings of the probes of one program.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// Rewards for objects that exist.
    pub presence: Vec<PresencePay>,
    /// Rewards for the value of a displayed score.
    pub levels: Vec<LevelPay>,
    /// A reward that grows for thousands of frames while the screen stands still.
    pub growth: Option<Growth>,
    /// A reward for what happened earlier, paid in every frame.
    pub memory: Option<Memory>,
    /// State that outlives its episode.
    pub leak: Option<StateLeak>,
    /// Whether a probe ended early, because calls used up [`MAX_WORK`] or one of them its own budget.
    pub ended_early: bool,
    /// Whether no screens were made up, as the world has none: objects and levels were not probed.
    pub without_screens: bool,
}

/// Part of the reward to which a probe attributes a payment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Payer {
    /// A term, by its place in [`Terms::list`].
    Term(usize),
    /// A component that the program reports under this name.
    Component(String),
    /// The reward as a whole.
    Total,
}

/// Runs all probes of a program. Programs that fail to start have no probes.
pub(super) fn run(
    name: &str,
    reward: &RewardProgram,
    world: &RewardWorld,
    terms: &Terms,
    samples: &[Sample],
) -> Probes {
    let start = || Prober::start(name, reward, world, terms);
    let (Some(mut prober), Some(mut fresh)) = (start(), start()) else { return Probes::default() };
    let frames: Vec<&SampledFrame> = samples.iter().flat_map(Sample::frames).collect();
    let episodes: Vec<&[SampledFrame]> = samples.iter().flat_map(Sample::episodes).take(MAX_EPISODES).collect();
    let growth = still::growth(&mut prober, &frames);
    let memory =
        if growth.is_none() { still::memory(&mut prober, &mut fresh, world, &frames, &episodes) } else { None };
    let leak = episodes::leak(&mut prober, &episodes);
    let levels = levels::levels(&mut prober, world, &frames);
    let presence = presence::presence(&mut prober, world, &frames);
    let ended_early = prober.exhausted || fresh.exhausted;
    Probes { presence, levels, growth, memory, leak, ended_early, without_screens: screens::screen(world).is_none() }
}

/// Most episodes that are replayed.
const MAX_EPISODES: usize = 4;

/// Reward of one call, with its parts.
#[derive(Debug, Clone, PartialEq)]
struct Payment {
    total: f64,
    /// In the order of [`Terms::list`]; 0 for terms that were not added.
    terms: Vec<f64>,
    components: Vec<(String, f64)>,
    /// Where the function returned: start of the statement in the text.
    returned: Option<u32>,
}

impl Payment {
    /// All parts and the total, with who pays them.
    fn parts(&self) -> impl Iterator<Item = (Payer, f64)> + '_ {
        let terms = self.terms.iter().enumerate().map(|(place, paid)| (Payer::Term(place), *paid));
        let components = self.components.iter().map(|(name, paid)| (Payer::Component(name.clone()), *paid));
        terms.chain(components).chain([(Payer::Total, self.total)])
    }

    fn of(&self, payer: &Payer) -> f64 {
        match payer {
            Payer::Term(place) => self.terms[*place],
            Payer::Component(name) => {
                self.components.iter().find(|(own, _)| own == name).map_or(0.0, |(_, paid)| *paid)
            }
            Payer::Total => self.total,
        }
    }
}

/// A program that is called with whatever a probe makes up.
struct Prober<'p> {
    caller: Caller<Machine<'p>>,
    /// Units of work so far.
    spent: u64,
    /// Whether a call used up its budget, or all calls theirs: no further calls are made then.
    exhausted: bool,
}

impl<'p> Prober<'p> {
    fn start(name: &str, reward: &'p RewardProgram, world: &'p RewardWorld, terms: &Terms) -> Option<Self> {
        let mut caller = Caller::start(name, reward, world).ok()?;
        let program = reward.program.as_ref()?;
        caller.machine.observe(Observer::new(program, terms));
        Some(Self { caller, spent: 0, exhausted: false })
    }

    /// Forgets everything, as before an episode; `false` if the program cannot be started again.
    fn reset(&mut self) -> bool {
        self.spent += self.caller.machine.set_up();
        self.exhausted |= self.spent > MAX_WORK;
        !self.exhausted && self.caller.reset().is_ok()
    }

    /// Begins an episode without a reset of the program.
    fn begin_episode(&mut self) {
        self.caller.forget_scene();
    }

    /// The reward of a frame; `None` if there is none, or no finite one.
    fn call(&mut self, frame: &SampledFrame) -> Option<Payment> {
        if self.exhausted {
            return None;
        }
        if let Some(observer) = self.caller.machine.observer() {
            observer.begin(Moment::default());
        }
        let shown = Shown { objects: frame.scene.objects(), ready: None, action: frame.action.as_ref() };
        let reward = self.caller.step(shown);
        self.spent += self.caller.machine.spent();
        self.exhausted =
            self.spent > MAX_WORK || reward.as_ref().is_err_and(|error| matches!(**error, Error::Exhausted { .. }));
        let reward = reward.ok()?;
        let total = reward.value();
        let machine = &mut self.caller.machine;
        let returned = machine.returned_from().map(|place| place.start);
        let terms = machine.observer().map(|observer| observer.end().map(|paid| paid.unwrap_or(0.0)).collect());
        let payment = Payment { total, terms: terms.unwrap_or_default(), components: reward.components, returned };
        total.is_finite().then_some(payment)
    }

    /// The reward of a frame that an episode begins with and that is held still until what changes pay is over.
    fn settled(&mut self, frame: &SampledFrame) -> Option<Payment> {
        self.reset().then_some(())?;
        self.held(frame)
    }

    /// The same in the middle of an episode.
    fn held(&mut self, frame: &SampledFrame) -> Option<Payment> {
        let mut last = None;
        for _ in 0..SETTLE {
            last = Some(self.call(frame)?);
        }
        last
    }
}

/// Whether two rewards are the same but for rounding.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(1.0)
}
