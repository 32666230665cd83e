//! A game in the form in which it is run: every name a number, every condition a node.
//!
//! Conditions that read the same are one node, as they share their cache.

use std::sync::Arc;

use goalspec_core::condition::Comparison;
use goalspec_core::ids::ObjectId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::predicates::{Function, Predicate};

/// A name that stands in a condition: a variable, an object, or a name that stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(pub(super) u32);

/// A node of [`Program::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// A call of [`Program::calls`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CallId(pub(super) u32);

/// What a name is.
#[derive(Debug, Clone)]
pub(super) struct NameInfo {
    /// As written.
    pub(super) text: Arc<str>,
    /// Whether it stands for itself inside predicates: types, colours, orientations, sides.
    pub(super) is_type: bool,
    /// Whether it is a variable.
    pub(super) is_variable: bool,
    /// The object of which it is the identity, if it stands for itself.
    pub(super) itself: Option<ObjectId>,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    /// A number, by its bits.
    Number(u64),
    /// A function with its arguments.
    Call(CallId),
    /// A function that is not implemented.
    Unimplemented(NameId),
}

/// A variable of a quantifier and the objects it ranges over, in order and possibly more than once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Domain {
    /// The variable.
    pub(super) name: NameId,
    /// Its objects.
    pub(super) objects: Arc<[ObjectId]>,
}

/// What a condition is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeKind {
    /// `(and ..)`
    And(Vec<NodeId>),
    /// `(or ..)`
    Or(Vec<NodeId>),
    /// `(not ..)`
    Not(NodeId),
    /// `(exists (..) ..)`
    Exists(Vec<Domain>, NodeId),
    /// `(forall (..) ..)`
    Forall(Vec<Domain>, NodeId),
    /// A comparison of two sides other than for equality.
    Compare(Comparison, [Operand; 2]),
    /// `(= ..)`
    Equal(Vec<Operand>),
    /// A predicate with its arguments, each once.
    Atom(Predicate, SmallVec<[NameId; 3]>),
    /// A predicate that is not implemented, with its arguments, which keep it apart from others.
    Unimplemented(NameId, SmallVec<[NameId; 3]>),
    /// `(game_start)`
    GameStart,
    /// `(game_over)`
    GameOver,
}

impl NodeKind {
    /// The conditions directly inside.
    pub(super) fn parts(&self) -> &[NodeId] {
        match self {
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Not(part) | Self::Exists(_, part) | Self::Forall(_, part) => std::slice::from_ref(part),
            _ => &[],
        }
    }

    /// Whether it combines values without a quantifier.
    pub(super) fn is_connective(&self) -> bool {
        matches!(self, Self::And(_) | Self::Or(_) | Self::Not(_) | Self::Compare(..) | Self::Equal(_))
    }
}

/// A condition.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// What it is.
    pub(super) kind: NodeKind,
    /// Every name in it, each once, in the order of the text. Variables of its own quantifiers are among them.
    pub(super) names: Box<[NameId]>,
    /// Those of `names` that are bound to objects, and so tell its cached values apart.
    pub(super) keys: Box<[NameId]>,
    /// Those of `keys` that are not variables.
    pub(super) objects: Box<[NameId]>,
    /// Whether some part of it is not implemented.
    pub(super) partial: bool,
    /// Whether its values must be kept. Those of connectives need not be if all is implemented and either all or none of its
    /// uses are forced: evaluating it again in the same state then gives the same.
    pub(super) cached: bool,
}

/// A function with its arguments, as part of one comparison or measure. Its cache tells apart all names that are bound there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Call {
    /// The function.
    pub(super) function: Function,
    /// Its arguments, each once.
    pub(super) arguments: SmallVec<[NameId; 3]>,
    /// The names bound where it is evaluated, sorted.
    pub(super) bound: Box<[NameId]>,
}

/// An operator of a `then`, or the whole of an `at-end`.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    /// What it is.
    pub(super) kind: OperatorKind,
    /// Its main condition.
    pub(super) condition: NodeId,
    /// The names that no earlier operator has, with the objects they range over.
    pub(super) new: Vec<Domain>,
    /// The names bound when this operator is next or current, in the order in which they are reported.
    pub(super) bound: Box<[NameId]>,
}

impl Operator {
    /// All its conditions.
    pub(super) fn conditions(&self) -> Vec<NodeId> {
        let events = match &self.kind {
            OperatorKind::HoldWhile(events) => events.as_slice(),
            OperatorKind::Plain | OperatorKind::Measure(..) => &[],
        };
        [self.condition].iter().chain(events).copied().collect()
    }
}

/// The kinds of operators.
#[derive(Debug, Clone)]
pub(super) enum OperatorKind {
    /// `once` and `hold`, which behave alike.
    Plain,
    /// `once-measure`: the function's name, and its evaluation unless it is not implemented.
    Measure(Arc<str>, Option<CallId>),
    /// `hold-while`
    HoldWhile(Vec<NodeId>),
}

/// A preference.
#[derive(Debug, Clone)]
pub(super) struct Preference {
    /// Its name.
    pub(super) name: Arc<str>,
    /// Its external variables with their types as written.
    pub(super) external: Vec<(NameId, Vec<Arc<str>>)>,
    /// Whether it is an `at-end`; it then has one operator.
    pub(super) at_end: bool,
    /// Its operators.
    pub(super) operators: Vec<Operator>,
}

/// A setup.
#[derive(Debug, Clone)]
pub(super) enum Setup {
    /// `(and ..)`
    And(Vec<Setup>),
    /// `(or ..)`
    Or(Vec<Setup>),
    /// `(not ..)`
    Not(Box<Setup>),
    /// `(exists (..) ..)`
    Exists(Vec<Domain>, Box<Setup>),
    /// `(forall (..) ..)`
    Forall(Vec<Domain>, Box<Setup>),
    /// `(game-conserved ..)`
    Conserved(NodeId),
    /// `(game-optional ..)`
    Optional(NodeId),
}

impl Setup {
    /// Adds all its conditions.
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

/// A game.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// All names.
    pub(super) names: Vec<NameInfo>,
    /// All conditions.
    pub(super) nodes: Vec<Node>,
    /// All function calls.
    pub(super) calls: Vec<Call>,
    /// The preferences, each name once.
    pub(super) preferences: Vec<Preference>,
    /// Where each of them is, by name.
    pub(super) preference_places: FxHashMap<Arc<str>, usize>,
    /// The setup.
    pub(super) setup: Option<Setup>,
    /// What names without a quantifier are bound to in the setup.
    pub(super) setup_objects: Vec<(NameId, ObjectId)>,
}

impl Program {
    /// The condition with this id.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The call with this id.
    pub(super) fn call(&self, id: CallId) -> &Call {
        &self.calls[id.0 as usize]
    }

    /// The name with this id.
    pub(super) fn name(&self, id: NameId) -> &NameInfo {
        &self.names[id.0 as usize]
    }
}
