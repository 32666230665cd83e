//! Boolean expressions and their simplification.
//!
//! The normal form is that of the feature definitions: literals, flat operators, idempotence, identity, complement, elimination and
//! absorption, bottom up. It decides whether an expression is longer than it has to be, so its rules are applied in a fixed order.

use std::cmp::Ordering;

/// Maximum number of atoms of an expression that is simplified. Larger ones count as neither redundant nor constant.
pub const MAX_SIMPLIFIED_ATOMS: usize = 64;

/// Maximum number of atoms whose assignments are enumerated.
pub const MAX_TAUTOLOGY_ATOMS: usize = 16;

/// A Boolean expression. Operators have sets of operands: order and repetition do not distinguish expressions.
#[derive(Debug, Clone)]
pub(crate) enum Expression {
    Constant(bool),
    Atom(u32),
    Not(Box<Expression>),
    /// A conjunction if the first part is set, otherwise a disjunction.
    Nary(bool, Vec<Expression>),
}

use Expression::{Atom, Constant, Nary, Not};

impl Expression {
    fn rank(&self) -> u8 {
        match self {
            Constant(_) => 0,
            Atom(_) => 1,
            Not(_) => 2,
            Nary(false, _) => 3,
            Nary(true, _) => 4,
        }
    }

    /// Returns the number of atoms, with repetitions.
    pub(crate) fn atoms(&self) -> usize {
        match self {
            Constant(_) => 0,
            Atom(_) => 1,
            Not(part) => part.atoms(),
            Nary(_, parts) => parts.iter().map(Self::atoms).sum(),
        }
    }

    /// Returns the number of operands of an operator; 1 for a negation and 0 for an atom.
    pub(crate) fn operands(&self) -> usize {
        match self {
            Constant(_) | Atom(_) => 0,
            Not(_) => 1,
            Nary(_, parts) => parts.len(),
        }
    }

    fn is_literal(&self) -> bool {
        match self {
            Constant(_) | Atom(_) => true,
            Not(part) => matches!(**part, Atom(_)),
            Nary(..) => false,
        }
    }

    /// Returns the length of the printed expression, in which every atom has the same length.
    pub(crate) fn printed_length(&self) -> usize {
        const ATOM: usize = 16;
        let grouped = |part: &Self| part.printed_length() + if part.is_literal() { 0 } else { 2 };
        match self {
            Constant(_) => 1,
            Atom(_) => ATOM,
            Not(part) => 1 + grouped(part),
            Nary(_, parts) => parts.iter().map(grouped).sum::<usize>() + parts.len().saturating_sub(1),
        }
    }

    /// Returns the negation of an expression without double negations.
    fn negation(self) -> Self {
        match self {
            Constant(value) => Constant(!value),
            Not(part) => *part,
            other => Not(Box::new(other)),
        }
    }

    /// Returns the equivalent expression in which only atoms are negated.
    fn literal(self) -> Self {
        match self {
            Not(part) => match *part {
                Nary(is_and, parts) => Nary(!is_and, parts.into_iter().map(|part| part.negation().literal()).collect()),
                Atom(_) => Not(part),
                other => other.negation().literal(),
            },
            Nary(is_and, parts) => Nary(is_and, parts.into_iter().map(Self::literal).collect()),
            other => other,
        }
    }

    /// Returns the simplified expression.
    pub(crate) fn simplify(self) -> Self {
        match self {
            Constant(_) | Atom(_) => self,
            Not(part) => match part.simplify().negation() {
                // The negation of a simple operator is simplified again in the form that De Morgan's laws give it.
                Not(part) if matches!(*part, Nary(..)) => Not(part),
                other => other,
            },
            Nary(is_and, parts) => {
                let parts = parts.into_iter().map(Self::simplify).collect();
                simplify_operator(is_and, parts)
            }
        }
    }

    /// Returns the value under an assignment of the atoms.
    fn value(&self, assignment: u32, atoms: &[u32]) -> bool {
        match self {
            Constant(value) => *value,
            Atom(atom) => atoms.iter().position(|other| other == atom).is_some_and(|bit| assignment >> bit & 1 == 1),
            Not(part) => !part.value(assignment, atoms),
            Nary(true, parts) => parts.iter().all(|part| part.value(assignment, atoms)),
            Nary(false, parts) => parts.iter().any(|part| part.value(assignment, atoms)),
        }
    }

    fn collect_atoms(&self, atoms: &mut Vec<u32>) {
        match self {
            Constant(_) => {}
            Atom(atom) => {
                if !atoms.contains(atom) {
                    atoms.push(*atom);
                }
            }
            Not(part) => part.collect_atoms(atoms),
            Nary(_, parts) => parts.iter().for_each(|part| part.collect_atoms(atoms)),
        }
    }

