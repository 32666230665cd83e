//! Conditions as a graph of truth vectors: the compiled form, immutable and shared.
//!
//! A node is the truth of one condition for every assignment of its free variables: one bit for each point of the space of
//! their domains. Equal conditions over equal domains are one node, whatever the names of their variables and whichever
//! preference they occur in. Leaves are evaluated against the state; the other nodes are computed from their children.

use goalspec_core::condition::{Cardinality, Condition, Expression, PairingRule, Scope};
use goalspec_core::ids::{AttributeMask, FunctionId, ObjectId, PredicateId, VarId};
use goalspec_core::world::Argument;
use smallvec::SmallVec;

use crate::bits;
use crate::matching::Sides;
use crate::space::{Domains, Layout, Space};

/// A node of a [`Graph`]. Children have smaller ids than their parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leaf of a [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LeafId(pub(crate) u32);

impl LeafId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operation that computes a node's vector.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// The answers of the state to the questions of a leaf.
    Leaf(LeafId),
    /// A constant vector.
    Fixed(Box<[u64]>),
    /// The child's vector, laid out over a larger or reordered space.
    Spread { child: NodeId, layout: Layout },
    /// Negation.
    Not(NodeId),
    /// The conjunction of vectors over one space, in ascending order of cost.
    And(Box<[NodeId]>),
    /// The disjunction of vectors over one space, in ascending order of cost.
    Or(Box<[NodeId]>),
    /// Whether any of `width` adjacent bits is set.
    Any { child: NodeId, width: usize },
    /// Whether the number of set bits among `width` adjacent bits meets the amount.
    Count { child: NodeId, width: usize, amount: Cardinality },
    /// Whether adjacent bits, read as a matrix of left and right objects, satisfy a pairing rule. No bit is set for a pair of
    /// equal objects.
    Pairing {
        child: NodeId,
        rule: PairingRule,
        sides: Sides,
        /// The left and right objects that are present; `None` if all are.
        present: [Option<NodeId>; 2],
        /// The required number of pairs; for `None`, see [`Condition::Pairing`].
        amount: Option<u32>,
    },
}

impl Op {
    pub(crate) fn each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Leaf(_) | Self::Fixed(_) => {}
            Self::Spread { child, .. } | Self::Not(child) | Self::Any { child, .. } | Self::Count { child, .. } => {
                visit(*child);
            }
            Self::And(children) | Self::Or(children) => children.iter().copied().for_each(visit),
            Self::Pairing { child, present, .. } => {
                visit(*child);
                present.iter().flatten().copied().for_each(visit);
            }
        }
    }
}

/// A node of a [`Graph`]: a truth vector and the operation that computes it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// The length of the vector, in bits.
    pub(crate) bits: usize,
    /// The index of its first word in the memory of a run.
    pub(crate) offset: usize,
    /// The index of the words that hold the child's vector as of the last evaluation of an [`Op::Spread`].
    pub(crate) shadow: usize,
    /// The nodes that are computed from it.
    pub(crate) parents: Vec<NodeId>,
    /// An estimate of the work to compute it: the number of points of the leaves below it.
    pub(crate) weight: u64,
}

impl Node {
    pub(crate) fn words(&self) -> usize {
        bits::words(self.bits)
    }

    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.words()
    }
}

/// An argument of an atom: the object of a dimension, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ArgumentSource {
    Dim(u32),
    Fixed(Argument),
}

/// The question that a leaf answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LeafKind {
    /// Whether the object of the only dimension is present.
    Present,
    /// Whether this object is present.
    PresentObject(ObjectId),
    /// Whether the predicate holds and all its objects are present.
    Atom { predicate: PredicateId, arguments: SmallVec<[ArgumentSource; 4]> },
    /// Whether the condition is true; `variables` are those of the dimensions.
    Condition { scope: Scope, variables: Vec<VarId>, condition: Condition },
    /// Whether the expression has a finite value; `variables` are those of the dimensions.
    Defined { scope: Scope, variables: Vec<VarId>, expression: Expression },
}

/// The parts of a state that a leaf depends on.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct LeafReads {
    /// For each dimension, the attributes read of its object.
    pub(crate) dims: SmallVec<[AttributeMask; 4]>,
    /// The attributes read of fixed objects.
    pub(crate) others: Vec<(ObjectId, AttributeMask)>,
    /// Whether the leaf depends on the presence of the objects of its dimensions and of the fixed objects.
    pub(crate) own_presence: bool,
    /// The stored predicates read, for any arguments.
    pub(crate) facts: Vec<PredicateId>,
    /// Whether the leaf is itself a stored predicate, so that a change of a fact affects a single point.
    pub(crate) own_fact: bool,
    /// The stored functions read, for any arguments.
    pub(crate) fluents: Vec<FunctionId>,
    /// The attributes read of any object.
    pub(crate) anywhere: AttributeMask,
    /// Whether the leaf depends on which objects are present.
    pub(crate) presence: bool,
    /// Whether the leaf depends on the state being the first or the last, or on the objects settled by the setup.
    pub(crate) play: bool,
    /// Whether the leaf may depend on the state being the last.
    pub(crate) last: bool,
}

