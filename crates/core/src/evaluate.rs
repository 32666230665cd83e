//! The reference evaluator of conditions and expressions over one state.
//!
//! An atom or comparison that reads a value that the state lacks is undefined, and counts as false.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use crate::condition::{Cardinality, ComparisonOperator, Condition, Expression, PairingRule, Scope, Term, Terms};
use crate::evaluation_cost::literals;
use crate::ids::{FunctionId, ObjectId, PredicateId, VarId};
use crate::state::State;
use crate::work::WorkBudget;
use crate::world::vocabulary::Argument;
use crate::world::{World, operation};

/// The work of computing the domain of a variable, in units, in addition to one for each object: its vector is allocated and sorted.
const DOMAIN_WORK: u64 = 32;

/// The work of an atom, in units.
const ATOM_WORK: u64 = 3;

/// The arguments of a predicate or function after evaluation.
pub type Arguments = SmallVec<[Argument; 4]>;

/// The context in which conditions are evaluated: a world, a state and its role in the run.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The world.
    pub world: &'a World,
    /// The state.
    pub state: &'a State,
    /// Whether this is the first state.
    pub first: bool,
    /// Whether this is the last state.
    pub last: bool,
    /// The objects of the setup, by index (see [`Setup`](crate::program::Setup)). The set may be shorter than the number of objects.
    pub setup_objects: &'a FixedBitSet,
    /// The counter of work. Once its limit is exceeded, evaluation ends early and its results are meaningless.
    pub work: Option<&'a WorkBudget>,
}

impl Context<'_> {
    /// Counts `units` units of work and returns whether evaluation may continue.
    pub fn spend(&self, units: u64) -> bool {
        self.work.is_none_or(|work| work.spend(units))
    }

    /// Whether the predicate holds of the arguments; `None` if the state lacks a value that it reads.
    pub fn holds(&self, predicate: PredicateId, arguments: &[Argument]) -> Option<bool> {
        operation::holds(self, predicate, arguments)
    }

    /// Returns the function's value for the arguments; `None` if the state lacks a value that it reads.
    pub fn value(&self, function: FunctionId, arguments: &[Argument]) -> Option<f64> {
        operation::value(self, function, arguments)
    }

    /// Returns the domain of a variable in this state: the present objects of its types, in order of ids.
    pub fn domain(&self, scope: &Scope, variable: VarId) -> Vec<ObjectId> {
        let mut objects = self.world.domain(&scope.get(variable).types);
        self.spend(DOMAIN_WORK + objects.len() as u64);
        objects.retain(|&object| self.state.is_present(object));
        objects
    }
}

/// An assignment of values to the variables of a scope, possibly partial.
///
/// # Panics
/// Methods that take a variable panic if it is not in the scope.
#[derive(Debug, Clone)]
pub struct Bindings<'a> {
    scope: &'a Scope,
    values: SmallVec<[Option<Argument>; 8]>,
}

impl<'a> Bindings<'a> {
    /// Creates bindings in which all variables are unbound.
    pub fn new(scope: &'a Scope) -> Self {
        Self { scope, values: SmallVec::from_elem(None, scope.variables.len()) }
    }

    /// Creates bindings of the first variables of the scope, which are the parameters of a definition, to the arguments.
    pub fn of_parameters(scope: &'a Scope, arguments: &[Argument]) -> Self {
        let mut bindings = Self::new(scope);
        for (slot, &argument) in bindings.values.iter_mut().zip(arguments) {
            *slot = Some(argument);
        }
        bindings
    }

    /// Binds a variable.
    pub fn bind(&mut self, variable: VarId, value: impl Into<Argument>) {
        self.values[variable.index()] = Some(value.into());
    }

    /// Unbinds a variable.
    pub fn unbind(&mut self, variable: VarId) {
        self.values[variable.index()] = None;
    }

    /// Returns the value of a variable; `None` if it is unbound.
    pub fn get(&self, variable: VarId) -> Option<Argument> {
        self.values[variable.index()]
    }

    /// Evaluates a term; `None` if it is an unbound variable.
    pub fn term(&self, term: Term) -> Option<Argument> {
        match term {
            Term::Variable(variable) => self.get(variable),
            Term::Object(object) => Some(Argument::Object(object)),
            Term::Type(id) => Some(Argument::Type(id)),
        }
    }

