//! Lowering of problems to tasks of the core: world, initial state, goal, constraints, preferences and metric.
//!
//! Names in the task are in lower case.

mod initial_state;
mod metric;
mod plan;

use std::sync::Arc;

use goalspec_core::condition::Condition;
use goalspec_core::ids::{FunctionId, VarId};
use goalspec_core::pattern::Pattern;
use goalspec_core::planning::task::{AssignmentOperator, Effect, Metric, Task};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{Delta, FluentChange, ObjectArguments};
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::vocabulary::Parameter as CoreParameter;
use goalspec_core::world::{FunctionDecl, PredicateDecl, World, WorldBuilder};
use goalspec_syntax::Diagnostic;

use crate::ast::{Formula, FormulaKind, Problem};
use crate::codes;
use crate::domain::ResolvedDomain;
use crate::lint;
use crate::parse::excerpt;
use crate::resolve::{Resolver, condition_parts};
use crate::trajectory::{self, LoweredConstraints};
use crate::vocabulary::{ObjectTable, Signature};

pub use plan::{lower_plan, lower_plan_steps};

/// The result of lowering a problem.
#[derive(Debug, Clone)]
pub struct LoweredProblem {
    /// The task; `None` if there are errors or unsupported features.
    pub task: Option<Task>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The uses of valid features that planning does not support.
    pub unsupported: Vec<Diagnostic>,
}

/// Lowers a problem with its domain.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo.pddl", "(define (domain lamps)
///     (:predicates (lit ?l))
///     (:action light :parameters (?l) :effect (lit ?l)))
/// (define (problem two) (:domain lamps) (:objects a b) (:init (lit a)) (:goal (and (lit a) (lit b))))");
/// let parsed = goalspec_pddl::parse(sources.file(id));
/// let (domain, _) = goalspec_pddl::ResolvedDomain::new(&parsed.domains[0]);
/// let task = goalspec_pddl::lower(&parsed.problems[0], &domain).task.unwrap();
/// assert_eq!((task.initial.facts.len(), task.goal.conjuncts.len()), (1, 2));
/// ```
pub fn lower(problem: &Problem, model: &ResolvedDomain) -> LoweredProblem {
    let mut diagnostics = Vec::new();
    let mut objects = model.constants.clone();
    objects.add(&problem.objects, &model.vocabulary.types, &mut diagnostics);
    let mut lowerer = Lowerer { problem, model, objects: &objects, diagnostics, unplanned: Vec::new() };
    lowerer.durative();
    let initial = lowerer.initial();
    let mut requirements = LoweredConstraints::default();
    let goal = lowerer.goal(&mut requirements);
    lowerer.constraints(&mut requirements);
    let metric = lowerer.metric(&requirements);
    let is_whole = !model.has_errors && !lowerer.diagnostics.iter().any(Diagnostic::is_error);
    let world = if is_whole { lowerer.world() } else { None };
    let Lowerer { diagnostics, unplanned, .. } = lowerer;
    let task = world.filter(|_| unplanned.is_empty()).map(|world| Task {
        name: problem.name.shared(),
        world: Arc::new(world),
        initial,
        actions: model.actions.clone(),
        axioms: model.rules.clone(),
        goal,
        constraints: requirements.constraints,
        preferences: requirements.preferences,
        metric,
    });
    LoweredProblem { task, diagnostics, unsupported: unplanned }
}

struct Lowerer<'p> {
    problem: &'p Problem,
    model: &'p ResolvedDomain,
    objects: &'p ObjectTable,
    diagnostics: Vec<Diagnostic>,
    unplanned: Vec<Diagnostic>,
}

