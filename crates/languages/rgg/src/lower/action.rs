//! Lowering of actions.

use std::sync::Arc;

use goalspec_resource::compute::{ChainStep, Computation, ValueTransform};
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{
    Action, Consequence, ConsequenceEffect, IntermediateValue, VectorFilter, VectorSelection,
};

use super::Lowering;
use super::scope::{self, OBSERVABLE, Scope};
use crate::ast::{self, Assignments, ComputationKind, ConsequenceEffectKind, EndpointFilters, SpannedText};
use crate::codes;
use crate::dialect::EmptyAddRule;

impl Lowering {
    /// Adds every resource that an action writes to the board, before any field is resolved.
    pub(super) fn add_written_resources(&mut self, game: &ast::Game) {
        let names = game.actions.iter().flat_map(|action| {
            let costs = action.cost.iter().map(|cost| &cost.field);
            let assigned = action.consequences.iter().flat_map(|consequence| match &consequence.effect.kind {
                ConsequenceEffectKind::Resources { add, put, .. } => [Some(add), Some(put)],
                ConsequenceEffectKind::WithVectors { result, .. } => [Some(result), None],
                ConsequenceEffectKind::MakeNodeVisible { .. } | ConsequenceEffectKind::Custom(_) => [None, None],
            });
            let assigned = assigned.flatten().flat_map(|assignments| &assignments.entries).map(|(name, _)| name);
            costs.chain(assigned)
        });
        for name in names {
            let mut parts = name.text.split('.');
            let (Some(first), second) = (parts.next(), parts.next()) else { continue };
            let resource = self.board.add_resource(second.unwrap_or(first));
            match self.board.node_named(first).filter(|_| second.is_some()) {
                Some(node) if second != Some(OBSERVABLE) => {
                    self.board.add_slot(node, resource);
                }
                Some(_) => {}
                None => {
                    self.endpoint_resources.insert(resource);
                }
            }
        }
    }

    pub(super) fn action(&mut self, action: &ast::Action, game: &ast::Game) -> Action {
        let mut parameters: Vec<Arc<str>> = Vec::new();
        if self.dialect.readable_parameters {
            let choices = game.action_space.iter().flat_map(|space| &space.choices);
            let choices = choices.filter(|choice| choice.action.text == action.name.text);
            parameters
                .extend(choices.flat_map(|choice| &choice.parameters).map(|declared| Arc::clone(&declared.name.text)));
        }
        let scope = Scope { parameters: &parameters, ..Scope::STATE };
        let cost =
            action.cost.iter().filter_map(|cost| Some((self.cost_place(&cost.field)?, cost.value.clone()))).collect();
        let requires = self.filter(&action.requires, &scope);
        let consequences =
            action.consequences.iter().filter_map(|consequence| self.consequence(consequence, &scope)).collect();
        Action { name: Arc::clone(&action.name.text), cost, requires, consequences }
    }

    /// Resolves the field of a cost. There, `observable` is an ordinary resource, without effect on visibility.
    fn cost_place(&mut self, name: &SpannedText) -> Option<Place> {
        let place = self.place(name, &Scope::STATE)?;
        let Place::Observers(node) = place else { return Some(place) };
        let message = "a cost does not change the visibility of a node: it stores an unused value";
        self.warning(codes::NO_EFFECT, name.span, message);
        let resource = self.board.add_resource(OBSERVABLE);
        Some(Place::Resource(self.board.add_slot(node, resource)))
    }

    fn consequence(&mut self, consequence: &ast::Consequence, scope: &Scope<'_>) -> Option<Consequence> {
        Some(Consequence {
            odds: consequence.odds.map_or(1.0, |odds| odds.value),
            discount: consequence.discount.map(|discount| discount.value),
            independent: consequence.independent.is_some_and(|(independent, _)| independent),
            outcome: self.outcome(&consequence.effect, scope)?,
        })
    }

    fn outcome(&mut self, outcome: &ast::ConsequenceEffect, scope: &Scope<'_>) -> Option<ConsequenceEffect> {
        match &outcome.kind {
            ConsequenceEffectKind::Resources { compute, add, put } => {
                let by_name = index_by_name(compute);
                let scope = Scope { computed: Some(&by_name), ..*scope };
                let computed = self.computed(compute, &scope);
                let additions = self.empty_add(add, &scope)?;
                let mut added = self.assignments(add, &scope, false);
                added.extend(additions);
                Some(ConsequenceEffect::Resources {
                    compute: computed,
                    add: added,
                    replace: self.assignments(put, &scope, true),
                })
            }
            ConsequenceEffectKind::MakeNodeVisible { team, endpoint_filters: ends } => {
                if !self.teams.contains_key(&team.text) {
                    self.unknown_team(team, self.undefined_severity());
                }
                let vectors = self.vector_filter(ends, scope);
                Some(ConsequenceEffect::MakeNodeVisible { label: Arc::clone(&team.text), vectors })
            }
            ConsequenceEffectKind::WithVectors { all, ends, compute, result } => {
                let vectors = self.vector_filter(ends, scope);
                let by_name = index_by_name(compute);
                let scope = Scope { computed: Some(&by_name), has_vector: true, ..*scope };
                let compute = self.computed(compute, &scope);
                let additions = self.empty_add(result, &scope)?;
                let mut add = self.assignments(result, &scope, false);
                add.extend(additions);
                let selection = if *all { VectorSelection::All } else { VectorSelection::Random };
                Some(ConsequenceEffect::WithVectors { pick: selection, vectors, compute, add })
            }
            ConsequenceEffectKind::Custom(parameters) => {
                let parameters = parameters.iter().map(|(name, value)| (Arc::clone(&name.text), value.clone()));
                Some(ConsequenceEffect::Custom {
                    name: Arc::clone(&outcome.name.text),
                    parameters: parameters.collect(),
                })
            }
        }
    }

