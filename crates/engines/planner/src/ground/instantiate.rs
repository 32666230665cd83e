//! Instantiation: operators and axioms over propositions, from the reachable instances of schemas.

mod effects;

use std::ops::Range;

use rustc_hash::FxHashSet;

use self::effects::ConditionSchedule;
use super::budget::Budget;
use super::conditions::Conditions;
use super::costs::{CostFluent, needed_functions};
use super::formula::{AuxiliaryProposition, Branches, Formula, Literal};
use super::numbers::Numbers;
use super::reachability::ReachableAtoms;
use super::schema::{Body, Branch, Domains, Filter, Head, Schema};
use super::statics::{PredicateKind, TaskAnalysis};
use super::{GroundError, GroundStage};
use crate::ground_task::NumericExpression;
use goalspec_core::ids::FunctionId;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_core::state::ObjectArguments;

/// Maximum number of operators per schema instance, which has several if its precondition is disjunctive; also of effects and
/// axioms.
const MAX_SPLIT: usize = 8;

/// A range of a list.
pub(super) type Span = Range<u32>;

/// An operator over propositions.
#[derive(Debug, Clone)]
pub(super) struct PropositionalOperator {
    /// The schema, by index.
    pub(super) schema: u32,
    /// The branch of the schema, by index.
    pub(super) branch: u32,
    /// The row of the instance in the relation of the branch.
    pub(super) row: u32,
    /// The precondition, as sorted literals.
    pub(super) precondition: Span,
    /// The effects on atoms.
    pub(super) effects: Span,
    /// The numeric effects.
    pub(super) changes: Span,
}

/// An effect on an atom.
#[derive(Debug, Clone)]
pub(super) struct AtomEffect {
    /// The conditions, as sorted literals.
    pub(super) conditions: Span,
    /// The atom.
    pub(super) atom: u32,
    /// Whether the effect adds the atom; it deletes the atom otherwise.
    pub(super) adds: bool,
}

/// A numeric effect.
#[derive(Debug, Clone)]
pub(super) struct PropositionalNumericEffect {
    /// The conditions, as sorted literals.
    pub(super) conditions: Span,
    /// The numeric variable.
    pub(super) variable: u32,
    /// The kind of assignment.
    pub(super) how: AssignmentOperator,
    /// The operand.
    pub(super) value: NumericExpression,
}

/// A task over propositions.
#[derive(Debug, Default)]
pub(super) struct PropositionalTask {
    /// The storage of spans of literals.
    pub(super) literals: Vec<Literal>,
    /// The operators.
    pub(super) operators: Vec<PropositionalOperator>,
    /// The number of distinct steps among the operators.
    pub(super) steps: usize,
    /// The costs, by operator.
    pub(super) costs: Vec<f64>,
    /// The effects of all operators on atoms.
    pub(super) effects: Vec<AtomEffect>,
    /// The numeric effects of all operators.
    pub(super) changes: Vec<PropositionalNumericEffect>,
    /// The heads and bodies of axioms.
    pub(super) axioms: Vec<(u32, Span)>,
    /// The goal; `None` if it is unsatisfiable.
    pub(super) goal: Option<Vec<Literal>>,
    /// The propositions after the atoms.
    pub(super) extras: Vec<AuxiliaryProposition>,
    /// Numeric variables and comparisons.
    pub(super) numbers: Numbers,
    /// Whether reachability is an over-approximation because the joins ignored some conditions.
    pub(super) is_overapproximate: bool,
    /// The first fluents without a value due to which steps are never applicable, in order of detection.
    pub(super) undefined_fluents: Vec<UndefinedFluent>,
}

/// A fluent without a value: a function of objects.
pub(super) type UndefinedFluent = (FunctionId, ObjectArguments);

/// The maximum number of fluents without a value that are listed.
const MAX_UNDEFINED_FLUENTS: usize = 100;

impl PropositionalTask {
    /// The literals of a span.
    pub(super) fn span(&self, span: &Span) -> &[Literal] {
        &self.literals[span.start as usize..span.end as usize]
    }

    /// Lists a fluent without a value, unless it is listed or there are too many.
    fn list_undefined(&mut self, fluent: UndefinedFluent) {
        if self.undefined_fluents.len() < MAX_UNDEFINED_FLUENTS && !self.undefined_fluents.contains(&fluent) {
            self.undefined_fluents.push(fluent);
        }
    }

    /// Lists the numeric variables without an initial value that effects change but never assign.
    fn list_undefined_variables(&mut self) {
        let mut is_changed = vec![false; self.numbers.variables.len()];
        let mut is_assigned = is_changed.clone();
        for change in &self.changes {
            let kind = if change.how == AssignmentOperator::Set { &mut is_assigned } else { &mut is_changed };
            kind[change.variable as usize] = true;
        }
        for place in 0..is_changed.len() {
            let variable = &self.numbers.variables[place];
            if variable.initial.is_none() && is_changed[place] && !is_assigned[place] {
                self.list_undefined((variable.function, variable.arguments.clone()));
            }
        }
    }

