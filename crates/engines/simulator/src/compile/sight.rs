//! Choice of the representation of observers: bit masks are possible if all labels are known and their order does not matter.

use std::sync::Arc;

use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::Compute;
use goalspec_resource::field::{Field, Place};
use goalspec_resource::filter::{TextTest, ValueFilter};
use goalspec_resource::game::{Game, Outcome};
use goalspec_resource::rules::View;
use goalspec_resource::value::{Labels, Value};

use crate::program::Sight;
use crate::sight::labels_of;
use crate::walk::{self, Use};

/// The number of labels that fit into a word.
const MAX_LABELS: usize = u64::BITS as usize;

/// Chooses the representation of the observers of the nodes of a game.
pub(super) fn choose(game: &Game) -> Sight {
    match known_labels(game) {
        Some(labels)
            if labels.len() <= MAX_LABELS && labels.iter().all(|label| known(label)) && !order_counts(game) =>
        {
            Sight::Masks(labels)
        }
        _ => Sight::Sets(game.board.nodes().map(|(_, node)| Arc::new(node.seen_by.clone())).collect()),
    }
}

/// Returns every label that a node can have; `None` if some are known only at run time.
fn known_labels(game: &Game) -> Option<Labels> {
    let mut labels: Labels = game.teams.iter().map(|team| team.name.clone()).collect();
    labels.extend(game.board.nodes().flat_map(|(_, node)| node.seen_by.iter().cloned()));
    for action in &game.actions {
        for (place, value) in &action.cost {
            if is_sight(*place) {
                labels.insert(value.to_string().into());
            }
        }
        for consequence in &action.consequences {
            match &consequence.outcome {
                Outcome::Resources { add, put, .. } => {
                    labels.extend(given(add, added)?);
                    labels.extend(given(put, labels_of)?);
                }
                Outcome::WithVectors { add, .. } => {
                    labels.extend(given(add, added)?);
                }
                Outcome::MakeNodeVisible { label, .. } => {
                    labels.insert(label.clone());
                }
                Outcome::Custom { .. } => return None,
            }
        }
    }
    Some(labels)
}

/// Returns the labels that effects assign, if they are constants; `labels` converts a value to labels.
fn given(effects: &[(Place, Compute)], labels: impl Fn(Option<&Value>) -> Labels) -> Option<Labels> {
    let mut given = Labels::default();
    for (place, value) in effects {
        if is_sight(*place) {
            let Compute::Constant(value) = value else { return None };
            given.extend(labels(value.as_ref()));
        }
    }
    Some(given)
}

/// Returns the label that adding a value assigns.
fn added(value: Option<&Value>) -> Labels {
    value.into_iter().map(|value| Arc::from(value.to_string())).collect()
}

fn is_sight(place: Place) -> bool {
    matches!(place, Place::Observable(_) | Place::EndObservable(_))
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
fn order_counts(game: &Game) -> bool {
    let mut counts = false;
    let mut visit = |field: &Field, usage: Use<'_>| {
        if matches!(field, Field::Observable(_) | Field::EndObservable(_) | Field::OwnObservable) {
            counts |= match usage {
                Use::Test(filter) => !blind_to_order(filter),
                Use::Value => true,
            };
        }
    };
    walk::game(game, &mut visit);
    game.metrics.iter().for_each(|metric| walk::field(&metric.field, Use::Value, &mut visit));
    if game.rules.reward_view == View::Truth {
        game.teams.iter().filter_map(|team| team.reward.as_ref()).for_each(|reward| walk::compute(reward, &mut visit));
    }
    counts
}

/// Whether the result of a test on a set of labels is independent of their order.
fn blind_to_order(filter: &ValueFilter) -> bool {
    match filter {
        ValueFilter::Text(TextTest::Contains, part) => plain(part),
        ValueFilter::Compare(Comparison::Equal | Comparison::NotEqual, bound) => plain_set(bound),
        ValueFilter::Not(inner) => blind_to_order(inner),
        ValueFilter::And(parts) | ValueFilter::Or(parts) => parts.iter().all(blind_to_order),
        ValueFilter::All
        | ValueFilter::None
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
