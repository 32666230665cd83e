//! The options of a goal in factored form, which supports counting and optimization without enumeration.
//!
//! If the parts of a condition share no atom, the options of the whole follow from those of the parts: numbers multiply or add
//! up, and choices combine. A goal is therefore factored as far as possible, including pairing quantifiers, and only parts that
//! share atoms have a [diagram](super::diagram) of their options.
//!
//! | condition | number of options | maximum weight |
//! |---|---|---|
//! | all parts | product | sum |
//! | some part | sum | maximum |
//! | N parts | sum over choices | the N parts with the largest gain |
//! | pairs, matching | matchings without pairs of an object with itself | minimum-cost matching |
//! | pairs, covering | star decompositions | minimum-cost matching; with positive weights, the [minimum star cover](super::star_cover) |
//!
//! Parts may share an atom that the goal requires by itself, because its value is fixed.
//!
//! If the factored form does not determine every result, the [diagram of the whole goal](ExactOptions) is used instead, unless it
//! would be too large.

use rustc_hash::FxHashMap;

use super::exact::{AtomUnionFind, ConditionGroup, conjuncts};
use super::{
    AtomLiteral, BestOption, DiagramSizeError, ExactOptions, LiteralWeights, OptionCount, OptionIter, OptionSolver,
};
use crate::Dialect;
use crate::dialect::{Counting, Pairing};
use crate::ground::{AtomId, GroundGoal, Node, Pairs};

/// The maximum number of steps of one minimum-cost matching: the number of pairs times the square of the number of lines.
pub const MAX_MATCHING_STEPS: usize = 1 << 27;

/// The number of required rows and columns from which the diagram of covers is always too large.
const LARGE_COVER: usize = 8;

/// The number of required pairs from which the diagram of matchings is always too large: it has at least one branch for each
/// set of columns.
const LARGE_MATCHING: usize = 21;

/// The options of a goal in factored form.
#[derive(Debug, Clone)]
pub struct FactoredOptions {
    /// The nodes of the factored form; each comes after its parts, and the last one is the goal.
    pub(super) shapes: Vec<Factor>,
    /// The diagrams: one component for each [`Factor::Diagram`].
    pub(super) diagrams: ExactOptions,
    /// Whether the [best](Self::best) option is proven to be optimal, except where a search reaches its limit.
    is_best_proven: bool,
}

/// A node of the factored form; parts are indices.
#[derive(Debug, Clone)]
pub(super) enum Factor {
    Literal(AtomLiteral),
    /// A component of the diagrams, by its index.
    Diagram(usize),
    /// One option of each of these parts, which share no atom.
    All(Vec<usize>),
    /// One option of one of these parts; the flag states whether their options are distinct.
    Any(Vec<usize>, bool),
    /// One option of each of N of these parts, and for each of the others one option of its alternative, if present. The parts
    /// share no atom.
    Choose(usize, Vec<(usize, Option<usize>)>),
    /// The minimal sets of cells with a required number of rows and columns.
    Cover(Matrix),
    /// The choices of a required number of cells, no two of them in the same row or column.
    Match(Matrix),
}

/// A matrix of cells that share no atom.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    /// The required number of rows and columns: at least 1, and at most the number of rows and of columns.
    pub(super) required: usize,
    /// The shape of each cell, by row and column; `None` for absent cells.
    pub(super) rows: Vec<Vec<Option<usize>>>,
}

impl Matrix {
    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }
}

impl FactoredOptions {
    /// Computes the options of a goal under the semantics of a dialect.
    ///
    /// # Errors
    /// If the options of parts that share atoms take too large a diagram.
    pub fn of(goal: &GroundGoal, dialect: Dialect) -> Result<Self, DiagramSizeError> {
        match Self::factor(goal, dialect) {
            Ok(structure) if structure.is_conclusive() || structure.exceeds_diagram_limit() => Ok(structure),
            other => ExactOptions::of(goal, dialect).map(Self::of_diagrams).or(other),
        }
    }

