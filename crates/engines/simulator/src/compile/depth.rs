//! The limit on the nesting of filters and computations, which are compiled and evaluated recursively.

use goalspec_resource::compute::{Compute, Step};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{Game, Outcome};

use super::Refusal;

/// The maximum nesting depth of filters and computations.
pub const MAX_DEPTH: usize = 256;

#[derive(Clone, Copy)]
enum Part<'a> {
    Filter(&'a Filter),
    Value(&'a ValueFilter),
    Compute(&'a Compute),
}

/// Rejects a game whose filters or computations exceed [`MAX_DEPTH`].
pub(super) fn check(game: &Game) -> Result<(), Refusal> {
    let mut rest: Vec<(Part<'_>, usize)> = vec![(Part::Filter(&game.completed), 0)];
    rest.extend(game.teams.iter().filter_map(|team| team.reward.as_ref()).map(|reward| (Part::Compute(reward), 0)));
    for action in &game.actions {
        rest.push((Part::Filter(&action.requires), 0));
        for consequence in &action.consequences {
            let (vectors, computed, effects) = match &consequence.outcome {
                Outcome::Resources { compute, add, put } => (None, &compute[..], [&add[..], &put[..]]),
                Outcome::MakeNodeVisible { vectors, .. } => (Some(vectors), &[][..], [&[][..]; 2]),
                Outcome::WithVectors { vectors, compute, add, .. } => {
                    (Some(vectors), &compute[..], [&add[..], &[][..]])
                }
                Outcome::Custom { .. } => (None, &[][..], [&[][..]; 2]),
            };
            rest.extend(
                vectors.iter().flat_map(|vectors| [&vectors.source, &vectors.target]).map(|f| (Part::Filter(f), 0)),
            );
            rest.extend(computed.iter().map(|computed| (Part::Compute(&computed.value), 0)));
            rest.extend(effects.into_iter().flatten().map(|(_, value)| (Part::Compute(value), 0)));
        }
    }
    while let Some((part, depth)) = rest.pop() {
        if depth > MAX_DEPTH {
            return Err(Refusal::TooDeep);
        }
        inner(part, |part| rest.push((part, depth + 1)));
    }
    Ok(())
}

fn inner<'a>(part: Part<'a>, mut push: impl FnMut(Part<'a>)) {
    match part {
        Part::Filter(Filter::Field(_, test)) => push(Part::Value(test)),
        Part::Filter(Filter::Truth(compute)) => push(Part::Compute(compute)),
        Part::Filter(Filter::Not(inner)) => push(Part::Filter(inner)),
        Part::Filter(Filter::And(parts) | Filter::Or(parts)) => {
            for part in parts {
                push(Part::Filter(part));
            }
        }
        Part::Value(ValueFilter::Not(inner)) => push(Part::Value(inner)),
        Part::Value(ValueFilter::And(parts) | ValueFilter::Or(parts)) => {
            for part in parts {
                push(Part::Value(part));
            }
        }
        Part::Compute(Compute::Condition(cases)) => {
            for case in cases {
                case.when.iter().for_each(|(_, test)| push(Part::Value(test)));
                push(Part::Compute(&case.value));
            }
        }
        Part::Compute(Compute::Chain(from, steps)) => {
            push(Part::Compute(from));
            for step in steps {
                if let Step::Filter(test) = step {
                    push(Part::Value(test));
                }
            }
        }
        Part::Filter(Filter::All | Filter::None) | Part::Value(_) | Part::Compute(_) => {}
    }
}
