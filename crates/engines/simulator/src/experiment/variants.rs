//! Games with values that vary from game to game.

use std::sync::Arc;

use goalspec_resource::value::Value;

use crate::simulator::Simulator;

/// A game with values that vary: the values of each game of a seed, and the compiled games with these values.
pub trait GameVariants: Send + Sync {
    /// The error of a variant that cannot be played.
    type Error: Send;

    /// Returns the number of values that vary.
    fn variables(&self) -> usize;

    /// Draws the values for a game. Equal calls return equal values.
    ///
    /// # Errors
    /// If the values cannot be drawn.
    fn sample(&self, seed: u64, index: u64) -> Result<SampledValues, Self::Error>;

    /// Returns the compiled game with these values. It has the teams, choices, metrics, nodes and resources of the game that the
    /// experiment is on.
    ///
    /// # Errors
    /// If there is no playable game with these values.
    fn simulator(&self, sampled: &SampledValues) -> Result<Simulator, Self::Error>;
}

/// The values drawn for a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SampledValues {
    /// A key that is equal for equal values.
    pub key: Arc<str>,
    /// The values, in the order of the variables.
    pub values: Arc<[Value]>,
}
