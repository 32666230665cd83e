//! The compiled setup, and its memory during a run.
//!
//! A state is processed in three steps: evaluate all conditions, recording the optional statements that hold; descend from the root to
//! the quantifiers that can lock, which requires the conserved parts of their bodies; compute the value of the setup under the locks.

use std::borrow::Cow;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Origin};
use goalspec_core::evaluate::Context;
use goalspec_core::ids::VarId;
use goalspec_core::monitor::MonitorError;
use goalspec_core::program::{ScopedSetup, Setup};
use goalspec_core::work::WorkBudget;

use crate::bits;
use crate::graph::{Graph, NodeId};
use crate::graph_builder::{GraphBuilder, VariableFrame};
use crate::graph_evaluator::GraphEvaluator;
use crate::space::Space;

/// A compiled setup. Each part has a truth value at each of its points, the assignments of the variables of the enclosing quantifiers.
#[derive(Debug)]
pub(crate) struct CompiledSetup {
    root: SetupNode,
    statements: Vec<Statement>,
    /// The quantifiers that lock.
    locks: Vec<Lock>,
    /// The nodes that tell which objects of the quantifiers are present.
    presence: Vec<NodeId>,
    /// Whether the setup may depend on which state is the last.
    pub(crate) depends_on_last: bool,
}

#[derive(Debug)]
enum SetupNode {
    And(Vec<SetupNode>),
    Or(Vec<SetupNode>),
    Not(Box<SetupNode>),
    Quantified(QuantifierNode),
    /// The statement with this index.
    Statement(usize),
    /// A part, or true if no object of a domain is present; the node tells whether one is.
    Unless(NodeId, Box<SetupNode>),
    /// A conserved part that is always true.
    True,
}

#[derive(Debug)]
struct QuantifierNode {
    exists: bool,
    body: Box<SetupNode>,
    /// The number of assignments of the quantifier's own variables.
    width: usize,
    /// The points of the body whose objects are all present; `None` if all points are.
    present: Option<NodeId>,
    /// The index of its lock, if it locks.
    lock: Option<usize>,
}

#[derive(Debug)]
struct Statement {
    node: NodeId,
    space: Space,
    /// For each enclosing variable, whether an `Exists` binds it.
    exists: Vec<bool>,
    /// Whether the statement must hold now, and not merely have held.
    conserved: bool,
}

/// A quantifier that locks.
#[derive(Debug)]
struct Lock {
    /// The space of the enclosing variables and its own.
    space: Space,
    /// The first dimension of its own variables.
    own: usize,
    /// The number of its points.
    points: usize,
    /// The number of points at which it can be locked: the enclosing quantifiers that lock have one assignment each.
    slots: usize,
}

/// The memory of a setup during a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetupMemory {
    /// For each optional statement, the points at which it has held; empty for a conserved one.
    latched: Vec<Vec<u64>>,
    /// For each quantifier that locks, the assignments it is locked to.
    locks: Vec<LockState>,
    /// The objects that `Exists` variables have settled on, by index.
    pub(crate) settled: FixedBitSet,
}

#[derive(Debug, Clone)]
struct LockState {
    /// For each point, one more than the assignment of its own variables to which it is locked; 0 before it is locked.
    to: Vec<u32>,
    /// The number of points at which it may still be locked.
    open: usize,
}

impl LockState {
    /// Returns the assignment of its own variables to which it is locked at a point.
    fn at(&self, point: usize) -> Option<usize> {
        (self.to[point] as usize).checked_sub(1)
    }
}

struct SetupCompiler<'b, 'w, 'f> {
    builder: &'b mut GraphBuilder<'w>,
    frame: VariableFrame<'f>,
    statements: Vec<Statement>,
    locks: Vec<Lock>,
    presence: Vec<NodeId>,
    around: Vec<VarId>,
    exists: Vec<bool>,
}

impl CompiledSetup {
    pub(crate) fn new(builder: &mut GraphBuilder<'_>, program: &ScopedSetup) -> Result<Self, MonitorError> {
        let frame = VariableFrame::new(builder, &program.scope, &[]);
        let mut planner = SetupCompiler {
            builder,
            frame,
            statements: Vec::new(),
            locks: Vec::new(),
            presence: Vec::new(),
            around: Vec::new(),
            exists: Vec::new(),
        };
        let root = planner.part(&program.setup)?;
        let SetupCompiler { statements, locks, presence, .. } = planner;
        Ok(Self { root, statements, locks, presence, depends_on_last: false })
    }

