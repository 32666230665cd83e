//! Selection of the vectors that a consequence applies to.

use goalspec_resource::board::{NodeId, VectorId};
use goalspec_resource::field::Endpoint;
use goalspec_resource::filter::Filter;
use goalspec_resource::turn::GameErrorKind;
use goalspec_resource::value::Value;
use smallvec::SmallVec;

use crate::eval::EvalContext;
use crate::program::CompiledResourceGame;
use crate::program::choices::Role;
use crate::program::vectors::VectorSet;
use crate::resolved_move::ChosenAction;
use crate::state::{BoxedErrorKind, State};

impl State {
    /// Picks a vector of a set uniformly, subject to the restrictions of the parameters.
    pub(crate) fn pick(
        &mut self,
        c: &CompiledResourceGame,
        set: u32,
        chosen: ChosenAction<'_>,
    ) -> Result<Option<VectorId>, BoxedErrorKind> {
        let ends = restriction(c, chosen);
        if let (VectorSet::Masks { source, target, words }, [EndpointRestriction::Any, EndpointRestriction::Any]) =
            (c.vectors.set(set), ends)
        {
            let [source, target, words] = [*source, *target, *words].map(|place| place as usize);
            let both = |state: &Self, at: usize| state.words[source + at] & state.words[target + at];
            let count: u32 = (0..words).map(|at| both(self, at).count_ones()).sum();
            if count == 0 {
                return Ok(None);
            }
            let mut remaining = self.stream.below(u64::from(count)) as u32;
            for at in 0..words {
                let mut bits = both(self, at);
                if remaining < bits.count_ones() {
                    (0..remaining).for_each(|_| bits &= bits - 1);
                    return Ok(Some((at * 64 + bits.trailing_zeros() as usize).into()));
                }
                remaining -= bits.count_ones();
            }
            return Ok(None);
        }
        let matching = self.restricted(c, set, ends, chosen)?;
        if matching.is_empty() {
            return Ok(None);
        }
        Ok(Some(matching[self.stream.below(matching.len() as u64) as usize]))
    }

    /// Returns the vectors of a set in the order of the board, subject to the restrictions of the parameters if `restricted`.
    pub(crate) fn matching(
        &mut self,
        c: &CompiledResourceGame,
        set: u32,
        chosen: ChosenAction<'_>,
        restricted: bool,
    ) -> Result<SmallVec<[VectorId; 16]>, BoxedErrorKind> {
        let ends = if restricted { restriction(c, chosen) } else { [EndpointRestriction::Any; 2] };
        self.restricted(c, set, ends, chosen)
    }

    fn restricted(
        &mut self,
        c: &CompiledResourceGame,
        set: u32,
        ends: [EndpointRestriction; 2],
        chosen: ChosenAction<'_>,
    ) -> Result<SmallVec<[VectorId; 16]>, BoxedErrorKind> {
        let meets = |vector: VectorId| {
            let [source, target] = c.vectors.ends(vector);
            ends[0].permits(source) && ends[1].permits(target)
        };
        let mut found = SmallVec::new();
        match c.vectors.set(set) {
            VectorSet::Masks { source, target, .. } => {
                let has = |vector: &VectorId| {
                    let (word, bit) = (vector.0 / 64, vector.0 % 64);
                    let both = self.words[(source + word) as usize] & self.words[(target + word) as usize];
                    both >> bit & 1 != 0 && meets(*vector)
                };
                match ends {
                    [EndpointRestriction::None, _] | [_, EndpointRestriction::None] => {}
                    [EndpointRestriction::Node(node), _] => {
                        found.extend(c.vectors.of_node(node, Endpoint::Source).iter().copied().filter(has));
                    }
                    [EndpointRestriction::Any, EndpointRestriction::Node(node)] => {
                        found.extend(c.vectors.of_node(node, Endpoint::Target).iter().copied().filter(has));
                    }
                    [EndpointRestriction::Any, EndpointRestriction::Any] => found.extend(c.vectors.ids().filter(has)),
                }
            }
            VectorSet::Evaluated(filters) => {
                // All filters are evaluated, since they may draw random numbers.
                for vector in c.vectors.ids() {
                    if self.passes_filters(c, filters, c.vectors.ends(vector), chosen)? && meets(vector) {
                        found.push(vector);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether both ends of a vector pass their filters.
    fn passes_filters(
        &mut self,
        c: &CompiledResourceGame,
        filters: &[Filter; 2],
        ends: [NodeId; 2],
        chosen: ChosenAction<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        for (filter, node) in filters.iter().zip(ends) {
            if *filter == Filter::Always {
                continue;
            }
            if self.is_bare(c, node) {
                return Err(Box::new(GameErrorKind::BareNode { node }));
            }
            let frame = EvalContext { own: Some(node), ..chosen.frame([None; 2], &[]) };
            if !self.general_holds(c, filter, &frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The nodes that the parameters permit at an end of a vector.
#[derive(Clone, Copy)]
pub(crate) enum EndpointRestriction {
    Any,
    Node(NodeId),
    None,
}

impl EndpointRestriction {
    fn permits(self, node: NodeId) -> bool {
        match self {
            Self::Any => true,
            Self::Node(only) => only == node,
            Self::None => false,
        }
    }
}

/// Returns the restrictions that the parameters impose on the ends of a vector.
fn restriction(c: &CompiledResourceGame, chosen: ChosenAction<'_>) -> [EndpointRestriction; 2] {
    let mut ends = [EndpointRestriction::Any; 2];
    for (role, value) in chosen.roles.iter().zip(chosen.values) {
        let end = match role {
            Role::Source => 0,
            Role::Target => 1,
            Role::None => continue,
        };
        let node = match value {
            Value::Text(name) => c.game.board.node_named(name),
            _ => None,
        };
        // If two parameters restrict the same end, both must hold.
        ends[end] =
            node.filter(|&node| ends[end].permits(node)).map_or(EndpointRestriction::None, EndpointRestriction::Node);
    }
    ends
}
