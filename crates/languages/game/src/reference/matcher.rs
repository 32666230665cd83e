//! Matching of one preference: at most one live attempt per binding.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use smallvec::SmallVec;

use super::assignments::Assignments;
use super::error::PlayError;
use super::evaluate::{Bindings, Evaluator, RoomState};
use super::program::{NameId, NodeId, Operator, OperatorKind, Preference, Program};

/// Maximum number of bindings that all preferences of a game may create.
pub(super) const MAX_BINDINGS: usize = 1 << 19;

/// Maximum number of satisfactions of one preference.
const MAX_SATISFACTIONS: usize = 1 << 20;

/// A binding of the names that occur in the operators up to `operator`.
#[derive(Debug, Clone)]
struct Binding {
    /// The objects, in the order of [`Operator::bound`] of `operator`.
    objects: SmallVec<[ObjectId; 6]>,
    /// The index of the last operator whose names are bound.
    operator: usize,
    /// The joined identifiers of the objects. Attempts are sorted by it; of several attempts with the same key, the first is kept.
    key: String,
    /// The index of the mapping restricted to the names of the first operator.
    initial: usize,
    /// The indices of the mappings that extend this one by the names of the next operator, computed on demand.
    extensions: Option<Box<[usize]>>,
    /// The number of disjoint satisfactions, chosen greedily by end.
    disjoint: u64,
    /// The end of the last disjoint satisfaction.
    end: u64,
}

/// The recorded measures by function name. A repeated measure overwrites the earlier one in place.
type Measures = SmallVec<[(Arc<str>, Option<f64>); 1]>;

/// A partial match. The operator before `next` is the current one.
#[derive(Debug, Clone)]
struct PartialMatch {
    mapping: usize,
    next: usize,
    events: usize,
    start: u64,
    measures: Measures,
}

/// A satisfaction of a preference.
#[derive(Debug, Clone)]
pub(super) struct Satisfaction {
    /// The index of the mapping, for [`PreferenceMatcher::objects`].
    pub(super) mapping: usize,
    /// The first state, numbered from 1.
    pub(super) start: u64,
    /// The last state, numbered from 1.
    pub(super) end: u64,
    /// The recorded measures; `None` for a function that never had a value.
    pub(super) measures: Measures,
}

/// The context for the evaluation of one state.
pub(super) struct StepContext<'a> {
    /// The compiled program.
    pub(super) program: &'a Program,
    /// The recorded state of the room.
    pub(super) memory: &'a mut RoomState,
    /// The evaluator.
    pub(super) evaluator: &'a mut Evaluator,
    /// A buffer for bindings, in which no name is bound between evaluations.
    pub(super) bindings: &'a mut Bindings,
    /// The number of bindings that may still be created.
    pub(super) bindings_left: &'a mut usize,
    /// The number of the state, starting at 1.
    pub(super) step: u64,
}

/// The matcher of one preference.
#[derive(Debug, Clone)]
pub(super) struct PreferenceMatcher {
    /// The index of the preference.
    preference: usize,
    mappings: Vec<Binding>,
    /// The partial matches, sorted by the keys of their mappings.
    partials: Vec<PartialMatch>,
    /// The partial matches before the current state.
    before: Vec<PartialMatch>,
    satisfactions: Vec<Satisfaction>,
    /// The number of satisfactions before the current state.
    satisfied_before: usize,
    /// The satisfied mappings, in order of their first satisfaction.
    satisfied: Vec<usize>,
}

impl PreferenceMatcher {
    /// Creates a matcher with one attempt for each binding of the names of the first operator.
    ///
    /// # Errors
    /// Returns an error if there are too many bindings.
    pub(super) fn new(
        program: &Program,
        memory: &RoomState,
        preference: usize,
        bindings_left: &mut usize,
    ) -> Result<Self, PlayError> {
        let mut follower = Self {
            preference,
            mappings: Vec::new(),
            partials: Vec::new(),
            before: Vec::new(),
            satisfactions: Vec::new(),
            satisfied_before: 0,
            satisfied: Vec::new(),
        };
        if let Some(first) = program.preferences[preference].operators.first() {
            for objects in Assignments::new(&first.new_domains, &[])? {
                let mapping = follower.add(memory, bindings_left, Binding::new(objects, 0))?;
                follower.restart(mapping);
            }
        }
        Ok(follower)
    }

    /// Returns all satisfactions so far, in the order in which they were found.
    pub(super) fn satisfactions(&self) -> &[Satisfaction] {
        &self.satisfactions
    }

    /// Returns the indices of the satisfied mappings, in order of their first satisfaction.
    pub(super) fn satisfied(&self) -> &[usize] {
        &self.satisfied
    }

    /// Returns the objects of a satisfied mapping, in the order of the names of the preference's last operator.
    pub(super) fn objects(&self, mapping: usize) -> &[ObjectId] {
        &self.mappings[mapping].objects
    }

    /// Returns the joined identifiers of the objects of a mapping.
    pub(super) fn key(&self, mapping: usize) -> &str {
        &self.mappings[mapping].key
    }

