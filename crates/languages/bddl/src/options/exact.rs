//! All options of a goal as a decision diagram, counted and compared without enumeration.
//!
//! An option is a consistent set of literals. The options of a goal are defined by structural induction:
//!
//! | requirement | options |
//! |---|---|
//! | an atom is true or false | the literal |
//! | all parts hold | the unions of one option of each part |
//! | some part holds | the options of each part |
//! | exactly N parts hold | for each choice of N parts: these hold and the others do not |
//! | at least N parts hold | for each choice of N parts: these hold, and the others are unconstrained |
//! | pairs, covering | for each minimal set of cells with the required number of rows and columns: these hold |
//! | pairs, matching | for each choice of the required number of disjoint pairs: these hold |
//!
//! A negated requirement is reduced to positive ones: too few or too many parts, empty rows or columns, or fewer lines than
//! required pairs that contain all true cells. Every option thus implies the goal under the semantics of
//! [`evaluate`](crate::evaluate), and every state in which the goal holds satisfies all literals of some option.
//!
//! Conjuncts that share no atom, even indirectly, are separate [components](ExactOptions::component_count): their numbers of options
//! multiply.

use rustc_hash::FxHashMap;

use super::build::Builder;
use super::diagram::{Diagram, DiagramNode, DiagramSizeError, Family};
use super::release::ListedLiteral;
use super::{AtomLiteral, BestOption, LiteralWeights, OptionCount, OptionIter, OptionSolver};
use crate::Dialect;
use crate::ground::{AtomId, GroundGoal, Node, Pairs};

/// All options of a goal.
#[derive(Debug, Clone)]
pub struct ExactOptions {
    /// The branches of all components; each comes after those of its subfamilies, and those of a component are contiguous.
    pub(super) branches: Vec<DiagramNode>,
    pub(super) components: Vec<Component>,
}

/// The options of conjuncts that are connected by shared atoms, and share none with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) root: Family,
    /// The range of its branches.
    pub(super) branches: std::ops::Range<usize>,
}

/// The option nearest to a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestOption {
    /// The literals of the option that are false in the state.
    pub missing: Vec<AtomLiteral>,
    /// The literals of the option that are true in the state.
    pub satisfied: Vec<AtomLiteral>,
}

impl ExactOptions {
    /// Computes the options of a goal under the semantics of a dialect.
    ///
    /// # Errors
    /// If the diagram becomes too large.
    pub fn of(goal: &GroundGoal, dialect: Dialect) -> Result<Self, DiagramSizeError> {
        Self::of_nodes(goal.atoms.len(), goal.conjuncts.iter(), dialect)
    }

