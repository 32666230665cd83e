//! The interface between an activity and a simulator.
//!
//! A simulator answers one query: whether a predicate holds of some of its objects. A [`SimulatorTask`] maps instances to simulated
//! objects, provides the initial conditions, and evaluates the goal after each step of the simulation.
//!
//! ```
//! use goalspec_bddl::{Dialect, parse, simulator::{Simulator, SimulatorTask}};
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
//! let parsed = parse::parse(sources.file(id), Dialect::STRICT);
//! let mut task = SimulatorTask::new(&parsed.problems[0], Dialect::STRICT)?;
//! assert!(task.bind("fridge.n.01_1", Some("fridge_7")));
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

/// A simulator that evaluates predicates over its objects.
pub trait Simulator {
    /// Returns whether the predicate currently holds of the objects with these handles. `None` means that it cannot be
    /// evaluated, because an object is missing or the predicate is not supported; it counts as false.
    fn holds(&mut self, predicate: &str, objects: &[&str]) -> Option<bool>;
}

/// The result of evaluating the goal after a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalStatus {
    /// Whether all conjuncts hold.
    pub success: bool,
    /// The indices of the conjuncts that hold.
    pub satisfied: Vec<usize>,
    /// The indices of the conjuncts that do not hold.
    pub unsatisfied: Vec<usize>,
}

/// An activity bound to the objects of a simulator.
#[derive(Debug, Clone)]
pub struct SimulatorTask {
    goal: GroundGoal,
    dialect: Dialect,
    /// The handle of the simulated object for each instance; `None` if it does not exist.
    scope: IndexMap<Arc<str>, Option<Arc<str>>>,
    init: Vec<Literal>,
    truths: Vec<bool>,
    unanswered: Vec<usize>,
}

impl SimulatorTask {
    /// Creates the task of an activity without any instance bound.
    ///
    /// # Errors
    /// If the goal cannot be grounded.
    pub fn new(problem: &Problem, dialect: Dialect) -> Result<Self, GroundError> {
        let goal = GroundGoal::new(problem)?;
        let truths = vec![false; goal.atoms.len()];
        let scope = problem.declarations().map(|declaration| (declaration.name.text.clone(), None)).collect();
        Ok(Self { goal, dialect, scope, init: problem.init.clone(), truths, unanswered: Vec::new() })
    }

    /// Returns the instances in order of declaration, each with the handle of its simulated object.
    pub fn bindings(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.scope.iter().map(|(instance, handle)| (&**instance, handle.as_deref()))
    }

    /// Binds an instance to a simulated object, or to none, as for objects that do not exist yet. Returns whether the instance
    /// is declared.
    pub fn bind(&mut self, instance: &str, handle: Option<&str>) -> bool {
        self.scope.get_mut(instance).is_some_and(|slot| {
            *slot = handle.map(Arc::from);
            true
        })
    }

    /// Returns the initial conditions except `inroom` literals, which restrict the binding of instances to objects of the
    /// scene.
    pub fn initial_conditions(&self) -> impl Iterator<Item = &Literal> {
        self.init.iter().filter(|literal| *literal.atom.predicate.text != *INROOM)
    }

    /// Returns the instances that must be in a room, each with that room.
    pub fn rooms(&self) -> impl Iterator<Item = (&str, &str)> {
        let inroom = self.init.iter().filter(|literal| literal.positive && *literal.atom.predicate.text == *INROOM);
        inroom.filter_map(|literal| match &literal.atom.arguments[..] {
            [instance, room] => Some((&*instance.text, &*room.text)),
            _ => None,
        })
    }

    /// Queries the simulator once for each atom of the goal, and evaluates the goal.
    pub fn step(&mut self, simulator: &mut impl Simulator) -> GoalStatus {
        self.unanswered.clear();
        for (place, atom) in self.goal.atoms.iter().enumerate() {
            let value = ask(simulator, &self.scope, atom);
            self.truths[place] = value.unwrap_or(false);
            if value.is_none() {
                self.unanswered.push(place);
            }
        }
        let mut check = GoalStatus { success: true, ..GoalStatus::default() };
        for (place, holds) in evaluate::conjuncts(&self.goal, self.dialect, &self.truths).into_iter().enumerate() {
            check.success &= holds;
            if holds { &mut check.satisfied } else { &mut check.unsatisfied }.push(place);
        }
        check
    }

    /// Returns the ground goal.
    pub fn goal(&self) -> &GroundGoal {
        &self.goal
    }

    /// Returns the last known values of the atoms of [`goal`](Self::goal), indexed by [`AtomId`](crate::ground::AtomId), as
    /// input for progress scores.
    pub fn atom_values(&self) -> &[bool] {
        &self.truths
    }

    /// Returns the atoms that the simulator could not evaluate in the last step. They count as false.
    pub fn unevaluated_atoms(&self) -> impl Iterator<Item = &GroundAtom> {
        self.unanswered.iter().filter_map(|&place| self.goal.atoms.get_index(place))
    }
}

/// Evaluates an atom; `None` if the simulator cannot. Existence is determined by the bindings, not by the simulator: `real`
/// holds of bound instances and `future` of unbound ones. `insource` always holds. No other predicate holds of an unbound
/// instance.
fn ask(
    simulator: &mut impl Simulator,
    scope: &IndexMap<Arc<str>, Option<Arc<str>>>,
    atom: &GroundAtom,
) -> Option<bool> {
    let objects: Option<Vec<&str>> = atom.arguments.iter().map(|name| scope.get(name)?.as_deref()).collect();
    match (&*atom.predicate, objects) {
        ("real", objects) if atom.arguments.len() == 1 => Some(objects.is_some()),
        ("future", objects) if atom.arguments.len() == 1 => Some(objects.is_none()),
        ("insource", _) => Some(true),
        (_, None) => Some(false),
        (predicate, Some(objects)) => simulator.holds(predicate, &objects),
    }
}
