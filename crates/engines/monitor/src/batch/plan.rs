//! The plan of a game over rows of numbers: the tests of all points, and what each of them affects.

use goalspec_core::condition::Cardinality;
use goalspec_core::state_part::StatePart;

use super::column_test::{ColumnTest, TestCompiler};
use crate::bits;
use crate::compiled_game::{CompiledGame, CompiledPattern};
use crate::graph::{Graph, NodeId, Op};
use crate::graph_evaluator::spread_changes;
use crate::space::PointCursor;

/// Maximum number of entries in the table of the nodes that each leaf affects.
const MAX_AFFECTED: usize = 1 << 22;

/// The plan of a game whose states are rows of numbers.
#[derive(Debug)]
pub(super) struct Plan {
    points: Vec<Point>,
    /// For each column, the points during the run that read it.
    readers: Vec<Vec<u32>>,
    /// For each leaf, what its points affect.
    affected: Vec<Affected>,
    /// The points and the nodes above them that are evaluated in every state.
    live: Evaluation,
    /// Those that are evaluated only at the end.
    end: Evaluation,
    /// The vectors before the first state.
    pub(super) initial: Vec<u64>,
    /// The number of columns.
    pub(super) width: usize,
    /// The maximum work for a state, in units.
    pub(super) work: u64,
}

/// A point of a leaf.
#[derive(Debug)]
struct Point {
    test: ColumnTest,
    leaf: u32,
    /// The index of its word among the vectors of an environment, and its bit.
    word: u32,
    bit: u32,
}

/// The nodes above a leaf and the preferences that read it, one bit each.
#[derive(Debug, Clone)]
struct Affected {
    nodes: Vec<u64>,
    preferences: Vec<u64>,
}

/// Points and nodes, in the order in which they are evaluated.
#[derive(Debug, Default)]
struct Evaluation {
    points: Vec<u32>,
    nodes: Vec<NodeId>,
}

/// The nodes and preferences to evaluate in a state.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    nodes: Vec<u64>,
    preferences: Vec<u64>,
}

impl Changes {
    /// Creates an empty set of changes.
    pub(super) fn new(game: &CompiledGame) -> Self {
        Self {
            nodes: vec![0; bits::words(game.graph.nodes.len())],
            preferences: vec![0; bits::words(game.preferences.len())],
        }
    }

    /// Whether the sequence of a preference is to be matched.
    pub(super) fn concern(&self, preference: usize) -> bool {
        bits::get(&self.preferences, preference)
    }
}

impl Plan {
    /// Makes a plan; `None` if the game has a construct that is not evaluated over rows.
    pub(super) fn new(game: &CompiledGame, parts: &[StatePart]) -> Option<Self> {
        let graph = &game.graph;
        let is_supported = game.setup.is_none()
            && game.world.trackers().is_empty()
            && !game.counters.positions()
            && game.preferences.iter().all(|compiled| {
                !compiled.depends_on_last
                    && match &compiled.pattern {
                        CompiledPattern::Sequence { automaton, .. } => !automaton.is_measured(),
                        CompiledPattern::NoBinding | CompiledPattern::AtEnd(_) => true,
                        CompiledPattern::Formula { .. } => false,
                    }
            })
            && !graph.nodes.iter().any(|node| matches!(node.op, Op::Pairing { .. }))
            && graph.leaves.len().saturating_mul(bits::words(graph.nodes.len())) <= MAX_AFFECTED;
        if !is_supported {
            return None;
        }
        let width = parts.iter().map(StatePart::width).sum();
        let [live, end] = reachable_nodes(game);
        let mut plan = Self {
            points: Vec::new(),
            readers: vec![Vec::new(); width],
            affected: affected(game, &live),
            live: Evaluation { points: Vec::new(), nodes: inner_nodes(graph, &live) },
            end: Evaluation { points: Vec::new(), nodes: inner_nodes(graph, &end) },
            initial: vec![0; graph.words],
            width,
            work: 0,
        };
        for node in &graph.nodes {
            if let Op::Fixed(vector) = &node.op {
                plan.initial[node.range()].copy_from_slice(vector);
            }
        }
        plan.add_points(game, &TestCompiler::new(&game.world, parts), &[live, end])?;
        plan.work = plan.most_work(game);
        Some(plan)
    }

