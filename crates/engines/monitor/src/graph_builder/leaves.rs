//! The leaves of a graph: predicates, and conditions that are not taken apart. Equal questions over equal spaces are one leaf.

use std::hash::{Hash, Hasher};

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Atom, Condition, Scope, Term};
use goalspec_core::evaluate::Context;
use goalspec_core::ids::{AttributeMask, ObjectId, VarId};
use goalspec_core::world::Argument;
use goalspec_core::world::operation::PredicateDefinition;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::{CompiledCondition, GraphBuilder, VariableFrame, Variables};
use crate::bits;
use crate::graph::{ArgumentSource, Leaf, LeafId, LeafKind, LeafReads, NodeId, Op};
use crate::graph_evaluator;
use crate::reads::ReadCollector;
use crate::renaming::renamed;
use crate::space::{PointCursor, Space};

impl GraphBuilder<'_> {
    pub(super) fn atom(&mut self, frame: &VariableFrame<'_>, atom: &Atom) -> CompiledCondition {
        let mut variables = Variables::new();
        let mut arguments = SmallVec::new();
        for term in &atom.arguments {
            arguments.push(match *term {
                Term::Object(object) => ArgumentSource::Fixed(Argument::Object(object)),
                Term::Type(id) => ArgumentSource::Fixed(Argument::Type(id)),
                Term::Variable(variable) if !frame.bound[variable.index()] => {
                    return CompiledCondition::Constant(false);
                }
                Term::Variable(variable) => {
                    let dim = variables.iter().position(|&other| other == variable).unwrap_or_else(|| {
                        variables.push(variable);
                        variables.len() - 1
                    });
                    ArgumentSource::Dim(dim as u32)
                }
            });
        }
        let declaration = self.world.predicate(atom.predicate);
        let dependencies = {
            let objects: SmallVec<[_; 4]> = atom.arguments.iter().map(|term| self.objects_of(frame, term)).collect();
            self.world.dependencies_among(atom.predicate, &objects)
        };
        let mut reads = ReadCollector::new(self.world, &variables);
        reads.call(&dependencies, &atom.arguments);
        let mut reads = reads.finish();
        reads.own_presence = !reads.is_static();
        if declaration.definition == PredicateDefinition::Stored && reads.facts == [atom.predicate] {
            reads.own_fact = true;
        }
        if reads.own_presence {
            for &argument in &arguments {
                if let ArgumentSource::Fixed(Argument::Object(object)) = argument {
                    reads.others.push((object, AttributeMask::NONE));
                }
            }
        }
        self.leaf(frame, LeafKind::Atom { predicate: atom.predicate, arguments }, &variables, reads)
    }

    /// Compiles a condition to a single leaf, without taking it apart.
    pub(super) fn whole_leaf(&mut self, frame: &VariableFrame<'_>, condition: &Condition) -> CompiledCondition {
        let quantified = matches!(
            condition,
            Condition::Exists(..) | Condition::Forall(..) | Condition::Count(..) | Condition::Pairing { .. }
        );
        let variables = frame.free_in(condition, true);
        if !quantified && frame.mentions_unbound(condition) {
            return CompiledCondition::Constant(false);
        }
        let mut reads = ReadCollector::new(self.world, &variables);
        reads.condition(condition);
        let reads = reads.finish();
        let question = if quantified {
            LeafKind::Condition {
                scope: frame.scope.clone(),
                variables: variables.to_vec(),
                condition: condition.clone(),
            }
        } else {
            // Variables are renamed to the dimensions, so that equal questions are recognised whatever the names of their variables.
            let scope = Scope { variables: variables.iter().map(|&id| frame.scope.get(id).clone()).collect() };
            let place = |id: VarId| VarId::from(variables.iter().position(|&other| other == id).unwrap_or(0));
            LeafKind::Condition {
                scope,
                variables: (0..variables.len()).map(VarId::from).collect(),
                condition: renamed(condition, &place),
            }
        };
        self.leaf(frame, question, &variables, reads)
    }

    /// Returns the objects that a term can stand for.
    fn objects_of<'t>(&'t self, frame: &VariableFrame<'_>, term: &'t Term) -> &'t [ObjectId] {
        match term {
            Term::Object(object) => std::slice::from_ref(object),
            Term::Type(_) => &[],
            Term::Variable(variable) => self.graph.domains.objects(frame.domain(*variable)),
        }
    }

    pub(super) fn leaf(
        &mut self,
        frame: &VariableFrame<'_>,
        question: LeafKind,
        variables: &[VarId],
        reads: LeafReads,
    ) -> CompiledCondition {
        let space = frame.space(&self.graph, variables);
        if reads.is_static() && !matches!(question, LeafKind::Present | LeafKind::PresentObject(_)) {
            return self.constant_vector(question, space, variables);
        }
        CompiledCondition::Vector(self.intern_leaf(question, space, reads), variables.into())
    }

    /// Answers a question whose answers never change, at compile time.
    pub(super) fn constant_vector(
        &mut self,
        question: LeafKind,
        space: Space,
        variables: &[VarId],
    ) -> CompiledCondition {
        let size = space.size();
        let mut vector = vec![0; bits::words(size)];
        let leaf = Leaf { question, space, reads: LeafReads::default(), node: NodeId(0), live: false };
        let no_objects = FixedBitSet::new();
        let (state, work) = (&self.initial, Some(&self.work));
        let ctx = Context { world: self.world, state, first: false, last: false, setup_objects: &no_objects, work };
        let mut points = PointCursor::all(&leaf.space, &self.graph.domains);
        while let Some((point, objects)) = points.next().filter(|_| ctx.spend(1)) {
            bits::put(&mut vector, point, graph_evaluator::evaluate_leaf(&ctx, &leaf, objects));
        }
        drop(points);
        self.vector(vector, size, variables)
    }

    /// Returns the truth given by a vector that never changes.
    pub(crate) fn vector(&mut self, vector: Vec<u64>, size: usize, variables: &[VarId]) -> CompiledCondition {
        match bits::count_in_range(&vector, 0, size) {
            0 => CompiledCondition::Constant(false),
            count if count == size as u64 => CompiledCondition::Constant(true),
            _ => CompiledCondition::Vector(self.node(Op::Fixed(vector.into()), size), variables.into()),
        }
    }

    pub(super) fn intern_leaf(&mut self, question: LeafKind, space: Space, reads: LeafReads) -> NodeId {
        let key = question_hash(&question, &space);
        let same = self.leaves.get(&key).and_then(|ids| {
            let leaves = ids.iter().map(|id| &self.graph.leaves[id.index()]);
            let mut found = leaves.filter(|leaf| leaf.space == space && same_question(&leaf.question, &question));
            found.next().map(|leaf| leaf.node)
        });
        if let Some(node) = same {
            return node;
        }
        let id = LeafId(self.graph.leaves.len() as u32);
        let node = self.node(Op::Leaf(id), space.size());
        self.leaves.entry(key).or_default().push(id);
        self.graph.leaves.push(Leaf { question, space, reads, node, live: false });
        self.graph.nodes[node.index()].weight = self.graph.nodes[node.index()].bits as u64;
        node
    }
}

/// Returns a hash that is equal for equal questions over equal spaces.
fn question_hash(question: &LeafKind, space: &Space) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(question).hash(&mut hasher);
    space.dims.hash(&mut hasher);
    match question {
        LeafKind::Present => {}
        LeafKind::PresentObject(object) => object.hash(&mut hasher),
        LeafKind::Atom { predicate, arguments } => (predicate, arguments).hash(&mut hasher),
        LeafKind::Condition { condition, .. } => condition.hash(&mut hasher),
        LeafKind::Defined { expression, .. } => expression.hash(&mut hasher),
    }
    hasher.finish()
}

/// Whether two questions over the same space are equal. Scopes matter only to quantifiers.
fn same_question(left: &LeafKind, right: &LeafKind) -> bool {
    let quantified = |condition: &Condition| {
        !matches!(
            condition,
            Condition::Compare { .. }
                | Condition::AllEqual(..)
                | Condition::Distinct(..)
                | Condition::InSetup(..)
                | Condition::FirstState
                | Condition::LastState
        )
    };
    match (left, right) {
        (LeafKind::Condition { condition: a, .. }, LeafKind::Condition { condition: b, .. }) if !quantified(a) => {
            a == b
        }
        _ => left == right,
    }
}
