//! The selection of vectors for results.

use std::sync::Arc;

use super::environment::Environment;
use crate::board::{NodeId, Vector, VectorId};
use crate::filter::Filter;
use crate::game::VectorFilter;
use crate::random::Stream;
use crate::turn::FailureKind;
use crate::value::Value;

/// The parameter that restricts the source of a vector.
const SOURCE: &str = "source";
/// The parameter that restricts the target of a vector.
const TARGET: &str = "target";

/// Returns the vectors whose ends pass the tests, in the order of the board. The target is tested only if the source passes.
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

/// Whether a node passes a test. A node without state passes only [`Filter::All`]; any other test of it is an error.
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

/// Whether a vector agrees with the parameters of an action: each parameter named after an end must be the name of that end's
/// node.
pub(super) fn left_by(parameters: &[(Arc<str>, Value)], environment: Environment<'_>, vector: &Vector) -> bool {
    let leaves = |(name, value): &(Arc<str>, Value)| match restricted(name, vector) {
        Some(node) => *value == Value::Text(environment.game.board.node(node).name.clone()),
        None => true,
    };
    parameters.iter().all(leaves)
}

/// Returns the end of a vector that a parameter restricts.
fn restricted(parameter: &str, vector: &Vector) -> Option<NodeId> {
    match parameter {
        SOURCE => Some(vector.source),
        TARGET => Some(vector.target),
        _ => None,
    }
}
