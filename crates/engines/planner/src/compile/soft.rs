//! Preferences made hard: what is not satisfied in the end is paid for (Keyder and Geffner 2009, "Soft goals can be compiled
//! away").
//!
//! After the last step of the plan an action ends the run. From then on, for one preference after the other, it is either
//! collected, which requires that it is satisfied, or forgone, which costs what its violation costs. Preferences of actions are
//! judged where the action is taken: there are copies of the action, one that requires what is preferred, and one that pays.

use goalspec_core::condition::{Condition, Expression, Origin, Scope, Terms};
use goalspec_core::ids::{FunctionId, PredicateId};
use goalspec_core::planning::task::{Action, ActionId, ActionPreference, Direction, Effect, Metric, MetricValue, Task};

use super::builder::{Builder, conjunction};
use super::metric::{Costs, increase, priced};
use super::rewrite::nullary;
use super::{CompileError, Ignored, instances};

/// Most preferences of one action that are compiled; each doubles the copies of the action.
pub const MAX_ACTION_PREFERENCES: usize = 4;

/// What preferences become.
#[derive(Debug)]
pub(super) struct Soft {
    costs: Costs,
    /// The number that counts what plans cost.
    cost: FunctionId,
    /// What ends the run and judges preferences.
    judging: Vec<Action>,
}

impl Soft {
    /// Compiles the preferences that the metric counts, and metrics that are sums; nothing if there are none.
    ///
    /// # Errors
    /// If one of them is too large.
    pub(super) fn new(builder: &mut Builder<'_>, ignored: &mut Vec<Ignored>) -> Result<Option<Self>, CompileError> {
        let task = builder.task;
        let Some(metric) = task.metric.as_ref().filter(|metric| is_sum(&metric.value)) else {
            return Ok(None);
        };
        let mut costs = match Costs::new(task, metric) {
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
            ignored.push(Ignored::ActionPreferences(ActionId::from(action)));
            return Ok(None);
        }
        let wanted = satisfactions(builder, &mut costs)?;
        let cost = builder.number("cost", costs.constant);
        let judging = if wanted.is_empty() { Vec::new() } else { judges(builder, wanted, cost) };
        Ok(Some(Self { costs, cost, judging }))
    }

    /// The actions that take the place of one action, its copies.
    pub(super) fn copies(&self, action: &Action) -> Vec<Action> {
        let mut copies = vec![(vec![action.precondition.clone()], self.costs.step)];
        for preference in counted(action, &self.costs) {
            // Who pays without need only has a dearer plan than there is.
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
        let mut effects = vec![priced(&action.effect, &self.costs, self.cost)];
        if price > 0.0 {
            effects.push(increase(self.cost, Expression::Number(price)));
        }
        let (precondition, effect) = (conjunction(required), Effect::And(effects));
        Action { precondition, preferences: Vec::new(), effect, ..action.clone() }
    }

    /// Puts what judges into the task, which counts costs from now on.
    pub(super) fn finish(self, task: &mut Task) {
        task.preferences.clear();
        task.actions.extend(self.judging);
        let origin = task.metric.as_ref().map(|metric| metric.origin).unwrap_or_default();
        let value = MetricValue::Call(self.cost, Terms::new(), origin);
        task.metric = Some(Metric { direction: Direction::Minimize, value, origin });
    }
}

/// Whether a metric is made of parts, such as violations of preferences.
pub(super) fn is_sum(value: &MetricValue) -> bool {
    !matches!(value, MetricValue::Number(_) | MetricValue::Call(..) | MetricValue::TotalTime)
}

/// The preferences of an action that cost something when they are violated.
fn counted<'a>(action: &'a Action, costs: &Costs) -> Vec<&'a ActionPreference> {
    action.preferences.iter().filter(|preference| costs.of_violation(&preference.name) != 0.0).collect()
}

/// When the preferences that the metric counts are satisfied, and what their violation costs; one for each assignment of their
/// outer variables. What is known beforehand joins the constant.
fn satisfactions(builder: &mut Builder<'_>, costs: &mut Costs) -> Result<Vec<(Condition, f64)>, CompileError> {
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
                    // Instead of earning by a violation, one pays for the lack of it.
                    costs.constant += f64::min(weight, 0.0);
                    wanted.push((satisfied, weight));
                }
            }
        }
    }
    Ok(wanted)
}

/// The action that ends the run, and for each preference one that collects it and one that forgoes it, in a fixed order.
fn judges(builder: &mut Builder<'_>, wanted: Vec<(Condition, f64)>, cost: FunctionId) -> Vec<Action> {
    let running = builder.fact("running", true);
    builder.preconditions.push(Condition::Atom(nullary(running)));
    let mut turn = builder.fact("judging", false);
    let pass = |from: PredicateId, to: PredicateId| vec![Effect::Delete(nullary(from)), Effect::Add(nullary(to))];
    let mut actions = vec![judge("end", vec![Condition::Atom(nullary(running))], pass(running, turn))];
    for (satisfied, weight) in wanted {
        let next = builder.fact("judging", false);
        let here = || Condition::Atom(nullary(turn));
        let paying = || [pass(turn, next), vec![increase(cost, Expression::Number(weight.abs()))]].concat();
        // Who need not pay has to show it; who pays without need only has a dearer plan than there is.
        let (collect, forgo) = if weight > 0.0 {
            let collect = judge("collect", vec![here(), satisfied], pass(turn, next));
            (collect, judge("forgo", vec![here()], paying()))
        } else {
            let forgo = judge("forgo", vec![here(), Condition::Not(Box::new(satisfied))], pass(turn, next));
            (judge("collect", vec![here()], paying()), forgo)
        };
        actions.extend([collect, forgo]);
        turn = next;
    }
    builder.require(Condition::Atom(nullary(turn)));
    actions
}

fn judge(name: &str, required: Vec<Condition>, effects: Vec<Effect>) -> Action {
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
