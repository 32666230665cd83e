//! The literals of goals, and the kinds of objects in them.

use goalspec_core::condition::{Atom, ComparisonOperator, Condition, Expression, Origin, Term, Terms};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::task::Task;
use goalspec_core::program::Conjunct;
use goalspec_core::state::{ObjectArguments, State};
use goalspec_generator::RandomStream;
use rustc_hash::{FxHashMap, FxHashSet};

/// The probability that a literal is one that the walk made true, where there is one.
const NEW: f64 = 0.75;

/// A literal of a goal.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum GoalLiteral {
    /// A fact holds, or does not.
    Fact { predicate: PredicateId, arguments: ObjectArguments, holds: bool },
    /// A comparison of a function with a number.
    Number { function: FunctionId, arguments: ObjectArguments, comparison: ComparisonOperator, value: f64 },
}

impl GoalLiteral {
    /// Returns the literal that a condition without variables is.
    fn of(condition: &Condition) -> Option<Self> {
        match condition {
            Condition::Atom(atom) => Self::fact(atom, true),
            Condition::Not(body) => match &**body {
                Condition::Atom(atom) => Self::fact(atom, false),
                _ => None,
            },
            Condition::Compare { comparison, sides, .. } => match &**sides {
                [Expression::Call { function, arguments, .. }, Expression::Number(value)] => Some(Self::Number {
                    function: *function,
                    arguments: objects(arguments)?,
                    comparison: *comparison,
                    value: *value,
                }),
                _ => None,
            },
            _ => None,
        }
    }

    fn fact(atom: &Atom, holds: bool) -> Option<Self> {
        Some(Self::Fact { predicate: atom.predicate, arguments: objects(&atom.arguments)?, holds })
    }

    fn arguments(&self) -> &ObjectArguments {
        match self {
            Self::Fact { arguments, .. } | Self::Number { arguments, .. } => arguments,
        }
    }

    /// Whether the literal holds in a state.
    pub(super) fn holds(&self, state: &State) -> bool {
        match self {
            Self::Fact { predicate, arguments, holds } => state.fact(*predicate, arguments) == *holds,
            Self::Number { function, arguments, comparison, value } => {
                state.fluent(*function, arguments).is_some_and(|own| comparison.holds(own, *value))
            }
        }
    }

    /// Returns the literal as a condition.
    pub(super) fn conjunct(&self) -> Conjunct {
        let origin = Origin::default();
        let terms = |arguments: &ObjectArguments| arguments.iter().copied().map(Term::Object).collect::<Terms>();
        let condition = match self {
            Self::Fact { predicate, arguments, holds } => {
                let atom = Condition::Atom(Atom { predicate: *predicate, arguments: terms(arguments), origin });
                if *holds { atom } else { Condition::Not(Box::new(atom)) }
            }
            Self::Number { function, arguments, comparison, value } => {
                let call = Expression::Call { function: *function, arguments: terms(arguments), origin };
                let sides = Box::new([call, Expression::Number(*value)]);
                Condition::Compare { comparison: *comparison, sides, origin }
            }
        };
        Conjunct { condition, origin }
    }
}

fn objects(terms: &[Term]) -> Option<ObjectArguments> {
    let object = |term: &Term| match term {
        Term::Object(object) => Some(*object),
        Term::Variable(_) | Term::Type(_) => None,
    };
    terms.iter().map(object).collect()
}

/// The goal of an example: its literals, and what distinguishes its objects.
#[derive(Debug, Clone)]
pub(super) struct GoalShape {
    literals: Vec<GoalLiteral>,
    /// The predicates of one object that no action changes.
    static_kinds: Vec<PredicateId>,
    /// The predicates that actions change, without derived ones.
    changing: FxHashSet<PredicateId>,
}

