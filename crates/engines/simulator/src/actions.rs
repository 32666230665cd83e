//! The moves of teams as finite lists of actions, as learning agents choose them.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::sync::Arc;

use goalspec_resource::game::{Choice, Game, NOTHING_ACTION, Parameter, Team, TeamId};
use goalspec_resource::rules::NothingAction;
use goalspec_resource::space::Space;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use crate::policy::console::describe_space;

/// The maximum number of actions of a team.
pub const MAX_ACTIONS: usize = 65_536;

/// The values by which a parameter with many or infinitely many values is represented.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterBins {
    /// This number of values, evenly spaced over the range of the parameter from its minimum to its maximum; one value is the middle.
    Count(usize),
    /// These numbers.
    Values(Vec<f64>),
}

/// The bins of parameters by name. They apply to every numeric parameter of the name.
pub type Bins = BTreeMap<String, ParameterBins>;

/// The actions of the teams of a game, numbered from 0.
///
/// Action 0 of each team is its pass: the choice `nothing` if the team has one, with its cost where the rules make it an action, and
/// otherwise a turn without effect. The other choices follow in the order of the game, each with all combinations of the values of its
/// parameters, of which the last varies fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionSpace {
    teams: Vec<TeamActions>,
}

/// The actions that a team may choose from, in the order of their numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamActions {
    moves: Vec<Move>,
    texts: Vec<String>,
    choices: Vec<ChoiceActions>,
}

/// The actions with a choice.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChoiceActions {
    /// The index of the choice; `None` for a pass that is no choice.
    pub(crate) choice: Option<usize>,
    /// The actions.
    pub(crate) actions: Range<usize>,
}

/// The reason why the moves of a team are no finite list of actions.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionSpaceError {
    /// A parameter has infinitely many values, and no bins.
    InfiniteParameter {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
        /// The description of its space.
        space: String,
    },
    /// A number of bins is given for a parameter without a range.
    UnboundedBins {
        /// The choice.
        choice: Arc<str>,
        /// The parameter.
        parameter: Arc<str>,
    },
    /// The bins of a parameter are empty, or contain values outside its space.
    InvalidBins {
        /// The parameter.
        parameter: Arc<str>,
        /// The description of its space.
        space: String,
    },
    /// Bins are given for a name that no numeric parameter has.
    UnknownBins {
        /// The name.
        name: String,
        /// The names of the numeric parameters.
        known: Vec<Arc<str>>,
    },
    /// A team has more than [`MAX_ACTIONS`] actions.
    TooManyActions {
        /// The team.
        team: Arc<str>,
        /// The number of actions of each choice as a product: `gather: 3 x 100`.
        sizes: Vec<String>,
    },
}

