//! Instantiation of effects.

use rustc_hash::FxHashMap;

use super::super::GroundError;
use super::super::budget::Budget;
use super::super::formula::{Formula, proposition};
use super::super::numbers::{self, Value};
use super::super::schema::{LiftedEffect, LiftedNumericEffect, Schema, bound, slot_variables};
use super::{AtomEffect, BoundNumericEffect, Instantiator, PropositionalNumericEffect, Span};
use crate::ground_task::NumericExpression;
use goalspec_core::condition::Expression;
use goalspec_core::ids::ObjectId;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_core::state::ObjectArguments;

/// A schedule of the conditions of an effect.
pub(super) struct ConditionSchedule {
    /// The conditions that become evaluable at each number of bound quantified variables.
    levels: Vec<Level>,
}

#[derive(Default)]
struct Level {
    atoms: Vec<usize>,
    filters: Vec<usize>,
}

impl<'t> Instantiator<'_, 't> {
    pub(super) fn effects(
        &mut self,
        schema: &Schema<'t>,
        plans: &[ConditionSchedule],
        binding: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<(Span, Span), GroundError> {
        let (first, first_change) = (self.made.effects.len() as u32, self.made.changes.len() as u32);
        let mut own = binding[..schema.parameters].to_vec();
        for (effect, plan) in schema.effects.iter().zip(plans) {
            self.effect(effect, plan, 0, &mut own, budget)?;
        }
        for change in std::mem::take(&mut self.changed) {
            let BoundNumericEffect { when, function, variable, how, value } = change;
            // At most one branch, since a numeric effect must not apply twice.
            let branches = self.conditions.formulas.branches(when, 1);
            if let Some(conditions) = branches.into_iter().next().filter(|_| self.needed[function.index()]) {
                let conditions = self.made.store(&conditions);
                self.made.changes.push(PropositionalNumericEffect { conditions, variable, how, value });
            }
        }
        Ok((first..self.made.effects.len() as u32, first_change..self.made.changes.len() as u32))
    }

    /// Instantiates an effect for all objects of its remaining quantified variables.
    pub(super) fn effect(
        &mut self,
        effect: &LiftedEffect<'t>,
        plan: &ConditionSchedule,
        level: usize,
        binding: &mut Vec<u32>,
        budget: &mut Budget<'_>,
    ) -> Result<(), GroundError> {
        let closed = &plan.levels[level];
        let holds = |&atom: &usize| {
            self.conditions.pattern(&effect.body.atoms[atom], binding, true) != Formula::Constant(false)
        };
        let passes = |&filter: &usize| self.passes(&effect.body.filters[filter], binding);
        if !closed.filters.iter().all(passes) || !closed.atoms.iter().all(holds) {
            return Ok(());
        }
        if let Some(&domain) = effect.variables.get(binding.len()) {
            for at in 0..self.conditions.domains().get(domain).objects.len() {
                budget.tick_without_growth()?;
                binding.push(self.conditions.domains().get(domain).objects[at]);
                self.effect(effect, plan, level + 1, binding, budget)?;
                binding.pop();
            }
            return Ok(());
        }
        let Formula::Literal(atom) = self.conditions.pattern(&effect.atom, binding, true) else { return Ok(()) };
        self.begin();
        if !self.body(&effect.body, binding, false, budget)? {
            return Ok(());
        }
        for conditions in self.close()?.unwrap_or_default() {
            let conditions = self.made.store(&conditions);
            let (atom, adds) = (proposition(atom), effect.adds);
            self.made.effects.push(AtomEffect { conditions, atom, adds });
        }
        Ok(())
    }

    /// Collects the numeric effects of an instance and adds the condition that they are applicable to the precondition. Returns
    /// the cost of the instance, or `None` if it is never applicable.
    pub(super) fn changes(
        &mut self,
        schema: &Schema<'t>,
        binding: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Option<f64>, GroundError> {
        let mut cost = 0.0;
        let mut own = binding[..schema.parameters].to_vec();
        for change in &schema.changes {
            if !self.change(change, &mut own, &mut cost, budget)? {
                return Ok(None);
            }
        }
        for places in conflicting(&self.changed) {
            for (at, &later) in places.iter().enumerate() {
                for &earlier in &places[..at] {
                    budget.tick_without_growth()?;
                    let (left, right) = (&self.changed[earlier], &self.changed[later]);
                    if are_compatible(left.how, right.how) {
                        continue;
                    }
                    let both = self.conditions.formulas.and(&[left.when, right.when])?;
                    let never = self.conditions.formulas.not(both)?;
                    if !self.add(never) {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(cost))
    }

    /// Instantiates a numeric effect for all objects of its remaining quantified variables. Returns whether it is applicable.
    pub(super) fn change(
        &mut self,
        change: &LiftedNumericEffect<'t>,
        binding: &mut Vec<u32>,
        cost: &mut f64,
        budget: &mut Budget<'_>,
    ) -> Result<bool, GroundError> {
        if let Some(&domain) = change.variables.get(binding.len()) {
            for at in 0..self.conditions.domains().get(domain).objects.len() {
                budget.tick_without_growth()?;
                binding.push(self.conditions.domains().get(domain).objects[at]);
                let possible = self.change(change, binding, cost, budget)?;
                binding.pop();
                if !possible {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let value = self.conditions.value(change.value, change.scope, &bound(&change.environment, binding));
        if let Some(counter) = self.counter.filter(|counter| counter.is_changed_by(change, binding)) {
            let Value::Constant(Some(number)) = value else {
                self.list_undefined_reads(change.value, change, binding);
                return Ok(false);
            };
            *cost += number;
            if !self.needed[counter.function().index()] {
                return Ok(true);
            }
        }
        let mut when = Vec::with_capacity(change.conditions.len());
        for part in &change.conditions {
            when.push(self.conditions.ground_under(part, binding, budget)?);
        }
        let when = self.conditions.formulas.and(&when)?;
        let value = match value {
            Value::Constant(Some(number)) if number != 0.0 || change.how != AssignmentOperator::ScaleDown => {
                Some(NumericExpression::Number(number))
            }
            Value::Constant(_) => None,
            Value::Changing(expression) => Some(expression),
        };
        let Some(value) = value else {
            // An undefined value cannot be assigned.
            let never = self.conditions.formulas.not(when)?;
            if never == Formula::Constant(false) {
                self.list_undefined_reads(change.value, change, binding);
            }
            return Ok(self.add(never));
        };
        let arguments = change.slots.iter().map(|slot| ObjectId(slot.value(binding))).collect();
        let variable = self.conditions.numbers.variable(self.conditions.statics, change.function, arguments);
        if when != Formula::Constant(false) {
            self.changed.push(BoundNumericEffect { when, function: change.function, variable, how: change.how, value });
        }
        Ok(true)
    }

    /// Lists the fluents without a value in an expression of a numeric effect.
    fn list_undefined_reads(&mut self, value: &Expression, change: &LiftedNumericEffect<'_>, binding: &[u32]) {
        match value {
            Expression::Number(_) => {}
            Expression::Call { function, arguments, .. } => {
                let bound = bound(&change.environment, binding);
                if self.conditions.value(value, change.scope, &bound) == Value::Constant(None) {
                    let objects = arguments.iter().map(|&term| numbers::object(term, &bound));
                    if let Some(objects) = objects.collect::<Option<ObjectArguments>>() {
                        self.made.list_undefined((*function, objects));
                    }
                }
            }
            Expression::Add(parts) | Expression::Multiply(parts) => {
                for part in parts {
                    self.list_undefined_reads(part, change, binding);
                }
            }
            Expression::Subtract(parts) | Expression::Divide(parts) => {
                for part in &parts[..] {
                    self.list_undefined_reads(part, change, binding);
                }
            }
            Expression::Absolute(part) => self.list_undefined_reads(part, change, binding),
        }
    }
}

/// Whether an operator can apply both kinds of assignment to one variable.
fn are_compatible(left: AssignmentOperator, right: AssignmentOperator) -> bool {
    let adds = |how| matches!(how, AssignmentOperator::Increase | AssignmentOperator::Decrease);
    let scales = |how| matches!(how, AssignmentOperator::ScaleUp | AssignmentOperator::ScaleDown);
    (adds(left) && adds(right)) || (scales(left) && scales(right))
}

/// Returns the numeric effects of each variable that has incompatible ones.
fn conflicting(changed: &[BoundNumericEffect]) -> Vec<Vec<usize>> {
    let mut by_variable: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (place, change) in changed.iter().enumerate() {
        by_variable.entry(change.variable).or_default().push(place);
    }
    let go_all_together = |places: &[usize]| {
        let first = changed[places[0]].how;
        places[1..].iter().all(|&place| are_compatible(first, changed[place].how))
    };
    let mut conflicting: Vec<_> = by_variable.into_values().filter(|places| !go_all_together(places)).collect();
    conflicting.sort_unstable();
    conflicting
}

impl ConditionSchedule {
    pub(super) fn of(parameters: usize, effect: &LiftedEffect<'_>) -> Self {
        let mut levels = Vec::new();
        levels.resize_with(effect.variables.len() - parameters + 1, Level::default);
        let level = |variables: Vec<u32>| {
            let last = variables.last().map_or(0, |&last| last as usize + 1);
            last.saturating_sub(parameters)
        };
        for (place, atom) in effect.body.atoms.iter().enumerate() {
            levels[level(slot_variables(atom.slots.iter().copied()))].atoms.push(place);
        }
        for (place, filter) in effect.body.filters.iter().enumerate() {
            levels[level(filter.variables())].filters.push(place);
        }
        Self { levels }
    }
}
