//! Programs, the meaning of source files: goals, and games of preferences, a setup, a terminal condition and a score.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::condition::{ComparisonOperator, Condition, Origin, Scope};
use crate::ids::{PreferenceId, TypeId, VarId};
use crate::pattern::Pattern;

/// The quantifier over the inner variables of a preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Each assignment of the inner variables is a separate binding with its own satisfactions.
    Exists,
    /// The preference is satisfied once the pattern has been satisfied for every assignment. A satisfaction extends from the earliest start
    /// to the latest end of the most recent satisfactions of the assignments; for the next one, every assignment must be satisfied again,
    /// with a later start. Its binding covers the external variables, and its measures are those of all assignments, in order. If there is
    /// no assignment, there is no satisfaction.
    Forall,
}

/// A pattern to monitor, for each binding of its variables.
///
/// The bindings are the Cartesian product of the domains of the external and then the inner variables, without those that bind a pair of
/// `distinct` variables to the same object. They are ordered lexicographically by object ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// The name.
    pub name: Arc<str>,
    /// All variables, including those of quantifiers inside conditions.
    pub scope: Scope,
    /// The variables of the external forall, in order. Scores can select bindings by the types of their objects.
    pub external: Vec<VarId>,
    /// The variables of the preference's own quantifier, in order.
    pub inner: Vec<VarId>,
    /// The quantifier over `inner`.
    pub quantifier: Quantifier,
    /// Pairs of external or inner variables that never bind the same object.
    pub distinct: Vec<(VarId, VarId)>,
    /// The pattern whose satisfactions count.
    pub pattern: Pattern,
    /// The source location.
    pub origin: Origin,
}

/// An operator that maps the satisfactions of a preference to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountOperator {
    /// The number of pairwise disjoint satisfactions of each binding, chosen in time order (next start > previous end), summed over the
    /// bindings.
    Disjoint,
    /// The number of satisfactions, including overlapping ones.
    Overlapping,
    /// 1 if there is any satisfaction, else 0.
    Once,
    /// The number of distinct bindings with a satisfaction.
    OncePerObjects,
    /// The number of distinct bindings of the external variables with a satisfaction.
    OncePerExternalObjects,
    /// The sum of the recorded measures over the satisfactions that [`CountOperator::Disjoint`] counts.
    Measure,
    /// The number of satisfactions, taken in time order, in which at least one bound object is stationary and no stationary object is in a
    /// position that it had in a satisfaction counted before. See [`movement`](crate::movement) for the definition of stationary.
    UniquePositions,
    /// The maximum number of satisfactions with the same stationary objects in the same positions. Satisfactions are grouped in time order:
    /// each joins the first group whose first member has the same objects and positions, or else founds a group. Satisfactions without a
    /// stationary object belong to no group.
    SamePositions,
}

/// A scoring expression: arithmetic over counts of satisfactions.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoreExpression {
    /// A constant.
    Number(f64),
    /// A count of satisfactions of one preference.
    Count {
        /// The counting operator.
        kind: CountOperator,
        /// The preference whose satisfactions are counted.
        preference: PreferenceId,
        /// Types that restrict the external variables: the i-th variable must be bound to an object of the i-th type.
        types: Vec<TypeId>,
        /// The source location.
        origin: Origin,
    },
    /// Sum.
    Add(Vec<ScoreExpression>),
    /// Product.
    Multiply(Vec<ScoreExpression>),
    /// Difference.
    Subtract(Box<[ScoreExpression; 2]>),
    /// Quotient. Division by zero is an error, which the report carries.
    Divide(Box<[ScoreExpression; 2]>, Origin),
    /// Negation.
    Negate(Box<ScoreExpression>),
    /// 1 if the comparison holds, else 0.
    Compare(ComparisonOperator, Box<[ScoreExpression; 2]>),
    /// 1 if all operands equal the first, else 0.
    AllEqual(Vec<ScoreExpression>),
    /// The maximum of the operand over all bindings of the external variables of the preferences in it, satisfied or not; 0 if there is no
    /// binding. Counts of preferences without external variables are the same for every binding.
    ExternalMaximum(Box<ScoreExpression>, Origin),
    /// The minimum of the operand over the same bindings as [`ScoreExpression::ExternalMaximum`]; 0 if there is no binding.
    ExternalMinimum(Box<ScoreExpression>, Origin),
    /// The seconds from the first state to the latest state with a time, if the first state has one; else the number of states so far.
    TotalTime,
    /// The score so far: the value of the game's scoring expression. Inside that expression it is the expression's value with every
    /// total-score in it taken as 0.
    TotalScore,
}

