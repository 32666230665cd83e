//! Conditions with three values and a cache that is only refreshed where the authors' implementation refreshes it.
//!
//! | value | meaning |
//! |---|---|
//! | `Some(True)`, `Some(False)` | known: computed now, or the last time that it could be |
//! | `Some(Missing)` | not implemented, found so earlier in this state |
//! | `None` | never known so far |
//! | `Err(Stop::Unimplemented)` | not implemented, found so just now |
//!
//! The last two rows are one thing to whoever asks first, but a conjunction that asks again in the same state gets the second
//! row's value, which passes for true and is false when negated.

use goalspec_core::condition::Comparison;
use goalspec_core::ids::ObjectId;
use goalspec_core::work::Work;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::assignments::Assignments;
use super::buildings::Buildings;
use super::failure::Failure;
use super::predicates::{self, Argument, Predicate};
use super::program::{Call, CallId, Domain, NameId, NodeId, NodeKind, Operand, Program};
use super::scene::Scene;
use super::tables::{Class, Tables};
use super::things::Things;

/// Most conditions that are evaluated for one state.
const MAX_EVALUATIONS: u64 = 1 << 24;

/// Units of work that an evaluation takes: its value is looked for among those that are remembered.
const EVALUATION: u64 = 4;

/// Most values that are remembered.
const MAX_REMEMBERED: usize = 1 << 21;

/// Absolute tolerance of `=`.
const EQUAL_ABSOLUTE: f64 = 1e-8;

/// Relative tolerance of `=`.
const EQUAL_RELATIVE: f64 = 1e-5;

/// A value that a cache holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Missing,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl Truth {
    /// What `and` makes of two values: the first if it is false, else the second.
    fn and(self, next: Self) -> Self {
        if self == Self::False { self } else { next }
    }
}

/// Why a condition has no value.
#[derive(Debug)]
enum Stop {
    /// It is not implemented.
    Unimplemented,
    /// A name that is no variable is bound to nothing; whatever contains it is false.
    Unbound(NameId),
    /// The authors' implementation stops.
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// What names are bound to.
#[derive(Debug, Clone)]
pub(super) struct Bindings(Vec<Option<ObjectId>>);

impl Bindings {
    /// Nothing bound.
    pub(super) fn new(program: &Program) -> Self {
        Self(vec![None; program.names.len()])
    }

    /// What the name is bound to.
    pub(super) fn get(&self, name: NameId) -> Option<ObjectId> {
        self.0[name.0 as usize]
    }

    /// What tells cached values of conditions with these names apart.
    fn key(&self, names: &[NameId]) -> Key {
        names.iter().map(|&name| self.get(name).map_or(u32::MAX, |object| object.0)).collect()
    }

    /// Binds a name, or unbinds it.
    pub(super) fn set(&mut self, name: NameId, object: Option<ObjectId>) {
        self.0[name.0 as usize] = object;
    }
}

/// What the names that tell cached values apart are bound to; the largest number for nothing.
type Key = SmallVec<[u32; 4]>;

/// A cached value: what it is, for which clock, written in which phase, and what was there before that clock.
#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    value: T,
    at: i64,
    phase: u64,
    before: Option<(T, i64)>,
}

/// Cached values of one condition or function call.
#[derive(Debug, Clone)]
struct Cache<T>(FxHashMap<Key, Entry<T>>);

impl<T: Copy> Cache<T> {
    fn new() -> Self {
        Self(FxHashMap::default())
    }

    /// Remembers a value. `left`: how many more values may be remembered.
    fn put(&mut self, key: Key, value: T, at: i64, phase: u64, left: &mut usize) -> Result<(), Failure> {
        if let Some(entry) = self.0.get_mut(&key) {
            *entry = Entry { value, at, phase, before: Some((entry.value, entry.at)) };
            return Ok(());
        }
        let Some(fewer) = left.checked_sub(1) else {
            return Err(Failure::limit(format!("more than {MAX_REMEMBERED} values would have to be remembered")));
        };
        *left = fewer;
        self.0.insert(key, Entry { value, at, phase, before: None });
        Ok(())
    }

