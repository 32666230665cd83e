//! Families of literal sets as shared decision diagrams.
//!
//! The diagrams are zero-suppressed decision diagrams with three-way branches: the sets without the atom, those with it, and
//! those with its negation. A set with both cannot be represented, so contradictory sets vanish when families are joined. From
//! the root down, atoms are in the order of their ids. Equal families are shared, so the size of a family depends on its
//! diversity, not on its number of sets.
//!
//! Operations use an explicit task stack instead of recursion, because the depth of a diagram is its number of atoms, which may
//! be very large.

use rustc_hash::FxHashMap;

use super::AtomLiteral;
use crate::ground::AtomId;

/// The maximum number of branches of one diagram, including those of intermediate results.
pub const MAX_DIAGRAM_NODES: usize = 1 << 20;

/// The maximum number of steps of all operations on one diagram; each step caches one result.
pub const MAX_STEPS: usize = 1 << 20;

/// An error: the diagram of the options would have more than [`MAX_DIAGRAM_NODES`] branches, or take more than [`MAX_STEPS`] steps
/// to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramSizeError;

impl std::fmt::Display for DiagramSizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the diagram of the options exceeds the fixed limits of {MAX_DIAGRAM_NODES} branches and {MAX_STEPS} steps: split the goal, \
             or bind fewer variables at once"
        )
    }
}

impl std::error::Error for DiagramSizeError {}

/// A family of literal sets, as an index into its diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family(u32);

impl Family {
    /// The family without any set.
    pub const EMPTY: Self = Self(0);
    /// The family that contains only the empty set.
    pub const UNIT: Self = Self(1);

    /// Returns the family whose root is the branch at this index.
    pub fn from_node_index(place: usize) -> Self {
        Self(place as u32 + 2)
    }

    /// Returns the index of its root branch; `None` for the two families without one.
    pub fn node_index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(2)
    }
}

/// A branch of a diagram: a family decomposed by its first atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DiagramNode {
    /// The atom.
    pub atom: AtomId,
    /// The sets with the atom, without the atom itself.
    pub positive: Family,
    /// The sets with the negation of the atom, without the negation itself.
    pub negative: Family,
    /// The sets that contain neither the atom nor its negation.
    pub absent: Family,
}

impl DiagramNode {
    /// Returns the three subfamilies in the order in which options are listed, with the literal that each omits.
    pub fn children(self) -> [(Option<AtomLiteral>, Family); 3] {
        let literal = |positive| Some(AtomLiteral { atom: self.atom, positive });
        [(literal(true), self.positive), (literal(false), self.negative), (None, self.absent)]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Join,
}

/// A pending task; results are on a stack of families.
enum Task {
    Apply(Operation, Family, Family),
    /// Applies the operation to this family and the last result.
    With(Operation, Family),
    /// Applies the operation to the last two results.
    Combine(Operation),
    /// Creates a branch of an atom from the last three results, and caches it as the result of an operation.
    Branch(AtomId, (Operation, Family, Family)),
}

/// A shared decision diagram that holds any number of families.
#[derive(Debug, Default)]
pub struct Diagram {
    branches: Vec<DiagramNode>,
    unique: FxHashMap<DiagramNode, Family>,
    results: FxHashMap<(Operation, Family, Family), Family>,
    steps: usize,
}

impl Diagram {
    /// Returns all branches; each comes after those of its subfamilies.
    pub fn branches(&self) -> &[DiagramNode] {
        &self.branches
    }

    /// Returns the family of a single set with a single literal.
    ///
    /// # Errors
    /// If the diagram becomes too large.
    pub fn literal(&mut self, AtomLiteral { atom, positive }: AtomLiteral) -> Result<Family, DiagramSizeError> {
        let [positive, negative] = if positive { [Family::UNIT, Family::EMPTY] } else { [Family::EMPTY, Family::UNIT] };
        self.family(DiagramNode { atom, positive, negative, absent: Family::EMPTY })
    }

    /// Returns the union of two families.
    ///
    /// # Errors
    /// If the diagram becomes too large.
    pub fn union(&mut self, one: Family, other: Family) -> Result<Family, DiagramSizeError> {
        self.run(Operation::Union, one, other)
    }

    /// Returns the join of two families: the unions of each set of one with each set of the other, without contradictory ones.
    ///
    /// # Errors
    /// If the diagram becomes too large.
    pub fn join(&mut self, one: Family, other: Family) -> Result<Family, DiagramSizeError> {
        self.run(Operation::Join, one, other)
    }

    fn step(&mut self) -> Result<(), DiagramSizeError> {
        self.spend(1)
    }

