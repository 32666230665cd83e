//! The finite-domain encoding: propositions as values of variables.
//!
//! The atoms of a group are the values of one variable, which has an additional value for the case that none of them holds.
//! Single atoms, comparisons, auxiliary propositions and derived atoms have Boolean variables. If a condition requires the
//! falsity of a grouped atom and this does not follow from the value of its variable, the atom is *shadowed*: it gets a Boolean
//! variable in addition.

use goalspec_core::planning::task::AssignmentOperator;

use super::formula::{AuxiliaryProposition, Literal, is_positive, proposition};
use super::instantiate::{PropositionalOperator, PropositionalTask, Span};
use super::reachability::ReachableAtoms;
use super::statics::{PredicateKind, TaskAnalysis};
use crate::ground_task::{Fact, NumericExpression};

/// No variable.
pub(super) const NO_VARIABLE: u32 = u32::MAX;

/// The origin of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum VariableOrigin {
    /// A mutex group; the values are its atoms, followed by none of them.
    Group(Vec<u32>),
    /// An atom: value 0 if it holds, 1 if it does not.
    Atom(u32),
    /// A derived atom: value 0 if it does not hold, 1 if it does.
    Derived(u32),
    /// A named disjunction; values as for a derived atom.
    Part,
    /// A comparison; values as for a derived atom.
    Comparison(u32),
}

impl VariableOrigin {
    /// Returns the number of values.
    pub(super) fn values(&self) -> u32 {
        match self {
            Self::Group(atoms) => atoms.len() as u32 + 1,
            _ => 2,
        }
    }

    /// Whether the variable is set by axioms or comparisons instead of operators.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self, Self::Derived(_) | Self::Part | Self::Comparison(_))
    }
}

/// An operator over variables.
#[derive(Debug, Clone)]
pub(super) struct EncodedOperator {
    /// The index of the operator over propositions.
    pub(super) instance: u32,
    /// The precondition, sorted by variable.
    pub(super) precondition: Span,
    /// The effects.
    pub(super) effects: Span,
    /// The numeric effects.
    pub(super) changes: Span,
}

/// An effect over variables.
#[derive(Debug, Clone)]
pub(super) struct EncodedEffect {
    /// The conditions, sorted by variable.
    pub(super) conditions: Span,
    /// The fact that the effect makes true.
    pub(super) fact: Fact,
}

/// A numeric effect over variables.
#[derive(Debug, Clone)]
pub(super) struct EncodedNumericEffect {
    /// The conditions, sorted by variable.
    pub(super) conditions: Span,
    /// The numeric variable.
    pub(super) variable: u32,
    /// The kind of assignment.
    pub(super) how: AssignmentOperator,
    /// The operand.
    pub(super) value: NumericExpression,
}

/// A task over variables before simplification.
#[derive(Debug, Default)]
pub(super) struct Encoding {
    /// The origins of the variables.
    pub(super) variables: Vec<VariableOrigin>,
    /// The initial values of the variables.
    pub(super) initial: Vec<u32>,
    /// For each proposition the fact that represents it.
    pub(super) propositions: Vec<Fact>,
    /// The storage of spans of facts.
    pub(super) facts: Vec<Fact>,
    /// The operators.
    pub(super) operators: Vec<EncodedOperator>,
    /// The effects of all operators.
    pub(super) effects: Vec<EncodedEffect>,
    /// The numeric effects of all operators.
    pub(super) changes: Vec<EncodedNumericEffect>,
    /// The heads and bodies of axioms.
    pub(super) axioms: Vec<(Fact, Span)>,
    /// The goal; `None` if it is unsatisfiable.
    pub(super) goal: Option<Vec<Fact>>,
    /// Whether operators were removed because their precondition is contradictory or violates a mutex group.
    pub(super) has_excluded: bool,
    /// For each atom its shadow variable, or [`NO_VARIABLE`].
    shadows: Vec<u32>,
}