/// The terminal condition: it ends the game in the first state in which it holds, which becomes the last state.
///
/// It is evaluated after each state on all satisfactions so far, including those that end in that state, whether or not the setup holds. A
/// comparison whose operands have no value (a division by zero) is undecided, and so is everything whose value depends on it. An undecided
/// condition does not end the game.
#[derive(Debug, Clone, PartialEq)]
pub enum TerminalCondition {
    /// Conjunction.
    And(Vec<TerminalCondition>),
    /// Disjunction.
    Or(Vec<TerminalCondition>),
    /// Negation.
    Not(Box<TerminalCondition>),
    /// A comparison of two scores.
    Compare(ComparisonOperator, Box<[ScoreExpression; 2]>, Origin),
}

/// The preparation of the world that a game requires before preferences count.
///
/// Every statement is evaluated in every state, regardless of the truth of the others. Quantifiers range over the objects that are present.
/// The condition of a statement is false while an object that it refers to by name is absent.
///
/// The *conserved part* of a setup is the setup without its optional statements, and without connectives and quantifiers that become empty
/// when these are removed.
///
/// The objects of the setup, as conditions [see them](Condition::InSetup), are those to which an `Exists` is locked, and those of the
/// `Exists` variables around an optional statement that has held for them, once every locking `Exists` around the statement is locked to
/// its assignment there.
#[derive(Debug, Clone, PartialEq)]
pub enum Setup {
    /// Conjunction.
    And(Vec<Setup>),
    /// Disjunction.
    Or(Vec<Setup>),
    /// Negation.
    Not(Box<Setup>),
    /// Existential quantification. With a conserved part it *locks*: in the first state with an assignment for which the conserved part of
    /// the body holds, it locks to the first such assignment. From then on only that assignment counts, and the quantifier is false while
    /// one of its objects is absent. There is a separate lock for each assignment of the enclosing variables. Inside another locking
    /// `Exists`, it locks only under the assignment to which the outer one is locked, and only after the outer one is locked.
    Exists(Vec<VarId>, Box<Setup>),
    /// Universal quantification.
    Forall(Vec<VarId>, Box<Setup>),
    /// A conserved statement: the condition must hold in every state that counts.
    Conserved(Condition, Origin),
    /// An optional statement: the condition must have held in some state, for the same assignment of all enclosing variables.
    Optional(Condition, Origin),
}

impl Setup {
    /// Whether the setup contains a conserved statement.
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
    /// Splits the variables of a `Forall` with this body into those that the body mentions and *idle* ones, which matter only in that their
    /// domains must not be empty. A body that contains only conserved statements and no `Exists` keeps no state, so it has the same truth
    /// for every object of a variable that it does not mention. Other bodies have no idle variables.
    pub fn split_idle_variables(&self, variables: &[VarId]) -> (Vec<VarId>, Vec<VarId>) {
        if !self.is_memoryless() {
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

    /// Whether the truth of the setup depends on the current state only.
    fn is_memoryless(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_memoryless),
            Self::Not(part) | Self::Forall(_, part) => part.is_memoryless(),
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

/// A setup with the scope of its variables.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopedSetup {
    /// The variables.
    pub scope: Scope,
    /// The setup.
    pub setup: Setup,
}

/// A game: preferences that count while the setup holds, until the terminal condition holds, and a score over them.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The name.
    pub name: Arc<str>,
    /// The setup; `None` if preferences count from the first state.
    pub setup: Option<ScopedSetup>,
    /// The preferences, indexed by [`PreferenceId`].
    pub preferences: Vec<Arc<Preference>>,
    /// The terminal condition; `None` if the game ends with the trace.
    pub terminal: Option<TerminalCondition>,
    /// The scoring expression.
    pub score: ScoreExpression,
}

impl Game {
    /// Returns the preference with this id.
    pub fn preference(&self, id: PreferenceId) -> &Preference {
        &self.preferences[id.index()]
    }
}

/// One conjunct of a goal. Reports refer to it by its index.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjunct {
    /// The condition. It is false while an object that it refers to by name is absent.
    pub condition: Condition,
    /// The source location.
    pub origin: Origin,
}

/// A condition to reach: a state in which all conjuncts hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// The name.
    pub name: Arc<str>,
    /// The variables of the quantifiers.
    pub scope: Scope,
    /// The conditions that must hold in the same state. A goal without conjuncts always holds.
    pub conjuncts: Vec<Conjunct>,
}

/// The meaning of a source file.
#[derive(Debug, Clone, PartialEq)]
pub enum Program {
    /// A condition to reach.
    Goal(Goal),
    /// A game to score.
    Game(Game),
}
