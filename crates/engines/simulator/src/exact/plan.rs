//! What is known of how teams play.

use std::ops::Range;

use goalspec_core::resource::game::{Choice, TeamId};
use goalspec_core::resource::space::{SampleError, Space};
use goalspec_core::resource::turn::Move;

use super::draws;
use super::refusal::{Draw, Refusal, Values};
use crate::policy::greedy::{MAX_MOVES, drawn, listed, moves_of};
use crate::policy::random::TRIES;
use crate::policy::simple::Named;
use crate::policy::{Always, Greedy, Nothing, Policy, PolicyError, Table, View};
use crate::simulator::Simulator;
use crate::state::State;

/// How a team plays: the same in equal states, whenever they come.
#[derive(Debug, Clone)]
pub enum Plan {
    /// As it likes: any of its choices, with any values of their parameters, sets in the order in which their labels are declared; a
    /// pass only where it is one of the choices, or there are none.
    Free,
    /// As [`Nothing`].
    Nothing,
    /// As [`Random`](crate::policy::Random).
    Random,
    /// As [`MaskedRandom`](crate::policy::MaskedRandom).
    MaskedRandom,
    /// As [`Always`].
    Always(Named),
    /// As [`Table`].
    Table(Table),
    /// As [`Greedy`], where that draws nothing.
    Greedy,
}

/// One of the things that a team may decide on in a state.
pub(crate) struct Decision {
    /// The place of the move in [`Player::moves`]; `None` where the plan decides.
    pub(crate) place: Option<u32>,
    /// Moves with their probabilities.
    pub(crate) mix: Vec<(Move, f64)>,
}

/// A team with its plan.
pub(crate) struct Player {
    team: TeamId,
    play: Play,
    pub(crate) moves: Vec<Move>,
    /// How likely the values of each move are when they are drawn.
    shares: Vec<f64>,
    /// For each choice, the places of its moves.
    ranges: Vec<Range<usize>>,
}

enum Play {
    Free,
    Random,
    Masked,
    Policy(Box<dyn Policy + Send>),
}

impl Player {
    pub(crate) fn new(simulator: &Simulator, team: TeamId, plan: &Plan) -> Result<Self, Refusal> {
        let info = &simulator.game().teams[team.index()];
        let how = match plan {
            Plan::Free => Play::Free,
            Plan::Random => Play::Random,
            Plan::MaskedRandom => Play::Masked,
            Plan::Nothing => Play::Policy(Box::new(Nothing)),
            Plan::Always(named) => Play::Policy(Box::new(Always(named.clone()))),
            Plan::Table(table) => Play::Policy(Box::new(table.clone())),
            Plan::Greedy => Play::Policy(Box::new(Greedy)),
        };
        if matches!(plan, Plan::MaskedRandom | Plan::Greedy)
            && let Some(draw) = draws::of_masks(simulator, team)
        {
            return Err(Refusal::Draw(draw));
        }
        let mut player = Self { team, play: how, moves: Vec::new(), shares: Vec::new(), ranges: Vec::new() };
        if !matches!(player.play, Play::Policy(_)) {
            player.list(simulator, &info.choices)?;
        }
        Ok(player)
    }

    fn list(&mut self, simulator: &Simulator, choices: &[Choice]) -> Result<(), Refusal> {
        let team = &simulator.game().teams[self.team.index()].name;
        let free = self.is_free();
        let moves = moves_of(choices, |space, limit| if free { listed(space, limit) } else { drawn(space, limit) });
        let moves = moves.map_err(|error| match error {
            PolicyError::Unlimited { choice, parameter } => {
                let info = choices.iter().filter(|known| known.name == choice).flat_map(|known| &known.parameters);
                let space = info.filter(|known| known.name == parameter).map(|known| &known.space).next();
                let values = match space {
                    Some(Space::RealRange { .. } | Space::Normal { .. }) => Values::Continuous,
                    Some(Space::FreeText | Space::FreeInt | Space::FreeReal) => Values::Free,
                    _ => Values::Many { limit: MAX_MOVES },
                };
                Refusal::Parameter { team: team.clone(), choice, parameter, values }
            }
            error => Refusal::Policy { team: team.clone(), error },
        })?;
        (self.moves, self.shares) = moves.into_iter().unzip();
        let mut at = 0;
        for (place, choice) in choices.iter().enumerate() {
            let of_choice = |chosen: &&Move| matches!(chosen, Move::Choose(id, _) if id.index() == place);
            let count = self.moves[at..].iter().take_while(of_choice).count();
            // Drawing from an empty space is an error of the policies that draw; who is free does not choose it.
            if count == 0
                && !matches!(self.play, Play::Free)
                && let Some(parameter) = choice.parameters.first()
            {
                let parameter = parameter.name.clone();
                let error = PolicyError::NoValue { choice: choice.name.clone(), parameter, reason: SampleError::Empty };
                return Err(Refusal::Policy { team: team.clone(), error });
            }
            self.ranges.push(at..at + count);
            at += count;
        }
        Ok(())
    }

