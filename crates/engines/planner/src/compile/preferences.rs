//! Compilation of preferences into action costs (Keyder and Geffner 2009, "Soft goals can be compiled away").
//!
//! An auxiliary action ends the run after the last step of the plan. Then each preference, in a fixed order, is either
//! collected, which requires that it is satisfied, or forgone, which costs its violation. Preferences of actions are evaluated
//! where the action is applied: the action is split into a copy that requires the preferred condition and a copy that pays.

use goalspec_core::condition::{Condition, Expression, Origin, Scope, Terms};
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::task::{
    Action, ActionId, ActionPreference, Effect, Metric, MetricExpression, OptimizationDirection, Task,
};

use super::builder::{Builder, conjunction};
use super::metric::{LinearMetric, add_cost_effects, increase};
use super::rewrite::nullary;
use super::{CompileError, IgnoredMetricReason, instances};

/// Maximum number of compiled preferences per action; each one doubles the copies of the action.
pub const MAX_ACTION_PREFERENCES: usize = 4;

/// The compiled preferences and metric.
#[derive(Debug)]
pub(super) struct CompiledPreferences {
    costs: LinearMetric,
    /// The function that accumulates the plan cost.
    cost: FunctionId,
    /// The auxiliary actions that end the run and evaluate preferences.
    evaluation_actions: Vec<Action>,
}

impl CompiledPreferences {
    /// Compiles the preferences in the metric and metrics that are sums; returns `None` if there are none or they are ignored.
    ///
    /// # Errors
    /// Returns an error if a preference exceeds a limit.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        ignored: &mut Vec<IgnoredMetricReason>,
    ) -> Result<Option<Self>, CompileError> {
        let task = builder.task;
        let Some(metric) = task.metric.as_ref().filter(|metric| is_sum(&metric.expression)) else {
            return Ok(None);
        };
        let mut costs = match LinearMetric::new(task, metric) {
            Ok(costs) => costs,
            Err(reason) => {
                ignored.push(reason);
                return Ok(None);
            }
        };
        let open = task.actions.iter().position(|action| {
            let counted = counted(action, &costs);
            counted.len() > MAX_ACTION_PREFERENCES || counted.iter().any(|preference| !preference.external.is_empty())
        });
        if let Some(action) = open {
            ignored.push(IgnoredMetricReason::ActionPreferences(ActionId::from(action)));
            return Ok(None);
        }
        let wanted = satisfactions(builder, &mut costs)?;
        let cost = builder.number("cost", costs.constant);
        let actions = if wanted.is_empty() { Vec::new() } else { evaluation_actions(builder, wanted, cost) };
        Ok(Some(Self { costs, cost, evaluation_actions: actions }))
    }

    /// Returns the copies of an action.
    pub(super) fn copies(&self, action: &Action) -> Vec<Action> {
        let mut copies = vec![(vec![action.precondition.clone()], self.costs.step)];
        for preference in counted(action, &self.costs) {
            // Paying although the condition holds only yields a more expensive plan.
            let paid: Vec<_> = copies
                .iter()
                .map(|(required, price)| (required.clone(), price + self.costs.of_violation(&preference.name)))
                .collect();
            for (required, _) in &mut copies {
                required.push(preference.condition.clone());
            }
            copies.extend(paid);
        }
        copies.into_iter().map(|(required, price)| self.copy(action, required, price)).collect()
    }

    fn copy(&self, action: &Action, required: Vec<Condition>, price: f64) -> Action {
        let mut effects = vec![add_cost_effects(&action.effect, &self.costs, self.cost)];
        if price > 0.0 {
            effects.push(increase(self.cost, Expression::Number(price)));
        }
        let (precondition, effect) = (conjunction(required), Effect::And(effects));
        Action { precondition, preferences: Vec::new(), effect, ..action.clone() }
    }

    /// Adds the auxiliary actions to a task and replaces its metric by the accumulated cost.
    pub(super) fn finish(self, task: &mut Task) {
        task.preferences.clear();
        task.actions.extend(self.evaluation_actions);
        let origin = task.metric.as_ref().map(|metric| metric.origin).unwrap_or_default();
        let value = MetricExpression::Call(self.cost, Terms::new(), origin);
        task.metric = Some(Metric { direction: OptimizationDirection::Minimize, expression: value, origin });
    }
}

