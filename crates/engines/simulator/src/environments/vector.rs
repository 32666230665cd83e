//! Steps of all environments with arrays of numbers.

use goalspec_resource::game::TeamId;

use super::{EnvironmentError, Environments, GameStatus};

/// The step in which the next game of an environment begins after the end of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    /// The step after the end, which ignores the action and has no reward.
    NextStep,
    /// The same step, whose observation is then that of the next game.
    SameStep,
}

/// The arrays that a step writes, with a row for each environment.
#[derive(Debug)]
pub struct StepArrays<'a> {
    /// Observations: rows of the width of the layout.
    pub observations: &'a mut [f32],
    /// Masks of actions: rows of the number of actions.
    pub masks: &'a mut [i8],
    /// Step rewards.
    pub rewards: &'a mut [f64],
    /// Whether the game is over.
    pub terminated: &'a mut [bool],
    /// Whether the game is truncated.
    pub truncated: &'a mut [bool],
    /// The number of values outside their declared spaces that were written.
    pub out_of_bounds: &'a mut [u32],
}

/// The final states of the games that ended in a step with [`Autoreset::SameStep`], one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FinalStates {
    /// The environments.
    pub places: Vec<usize>,
    /// The observations.
    pub observations: Vec<f32>,
    /// The masks of actions.
    pub masks: Vec<i8>,
}

impl Environments {
    /// Steps all environments, each of which has the learning agent of the same team, with one action each.
    ///
    /// # Errors
    /// If a game or a policy fails; the environments after it are not stepped then.
    ///
    /// # Panics
    /// If an array has not a row for each environment, or the team has no such action.
    pub fn step_all(
        &mut self,
        actions: &[usize],
        autoreset: Autoreset,
        arrays: StepArrays<'_>,
    ) -> Result<FinalStates, EnvironmentError> {
        let StepArrays { observations, masks, rewards, terminated, truncated, out_of_bounds } = arrays;
        let (mut finals, team) = (FinalStates::default(), self.team(0));
        let (width, count) = self.row_widths(team);
        for (place, &action) in actions.iter().enumerate() {
            let observation = &mut observations[place * width..][..width];
            let mask = &mut masks[place * count..][..count];
            if autoreset == Autoreset::NextStep && self.games[place].end_reported {
                self.next_game(place)?;
                (rewards[place], terminated[place], truncated[place]) = (0.0, false, false);
                out_of_bounds[place] = self.games[place].out_of_bounds;
                self.write(place, team, observation, mask);
                continue;
            }
            self.step(place, action)?;
            let game = &self.games[place];
            out_of_bounds[place] = game.out_of_bounds;
            rewards[place] = game.rewards[team.index()];
            terminated[place] = game.status == GameStatus::Completed;
            truncated[place] = game.status == GameStatus::Truncated;
            if autoreset == Autoreset::SameStep && game.status != GameStatus::Running {
                finals.places.push(place);
                let (of_observations, of_masks) = (finals.observations.len(), finals.masks.len());
                finals.observations.resize(of_observations + width, 0.0);
                finals.masks.resize(of_masks + count, 0);
                self.write(place, team, &mut finals.observations[of_observations..], &mut finals.masks[of_masks..]);
                self.next_game(place)?;
            }
            self.write(place, team, observation, mask);
        }
        Ok(finals)
    }

    /// Writes the observations and the masks of a team in all environments.
    ///
    /// # Panics
    /// If an array has not a row for each environment.
    pub fn write_all(&mut self, team: TeamId, observations: &mut [f32], masks: &mut [i8]) {
        let (width, count) = self.row_widths(team);
        let rows = observations.chunks_exact_mut(width.max(1)).zip(masks.chunks_exact_mut(count));
        for (place, (observation, mask)) in rows.enumerate() {
            self.write(place, team, observation, mask);
        }
    }

    /// Returns the lengths of the rows of observations and of masks.
    fn row_widths(&self, team: TeamId) -> (usize, usize) {
        (self.interface.layout.width(), self.interface.actions.of_team(team).len())
    }
}
