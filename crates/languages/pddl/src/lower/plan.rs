//! Lowering of plans.

use goalspec_core::condition::Variable;
use goalspec_core::ids::ObjectId;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::{Action, ActionId, Task};
use goalspec_syntax::{Diagnostic, Severity, suggest};
use rustc_hash::FxHashMap;

use crate::ast::{self, Name};
use crate::codes;
use crate::parse::excerpt;

/// Resolves the names of a plan. Steps with times are ordered by time; durations are ignored. If a step has errors, they are
/// reported and no plan is returned.
///
/// The steps of the result correspond to [`ast::Plan::steps`], sorted by time.
pub fn lower_plan(plan: &ast::Plan, task: &Task) -> (Option<Plan>, Vec<Diagnostic>) {
    let (steps, diagnostics) = lower_steps(plan, task);
    let steps = steps.into_iter().collect::<Option<Vec<_>>>();
    let is_whole = !diagnostics.iter().any(Diagnostic::is_error);
    (steps.filter(|_| is_whole).map(|steps| Plan { steps }), diagnostics)
}

/// Resolves the names of a plan as [`lower_plan`] does, except that errors in single steps are reported as warnings, and `None` takes the
/// place of these steps. No steps are returned if their order has errors.
pub fn lower_plan_steps(plan: &ast::Plan, task: &Task) -> (Option<Vec<Option<PlanStep>>>, Vec<Diagnostic>) {
    let (steps, mut diagnostics) = lower_steps(plan, task);
    for found in diagnostics.iter_mut().filter(|found| found.is_error() && found.code != codes::PLAN_TIMES) {
        found.severity = Severity::Warning;
    }
    let is_ordered = !diagnostics.iter().any(Diagnostic::is_error);
    (is_ordered.then_some(steps), diagnostics)
}

/// Resolves the names of the steps, in their order in time; `None` for a step with errors.
fn lower_steps(plan: &ast::Plan, task: &Task) -> (Vec<Option<PlanStep>>, Vec<Diagnostic>) {
    let actions = task.actions.iter().enumerate().map(|(index, action)| (&*action.name, ActionId::from(index)));
    let mut lowerer = Lowerer { task, actions: actions.collect(), diagnostics: Vec::new() };
    lowerer.times(plan);
    let mut ordered: Vec<&ast::Step> = plan.steps.iter().collect();
    ordered.sort_by(|one, other| one.time.unwrap_or(0.0).total_cmp(&other.time.unwrap_or(0.0)));
    let steps = ordered.into_iter().map(|step| lowerer.step(step)).collect();
    (steps, lowerer.diagnostics)
}

struct Lowerer<'t> {
    task: &'t Task,
    actions: FxHashMap<&'t str, ActionId>,
    diagnostics: Vec<Diagnostic>,
}

impl Lowerer<'_> {
    /// Reports steps without a time in a temporal plan, and steps with equal times.
    fn times(&mut self, plan: &ast::Plan) {
        let timed = plan.steps.iter().filter(|step| step.time.is_some()).count();
        if timed == 0 {
            return;
        }
        if let Some(step) = plan.steps.iter().find(|step| step.time.is_none()) {
            let message = "step without a time in a plan with times";
            return self.diagnostics.push(Diagnostic::error(codes::PLAN_TIMES, step.span, message));
        }
        let mut started: Vec<(f64, &ast::Step)> =
            plan.steps.iter().filter_map(|step| step.time.map(|time| (time, step))).collect();
        started.sort_by(|one, other| one.0.total_cmp(&other.0));
        if let Some([first, second]) = started.array_windows().find(|[one, other]| one.0.total_cmp(&other.0).is_eq()) {
            let message = "two steps have the same time and are executed in the order of the file";
            let diagnostic = Diagnostic::warning(codes::PLAN_TIMES, second.1.span, message);
            self.diagnostics.push(diagnostic.with_related(first.1.span, "the other step"));
        }
    }

    fn step(&mut self, step: &ast::Step) -> Option<PlanStep> {
        let Some(&id) = self.actions.get(step.action.text()) else {
            let message = format!("unknown action `{}`", excerpt(step.action.written()));
            let diagnostic = Diagnostic::error(codes::UNKNOWN_ACTION, step.action.span, message);
            let names = self.task.actions.iter().map(|action| &*action.name);
            self.unknown(diagnostic, &step.action, names);
            return None;
        };
        let action = self.task.action(id);
        if step.arguments.len() != action.parameters {
            self.wrong_count(step, action);
            return None;
        }
        let parameters = &action.scope.variables[..action.parameters];
        let objects: Vec<_> = step
            .arguments
            .iter()
            .zip(parameters)
            .map(|(name, parameter)| self.object(name, parameter, action))
            .collect();
        let arguments = objects.into_iter().collect::<Option<_>>()?;
        Some(PlanStep { action: id, arguments })
    }

    /// Reports an unknown name, with the nearest known one unless there are many diagnostics.
    fn unknown<'a>(&mut self, found: Diagnostic, name: &Name, known: impl Iterator<Item = &'a str>) {
        let suggests = self.diagnostics.len() < crate::resolve::MAX_SUGGESTIONS;
        let found = if suggests { suggest::with_nearest(found, name.text(), name.span, known).0 } else { found };
        self.diagnostics.push(found);
    }

    fn wrong_count(&mut self, step: &ast::Step, action: &Action) {
        let expected = match action.parameters {
            0 => "no objects".to_owned(),
            1 => "1 object".to_owned(),
            count => format!("{count} objects"),
        };
        let message = format!("`{}` takes {expected}, found {}", action.name, step.arguments.len());
        let mut diagnostic = Diagnostic::error(codes::ARGUMENT_COUNT, step.span, message);
        if let Some(span) = action.origin.0 {
            diagnostic = diagnostic.with_related(span, "the action");
        }
        self.diagnostics.push(diagnostic);
    }

    fn object(&mut self, name: &Name, parameter: &Variable, action: &Action) -> Option<ObjectId> {
        let world = &self.task.world;
        let Some(object) = world.object_named(name.text()) else {
            let message = format!("unknown object `{}`", excerpt(name.written()));
            let diagnostic = Diagnostic::error(codes::UNKNOWN_OBJECT, name.span, message);
            let names = world.objects().iter().map(|object| &*object.id);
            self.unknown(diagnostic, name, names);
            return None;
        };
        if parameter.types.iter().any(|&id| world.is_a(object, id)) {
            return Some(object);
        }
        let names = |types: &[goalspec_core::ids::TypeId]| {
            let names: Vec<&str> = types.iter().map(|&id| &*world.type_decl(id).name).collect();
            names.join(" or ")
        };
        let (actual, expected) = (names(&world.object_decl(object).types), names(&parameter.types));
        let message = format!(
            "`{}` has type {actual}, but parameter `{}` of `{}` has type {expected}",
            excerpt(name.written()),
            parameter.name,
            action.name
        );
        let mut diagnostic = Diagnostic::error(codes::TYPE_MISMATCH, name.span, message);
        if let Some(span) = parameter.origin.0 {
            diagnostic = diagnostic.with_related(span, "the parameter");
        }
        self.diagnostics.push(diagnostic);
        None
    }
}
