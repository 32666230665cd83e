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
    while let Field::Member(object, _) = field {
        (field, usage) = (object, FieldUse::Value);
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

fn walk<'a>(root: Part<'a>, mut visit: impl FnMut(&'a Field, FieldUse<'a>)) {
    let mut stack = vec![root];
    let mut visit_field = |read: &'a Field, usage: FieldUse<'a>| field(read, usage, &mut visit);
    while let Some(part) = stack.pop() {
        match part {
            Part::Filter(Filter::Field(field, test)) => visit_field(field, FieldUse::Test(test)),
            Part::Filter(Filter::Computed(compute)) => stack.push(Part::Compute(compute)),
            Part::Filter(Filter::Not(inner)) => stack.push(Part::Filter(inner)),
            Part::Filter(Filter::And(parts) | Filter::Or(parts)) => stack.extend(parts.iter().map(Part::Filter)),
            Part::Filter(Filter::Always | Filter::Never) | Part::Compute(Computation::Constant(_)) => {}
            Part::Compute(Computation::Field(field)) => visit_field(field, FieldUse::Value),
            Part::Compute(Computation::Calculate(formula)) => {
                formula.fields.iter().for_each(|field| visit_field(field, FieldUse::Value));
            }
            Part::Compute(Computation::CalculateBoolean(formula)) => {
                formula.fields.iter().for_each(|field| visit_field(field, FieldUse::Value));
            }
            Part::Compute(Computation::Cases(cases)) => {
                for case in cases {
                    for (field, test) in &case.when {
                        visit_field(field, FieldUse::Test(test));
                    }
                    stack.push(Part::Compute(&case.value));
                }
            }
            Part::Compute(Computation::Math(math)) => {
                math.fields.iter().for_each(|field| visit_field(field, FieldUse::Value));
            }
            Part::Compute(Computation::Template(template)) => {
                for template_part in template {
                    if let TemplatePart::Field(field) = template_part {
                        visit_field(field, FieldUse::Value);
                    }
                }
            }
            Part::Compute(Computation::FirstOf(fields) | Computation::List(fields)) => {
                for field in fields {
                    visit_field(field, FieldUse::Value);
                }
            }
            Part::Compute(Computation::Chain(from, _)) => stack.push(Part::Compute(from)),
        }
    }
}
