//! Evaluation of a graph in a run: the leaves to be evaluated again, and the truth vectors, computed on demand.
//!
//! A change of the state only marks nodes as out of date; marks propagate upwards to the nodes that are not yet marked. A vector is brought
//! up to date when it is [requested](GraphEvaluator::update), and only through the children that decide it: while the first parts of a
//! conjunction exclude every point, the other parts are not evaluated and keep their marks.

use goalspec_core::condition::{Cardinality, PairingRule, Scope};
use goalspec_core::evaluate::{self, Arguments, Bindings, Context};
use goalspec_core::ids::{ObjectId, VarId};
use goalspec_core::state::ChangeSet;
use goalspec_core::world::Argument;
use smallvec::SmallVec;

use crate::bits;
use crate::graph::{AffectedPoints, ArgumentSource, Graph, Leaf, LeafId, LeafKind, Node, NodeId, Op};
use crate::matching::{self, PresentObjects};
use crate::space::{Layout, PointCursor};

#[derive(Debug, Clone, Copy, Default)]
struct Status {
    /// Whether the vector may be out of date.
    marked: bool,
    /// The number of children, from the first, that decided the vector.
    used_children: u32,
    /// The value of the clock when the vector last changed.
    changed: u64,
    /// The value of the clock when the vector was last computed; 0 if it never was.
    computed: u64,
}

/// The points of a leaf that must be evaluated again.
#[derive(Debug, Clone, Default)]
struct DirtyPoints {
    all: bool,
    slices: Vec<(u32, u32)>,
    /// The set of the slices in `slices`, one bit for each object of each dimension.
    listed: Vec<u64>,
    points: Vec<usize>,
}

impl DirtyPoints {
    fn everything(leaf: &Leaf) -> Self {
        let slices: u32 = leaf.space.sizes.iter().sum();
        Self { all: true, listed: vec![0; bits::words(slices as usize)], ..Self::default() }
    }
}

/// The state of a graph in one run.
#[derive(Debug, Clone)]
pub(crate) struct GraphEvaluator {
    memory: Vec<u64>,
    status: Vec<Status>,
    dirt: Vec<DirtyPoints>,
    /// For each listener, whether it was woken since the flag was last taken.
    woken: Vec<bool>,
    /// The number of computations so far, which orders `changed` and `computed`.
    clock: u64,
    /// Spare vectors for accumulation.
    spare: Vec<Vec<u64>>,
    rest: Vec<NodeId>,
}

impl GraphEvaluator {
    /// Creates a network in which every vector is out of date and every listener is woken.
    pub(crate) fn new(graph: &Graph, listeners: usize) -> Self {
        let mut network = Self {
            memory: vec![0; graph.words],
            status: vec![Status { marked: true, ..Status::default() }; graph.nodes.len()],
            dirt: graph.leaves.iter().map(DirtyPoints::everything).collect(),
            woken: vec![true; listeners],
            clock: 0,
            spare: Vec::new(),
            rest: Vec::new(),
        };
        for (node, status) in graph.nodes.iter().zip(&mut network.status) {
            if let Op::Fixed(vector) = &node.op {
                network.memory[node.range()].copy_from_slice(vector);
                status.marked = false;
            }
        }
        network
    }

    /// Returns the vector of a node as of its last evaluation.
    pub(crate) fn vector(&self, graph: &Graph, node: NodeId) -> &[u64] {
        &self.memory[graph.node(node).range()]
    }

    /// Returns whether the listener was woken since the last call, and clears its flag.
    pub(crate) fn take_woken(&mut self, listener: usize) -> bool {
        std::mem::take(&mut self.woken[listener])
    }

    /// Marks the leaves that a change of the state may affect.
    pub(crate) fn mark(&mut self, graph: &Graph, changes: &ChangeSet) {
        let readers = &graph.readers;
        if changes.all {
            for leaf in (0..graph.leaves.len()).filter(|&leaf| graph.leaves[leaf].live) {
                self.touch(graph, LeafId(leaf as u32), AffectedPoints::All);
            }
            return;
        }
        for &(object, mask) in &changes.objects {
            for reader in &readers.attributes[object.index()] {
                if reader.mask.intersects(mask) {
                    self.touch(graph, reader.leaf, reader.touched);
                }
            }
            for &(read, leaf) in &readers.anywhere {
                if read.intersects(mask) {
                    self.touch(graph, leaf, AffectedPoints::All);
                }
            }
        }
        for &object in &changes.presence {
            for &(leaf, points) in &readers.presence[object.index()] {
                self.touch(graph, leaf, points);
            }
        }
        if !changes.presence.is_empty() {
            readers.any_presence.iter().for_each(|&leaf| self.touch(graph, leaf, AffectedPoints::All));
        }
        for (predicate, arguments) in &changes.facts {
            for &leaf in &readers.facts[predicate.index()] {
                self.touch_fact(graph, leaf, arguments);
            }
        }
        for (function, _) in &changes.fluents {
            readers.fluents[function.index()].iter().for_each(|&leaf| self.touch(graph, leaf, AffectedPoints::All));
        }
    }

