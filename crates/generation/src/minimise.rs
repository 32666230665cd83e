//! Minimisation of smooth functions with limited memory (L-BFGS; Nocedal: Updating quasi-Newton matrices with limited storage; 1980).

use std::collections::VecDeque;

/// The number of steps from which the curvature is estimated.
const MEMORY: usize = 10;

/// The share of the decrease that the slope promises and that a step has to reach.
const SUFFICIENT_DECREASE: f64 = 1e-4;

/// Maximum number of times that a step is halved.
const MAX_HALVINGS: i32 = 40;

/// The norm of the gradient, relative to the value, below which a point is a minimum.
const TOLERANCE: f64 = 1e-7;

/// The result of a minimisation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Minimum {
    /// The point.
    pub(crate) point: Vec<f64>,
    /// The value of the function there.
    pub(crate) value: f64,
    /// The number of steps.
    pub(crate) steps: u32,
}

/// Minimises a function from a point on, in at most a number of steps. The function returns its value and sets its gradient.
pub(crate) fn minimise(
    start: Vec<f64>,
    max_steps: u32,
    mut function: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> Minimum {
    let mut point = start;
    let mut gradient = vec![0.0; point.len()];
    let mut value = function(&point, &mut gradient);
    let mut history: VecDeque<Step> = VecDeque::new();
    let mut steps = 0;
    while steps < max_steps && dot(&gradient, &gradient).sqrt() > TOLERANCE * value.abs().max(1.0) {
        let mut direction = newton_direction(&gradient, &history);
        let mut slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            history.clear();
            direction = gradient.iter().map(|own| -own).collect();
            slope = -dot(&gradient, &gradient);
        }
        let first = if history.is_empty() { (1.0 / dot(&gradient, &gradient).sqrt()).min(1.0) } else { 1.0 };
        let mut next_gradient = vec![0.0; point.len()];
        let found = (0..MAX_HALVINGS).find_map(|halvings| {
            let length = first * 0.5_f64.powi(halvings);
            let next: Vec<f64> = point.iter().zip(&direction).map(|(own, along)| own + length * along).collect();
            let next_value = function(&next, &mut next_gradient);
            (next_value <= value + SUFFICIENT_DECREASE * length * slope).then_some((next, next_value))
        });
        let Some((next, next_value)) = found else { break };
        let step = Step::between((&point, &gradient), (&next, &next_gradient));
        if step.curvature > 0.0 {
            history.push_back(step);
            if history.len() > MEMORY {
                history.pop_front();
            }
        }
        (point, value, gradient) = (next, next_value, next_gradient);
        steps += 1;
    }
    Minimum { point, value, steps }
}

/// A step with the change of the gradient along it.
struct Step {
    points: Vec<f64>,
    gradients: Vec<f64>,
    /// The product of both.
    curvature: f64,
}

impl Step {
    fn between((point, gradient): (&[f64], &[f64]), (next, next_gradient): (&[f64], &[f64])) -> Self {
        let difference =
            |one: &[f64], other: &[f64]| -> Vec<f64> { one.iter().zip(other).map(|(a, b)| a - b).collect() };
        let (points, gradients) = (difference(next, point), difference(next_gradient, gradient));
        let curvature = dot(&points, &gradients);
        Self { points, gradients, curvature }
    }
}

/// Returns the direction to the minimum of the quadratic function that the last steps suggest (the two-loop recursion).
fn newton_direction(gradient: &[f64], history: &VecDeque<Step>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|own| -own).collect();
    let mut factors = Vec::with_capacity(history.len());
    for step in history.iter().rev() {
        let factor = dot(&step.points, &direction) / step.curvature;
        add(&mut direction, -factor, &step.gradients);
        factors.push(factor);
    }
    if let Some(last) = history.back() {
        let scale = last.curvature / dot(&last.gradients, &last.gradients);
        for own in &mut direction {
            *own *= scale;
        }
    }
    for (step, factor) in history.iter().zip(factors.iter().rev()) {
        let correction = dot(&step.gradients, &direction) / step.curvature;
        add(&mut direction, factor - correction, &step.points);
    }
    direction
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Adds a multiple of a vector to another one.
pub(crate) fn add(sum: &mut [f64], factor: f64, vector: &[f64]) {
    for (own, part) in sum.iter_mut().zip(vector) {
        *own += factor * part;
    }
}

#[cfg(test)]
mod tests {
    use super::minimise;

    #[test]
    fn a_curved_valley_is_followed_to_its_minimum() {
        let rosenbrock = |point: &[f64], gradient: &mut [f64]| {
            let [x, y] = [point[0], point[1]];
            gradient[0] = -2.0 * (1.0 - x) - 400.0 * x * (y - x * x);
            gradient[1] = 200.0 * (y - x * x);
            (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
        };
        let minimum = minimise(vec![-1.2, 1.0], 200, rosenbrock);
        assert!(minimum.steps < 100 && minimum.value < 1e-12, "{minimum:?}");
        assert!(minimum.point.iter().all(|own| (own - 1.0).abs() < 1e-5), "{minimum:?}");
        assert_eq!(minimise(vec![-1.2, 1.0], 3, rosenbrock).steps, 3);
    }

    #[test]
    fn a_function_that_is_not_a_number_ends_the_search() {
        let minimum = minimise(vec![1.0], 10, |_, gradient| {
            gradient[0] = 1.0;
            f64::NAN
        });
        assert_eq!(minimum.steps, 0);
    }
}
