//! The program as written. Names are still names; every piece knows where it stands.
//!
//! Two programs are equal if they say the same: spans do not count ([`Origin`] compares equal to any other).

use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use goalspec_core::condition::{Comparison, Origin};
use goalspec_core::program::CountKind;

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text, a leading `?` included.
    pub text: Arc<str>,
    /// Where it stands.
    pub origin: Origin,
}

/// A whole game.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Game {
    /// `(define (game NAME)`.
    pub name: Name,
    /// `(:domain NAME)`.
    pub domain: Name,
    /// `(:setup ..)`.
    pub setup: Option<Setup>,
    /// `(:constraints ..)`, the enclosing `and` dropped.
    pub constraints: Vec<Constraint>,
    /// `(:terminal ..)`.
    pub terminal: Option<Terminal>,
    /// `(:scoring ..)`; absent only where it could not be read.
    pub scoring: Option<Score>,
    /// Where it stands: diagnostics within are about this game.
    pub origin: Origin,
}

/// `?a ?b - TYPE` or `?a - (either TYPE TYPE)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Variables {
    /// The variables.
    pub names: Vec<Name>,
    /// The types; more than one stands for `either`.
    pub types: Vec<Name>,
    /// Where it stands.
    pub origin: Origin,
}

/// A setup statement.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Setup {
    /// `(and ..)`.
    And(Vec<Setup>, Origin),
    /// `(or ..)`.
    Or(Vec<Setup>, Origin),
    /// `(not ..)`.
    Not(Box<Setup>, Origin),
    /// `(exists (..) ..)`.
    Exists(Vec<Variables>, Box<Setup>, Origin),
    /// `(forall (..) ..)`.
    Forall(Vec<Variables>, Box<Setup>, Origin),
    /// `(game-conserved ..)`.
    Conserved(Condition, Origin),
    /// `(game-optional ..)`.
    Optional(Condition, Origin),
}

/// A super-predicate.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Condition {
    /// `(and ..)`.
    And(Vec<Condition>, Origin),
    /// `(or ..)`.
    Or(Vec<Condition>, Origin),
    /// `(not ..)`.
    Not(Box<Condition>, Origin),
    /// `(exists (..) ..)`.
    Exists(Vec<Variables>, Box<Condition>, Origin),
    /// `(forall (..) ..)`.
    Forall(Vec<Variables>, Box<Condition>, Origin),
    /// `(< a b)` and its kin, two sides.
    Compare(Comparison, Box<[Operand; 2]>, Origin),
    /// `(= a ..)` with any other number of parts than two.
    AllEqual(Vec<Operand>, Origin),
    /// `(predicate term ..)`.
    Predicate(Application),
}

/// A predicate or function with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Application {
    /// The predicate or function.
    pub name: Name,
    /// The arguments: variables, object names, type names, colours, orientations, sides.
    pub arguments: Vec<Name>,
    /// Where it stands.
    pub origin: Origin,
}

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A number.
    Number(f64, Origin),
    /// A function.
    Function(Application),
}

/// One entry of the constraints.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Constraint {
    /// A preference by itself.
    Preference(Preference),
    /// `(forall (..) preferences)`.
    Forall {
        /// The external variables.
        variables: Vec<Variables>,
        /// The preferences, an enclosing `and` dropped.
        preferences: Vec<Preference>,
        /// Where it stands.
        origin: Origin,
    },
}

/// `(preference NAME ..)`.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Preference {
    /// Its name.
    pub name: Name,
    /// Its own quantifier.
    pub quantifier: Option<PreferenceQuantifier>,
    /// What is looked for.
    pub body: Body,
    /// Where it stands.
    pub origin: Origin,
}

/// `(exists (..) body)` or `(forall (..) body)` directly inside a preference.
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct PreferenceQuantifier {
    /// Which of the two.
    pub kind: goalspec_core::program::Quantifier,
    /// The variables.
    pub variables: Vec<Variables>,
    /// Where it stands.
    pub origin: Origin,
}

