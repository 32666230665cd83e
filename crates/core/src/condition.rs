//! Truth over one state: terms, numeric expressions and conditions.

use std::hash::{Hash, Hasher};
use std::slice;
use std::sync::Arc;

use goalspec_syntax::{NodeSpan, Span};
use smallvec::{SmallVec, smallvec};

use crate::ids::{FunctionId, ObjectId, PredicateId, TypeId, VarId};

/// The source location of a part of a program. All origins compare equal and hash alike, so that two parts of a program are equal
/// whenever they have the same content, wherever they were written.
///
/// It is `None` only in programs that are built without a text. The front ends of the languages set it for every part that a text
/// contains.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin(pub Option<Span>);

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl From<Span> for Origin {
    fn from(span: Span) -> Self {
        Self(Some(span))
    }
}

impl From<NodeSpan> for Origin {
    fn from(span: NodeSpan) -> Self {
        Self(Some(span.0))
    }
}

/// A variable and its domain: the objects of any of its types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name as written, including the question mark: `?ball`.
    pub name: Arc<str>,
    /// The types of its domain, which is their union.
    pub types: Vec<TypeId>,
    /// The source location of its declaration.
    pub origin: Origin,
}

/// The variables of one program part (a preference, a setup, a goal or an action), those of nested quantifiers included. Each variable has
/// one id throughout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// The variables, indexed by [`VarId`].
    pub variables: Vec<Variable>,
}

impl Scope {
    /// Adds a variable and returns its id.
    pub fn declare(&mut self, variable: Variable) -> VarId {
        self.variables.push(variable);
        VarId::from(self.variables.len() - 1)
    }

    /// Returns the variable with this id.
    pub fn get(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }
}

/// An argument of a predicate or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the scope.
    Variable(VarId),
    /// An object, referred to by name.
    Object(ObjectId),
    /// A type, for predicates that take a type as an argument.
    Type(TypeId),
}

/// Arguments of a predicate or function, not yet evaluated.
pub type Terms = SmallVec<[Term; 4]>;

/// A predicate applied to terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: Terms,
    /// The source location.
    pub origin: Origin,
}

/// A comparison operator between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`: equality within the tolerance of numpy's `isclose`, `1e-8 + 1e-5 * abs(right)`.
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

impl ComparisonOperator {
    /// Whether the comparison holds between two numbers.
    #[expect(clippy::float_cmp, reason = "infinities must equal themselves exactly")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            // Infinities equal only themselves; NaN equals nothing.
            Self::Equal => left == right || (right.is_finite() && (left - right).abs() <= Self::tolerance(right)),
            Self::GreaterEqual => left >= right,
            Self::Greater => left > right,
        }
    }

    /// Returns the largest distance from a finite number at which other numbers are equal to it.
    pub fn tolerance(number: f64) -> f64 {
        1e-8 + 1e-5 * number.abs()
    }

    /// Returns the comparison with exchanged sides.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Equal => Self::Equal,
            Self::GreaterEqual => Self::LessEqual,
            Self::Greater => Self::Less,
        }
    }

    /// Returns the operator's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Equal => "=",
            Self::GreaterEqual => ">=",
            Self::Greater => ">",
        }
    }
}

/// A numeric expression over one state. Its value is undefined if that of a part is (an absent object, a division by zero).
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A constant.
    Number(f64),
    /// A function of the world applied to terms.
    Call {
        /// The function.
        function: FunctionId,
        /// The arguments.
        arguments: Terms,
        /// The source location.
        origin: Origin,
    },
    /// Sum of any number of operands.
    Add(Vec<Expression>),
    /// Product of any number of operands.
    Multiply(Vec<Expression>),
    /// Difference.
    Subtract(Box<[Expression; 2]>),
    /// Quotient.
    Divide(Box<[Expression; 2]>),
    /// Absolute value.
    Absolute(Box<Expression>),
}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            // Equal zeros must hash alike, whatever their sign.
            Self::Number(number) => (number + 0.0).to_bits().hash(state),
            Self::Call { function, arguments, .. } => (function, arguments).hash(state),
            Self::Add(parts) | Self::Multiply(parts) => parts.hash(state),
            Self::Subtract(sides) | Self::Divide(sides) => sides.hash(state),
            Self::Absolute(part) => part.hash(state),
        }
    }
}