    /// Returns the number of disjoint satisfactions of the mapping. A satisfaction may start in the state in which another one ends.
    pub(super) fn disjoint(&self, mapping: usize) -> u64 {
        self.mappings[mapping].disjoint
    }

    /// Returns the satisfactions that end in the current state.
    pub(super) fn newly_satisfied(&self) -> &[Satisfaction] {
        &self.satisfactions[self.satisfied_before..]
    }

    /// Skips a state: the partial matches do not change.
    pub(super) fn skip(&mut self) {
        self.satisfied_before = self.satisfactions.len();
    }

    /// Reverts the last evaluated state.
    pub(super) fn revert(&mut self, program: &Program) {
        self.satisfactions.truncate(self.satisfied_before);
        for mapping in self.satisfied.drain(..) {
            (self.mappings[mapping].disjoint, self.mappings[mapping].end) = (0, 0);
        }
        for index in 0..self.satisfactions.len() {
            self.count_satisfaction(index);
        }
        if !program.preferences[self.preference].at_end {
            std::mem::swap(&mut self.partials, &mut self.before);
        }
    }

    /// Evaluates a state. `last` is whether it is the last one.
    ///
    /// # Errors
    /// Returns an error if the authors' implementation stops.
    pub(super) fn step(&mut self, ctx: &mut StepContext<'_>, last: bool) -> Result<(), PlayError> {
        self.satisfied_before = self.satisfactions.len();
        let preference = &ctx.program.preferences[self.preference];
        if preference.at_end {
            return if last { self.step_at_end(ctx, preference) } else { Ok(()) };
        }
        std::mem::swap(&mut self.partials, &mut self.before);
        self.partials.clear();
        let before = std::mem::take(&mut self.before);
        let mut result = Ok(());
        for partial in &before {
            result = self.step_partial(ctx, &preference.operators, partial);
            if result.is_err() {
                break;
            }
        }
        self.before = before;
        self.sort();
        result
    }

    /// Tests every binding, duplicates included.
    fn step_at_end(&mut self, ctx: &mut StepContext<'_>, preference: &Preference) -> Result<(), PlayError> {
        let operator = &preference.operators[0];
        for index in 0..self.partials.len() {
            let mapping = self.partials[index].mapping;
            self.bind(ctx, &operator.bound, mapping);
            let holds = ctx.holds(operator.condition, true);
            ctx.unbind(&operator.bound);
            if holds? {
                self.satisfy(ctx, mapping, ctx.step, Measures::new())?;
            }
        }
        Ok(())
    }

    /// Advances one partial match by a state.
    fn step_partial(
        &mut self,
        ctx: &mut StepContext<'_>,
        operators: &[Operator],
        partial: &PartialMatch,
    ) -> Result<(), PlayError> {
        let bound = &operators[self.mappings[partial.mapping].operator].bound;
        self.bind(ctx, bound, partial.mapping);
        let transition = next_transition(ctx, operators, partial);
        ctx.unbind(bound);
        match transition? {
            Transition::Stay(partial) => self.partials.push(partial),
            Transition::Advance(partial) => self.advance(ctx, operators, partial)?,
            Transition::Revert => self.restart(self.mappings[partial.mapping].initial),
        }
        Ok(())
    }

    /// Moves on to the operator after the one that has just begun, and creates every binding of its new names. If there is none, the
    /// attempt is lost without a restart.
    fn advance(
        &mut self,
        ctx: &mut StepContext<'_>,
        operators: &[Operator],
        partial: PartialMatch,
    ) -> Result<(), PlayError> {
        let next = partial.next + 1;
        let Some(operator) = operators.get(next) else {
            self.satisfy(ctx, partial.mapping, partial.start, partial.measures)?;
            self.restart(self.mappings[partial.mapping].initial);
            return Ok(());
        };
        if operator.new_domains.is_empty() {
            self.partials.push(PartialMatch { next, events: 0, ..partial });
            return Ok(());
        }
        if self.mappings[partial.mapping].extensions.is_none() {
            self.extend(ctx, operator, partial.mapping, next)?;
        }
        for &mapping in self.mappings[partial.mapping].extensions.iter().flatten() {
            self.partials.push(PartialMatch { mapping, next, events: 0, ..partial.clone() });
        }
        Ok(())
    }

    /// Finds all mappings that extend a mapping by the new names of an operator.
    fn extend(
        &mut self,
        ctx: &mut StepContext<'_>,
        operator: &Operator,
        mapping: usize,
        next: usize,
    ) -> Result<(), PlayError> {
        let (initial, bound) = (self.mappings[mapping].initial, self.mappings[mapping].objects.clone());
        let mut extensions = Vec::new();
        for mut objects in Assignments::new(&operator.new_domains, &bound)? {
            objects.extend_from_slice(&bound);
            let extension = Binding { initial, ..Binding::new(objects, next) };
            extensions.push(self.add(ctx.memory, ctx.bindings_left, extension)?);
        }
        self.mappings[mapping].extensions = Some(extensions.into());
        Ok(())
    }

