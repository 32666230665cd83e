//! Rewards step by step, and their discounted sums.

use goalspec_core::resource::game::TeamId;

use crate::simulator::Simulator;
use crate::state::State;

/// The discounted returns of one game.
///
/// A game says what a team has earned as a level, which can be asked at any time. The *step reward* of a turn, whoever's turn it is, is
/// that level after the turn less the level before it. The *return* is the sum of the step rewards, that of turn `t`, from 0, times
/// `discount` to the power of `t`: with a discount of 1, the level at the end less the level at the beginning.
#[derive(Debug, Clone)]
pub struct Returns {
    discount: f64,
    factor: f64,
    levels: Vec<Option<f64>>,
    sums: Vec<Option<f64>>,
}

impl Returns {
    /// No game so far.
    pub fn new(discount: f64) -> Self {
        Self { discount, factor: 1.0, levels: Vec::new(), sums: Vec::new() }
    }

    /// Begins a game.
    pub fn begin(&mut self, simulator: &Simulator, state: &mut State) {
        self.factor = 1.0;
        self.levels = levels(simulator, state);
        self.sums = self.levels.iter().map(|level| level.map(|_| 0.0)).collect();
    }

    /// Adds a turn; `state` is that after it.
    pub fn turn(&mut self, simulator: &Simulator, state: &mut State) {
        let levels = levels(simulator, state);
        for ((sum, before), after) in self.sums.iter_mut().zip(&self.levels).zip(&levels) {
            *sum = sum.zip(step(*before, *after)).map(|(sum, step)| sum + self.factor * step);
        }
        self.factor *= self.discount;
        self.levels = levels;
    }

    /// The returns so far, in the order of the teams; `None` for a team whose level was no number at some time.
    pub fn of_teams(&self) -> Vec<Option<f64>> {
        self.sums.clone()
    }
}

/// What the teams have earned, in their order; `None` where that is no number, or the game does not say.
pub(crate) fn levels(simulator: &Simulator, state: &mut State) -> Vec<Option<f64>> {
    (0..simulator.game().teams.len()).map(|team| simulator.reward(state, TeamId::from(team)).ok()).collect()
}

/// The step reward between two levels.
pub(crate) fn step(before: Option<f64>, after: Option<f64>) -> Option<f64> {
    before.zip(after).map(|(before, after)| after - before)
}
