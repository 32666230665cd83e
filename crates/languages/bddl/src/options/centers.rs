//! The fewest stars that reach the lines of a matrix.
//!
//! A smallest set of cells with so many rows and columns falls into stars: a line with one or several lines across. Each star has
//! one cell fewer than lines, so there are most cells where there are the fewest stars. A line can be in a star as its
//! center or with a center across that it has a cell with, so the centers of the fewest stars are a smallest dominating set
//! of the lines. That is found by branch and bound, which takes long only on dense matrices without a pattern.

/// Most comparisons of two sets of lines that one search makes.
pub const MAX_COMPARISONS: usize = 1 << 19;

/// Most choices on one way of a search.
const MAX_CHOICES: usize = 256;

/// How many of the lines with the fewest centers to choose from are looked at closely.
const LOOKED_AT: usize = 4;

/// A set of lines.
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

/// Lines of one kind, all but some of which are to be reached.
#[derive(Debug, Clone)]
struct Kind {
    lines: Lines,
    /// How many of them need not be reached.
    spare: usize,
}

/// The lines that are to be reached from centers among them.
#[derive(Debug)]
pub(super) struct Stars {
    words: usize,
    kinds: Vec<Kind>,
    /// What each line reaches as a center.
    reaches: Vec<Lines>,
}

/// The fewest centers, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fewest {
    /// How many are enough.
    pub(super) amount: usize,
    /// Whether fewer are not.
    pub(super) proven: bool,
}

impl Stars {
    /// So many lines, numbered on from 0, none of which is to be reached yet.
    pub(super) fn new(lines: usize) -> Self {
        let words = lines.div_ceil(64);
        Self { words, kinds: Vec::new(), reaches: vec![vec![0; words]; lines] }
    }

    /// All but so many of these lines are to be reached.
    pub(super) fn want(&mut self, lines: impl IntoIterator<Item = usize>, spare: usize) {
        let mut kind = Kind { lines: vec![0; self.words], spare };
        lines.into_iter().for_each(|line| add(&mut kind.lines, line));
        self.kinds.push(kind);
    }

    /// A center reaches a line.
    pub(super) fn reach(&mut self, center: usize, line: usize) {
        add(&mut self.reaches[center], line);
    }

    /// The fewest centers; none if all lines together reach too few.
    pub(super) fn fewest(&self) -> Option<Fewest> {
        let mut open = vec![0; self.words];
        for kind in &self.kinds {
            open.iter_mut().zip(&kind.lines).for_each(|(all, lines)| *all |= lines);
        }
        let spare = self.kinds.iter().map(|kind| kind.spare).collect();
        let node = Node { open, spare, barred: vec![0; self.words], chosen: 0, choices: 0 };
        let mut search = Search { stars: self, best: self.greedy(node.clone())?, left: MAX_COMPARISONS, proven: true };
        search.explore(node);
        Some(Fewest { amount: search.best, proven: search.proven })
    }

    /// How many centers there are if each next one is the one that reaches most.
    fn greedy(&self, mut node: Node) -> Option<usize> {
        while self.need(&node) > 0 {
            let (gain, center) = self.largest_gain(&node)?;
            if gain == 0 {
                return None;
            }
            node.choose(&self.reaches[center]);
        }
        Some(node.chosen)
    }

    /// How many lines of a kind are still to be reached.
    fn needs<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = usize> + 'a {
        self.kinds.iter().zip(&node.spare).map(|(kind, spare)| shared(&kind.lines, &node.open).saturating_sub(*spare))
    }

    fn need(&self, node: &Node) -> usize {
        self.needs(node).sum()
    }

    /// The center that reaches most of what is still to be reached, and how much.
    fn largest_gain(&self, node: &Node) -> Option<(usize, usize)> {
        let needs: Vec<usize> = self.needs(node).collect();
        let gain = |center: usize| {
            let reached = self.reaches[center].iter().zip(&node.open).map(|(reached, open)| reached & open).collect();
            self.kinds.iter().zip(&needs).map(|(kind, need)| shared(&kind.lines, &reached).min(*need)).sum::<usize>()
        };
        let centers = (0..self.reaches.len()).filter(|&center| !has(&node.barred, center));
        centers.map(|center| (gain(center), center)).max()
    }
}

