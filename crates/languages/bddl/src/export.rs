//! Export of problems to PDDL: a domain and a problem, with or without an action model.
//!
//! The quantifiers of the goal are expanded. Every disjunction becomes a derived predicate without parameters, and counting and
//! pairing quantifiers become circuits of these. The text is therefore linear in the size of the ground goal, with two
//! exceptions: counting n conditions takes O(n log² n) predicates, and a one-to-one pairing takes one for each subset of its
//! smaller side. No formula is multiplied out, conditions do not nest, negation applies to atoms only, and equal subformulas
//! share one predicate.
//!
//! The instances are constants of the domain, since the derived predicates refer to them.

mod actions;
mod formula;
mod names;
mod sorting;

use std::fmt::Write as _;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::Dialect;
use crate::ast::{Atom, Declaration, Domain, Problem};
use crate::ground::{GroundError, GroundGoal};
use crate::knowledge::Knowledge;
use crate::planning::PlacementScope;
use crate::planning::model::Model;
use crate::planning::objects::AGENT;
use crate::resolve::INROOM;
use actions::Actions;
use formula::Writer;
use names::Names;

pub use formula::{MAX_DERIVED, MAX_MATCHING_SIDE};
pub use names::pddl_name;

/// The type of rooms.
const ROOM: &str = "room";

/// The optional parts of the exported text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// Whether to export rooms and the `inroom` facts of objects, for action models with navigation.
    pub rooms: bool,
    /// Whether to export the agent and the facts about its initial position. Most action models have an agent of their own. An
    /// agent that the goal refers to is always exported.
    pub agent: bool,
}

/// A problem in PDDL, with the mapping from its names to those of the PDDL text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PddlExport {
    /// The PDDL domain: types, constants, predicates, and the rules of the derived predicates.
    pub domain: String,
    /// The PDDL problem: the initial state and the goal.
    pub problem: String,
    /// The number of derived predicates.
    pub derived_count: usize,
    /// The PDDL name of each exported instance, in order of declaration, and of each exported room.
    pub instances: IndexMap<String, String>,
    /// The PDDL name of each predicate, by name and arity.
    pub predicates: IndexMap<(String, usize), String>,
    /// The PDDL name of each predicate of the action model, by its name in the model and its arity.
    pub model_predicates: IndexMap<(String, usize), String>,
}

/// An error that prevents the export of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportError {
    /// The goal cannot be grounded.
    Ground(GroundError),
    /// A one-to-one pairing has more than [`MAX_MATCHING_SIDE`] objects on its smaller side; the value is their number. The size of
    /// the encoding is exponential in it.
    TooManyPairs(usize),
    /// The goal would have more than [`MAX_DERIVED`] derived predicates.
    TooLarge,
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ground(error) => error.fmt(f),
            Self::TooManyPairs(count) => {
                write!(f, "one-to-one pairs of {count} objects exceed the limit of {MAX_MATCHING_SIDE} for PDDL")
            }
            Self::TooLarge => write!(
                f,
                "the goal exceeds the fixed limit of {MAX_DERIVED} derived predicates: split the goal, or bind fewer variables together"
            ),
        }
    }
}

impl std::error::Error for ExportError {}

/// Whether the action model of a problem needs a knowledge base for the abilities of its objects. LIBERO's tasks do not need
/// one.
pub fn needs_knowledge(problem: &Problem) -> bool {
    Model::of(problem, None).has_abilities
}

/// Exports a problem to PDDL. The predicates are those of the domain, if there is one, and those that the problem uses. With a
/// knowledge base, the text also contains the actions of [`pddl_with_actions`].
///
/// # Errors
/// If the goal cannot be grounded, has a one-to-one pairing of too many objects, or has too many derived predicates.
pub fn pddl(
    problem: &Problem,
    domain: Option<&Domain>,
    dialect: Dialect,
    choices: ExportOptions,
    knowledge: Option<&Knowledge>,
) -> Result<PddlExport, ExportError> {
    export_problem(problem, domain, dialect, choices, {
        knowledge.map(|knowledge| ActionSource { knowledge: Some(knowledge), places: PlacementScope::Named })
    })
}