    fn factor(goal: &GroundGoal, dialect: Dialect) -> Result<Self, DiagramSizeError> {
        let mut builder = Builder {
            dialect,
            shapes: Vec::new(),
            known: FxHashMap::default(),
            groups: Vec::new(),
            owners: vec![(0, 0); goal.atoms.len()],
            round: 0,
            settled: vec![None; goal.atoms.len()],
            weighs_all: true,
        };
        builder.goal(&goal.conjuncts);
        let Builder { shapes, groups, settled: assignment, weighs_all, .. } = builder;
        let mut atoms = AtomUnionFind::new(goal.atoms.len());
        for (node, _) in groups.iter().flatten() {
            atoms.union_atoms(node);
        }
        let diagrams = ExactOptions::of_groups(&groups, &atoms.order, &assignment, dialect)?;
        Ok(Self { shapes, diagrams, is_best_proven: weighs_all })
    }

    fn of_diagrams(diagrams: ExactOptions) -> Self {
        let mut shapes: Vec<Factor> = (0..diagrams.component_count()).map(Factor::Diagram).collect();
        shapes.push(Factor::All((0..shapes.len()).collect()));
        Self { shapes, diagrams, is_best_proven: true }
    }

    /// Whether a single diagram of all options is certain to be too large.
    fn exceeds_diagram_limit(&self) -> bool {
        self.shapes.iter().any(|shape| match shape {
            Factor::Cover(matrix) => matrix.required >= LARGE_COVER,
            Factor::Match(matrix) => matrix.required >= LARGE_MATCHING,
            _ => false,
        })
    }

    fn is_conclusive(&self) -> bool {
        self.is_best_proven && self.count() != OptionCount::Unknown
    }
}

impl OptionSolver for FactoredOptions {
    fn is_exact(&self) -> bool {
        true
    }

    fn count(&self) -> OptionCount {
        self.count_by_structure()
    }

    fn best(&self, counts: &dyn Fn(AtomLiteral) -> bool, weights: LiteralWeights) -> Option<BestOption> {
        self.best_by_structure(counts, weights)
    }

    fn list(&self) -> Result<OptionIter<'_>, DiagramSizeError> {
        Err(DiagramSizeError)
    }

    fn exceeds_diagram_limit(&self) -> bool {
        self.exceeds_diagram_limit()
    }
}

/// Factors conditions.
struct Builder<'g> {
    dialect: Dialect,
    shapes: Vec<Factor>,
    /// The shapes of visited nodes, by address and required truth value.
    known: FxHashMap<(*const Node, bool), usize>,
    /// The groups of conditions that need diagrams.
    groups: Vec<ConditionGroup<'g>>,
    /// For each atom, the round in which it was last visited, and the index of the part that contains it.
    owners: Vec<(usize, usize)>,
    round: usize,
    /// The fixed value of each atom that the goal requires by itself.
    settled: Vec<Option<bool>>,
    weighs_all: bool,
}

