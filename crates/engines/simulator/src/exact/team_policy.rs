//! The policies of teams in a model.

use std::collections::HashMap;
use std::ops::Range;

use goalspec_resource::game::{Choice, Parameter, TeamId};
use goalspec_resource::interpret::mask::ParameterAssignment;
use goalspec_resource::rules;
use goalspec_resource::space::{SampleError, Space};
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use super::draws;
use super::error::{AnalysisError, DrawLocation, ParameterDomain};
use crate::lookahead::MoveSuitability;
use crate::policy::greedy::{MAX_MOVES, moves_of, sampling_distribution, unit_weights};
use crate::policy::random::MAX_TRIES;
use crate::policy::simple::NamedMove;
use crate::policy::{ConstantPolicy, GreedyPolicy, NothingPolicy, Policy, PolicyError, TablePolicy, TeamView};
use crate::simulator::Simulator;
use crate::state::State;

/// The policy of a team: a function of the state alone.
#[derive(Debug, Clone)]
pub enum TeamPolicy {
    /// Unspecified: any of its choices with any parameter values, where sets list their labels in order of declaration. A pass is
    /// possible only as one of the choices, or if there are no choices.
    Unspecified,
    /// As [`NothingPolicy`].
    Nothing,
    /// As [`RandomPolicy`](crate::policy::RandomPolicy).
    Random,
    /// As [`MaskedRandomPolicy`](crate::policy::MaskedRandomPolicy), on the observation of the team or on the true state.
    MaskedRandom(rules::Perspective),
    /// As [`StationaryPolicy`](super::StationaryPolicy).
    Always(NamedMove),
    /// As [`TablePolicy`].
    Table(TablePolicy),
    /// As [`GreedyPolicy`], on the observation of the team or on the true state, provided that it draws no random numbers.
    Greedy(rules::Perspective),
}

/// A decision of a team in a state.
pub(crate) struct Decision {
    /// The index of the move in [`PolicyModel::moves`]; `None` if the plan determines the moves.
    pub(crate) move_index: Option<u32>,
    /// The moves with their probabilities.
    pub(crate) mix: Vec<(Move, f64)>,
}

/// A team with its plan.
pub(crate) struct PolicyModel {
    team: TeamId,
    play: MoveRule,
    pub(crate) moves: Vec<Move>,
    /// The probability of the parameter values of each move when they are drawn at random.
    shares: Vec<f64>,
    /// For each choice, the range of its moves.
    ranges: Vec<Range<usize>>,
}

enum MoveRule {
    Free,
    Random,
    Masked(rules::Perspective),
    Policy(Box<dyn Policy + Send>),
}

impl PolicyModel {
    pub(crate) fn new(simulator: &Simulator, team: TeamId, plan: &TeamPolicy) -> Result<Self, AnalysisError> {
        let info = &simulator.game().teams[team.index()];
        let model = match plan {
            TeamPolicy::Unspecified => MoveRule::Free,
            TeamPolicy::Random => MoveRule::Random,
            TeamPolicy::MaskedRandom(view) => MoveRule::Masked(*view),
            TeamPolicy::Nothing => MoveRule::Policy(Box::new(NothingPolicy)),
            TeamPolicy::Always(named) => MoveRule::Policy(Box::new(ConstantPolicy(named.clone()))),
            TeamPolicy::Table(table) => MoveRule::Policy(Box::new(table.clone())),
            TeamPolicy::Greedy(view) => MoveRule::Policy(Box::new(GreedyPolicy(*view))),
        };
        if matches!(plan, TeamPolicy::MaskedRandom(_) | TeamPolicy::Greedy(_))
            && let Some(draw) = draws::of_masks(simulator, team)
        {
            return Err(AnalysisError::UnsupportedDraw(draw));
        }
        let mut player = Self { team, play: model, moves: Vec::new(), shares: Vec::new(), ranges: Vec::new() };
        if !matches!(player.play, MoveRule::Policy(_)) {
            player.list(simulator, &info.choices)?;
        }
        Ok(player)
    }