impl Encoding {
    /// The facts of a span.
    pub(super) fn span(&self, span: &Span) -> &[Fact] {
        &self.facts[span.start as usize..span.end as usize]
    }

    fn store(&mut self, facts: &[Fact]) -> Span {
        let start = self.facts.len() as u32;
        self.facts.extend_from_slice(facts);
        start..self.facts.len() as u32
    }
}

/// A partial assignment of variables that is cleared in constant time.
#[derive(Debug)]
struct PartialAssignment {
    values: Vec<(u32, u32)>,
    now: u32,
}

impl PartialAssignment {
    fn new(variables: usize) -> Self {
        Self { values: vec![(0, 0); variables], now: 1 }
    }

    fn clear(&mut self) {
        self.now += 1;
    }

    fn get(&self, variable: u32) -> Option<u32> {
        let (value, when) = self.values[variable as usize];
        (when == self.now).then_some(value)
    }

    /// Records a value. Returns whether it is consistent with the known one.
    fn set(&mut self, fact: Fact) -> bool {
        let known = self.get(fact.variable);
        self.values[fact.variable as usize] = (fact.value, self.now);
        known.is_none_or(|value| value == fact.value)
    }
}

/// Mutex groups of atoms.
#[derive(Debug)]
struct MutexIndex {
    /// For each atom the groups that contain it.
    groups_of: Vec<Vec<u32>>,
    /// For each group the last conjunction that contained one of its atoms, and that atom.
    asked: Vec<(u32, u32)>,
    now: u32,
}

impl MutexIndex {
    fn new(atoms: usize, groups: &[Vec<u32>]) -> Self {
        let mut groups_of = vec![Vec::new(); atoms];
        for (place, group) in groups.iter().enumerate() {
            for &atom in group {
                groups_of[atom as usize].push(place as u32);
            }
        }
        Self { groups_of, asked: vec![(0, 0); groups.len()], now: 0 }
    }

    /// Whether two positive literals are mutually exclusive.
    fn excludes<'l>(&mut self, literals: impl Iterator<Item = &'l Literal>) -> bool {
        self.now += 1;
        for &literal in literals.filter(|&&literal| is_positive(literal)) {
            let atom = proposition(literal);
            for &group in self.groups_of.get(atom as usize).into_iter().flatten() {
                let before = std::mem::replace(&mut self.asked[group as usize], (self.now, atom));
                if before.0 == self.now && before.1 != atom {
                    return true;
                }
            }
        }
        false
    }
}

/// Returns an encoding with the variables of a task, without operators.
fn variables(
    statics: &TaskAnalysis<'_>,
    reached: &ReachableAtoms,
    made: &PropositionalTask,
    chosen: Vec<Vec<u32>>,
) -> Encoding {
    let mut encoding = Encoding::default();
    let nowhere = Fact { variable: NO_VARIABLE, value: 0 };
    encoding.propositions = vec![nowhere; reached.atoms() as usize + made.extras.len()];
    encoding.shadows = vec![NO_VARIABLE; reached.atoms() as usize];
    let holds = |atom: u32| reached.is_initial(reached.predicate(atom), atom);
    for group in chosen {
        let variable = encoding.variables.len() as u32;
        for (value, &atom) in group.iter().enumerate() {
            encoding.propositions[atom as usize] = Fact { variable, value: value as u32 };
        }
        encoding.initial.push(group.iter().position(|&atom| holds(atom)).unwrap_or(group.len()) as u32);
        encoding.variables.push(if let [only] = group[..] {
            VariableOrigin::Atom(only)
        } else {
            VariableOrigin::Group(group)
        });
    }
    let world = &statics.task.world;
    let derived = (0..world.predicates().len()).map(goalspec_core::ids::PredicateId::from);
    for predicate in derived.filter(|&predicate| statics.kind(predicate) == PredicateKind::Derived) {
        for atom in reached.atoms_of(predicate) {
            encoding.declare(atom, VariableOrigin::Derived(atom));
        }
    }
    for (place, extra) in made.extras.iter().enumerate() {
        let origin = match extra {
            AuxiliaryProposition::Comparison(comparison) => VariableOrigin::Comparison(*comparison),
            AuxiliaryProposition::Part => VariableOrigin::Part,
        };
        encoding.declare(reached.atoms() + place as u32, origin);
    }
    encoding
}

