//! Compilation of conditions to the graph.

mod frame;
mod leaves;

use goalspec_core::condition::{Condition, Expression, Origin, Term};
use goalspec_core::ids::{AttributeMask, ObjectId, VarId};
use goalspec_core::limits::MAX_BINDINGS;
use goalspec_core::monitor::MonitorError;
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::CompileLimits;
use crate::bits;
use crate::graph::{Graph, LeafId, LeafKind, LeafReads, Node, NodeId, Op};
use crate::matching::Sides;
use crate::reads::ReadCollector;
use crate::space::{DomainId, Layout, Space};

pub(crate) use frame::VariableFrame;

/// Variables in the order of a space's dimensions.
pub(crate) type Variables = SmallVec<[VarId; 4]>;

/// Minimum number of assignments for which [`GraphBuilder::is_sparse`] estimates the work of direct evaluation.
const SPARSE_POINTS: u64 = 1 << 12;

/// A truth vector is replaced by direct evaluation if that takes less than one unit of work for this number of its bits.
const SPARSE_SHARE: u64 = 16;

/// A compiled condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CompiledCondition {
    /// The same truth value for every assignment in every state.
    Constant(bool),
    /// A truth vector over these variables.
    Vector(NodeId, Variables),
}

/// A builder of a [`Graph`].
pub(crate) struct GraphBuilder<'w> {
    pub(crate) world: &'w World,
    pub(crate) graph: Graph,
    nodes: FxHashMap<(Op, usize), NodeId>,
    leaves: FxHashMap<u64, Vec<LeafId>>,
    /// A cache of [`widest`](Self::widest) for quantified conditions, by address.
    widest: FxHashMap<usize, u64>,
    /// The state before any recording begins, in which conditions that never change are evaluated.
    initial: State,
    /// See [`CompileLimits::quantifier_assignments`](crate::CompileLimits::quantifier_assignments).
    inner_points: u64,
    /// See [`CompileLimits::bindings`](crate::CompileLimits::bindings).
    pub(crate) max_bindings: u64,
    /// The work spent on conditions that never change.
    pub(crate) work: WorkBudget,
}

impl<'w> GraphBuilder<'w> {
    pub(crate) fn new(world: &'w World, limits: &CompileLimits) -> Self {
        Self {
            world,
            inner_points: limits.quantifier_assignments,
            max_bindings: limits.bindings.min(MAX_BINDINGS),
            work: WorkBudget::with_limit(limits.work),
            graph: Graph::default(),
            nodes: FxHashMap::default(),
            leaves: FxHashMap::default(),
            widest: FxHashMap::default(),
            initial: State::new(world),
        }
    }

    /// Returns an error if compilation has exceeded its limit of work.
    pub(crate) fn check_work(&self) -> Result<(), MonitorError> {
        if self.work.is_exceeded() { Err(MonitorError::TooMuchWork { limit: self.work.limit() }) } else { Ok(()) }
    }

    pub(crate) fn finish(mut self) -> Graph {
        let world = self.world;
        self.graph.finish(world.objects().len(), world.predicates().len(), world.functions().len());
        self.graph
    }

    /// Compiles a condition to its truth for every assignment of its free variables.
    pub(crate) fn condition(&mut self, frame: &mut VariableFrame<'_>, condition: &Condition) -> CompiledCondition {
        match condition {
            Condition::Constant(value) => CompiledCondition::Constant(*value),
            Condition::Atom(atom) => self.atom(frame, atom),
            Condition::Compare { .. }
            | Condition::AllEqual(..)
            | Condition::Distinct(..)
            | Condition::FirstState
            | Condition::LastState
            | Condition::InSetup(..) => self.whole_leaf(frame, condition),
            Condition::Not(part) => {
                let truth = self.condition(frame, part);
                self.negate(truth)
            }
            Condition::And(parts) => {
                let parts = parts.iter().map(|part| self.condition(frame, part)).collect();
                self.join(frame, true, parts)
            }
            Condition::Or(parts) => {
                let parts = parts.iter().map(|part| self.condition(frame, part)).collect();
                self.join(frame, false, parts)
            }
            Condition::Imply(parts) => {
                let left = self.condition(frame, &parts[0]);
                let parts = vec![self.negate(left), self.condition(frame, &parts[1])];
                self.join(frame, false, parts)
            }
            Condition::Exists(variables, body) | Condition::Forall(variables, body) => {
                self.quantifier(frame, condition, variables, body, |_, child, width| Op::Any { child, width })
            }
            Condition::Count(amount, variables, body) => {
                let amount = *amount;
                self.quantifier(frame, condition, variables, body, move |_, child, width| Op::Count {
                    child,
                    width,
                    amount,
                })
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                let (rule, amount) = (*rule, *amount);
                let sides = [*left, *right].map(|variable| frame.domain(variable));
                self.quantifier(frame, condition, &[*left, *right], body, move |builder, child, _| Op::Pairing {
                    child,
                    rule,
                    sides: Sides::new(sides.map(|side| builder.graph.domains.objects(side))),
                    present: sides.map(|side| match builder.present(side) {
                        CompiledCondition::Vector(node, _) => Some(node),
                        CompiledCondition::Constant(_) => None,
                    }),
                    amount,
                })
            }
        }
    }

