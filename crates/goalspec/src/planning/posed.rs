//! A problem to plan for, whatever language it was posed in: a planning problem, an activity, or either with a goal of the game
//! language, or the first with one of its own language.

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

/// A problem to plan for.
#[derive(Debug, Clone)]
pub struct Posed {
    /// The task. Of a problem whose goal another one took the place of, it has none.
    pub task: Arc<Task>,
    names: Names,
    /// The domain and the problem in PDDL, or why an activity has no PDDL text.
    texts: Result<[String; 2], ExportError>,
    household: Option<Housework>,
    wanted: Option<Wanted>,
}

/// What is to be reached instead of the problem's own goal, or besides it.
#[derive(Debug, Clone)]
enum Wanted {
    /// A preference of a game is to be satisfied.
    Preference(Preference, Program),
    /// A condition in PDDL is to hold: as it was written, and the task with nothing but that to be reached.
    Condition(String, Task),
}

/// An activity as it is planned for.
#[derive(Debug, Clone)]
struct Housework {
    household: Household,
    /// What its states are states of.
    world: Arc<World>,
    problem: Arc<goalspec_bddl::ast::Problem>,
    /// The vocabulary that it is written in.
    domain: Option<Arc<goalspec_bddl::ast::Domain>>,
    knowledge: Option<Arc<Knowledge>>,
    /// The task in its own words.
    own: Arc<Task>,
}

/// How the author spells what is called otherwise in the task.
#[derive(Debug, Clone, Default)]
struct Names {
    actions: BTreeMap<Arc<str>, String>,
    objects: BTreeMap<Arc<str>, String>,
}

/// What the language that a goal is written in says of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether the goal is reached.
    pub met: bool,
    /// What is said, in words.
    pub text: String,
    /// Of a preference that is not satisfied: how far the best attempt at it got.
    pub attempt: Option<Attempt>,
}

impl Posed {
    /// A planning problem; nothing if it has errors or is not planned for.
    pub fn problem(program: &PlanningProgram, sources: &Sources) -> Option<Self> {
        let (task, domain) = (program.task.clone()?, program.domain.as_deref()?);
        let text = |span: Span| sources.get(span.source).slice(span).to_owned();
        let texts = [text(domain.domain.span), text(program.problem.span)];
        let names = Names::written(domain, &program.problem);
        Some(Self { task, names, texts: Ok(texts), household: None, wanted: None })
    }