    /// Marks the leaves that depend on the state being the first or the last, or on the objects settled by the setup.
    pub(crate) fn mark_play(&mut self, graph: &Graph) {
        graph.readers.play.iter().for_each(|&leaf| self.touch(graph, leaf, AffectedPoints::All));
    }

    /// Marks the leaves that are evaluated only at the end.
    pub(crate) fn mark_end_only(&mut self, graph: &Graph) {
        graph.readers.end_only.iter().for_each(|&leaf| self.touch(graph, leaf, AffectedPoints::All));
    }

    fn touch_fact(&mut self, graph: &Graph, id: LeafId, objects: &[ObjectId]) {
        let leaf = &graph.leaves[id.index()];
        let arguments = match &leaf.question {
            LeafKind::Atom { arguments, .. } if leaf.reads.own_fact => arguments,
            _ => return self.touch(graph, id, AffectedPoints::All),
        };
        let strides = &leaf.space.strides;
        let mut digits: SmallVec<[Option<usize>; 4]> = SmallVec::from_elem(None, strides.len());
        for (slot, &object) in arguments.iter().zip(objects) {
            match *slot {
                ArgumentSource::Fixed(argument) if argument == Argument::Object(object) => {}
                ArgumentSource::Fixed(_) => return,
                ArgumentSource::Dim(dim) => {
                    let domain = graph.domains.objects(leaf.space.dims[dim as usize]);
                    let Ok(digit) = domain.binary_search(&object) else { return };
                    if digits[dim as usize].replace(digit).is_some_and(|before| before != digit) {
                        return;
                    }
                }
            }
        }
        let point = digits.iter().zip(strides).map(|(digit, stride)| digit.map(|digit| digit * stride)).sum();
        let Some(point) = point else { return };
        let dirt = &mut self.dirt[id.index()];
        if !dirt.all {
            if dirt.points.len() < leaf.space.size() {
                dirt.points.push(point);
            } else {
                dirt.all = true;
            }
        }
        self.mark_node(graph, leaf.node);
    }

    fn touch(&mut self, graph: &Graph, id: LeafId, points: AffectedPoints) {
        let dirt = &mut self.dirt[id.index()];
        if dirt.all {
            return;
        }
        match points {
            AffectedPoints::All => dirt.all = true,
            AffectedPoints::Slice { dim, digit, place } => {
                if !bits::put(&mut dirt.listed, place as usize, true) {
                    return;
                }
                dirt.slices.push((dim, digit));
            }
        }
        self.mark_node(graph, graph.leaves[id.index()].node);
    }

    fn mark_node(&mut self, graph: &Graph, node: NodeId) {
        self.rest.push(node);
        while let Some(next) = self.rest.pop() {
            let status = &mut self.status[next.index()];
            if !status.marked {
                status.marked = true;
                for &listener in &graph.listeners[next.index()] {
                    self.woken[listener as usize] = true;
                }
                self.rest.extend_from_slice(&graph.node(next).parents);
            }
        }
    }

