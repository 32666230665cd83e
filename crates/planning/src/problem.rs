//! A planning problem from any language: a PDDL problem or an activity, optionally with another goal. The goal can be a
//! preference of a game and, for a PDDL problem, also a condition in PDDL.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::Dialect;
use goalspec_bddl::export::{self, ExportError};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::{ModelRestriction, PlacementScope};
use goalspec_core::explain::CoreNotation;
use goalspec_core::monitor::Attempt;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{ApplicableSteps, Validation, ValidationError, applicable_steps, validate};
use goalspec_core::program::{Game, Goal, Preference};
use goalspec_core::world::World;
use goalspec_pddl::ast::{self, Name, TypedNames};
use goalspec_pddl::check::CheckedDomain;
use goalspec_pddl::goal::StandaloneGoal;
use goalspec_pddl::{lower_goal, parse};
use goalspec_planner::compile::ExtraGoal;
use goalspec_planner::ground::GroundError;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, SourceFile};
use goalspec_trace::TraceError;

use crate::activity::ActivityTask;
use crate::activity_validation;
use crate::preference;
use crate::solve::PlanResult;
use crate::states;
use crate::unreachable::UnreachableLiterals;
use crate::validation;

/// A planning problem: a task, and the goal to be reached.
#[derive(Debug, Clone)]
pub struct PlanningProblem {
    /// The task. If another goal replaces the problem's own, the task has no goal.
    pub task: Arc<Task>,
    names: AuthorNames,
    /// The domain and the problem as PDDL text, or the reason why an activity has none.
    texts: Result<[String; 2], ExportError>,
    /// The PDDL domain and problem; `None` for an activity.
    pddl: Option<PddlSource>,
    household: Option<ActivityProblem>,
    goal_override: Option<GoalOverride>,
}

/// A goal that replaces the problem's own goal or is added to it.
#[derive(Debug, Clone)]
enum GoalOverride {
    /// The satisfaction of a preference of a game: the preference, the game and the name of its program.
    Preference(Arc<Preference>, Arc<Game>, String),
    /// A condition in PDDL: its text, and the task with the condition as its only requirement.
    Condition(String, Box<Task>),
}

/// The PDDL domain and problem of a task.
#[derive(Debug, Clone)]
pub struct PddlSource {
    /// The syntax tree of the domain.
    pub domain: Arc<ast::Domain>,
    /// The checked domain.
    pub checked: Arc<CheckedDomain>,
    /// The syntax tree of the problem.
    pub problem: Arc<ast::Problem>,
}

/// An activity for which to plan.
#[derive(Debug, Clone)]
pub struct ActivitySource {
    /// The name of the program, for messages.
    pub name: Arc<str>,
    /// The world of the activity's states.
    pub world: Arc<World>,
    /// The syntax tree, without wildcards.
    pub problem: Arc<goalspec_bddl::ast::Problem>,
    /// The domain of the activity, if it is known.
    pub domain: Option<Arc<goalspec_bddl::ast::Domain>>,
    /// The dialect in which the goal is read.
    pub dialect: Dialect,
    /// The knowledge base about its objects.
    pub knowledge: Option<Arc<Knowledge>>,
}

