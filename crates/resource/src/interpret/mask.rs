//! Masks of valid choices.

use std::sync::Arc;

use super::execution::Execution;
use super::play::{Play, ResolvedChoice};
use crate::field::Field;
use crate::filter::Filter;
use crate::game::{Action, Choice, Parameter, TeamId};
use crate::random::RandomStream;
use crate::rules::Perspective;
use crate::turn::{MAX_MASK_COMBINATIONS, TurnResult};
use crate::value::Value;

impl Play {
    /// Returns for each choice of a team whether it is [valid](crate::turn#validity), either in the state that the team
    /// [observes](super::state::State::observed) or in the true state. A choice that would end the game with an error is not
    /// valid. The play is not changed, and random numbers are drawn from a copy of the stream.
    ///
    /// A mask computed from an observation may be wrong about the true state; it contains what the team can know.
    pub fn mask(&self, team: TeamId, view: Perspective, stream: &RandomStream) -> Vec<bool> {
        let observed;
        let play = match view {
            Perspective::TrueState => self,
            Perspective::Observation => {
                let mut play = self.clone();
                play.state = self.state.observed(self.game(), team);
                observed = play;
                &observed
            }
        };
        let choices = self.game().teams.get(team.index()).map(|team| team.choices.as_slice()).unwrap_or_default();
        choices.iter().map(|choice| play.is_valid(choice, stream)).collect()
    }

    fn is_valid(&self, choice: &Choice, stream: &RandomStream) -> bool {
        let id = match self.resolve_choice(choice) {
            ResolvedChoice::Pass => return true,
            ResolvedChoice::Undefined => return false,
            ResolvedChoice::Action(id) => id,
        };
        let action = &self.game().actions[id.index()];
        match combinations(&required_parameters(action, choice), MAX_MASK_COMBINATIONS) {
            Some(all) => all.iter().any(|parameters| self.would_be_valid(action, parameters, &mut stream.clone())),
            None => true,
        }
    }

    fn would_be_valid(&self, action: &Action, parameters: &[(Arc<str>, Value)], stream: &mut RandomStream) -> bool {
        let mut state = self.state.clone();
        let (game, turn) = (self.game(), TurnResult::default());
        Execution { game, state: &mut state, stream, parameters, turn }.valid(action) == Ok(true)
    }
}

/// Returns the parameters of a choice that the requirement of its action reads.
pub fn required_parameters<'c>(action: &Action, choice: &'c Choice) -> Vec<&'c Parameter> {
    let mut read = Vec::new();
    read_parameters(&action.requires, &mut read);
    choice.parameters.iter().filter(|parameter| read.contains(&&parameter.name)).collect()
}

fn read_parameters<'a>(filter: &'a Filter, read: &mut Vec<&'a Arc<str>>) {
    filter.for_each_field(&mut |mut field| {
        while let Field::Member(whole, _) = field {
            field = whole;
        }
        if let Field::Parameter(name) = field {
            read.push(name);
        }
    });
}

/// An assignment of values to parameter names.
pub type ParameterAssignment = Vec<(Arc<str>, Value)>;

/// Returns all combinations of parameter values, with their names; `None` if there are more than `limit` or infinitely many.
pub fn combinations(parameters: &[&Parameter], limit: usize) -> Option<Vec<ParameterAssignment>> {
    let mut all = vec![Vec::new()];
    for parameter in parameters {
        let members = parameter.space.members(limit / all.len().max(1))?;
        let extended = all.iter().flat_map(|partial: &ParameterAssignment| {
            let name = &parameter.name;
            members
                .iter()
                .map(move |member| partial.iter().cloned().chain([(name.clone(), member.clone())]).collect::<Vec<_>>())
        });
        all = extended.collect();
    }
    Some(all)
}