    /// Iterates over the nodes that the setup reads.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.statements.iter().map(|statement| statement.node).chain(self.presence.iter().copied())
    }

    /// Returns the memory of a run for the setup, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let latched = self.statements.iter().map(|statement| statement.words() as u64 * 8);
        let locks = self.locks.iter().map(|lock| lock.points as u64 * 4);
        latched.chain(locks).sum()
    }

    pub(crate) fn memory(&self) -> SetupMemory {
        let locked = |lock: &Lock| LockState { to: vec![0; lock.points], open: lock.slots };
        SetupMemory {
            latched: self.statements.iter().map(|statement| vec![0; statement.words()]).collect(),
            locks: self.locks.iter().map(locked).collect(),
            settled: FixedBitSet::new(),
        }
    }

    /// Processes a state, and returns whether the setup holds in it. The context has the objects settled before the state.
    pub(crate) fn holds(
        &self,
        graph: &Graph,
        network: &mut GraphEvaluator,
        ctx: &Context<'_>,
        memory: &mut SetupMemory,
    ) -> bool {
        self.nodes().for_each(|node| network.update(graph, ctx, node));
        let view = SetupView { plan: self, graph, network, work: ctx.work };
        let fresh = view.latch(memory);
        let mut settling = SettlePass { view, memory, fresh, found: vec![None; self.locks.len()], locked: false };
        settling.part(&self.root, 1, &[1]);
        bits::any(&view.value(&self.root, 1, memory))
    }
}

impl Statement {
    /// Returns the number of words in which a run records where the statement has held.
    fn words(&self) -> usize {
        if self.conserved { 0 } else { bits::words(self.space.size()) }
    }
}

impl SetupCompiler<'_, '_, '_> {
    fn part(&mut self, setup: &Setup) -> Result<SetupNode, MonitorError> {
        Ok(match setup {
            Setup::And(parts) => SetupNode::And(parts.iter().map(|part| self.part(part)).collect::<Result<_, _>>()?),
            Setup::Or(parts) => SetupNode::Or(parts.iter().map(|part| self.part(part)).collect::<Result<_, _>>()?),
            Setup::Not(part) => SetupNode::Not(Box::new(self.part(part)?)),
            Setup::Exists(variables, body) => self.quantified(variables, true, body)?,
            Setup::Forall(variables, body) => {
                let (used, idle) = body.split_idle_variables(variables);
                let mut nodes = Vec::new();
                for variable in idle {
                    let domain = self.frame.domain(variable);
                    if self.builder.graph.domains.objects(domain).is_empty() {
                        return Ok(if body.has_conserved_part() {
                            SetupNode::True
                        } else {
                            SetupNode::And(Vec::new())
                        });
                    }
                    nodes.extend(self.builder.any_present(domain));
                }
                self.presence.extend(&nodes);
                let part = self.quantified(&used, false, body)?;
                nodes.into_iter().fold(part, |part, node| SetupNode::Unless(node, Box::new(part)))
            }
            Setup::Conserved(condition, _) => self.statement(condition, true),
            Setup::Optional(condition, _) => self.statement(condition, false),
        })
    }

    fn quantified(&mut self, variables: &[VarId], exists: bool, body: &Setup) -> Result<SetupNode, MonitorError> {
        let outer = self.around.len();
        let points = self.space().size();
        self.around.extend(variables);
        self.exists.resize(self.around.len(), exists);
        let outside = self.frame.bind(variables);
        let limit = self.builder.max_bindings;
        if self.space().checked_size().is_none_or(|size| size > limit) {
            let sizes = self.space().sizes;
            let bindings = sizes.iter().fold(1, |size: u128, &next| size.saturating_mul(u128::from(next)));
            return Err(MonitorError::TooManyBindings {
                preference: None,
                bindings,
                limit,
                origin: variables.first().map_or(Origin::default(), |&id| self.frame.scope.get(id).origin),
            });
        }
        let width = self.space().size().checked_div(points).unwrap_or(0);
        let present = self.present();
        let lock = (exists && body.has_conserved_part()).then(|| self.lock(outer, points));
        let body = Box::new(self.part(body)?);
        self.frame.unbind(variables, outside);
        self.around.truncate(outer);
        self.exists.truncate(outer);
        Ok(SetupNode::Quantified(QuantifierNode { exists, body, width, present, lock }))
    }

    /// Returns the node of the assignments whose objects are all present; `None` if no object can be absent.
    fn present(&mut self) -> Option<NodeId> {
        let parts = self.builder.presence_conditions(&self.frame, &self.around, &[]);
        if parts.is_empty() {
            return None;
        }
        let truth = self.builder.join(&self.frame, true, parts);
        let node = self.builder.vector_over(&self.frame, &truth, &self.around);
        self.presence.push(node);
        Some(node)
    }

    fn lock(&mut self, own: usize, points: usize) -> usize {
        let space = self.space();
        let forall = space.sizes.iter().zip(&self.exists).filter(|&(_, &exists)| !exists);
        let slots = if points == 0 { 0 } else { forall.map(|(&size, _)| size as usize).product() };
        self.locks.push(Lock { space, own, points, slots });
        self.locks.len() - 1
    }

    fn statement(&mut self, condition: &Condition, conserved: bool) -> SetupNode {
        let around = self.around.clone();
        let mut parts = self.builder.presence_conditions(&self.frame, &around, &condition.named_objects());
        parts.push(self.builder.condition(&mut self.frame, condition));
        let truth = self.builder.join(&self.frame, true, parts);
        let node = self.builder.vector_over(&self.frame, &truth, &around);
        let space = self.space();
        self.statements.push(Statement { node, space, exists: self.exists.clone(), conserved });
        SetupNode::Statement(self.statements.len() - 1)
    }

    fn space(&self) -> Space {
        self.frame.space(&self.builder.graph, &self.around)
    }
}

