//! Relaxed reachability of atoms and schema instances.

use goalspec_core::condition::{Condition, Term};
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::planning::task::ActionId;
use goalspec_core::state::ObjectArguments;

use super::budget::Budget;
use super::datalog::{BindingLimit, Database, Evaluation, Rule, RuleAtom};
use super::relation::{Keys, Relation};
use super::schema::{Domains, Head, LiftedEffect, Pattern, Schema, Slot, Slots, slot_variables};
use super::statics::{PredicateKind, TaskAnalysis};
use super::{GroundError, GroundScope};

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
    /// Whether a limit on the instances of actions left some of them out.
    pub(super) is_cut: bool,
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

/// Computes the reachable atoms and schema instances, if the instances of actions are restricted to a scope.
///
/// # Errors
/// Returns an error if a limit is exceeded or a schema has too many variables.
pub(super) fn reach<'t>(
    statics: &TaskAnalysis<'t>,
    domains: &Domains,
    schemas: &[Schema<'t>],
    scope: GroundScope<'_>,
    budget: &mut Budget<'_>,
) -> Result<ReachableAtoms, GroundError> {
    let world = &statics.task.world;
    let mut relations: Vec<Relation> =
        world.predicates().iter().map(|decl| Relation::new(decl.parameters.len(), true)).collect();
    let keys = Keys::new(world.objects().len());
    let goals = GoalRelations::new(statics, &mut relations, keys);
    let mut rules = Vec::new();
    let mut instances = Vec::with_capacity(schemas.len());
    for schema in schemas {
        check(statics, schema)?;
        let first = rules.len();
        let is_repeated = matches!(scope, GroundScope::InstancesPerBranch(_));
        instances.push(add_rules(schema, is_repeated, &mut relations, &mut rules));
        if let Head::Action(action) = schema.head {
            let branches = &mut rules[first..first + schema.branches.len()];
            restrict(scope, action, (schema.parameters, world.predicates().len()), branches, &mut relations, keys);
            if let GroundScope::InstancesPerBranch(_) = scope {
                let directed: Vec<_> = branches.iter().flat_map(|rule| goals.directed_rules(schema, rule)).collect();
                rules.extend(directed);
            }
        }
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
    let (database, is_cut) = (evaluation.database, evaluation.is_cut);
    let mut first = vec![0];
    for place in 0..world.predicates().len() {
        let count = match statics.kind(PredicateId::from(place)) {
            PredicateKind::Static => 0,
            PredicateKind::Fluent | PredicateKind::Derived => database.relations[place].len(),
        };
        first.push(first[place] + count);
    }
    Ok(ReachableAtoms { database, first, initial, instances, is_cut })
}

/// The atoms that the goal requires, as relations. A join with them directs a rule to the goal.
pub(super) struct GoalRelations {
    /// For each predicate the relation of its atoms in the goal, if there are any.
    relations: Vec<Option<u32>>,
}

impl GoalRelations {
    /// Adds the relations of the ground atoms among the conjuncts of the goal.
    pub(super) fn new(statics: &TaskAnalysis<'_>, relations: &mut Vec<Relation>, keys: Keys) -> Self {
        let mut places = vec![None; statics.task.world.predicates().len()];
        let mut conditions: Vec<&Condition> =
            statics.task.goal.conjuncts.iter().map(|conjunct| &conjunct.condition).collect();
        while let Some(condition) = conditions.pop() {
            match condition {
                Condition::And(parts) => conditions.extend(parts),
                Condition::Atom(atom) => {
                    let object = |term: &Term| if let Term::Object(object) = term { Some(object.0) } else { None };
                    let Some(tuple) = atom.arguments.iter().map(object).collect::<Option<Vec<u32>>>() else { continue };
                    let place = places[atom.predicate.index()].get_or_insert_with(|| {
                        relations.push(Relation::new(tuple.len(), true));
                        relations.len() as u32 - 1
                    });
                    relations[*place as usize].add(keys, &tuple);
                }
                _ => {}
            }
        }
        for place in places.iter().flatten() {
            relations[*place as usize].see_all(keys);
        }
        Self { relations: places }
    }

    /// Returns copies of a rule of a schema's branch, each of which is restricted to bindings with an effect that the goal requires.
    pub(super) fn directed_rules<'t>(&self, schema: &Schema<'t>, rule: &Rule<'t>) -> Vec<Rule<'t>> {
        let effects = schema.effects.iter().filter(|effect| effect.adds && is_simple(schema, effect));
        let directed = effects.filter_map(|effect| {
            let relation = self.relations[effect.atom.predicate.index()]?;
            let mut rule = rule.clone();
            rule.atoms.push(RuleAtom { relation, slots: effect.atom.slots.clone() });
            Some(rule)
        });
        directed.collect()
    }
}

/// Restricts the rules of an action's branches to a scope.
fn restrict(
    scope: GroundScope<'_>,
    action: ActionId,
    (parameters, predicates): (usize, usize),
    rules: &mut [Rule<'_>],
    relations: &mut Vec<Relation>,
    keys: Keys,
) {
    match scope {
        GroundScope::Full | GroundScope::WithIrrelevant => {}
        GroundScope::InstancesPerBranch(limit) => {
            for rule in rules {
                // The first heads are the instances and their parameters.
                let is_whole = |head: &RuleAtom| head.relation as usize >= predicates;
                let heads_from = rule.heads.iter().take_while(|head| is_whole(head)).count();
                let slots = rule.heads[heads_from..].iter().flat_map(|head| head.slots.iter().copied());
                let variables = slot_variables(slots).into_iter().map(|variable| variable as usize).collect();
                rule.limit = Some(BindingLimit { bindings: limit, heads_from, variables });
            }
        }
        GroundScope::Steps(steps) => {
            let mut relation = Relation::new(parameters, true);
            for arguments in &steps[action.index()] {
                let tuple: Vec<u32> = arguments.iter().map(|object| object.0).collect();
                relation.add(keys, &tuple);
            }
            relation.see_all(keys);
            relations.push(relation);
            let allowed = RuleAtom { relation: relations.len() as u32 - 1, slots: first_variables(parameters) };
            for rule in rules {
                rule.atoms.push(allowed.clone());
            }
        }
    }
}

pub(super) fn check(statics: &TaskAnalysis<'_>, schema: &Schema<'_>) -> Result<(), GroundError> {
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

/// Adds the rules of a schema and the relations of its instances, which several rules can derive if they are `repeated`. Returns the relations.
fn add_rules<'t>(
    schema: &Schema<'t>,
    repeated: bool,
    relations: &mut Vec<Relation>,
    rules: &mut Vec<Rule<'t>>,
) -> Vec<u32> {
    let (simple, others): (Vec<&LiftedEffect<'_>>, Vec<_>) =
        schema.effects.iter().filter(|effect| effect.adds).partition(|effect| is_simple(schema, effect));
    let mut instances = Vec::with_capacity(schema.branches.len());
    // The parameters of applicable instances; only needed for effects with conditions or quantifiers.
    let applicable = (!others.is_empty()).then(|| {
        relations.push(Relation::new(schema.parameters, true));
        RuleAtom { relation: relations.len() as u32 - 1, slots: first_variables(schema.parameters) }
    });
    for branch in &schema.branches {
        relations.push(Relation::new(branch.variables.len(), repeated));
        let relation = relations.len() as u32 - 1;
        instances.push(relation);
        let mut heads = vec![RuleAtom { relation, slots: first_variables(branch.variables.len()) }];
        heads.extend(applicable.clone());
        heads.extend(simple.iter().map(|effect| rule_atom(&effect.atom)));
        if let Head::Derived(predicate) = schema.head {
            heads.push(RuleAtom { relation: predicate.0, slots: first_variables(schema.parameters) });
        }
        let atoms = branch.body.atoms.iter().map(rule_atom).collect();
        let (variables, filters) = (branch.variables.clone(), branch.body.filters.clone());
        rules.push(Rule { variables, atoms, filters, heads, limit: None });
    }
    for effect in others {
        let atoms = applicable.iter().cloned().chain(effect.body.atoms.iter().map(rule_atom)).collect();
        let (variables, filters) = (effect.variables.clone(), effect.body.filters.clone());
        rules.push(Rule { variables, atoms, filters, heads: vec![rule_atom(&effect.atom)], limit: None });
    }
    instances
}

/// Whether the effect is unconditional and not quantified.
fn is_simple(schema: &Schema<'_>, effect: &LiftedEffect<'_>) -> bool {
    effect.body.is_empty() && effect.variables.len() == schema.parameters
}

pub(super) fn first_variables(count: usize) -> Slots {
    (0..count as u32).map(Slot::Variable).collect()
}

pub(super) fn rule_atom(pattern: &Pattern) -> RuleAtom {
    RuleAtom { relation: pattern.predicate.0, slots: pattern.slots.clone() }
}
