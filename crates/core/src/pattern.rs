//! Truth over a stretch of states.

use crate::condition::{Condition, Expression, Origin};

/// One operator of a [`Pattern::Sequence`].
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// Exactly one state, in which the condition holds; `measure` is recorded in that very state, and the state does not count
    /// where it is undefined. If the phases can be laid over an interval in several ways, the one counts in which the measured
    /// states come earliest, the first measured phase deciding first.
    Once {
        /// What holds.
        condition: Condition,
        /// The number to record.
        measure: Option<Expression>,
        /// Where it was written.
        origin: Origin,
    },
    /// A run of one or more states, the condition true in each.
    Hold {
        /// What holds in each state.
        condition: Condition,
        /// Whether the run may also be empty where the phase stands between two others. The first and the last phase always cover
        /// a state.
        may_be_empty: bool,
        /// Where it was written.
        origin: Origin,
    },
    /// A run of one or more states, `condition` true in each, with strictly increasing states in it that satisfy the `events` in
    /// order.
    HoldWhile {
        /// What holds in each state.
        condition: Condition,
        /// What happens on the way, in this order, at most one per state.
        events: Vec<Condition>,
        /// Where it was written.
        origin: Origin,
    },
}

impl Phase {
    /// Where the phase was written.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Once { origin, .. } | Self::Hold { origin, .. } | Self::HoldWhile { origin, .. } => *origin,
        }
    }
}

/// A formula of linear temporal logic over finite traces (`LTLf`), evaluated from the first state.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// The condition holds now.
    Now(Condition),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// There is a next state and the formula holds there.
    Next(Box<Formula>),
    /// If there is a next state, the formula holds there.
    WeakNext(Box<Formula>),
    /// The second holds now or later, and the first in every state before that.
    Until(Box<[Formula; 2]>),
    /// The second holds up to and including the first state where the first holds, or to the end.
    Release(Box<[Formula; 2]>),
    /// The formula holds now or later.
    Eventually(Box<Formula>),
    /// The formula holds now and in every later state.
    Always(Box<Formula>),
}

impl Formula {
    /// The conditions in the order written.
    pub fn conditions(&self) -> Vec<&Condition> {
        let mut found = Vec::new();
        self.collect_conditions(&mut found);
        found
    }

    fn collect_conditions<'f>(&'f self, found: &mut Vec<&'f Condition>) {
        match self {
            Self::Now(condition) => found.push(condition),
            Self::Not(part) | Self::Next(part) | Self::WeakNext(part) | Self::Eventually(part) | Self::Always(part) => {
                part.collect_conditions(found);
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.collect_conditions(found)),
            Self::Until(parts) | Self::Release(parts) => parts.iter().for_each(|part| part.collect_conditions(found)),
        }
    }
}

/// Truth over a stretch of states.
///
/// States are numbered from 1. An interval `[a, b]` is *accepted* by a sequence if its phases can be laid over exactly the
/// states a..=b, in order, without gap or overlap. A *satisfaction* is a minimal accepted interval: one that contains no
/// other accepted interval. At most one satisfaction ends in any state.
///
/// The condition of a phase, an event, an at-end pattern or a formula is false for a binding while an object of the binding
/// or an object that the condition names directly is not present. While the setup of the program does not hold, states are
/// skipped: they keep their numbers, but no interval has a state there, and what comes after them continues what came before.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// Phases over contiguous states.
    Sequence(Vec<Phase>),
    /// The condition holds in the last state, and so does the setup; the interval is that state.
    AtEnd(Condition),
    /// The formula holds of all states in which the setup holds; the interval is the whole trace. Without any such state there
    /// is no satisfaction.
    Formula(Formula),
}
