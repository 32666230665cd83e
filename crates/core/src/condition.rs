//! Truth over one state.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use goalspec_syntax::Span;
use smallvec::SmallVec;

use crate::ids::{FunctionId, ObjectId, PredicateId, TypeId, VarId};

/// Where a piece of a program was written. Two pieces are equal if they say the same, wherever they stand,
/// so all origins compare equal.
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

/// A variable and the objects it ranges over: those of any of its types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name as written, `?ball`.
    pub name: Arc<str>,
    /// The union of types it ranges over.
    pub types: Vec<TypeId>,
    /// Where it was declared.
    pub origin: Origin,
}

/// The variables of one preference or setup, outer and inner ones; each has one id throughout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// The variables, indexed by [`VarId`].
    pub variables: Vec<Variable>,
}

impl Scope {
    /// Adds a variable.
    pub fn declare(&mut self, variable: Variable) -> VarId {
        self.variables.push(variable);
        VarId::from(self.variables.len() - 1)
    }

    /// The variable with this id.
    pub fn get(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }
}

/// An argument of a predicate or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the scope.
    Variable(VarId),
    /// An object, named directly.
    Object(ObjectId),
    /// A type, where a predicate takes one.
    Type(TypeId),
}

/// Arguments as written.
pub type Terms = SmallVec<[Term; 4]>;

