//! The random numbers that filters, computations and effects draw.

use goalspec_resource::compute::Computation;
use goalspec_resource::expression::NumericNode;
use goalspec_resource::filter::Filter;
use goalspec_resource::game::ConsequenceEffect;

/// Whether the values that an effect writes may depend on random numbers.
pub(crate) fn values_draw(effect: &ConsequenceEffect) -> bool {
    match effect {
        ConsequenceEffect::Resources { compute, add, replace } => {
            compute.iter().any(|computed| computation_draws(&computed.value))
                || add.iter().chain(replace).any(|(_, value)| computation_draws(value))
        }
        ConsequenceEffect::WithVectors { compute, add, .. } => {
            compute.iter().any(|computed| computation_draws(&computed.value))
                || add.iter().any(|(_, value)| computation_draws(value))
        }
        ConsequenceEffect::MakeNodeVisible { .. } => false,
        ConsequenceEffect::Custom { .. } => true,
    }
}

/// Whether the filters of the vectors that an effect applies to may draw random numbers.
pub(crate) fn vectors_draw(effect: &ConsequenceEffect) -> bool {
    match effect {
        ConsequenceEffect::WithVectors { vectors, .. } | ConsequenceEffect::MakeNodeVisible { vectors, .. } => {
            filter_draws(&vectors.source) || filter_draws(&vectors.target)
        }
        ConsequenceEffect::Resources { .. } | ConsequenceEffect::Custom { .. } => false,
    }
}

/// Whether a filter may draw a random number.
pub(crate) fn filter_draws(filter: &Filter) -> bool {
    let mut stack = vec![filter];
    while let Some(filter) = stack.pop() {
        match filter {
            Filter::Computed(compute) if computation_draws(compute) => return true,
            Filter::Always | Filter::Never | Filter::Field(..) | Filter::Computed(_) => {}
            Filter::Not(inner) => stack.push(inner),
            Filter::And(parts) | Filter::Or(parts) => stack.extend(parts),
        }
    }
    false
}

/// Whether a computation may draw a random number. Games nest computations at most [`MAX_DEPTH`](crate::MAX_DEPTH) deep.
pub(crate) fn computation_draws(compute: &Computation) -> bool {
    match compute {
        Computation::Calculate(formula) => formula
            .expression
            .nodes()
            .iter()
            .any(|node| matches!(node, NumericNode::Random | NumericNode::RandomBetween(_))),
        Computation::Cases(cases) => cases.iter().any(|case| computation_draws(&case.value)),
        Computation::Chain(from, _) => computation_draws(from),
        Computation::Constant(_)
        | Computation::Field(_)
        | Computation::CalculateBoolean(_)
        | Computation::Math(_)
        | Computation::Template(_)
        | Computation::FirstOf(_)
        | Computation::List(_) => false,
    }
}