    /// Compiles the condition that an expression has a finite value.
    pub(crate) fn defined(&mut self, frame: &VariableFrame<'_>, expression: &Expression) -> CompiledCondition {
        let as_condition = Condition::AllEqual(vec![expression.clone()], Origin::default());
        if frame.mentions_unbound(&as_condition) {
            return CompiledCondition::Constant(false);
        }
        let variables = frame.free_in(&as_condition, false);
        let mut reads = ReadCollector::new(self.world, &variables);
        reads.expression(expression);
        let question = LeafKind::Defined {
            scope: frame.scope.clone(),
            variables: variables.to_vec(),
            expression: expression.clone(),
        };
        let reads = reads.finish();
        self.leaf(frame, question, &variables, reads)
    }

    /// Returns the conditions that the objects of `variables`, and the objects in `named`, which a condition names directly, are present.
    pub(crate) fn presence_conditions(
        &mut self,
        frame: &VariableFrame<'_>,
        variables: &[VarId],
        named: &[ObjectId],
    ) -> Vec<CompiledCondition> {
        let mut parts = Vec::new();
        for &variable in variables {
            if let CompiledCondition::Vector(node, _) = self.present(frame.domain(variable)) {
                parts.push(CompiledCondition::Vector(node, smallvec![variable]));
            }
        }
        for &object in named {
            if !self.world.required_attributes(object).is_empty() {
                let reads = LeafReads {
                    own_presence: true,
                    others: vec![(object, AttributeMask::NONE)],
                    ..LeafReads::default()
                };
                parts.push(self.leaf(frame, LeafKind::PresentObject(object), &[], reads));
            }
        }
        parts
    }

    /// Returns, for each object of a domain, whether it is present.
    fn present(&mut self, domain: DomainId) -> CompiledCondition {
        let objects = self.graph.domains.objects(domain);
        if objects.iter().all(|&object| self.world.required_attributes(object).is_empty()) {
            return CompiledCondition::Constant(true);
        }
        let space = Space::new(&self.graph.domains, smallvec![domain]);
        let reads = LeafReads { own_presence: true, dims: smallvec![AttributeMask::NONE], ..LeafReads::default() };
        CompiledCondition::Vector(self.intern_leaf(LeafKind::Present, space, reads), smallvec![VarId(0)])
    }

    /// Returns the node that tells whether any object of a domain is present; `None` if no object of the domain can be absent.
    pub(crate) fn any_present(&mut self, domain: DomainId) -> Option<NodeId> {
        let CompiledCondition::Vector(child, _) = self.present(domain) else { return None };
        let width = self.graph.domains.objects(domain).len();
        Some(self.node(Op::Any { child, width }, 1))
    }

    fn node(&mut self, op: Op, bits: usize) -> NodeId {
        if let Some(&id) = self.nodes.get(&(op.clone(), bits)) {
            return id;
        }
        let id = NodeId(self.graph.nodes.len() as u32);
        let mut weight = 0u64;
        op.each_child(|child| {
            let child = &mut self.graph.nodes[child.index()];
            weight = weight.saturating_add(child.weight);
            if child.parents.last() != Some(&id) {
                child.parents.push(id);
            }
        });
        let offset = self.graph.words;
        let shadow = offset + bits::words(bits);
        let behind = match &op {
            Op::Spread { child, .. } => self.graph.node(*child).words(),
            _ => 0,
        };
        self.graph.words = shadow + behind;
        self.graph.nodes.push(Node { op: op.clone(), bits, offset, shadow, parents: Vec::new(), weight });
        self.nodes.insert((op, bits), id);
        id
    }