    /// Compiles the questions of the leaves about all of their points.
    fn add_points(
        &mut self,
        game: &CompiledGame,
        compiler: &TestCompiler<'_>,
        reachable: &[Vec<bool>; 2],
    ) -> Option<()> {
        let graph = &game.graph;
        for (index, leaf) in graph.leaves.iter().enumerate() {
            let is_live = reachable[0][leaf.node.index()];
            if !(is_live || reachable[1][leaf.node.index()]) {
                continue;
            }
            if leaf.reads.play {
                return None;
            }
            let offset = graph.node(leaf.node).offset;
            let mut points = PointCursor::all(&leaf.space, &graph.domains);
            while let Some((point, objects)) = points.next() {
                let test = compiler.leaf(leaf, objects)?;
                if let ColumnTest::Constant(value) = test {
                    bits::put(&mut self.initial[offset..], point, value);
                    continue;
                }
                let id = self.points.len() as u32;
                let evaluation = if is_live { &mut self.live } else { &mut self.end };
                evaluation.points.push(id);
                if is_live {
                    test.each_column(&mut |column| {
                        let readers = &mut self.readers[column as usize];
                        if readers.last() != Some(&id) {
                            readers.push(id);
                        }
                    });
                }
                let word = (offset + point / 64) as u32;
                self.points.push(Point { test, leaf: index as u32, word, bit: (point % 64) as u32 });
            }
        }
        Some(())
    }

    /// Returns an upper bound on the work for a state, in units.
    fn most_work(&self, game: &CompiledGame) -> u64 {
        let vectors: usize = game.graph.nodes.iter().map(|node| node.words() + node.bits).sum();
        let sequences = game.preferences.iter().map(|compiled| match &compiled.pattern {
            CompiledPattern::Sequence { automaton, .. } => compiled.bindings() * automaton.positions().len(),
            _ => compiled.bindings(),
        });
        // A point is a few comparisons.
        (8 * self.points.len() + vectors + sequences.sum::<usize>()) as u64
    }

    /// Evaluates everything in the first state.
    pub(super) fn evaluate_all(&self, graph: &Graph, row: &[f64], memory: &mut [u64], changes: &mut Changes) {
        self.evaluate(graph, &self.live, row, memory);
        changes.preferences.fill(u64::MAX);
    }

    /// Evaluates what only the last state decides.
    pub(super) fn evaluate_end(&self, graph: &Graph, row: &[f64], memory: &mut [u64]) {
        self.evaluate(graph, &self.end, row, memory);
    }

    fn evaluate(&self, graph: &Graph, evaluation: &Evaluation, row: &[f64], memory: &mut [u64]) {
        for &point in &evaluation.points {
            self.points[point as usize].update(row, memory);
        }
        for &node in &evaluation.nodes {
            compute(graph, node, memory);
        }
    }

    /// Evaluates what depends on the columns whose numbers differ, and replaces the previous row by the new one.
    pub(super) fn evaluate_changes(
        &self,
        graph: &Graph,
        row: &[f64],
        previous: &mut [f64],
        memory: &mut [u64],
        changes: &mut Changes,
    ) {
        changes.preferences.fill(0);
        let mut has_changed = false;
        for ((new, old), readers) in row.iter().zip(previous).zip(&self.readers) {
            if new.to_bits() == old.to_bits() {
                continue;
            }
            *old = *new;
            for &point in readers {
                let point = &self.points[point as usize];
                if point.update(row, memory) {
                    let affected = &self.affected[point.leaf as usize];
                    merge(&mut changes.nodes, &affected.nodes);
                    merge(&mut changes.preferences, &affected.preferences);
                    has_changed = true;
                }
            }
        }
        if has_changed {
            for word in 0..changes.nodes.len() {
                for bit in bits::ones_of(std::mem::take(&mut changes.nodes[word])) {
                    compute(graph, NodeId((word * 64 + bit) as u32), memory);
                }
            }
        }
    }
}

impl Point {
    /// Updates the truth of the point; returns whether it changed.
    fn update(&self, row: &[f64], memory: &mut [u64]) -> bool {
        let (word, bit) = (&mut memory[self.word as usize], 1 << self.bit);
        let before = *word;
        *word = if self.test.holds(row) { before | bit } else { before & !bit };
        *word != before
    }
}

fn merge(all: &mut [u64], more: &[u64]) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

