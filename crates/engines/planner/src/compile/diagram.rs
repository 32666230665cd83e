//! Multi-terminal binary decision diagrams over propositions.
//!
//! Diagrams are ordered, reduced and shared, so equal functions have equal indices.

use rustc_hash::FxHashMap;

/// Maximum number of nodes of all diagrams of one formula.
pub(super) const MAX_NODES: usize = 1 << 18;

/// The index of a diagram.
pub(super) type Diagram = u32;

/// A conjunction of literals: propositions with their truth values.
pub(super) type Cube = Vec<(u32, bool)>;

/// The leaf value for false.
pub(super) const FALSE: u32 = 0;
/// The leaf value for true.
pub(super) const TRUE: u32 = 1;

/// The proposition of leaves, ordered after all others.
const LEAF: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The tested proposition; [`LEAF`] for a leaf.
    proposition: u32,
    /// The child if the proposition is false; the value of a leaf.
    low: u32,
    /// The child if the proposition is true.
    high: u32,
}

/// Memoised results of a binary operation.
pub(super) type Memo = FxHashMap<(Diagram, Diagram), Diagram>;

/// A store of diagrams.
#[derive(Debug, Default)]
pub(super) struct Diagrams {
    nodes: Vec<Node>,
    places: FxHashMap<Node, Diagram>,
}

impl Diagrams {
    fn place(&mut self, node: Node) -> Diagram {
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as Diagram
        })
    }

    /// Whether the limit on nodes is exceeded.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MAX_NODES
    }

    /// Returns the constant diagram with a value.
    pub(super) fn leaf(&mut self, value: u32) -> Diagram {
        self.place(Node { proposition: LEAF, low: value, high: value })
    }

    /// Returns the diagram that tests a proposition and continues with `low` or `high`.
    pub(super) fn test(&mut self, proposition: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high { low } else { self.place(Node { proposition, low, high }) }
    }

    /// Returns the value of a constant diagram.
    pub(super) fn value(&self, diagram: Diagram) -> Option<u32> {
        let node = self.nodes[diagram as usize];
        (node.proposition == LEAF).then_some(node.low)
    }

    /// Returns the cofactor of a diagram for a truth value of a proposition that precedes or equals the first one it tests.
    fn cofactor(&self, diagram: Diagram, proposition: u32, holds: bool) -> Diagram {
        let node = self.nodes[diagram as usize];
        match (node.proposition == proposition, holds) {
            (false, _) => diagram,
            (true, false) => node.low,
            (true, true) => node.high,
        }
    }

    fn first(&self, left: Diagram, right: Diagram) -> u32 {
        self.nodes[left as usize].proposition.min(self.nodes[right as usize].proposition)
    }

    /// Applies a binary operation to the values of two diagrams.
    pub(super) fn combine(
        &mut self,
        left: Diagram,
        right: Diagram,
        memo: &mut Memo,
        value: &mut impl FnMut(u32, u32) -> u32,
    ) -> Diagram {
        if let Some(&known) = memo.get(&(left, right)) {
            return known;
        }
        let result = if let (Some(one), Some(other)) = (self.value(left), self.value(right)) {
            let value = value(one, other);
            self.leaf(value)
        } else {
            let proposition = self.first(left, right);
            let halves = [false, true].map(|holds| {
                let (one, other) = (self.cofactor(left, proposition, holds), self.cofactor(right, proposition, holds));
                self.combine(one, other, memo, value)
            });
            self.test(proposition, halves[0], halves[1])
        };
        memo.insert((left, right), result);
        result
    }

    /// Applies a function to the values of a diagram.
    pub(super) fn map(
        &mut self,
        diagram: Diagram,
        memo: &mut FxHashMap<Diagram, Diagram>,
        value: &impl Fn(u32) -> u32,
    ) -> Diagram {
        if let Some(&known) = memo.get(&diagram) {
            return known;
        }
        let result = if let Some(old) = self.value(diagram) {
            self.leaf(value(old))
        } else {
            let Node { proposition, low, high } = self.nodes[diagram as usize];
            let (low, high) = (self.map(low, memo, value), self.map(high, memo, value));
            self.test(proposition, low, high)
        };
        memo.insert(diagram, result);
        result
    }

    /// Returns the values of a diagram in ascending order.
    pub(super) fn values(&self, diagram: Diagram) -> Vec<u32> {
        let mut values = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![diagram];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.value(next) {
                Some(value) => values.push(value),
                None => open.extend([self.nodes[next as usize].low, self.nodes[next as usize].high]),
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Restricts a diagram to the assignments that satisfy a cube, sorted by proposition.
    pub(super) fn restrict(&mut self, diagram: Diagram, cube: &[(u32, bool)]) -> Diagram {
        let Node { proposition, low, high } = self.nodes[diagram as usize];
        if proposition == LEAF {
            return diagram;
        }
        let at = cube.partition_point(|&(of, _)| of < proposition);
        match cube.get(at) {
            Some(&(of, holds)) if of == proposition => self.restrict(if holds { high } else { low }, &cube[at + 1..]),
            _ => {
                let (low, high) = (self.restrict(low, &cube[at..]), self.restrict(high, &cube[at..]));
                self.test(proposition, low, high)
            }
        }
    }

    /// Returns an irredundant set of cubes whose disjunction characterises the assignments with a given value (Minato 1992,
    /// "Fast generation of irredundant sum-of-products forms from binary decision diagrams"). Monotone functions get cubes
    /// without negations.
    pub(super) fn cubes(&mut self, diagram: Diagram, of: u32) -> Vec<Cube> {
        let when = self.map(diagram, &mut FxHashMap::default(), &|value| u32::from(value == of));
        let mut cubes = self.cover(when, when).1;
        for cube in &mut cubes {
            cube.sort_unstable();
        }
        cubes
    }

    /// Returns a diagram between two bounds, and an irredundant cover of it.
    fn cover(&mut self, least: Diagram, most: Diagram) -> (Diagram, Vec<Cube>) {
        if self.value(least) == Some(FALSE) {
            return (least, Vec::new());
        }
        if self.value(most) == Some(TRUE) {
            return (most, vec![Cube::new()]);
        }
        let proposition = self.first(least, most);
        let [least0, least1] = [false, true].map(|holds| self.cofactor(least, proposition, holds));
        let [most0, most1] = [false, true].map(|holds| self.cofactor(most, proposition, holds));
        let (only0, only1) = (self.without(least0, most1), self.without(least1, most0));
        let (low, mut cubes) = self.cover(only0, most0);
        for cube in &mut cubes {
            cube.push((proposition, false));
        }
        let (high, others) = self.cover(only1, most1);
        cubes.extend(others.into_iter().map(|mut cube| {
            cube.push((proposition, true));
            cube
        }));
        let (rest0, rest1) = (self.without(least0, low), self.without(least1, high));
        let rest = self.either(rest0, rest1);
        let both = self.combine(most0, most1, &mut Memo::default(), &mut |one, other| one & other);
        let (always, others) = self.cover(rest, both);
        cubes.extend(others);
        let (low, high) = (self.either(low, always), self.either(high, always));
        (self.test(proposition, low, high), cubes)
    }

    fn without(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.combine(left, right, &mut Memo::default(), &mut |one, other| one & (1 - other))
    }

    fn either(&mut self, left: Diagram, right: Diagram) -> Diagram {
        self.combine(left, right, &mut Memo::default(), &mut |one, other| one | other)
    }
}