/// A state whose conditions have been evaluated.
#[derive(Clone, Copy)]
struct SetupView<'a> {
    plan: &'a CompiledSetup,
    graph: &'a Graph,
    network: &'a GraphEvaluator,
    work: Option<&'a WorkBudget>,
}

impl<'a> SetupView<'a> {
    /// Counts the work of traversing a quantifier with `points` points.
    fn spend(&self, quantified: &QuantifierNode, points: usize) {
        if let Some(work) = self.work {
            work.spend((bits::words(points * quantified.width) + points) as u64);
        }
    }

    fn now(&self, statement: usize) -> &'a [u64] {
        self.network.vector(self.graph, self.plan.statements[statement].node)
    }

    /// Records where optional statements hold. Returns, for each statement, the points at which it holds for the first time.
    fn latch(&self, memory: &mut SetupMemory) -> Vec<Vec<u64>> {
        let fresh = |(statement, latched): (usize, &mut Vec<u64>)| {
            let now = self.now(statement);
            if latched.iter().zip(now).all(|(latched, now)| now & !latched == 0) {
                return Vec::new();
            }
            let each = latched.iter_mut().zip(now);
            each.map(|(latched, now)| now & !std::mem::replace(latched, *latched | now)).collect()
        };
        memory.latched.iter_mut().enumerate().map(fresh).collect()
    }

    /// Returns the truth of a part at each of its `bits` points. It is meaningless at points other than those to which the enclosing
    /// quantifiers are locked.
    fn value<'m>(&self, part: &SetupNode, bits: usize, memory: &'m SetupMemory) -> Cow<'m, [u64]>
    where
        'a: 'm,
    {
        let join = |parts: &[SetupNode], and| {
            let joined = joined(parts.iter().map(|part| self.value(part, bits, memory)), and);
            joined.unwrap_or_else(|| Cow::Owned(constant(and, bits)))
        };
        match part {
            SetupNode::And(parts) => join(parts, true),
            SetupNode::Or(parts) => join(parts, false),
            SetupNode::Not(body) => complement(self.value(body, bits, memory), bits),
            SetupNode::Quantified(quantified) => {
                self.spend(quantified, bits);
                let inside = self.value(&quantified.body, bits * quantified.width, memory);
                let inside = self.of_present(quantified, inside);
                let locked = quantified.lock.map(|lock| &memory.locks[lock]);
                let value = |point| match locked.and_then(|locked| locked.at(point)) {
                    Some(own) => bits::get(&inside, point * quantified.width + own),
                    None => quantified.of(&inside, point),
                };
                Cow::Owned(collected(bits, value))
            }
            SetupNode::Statement(index) if self.plan.statements[*index].conserved => Cow::Borrowed(self.now(*index)),
            SetupNode::Statement(index) => Cow::Borrowed(&memory.latched[*index]),
            SetupNode::Unless(node, _) if self.is_absent(*node) => Cow::Owned(constant(true, bits)),
            SetupNode::Unless(_, body) => self.value(body, bits, memory),
            SetupNode::True => Cow::Owned(constant(true, bits)),
        }
    }

    /// Returns the truth of a part's conserved part, if it has one, at each of its points. For each quantifier that locks, `found`
    /// receives the truth of the conserved part of its body. Locks are ignored: the result is used only where a quantifier is not locked,
    /// and then no quantifier inside it is.
    fn conserved(&self, part: &SetupNode, bits: usize, found: &mut [Option<Vec<u64>>]) -> Option<Cow<'a, [u64]>> {
        let mut join =
            |parts: &[SetupNode], and| joined(parts.iter().filter_map(|part| self.conserved(part, bits, found)), and);
        match part {
            SetupNode::And(parts) => join(parts, true),
            SetupNode::Or(parts) => join(parts, false),
            SetupNode::Not(body) => Some(complement(self.conserved(body, bits, found)?, bits)),
            SetupNode::Quantified(quantified) => {
                self.spend(quantified, bits);
                let inside = self.conserved(&quantified.body, bits * quantified.width, found)?;
                let inside = self.of_present(quantified, inside);
                let vector = collected(bits, |point| quantified.of(&inside, point));
                if let Some(lock) = quantified.lock {
                    found[lock] = Some(inside.into_owned());
                }
                Some(Cow::Owned(vector))
            }
            SetupNode::Statement(index) if self.plan.statements[*index].conserved => {
                Some(Cow::Borrowed(self.now(*index)))
            }
            SetupNode::Statement(_) => None,
            SetupNode::Unless(node, body) => {
                let inside = self.conserved(body, bits, found)?;
                Some(if self.is_absent(*node) { Cow::Owned(constant(true, bits)) } else { inside })
            }
            SetupNode::True => Some(Cow::Owned(constant(true, bits))),
        }
    }

    /// Whether no object of a domain is present, given the node that tells whether one is.
    fn is_absent(&self, node: NodeId) -> bool {
        !bits::get(self.network.vector(self.graph, node), 0)
    }

    /// Neutralises the points with absent objects in the truth inside a quantifier, so that they do not decide its value.
    fn of_present<'m>(&self, quantified: &QuantifierNode, mut inside: Cow<'m, [u64]>) -> Cow<'m, [u64]> {
        if let Some(present) = quantified.present {
            for (word, present_word) in inside.to_mut().iter_mut().zip(self.network.vector(self.graph, present)) {
                *word = if quantified.exists { *word & present_word } else { *word | !present_word };
            }
        }
        inside
    }
}

