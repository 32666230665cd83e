//! Execution of a turn: the cost of a move, its validity and its consequences.

use std::sync::Arc;

use goalspec_resource::board::VectorId;
use goalspec_resource::custom::{CustomCall, CustomResult, ResultRegistry};
use goalspec_resource::game::{TeamId, VectorSelection};
use goalspec_resource::rules::{OddsRule, SelfLoopRule};
use goalspec_resource::turn::{GameError, GameErrorKind, Move, Occurrence, TurnResult};
use goalspec_resource::value::Value;
use smallvec::SmallVec;

use crate::cell::Cell;
use crate::custom::SimulatorStateAccess;
use crate::eval::EvalContext;
use crate::program::CompiledResourceGame;
use crate::program::effects::{Action, CompiledEffect, Consequence};
use crate::program::expressions::Expr;
use crate::resolved_move::{ChosenAction, ResolvedMove, resolve_move};
use crate::state::{BoxedErrorKind, State};
use crate::writes::{PendingValues, ResolvedTarget, resolve_target};

/// Intermediate values.
type Intermediate = SmallVec<[Cell; 8]>;

impl State {
    /// Plays a turn; its effects overwrite `turn`, whose lists are reused.
    pub(crate) fn step(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        team: TeamId,
        chosen: &Move,
        turn: &mut TurnResult,
    ) -> Result<(), GameError> {
        turn.valid = false;
        turn.occurrences.clear();
        turn.out_of_bounds.clear();
        turn.overflows.clear();
        self.outside.clear();
        self.overflows.clear();
        let found =
            resolve_move(c, team, chosen).map_err(|kind| GameError { action: None, consequence: None, kind })?;
        match found {
            ResolvedMove::Pass => turn.valid = true,
            ResolvedMove::Action(id, chosen) => {
                let action = &c.actions[id.index()];
                let fail = |consequence, kind: BoxedErrorKind| GameError { action: Some(id), consequence, kind: *kind };
                turn.valid = self.pay_and_validate(c, action, chosen).map_err(|kind| fail(None, kind))?;
                if turn.valid {
                    self.consequences(c, registry, action, chosen, &mut turn.occurrences)
                        .map_err(|(at, kind)| fail(Some(at), kind))?;
                }
                self.compact_if_full(c);
            }
        }
        turn.out_of_bounds.append(&mut self.outside);
        turn.overflows.append(&mut self.overflows);
        turn.overflows.sort_unstable();
        self.end_turn(c);
        Ok(())
    }

    /// Pays the cost of an action; returns whether the action is valid after it.
    pub(crate) fn pay_and_validate(
        &mut self,
        c: &CompiledResourceGame,
        action: &Action,
        chosen: ChosenAction<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        let frame = chosen.frame([None; 2], &[]);
        match &action.register_cost {
            Some(effects) => self.apply_register_effects(c, effects, None)?,
            None => self.pay(c, action, &frame)?,
        }
        self.holds(c, &action.requires, &frame)
    }

    fn pay(
        &mut self,
        c: &CompiledResourceGame,
        action: &Action,
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for effect in &action.cost {
            let Some(target) = resolve_target(c, effect.target, None) else { continue };
            let node = target.node(c);
            if self.is_bare(c, node) {
                return Err(Box::new(GameErrorKind::BareNode { node }));
            }
            let Some(added) = self.written_value(c, effect, frame) else { continue };
            match target {
                ResolvedTarget::Slot(slot) => self.add(c, slot, added)?,
                ResolvedTarget::Observers(node) => self.add_labels(c, node, added),
            }
        }
        Ok(())
    }

    fn consequences(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        action: &Action,
        chosen: ChosenAction<'_>,
        occurred: &mut Vec<Occurrence>,
    ) -> Result<(), (usize, BoxedErrorKind)> {
        let increments = c.game.rules.odds == OddsRule::Individual;
        let mut number = 0.0;
        let mut sum = 0.0;
        let mut decided = false;
        for (at, consequence) in action.consequences.iter().enumerate() {
            if consequence.begins_group {
                (number, sum, decided) = (self.stream.uniform(), 0.0, false);
            }
            let odds = self.odds(c, consequence);
            sum = if increments { sum + odds } else { odds };
            if !decided && sum > number {
                decided = true;
                let vector =
                    self.apply_effect(c, registry, &consequence.effect, chosen).map_err(|error| (at, error))?;
                occurred.push(Occurrence { consequence: at, vector });
            }
        }
        Ok(())
    }

    /// Returns the current odds of a consequence, and discounts them.
    pub(crate) fn odds(&mut self, c: &CompiledResourceGame, consequence: &Consequence) -> f64 {
        let Some((index, discount)) = consequence.discount else { return consequence.odds };
        let word = &mut self.words[c.layout.odds(index)];
        let odds = f64::from_bits(*word);
        *word = (odds * discount).to_bits();
        odds
    }

