//! Household activities planned for: written in PDDL with the action model, planned for as such, and the end of the plan looked at by
//! the evaluator of activities.

use std::sync::Arc;

use goalspec_bddl::ast::{Domain, Problem};
use goalspec_bddl::export::{self, Choices, ExportError, Exported};
use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::{Dialect, evaluate};
use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::state::Arguments;
use goalspec_pddl::{Model, lower, parse};
use goalspec_syntax::Sources;

/// An activity as a planning task.
#[derive(Debug, Clone)]
pub struct Household {
    /// The task.
    pub task: Arc<Task>,
    exported: Exported,
    goal: GroundGoal,
    dialect: Dialect,
}

impl Household {
    /// Adds actions to an activity: those of one agent with one hand.
    ///
    /// # Errors
    /// If the goal cannot be taken apart.
    ///
    /// # Panics
    /// If the text that is written is not one that is read, which would be a defect.
    pub fn new(
        problem: &Problem,
        domain: Option<&Domain>,
        dialect: Dialect,
        knowledge: &Knowledge,
    ) -> Result<Self, ExportError> {
        let exported = export::pddl(problem, domain, dialect, Choices::default(), Some(knowledge))?;
        let goal = GroundGoal::new(problem).map_err(ExportError::Ground)?;
        let mut sources = Sources::new();
        let source = sources.add("activity", format!("{}\n{}", exported.domain, exported.problem));
        let parsed = parse(sources.get(source));
        let (model, _) = Model::new(parsed.domains.first().expect("a domain was written"));
        let lowered = lower(parsed.problems.first().expect("a problem was written"), &model);
        let task = lowered.task.expect("what is written has a meaning");
        Ok(Self { task: Arc::new(task), exported, goal, dialect })
    }

    /// Which conjuncts of the activity's goal hold after a plan, or after as much of it as can be done, in their order.
    pub fn conjuncts(&self, plan: &Plan) -> Vec<bool> {
        let world = &self.task.world;
        let Ok(mut execution) = Execution::new(&self.task) else { return vec![false; self.goal.conjuncts.len()] };
        for step in &plan.steps {
            if execution.take(step, &CoreNotation).is_err() {
                break;
            }
        }
        let holds = |atom: &goalspec_bddl::ground::GroundAtom| {
            let predicate = self.exported.predicates.get(&(atom.predicate.to_string(), atom.arguments.len()))?;
            let object = |name: &Arc<str>| world.object_named(self.exported.instances.get(&**name)?);
            let arguments = atom.arguments.iter().map(object).collect::<Option<Arguments>>()?;
            Some(execution.state().fact(world.predicate_named(predicate)?, &arguments))
        };
        let state: Vec<bool> = self.goal.atoms.iter().map(|atom| holds(atom) == Some(true)).collect();
        evaluate::conjuncts(&self.goal, self.dialect, &state)
    }

    /// The step of a plan as text, with the activity's own names for things.
    pub fn step_text(&self, step: &goalspec_core::planning::plan::Step) -> String {
        let object = |&object| {
            let written = &*self.task.world.object_decl(object).id;
            let own = self.exported.instances.iter().find(|(_, name)| ***name == *written);
            own.map_or(written, |(own, _)| own.as_str()).to_owned()
        };
        let action = self.task.action(step.action).name.to_string();
        let words: Vec<String> = std::iter::once(action).chain(step.arguments.iter().map(object)).collect();
        format!("({})", words.join(" "))
    }
}
