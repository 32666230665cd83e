//! Lookahead: the validity of choices, and the enumeration of the outcomes of a move.

use goalspec_resource::board::VectorId;
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{Parameter, TeamId};
use goalspec_resource::interpret::mask::{ParameterAssignment, combinations, required_parameters};
use goalspec_resource::rules::OddsRule;
use goalspec_resource::turn::{GameError, MAX_MASK_COMBINATIONS, Move};
use goalspec_resource::value::Value;
use smallvec::SmallVec;

use crate::program::CompiledResourceGame;
use crate::program::choices::ChoiceMeaning;
use crate::program::effects::Action;
use crate::resolved_move::{ChosenAction, ResolvedMove, resolve_move};
use crate::state::{BoxedErrorKind, State};

/// A callback that receives an outcome state with its probability and returns whether to continue.
type Visitor<'v> = dyn FnMut(&mut State, f64) -> Result<bool, GameError> + 'v;

/// An alternative of a group of consequences with its probability; `None` if no consequence occurs.
type Alternative = (Option<usize>, f64);

/// The suitability of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveSuitability {
    /// The move is not valid.
    Invalid,
    /// The move is valid, but every consequence that picks a vector matches none.
    NoVector,
    /// The move is valid, and a consequence that picks a vector matches one if there is any such consequence.
    Effective,
}

/// The context shared by all outcomes of a move.
struct OutcomeEnumerator<'a> {
    c: &'a CompiledResourceGame,
    registry: &'a ResultRegistry,
    action: &'a Action,
    chosen: ChosenAction<'a>,
    groups: Vec<Vec<Alternative>>,
}

impl State {
    /// Whether a choice is [valid](goalspec_resource::turn#validity) in this state: some assignment of its parameters makes
    /// a valid move. A move that would fail is not valid.
    pub(crate) fn is_valid_choice(&self, c: &CompiledResourceGame, team: TeamId, place: usize) -> bool {
        match validity(c, team, place) {
            ValidityCheck::Known(valid) => *valid,
            ValidityCheck::Any(all) => {
                all.iter().any(|arguments| self.clone().is_valid_with(c, team, place, arguments))
            }
        }
    }

    /// Returns the assignments of the parameters read by `requires` for which a choice is valid; empty if they cannot be
    /// enumerated.
    pub(crate) fn valid_arguments(
        &self,
        c: &CompiledResourceGame,
        team: TeamId,
        place: usize,
    ) -> Vec<ParameterAssignment> {
        match validity(c, team, place) {
            ValidityCheck::Known(_) => Vec::new(),
            ValidityCheck::Any(all) => {
                let is_valid = |arguments: &&ParameterAssignment| self.clone().is_valid_with(c, team, place, arguments);
                all.iter().filter(is_valid).cloned().collect()
            }
        }
    }

    /// Whether a choice with these arguments is valid. The state is overwritten.
    fn is_valid_with(
        &mut self,
        c: &CompiledResourceGame,
        team: TeamId,
        place: usize,
        arguments: &ParameterAssignment,
    ) -> bool {
        let choice = &c.game.teams[team.index()].choices[place];
        let compiled = c.choices.at(team, place);
        let ChoiceMeaning::Action(id) = compiled.meaning() else { return false };
        // Parameters that `requires` does not read get a placeholder.
        let value = |parameter: &Parameter| {
            let own = arguments.iter().find(|(name, _)| *name == parameter.name);
            own.map_or(Value::Bool(false), |(_, value)| value.clone())
        };
        let read = if arguments.is_empty() { &[][..] } else { &choice.parameters };
        let values: Vec<Value> = read.iter().map(value).collect();
        let chosen = ChosenAction { choice, roles: compiled.roles(), values: &values };
        self.pay_and_validate(c, &c.actions[id.index()], chosen).unwrap_or(false)
    }

    /// Returns the suitability of a move in this state.
    pub(crate) fn suits(&self, c: &CompiledResourceGame, team: TeamId, chosen: &Move) -> MoveSuitability {
        self.suits_in(c, team, chosen, &mut self.clone())
    }

    /// Returns the suitability of a move, like [`suits`](Self::suits); `trial` is overwritten.
    pub(crate) fn suits_in(
        &self,
        c: &CompiledResourceGame,
        team: TeamId,
        chosen: &Move,
        trial: &mut Self,
    ) -> MoveSuitability {
        let Ok(ResolvedMove::Action(id, chosen)) = resolve_move(c, team, chosen) else {
            return MoveSuitability::Effective;
        };
        let action = &c.actions[id.index()];
        trial.clone_from(self);
        if !trial.pay_and_validate(c, action, chosen).unwrap_or(false) {
            return MoveSuitability::Invalid;
        }
        let mut sets = action.consequences.iter().filter_map(|consequence| consequence.effect.picked_set()).peekable();
        let acts = sets.peek().is_none()
            || sets.any(|set| trial.matching(c, set, chosen, true).is_ok_and(|matching| !matching.is_empty()));
        if acts { MoveSuitability::Effective } else { MoveSuitability::NoVector }
    }

