//! Execution of a turn: the cost of a move, its validity and its consequences.

use std::sync::Arc;

use goalspec_resource::board::{NodeId, VectorId};
use goalspec_resource::custom::{CustomCall, CustomResult, ResultRegistry};
use goalspec_resource::field::Endpoint;
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{ActionId, Choice, TeamId, VectorSelection};
use goalspec_resource::interpret::compute::StepError;
use goalspec_resource::rules::{FailedStepRule, OddsRule, SelfLoopRule, UnsetParameterRule};
use goalspec_resource::turn::{GameError, GameErrorKind, Move, Occurrence, TurnResult};
use goalspec_resource::value::Value;
use smallvec::SmallVec;

use crate::cell::Cell;
use crate::custom::SimulatorStateAccess;
use crate::eval::EvalContext;
use crate::program::{
    Action, ChoiceMeaning, CompiledEffect, CompiledResourceGame, CompiledWrite, Consequence, Expr, Role, Target,
    ValueSource, VectorSet,
};
use crate::state::{BoxedErrorKind, State};

/// Computed values before they are written; `None` for those that are skipped.
type Pending = SmallVec<[Option<Cell>; 8]>;
/// Intermediate values.
type Intermediate = SmallVec<[Cell; 8]>;

/// A choice with its parameter values.
#[derive(Clone, Copy)]
pub(crate) struct ChosenAction<'a> {
    pub(crate) choice: &'a Choice,
    pub(crate) roles: &'a [Role],
    pub(crate) values: &'a [Value],
}

impl<'a> ChosenAction<'a> {
    fn frame(self, ends: [Option<NodeId>; 2], computed: &'a [Cell]) -> EvalContext<'a> {
        EvalContext { ends, computed, choice: Some((self.choice, self.values)), own: None, view: None }
    }
}

/// A resolved move: a pass, or an action with its choice.
pub(crate) enum ResolvedMove<'a> {
    Pass,
    Action(ActionId, ChosenAction<'a>),
}

impl State {
    /// Plays a turn; its effects overwrite `turn`, whose lists are reused.
    pub(crate) fn step(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        team: TeamId,
        chosen: &Move,
        turn: &mut TurnResult,
    ) -> Result<(), GameError> {
        turn.valid = false;
        turn.occurrences.clear();
        turn.out_of_bounds.clear();
        turn.overflows.clear();
        self.outside.clear();
        self.overflows.clear();
        let found =
            resolve_move(c, team, chosen).map_err(|kind| GameError { action: None, consequence: None, kind })?;
        match found {
            ResolvedMove::Pass => turn.valid = true,
            ResolvedMove::Action(id, chosen) => {
                let action = &c.actions[id.index()];
                let fail = |consequence, kind: BoxedErrorKind| GameError { action: Some(id), consequence, kind: *kind };
                turn.valid = self.pay_and_validate(c, action, chosen).map_err(|kind| fail(None, kind))?;
                if turn.valid {
                    self.consequences(c, registry, action, chosen, &mut turn.occurrences)
                        .map_err(|(at, kind)| fail(Some(at), kind))?;
                }
                self.compact_if_full(c);
            }
        }
        turn.out_of_bounds.append(&mut self.outside);
        turn.overflows.append(&mut self.overflows);
        turn.overflows.sort_unstable();
        self.end_turn(c);
        Ok(())
    }

    /// Pays the cost of an action; returns whether the action is valid after it.
    pub(crate) fn pay_and_validate(
        &mut self,
        c: &CompiledResourceGame,
        action: &Action,
        chosen: ChosenAction<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        let frame = chosen.frame([None; 2], &[]);
        match &action.plain {
            Some(effects) => self.apply_register_effects(c, effects, None)?,
            None => self.pay(c, action, &frame)?,
        }
        self.holds(c, &action.requires, &frame)
    }

    fn pay(
        &mut self,
        c: &CompiledResourceGame,
        action: &Action,
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for effect in &action.cost {
            let Some(place) = at(c, effect.target, None) else { continue };
            let node = match place {
                ResolvedTarget::Slot(slot) => c.slots[slot as usize].node,
                ResolvedTarget::Sight(node) => node,
            };
            if self.is_bare(c, node) {
                return Err(Box::new(GameErrorKind::BareNode { node }));
            }
            let Some(added) = self.effect_value(c, effect, frame) else { continue };
            match place {
                ResolvedTarget::Slot(slot) => self.add(c, slot, added)?,
                ResolvedTarget::Sight(node) => self.add_labels(c, node, added),
            }
        }
        Ok(())
    }

