//! Reduction of metrics to those by which Fast Downward compares plans.

use std::borrow::Cow;

use goalspec_core::condition::Terms;
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::{Metric, MetricExpression, OptimizationDirection, Task};

/// A metric as a linear function of one numeric fluent and the number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct LinearMetric {
    fluent: Option<FunctionId>,
    weight: f64,
    step: f64,
    constant: f64,
}

/// Returns a task with the same optimal plans whose metric is to minimise a single fluent, or which has no metric if the plans
/// with the fewest steps are optimal or all plans are equally good. Metrics with other parts are left for compilation. Returns
/// `None` if optimal plans maximise a quantity.
pub(super) fn with_supported_metric(task: &Task) -> Option<Cow<'_, Task>> {
    let Some(metric) = &task.metric else { return Some(Cow::Borrowed(task)) };
    let Some(linear) = linear(&metric.expression) else { return Some(Cow::Borrowed(task)) };
    let sign = if metric.direction == OptimizationDirection::Minimize { 1.0 } else { -1.0 };
    let (weight, step) = (sign * linear.weight, sign * linear.step);
    let metric = match linear.fluent {
        _ if weight < 0.0 || step < 0.0 => return None,
        Some(_) if weight > 0.0 && step > 0.0 => return Some(Cow::Borrowed(task)),
        Some(number) if weight > 0.0 => {
            let value = MetricExpression::Call(number, Terms::new(), metric.origin);
            Some(Metric { direction: OptimizationDirection::Minimize, expression: value, origin: metric.origin })
        }
        _ => None,
    };
    Some(Cow::Owned(Task { metric, ..task.clone() }))
}

/// Returns a metric as a linear function, if it has at most one fluent and that has no arguments.
fn linear(value: &MetricExpression) -> Option<LinearMetric> {
    match value {
        MetricExpression::Number(constant) => Some(LinearMetric { constant: *constant, ..LinearMetric::default() }),
        MetricExpression::TotalTime => Some(LinearMetric { step: 1.0, ..LinearMetric::default() }),
        MetricExpression::Call(function, arguments, _) => arguments.is_empty().then_some(LinearMetric {
            fluent: Some(*function),
            weight: 1.0,
            ..LinearMetric::default()
        }),
        MetricExpression::Violations(_) => None,
        MetricExpression::Add(parts) => {
            parts.iter().try_fold(LinearMetric::default(), |sum, part| add_scaled(sum, linear(part)?, 1.0))
        }
        MetricExpression::Subtract(parts) => add_scaled(linear(&parts[0])?, linear(&parts[1])?, -1.0),
        MetricExpression::Multiply(parts) => {
            let unit = LinearMetric { constant: 1.0, ..LinearMetric::default() };
            parts.iter().try_fold(unit, |product, part| {
                let part = linear(part)?;
                let scaled =
                    |factor: LinearMetric, metric| add_scaled(LinearMetric::default(), metric, factor.constant);
                if is_constant(product) {
                    scaled(product, part)
                } else {
                    is_constant(part).then(|| scaled(part, product))?
                }
            })
        }
        MetricExpression::Divide(parts) => {
            let divisor = linear(&parts[1]).filter(|divisor| is_constant(*divisor) && divisor.constant != 0.0)?;
            add_scaled(LinearMetric::default(), linear(&parts[0])?, 1.0 / divisor.constant)
        }
    }
}

fn is_constant(linear: LinearMetric) -> bool {
    linear.weight == 0.0 && linear.step == 0.0
}

/// Returns `one + times * other`, unless their fluents differ or a coefficient is not finite.
fn add_scaled(left: LinearMetric, right: LinearMetric, times: f64) -> Option<LinearMetric> {
    let number = match (left.fluent, right.fluent) {
        (Some(left), Some(right)) if left != right => return None,
        (left, right) => left.or(right),
    };
    let weight = left.weight + times * right.weight;
    let step = left.step + times * right.step;
    let constant = left.constant + times * right.constant;
    let is_finite = [weight, step, constant].into_iter().all(f64::is_finite);
    is_finite.then_some(LinearMetric { fluent: number, weight, step, constant })
}
