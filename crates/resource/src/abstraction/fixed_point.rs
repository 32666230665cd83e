//! The fixed point of reachable values over a game.

use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::evaluate::AbstractContext;
use super::value_set::ValueSet;
use crate::board::{NodeId, SlotId, Vector};
use crate::compute::Computation;
use crate::field::{Endpoint, Place};
use crate::game::{Action, ConsequenceEffect, Game, IntermediateValue, NOTHING_ACTION, VectorFilter};
use crate::kinds::KindSet;
use crate::odds;
use crate::rules::{MissingPutRule, NothingAction, SpaceBoundsRule};
use crate::value::Value;

/// The maximum [work](ReachableValues::work) before every value counts as possible.
pub const MAX_WORK: u64 = 4_000_000;
/// The maximum number of rounds through all actions before every value counts as possible.
pub const MAX_ROUNDS: usize = 64;
/// The number of narrowing iterations after the fixed point, which recover bounds lost by widening.
const NARROWING: usize = 2;

/// An over-approximation of the values that resources can have in the reachable states of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachableValues {
    slots: Vec<ValueSet>,
    seen_by: Vec<ValueSet>,
    detail: Detail,
    /// The nodes that vectors start from and those that they lead to, if vectors are not examined one by one.
    ends: [Vec<NodeId>; 2],
    /// Whether the analysis finished within [`MAX_WORK`] and [`MAX_ROUNDS`].
    complete: bool,
    work: Work,
}

/// The precision of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Values, and the tests that they decide.
    Values,
    /// Kinds of values alone. No test is decided, so the result also holds if integers wrap around.
    Kinds,
}

/// A counter of the field lookups, combinations and vectors examined.
#[derive(Debug, Clone, Default)]
struct Work(Cell<u64>);

/// All counters are equal, so that results compare regardless of the work that they took.
impl PartialEq for Work {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The possible values of the resources that the cost of an action changes, after the cost is paid.
pub type ValuesAfterCost = FxHashMap<SlotId, ValueSet>;

impl ReachableValues {
    /// Returns the values of the initial state.
    pub fn initial(game: &Game) -> Self {
        Self::initial_in(game, Detail::Values)
    }

    fn initial_in(game: &Game, detail: Detail) -> Self {
        let slots = game
            .board
            .slots()
            .map(|(_, slot)| ValueSet::singleton(slot.declaration.as_ref().map(|declared| declared.initial.clone())));
        let observers =
            game.board.nodes().map(|(_, node)| ValueSet::singleton(Some(Value::Set(Arc::new(node.observers.clone())))));
        let mut initial = Self {
            slots: slots.collect(),
            seen_by: observers.collect(),
            detail,
            ends: Default::default(),
            complete: true,
            work: Work::default(),
        };
        if detail == Detail::Kinds {
            for values in initial.slots.iter_mut().chain(&mut initial.seen_by) {
                *values = ValueSet::of_kinds(values.kinds());
            }
        }
        initial
    }

    /// Computes the values of all reachable states.
    pub fn analyze(game: &Game) -> Self {
        let played = Self::played(game);
        let mut reachable = Self::initial(game);
        if !reachable.saturate(game, &played, MAX_ROUNDS) {
            return Self { complete: false, work: reachable.work, ..Self::any(game, Detail::Values) };
        }
        for _ in 0..NARROWING {
            let Some(next) = reachable.next(game, &played) else { return reachable };
            reachable = Self { work: reachable.work, ..next };
        }
        reachable
    }

    /// Computes the kinds of values that each resource can have, indexed by slot. Unlike the values of [`Self::analyze`], they hold
    /// without exception: every action counts as played, and every test as undecided.
    ///
    /// Engines use them to store values without tags.
    pub fn kinds(game: &Game) -> Vec<KindSet> {
        let mut reachable = Self::initial_in(game, Detail::Kinds);
        let mut ends = [Vec::new(), Vec::new()];
        for (_, vector) in game.board.vectors() {
            ends[0].push(vector.source);
            ends[1].push(vector.target);
        }
        for nodes in &mut ends {
            nodes.sort_unstable();
            nodes.dedup();
        }
        reachable.ends = ends;
        // Each round but the last adds a kind to a slot, so the work is the only limit needed.
        let complete = reachable.saturate(game, &vec![true; game.actions.len()], usize::MAX);
        reachable.slots.iter().map(|slot| if complete { slot.kinds() } else { KindSet::ALL }).collect()
    }

    /// Applies all actions until nothing changes; returns `false` if the limits are exceeded before.
    fn saturate(&mut self, game: &Game, played: &[bool], max_rounds: usize) -> bool {
        for _ in 0..max_rounds {
            let Some(next) = self.next(game, played) else { return false };
            if !self.widen(&next) {
                return true;
            }
        }
        false
    }

    /// Whether the analysis finished within its limits; otherwise every value counts as possible.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the number of field lookups, combinations and vectors examined so far: a machine-independent measure of running
    /// time.
    pub fn work(&self) -> u64 {
        self.work.0.get()
    }