    fn consequences(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        action: &Action,
        chosen: ChosenAction<'_>,
        occurred: &mut Vec<Occurrence>,
    ) -> Result<(), (usize, BoxedErrorKind)> {
        let increments = c.game.rules.odds == OddsRule::Individual;
        let mut number = 0.0;
        let mut sum = 0.0;
        let mut decided = false;
        for (at, consequence) in action.consequences.iter().enumerate() {
            if consequence.opens {
                (number, sum, decided) = (self.stream.uniform(), 0.0, false);
            }
            let odds = self.odds(c, consequence);
            sum = if increments { sum + odds } else { odds };
            if !decided && sum > number {
                decided = true;
                let vector = self.outcome(c, registry, &consequence.outcome, chosen).map_err(|fault| (at, fault))?;
                occurred.push(Occurrence { consequence: at, vector });
            }
        }
        Ok(())
    }

    /// Returns the current odds of a consequence, and discounts them.
    pub(crate) fn odds(&mut self, c: &CompiledResourceGame, consequence: &Consequence) -> f64 {
        let Some((place, discount)) = consequence.discount else { return consequence.odds };
        let word = &mut self.words[(c.odds + place) as usize];
        let odds = f64::from_bits(*word);
        *word = (odds * discount).to_bits();
        odds
    }

    pub(crate) fn outcome(
        &mut self,
        c: &CompiledResourceGame,
        registry: &ResultRegistry,
        outcome: &CompiledEffect,
        chosen: ChosenAction<'_>,
    ) -> Result<Option<VectorId>, BoxedErrorKind> {
        match outcome {
            CompiledEffect::Resources { plain: Some(effects), .. } => self.apply_register_effects(c, effects, None)?,
            CompiledEffect::Resources { compute, add, put, direct, .. } => {
                let mut computed = Intermediate::new();
                self.intermediate(c, compute, &chosen.frame([None; 2], &[]), &mut computed);
                let frame = chosen.frame([None; 2], &computed);
                if *direct {
                    self.add_each(c, add, None, &frame)?;
                    self.put_each(c, put, &frame)?;
                } else {
                    let [mut added, mut replaced] = [Pending::new(), Pending::new()];
                    self.pending(c, add, &frame, &mut added);
                    self.pending(c, put, &frame, &mut replaced);
                    self.add_all(c, add, None, &added)?;
                    self.put_all(c, put, &replaced)?;
                }
            }
            CompiledEffect::Show { set, .. } | CompiledEffect::Vectors { pick: VectorSelection::Random, set, .. } => {
                let vector = self.pick(c, *set, chosen)?;
                if let Some(vector) = vector {
                    self.apply_to_vector(c, outcome, vector, chosen)?;
                }
                return Ok(vector);
            }
            CompiledEffect::Vectors { pick: VectorSelection::All, set, .. } => {
                for vector in self.matching(c, *set, chosen, false)? {
                    self.apply_to_vector(c, outcome, vector, chosen)?;
                }
            }
            CompiledEffect::Custom { name, parameters } => {
                self.custom(c, registry.get(name), name, parameters, chosen)?;
            }
        }
        Ok(None)
    }

    /// Applies the effect of a consequence to its selected vector.
    pub(crate) fn apply_to_vector(
        &mut self,
        c: &CompiledResourceGame,
        outcome: &CompiledEffect,
        vector: VectorId,
        chosen: ChosenAction<'_>,
    ) -> Result<(), BoxedErrorKind> {
        match outcome {
            CompiledEffect::Show { label, bit, .. } => {
                let node = c.vectors[vector.index()][1];
                self.mark_not_bare(c, node);
                self.add_observer(c, node, label, *bit);
                Ok(())
            }
            CompiledEffect::Vectors { plain: Some(plain), .. } => {
                self.apply_register_effects(c, plain, Some(c.vectors[vector.index()]))
            }
            CompiledEffect::Vectors { compute, add, direct, .. } => {
                let ends @ [source, target] = c.vectors[vector.index()];
                let hidden = source == target && c.game.rules.self_loops == SelfLoopRule::SourceOnly;
                let read = [Some(source), (!hidden).then_some(target)];
                let mut computed = Intermediate::new();
                self.intermediate(c, compute, &chosen.frame(read, &[]), &mut computed);
                let frame = chosen.frame(read, &computed);
                if *direct {
                    return self.add_each(c, add, Some(ends), &frame);
                }
                let mut added = Pending::new();
                self.pending(c, add, &frame, &mut added);
                self.add_all(c, add, Some(ends), &added)
            }
            CompiledEffect::Resources { .. } | CompiledEffect::Custom { .. } => Ok(()),
        }
    }

    #[inline]
    fn intermediate(
        &mut self,
        c: &CompiledResourceGame,
        compute: &[Expr],
        frame: &EvalContext<'_>,
        computed: &mut Intermediate,
    ) {
        for value in compute {
            let value = self.compute(c, value, frame).unwrap_or(Cell::Missing);
            computed.push(value);
        }
    }