/// Encodes a task over propositions. `chosen` partitions the fluent atoms into groups that become variables; `groups` are all
/// mutex groups.
pub(super) fn encode(
    statics: &TaskAnalysis<'_>,
    reached: &ReachableAtoms,
    made: &PropositionalTask,
    groups: &[Vec<u32>],
    chosen: Vec<Vec<u32>>,
) -> Encoding {
    let encoding = variables(statics, reached, made, chosen);
    let holds = |atom: u32| reached.is_initial(reached.predicate(atom), atom);
    let exclusion = MutexIndex::new(reached.atoms() as usize, groups);
    let (known, pending, scratch) = (PartialAssignment::new(0), Vec::new(), Vec::new());
    let mut encoder = Encoder { known, exclusion, made, encoding, pending, scratch };
    encoder.shadow(holds);
    encoder.known = PartialAssignment::new(encoder.encoding.variables.len());
    for place in 0..made.operators.len() {
        encoder.operator(place);
    }
    for (head, body) in &made.axioms {
        encoder.known.clear();
        let mut facts = Vec::new();
        let literals = made.span(body);
        if !encoder.exclusion.excludes(literals.iter()) && encoder.conjunction(literals, &mut facts) {
            let body = encoder.encoding.store(&facts);
            let head = encoder.encoding.propositions[*head as usize];
            encoder.encoding.axioms.push((head, body));
        }
    }
    encoder.known.clear();
    let mut goal = Vec::new();
    let possible = made.goal.as_ref().is_some_and(|literals| {
        !encoder.exclusion.excludes(literals.iter()) && encoder.conjunction(literals, &mut goal)
    });
    encoder.encoding.goal = possible.then_some(goal);
    encoder.encoding
}

impl Encoding {
    fn declare(&mut self, proposition: u32, stuff: VariableOrigin) {
        self.propositions[proposition as usize] = Fact { variable: self.variables.len() as u32, value: 1 };
        self.variables.push(stuff);
        self.initial.push(0);
    }

    fn is_grouped(&self, place: Fact) -> bool {
        matches!(self.variables[place.variable as usize], VariableOrigin::Group(_))
    }
}

/// An effect of the operator that is being encoded.
struct Pending {
    adds: bool,
    /// The conditions, as a span of the facts of the encoding.
    conditions: Span,
    fact: Fact,
}

struct Encoder<'a> {
    known: PartialAssignment,
    exclusion: MutexIndex,
    made: &'a PropositionalTask,
    encoding: Encoding,
    pending: Vec<Pending>,
    scratch: Vec<Fact>,
}

