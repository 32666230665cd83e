//! What a file means: goals; games with preferences, setup, terminal conditions and score.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::condition::{Comparison, Condition, Origin, Scope};
use crate::ids::{PreferenceId, TypeId, VarId};
use crate::pattern::Pattern;

/// How the inner variables of a preference are quantified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Each assignment is a binding of its own and is satisfied on its own.
    Exists,
    /// The preference is satisfied when the pattern was satisfied for every assignment. A satisfaction spans from the
    /// earliest start to the latest end of the most recent satisfaction of each assignment; after it, each assignment must
    /// be satisfied anew, by satisfactions that start later. Its binding is that of the external variables, its measures
    /// those of all assignments, in order. Without any assignment there is no satisfaction.
    Forall,
}

/// A pattern that is looked for, for each binding of its variables.
///
/// The bindings are the product of the domains of the external and then the inner variables, without those that bind a pair
/// of `distinct` variables to the same object. They are ordered by their objects' ids, the first variable deciding first.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// Its name.
    pub name: Arc<str>,
    /// All its variables, those of quantifiers inside conditions included.
    pub scope: Scope,
    /// Variables of the external forall, in order; scores can select by their types.
    pub external: Vec<VarId>,
    /// Variables of the preference's own quantifier, in order.
    pub inner: Vec<VarId>,
    /// How `inner` is quantified.
    pub quantifier: Quantifier,
    /// Pairs of external or inner variables that never bind the same object.
    pub distinct: Vec<(VarId, VarId)>,
    /// What is looked for.
    pub pattern: Pattern,
    /// Where it was written.
    pub origin: Origin,
}

/// How satisfactions of a preference become a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountKind {
    /// Per binding the number of pairwise disjoint satisfactions in time order (next start > previous end), summed.
    Disjoint,
    /// The number of satisfactions, overlaps included.
    Overlapping,
    /// 1 if there is any satisfaction.
    Once,
    /// The number of distinct bindings that are satisfied.
    OncePerObjects,
    /// The number of distinct bindings of the external variables that are satisfied.
    OncePerExternalObjects,
    /// As [`CountKind::Disjoint`], summing the recorded measures.
    Measure,
    /// Satisfactions, in time order, in which at least one bound object stays where it is and none of those that stay does so
    /// where it did in a satisfaction counted before. See [`movement`](crate::movement) for what staying means.
    UniquePositions,
    /// The largest number of satisfactions whose stationary objects are the same and in the same places. Satisfactions are
    /// grouped in time order: each joins the first group whose first member it agrees with, else it founds a group. Those
    /// without a stationary object belong to no group.
    SamePositions,
}

/// Arithmetic over counts of satisfactions.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// A constant.
    Number(f64),
    /// A count of satisfactions of one preference.
    Count {
        /// How they are counted.
        kind: CountKind,
        /// Of which preference.
        preference: PreferenceId,
        /// The i-th type restricts the i-th external variable.
        types: Vec<TypeId>,
        /// Where it was written.
        origin: Origin,
    },
    /// Sum.
    Add(Vec<Score>),
    /// Product.
    Multiply(Vec<Score>),
    /// Difference.
    Subtract(Box<[Score; 2]>),
    /// Quotient; division by zero is an error that the report carries.
    Divide(Box<[Score; 2]>, Origin),
    /// Negation.
    Negate(Box<Score>),
    /// 1 where the comparison holds, else 0.
    Compare(Comparison, Box<[Score; 2]>),
    /// 1 where all parts equal the first, else 0.
    AllEqual(Vec<Score>),
    /// The largest value over all bindings of the external variables of the preferences inside, satisfied or not; 0 if there
    /// is no binding. Preferences inside that have no external variables count as they do elsewhere.
    ExternalMaximum(Box<Score>, Origin),
    /// The smallest value over all bindings, likewise.
    ExternalMinimum(Box<Score>, Origin),
    /// Seconds since the first state, where the trace gives its time, to the latest state with a time; else the number of
    /// states so far.
    TotalTime,
    /// The score so far: the value of the game's scoring expression. Inside that expression itself, its value with its own
    /// total-score parts taken as 0.
    TotalScore,
}

/// When the game ends: evaluated after each state on everything satisfied so far, that state included, whether the setup holds
/// or not. The state in which it becomes true is the last one. A comparison whose sides have no value (a division by zero)
/// leaves open what depends on it, and a condition that is left open does not end the game.
#[derive(Debug, Clone, PartialEq)]
pub enum Terminal {
    /// All of them.
    And(Vec<Terminal>),
    /// Any of them.
    Or(Vec<Terminal>),
    /// Not this.
    Not(Box<Terminal>),
    /// A comparison of two scores.
    Compare(Comparison, Box<[Score; 2]>, Origin),
}

