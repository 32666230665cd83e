//! Relaxed reachability of atoms and schema instances.

use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::state::ObjectArguments;

use super::GroundError;
use super::budget::Budget;
use super::datalog::{Database, Evaluation, Rule, RuleAtom};
use super::relation::{Keys, Relation};
use super::schema::{Domains, Head, LiftedEffect, Pattern, Schema, Slot, Slots};
use super::statics::{PredicateKind, TaskAnalysis};

/// Maximum number of variables of one action or rule, including those of existential quantifiers in its condition.
pub(super) const MAX_VARIABLES: usize = 200;

/// The reachable atoms and schema instances.
#[derive(Debug)]
pub(super) struct ReachableAtoms {
    database: Database,
    /// For each predicate the id of its first atom, followed by the number of atoms.
    first: Vec<u32>,
    /// For each predicate the number of its atoms that hold in the initial state; they come first.
    initial: Vec<u32>,
    /// For each schema and branch the relation of its instances.
    instances: Vec<Vec<u32>>,
}

impl ReachableAtoms {
    /// Returns the number of atoms of non-static predicates.
    pub(super) fn atoms(&self) -> u32 {
        self.first.last().copied().unwrap_or(0)
    }

    /// Returns the id of an atom; `None` if it is unreachable or static.
    pub(super) fn atom(&self, predicate: PredicateId, tuple: &[u32]) -> Option<u32> {
        let row = self.database.find(predicate.0, tuple)?;
        let first = self.first[predicate.index()];
        (first + row < self.first[predicate.index() + 1]).then_some(first + row)
    }

    /// Whether an atom of a static predicate holds.
    pub(super) fn holds(&self, predicate: PredicateId, tuple: &[u32]) -> bool {
        self.database.find(predicate.0, tuple).is_some()
    }

    /// Whether an atom holds in the initial state.
    pub(super) fn is_initial(&self, predicate: PredicateId, atom: u32) -> bool {
        atom - self.first[predicate.index()] < self.initial[predicate.index()]
    }

    /// Returns the predicate of an atom.
    pub(super) fn predicate(&self, atom: u32) -> PredicateId {
        PredicateId::from(self.first.partition_point(|&first| first <= atom) - 1)
    }

    /// Returns the atoms of a predicate.
    pub(super) fn atoms_of(&self, predicate: PredicateId) -> std::ops::Range<u32> {
        self.first[predicate.index()]..self.first[predicate.index() + 1]
    }

    /// Returns the atoms of a predicate that hold in the initial state.
    pub(super) fn initial_atoms(&self, predicate: PredicateId) -> std::ops::Range<u32> {
        let first = self.first[predicate.index()];
        first..first + self.initial[predicate.index()]
    }

    /// Returns the arguments of an atom as object indices.
    pub(super) fn tuple(&self, predicate: PredicateId, atom: u32) -> &[u32] {
        self.database.relations[predicate.index()].tuple(atom - self.first[predicate.index()])
    }

    /// Returns the arguments of an atom.
    pub(super) fn arguments(&self, predicate: PredicateId, atom: u32) -> ObjectArguments {
        self.tuple(predicate, atom).iter().map(|&object| ObjectId(object)).collect()
    }

    /// Returns the reachable instances of a branch of a schema.
    pub(super) fn instances(&self, schema: usize, branch: usize) -> &Relation {
        &self.database.relations[self.instances[schema][branch] as usize]
    }

    /// Returns the database of relations.
    pub(super) fn database(&self) -> &Database {
        &self.database
    }
}

