//! Policies that draw.

use std::sync::Arc;

use goalspec_core::resource::game::{Choice, ChoiceId, TeamId};
use goalspec_core::resource::random::Stream;
use goalspec_core::resource::rules;
use goalspec_core::resource::space::{SampleError, Space};
use goalspec_core::resource::turn::Move;
use goalspec_core::resource::value::Value;

use super::{Policy, PolicyError, View};
use crate::futures::Suits;

/// Any choice, each as likely as the others, with values drawn for its parameters; valid or not.
///
/// It draws one number for the choice, then those of [`Space::sample`], parameter by parameter.
#[derive(Debug, Clone, Default)]
pub struct Random {
    members: Members,
}

impl Policy for Random {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let choices = view.choices();
        if choices.is_empty() {
            return Err(PolicyError::NoChoices);
        }
        let place = view.stream().below(choices.len() as u64) as usize;
        let (team, values) = (view.team(), begin(chosen, place.into()));
        if choices[place].parameters.is_empty() {
            return Ok(());
        }
        self.members.sample(team, choices, place, view.stream(), values)
    }
}

/// Any choice that is [valid](goalspec_core::resource::turn#validity), each as likely as the others, with values drawn for its
/// parameters; a pass if there is none.
///
/// Values are drawn up to [`TRIES`] times: until the move is valid and, if it picks a vector, `source` and `target` leave one. Without
/// such a draw, the values are those of the last draw that made a valid move, or of the last draw.
///
/// All of that is judged by what the team observes, unless the policy is given the true state.
#[derive(Debug, Clone)]
pub struct MaskedRandom {
    view: rules::View,
    members: Members,
}

impl MaskedRandom {
    /// The policy that goes by what the team observes, or by the true state.
    pub fn new(view: rules::View) -> Self {
        Self { view, members: Members::default() }
    }
}

impl Default for MaskedRandom {
    fn default() -> Self {
        Self::new(rules::View::Observation)
    }
}

/// How often [`MaskedRandom`] draws values for the parameters of a choice before it draws one of those that are valid.
pub const TRIES: usize = 64;

impl Policy for MaskedRandom {
    fn choose(&mut self, view: &mut View<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let choices = view.choices();
        let (simulator, team, seen) = (view.simulator(), view.team(), view.seen(self.view));
        let c = simulator.compiled();
        let valid: Vec<usize> = (0..choices.len()).filter(|&place| seen.is_valid_choice(c, team, place)).collect();
        if valid.is_empty() {
            *chosen = Move::Pass;
            return Ok(());
        }
        let place = valid[view.stream().below(valid.len() as u64) as usize];
        if choices[place].parameters.is_empty() {
            begin(chosen, place.into());
            return Ok(());
        }
        let mut idle = None;
        for _ in 0..TRIES {
            self.members.sample(team, choices, place, view.stream(), begin(chosen, place.into()))?;
            match seen.suits(c, team, chosen) {
                Suits::Acts => return Ok(()),
                Suits::Idle => idle = Some(chosen.clone()),
                Suits::Invalid => {}
            }
        }
        if let Some(idle) = idle {
            *chosen = idle;
            return Ok(());
        }
        // Where few values are valid, none of these may have been drawn.
        let valid = seen.valid_arguments(c, team, place);
        if let Move::Choose(_, values) = chosen
            && !valid.is_empty()
        {
            let arguments = &valid[view.stream().below(valid.len() as u64) as usize];
            for (parameter, value) in choices[place].parameters.iter().zip(values) {
                if let Some((_, own)) = arguments.iter().find(|(name, _)| *name == parameter.name) {
                    *value = own.clone();
                }
            }
        }
        Ok(())
    }
}

/// Makes it a move of this choice without values; its list is used again.
fn begin(chosen: &mut Move, choice: ChoiceId) -> &mut Vec<Value> {
    match chosen {
        Move::Choose(id, values) => {
            *id = choice;
            values.clear();
        }
        Move::Pass => *chosen = Move::Choose(choice, Vec::new()),
    }
    match chosen {
        Move::Choose(_, values) => values,
        Move::Pass => unreachable!("it was just made a choice"),
    }
}

/// For each parameter of a choice, the texts that it ranges over, if it does.
type Texts = Vec<Option<Vec<Arc<str>>>>;

/// Own copies of the texts that parameters range over: counting the owners of shared ones would make threads wait for each other.
#[derive(Debug, Clone, Default)]
struct Members {
    /// For each team, those of each of its choices.
    teams: Vec<Option<Vec<Texts>>>,
}

impl Members {
    fn sample(
        &mut self,
        team: TeamId,
        choices: &[Choice],
        place: usize,
        stream: &mut Stream,
        values: &mut Vec<Value>,
    ) -> Result<(), PolicyError> {
        let choice = &choices[place];
        if self.teams.len() <= team.index() {
            self.teams.resize(team.index() + 1, None);
        }
        let texts = &self.teams[team.index()].get_or_insert_with(|| copies(choices))[place];
        for (parameter, texts) in choice.parameters.iter().zip(texts) {
            let value = match texts {
                // As the space itself draws.
                Some(texts) if !texts.is_empty() => {
                    values.push(Value::Text(texts[stream.below(texts.len() as u64) as usize].clone()));
                    continue;
                }
                Some(_) => Err(SampleError::Empty),
                None => parameter.space.sample(stream),
            };
            values.push(value.map_err(|reason| PolicyError::NoValue {
                choice: choice.name.clone(),
                parameter: parameter.name.clone(),
                reason,
            })?);
        }
        Ok(())
    }
}

fn copies(choices: &[Choice]) -> Vec<Texts> {
    let texts = |space: &Space| match space {
        Space::TextEnum(members) => Some(members.iter().map(|member| Arc::from(&**member)).collect()),
        _ => None,
    };
    choices.iter().map(|choice| choice.parameters.iter().map(|parameter| texts(&parameter.space)).collect()).collect()
}
