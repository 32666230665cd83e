//! The steps that are applicable in a state, without a ground task.
//!
//! In a state few facts hold, so the joins of an action with many parameters have few results, even if its relaxed reachable
//! instances cannot be enumerated (Corrêa, Pommerening, Helmert and Francès 2020). Parameters on which no effect depends only have to
//! exist.

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::plan::PlanStep;
use goalspec_core::planning::task::{ActionId, Task};

use super::costs::{CostFluent, needed_functions};
use super::datalog::query::{Query, QueryAnswer};
use super::datalog::{Database, Evaluation, Rule};
use super::reachability::{self, GoalRelations, rule_atom};
use super::relation::{Keys, Relation};
use super::schema::{Domains, Head};
use super::statics::{PredicateKind, TaskAnalysis};
use super::{GroundError, normalise};

/// The enumeration of applicable steps in the states of a task.
pub(crate) struct ApplicableSteps<'a, 't> {
    evaluation: Evaluation<'a, 't>,
    branches: Vec<ActionBranch>,
    /// The predicates that effects change or rules derive.
    pub(crate) changing: Vec<PredicateId>,
    /// For each function, whether conditions or effects depend on it.
    pub(crate) needed_functions: Vec<bool>,
}

/// A branch of an action.
struct ActionBranch {
    action: ActionId,
    parameters: usize,
    /// The parameters on which the effects depend.
    essential: FixedBitSet,
    /// The rules: first those that are directed to goals.
    rules: Range<u32>,
}

/// The result of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Enumeration {
    /// Whether all applicable steps were visited, apart from steps that differ only in parameters on which no effect depends.
    pub(crate) is_complete: bool,
    /// The number of joins.
    pub(crate) joins: u64,
}

impl ApplicableSteps<'_, '_> {
    /// Prepares the enumeration for a task and passes it to a function.
    ///
    /// # Errors
    /// Returns an error if the task has an unsupported feature.
    pub(crate) fn with<T>(task: &Task, run: impl FnOnce(ApplicableSteps<'_, '_>) -> T) -> Result<T, GroundError> {
        let statics = TaskAnalysis::new(task)?;
        let mut domains = Domains::default();
        let schemas = normalise::schemas(&statics, &mut domains);
        let world = &task.world;
        let keys = Keys::new(world.objects().len());
        let mut relations: Vec<Relation> =
            world.predicates().iter().map(|decl| Relation::new(decl.parameters.len(), true)).collect();
        for (predicate, arguments) in statics.state.facts() {
            if statics.kind(predicate) == PredicateKind::Static {
                let tuple: Vec<u32> = arguments.iter().map(|object| object.0).collect();
                relations[predicate.index()].add(keys, &tuple);
            }
        }
        for relation in &mut relations {
            relation.see_all(keys);
        }
        let goals = GoalRelations::new(&statics, &mut relations, keys);
        let (mut rules, mut branches) = (Vec::new(), Vec::new());
        for schema in &schemas {
            reachability::check(&statics, schema)?;
            let Head::Action(action) = schema.head else { continue };
            for branch in &schema.branches {
                let essential = schema.effect_parameters().into_iter().map(|variable| variable as usize);
                let first_rule = rules.len() as u32;
                let atoms = branch.body.atoms.iter().map(rule_atom).collect();
                let (variables, filters) = (branch.variables.clone(), branch.body.filters.clone());
                let rule = Rule { variables, atoms, filters, heads: Vec::new(), limit: None };
                rules.extend(goals.directed_rules(schema, &rule));
                rules.push(rule);
                branches.push(ActionBranch {
                    action,
                    parameters: schema.parameters,
                    essential: essential.collect(),
                    rules: first_rule..rules.len() as u32,
                });
            }
        }
        let predicates = (0..world.predicates().len()).map(PredicateId::from);
        let changing = predicates.filter(|&predicate| statics.kind(predicate) != PredicateKind::Static).collect();
        let counter = CostFluent::of(&statics, &schemas);
        let needed_functions = needed_functions(&statics, &schemas, counter.as_ref());
        let evaluation = Evaluation::new(&statics, &domains, &rules, Database { relations, keys });
        Ok(run(ApplicableSteps { evaluation, branches, changing, needed_functions }))
    }

    /// Sets the facts of a predicate in the current state.
    pub(crate) fn load<'f>(&mut self, predicate: PredicateId, facts: impl Iterator<Item = &'f [u32]>) {
        self.evaluation.load(predicate.0, facts);
    }

    /// Visits the steps that satisfy the positive and the static part of their precondition in the current state. `visit` returns
    /// whether the step is applicable, which the other parts decide.
    pub(crate) fn for_each(&mut self, max_joins: u64, visit: &mut dyn FnMut(PlanStep) -> bool) -> Enumeration {
        let mut result = Enumeration { is_complete: true, joins: 0 };
        for branch in &self.branches {
            let mut visit = |binding: &[u32]| {
                let arguments = binding[..branch.parameters].iter().map(|&object| ObjectId(object)).collect();
                if visit(PlanStep { action: branch.action, arguments }) {
                    QueryAnswer::Accepted
                } else {
                    QueryAnswer::Rejected
                }
            };
            let mut query = Query {
                rule: branch.rules.start,
                essential: &branch.essential,
                visit: &mut visit,
                accepted: FxHashSet::default(),
                joins: 0,
                max_joins,
            };
            for rule in branch.rules.clone() {
                query.rule = rule;
                result.joins += std::mem::take(&mut query.joins);
                let is_complete = self.evaluation.query(&mut query);
                // The last rule is not directed to goals and covers the others.
                result.is_complete &= is_complete || rule + 1 != branch.rules.end;
            }
            result.joins += query.joins;
        }
        result
    }
}
