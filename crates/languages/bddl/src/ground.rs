//! Grounding: a goal with its quantifiers expanded over the objects of the problem.
//!
//! The tree preserves the operators of the source, so that options can be listed as the releases list them. The
//! [`Dialect`](crate::Dialect) of the evaluation determines the semantics of each operator.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use goalspec_syntax::NodeSpan;
use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::ast::{Atom, Expr, ExprKind, Name, Problem, Variable};
use crate::knowledge::tables::JaggedArray;
use crate::symbols::SymbolTable;

/// The maximum number of nodes of a ground goal.
pub const MAX_NODES: usize = 1 << 20;

/// The maximum nesting depth of a goal that can be grounded, which is that of the parser.
pub const MAX_DEPTH: usize = goalspec_syntax::limits::MAX_DEPTH;

/// A ground atom: a predicate applied to instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundAtom {
    /// The predicate.
    pub predicate: Arc<str>,
    /// The instances, in order.
    pub arguments: SmallVec<[Arc<str>; 2]>,
}

impl Hash for GroundAtom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_names(&self.predicate, self.arguments.iter().map(|argument| &**argument), state);
    }
}

/// An AST atom as a lookup key for ground atoms.
struct AtomRef<'a>(&'a Atom);

impl Hash for AtomRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_names(&self.0.predicate.text, self.0.arguments.iter().map(|argument| &*argument.text), state);
    }
}

impl Equivalent<GroundAtom> for AtomRef<'_> {
    fn equivalent(&self, key: &GroundAtom) -> bool {
        let (predicate, arguments) = (&self.0.predicate, &self.0.arguments);
        predicate.text == key.predicate && arguments.iter().map(|argument| &argument.text).eq(&key.arguments)
    }
}

fn hash_names<'n, H: Hasher>(predicate: &str, arguments: impl Iterator<Item = &'n str>, state: &mut H) {
    predicate.hash(state);
    arguments.for_each(|argument| argument.hash(state));
}

/// The ground atoms of a goal, in the order of their ids.
pub type Atoms = IndexSet<GroundAtom, FxBuildHasher>;

/// The id of a ground atom: its index in [`GroundGoal::atoms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Returns the id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A goal over ground atoms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroundGoal {
    /// The atoms of the goal, in order of first occurrence.
    pub atoms: Atoms,
    /// The conjuncts, corresponding to those of [`Problem::goal`].
    pub conjuncts: Vec<Node>,
}

/// A condition over ground atoms.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An atom.
    Atom(AtomId),
    /// Negation.
    Not(Box<Node>),
    /// `and`.
    And(Vec<Node>),
    /// `or`.
    Or(Vec<Node>),
    /// `imply`.
    Imply(Box<[Node; 2]>),
    /// `forall`: one operand for each instance of the category, in order of declaration.
    Forall(Vec<Node>),
    /// `exists`: one operand for each instance, in order of declaration.
    Exists(Vec<Node>),
    /// `forn`: the number N, and one operand for each instance, in order of declaration.
    ForN(u32, Vec<Node>),
    /// `forpairs` and `fornpairs`: a matrix of operands.
    ForPairs(Pairs),
}

/// The matrix of `forpairs` and `fornpairs`. It has a row for each left instance, and in it a cell for each right instance
/// other than the left one.
///
/// If both sides have the same category, a row has one cell fewer than there are instances, and the cells of a column may
/// belong to different instances. The releases number columns by position, and so does
/// [`Pairing::Covering`](crate::dialect::Pairing); [`Pairing::Matching`](crate::dialect::Pairing) identifies columns by
/// [`Cell::right`].
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// The number of pairs; `None` requires as many as the smaller side has.
    pub amount: Option<u32>,
    /// The rows of the matrix.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of the matrix of a pairing quantifier: the condition on one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The index of the right instance, in order of declaration.
    pub right: u32,
    /// The condition on the pair.
    pub node: Node,
}

impl Pairs {
    /// Returns the number of columns, by position.
    pub fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// Returns the required number of pairs.
    pub fn required(&self) -> usize {
        self.amount.map_or_else(|| self.rows.len().min(self.columns()), |amount| amount as usize)
    }
}

/// An error that prevents grounding of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundError {
    /// The kind of error.
    pub kind: GroundErrorKind,
    /// The source location of the cause.
    pub origin: NodeSpan,
}

/// The kind of a [`GroundError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroundErrorKind {
    /// A term is neither an object nor a variable.
    UnknownObject(Arc<str>),
    /// A quantifier ranges over an undeclared category.
    UnknownCategory(Arc<str>),
    /// The goal nests deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The goal has more than [`MAX_NODES`] nodes.
    TooLarge,
}