    /// Counts steps of work on the diagram's operands.
    ///
    /// # Errors
    /// If the operations take too many steps.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), DiagramSizeError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS { Err(DiagramSizeError) } else { Ok(()) }
    }

    fn family(&mut self, branch: DiagramNode) -> Result<Family, DiagramSizeError> {
        if branch.positive == Family::EMPTY && branch.negative == Family::EMPTY {
            return Ok(branch.absent);
        }
        if let Some(&known) = self.unique.get(&branch) {
            return Ok(known);
        }
        if self.branches.len() == MAX_DIAGRAM_NODES {
            return Err(DiagramSizeError);
        }
        let family = Family::from_node_index(self.branches.len());
        self.branches.push(branch);
        self.unique.insert(branch, family);
        Ok(family)
    }

    fn first_atom(&self, family: Family) -> Option<AtomId> {
        family.node_index().map(|place| self.branches[place].atom)
    }

    /// Decomposes a family by an atom that does not come after its first one.
    fn at(&self, family: Family, atom: AtomId) -> DiagramNode {
        let own = family.node_index().map(|place| self.branches[place]).filter(|branch| branch.atom == atom);
        own.unwrap_or(DiagramNode { atom, positive: Family::EMPTY, negative: Family::EMPTY, absent: family })
    }

    fn run(&mut self, operation: Operation, one: Family, other: Family) -> Result<Family, DiagramSizeError> {
        self.step()?;
        let mut tasks = vec![Task::Apply(operation, one, other)];
        let mut results: Vec<Family> = Vec::new();
        // Every task finds its operands on the stack; the fallback is unreachable.
        while let Some(task) = tasks.pop() {
            match task {
                Task::Apply(operation, one, other) => match self.known(operation, one, other) {
                    Some(family) => results.push(family),
                    None => self.expand(operation, one, other, &mut tasks)?,
                },
                Task::With(operation, one) => {
                    let other = results.pop().unwrap_or(Family::EMPTY);
                    tasks.push(Task::Apply(operation, one, other));
                }
                Task::Combine(operation) => {
                    let [other, one] = [(); 2].map(|()| results.pop().unwrap_or(Family::EMPTY));
                    tasks.push(Task::Apply(operation, one, other));
                }
                Task::Branch(atom, key) => {
                    let [negative, positive, absent] = [(); 3].map(|()| results.pop().unwrap_or(Family::EMPTY));
                    let family = self.family(DiagramNode { atom, positive, negative, absent })?;
                    self.results.insert(key, family);
                    results.push(family);
                }
            }
        }
        Ok(results.pop().unwrap_or(Family::EMPTY))
    }

    /// Returns the result of an operation if it is trivial or cached.
    fn known(&self, operation: Operation, one: Family, other: Family) -> Option<Family> {
        let plain = match operation {
            Operation::Union if one == Family::EMPTY || one == other => Some(other),
            Operation::Union if other == Family::EMPTY => Some(one),
            Operation::Join if one == Family::EMPTY || other == Family::EMPTY => Some(Family::EMPTY),
            Operation::Join if one == Family::UNIT => Some(other),
            Operation::Join if other == Family::UNIT => Some(one),
            Operation::Union | Operation::Join => None,
        };
        plain.or_else(|| self.results.get(&(operation, one.min(other), one.max(other))).copied())
    }

    /// Pushes the tasks that compute the branch of the first atom.
    fn expand(
        &mut self,
        operation: Operation,
        one: Family,
        other: Family,
        tasks: &mut Vec<Task>,
    ) -> Result<(), DiagramSizeError> {
        self.step()?;
        let atoms = [self.first_atom(one), self.first_atom(other)];
        let Some(atom) = atoms.into_iter().flatten().min() else { return Ok(()) };
        let (first, second) = (self.at(one, atom), self.at(other, atom));
        tasks.push(Task::Branch(atom, (operation, one.min(other), one.max(other))));
        match operation {
            Operation::Union => tasks.extend([
                Task::Apply(Operation::Union, first.negative, second.negative),
                Task::Apply(Operation::Union, first.positive, second.positive),
                Task::Apply(Operation::Union, first.absent, second.absent),
            ]),
            // A literal of a joined set is in the first set, and possibly in the second, or in the second alone.
            Operation::Join => {
                for (left, right) in [(first.negative, second.negative), (first.positive, second.positive)] {
                    tasks.extend([
                        Task::Combine(Operation::Union),
                        Task::Apply(Operation::Join, first.absent, right),
                        Task::With(Operation::Join, left),
                        Task::Apply(Operation::Union, right, second.absent),
                    ]);
                }
                tasks.push(Task::Apply(Operation::Join, first.absent, second.absent));
            }
        }
        Ok(())
    }
}