    /// An activity, to which actions are added as the things in it and what is known of them allow.
    ///
    /// # Errors
    /// If nothing is known of the things, the activity has errors, or its goal has no PDDL text.
    pub fn activity(program: &Program, activity: &Activity, library: &Library) -> Result<Self, String> {
        let name = &program.name;
        let knowledge = library.knowledge_for(library.sources().get(program.source));
        if knowledge.is_none() && export::needs_knowledge(&activity.problem) {
            return Err(format!(
                "`{name}` is an activity, and what can be done with the things in it is known from a release of the Python \
                 package `bddl`: name its folder with --knowledge"
            ));
        }
        let world = program.world.clone().ok_or_else(|| format!("`{name}` has errors"))?;
        let domain = library.domain(activity).cloned().map(Arc::new);
        let household =
            Household::new(&activity.problem, domain.as_deref(), activity.dialect, library.knowledge_of(program))
                .map_err(|error| format!("`{name}` cannot be planned for: {error}"))?;
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

    /// The same with a preference of a game as its goal: the one of this name, or the only one. `keeps` says whether the
    /// problem's own goal has to be reached as well.
    ///
    /// # Errors
    /// If there is no such preference, or the game asks for more than a plan can give.
    pub fn wanting(mut self, program: &Program, preference: Option<&str>, keeps: bool) -> Result<Self, String> {
        let name = &program.name;
        let Some(game) = program.game() else {
            return Err(format!("`{name}` is no program of the game language without errors"));
        };
        if !program.world.as_ref().is_some_and(|world| Arc::ptr_eq(world, &self.task.world)) {
            let (own, domain) = (self.task.world.name(), program.world.as_ref().map_or("", |world| world.name()));
            return Err(format!(
                "`{name}` is about `{domain}`; a goal for plans is about the planning problem, `{own}`"
            ));
        }
        if game.setup.is_some() {
            return Err(format!("`{name}` has a setup, which nobody makes before a plan; plans are made without"));
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
                None => format!("`{name}` has several preferences; name one of {names} as `{name}::NAME`"),
                Some(wanted) => {
                    let near = did_you_mean(wanted, known()).map_or(String::new(), |near| format!("; {near}"));
                    format!("`{name}` has no preference `{wanted}`{near}; it has {names}")
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

    /// The same with a condition in PDDL as its goal, on states or on runs of states. `program` is the planning problem, and `keeps`
    /// says whether its own goal has to be reached as well. With an error in the condition there is none.
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

    /// What an activity's goal needs of which no action changes anything: with any of that, a search would be in vain.
    pub fn unmodelled(&self) -> &[OutOfReach] {
        self.housework().map_or(&[], |housework| housework.household.unmodelled())
    }

    /// Restrictions of the action model because of which that there is no plan proves nothing of an activity.
    pub fn limits(&self) -> &[ModelLimit] {
        self.housework().map_or(&[], |housework| housework.household.limits())
    }

    /// The same activity with things put in and on everything that it declares; nothing if that is so already, or if the problem is no
    /// activity.
    pub fn with_all_places(&self) -> Option<Self> {
        let housework = self.housework().filter(|of| of.household.limits().contains(&ModelLimit::LeftOutPlaces))?;
        let Housework { problem, domain, knowledge, household, .. } = housework;
        let (domain, dialect) = (domain.as_deref(), household.dialect());
        let wide = Household::with_places(problem, domain, dialect, knowledge.as_deref(), Places::All).ok()?;
        let is_wide = !wide.limits().contains(&ModelLimit::LeftOutPlaces);
        let own = Arc::new(housework::without_goal(&wide));
        is_wide.then(|| Self::of_activity(Housework { household: wide, own, ..housework.clone() }))
    }

    /// What an activity's goal needs to which nothing leads with the things in it, each by itself; nothing where the problem is no activity.
    /// `left` is what is left of the time, if there is a limit.
    ///
    /// # Errors
    /// If the activity is too large to find out, there is no time left, or the flag is set.
    pub fn unreachable(
        &self,
        left: Option<Duration>,
        cancelled: &AtomicBool,
    ) -> Option<Result<Vec<OutOfReach>, GroundError>> {
        self.housework().map(|Housework { household, problem, .. }| household.unreachable(problem, left, cancelled))
    }

    /// The activity, if its own goal is to be reached.
    fn housework(&self) -> Option<&Housework> {
        self.household.as_ref().filter(|_| !self.task.goal.conjuncts.is_empty())
    }

    /// What has to be reached besides what the task asks for.
    pub fn demands(&self) -> Vec<Demand<'_>> {
        let demand = self.wanted.as_ref().map(|wanted| match wanted {
            Wanted::Preference(preference, _) => Demand::Preference(preference),
            // What it asks of the run is among the constraints.
            Wanted::Condition(_, alone) => Demand::Goal(&alone.goal),
        });
        demand.into_iter().collect()
    }

    /// The task with the names of those who write plans for it.
    pub fn spelt(&self) -> &Task {
        self.household.as_ref().map_or(&self.task, |housework| &housework.own)
    }

    /// Carries a plan out by the reference interpreter, and says what came of it: also of a condition that is to be reached, and of the
    /// goal of an activity, what its evaluator says. What is said of a preference of a game is its [verdict](Self::verdict).
    ///
    /// # Errors
    /// If the problem is one that cannot be judged.
    pub fn judge(&self, plan: &Plan) -> Result<Validation, Unjudged> {
        let mut validation = match &self.household {
            Some(Housework { household, problem, own, .. }) => housework::judge(household, own, problem, plan)?,
            None => validate(&self.task, plan, &CoreNotation)?,
        };
        if let Some(Wanted::Condition(_, alone)) = &self.wanted {
            // What it asks of the run is among the task's constraints.
            let of_condition = validate(alone, plan, &CoreNotation)?;
            validation.goal &= of_condition.goal;
            if validation.fault.is_none() {
                validation.lacks.extend(of_condition.lacks);
            }
        }
        Ok(validation)
    }

    /// What an unsatisfied preference lacks, if that is what the verdict says.
    pub fn unsatisfied(&self, verdict: &Verdict) -> Option<Diagnostic> {
        match &self.wanted {
            Some(Wanted::Preference(preference, _)) if !verdict.met => {
                Some(judge::unsatisfied(&self.task.world, preference, verdict))
            }
            _ => None,
        }
    }

    /// The domain and the problem in PDDL: as written, or what is written of an activity.
    ///
    /// # Errors
    /// If an activity has no PDDL text.
    pub fn texts(&self) -> Result<&[String; 2], ExportError> {
        self.texts.as_ref().map_err(Clone::clone)
    }

    /// A step as text, with names as the author spells them.
    pub fn step_text(&self, step: &Step) -> String {
        let object = |&object| self.names.object(&self.task.world.object_decl(object).id);
        let action = &self.task.action(step.action).name;
        let action = self.names.actions.get(action).map_or(&**action, String::as_str);
        let words: Vec<&str> = std::iter::once(action).chain(step.arguments.iter().map(object)).collect();
        format!("({})", words.join(" "))
    }

    /// Writes the states that a plan goes through, as states of the world that the goal is written for.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_states(&self, plan: &Plan, output: impl Write) -> Result<(), TraceError> {
        match &self.household {
            Some(Housework { household, world, .. }) => household.write_states(plan, world, output),
            None => states::write(&self.task, plan, output),
        }
    }

    /// What the language of the goal says of a plan, by its own evaluator; nothing where that is the planning problem's.
    pub fn verdict(&self, plan: &Plan) -> Option<Verdict> {
        match &self.wanted {
            Some(Wanted::Preference(preference, program)) => return Some(self.satisfaction(preference, program, plan)),
            Some(Wanted::Condition(text, alone)) => {
                let met = validate(alone, plan, &CoreNotation).is_ok_and(|validation| validation.valid());
                let what = if met { "reached" } else { "not reached" };
                return Some(Verdict { met, text: format!("the goal `{text}` is {what}"), attempt: None });
            }
            None => {}
        }
        let conjuncts = self.household.as_ref()?.household.conjuncts(plan);
        let (held, all) = (conjuncts.iter().filter(|holds| **holds).count(), conjuncts.len());
        let met = held == all;
        let text = if met { "goal met" } else { "goal not met" };
        Some(Verdict { met, text: format!("{text}: {held} of {all} conjuncts hold at the end"), attempt: None })
    }

    /// Whether a plan satisfies a preference: the game is scored over the plan's states by the reference interpreter.
    fn satisfaction(&self, preference: &Preference, program: &Program, plan: &Plan) -> Verdict {
        let (name, file) = (&preference.name, &program.name);
        let mut trace = Vec::new();
        let scored = self.write_states(plan, &mut trace).map(|()| {
            // Whether a plan is good is never left open.
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
    /// Those of a planning problem that have capitals.
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
