//! Lowering of problems to tasks of the core: world, initial state, goal, constraints, preferences and metric.
//!
//! Names in the task are in lower case.

mod init;
mod metric;
mod plan;

use std::sync::Arc;

use goalspec_core::condition::Condition;
use goalspec_core::ids::{FunctionId, VarId};
use goalspec_core::pattern::Pattern;
use goalspec_core::planning::task::{Assignment, Effect, Metric, Task};
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state::{Arguments, Delta, FluentChange};
use goalspec_core::world::operation::{FunctionMeaning, PredicateMeaning};
use goalspec_core::world::vocabulary::Parameter as CoreParameter;
use goalspec_core::world::{FunctionDecl, PredicateDecl, World, WorldBuilder};
use goalspec_syntax::Diagnostic;

use crate::ast::{Formula, FormulaKind, Problem};
use crate::codes;
use crate::domain::Model;
use crate::lint;
use crate::parse::excerpt;
use crate::resolve::{Resolver, pieces};
use crate::trajectory::{self, Requirements};
use crate::vocabulary::{Objects, Signature};

pub use plan::lower_plan;

/// The result of lowering a problem.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The task; `None` if there are errors or unsupported features.
    pub task: Option<Task>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The uses of valid features that planning does not support.
    pub unplanned: Vec<Diagnostic>,
}

/// Lowers a problem with its domain.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo.pddl", "(define (domain lamps)
///     (:predicates (lit ?l))
///     (:action light :parameters (?l) :effect (lit ?l)))
/// (define (problem two) (:domain lamps) (:objects a b) (:init (lit a)) (:goal (and (lit a) (lit b))))");
/// let parsed = goalspec_pddl::parse(sources.get(id));
/// let (model, _) = goalspec_pddl::Model::new(&parsed.domains[0]);
/// let task = goalspec_pddl::lower(&parsed.problems[0], &model).task.unwrap();
/// assert_eq!((task.initial.facts.len(), task.goal.conjuncts.len()), (1, 2));
/// ```
pub fn lower(problem: &Problem, model: &Model) -> Lowered {
    let mut diagnostics = Vec::new();
    let mut objects = model.constants.clone();
    objects.add(&problem.objects, &model.vocabulary.types, &mut diagnostics);
    let mut lowerer = Lowerer { problem, model, objects: &objects, diagnostics, unplanned: Vec::new() };
    lowerer.durative();
    let initial = lowerer.initial();
    let mut requirements = Requirements::default();
    let goal = lowerer.goal(&mut requirements);
    lowerer.constraints(&mut requirements);
    let metric = lowerer.metric(&requirements);
    let is_whole = !model.broken && !lowerer.diagnostics.iter().any(Diagnostic::is_error);
    let world = if is_whole { lowerer.world() } else { None };
    let Lowerer { diagnostics, unplanned, .. } = lowerer;
    let task = world.filter(|_| unplanned.is_empty()).map(|world| Task {
        name: problem.name.shared(),
        world: Arc::new(world),
        initial,
        actions: model.actions.clone(),
        rules: model.rules.clone(),
        goal,
        constraints: requirements.constraints,
        preferences: requirements.preferences,
        metric,
    });
    Lowered { task, diagnostics, unplanned }
}

struct Lowerer<'p> {
    problem: &'p Problem,
    model: &'p Model,
    objects: &'p Objects,
    diagnostics: Vec<Diagnostic>,
    unplanned: Vec<Diagnostic>,
}