    fn list(&mut self, simulator: &Simulator, choices: &[Choice]) -> Result<(), AnalysisError> {
        let team = &simulator.game().teams[self.team.index()].name;
        let free = self.is_free();
        let moves =
            moves_of(
                choices,
                |space, limit| if free { unit_weights(space, limit) } else { sampling_distribution(space, limit) },
            );
        let moves = moves.map_err(|error| match error {
            PolicyError::NonEnumerableParameter { choice, parameter } => {
                let info = choices.iter().filter(|known| known.name == choice).flat_map(|known| &known.parameters);
                let space = info.filter(|known| known.name == parameter).map(|known| &known.space).next();
                let values = match space {
                    Some(Space::RealRange { .. } | Space::Normal { .. }) => ParameterDomain::Continuous,
                    Some(Space::FreeText | Space::FreeInt | Space::FreeReal) => ParameterDomain::Unbounded,
                    _ => ParameterDomain::Many { limit: MAX_MOVES },
                };
                AnalysisError::NonEnumerableParameter { team: team.clone(), choice, parameter, values }
            }
            error => AnalysisError::PolicyFailed { team: team.clone(), error },
        })?;
        (self.moves, self.shares) = moves.into_iter().unzip();
        let mut at = 0;
        for (place, choice) in choices.iter().enumerate() {
            let of_choice = |chosen: &&Move| matches!(chosen, Move::Choose(id, _) if id.index() == place);
            let count = self.moves[at..].iter().take_while(of_choice).count();
            // Drawing from an empty space is an error for random policies; a team without a plan cannot make such a choice.
            if count == 0
                && !matches!(self.play, MoveRule::Free)
                && let Some(parameter) = choice.parameters.first()
            {
                let parameter = parameter.name.clone();
                let error = PolicyError::NoValue { choice: choice.name.clone(), parameter, reason: SampleError::Empty };
                return Err(AnalysisError::PolicyFailed { team: team.clone(), error });
            }
            self.ranges.push(at..at + count);
            at += count;
        }
        Ok(())
    }

    /// Whether the team has no plan.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.play, MoveRule::Free)
    }

    /// Returns the decisions of the team in a state where it is to move.
    pub(crate) fn decisions(&mut self, simulator: &Simulator, state: &State) -> Result<Vec<Decision>, AnalysisError> {
        let name = || simulator.game().teams[self.team.index()].name.clone();
        let mix = match &mut self.play {
            MoveRule::Free if self.moves.is_empty() => vec![(Move::Pass, 1.0)],
            MoveRule::Free => {
                let moves = self.moves.iter().enumerate();
                let one = |(place, chosen): (usize, &Move)| Decision {
                    move_index: Some(place as u32),
                    mix: vec![(chosen.clone(), 1.0)],
                };
                return Ok(moves.map(one).collect());
            }
            MoveRule::Random if self.ranges.is_empty() => {
                return Err(AnalysisError::PolicyFailed { team: name(), error: PolicyError::NoChoices });
            }
            MoveRule::Random => {
                let probability = 1.0 / self.ranges.len() as f64;
                let weighted = |range: &Range<usize>| {
                    let moves = self.moves[range.clone()].iter().zip(&self.shares[range.clone()]);
                    moves.map(move |(chosen, share)| (chosen.clone(), probability * share))
                };
                self.ranges.iter().flat_map(weighted).collect()
            }
            MoveRule::Masked(view) => {
                let view = *view;
                self.masked(simulator, &simulator.state_from(state, self.team, view))
            }
            MoveRule::Policy(policy) => {
                let (mut observed, mut chosen) = (state.clone(), Move::Pass);
                let done = policy.choose(&mut TeamView::new(simulator, &mut observed), &mut chosen);
                done.map_err(|error| AnalysisError::PolicyFailed { team: name(), error })?;
                if observed.stream != state.stream {
                    return Err(AnalysisError::UnsupportedDraw(DrawLocation::Policy(name())));
                }
                vec![(chosen, 1.0)]
            }
        };
        Ok(vec![Decision { move_index: None, mix }])
    }

    /// Returns the moves of [`MaskedRandomPolicy`](crate::policy::MaskedRandomPolicy) in a state, with their probabilities.
    fn masked(&self, simulator: &Simulator, observed: &State) -> Vec<(Move, f64)> {
        let c = simulator.compiled();
        let valid: Vec<(usize, &Range<usize>)> = self
            .ranges
            .iter()
            .enumerate()
            .filter(|(place, _)| observed.is_valid_choice(c, self.team, *place))
            .collect();
        if valid.is_empty() {
            return vec![(Move::Pass, 1.0)];
        }
        let mut mix = Vec::new();
        for (place, range) in &valid {
            let (moves, shares) = (&self.moves[(*range).clone()], &self.shares[(*range).clone()]);
            let probability = 1.0 / valid.len() as f64;
            if let [Move::Choose(_, values)] = moves
                && values.is_empty()
            {
                mix.push((moves[0].clone(), probability));
                continue;
            }
            let suitability: Vec<MoveSuitability> =
                moves.iter().map(|chosen| observed.suits(c, self.team, chosen)).collect();
            let mut factors = retry_factors(&suitability, shares);
            if suitability.contains(&MoveSuitability::Invalid) {
                let arguments = observed.valid_arguments(c, self.team, *place);
                let parameters = &simulator.game().teams[self.team.index()].choices[*place].parameters;
                redistribute_invalid(&mut factors, &suitability, shares, &groups(parameters, moves, &arguments));
            }
            for ((chosen, share), factor) in moves.iter().zip(shares).zip(factors) {
                if factor > 0.0 {
                    mix.push((chosen.clone(), probability * share * factor));
                }
            }
        }
        mix
    }
}