/// The number of satisfying assignments that a counting quantifier requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// At least this many.
    AtLeast(u32),
    /// Exactly this many.
    Exactly(u32),
}

/// The requirement of a pairing on its truth matrix.
///
/// The matrix has a row for each object of the left variable and, in each row, a cell for each object of the right variable, both in order
/// of ids. A cell holds the truth of the pairing's body for its pair. A row has no cell for its own object, since no object pairs with
/// itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairingRule {
    /// At least `amount` true cells of which no two share a left or a right object: a one-to-one matching.
    Matching,
    /// At least `amount` rows with a true cell and at least `amount` columns with one. Where the domains share objects, the k-th column
    /// consists of the k-th cells of the rows, whichever objects they belong to. This is weaker than a matching: if one left object fits
    /// two right objects, and two left objects fit only a third, then three rows and three columns have a true cell.
    Covering,
}

/// A condition: truth over one state.
///
/// Quantifiers range over the objects of the variable's types that are present. Different variables, of the same or of different
/// quantifiers, may bind the same object; a language that forbids this adds [`Condition::Distinct`].
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Condition {
    /// A constant truth value.
    Constant(bool),
    /// A predicate applied to terms.
    Atom(Atom),
    /// A comparison of two numbers; false if either is undefined.
    Compare {
        /// The comparison operator.
        comparison: ComparisonOperator,
        /// The left and the right operand.
        sides: Box<[Expression; 2]>,
        /// The source location.
        origin: Origin,
    },
    /// Equality of all numbers with the first (see [`ComparisonOperator::Equal`]); false if any number is undefined.
    AllEqual(Vec<Expression>, Origin),
    /// The two terms denote different objects.
    Distinct(Term, Term),
    /// The current state is the first state.
    FirstState,
    /// The current state is the last state.
    LastState,
    /// The object is one of those to which the setup's quantifiers are bound ([`Setup`](crate::program::Setup) defines when).
    InSetup(Term, Origin),
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction; true when empty.
    And(Vec<Condition>),
    /// Disjunction; false when empty.
    Or(Vec<Condition>),
    /// The first implies the second.
    Imply(Box<[Condition; 2]>),
    /// Existential quantification: at least one assignment of the variables satisfies the body.
    Exists(Vec<VarId>, Box<Condition>),
    /// Universal quantification: every assignment of the variables satisfies the body.
    Forall(Vec<VarId>, Box<Condition>),
    /// Counting quantification: the required number of assignments of the variables satisfy the body.
    Count(Cardinality, Vec<VarId>, Box<Condition>),
    /// Objects of the left variable pair with objects of the right variable, under `rule`, such that the body holds for each pair.
    Pairing {
        /// The requirement on the matrix of pairs.
        rule: PairingRule,
        /// The required number of pairs, or of rows and columns. `None` requires the number of rows or the number of cells in the first
        /// row, whichever is smaller; for disjoint domains this is the size of the smaller domain.
        amount: Option<u32>,
        /// The variable of the left objects.
        left: VarId,
        /// The variable of the right objects.
        right: VarId,
        /// The condition on each pair.
        body: Box<Condition>,
    },
}

