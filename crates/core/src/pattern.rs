//! Truth over an interval of states: patterns, the phases of sequences, and finite-trace formulas.

use crate::condition::{Condition, Expression, Origin};

/// One phase of a [`Pattern::Sequence`].
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// Exactly one state, in which the condition holds. `measure` is evaluated and recorded in that state; a state in which it is undefined
    /// does not match. If an interval can be divided into the phases in several ways, the division with the earliest measured states
    /// counts, compared lexicographically from the first measured phase.
    Once {
        /// The condition on the state.
        condition: Condition,
        /// The expression whose value is recorded.
        measure: Option<Expression>,
        /// The source location.
        origin: Origin,
    },
    /// A run of one or more states, in each of which the condition holds.
    Hold {
        /// The condition on each state.
        condition: Condition,
        /// Whether the run may be empty between two other phases. The first and the last phase of a sequence always cover at least one
        /// state.
        may_be_empty: bool,
        /// The source location.
        origin: Origin,
    },
    /// A run of one or more states, in each of which `condition` holds and which contains strictly increasing states that satisfy `events`
    /// in order.
    HoldWhile {
        /// The condition on each state.
        condition: Condition,
        /// The conditions of the events, in the required order. Each state matches at most one event.
        events: Vec<Condition>,
        /// The source location.
        origin: Origin,
    },
}

impl Phase {
    /// Returns the source location of the phase.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Once { origin, .. } | Self::Hold { origin, .. } | Self::HoldWhile { origin, .. } => *origin,
        }
    }
}

/// A formula of linear temporal logic over finite traces (`LTLf`), evaluated from the first state.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// The condition holds in the current state.
    Proposition(Condition),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// Strong next: there is a next state, and the formula holds there.
    Next(Box<Formula>),
    /// Weak next: if there is a next state, the formula holds there.
    WeakNext(Box<Formula>),
    /// The second formula holds now or later, and the first holds in every state before that one.
    Until(Box<[Formula; 2]>),
    /// The second formula holds up to and including the first state in which the first formula holds, or up to the last state.
    Release(Box<[Formula; 2]>),
    /// The formula holds now or in a later state.
    Eventually(Box<Formula>),
    /// The formula holds now and in every later state.
    Always(Box<Formula>),
}

impl Formula {
    /// Returns the conditions in source order.
    pub fn conditions(&self) -> Vec<&Condition> {
        let mut found = Vec::new();
        self.collect_conditions(&mut found);
        found
    }

    fn collect_conditions<'f>(&'f self, found: &mut Vec<&'f Condition>) {
        match self {
            Self::Proposition(condition) => found.push(condition),
            Self::Not(part) | Self::Next(part) | Self::WeakNext(part) | Self::Eventually(part) | Self::Always(part) => {
                part.collect_conditions(found);
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.collect_conditions(found)),
            Self::Until(parts) | Self::Release(parts) => parts.iter().for_each(|part| part.collect_conditions(found)),
        }
    }
}

/// A pattern: truth over an interval of states.
///
/// States are numbered from 1. A sequence *accepts* an interval `[a, b]` if the states a..=b can be divided into its phases, in order,
/// without gap or overlap. A *satisfaction* is a minimal accepted interval: one that contains no other accepted interval. At most one
/// satisfaction ends in any state.
///
/// The condition of a phase, an event, an at-end pattern or a formula is false for a binding while an object of the binding, or an object
/// that the condition refers to by name, is absent. States in which the program's setup does not hold are skipped: they keep their numbers,
/// but belong to no interval, and the states before and after them count as adjacent.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// A sequence of phases over contiguous states.
    Sequence(Vec<Phase>),
    /// The condition and the setup hold in the last state. The satisfaction is the interval of that state.
    AtEnd(Condition),
    /// The formula holds over all states in which the setup holds. The satisfaction is the interval of the whole trace. Without any such
    /// state there is no satisfaction.
    Formula(Formula),
}