    fn store(&mut self, literals: &[Literal]) -> Span {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        start..self.literals.len() as u32
    }
}

/// Instantiates the operators, axioms and the goal.
///
/// # Errors
/// Returns an error if a limit is exceeded.
pub(super) fn instantiate<'t>(
    statics: &TaskAnalysis<'t>,
    domains: &mut Domains,
    schemas: &[Schema<'t>],
    reached: &ReachableAtoms,
    counter: Option<&CostFluent>,
    budget: &mut Budget<'_>,
) -> Result<PropositionalTask, GroundError> {
    budget.begin(GroundStage::Instantiation)?;
    budget.memory(reached.database().bytes() + estimate(schemas, reached))?;
    let needed = needed_functions(statics, schemas, counter);
    let conditions = Conditions::new(statics, reached, domains);
    let made = PropositionalTask::default();
    let (changed, literals, open) = (Vec::new(), Vec::new(), Vec::new());
    let mut maker = Instantiator { conditions, counter, needed, made, changed, literals, open };
    for (place, schema) in schemas.iter().enumerate() {
        maker.schema(place, schema, budget)?;
    }
    maker.goal(statics, budget)?;
    maker.parts();
    let Instantiator { conditions, mut made, .. } = maker;
    made.extras = conditions.formulas.extras().to_vec();
    made.is_overapproximate |= !made.extras.is_empty();
    made.numbers = conditions.numbers;
    made.list_undefined_variables();
    Ok(made)
}