/// Returns for each node whether it is evaluated in every state, and whether it is evaluated only at the end.
fn reachable_nodes(game: &CompiledGame) -> [Vec<bool>; 2] {
    let graph = &game.graph;
    let (mut live, mut end) = (vec![false; graph.nodes.len()], vec![false; graph.nodes.len()]);
    for compiled in &game.preferences {
        match &compiled.pattern {
            CompiledPattern::Sequence { letters, .. } => letters.iter().for_each(|node| live[node.index()] = true),
            CompiledPattern::AtEnd(node) => end[node.index()] = true,
            CompiledPattern::NoBinding | CompiledPattern::Formula { .. } => {}
        }
    }
    // Children have smaller ids than their parents.
    for nodes in [&mut live, &mut end] {
        for index in (0..graph.nodes.len()).rev() {
            if nodes[index] {
                graph.nodes[index].op.each_child(|child| nodes[child.index()] = true);
            }
        }
    }
    end.iter_mut().zip(&live).for_each(|(end, &live)| *end &= !live);
    [live, end]
}

/// Returns the nodes of a set that are computed from others, children first.
fn inner_nodes(graph: &Graph, nodes: &[bool]) -> Vec<NodeId> {
    let is_inner = |index: &usize| nodes[*index] && !matches!(graph.nodes[*index].op, Op::Leaf(_) | Op::Fixed(_));
    (0..nodes.len()).filter(is_inner).map(|index| NodeId(index as u32)).collect()
}

/// Returns what each leaf affects.
fn affected(game: &CompiledGame, live: &[bool]) -> Vec<Affected> {
    let graph = &game.graph;
    let none = Affected {
        nodes: vec![0; bits::words(graph.nodes.len())],
        preferences: vec![0; bits::words(game.preferences.len())],
    };
    let of_leaf = |leaf: &crate::graph::Leaf| {
        let (mut affected, mut open) = (none.clone(), vec![leaf.node]);
        while let Some(node) = open.pop() {
            for &preference in &graph.listeners[node.index()] {
                // The last listener is the setup.
                if (preference as usize) < game.preferences.len() {
                    bits::put(&mut affected.preferences, preference as usize, true);
                }
            }
            for &parent in &graph.node(node).parents {
                if live[parent.index()] && bits::put(&mut affected.nodes, parent.index(), true) {
                    open.push(parent);
                }
            }
        }
        affected
    };
    graph.leaves.iter().map(of_leaf).collect()
}

/// Computes the vector of a node from those of its children.
fn compute(graph: &Graph, id: NodeId, memory: &mut [u64]) {
    let node = graph.node(id);
    let (below, own) = memory.split_at_mut(node.offset);
    let of = |child: NodeId| &below[graph.node(child).range()];
    match &node.op {
        Op::Fixed(_) | Op::Leaf(_) | Op::Pairing { .. } => {}
        Op::Spread { child, layout } => {
            spread_changes(node, layout, of(*child), own, &mut |_| true);
        }
        Op::Not(child) => {
            own[..node.words()].iter_mut().zip(of(*child)).for_each(|(own, child)| *own = !child);
            if let Some(last) = own[..node.words()].last_mut() {
                *last &= bits::tail(node.bits);
            }
        }
        Op::And(children) => {
            junction(&mut own[..node.words()], children.iter().map(|&child| of(child)), |own, part| own & part);
        }
        Op::Or(children) => {
            junction(&mut own[..node.words()], children.iter().map(|&child| of(child)), |own, part| own | part);
        }
        Op::Any { child, width } => {
            let source = of(*child);
            by_bit(node.bits, own, |at| bits::any_in_range(source, at * width, *width));
        }
        Op::Count { child, width, amount } => {
            let source = of(*child);
            by_bit(node.bits, own, |at| {
                let count = bits::count_in_range(source, at * width, *width);
                match *amount {
                    Cardinality::AtLeast(required) => count >= u64::from(required),
                    Cardinality::Exactly(required) => count == u64::from(required),
                }
            });
        }
    }
}

fn junction<'m>(own: &mut [u64], mut parts: impl Iterator<Item = &'m [u64]>, join: impl Fn(u64, u64) -> u64) {
    if let Some(first) = parts.next() {
        own.copy_from_slice(first);
    }
    for part in parts {
        own.iter_mut().zip(part).for_each(|(own, &part)| *own = join(*own, part));
    }
}

fn by_bit(count: usize, own: &mut [u64], bit: impl Fn(usize) -> bool) {
    for index in 0..count {
        bits::put(own, index, bit(index));
    }
}