impl<'g> Builder<'g> {
    fn push(&mut self, shape: Factor) -> usize {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn diagram(&mut self, group: ConditionGroup<'g>) -> usize {
        self.groups.push(group);
        self.push(Factor::Diagram(self.groups.len() - 1))
    }

    /// Factors the conjuncts of the goal. Conjuncts that are literals fix the values of their atoms for the others.
    fn goal(&mut self, nodes: &'g [Node]) {
        let mut parts = Vec::new();
        let mut places = Vec::new();
        for (node, holds) in conjuncts(nodes.iter().map(|node| (node, true))) {
            let Node::Atom(atom) = node else {
                parts.push((node, holds));
                continue;
            };
            match self.settled[atom.index()].replace(holds) {
                None => places.push(self.push(Factor::Literal(AtomLiteral { atom: *atom, positive: holds }))),
                Some(previous) if previous == holds => {}
                Some(_) => places.push(self.constant(false)),
            }
        }
        places.push(self.all(&parts));
        self.push(Factor::All(places));
    }

    fn shape(&mut self, node: &'g Node, holds: bool) -> usize {
        let key = (std::ptr::from_ref(node), holds);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let shape = match (node, holds) {
            (Node::Atom(atom), _) => match self.settled[atom.index()] {
                Some(assignment) => self.constant(assignment == holds),
                None => self.push(Factor::Literal(AtomLiteral { atom: *atom, positive: holds })),
            },
            (Node::Not(part), _) => self.shape(part, !holds),
            (Node::And(parts) | Node::Forall(parts), true) | (Node::Or(parts) | Node::Exists(parts), false) => {
                self.all(&each(parts, holds))
            }
            (Node::Or(parts) | Node::Exists(parts), true) | (Node::And(parts) | Node::Forall(parts), false) => {
                self.any(&each(parts, holds))
            }
            (Node::Imply(parts), true) => self.any(&[(&parts[0], false), (&parts[1], true)]),
            (Node::Imply(parts), false) => self.all(&[(&parts[0], true), (&parts[1], false)]),
            (Node::ForN(amount, parts), _) => self.counted(node, *amount as usize, parts, holds),
            (Node::ForPairs(pairs), _) => self.pairs(node, pairs, holds),
        };
        self.known.insert(key, shape);
        shape
    }

    fn all(&mut self, parts: &[(&'g Node, bool)]) -> usize {
        let mut places = Vec::new();
        for group in self.grouped(parts) {
            places.push(match group[..] {
                [(node, holds)] => self.shape(node, holds),
                _ => self.diagram(group),
            });
        }
        self.push(Factor::All(places))
    }

    fn any(&mut self, parts: &[(&'g Node, bool)]) -> usize {
        let distinct = self.are_disjoint(parts.iter().map(|&(node, _)| node));
        let places = parts.iter().map(|&(node, holds)| self.shape(node, holds)).collect();
        self.push(Factor::Any(places, distinct))
    }

    /// Factors a count of parts; the cases correspond to those in [`super::build`].
    fn counted(&mut self, node: &'g Node, amount: usize, parts: &'g [Node], holds: bool) -> usize {
        if amount > parts.len() {
            return self.constant(!holds);
        }
        if !self.are_disjoint(parts) {
            return self.diagram(vec![(node, holds)]);
        }
        let counting = self.dialect.counting;
        let mut choose = |amount: usize, hold: bool, others: bool| {
            let part = |part| (self.shape(part, hold), others.then(|| self.shape(part, !hold)));
            let parts = parts.iter().map(part).collect();
            self.push(Factor::Choose(amount, parts))
        };
        match (holds, counting) {
            (true, Counting::AtLeast) => choose(amount, true, false),
            (true, Counting::Exactly) => choose(amount, true, true),
            (false, Counting::AtLeast) => choose(parts.len() - amount + 1, false, false),
            (false, Counting::Exactly) => {
                let mut sides = vec![choose(parts.len() - amount + 1, false, false)];
                if amount < parts.len() {
                    sides.push(choose(amount + 1, true, false));
                }
                self.push(Factor::Any(sides, true))
            }
        }
    }

    /// Returns a node that is always or never satisfied.
    fn constant(&mut self, holds: bool) -> usize {
        self.push(if holds { Factor::All(Vec::new()) } else { Factor::Any(Vec::new(), true) })
    }

    fn pairs(&mut self, node: &'g Node, pairs: &'g Pairs, holds: bool) -> usize {
        let by_object = self.dialect.pairing == Pairing::Matching;
        let place = |place: usize, cell: &crate::ground::Cell| if by_object { cell.right as usize } else { place };
        let cells = || pairs.rows.iter().map(|row| row.iter().enumerate());
        let columns = cells().flatten().map(|(column, cell)| place(column, cell) + 1).max().unwrap_or(0);
        let (required, lines) = (pairs.required(), pairs.rows.len() + columns);
        if required == 0 || required > pairs.rows.len().min(columns) {
            return self.constant((required == 0) == holds);
        }
        let steps = lines.checked_mul(lines).and_then(|steps| steps.checked_mul(required));
        let are_independent = self.are_disjoint(cells().flatten().map(|(_, cell)| &cell.node));
        if !are_independent || steps.is_none_or(|steps| steps > MAX_MATCHING_STEPS) || (by_object && !holds) {
            return self.diagram(vec![(node, holds)]);
        }
        let mut rows = vec![vec![None; columns]; pairs.rows.len()];
        for (row, cells) in rows.iter_mut().zip(cells()) {
            for (column, cell) in cells {
                row[place(column, cell)] = Some(self.shape(&cell.node, holds));
            }
        }
        if !holds {
            return self.empty_lines(required, &rows);
        }
        let matrix = Matrix { required, rows };
        if by_object {
            return self.push(Factor::Match(matrix));
        }
        let plain = |cell: &Option<usize>| cell.is_some_and(|cell| matches!(self.shapes[cell], Factor::Literal(_)));
        self.weighs_all &= matrix.rows.iter().flatten().all(plain);
        self.push(Factor::Cover(matrix))
    }

    /// Factors the negation of a covering: too few rows or too few columns, so the cells of all other lines are false.
    fn empty_lines(&mut self, required: usize, rows: &[Vec<Option<usize>>]) -> usize {
        let width = rows.first().map_or(0, Vec::len);
        let columns: Vec<Vec<Option<usize>>> =
            (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let mut choices = Vec::new();
        for lines in [rows, &columns] {
            let line =
                |line: &Vec<Option<usize>>| (self.push(Factor::All(line.iter().flatten().copied().collect())), None);
            let parts: Vec<_> = lines.iter().map(line).collect();
            choices.push(self.push(Factor::Choose(lines.len() - required + 1, parts)));
        }
        if required == 1 {
            return choices[0];
        }
        // The options for rows and for columns coincide only for all lines of a full matrix, unless cells are absent.
        let distinct = rows.iter().flatten().all(Option::is_some);
        self.push(Factor::Any(choices, distinct))
    }

    /// Groups the [flattened](conjuncts) conditions by shared atoms.
    fn grouped(&mut self, parts: &[(&'g Node, bool)]) -> Vec<ConditionGroup<'g>> {
        let flat = conjuncts(parts.iter().copied());
        // The first part of each group represents it.
        let mut firsts: Vec<usize> = (0..flat.len()).collect();
        self.for_each_shared_atom(flat.iter().map(|&(node, _)| node), |one, other| {
            let (one, other) = (first(&mut firsts, one), first(&mut firsts, other));
            firsts[one.max(other)] = one.min(other);
        });
        let mut groups: Vec<ConditionGroup<'g>> = vec![Vec::new(); flat.len()];
        for (place, &part) in flat.iter().enumerate() {
            groups[first(&mut firsts, place)].push(part);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Whether no two conditions share an atom without a fixed value.
    fn are_disjoint(&mut self, nodes: impl IntoIterator<Item = &'g Node>) -> bool {
        let mut apart = true;
        self.for_each_shared_atom(nodes, |_, _| apart = false);
        apart
    }

    /// Calls `meet` with the indices of conditions that share an atom without a fixed value.
    fn for_each_shared_atom(&mut self, nodes: impl IntoIterator<Item = &'g Node>, mut meet: impl FnMut(usize, usize)) {
        self.round += 1;
        for (place, node) in nodes.into_iter().enumerate() {
            for atom in atoms(node) {
                if self.settled[atom.index()].is_some() {
                    continue;
                }
                let (round, owner) = std::mem::replace(&mut self.owners[atom.index()], (self.round, place));
                if round == self.round && owner != place {
                    meet(owner, place);
                }
            }
        }
    }
}

fn each(nodes: &[Node], holds: bool) -> Vec<(&Node, bool)> {
    nodes.iter().map(|node| (node, holds)).collect()
}

/// Returns the representative of the group of a part.
fn first(firsts: &mut [usize], mut part: usize) -> usize {
    while firsts[part] != part {
        firsts[part] = firsts[firsts[part]];
        part = firsts[part];
    }
    part
}

/// Returns the atoms of a condition, with repetitions.
fn atoms(node: &Node) -> Vec<AtomId> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node {
            Node::Atom(atom) => found.push(*atom),
            Node::Not(part) => open.push(part),
            Node::And(parts) | Node::Or(parts) | Node::Forall(parts) | Node::Exists(parts) | Node::ForN(_, parts) => {
                open.extend(parts);
            }
            Node::Imply(parts) => open.extend(parts.iter()),
            Node::ForPairs(pairs) => open.extend(pairs.rows.iter().flatten().map(|cell| &cell.node)),
        }
    }
    found
}
