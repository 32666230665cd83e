//! Metrics as linear combinations of costs.

use std::sync::Arc;

use goalspec_core::condition::{Expression, Origin, Term, Terms};
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::{
    ActionId, AssignmentOperator, Effect, Metric, MetricExpression, OptimizationDirection, Task,
};
use goalspec_core::state::{FluentChange, ObjectArguments};

use super::IgnoredMetricReason;

/// A numeric fluent in the metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WeightedFluent {
    pub(super) function: FunctionId,
    pub(super) arguments: Terms,
    /// Its coefficient; not negative.
    pub(super) weight: f64,
}

/// A metric to be minimised, as a linear combination.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LinearMetric {
    /// The constant term.
    pub(super) constant: f64,
    /// The cost of each step; not negative.
    pub(super) step: f64,
    /// The fluents in the metric, each once.
    pub(super) counted: Vec<WeightedFluent>,
    /// The cost of each violation, by preference name; may be negative.
    pub(super) violations: Vec<(Arc<str>, f64)>,
}

impl LinearMetric {
    /// Converts the metric of a task to a linear combination.
    ///
    /// # Errors
    /// Returns the reason if the metric cannot be compiled into costs.
    pub(super) fn new(task: &Task, metric: &Metric) -> Result<Self, IgnoredMetricReason> {
        let mut costs = Self::default();
        let sign = if metric.direction == OptimizationDirection::Minimize { 1.0 } else { -1.0 };
        costs.add(&metric.expression, sign).ok_or(IgnoredMetricReason::NonlinearMetric)?;
        costs.counted.retain(|counted| counted.weight != 0.0);
        costs.violations.retain(|(_, weight)| *weight != 0.0);
        let numbers = [costs.constant, costs.step].into_iter();
        let numbers = numbers.chain(costs.counted.iter().map(|counted| counted.weight));
        if !numbers.chain(costs.violations.iter().map(|(_, weight)| *weight)).all(f64::is_finite) {
            return Err(IgnoredMetricReason::NonlinearMetric);
        }
        if costs.step < 0.0 {
            return Err(IgnoredMetricReason::RewardedSteps);
        }
        for (place, action) in task.actions.iter().enumerate() {
            if action.preferences.iter().any(|preference| costs.of_violation(&preference.name) < 0.0) {
                return Err(IgnoredMetricReason::ActionPreferences(ActionId::from(place)));
            }
        }
        for counted in &costs.counted {
            let grows = task.actions.iter().all(|action| only_grows(&action.effect, counted));
            if counted.weight < 0.0 || !grows {
                return Err(IgnoredMetricReason::NonMonotoneFluent(counted.function));
            }
            let initial =
                initial_value(task, counted).ok_or(IgnoredMetricReason::NonMonotoneFluent(counted.function))?;
            costs.constant += counted.weight * initial;
        }
        Ok(costs)
    }

    /// Returns the cost of a violation of a preference.
    pub(super) fn of_violation(&self, name: &str) -> f64 {
        self.violations.iter().find(|(known, _)| **known == *name).map_or(0.0, |(_, weight)| *weight)
    }

    fn add(&mut self, value: &MetricExpression, weight: f64) -> Option<()> {
        match value {
            MetricExpression::Number(number) => self.constant += weight * number,
            MetricExpression::TotalTime => self.step += weight,
            MetricExpression::Violations(name) => match self.violations.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += weight,
                None => self.violations.push((name.clone(), weight)),
            },
            MetricExpression::Call(function, arguments, _) => {
                let same = |known: &&mut WeightedFluent| known.function == *function && known.arguments == *arguments;
                match self.counted.iter_mut().find(same) {
                    Some(known) => known.weight += weight,
                    None => {
                        self.counted.push(WeightedFluent { function: *function, arguments: arguments.clone(), weight });
                    }
                }
            }
            MetricExpression::Add(parts) => parts.iter().try_for_each(|part| self.add(part, weight))?,
            MetricExpression::Subtract(parts) => {
                self.add(&parts[0], weight)?;
                self.add(&parts[1], -weight)?;
            }
            MetricExpression::Multiply(parts) => {
                let factor: f64 = parts.iter().filter_map(constant).product();
                let mut others = parts.iter().filter(|part| constant(part).is_none());
                match (others.next(), others.next()) {
                    (None, _) => self.constant += weight * factor,
                    (Some(only), None) => self.add(only, weight * factor)?,
                    (Some(_), Some(_)) => return None,
                }
            }
            MetricExpression::Divide(parts) => {
                let divisor = constant(&parts[1]).filter(|divisor| *divisor != 0.0)?;
                self.add(&parts[0], weight / divisor)?;
            }
        }
        Some(())
    }
}

