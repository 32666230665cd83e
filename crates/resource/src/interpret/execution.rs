//! The execution of actions.

use std::cell::Cell;
use std::sync::Arc;

use super::compute::StepFailed;
use super::environment::Environment;
use super::ground::Writable;
use super::state::{Spot, State, Writer, place_name};
use super::vectors::{left_by, matching};
use crate::board::VectorId;
use crate::compute::Compute;
use crate::custom::{Call, Registry};
use crate::field::Place;
use crate::game::{Action, ActionId, Computed, Game, Outcome, Pick, VectorFilter};
use crate::random::Stream;
use crate::rules::{FailedSteps, MissingPut, Odds};
use crate::turn::{Failure, FailureKind, Occurred, Overflow, Turn};
use crate::value::Value;

/// An action in execution.
pub(super) struct Execution<'a> {
    /// The game.
    pub(super) game: &'a Game,
    /// Its state.
    pub(super) state: &'a mut State,
    /// The source of random numbers.
    pub(super) stream: &'a mut Stream,
    /// The parameters of the action.
    pub(super) parameters: &'a [(Arc<str>, Value)],
    /// The effects so far.
    pub(super) turn: Turn,
}

/// A value to be written to a place.
struct Entry<'a> {
    place: Place,
    compute: &'a Compute,
    value: Option<Value>,
}

