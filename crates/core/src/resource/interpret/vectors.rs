//! Which vectors a result is for.

use std::sync::Arc;

use super::environment::Environment;
use crate::resource::board::{NodeId, Vector, VectorId};
use crate::resource::filter::Filter;
use crate::resource::game::VectorFilter;
use crate::resource::random::Stream;
use crate::resource::turn::FailureKind;
use crate::resource::value::Value;

/// The parameter that restricts where a vector comes from.
const SOURCE: &str = "source";
/// The parameter that restricts where a vector goes.
const TARGET: &str = "target";

/// The vectors whose ends pass the tests, in the order of the board. The source is asked first, the target only if that passed.
pub(super) fn matching(
    environment: Environment<'_>,
    filter: &VectorFilter,
    stream: &mut Stream,
) -> Result<Vec<VectorId>, FailureKind> {
    let mut found = Vec::new();
    for (id, vector) in environment.game.board.vectors() {
        if end_holds(environment, &filter.source, vector.source, stream)?
            && end_holds(environment, &filter.target, vector.target, stream)?
        {
            found.push(id);
        }
    }
    Ok(found)
}

/// Whether a node passes a test. One without a bag passes the test that everything passes, and cannot be asked anything else.
fn end_holds(
    environment: Environment<'_>,
    filter: &Filter,
    node: NodeId,
    stream: &mut Stream,
) -> Result<bool, FailureKind> {
    if *filter == Filter::All {
        return Ok(true);
    }
    if environment.state.bag(node).is_none() {
        return Err(FailureKind::BareNode { node });
    }
    filter.holds(&Environment { own: Some(node), ..environment }, stream, &environment.game.rules)
}

/// Whether the parameters of an action leave a vector: each that is named after an end has to be the text of that end's name.
pub(super) fn left_by(parameters: &[(Arc<str>, Value)], environment: Environment<'_>, vector: &Vector) -> bool {
    let leaves = |(name, value): &(Arc<str>, Value)| match restricted(name, vector) {
        Some(node) => *value == Value::Text(environment.game.board.node(node).name.clone()),
        None => true,
    };
    parameters.iter().all(leaves)
}

/// The end of a vector that a parameter restricts.
fn restricted(parameter: &str, vector: &Vector) -> Option<NodeId> {
    match parameter {
        SOURCE => Some(vector.source),
        TARGET => Some(vector.target),
        _ => None,
    }
}
