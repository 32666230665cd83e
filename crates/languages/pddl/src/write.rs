//! Export of tasks as PDDL for other planners.
//!
//! A task can come from another language or from the compilation of constraints and preferences, so its names can be invalid in
//! PDDL or shared by several actions. Such names are replaced, and [`PddlTask::resolve_plan`] resolves plans with the new names.

mod clause;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use goalspec_core::ids::{FunctionId, ObjectId, TypeId};
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::{AssignmentOperator, Effect, MetricExpression, OptimizationDirection, Task};
use goalspec_core::state::ObjectArguments;
use goalspec_core::world::FunctionDecl;
use goalspec_core::world::vocabulary::Parameter;
use goalspec_syntax::Diagnostic;

use crate::{ast, lower_plan};
use clause::ClauseWriter;

/// The conventional name of the function that accumulates the plan cost.
const TOTAL_COST: &str = "total-cost";

/// A task written in PDDL.
#[derive(Debug, Clone)]
pub struct PddlTask {
    /// The text of the domain.
    pub domain: String,
    /// The text of the problem.
    pub problem: String,
    /// The task with the written names of actions.
    task: Task,
    /// The renamed predicates and functions: written name and original name.
    renamed: Vec<(Arc<str>, Arc<str>)>,
}

/// The error for a task feature that PDDL cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteError(&'static str);

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be expressed in PDDL", self.0)
    }
}

impl std::error::Error for WriteError {}

impl PddlTask {
    /// Resolves a plan for the written task. The result is a plan of the original task.
    pub fn resolve_plan(&self, plan: &ast::Plan) -> (Option<Plan>, Vec<Diagnostic>) {
        lower_plan(plan, &self.task)
    }

    /// Replaces written names of predicates and functions in a text by their original names.
    pub fn restore_names(&self, text: &str) -> String {
        let parts = text.split_inclusive('(').map(|part| {
            let end = part.find([' ', ')', '(']).unwrap_or(part.len());
            let own = self.renamed.iter().find(|(written, _)| **written == part[..end]);
            own.map_or_else(|| part.to_owned(), |(_, own)| format!("{own}{}", &part[end..]))
        });
        parts.collect()
    }
}

/// Writes a task without constraints and preferences; these must be compiled away first.
///
/// # Errors
/// Returns [`WriteError`] if the task has a feature that PDDL cannot express.
pub fn write(task: &Task) -> Result<PddlTask, WriteError> {
    if !task.constraints.is_empty() || !task.preferences.is_empty() {
        return Err(WriteError("a constraint or preference that has not been compiled"));
    }
    let names = Names::new(task);
    let writer = Writer { task, names: &names };
    let (domain, problem) = (writer.domain()?, writer.problem()?);
    let mut task = task.clone();
    for (action, name) in task.actions.iter_mut().zip(&names.actions) {
        action.name.clone_from(name);
    }
    let world = &task.world;
    let predicates = world.predicates().iter().map(|decl| &decl.name).zip(&names.predicates);
    let functions = world.functions().iter().map(|decl| &decl.name).zip(&names.functions);
    let renamed = predicates.chain(functions).filter(|(own, written)| own != written);
    let renamed = renamed.map(|(own, written)| (written.clone(), Arc::from(&**own))).collect();
    Ok(PddlTask { domain, problem, task, renamed })
}

/// The written names.
struct Names {
    predicates: Vec<Arc<str>>,
    functions: Vec<Arc<str>>,
    actions: Vec<Arc<str>>,
}

impl Names {
    fn new(task: &Task) -> Self {
        let world = &task.world;
        let cost = cost_function(task);
        let mut used_names: BTreeSet<Arc<str>> = ["object", "number", "either", TOTAL_COST].map(Arc::from).into();
        let predicates = world.predicates().iter().map(|decl| fresh_name(&decl.name, &mut used_names)).collect();
        let functions = world.functions().iter().enumerate().map(|(place, function)| match cost {
            Some(cost) if cost.index() == place => TOTAL_COST.into(),
            _ => fresh_name(&function.name, &mut used_names),
        });
        let functions = functions.collect();
        let mut used_names = BTreeSet::new();
        let actions = task.actions.iter().map(|action| fresh_name(&action.name, &mut used_names)).collect();
        Self { predicates, functions, actions }
    }
}