/// Exports a problem to PDDL with the actions of a [`PlanningTask`](crate::planning::PlanningTask). The knowledge base
/// determines the abilities of the objects.
///
/// # Errors
/// The same as [`pddl`].
pub fn pddl_with_actions(
    problem: &Problem,
    domain: Option<&Domain>,
    dialect: Dialect,
    choices: ExportOptions,
    knowledge: Option<&Knowledge>,
    places: PlacementScope,
) -> Result<PddlExport, ExportError> {
    export_problem(problem, domain, dialect, choices, Some(ActionSource { knowledge, places }))
}

/// The parameters of the exported action model.
#[derive(Clone, Copy)]
struct ActionSource<'k> {
    /// The knowledge base that determines the abilities of objects, if any.
    knowledge: Option<&'k Knowledge>,
    /// The placements that the actions allow.
    places: PlacementScope,
}

/// Exports a problem, with an action model if `source` is present.
fn export_problem(
    problem: &Problem,
    domain: Option<&Domain>,
    dialect: Dialect,
    choices: ExportOptions,
    source: Option<ActionSource<'_>>,
) -> Result<PddlExport, ExportError> {
    let goal = GroundGoal::new(problem).map_err(ExportError::Ground)?;
    let mut skeleton = PddlVocabulary::new(problem, domain, &goal, choices);
    let actions = source.map(|ActionSource { knowledge, places }| {
        actions::declare(&mut skeleton, problem, knowledge);
        actions::actions(&mut skeleton, problem, domain, &goal, knowledge, places)
    });
    let actions = actions.transpose()?;
    let mut writer = Writer::new(&goal, dialect, &skeleton.names);
    let conjuncts = goal.conjuncts.iter().map(|node| writer.condition(node, true)).collect::<Result<Vec<_>, _>>()?;
    let derived = writer.finish();
    Ok(PddlExport {
        domain: skeleton.domain(&derived, actions.as_ref()),
        problem: skeleton.problem(problem, &conjuncts, actions.as_ref()),
        derived_count: derived.len(),
        instances: skeleton.instances,
        predicates: skeleton.predicates,
        model_predicates: actions.map(|actions| actions.predicates).unwrap_or_default(),
    })
}

/// The vocabulary of a problem with its PDDL names.
struct PddlVocabulary {
    name: String,
    names: Names,
    instances: IndexMap<String, String>,
    /// The constants of each type.
    constants: IndexMap<String, Vec<String>>,
    /// The PDDL names of predicates, by name and arity.
    predicates: IndexMap<(String, usize), String>,
    choices: ExportOptions,
    /// The instances that are not exported.
    omitted_instances: FxHashSet<String>,
}

impl PddlVocabulary {
    fn new(problem: &Problem, domain: Option<&Domain>, goal: &GroundGoal, choices: ExportOptions) -> Self {
        let mut skeleton = Self {
            name: names::pddl_name(&problem.name.text),
            names: Names::default(),
            instances: IndexMap::new(),
            constants: IndexMap::new(),
            predicates: IndexMap::new(),
            choices,
            omitted_instances: FxHashSet::default(),
        };
        let used_names: FxHashSet<&str> =
            goal.atoms.iter().flat_map(|atom| atom.arguments.iter().map(|name| &**name)).collect();
        for Declaration { name: instance, category, .. } in problem.declarations() {
            if category == AGENT && !choices.agent && !used_names.contains(&*instance.text) {
                skeleton.omitted_instances.insert(instance.text.to_string());
                continue;
            }
            skeleton.constant(&instance.text, category);
        }
        for literal in &problem.init {
            if let ([_, room], true) =
                (&literal.atom.arguments[..], *literal.atom.predicate.text == *INROOM && choices.rooms)
            {
                skeleton.constant(&room.text, ROOM);
            }
        }
        for predicate in domain.into_iter().flat_map(|domain| &domain.predicates) {
            skeleton.predicate(&predicate.name.text, predicate.parameters.len());
        }
        for atom in problem.init.iter().map(|literal| &literal.atom).filter(|atom| skeleton_writes(choices, atom)) {
            skeleton.predicate(&atom.predicate.text, atom.arguments.len());
        }
        for atom in &goal.atoms {
            skeleton.predicate(&atom.predicate, atom.arguments.len());
        }
        skeleton
    }