    /// Evaluates terms; `None` if one of them is an unbound variable.
    pub fn terms(&self, terms: &Terms) -> Option<Arguments> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    /// Moves the bindings out. The bindings left behind must not be used: looking up any variable in them panics.
    pub(crate) fn take(&mut self) -> Self {
        Self { scope: self.scope, values: std::mem::take(&mut self.values) }
    }

    /// Returns the scope.
    pub fn scope(&self) -> &'a Scope {
        self.scope
    }
}

/// Whether the condition holds. On return, the variables that it quantifies are unbound.
pub fn condition(ctx: &Context<'_>, condition: &Condition, bindings: &mut Bindings<'_>) -> bool {
    ctx.spend(if matches!(condition, Condition::Atom(_)) { ATOM_WORK } else { 1 });
    match condition {
        Condition::Constant(value) => *value,
        Condition::Atom(atom) => {
            bindings.terms(&atom.arguments).and_then(|arguments| ctx.holds(atom.predicate, &arguments)) == Some(true)
        }
        Condition::Compare { comparison, sides, .. } => {
            match (expression(ctx, &sides[0], bindings), expression(ctx, &sides[1], bindings)) {
                (Some(left), Some(right)) => comparison.holds(left, right),
                _ => false,
            }
        }
        Condition::AllEqual(parts, _) => all_equal(ctx, parts, bindings),
        Condition::Distinct(left, right) => match (bindings.term(*left), bindings.term(*right)) {
            (Some(left), Some(right)) => left != right,
            _ => false,
        },
        Condition::FirstState => ctx.first,
        Condition::LastState => ctx.last,
        Condition::InSetup(term, _) => match bindings.term(*term) {
            Some(Argument::Object(object)) => ctx.setup_objects.contains(object.index()),
            _ => false,
        },
        Condition::Not(part) => !self::condition(ctx, part, bindings),
        Condition::And(parts) => parts.iter().all(|part| self::condition(ctx, part, bindings)),
        Condition::Or(parts) => parts.iter().any(|part| self::condition(ctx, part, bindings)),
        Condition::Imply(parts) => {
            !self::condition(ctx, &parts[0], bindings) || self::condition(ctx, &parts[1], bindings)
        }
        Condition::Exists(variables, body) => exists(ctx, variables, body, true, bindings),
        Condition::Forall(variables, body) => !exists(ctx, variables, body, false, bindings),
        Condition::Count(amount, variables, body) => count(ctx, *amount, variables, body, bindings),
        Condition::Pairing { rule, amount, left, right, body } => {
            let matrix = PairingMatrix::new(ctx, [*left, *right], body, bindings);
            matrix.satisfies(*rule, amount.map_or(matrix.default_amount(), |amount| amount as usize))
        }
    }
}

/// Returns the value of the expression; `None` if it is undefined.
pub fn expression(ctx: &Context<'_>, expression: &Expression, bindings: &Bindings<'_>) -> Option<f64> {
    let pair = |parts: &[Expression; 2]| {
        Some((self::expression(ctx, &parts[0], bindings)?, self::expression(ctx, &parts[1], bindings)?))
    };
    match expression {
        Expression::Number(number) => Some(*number),
        Expression::Call { function, arguments, .. } => ctx.value(*function, &bindings.terms(arguments)?),
        Expression::Add(parts) => parts.iter().map(|part| self::expression(ctx, part, bindings)).sum(),
        Expression::Multiply(parts) => parts.iter().map(|part| self::expression(ctx, part, bindings)).product(),
        Expression::Subtract(parts) => pair(parts).map(|(left, right)| left - right),
        Expression::Divide(parts) => pair(parts).filter(|&(_, right)| right != 0.0).map(|(left, right)| left / right),
        Expression::Absolute(part) => self::expression(ctx, part, bindings).map(f64::abs),
    }
}

fn all_equal(ctx: &Context<'_>, parts: &[Expression], bindings: &Bindings<'_>) -> bool {
    let values: Option<Vec<f64>> = parts.iter().map(|part| expression(ctx, part, bindings)).collect();
    values.is_some_and(|values| values.iter().all(|&value| ComparisonOperator::Equal.holds(value, values[0])))
}