    fn vector_filter(&mut self, ends: &EndpointFilters, scope: &Scope<'_>) -> VectorFilter {
        let scope = Scope { in_node_filter: true, ..*scope };
        let mut end = |filter: &Option<ast::Filter>| match filter {
            Some(filter) => self.filter(filter, &scope),
            None => Filter::Always,
        };
        VectorFilter { source: end(&ends.source), target: end(&ends.target) }
    }

    fn computed(&mut self, compute: &Assignments, scope: &Scope<'_>) -> Vec<IntermediateValue> {
        let scope = Scope { in_intermediate: true, ..*scope };
        let entries = compute.entries.iter();
        entries
            .map(|(name, value)| IntermediateValue { name: Arc::clone(&name.text), value: self.compute(value, &scope) })
            .collect()
    }

    fn assignments(&mut self, assignments: &Assignments, scope: &Scope<'_>, put: bool) -> Vec<(Place, Computation)> {
        let mut assigned = Vec::with_capacity(assignments.entries.len());
        for (name, value) in &assignments.entries {
            match value.kind {
                ComputationKind::Constant(None) if put => {
                    let message = format!("this removes `{}`", name.text);
                    self.warning(codes::NULL_WRITE, value.span, message);
                }
                ComputationKind::Constant(None) => {
                    let message = format!("a missing value cannot be added to `{}`", name.text);
                    self.error(codes::NULL_WRITE, value.span, message);
                }
                _ => {}
            }
            let (place, value) = (self.place(name, scope), self.compute(value, scope));
            assigned.extend(place.map(|place| (place, value)));
        }
        assigned
    }

    /// Returns the entries that an empty `add` or `result` adds; `None` if they cannot be expressed.
    fn empty_add(&mut self, add: &Assignments, scope: &Scope<'_>) -> Option<Vec<(Place, Computation)>> {
        let Some(span) = add.span.filter(|_| add.is_empty_map) else { return Some(Vec::new()) };
        if self.dialect.empty_add == EmptyAddRule::NoEffect {
            self.warning(codes::EMPTY_ADD, span, "this has no effect");
            return Some(Vec::new());
        }
        if scope.computed.is_some_and(|computed| !computed.is_empty()) {
            let message = "the Cage engine adds all intermediate values to the state here";
            self.error(codes::EMPTY_ADD, span, message);
            return None;
        }
        self.warning(codes::EMPTY_ADD, span, "the Cage engine adds the whole state to itself here");
        let slots = self.board.slots().filter(|(_, slot)| slot.declaration.is_some());
        let slots = slots.map(|(slot, _)| (Place::Resource(slot), Computation::Field(Field::Resource(slot))));
        let nodes = self.board.nodes().filter(|(_, node)| node.declared);
        let nodes = nodes.map(|(node, _)| (Place::Observers(node), Computation::Field(Field::Observers(node))));
        let mut additions: Vec<_> = slots.chain(nodes).collect();
        if scope.has_vector {
            additions.extend(self.endpoint_self_additions());
        }
        Some(additions)
    }

    /// Returns the entries that add the resources of both ends of a vector, under `_source` and `_target`, to themselves: the Cage engine
    /// treats these as separate values. Resources that an end lacks are skipped.
    fn endpoint_self_additions(&self) -> Vec<(Place, Computation)> {
        let mut additions = Vec::new();
        for end in [Endpoint::Source, Endpoint::Target] {
            let resources = self
                .declared_resources
                .iter()
                .map(|&id| (Place::EndpointResource(end, id), Field::EndpointResource(end, id)));
            let observers = (Place::EndpointObservers(end), Field::EndpointObservers(end));
            let present = || vec![ChainStep::Value(ValueTransform::Required)];
            let of = |(place, field)| (place, Computation::Chain(Box::new(Computation::Field(field)), present()));
            additions.extend(resources.chain([observers]).map(of));
        }
        additions
    }
}

fn index_by_name(compute: &Assignments) -> scope::IntermediateIndex {
    let entries = compute.entries.iter().enumerate();
    entries.map(|(index, (name, _))| (Arc::clone(&name.text), (index, name.span))).collect()
}
