//! Minimum star covers of the lines of a matrix.
//!
//! A minimal set of cells with a given number of rows and columns decomposes into stars: a line with one or more lines of the
//! other direction. Each star has one cell fewer than lines, so the number of cells is maximal where the number of stars is
//! minimal. A line belongs to a star as its center, or through a cell shared with the center, so the centers of a minimum set
//! of stars form a minimum dominating set of the lines. Branch and bound finds it; the search is slow only on dense irregular
//! matrices.

/// The maximum number of set comparisons in one search.
pub const MAX_COMPARISONS: usize = 1 << 19;

/// The maximum number of choices on one path of a search.
const MAX_CHOICES: usize = 256;

/// The number of lines, those with the fewest possible centers first, whose centers are compared in detail.
const MAX_COMPARED_LINES: usize = 4;

/// A set of lines, as a bitset.
type Lines = Vec<u64>;

fn has(set: &Lines, line: usize) -> bool {
    set[line / 64] >> (line % 64) & 1 == 1
}

fn add(set: &mut Lines, line: usize) {
    set[line / 64] |= 1 << (line % 64);
}

fn members(set: &Lines) -> impl Iterator<Item = usize> {
    (0..set.len() * 64).filter(|&line| has(set, line))
}

fn shared(one: &Lines, other: &Lines) -> usize {
    one.iter().zip(other).map(|(one, other)| (one & other).count_ones() as usize).sum()
}

/// A group of lines, all but `spare` of which must be dominated.
#[derive(Debug, Clone)]
struct LineGroup {
    lines: Lines,
    /// The number of lines that may remain undominated.
    spare: usize,
}

/// A dominating-set problem on the lines of a matrix.
#[derive(Debug)]
pub(super) struct DominatingSetProblem {
    words: usize,
    kinds: Vec<LineGroup>,
    /// The lines that each line dominates as a center.
    neighbors: Vec<Lines>,
}

/// The smallest known number of centers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CenterBound {
    /// A sufficient number of centers.
    pub(super) amount: usize,
    /// Whether no smaller number is sufficient.
    pub(super) proven: bool,
}

impl DominatingSetProblem {
    /// Creates a problem with lines numbered from 0, none of which must be dominated yet.
    pub(super) fn new(lines: usize) -> Self {
        let words = lines.div_ceil(64);
        Self { words, kinds: Vec::new(), neighbors: vec![vec![0; words]; lines] }
    }

    /// Requires all but `spare` of the lines to be dominated.
    pub(super) fn require(&mut self, lines: impl IntoIterator<Item = usize>, spare: usize) {
        let mut kind = LineGroup { lines: vec![0; self.words], spare };
        lines.into_iter().for_each(|line| add(&mut kind.lines, line));
        self.kinds.push(kind);
    }

    /// States that `center` dominates `line`.
    pub(super) fn add_edge(&mut self, center: usize, line: usize) {
        add(&mut self.neighbors[center], line);
    }

    /// Returns the minimum number of centers; `None` if even all lines together dominate too few.
    pub(super) fn solve(&self) -> Option<CenterBound> {
        let mut open = vec![0; self.words];
        for kind in &self.kinds {
            open.iter_mut().zip(&kind.lines).for_each(|(all, lines)| *all |= lines);
        }
        let spare = self.kinds.iter().map(|kind| kind.spare).collect();
        let node = Node { open, spare, barred: vec![0; self.words], chosen: 0, choices: 0 };
        let mut search = Search { stars: self, best: self.greedy(node.clone())?, left: MAX_COMPARISONS, proven: true };
        search.explore(node);
        Some(CenterBound { amount: search.best, proven: search.proven })
    }

    /// Returns the number of centers that the greedy algorithm chooses, which takes the one with the largest gain each time.
    fn greedy(&self, mut node: Node) -> Option<usize> {
        while self.need(&node) > 0 {
            let (gain, center) = self.largest_gain(&node)?;
            if gain == 0 {
                return None;
            }
            node.choose(&self.neighbors[center]);
        }
        Some(node.chosen)
    }

    /// Returns, for each group, the number of lines that must still be dominated.
    fn needs<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = usize> + 'a {
        self.kinds.iter().zip(&node.spare).map(|(kind, spare)| shared(&kind.lines, &node.open).saturating_sub(*spare))
    }

    fn need(&self, node: &Node) -> usize {
        self.needs(node).sum()
    }

    /// Returns the center with the largest gain, preceded by the gain: the number of required lines that it newly dominates.
    fn largest_gain(&self, node: &Node) -> Option<(usize, usize)> {
        let needs: Vec<usize> = self.needs(node).collect();
        let gain = |center: usize| {
            let reached = self.neighbors[center].iter().zip(&node.open).map(|(reached, open)| reached & open).collect();
            self.kinds.iter().zip(&needs).map(|(kind, need)| shared(&kind.lines, &reached).min(*need)).sum::<usize>()
        };
        let centers = (0..self.neighbors.len()).filter(|&center| !has(&node.barred, center));
        centers.map(|center| (gain(center), center)).max()
    }
}