impl GoalShape {
    /// Returns the shape of a goal. `changing` are the predicates that steps change or rules derive.
    pub(super) fn of(task: &Task, changing: &[PredicateId]) -> Self {
        let mut literals = Vec::new();
        task.goal.conjuncts.iter().for_each(|conjunct| flatten(&conjunct.condition, &mut literals));
        let unary = (0..task.world.predicates().len()).map(PredicateId::from);
        let is_static = |id: &PredicateId| task.world.predicate(*id).parameters.len() == 1 && !changing.contains(id);
        let changing = changing.iter().copied().filter(|&predicate| !task.is_derived(predicate)).collect();
        Self { literals, static_kinds: unary.filter(is_static).collect(), changing }
    }

    /// Whether some literals are those of the example.
    pub(super) fn has_literals(&self, literals: &[GoalLiteral]) -> bool {
        literals.len() == self.literals.len() && literals.iter().all(|literal| self.literals.contains(literal))
    }

    fn kind(&self, task: &Task, state: &State, object: ObjectId) -> ObjectKind {
        let facts = self.static_kinds.iter().copied().filter(|&predicate| state.fact(predicate, &[object]));
        ObjectKind { types: task.world.object_decl(object).types.clone(), facts: facts.collect() }
    }
}

fn flatten(condition: &Condition, literals: &mut Vec<GoalLiteral>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| flatten(part, literals)),
        other => literals.extend(GoalLiteral::of(other)),
    }
}

/// The types of an object, and the predicates that hold of it and that no action changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ObjectKind {
    types: Vec<TypeId>,
    facts: Vec<PredicateId>,
}

/// The predicate or function of a literal, without its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Fact(PredicateId, bool),
    Number(FunctionId),
}

impl Subject {
    fn of(literal: &GoalLiteral) -> Self {
        match literal {
            GoalLiteral::Fact { predicate, holds, .. } => Self::Fact(*predicate, *holds),
            GoalLiteral::Number { function, .. } => Self::Number(*function),
        }
    }
}

/// The kinds of the arguments of goals.
#[derive(Debug, Clone, Default)]
pub(super) struct GoalKinds(FxHashMap<Subject, FxHashSet<Vec<ObjectKind>>>);

impl GoalKinds {
    /// Adds the goal of an example.
    pub(super) fn add(&mut self, task: &Task, shape: &GoalShape) {
        let Ok(execution) = Execution::new(task) else { return };
        for literal in &shape.literals {
            let kinds = literal.arguments().iter().map(|&object| shape.kind(task, execution.state(), object));
            self.0.entry(Subject::of(literal)).or_default().insert(kinds.collect());
        }
    }

    fn admits(&self, subject: Subject, kinds: &[ObjectKind]) -> bool {
        self.0.get(&subject).is_some_and(|known| known.contains(kinds))
    }

    /// Returns a goal like that of an example, which holds in the last state and not in the initial one.
    pub(super) fn goal(
        &self,
        task: &Task,
        shape: &GoalShape,
        (initial, last): (&Execution<'_>, &Execution<'_>),
        stream: &mut RandomStream,
    ) -> Option<Vec<GoalLiteral>> {
        let states = (initial.state(), last.state());
        let mut goal: Vec<GoalLiteral> = Vec::new();
        let mut pools: FxHashMap<(Subject, Option<ComparisonOperator>), Candidates> = FxHashMap::default();
        for literal in &shape.literals {
            let comparison = match literal {
                GoalLiteral::Number { comparison, .. } => Some(*comparison),
                GoalLiteral::Fact { .. } => None,
            };
            let pool = pools
                .entry((Subject::of(literal), comparison))
                .or_insert_with(|| Candidates::new(self.candidates(task, shape, literal, states), states.0));
            goal.extend(pool.take(stream));
        }
        if shape.literals.is_empty() {
            // The goal of the example has no literals, so any facts that the walk made true will do.
            let new = shape.changing_facts(states.1, true).filter(|literal| !literal.holds(states.0)).collect();
            let mut pool = Candidates::new(new, states.0);
            for _ in 0..=stream.below(3) {
                goal.extend(pool.take(stream));
            }
        }
        goal.iter().any(|literal| !literal.holds(states.0)).then_some(goal)
    }