    /// Computes the options of a conjunction of conditions over `atoms` atoms.
    pub(crate) fn of_nodes<'g>(
        atoms: usize,
        nodes: impl DoubleEndedIterator<Item = &'g Node>,
        dialect: Dialect,
    ) -> Result<Self, DiagramSizeError> {
        let (groups, order) = group_by_shared_atoms(atoms, nodes);
        Self::of_groups(&groups, &order, &vec![None; atoms], dialect)
    }

    /// Computes the options of groups of conditions, one component for each group. `order` lists the atoms of the conditions;
    /// `settled` contains, for every atom, its fixed value if it has one.
    pub(super) fn of_groups(
        groups: &[ConditionGroup<'_>],
        order: &[AtomId],
        settled: &[Option<bool>],
        dialect: Dialect,
    ) -> Result<Self, DiagramSizeError> {
        let mut levels = vec![AtomId(0); settled.len()];
        for (level, atom) in order.iter().enumerate() {
            levels[atom.index()] = AtomId(level as u32);
        }
        let mut diagram = Diagram::default();
        let mut builder = Builder::new(&mut diagram, dialect, &levels, settled);
        let roots = groups.iter().map(|parts| builder.conjunction(parts)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::compact(&diagram, &roots, order))
    }

    /// Copies the branches that are reachable from the roots, contiguously for each root, and replaces levels by atoms.
    fn compact(diagram: &Diagram, roots: &[Family], order: &[AtomId]) -> Self {
        let old = diagram.branches();
        let mut options = Self { branches: Vec::new(), components: Vec::with_capacity(roots.len()) };
        let mut places: FxHashMap<Family, Family> = FxHashMap::default();
        let mut found: Vec<usize> = Vec::new();
        for &root in roots {
            places.clear();
            found.clear();
            found.extend(root.node_index());
            places.insert(root, root);
            let mut next = 0;
            while let Some(&place) = found.get(next) {
                next += 1;
                for (_, part) in old[place].children() {
                    if part.node_index().is_some() && places.insert(part, part).is_none() {
                        found.extend(part.node_index());
                    }
                }
            }
            found.sort_unstable();
            let start = options.branches.len();
            for &place in &found {
                let moved = |part: Family| places.get(&part).copied().unwrap_or(part);
                let DiagramNode { atom, positive, negative, absent } = old[place];
                let branch = DiagramNode {
                    atom: order[atom.index()],
                    positive: moved(positive),
                    negative: moved(negative),
                    absent: moved(absent),
                };
                places.insert(Family::from_node_index(place), Family::from_node_index(options.branches.len()));
                options.branches.push(branch);
            }
            let root = places.get(&root).copied().unwrap_or(root);
            options.components.push(Component { root, branches: start..options.branches.len() });
        }
        options
    }

    /// Returns the number of components: groups of conjuncts without a shared atom.
    pub fn component_count(&self) -> usize {
        self.components.len()
    }

    /// Returns the number of branches of the diagram.
    pub fn node_count(&self) -> usize {
        self.branches.len()
    }

    /// Whether the goal holds in some state.
    pub fn is_satisfiable(&self) -> bool {
        self.components.iter().all(|component| component.root != Family::EMPTY)
    }

    /// Returns the number of options of each component, or `None` for one that exceeds `u128::MAX`.
    pub(super) fn counts(&self) -> Vec<Option<u128>> {
        let mut counts: Vec<Option<u128>> = Vec::with_capacity(self.branches.len());
        let count = |counts: &[Option<u128>], family: Family| match family.node_index() {
            None => Some(u128::from(family == Family::UNIT)),
            Some(place) => counts[place],
        };
        for branch in &self.branches {
            let sum =
                branch.children().iter().try_fold(0u128, |sum, &(_, part)| sum.checked_add(count(&counts, part)?));
            counts.push(sum);
        }
        self.components.iter().map(|component| count(&counts, component.root)).collect()
    }

    /// Returns the option with the maximum total weight, preceded by this total; `None` if there is no option. Of several such
    /// options, it is the first in the order in which options of one length are [listed](super::listing).
    ///
    /// Weights must be small enough for their sum to fit into an `i64`.
    pub fn best_literals(&self, weight: impl Fn(AtomLiteral) -> i64) -> Option<(i64, Vec<AtomLiteral>)> {
        let (mut total, mut option) = (0, Vec::new());
        for best in self.best_parts(weight) {
            let (weight, literals) = best?;
            total += weight;
            option.extend(literals);
        }
        option.sort_unstable();
        Some((total, option))
    }

    /// Returns the [best](Self::best_literals) option of each component.
    pub(super) fn best_parts(&self, weight: impl Fn(AtomLiteral) -> i64) -> Vec<Option<(i64, Vec<AtomLiteral>)>> {
        // Every branch of a diagram has at least one set, so every branch has a best one.
        let mut chosen: Vec<(i64, Option<AtomLiteral>, Family)> = Vec::with_capacity(self.branches.len());
        let value = |chosen: &[(i64, Option<AtomLiteral>, Family)], family: Family| {
            family.node_index().map_or(0, |place| chosen[place].0)
        };
        for branch in &self.branches {
            let mut best: Option<(i64, Option<AtomLiteral>, Family)> = None;
            for (literal, part) in branch.children().into_iter().filter(|(_, part)| *part != Family::EMPTY) {
                let total = value(&chosen, part) + literal.map_or(0, &weight);
                if best.is_none_or(|(best, ..)| total > best) {
                    best = Some((total, literal, part));
                }
            }
            chosen.push(best.unwrap_or((0, None, Family::EMPTY)));
        }
        let best = |component: &Component| {
            let mut option = Vec::new();
            let mut family = component.root;
            while let Some(place) = family.node_index() {
                let (_, literal, part) = chosen[place];
                option.extend(literal);
                family = part;
            }
            (component.root != Family::EMPTY).then(|| (value(&chosen, component.root), option))
        };
        self.components.iter().map(best).collect()
    }

    /// Returns, for each component, whether the empty set is an option.
    pub(super) fn empty_options(&self) -> Vec<bool> {
        let empty = |component: &Component| {
            let mut family = component.root;
            while let Some(place) = family.node_index() {
                family = self.branches[place].absent;
            }
            family == Family::UNIT
        };
        self.components.iter().map(empty).collect()
    }

    /// Returns the option with the fewest literals that are false in a state, and of these one with the most literals that are
    /// true; `None` if there is no option. No literal is missing if and only if the goal holds.
    pub fn nearest_literals(&self, state: &[bool]) -> Option<NearestOption> {
        // One missing literal outweighs all true ones, since there are fewer than 2^32 atoms; the sum fits into an `i64`.
        const MISSING: i64 = -(1 << 32);
        let (_, option) = self.best_literals(|literal| if literal.holds(state) { 1 } else { MISSING })?;
        let (satisfied, missing) = option.into_iter().partition(|literal| literal.holds(state));
        Some(NearestOption { missing, satisfied })
    }
}

impl OptionSolver for ExactOptions {
    fn is_exact(&self) -> bool {
        true
    }

    fn count(&self) -> OptionCount {
        if !self.is_satisfiable() {
            return OptionCount::Exactly(0);
        }
        OptionCount::of(self.counts().into_iter().try_fold(1u128, |product, count| product.checked_mul(count?)))
    }

