//! Who sees a node, as bits: possible where all labels are known and nothing asks for their order.

use std::sync::Arc;

use goalspec_core::resource::compare::Comparison;
use goalspec_core::resource::compute::Compute;
use goalspec_core::resource::field::{Field, Place};
use goalspec_core::resource::filter::{TextTest, ValueFilter};
use goalspec_core::resource::game::{Game, Outcome};
use goalspec_core::resource::rules::View;
use goalspec_core::resource::value::{Labels, Value};

use crate::program::Sight;
use crate::sight::labels_of;
use crate::walk::{self, Use};

/// How many labels fit into a word.
const MAX_LABELS: usize = u64::BITS as usize;

/// How a game keeps who sees its nodes.
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

/// Every label that a node can get; `None` if some are only known in play.
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

/// The labels that effects give, if these are constants; `labels` says which a value names.
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

/// The label that adding a value gives.
fn added(value: Option<&Value>) -> Labels {
    value.into_iter().map(|value| Arc::from(value.to_string())).collect()
}

fn is_sight(place: Place) -> bool {
    matches!(place, Place::Observable(_) | Place::EndObservable(_))
}

/// Whether a label cannot be taken for anything else within the text form of a set.
fn plain(label: &str) -> bool {
    !label.is_empty() && !label.contains(['[', ']', ',', ' '])
}

/// Whether the text form of a set of such labels tells which they are, but for that of no label and of the empty one.
fn known(label: &str) -> bool {
    label.is_empty() || plain(label)
}

/// Whether anything in the game can tell sets apart that have the same members.
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

/// Whether a test holds of a set of labels whatever their order.
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

/// Whether a value is no set, or one whose text form tells its labels.
fn plain_set(value: &Value) -> bool {
    match value {
        Value::Set(labels) => labels.iter().all(|label| known(label)),
        _ => true,
    }
}