impl Condition {
    /// Returns the conditions of which the condition directly consists, in source order.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Not(body) | Self::Exists(_, body) | Self::Forall(_, body) | Self::Count(_, _, body) => {
                slice::from_ref(body)
            }
            Self::Pairing { body, .. } => slice::from_ref(body),
            Self::And(parts) | Self::Or(parts) => parts,
            Self::Imply(parts) => &parts[..],
            Self::Constant(_)
            | Self::Atom(_)
            | Self::Compare { .. }
            | Self::AllEqual(..)
            | Self::Distinct(..)
            | Self::FirstState
            | Self::LastState
            | Self::InSetup(..) => &[],
        }
    }

    /// Returns the expressions that the condition compares, in source order; those of its [children](Self::children) are not among
    /// them.
    pub fn expressions(&self) -> &[Expression] {
        match self {
            Self::Compare { sides, .. } => &sides[..],
            Self::AllEqual(parts, _) => parts,
            _ => &[],
        }
    }

    /// Returns the terms of the condition, in source order; those of its [expressions](Self::expressions) and
    /// [children](Self::children) are not among them.
    pub fn terms(&self) -> Terms {
        match self {
            Self::Atom(atom) => atom.arguments.clone(),
            Self::Distinct(left, right) => smallvec![*left, *right],
            Self::InSetup(term, _) => smallvec![*term],
            _ => Terms::new(),
        }
    }

    /// Returns the variables that the condition quantifies over in its child.
    pub fn quantified(&self) -> SmallVec<[VarId; 4]> {
        match self {
            Self::Exists(variables, _) | Self::Forall(variables, _) | Self::Count(_, variables, _) => {
                SmallVec::from_slice(variables)
            }
            Self::Pairing { left, right, .. } => smallvec![*left, *right],
            _ => SmallVec::new(),
        }
    }

    /// Visits the condition and all conditions in it, each before its [children](Self::children), in source order.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        self.children().iter().for_each(|child| child.visit(visit));
    }

    /// Visits all expressions in the condition, each before its [children](Expression::children), in source order.
    pub fn visit_expressions<'a>(&'a self, visit: &mut impl FnMut(&'a Expression)) {
        self.visit(&mut |part| part.expressions().iter().for_each(|expression| expression.visit(visit)));
    }

    /// Visits every object that the condition refers to by name, in source order, with repetitions.
    pub fn visit_named_objects(&self, visit: &mut impl FnMut(ObjectId)) {
        self.visit(&mut |part| {
            visit_objects(&part.terms(), visit);
            part.expressions().iter().for_each(|expression| expression.visit_named_objects(visit));
        });
    }

    /// Visits the free variables of the condition, in source order, with repetitions.
    pub fn visit_free_variables(&self, visit: &mut impl FnMut(VarId)) {
        self.visit_variables(&mut Vec::new(), visit);
    }

    /// Visits the variables bound by quantifiers in the condition, in source order.
    pub fn visit_bound_variables(&self, visit: &mut impl FnMut(VarId)) {
        self.visit(&mut |part| part.quantified().into_iter().for_each(&mut *visit));
    }

    /// Visits the free variables like [`visit_free_variables`](Self::visit_free_variables), except those in `hidden`, which enclosing
    /// quantifiers bind.
    fn visit_variables(&self, hidden: &mut Vec<VarId>, visit: &mut impl FnMut(VarId)) {
        visit_terms(&self.terms(), hidden, visit);
        self.expressions().iter().for_each(|expression| expression.visit_variables(hidden, visit));
        let depth = hidden.len();
        hidden.extend(self.quantified());
        self.children().iter().for_each(|child| child.visit_variables(hidden, visit));
        hidden.truncate(depth);
    }

    /// Returns the objects that the condition refers to by name, in order of ids, without duplicates.
    pub fn named_objects(&self) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        self.visit_named_objects(&mut |object| objects.push(object));
        objects.sort_unstable();
        objects.dedup();
        objects
    }
}

fn visit_terms(terms: &[Term], hidden: &[VarId], visit: &mut impl FnMut(VarId)) {
    for term in terms {
        if let Term::Variable(variable) = term
            && !hidden.contains(variable)
        {
            visit(*variable);
        }
    }
}

fn visit_objects(terms: &[Term], visit: &mut impl FnMut(ObjectId)) {
    for term in terms {
        if let Term::Object(object) = term {
            visit(*object);
        }
    }
}

impl Expression {
    /// Returns the expressions of which the expression directly consists, in source order.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Number(_) | Self::Call { .. } => &[],
            Self::Add(parts) | Self::Multiply(parts) => parts,
            Self::Subtract(sides) | Self::Divide(sides) => &sides[..],
            Self::Absolute(part) => slice::from_ref(part),
        }
    }

    /// Visits the expression and all expressions in it, each before its [children](Self::children), in source order.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        self.children().iter().for_each(|child| child.visit(visit));
    }

    fn visit_variables(&self, hidden: &[VarId], visit: &mut impl FnMut(VarId)) {
        self.visit(&mut |part| {
            if let Self::Call { arguments, .. } = part {
                visit_terms(arguments, hidden, visit);
            }
        });
    }

    /// Visits every object that the expression refers to by name, in source order, with repetitions.
    pub fn visit_named_objects(&self, visit: &mut impl FnMut(ObjectId)) {
        self.visit(&mut |part| {
            if let Self::Call { arguments, .. } = part {
                visit_objects(arguments, visit);
            }
        });
    }
}
