//! A planning problem from any language: a PDDL problem or an activity, optionally with another goal. The goal can be a
//! preference of a game and, for a PDDL problem, also a condition in PDDL.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_bddl::export::{self, ExportError};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::{ModelLimit, Places};
use goalspec_core::explain::CoreNotation;
use goalspec_core::monitor::Attempt;
use goalspec_core::planning::plan::{Plan, Step};
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::{Unjudged, Validation, validate};
use goalspec_core::program::{Goal, Preference};
use goalspec_core::world::World;
use goalspec_pddl::ast::{self, Group, Name};
use goalspec_pddl::goal::FreeGoal;
use goalspec_pddl::{lower_goal, parse};
use goalspec_planner::compile::Demand;
use goalspec_planner::ground::GroundError;
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};
use goalspec_trace::TraceError;

use super::household::Household;
use super::housework;
use super::judge;
use super::out_of_reach::OutOfReach;
use super::states;
use crate::budget::Budget;
use crate::domains::PlanningDomain;
use crate::library::Library;
use crate::program::{Activity, PlanningProgram, Program};
use crate::run::{self, Engine, Input, Options};
use crate::runner::Judgement;

/// A planning problem: a task, and the goal to be reached.
#[derive(Debug, Clone)]
pub struct Posed {
    /// The task. If another goal replaces the problem's own, the task has no goal.
    pub task: Arc<Task>,
    names: Names,
    /// The domain and the problem as PDDL text, or the reason why an activity has none.
    texts: Result<[String; 2], ExportError>,
    household: Option<Housework>,
    wanted: Option<Wanted>,
}

/// A goal that replaces the problem's own goal or is added to it.
#[derive(Debug, Clone)]
enum Wanted {
    /// The satisfaction of a preference of a game.
    Preference(Preference, Program),
    /// A condition in PDDL: its text, and the task with the condition as its only requirement.
    Condition(String, Task),
}

/// An activity as a planning problem.
#[derive(Debug, Clone)]
struct Housework {
    household: Household,
    /// The world of the activity's states.
    world: Arc<World>,
    problem: Arc<goalspec_bddl::ast::Problem>,
    /// The BDDL domain of the activity.
    domain: Option<Arc<goalspec_bddl::ast::Domain>>,
    knowledge: Option<Arc<Knowledge>>,
    /// The task with the names of the activity, without a goal.
    own: Arc<Task>,
}

/// The author's spelling of the names that the task spells differently.
#[derive(Debug, Clone, Default)]
struct Names {
    actions: BTreeMap<Arc<str>, String>,
    objects: BTreeMap<Arc<str>, String>,
}

/// The verdict on a plan by the evaluator of the goal's language.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the goal is reached.
    pub met: bool,
    /// The verdict as text.
    pub text: String,
    /// The best attempt at a preference that is not satisfied.
    pub attempt: Option<Attempt>,
}

impl Posed {
    /// Creates a planning problem from a PDDL problem; `None` if that has errors or uses an unsupported feature.
    pub fn problem(program: &PlanningProgram, sources: &Sources) -> Option<Self> {
        let (task, domain) = (program.task.clone()?, program.domain.as_deref()?);
        let text = |span: Span| sources.get(span.source).slice(span).to_owned();
        let texts = [text(domain.domain.span), text(program.problem.span)];
        let names = Names::written(domain, &program.problem);
        Some(Self { task, names, texts: Ok(texts), household: None, wanted: None })
    }

