//! How one preference is followed: at most one live attempt for each binding.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use smallvec::SmallVec;

use super::assignments::Assignments;
use super::evaluate::{Bindings, Evaluator, Memory};
use super::failure::Failure;
use super::program::{NameId, NodeId, Operator, OperatorKind, Preference, Program};

/// Most bindings that one preference may come to have.
const MAX_BINDINGS: usize = 1 << 20;

/// Names bound to objects, as far as the operators up to some one need them.
#[derive(Debug, Clone)]
struct Mapping {
    /// The objects, in the order of [`Operator::bound`] of `operator`.
    objects: SmallVec<[ObjectId; 6]>,
    /// The last operator whose names are bound.
    operator: usize,
    /// The objects' identities, joined: attempts are sorted by it, and of several with the same one the first is kept.
    key: String,
    /// The same mapping restricted to the names of the first operator.
    initial: usize,
    /// The mappings that extend it by the next names, once they were needed.
    extensions: Option<Box<[usize]>>,
}

/// Recorded measures by function; a function that is measured again keeps its place.
type Measures = SmallVec<[(Arc<str>, Option<f64>); 1]>;

/// An attempt. The operator before `next` is the current one.
#[derive(Debug, Clone)]
struct Partial {
    mapping: usize,
    next: usize,
    events: usize,
    start: u64,
    measures: Measures,
}

/// A satisfaction.
#[derive(Debug, Clone)]
pub(super) struct Satisfaction {
    /// What every name was bound to, in order.
    pub(super) binding: Arc<[(NameId, ObjectId)]>,
    /// The binding's objects, joined.
    pub(super) key: Box<str>,
    /// First state, from 1.
    pub(super) start: u64,
    /// Last state, from 1.
    pub(super) end: u64,
    /// What was measured; nothing where the function never had a value.
    pub(super) measures: Measures,
}

/// What evaluation needs, for one state.
pub(super) struct Moment<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// What was seen.
    pub(super) memory: &'a mut Memory,
    /// The evaluator.
    pub(super) evaluator: &'a mut Evaluator,
    /// Nothing bound; used while a mapping is evaluated.
    pub(super) bindings: &'a mut Bindings,
    /// The number of the state, from 1.
    pub(super) step: u64,
}

/// A preference being followed.
#[derive(Debug, Clone)]
pub(super) struct Follower {
    /// Which preference.
    preference: usize,
    mappings: Vec<Mapping>,
    /// The attempts, sorted by the keys of their mappings.
    partials: Vec<Partial>,
    /// The attempts before the last state.
    before: Vec<Partial>,
    satisfactions: Vec<Satisfaction>,
    /// How many there were before the last state.
    satisfied_before: usize,
}

impl Follower {
    /// A preference before the first state, with one attempt for each binding of the first operator's names.
    ///
    /// # Errors
    /// There are too many bindings.
    pub(super) fn new(program: &Program, memory: &Memory, preference: usize) -> Result<Self, Failure> {
        let mut follower = Self {
            preference,
            mappings: Vec::new(),
            partials: Vec::new(),
            before: Vec::new(),
            satisfactions: Vec::new(),
            satisfied_before: 0,
        };
        if let Some(first) = program.preferences[preference].operators.first() {
            for objects in Assignments::new(&first.new, &[])? {
                let mapping = follower.add(memory, Mapping::new(objects, 0))?;
                follower.restart(mapping);
            }
        }
        Ok(follower)
    }

    /// Everything satisfied so far, in the order in which it was found.
    pub(super) fn satisfactions(&self) -> &[Satisfaction] {
        &self.satisfactions
    }

    /// What the last state satisfied.
    pub(super) fn newly_satisfied(&self) -> &[Satisfaction] {
        &self.satisfactions[self.satisfied_before..]
    }

    /// Lets a state pass: attempts stay as they are.
    pub(super) fn skip(&mut self) {
        self.satisfied_before = self.satisfactions.len();
    }

    /// Takes back the last state that was looked at.
    pub(super) fn take_back(&mut self, program: &Program) {
        self.satisfactions.truncate(self.satisfied_before);
        if !program.preferences[self.preference].at_end {
            std::mem::swap(&mut self.partials, &mut self.before);
        }
    }

    /// Looks at a state. `last`: whether it is the last one.
    ///
    /// # Errors
    /// The authors' implementation stops.
    pub(super) fn look(&mut self, moment: &mut Moment<'_>, last: bool) -> Result<(), Failure> {
        self.satisfied_before = self.satisfactions.len();
        let preference = &moment.program.preferences[self.preference];
        if preference.at_end {
            return if last { self.look_at_end(moment, preference) } else { Ok(()) };
        }
        std::mem::swap(&mut self.partials, &mut self.before);
        self.partials.clear();
        let before = std::mem::take(&mut self.before);
        let mut result = Ok(());
        for partial in &before {
            result = self.follow(moment, &preference.operators, partial);
            if result.is_err() {
                break;
            }
        }
        self.before = before;
        self.sort();
        result
    }

    /// Every binding is tested, those that are listed twice twice.
    fn look_at_end(&mut self, moment: &mut Moment<'_>, preference: &Preference) -> Result<(), Failure> {
        let operator = &preference.operators[0];
        for index in 0..self.partials.len() {
            let mapping = self.partials[index].mapping;
            self.bind(moment, &operator.bound, mapping);
            let holds = moment.holds(operator.condition, true);
            moment.unbind(&operator.bound);
            if holds? {
                self.satisfy(moment, &operator.bound, mapping, moment.step, Measures::new());
            }
        }
        Ok(())
    }

