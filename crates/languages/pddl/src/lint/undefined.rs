//! Functions that are read or changed but never have a value.

use std::collections::BTreeMap;

use goalspec_core::condition::{Condition, Expression, Origin};
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::{AssignmentOperator, Effect, MetricExpression, Task};
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashSet;

use super::codes;
use crate::ast::Problem;
use crate::parse::excerpt;

/// Returns a diagnostic for each function that is read or changed but never has a value.
pub(super) fn diagnostics(problem: &Problem, task: &Task) -> Vec<Diagnostic> {
    let mut uses = FunctionUses {
        valued: task.initial.fluents.iter().map(|fluent| fluent.function).collect(),
        first_reads: BTreeMap::new(),
    };
    for action in &task.actions {
        uses.condition(&action.precondition);
        uses.effect(&action.effect);
    }
    task.axioms.iter().for_each(|axiom| uses.condition(&axiom.body));
    task.goal.conjuncts.iter().for_each(|conjunct| uses.condition(&conjunct.condition));
    if let Some(metric) = &task.metric {
        uses.metric(&metric.expression);
    }
    let undefined = uses.first_reads.iter().filter(|(function, _)| !uses.valued.contains(function));
    let diagnostic = |(function, origin): (&FunctionId, &Origin)| {
        let name = &task.world.function(*function).name;
        let message = format!("`{}` has no initial value", excerpt(name));
        let diagnostic = Diagnostic::warning(codes::NO_VALUE, problem.header, message)
            .with_help("add one to `(:init ..)`, such as `(= (total-cost) 0)`");
        match origin.0 {
            Some(span) => diagnostic.with_related(span, "its value is required here"),
            None => diagnostic,
        }
    };
    undefined.map(diagnostic).collect()
}

/// The functions of a task by their uses.
struct FunctionUses {
    /// The functions with initial or assigned values.
    valued: FxHashSet<FunctionId>,
    /// The functions that are read or changed, with the first place of each.
    first_reads: BTreeMap<FunctionId, Origin>,
}

impl FunctionUses {
    fn read(&mut self, function: FunctionId, origin: Origin) {
        self.first_reads.entry(function).or_insert(origin);
    }

    fn condition(&mut self, condition: &Condition) {
        condition.visit(&mut |part| part.expressions().iter().for_each(|expression| self.expression(expression)));
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Forall(_, body) => self.effect(body),
            Effect::When(condition, body) => {
                self.condition(condition);
                self.effect(body);
            }
            Effect::Assign { operator, function, value, origin, .. } => {
                match operator {
                    AssignmentOperator::Set => drop(self.valued.insert(*function)),
                    _ => self.read(*function, *origin),
                }
                self.expression(value);
            }
            Effect::Add(_) | Effect::Delete(_) => {}
        }
    }

    fn expression(&mut self, value: &Expression) {
        value.visit(&mut |part| {
            if let Expression::Call { function, origin, .. } = part {
                self.read(*function, *origin);
            }
        });
    }

    fn metric(&mut self, value: &MetricExpression) {
        match value {
            MetricExpression::Call(function, _, origin) => self.read(*function, *origin),
            MetricExpression::Number(_) | MetricExpression::TotalTime | MetricExpression::Violations(_) => {}
            MetricExpression::Add(parts) | MetricExpression::Multiply(parts) => {
                for part in parts {
                    self.metric(part);
                }
            }
            MetricExpression::Subtract(parts) | MetricExpression::Divide(parts) => {
                for part in &parts[..] {
                    self.metric(part);
                }
            }
        }
    }
}