impl QuantifierNode {
    /// Returns its value at a point, over all assignments, from the truth inside it.
    fn of(&self, inside: &[u64], point: usize) -> bool {
        let (from, width) = (point * self.width, self.width);
        if self.exists {
            bits::any_in_range(inside, from, width)
        } else {
            bits::count_in_range(inside, from, width) == width as u64
        }
    }
}

/// The pass over a state that locks quantifiers and settles objects.
struct SettlePass<'a, 'm> {
    view: SetupView<'a>,
    memory: &'m mut SetupMemory,
    /// For each statement, the points at which it holds for the first time.
    fresh: Vec<Vec<u64>>,
    /// For each quantifier that locks, the truth of the conserved part of its body, once computed.
    found: Vec<Option<Vec<u64>>>,
    /// Whether a quantifier was locked in this state.
    locked: bool,
}

impl SettlePass<'_, '_> {
    /// Processes a part with `bits` points. The `active` points are those at which all enclosing quantifiers that lock are locked to
    /// the objects of their variables.
    fn part(&mut self, part: &SetupNode, bits: usize, active: &[u64]) {
        if !self.pending(part) {
            return;
        }
        match part {
            SetupNode::And(parts) | SetupNode::Or(parts) => parts.iter().for_each(|part| self.part(part, bits, active)),
            SetupNode::Not(body) | SetupNode::Unless(_, body) => self.part(body, bits, active),
            SetupNode::Quantified(quantified) => {
                if let Some(lock) = quantified.lock {
                    self.lock(part, quantified.width, lock, bits, active);
                }
                let inside = self.active_inside(quantified, bits, active);
                self.part(&quantified.body, bits * quantified.width, &inside);
            }
            SetupNode::Statement(index) => self.settle_optional(*index, active),
            SetupNode::True => {}
        }
    }

