//! The fields and random numbers that tests and computations use.

use crate::compute::{Computation, TemplatePart};
use crate::expression::NumericNode;
use crate::field::Field;
use crate::filter::Filter;

impl Computation {
    /// Calls `read` with every field that the computation may read, in textual order.
    pub fn for_each_field<'a>(&'a self, read: &mut impl FnMut(&'a Field)) {
        match self {
            Self::Constant(_) => {}
            Self::Field(field) => read(field),
            Self::Calculate(formula) => formula.fields.iter().for_each(read),
            Self::CalculateBoolean(formula) => formula.fields.iter().for_each(read),
            Self::Cases(cases) => {
                for case in cases {
                    case.when.iter().for_each(|(field, _)| read(field));
                    case.value.for_each_field(read);
                }
            }
            Self::Math(math) => math.fields.iter().for_each(read),
            Self::Template(pieces) => pieces.iter().for_each(|piece| {
                if let TemplatePart::Field(field) = piece {
                    read(field);
                }
            }),
            Self::FirstOf(fields) | Self::List(fields) => fields.iter().for_each(read),
            Self::Chain(first, _) => first.for_each_field(read),
        }
    }

    /// Whether the value depends on random numbers.
    pub fn is_random(&self) -> bool {
        match self {
            Self::Calculate(formula) => {
                let draws = |node: &NumericNode| matches!(node, NumericNode::Random | NumericNode::RandomBetween(_));
                formula.expression.nodes().iter().any(draws)
            }
            Self::Cases(cases) => cases.iter().any(|case| case.value.is_random()),
            Self::Chain(first, _) => first.is_random(),
            _ => false,
        }
    }
}

impl Filter {
    /// Calls `read` with every field that the test may read, in textual order.
    pub fn for_each_field<'a>(&'a self, read: &mut impl FnMut(&'a Field)) {
        match self {
            Self::Always | Self::Never => {}
            Self::Field(field, _) => read(field),
            Self::Computed(compute) => compute.for_each_field(read),
            Self::Not(inner) => inner.for_each_field(read),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.for_each_field(read)),
        }
    }

    /// Whether the result depends on random numbers.
    pub fn is_random(&self) -> bool {
        match self {
            Self::Always | Self::Never | Self::Field(..) => false,
            Self::Computed(compute) => compute.is_random(),
            Self::Not(inner) => inner.is_random(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::is_random),
        }
    }
}