    pub(super) fn count(&self, work: usize) {
        self.work.0.set(self.work() + work as u64);
    }

    pub(super) fn detail(&self) -> Detail {
        self.detail
    }

    /// Returns the nodes at the sources, or at the targets, of all vectors.
    pub(super) fn ends(&self, end: Endpoint) -> &[NodeId] {
        &self.ends[usize::from(end == Endpoint::Target)]
    }

    fn any(game: &Game, detail: Detail) -> Self {
        Self {
            slots: vec![ValueSet::all(); game.board.slots().len()],
            seen_by: vec![ValueSet::all(); game.board.nodes().len()],
            detail,
            ends: Default::default(),
            complete: true,
            work: Work::default(),
        }
    }

    /// Returns the possible values of a slot.
    pub fn slot(&self, slot: SlotId) -> &ValueSet {
        &self.slots[slot.index()]
    }

    /// Returns the possible observers of a node, as sets of labels.
    pub fn seen_by(&self, node: NodeId) -> &ValueSet {
        &self.seen_by[node.index()]
    }

    /// Whether a label can be among the observers of a node.
    pub fn may_see(&self, label: &str, node: NodeId) -> bool {
        let has = |value: &Option<Value>| matches!(value, Some(Value::Set(labels)) if labels.contains(label));
        self.seen_by(node).listed_values().is_none_or(|values| values.iter().any(has))
    }

    /// Returns for each action whether a team can choose it and its definition applies, rather than that of a pass.
    pub fn played(game: &Game) -> Vec<bool> {
        let mut played = vec![false; game.actions.len()];
        for choice in game.teams.iter().flat_map(|team| &team.choices) {
            if let Some(id) = choice.action {
                played[id.index()] =
                    game.rules.nothing != NothingAction::Pass || *game.actions[id.index()].name != *NOTHING_ACTION;
            }
        }
        played
    }

    /// Returns the possible values of the resources that the cost of an action changes, after the cost is paid.
    pub fn after_cost(&self, game: &Game, action: &Action) -> ValuesAfterCost {
        let mut after = ValuesAfterCost::default();
        for (place, value) in &action.cost {
            let Place::Resource(slot) = *place else { continue };
            let before = AbstractContext { refined: Some(&after), ..AbstractContext::state(game, self) }.slot(slot);
            let new_value = self.held(game, slot, before.plus(&ValueSet::singleton(Some(value.clone()))));
            after.insert(slot, new_value);
        }
        after
    }

    /// Returns the vectors that can pass a filter.
    pub fn vectors<'g>(&self, game: &'g Game, filter: &VectorFilter) -> Vec<&'g Vector> {
        self.count(game.board.vectors().len());
        let end = |filter, node| {
            AbstractContext { tested_node: Some(node), ..AbstractContext::state(game, self) }.test(filter).can_hold
        };
        let matching = |vector: &&Vector| end(&filter.source, vector.source) && end(&filter.target, vector.target);
        game.board.vectors().map(|(_, vector)| vector).filter(matching).collect()
    }

    fn widen(&mut self, next: &Self) -> bool {
        let mut changed = false;
        for (known, next) in self.slots.iter_mut().chain(&mut self.seen_by).zip(next.slots.iter().chain(&next.seen_by))
        {
            changed |= known.widen(next);
        }
        changed
    }

    /// Returns the values of the initial state and of the states after one more action; `None` if the limits are exceeded.
    fn next(&self, game: &Game, played: &[bool]) -> Option<Self> {
        self.count(self.slots.len() + self.seen_by.len());
        let mut step = Step { game, before: self, after: Self::initial_in(game, self.detail) };
        for (action, _) in game.actions.iter().zip(played).filter(|(_, played)| **played) {
            step.action(action)?;
        }
        Some(step.after)
    }

    /// Returns the values stored when `assigned` is written to a resource.
    fn held(&self, game: &Game, slot: SlotId, assigned: ValueSet) -> ValueSet {
        let assigned = match &game.board.slot(slot).declaration {
            Some(declared) if game.rules.bounds == SpaceBoundsRule::Clamp => assigned.clamped(&declared.space),
            _ => assigned,
        };
        match self.detail {
            Detail::Values => assigned,
            Detail::Kinds => ValueSet::of_kinds(assigned.kinds()),
        }
    }
}

struct Step<'a> {
    game: &'a Game,
    before: &'a ReachableValues,
    after: ReachableValues,
}

impl<'a> Step<'a> {
    fn action(&mut self, action: &Action) -> Option<()> {
        let paid = self.before.after_cost(self.game, action);
        for (slot, possible) in &paid {
            self.after.slots[slot.index()].join(possible);
        }
        self.before.count(1 + action.consequences.len());
        self.within_limits()?;
        let scope = AbstractContext {
            refined: Some(&paid),
            action: Some(action),
            ..AbstractContext::state(self.game, self.before)
        };
        if !scope.test(&action.requires).can_hold {
            return Some(());
        }
        let reachable = odds::reachable(&action.consequences, self.game.rules.odds);
        for (consequence, reachable) in action.consequences.iter().zip(reachable) {
            if reachable || self.before.detail == Detail::Kinds {
                self.outcome(action, &consequence.outcome)?;
            }
        }
        Some(())
    }

