//! Games as trees: positions in which a team decides, and the outcomes of its moves with their probabilities.

use std::fmt;
use std::sync::Arc;

use goalspec_resource::game::TeamId;
use goalspec_resource::turn::GameError;

use crate::action_mask::MaskBuffer;
use crate::environments::{AgentInterface, GameStatus};
use crate::policy::greedy::MAX_OUTCOMES;
use crate::returns::level;
use crate::state::State;

/// A position of a game. It draws no random numbers.
#[derive(Debug, Clone)]
pub struct Position {
    interface: Arc<AgentInterface>,
    state: State,
    status: GameStatus,
    levels: Vec<f64>,
    max_turns: u32,
}

/// The error of a move whose outcomes cannot be listed.
#[derive(Debug, Clone, PartialEq)]
pub enum OutcomeError {
    /// The move has more than [`MAX_OUTCOMES`] outcomes.
    TooMany,
    /// A random number is drawn in an expression, a filter or a custom result, so that the outcomes have no known probabilities.
    UnsupportedDraw,
    /// The game fails.
    Failed(GameError),
}

impl OutcomeError {
    /// Returns a description in one sentence, with the names of the game.
    pub fn describe(&self, interface: &AgentInterface) -> String {
        match self {
            Self::Failed(error) => error.describe(interface.simulator.game()),
            error => error.to_string(),
        }
    }
}

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "the number of outcomes of a move exceeds the limit of {MAX_OUTCOMES}"),
            Self::UnsupportedDraw => {
                write!(
                    f,
                    "the game draws random numbers in expressions, filters or custom results, whose outcomes cannot be listed"
                )
            }
            Self::Failed(_) => write!(f, "the game failed"),
        }
    }
}

impl std::error::Error for OutcomeError {}

impl Position {
    /// Returns the position before the first turn.
    ///
    /// # Errors
    /// If the game fails, or the end of the game depends on a random number.
    pub fn initial(interface: &Arc<AgentInterface>, max_turns: u32) -> Result<Self, OutcomeError> {
        Self::new(interface, interface.simulator.initial_state(0, 0), max_turns)
    }

    fn new(interface: &Arc<AgentInterface>, mut state: State, max_turns: u32) -> Result<Self, OutcomeError> {
        let simulator = &interface.simulator;
        let stream = state.stream.clone();
        let is_over = simulator.is_over(&mut state).map_err(OutcomeError::Failed)?;
        if state.stream != stream {
            return Err(OutcomeError::UnsupportedDraw);
        }
        let status = match is_over {
            true => GameStatus::Completed,
            false if state.turns() >= max_turns => GameStatus::Truncated,
            false => GameStatus::Running,
        };
        let teams = 0..simulator.game().teams.len();
        let levels = teams.map(|team| level(simulator, &mut state, team.into())).collect();
        Ok(Self { interface: Arc::clone(interface), state, status, levels, max_turns })
    }

    /// Returns the status of the game.
    pub fn status(&self) -> GameStatus {
        self.status
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the team to move.
    pub fn team(&self) -> TeamId {
        self.interface.simulator.team(&self.state)
    }

    /// Returns the reward level of each team: 0 if the game defines none, and NaN if it is not a number.
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// Returns the mask of the actions of the team to move.
    pub fn mask(&self) -> Vec<i8> {
        let AgentInterface { simulator, actions, masks, .. } = &*self.interface;
        let mut mask = vec![0; actions.of_team(self.team()).len()];
        simulator.write_mask(masks, actions, &self.state, self.team(), &mut MaskBuffer::new(simulator), &mut mask);
        mask
    }

    /// Returns the positions after an action of the team to move, with their probabilities.
    ///
    /// # Errors
    /// If the outcomes cannot be listed.
    ///
    /// # Panics
    /// If the team has no such action.
    pub fn outcomes(&self, action: usize) -> Result<Vec<(f64, Self)>, OutcomeError> {
        let AgentInterface { simulator, actions, .. } = &*self.interface;
        let (team, mut outcomes, mut stop) = (self.team(), Vec::new(), None);
        let chosen = &actions.of_team(team).moves()[action];
        let (c, registry) = (simulator.compiled(), simulator.registry());
        let visited = self.state.clone().for_each_outcome(c, registry, team, chosen, &mut |state, probability| {
            simulator.check_reward(state, team)?;
            let position = if outcomes.len() >= MAX_OUTCOMES {
                Err(OutcomeError::TooMany)
            } else if state.stream != self.state.stream {
                Err(OutcomeError::UnsupportedDraw)
            } else {
                Self::new(&self.interface, state.clone(), self.max_turns)
            };
            match position {
                Ok(position) => outcomes.push((probability, position)),
                Err(error) => stop = Some(error),
            }
            Ok(stop.is_none())
        });
        visited.map_err(OutcomeError::Failed)?;
        stop.map_or(Ok(outcomes), Err)
    }
}