/// Returns the value of a constant metric expression.
fn constant(value: &MetricExpression) -> Option<f64> {
    let pair = |parts: &[MetricExpression; 2]| Some((constant(&parts[0])?, constant(&parts[1])?));
    match value {
        MetricExpression::Number(number) => Some(*number),
        MetricExpression::Call(..) | MetricExpression::TotalTime | MetricExpression::Violations(_) => None,
        MetricExpression::Add(parts) => parts.iter().map(constant).sum(),
        MetricExpression::Multiply(parts) => parts.iter().map(constant).product(),
        MetricExpression::Subtract(parts) => pair(parts).map(|(left, right)| left - right),
        MetricExpression::Divide(parts) => {
            pair(parts).filter(|&(_, right)| right != 0.0).map(|(left, right)| left / right)
        }
    }
}

fn initial_value(task: &Task, counted: &WeightedFluent) -> Option<f64> {
    let object = |term: &Term| if let Term::Object(object) = term { Some(*object) } else { None };
    let arguments = counted.arguments.iter().map(object).collect::<Option<ObjectArguments>>()?;
    let of = |change: &&FluentChange| change.function == counted.function && change.arguments == arguments;
    task.initial.fluents.iter().rfind(of).map(|change| change.value)
}

/// Whether an effect only increases the fluent, with ground arguments.
fn only_grows(effect: &Effect, counted: &WeightedFluent) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().all(|part| only_grows(part, counted)),
        Effect::Forall(_, body) | Effect::When(_, body) => only_grows(body, counted),
        Effect::Add(_) | Effect::Delete(_) => true,
        Effect::Assign { operator: how, function, arguments, .. } => {
            let objects = arguments.iter().all(|term| matches!(term, Term::Object(_)));
            *function != counted.function
                || (objects && (*how == AssignmentOperator::Increase || *arguments != counted.arguments))
        }
    }
}

/// Adds to an effect the cost increase that corresponds to its effect on fluents in the metric.
pub(super) fn add_cost_effects(effect: &Effect, costs: &LinearMetric, cost: FunctionId) -> Effect {
    match effect {
        Effect::And(parts) => Effect::And(parts.iter().map(|part| add_cost_effects(part, costs, cost)).collect()),
        Effect::Forall(variables, body) => {
            Effect::Forall(variables.clone(), Box::new(add_cost_effects(body, costs, cost)))
        }
        Effect::When(condition, body) => Effect::When(condition.clone(), Box::new(add_cost_effects(body, costs, cost))),
        Effect::Assign { function, arguments, value, .. } => {
            let of = |counted: &&WeightedFluent| counted.function == *function && counted.arguments == *arguments;
            match costs.counted.iter().find(of) {
                Some(counted) => Effect::And(vec![effect.clone(), increase(cost, scaled(value, counted.weight))]),
                None => effect.clone(),
            }
        }
        Effect::Add(_) | Effect::Delete(_) => effect.clone(),
    }
}

#[expect(clippy::float_cmp, reason = "only exactly 1 changes nothing")]
fn scaled(value: &Expression, weight: f64) -> Expression {
    match value {
        _ if weight == 1.0 => value.clone(),
        Expression::Number(number) => Expression::Number(number * weight),
        _ => Expression::Multiply(vec![Expression::Number(weight), value.clone()]),
    }
}

/// Returns the effect that increases the cost.
pub(super) fn increase(cost: FunctionId, value: Expression) -> Effect {
    let (arguments, origin) = (Terms::new(), Origin::default());
    Effect::Assign { operator: AssignmentOperator::Increase, function: cost, arguments, value, origin }
}
