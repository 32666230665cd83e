//! The abstract syntax tree of a game, as the parser builds it: names are unresolved, and every node carries its source span,
//! except references to preferences, whose names do.
//!
//! A piece of text that could not be parsed is an [`ErrorNode`] in the tree, with the parts of it that could be parsed. Name resolution
//! [marks](NodeStatus) the names and applications about which it reports an error. Every phase skips erroneous nodes, so that one mistake causes one
//! diagnostic. Equality and hashing ignore spans and marks.
//!
//! | module | contents |
//! |---|---|
//! | `node` | spans, names and error nodes |
//! | `condition` | conditions: nodes, traversal, notation, keywords |
//! | [`visit`] | traversal |

pub(crate) mod condition;
mod node;
pub mod visit;

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::program::CountOperator;
use goalspec_syntax::Span;

pub use condition::{Application, Condition, Operand};
pub use goalspec_syntax::NodeSpan;
pub use node::{ErrorNode, Name, NodeStatus, UnparsedNames};

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
    /// The scoring expression, from `(:scoring ..)`.
    pub scoring: Score,
    /// Whether the parser reported errors in the game.
    pub integrity: Integrity,
    /// The names that the pieces that could not be parsed may declare.
    pub unparsed_names: UnparsedNames,
    /// The span of the whole definition. Every diagnostic inside this span belongs to this game.
    pub span: NodeSpan,
}

/// The extent to which the tree of a game corresponds to its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Integrity {
    /// The parser reported no error.
    Complete,
    /// Some pieces could not be parsed; all others are where they belong.
    Partial,
    /// Parentheses are missing or misplaced, or the text has other errors of the s-expression layer. Pieces may be missing, or be parts
    /// of the wrong list.
    Damaged,
}

/// A typed list of variables: `?a ?b - TYPE` or `?a - (either TYPE TYPE)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypedVariables {
    /// The declared variables.
    pub names: Vec<Name>,
    /// The declared types; several types form an `either`.
    pub types: Vec<Name>,
    /// The span of the variable list.
    pub span: NodeSpan,
}

/// A constraint on the room before or during play: a formula over `game-conserved` and `game-optional` conditions.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum SetupStatement {
    /// A conjunction: `(and ..)`.
    And(Vec<SetupStatement>, NodeSpan),
    /// A disjunction: `(or ..)`.
    Or(Vec<SetupStatement>, NodeSpan),
    /// A negation: `(not ..)`.
    Not(Box<SetupStatement>, NodeSpan),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<TypedVariables>, Box<SetupStatement>, NodeSpan),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<TypedVariables>, Box<SetupStatement>, NodeSpan),
    /// A condition that must keep holding during play: `(game-conserved ..)`.
    Conserved(Condition, NodeSpan),
    /// A condition that must hold once before play: `(game-optional ..)`.
    Optional(Condition, NodeSpan),
    /// A statement that could not be parsed.
    Error(ErrorNode<SetupStatement>),
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
        span: NodeSpan,
    },
    /// An entry that could not be parsed.
    Error(ErrorNode<Constraint>),
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
    pub span: NodeSpan,
}

/// The quantifier directly inside a preference: `(exists (..) body)` or `(forall (..) body)`.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct PreferenceQuantifier {
    /// The kind of quantifier.
    pub kind: goalspec_core::program::Quantifier,
    /// The quantified variables.
    pub variables: Vec<TypedVariables>,
    /// The span of the quantifier.
    pub span: NodeSpan,
}

/// The temporal pattern of a preference.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum PatternBody {
    /// A sequence of operators: `(then ..)`.
    Then(Vec<SequenceOperator>, NodeSpan),
    /// A condition on the final state: `(at-end ..)`.
    AtEnd(Condition, NodeSpan),
    /// A pattern that could not be parsed.
    Error(ErrorNode<PatternBody>),
}

/// A temporal operator of a `then` sequence.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum SequenceOperator {
    /// A condition on one state: `(once ..)`.
    Once(Condition, NodeSpan),
    /// A condition on one state that also records the value of a function: `(once-measure condition function)`, or
    /// `(once condition function)`.
    OnceMeasure(Condition, Application, NodeSpan),
    /// A condition on consecutive states: `(hold ..)`.
    Hold(Condition, NodeSpan),
    /// A condition on consecutive states during which events occur in order: `(hold-while condition event ..)`.
    HoldWhile(Condition, Vec<Condition>, NodeSpan),
    /// An operator that could not be parsed, with its conditions.
    Error(ErrorNode<Condition>),
}

/// A terminal condition.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Terminal {
    /// A conjunction: `(and ..)`.
    And(Vec<Terminal>, NodeSpan),
    /// A disjunction: `(or ..)`.
    Or(Vec<Terminal>, NodeSpan),
    /// A negation: `(not ..)`.
    Not(Box<Terminal>, NodeSpan),
    /// A comparison of two scoring expressions, which include `(total-time)` and `(total-score)`.
    Compare(ComparisonOperator, Box<[Score; 2]>, NodeSpan),
    /// A condition that could not be parsed.
    Error(ErrorNode<Terminal>),
}

