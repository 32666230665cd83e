//! Propositions as values of variables.
//!
//! The atoms of a group are the values of one variable, with one more for the case that none of them holds. An atom by itself,
//! a comparison, a part and a derived atom have a variable of two values. An atom of a group that is asked for negatively, where
//! the variable's value does not answer that anyway, is *shadowed*: it has a variable of its own beside the group's.

use goalspec_core::planning::task::Assignment;

use super::formula::{Extra, Literal, is_positive, proposition};
use super::instantiate::{Instance, Propositional, Span};
use super::reach::Reached;
use super::statics::{Kind, Statics};
use crate::ground_task::{Fact, NumericExpression};

/// No variable.
pub(super) const NOTHING: u32 = u32::MAX;

/// What a variable is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stuff {
    /// Atoms, by value; one value more stands for none of them.
    Group(Vec<u32>),
    /// An atom: value 0; value 1: it does not hold.
    Atom(u32),
    /// A derived atom: value 0: it does not hold; value 1.
    Derived(u32),
    /// The name of a disjunction, as a derived atom.
    Part,
    /// A comparison, likewise.
    Comparison(u32),
}

impl Stuff {
    /// How many values the variable has.
    pub(super) fn values(&self) -> u32 {
        match self {
            Self::Group(atoms) => atoms.len() as u32 + 1,
            _ => 2,
        }
    }

    /// Whether axioms or comparisons give it its value.
    pub(super) fn is_derived(&self) -> bool {
        matches!(self, Self::Derived(_) | Self::Part | Self::Comparison(_))
    }
}

/// An operator over variables.
#[derive(Debug, Clone)]
pub(super) struct Encoded {
    /// Its place among the operators over propositions.
    pub(super) instance: u32,
    /// What must hold, by variable.
    pub(super) precondition: Span,
    /// What it does.
    pub(super) effects: Span,
    /// What it does to numbers.
    pub(super) changes: Span,
}

/// An effect over variables.
#[derive(Debug, Clone)]
pub(super) struct EncodedEffect {
    /// What must hold, by variable.
    pub(super) conditions: Span,
    /// What holds afterwards.
    pub(super) fact: Fact,
}

/// An effect on a number.
#[derive(Debug, Clone)]
pub(super) struct EncodedChange {
    /// What must hold, by variable.
    pub(super) conditions: Span,
    /// The numeric variable.
    pub(super) variable: u32,
    /// How.
    pub(super) how: Assignment,
    /// The value.
    pub(super) value: NumericExpression,
}

/// A task over variables, with all that may turn out to be superfluous.
#[derive(Debug, Default)]
pub(super) struct Encoding {
    /// What the variables are made of.
    pub(super) variables: Vec<Stuff>,
    /// Their values in the first state.
    pub(super) initial: Vec<u32>,
    /// Where each proposition is: its variable and the value for which it holds.
    pub(super) places: Vec<Fact>,
    /// What spans of facts are parts of.
    pub(super) facts: Vec<Fact>,
    /// The operators.
    pub(super) operators: Vec<Encoded>,
    /// All effects.
    pub(super) effects: Vec<EncodedEffect>,
    /// All effects on numbers.
    pub(super) changes: Vec<EncodedChange>,
    /// The heads and bodies of axioms.
    pub(super) axioms: Vec<(Fact, Span)>,
    /// What must hold in the end; `None` if it never can.
    pub(super) goal: Option<Vec<Fact>>,
    /// Whether operators have been left out because what they ask for never holds together.
    pub(super) has_excluded: bool,
    /// Per atom, the variable beside its group's.
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

/// What is known of the values of variables at some point: a table that is emptied in no time.
#[derive(Debug)]
struct Known {
    values: Vec<(u32, u32)>,
    now: u32,
}

impl Known {
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