impl std::fmt::Display for GroundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            GroundErrorKind::UnknownObject(name) => write!(f, "`{name}` is neither an object nor a variable"),
            GroundErrorKind::UnknownCategory(name) => write!(f, "no object of the category `{name}` is declared"),
            GroundErrorKind::TooDeep => write!(
                f,
                "the nesting of the goal exceeds the fixed limit of {MAX_DEPTH} levels: reduce the nesting, or split the goal"
            ),
            GroundErrorKind::TooLarge => write!(
                f,
                "the ground goal exceeds the fixed limit of {MAX_NODES} nodes: split the goal, or bind fewer variables together"
            ),
        }
    }
}

impl std::error::Error for GroundError {}

impl GroundGoal {
    /// Grounds the goal of a problem. A quantifier ranges over the declared instances of exactly its category.
    ///
    /// # Errors
    /// The first error in source order. The goal of a problem that was parsed without errors can fail only because of its size.
    pub fn new(problem: &Problem) -> Result<Self, GroundError> {
        Ok(CompactGoal::of(&SymbolTable::of(problem))?.named())
    }

    /// Returns the atom with the given id.
    ///
    /// # Panics
    /// If the id is out of range, because it is of another goal.
    pub fn atom(&self, id: AtomId) -> &GroundAtom {
        &self.atoms[id.index()]
    }

    /// Returns the initial truth values, indexed by [`AtomId`]. Atoms that `(:init ..)` does not mention are false; the last of
    /// several literals with the same atom applies.
    pub fn initial_state(&self, problem: &Problem) -> Vec<bool> {
        let mut state = vec![false; self.atoms.len()];
        for literal in &problem.init {
            if let Some(place) = self.atoms.get_index_of(&AtomRef(&literal.atom)) {
                state[place] = literal.positive;
            }
        }
        state
    }
}

/// A ground goal whose atoms are numbers instead of names, which takes far less time and memory.
pub(crate) struct CompactGoal<'a> {
    /// The conjuncts, corresponding to those of [`Problem::goal`].
    pub(crate) conjuncts: Vec<Node>,
    objects: Objects<'a>,
    atoms: AtomTable<'a>,
}

impl<'a> CompactGoal<'a> {
    /// Grounds a goal like [`GroundGoal::new`].
    pub(crate) fn of(declared: &'a SymbolTable<'a>) -> Result<Self, GroundError> {
        let objects = Objects::of(declared);
        let (variables, atoms) = (Vec::new(), AtomTable::default());
        let mut builder = Builder { objects: &objects, variables, atoms, nodes: 0, depth: 0 };
        let mut conjuncts = Vec::with_capacity(declared.problem.goal.len());
        for expr in &declared.problem.goal {
            conjuncts.push(builder.node(expr)?);
        }
        let atoms = builder.atoms;
        Ok(Self { conjuncts, objects, atoms })
    }

    /// Returns the initial truth values like [`GroundGoal::initial_state`].
    pub(crate) fn initial_state(&self) -> Vec<bool> {
        let mut state = vec![false; self.atoms.keys.len()];
        for (literal, instances) in self.objects.declared.init() {
            if let Some(place) = self.place(&literal.atom, instances) {
                state[place] = literal.positive;
            }
        }
        state
    }

    /// Returns the index of an atom in the goal; `instances` are the referents of its arguments.
    fn place(&self, atom: &Atom, instances: &[Option<u32>]) -> Option<usize> {
        let predicate = self.atoms.predicates.get_index_of(&atom.predicate.text)? as u32;
        let arguments = instances.iter().copied().collect::<Option<_>>()?;
        self.atoms.keys.get_index_of(&AtomKey { predicate, arguments })
    }

    /// Converts the goal to one with named atoms.
    fn named(self) -> GroundGoal {
        let Self { conjuncts, objects, atoms: AtomTable { predicates, keys } } = self;
        let ground_atom = |AtomKey { predicate, arguments }: AtomKey| GroundAtom {
            predicate: predicates[predicate as usize].clone(),
            arguments: arguments.iter().map(|&place| objects.name(place).clone()).collect(),
        };
        GroundGoal { atoms: keys.into_iter().map(ground_atom).collect(), conjuncts }
    }
}

/// Ground atoms by the numbers of their predicates and instances.
#[derive(Default)]
struct AtomTable<'a> {
    predicates: IndexSet<&'a Arc<str>, FxBuildHasher>,
    /// The atoms, in the order of their ids.
    keys: IndexSet<AtomKey, FxBuildHasher>,
}

/// A ground atom: the index of its predicate in [`AtomTable`], and those of its instances in [`Objects`].
#[derive(PartialEq, Eq, Hash)]
struct AtomKey {
    predicate: u32,
    arguments: SmallVec<[u32; 2]>,
}

/// The objects of a problem for resolving terms and expanding quantifiers, as indices of declared instances.
struct Objects<'a> {
    declared: &'a SymbolTable<'a>,
    /// The instances of each category, in order of declaration.
    members: JaggedArray<u32>,
}