    /// Takes back what a phase has written.
    fn take_back(&mut self, phase: u64) {
        self.0.retain(|_, entry| match entry.before {
            _ if entry.phase != phase => true,
            Some((value, at)) => {
                *entry = Entry { value, at, phase: 0, before: None };
                true
            }
            None => false,
        });
    }
}

/// What was seen so far.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    /// The room's tables.
    pub(super) tables: Tables,
    /// What was seen of each object.
    pub(super) things: Things,
    /// The buildings.
    pub(super) buildings: Buildings,
}

/// Evaluates conditions and keeps their values.
#[derive(Debug, Clone)]
pub(super) struct Evaluator {
    conditions: Vec<Cache<Truth>>,
    calls: Vec<Cache<f64>>,
    /// Whether this is the last state, as far as conditions are concerned.
    pub(super) last: bool,
    phase: u64,
    evaluations: u64,
    /// How many more values may be remembered.
    left: usize,
    remarks: Vec<String>,
    /// What was evaluated in all states.
    pub(super) work: Work,
}

impl Evaluator {
    /// Nothing evaluated yet.
    pub(super) fn new(program: &Program) -> Self {
        Self {
            conditions: vec![Cache::new(); program.nodes.len()],
            calls: vec![Cache::new(); program.calls.len()],
            last: false,
            phase: 0,
            evaluations: 0,
            left: MAX_REMEMBERED,
            remarks: Vec::new(),
            work: Work::new(),
        }
    }

    /// Begins a phase of a state: what it writes can be taken back until the next begins.
    pub(super) fn begin_phase(&mut self) {
        self.phase += 1;
        self.evaluations = 0;
    }

    /// Takes back everything that was cached since the phase began.
    pub(super) fn take_back(&mut self) {
        for cache in &mut self.conditions {
            cache.take_back(self.phase);
        }
        for cache in &mut self.calls {
            cache.take_back(self.phase);
        }
    }

    /// What was noticed.
    pub(super) fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Whether a condition holds. What is not implemented does; what was never known does not.
    ///
    /// # Errors
    /// The authors' implementation stops.
    pub(super) fn holds(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        node: NodeId,
        bindings: &mut Bindings,
        force: bool,
    ) -> Result<bool, Failure> {
        match (Walk { evaluator: self, program, memory, bindings, force }).value(node) {
            Ok(value) => Ok(matches!(value, Some(Truth::True | Truth::Missing))),
            Err(Stop::Unimplemented) => Ok(true),
            Err(Stop::Unbound(name)) => {
                let text = &program.name(name).text;
                let remark = format!("`{text}` is no single object of this room; conditions with it are false");
                if !self.remarks.contains(&remark) {
                    self.remarks.push(remark);
                }
                Ok(false)
            }
            Err(Stop::Failure(failure)) => Err(failure),
        }
    }

    /// A function's value for a measure; `None` if it was never known.
    ///
    /// # Errors
    /// The authors' implementation stops.
    pub(super) fn measure(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        call: CallId,
        bindings: &mut Bindings,
    ) -> Result<Option<f64>, Failure> {
        Walk { evaluator: self, program, memory, bindings, force: true }.function(call)
    }
}

/// One evaluation.
struct Walk<'a> {
    evaluator: &'a mut Evaluator,
    program: &'a Program,
    memory: &'a mut Memory,
    bindings: &'a mut Bindings,
    force: bool,
}

