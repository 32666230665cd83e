//! The compiled form of a game: interned names, and conditions as nodes of a graph.
//!
//! Conditions with the same text are one node, because they share a cache.

use std::sync::Arc;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::ObjectId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::predicates::{Function, Predicate};

/// The index of a name in [`Program::names`]: a variable, an object, or a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(pub(super) u32);

/// The index of a condition in [`Program::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// The index of a function call in [`Program::calls`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CallId(pub(super) u32);

/// A name that occurs in a condition.
#[derive(Debug, Clone)]
pub(super) struct NameInfo {
    /// The text of the name.
    pub(super) text: Arc<str>,
    /// Whether the name is a symbol in predicates: a type, colour, orientation or side.
    pub(super) is_type: bool,
    /// Whether the name is a variable.
    pub(super) is_variable: bool,
    /// The object with this name as its identifier, if the name is a symbol.
    pub(super) symbol: Option<ObjectId>,
}

/// An operand of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    /// A number, as the bits of an `f64`.
    Number(u64),
    /// A function call.
    Call(CallId),
    /// A call of an unimplemented function.
    Unimplemented(NameId),
}

/// A variable of a quantifier and its domain, which is ordered and may contain duplicates.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Domain {
    /// The variable.
    pub(super) name: NameId,
    /// The objects of the domain.
    pub(super) objects: Arc<[ObjectId]>,
}

/// The kind of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeKind {
    /// A conjunction: `(and ..)`.
    And(Vec<NodeId>),
    /// A disjunction: `(or ..)`.
    Or(Vec<NodeId>),
    /// A negation: `(not ..)`.
    Not(NodeId),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<Domain>, NodeId),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<Domain>, NodeId),
    /// A comparison of two operands other than an equality.
    Compare(ComparisonOperator, [Operand; 2]),
    /// An equality: `(= ..)`.
    Equal(Vec<Operand>),
    /// A predicate with its distinct arguments.
    Atom(Predicate, SmallVec<[NameId; 3]>),
    /// An unimplemented predicate with its arguments, which distinguish it from others.
    Unimplemented(NameId, SmallVec<[NameId; 3]>),
    /// A test for the first state: `(game_start)`.
    GameStart,
    /// A test for the last state: `(game_over)`.
    GameOver,
}

impl NodeKind {
    /// Returns the conditions directly inside.
    pub(super) fn parts(&self) -> &[NodeId] {
        match self {
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Not(part) | Self::Exists(_, part) | Self::Forall(_, part) => std::slice::from_ref(part),
            _ => &[],
        }
    }

    /// Returns whether the condition combines values without a quantifier.
    pub(super) fn is_connective(&self) -> bool {
        matches!(self, Self::And(_) | Self::Or(_) | Self::Not(_) | Self::Compare(..) | Self::Equal(_))
    }
}

/// A condition.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The kind of condition.
    pub(super) kind: NodeKind,
    /// The distinct names in the condition, in source order, including the variables of its own quantifiers.
    pub(super) names: Box<[NameId]>,
    /// The subset of `names` that are bound to objects. Their objects are the cache key.
    pub(super) keys: Box<[NameId]>,
    /// The subset of `keys` that are not variables.
    pub(super) objects: Box<[NameId]>,
    /// Whether some part of the condition is unimplemented.
    pub(super) partial: bool,
    /// Whether values must be cached. A connective need not be cached if all its parts are implemented and its uses are either all
    /// forced or all unforced, because evaluating it again in the same state then gives the same value.
    pub(super) cached: bool,
}

/// A function call within one comparison or measure. Its cache key consists of all names bound there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Call {
    /// The function.
    pub(super) function: Function,
    /// The distinct arguments.
    pub(super) arguments: SmallVec<[NameId; 3]>,
    /// The names that are bound where the call is evaluated, sorted.
    pub(super) bound: Box<[NameId]>,
}

/// An operator of a `then`, or the condition of an `at-end`.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    /// The kind of operator.
    pub(super) kind: OperatorKind,
    /// The main condition.
    pub(super) condition: NodeId,
    /// The names that no earlier operator contains, with their domains.
    pub(super) new_domains: Vec<Domain>,
    /// The names that are bound while this operator is next or current, in reporting order.
    pub(super) bound: Box<[NameId]>,
}

impl Operator {
    /// Returns all conditions of the operator.
    pub(super) fn conditions(&self) -> Vec<NodeId> {
        let events = match &self.kind {
            OperatorKind::HoldWhile(events) => events.as_slice(),
            OperatorKind::Plain | OperatorKind::Measure(..) => &[],
        };
        [self.condition].iter().chain(events).copied().collect()
    }
}

/// The kind of an operator.
#[derive(Debug, Clone)]
pub(super) enum OperatorKind {
    /// A `once` or `hold`, which behave alike.
    Plain,
    /// A `once-measure` with the name of the function and its call, if the function is implemented.
    Measure(Arc<str>, Option<CallId>),
    /// A `hold-while` with its events.
    HoldWhile(Vec<NodeId>),
}

/// A preference.
#[derive(Debug, Clone)]
pub(super) struct Preference {
    /// The name of the preference.
    pub(super) name: Arc<str>,
    /// The external variables with the names of their types.
    pub(super) external: Vec<(NameId, Vec<Arc<str>>)>,
    /// Whether the preference is an `at-end`, in which case it has exactly one operator.
    pub(super) at_end: bool,
    /// The operators, in order.
    pub(super) operators: Vec<Operator>,
}

/// A setup.
#[derive(Debug, Clone)]
pub(super) enum Setup {
    /// A conjunction: `(and ..)`.
    And(Vec<Setup>),
    /// A disjunction: `(or ..)`.
    Or(Vec<Setup>),
    /// A negation: `(not ..)`.
    Not(Box<Setup>),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<Domain>, Box<Setup>),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<Domain>, Box<Setup>),
    /// A conserved condition: `(game-conserved ..)`.
    Conserved(NodeId),
    /// An optional condition: `(game-optional ..)`.
    Optional(NodeId),
}

impl Setup {
    /// Appends all conditions of the setup to `conditions`.
    pub(super) fn conditions(&self, conditions: &mut Vec<NodeId>) {
        match self {
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.conditions(conditions);
                }
            }
            Self::Not(part) | Self::Exists(_, part) | Self::Forall(_, part) => part.conditions(conditions),
            Self::Conserved(condition) | Self::Optional(condition) => conditions.push(*condition),
        }
    }
}

/// A compiled game.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// All names.
    pub(super) names: Vec<NameInfo>,
    /// All conditions.
    pub(super) nodes: Vec<Node>,
    /// All function calls.
    pub(super) calls: Vec<Call>,
    /// The preferences, with unique names.
    pub(super) preferences: Vec<Preference>,
    /// The index of each preference, by name.
    pub(super) preference_indices: FxHashMap<Arc<str>, usize>,
    /// The setup.
    pub(super) setup: Option<Setup>,
    /// The bindings of names without a quantifier in the setup.
    pub(super) setup_objects: Vec<(NameId, ObjectId)>,
}

impl Program {
    /// Returns the condition with this id.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the function call with this id.
    pub(super) fn call(&self, id: CallId) -> &Call {
        &self.calls[id.0 as usize]
    }

    /// Returns the name with this id.
    pub(super) fn name(&self, id: NameId) -> &NameInfo {
        &self.names[id.0 as usize]
    }
}