impl<'a> Objects<'a> {
    fn of(declared: &'a SymbolTable<'a>) -> Self {
        let first = declared.instances.iter().zip(0..).map(|(instance, place)| (instance.category, place));
        let redeclaration =
            declared.redeclarations.iter().map(|redeclaration| (redeclaration.category, redeclaration.instance));
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(declared.instances.len() + declared.redeclarations.len());
        members.extend(first);
        if !declared.redeclarations.is_empty() {
            members.extend(redeclaration);
            members.sort_unstable();
            members.dedup();
        }
        Self { declared, members: JaggedArray::new(declared.categories.len(), &members) }
    }

    /// Returns the instances of a category.
    fn members(&self, category: &Name) -> Result<&[u32], GroundError> {
        let place = self.declared.category(&category.text).ok_or_else(|| GroundError {
            kind: GroundErrorKind::UnknownCategory(category.text.clone()),
            origin: category.origin,
        })?;
        Ok(self.members.row(place as usize))
    }

    /// Returns the name of an instance.
    fn name(&self, place: u32) -> &Arc<str> {
        &self.declared.instances[place as usize].name.text
    }
}

/// The state of grounding one goal.
struct Builder<'o, 'a> {
    objects: &'o Objects<'a>,
    /// The variables in scope with their current instances, innermost last.
    variables: Vec<(&'a Arc<str>, u32)>,
    atoms: AtomTable<'a>,
    nodes: usize,
    depth: usize,
}

impl<'o, 'a> Builder<'o, 'a> {
    fn node(&mut self, expr: &'a Expr) -> Result<Node, GroundError> {
        let fail = |kind| Err(GroundError { kind, origin: expr.origin });
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return fail(GroundErrorKind::TooLarge);
        }
        if self.depth >= MAX_DEPTH {
            return fail(GroundErrorKind::TooDeep);
        }
        self.depth += 1;
        let node = match &expr.kind {
            ExprKind::Atom(atom) => Node::Atom(self.atom(atom)?),
            ExprKind::Not(part) => Node::Not(Box::new(self.node(part)?)),
            ExprKind::And(parts) => Node::And(self.all(parts)?),
            ExprKind::Or(parts) => Node::Or(self.all(parts)?),
            ExprKind::Imply(parts) => Node::Imply(Box::new([self.node(&parts[0])?, self.node(&parts[1])?])),
            ExprKind::Forall(variable, body) => Node::Forall(self.each(variable, body)?),
            ExprKind::Exists(variable, body) => Node::Exists(self.each(variable, body)?),
            ExprKind::ForN { amount, variable, body } => Node::ForN(*amount, self.each(variable, body)?),
            ExprKind::ForPairs { amount, left, right, body } => {
                Node::ForPairs(Pairs { amount: *amount, rows: self.pairs(left, right, body)? })
            }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn all(&mut self, parts: &'a [Expr]) -> Result<Vec<Node>, GroundError> {
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            nodes.push(self.node(part)?);
        }
        Ok(nodes)
    }

    fn atom(&mut self, atom: &'a Atom) -> Result<AtomId, GroundError> {
        let arguments = atom.arguments.iter().map(|term| self.term(term)).collect::<Result<_, _>>()?;
        let predicate = self.atoms.predicates.insert_full(&atom.predicate.text).0 as u32;
        Ok(AtomId(self.atoms.keys.insert_full(AtomKey { predicate, arguments }).0 as u32))
    }

    fn term(&self, term: &Name) -> Result<u32, GroundError> {
        let bound = self.variables.iter().rev().find(|(variable, _)| **variable == term.text);
        bound
            .map(|&(_, instance)| instance)
            .or_else(|| self.objects.declared.instance(&term.text))
            .ok_or_else(|| GroundError { kind: GroundErrorKind::UnknownObject(term.text.clone()), origin: term.origin })
    }

    /// Grounds a body once for each instance of the category of a variable.
    fn each(&mut self, variable: &'a Variable, body: &'a Expr) -> Result<Vec<Node>, GroundError> {
        let members = self.objects.members(&variable.category)?;
        let mut parts = Vec::with_capacity(members.len());
        for &instance in members {
            parts.push(self.bound(variable, instance, |builder| builder.node(body))?);
        }
        Ok(parts)
    }

    fn pairs(
        &mut self,
        left: &'a Variable,
        right: &'a Variable,
        body: &'a Expr,
    ) -> Result<Vec<Vec<Cell>>, GroundError> {
        let objects: &'o Objects<'a> = self.objects;
        let (lefts, rights) = (objects.members(&left.category)?, objects.members(&right.category)?);
        let mut rows = Vec::with_capacity(lefts.len());
        for &instance in lefts {
            rows.push(self.bound(left, instance, |builder| {
                let others = rights.iter().enumerate().filter(|(_, other)| **other != instance);
                let cell = |(place, &other): (usize, &u32)| {
                    let node = builder.bound(right, other, |builder| builder.node(body))?;
                    Ok(Cell { right: place as u32, node })
                };
                others.map(cell).collect::<Result<Vec<_>, _>>()
            })?);
        }
        Ok(rows)
    }

    fn bound<T>(&mut self, variable: &'a Variable, instance: u32, then: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push((&variable.name.text, instance));
        let result = then(self);
        self.variables.pop();
        result
    }
}