    /// Whether anything in a part may be locked or settled.
    fn pending(&self, part: &SetupNode) -> bool {
        match part {
            SetupNode::And(parts) | SetupNode::Or(parts) => parts.iter().any(|part| self.pending(part)),
            SetupNode::Not(body) | SetupNode::Unless(_, body) => self.pending(body),
            SetupNode::Quantified(QuantifierNode { lock, body, .. }) => {
                lock.is_some_and(|lock| self.memory.locks[lock].open > 0) || self.pending(body)
            }
            SetupNode::Statement(index) => self.locked || !self.fresh[*index].is_empty(),
            SetupNode::True => false,
        }
    }

    /// Locks a quantifier, which is `part`, at the active points where it is not yet locked and can be.
    fn lock(&mut self, part: &SetupNode, width: usize, lock: usize, bits: usize, active: &[u64]) {
        let SetupView { plan, graph, .. } = self.view;
        if self.memory.locks[lock].open == 0 {
            return;
        }
        if self.found[lock].is_none() {
            self.view.conserved(part, bits, &mut self.found);
        }
        let Some(found) = &self.found[lock] else { return };
        let Lock { space, own, .. } = &plan.locks[lock];
        let LockState { to, open } = &mut self.memory.locks[lock];
        for point in bits::ones(active) {
            if to[point] != 0 {
                continue;
            }
            let Some(first) = bits::first_in_range(found, point * width, width) else { continue };
            to[point] = first as u32 + 1;
            *open -= 1;
            self.locked = true;
            for dim in *own..space.dims.len() {
                let object = space.object(&graph.domains, point * width + first, dim);
                self.memory.settled.grow_and_insert(object.index());
            }
        }
    }

    fn active_inside(&self, quantified: &QuantifierNode, bits: usize, active: &[u64]) -> Vec<u64> {
        let width = quantified.width;
        let locked = quantified.lock.map(|lock| &self.memory.locks[lock]);
        let mut inside = vec![0; bits::words(bits * width)];
        for point in bits::ones(active) {
            match locked {
                Some(locked) => {
                    if let Some(own) = locked.at(point) {
                        bits::put(&mut inside, point * width + own, true);
                    }
                }
                None => bits::put_range(&mut inside, point * width, width, true),
            }
        }
        inside
    }

    /// Settles the objects for which an optional statement holds for the first time, or has ever held if a quantifier was locked in this
    /// state.
    fn settle_optional(&mut self, index: usize, active: &[u64]) {
        let Statement { space, exists, .. } = &self.view.plan.statements[index];
        let satisfied = if self.locked { &self.memory.latched[index] } else { &self.fresh[index] };
        for (word, (satisfied, active)) in satisfied.iter().zip(active).enumerate() {
            for bit in bits::ones_of(satisfied & active) {
                let objects = space.objects(&self.view.graph.domains, word * 64 + bit);
                for (object, _) in objects.zip(exists).filter(|&(_, &exists)| exists) {
                    self.memory.settled.grow_and_insert(object.index());
                }
            }
        }
    }
}

fn constant(value: bool, bits: usize) -> Vec<u64> {
    let mut vector = vec![0; bits::words(bits)];
    if value {
        bits::fill(&mut vector, bits);
    }
    vector
}

fn collected(bits: usize, value: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut vector = vec![0; bits::words(bits)];
    for point in 0..bits {
        bits::put(&mut vector, point, value(point));
    }
    vector
}

fn complement(mut vector: Cow<'_, [u64]>, bits: usize) -> Cow<'_, [u64]> {
    let words = vector.to_mut();
    for word in words.iter_mut() {
        *word = !*word;
    }
    if let Some(last) = words.last_mut() {
        *last &= bits::tail(bits);
    }
    vector
}

/// Returns the conjunction of the vectors if `and`, else their disjunction; `None` if there are none.
fn joined<'v>(mut vectors: impl Iterator<Item = Cow<'v, [u64]>>, and: bool) -> Option<Cow<'v, [u64]>> {
    let mut joined = vectors.next()?;
    for vector in vectors {
        for (word, part) in joined.to_mut().iter_mut().zip(&*vector) {
            *word = if and { *word & part } else { *word | part };
        }
    }
    Some(joined)
}