    /// Notes a value; says whether no other is known.
    fn set(&mut self, fact: Fact) -> bool {
        let known = self.get(fact.variable);
        self.values[fact.variable as usize] = (fact.value, self.now);
        known.is_none_or(|value| value == fact.value)
    }
}

/// Which atoms never hold together.
#[derive(Debug)]
struct Exclusion {
    /// Per atom, the groups that it is in.
    groups_of: Vec<Vec<u32>>,
    /// Per group, the conjunction in which one of its atoms came up last, and the atom.
    asked: Vec<(u32, u32)>,
    now: u32,
}

impl Exclusion {
    fn new(atoms: usize, groups: &[Vec<u32>]) -> Self {
        let mut groups_of = vec![Vec::new(); atoms];
        for (place, group) in groups.iter().enumerate() {
            for &atom in group {
                groups_of[atom as usize].push(place as u32);
            }
        }
        Self { groups_of, asked: vec![(0, 0); groups.len()], now: 0 }
    }

    /// Whether two of the literals exclude each other.
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

/// Makes variables of chosen groups, which have every fluent atom once, and says everything in terms of them. `groups` are all
/// sets of atoms no two of which ever hold together.
pub(super) fn encode(
    statics: &Statics<'_>,
    reached: &Reached,
    made: &Propositional,
    groups: &[Vec<u32>],
    chosen: Vec<Vec<u32>>,
) -> Encoding {
    let mut encoding = Encoding::default();
    let nowhere = Fact { variable: NOTHING, value: 0 };
    encoding.places = vec![nowhere; reached.atoms() as usize + made.extras.len()];
    encoding.shadows = vec![NOTHING; reached.atoms() as usize];
    let holds = |atom: u32| reached.is_initial(reached.predicate(atom), atom);
    for group in chosen {
        let variable = encoding.variables.len() as u32;
        for (value, &atom) in group.iter().enumerate() {
            encoding.places[atom as usize] = Fact { variable, value: value as u32 };
        }
        encoding.initial.push(group.iter().position(|&atom| holds(atom)).unwrap_or(group.len()) as u32);
        encoding.variables.push(if let [only] = group[..] { Stuff::Atom(only) } else { Stuff::Group(group) });
    }
    let world = &statics.task.world;
    let derived = (0..world.predicates().len()).map(goalspec_core::ids::PredicateId::from);
    for predicate in derived.filter(|&predicate| statics.kind(predicate) == Kind::Derived) {
        for atom in reached.atoms_of(predicate) {
            encoding.declare(atom, Stuff::Derived(atom));
        }
    }
    for (place, extra) in made.extras.iter().enumerate() {
        let stuff = match extra {
            Extra::Comparison(comparison) => Stuff::Comparison(*comparison),
            Extra::Part => Stuff::Part,
        };
        encoding.declare(reached.atoms() + place as u32, stuff);
    }
    let exclusion = Exclusion::new(reached.atoms() as usize, groups);
    let (known, pending, scratch) = (Known::new(0), Vec::new(), Vec::new());
    let mut encoder = Encoder { known, exclusion, made, encoding, pending, scratch };
    encoder.shadow(holds);
    encoder.known = Known::new(encoder.encoding.variables.len());
    for place in 0..made.operators.len() {
        encoder.operator(place);
    }
    for (head, body) in &made.axioms {
        encoder.known.clear();
        let mut facts = Vec::new();
        let literals = made.span(body);
        if !encoder.exclusion.excludes(literals.iter()) && encoder.conjunction(literals, &mut facts) {
            let body = encoder.encoding.store(&facts);
            let head = encoder.encoding.places[*head as usize];
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
    fn declare(&mut self, proposition: u32, stuff: Stuff) {
        self.places[proposition as usize] = Fact { variable: self.variables.len() as u32, value: 1 };
        self.variables.push(stuff);
        self.initial.push(0);
    }

    fn is_grouped(&self, place: Fact) -> bool {
        matches!(self.variables[place.variable as usize], Stuff::Group(_))
    }
}

/// An effect of the operator that is being encoded.
struct Pending {
    adds: bool,
    /// Among the facts of the encoding.
    conditions: Span,
    fact: Fact,
}

struct Encoder<'a> {
    known: Known,
    exclusion: Exclusion,
    made: &'a Propositional,
    encoding: Encoding,
    pending: Vec<Pending>,
    scratch: Vec<Fact>,
}

impl Encoder<'_> {
    /// Gives atoms variables of their own that are asked for negatively where nothing else answers that.
    fn shadow(&mut self, holds: impl Fn(u32) -> bool) {
        let made = self.made;
        if made.literals.iter().chain(made.goal.iter().flatten()).all(|&literal| is_positive(literal)) {
            return;
        }
        self.known = Known::new(self.encoding.variables.len());
        let mut wanted = Vec::new();
        for operator in &made.operators {
            self.known.clear();
            self.unanswered(made.span(&operator.precondition), &mut wanted);
            let effects = &made.effects[operator.effects.start as usize..operator.effects.end as usize];
            let changes = &made.changes[operator.changes.start as usize..operator.changes.end as usize];
            let conditions = effects.iter().map(|effect| &effect.conditions);
            for conditions in conditions.chain(changes.iter().map(|change| &change.conditions)) {
                let literals = made.span(conditions);
                if !literals.iter().all(|&literal| is_positive(literal)) {
                    self.known.clear();
                    self.unanswered(made.span(&operator.precondition), &mut wanted);
                    self.unanswered(literals, &mut wanted);
                }
            }
        }
        for literals in made.axioms.iter().map(|(_, body)| made.span(body)).chain(made.goal.as_deref()) {
            self.known.clear();
            self.unanswered(literals, &mut wanted);
        }
        wanted.sort_unstable();
        wanted.dedup();
        for atom in wanted {
            self.encoding.shadows[atom as usize] = self.encoding.variables.len() as u32;
            self.encoding.variables.push(Stuff::Atom(atom));
            self.encoding.initial.push(u32::from(!holds(atom)));
        }
    }

    /// Notes what the literals say, and collects the atoms that they say nothing of but that they do not hold.
    fn unanswered(&mut self, literals: &[Literal], wanted: &mut Vec<u32>) {
        for &literal in literals.iter().filter(|&&literal| is_positive(literal)) {
            self.known.set(self.encoding.places[proposition(literal) as usize]);
        }
        for &literal in literals.iter().filter(|&&literal| !is_positive(literal)) {
            let place = self.encoding.places[proposition(literal) as usize];
            if self.encoding.is_grouped(place) && self.known.get(place.variable).is_none() {
                wanted.push(proposition(literal));
            }
        }
    }

    /// Adds the facts that the literals are, without those known already, ordered by variable; says whether they can hold.
    fn conjunction(&mut self, literals: &[Literal], facts: &mut Vec<Fact>) -> bool {
        for &literal in literals.iter().filter(|&&literal| is_positive(literal)) {
            let fact = self.encoding.places[proposition(literal) as usize];
            if !self.take(fact, facts) {
                return false;
            }
        }
        for &literal in literals.iter().filter(|&&literal| !is_positive(literal)) {
            let mut fact = self.encoding.places[proposition(literal) as usize];
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
                self.encoding.operators.push(Encoded { instance: place as u32, precondition, effects, changes });
            }
        }
        self.encoding.has_excluded |= !possible;
        self.scratch = precondition;
    }

    /// Lets nothing be known but the precondition.
    fn know(&mut self, precondition: &[Fact]) {
        self.known.clear();
        for &fact in precondition {
            self.known.set(fact);
        }
    }

    fn effects(&mut self, operator: &Instance, precondition: &[Fact]) -> Span {
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

    /// An effect on an atom, under what is known.
    fn effect(&mut self, atom: u32, adds: bool, mut conditions: Vec<Fact>) {
        let shadow = self.encoding.shadows[atom as usize];
        if shadow != NOTHING {
            let conditions = self.encoding.store(&conditions);
            let fact = Fact { variable: shadow, value: u32::from(!adds) };
            self.pending.push(Pending { adds, conditions, fact });
        }
        let mut fact = self.encoding.places[atom as usize];
        if !adds {
            match &self.encoding.variables[fact.variable as usize] {
                Stuff::Group(atoms) => {
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

    /// Stores the pending effects, deleting ones first, without those that change nothing.
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
        // What sets a variable to the value that it has anyway changes nothing, unless something else sets it too.
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
                self.encoding.changes.push(EncodedChange { conditions, variable, how, value });
            }
        }
        start..self.encoding.changes.len() as u32
    }
}