/// Returns a valid PDDL name similar to the given one and not yet taken.
fn fresh_name(name: &str, used_names: &mut BTreeSet<Arc<str>>) -> Arc<str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut plain: String = name.chars().map(|c| if fits(c) { c.to_ascii_lowercase() } else { '-' }).collect();
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        plain.insert(0, 'x');
    }
    let mut unused_name: Arc<str> = plain.as_str().into();
    let mut number = 2;
    while !used_names.insert(unused_name.clone()) {
        unused_name = format!("{plain}-{number}").into();
        number += 1;
    }
    unused_name
}

/// Returns the function that the metric minimises, if the metric consists of it alone; without a metric, `total-cost` if
/// declared.
fn cost_function(task: &Task) -> Option<FunctionId> {
    match task.metric.as_ref().map(|metric| (metric.direction, &metric.expression)) {
        Some((OptimizationDirection::Minimize, MetricExpression::Call(function, arguments, _)))
            if arguments.is_empty() =>
        {
            Some(*function)
        }
        None => {
            let usual = |function: &FunctionDecl| &*function.name == TOTAL_COST && function.parameters.is_empty();
            task.world.functions().iter().position(usual).map(FunctionId::from)
        }
        _ => None,
    }
}

/// A writer of domains and problems.
struct Writer<'t> {
    task: &'t Task,
    names: &'t Names,
}

/// A text, or the feature that cannot be expressed.
type Text = Result<String, WriteError>;