/// How the world must be prepared before preferences count.
///
/// Every statement is evaluated in every state, whatever the others say. Quantifiers range over the objects that are present;
/// a statement's condition is false while an object that it names directly is not present.
///
/// The *conserved part* of a setup is what is left of it without its optional statements; connectives and quantifiers of which
/// nothing is left are left out with them.
///
/// What conditions see as [settled](Condition::InSetup) are the objects that `Exists` is locked to, and those of the `Exists`
/// variables around an optional statement that has held for them, once every `Exists` around it that locks is locked to them.
#[derive(Debug, Clone, PartialEq)]
pub enum Setup {
    /// All of them.
    And(Vec<Setup>),
    /// Any of them.
    Or(Vec<Setup>),
    /// Not this.
    Not(Box<Setup>),
    /// For some assignment. With a conserved part it locks: to the first assignment, in the first state that has one, for which
    /// the conserved part of its body holds. From then on the body counts for that assignment alone, and `Exists` is false
    /// while one of its objects is absent. There is one lock for each assignment of the enclosing variables. Inside another
    /// `Exists` that locks, it locks only under the assignment to which that one is locked, and no sooner.
    Exists(Vec<VarId>, Box<Setup>),
    /// For every assignment.
    Forall(Vec<VarId>, Box<Setup>),
    /// Must hold in every state of play.
    Conserved(Condition, Origin),
    /// Must have held at some time, for the same assignment of all enclosing variables.
    Optional(Condition, Origin),
}

impl Setup {
    /// Whether it has a conserved part: whether there is a conserved statement in it.
    pub fn has_conserved_part(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::has_conserved_part),
            Self::Not(part) | Self::Exists(_, part) | Self::Forall(_, part) => part.has_conserved_part(),
            Self::Conserved(..) => true,
            Self::Optional(..) => false,
        }
    }
}

impl Setup {
    /// Splits the variables of a `Forall` around this part into those that matter and those that only have to have an object at all:
    /// where all statements are conserved and no `Exists` locks, nothing is remembered for a variable that nothing mentions, and all its
    /// objects give the same.
    pub fn split_idle(&self, variables: &[VarId]) -> (Vec<VarId>, Vec<VarId>) {
        if !self.is_plain() {
            return (variables.to_vec(), Vec::new());
        }
        let mut mentioned = FxHashSet::default();
        self.visit_conditions(&mut |condition| {
            condition.visit_free_variables(&mut |variable| {
                mentioned.insert(variable);
            });
        });
        variables.iter().copied().partition(|variable| mentioned.contains(variable))
    }

    /// Whether its truth follows from the state alone.
    fn is_plain(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_plain),
            Self::Not(part) | Self::Forall(_, part) => part.is_plain(),
            Self::Conserved(..) => true,
            Self::Exists(..) | Self::Optional(..) => false,
        }
    }

    fn visit_conditions(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.visit_conditions(visit)),
            Self::Not(part) | Self::Exists(_, part) | Self::Forall(_, part) => part.visit_conditions(visit),
            Self::Conserved(condition, _) | Self::Optional(condition, _) => visit(condition),
        }
    }
}

/// A setup with its variables.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupProgram {
    /// The variables.
    pub scope: Scope,
    /// The statement.
    pub setup: Setup,
}

/// A game: preferences that are looked for while the setup holds, until the terminal condition, and a score over them.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// Its name.
    pub name: Arc<str>,
    /// How the world must be prepared; nothing: always ready.
    pub setup: Option<SetupProgram>,
    /// What is looked for, indexed by [`PreferenceId`].
    pub preferences: Vec<Preference>,
    /// When it ends by itself.
    pub terminal: Option<Terminal>,
    /// What the play is worth.
    pub score: Score,
}

impl Game {
    /// The preference with this id.
    pub fn preference(&self, id: PreferenceId) -> &Preference {
        &self.preferences[id.index()]
    }
}

/// One part of a goal, of which reports speak by its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjunct {
    /// What is to hold. It is false while an object that it names directly is not present.
    pub condition: Condition,
    /// Where it was written.
    pub origin: Origin,
}

/// A condition to reach: all conjuncts hold in one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// Its name.
    pub name: Arc<str>,
    /// The variables of its quantifiers.
    pub scope: Scope,
    /// What is to hold at once; a goal without conjuncts holds always.
    pub conjuncts: Vec<Conjunct>,
}

/// What a file means. Further kinds (a task to plan, a reward to compute, a resource game) join with their languages.
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// A condition to reach.
    Goal(Goal),
    /// A game to score.
    Game(Game),
}
