//! Enumeration of the fields that filters and computations read.

use goalspec_resource::compute::{Compute, Piece};
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{Game, Outcome};

/// The use of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Use<'a> {
    /// The field is tested.
    Test(&'a ValueFilter),
    /// The value of the field is an operand.
    Value,
}

/// Calls `visit` for every field that a game reads, except in rewards and metrics.
pub(crate) fn game<'a>(game: &'a Game, mut visit: impl FnMut(&'a Field, Use<'a>)) {
    filter(&game.completed, &mut visit);
    for action in &game.actions {
        filter(&action.requires, &mut visit);
        for consequence in &action.consequences {
            match &consequence.outcome {
                Outcome::Resources { compute: computed, add, put } => {
                    for one in computed {
                        compute(&one.value, &mut visit);
                    }
                    for (_, value) in add.iter().chain(put) {
                        compute(value, &mut visit);
                    }
                }
                Outcome::WithVectors { vectors, compute: computed, add, .. } => {
                    filter(&vectors.source, &mut visit);
                    filter(&vectors.target, &mut visit);
                    for one in computed {
                        compute(&one.value, &mut visit);
                    }
                    for (_, value) in add {
                        compute(value, &mut visit);
                    }
                }
                Outcome::MakeNodeVisible { vectors, .. } => {
                    filter(&vectors.source, &mut visit);
                    filter(&vectors.target, &mut visit);
                }
                Outcome::Custom { .. } => {}
            }
        }
    }
}

/// Calls `visit` for a field, or for the field that it is a member of.
pub(crate) fn field<'a>(mut field: &'a Field, mut usage: Use<'a>, visit: &mut impl FnMut(&'a Field, Use<'a>)) {
    while let Field::Member(whole, _) = field {
        (field, usage) = (whole, Use::Value);
    }
    visit(field, usage);
}

/// A pending part of the traversal, which uses a stack instead of recursion.
enum Part<'a> {
    Filter(&'a Filter),
    Compute(&'a Compute),
}

/// Calls `visit` for every field of a filter.
pub(crate) fn filter<'a>(filter: &'a Filter, visit: impl FnMut(&'a Field, Use<'a>)) {
    walk(Part::Filter(filter), visit);
}

/// Calls `visit` for every field of a computation.
pub(crate) fn compute<'a>(compute: &'a Compute, visit: impl FnMut(&'a Field, Use<'a>)) {
    walk(Part::Compute(compute), visit);
}

fn walk<'a>(whole: Part<'a>, mut visit: impl FnMut(&'a Field, Use<'a>)) {
    let mut rest = vec![whole];
    let mut seen = |read: &'a Field, usage: Use<'a>| field(read, usage, &mut visit);
    while let Some(part) = rest.pop() {
        match part {
            Part::Filter(Filter::Field(field, test)) => seen(field, Use::Test(test)),
            Part::Filter(Filter::Truth(compute)) => rest.push(Part::Compute(compute)),
            Part::Filter(Filter::Not(inner)) => rest.push(Part::Filter(inner)),
            Part::Filter(Filter::And(parts) | Filter::Or(parts)) => rest.extend(parts.iter().map(Part::Filter)),
            Part::Filter(Filter::All | Filter::None) | Part::Compute(Compute::Constant(_)) => {}
            Part::Compute(Compute::Field(field)) => seen(field, Use::Value),
            Part::Compute(Compute::Calculate(formula)) => {
                formula.fields.iter().for_each(|field| seen(field, Use::Value));
            }
            Part::Compute(Compute::CalculateBoolean(formula)) => {
                formula.fields.iter().for_each(|field| seen(field, Use::Value));
            }
            Part::Compute(Compute::Condition(cases)) => {
                for case in cases {
                    for (field, test) in &case.when {
                        seen(field, Use::Test(test));
                    }
                    rest.push(Part::Compute(&case.value));
                }
            }
            Part::Compute(Compute::Math(math)) => math.fields.iter().for_each(|field| seen(field, Use::Value)),
            Part::Compute(Compute::Template(pieces)) => {
                for piece in pieces {
                    if let Piece::Field(field) = piece {
                        seen(field, Use::Value);
                    }
                }
            }
            Part::Compute(Compute::FirstOf(fields) | Compute::List(fields)) => {
                for field in fields {
                    seen(field, Use::Value);
                }
            }
            Part::Compute(Compute::Chain(from, _)) => rest.push(Part::Compute(from)),
        }
    }
}