    /// Passes all outcomes of a move with their probabilities to `visit` until it returns `false`; returns whether all were
    /// visited. Numbers drawn in expressions and custom results are not branched on.
    pub(crate) fn for_each_outcome(
        mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        team: TeamId,
        chosen: &Move,
        visit: &mut Visitor<'_>,
    ) -> Result<bool, GameError> {
        let fail = |action, kind| GameError { action, consequence: None, kind };
        match resolve_move(c, team, chosen).map_err(|kind| fail(None, kind))? {
            ResolvedMove::Pass => {
                self.end_turn(c);
                visit(&mut self, 1.0)
            }
            ResolvedMove::Action(id, chosen) => {
                let action = &c.actions[id.index()];
                let valid = self.pay_and_validate(c, action, chosen).map_err(|kind| fail(Some(id), *kind))?;
                self.end_turn(c);
                if !valid {
                    return visit(&mut self, 1.0);
                }
                let groups = self.groups(c, action);
                let enumerator = OutcomeEnumerator { c, registry, action, chosen, groups };
                enumerator
                    .explore(self, visit)
                    .map_err(|failure| GameError { action: failure.action.or(Some(id)), ..failure })
            }
        }
    }

    /// Returns the alternatives of each group of consequences, and discounts their odds.
    fn groups(&mut self, c: &CompiledResourceGame, action: &Action) -> Vec<Vec<Alternative>> {
        let increments = c.game.rules.odds == OddsRule::Individual;
        let mut groups: Vec<Vec<Alternative>> = Vec::new();
        let (mut sum, mut previous) = (0.0, 0.0);
        for (at, consequence) in action.consequences.iter().enumerate() {
            let odds = self.odds(c, consequence);
            if consequence.begins_group {
                groups.push(vec![(None, 1.0)]);
                (sum, previous) = (0.0, 0.0);
            }
            sum = if increments { sum + odds } else { odds };
            // The alternative occurs if the number drawn is below the sum and not below the probability taken by earlier ones.
            let cumulative = sum.clamp(0.0, 1.0);
            if cumulative > previous {
                if let Some(group) = groups.last_mut() {
                    group.push((Some(at), cumulative - previous));
                    group[0].1 = 1.0 - cumulative;
                }
                previous = cumulative;
            }
        }
        groups
    }
}

/// The assignments to try in order to determine whether a choice is valid.
#[derive(Debug)]
pub(crate) enum ValidityCheck {
    /// None: the validity is known.
    Known(bool),
    /// All assignments of the parameters that `requires` reads.
    Any(Vec<ParameterAssignment>),
}

fn validity(c: &CompiledResourceGame, team: TeamId, place: usize) -> &ValidityCheck {
    c.choices.at(team, place).validity(|| validity_check(c, team, place))
}

fn validity_check(c: &CompiledResourceGame, team: TeamId, place: usize) -> ValidityCheck {
    let choice = &c.game.teams[team.index()].choices[place];
    match c.choices.at(team, place).meaning() {
        ChoiceMeaning::Pass => ValidityCheck::Known(true),
        ChoiceMeaning::Undefined => ValidityCheck::Known(false),
        ChoiceMeaning::Action(id) => {
            let read = required_parameters(&c.game.actions[id.index()], choice);
            combinations(&read, MAX_MASK_COMBINATIONS).map_or(ValidityCheck::Known(true), ValidityCheck::Any)
        }
    }
}

impl OutcomeEnumerator<'_> {
    /// Visits the outcomes in depth-first order with an explicit stack.
    fn explore(&self, state: State, visit: &mut Visitor<'_>) -> Result<bool, GameError> {
        let mut stack = vec![(state, 0, 1.0)];
        while let Some((mut state, group, weight)) = stack.pop() {
            let Some(alternatives) = self.groups.get(group) else {
                if !visit(&mut state, weight)? {
                    return Ok(false);
                }
                continue;
            };
            for &(consequence, probability) in alternatives.iter().rev().filter(|(_, probability)| *probability > 0.0) {
                let weight = weight * probability;
                match consequence {
                    None => stack.push((state.clone(), group + 1, weight)),
                    Some(at) => {
                        let fail =
                            |kind: BoxedErrorKind| GameError { action: None, consequence: Some(at), kind: *kind };
                        for (state, share) in self.outcomes(&state, at).map_err(fail)?.into_iter().rev() {
                            stack.push((state, group + 1, weight * share));
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// Returns the states after a consequence, with their probabilities.
    fn outcomes(&self, state: &State, at: usize) -> Result<Vec<(State, f64)>, BoxedErrorKind> {
        let effect = &self.action.consequences[at].effect;
        let mut first = state.clone();
        if let Some(set) = effect.picked_set() {
            let matching: SmallVec<[VectorId; 16]> = first.matching(self.c, set, self.chosen, true)?;
            let share = 1.0 / matching.len().max(1) as f64;
            if matching.is_empty() {
                return Ok(vec![(first, 1.0)]);
            }
            let states = matching.into_iter().map(|vector| {
                let mut state = first.clone();
                state.apply_to_vector(self.c, effect, vector, self.chosen)?;
                Ok((state, share))
            });
            return states.collect();
        }
        first.apply_effect(self.c, self.registry, effect, self.chosen)?;
        Ok(vec![(first, 1.0)])
    }
}