impl Writer<'_> {
    fn domain(&self) -> Text {
        let Self { task, names } = self;
        let world = &task.world;
        let mut text = String::from("(define (domain written)\n    (:requirements :adl :derived-predicates");
        if !world.functions().is_empty() {
            text += if self.has_only_action_costs() { " :action-costs" } else { " :numeric-fluents" };
        }
        text += ")\n    (:types";
        for type_decl in world.types().iter().filter(|type_decl| &*type_decl.name != "object") {
            let _ = write!(text, "\n        {} - {}", type_decl.name, self.either(&type_decl.parents));
        }
        // All objects are written as constants, since rules and actions can refer to any of them.
        text += "\n    )\n    (:constants";
        for object in world.objects() {
            let _ = write!(text, "\n        {} - {}", object.id, self.either(&object.types));
        }
        text += "\n    )\n    (:predicates";
        for (predicate, name) in world.predicates().iter().zip(&names.predicates) {
            let _ = write!(text, "\n        ({name}{})", self.parameters(&predicate.parameters)?);
        }
        text += "\n    )\n";
        if !world.functions().is_empty() {
            text += "    (:functions";
            for (function, name) in world.functions().iter().zip(&names.functions) {
                let _ = write!(text, "\n        ({name}{}) - number", self.parameters(&function.parameters)?);
            }
            text += "\n    )\n";
        }
        for rule in &task.axioms {
            let clause = ClauseWriter { world, names, scope: &rule.scope };
            let (head, body) = (clause.variables(0..rule.parameters), clause.condition(&rule.body)?);
            let _ = writeln!(text, "    (:derived ({}{head}) {body})", names.predicates[rule.predicate.index()]);
        }
        for (action, name) in task.actions.iter().zip(&names.actions) {
            let clause = ClauseWriter { world, names, scope: &action.scope };
            let (precondition, effect) = (clause.condition(&action.precondition)?, clause.effect(&action.effect)?);
            let parameters = clause.variables(0..action.parameters);
            let _ = write!(text, "    (:action {name}\n        :parameters ({})", parameters.trim_start());
            let _ = writeln!(text, "\n        :precondition {precondition}\n        :effect {effect}\n    )");
        }
        text += ")\n";
        Ok(text)
    }

    fn problem(&self) -> Text {
        let Self { task, names } = self;
        let world = &task.world;
        let mut text = String::from("(define (problem written-1)\n    (:domain written)\n    (:init");
        for fact in task.initial.facts.iter().filter(|fact| fact.holds) {
            let name = &names.predicates[fact.predicate.index()];
            let _ = write!(text, "\n        ({name}{})", self.objects(&fact.arguments));
        }
        for fluent in &task.initial.fluents {
            let (name, objects) = (&names.functions[fluent.function.index()], self.objects(&fluent.arguments));
            let _ = write!(text, "\n        (= ({name}{objects}) {})", fluent.value);
        }
        text += "\n    )\n    (:goal (and";
        let clause = ClauseWriter { world, names, scope: &task.goal.scope };
        for conjunct in &task.goal.conjuncts {
            let _ = write!(text, "\n        {}", clause.condition(&conjunct.condition)?);
        }
        text += "\n    ))\n";
        if let Some(metric) = &task.metric {
            let direction = match metric.direction {
                OptimizationDirection::Minimize => "minimize",
                OptimizationDirection::Maximize => "maximize",
            };
            let _ = writeln!(text, "    (:metric {direction} {})", self.value(&metric.expression)?);
        }
        text += ")\n";
        Ok(text)
    }

    /// Whether all numeric effects increase the plan cost.
    fn has_only_action_costs(&self) -> bool {
        let Some(cost) = cost_function(self.task) else { return false };
        self.task.actions.iter().all(|action| increases_alone(&action.effect, cost))
    }

    fn either(&self, types: &[TypeId]) -> String {
        let names: Vec<&str> = types.iter().map(|&type_id| &*self.task.world.type_decl(type_id).name).collect();
        match names[..] {
            [] => "object".to_owned(),
            [one] => one.to_owned(),
            _ => format!("(either {})", names.join(" ")),
        }
    }

    fn parameters(&self, parameters: &[Parameter]) -> Text {
        let mut text = String::new();
        for (place, parameter) in parameters.iter().enumerate() {
            if parameter.accepts_type || parameter.optional {
                return Err(WriteError("a predicate with type arguments or optional arguments"));
            }
            let _ = write!(text, " ?x{place} - {}", self.either(&parameter.types));
        }
        Ok(text)
    }

    fn objects(&self, arguments: &ObjectArguments) -> String {
        let name = |&object: &ObjectId| format!(" {}", self.task.world.object_decl(object).id);
        arguments.iter().map(name).collect()
    }

    fn value(&self, value: &MetricExpression) -> Text {
        let all = |word: &str, parts: &[MetricExpression]| {
            let parts = parts.iter().map(|part| self.value(part)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("({word} {})", parts.join(" ")))
        };
        match value {
            MetricExpression::Number(number) => Ok(number.to_string()),
            MetricExpression::Call(function, terms, _) => {
                let clause = ClauseWriter { world: &self.task.world, names: self.names, scope: &self.task.goal.scope };
                Ok(format!("({}{})", self.names.functions[function.index()], clause.terms(terms)?))
            }
            MetricExpression::TotalTime => Ok("(total-time)".to_owned()),
            MetricExpression::Violations(_) => Err(WriteError("a count of violations")),
            MetricExpression::Add(parts) => all("+", parts),
            MetricExpression::Multiply(parts) => all("*", parts),
            MetricExpression::Subtract(parts) => all("-", &parts[..]),
            MetricExpression::Divide(parts) => all("/", &parts[..]),
        }
    }
}

/// Whether all numeric effects of an effect increase the given function.
fn increases_alone(effect: &Effect, cost: FunctionId) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().all(|part| increases_alone(part, cost)),
        Effect::Forall(_, body) | Effect::When(_, body) => increases_alone(body, cost),
        Effect::Add(_) | Effect::Delete(_) => true,
        Effect::Assign { operator, function, .. } => *operator == AssignmentOperator::Increase && *function == cost,
    }
}