/// A predicate applied to terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Terms,
    /// Where it was written.
    pub origin: Origin,
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`: equal within a relative tolerance of 1e-5 plus 1e-8, as numpy's `isclose`.
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

impl Comparison {
    /// Compares two numbers.
    #[expect(clippy::float_cmp, reason = "infinities must equal themselves exactly")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            // Infinities equal only themselves; NaN equals nothing.
            Self::Equal => left == right || (right.is_finite() && (left - right).abs() <= 1e-8 + 1e-5 * right.abs()),
            Self::GreaterEqual => left >= right,
            Self::Greater => left > right,
        }
    }

    /// The operator as written.
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

/// A number computed from one state. Undefined where a part is undefined (an absent object, a division by zero).
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A constant.
    Number(f64),
    /// A function of the world.
    Call {
        /// The function.
        function: FunctionId,
        /// Its arguments.
        arguments: Terms,
        /// Where it was written.
        origin: Origin,
    },
    /// Sum of any number of parts.
    Add(Vec<Expression>),
    /// Product of any number of parts.
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
            // Zeros are equal, whatever their sign.
            Self::Number(number) => (number + 0.0).to_bits().hash(state),
            Self::Call { function, arguments, .. } => (function, arguments).hash(state),
            Self::Add(parts) | Self::Multiply(parts) => parts.hash(state),
            Self::Subtract(sides) | Self::Divide(sides) => sides.hash(state),
            Self::Absolute(part) => part.hash(state),
        }
    }
}

/// How many assignments a counting quantifier asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Amount {
    /// At least this many.
    AtLeast(u32),
    /// Exactly this many.
    Exactly(u32),
}

/// What a pairing asks of the matrix of its body's truths.
///
/// The matrix has a row for each object of the left variable and in it a cell for each object of the right one, both in the
/// order of their ids; where both are the same object there is no cell, since no object pairs with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairingRule {
    /// So many true cells no two of which share a left or a right object: a one-to-one pairing.
    Matching,
    /// So many rows with a true cell, and so many columns with one. Where the domains share objects, the k-th column holds the
    /// k-th cells of the rows, whichever objects they are of. Weaker than a matching: with one left object that fits two
    /// right ones and two that fit only a third, three rows and three columns have a true cell.
    Covering,
}

/// Truth over one state.
///
/// Quantifiers range over the objects of the variable's types that are present. Variables of different quantifiers, or of
/// one quantifier, may bind the same object: where a language forbids that, it says so with [`Condition::Distinct`].
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Condition {
    /// Always or never.
    Constant(bool),
    /// A predicate.
    Atom(Atom),
    /// The first number compared with the second; false where either is undefined.
    Compare {
        /// The comparison.
        comparison: Comparison,
        /// The two numbers.
        sides: Box<[Expression; 2]>,
        /// Where it was written.
        origin: Origin,
    },
    /// All numbers equal the first (see [`Comparison::Equal`]); false where any is undefined.
    AllEqual(Vec<Expression>, Origin),
    /// The two terms are bound to different objects.
    Distinct(Term, Term),
    /// This is the first state.
    FirstState,
    /// This is the last state.
    LastState,
    /// The object is one that the setup's quantifiers have settled on.
    InSetup(Term, Origin),
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction; true when empty.
    And(Vec<Condition>),
    /// Disjunction; false when empty.
    Or(Vec<Condition>),
    /// The first implies the second.
    Imply(Box<[Condition; 2]>),
    /// Some assignment of the variables makes the body true.
    Exists(Vec<VarId>, Box<Condition>),
    /// Every assignment of the variables makes the body true.
    Forall(Vec<VarId>, Box<Condition>),
    /// So many assignments of the variables make the body true.
    Count(Amount, Vec<VarId>, Box<Condition>),
    /// Objects of the first variable pair with objects of the second, as the rule says, such that the body holds of each pair.
    Pairing {
        /// What is asked of the matrix of pairs.
        rule: PairingRule,
        /// How many pairs, or rows and columns; `None`: as many as there are rows or, if those are fewer, cells in the first
        /// row. With domains that share no object that is the size of the smaller one.
        amount: Option<u32>,
        /// The variable of the left objects.
        left: VarId,
        /// The variable of the right objects.
        right: VarId,
        /// What holds of each pair.
        body: Box<Condition>,
    },
}

impl Condition {
    /// Visits every object that the condition names directly, in the order written, repetitions included.
    pub fn visit_named_objects(&self, visit: &mut impl FnMut(ObjectId)) {
        let terms = |terms: &[Term], visit: &mut dyn FnMut(ObjectId)| {
            for term in terms {
                if let Term::Object(object) = term {
                    visit(*object);
                }
            }
        };
        match self {
            Self::Constant(_) | Self::FirstState | Self::LastState => {}
            Self::Atom(atom) => terms(&atom.arguments, visit),
            Self::Compare { sides, .. } => sides.iter().for_each(|side| side.visit_named_objects(visit)),
            Self::AllEqual(parts, _) => parts.iter().for_each(|part| part.visit_named_objects(visit)),
            Self::Distinct(left, right) => terms(&[*left, *right], visit),
            Self::InSetup(term, _) => terms(&[*term], visit),
            Self::Not(body) | Self::Exists(_, body) | Self::Forall(_, body) | Self::Count(_, _, body) => {
                body.visit_named_objects(visit);
            }
            Self::Pairing { body, .. } => body.visit_named_objects(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.visit_named_objects(visit)),
            Self::Imply(parts) => parts.iter().for_each(|part| part.visit_named_objects(visit)),
        }
    }

    /// Visits the variables that the condition leaves free, in the order written, repetitions included.
    pub fn visit_free_variables(&self, visit: &mut impl FnMut(VarId)) {
        self.visit_variables(&mut Vec::new(), visit);
    }

    /// Visits the variables that quantifiers in the condition bind, in the order written.
    pub fn visit_bound_variables(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Self::Exists(variables, body) | Self::Forall(variables, body) | Self::Count(_, variables, body) => {
                variables.iter().copied().for_each(&mut *visit);
                body.visit_bound_variables(visit);
            }
            Self::Pairing { left, right, body, .. } => {
                [*left, *right].into_iter().for_each(&mut *visit);
                body.visit_bound_variables(visit);
            }
            Self::Not(body) => body.visit_bound_variables(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.visit_bound_variables(visit)),
            Self::Imply(parts) => parts.iter().for_each(|part| part.visit_bound_variables(visit)),
            Self::Constant(_)
            | Self::FirstState
            | Self::LastState
            | Self::Atom(_)
            | Self::Compare { .. }
            | Self::AllEqual(..)
            | Self::Distinct(..)
            | Self::InSetup(..) => {}
        }
    }

    /// As [`visit_free_variables`](Self::visit_free_variables), without variables that are `hidden` by quantifiers around it.
    fn visit_variables(&self, hidden: &mut Vec<VarId>, visit: &mut impl FnMut(VarId)) {
        let mut quantifier = |variables: &[VarId], body: &Self, visit: &mut _| {
            let depth = hidden.len();
            hidden.extend_from_slice(variables);
            body.visit_variables(hidden, visit);
            hidden.truncate(depth);
        };
        match self {
            Self::Constant(_) | Self::FirstState | Self::LastState => {}
            Self::Exists(variables, body) | Self::Forall(variables, body) | Self::Count(_, variables, body) => {
                quantifier(variables, body, visit);
            }
            Self::Pairing { left, right, body, .. } => quantifier(&[*left, *right], body, visit),
            Self::Not(body) => body.visit_variables(hidden, visit),
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.visit_variables(hidden, visit);
                }
            }
            Self::Imply(parts) => parts.iter().for_each(|part| part.visit_variables(hidden, visit)),
            Self::Atom(atom) => visit_terms(&atom.arguments, hidden, visit),
            Self::Compare { sides, .. } => sides.iter().for_each(|side| side.visit_variables(hidden, visit)),
            Self::AllEqual(parts, _) => parts.iter().for_each(|part| part.visit_variables(hidden, visit)),
            Self::Distinct(left, right) => visit_terms(&[*left, *right], hidden, visit),
            Self::InSetup(term, _) => visit_terms(&[*term], hidden, visit),
        }
    }

    /// The objects that the condition names directly, by id, each once.
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

impl Expression {
    fn visit_variables(&self, hidden: &[VarId], visit: &mut impl FnMut(VarId)) {
        match self {
            Self::Number(_) => {}
            Self::Call { arguments, .. } => visit_terms(arguments, hidden, visit),
            Self::Add(parts) | Self::Multiply(parts) => {
                for part in parts {
                    part.visit_variables(hidden, visit);
                }
            }
            Self::Subtract(parts) | Self::Divide(parts) => {
                for part in &parts[..] {
                    part.visit_variables(hidden, visit);
                }
            }
            Self::Absolute(part) => part.visit_variables(hidden, visit),
        }
    }

    /// Visits every object that the expression names directly, in the order written, repetitions included.
    pub fn visit_named_objects(&self, visit: &mut impl FnMut(ObjectId)) {
        match self {
            Self::Number(_) => {}
            Self::Call { arguments, .. } => {
                for term in arguments {
                    if let Term::Object(object) = term {
                        visit(*object);
                    }
                }
            }
            Self::Add(parts) | Self::Multiply(parts) => parts.iter().for_each(|part| part.visit_named_objects(visit)),
            Self::Subtract(parts) | Self::Divide(parts) => {
                parts.iter().for_each(|part| part.visit_named_objects(visit));
            }
            Self::Absolute(part) => part.visit_named_objects(visit),
        }
    }
}