    /// Returns whether all assignments of at most [`MAX_TAUTOLOGY_ATOMS`] atoms give the same value.
    pub(crate) fn is_constant(&self) -> bool {
        let mut atoms = Vec::new();
        self.collect_atoms(&mut atoms);
        if atoms.len() > MAX_TAUTOLOGY_ATOMS || atoms.len() == self.atoms() {
            // An expression in which no atom occurs twice depends on each of them.
            return atoms.is_empty();
        }
        let first = self.value(0, &atoms);
        (1..1_u32 << atoms.len()).all(|assignment| self.value(assignment, &atoms) == first)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Expression {}

impl PartialOrd for Expression {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Expression {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Constant(one), Constant(other)) => one.cmp(other),
            (Atom(one), Atom(other)) => one.cmp(other),
            (Not(one), Not(other)) => one.cmp(other),
            (Nary(one, parts), Nary(other, others)) if one == other => set(parts).cmp(&set(others)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

fn set(parts: &[Expression]) -> Vec<&Expression> {
    let mut parts: Vec<&Expression> = parts.iter().collect();
    parts.sort();
    parts.dedup();
    parts
}

/// Simplifies an operator with simplified operands.
fn simplify_operator(is_and: bool, parts: Vec<Expression>) -> Expression {
    let mut parts: Vec<Expression> =
        parts.into_iter().map(Expression::literal).flat_map(|part| flat(is_and, part)).collect();
    // Each round of elimination removes an operand.
    loop {
        if parts.contains(&Constant(!is_and)) {
            return Constant(!is_and);
        }
        let mut distinct: Vec<Expression> = Vec::with_capacity(parts.len());
        for part in parts {
            if part != Constant(is_and) && !distinct.contains(&part) {
                distinct.push(part);
            }
        }
        if distinct.is_empty() {
            return Constant(is_and);
        }
        if distinct.len() == 1 {
            return distinct.remove(0);
        }
        if distinct.iter().any(|part| distinct.contains(&part.clone().negation())) {
            return Constant(!is_and);
        }
        parts = distinct;
        if !eliminate(is_and, &mut parts) {
            break;
        }
        parts = parts.into_iter().flat_map(|part| flat(is_and, part)).collect();
    }
    absorb(is_and, &mut parts);
    if parts.len() == 1 { parts.remove(0) } else { Nary(is_and, parts) }
}

fn flat(is_and: bool, part: Expression) -> Vec<Expression> {
    match part {
        Nary(own, parts) if own == is_and => parts.into_iter().flat_map(|part| flat(is_and, part)).collect(),
        other => vec![other],
    }
}

/// Replaces two operands that differ in the sign of one part by their common parts. Returns whether there were such operands.
fn eliminate(is_and: bool, parts: &mut Vec<Expression>) -> bool {
    for one in 0..parts.len() {
        for other in one + 1..parts.len() {
            let (Nary(first, own), Nary(second, others)) = (&parts[one], &parts[other]) else { continue };
            if *first == is_and || *second == is_and || own.len() != others.len() {
                continue;
            }
            let mut opposite: Option<&Expression> = None;
            let mut fits = true;
            for part in own.iter().filter(|part| !others.contains(part)) {
                if opposite.is_none() && others.contains(&part.clone().negation()) {
                    opposite = Some(part);
                } else {
                    fits = false;
                    break;
                }
            }
            let Some(opposite) = opposite.filter(|_| fits) else { continue };
            let mut rest: Vec<Expression> = own.iter().filter(|part| *part != opposite).cloned().collect();
            let merged = if rest.len() == 1 { rest.remove(0) } else { Nary(!is_and, rest) };
            parts.remove(other);
            parts[one] = merged;
            return true;
        }
    }
    false
}

/// Removes operands that another one implies, and parts of operands that another one contradicts.
fn absorb(is_and: bool, parts: &mut Vec<Expression>) {
    let mut index = 0;
    while index < parts.len() {
        let absorber = parts[index].clone();
        let opposite = absorber.clone().negation();
        let mut other = 0;
        while other < parts.len() {
            if other == index {
                other += 1;
                continue;
            }
            let Nary(own, operands) = &parts[other] else {
                other += 1;
                continue;
            };
            let contains = |part: &Expression| operands.contains(part);
            let is_implied = *own != is_and
                && (contains(&absorber)
                    || matches!(&absorber, Nary(kind, smaller) if kind == own && smaller.iter().all(contains)));
            if is_implied {
                parts.remove(other);
                if other < index {
                    index -= 1;
                }
                continue;
            }
            if *own != is_and && contains(&opposite) {
                let mut rest: Vec<Expression> = operands.iter().filter(|part| **part != opposite).cloned().collect();
                parts[other] = if rest.len() == 1 { rest.remove(0) } else { Nary(*own, rest) };
            }
            other += 1;
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Expression::{Atom, Constant, Nary, Not};

    #[test]
    fn laws_of_logic_shorten_expressions() {
        let [a, b] = [Atom(0), Atom(1)];
        let not = |part: &super::Expression| Not(Box::new(part.clone()));
        let and = |parts: &[&super::Expression]| Nary(true, parts.iter().map(|part| (*part).clone()).collect());
        let or = |parts: &[&super::Expression]| Nary(false, parts.iter().map(|part| (*part).clone()).collect());
        assert_eq!(and(&[&a, &a]).simplify(), a);
        assert_eq!(and(&[&a, &not(&a)]).simplify(), Constant(false));
        assert_eq!(and(&[&a, &or(&[&a, &b])]).simplify(), a);
        assert_eq!(and(&[&a, &or(&[&not(&a), &b])]).simplify(), and(&[&a, &b]));
        assert_eq!(or(&[&and(&[&a, &b]), &and(&[&a, &not(&b)])]).simplify(), a);
        assert_eq!(not(&not(&a)).simplify(), a);
        assert!(or(&[&a, &not(&a)]).is_constant());
        assert!(!or(&[&a, &b]).is_constant());
    }
}