    /// Brings a node's vector up to date.
    pub(crate) fn update(&mut self, graph: &Graph, ctx: &Context<'_>, id: NodeId) {
        if !self.status[id.index()].marked {
            return;
        }
        let node = graph.node(id);
        match &node.op {
            Op::Fixed(_) => {}
            Op::Leaf(leaf) => {
                let changed = self.update_leaf(graph, ctx, *leaf, node);
                self.computed(id, changed);
            }
            Op::Spread { child, layout } => {
                self.update(graph, ctx, *child);
                if self.is_outdated(id, *child) {
                    let changed = self.update_spread(ctx, node, graph.node(*child), layout);
                    self.computed(id, changed);
                }
            }
            Op::And(children) => self.update_junction(graph, ctx, id, node, children, true),
            Op::Or(children) => self.update_junction(graph, ctx, id, node, children, false),
            Op::Not(child) => self.update_by_word(graph, ctx, id, &[*child], |source, at, tail| {
                !source[at] & if at + 1 == source.len() { tail } else { u64::MAX }
            }),
            Op::Any { child, width } => {
                self.update_by_bit(graph, ctx, id, &[*child], |source, at| {
                    bits::any_in_range(source, at * width, *width)
                });
            }
            Op::Count { child, width, amount } => self.update_by_bit(graph, ctx, id, &[*child], |source, at| {
                let count = bits::count_in_range(source, at * width, *width);
                match *amount {
                    Cardinality::AtLeast(required) => count >= u64::from(required),
                    Cardinality::Exactly(required) => count == u64::from(required),
                }
            }),
            Op::Pairing { child, rule, sides, present, amount } => {
                let operands: SmallVec<[NodeId; 3]> = present.iter().flatten().copied().collect();
                operands.iter().for_each(|&node| self.update(graph, ctx, node));
                let present = present.map(|node| node.map(|node| self.vector(graph, node).to_vec()));
                let present = PresentObjects(present.each_ref().map(|side| side.as_deref()));
                let required = amount.map_or_else(|| sides.default_amount(present), |amount| amount as usize);
                ctx.spend((node.bits * sides.cells()) as u64);
                let children: SmallVec<[NodeId; 3]> = [*child].into_iter().chain(operands).collect();
                self.update_by_bit(graph, ctx, id, &children, |source, at| {
                    let from = at * sides.cells();
                    match rule {
                        PairingRule::Matching => matching::has_matching(source, from, sides.sizes, required),
                        PairingRule::Covering => sides.covers(source, from, present, required),
                    }
                });
            }
        }
        self.status[id.index()].marked = false;
    }

    /// Lays the changed bits of the child out over all points that they stand for; returns whether there are any.
    fn update_spread(&mut self, ctx: &Context<'_>, node: &Node, child: &Node, layout: &Layout) -> bool {
        let (below, own) = self.memory.split_at_mut(node.offset);
        let source = &below[child.range()];
        let each = (node.bits / child.bits.max(1)) as u64;
        ctx.spend(source.len() as u64);
        spread_changes(node, layout, source, own, &mut |count| ctx.spend(each * u64::from(count)))
    }

    fn is_outdated(&self, id: NodeId, child: NodeId) -> bool {
        let status = &self.status[id.index()];
        status.computed == 0 || self.status[child.index()].changed > status.computed
    }

    fn computed(&mut self, id: NodeId, changed: bool) {
        self.clock += 1;
        let status = &mut self.status[id.index()];
        if changed {
            status.changed = self.clock;
        }
        status.computed = self.clock;
    }

    /// Computes each word from the vector of the first child; the other children only determine whether this is necessary.
    fn update_by_word(
        &mut self,
        graph: &Graph,
        ctx: &Context<'_>,
        id: NodeId,
        children: &[NodeId],
        word: impl Fn(&[u64], usize, u64) -> u64,
    ) {
        for &child in children {
            self.update(graph, ctx, child);
        }
        if children.iter().any(|&child| self.is_outdated(id, child)) {
            let node = graph.node(id);
            let (below, own) = self.memory.split_at_mut(node.offset);
            let source = &below[graph.node(children[0]).range()];
            ctx.spend(source.len() as u64 + node.words() as u64);
            let mut changed = false;
            for (at, slot) in own[..node.words()].iter_mut().enumerate() {
                let new = word(source, at, bits::tail(node.bits));
                changed |= *slot != new;
                *slot = new;
            }
            self.computed(id, changed);
        }
    }

    fn update_by_bit(
        &mut self,
        graph: &Graph,
        ctx: &Context<'_>,
        id: NodeId,
        children: &[NodeId],
        bit: impl Fn(&[u64], usize) -> bool,
    ) {
        let bits = graph.node(id).bits;
        self.update_by_word(graph, ctx, id, children, |source, at, _| {
            let range = at * 64..bits.min(at * 64 + 64);
            range.rev().fold(0, |word, index| word << 1 | u64::from(bit(source, index)))
        });
    }

