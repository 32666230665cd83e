//! The execution of actions.

use std::cell::Cell;
use std::sync::Arc;

use super::compute::ChainStepError;
use super::context::EvaluationContext;
use super::state::{ResolvedPlace, State, Writer, place_name};
use super::state_access::InterpreterStateAccess;
use super::vectors::{matches_parameters, matching};
use crate::board::VectorId;
use crate::compute::Computation;
use crate::custom::{CustomCall, ResultRegistry};
use crate::field::Place;
use crate::game::{Action, ActionId, ConsequenceEffect, Game, IntermediateValue, VectorFilter, VectorSelection};
use crate::random::RandomStream;
use crate::rules::{FailedChainStepRule, MissingPutRule, OddsRule};
use crate::turn::{GameError, GameErrorKind, Occurrence, Overflow, TurnResult};
use crate::value::Value;

/// An action in execution.
pub(super) struct Execution<'a> {
    /// The game.
    pub(super) game: &'a Game,
    /// Its state.
    pub(super) state: &'a mut State,
    /// The source of random numbers.
    pub(super) stream: &'a mut RandomStream,
    /// The parameters of the action.
    pub(super) parameters: &'a [(Arc<str>, Value)],
    /// The effects so far.
    pub(super) turn: TurnResult,
}

/// A value to be written to a place.
struct PendingWrite<'a> {
    place: Place,
    compute: &'a Computation,
    value: Option<Value>,
}

