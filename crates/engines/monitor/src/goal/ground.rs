//! Grounding: the expansion of a goal into a circuit, with quantifiers ranging over the objects of the world.

use std::ops::ControlFlow;
use std::sync::Arc;

use goalspec_core::condition::{Atom, Cardinality, Condition, PairingRule, Scope, Term};
use goalspec_core::evaluate::Arguments;
use goalspec_core::ids::{ObjectId, PredicateId, VarId};
use goalspec_core::limits::MAX_GOAL_PARTS;
use goalspec_core::monitor::MonitorError;
use goalspec_core::program::{Conjunct, Goal};
use goalspec_core::state;
use goalspec_core::world::operation::PredicateDefinition;
use goalspec_core::world::{Argument, World};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::circuit::{Circuit, CircuitBuilder, CircuitSizeError, Edge};

/// The objects that a condition's free variables are bound to.
pub(super) type Binding = SmallVec<[(VarId, ObjectId); 4]>;

/// An atom of a goal: a question about a state.
#[derive(Debug, Clone)]
pub enum GoalAtom {
    /// Whether a stored fact holds.
    Fact(PredicateId, state::ObjectArguments),
    /// Whether an object is present.
    Present(ObjectId),
    /// Whether a condition of any other kind holds, evaluated as a whole under a binding of its free variables.
    Condition(Arc<Condition>, SmallVec<[(VarId, ObjectId); 4]>),
}

/// The identity of a question.
#[derive(Debug, PartialEq, Eq, Hash)]
enum QuestionKey {
    Atom(PredicateId, Arguments),
    /// Any other condition, by its [`address`] and the binding of its free variables.
    Other(usize, Binding),
}

/// A grounded goal.
#[derive(Debug)]
pub(super) struct Grounding {
    pub(super) circuit: Circuit,
    pub(super) atoms: Vec<GoalAtom>,
    pub(super) facts: FxHashMap<(PredicateId, state::ObjectArguments), u32>,
}

/// Grounds a goal. The outputs of the circuit are the conjuncts and, last, their conjunction.
pub(super) fn ground(world: &World, goal: &Goal) -> Result<Grounding, MonitorError> {
    let mut grounder = Grounder {
        world,
        scope: &goal.scope,
        builder: CircuitBuilder::new(MAX_GOAL_PARTS),
        values: vec![None; goal.scope.variables.len()],
        atoms: Vec::new(),
        facts: FxHashMap::default(),
        present: FxHashMap::default(),
        questions: FxHashMap::default(),
        wholes: FxHashMap::default(),
        domains: vec![None; goal.scope.variables.len()],
    };
    let mut outputs = Vec::with_capacity(goal.conjuncts.len() + 1);
    for (place, conjunct) in goal.conjuncts.iter().enumerate() {
        let too_large = |CircuitSizeError| MonitorError::GoalTooLarge { conjunct: place, origin: conjunct.origin };
        outputs.push(grounder.conjunct(conjunct).map_err(too_large)?);
    }
    let origin = goal.conjuncts.last().map(|conjunct| conjunct.origin).unwrap_or_default();
    let too_large =
        |CircuitSizeError| MonitorError::GoalTooLarge { conjunct: goal.conjuncts.len().saturating_sub(1), origin };
    outputs.push(grounder.builder.all(outputs.clone()).map_err(too_large)?);
    let Grounder { builder, atoms, facts, .. } = grounder;
    Ok(Grounding { circuit: builder.finish(atoms.len(), &outputs), atoms, facts })
}

struct Grounder<'a> {
    world: &'a World,
    scope: &'a Scope,
    builder: CircuitBuilder,
    /// For each variable, the object it is bound to.
    values: Vec<Option<ObjectId>>,
    atoms: Vec<GoalAtom>,
    facts: FxHashMap<(PredicateId, state::ObjectArguments), u32>,
    present: FxHashMap<ObjectId, u32>,
    questions: FxHashMap<QuestionKey, u32>,
    /// The conditions that are evaluated as a whole, by address.
    wholes: FxHashMap<usize, OpaqueCondition>,
    /// For each variable, its domain, once computed.
    domains: Vec<Option<Domain>>,
}

/// A condition that is evaluated as a whole. It is analysed and copied once, whatever the number of its bindings.
#[derive(Debug, Clone)]
struct OpaqueCondition {
    condition: Arc<Condition>,
    /// Its free variables, without repetitions.
    variables: Arc<[VarId]>,
}

/// The domain of a variable, computed once.
#[derive(Debug, Clone)]
struct Domain {
    objects: Arc<[ObjectId]>,
    /// Whether one of the objects may be absent.
    varies: bool,
}

type Built = Result<Edge, CircuitSizeError>;

/// Returns the address of a condition, which is stable while the goal is borrowed for grounding.
fn address(condition: &Condition) -> usize {
    std::ptr::from_ref(condition).addr()
}