/// A node of the search tree.
#[derive(Debug, Clone)]
struct Node {
    /// The undominated lines.
    open: Lines,
    /// The number of lines of each group that may remain undominated.
    spare: Vec<usize>,
    /// The lines that are excluded as centers.
    barred: Lines,
    /// The number of centers chosen so far.
    chosen: usize,
    /// The number of choices on the path to this node.
    choices: usize,
}

impl Node {
    fn choose(&mut self, reached: &Lines) {
        self.open.iter_mut().zip(reached).for_each(|(open, reached)| *open &= !reached);
        self.chosen += 1;
    }
}

/// A branching decision: a line with the centers that may dominate it.
struct Choice {
    line: usize,
    /// The group of the line, if the line may remain undominated.
    sparable: Option<usize>,
    centers: Vec<usize>,
}

impl Choice {
    fn ways(&self) -> usize {
        self.centers.len() + usize::from(self.sparable.is_some())
    }
}

struct Search<'a> {
    stars: &'a DominatingSetProblem,
    best: usize,
    /// The remaining number of comparisons.
    left: usize,
    proven: bool,
}

impl Search<'_> {
    fn explore(&mut self, mut node: Node) {
        loop {
            let need = self.stars.need(&node);
            if need == 0 {
                self.best = self.best.min(node.chosen);
                return;
            }
            let Some((gain, _)) = self.stars.largest_gain(&node) else { return };
            if gain == 0 || node.chosen + need.div_ceil(gain) >= self.best {
                return;
            }
            let Some(choice) = self.choice(&node).filter(|_| node.choices < MAX_CHOICES) else {
                self.proven = false;
                return;
            };
            match (&choice.centers[..], choice.sparable) {
                ([], None) => return,
                (&[center], None) => node.choose(&self.stars.neighbors[center]),
                _ => return self.branch(node, &choice),
            }
        }
    }

    fn branch(&mut self, mut node: Node, choice: &Choice) {
        node.choices += 1;
        for &center in &choice.centers {
            let mut next = node.clone();
            next.choose(&self.stars.neighbors[center]);
            self.explore(next);
            // All covers with this center have been explored.
            add(&mut node.barred, center);
        }
        if let Some(kind) = choice.sparable {
            node.open[choice.line / 64] &= !(1 << (choice.line % 64));
            node.spare[kind] -= 1;
            self.explore(node);
        }
    }

    /// Returns a line with few alternatives; `None` if the budget is exhausted.
    fn choice(&mut self, node: &Node) -> Option<Choice> {
        let mut relevant = vec![0; self.stars.words];
        let mut lines: Vec<(usize, usize, Option<usize>)> = Vec::new();
        for ((place, kind), need) in self.stars.kinds.iter().enumerate().zip(self.stars.needs(node)) {
            if need == 0 {
                continue;
            }
            let open: Lines = kind.lines.iter().zip(&node.open).map(|(lines, open)| lines & open).collect();
            relevant.iter_mut().zip(&open).for_each(|(all, open)| *all |= open);
            let sparable = (node.spare[place] > 0).then_some(place);
            lines.extend(members(&open).map(|line| (self.centers(node, line).count(), line, sparable)));
        }
        self.left = self.left.checked_sub((lines.len() + 1) * self.stars.neighbors.len())?;
        lines.sort_unstable();
        let mut best: Option<Choice> = None;
        for (_, line, sparable) in lines.into_iter().take(MAX_COMPARED_LINES) {
            let centers = self.undominated_centers(node, line, &relevant)?;
            let choice = Choice { line, sparable, centers };
            if best.as_ref().is_none_or(|best| choice.ways() < best.ways()) {
                best = Some(choice);
            }
        }
        best
    }

    fn centers(&self, node: &Node, line: usize) -> impl Iterator<Item = usize> {
        let reaches = &self.stars.neighbors;
        (0..reaches.len()).filter(move |&center| has(&reaches[center], line) && !has(&node.barred, center))
    }

    /// Returns the centers that dominate a line, without those whose relevant lines another center also dominates.
    fn undominated_centers(&mut self, node: &Node, line: usize, relevant: &Lines) -> Option<Vec<usize>> {
        let reached = |center: usize| -> Lines {
            self.stars.neighbors[center].iter().zip(relevant).map(|(reached, relevant)| reached & relevant).collect()
        };
        let centers: Vec<(usize, Lines)> = self.centers(node, line).map(|center| (center, reached(center))).collect();
        self.left = self.left.checked_sub(centers.len() * centers.len())?;
        let is_dominated = |(center, lines): &(usize, Lines)| {
            centers.iter().any(|(other, others)| {
                other != center
                    && lines.iter().zip(others).all(|(lines, others)| lines & !others == 0)
                    && (lines != others || other < center)
            })
        };
        let mut undominated: Vec<&(usize, Lines)> = centers.iter().filter(|center| !is_dominated(center)).collect();
        undominated.sort_by_key(|(_, lines)| std::cmp::Reverse(shared(lines, lines)));
        Some(undominated.into_iter().map(|&(center, _)| center).collect())
    }
}
