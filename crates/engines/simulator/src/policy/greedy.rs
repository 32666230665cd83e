//! The choice with the greatest expected reward one turn ahead.

use goalspec_core::resource::compute::Compute;
use goalspec_core::resource::expression::Numeric as Node;
use goalspec_core::resource::game::{ActionId, Choice, Outcome, Parameter};
use goalspec_core::resource::random::Stream;
use goalspec_core::resource::space::Space;
use goalspec_core::resource::turn::{Move, Turn};
use goalspec_core::resource::value::Value;

use super::{Policy, PolicyError, View, failed};
use crate::simulator::Simulator;
use crate::state::State;

/// How many moves are looked at in a turn; a team with more, or with parameters that are not limited, is an error.
pub const MAX_MOVES: usize = 4096;
/// Into how many futures a move may branch and still be weighed exactly.
pub const MAX_FUTURES: usize = 4096;
/// How many futures are drawn of a move that branches into more, or that draws numbers in expressions or in code.
pub const SAMPLES: u64 = 64;

/// Makes the move after which the team's reward is expected to be greatest; the first of several, in the order of the choices and
/// of the values of their parameters.
///
/// The expectation is over what may come of the move in this turn, not over what others do later. It is exact where consequences
/// and vectors branch into at most [`MAX_FUTURES`] futures; otherwise it is the mean of [`SAMPLES`] futures, for which one number is
/// drawn from the stream of the game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy;

impl Policy for Greedy {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let mut best: Option<(f64, Move)> = None;
        for candidate in moves(view.choices())? {
            let expected = view.expected_reward(&candidate)?;
            if best.as_ref().is_none_or(|(reward, _)| expected > *reward) {
                best = Some((expected, candidate));
            }
        }
        *chosen = best.ok_or(PolicyError::NoChoices)?.1;
        Ok(())
    }
}

/// Every move of a team that chooses from these, in their order.
pub(crate) fn moves(choices: &[Choice]) -> Result<Vec<Move>, PolicyError> {
    let mut moves = Vec::new();
    for (place, choice) in choices.iter().enumerate() {
        let mut values: Vec<Vec<Value>> = vec![Vec::new()];
        for parameter in &choice.parameters {
            let limit = MAX_MOVES / values.len().max(1);
            let members = members(&parameter.space, limit).ok_or_else(|| unlimited(&choice.name, parameter))?;
            let extended = values
                .iter()
                .flat_map(|begun| members.iter().map(|member| begun.iter().cloned().chain([member.clone()]).collect()));
            values = extended.collect();
        }
        moves.extend(values.into_iter().map(|values| Move::Choose(place.into(), values)));
        if moves.len() > MAX_MOVES {
            return Err(PolicyError::TooManyMoves { limit: MAX_MOVES });
        }
    }
    Ok(moves)
}

fn unlimited(choice: &std::sync::Arc<str>, parameter: &Parameter) -> PolicyError {
    PolicyError::Unlimited { choice: choice.clone(), parameter: parameter.name.clone() }
}

/// The members of a space; `None` if they are not limited, or more than `limit`.
fn members(space: &Space, limit: usize) -> Option<Vec<Value>> {
    let members: Vec<Value> = match space {
        Space::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Space::IntRange { min, max } => {
            let count = (i64::from(*max) - i64::from(*min) + 1).max(0);
            if usize::try_from(count).map_or(true, |count| count > limit) {
                return None;
            }
            (*min..=*max).map(Value::Int).collect()
        }
        Space::IntEnum(members) => members.iter().copied().map(Value::Int).collect(),
        Space::RealEnum(members) => members.iter().copied().map(Value::Real).collect(),
        Space::TextEnum(members) => members.iter().cloned().map(Value::Text).collect(),
        Space::FreeText
        | Space::FreeInt
        | Space::FreeReal
        | Space::RealRange { .. }
        | Space::Normal { .. }
        | Space::Set(_) => return None,
    };
    (members.len() <= limit).then_some(members)
}

impl View<'_> {
    /// The reward that the team can expect right after a move: see [`Greedy`].
    ///
    /// # Errors
    /// If the move or the reward fails.
    pub fn expected_reward(&mut self, chosen: &Move) -> Result<f64, PolicyError> {
        let (simulator, team) = (self.simulator, self.team);
        if !draws(simulator, self, chosen) {
            let mut sum = 0.0;
            let mut count = 0;
            let c = simulator.compiled();
            let all = self.copy().futures(c, simulator.registry(), team, chosen, &mut |state: &mut State, weight| {
                count += 1;
                if count <= MAX_FUTURES {
                    sum += weight * simulator.reward(state, team)?;
                }
                Ok(count <= MAX_FUTURES)
            });
            if all.map_err(failed)? {
                return Ok(sum);
            }
        }
        self.sampled_reward(chosen)
    }

    fn sampled_reward(&mut self, chosen: &Move) -> Result<f64, PolicyError> {
        let seed = self.stream().bits();
        let mut sum = 0.0;
        let mut turn = Turn::default();
        for sample in 0..SAMPLES {
            let mut state = self.copy();
            state.stream = Stream::new(seed, sample);
            self.simulator.step(&mut state, chosen, &mut turn).map_err(failed)?;
            sum += self.simulator.reward(&mut state, self.team).map_err(failed)?;
        }
        Ok(sum / SAMPLES as f64)
    }
}

/// Whether what comes of a move draws numbers other than for consequences and vectors.
fn draws(simulator: &Simulator, view: &View<'_>, chosen: &Move) -> bool {
    let Move::Choose(choice, _) = chosen else { return false };
    let Some(action) = view.choices().get(choice.index()).and_then(|choice| choice.action) else { return false };
    action_draws(simulator, action)
}

fn action_draws(simulator: &Simulator, action: ActionId) -> bool {
    let consequences = &simulator.game().actions[action.index()].consequences;
    consequences.iter().any(|consequence| match &consequence.outcome {
        Outcome::Resources { compute, add, put } => {
            compute.iter().any(|computed| compute_draws(&computed.value))
                || add.iter().chain(put).any(|(_, value)| compute_draws(value))
        }
        Outcome::WithVectors { compute, add, .. } => {
            compute.iter().any(|computed| compute_draws(&computed.value))
                || add.iter().any(|(_, value)| compute_draws(value))
        }
        Outcome::MakeNodeVisible { .. } => false,
        Outcome::Custom { .. } => true,
    })
}

/// Whether a computation may draw a number.
pub(crate) fn compute_draws(compute: &Compute) -> bool {
    match compute {
        Compute::Calculate(formula) => {
            formula.expression.nodes().iter().any(|node| matches!(node, Node::Random | Node::RandomBetween(_)))
        }
        Compute::Condition(cases) => cases.iter().any(|case| compute_draws(&case.value)),
        Compute::Chain(from, _) => compute_draws(from),
        Compute::Constant(_)
        | Compute::Field(_)
        | Compute::CalculateBoolean(_)
        | Compute::Math(_)
        | Compute::Template(_)
        | Compute::FirstOf(_)
        | Compute::List(_) => false,
    }
}