    /// Computes a conjunction (`and`) or a disjunction. A conjunction stops at the first child that leaves no point.
    fn update_junction(
        &mut self,
        graph: &Graph,
        ctx: &Context<'_>,
        id: NodeId,
        node: &Node,
        children: &[NodeId],
        and: bool,
    ) {
        let relied = self.status[id.index()].used_children as usize;
        let mut is_stale = self.status[id.index()].computed == 0;
        for &child in &children[..relied] {
            self.update(graph, ctx, child);
            is_stale |= self.is_outdated(id, child);
        }
        if !is_stale {
            return;
        }
        let mut sum = self.spare.pop().unwrap_or_default();
        sum.clear();
        let mut used = 0;
        for &child in children {
            self.update(graph, ctx, child);
            let continues = ctx.spend(node.words() as u64);
            let part = self.vector(graph, child);
            if used == 0 {
                sum.extend_from_slice(part);
            } else if and {
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum &= part);
            } else {
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum |= part);
            }
            used += 1;
            if !continues || and && !bits::any(&sum) {
                break;
            }
        }
        let vector = &mut self.memory[node.range()];
        let changed = *vector != sum[..];
        vector.copy_from_slice(&sum);
        self.spare.push(sum);
        self.status[id.index()].used_children = used;
        self.computed(id, changed);
    }

    /// Evaluates the marked points of a leaf. Returns whether an answer changed.
    fn update_leaf(&mut self, graph: &Graph, ctx: &Context<'_>, id: LeafId, node: &Node) -> bool {
        let leaf = &graph.leaves[id.index()];
        let dirt = &mut self.dirt[id.index()];
        let vector = &mut self.memory[node.range()];
        let mut evaluation = LeafEvaluation { ctx, leaf, vector, changed: false };
        let (space, domains) = (&leaf.space, &graph.domains);
        if space.size() == 0 {
            // Nothing to evaluate; the slices of an empty space have no strides.
        } else if dirt.all {
            evaluation.evaluate(PointCursor::all(space, domains));
        } else {
            for &(dim, digit) in &dirt.slices {
                evaluation.evaluate(PointCursor::slice(space, domains, dim as usize, digit));
            }
            for &point in &dirt.points {
                evaluation.evaluate(PointCursor::single(space, domains, point));
            }
        }
        dirt.all = false;
        dirt.slices.clear();
        dirt.listed.fill(0);
        dirt.points.clear();
        evaluation.changed
    }
}

/// Lays the bits of a vector that changed since the last call out over all points of a node that they stand for, in the memory from the node's
/// vector on. `spend` is told the number of changed bits of each word, and returns whether to continue. Returns whether a bit changed.
pub(crate) fn spread_changes(
    node: &Node,
    layout: &Layout,
    source: &[u64],
    memory: &mut [u64],
    spend: &mut impl FnMut(u32) -> bool,
) -> bool {
    let (vector, shadow) = memory.split_at_mut(node.shadow - node.offset);
    let mut changed = false;
    for (at, (&now, before)) in source.iter().zip(shadow).enumerate() {
        if now != *before {
            changed = true;
            if !spend((now ^ *before).count_ones()) {
                break;
            }
            for bit in bits::ones_of(now ^ *before) {
                layout.put(&mut vector[..node.words()], at * 64 + bit, now >> bit & 1 == 1);
            }
            *before = now;
        }
    }
    changed
}

struct LeafEvaluation<'a> {
    ctx: &'a Context<'a>,
    leaf: &'a Leaf,
    vector: &'a mut [u64],
    changed: bool,
}

impl LeafEvaluation<'_> {
    /// Evaluates the leaf at these points, unless the limit of work is exceeded.
    fn evaluate(&mut self, mut points: PointCursor<'_>) {
        while let Some((point, objects)) = points.next() {
            if !self.ctx.spend(1) {
                break;
            }
            let value = evaluate_leaf(self.ctx, self.leaf, objects);
            self.changed |= bits::put(self.vector, point, value);
        }
    }
}

/// Returns the answer of the state to a leaf's question about these objects, one for each dimension of its space.
pub(crate) fn evaluate_leaf(ctx: &Context<'_>, leaf: &Leaf, objects: &[ObjectId]) -> bool {
    match &leaf.question {
        LeafKind::Present => objects.iter().all(|&object| ctx.state.is_present(object)),
        LeafKind::PresentObject(object) => ctx.state.is_present(*object),
        LeafKind::Atom { predicate, arguments } => {
            let mut evaluated = Arguments::new();
            for slot in arguments {
                let argument = match *slot {
                    ArgumentSource::Fixed(argument) => argument,
                    ArgumentSource::Dim(dim) => Argument::Object(objects[dim as usize]),
                };
                if let Argument::Object(object) = argument
                    && leaf.reads.own_presence
                    && !ctx.state.is_present(object)
                {
                    return false;
                }
                evaluated.push(argument);
            }
            ctx.holds(*predicate, &evaluated) == Some(true)
        }
        LeafKind::Condition { scope, variables, condition } => {
            evaluate::condition(ctx, condition, &mut bind(scope, variables, objects))
        }
        LeafKind::Defined { scope, variables, expression } => {
            let value = evaluate::expression(ctx, expression, &bind(scope, variables, objects));
            value.is_some_and(f64::is_finite)
        }
    }
}

/// Binds variables to objects.
pub(crate) fn bind<'a>(scope: &'a Scope, variables: &[VarId], objects: &[ObjectId]) -> Bindings<'a> {
    let mut bindings = Bindings::new(scope);
    for (&variable, &object) in variables.iter().zip(objects) {
        bindings.bind(variable, object);
    }
    bindings
}