impl Lowerer<'_> {
    fn durative(&mut self) {
        if let Some(name) = &self.model.durative_action {
            let message = format!("durative action `{}` is not supported by planning", excerpt(name.written()));
            let not_planned = Diagnostic::error(codes::UNSUPPORTED, name.span, message);
            self.unplanned.push(not_planned.with_help("durative actions are only parsed, checked and formatted"));
        }
    }

    fn initial(&mut self) -> Delta {
        let facts = initial_state::read(self.problem, self.model, self.objects);
        self.diagnostics.extend(facts.diagnostics);
        self.unplanned.extend(facts.unplanned);
        let mut initial = facts.initial;
        self.initialize_total_cost(&mut initial);
        initial
    }

    /// Initialises `total-cost` to 0 if the problem does not, as other planners do.
    fn initialize_total_cost(&mut self, initial: &mut Delta) {
        let Some(function) = self.model.vocabulary.function("total-cost") else { return };
        let is_given = initial.fluents.iter().any(|change| change.function == function);
        if is_given || !self.model.actions.iter().any(|action| increases(&action.effect, function)) {
            return;
        }
        let message = "`(total-cost)` has no initial value; 0 is used";
        let warning = Diagnostic::warning(lint::codes::NO_VALUE, self.problem.header, message);
        self.diagnostics.push(warning.with_help("add `(= (total-cost) 0)` to `(:init ..)`"));
        initial.fluents.push(FluentChange { function, arguments: ObjectArguments::new(), value: 0.0 });
    }

    /// Lowers the goal. Its preferences are added to the requirements.
    fn goal(&mut self, requirements: &mut LoweredConstraints) -> Goal {
        let Self { problem, model, objects, diagnostics, .. } = self;
        let mut resolver = Resolver::new(&model.vocabulary, objects, diagnostics);
        let empty_goal = Formula { kind: FormulaKind::And(Vec::new()), span: problem.span };
        let formula = problem.goal.as_ref().unwrap_or(&empty_goal);
        let mut conjuncts = Vec::new();
        for part in condition_parts(formula) {
            if part.wanted.is_preference() {
                let mut own = Resolver::new(resolver.vocabulary, resolver.objects, resolver.diagnostics);
                let external: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| own.enter(groups)).collect();
                let condition = own.condition(part.body);
                own.leave(0, "variable");
                let scope = std::mem::take(&mut own.scope);
                requirements.extend(&part, scope, external, condition.map(Pattern::AtEnd));
                continue;
            }
            let depth = resolver.depth();
            let around: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| resolver.enter(groups)).collect();
            let condition = resolver.condition(part.body);
            resolver.leave(depth, "variable");
            let Some(condition) = condition else { continue };
            let condition = if around.is_empty() { condition } else { Condition::Forall(around, Box::new(condition)) };
            conjuncts.push(Conjunct { condition, origin: part.body.span.into() });
        }
        let scope = std::mem::take(&mut resolver.scope);
        Goal { name: problem.name.shared(), scope, conjuncts }
    }

    fn constraints(&mut self, requirements: &mut LoweredConstraints) {
        let vocabulary = &self.model.vocabulary;
        if let Some(formula) = self.model.constraints.as_ref().filter(|_| !self.model.has_errors) {
            // All other errors have been reported for the domain.
            let mut found = Vec::new();
            let lowered = trajectory::lower(formula, vocabulary, self.objects, &mut found);
            self.diagnostics.extend(found.into_iter().filter(|finding| finding.code == codes::TOO_MANY));
            requirements.join(lowered);
        }
        if let Some(formula) = &self.problem.constraints {
            requirements.join(trajectory::lower(formula, vocabulary, self.objects, &mut self.diagnostics));
        }
    }

    fn metric(&mut self, requirements: &LoweredConstraints) -> Option<Metric> {
        let metric = self.problem.metric.as_ref()?;
        let actions = self.model.actions.iter().flat_map(|action| &action.preferences);
        let names = requirements.preferences.iter().map(|preference| &preference.name);
        let names = names.chain(actions.map(|preference| &preference.name)).filter(|name| !name.is_empty());
        let mut preferences: Vec<Arc<str>> = names.cloned().collect();
        preferences.sort_unstable();
        preferences.dedup();
        let mut resolver = Resolver::new(&self.model.vocabulary, self.objects, &mut self.diagnostics);
        let value = metric::value(&metric.value, &preferences, &mut resolver)?;
        Some(Metric { direction: metric.direction, expression: value, origin: metric.span.into() })
    }

    /// Builds the world of the task. Its ids are those of the vocabulary and the objects.
    fn world(&mut self) -> Option<World> {
        let vocabulary = &self.model.vocabulary;
        let mut builder = WorldBuilder::new(self.problem.name.shared());
        // Facts that a trace does not mention are false, and a trace of another problem mentions hardly any fact of this one.
        builder.require_own_traces();
        for known in vocabulary.types.iter() {
            builder.add_type(known.name.clone(), &known.parents);
        }
        for object in self.objects.iter() {
            let id = builder.add_object(object.name.shared(), &object.types);
            builder.add_program_name(object.name.shared(), id);
        }
        for predicate in vocabulary.predicates.iter() {
            let (name, parameters) = declared(predicate);
            builder.add_predicate(PredicateDecl::new(name, parameters, PredicateDefinition::Stored));
        }
        for function in vocabulary.functions.iter() {
            let (name, parameters) = declared(function);
            builder.add_function(FunctionDecl::new(name, parameters, FunctionDefinition::Stored));
        }
        match builder.finish() {
            Ok(world) => Some(world),
            Err(problems) => {
                // All other errors have been reported with their spans.
                let problem = problems.into_iter().next()?;
                let message = format!("invalid objects: {}", problem.kind);
                self.diagnostics.push(Diagnostic::error(codes::TOO_MANY, self.problem.header, message));
                None
            }
        }
    }
}

fn declared(signature: &Signature) -> (Arc<str>, Vec<CoreParameter>) {
    let parameters = signature.parameters.iter().map(|parameter| CoreParameter::of(&parameter.types)).collect();
    (signature.name.shared(), parameters)
}

/// Whether an effect increases a nullary function.
fn increases(effect: &Effect, function: FunctionId) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().any(|part| increases(part, function)),
        Effect::Forall(_, body) | Effect::When(_, body) => increases(body, function),
        Effect::Assign { operator, function: other, arguments, .. } => {
            *other == function && *operator == AssignmentOperator::Increase && arguments.is_empty()
        }
        Effect::Add(_) | Effect::Delete(_) => false,
    }
}
