//! The limit on the nesting of filters and computations, which are compiled and evaluated recursively.

use goalspec_resource::compute::{ChainStep, Computation};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::game::{ConsequenceEffect, Game};

use super::GameCompileError;

/// The maximum nesting depth of filters and computations.
pub const MAX_DEPTH: usize = 256;

#[derive(Clone, Copy)]
enum Part<'a> {
    Filter(&'a Filter),
    Value(&'a ValueFilter),
    Compute(&'a Computation),
}

/// Rejects a game whose filters or computations exceed [`MAX_DEPTH`].
pub(super) fn check(game: &Game) -> Result<(), GameCompileError> {
    let mut stack: Vec<(Part<'_>, usize)> = vec![(Part::Filter(&game.completed), 0)];
    stack.extend(game.teams.iter().filter_map(|team| team.reward.as_ref()).map(|reward| (Part::Compute(reward), 0)));
    for action in &game.actions {
        stack.push((Part::Filter(&action.requires), 0));
        for consequence in &action.consequences {
            let (vectors, computed, effects) = match &consequence.outcome {
                ConsequenceEffect::Resources { compute, add, replace: put } => {
                    (None, &compute[..], [&add[..], &put[..]])
                }
                ConsequenceEffect::MakeNodeVisible { vectors, .. } => (Some(vectors), &[][..], [&[][..]; 2]),
                ConsequenceEffect::WithVectors { vectors, compute, add, .. } => {
                    (Some(vectors), &compute[..], [&add[..], &[][..]])
                }
                ConsequenceEffect::Custom { .. } => (None, &[][..], [&[][..]; 2]),
            };
            stack.extend(
                vectors.iter().flat_map(|vectors| [&vectors.source, &vectors.target]).map(|f| (Part::Filter(f), 0)),
            );
            stack.extend(computed.iter().map(|computed| (Part::Compute(&computed.value), 0)));
            stack.extend(effects.into_iter().flatten().map(|(_, value)| (Part::Compute(value), 0)));
        }
    }
    while let Some((part, depth)) = stack.pop() {
        if depth > MAX_DEPTH {
            return Err(GameCompileError::TooDeep);
        }
        inner(part, |part| stack.push((part, depth + 1)));
    }
    Ok(())
}

fn inner<'a>(part: Part<'a>, mut push: impl FnMut(Part<'a>)) {
    match part {
        Part::Filter(Filter::Field(_, test)) => push(Part::Value(test)),
        Part::Filter(Filter::Computed(compute)) => push(Part::Compute(compute)),
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
        Part::Compute(Computation::Cases(cases)) => {
            for case in cases {
                case.when.iter().for_each(|(_, test)| push(Part::Value(test)));
                push(Part::Compute(&case.value));
            }
        }
        Part::Compute(Computation::Chain(from, steps)) => {
            push(Part::Compute(from));
            for step in steps {
                if let ChainStep::Filter(test) = step {
                    push(Part::Value(test));
                }
            }
        }
        Part::Filter(Filter::Always | Filter::Never) | Part::Value(_) | Part::Compute(_) => {}
    }
}
