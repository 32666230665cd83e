//! Random policies.

use std::sync::Arc;

use goalspec_resource::game::{Choice, ChoiceId, TeamId};
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules;
use goalspec_resource::space::{SampleError, Space};
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use super::{Policy, PolicyError, TeamView};
use crate::lookahead::MoveSuitability;

/// Makes a uniformly random choice, valid or not, and samples values for its parameters.
///
/// Draws one number for the choice, and then those of [`Space::sample`] for each parameter in order.
#[derive(Debug, Clone, Default)]
pub struct RandomPolicy {
    members: TextMembers,
}

impl Policy for RandomPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
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

/// Makes a uniformly random [valid](goalspec_resource::turn#validity) choice and samples values for its parameters; passes
/// if no choice is valid.
///
/// Parameter values are drawn up to [`MAX_TRIES`] times, until the move is valid and, if it picks a vector, some vector agrees with
/// `source` and `target`. If no draw satisfies this, the policy plays the last draw that was valid; if none was valid, it
/// replaces the parameters that the action requires by a uniformly random valid assignment, or plays the last draw where the
/// assignments cannot be enumerated.
///
/// Validity is evaluated on the observation of the team, or on the true state if the policy is created with
/// [`Perspective::TrueState`](goalspec_resource::rules::Perspective::TrueState).
#[derive(Debug, Clone)]
pub struct MaskedRandomPolicy {
    view: rules::Perspective,
    members: TextMembers,
}

impl MaskedRandomPolicy {
    /// Creates a policy that evaluates validity on the observation of the team or on the true state.
    pub fn new(view: rules::Perspective) -> Self {
        Self { view, members: TextMembers::default() }
    }
}

impl Default for MaskedRandomPolicy {
    fn default() -> Self {
        Self::new(rules::Perspective::Observation)
    }
}

/// The maximum number of draws of parameter values by [`MaskedRandomPolicy`] before it chooses among the valid assignments.
pub const MAX_TRIES: usize = 64;

impl Policy for MaskedRandomPolicy {
    fn choose(&mut self, view: &mut TeamView<'_>, chosen: &mut Move) -> Result<(), PolicyError> {
        let choices = view.choices();
        let (simulator, team, observed) = (view.simulator(), view.team(), view.lookahead_state(self.view));
        let c = simulator.compiled();
        let valid: Vec<usize> = (0..choices.len()).filter(|&place| observed.is_valid_choice(c, team, place)).collect();
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
        for _ in 0..MAX_TRIES {
            self.members.sample(team, choices, place, view.stream(), begin(chosen, place.into()))?;
            match observed.suits(c, team, chosen) {
                MoveSuitability::Effective => return Ok(()),
                MoveSuitability::NoVector => idle = Some(chosen.clone()),
                MoveSuitability::Invalid => {}
            }
        }
        if let Some(idle) = idle {
            *chosen = idle;
            return Ok(());
        }
        // If few assignments are valid, the draws may have missed all of them.
        let valid = observed.valid_arguments(c, team, place);
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

/// Turns `chosen` into a move with this choice and no values, reusing its list.
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

/// For each parameter of a choice, the strings in its space if it is a finite set of strings.
type ParameterTexts = Vec<Option<Vec<Arc<str>>>>;

/// Private copies of the strings in parameter spaces. Shared strings would cause contention on their reference counts.
#[derive(Debug, Clone, Default)]
struct TextMembers {
    /// For each team, the strings for each of its choices.
    teams: Vec<Option<Vec<ParameterTexts>>>,
}

impl TextMembers {
    fn sample(
        &mut self,
        team: TeamId,
        choices: &[Choice],
        place: usize,
        stream: &mut RandomStream,
        values: &mut Vec<Value>,
    ) -> Result<(), PolicyError> {
        let choice = &choices[place];
        if self.teams.len() <= team.index() {
            self.teams.resize(team.index() + 1, None);
        }
        let texts = &self.teams[team.index()].get_or_insert_with(|| copies(choices))[place];
        for (parameter, texts) in choice.parameters.iter().zip(texts) {
            let value = match texts {
                // The same draw as that of [`Space::sample`].
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

fn copies(choices: &[Choice]) -> Vec<ParameterTexts> {
    let texts = |space: &Space| match space {
        Space::TextEnum(members) => Some(members.iter().map(|member| Arc::from(&**member)).collect()),
        _ => None,
    };
    choices.iter().map(|choice| choice.parameters.iter().map(|parameter| texts(&parameter.space)).collect()).collect()
}