impl Execution<'_> {
    /// Pays the cost of the action and tests its requirement.
    pub(super) fn valid(&mut self, action: &Action) -> Result<bool, FailureKind> {
        for (place, value) in &action.cost {
            let Some(spot) = Spot::of(*place, self.game, None) else { continue };
            if self.state.bag(spot.node).is_none() {
                return Err(FailureKind::BareNode { node: spot.node });
            }
            self.writer().add(spot, value)?;
        }
        let environment = Environment::acting(self.game, self.state, self.parameters);
        action.requires.holds(&environment, self.stream, &self.game.rules)
    }

    /// Executes the consequences of a valid action.
    pub(super) fn consequences(&mut self, id: ActionId, registry: &Registry) -> Result<(), Failure> {
        let [mut drawn, mut sum] = [0.0; 2];
        let mut found = false;
        for (index, consequence) in self.game.actions[id.index()].consequences.iter().enumerate() {
            if index == 0 || consequence.independent {
                drawn = self.stream.uniform();
                sum = 0.0;
                found = false;
            }
            let odds = self.state.use_odds(id, index, consequence.discount);
            sum = match self.game.rules.odds {
                Odds::Cumulative => odds,
                Odds::Increment => sum + odds,
            };
            if !found && sum > drawn {
                found = true;
                let failure = |kind| Failure { action: Some(id), consequence: Some(index), kind };
                let vector = self.outcome(&consequence.outcome, registry).map_err(failure)?;
                self.turn.occurred.push(Occurred { consequence: index, vector });
            }
        }
        Ok(())
    }

    /// Applies the effect of a consequence; returns the vector picked for it.
    fn outcome(&mut self, outcome: &Outcome, registry: &Registry) -> Result<Option<VectorId>, FailureKind> {
        match outcome {
            Outcome::Resources { compute, add, put } => {
                let computed = self.computed(compute, None);
                let (add, put) = (self.values(add, &computed, None), self.values(put, &computed, None));
                self.add_all(add, None)?;
                self.put_all(put)?;
                Ok(None)
            }
            Outcome::MakeNodeVisible { label, vectors } => {
                let picked = self.picked(vectors)?;
                if let Some(vector) = picked {
                    let node = self.game.board.vector(vector).target;
                    self.writer().add(Spot { node, resource: None }, &Value::Text(label.clone()))?;
                }
                Ok(picked)
            }
            Outcome::WithVectors { pick: Pick::Random, vectors, compute, add } => {
                let picked = self.picked(vectors)?;
                picked.map_or(Ok(()), |vector| self.with_vector(vector, compute, add))?;
                Ok(picked)
            }
            Outcome::WithVectors { pick: Pick::All, vectors, compute, add } => {
                let environment = Environment::acting(self.game, self.state, self.parameters);
                for vector in matching(environment, vectors, self.stream)? {
                    self.with_vector(vector, compute, add)?;
                }
                Ok(None)
            }
            Outcome::Custom { name, parameters } => {
                self.custom(name, parameters, registry)?;
                Ok(None)
            }
        }
    }

    fn custom(
        &mut self,
        name: &Arc<str>,
        parameters: &[(Arc<str>, Option<Value>)],
        registry: &Registry,
    ) -> Result<(), FailureKind> {
        let result = registry.get(name).ok_or_else(|| FailureKind::UnknownResult { name: name.clone() })?;
        let writer = Writer { game: self.game, state: self.state, turn: &mut self.turn };
        let mut ground = Writable { writer, stream: self.stream, failed: None };
        let said = result.apply(&mut Call { parameters, action: self.parameters, ground: &mut ground });
        match ground.failed {
            Some(failed) => Err(failed),
            None => said.map_err(|message| FailureKind::Custom { name: name.clone(), message }),
        }
    }

    /// Picks a vector uniformly among those that pass the filter and agree with the parameters.
    fn picked(&mut self, filter: &VectorFilter) -> Result<Option<VectorId>, FailureKind> {
        let environment = Environment::acting(self.game, self.state, self.parameters);
        let mut found = matching(environment, filter, self.stream)?;
        found.retain(|vector| left_by(self.parameters, environment, self.game.board.vector(*vector)));
        if found.is_empty() {
            return Ok(None);
        }
        Ok(Some(found[self.stream.below(found.len() as u64) as usize]))
    }

    fn with_vector(
        &mut self,
        vector: VectorId,
        compute: &[Computed],
        add: &[(Place, Compute)],
    ) -> Result<(), FailureKind> {
        let computed = self.computed(compute, Some(vector));
        let add = self.values(add, &computed, Some(vector));
        self.add_all(add, Some(vector))
    }

    /// Computes the intermediate values, each from the state alone; a failed chain yields a missing value.
    fn computed(&mut self, compute: &[Computed], vector: Option<VectorId>) -> Vec<Option<Value>> {
        compute.iter().map(|entry| self.value(&entry.value, &[], vector).unwrap_or(None)).collect()
    }

    /// Computes the values of entries, omitting those that [`FailedSteps::LeftOut`] skips.
    fn values<'e>(
        &mut self,
        entries: &'e [(Place, Compute)],
        computed: &[Option<Value>],
        vector: Option<VectorId>,
    ) -> Vec<Entry<'e>> {
        let mut values = Vec::with_capacity(entries.len());
        for (place, compute) in entries {
            match self.value(compute, computed, vector) {
                Ok(value) => values.push(Entry { place: *place, compute, value }),
                Err(StepFailed) => match self.game.rules.failed_steps {
                    FailedSteps::Missing => values.push(Entry { place: *place, compute, value: None }),
                    FailedSteps::LeftOut => {}
                },
            }
        }
        values
    }

    fn value(
        &mut self,
        compute: &Compute,
        computed: &[Option<Value>],
        vector: Option<VectorId>,
    ) -> Result<Option<Value>, StepFailed> {
        let vector = vector.map(|vector| self.game.board.vector(vector));
        let acting = Environment::acting(self.game, self.state, self.parameters);
        let overflows = Cell::new(0);
        let environment = Environment { vector, computed, overflows: Some(&overflows), ..acting };
        let value = compute.evaluate(&environment, self.stream, &self.game.rules);
        self.turn.overflows.extend((0..overflows.get()).map(|_| Overflow::Computation));
        value
    }

    /// Adds values in order; additions before a missing value are kept.
    fn add_all(&mut self, entries: Vec<Entry<'_>>, vector: Option<VectorId>) -> Result<(), FailureKind> {
        let vector = vector.map(|vector| self.game.board.vector(vector));
        for Entry { place, value, .. } in entries {
            let Some(value) = value else {
                return Err(FailureKind::MissingAdded { place: place_name(place, self.game) });
            };
            if let Some(spot) = Spot::of(place, self.game, vector) {
                self.writer().add(spot, &value)?;
            }
        }
        Ok(())
    }

    /// Replaces values in order. A literal `null` removes the resource; other missing values are treated as the rules define.
    fn put_all(&mut self, entries: Vec<Entry<'_>>) -> Result<(), FailureKind> {
        for Entry { place, compute, value } in entries {
            let literal = matches!(compute, Compute::Constant(None));
            if value.is_none() && !literal && self.game.rules.missing_put == MissingPut::Refused {
                return Err(FailureKind::MissingPut { place: place_name(place, self.game) });
            }
            if let Some(spot) = Spot::of(place, self.game, None) {
                self.writer().put(spot, value)?;
            }
        }
        Ok(())
    }

    fn writer(&mut self) -> Writer<'_> {
        Writer { game: self.game, state: self.state, turn: &mut self.turn }
    }
}
