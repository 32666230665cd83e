//! Step rewards and discounted returns.

use goalspec_resource::game::TeamId;

use crate::simulator::Simulator;
use crate::state::State;

/// The discounted returns of one game.
///
/// The reward that a game defines for a team is a level, which can be evaluated in any state. The *step reward* of a turn,
/// whichever team moves, is the level after the turn minus the level before it. The *return* is the sum over turns `t = 0, 1, ..`
/// of `discount`^`t` times the step reward; with a discount of 1, it is the final level minus the initial level.
#[derive(Debug, Clone)]
pub struct Returns {
    discount: f64,
    factor: f64,
    levels: Vec<Option<f64>>,
    sums: Vec<Option<f64>>,
}

impl Returns {
    /// Creates an accumulator without a game.
    pub fn new(discount: f64) -> Self {
        Self { discount, factor: 1.0, levels: Vec::new(), sums: Vec::new() }
    }

    /// Begins a game in its initial state.
    pub fn begin(&mut self, simulator: &Simulator, state: &mut State) {
        self.factor = 1.0;
        self.levels = levels(simulator, state);
        self.sums = self.levels.iter().map(|level| level.map(|_| 0.0)).collect();
    }

    /// Adds a turn; `state` is the state after it.
    pub fn turn(&mut self, simulator: &Simulator, state: &mut State) {
        let levels = levels(simulator, state);
        for ((sum, before), after) in self.sums.iter_mut().zip(&self.levels).zip(&levels) {
            *sum = sum.zip(step(*before, *after)).map(|(sum, step)| sum + self.factor * step);
        }
        self.factor *= self.discount;
        self.levels = levels;
    }

    /// Returns the returns so far, in the order of the teams; `None` for a team whose reward was not a number in some state.
    pub fn of_teams(&self) -> Vec<Option<f64>> {
        self.sums.clone()
    }
}

/// Returns the reward levels of the teams, in the order of the teams; `None` if a level is not a number or the game defines none.
pub(crate) fn levels(simulator: &Simulator, state: &mut State) -> Vec<Option<f64>> {
    (0..simulator.game().teams.len()).map(|team| simulator.reward(state, TeamId::from(team)).ok()).collect()
}

/// Returns the step reward between two levels.
pub(crate) fn step(before: Option<f64>, after: Option<f64>) -> Option<f64> {
    before.zip(after).map(|(before, after)| after - before)
}

/// Returns the reward level of a team in an environment: 0 if the game defines none, and NaN if it is not a number.
pub(crate) fn level(simulator: &Simulator, state: &mut State, team: TeamId) -> f64 {
    if simulator.compiled().rewards.value(team).is_none() {
        return 0.0;
    }
    simulator.reward(state, team).unwrap_or(f64::NAN)
}