    fn add(&mut self, memory: &RoomState, left: &mut usize, mut mapping: Binding) -> Result<usize, PlayError> {
        let Some(fewer) = left.checked_sub(1) else {
            return Err(PlayError::limit(format!("the preferences have more than {MAX_BINDINGS} bindings")));
        };
        *left = fewer;
        for (index, object) in mapping.objects.iter().enumerate() {
            mapping.key.push_str(if index == 0 { "" } else { "_" });
            mapping.key.push_str(memory.tables.id(*object));
        }
        let index = self.mappings.len();
        if mapping.operator == 0 {
            mapping.initial = index;
        }
        self.mappings.push(mapping);
        Ok(index)
    }

    /// Adds a new attempt with only the names of the first operator bound.
    fn restart(&mut self, mapping: usize) {
        self.partials.push(PartialMatch { mapping, next: 0, events: 0, start: 0, measures: Measures::new() });
    }

    fn satisfy(
        &mut self,
        ctx: &StepContext<'_>,
        mapping: usize,
        start: u64,
        measures: Measures,
    ) -> Result<(), PlayError> {
        if self.satisfactions.len() == MAX_SATISFACTIONS {
            return Err(PlayError::limit(format!("a preference has more than {MAX_SATISFACTIONS} satisfactions")));
        }
        self.satisfactions.push(Satisfaction { mapping, start, end: ctx.step, measures });
        self.count_satisfaction(self.satisfactions.len() - 1);
        Ok(())
    }

    /// Counts a satisfaction. Satisfactions must be counted in the order of their ends.
    fn count_satisfaction(&mut self, index: usize) {
        let Satisfaction { mapping, start, end, .. } = self.satisfactions[index];
        let counted = &mut self.mappings[mapping];
        if counted.disjoint == 0 {
            self.satisfied.push(mapping);
        } else if start < counted.end {
            return;
        }
        counted.disjoint += 1;
        counted.end = end;
    }

    fn bind(&self, ctx: &mut StepContext<'_>, bound: &[NameId], mapping: usize) {
        for (name, object) in bound.iter().zip(&self.mappings[mapping].objects) {
            ctx.bindings.set(*name, Some(*object));
        }
    }

    /// Sorts the partial matches and keeps the first one of each key.
    fn sort(&mut self) {
        let mappings = &self.mappings;
        self.partials.sort_by(|a, b| {
            if a.mapping == b.mapping {
                std::cmp::Ordering::Equal
            } else {
                mappings[a.mapping].key.cmp(&mappings[b.mapping].key)
            }
        });
        self.partials.dedup_by(|b, a| a.mapping == b.mapping || mappings[a.mapping].key == mappings[b.mapping].key);
    }
}

impl Binding {
    fn new(objects: SmallVec<[ObjectId; 6]>, operator: usize) -> Self {
        Self { objects, operator, key: String::new(), initial: 0, extensions: None, disjoint: 0, end: 0 }
    }
}

impl StepContext<'_> {
    fn holds(&mut self, condition: NodeId, force: bool) -> Result<bool, PlayError> {
        self.evaluator.holds(self.program, self.memory, condition, self.bindings, force)
    }

    fn unbind(&mut self, bound: &[NameId]) {
        for name in bound {
            self.bindings.set(*name, None);
        }
    }
}

/// The result of one transition of a partial match.
enum Transition {
    Stay(PartialMatch),
    Advance(PartialMatch),
    Revert,
}

fn next_transition(
    ctx: &mut StepContext<'_>,
    operators: &[Operator],
    partial: &PartialMatch,
) -> Result<Transition, PlayError> {
    let next = &operators[partial.next];
    let Some(current) = partial.next.checked_sub(1).map(|current| &operators[current]) else {
        return Ok(if ctx.holds(next.condition, false)? {
            Transition::Advance(PartialMatch { start: ctx.step, ..partial.clone() })
        } else {
            Transition::Stay(partial.clone())
        });
    };
    let holds = ctx.holds(current.condition, false)?;
    if let OperatorKind::HoldWhile(events) = &current.kind
        && let Some(event) = events.get(partial.events)
    {
        // The next operator is not tested until all events have occurred.
        let event_holds = ctx.holds(*event, false)?;
        let events = partial.events + usize::from(event_holds);
        return Ok(if holds {
            Transition::Stay(PartialMatch { events, ..partial.clone() })
        } else {
            Transition::Revert
        });
    }
    let next_holds = ctx.holds(next.condition, false)?;
    let mut partial = partial.clone();
    if let OperatorKind::Measure(name, call) = &current.kind {
        let call = call.ok_or_else(|| PlayError::new(format!("the measure `{name}` is not supported")))?;
        let value = ctx.evaluator.measure(ctx.program, ctx.memory, call, ctx.bindings)?;
        match partial.measures.iter_mut().find(|(measured, _)| measured == name) {
            Some((_, measured)) => *measured = value,
            None => partial.measures.push((name.clone(), value)),
        }
    }
    Ok(if next_holds {
        Transition::Advance(partial)
    } else if holds {
        Transition::Stay(partial)
    } else {
        Transition::Revert
    })
}