impl Lowerer<'_> {
    fn durative(&mut self) {
        if let Some(name) = &self.model.durative {
            let message = format!("durative action `{}` is not supported by planning", excerpt(name.written()));
            let not_planned = Diagnostic::error(codes::UNSUPPORTED, name.span, message);
            self.unplanned.push(not_planned.with_help("durative actions are only parsed, checked and formatted"));
        }
    }

    fn initial(&mut self) -> Delta {
        let facts = init::read(self.problem, self.model, self.objects);
        self.diagnostics.extend(facts.diagnostics);
        self.unplanned.extend(facts.unplanned);
        let mut initial = facts.initial;
        self.begin_to_count(&mut initial);
        initial
    }

    /// Initialises `total-cost` to 0 if the problem does not, as other planners do.
    fn begin_to_count(&mut self, initial: &mut Delta) {
        let Some(function) = self.model.vocabulary.function("total-cost") else { return };
        let is_given = initial.fluents.iter().any(|change| change.function == function);
        if is_given || !self.model.actions.iter().any(|action| counts(&action.effect, function)) {
            return;
        }
        let message = "`(total-cost)` has no initial value; 0 is used";
        let warning = Diagnostic::warning(lint::codes::NO_VALUE, self.problem.header, message);
        self.diagnostics.push(warning.with_help("add `(= (total-cost) 0)` to `(:init ..)`"));
        initial.fluents.push(FluentChange { function, arguments: Arguments::new(), value: 0.0 });
    }

    /// Lowers the goal. Its preferences are added to the requirements.
    fn goal(&mut self, requirements: &mut Requirements) -> Goal {
        let Self { problem, model, objects, diagnostics, .. } = self;
        let mut resolver = Resolver::new(&model.vocabulary, objects, diagnostics);
        let nothing = Formula { kind: FormulaKind::And(Vec::new()), span: problem.span };
        let formula = problem.goal.as_ref().unwrap_or(&nothing);
        let mut conjuncts = Vec::new();
        for piece in pieces(formula) {
            if piece.wanted.is_preference() {
                let mut own = Resolver::new(resolver.vocabulary, resolver.objects, resolver.diagnostics);
                let external: Vec<VarId> = piece.around.iter().flat_map(|groups| own.enter(groups)).collect();
                let condition = own.condition(piece.body);
                own.leave(0, "variable");
                let scope = std::mem::take(&mut own.scope);
                requirements.extend(&piece, scope, external, condition.map(Pattern::AtEnd));
                continue;
            }
            let depth = resolver.depth();
            let around: Vec<VarId> = piece.around.iter().flat_map(|groups| resolver.enter(groups)).collect();
            let condition = resolver.condition(piece.body);
            resolver.leave(depth, "variable");
            let Some(condition) = condition else { continue };
            let condition = if around.is_empty() { condition } else { Condition::Forall(around, Box::new(condition)) };
            conjuncts.push(Conjunct { condition, origin: piece.body.span.into() });
        }
        let scope = std::mem::take(&mut resolver.scope);
        Goal { name: problem.name.shared(), scope, conjuncts }
    }

    fn constraints(&mut self, requirements: &mut Requirements) {
        let vocabulary = &self.model.vocabulary;
        if let Some(formula) = self.model.constraints.as_ref().filter(|_| !self.model.broken) {
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

    fn metric(&mut self, requirements: &Requirements) -> Option<Metric> {
        let metric = self.problem.metric.as_ref()?;
        let actions = self.model.actions.iter().flat_map(|action| &action.preferences);
        let names = requirements.preferences.iter().map(|preference| &preference.name);
        let names = names.chain(actions.map(|preference| &preference.name)).filter(|name| !name.is_empty());
        let mut preferences: Vec<Arc<str>> = names.cloned().collect();
        preferences.sort_unstable();
        preferences.dedup();
        let mut resolver = Resolver::new(&self.model.vocabulary, self.objects, &mut self.diagnostics);
        let value = metric::value(&metric.value, &preferences, &mut resolver)?;
        Some(Metric { direction: metric.direction, value, origin: metric.span.into() })
    }

    /// Builds the world of the task. Its ids are those of the vocabulary and the objects.
    fn world(&mut self) -> Option<World> {
        let vocabulary = &self.model.vocabulary;
        let mut builder = WorldBuilder::new(self.problem.name.shared());
        // Facts that a trace does not mention are false, and a trace of another problem mentions hardly any fact of this one.
        builder.set_exclusive();
        for known in vocabulary.types.iter() {
            builder.add_type(known.name.clone(), &known.parents);
        }
        for object in self.objects.iter() {
            let id = builder.add_object(object.name.shared(), &object.types);
            builder.add_term(object.name.shared(), id);
        }
        for predicate in vocabulary.predicates.iter() {
            let (name, parameters) = declared(predicate);
            builder.add_predicate(PredicateDecl::new(name, parameters, PredicateMeaning::Stored));
        }
        for function in vocabulary.functions.iter() {
            let (name, parameters) = declared(function);
            builder.add_function(FunctionDecl::new(name, parameters, FunctionMeaning::Stored));
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
fn counts(effect: &Effect, function: FunctionId) -> bool {
    match effect {
        Effect::And(parts) => parts.iter().any(|part| counts(part, function)),
        Effect::Forall(_, body) | Effect::When(_, body) => counts(body, function),
        Effect::Assign { how, function: other, arguments, .. } => {
            *other == function && *how == Assignment::Increase && arguments.is_empty()
        }
        Effect::Add(_) | Effect::Delete(_) => false,
    }
}
