//! Relaxed reachability on the level of ground formulas: facts that have become true or false remain available in both forms.
//!
//! The Datalog joins only consider positive conditions. This analysis considers all conditions of the ground operators:
//! negations, universal quantifiers, disjunctions. Derived atoms can always be false, and comparisons of changing numbers can
//! be true and false; so the analysis over-approximates reachability.

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::PredicateId;
use goalspec_core::planning::task::{Action, Effect, Task};

use super::budget::{Budget, GroundObserver};
use super::formula::{AuxiliaryProposition, Literal, literal};
use super::instantiate::{PropositionalTask, instantiate};
use super::reachability::{ReachableAtoms, reach};
use super::schema::Domains;
use super::statics::{PredicateKind, TaskAnalysis};
use super::{GroundError, GroundLimits, GroundScope, GroundStage, normalise};
use crate::compile::rewrite::Rewrite;

/// The result of the relaxed reachability analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelaxedReachability {
    /// For each action, whether it is applicable with some arguments.
    pub actions: Vec<bool>,
    /// For each conjunct of the goal, whether it is reachable by itself.
    pub goal: Vec<bool>,
}

/// Computes relaxed reachability. Constraints, preferences and the metric are ignored.
///
/// # Errors
/// Returns a [`GroundError`] if a limit is exceeded, the observer cancels, or the task has an unsupported feature.
pub fn relaxed_reachability<'a>(
    task: &Task,
    limits: &'a GroundLimits,
    observer: &'a mut GroundObserver<'a>,
) -> Result<RelaxedReachability, GroundError> {
    let mut budget = Budget::new(limits, observer);
    let count = task.actions.len();
    let task = with_goal_as_actions(task);
    let statics = TaskAnalysis::new(&task)?;
    let mut domains = Domains::default();
    let schemas = normalise::schemas(&statics, &mut domains);
    budget.begin(GroundStage::Reachability)?;
    let reached = reach(&statics, &domains, &schemas, GroundScope::Full, &mut budget)?;
    let made = instantiate(&statics, &mut domains, &schemas, &reached, None, &mut budget)?;
    budget.begin(GroundStage::Encoding)?;
    let mut actions = ReachabilityFixpoint::new(&statics, &reached, &made).run(task.actions.len());
    let goal = actions.split_off(count);
    Ok(RelaxedReachability { actions, goal })
}

/// Adds an action without effects for each conjunct of the goal, with the conjunct as its precondition.
fn with_goal_as_actions(task: &Task) -> Task {
    let mut task = Task { constraints: Vec::new(), preferences: Vec::new(), metric: None, ..task.clone() };
    for conjunct in std::mem::take(&mut task.goal.conjuncts) {
        let (scope, precondition) = with_own_scope(&task.goal.scope, &conjunct.condition);
        task.actions.push(Action {
            name: task.goal.name.clone(),
            scope,
            parameters: 0,
            precondition,
            preferences: Vec::new(),
            effect: Effect::And(Vec::new()),
            origin: conjunct.origin,
        });
    }
    task
}

/// Returns a conjunct of the goal with a scope restricted to its own variables, so that it is not grounded over those of all
/// conjuncts.
fn with_own_scope(scope: &Scope, conjunct: &Condition) -> (Scope, Condition) {
    let mut bound = None;
    conjunct.visit_bound_variables(&mut |variable| {
        let (first, last) = bound.unwrap_or((variable, variable));
        bound = Some((first.min(variable), last.max(variable)));
    });
    let Some((first, last)) = bound else { return (Scope::default(), conjunct.clone()) };
    let rewrite = Rewrite::renumbered(-first.index().cast_signed());
    (Scope { variables: scope.variables[first.index()..=last.index()].to_vec() }, rewrite.condition(conjunct))
}