/// Estimates the memory of the operators and axioms of a task, including their encoding, in bytes.
fn estimate(schemas: &[Schema<'_>], reached: &ReachableAtoms) -> u64 {
    let mut bytes = 0;
    for (place, schema) in schemas.iter().enumerate() {
        for (at, branch) in schema.branches.iter().enumerate() {
            let body = branch.body.atoms.len() + branch.body.negative.len();
            let each = 200 + 12 * body + 4 * schema.parameters + 60 * schema.effects.len();
            bytes += u64::from(reached.instances(place, at).len()) * each as u64;
        }
    }
    bytes
}

/// A numeric effect under a binding.
struct BoundNumericEffect {
    when: Formula,
    function: FunctionId,
    variable: u32,
    how: AssignmentOperator,
    value: NumericExpression,
}

struct Instantiator<'a, 't> {
    conditions: Conditions<'a, 't>,
    counter: Option<&'a CostFluent>,
    needed: Vec<bool>,
    made: PropositionalTask,
    /// The numeric effects of the current instance.
    changed: Vec<BoundNumericEffect>,
    /// The literals of the current conjunction.
    literals: Vec<Literal>,
    /// The other formulas of the current conjunction.
    open: Vec<Formula>,
}

/// The operators created so far, by which duplicates are detected.
type SeenOperators = FxHashSet<(Box<[u32]>, Box<[Literal]>)>;

impl<'t> Instantiator<'_, 't> {
    fn schema(&mut self, place: usize, schema: &Schema<'t>, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        let plans: Vec<ConditionSchedule> =
            schema.effects.iter().map(|effect| ConditionSchedule::of(schema.parameters, effect)).collect();
        let reached = self.conditions.reached;
        let mut seen = SeenOperators::default();
        let mut steps: FxHashSet<&[u32]> = FxHashSet::default();
        for (at, branch) in schema.branches.iter().enumerate() {
            let repeats = schema.branches.len() > 1 || branch.variables.len() > schema.parameters;
            let instances = reached.instances(place, at);
            for row in 0..instances.len() {
                budget.tick_without_growth()?;
                let binding = instances.tuple(row);
                let Some((cost, bodies)) = self.bodies(schema, branch, binding, budget)? else { continue };
                let mut effects = None;
                for body in bodies {
                    if repeats && !seen.insert((binding[..schema.parameters].into(), body[..].into())) {
                        continue;
                    }
                    let precondition = self.made.store(&body);
                    if let Head::Derived(predicate) = schema.head {
                        let head = reached.atom(predicate, &binding[..schema.parameters]);
                        self.made.axioms.extend(head.map(|head| (head, precondition)));
                        continue;
                    }
                    let (effects, changes) = match &effects {
                        Some(spans) => Clone::clone(spans),
                        None => effects.insert(self.effects(schema, &plans, binding, budget)?).clone(),
                    };
                    self.made.steps += usize::from(!repeats || steps.insert(&binding[..schema.parameters]));
                    let (schema, branch) = (place as u32, at as u32);
                    self.made.operators.push(PropositionalOperator {
                        schema,
                        branch,
                        row,
                        precondition,
                        effects,
                        changes,
                    });
                    self.made.costs.push(cost);
                }
            }
        }
        Ok(())
    }

    /// Returns the cost of an instance and the disjuncts of its condition; `None` if it is never applicable.
    fn bodies(
        &mut self,
        schema: &Schema<'t>,
        branch: &Branch<'t>,
        binding: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Option<(f64, Branches)>, GroundError> {
        self.begin();
        self.changed.clear();
        if !self.body(&branch.body, binding, true, budget)? {
            return Ok(None);
        }
        let cost = if schema.changes.is_empty() { Some(0.0) } else { self.changes(schema, binding, budget)? };
        let Some(cost) = cost else {
            self.made.is_overapproximate = true;
            return Ok(None);
        };
        Ok(self.close()?.map(|bodies| (cost, bodies)))
    }

    /// Starts a conjunction.
    fn begin(&mut self) {
        self.literals.clear();
        self.open.clear();
    }

    /// Adds a formula to the current conjunction. Returns whether it remains consistent.
    fn add(&mut self, formula: Formula) -> bool {
        match formula {
            Formula::Constant(value) => return value,
            Formula::Literal(literal) => self.literals.push(literal),
            Formula::Node(_) => self.open.push(formula),
        }
        true
    }

    /// Returns the disjuncts of the current conjunction; `None` if it is unsatisfiable.
    fn close(&mut self) -> Result<Option<Branches>, GroundError> {
        if !self.open.is_empty() {
            self.made.is_overapproximate = true;
            let mut parts = std::mem::take(&mut self.open);
            parts.extend(self.literals.iter().copied().map(Formula::Literal));
            let formula = self.conditions.formulas.and(&parts)?;
            let branches = self.conditions.formulas.branches(formula, MAX_SPLIT);
            return Ok((!branches.is_empty()).then_some(branches));
        }
        self.literals.sort_unstable();
        self.literals.dedup();
        let opposite = self.literals.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        Ok((!opposite).then(|| vec![self.literals.clone()]))
    }

    /// Adds a body to the current conjunction. Returns whether it remains consistent. If `joined`, the conditions checked by
    /// the joins are skipped.
    fn body(
        &mut self,
        body: &Body<'t>,
        binding: &[u32],
        joined: bool,
        budget: &mut Budget<'_>,
    ) -> Result<bool, GroundError> {
        for atom in &body.atoms {
            let skipped = joined && self.conditions.statics.kind(atom.predicate) == PredicateKind::Static;
            if !skipped && !self.add(self.conditions.pattern(atom, binding, true)) {
                return Ok(false);
            }
        }
        for atom in &body.negative {
            self.made.is_overapproximate = true;
            if !self.add(self.conditions.pattern(atom, binding, false)) {
                return Ok(false);
            }
        }
        for part in &body.unexpanded {
            self.made.is_overapproximate = true;
            let formula = self.conditions.ground_under(part, binding, budget)?;
            if !self.add(formula) {
                return Ok(false);
            }
        }
        Ok(joined || body.filters.iter().all(|filter| self.passes(filter, binding)))
    }

    fn passes(&self, filter: &Filter<'_>, binding: &[u32]) -> bool {
        match filter {
            Filter::Same { equal, sides } => (sides[0].value(binding) == sides[1].value(binding)) == *equal,
            Filter::NegatedStatic(atom) => self.conditions.pattern(atom, binding, false) == Formula::Constant(true),
            Filter::Static(part) => {
                self.conditions.statics.holds(part.condition, part.scope, &part.bound(binding)) == part.polarity
            }
        }
    }
}

/// Instantiation of the goal and of named disjunctions.
impl Instantiator<'_, '_> {
    fn goal(&mut self, statics: &TaskAnalysis<'_>, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        let goal = &statics.task.goal;
        self.begin();
        let mut possible = true;
        for conjunct in &goal.conjuncts {
            let formula = self.conditions.ground_closed(&conjunct.condition, &goal.scope, budget)?;
            possible &= self.add(formula);
        }
        let mut parts = std::mem::take(&mut self.open);
        parts.extend(self.literals.iter().copied().map(Formula::Literal));
        let formula = self.conditions.formulas.and(&parts)?;
        let mut branches = self.conditions.formulas.branches(formula, 1);
        self.made.goal = branches.pop().filter(|_| possible);
        Ok(())
    }

    /// Creates the axioms of named disjunctions.
    fn parts(&mut self) {
        while let Some((name, alternatives)) = self.conditions.formulas.next_named() {
            for &alternative in &alternatives {
                for body in self.conditions.formulas.branches(alternative, MAX_SPLIT) {
                    let body = self.made.store(&body);
                    self.made.axioms.push((name, body));
                }
            }
        }
    }
}
