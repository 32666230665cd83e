//! The greedy policy with a lookahead of one turn.

use std::sync::Arc;

use goalspec_resource::game::{Choice, Parameter};
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules;
use goalspec_resource::space::Space;
use goalspec_resource::turn::{Move, TurnResult};
use goalspec_resource::value::{Labels, Value};

use super::{Policy, PolicyError, TeamView, failed};
use crate::draws::values_draw;
use crate::simulator::Simulator;
use crate::state::State;

/// The maximum number of moves evaluated per turn; more moves, or unbounded parameters, are an error.
pub const MAX_MOVES: usize = 4096;
/// The maximum number of outcomes of a move for an exact expectation.
pub const MAX_OUTCOMES: usize = 4096;
/// The number of sampled outcomes for a move with more outcomes, or with random numbers in expressions or custom results.
pub const LOOKAHEAD_SAMPLES: u64 = 64;

/// Plays the move that maximizes the expected reward of the team after this turn; ties are resolved in favor of the first, in the
/// order of the choices and of their parameter values.
///
/// The expectation is over the outcomes of the move, not over later moves. It is exact if consequences and vectors branch into at
/// most [`MAX_OUTCOMES`] outcomes; otherwise it is the mean over [`LOOKAHEAD_SAMPLES`] sampled outcomes, seeded by one number from the
/// stream of the game.
///
/// The lookahead starts from the observation of the team, or from the true state with [`Perspective::TrueState`](goalspec_resource::rules::Perspective::TrueState).
#[derive(Debug, Clone, Copy)]
pub struct GreedyPolicy(pub rules::Perspective);

impl Default for GreedyPolicy {
    fn default() -> Self {
        Self(rules::Perspective::Observation)
    }
}

impl Policy for GreedyPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let from = view.lookahead_state(self.0);
        let mut best: Option<(f64, Move)> = None;
        for candidate in moves(view.choices())? {
            let expected = view.expected_from(&from, &candidate)?;
            if best.as_ref().is_none_or(|(reward, _)| expected > *reward) {
                best = Some((expected, candidate));
            }
        }
        *chosen = best.ok_or(PolicyError::NoChoices)?.1;
        Ok(())
    }
}

/// Returns all moves of a team with these choices, in order.
fn moves(choices: &[Choice]) -> Result<Vec<Move>, PolicyError> {
    Ok(moves_of(choices, unit_weights)?.into_iter().map(|(chosen, _)| chosen).collect())
}

/// Returns all moves of a team with these choices, in order, each with the product of the weights of its values. `members`
/// returns the values of a space with their weights, or `None` if they exceed the limit.
pub(crate) fn moves_of(
    choices: &[Choice],
    members: impl Fn(&Space, usize) -> Option<Vec<(Value, f64)>>,
) -> Result<Vec<(Move, f64)>, PolicyError> {
    let mut moves = Vec::new();
    for (place, choice) in choices.iter().enumerate() {
        let mut values: Vec<(Vec<Value>, f64)> = vec![(Vec::new(), 1.0)];
        for parameter in &choice.parameters {
            let limit = MAX_MOVES / values.len().max(1);
            let members = members(&parameter.space, limit).ok_or_else(|| unlimited(&choice.name, parameter))?;
            let extended = values.iter().flat_map(|(partial, weight)| {
                members.iter().map(move |(member, share)| {
                    (partial.iter().cloned().chain([member.clone()]).collect(), weight * share)
                })
            });
            values = extended.collect();
        }
        moves.extend(values.into_iter().map(|(values, weight)| (Move::Choose(place.into(), values), weight)));
        if moves.len() > MAX_MOVES {
            return Err(PolicyError::TooManyMoves { limit: MAX_MOVES });
        }
    }
    Ok(moves)
}

/// Returns the members of a space, each with weight 1; `None` if they are unbounded or exceed `limit`.
pub(crate) fn unit_weights(space: &Space, limit: usize) -> Option<Vec<(Value, f64)>> {
    Some(space.members(limit)?.into_iter().map(|member| (member, 1.0)).collect())
}

