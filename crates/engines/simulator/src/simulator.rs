//! A compiled game and its operations.

use std::sync::Arc;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::field::Field;
use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::rules::{self, RewardPrecision};
use goalspec_resource::turn::{GameError, GameErrorKind, Move, TurnResult};
use goalspec_resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::compile::{self, GameCompileError};
use crate::eval::EvalContext;
use crate::policy::ObservedNode;
use crate::program::CompiledResourceGame;
use crate::state::State;

/// A compiled game.
#[derive(Debug, Clone)]
pub struct Simulator {
    compiled: Arc<CompiledResourceGame>,
    registry: ResultRegistry,
}

impl Simulator {
    /// Compiles a game; `registry` contains the custom results that it names.
    ///
    /// # Errors
    /// If the game exceeds a limit or has no turns: see [`GameCompileError`].
    pub fn new(game: impl Into<Arc<Game>>, registry: ResultRegistry) -> Result<Self, GameCompileError> {
        Ok(Self { compiled: Arc::new(compile::compile(&game.into(), None)?), registry })
    }

    /// Compiles a variant of a game with the same nodes and resources. Teams know the rules of the variant, but expect unobserved
    /// nodes to have the initial values of the original game `of`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn variant(game: impl Into<Arc<Game>>, of: &Game, registry: ResultRegistry) -> Result<Self, GameCompileError> {
        Ok(Self { compiled: Arc::new(compile::compile(&game.into(), Some(of))?), registry })
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.compiled.game
    }

    pub(crate) fn compiled(&self) -> &CompiledResourceGame {
        &self.compiled
    }

    pub(crate) fn registry(&self) -> &ResultRegistry {
        &self.registry
    }

    /// Returns the initial state of the game with this index under a seed.
    pub fn initial_state(&self, seed: u64, index: u64) -> State {
        State::new(&self.compiled, seed, index)
    }

    /// Resets a state to the initial state of another game.
    pub fn reset(&self, state: &mut State, seed: u64, index: u64) {
        state.reset(&self.compiled, seed, index);
    }

    /// Returns the team to move.
    #[inline]
    pub fn team(&self, state: &State) -> TeamId {
        let turns = &self.compiled.game.turns;
        turns[state.turn_index as usize]
    }

    /// Returns the team that moved last.
    #[inline]
    pub(crate) fn team_before(&self, state: &State) -> TeamId {
        let turns = &self.compiled.game.turns;
        turns[state.turn_index.checked_sub(1).map_or(turns.len() - 1, |before| before as usize)]
    }

    /// Tests whether the game is over; called before every turn.
    ///
    /// # Errors
    /// If the value of a test by computation is not a Boolean.
    #[inline]
    pub fn is_over(&self, state: &mut State) -> Result<bool, GameError> {
        let is_over = state.holds(&self.compiled, &self.compiled.completed, &EvalContext::default());
        is_over.map_err(|kind| GameError { action: None, consequence: None, kind: *kind })
    }

    /// Plays a turn of the team to move. The effects overwrite `turn`.
    ///
    /// # Errors
    /// If the move is not a move of the team, or if its execution fails; the game is over in this case.
    #[inline]
    pub fn step(&self, state: &mut State, chosen: &Move, turn: &mut TurnResult) -> Result<(), GameError> {
        state.step(&self.compiled, &self.registry, self.team(state), chosen, turn)
    }

    /// Returns the reward of a team in the current state.
    ///
    /// # Errors
    /// If the game defines no reward for the team, or if its value is not a number.
    pub fn reward(&self, state: &mut State, team: TeamId) -> Result<f64, GameError> {
        let c = &*self.compiled;
        let fail = |kind| GameError { action: None, consequence: None, kind };
        let Some(reward) = c.rewards.value(team) else { return Err(fail(GameErrorKind::UndefinedReward { team })) };
        let frame = EvalContext { view: Some(team).filter(|_| c.rewards_observe()), ..EvalContext::default() };
        // Requesting rewards does not affect the game.
        let stream = c.rewards.draws(team).then(|| state.stream.clone());
        let value = state.compute(c, reward, &frame).unwrap_or(Cell::Missing);
        if let Some(stream) = stream {
            state.stream = stream;
        }
        state.overflows.clear();
        match value.as_f64() {
            Some(reward) => Ok(match c.game.rules.reward_precision {
                RewardPrecision::Double => reward,
                RewardPrecision::Single => f64::from(reward as f32),
            }),
            None => Err(fail(GameErrorKind::NonNumericReward { team, value: state.value(c, value) })),
        }
    }

    /// Returns the value of a resource.
    pub fn value(&self, state: &State, slot: SlotId) -> Option<Value> {
        state.value(&self.compiled, state.cell(slot.0))
    }

    /// Returns the value of a field in the true state.
    pub fn field(&self, state: &State, field: &Field) -> Option<Value> {
        state.field(&self.compiled, field, &EvalContext::default())
    }

    /// Returns the values of a node with the names of their resources.
    pub fn values(&self, state: &State, node: NodeId) -> Vec<(Arc<str>, Value)> {
        state.values_of(&self.compiled, node)
    }

    /// Returns for each choice of a team whether it is [valid](goalspec_resource::turn#validity), either in the state that
    /// the team [observes](Self::observed) or in the true state.
    pub fn mask(&self, state: &State, team: TeamId, view: rules::Perspective) -> Vec<bool> {
        let state = self.state_from(state, team, view);
        let choices = 0..self.compiled.choices.count(team);
        choices.map(|choice| state.is_valid_choice(&self.compiled, team, choice)).collect()
    }

    /// Returns the state that a team infers from its observation: unseen nodes have their initial values, which for a
    /// [variant](Self::variant) are those of the original game. The other observers of a node and the number of discounts are not
    /// observable, so both are as in the initial state.
    pub fn observed(&self, state: &State, team: TeamId) -> State {
        state.observed_by(&self.compiled, team)
    }

    /// Returns the observation of a team, node by node.
    pub fn observed_nodes(&self, state: &State, team: TeamId) -> Vec<ObservedNode> {
        let (c, game) = (self.compiled(), self.game());
        let nodes = (0..game.board.nodes().len()).map(NodeId::from);
        let mut nodes: Vec<ObservedNode> =
            nodes.map(|node| ObservedNode { node, visible: state.sees(c, team, node), values: Vec::new() }).collect();
        for (slot, info) in game.board.slots() {
            if let Some(value) = state.observed(c, team, slot.0) {
                nodes[info.node.index()].values.push((slot, value));
            }
        }
        nodes
    }

    /// Returns a copy of the true state, or the state as a team observes it.
    pub(crate) fn state_from(&self, state: &State, team: TeamId, view: rules::Perspective) -> State {
        match view {
            rules::Perspective::TrueState => state.clone(),
            rules::Perspective::Observation => self.observed(state, team),
        }
    }

    /// Checks the reward of a team after its turn; a reward that is not a number ends the game.
    ///
    /// # Errors
    /// If the game defines a reward for the team whose value is not a number.
    #[inline]
    pub(crate) fn check_reward(&self, state: &mut State, team: TeamId) -> Result<(), GameError> {
        if self.compiled.rewards.needs_check(team) { self.reward(state, team).map(drop) } else { Ok(()) }
    }

    /// Returns the labels of the observers of a node.
    pub fn observers(&self, state: &State, node: NodeId) -> Arc<Labels> {
        state.labels(&self.compiled, node)
    }
}