    pub(crate) fn negate(&mut self, truth: CompiledCondition) -> CompiledCondition {
        match truth {
            CompiledCondition::Constant(value) => CompiledCondition::Constant(!value),
            CompiledCondition::Vector(node, variables) => {
                let bits = self.graph.node(node).bits;
                let op = match &self.graph.node(node).op {
                    Op::Not(child) => return CompiledCondition::Vector(*child, variables),
                    Op::Fixed(vector) => {
                        let mut negated = vec![0; vector.len()];
                        bits::fill(&mut negated, bits);
                        negated.iter_mut().zip(vector).for_each(|(all, word)| *all &= !word);
                        Op::Fixed(negated.into())
                    }
                    _ => Op::Not(node),
                };
                CompiledCondition::Vector(self.node(op, bits), variables)
            }
        }
    }

    /// Returns the conjunction of the parts if `and`, else their disjunction.
    pub(crate) fn join(
        &mut self,
        frame: &VariableFrame<'_>,
        and: bool,
        parts: Vec<CompiledCondition>,
    ) -> CompiledCondition {
        // Grouped by variables, so that parts over small spaces are joined before they are laid out over larger ones.
        let mut groups: Vec<(Variables, Vec<NodeId>)> = Vec::new();
        for part in parts {
            match part {
                CompiledCondition::Constant(value) if value == and => {}
                CompiledCondition::Constant(_) => return CompiledCondition::Constant(!and),
                CompiledCondition::Vector(node, variables) => {
                    let mut sorted = variables.clone();
                    frame.sort(&mut sorted);
                    let node = self.lay_out(frame, node, &variables, &sorted);
                    match groups.iter_mut().find(|(variables, _)| *variables == sorted) {
                        Some((_, nodes)) => nodes.push(node),
                        None => groups.push((sorted, vec![node])),
                    }
                }
            }
        }
        groups.sort_by_key(|(variables, _)| frame.space(&self.graph, variables).size());
        let mut joined: Vec<(Variables, NodeId)> = Vec::new();
        for at in 0..groups.len() {
            let (variables, nodes) = std::mem::take(&mut groups[at]);
            let node = self.join_alike(and, nodes);
            let wider = groups[at + 1..].iter_mut().find(|(wider, _)| variables.iter().all(|id| wider.contains(id)));
            match wider {
                Some((wider, nodes)) => nodes.push({
                    let wider = wider.clone();
                    self.lay_out(frame, node, &variables, &wider)
                }),
                None => joined.push((variables, node)),
            }
        }
        let mut union: Variables = joined.iter().flat_map(|(variables, _)| variables.iter().copied()).collect();
        frame.sort(&mut union);
        let nodes: Vec<_> =
            joined.iter().map(|(variables, node)| self.lay_out(frame, *node, variables, &union)).collect();
        match nodes.len() {
            0 => CompiledCondition::Constant(and),
            _ => CompiledCondition::Vector(self.join_alike(and, nodes), union),
        }
    }

    /// Joins vectors over the same space.
    fn join_alike(&mut self, and: bool, mut nodes: Vec<NodeId>) -> NodeId {
        let bits = self.graph.node(nodes[0]).bits;
        nodes.sort_by_key(|&node| (self.graph.node(node).weight, node));
        nodes.dedup();
        match nodes[..] {
            [only] => only,
            _ if and => self.node(Op::And(nodes.into()), bits),
            _ => self.node(Op::Or(nodes.into()), bits),
        }
    }

    /// Lays a vector out over other variables, which include all of its own.
    fn lay_out(&mut self, frame: &VariableFrame<'_>, node: NodeId, from: &[VarId], to: &[VarId]) -> NodeId {
        if from == to {
            return node;
        }
        let target = frame.space(&self.graph, to);
        let places: Vec<_> = from.iter().filter_map(|id| to.iter().position(|other| other == id)).collect();
        let layout = Layout::new(&frame.space(&self.graph, from), &target, &places);
        self.node(Op::Spread { child: node, layout }, target.size())
    }

    /// Returns the truth as a vector over exactly these variables.
    pub(crate) fn vector_over(
        &mut self,
        frame: &VariableFrame<'_>,
        truth: &CompiledCondition,
        variables: &[VarId],
    ) -> NodeId {
        match truth {
            CompiledCondition::Vector(node, from) => self.lay_out(frame, *node, from, variables),
            CompiledCondition::Constant(value) => {
                let size = frame.space(&self.graph, variables).size();
                self.work.spend(bits::words(size) as u64);
                let mut vector = vec![0; bits::words(size)];
                if *value {
                    bits::fill(&mut vector, size);
                }
                self.node(Op::Fixed(vector.into()), size)
            }
        }
    }

    /// Returns the number of assignments of the variables; `None` if it exceeds 64 bits.
    pub(crate) fn points(&self, frame: &VariableFrame<'_>, variables: &[VarId]) -> Option<u64> {
        frame.space(&self.graph, variables).checked_size()
    }