/// The fixpoint computation: operators, effects and axioms wait until all their literals can hold. They are numbered in this
/// order.
struct ReachabilityFixpoint<'m> {
    made: &'m PropositionalTask,
    waiting: Vec<usize>,
    /// For each literal the operators, effects and axioms that require it.
    dependents: Vec<Vec<u32>>,
    /// The literals that can hold.
    holding: FixedBitSet,
    queue: Vec<Literal>,
    /// For each operator, whether it is applicable.
    taken: FixedBitSet,
    /// For each effect, whether one of its operators is applicable.
    owned: FixedBitSet,
}

impl<'m> ReachabilityFixpoint<'m> {
    fn new(statics: &TaskAnalysis<'_>, reached: &ReachableAtoms, made: &'m PropositionalTask) -> Self {
        let propositions = reached.atoms() as usize + made.extras.len();
        let operators = made.operators.iter().map(|operator| &operator.precondition);
        let effects = made.effects.iter().map(|effect| &effect.conditions);
        let axioms = made.axioms.iter().map(|(_, body)| body);
        let (mut waiting, mut askers) = (Vec::new(), vec![Vec::new(); 2 * propositions]);
        for (asker, span) in operators.chain(effects).chain(axioms).enumerate() {
            let literals = made.span(span);
            for &literal in literals {
                askers[literal as usize].push(asker as u32);
            }
            waiting.push(literals.len());
        }
        // An effect also waits for one of its operators.
        waiting[made.operators.len()..][..made.effects.len()].iter_mut().for_each(|count| *count += 1);
        let mut exploration = Self {
            made,
            waiting,
            dependents: askers,
            holding: FixedBitSet::with_capacity(2 * propositions),
            queue: Vec::new(),
            taken: FixedBitSet::with_capacity(made.operators.len()),
            owned: FixedBitSet::with_capacity(made.effects.len()),
        };
        exploration.begin(statics, reached);
        exploration
    }

    /// Marks the literals that hold initially.
    fn begin(&mut self, statics: &TaskAnalysis<'_>, reached: &ReachableAtoms) {
        for predicate in (0..statics.task.world.predicates().len()).map(PredicateId::from) {
            let is_fluent = statics.kind(predicate) == PredicateKind::Fluent;
            for atom in reached.atoms_of(predicate) {
                self.hold(literal(atom, is_fluent && reached.is_initial(predicate, atom)));
            }
        }
        for (place, extra) in (reached.atoms()..).zip(&self.made.extras) {
            self.hold(literal(place, false));
            if matches!(extra, AuxiliaryProposition::Comparison(_)) {
                self.hold(literal(place, true));
            }
        }
    }

    /// Returns for each action whether it is applicable.
    fn run(mut self, actions: usize) -> Vec<bool> {
        for asker in 0..self.waiting.len() {
            if self.waiting[asker] == 0 {
                self.fire(asker);
            }
        }
        while let Some(literal) = self.queue.pop() {
            for at in 0..self.dependents[literal as usize].len() {
                self.ask(self.dependents[literal as usize][at] as usize);
            }
        }
        let mut can_be_taken = vec![false; actions];
        for operator in self.taken.ones() {
            can_be_taken[self.made.operators[operator].schema as usize] = true;
        }
        can_be_taken
    }

    fn ask(&mut self, asker: usize) {
        self.waiting[asker] -= 1;
        if self.waiting[asker] == 0 {
            self.fire(asker);
        }
    }

    fn fire(&mut self, asker: usize) {
        let made = self.made;
        let (operators, effects) = (made.operators.len(), made.effects.len());
        if asker < operators {
            if self.taken.put(asker) {
                return;
            }
            for effect in made.operators[asker].effects.clone() {
                // Operators of one step share their effects.
                if !self.owned.put(effect as usize) {
                    self.ask(operators + effect as usize);
                }
            }
        } else if asker < operators + effects {
            let effect = &made.effects[asker - operators];
            self.hold(literal(effect.atom, effect.adds));
        } else {
            self.hold(literal(made.axioms[asker - operators - effects].0, true));
        }
    }

    fn hold(&mut self, literal: Literal) {
        if !self.holding.put(literal as usize) {
            self.queue.push(literal);
        }
    }
}
