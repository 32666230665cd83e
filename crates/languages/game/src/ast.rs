//! The abstract syntax tree of a game, as the parser builds it: names are unresolved, and every node carries its source span.
//!
//! Equality and hashing ignore spans: any two [`Origin`]s compare equal.

pub mod visit;

use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use goalspec_core::condition::{ComparisonOperator, Origin};
use goalspec_core::program::CountOperator;

/// An identifier with its source span.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text, including the leading `?` of a variable.
    pub text: Arc<str>,
    /// The span of the identifier.
    pub origin: Origin,
}

/// A complete game definition.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Game {
    /// The name in `(define (game NAME)`.
    pub name: Name,
    /// The name of the world, from `(:domain NAME)`.
    pub domain: Name,
    /// The setup, from `(:setup ..)`.
    pub setup: Option<SetupStatement>,
    /// The entries of `(:constraints ..)`, without the enclosing `and`.
    pub constraints: Vec<Constraint>,
    /// The terminal condition, from `(:terminal ..)`.
    pub terminal: Option<Terminal>,
    /// The scoring expression, from `(:scoring ..)`; absent only if it could not be parsed.
    pub scoring: Option<Score>,
    /// The span of the whole definition. Every diagnostic inside this span belongs to this game.
    pub origin: Origin,
}

/// A typed list of variables: `?a ?b - TYPE` or `?a - (either TYPE TYPE)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypedVariables {
    /// The declared variables.
    pub names: Vec<Name>,
    /// The declared types; several types form an `either`.
    pub types: Vec<Name>,
    /// The span of the variable list.
    pub origin: Origin,
}

/// A constraint on the room before or during play: a formula over `game-conserved` and `game-optional` conditions.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum SetupStatement {
    /// A conjunction: `(and ..)`.
    And(Vec<SetupStatement>, Origin),
    /// A disjunction: `(or ..)`.
    Or(Vec<SetupStatement>, Origin),
    /// A negation: `(not ..)`.
    Not(Box<SetupStatement>, Origin),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<TypedVariables>, Box<SetupStatement>, Origin),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<TypedVariables>, Box<SetupStatement>, Origin),
    /// A condition that must keep holding during play: `(game-conserved ..)`.
    Conserved(Condition, Origin),
    /// A condition that must hold once before play: `(game-optional ..)`.
    Optional(Condition, Origin),
}

/// A condition over a single state ("super-predicate" in the grammar of the language).
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Condition {
    /// A conjunction: `(and ..)`.
    And(Vec<Condition>, Origin),
    /// A disjunction: `(or ..)`.
    Or(Vec<Condition>, Origin),
    /// A negation: `(not ..)`.
    Not(Box<Condition>, Origin),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<TypedVariables>, Box<Condition>, Origin),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<TypedVariables>, Box<Condition>, Origin),
    /// A comparison of two operands: `(< a b)`, also with `<=`, `=`, `>=` or `>`.
    Compare(ComparisonOperator, Box<[Operand; 2]>, Origin),
    /// An equality of one operand or of more than two: `(= a ..)`.
    AllEqual(Vec<Operand>, Origin),
    /// A predicate application: `(predicate term ..)`.
    Predicate(Application),
}

/// A predicate or function applied to arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Application {
    /// The name of the predicate or function.
    pub name: Name,
    /// The arguments: variables or the names of objects, types, colours, orientations or sides.
    pub arguments: Vec<Name>,
    /// The span of the application.
    pub origin: Origin,
}

/// An operand of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A numeric literal.
    Number(f64, Origin),
    /// A function application.
    Function(Application),
}

/// An entry of the constraints section.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Constraint {
    /// A preference without external variables.
    Preference(Preference),
    /// A `forall` with external variables around preferences: `(forall (..) preferences)`.
    Forall {
        /// The external variables.
        variables: Vec<TypedVariables>,
        /// The preferences, without an enclosing `and`.
        preferences: Vec<Preference>,
        /// The span of the `forall`.
        origin: Origin,
    },
}

