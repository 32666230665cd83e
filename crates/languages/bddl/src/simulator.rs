//! The contract between an activity and a simulator.
//!
//! A simulator answers one question: whether a predicate holds of some of its things. A [`Task`] knows which thing stands for
//! which instance, what is to be set up at the beginning, and, after each step of the simulation, which parts of the goal
//! hold.
//!
//! ```
//! use goalspec_bddl::{Dialect, parse, simulator::{Simulator, Task}};
//!
//! struct Kitchen;
//!
//! impl Simulator for Kitchen {
//!     fn holds(&mut self, predicate: &str, things: &[&str]) -> Option<bool> {
//!         Some((predicate, things) == ("open", &["fridge_7"]))
//!     }
//! }
//!
//! let mut sources = goalspec_syntax::Sources::new();
//! let id = sources.add("demo", "(define (problem demo_0) (:domain igibson)
//!     (:objects fridge.n.01_1 - fridge.n.01)
//!     (:init (inroom fridge.n.01_1 kitchen))
//!     (:goal (and (open ?fridge.n.01_1) (not (dusty ?fridge.n.01_1)))))");
//! let parsed = parse::parse(sources.get(id), Dialect::STRICT);
//! let mut task = Task::new(&parsed.problems[0], Dialect::STRICT)?;
//! assert!(task.assign("fridge.n.01_1", Some("fridge_7")));
//! assert_eq!(task.step(&mut Kitchen).satisfied, [0, 1]);
//! # Ok::<(), goalspec_bddl::ground::GroundError>(())
//! ```

use std::sync::Arc;

use indexmap::IndexMap;

use crate::Dialect;
use crate::ast::{Literal, Problem};
use crate::evaluate;
use crate::ground::{GroundAtom, GroundError, GroundGoal};
use crate::resolve::INROOM;

/// What a simulator offers.
pub trait Simulator {
    /// Whether the predicate holds now of the things with these handles; `None` if that has no answer: a thing is not there,
    /// or the predicate is none of the simulator's. No answer counts as no.
    fn holds(&mut self, predicate: &str, things: &[&str]) -> Option<bool>;
}

/// What holds of the goal after a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Check {
    /// Whether all conjuncts hold.
    pub success: bool,
    /// The places of the conjuncts that hold.
    pub satisfied: Vec<usize>,
    /// The places of those that do not.
    pub unsatisfied: Vec<usize>,
}

/// An activity in a simulator.
#[derive(Debug, Clone)]
pub struct Task {
    goal: GroundGoal,
    dialect: Dialect,
    /// Which thing stands for each instance; `None`: it does not exist.
    scope: IndexMap<Arc<str>, Option<Arc<str>>>,
    init: Vec<Literal>,
    truths: Vec<bool>,
    unanswered: Vec<usize>,
}

impl Task {
    /// The activity, before any thing stands for any instance.
    ///
    /// # Errors
    /// If the goal cannot be taken apart.
    pub fn new(problem: &Problem, dialect: Dialect) -> Result<Self, GroundError> {
        let goal = GroundGoal::new(problem)?;
        let truths = vec![false; goal.atoms.len()];
        let scope = problem.declarations().map(|declaration| (declaration.name.text.clone(), None)).collect();
        Ok(Self { goal, dialect, scope, init: problem.init.clone(), truths, unanswered: Vec::new() })
    }

    /// The instances in order of declaration, each with the handle of the thing that stands for it.
    pub fn scope(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.scope.iter().map(|(instance, handle)| (&**instance, handle.as_deref()))
    }

    /// Says which thing stands for an instance from now on; `None`: there is none, as for things that are yet to be made.
    /// Says whether there is an instance of this name.
    pub fn assign(&mut self, instance: &str, handle: Option<&str>) -> bool {
        self.scope.get_mut(instance).is_some_and(|slot| {
            *slot = handle.map(Arc::from);
            true
        })
    }

    /// What is to be set up at the beginning. Rooms are not: they say which things of the scene may stand for an instance.
    pub fn initial_conditions(&self) -> impl Iterator<Item = &Literal> {
        self.init.iter().filter(|literal| *literal.atom.predicate.text != *INROOM)
    }

    /// Instances with the rooms that they must stand in.
    pub fn rooms(&self) -> impl Iterator<Item = (&str, &str)> {
        let inroom = self.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *INROOM);
        inroom.filter_map(|literal| match &literal.atom.arguments[..] {
            [instance, room] => Some((&*instance.text, &*room.text)),
            _ => None,
        })
    }

    /// Asks the simulator, each atom of the goal once, and says what holds of the goal.
    pub fn step(&mut self, simulator: &mut impl Simulator) -> Check {
        self.unanswered.clear();
        for (place, atom) in self.goal.atoms.iter().enumerate() {
            let answer = ask(simulator, &self.scope, atom);
            self.truths[place] = answer.unwrap_or(false);
            if answer.is_none() {
                self.unanswered.push(place);
            }
        }
        let mut check = Check { success: true, ..Check::default() };
        for (place, holds) in evaluate::conjuncts(&self.goal, self.dialect, &self.truths).into_iter().enumerate() {
            check.success &= holds;
            if holds { &mut check.satisfied } else { &mut check.unsatisfied }.push(place);
        }
        check
    }

    /// The goal, taken apart.
    pub fn goal(&self) -> &GroundGoal {
        &self.goal
    }

    /// What the simulator last said of each atom of [`goal`](Self::goal), by [`AtomId`](crate::ground::AtomId): what measures
    /// of progress start from.
    pub fn truths(&self) -> &[bool] {
        &self.truths
    }

    /// The atoms to which there was no answer last time. They count as false.
    pub fn unanswered(&self) -> impl Iterator<Item = &GroundAtom> {
        self.unanswered.iter().filter_map(|&place| self.goal.atoms.get_index(place))
    }
}

/// Whether an atom holds. Existence is what the scope says, not the simulator: `real` and `future` hold of what exists and of
/// what does not. A source is taken to have its substance. Nothing else holds of what does not exist.
fn ask(
    simulator: &mut impl Simulator,
    scope: &IndexMap<Arc<str>, Option<Arc<str>>>,
    atom: &GroundAtom,
) -> Option<bool> {
    let things: Option<Vec<&str>> = atom.arguments.iter().map(|name| scope.get(name)?.as_deref()).collect();
    match (&*atom.predicate, things) {
        ("real", things) if atom.arguments.len() == 1 => Some(things.is_some()),
        ("future", things) if atom.arguments.len() == 1 => Some(things.is_none()),
        ("insource", _) => Some(true),
        (_, None) => Some(false),
        (predicate, Some(things)) => simulator.holds(predicate, &things),
    }
}
