//! Parameter sweeps: values sampled for each game.

use goalspec_resource::random::Stream;
use goalspec_resource::space::{SampleError, Space};
use goalspec_resource::value::Value;

/// A mask on the seed that separates the streams of sweeps from those of games.
const APART: u64 = 0x5377_6565_7056_616c;

/// The sampling frequency of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Each {
    /// New values for every game.
    #[default]
    Game,
    /// One set of values for all games of the seed.
    Batch,
}

/// A parameter sweep: values sampled for games. The values are determined by the seed and the index of the game, so each game can
/// be replayed on its own, and a game draws the same random numbers with and without a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The spaces to sample from, in order.
    pub spaces: Vec<Space>,
    /// The sampling frequency.
    pub each: Each,
}

impl Sweep {
    /// Samples the values for a game.
    ///
    /// # Errors
    /// If one of the spaces cannot be sampled.
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