impl Execution<'_> {
    /// Pays the cost of the action and tests its requirement.
    pub(super) fn valid(&mut self, action: &Action) -> Result<bool, GameErrorKind> {
        for (place, value) in &action.cost {
            let Some(resolved) = ResolvedPlace::of(*place, self.game, None) else { continue };
            if self.state.node(resolved.node).is_none() {
                return Err(GameErrorKind::BareNode { node: resolved.node });
            }
            self.writer().add(resolved, value)?;
        }
        let environment = EvaluationContext::for_action(self.game, self.state, self.parameters);
        action.requires.holds(&environment, self.stream, &self.game.rules)
    }

    /// Executes the consequences of a valid action.
    pub(super) fn consequences(&mut self, id: ActionId, registry: &ResultRegistry) -> Result<(), GameError> {
        let [mut drawn, mut sum] = [0.0; 2];
        let mut found = false;
        for (index, consequence) in self.game.actions[id.index()].consequences.iter().enumerate() {
            if index == 0 || consequence.independent {
                drawn = self.stream.uniform();
                sum = 0.0;
                found = false;
            }
            let odds = self.state.discount_odds(id, index, consequence.discount);
            sum = match self.game.rules.odds {
                OddsRule::Cumulative => odds,
                OddsRule::Individual => sum + odds,
            };
            if !found && sum > drawn {
                found = true;
                let failure = |kind| GameError { action: Some(id), consequence: Some(index), kind };
                let vector = self.outcome(&consequence.outcome, registry).map_err(failure)?;
                self.turn.occurrences.push(Occurrence { consequence: index, vector });
            }
        }
        Ok(())
    }

    /// Applies the effect of a consequence; returns the vector picked for it.
    fn outcome(
        &mut self,
        outcome: &ConsequenceEffect,
        registry: &ResultRegistry,
    ) -> Result<Option<VectorId>, GameErrorKind> {
        match outcome {
            ConsequenceEffect::Resources { compute, add, replace: put } => {
                let computed = self.computed(compute, None);
                let (add, put) = (self.values(add, &computed, None), self.values(put, &computed, None));
                self.add_all(add, None)?;
                self.put_all(put)?;
                Ok(None)
            }
            ConsequenceEffect::MakeNodeVisible { label, vectors } => {
                let selected = self.pick_vector(vectors)?;
                if let Some(vector) = selected {
                    let node = self.game.board.vector(vector).target;
                    self.writer().add(ResolvedPlace { node, resource: None }, &Value::Text(label.clone()))?;
                }
                Ok(selected)
            }
            ConsequenceEffect::WithVectors { pick: VectorSelection::Random, vectors, compute, add } => {
                let selected = self.pick_vector(vectors)?;
                selected.map_or(Ok(()), |vector| self.with_vector(vector, compute, add))?;
                Ok(selected)
            }
            ConsequenceEffect::WithVectors { pick: VectorSelection::All, vectors, compute, add } => {
                let environment = EvaluationContext::for_action(self.game, self.state, self.parameters);
                for vector in matching(environment, vectors, self.stream)? {
                    self.with_vector(vector, compute, add)?;
                }
                Ok(None)
            }
            ConsequenceEffect::Custom { name, parameters } => {
                self.custom(name, parameters, registry)?;
                Ok(None)
            }
        }
    }

    fn custom(
        &mut self,
        name: &Arc<str>,
        parameters: &[(Arc<str>, Option<Value>)],
        registry: &ResultRegistry,
    ) -> Result<(), GameErrorKind> {
        let result = registry.get(name).ok_or_else(|| GameErrorKind::UnknownResult { name: name.clone() })?;
        let writer = Writer { game: self.game, state: self.state, turn: &mut self.turn };
        let mut ground = InterpreterStateAccess { writer, stream: self.stream, failed: None };
        let outcome = result.apply(&mut CustomCall {
            arguments: parameters,
            action_parameters: self.parameters,
            state: &mut ground,
        });
        match ground.failed {
            Some(failed) => Err(failed),
            None => {
                outcome.map_err(|error| GameErrorKind::CustomResult { name: name.clone(), message: error.to_string() })
            }
        }
    }

    /// Picks a vector uniformly among those that pass the filter and agree with the parameters.
    fn pick_vector(&mut self, filter: &VectorFilter) -> Result<Option<VectorId>, GameErrorKind> {
        let environment = EvaluationContext::for_action(self.game, self.state, self.parameters);
        let mut found = matching(environment, filter, self.stream)?;
        found.retain(|vector| matches_parameters(self.parameters, environment, self.game.board.vector(*vector)));
        if found.is_empty() {
            return Ok(None);
        }
        Ok(Some(found[self.stream.below(found.len() as u64) as usize]))
    }

    fn with_vector(
        &mut self,
        vector: VectorId,
        compute: &[IntermediateValue],
        add: &[(Place, Computation)],
    ) -> Result<(), GameErrorKind> {
        let computed = self.computed(compute, Some(vector));
        let add = self.values(add, &computed, Some(vector));
        self.add_all(add, Some(vector))
    }

    /// Computes the intermediate values, each from the state alone; a failed chain yields a missing value.
    fn computed(&mut self, compute: &[IntermediateValue], vector: Option<VectorId>) -> Vec<Option<Value>> {
        compute.iter().map(|entry| self.value(&entry.value, &[], vector).unwrap_or(None)).collect()
    }

    /// Computes the values of entries, omitting those that [`FailedChainStepRule::Skip`] skips.
    fn values<'e>(
        &mut self,
        entries: &'e [(Place, Computation)],
        computed: &[Option<Value>],
        vector: Option<VectorId>,
    ) -> Vec<PendingWrite<'e>> {
        let mut values = Vec::with_capacity(entries.len());
        for (place, compute) in entries {
            match self.value(compute, computed, vector) {
                Ok(value) => values.push(PendingWrite { place: *place, compute, value }),
                Err(ChainStepError) => match self.game.rules.failed_chain_steps {
                    FailedChainStepRule::Missing => values.push(PendingWrite { place: *place, compute, value: None }),
                    FailedChainStepRule::Skip => {}
                },
            }
        }
        values
    }

    fn value(
        &mut self,
        compute: &Computation,
        computed: &[Option<Value>],
        vector: Option<VectorId>,
    ) -> Result<Option<Value>, ChainStepError> {
        let vector = vector.map(|vector| self.game.board.vector(vector));
        let acting = EvaluationContext::for_action(self.game, self.state, self.parameters);
        let overflows = Cell::new(0);
        let environment = EvaluationContext { vector, computed, overflows: Some(&overflows), ..acting };
        let value = compute.evaluate(&environment, self.stream, &self.game.rules);
        self.turn.overflows.extend((0..overflows.get()).map(|_| Overflow::Computation));
        value
    }

    /// Adds values in order; additions before a missing value are kept.
    fn add_all(&mut self, entries: Vec<PendingWrite<'_>>, vector: Option<VectorId>) -> Result<(), GameErrorKind> {
        let vector = vector.map(|vector| self.game.board.vector(vector));
        for PendingWrite { place, value, .. } in entries {
            let Some(value) = value else {
                return Err(GameErrorKind::AddMissingValue { place: place_name(place, self.game) });
            };
            if let Some(resolved) = ResolvedPlace::of(place, self.game, vector) {
                self.writer().add(resolved, &value)?;
            }
        }
        Ok(())
    }

    /// Replaces values in order. A literal `null` removes the resource; other missing values are treated as the rules define.
    fn put_all(&mut self, entries: Vec<PendingWrite<'_>>) -> Result<(), GameErrorKind> {
        for PendingWrite { place, compute, value } in entries {
            let literal = matches!(compute, Computation::Constant(None));
            if value.is_none() && !literal && self.game.rules.missing_put == MissingPutRule::Error {
                return Err(GameErrorKind::PutMissingValue { place: place_name(place, self.game) });
            }
            if let Some(resolved) = ResolvedPlace::of(place, self.game, None) {
                self.writer().put(resolved, value)?;
            }
        }
        Ok(())
    }

    fn writer(&mut self) -> Writer<'_> {
        Writer { game: self.game, state: self.state, turn: &mut self.turn }
    }
}
