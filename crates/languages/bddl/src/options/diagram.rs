//! Families of sets of literals as shared decision diagrams.
//!
//! A diagram is a zero-suppressed one with both literals of an atom in one branch: the sets without the atom, those with it,
//! those with its negation. A set with both cannot be written down, so contradictions vanish where families are joined.
//! Atoms come in the order of their ids from the root down, and equal families are one, so a family is as large as it is
//! varied, not as it is numerous.
//!
//! Operations are worked off a list of tasks: the depth of a diagram is that of its atoms, of which there may be very many.

use rustc_hash::FxHashMap;

use super::Literal;
use crate::ground::AtomId;

/// Most branches of one diagram, those of intermediate results included.
pub const MAX_BRANCHES: usize = 1 << 20;

/// Most steps that operations on one diagram take; each remembers one result.
pub const MAX_STEPS: usize = 1 << 20;

/// The options of a goal are too varied: their diagram would have more than [`MAX_BRANCHES`] branches, or take more than
/// [`MAX_STEPS`] steps to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the options are too varied to be told apart within the limits ({MAX_BRANCHES} branches, {MAX_STEPS} steps), which no option \
             lifts: split the goal, or bind fewer variables at once"
        )
    }
}

impl std::error::Error for TooLarge {}

/// A family of sets of literals, by its place in its diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family(u32);

impl Family {
    /// No set at all.
    pub const NONE: Self = Self(0);
    /// Only the empty set.
    pub const UNIT: Self = Self(1);

    /// The family that begins with the branch at this place.
    pub fn of_branch(place: usize) -> Self {
        Self(place as u32 + 2)
    }

    /// The place of its first branch; none for the two families without one.
    pub fn branch(self) -> Option<usize> {
        (self.0 as usize).checked_sub(2)
    }
}

/// A family, by what its sets say of its first atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The atom.
    pub atom: AtomId,
    /// The sets with it, which it is left out of.
    pub positive: Family,
    /// The sets with its negation, which it is left out of.
    pub negative: Family,
    /// The sets that do not mention it.
    pub absent: Family,
}

impl Branch {
    /// The three parts in the order in which options are listed, with the literal that each stands for.
    pub fn parts(self) -> [(Option<Literal>, Family); 3] {
        let literal = |positive| Some(Literal { atom: self.atom, positive });
        [(literal(true), self.positive), (literal(false), self.negative), (None, self.absent)]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Join,
}

/// What is still to be done; results wait on a stack of families.
enum Task {
    Apply(Operation, Family, Family),
    /// The operation on this family and the last result.
    With(Operation, Family),
    /// The operation on the last two results.
    Combine(Operation),
    /// The branch of an atom with the last three results, which is the result of an operation.
    Branch(AtomId, (Operation, Family, Family)),
}

/// A diagram that grows.
#[derive(Debug, Default)]
pub struct Diagram {
    branches: Vec<Branch>,
    unique: FxHashMap<Branch, Family>,
    results: FxHashMap<(Operation, Family, Family), Family>,
    steps: usize,
}

impl Diagram {
    /// All branches; the parts of each come before it.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The family of the one set of this one literal.
    ///
    /// # Errors
    /// If the diagram grows too large.
    pub fn literal(&mut self, Literal { atom, positive }: Literal) -> Result<Family, TooLarge> {
        let [positive, negative] = if positive { [Family::UNIT, Family::NONE] } else { [Family::NONE, Family::UNIT] };
        self.family(Branch { atom, positive, negative, absent: Family::NONE })
    }

    /// The sets of either family.
    ///
    /// # Errors
    /// If the diagram grows too large.
    pub fn union(&mut self, one: Family, other: Family) -> Result<Family, TooLarge> {
        self.run(Operation::Union, one, other)
    }

    /// The unions of a set of one family and a set of the other, without those that contradict themselves.
    ///
    /// # Errors
    /// If the diagram grows too large.
    pub fn join(&mut self, one: Family, other: Family) -> Result<Family, TooLarge> {
        self.run(Operation::Join, one, other)
    }

