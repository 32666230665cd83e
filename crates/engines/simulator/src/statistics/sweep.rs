//! Parameter sweeps: values sampled for each game.

use goalspec_resource::random::RandomStream;
use goalspec_resource::space::{SampleError, Space};
use goalspec_resource::value::Value;

/// A mask on the seed that separates the streams of sweeps from those of games.
const SWEEP_SEED_MASK: u64 = 0x5377_6565_7056_616c;

/// The sampling frequency of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SamplingFrequency {
    /// New values for every game.
    #[default]
    Game,
    /// One set of values for all games of the seed.
    Seed,
}

/// A parameter sweep: values sampled for games. The values are determined by the seed and the index of the game, so each game can
/// be replayed on its own, and a game draws the same random numbers with and without a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSweep {
    /// The spaces to sample from, in order.
    pub spaces: Vec<Space>,
    /// The sampling frequency.
    pub each: SamplingFrequency,
}

impl ParameterSweep {
    /// Samples the values for a game.
    ///
    /// # Errors
    /// If one of the spaces cannot be sampled.
    pub fn values(&self, seed: u64, index: u64) -> Result<Vec<Value>, SampleError> {
        let index = match self.each {
            SamplingFrequency::Game => index,
            SamplingFrequency::Seed => 0,
        };
        let mut stream = RandomStream::new(seed ^ SWEEP_SEED_MASK, index);
        self.spaces.iter().map(|space| space.sample(&mut stream)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{ParameterSweep, SampleError, SamplingFrequency, Space, Value};

    #[test]
    fn values_are_of_the_game_or_of_the_batch() {
        let spaces = vec![Space::RealRange { min: 1.0, max: 5.0 }, Space::IntRange { min: 1, max: 6 }];
        let mut sweep = ParameterSweep { spaces, each: SamplingFrequency::Game };
        let first = sweep.values(3, 0).unwrap();
        assert!(sweep.spaces.iter().zip(&first).all(|(space, value)| space.contains(value)), "{first:?}");
        assert_eq!(sweep.values(3, 0).unwrap(), first);
        assert_ne!(sweep.values(3, 1).unwrap(), first);
        assert_ne!(sweep.values(4, 0).unwrap(), first);
        sweep.each = SamplingFrequency::Seed;
        assert_eq!([sweep.values(3, 0).unwrap(), sweep.values(3, 9).unwrap()], [first.clone(), first]);
        sweep.spaces.push(Space::FreeInt);
        assert_eq!(sweep.values(3, 0), Err(SampleError::Unbounded));
    }

    #[test]
    fn draws_are_not_those_of_the_game() {
        let sweep =
            ParameterSweep { spaces: vec![Space::RealRange { min: 0.0, max: 1.0 }], each: SamplingFrequency::Game };
        let mut stream = super::RandomStream::new(3, 0);
        assert_ne!(sweep.values(3, 0).unwrap(), [Value::Real(stream.uniform())]);
    }
}