/// A game, one of whose preferences is the goal of a plan.
#[derive(Debug, Clone, Copy)]
pub struct GoalGame<'g> {
    /// The name of the program, for messages.
    pub name: &'g str,
    /// The game.
    pub game: &'g Arc<Game>,
    /// The world of the game.
    pub world: &'g Arc<World>,
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
    /// Creates a planning problem from a task lowered from PDDL, and its domain and problem. `texts` are those of the domain and the
    /// problem.
    pub fn from_pddl(task: Arc<Task>, source: PddlSource, texts: [String; 2]) -> Self {
        let names = AuthorNames::written(&source);
        Self { task, names, texts: Ok(texts), pddl: Some(source), household: None, goal_override: None }
    }

    /// Creates a planning problem from an activity, with the actions that its objects and the knowledge base allow.
    ///
    /// # Errors
    /// If a knowledge base is needed and there is none, or if the activity cannot be expressed as a planning task.
    pub fn from_activity(source: ActivitySource) -> Result<Self, Box<Diagnostic>> {
        let ActivitySource { name, world, problem, domain, dialect, knowledge } = source;
        if knowledge.is_none() && export::needs_knowledge(&problem) {
            return Err(Diagnostic::invalid_argument(format!(
                "activity `{name}` requires a knowledge base for the actions on its objects: pass the folder of a release of the \
                 Python package `bddl` with --knowledge"
            )));
        }
        let household = ActivityTask::new(&problem, domain.as_deref(), dialect, knowledge.as_deref())
            .map_err(|error| Diagnostic::invalid_argument(format!("planning does not support `{name}`: {error}")))?;
        let activity_task = Arc::new(activity_validation::without_goal(&household));
        Ok(Self::of_activity(ActivityProblem { household, world, problem, domain, knowledge, activity_task }))
    }

    fn of_activity(household: ActivityProblem) -> Self {
        let objects = household.household.object_names().map(|(name, pddl)| (pddl.into(), name.to_owned())).collect();
        Self {
            task: household.household.task.clone(),
            names: AuthorNames { objects, ..AuthorNames::default() },
            texts: household.household.pddl(),
            pddl: None,
            household: Some(household),
            goal_override: None,
        }
    }

    /// Sets a preference of a game as the goal: the one of this name, or the only one. With `keeps_goal`, the problem's own goal has
    /// to be reached as well.
    ///
    /// # Errors
    /// If there is no such preference, if the game has a setup, or if it is not about this planning problem.
    pub fn with_preference(
        mut self,
        game: GoalGame<'_>,
        preference: Option<&str>,
        keeps_goal: bool,
    ) -> Result<Self, Box<Diagnostic>> {
        let GoalGame { name, game, world } = game;
        if !Arc::ptr_eq(world, &self.task.world) {
            return Err(Diagnostic::invalid_argument(format!(
                "`{name}` has the domain `{}`; expected the planning problem, `{}`",
                world.name(),
                self.task.world.name()
            )));
        }
        if game.setup.is_some() {
            return Err(Diagnostic::invalid_argument(format!("`{name}` has a setup, which planning does not support")));
        }
        let known_names = || game.preferences.iter().map(|preference| &*preference.name);
        let found = match (preference, &game.preferences[..]) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(preference_name), all) => all.iter().find(|preference| *preference.name == *preference_name),
        };
        let Some(found) = found else {
            let names = known_names().collect::<Vec<_>>().join(", ");
            return Err(Diagnostic::invalid_argument(match preference {
                None => format!("`{name}` has several preferences; select one of {names} with `{name}::NAME`"),
                Some(preference_name) => {
                    let suggestion = did_you_mean(preference_name, known_names())
                        .map_or(String::new(), |suggestion| format!("; {suggestion}"));
                    format!("unknown preference `{preference_name}`{suggestion}; preferences of `{name}`: {names}")
                }
            }));
        };
        if !keeps_goal {
            self.remove_goal();
        }
        self.goal_override = Some(GoalOverride::Preference(Arc::clone(found), Arc::clone(game), name.to_owned()));
        Ok(self)
    }

    fn remove_goal(&mut self) {
        let goal = Goal { conjuncts: Vec::new(), ..self.task.goal.clone() };
        self.task = Arc::new(Task { goal, ..(*self.task).clone() });
    }

    /// Sets a condition in PDDL, on states or on trajectories, as the goal. With `keeps_goal`, the problem's own goal has to be reached as
    /// well. If the condition has errors, only diagnostics are returned.
    ///
    /// # Errors
    /// If the problem is an activity, whose language differs.
    pub fn with_condition(
        mut self,
        condition: &SourceFile,
        keeps_goal: bool,
    ) -> Result<(Option<Self>, Vec<Diagnostic>), Box<Diagnostic>> {
        let Some(source) = &self.pddl else {
            return Err(Diagnostic::invalid_argument(
                "conditions in PDDL are not supported as goals of activities: edit the goal of the activity",
            ));
        };
        let (formula, mut found) = parse::goal(condition);
        let Some(formula) = formula else { return Ok((None, found)) };
        let (standalone, diagnostics) = lower_goal(&formula, &source.problem, &source.checked.model);
        found.extend(diagnostics);
        let Some(StandaloneGoal { goal, constraints }) = standalone else { return Ok((None, found)) };
        if !keeps_goal {
            self.remove_goal();
        }
        let condition_task =
            Task { goal, constraints, preferences: Vec::new(), metric: None, ..Task::clone(&self.task) };
        let all = self.task.constraints.iter().chain(&condition_task.constraints).cloned().collect();
        self.task = Arc::new(Task { constraints: all, ..Task::clone(&self.task) });
        let words: Vec<&str> = condition.text().split_whitespace().collect();
        self.goal_override = Some(GoalOverride::Condition(words.join(" "), Box::new(condition_task)));
        Ok((Some(self), found))
    }

    /// Returns the literals that an activity's goal needs and that no action changes. If there are any, a search is futile.
    pub fn unsupported_literals(&self) -> &[UnreachableLiterals] {
        self.activity().map_or(&[], |activity| activity.household.unsupported_literals())
    }

    /// Returns the restrictions of the action model due to which the absence of a plan proves nothing about the activity.
    pub fn model_restrictions(&self) -> &[ModelRestriction] {
        self.activity().map_or(&[], |activity| activity.household.model_restrictions())
    }

    /// Whether the actions are all there are, so that the absence of a plan is a fact about the problem. Activities have a model of their
    /// actions, not the actions themselves.
    pub fn is_complete_model(&self) -> bool {
        self.household.is_none()
    }

    /// Returns the same activity with actions that put objects in and on everything that it declares; `None` if it has them
    /// already, or if the problem is not an activity.
    pub fn with_all_places(&self) -> Option<Self> {
        let activity = self.activity().filter(|activity| {
            activity.household.model_restrictions().contains(&ModelRestriction::OmittedPlacements)
        })?;
        let ActivityProblem { problem, domain, knowledge, household, .. } = activity;
        let (domain, dialect) = (domain.as_deref(), household.dialect());
        let wide =
            ActivityTask::with_places(problem, domain, dialect, knowledge.as_deref(), PlacementScope::All).ok()?;
        let is_wide = !wide.model_restrictions().contains(&ModelRestriction::OmittedPlacements);
        let activity_task = Arc::new(activity_validation::without_goal(&wide));
        is_wide.then(|| Self::of_activity(ActivityProblem { household: wide, activity_task, ..activity.clone() }))
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
        self.activity()
            .map(|ActivityProblem { household, problem, .. }| household.unreachable_literals(problem, left, cancelled))
    }

    /// Returns the activity, if its own goal is to be reached.
    fn activity(&self) -> Option<&ActivityProblem> {
        self.household.as_ref().filter(|_| !self.task.goal.conjuncts.is_empty())
    }

    /// Returns diagnostics of the properties of the task that a search revealed.
    pub fn diagnostics(&self, solved: &PlanResult) -> Vec<Diagnostic> {
        solved.anomalies.diagnostics(self.pddl.as_ref())
    }

    /// Returns the goals to be reached in addition to the goal of the task.
    pub fn extra_goals(&self) -> Vec<ExtraGoal> {
        let extra_goal = self.goal_override.as_ref().map(|goal| match goal {
            GoalOverride::Preference(preference, ..) => ExtraGoal::Preference(preference.clone()),
            // Its trajectory constraints are among the constraints of the task.
            GoalOverride::Condition(_, condition_task) => ExtraGoal::Goal(Arc::new(condition_task.goal.clone())),
        });
        extra_goal.into_iter().collect()
    }

    /// Returns the task with the names in which plans for it are written.
    pub fn authored_task(&self) -> &Task {
        self.household.as_ref().map_or(&self.task, |activity| &activity.activity_task)
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
        if let Some(GoalOverride::Condition(_, condition_task)) = &self.goal_override {
            // Its trajectory constraints are among the constraints of the task.
            let of_condition = validate(condition_task, plan, &CoreNotation)?;
            validation.goal_holds &= of_condition.goal_holds;
            if validation.error.is_none() {
                validation.unmet_conditions.extend(of_condition.unmet_conditions);
            }
        }
        Ok(validation)
    }

    /// Executes a sequence of steps, skips those that are not applicable in the state in which they come, and returns the steps that remain with
    /// their validation. Steps are numbered by their position in the sequence.
    ///
    /// # Errors
    /// If plans for the problem cannot be validated.
    pub fn validate_applicable(
        &self,
        steps: &[Option<PlanStep>],
    ) -> Result<(ApplicableSteps, Validation), ValidationError> {
        let applicable = applicable_steps(self.authored_task(), steps, &CoreNotation)?;
        let mut validation = self.validate(&applicable.plan)?;
        for unmet in &mut validation.unmet_conditions {
            unmet.since = unmet.since.map(|number| applicable.indices[number - 1] + 1);
        }
        Ok((applicable, validation))
    }

    /// Returns the diagnostic of a preference that the verdict calls unsatisfied, if the goal is one.
    pub fn preference_diagnostic(&self, verdict: &PlanVerdict) -> Option<Diagnostic> {
        match &self.goal_override {
            Some(GoalOverride::Preference(preference, ..)) if !verdict.is_satisfied => {
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
        match &self.goal_override {
            Some(GoalOverride::Preference(preference, game, file)) => {
                return Some(self.satisfaction(&preference.name, game, file, plan));
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
    fn satisfaction(&self, name: &str, game: &Arc<Game>, file: &str, plan: &Plan) -> PlanVerdict {
        let report = match preference::evaluate(&self.task, game, name, plan) {
            Ok(report) => report,
            Err(error) => {
                let reason = validation::validation_error_text(&self.task, &error);
                let text = format!("`{name}` of {file} cannot be evaluated: {reason}");
                return PlanVerdict { is_satisfied: false, text, attempt: None };
            }
        };
        let times = report.as_ref().map_or(0, |report| report.satisfactions.len() as u64 + report.unlisted);
        let is_satisfied = times > 0;
        let status = if is_satisfied { "satisfied" } else { "not satisfied" };
        let text = format!("`{name}` of {file} is {status}");
        PlanVerdict { is_satisfied, text, attempt: report.and_then(|report| report.attempt) }
    }
}

impl AuthorNames {
    /// Returns the names in a planning problem that are written with capitals.
    fn written(source: &PddlSource) -> Self {
        let PddlSource { domain, problem, .. } = source;
        let entry =
            |name: &Name| (name.written() != name.text()).then(|| (Arc::from(name.text()), name.written().to_owned()));
        let objects =
            |groups: &[TypedNames]| ast::typed_names(groups).filter_map(|(name, _)| entry(name)).collect::<Vec<_>>();
        let actions = domain.actions.iter().filter_map(|action| entry(&action.name)).collect();
        Self { actions, objects: objects(&domain.constants).into_iter().chain(objects(&problem.objects)).collect() }
    }

    fn object<'n>(&'n self, id: &'n str) -> &'n str {
        self.objects.get(id).map_or(id, String::as_str)
    }
}