    fn quantifier(
        &mut self,
        frame: &mut VariableFrame<'_>,
        whole: &Condition,
        variables: &[VarId],
        body: &Condition,
        op: impl FnOnce(&mut Self, NodeId, usize) -> Op,
    ) -> CompiledCondition {
        let mut free = frame.free_in(whole, true);
        free.retain(|variable| !variables.contains(variable));
        let inner: Variables = variables.into();
        let all: Variables = free.iter().chain(&inner).copied().collect();
        let fits = self.points(frame, &all).is_some_and(|points| points > 0 && points <= self.inner_points);
        let distinct = inner.iter().enumerate().all(|(at, variable)| !inner[..at].contains(variable));
        if !fits || !distinct || self.is_sparse(frame, whole, &free) {
            return self.whole_leaf(frame, whole);
        }
        let outside = frame.bind(&inner);
        let mut truth = self.condition(frame, body);
        let mut parts = Vec::new();
        if let Condition::Pairing { left, right, .. } = whole {
            // No object pairs with itself.
            let distinct = Condition::Distinct(Term::Variable(*left), Term::Variable(*right));
            parts.push(self.condition(frame, &distinct));
        }
        // `Forall` is the negation of `Any` over the negated body.
        let universal = matches!(whole, Condition::Forall(..));
        if universal {
            truth = self.negate(truth);
        }
        parts.extend(self.presence_conditions(frame, &inner, &[]));
        frame.unbind(&inner, outside);
        parts.push(truth);
        let truth = self.join(frame, true, parts);
        // Variables on which the body turned out not to depend are no dimensions of the result.
        if let CompiledCondition::Vector(_, variables) = &truth {
            free.retain(|variable| variables.contains(variable));
        } else {
            free.clear();
        }
        let all: Variables = free.iter().chain(&inner).copied().collect();
        let child = self.vector_over(frame, &truth, &all);
        let width = frame.space(&self.graph, &inner).size();
        let bits = frame.space(&self.graph, &free).size();
        let op = op(self, child, width);
        let truth = CompiledCondition::Vector(self.node(op, bits), free);
        if universal { self.negate(truth) } else { truth }
    }

    /// Whether evaluating a quantified condition for each assignment of its variables in `free` is less work than keeping a bit for each
    /// assignment of all its variables and those of inner quantifiers. This is the case if distinctness constraints leave few assignments.
    fn is_sparse(&mut self, frame: &VariableFrame<'_>, whole: &Condition, free: &[VarId]) -> bool {
        let points = self.max_assignments(frame, whole);
        // Small vectors are cheap to keep.
        if points < SPARSE_POINTS {
            return false;
        }
        let work = goalspec_core::evaluation_cost::max_assignments(self.world, frame.scope, &[], whole);
        let evaluations = self.points(frame, free).unwrap_or(u64::MAX);
        work.saturating_mul(evaluations) < points / SPARSE_SHARE
    }

    /// Returns the maximum number of assignments of any quantifier in the condition, over its own variables and the enclosing ones that it
    /// depends on.
    fn max_assignments(&mut self, frame: &VariableFrame<'_>, condition: &Condition) -> u64 {
        let key = std::ptr::from_ref(condition).addr();
        if let Some(&widest) = self.widest.get(&key) {
            return widest;
        }
        let (variables, body) = match condition {
            Condition::Exists(variables, body)
            | Condition::Forall(variables, body)
            | Condition::Count(_, variables, body) => (Variables::from_slice(variables), body),
            Condition::Pairing { left, right, body, .. } => (Variables::from_slice(&[*left, *right]), body),
            Condition::And(parts) | Condition::Or(parts) => {
                return parts.iter().map(|part| self.max_assignments(frame, part)).max().unwrap_or(0);
            }
            Condition::Imply(parts) => {
                return parts.iter().map(|part| self.max_assignments(frame, part)).max().unwrap_or(0);
            }
            Condition::Not(part) => return self.max_assignments(frame, part),
            _ => return 0,
        };
        let mut all = variables;
        condition.visit_free_variables(&mut |variable| all.push(variable));
        frame.sort(&mut all);
        let widest = self.points(frame, &all).unwrap_or(u64::MAX).max(self.max_assignments(frame, body));
        self.widest.insert(key, widest);
        widest
    }

    /// Whether the truth of the condition never changes.
    pub(crate) fn is_static(&self, condition: &Condition) -> bool {
        let mut reads = ReadCollector::new(self.world, &[]);
        reads.condition(condition);
        reads.finish().is_static()
    }
}
