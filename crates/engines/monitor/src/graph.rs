//! Conditions as a graph of truth vectors: the compiled form, immutable and shared.
//!
//! A node is the truth of one condition for every assignment of its free variables: one bit for each point of the space of
//! their domains. Equal conditions over equal domains are one node, whatever their variables are called and whichever
//! preference they stand in. Leaves are what the state is asked; the other nodes follow from their children.

use goalspec_core::condition::{Amount, Condition, Expression, PairingRule, Scope};
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

/// How a node's vector follows from its children's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// Asked of the state.
    Leaf(LeafId),
    /// Never changes.
    Fixed(Box<[u64]>),
    /// The child's vector, laid out over a larger or reordered space.
    Spread { child: NodeId, layout: Layout },
    /// Negation.
    Not(NodeId),
    /// Conjunction of vectors over one space, the cheapest first.
    And(Box<[NodeId]>),
    /// Disjunction, likewise.
    Or(Box<[NodeId]>),
    /// Whether any of `width` neighbouring bits is set.
    Any { child: NodeId, width: usize },
    /// Whether so many of `width` neighbouring bits are set.
    Count { child: NodeId, width: usize, amount: Amount },
    /// Whether neighbouring bits, read as a matrix of left and right objects, allow so many pairs. No bit is set where the
    /// two objects are the same.
    Pairing {
        child: NodeId,
        rule: PairingRule,
        sides: Sides,
        /// Which left and right objects are there; `None`: all.
        present: [Option<NodeId>; 2],
        /// How many pairs; `None`: see [`Condition::Pairing`].
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

/// A truth vector.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// The length of the vector.
    pub(crate) bits: usize,
    /// Where its words begin in the memory of a run.
    pub(crate) offset: usize,
    /// Where the words begin that remember the child of a [`Op::Spread`] as it was last seen.
    pub(crate) shadow: usize,
    /// Nodes that follow from it.
    pub(crate) parents: Vec<NodeId>,
    /// A measure of the work behind it: the points of the leaves below.
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

/// An argument of an atom: a digit of the point, or always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Dim(u32),
    Fixed(Argument),
}

/// What a leaf asks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    /// Is the object of the only dimension there?
    Present,
    /// Is this object there?
    PresentObject(ObjectId),
    /// Does the predicate hold, all its objects being there?
    Atom { predicate: PredicateId, arguments: SmallVec<[Slot; 4]> },
    /// Is the condition true? `variables` are those of the dimensions.
    Condition { scope: Scope, variables: Vec<VarId>, condition: Condition },
    /// Does the expression have a finite value?
    Defined { scope: Scope, variables: Vec<VarId>, expression: Expression },
}

/// What a leaf reads.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct LeafReads {
    /// Attributes of the object of each dimension.
    pub(crate) dims: SmallVec<[AttributeMask; 4]>,
    /// Attributes of fixed objects.
    pub(crate) others: Vec<(ObjectId, AttributeMask)>,
    /// Whether the presence of the dimensions' objects and of the fixed objects matters.
    pub(crate) own_presence: bool,
    /// Stored predicates, whatever their arguments.
    pub(crate) facts: Vec<PredicateId>,
    /// Whether the leaf is itself a stored predicate, so that a fact concerns one point.
    pub(crate) own_fact: bool,
    /// Stored functions, whatever their arguments.
    pub(crate) fluents: Vec<FunctionId>,
    /// Attributes of any object.
    pub(crate) anywhere: AttributeMask,
    /// Which objects there are.
    pub(crate) presence: bool,
    /// First or last state, or the setup's objects.
    pub(crate) play: bool,
    /// Among these, possibly, the last state.
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
    pub(crate) question: Question,
    pub(crate) space: Space,
    pub(crate) reads: LeafReads,
    /// The node of its answers.
    pub(crate) node: NodeId,
    /// Whether it is asked while the play goes on, or only at the end.
    pub(crate) live: bool,
}

/// Which points of a leaf an event concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touched {
    /// All.
    All,
    /// Those with this digit in this dimension; `place` numbers the slices of all dimensions.
    Slice { dim: u32, digit: u32, place: u32 },
}

/// A leaf to ask again when some attributes of an object change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) leaf: LeafId,
    pub(crate) mask: AttributeMask,
    pub(crate) touched: Touched,
}

/// Who must be asked again when what changes.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    /// By object.
    pub(crate) attributes: Vec<Vec<Reader>>,
    /// By object.
    pub(crate) presence: Vec<Vec<(LeafId, Touched)>>,
    /// By predicate.
    pub(crate) facts: Vec<Vec<LeafId>>,
    /// By function.
    pub(crate) fluents: Vec<Vec<LeafId>>,
    pub(crate) anywhere: Vec<(AttributeMask, LeafId)>,
    pub(crate) any_presence: Vec<LeafId>,
    pub(crate) play: Vec<LeafId>,
    /// Leaves that are asked at the end only.
    pub(crate) late: Vec<LeafId>,
}

/// All conditions of a program.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) domains: Domains,
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) readers: Readers,
    /// Words of memory that one run needs.
    pub(crate) words: usize,
    /// Per node, the listeners to wake when it may have changed.
    pub(crate) listeners: Vec<Vec<u32>>,
}

impl Graph {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Registers a listener of a node that the play looks at while it goes on.
    pub(crate) fn listen(&mut self, node: NodeId, listener: u32) {
        self.listeners.resize_with(self.nodes.len(), Vec::new);
        let listeners = &mut self.listeners[node.index()];
        if !listeners.contains(&listener) {
            listeners.push(listener);
        }
    }

    /// Marks the leaves below nodes with listeners as asked while the play goes on.
    fn enliven(&mut self) {
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

    /// Builds the tables of [`Readers`] once all nodes are there and all listeners registered.
    pub(crate) fn finish(&mut self, objects: usize, predicates: usize, functions: usize) {
        self.listeners.resize_with(self.nodes.len(), Vec::new);
        self.enliven();
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
                readers.late.push(id);
            }
        }
    }
}

impl Readers {
    fn add(&mut self, domains: &Domains, id: LeafId, leaf: &Leaf) {
        let reads = &leaf.reads;
        let mut place = 0;
        for (dim, (&domain, &mask)) in leaf.space.dims.iter().zip(&reads.dims).enumerate() {
            for (digit, object) in domains.objects(domain).iter().enumerate() {
                let touched = Touched::Slice { dim: dim as u32, digit: digit as u32, place };
                place += 1;
                if !mask.is_empty() {
                    self.attributes[object.index()].push(Reader { leaf: id, mask, touched });
                }
                if reads.own_presence {
                    self.presence[object.index()].push((id, touched));
                }
            }
        }
        for &(object, mask) in &reads.others {
            if !mask.is_empty() {
                self.attributes[object.index()].push(Reader { leaf: id, mask, touched: Touched::All });
            }
            if reads.own_presence {
                self.presence[object.index()].push((id, Touched::All));
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
