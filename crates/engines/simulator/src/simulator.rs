//! A compiled game, and what is done with it.

use std::sync::Arc;

use goalspec_core::resource::board::{NodeId, SlotId};
use goalspec_core::resource::custom::Registry;
use goalspec_core::resource::field::Field;
use goalspec_core::resource::game::{Game, TeamId};
use goalspec_core::resource::rules::{self, Precision};
use goalspec_core::resource::turn::{Failure, FailureKind, Move, Turn};
use goalspec_core::resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::compile::{self, Refusal};
use crate::eval::Frame;
use crate::program::Compiled;
use crate::state::State;

/// A compiled game.
#[derive(Debug, Clone)]
pub struct Simulator {
    compiled: Arc<Compiled>,
    registry: Registry,
}

impl Simulator {
    /// Compiles a game; `registry` has the results that it names.
    ///
    /// # Errors
    /// If the game is larger than the named limits.
    pub fn new(game: impl Into<Arc<Game>>, registry: Registry) -> Result<Self, Refusal> {
        Ok(Self { compiled: Arc::new(compile::compile(&game.into(), None)?), registry })
    }

    /// Compiles a variant of a game, with the same nodes and resources: teams know the rules of the variant, and expect what they do not
    /// observe to begin as in the game.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn variant(game: impl Into<Arc<Game>>, of: &Game, registry: Registry) -> Result<Self, Refusal> {
        Ok(Self { compiled: Arc::new(compile::compile(&game.into(), Some(of))?), registry })
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.compiled.game
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The state at the beginning of a game, which is given by a seed and its index among the games of the seed.
    pub fn start(&self, seed: u64, index: u64) -> State {
        State::new(&self.compiled, seed, index)
    }

    /// Makes a state of this game that of the beginning of another.
    pub fn restart(&self, state: &mut State, seed: u64, index: u64) {
        state.reset(&self.compiled, seed, index);
    }

    /// The team whose turn it is.
    #[inline]
    pub fn team(&self, state: &State) -> TeamId {
        let turns = &self.compiled.game.turns;
        turns[state.mover as usize]
    }

    /// The team whose turn was the last.
    #[inline]
    pub(crate) fn team_before(&self, state: &State) -> TeamId {
        let turns = &self.compiled.game.turns;
        turns[state.mover.checked_sub(1).map_or(turns.len() - 1, |before| before as usize)]
    }

    /// Whether the game is over; asked before every turn.
    ///
    /// # Errors
    /// If a test by computation gives no truth value.
    #[inline]
    pub fn is_over(&self, state: &mut State) -> Result<bool, Failure> {
        let over = state.holds(&self.compiled, &self.compiled.completed, &Frame::default());
        over.map_err(|kind| Failure { action: None, consequence: None, kind: *kind })
    }

    /// Plays a turn of the team whose turn it is. What came of it goes into `turn`, whatever was there before.
    ///
    /// # Errors
    /// If the move is none, or something in it fails; the game is over then.
    #[inline]
    pub fn step(&self, state: &mut State, chosen: &Move, turn: &mut Turn) -> Result<(), Failure> {
        state.step(&self.compiled, &self.registry, self.team(state), chosen, turn)
    }

    /// What a team has earned.
    ///
    /// # Errors
    /// If the game does not say, or it is no number.
    pub fn reward(&self, state: &mut State, team: TeamId) -> Result<f64, Failure> {
        let c = &*self.compiled;
        let fail = |kind| Failure { action: None, consequence: None, kind };
        let Some(reward) = &c.rewards[team.index()] else { return Err(fail(FailureKind::NoReward { team })) };
        let frame = Frame { view: Some(team).filter(|_| c.rewards_observe()), ..Frame::default() };
        // The game goes on in the same way whether rewards are asked for or not.
        let stream = state.stream.clone();
        let value = state.compute(c, reward, &frame).unwrap_or(Cell::Missing);
        state.stream = stream;
        state.overflows.clear();
        match value.real() {
            Some(reward) => Ok(match c.game.rules.reward_precision {
                Precision::Double => reward,
                Precision::Single => f64::from(reward as f32),
            }),
            None => Err(fail(FailureKind::Reward { team, value: state.value(c, value) })),
        }
    }

    /// The value of a resource.
    pub fn value(&self, state: &State, slot: SlotId) -> Option<Value> {
        state.value(&self.compiled, state.cell(slot.0))
    }

    /// The value of a field of the state.
    pub fn field(&self, state: &State, field: &Field) -> Option<Value> {
        state.field(&self.compiled, field, &Frame::default())
    }

    /// All values of a node, by the names of its resources.
    pub fn values(&self, state: &State, node: NodeId) -> Vec<(Arc<str>, Value)> {
        state.values_of(&self.compiled, node)
    }

    /// For each choice of a team, whether it is [valid](goalspec_core::resource::turn#validity): in the state that the team
    /// [observes](Self::observed), or in the true one.
    pub fn mask(&self, state: &State, team: TeamId, view: rules::View) -> Vec<bool> {
        let seen = self.seen(state, team, view);
        let choices = 0..self.compiled.choices[team.index()].len();
        choices.map(|choice| seen.is_valid_choice(&self.compiled, team, choice)).collect()
    }

    /// The state that a team has to expect from what it observes: a node that it does not see is as it began, in a
    /// [variant](Self::variant) as it begins in the game that is known. Who else sees a node,
    /// and how often odds were discounted, no observation shows: both are as at the beginning.
    pub fn observed(&self, state: &State, team: TeamId) -> State {
        state.observed_by(&self.compiled, team)
    }

    /// A copy of a state, as a team observes it or as it is.
    pub(crate) fn seen(&self, state: &State, team: TeamId, view: rules::View) -> State {
        match view {
            rules::View::Truth => state.clone(),
            rules::View::Observation => self.observed(state, team),
        }
    }

    /// Looks at the reward of a team after its turn, as one that is no number ends the game.
    ///
    /// # Errors
    /// If the game says what the team earns, and that is no number.
    #[inline]
    pub(crate) fn check_reward(&self, state: &mut State, team: TeamId) -> Result<(), Failure> {
        if self.compiled.reward_checks[team.index()] { self.reward(state, team).map(drop) } else { Ok(()) }
    }

    /// The labels of those who see a node.
    pub fn labels(&self, state: &State, node: NodeId) -> Arc<Labels> {
        state.labels(&self.compiled, node)
    }
}