impl Walk<'_> {
    /// The value of a condition: what is cached for this clock, else what is computed, else what was cached before.
    fn value(&mut self, id: NodeId) -> Result<Option<Truth>, Stop> {
        if !self.evaluator.work.spend(EVALUATION) {
            return Err(Failure::limit("the budget of work is used up").into());
        }
        self.evaluator.evaluations += 1;
        if self.evaluator.evaluations > MAX_EVALUATIONS {
            return Err(Failure::limit(format!("more than {MAX_EVALUATIONS} evaluations in one state")).into());
        }
        let node = self.program.node(id);
        if let Some(name) = node.objects.iter().find(|name| self.bindings.get(**name).is_none()) {
            return Err(Stop::Unbound(*name));
        }
        if !node.cached {
            return self.compute(id, None);
        }
        let key = self.bindings.key(&node.keys);
        let (clock, index) = (self.memory.things.clock(), id.0 as usize);
        let cached = self.evaluator.conditions[index].0.get(&key).map(|entry| (entry.value, entry.at));
        if let Some((value, at)) = cached
            && at == clock
        {
            return Ok(Some(value));
        }
        let computed = match self.compute(id, cached.map(|(_, at)| at)) {
            Err(Stop::Unimplemented) => Some(Truth::Missing),
            other => other?,
        };
        let Some(value) = computed else { return Ok(cached.map(|(value, _)| value)) };
        let Evaluator { conditions, phase, left, .. } = &mut *self.evaluator;
        conditions[index].put(key, value, clock, *phase, left)?;
        if value == Truth::Missing { Err(Stop::Unimplemented) } else { Ok(Some(value)) }
    }

    fn compute(&mut self, id: NodeId, evaluated: Option<i64>) -> Result<Option<Truth>, Stop> {
        let program = self.program;
        match &program.node(id).kind {
            NodeKind::GameStart => Ok(Some(self.memory.things.at_start().into())),
            NodeKind::GameOver => Ok(Some(self.evaluator.last.into())),
            NodeKind::Unimplemented(..) => Err(Stop::Unimplemented),
            NodeKind::Atom(predicate, arguments) => self.atom(*predicate, arguments, evaluated),
            NodeKind::Not(part) => match self.value(*part) {
                Ok(value) => Ok(value.map(|value| Truth::from(value == Truth::False))),
                Err(Stop::Unimplemented) => Ok(Some(Truth::True)),
                Err(stop) => Err(stop),
            },
            NodeKind::And(parts) => self.and(parts),
            NodeKind::Or(parts) => self.or(parts),
            NodeKind::Exists(domains, body) => self.exists(id, domains, *body),
            NodeKind::Forall(domains, body) => self.forall(id, domains, *body),
            NodeKind::Compare(comparison, sides) => self.compare(*comparison, sides),
            NodeKind::Equal(sides) => self.equal(sides),
        }
    }

    /// Every part is evaluated; the first unknown one leaves it open, parts that are not implemented are passed over.
    fn and(&mut self, parts: &[NodeId]) -> Result<Option<Truth>, Stop> {
        let mut result = Truth::True;
        let mut implemented = false;
        for part in parts {
            match self.value(*part) {
                Ok(None) => return Ok(None),
                Ok(Some(value)) => {
                    implemented = true;
                    result = result.and(value);
                }
                Err(Stop::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        if implemented { Ok(Some(result)) } else { Err(Stop::Unimplemented) }
    }

    /// Stops at the first true part.
    fn or(&mut self, parts: &[NodeId]) -> Result<Option<Truth>, Stop> {
        let (mut known, mut implemented) = (false, false);
        for part in parts {
            match self.value(*part) {
                Ok(value) => {
                    implemented = true;
                    match value {
                        Some(Truth::True | Truth::Missing) => return Ok(Some(Truth::True)),
                        Some(Truth::False) => known = true,
                        None => {}
                    }
                }
                Err(Stop::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        if implemented { Ok(known.then_some(Truth::False)) } else { Err(Stop::Unimplemented) }
    }

    fn exists(&mut self, id: NodeId, domains: &[Domain], body: NodeId) -> Result<Option<Truth>, Stop> {
        let mut known = false;
        let found = self.each_assignment(id, domains, |walk| {
            Ok(match walk.value(body)? {
                Some(Truth::True | Truth::Missing) => Some(Some(Truth::True)),
                Some(Truth::False) => {
                    known = true;
                    None
                }
                None => None,
            })
        })?;
        Ok(found.unwrap_or(known.then_some(Truth::False)))
    }

    fn forall(&mut self, id: NodeId, domains: &[Domain], body: NodeId) -> Result<Option<Truth>, Stop> {
        let mut result = Truth::True;
        let stopped = self.each_assignment(id, domains, |walk| {
            Ok(match walk.value(body)? {
                Some(value) => {
                    result = result.and(value);
                    None
                }
                None => Some(None),
            })
        })?;
        Ok(stopped.unwrap_or(Some(result)))
    }

    /// Binds the quantifier's variables in every way, to objects that nothing in the condition is bound to, until `visit`
    /// returns something. Variables that are bound outside stay as they are.
    fn each_assignment<T>(
        &mut self,
        id: NodeId,
        domains: &[Domain],
        mut visit: impl FnMut(&mut Self) -> Result<Option<T>, Stop>,
    ) -> Result<Option<T>, Stop> {
        let names = &self.program.node(id).names;
        let outer = |name: NameId| if names.contains(&name) { self.bindings.get(name) } else { None };
        let used: SmallVec<[ObjectId; 8]> = names
            .iter()
            .filter_map(|&name| {
                let info = self.program.name(name);
                if info.is_type { info.itself } else { self.bindings.get(name) }
            })
            .collect();
        let free: SmallVec<[bool; 4]> = domains.iter().map(|domain| outer(domain.name).is_none()).collect();
        let saved: SmallVec<[Option<ObjectId>; 4]> =
            domains.iter().map(|domain| self.bindings.get(domain.name)).collect();
        let mut result = Ok(None);
        for assignment in Assignments::new(domains, &used)? {
            for ((domain, &object), &free) in domains.iter().zip(&assignment).zip(&free) {
                if free {
                    self.bindings.set(domain.name, Some(object));
                }
            }
            result = visit(self);
            if !matches!(result, Ok(None)) {
                break;
            }
        }
        for (domain, object) in domains.iter().zip(saved) {
            self.bindings.set(domain.name, object);
        }
        result
    }

    /// Evaluates a predicate if one of its objects was updated since it was last evaluated, or if it must.
    fn atom(
        &mut self,
        predicate: Predicate,
        arguments: &[NameId],
        evaluated: Option<i64>,
    ) -> Result<Option<Truth>, Stop> {
        if self.memory.things.agent().is_none() {
            return Err(Failure::new("the recording begins without the agent").into());
        }
        let bound: SmallVec<[NameId; 3]> = arguments
            .iter()
            .copied()
            .filter(|&name| self.program.name(name).is_type || self.bindings.get(name).is_some())
            .collect();
        if !bound.is_empty() {
            match self.updated(&bound) {
                None if self.force => {
                    return Err(Failure::new("a predicate is about an object that was never seen").into());
                }
                None => return Ok(None),
                Some(updated) => {
                    let fresh = updated == self.memory.things.clock() || evaluated.is_none_or(|at| updated > at);
                    if !(fresh || self.force) {
                        return Ok(None);
                    }
                }
            }
        }
        let value = self.with_arguments(&bound, |scene, arguments| predicates::holds(scene, predicate, arguments))?;
        Ok(Some(value.into()))
    }

    /// When one of the objects was last updated; `None` if one was never seen. Fixtures and buildings are seen now if never
    /// before.
    fn updated(&mut self, names: &[NameId]) -> Option<i64> {
        let objects: SmallVec<[ObjectId; 3]> = names
            .iter()
            .filter(|name| !self.program.name(**name).is_type)
            .filter_map(|&name| self.bindings.get(name))
            .collect();
        for &object in &objects {
            if matches!(self.memory.tables.class(object), Class::Fixture(_) | Class::Building(_)) {
                self.memory.things.mark(object);
            }
        }
        let mut latest = i64::MIN;
        for object in objects {
            latest = latest.max(self.memory.things.updated(object)?);
        }
        Some(latest)
    }

    fn with_arguments<T>(
        &self,
        names: &[NameId],
        apply: impl FnOnce(Scene<'_>, &[Argument<'_>]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Memory { tables, things, buildings } = &*self.memory;
        let Some(agent) = things.agent() else {
            return Err(Failure::new("the recording begins without the agent"));
        };
        let scene = Scene { tables, things, buildings, agent };
        let mut arguments: SmallVec<[Argument<'_>; 3]> = SmallVec::new();
        for &name in names {
            let info = self.program.name(name);
            if info.is_type {
                arguments.push(Argument::Name(&info.text));
            } else if let Some(item) = self.bindings.get(name).and_then(|object| scene.item(object)) {
                arguments.push(Argument::Item(item));
            }
        }
        apply(scene, &arguments)
    }

    /// The value of a function. A slip takes "must be evaluated" for the time of the last evaluation: objects last updated
    /// at clock 0 (or 1, if it must) and not just now have no value.
    fn function(&mut self, id: CallId) -> Result<Option<f64>, Failure> {
        let Call { function, arguments, bound } = self.program.call(id);
        let key = self.bindings.key(bound);
        let (clock, index) = (self.memory.things.clock(), id.0 as usize);
        let cached = self.evaluator.calls[index].0.get(&key).map(|entry| (entry.value, entry.at));
        if let Some((value, at)) = cached
            && at == clock
        {
            return Ok(Some(value));
        }
        if self.memory.things.agent().is_none() {
            return Err(Failure::new("the recording begins without the agent"));
        }
        let evaluated = i64::from(self.force);
        if self.updated(arguments).is_some_and(|updated| updated == clock || updated > evaluated) {
            let value = self.with_arguments(arguments, |_, items| predicates::value(*function, items))?;
            let Evaluator { calls, phase, left, .. } = &mut *self.evaluator;
            calls[index].put(key, value, clock, *phase, left)?;
            return Ok(Some(value));
        }
        Ok(cached.map(|(value, _)| value))
    }

    /// Nothing if the side has no value so far; `Err(Stop::Unimplemented)` if it is not implemented.
    fn side(&mut self, side: Operand) -> Result<Option<f64>, Stop> {
        match side {
            Operand::Number(bits) => Ok(Some(f64::from_bits(bits))),
            Operand::Call(call) => Ok(self.function(call)?),
            Operand::Unimplemented(_) => Err(Stop::Unimplemented),
        }
    }

    /// A comparison is not implemented if its left side is not, and true if only its right side is not.
    fn compare(&mut self, comparison: Comparison, sides: &[Operand; 2]) -> Result<Option<Truth>, Stop> {
        let left = match self.side(sides[0]) {
            Ok(None) => return Ok(None),
            Ok(Some(left)) => Some(left),
            Err(Stop::Unimplemented) => None,
            Err(stop) => return Err(stop),
        };
        let right = match self.side(sides[1]) {
            Ok(None) => return Ok(None),
            Ok(Some(right)) => Some(right),
            Err(Stop::Unimplemented) => None,
            Err(stop) => return Err(stop),
        };
        match (left, right) {
            (None, _) => Err(Stop::Unimplemented),
            (_, None) => Ok(Some(Truth::True)),
            (Some(left), Some(right)) => Ok(Some(comparison.holds(left, right).into())),
        }
    }

    /// All values equal the first; sides that are not implemented are passed over.
    fn equal(&mut self, sides: &[Operand]) -> Result<Option<Truth>, Stop> {
        let mut values: SmallVec<[f64; 4]> = SmallVec::new();
        for side in sides {
            match self.side(*side) {
                Ok(None) => return Ok(None),
                Ok(Some(value)) => values.push(value),
                Err(Stop::Unimplemented) => {}
                Err(stop) => return Err(stop),
            }
        }
        let Some(&first) = values.first() else { return Err(Stop::Unimplemented) };
        let close = |value: f64| (value - first).abs() <= EQUAL_ABSOLUTE + EQUAL_RELATIVE * first.abs();
        Ok(Some(values.iter().all(|&value| close(value)).into()))
    }
}