/// Whether some assignment gives the body the value `expected`.
fn exists(
    ctx: &Context<'_>,
    variables: &[VarId],
    body: &Condition,
    expected: bool,
    bindings: &mut Bindings<'_>,
) -> bool {
    if variables.len() > 1 {
        return AssignmentSearch::new(ctx, variables, body, expected, bindings)
            .is_some_and(|choice| choice.succeeds(ctx, 0, bindings));
    }
    let found = for_each_assignment(ctx, variables, bindings, |bindings| {
        if condition(ctx, body, bindings) == expected { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// A backtracking search for an assignment of several variables. Each part of the body is evaluated as soon as its variables are bound, so
/// that objects that fail it are rejected before later variables are tried.
struct AssignmentSearch<'c> {
    variables: &'c [VarId],
    domains: Vec<Vec<ObjectId>>,
    /// For each variable, the parts for which it is the last variable to be bound, with their required values.
    parts: Vec<Vec<(&'c Condition, bool)>>,
}

impl<'c> AssignmentSearch<'c> {
    /// Returns `None` if there is no assignment, or if a part that mentions none of the variables does not have its required value.
    fn new(
        ctx: &Context<'_>,
        variables: &'c [VarId],
        body: &'c Condition,
        expected: bool,
        bindings: &mut Bindings<'_>,
    ) -> Option<Self> {
        let domains: Vec<_> = variables.iter().map(|&variable| ctx.domain(bindings.scope, variable)).collect();
        if domains.iter().any(Vec::is_empty) {
            return None;
        }
        let mut parts = vec![Vec::new(); variables.len()];
        for (part, expected) in literals(body, expected) {
            let mut last = None;
            part.visit_free_variables(&mut |variable| {
                last = last.max(variables.iter().rposition(|&own| own == variable));
            });
            match last {
                Some(last) => parts[last].push((part, expected)),
                None if condition(ctx, part, bindings) != expected => return None,
                None => {}
            }
        }
        Some(Self { variables, domains, parts })
    }

    /// The recursion depth is the number of variables.
    fn succeeds(&self, ctx: &Context<'_>, place: usize, bindings: &mut Bindings<'_>) -> bool {
        let Some(&variable) = self.variables.get(place) else { return true };
        let before = bindings.get(variable);
        let found = self.domains[place].iter().take_while(|_| ctx.spend(1)).any(|&object| {
            bindings.bind(variable, object);
            self.parts[place].iter().all(|&(part, expected)| condition(ctx, part, bindings) == expected)
                && self.succeeds(ctx, place + 1, bindings)
        });
        // A variable that occurs twice in the list gets back the object bound at its earlier occurrence; others become unbound.
        match before.filter(|_| self.variables[..place].contains(&variable)) {
            Some(before) => bindings.bind(variable, before),
            None => bindings.unbind(variable),
        }
        found
    }
}

fn count(
    ctx: &Context<'_>,
    amount: Cardinality,
    variables: &[VarId],
    body: &Condition,
    bindings: &mut Bindings<'_>,
) -> bool {
    // Counting stops as soon as the result is certain.
    let (required, limit) = match amount {
        Cardinality::AtLeast(required) => (u64::from(required), u64::from(required)),
        Cardinality::Exactly(required) => (u64::from(required), u64::from(required) + 1),
    };
    let mut count = 0;
    if limit > 0 {
        let _ = for_each_assignment(ctx, variables, bindings, |bindings| {
            count += u64::from(condition(ctx, body, bindings));
            if count == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
    match amount {
        Cardinality::AtLeast(_) => count >= required,
        Cardinality::Exactly(_) => count == required,
    }
}

/// Binds the variables to every combination of present objects, in lexicographic order, and calls `visit` for each, until it breaks or the
/// context's [work](Context::work) exceeds its limit. On return, the variables are unbound.
pub fn for_each_assignment<'s, B>(
    ctx: &Context<'_>,
    variables: &[VarId],
    bindings: &mut Bindings<'s>,
    mut visit: impl FnMut(&mut Bindings<'s>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let domains: Vec<_> = variables.iter().map(|&variable| ctx.domain(bindings.scope, variable)).collect();
    if domains.iter().any(Vec::is_empty) {
        return ControlFlow::Continue(());
    }
    let mut at = vec![0; domains.len()];
    let result = loop {
        for ((&variable, domain), &index) in variables.iter().zip(&domains).zip(&at) {
            bindings.bind(variable, domain[index]);
        }
        if let ControlFlow::Break(value) = visit(bindings) {
            break ControlFlow::Break(value);
        }
        if !ctx.spend(1) {
            break ControlFlow::Continue(());
        }
        let Some(place) = (0..at.len()).rev().find(|&place| at[place] + 1 < domains[place].len()) else {
            break ControlFlow::Continue(());
        };
        at[place] += 1;
        at[place + 1..].fill(0);
    };
    for &variable in variables {
        bindings.unbind(variable);
    }
    result
}

/// The truth matrix of a pairing; see [`PairingRule`].
struct PairingMatrix {
    /// For each left object, its true cells: the index of the right object among all right objects, and the index of the cell in its row.
    rows: Vec<Vec<(usize, usize)>>,
    /// The number of right objects.
    rights: usize,
    /// The number of cells in the first row.
    first_row: usize,
}

impl PairingMatrix {
    fn new(ctx: &Context<'_>, [left, right]: [VarId; 2], body: &Condition, bindings: &mut Bindings<'_>) -> Self {
        let lefts = ctx.domain(bindings.scope, left);
        let rights = ctx.domain(bindings.scope, right);
        let first_row = lefts.first().map_or(0, |first| rights.iter().filter(|other| *other != first).count());
        let mut rows = Vec::with_capacity(lefts.len());
        for &object in &lefts {
            bindings.bind(left, object);
            let others = rights.iter().enumerate().filter(|(_, other)| **other != object).enumerate();
            let mut row = Vec::new();
            for (place, (at, &other)) in others {
                if !ctx.spend(1) {
                    break;
                }
                bindings.bind(right, other);
                if condition(ctx, body, bindings) {
                    row.push((at, place));
                }
            }
            rows.push(row);
        }
        bindings.unbind(left);
        bindings.unbind(right);
        Self { rows, rights: rights.len(), first_row }
    }

    /// Returns the number of pairs that a pairing without an amount requires.
    fn default_amount(&self) -> usize {
        self.rows.len().min(self.first_row)
    }

    fn satisfies(&self, rule: PairingRule, required: usize) -> bool {
        match rule {
            PairingRule::Matching => {
                let edges: Vec<Vec<usize>> =
                    self.rows.iter().map(|row| row.iter().map(|&(at, _)| at).collect()).collect();
                largest_matching(&edges, self.rights) >= required
            }
            PairingRule::Covering => {
                let rows = self.rows.iter().filter(|row| !row.is_empty()).count();
                let columns: FixedBitSet = self.rows.iter().flatten().map(|&(_, place)| place).collect();
                rows >= required && columns.count_ones(..) >= required
            }
        }
    }
}

/// Computes the size of a maximum matching of a bipartite graph from the neighbours of each left node, by augmenting paths found
/// breadth-first.
fn largest_matching(edges: &[Vec<usize>], rights: usize) -> usize {
    let mut partner_of_right: Vec<Option<usize>> = vec![None; rights];
    let mut partner_of_left: Vec<Option<usize>> = vec![None; edges.len()];
    let mut size = 0;
    for start in 0..edges.len() {
        // For each right node, the left node from which it was reached.
        let mut reached_from: Vec<Option<usize>> = vec![None; rights];
        let mut queue = vec![start];
        let mut next = 0;
        let mut free = None;
        'search: while next < queue.len() {
            let left = queue[next];
            next += 1;
            for &right in &edges[left] {
                if reached_from[right].is_none() {
                    reached_from[right] = Some(left);
                    let Some(partner) = partner_of_right[right] else {
                        free = Some(right);
                        break 'search;
                    };
                    queue.push(partner);
                }
            }
        }
        size += usize::from(free.is_some());
        while let Some(right) = free {
            let left = reached_from[right].unwrap_or(start);
            partner_of_right[right] = Some(left);
            free = partner_of_left[left].replace(right);
        }
    }
    size
}
