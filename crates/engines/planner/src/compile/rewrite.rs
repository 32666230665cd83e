//! Translation of conditions into the compiled task: substitution of variables, and facts for positions in the run.

use goalspec_core::condition::{Atom, Condition, Expression, Origin, Term, Terms};
use goalspec_core::ids::{ObjectId, PredicateId, VarId};

/// A translation of conditions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rewrite {
    /// The objects bound to variables, by variable id; `None` and missing entries leave the variable free.
    pub(super) binding: Vec<Option<ObjectId>>,
    /// The offset added to the ids of free variables.
    pub(super) offset: isize,
    /// The fact that holds in the first state only.
    pub(super) first: Option<PredicateId>,
    /// Whether conditions refer to the last state.
    pub(super) last: bool,
}

impl Rewrite {
    /// Creates a translation that binds variables to objects.
    pub(super) fn bound(variables: &[VarId], objects: &[ObjectId]) -> Self {
        let mut binding = vec![None; variables.iter().map(|variable| variable.index() + 1).max().unwrap_or(0)];
        for (variable, &object) in variables.iter().zip(objects) {
            binding[variable.index()] = Some(object);
        }
        Self { binding, ..Self::default() }
    }

    /// Creates a translation that adds an offset to the ids of variables.
    pub(crate) fn renumbered(offset: isize) -> Self {
        Self { offset, ..Self::default() }
    }

    fn variable(&self, variable: VarId) -> VarId {
        VarId::from(variable.index().strict_add_signed(self.offset))
    }

    fn term(&self, term: Term) -> Term {
        let Term::Variable(variable) = term else { return term };
        match self.binding.get(variable.index()).copied().flatten() {
            Some(object) => Term::Object(object),
            None => Term::Variable(self.variable(variable)),
        }
    }

    fn terms(&self, terms: &Terms) -> Terms {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    fn variables(&self, variables: &[VarId]) -> Vec<VarId> {
        variables.iter().map(|&variable| self.variable(variable)).collect()
    }

    /// Translates a condition. There is no setup phase, so conditions on the setup are false.
    pub(crate) fn condition(&self, condition: &Condition) -> Condition {
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        let boxed = |part: &Condition| Box::new(self.condition(part));
        match condition {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Atom(atom) => Condition::Atom(Atom { arguments: self.terms(&atom.arguments), ..atom.clone() }),
            Condition::Compare { comparison, sides, origin } => {
                let sides = Box::new([self.expression(&sides[0]), self.expression(&sides[1])]);
                Condition::Compare { comparison: *comparison, sides, origin: *origin }
            }
            Condition::AllEqual(parts, origin) => {
                Condition::AllEqual(parts.iter().map(|part| self.expression(part)).collect(), *origin)
            }
            Condition::Distinct(left, right) => match (self.term(*left), self.term(*right)) {
                (Term::Object(left), Term::Object(right)) => Condition::Constant(left != right),
                (left, right) => Condition::Distinct(left, right),
            },
            Condition::FirstState => match self.first {
                Some(first) => Condition::Atom(nullary(first)),
                None => Condition::FirstState,
            },
            Condition::LastState => Condition::Constant(self.last),
            Condition::InSetup(..) => Condition::Constant(false),
            Condition::Not(part) => Condition::Not(boxed(part)),
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            Condition::Imply(parts) => {
                Condition::Imply(Box::new([self.condition(&parts[0]), self.condition(&parts[1])]))
            }
            Condition::Exists(variables, body) => Condition::Exists(self.variables(variables), boxed(body)),
            Condition::Forall(variables, body) => Condition::Forall(self.variables(variables), boxed(body)),
            Condition::Count(amount, variables, body) => {
                Condition::Count(*amount, self.variables(variables), boxed(body))
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                let (left, right) = (self.variable(*left), self.variable(*right));
                Condition::Pairing { rule: *rule, amount: *amount, left, right, body: boxed(body) }
            }
        }
    }

    /// Translates an expression.
    pub(super) fn expression(&self, expression: &Expression) -> Expression {
        let all = |parts: &[Expression]| parts.iter().map(|part| self.expression(part)).collect();
        let pair = |parts: &[Expression; 2]| Box::new([self.expression(&parts[0]), self.expression(&parts[1])]);
        match expression {
            Expression::Number(number) => Expression::Number(*number),
            Expression::Call { function, arguments, origin } => {
                Expression::Call { function: *function, arguments: self.terms(arguments), origin: *origin }
            }
            Expression::Add(parts) => Expression::Add(all(parts)),
            Expression::Multiply(parts) => Expression::Multiply(all(parts)),
            Expression::Subtract(parts) => Expression::Subtract(pair(parts)),
            Expression::Divide(parts) => Expression::Divide(pair(parts)),
            Expression::Absolute(part) => Expression::Absolute(Box::new(self.expression(part))),
        }
    }
}

/// Returns the atom of a nullary predicate.
pub(super) fn nullary(predicate: PredicateId) -> Atom {
    Atom { predicate, arguments: Terms::new(), origin: Origin::default() }
}

/// Whether the condition tests for the first state.
pub(super) fn asks_for_first(condition: &Condition) -> bool {
    matches!(condition, Condition::FirstState) || condition.children().iter().any(asks_for_first)
}

/// Whether the condition is a ground literal or a constant.
pub(super) fn is_literal(condition: &Condition) -> bool {
    let is_ground = |atom: &Atom| atom.arguments.iter().all(|term| matches!(term, Term::Object(_)));
    match condition {
        Condition::Constant(_) => true,
        Condition::Atom(atom) => is_ground(atom),
        Condition::Not(part) => matches!(&**part, Condition::Atom(atom) if is_ground(atom)),
        _ => false,
    }
}

/// Returns the negation without double negations.
pub(super) fn negated(condition: Condition) -> Condition {
    match condition {
        Condition::Not(part) => *part,
        Condition::Constant(value) => Condition::Constant(!value),
        other => Condition::Not(Box::new(other)),
    }
}
