//! A planning problem from any language: a PDDL problem or an activity, optionally with another goal. The goal can be a
//! preference of a game and, for a PDDL problem, also a condition in PDDL.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::export::{self, ExportError};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::{ModelLimit, PlacementScope};
use goalspec_core::explain::CoreNotation;
use goalspec_core::monitor::Attempt;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Validation, ValidationError, validate};
use goalspec_core::program::{Goal, Preference};
use goalspec_core::world::World;
use goalspec_pddl::ast::{self, Name, TypedNames};
use goalspec_pddl::goal::StandaloneGoal;
use goalspec_pddl::{lower_goal, parse};
use goalspec_planner::compile::ExtraGoal;
use goalspec_planner::ground::GroundError;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};
use goalspec_trace::TraceError;

use super::activity::ActivityTask;
use super::activity_validation;
use super::states;
use super::unreachable::UnreachableLiterals;
use super::validation;
use crate::budget::Budget;
use crate::domains::PlanningDomain;
use crate::library::Library;
use crate::program::{Activity, PlanningProgram, Program};
use crate::report::ProgramReport;
use crate::scoring::{self, Engine, ScoringOptions, TraceInput};

/// A planning problem: a task, and the goal to be reached.
#[derive(Debug, Clone)]
pub struct PlanningProblem {
    /// The task. If another goal replaces the problem's own, the task has no goal.
    pub task: Arc<Task>,
    names: AuthorNames,
    /// The domain and the problem as PDDL text, or the reason why an activity has none.
    texts: Result<[String; 2], ExportError>,
    household: Option<ActivityProblem>,
    wanted: Option<GoalOverride>,
}

/// A goal that replaces the problem's own goal or is added to it.
#[derive(Debug, Clone)]
enum GoalOverride {
    /// The satisfaction of a preference of a game.
    Preference(Arc<Preference>, Program),
    /// A condition in PDDL: its text, and the task with the condition as its only requirement.
    Condition(String, Box<Task>),
}

/// An activity as a planning problem.
#[derive(Debug, Clone)]
struct ActivityProblem {
    household: ActivityTask,
    /// The world of the activity's states.
    world: Arc<World>,
    problem: Arc<goalspec_bddl::ast::Problem>,
    /// The BDDL domain of the activity.
    domain: Option<Arc<goalspec_bddl::ast::Domain>>,
    knowledge: Option<Arc<Knowledge>>,
    /// The task with the names of the activity, without a goal.
    activity_task: Arc<Task>,
}

/// The author's spelling of the names that the task spells differently.
#[derive(Debug, Clone, Default)]
struct AuthorNames {
    actions: BTreeMap<Arc<str>, String>,
    objects: BTreeMap<Arc<str>, String>,
}

/// The verdict on a plan by the evaluator of the goal's language.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanVerdict {
    /// Whether the goal is reached.
    pub is_satisfied: bool,
    /// The verdict as text.
    pub text: String,
    /// The best attempt at a preference that is not satisfied.
    pub attempt: Option<Attempt>,
}

impl PlanningProblem {
    /// Creates a planning problem from a PDDL problem; `None` if that has errors or uses an unsupported feature.
    pub fn from_pddl(program: &PlanningProgram, sources: &Sources) -> Option<Self> {
        let (task, domain) = (program.task.clone()?, program.domain.as_deref()?);
        let text = |span: Span| sources.file(span.source).slice(span).to_owned();
        let texts = [text(domain.domain.span), text(program.problem.span)];
        let names = AuthorNames::written(domain, &program.problem);
        Some(Self { task, names, texts: Ok(texts), household: None, wanted: None })
    }

    /// Creates a planning problem from an activity, with the actions that its objects and the knowledge base allow.
    ///
    /// # Errors
    /// If a knowledge base is needed and there is none, if the activity has errors, or if it cannot be expressed as a planning
    /// task.
    pub fn from_activity(program: &Program, activity: &Activity, library: &Library) -> Result<Self, Box<Diagnostic>> {
        let name = &program.name;
        let knowledge = library.knowledge_for(library.sources().file(program.source));
        if knowledge.is_none() && export::needs_knowledge(&activity.problem) {
            return Err(format!(
                "activity `{name}` requires a knowledge base for the actions on its objects: pass the folder of a release of the \
                 Python package `bddl` with --knowledge"
            )
            .into());
        }
        let world = program.world.clone().ok_or_else(|| format!("`{name}` has errors"))?;
        let domain = library.bddl_domain(activity).cloned().map(Arc::new);
        let household =
            ActivityTask::new(&activity.problem, domain.as_deref(), activity.dialect, library.knowledge_of(program))
                .map_err(|error| format!("planning does not support `{name}`: {error}"))?;
        let activity_task = Arc::new(activity_validation::without_goal(&household));
        let (problem, knowledge) = (activity.problem.clone(), knowledge.cloned());
        Ok(Self::of_activity(ActivityProblem { household, world, problem, domain, knowledge, activity_task }))
    }