impl LeafReads {
    pub(crate) fn is_static(&self) -> bool {
        let Self { dims, others, own_presence: _, facts, own_fact, fluents, anywhere, presence, play, last: _ } = self;
        dims.iter().all(|mask| mask.is_empty())
            && others.is_empty()
            && facts.is_empty()
            && fluents.is_empty()
            && anywhere.is_empty()
            && !(*own_fact || *presence || *play)
    }
}

/// A question asked for every point of a space.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) question: LeafKind,
    pub(crate) space: Space,
    pub(crate) reads: LeafReads,
    /// The node of its answers.
    pub(crate) node: NodeId,
    /// Whether the leaf is evaluated during the run, and not only at the end.
    pub(crate) live: bool,
}

/// The points of a leaf that a change affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AffectedPoints {
    /// All points.
    All,
    /// The points with this digit in this dimension; `place` is the index of the slice among those of all dimensions.
    Slice { dim: u32, digit: u32, place: u32 },
}

/// A leaf to evaluate again when one of some attributes of an object changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributeDependency {
    pub(crate) leaf: LeafId,
    pub(crate) mask: AttributeMask,
    pub(crate) touched: AffectedPoints,
}

/// The leaves to evaluate again, by the kind of change.
#[derive(Debug, Default)]
pub(crate) struct DependencyTable {
    /// By object.
    pub(crate) attributes: Vec<Vec<AttributeDependency>>,
    /// By object.
    pub(crate) presence: Vec<Vec<(LeafId, AffectedPoints)>>,
    /// By predicate.
    pub(crate) facts: Vec<Vec<LeafId>>,
    /// By function.
    pub(crate) fluents: Vec<Vec<LeafId>>,
    pub(crate) anywhere: Vec<(AttributeMask, LeafId)>,
    pub(crate) any_presence: Vec<LeafId>,
    pub(crate) play: Vec<LeafId>,
    /// The leaves that are evaluated only at the end.
    pub(crate) end_only: Vec<LeafId>,
}

/// The graph of all conditions of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) domains: Domains,
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) readers: DependencyTable,
    /// The number of words of memory that one run needs.
    pub(crate) words: usize,
    /// For each node, the listeners to wake when its vector may have changed.
    pub(crate) listeners: Vec<Vec<u32>>,
}

impl Graph {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Registers a listener of a node that is evaluated during the run.
    pub(crate) fn listen(&mut self, node: NodeId, listener: u32) {
        self.listeners.resize_with(self.nodes.len(), Vec::new);
        let listeners = &mut self.listeners[node.index()];
        if !listeners.contains(&listener) {
            listeners.push(listener);
        }
    }

    /// Marks the leaves below nodes with listeners as evaluated during the run.
    fn mark_live_leaves(&mut self) {
        let mut live: Vec<bool> = self.listeners.iter().map(|listeners| !listeners.is_empty()).collect();
        // Children have smaller ids than their parents.
        for index in (0..self.nodes.len()).rev() {
            if live[index] {
                let op = &self.nodes[index].op;
                op.each_child(|child| live[child.index()] = true);
                if let Op::Leaf(leaf) = op {
                    self.leaves[leaf.index()].live = true;
                }
            }
        }
    }

    /// Builds the tables of [`DependencyTable`]. All nodes must exist, and all listeners must be registered.
    pub(crate) fn finish(&mut self, objects: usize, predicates: usize, functions: usize) {
        self.listeners.resize_with(self.nodes.len(), Vec::new);
        self.mark_live_leaves();
        let readers = &mut self.readers;
        readers.attributes = vec![Vec::new(); objects];
        readers.presence = vec![Vec::new(); objects];
        readers.facts = vec![Vec::new(); predicates];
        readers.fluents = vec![Vec::new(); functions];
        for (index, leaf) in self.leaves.iter().enumerate() {
            let id = LeafId(index as u32);
            if leaf.live {
                readers.add(&self.domains, id, leaf);
            } else {
                readers.end_only.push(id);
            }
        }
    }
}

impl DependencyTable {
    fn add(&mut self, domains: &Domains, id: LeafId, leaf: &Leaf) {
        let reads = &leaf.reads;
        let mut place = 0;
        for (dim, (&domain, &mask)) in leaf.space.dims.iter().zip(&reads.dims).enumerate() {
            for (digit, object) in domains.objects(domain).iter().enumerate() {
                let touched = AffectedPoints::Slice { dim: dim as u32, digit: digit as u32, place };
                place += 1;
                if !mask.is_empty() {
                    self.attributes[object.index()].push(AttributeDependency { leaf: id, mask, touched });
                }
                if reads.own_presence {
                    self.presence[object.index()].push((id, touched));
                }
            }
        }
        for &(object, mask) in &reads.others {
            if !mask.is_empty() {
                self.attributes[object.index()].push(AttributeDependency {
                    leaf: id,
                    mask,
                    touched: AffectedPoints::All,
                });
            }
            if reads.own_presence {
                self.presence[object.index()].push((id, AffectedPoints::All));
            }
        }
        reads.facts.iter().for_each(|predicate| self.facts[predicate.index()].push(id));
        reads.fluents.iter().for_each(|function| self.fluents[function.index()].push(id));
        if !reads.anywhere.is_empty() {
            self.anywhere.push((reads.anywhere, id));
        }
        if reads.presence {
            self.any_presence.push(id);
        }
        if reads.play {
            self.play.push(id);
        }
    }
}