/// A preference definition: `(preference NAME ..)`.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Preference {
    /// The name of the preference.
    pub name: Name,
    /// The quantifier directly inside the preference.
    pub quantifier: Option<PreferenceQuantifier>,
    /// The temporal pattern.
    pub body: PatternBody,
    /// The span of the definition.
    pub origin: Origin,
}

/// The quantifier directly inside a preference: `(exists (..) body)` or `(forall (..) body)`.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct PreferenceQuantifier {
    /// The kind of quantifier.
    pub kind: goalspec_core::program::Quantifier,
    /// The quantified variables.
    pub variables: Vec<TypedVariables>,
    /// The span of the quantifier.
    pub origin: Origin,
}

/// The temporal pattern of a preference.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum PatternBody {
    /// A sequence of operators: `(then ..)`.
    Then(Vec<SequenceOperator>, Origin),
    /// A condition on the final state: `(at-end ..)`.
    AtEnd(Condition, Origin),
}

/// A temporal operator of a `then` sequence.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum SequenceOperator {
    /// A condition on one state: `(once ..)`.
    Once(Condition, Origin),
    /// A condition on one state that also records the value of a function: `(once-measure condition function)`, or
    /// `(once condition function)`.
    OnceMeasure(Condition, Application, Origin),
    /// A condition on consecutive states: `(hold ..)`.
    Hold(Condition, Origin),
    /// A condition on consecutive states during which events occur in order: `(hold-while condition event ..)`.
    HoldWhile(Condition, Vec<Condition>, Origin),
}

/// A terminal condition.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Terminal {
    /// A conjunction: `(and ..)`.
    And(Vec<Terminal>, Origin),
    /// A disjunction: `(or ..)`.
    Or(Vec<Terminal>, Origin),
    /// A negation: `(not ..)`.
    Not(Box<Terminal>, Origin),
    /// A comparison of two scoring expressions, which include `(total-time)` and `(total-score)`.
    Compare(ComparisonOperator, Box<[Score; 2]>, Origin),
}

/// A scoring expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// A numeric literal.
    Number(f64, Origin),
    /// A sum: `(+ ..)`.
    Add(Vec<Score>, Origin),
    /// A product: `(* ..)`.
    Multiply(Vec<Score>, Origin),
    /// A difference: `(- a b)`.
    Subtract(Box<[Score; 2]>, Origin),
    /// A quotient: `(/ a b)`.
    Divide(Box<[Score; 2]>, Origin),
    /// A negation: `(- a)`.
    Negate(Box<Score>, Origin),
    /// A comparison of two expressions, 1 if it holds and 0 otherwise: `(< a b)`, also with `<=`, `=`, `>=` or `>`.
    Compare(ComparisonOperator, Box<[Score; 2]>, Origin),
    /// An equality of one expression or of more than two: `(= a ..)`.
    AllEqual(Vec<Score>, Origin),
    /// The maximum over the bindings of the external variables: `(external-forall-maximize ..)`.
    ExternalMaximum(Box<Score>, Origin),
    /// The minimum over the bindings of the external variables: `(external-forall-minimize ..)`.
    ExternalMinimum(Box<Score>, Origin),
    /// The elapsed time: `(total-time)`.
    TotalTime(Origin),
    /// The current score: `(total-score)`.
    TotalScore(Origin),
    /// A count of satisfactions, such as `(count preference:type:type)`.
    Count(CountOperator, PreferenceReference, Origin),
}

/// A reference to a preference, optionally restricted by type: `name:type:type`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PreferenceReference {
    /// The name of the preference.
    pub name: Name,
    /// The types that restrict the external variables, in the order of the variables.
    pub types: Vec<Name>,
}

impl TypedVariables {
    /// Iterates over the variables of several groups, in order.
    pub fn names_of(groups: &[Self]) -> impl Iterator<Item = &Name> {
        groups.iter().flat_map(|group| &group.names)
    }
}