    /// Returns the literals that hold in the last state and that differ from one of the example only in their arguments, and in their number.
    fn candidates(
        &self,
        task: &Task,
        shape: &GoalShape,
        literal: &GoalLiteral,
        (initial, last): (&State, &State),
    ) -> Vec<GoalLiteral> {
        let subject = Subject::of(literal);
        let all: Vec<GoalLiteral> = match literal {
            GoalLiteral::Fact { predicate, holds: true, .. } => facts_of(last, *predicate, true),
            // What became false, so that the goal is about the walk.
            GoalLiteral::Fact { predicate, holds: false, .. } => facts_of(initial, *predicate, false),
            GoalLiteral::Number { function, comparison, .. } => {
                let own = task.initial.fluents.iter().filter(|change| change.function == *function);
                let at_last = |arguments: &ObjectArguments| {
                    // A strict comparison with the reached value would not hold.
                    let comparison = match comparison {
                        ComparisonOperator::Less => ComparisonOperator::LessEqual,
                        ComparisonOperator::Greater => ComparisonOperator::GreaterEqual,
                        other => *other,
                    };
                    let value = last.fluent(*function, arguments)?;
                    let arguments = arguments.clone();
                    Some(GoalLiteral::Number { function: *function, arguments, comparison, value })
                };
                own.filter_map(|change| at_last(&change.arguments)).collect()
            }
        };
        let is_alike = |literal: &GoalLiteral| {
            let kinds: Vec<ObjectKind> =
                literal.arguments().iter().map(|&object| shape.kind(task, initial, object)).collect();
            literal.holds(last) && self.admits(subject, &kinds)
        };
        all.into_iter().filter(is_alike).collect()
    }
}

impl GoalShape {
    fn changing_facts<'s>(&'s self, state: &'s State, holds: bool) -> impl Iterator<Item = GoalLiteral> + 's {
        let facts = state.facts().filter(|(predicate, _)| self.changing.contains(predicate));
        let mut facts: Vec<_> = facts.collect();
        facts.sort_unstable();
        facts.into_iter().map(move |(predicate, arguments)| fact(predicate, arguments, holds))
    }
}

fn fact(predicate: PredicateId, arguments: &[ObjectId], holds: bool) -> GoalLiteral {
    GoalLiteral::Fact { predicate, arguments: arguments.iter().copied().collect(), holds }
}

/// Returns literals about the facts of a predicate that hold in a state, in a fixed order.
fn facts_of(state: &State, predicate: PredicateId, holds: bool) -> Vec<GoalLiteral> {
    let mut facts: Vec<&[ObjectId]> =
        state.facts().filter(|&(own, _)| own == predicate).map(|(_, arguments)| arguments).collect();
    facts.sort_unstable();
    facts.into_iter().map(|arguments| fact(predicate, arguments, holds)).collect()
}

/// Literals of one subject from which a goal takes some, each once.
struct Candidates {
    /// Those that do not hold initially.
    new: Vec<GoalLiteral>,
    old: Vec<GoalLiteral>,
}

impl Candidates {
    fn new(literals: Vec<GoalLiteral>, initial: &State) -> Self {
        let (old, new) = literals.into_iter().partition(|literal| literal.holds(initial));
        Self { new, old }
    }

    /// Takes a literal, mostly one that does not hold initially.
    fn take(&mut self, stream: &mut RandomStream) -> Option<GoalLiteral> {
        let is_new = !self.new.is_empty() && stream.uniform() < NEW;
        let all = if is_new { self.new.len() } else { self.new.len() + self.old.len() };
        if all == 0 {
            return None;
        }
        let place = stream.below(all as u64) as usize;
        let literal = match place.checked_sub(self.new.len()) {
            Some(place) => self.old.swap_remove(place),
            None => self.new.swap_remove(place),
        };
        Some(literal)
    }
}
