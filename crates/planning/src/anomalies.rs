//! Properties of a planning task that are probably mistakes and that grounding reveals.

use goalspec_core::ids::ObjectId;
use goalspec_core::planning::task::Task;
use goalspec_pddl::ast::InitEntry;
use goalspec_pddl::lint::codes::NO_VALUE;
use goalspec_planner::ground::TaskAnomalies;
use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::problem::PddlSource;

/// The maximum number of fluents that a message lists.
const MAX_LISTED: usize = 5;

/// The anomalies of a task, in its names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanAnomalies {
    /// The first fluents without a value that steps read or change, such as `(length depot mill)`; these steps are never applicable.
    pub undefined_fluents: Vec<String>,
    /// The first step with a negative cost, due to which the metric is not minimized, and its cost.
    pub negative_cost: Option<(String, f64)>,
}

impl PlanAnomalies {
    /// Returns the anomalies that grounding found in a task.
    pub(crate) fn of(task: &Task, found: &TaskAnomalies) -> Self {
        let application = |name: &str, objects: &[ObjectId]| {
            let objects = objects.iter().map(|&object| &*task.world.object_decl(object).id);
            format!("({})", std::iter::once(name).chain(objects).collect::<Vec<_>>().join(" "))
        };
        let fluent = |(function, objects): &(_, goalspec_core::state::ObjectArguments)| {
            application(&task.world.function(*function).name, objects)
        };
        let step = |(action, objects, cost): &(_, goalspec_core::state::ObjectArguments, f64)| {
            (application(&task.action(*action).name, objects), *cost)
        };
        Self {
            undefined_fluents: found.undefined_fluents.iter().map(fluent).collect(),
            negative_cost: found.negative_cost.as_ref().map(step),
        }
    }

    /// Returns the anomalies as diagnostics at the problem in which they lie, if it is known.
    pub fn diagnostics(&self, source: Option<&PddlSource>) -> Vec<Diagnostic> {
        let header = source.map(|source| source.problem.header);
        let undefined = (!self.undefined_fluents.is_empty()).then(|| {
            let shown: Vec<String> =
                self.undefined_fluents.iter().take(MAX_LISTED).map(|fluent| format!("`{fluent}`")).collect();
            let more = if self.undefined_fluents.len() > MAX_LISTED { " and others" } else { "" };
            let message =
                format!("no value of {}{more}: steps that require them are never applicable", shown.join(", "));
            Diagnostic { span: header, ..Diagnostic::new(NO_VALUE, Severity::Warning, message) }
                .with_help(format!("add values to `(:init ..)`, such as `(= {} 1)`", self.undefined_fluents[0]))
        });
        let negative = self.negative_cost.as_ref().map(|(step, cost)| {
            let message =
                format!("the cost of `{step}` is {cost}: with negative costs, the number of steps is minimized");
            let value = source.and_then(|source| {
                source.problem.init.iter().find(|entry| matches!(entry, InitEntry::Value(_, value, _) if *value < 0.0))
            });
            let span = value.map(InitEntry::span).or(header);
            Diagnostic { span, ..Diagnostic::new(codes::NEGATIVE_COST, Severity::Warning, message) }
        });
        undefined.into_iter().chain(negative).collect()
    }
}
