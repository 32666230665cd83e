//! The fields and random numbers that tests and computations use.

use crate::compute::{Compute, Piece};
use crate::expression::Numeric;
use crate::field::Field;
use crate::filter::Filter;

impl Compute {
    /// Calls `read` with every field that the computation may read, in textual order.
    pub fn reads<'a>(&'a self, read: &mut impl FnMut(&'a Field)) {
        match self {
            Self::Constant(_) => {}
            Self::Field(field) => read(field),
            Self::Calculate(formula) => formula.fields.iter().for_each(read),
            Self::CalculateBoolean(formula) => formula.fields.iter().for_each(read),
            Self::Condition(cases) => {
                for case in cases {
                    case.when.iter().for_each(|(field, _)| read(field));
                    case.value.reads(read);
                }
            }
            Self::Math(math) => math.fields.iter().for_each(read),
            Self::Template(pieces) => pieces.iter().for_each(|piece| {
                if let Piece::Field(field) = piece {
                    read(field);
                }
            }),
            Self::FirstOf(fields) | Self::List(fields) => fields.iter().for_each(read),
            Self::Chain(first, _) => first.reads(read),
        }
    }

    /// Whether the value depends on random numbers.
    pub fn draws(&self) -> bool {
        match self {
            Self::Calculate(formula) => {
                let draws = |node: &Numeric| matches!(node, Numeric::Random | Numeric::RandomBetween(_));
                formula.expression.nodes().iter().any(draws)
            }
            Self::Condition(cases) => cases.iter().any(|case| case.value.draws()),
            Self::Chain(first, _) => first.draws(),
            _ => false,
        }
    }
}

impl Filter {
    /// Calls `read` with every field that the test may read, in textual order.
    pub fn reads<'a>(&'a self, read: &mut impl FnMut(&'a Field)) {
        match self {
            Self::All | Self::None => {}
            Self::Field(field, _) => read(field),
            Self::Truth(compute) => compute.reads(read),
            Self::Not(inner) => inner.reads(read),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.reads(read)),
        }
    }

    /// Whether the result depends on random numbers.
    pub fn draws(&self) -> bool {
        match self {
            Self::All | Self::None | Self::Field(..) => false,
            Self::Truth(compute) => compute.draws(),
            Self::Not(inner) => inner.draws(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::draws),
        }
    }
}