impl SetupStatement {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::And(_, origin)
            | Self::Or(_, origin)
            | Self::Not(_, origin)
            | Self::Exists(_, _, origin)
            | Self::Forall(_, _, origin)
            | Self::Conserved(_, origin)
            | Self::Optional(_, origin) => *origin,
        }
    }
}

impl Condition {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::And(_, origin)
            | Self::Or(_, origin)
            | Self::Not(_, origin)
            | Self::Exists(_, _, origin)
            | Self::Forall(_, _, origin)
            | Self::Compare(_, _, origin)
            | Self::AllEqual(_, origin) => *origin,
            Self::Predicate(application) => application.origin,
        }
    }
}

/// Hashes a number such that equal numbers have equal hashes, including the two zeros.
fn hash_number<H: Hasher>(number: f64, state: &mut H) {
    (number + 0.0).to_bits().hash(state);
}

impl Hash for Operand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Self::Number(number, _) => hash_number(*number, state),
            Self::Function(application) => application.hash(state),
        }
    }
}

impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Self::Number(number, _) => hash_number(*number, state),
            Self::Compare(comparison, ..) => comparison.hash(state),
            Self::Count(kind, reference, _) => (kind, reference).hash(state),
            _ => {}
        }
        self.operands().hash(state);
    }
}

impl Operand {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Number(_, origin) => *origin,
            Self::Function(application) => application.origin,
        }
    }
}

impl SequenceOperator {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Once(_, origin)
            | Self::OnceMeasure(_, _, origin)
            | Self::Hold(_, origin)
            | Self::HoldWhile(_, _, origin) => *origin,
        }
    }

    /// Returns the main condition of the operator, without the events of a `hold-while`.
    pub fn condition(&self) -> &Condition {
        match self {
            Self::Once(condition, _)
            | Self::OnceMeasure(condition, _, _)
            | Self::Hold(condition, _)
            | Self::HoldWhile(condition, _, _) => condition,
        }
    }
}

impl Terminal {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::And(_, origin) | Self::Or(_, origin) | Self::Not(_, origin) | Self::Compare(_, _, origin) => *origin,
        }
    }
}

impl Score {
    /// Returns the source span.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Number(_, origin)
            | Self::Add(_, origin)
            | Self::Multiply(_, origin)
            | Self::Subtract(_, origin)
            | Self::Divide(_, origin)
            | Self::Negate(_, origin)
            | Self::Compare(_, _, origin)
            | Self::AllEqual(_, origin)
            | Self::ExternalMaximum(_, origin)
            | Self::ExternalMinimum(_, origin)
            | Self::TotalTime(origin)
            | Self::TotalScore(origin)
            | Self::Count(_, _, origin) => *origin,
        }
    }

    /// Returns the subexpressions.
    pub fn operands(&self) -> &[Score] {
        match self {
            Self::Add(parts, _) | Self::Multiply(parts, _) | Self::AllEqual(parts, _) => parts,
            Self::Subtract(sides, _) | Self::Divide(sides, _) | Self::Compare(_, sides, _) => &**sides,
            Self::Negate(part, _) | Self::ExternalMaximum(part, _) | Self::ExternalMinimum(part, _) => {
                std::slice::from_ref(part)
            }
            Self::Number(..) | Self::TotalTime(_) | Self::TotalScore(_) | Self::Count(..) => &[],
        }
    }
}

impl Game {
    /// Iterates over the preferences in source order, each with its external variables.
    pub fn preferences(&self) -> impl Iterator<Item = (&[TypedVariables], &Preference)> {
        self.constraints.iter().flat_map(|constraint| {
            let (variables, preferences) = match constraint {
                Constraint::Preference(preference) => (&[][..], std::slice::from_ref(preference)),
                Constraint::Forall { variables, preferences, .. } => (&variables[..], &preferences[..]),
            };
            preferences.iter().map(move |preference| (variables, preference))
        })
    }
}