    fn step(&mut self) -> Result<(), TooLarge> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(TooLarge) } else { Ok(()) }
    }

    fn family(&mut self, branch: Branch) -> Result<Family, TooLarge> {
        if branch.positive == Family::NONE && branch.negative == Family::NONE {
            return Ok(branch.absent);
        }
        if let Some(&known) = self.unique.get(&branch) {
            return Ok(known);
        }
        if self.branches.len() == MAX_BRANCHES {
            return Err(TooLarge);
        }
        let family = Family::of_branch(self.branches.len());
        self.branches.push(branch);
        self.unique.insert(branch, family);
        Ok(family)
    }

    fn first_atom(&self, family: Family) -> Option<AtomId> {
        family.branch().map(|place| self.branches[place].atom)
    }

    /// A family as a branch of an atom that is not after its first one.
    fn at(&self, family: Family, atom: AtomId) -> Branch {
        let own = family.branch().map(|place| self.branches[place]).filter(|branch| branch.atom == atom);
        own.unwrap_or(Branch { atom, positive: Family::NONE, negative: Family::NONE, absent: family })
    }

    fn run(&mut self, operation: Operation, one: Family, other: Family) -> Result<Family, TooLarge> {
        self.step()?;
        let mut tasks = vec![Task::Apply(operation, one, other)];
        let mut results: Vec<Family> = Vec::new();
        // A task finds the results that it needs on the stack; were one missing, it would find no set.
        while let Some(task) = tasks.pop() {
            match task {
                Task::Apply(operation, one, other) => match self.known(operation, one, other) {
                    Some(family) => results.push(family),
                    None => self.expand(operation, one, other, &mut tasks)?,
                },
                Task::With(operation, one) => {
                    let other = results.pop().unwrap_or(Family::NONE);
                    tasks.push(Task::Apply(operation, one, other));
                }
                Task::Combine(operation) => {
                    let [other, one] = [(); 2].map(|()| results.pop().unwrap_or(Family::NONE));
                    tasks.push(Task::Apply(operation, one, other));
                }
                Task::Branch(atom, key) => {
                    let [negative, positive, absent] = [(); 3].map(|()| results.pop().unwrap_or(Family::NONE));
                    let family = self.family(Branch { atom, positive, negative, absent })?;
                    self.results.insert(key, family);
                    results.push(family);
                }
            }
        }
        Ok(results.pop().unwrap_or(Family::NONE))
    }

    /// The result of an operation, if it is plain to see or was met before.
    fn known(&self, operation: Operation, one: Family, other: Family) -> Option<Family> {
        let plain = match operation {
            Operation::Union if one == Family::NONE || one == other => Some(other),
            Operation::Union if other == Family::NONE => Some(one),
            Operation::Join if one == Family::NONE || other == Family::NONE => Some(Family::NONE),
            Operation::Join if one == Family::UNIT => Some(other),
            Operation::Join if other == Family::UNIT => Some(one),
            Operation::Union | Operation::Join => None,
        };
        plain.or_else(|| self.results.get(&(operation, one.min(other), one.max(other))).copied())
    }

    /// The tasks whose results make the branch of the first atom.
    fn expand(
        &mut self,
        operation: Operation,
        one: Family,
        other: Family,
        tasks: &mut Vec<Task>,
    ) -> Result<(), TooLarge> {
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
            // A literal of a joined set is of the first set, whether of the second or not, or of the second alone.
            Operation::Join => {
                for (mine, theirs) in [(first.negative, second.negative), (first.positive, second.positive)] {
                    tasks.extend([
                        Task::Combine(Operation::Union),
                        Task::Apply(Operation::Join, first.absent, theirs),
                        Task::With(Operation::Join, mine),
                        Task::Apply(Operation::Union, theirs, second.absent),
                    ]);
                }
                tasks.push(Task::Apply(Operation::Join, first.absent, second.absent));
            }
        }
        Ok(())
    }
}
