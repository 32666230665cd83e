//! Values that vary from game to game: what a parameter sweep draws.

use goalspec_core::resource::random::Stream;
use goalspec_core::resource::space::{SampleError, Space};
use goalspec_core::resource::value::Value;

/// Tells the streams that values are drawn from apart from those that games are played with, which are of the seed itself.
const APART: u64 = 0x5377_6565_7056_616c;

/// How often values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Each {
    /// For every game.
    #[default]
    Game,
    /// Once for all games of the seed.
    Batch,
}

/// Values that are drawn for games. What is drawn is given by the seed and the index of the game, so any game can be played again by
/// itself, and a game draws the same random numbers with and without a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// What is drawn from, in this order.
    pub spaces: Vec<Space>,
    /// How often.
    pub each: Each,
}

impl Sweep {
    /// The values for a game.
    ///
    /// # Errors
    /// If one of the spaces cannot be drawn from.
    pub fn values(&self, seed: u64, index: u64) -> Result<Vec<Value>, SampleError> {
        let index = match self.each {
            Each::Game => index,
            Each::Batch => 0,
        };
        let mut stream = Stream::new(seed ^ APART, index);
        self.spaces.iter().map(|space| space.sample(&mut stream)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Each, SampleError, Space, Sweep, Value};

    #[test]
    fn values_are_of_the_game_or_of_the_batch() {
        let spaces = vec![Space::RealRange { min: 1.0, max: 5.0 }, Space::IntRange { min: 1, max: 6 }];
        let mut sweep = Sweep { spaces, each: Each::Game };
        let first = sweep.values(3, 0).unwrap();
        assert!(sweep.spaces.iter().zip(&first).all(|(space, value)| space.contains(value)), "{first:?}");
        assert_eq!(sweep.values(3, 0).unwrap(), first);
        assert_ne!(sweep.values(3, 1).unwrap(), first);
        assert_ne!(sweep.values(4, 0).unwrap(), first);
        sweep.each = Each::Batch;
        assert_eq!([sweep.values(3, 0).unwrap(), sweep.values(3, 9).unwrap()], [first.clone(), first]);
        sweep.spaces.push(Space::FreeInt);
        assert_eq!(sweep.values(3, 0), Err(SampleError::Free));
    }

    #[test]
    fn draws_are_not_those_of_the_game() {
        let sweep = Sweep { spaces: vec![Space::RealRange { min: 0.0, max: 1.0 }], each: Each::Game };
        let mut stream = super::Stream::new(3, 0);
        assert_ne!(sweep.values(3, 0).unwrap(), [Value::Real(stream.uniform())]);
    }
}