/// A scoring expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// A numeric literal.
    Number(f64, NodeSpan),
    /// A sum: `(+ ..)`.
    Add(Vec<Score>, NodeSpan),
    /// A product: `(* ..)`.
    Multiply(Vec<Score>, NodeSpan),
    /// A difference: `(- a b)`.
    Subtract(Box<[Score; 2]>, NodeSpan),
    /// A quotient: `(/ a b)`.
    Divide(Box<[Score; 2]>, NodeSpan),
    /// A negation: `(- a)`.
    Negate(Box<Score>, NodeSpan),
    /// A comparison of two expressions, 1 if it holds and 0 otherwise: `(< a b)`, also with `<=`, `=`, `>=` or `>`.
    Compare(ComparisonOperator, Box<[Score; 2]>, NodeSpan),
    /// An equality of one expression or of more than two: `(= a ..)`.
    AllEqual(Vec<Score>, NodeSpan),
    /// The maximum over the bindings of the external variables: `(external-forall-maximize ..)`.
    ExternalMaximum(Box<Score>, NodeSpan),
    /// The minimum over the bindings of the external variables: `(external-forall-minimize ..)`.
    ExternalMinimum(Box<Score>, NodeSpan),
    /// The elapsed time: `(total-time)`.
    TotalTime(NodeSpan),
    /// The current score: `(total-score)`.
    TotalScore(NodeSpan),
    /// A count of satisfactions, such as `(count preference:type:type)`.
    Count(CountOperator, PreferenceReference, NodeSpan),
    /// An expression that could not be parsed.
    Error(ErrorNode<Score>),
}

/// A reference to a preference, optionally restricted by type: `name:type:type`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PreferenceReference {
    /// The name of the preference.
    pub name: Name,
    /// The types that restrict the external variables, in the order of the variables.
    pub types: Vec<Name>,
}

impl SetupStatement {
    /// Returns whether the statement could not be parsed.
    pub fn is_unparsed(&self) -> bool {
        matches!(self, Self::Error(_))
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Or(_, span)
            | Self::Not(_, span)
            | Self::Exists(_, _, span)
            | Self::Forall(_, _, span)
            | Self::Conserved(_, span)
            | Self::Optional(_, span) => span.0,
            Self::Error(node) => node.span,
        }
    }
}

/// Hashes a number such that equal numbers have equal hashes, including the two zeros.
fn hash_number<H: Hasher>(number: f64, state: &mut H) {
    (number + 0.0).to_bits().hash(state);
}

impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Self::Number(number, _) => hash_number(*number, state),
            Self::Compare(comparison, ..) => comparison.hash(state),
            Self::Count(kind, reference, _) => (kind, reference).hash(state),
            Self::Error(node) => node.hash(state),
            Self::Add(..)
            | Self::Multiply(..)
            | Self::Subtract(..)
            | Self::Divide(..)
            | Self::Negate(..)
            | Self::AllEqual(..)
            | Self::ExternalMaximum(..)
            | Self::ExternalMinimum(..)
            | Self::TotalTime(_)
            | Self::TotalScore(_) => {}
        }
        self.operands().hash(state);
    }
}

impl SequenceOperator {
    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::Once(_, span) | Self::OnceMeasure(_, _, span) | Self::Hold(_, span) | Self::HoldWhile(_, _, span) => {
                span.0
            }
            Self::Error(node) => node.span,
        }
    }

    /// Returns the main condition of the operator, without the events of a `hold-while`; `None` for an operator that could not be
    /// parsed.
    pub fn condition(&self) -> Option<&Condition> {
        match self {
            Self::Once(condition, _)
            | Self::OnceMeasure(condition, _, _)
            | Self::Hold(condition, _)
            | Self::HoldWhile(condition, _, _) => Some(condition),
            Self::Error(_) => None,
        }
    }

    /// Returns all conditions of the operator, in source order.
    pub(crate) fn into_conditions(self) -> Vec<Condition> {
        match self {
            Self::Once(condition, _) | Self::OnceMeasure(condition, _, _) | Self::Hold(condition, _) => vec![condition],
            Self::HoldWhile(condition, events, _) => std::iter::once(condition).chain(events).collect(),
            Self::Error(node) => node.parts,
        }
    }
}

impl Terminal {
    /// Returns whether the condition could not be parsed.
    pub fn is_unparsed(&self) -> bool {
        matches!(self, Self::Error(_))
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span) | Self::Or(_, span) | Self::Not(_, span) | Self::Compare(_, _, span) => span.0,
            Self::Error(node) => node.span,
        }
    }
}

impl Score {
    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::Number(_, span)
            | Self::Add(_, span)
            | Self::Multiply(_, span)
            | Self::Subtract(_, span)
            | Self::Divide(_, span)
            | Self::Negate(_, span)
            | Self::Compare(_, _, span)
            | Self::AllEqual(_, span)
            | Self::ExternalMaximum(_, span)
            | Self::ExternalMinimum(_, span)
            | Self::TotalTime(span)
            | Self::TotalScore(span)
            | Self::Count(_, _, span) => span.0,
            Self::Error(node) => node.span,
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
            Self::Error(node) => &node.parts,
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
                Constraint::Error(_) => (&[][..], &[][..]),
            };
            preferences.iter().map(move |preference| (variables, preference))
        })
    }

    /// Returns whether the parser reported no error in the game.
    pub fn is_complete(&self) -> bool {
        self.integrity == Integrity::Complete
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        self.span.0
    }
}

impl TypedVariables {
    /// Iterates over the variables of several groups, in order.
    pub fn names_of(groups: &[Self]) -> impl Iterator<Item = &Name> {
        groups.iter().flat_map(|group| &group.names)
    }

    /// Returns whether a valid name of a variable or a type is missing in some group.
    pub fn lack_name(groups: &[Self]) -> bool {
        groups.iter().any(|group| group.names.iter().chain(&group.types).any(Name::is_missing))
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        self.span.0
    }
}

impl Preference {
    /// Returns the source span.
    pub fn span(&self) -> Span {
        self.span.0
    }
}