/// Returns for each move the ratio of the probability that it is made to its probability in one draw. Values are drawn up to
/// [`MAX_TRIES`] times until they suit; otherwise valid moves take precedence over invalid ones.
fn retry_factors(suitability: &[MoveSuitability], shares: &[f64]) -> Vec<f64> {
    let share_of = |expected: MoveSuitability| -> f64 {
        suitability
            .iter()
            .zip(shares)
            .filter(|(suitability, _)| **suitability == expected)
            .map(|(_, share)| share)
            .sum()
    };
    let all_of = |share: f64| (0..MAX_TRIES).fold(1.0, |all, _| all * share);
    let [acts, idle, invalid] =
        [MoveSuitability::Effective, MoveSuitability::NoVector, MoveSuitability::Invalid].map(share_of);
    let (none_acts, none_valid) = (all_of(idle + invalid), all_of(invalid));
    let factor = |suitability: &MoveSuitability| match suitability {
        MoveSuitability::Effective => (1.0 - none_acts) / acts,
        MoveSuitability::NoVector => (none_acts - none_valid) / idle,
        MoveSuitability::Invalid => none_valid / invalid,
    };
    suitability.iter().map(factor).collect()
}

/// Returns for each move the index of its parameter values in `arguments`, if any. Every assignment is expected to have moves.
fn groups(parameters: &[Parameter], moves: &[Move], arguments: &[ParameterAssignment]) -> Vec<Option<usize>> {
    let Some(first) = arguments.first() else { return vec![None; moves.len()] };
    let is_read: Vec<bool> =
        parameters.iter().map(|parameter| first.iter().any(|(name, _)| *name == parameter.name)).collect();
    // Both are in the order of the parameters.
    let key = |values: &mut dyn Iterator<Item = &Value>| format!("{:?}", values.collect::<Vec<_>>());
    let places: HashMap<String, usize> = arguments
        .iter()
        .enumerate()
        .map(|(place, arguments)| (key(&mut arguments.iter().map(|(_, value)| value)), place))
        .collect();
    let group = |chosen: &Move| {
        let Move::Choose(_, values) = chosen else { return None };
        let mut read = values.iter().zip(&is_read).filter(|(_, is_read)| **is_read).map(|(value, _)| value);
        places.get(&key(&mut read)).copied()
    };
    moves.iter().map(group).collect()
}

/// Transfers the probability of invalid moves to valid ones: a uniformly random valid assignment replaces the parameters that the
/// requirement reads, and the other parameters keep their drawn values. Changes nothing if there is no valid assignment.
fn redistribute_invalid(
    factors: &mut [f64],
    suitability: &[MoveSuitability],
    shares: &[f64],
    groups: &[Option<usize>],
) {
    let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
    let mut share_of = vec![0.0; count];
    let mut invalid = 0.0;
    for ((group, share), suitability) in groups.iter().zip(shares).zip(suitability) {
        match group {
            Some(group) => share_of[*group] += share,
            None if *suitability == MoveSuitability::Invalid => invalid += share,
            None => {}
        }
    }
    if count == 0 {
        return;
    }
    let left = (0..MAX_TRIES).fold(1.0, |all, _| all * invalid) / count as f64;
    for ((factor, group), suitability) in factors.iter_mut().zip(groups).zip(suitability) {
        match group {
            Some(group) => *factor += left / share_of[*group],
            None if *suitability == MoveSuitability::Invalid => *factor = 0.0,
            None => {}
        }
    }
}