    fn best(&self, counts: &dyn Fn(AtomLiteral) -> bool, weights: LiteralWeights) -> Option<BestOption> {
        let weight = |literal| if counts(literal) { weights.counted } else { weights.other };
        let (_, option) = self.best_literals(weight)?;
        Some(BestOption::of_literals(option, counts))
    }

    fn list(&self) -> Result<OptionIter<'_>, DiagramSizeError> {
        let listed =
            |literal: AtomLiteral| ListedLiteral { atom: literal.atom, negations: u32::from(!literal.positive) };
        Ok(Box::new(self.try_iter()?.map(move |option| option.into_iter().map(listed).collect())))
    }
}

/// Conditions that share atoms, each with its required truth value.
pub(super) type ConditionGroup<'g> = Vec<(&'g Node, bool)>;

/// Flattens the conjunctions among conditions with required truth values, in their order.
pub(super) fn conjuncts<'g>(conditions: impl DoubleEndedIterator<Item = (&'g Node, bool)>) -> ConditionGroup<'g> {
    let mut parts = ConditionGroup::new();
    let mut open: ConditionGroup<'g> = conditions.rev().collect();
    while let Some((node, holds)) = open.pop() {
        match (node, holds) {
            (Node::And(nodes) | Node::Forall(nodes), true) | (Node::Or(nodes) | Node::Exists(nodes), false) => {
                open.extend(nodes.iter().rev().map(|node| (node, holds)));
            }
            (Node::Not(node), _) => open.push((node, !holds)),
            (Node::Imply(nodes), false) => open.extend([(&nodes[1], false), (&nodes[0], true)]),
            _ => parts.push((node, holds)),
        }
    }
    parts
}

/// Flattens conjunctions, and groups the resulting conditions by shared atoms. Also returns the atoms in the variable order of
/// the diagram, last one first.
fn group_by_shared_atoms<'g>(
    atoms: usize,
    nodes: impl DoubleEndedIterator<Item = &'g Node>,
) -> (Vec<ConditionGroup<'g>>, Vec<AtomId>) {
    let parts = conjuncts(nodes.map(|node| (node, true)));
    let mut groups = AtomUnionFind::new(atoms);
    let firsts: Vec<Option<AtomId>> = parts.iter().map(|(node, _)| groups.union_atoms(node)).collect();
    let mut ids: FxHashMap<usize, usize> = FxHashMap::default();
    let mut result: Vec<ConditionGroup<'_>> = Vec::new();
    for (part, first) in parts.into_iter().zip(firsts) {
        let new = result.len();
        let place = match first {
            Some(atom) => *ids.entry(groups.root(atom.index())).or_insert(new),
            None => new,
        };
        if place == new {
            result.push(Vec::new());
        }
        result[place].push(part);
    }
    (result, groups.order)
}

/// A union-find structure over atoms.
pub(super) struct AtomUnionFind {
    /// The parent of each atom; a root is its own parent.
    above: Vec<usize>,
    met: Vec<bool>,
    /// The visited atoms, in order.
    pub(super) order: Vec<AtomId>,
}

impl AtomUnionFind {
    pub(super) fn new(count: usize) -> Self {
        Self { above: (0..count).collect(), met: vec![false; count], order: Vec::with_capacity(count) }
    }

    fn root(&mut self, mut atom: usize) -> usize {
        while self.above[atom] != atom {
            self.above[atom] = self.above[self.above[atom]];
            atom = self.above[atom];
        }
        atom
    }

    /// Merges the atoms of a condition into one group, and returns one of them.
    pub(super) fn union_atoms(&mut self, node: &Node) -> Option<AtomId> {
        let mut first = None;
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match node {
                Node::Atom(atom) => {
                    if !std::mem::replace(&mut self.met[atom.index()], true) {
                        self.order.push(*atom);
                    }
                    let one = first.get_or_insert(*atom).index();
                    let (one, other) = (self.root(one), self.root(atom.index()));
                    self.above[one.max(other)] = one.min(other);
                }
                Node::Not(part) => open.push(part),
                Node::And(parts)
                | Node::Or(parts)
                | Node::Forall(parts)
                | Node::Exists(parts)
                | Node::ForN(_, parts) => {
                    open.extend(parts.iter().rev());
                }
                Node::Imply(parts) => open.extend(parts.iter().rev()),
                Node::ForPairs(pairs) => open.extend(cells(pairs).into_iter().rev()),
            }
        }
        first
    }
}

/// Returns the cells of a matrix along the lines of its longer side, the order in which the builder visits them.
fn cells(pairs: &Pairs) -> Vec<&Node> {
    if pairs.columns() <= pairs.rows.len() {
        return pairs.rows.iter().flatten().map(|cell| &cell.node).collect();
    }
    let width = pairs.rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |place: usize| pairs.rows.iter().filter_map(move |row| Some(&row.get(place)?.node));
    (0..width).flat_map(column).collect()
}