/// Where a search stands.
#[derive(Debug, Clone)]
struct Node {
    /// Lines that are not reached.
    open: Lines,
    /// How many of each kind need not be.
    spare: Vec<usize>,
    /// Lines that are not to be centers.
    barred: Lines,
    /// How many centers there are.
    chosen: usize,
    /// How many choices led here.
    choices: usize,
}

impl Node {
    fn choose(&mut self, reached: &Lines) {
        self.open.iter_mut().zip(reached).for_each(|(open, reached)| *open &= !reached);
        self.chosen += 1;
    }
}

/// A line that is to be reached, and how.
struct Choice {
    line: usize,
    /// Its kind, if it need not be reached.
    sparable: Option<usize>,
    centers: Vec<usize>,
}

impl Choice {
    fn ways(&self) -> usize {
        self.centers.len() + usize::from(self.sparable.is_some())
    }
}

struct Search<'a> {
    stars: &'a Stars,
    best: usize,
    /// How many comparisons may still be made.
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
                (&[center], None) => node.choose(&self.stars.reaches[center]),
                _ => return self.branch(node, &choice),
            }
        }
    }

    fn branch(&mut self, mut node: Node, choice: &Choice) {
        node.choices += 1;
        for &center in &choice.centers {
            let mut next = node.clone();
            next.choose(&self.stars.reaches[center]);
            self.explore(next);
            // What comes with this center has been seen.
            add(&mut node.barred, center);
        }
        if let Some(kind) = choice.sparable {
            node.open[choice.line / 64] &= !(1 << (choice.line % 64));
            node.spare[kind] -= 1;
            self.explore(node);
        }
    }

    /// A line with few ways to be reached; none if the search has taken too long.
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
        self.left = self.left.checked_sub((lines.len() + 1) * self.stars.reaches.len())?;
        lines.sort_unstable();
        let mut best: Option<Choice> = None;
        for (_, line, sparable) in lines.into_iter().take(LOOKED_AT) {
            let centers = self.worthwhile(node, line, &relevant)?;
            let choice = Choice { line, sparable, centers };
            if best.as_ref().is_none_or(|best| choice.ways() < best.ways()) {
                best = Some(choice);
            }
        }
        best
    }

    fn centers(&self, node: &Node, line: usize) -> impl Iterator<Item = usize> {
        let reaches = &self.stars.reaches;
        (0..reaches.len()).filter(move |&center| has(&reaches[center], line) && !has(&node.barred, center))
    }

    /// The centers from which a line is reached, without those that reach nothing that another one does not.
    fn worthwhile(&mut self, node: &Node, line: usize, relevant: &Lines) -> Option<Vec<usize>> {
        let reached = |center: usize| -> Lines {
            self.stars.reaches[center].iter().zip(relevant).map(|(reached, relevant)| reached & relevant).collect()
        };
        let centers: Vec<(usize, Lines)> = self.centers(node, line).map(|center| (center, reached(center))).collect();
        self.left = self.left.checked_sub(centers.len() * centers.len())?;
        let outdone = |(center, lines): &(usize, Lines)| {
            centers.iter().any(|(other, others)| {
                other != center
                    && lines.iter().zip(others).all(|(lines, others)| lines & !others == 0)
                    && (lines != others || other < center)
            })
        };
        let mut kept: Vec<&(usize, Lines)> = centers.iter().filter(|center| !outdone(center)).collect();
        kept.sort_by_key(|(_, lines)| std::cmp::Reverse(shared(lines, lines)));
        Some(kept.into_iter().map(|&(center, _)| center).collect())
    }
}
