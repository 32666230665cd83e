//! The parts of a state that numbers describe, as in the rows of a matrix of states.

use crate::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use crate::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use crate::value::{Value, ValueKind};

/// A part of the state that one number describes, or three for a vector.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StatePart {
    /// A bool, int or real attribute.
    Number(ObjectId, AttributeId, ValueKind),
    /// A vector attribute.
    Vector(ObjectId, AttributeId),
    /// A stored fact: it holds if the number is not 0.
    Fact(PredicateId, ObjectArguments),
    /// A stored function.
    Fluent(FunctionId, ObjectArguments),
    /// The presence of an object.
    Presence(ObjectId),
}

impl StatePart {
    /// The number of components of a vector.
    pub const VECTOR_WIDTH: usize = 3;

    /// Returns the number of its columns.
    pub fn width(&self) -> usize {
        match self {
            Self::Vector(..) => Self::VECTOR_WIDTH,
            Self::Number(..) | Self::Fact(..) | Self::Fluent(..) | Self::Presence(_) => 1,
        }
    }

    /// Returns the object whose attribute it is.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Number(object, ..) | Self::Vector(object, _) => Some(*object),
            Self::Fact(..) | Self::Fluent(..) | Self::Presence(_) => None,
        }
    }

    /// Whether a number is a value of its columns; with `exactly`, without rounding.
    pub fn accepts(&self, number: f64, exactly: bool) -> bool {
        match self {
            // The bounds are the nearest numbers to those of 64-bit integers.
            Self::Number(_, _, ValueKind::Int) => {
                (i64::MIN as f64..i64::MAX as f64).contains(&number) && (!exactly || number.fract() == 0.0)
            }
            Self::Number(_, _, ValueKind::Bool) | Self::Fact(..) | Self::Presence(_) if exactly => {
                [0.0, 1.0].contains(&number)
            }
            _ => number.is_finite(),
        }
    }

    /// Returns a description of the values of its columns.
    pub fn values(&self, exactly: bool) -> &'static str {
        match self {
            Self::Number(_, _, ValueKind::Int) => "an integer of 64 bits",
            Self::Number(_, _, ValueKind::Bool) | Self::Fact(..) | Self::Presence(_) if exactly => "0 or 1",
            _ => "a finite number",
        }
    }

    /// Adds the change to the value in these columns to a delta.
    ///
    /// # Panics
    /// If there are fewer numbers than columns.
    pub fn add_change(&self, numbers: &[f64], delta: &mut Delta) {
        let holds = numbers[0] != 0.0;
        match self {
            Self::Number(object, attribute, kind) => {
                let value = match kind {
                    ValueKind::Bool => Value::Bool(holds),
                    ValueKind::Int => Value::Int(numbers[0] as i64),
                    _ => Value::Real(numbers[0]),
                };
                delta.changes.push(AttributeChange { object: *object, attribute: *attribute, value });
            }
            Self::Vector(object, attribute) => {
                let value = Value::Vec3([numbers[0], numbers[1], numbers[2]].into());
                delta.changes.push(AttributeChange { object: *object, attribute: *attribute, value });
            }
            Self::Fact(predicate, arguments) => {
                delta.facts.push(FactChange { predicate: *predicate, arguments: arguments.clone(), holds });
            }
            Self::Fluent(function, arguments) => {
                let (function, arguments) = (*function, arguments.clone());
                delta.fluents.push(FluentChange { function, arguments, value: numbers[0] });
            }
            // The attributes that follow make an object present.
            Self::Presence(object) => delta.removed.extend((!holds).then_some(*object)),
        }
    }
}