    /// Returns the value of an effect; `None` if it is skipped.
    #[inline]
    fn effect_value(
        &mut self,
        c: &CompiledResourceGame,
        effect: &CompiledWrite,
        frame: &EvalContext<'_>,
    ) -> Option<Cell> {
        if let Expr::Source(ValueSource::Constant(cell)) = effect.value {
            return Some(cell);
        }
        match self.compute(c, &effect.value, frame) {
            Ok(cell) => Some(cell),
            Err(StepError) => match c.game.rules.failed_steps {
                FailedStepRule::Missing => Some(Cell::Missing),
                FailedStepRule::Skip => None,
            },
        }
    }

    fn pending(
        &mut self,
        c: &CompiledResourceGame,
        effects: &[CompiledWrite],
        frame: &EvalContext<'_>,
        pending: &mut Pending,
    ) {
        for effect in effects {
            let value = self.effect_value(c, effect, frame);
            pending.push(value);
        }
    }

    fn add_each(
        &mut self,
        c: &CompiledResourceGame,
        effects: &[CompiledWrite],
        ends: Option<[NodeId; 2]>,
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for effect in effects {
            if let Some(value) = self.effect_value(c, effect, frame) {
                self.add_to(c, effect, ends, value)?;
            }
        }
        Ok(())
    }

    fn put_each(
        &mut self,
        c: &CompiledResourceGame,
        effects: &[CompiledWrite],
        frame: &EvalContext<'_>,
    ) -> Result<(), BoxedErrorKind> {
        for effect in effects {
            if let Some(value) = self.effect_value(c, effect, frame) {
                self.put_to(c, effect, value)?;
            }
        }
        Ok(())
    }