/// The body of a preference.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Body {
    /// `(then ..)`.
    Then(Vec<SeqFunc>, Origin),
    /// `(at-end ..)`.
    AtEnd(Condition, Origin),
}

/// An operator of a `then`.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum SeqFunc {
    /// `(once ..)`.
    Once(Condition, Origin),
    /// `(once-measure condition function)`, also written `(once condition function)`.
    OnceMeasure(Condition, Application, Origin),
    /// `(hold ..)`.
    Hold(Condition, Origin),
    /// `(hold-while condition event ..)`.
    HoldWhile(Condition, Vec<Condition>, Origin),
}

/// A terminal condition.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Terminal {
    /// `(and ..)`.
    And(Vec<Terminal>, Origin),
    /// `(or ..)`.
    Or(Vec<Terminal>, Origin),
    /// `(not ..)`.
    Not(Box<Terminal>, Origin),
    /// A comparison of two scores; `(total-time)` and `(total-score)` are scores.
    Compare(Comparison, Box<[Score; 2]>, Origin),
}

/// A scoring expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// A number.
    Number(f64, Origin),
    /// `(+ ..)`.
    Add(Vec<Score>, Origin),
    /// `(* ..)`.
    Multiply(Vec<Score>, Origin),
    /// `(- a b)`.
    Subtract(Box<[Score; 2]>, Origin),
    /// `(/ a b)`.
    Divide(Box<[Score; 2]>, Origin),
    /// `(- a)`.
    Negate(Box<Score>, Origin),
    /// `(< a b)` and its kin, two sides.
    Compare(Comparison, Box<[Score; 2]>, Origin),
    /// `(= a ..)` with any other number of parts than two.
    AllEqual(Vec<Score>, Origin),
    /// `(external-forall-maximize ..)`.
    ExternalMaximum(Box<Score>, Origin),
    /// `(external-forall-minimize ..)`.
    ExternalMinimum(Box<Score>, Origin),
    /// `(total-time)`.
    TotalTime(Origin),
    /// `(total-score)`.
    TotalScore(Origin),
    /// `(count preference:type:type)` and its kin.
    Count(CountKind, PreferenceReference, Origin),
}

/// `name:type:type`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PreferenceReference {
    /// The preference.
    pub name: Name,
    /// The types, one for each external variable in order.
    pub types: Vec<Name>,
}

impl Variables {
    /// The variables of several groups, in order.
    pub fn all(groups: &[Self]) -> impl Iterator<Item = &Name> {
        groups.iter().flat_map(|group| &group.names)
    }
}

impl Setup {
    /// Where it stands.
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
    /// Where it stands.
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

/// Equal numbers hash alike, the two zeros included.
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
        self.parts().hash(state);
    }
}

impl Operand {
    /// Where it stands.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Number(_, origin) => *origin,
            Self::Function(application) => application.origin,
        }
    }
}

impl SeqFunc {
    /// Where it stands.
    pub fn origin(&self) -> Origin {
        match self {
            Self::Once(_, origin)
            | Self::OnceMeasure(_, _, origin)
            | Self::Hold(_, origin)
            | Self::HoldWhile(_, _, origin) => *origin,
        }
    }

    /// What holds in its states; the events of a `hold-while` aside.
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
    /// Where it stands.
    pub fn origin(&self) -> Origin {
        match self {
            Self::And(_, origin) | Self::Or(_, origin) | Self::Not(_, origin) | Self::Compare(_, _, origin) => *origin,
        }
    }
}

impl Score {
    /// Where it stands.
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

    /// The parts that its value is computed from.
    pub fn parts(&self) -> &[Score] {
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
    /// The preferences in order, each with the external variables around it.
    pub fn preferences(&self) -> impl Iterator<Item = (&[Variables], &Preference)> {
        self.constraints.iter().flat_map(|constraint| {
            let (variables, preferences) = match constraint {
                Constraint::Preference(preference) => (&[][..], std::slice::from_ref(preference)),
                Constraint::Forall { variables, preferences, .. } => (&variables[..], &preferences[..]),
            };
            preferences.iter().map(move |preference| (variables, preference))
        })
    }
}
