//! Operator costs, and their relation to the metric.

use goalspec_core::condition::{Condition, Expression, Term};
use goalspec_core::ids::{FunctionId, ObjectId};
use goalspec_core::planning::task::{AssignmentOperator, Effect, MetricExpression, OptimizationDirection, Task};
use goalspec_core::state::ObjectArguments;
use rustc_hash::FxHashSet;

use super::schema::{LiftedNumericEffect, Schema, Slot};
use super::statics::TaskAnalysis;

/// The meaning of operator costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostModel {
    /// Every step costs 1, and plans are compared by length: there is no metric, or it minimises the number of steps.
    PlanLength,
    /// The plan cost equals the metric, up to its value in the initial state.
    Metric {
        /// Whether the costs are exact. Otherwise they are rounded, since no unit represents all of them.
        exact: bool,
    },
    /// The metric cannot be represented by operator costs. Every step costs 1.
    UnrelatedToMetric,
}

/// The numeric fluent that accumulates the cost of steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CostFluent {
    function: FunctionId,
    arguments: ObjectArguments,
}

impl CostFluent {
    /// Returns the fluent that the metric minimises, if actions only increase it, unconditionally and by static amounts.
    pub(super) fn of(statics: &TaskAnalysis<'_>, schemas: &[Schema<'_>]) -> Option<Self> {
        let metric = statics.task.metric.as_ref()?;
        let MetricExpression::Call(function, terms, _) = &metric.expression else { return None };
        let object = |term: &Term| if let Term::Object(object) = term { Some(*object) } else { None };
        let arguments = terms.iter().map(object).collect::<Option<ObjectArguments>>()?;
        let counter = Self { function: *function, arguments };
        let simple = |change: &LiftedNumericEffect<'_>| {
            let added = change.how == AssignmentOperator::Increase && change.conditions.is_empty();
            change.function != *function || (added && statics.is_static_expression(change.value))
        };
        let is_counter = schemas.iter().flat_map(|schema| &schema.changes).all(simple);
        (metric.direction == OptimizationDirection::Minimize && is_counter).then_some(counter)
    }

    /// Returns the function of the fluent.
    pub(super) fn function(&self) -> FunctionId {
        self.function
    }

    /// Whether the effect changes the counter under a binding.
    pub(super) fn is_changed_by(&self, change: &LiftedNumericEffect<'_>, binding: &[u32]) -> bool {
        let same = |(slot, object): (&Slot, &ObjectId)| slot.value(binding) == object.0;
        change.function == self.function && change.slots.iter().zip(&self.arguments).all(same)
    }
}

/// Whether plans are compared by length: there is no metric, or it minimises the number of steps.
pub(super) fn counts_steps(task: &Task) -> bool {
    task.metric.as_ref().is_none_or(|metric| {
        metric.direction == OptimizationDirection::Minimize && matches!(metric.expression, MetricExpression::TotalTime)
    })
}

/// Scales costs to integers. Returns the integers, the unit (a power of ten, at most 1 unless costs are too large) and whether
/// they are exact; `None` if a cost is negative or not finite.
pub(super) fn scale(costs: &[f64]) -> Option<(Vec<u32>, f64, bool)> {
    if costs.iter().any(|cost| !cost.is_finite() || *cost < 0.0) {
        return None;
    }
    let largest = costs.iter().copied().fold(0.0, f64::max);
    let mut digits = 0;
    while digits < 6 && costs.iter().any(|cost| !is_whole(cost * 10_f64.powi(digits))) {
        digits += 1;
    }
    while largest * 10_f64.powi(digits) > f64::from(u32::MAX >> 4) {
        digits -= 1;
    }
    let factor = 10_f64.powi(digits);
    let exact = costs.iter().all(|cost| is_whole(cost * factor));
    #[expect(clippy::cast_sign_loss, reason = "negative costs have been refused")]
    let scaled = costs.iter().map(|cost| (cost * factor).round() as u32).collect();
    Some((scaled, 10_f64.powi(-digits), exact))
}

/// Whether the number is an integer up to rounding errors.
fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() <= 1e-9 * number.abs()
}

/// For each function, whether the truth of conditions can depend on it: functions that are compared, functions whose changes
/// can be undefined and thereby make an operator inapplicable, and functions read by changes of such functions.
pub(super) fn needed_functions(
    statics: &TaskAnalysis<'_>,
    schemas: &[Schema<'_>],
    counter: Option<&CostFluent>,
) -> Vec<bool> {
    let task = statics.task;
    let mut needed = vec![false; task.world.functions().len()];
    for action in &task.actions {
        condition(&action.precondition, &mut needed);
        effect(&action.effect, &mut needed);
    }
    task.axioms.iter().for_each(|rule| condition(&rule.body, &mut needed));
    task.goal.conjuncts.iter().for_each(|conjunct| condition(&conjunct.condition, &mut needed));
    let partial: Vec<bool> = (0..needed.len()).map(|place| is_partial(statics, FunctionId::from(place))).collect();
    let changes = || schemas.iter().flat_map(|schema| &schema.changes);
    for change in changes().filter(|change| counter.is_none_or(|counter| counter.function != change.function)) {
        let mut read = vec![false; needed.len()];
        expression(change.value, &mut read);
        read[change.function.index()] |= change.how != AssignmentOperator::Set;
        let undefined = read.iter().zip(&partial).any(|(read, partial)| *read && *partial);
        let divides = change.how == AssignmentOperator::ScaleDown || divides(change.value);
        needed[change.function.index()] |= undefined || divides;
    }
    loop {
        let before = needed.clone();
        for change in changes() {
            if needed[change.function.index()] {
                expression(change.value, &mut needed);
            }
        }
        if before == needed {
            return needed;
        }
    }
}

/// Whether a fluent function is undefined for some arguments in the initial state.
fn is_partial(statics: &TaskAnalysis<'_>, function: FunctionId) -> bool {
    let world = &statics.task.world;
    let sizes = world.function(function).parameters.iter().map(|parameter| world.domain(&parameter.types).len());
    let all = sizes.fold(1, usize::saturating_mul);
    let defined: FxHashSet<&ObjectArguments> = statics
        .task
        .initial
        .fluents
        .iter()
        .filter(|change| change.function == function)
        .map(|change| &change.arguments)
        .collect();
    statics.is_changing(function) && defined.len() < all
}

fn divides(of: &Expression) -> bool {
    matches!(of, Expression::Divide(_)) || of.children().iter().any(divides)
}

/// Marks the functions that a condition reads.
fn condition(of: &Condition, needed: &mut [bool]) {
    of.visit_expressions(&mut |part| mark_call(part, needed));
}

/// Marks the functions that an expression reads.
fn expression(of: &Expression, needed: &mut [bool]) {
    of.visit(&mut |part| mark_call(part, needed));
}

fn mark_call(of: &Expression, needed: &mut [bool]) {
    if let Expression::Call { function, .. } = of {
        needed[function.index()] = true;
    }
}

fn effect(of: &Effect, needed: &mut [bool]) {
    match of {
        Effect::And(parts) => parts.iter().for_each(|part| effect(part, needed)),
        Effect::Forall(_, part) => effect(part, needed),
        Effect::When(when, part) => {
            condition(when, needed);
            effect(part, needed);
        }
        Effect::Add(_) | Effect::Delete(_) | Effect::Assign { .. } => {}
    }
}
