//! The selection of vectors for results.

use std::sync::Arc;

use super::context::EvaluationContext;
use crate::board::{NodeId, Vector, VectorId};
use crate::filter::Filter;
use crate::game::VectorFilter;
use crate::random::RandomStream;
use crate::turn::GameErrorKind;
use crate::value::Value;

/// The parameter that restricts the source of a vector.
const SOURCE: &str = "source";
/// The parameter that restricts the target of a vector.
const TARGET: &str = "target";

/// Returns the vectors whose ends pass the tests, in the order of the board. The target is tested only if the source passes.
pub(super) fn matching(
    environment: EvaluationContext<'_>,
    filter: &VectorFilter,
    stream: &mut RandomStream,
) -> Result<Vec<VectorId>, GameErrorKind> {
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

/// Whether a node passes a test. A node without state passes only [`Filter::Always`]; any other test of it is an error.
fn end_holds(
    environment: EvaluationContext<'_>,
    filter: &Filter,
    node: NodeId,
    stream: &mut RandomStream,
) -> Result<bool, GameErrorKind> {
    if *filter == Filter::Always {
        return Ok(true);
    }
    if environment.state.node(node).is_none() {
        return Err(GameErrorKind::BareNode { node });
    }
    filter.holds(&EvaluationContext { tested_node: Some(node), ..environment }, stream, &environment.game.rules)
}

/// Whether a vector agrees with the parameters of an action: each parameter named after an end must be the name of that end's
/// node.
pub(super) fn matches_parameters(
    parameters: &[(Arc<str>, Value)],
    environment: EvaluationContext<'_>,
    vector: &Vector,
) -> bool {
    let leaves = |(name, value): &(Arc<str>, Value)| match restricted_node(name, vector) {
        Some(node) => *value == Value::Text(environment.game.board.node(node).name.clone()),
        None => true,
    };
    parameters.iter().all(leaves)
}

/// Returns the end of a vector that a parameter restricts.
fn restricted_node(parameter: &str, vector: &Vector) -> Option<NodeId> {
    match parameter {
        SOURCE => Some(vector.source),
        TARGET => Some(vector.target),
        _ => None,
    }
}