impl Grounder<'_> {
    fn conjunct(&mut self, conjunct: &Conjunct) -> Built {
        let mut parts = vec![self.condition(&conjunct.condition)?];
        for object in conjunct.condition.named_objects() {
            parts.extend(self.present(object));
        }
        self.builder.all(parts)
    }

    fn condition(&mut self, condition: &Condition) -> Built {
        self.builder.spend(1)?;
        match condition {
            Condition::Constant(value) => Ok(CircuitBuilder::constant(*value)),
            Condition::Atom(atom) => Ok(self.atom(condition, atom)),
            Condition::Compare { .. }
            | Condition::AllEqual(..)
            | Condition::FirstState
            | Condition::LastState
            | Condition::InSetup(..) => Ok(self.question(condition)),
            Condition::Distinct(left, right) => {
                let distinct = self.term(*left).zip(self.term(*right)).is_some_and(|(left, right)| left != right);
                Ok(CircuitBuilder::constant(distinct))
            }
            Condition::Not(part) => Ok(self.condition(part)?.not()),
            Condition::And(parts) => {
                let parts = self.conditions(parts)?;
                self.builder.all(parts)
            }
            Condition::Or(parts) => {
                let parts = self.conditions(parts)?;
                self.builder.any(parts)
            }
            Condition::Imply(parts) => {
                let parts = vec![self.condition(&parts[0])?.not(), self.condition(&parts[1])?];
                self.builder.any(parts)
            }
            Condition::Exists(variables, body) => {
                let parts = self.instances(variables, body, false)?;
                self.builder.any(parts)
            }
            Condition::Forall(variables, body) => {
                let failures = self.instances(variables, body, true)?;
                Ok(self.builder.any(failures)?.not())
            }
            Condition::Count(amount, variables, body) => {
                let parts = self.instances(variables, body, false)?;
                match *amount {
                    Cardinality::AtLeast(min) => self.builder.window(min, u32::MAX, parts),
                    Cardinality::Exactly(amount) => self.builder.window(amount, amount, parts),
                }
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                let sides = [*left, *right].map(|side| self.domain(side));
                if left == right || sides.iter().any(|side| side.varies) {
                    // The number of pairs, and the cells that form a column, would depend on the state.
                    return Ok(self.question(condition));
                }
                self.pairing(*rule, *amount, [*left, *right], &sides.map(|side| side.objects), body)
            }
        }
    }

    fn conditions(&mut self, parts: &[Condition]) -> Result<Vec<Edge>, CircuitSizeError> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn term(&self, term: Term) -> Option<Argument> {
        match term {
            Term::Variable(variable) => self.values[variable.index()].map(Argument::Object),
            Term::Object(object) => Some(Argument::Object(object)),
            Term::Type(id) => Some(Argument::Type(id)),
        }
    }

    fn atom(&mut self, condition: &Condition, atom: &Atom) -> Edge {
        let arguments: Option<Arguments> = atom.arguments.iter().map(|&term| self.term(term)).collect();
        let Some(arguments) = arguments else { return CircuitBuilder::constant(false) };
        if self.world.predicate(atom.predicate).definition != PredicateDefinition::Stored {
            return self.ask(QuestionKey::Atom(atom.predicate, arguments), condition);
        }
        let object = |argument: &Argument| match argument {
            Argument::Object(object) => Some(*object),
            Argument::Type(_) => None,
        };
        let objects: Option<state::ObjectArguments> = arguments.iter().map(object).collect();
        // No facts about types are stored.
        let Some(objects) = objects else { return CircuitBuilder::constant(false) };
        let next = self.atoms.len() as u32;
        let number = *self.facts.entry((atom.predicate, objects)).or_insert_with_key(|(predicate, objects)| {
            self.atoms.push(GoalAtom::Fact(*predicate, objects.clone()));
            next
        });
        CircuitBuilder::atom(number as usize)
    }

    /// Returns the atom of a condition that is evaluated as a whole.
    fn question(&mut self, condition: &Condition) -> Edge {
        let whole = self.whole(condition);
        let key = QuestionKey::Other(address(condition), self.binding(&whole));
        self.ask(key, condition)
    }

    fn whole(&mut self, condition: &Condition) -> OpaqueCondition {
        let entry = self.wholes.entry(address(condition));
        let whole = entry.or_insert_with(|| {
            let mut variables = Vec::new();
            condition.visit_free_variables(&mut |variable| {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            });
            OpaqueCondition { condition: Arc::new(condition.clone()), variables: variables.into() }
        });
        whole.clone()
    }

    fn binding(&self, whole: &OpaqueCondition) -> Binding {
        let bound = |&variable: &VarId| self.values[variable.index()].map(|object| (variable, object));
        whole.variables.iter().filter_map(bound).collect()
    }

    fn domain(&mut self, variable: VarId) -> Domain {
        if let Some(domain) = &self.domains[variable.index()] {
            return domain.clone();
        }
        let objects = self.world.domain(&self.scope.get(variable).types);
        let changes = objects.iter().any(|&object| self.may_be_absent(object));
        let domain = Domain { objects: objects.into(), varies: changes };
        self.domains[variable.index()] = Some(domain.clone());
        domain
    }

    fn ask(&mut self, key: QuestionKey, condition: &Condition) -> Edge {
        let next = self.atoms.len() as u32;
        let number = *self.questions.entry(key).or_insert(next);
        if number == next {
            let whole = self.whole(condition);
            let binding = self.binding(&whole);
            self.atoms.push(GoalAtom::Condition(whole.condition, binding));
        }
        CircuitBuilder::atom(number as usize)
    }

    fn may_be_absent(&self, object: ObjectId) -> bool {
        !self.world.required_attributes(object).is_empty()
    }

    /// Returns the atom that an object is present; `None` if the object cannot be absent.
    fn present(&mut self, object: ObjectId) -> Option<Edge> {
        self.may_be_absent(object).then(|| {
            let next = self.atoms.len() as u32;
            let number = *self.present.entry(object).or_insert(next);
            if number == next {
                self.atoms.push(GoalAtom::Present(object));
            }
            CircuitBuilder::atom(number as usize)
        })
    }

    /// Returns, for each assignment of the variables, that its objects are present and that the body (if `negated`, its negation) holds.
    fn instances(
        &mut self,
        variables: &[VarId],
        body: &Condition,
        negated: bool,
    ) -> Result<Vec<Edge>, CircuitSizeError> {
        let domains: Vec<_> = variables.iter().map(|&variable| self.domain(variable).objects).collect();
        let mut edges = Vec::new();
        let outside: Vec<_> = variables.iter().map(|variable| self.values[variable.index()]).collect();
        let result = each_place(&domains, |places| {
            let mut parts = Vec::new();
            for ((&variable, domain), &place) in variables.iter().zip(&domains).zip(places) {
                self.values[variable.index()] = Some(domain[place]);
                parts.extend(self.present(domain[place]));
            }
            let edge = self.condition(body).and_then(|edge| {
                parts.push(if negated { edge.not() } else { edge });
                self.builder.all(std::mem::take(&mut parts))
            });
            match edge {
                Ok(edge) => {
                    edges.push(edge);
                    ControlFlow::Continue(())
                }
                Err(large) => ControlFlow::Break(large),
            }
        });
        for (variable, value) in variables.iter().zip(outside) {
            self.values[variable.index()] = value;
        }
        match result {
            ControlFlow::Continue(()) => Ok(edges),
            ControlFlow::Break(large) => Err(large),
        }
    }

    fn pairing(
        &mut self,
        rule: PairingRule,
        amount: Option<u32>,
        variables: [VarId; 2],
        [lefts, rights]: &[Arc<[ObjectId]>; 2],
        body: &Condition,
    ) -> Built {
        let first_row = lefts.first().map_or(0, |first| rights.iter().filter(|other| *other != first).count());
        let required = amount.map_or(lefts.len().min(first_row), |amount| amount as usize);
        let outside = variables.map(|variable| self.values[variable.index()]);
        let mut cells = Vec::new();
        self.builder.spend(lefts.len())?;
        for &left in lefts.iter() {
            self.values[variables[0].index()] = Some(left);
            for &right in rights.iter() {
                self.values[variables[1].index()] = Some(right);
                cells.push(if left == right { None } else { Some(self.condition(body)?) });
            }
        }
        for (variable, value) in variables.iter().zip(outside) {
            self.values[variable.index()] = value;
        }
        match rule {
            PairingRule::Matching => {
                let cells = cells.into_iter().map(|cell| cell.unwrap_or(CircuitBuilder::constant(false))).collect();
                self.builder.matching(rights.len(), required, cells)
            }
            PairingRule::Covering => self.covering(rights.len(), required, &cells),
        }
    }

    fn covering(&mut self, width: usize, required: usize, cells: &[Option<Edge>]) -> Built {
        let (mut rows, mut columns) = (Vec::new(), vec![Vec::new(); width]);
        for row in cells.chunks(width.max(1)) {
            let row: Vec<Edge> = row.iter().copied().flatten().collect();
            for (column, &cell) in columns.iter_mut().zip(&row) {
                column.push(cell);
            }
            rows.push(self.builder.any(row)?);
        }
        let columns = columns.into_iter().map(|column| self.builder.any(column)).collect::<Result<_, _>>()?;
        // A number that exceeds `u32` exceeds the number of rows in any case.
        let required = u32::try_from(required).unwrap_or(u32::MAX);
        let sides =
            vec![self.builder.window(required, u32::MAX, rows)?, self.builder.window(required, u32::MAX, columns)?];
        self.builder.all(sides)
    }
}

/// Visits every combination of positions in the domains, the last position varying fastest.
fn each_place<B>(domains: &[Arc<[ObjectId]>], mut visit: impl FnMut(&[usize]) -> ControlFlow<B>) -> ControlFlow<B> {
    if domains.iter().any(|domain| domain.is_empty()) {
        return ControlFlow::Continue(());
    }
    let mut at = vec![0; domains.len()];
    loop {
        visit(&at)?;
        let Some(place) = (0..at.len()).rev().find(|&place| at[place] + 1 < domains[place].len()) else {
            return ControlFlow::Continue(());
        };
        at[place] += 1;
        at[place + 1..].fill(0);
    }
}