    /// Creates a planning problem from an activity, with the actions that its objects and the knowledge base allow.
    ///
    /// # Errors
    /// If a knowledge base is needed and there is none, if the activity has errors, or if it cannot be expressed as a planning
    /// task.
    pub fn activity(program: &Program, activity: &Activity, library: &Library) -> Result<Self, String> {
        let name = &program.name;
        let knowledge = library.knowledge_for(library.sources().get(program.source));
        if knowledge.is_none() && export::needs_knowledge(&activity.problem) {
            return Err(format!(
                "activity `{name}` requires a knowledge base for the actions on its objects: pass the folder of a release of the \
                 Python package `bddl` with --knowledge"
            ));
        }
        let world = program.world.clone().ok_or_else(|| format!("`{name}` has errors"))?;
        let domain = library.domain(activity).cloned().map(Arc::new);
        let household =
            Household::new(&activity.problem, domain.as_deref(), activity.dialect, library.knowledge_of(program))
                .map_err(|error| format!("planning does not support `{name}`: {error}"))?;
        let own = Arc::new(housework::without_goal(&household));
        let (problem, knowledge) = (activity.problem.clone(), knowledge.cloned());
        Ok(Self::of_activity(Housework { household, world, problem, domain, knowledge, own }))
    }

    fn of_activity(household: Housework) -> Self {
        let objects = household.household.instances().map(|(own, pddl)| (pddl.into(), own.to_owned())).collect();
        Self {
            task: household.household.task.clone(),
            names: Names { objects, ..Names::default() },
            texts: household.household.texts(),
            household: Some(household),
            wanted: None,
        }
    }