    fn outcome(&mut self, action: &Action, outcome: &ConsequenceEffect) -> Option<()> {
        let state = AbstractContext { action: Some(action), ..AbstractContext::state(self.game, self.before) };
        match outcome {
            ConsequenceEffect::Resources { compute, add, replace: put } => {
                self.write(state, compute, add, true);
                self.write(state, compute, put, false);
            }
            ConsequenceEffect::WithVectors { compute, add, .. } if self.before.detail == Detail::Kinds => {
                self.write(AbstractContext { any_vector: true, ..state }, compute, add, true);
            }
            // The kinds of resources do not depend on the observers of nodes.
            ConsequenceEffect::MakeNodeVisible { .. } if self.before.detail == Detail::Kinds => {}
            ConsequenceEffect::MakeNodeVisible { label, vectors } => {
                let label = ValueSet::singleton(Some(Value::Text(Arc::clone(label))));
                for vector in self.matching(vectors)? {
                    self.show(vector.target, &label, true);
                }
            }
            ConsequenceEffect::WithVectors { vectors, compute, add, .. } => {
                for vector in self.matching(vectors)? {
                    self.write(AbstractContext { vector: Some(vector), ..state }, compute, add, true);
                }
            }
            // Its writes are known only at run time.
            ConsequenceEffect::Custom { .. } => self.after = ReachableValues::any(self.game, self.before.detail),
        }
        self.within_limits()
    }

    fn within_limits(&self) -> Option<()> {
        (self.before.work() <= MAX_WORK).then_some(())
    }

    fn matching(&mut self, vectors: &VectorFilter) -> Option<Vec<&'a Vector>> {
        let game = self.game;
        let matching = self.before.vectors(game, vectors);
        self.within_limits().map(|()| matching)
    }

    /// Writes the values of entries, added or put, with the vector of `state`.
    fn write(
        &mut self,
        state: AbstractContext<'_>,
        compute: &[IntermediateValue],
        entries: &[(Place, Computation)],
        add: bool,
    ) {
        let computed: Vec<ValueSet> = compute.iter().map(|computed| state.compute(&computed.value)).collect();
        let scope = AbstractContext { computed: &computed, ..state };
        for (place, compute) in entries {
            self.before.count(1);
            let assigned = scope.compute(compute);
            let must_exist = !add
                && self.game.rules.missing_put == MissingPutRule::Error
                && !matches!(compute, Computation::Constant(None));
            let assigned = if must_exist { assigned.present() } else { assigned };
            let of_vector = state.vector.map(|vector| [vector.source, vector.target]);
            let before = self.before;
            let nodes = |end: Endpoint| match &of_vector {
                _ if state.any_vector => before.ends(end),
                Some(nodes) => std::slice::from_ref(&nodes[usize::from(end == Endpoint::Target)]),
                None => &[],
            };
            match *place {
                Place::Resource(slot) => self.store(slot, &assigned, add),
                Place::EndpointResource(end, resource) => {
                    let slots = nodes(end).iter().filter_map(|node| self.game.board.slot_of(*node, resource));
                    for slot in slots.collect::<Vec<_>>() {
                        self.store(slot, &assigned, add);
                    }
                }
                Place::Observers(node) => self.show(node, &assigned, add),
                Place::EndpointObservers(end) => {
                    for node in nodes(end) {
                        self.show(*node, &assigned, add);
                    }
                }
            }
        }
    }

    fn store(&mut self, slot: SlotId, assigned: &ValueSet, add: bool) {
        self.before.count(1);
        let assigned = if add { self.before.slot(slot).plus(assigned) } else { assigned.clone() };
        self.after.slots[slot.index()].join(&self.before.held(self.game, slot, assigned));
    }

    /// Adds a label to the observers of a node; any other write makes every set of observers possible.
    fn show(&mut self, node: NodeId, label: &ValueSet, add: bool) {
        let labels = label.listed_values().filter(|_| add).map(|values| {
            values.iter().map(|value| if let Some(Value::Text(label)) = value { Some(label) } else { None })
        });
        let labels: Option<Vec<&Arc<str>>> = labels.and_then(Iterator::collect);
        let observable = match (labels, self.before.seen_by(node).listed_values()) {
            (Some(labels), Some(sets)) => {
                let mut observable = ValueSet::default();
                for (label, set) in labels.iter().flat_map(|label| sets.iter().map(move |set| (label, set))) {
                    if let Some(Value::Set(set)) = set {
                        let mut set = (**set).clone();
                        set.insert(Arc::clone(label));
                        observable.join(&ValueSet::singleton(Some(Value::Set(Arc::new(set)))));
                    }
                }
                observable
            }
            _ => ValueSet::all(),
        };
        self.after.seen_by[node.index()].join(&observable);
    }
}

#[cfg(test)]
mod tests;