    fn constant(&mut self, name: &str, category: &str) {
        if self.instances.contains_key(name) {
            return;
        }
        let exported = self.names.object(name);
        let type_name = self.names.category(category);
        self.instances.insert(name.to_owned(), exported.clone());
        self.constants.entry(type_name).or_default().push(exported);
    }

    fn predicate(&mut self, name: &str, arity: usize) {
        if *name == *INROOM && !self.choices.rooms {
            return;
        }
        let names = &mut self.names;
        self.predicates.entry((name.to_owned(), arity)).or_insert_with(|| names.predicate(name, arity));
    }

    fn domain(&self, derived: &[(String, String)], actions: Option<&Actions>) -> String {
        let mut text = format!("(define (domain {})\n", self.name);
        text.push_str("  (:requirements :adl :derived-predicates)\n  (:types");
        for type_name in self.constants.keys() {
            let _ = write!(text, " {type_name}");
        }
        text.push_str(" - object)\n  (:constants");
        for (type_name, constants) in &self.constants {
            let _ = write!(text, "\n    {} - {type_name}", constants.join(" "));
        }
        text.push_str(")\n  (:predicates");
        for ((_, arity), name) in &self.predicates {
            let parameters: String = (1..=*arity).map(|place| format!(" ?x{place} - object")).collect();
            let _ = write!(text, "\n    ({name}{parameters})");
        }
        for (name, _) in derived {
            let _ = write!(text, "\n    ({name})");
        }
        for declaration in actions.iter().flat_map(|actions| &actions.declarations) {
            let _ = write!(text, "\n    {declaration}");
        }
        text.push_str(")\n");
        for (name, body) in derived {
            let _ = writeln!(text, "  (:derived ({name}) {body})");
        }
        text.push_str(actions.map_or("", |actions| &actions.text));
        text.push_str(")\n");
        text
    }

    fn problem(&self, problem: &Problem, conjuncts: &[String], actions: Option<&Actions>) -> String {
        let mut text = format!("(define (problem {}_problem)\n  (:domain {})\n  (:init", self.name, self.name);
        // The last of several literals with the same atom applies.
        let mut facts: IndexMap<String, bool> = IndexMap::new();
        let is_omitted =
            |place: &usize| actions.is_some_and(|actions| actions.omitted_literals.binary_search(place).is_ok());
        let containers = actions.and_then(|actions| actions.containers.as_ref());
        for (place, literal) in problem.init.iter().enumerate().filter(|(_, literal)| self.writes(&literal.atom)) {
            if is_omitted(&place) {
                continue;
            }
            let atom = self.names.atom(&literal.atom);
            let direct = containers.and_then(|[inside, placed_in]| {
                let rest = atom.strip_prefix('(')?.strip_prefix(inside.as_str())?;
                rest.starts_with(' ').then(|| format!("({placed_in}{rest}"))
            });
            facts.insert(direct.unwrap_or(atom), literal.positive);
        }
        for fact in facts.iter().filter(|(_, holds)| **holds).map(|(fact, _)| fact) {
            let _ = write!(text, "\n    {fact}");
        }
        for fact in actions.iter().flat_map(|actions| &actions.facts) {
            let _ = write!(text, "\n    {fact}");
        }
        text.push_str(")\n  (:goal (and");
        for conjunct in conjuncts {
            let _ = write!(text, "\n    {conjunct}");
        }
        text.push_str("))\n)\n");
        text
    }

    fn writes(&self, atom: &Atom) -> bool {
        let absent = |name: &crate::ast::Name| self.omitted_instances.contains(&*name.text);
        skeleton_writes(self.choices, atom) && !atom.arguments.iter().any(absent)
    }
}

/// Whether atoms of this predicate are exported.
fn skeleton_writes(choices: ExportOptions, atom: &Atom) -> bool {
    choices.rooms || *atom.predicate.text != *INROOM
}