impl fmt::Display for ActionSpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InfiniteParameter { choice, parameter, space } => write!(
                f,
                "the parameter `{parameter}` of `{choice}` is {space} and has infinitely many values; give it bins"
            ),
            Self::UnboundedBins { choice, parameter } => write!(
                f,
                "the parameter `{parameter}` of `{choice}` has no range to divide into bins; give a list of numbers as its bins"
            ),
            Self::InvalidBins { parameter, space } => {
                write!(
                    f,
                    "the bins of `{parameter}` must be a positive number of bins, or a list whose members are {space}"
                )
            }
            Self::UnknownBins { name, known } if known.is_empty() => {
                write!(f, "bins for `{name}`, but no parameter of the game is a number")
            }
            Self::UnknownBins { name, known } => {
                write!(f, "bins for `{name}`, which is no numeric parameter; expected one of {}", known.join(", "))
            }
            Self::TooManyActions { team, sizes } => {
                write!(
                    f,
                    "{team} has more than {MAX_ACTIONS} actions ({}); give large parameters bins",
                    sizes.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for ActionSpaceError {}

impl ActionSpace {
    /// Lists the actions of the teams of a game; `bins` represent parameters with many or infinitely many values.
    ///
    /// # Errors
    /// If the moves of a team are infinitely many or more than [`MAX_ACTIONS`], or if bins are invalid.
    pub fn new(game: &Game, bins: &Bins) -> Result<Self, ActionSpaceError> {
        let parameters = || game.teams.iter().flat_map(|team| &team.choices).flat_map(|choice| &choice.parameters);
        for name in bins.keys() {
            if parameters().all(|parameter| !is_numeric(&parameter.space) || *parameter.name != **name) {
                let mut known: Vec<Arc<str>> = parameters()
                    .filter(|parameter| is_numeric(&parameter.space))
                    .map(|parameter| parameter.name.clone())
                    .collect();
                known.sort();
                known.dedup();
                return Err(ActionSpaceError::UnknownBins { name: name.clone(), known });
            }
        }
        let teams = game.teams.iter().map(|team| TeamActions::new(game, team, bins));
        Ok(Self { teams: teams.collect::<Result<_, _>>()? })
    }

    /// Returns the actions of a team.
    ///
    /// # Panics
    /// If the game has no such team.
    #[inline]
    pub fn of_team(&self, team: TeamId) -> &TeamActions {
        &self.teams[team.index()]
    }

    /// Returns the largest number of actions of a team.
    pub fn max_len(&self) -> usize {
        self.teams.iter().map(TeamActions::len).max().unwrap_or(0)
    }
}

impl TeamActions {
    fn new(game: &Game, team: &Team, bins: &Bins) -> Result<Self, ActionSpaceError> {
        let mut spaces = Vec::with_capacity(team.choices.len());
        for choice in &team.choices {
            let spaces_of_choice = choice.parameters.iter().map(|parameter| FiniteSpace::new(choice, parameter, bins));
            spaces.push(spaces_of_choice.collect::<Result<Vec<_>, _>>()?);
        }
        let sizes = spaces.iter().map(|spaces| product(spaces.iter().map(|space| space.count)));
        let total = sizes.fold(1, usize::saturating_add);
        if total > MAX_ACTIONS {
            let sizes = team.choices.iter().zip(&spaces).map(|(choice, spaces)| size_text(choice, spaces));
            return Err(ActionSpaceError::TooManyActions { team: team.name.clone(), sizes: sizes.collect() });
        }
        let is_nothing = |choice: &Choice| *choice.name == *NOTHING_ACTION && choice.parameters.is_empty();
        let nothing = team.choices.iter().position(is_nothing);
        let pass = match nothing {
            Some(place) if game.rules.nothing == NothingAction::AsDefined => Move::Choose(place.into(), Vec::new()),
            _ => Move::Pass,
        };
        let mut actions = Self {
            moves: vec![pass],
            texts: vec![NOTHING_ACTION.to_owned()],
            choices: vec![ChoiceActions { choice: nothing, actions: 0..1 }],
        };
        for (place, (choice, spaces)) in team.choices.iter().zip(&spaces).enumerate() {
            if Some(place) != nothing {
                actions.add(place, choice, spaces);
            }
        }
        Ok(actions)
    }

    /// Adds the actions with a choice.
    fn add(&mut self, place: usize, choice: &Choice, spaces: &[FiniteSpace]) {
        let mut values = vec![Vec::new()];
        for space in spaces {
            let members = space.members();
            let extended = values.iter().flat_map(|partial: &Vec<Value>| {
                members.iter().map(move |member| partial.iter().cloned().chain([member.clone()]).collect())
            });
            values = extended.collect();
        }
        let first = self.moves.len();
        for values in values {
            self.texts.push(action_text(choice, &values));
            self.moves.push(Move::Choose(place.into(), values));
        }
        self.choices.push(ChoiceActions { choice: Some(place), actions: first..self.moves.len() });
    }

    /// Returns the number of actions.
    #[expect(clippy::len_without_is_empty, reason = "every team can pass")]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the move of each action.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the text of each action as policies and scripts are written: `gather target=hill`.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns the actions by choice, in order.
    pub(crate) fn choices(&self) -> &[ChoiceActions] {
        &self.choices
    }
}

/// Returns the text of a move as policies and scripts are written.
fn action_text(choice: &Choice, values: &[Value]) -> String {
    let mut text = choice.name.to_string();
    for (parameter, value) in choice.parameters.iter().zip(values) {
        let _ = write!(text, " {}=", parameter.name);
        match value {
            Value::Set(labels) => text += &labels.iter().map(|label| &**label).collect::<Vec<_>>().join(","),
            value => text += &value.to_string(),
        }
    }
    text
}

/// Returns the number of actions of a choice as a product.
fn size_text(choice: &Choice, spaces: &[FiniteSpace]) -> String {
    let sizes: Vec<String> = spaces.iter().map(|space| space.count.to_string()).collect();
    format!("{}: {}", choice.name, if sizes.is_empty() { "1".to_owned() } else { sizes.join(" x ") })
}

fn product(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.fold(1, usize::saturating_mul)
}

fn is_numeric(space: &Space) -> bool {
    match space {
        Space::FreeInt
        | Space::FreeReal
        | Space::IntRange { .. }
        | Space::RealRange { .. }
        | Space::Normal { .. }
        | Space::IntEnum(_)
        | Space::RealEnum(_) => true,
        Space::Bool | Space::FreeText | Space::TextEnum(_) | Space::Set(_) => false,
    }
}

/// The values of a parameter, counted before they are listed.
struct FiniteSpace<'a> {
    space: &'a Space,
    bins: Option<Vec<Value>>,
    count: usize,
}

impl<'a> FiniteSpace<'a> {
    fn new(choice: &Choice, parameter: &'a Parameter, bins: &Bins) -> Result<Self, ActionSpaceError> {
        let space = &parameter.space;
        if let Some(bins) = bins.get(&*parameter.name).filter(|_| is_numeric(space)) {
            let bins = binned(space, bins).ok_or_else(|| match bins {
                ParameterBins::Count(1..=MAX_ACTIONS) => {
                    ActionSpaceError::UnboundedBins { choice: choice.name.clone(), parameter: parameter.name.clone() }
                }
                _ => ActionSpaceError::InvalidBins { parameter: parameter.name.clone(), space: describe_space(space) },
            })?;
            return Ok(Self { space, count: bins.len(), bins: Some(bins) });
        }
        let count = match space {
            Space::Bool => 2,
            Space::IntRange { min, max } => usize::try_from(i64::from(*max) - i64::from(*min) + 1).unwrap_or(0),
            Space::IntEnum(members) => members.len(),
            Space::RealEnum(members) => members.len(),
            Space::TextEnum(members) => members.len(),
            Space::Set(labels) => 1_usize.checked_shl(labels.len() as u32).unwrap_or(usize::MAX),
            Space::FreeText | Space::FreeInt | Space::FreeReal | Space::RealRange { .. } | Space::Normal { .. } => {
                return Err(ActionSpaceError::InfiniteParameter {
                    choice: choice.name.clone(),
                    parameter: parameter.name.clone(),
                    space: describe_space(space),
                });
            }
        };
        Ok(Self { space, bins: None, count })
    }

    /// Returns the values, which are at most [`MAX_ACTIONS`].
    fn members(&self) -> Vec<Value> {
        self.bins.clone().unwrap_or_else(|| self.space.members(MAX_ACTIONS).unwrap_or_default())
    }
}

/// Returns the values of bins of a numeric space; `None` if they are invalid, or if the space has no range to divide.
fn binned(space: &Space, bins: &ParameterBins) -> Option<Vec<Value>> {
    let is_whole = matches!(space, Space::FreeInt | Space::IntRange { .. } | Space::IntEnum(_));
    let value = |number: f64| {
        let whole = number as i32;
        if is_whole && f64::from(whole).to_bits() == number.to_bits() { Value::Int(whole) } else { Value::Real(number) }
    };
    let mut values: Vec<Value> = match bins {
        ParameterBins::Values(numbers) => numbers.iter().copied().map(value).collect(),
        ParameterBins::Count(count) => {
            let (min, max) = match space {
                Space::IntRange { min, max } => (f64::from(*min), f64::from(*max)),
                Space::RealRange { min, max } => (*min, *max),
                _ => return None,
            };
            if !(1..=MAX_ACTIONS).contains(count) || min > max || !min.is_finite() || !max.is_finite() {
                return None;
            }
            let number = |place: usize| match count {
                1 => min / 2.0 + max / 2.0,
                _ if place == count - 1 => max,
                _ => min + (max - min) * (place as f64 / (count - 1) as f64),
            };
            let round = |number: f64| if is_whole { number.round() } else { number };
            (0..*count).map(|place| value(round(number(place)))).collect()
        }
    };
    values.dedup();
    (!values.is_empty() && values.iter().all(|value| space.contains(value))).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::{ParameterBins, Space, Value, binned};

    #[test]
    fn bins_cover_a_range_with_both_ends() {
        let reals = Space::RealRange { min: -1.0, max: 1.0 };
        let values = |numbers: &[f64]| Some(numbers.iter().copied().map(Value::Real).collect::<Vec<_>>());
        assert_eq!(binned(&reals, &ParameterBins::Count(5)), values(&[-1.0, -0.5, 0.0, 0.5, 1.0]));
        assert_eq!(binned(&reals, &ParameterBins::Count(1)), values(&[0.0]));
        assert_eq!(binned(&reals, &ParameterBins::Values(vec![0.25, 1.0])), values(&[0.25, 1.0]));
        assert_eq!(binned(&reals, &ParameterBins::Values(vec![1.25])), None);
        assert_eq!(binned(&reals, &ParameterBins::Count(0)), None);
        let whole = Space::IntRange { min: 0, max: 10 };
        let integers = |numbers: &[i32]| Some(numbers.iter().copied().map(Value::Int).collect::<Vec<_>>());
        assert_eq!(binned(&whole, &ParameterBins::Count(3)), integers(&[0, 5, 10]));
        assert_eq!(binned(&whole, &ParameterBins::Count(100)), integers(&(0..=10).collect::<Vec<_>>()));
        assert_eq!(binned(&whole, &ParameterBins::Values(vec![0.5])), None);
        for free in [Space::FreeReal, Space::Normal { mean: 0.0, standard_deviation: 1.0 }] {
            assert_eq!(binned(&free, &ParameterBins::Count(3)), None);
            assert_eq!(binned(&free, &ParameterBins::Values(vec![-7.5])), values(&[-7.5]));
        }
    }
}