    fn add_all(
        &mut self,
        c: &CompiledResourceGame,
        effects: &[CompiledWrite],
        ends: Option<[NodeId; 2]>,
        pending: &[Option<Cell>],
    ) -> Result<(), BoxedErrorKind> {
        for (effect, value) in effects.iter().zip(pending) {
            if let Some(value) = *value {
                self.add_to(c, effect, ends, value)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn add_to(
        &mut self,
        c: &CompiledResourceGame,
        effect: &CompiledWrite,
        ends: Option<[NodeId; 2]>,
        value: Cell,
    ) -> Result<(), BoxedErrorKind> {
        if value == Cell::Missing {
            return Err(Box::new(GameErrorKind::AddMissingValue { place: c.place_name(effect.place) }));
        }
        match at(c, effect.target, ends) {
            Some(ResolvedTarget::Slot(slot)) => {
                self.mark_not_bare(c, c.slots[slot as usize].node);
                self.add(c, slot, value)
            }
            Some(ResolvedTarget::Sight(node)) => {
                self.mark_not_bare(c, node);
                self.add_labels(c, node, value);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl State {
    fn put_all(
        &mut self,
        c: &CompiledResourceGame,
        effects: &[CompiledWrite],
        pending: &[Option<Cell>],
    ) -> Result<(), BoxedErrorKind> {
        for (effect, value) in effects.iter().zip(pending) {
            if let Some(value) = *value {
                self.put_to(c, effect, value)?;
            }
        }
        Ok(())
    }

    fn put_to(&mut self, c: &CompiledResourceGame, effect: &CompiledWrite, value: Cell) -> Result<(), BoxedErrorKind> {
        if value == Cell::Missing && !effect.removes {
            return Err(Box::new(GameErrorKind::PutMissingValue { place: c.place_name(effect.place) }));
        }
        match at(c, effect.target, None) {
            Some(ResolvedTarget::Slot(slot)) => {
                self.mark_not_bare(c, c.slots[slot as usize].node);
                self.put(c, slot, value)
            }
            Some(ResolvedTarget::Sight(node)) => {
                self.mark_not_bare(c, node);
                self.replace_labels(c, node, value);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn custom(
        &mut self,
        c: &CompiledResourceGame,
        result: Option<&dyn CustomResult>,
        name: &Arc<str>,
        parameters: &[(Arc<str>, Option<Value>)],
        chosen: ChosenAction<'_>,
    ) -> Result<(), BoxedErrorKind> {
        let Some(result) = result else {
            return Err(Box::new(GameErrorKind::UnknownResult { name: name.clone() }));
        };
        let names = chosen.choice.parameters.iter().map(|parameter| parameter.name.clone());
        let action: Vec<(Arc<str>, Value)> = names.zip(chosen.values.iter().cloned()).collect();
        let mut ground = SimulatorStateAccess::new(c, self);
        let done =
            result.apply(&mut CustomCall { arguments: parameters, action_parameters: &action, state: &mut ground });
        if let Some(fault) = ground.fault() {
            return Err(fault);
        }
        done.map_err(|message| Box::new(GameErrorKind::CustomResult { name: name.clone(), message }))
    }

    /// Picks a vector of a set uniformly, subject to the restrictions of the parameters.
    fn pick(
        &mut self,
        c: &CompiledResourceGame,
        set: u32,
        chosen: ChosenAction<'_>,
    ) -> Result<Option<VectorId>, BoxedErrorKind> {
        let ends = restriction(c, chosen);
        if let (VectorSet::Masks { source, target, words }, [EndpointRestriction::Any, EndpointRestriction::Any]) =
            (&c.vector_sets[set as usize], ends)
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
        let meets = |vector: u32| {
            let [source, target] = c.vectors[vector as usize];
            ends[0].leaves(source) && ends[1].leaves(target)
        };
        let mut found = SmallVec::new();
        match &c.vector_sets[set as usize] {
            VectorSet::Masks { source, target, .. } => {
                let has = |vector: u32| {
                    let at = vector / 64;
                    let both = self.words[(source + at) as usize] & self.words[(target + at) as usize];
                    both >> (vector % 64) & 1 != 0 && meets(vector)
                };
                match ends {
                    [EndpointRestriction::None, _] | [_, EndpointRestriction::None] => {}
                    [EndpointRestriction::Node(node), _] => {
                        found.extend(
                            c.at_node[node.index()][0].iter().copied().filter(|&vector| has(vector)).map(VectorId),
                        );
                    }
                    [EndpointRestriction::Any, EndpointRestriction::Node(node)] => {
                        found.extend(
                            c.at_node[node.index()][1].iter().copied().filter(|&vector| has(vector)).map(VectorId),
                        );
                    }
                    [EndpointRestriction::Any, EndpointRestriction::Any] => {
                        found.extend((0..c.vectors.len() as u32).filter(|&vector| has(vector)).map(VectorId));
                    }
                }
            }
            VectorSet::Evaluated(filters) => {
                // All filters are evaluated, since they may draw random numbers.
                for vector in 0..c.vectors.len() as u32 {
                    if self.passes_filters(c, filters, c.vectors[vector as usize], chosen)? && meets(vector) {
                        found.push(VectorId(vector));
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

/// A target resolved for a selected vector.
enum ResolvedTarget {
    Slot(u32),
    Sight(NodeId),
}

/// Resolves a target; returns `None` for an end of a vector if no vector is selected.
#[inline]
fn at(c: &CompiledResourceGame, target: Target, ends: Option<[NodeId; 2]>) -> Option<ResolvedTarget> {
    let node = |end| {
        ends.map(|[source, target]| match end {
            Endpoint::Source => source,
            Endpoint::Target => target,
        })
    };
    match target {
        Target::Slot(slot) => Some(ResolvedTarget::Slot(slot)),
        // Every end of a vector has a slot for every resource that is written at an end.
        Target::End(end, resource) => c.slot_at(resource, node(end)?).map(ResolvedTarget::Slot),
        Target::Sight(node) => Some(ResolvedTarget::Sight(NodeId(node))),
        Target::EndSight(end) => node(end).map(ResolvedTarget::Sight),
    }
}

/// Resolves a move.
#[inline]
pub(crate) fn resolve_move<'a>(
    c: &'a CompiledResourceGame,
    team: TeamId,
    chosen: &'a Move,
) -> Result<ResolvedMove<'a>, GameErrorKind> {
    let Move::Choose(id, values) = chosen else { return Ok(ResolvedMove::Pass) };
    let undefined = || GameErrorKind::UndefinedChoice { team, choice: *id };
    let entry = c.choices[team.index()].get(id.index()).ok_or_else(undefined)?;
    let unset = values.is_empty() && c.game.rules.unset_parameters == UnsetParameterRule::Allow;
    if entry.roles.len() != values.len() && !unset {
        return Err(GameErrorKind::ParameterCount { expected: entry.roles.len(), found: values.len() });
    }
    match entry.what {
        ChoiceMeaning::Pass => Ok(ResolvedMove::Pass),
        ChoiceMeaning::Action(action) => {
            let choice = &c.game.teams[team.index()].choices[id.index()];
            Ok(ResolvedMove::Action(action, ChosenAction { choice, roles: &entry.roles, values }))
        }
        ChoiceMeaning::Undefined => Err(undefined()),
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
    fn leaves(self, node: NodeId) -> bool {
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
            node.filter(|&node| ends[end].leaves(node)).map_or(EndpointRestriction::None, EndpointRestriction::Node);
    }
    ends
}
