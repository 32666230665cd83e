//! Choice of the representation of observers: bit masks are possible if all labels are known and their order does not matter.

use std::sync::Arc;

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::Computation;
use goalspec_resource::field::{Field, Place};
use goalspec_resource::filter::{TextTest, ValueFilter};
use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::rules::Perspective;
use goalspec_resource::value::{Labels, Value};

use crate::field_visitor::{self, FieldUse};
use crate::observers::labels_of;
use crate::program::observers::ObserverStorage;

/// The number of labels that fit into a word.
const MAX_LABELS: usize = u64::BITS as usize;

/// Chooses the representation of the observers of the nodes of a game.
pub(super) fn choose(game: &Game) -> ObserverStorage {
    match known_labels(game) {
        Some(labels)
            if labels.len() <= MAX_LABELS && labels.iter().all(|label| known(label)) && !is_order_dependent(game) =>
        {
            ObserverStorage::Masks(labels)
        }
        _ => ObserverStorage::Sets(game.board.nodes().map(|(_, node)| Arc::new(node.observers.clone())).collect()),
    }
}

/// Returns every label that a node can have; `None` if some are known only at run time.
fn known_labels(game: &Game) -> Option<Labels> {
    let mut labels: Labels = game.teams.iter().map(|team| team.name.clone()).collect();
    labels.extend(game.board.nodes().flat_map(|(_, node)| node.observers.iter().cloned()));
    for action in &game.actions {
        for (place, value) in &action.cost {
            if is_observers(*place) {
                labels.insert(value.to_string().into());
            }
        }
        for consequence in &action.consequences {
            match &consequence.outcome {
                ConsequenceEffect::Resources { add, replace: put, .. } => {
                    labels.extend(assigned_labels(add, added)?);
                    labels.extend(assigned_labels(put, labels_of)?);
                }
                ConsequenceEffect::WithVectors { add, .. } => {
                    labels.extend(assigned_labels(add, added)?);
                }
                ConsequenceEffect::MakeNodeVisible { label, .. } => {
                    labels.insert(label.clone());
                }
                ConsequenceEffect::Custom { .. } => return None,
            }
        }
    }
    Some(labels)
}

/// Returns the labels that effects assign, if they are constants; `labels` converts a value to labels.
fn assigned_labels(effects: &[(Place, Computation)], labels: impl Fn(Option<&Value>) -> Labels) -> Option<Labels> {
    let mut assigned = Labels::default();
    for (place, value) in effects {
        if is_observers(*place) {
            let Computation::Constant(value) = value else { return None };
            assigned.extend(labels(value.as_ref()));
        }
    }
    Some(assigned)
}

/// Returns the label that adding a value assigns.
fn added(value: Option<&Value>) -> Labels {
    value.into_iter().map(|value| Arc::from(value.to_string())).collect()
}

fn is_observers(place: Place) -> bool {
    matches!(place, Place::Observers(_) | Place::EndpointObservers(_))
}

/// Whether a label is unambiguous within the text form of a set.
fn plain(label: &str) -> bool {
    !label.is_empty() && !label.contains(['[', ']', ',', ' '])
}

/// Whether the text form of a set with such labels identifies the set, except that no label and the empty label look the same.
fn known(label: &str) -> bool {
    label.is_empty() || plain(label)
}

/// Whether the game can distinguish sets with the same members in a different order.
fn is_order_dependent(game: &Game) -> bool {
    let mut counts = false;
    let mut visit = |field: &Field, usage: FieldUse<'_>| {
        if matches!(field, Field::Observers(_) | Field::EndpointObservers(_) | Field::TestedNodeObservers) {
            counts |= match usage {
                FieldUse::Test(filter) => !is_order_independent(filter),
                FieldUse::Value => true,
            };
        }
    };
    field_visitor::game(game, &mut visit);
    game.metrics.iter().for_each(|metric| field_visitor::field(&metric.field, FieldUse::Value, &mut visit));
    if game.rules.reward_view == Perspective::TrueState {
        game.teams
            .iter()
            .filter_map(|team| team.reward.as_ref())
            .for_each(|reward| field_visitor::compute(reward, &mut visit));
    }
    counts
}

/// Whether the result of a test on a set of labels is independent of their order.
fn is_order_independent(filter: &ValueFilter) -> bool {
    match filter {
        ValueFilter::Text(TextTest::Contains, part) => plain(part),
        ValueFilter::Compare(ComparisonOperator::Equal | ComparisonOperator::NotEqual, bound) => plain_set(bound),
        ValueFilter::Not(inner) => is_order_independent(inner),
        ValueFilter::And(parts) | ValueFilter::Or(parts) => parts.iter().all(is_order_independent),
        ValueFilter::Always
        | ValueFilter::Never
        | ValueFilter::IsNull
        | ValueFilter::IsNotNull
        | ValueFilter::IsEmpty
        | ValueFilter::IsNotEmpty
        | ValueFilter::HasAny(_) => true,
        _ => false,
    }
}

/// Whether a value is not a set, or a set whose text form identifies its labels.
fn plain_set(value: &Value) -> bool {
    match value {
        Value::Set(labels) => labels.iter().all(|label| known(label)),
        _ => true,
    }
}