/// Returns the values sampled from a space with their probabilities; `None` if they are unbounded or exceed `limit`. Sets are
/// listed in every order in which they can be drawn.
pub(crate) fn sampling_distribution(space: &Space, limit: usize) -> Option<Vec<(Value, f64)>> {
    let Space::Set(labels) = space else {
        let members = space.members(limit)?;
        let share = 1.0 / members.len() as f64;
        return Some(members.into_iter().map(|member| (member, share)).collect());
    };
    // All lengths except the full one are equally likely, and so are all permutations of the same length.
    let lengths = labels.len().max(1);
    let mut count = 0_usize;
    let mut of_length = 1_usize;
    for length in 0..lengths {
        count = count.saturating_add(of_length);
        if count > limit {
            return None;
        }
        of_length = of_length.saturating_mul(labels.len() - length);
    }
    let mut all = Vec::with_capacity(count);
    let mut orders = vec![Labels::default()];
    for _ in 0..lengths {
        let share = 1.0 / (lengths * orders.len()) as f64;
        all.extend(orders.iter().map(|order| (Value::Set(Arc::new(order.clone())), share)));
        orders = orders.iter().flat_map(|order| longer(order, labels)).collect();
    }
    Some(all)
}

/// Returns the extensions of a permutation by each of the remaining labels.
fn longer(order: &Labels, labels: &Labels) -> Vec<Labels> {
    let others = labels.iter().filter(|label| !order.contains(*label)).cloned();
    others.map(|label| order.iter().cloned().chain([label]).collect()).collect()
}

fn unlimited(choice: &Arc<str>, parameter: &Parameter) -> PolicyError {
    PolicyError::NonEnumerableParameter { choice: choice.clone(), parameter: parameter.name.clone() }
}

impl TeamView<'_> {
    /// Returns the expected reward of the team immediately after a move, from the observed or the true state: see [`GreedyPolicy`].
    ///
    /// # Errors
    /// If the move or the reward fails.
    pub fn expected_reward(&mut self, chosen: &Move, view: rules::Perspective) -> Result<f64, PolicyError> {
        self.expected_from(&self.lookahead_state(view), chosen)
    }

    fn expected_from(&mut self, from: &State, chosen: &Move) -> Result<f64, PolicyError> {
        let (simulator, team) = (self.simulator, self.team);
        if !move_draws(simulator, self, chosen) {
            let mut sum = 0.0;
            let mut count = 0;
            let c = simulator.compiled();
            let all = from.clone().for_each_outcome(
                c,
                simulator.registry(),
                team,
                chosen,
                &mut |state: &mut State, weight| {
                    count += 1;
                    if count <= MAX_OUTCOMES {
                        sum += weight * simulator.reward(state, team)?;
                    }
                    Ok(count <= MAX_OUTCOMES)
                },
            );
            if all.map_err(failed)? {
                return Ok(sum);
            }
        }
        self.sampled_reward(from, chosen)
    }

    fn sampled_reward(&mut self, from: &State, chosen: &Move) -> Result<f64, PolicyError> {
        let seed = self.stream().next_u64();
        let mut sum = 0.0;
        let mut turn = TurnResult::default();
        for sample in 0..LOOKAHEAD_SAMPLES {
            let mut state = from.clone();
            state.stream = RandomStream::new(seed, sample);
            self.simulator.step(&mut state, chosen, &mut turn).map_err(failed)?;
            sum += self.simulator.reward(&mut state, self.team).map_err(failed)?;
        }
        Ok(sum / LOOKAHEAD_SAMPLES as f64)
    }
}

/// Whether a move draws random numbers other than for consequences and vectors.
fn move_draws(simulator: &Simulator, view: &TeamView<'_>, chosen: &Move) -> bool {
    let Move::Choose(choice, _) = chosen else { return false };
    let Some(action) = view.choices().get(choice.index()).and_then(|choice| choice.action) else { return false };
    let consequences = &simulator.game().actions[action.index()].consequences;
    consequences.iter().any(|consequence| values_draw(&consequence.outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_as_they_are_drawn() {
        let space = Space::Set(["x", "y", "z"].into_iter().map(Into::into).collect());
        let distribution = sampling_distribution(&space, 10).unwrap();
        // The empty set with probability 1/3, three singletons with 1/9 each, and six ordered pairs with 1/18 each.
        assert_eq!(distribution.len(), 10);
        for (value, share) in &distribution {
            let Value::Set(labels) = value else { panic!("{value}") };
            assert!((share - [1.0 / 3.0, 1.0 / 9.0, 1.0 / 18.0][labels.len()]).abs() < 1e-15);
            let mut stream = RandomStream::new(1, 0);
            let is_drawn = (0..2000).any(|_| {
                let Ok(Value::Set(other)) = space.sample(&mut stream) else { return false };
                labels.iter().eq(other.iter())
            });
            assert!(is_drawn, "{value}");
        }
        assert_eq!(super::sampling_distribution(&space, 9), None);
        assert_eq!(super::sampling_distribution(&Space::Set(Labels::default()), 1), Some(vec![(Value::set([]), 1.0)]));
        assert_eq!(space.members(8).map(|members| members.len()), Some(8));
        assert_eq!(space.members(7), None);
    }
}
