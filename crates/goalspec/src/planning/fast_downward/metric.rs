//! Reduction of metrics to those by which Fast Downward compares plans.

use std::borrow::Cow;

use goalspec_core::condition::Terms;
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::{Direction, Metric, MetricValue, Task};

/// A metric as a linear function of one numeric fluent and the number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Linear {
    number: Option<FunctionId>,
    weight: f64,
    step: f64,
    constant: f64,
}

/// Returns a task with the same optimal plans whose metric is to minimise a single fluent, or which has no metric if the plans
/// with the fewest steps are optimal or all plans are equally good. Metrics with other parts are left for compilation. Returns
/// `None` if optimal plans maximise a quantity.
pub(super) fn posed(task: &Task) -> Option<Cow<'_, Task>> {
    let Some(metric) = &task.metric else { return Some(Cow::Borrowed(task)) };
    let Some(linear) = linear(&metric.value) else { return Some(Cow::Borrowed(task)) };
    let sign = if metric.direction == Direction::Minimize { 1.0 } else { -1.0 };
    let (weight, step) = (sign * linear.weight, sign * linear.step);
    let metric = match linear.number {
        _ if weight < 0.0 || step < 0.0 => return None,
        Some(_) if weight > 0.0 && step > 0.0 => return Some(Cow::Borrowed(task)),
        Some(number) if weight > 0.0 => {
            let value = MetricValue::Call(number, Terms::new(), metric.origin);
            Some(Metric { direction: Direction::Minimize, value, origin: metric.origin })
        }
        _ => None,
    };
    Some(Cow::Owned(Task { metric, ..task.clone() }))
}

/// Returns a metric as a linear function, if it has at most one fluent and that has no arguments.
fn linear(value: &MetricValue) -> Option<Linear> {
    match value {
        MetricValue::Number(constant) => Some(Linear { constant: *constant, ..Linear::default() }),
        MetricValue::TotalTime => Some(Linear { step: 1.0, ..Linear::default() }),
        MetricValue::Call(function, arguments, _) => {
            arguments.is_empty().then_some(Linear { number: Some(*function), weight: 1.0, ..Linear::default() })
        }
        MetricValue::Violations(_) => None,
        MetricValue::Add(parts) => parts.iter().try_fold(Linear::default(), |sum, part| added(sum, linear(part)?, 1.0)),
        MetricValue::Subtract(parts) => added(linear(&parts[0])?, linear(&parts[1])?, -1.0),
        MetricValue::Multiply(parts) => {
            let one = Linear { constant: 1.0, ..Linear::default() };
            parts.iter().try_fold(one, |product, part| {
                let part = linear(part)?;
                let scaled = |factor: Linear, other| added(Linear::default(), other, factor.constant);
                if is_constant(product) {
                    scaled(product, part)
                } else {
                    is_constant(part).then(|| scaled(part, product))?
                }
            })
        }
        MetricValue::Divide(parts) => {
            let divisor = linear(&parts[1]).filter(|divisor| is_constant(*divisor) && divisor.constant != 0.0)?;
            added(Linear::default(), linear(&parts[0])?, 1.0 / divisor.constant)
        }
    }
}

fn is_constant(linear: Linear) -> bool {
    linear.weight == 0.0 && linear.step == 0.0
}

/// Returns `one + times * other`, unless their fluents differ or a coefficient is not finite.
fn added(one: Linear, other: Linear, times: f64) -> Option<Linear> {
    let number = match (one.number, other.number) {
        (Some(one), Some(other)) if one != other => return None,
        (one, other) => one.or(other),
    };
    let weight = one.weight + times * other.weight;
    let step = one.step + times * other.step;
    let constant = one.constant + times * other.constant;
    let is_finite = [weight, step, constant].into_iter().all(f64::is_finite);
    is_finite.then_some(Linear { number, weight, step, constant })
}
