//! Unused resources.

use goalspec_resource::board::{ResourceId, SlotId};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::{Field, Place};
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{Action, ConsequenceEffect, IntermediateValue};
use goalspec_syntax::Diagnostic;
use rustc_hash::FxHashSet;

use super::Linter;
use crate::codes;

impl Linter<'_> {
    pub(super) fn unused(&mut self) {
        if !self.has_custom_results() {
            self.resources();
        }
    }

    fn resources(&mut self) {
        let mut usage = UsageIndex::default();
        for action in &self.game.actions {
            usage.action(action);
        }
        self.game.teams.iter().filter_map(|team| team.reward.as_ref()).for_each(|reward| usage.compute(reward));
        usage.filter(&self.game.completed);
        self.game.metrics.iter().for_each(|metric| usage.field(&metric.field));
        let board = &self.game.board;
        for space in &self.ast.resources {
            let Some(node) = board.node_named(&space.node.text) else { continue };
            for declared in &space.resources {
                let Some(resource) = board.resource_named(&declared.name.text) else { continue };
                let slot = board.slot_of(node, resource);
                if slot.is_some_and(|slot| !usage.slots.contains(&slot) && !usage.resources.contains(&resource)) {
                    let message = format!("unused resource `{}.{}`", space.node.text, declared.name.text);
                    self.found.push(Diagnostic::note(codes::UNUSED_RESOURCE, declared.name.span, message));
                }
            }
        }
    }
}

/// The resources and parameters that are read or written.
#[derive(Default)]
pub(super) struct UsageIndex<'a> {
    slots: FxHashSet<SlotId>,
    /// Resources that are used at an unspecified node.
    resources: FxHashSet<ResourceId>,
    pub(super) parameters: FxHashSet<&'a str>,
}

impl<'a> UsageIndex<'a> {
    fn field(&mut self, field: &'a Field) {
        match field {
            Field::Resource(slot) => {
                self.slots.insert(*slot);
            }
            Field::EndpointResource(_, resource) | Field::TestedNodeResource(resource) => {
                self.resources.insert(*resource);
            }
            Field::Parameter(name) => {
                self.parameters.insert(name);
            }
            Field::Member(inner, _) => self.field(inner),
            Field::Observers(_)
            | Field::EndpointObservers(_)
            | Field::TestedNodeObservers
            | Field::TestedNodeName
            | Field::Computed(_)
            | Field::Unresolved(_) => {}
        }
    }

    fn compute(&mut self, compute: &'a Computation) {
        compute.for_each_field(&mut |field| self.field(field));
    }

    fn filter(&mut self, filter: &'a Filter) {
        filter.for_each_field(&mut |field| self.field(field));
    }

    fn place(&mut self, place: Place) {
        match place {
            Place::Resource(slot) => {
                self.slots.insert(slot);
            }
            Place::EndpointResource(_, resource) => {
                self.resources.insert(resource);
            }
            Place::Observers(_) | Place::EndpointObservers(_) => {}
        }
    }

    fn computed(&mut self, compute: &'a [IntermediateValue]) {
        for computed in compute {
            self.compute(&computed.value);
        }
    }

    fn written(&mut self, entries: &'a [(Place, Computation)]) {
        for (place, compute) in entries {
            self.place(*place);
            self.compute(compute);
        }
    }

    pub(super) fn action(&mut self, action: &'a Action) {
        action.cost.iter().for_each(|(place, _)| self.place(*place));
        self.filter(&action.requires);
        for consequence in &action.consequences {
            match &consequence.outcome {
                ConsequenceEffect::Resources { compute, add, replace: put } => {
                    self.computed(compute);
                    self.written(add);
                    self.written(put);
                }
                ConsequenceEffect::MakeNodeVisible { vectors, .. } => {
                    self.filter(&vectors.source);
                    self.filter(&vectors.target);
                }
                ConsequenceEffect::WithVectors { vectors, compute, add, .. } => {
                    self.filter(&vectors.source);
                    self.filter(&vectors.target);
                    self.computed(compute);
                    self.written(add);
                }
                ConsequenceEffect::Custom { .. } => {}
            }
        }
    }
}