/// Computes the reachable atoms and schema instances.
///
/// # Errors
/// Returns an error if a limit is exceeded or a schema has too many variables.
pub(super) fn reach<'t>(
    statics: &TaskAnalysis<'t>,
    domains: &Domains,
    schemas: &[Schema<'t>],
    budget: &mut Budget<'_>,
) -> Result<ReachableAtoms, GroundError> {
    let world = &statics.task.world;
    let mut relations: Vec<Relation> =
        world.predicates().iter().map(|decl| Relation::new(decl.parameters.len(), true)).collect();
    let keys = Keys::new(world.objects().len());
    let mut rules = Vec::new();
    let mut instances = Vec::with_capacity(schemas.len());
    for schema in schemas {
        check(statics, schema)?;
        instances.push(add_rules(schema, &mut relations, &mut rules));
    }
    let mut facts: Vec<(PredicateId, &[ObjectId])> = statics.state.facts().collect();
    facts.retain(|&(predicate, _)| statics.kind(predicate) != PredicateKind::Derived);
    facts.sort_unstable();
    for (predicate, arguments) in facts {
        let tuple: Vec<u32> = arguments.iter().map(|object| object.0).collect();
        relations[predicate.index()].add(keys, &tuple);
    }
    let initial = relations[..world.predicates().len()].iter().map(Relation::len).collect();
    for (place, relation) in relations.iter_mut().enumerate().take(world.predicates().len()) {
        if statics.kind(PredicateId::from(place)) == PredicateKind::Static {
            relation.see_all(keys);
        }
    }
    let mut evaluation = Evaluation::new(statics, domains, &rules, Database { relations, keys });
    evaluation.run(budget)?;
    let database = evaluation.database;
    let mut first = vec![0];
    for place in 0..world.predicates().len() {
        let count = match statics.kind(PredicateId::from(place)) {
            PredicateKind::Static => 0,
            PredicateKind::Fluent | PredicateKind::Derived => database.relations[place].len(),
        };
        first.push(first[place] + count);
    }
    Ok(ReachableAtoms { database, first, initial, instances })
}

fn check(statics: &TaskAnalysis<'_>, schema: &Schema<'_>) -> Result<(), GroundError> {
    let branches = schema.branches.iter().map(|branch| branch.variables.len());
    let effects = schema.effects.iter().map(|effect| effect.variables.len());
    if branches.chain(effects).chain([schema.parameters]).any(|count| count > MAX_VARIABLES) {
        let name = match schema.head {
            Head::Action(action) => &statics.task.action(action).name,
            Head::Derived(predicate) => &statics.task.world.predicate(predicate).name,
        };
        let what = format!("`{name}` exceeds the limit of {MAX_VARIABLES} variables");
        return Err(GroundError::Unsupported(what));
    }
    Ok(())
}

/// Adds the rules of a schema and the relations of its instances. Returns the relations.
fn add_rules<'t>(schema: &Schema<'t>, relations: &mut Vec<Relation>, rules: &mut Vec<Rule<'t>>) -> Vec<u32> {
    let (simple, others): (Vec<&LiftedEffect<'_>>, Vec<_>) =
        schema.effects.iter().filter(|effect| effect.adds).partition(|effect| is_simple(schema, effect));
    let mut instances = Vec::with_capacity(schema.branches.len());
    // The parameters of applicable instances; only needed for effects with conditions or quantifiers.
    let applicable = (!others.is_empty()).then(|| {
        relations.push(Relation::new(schema.parameters, true));
        RuleAtom { relation: relations.len() as u32 - 1, slots: first_variables(schema.parameters) }
    });
    for branch in &schema.branches {
        relations.push(Relation::new(branch.variables.len(), false));
        let relation = relations.len() as u32 - 1;
        instances.push(relation);
        let mut heads = vec![RuleAtom { relation, slots: first_variables(branch.variables.len()) }];
        heads.extend(applicable.clone());
        heads.extend(simple.iter().map(|effect| rule_atom(&effect.atom)));
        if let Head::Derived(predicate) = schema.head {
            heads.push(RuleAtom { relation: predicate.0, slots: first_variables(schema.parameters) });
        }
        let atoms = branch.body.atoms.iter().map(rule_atom).collect();
        rules.push(Rule { variables: branch.variables.clone(), atoms, filters: branch.body.filters.clone(), heads });
    }
    for effect in others {
        let atoms = applicable.iter().cloned().chain(effect.body.atoms.iter().map(rule_atom)).collect();
        let (variables, filters) = (effect.variables.clone(), effect.body.filters.clone());
        rules.push(Rule { variables, atoms, filters, heads: vec![rule_atom(&effect.atom)] });
    }
    instances
}

/// Whether the effect is unconditional and not quantified.
fn is_simple(schema: &Schema<'_>, effect: &LiftedEffect<'_>) -> bool {
    effect.body.is_empty() && effect.variables.len() == schema.parameters
}

fn first_variables(count: usize) -> Slots {
    (0..count as u32).map(Slot::Variable).collect()
}

fn rule_atom(pattern: &Pattern) -> RuleAtom {
    RuleAtom { relation: pattern.predicate.0, slots: pattern.slots.clone() }
}