/// Whether a metric is a compound expression or a count of violations.
pub(super) fn is_sum(value: &MetricExpression) -> bool {
    !matches!(value, MetricExpression::Number(_) | MetricExpression::Call(..) | MetricExpression::TotalTime)
}

/// Returns the preferences of an action whose violation has a cost.
fn counted<'a>(action: &'a Action, costs: &LinearMetric) -> Vec<&'a ActionPreference> {
    action.preferences.iter().filter(|preference| costs.of_violation(&preference.name) != 0.0).collect()
}

/// Returns the satisfaction conditions of the preferences in the metric with the costs of their violation, one per assignment
/// of the outer variables. Constant conditions contribute to the constant cost.
fn satisfactions(builder: &mut Builder<'_>, costs: &mut LinearMetric) -> Result<Vec<(Condition, f64)>, CompileError> {
    let mut wanted = Vec::new();
    for preference in &builder.task.preferences {
        let weight = costs.of_violation(&preference.name);
        if weight == 0.0 {
            continue;
        }
        for instance in instances(&builder.task.world, preference)? {
            match instance.follow(builder).map_err(|reason| reason.of(&preference.name, preference.origin))? {
                Condition::Constant(true) => {}
                Condition::Constant(false) => costs.constant += weight,
                satisfied => {
                    // A reward for a violation becomes a constant reward and a cost of satisfaction.
                    costs.constant += f64::min(weight, 0.0);
                    wanted.push((satisfied, weight));
                }
            }
        }
    }
    Ok(wanted)
}

/// Creates the action that ends the run, and for each preference, in a fixed order, one that collects it and one that forgoes
/// it.
fn evaluation_actions(builder: &mut Builder<'_>, wanted: Vec<(Condition, f64)>, cost: FunctionId) -> Vec<Action> {
    let running = builder.fact("running", true);
    builder.preconditions.push(Condition::Atom(nullary(running)));
    let mut turn = builder.fact("evaluating", false);
    let pass = |from: PredicateId, to: PredicateId| vec![Effect::Delete(nullary(from)), Effect::Add(nullary(to))];
    let mut actions = vec![auxiliary_action("end", vec![Condition::Atom(nullary(running))], pass(running, turn))];
    for (satisfied, weight) in wanted {
        let next = builder.fact("evaluating", false);
        let here = || Condition::Atom(nullary(turn));
        let paying = || [pass(turn, next), vec![increase(cost, Expression::Number(weight.abs()))]].concat();
        // The action without cost has a precondition; choosing the other one without need only yields a more expensive plan.
        let (collect, forgo) = if weight > 0.0 {
            let collect = auxiliary_action("collect", vec![here(), satisfied], pass(turn, next));
            (collect, auxiliary_action("forgo", vec![here()], paying()))
        } else {
            let forgo = auxiliary_action("forgo", vec![here(), Condition::Not(Box::new(satisfied))], pass(turn, next));
            (auxiliary_action("collect", vec![here()], paying()), forgo)
        };
        actions.extend([collect, forgo]);
        turn = next;
    }
    builder.require(Condition::Atom(nullary(turn)));
    actions
}

fn auxiliary_action(name: &str, required: Vec<Condition>, effects: Vec<Effect>) -> Action {
    Action {
        name: name.into(),
        scope: Scope::default(),
        parameters: 0,
        precondition: conjunction(required),
        preferences: Vec::new(),
        effect: Effect::And(effects),
        origin: Origin::default(),
    }
}
