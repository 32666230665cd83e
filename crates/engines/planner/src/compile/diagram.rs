//! Decision diagrams: what comes of the truths of propositions, each looked at at most once, in order.
//!
//! Reduced and shared, so that two of them are the same if and only if they have the same number.

use rustc_hash::FxHashMap;

/// Most nodes of all diagrams of one formula.
pub(super) const MAX_NODES: usize = 1 << 18;

/// A diagram, by place.
pub(super) type Diagram = u32;

/// A conjunction of propositions and negated ones.
pub(super) type Cube = Vec<(u32, bool)>;

/// The leaf that stands for what cannot be.
pub(super) const FALSE: u32 = 0;
/// The leaf that stands for what is certain.
pub(super) const TRUE: u32 = 1;

/// Comes after all propositions.
const LEAF: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The proposition that is looked at; [`LEAF`]: nothing more.
    proposition: u32,
    /// Where to go on if it does not hold; the value of a leaf.
    low: u32,
    /// Where to go on if it holds.
    high: u32,
}

/// What has been computed of pairs of diagrams.
pub(super) type Memo = FxHashMap<(Diagram, Diagram), Diagram>;

/// All diagrams.
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

    /// Whether there are more nodes than there may be.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MAX_NODES
    }

    /// A value, whatever holds.
    pub(super) fn leaf(&mut self, value: u32) -> Diagram {
        self.place(Node { proposition: LEAF, low: value, high: value })
    }

    /// The one or the other, as the proposition does not hold or does.
    pub(super) fn test(&mut self, proposition: u32, low: Diagram, high: Diagram) -> Diagram {
        if low == high { low } else { self.place(Node { proposition, low, high }) }
    }

    /// The value, if it is the same whatever holds.
    pub(super) fn value(&self, diagram: Diagram) -> Option<u32> {
        let node = self.nodes[diagram as usize];
        (node.proposition == LEAF).then_some(node.low)
    }

    /// What comes of a diagram if the proposition, which comes before all that it looks at or is the first, has this truth.
    fn half(&self, diagram: Diagram, proposition: u32, holds: bool) -> Diagram {
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

    /// The values of two diagrams put together.
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
                let (one, other) = (self.half(left, proposition, holds), self.half(right, proposition, holds));
                self.combine(one, other, memo, value)
            });
            self.test(proposition, halves[0], halves[1])
        };
        memo.insert((left, right), result);
        result
    }

    /// Other values for those of a diagram.
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

    /// The values of a diagram, ascending.
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

    /// What remains of a diagram where a cube, sorted by proposition, holds.
    pub(super) fn under(&mut self, diagram: Diagram, cube: &[(u32, bool)]) -> Diagram {
        let Node { proposition, low, high } = self.nodes[diagram as usize];
        if proposition == LEAF {
            return diagram;
        }
        let at = cube.partition_point(|&(of, _)| of < proposition);
        match cube.get(at) {
            Some(&(of, holds)) if of == proposition => self.under(if holds { high } else { low }, &cube[at + 1..]),
            _ => {
                let (low, high) = (self.under(low, &cube[at..]), self.under(high, &cube[at..]));
                self.test(proposition, low, high)
            }
        }
    }

    /// Cubes, none of them superfluous, that together say when a diagram has a value (Minato 1992, "Fast generation of irredundant
    /// sum-of-products forms from binary decision diagrams"). What only needs truths is said without untruths.
    pub(super) fn cubes(&mut self, diagram: Diagram, of: u32) -> Vec<Cube> {
        let when = self.map(diagram, &mut FxHashMap::default(), &|value| u32::from(value == of));
        let mut cubes = self.cover(when, when).1;
        for cube in &mut cubes {
            cube.sort_unstable();
        }
        cubes
    }

    /// A diagram between the two, and cubes that say when it is true.
    fn cover(&mut self, least: Diagram, most: Diagram) -> (Diagram, Vec<Cube>) {
        if self.value(least) == Some(FALSE) {
            return (least, Vec::new());
        }
        if self.value(most) == Some(TRUE) {
            return (most, vec![Cube::new()]);
        }
        let proposition = self.first(least, most);
        let [least0, least1] = [false, true].map(|holds| self.half(least, proposition, holds));
        let [most0, most1] = [false, true].map(|holds| self.half(most, proposition, holds));
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