    /// Applies the effect of a consequence; returns the vector that it picked, if any.
    pub(crate) fn apply_effect(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        effect: &CompiledEffect,
        chosen: ChosenAction<'_>,
    ) -> Result<Option<VectorId>, BoxedErrorKind> {
        match effect {
            CompiledEffect::Resources { registers: Some(effects), .. } => {
                self.apply_register_effects(c, effects, None)?;
            }
            CompiledEffect::Resources { compute, add, replace, direct, .. } => {
                let mut computed = Intermediate::new();
                self.intermediate(c, compute, &chosen.frame([None; 2], &[]), &mut computed);
                let frame = chosen.frame([None; 2], &computed);
                if *direct {
                    self.add_each(c, add, None, &frame)?;
                    self.replace_each(c, replace, &frame)?;
                } else {
                    let [mut added, mut replaced] = [PendingValues::new(), PendingValues::new()];
                    self.pending_values(c, add, &frame, &mut added);
                    self.pending_values(c, replace, &frame, &mut replaced);
                    self.add_all(c, add, None, &added)?;
                    self.replace_all(c, replace, &replaced)?;
                }
            }
            CompiledEffect::MakeVisible { set, .. }
            | CompiledEffect::Vectors { selection: VectorSelection::Random, set, .. } => {
                let vector = self.pick(c, *set, chosen)?;
                if let Some(vector) = vector {
                    self.apply_to_vector(c, effect, vector, chosen)?;
                }
                return Ok(vector);
            }
            CompiledEffect::Vectors { selection: VectorSelection::All, set, .. } => {
                for vector in self.matching(c, *set, chosen, false)? {
                    self.apply_to_vector(c, effect, vector, chosen)?;
                }
            }
            CompiledEffect::Custom { name, arguments } => {
                self.apply_custom(c, registry.get(name), name, arguments, chosen)?;
            }
        }
        Ok(None)
    }

    /// Applies the effect of a consequence to its selected vector.
    pub(crate) fn apply_to_vector(
        &mut self,
        c: &CompiledResourceGame,
        effect: &CompiledEffect,
        vector: VectorId,
        chosen: ChosenAction<'_>,
    ) -> Result<(), BoxedErrorKind> {
        let ends @ [source, target] = c.vectors.ends(vector);
        match effect {
            CompiledEffect::MakeVisible { label, bit, .. } => {
                self.mark_not_bare(c, target);
                self.add_observer(c, target, label, *bit);
                Ok(())
            }
            CompiledEffect::Vectors { registers: Some(effects), .. } => {
                self.apply_register_effects(c, effects, Some(ends))
            }
            CompiledEffect::Vectors { compute, add, direct, .. } => {
                let hidden = source == target && c.game.rules.self_loops == SelfLoopRule::SourceOnly;
                let read = [Some(source), (!hidden).then_some(target)];
                let mut computed = Intermediate::new();
                self.intermediate(c, compute, &chosen.frame(read, &[]), &mut computed);
                let frame = chosen.frame(read, &computed);
                if *direct {
                    return self.add_each(c, add, Some(ends), &frame);
                }
                let mut added = PendingValues::new();
                self.pending_values(c, add, &frame, &mut added);
                self.add_all(c, add, Some(ends), &added)
            }
            CompiledEffect::Resources { .. } | CompiledEffect::Custom { .. } => Ok(()),
        }
    }

    #[inline]
    fn intermediate(
        &mut self,
        c: &CompiledResourceGame,
        compute: &[Expr],
        frame: &EvalContext<'_>,
        computed: &mut Intermediate,
    ) {
        for value in compute {
            let value = self.compute(c, value, frame).unwrap_or(Cell::Missing);
            computed.push(value);
        }
    }

    fn apply_custom(
        &mut self,
        c: &CompiledResourceGame,
        result: Option<&dyn CustomResult>,
        name: &Arc<str>,
        arguments: &[(Arc<str>, Option<Value>)],
        chosen: ChosenAction<'_>,
    ) -> Result<(), BoxedErrorKind> {
        let Some(result) = result else {
            return Err(Box::new(GameErrorKind::UnknownResult { name: name.clone() }));
        };
        let names = chosen.choice.parameters.iter().map(|parameter| parameter.name.clone());
        let action: Vec<(Arc<str>, Value)> = names.zip(chosen.values.iter().cloned()).collect();
        let mut access = SimulatorStateAccess::new(c, self);
        let applied = result.apply(&mut CustomCall { arguments, action_parameters: &action, state: &mut access });
        if let Some(rejected) = access.rejected_write() {
            return Err(rejected);
        }
        applied
            .map_err(|error| Box::new(GameErrorKind::CustomResult { name: name.clone(), message: error.to_string() }))
    }
}