    fn of_activity(household: ActivityProblem) -> Self {
        let objects = household
            .household
            .object_names()
            .map(|(activity_task, pddl)| (pddl.into(), activity_task.to_owned()))
            .collect();
        Self {
            task: household.household.task.clone(),
            names: AuthorNames { objects, ..AuthorNames::default() },
            texts: household.household.pddl(),
            household: Some(household),
            wanted: None,
        }
    }

    /// Sets a preference of a game as the goal: the one of this name, or the only one. With `keeps`, the problem's own goal has
    /// to be reached as well.
    ///
    /// # Errors
    /// If there is no such preference, if the game has errors or a setup, or if it is not about this planning problem.
    pub fn with_preference(
        mut self,
        program: &Program,
        preference: Option<&str>,
        keeps: bool,
    ) -> Result<Self, Box<Diagnostic>> {
        let name = &program.name;
        let Some(game) = program.game() else {
            return Err(format!("`{name}` is not a valid program of the game language").into());
        };
        if !program.world.as_ref().is_some_and(|world| Arc::ptr_eq(world, &self.task.world)) {
            let (activity_task, domain) =
                (self.task.world.name(), program.world.as_ref().map_or("", |world| world.name()));
            return Err(format!(
                "`{name}` has the domain `{domain}`; expected the planning problem, `{activity_task}`"
            )
            .into());
        }
        if game.setup.is_some() {
            return Err(format!("`{name}` has a setup, which planning does not support").into());
        }
        let known_names = || game.preferences.iter().map(|preference| &*preference.name);
        let found = match (preference, &game.preferences[..]) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(preference_name), all) => all.iter().find(|preference| *preference.name == *preference_name),
        };
        let Some(found) = found else {
            let names = known_names().collect::<Vec<_>>().join(", ");
            return Err(match preference {
                None => format!("`{name}` has several preferences; select one of {names} with `{name}::NAME`"),
                Some(preference_name) => {
                    let suggestion = did_you_mean(preference_name, known_names())
                        .map_or(String::new(), |suggestion| format!("; {suggestion}"));
                    format!("unknown preference `{preference_name}`{suggestion}; preferences of `{name}`: {names}")
                }
            }
            .into());
        };
        if !keeps {
            self.remove_goal();
        }
        self.wanted = Some(GoalOverride::Preference(Arc::clone(found), program.clone()));
        Ok(self)
    }

    fn remove_goal(&mut self) {
        let goal = Goal { conjuncts: Vec::new(), ..self.task.goal.clone() };
        self.task = Arc::new(Task { goal, ..(*self.task).clone() });
    }

    /// Sets a condition in PDDL, on states or on trajectories, as the goal. `program` is the planning problem. With `keeps`, the
    /// problem's own goal has to be reached as well. If the condition has errors, only diagnostics are returned.
    pub fn with_condition(
        mut self,
        program: &PlanningProgram,
        condition: &SourceFile,
        keeps: bool,
    ) -> (Option<Self>, Vec<Diagnostic>) {
        let (formula, mut found) = parse::goal(condition);
        let (Some(formula), Some(domain)) = (formula, program.domain.as_deref()) else { return (None, found) };
        let (standalone, diagnostics) = lower_goal(&formula, &program.problem, &domain.checked.model);
        found.extend(diagnostics);
        let Some(StandaloneGoal { goal, constraints }) = standalone else { return (None, found) };
        if !keeps {
            self.remove_goal();
        }
        let condition_task =
            Task { goal, constraints, preferences: Vec::new(), metric: None, ..Task::clone(&self.task) };
        let all = self.task.constraints.iter().chain(&condition_task.constraints).cloned().collect();
        self.task = Arc::new(Task { constraints: all, ..Task::clone(&self.task) });
        let words: Vec<&str> = condition.text().split_whitespace().collect();
        self.wanted = Some(GoalOverride::Condition(words.join(" "), Box::new(condition_task)));
        (Some(self), found)
    }

    /// Returns the literals that an activity's goal needs and that no action changes. If there are any, a search is futile.
    pub fn unmodelled_literals(&self) -> &[UnreachableLiterals] {
        self.housework().map_or(&[], |housework| housework.household.unmodelled_literals())
    }

    /// Returns the restrictions of the action model due to which the absence of a plan proves nothing about the activity.
    pub fn model_limits(&self) -> &[ModelLimit] {
        self.housework().map_or(&[], |housework| housework.household.model_limits())
    }

    /// Returns the same activity with actions that put objects in and on everything that it declares; `None` if it has them
    /// already, or if the problem is not an activity.
    pub fn with_all_places(&self) -> Option<Self> {
        let housework = self
            .housework()
            .filter(|activity| activity.household.model_limits().contains(&ModelLimit::OmittedPlacements))?;
        let ActivityProblem { problem, domain, knowledge, household, .. } = housework;
        let (domain, dialect) = (domain.as_deref(), household.dialect());
        let wide =
            ActivityTask::with_places(problem, domain, dialect, knowledge.as_deref(), PlacementScope::All).ok()?;
        let is_wide = !wide.model_limits().contains(&ModelLimit::OmittedPlacements);
        let activity_task = Arc::new(activity_validation::without_goal(&wide));
        is_wide.then(|| Self::of_activity(ActivityProblem { household: wide, activity_task, ..housework.clone() }))
    }

    /// Returns the literals of an activity's goal that are unreachable with its objects, each by itself; `None` if the problem is
    /// not an activity. `left` is the remaining time, if it is limited.
    ///
    /// # Errors
    /// If the activity is too large for this analysis, no time is left, or the flag is set.
    pub fn unreachable_literals(
        &self,
        left: Option<Duration>,
        cancelled: &AtomicBool,
    ) -> Option<Result<Vec<UnreachableLiterals>, GroundError>> {
        self.housework()
            .map(|ActivityProblem { household, problem, .. }| household.unreachable_literals(problem, left, cancelled))
    }

    /// Returns the activity, if its own goal is to be reached.
    fn housework(&self) -> Option<&ActivityProblem> {
        self.household.as_ref().filter(|_| !self.task.goal.conjuncts.is_empty())
    }

    /// Returns the goals to be reached in addition to the goal of the task.
    pub fn extra_goals(&self) -> Vec<ExtraGoal<'_>> {
        let extra_goal = self.wanted.as_ref().map(|goal| match goal {
            GoalOverride::Preference(preference, _) => ExtraGoal::Preference(preference),
            // Its trajectory constraints are among the constraints of the task.
            GoalOverride::Condition(_, condition_task) => ExtraGoal::Goal(&condition_task.goal),
        });
        extra_goal.into_iter().collect()
    }

    /// Returns the task with the names in which plans for it are written.
    pub fn authored_task(&self) -> &Task {
        self.household.as_ref().map_or(&self.task, |housework| &housework.activity_task)
    }

    /// Validates a plan with the reference interpreter. The validation includes a goal condition in PDDL, and the goal of an
    /// activity as its own evaluator judges it. It does not include a preference of a game, on which there is a separate
    /// [verdict](Self::verdict).
    ///
    /// # Errors
    /// If plans for the problem cannot be validated.
    pub fn validate(&self, plan: &Plan) -> Result<Validation, ValidationError> {
        let mut validation = match &self.household {
            Some(ActivityProblem { household, problem, activity_task, .. }) => {
                activity_validation::validate_plan(household, activity_task, problem, plan)?
            }
            None => validate(&self.task, plan, &CoreNotation)?,
        };
        if let Some(GoalOverride::Condition(_, condition_task)) = &self.wanted {
            // Its trajectory constraints are among the constraints of the task.
            let of_condition = validate(condition_task, plan, &CoreNotation)?;
            validation.goal_holds &= of_condition.goal_holds;
            if validation.error.is_none() {
                validation.unmet_conditions.extend(of_condition.unmet_conditions);
            }
        }
        Ok(validation)
    }

    /// Returns the diagnostic of a preference that the verdict calls unsatisfied, if the goal is one.
    pub fn preference_diagnostic(&self, verdict: &PlanVerdict) -> Option<Diagnostic> {
        match &self.wanted {
            Some(GoalOverride::Preference(preference, _)) if !verdict.is_satisfied => {
                Some(validation::preference_diagnostic(&self.task.world, preference, verdict))
            }
            _ => None,
        }
    }

    /// Returns the domain and the problem as PDDL text: as written, or as exported from an activity.
    ///
    /// # Errors
    /// If an activity has no PDDL text.
    pub fn pddl(&self) -> Result<&[String; 2], ExportError> {
        self.texts.as_ref().map_err(Clone::clone)
    }

    /// Returns a step as text, with names as the author spells them.
    pub fn step_text(&self, step: &PlanStep) -> String {
        let object = |&object| self.names.object(&self.task.world.object_decl(object).id);
        let action = &self.task.action(step.action).name;
        let action = self.names.actions.get(action).map_or(&**action, String::as_str);
        let words: Vec<&str> = std::iter::once(action).chain(step.arguments.iter().map(object)).collect();
        format!("({})", words.join(" "))
    }

    /// Writes the states of a plan as states of the world that the goal refers to.
    ///
    /// # Errors
    /// If the states cannot be written.
    pub fn write_states(&self, plan: &Plan, output: impl Write) -> Result<(), TraceError> {
        match &self.household {
            Some(ActivityProblem { household, world, .. }) => household.write_states(plan, world, output),
            None => states::write(&self.task, plan, output),
        }
    }

    /// Returns the verdict on a plan by the evaluator of the goal's language; `None` if the goal is the planning problem's own.
    pub fn verdict(&self, plan: &Plan) -> Option<PlanVerdict> {
        match &self.wanted {
            Some(GoalOverride::Preference(preference, program)) => {
                return Some(self.satisfaction(preference, program, plan));
            }
            Some(GoalOverride::Condition(text, condition_task)) => {
                let is_satisfied =
                    validate(condition_task, plan, &CoreNotation).is_ok_and(|validation| validation.is_valid());
                let status = if is_satisfied { "satisfied" } else { "not satisfied" };
                return Some(PlanVerdict { is_satisfied, text: format!("goal `{text}` is {status}"), attempt: None });
            }
            None => {}
        }
        let conjuncts = self.household.as_ref()?.household.conjuncts(plan);
        let (satisfied, total) = (conjuncts.iter().filter(|holds| **holds).count(), conjuncts.len());
        let is_satisfied = satisfied == total;
        let text = if is_satisfied { "goal satisfied" } else { "goal not satisfied" };
        Some(PlanVerdict {
            is_satisfied,
            text: format!("{text}: {satisfied} of {total} conjuncts hold in the last state"),
            attempt: None,
        })
    }

    /// Evaluates a preference on a plan: the reference interpreter scores the game over the plan's states.
    fn satisfaction(&self, preference: &Preference, program: &Program, plan: &Plan) -> PlanVerdict {
        let (name, file) = (&preference.name, &program.name);
        let mut trace = Vec::new();
        let result = self.write_states(plan, &mut trace).map(|()| {
            // The verdict on a plan must not depend on a work limit.
            let (engine, budget) = (Engine::Interpreter, Budget::UNLIMITED);
            let options = ScoringOptions { engine, explain: true, budget, ..ScoringOptions::default() };
            let input = TraceInput::Bytes("the plan".into(), trace.into());
            scoring::score(&[program], &input, &options, &|_| {})
        });
        let outcomes = result.map(|result| result.outcomes).unwrap_or_default();
        let reports = outcomes.iter().filter_map(|outcome| match &outcome.report {
            ProgramReport::Game(report) => Some(&report.preferences),
            ProgramReport::Goal(_) => None,
        });
        let report = reports.flatten().find(|report| report.name == *name);
        let times = report.map_or(0, |report| report.satisfactions.len() as u64 + report.unlisted);
        let is_satisfied = times > 0;
        let status = if is_satisfied { "satisfied" } else { "not satisfied" };
        let attempt = report.and_then(|report| report.attempt.clone());
        PlanVerdict { is_satisfied, text: format!("`{name}` of {file} is {status}"), attempt }
    }
}

impl AuthorNames {
    /// Returns the names in a planning problem that are written with capitals.
    fn written(domain: &PlanningDomain, problem: &ast::Problem) -> Self {
        let entry =
            |name: &Name| (name.written() != name.text()).then(|| (Arc::from(name.text()), name.written().to_owned()));
        let objects =
            |groups: &[TypedNames]| ast::typed_names(groups).filter_map(|(name, _)| entry(name)).collect::<Vec<_>>();
        let actions = domain.domain.actions.iter().filter_map(|action| entry(&action.name)).collect();
        Self {
            actions,
            objects: objects(&domain.domain.constants).into_iter().chain(objects(&problem.objects)).collect(),
        }
    }

    fn object<'n>(&'n self, id: &'n str) -> &'n str {
        self.objects.get(id).map_or(id, String::as_str)
    }
}