    /// Whether the team plays as it likes.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self.play, Play::Free)
    }

    /// What the team may decide on in a state where it is its turn.
    pub(crate) fn decisions(&mut self, simulator: &Simulator, state: &State) -> Result<Vec<Decision>, Refusal> {
        let name = || simulator.game().teams[self.team.index()].name.clone();
        let mix = match &mut self.play {
            Play::Free if self.moves.is_empty() => vec![(Move::Pass, 1.0)],
            Play::Free => {
                let moves = self.moves.iter().enumerate();
                let one = |(place, chosen): (usize, &Move)| Decision {
                    place: Some(place as u32),
                    mix: vec![(chosen.clone(), 1.0)],
                };
                return Ok(moves.map(one).collect());
            }
            Play::Random if self.ranges.is_empty() => {
                return Err(Refusal::Policy { team: name(), error: PolicyError::NoChoices });
            }
            Play::Random => {
                let each = 1.0 / self.ranges.len() as f64;
                let weighted = |range: &Range<usize>| {
                    let moves = self.moves[range.clone()].iter().zip(&self.shares[range.clone()]);
                    moves.map(move |(chosen, share)| (chosen.clone(), each * share))
                };
                self.ranges.iter().flat_map(weighted).collect()
            }
            Play::Masked => self.masked(simulator, state),
            Play::Policy(policy) => {
                let (mut seen, mut chosen) = (state.clone(), Move::Pass);
                let done = policy.choose(&mut View::new(simulator, &mut seen), &mut chosen);
                done.map_err(|error| Refusal::Policy { team: name(), error })?;
                if seen.stream != state.stream {
                    return Err(Refusal::Draw(Draw::Policy(name())));
                }
                vec![(chosen, 1.0)]
            }
        };
        Ok(vec![Decision { place: None, mix }])
    }

    /// The moves of [`MaskedRandom`](crate::policy::MaskedRandom): values that leave no vector are drawn only if all of its tries
    /// come to such.
    fn masked(&self, simulator: &Simulator, state: &State) -> Vec<(Move, f64)> {
        let mask = simulator.mask(state, self.team);
        let valid: Vec<&Range<usize>> =
            self.ranges.iter().zip(&mask).filter(|(_, ok)| **ok).map(|(range, _)| range).collect();
        if valid.is_empty() {
            return vec![(Move::Pass, 1.0)];
        }
        let mut mix = Vec::new();
        for range in &valid {
            let (moves, shares) = (&self.moves[(*range).clone()], &self.shares[(*range).clone()]);
            let each = 1.0 / valid.len() as f64;
            if let [Move::Choose(_, values)] = moves
                && values.is_empty()
            {
                mix.push((moves[0].clone(), each));
                continue;
            }
            let finds = |chosen: &Move| state.clone().would_find_vector(simulator.compiled(), self.team, chosen);
            let good: Vec<bool> = moves.iter().map(finds).collect();
            let share_of = |wanted: bool| -> f64 {
                let these = good.iter().zip(shares).filter(|(good, _)| **good == wanted);
                these.map(|(_, share)| share).sum()
            };
            let (found, missed) = (share_of(true), share_of(false));
            let last = (1..TRIES).fold(1.0, |all, _| all * missed);
            for ((chosen, share), good) in moves.iter().zip(shares).zip(&good) {
                let factor = if *good { (1.0 - last * missed) / found } else { last };
                if factor > 0.0 {
                    mix.push((chosen.clone(), each * share * factor));
                }
            }
        }
        mix
    }
}
