//! Enumeration of the fields that filters and computations read.

use goalspec_resource::compute::{Computation, TemplatePart};
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{ConsequenceEffect, Game};

/// The use of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldUse<'a> {
    /// The field is tested.
    Test(&'a ValueFilter),
    /// The value of the field is an operand.
    Value,
}

/// Calls `visit` for every field that a game reads, except in rewards and metrics.
pub(crate) fn game<'a>(game: &'a Game, mut visit: impl FnMut(&'a Field, FieldUse<'a>)) {
    filter(&game.completed, &mut visit);
    for action in &game.actions {
        filter(&action.requires, &mut visit);
        for consequence in &action.consequences {
            match &consequence.outcome {
                ConsequenceEffect::Resources { compute: computed, add, replace: put } => {
                    for one in computed {
                        compute(&one.value, &mut visit);
                    }
                    for (_, value) in add.iter().chain(put) {
                        compute(value, &mut visit);
                    }
                }
                ConsequenceEffect::WithVectors { vectors, compute: computed, add, .. } => {
                    filter(&vectors.source, &mut visit);
                    filter(&vectors.target, &mut visit);
                    for one in computed {
                        compute(&one.value, &mut visit);
                    }
                    for (_, value) in add {
                        compute(value, &mut visit);
                    }
                }
                ConsequenceEffect::MakeNodeVisible { vectors, .. } => {
                    filter(&vectors.source, &mut visit);
                    filter(&vectors.target, &mut visit);
                }
                ConsequenceEffect::Custom { .. } => {}
            }
        }
    }
}

/// Calls `visit` for a field, or for the field that it is a member of.
pub(crate) fn field<'a>(
    mut field: &'a Field,
    mut usage: FieldUse<'a>,
    visit: &mut impl FnMut(&'a Field, FieldUse<'a>),
) {
    while let Field::Member(whole, _) = field {
        (field, usage) = (whole, FieldUse::Value);
    }
    visit(field, usage);
}

/// A pending part of the traversal, which uses a stack instead of recursion.
enum Part<'a> {
    Filter(&'a Filter),
    Compute(&'a Computation),
}

/// Calls `visit` for every field of a filter.
pub(crate) fn filter<'a>(filter: &'a Filter, visit: impl FnMut(&'a Field, FieldUse<'a>)) {
    walk(Part::Filter(filter), visit);
}

/// Calls `visit` for every field of a computation.
pub(crate) fn compute<'a>(compute: &'a Computation, visit: impl FnMut(&'a Field, FieldUse<'a>)) {
    walk(Part::Compute(compute), visit);
}

fn walk<'a>(whole: Part<'a>, mut visit: impl FnMut(&'a Field, FieldUse<'a>)) {
    let mut rest = vec![whole];
    let mut seen = |read: &'a Field, usage: FieldUse<'a>| field(read, usage, &mut visit);
    while let Some(part) = rest.pop() {
        match part {
            Part::Filter(Filter::Field(field, test)) => seen(field, FieldUse::Test(test)),
            Part::Filter(Filter::Computed(compute)) => rest.push(Part::Compute(compute)),
            Part::Filter(Filter::Not(inner)) => rest.push(Part::Filter(inner)),
            Part::Filter(Filter::And(parts) | Filter::Or(parts)) => rest.extend(parts.iter().map(Part::Filter)),
            Part::Filter(Filter::Always | Filter::Never) | Part::Compute(Computation::Constant(_)) => {}
            Part::Compute(Computation::Field(field)) => seen(field, FieldUse::Value),
            Part::Compute(Computation::Calculate(formula)) => {
                formula.fields.iter().for_each(|field| seen(field, FieldUse::Value));
            }
            Part::Compute(Computation::CalculateBoolean(formula)) => {
                formula.fields.iter().for_each(|field| seen(field, FieldUse::Value));
            }
            Part::Compute(Computation::Cases(cases)) => {
                for case in cases {
                    for (field, test) in &case.when {
                        seen(field, FieldUse::Test(test));
                    }
                    rest.push(Part::Compute(&case.value));
                }
            }
            Part::Compute(Computation::Math(math)) => math.fields.iter().for_each(|field| seen(field, FieldUse::Value)),
            Part::Compute(Computation::Template(pieces)) => {
                for piece in pieces {
                    if let TemplatePart::Field(field) = piece {
                        seen(field, FieldUse::Value);
                    }
                }
            }
            Part::Compute(Computation::FirstOf(fields) | Computation::List(fields)) => {
                for field in fields {
                    seen(field, FieldUse::Value);
                }
            }
            Part::Compute(Computation::Chain(from, _)) => rest.push(Part::Compute(from)),
        }
    }
}