    /// Takes one attempt through a state.
    fn follow(&mut self, moment: &mut Moment<'_>, operators: &[Operator], partial: &Partial) -> Result<(), Failure> {
        let bound = &operators[self.mappings[partial.mapping].operator].bound;
        self.bind(moment, bound, partial.mapping);
        let fate = fate(moment, operators, partial);
        moment.unbind(bound);
        match fate? {
            Fate::Stay(partial) => self.partials.push(partial),
            Fate::Advance(partial) => self.advance(moment, operators, partial)?,
            Fate::Revert => self.restart(self.mappings[partial.mapping].initial),
        }
        Ok(())
    }

    /// The next operator has begun: the one after it becomes next, and its new names are bound in every way. Where they
    /// cannot be, the binding is lost for good.
    fn advance(&mut self, moment: &Moment<'_>, operators: &[Operator], partial: Partial) -> Result<(), Failure> {
        let next = partial.next + 1;
        let Some(operator) = operators.get(next) else {
            let bound = &operators[self.mappings[partial.mapping].operator].bound;
            self.satisfy(moment, bound, partial.mapping, partial.start, partial.measures);
            self.restart(self.mappings[partial.mapping].initial);
            return Ok(());
        };
        if operator.new.is_empty() {
            self.partials.push(Partial { next, events: 0, ..partial });
            return Ok(());
        }
        if self.mappings[partial.mapping].extensions.is_none() {
            self.extend(moment.memory, operator, partial.mapping, next)?;
        }
        for &mapping in self.mappings[partial.mapping].extensions.iter().flatten() {
            self.partials.push(Partial { mapping, next, events: 0, ..partial.clone() });
        }
        Ok(())
    }

    /// Finds all mappings that extend one by the new names of an operator.
    fn extend(&mut self, memory: &Memory, operator: &Operator, mapping: usize, next: usize) -> Result<(), Failure> {
        let (initial, used) = (self.mappings[mapping].initial, self.mappings[mapping].objects.clone());
        let mut extensions = Vec::new();
        for mut objects in Assignments::new(&operator.new, &used)? {
            objects.extend_from_slice(&used);
            extensions.push(self.add(memory, Mapping { initial, ..Mapping::new(objects, next) })?);
        }
        self.mappings[mapping].extensions = Some(extensions.into());
        Ok(())
    }

    fn add(&mut self, memory: &Memory, mut mapping: Mapping) -> Result<usize, Failure> {
        if self.mappings.len() == MAX_BINDINGS {
            return Err(Failure::new(format!("a preference has more than {MAX_BINDINGS} bindings")));
        }
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

    /// Begins anew with the names of the first operator bound.
    fn restart(&mut self, mapping: usize) {
        self.partials.push(Partial { mapping, next: 0, events: 0, start: 0, measures: Measures::new() });
    }

    fn satisfy(&mut self, moment: &Moment<'_>, bound: &[NameId], mapping: usize, start: u64, measures: Measures) {
        let mapping = &self.mappings[mapping];
        self.satisfactions.push(Satisfaction {
            binding: bound.iter().copied().zip(mapping.objects.iter().copied()).collect(),
            key: mapping.key.as_str().into(),
            start,
            end: moment.step,
            measures,
        });
    }

    fn bind(&self, moment: &mut Moment<'_>, bound: &[NameId], mapping: usize) {
        for (name, object) in bound.iter().zip(&self.mappings[mapping].objects) {
            moment.bindings.set(*name, Some(*object));
        }
    }

    /// Sorts the attempts and keeps the first of each key.
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

impl Mapping {
    fn new(objects: SmallVec<[ObjectId; 6]>, operator: usize) -> Self {
        Self { objects, operator, key: String::new(), initial: 0, extensions: None }
    }
}

impl Moment<'_> {
    fn holds(&mut self, condition: NodeId, force: bool) -> Result<bool, Failure> {
        self.evaluator.holds(self.program, self.memory, condition, self.bindings, force)
    }

    fn unbind(&mut self, bound: &[NameId]) {
        for name in bound {
            self.bindings.set(*name, None);
        }
    }
}

/// What becomes of an attempt.
enum Fate {
    Stay(Partial),
    Advance(Partial),
    Revert,
}

fn fate(moment: &mut Moment<'_>, operators: &[Operator], partial: &Partial) -> Result<Fate, Failure> {
    let next = &operators[partial.next];
    let Some(current) = partial.next.checked_sub(1).map(|current| &operators[current]) else {
        return Ok(if moment.holds(next.condition, false)? {
            Fate::Advance(Partial { start: moment.step, ..partial.clone() })
        } else {
            Fate::Stay(partial.clone())
        });
    };
    let holds = moment.holds(current.condition, false)?;
    if let OperatorKind::HoldWhile(events) = &current.kind
        && let Some(event) = events.get(partial.events)
    {
        // Until all events have happened, the next operator is not looked at.
        let happened = moment.holds(*event, false)?;
        let events = partial.events + usize::from(happened);
        return Ok(if holds { Fate::Stay(Partial { events, ..partial.clone() }) } else { Fate::Revert });
    }
    let goes_on = moment.holds(next.condition, false)?;
    let mut partial = partial.clone();
    if let OperatorKind::Measure(name, call) = &current.kind {
        let call = call.ok_or_else(|| Failure::new(format!("`{name}` is not implemented and cannot be measured")))?;
        let value = moment.evaluator.measure(moment.program, moment.memory, call, moment.bindings)?;
        match partial.measures.iter_mut().find(|(measured, _)| measured == name) {
            Some((_, measured)) => *measured = value,
            None => partial.measures.push((name.clone(), value)),
        }
    }
    Ok(if goes_on {
        Fate::Advance(partial)
    } else if holds {
        Fate::Stay(partial)
    } else {
        Fate::Revert
    })
}