    /// Sets a preference of a game as the goal: the one of this name, or the only one. With `keeps`, the problem's own goal has
    /// to be reached as well.
    ///
    /// # Errors
    /// If there is no such preference, if the game has errors or a setup, or if it is not about this planning problem.
    pub fn wanting(mut self, program: &Program, preference: Option<&str>, keeps: bool) -> Result<Self, String> {
        let name = &program.name;
        let Some(game) = program.game() else {
            return Err(format!("`{name}` is not a valid program of the game language"));
        };
        if !program.world.as_ref().is_some_and(|world| Arc::ptr_eq(world, &self.task.world)) {
            let (own, domain) = (self.task.world.name(), program.world.as_ref().map_or("", |world| world.name()));
            return Err(format!("`{name}` has the domain `{domain}`; expected the planning problem, `{own}`"));
        }
        if game.setup.is_some() {
            return Err(format!("`{name}` has a setup, which planning does not support"));
        }
        let known = || game.preferences.iter().map(|preference| &*preference.name);
        let found = match (preference, &game.preferences[..]) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(wanted), all) => all.iter().find(|preference| *preference.name == *wanted),
        };
        let Some(found) = found else {
            let names = known().collect::<Vec<_>>().join(", ");
            return Err(match preference {
                None => format!("`{name}` has several preferences; select one of {names} with `{name}::NAME`"),
                Some(wanted) => {
                    let near = did_you_mean(wanted, known()).map_or(String::new(), |near| format!("; {near}"));
                    format!("unknown preference `{wanted}`{near}; preferences of `{name}`: {names}")
                }
            });
        };
        if !keeps {
            self.forget_goal();
        }
        self.wanted = Some(Wanted::Preference(found.clone(), program.clone()));
        Ok(self)
    }

    fn forget_goal(&mut self) {
        let goal = Goal { conjuncts: Vec::new(), ..self.task.goal.clone() };
        self.task = Arc::new(Task { goal, ..(*self.task).clone() });
    }

    /// Sets a condition in PDDL, on states or on trajectories, as the goal. `program` is the planning problem. With `keeps`, the
    /// problem's own goal has to be reached as well. If the condition has errors, only diagnostics are returned.
    pub fn reaching(
        mut self,
        program: &PlanningProgram,
        condition: &SourceFile,
        keeps: bool,
    ) -> (Option<Self>, Vec<Diagnostic>) {
        let (formula, mut found) = parse::goal(condition);
        let (Some(formula), Some(domain)) = (formula, program.domain.as_deref()) else { return (None, found) };
        let (free, wrong) = lower_goal(&formula, &program.problem, &domain.checked.model);
        found.extend(wrong);
        let Some(FreeGoal { goal, constraints }) = free else { return (None, found) };
        if !keeps {
            self.forget_goal();
        }
        let alone = Task { goal, constraints, preferences: Vec::new(), metric: None, ..Task::clone(&self.task) };
        let all = self.task.constraints.iter().chain(&alone.constraints).cloned().collect();
        self.task = Arc::new(Task { constraints: all, ..Task::clone(&self.task) });
        let words: Vec<&str> = condition.text().split_whitespace().collect();
        self.wanted = Some(Wanted::Condition(words.join(" "), alone));
        (Some(self), found)
    }

    /// Returns the literals that an activity's goal needs and that no action changes. If there are any, a search is futile.
    pub fn unmodelled(&self) -> &[OutOfReach] {
        self.housework().map_or(&[], |housework| housework.household.unmodelled())
    }

    /// Returns the restrictions of the action model due to which the absence of a plan proves nothing about the activity.
    pub fn limits(&self) -> &[ModelLimit] {
        self.housework().map_or(&[], |housework| housework.household.limits())
    }

    /// Returns the same activity with actions that put objects in and on everything that it declares; `None` if it has them
    /// already, or if the problem is not an activity.
    pub fn with_all_places(&self) -> Option<Self> {
        let housework = self.housework().filter(|of| of.household.limits().contains(&ModelLimit::LeftOutPlaces))?;
        let Housework { problem, domain, knowledge, household, .. } = housework;
        let (domain, dialect) = (domain.as_deref(), household.dialect());
        let wide = Household::with_places(problem, domain, dialect, knowledge.as_deref(), Places::All).ok()?;
        let is_wide = !wide.limits().contains(&ModelLimit::LeftOutPlaces);
        let own = Arc::new(housework::without_goal(&wide));
        is_wide.then(|| Self::of_activity(Housework { household: wide, own, ..housework.clone() }))
    }

    /// Returns the literals of an activity's goal that are unreachable with its objects, each by itself; `None` if the problem is
    /// not an activity. `left` is the remaining time, if it is limited.
    ///
    /// # Errors
    /// If the activity is too large for this analysis, no time is left, or the flag is set.
    pub fn unreachable(
        &self,
        left: Option<Duration>,
        cancelled: &AtomicBool,
    ) -> Option<Result<Vec<OutOfReach>, GroundError>> {
        self.housework().map(|Housework { household, problem, .. }| household.unreachable(problem, left, cancelled))
    }

    /// Returns the activity, if its own goal is to be reached.
    fn housework(&self) -> Option<&Housework> {
        self.household.as_ref().filter(|_| !self.task.goal.conjuncts.is_empty())
    }

    /// Returns the goals to be reached in addition to the goal of the task.
    pub fn demands(&self) -> Vec<Demand<'_>> {
        let demand = self.wanted.as_ref().map(|wanted| match wanted {
            Wanted::Preference(preference, _) => Demand::Preference(preference),
            // Its trajectory constraints are among the constraints of the task.
            Wanted::Condition(_, alone) => Demand::Goal(&alone.goal),
        });
        demand.into_iter().collect()
    }

    /// Returns the task with the names in which plans for it are written.
    pub fn spelt(&self) -> &Task {
        self.household.as_ref().map_or(&self.task, |housework| &housework.own)
    }

    /// Validates a plan with the reference interpreter. The validation includes a goal condition in PDDL, and the goal of an
    /// activity as its own evaluator judges it. It does not include a preference of a game, on which there is a separate
    /// [verdict](Self::verdict).
    ///
    /// # Errors
    /// If plans for the problem cannot be validated.
    pub fn judge(&self, plan: &Plan) -> Result<Validation, Unjudged> {
        let mut validation = match &self.household {
            Some(Housework { household, problem, own, .. }) => housework::judge(household, own, problem, plan)?,
            None => validate(&self.task, plan, &CoreNotation)?,
        };
        if let Some(Wanted::Condition(_, alone)) = &self.wanted {
            // Its trajectory constraints are among the constraints of the task.
            let of_condition = validate(alone, plan, &CoreNotation)?;
            validation.goal &= of_condition.goal;
            if validation.fault.is_none() {
                validation.lacks.extend(of_condition.lacks);
            }
        }
        Ok(validation)
    }

    /// Returns the diagnostic of a preference that the verdict calls unsatisfied, if the goal is one.
    pub fn unsatisfied(&self, verdict: &Verdict) -> Option<Diagnostic> {
        match &self.wanted {
            Some(Wanted::Preference(preference, _)) if !verdict.met => {
                Some(judge::unsatisfied(&self.task.world, preference, verdict))
            }
            _ => None,
        }
    }

    /// Returns the domain and the problem as PDDL text: as written, or as exported from an activity.
    ///
    /// # Errors
    /// If an activity has no PDDL text.
    pub fn texts(&self) -> Result<&[String; 2], ExportError> {
        self.texts.as_ref().map_err(Clone::clone)
    }

    /// Returns a step as text, with names as the author spells them.
    pub fn step_text(&self, step: &Step) -> String {
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
            Some(Housework { household, world, .. }) => household.write_states(plan, world, output),
            None => states::write(&self.task, plan, output),
        }
    }

    /// Returns the verdict on a plan by the evaluator of the goal's language; `None` if the goal is the planning problem's own.
    pub fn verdict(&self, plan: &Plan) -> Option<Verdict> {
        match &self.wanted {
            Some(Wanted::Preference(preference, program)) => return Some(self.satisfaction(preference, program, plan)),
            Some(Wanted::Condition(text, alone)) => {
                let met = validate(alone, plan, &CoreNotation).is_ok_and(|validation| validation.valid());
                let what = if met { "satisfied" } else { "not satisfied" };
                return Some(Verdict { met, text: format!("goal `{text}` is {what}"), attempt: None });
            }
            None => {}
        }
        let conjuncts = self.household.as_ref()?.household.conjuncts(plan);
        let (held, all) = (conjuncts.iter().filter(|holds| **holds).count(), conjuncts.len());
        let met = held == all;
        let text = if met { "goal satisfied" } else { "goal not satisfied" };
        Some(Verdict { met, text: format!("{text}: {held} of {all} conjuncts hold in the last state"), attempt: None })
    }

    /// Evaluates a preference on a plan: the reference interpreter scores the game over the plan's states.
    fn satisfaction(&self, preference: &Preference, program: &Program, plan: &Plan) -> Verdict {
        let (name, file) = (&preference.name, &program.name);
        let mut trace = Vec::new();
        let scored = self.write_states(plan, &mut trace).map(|()| {
            // The verdict on a plan must not depend on a work limit.
            let (engine, budget) = (Engine::Interpreter, Budget::UNLIMITED);
            let options = Options { engine, explain: true, budget, ..Options::default() };
            let input = Input::Bytes("the plan".into(), trace.into());
            run::score(&[program], &input, &options, &|_| {})
        });
        let outcomes = scored.map(|scored| scored.outcomes).unwrap_or_default();
        let reports = outcomes.iter().filter_map(|outcome| match &outcome.judgement {
            Judgement::Game(report) => Some(&report.preferences),
            Judgement::Goal(_) => None,
        });
        let report = reports.flatten().find(|report| report.name == *name);
        let times = report.map_or(0, |report| report.satisfactions.len() as u64 + report.dropped);
        let met = times > 0;
        let what = if met { "satisfied" } else { "not satisfied" };
        let attempt = report.and_then(|report| report.attempt.clone());
        Verdict { met, text: format!("`{name}` of {file} is {what}"), attempt }
    }
}

impl Names {
    /// Returns the names in a planning problem that are written with capitals.
    fn written(domain: &PlanningDomain, problem: &ast::Problem) -> Self {
        let entry =
            |name: &Name| (name.written() != name.text()).then(|| (Arc::from(name.text()), name.written().to_owned()));
        let objects = |groups: &[Group]| ast::each(groups).filter_map(|(name, _)| entry(name)).collect::<Vec<_>>();
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