impl Encoder<'_> {
    /// Adds shadow variables for atoms whose falsity is required where it does not follow from other conditions.
    fn shadow(&mut self, holds: impl Fn(u32) -> bool) {
        let made = self.made;
        if made.literals.iter().chain(made.goal.iter().flatten()).all(|&literal| is_positive(literal)) {
            return;
        }
        self.known = PartialAssignment::new(self.encoding.variables.len());
        let mut wanted = Vec::new();
        for operator in &made.operators {
            self.known.clear();
            self.collect_shadowed(made.span(&operator.precondition), &mut wanted);
            let effects = &made.effects[operator.effects.start as usize..operator.effects.end as usize];
            let changes = &made.changes[operator.changes.start as usize..operator.changes.end as usize];
            let conditions = effects.iter().map(|effect| &effect.conditions);
            for conditions in conditions.chain(changes.iter().map(|change| &change.conditions)) {
                let literals = made.span(conditions);
                if !literals.iter().all(|&literal| is_positive(literal)) {
                    self.known.clear();
                    self.collect_shadowed(made.span(&operator.precondition), &mut wanted);
                    self.collect_shadowed(literals, &mut wanted);
                }
            }
        }
        for literals in made.axioms.iter().map(|(_, body)| made.span(body)).chain(made.goal.as_deref()) {
            self.known.clear();
            self.collect_shadowed(literals, &mut wanted);
        }
        wanted.sort_unstable();
        wanted.dedup();
        for atom in wanted {
            self.encoding.shadows[atom as usize] = self.encoding.variables.len() as u32;
            self.encoding.variables.push(VariableOrigin::Atom(atom));
            self.encoding.initial.push(u32::from(!holds(atom)));
        }
    }

    /// Records the positive literals and collects the atoms of negative literals whose falsity does not follow from them.
    fn collect_shadowed(&mut self, literals: &[Literal], wanted: &mut Vec<u32>) {
        for &literal in literals.iter().filter(|&&literal| is_positive(literal)) {
            self.known.set(self.encoding.propositions[proposition(literal) as usize]);
        }
        for &literal in literals.iter().filter(|&&literal| !is_positive(literal)) {
            let place = self.encoding.propositions[proposition(literal) as usize];
            if self.encoding.is_grouped(place) && self.known.get(place.variable).is_none() {
                wanted.push(proposition(literal));
            }
        }
    }

    /// Encodes a conjunction of literals as sorted facts, without known ones. Returns whether it is consistent.
    fn conjunction(&mut self, literals: &[Literal], facts: &mut Vec<Fact>) -> bool {
        for &literal in literals.iter().filter(|&&literal| is_positive(literal)) {
            let fact = self.encoding.propositions[proposition(literal) as usize];
            if !self.take(fact, facts) {
                return false;
            }
        }
        for &literal in literals.iter().filter(|&&literal| !is_positive(literal)) {
            let mut fact = self.encoding.propositions[proposition(literal) as usize];
            if self.encoding.is_grouped(fact) {
                match self.known.get(fact.variable) {
                    Some(value) if value == fact.value => return false,
                    Some(_) => continue,
                    None => {
                        let variable = self.encoding.shadows[proposition(literal) as usize];
                        fact = Fact { variable, value: 1 };
                    }
                }
            } else {
                fact.value = 1 - fact.value;
            }
            if !self.take(fact, facts) {
                return false;
            }
        }
        facts.sort_unstable();
        true
    }

    fn take(&mut self, fact: Fact, facts: &mut Vec<Fact>) -> bool {
        if self.known.get(fact.variable).is_none() {
            facts.push(fact);
        }
        self.known.set(fact)
    }

    fn operator(&mut self, place: usize) {
        let made = self.made;
        let operator = &made.operators[place];
        self.known.clear();
        let mut precondition = std::mem::take(&mut self.scratch);
        precondition.clear();
        let literals = made.span(&operator.precondition);
        let possible = !self.exclusion.excludes(literals.iter()) && self.conjunction(literals, &mut precondition);
        if possible {
            let effects = self.effects(operator, &precondition);
            let changes = self.changes(&operator.changes, &precondition);
            if !effects.is_empty() || !changes.is_empty() {
                let precondition = self.encoding.store(&precondition);
                self.encoding.operators.push(EncodedOperator {
                    instance: place as u32,
                    precondition,
                    effects,
                    changes,
                });
            }
        }
        self.encoding.has_excluded |= !possible;
        self.scratch = precondition;
    }

    /// Resets the known facts to a precondition.
    fn know(&mut self, precondition: &[Fact]) {
        self.known.clear();
        for &fact in precondition {
            self.known.set(fact);
        }
    }

    fn effects(&mut self, operator: &PropositionalOperator, precondition: &[Fact]) -> Span {
        let made = self.made;
        let required = made.span(&operator.precondition);
        self.pending.clear();
        for effect in &made.effects[operator.effects.start as usize..operator.effects.end as usize] {
            let literals = made.span(&effect.conditions);
            let mut conditions = Vec::new();
            if literals.is_empty() {
                self.effect(effect.atom, effect.adds, conditions);
                continue;
            }
            let excluded = self.exclusion.excludes(literals.iter().chain(required));
            if !excluded && self.conjunction(literals, &mut conditions) {
                self.effect(effect.atom, effect.adds, conditions);
            }
            self.know(precondition);
        }
        self.finish(precondition)
    }

    /// Adds an effect on an atom, given the known facts.
    fn effect(&mut self, atom: u32, adds: bool, mut conditions: Vec<Fact>) {
        let shadow = self.encoding.shadows[atom as usize];
        if shadow != NO_VARIABLE {
            let conditions = self.encoding.store(&conditions);
            let fact = Fact { variable: shadow, value: u32::from(!adds) };
            self.pending.push(Pending { adds, conditions, fact });
        }
        let mut fact = self.encoding.propositions[atom as usize];
        if !adds {
            match &self.encoding.variables[fact.variable as usize] {
                VariableOrigin::Group(atoms) => {
                    let none = Fact { variable: fact.variable, value: atoms.len() as u32 };
                    match self.known.get(fact.variable) {
                        Some(value) if value != fact.value => return,
                        Some(_) => {}
                        None => {
                            let at = conditions.partition_point(|other| *other < fact);
                            conditions.insert(at, fact);
                        }
                    }
                    fact = none;
                }
                _ => fact.value = 1 - fact.value,
            }
        }
        let conditions = self.encoding.store(&conditions);
        self.pending.push(Pending { adds, conditions, fact });
    }

    /// Stores the pending effects, delete effects first, without redundant ones.
    fn finish(&mut self, precondition: &[Fact]) -> Span {
        let start = self.encoding.effects.len() as u32;
        let pending = std::mem::take(&mut self.pending);
        let value_before = |variable: u32| {
            let at = precondition.binary_search_by_key(&variable, |fact| fact.variable);
            at.ok().map(|at| precondition[at].value)
        };
        let conditions = |effect: &Pending| self.encoding.span(&effect.conditions);
        let overrules = |other: &Pending, effect: &Pending| {
            other.adds
                && !effect.adds
                && other.fact.variable == effect.fact.variable
                && conditions(other).iter().all(|fact| conditions(effect).contains(fact))
        };
        let same =
            |other: &Pending, effect: &Pending| other.fact == effect.fact && conditions(other) == conditions(effect);
        let stays = |&at: &usize| {
            let effect = &pending[at];
            !pending[..at].iter().any(|other| same(other, effect))
                && !pending.iter().any(|other| overrules(other, effect))
        };
        let left: Vec<&Pending> = (0..pending.len()).filter(stays).map(|at| &pending[at]).collect();
        // An effect that sets a variable to its known current value is redundant, unless another effect also sets the variable.
        let is_idle = |effect: &Pending| {
            let mut others = left.iter().filter(|other| other.fact.variable == effect.fact.variable);
            others.all(|other| Some(other.fact.value) == value_before(effect.fact.variable))
        };
        let mut made = Vec::with_capacity(left.len());
        for adds in [false, true] {
            for effect in left.iter().filter(|effect| effect.adds == adds && !is_idle(effect)) {
                made.push(EncodedEffect { conditions: effect.conditions.clone(), fact: effect.fact });
            }
        }
        self.encoding.effects.extend(made);
        self.pending = pending;
        start..self.encoding.effects.len() as u32
    }

    fn changes(&mut self, changes: &Span, precondition: &[Fact]) -> Span {
        let made = self.made;
        let start = self.encoding.changes.len() as u32;
        for change in &made.changes[changes.start as usize..changes.end as usize] {
            self.know(precondition);
            let mut conditions = Vec::new();
            if self.conjunction(made.span(&change.conditions), &mut conditions) {
                let conditions = self.encoding.store(&conditions);
                let (variable, how, value) = (change.variable, change.how, change.value.clone());
                self.encoding.changes.push(EncodedNumericEffect { conditions, variable, how, value });
            }
        }
        start..self.encoding.changes.len() as u32
    }
}
